/* SPDX-License-Identifier: MIT */
/* foehn wind: its command line. */
#include "config.h"

#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    U10 = 512,
    INPUT_HEIGHT,
    FROM,
    GUSTINESS,
    Z0,
    QUALITY,
    CELLS,
    SPACING,
    TERRAIN,
    WINDOW,
    TOP,
    ASSUME_METRES,
    ORIGIN,
    HEIGHT_UNIT,
    VOID_HEIGHT,
    ROUGHNESS,
    ROUGHNESS_TABLE,
    TREE_HEIGHT,
    SCHEME,
    PRESSURE,
    SWEEPS,
    CYCLES,
    ADVECTION,
    SOLIDS,
    STEADY,
    MODEL,
    CLOSURE,
    TOLERANCE,
    RELAXATION,
    INPUT,
    PROBE,
    HEIGHT,
    RANGE,
    COG
};

const option_row wind_option_rows[] = {
    {"u10", "SPEED", U10, "wind speed at 10 m over open ground, m/s, or such as 20kn (10)"},
    {"input-height", "M", INPUT_HEIGHT, "height that the given speed was measured at (10)"},
    {"from", "DEG", FROM, "direction it blows from, clockwise from true north (270)"},
    {"gustiness", "0..1", GUSTINESS, "strength of turbulence and gusts (0.3)"},
    {"z0", "M|CLASS", Z0,
     "roughness length, or sea, flat, open, low-crops, high-crops, parkland, "
     "forest (0.03)"},
    {"input", "FILE.csv", INPUT, "wind over time: time_s,u10,from,gustiness"},
    {"terrain", "DEM", TERRAIN, "raster of heights, any that GDAL reads"},
    {"window", "W,S,E,N", WINDOW, "part of the raster to use, m"},
    {"top", "M", TOP, "altitude of the lid (4 hill heights above the summit)"},
    {"assume-metres", NULL, ASSUME_METRES, "take a raster without a coordinate system as metres"},
    {"origin", "LAT,LON", ORIGIN, "where flat ground lies, degrees of WGS 84 (nowhere)"},
    {"height-unit", "UNIT", HEIGHT_UNIT,
     "of the raster: m, ft, us-ft, dm, cm, mm or km (what it says itself)"},
    {"void-height", "M", VOID_HEIGHT, "height where the raster has none, such as 0 for sea"},
    {"roughness", "FILE", ROUGHNESS,
     "raster of roughness lengths in m, or of classes (--z0 is then that of the inflow)"},
    {"roughness-table", "TABLE", ROUGHNESS_TABLE,
     "of classes: corine, nlcd, worldcover or FILE.csv (class,z0,displacement,name)"},
    {"tree-height", "FILE", TREE_HEIGHT, "raster of heights of trees, m, for classes 10, 20, 95 of WorldCover"},
    {"quality", "NAME", QUALITY, "low, medium, high or ultra: cells and sweeps (high)"},
    {"cells", "NXxNYxNZ", CELLS, "cells towards east, up and south"},
    {"spacing", "H[xV]", SPACING, "size of a cell, horizontal and vertical, m (4)"},
    {"scheme", "NAME", SCHEME, "staggered or collocated (staggered)"},
    {"pressure", "NAME", PRESSURE,
     "multigrid, mgcg, sor or jacobi (multigrid; collocated: jacobi only)"},
    {"sweeps", "N", SWEEPS, "Jacobi or SOR sweeps a step"},
    {"cycles", "N", CYCLES, "multigrid cycles a step (1)"},
    {"advection", "NAME", ADVECTION, "semi-lagrangian or maccormack (semi-lagrangian)"},
    {"solids", "NAME", SOLIDS, "fractions (cut cells) or binary (fractions)"},
    {"model", "NAME", MODEL,
     "forcing (real time), consistent (mass only, at once) or momentum (separates behind hills)"},
    {"closure", "NAME", CLOSURE, "of --model momentum: k-eps or k-length (k-eps)"},
    {"steady", NULL, STEADY, "the mean wind at once, mass consistent, without turbulence"},
    {"tolerance", "R", TOLERANCE, "relative residual that --steady stops at (1e-4)"},
    {"relaxation", "1/S", RELAXATION,
     "rate towards the undisturbed wind (0.5); with --steady: then also advect, until steady"},
    {"height", "M", HEIGHT, "height above ground of 2-D outputs (10)"},
    {"range", "LOW,HIGH", RANGE, "speeds at the ends of a map's colours, m/s (what it shows)"},
    {"cog", NULL, COG, "GeoTIFF as a cloud-optimised one, tiled and with overviews"},
    {"probe", "E,N,Z[,NAME]", PROBE,
     "time series at a point, Z above ground; repeatable, into "
     "--out FILE.csv"},
    {NULL, NULL, 0, NULL}};

