/* SPDX-License-Identifier: MIT */
/* The inlet that stations tell of. */
#include "config.h"

#include "wind/inlet.h"

#include "wind/weather.h"

#include <foehn/profile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART 12.0   /* degrees between directions that are solved */
#define DEPTH 0.5    /* of the distance between stations: over it the excess falls to 1/e */
enum { ROUNDS = 6 }; /* of the adjustment, at most */
#define LEAST_SHARE                                                                                \
    0.3 /* of the undisturbed wind: where a field has less, an excess does not scale with it */

int inlet_options_check(const wind_options *o)
{
    if (o->fit_only && !o->stations)
        return fail(STATUS_USAGE, "--fit-only needs --stations FILE.csv");
    bool has_weather = o->input && weather_is(o->input);
    if (o->has_time && !o->stations && !has_weather)
        return fail(STATUS_USAGE, "--time needs --stations FILE.csv, or a weather model's --input");
    if ((has_weather || o->stations) && o->sectors > 0)
        return fail(STATUS_USAGE,
                    "%s and --sectors exclude each other: one says what blows, the other takes all "
                    "directions",
                    o->stations ? "--stations" : "--input");
    if (has_weather && o->stations)
        return fail(STATUS_USAGE, "--stations and --input exclude each other: both say what blows");
    if (has_weather && !o->steady)
        return fail(STATUS_USAGE,
                    "--input %s: a weather model's file needs --model consistent or momentum",
                    o->input);
    if (has_weather && o->has_relaxation)
        return fail(STATUS_USAGE,
                    "--input %s and --relaxation exclude each other: advection relaxes to one wind",
                    o->input);
    if (has_weather && o->input_height != 10)
        return fail(STATUS_USAGE,
                    "--input-height and --input %s exclude each other: its wind is that at 10 m",
                    o->input);
    if (!isnan(o->time_to) && !has_weather)
        return fail(STATUS_USAGE,
                    "--time of more than one moment needs a weather model's --input: an inlet is "
                    "fitted to one");
    const char *of_one = isnan(o->time_to)      ? NULL
                         : o->common.steps      ? "--steps"
                         : o->common.checkpoint ? "--checkpoint"
                         : o->common.resume     ? "--resume"
                                                : NULL;
    if (of_one)
        return fail(STATUS_USAGE, "--time of more than one moment and %s exclude each other",
                    of_one);
    if (o->stations && !o->steady)
        return fail(STATUS_USAGE, "--stations needs --model consistent or momentum");
    if (o->stations && (o->common.checkpoint || o->common.resume))
        return fail(STATUS_USAGE,
                    "--stations and %s exclude each other: several directions are solved",
                    o->common.checkpoint ? "--checkpoint" : "--resume");
    if (o->stations && o->has_relaxation)
        return fail(
            STATUS_USAGE,
            "--stations and --relaxation exclude each other: what is advected does not scale");
    return STATUS_OK;
}

int inlet_read(const wind_options *o, double time, inlet *in, double *u10, double *from)
{
    memset(in, 0, sizeof *in);
    int status = stations_read(o->stations, time, &in->list);
    if (status != STATUS_OK)
        return status;
    in->turns = in->list.has_direction;
    in->given = o->has_u10 && o->has_from;
    in->spreads = o->model != MODEL_MOMENTUM && !o->fit_only;
    if (!in->turns && !o->has_from)
        return fail(STATUS_INPUT, "%s: no station has a direction: give the inlet's with --from",
                    o->stations);
    double guess[2] = {*u10, *from};
    stations_guess(&in->list, o->z0, &guess[0], &guess[1]);
    *u10 = o->has_u10 ? *u10 : guess[0];
    *from = o->has_from ? *from : guess[1];
    if (!(*u10 > 0))
        return fail(STATUS_INPUT, "%s: all stations have a speed of 0: there is nothing to fit",
                    o->stations);
    return STATUS_OK;
}

