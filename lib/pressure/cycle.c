/* SPDX-License-Identifier: MIT */
/* Levels and cycles of the multigrid.
 *
 * Axes are halved where the coupling is strong (weight at least 0.4 of the strongest), so that
 * point smoothing holds at any ratio of spacings.  The first levels are launched pass by pass; all
 * small levels together are one launch of one work-group that runs a schedule made here.  Every
 * visit of a level makes an even number of passes between its two pressure buffers, so that the
 * result is always where it began. */
#include "pressure/solver.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const double strong_coupling = 0.4;

/* ---- levels ---- */

/* A Dirichlet ghost is 0 one fine cell beyond the middle of an edge cell, so h / 2 beyond the edge.
 * From the middle of a coarse cell of side H that is (H + h) / 2 away, not H.  Without this factor
 * coarse levels see a larger box, correct too much, and the V-cycle diverges.  The last cell of an
 * odd side reaches beyond the edge; where its middle lies at or beyond the ghost's, p is 0 there,
 * too. */
static f32 edge_factor(const foehn_grid *g, int axis, int upper, const foehn_grid *finest,
                       int periodic)
{
    const double coarse[3] = {(double)g->hx, (double)g->hy, (double)g->hz};
    const double fine[3] = {(double)finest->hx, (double)finest->hy, (double)finest->hz};
    const int n[3] = {g->nx, g->ny, g->nz}, fine_n[3] = {finest->nx, finest->ny, finest->nz};
    const double nearest = 0.01; /* of H: as good as 0 */
    if (periodic & PERIODIC_X << axis)
        return 1;
    double away = 0.5 * (coarse[axis] + fine[axis]);
    if (upper)
        away = (fine_n[axis] + 0.5) * fine[axis] - (n[axis] - 0.5) * coarse[axis];
    return (f32)(coarse[axis] / fmax(away, nearest * coarse[axis]));
}

static pressure_level make_shape(const foehn_grid *g, const foehn_grid *finest, int periodic)
{
    const double byte = 1.0 / 255.0;
    return (pressure_level){
        .g = *g,
        .open_from = INT_MAX,
        .wx = (f32)(byte / ((double)g->hx * (double)g->hx)),
        .wy = (f32)(byte / ((double)g->hy * (double)g->hy)),
        .wz = (f32)(byte / ((double)g->hz * (double)g->hz)),
        .edge_x = edge_factor(g, 0, 0, finest, periodic),
        .far_x = edge_factor(g, 0, 1, finest, periodic),
        .edge_y = edge_factor(g, 1, 0, finest, periodic),
        .far_y = edge_factor(g, 1, 1, finest, periodic),
        .edge_z = edge_factor(g, 2, 0, finest, periodic),
        .far_z = edge_factor(g, 2, 1, finest, periodic),
        .axes = periodic,
    };
}

/* Which axes to halve: those with more than one cell and strong coupling.  0 at the bottom. */
static int axes_to_halve(const pressure_level *s, double *lowest)
{
    const double w[3] = {(double)s->wx, (double)s->wy, (double)s->wz};
    const int n[3] = {s->g.nx, s->g.ny, s->g.nz};
    double strongest = 0, sum = 0;
    int axes = 0;
    for (int a = 0; a < 3; a++)
        if (n[a] > 1) {
            strongest = fmax(strongest, w[a]);
            sum += w[a];
        }
    *lowest = 1;
    for (int a = 0; a < 3; a++)
        if (n[a] > 1 && w[a] >= strong_coupling * strongest) {
            axes |= HALVED_X << a;
            *lowest = fmin(*lowest, w[a] / sum);
        }
    return axes;
}

static foehn_grid halved(const pressure_level *s)
{
    foehn_grid g = s->g;
    bool x = s->axes & HALVED_X, y = s->axes & HALVED_Y, z = s->axes & HALVED_Z;
    return foehn_grid_make(x ? (g.nx + 1) / 2 : g.nx, y ? (g.ny + 1) / 2 : g.ny,
                           z ? (g.nz + 1) / 2 : g.nz, x ? 2 * g.hx : g.hx, y ? 2 * g.hy : g.hy,
                           z ? 2 * g.hz : g.hz);
}

