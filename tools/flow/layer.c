/* SPDX-License-Identifier: MIT */
/* Layers of a flow: their names, colours and the range that the colours span. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>

const flow_layer_kind flow_layers[] = {
    {"Ink", "", FOEHN_FLOW_INK, false, "", ""},
    {"Speed", "speed", FOEHN_FLOW_SPEED, false, "", ""},
    {"Vorticity", "vorticity", FOEHN_FLOW_VORTICITY, true, "anticlockwise", "clockwise"},
    {"Pressure", "p / density", FOEHN_FLOW_P, true, "high", "low"},
    {"Divergence", "div u", FOEHN_FLOW_DIVERGENCE, true, "spreading", "crowding"},
    {"Particles", "speed", FOEHN_FLOW_SPEED, false, "", ""},
    {"Solids", "", FOEHN_FLOW_SOLIDS, false, "", ""},
};

const double flow_rock[3] = {0.27, 0.27, 0.29}, flow_deep[3] = {0.07, 0.10, 0.17};

/* t in 0 to 1 along a list of colours. */
static void along(const double (*colors)[3], int count, double t, double rgb[3])
{
    double p = fmin(fmax(t, 0), 1) * (count - 1);
    int i = p >= count - 1 ? count - 2 : (int)p;
    for (int k = 0; k < 3; k++)
        rgb[k] = colors[i][k] + (colors[i + 1][k] - colors[i][k]) * (p - i);
}

void flow_layer_color(bool diverging, double t, double rgb[3])
{
    static const double speeds[][3] = {{0.09, 0.10, 0.28}, {0.13, 0.31, 0.52}, {0.11, 0.52, 0.55},
                                       {0.37, 0.72, 0.45}, {0.80, 0.86, 0.36}, {1.00, 0.97, 0.70}};
    static const double signs[][3] = {{0.02, 0.22, 0.45}, {0.13, 0.55, 0.85}, {0.62, 0.83, 0.97},
                                      {0.98, 0.98, 0.97}, {0.99, 0.78, 0.45}, {0.93, 0.49, 0.07},
                                      {0.50, 0.20, 0.02}};
    if (diverging)
        along(signs, 7, t, rgb);
    else
        along(speeds, 6, t, rgb);
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A round number not below x: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten. */
static double round_up(double x)
{
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    if (!(x > 0))
        return 1;
    double power = pow(10, floor(log10(x)));
    for (int i = 0; i < 9; i++)
        if (x <= steps[i] * power * (1 + 1e-9))
            return steps[i] * power;
    return x;
}

int flow_layer_range(size_t n, const float *field, const float *solid, double *end, double *most)
{
    size_t water = 0;
    float *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return fail_memory();
    for (size_t c = 0; c < n; c++)
        if (!(solid[c] > 0))
            sorted[water++] = fabsf(field[c]);
    qsort(sorted, water, sizeof *sorted, by_size);
    double usual = water ? (double)sorted[(size_t)(0.997 * (double)(water - 1))] : 0;
    *most = water ? (double)sorted[water - 1] : 0;
    *end = round_up(fmax(usual, 1e-6));
    free(sorted);
    return STATUS_OK;
}