/* Names that may grow in number. */
static const struct {
    const char *name;
    foehn_wind_scheme scheme;
} schemes[] = {{"staggered", FOEHN_WIND_STAGGERED}, {"collocated", FOEHN_WIND_COLLOCATED}};

/* In the order of the library's enumerations. */
static const char *const pressures[] = {"multigrid", "mgcg", "sor", "jacobi"};
static const char *const advections[] = {"semi-lagrangian", "maccormack"};
static const char *const solids[] = {"fractions", "binary"};

static const char *const models[] = {"forcing", "consistent", "momentum"};
static const char *const closures[] = {"k-eps", "k-length"};

static const char *const qualities[] = {"low", "medium", "high", "ultra"};

static int parse_z0(const char *option, const char *value, double *z0)
{
    float known = foehn_roughness_by_name(value);
    if (known > 0) {
        /* The decimal that was meant, not the nearest float written out. */
        char text[32];
        snprintf(text, sizeof text, "%.6g", (double)known);
        *z0 = strtod(text, NULL);
        return STATUS_OK;
    }
    char *end;
    (void)strtod(value, &end);
    if (end == value) {
        const char *names[FOEHN_ROUGHNESS_CLASSES];
        for (size_t i = 0; i < FOEHN_ROUGHNESS_CLASSES; i++)
            names[i] = foehn_roughness_classes[i].name;
        return unknown_name(option, value, FOEHN_ROUGHNESS_CLASSES, names);
    }
    return parse_number(option, value, 1e-6, 9.9, "m", z0);
}

static int parse_cells(const char *option, const char *value, int cells[3])
{
    double n[3];
    int status = parse_numbers(option, value, 'x', 3, "NXxNYxNZ, such as 64x16x64", n);
    for (int i = 0; i < 3 && status == STATUS_OK; i++) {
        if (n[i] < 1 || n[i] > 4096 || n[i] != floor(n[i]))
            status = fail(STATUS_INPUT, "%s %s: whole numbers from 1 to 4096 only", option, value);
        cells[i] = (int)n[i];
    }
    return status;
}

static int parse_spacing(const char *option, const char *value, double spacing[2])
{
    int count = strchr(value, 'x') ? 2 : 1;
    int status = parse_numbers(option, value, 'x', count, "H or HxV, such as 40x10", spacing);
    if (status != STATUS_OK)
        return status;
    if (count == 1)
        spacing[1] = spacing[0];
    for (int i = 0; i < 2; i++)
        if (spacing[i] < 0.001 || spacing[i] > 1e5)
            return fail(STATUS_INPUT, "%s %s: out of range: give 0.001 to 100000 m", option, value);
    return STATUS_OK;
}

static int parse_window(const char *option, const char *value, double window[4])
{
    int status = parse_numbers(option, value, ',', 4, "W,S,E,N", window);
    if (status == STATUS_OK && !(window[0] < window[2] && window[1] < window[3]))
        return fail(STATUS_INPUT, "%s %s: west must be less than east and south less than north",
                    option, value);
    return status;
}

static int parse_range(const char *option, const char *value, double range[2])
{
    int status = parse_numbers(option, value, ',', 2, "LOW,HIGH, such as 0,20", range);
    if (status == STATUS_OK && !(range[0] >= 0 && range[0] < range[1]))
        return fail(STATUS_INPUT, "%s %s: the lower speed must be less than the higher, and neither below 0",
                    option, value);
    return status;
}

static int parse_origin(const char *option, const char *value, double origin[2])
{
    int status = parse_numbers(option, value, ',', 2, "LAT,LON, such as 57.18,-7.37", origin);
    if (status == STATUS_OK && !(fabs(origin[0]) <= 85 && fabs(origin[1]) <= 360))
        return fail(STATUS_INPUT, "%s %s: latitudes from -85 to 85 and longitudes from -360 to 360 only",
                    option, value);
    return status;
}

