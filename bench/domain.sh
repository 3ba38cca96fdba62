#!/bin/sh
# SPDX-License-Identifier: MIT
# bench/domain.sh DEVICE,DEVICE...: one wind on several devices of this host, as tables for bench/RESULTS.md.
# Bounds (doc/domain.md): weak, 512 x 256 x 512 each on two GPUs: at most 1.25 of one; strong: at most 0.62.
# FOEHN names the command; with mpirun there, the same over ranks of MPI, the files of which are compared.
set -eu
devices=${1:?usage: bench/domain.sh 0,1}
foehn=${FOEHN:-foehn}
count=$(echo "$devices" | tr ',' '\n' | wc -l)
"$foehn" devices
"$foehn" bench domain --devices "$devices" --markdown
command -v mpirun > /dev/null || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run="wind --cells 512x128x512 --steps 20 --seed 1 --quiet"
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
# shellcheck disable=SC2086
"$foehn" $run --device "${devices%%,*}" --checkpoint "$folder/one" --stats "$folder/one.json"
# shellcheck disable=SC2086
mpirun $root --oversubscribe -n "$count" "$foehn" $run --devices "$devices" --checkpoint "$folder/ranks" \
    --stats "$folder/ranks.json"
cmp "$folder/one" "$folder/ranks" && echo "$count ranks: the same bits as one"
grep -h '"wall' "$folder/one.json" "$folder/ranks.json"
