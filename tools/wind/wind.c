/* SPDX-License-Identifier: MIT */
/* foehn wind: its command line. */
#include "config.h"

#include "ranks.h"
#include "wind/inlet.h"
#include "wind/moment.h"
#include "wind/quantity.h"
#include "wind/sectors.h"
#include "wind/weather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int parse_z0(const char *option, const char *value, void *options)
{
    double *z0 = &((wind_options *)options)->z0;
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

static int parse_cells(const char *option, const char *value, void *options)
{
    int *cells = ((wind_options *)options)->cells;
    double n[3];
    int status = parse_numbers(option, value, 'x', 3, "NXxNYxNZ, such as 64x16x64", n);
    for (int i = 0; i < 3 && status == STATUS_OK; i++) {
        if (n[i] < 1 || n[i] > 4096 || n[i] != floor(n[i]))
            status = fail(STATUS_INPUT, "%s %s: whole numbers from 1 to 4096 only", option, value);
        cells[i] = (int)n[i];
    }
    return status;
}

static int parse_spacing(const char *option, const char *value, void *options)
{
    double *spacing = ((wind_options *)options)->spacing;
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

static int parse_window(const char *option, const char *value, void *options)
{
    double *window = ((wind_options *)options)->terrain.window;
    int status = parse_numbers(option, value, ',', 4, "W,S,E,N", window);
    if (status == STATUS_OK && !(window[0] < window[2] && window[1] < window[3]))
        return fail(STATUS_INPUT, "%s %s: west must be less than east and south less than north",
                    option, value);
    return status;
}

static int parse_range(const char *option, const char *value, void *options)
{
    double *range = ((wind_options *)options)->range;
    int status = parse_numbers(option, value, ',', 2, "LOW,HIGH, such as 0,20", range);
    if (status == STATUS_OK && !(range[0] >= 0 && range[0] < range[1]))
        return fail(STATUS_INPUT,
                    "%s %s: the lower speed must be less than the higher, and neither below 0",
                    option, value);
    return status;
}

static int parse_origin(const char *option, const char *value, void *options)
{
    double *origin = ((wind_options *)options)->origin;
    int status = parse_numbers(option, value, ',', 2, "LAT,LON, such as 57.18,-7.37", origin);
    if (status == STATUS_OK && !(fabs(origin[0]) <= 85 && fabs(origin[1]) <= 360))
        return fail(STATUS_INPUT,
                    "%s %s: latitudes from -85 to 85 and longitudes from -360 to 360 only", option,
                    value);
    return status;
}

/* Names of quantities, separated by commas, each once. */
static int parse_bands(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    const char *at = value, *names[QUANTITIES];
    quantity_names(names);
    o->band_count = 0;
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const quantity *q = length < sizeof name ? quantity_find(name) : NULL;
        if (!q)
            return unknown_name(option, name, QUANTITIES, names);
        for (int i = 0; i < o->band_count; i++)
            if (o->bands[i] == q)
                return fail(STATUS_INPUT, "%s %s: %s is there twice", option, value, name);
        o->bands[o->band_count++] = q;
        more = at[length] == ',';
        at += length + 1;
    }
    return STATUS_OK;
}

/* A moment, a span between two, or all. */
static int parse_time(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    const char *slash = strchr(value, '/');
    char from[64] = "";
    o->time_to = NAN;
    if (strcmp(value, "all") == 0) {
        o->time = -INFINITY;
        o->time_to = INFINITY;
        return STATUS_OK;
    }
    const size_t length = slash ? (size_t)(slash - value) : strlen(value);
    if (length < sizeof from)
        memcpy(from, value, length);
    if (!moment_parse(from, &o->time) || (slash && !moment_parse(slash + 1, &o->time_to)))
        return fail(STATUS_INPUT,
                    "%s %s: not a moment: give it as 2026-11-30T12:00, in UTC, or two with a / "
                    "between them, or all",
                    option, value);
    if (slash && !(o->time <= o->time_to))
        return fail(STATUS_INPUT, "%s %s: ends before it begins", option, value);
    return STATUS_OK;
}

static int parse_height_unit(const char *option, const char *value, void *options)
{
    double *unit = &((wind_options *)options)->terrain.height_unit;
    *unit = terrain_unit(value);
    return *unit > 0 ? STATUS_OK
                     : fail(STATUS_INPUT, "%s %s: unknown: give m, ft, us-ft, dm, cm, mm or km",
                            option, value);
}

/* In the order of the library's enumerations. */
static const char *const schemes[] = {"collocated", "staggered", NULL};
static const char *const pressures[] = {"multigrid", "mgcg", NULL};
static const char *const advections[] = {"semi-lagrangian", "maccormack", NULL};
static const char *const solids[] = {"fractions", "binary", NULL};
static const char *const closures[] = {"k-eps", "k-length", NULL};

/* In the order of wind_model. */
static const char *const models[] = {"forcing", "consistent", "momentum", "les", NULL};
static const char *const subgrids[] = {"smagorinsky", "amd", NULL};
static const char *const inflows[] = {"precursor", "noise", NULL};

static const char *const qualities[] = {"low", "medium", "high", "ultra", NULL};

#define OPTIONS wind_options

/* A new option is a row here, a member of wind_options, and its use. */
const option_row wind_option_rows[] = {
    {"devices", "A,B,...",
     "cut the box: a part on each of these devices, which may be the same; see doc/domain.md",
     TEXT(common.devices), UNRECORDED, NO_WINDOW},
    {"u10", "SPEED", "wind speed at 10 m over open ground, m/s, or such as 20kn (10)",
     SPEED(u10, 0, 200), GIVEN(has_u10)},
    {"input-height", "M", "height that the given speed was measured at (10)",
     REAL(input_height, 0.1, 1000, "m")},
    {"from", "DEG", "direction it blows from, clockwise from true north (270)",
     REAL(from, -360, 720, "degrees"), GIVEN(has_from)},
    {"gustiness", "G", "strength of turbulence and gusts (0.3)", REAL(gustiness, 0, 1, ""),
     GIVEN(has_gustiness)},
    {"z0", "M|CLASS",
     "roughness length, or sea, flat, open, low-crops, high-crops, parkland, forest (0.03)",
     OWN(parse_z0), GIVEN(has_z0)},
    {"obukhov", "M",
     "Monin-Obukhov length: > 0 stable, < 0 unstable, for --model consistent and momentum "
     "(neutral)",
     REAL(obukhov, -1e5, 1e5, "m"), GIVEN(has_obukhov), NO_WINDOW},
    {"input", "FILE",
     "wind over time (.csv: time_s,u10,from,gustiness), or a weather model's at 10 m (.nc, .grib2)",
     TEXT(input), NO_WINDOW},
    {"stations", "FILE.csv",
     "fit the inlet to winds measured at stations: name,easting,northing,height,speed,direction",
     TEXT(stations), NO_WINDOW},
    {"fit-only", NULL,
     "with --stations and --model consistent: leave out what is spread between the stations",
     FLAG(fit_only), NO_WINDOW},
    {"time", "MOMENT[/END]",
     "of --stations or a weather model's --input, such as 2026-11-30T12:00 (UTC); of the latter "
     "also all times to END, or \"all\"",
     OWN(parse_time), GIVEN(has_time), NO_WINDOW},
    {"terrain", "DEM", "raster of heights, any that GDAL reads", TEXT(terrain.path)},
    {"window", "W,S,E,N", "part of the raster to use, m", OWN(parse_window),
     GIVEN(terrain.has_window)},
    {"top", "M", "altitude of the lid (4 hill heights above the summit)",
     REAL(top, -1000, 1e5, "m"), GIVEN(has_top)},
    {"assume-metres", NULL, "take a raster without a coordinate system as metres",
     FLAG(terrain.assume_metres)},
    {"origin", "LAT,LON", "where flat ground lies, degrees of WGS 84 (nowhere)", OWN(parse_origin),
     GIVEN(has_origin)},
    {"height-unit", "UNIT", "of the raster: m, ft, us-ft, dm, cm, mm or km (what it says itself)",
     OWN(parse_height_unit)},
    {"void-height", "M", "height where the raster has none, such as 0 for sea",
     REAL(terrain.void_height, -12000, 9500, "m"), GIVEN(terrain.has_void_height)},
    {"roughness", "FILE",
     "raster of roughness lengths in m, or of classes (--z0 is then that of the inflow)",
     TEXT(cover.path)},
    {"roughness-table", "TABLE",
     "of classes: corine, nlcd, worldcover or FILE.csv (class,z0,displacement,name)",
     TEXT(cover.table)},
    {"tree-height", "FILE", "raster of heights of trees, m, for classes 10, 20, 95 of WorldCover",
     TEXT(cover.tree_height)},
    {"leaf-area", "L",
     "m2 of leaves a m2 of ground: trees of four cells and more drag on the air (they roughen it)",
     REAL(leaf_area, 0.1, 15, ""), NO_WINDOW},
    {"quality", "NAME", "low, medium, high or ultra: cells and sweeps (high)",
     CHOICE(quality, qualities), GIVEN(has_quality)},
    {"cells", "NXxNYxNZ", "cells towards east, up and south", OWN(parse_cells), GIVEN(has_cells)},
    {"spacing", "H[xV]", "size of a cell, horizontal and vertical, m (4)", OWN(parse_spacing),
     GIVEN(has_spacing)},
    {"scheme", "NAME", "staggered or collocated (staggered)", CHOICE(scheme, schemes)},
    {"pressure", "NAME", "multigrid or mgcg (multigrid)", CHOICE(pressure, pressures)},
    {"sweeps", "N", "Jacobi sweeps a step of --scheme collocated (12)", COUNT(sweeps, 1, 10000)},
    {"cycles", "N", "multigrid cycles a step (1)", COUNT(cycles, 1, 1000)},
    {"divergence", "R", "cycles go on until |div u| is at most this much of u10 over a cell (1e-5)",
     REAL(divergence, 0, 1, ""), GIVEN(has_divergence), NO_WINDOW},
    {"advection", "NAME", "semi-lagrangian or maccormack (semi-lagrangian)",
     CHOICE(advection, advections)},
    {"solids", "NAME", "fractions (cut cells) or binary (fractions)", CHOICE(solids, solids)},
    {"model", "NAME",
     "forcing (real time), consistent (mass only, at once), momentum (separates behind hills) or "
     "les (its eddies, in time)",
     CHOICE(model, models)},
    {"closure", "NAME", "of --model momentum: k-eps or k-length (k-eps)",
     CHOICE(closure, closures)},
    {"subgrid", "NAME",
     "of --model les: smagorinsky or amd, for the eddies it does not resolve (amd)",
     CHOICE(subgrid, subgrids), GIVEN(has_subgrid)},
    {"spin-up", "S", "of --model les: time that its turbulence is given before the run (600)",
     REAL(spin_up, 0, 1e5, "s"), GIVEN(has_spin_up)},
    {"inflow", "NAME",
     "of --model les over terrain: precursor (a periodic box beside it) or noise (cheap) "
     "(precursor)",
     CHOICE(inflow, inflows), GIVEN(has_inflow)},
    {"steady", NULL, "the mean wind at once, mass consistent, without turbulence", FLAG(steady),
     NO_WINDOW},
    {"tolerance", "R", "relative residual that --steady stops at (1e-4)",
     REAL(tolerance, 1e-6, 0.5, ""), NO_WINDOW},
    {"relaxation", "1/S",
     "rate towards the undisturbed wind (0.5); with --steady: then also advect, until steady",
     REAL(relaxation, 0, 100, "1/s"), GIVEN(has_relaxation)},
    {"height", "M", "height above ground of 2-D outputs (10); of --sectors as many as given",
     OWN(height_parse), NO_WINDOW},
    {"sectors", "N",
     "so many directions in one run, from north on; of --model consistent or momentum",
     COUNT(sectors, 1, MOST_SECTORS), NO_WINDOW},
    {"every-sector", "OUT-%03d.tif", "a map a direction of --sectors; %03d becomes its degrees",
     TEXT(every_sector), UNRECORDED, NO_WINDOW},
    {"reference", "E,N,Z", "mast that --sectors compares with, Z above ground",
     OWN(reference_parse), GIVEN(has_reference), NO_WINDOW},
    {"climate", "FILE",
     "winds at the reference, .tab or .csv (sector,f,A,k), for --out FILE.wrg or .rsf",
     TEXT(climate), NO_WINDOW},
    {"range", "LOW,HIGH", "speeds at the ends of a map's colours, m/s (what it shows)",
     OWN(parse_range), GIVEN(has_range), NO_WINDOW},
    {"cog", NULL, "GeoTIFF as a cloud-optimised one, tiled and with overviews", FLAG(cog),
     NO_WINDOW},
    {"band", "NAME[,NAME...]",
     "of GeoTIFF and .asc: speed, direction, k, ti, ustar, inflow-angle ... (speed,direction)",
     OWN(parse_bands), NO_WINDOW},
    {"probe", "E,N,Z[,NAME]",
     "time series at a point, Z above ground; repeatable, into --out FILE.csv", OWN(probe_parse),
     NO_WINDOW},
    {"box", "E,N,Z,NY,NZ,DY,DZ",
     "the wind that passes NY x NZ points across it around a point, for turbines, into --out "
     "FILE.bts",
     OWN(plane_parse), NO_WINDOW},
    {"profile", "E,N[,NAME]", "the same at round heights up to the lid", OWN(profile_parse),
     NO_WINDOW},
    END_OF_OPTIONS};

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
        ".raw half floats, .bts wind of --box, .asc grids, .gpkg points, .kmz arrows on a globe; "
        "with --sectors also .wrg and .rsf.\n"
        "Environment: FOEHN_DEVICE is the default of --device.\n\n"
        "Example:\n"
        "  foehn wind --terrain hill.tif --u10 8.9 --from 210 --out hill.png --out hill.nc");
}

