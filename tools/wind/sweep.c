/* SPDX-License-Identifier: MIT */
/* foehn wind --sectors: one direction after the other in one process, on one device, over one
 * ground.
 *
 * The mass-consistent wind is linear in what comes in, so two directions at right angles hold all
 * of them.  The momentum model starts each direction from the last, turned. */
#include "config.h"

#include "file.h"
#include "target.h"
#include "progress.h"
#include "stats.h"
#include "wind/sectors.h"

#include <foehn/profile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHELTERED 0.4 /* of the undisturbed wind, at a mast */

typedef struct sweep {
    const wind_options *o;
    site site;
    climate climate;
    foehn_context *ctx;
    foehn_wind *wind;
    wind_reader *reader;
    step_timer timer;
    sectors found;
    size_t points;        /* columns at all heights, and the reference */
    double *places;       /* [points][3], as the library wants them */
    float *raw, *base[2]; /* [points][4]: x, y, z, intensity; of two directions at right angles */
    const char *temporary[MOST_OUTPUTS];
    uint64_t steps;
} sweep;

/* ---- set up ---- */

static void place_points(sweep *w)
{
    const scene *sc = &w->site.scene;
    const sectors *s = &w->found;
    for (size_t n = 0; n < w->points; n++) {
        size_t c = n % s->columns;
        double east = sc->origin[0] + ((double)(c % (size_t)sc->nx) + 0.5) * sc->spacing[0];
        double north = sc->origin[1] + ((double)(c / (size_t)sc->nx) + 0.5) * sc->spacing[1];
        double height = n + 1 < w->points ? s->height[n / s->columns] : s->reference[2];
        if (n + 1 == w->points) {
            east = s->reference[0];
            north = s->reference[1];
        }
        w->places[3 * n] = east - w->site.world_easting;
        w->places[3 * n + 1] = site_height_above(&w->site, east, north, height);
        w->places[3 * n + 2] = w->site.world_northing - north;
    }
}

/* The undisturbed wind as the model brings it in. */
static double inlet_speed(const sweep *w, double height)
{
    const double z0 = (double)w->site.params.z0, reference = (double)FOEHN_REFERENCE_HEIGHT;
    const double u10 = w->site.scene.u10;
    const double above = w->o->model == MODEL_MOMENTUM ? z0 : 0; /* its profile is of d + z0 */
    const float per_l = w->o->has_obukhov ? 1 / (float)w->o->obukhov : 0;
    if (w->o->has_obukhov)
        return u10 * (double)foehn_stable_profile((float)(height + above), (float)z0, per_l) /
               (double)foehn_stable_profile((float)(reference + above), (float)z0, per_l);
    if (w->o->model == MODEL_MOMENTUM)
        return u10 * log((height + z0) / z0) / log((reference + z0) / z0);
    return u10 * (double)foehn_log_profile((float)height, (float)z0);
}

static int check_reference(const sweep *w)
{
    const scene *sc = &w->site.scene;
    const double *at = w->o->reference, east = sc->origin[0] + sc->nx * sc->spacing[0];
    const double north = sc->origin[1] + sc->ny * sc->spacing[1];
    if (!w->o->has_reference)
        return STATUS_OK;
    if (at[0] < sc->origin[0] || at[0] > east || at[1] < sc->origin[1] || at[1] > north)
        return fail(STATUS_INPUT,
                    "--reference %.10g,%.10g: outside the box %.10g,%.10g,%.10g,%.10g (W,S,E,N)",
                    at[0], at[1], sc->origin[0], sc->origin[1], east, north);
    double border =
        fmin(fmin(at[0] - sc->origin[0], east - at[0]), fmin(at[1] - sc->origin[1], north - at[1]));
    if (sc->has_terrain && border < sc->eased)
        warn("--reference: the mast stands %.0f m from the box's side, where terrain is eased to "
             "one height for %.0f m: "
             "give a larger --window",
             border, sc->eased);
    if (w->o->climate && fabs(w->climate.height - at[2]) > 0.5)
        return fail(STATUS_INPUT,
                    "--reference: %g m above the ground, but %s is of a mast of %g m: they must be "
                    "the same",
                    at[2], w->o->climate, w->climate.height);
    if (!w->o->climate || isnan(w->climate.latitude) || !sc->place.projected)
        return STATUS_OK;
    double x = at[0], y = at[1];
    if (place_to_geographic(&sc->place, 1, &x, &y) != STATUS_OK)
        return STATUS_OK;
    double apart =
        111.2 * hypot(y - w->climate.latitude, (x - w->climate.longitude) * cos(y * M_PI / 180));
    if (apart > 1)
        warn("--reference is %.3g km from where %s says that its mast stands (%.5f N, %.5f E)",
             apart, w->o->climate, w->climate.latitude, w->climate.longitude);
    return STATUS_OK;
}

