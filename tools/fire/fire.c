/* SPDX-License-Identifier: MIT */
/* foehn fire: the command line. */
#include "config.h"

#include "fire/fire.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 512, SHOW, VIEW, SIZE, BITS, BACKGROUND, DEPTH, RESOLUTION, MESH, MESH_SCALE,
       MESH_UP, POINTS, UP, VELOCITY_NAME, TEMPERATURE, NAMES, START, PADDING };

const option_row fire_option_rows[] = {
    {"list", NULL, LIST, "the built-in scenes, a line each"},
    {"show", NULL, SHOW, "print the scene's file, to start one's own from"},
    {"view", "NAME", VIEW, "final, no-bloom, density, temperature, velocity, colliders (final)"},
    {"size", "WxH", SIZE, "of pictures, pixels (1280x720, or the background's)"},
    {"bits", "N", BITS, "of pictures, 8 or 16 a channel (8)"},
    {"background", "WHAT", BACKGROUND, "black, transparent, or a PNG picture (the scene's)"},
    {"background-depth", "FILE", DEPTH,
     "PNG, grey of 16 bits: millimetres along the view axis, 0 nothing there"},
    {"resolution", "F", RESOLUTION, "finer (2: twice the cells along each axis) or coarser (0.5)"},
    {"mesh", "WHAT", MESH,
     "of the first emitter: disk, ring, box, sphere, teapot, or a file (OBJ, PLY, glTF, STL)"},
    {"mesh-scale", "F", MESH_SCALE, "of that mesh (1)"},
    {"mesh-up", "AXIS", MESH_UP, "of that file: y or z (y)"},
    {"points", "N", POINTS,
     "of the first emitter, spread over its mesh; vertices: its corners (by its area)"},
    {"up", "AXIS", UP, "of .vdb: y as in Houdini, z as in Blender (y); .vtkhdf has z up"},
    {"temperature", "UNIT", TEMPERATURE,
     "of .vdb where it burns: kK, which glows in renderers at once, or K (kK)"},
    {"names", "OF", NAMES, "of grids in .vdb: foehn, or houdini: vel, burn (foehn)"},
    {"start", "N", START, "number of the first file of a sequence (1)"},
    {"padding", "N", PADDING, "digits of that number, with zeros before it (4)"},
    {"velocity-name", "NAME", VELOCITY_NAME,
     "of the velocity in .vdb and .vtkhdf (velocity; Houdini looks for vel)"},
    {NULL, NULL, 0, NULL}};

void fire_options_init(fire_options *o)
{
    memset(o, 0, sizeof *o);
    common_options_init(&o->common);
    o->changes = (fire_changes){.mesh_scale = 1, .points = -2, .view = -1};
    o->bits = 8;
    o->velocity_name = "velocity";
    o->start = 1;
    o->padding = 4;
}

static int parse_size(const char *option, const char *value, fire_changes *c)
{
    double size[2];
    int status = parse_numbers(option, value, 'x', 2, "WxH such as 1280x720", size);
    for (int k = 0; status == STATUS_OK && k < 2; k++)
        if (!(size[k] >= 1 && size[k] <= 16384) || size[k] != floor(size[k]))
            return fail(STATUS_INPUT, "%s %s: whole numbers, 1 to 16384", option, value);
    if (status == STATUS_OK) {
        c->width = (int)size[0];
        c->height = (int)size[1];
    }
    return status;
}

/* Letters, digits and _, as every reader of grids takes it. */
static int parse_grid_name(const char *option, const char *value, const char **out)
{
    size_t length = strlen(value);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)value[i]) && value[i] != '_')
            length = 0;
    if (length < 1 || length > 64)
        return fail(STATUS_INPUT, "%s %s: 1 to 64 letters, digits and _", option, value);
    static const char *const taken[] = {"density", "temperature", "flame", "fuel", "age", "tint",
                                        "soot", "heat_release", "burn"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(value, taken[i]) == 0)
            return fail(STATUS_INPUT, "%s %s: that is another grid's name", option, value);
    *out = value;
    return STATUS_OK;
}

