#!/bin/sh
# SPDX-License-Identifier: MIT
# Pool fires of propane and a plume of helium against Heskestad, McCaffrey, Zukoski and the frequency of puffing:
# a table, plots beside it (SVG), and failure on a miss.
#   fire.sh [case ...]    cases: q1 q2 q5 q10 d03 d06 d10 coarse helium
# All at once with JOBS=9.  Two minutes on a GPU; a day on two cores.  The bounds are those of
# doc/validation-fire.md.
set -u
plume=${PLUME:-tests/validation/plume}
awk=${AWK:-awk}
plot=${FOEHN_SRCDIR:-$(dirname "$0")/../..}/tests/validation/plot.awk
out=${FOEHN_BUILDDIR:-.}/validation
mkdir -p "$out" || exit 1

# ---- runs, with room beside and above the plume up to Z = 0.4, means of 20 s: NAME POWER DIAMETER WIDTH HEIGHT VOXEL BEGIN END ----

run() {
    case $1 in
        q1) set -- q1 110 0.4 1.8 3 0.03 3 23 ;;
        q2) set -- q2 180 0.4 2.4 4 0.035 3 23 ;;
        q5) set -- q5 250 0.35 2.8 4.5 0.035 3 23 ;;
        q10) set -- q10 350 0.3 3 5.1 0.04 3 23 ;;
        d03) set -- d03 60 0.3 1.4 2.4 0.02 3 23 ;;
        d06) set -- d06 250 0.6 2.7 4.4 0.04 4 24 ;;
        d10) set -- d10 1000 1 4.6 7.4 0.07 4 24 ;;
        coarse) set -- coarse 60 0.3 1.4 2.4 0.06 3 23 ;;
        helium) set -- helium 0 1 3 4 0.04 3 18 ;;
        *) echo "fire.sh: no case $1" >&2; exit 2 ;;
    esac
    "$plume" "$@" > "$out/plume-$1.txt"
}

# ---- a case's table ----

rows='
    function row(what, value, low, high) {
        good = value >= low && value <= high
        printf "| %s | %s | %.3g | %.3g to %.3g | %s |\n", name, what, value, low, high, good ? "yes" : "MISS"
        bad += !good
    }
    # slope of log y over log Z by least squares
    function slope(n, sx, sy, sxx, sxy) { return (n * sxy - sx * sy) / (n * sxx - sx * sx) }'
table() {
    $awk -v name="$1" "$rows"'
        $1 == "case" && $3 == "helium" {
            for (i = 4; i < NF; i += 2) v[$i] = $(i + 1)
            row("puffing over the pan, Hz", v["puffing"], 1.10, 1.64)
        }
        $1 == "case" && $3 != "helium" {
            for (i = 3; i < NF; i += 2) v[$i] = $(i + 1)
            row("heat over power", v["heat"] / v["power"], 0.95, 1.05)
            row("fuel missing, of what came", v["fuel"], -1e-4, 1e-4)
            row("soot missing, of what came", v["soot"], -1e-4, 1e-4)
            if (name == "coarse") next
            row("99 % height over Heskestad", v["z99"] / v["heskestad"], 0.75, 1.25)
            if (name ~ /^d/) row("puffing over the pan, Hz", v["puffing"], 0.8 * v["expected"], 1.2 * v["expected"])
        }
        $1 == "at" && name != "coarse" && $4 > 0.1 && $4 < 0.4 {
            row("w over McCaffrey at Z " $4, $8 / $10, 0.7, 1.3)
            row("dT over McCaffrey at Z " $4, $12 / $14, 0.7, 1.3)
            if ($4 > 0.25) row("flow over Zukoski at Z " $4, $16 / $18, 0.75, 1.25)
        }
        $1 == "at" && $4 > 0.2 && $4 < 0.4 {
            n++; x = log($4); sx += x; sxx += x * x
            sw += log($8); sxw += x * log($8); st += log($12); sxt += x * log($12)
        }
        END {
            if (n > 2 && name != "coarse") {
                row("slope of w, Z 0.2 to 0.4", slope(n, sx, sw, sxx, sxw), -0.4833, -0.1833)
                row("slope of dT, Z 0.2 to 0.4", slope(n, sx, st, sxx, sxt), -2.0167, -1.3167)
            }
            exit bad > 0
        }' "$out/plume-$1.txt"
}