static int allocate(sweep *w)
{
    sectors *s = &w->found;
    const size_t count = (size_t)s->count, heights = (size_t)s->heights;
    w->points = heights * s->columns + 1;
    s->of = calloc(count, sizeof *s->of);
    s->inlet = calloc(heights + 1, sizeof *s->inlet);
    s->at = malloc(count * heights * s->columns * 4 * sizeof *s->at);
    s->elevation = malloc(s->columns * sizeof *s->elevation);
    if (s->closure && w->site.heights)
        s->ground = malloc(count * s->columns * sizeof *s->ground);
    w->places = malloc(w->points * 3 * sizeof *w->places);
    w->raw = malloc(w->points * 4 * sizeof *w->raw);
    for (int i = 0; i < 2; i++)
        w->base[i] = malloc(w->points * 4 * sizeof *w->base[i]);
    bool done = s->of && s->inlet && s->at && s->elevation && w->places && w->raw && w->base[0] &&
                w->base[1];
    return done && (s->ground || !s->closure || !w->site.heights) ? STATUS_OK : fail_memory();
}

static int describe(sweep *w)
{
    const wind_options *o = w->o;
    sectors *s = &w->found;
    s->scene = &w->site.scene;
    s->count = o->sectors ? o->sectors : w->climate.count;
    s->climate = o->climate ? &w->climate : NULL;
    s->heights = o->height_count ? o->height_count : 1;
    s->height = o->height_count ? o->heights : &o->height;
    s->columns = (size_t)s->scene->nx * (size_t)s->scene->ny;
    s->closure = o->model == MODEL_MOMENTUM;
    s->has_reference = o->has_reference;
    memcpy(s->reference, o->reference, sizeof s->reference);
    if (!s->has_reference) { /* read, and not told */
        for (int a = 0; a < 2; a++)
            s->reference[a] = s->scene->origin[a];
        s->reference[2] = s->height[0];
    }
    if (o->climate && w->climate.count != s->count)
        return fail(STATUS_INPUT, "--sectors %d: %s has %d: leave out --sectors", s->count,
                    o->climate, w->climate.count);
    int status = allocate(w);
    if (status != STATUS_OK)
        return status;
    for (int h = 0; h <= s->heights; h++)
        s->inlet[h] = inlet_speed(w, h < s->heights ? s->height[h] : s->reference[2]);
    place_points(w);
    site_read_real_ground(&w->site, s->elevation);
    return STATUS_OK;
}

/* --every-sector with a direction in the place of %03d. */
static void name_map(const sweep *w, int d, char path[LONGEST_TARGET])
{
    const char *pattern = w->o->every_sector, *at = strchr(pattern, '%');
    const char *end = at + 1 + strspn(at + 1, "0123456789");
    snprintf(path, LONGEST_TARGET, "%.*s%0*d%s", (int)(at - pattern), pattern, atoi(at + 1),
             (int)lround(360.0 * d / w->found.count), end + 1);
}

/* Maps of directions are no file that another option names, and can be written. */
static int check_maps(const sweep *w)
{
    const common_options *c = &w->o->common;
    char path[LONGEST_TARGET];
    int status = STATUS_OK;
    for (int d = 0; d < w->found.count && status == STATUS_OK; d++) {
        name_map(w, d, path);
        status = file_check_distinct(2, (const char *const[]){c->stats, path});
        for (int i = 0; i < c->output_count && status == STATUS_OK; i++)
            status = file_check_distinct(2, (const char *const[]){c->outputs[i], path});
    }
    return status == STATUS_OK ? file_check_writable(path) : status;
}

