/* SPDX-License-Identifier: MIT */
/* TurbSim's full-field files (.bts), which OpenFAST reads: the wind as a mast's plane of instruments sees it, in 16
 * bits.  TurbSim User's Guide v2, appendix E. */
#include "config.h"

#include "box/bytes.h"
#include "box/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 7, PERIODIC = 8 };

/* Wind and mean of a component. */
static double total(const box_result *r, int c, size_t i, size_t j, size_t k)
{
    const box *b = &r->b;
    double u = (double)b->component[c][(i * (size_t)b->n[1] + j) * (size_t)b->n[2] + k];
    return c == 0 ? u + r->mean[k] : u;
}

/* What is stored is slope times the value plus offset: the range of each component fills 16 bits. */
static void find_slopes(const box_result *r, double slope[3], double offset[3])
{
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < (size_t)r->b.n[0]; i++)
            for (size_t j = 0; j < (size_t)r->b.n[1]; j++)
                for (size_t k = 0; k < (size_t)r->b.n[2]; k++) {
                    double u = total(r, c, i, j, k);
                    low = fmin(low, u);
                    high = fmax(high, u);
                }
        slope[c] = (double)(float)(high > low ? 65535 / (high - low) : 1);
        offset[c] = (double)(float)(-32768 - slope[c] * low);
    }
}

static int write_bts(const box_result *r, const char *path)
{
    const box *b = &r->b;
    double slope[3], offset[3];
    find_slopes(r, slope, offset);
    char text[200];
    int length = snprintf(text, sizeof text, "foehn box %s: %s", foehn_version(), r->model == BOX_MANN ? "Mann" : "Kaimal");
    bytes_file f;
    int status = bytes_open(path, &f);
    if (status != STATUS_OK)
        return status;
    bytes_int16(&f, b->periodic[0] ? PERIODIC : PLAIN);
    const int counts[4] = {b->n[2], b->n[1], 0, b->n[0]};
    for (int i = 0; i < 4; i++)
        bytes_int32(&f, counts[i]);
    const double numbers[6] = {b->d[2], b->d[1], b->d[0] / r->o->speed, r->o->speed, r->o->hub, box_height(r, 0)};
    for (int i = 0; i < 6; i++)
        bytes_float(&f, numbers[i]);
    for (int c = 0; c < 3; c++) {
        bytes_float(&f, slope[c]);
        bytes_float(&f, offset[c]);
    }
    bytes_int32(&f, length);
    for (int i = 0; i < length; i++)
        bytes_byte(&f, (unsigned char)text[i]);
    for (size_t i = (size_t)b->n[0]; i-- > 0;) /* what lies farthest downwind has passed first */
        for (size_t k = 0; k < (size_t)b->n[2]; k++)
            for (size_t j = 0; j < (size_t)b->n[1]; j++)
                for (int c = 0; c < 3; c++)
                    bytes_int16(&f, bytes_round(slope[c] * total(r, c, i, j, k) + offset[c]));
    return bytes_close(&f);
}

const box_format box_bts = {.extension = "bts", .what = "TurbSim", .write = write_bts};
