/* SPDX-License-Identifier: MIT */
/* Reading the flow lab: fields, points, figures, publication. */
#include "flow/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A flow has blown up beyond this many times its reference speed. */
static const double LIMIT = 50;

/* ---- whole fields on the host ---- */

static foehn_status read_padded(foehn_flow *f, cl_mem field, float **out)
{
    size_t bytes = f->surface.elements * sizeof(float);
    *out = malloc(bytes);
    if (!*out)
        return foehn_fail(FOEHN_ERROR_MEMORY, "reading a flow: no host memory");
    return foehn_buffer_read(f->ctx, field, 0, bytes, *out);
}

foehn_status foehn_flow_snapshot(foehn_flow *f, bool with_pressure, flow_snapshot *out)
{
    memset(out, 0, sizeof *out);
    foehn_status status;
    TRY_OR_FAIL(foehn_flow_refresh(f));
    TRY_OR_FAIL(read_padded(f, f->velocity[f->now][0], &out->u));
    TRY_OR_FAIL(read_padded(f, f->velocity[f->now][1], &out->v));
    if (with_pressure)
        TRY_OR_FAIL(read_padded(f, foehn_pressure_field(f->pressure), &out->p));
    return FOEHN_OK;
fail:
    foehn_flow_snapshot_destroy(out);
    return status;
}

void foehn_flow_snapshot_destroy(flow_snapshot *s)
{
    free(s->u);
    free(s->v);
    free(s->p);
    memset(s, 0, sizeof *s);
}

/* ---- quantities at one cell ---- */

static double vorticity_at(const foehn_flow *f, const flow_snapshot *s, size_t c)
{
    size_t sy = (size_t)f->g.sy;
    double across = ((double)s->v[c + 1] + (double)s->v[c + sy + 1]) -
                    ((double)s->v[c - 1] + (double)s->v[c + sy - 1]);
    double upward = ((double)s->u[c + sy] + (double)s->u[c + sy + 1]) -
                    ((double)s->u[c - sy] + (double)s->u[c - sy + 1]);
    return 0.25 * (across - upward) / f->h;
}

static double speed_at(const foehn_flow *f, const flow_snapshot *s, size_t c)
{
    double u = 0.5 * ((double)s->u[c] + (double)s->u[c + 1]);
    double v = 0.5 * ((double)s->v[c] + (double)s->v[c + (size_t)f->g.sy]);
    return sqrt(u * u + v * v);
}

static double through(uint8_t open, float velocity, float solid)
{
    double o = open / 255.0;
    return open ? o * (double)velocity + (1 - o) * (double)solid : (double)velocity;
}

/* The operator of the projection; 0 in cells that it passes over. */
static double divergence_at(const foehn_flow *f, const flow_snapshot *s, size_t c)
{
    const flow_surface *w = &f->surface;
    size_t sy = (size_t)f->g.sy;
    if ((w->mask[c] & FLOW_SOLID) &&
        !(w->open[0][c] || w->open[0][c + 1] || w->open[1][c] || w->open[1][c + sy]))
        return 0;
    double uw = (double)s->u[c], ue = (double)s->u[c + 1];
    double vs = (double)s->v[c], vn = (double)s->v[c + sy];
    if (f->params.surface == FOEHN_FLOW_FRACTIONS) {
        int own = w->owner[c], west = w->owner[c - 1], east = w->owner[c + 1];
        int south = w->owner[c - sy], north = w->owner[c + sy];
        uw = through(w->open[0][c], s->u[c], f->speeds.u[own > west ? own : west]);
        ue = through(w->open[0][c + 1], s->u[c + 1], f->speeds.u[own > east ? own : east]);
        vs = through(w->open[1][c], s->v[c], f->speeds.v[own > south ? own : south]);
        vn = through(w->open[1][c + sy], s->v[c + sy], f->speeds.v[own > north ? own : north]);
    }
    return ((ue - uw) + (vn - vs)) / f->h;
}

