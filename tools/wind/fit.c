/* SPDX-License-Identifier: MIT */
/* Least squares of an inlet, and Barnes' interpolation. */
#include "config.h"

#include "wind/fit.h"

#include <math.h>
#include <stdlib.h>

#define STEP 0.05 /* degrees, of the search */
#define GAMMA 0.2 /* of the second pass */
#define BACKGROUND 0.05

/* The wind towards east and north of 1 m/s from a direction. */
static void toward(double from, double *east, double *north)
{
    *east = -sin(from * M_PI / 180);
    *north = -cos(from * M_PI / 180);
}

/* A node's wind at a station along its inlet and to the left of it, which change slowly with
 * direction. */
static void node_wind(const fit *f, int node, size_t station, double out[2])
{
    double e, n;
    toward(f->from[node], &e, &n);
    double east = f->east[node][station], north = f->north[node][station];
    out[0] = east * e + north * n;
    out[1] = north * e - east * n;
}

void fit_predict(const fit *f, double u10, double from, size_t station, double *east, double *north)
{
    /* Three nodes around the direction, or as many as there are. */
    int most = f->nodes < 3 ? f->nodes : 3, first = 0;
    while (first + most < f->nodes && from > 0.5 * (f->from[first + 1] + f->from[first + 2]))
        first++;
    double sum[2] = {0, 0}, e, n;
    for (int i = first; i < first + most; i++) {
        double weight = 1, wind[2];
        for (int k = first; k < first + most; k++)
            weight *= k == i ? 1 : (from - f->from[k]) / (f->from[i] - f->from[k]);
        node_wind(f, i, station, wind);
        sum[0] += weight * wind[0];
        sum[1] += weight * wind[1];
    }
    toward(f->nodes == 1 ? f->from[0] : from, &e, &n);
    *east = u10 * (sum[0] * e - sum[1] * n);
    *north = u10 * (sum[0] * n + sum[1] * e);
}

void fit_excess(const fit_wind *w, double east, double north, double excess[2])
{
    double speed = hypot(east, north);
    if (w->has_direction) {
        excess[0] = w->east - east;
        excess[1] = w->north - north;
        return;
    }
    excess[0] = speed > 0 ? (w->speed - speed) * east / speed : 0;
    excess[1] = speed > 0 ? (w->speed - speed) * north / speed : 0;
}

/* For a direction the best speed is linear. */
static double best_speed(const fit *f, double from, size_t without, double *rms)
{
    double product = 0, square = 0, measured = 0, weights = 0;
    for (size_t i = 0; i < f->count; i++) {
        const fit_wind *w = &f->winds[i];
        double east, north;
        if (i == without)
            continue;
        fit_predict(f, 1, from, i, &east, &north);
        product += w->weight * (w->has_direction ? east * w->east + north * w->north
                                                 : hypot(east, north) * w->speed);
        square += w->weight * (east * east + north * north);
        measured += w->weight * w->speed * w->speed;
        weights += w->weight;
    }
    double u10 = square > 0 ? fmax(product / square, 0) : 0;
    *rms = weights > 0 ? sqrt(fmax(measured - 2 * u10 * product + u10 * u10 * square, 0) / weights)
                       : 0;
    return u10;
}

fit_inlet fit_find(const fit *f, size_t without)
{
    double low = f->from[0], high = f->from[f->nodes - 1];
    fit_inlet best = {.rms = INFINITY};
    long steps = lround((high - low) / STEP);
    for (long n = 0; n <= steps; n++) {
        double from = steps > 0 ? low + (high - low) * (double)n / (double)steps : low, rms;
        double u10 = best_speed(f, from, without, &rms);
        if (rms < best.rms)
            best = (fit_inlet){u10, from, rms, steps == 0 ? 0 : n == 0 ? -1 : n == steps ? 1 : 0};
    }
    return best;
}

/* ---- Barnes ---- */

/* Mean distance from a place to the nearest other one. */
static double mean_spacing(const barnes *b, double least, size_t without)
{
    double sum = 0;
    size_t counted = 0;
    for (size_t i = 0; i < b->count; i++) {
        double nearest = INFINITY;
        for (size_t k = 0; k < b->count && i != without; k++) {
            double r = hypot(b->at[i][0] - b->at[k][0], b->at[i][1] - b->at[k][1]);
            if (k != without && r >= least)
                nearest = fmin(nearest, r);
        }
        if (isfinite(nearest)) {
            sum += nearest;
            counted++;
        }
    }
    return counted > 0 ? sum / (double)counted : 0;
}

static void pass(const barnes *b, double (*value)[2], double scale, double x, double y,
                 size_t without, double out[2])
{
    double sum[2] = {0, 0}, weights = scale > 0 ? BACKGROUND : 0;
    for (size_t i = 0; i < b->count; i++) {
        if (i == without)
            continue;
        double square = pow(b->at[i][0] - x, 2) + pow(b->at[i][1] - y, 2);
        double weight = b->winds[i].weight * (scale > 0 ? exp(-square / scale) : 1);
        sum[0] += weight * value[i][0];
        sum[1] += weight * value[i][1];
        weights += weight;
    }
    out[0] = weights > 0 ? sum[0] / weights : 0;
    out[1] = weights > 0 ? sum[1] / weights : 0;
}

