#!/bin/sh
# SPDX-License-Identifier: MIT
# The foehn command as its users meet it: exit statuses, messages, files.
# One line per check; 77 when there is no OpenCL device.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

built() { # built EXTENSION: the format is in this build
    "$foehn" wind --quality low --steps 1 --quiet --out "probe.$1" 2> built.log
    code=$?
    rm -f "probe.$1" "probe.$1.json"
    [ $code -eq 0 ]
}

# ---- without a device ----
check 'help of the command' sh -c "'$foehn' --help > help.log"
check 'help of wind' "$foehn" wind --help
check 'help of devices' "$foehn" devices --help
# Every option of a command's help is in the manual, under that command or under what all runs have.
manual() { # manual COMMAND: the lines about it
    awk -v command="$1" '
        /^\.S[hs] / {
            if (match(tolower($0), /foehn [a-z]+/)) at = substr(tolower($0), RSTART + 6, RLENGTH - 6)
            else if (/^\.Sh/) at = ""
            run = /The run/
        }
        at == command || run' "${FOEHN_BUILDDIR:-$src}/doc/foehn.1"
}
yaml=yes
"$foehn" flow --list > out.log 2> err.log || yaml=no
for command in devices wind fire flow box bench; do
    check "the help lists $command" grep -q "^  $command " help.log
done
for command in devices wind flow box bench; do
    "$foehn" $command --help > help.log 2> err.log || continue # not in this build
    manual $command > manual.log
    missing=
    for option in $(sed -n 's/^ *--\([a-z0-9-]*\).*/\1/p' help.log); do
        [ "$option" != help ] || continue
        grep -q -e "Fl -$option\( \|\$\)" manual.log || missing="$missing --$option"
    done
    check "the manual has every option of foehn $command" sh -c "[ -s help.log ] || exit 1; [ -z '$missing' ] || { echo 'not in foehn(1):$missing'; exit 1; }"
done
check 'version' sh -c "'$foehn' --version | grep -q '^foehn [0-9]*\.[0-9]*\.[0-9]* '"
expect 2 'no command' 'no command is wrong usage'
expect 2 'did you mean foehn wind' 'an unknown command gets a suggestion' winf
expect 2 'no such command: see' 'a far-off command gets the help' qqqqqqqqqq
expect 2 'did you mean --spacing' 'an unknown option gets a suggestion' wind --spacings 4
expect 2 '--u10 takes an argument' 'a missing argument names the option' wind --u10
expect 2 'takes no argument' 'an argument too much names the option' wind --quiet=yes
expect 2 'unexpected argument hill.tif' 'a stray word is refused' wind hill.tif
expect 2 '--steps and --duration' 'steps and duration exclude each other' wind --steps 1 --duration 1
expect 2 '--quality and --cells' 'quality and cells exclude each other' wind --quality low --cells 8x8x8
expect 2 '--window needs --terrain' 'a window needs terrain' wind --window 0,0,1,1
expect 2 '--checkpoint-every needs' 'checkpoint-every needs a file' wind --checkpoint-every 1
expect 2 'known are .nc' 'an unknown extension lists the known' wind --out a.xyz
expect 2 'known are .nc' 'a name without extension lists the known' wind --out a
expect 2 'give --probe' 'csv needs a probe' wind --out a.csv
expect 2 '--probe needs --out' 'a probe needs csv' wind --probe 0,0,10
expect 2 'given twice' 'the same file twice is refused' wind --out a.raw --out a.raw
expect 3 '--u10 abc: not a number' 'u10 that is no number' wind --u10 abc
expect 3 '--u10 -5: out of range' 'u10 out of range' wind --u10 -5
expect 3 '--u10 nan' 'u10 that is nan' wind --u10 nan
expect 3 '--steps 0' 'no steps' wind --steps 0
expect 3 '--steps 1.5' 'half a step' wind --steps 1.5
expect 3 '--dt -1' 'dt below zero' wind --dt -1
expect 3 '--gustiness 2' 'gustiness above one' wind --gustiness 2
expect 3 'low-crops' 'an unknown roughness class lists the known' wind --z0 swamp
expect 3 'low, medium, high, ultra' 'an unknown quality lists the known' wind --quality best
expect 3 '--cells 8x8' 'cells of two numbers' wind --cells 8x8
expect 3 '--cells 8x0x8' 'no cells' wind --cells 8x0x8
expect 3 '--spacing 4x' 'spacing cut short' wind --spacing 4x
expect 3 '--window 1,2' 'window of two numbers' wind --terrain a.tif --window 1,2
expect 3 'west must be less' 'window turned over' wind --terrain a.tif --window 9,0,1,1
expect 3 'no such name: give collocated, staggered' 'an unknown scheme' wind --scheme fancy
if [ "$yaml" = yes ]; then
    expect 3 'did you mean speed?' 'an unknown layer of a flow gets a suggestion' flow box --layer spede
