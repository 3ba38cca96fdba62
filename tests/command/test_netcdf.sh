#!/bin/sh
# SPDX-License-Identifier: MIT
# What other people's tools read in the NetCDF of foehn wind: where it lies, when it was, what made it.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

command -v ncdump > /dev/null || { echo 'no ncdump (netcdf-bin): not tested'; exit 77; }
small='--cells 12x8x12 --quiet'
"$foehn" wind $small --steps 1 --out a.nc 2> err.log || { cat err.log; exit 77; } # no device, no NetCDF
has() { if grep -q -e "$2" dump.log; then pass "$1"; else flunk "$1" "no '$2'"; fi; }
has_not() { if grep -q -e "$2" dump.log; then flunk "$1" "$(grep -e "$2" dump.log)"; else pass "$1"; fi; }
# first VARIABLE: its first value
first() { ncdump -v "$1" -p 15 a.nc | tr -d '\n' | sed "s/.* $1 = *\([-0-9.e]*\).*/\1/"; }
near() { check "$1" awk -v a="$2" -v b="$3" -v by="$4" 'BEGIN { d = a - b; exit !(a != "" && d < by && -d < by) }'; }

# ---- flat ground ----
ncdump -h a.nc > dump.log
has 'an instant is a point in time' 'eastward_wind:cell_methods = "time: point"'
has 'the system has a name of its own' ':coordinate_system = "none (flat ground)"'
has_not 'and none that readers take for a definition' ':crs ='
has_not 'no scalar height hangs on fields along z' 'double height'
has 'the height is on the field' 'wind_speed:height_above_ground = 10'
has 'the history is the command line' ':history = "foehn wind --cells 12x8x12 --steps 1 (foehn '
SOURCE_DATE_EPOCH=86400 "$foehn" wind $small --steps 1 --out a.nc
ncdump -h a.nc > dump.log
has 'and has the date that the environment gives' ':history = "1970-01-02T00:00:00Z foehn wind'
"$foehn" wind $small --duration 2.1 --every 0.7 --out a.nc --probe 0,0,10 --out a.csv
ncdump -v time -p 17 a.nc > dump.log
has 'times are whole multiples of --every' '^ time = 0.7, 1.4, 2.1 ;\|^ time = 0.69999999999999996, 1.3999999999999999, 2.1000000000000001 ;'
check 'of probes, too' sh -c 'awk -F, "/^[0-9]/ { print \$1 }" a.csv | tr "\n" " " | grep -q "^0.7 1.4 2.1 $"'
"$foehn" wind $small --dt 0.3 --duration 2 --every 1 --out a.nc --stats a.json
ncdump -v time a.nc > dump.log
has 'a step that does not fit is shortened' '^ time = 1, 2 ;'
check 'and said so' grep -q '"dt": 0.25' a.json
expect 0 '' '--steady' wind --cells 12x8x12 --steady --stats a.json --out a.nc
check 'reports cycles, not steps' sh -c 'grep -q "no cycle was needed" out.log && ! grep -q "0 steps" out.log'
check 'and has no time of steps that were not made' grep -q '"step_ms_median": null' a.json

# ---- places ----
if ! "$foehn" wind --origin 0,0 $small --steps 1 2> err.log; then
    echo 'no GDAL in this build: places are not tested'
    rm -f a.*
    echo "$checks checks, $failures failed"
    [ $failures -eq 0 ]
    exit
fi
"$foehn" wind $small --steps 1 --origin 57.18,-7.37 --out a.nc
ncdump -h a.nc > dump.log
has 'flat ground with an origin has a system' 'crs:longitude_of_central_meridian = -7.37'
has 'which readers find' 'eastward_wind:grid_mapping = "crs"'
near 'and latitudes' "$(first lat)" 57.17980 2e-5
near 'and longitudes' "$(first lon)" -7.37036 2e-5
expect 2 '--origin is for flat ground' 'an origin of a raster is refused' wind --terrain a.tif --origin 1,1
expect 3 'latitudes from -85' 'an origin at a pole is refused' wind --origin 90,0

awk 'BEGIN { print "ncols 12\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 1"
    for (j = 0; j < 12; j++) { for (i = 0; i < 12; i++) printf "200 "; print "" } }' > ground.txt
# place SYSTEM WEST NORTH: the wind over a plain there, its header in dump.log
place() {
    cat > ground.vrt <<END
<VRTDataset rasterXSize="12" rasterYSize="12"><SRS>$1</SRS><GeoTransform>$2, 100, 0, $3, 0, -100</GeoTransform>
<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">ground.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
END
    "$foehn" wind --terrain ground.vrt $small --steps 1 --out a.nc 2> err.log
    ncdump -h a.nc > dump.log
}
while read -r system west north name attribute; do
    place "EPSG:$system" "$west" "$north"
    if [ "$name" = none ]; then has_not "EPSG:$system has no name in CF" 'crs:grid_mapping_name'
    else has "EPSG:$system is $name" "crs:grid_mapping_name = \"$name\""; fi
    has "EPSG:$system: $attribute" "crs:$attribute"
    has "EPSG:$system: crs_wkt stays" 'crs:crs_wkt = "PROJCRS'
done <<END
2056 2656300 1163300 oblique_mercator azimuth_of_central_line = 90.
3031 -1615900 -282600 polar_stereographic standard_parallel = -71.
3413 -2000 -1963400 polar_stereographic straight_vertical_longitude_from_pole = -45.
32661 2000000 1500000 polar_stereographic scale_factor_at_projection_origin = 0.994
27572 600000 2200000 lambert_conformal_conic standard_parallel = 45.8989[0-9]*, 47.6960[0-9]*
3857 2226389 557305 mercator semi_minor_axis = 6378137.
5514 -666700 -1038600 none semi_major_axis = 6377397.155
28992 188100 459000 none semi_major_axis = 6377397.155
END
place EPSG:3857 2226389 557305
has_not 'a sphere has no name of an ellipsoid' 'crs:reference_ellipsoid_name'
# The national grid's datum lies 63 m from WGS 84 here; transformations agree within metres.
place EPSG:27700 75000 824100
has 'latitudes of another datum than the grid' 'eastward_wind:grid_mapping = "crs: x y wgs84: lat lon"'
has 'which is named' 'wgs84:grid_mapping_name = "latitude_longitude"'
near 'are those of WGS 84' "$(first lon)" -7.38014 1e-4
near 'both' "$(first lat)" 57.18180 1e-4
has 'and readers that follow no mapping find the system' ':crs = "EPSG:27700"'
has_not 'a coordinate has no grid mapping' 'height_above_ground:grid_mapping'
rm -f a.nc a.json a.csv ground.txt ground.vrt
nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
