#!/bin/sh
# SPDX-License-Identifier: MIT
# Winds of weather models: NetCDF as ERA5 and WRF write it and GRIB 2, made here by ncgen and gdal_translate, with
# winds that are known.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

awk 'BEGIN { n = 24; print "ncols " n "\nnrows " n "\nxllcorner 0\nyllcorner 0\ncellsize 1"
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "100%s", i < n - 1 ? " " : "\n" }' > flat.txt
# The middle is at 117.637 W, 46.40 N.
cat > flat.vrt <<'END'
<VRTDataset rasterXSize="24" rasterYSize="24"><SRS>EPSG:32611</SRS><GeoTransform>450000, 100, 0, 5140000, 0, -100</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">flat.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
END
run='wind --terrain flat.vrt --model consistent --cells 12x8x12'
said() { if grep -q -e "$2" out.log err.log; then pass "$1"; else flunk "$1" "$(cat out.log err.log)"; fi; }

expect 2 'needs --model' 'a weather model needs a mean wind' wind --terrain flat.vrt --input a.nc
expect 2 'exclude each other' 'and excludes a wind that is given' $run --input a.nc --u10 3
if "$foehn" $run --input none.nc 2>&1 | grep -q 'without GDAL'; then
    echo 'no GDAL in this build: weather is not tested'; exit 77
fi
expect 3 'No such file' 'a file that is not there' $run --input none.nc
echo nothing > a.nc
expect 3 'cannot be read' 'a file that is none' $run --input a.nc
expect 3 'no place on the Earth' 'flat ground without a place' wind --model consistent --input a.nc
command -v ncgen > /dev/null || { rm -f a.nc flat.*; echo "$checks checks, $failures failed; no ncgen (netcdf-bin) for the others"; exit 77; }
if ! "$foehn" devices > /dev/null 2>&1; then device=no; else device=yes; fi
ends() { # ends STATUS PATTERN NAME ARGUMENTS...: what needs a device is left out without one
    [ $device = yes ] || [ "$1" -ne 0 ] || return 0
    expect "$@"
}

# ---- ERA5: longitude and latitude, packed, two times; u10 grows towards the east, v10 is 5 m/s ----
era5() { # era5 NAME SECOND: variables of a 10 m wind, the second named so
    cat > era5.cdl <<END
netcdf era5 {
dimensions: valid_time = 2 ; latitude = 5 ; longitude = 5 ;
variables:
    int64 valid_time(valid_time) ; valid_time:units = "seconds since 1970-01-01" ; valid_time:calendar = "proleptic_gregorian" ;
    double latitude(latitude) ; latitude:units = "degrees_north" ; latitude:standard_name = "latitude" ;
    double longitude(longitude) ; longitude:units = "degrees_east" ; longitude:standard_name = "longitude" ;
    short u10(valid_time, latitude, longitude) ; u10:units = "m s**-1" ; u10:scale_factor = 0.5 ; u10:add_offset = 1. ; u10:_FillValue = -32767s ;
    short $2(valid_time, latitude, longitude) ; $2:units = "$3" ; $2:_FillValue = -32767s ;
data: valid_time = 1796040000, 1796047200 ; latitude = 47, 46.75, 46.5, 46.25, 46 ; longitude = -118, -117.75, -117.5, -117.25, -117 ;
    u10 = $(awk 'BEGIN { for (t = 0; t < 2; t++) for (j = 0; j < 5; j++) for (i = 0; i < 5; i++) printf "%s%d", s++ ? ", " : "", 2 * i + 8 * t }') ;
    $2 = $(awk -v hole="${4:-5}" 'BEGIN { for (n = 0; n < 50; n++) printf "%s%s", n ? ", " : "", n == 11 ? hole : 5 }') ;
}
END
    ncgen -k nc4 -o "$1" era5.cdl
}
era5 e.nc v10 'm s**-1'
expect 3 'holds times from 2026-11-30T12:00:00Z to 2026-11-30T14:00:00Z: say which' 'several times: which is to be said' $run --input e.nc
expect 3 'lies outside of its times' 'a time beyond' $run --input e.nc --time 2026-11-30T14:01
# At 117.637 W u10 is 1 + (118 - 117.637) / 0.25 = 2.452 m/s at first, and 4 more two hours later.
ends 0 '' 'a time between' $run --input e.nc --time 2026-11-30T13:00
[ $device = no ] || said 'is interpolated' '12:00:00Z and 2026-11-30T14:00:00Z interpolated'
wind() { sed -n 's/^Wind *\([0-9.]*\) m\/s at 10 m from \([0-9.]*\) deg.*/\1 \2/p' out.log; }
near() { # near NAME EAST NORTH: the wind that was told
    [ $device = yes ] || return 0
    if wind | awk -v e="$2" -v n="$3" '{ pi = atan2(0, -1); u = -$1 * sin($2 * pi / 180); v = -$1 * cos($2 * pi / 180); found = 1
        exit !((u - e) ^ 2 + (v - n) ^ 2 < 0.0009) } END { if (!found) exit 1 }'; then pass "$1"
    else flunk "$1" "$(wind) instead of $2 $3 m/s" "$(cat out.log)"; fi
}
near 'in time and space' 4.452 5
ends 0 '' 'a time that is there' $run --input e.nc --time 2026-11-30T14:00Z
near 'is taken' 6.452 5
ends 0 '' 'the momentum model takes the mean over the sides' wind --terrain flat.vrt --model momentum --cells 12x8x12 --input e.nc --time 2026-11-30T12:00
near 'which is this' 2.452 5

