#!/bin/sh
# SPDX-License-Identifier: MIT
# oclgrind.sh PROGRAM...: run tests/device/life NAME for each life, then test programs at small sizes, on
# Oclgrind's interpreter: no data race, no access out of a buffer, no misuse of the API.  What was never
# written is not watched: Oclgrind 21.10 takes copied buffers for such, and falls over shuffles of vectors
# that leave a lane open.  FOEHN_OCLGRIND holds further options, such as "--max-wgsize 32".
set -eu
command -v oclgrind > /dev/null || { echo "skipped: no oclgrind"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
watch() { # watch NAME COMMAND...
    name=$1; shift
    rm -f "$folder/log"
    # Oclgrind's status is that of the program also when it found faults: its log must be empty.
    # shellcheck disable=SC2086
    if FOEHN_TINY=1 FOEHN_REQUIRE_DEVICE=1 oclgrind --data-races --check-api \
        --max-errors 20 --log "$folder/log" ${FOEHN_OCLGRIND-} "$@" && test ! -s "$folder/log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $name"
        test ! -s "$folder/log" || cat "$folder/log"
    fi
}

life=$1; shift
for name in wind periodic solved momentum les preset fire flow; do
    watch "life $name" "$life" $name
done
for program; do
    watch "$(basename "$program")" "$program"
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0