static int set_up(sweep *w)
{
    const wind_options *o = w->o;
    const double u10 = site_speed_at_10m(o, o->u10);
    const input_row start = {-1, u10, NAN, 0}, first = {0, u10, 0, 0}; /* all sides are alike */
    int status = o->climate ? climate_read(o->climate, &w->climate) : STATUS_OK;
    if (status == STATUS_OK)
        status = site_create(o, &start, u10, &w->site);
    if (status == STATUS_OK) {
        w->site.params.state = site_set_wind(&w->site, &first);
        (void)site_turn_ground(&w->site);
        report("Wind      %g m/s at 10 m, z0 %g m", u10, w->site.scene.z0);
        status = check_reference(w);
    }
    if (status == STATUS_OK)
        status = describe(w);
    if (status == STATUS_OK)
        status = common_outputs_check(&o->common);
    if (status == STATUS_OK && o->every_sector)
        status = check_maps(w);
    for (int i = 0; i < o->common.output_count && status == STATUS_OK; i++)
        status = file_begin(o->common.outputs[i], &w->temporary[i]);
    if (status == STATUS_OK)
        status = wind_open_device(&o->common, &w->site.scene, &w->ctx);
    if (status == STATUS_OK)
        status = step_timer_create(&w->timer, w->ctx, false);
    if (status != STATUS_OK)
        return status;
    report("Run       %d directions by the %s model", w->found.count,
           o->model == MODEL_MOMENTUM ? "momentum" : "mass-consistent");
    progress_say("building kernels; the first time on a device this can take half a minute");
    status = wind_start(&w->site, w->ctx, &w->wind);
    return status == STATUS_OK ? wind_reader_create(&w->site, w->wind, false, NULL, &w->reader)
                               : status;
}

/* ---- directions ---- */

static int read_all(sweep *w, float *out)
{
    return fail_library(foehn_wind_read_points(w->wind, 0, w->points, w->places, out));
}

/* From the library's axes to those of files. */
static void store(sweep *w, int d)
{
    sectors *s = &w->found;
    float *to = s->at + 4 * (size_t)d * (size_t)s->heights * s->columns;
    for (size_t n = 0; n < w->points; n++) {
        const float *at = w->raw + 4 * n;
        float *out = n + 1 < w->points ? to + 4 * n : s->of[d].mast;
        out[0] = at[0];
        out[1] = -at[2];
        out[2] = at[1];
        out[3] = at[3];
    }
    if (s->ground)
        memcpy(s->ground + (size_t)d * s->columns, w->site.scene.ground,
               s->columns * sizeof *s->ground);
}

static int set_direction(sweep *w, double from)
{
    const input_row row = {0, w->site.scene.u10, from, 0};
    foehn_wind_state state = site_set_wind(&w->site, &row);
    if (site_turn_ground(&w->site)) {
        int status = fail_library(foehn_wind_set_terrain(w->wind, &w->site.ground));
        if (status != STATUS_OK)
            return status;
    }
    return fail_library(foehn_wind_set_state(w->wind, &state));
}

/* The map of a direction in a file of its own. */
static int write_map(sweep *w, int d)
{
    const sectors *s = &w->found;
    const output_format *format;
    char path[LONGEST_TARGET];
    field f = {.start = 0};
    if (!w->o->every_sector)
        return STATUS_OK;
    name_map(w, d, path);
    int status = output_find(path, &format);
    float *planes = malloc(4 * s->columns * sizeof *planes);
    if (status == STATUS_OK && !planes)
        status = fail_memory();
    if (status == STATUS_OK && s->closure)
        status = wind_reader_read(w->reader, false, 0, &f);
    for (size_t c = 0; c < s->columns && planes; c++)
        for (size_t i = 0; i < 4; i++)
            planes[i * s->columns + c] =
                s->at[4 * ((size_t)d * (size_t)s->heights * s->columns + c) + i];
    f.east_2d = planes;
    f.north_2d = planes + s->columns;
    f.up_2d = planes + 2 * s->columns;
    f.intensity_2d = planes + 3 * s->columns;
    if (status == STATUS_OK)
        status = output_write_alone(format, path, s->scene, &f);
    free(planes);
    return status;
}

/* A mast in a lee tells little of other places. */
static void check_mast(const sectors *s, int d)
{
    const double speedup = sectors_speedup_at_reference(s, d);
    if (s->climate && speedup < SHELTERED)
        warn("from %g degrees the mast has %.2g of the undisturbed wind: it stands in a lee or "
             "among trees, and places that nothing shelters get its climate of that sector times "
             "%.2g and more: believe it no more than the model there, or give another mast",
             s->of[d].from, speedup, 1 / speedup);
}

static void report_direction(const sweep *w, int d, const char *how)
{
    const sectors *s = &w->found;
    char text[96] = "";
    if (s->has_reference) {
        place_value at = sectors_at_reference(s, d);
        snprintf(text, sizeof text, "; at the reference %.2f m/s, %.2f of the undisturbed",
                 hypot(at.east, at.north), sectors_speedup_at_reference(s, d));
    }
    report("Sector    from %5.4g degrees: %s%s", s->of[d].from, how, text);
    check_mast(s, d);
}