int foehn_multigrid_levels(const foehn_grid *g, int periodic, level levels[MOST_LEVELS])
{
    enum { BOTTOM_CELLS = 32 };
    int count = 0;
    foehn_grid next = *g;
    for (;;) {
        level *l = &levels[count++];
        l->shape = make_shape(&next, g, periodic);
        l->elements = foehn_grid_elements(&next);
        int axes = axes_to_halve(&l->shape, &l->lowest);
        if (axes == 0 || next.nx * next.ny <= BOTTOM_CELLS / next.nz || count == MOST_LEVELS)
            break;
        l->shape.axes |= axes;
        next = halved(&l->shape);
    }
    levels[count - 1].lowest = 0.1; /* the bottom has no coarser level: damp all but the mean */
    return count;
}

float foehn_pressure_damping(double lowest, int n, int m)
{
    double middle = 0.5 * (2 + lowest), half = 0.5 * (2 - lowest);
    return (float)(1 / (middle + half * cos((2 * n + 1) * M_PI / (2 * m))));
}

typedef enum smoothing { BEFORE, AFTER } smoothing;

/* Levels on which the light cycle smooths less.  With more of them its overshoots add up past -1/3,
 * where steps that start from the last one's pressure are unstable (doc/numerics.md). */
enum { LIGHT_LEVELS = 2 };

static bool is_light(cycle_kind kind, int n)
{
    return kind == LIGHT_CYCLE && n < LIGHT_LEVELS;
}

static int passes_of(const foehn_pressure *p, cycle_kind kind, int n, smoothing when)
{
    if (n == p->count - 1)
        return BOTTOM_PASSES;
    if (is_light(kind, n))
        return n == 0 ? (when == BEFORE ? 0 : 2) : 1;
    return 2;
}

/* Damping of a pass of level n.  Smoothing before and after the correction share one polynomial, of
 * degree 4: only their product matters for the rate of convergence, and it damps the upper spectrum
 * 16-fold where two polynomials of degree 2 damp it 8.5-fold. */
static float damping(const foehn_pressure *p, cycle_kind kind, int n, smoothing when, int pass)
{
    static const int roots[2][2] = {{0, 3}, {1, 2}};
    const level *l = &p->levels[n];
    if (n == p->count - 1)
        return foehn_pressure_damping(l->lowest, pass, BOTTOM_PASSES);
    if (is_light(kind, n)) {
        /* A degree of 2 over the whole upper spectrum multiplies modes by -0.342, a narrower range
         * by -0.25. */
        double narrow = fmax(l->lowest, 0.45);
        return foehn_pressure_damping(narrow, n == 0 ? pass : (int)when, 2);
    }
    return foehn_pressure_damping(l->lowest, roots[when][pass], 4);
}

/* ---- schedules of the small levels ---- */

typedef struct schedule_maker {
    const foehn_pressure *pressure;
    pressure_pass passes[MOST_PASSES];
    int count, now[MOST_LEVELS];
} schedule_maker;

static void add_pass(schedule_maker *m, int kind, int n, int from, int to, float omega)
{
    if (m->count < MOST_PASSES)
        m->passes[m->count++] =
            (pressure_pass){kind, n - m->pressure->first_small, from, to, omega};
}

/* Smooth level n, `skip` passes of the visit having been done. */
static void add_smoothing(schedule_maker *m, int n, smoothing when, int skip, bool from_zero)
{
    int passes = passes_of(m->pressure, V_CYCLE, n, when);
    for (int i = skip; i < passes; i++) {
        float omega = damping(m->pressure, V_CYCLE, n, when, i);
        add_pass(m, i == 0 && from_zero ? PASS_SMOOTH_ZERO : PASS_SMOOTH, n, m->now[n],
                 1 - m->now[n], omega);
        m->now[n] = 1 - m->now[n];
    }
}

static void add_cycle(schedule_maker *m, int n, cycle_kind kind, int skip, bool from_zero)
{
    add_smoothing(m, n, BEFORE, skip, from_zero);
    if (n == m->pressure->count - 1)
        return;
    add_pass(m, PASS_RESIDUAL, n, m->now[n], 1 - m->now[n], 0);
    add_pass(m, PASS_RESTRICT, n, 1 - m->now[n], 0, 0);
    m->now[n + 1] = 0;
    add_cycle(m, n + 1, kind, 0, true);
    if (kind == F_CYCLE)
        add_cycle(m, n + 1, V_CYCLE, 0, false);
    add_pass(m, PASS_PROLONG, n, m->now[n], m->now[n + 1], 0);
    add_smoothing(m, n, AFTER, 0, false);
}

/* What the small levels do for one visit of the level above, whose restriction has made the first
 * pass on the first small level (from p[0] to p[1]). */
