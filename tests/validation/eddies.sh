#!/bin/sh
# SPDX-License-Identifier: MIT
# The LES over Askervein hill, 210 degrees, against the towers of the run TU03-B and beside the momentum model: 20
# minutes of spin-up and 80 of wind in cells of 40 x 8 m.  For a GPU: 20 s on an H200, some hours on two cores.
#
# Tables go to standard output, results and plots of the lines of towers into validation/ of the build directory.
set -u
export LC_ALL=C
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
foehn=${FOEHN:-$build/foehn}
here=$src/tests/validation
out=$build/validation
awk=${AWK:-awk}
mkdir -p "$out" || exit 1
"$foehn" devices > /dev/null 2>&1 || { echo "skipped: no OpenCL device"; exit 77; }
"$awk" -v what=probes -f "$here/askervein.awk" "$here/data/askervein_towers.csv" > "$out/probes.txt"
passed=0 failed=0

# solve LABEL OPTIONS...
solve() {
    label=$1; shift
    # shellcheck disable=SC2046
    "$foehn" wind --terrain "$src/examples/data/askervein_osgb_20m_8km.tif" --from 210 --u10 8.9 --cells 128x64x128 \
        --spacing 40x8 "$@" $(cat "$out/probes.txt") --out "$out/$label.csv" --stats "$out/askervein-$label.json" \
        --quiet 2> "$out/askervein-$label.log" ||
        { echo "FAILED: $label: $(tail -1 "$out/askervein-$label.log")"; failed=$((failed + 1)); }
}
table() { "$awk" -v what="$1" -f "$here/askervein.awk" "$here/data/askervein_towers.csv" "$out/askervein-les.csv" "$out/askervein-momentum.csv"; }
# bound NAME VALUE LOW HIGH
bound() {
    if "$awk" -v a="$2" -v l="$3" -v h="$4" 'BEGIN { exit !(a != "" && a >= l && a <= h) }'; then
        echo "ok: $1: $2, $3 to $4"; passed=$((passed + 1))
    else
        echo "FAILED: $1: $2, not $3 to $4"; failed=$((failed + 1))
    fi
}

solve les --model les --spin-up 1200 --dt 10 --duration 4800
"$awk" -f "$here/means.awk" "$out/les.csv" > "$out/askervein-les.csv"
solve momentum --model momentum --steady
mv "$out/momentum.csv" "$out/askervein-momentum.csv"
table towers; echo; table scores; echo; table scores-fixed; echo
"$awk" -v what=values -f "$here/askervein.awk" "$here/data/askervein_towers.csv" "$out/askervein-les.csv" > "$out/les-values.txt"
value() { "$awk" -v key="$1" '$1 == key { print $2 }' "$out/les-values.txt"; }
bound 'mean at RS, m/s' "$("$awk" -F, '$2 == "RS" { print $9 }' "$out/askervein-les.csv")" 8.0 9.8
bound 'fastest of all, m/s' "$(sed -n 's/^ *"max_speed": *\([^,]*\),*$/\1/p' "$out/askervein-les.json")" 13 30
bound 'line A, rmse' "$(value A)" 0 0.11
bound 'line AA, rmse' "$(value AA)" 0 0.15
bound 'line B, rmse' "$(value B)" 0 0.11
bound 'hilltop, speed-up' "$(value HT)" 0.73 0.95
for line in A AA B; do
    table plot-$line > "$out/les-$line.plot"
    "$awk" -f "$here/plot.awk" "$out/les-$line.plot" > "$out/validation-les-$line.svg"
done
echo "eddies: $passed passed, $failed failed"
[ $failed -eq 0 ]
