#!/bin/sh
# SPDX-License-Identifier: MIT
# mutations.sh [WORD]: break kernels on purpose, one place at a time, and see that a test fails each time.
# The table is tests/mutations.txt; WORD: only those whose subject, file or tests have it.
# --match: break nothing, but see that each text is once in its file, and that its tests are there.
# Run in the build folder.  MUTATIONS_DIR keeps the copy of the kernels and the compiled ones from run to run.
set -eu
table=$FOEHN_SRCDIR/tests/mutations.txt
match=
test "${1-}" != --match || { match=yes; shift; }
word=${1-}
folder=${MUTATIONS_DIR-$(mktemp -d)}
test -n "${MUTATIONS_DIR-}" || trap 'rm -rf "$folder"' EXIT
rm -rf "$folder/kernels" "$folder/include"
mkdir -p "$folder/pocl" "$folder/include"
cp -r "$FOEHN_SRCDIR/kernels" "$folder/kernels"
cp -r "$FOEHN_SRCDIR/include/foehn" "$folder/include/foehn"
FOEHN_KERNEL_DIR=$folder/kernels
POCL_CACHE_DIR=$folder/pocl
FOEHN_REQUIRE_DEVICE=1
export FOEHN_KERNEL_DIR POCL_CACHE_DIR FOEHN_REQUIRE_DEVICE

# Record n of the table: lines "subject:", "file:", "tests: [tiny] PROGRAM TEST...", "-TEXT", "+TEXT", between
# empty lines; "#" is a comment; tiny: at small sizes, where these are enough.
record() {
    awk -v RS= -v n="$1" '{ gsub(/(^|\n)#[^\n]*/, "") } NF && ++count == n' "$table"
}
field() {
    printf '%s\n' "$entry" | sed -n "s/^$1//p"
}
# The file with the one place of `old` replaced by `new`; fails unless there is one.  A space of `old` may be
# the end of a line there.
replaced() {
    OLD=$2 NEW=$3 awk 'function inner(text) { gsub(/ +/, "[ \n]+", text); return text }
    { text = text $0 "\n" }
    END {
        old = ENVIRON["OLD"]
        gsub(/[^A-Za-z0-9_ ]/, "[&]", old)
        gsub(/\[\^\]/, "\\^", old)
        match(old, /^ */) # how far it is indented stays
        old = substr(old, 1, RLENGTH) inner(substr(old, RLENGTH + 1))
        if (!match(text, old))
            exit 1
        at = RSTART
        length_of = RLENGTH
        if (match(substr(text, at + 1), old))
            exit 1
        printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], substr(text, at + length_of)
    }' "$1"
}
# Run [tiny] PROGRAM TEST...: 0 they pass, else they fail, crash or hang.
passes() {
    tiny=0
    test "$1" != tiny || { tiny=1; shift; }
    program=$1
    shift
    FOEHN_TINY=$tiny FOEHN_TESTS=$* timeout 600 "$program" > "$folder/log" 2>&1
}

count=0 killed=0 survived=0 unfit=0
while entry=$(record $((count + 1))) && test -n "$entry"; do
    count=$((count + 1))
    case $entry in *"$word"*) ;; *) continue ;; esac
    subject=$(field 'subject: ') file=$(field 'file: ') tests=$(field 'tests: ')
    old=$(field -) new=$(field +)
    case $file in include/*) path=$folder/$file source=$FOEHN_SRCDIR/$file ;;
    *) path=$folder/kernels/$file source=$FOEHN_SRCDIR/kernels/$file ;; esac
    if ! replaced "$source" "$old" "$new" > "$folder/mutant"; then
        echo "unfit: $subject: '$old' is not exactly once in $file"
        unfit=$((unfit + 1))
        continue
    fi
    if test "$match"; then
        for name in ${tests#tiny }; do
            case $name in */*) room=$FOEHN_SRCDIR/${name%/*}; continue ;; esac
            grep -rq "START_TEST($name)" "$room" || {
                echo "unfit: $subject: no test $name in $room"
                unfit=$((unfit + 1))
            }
        done
        continue
    fi
    # What fails unbroken says nothing; each set of tests is run so once.
    # shellcheck disable=SC2086
    if ! grep -qxF "$tests" "$folder/sound" 2> /dev/null; then
        if ! passes $tests; then
            echo "unfit: $tests fails with the kernels as they are:"
            tail -5 "$folder/log"
            unfit=$((unfit + 1))
            continue
        fi
        echo "$tests" >> "$folder/sound"
    fi
    cp "$folder/mutant" "$path"
    # shellcheck disable=SC2086
    if passes $tests; then
        survived=$((survived + 1))
        echo "SURVIVED: $subject ($file)"
    else
        killed=$((killed + 1))
        echo "killed: $subject ($file): $(grep -m 1 -E ':[FE]:' "$folder/log" | sed 's/^[^:]*:[0-9]*:[FE]:[^:]*:\([a-z0-9_]*\):.*/\1/' || true)"
    fi
    cp "$source" "$path"
done
if test "$match"; then
    echo "$count places to break, $unfit unfit"
    test "$unfit" -eq 0 && test "$count" -gt 0
    exit
fi
echo "$killed killed, $survived survived, $unfit unfit"
test "$survived" -eq 0 && test "$unfit" -eq 0 && test "$killed" -gt 0