foehn_status foehn_multigrid_schedule(foehn_pressure *p, cycle_kind kind)
{
    schedule_maker *m = calloc(1, sizeof *m);
    if (!m)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a pressure schedule");
    m->pressure = p;
    m->now[p->first_small] = 1;
    add_cycle(m, p->first_small, kind, 1, true);
    if (kind == F_CYCLE)
        add_cycle(m, p->first_small, V_CYCLE, 0, false);
    schedule *s = &p->visits[kind];
    size_t bytes = (size_t)m->count * sizeof *m->passes;
    s->count = m->count;
    foehn_status status = foehn_buffer_create(p->ctx, bytes, &s->passes);
    if (status == FOEHN_OK)
        status = foehn_buffer_write(p->ctx, s->passes, 0, bytes, m->passes);
    free(m);
    return status;
}

/* ---- cycles ---- */

static void swap(level *l)
{
    cl_mem p = l->p[0];
    l->p[0] = l->p[1];
    l->p[1] = p;
}

/* Items along x of the passes that are made by cell or, on GPUs, by groups of four. */
static foehn_items items(const foehn_pressure *p, foehn_items cells)
{
    return foehn_items_in_lanes(cells, p->wide ? TUNED_CELLS_AN_ITEM : 1);
}

/* Work-groups of the wide passes. */
static foehn_size group(const foehn_pressure *p, foehn_size size)
{
    const foehn_size launchers_choice = {0, 0, 0};
    return p->wide ? foehn_local_size(size, TUNED_WIDE_ROW, TUNED_WIDE_GROUP) : launchers_choice;
}

/* A pass over some of a level's cells, from p[0] to p[1]. */
static foehn_status smooth_cells(foehn_pressure *p, const level *l, float omega, foehn_items cells)
{
    const foehn_items own = items(p, cells);
    if (cells.size.x == 0 || cells.size.z == 0)
        return FOEHN_OK;
    return LAUNCH_ITEMS_LOCAL(p->ctx, l->smooth, own, group(p, own.size), ARG(l->shape), ARG(omega),
                              OPEN(l), ARG(l->rhs), ARG(l->p[0]), ARG(l->p[1]));
}

/* What `inner` leaves of `outer`: before and after it along z, then along x. */
static foehn_status smooth_around(foehn_pressure *p, const level *l, float omega, foehn_items inner,
                                  foehn_items outer)
{
    const size_t z0 = inner.from.z, z1 = z0 + inner.size.z, x0 = inner.from.x,
                 x1 = x0 + inner.size.x;
    foehn_items part = outer;
    part.size.z = z0 - outer.from.z;
    TRY(smooth_cells(p, l, omega, part));
    part.from.z = z1;
    part.size.z = outer.from.z + outer.size.z - z1;
    TRY(smooth_cells(p, l, omega, part));
    part.from.z = z0;
    part.size.z = z1 - z0;
    part.size.x = x0 - outer.from.x;
    TRY(smooth_cells(p, l, omega, part));
    part.from.x = x1;
    part.size.x = outer.from.x + outer.size.x - x1;
    return smooth_cells(p, l, omega, part);
}

foehn_status foehn_multigrid_smooth(foehn_pressure *p, level *l, float omega)
{
    const int n = (int)(l - p->levels);
    const foehn_items inner = own_cells(&l->shape.g, -1);
    const bool ahead = l->on_its_way && inner.size.x > 0 && inner.size.z > 0;
    if (ahead)
        TRY(smooth_cells(p, l, omega, inner));
    TRY(foehn_multigrid_reach(p, n, 1, true));
    l->valid -= n < p->cut ? 1 : 0;
    const foehn_items outer = own_cells(&l->shape.g, l->valid);
    TRY(ahead ? smooth_around(p, l, omega, inner, outer) : smooth_cells(p, l, omega, outer));
    swap(l);
    return FOEHN_OK;
}

/* A work-group's cells for two passes in one. */
static foehn_size tile(const foehn_kernel *kernel, foehn_size cells)
{
    return foehn_fitting_group(kernel, foehn_tuned_tile(cells.z == 1));
}

/* Bytes of local memory for a tile with so many rings around it. */
static size_t tile_bytes(foehn_size size, size_t rings)
{
    return (size.x + 2 * rings) * (size.y + 2 * rings) * (size.z + 2 * rings) * sizeof(float);
}

