/* SPDX-License-Identifier: MIT */
/* foehn flow: the command line. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>

void flow_options_init(flow_options *o)
{
    memset(o, 0, sizeof *o);
    common_options_init(&o->common);
    o->changes = (flow_changes){
        .viscosity = NAN, .reynolds = NAN, .angle = NAN, .surface = -1, .solver = -1};
}

static int parse_cells(const char *option, const char *value, void *options)
{
    flow_changes *c = &((flow_options *)options)->changes;
    double cells[2];
    int status = parse_numbers(option, value, 'x', 2, "NXxNY such as 240x135", cells);
    for (int k = 0; status == STATUS_OK && k < 2; k++)
        if (!(cells[k] >= 2 && cells[k] <= 8192) || cells[k] != floor(cells[k]))
            return fail(STATUS_INPUT, "%s %s: whole numbers, 2 to 8192", option, value);
    if (status == STATUS_OK) {
        c->nx = (int)cells[0];
        c->ny = (int)cells[1];
    }
    return status;
}

static int parse_off(const char *option, const char *value, void *options)
{
    static const char *const terms[] = {"force", "advection", "viscosity", "pressure", NULL};
    int term = 0;
    int status = parse_choice(option, value, terms, &term);
    if (status == STATUS_OK)
        ((flow_options *)options)->changes.off |= 1 << term;
    return status;
}

static const char *const surfaces[] = {"staircase", "fractions", NULL};
static const char *const solvers[] = {"multigrid", "sor", NULL};

#define OPTIONS flow_options

const option_row flow_option_rows[] = {
    {"list", NULL, "the built-in scenes, a line each", FLAG(list), NO_WINDOW},
    {"show", NULL, "print the scene's file, to start one's own from", FLAG(show), NO_WINDOW},
    {"layer", "NAME",
     "ink, speed, vorticity, pressure, divergence, particles, solids (the scene's own)",
     CHOICE(layer, layer_names), GIVEN(layer_given)},
    {"cells", "NXxNY", "another number of cells", OWN(parse_cells)},
    {"viscosity", "NU", "another viscosity", REAL(changes.viscosity, 0, 1e6, "")},
    {"re", "RE", "viscosity by Reynolds number, on the first obstacle's size or the height",
     REAL(changes.reynolds, 1e-3, 1e9, "")},
    {"angle", "DEG", "of the first obstacle", REAL(changes.angle, -360, 360, "degrees")},
    {"surface", "KIND", "of obstacles: staircase or fractions", CHOICE(changes.surface, surfaces)},
    {"off", "TERM", "switch a term off: force, advection, viscosity, pressure; repeatable",
     OWN(parse_off)},
    {"solver", "KIND", "of the pressure: multigrid or sor", CHOICE(changes.solver, solvers)},
    END_OF_OPTIONS};

int flow_options_check(const flow_options *o)
{
    if (isfinite(o->changes.viscosity) && isfinite(o->changes.reynolds))
        return fail(STATUS_USAGE, "--viscosity and --re exclude each other: give one");
    return STATUS_OK;
}

static void print_help(void)
{
    puts(
        "Usage: foehn flow SCENE [options]\n\n"
        "Flow in a 2-D box: SCENE is the name of a built-in scene or a YAML file.  Dimensionless.\n"
        "\nOptions:");
    options_print(flow_option_rows);
    options_print(common_option_rows);
    puts("\nOutputs by extension: .png a picture of the layer (with --every a sequence,\n"
         "NAME-00001.png ...), .csv the scene's measures over time.");
}

static int run(flow_options *o, int argc, char **argv)
{
    int first = argc;
    flow_options_init(o);
    const option_table tables[] = {
        {flow_option_rows, o}, {common_option_rows, &o->common}, {NULL, NULL}};
    int status = options_parse("flow", argc, argv, tables, NULL, &first);
    if (status == OPTIONS_HELP) {
        print_help();
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = common_options_check(&o->common);
    if (status != STATUS_OK)
        return status;
    if (o->list) {
        builtin_list(&flow_builtin);
        return STATUS_OK;
    }
    if (first >= argc)
        return fail(STATUS_USAGE, "flow: no scene given: see foehn flow --list");
    if (first + 1 < argc)
        return fail(STATUS_USAGE, "flow: one scene at a time: what is %s?", argv[first + 1]);
    if (o->show)
        return builtin_show(&flow_builtin, argv[first]);
    flow_scene *scene = NULL;
    status = flow_options_check(o);
    if (status == STATUS_OK)
        status = flow_scene_read(argv[first], &o->changes, &scene);
    if (status == STATUS_OK)
        status = flow_run(scene, &o->common, o->layer, o->layer_given);
    flow_scene_destroy(scene);
    return status;
}

int flow_main(int argc, char **argv)
{
    flow_options *o = calloc(1, sizeof *o);
    if (!o)
        return fail_memory();
    int status = run(o, argc, argv);
    free(o);
    return status;
}
