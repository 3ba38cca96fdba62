#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn fire as its users meet it: scenes, meshes, exit statuses, files that others read.
# One line per check; 77 when there is no OpenCL device.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
scenes=$src/scenes/fire

built() { # built EXTENSION: the format is in this build
    "$foehn" fire nosuchscene --out "probe.$1" 2> built.log
    ! grep -q 'built without' built.log
}
# scene NAME LINES...: a small scene file of these lines
scene() {
    file=$1.log; shift # .log: may stay
    printf '%s\n' "$@" > "$file"
}
small() {
    scene "$1" 'box: {voxel: 0.25}' 'duration: 0.5' \
        'emitters: [{mesh: {shape: disk, radius: 0.5}, points: 60, position: [0, 0.5, 0]}]' "$2"
}

# ---- without a device: scenes and options ----
check 'help' "$foehn" fire --help
check 'the list names every scene' sh -c "'$foehn' fire --list > list.log; for s in torch campfire teapot moving-torch wall gap two-resolutions; do grep -q \"^  \$s \" list.log || exit 1; done"
check 'a scene is shown as a file' sh -c "'$foehn' fire --show torch | grep -q '^emitters:'"
expect 2 'no scene given' 'no scene' fire
expect 2 'did you mean torch' 'an unknown scene gets a suggestion' fire torhc
expect 2 'no such scene, nor a file' 'a far-off scene gets the list' fire qqqqqqqq
expect 3 'missing.yaml: cannot be read' 'a file that is not there' fire missing.yaml
expect 2 'one scene at a time' 'two scenes' fire torch wall
expect 2 'did you mean --view' 'an unknown option gets a suggestion' fire torch --vew final
expect 3 'did you mean density' 'an unknown view gets a suggestion' fire torch --view densty
expect 3 'of the form WxH' 'a size of one number' fire torch --size 640
expect 3 'whole numbers' 'a size of nothing' fire torch --size 640x0
expect 3 '--bits 12' 'bits that PNG has not' fire torch --bits 12
expect 3 '--resolution 0' 'no resolution' fire torch --resolution 0
expect 3 '--points -1' 'fewer points than none' fire torch --points -1
expect 3 'letters, digits' 'a grid name with a blank' fire torch --velocity-name 'a b'
expect 3 "another grid's name" 'a grid name that is taken' fire torch --velocity-name density
expect 2 'need --mesh' 'a scale without a mesh' fire torch --mesh-scale 2
expect 2 'known are .png, .exr, .vdb' 'an unknown extension lists the known' fire torch --out a.nc
expect 2 'given twice' 'the same file twice' fire torch --out a.png --out a.png
expect 2 '--steps and --duration' 'steps and duration exclude each other' fire torch --steps 1 --duration 1

