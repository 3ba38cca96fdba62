/* SPDX-License-Identifier: MIT */
/* foehn flow: the command line. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>

enum { LIST = 512, SHOW, LAYER, CELLS, VISCOSITY, RE, ANGLE, SURFACE, SOLVER, OFF };

const option_row flow_option_rows[] = {
    {"list", NULL, LIST, "the built-in scenes, a line each"},
    {"show", NULL, SHOW, "print the scene's file, to start one's own from"},
    {"layer", "NAME", LAYER,
     "ink, speed, vorticity, pressure, divergence, particles, solids (the scene's own)"},
    {"cells", "NXxNY", CELLS, "another number of cells"},
    {"viscosity", "NU", VISCOSITY, "another viscosity"},
    {"re", "RE", RE, "viscosity by Reynolds number, on the first obstacle's size or the height"},
    {"angle", "DEG", ANGLE, "of the first obstacle"},
    {"surface", "KIND", SURFACE, "of obstacles: staircase or fractions"},
    {"off", "TERM", OFF, "switch a term off: force, advection, viscosity, pressure; repeatable"},
    {"solver", "KIND", SOLVER, "of the pressure: multigrid or sor"},
    {NULL, NULL, 0, NULL}};

void flow_options_init(flow_options *o)
{
    memset(o, 0, sizeof *o);
    common_options_init(&o->common);
    o->changes = (flow_changes){.viscosity = NAN, .reynolds = NAN, .angle = NAN, .surface = -1,
                                .solver = -1};
}

int flow_options_handle(int id, const char *option, const char *value, void *data)
{
    static const char *const surfaces[] = {"staircase", "fractions"};
    static const char *const terms[] = {"force", "advection", "viscosity", "pressure"};
    static const char *const solvers[] = {"multigrid", "sor"};
    flow_options *o = data;
    int status;
    double cells[2];
    if (common_options_handle(&o->common, id, option, value, &status))
        return status;
    switch (id) {
    case LIST: o->list = true; return STATUS_OK;
    case SHOW: o->show = true; return STATUS_OK;
    case LAYER: o->layer_given = true; return parse_choice(option, value, LAYER_SOLIDS + 1, layer_names, &o->layer);
    case CELLS:
        status = parse_numbers(option, value, 'x', 2, "NXxNY such as 240x135", cells);
        for (int k = 0; status == STATUS_OK && k < 2; k++)
            if (!(cells[k] >= 2 && cells[k] <= 8192) || cells[k] != floor(cells[k]))
                return fail(STATUS_INPUT, "%s %s: whole numbers, 2 to 8192", option, value);
        if (status == STATUS_OK) {
            o->changes.nx = (int)cells[0];
            o->changes.ny = (int)cells[1];
        }
        return status;
    case VISCOSITY: return parse_number(option, value, 0, 1e6, "", &o->changes.viscosity);
    case RE: return parse_number(option, value, 1e-3, 1e9, "", &o->changes.reynolds);
    case ANGLE: return parse_number(option, value, -360, 360, "degrees", &o->changes.angle);
    case SURFACE: return parse_choice(option, value, 2, surfaces, &o->changes.surface);
    case OFF: {
        int term = 0;
        status = parse_choice(option, value, 4, terms, &term);
        o->changes.off |= 1 << term;
        return status;
    }
    case SOLVER: return parse_choice(option, value, 2, solvers, &o->changes.solver);
    default: return STATUS_USAGE;
    }
}

int flow_options_check(const flow_options *o)
{
    if (isfinite(o->changes.viscosity) && isfinite(o->changes.reynolds))
        return fail(STATUS_USAGE, "--viscosity and --re exclude each other: give one");
    return STATUS_OK;
}

static void print_help(void)
{
    puts("Usage: foehn flow SCENE [options]\n\n"
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
    int status = options_parse("flow", argc, argv, flow_option_rows, common_option_rows,
                               flow_options_handle, o, &first);
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