static int parse_probe(wind_options *o, const char *option, const char *value)
{
    if (o->probe_count == MOST_PROBES)
        return fail(STATUS_USAGE, "%s %s: more than %d probes", option, value, (int)MOST_PROBES);
    char text[256];
    snprintf(text, sizeof text, "%s", value);
    /* The name begins after the third comma. */
    char *comma = text;
    for (int i = 0; comma && i < 3; i++)
        comma = strchr(comma + (i > 0), ',');
    char *name = o->probe_names[o->probe_count];
    size_t size = sizeof o->probe_names[0];
    if (comma) {
        *comma = 0;
        snprintf(name, size, "%s", comma + 1);
        if (strpbrk(name, ",\"\n") || !*name)
            return fail(STATUS_INPUT, "%s %s: a name without commas and quotes, please", option,
                        value);
    } else {
        snprintf(name, size, "probe%d", o->probe_count + 1);
    }
    double at[3];
    int status = parse_numbers(option, text, ',', 3, "E,N,Z[,NAME]", at);
    if (status != STATUS_OK)
        return status;
    if (at[2] < 0 || at[2] > 1e5)
        return fail(STATUS_INPUT, "%s %s: height %g m: give 0 to 100000 m above the ground", option,
                    value, at[2]);
    o->probes[o->probe_count++] = (scene_probe){name, at[0], at[1], at[2]};
    return STATUS_OK;
}

/* Files are the same for the same run, whatever they are called: what only names outputs is left out. */
static void note(wind_options *o, const char *option, const char *value)
{
    static const char *const left_out[] = {"--out",        "--stats",            "--quiet",
                                           "--checkpoint", "--checkpoint-every",
                                           "--config",     NULL};
    for (int i = 0; left_out[i]; i++)
        if (strcmp(option, left_out[i]) == 0)
            return;
    size_t n = strlen(o->command);
    const char *quote = value && value[strcspn(value, " '$&;()<>|*?`\\\"")] ? "\"" : "";
    snprintf(o->command + n, sizeof o->command - n, " %s%s%s%s%s", option, value ? " " : "", quote,
             value ? value : "", quote);
}