bad() { # bad PATTERN NAME LINES...: a scene file that is refused with its name and line
    pattern=$1 name=$2; shift 2
    scene bad "$@"
    expect 3 "bad.log:$pattern" "scene: $name" fire bad.log
}
disk='{mesh: {shape: disk, radius: 1}}'
bad '1: scene: unknown key "emiters": did you mean emitters' 'a misspelt key' 'emiters: []'
bad '2: fire: unknown key "bouyancy": did you mean buoyancy' 'a misspelt key further down' "emitters: [$disk]" 'fire: {bouyancy: 2}'
bad '1: emitters: must be' 'no emitters' 'title: "x"'
bad '1: emitters: must be' 'an empty list of emitters' 'emitters: []'
bad '1: emitter: mesh is missing' 'an emitter of nothing' 'emitters: [{name: x}]'
bad '1: emitter: unknown key "meshh": did you mean mesh' 'a misspelt key of an emitter' 'emitters: [{meshh: 1}]'
bad '1: shape: unknown "dist": did you mean disk' 'an unknown shape' 'emitters: [{mesh: {shape: dist, radius: 1}}]'
bad '1: disk: radius is missing' 'a disk without a radius' 'emitters: [{mesh: {shape: disk}}]'
bad '1: radius: 0 is out of range' 'a radius of zero' 'emitters: [{mesh: {shape: disk, radius: 0}}]'
bad '1: radius: nan is not a number' 'a radius that is no number' 'emitters: [{mesh: {shape: disk, radius: nan}}]'
bad '1: radius: -1 is out of range' 'a radius below zero' 'emitters: [{mesh: {shape: disk, radius: -1}}]'
bad '1: size: 0 is out of range' 'a box without a size' 'emitters: [{mesh: {shape: box, size: [1, 0, 1]}}]'
bad '1: inner: 2 is not less' 'a ring inside out' 'emitters: [{mesh: {shape: ring, radius: 1, inner: 2}}]'
bad '1: mesh: give a shape or a file' 'a shape and a file' 'emitters: [{mesh: {shape: disk, radius: 1, file: a.obj}}]'
bad '1: points: 0 is out of range' 'no points' 'emitters: [{mesh: {shape: disk, radius: 1}, points: 0}]'
bad '1: points: 1.5 is not a whole' 'half a point' 'emitters: [{mesh: {shape: disk, radius: 1}, points: 1.5}]'
bad '1: position: must be a list of 3' 'a place of two numbers' 'emitters: [{mesh: {shape: disk, radius: 1}, position: [1, 2]}]'
bad '1: position: inf is not a number' 'a place that is far away' 'emitters: [{mesh: {shape: disk, radius: 1}, position: [0, inf, 0]}]'
bad '1: path: every place needs a time' 'a path that goes back in time' 'emitters: [{mesh: {shape: disk, radius: 1}, path: [{at: 1, position: [0, 0, 0]}, {at: 1, position: [1, 0, 0]}]}]'
bad '1: repeat: needs a path' 'a repeat of nothing' 'emitters: [{mesh: {shape: disk, radius: 1}, repeat: yes}]'
bad '1: on: ends at 1' 'a switch that ends before it begins' 'emitters: [{mesh: {shape: disk, radius: 1}, "on": [[2, 1]]}]'
bad '2: size: 0 is out of range' 'a box without width' "emitters: [$disk]" 'box: {size: [0, 1, 1]}'
bad '2: size: must be a list of 3 numbers' 'a box of two numbers' "emitters: [$disk]" 'box: {size: [1, 1]}'
bad '2: voxel: 0 is out of range' 'voxels of nothing' "emitters: [$disk]" 'box: {voxel: 0}'
bad '2: sweeps: 0 is out of range' 'no sweeps' "emitters: [$disk]" 'fire: {sweeps: 0}'
bad '2: pressure: unknown "jacobbi": did you mean jacobi' 'an unknown solver' "emitters: [$disk]" 'fire: {pressure: jacobbi}'
bad '2: friction: 2 is out of range' 'friction above one' "emitters: [$disk]" 'fire: {friction: 2}'
bad '2: collider: shape is missing' 'a collider of nothing' "emitters: [$disk]" 'colliders: [{size: [1, 1, 1]}]'
bad '2: collider: a box has a size' 'a collider without a size' "emitters: [$disk]" 'colliders: [{shape: box}]'
bad '2: radii: 0 is out of range' 'an ellipsoid that is flat' "emitters: [$disk]" 'colliders: [{shape: ellipsoid, radii: [1, 0, 1]}]'
bad '2: collider: the mesh is not closed: 48 of its edges' 'a collider that is open' "emitters: [$disk]" 'colliders: [{shape: mesh, mesh: {shape: disk, radius: 1}}]'
bad '2: wind: give a velocity or a file' 'wind of nothing' "emitters: [$disk]" 'wind: {}'
bad '2: resolutions: must be' 'one fire side by side' "emitters: [$disk]" 'resolutions: [1]'
bad '2: field_of_view: 180 is out of range' 'a camera that sees all' "emitters: [$disk]" 'camera: {field_of_view: 180}'
bad '2: dt: 0 is out of range' 'a step of nothing' "emitters: [$disk]" 'dt: 0'
bad '2: size: 10.5: whole numbers' 'half a pixel' "emitters: [$disk]" 'picture: {size: [10.5, 10]}'
burn='fire: {mode: burn, fuel: wood}' fuelled='{mesh: {shape: disk, radius: 1}, power: 50}'
bad '1: power: 50 is for fire: {mode: burn}' 'a power of what does not burn' "emitters: [$fuelled]"
bad '2: multiplier: 13 is for fire: {mode: preset}' 'a multiplier of what burns' "$burn" 'emitters: [{mesh: {shape: disk, radius: 1}, multiplier: 13, power: 5}]'
bad '2: emitter: nothing burns without a power' 'no power' "$burn" "emitters: [$disk]"
bad '1: fuel: unknown "would": did you mean wood' 'an unknown fuel' 'fire: {mode: burn, fuel: would}' "emitters: [$fuelled]"
bad '2: power: -5 is out of range' 'a power below zero' "$burn" 'emitters: [{mesh: {shape: disk, radius: 1}, power: -5}]'
bad '2: power: 50 kW is not a number' 'a power with its unit' "$burn" 'emitters: [{mesh: {shape: disk, radius: 1}, power: 50 kW}]'
bad '2: cylinder: height is missing' 'a cylinder without a height' "$burn" 'emitters: [{mesh: {shape: cylinder, radius: 1}, power: 5}]'
bad '2: disk: has no height' 'a disk with one' "$burn" 'emitters: [{mesh: {shape: disk, radius: 1, height: 1}, power: 5}]'
bad '3: daylight: 120 is out of range: -90 to 90' 'a sun beyond the zenith' "$burn" "emitters: [$fuelled]" 'picture: {daylight: 120}'
bad '3: picture: daylight gives sun and sky' 'two skies' "$burn" "emitters: [$fuelled]" 'picture: {daylight: 20, sky: [1, 1, 1]}'
bad '2: picture: daylight is for mode: burn' 'daylight on the preset' "emitters: [$disk]" 'picture: {daylight: 20}'
bad '3: sun_from: 0, 0, 0 is no direction' 'a sun from nowhere' "$burn" "emitters: [$fuelled]" 'picture: {sun_from: [0, 0, 0]}'
bad '2: camera: target and position are the same' 'a camera that looks at itself' "emitters: [$disk]" 'camera: {position: [0, 1, 0], target: [0, 1, 0]}'
bad '2: camera: looks along its up' 'a camera that looks straight down' "emitters: [$disk]" 'camera: {position: [0, 9, 0], target: [0, 0, 0]}'
bad ' physics_voxel = 0.125 m gives 1200 voxels over the 150 m .* give larger voxels' 'more voxels than there may be' "$burn" "emitters: [$fuelled]" 'box: {size: [150, 5, 5], voxel: 0.1}'
bad '1: did not find expected' 'no YAML' 'emitters: [}'
: > bad.log
expect 3 'bad.log:1: the file is empty' 'scene: an empty file' fire bad.log

