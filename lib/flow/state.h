/* SPDX-License-Identifier: MIT */
/* What the files of the flow lab share. */
#ifndef FOEHN_LIB_FLOW_H
#define FOEHN_LIB_FLOW_H

#include "device/internal.h"
#include "pressure/pressure.h"

#include <foehn/flow.h>

#include "kernels/flow/structs.h"

/* ---- obstacle.c: shapes as outlines, in cells ---- */

/* A closed polygon.  owner: 1 + slot, or 1 + FOEHN_FLOW_MOST_OBSTACLES + stroke. */
typedef struct flow_outline {
    int owner, count;
    double (*points)[2];
} flow_outline;

typedef struct flow_outlines {
    int count, capacity;
    flow_outline *list;
} flow_outlines;

typedef struct flow_stroke_line {
    int count;
    float points[FOEHN_FLOW_MOST_POINTS][2];
} flow_stroke_line;

/* All that stands in the water.  Made by the calls, or taken from a checkpoint once it is checked.
 */
typedef struct flow_things {
    foehn_flow_obstacle obstacle[FOEHN_FLOW_MOST_OBSTACLES];
    int stroke_count;
    flow_stroke_line stroke[FOEHN_FLOW_MOST_STROKES];
} flow_things;

/* FOEHN_ERROR_ARGUMENT: no call could have made them. */
foehn_status foehn_things_check(const flow_things *things, double height);

/* Outlines of all things; on rings also of their images.  wrap: sizes in cells, 0 for none. */
foehn_status foehn_outlines_create(const flow_things *things, double h, const int wrap[2],
                                   flow_outlines *out);
void foehn_outlines_destroy(flow_outlines *outlines);
bool foehn_outline_holds(const flow_outline *outline, double x, double y);

/* ---- lib/flow/surface.c: where outlines meet the grid ---- */

/* A stretch of a grid line that lies in a solid. */
typedef struct flow_span {
    double from, to; /* cells */
    int owner;
} flow_span;

enum { FLOW_MOST_SPANS = 256 };

/* Spans of the line where coordinate `axis` is `at`, sorted and disjoint.  Returns their number. */
int foehn_spans(const flow_outlines *outlines, int axis, double at,
                flow_span spans[FLOW_MOST_SPANS]);

/* What the kernels know of solids, on the host: padded fields. */
typedef struct flow_surface {
    size_t elements;
    uint8_t *mask, *owner, *open[2];
    uint16_t *link[2][2]; /* of u and v, along x and y */
    uint8_t *plain; /* a byte for each group of FLOW_GROUP faces: nothing but links of one cell */
    size_t groups;  /* in all; see foehn_flow_groups() */
    uint64_t fluid_cells;
    bool thin; /* there are solids with water close by on both sides */
} flow_surface;

/* Groups in a row of faces, for kernels that take so many at once. */
enum { FLOW_GROUP = 16 };
static inline int foehn_flow_groups(const foehn_grid *g)
{
    return (g->nx + FLOW_GROUP) / FLOW_GROUP;
}

/* Parts that the faces of the box's sides are summed in. */
static inline size_t foehn_flow_rim(const foehn_grid *g)
{
    return (2 * ((size_t)g->nx + (size_t)g->ny) + FLOW_RIM - 1) / FLOW_RIM;
}

foehn_status foehn_surface_create(const foehn_grid *g, flow_surface *out);
void foehn_surface_destroy(flow_surface *s);
foehn_status foehn_surface_make(flow_surface *s, const foehn_grid *g,
                                const foehn_flow_side sides[4], foehn_flow_surface kind,
                                const flow_outlines *outlines);

/* ---- the flow ---- */

enum { FLOW_STIRS = 64, FLOW_PAIRS = 4 };

