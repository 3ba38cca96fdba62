#!/bin/sh
# SPDX-License-Identifier: MIT
# bench/domain.sh A,B [CELLS]: one wind on several devices of this host, as tables for bench/RESULTS.md: parts
# of one process (one OpenCL context), and ranks of MPI; weak and strong scaling by model, bits compared.
# Bounds (doc/domain.md): weak, 512 x 256 x 512 each on two GPUs: at most 1.25 of one; strong: at most 0.62.
# FOEHN names the command.  CELLS: as many along x and z, half along y (512; less to try the script).
set -eu
devices=${1:?usage: bench/domain.sh 0,1 [CELLS]}
n=${2:-512}
foehn=${FOEHN:-foehn}
steps=${STEPS:-20}
count=$(echo "$devices" | tr ',' '\n' | wc -l)
first=${devices%%,*}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root

"$foehn" devices
echo
most=$((n * n * n * 2))
"$foehn" bench domain --devices "$devices" --most "$most" --markdown

# hill FILE COLUMNS ROWS: a box of so many cells, 4 m each, over a hill a fifth as high as it
hill() {
    awk -v nx=33 -v nz="$((33 * $3 / $2))" -v size="$(echo "$2" | awk '{ print $1 * 4 / 32 }')" -v top="$((n / 2))" 'BEGIN {
        printf "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %g\n", nx, nz, size
        for (k = 0; k < nz; k++)
            for (i = 0; i < nx; i++) {
                a = sin(3.14159 * i / (nx - 1)); b = sin(3.14159 * k / (nz - 1))
                printf "%.3f%s", 0.8 * top * a * a * b * b, i + 1 < nx ? " " : "\n"
            }
    }' > "$1"
}
# ms a step by two lengths of a run: what comes before the steps drops out.
wall() { sed -n 's/.*"wall_s": *\([0-9.eE+-]*\).*/\1/p' "$1" | head -1; }
run() { # run NAME LAUNCHER OPTIONS: ms a step
    name=$1 launcher=$2 more='--cycles 1'
    shift 2
    [ "$2" != momentum ] || more=
    [ "$2" != les ] || more='--spin-up 1'
    for length in $steps $((3 * steps)); do
        # shellcheck disable=SC2086
        $launcher "$foehn" wind --seed 1 --quiet --dt 0.2 --steps "$length" $more "$@" \
            --terrain "$folder/hill.asc" --assume-metres --spacing 4 \
            --checkpoint "$folder/$name.$length" --stats "$folder/$name.$length.json" 2>> "$folder/log" ||
            { cat "$folder/log" >&2; exit 1; }
    done
    echo "$(wall "$folder/$name.$steps.json") $(wall "$folder/$name.$((3 * steps)).json")" |
        awk -v steps="$steps" '{ printf "%.3f\n", ($2 - $1) / (2 * steps) * 1e3 }'
}
same() { # same A B: of checkpoints
    if cmp -s "$folder/$1.$steps" "$folder/$2.$steps"; then echo yes; else echo NO; fi
}
launcher=
if command -v mpirun > /dev/null; then launcher="mpirun $root --oversubscribe --bind-to none -n $count"; fi
cat << END

$count devices, as threads of one process and as ranks of MPI; ms a step of a whole run, and of one device's:

| scaling | model | box | one | threads | of one | ranks | of one | same bits |
|---|---|---|---:|---:|---:|---:|---:|---|
END
for model in forcing momentum les; do
    box=${n}x$((n / 2))x$n
    hill "$folder/hill.asc" "$n" "$n"
    one=$(run one '' --model "$model" --cells "$box" --device "$first")
    for scaling in strong weak; do
        if [ "$scaling" = weak ]; then
            box=${n}x$((n / 2))x$((n * count))
            hill "$folder/hill.asc" "$n" "$((n * count))"
        fi
        threads=$(run threads '' --model "$model" --cells "$box" --devices "$devices")
        ranks=- bits=-
        [ "$scaling" = weak ] || bits=$(same one threads)
        if [ -n "$launcher" ]; then
            ranks=$(run ranks "$launcher" --model "$model" --cells "$box" --devices "$devices")
            bits=$bits,$(same threads ranks)
        fi
        echo "$scaling $model $box $one $threads $ranks $bits" | awk '{
            printf "| %s | %s | %s | %s | %s | %.2f | %s | %s | %s |\n", $1, $2, $3, $4, $5, $5 / $4, $6,
                $6 == "-" ? "-" : sprintf("%.2f", $6 / $4), $7 }'
    done
done