void inlet_destroy(inlet *in)
{
    stations_destroy(&in->list);
    for (int i = 0; i < FIT_NODES; i++) {
        free(in->fit.east[i]);
        free(in->fit.north[i]);
    }
    for (int i = 0; i < INLET_STAGES; i++)
        free(in->misses[i]);
}

/* ---- the wind at the stations ---- */

/* Towards true east and north, m/s: [stations] each. */
static int read_winds(const inlet *in, const site *s, foehn_wind *wind, double *east, double *north)
{
    const size_t count = in->list.count;
    double *points = calloc(3 * count, sizeof *points);
    float *found = malloc(4 * count * sizeof *found);
    int status = points && found ? STATUS_OK : fail_memory();
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const station *t = &in->list.rows[i];
        points[3 * i] = t->x - s->world_easting;
        points[3 * i + 1] = site_height_above(s, t->x, t->y, t->height);
        points[3 * i + 2] = s->world_northing - t->y;
    }
    if (status == STATUS_OK)
        status = fail_library(foehn_wind_read_points(wind, 0, count, points, found));
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        east[i] = (double)found[4 * i];
        north[i] = -(double)found[4 * i + 2];
        place_turn(&s->scene.place, in->list.rows[i].x, in->list.rows[i].y, &east[i], &north[i]);
    }
    free(points);
    free(found);
    return status;
}

static int set_state(site *s, foehn_wind *wind, double u10, double from)
{
    const input_row row = {0, u10, from, 0};
    foehn_wind_state state = site_set_wind(s, &row);
    int status = fail_library(foehn_wind_set_state(wind, &state));
    if (status == STATUS_OK && site_turn_ground(s))
        status = fail_library(foehn_wind_set_terrain(wind, &s->ground));
    return status;
}

/* Solve a direction and keep what it gives at the stations, in its place among the others. */
static int add_node(inlet *in, double from, site *s, foehn_wind *wind, inlet_solver *solve,
                    void *data)
{
    fit *f = &in->fit;
    const size_t count = in->list.count;
    double *east = malloc(count * sizeof *east), *north = malloc(count * sizeof *north);
    int status = east && north ? STATUS_OK : fail_memory();
    if (status == STATUS_OK)
        status = set_state(s, wind, in->first[0], from);
    if (status == STATUS_OK)
        status = solve(data);
    if (status == STATUS_OK)
        status = read_winds(in, s, wind, east, north);
    if (status != STATUS_OK) {
        free(east);
        free(north);
        return status;
    }
    int at = f->nodes;
    for (; at > 0 && f->from[at - 1] > from; at--) {
        f->from[at] = f->from[at - 1];
        f->east[at] = f->east[at - 1];
        f->north[at] = f->north[at - 1];
    }
    for (size_t i = 0; i < count; i++) {
        east[i] /= in->first[0];
        north[i] /= in->first[0];
    }
    f->from[at] = from;
    f->east[at] = east;
    f->north[at] = north;
    f->nodes++;
    return STATUS_OK;
}

/* ---- what is missed ---- */

static inlet_miss miss_of(const inlet *in, size_t i, double east, double north)
{
    const fit_wind *w = &in->list.winds[i];
    inlet_miss m = {w->speed - hypot(east, north), NAN};
    if (w->has_direction)
        m.turn = remainder(in->list.rows[i].from - direction_from(east, north), 360);
    return m;
}

/* Note a stage, whose winds towards east and north are there. */
static int note(inlet *in, int stage, const double *east, const double *north)
{
    const size_t count = in->list.count;
    double square = 0, relative = 0, weights = 0;
    in->misses[stage] = malloc(count * sizeof(inlet_miss));
    if (!in->misses[stage])
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        const fit_wind *w = &in->list.winds[i];
        double excess[2];
        fit_excess(w, east[i], north[i], excess);
        in->misses[stage][i] = miss_of(in, i, east[i], north[i]);
        square += w->weight * (excess[0] * excess[0] + excess[1] * excess[1]);
        if (w->speed > 0) {
            relative += w->weight * pow(in->misses[stage][i].speed / w->speed, 2);
        }
        weights += w->weight;
    }
    in->scores[stage] = (inlet_score){sqrt(square / weights), sqrt(relative / weights)};
    return STATUS_OK;
}

