/* SPDX-License-Identifier: MIT */
/* A box in parts: the windows of the levels that are cut, and what parts send each other between
 * passes.
 *
 * The finest levels are windows: a part's own cells and copies of its neighbours' around them, in
 * which all passes run as in a box that ends there.  Each pass makes one layer of copies more
 * wrong; before they are used up they are fetched anew.  A window's halves are the next level's
 * window, so transfers between levels know nothing of parts.  One level (the gate) is gathered:
 * from there down every part has the whole of it and does the same. */
#include "pressure/solver.h"

#include "domain/whole.h"

#include <limits.h>
#include <stdlib.h>

enum { SHARED = 3 }; /* layers fetched at once: two passes and a residual */

/* ---- windows ---- */

/* The window of the next level, whose whole is given. */
static foehn_grid halve_window(const foehn_grid *fine, int axes, const foehn_grid *whole)
{
    const int x = axes & HALVED_X ? 2 : 1, z = axes & HALVED_Z ? 2 : 1;
    foehn_grid g = foehn_grid_make((fine->nx + x - 1) / x, whole->ny, (fine->nz + z - 1) / z,
                                   whole->hx, whole->hy, whole->hz);
    g.first_x = fine->first_x / x;
    g.first_z = fine->first_z / z;
    g.whole_x = whole->nx;
    g.whole_z = whole->nz;
    g.own_x0 = fine->own_x0 / x;
    g.own_z0 = fine->own_z0 / z;
    g.own_x1 = (fine->own_x1 + x - 1) / x;
    g.own_z1 = (fine->own_z1 + z - 1) / z;
    return g;
}

void foehn_pressure_open_windows(foehn_pressure *p, const foehn_grid *g)
{
    p->cut = p->part->plan.levels;
    p->gate_cut = p->part->cut;
    foehn_side here[FOEHN_SIDES];
    foehn_window_sides(g, p->sides, here);
    for (int i = 0; i < FOEHN_SIDES; i++) {
        p->closed_here |= foehn_side_is_held(here[i]) << i;
        p->dirichlet_here |= foehn_side_is_open(here[i]) << i;
    }
    p->gate.shape = p->levels[p->cut].shape;
    foehn_grid window = *g;
    for (int n = 0; n <= p->cut; n++) {
        level *l = n == p->cut ? &p->gate : &p->levels[n];
        l->shape.g = window;
        l->shape.closed = p->closed_here;
        l->elements = foehn_grid_elements(&window);
        if (n == p->cut)
            break;
        const int axes = l->shape.axes;
        const foehn_grid next = p->levels[n + 1].shape.g; /* whole yet */
        window = halve_window(&window, axes, &next);
        foehn_cut_halve(&p->gate_cut, axes & HALVED_X, axes & HALVED_Z, next.nx, next.nz);
    }
}

/* ---- between passes ---- */

foehn_status foehn_multigrid_send(foehn_pressure *p, int n, int depth, bool right)
{
    level *l = &p->levels[n];
    const cl_mem fields[2] = {l->p[0], l->rhs};
    if (n >= p->cut || l->on_its_way)
        return FOEHN_OK;
    right = right && !l->right_shared;
    if (l->valid >= depth && !right)
        return FOEHN_OK;
    TRY(foehn_part_send(p->part, &l->shape.g, SHARED, right ? 2 : 1, fields));
    l->valid = SHARED;
    l->right_shared = l->right_shared || right;
    l->on_its_way = true;
    return FOEHN_OK;
}

foehn_status foehn_multigrid_reach(foehn_pressure *p, int n, int depth, bool right)
{
    level *l = &p->levels[n];
    if (n >= p->cut)
        return FOEHN_OK;
    if (l->on_its_way) {
        l->on_its_way = false;
        TRY(foehn_part_receive(p->part));
    }
    const cl_mem fields[2] = {l->p[0], l->rhs};
    right = right && !l->right_shared;
    if (l->valid >= depth && !right)
        return FOEHN_OK;
    TRY(foehn_part_share(p->part, &l->shape.g, SHARED, right ? 2 : 1, fields));
    l->valid = SHARED;
    l->right_shared = l->right_shared || right;
    return FOEHN_OK;
}

foehn_status foehn_pressure_clear(foehn_pressure *p)
{
    p->levels[0].valid = INT_MAX / 2;
    return foehn_buffer_clear(p->ctx, p->levels[0].p[0]);
}

void foehn_pressure_changed(foehn_pressure *p)
{
    p->levels[0].valid = 0;
}

foehn_status foehn_pressure_send(foehn_pressure *p, int layers)
{
    return p->part && foehn_part_overlaps(p->part, &p->levels[0].shape.g)
               ? foehn_multigrid_send(p, 0, layers, false)
               : FOEHN_OK;
}

foehn_status foehn_pressure_reach(foehn_pressure *p, int layers)
{
    return foehn_multigrid_reach(p, 0, layers, false);
}

/* ---- the gate ---- */

foehn_status foehn_multigrid_gather(foehn_pressure *p, int pass)
{
    level *whole = &p->levels[p->cut];
    const cl_mem from[2] = {p->gate.rhs, p->gate.p[0]}, to[2] = {whole->rhs, whole->p[pass]};
    return foehn_part_assemble(p->part, &p->gate_cut, &p->gate.shape.g, &whole->shape.g, 2, from,
                               to);
}

foehn_status foehn_multigrid_scatter(foehn_pressure *p)
{
    const level *whole = &p->levels[p->cut];
    return foehn_part_look_through(p->part, &p->gate.shape.g, &whole->shape.g, whole->p[0],
                                   p->gate.p[0]);
}

foehn_status foehn_pressure_gather_bytes(foehn_pressure *p, const cl_mem from[3],
                                         const cl_mem to[3], int more)
{
    const foehn_grid *window = &p->gate.shape.g, *whole = &p->levels[p->cut].shape.g;
    for (int a = 0; a < 3; a++)
        TRY(foehn_whole_everywhere(p->part, &p->gate_cut, window, whole,
                                   (whole_field){from[a], 1, more, 0, 0}, to[a]));
    return FOEHN_OK;
}