static foehn_status smooth_twice(foehn_pressure *p, level *l, float first, float second)
{
    foehn_size size = level_cells(&l->shape.g), local = tile(&l->smooth_twice, size);
    TRY(LAUNCH_LOCAL(p->ctx, l->smooth_twice, size, local, ARG(l->shape), ARG(first), ARG(second),
                     OPEN(l), ARG(l->rhs), ARG(l->p[0]), ARG(l->p[1]),
                     LOCAL_ARG(tile_bytes(local, 1))));
    swap(l);
    return FOEHN_OK;
}

static foehn_status smooth_visit(foehn_pressure *p, cycle_kind kind, int n, smoothing when,
                                 int skip)
{
    int passes = passes_of(p, kind, n, when), i = skip;
    level *l = &p->levels[n];
    const int read = passes - i + 1; /* by these and the residual or gradient after them */
    if (i < passes && n < p->cut && foehn_part_overlaps(p->part, &l->shape.g))
        TRY(foehn_multigrid_send(p, n, read, true));
    else if (i < passes)
        TRY(foehn_multigrid_reach(p, n, read, true));
    for (; l->smooth_twice.handle && i + 1 < passes; i += 2)
        TRY(smooth_twice(p, l, damping(p, kind, n, when, i), damping(p, kind, n, when, i + 1)));
    for (; i < passes; i++)
        TRY(foehn_multigrid_smooth(p, &p->levels[n], damping(p, kind, n, when, i)));
    return FOEHN_OK;
}

foehn_status foehn_multigrid_residual(foehn_pressure *p, level *l, cl_mem out)
{
    enum { READ = 2 }; /* by restriction over thin walls */
    TRY(foehn_multigrid_reach(p, (int)(l - p->levels), 1, false));
    return LAUNCH_ITEMS(p->ctx, p->kernel.residual_field, own_cells(&l->shape.g, READ),
                        ARG(l->shape), OPEN(l), ARG(l->rhs), ARG(l->p[0]), ARG(out));
}

/* Right side of the next level and the first pass there, which goes to out. */
static foehn_status restrict_to(foehn_pressure *p, int n, float omega, level *coarse, cl_mem out)
{
    level *fine = &p->levels[n];
    if (p->wide && !coarse->splits && (n > 0 || !p->residual_ready)) {
        const foehn_items along = items(p, own_cells(&fine->shape.g, 0));
        foehn_items own = own_cells(&coarse->shape.g, 0);
        own.size.x = along.size.x;
        own.from.x = along.from.x;
        TRY(foehn_multigrid_reach(p, n, 1, false));
        return LAUNCH_ITEMS_LOCAL(p->ctx, fine->restrict_wide, own, group(p, own.size),
                                  ARG(fine->shape), ARG(coarse->shape), ARG(omega), OPEN(fine),
                                  ARG(fine->rhs), ARG(fine->p[0]), OPEN(coarse), ARG(coarse->rhs),
                                  ARG(out));
    }
    if (coarse->splits &&
        n < p->cut) { /* what a wall leaves over comes from a cell before this one: two fine ones */
        TRY(foehn_multigrid_reach(p, n, 3, true));
        p->residual_ready = false;
    }
    if (n > 0 || !p->residual_ready)
        TRY(foehn_multigrid_residual(p, fine, fine->p[1]));
    p->residual_ready = false;
    const foehn_items own = own_cells(&coarse->shape.g, 0);
    if (coarse->splits)
        return LAUNCH_ITEMS(p->ctx, fine->restrict_split, own, ARG(fine->shape.g),
                            ARG(coarse->shape), ARG(omega), ARG(fine->p[1]), OPEN(coarse),
                            SPLIT(coarse), ARG(coarse->rhs), ARG(out));
    return LAUNCH_ITEMS(p->ctx, fine->restrict_residual, own, ARG(fine->shape.g),
                        ARG(coarse->shape), ARG(omega), ARG(fine->p[1]), OPEN(coarse),
                        ARG(coarse->rhs), ARG(out));
}

/* The same where either level may be cut. */
static foehn_status restrict_residual(foehn_pressure *p, cycle_kind kind, int n)
{
    level *coarse = coarse_of(p, n);
    const bool small = n + 1 >= p->first_small; /* its schedule counts on p[1] */
    const int pass = small ? 1 : 0;
    const float omega = damping(p, small ? V_CYCLE : kind, n + 1, BEFORE, 0);
    coarse->valid = 0;
    coarse->right_shared = false;
    if (n + 1 != p->cut)
        return restrict_to(p, n, omega, coarse, coarse->p[pass]);
    TRY(restrict_to(p, n, omega, coarse, coarse->p[0]));
    return foehn_multigrid_gather(p, pass);
}