/* ---- the fit ---- */

/* How much of an inlet of 1 m/s arrives at a station. */
static double share_of(const site *s, const station *t, double speed, double u10)
{
    double z0 = site_z0(s, t->x, t->y);
    double undisturbed = (double)foehn_local_profile(
        (float)site_height_above(s, t->x, t->y, t->height), (float)z0, s->params.z0);
    return fmax(speed / u10, LEAST_SHARE * fmax(undisturbed, 0.1));
}

static int make_places(const inlet *in, const site *s, const double *east, const double *north,
                       double u10, fit_places *out)
{
    const size_t count = in->list.count;
    double(*at)[2] = malloc(count * sizeof *at), *shares = malloc(count * sizeof *shares);
    *out = (fit_places){at, shares, s->scene.spacing[0]};
    if (!at || !shares)
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        const station *t = &in->list.rows[i];
        at[i][0] = t->x;
        at[i][1] = t->y;
        shares[i] = share_of(s, t, hypot(east[i], north[i]), u10);
    }
    return STATUS_OK;
}

static void free_places(fit_places *p)
{
    free(p->at);
    free((void *)p->shares);
}

/* How far the fit is believed, so that what the stations say of one that is left out is nearest to
 * what that measured; and what each misses so. */
static int choose(inlet *in, const site *s, fit_inlet best)
{
    const fit *f = &in->fit;
    const size_t count = f->count;
    fit_places places = {0};
    fit_inlet *without = malloc(count * sizeof *without);
    double *winds = malloc(2 * count * sizeof *winds), *east = winds, *north = winds + count;
    int status = without && winds ? STATUS_OK : fail_memory();
    in->choice = (fit_choice){1, 1, in->spreads};
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        without[i] = fit_find(f, count > 1 ? i : count);
        fit_predict(f, best.u10, best.from, i, &east[i], &north[i]);
    }
    if (status == STATUS_OK)
        status = make_places(in, s, east, north, best.u10, &places);
    if (status == STATUS_OK && count > 1 &&
        !fit_choose(f, in->first, without, &places, in->given, in->spreads, &in->choice))
        status = fail_memory();
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        fit_predict(f, in->first[0], in->first[1], i, &east[i], &north[i]);
    if (status == STATUS_OK)
        status = note(in, INLET_BEFORE, east, north);
    const fit_choice alone = {in->choice.trust, 1, 0};
    if (status == STATUS_OK && count > 1) {
        if (isnan(fit_left_out(f, in->first, without, &places, alone, east, north)))
            status = fail_memory();
        else
            status = note(in, INLET_LEFT_OUT, east, north);
    }
    if (status == STATUS_OK && count > 1 && in->choice.strength > 0) {
        if (isnan(fit_left_out(f, in->first, without, &places, in->choice, east, north)))
            status = fail_memory();
        else
            status = note(in, INLET_ADJUSTED_LEFT_OUT, east, north);
    }
    free_places(&places);
    free(without);
    free(winds);
    return status;
}

