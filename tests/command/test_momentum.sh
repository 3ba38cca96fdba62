#!/bin/sh
# SPDX-License-Identifier: MIT
# What people take from foehn wind --model momentum: fields in every format, profiles, checkpoints, what is refused.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

wind='wind --model momentum --quiet'
flat="$wind --cells 24x16x20 --spacing 20x5 --from 240"
"$foehn" $flat --steps 10 --stats s.json 2> err.log
test $? -ne 4 || { echo 'no OpenCL device'; exit 77; }
built() { "$foehn" $flat --steps 1 --out "b.$1" 2> err.log; code=$?; rm -f b.*; [ $code -eq 0 ]; }
# near NAME VALUE WANTED SHARE
near() { check "$1" awk -v a="$2" -v b="$3" -v by="$4" 'BEGIN { d = a / b - 1; exit !(a != "" && d < by && -d < by) }'; }
# The log law by hand: u* = 0.4 * 10 / ln(10.03 / 0.03) = 0.68811, k = u*^2 / sqrt(0.03) = 2.7337.

# ---- profiles ----
"$foehn" $flat --profile 0,0,mast --probe 10,20,10 --out p.csv
check 'a steady run has one row a height' awk -F, '/,mast,/ { n++; if ($5 <= last) exit 1; last = $5 } END { exit !(n == 14) }' p.csv
check 'and one a probe' sh -c 'test $(grep -c ,probe1, p.csv) -eq 1'
at() { awk -F, -v h="$1" -v c="$2" '/,mast,/ && $5 == h { print $c }' p.csv; }
near 'speed of the log law at 30 m' "$(at 30 9)" "$(awk 'BEGIN { print 10 * log(30.03 / 0.03) / log(10.03 / 0.03) }')" 0.005
near 'its direction' "$(at 30 10)" 240 0.002
near 'its k' "$(at 30 12)" 2.7337 0.01
near 'its eddy viscosity' "$(at 30 13)" "$(awk 'BEGIN { print 0.4 * 0.68811 * 30.03 }')" 0.02
near 'its turbulence intensity' "$(at 10 11)" 0.13500 0.01
expect 3 'outside the box' 'a profile outside the box' $flat --profile 9999,0 --out p.csv
expect 3 'E,N\[,NAME\]' 'a profile of one number' $flat --profile 5 --out p.csv
expect 2 '--profile needs --out FILE.csv' 'a profile into nothing' $flat --profile 0,0 --out p.raw
"$foehn" wind --quality low --steps 2 --quiet --profile 0,0 --out q.csv
check 'a profile in time is a row a height and step' sh -c 'test $(grep -c ,profile1, q.csv) -eq $((2 * $(grep -c "^$(tail -n 1 q.csv | cut -d, -f1)," q.csv)))'
check 'and has no k where there is no closure' sh -c '! grep -q k_m2_s2 q.csv'
rm -f ./*.csv

# ---- bands ----
expect 2 '--band k: the forcing model has none' 'k of a model without' wind --band k --out a.asc
expect 2 '--band needs --out FILE.tif or FILE.asc' 'bands of nothing' $flat --band k --out a.raw
expect 3 'no such name: give eastward' 'a band of no name' $flat --band speed,gusts --out a.asc
expect 3 'k is there twice' 'a band twice' $flat --band k,k --out a.asc
"$foehn" $flat --band ustar,k,stress,separated,inflow-angle --out a.asc
check 'the first band has the name' test -f a.asc
middle() { awk 'NR == 16 { print $12 }' "$1"; }
near 'friction velocity' "$(middle a.asc)" 0.68811 0.01
near 'k' "$(middle a-k.asc)" 2.7337 0.01
near 'stress on the ground' "$(middle a-stress.asc)" "$(awk 'BEGIN { print 1.225 * 0.68811 ^ 2 }')" 0.02
# Away from the corner where an inflow side meets an outflow side.
check 'no inflow angle over a plain' awk 'NR > 6 && NR < 19 { for (i = 1; i <= 20; i++) if ($i > 0.02 || $i < -0.02) exit 1 }' a-inflow-angle.asc
check 'nothing has separated' awk 'NR > 6 { for (i = 1; i <= NF; i++) if ($i != 0) exit 1 }' a-separated.asc
rm -f ./*.asc

# ---- NetCDF, VTKHDF, GeoTIFF, over a ridge across the wind ----
if built nc && command -v ncdump > /dev/null; then
    "$foehn" $flat --out a.nc
    ncdump -h a.nc > dump.log
    has() { if grep -q -e "$2" dump.log; then pass "$1"; else flunk "$1" "no '$2'"; fi; }
    has 'k in cells' 'turbulent_kinetic_energy(time, z, y, x)'
    has 'by its CF name' 'turbulent_kinetic_energy:standard_name = "specific_turbulent_kinetic_energy_of_air"'
    has 'eddy viscosity' 'eddy_viscosity:standard_name = "atmosphere_momentum_diffusivity"'
    has 'friction velocity' 'friction_velocity:units = "m s-1"'
    has 'stress' 'surface_downward_eastward_stress:units = "Pa"'
    has 'what turbulence intensity is' 'turbulence_intensity:long_name = "sqrt(2 k / 3) over the speed"'
    has 'the model' ':model = "momentum, k-eps"'
    has 'that it settled' ':convergence = "settled, drift'
    check 'nothing of gusts' sh -c '! grep -q "gustiness\|seed" dump.log'
    first() { ncdump -v "$1" -p 9 a.nc | tr -d '\n' | sed "s/.* $1 = *\([-0-9.e]*\).*/\1/"; }
    near 'stress towards east' "$(first surface_downward_eastward_stress)" \
        "$(awk 'BEGIN { print 1.225 * 0.68811 ^ 2 * sin(60 / 57.29578) }')" 0.02
    near 'and north' "$(first surface_downward_northward_stress)" \
        "$(awk 'BEGIN { print 1.225 * 0.68811 ^ 2 * cos(60 / 57.29578) }')" 0.02
    rm -f a.nc