/* The LES makes its own turbulence, in its own scheme. */
static int check_les(const wind_options *o, bool collocated)
{
    if (o->model != MODEL_LES)
        return o->has_subgrid || o->has_spin_up || o->has_inflow
                   ? fail(STATUS_USAGE, "%s needs --model les",
                          o->has_subgrid  ? "--subgrid"
                          : o->has_inflow ? "--inflow"
                                          : "--spin-up")
                   : STATUS_OK;
    if (o->has_inflow && !o->terrain.path)
        return fail(STATUS_USAGE, "--inflow needs --terrain: without one the box is periodic");
    const char *other = o->steady           ? "--steady"
                        : o->input          ? "--input"
                        : o->has_gustiness  ? "--gustiness"
                        : o->has_relaxation ? "--relaxation"
                        : o->has_divergence ? "--divergence"
                        : o->advection      ? "--advection"
                        : o->pressure >= 0  ? "--pressure"
                        : o->cycles         ? "--cycles"
                        : collocated        ? "--scheme collocated"
                                            : NULL;
    return other ? fail(STATUS_USAGE,
                        "--model les and %s exclude each other: it has one scheme, and a wind that "
                        "stays",
                        other)
                 : STATUS_OK;
}

static int check_bands(wind_options *o, bool has_raster)
{
    if (o->band_count > 0 && !has_raster)
        return fail(STATUS_USAGE, "--band needs --out FILE.tif or FILE.asc");
    for (int i = 0; i < o->band_count; i++)
        if (o->bands[i]->need == NEEDS_EDDIES)
            return fail(STATUS_USAGE, "--band %s: only in cells: give --out FILE.nc",
                        o->bands[i]->name);
        else if (o->bands[i]->need == NEEDS_CLOSURE && o->model != MODEL_MOMENTUM &&
                 o->model != MODEL_LES)
            return fail(STATUS_USAGE,
                        "--band %s: the %s model has none: give --model momentum or les",
                        o->bands[i]->name, models[o->model]);
    if (o->band_count == 0) {
        o->bands[o->band_count++] = quantity_find("speed");
        o->bands[o->band_count++] = quantity_find("direction");
    }
    return STATUS_OK;
}