/* ---- fields ---- */

size_t foehn_flow_get_field_size(const foehn_flow *f, foehn_flow_field field)
{
    size_t nx = (size_t)f->g.nx, ny = (size_t)f->g.ny;
    switch (field) {
    case FOEHN_FLOW_U: return (nx + 1) * ny;
    case FOEHN_FLOW_V: return nx * (ny + 1);
    case FOEHN_FLOW_INK: return FLOW_CHANNELS * nx * ny;
    case FOEHN_FLOW_P:
    case FOEHN_FLOW_SPEED:
    case FOEHN_FLOW_VORTICITY:
    case FOEHN_FLOW_DIVERGENCE:
    case FOEHN_FLOW_SOLIDS: return nx * ny;
    }
    return 0;
}

static foehn_status read_derived(foehn_flow *f, foehn_flow_field field, float *out)
{
    flow_snapshot s;
    TRY(foehn_flow_snapshot(f, false, &s));
    for (int j = 0; j < f->g.ny; j++)
        for (int i = 0; i < f->g.nx; i++) {
            size_t c = foehn_flow_at(&f->g, i, j);
            double value = field == FOEHN_FLOW_SPEED       ? speed_at(f, &s, c)
                           : field == FOEHN_FLOW_VORTICITY ? vorticity_at(f, &s, c)
                                                           : divergence_at(f, &s, c);
            *out++ = (float)value;
        }
    foehn_flow_snapshot_destroy(&s);
    return FOEHN_OK;
}

/* Where the values of one of the first four fields lie. */
static foehn_box box_of(const foehn_flow *f, foehn_flow_field field, int channel)
{
    foehn_box box = foehn_grid_box(&f->g, sizeof(float));
    box.nx += field == FOEHN_FLOW_U;
    box.ny += field == FOEHN_FLOW_V;
    box.offset += (size_t)channel * (size_t)f->plane;
    return box;
}

static cl_mem buffer_of(const foehn_flow *f, foehn_flow_field field)
{
    switch (field) {
    case FOEHN_FLOW_U: return f->velocity[f->now][0];
    case FOEHN_FLOW_V: return f->velocity[f->now][1];
    case FOEHN_FLOW_P: return foehn_pressure_field(f->pressure);
    case FOEHN_FLOW_INK: return f->ink;
    default: return NULL;
    }
}

foehn_status foehn_flow_read(foehn_flow *f, foehn_flow_field field, float *out)
{
    if ((int)field < 0 || field > FOEHN_FLOW_SOLIDS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_read: field %d is unknown", (int)field);
    TRY(foehn_flow_refresh(f));
    if (field == FOEHN_FLOW_SOLIDS) {
        for (int j = 0; j < f->g.ny; j++)
            for (int i = 0; i < f->g.nx; i++)
                *out++ = f->surface.mask[foehn_flow_at(&f->g, i, j)] & FLOW_SOLID ? 1.0f : 0.0f;
        return FOEHN_OK;
    }
    if (field >= FOEHN_FLOW_SPEED)
        return read_derived(f, field, out);
    size_t cells = (size_t)f->g.nx * (size_t)f->g.ny;
    for (int k = 0; k < (field == FOEHN_FLOW_INK ? FLOW_CHANNELS : 1); k++)
        TRY(foehn_box_read(f->ctx, buffer_of(f, field), box_of(f, field, k),
                           out + (size_t)k * cells));
    return FOEHN_OK;
}

foehn_status foehn_flow_write(foehn_flow *f, foehn_flow_field field, const float *in)
{
    if ((int)field < 0 || field > FOEHN_FLOW_INK)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_write: field %d is read only",
                          (int)field);
    size_t cells = (size_t)f->g.nx * (size_t)f->g.ny;
    for (int k = 0; k < (field == FOEHN_FLOW_INK ? FLOW_CHANNELS : 1); k++)
        TRY(foehn_box_write(f->ctx, buffer_of(f, field), box_of(f, field, k),
                            in + (size_t)k * cells));
    if (field == FOEHN_FLOW_INK)
        f->has_ink = true;
    if (field != FOEHN_FLOW_U && field != FOEHN_FLOW_V)
        return FOEHN_OK;
    f->speeds_are_stale = true; /* faces that solids hold */
    TRY(foehn_flow_refresh(f));
    return foehn_flow_edges(f, f->now, 0);
}