int inlet_fit(inlet *in, site *s, foehn_wind *wind, inlet_solver *solve, void *data)
{
    const scene *sc = &s->scene;
    const size_t count = in->list.count;
    const double box[4] = {sc->origin[0], sc->origin[1], sc->origin[0] + sc->nx * sc->spacing[0],
                           sc->origin[1] + sc->ny * sc->spacing[1]};
    fit *f = &in->fit;
    f->count = count;
    f->winds = in->list.winds;
    in->first[0] = sc->u10;
    in->first[1] = sc->from_true;
    int status = stations_place(&in->list, &sc->place, box);
    double from = in->first[1];
    for (int n = in->turns ? -1 : 0; n <= (in->turns ? 1 : 0) && status == STATUS_OK; n++)
        status = add_node(in, from + APART * n, s, wind, solve, data);
    fit_inlet best = {.rms = 0};
    while (status == STATUS_OK) {
        best = fit_find(f, count);
        if (best.beyond == 0 || f->nodes == FIT_NODES || stop_requested())
            break;
        double end = best.beyond < 0 ? f->from[0] - APART : f->from[f->nodes - 1] + APART;
        status = add_node(in, end, s, wind, solve, data);
    }
    if (status == STATUS_OK && best.beyond != 0)
        status = fail(STATUS_INPUT,
                      "%s: no inlet fits: the best direction lies beyond the %.0f to %.0f degrees "
                      "that were solved: give "
                      "one near it with --from",
                      in->list.path, f->from[0], f->from[f->nodes - 1]);
    if (status == STATUS_OK && !(best.u10 > 0.01))
        status = fail(
            STATUS_INPUT,
            "%s: no inlet fits: the best has no wind: do the directions say where it comes from?",
            in->list.path);
    if (status == STATUS_OK)
        status = choose(in, s, best);
    best = fit_between(in->first, best, in->choice.trust);
    in->best[0] = best.u10;
    in->best[1] = fmod(best.from + 720, 360);
    return status == STATUS_OK ? set_state(s, wind, in->best[0], best.from) : status;
}

/* ---- the classic adjustment ---- */

/* The state's wind and what Barnes spreads of the excess, at 10 m, on the columns. */
static int set_map(const site *s, const barnes *b, foehn_wind *wind)
{
    const scene *sc = &s->scene;
    const size_t count = (size_t)sc->nx * (size_t)sc->ny;
    const double angle = sc->from_true * M_PI / 180, h = sc->spacing[0];
    float *east = malloc(2 * count * sizeof *east), *north = east + count;
    if (!east)
        return fail_memory();
    const wind_map map = {.nx = sc->nx,
                          .ny = sc->ny,
                          .west = s->world_easting + 0.5 * h,
                          .north = s->world_northing - 0.5 * h,
                          .spacing = {h, h},
                          .east_wind = east,
                          .north_wind = north,
                          .depth = DEPTH * b->spacing};
    for (int k = 0; k < sc->ny; k++)
        for (int i = 0; i < sc->nx; i++) {
            double more[2];
            size_t c = (size_t)k * (size_t)sc->nx + (size_t)i;
            barnes_find(b, map.west + i * h, map.north - k * h, b->count, more);
            east[c] = (float)(more[0] - sc->u10 * sin(angle));
            north[c] = (float)(more[1] - sc->u10 * cos(angle));
        }
    int status = wind_map_set(s, wind, &map);
    free(east);
    return status;
}

/* A round: spread the excess, solve, and see what is missed then. */
static int adjust_once(inlet *in, const site *s, foehn_wind *wind, double (*at)[2],
                       double (*excess)[2], double *winds, inlet_solver *solve, void *data,
                       double *rms)
{
    const size_t count = in->list.count;
    barnes b;
    int status = barnes_create(&b, count, at, excess, in->list.winds, s->scene.spacing[0],
                               in->choice.smoothing, count)
                     ? STATUS_OK
                     : fail_memory();
    if (status == STATUS_OK)
        status = set_map(s, &b, wind);
    if (status == STATUS_OK)
        status = solve(data);
    if (status == STATUS_OK)
        status = read_winds(in, s, wind, winds, winds + count);
    if (status == STATUS_OK) {
        free(in->misses[INLET_ADJUSTED]);
        status = note(in, INLET_ADJUSTED, winds, winds + count);
        *rms = in->scores[INLET_ADJUSTED].rms;
    }
    barnes_destroy(&b);
    return status;
}