int fire_options_handle(int id, const char *option, const char *value, void *data)
{
    static const char *const ups[] = {"y", "z"}, *const bits[] = {"8", "16"};
    static const char *const units[] = {"kK", "K"}, *const names[] = {"foehn", "houdini"};
    fire_options *o = data;
    int status, index = 0;
    uint64_t count = 0;
    if (common_options_handle(&o->common, id, option, value, &status))
        return status;
    if (id == MESH_SCALE || id == MESH_UP)
        o->mesh_option = true;
    switch (id) {
    case LIST: o->list = true; return STATUS_OK;
    case SHOW: o->show = true; return STATUS_OK;
    case VIEW: return parse_choice(option, value, 6, fire_view_names, &o->changes.view);
    case SIZE: return parse_size(option, value, &o->changes);
    case BITS:
        status = parse_choice(option, value, 2, bits, &index);
        o->bits = index ? 16 : 8;
        return status;
    case BACKGROUND: o->changes.background = value; return STATUS_OK;
    case DEPTH: o->changes.depth = value; return STATUS_OK;
    case RESOLUTION: return parse_number(option, value, 0.05, 20, "", &o->changes.resolution);
    case MESH: o->changes.mesh = value; return STATUS_OK;
    case MESH_SCALE: return parse_number(option, value, 1e-6, 1e6, "", &o->changes.mesh_scale);
    case MESH_UP:
        status = parse_choice(option, value, 2, ups, &index);
        o->changes.mesh_z_up = index == 1;
        return status;
    case POINTS:
        if (strcmp(value, "vertices") != 0)
            status = parse_count(option, value, 1, 4000000, &count);
        o->changes.points = (int)count;
        return status;
    case UP:
        status = parse_choice(option, value, 2, ups, &index);
        o->z_up = index == 1;
        return status;
    case TEMPERATURE:
        status = parse_choice(option, value, 2, units, &index);
        o->kelvin = index == 1;
        return status;
    case NAMES:
        status = parse_choice(option, value, 2, names, &index);
        o->houdini = index == 1;
        return status;
    case START:
        status = parse_count(option, value, 0, 99999999, &count);
        o->start = (int)count;
        return status;
    case PADDING:
        status = parse_count(option, value, 1, 9, &count);
        o->padding = (int)count;
        return status;
    case VELOCITY_NAME: return parse_grid_name(option, value, &o->velocity_name);
    default: return STATUS_USAGE;
    }
}

static void print_help(void)
{
    puts("Usage: foehn fire SCENE [options]\n\n"
         "Fire and smoke in a box: SCENE is the name of a built-in scene or a YAML file.\n"
         "Seconds are those of the film: the fire itself runs `speed` times as fast, 1.5 times.\n"
         "\nOptions:");
    options_print(fire_option_rows);
    options_print(common_option_rows);
    puts("\nOutputs by extension: .png pictures, .vdb OpenVDB for Blender, Houdini and others,\n"
         ".vtkhdf for ParaView, .raw half floats with a JSON file beside them.  With --every S a\n"
         "sequence, NAME_0001.png and on; a .vtkhdf holds all times in one file.");
}

int fire_options_check(const fire_options *o)
{
    int status = common_options_check(&o->common);
    if (status != STATUS_OK)
        return status;
    if (o->mesh_option && !o->changes.mesh)
        return fail(STATUS_USAGE, "--mesh-scale and --mesh-up need --mesh");
    return STATUS_OK;
}

static int run(fire_options *o, int argc, char **argv)
{
    int first = argc;
    fire_options_init(o);
    int status = options_parse("fire", argc, argv, fire_option_rows, common_option_rows,
                               fire_options_handle, o, &first);
    if (status == OPTIONS_HELP) {
        print_help();
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = fire_options_check(o);
    if (status != STATUS_OK)
        return status;
    if (o->list) {
        builtin_list(&fire_builtin);
        return STATUS_OK;
    }
    if (first >= argc)
        return fail(STATUS_USAGE, "fire: no scene given: see foehn fire --list");
    if (first + 1 < argc)
        return fail(STATUS_USAGE, "fire: one scene at a time: what is %s?", argv[first + 1]);
    if (o->show)
        return builtin_show(&fire_builtin, argv[first]);
    fire_scene *scene;
    status = fire_files_check(&o->common); /* before a scene's meshes are read */
    if (status != STATUS_OK)
        return status;
    status = fire_scene_read(argv[first], &o->changes, &scene);
    if (status == STATUS_OK)
        status = fire_run(scene, o);
    fire_scene_destroy(scene);
    return status;
}

int fire_main(int argc, char **argv)
{
    fire_options *o = calloc(1, sizeof *o);
    if (!o)
        return fail_memory();
    int status = run(o, argc, argv);
    free(o);
    return status;
}