foehn_status foehn_flow_read_particles(foehn_flow *f, float *out)
{
    size_t count = (size_t)f->params.particles;
    if (count == 0)
        return FOEHN_OK;
    float *y = malloc(count * sizeof *y);
    if (!y)
        return foehn_fail(FOEHN_ERROR_MEMORY, "reading particles: no host memory");
    foehn_status status;
    TRY_OR_FAIL(foehn_buffer_read(f->ctx, f->particle[0], 0, count * sizeof *y, out));
    TRY_OR_FAIL(foehn_buffer_read(f->ctx, f->particle[1], 0, count * sizeof *y, y));
    for (size_t n = count; n-- > 0;) {
        out[2 * n] = (float)((double)out[n] * f->h);
        out[2 * n + 1] = (float)((double)y[n] * f->h);
    }
fail:
    free(y);
    return status;
}

/* ---- points ---- */

/* Bilinear, nodes at (i + ox, j + oy), the point in cells. */
static double sample(const foehn_flow *f, const float *field, double x, double y, double ox,
                     double oy)
{
    const foehn_grid *g = &f->g;
    double gx = fmin(fmax(x, 0), g->nx) - ox, gy = fmin(fmax(y, 0), g->ny) - oy;
    int i = (int)floor(gx), j = (int)floor(gy);
    i = i > g->nx - 1 ? g->nx - 1 : i;
    j = j > g->ny - 1 ? g->ny - 1 : j;
    double a = gx - i, b = gy - j;
    const float *p = field + foehn_flow_at(g, i, j);
    double low = (1 - a) * (double)p[0] + a * (double)p[1];
    double high = (1 - a) * (double)p[g->sy] + a * (double)p[g->sy + 1];
    return (1 - b) * low + b * high;
}

/* Pressure of cell (i, j); where there is none (solid, outside) continued from the two nearest
 * cells along the axes; false where there is nothing to continue. */
static bool pressure_near(const foehn_flow *f, const float *p, int i, int j, bool exact,
                          double *out)
{
    const foehn_grid *g = &f->g;
    if (f->motion.wrap_x)
        i = (i + 2 * g->nx) % g->nx;
    if (f->motion.wrap_y)
        j = (j + 2 * g->ny) % g->ny;
    bool inside = i >= 0 && j >= 0 && i < g->nx && j < g->ny;
    if (inside && !(f->surface.mask[foehn_flow_at(g, i, j)] & FLOW_SOLID)) {
        *out = (double)p[foehn_flow_at(g, i, j)];
        return true;
    }
    static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 4 && !exact; k++) {
        double one, two;
        if (!pressure_near(f, p, i + way[k][0], j + way[k][1], true, &one) ||
            !pressure_near(f, p, i + 2 * way[k][0], j + 2 * way[k][1], true, &two))
            continue;
        sum += 2 * one - two;
        count++;
    }
    *out = count ? sum / count : 0;
    return count > 0;
}

