/* SPDX-License-Identifier: MIT */
/* TurbSim's full-field files. */
#include "config.h"

#include "formats/bts.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 7, PERIODIC = 8 };

/* What is stored is slope times the value plus offset. */
static void find_slopes(const bts_plane *p, double slope[3], double offset[3])
{
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < p->times; i++)
            for (int j = 0; j < p->ny; j++)
                for (int k = 0; k < p->nz; k++) {
                    double u = p->value(p->data, c, i, j, k);
                    low = fmin(low, u);
                    high = fmax(high, u);
                }
        slope[c] = (double)(float)(high > low ? 65535 / (high - low) : 1);
        offset[c] = (double)(float)(-32768 - slope[c] * low);
    }
}

void bts_write(bytes_file *f, const bts_plane *p)
{
    double slope[3], offset[3];
    find_slopes(p, slope, offset);
    bytes_int16(f, p->periodic ? PERIODIC : PLAIN);
    const int counts[4] = {p->nz, p->ny, 0, p->times};
    for (int i = 0; i < 4; i++)
        bytes_int32(f, counts[i]);
    const double numbers[6] = {p->dz, p->dy, p->dt, p->speed, p->hub, p->bottom};
    for (int i = 0; i < 6; i++)
        bytes_float(f, numbers[i]);
    for (int c = 0; c < 3; c++) {
        bytes_float(f, slope[c]);
        bytes_float(f, offset[c]);
    }
    size_t length = strlen(p->text) < 200 ? strlen(p->text) : 200;
    bytes_int32(f, (int32_t)length);
    for (size_t i = 0; i < length; i++)
        bytes_byte(f, (unsigned char)p->text[i]);
    for (int i = 0; i < p->times; i++)
        for (int k = 0; k < p->nz; k++)
            for (int j = 0; j < p->ny; j++)
                for (int c = 0; c < 3; c++)
                    bytes_int16(f,
                                bytes_round(slope[c] * p->value(p->data, c, i, j, k) + offset[c]));
}