fi
if built tif && command -v gdalinfo > /dev/null; then
    awk 'BEGIN { print "ncols 40\nnrows 24\nxllcorner 0\nyllcorner 0\ncellsize 20"
        for (j = 0; j < 24; j++) { for (i = 0; i < 40; i++) printf "%g ", (i > 12 && i < 16) ? 60 : 0; print "" } }' > ridge.txt
    cat > ridge.vrt <<'END'
<VRTDataset rasterXSize="40" rasterYSize="24"><SRS>EPSG:32630</SRS><GeoTransform>500000, 20, 0, 4000000, 0, -20</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">ridge.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
END
    "$foehn" $wind --terrain ridge.vrt --spacing 20x10 --steps 150 --from 270 --band separated,near-ground,ustar,k,ti \
        --out r.tif --out r.asc --stats r.json 2> err.log
    gdalinfo r.tif > dump.log
    has() { if grep -q -e "$2" dump.log; then pass "$1"; else flunk "$1" "no '$2'"; fi; }
    has 'bands say what they are' 'Description = turbulent kinetic energy 10 m above ground'
    has 'in what unit' 'Unit Type: m2/s2'
    has 'on the ground there is no height' 'Description = friction velocity of the ground$'
    check 'behind the ridge it has separated, before it has not' awk 'NR == 18 {
        for (i = 1; i <= 11; i++) if ($i != 0) exit 1
        for (i = 17; i <= 20; i++) n += $i
        exit n < 3 }' r.asc
    check 'where the wind near the ground is negative' awk 'NR == 18 {
        getline other < "r-near-ground.asc"; for (i = 2; i <= 18; i++) getline other < "r-near-ground.asc"
        split(other, near); for (i = 1; i <= NF; i++) if ((near[i] < 0) != ($i == 1)) exit 1 }' r.asc
    check 'a run that was cut short says so' grep -q 'on its way to rest' err.log
    check 'in its statistics, too' grep -q '"converged": false' r.json
    rm -f r.* r-*.asc r-*.prj ridge.txt ridge.vrt
fi

# ---- checkpoints ----
if "$foehn" $flat --steps 10 --checkpoint c.h5 2> err.log; then
    "$foehn" $flat --out whole.raw --stats whole.json
    "$foehn" $flat --resume c.h5 --out parts.raw --stats parts.json
    check 'a resumed run is the same, bit for bit' cmp whole.raw parts.raw
    same() { grep -o "\"$1\": [^,]*" whole.json > w.log; grep -o "\"$1\": [^,]*" parts.json | cmp - w.log; }
    check 'it settles at the same step' same steps
    check 'with the same drift' same drift
    expect 0 '' 'a checkpoint of what has settled' $flat --checkpoint c.h5 --out whole.raw
    expect 0 '' 'gives its results again' $flat --resume c.h5 --out parts.raw
    check 'the same ones' cmp whole.raw parts.raw
    expect 3 'momentum, k-eps, not momentum, k-length' 'a checkpoint of another closure is refused' $flat --closure k-length --resume c.h5
    expect 0 '' 'checkpoints while it settles' $flat --checkpoint c.h5 --checkpoint-every 20
    rm -f c.h5 whole.* parts.*
fi
expect 2 'leave out --duration' 'no duration to rest' $flat --duration 5
rm -f s.json
nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
