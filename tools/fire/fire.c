/* SPDX-License-Identifier: MIT */
/* foehn fire: the command line. */
#include "config.h"

#include "fire/fire.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static int parse_size(const char *option, const char *value, void *options)
{
    fire_changes *c = &((fire_options *)options)->changes;
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
static int parse_grid_name(const char *option, const char *value, void *options)
{
    size_t length = strlen(value);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)value[i]) && value[i] != '_')
            length = 0;
    if (length < 1 || length > 64)
        return fail(STATUS_INPUT, "%s %s: 1 to 64 letters, digits and _", option, value);
    static const char *const taken[] = {"density", "temperature", "flame",        "fuel", "age",
                                        "tint",    "soot",        "heat_release", "burn"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(value, taken[i]) == 0)
            return fail(STATUS_INPUT, "%s %s: that is another grid's name", option, value);
    ((fire_options *)options)->velocity_name = value;
    return STATUS_OK;
}

static int parse_flipbook(const char *option, const char *value, void *options)
{
    double grid[2];
    int status = parse_numbers(option, value, 'x', 2, "CxR such as 8x8", grid);
    for (int k = 0; status == STATUS_OK && k < 2; k++) {
        if (!(grid[k] >= 1 && grid[k] <= 64) || grid[k] != floor(grid[k]))
            return fail(STATUS_INPUT, "%s %s: whole numbers, 1 to 64", option, value);
        ((fire_options *)options)->flipbook[k] = (int)grid[k];
    }
    return status;
}

static int parse_bits(const char *option, const char *value, void *options)
{
    static const char *const names[] = {"8", "16", NULL};
    int index = 0;
    int status = parse_choice(option, value, names, &index);
    ((fire_options *)options)->bits = index ? 16 : 8;
    return status;
}

static int parse_landings(const char *option, const char *value, void *options)
{
    fire_options *o = options;
    if (o->landing_count == MOST_LANDINGS)
        return fail(STATUS_USAGE, "%s %s: at most %d files", option, value, MOST_LANDINGS);
    o->landings[o->landing_count++] = value;
    return STATUS_OK;
}

/* 0: the corners of the mesh. */
static int parse_points(const char *option, const char *value, void *options)
{
    uint64_t count = 0;
    int status =
        strcmp(value, "vertices") == 0 ? STATUS_OK : parse_count(option, value, 1, 4000000, &count);
    ((fire_options *)options)->changes.points = (int)count;
    return status;
}

static const char *const axes[] = {"y", "z", NULL};
static const char *const temperatures[] = {"kK", "K", NULL};
static const char *const grid_names[] = {"foehn", "houdini", NULL};

#define OPTIONS fire_options

const option_row fire_option_rows[] = {
    {"list", NULL, "the built-in scenes, a line each", FLAG(list), NO_WINDOW},
    {"show", NULL, "print the scene's file, to start one's own from", FLAG(show), NO_WINDOW},
    {"view", "NAME", "final, no-bloom, density, temperature, velocity, colliders (final)",
     CHOICE(changes.view, fire_view_names)},
    {"size", "WxH", "of pictures, pixels (1280x720, or the background's)", OWN(parse_size),
     NO_WINDOW},
    {"bits", "N", "of pictures, 8 or 16 a channel (8)", OWN(parse_bits), NO_WINDOW},
    {"background", "WHAT", "black, transparent, or a PNG picture (the scene's)",
     TEXT(changes.background), NO_WINDOW},
    {"background-depth", "FILE",
     "PNG, grey of 16 bits: millimetres along the view axis, 0 nothing there", TEXT(changes.depth),
     NO_WINDOW},
    {"resolution", "F", "finer (2: twice the cells along each axis) or coarser (0.5)",
     REAL(changes.resolution, 0.05, 20, "")},
    {"mesh", "WHAT",
     "of the first emitter: disk, ring, box, sphere, teapot, cylinder, or a file (OBJ, PLY, glTF, "
     "STL)",
     TEXT(changes.mesh)},
    {"mesh-scale", "F", "of that mesh (1)", REAL(changes.mesh_scale, 1e-6, 1e6, ""),
     GIVEN(has_mesh_scale)},
    {"mesh-up", "AXIS", "of that file: y or z (y)", CHOICE(changes.mesh_up, axes),
     GIVEN(has_mesh_up)},
    {"points", "N",
     "of the first emitter, spread over its mesh; vertices: its corners (by its area)",
     OWN(parse_points)},
    {"up", "AXIS", "of .vdb: y as in Houdini, z as in Blender (y); .vtkhdf has z up",
     CHOICE(up, axes)},
    {"temperature", "UNIT",
     "of .vdb where it burns: kK, which glows in renderers at once, or K (kK)",
     CHOICE(temperature, temperatures)},
    {"names", "OF", "of grids in .vdb: foehn, or houdini: vel, burn (foehn)",
     CHOICE(names, grid_names)},
    {"start", "N", "number of the first file of a sequence (1)", COUNT(start, 0, 99999999),
     NO_WINDOW},
    {"padding", "N", "digits of that number, with zeros before it (4)", COUNT(padding, 1, 9),
     NO_WINDOW},
    {"flipbook", "CxR",
     "the last C x R pictures in an atlas with motion and six-way light, for game engines",
     OWN(parse_flipbook), NO_WINDOW},
    {"loop", "N", "pictures more, which fade into the flipbook's first ones (0)",
     COUNT(loop, 0, 4096), NO_WINDOW},
    {"landings", "FILE",
     "where firebrands landed: .png, a picture of it; .nc, .tif, maps of how many and how much; "
     ".csv, each (again for another file)",
     OWN(parse_landings), NO_WINDOW, UNRECORDED},
    {"velocity-name", "NAME",
     "of the velocity in .vdb and .vtkhdf (velocity; Houdini looks for vel)", OWN(parse_grid_name)},
    END_OF_OPTIONS};