/* Names of outputs, and what only some formats have. */
static int check_outputs(wind_options *o)
{
    bool csv = false, bts = false, png = false, tif = false, asc = false;
    int status = sectors_options_check(o);
    const int files = o->common.output_count + (o->every_sector != NULL);
    for (int i = 0; i < files && status == STATUS_OK; i++) {
        const bool map = i == o->common.output_count;
        const char *path = map ? o->every_sector : o->common.outputs[i];
        const output_format *format = NULL;
        if (sectors_wanted(o) && !map) { /* checked */
            png = png || strcmp(strrchr(path, '.'), ".png") == 0;
            continue;
        }
        status = output_find(path, &format);
        csv = csv || format == &output_csv;
        bts = bts || format == &output_bts;
        png = png || format == &output_png;
        tif = tif || format == &output_geotiff;
        asc = asc || format == &output_asc;
        if (status == STATUS_OK && format == &output_csv && o->probe_count + o->profile_count == 0)
            return fail(STATUS_USAGE,
                        "--out %s: CSV holds time series at probes: give --probe "
                        "E,N,Z[,NAME] or --profile E,N[,NAME]",
                        path);
    }
    if (status != STATUS_OK)
        return status;
    if (o->plane.ny > 0 && (!bts || o->steady))
        return fail(STATUS_USAGE,
                    o->steady
                        ? "--box needs wind that changes: not --steady, nor models of the mean"
                        : "--box needs --out FILE.bts");
    if (o->probe_count + o->profile_count > 0 && !csv)
        return fail(STATUS_USAGE, "%s needs --out FILE.csv",
                    o->probe_count > 0 ? "--probe" : "--profile");
    status = check_bands(o, tif || asc);
    if (status != STATUS_OK)
        return status;
    if ((o->has_range && !png) || (o->cog && !tif))
        return fail(STATUS_USAGE, o->has_range && !png ? "--range needs --out FILE.png"
                                                       : "--cog needs --out FILE.tif");
    return STATUS_OK;
}

