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
                   const fit_wind *winds, double spacing, size_t without)
{
    *b = (barnes){.count = count, .at = at, .value = value, .winds = winds};
    b->second = malloc((count + 1) * sizeof *b->second);
    if (!b->second)
        return false;
    b->spacing = mean_spacing(b, spacing, without);
    b->scale = 5.052 * pow(2 * b->spacing / M_PI, 2);
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
