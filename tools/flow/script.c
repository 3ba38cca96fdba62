/* SPDX-License-Identifier: MIT */
/* What a scene starts with, and what its script does in time. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- start ---- */

/* Velocity at a point: Taylor-Green on a box of side 2 pi, or two Lamb-Oseen vortices. */
static void start_velocity(const flow_scene *s, double x, double y, double v[2])
{
    v[0] = v[1] = 0;
    if (s->start == START_TAYLOR_GREEN) {
        v[0] = cos(x) * sin(y);
        v[1] = -sin(x) * cos(y);
        return;
    }
    double width = (double)s->params.height * s->params.nx / s->params.ny;
    double strength = s->start_numbers[0], distance = s->start_numbers[1];
    double core = s->start_numbers[2], height = s->start_numbers[3];
    for (int side = -1; side <= 1; side += 2) {
        double dx = x - 0.5 * width - 0.5 * side * distance, dy = y - height;
        double r2 = fmax(dx * dx + dy * dy, 1e-12);
        double turn = -side * strength / (2 * PI * r2) * -expm1(-r2 / (core * core));
        v[0] -= turn * dy;
        v[1] += turn * dx;
    }
}

int flow_start_write(const flow_scene *s, foehn_flow *flow)
{
    if (s->start == START_UNIFORM)
        return STATUS_OK;
    int nx = s->params.nx, ny = s->params.ny;
    double h = (double)s->params.height / ny, v[2];
    float *u = calloc(((size_t)nx + 1) * ((size_t)ny + 1), sizeof *u);
    if (!u)
        return fail_memory();
    for (int j = 0; j < ny; j++)
        for (int i = 0; i <= nx; i++) {
            start_velocity(s, i * h, (j + 0.5) * h, v);
            u[(size_t)j * ((size_t)nx + 1) + (size_t)i] = (float)v[0];
        }
    foehn_status got = foehn_flow_write(flow, FOEHN_FLOW_U, u);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i < nx; i++) {
            start_velocity(s, (i + 0.5) * h, j * h, v);
            u[(size_t)j * (size_t)nx + (size_t)i] = (float)v[1];
        }
    if (got == FOEHN_OK)
        got = foehn_flow_write(flow, FOEHN_FLOW_V, u);
    free(u);
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

/* ---- script ---- */

/* Ink without a push: written into the field, whatever terms are on. */
static foehn_status lay_ink(foehn_flow *flow, const flow_event *e)
{
    foehn_flow_info info;
    foehn_flow_get_info(flow, &info);
    size_t cells = (size_t)info.nx * (size_t)info.ny;
    float *ink = calloc(foehn_flow_get_field_size(flow, FOEHN_FLOW_INK), sizeof *ink);
    float *solid = malloc(cells * sizeof *solid);
    foehn_status got = FOEHN_ERROR_MEMORY;
    if (ink && solid)
        got = foehn_flow_read(flow, FOEHN_FLOW_INK, ink);
    if (got == FOEHN_OK)
        got = foehn_flow_read(flow, FOEHN_FLOW_SOLIDS, solid);
    for (int d = 0; got == FOEHN_OK && d < e->dots; d++) {
        double part = e->dots > 1 ? (double)d / (e->dots - 1) : 0.5;
        double x =
            (double)e->stir.from[0] + part * ((double)e->stir.to[0] - (double)e->stir.from[0]);
        double y =
            (double)e->stir.from[1] + part * ((double)e->stir.to[1] - (double)e->stir.from[1]);
        double r = (double)e->stir.radius;
        for (int j = 0; j < info.ny; j++)
            for (int i = 0; i < info.nx; i++) {
                size_t c = (size_t)j * (size_t)info.nx + (size_t)i;
                double dx = (i + 0.5) * info.spacing - x, dy = (j + 0.5) * info.spacing - y;
                double q = (dx * dx + dy * dy) / (r * r);
                if (q > 16 || solid[c] > 0)
                    continue;
                for (size_t k = 0; k < 4; k++)
                    ink[c + k * cells] = (float)fmin(1, (double)ink[c + k * cells] +
                                                            exp(-q) * (double)e->stir.ink[k]);
            }
    }
    if (got == FOEHN_OK)
        got = foehn_flow_write(flow, FOEHN_FLOW_INK, ink);
    free(ink);
    free(solid);
    return got;
}

