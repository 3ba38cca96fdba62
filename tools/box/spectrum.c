/* SPDX-License-Identifier: MIT */
/* Boxes as memory, and their spectra along the wind. */
#include "config.h"

#include "box/box.h"
#include "box/lanes.h"
#include "box/large.h"

#include <stdlib.h>
#include <string.h>

#include <fftw3.h>

#define PI 3.14159265358979323846

int box_create(const int n[3], const double d[3], const bool periodic[3], box *out)
{
    memset(out, 0, sizeof *out);
    for (int a = 0; a < 3; a++) {
        out->n[a] = n[a];
        out->d[a] = d[a];
        out->periodic[a] = periodic[a];
    }
    for (int c = 0; c < 3; c++)
        if (!(out->component[c] = large_alloc(box_points(out) * sizeof(float)))) {
            box_destroy(out);
            return fail_memory();
        }
    return STATUS_OK;
}

void box_destroy(box *b)
{
    for (int c = 0; c < 3; c++) {
        free(b->component[c]);
        b->component[c] = NULL;
    }
}

size_t box_points(const box *b)
{
    return (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
}

/* Sums over values and squares, kept apart by lanes. */
static void sums(const box *b, int component, double *sum, double *squares)
{
    const float *u = b->component[component];
    size_t count = box_points(b), i = 0;
    double value[LANES] = {0}, square[LANES] = {0};
    for (; i + LANES <= count; i += LANES)
        EACH_LANE
        {
            double x = (double)u[i + (size_t)l];
            value[l] += x;
            square[l] += x * x;
        }
    *sum = *squares = 0;
    EACH_LANE
    {
        *sum += value[l];
        *squares += square[l];
    }
    for (; i < count; i++) {
        *sum += (double)u[i];
        *squares += (double)u[i] * (double)u[i];
    }
}

double box_mean(const box *b, int component)
{
    double sum, squares;
    sums(b, component, &sum, &squares);
    return sum / (double)box_points(b);
}

double box_variance(const box *b, int component)
{
    double sum, squares, count = (double)box_points(b);
    sums(b, component, &sum, &squares);
    return squares / count - sum / count * (sum / count);
}

/* Transforms of lines of points along x. */
typedef struct transform {
    int n;
    float *line;
    fftwf_complex *modes;
    fftwf_plan plan;
} transform;

static int transform_create(int n, transform *t)
{
    *t = (transform){.n = n,
                     .line = fftwf_alloc_real((size_t)n),
                     .modes = fftwf_alloc_complex((size_t)n / 2 + 1)};
    if (t->line && t->modes)
        t->plan = fftwf_plan_dft_r2c_1d(n, t->line, t->modes, FFTW_ESTIMATE);
    return t->plan ? STATUS_OK : fail_memory();
}

static void transform_destroy(transform *t)
{
    fftwf_destroy_plan(t->plan);
    fftwf_free(t->line);
    fftwf_free(t->modes);
}

static void transform_line(transform *t, const box *b, int component, int j, int k)
{
    size_t nz = (size_t)b->n[2], plane = (size_t)b->n[1] * nz;
    const float *u = b->component[component] + (size_t)j * nz + (size_t)k;
    for (size_t i = 0; i < (size_t)t->n; i++)
        t->line[i] = u[i * plane];
    fftwf_execute(t->plan);
}

static double product(const fftwf_complex a, const fftwf_complex b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1];
}

/* From |transform|^2 summed over lines to m^3/s^2. */
static double density(const box *b, int lines)
{
    return b->d[0] / (2 * PI * b->n[0]) / lines;
}

int box_spectra(const box *b, double *out[BOX_SPECTRA])
{
    transform t[3] = {{0}};
    int status = STATUS_OK, count = b->n[0] / 2 + 1;
    for (int c = 0; c < 3 && status == STATUS_OK; c++)
        status = transform_create(b->n[0], &t[c]);
    for (int p = 0; p < BOX_SPECTRA && status == STATUS_OK; p++)
        memset(out[p], 0, (size_t)count * sizeof *out[p]);
    for (int j = 0; j < b->n[1] && status == STATUS_OK; j++)
        for (int k = 0; k < b->n[2]; k++) {
            for (int c = 0; c < 3; c++)
                transform_line(&t[c], b, c, j, k);
            for (int i = 0; i < count; i++) {
                for (int c = 0; c < 3; c++)
                    out[c][i] += product(t[c].modes[i], t[c].modes[i]);
                out[BOX_UW][i] += product(t[0].modes[i], t[2].modes[i]);
            }
        }
    for (int p = 0; p < BOX_SPECTRA && status == STATUS_OK; p++)
        for (int i = 0; i < count; i++)
            out[p][i] *= density(b, b->n[1] * b->n[2]);
    for (int c = 0; c < 3; c++)
        transform_destroy(&t[c]);
    return status;
}

int box_cross_spectra(const box *b, int dj, int dk, double *co[3])
{
    transform here = {0}, there = {0};
    int status = transform_create(b->n[0], &here), count = b->n[0] / 2 + 1;
    if (status == STATUS_OK)
        status = transform_create(b->n[0], &there);
    for (int c = 0; c < 3 && status == STATUS_OK; c++) {
        if (!co[c])
            continue;
        memset(co[c], 0, (size_t)count * sizeof *co[c]);
        for (int j = 0; j + dj < b->n[1]; j++)
            for (int k = 0; k + dk < b->n[2]; k++) {
                transform_line(&here, b, c, j, k);
                transform_line(&there, b, c, j + dj, k + dk);
                for (int i = 0; i < count; i++)
                    co[c][i] += product(here.modes[i], there.modes[i]);
            }
        for (int i = 0; i < count; i++)
            co[c][i] *= density(b, (b->n[1] - dj) * (b->n[2] - dk));
    }
    transform_destroy(&here);
    transform_destroy(&there);
    return status;
}
