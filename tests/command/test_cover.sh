#!/bin/sh
# SPDX-License-Identifier: MIT
# Roughness from rasters of metres and of classes: tables, gaps, other systems, heights of trees.  All rasters are
# made here: numbers as text, and what GDAL is to think of them in a VRT.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

# grid NAME N TYPE SYSTEM "G0, G1, ..." EXPRESSION [BAND]: N x N numbers of i and j; BAND is more XML of the band
grid() {
    awk -v n="$2" 'BEGIN {
        print "ncols " n "\nnrows " n "\nxllcorner 0\nyllcorner 0\ncellsize 1"
        for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "%s%s", ('"$6"'), i < n - 1 ? " " : "\n" }' > "$1.txt"
    cat > "$1.vrt" <<END
<VRTDataset rasterXSize="$2" rasterYSize="$2"><SRS>$4</SRS><GeoTransform>$5</GeoTransform>
<VRTRasterBand dataType="$3" band="1">${7:-}<SimpleSource><SourceFilename relativeToVRT="1">$1.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
END
}
utm='EPSG:32611' there='450000, 100, 0, 5140000, 0, -100'
wind() { # wind STATUS PATTERN NAME ARGUMENTS...
    status=$1 pattern=$2 about=$3; shift 3
    expect "$status" "$pattern" "$about" wind --terrain flat.vrt --model consistent --cells 12x8x12 "$@"
}
said() { if grep -q -e "$2" out.log err.log; then pass "$1"; else flunk "$1" "$(cat out.log err.log)"; fi; }

grid flat 24 Float32 $utm "$there" 100
if "$foehn" wind --terrain flat.vrt --top 0 2>&1 | grep -q 'without GDAL'; then
    echo 'no GDAL in this build: covers are not tested'; exit 77
fi

# ---- what is wrong in the options ----
wind 2 'needs --roughness FILE' 'a table without a raster' --roughness-table corine
wind 2 'needs --roughness-table' 'heights of trees without a table' --roughness flat.vrt --tree-height flat.vrt
wind 2 'of WorldCover' 'heights of trees for classes of another kind' --roughness flat.vrt --roughness-table nlcd --tree-height flat.vrt
wind 2 'exclude each other' 'advection knows one roughness' --roughness flat.vrt --relaxation 0.5
expect 2 'needs --model' 'the forcing knows one roughness' wind --terrain flat.vrt --roughness flat.vrt
expect 2 'needs --terrain' 'a map needs a place' wind --model consistent --roughness flat.vrt

if ! "$foehn" devices > /dev/null 2>&1; then
    echo "$checks checks, $failures failed; no device for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi

# ---- tables ----
grid classes 24 Byte $utm "$there" 'i < 12 ? 80 : 30'
wind 3 'holds whole numbers' 'classes without a table are no metres' --roughness classes.vrt
wind 3 'give corine, nlcd, worldcover' 'a table that is none names the known' --roughness classes.vrt --roughness-table corinne
wind 0 '' 'classes by a built-in table' --roughness classes.vrt --roughness-table worldcover --out a.asc --out a.csv --probe 451000,5139000,10
check 'files name the map' grep -q 'roughness_map: classes.vrt by the table worldcover: z0 0.0002 to 0.03 m' a.csv
rm -f a.asc a-*.asc a.csv a*.prj
said 'which is named, with what it found' 'built-in table worldcover: .*50 % .*water.* (80: 0.0002 m)'
# Half water, half grass: the mean of ln z0 is that of 0.0002 and 0.03, not of their mean 0.0151.
said 'means are those of ln z0' 'mean of ln z0 at 0.00245 m'
said 'the wind comes in over what lies there' 'comes in over 0.00020'
wind 0 '' 'from the other side' --roughness classes.vrt --roughness-table worldcover --from 90
said 'over the other class' 'comes in over 0.029'
wind 0 '' 'a z0 that is given' --roughness classes.vrt --roughness-table worldcover --z0 0.1
said 'is that of the inflow' 'comes in over 0.1 m (--z0)'
table() { printf '%s\n' "$@" > table.csv; }
table 'class,z0,displacement,name' '80,0.0002,0,water' '30,0.5,0,"reeds, high"'
wind 0 '' 'a table of one'"'"'s own' --roughness classes.vrt --roughness-table table.csv
said 'is used' '50 % reeds, high (30: 0.5 m)'
{ printf '\357\273\277class;z0;displacement;name\r\n'; printf '80;0,0002;0;water\r\n30;0,5;9,6;"reeds; high"\r\n'; } > table.csv
wind 0 '' 'a table with semicolons and decimal commas' --roughness classes.vrt --roughness-table table.csv
said 'is read as that' '50 % reeds; high (30: 0.5 m)'
said 'a height among its displacement has no wind, and that is said' 'height 10: no wind blows there on 50 % of the box.*9.6 m.*greater --height'
wind 0 '' 'at a greater height' --roughness classes.vrt --roughness-table table.csv --height 20m
if grep -q 'no wind blows' err.log; then flunk 'there is wind' "$(cat err.log)"; else pass 'there is wind'; fi
printf 'class\tz0\tdisplacement\tname\n80\t0.0002\t\twater\n' > table.csv
wind 3 "table.csv:2: displacement is '', not a number" 'tabs, between which nothing stands' --roughness classes.vrt --roughness-table table.csv
printf 'class\tz0\tname\n80\t0.0002\twater\n30\t0.03\t\n' > table.csv
wind 0 '' 'a table with tabs' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,0,0002
wind 3 'table.csv:2: 3 values, but the row of names (line 1) has 2' 'decimal commas among commas' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,0.0002
wind 3 '288 of 576 cells .* first 30 at column 12, row 0' 'a class without a row: which, how many, where' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,0.0002 30,0
wind 3 'table.csv:3: z0 is 0: give 1e-06 to 9.9 m' 'a z0 of 0 is none' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,nan
wind 3 'table.csv:2: z0 is nan' 'a z0 that is no number' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,smooth
wind 3 "table.csv:2: z0 is 'smooth', not a number" 'a word for a z0' --roughness classes.vrt --roughness-table table.csv
table class,z0,displacement 80,0.0002,-5
wind 3 'table.csv:2: displacement is -5: give 0 to 100 m' 'a displacement below the ground' --roughness classes.vrt --roughness-table table.csv
table class,z0,z0 80,0.0002,1
wind 3 "two columns are named 'z0'" 'a column twice' --roughness classes.vrt --roughness-table table.csv
table class,rough 80,1
wind 3 'no column is named z0' 'a table without z0' --roughness classes.vrt --roughness-table table.csv
table class,z0
wind 3 'has no rows under its names' 'a table of names' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,0.0002 80,0.03
wind 3 'class 80 has two rows' 'a class has one row' --roughness classes.vrt --roughness-table table.csv
table code,z0 80,1
wind 3 'no column is named class' 'columns go by their names' --roughness classes.vrt --roughness-table table.csv
table class,z0 8.5,1
wind 3 'classes are whole numbers' 'classes are whole numbers' --roughness classes.vrt --roughness-table table.csv
table class,z0 '8,"1'
wind 3 'table.csv:2: a quote that does not end' 'a quote that does not end' --roughness classes.vrt --roughness-table table.csv
table class,z0 80,0.0002,4
wind 3 'table.csv:2: 3 values' 'a row of another length' --roughness classes.vrt --roughness-table table.csv
printf 'class,z0\n80,1\0' > table.csv
wind 3 'is no text' 'no text' --roughness classes.vrt --roughness-table table.csv
: > table.csv
wind 3 'has no text' 'an empty table' --roughness classes.vrt --roughness-table table.csv
for name in corine nlcd worldcover; do
    wind 3 '' "the file of the table $name is read as the built-in one" --roughness flat.vrt --roughness-table "$src/data/roughness/$name.csv" --window 0,0,1,1
