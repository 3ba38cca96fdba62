/* SPDX-License-Identifier: MIT */
/* The box of a wind: over flat ground, or over terrain with sides that are eased to one height. */
#include "config.h"

#include "output_clock.h"
#include "wind/wind.h"

#include <foehn/profile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_BUDGET 1.25e6 /* cells that the default spacing aims at */
#define ASPECT 4.0         /* of default cells, horizontal over vertical */
#define LID_HILLS 4.0      /* hill heights between the summit and the lid, with which it warns */
#define EASED_SHARE 0.1    /* of the shorter side, at every side */

/* The next larger number that is easy to read: one or two digits. */
static double round_up(double x)
{
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double decade = pow(10, floor(log10(x)));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (steps[i] * decade >= x * (1 - 1e-9))
            return steps[i] * decade;
    return 10 * decade;
}

static void choose_spacing(const wind_options *o, const terrain *t, double depth, double spacing[2])
{
    double width = t->window[2] - t->window[0], length = t->window[3] - t->window[1];
    if (o->has_spacing) {
        spacing[0] = o->spacing[0];
        spacing[1] = o->spacing[1];
    } else if (o->has_cells) {
        spacing[0] = fmin(width / o->cells[0], length / o->cells[2]);
        spacing[1] = (double)(float)(depth / o->cells[1]);
        /* The floor goes down to a whole cell; grow until the lid is not lowered by it. */
        for (int i = 0; i < 10000; i++) {
            double floor_at = spacing[1] * floor(t->lowest / spacing[1]);
            if (floor_at + o->cells[1] * spacing[1] >= t->lowest + depth)
                break;
            spacing[1] = (double)(float)(spacing[1] * 1.001);
        }
    } else {
        /* width length depth = budget h h (h / aspect); finer than the raster says nothing new */
        double h = cbrt(ASPECT * width * length * depth / CELL_BUDGET);
        spacing[0] = round_up(fmax(h, fmax(t->pixel[0], t->pixel[1])));
        spacing[1] = spacing[0] / ASPECT;
    }
    /* What the library gets is a float; the box is reckoned with the same number. */
    spacing[0] = (double)(float)spacing[0];
    spacing[1] = (double)(float)spacing[1];
}

/* Why so many cells make no box, and the way out. */
static int refuse_cells(const wind_options *o, const scene *s, const double area[2], double top,
                        const double n[3], const double spacing[2])
{
    if (o->has_spacing)
        return fail(STATUS_INPUT,
                    "--spacing %gx%g: makes %.0f x %.0f x %.0f cells of the box: "
                    "4 to 4096 along each side are possible",
                    spacing[0], spacing[1], n[0], n[1], n[2]);
    return fail(STATUS_INPUT,
                "%s: an area of %.4g x %.4g km under a lid at %.4g m would be %.0f x %.0f x %.0f "
                "cells of %g x %g m: 4 to 4096 along each side are possible: give a part of it "
                "(--window W,S,E,N), a smaller raster, or --spacing",
                s->terrain, 1e-3 * area[0], 1e-3 * area[1], top, n[0], n[1], n[2], spacing[0],
                spacing[1]);
}

/* Cells of the parameters, whose spacings are set, and the height of the box's middle. */
static int choose_cells(const wind_options *o, const scene *s, const terrain *t, double top,
                        foehn_wind_params *p)
{
    const double spacing[2] = {(double)p->spacing_horizontal, (double)p->spacing_vertical};
    const double area[2] = {t->window[2] - t->window[0], t->window[3] - t->window[1]};
    const double n[3] = {floor(area[0] / spacing[0] + 1e-4), (top - t->lowest) / spacing[1],
                         floor(area[1] / spacing[0] + 1e-4)};
    int *const cells[3] = {&p->nx, &p->ny, &p->nz};
    for (int a = 0; a < 3; a += 2) {
        if (o->has_cells && o->cells[a] > n[a])
            return fail(STATUS_INPUT,
                        "--cells and --spacing: %d cells of %g m are wider than "
                        "the window of %.0f x %.0f m: give fewer or a larger "
                        "--window",
                        o->cells[a], spacing[0], area[0], area[1]);
        if (!o->has_cells && (n[a] < 4 || n[a] > 4096))
            return refuse_cells(o, s, area, top, n, spacing);
        *cells[a] = o->has_cells ? o->cells[a] : (int)n[a];
    }
    if (!o->has_cells)
        return foehn_site_set_levels(p, t->lowest, top) == FOEHN_OK
                   ? STATUS_OK
                   : refuse_cells(o, s, area, top, n, spacing);
    p->ny = o->cells[1];
    p->center[1] = spacing[1] * floor(t->lowest / spacing[1]) + 0.5 * spacing[1] * p->ny;
    return STATUS_OK;
}

