/* SPDX-License-Identifier: MIT */
/* What the water does to an obstacle: pressure, friction; and circulation. */
#include "flow/state.h"

#include <math.h>
#include <string.h>

/* Take the last projection back, u + dt grad p on free faces: the velocity that viscosity left,
 * which meets the walls.  (After the projection it slides along them by dt times the pressure's
 * slope.) Friction from it is what the water gave to the walls in that step. */
static void undo_projection(const foehn_flow *f, flow_snapshot *s)
{
    const foehn_grid *g = &f->g;
    double cells = f->projected / f->h;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t c = foehn_flow_at(g, i, j);
            double own = (double)s->p[c];
            if (i > 0 && f->surface.mask[c] & FLOW_U_FREE)
                s->u[c] += (float)(cells * (own - (double)s->p[c - 1]));
            if (j > 0 && f->surface.mask[c] & FLOW_V_FREE)
                s->v[c] += (float)(cells * (own - (double)s->p[c - (size_t)g->sy]));
        }
}

/* nu, 0 while viscosity is off. */
static double friction(const foehn_flow *f)
{
    return f->params.terms & FOEHN_FLOW_VISCOSITY ? (double)f->params.viscosity : 0;
}

/* ---- staircase: the sum over closed faces is exact for what the grid computes ---- */

static bool solid(const foehn_flow *f, size_t c)
{
    return f->surface.mask[c] & FLOW_SOLID;
}

/* Pressure on the faces of solid cells, friction on the links that end at them. */
static void push_on_staircase(const foehn_flow *f, const flow_snapshot *s, int owner,
                              foehn_flow_push *push)
{
    const foehn_grid *g = &f->g;
    const flow_surface *w = &f->surface;
    const float *velocity[2] = {s->u, s->v};
    const float *speed[2] = {f->speeds.u, f->speeds.v};
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t c = foehn_flow_at(g, i, j);
            if (!solid(f, c) || w->owner[c] != owner)
                continue;
            const size_t stride[2] = {1, (size_t)g->sy};
            const bool inside[2][2] = {{i > 0, i < g->nx - 1}, {j > 0, j < g->ny - 1}};
            for (int a = 0; a < 2; a++)
                for (int side = 0; side < 2; side++) {
                    size_t other = side ? c + stride[a] : c - stride[a];
                    if (!inside[a][side] || solid(f, other))
                        continue;
                    push->pressure[a] += (side ? -1 : 1) * (double)s->p[other] * f->h;
                }
        }
    /* The friction of a free face at each link that ends in this solid. */
    double nu = friction(f);
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                size_t c = foehn_flow_at(g, i, j);
                size_t own = a == 0 ? 1 : (size_t)g->sy;
                if (!(w->mask[c] & (a == 0 ? FLOW_U_FREE : FLOW_V_FREE)))
                    continue;
                for (int b = 0; b < 2; b++)
                    for (int side = 0; side < 2; side++) {
                        size_t stride = b == 0 ? 1 : (size_t)g->sy;
                        size_t end = side ? c + stride : c - stride;
                        bool low = solid(f, end - own), high = solid(f, end);
                        bool mine = (high && w->owner[end] == owner) ||
                                    (low && w->owner[end - own] == owner);
                        if (!mine)
                            continue;
                        double k = w->link[a][b][side ? end : c] / (double)FLOW_LINK;
                        push->viscous[a] +=
                            nu * k * ((double)velocity[a][c] - (double)speed[a][owner]);
                    }
            }
}

/* ---- fractions: quadrature over the crossings of the surface with grid lines ----
 *
 * The integral of q n_x along the surface is the sum over the rows' crossings of +-q h, whatever
 * the angle.  p is continued to the wall from two cells, du/dn comes from the wall and two points.
 */

/* Outward direction along the line at a span's end: -1 at its start, +1 at its end. */
static double wall_value(double near, double far, double distance)
{
    return near + (near - far) * distance;
}

/* One-sided derivative away from the wall, from the wall's value and points at d and d + 1 cells.
 */
static double wall_slope(double wall, double near, double far, double d)
{
    return (near - wall) * (d + 1) / d - (far - wall) * d / (d + 1);
}

static const float *component(const flow_snapshot *s, int a)
{
    return a == 0 ? s->u : s->v;
}

/* Does cell (i, j) have a pressure? */
static bool has_pressure(const foehn_flow *f, int i, int j)
{
    const flow_surface *w = &f->surface;
    if (i < 0 || j < 0 || i >= f->g.nx || j >= f->g.ny)
        return false;
    size_t c = foehn_flow_at(&f->g, i, j);
    return w->open[0][c] || w->open[0][c + 1] || w->open[1][c] || w->open[1][c + (size_t)f->g.sy];
}

