#!/bin/sh
# SPDX-License-Identifier: MIT
# The SPIR-V that is kept beside the shaders was made from them as they are.
set -eu
passed=0 failed=0
for header in "$FOEHN_SRCDIR"/examples/*.comp.h "$FOEHN_SRCDIR"/tests/publish/*.comp.h; do
    shader=${header%.h}
    sum=$(cksum < "$shader" | cut -d' ' -f1)
    if grep -q "cksum $sum\\." "$header"; then
        passed=$((passed + 1))
    else
        echo "$header is older than $shader: type make shaders"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0 && test "$passed" -gt 0