done

# ---- displacement and trees ----
table class,z0,displacement 80,0.0002,0 30,1,15
grid island 24 Byte $utm "$there" 'i > 7 && i < 16 && j > 7 && j < 16 ? 30 : 80'
wind 0 '' 'displacement' --roughness island.vrt --roughness-table table.csv --height 40
said 'raises the ground' 'displacement of up to 15 m'
grid trees 24 Float32 $utm "$there" 'i > 7 && i < 16 ? 18 : 0'
grid wood 24 Byte $utm "$there" 'i > 7 && i < 16 && j > 7 && j < 16 ? 10 : 30'
wind 0 '' 'heights of trees' --roughness wood.vrt --roughness-table worldcover --tree-height trees.vrt
said 'give a tenth of them as z0' 'z0 0.03 to 1.8 m'
said 'and two thirds as displacement' 'displacement of up to 12 m'
expect 2 'needs --tree-height' 'leaves without trees' wind --terrain flat.vrt --model momentum --leaf-area 3
wind 2 'needs --model momentum' 'leaves for another model' --roughness wood.vrt --roughness-table worldcover --tree-height trees.vrt --leaf-area 3
check 'trees of four cells drag' "$foehn" wind --terrain flat.vrt --model momentum --cells 12x12x12 --spacing 200x4 --roughness wood.vrt \
    --roughness-table worldcover --tree-height trees.vrt --leaf-area 3 --stats stats.json
cp check.log out.log; said 'and neither raise nor roughen the ground' 'trees of 16 m and more on 5.3 % of the ground drag on the air'
said 'but where it is half of a cell' 'z0 0.03 to 0.232 m'
check 'lower ones do not' "$foehn" wind --terrain flat.vrt --model momentum --cells 12x8x12 --roughness wood.vrt \
    --roughness-table worldcover --tree-height trees.vrt --leaf-area 3
cp check.log out.log; said 'and it is said' 'no trees are 100 m high'
rm -f stats.json
grid trees 24 Float32 $utm "$there" '999'
wind 3 '576 cells have trees of .* the first 999 m' 'trees of 999 m are refused' --roughness wood.vrt --roughness-table worldcover --tree-height trees.vrt

# ---- metres ----
grid metres 24 Float32 $utm "$there" 'i == 5 && j == 7 ? -1 : 0.1'
wind 3 '1 of 576 cells .* first -1 m at column 5, row 7' 'a z0 out of range: which and where' --roughness metres.vrt
grid metres 24 Float32 $utm "$there" 'i == 5 ? -9999 : 0.1' '<NoDataValue>-9999</NoDataValue>'
wind 3 '24 of 576 cells .* no value, the first at column 5, row 0' 'gaps: how many and where' --roughness metres.vrt
grid metres 24 Float32 $utm '450600, 100, 0, 5140000, 0, -100' 0.1
wind 3 'does not cover the box' 'a map that ends inside the box' --roughness metres.vrt
grid metres 24 Float32 '' "$there" 0.1
wind 3 'no coordinate system: give --assume-metres' 'a map without a system' --roughness metres.vrt
wind 0 '' 'that has the same as the terrain' --roughness metres.vrt --assume-metres
# The same place in longitude and latitude: 450000 E 5140000 N is 117.6539 W 46.4128 N.
grid degrees 60 Float32 EPSG:4326 '-117.67, 0.001, 0, 46.43, 0, -0.001' 'i < 31 ? 0.01 : 1'
wind 0 '' 'a map in another system is brought to that of the terrain' --roughness degrees.vrt
said 'and lies where it should: west is smooth' 'z0 0.01 to 1 m.*comes in over 0.010'
rm -f ./*.vrt ./*.txt table.csv
nothing_left 'nothing is left behind'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