static int place_over_terrain(const wind_options *o, const terrain *t, site *s)
{
    s->hill = t->summit - t->lowest_sound;
    const double high = foehn_site_get_lid(t->lowest_sound, t->summit);
    double top = o->has_top ? o->top : high;
    if (top <= t->summit)
        return fail(STATUS_INPUT, "--top %g: below the summit at %.1f m: give at least %.0f m", top,
                    t->summit, high);
    double spacing[2];
    foehn_wind_params *p = &s->params;
    choose_spacing(o, t, top - t->lowest, spacing);
    p->spacing_horizontal = (float)spacing[0];
    p->spacing_vertical = (float)spacing[1];
    int status = choose_cells(o, &s->scene, t, top, p);
    if (status != STATUS_OK)
        return status;

    const double h = spacing[0], floor_at = spacing[1] * floor(t->lowest / spacing[1]);
    const double lid = floor_at + spacing[1] * p->ny;
    if (lid <= t->summit)
        return fail(STATUS_INPUT,
                    "%d layers of %g m reach from %.0f to %.0f m, below the summit at %.1f m: give "
                    "--cells or --spacing with at least %.0f m of them",
                    p->ny, spacing[1], floor_at, lid, t->summit, high - floor_at);
    s->world_easting = 0.5 * (t->window[0] + t->window[2]) - 0.5 * h * p->nx;
    s->world_northing = 0.5 * (t->window[1] + t->window[3]) + 0.5 * h * p->nz;
    p->center[0] = 0.5 * h * p->nx;
    p->center[2] = 0.5 * h * p->nz;

    scene *sc = &s->scene;
    sc->has_terrain = true;
    sc->origin[0] = s->world_easting;
    sc->origin[1] = s->world_northing - h * p->nz;
    sc->origin[2] = floor_at;
    sc->spacing[0] = sc->spacing[1] = h;
    sc->spacing[2] = spacing[1];
    sc->eased = fmax(EASED_SHARE * h * (p->nx < p->nz ? p->nx : p->nz), 2 * h);
    s->lid_above = s->hill > 0 ? (lid - t->summit) / s->hill : 0;

    report("Terrain   %s: %d x %d cells of %g x %g m, %.0f to %.0f m, %s%s%s%s", sc->terrain, t->nx,
           t->ny, t->pixel[0], t->pixel[1], t->lowest, t->summit, t->place.name,
           t->place.authority[0] ? " (" : "", t->place.authority, t->place.authority[0] ? ")" : "");
    report("Box       %d x %d x %d cells of %g x %g m (%.2f million) from %.10g E %.10g N, floor "
           "%.0f m, lid %.0f m: %.1f hill heights above the summit",
           p->nx, p->nz, p->ny, h, spacing[1], 1e-6 * p->nx * p->ny * p->nz, sc->origin[0],
           sc->origin[1], floor_at, lid, s->lid_above);
    if (s->hill > 0 && s->lid_above < LID_HILLS - 0.01)
        warn("the lid stands only %.1f hill heights above the summit: below %g it slows the wind "
             "over hilltops: raise --top",
             s->lid_above, LID_HILLS);
    return STATUS_OK;
}

static int create_over_terrain(const wind_options *o, double from, site *s)
{
    terrain t;
    int status = terrain_read_once(&o->terrain, &t);
    if (status != STATUS_OK)
        return status;
    const char *slash = strrchr(o->terrain.path, '/');
    snprintf(s->scene.terrain, sizeof s->scene.terrain, "%s", slash ? slash + 1 : o->terrain.path);
    status = place_over_terrain(o, &t, s);
    if (status == STATUS_OK)
        status = fail_library(foehn_site_get_samples(&s->params, &s->ground));
    if (status == STATUS_OK) {
        const size_t count = (size_t)s->ground.nx * (size_t)s->ground.nz;
        s->ground.heights = s->heights = malloc(count * sizeof *s->heights);
        s->sampled = malloc(count * sizeof *s->sampled);
        if (!s->heights || !s->sampled)
            status = fail_memory();
    }
    if (status == STATUS_OK && o->cover.path)
        status = site_cover(o, from, &t.place, s);
    if (status == STATUS_OK) {
        status = site_sample_ground(&t, s);
        if (status == STATUS_OK)
            status = site_ease_ground(s, from - t.place.convergence);
        s->scene.place = t.place; /* handed over */
        t.place.wkt = t.place.wkt_gdal = NULL;
    }
    terrain_destroy(&t);
    return status;
}