static foehn_status prolong(foehn_pressure *p, cycle_kind kind, int n)
{
    level *fine = &p->levels[n], *coarse = coarse_of(p, n);
    if (n + 1 == p->cut)
        TRY(foehn_multigrid_scatter(p));
    else
        TRY(foehn_multigrid_reach(p, n + 1, 1, false));
    fine->valid = 0;
    const bool by_cells = fine->by_cells && passes_of(p, kind, n, AFTER) == 2;
    if (p->wide && !coarse->splits && !by_cells) {
        const foehn_items own = items(p, own_cells(&fine->shape.g, 0));
        return LAUNCH_ITEMS_LOCAL(p->ctx, fine->prolong_wide, own, group(p, own.size),
                                  ARG(fine->shape), ARG(coarse->shape), ARG(coarse->mask),
                                  ARG(coarse->p[0]), ARG(fine->p[0]));
    }
    const foehn_items along = own_cells(&coarse->shape.g, 0);
    foehn_items own = own_cells(&fine->shape.g, 0);
    own.size.x = along.size.x;
    own.from.x = along.from.x;
    return LAUNCH_ITEMS(p->ctx, fine->prolong, own, ARG(fine->shape), ARG(coarse->shape),
                        ARG(coarse->mask), SPLIT(coarse), ARG(coarse->p[0]), ARG(fine->p[0]));
}

static foehn_status visit_small_levels(foehn_pressure *p, cycle_kind kind)
{
    foehn_size size = foehn_fitting_group(&p->kernel.small_levels,
                                          (foehn_size){foehn_tuned(p->ctx)->small_group, 1, 1});
    const schedule *s = &p->visits[kind == F_CYCLE ? F_CYCLE : V_CYCLE];
    cl_int levels = p->count - p->first_small;
    cl_int floats = (cl_int)p->local_floats, splits = 0;
    for (int n = p->first_small + 1; n < p->count; n++)
        splits |= p->levels[n].splits;
    return LAUNCH_LOCAL(p->ctx, p->kernel.small_levels, size, size, ARG(s->count), ARG(levels),
                        ARG(floats), ARG(splits), ARG(s->passes), ARG(p->smalls), ARG(p->floats),
                        ARG(p->bytes), LOCAL_ARG((size_t)s->count * sizeof(pressure_pass)),
                        LOCAL_ARG((size_t)levels * sizeof(pressure_small)),
                        LOCAL_ARG(p->local_floats * sizeof(float)));
}

/* Interpolate the correction of level n + 1, and smooth. */
static foehn_status prolong_and_smooth(foehn_pressure *p, cycle_kind kind, int n)
{
    level *fine = &p->levels[n], *coarse = fine + 1;
    if (!fine->prolong_smooth.handle || coarse->splits || passes_of(p, kind, n, AFTER) != 2) {
        TRY(prolong(p, kind, n));
        return smooth_visit(p, kind, n, AFTER, 0);
    }
    foehn_size size = level_cells(&fine->shape.g), local = tile(&fine->prolong_smooth, size);
    float first = damping(p, kind, n, AFTER, 0), second = damping(p, kind, n, AFTER, 1);
    TRY(LAUNCH_LOCAL(p->ctx, fine->prolong_smooth, size, local, ARG(fine->shape),
                     ARG(coarse->shape), ARG(first), ARG(second), OPEN(fine), ARG(coarse->mask),
                     ARG(coarse->p[0]), ARG(fine->rhs), ARG(fine->p[0]), ARG(fine->p[1]),
                     LOCAL_ARG(tile_bytes(local, 2)), LOCAL_ARG(tile_bytes(local, 1))));
    swap(fine);
    return FOEHN_OK;
}

/* One cycle from level n down; `skip`: passes of the first smoothing that have been done. */
static foehn_status cycle(foehn_pressure *p, int n, cycle_kind kind, int skip)
{
    TRY(smooth_visit(p, kind, n, BEFORE, skip));
    if (n == p->count - 1)
        return FOEHN_OK;
    TRY(restrict_residual(p, kind, n));
    if (n + 1 == p->first_small)
        TRY(visit_small_levels(p, kind));
    else {
        TRY(cycle(p, n + 1, kind, 1));
        if (kind == F_CYCLE)
            TRY(cycle(p, n + 1, V_CYCLE, 0));
    }
    return prolong_and_smooth(p, kind, n);
}

foehn_status foehn_multigrid_cycle(foehn_pressure *p, cycle_kind kind)
{
    return cycle(p, 0, kind, 0);
}
