#!/bin/sh
# SPDX-License-Identifier: MIT
# make check-validation: wind and pressure against exact solutions and measurements.
# Tables on standard output; results and plots into validation/ of the build directory.  Ends with
# "N passed, N failed" and status 1 when one failed; 77 when there is no OpenCL device.
#
#   validate.sh [all]    all: also the long runs behind doc/validation.md (about an hour)
set -u
export LC_ALL=C # awk and sort follow the locale, 0,5 for 0.5
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
here=$src/tests/validation
out=$build/validation
awk=${AWK:-awk}
mkdir -p "$out" || exit 1
status=0
: > "$out/summary.txt"

part() { # part NAME COMMAND...
    name=$1; shift
    echo "---- $name ----"
    { "$@"; echo $? > "$out/status"; } | tee "$out/$name.txt"
    code=$(cat "$out/status")
    [ "$code" -eq 77 ] && exit 77
    [ "$code" -eq 0 ] || status=1
    grep "^$name: [0-9]* passed" "$out/$name.txt" >> "$out/summary.txt" || echo "$name: 0 passed, 1 failed" >> "$out/summary.txt"
    echo
}
part poisson "$build/tests/validation/poisson"
part ridge "$build/tests/validation/ridge"
part askervein "$here/askervein.sh" "${1-}"
part butte "$here/butte.sh"
part hard_ground "$build/tests/validation/hard_ground"
part hills "$build/tests/validation/hills"
part bolund "$here/bolund.sh" "${1-}"
part wild "$here/wild.sh" "${1-}"

"$build/tests/validation/ridge" plot | "$awk" -f "$here/plot.awk" > "$out/validation-ridge.svg"
"$build/tests/validation/hills" plot | "$awk" -f "$here/plot.awk" > "$out/validation-hills.svg"
"$awk" -v what=ridge -f "$here/convergence.awk" "$out/ridge.txt" |
    "$awk" -f "$here/plot.awk" > "$out/validation-ridge-order.svg"
"$awk" -v what=poisson -f "$here/convergence.awk" "$out/poisson.txt" |
    "$awk" -f "$here/plot.awk" > "$out/validation-poisson.svg"
"$awk" '{ p += $2; f += $4; k += ($6 + 0) }
        END { printf "validation: %d passed, %d failed", p, f; if (k) printf ", %d known to miss", k; print "" }' "$out/summary.txt"
exit $status
