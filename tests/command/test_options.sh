#!/bin/sh
# SPDX-License-Identifier: MIT
# Options as users bring them from other programs: files of options, other units, other heights.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
printf 'wind-speed 5\n' > bad.log
expect 3 'bad.log:1: unknown option wind-speed' 'a file with an unknown option names the line' wind --config bad.log
printf '# a site\n\nu10\n' > bad.log
expect 3 'bad.log:3: u10 takes a value' 'an option without its value' wind --config bad.log
printf 'steady maybe\n' > bad.log
expect 3 'bad.log:1: steady takes no value but' 'a value that is none' wind --config bad.log
printf 'config other\n' > bad.log
expect 3 'for the command line only' 'a file in a file' wind --config bad.log
expect 3 'missing.conf: cannot be read' 'a file that is not there' wind --config missing.conf
expect 3 '--u10 20knots: not a speed' 'a unit that is none' wind --u10 20knots
expect 3 '--height 60ft: not a number: give 0.01 to 10000 m' 'a height in another unit' wind --height 60ft
expect 3 '--height 60000m: out of range: give 0.01 to 10000 m' 'a unit may stand behind its number' wind --height 60000m
expect 3 'out of range: give 0 to 388' 'a range in the unit given' wind --u10 500kn
expect 3 'not above the roughness' 'a height within the roughness' wind --z0 1 --input-height 0.9
expect 3 'lower speed must be less' 'a range turned over' wind --range 9,1 --out a.png
expect 2 '--range needs' 'a range without a map' wind --range 1,9

"$foehn" wind --cells 8x4x8 --steps 1 --quiet 2> err.log || { cat err.log; echo "$checks checks, $failures failed"; [ $failures -eq 0 ] && exit 77; exit 1; }
u10() { sed -n 's/.*"u10": \([0-9.]*\).*/\1/p' s.json; }
is() { check "$1" awk -v a="$(u10)" -v b="$2" 'BEGIN { exit !(a != "" && a - b < 1e-4 && b - a < 1e-4) }'; }
printf '# a site\nu10 = 20kn\ncells 8x4x8\nsteps=1\nquiet yes\nsteady no\nstats "s.json"\n' > site.log
"$foehn" wind --config site.log > out.log
is 'options come from a file, knots as metres a second' 10.28889
check 'and all of them' sh -c '[ ! -s out.log ] && grep -q "\"cells\": 256" s.json'
"$foehn" wind --u10 36km/h --config site.log
is 'the command line overrides the file' 10
"$foehn" wind --config=site.log --u10 10 --input-height 80 --z0 0.03
is 'a speed at 80 m is less at 10 m' 7.36399
printf 'time_s,u10,from,gustiness\n0,10,270,0\n' > in.log
"$foehn" wind --cells 8x4x8 --steps 1 --quiet --stats s.json --input in.log --input-height 80
is 'those of a table, too' 7.36399
if "$foehn" wind --cells 8x4x8 --steps 1 --quiet --out a.tif --cog 2> err.log && command -v gdalinfo > /dev/null; then
    check 'a cloud-optimised GeoTIFF says so' sh -c 'gdalinfo a.tif | grep -q "LAYOUT=COG"'
fi
number() { sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" s.json; }
expect 3 '--divergence 2: out of range' 'a divergence of a whole speed' wind --divergence 2
expect 2 'is of --model forcing' 'a divergence of what has no steps to rest' wind --steady --divergence 1e-5
expect 2 'is of --model forcing' 'and of the collocated scheme' wind --scheme collocated --divergence 1e-5
"$foehn" wind --quality low --steps 20 --quiet --stats s.json
check 'by default |div u| h/u10 is at most 1e-5' awk -v d="$(number max_abs_divergence_h_u10)" 'BEGIN { exit !(d != "" && d < 1.2e-5) }'
check 'and how many cycles it took is told' awk -v n="$(number pressure_cycles_a_step)" 'BEGIN { exit !(n > 1 && n < 12) }'
"$foehn" wind --quality low --steps 20 --quiet --stats s.json --cycles 1
check 'a number of cycles is kept' awk -v n="$(number pressure_cycles)" 'BEGIN { exit n != 20 }'
"$foehn" wind --quality low --steps 20 --quiet --stats s.json --cycles 1 --divergence 1e-4
check 'unless both are given' awk -v n="$(number pressure_cycles)" -v d="$(number max_abs_divergence_h_u10)" 'BEGIN { exit !(n > 20 && d < 1.2e-4) }'
"$foehn" wind --cells 8x4x8 --steps 1 --gustiness 0 --quiet --out a.asc
check 'ASCII grids of speed and direction' sh -c 'awk "NR > 6 { n += NF; if (\$1 < 9 || \$1 > 11) bad = 1 } END { exit bad || n != 64 }" a.asc && awk "NR > 6 { n += NF; if (\$1 < 269 || \$1 > 271) bad = 1 } END { exit bad || n != 64 }" a-direction.asc'
if "$foehn" wind --cells 8x4x8 --steps 1 --quiet --origin 57,-7 --out a.gpkg 2> err.log && command -v ogrinfo > /dev/null; then
    check 'a GeoPackage has a point a cell' sh -c 'ogrinfo -so a.gpkg wind | grep -q "Feature Count: 64"'
    "$foehn" wind --cells 8x4x8 --steps 1 --quiet --origin 57,-7 --out b.gpkg
    check 'the same bytes in the same run' cmp a.gpkg b.gpkg
fi
if "$foehn" wind --cells 24x4x24 --steps 2 --quiet --out a.png 2> err.log; then
    "$foehn" wind --cells 24x4x24 --steps 2 --quiet --out b.png --range 0,40
    "$foehn" wind --cells 24x4x24 --steps 2 --quiet --out c.png --range 0,40
    check 'a range changes the map' sh -c '! cmp -s a.png b.png && cmp b.png c.png'
fi
expect 3 'give 5 m and more' 'a Monin-Obukhov length near 0' wind --model consistent --obukhov 2
expect 2 'needs --model momentum, or --model consistent' 'the air of the forcing is neutral' wind --obukhov 100
expect 2 'needs --model momentum' 'so is that of the LES' wind --model les --obukhov 100
mean_at() { "$foehn" wind --model consistent --cells 8x16x8 --spacing 20x5 --height 60 $1 --stats - --quiet | sed -n 's/.*"mean_speed_at_height": \([0-9.]*\).*/\1/p'; }
if "$foehn" devices > /dev/null 2>&1; then
    check 'stable air has more wind at 60 m, unstable less' sh -c "awk -v s=$(mean_at '--obukhov 100') -v n=$(mean_at '') -v u=$(mean_at '--obukhov -50') 'BEGIN { exit !(s > 1.2 * n && u < 0.95 * n) }'"
fi
rm -f s.json ./*.tif ./*.png ./*.asc ./*.prj ./*.gpkg
nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
