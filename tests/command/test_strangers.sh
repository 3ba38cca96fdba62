#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn with files that a stranger made: refused with one line and status 3, whatever they say.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
hostile=$data/hostile

"$foehn" wind --cells 2x2x2 --steps 1 --quiet 2> err.log
test $? -ne 4 || { echo 'no OpenCL device'; exit 77; }

# ---- checkpoints ----
if built wind --cells 2x2x2 --steps 1 --quiet --checkpoint c.h5; then
    expect 3 'is no checkpoint of foehn wind' 'an attribute that is an array, for wind' wind --cells 8x4x8 --steps 4 --resume "$hostile/attribute-array.h5"
    expect 3 'wind-gust-count.h5' 'more gusts than there is room for' wind --cells 8x4x8 --steps 4 --resume "$hostile/wind-gust-count.h5"
    if built flow --list; then
        expect 3 'is no checkpoint of foehn flow' 'the same for flow' flow box --cells 8x8 --steps 4 --resume "$hostile/attribute-array.h5"
        expect 3 'is no checkpoint of foehn fire' 'the same for fire' fire torch --resolution 0.2 --steps 4 --resume "$hostile/attribute-array.h5"
        expect 3 'flow-stroke-count.h5' 'more strokes than there is room for' flow box --cells 8x8 --steps 4 --resume "$hostile/flow-stroke-count.h5"
    fi
fi
rm -f c.h5

# ---- scenes ----
if built flow --list; then
    expect 3 'obstacle-far.yaml:5: .*beyond' 'an obstacle far outside the box' flow "$hostile/obstacle-far.yaml" --steps 1
fi

measure() { printf 'box: {cells: [16, 8]}\nmeasures: [%s]\n' "$1" > scene.log; expect 3 "scene.log:2: measure a: $2" "$3" flow ./scene.log --steps 1; }
if built flow --list; then
    measure '{name: a, what: u, where: [2.5, 0.5]}' '2.5 lies outside the box, which is 2 x 1' 'a measure beside the box'
    measure '{name: a, what: u, where: [1, 0.5]}, {name: a, what: v, where: [1, 0.5]}' 'is there twice' 'two measures of one name'
    measure '{name: a, what: fastest, where: [1, 0.5, 0.5, 1]}' 'a box is its lower left' 'a box the wrong way round'
    measure '{name: a, what: u, where: [1, 0.5], from: 3, to: 2}' 'ends at 2, before it begins at 3' 'a measure that ends first'
fi

# ---- the wind of a fire ----
if built fire --list && built wind --cells 2x2x2 --steps 1 --quiet --out n.nc; then
    for file in axis-longer-than-its-dimension fill-value-array; do
        printf '%s\n' 'box: {size: [1, 1, 1], voxel: 0.25}' "wind: {file: $hostile/$file.nc}" \
            'emitters: [{mesh: {shape: disk, radius: 0.2}, points: 9}]' > scene.log
        expect 3 "$file.nc: .*is not" "wind: $file" fire scene.log --steps 1
    done
fi
rm -f n.nc

# ---- meshes ----
if built fire --list; then
    meshes=$data/meshes
    fire='fire torch --resolution 0.2 --steps 1 --quiet'
    expect 3 'segv.ply: cannot be read as a mesh' 'a PLY whose header is nonsense' $fire --mesh "$hostile/segv.ply"
    expect 3 'abort.ply: cannot be read as a mesh' 'a PLY with a corner beyond its vertices' $fire --mesh "$hostile/abort.ply"
    printf '\357\273\277v 0 0 0\nv .2 0 0\nv 0 0 .2\nv 0 .2 0\nf 1 2 3\nf 2 3 4\n' > mesh.log
    expect 0 '' 'an OBJ with a mark of its bytes' $fire --mesh mesh.log
    printf 'v 0,5 0 0\nv 1,5 0 0\nv 0 0 1,5\nf 1 2 3\n' > mesh.log
    expect 3 'line 1: a vertex needs three numbers, such as 0.5' 'an OBJ with decimal commas' $fire --mesh mesh.log
    printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3.5\n' > mesh.log
    expect 3 'line 4: a face has a corner 3.5' 'a corner that is no whole number' $fire --mesh mesh.log
    printf 'solid s\nfacet\nvertex 0,5 0 0\n' > mesh.log
    expect 3 'vertex 1 has no three numbers' 'an STL with decimal commas' $fire --mesh mesh.log
    printf 'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0.2.5 3\n' > mesh.log
    expect 3 'is cut short' 'a PLY with numbers that are none' $fire --mesh mesh.log
    { head -c 80 /dev/zero; printf '\001\000\000\000'; head -c 100 /dev/zero; } > mesh.log
    mv mesh.log mesh.stl
    expect 3 'promises 1 triangles, and 2 are in it' 'an STL with more triangles than it says' $fire --mesh mesh.stl
    mv mesh.stl mesh.log
    awk 'BEGIN { printf "{\"a\":"; for (i = 0; i < 100000; i++) printf "["; print "" }' > mesh.log
    expect 3 'brackets are nested deeper than 64' 'a glTF of brackets' $fire --mesh mesh.log
    expect 3 'brackets are nested deeper than 64' 'a scene of brackets' flow ./mesh.log --steps 1
    expect 0 '' 'an STL in capitals' $fire --mesh "$meshes/upper_ascii.stl"
    expect 0 '' 'a glTF whose buffer has a space in its name' $fire --mesh "$meshes/space.gltf"
    expect 3 'from (-200, .* to (200, .* the box from .*--mesh-scale' 'a mesh in millimetres is told' $fire --mesh "$meshes/cube_mm.obj"
    expect 0 '' 'and is none with the right scale' $fire --mesh "$meshes/cube_mm.obj" --mesh-scale 0.001
    check 'without a word' test ! -s err.log
    printf '%s\n' 'box: {size: [2, 2, 2], voxel: 0.25}' \
        'emitters: [{mesh: {shape: disk, radius: 0.2}, points: 9}, {mesh: {shape: disk, radius: 0.2}, points: 9, position: [50, 0, 0]}]' \
        "colliders: [{shape: mesh, mesh: {file: $meshes/cube_mm.obj}}]" > scene.log
    expect 0 'emitter 2: nothing of it lies in the box' 'one of two emitters elsewhere' fire scene.log --steps 1 --quiet
    check 'and a collider' grep -q 'collider 1: nothing of it lies in the box' err.log
fi

# ---- tables ----
printf '\377\376t\000i\000m\000e\000_\000s\000,\000u\0001\0000\000\n\000' > table.log
expect 3 'is UTF-16: save it as UTF-8' 'a table in UTF-16' wind --input table.log
printf 't\000i\000m\000e\000_\000s\000,\000u\0001\0000\000\n\000' > table.log
expect 3 'is UTF-16: save it as UTF-8' 'the same without its mark' wind --input table.log

nothing_left 'nothing is left'
echo "$checks checks, $failures failed"
test $failures -eq 0
