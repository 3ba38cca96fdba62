#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn fire out of doors: terrain under the box, wind that grows with height or comes from a file.
# One line per check; 77 when there is no OpenCL device or no GDAL.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

# scene NAME LINES...: a coarse box that burns, and these lines
scene() {
    file=$1.log; shift
    printf '%s\n' 'duration: 0.5' 'fire: {mode: burn, fuel: wood, cycles: 2, floor: no}' \
        'emitters: [{mesh: {shape: disk, radius: 20}, position: [0, 4, 0], power: 100000}]' "$@" > "$file"
}
box='box: {size: [320, 240, 320], center: [0, 40, 0], voxel: 16, physics_voxel: 16}'
bell="file: $data/bell.tif"
number() { sed -n "s/^ *\"$1\": *\([-0-9.e+]*\),*$/\1/p" "$2"; } # number KEY FILE

# ---- without a device ----
bad() { # bad PATTERN NAME LINES...: a scene that is refused
    pattern=$1 name=$2; shift 2
    scene bad "$@"
    expect 3 "$pattern" "$name" fire bad.log
}
bad 'bad.log:4: terrain: file is missing' 'terrain of nothing' 'terrain: {at: [0, 0]}'
bad 'bad.log:4: terrain: unknown key "hight_unit": did you mean height_unit' 'a misspelt key of the terrain' 'terrain: {file: a.tif, hight_unit: m}'
bad 'bad.log:4: at: must be a list of easting and northing' 'a place of one number' 'terrain: {file: a.tif, at: [1]}'
bad 'bad.log:4: window: must be west, south, east, north' 'a window inside out' 'terrain: {file: a.tif, window: [1, 0, 0, 1]}'
bad 'bad.log:4: height_unit: unknown' 'heights in ells' 'terrain: {file: a.tif, height_unit: ells}'
bad 'bad.log:4: wind: a velocity at a height has a z0' 'a height without a roughness' 'wind: {velocity: [1, 0, 0], height: 10}'
bad 'bad.log:4: height: 0.01 is out of range' 'a height within the roughness' 'wind: {velocity: [1, 0, 0], height: 0.01, z0: 0.03}'
if scene probe "$box" "terrain: {$bell}"; "$foehn" fire probe.log --out nosuch/a.png 2>&1 | grep -q 'without GDAL'; then
    echo 'skipped: this build has no GDAL'; exit 77
fi
bad 'a.tif: cannot be opened\|a.tif: .*No such file\|a.tif' 'terrain from no file' "$box" 'terrain: {file: a.tif}'
bad 'bell.tif: reaches from 279635 to 287135 m towards east, the fire.s box from 279475 to 279795: move it with at' \
    'a box beyond the raster' "$box" "terrain: {$bell, at: [279635, 4882065]}"
scene deep "$box" "terrain: {$bell, at: [284135, 4882065]}"; sed -i 's/\[0, 4, 0\]/[0, -40, 0]/' deep.log
expect 3 'emitter 1: all of it lies in the ground, its highest point .* m deep: raise its position' 'an emitter in the ground' fire deep.log
bad 'nodata.tif: has no heights\|nodata.tif' 'a raster of voids alone' "$box" "terrain: {file: $data/nodata.tif}"
bad 'no_srs.tif.*assume.metres' 'a raster without a place is told' "$box" "terrain: {file: $data/no_srs.tif}"

bad 'bad.log:4: follow: no emitter is called "torch"' 'a box that follows nothing' 'box: {follow: torch}'
scene goes 'box: {size: [16, 8, 8], center: [0, 4, 0], voxel: 0.5, follow: runner}'
sed -i 's/{mesh: .*/{name: runner, mesh: {shape: disk, radius: 1}, power: 500, path: [{at: 0, position: [0, 0.5, 0]}, {at: 0.5, position: [10, 0.5, 0]}]}]/' goes.log
expect 2 'one place for the box' 'a file of one place for a box that moves' fire goes.log --out a.vtkhdf
scene brandless "$box"
expect 2 'the scene has no firebrands' 'landings of nothing' fire brandless.log --landings a.csv
bad 'bad.log:4: firebrands: unknown key "rat": did you mean rate' 'a misspelt key of firebrands' 'firebrands: {rat: 1}'
bad 'bad.log:4: diameter: must be the least and the largest' 'firebrands inside out' 'firebrands: {diameter: [0.01, 0.001]}'
scene brands "$box" "terrain: {$bell, at: [284135, 4882065]}" 'wind: {velocity: [5, 0, 0], height: 10, z0: 0.03}' 'firebrands: {rate: 400, diameter: [0.0005, 0.004]}'
expect 2 'known are .csv, .tif, .nc, .png' 'landings of another kind' fire brands.log --landings a.shp
expect 1 'nosuch/a.csv' 'landings in a folder that is not there' fire brands.log --landings nosuch/a.csv