static double sample_pressure(const foehn_flow *f, const float *p, double x, double y)
{
    const foehn_grid *g = &f->g;
    double gx = fmin(fmax(x, 0), g->nx) - 0.5, gy = fmin(fmax(y, 0), g->ny) - 0.5;
    int i0 = (int)floor(gx), j0 = (int)floor(gy);
    double sum = 0, weight = 0, value;
    for (int k = 0; k < 4; k++) {
        int i = i0 + (k & 1), j = j0 + (k >> 1);
        double w = (1 - fabs(gx - i)) * (1 - fabs(gy - j));
        if (w > 0 && pressure_near(f, p, i, j, false, &value)) {
            sum += w * value;
            weight += w;
        }
    }
    return weight > 1e-9 ? sum / weight : 0;
}

foehn_status foehn_flow_read_points(foehn_flow *f, size_t count, const double *points, double *out)
{
    for (size_t n = 0; n < 2 * count; n++)
        if (!isfinite(points[n]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "point %zu: must be finite", n / 2);
    flow_snapshot s;
    TRY(foehn_flow_snapshot(f, true, &s));
    for (size_t n = 0; n < count; n++) {
        double x = points[2 * n] / f->h, y = points[2 * n + 1] / f->h;
        out[3 * n] = sample(f, s.u, x, y, 0, 0.5);
        out[3 * n + 1] = sample(f, s.v, x, y, 0.5, 0);
        out[3 * n + 2] = sample_pressure(f, s.p, x, y);
    }
    foehn_flow_snapshot_destroy(&s);
    return FOEHN_OK;
}

/* ---- figures ---- */

static bool near_solid(const foehn_flow *f, size_t c)
{
    size_t sy = (size_t)f->g.sy;
    const uint8_t *m = f->surface.mask;
    int all = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++)
            all |= m[c + (size_t)(dj + 1) * sy - sy + (size_t)(di + 1) - 1];
    return all & FLOW_SOLID;
}

/* Centroid of vorticity above half the strongest, within the patch around it that a flood would
 * reach: a square of a tenth of the height is enough and simpler. */
static void find_vortex(const foehn_flow *f, const flow_snapshot *s, int i0, int j0,
                        foehn_flow_stats *stats)
{
    int reach = f->g.ny / 10 + 1;
    double sum = 0, x = 0, y = 0;
    for (int j = j0 - reach; j <= j0 + reach; j++)
        for (int i = i0 - reach; i <= i0 + reach; i++) {
            if (i < 0 || j < 0 || i >= f->g.nx || j >= f->g.ny)
                continue;
            size_t c = foehn_flow_at(&f->g, i, j);
            double w = vorticity_at(f, s, c) / stats->max_vorticity;
            if (w < 0.5 || near_solid(f, c))
                continue;
            sum += w;
            x += w * (i + 0.5);
            y += w * (j + 0.5);
        }
    stats->vortex_center[0] = sum > 0 ? x / sum * f->h : 0;
    stats->vortex_center[1] = sum > 0 ? y / sum * f->h : 0;
}

static void measure(const foehn_flow *f, const flow_snapshot *s, foehn_flow_stats *stats)
{
    int strongest[2] = {0, 0};
    double area = f->h * f->h;
    for (int j = 0; j <= f->g.ny; j++)
        for (int i = 0; i <= f->g.nx; i++) {
            size_t c = foehn_flow_at(&f->g, i, j);
            double u = j < f->g.ny ? fabs((double)s->u[c]) : 0;
            double v = i < f->g.nx ? fabs((double)s->v[c]) : 0;
            if (!(u <= stats->max_speed))
                stats->max_speed = u;
            if (!(v <= stats->max_speed))
                stats->max_speed = v;
            if (i == f->g.nx || j == f->g.ny)
                continue;
            double div = fabs(divergence_at(f, s, c)) * f->h / f->reference;
            if (!(div <= stats->max_div_h_over_u))
                stats->max_div_h_over_u = div;
            if (f->surface.mask[c] & FLOW_SOLID)
                continue;
            double speed = speed_at(f, s, c), w = vorticity_at(f, s, c);
            stats->kinetic_energy += 0.5 * speed * speed * area;
            if (fabs(w) > fabs(stats->max_vorticity) && !near_solid(f, c)) {
                stats->max_vorticity = w;
                strongest[0] = i;
                strongest[1] = j;
            }
        }
    if (stats->max_vorticity != 0)
        find_vortex(f, s, strongest[0], strongest[1], stats);
}

