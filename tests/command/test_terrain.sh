#!/bin/sh
# SPDX-License-Identifier: MIT
# Rasters of heights that mislead: voids that no one declared, units, systems that stretch or turn the
# ground, pictures.  All are made here: heights as text, and what GDAL is to think of them in a VRT.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

# heights NAME N EXPRESSION: N x N heights in NAME.txt; i, j and hill (0 to 148 m) are there to use
heights() {
    awk -v n="$2" 'BEGIN {
        print "ncols " n "\nnrows " n "\nxllcorner 0\nyllcorner 0\ncellsize 1"
        for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
            x = (i + 0.5) / n - 0.5; y = (j + 0.5) / n - 0.5
            hill = 150.5 * exp(-(x * x + y * y) * 120); inside = i >= 40 && i < 44 && j >= 20 && j < 24
            printf "%s%s", '"$3"', i < n - 1 ? " " : "\n"
        } }' > "$1.txt"
}
# vrt NAME SYSTEM "G0, G1, ..." BAND [BANDS]: NAME.vrt over NAME.txt of 60 x 60; BAND is more XML of its band
vrt() {
    type=${6:-Float32}
    cat > "$1.vrt" <<END
<VRTDataset rasterXSize="${size:-60}" rasterYSize="${size:-60}"><SRS>$2</SRS><GeoTransform>$3</GeoTransform>
<VRTRasterBand dataType="$type" band="1">$4<SimpleSource><SourceFilename relativeToVRT="1">$1.txt</SourceFilename>
<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>${5:-}</VRTDataset>
END
}
utm='EPSG:32611' there='450000, 100, 0, 5140000, 0, -100'
wind() { expect "$1" "$2" "$3" wind --terrain "$4" --cells 12x8x12 --steps 1 ${5:-}; }
said() { if grep -q -e "$2" out.log err.log; then pass "$1"; else flunk "$1" "$(cat out.log err.log)"; fi; }

# ---- without a device ----
heights plain 60 '800 + hill'
vrt plain $utm "$there" ''
if "$foehn" wind --terrain plain.vrt --top 0 2>&1 | grep -q 'without GDAL'; then
    echo 'no GDAL in this build: terrain is not tested'; exit 77