# ---- all times: each hour the wind of a run of its own, on a time axis ----
expect 3 'ends before it begins' 'a span that runs back' $run --input e.nc --time 2026-11-30T13/2026-11-30T12
expect 3 'not a moment' 'half a span' $run --input e.nc --time 2026-11-30T12:00/
expect 3 'lies outside of its times, 2026-11-30T12:00:00Z to 2026-11-30T14:00:00Z' 'a span that goes beyond' $run --input e.nc --time 2026-11-30T12:00/2026-11-30T15:00
expect 3 'holds none of its times' 'a span between its times' $run --input e.nc --time 2026-11-30T12:30/2026-11-30T13:30
expect 2 'more than one moment needs a weather' 'a span of stations' $run --stations a.csv --time all
expect 2 'and --steps exclude each other' 'a span of so many steps' wind --terrain flat.vrt --model momentum --input e.nc --time all --steps 10
ends 0 '' 'all times, mass consistent' $run --input e.nc --time all --out all.nc --out all.tif --out all.csv --probe 451200,5138800,10 --stats all.json
ends 0 '' 'the last alone' $run --input e.nc --time 2026-11-30T14:00 --out one.nc
ends 0 '' 'all times by the momentum model' wind --terrain flat.vrt --model momentum --cells 12x8x12 --input e.nc --time 2026-11-30T12:00/2026-11-30T14:00 --out m.nc --stats m.json
cp out.log m.log
if [ $device = yes ]; then
    check 'a map a moment, and none beside them' sh -c 'test -f all-20261130T120000Z.tif && test -f all-20261130T140000Z.tif && test ! -e all.tif'
    check 'probes by moment' sh -c 'test "$(grep -c "^2026-11-30T1[24]:00:00Z,probe1," all.csv)" -eq 2 && grep -q "^time,probe," all.csv'
    check 'moments in --stats' sh -c 'test "$(grep -c "\"time\": \"2026-11-30T1[24]:00:00Z\"" all.json)" -eq 2'
    check 'steps of those that step' sh -c 'sed 1,/moments/d m.json | grep -q "\"steps\": [1-9]" && ! sed 1,/moments/d all.json | grep -q "\"steps\""'
    # values FILE VARIABLE: the numbers of a variable, a line each
    values() { ncdump -v "$2" -p 9,17 "$1" | sed -n "/^data:/,\$ p" | tr -d '\n;}' | sed "s/.* $2 =//" | tr ',' '\n' | awk '{ print $1 }'; }
    check 'the time axis is that of the file' test "$(values all.nc time | tr '\n' ' ')" = '1796040000 1796047200 '
    check 'with what comes in' awk -v e="$(values all.nc inlet_wind_speed | tr '\n' ' ')" 'BEGIN { split(e, v); a = sqrt(2.452 ^ 2 + 25); b = sqrt(6.452 ^ 2 + 25)
        exit !((v[1] - a) ^ 2 < 1e-4 && (v[2] - b) ^ 2 < 1e-4) }'
    values all.nc wind_speed | tail -n 144 > a.txt; values one.nc wind_speed > b.txt
    check 'an hour is what a run of its own finds' sh -c 'test "$(wc -l < b.txt)" -eq 144 && paste a.txt b.txt | awk "{ d = \$1 / \$2 - 1; if (d > 1e-4 || d < -1e-4) exit 1 }"'
    ncdump -h all.nc > dump.log
    if grep -q 'input_wind_from\|date means nothing' dump.log; then flunk 'no one wind is told of all'; else pass 'no one wind is told of all'; fi
    ncdump -h m.nc > dump.log
    check 'each moment of the momentum model has its ground' grep -q 'float surface_altitude(time, y, x)' dump.log
    check 'and stands still' test "$(values m.nc settled | tr '\n' ' ')" = '1 1 '