bool barnes_create(barnes *b, size_t count, double (*at)[2], double (*value)[2],
                   const fit_wind *winds, double spacing, double smoothing, size_t without)
{
    *b = (barnes){.count = count, .at = at, .value = value, .winds = winds};
    b->second = malloc((count + 1) * sizeof *b->second);
    if (!b->second)
        return false;
    b->spacing = mean_spacing(b, spacing, without);
    b->scale = 5.052 * pow(2 * smoothing * b->spacing / M_PI, 2);
    for (size_t i = 0; i < count; i++) {
        double first[2];
        pass(b, value, b->scale, at[i][0], at[i][1], without, first);
        b->second[i][0] = value[i][0] - first[0];
        b->second[i][1] = value[i][1] - first[1];
    }
    return true;
}

void barnes_find(const barnes *b, double x, double y, size_t without, double out[2])
{
    double second[2];
    pass(b, b->value, b->scale, x, y, without, out);
    pass(b, b->second, GAMMA * b->scale, x, y, without, second);
    out[0] += second[0];
    out[1] += second[1];
}

void barnes_destroy(barnes *b)
{
    free(b->second);
    b->second = NULL;
}

/* ---- how far to believe it ---- */

fit_inlet fit_between(const double given[2], fit_inlet found, double trust)
{
    found.u10 = given[0] + trust * (found.u10 - given[0]);
    found.from = given[1] + trust * (found.from - given[1]);
    return found;
}

/* What the others' excess makes of the wind at station i. */
static bool spread_to(const fit *f, const fit_inlet *inlet, const fit_places *p, fit_choice choice,
                      size_t i, double (*excess)[2], double more[2])
{
    barnes b;
    for (size_t k = 0; k < f->count; k++) {
        double east, north;
        fit_predict(f, inlet->u10, inlet->from, k, &east, &north);
        fit_excess(&f->winds[k], east, north, excess[k]);
        excess[k][0] *= choice.strength / p->shares[k];
        excess[k][1] *= choice.strength / p->shares[k];
    }
    if (!barnes_create(&b, f->count, p->at, excess, f->winds, p->spacing, choice.smoothing, i))
        return false;
    barnes_find(&b, p->at[i][0], p->at[i][1], i, more);
    barnes_destroy(&b);
    return true;
}

double fit_left_out(const fit *f, const double given[2], const fit_inlet *without,
                    const fit_places *p, fit_choice choice, double *east, double *north)
{
    double(*excess)[2] = malloc((f->count + 1) * sizeof *excess);
    double square = 0, weights = 0;
    bool good = excess != NULL;
    for (size_t i = 0; i < f->count && good; i++) {
        const fit_inlet inlet = fit_between(given, without[i], choice.trust);
        double more[2] = {0, 0}, missed[2];
        if (choice.strength > 0)
            good = spread_to(f, &inlet, p, choice, i, excess, more);
        fit_predict(f, inlet.u10, inlet.from, i, &east[i], &north[i]);
        if (choice.strength > 0) {
            east[i] += p->shares[i] * more[0];
            north[i] += p->shares[i] * more[1];
        }
        fit_excess(&f->winds[i], east[i], north[i], missed);
        square += f->winds[i].weight * (missed[0] * missed[0] + missed[1] * missed[1]);
        weights += f->winds[i].weight;
    }
    free(excess);
    return good ? sqrt(square / weights) : NAN;
}

enum { STEPS = 4, LENGTHS = 4, CHOICES = (STEPS + 1) * (STEPS + 1) * LENGTHS };
#define AS_GOOD 1.05 /* chance makes no less difference between some ten stations */

static fit_choice choice_of(int n)
{
    static const double smoothings[LENGTHS] = {0.5, 1, 2, 4};
    const int levels = n / LENGTHS;
    return (fit_choice){(double)(levels / (STEPS + 1)) / STEPS, smoothings[n % LENGTHS],
                        (double)(levels % (STEPS + 1)) / STEPS};
}

/* Better where both are as good: what comes nearer to the stations. */
static bool says_more(fit_choice a, fit_choice b)
{
    if (a.strength > b.strength || a.strength < b.strength)
        return a.strength > b.strength;
    if (a.trust > b.trust || a.trust < b.trust)
        return a.trust > b.trust;
    return a.smoothing < b.smoothing;
}

bool fit_choose(const fit *f, const double given[2], const fit_inlet *without, const fit_places *p,
                bool shrinks, bool spreads, fit_choice *out)
{
    double *winds = malloc((2 * f->count + 1) * sizeof *winds),
           *rms = malloc(CHOICES * sizeof *rms);
    double least = INFINITY, alone = INFINITY;
    bool good = winds && rms, found = false;
    for (int n = 0; n < CHOICES && good; n++) {
        const fit_choice c = choice_of(n);
        rms[n] = INFINITY;
        if ((!shrinks && c.trust < 1) || (!spreads && c.strength > 0) ||
            (!(c.strength > 0) && n % LENGTHS > 0))
            continue;
        rms[n] = fit_left_out(f, given, without, p, c, winds, winds + f->count);
        good = !isnan(rms[n]);
        least = fmin(least, rms[n]);
        alone = isinf(alone) ? rms[n] : alone; /* the first: the inlet as it was, nothing spread */
    }
    *out = (fit_choice){!shrinks, 1, 0};
    for (int n = 0; n < CHOICES && good; n++) {
        const fit_choice c = choice_of(n);
        if (!(rms[n] <= AS_GOOD * least && rms[n] <= alone))
            continue;
        if (!found || says_more(c, *out))
            *out = c;
        found = true;
    }
    free(winds);
    free(rms);
    return good;
}