fi
nothing() { rm -f ./*.vrt ./*.txt; }

colours='<ColorInterp>Red</ColorInterp>'
vrt plain $utm "$there" "$colours" '<VRTRasterBand dataType="Byte" band="2"><ColorInterp>Green</ColorInterp></VRTRasterBand><VRTRasterBand dataType="Byte" band="3"><ColorInterp>Blue</ColorInterp></VRTRasterBand>' Byte
wind 3 '65536 R' 'colours are refused, with the formula of terrain-RGB' plain.vrt
vrt plain $utm "$there" '<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1="1" c2="2" c3="3"/></ColorTable>' '' Byte
wind 3 'colours in a palette' 'numbers of a palette are refused' plain.vrt
vrt plain $utm "$there" '' '' CFloat32
wind 3 'complex numbers' 'complex numbers are refused' plain.vrt
vrt plain $utm "$there" '<UnitType>fortnights</UnitType>'
wind 3 '--height-unit' 'a unit that is unknown is refused, with the option' plain.vrt
vrt plain $utm "$there" '<UnitType>m2 s-2</UnitType>'
wind 3 "'m2 s-2', an unknown unit" 'a geopotential is no height' plain.vrt
vrt plain $utm 'nan, 100, 0, 5140000, 0, -100' ''
wind 3 'georeference is not finite' 'a georeference that is no number' plain.vrt
vrt plain $utm '450000, 1e300, 0, 5140000, 0, -1e300' ''
wind 3 'georeference is not finite' 'a georeference beyond all systems' plain.vrt
wind 3 'NETCDF:.*two_variables.nc:elevation' 'a file of several rasters names them' "$data/two_variables.nc"
vrt plain EPSG:4326 '-120, 0.2, 0, 50, 0, -0.2' ''
expect 3 '--window W,S,E,N' 'an area too wide names the window' wind --terrain plain.vrt --steady
if grep -q -e '--spacing [0-9]' err.log; then flunk 'and no spacing that was not given' "$(cat err.log)"; else pass 'and no spacing that was not given'; fi
expect 2 '--void-height needs --terrain' 'a height of voids needs terrain' wind --void-height 0
expect 3 'in blocks of 16400 x 16400' 'a block of 1 GiB in a file of 566 bytes' wind --terrain "$data/huge_block.tif"
expect 3 'in blocks of 255 x 12036' 'and one of 26 GiB by 2305 bands in 310 bytes' wind --terrain "$data/many_bands.tif"
vrt plain EPSG:32611+5715 "$there" ''
wind 3 'holds depths' 'a vertical system that counts downwards' plain.vrt
vrt plain $utm "$there" '<Metadata><MDI key="positive">down</MDI></Metadata>'
wind 3 'holds depths' 'a band that says that it does' plain.vrt
vrt plain EPSG:32661 '1997000, 100, 0, 2003000, 0, -100' ''
wind 3 'the North pole, at 2000000,2000000' 'a pole in the box' plain.vrt
vrt plain EPSG:32761 '1997500, 100, 0, 2007000, 0, -100' ''
wind 3 'the South pole, at 2000000,2000000' 'a pole beside it' plain.vrt
vrt plain EPSG:32632 '-1000000, 50000, 0, 6500000, 0, -50000' ''
wind 3 'its corner -1000000,3500000 a metre of the ground is 1.0' 'a box too wide for its system' plain.vrt
vrt plain EPSG:4326 '-180, 6, 0, 90, 0, -3' ''
wind 3 '360 x 180 degrees.*-projwin' 'the whole globe' plain.vrt
vrt plain EPSG:4326 '46.4, 0.001, 0, 117.66, 0, -0.001' ''
wind 3 'latitude 117.6 to 117.66' 'latitudes that are longitudes' plain.vrt
vrt plain $utm "$there" ''
sed -i 's|<GeoTransform>.*</GeoTransform>|<GCPList Projection="EPSG:32611"><GCP Id="1" Pixel="0" Line="0" X="450000" Y="5140000"/></GCPList>|' plain.vrt
wind 3 'control points' 'ground control points alone' plain.vrt
printf 'PK\003\004' > plain.zip
wind 3 'no format like it.*/vsizip' 'an archive' plain.zip
rm plain.zip
expect 3 'give m, ft' 'a unit that is none lists the known' wind --terrain plain.vrt --height-unit ells

# Voids along edges that a reprojection turned, and a sea.
heights wedges 60 '(i + 0.06 * j < 3.6 || 59 - i + 0.06 * (59 - j) < 3.6) ? -9999 : 800 + hill'
vrt wedges $utm "$there" '<NoDataValue>-9999</NoDataValue>'
wind 3 'largest part without is --window 45' 'wedges of voids: the largest upright part is named' wedges.vrt
part=$(sed -n 's/.*is \(--window [0-9.,-]*\).*/\1/p' err.log)
heights coast 60 'i < 24 ? -9999 : 5 + hill'
vrt coast $utm "$there" '<NoDataValue>-9999</NoDataValue>'
wind 3 'if they are sea, give --void-height 0' 'a coast: the sea is named' coast.vrt

if ! "$foehn" devices > /dev/null 2>&1; then
    nothing; echo "$checks checks, $failures failed; no device for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi

# ---- voids ----
wind 0 '' 'and is taken as it is named' wedges.vrt "$part"
said 'with sound ground' '800 to 948 m'
wind 0 '' 'a sea at 0' coast.vrt '--void-height 0'
said 'lies at 0' '0 to 153 m'
for void in -9999 -32768 -32767 -99999 -999 32767 9999; do
    heights void 60 "inside ? $void : 800 + hill"
    vrt void EPSG:4326 '-117.66, 0.001, 0, 46.4, 0, -0.001' ''
    wind 0 '16 of [0-9]* cells' "void $void, not declared, in longitude and latitude" void.vrt
    said 'is found before the warp' '800 to 948 m'
    vrt void $utm "$there" '<NoDataValue>-1e38</NoDataValue>'
    wind 0 '16 of 3600 cells.*= 454000,5137600,454400,5138000' "void $void beside another that is declared" void.vrt
    said 'is found, too' '800 to 948 m'
done
heights void 60 'inside ? -555 : 800 + hill'
vrt void $utm "$there" ''
wind 0 'have height -555 while the ground beside them lies at 8' 'a pit that no one knows is told' void.vrt
heights void 60 '-999 + (i - 30) * 4'
vrt void $utm "$there" ''
wind 0 '' 'a sea bed at -999 m is ground' void.vrt
said 'all of it' '-1119 to -883 m'
if grep -q 'taken as voids\|no height\|gaps' err.log; then flunk 'without a word' "$(cat err.log)"; else pass 'without a word'; fi
heights void 60 'inside ? -32768 : 2625 + 3.28084 * hill'
vrt void $utm "$there" '<UnitType>ft</UnitType>'
wind 0 '16 of 3600 cells' 'a void in feet' void.vrt
said 'is none in metres' '800 to 948 m'
heights void 60 'inside ? -999900 : 100 * (800 + hill)'
vrt void $utm "$there" '<Scale>0.01</Scale>' '' Int32
wind 0 '16 of 3600 cells' 'a void as it is once it is scaled' void.vrt
said 'is found' '800 to 948 m'
heights void 60 'i < 20 ? -60 : 5 + hill'
vrt void $utm "$there" ''
wind 0 '33.3 % of it lies below 0 m, down to -60 m' 'what may be the floor of a sea is told' void.vrt
heights void 60 '-430 + hill'
vrt void $utm "$there" ''
wind 0 '' 'the shore of the Dead Sea' void.vrt
if grep -q 'below 0 m' err.log; then flunk 'is land' "$(cat err.log)"; else pass 'is land'; fi
size=4200
awk 'BEGIN { print "ncols 4200\nnrows 4200\nxllcorner 0\nyllcorner 0\ncellsize 1"
    for (i = 0; i < 4200; i++) row = row " 800"
    for (i = 0; i < 4200; i++) part = part (i == 2001 ? " -9999" : " 800")
    for (j = 0; j < 4200; j++) print j == 99 ? part : row }' > void.txt
