#!/bin/sh
# SPDX-License-Identifier: MIT
# oclgrind.sh PROGRAM...: run test programs, at small sizes, on Oclgrind's interpreter: no data race,
# no access out of a buffer, no misuse of the API; and in tests/life, no use of what was never written
# (Oclgrind 21.10 takes memory that is used again for such, and life uses none again).
# FOEHN_OCLGRIND holds further options, such as "--max-wgsize 32".
set -eu
command -v oclgrind > /dev/null || { echo "skipped: no oclgrind"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
for program; do
    log=$folder/log
    rm -f "$log"
    case $program in
    *life) watch=--uninitialized ;;
    *) watch= ;;
    esac
    # Oclgrind's status is that of the program also when it found faults: its log must be empty.
    # shellcheck disable=SC2086
    if FOEHN_TINY=1 FOEHN_REQUIRE_DEVICE=1 oclgrind --data-races --check-api $watch \
        --max-errors 20 --log "$log" ${FOEHN_OCLGRIND-} "$program" && test ! -s "$log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $(basename "$program")"
        test ! -s "$log" || cat "$log"
    fi
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0