/* What the solve takes away again is added in the next round, as long as that helps.  Stations are
 * to have the share `strength` of what they measured more than the fit: of a target that is
 * fitted + strength (measured - fitted) a wind lacks strength (measured - it) - (1 - strength) (it
 * - fitted). */
static int adjust_field(inlet *in, const site *s, foehn_wind *wind, double *winds,
                        inlet_solver *solve, void *data)
{
    const size_t count = in->list.count;
    const double strength = in->choice.strength;
    fit_places places = {0};
    double(*excess)[2] = calloc(count, sizeof *excess), (*best)[2] = calloc(count, sizeof *best);
    double *fitted = malloc(2 * count * sizeof *fitted);
    double rms = 0, least = in->scores[INLET_FITTED].rms;
    int status = excess && best && fitted ? STATUS_OK : fail_memory(), best_round = 0, round = 0;
    if (status == STATUS_OK) {
        memcpy(fitted, winds, 2 * count * sizeof *fitted);
        status = make_places(in, s, winds, winds + count, s->scene.u10, &places);
    }
    while (status == STATUS_OK && round < ROUNDS && !stop_requested()) {
        for (size_t i = 0; i < count; i++) {
            double more[2];
            fit_excess(&in->list.winds[i], winds[i], winds[count + i], more);
            for (size_t a = 0; a < 2; a++) {
                const double gone = winds[a * count + i] - fitted[a * count + i];
                excess[i][a] += (strength * more[a] - (1 - strength) * gone) / places.shares[i];
            }
        }
        round++;
        status = adjust_once(in, s, wind, places.at, excess, winds, solve, data, &rms);
        if (status != STATUS_OK || rms >= 0.98 * least)
            break;
        least = rms;
        best_round = round;
        memcpy(best, excess, count * sizeof *best);
    }
    if (status == STATUS_OK && best_round < round)
        status = adjust_once(in, s, wind, places.at, best, winds, solve, data, &rms);
    in->adjusted = status == STATUS_OK;
    free_places(&places);
    free(excess);
    free(best);
    free(fitted);
    return status;
}

int inlet_finish(inlet *in, const site *s, foehn_wind *wind, inlet_solver *solve, void *data)
{
    const size_t count = in->list.count;
    double *winds = malloc(2 * count * sizeof *winds); /* towards east, towards north */
    int status = winds ? read_winds(in, s, wind, winds, winds + count) : fail_memory();
    if (status == STATUS_OK)
        status = note(in, INLET_FITTED, winds, winds + count);
    if (status == STATUS_OK && in->choice.strength > 0)
        status = adjust_field(in, s, wind, winds, solve, data);
    free(winds);
    return status;
}

/* ---- what is told ---- */

static const char *const stage_names[INLET_STAGES] = {"before", "fitted", "left_out", "adjusted",
                                                      "adjusted_left_out"};

static void write_miss(const inlet *in, int stage, size_t i, char *out, size_t size)
{
    if (!in->misses[stage])
        snprintf(out, size, "%s", "");
    else if (isnan(in->misses[stage][i].turn))
        snprintf(out, size, "%+7.2f      ", in->misses[stage][i].speed);
    else
        snprintf(out, size, "%+7.2f %+5.0f", in->misses[stage][i].speed, in->misses[stage][i].turn);
}

static void write_spread(const inlet *in, char *out, size_t size)
{
    *out = 0;
    if (in->choice.strength > 0)
        snprintf(out, size, "; %.0f %% of what is left is spread, over %g of Barnes' length",
                 100 * in->choice.strength, in->choice.smoothing);
    else if (in->spreads)
        snprintf(out, size, "; spreading what is left would not help: nothing is spread");
}