/* What cuts the wind into parts; NULL: nothing does. */
static const char *cut_by(const wind_options *o)
{
    const bool several = ranks_count() > 1;
    if (o->common.devices && (several || ranks_list_count(o->common.devices) > 1))
        return "--devices";
    return several ? "mpirun" : NULL;
}

static int check_parts(const wind_options *o, bool collocated)
{
    int status = o->common.devices ? ranks_list_check(o->common.devices) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (o->common.devices && o->common.device)
        return fail(STATUS_USAGE, "--device and --devices exclude each other: give one");
    if (cut_by(o) && collocated)
        return fail(STATUS_USAGE, "%s needs --scheme staggered", cut_by(o));
    if (cut_by(o) && o->model == MODEL_LES && !o->terrain.path)
        return fail(STATUS_USAGE,
                    "--model les without --terrain has a periodic box, which is one part: leave "
                    "out %s",
                    cut_by(o));
    return STATUS_OK;
}

int wind_options_check(wind_options *o)
{
    int status = common_options_check(&o->common);
    if (status != STATUS_OK)
        return status;
    if (!o->terrain.path && (o->terrain.has_window || o->has_top || o->terrain.assume_metres ||
                             o->terrain.height_unit > 0 || o->terrain.has_void_height))
        return fail(STATUS_USAGE, "%s needs --terrain DEM",
                    o->terrain.has_window        ? "--window"
                    : o->has_top                 ? "--top"
                    : o->terrain.assume_metres   ? "--assume-metres"
                    : o->terrain.height_unit > 0 ? "--height-unit"
                                                 : "--void-height");
    o->cover.assume_metres = o->terrain.assume_metres;
    status = cover_options_check(o);
    if (status != STATUS_OK)
        return status;
    if (o->terrain.path && o->has_origin)
        return fail(STATUS_USAGE, "--origin is for flat ground: a raster says where it lies");
    if (o->input && (o->has_u10 || o->has_from || o->has_gustiness))
        return fail(STATUS_USAGE, "%s and --input exclude each other: the file says what blows",
                    o->has_u10    ? "--u10"
                    : o->has_from ? "--from"
                                  : "--gustiness");
    o->steady = o->steady || o->model == MODEL_CONSISTENT || o->model == MODEL_MOMENTUM;
    if (o->has_obukhov && !(fabs(o->obukhov) >= 5))
        return fail(STATUS_INPUT,
                    "--obukhov %g: give 5 m and more in size; without it the air is neutral",
                    o->obukhov);
    if (o->has_obukhov && (!o->steady || o->has_relaxation))
        return fail(STATUS_USAGE, "--obukhov needs --model momentum, or --model consistent without "
                                  "--relaxation");
    status = inlet_options_check(o);
    if (status != STATUS_OK)
        return status;
    bool collocated = o->scheme == FOEHN_WIND_COLLOCATED;
    if (!collocated && o->sweeps)
        return fail(STATUS_USAGE, "--sweeps needs --scheme collocated");
    if (o->has_divergence && (collocated || o->steady))
        return fail(STATUS_USAGE, "--divergence is of --model forcing with --scheme staggered");
    if (collocated && (o->pressure >= 0 || o->advection || o->solids || o->steady || o->cycles))
        return fail(STATUS_USAGE, "%s needs --scheme staggered",
                    o->pressure >= 0 ? "--pressure"
                    : o->advection   ? "--advection maccormack"
                    : o->solids      ? "--solids binary"
                    : o->steady      ? "--steady"
                                     : "--cycles");
    status = check_les(o, collocated);
    if (status != STATUS_OK)
        return status;
    const bool marches = o->model == MODEL_MOMENTUM; /* in steps, to the mean field */
    const bool has_weather = o->input && weather_is(o->input);
    if (o->steady && ((o->input && !has_weather) || o->common.duration > 0 || o->common.every > 0 ||
                      (!marches && (o->common.steps || o->common.checkpoint || o->common.resume))))
        return fail(STATUS_USAGE, "--steady finds one mean field: leave out %s",
                    o->input && !has_weather ? "--input"
                    : o->common.duration > 0 ? "--duration"
                    : o->common.every > 0    ? "--every"
                    : o->common.steps        ? "--steps"
                    : o->common.checkpoint   ? "--checkpoint"
                                             : "--resume");
    if (o->has_quality && o->has_cells)
        return fail(STATUS_USAGE, "--quality and --cells exclude each other: give one");
    if (o->has_quality && o->terrain.path)
        return fail(STATUS_USAGE, "--quality is for flat ground: with --terrain give --spacing or "
                                  "--cells");
    if (o->has_top && o->has_cells && o->has_spacing)
        return fail(STATUS_USAGE, "--top, --cells and --spacing say the box's height twice: leave "
                                  "one out");
    status = check_outputs(o);
    if (status == STATUS_OK)
        status = check_parts(o, collocated);
    if (status != STATUS_OK)
        return status;
    if (o->input_height <= 1.05 * o->z0)
        return fail(STATUS_INPUT, "--input-height %g: not above the roughness length of %g m",
                    o->input_height, o->z0);
    if (o->pressure < 0)
        o->pressure = FOEHN_WIND_PRESSURE_MULTIGRID;
    o->pressure_name = collocated ? "jacobi" : pressures[o->pressure];
    o->scheme_name = schemes[o->scheme];
    o->quality_name = o->has_quality ? qualities[o->quality] : NULL;
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
    o->scheme = FOEHN_WIND_STAGGERED;
    o->pressure = -1;
    o->tolerance = 1e-4;
    o->spin_up = (double)defaults.spin_up;
    o->subgrid = (int)defaults.subgrid;
    o->divergence = 1e-5;
    o->height = 10;
    o->input_height = 10;
    o->time = o->time_to = NAN;
}

/* Read and check the command line.  Returns STATUS_OK, OPTIONS_HELP after printing, or fails. */
static int wind_options_read(wind_options *o, int argc, char **argv)
{
    wind_options_init(o);
    const option_table tables[] = {
        {wind_option_rows, o}, {common_option_rows, &o->common}, {NULL, NULL}};
    int status = options_parse("wind", argc, argv, tables, o->command, NULL);
    if (status == OPTIONS_HELP) {
        print_help();
        return status;
    }
    return status == STATUS_OK ? wind_options_check(o) : status;
}

static int run_sectors(const wind_options *o)
{
    if (ranks_count() > 1 || o->common.devices)
        return fail(STATUS_USAGE, "--sectors runs on one device: leave out %s",
                    o->common.devices ? "--devices" : "mpirun");
    return sweep_run(o);
}

int wind_main(int argc, char **argv)
{
    wind_options *options = malloc(sizeof *options);
    if (!options)
        return fail_memory();
    int status = wind_options_read(options, argc, argv);
    if (status == STATUS_OK)
        status = sectors_wanted(options) ? run_sectors(options) : wind_run(options);
    else if (status == OPTIONS_HELP)
        status = STATUS_OK;
    free(options);
    return status;
}