# ---- with one ----
scene hill "$box" "terrain: {$bell, at: [284135, 4882065]}" 'wind: {velocity: [5, 0, 0], height: 10, z0: 0.03}'
"$foehn" fire hill.log --quiet --stats hill.json --out hill.vtkhdf 2> err.log
code=$?
if [ $code -eq 4 ]; then echo 'skipped: no OpenCL device'; exit 77; fi
if [ $code -eq 0 ] && [ "$(number heat_release_kw hill.json | cut -d. -f1)" -gt 10000 ]; then
    pass 'a fire burns on a hill in a wind'
else flunk 'a fire burns on a hill in a wind' "status $code" "$(cat err.log)" "$(cat hill.json)"; fi
awk -v e="$(number fuel_emitted_kg hill.json)" -v b="$(number fuel_burnt_kg hill.json)" \
    -v t="$(number fuel_there_kg hill.json)" 'BEGIN { exit !(e > 0 && (e - b - t)^2 < (1e-3 * e)^2) }' &&
    pass 'on the hill no fuel is lost or made' ||
    flunk 'on the hill no fuel is lost or made' "$(grep fuel hill.json)"
sed 's/power: 100000}/power: 100000, rotation: [0, 0, 0]}/' hill.log > again.log
"$foehn" fire again.log --quiet --stats again.json 2> err.log
[ "$(grep -c . again.json)" -gt 10 ] && [ "$(number fuel_burnt_kg hill.json)" = "$(number fuel_burnt_kg again.json)" ] &&
    pass 'the same twice' || flunk 'the same twice' "$(cat err.log)"
# 10 m are 20 voxels: without the box the emitter would have left it after 8
"$foehn" fire goes.log --quiet --stats goes.json --out goes.raw 2> err.log &&
    awk -v e="$(number fuel_emitted_kg goes.json)" -v b="$(number fuel_burnt_kg goes.json)" -v c="$(number fuel_carried_kg goes.json)" \
        -v t="$(number fuel_there_kg goes.json)" 'BEGIN { exit !(e > 0.0178 && (e - b - c - t)^2 < (1e-4 * e)^2) }' &&
    pass 'a box follows its emitter' || flunk 'a box follows its emitter' "$(cat err.log)" "$(grep fuel goes.json)"
"$foehn" fire brands.log --quiet --stats brands.json --landings land.csv 2> err.log &&
    [ "$(number firebrands brands.json)" -eq 200 ] &&
    [ "$(grep -c '^landed,' land.csv)" -eq "$(number firebrands_landed brands.json)" ] &&
    [ "$(number firebrands_landed brands.json)" -gt 0 ] &&
    awk -F, '/^landed/ && !($2 > 283900 && $2 < 284400 && $3 > 4881800 && $3 < 4882300) { exit 1 }' land.csv &&
    pass 'firebrands land where the terrain lies' ||
    flunk 'firebrands land where the terrain lies' "$(cat err.log)" "$(head -c 400 land.csv)"
landed=$(number firebrands_landed brands.json)
check 'and as a map' "$foehn" fire brands.log --quiet --landings land.tif
if command -v gdalinfo > /dev/null; then
    gdalinfo -stats land.tif > tif.log 2>&1
    awk -v n="$landed" '/^Size is/ { cells = $3 * $4 } /STATISTICS_MEAN/ && !mean { sub(/.*=/, ""); mean = $0 }
        END { exit !((mean * cells - n)^2 < 0.01) }' tif.log && grep -q 'Description = mass of firebrands' tif.log &&
        pass 'the map has them all' || flunk 'the map has them all' "$landed landed" "$(grep -i 'size\|mean' tif.log)"
fi
# summed FIELD FILE: of a NetCDF file
summed() { ncdump -v "$1" "$2" | awk -v name="$1" '$1 == name && $2 == "=" { here = 1; sub(/.*=/, "") }
    here { gsub(/[;,}]/, " "); for (i = 1; i <= NF; i++) sum += $i } END { print sum + 0 }'; }
if built fire brands.log --landings nosuch/a.nc && command -v ncdump > /dev/null; then
    "$foehn" fire brands.log --quiet --landings land.nc --landings again.csv 2> err.log && ncdump -h land.nc > nc.log
    [ "$(summed landed land.nc)" = "$landed" ] && grep -q 'landed:grid_mapping = "crs' nc.log && grep -q 'landed_mass:units = "kg m-2"' nc.log &&
        grep -q 'surface_altitude:standard_name' nc.log && cmp -s land.csv again.csv &&
        pass 'NetCDF has them, where they lie and on what, and two files come from one run' ||
        flunk 'NetCDF has them, where they lie and on what, and two files come from one run' "$landed landed, $(summed landed land.nc) in the file" "$(cat err.log)"
    # the box is 10 m further on when all is written
    sed -e 's/, floor: no//' -e 's/0\.5, 0\]/0.1, 0]/g' goes.log > runs.log; echo 'firebrands: {rate: 800}' >> runs.log
    "$foehn" fire runs.log --quiet --stats runs.json --landings runs.nc --landings runs.csv 2> err.log
    landed=$(number firebrands_landed runs.json)
    [ "$landed" -gt 0 ] && [ "$(summed landed runs.nc)" = "$landed" ] && awk -F, '/^landed/ && $2 < 1 { some = 1 } END { exit !some }' runs.csv &&
        pass 'what fell before the box went on is in the map' ||
        flunk 'what fell before the box went on is in the map' "$landed landed, $(summed landed runs.nc) in the map" "$(cat err.log)"