if hidden; then OCL_ICD_VENDORS=$none expect 4 'pocl' 'no device' fire torch --steps 1 --out a.raw; fi

# ---- meshes from files ----
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > one.obj.log
mkdir meshes.d && cd meshes.d || exit 1
expect 3 'missing.obj: cannot be read' 'mesh: not there' fire torch --mesh missing.obj
echo nonsense > a.obj
expect 3 'a.obj: cannot be read as a mesh' 'mesh: nonsense' fire torch --mesh a.obj
printf 'v 0 0 0\nv 1 0 0\n' > a.obj
expect 3 'a.obj: ' 'mesh: no triangles' fire torch --mesh a.obj
printf 'v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n' > a.obj
expect 3 'a.obj: vertex 1 has the coordinate' 'mesh: a corner that is no number' fire torch --mesh a.obj
printf 'v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n' > a.obj
expect 3 'a.obj: no triangle with an area' 'mesh: no area' fire torch --mesh a.obj
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n' > a.ply
expect 3 'a.ply: ' 'mesh: a file cut short' fire torch --mesh a.ply
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > a.obj
printf '%s\n' "emitters: [$disk]" 'colliders: [{shape: mesh, mesh: {file: a.obj}}]' > scene.yaml
cd ..
expect 3 'meshes.d/scene.yaml:2: collider: the mesh is not closed: 3 ' 'mesh: an open collider, beside its scene' fire meshes.d/scene.yaml
rm -r meshes.d
nothing_left 'nothing is left of runs that did not start'

# ---- with a device ----
if ! "$foehn" devices > devices.log 2>&1; then
    cat devices.log
    [ "${FOEHN_REQUIRE_DEVICE:-0}" = 1 ] && { echo 'FAILED: a device is required'; exit 1; }
    echo "$checks checks, $failures failed; no device for the others"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi
