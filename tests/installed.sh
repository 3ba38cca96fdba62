#!/bin/sh
# SPDX-License-Identifier: MIT
# What make install has brought, as a stranger uses it: the README's program, an example, the command
# and the documents.  make installcheck runs it with DESTDIR, CC, PKG_CONFIG and the folders of the
# installation in the environment; TMPDIR takes what is built.
# shellcheck disable=SC2154 # folders come from the makefile
set -u
root=${DESTDIR-}
dir=$(mktemp -d "${TMPDIR:-/tmp}/foehn-installed.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
checks=0 failures=0

check() { # check NAME COMMAND...: the command succeeds
    name=$1; shift
    checks=$((checks + 1))
    if "$@" > "$dir/check.log" 2>&1; then echo "ok: $name"
    else failures=$((failures + 1)); echo "FAILED: $name"; sed 's/^/    /' "$dir/check.log"; fi
}
finish() {
    echo "$checks checks, $failures failed"
    test $failures -eq 0
    exit
}

# ---- flags ----
export PKG_CONFIG_PATH="$root$libdir/pkgconfig"
test -z "$root" || export PKG_CONFIG_SYSROOT_DIR="$root"
export LD_LIBRARY_PATH="$root$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if test -n "$PKG_CONFIG"; then
    check 'pkg-config knows the version' test "$($PKG_CONFIG --modversion foehn)" = "$VERSION"
    flags=$($PKG_CONFIG --cflags --libs foehn)
else
    echo 'no pkg-config: the flags are written out, foehn.pc is not tested'
    flags="-I$root$includedir -L$root$libdir -lfoehn"
fi
build() { # build SOURCE PROGRAM: as a user would; words of $CC and $flags are meant to be split
    # shellcheck disable=SC2086,SC2317
    $CC "$1" -o "$2" $flags
}

# ---- documents ----
check 'the manual' test -s "$root$mandir/man1/foehn.1"
for file in flow.md publishing.md images/askervein.png examples/wind_host.c examples/wind_vulkan.c \
    examples/hill.h scenes/flow/cylinder.yaml scenes/fire/everything.yaml; do
    check "$file" test -s "$root$docdir/$file"
done

# ---- programs ----
# shellcheck disable=SC2016
sed -n '/^```c$/,/^```$/p' "$FOEHN_SRCDIR/README.md" | sed '/^```/d' > "$dir/program.c"
check "the README's program is built" build "$dir/program.c" "$dir/program"
check 'an installed example, too' build "$root$docdir/examples/wind_host.c" "$dir/wind_host"
foehn=$root$bindir/foehn
check 'the command says its version' sh -c "'$foehn' --version | grep -q 'libfoehn $VERSION'"
if ! "$foehn" devices > "$dir/devices.log" 2>&1; then
    cat "$dir/devices.log"
    echo 'no device: nothing of it was run'
    test "${FOEHN_REQUIRE_DEVICE:-0}" = 1 && failures=$((failures + 1))
    finish
fi
check "the README's program tells the wind" sh -c "'$dir/program' | grep 'm/s to the east'"
check 'the example, too' "$dir/wind_host"
if "$foehn" flow --list > "$dir/list.log" 2>&1; then
    check 'an installed scene is run' "$foehn" flow "$root$docdir/scenes/flow/box.yaml" --steps 2
fi
finish