else
    expect 2 'fire: scenes are not built in: install libyaml-dev' 'a fire says what to install' fire torch
    expect 2 'flow: scenes are not built in: install libyaml-dev' 'a flow says what to install' flow --list
fi
expect 3 'missing.tif' 'a raster that is not there' wind --terrain missing.tif
expect 3 'outside the box' 'a probe outside the box' wind --probe 9999,0,10 --out a.csv
expect 3 'missing.csv' 'an input that is not there' wind --input missing.csv
expect 2 '--u10 and --input' 'u10 and input exclude each other' wind --u10 5 --input a.csv
printf 'time,u\n1,2\n' > bad1.log
expect 3 'bad1.log:1: the first row' 'an input without its header' wind --input bad1.log
printf 'time_s,u10,from,gustiness\n0,5,270,0.3\n1,five,270,0.3\n' > bad2.log
expect 3 "bad2.log:3: u10 is 'five'" 'an input row that is no number' wind --input bad2.log
printf 'time_s,u10,from,gustiness\n0,5,270,0.3\n1,5,270\n' > bad3.log
expect 3 'bad3.log:3: fewer columns' 'an input row cut short' wind --input bad3.log
printf 'time_s,u10,from,gustiness\n2,5,270,0.3\n1,5,270,0.3\n' > bad4.log
expect 3 'bad4.log:3: time_s is 1, not later' 'an input that goes back' wind --input bad4.log
printf 'time_s,u10,from,gustiness\n0,5,270,3\n' > bad5.log
expect 3 'bad5.log:2: gustiness is 3' 'an input value out of range' wind --input bad5.log

if hidden; then
    OCL_ICD_VENDORS=$none expect 4 'pocl' 'no device says what to install' devices
    if grep -q "ICD files seen in $none: none" err.log; then pass 'and which ICD files it saw'
    else flunk 'and which ICD files it saw' "$(cat err.log)"; fi
    OCL_ICD_VENDORS=$none expect 4 'pocl' 'no device for wind' wind --steps 1 --out a.raw
fi
nothing_left 'nothing is left of runs that did not start'

if grep -q 'without GDAL' err.log || ! "$foehn" wind --terrain "$data/bell.tif" --top 0 2>&1 | grep -q 'below the summit'; then
    gdal=no; echo 'no GDAL in this build: terrain is not tested'
else
    gdal=yes
fi
if [ $gdal = yes ]; then
    expect 3 'fewer than 8 x 8' 'terrain: too small' wind --terrain "$data/tiny.tif"
    expect 3 'no coordinate system: give --assume-metres' 'terrain: no coordinate system' wind --terrain "$data/no_srs.tif"
    expect 3 'fewer than 8 x 8' 'terrain: metres assumed, too small' wind --assume-metres --terrain "$data/no_srs.tif"
    expect 3 'all 6808 cells' 'terrain: nothing but gaps' wind --terrain "$data/nodata.tif"
    expect 3 '6250 of 62500 cells (10.0 %)' 'terrain: too many gaps' wind --terrain "$data/many_gaps.vrt"
    expect 3 'not inside' 'terrain: window outside' wind --terrain "$data/bell.tif" --window 0,0,1000,1000
    expect 3 'fewer than 8 x 8' 'terrain: window too small' wind --terrain "$data/bell.tif" --window 280000,4879000,280100,4879100
    expect 3 'below the summit' 'terrain: lid under the summit' wind --terrain "$data/bell.tif" --top 300
    expect 3 '8 layers of 5 m reach' 'terrain: cells that end under the summit' wind --terrain "$data/bell.tif" --cells 16x8x16 --spacing 60x5
    expect 3 'cannot be read as a raster' 'terrain: not a raster' wind --terrain "$0"
