#!/bin/sh
# SPDX-License-Identifier: MIT
# Without a device: bad input is told as what it is, since all that needs no device is looked at before one
# is opened; good input meets the missing device.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
has_states=no
"$foehn" flow stir --cells 16x16 --steps 2 --quiet --checkpoint flow.h5 2> err.log &&
    "$foehn" fire torch --resolution 0.2 --steps 2 --quiet --checkpoint fire.h5 2>> err.log &&
    "$foehn" wind --cells 8x4x8 --steps 2 --quiet --checkpoint wind.h5 2>> err.log && has_states=yes
mkdir none
OCL_ICD_VENDORS=$dir/none OCL_ICD_FILENAMES=''
export OCL_ICD_VENDORS OCL_ICD_FILENAMES
"$foehn" devices > out.log 2> err.log
[ $? -eq 4 ] || { echo "a device is seen without ICD files: nothing can be tested"; exit 77; }
echo hello > bad.log
no_device() { name=$1; shift; expect 4 'no OpenCL driver is installed' "$name" "$@"; }
no_device 'a wind' wind --steps 1 --quiet
no_device 'many directions' wind --sectors 4 --model consistent --quiet
no_device 'benchmarks' bench wind
expect 3 'cannot be read\|without GDAL' 'wind: a raster that is not there' wind --terrain missing.tif
expect 3 'cannot be read' 'wind: a table that is not there' wind --input missing.csv
expect 2 'unknown extension' 'wind: a format that is none' wind --out a.gif
expect 1 'missing/a.csv: cannot be written' 'wind: a folder that is not there' wind --out missing/a.csv --probe 0,0,10
expect 1 'missing/s.json: cannot be written' 'wind: statistics, likewise' wind --stats missing/s.json
expect 1 'missing/s.json: cannot be written' 'many directions, likewise' wind --sectors 4 --model consistent --stats missing/s.json
expect 1 'missing/m-270.asc: cannot be written' 'maps of them, too' wind --sectors 4 --model consistent --every-sector missing/m-%03d.asc
expect 2 'm-090.asc and m-090.asc are one file' 'a map that is another output' wind --sectors 4 --model consistent --stats m-090.asc --every-sector m-%03d.asc
for command in flow fire; do
    built $command --list || continue
    scene=cylinder; [ $command = fire ] && scene=torch
    no_device "$command: a scene" $command $scene --quiet
    expect 2 'no such scene' "$command: a scene that is none" $command missing
    expect 3 'bad.log' "$command: a file that is no scene" $command ./bad.log
    expect 2 '--out a.gif' "$command: a format that is none" $command $scene --out a.gif
    expect 1 'missing/a.png: cannot be written' "$command: a folder that is not there" $command $scene --out missing/a.png
    expect 1 'missing/s.json: cannot be written' "$command: statistics, likewise" $command $scene --stats missing/s.json
    built $command $scene --checkpoint missing/a.h5 || continue
    expect 1 'missing/a.h5: cannot be written' "$command: a checkpoint, likewise" $command $scene --checkpoint missing/a.h5
    expect 3 'missing.h5: cannot be read' "$command: a checkpoint that is not there" $command $scene --resume missing.h5
    expect 3 'cannot be read as a checkpoint' "$command: a file that is none" $command $scene --resume bad.log
done
if built flow --list; then
    printf 'obstacles: [{shape: cylinder, size: 1, center: [2e6, 0]}]\n' > far.log
    expect 3 'far.log:1: center: 2e+06: lies beyond' 'flow: an obstacle far away' flow ./far.log
    printf 'title: still\n' > still.log
    expect 2 'measures nothing' 'flow: a table of nothing' flow ./still.log --out a.csv
fi
if built fire --list; then
    expect 3 'give 1600 voxels\|gives 1600 voxels' 'fire: a box of too many voxels' fire torch --resolution 20
    expect 3 'nothing of it lies in the box' 'fire: a mesh beside the box' fire torch --mesh ring --mesh-scale 1e6
    expect 3 'missing.obj: cannot be read' 'fire: a mesh that is not there' fire torch --mesh missing.obj
    expect 3 'missing.png: cannot be read' 'fire: a background that is not there' fire torch --background missing.png
    built fire torch --out missing/a.exr && expect 2 'of one fire that burns' 'fire: light of what does not burn' fire torch --out a.exr
fi
if [ $has_states = yes ]; then
    expect 3 'is no checkpoint of foehn fire' 'a checkpoint of another command' fire torch --resume flow.h5
    expect 3 'made with --cells 16x16, not 240x135\|made with --cells 16x16' 'flow: other cells than it had' flow stir --resume flow.h5
    expect 2 'at step 2 already' 'flow: no step is left' flow stir --cells 16x16 --steps 1 --resume flow.h5
    expect 3 'made with --resolution' 'fire: another resolution than it had' fire torch --resume fire.h5
    expect 2 'at step 2 already' 'fire: no step is left' fire torch --resolution 0.2 --steps 1 --resume fire.h5
    expect 3 'made with --cells 8x4x8' 'wind: other cells than it had' wind --resume wind.h5
    no_device 'wind: a checkpoint that fits' wind --cells 8x4x8 --steps 3 --quiet --resume wind.h5
    no_device 'flow: a checkpoint that fits' flow stir --cells 16x16 --steps 3 --quiet --resume flow.h5
    no_device 'fire: a checkpoint that fits' fire torch --resolution 0.2 --steps 3 --quiet --resume fire.h5
    rm -f ./*.h5
fi
nothing_left 'nothing is left behind'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