static foehn_status blown_up(const foehn_flow *f, double speed)
{
    if (speed <= LIMIT * f->reference)
        return FOEHN_OK;
    return foehn_fail(FOEHN_ERROR_UNSTABLE,
                      "the flow blew up by step %llu (time %g): speed %g, more than %g times %g; "
                      "take a smaller time step",
                      (unsigned long long)f->step_count, f->time, speed, LIMIT, f->reference);
}

static foehn_status measure_ink(foehn_flow *f, foehn_flow_stats *stats)
{
    if (!f->has_ink)
        return FOEHN_OK;
    size_t cells = (size_t)f->g.nx * (size_t)f->g.ny;
    float *alpha = malloc(cells * sizeof *alpha);
    if (!alpha)
        return foehn_fail(FOEHN_ERROR_MEMORY, "measuring ink: no host memory");
    foehn_status status = foehn_box_read(f->ctx, f->ink, box_of(f, FOEHN_FLOW_INK, 3), alpha);
    for (size_t n = 0; status == FOEHN_OK && n < cells; n++)
        stats->ink += (double)alpha[n] * f->h * f->h;
    free(alpha);
    return status;
}

foehn_status foehn_flow_read_stats(foehn_flow *f, foehn_flow_stats *stats)
{
    flow_snapshot s;
    memset(stats, 0, sizeof *stats);
    TRY(foehn_flow_snapshot(f, false, &s));
    measure(f, &s, stats);
    foehn_flow_snapshot_destroy(&s);
    TRY(measure_ink(f, stats));
    return blown_up(f, stats->max_speed);
}

foehn_status foehn_flow_check(foehn_flow *f)
{
    size_t count = (size_t)f->g.ny + 1;
    float *rows = malloc(count * sizeof *rows);
    if (!rows)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_flow_check: no host memory");
    foehn_status status;
    double most = 0;
    TRY_OR_FAIL(LAUNCH(f->ctx, f->kernel.row_speed, ((foehn_size){count, 1, 1}), ARG(f->g),
                       PAIR(f, f->now), ARG(f->rows)));
    TRY_OR_FAIL(foehn_buffer_read(f->ctx, f->rows, 0, count * sizeof *rows, rows));
    for (size_t n = 0; n < count; n++)
        most = fmax(most, sqrt((double)rows[n]));
    status = blown_up(f, most);
fail:
    free(rows);
    return status;
}

/* ---- publication ---- */

foehn_status foehn_flow_write_volume(foehn_flow *f, foehn_flow_layer layer, foehn_volume *volume)
{
    cl_mem slot;
    TRY(foehn_flow_refresh(f));
    TRY(foehn_volume_begin(volume, f->ctx, f->g.nx, f->g.ny, 1, &slot));
    cl_mem p = foehn_pressure_field(f->pressure);
    foehn_status written = layer == FOEHN_FLOW_LAYER_INK
                               ? LAUNCH(f->ctx, f->kernel.publish_ink, foehn_flow_cells(f),
                                        ARG(f->g), ARG(f->plane), ARG(f->ink), ARG(slot))
                               : LAUNCH(f->ctx, f->kernel.publish, foehn_flow_cells(f), ARG(f->g),
                                        PAIR(f, f->now), ARG(p), ARG(slot));
    foehn_volume_info info = {
        .nx = f->g.nx,
        .ny = f->g.ny,
        .nz = 1,
        .extent = {f->g.nx * f->h, f->g.ny * f->h, f->h},
        .spacing = {f->h, f->h, f->h},
        .step = f->step_count,
        .time = f->time,
    };
    return foehn_volume_end(volume, &info, written);
}