fi
if built fire brands.log --landings nosuch/a.png; then
    check 'and as a picture' "$foehn" fire brands.log --quiet --landings land.png
    [ "$(head -c 4 land.png | tail -c 3)" = PNG ] && pass 'which is a PNG' || flunk 'which is a PNG'
fi
number byram_number brands.json | awk '{ exit !($1 > 1) }' &&
    pass "Byram's number is told" || flunk "Byram's number is told" "$(cat brands.json)"
if "$foehn" wind --terrain "$data/bell.tif" --model consistent --cells 24x16x24 --spacing 300x60 --quiet --out wind.nc 2> err.log; then
    scene both "$box" "terrain: {$bell, at: [284135, 4882065]}" 'wind: {file: wind.nc}'
    check 'the wind of a file lies where the terrain does' "$foehn" fire both.log --quiet --stats both.json
    speed=$(number max_speed both.json)
    awk -v s="$speed" 'BEGIN { exit !(s > 3) }' && pass 'and blows' || flunk 'and blows' "$speed m/s"
    scene apart "$box" "terrain: {$bell, at: [284135, 4882065]}" 'wind: {file: wind.nc, at: [0, 0, 0]}'
    expect 3 'wind.nc: reaches from' 'a wind that lies elsewhere' fire apart.log --quiet
else
    echo "skipped: wind from NetCDF: $(cat err.log)"
fi
# A wind of another tool: hours since a date, packed into whole numbers.
# stranger NAME SED: its file
stranger() {
    sed "$2" << 'END' | ncgen -k netCDF-4 -o "$1.nc" > "$1.log" 2>&1
netcdf stranger {
dimensions: time = 2 ; z = 2 ; y = 2 ; x = 2 ;
variables:
    double time(time) ; time:units = "hours since 1970-01-01 00:00" ;
    double z(z) ; z:units = "m" ;
    double y(y) ; y:units = "m" ;
    double x(x) ; x:units = "m" ;
    short eastward_wind(time, z, y, x) ; eastward_wind:units = "m/s" ; eastward_wind:scale_factor = 0.5 ; eastward_wind:add_offset = 1. ;
    short northward_wind(time, z, y, x) ; northward_wind:units = "m s**-1" ; northward_wind:missing_value = -99s ;
    float upward_air_velocity(time, z, y, x) ;
data:
    time = 438288, 438289 ; z = 0, 400 ; y = -500, 500 ; x = -500, 500 ;
    eastward_wind = 4, 4, 4, 4, 4, 4, 4, 4, 40, 40, 40, 40, 40, 40, 40, 40 ;
    northward_wind = -99, -99, -99, -99, -99, -99, -99, -99, 0, 0, 0, 0, 0, 0, 0, 0 ;
    upward_air_velocity = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ;
}
END
}
if command -v ncgen > /dev/null && built fire brands.log --landings nosuch/a.nc; then
    for name in plain degrees knots round; do scene $name "$box" "wind: {file: $name.nc}"; mv $name.log $name.keep; done
    scene late "$box" 'wind: {file: plain.nc, start: 1.6e9}'; mv late.log late.keep
    stranger plain ''
    "$foehn" fire plain.keep --quiet --stats plain.json 2> err.log
    number fireline_wind_m_s plain.json | awk '{ exit !($1 > 2.99 && $1 < 3.02) }' && pass 'a wind of another tool blows from its first hour on' ||
        flunk 'a wind of another tool blows from its first hour on' "$(number fireline_wind_m_s plain.json) m/s" "$(cat err.log)"
    scene near "$box" 'wind: {file: near.nc}'; mv near.log near.keep
    stranger near 's/hours since 1970-01-01/seconds since 2026-11-01/; s/time = 438288, 438289/time = 300, 300.25/'
    "$foehn" fire near.keep --quiet --stats near.json 2> err.log
    number fireline_wind_m_s near.json | awk '{ exit !($1 > 20.9 && $1 < 21.1) }' && pass 'and follows its times wherever they begin' ||
        flunk 'and follows its times wherever they begin' "$(number fireline_wind_m_s near.json) m/s" "$(cat err.log)"
    expect 3 'plain.nc: ends at 1577840400 s, before the start at 1600000000 s: lower start' 'a start after its end' fire late.keep
    stranger degrees 's/x:units = "m"/x:units = "degrees_east"/'
    expect 3 'x is in degrees_east: must be in m$' 'places in degrees' fire degrees.keep
    stranger knots 's,"m/s","kn",'
    expect 3 'eastward_wind is in kn: must be in m s-1' 'a wind in knots' fire knots.keep
    stranger round 's/y = -500, 500/y = 500, -500/'
    expect 3 'y does not grow at its value 2: turn it round' 'rows from north to south' fire round.keep
fi
rm -f ./*.json ./*.nc ./*.vtkhdf ./*.tif ./*.tif.aux.xml ./*.png ./*.csv ./*.raw
nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