fi
rm -f all* one.nc m.* steps.txt told.txt a.txt b.txt
era5 h.nc v10 'm s**-1' -32767
expect 3 'its v10 of 2026-11-30T12:00:00Z at column 1, row 2 (-117.75, 46.5) is missing' 'a gap in the box is refused by its place' $run --input h.nc --time 2026-11-30T12:00
era5 w.nc v100 'm s**-1'
expect 3 'towards east (u10) but not towards north (v10); it has v100' 'a missing component' $run --input w.nc --time 2026-11-30T12:00
era5 w.nc v10 'Pa'
expect 3 "v10 is in 'Pa'" 'a wind in pascals' $run --input w.nc --time 2026-11-30T12:00
sed 's/latitude = 47, .*; long/latitude = 57, 56.75, 56.5, 56.25, 56 ; long/' era5.cdl | sed 's/"Pa"/"m s-1"/' > far.cdl && ncgen -k nc4 -o w.nc far.cdl
expect 3 'does not cover the box' 'a file of elsewhere' $run --input w.nc --time 2026-11-30T12:00
sed 's/u10/u/g; s/v10/v/g; s/"Pa"/"m s-1"/' era5.cdl > levels.cdl && ncgen -k nc4 -o w.nc levels.cdl
expect 3 'no wind at 10 m .* it has u, v' 'winds at other levels are named' $run --input w.nc --time 2026-11-30T12:00
sed 's/"Pa"/"m s-1"/; s/proleptic_gregorian/360_day/' era5.cdl > days.cdl && ncgen -k nc4 -o w.nc days.cdl
expect 3 "calendar is '360_day'" 'a calendar of 360 days' $run --input w.nc --time 2026-11-30T12:00

# ---- what files of strangers look like: each read as it is meant, or refused by name ----
# variant SCRIPT: the first file, through sed, as w.nc
era5 e.nc v10 'm s**-1'
variant() { sed "$1" era5.cdl > w.cdl; ncgen -k nc4 -o w.nc w.cdl || flunk "a file by $1"; }
noon='--time 2026-11-30T12:00'
variant 's/longitude = -118, -117.75, -117.5, -117.25, -117/longitude = 242, 242.25, 242.5, 242.75, 243/'
ends 0 '' 'longitudes from 0 to 360' $run --input w.nc $noon
near 'are the same places' 2.452 5
# v10 is 4 m/s in the first row and one more in each: 6.4 at 46.40 N, of which 2.4 are rows of 0.25 degrees from 47.
rows="v10 = $(awk 'BEGIN { for (n = 0; n < 50; n++) printf "%s%d", n ? ", " : "", 4 + int(n / 5) % 5 }') ;"
variant "s/v10 = 5, .* ;/$rows/"
ends 0 '' 'rows from north to south' $run --input w.nc $noon
near 'are told apart' 2.452 6.4
variant "s/v10 = 5, .* ;/$rows/; s/latitude = 47, 46.75, 46.5, 46.25, 46 /latitude = 46, 46.25, 46.5, 46.75, 47 /"
ends 0 '' 'latitudes that rise' $run --input w.nc $noon
near 'are read by their values' 2.452 5.6
variant "s/v10 = 5, .* ;/$rows/; s/latitude = 47, 46.75, 46.5, 46.25, 46 /latitude = 47.03, 46.76, 46.5, 46.26, 46.05 /"
ends 0 '' 'rows of a Gaussian grid' $run --input w.nc $noon
near 'too: 0.1 of 0.24 degrees from the third to the fourth' 2.452 6.417
variant "s/v10 = 5, .* ;/$rows/; s/latitude = 47, 46.75, 46.5, 46.25, 46 /latitude = 46.05, 46.26, 46.5, 46.76, 47.03 /"
ends 0 '' 'such rows from south to north' $run --input w.nc $noon
near 'as well: 0.14 of 0.24 degrees from the second to the third' 2.452 5.583
variant 's/latitude = 47, 46.75, 46.5, 46.25, 46 /latitude = 48, 47, 46.5, 46.3, 46 /'
expect 3 'are not evenly spaced' 'rows at odd latitudes' $run --input w.nc $noon
variant 's/longitude = -118, -117.75, -117.5, -117.25, -117/longitude = -118, -118, -118, -118, -118/'
expect 3 'does not say where it lies' 'columns that are all one meridian' $run --input w.nc $noon
variant 's/latitude = 47, 46.75, 46.5, 46.25, 46 /latitude = NaN, NaN, NaN, NaN, NaN /'
expect 3 'does not say where it lies' 'latitudes that are no numbers' $run --input w.nc $noon
# Forecasts: u10 is 2.452, 6.452, 10.452, 14.452 m/s in bands 1 to 4, of two starts or members of two steps each.
four="s/u10 = 0, .* ;/u10 = $(awk 'BEGIN { for (t = 0; t < 4; t++) for (n = 0; n < 25; n++) printf "%s%d", t + n ? ", " : "", 2 * (n % 5) + 8 * t }') ;/
    s/v10 = 5, .* ;/v10 = $(awk 'BEGIN { for (n = 0; n < 100; n++) printf "%s5", n ? ", " : "" }') ;/"