/* The part of a stroke that falls into this step, with its part of the velocity. */
static foehn_status stir(foehn_flow *flow, const flow_event *e, double start, double time,
                         double dt)
{
    foehn_flow_stir part = e->stir;
    double length = fmax(e->lasting, dt);
    double a = fmin(fmax((time - start) / length, 0), 1);
    double b = fmin(fmax((time + dt - start) / length, 0), 1);
    for (int k = 0; k < 2; k++) {
        float from = e->stir.from[k], way = e->stir.to[k] - e->stir.from[k];
        part.from[k] = from + (float)a * way;
        part.to[k] = from + (float)b * way;
        part.velocity[k] = (float)(b - a) * e->stir.velocity[k];
    }
    for (int k = 0; k < 4; k++)
        part.ink[k] = (float)(b - a) * e->stir.ink[k];
    return foehn_flow_add_stir(flow, &part);
}

static foehn_status drag(foehn_flow *flow, flow_event *e, double start, double time, double dt)
{
    foehn_flow_obstacle o;
    foehn_status got = foehn_flow_get_obstacle(flow, e->slot, &o);
    if (got != FOEHN_OK)
        return got;
    if (time - start < 0.5 * dt)
        memcpy(e->from, o.center, sizeof e->from);
    float part = (float)fmin((time + dt - start) / e->lasting, 1), to[2];
    for (int k = 0; k < 2; k++)
        to[k] = e->from[k] + part * (e->vector[k] - e->from[k]);
    return foehn_flow_drag(flow, e->slot, to, (float)dt);
}

static foehn_status happen(flow_scene *s, foehn_flow *flow, flow_event *e, double time, double dt)
{
    switch (e->kind) {
    case EVENT_STIR: return stir(flow, e, e->next, time, dt);
    case EVENT_INK: return lay_ink(flow, e);
    case EVENT_TERMS: return foehn_flow_set_terms(flow, e->terms);
    case EVENT_VISCOSITY: return foehn_flow_set_viscosity(flow, (float)e->number);
    case EVENT_FORCE: return foehn_flow_set_force(flow, e->vector);
    case EVENT_SPEED:
        return foehn_flow_set_side_speed(flow, (foehn_flow_side_index)e->slot, (float)e->number);
    case EVENT_OBSTACLE: return foehn_flow_set_obstacle(flow, e->slot, &e->obstacle);
    case EVENT_REMOVE: return foehn_flow_set_obstacle(flow, e->slot, NULL);
    case EVENT_DRAG: return drag(flow, e, e->next, time, dt);
    case EVENT_DRAW: return foehn_flow_draw(flow, e->points, (const float(*)[2])e->line);
    case EVENT_RESTART: {
        foehn_status got = foehn_flow_restart(flow);
        return got == FOEHN_OK && flow_start_write(s, flow) != STATUS_OK ? FOEHN_ERROR_OPENCL : got;
    }
    }
    return FOEHN_OK;
}

int flow_events_apply(flow_scene *s, foehn_flow *flow, double time, double dt)
{
    for (int n = 0; n < s->event_count; n++) {
        flow_event *e = &s->events[n];
        double slack = 1e-6 * dt;
        if (time < e->next - slack - 0.5 * dt)
            continue;
        bool lasts = e->kind == EVENT_STIR || e->kind == EVENT_DRAG;
        foehn_status got = happen(s, flow, e, time, dt);
        if (got != FOEHN_OK)
            return fail_library(got);
        if (!lasts || time + 1.5 * dt - slack > e->next + e->lasting)
            e->next = e->every > 0 ? e->next + e->every : INFINITY;
    }
    return STATUS_OK;
}
