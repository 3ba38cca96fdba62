#!/bin/sh
# SPDX-License-Identifier: MIT
# What people take from foehn wind --model les: means with what is resolved and what is not, in every format.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

wind='wind --model les --quiet'
flat="$wind --cells 16x10x16 --spacing 20x10 --from 240 --spin-up 60 --duration 40 --dt 2"
"$foehn" $flat --duration 2 2> err.log
test $? -ne 4 || { echo 'no OpenCL device'; exit 77; }
built() { "$foehn" $flat --duration 4 --out "b.$1" 2> err.log; code=$?; rm -f b.*; [ $code -eq 0 ]; }

# ---- bands ----
"$foehn" $flat --band speed,ustar,k,ti,stress,separated --out a.asc
all() { check "$1" awk -v low="$3" -v high="$4" 'NR > 6 { for (i = 1; i <= NF; i++) { n++; if (!($i >= low && $i <= high)) exit 1 } }
    END { exit !(n == 256) }' "$2"; }
# u* of the undisturbed wind is 0.688 m/s, its k 5.8 u*^2 = 2.7 m2/s2.
all 'speed at 10 m' a.asc 4 16
all 'friction velocity' a-ustar.asc 0.3 1.2
all 'k of resolved and unresolved eddies' a-k.asc 0.05 12
all 'turbulence intensity' a-ti.asc 0.01 0.6
check 'stress is that of the friction velocity' sh -c 'paste -d " " a-ustar.asc a-stress.asc |
    awk "NR > 6 { for (i = 1; i <= NF / 2; i++) { d = \$(i + NF / 2) / (1.225 * \$i ^ 2) - 1; if (d > 0.001 || d < -0.001) exit 1 } }"'
all 'nothing has separated' a-separated.asc 0 0
expect 2 '--band k-resolved: only in cells' 'what is only in cells' $flat --band k-resolved --out a.asc
rm -f ./*.asc
expect 2 '--inflow needs --model les' 'what comes into another model' wind --inflow noise
expect 2 '--inflow needs --terrain' 'what comes into a periodic box' $flat --inflow noise

# ---- how good the mean is ----
"$foehn" $flat --duration 128 --probe 30,50,20,mast --out p.csv --stats s.json 2> err.log
number() { sed -n "s/^ *\"$1\": *\([-0-9.e+]*\),*\$/\1/p" s.json; }
# The box's volume over what a log law brings in through the sides that the wind meets.
check 'a flush of the box' awk -v is="$(number flush_s)" 'BEGIN { u = 0.4 * 10 / log(10.03 / 0.03) / 0.4; l = log(100.03 / 0.03)
    s = 0.5; c = sqrt(3) / 2; wanted = 320 / (s + c) / (u * (l - 1 + 0.0003 * l)); exit !(is > 0.999 * wanted && is < 1.001 * wanted) }'
check 'flushes that were averaged' awk -v is="$(number flushes)" -v t="$(number flush_s)" 'BEGIN { d = is * t / 64; exit !(d > 0.999 && d < 1.001) }'
check 'drift and error are told' awk -v drift="$(number drift)" -v error="$(number standard_error | head -n 1)" \
    'BEGIN { exit !(drift > 0 && drift < 1 && error > 0.001 && error < 0.5) }'
# The mast's mean and its error by hand: eight parts of four steps, the component along the mean.  Means are read between
# cells' middles, instants between faces.
awk -F, '/,mast,/ && $1 > 64 { n = int(($1 - 66) / 8); u[n] += $6 / 4; v[n] += $7 / 4; U += $6 / 32; V += $7 / 32 }
    END { for (n = 0; n < 8; n++) s += ((u[n] * U + v[n] * V) / sqrt(U * U + V * V) - sqrt(U * U + V * V)) ^ 2
          print sqrt(U * U + V * V), sqrt(s / 56) }' p.csv > hand.txt
check 'and those of a probe' awk -v speed="$(number speed_of_mean)" -v error="$(number standard_error | tail -n 1)" \
    '{ a = speed / $1 - 1; b = error / $2 - 1; exit !(a * a < 1e-4 && b * b < 0.01) }' hand.txt
rm -f s.json p.csv hand.txt
# A run that has become longer goes on with its mean, also before the new half: 35 steps, of which the resumed run cuts the
# last 19 into eight parts.
long='--cells 16x8x16 --spacing 20x12 --spin-up 20 --dt 2'
"$foehn" $wind $long --duration 60 --checkpoint l.ck 2> err.log
"$foehn" $wind $long --duration 100 --resume l.ck --probe 30,50,20,mast --out p.csv --stats s.json 2> err.log
check 'a mean that goes on is as long as it is' awk -v is="$(number averaged_s)" -v samples="$(number mean_samples)" 'BEGIN { exit !(is == 70 && samples == 35) }'
check 'and as many flushes' awk -v is="$(number flushes)" -v t="$(number flush_s)" 'BEGIN { d = is * t / 70; exit !(d > 0.999 && d < 1.001) }'
awk -F, '/,mast,/ && $1 > 62 { t = $1 / 2 - 31; for (n = 0; int(19 * (n + 1) / 8) < t; n++); k[n]++; u[n] += $6; v[n] += $7 }
    END { for (n = 0; n < 8; n++) { u[n] /= k[n]; v[n] /= k[n]; U += u[n] / 8; V += v[n] / 8 }
          for (n = 0; n < 8; n++) s += ((u[n] * U + v[n] * V) / sqrt(U * U + V * V) - sqrt(U * U + V * V)) ^ 2
          print sqrt(s / 56) }' p.csv > hand.txt
check 'and the error is that of its parts' awk -v error="$(number standard_error | tail -n 1)" '{ b = error / $1 - 1; exit !(b * b < 0.01) }' hand.txt
# A run of one step has no mean, which begins at once in a longer one that is beyond its half.
expect 0 'too short for a mean' 'a run too short for a mean' $wind $long --steps 1 --checkpoint l.ck
"$foehn" $wind $long --steps 2 --resume l.ck --stats s.json 2> err.log
check 'a mean that begins late' awk -v is="$(number averaged_s)" -v samples="$(number mean_samples)" 'BEGIN { exit !(is == 2 && samples == 1) }'
rm -f s.json p.csv hand.txt l.ck

# ---- NetCDF ----
if built nc && command -v ncdump > /dev/null; then
    "$foehn" $flat --out a.nc --every 10 2> err.log
    ncdump -h a.nc > dump.log
    has() { if grep -q -e "$2" dump.log; then pass "$1"; else flunk "$1" "no '$2'"; fi; }
    has 'k' 'turbulent_kinetic_energy(time, z, y, x)'
    has 'k of what is resolved' 'resolved_turbulent_kinetic_energy(time, z, y, x)'
    has 'stress' 'surface_downward_eastward_stress:units = "Pa"'
    for v in turbulent_kinetic_energy resolved_turbulent_kinetic_energy; do
        ncdump -v "$v" -p 7 a.nc | sed '1,/^data:/d' | tr -d ' ;}' | tr ',' '\n' | grep '^[0-9.e+-]*$' | grep . > "$v.txt"
    done
    check 'k is at least what is resolved of it' sh -c 'paste turbulent_kinetic_energy.txt resolved_turbulent_kinetic_energy.txt |
        awk "{ n++; more += \$1 - \$2; if (\$1 < \$2 - 1e-3) exit 1 } END { exit !(n == 2560 && more > 0) }"'
    ncdump -h a-instants.nc > dump.log 2>&1
    check 'instants have no means' sh -c 'grep -q upward_air_velocity dump.log && ! grep -q turbulent_kinetic_energy dump.log'
    rm -f ./*.nc ./*.txt
fi
nothing_left "no temporary file is left"
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
