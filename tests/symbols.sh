#!/bin/sh
# SPDX-License-Identifier: MIT
# The library exports what the headers declare FOEHN_API, and nothing else.
# The makefile sets FOEHN_SRCDIR, FOEHN_BUILDDIR and FOEHN_HEADERS, those that are installed.
set -eu
library=$FOEHN_BUILDDIR/.libs/libfoehn.so
test -e "$library" || { echo "skipped: no shared library was built"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A declaration may break after its return type; its name is the word before the first parenthesis.
(cd "$FOEHN_SRCDIR" && for header in $FOEHN_HEADERS; do cat "$header"; done) | tr '\n' ' ' | sed 's/FOEHN_API/\n&/g; s/;/;\n/g' |
    sed -n 's/^FOEHN_API [^(]*[ *]\(foehn_[a-z0-9_]*\) *(.*/\1/p' | LC_ALL=C sort -u > "$folder/declared"
# NM may hold options, as in "nm -B".
# shellcheck disable=SC2086
${NM:-nm} -D --defined-only "$library" | sed -n 's/.* [A-Z] \([^@]*\).*/\1/p' |
    LC_ALL=C sort -u > "$folder/exported"
if test -s "$folder/declared" && diff "$folder/declared" "$folder/exported"; then
    echo "$(wc -l < "$folder/declared") functions"
    echo "1 passed, 0 failed"
else
    echo "< declared in include/foehn, > exported by $library"
    echo "0 passed, 1 failed"
    exit 1
fi