static void print_help(void)
{
    puts("Usage: foehn fire SCENE [options]\n\n"
         "Fire and smoke in a box: SCENE is the name of a built-in scene or a YAML file.\n"
         "Seconds are those of the film: the fire itself runs `speed` times as fast, 1.5 times.\n"
         "\nOptions:");
    options_print(fire_option_rows);
    options_print(common_option_rows);
    puts("\nOutputs by extension: .png pictures, .exr pictures with depth, motion and layers of "
         "fires\n"
         "that burn, .vdb OpenVDB for Blender, Houdini and others,\n"
         ".vtkhdf for ParaView, .raw half floats with a JSON file beside them.  With --every S a\n"
         "sequence, NAME_0001.png and on; a .vtkhdf holds all times in one file.  --flipbook: "
         "NAME.png,\n"
         "NAME_motion.png, NAME_rtb.png (lit from right, top, back), NAME_lbf.png (left, bottom, "
         "front).");
}

int fire_options_check(const fire_options *o)
{
    int status = common_options_check(&o->common);
    if (status != STATUS_OK)
        return status;
    if ((o->has_mesh_scale || o->has_mesh_up) && !o->changes.mesh)
        return fail(STATUS_USAGE, "--mesh-scale and --mesh-up need --mesh");
    if (o->loop > 0 && !o->flipbook[0])
        return fail(STATUS_USAGE, "--loop is of a flipbook: give --flipbook CxR");
    if (o->loop > o->flipbook[0] * o->flipbook[1])
        return fail(STATUS_USAGE, "--loop %d: more pictures than the flipbook of %dx%d has",
                    o->loop, o->flipbook[0], o->flipbook[1]);
    return STATUS_OK;
}

/* A flipbook's pictures are as large as an atlas of 2048 x 2048 has room for, and spread over the
 * run, unless something else was asked for. */
static int prepare_flipbook(fire_options *o, fire_scene *scene)
{
    const int *grid = o->flipbook;
    common_options *c = &o->common;
    if (!grid[0])
        return STATUS_OK;
    for (int i = 0; i < c->output_count; i++) {
        const char *dot = strrchr(c->outputs[i], '.');
        if (strcmp(dot, ".png") != 0 && strcmp(dot, ".exr") != 0)
            return fail(STATUS_USAGE, "--flipbook: --out %s: flipbooks are .png or .exr",
                        c->outputs[i]);
    }
    if (scene->params.mode != FOEHN_FIRE_BURN || scene->panel_count > 1)
        return fail(STATUS_USAGE, "--flipbook: the light and motion of one fire that burns: give a "
                                  "scene with fire: {mode: burn}");
    if (c->resume || c->checkpoint)
        return fail(STATUS_USAGE,
                    "--flipbook: is made in one run, without --resume and --checkpoint");
    if (!scene->size_given) {
        scene->picture.width = 2048 / grid[0];
        scene->picture.height = 2048 / grid[1];
    }
    if (c->every <= 0) {
        double dt = c->dt > 0 ? c->dt : scene->dt;
        double length = c->steps          ? (double)c->steps * dt
                        : c->duration > 0 ? c->duration
                                          : scene->duration;
        c->every = length / (grid[0] * grid[1] + o->loop);
    }
    return STATUS_OK;
}

static int run(fire_options *o, int argc, char **argv)
{
    int first = argc;
    fire_options_init(o);
    const option_table tables[] = {
        {fire_option_rows, o}, {common_option_rows, &o->common}, {NULL, NULL}};
    int status = options_parse("fire", argc, argv, tables, NULL, &first);
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
        status = prepare_flipbook(o, scene);
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