expect 4 'nosuchdevice' 'a device that is not there' fire torch --device nosuchdevice --steps 1
small fire 'camera: {position: [0, 2, 8], target: [0, 2, 0]}'
mv fire.log fire.yaml.log
run="fire fire.yaml.log --quiet"
expect 0 '' 'a small run' $run --out a.raw --stats a.json
check 'stats have their keys' sh -c 'for k in device platform steps dt wall_s step_ms_median device_ms_median cells cells_per_s memory_bytes max_temperature total_density plume_height max_abs_divergence_before max_abs_divergence_after dropped_time_s render_cells physics_cells march_steps sweeps; do grep -q "\"$k\": " a.json || { echo "no $k"; exit 1; }; done'
check 'there is a fire' sh -c 'awk -F": " "/max_temperature|total_density|plume_height/ { n += \$2 + 0 > 0 } END { exit n != 3 }" a.json'
check 'raw holds 8 bytes a voxel of both grids' sh -c '[ $(wc -c < a.raw) -eq $((30 * 25 * 15 * 8)) ] && grep -q "\"nx\": 30" a.raw.json && [ $(wc -c < a-velocity.raw) -eq $((24 * 20 * 12 * 8)) ] && grep -q "\"nx\": 24" a-velocity.raw.json'
check 'quiet is quiet' sh -c '[ ! -s out.log ] && [ ! -s err.log ]'
"$foehn" $run --out b.raw
check 'the same seed gives the same bytes' cmp a.raw b.raw
"$foehn" $run --out b.raw --seed 2
check 'another seed gives other bytes' sh -c '! cmp -s a.raw b.raw'
"$foehn" $run --out b.raw --dt 0.01 --duration 0.5
check 'updates of another length make the same fixed steps' cmp a.raw b.raw
expect 0 'were dropped' 'time that max_steps drops is told' fire fire.yaml.log --dt 1 --steps 2 --quiet
"$foehn" fire fire.yaml.log --steps 2 --stats - > out.log 2> err.log
check 'stats on stdout are nothing but JSON' sh -c '[ "$(head -c 1 out.log)" = "{" ] && [ "$(tail -n 1 out.log)" = "}" ]'
expect 1 'missing.d/a.raw: cannot be written' 'a folder that is not there' $run --out a2.raw --out missing.d/a.raw
check 'and the other file is not there either' test ! -e a2.raw
expect 0 '' 'everything that a scene can say' fire "$scenes/everything.yaml" --resolution 0.3 --steps 3 --quiet
for s in torch campfire teapot moving-torch wall gap two-resolutions; do
    expect 0 '' "scene $s" fire $s --resolution 0.3 --steps 3 --quiet
done
expect 0 '' 'a built-in shape for a mesh' $run --steps 1 --mesh teapot --mesh-scale 0.5 --points 100
expect 0 '' 'a mesh from a file' $run --steps 1 --mesh one.obj.log --points vertices
small wind 'wind: {velocity: [3, 0, 0]}'
"$foehn" fire wind.log --quiet --duration 1 --out w.raw --stats w.json
check 'wind is felt' sh -c 'awk -F": " "/max_speed/ { exit !(\$2 + 0 > 2) }" w.json'
if "$foehn" wind --cells 16x8x16 --spacing 4 --dt 0.1 --duration 1 --every 0.5 --quiet --out w.nc 2> /dev/null; then
    small file "wind: {file: w.nc, at: [0, 0, 0]}"
    expect 0 '' 'wind from a file of foehn wind' fire file.log --quiet --stats w.json
    check 'is felt' sh -c 'awk -F": " "/max_speed/ { exit !(\$2 + 0 > 1) }" w.json'
    small far "wind: {file: w.nc, at: [9999, 0, 0]}"
    expect 3 'w.nc: reaches from' 'wind from a file that lies elsewhere' fire far.log --quiet
    if hidden; then OCL_ICD_VENDORS=$none expect 3 'w.nc: reaches from' 'which is told without a device' fire far.log --quiet; fi
    small none "wind: {file: fire.yaml.log}"
    expect 3 'fire.yaml.log: cannot be read' 'wind from no NetCDF' fire none.log --quiet
