/* SPDX-License-Identifier: MIT */
/* Two windows of time over which a wind's flow at a height is averaged, and how they differ. */
#include "wind/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t column_count(const foehn_wind *w)
{
    return foehn_wind_column_count(w);
}

static size_t sums_size(const foehn_wind *w)
{
    return 4 * column_count(w) * sizeof(double);
}

static double *sums_of(const foehn_wind *w, int window)
{
    return w->rest->sums + (size_t)window * 2 * column_count(w);
}

size_t foehn_rest_size(const foehn_wind *w)
{
    return sizeof(rest_head) + sums_size(w);
}

void foehn_rest_destroy(foehn_wind *w)
{
    if (w->rest)
        free(w->rest->sums);
    free(w->rest);
    w->rest = NULL;
}

void foehn_rest_save(const foehn_wind *w, void *bytes)
{
    memcpy(bytes, &w->rest->head, sizeof w->rest->head);
    memcpy((char *)bytes + sizeof w->rest->head, w->rest->sums, sums_size(w));
}

foehn_status foehn_rest_check(const void *bytes)
{
    rest_head h;
    memcpy(&h, bytes, sizeof h);
    bool sound = h.height >= 0 && isfinite(h.height);
    for (int i = 0; i < 2; i++)
        sound = sound && h.window[i].samples >= 0 && h.window[i].samples <= INT32_MAX / 2 &&
                h.window[i].from >= 0 && isfinite(h.window[i].from) &&
                isfinite(h.window[i].squares);
    return sound ? FOEHN_OK
                 : foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "the checkpoint is damaged: its rest is out of range");
}

foehn_status foehn_rest_create(foehn_wind *w)
{
    w->rest = calloc(1, sizeof *w->rest);
    if (w->rest)
        w->rest->sums = calloc(1, sums_size(w));
    if (w->rest && w->rest->sums)
        return FOEHN_OK;
    foehn_rest_destroy(w);
    return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the means of %zu columns",
                      column_count(w));
}

void foehn_rest_load(foehn_wind *w, const void *bytes)
{
    memcpy(&w->rest->head, bytes, sizeof w->rest->head);
    memcpy(w->rest->sums, (const char *)bytes + sizeof w->rest->head, sums_size(w));
}

void foehn_rest_forget(foehn_wind *w, double height, double time)
{
    memset(&w->rest->head, 0, sizeof w->rest->head);
    memset(w->rest->sums, 0, sums_size(w));
    w->rest->head.height = height;
    w->rest->head.drift = w->rest->head.unrest = NAN;
    w->rest->head.window[0].from = time;
}

double foehn_rest_add(foehn_wind *w, const float *at)
{
    const size_t columns = column_count(w);
    rest_window *now = &w->rest->head.window[0];
    double *sums = sums_of(w, 0), sum = 0;
    for (size_t c = 0; c < columns; c++) {
        double u = (double)at[4 * c], v = (double)at[4 * c + 2];
        sums[2 * c] += u;
        sums[2 * c + 1] += v;
        now->squares += u * u + v * v;
        sum += sqrt(u * u + v * v);
    }
    now->samples++;
    return sum / (double)columns;
}

/* The rms difference of the two windows' means, and the rms about its own mean of this one, m/s. */
static void compare(const foehn_wind *w, double *difference, double *scatter)
{
    const size_t count = 2 * column_count(w);
    const rest_window *now = &w->rest->head.window[0], *last = &w->rest->head.window[1];
    const double *a = sums_of(w, 0), *b = sums_of(w, 1);
    double apart = 0, means = 0;
    for (size_t n = 0; n < count; n++) {
        double mean = a[n] / now->samples,
               d = mean - b[n] / (last->samples > 0 ? last->samples : 1);
        apart += d * d;
        means += mean * mean;
    }
    *difference = sqrt(2 * apart / (double)count);
    *scatter = sqrt(fmax(now->squares / now->samples - means, 0) * 2 / (double)count);
}

void foehn_rest_turn_over(foehn_wind *w, double speed, double time)
{
    rest_head *h = &w->rest->head;
    double difference, scatter;
    compare(w, &difference, &scatter);
    if (h->window[1].samples > 0)
        h->drift = speed > 0 ? difference / speed / REST_WINDOW : 0;
    h->unrest = speed > 0 ? scatter / speed : 0;
    h->window[1] = h->window[0];
    memcpy(sums_of(w, 1), sums_of(w, 0), sums_size(w) / 2);
    memset(sums_of(w, 0), 0, sums_size(w) / 2);
    h->window[0] = (rest_window){.from = time};
}