starts="s/valid_time = 2 ;/time = 2 ; step = 2 ;/; s/int64 valid_time(valid_time) \\(;.*\\)/int64 time(time) \\1 time:standard_name = \"forecast_reference_time\" ; double step(step) ; step:units = \"hours\" ;/
    s/valid_time:/time:/g; s/(valid_time, lat/(time, step, lat/; s/valid_time = 1796040000, 1796047200/time = 1796040000, 1796047200 ; step = 0, 6/"
variant "$four
$starts"
ends 0 '' 'a step of a forecast is added to its start' $run --input w.nc --time 2026-11-30T18:00
near 'as six hours here' 6.452 5
ends 0 '' 'another start' $run --input w.nc --time 2026-11-30T14:00
near 'is another time' 10.452 5
variant "$four
$starts
s/step/prediction_timedelta/g"
ends 0 '' 'steps by another name' $run --input w.nc --time 2026-11-30T18:00
near 'are steps, too' 6.452 5
variant "$four
$starts
s/step:units = \"hours\" ;//"
expect 3 'does not say of which time' 'steps of unknown length' $run --input w.nc --time 2026-11-30T14:00
variant "$four
s/valid_time = 2 ;/step = 2 ; number = 2 ;/; s/valid_time(valid_time)/valid_time(step)/; s/(valid_time, lat/(step, number, lat/"
ends 0 '' 'members of a forecast by step' $run --input w.nc --time 2026-11-30T14:00
near 'have the times of their steps' 10.452 5
variant 's/valid_time = 2 ;/valid_time = 1 ; other = 1 ;/; s/int64 valid_time(valid_time) ;/int64 other(other) ; other:units = "seconds since 1970-01-01" ; &/; s/v10(valid_time/v10(other/
    s/valid_time = 1796040000, 1796047200/valid_time = 1796040000 ; other = 1796043600/'
expect 3 'has u10 of 2026-11-30T12:00:00Z and v10 of 2026-11-30T13:00:00Z' 'components of different times' $run --input w.nc
variant 's/latitude = 5 ;/& lat = 3 ;/; s/double latitude(lat/double lat(lat) ; lat:units = "degrees_north" ; float uas(lat, longitude) ; uas:units = "m s-1" ; &/; s/ latitude = 47/ lat = 47, 46.5, 46 ; uas = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 ;&/'
expect 3 'has winds at 10 m on grids of 5 x 3 and of 5 x 5 cells: take' 'winds on two grids' $run --input w.nc $noon
variant 's/ = 1796040000, 1796047200/ = 1796047200, 1796040000/'
ends 0 '' 'times that run back' $run --input w.nc $noon
near 'are taken by their values' 6.452 5
variant 's/ = 1796040000, 1796047200/ = 1796040000, 1796040000/'
ends 0 '' 'a time that is there twice' $run --input w.nc $noon
[ $device = no ] || { check 'is told' grep -q 'holds 2 winds of 2026-11-30T12:00:00Z: the first' err.log; near 'and the first taken' 2.452 5; }
variant 's/seconds since 1970-01-01/seconds since 1970-01-01 02:00:00.0 +02:00/'
ends 0 '' 'times of another zone' $run --input w.nc $noon
near 'are turned to UTC' 2.452 5
variant 's/seconds since 1970-01-01"/hours since 1-1-1 00:00:0.0"/; s/proleptic_//; s/ = 1796040000, 1796047200/ = 17758836, 17758838/'
ends 0 '' 'times since the year 1, Julian days and all' $run --input w.nc $noon
near 'are those moments' 2.452 5
variant 's/seconds since 1970-01-01/seconds after noon/'
expect 3 "does not say of which time" 'times of no date' $run --input w.nc $noon
variant 's/seconds since/fortnights since/'
expect 3 "'fortnights since 1970-01-01', which is not understood: give" 'times in odd units' $run --input w.nc $noon
variant 's/proleptic_gregorian/noleap/'
expect 3 "calendar is 'noleap': only the Gregorian one is read: bring it" 'years without leap days' $run --input w.nc $noon
variant 's/m s\*\*-1/kts/'
ends 0 '' 'knots' $run --input w.nc $noon
near 'are metres a second here' 1.2614 2.5722
variant 's/u10:units = "[^"]*" ;//'
ends 0 '' 'a wind without units' $run --input w.nc $noon
[ $device = no ] || { check 'is told' grep -q 'its u10 has no units: taken as m/s' err.log; near 'and read as m/s' 2.452 5; }
variant 's/valid_time, latitude, longitude)/valid_time, longitude, latitude)/'
expect 3 "u10 has 'latitude' as its last dimension" 'longitudes before latitudes' $run --input w.nc $noon
variant 's/valid_time = 2 ;/valid_time = 2 ; expver = 2 ;/; s/double latitude(lat/int expver(expver) ; &/; s/short \(.10\)(valid_time, lat/short \1(valid_time, expver, lat/
    s/valid_time = 179/expver = 1, 5 ; &/; s/ = 1796040000, 1796047200 ;/ = 1796040000, 1796043600 ;/; s/\(    .10 = \)\(.*\) ;/\1\2, \2 ;/
    s/v10 = 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5/v10 = 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, _/'
ends 0 '' 'two versions of a reanalysis, the first of which has gaps' $run --input w.nc $noon
near 'give the other' 6.452 5
variant 's/short u10(valid_time, lat/short u10(valid_time, lat/; s/u10/u/g; s/v10/v/g; s/valid_time = 2 ;/valid_time = 1 ; height = 2 ;/; s/double latitude(lat/double height(height) ; height:units = "m" ; &/; s/(valid_time, lat/(valid_time, height, lat/
    s/valid_time = 1796040000, 1796047200/height = 100, 10 ; valid_time = 1796040000/'
ends 0 '' 'levels that go down' $run --input w.nc $noon
near 'that at 10 m is taken' 6.452 5
sed 's/100, 10 ;/1000, 975 ;/; s/height/pressure_level/g; s/"m"/"hPa"/' w.cdl > levels.cdl && ncgen -k nc4 -o w.nc levels.cdl
expect 3 'no wind at 10 m .* it has u at pressure_level = 1000 hPa' 'levels of pressure' $run --input w.nc $noon
cat > w.cdl <<'END'
netcdf round { dimensions: latitude = 3 ; longitude = 4 ;
variables: double latitude(latitude) ; latitude:units = "degrees_north" ; double longitude(longitude) ; longitude:units = "degrees_east" ;
    float u10(latitude, longitude) ; u10:units = "m s-1" ; float v10(latitude, longitude) ; v10:units = "m s-1" ;
data: latitude = 60, 50, 40 ; longitude = 0, 90, 180, 270 ; u10 = 1, 9, 9, 4, 1, 9, 9, 4, 1, 9, 9, 4 ; v10 = 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 ; }
END
ncgen -k nc4 -o w.nc w.cdl
ends 0 '' 'a box west of Greenwich on a globe from 0 to 360' wind --origin 50,-30 --model consistent --cells 12x8x12 --spacing 100x25 --input w.nc
near 'lies between its last column and its first' 2 5

# ---- Lambert's cone with components along the grid: a wind of 10 m/s towards true north ----
# Along a cone with two parallels at 40 N, n = sin 40 = 0.642788; grid north at a longitude l is turned from true
# north by n (l - l0); at 117.637 W, with l0 = 97 W, by 13.265 degrees to the east: a wind towards true north has
# 10 sin(-13.265), 10 cos(-13.265) along it.
cat > lambert.cdl <<'END'
netcdf lambert {
dimensions: y = 4 ; x = 4 ;
variables:
    double x(x) ; x:units = "m" ; x:standard_name = "projection_x_coordinate" ;
    double y(y) ; y:units = "m" ; y:standard_name = "projection_y_coordinate" ;
    int crs ; crs:grid_mapping_name = "lambert_conformal_conic" ; crs:standard_parallel = 40., 40. ; crs:longitude_of_central_meridian = -97. ; crs:latitude_of_projection_origin = 40. ; crs:earth_radius = 6371229. ;
    float ugrd(y, x) ; ugrd:standard_name = "x_wind" ; ugrd:grid_mapping = "crs" ; ugrd:units = "m s-1" ;
    float U10(y, x) ; U10:standard_name = "x_wind" ; U10:grid_mapping = "crs" ; U10:units = "m s-1" ;
    float V10(y, x) ; V10:standard_name = "y_wind" ; V10:grid_mapping = "crs" ; V10:units = "m s-1" ;
data: x = -1700000, -1600000, -1500000, -1400000 ; y = 700000, 800000, 900000, 1000000 ;
    U10 = 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945, 2.2945 ;
    V10 = 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332, 9.7332 ;
}
END
ncgen -k nc4 -o l.nc lambert.cdl
ends 0 '' 'components along a cone' $run --input l.nc
[ $device = no ] || said 'are turned, and it is said' 'along the grid turned to true north'
near 'to true north' 0 10
sed 's/"x_wind"/"eastward_wind"/; s/"y_wind"/"northward_wind"/' lambert.cdl > true.cdl && ncgen -k nc4 -o w.nc true.cdl
ends 0 '' 'components towards true north on the same cone' $run --input w.nc
near 'are as they are' 2.2945 9.7332
sed 's/.*standard_name = "._wind".*grid/&/; s/[UV]10:standard_name = "._wind" ;//' lambert.cdl > none.cdl && ncgen -k nc4 -o w.nc none.cdl
expect 3 'does not say whether it is along the grid' 'components of which nothing is said' $run --input w.nc

# ---- a rotated pole, without longitudes and latitudes of points: 10 + 20 (latitude - 46) m/s towards true north ----
# The origin of the grid is at 55 N 110 W; grid north at a point by a small step along its column.
awk 'function turned(lon, lat,    a, b) {
        a = cos(lat) * cos(lon); b = sin(lat)
        phi = atan2(cos(p) * a + sin(p) * b, sqrt((cos(p) * b - sin(p) * a) ^ 2 + (cos(lat) * sin(lon)) ^ 2))
        lambda = -110 * d + atan2(cos(lat) * sin(lon), sin(p) * a - cos(p) * b) }
    BEGIN { d = atan2(0, -1) / 180; p = 35 * d
        for (n = 0; n < 121; n++) {
            lon = (n % 11 - 10) * d; lat = (int(n / 11) - 12) * d
            turned(lon, lat + 1e-5); north = phi; east = lambda; turned(lon, lat)
            angle = atan2((east - lambda) * cos(phi), north - phi); speed = 10 + 20 * (phi / d - 46); c = n ? ", " : ""
            u = u sprintf("%s%.7f", c, -speed * sin(angle)); v = v sprintf("%s%.7f", c, speed * cos(angle)) }
        for (n = 0; n < 11; n++) { x = x (n ? ", " : "") n - 10; y = y (n ? ", " : "") n - 12 }
        print "netcdf r { dimensions: rlat = 11 ; rlon = 11 ;\nvariables: double rlat(rlat) ; rlat:units = \"degrees\" ; rlat:standard_name = \"grid_latitude\" ; rlat:axis = \"Y\" ;"
        print "double rlon(rlon) ; rlon:units = \"degrees\" ; rlon:standard_name = \"grid_longitude\" ; rlon:axis = \"X\" ;"
        print "char rotated_pole ; rotated_pole:grid_mapping_name = \"rotated_latitude_longitude\" ;"
        print "rotated_pole:grid_north_pole_latitude = 35. ; rotated_pole:grid_north_pole_longitude = 70. ;"
        print "float uas(rlat, rlon) ; uas:standard_name = \"x_wind\" ; uas:units = \"m s-1\" ; uas:grid_mapping = \"rotated_pole\" ;"
        print "float vas(rlat, rlon) ; vas:standard_name = \"y_wind\" ; vas:units = \"m s-1\" ; vas:grid_mapping = \"rotated_pole\" ;"
        print "data: rlat = " y " ; rlon = " x " ; uas = " u " ; vas = " v " ; }" }' > rotated.cdl
ncgen -k nc4 -o w.nc rotated.cdl
ends 0 '' 'a rotated pole' $run --input w.nc
near 'is turned to true north' 0 18
sed 's/rotated_pole:grid_north_pole_longitude = 70. ;//' rotated.cdl > none.cdl && ncgen -k nc4 -o w.nc none.cdl
expect 3 'its rotated_pole does not say where the grid.s pole is: give it grid_north_pole_latitude' 'a rotated pole without a place' $run --input w.nc
sed 's/r...:axis = "." ;//' rotated.cdl > none.cdl && ncgen -k nc4 -o w.nc none.cdl
expect 3 'does not find the rows and columns of its rotated pole: give their coordinates an axis' 'a rotated pole whose coordinates have no axis' $run --input w.nc

# ---- WRF: its own attributes, on a sphere of 6370 km ----
awk 'BEGIN { pi = atan2(0, -1); r = 6370000; l1 = 40 * pi / 180; n = sin(l1); f = cos(l1) * exp(n * log(tan(l1))) / n
    function_() }
    function tan(a) { a = pi / 4 + a / 2; return sin(a) / cos(a) }
    function function_(   i, j, x, y, rho, theta, rho0, lon, lat) {
        rho0 = r * f / exp(n * log(tan(40 * pi / 180)))
        for (j = 0; j < 4; j++) for (i = 0; i < 4; i++) {
            x = -1700000 + 100000 * i; y = 700000 + 100000 * j
            rho = sqrt(x * x + (rho0 - y) ^ 2); theta = atan2(x, rho0 - y)
            lon = -97 + theta / n * 180 / pi; lat = (2 * atan2(exp(log(r * f / rho) / n), 1) - pi / 2) * 180 / pi
            lons = lons (lons ? ", " : "") lon; lats = lats (lats ? ", " : "") sprintf("%.6f", lat)
            u = u (u ? ", " : "") "2.2945"; v = v (v ? ", " : "") "9.7332" }
        print "netcdf wrf { dimensions: Time = UNLIMITED ; south_north = 4 ; west_east = 4 ; DateStrLen = 19 ;"
        print "variables: char Times(Time, DateStrLen) ; float XLAT(Time, south_north, west_east) ; float XLONG(Time, south_north, west_east) ;"
        print "float U10(Time, south_north, west_east) ; U10:units = \"m s-1\" ; float V10(Time, south_north, west_east) ; V10:units = \"m s-1\" ;"
        print ":MAP_PROJ = 1 ; :TRUELAT1 = 40.f ; :TRUELAT2 = 40.f ; :STAND_LON = -97.f ; :MOAD_CEN_LAT = 40.f ; :DX = 100000.f ; :DY = 100000.f ;"
        print "data: Times = \"2026-11-30_12:00:00\" ; XLAT = " lats " ; XLONG = " lons " ; U10 = " u " ; V10 = " v " ; }" } ' > wrf.cdl
ncgen -k nc4 -o wrf.nc wrf.cdl
cp wrf.nc wrfout_d01_2026-11-30_12:00:00
ends 0 '' 'WRF, of its time, without an extension' $run --input wrfout_d01_2026-11-30_12:00:00 --time 2026-11-30T12:00
near 'turned to true north' 0 10
expect 3 'lies outside of its times, 2026-11-30T12:00:00Z' 'WRF at another time' $run --input wrf.nc --time 2026-11-30T13:00
sed 's/MAP_PROJ = 1/MAP_PROJ = 6/' wrf.cdl > six.cdl && ncgen -k nc4 -o w.nc six.cdl
ends 0 '' 'WRF of any projection, by the longitudes and latitudes of its points' $run --input w.nc
near 'turned to true north there' 0 10
sed 's/XLAT = [^;]*;/XLAT = 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46 ;/' wrf.cdl > six.cdl && ncgen -k nc4 -o w.nc six.cdl
expect 3 'make no grid around' 'points that make no grid' $run --input w.nc

# As cfgrib and xarray leave HRRR: no projection, steps with a time beside them.
sed 's/Time = UNLIMITED/step = 1/; s/char Times(Time, DateStrLen) ;/double step(step) ; step:units = "hours" ; int64 valid_time(step) ; valid_time:units = "seconds since 1970-01-01T00:00:00" ;/
    s/Times = "[^"]*"/step = 1 ; valid_time = 1796040000/; s/Time, //g; s/XLAT/latitude/g; s/XLONG/longitude/g; s/:MAP_PROJ.*/u10:GRIB_uvRelativeToGrid = 1 ; v10:GRIB_uvRelativeToGrid = 1 ;/
    s/float U10(/float u10(step, /; s/float V10(/float v10(step, /; s/U10/u10/g; s/V10/v10/g' wrf.cdl > cfgrib.cdl && ncgen -k nc4 -o w.nc cfgrib.cdl
ends 0 '' 'a grid of points without a projection, of a step with its time beside it' $run --input w.nc --time 2026-11-30T12
near 'turned as its attribute says' 0 10
[ $device = no ] || said 'and it is said how' 'placed by the longitudes and latitudes of its points, components along the grid turned'
sed 's/RelativeToGrid = 1/RelativeToGrid = 0/g' cfgrib.cdl > true.cdl && ncgen -k nc4 -o w.nc true.cdl
ends 0 '' 'or not turned' $run --input w.nc
near 'is as it is' 2.2945 9.7332
sed 's/u10:GRIB.*/:nothing = 1 ;/' cfgrib.cdl > none.cdl && ncgen -k nc4 -o w.nc none.cdl
expect 3 'u10 does not say whether it is along the grid' 'points of a grid of which nothing is said' $run --input w.nc

# ---- GRIB 2: on the same cone; the bit that says "along the grid" is set in every message ----
if command -v gdal_translate > /dev/null && gdalinfo --formats | grep -q 'GRIB.*rw'; then
    sed 's/"eastward_wind"/"x_wind"/' lambert.cdl > /dev/null
    pds='-co PDS_PDTN=0' ids='-co IDS_CENTER=7 -co DISCIPLINE=0'
    for band in U10:2:2 V10:2:3; do
        name=${band%%:*} number=${band##*:}
        gdal_translate -q -of GRIB $ids $pds -co "PDS_TEMPLATE_NUMBERS=2 $number 2 0 96 0 0 0 1 0 0 0 0 103 0 0 0 0 10 255 0 0 0 0 0" \
            -co DATA_ENCODING=IEEE_FLOATING_POINT "NETCDF:l.nc:$name" $name.grib2 2> grib.log || cat grib.log
    done
    cat U10.grib2 V10.grib2 > true.grib2
    ends 0 '' 'GRIB 2 towards true north' $run --input true.grib2
    near 'is as it is' 2.2945 9.7332
    # The flag is byte 47 of section 3, which follows sections 0 (16 bytes) and 1.
    patch() {
        one=$(od -An -tu1 -j 16 -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
        third=$((16 + one))
        [ "$(od -An -tu1 -j $((third + 4)) -N 1 "$1" | tr -d ' ')" = 3 ] || third=$((third + $(od -An -tu1 -j $third -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')))
        old=$(od -An -tu1 -j $((third + 46)) -N 1 "$1" | tr -d ' ')
        printf "\\$(printf '%03o' $((old | 8)))" | dd of="$1" bs=1 seek=$((third + 46)) conv=notrunc 2> /dev/null
    }
    patch U10.grib2; cat U10.grib2 V10.grib2 > mixed.grib2
    expect 3 'some of its messages have winds along the grid and some not' 'messages that do not agree' $run --input mixed.grib2
    patch V10.grib2; cat U10.grib2 V10.grib2 > grid.grib2
    ends 0 '' 'GRIB 2 along the grid' $run --input grid.grib2
    near 'is turned' 0 10
    expect 3 'but not towards north' 'GRIB without a component' $run --input U10.grib2
else
    echo 'no gdal_translate with GRIB: GRIB 2 is not tested'
fi
rm -f wrfout* ./*.cdl ./*.nc ./*.grib2 ./*.xml flat.*
nothing_left 'nothing is left behind'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ] || exit 1
[ $device = yes ] || exit 77
