#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn wind --sectors: each direction is that of a run of its own; NetCDF, maps, a picture; wind atlas files from a
# mast's climate; what is refused.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

flat='wind --model consistent --cells 12x8x12 --spacing 50x10 --quiet'
"$foehn" $flat --sectors 4 --stats s.json 2> err.log || { cat err.log; exit 77; }
if "$foehn" wind --terrain "$data/bell.tif" --top 0 2>&1 | grep -q 'without GDAL'; then
    echo 'no GDAL in this build: directions over terrain are not tested'; exit 77
fi
# near NAME VALUE WANTED SHARE
near() { check "$1" awk -v a="$2" -v b="$3" -v by="$4" 'BEGIN { d = a / b - 1; exit !(a != "" && d < by && -d < by) }'; }
# of KEY DIRECTION: a number of a direction in s.json
of() { awk -v key="\"$1\":" -v from="$2," '$1 == "\"from\":" { here = $2 == from } here && $1 == key { sub(",", "", $2); print $2 }' s.json; }

# ---- a hill ----
command -v gdalinfo > /dev/null || { echo 'no gdalinfo (gdal-bin): directions over terrain are not tested'; exit 77; }
mast=283500,4882000,20 ground="--terrain $data/bell.tif --u10 8 --quiet --height 20"

"$foehn" wind $ground --model consistent --cells 24x16x20 --sectors 12 --reference $mast --stats s.json --out c.nc --height 60 \
    --every-sector 'c-%03d.tif' --out c.png 2> err.log || cat err.log
check 'consistent: a map a direction' sh -c 'test $(ls c-*.tif | wc -l) -eq 12 && test -f c-000.tif -a -f c-330.tif'
for from in 0 210; do
    "$foehn" wind $ground --model consistent --cells 24x16x20 --from $from --probe $mast --out p.csv --out one.tif
    near "consistent: from $from the mast has the wind of a run of its own" "$(of reference_speed $from)" \
        "$(awk -F, '/probe1/ { print $9 }' p.csv)" 0.002
done
check 'and so has the map' sh -c 'gdalinfo -stats c-210.tif > a.log; gdalinfo -stats one.tif > b.log
    awk "/STATISTICS_MEAN/ { split(\$1, v, \"=\"); print v[2] }" a.log b.log | awk "{ v[NR] = \$1 } END { d = v[1] / v[3] - 1; exit !(NR == 4 && d < 0.002 && -d < 0.002) }"'
check 'a picture' test -s c.png
rm -f c-* one.tif*

# ---- globes ----
"$foehn" wind $ground --model consistent --cells 24x16x20 --sectors 2 --every-sector 'k-%03d.kmz' 2> err.log || cat err.log
if command -v ogrinfo > /dev/null; then
    ogrinfo -q -al k-180.kmz > k.log 2>&1
    check 'a .kmz has an arrow a cell' test "$(grep -c LINESTRING k.log)" -eq 480
    check 'which says speed and direction' grep -q 'Name (String) = [0-9.]* m/s from 1[78][0-9]' k.log
    check 'where the hill lies' sh -c 'grep LINESTRING k.log | sed "s/.*(//; s/[ ,].*//" | awk "{ if (\$1 < -113.8 || \$1 > -113.6) exit 1 }"'
fi
expect 2 'give --origin LAT,LON' 'a globe of nowhere' $flat --out k.kmz
rm -f k*

"$foehn" wind $ground --model momentum --cells 24x16x20 --sectors 24 --reference $mast --stats s.json --out m.nc --height 60 2> err.log || cat err.log
for from in 45 285; do
    "$foehn" wind $ground --model momentum --cells 24x16x20 --from $from --probe $mast --out p.csv
    near "momentum: from $from the mast has the wind of a run of its own" "$(of reference_speed $from)" \
        "$(awk -F, '/probe1/ { print $9 }' p.csv)" 0.01
done
rm -f p.csv
if command -v ncdump > /dev/null; then
    ncdump -h m.nc > dump.log
    has() { if grep -q -e "$2" dump.log; then pass "$1"; else flunk "$1" "no '$2'"; fi; }
    has 'a dimension of directions' 'direction = 24 ;'
    has 'one of heights' 'height = 2 ;'
    has 'speed-up, with its dimensions' 'float speedup_reference(direction, height, y, x)'
    has 'shear' 'float shear_exponent(direction, y, x)'
    has 'intensity of the closure' 'turbulence_intensity:long_name = "sqrt(2 k / 3) over the speed"'
    has 'inflow angle' 'inflow_angle:units = "degree"'
    has 'turning' 'float turning(direction, height, y, x)'
    has 'the ground of each direction' 'surface_altitude(direction, y, x)'
    has 'where the grid lies' 'wind_speed:grid_mapping'
    if grep -q 'input_wind_from' dump.log; then flunk 'no one direction is told'; else pass 'no one direction is told'; fi
    ncdump -h c.nc > dump.log
    if grep -q turbulence_intensity dump.log; then flunk 'mass consistency has no turbulence'; else pass 'mass consistency has no turbulence'; fi
