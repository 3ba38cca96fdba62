#!/bin/sh
# SPDX-License-Identifier: MIT
# What Blender makes of OpenVDB files: a sequence of a campfire, opened and rendered by Blender's module
# bpy, which a Python of its own version needs (BLENDER_PYTHON; pip install bpy).  77 without it.
set -u
here=${FOEHN_SRCDIR:-$(dirname "$0")/../..}/tests/validation
foehn=${FOEHN:-${FOEHN_BUILDDIR:-.}/foehn}
python=${BLENDER_PYTHON:-python3}
"$python" -c 'import bpy' 2> /dev/null || {
    echo "blender.sh: left out: $python has no module bpy: pip install bpy, BLENDER_PYTHON"
    exit 77
}
files=$(mktemp -d) || exit 1
trap 'rm -rf "$files"' EXIT
"$foehn" fire campfire-burn --resolution 0.5 --duration 0.8 --every 0.4 --up z --quiet --out "$files/fire.vdb" || exit 1
"$python" "$here/blender.py" "$files/fire_0001.vdb" 2 1.5 2.1
