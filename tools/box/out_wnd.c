/* SPDX-License-Identifier: MIT */
/* Bladed's wind files (.wnd) as TurbSim writes them: id -99, 4; three components in thousandths of
 * their standard deviation. */
#include "config.h"

#include "formats/bytes.h"
#include "box/command.h"

#include <math.h>
#include <string.h>

static double fluctuation(const box_result *r, int c, size_t i, size_t j, size_t k)
{
    const box *b = &r->b;
    double u = (double)b->component[c][(i * (size_t)b->n[1] + j) * (size_t)b->n[2] + k];
    return c == 0 ? u + r->mean[k] - r->o->speed : u;
}

/* Turbulence intensities in percent; larger where the range of 16 bits would not do. */
static void find_intensity(const box_result *r, double percent[3])
{
    for (int c = 0; c < 3; c++) {
        double most = 0;
        for (size_t i = 0; i < (size_t)r->b.n[0]; i++)
            for (size_t j = 0; j < (size_t)r->b.n[1]; j++)
                for (size_t k = 0; k < (size_t)r->b.n[2]; k++)
                    most = fmax(most, fabs(fluctuation(r, c, i, j, k)));
        percent[c] = 100 * fmax(r->made[c], most / 32.7) / r->o->speed;
        percent[c] = (double)(float)fmax(percent[c], 1e-6);
    }
}

static int check_wnd(const box_options *o, const char *path)
{
    if (o->size[0] % 2 == 0)
        return STATUS_OK;
    return fail(
        STATUS_INPUT,
        "%s: .wnd files hold an even number of times: give --size an even first number, not %d",
        path, o->size[0]);
}

static int write_wnd(const box_result *r, const char *path)
{
    const box *b = &r->b;
    double percent[3];
    find_intensity(r, percent);
    bytes_file f;
    int status = bytes_open(path, &f);
    if (status != STATUS_OK)
        return status;
    bytes_int16(&f, -99);
    bytes_int16(&f, 4);
    bytes_int32(&f, 3);
    bytes_float(&f, 0); /* latitude, roughness length: not used */
    bytes_float(&f, 0);
    bytes_float(&f, r->o->hub); /* the middle of the grid */
    for (int c = 0; c < 3; c++)
        bytes_float(&f, percent[c]);
    for (int a = 2; a >= 0; a--)
        bytes_float(&f, b->d[a]);
    bytes_int32(&f, b->n[0] / 2);
    bytes_float(&f, r->o->speed);
    for (int i = 0; i < 3; i++)
        bytes_float(&f, 0); /* lengths of u along z, y, x: not used */
    bytes_int32(&f, 0);
    bytes_int32(&f, (int)(r->o->seed & 0x7fffffff));
    bytes_int32(&f, b->n[2]);
    bytes_int32(&f, b->n[1]);
    for (int i = 0; i < 6; i++)
        bytes_int32(&f, 0); /* lengths of v and w: not used */
    for (size_t i = (size_t)b->n[0]; i-- > 0;)
        for (size_t k = 0; k < (size_t)b->n[2]; k++)
            for (size_t j = 0; j < (size_t)b->n[1]; j++)
                for (int c = 0; c < 3; c++)
                    bytes_int16(&f, bytes_round(fluctuation(r, c, i, j, k) /
                                                (1e-5 * r->o->speed * percent[c])));
    return bytes_close(&f);
}

const box_format box_wnd = {
    .extension = "wnd", .what = "Bladed", .check = check_wnd, .write = write_wnd};