fi
rm -f c.nc c.png m.nc

# ---- wind atlas files: over flat ground they have the mast's climate ----
printf 'sector,f,A,k\n0,0.1,6.1,1.8\n90,0.2,7.25,2.05\n180,0.3,8.4,2.31\n270,0.4,9.55,2.6\n' > four.csv
"$foehn" $flat --climate four.csv --reference 10,20,10 --out a.wrg --out a.rsf --height 10 --height 40
check 'a .wrg begins with its grid' sh -c 'head -n 1 a.wrg | grep -q "^12 12 -275 -275 50$"'
check 'and has a line a point of one height' sh -c 'test $(wc -l < a.wrg) -eq 145'
check 'a .rsf has all heights' sh -c 'test $(wc -l < a.rsf) -eq 288'
check 'widths 10 10 10 8 5 5 6 15 3, then 4 4 5 a sector' awk 'NR > 1 && length($0) != 72 + 4 * 13 { exit 1 }' a.wrg
# Sector by sector: f, A and k as they were given, in every line; the sum has the mean and the mean cube.
check 'flat ground: the climate of the mast everywhere' awk 'NR > 1 {
    for (d = 0; d < 4; d++) { f = substr($0, 73 + 13 * d, 4) + 0; a = substr($0, 77 + 13 * d, 4) + 0; k = substr($0, 81 + 13 * d, 5) + 0
        if (f != 100 * (d + 1) || a < 61 + 11.5 * d - 1 || a > 61 + 11.5 * d + 1 || k < 100 * (1.8 + d * 0.26) - 3 || k > 100 * (1.8 + d * 0.28) + 3) exit 1 } }' a.wrg
near 'its power' "$(awk 'NR == 2 { print substr($0, 55, 15) }' a.wrg)" 437.8 0.01
near 'its A' "$(awk 'NR == 2 { print substr($0, 44, 5) }' a.wrg)" 8.42 0.01

# A .tab of the same Weibull in each sector: A 8, k 2, in bins of 1 m/s.
awk 'BEGIN { print "made up\n57.0 -7.0 10.0\n4 1.0 0.0\n25 25 25 25"
    for (u = 1; u <= 30; u++) { p = 1000 * (exp(-((u - 1) / 8) ^ 2) - exp(-(u / 8) ^ 2)); printf "%d %.3f %.3f %.3f %.3f\n", u, p, p, p, p } }' > four.tab
"$foehn" $flat --climate four.tab --reference 10,20,10 --out t.wrg
near 'a .tab: A is found from its bins' "$(awk 'NR == 2 { print substr($0, 44, 5) }' t.wrg)" 8 0.01
near 'and k' "$(awk 'NR == 2 { print substr($0, 49, 6) }' t.wrg)" 2 0.02

sed 10d four.tab > short.tab
expect 0 'short.tab: sector 1: its speeds blow 893.15 of its time, .* is a row missing' 'a .tab that lacks a row is told' $flat --climate short.tab --reference 10,20,10 --out t.wrg
rm -f short.tab

# Over the hill the mast keeps its own climate: the cell it stands in the middle of.
at=$(awk -v m="$mast" 'BEGIN { split(m, v, ","); print v[1], v[2] }')
printf 'sector,f,A,k\n' > twelve.csv
for d in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "$((30 * d)),$(awk "BEGIN { print ($d + 1) / 78 }"),$((6 + d % 3)).5,2.$((d % 4))" >> twelve.csv; done
"$foehn" wind $ground --model consistent --cells 24x16x20 --climate twelve.csv --reference $mast --out h.rsf 2> err.log || cat err.log
check 'the nearest point has nearly the climate of the mast' awk -v at="$at" 'BEGIN { split(at, m) }
    { d = (substr($0, 11, 10) - m[1]) ^ 2 + (substr($0, 21, 10) - m[2]) ^ 2; if (NR == 1 || d < least) { least = d; line = $0 } }
    END { whole = 0; for (d = 0; d < 12; d++) { f = substr(line, 73 + 13 * d, 4); whole += f; if ((f - 1000 * (d + 1) / 78) ^ 2 > 400) exit 1 } exit whole != 1000 }' h.rsf