vrt void $utm '450000, 10, 0, 5140000, 0, -10' '' '' Int16
wind 0 '1 of 17640000 cells' 'a void among more cells than are kept' void.vrt
said 'is found before the mean' '800 to 800 m'
unset size
# What gdalwarp -dstalpha writes: the alpha band has the type of the heights.
heights void 60 'inside ? 0 : 800 + hill'
heights alpha 60 'inside ? 0 : 255'
vrt void $utm "$there" '' '<VRTRasterBand dataType="Float32" band="2"><ColorInterp>Alpha</ColorInterp><SimpleSource><SourceFilename relativeToVRT="1">alpha.txt</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>'
wind 0 '16 of 3600 cells' 'alpha 0 of any type is a void' void.vrt
said 'and no ground at 0' '800 to 948 m'

vrt plain $utm "$there" '<Description>bare earth</Description>' '<VRTRasterBand dataType="Float32" band="2"><SimpleSource><SourceFilename relativeToVRT="1">plain.txt</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>'
wind 0 '' 'two bands of heights' plain.vrt
said 'and which one is taken' 'first band of 2 (bare earth)'

# ---- units ----
heights plain 60 '(800 + hill) / 0.3048'
for unit in ft feet Foot 'international foot' sft 'US survey foot' ftUS us-ft 'feet (NAVD88)'; do
    vrt plain $utm "$there" "<UnitType>$unit</UnitType>"
    wind 0 '' "heights in '$unit'" plain.vrt
    said 'are converted' '800 to 948 m'
done
vrt plain $utm "$there" '<Metadata><MDI key="ELEVATION_UNIT">1</MDI><MDI key="ELEVATION_UNIT_NAME">Feet</MDI></Metadata>'
wind 0 '' 'feet as landscape files say them' plain.vrt
said 'are converted' '800 to 948 m'
vrt plain $utm "$there" '<UnitType>fortnights</UnitType>'
wind 0 '' 'feet as the option says' plain.vrt '--height-unit ft'
said 'are converted' '800 to 948 m'
heights plain 60 '800 + hill'
for unit in m Meter '[m]' 'metres above sea level' 'm WGS84'; do
    vrt plain $utm "$there" "<UnitType>$unit</UnitType>"
    wind 0 '' "heights in '$unit'" plain.vrt
    said 'are metres' '800 to 948 m'
done

