# SPDX-License-Identifier: MIT
"""What Blender makes of foehn's OpenVDB files: blender.py SEQUENCE_0001.vdb FRAMES BOX...

Run by Python with Blender's module bpy (pip install bpy), through blender.sh. Opens a sequence as a
volume, gives it the default Principled Volume with a blackbody of 1, and renders it by Cycles
before a black world: the fire must shine of itself, be where the scene has it, and be red rather
than blue. BOX: width and height of the scene, m, z up. A line a check; status 1 when one fails.
"""

import sys
import tempfile

import bpy

failed = 0


def check(what, good, found):
    global failed
    failed += not good
    print(f"{'ok' if good else 'FAILED'}: {what}: {found}")


def open_volume(path, frames):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    volume = bpy.data.volumes.new("fire")
    volume.filepath = path
    volume.is_sequence = True
    volume.frame_start = 1
    volume.frame_duration = frames
    thing = bpy.data.objects.new("fire", volume)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def principled(thing):
    material = bpy.data.materials.new("fire")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    shader = nodes.new("ShaderNodeVolumePrincipled")
    shader.inputs["Density"].default_value = 1
    shader.inputs["Blackbody Intensity"].default_value = 1
    out = nodes.new("ShaderNodeOutputMaterial")
    material.node_tree.links.new(shader.outputs["Volume"], out.inputs["Volume"])
    thing.data.materials.append(material)
    return shader


def render(width, height, size):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 8
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.world = bpy.data.worlds.new("dark")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0, 0, 0, 1)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = max(width, height)
    camera.location = (0, -10 * height, height / 2)
    camera.rotation_euler = (1.5707963, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = folder + "/fire.exr"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        values = list(image.pixels)
    return [values[4 * n : 4 * n + 3] for n in range(size[0] * size[1])]


def luminance(pixel):
    return 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]


def main(path, frames, width, height):
    thing = open_volume(path, frames)
    grids = thing.data.grids
    bpy.context.scene.frame_set(frames)
    check("the sequence's last file opens", grids.load(), grids.frame_filepath)
    names = sorted(grid.name for grid in grids)
    wanted = ["density", "flame", "fuel", "heat_release", "soot", "temperature", "velocity"]
    check("grids", names == wanted, " ".join(names))
    kinds = {grid.name: grid.data_type for grid in grids}
    check("velocity is a vector", kinds.get("velocity") == "VECTOR_FLOAT", kinds.get("velocity"))
    low = [min(corner[k] for corner in thing.bound_box) for k in range(3)]
    corner = (-0.5 * width, -0.5 * width, 0)  # the other one is rounded up to whole nodes
    check("in metres, z up, from the box's corner on",
          all(abs(low[k] - corner[k]) < 0.02 * width for k in range(3)),
          [round(x, 3) for x in low])
    shader = principled(thing)
    size = (48, 64)
    light = render(width, height, size)
    bright = [luminance(pixel) for pixel in light]
    mean, most = sum(bright) / len(bright), max(bright)
    check("it shines of itself with the defaults", most > 0.01, f"mean {mean:.3g}, most {most:.3g}")
    rows = [sum(bright[y * size[0] : (y + 1) * size[0]]) for y in range(size[1])]
    middle = sum(y * row for y, row in enumerate(rows)) / max(sum(rows), 1e-9) / size[1]
    check("in the lower half of the box", 0.02 < middle < 0.5, f"{middle:.2f} of its height")
    dark = sum(value < 0.001 * most for value in bright) / len(bright)
    check("air of 293 K is dark", dark > 0.3, f"{dark:.2f} of the picture")
    red, blue = sum(p[0] for p in light), sum(p[2] for p in light)
    check("as a fire's colour is", red > 3 * blue, f"red {red:.3g}, blue {blue:.3g}")
    shader.inputs["Blackbody Intensity"].default_value = 30
    night = max(luminance(pixel) for pixel in render(width, height, size))
    check("30 times as bright with an intensity of 30", 20 < night / most < 45, f"most {night:.3g}")
    shader.inputs["Blackbody Intensity"].default_value = 0
    without = [luminance(pixel) for pixel in render(width, height, size)]
    check("by its temperature alone", max(without) < 1e-4 * most, f"{max(without):.2g} without")


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
sys.exit(failed > 0)
