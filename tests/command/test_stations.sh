#!/bin/sh
# SPDX-License-Identifier: MIT
# Winds measured at stations: an inlet fitted to them, what is spread between them, and files that are wrong.  The
# stations are twins: what foehn itself finds over a hill for an inlet that is known.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

awk 'BEGIN { n = 60; print "ncols " n "\nnrows " n "\nxllcorner 0\nyllcorner 0\ncellsize 1"
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
        x = (i + 0.5) / n - 0.5; y = (j + 0.5) / n - 0.5
        printf "%s%s", 100 + 120 * exp(-(x * x + 2 * y * y) * 60), i < n - 1 ? " " : "\n" } }' > hill.txt
cat > hill.vrt <<'END'
<VRTDataset rasterXSize="60" rasterYSize="60"><SRS>EPSG:32611</SRS><GeoTransform>450000, 50, 0, 5140000, 0, -50</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">hill.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
END
hill='wind --terrain hill.vrt --model consistent --spacing 100x25'
said() { if grep -q -e "$2" out.log err.log; then pass "$1"; else flunk "$1" "$(cat out.log err.log)"; fi; }
stations() { printf '%s\n' "$@" > s.csv; }
bad() { # bad PATTERN NAME LINES...
    pattern=$1 about=$2; shift 2
    stations "$@"
    expect 3 "$pattern" "$about" $hill --stations s.csv
}

# ---- what is wrong in the file ----
head='name,easting,northing,height,speed,direction'
bad 'has no rows under its names' 'a file of names alone' "$head"; rm -f s.csv
expect 3 'No such file' 'a file that is not there' $hill --stations s.csv
expect 2 'needs --model' 'stations need a mean wind' wind --terrain hill.vrt --stations s.csv
expect 2 '--time needs' 'a moment needs stations' $hill --time 2026-11-30T12:00
expect 2 'exclude each other' 'all directions and stations' $hill --sectors 12 --stations s.csv
expect 2 '--fit-only needs' 'so does a fit' $hill --fit-only
stations "$head" a,451000,5139000,10,5,270
expect 3 'not a moment' 'a moment is ISO 8601' $hill --stations s.csv --time noon
expect 3 'has no column time' 'a moment of a file without' $hill --stations s.csv --time 2026-11-30T12:00
bad 's.csv:2: speed is .x., not a number' 'a speed that is none' "$head" a,451000,5139000,10,x,270
bad 's.csv:2: wind speed .km/h. is 3000: give 0 to 720' 'a speed out of range in another unit' 'Station;Easting;Northing;Height above ground [m];Wind speed [km/h]' 'a;451000,5;5139000;10;3000'
tabs=$(echo "$head" | tr , '\t')
bad 's.csv:2: speed is 300' 'tabs before the names' "$(printf '\t%s' "$tabs")" "$(printf '0\ta\t451000\t5139000\t10\t300\t270')"
bad 's.csv:2: speed is 300' 'tabs after them' "$(printf '%s\t' "$tabs")" "$(printf 'a\t451000\t5139000\t10\t300\t270\t')"
bad 's.csv: no station has a speed' 'stations that measured nothing' "$head" a,451000,5139000,10,-999,270 b,451000,5138000,10,N/A, c,452000,5138000,10,,
bad 's.csv:2: speed is 300: give 0 to 200 m/s' 'a speed out of range' "$head" a,451000,5139000,10,300,270
bad 's.csv:2: height is 0: give 0.1 to 1000 m' 'a height out of range' "$head" a,451000,5139000,0,5,270
bad 's.csv:2: easting is nan' 'a place that is no number' "$head" a,nan,5139000,10,5,270
bad 's.csv:2: height is -3' 'a height under the ground' "$head" a,451000,5139000,-3,5,270
bad 's.csv:2: weight is -1' 'a weight below nothing' "$head,weight" a,451000,5139000,10,5,270,-1
bad 's.csv:2: direction is 999' 'a direction beyond all' "$head" a,451000,5139000,10,5,999
bad 's.csv:2: 3 values, but the row of names (line 1) has 6' 'a row too short' "$head" a,451000,5139000
bad 's.csv:2: a station without a name' 'a station without a name' "$head" ,451000,5139000,10,5,270
bad 's.csv:3: station b stands where a of line 2 does' 'two stations in one place' "$head" a,451000,5139000,10,5,270 b,451000,5139000,10,6,270
bad "column 'speed_furlongs': its unit is not known" 'a unit that is none' name,easting,northing,height,speed_furlongs a,451000,5139000,10,5
bad 's.csv:2: longitude 200, latitude 95' 'degrees beyond the Earth' name,lon,lat,height,speed a,200,95,10,5
: > s.csv; expect 3 'has no text' 'an empty file' $hill --stations s.csv
bad 'no column is named height' 'a column that is missing' name,easting,northing,speed a,451000,5139000,5
bad 'do not go together' 'latitudes with eastings' name,easting,lat,height,speed a,451000,46,10,5
bad "columns 'speed' and 'speed_kn' are of one kind" 'two speeds' name,easting,northing,height,speed,speed_kn a,1,1,10,5,10
bad 'station mast lies\|station mast at .* lies outside the box\|without GDAL' 'a station outside' "$head" mast,1,2,10,5,270
bad 'no station has a direction: give' 'no direction at all' name,easting,northing,height,speed a,451000,5139000,10,5
bad 'no station has a speed' 'nothing was measured' "$head" a,451000,5139000,10,,270
bad 'holds times from 2026-11-30T12:00:00Z to 2026-11-30T13:00:00Z: say which' 'several times' "$head,time" \
    a,451000,5139000,10,5,270,2026-11-30T12:00 a,451000,5139000,10,5,270,2026-11-30T13:00Z