# ---- systems ----
vrt plain $utm "$there" '' '' Byte
heights plain 60 '80 + hill'
sed -i 's/<VRTRasterBand dataType="Byte" band="1">/&<ColorInterp>Gray<\/ColorInterp>/' plain.vrt
wind 0 'hillshade' 'grey of 8 bits is worth a warning' plain.vrt
heights plain 60 '800 + hill'
while read -r name west north system; do
    vrt plain "$system" "$west, 0.001, 0, $north, 0, -0.001" ''
    wind 0 '' "$name" plain.vrt
    said 'is brought to metres around its true place' "$(case $name in a-rotated*) echo 'WGS 84 / UTM zone 32N' ;; *) echo 'transverse Mercator at 9' ;; esac)"
    said 'with its hill' '800 to 94[78] m'
done <<END
a-rotated-pole -5 0 +proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=39.25 +lon_0=18 +datum=WGS84
a-sphere 8 47 +proj=longlat +R=6371229
END
vrt plain EPSG:32661 '1997000, 100, 0, 2003000, 0, -100' ''
wind 0 '' 'ground a box away from a pole' plain.vrt '--window 2001500,2001500,2002500,2002500'
if grep -q reprojected out.log; then flunk 'is as long as its system says' "$(cat out.log)"; else pass 'is as long as its system says'; fi
heights flat 60 200
# NAME SYSTEM WEST NORTH: all around the meridian where the convergence jumps, the wind is a westerly.
while read -r name system west north; do
    vrt flat "$system" "$west, 100, 0, $north, 0, -100" ''
    probes=
    for at in 300,300 5700,300 300,5700 5700,5700 2900,3000 3100,3000; do
        probes="$probes --probe $(echo "$at" | awk -F, -v w="$west" -v n="$north" '{ printf "%.10g,%.10g,10", w + $1, n - $2 }')"
    done
    "$foehn" wind --terrain flat.vrt --cells 12x8x12 --steps 3 --gustiness 0 --from 270 --quiet $probes --out p.csv 2> err.log
    check "a westerly is one in $name" awk -F, '/^[0-9]/ { n++; if ($10 < 269 || $10 > 271 || $6 <= 0) bad = 1 } END { exit bad || n != 18 }' p.csv
    rm -f p.csv
done <<END
EPSG:3413-astride-135-E EPSG:3413 -3000 2079527
EPSG:3031-astride-180 EPSG:3031 -3000 -1610900
EPSG:2053-of-south-orientated EPSG:2053 -3000 3500000
UTM EPSG:32611 450000 5140000
END
heights hill 60 '300 + 0.66 * hill'
vrt hill EPSG:32632 '552800, 100, 0, 6654800, 0, -100' ''
"$foehn" wind --terrain hill.vrt --steady --spacing 200x25 --quiet --stats utm.json
vrt hill EPSG:3857 '1107200, 200.14, 0, 8405700, 0, -200.14' ''
expect 0 '' 'the same hill in Web Mercator at 60 N' wind --terrain hill.vrt --steady --spacing 200x25 --stats mercator.json
said 'is brought to where a metre is one' 'reprojected to WGS 84 / UTM zone 32N'
fastest() { sed -n 's/.*"max_speed": \([0-9.]*\).*/\1/p' "$1"; }
check 'and has the same speed-up' awk -v a="$(fastest utm.json)" -v b="$(fastest mercator.json)" 'BEGIN { exit !(a > 12 && a - b < 0.01 * a && b - a < 0.01 * a) }'
size=4000
awk 'BEGIN { print "ncols 4000\nnrows 4000\nxllcorner 0\nyllcorner 0\ncellsize 1"
    for (i = 0; i < 4000; i++) row = row " 5"
    for (j = 0; j < 4000; j++) print row }' > mosaic.txt
vrt mosaic EPSG:3857 '-10000000, 5000, 0, 10000000, 0, -5000' '' '' Int16
unset size
expect 3 'EPSG:32632' 'a window of a mosaic where a metre is two is refused' wind --terrain mosaic.vrt --window 1107200,8393700,1119200,8405700 --steps 1
rm -f ./*.json

# ---- sound at once ----
expect 0 '' '--steady over flat terrain' wind --terrain flat.vrt --steady --stats s.json
check 'is done at once' grep -q '"cycles": 0' s.json
expect 0 '' '--steady over flat ground' wind --quality low --steady --out a.raw
heights plain 60 '800 + hill / 1e5'
vrt plain $utm "$there" ''
expect 0 '' '--steady over a hill of a millimetre' wind --terrain plain.vrt --steady --cells 24x12x24
rm -f a.raw a.raw.json s.json
nothing
nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