static int end_direction(sweep *w, int d, const char *how)
{
    store(w, d);
    report_direction(w, d, how);
    return write_map(w, d);
}

/* How the run stands, for settling. */
typedef struct watch {
    const sweep *w;
    int d;
} watch;

static int look(const foehn_wind_settling *now, void *data)
{
    const watch *at = data;
    char text[128];
    stop_between_steps(); /* its kernels are built */
    snprintf(text, sizeof text, "direction %d of %d: %.0f %% of a flush of the box", at->d + 1,
             at->w->found.count, 100 * now->flushes);
    progress_tell(text, now->progress.steps);
    return stop_requested();
}

static int settle_direction(sweep *w, int d)
{
    direction_found *of = &w->found.of[d];
    watch at = {w, d};
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    foehn_wind_settling end;
    char how[160];
    p.height = w->o->height;
    p.report = look;
    p.data = &at;
    int status = fail_library(foehn_wind_settle(w->wind, &p, &end));
    line_clear();
    if (status != STATUS_OK || stop_requested())
        return status;
    of->steps = end.progress.steps - w->steps;
    of->settled = end.settled;
    of->drift = end.drift;
    w->steps = end.progress.steps;
    momentum_describe(&end, &w->site.scene);
    snprintf(how, sizeof how, "%s, %llu steps, %.2f flushes of the box", w->site.scene.rest,
             (unsigned long long)of->steps, end.flushes);
    if (!end.settled)
        warn("from %g degrees: the wind does not stand still: its mean at the height drifts by "
             "%.2f %% a flush, and it "
             "moves about that by %.1f %% of the speed",
             of->from, 100 * end.drift, 100 * end.unrest);
    status = read_all(w, w->raw);
    return status == STATUS_OK ? end_direction(w, d, how) : status;
}

/* With --relaxation the field is carried along by itself, and is not linear. */
static int advect_direction(sweep *w, int d)
{
    direction_found *of = &w->found.of[d];
    mean_wind mean;
    char how[96];
    int status =
        mean_wind_find(w->o, w->site.scene.dt, w->found.columns, w->wind, w->reader, &mean);
    if (status != STATUS_OK || stop_requested())
        return status;
    of->steps = mean.steps;
    of->settled = mean.converged;
    snprintf(how, sizeof how, "%d cycles, %llu steps", mean.solution.cycles,
             (unsigned long long)mean.steps);
    status = read_all(w, w->raw);
    return status == STATUS_OK ? end_direction(w, d, how) : status;
}

static int find_each(sweep *w, int (*find)(sweep *w, int d))
{
    int status = STATUS_OK;
    for (int d = 0; d < w->found.count && status == STATUS_OK && !stop_requested(); d++) {
        double started = seconds_now();
        status = set_direction(w, w->found.of[d].from);
        if (status == STATUS_OK)
            status = find(w, d);
        w->found.of[d].seconds = seconds_now() - started;
    }
    return status;
}

/* From north and from east; every other direction is a sum of these. */
static int superpose(sweep *w)
{
    int status = STATUS_OK;
    for (int i = 0; i < 2 && status == STATUS_OK && !stop_requested(); i++) {
        mean_wind mean;
        status = set_direction(w, 90 * i);
        if (status == STATUS_OK)
            status =
                mean_wind_find(w->o, w->site.scene.dt, w->found.columns, w->wind, w->reader, &mean);
        stop_between_steps();
        if (status == STATUS_OK)
            status = read_all(w, w->base[i]);
    }
    for (int d = 0; d < w->found.count && status == STATUS_OK && !stop_requested(); d++) {
        direction_found *of = &w->found.of[d];
        double started = seconds_now(), north = cos(of->from * M_PI / 180),
               east = sin(of->from * M_PI / 180);
        const input_row row = {0, w->site.scene.u10, of->from, 0};
        (void)site_set_wind(&w->site, &row);
        for (size_t n = 0; n < 4 * w->points; n++)
            w->raw[n] = (float)(north * (double)w->base[0][n] + east * (double)w->base[1][n]);
        of->settled = true;
        status = end_direction(w, d, "of two at right angles");
        of->seconds = seconds_now() - started;
    }
    return status;
}