int wind_options_handle(int id, const char *option, const char *value, void *data)
{
    wind_options *o = data;
    note(o, option, value);
    uint64_t count = 0;
    int status;
    if (common_options_handle(&o->common, id, option, value, &status))
        return status;
    if (id == U10 || id == FROM || id == GUSTINESS)
        o->wind_option = id == U10 ? "--u10" : id == FROM ? "--from" : "--gustiness";
    switch (id) {
    case U10: return parse_speed(option, value, 0, 200, &o->u10);
    case INPUT_HEIGHT: return parse_number(option, value, 0.1, 1000, "m", &o->input_height);
    case RANGE: o->has_range = true; return parse_range(option, value, o->range);
    case COG: o->cog = true; return STATUS_OK;
    case FROM: return parse_number(option, value, -360, 720, "degrees", &o->from);
    case GUSTINESS: return parse_number(option, value, 0, 1, "", &o->gustiness);
    case Z0: o->has_z0 = true; return parse_z0(option, value, &o->z0);
    case QUALITY:
        return parse_name(option, value, sizeof qualities / sizeof qualities[0], qualities,
                          &o->quality);
    case CELLS: o->has_cells = true; return parse_cells(option, value, o->cells);
    case SPACING: o->has_spacing = true; return parse_spacing(option, value, o->spacing);
    case TERRAIN: o->terrain.path = value; return STATUS_OK;
    case WINDOW:
        o->terrain.has_window = true;
        return parse_window(option, value, o->terrain.window);
    case TOP: o->has_top = true; return parse_number(option, value, -1000, 1e5, "m", &o->top);
    case ASSUME_METRES: o->terrain.assume_metres = o->cover.assume_metres = true; return STATUS_OK;
    case ORIGIN: o->has_origin = true; return parse_origin(option, value, o->origin);
    case HEIGHT_UNIT:
        o->terrain.height_unit = terrain_unit(value);
        return o->terrain.height_unit > 0
                   ? STATUS_OK
                   : fail(STATUS_INPUT, "%s %s: unknown: give m, ft, us-ft, dm, cm, mm or km", option,
                          value);
    case VOID_HEIGHT:
        o->terrain.has_void_height = true;
        return parse_number(option, value, -12000, 9500, "m", &o->terrain.void_height);
    case ROUGHNESS: o->cover.path = value; return STATUS_OK;
    case ROUGHNESS_TABLE: o->cover.table = value; return STATUS_OK;
    case TREE_HEIGHT: o->cover.tree_height = value; return STATUS_OK;
    case SCHEME: {
        const char *names[sizeof schemes / sizeof schemes[0]];
        size_t n = sizeof schemes / sizeof schemes[0];
        for (size_t i = 0; i < n; i++)
            names[i] = schemes[i].name;
        status = parse_name(option, value, n, names, &o->scheme_name);
        for (size_t i = 0; i < n && status == STATUS_OK; i++)
            if (strcmp(names[i], value) == 0)
                o->scheme = schemes[i].scheme;
        return status;
    }
    case PRESSURE: return parse_choice(option, value, 4, pressures, &o->pressure);
    case ADVECTION: return parse_choice(option, value, 2, advections, &o->advection);
    case SOLIDS: return parse_choice(option, value, 2, solids, &o->solids);
    case STEADY: o->steady = true; return STATUS_OK;
    case MODEL: {
        int model;
        status = parse_choice(option, value, 3, models, &model);
        if (status == STATUS_OK) {
            o->model = (wind_model)model;
            o->model_name = models[model];
        }
        return status;
    }
    case CLOSURE: return parse_choice(option, value, 2, closures, &o->closure);
    case TOLERANCE: return parse_number(option, value, 1e-6, 0.5, "", &o->tolerance);
    case RELAXATION:
        o->has_relaxation = true;
        return parse_number(option, value, 0, 100, "1/s", &o->relaxation);
    case CYCLES:
        status = parse_count(option, value, 1, 1000, &count);
        o->cycles = (int)count;
        return status;
    case SWEEPS:
        status = parse_count(option, value, 1, 10000, &count);
        o->sweeps = (int)count;
        return status;
    case INPUT: o->input = value; return STATUS_OK;
    case PROBE: return parse_probe(o, option, value);
    case HEIGHT: return parse_number(option, value, 0.01, 1e4, "m", &o->height);
    default: return STATUS_OK;
    }
}

static void print_help(void)
{
    puts("Usage: foehn wind [options]\n\n"
         "Compute the wind over flat ground, or over the terrain of a raster of heights.\n"
         "Over flat ground it runs for 10 s; over terrain until the mean is steady.\n\nWind:");
    options_print(wind_option_rows);
    puts("\nRun:");
    options_print(common_option_rows);
    puts(
        "  --help                      this text\n\n"
        "Formats of --out: .nc NetCDF, .vtkhdf ParaView, .tif GeoTIFF, .png picture, .csv probes,\n"
        ".raw half floats, .asc grids, .gpkg points.  Environment: FOEHN_DEVICE is the default of --device.\n\n"
        "Example:\n"
        "  foehn wind --terrain hill.tif --u10 8.9 --from 210 --out hill.png --out hill.nc");
}