expect 3 'has no row of --time 2026-11-30T11:00:00Z' 'a time that is not there' $hill --stations s.csv --time 2026-11-30T11:00
bad "time is '12:00'" 'a time that is none' "$head,time" a,451000,5139000,10,5,270,12:00
nothing() { rm -f s.csv hill.txt hill.vrt twin.csv s.json; }

if "$foehn" $hill --top 0 2>&1 | grep -q 'without GDAL'; then
    nothing; echo "$checks checks, $failures failed; no GDAL for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi
if ! "$foehn" devices > /dev/null 2>&1; then
    nothing; echo "$checks checks, $failures failed; no device for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi

# ---- twins ----
places='451500,5138500,10,top 451450,5138600,10,top2 451560,5138440,10,top3 450800,5138900,10,west 452200,5138200,20,east 451400,5137800,10,south 451700,5139300,40,north'
probes=
for place in $places; do probes="$probes --probe $place"; done
check 'a wind that is known' "$foehn" $hill --u10 12.3 --from 243 $probes --out twin.csv
awk -F, '/^#/ || /^time_s/ { next }
    !head++ { print "name,easting,northing,height_ft,speed_kn,direction_deg" }
    { printf "%s,%s,%s,%.6f,%.6f,%s\n", $2, $3, $4, $5 / 0.3048, $9 * 3600 / 1852, $10 }' twin.csv > s.csv
field() { sed -n "s/^ *\"$1\": \([-0-9.e]*\),*/\1/p" s.json | head -1; }
near() { # near NAME VALUE WANTED MOST
    if awk -v a="$2" -v b="$3" -v m="$4" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= m * m) }'; then pass "$1: $2"
    else flunk "$1" "$2 instead of $3 +- $4" "$(head -c 800 s.csv)"; fi
}
# Directions 10 degrees off on either side: what is solved must go on to where the best lies.
for guess in '' '--u10 8 --from 255' '--from 215'; do
    check "the fit begins ${guess:-with the stations alone}" "$foehn" $hill --stations s.csv $guess --stats s.json --fit-only
    sed -n '/"stations"/,/"list"/p' s.json > part.json; mv part.json s.json
    near 'speed of the inlet' "$(field u10)" 12.3 0.03
    near 'direction of the inlet' "$(field from)" 243 0.3
done
# One station reads too much: no other says so, and left out each is found no worse than by the inlet alone.
rms() { sed -n "/\"$1\": {/,/}/s/^ *\"rms\": \([-0-9.e]*\),*/\1/p" part.json | head -1; }
awk -F, -v OFS=, '/^top,/ { $5 *= 1.25 } 1' s.csv > one.csv
check 'a station that reads otherwise' "$foehn" $hill --stations one.csv --u10 12.3 --from 243 --stats s.json
sed -n '/"stations"/,/"list"/p' s.json > part.json
if awk -v b="$(rms before)" -v f="$(rms left_out)" -v a="$(rms adjusted_left_out)" 'BEGIN { exit !(b > 0.1 && f > 0 && (a == "" ? f : a) <= b * 1.0000001) }'; then
    pass "is not believed by itself: left out $(rms left_out) $(rms adjusted_left_out), $(rms before) before"
else flunk 'is not believed by itself' "$(cat part.json)"; fi
rm -f one.csv
# Three near to each other do: that is spread.
awk -F, -v OFS=, '/^top/ { $5 *= 1.25 } 1' s.csv > off.csv && mv off.csv s.csv
check 'stations that read otherwise' "$foehn" $hill --stations s.csv --stats s.json --out twin.csv --probe 451500,5138500,10,top
sed -n '/"stations"/,/"list"/p' s.json > part.json
if awk -v f="$(rms fitted)" -v a="$(rms adjusted)" 'BEGIN { exit !(f > 0.2 && a < 0.35 * f) }'; then
    pass "the adjusted field is nearer to all: $(rms fitted) m/s, then $(rms adjusted)"
else flunk 'the adjusted field is nearer' "$(cat part.json)"; fi
# A direction is none of the numbers that stand for a missing speed.
stations "$head" a,451500,5138500,10,7,-99
expect 0 '' 'a direction of -99 degrees' $hill --stations s.csv --fit-only --stats s.json
check 'is 261' grep -q '"from_before": 261,' s.json
# Without directions, and in longitude and latitude.
stations name,lon,lat,height,speed a,-117.6344,46.4034,10,7 b,-117.6300,46.3990,10,6.5
expect 0 '' 'cups in longitude and latitude, from a direction that is given' $hill --stations s.csv --from 200
said 'one direction is solved' 'from 200.0 degrees fits best .* 1 direction solved'
rm -f part.json off.csv; nothing
nothing_left 'nothing is left behind'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