static int simulate(sweep *w)
{
    sectors *s = &w->found;
    foehn_wind_state state;
    foehn_wind_get_state(w->wind, &state);
    state.gustiness = 0;
    for (int d = 0; d < s->count; d++) {
        s->of[d].from = 360.0 * d / s->count;
        s->of[d].from_grid = s->of[d].from - s->scene->place.convergence;
        s->of[d].drift = NAN;
    }
    int status = w->o->model == MODEL_MOMENTUM ? find_each(w, settle_direction)
                 : w->o->has_relaxation        ? find_each(w, advect_direction)
                                               : superpose(w);
    line_clear();
    if (status != STATUS_OK || !stop_requested())
        return status;
    warn("stopped before all directions were there: %s",
         w->o->every_sector ? "only maps of whole directions are written" : "nothing is written");
    return STATUS_STOPPED;
}

/* ---- the end ---- */

static int write_stats(sweep *w, double wall)
{
    const scene *sc = &w->site.scene;
    const sectors *s = &w->found;
    stats_file f;
    int status = stats_begin(&f, w->o->common.stats, &w->timer, w->steps, sc->dt, wall,
                             (uint64_t)sc->nx * (uint64_t)sc->ny * (uint64_t)sc->nz);
    if (status != STATUS_OK)
        return status;
    json *j = &f.j;
    json_number(j, "u10", sc->u10);
    json_text(j, "model", w->o->model == MODEL_MOMENTUM ? "momentum" : "consistent");
    json_array(j, "heights");
    for (int h = 0; h < s->heights; h++)
        json_number(j, NULL, s->height[h]);
    json_close(j, ']');
    json_array(j, "sectors");
    for (int d = 0; d < s->count; d++) {
        json_object(j, NULL);
        json_number(j, "from", s->of[d].from);
        if (s->of[d].steps > 0) /* a wind made consistent at once has none */
            json_count(j, "steps", s->of[d].steps);
        json_truth(j, "settled", s->of[d].settled);
        json_number(j, "drift", s->of[d].drift);
        json_number(j, "seconds", s->of[d].seconds);
        if (s->has_reference) {
            place_value at = sectors_at_reference(s, d);
            json_number(j, "reference_speed", hypot(at.east, at.north));
            json_number(j, "reference_speedup", sectors_speedup_at_reference(s, d));
        }
        json_close(j, '}');
    }
    json_close(j, ']');
    return stats_end(&f);
}

static int finish(sweep *w, double started)
{
    const common_options *c = &w->o->common;
    int status = STATUS_OK;
    for (int i = 0; i < c->output_count && status == STATUS_OK; i++) {
        const sectors_format *format;
        status = sectors_find_format(c->outputs[i], &format);
        if (status == STATUS_OK)
            status = format->write(c->outputs[i], w->temporary[i], &w->found);
    }
    for (int i = 0; i < c->output_count && status == STATUS_OK; i++) {
        status = file_commit(w->temporary[i]);
        w->temporary[i] = NULL;
    }
    if (status != STATUS_OK)
        return status;
    double wall = seconds_now() - started;
    for (int i = 0; i < c->output_count; i++)
        report("Wrote     %s", c->outputs[i]);
    if (w->o->every_sector)
        report("Wrote     %s, %d of them", w->o->every_sector, w->found.count);
    report("Time      %.1f s for %d directions", wall, w->found.count);
    return c->stats ? write_stats(w, wall) : STATUS_OK;
}

int sweep_run(const wind_options *o)
{
    sweep *w = calloc(1, sizeof *w);
    if (!w)
        return fail_memory();
    w->o = o;
    bool to_stdout = o->common.stats && strcmp(o->common.stats, "-") == 0;
    report_to(o->common.quiet ? NULL : to_stdout ? stderr : stdout);
    progress_begin(o->common.quiet);
    stop_on_signals();
    double started = seconds_now();
    int status = set_up(w);
    if (status == STATUS_OK)
        status = simulate(w);
    if (status == STATUS_OK)
        status = finish(w, started);
    line_clear();

    for (int i = 0; i < o->common.output_count; i++)
        file_discard(w->temporary[i]);
    wind_reader_destroy(w->reader);
    foehn_wind_destroy(w->wind);
    foehn_context_destroy(w->ctx);
    site_destroy(&w->site);
    float *const floats[] = {w->found.at, w->found.ground, w->found.elevation,
                             w->raw,      w->base[0],      w->base[1]};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        free(floats[i]);
    free(w->found.of);
    free(w->found.inlet);
    free(w->places);
    free(w);
    return status;
}