static int create_flat(const wind_options *o, site *s)
{
    foehn_wind_params *p = &s->params;
    if (o->has_cells) {
        p->nx = o->cells[0];
        p->ny = o->cells[1];
        p->nz = o->cells[2];
    } else {
        foehn_status status =
            foehn_wind_params_set_quality(p, o->quality_name ? o->quality_name : "high");
        if (status != FOEHN_OK)
            return fail_library(status);
    }
    if (o->has_spacing) {
        p->spacing_horizontal = (float)o->spacing[0];
        p->spacing_vertical = (float)o->spacing[1];
    }
    scene *sc = &s->scene;
    sc->spacing[0] = sc->spacing[1] = (double)p->spacing_horizontal;
    sc->spacing[2] = (double)p->spacing_vertical;
    /* Corners on whole cells, the origin as near the middle as that allows. */
    sc->origin[0] = -sc->spacing[0] * (p->nx / 2);
    double z0 = -sc->spacing[0] * (p->nz / 2);
    sc->origin[1] = -(z0 + sc->spacing[0] * p->nz);
    p->center[0] = sc->origin[0] + 0.5 * sc->spacing[0] * p->nx;
    p->center[1] = 0.5 * sc->spacing[2] * p->ny;
    p->center[2] = z0 + 0.5 * sc->spacing[0] * p->nz;
    report("Box       %d x %d x %d cells of %g x %g m over flat ground", p->nx, p->nz, p->ny,
           sc->spacing[0], sc->spacing[2]);
    if (!o->has_origin)
        return STATUS_OK;
    double *area = sc->place.area;
    for (int a = 0; a < 2; a++) {
        area[a] = sc->origin[a];
        area[a + 2] = sc->origin[a] + sc->spacing[a] * (a ? p->nz : p->nx);
    }
    return place_create_local(&sc->place, o->origin[0], o->origin[1]);
}

static int fill_scene(site *s)
{
    scene *sc = &s->scene;
    sc->nx = s->params.nx;
    sc->ny = s->params.nz;
    sc->nz = s->params.ny;
    size_t nx = (size_t)sc->nx, ny = (size_t)sc->ny;
    sc->ground = calloc(nx * ny, sizeof *sc->ground);
    if (!sc->ground)
        return fail_memory();
    site_show_ground(s);
    return STATUS_OK;
}

double site_speed_at_10m(const wind_options *o, double speed)
{
    if (o->input_height == (double)FOEHN_REFERENCE_HEIGHT)
        return speed;
    return speed / (double)(o->has_obukhov
                                ? foehn_stable_profile((float)o->input_height, (float)o->z0,
                                                       1 / (float)o->obukhov)
                                : foehn_log_profile((float)o->input_height, (float)o->z0));
}

foehn_wind_state site_set_wind(site *s, const input_row *row)
{
    scene *sc = &s->scene;
    double grid = fmod(row->from - sc->place.convergence, 360);
    sc->u10 = row->u10;
    sc->from_true = row->from;
    sc->from_grid = grid < 0 ? grid + 360 : grid;
    sc->gustiness = row->gustiness;
    return (foehn_wind_state){(float)sc->u10, (float)sc->from_grid, (float)sc->gustiness};
}

static void fit_every(const wind_options *o, scene *sc)
{
    const output_clock c = output_clock_start(sc->dt, o->common.every);
    sc->dt = c.dt;
    sc->every = c.every;
    sc->steps_every = c.steps_every;
}