static void push_along_line(const foehn_flow *f, const flow_snapshot *s, int owner, int b, int n,
                            foehn_flow_push *push)
{
    const foehn_grid *g = &f->g;
    flow_span spans[FLOW_MOST_SPANS];
    int most = b == 0 ? g->nx : g->ny;
    double nu = friction(f);
    /* Pressure along the middle line of the cells. */
    int count = foehn_spans(&f->outlines, 1 - b, n + 0.5, spans);
    for (int q = 0; q < count; q++)
        for (int end = 0; end < 2 && spans[q].owner == owner; end++) {
            double wall = end ? spans[q].to : spans[q].from, out = end ? 1 : -1;
            int m = end ? (int)ceil(wall - 0.5) : (int)ceil(wall - 0.5) - 1;
            int next = m + (end ? 1 : -1);
            int i = b == 0 ? m : n, j = b == 0 ? n : m;
            int i2 = b == 0 ? next : n, j2 = b == 0 ? n : next;
            if (!has_pressure(f, i, j))
                continue;
            double near = (double)s->p[foehn_flow_at(g, i, j)];
            double far = has_pressure(f, i2, j2) ? (double)s->p[foehn_flow_at(g, i2, j2)] : near;
            double p = wall_value(near, far, fabs(m + 0.5 - wall));
            push->pressure[b] -= out * p * f->h;
        }
    /* Friction of both components along the lines that carry their points. */
    for (int a = 0; a < 2; a++) {
        double line_offset = a == b ? 0.5 : 0, point_offset = a == b ? 0 : 0.5;
        double speed = (double)(a == 0 ? f->speeds.u : f->speeds.v)[owner];
        count = foehn_spans(&f->outlines, 1 - b, n + line_offset, spans);
        for (int q = 0; q < count; q++)
            for (int end = 0; end < 2 && spans[q].owner == owner; end++) {
                double wall = end ? spans[q].to : spans[q].from;
                int step = end ? 1 : -1;
                int m = (int)ceil(wall - point_offset) - (end ? 0 : 1);
                double d = fabs(m + point_offset - wall);
                if (d < 0.25) { /* too near to divide by */
                    m += step;
                    d += 1;
                }
                if (m < 1 || m >= most - 1)
                    continue;
                size_t c = foehn_flow_at(g, b == 0 ? m : n, b == 0 ? n : m);
                size_t stride = b == 0 ? 1 : (size_t)g->sy;
                size_t far = end ? c + stride : c - stride;
                const float *u = component(s, a);
                push->viscous[a] += nu * wall_slope(speed, (double)u[c], (double)u[far], d);
            }
    }
}

foehn_status foehn_flow_read_push(foehn_flow *f, int slot, foehn_flow_push *push)
{
    memset(push, 0, sizeof *push);
    if (slot < 0 || slot >= FOEHN_FLOW_MOST_OBSTACLES ||
        f->things.obstacle[slot].shape == FOEHN_FLOW_NOTHING)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_read_push: obstacle %d is not there",
                          slot);
    flow_snapshot s;
    TRY(foehn_flow_snapshot(f, true, &s));
    undo_projection(f, &s);
    if (f->params.surface == FOEHN_FLOW_STAIRCASE)
        push_on_staircase(f, &s, 1 + slot, push);
    else
        for (int b = 0; b < 2; b++)
            for (int n = 0; n < (b == 0 ? f->g.ny : f->g.nx); n++)
                push_along_line(f, &s, 1 + slot, b, n, push);
    foehn_flow_snapshot_destroy(&s);
    double scale = 0.5 * f->reference * f->reference * (double)f->things.obstacle[slot].size;
    push->cd = (push->pressure[0] + push->viscous[0]) / scale;
    push->cl = (push->pressure[1] + push->viscous[1]) / scale;
    return FOEHN_OK;
}

/* ---- circulation: corners of cells are joined by the faces between them ---- */

static int corner(double place, double h, int n)
{
    double c = rint(place / h);
    return c < 1 ? 1 : c > n - 1 ? n - 1 : (int)c;
}

foehn_status foehn_flow_read_circulation(foehn_flow *f, const double box[4], double *circulation)
{
    *circulation = 0;
    for (int k = 0; k < 4; k++)
        if (!isfinite(box[k]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "the box of a circulation must be finite");
    int x0 = corner(box[0], f->h, f->g.nx), x1 = corner(box[2], f->h, f->g.nx);
    int y0 = corner(box[1], f->h, f->g.ny), y1 = corner(box[3], f->h, f->g.ny);
    if (x1 <= x0 || y1 <= y0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a circulation round no cell: %g..%g x %g..%g",
                          box[0], box[2], box[1], box[3]);
    flow_snapshot s;
    TRY(foehn_flow_snapshot(f, false, &s));
    /* Corner (i, j) lies on u faces (i, j - 1) and (i, j) and v faces (i - 1, j) and (i, j). */
    double sum = 0;
    size_t sy = (size_t)f->g.sy;
    for (int i = x0; i <= x1; i++) {
        double part = i == x0 || i == x1 ? 0.5 : 1;
        size_t low = foehn_flow_at(&f->g, i, y0), high = foehn_flow_at(&f->g, i, y1);
        sum += part * 0.5 *
               (((double)s.u[low] + (double)s.u[low - sy]) -
                ((double)s.u[high] + (double)s.u[high - sy]));
    }
    for (int j = y0; j <= y1; j++) {
        double part = j == y0 || j == y1 ? 0.5 : 1;
        size_t left = foehn_flow_at(&f->g, x0, j), right = foehn_flow_at(&f->g, x1, j);
        sum += part * 0.5 *
               (((double)s.v[right] + (double)s.v[right - 1]) -
                ((double)s.v[left] + (double)s.v[left - 1]));
    }
    foehn_flow_snapshot_destroy(&s);
    *circulation = sum * f->h;
    return FOEHN_OK;
}
