#!/bin/sh
# SPDX-License-Identifier: MIT
# Each room knows only those below it, and no two files know each other: over what files include, and over
# the names that one object defines and another calls.  Every arrow that is wrong is printed.
# The makefile sets FOEHN_SRCDIR, FOEHN_BUILDDIR and NM.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
# Rooms from the ground up; those of one line do not know each other.
layers() {
    case $1 in
    lib) printf '%s\n' device domain pressure publish 'wind flow fire' ;;
    kernels) printf '%s\n' . 'device domain transport publish' pressure 'wind flow fire' ;;
    tools) printf '%s\n' . formats terrain map 'wind flow fire box' 'view bench' main ;;
    esac
}
room='function room(path) {
    if (path ~ /^(main|devices)(\.c)?$/) return "main"
    return sub(/\/[^\/]*$/, "", path) ? path : "." }'
report() { # report NAME FILE: the file lists what is wrong
    if test -s "$2"; then
        failed=$((failed + 1)) && echo "failed: $1" && sed 's/^/    /' "$2"
    else
        passed=$((passed + 1)) && echo "ok: $1"
    fi
}
# "USER-ROOM USER DEFINER-ROOM DEFINER" lines that point up or sideways.
wrong() {
    layers "$1" | awk 'FNR == NR { for (i = 1; i <= NF; i++) level[$i] = FNR; next }
        $1 != $3 && level[$3] >= level[$1] { print $2 " -> " $4 }' - "$2"
}

# What files include, by the room that the include names; "." is the folder's own.  The command's own
# folder holds what all use, and the subcommands, which know all.
for top in lib kernels tools; do
    (cd "$FOEHN_SRCDIR/$top" && grep -rn '^#include "' --include='*.[ch]' --include='*.cl' --include='*.cc' . ) |
        sed -n 's|^\./\([^:]*\):[0-9]*:#include "\([^"]*\)".*|\1 \2|p' |
        awk -v top="$top" "$room"'
            { sub("^" top "/", "", $2); print room($1), $1, room($2), $2 }' |
        grep -v ' \(config.h\|kernels\|examples\)\( \|$\)' | grep -v ' kernels/' > "$folder/includes" || true
    wrong "$top" "$folder/includes" > "$folder/wrong"
    report "includes of $top point down" "$folder/wrong"
done

# "OBJECT NAME" of what is defined and of what is called.
names() { # names OBJECT...
    for object; do
        file=$(echo "$object" | sed 's|\.libs/||; s|foehn-||; s|lib[a-z]*_la-||; s|\.o$||')
        ls "$FOEHN_SRCDIR/$file".* > /dev/null 2>&1 || continue # of a source that has gone
        # NM may hold options, as in "nm -B".
        # shellcheck disable=SC2086
        ${NM:-nm} "$object" | awk -v file="$file" '
            NF == 3 && $2 ~ /^[TDRBC]$/ { print "defines", file, $3 }
            NF == 2 && $1 == "U" { print "calls", file, $2 }'
    done
}
cd "$FOEHN_BUILDDIR"
for top in lib tools; do
    objects=$(find "$top" -name '*.o' -path '*/.libs/*')
    for object in $(find "$top" -name '*.o' ! -path '*/.libs/*' ! -name 'tests_*'); do
        test -e "$(dirname "$object")/.libs/$(basename "$object")" || objects="$objects $object"
    done
    # shellcheck disable=SC2086
    names $objects | sort -u > "$folder/names"
    awk '$1 == "defines" { home[$3] = $2 } $1 == "calls" { user[++n] = $2; name[n] = $3 }
        END { for (i = 1; i <= n; i++) if (name[i] in home && home[name[i]] != user[i])
            print user[i], home[name[i]] }' "$folder/names" | sort -u > "$folder/arrows"
    test -s "$folder/arrows" || { echo 'no arrows: nm told nothing'; failed=$((failed + 1)); }
    awk -v top="$top" "$room"'
        function short(path) { sub("^" top "/", "", path); return path }
        { print room(short($1)), short($1), room(short($2)), short($2) }' "$folder/arrows" > "$folder/rooms"
    wrong "$top" "$folder/rooms" > "$folder/wrong"
    report "calls of $top point down" "$folder/wrong"
    LC_ALL=C tsort "$folder/arrows" 2>&1 > /dev/null | sed 's/^tsort: //' > "$folder/wrong" || true
    report "no files of $top call each other in a circle" "$folder/wrong"
done
# The check itself must be able to fail.
printf 'a b\nb c\nc a\n' | LC_ALL=C tsort > /dev/null 2>&1 && echo 'tsort sees no circle' && failed=$((failed + 1))
echo "$passed passed, $failed failed"
test "$failed" -eq 0