void inlet_report(const inlet *in)
{
    enum { MOST_TOLD = 60 };
    report("Stations  %zu from %s: an inlet of %.3g m/s at 10 m from %.1f degrees fits best "
           "(before: %.3g from %.1f); %d "
           "direction%s solved",
           in->list.count, in->list.path, in->best[0], in->best[1], in->first[0], in->first[1],
           in->fit.nodes, in->fit.nodes == 1 ? "" : "s");
    char spread[96];
    write_spread(in, spread, sizeof spread);
    if (in->list.count > 1)
        report("          by what the others say of each, the fit is believed by %.0f %%%s",
               100 * in->choice.trust, spread);
    report("          measured less found, m/s and degrees; left out: by the other stations alone");
    report("          %-14s %8s %5s | %13s | %13s | %13s%s", "station", "measured", "from",
           "before", "fitted", "left out", in->adjusted ? " |      adjusted |      left out" : "");
    for (size_t i = 0; i < in->list.count && i < MOST_TOLD; i++) {
        char miss[INLET_STAGES][24], from[16] = "";
        for (int stage = 0; stage < INLET_STAGES; stage++)
            write_miss(in, stage, i, miss[stage], sizeof miss[stage]);
        if (in->list.winds[i].has_direction)
            snprintf(from, sizeof from, "%.0f", in->list.rows[i].from);
        report("          %-14.14s %8.2f %5s | %13s | %13s | %13s%s%s%s%s", in->list.rows[i].name,
               in->list.winds[i].speed, from, miss[INLET_BEFORE], miss[INLET_FITTED],
               miss[INLET_LEFT_OUT], in->adjusted ? " | " : "", miss[INLET_ADJUSTED],
               in->adjusted ? " | " : "", miss[INLET_ADJUSTED_LEFT_OUT]);
    }
    if (in->list.count > MOST_TOLD)
        report("          and %zu more: --stats has them", in->list.count - MOST_TOLD);
    for (int stage = 0; stage < INLET_STAGES; stage++)
        if (in->misses[stage])
            report("          %-18s rms %.3g m/s; of the speed %.3g %% of that measured",
                   stage == INLET_LEFT_OUT            ? "fitted, left out"
                   : stage == INLET_ADJUSTED_LEFT_OUT ? "adjusted, left out"
                                                      : stage_names[stage],
                   in->scores[stage].rms, 100 * in->scores[stage].relative);
}

void inlet_add_stats(const inlet *in, json *j)
{
    json_object(j, "stations");
    json_number(j, "u10_before", in->first[0]);
    json_number(j, "from_before", in->first[1]);
    json_number(j, "u10", in->best[0]);
    json_number(j, "from", in->best[1]);
    json_count(j, "directions_solved", (uint64_t)in->fit.nodes);
    json_number(j, "trust", in->choice.trust);
    json_number(j, "strength", in->choice.strength);
    json_number(j, "smoothing", in->choice.smoothing);
    for (int stage = 0; stage < INLET_STAGES; stage++) {
        if (!in->misses[stage])
            continue;
        json_object(j, stage_names[stage]);
        json_number(j, "rms", in->scores[stage].rms);
        json_number(j, "relative_rms_speed", in->scores[stage].relative);
        json_close(j, '}');
    }
    json_array(j, "list");
    for (size_t i = 0; i < in->list.count; i++) {
        json_object(j, NULL);
        json_text(j, "name", in->list.rows[i].name);
        json_number(j, "easting", in->list.rows[i].x);
        json_number(j, "northing", in->list.rows[i].y);
        json_number(j, "height", in->list.rows[i].height);
        json_number(j, "speed", in->list.winds[i].speed);
        json_number(j, "direction", in->list.rows[i].from);
        for (int stage = 0; stage < INLET_STAGES; stage++) {
            if (!in->misses[stage])
                continue;
            json_object(j, stage_names[stage]);
            json_number(j, "speed_missed", in->misses[stage][i].speed);
            json_number(j, "direction_missed", in->misses[stage][i].turn);
            json_close(j, '}');
        }
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}
