#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources are as clang-format writes them.  Version 14 alone is asked: others break other lines.
# format.sh --apply formats them; FOEHN_SRCDIR is the tree.
set -u
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)}
for name in clang-format-14 clang-format; do
    case $($name --version 2> /dev/null) in *' version 14.'*) format=$name; break ;; esac
done
test -n "${format-}" || { echo 'skipped: no clang-format 14'; exit 77; }
cd "$src" || exit 1
# What a program made is left as it is.
sources=$(find bench examples include kernels lib tests tools -name '*.c' -o -name '*.h' -o -name '*.cl' -o -name '*.cc' |
    grep -v '^examples/.*\.comp\.h$' | sort)
if [ "${1-}" = --apply ]; then
    # The names of sources have no spaces.
    # shellcheck disable=SC2086
    exec $format -i $sources
fi
failed=0 count=0
for file in $sources; do
    count=$((count + 1))
    $format "$file" | cmp -s - "$file" || { echo "not formatted: $file"; failed=$((failed + 1)); }
done
[ $failed -eq 0 ] || echo 'tests/format.sh --apply formats them'
echo "$((count - failed)) passed, $failed failed"
[ $count -gt 0 ] && [ $failed -eq 0 ]
