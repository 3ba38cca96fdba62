#!/bin/sh
# SPDX-License-Identifier: MIT
# The momentum model over real steep ground: 20 windows of Big Southern Butte's terrain, drawn at random (always the
# same), cells of 30 m, the wind turning by 18 degrees from one to the next.  Each must end with status 0, finite
# numbers and its mass balanced to 1e-5; a lee that sways is told, and is no failure.
#
#   wild.sh        20 windows
#   wild.sh all    and the whole of it, 2.4 million cells (minutes)
set -u
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
foehn=${FOEHN:-$build/foehn}
terrain=$src/tests/validation/data/big_butte_small.tif
out=$build/validation
awk=${AWK:-awk}
mkdir -p "$out" || exit 1
"$foehn" devices > /dev/null 2>&1 || { echo "skipped: no OpenCL device"; exit 77; }
passed=0 failed=0

value() { sed -n "s/^ *\"$1\": *\([^,]*\),*\$/\1/p" "$out/wild.json" | head -1; }
run() { # run NAME OPTIONS...
    name=$1; shift
    rm -f "$out/wild.json"
    "$foehn" wind --terrain "$terrain" --u10 8.5 --model momentum --steady --quiet "$@" --stats "$out/wild.json" \
        2> "$out/wild.log"
    code=$?
    said=$(grep -c 'no rest\|not stand still' "$out/wild.log")
    converged=$(value converged) imbalance=$(value mass_imbalance) fastest=$(value max_speed)
    if [ $code -eq 0 ] && "$awk" -v m="$imbalance" -v f="$fastest" \
        'BEGIN { exit !(m != "" && m <= 1e-5 && m >= -1e-5 && f > 3 && f < 80) }' &&
        { [ "$converged" = true ] || [ "$said" -gt 0 ]; }; then
        passed=$((passed + 1)); word=ok
    else
        failed=$((failed + 1)); word=FAILED
    fi
    echo "$word: $name: $(value steps) steps, at rest: $converged, fastest $fastest m/s, mass out of balance by $imbalance$(
        [ $code -eq 0 ] || echo ", status $code: $(tail -1 "$out/wild.log")")"
}

# Lower corners within the raster (UTM 12N, 7.5 x 8.3 km), by a small generator of its own.
"$awk" 'BEGIN {
    seed = 17
    for (n = 0; n < 20; n++) {
        seed = (seed * 1103 + 12345) % 65536; a = seed / 65536
        seed = (seed * 1103 + 12345) % 65536; b = seed / 65536
        printf "%d %.0f %.0f\n", n * 18, a * 5000, b * 5600
    }
}' > "$out/wild.txt"
west=332006 south=4802918 # of the raster
while read -r from east north; do
    w=$("$awk" -v a="$west" -v b="$east" 'BEGIN { printf "%.0f", a + b + 60 }')
    s=$("$awk" -v a="$south" -v b="$north" 'BEGIN { printf "%.0f", a + b + 60 }')
    run "window at +$east +$north m, from $from" --from "$from" --window "$w,$s,$((w + 1500)),$((s + 1500))" \
        --cells 48x40x48 --spacing 30x30
done < "$out/wild.txt"
[ "${1-}" = all ] && run 'all of it' --from 225 --cells 192x48x192 --spacing 31x31
echo "wild: $passed passed, $failed failed"
[ $failed -eq 0 ]