fi

# ---- with a device ----
if ! "$foehn" devices > devices.log 2>&1; then
    cat devices.log
    [ "${FOEHN_REQUIRE_DEVICE:-0}" = 1 ] && { echo 'FAILED: a device is required'; exit 1; }
    echo "$checks checks, $failures failed; no device for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi
check 'devices name their ways to publish' grep -q 'publishes by host; GL copied' devices.log
"$foehn" bench flow --most 40000 --json > bench.log 2> err.log
check 'bench flow has kernels, stages and steps' sh -c 'for k in flow_kernels flow_stages flow_steps projection advection; do grep -q "$k" bench.log || { echo "no $k"; exit 1; }; done'
check 'devices as JSON' sh -c "'$foehn' devices --json | grep -q '\"chosen\": true'"
expect 4 'nosuchdevice' 'a device that is not there' wind --device nosuchdevice --steps 1
small='--cells 12x8x10 --quiet'
expect 0 '' 'a small run' wind $small --steps 3 --out a.raw --stats a.json
check 'stats have the common keys' sh -c 'for k in device platform steps dt wall_s step_ms_median device_ms_median cells cells_per_s memory_bytes mean_speed_10m mean_abs_divergence max_abs_divergence max_speed turbulence_intensity_10m gusts pressure_residual; do grep -q "\"$k\": " a.json || { echo "no $k"; exit 1; }; done'
check 'raw has 8 bytes a cell' sh -c '[ $(wc -c < a.raw) -eq $((12 * 8 * 10 * 8)) ] && grep -q "\"nx\": 12" a.raw.json'
check 'quiet is quiet' sh -c '[ ! -s out.log ] && [ ! -s err.log ]'
"$foehn" wind --cells 12x8x10 --steps 3 > out.log 2> err.log
check 'no progress bar in a pipe' sh -c '[ ! -s err.log ] && ! grep -q "\[" out.log && ! grep -q "$(printf "\r")" out.log'
"$foehn" wind --cells 12x8x10 --steps 3 --stats - > out.log 2> err.log
check 'stats on stdout are nothing but JSON' sh -c '[ "$(head -c 1 out.log)" = "{" ] && [ "$(tail -n 1 out.log)" = "}" ]'
"$foehn" wind $small --steps 20 --out b1.raw && "$foehn" wind $small --steps 20 --out b2.raw
check 'the same seed gives the same bytes' cmp b1.raw b2.raw
for language in $(locale -a 2> /dev/null | grep '^\(de\|fr\|ru\)_.*[uU][tT][fF]'); do
    LC_ALL=$language "$foehn" wind $small --steps 20 --dt 0.25 --out b3.raw --stats b3.json
    "$foehn" wind $small --steps 20 --dt 0.25 --out b2.raw
    check "numbers are read and written alike in $language" sh -c 'cmp b2.raw b3.raw && grep -q "\"dt\": 0.25," b3.json'
done
"$foehn" wind $small --steps 20 --seed 2 --out b3.raw
check 'another seed gives other bytes' sh -c '! cmp -s b1.raw b3.raw'
printf 'time_s,u10,from,gustiness\n0,5,350,0.3\n20,5,10,0.3\n' > turn.log
"$foehn" wind $small --spacing 4 --dt 0.1 --duration 20 --input turn.log --probe 0,0,10,mast --out turn.csv
check 'input turns the short way round' sh -c "awk -F, '/^[0-9]/ { if (\$10 > 30 && \$10 < 330) bad = 1; n++ } END { exit bad || n != 200 }' turn.csv"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked.d && chmod a-w locked.d
    expect 1 'locked.d/a.raw: cannot be written' 'a folder that cannot be written' wind $small --steps 1 --out locked.d/a.raw
    rmdir locked.d