void site_set_method(const wind_options *o, foehn_wind_params *p)
{
    p->scheme = (foehn_wind_scheme)o->scheme;
    if (o->sweeps)
        p->sweeps = o->sweeps;
    p->pressure = (foehn_wind_pressure)o->pressure;
    p->advection = (foehn_wind_advection)o->advection;
    p->solids = (foehn_wind_solids)o->solids;
    if (o->cycles)
        p->cycles = o->cycles;
    if (o->has_relaxation)
        p->relaxation = (float)o->relaxation;
    if (o->steady)
        p->noise_amplitude = 0;
    p->model = o->model == MODEL_MOMENTUM ? FOEHN_WIND_MOMENTUM
               : o->model == MODEL_LES    ? FOEHN_WIND_LES
                                          : FOEHN_WIND_FORCING;
    p->subgrid = (foehn_wind_subgrid)o->subgrid;
    p->inflow = (foehn_wind_inflow)o->inflow;
    p->spin_up = (float)o->spin_up;
    if (o->model == MODEL_LES && !o->terrain.path)
        p->sides = FOEHN_WIND_SIDES_PERIODIC;
    p->closure = (foehn_wind_closure)o->closure;
    p->z0 = (float)o->z0;
    p->obukhov = o->has_obukhov ? (float)o->obukhov : 0;
    p->seed = o->common.seed;
}

void site_start_with(const wind_options *o, const input_row *start, site *s)
{
    scene *sc = &s->scene;
    if (isnan(start->from)) /* not known yet */
        return;
    s->params.state = site_set_wind(s, start);
    (void)site_turn_ground(s);
    if (start->time < 0)
        return; /* told when it is known */
    char gusts[48] = "";
    if (!o->steady && o->model != MODEL_LES)
        snprintf(gusts, sizeof gusts, ", gustiness %g", sc->gustiness);
    report("Wind      %g m/s at 10 m from %g degrees%s%s, z0 %g m%s", sc->u10, sc->from_true,
           sc->place.projected ? " true" : "", gusts, sc->z0,
           o->input && !o->steady ? ", at the start" : "");
    if (sc->place.projected)
        report("North     grid convergence %.4f degrees: from %.4f degrees on the grid",
               sc->place.convergence, sc->from_grid);
}

int site_create(const wind_options *o, const input_row *start, double largest_u10, site *s)
{
    memset(s, 0, sizeof *s);
    s->params = foehn_wind_params_default();
    site_set_method(o, &s->params);
    if (o->scheme == FOEHN_WIND_STAGGERED && !o->steady && o->model != MODEL_LES &&
        (o->has_divergence || !o->cycles))
        s->params.divergence = (float)o->divergence;
    int status = o->terrain.path ? create_over_terrain(o, start->from, s) : create_flat(o, s);
    if (status == STATUS_OK)
        status = fill_scene(s);
    if (status == STATUS_OK)
        status = site_place_probes(o, s);
    if (status != STATUS_OK)
        return status;

    scene *sc = &s->scene;
    sc->height = o->height;
    sc->z0 = (double)s->params.z0;
    sc->moment = sc->drift = NAN;
    sc->seed = o->common.seed;
    sc->scheme = o->scheme_name;
    sc->pressure = o->pressure_name;
    sc->dt = o->common.dt > 0 ? o->common.dt : foehn_site_get_step(sc->spacing[0], largest_u10);
    sc->command = o->command;
    sc->cog = o->cog;
    sc->has_range = o->has_range;
    memcpy(sc->range, o->range, sizeof sc->range);
    sc->band_count = o->band_count;
    memcpy(sc->bands, o->bands, sizeof sc->bands);
    fit_every(o, sc);

    foehn_wind_params *p = &s->params;
    sc->sweeps = o->scheme == FOEHN_WIND_STAGGERED ? p->cycles : p->sweeps;
    sc->divergence = (double)p->divergence;
    sc->steady = o->steady;
    sc->momentum = o->model == MODEL_MOMENTUM;
    sc->les = o->model == MODEL_LES;
    sc->averages = !o->steady && (sc->has_terrain || sc->les);
    sc->model = sc->momentum
                    ? (o->closure == FOEHN_WIND_K_EPS ? "momentum, k-eps" : "momentum, k-length")
                : sc->les   ? (o->subgrid == FOEHN_WIND_SMAGORINSKY ? "LES, Smagorinsky"
                                                                    : "LES, minimum dissipation")
                : o->steady ? "mass consistent"
                            : "forcing";
    sc->pressure_unit = o->scheme == FOEHN_WIND_STAGGERED ? "cycles" : "sweeps";
    site_start_with(o, start, s);
    return site_place_plane(o, s);
}

void site_destroy(site *s)
{
    free(s->heights);
    free(s->sampled);
    free(s->roughness);
    free(s->leaf_area);
    free(s->displacement);
    free(s->trees);
    free(s->probes);
    free(s->scene.ground);
    place_destroy(&s->scene.place);
}