fi
rm -f ./*.raw ./*.json ./*.nc

# Pictures.
if built png; then
    png() { od -A n -t u1 -j 16 -N 10 "$1" | tr -s ' \n' ' '; } # width, height, bits, colour type
    "$foehn" $run --duration 0.5 --every 0.1 --size 64x48 --out p.png
    "$foehn" $run --duration 0.2 --every 0.034 --size 320x240 --out s.png --stats s.json
    check 'a step on the device takes no longer than the step, whatever was drawn between' awk -F'[:,]' '/_ms_median/ { ms[$1] = $2 } END { for (k in ms) k ~ /step/ ? s = ms[k] : d = ms[k]; exit !(d > 0 && d <= s) }' s.json
    check 'frames are numbered' sh -c '[ -s p_0001.png ] && [ -s p_0005.png ] && [ ! -e p_0006.png ] && [ ! -e p.png ]'
    check 'pictures are of their size and 8 bits' test "$(png p_0001.png)" = ' 0 0 0 64 0 0 0 48 8 6 '
    "$foehn" $run --size 64x48 --bits 16 --out q.png && "$foehn" $run --size 64x48 --bits 16 --out r.png
    check 'or of 16 bits' test "$(png q.png)" = ' 0 0 0 64 0 0 0 48 16 6 '
    check 'the same seed gives the same picture' cmp q.png r.png
    for v in no-bloom density temperature velocity colliders; do
        "$foehn" $run --size 64x48 --view $v --out v-$v.png
        check "view $v is another picture" sh -c "[ -s v-$v.png ] && ! cmp -s q.png v-$v.png"
    done
    # A picture of fire as the background of the next: lighter than it, and of its size.
    expect 0 '' 'over a background' $run --background q.png --out over.png
    check 'which gives the size' test "$(png over.png)" = ' 0 0 0 64 0 0 0 48 8 6 '
    expect 3 'q.png: has 64 x 48 pixels' 'a background of another size' $run --size 32x32 --background q.png --out a.png
    expect 3 'fire.yaml.log: cannot be read as a PNG' 'a background that is none' $run --background fire.yaml.log --out a.png
    expect 3 'q.png: a depth is grey of 16 bits' 'a depth in colours' $run --size 64x48 --background-depth q.png --out a.png
    # Something 2 m before the camera hides the fire, which is 8 m away, as if there were none.
    small lit 'camera: {position: [0, 2, 8], target: [0, 2, 0]}'; echo 'title: same' >> lit.log
    sed 's/points: 60/points: 60, "on": [[8, 9]]/' lit.log > dark.log
    "$foehn" fire lit.log --quiet --size 64x48 --out lit.png
    "$foehn" fire lit.log --quiet --size 64x48 --background-depth "$data/depth_2m.png" --out hidden.png
    "$foehn" fire dark.log --quiet --size 64x48 --out dark.png
    check 'a depth in front hides the fire' sh -c 'cmp hidden.png dark.png && ! cmp -s lit.png dark.png'
    "$foehn" $run --size 64x48 --background transparent --out clear.png
    check 'transparent is another picture' sh -c '[ -s clear.png ] && ! cmp -s clear.png r.png'
    check 'no picture is left of those that failed' test ! -e a.png
    rm -f ./*.png
fi

# OpenVDB, as OpenVDB reads it.
read_exr=${FOEHN_BUILDDIR:-$src}/tests/fire/read_exr
if built exr; then
    expect 0 '' 'OpenEXR' fire campfire-burn --resolution 0.3 --size 64x48 --duration 0.5 --quiet --out a.exr
    "$read_exr" a.exr > exr.txt
    check 'size and compression' grep -q '^64 x 48 zip$' exr.txt
    check 'channels of an OpenEXR picture' test "$(sed 1d exr.txt | cut -d' ' -f1 | tr '\n' ' ')" = \
        'A B G R Z emission.B emission.G emission.R forward.u forward.v smoke.B smoke.G smoke.R '
    check 'depth lies between the camera and the ground' awk '$1 == "Z" { exit !($2 > 1 && $3 < 100) }' exr.txt
    check 'fire moves upwards' awk '$1 == "forward.v" { exit !($3 > 0.1) }' exr.txt
    check 'emission and smoke are all of the light' awk "BEGIN { exit !($("$read_exr" a.exr R emission.R smoke.R) < 0.01) }"
    expect 2 'mode: burn' 'depth and motion want a fire that burns' fire torch --resolution 0.2 --steps 1 --out b.exr
    # A wall 4.8 m away; smoke that goes with 1 m/s of wind, 5 m away: 24 / tan 15 / 5 pixels a metre, 0.1 s.
    scene drift 'duration: 0.6' 'box: {size: [2, 1.6, 1.6], center: [0, 1, 0], voxel: 0.1}' \
        'fire: {mode: burn, fuel: smoulder, floor: no}' 'wind: {velocity: [1, 0, 0]}' \
        'emitters: [{mesh: {shape: sphere, radius: 0.12}, position: [-0.5, 1.0, 0], power: 0.02}]' \
        'colliders: [{shape: box, size: [0.4, 0.4, 0.4], position: [0.6, 1.3, 0]}]' \
        'camera: {position: [0, 1, 5], target: [0, 1, 0], field_of_view: 30}'
    scene swallowed 'duration: 0.1' 'box: {size: [2, 2, 2], voxel: 0.2}' 'fire: {mode: burn, fuel: wood}' \
        'emitters: [{mesh: {shape: disk, radius: 0.1}, position: [0, 0.5, 0], power: 5}]' \
        'colliders: [{shape: box, size: [1, 1.2, 1], position: [0, 0.5, 0]}]'
    expect 0 'emitters of 5 kW have given no fuel' 'an emitter in a collider' fire swallowed.log --quiet
    # An emitter that begins with the last update's end has given nothing yet, and no collider holds it.
    scene late 'duration: 0.1' 'box: {size: [2, 2, 2], voxel: 0.2}' 'fire: {mode: burn, fuel: wood}' \
        'emitters: [{mesh: {shape: disk, radius: 0.1}, position: [0, 0.5, 0], power: 5, "on": [[0.1, 9]]}]' \
        'colliders: [{shape: box, size: [0.2, 0.2, 0.2], position: [0.8, 1.5, 0]}]'
    check 'an emitter that has just begun is in no collider' sh -c '"$1" fire late.log --quiet 2> err.log && [ ! -s err.log ]' sh "$foehn"
    "$foehn" fire drift.log --size 64x48 --every 0.1 --quiet --out a.exr
    "$read_exr" a_0006.exr > exr.txt
    check 'depth is the distance' awk '$1 == "Z" { exit !($2 > 4.75 && $2 < 4.85 && $3 < 5.4) }' exr.txt
    check 'motion is pixels until the next picture' awk '$1 == "forward.u" { exit !($3 > 0.95 * 1.791 && $3 < 1.06 * 1.791) }' exr.txt
    rm -f a*.exr exr.txt
    # ---- flipbooks ----
    sed 's/draw_colliders: yes//; s/^picture: {/picture: {draw_colliders: no, /' "$src/scenes/fire/smoulder.yaml" > still.yaml
    slow='--resolution 0.5 --duration 0.8 --size 48x64 --quiet'
    expect 0 '' 'a picture alone' fire still.yaml $slow --background transparent --out one.exr
    sed 's/draw_colliders: no, //' still.yaml > day.yaml
    "$foehn" fire day.yaml $slow --background transparent --out day.exr
    "$foehn" fire day.yaml $slow --out sky.exr
    "$read_exr" day.exr > day.txt
    "$read_exr" sky.exr > sky.txt
    check 'ground and sky are everywhere' awk '$1 == "A" { exit !($2 > 0.999) }' sky.txt
    check 'and nowhere before a transparent background' awk '$1 == "A" { exit !($2 < 0.001 && $3 > 0.999) }' day.txt
    rm -f day.* sky.*
    expect 0 '' 'a flipbook' fire still.yaml $slow --flipbook 1x1 --every 0.8 --out book.exr
    expect 0 '' 'a flipbook that loops' fire still.yaml $slow --flipbook 2x3 --loop 2 --out loop.exr --out loop.png
    "$read_exr" one.exr > one.txt
    "$read_exr" book.exr > book.txt
    "$read_exr" loop.exr > loop.txt
    check 'a flipbook of one is the picture' test "$(grep '^[RGBA] ' one.txt)" = "$(grep '^[RGBA] ' book.txt)"
    check 'an atlas of two by three' grep -q '^96 x 192 zip$' loop.txt
    check 'six lights: what is lit on the right is on the left' awk '
        { mean[$1] = $4; most[$1] = $3 }
        END { r = mean["lit.right"] / mean["lit.left"]; exit !(r > 0.8 && r < 1.25 && most["lit.top"] > 0.02 &&
              most["lit.back"] < 1.5) }' book.txt
    check 'it moves upwards by less than a picture' awk '$1 == "motion.v" { exit !($3 > 0.05 && $3 < 2) }' book.txt
    check 'motion of a flipbook is that of pictures' awk '
        NR == FNR { v[$1] = $3; next }
        $1 == "motion.v" { r = v["forward.v"] * 0.8 * 30 / 64 / $3; exit !(r > 0.99 && r < 1.01) }' one.txt book.txt
    for one in loop loop_motion loop_rtb loop_lbf; do check "$one.png" test -s $one.png; done
    expect 2 'mode: burn' 'flipbooks want a fire that burns' fire torch --steps 2 --flipbook 2x2 --out b.png
    expect 2 'wants 100 pictures, the run has 2' 'a run that is too short' fire still.yaml --steps 2 --every 0.0333 --flipbook 10x10 --out b.png
    expect 2 'flipbooks are .png or .exr' 'no flipbook of volumes' fire still.yaml --flipbook 2x2 --out b.vdb
    expect 3 'CxR' 'a flipbook has columns and rows' fire still.yaml --flipbook 8 --out b.png
    expect 2 'give --flipbook' 'only flipbooks loop' fire still.yaml --loop 2 --out b.png
    rm -f one.* book.* loop*.png loop.* still.yaml
fi
read_vdb=${FOEHN_BUILDDIR:-$src}/tests/fire/read_vdb
if built vdb; then
    expect 0 '' 'OpenVDB' $run --every 0.5 --velocity-name vel --out v.vdb
    "$foehn" $run --velocity-name vel --out w.vdb --out w.raw
    "$foehn" $run --velocity-name vel --out x.vdb
    check 'the same seed gives the same OpenVDB' cmp w.vdb x.vdb
    if [ -x "$read_vdb" ]; then
        "$read_vdb" v_0001.vdb > vdb.log
        check 'OpenVDB reads it' test -s vdb.log
        for g in density temperature flame fuel; do
            check "grid $g: floats, fog volume, halves" grep -q "^$g type=float class=fog volume half=1 voxels=[1-9]" vdb.log
        done
        check 'grid vel: vectors that move with the volume' sh -c 'grep "^vel type=vec3s " vdb.log | grep -q "vector_type=contravariant relative"'
        check 'voxels are cubes, the first sample half of one inside the corner' awk '
            /^density|^vel/ { for (i = 1; i <= NF; i++) if (split($i, a, "=") == 2) v[a[1]] = a[2]
                split(v["at"], at, ","); split(v["step"], h, ","); n = $1 == "vel" ? 24 : 30
                d = at[1] - (-3.75 + 0.5 * 7.5 / n); if (d * d > 1e-12) bad = 1
                for (k = 1; k <= 3; k++) { d = h[k] - 7.5 / n; if (d * d > 1e-12) bad = 1 }; seen++ }
            END { exit bad || seen != 2 }' vdb.log
        check 'metadata: rate, time, units' sh -c 'grep "^density" vdb.log | grep -q "fps=2 time=0.5 units=1" && grep "^vel" vdb.log | grep -q "units=m"'
        check 'the grids hold what the raw file holds' "$read_vdb" w.vdb w.raw 30 25 15
        # A box that is turned and moved: its smoke is where the emitter is in the world.
        scene turned 'box: {voxel: 0.25, rotation: [0, 90, 0], center: [10, 5, 0]}' 'duration: 0.5' \
            'emitters: [{mesh: {shape: disk, radius: 0.5}, points: 60, position: [10.5, 3, 0.7]}]'
        "$foehn" fire turned.log --quiet --out t.vdb && "$read_vdb" t.vdb > vdb.log
        check 'a turned box lies in the world' awk '/^density/ { for (i = 1; i <= NF; i++)
                if (sub(/^mean=/, "", $i)) split($i, m, ",")
                good = (m[1] - 10.5)^2 + (m[2] - 3)^2 + (m[3] - 0.7)^2 < 0.05 } END { exit !good }' vdb.log
        "$foehn" fire turned.log --quiet --up z --out t.vdb && "$read_vdb" t.vdb > vdb.log
        check 'with z up, too' awk '/^density/ { for (i = 1; i <= NF; i++)
                if (sub(/^mean=/, "", $i)) split($i, m, ",")
                good = (m[1] - 10.5)^2 + (m[2] + 0.7)^2 + (m[3] - 3)^2 < 0.05 } END { exit !good }' vdb.log
    fi
    # Of a fire that burns.
    burn='fire campfire-burn --resolution 0.3 --quiet'
    expect 0 '' 'OpenVDB of a fire that burns' $burn --duration 0.4 --every 0.2 --start 1001 --padding 6 --out b.vdb
    check 'files from 001001 on, and no others' test "$(echo b*.vdb)" = 'b_001001.vdb b_001002.vdb'
    "$foehn" $burn --duration 0.4 --temperature K --names houdini --out k.vdb
    if [ -x "$read_vdb" ]; then
        # value GRID KEY FILE: what a line of read_vdb says
        value() { awk -v g="$1" -v k="$2" '$1 == g { for (i = 2; i <= NF; i++) if (sub("^" k "=", "", $i)) print $i }' "$3"; }
        "$read_vdb" b_001002.vdb > b.log
        "$read_vdb" k.vdb > k.log
        check 'grids of a fire that burns' test "$(cut -d' ' -f1 b.log | sort | tr '\n' ' ')" = \
            'density flame fuel heat_release soot temperature velocity '
        check 'names of Houdini' test "$(cut -d' ' -f1 k.log | sort | tr '\n' ' ')" = \
            'burn density flame fuel soot temperature vel '
        check 'temperature in 1000 K, left out below 400 K' awk "BEGIN { exit !($(value temperature least b.log) >= 0.3998 && $(value temperature most b.log) < 2.31 && $(value temperature most b.log) > 0.8) }"
        check 'or in K' awk "BEGIN { r = $(value temperature most k.log) / $(value temperature most b.log); exit !($(value temperature least k.log) >= 399.8 && r > 999 && r < 1001) }"
        check 'which its units say' test "$(value temperature units b.log) $(value temperature units k.log)" = '1000 K'
        check 'the same voxels are hot' test "$(value temperature voxels b.log)" = "$(value temperature voxels k.log)"
        check 'most of the box is left out' awk "BEGIN { exit !($(value temperature voxels b.log) > 20 && $(value temperature voxels b.log) < 0.5 * 18 * 25 * 18) }"
        check 'density is what 8.7 m2 a gram of soot stop' awk "BEGIN { r = $(value density most b.log) / $(value soot most b.log); exit !(r > 8.69 && r < 8.71) }"
        check 'flame is heat release over its limit' awk "BEGIN { exit !($(value flame most b.log) <= 1 && $(value flame least b.log) > 0 && $(value heat_release most b.log) > 100) }"
    fi
    rm -f ./*.vdb ./*.raw ./*.json b.log k.log
fi

if built vtkhdf; then
    "$foehn" $run --every 0.1 --out h.vtkhdf && "$foehn" $run --every 0.1 --out i.vtkhdf
    check 'the same seed gives the same VTKHDF' cmp h.vtkhdf i.vtkhdf
    if command -v h5dump > /dev/null; then
        check 'which holds five times of six arrays' sh -c 'h5dump -H h.vtkhdf > h5.log && [ $(grep -c "DATASET " h5.log) -eq 7 ] && grep -q "( 5, 25, 15, 30, 3 )" h5.log'
        check 'in a world with z up, along its axes' sh -c 'h5dump -a /VTKHDF/Direction h.vtkhdf | tr -d " \n" | grep -q "(0):1,0,0,0,1,0,0,0,1[^.]" && h5dump -a /VTKHDF/Origin h.vtkhdf | tr -d " \n" | grep -q "(0):-3.75,-1.875,0[^.]"'
    fi
    "$foehn" $run --duration 0.21 --every 0.07 --out e.vtkhdf
    if command -v h5dump > /dev/null; then
        check 'times are whole multiples of --every, which the step is shortened to fit' sh -c \
            'test $(h5dump -m %.17g -d /VTKHDF/Steps/Values e.vtkhdf | grep -o "0.070000000000000007\|0.14000000000000001\|0.20999999999999999" | wc -l) -eq 3'
    fi
    rm -f ./*.vtkhdf

    # Checkpoints need HDF5, too.
    "$foehn" $run --steps 6 --checkpoint c.h5 && "$foehn" $run --steps 12 --out whole.raw
    expect 0 '' 'a resume' $run --steps 12 --resume c.h5 --out resumed.raw
    check 'a resumed run equals an uninterrupted one' cmp whole.raw resumed.raw
    expect 3 'made with --seed 1, not 2' 'a resume with another seed names it' $run --steps 12 --seed 2 --resume c.h5
    expect 3 'made with --scene' 'a resume of another scene names it' fire torch --steps 12 --resume c.h5
    expect 2 'at step 6 already' 'a resume that is beyond' $run --steps 5 --resume c.h5
    head -c 3000 c.h5 > cut.h5
    expect 3 'cut.h5' 'a checkpoint cut short' $run --steps 12 --resume cut.h5
    rm -f ./*.h5 ./*.raw ./*.json
fi

# Stopping.
also=
built vtkhdf && also="$also --out i.vtkhdf"
built vdb && also="$also --out i.vdb"
stop_a_step $run --steps 100000000 --out i.raw $also
if [ $code -eq 0 ]; then pass 'Ctrl-C ends with status 0'; else flunk 'Ctrl-C ends with status 0' "status $code" "$(cat err.log)"; fi
check 'and says where it stopped' grep -q 'warning: stopped after step' err.log
check 'and the raw file is whole' sh -c '[ $(wc -c < i.raw) -eq $((30 * 25 * 15 * 8)) ]'
[ -e i.vtkhdf ] && command -v h5dump > /dev/null && check 'and the VTKHDF opens' sh -c 'h5dump -H i.vtkhdf > /dev/null'
[ -e i.vdb ] && [ -x "$read_vdb" ] && check 'and the OpenVDB opens' "$read_vdb" i.vdb
rm -f i.* i-velocity.*
stopped_while_building 'a stop while kernels are built is a stop' $run --steps 100000000 --out i.raw
check 'and writes nothing' test ! -e i.raw
rm -f i.*
"$foehn" $run --steps 100000000 --out k.raw 2> err.log &
pid=$!; sleep 1; kill -KILL $pid; wait $pid 2> /dev/null
check 'a killed run leaves no file of that name' test ! -e k.raw
rm -f .k.*

nothing_left 'no temporary file is left'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
