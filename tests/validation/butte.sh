#!/bin/sh
# SPDX-License-Identifier: MIT
# Big Southern Butte at 31 m, 1.5 million cells, to a residual of 1e-4: time and memory of the process.
# Kernels are built in a first run that does not count; the best of five runs is compared.
set -u
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
foehn=${FOEHN:-$build/foehn}
out=$build/validation
mkdir -p "$out" || exit 1
run() {
    "$build/tests/validation/resources" "$foehn" wind --terrain "$src/tests/validation/data/big_butte_small.tif" \
        --spacing 31x60 --cells 240x24x264 --u10 8.5 --from 225 --steady --tolerance 1e-4 "$@" 2> "$out/butte.log"
}
run --quiet --stats "$out/butte.json" > /dev/null || { echo "FAILED: $(tail -1 "$out/butte.log")"; exit 1; }
echo '| output | wall, s | in the process, s | in the kernel, s | memory, MB |'
echo '|---|---|---|---|---|'
: > "$out/butte-runs.txt"
for output in none none none none none tif nc; do
    if [ $output = none ]; then
        line=$(run --quiet | tail -1)
        echo "$line" >> "$out/butte-runs.txt"
    else
        line=$(run --quiet --out "$out/butte.$output" | tail -1)
    fi
    echo "$output $line" | ${AWK:-awk} '{ print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " |" }'
done
${AWK:-awk} -F'[:,]' '/"cycles"|"residual"|"cells"/ { gsub(/[ "]/, ""); printf "%s %s; ", $1, $2 } END { print "" }' "$out/butte.json"
${AWK:-awk} '
    function bound(name, value, most) {
        if (value <= most) passed++; else failed++
        printf "%s: %s: %s, at most %s\n", value <= most ? "ok" : "FAILED", name, value, most
    }
    NR == 1 || $1 < wall { wall = $1; memory = $4 }
    END {
        bound("Big Butte: wall time, s, best of five", wall, 2)
        bound("Big Butte: memory, MB", memory, 400)
        printf "butte: %d passed, %d failed\n", passed, failed
        exit failed > 0
    }' "$out/butte-runs.txt"