fi
expect 1 'missing.d/a.raw: cannot be written' 'a folder that is not there' wind $small --steps 1 --out a2.raw --out missing.d/a.raw
check 'and the other file is not there either' test ! -e a2.raw
mkdir folder.raw
expect 1 'folder.raw: is a folder' 'a folder of that name' wind $small --steps 1 --out folder.raw
rmdir folder.raw
rm -f ./*.raw ./*.json ./*.csv

for kind in nc vtkhdf tif png; do
    built $kind || { grep -q 'built without' built.log && echo "no .$kind in this build" && continue; }
    "$foehn" wind $small --steps 20 --out c1.$kind && "$foehn" wind $small --steps 20 --out c2.$kind
    check "the same seed gives the same bytes: .$kind" cmp c1.$kind c2.$kind
done
rm -f c1.* c2.*

if built nc && command -v ncdump > /dev/null; then
    "$foehn" wind $small --dt 0.1 --duration 2 --every 0.5 --out s.nc
    check 'NetCDF holds a time per --every' sh -c 'ncdump -h s.nc | grep -q "UNLIMITED ; // (4 currently)"'
    check 'NetCDF says what it holds' sh -c 'ncdump -h s.nc | grep -q "eastward_wind:standard_name = \"eastward_wind\""'
fi
if built png; then
    "$foehn" wind $small --dt 0.1 --duration 1 --every 0.5 --out s.png
    check 'pictures are numbered' sh -c '[ -s s-0001.png ] && [ -s s-0002.png ] && [ -s s.png ]'
fi
rm -f s.nc s*.png

# Stopping.
also=
built nc && also='--out i.nc'
stop_a_step wind --cells 24x8x24 --steps 100000000 --quiet --out i.raw $also
if [ $code -eq 0 ]; then pass 'Ctrl-C ends with status 0'; else flunk 'Ctrl-C ends with status 0' "status $code" "$(cat err.log)"; fi
check 'and says where it stopped' grep -q 'warning: stopped after step' err.log
check 'and the raw file is whole' sh -c '[ $(wc -c < i.raw) -eq $((24 * 8 * 24 * 8)) ]'
if [ -e i.nc ] && command -v ncdump > /dev/null; then check 'and the NetCDF opens' sh -c 'ncdump -h i.nc > /dev/null'; fi
rm -f i.raw i.raw.json i.nc
stopped_while_building 'a stop while kernels are built is a stop' wind --cells 24x8x24 --steps 100000000 --quiet --out i.raw
check 'and writes nothing' test ! -e i.raw
rm -f i.raw i.raw.json
"$foehn" wind --cells 24x8x24 --steps 100000000 --quiet --out k.raw 2> err.log &
pid=$!; sleep 1; kill -KILL $pid; wait $pid 2> /dev/null
check 'a killed run leaves no file of that name' test ! -e k.raw
rm -f .k.raw.*

# Checkpoints.
if "$foehn" wind $small --steps 10 --checkpoint p.h5 2> err.log; then
    "$foehn" wind $small --steps 10 --gustiness 0.9 --checkpoint p.h5
    "$foehn" wind $small --steps 25 --gustiness 0.9 --out whole.raw
    "$foehn" wind $small --steps 25 --gustiness 0.9 --resume p.h5 --out resumed.raw
    check 'a resumed run equals an uninterrupted one' cmp whole.raw resumed.raw
    expect 3 'made with --seed 1, not 2' 'a resume with another seed names it' wind $small --steps 25 --gustiness 0.9 --seed 2 --resume p.h5
    expect 3 'made with --cells 12x8x10' 'a resume with other cells names them' wind --cells 12x8x11 --gustiness 0.9 --steps 25 --resume p.h5
    expect 3 'made with --gustiness 0.9' 'a resume with another wind names it' wind $small --steps 25 --resume p.h5
    expect 2 'at step 10 already' 'a resume that is beyond' wind $small --steps 9 --gustiness 0.9 --resume p.h5
    expect 1 'missing.d/p.h5: cannot be written' 'a checkpoint that cannot be written is refused at once' wind $small --steps 100000000 --checkpoint missing.d/p.h5
    head -c 3000 p.h5 > cut.h5
    expect 3 'cut.h5' 'a checkpoint cut short' wind $small --steps 25 --gustiness 0.9 --resume cut.h5
    expect 3 'cannot be read as a checkpoint' 'a checkpoint that is none' wind $small --steps 25 --resume "$src/tests/command/test_cli.sh"
    if [ $gdal = yes ]; then
        # Interrupted while it averages, then resumed: the mean goes on, too.
        hill="--terrain $data/bell.tif --cells 12x12x12 --steps 6000 --quiet"
        "$foehn" wind $hill --out whole.raw --stats whole.json
        stop_a_step wind $hill --checkpoint t.h5
        if grep -q 'stopped after' err.log; then
            expect 0 '' 'a run over terrain goes on from where it was stopped' wind $hill --resume t.h5 --out resumed.raw --stats resumed.json
            check 'a run over terrain, stopped and resumed, equals an uninterrupted one' cmp whole.raw resumed.raw
            grep -h 'speed\|samples\|diverg' whole.json > whole.log; grep -h 'speed\|samples\|diverg' resumed.json > resumed.log
            check 'and its mean, too' cmp whole.log resumed.log
        else
            echo 'the run was over before it could be stopped: resume over terrain is not tested'
        fi
    fi
fi
if [ -s p.h5 ] && "$foehn" flow --list > flow.log 2>&1; then
    for scene in wing stir; do # tracers, strokes, a restart of nothing
        flow="flow $scene --cells 48x27 --quiet"
        "$foehn" $flow --steps 41 --out whole.csv --stats whole.json --checkpoint whole.h5
        "$foehn" $flow --steps 20 --checkpoint f.h5
        "$foehn" $flow --steps 41 --resume f.h5 --out resumed.csv --stats resumed.json --checkpoint resumed.h5
        check "flow: a resumed $scene measures what an uninterrupted one does" cmp whole.csv resumed.csv
        check "flow: and its last state is the same" cmp whole.h5 resumed.h5
        sed '1,/"cells_per_s"/d; /"memory_bytes"/d' whole.json > whole.log
        sed '1,/"cells_per_s"/d; /"memory_bytes"/d' resumed.json > resumed.log
        check 'flow: and its figures, too' sh -c 'grep -q measures whole.log && cmp whole.log resumed.log'
    done
    "$foehn" flow cylinder --cells 48x27 --quiet --duration 0.21 --every 0.07 --out f.csv --stats f.json
    check 'flow: the step is shortened so that --every is a whole number of them' awk -F'[:,]' '/"dt"/ { d = $2 - 0.014 } /"steps"/ { n = $2 } END { exit !(d < 1e-9 && -d < 1e-9 && n == 15) }' f.json
    check 'flow: and times have no noise' sh -c 'cut -d, -f1 f.csv | grep -qx 0.21 && ! cut -d, -f1 f.csv | grep -q "......."'
    rm -f f.csv f.json
    "$foehn" flow cylinder --cells 48x27 --quiet --steps 40 --every 0.2 --checkpoint f.h5 --checkpoint-every 0.3
    expect 0 '' 'flow: the last of many checkpoints goes on' flow cylinder --cells 48x27 --quiet --steps 42 --resume f.h5
    expect 3 'made with --scene cylinder' 'flow: a checkpoint of another scene' flow stir --cells 48x27 --steps 50 --resume f.h5
    expect 3 'made with --cells 48x27, not 24x16' 'flow: of other cells' flow cylinder --cells 24x16 --steps 50 --resume f.h5
    expect 3 'made with --seed 1, not 2' 'flow: of another seed' flow cylinder --cells 48x27 --seed 2 --steps 50 --resume f.h5
    expect 3 'made with --surface staircase' 'flow: of another surface' flow cylinder --cells 48x27 --surface fractions --steps 50 --resume f.h5
    expect 3 'made with --off' 'flow: of other terms' flow cylinder --cells 48x27 --off advection --steps 50 --resume f.h5
    expect 2 'at step 40 already' 'flow: that is beyond' flow cylinder --cells 48x27 --steps 39 --resume f.h5
    expect 3 'no checkpoint of foehn flow' 'flow: of the wind' flow cylinder --cells 48x27 --steps 50 --resume p.h5
    expect 3 'no checkpoint of foehn wind' 'and of a flow for the wind' wind $small --steps 50 --resume f.h5
    head -c 30000 f.h5 > cut.h5
    expect 3 'cut.h5' 'flow: a checkpoint cut short' flow cylinder --cells 48x27 --steps 50 --resume cut.h5
    expect 3 'cannot be read as a checkpoint' 'flow: a checkpoint that is none' flow cylinder --cells 48x27 --steps 50 --resume "$src/tests/command/test_cli.sh"
    expect 1 'missing.d/f.h5: cannot be written' 'flow: a checkpoint that cannot be written is refused at once' flow cylinder --steps 100000000 --checkpoint missing.d/f.h5
    if sed 's/foehnL1/foehnL0/' f.h5 > old.h5 && [ "$(wc -c < old.h5)" -eq "$(wc -c < f.h5)" ]; then
        expect 3 'no flow checkpoint of this version' 'flow: of another version' flow cylinder --cells 48x27 --steps 50 --resume old.h5
    fi
fi
rm -f ./*.h5 ./*.raw ./*.json ./*.csv

# The lid-driven cavity's primary vortex lies at 0.6172, 0.7344 (Ghia, Ghia and Shin 1982, Re 100).
if "$foehn" flow --list > flow.log 2>&1; then
    "$foehn" flow cavity --cells 32x32 --dt 0.015625 --duration 12 --quiet --stats eddy.json
    check 'flow: the vortex of the cavity is its primary vortex' awk -F: '/vortex_x/ { x = $2 + 0 } /vortex_y/ { y = $2 + 0 } END { exit !(x > 0.607 && x < 0.627 && y > 0.724 && y < 0.745) }' eddy.json
    rm -f eddy.json
fi

# Terrain.
if [ $gdal = yes ]; then
    hill='--cells 12x12x12 --steps 4'
    expect 0 '10 of 6808 cells' 'terrain: a few gaps are filled and told' wind --terrain "$data/some_nodata.tif" $hill --quiet
    expect 0 'have height 0' 'terrain: zeros amid mountains are told' wind --terrain "$data/mackay_small.tif" $hill --quiet
    for raster in bell.tif mackay_skinny_y.tif; do
        expect 0 '' "terrain: $raster" wind --terrain "$data/$raster" --cells 12x12x8 --steps 4
    done
    expect 0 '' 'terrain: eight cells wide' wind --terrain "$data/mackay_skinny_x.tif" --cells 8x12x16 --steps 4
    said() { if grep -q "$2" out.log; then pass "$1"; else flunk "$1" "$(cat out.log)"; fi; }
    expect 0 '' 'terrain: longitude and latitude' wind --terrain "$data/geog.tif" $hill
    said 'and the report names the UTM zone' 'reprojected to WGS 84 / UTM zone 12N'
    expect 0 '' 'terrain: heights in feet' wind --terrain "$data/feet.vrt" $hill
    said 'and the heights are metres' '61 to 183 m'
    expect 0 '' 'terrain: coordinates in feet' wind --terrain "$data/feet_crs.vrt" $hill
    said 'and the cells are metres' '30.4801 x 30.4801 m'
    expect 0 '' 'terrain: rotated' wind --terrain "$data/rotated.vrt" $hill
    said 'and the report says so' 'resampled to north up'
    expect 0 '' 'terrain: metres assumed' wind --terrain "$data/no_crs.vrt" --assume-metres $hill
    said 'and true north is grid north' 'metres, assumed'
    # The bell is the same seen from north and from south: it must lie at the same place, too.
    for raster in bell.tif north_up.vrt; do
        "$foehn" wind --terrain "$data/$raster" --window 281000,4879000,284000,4882000 --cells 12x12x12 --steps 4 --quiet --out "$raster.raw"
    done
    check 'a raster from south to north lies where one from north to south does' cmp bell.tif.raw north_up.vrt.raw
    "$foehn" wind --terrain "$data/bell.tif" --cells 24x12x24 --steps 8 --quiet --stats bell.json
    check 'both angles are in the stats, unrounded' grep -q '"from_grid": 271.88145196' bell.json
fi
rm -f ./*.json ./*.raw

nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