# What two or more cases say together.
together() {
    $awk "$rows"'
        $1 == "case" { for (i = 3; i < NF; i += 2) v[$2, $i] = $(i + 1); seen[$2] = 1 }
        END {
            name = "together"
            if (seen["d03"] && seen["d06"] && seen["d10"]) {
                m = split("d03 d06 d10", c, " ")
                for (i = 1; i <= m; i++) {
                    x = log(v[c[i], "D"]); y = log(v[c[i], "puffing"]); n++
                    sx += x; sy += y; sxx += x * x; sxy += x * y
                }
                row("slope of puffing over D", slope(n, sx, sy, sxx, sxy), -0.6, -0.4)
            }
            if (seen["d03"] && seen["coarse"])
                row("99 % height, D*/h 5 over 15", v["coarse", "z99"] / v["d03", "z99"], 0.8, 1.2)
            exit bad > 0
        }' "$@"
}

# ---- plots ----

axis() { # column of the figure, of McCaffrey, title, y, file; figures of speed are over Q^0.2
    {
        printf 'title %s\nx height over Q^0.4, m/kW^0.4\ny %s\nlog x\nlog y\nline black McCaffrey 1979\n' "$3" "$4"
        along "$2" d03
        for one in "d03 red 60 kW, 0.3 m" "q10 blue 350 kW, 0.3 m" "d06 green 250 kW, 0.6 m" \
            "d10 orange 1 MW, 1 m"; do
            rest=${one#* }
            test -s "$out/plume-${one%% *}.txt" || continue
            printf 'both %s %s\n' "${rest%% *}" "${rest#* }"
            along "$1" "${one%% *}"
        done
    } | $awk -f "$plot" > "$out/$5"
}

along() { # column, case
    $awk -v c="$1" '$1 == "case" { f = c < 12 ? $4 ^ 0.2 : 1 } $1 == "at" { print $4, $c / f }' "$out/plume-$2.txt"
}

heights() {
    {
        printf 'title Height of the flame (99 %% of the heat)\nx Q*\ny height over D\nlog x\nlog y\n'
        printf 'line black Heskestad 1983\n' # kW = 1110 Q* D^2.5
        $awk 'BEGIN { for (q = 0.7; q < 8; q *= 1.2) print q, 0.235 * (1110 * q) ^ 0.4 - 1.02 }'
        printf 'points red foehn\n'
        $awk '$1 == "case" && $3 == "power" && $2 != "coarse" { print $8, $16 / $6 }' "$@"
    } | $awk -f "$plot" > "$out/fire-heights.svg"
    {
        printf 'title Puffing: upward speed over the pan\nx diameter, m\ny Hz\nlog x\nlog y\nline black 1.5/sqrt(D)\n'
        $awk 'BEGIN { for (d = 0.25; d < 1.3; d *= 1.2) print d, 1.5 / sqrt(d) }'
        printf 'points red foehn\n'
        $awk '$1 == "case" && $3 == "power" && $2 != "coarse" { print $6, $20 }' "$@"
    } | $awk -f "$plot" > "$out/fire-puffing.svg"
}

# ---- all ----

cases=${*:-q1 q2 q5 q10 d03 d06 d10 coarse helium}
missed=0
running=0
for case in $cases; do
    run "$case" &
    running=$((running + 1))
    test $((running % ${JOBS:-1})) -eq 0 && wait
done
wait
echo "| case | what | value | bound | held |"
echo "|---|---|---|---|---|"
files=
for case in $cases; do
    test -s "$out/plume-$case.txt" || { echo "| $case | run failed | | | MISS |"; missed=1; continue; }
    table "$case" || missed=1
    files="$files $out/plume-$case.txt"
done
test -n "$files" || exit 1
together $files || missed=1
if test -s "$out/plume-d03.txt"; then
    axis 8 10 "Upward speed on the axis" "w / Q^0.2, m/s/kW^0.2" fire-speed.svg
    axis 12 14 "Excess temperature on the axis" K fire-temperature.svg
    heights $files
fi
exit $missed
