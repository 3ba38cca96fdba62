/* SPDX-License-Identifier: MIT */
/* Boxes for TurbSim and OpenFAST. */
#include "config.h"

#include "box/command.h"
#include "formats/bts.h"

static double value(const void *data, int component, int time, int j, int k)
{
    const box_result *r = data;
    const box *b = &r->b;
    size_t i = (size_t)(b->n[0] - 1 - time); /* what lies farthest downwind has passed first */
    double u =
        (double)b
            ->component[component][(i * (size_t)b->n[1] + (size_t)j) * (size_t)b->n[2] + (size_t)k];
    return component == 0 ? u + r->mean[k] : u;
}

static int write_bts(const box_result *r, const char *path)
{
    const box *b = &r->b;
    char text[120];
    snprintf(text, sizeof text, "foehn box %s: %s", foehn_version(),
             r->model == BOX_MANN ? "Mann" : "Kaimal");
    bytes_file f;
    int status = bytes_open(path, &f);
    if (status != STATUS_OK)
        return status;
    bts_write(&f, &(bts_plane){.times = b->n[0],
                               .ny = b->n[1],
                               .nz = b->n[2],
                               .dt = b->d[0] / r->o->speed,
                               .dy = b->d[1],
                               .dz = b->d[2],
                               .speed = r->o->speed,
                               .hub = r->o->hub,
                               .bottom = box_height(r, 0),
                               .periodic = b->periodic[0],
                               .text = text,
                               .value = value,
                               .data = r});
    return bytes_close(&f);
}

const box_format box_bts = {.extension = "bts", .what = "TurbSim", .write = write_bts};