struct foehn_flow {
    foehn_context *ctx;
    foehn_flow_params params;
    foehn_grid g;
    double h, reference;
    flow_sides sides;
    flow_motion motion; /* cells is set by each step */
    uint64_t step_count;
    double time;
    int cycles;       /* of the last solve */
    double projected; /* dt of the last step that projected; 0: the last one did not */

    flow_things things;
    flow_outlines outlines;
    flow_surface surface;
    bool dragged[FOEHN_FLOW_MOST_OBSTACLES];   /* moves during the next step only */
    bool drag_ends[FOEHN_FLOW_MOST_OBSTACLES]; /* rests from the next step on */
    bool surface_is_stale, speeds_are_stale;
    flow_speeds speeds;
    cl_int moving; /* some solid has a speed */

    int stir_count;
    flow_stroke stirs[FLOW_STIRS];
    bool has_ink;

    /* Velocity is velocity[now]; the other pairs are scratch. */
    cl_mem velocity[FLOW_PAIRS][2];
    int now, pairs;  /* 3, with reflection 4 */
    cl_mem second;   /* with reflection: pressure of the second half's projection */
    cl_mem range[4]; /* low and high of u, of v */
    cl_mem ink, ink_hat, ink_low, ink_high; /* four planes each */
    cl_int plane;                           /* elements of one */
    cl_mem mask, owner, link[2][2];
    bool wide; /* FLOW_GROUP faces a work-item, kernels/flow/sixteen.cl */
    cl_mem plain;
    cl_mem rows, rim;
    cl_mem particle[2];
    foehn_pressure *pressure;
    uint64_t memory;

    struct {
        foehn_kernel edges, solids, edges_ink, push, splat, advect_back, advect_correct, viscosity,
            divergence, project, exchange, ink_back, ink_correct, rim, particles, row_speed,
            publish, publish_ink;
    } kernel;
};

/* ---- flow.c ---- */

/* What the kernels are told of the sides, and U, from the parameters. */
void foehn_flow_take_sides(foehn_flow *f);

/* ---- lib/flow/step.c ---- */

/* Bring mask, links and openness up to date, and the velocity of faces that solids hold. */
foehn_status foehn_flow_refresh(foehn_flow *f);
/* FOEHN_ERROR_ARGUMENT: a member is not finite. */
foehn_status foehn_stroke_check(const flow_stroke *stroke);
/* Edge faces and ghosts; keep: outflow faces stay. */
foehn_status foehn_flow_edges(foehn_flow *f, int pair, cl_int keep);
/* dt > 0: move the tracers; 0: sow them. */
foehn_status foehn_flow_particles(foehn_flow *f, cl_int restart);

static inline foehn_size foehn_flow_cells(const foehn_flow *f)
{
    return (foehn_size){(size_t)f->g.nx, (size_t)f->g.ny, 1};
}

static inline foehn_size foehn_flow_faces(const foehn_flow *f)
{
    return (foehn_size){(size_t)f->g.nx + 1, (size_t)f->g.ny + 1, 1};
}

/* Element of cell (i, j) of a padded field, as at() in kernels/grid.h. */
static inline size_t foehn_flow_at(const foehn_grid *g, int i, int j)
{
    return (size_t)(g->sz + (j + 1) * g->sy + i + 8);
}

/* For the stages that take FLOW_GROUP faces or cells of a row at once where f->wide. */
static inline foehn_size foehn_flow_items(const foehn_flow *f, foehn_size size)
{
    size.x = f->wide ? (size.x + FLOW_GROUP - 1) / FLOW_GROUP : size.x;
    return size;
}

#define PAIR(f, n) ARG((f)->velocity[n][0]), ARG((f)->velocity[n][1])

/* ---- lib/flow/read.c: whole padded fields on the host, for measuring ---- */

typedef struct flow_snapshot {
    float *u, *v, *p;
} flow_snapshot;

foehn_status foehn_flow_snapshot(foehn_flow *f, bool with_pressure, flow_snapshot *out);
void foehn_flow_snapshot_destroy(flow_snapshot *s);

#endif