# What cannot be carried is told: a mast among trees, points that do not fit the columns.
gdal_translate -q -ot Byte -scale 0 10000 1 1 "$data/bell.tif" trees.tif
printf 'class;z0;displacement\n1;1,0;18\n' > trees.csv
"$foehn" wind $ground --model consistent --cells 24x16x20 --climate twelve.csv --reference $mast --roughness trees.tif --roughness-table trees.csv --out t.wrg 2> err.log
check 'a mast that hardly has wind is told by direction' grep -q 'from 330 degrees the mast has 0\.[12][0-9]* of the undisturbed wind: .*times [3-9]' err.log
"$foehn" wind $ground --model consistent --spacing 100x20 --window 282000.12345,4880400,285000.12345,4883000 --climate twelve.csv --reference $mast --out t.wrg 2> err.log
check 'points off whole metres are told with the way out' grep -q 't.wrg: points 100 m apart .* give a --window that begins at whole metres' err.log
rm -f trees.*
rm -f ./*.wrg ./*.rsf

# ---- air that is not neutral: over flat ground nothing speeds up ----
"$foehn" $flat --obukhov 100 --sectors 4 --reference 0,0,40 --stats s.json 2> err.log || cat err.log
near 'stable air over flat ground is the undisturbed wind' "$(of reference_speedup 90)" 1 0.002
"$foehn" wind --model momentum --cells 12x8x12 --spacing 50x10 --quiet --obukhov 100 --sectors 2 --reference 0,0,35 --stats s.json 2> err.log || cat err.log
near 'and by the momentum model' "$(of reference_speedup 180)" 1 0.0001

# ---- what is refused ----
nothing() { nothing_left "$1"; }
rm -f s.json
expect 2 'needs --model consistent or --model momentum' 'the forcing model' wind --sectors 12 --quiet
expect 2 'leave out --from: the directions go round' 'a direction beside all' $flat --sectors 4 --from 20 --out a.nc
expect 3 'give 1 to 360' 'too many directions' $flat --sectors 400 --out a.nc
expect 2 'needs --climate FILE.tab' 'an atlas of no climate' $flat --sectors 4 --reference 0,0,10 --out a.wrg
expect 2 'needs --reference' 'a climate of no place' $flat --climate four.csv --out a.wrg
expect 3 'outside the box' 'a mast outside' $flat --climate four.csv --reference 9999,0,10 --out a.wrg
expect 3 'four.tab is of a mast of 10 m' 'a mast of another height' $flat --climate four.tab --reference 0,0,50 --out a.wrg
expect 3 'leave out --sectors' 'another number of sectors' $flat --sectors 12 --climate four.csv --reference 0,0,10 --out a.wrg
expect 2 'there are .nc, .png, .wrg and .rsf' 'a format of one direction' $flat --sectors 4 --out a.vtkhdf
expect 2 'give a name with %03d' 'maps under one name' $flat --sectors 4 --every-sector a.tif
expect 2 'give a name with %03d' 'a pattern of another kind' $flat --sectors 4 --every-sector 'a-%s.tif'
expect 2 'maps are .tif' 'maps in a format of boxes' $flat --sectors 4 --every-sector 'a-%03d.vtkhdf'
expect 2 'needs --sectors N' 'maps a direction of one direction' $flat --every-sector 'a-%03d.tif'
expect 2 'more than one needs --sectors' 'two heights of one direction' $flat --height 10 --height 20
expect 2 'given twice' 'a height twice' $flat --sectors 4 --height 10 --height 10
expect 2 'unknown extension' 'a climate in a strange file' $flat --climate four.txt --reference 0,0,10 --out a.wrg
printf 'sector,f,A,k\n0,1,6,2\n80,1,6,2\n' > bad.csv
expect 3 'bad.csv:3: a sector around 80 degrees' 'sectors that do not go round' $flat --climate bad.csv --reference 0,0,10 --out a.wrg
printf 'sector,f,A\n0,1,6\n' > bad.csv
expect 3 "no column 'k'" 'a table without k' $flat --climate bad.csv --reference 0,0,10 --out a.wrg
printf 'sector,f,A,k\n0,1,6,200\n' > bad.csv
expect 3 'bad.csv:2' 'a shape that is none' $flat --climate bad.csv --reference 0,0,10 --out a.wrg
# table PATTERN NAME LINE...: a .csv that is refused
table() {
    pattern=$1 about=$2; shift 2
    printf '%s\n' sector,f,A,k "$@" > bad.csv
    expect 3 "$pattern" "$about" $flat --climate bad.csv --reference 0,0,10 --out a.wrg
}
table 'bad.csv:1: the shares of 2 sectors add up to 0.9: give' 'shares that are not the whole' 0,0.5,8,2 180,0.4,8,2
table 'bad.csv:2: f is -1' 'a share below nothing' 0,-1,8,2 180,2,8,2
table 'bad.csv:1: no sector ever blows' 'a calm' 0,0,8,2 180,0,8,2
table 'bad.csv:2: a is -8: give 0 to 60 m/s' 'a Weibull scale below nothing' 0,.5,-8,2 180,.5,8,2
table 'bad.csv:2: A is 0 m/s in a sector that blows' 'a scale of nothing' 0,.5,0,2 180,.5,8,2
table 'bad.csv:3: k is nan' 'a shape that is no number' 0,.5,8,2 180,.5,8,nan
table "bad.csv:2: a is 'eight', not a number" 'a word for a scale' 0,.5,eight,2 180,.5,8,2
table 'bad.csv:3: a sector around 0 degrees, where that around 180' 'a sector twice' 0,.5,8,2 0,.5,8,2
: > bad.csv; expect 3 'has no text' 'an empty table' $flat --climate bad.csv --reference 0,0,10 --out a.wrg
# altered PATTERN NAME SCRIPT: four.tab through sed, refused
altered() {
    sed "$3" four.tab > bad.tab
    expect 3 "$1" "$2" $flat --climate bad.tab --reference 0,0,10 --out a.wrg
}
altered 'bad.tab:3: 0 sectors: 1 to 360' 'no sectors' 's/^4 1.0 0.0/0 1.0 0/'
altered 'bad.tab:3: 361 sectors: 1 to 360' 'more sectors than degrees' 's/^4 1.0 0.0/361 1.0 0/'
altered 'bad.tab:4: the shares of 4 sectors add up to 60' 'a .tab of a part of the time' 's/^25 25 25 25/15 15 15 15/'
altered 'bad.tab:4: sector 1 blows -25' 'a share below nothing in a .tab' 's/^25 25 25 25/-25 50 50 25/'
altered 'bad.tab:2: a mast at latitude 157' 'a mast nowhere' 's/^57.0/157/'
altered 'bad.tab:2: a mast of 0 m' 'a mast without height' 's/-7.0 10.0/-7.0 0/'
altered 'bad.tab:7: bins end at 1 m/s after 2' 'bins that fall' 's/^3 /1 /'
altered "bad.tab:6: 'nan' where" 'no number in a bin' 's/^2 [^ ]*/2 nan/'
: > bad.tab; expect 3 'ends after line 0' 'an empty .tab' $flat --climate bad.tab --reference 0,0,10 --out a.wrg
expect 3 'out of range: give 1 to 360' 'no directions' $flat --sectors 0 --out a.nc
expect 3 'not a whole number' 'half a direction' $flat --sectors 2.5 --out a.nc
sed 's/^4 1.0 0.0/4 1.0 15/' four.tab > bad.tab
expect 3 'bad.tab:3: an offset of directions of 15' 'sectors that are turned' $flat --climate bad.tab --reference 0,0,10 --out a.wrg
sed 's/^5 .*/5 1 2 3/' four.tab > bad.tab
expect 3 'bad.tab:9: 4 numbers' 'a row too short' $flat --climate bad.tab --reference 0,0,10 --out a.wrg
sed 's/^5 /x /' four.tab > bad.tab
expect 3 "bad.tab:9: 'x' where" 'a word among numbers' $flat --climate bad.tab --reference 0,0,10 --out a.wrg
head -n 4 four.tab > bad.tab
expect 3 'bad.tab: 0 rows' 'a table without speeds' $flat --climate bad.tab --reference 0,0,10 --out a.wrg
expect 3 'no-such.tab' 'a climate that is not there' $flat --climate no-such.tab --reference 0,0,10 --out a.wrg
rm -f ./*.csv ./*.tab

# ---- a stop ----
"$foehn" wind --terrain "$data/bell.tif" --model momentum --cells 48x24x48 --sectors 360 --out a.nc --quiet 2> err.log &
pid=$!; sleep 4; kill -INT $pid; wait $pid; code=$?
check 'a stop is a stop' test $code -eq 130
rm -rf lsan.keep
nothing 'and leaves nothing'

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