int wind_options_check(wind_options *o)
{
    int status = common_options_check(&o->common);
    if (status != STATUS_OK)
        return status;
    if (!o->terrain.path &&
        (o->terrain.has_window || o->has_top || o->terrain.assume_metres ||
         o->terrain.height_unit > 0 || o->terrain.has_void_height))
        return fail(STATUS_USAGE, "%s needs --terrain DEM",
                    o->terrain.has_window        ? "--window"
                    : o->has_top                 ? "--top"
                    : o->terrain.assume_metres   ? "--assume-metres"
                    : o->terrain.height_unit > 0 ? "--height-unit"
                                                 : "--void-height");
    status = cover_options_check(o);
    if (status != STATUS_OK)
        return status;
    if (o->terrain.path && o->has_origin)
        return fail(STATUS_USAGE, "--origin is for flat ground: a raster says where it lies");
    if (o->input && o->wind_option)
        return fail(STATUS_USAGE, "%s and --input exclude each other: the file says what blows",
                    o->wind_option);
    o->steady = o->steady || o->model == MODEL_CONSISTENT || o->model == MODEL_MOMENTUM;
    bool collocated = o->scheme == FOEHN_WIND_COLLOCATED;
    if (collocated && o->pressure >= 0 && o->pressure != FOEHN_WIND_PRESSURE_JACOBI)
        return fail(STATUS_USAGE, "--pressure %s needs --scheme staggered",
                    pressures[o->pressure]);
    if (collocated && (o->advection || o->solids || o->steady || o->cycles))
        return fail(STATUS_USAGE, "%s needs --scheme staggered",
                    o->advection ? "--advection maccormack"
                    : o->solids  ? "--solids binary"
                    : o->steady  ? "--steady"
                                 : "--cycles");
    if (o->steady && (o->input || o->common.steps || o->common.duration > 0 ||
                      o->common.every > 0 || o->common.checkpoint || o->common.resume))
        return fail(STATUS_USAGE, "--steady finds one mean field: leave out %s",
                    o->input                  ? "--input"
                    : o->common.steps         ? "--steps"
                    : o->common.duration > 0  ? "--duration"
                    : o->common.every > 0     ? "--every"
                    : o->common.checkpoint    ? "--checkpoint"
                                              : "--resume");
    if (o->quality && o->has_cells)
        return fail(STATUS_USAGE, "--quality and --cells exclude each other: give one");
    if (o->quality && o->terrain.path)
        return fail(STATUS_USAGE, "--quality is for flat ground: with --terrain give --spacing or "
                                  "--cells");
    if (o->has_top && o->has_cells && o->has_spacing)
        return fail(STATUS_USAGE, "--top, --cells and --spacing say the box's height twice: leave "
                                  "one out");
    bool csv = false, png = false, tif = false;
    for (int i = 0; i < o->common.output_count; i++) {
        const output_format *format;
        status = output_find(o->common.outputs[i], &format);
        if (status != STATUS_OK)
            return status;
        csv = csv || format == &output_csv;
        png = png || format == &output_png;
        tif = tif || format == &output_geotiff;
        if (format == &output_csv && o->probe_count == 0)
            return fail(STATUS_USAGE,
                        "--out %s: CSV holds time series at probes: give --probe "
                        "E,N,Z[,NAME]",
                        o->common.outputs[i]);
    }
    if (o->probe_count > 0 && !csv)
        return fail(STATUS_USAGE, "--probe needs --out FILE.csv");
    if ((o->has_range && !png) || (o->cog && !tif))
        return fail(STATUS_USAGE, o->has_range && !png ? "--range needs --out FILE.png"
                                                       : "--cog needs --out FILE.tif");
    if (o->input_height <= 1.05 * o->z0)
        return fail(STATUS_INPUT, "--input-height %g: not above the roughness length of %g m",
                    o->input_height, o->z0);
    if (o->pressure < 0)
        o->pressure = collocated ? FOEHN_WIND_PRESSURE_JACOBI : FOEHN_WIND_PRESSURE_MULTIGRID;
    o->pressure_name = pressures[o->pressure];
    return STATUS_OK;
}

void wind_options_init(wind_options *o)
{
    memset(o, 0, sizeof *o);
    common_options_init(&o->common);
    const foehn_wind_params defaults = foehn_wind_params_default();
    snprintf(o->command, sizeof o->command, "foehn wind");
    o->u10 = (double)defaults.state.u10;
    o->from = (double)defaults.state.from;
    o->gustiness = 0.3;
    o->z0 = 0.03;
    o->scheme = schemes[0].scheme;
    o->scheme_name = schemes[0].name;
    o->pressure = -1;
    o->tolerance = 1e-4;
    o->height = 10;
    o->input_height = 10;
}

int wind_options_read(wind_options *o, int argc, char **argv)
{
    wind_options_init(o);
    int status = options_parse("wind", argc, argv, wind_option_rows, common_option_rows,
                               wind_options_handle, o, NULL);
    if (status == OPTIONS_HELP) {
        print_help();
        return status;
    }
    return status == STATUS_OK ? wind_options_check(o) : status;
}

int wind_main(int argc, char **argv)
{
    wind_options *options = malloc(sizeof *options);
    if (!options)
        return fail_memory();
    int status = wind_options_read(options, argc, argv);
    if (status == STATUS_OK)
        status = wind_run(options);
    else if (status == OPTIONS_HELP)
        status = STATUS_OK;
    free(options);
    return status;
}
