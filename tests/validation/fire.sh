#!/bin/sh
# SPDX-License-Identifier: MIT
# Pool fires of propane against Heskestad, McCaffrey, Zukoski and the frequency of puffing: prints a table, fails on
# a miss.   fire.sh [case ...]    cases: q1 q2 q5 q10 d03 d06 d10
# A minute on a GPU; a day on two cores.  Bounds are those of doc/validation-fire.md.
set -u
plume=${PLUME:-tests/validation/plume}
awk=${AWK:-awk}
out=${FOEHN_BUILDDIR:-.}/validation
mkdir -p "$out" || exit 1
missed=0

fire() { # case, then the program's arguments
    name=$1
    "$plume" "$@" > "$out/plume-$name.txt" || { echo "| $name | run failed | | | MISS |"; missed=$((missed + 1)); return; }
    $awk -v name="$name" '
        function row(what, value, low, high) {
            good = value >= low && value <= high
            printf "| %s | %s | %.3g | %.3g to %.3g | %s |\n", name, what, value, low, high, good ? "yes" : "MISS"
            bad += !good
        }
        $1 == "case" {
            for (i = 3; i < NF; i += 2) v[$i] = $(i + 1)
            row("99 % height over Heskestad", v["z99"] / v["heskestad"], 0.75, 1.25)
            row("puffing, Hz", v["puffing"], 0.8 * v["expected"], 1.2 * v["expected"])
            row("heat over power", v["heat"] / v["power"], 0.95, 1.05)
        }
        $1 == "at" && $4 > 0.1 && $4 < 0.4 {
            row("w over McCaffrey at Z " $4, $8 / $10, 0.7, 1.3)
            row("dT over McCaffrey at Z " $4, $12 / $14, 0.7, 1.3)
            if ($4 > 0.25) row("flow over Zukoski at Z " $4, $16 / $18, 0.75, 1.25)
        }
        END { exit bad > 0 }' "$out/plume-$name.txt" || missed=$((missed + 1))
}

echo "| case | what | value | bound | held |"
echo "|---|---|---|---|---|"
for case in ${*:-q1 q2 q5 q10 d03 d06 d10}; do
    case $case in
        q1) fire q1 110 0.4 1.8 3.2 0.03 2 10 ;;
        q2) fire q2 180 0.4 1.8 3.8 0.03 2 10 ;;
        q5) fire q5 250 0.35 1.8 4.2 0.03 2 10 ;;
        q10) fire q10 350 0.3 1.8 4.8 0.03 2 10 ;;
        d03) fire d03 60 0.3 1.4 2.8 0.02 2 10 ;;
        d06) fire d06 250 0.6 2.4 4 0.04 2 14 ;;
        d10) fire d10 1000 1 4 6.4 0.07 2 20 ;;
        *) echo "fire.sh: no case $case" >&2; exit 2 ;;
    esac
done
exit $((missed > 0))
