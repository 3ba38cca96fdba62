/* SPDX-License-Identifier: MIT */
/* Scenes of the flow lab: the schema of their files. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_keys[] = {"left", "right", "bottom", "top", NULL};
static const char *const kind_names[] = {"wall", "slip", "inflow", "outflow", "periodic", NULL};
static const char *const surface_names[] = {"staircase", "fractions", NULL};
static const char *const solver_names[] = {"multigrid", "sor", NULL};
static const char *const splitting_names[] = {"plain", "reflection", NULL};
static const char *const start_names[] = {"uniform", "taylor-green", "vortex-pair", NULL};
static const char *const shape_names[] = {"nothing", "cylinder", "plate", "bean", "wing", NULL};
static const char *const term_names[] = {"force", "advection", "viscosity", "pressure", NULL};
const char *const layer_names[] = {"ink",        "speed",     "vorticity", "pressure",
                                   "divergence", "particles", "solids",    NULL};

enum { FAR = 1000000 };

static int number_float(yaml_at at, const char *what, double low, double high, float *out)
{
    double value = (double)*out;
    int status = yaml_number(at, what, low, high, &value);
    *out = (float)value;
    return status;
}

static int pair(yaml_at at, const char *what, float out[2])
{
    double value[2] = {(double)out[0], (double)out[1]};
    int status = yaml_numbers(at, what, 2, value);
    out[0] = (float)value[0];
    out[1] = (float)value[1];
    return status;
}

/* ---- the parts of a scene ---- */

/* "slip", or {kind: inflow, speed: 0.3, profile: parabola}. */
static int read_side(yaml_at at, const char *what, foehn_flow_side *out)
{
    static const char *const keys[] = {"kind", "speed", "profile", NULL};
    static const char *const profiles[] = {"flat", "parabola", NULL};
    int kind = (int)out->kind, profile = 0;
    if (!at.node)
        return STATUS_OK;
    if (yaml_text(at))
        CHECK(yaml_choice(at, what, kind_names, &kind));
    else {
        CHECK(yaml_check_keys(at, what, keys));
        CHECK(yaml_choice(yaml_get(at, "kind"), what, kind_names, &kind));
        CHECK(number_float(yaml_get(at, "speed"), "speed", -FAR, FAR, &out->speed));
        CHECK(yaml_choice(yaml_get(at, "profile"), "profile", profiles, &profile));
    }
    out->kind = (foehn_flow_side_kind)kind;
    out->parabolic = profile;
    if (out->kind == FOEHN_FLOW_INFLOW && !(out->speed > 0))
        return yaml_fail(at, "%s: an inflow needs a speed above 0", what);
    return STATUS_OK;
}

static int flow_scene_terms(yaml_at at, int *terms)
{
    if (!at.node)
        return STATUS_OK;
    if (!yaml_is_sequence(at))
        return yaml_fail(at, "terms: must be a list such as [force, advection]");
    *terms = 0;
    for (int i = 0; i < yaml_count(at); i++) {
        int term = 0;
        CHECK(yaml_choice(yaml_item(at, i), "terms", term_names, &term));
        *terms |= 1 << term;
    }
    return STATUS_OK;
}

static int flow_scene_obstacle(yaml_at at, const char *what, foehn_flow_obstacle *out)
{
    static const char *const keys[] = {"shape",     "center",   "size", "angle",
                                       "thickness", "velocity", NULL};
    int shape = (int)out->shape;
    CHECK(yaml_check_keys(at, what, keys));
    CHECK(yaml_choice(yaml_get(at, "shape"), "shape", shape_names, &shape));
    out->shape = (foehn_flow_shape)shape;
    CHECK(pair(yaml_get(at, "center"), "center", out->center));
    CHECK(number_float(yaml_get(at, "size"), "size", 1e-6, FAR, &out->size));
    CHECK(number_float(yaml_get(at, "angle"), "angle", -360, 360, &out->angle));
    CHECK(number_float(yaml_get(at, "thickness"), "thickness", 0, 1, &out->thickness));
    CHECK(pair(yaml_get(at, "velocity"), "velocity", out->velocity));
    if (out->shape == FOEHN_FLOW_NOTHING || !(out->size > 0))
        return yaml_fail(at, "%s: an obstacle needs a shape and a size", what);
    return STATUS_OK;
}

static int read_stir(yaml_at at, foehn_flow_stir *out)
{
    static const char *const keys[] = {"from", "to", "velocity", "radius", "ink", NULL};
    double ink[4] = {0, 0, 0, 0};
    out->radius = 0.05f;
    CHECK(yaml_check_keys(at, "stir", keys));
    if (!yaml_get(at, "from").node)
        return yaml_fail(at, "stir: from is missing");
    CHECK(pair(yaml_get(at, "from"), "from", out->from));
    memcpy(out->to, out->from, sizeof out->to);
    CHECK(pair(yaml_get(at, "to"), "to", out->to));
    CHECK(pair(yaml_get(at, "velocity"), "velocity", out->velocity));
    CHECK(number_float(yaml_get(at, "radius"), "radius", 1e-4, FAR, &out->radius));
    CHECK(yaml_numbers(yaml_get(at, "ink"), "ink", 4, ink));
    for (int k = 0; k < 4; k++)
        out->ink[k] = (float)ink[k];
    return STATUS_OK;
}

/* A line of dots: {from, to, dots, radius, color}. */
static int read_ink(yaml_at at, flow_event *e)
{
    static const char *const keys[] = {"from", "to", "dots", "radius", "color", NULL};
    double color[4] = {1, 1, 1, 1};
    e->dots = 16;
    e->stir.radius = 0.012f;
    CHECK(yaml_check_keys(at, "ink", keys));
    if (!yaml_get(at, "from").node)
        return yaml_fail(at, "ink: from is missing");
    CHECK(pair(yaml_get(at, "from"), "from", e->stir.from));
    memcpy(e->stir.to, e->stir.from, sizeof e->stir.to);
    CHECK(pair(yaml_get(at, "to"), "to", e->stir.to));
    CHECK(yaml_whole(yaml_get(at, "dots"), "dots", 1, 48, &e->dots));
    CHECK(number_float(yaml_get(at, "radius"), "radius", 1e-4, FAR, &e->stir.radius));
    CHECK(yaml_numbers(yaml_get(at, "color"), "color", 4, color));
    for (int k = 0; k < 4; k++)
        e->stir.ink[k] = (float)color[k];
    return STATUS_OK;
}

static int read_line(yaml_at at, flow_event *e)
{
    e->points = yaml_count(at);
    if (e->points < 1 || e->points > FOEHN_FLOW_MOST_POINTS)
        return yaml_fail(at, "draw: must be a list of 1 to %d points", FOEHN_FLOW_MOST_POINTS);
    for (int i = 0; i < e->points; i++)
        CHECK(pair(yaml_item(at, i), "a point of draw", e->line[i]));
    return STATUS_OK;
}

static int read_slot(yaml_at at, const char *what, int *slot)
{
    return yaml_whole(at, what, 0, FOEHN_FLOW_MOST_OBSTACLES - 1, slot);
}

/* What happens: exactly one of these keys. */
static int read_deed(yaml_at at, yaml_at value, flow_event *e)
{
    static const char *const drag_keys[] = {"obstacle", "to", NULL};
    static const char *const speed_keys[] = {"side", "speed", NULL};
    switch (e->kind) {
    case EVENT_STIR: return read_stir(value, &e->stir);
    case EVENT_INK: return read_ink(value, e);
    case EVENT_TERMS: return flow_scene_terms(value, &e->terms);
    case EVENT_VISCOSITY: return yaml_number(value, "viscosity", 0, FAR, &e->number);
    case EVENT_FORCE: return pair(value, "force", e->vector);
    case EVENT_SPEED:
        CHECK(yaml_check_keys(value, "speed", speed_keys));
        CHECK(yaml_choice(yaml_get(value, "side"), "side", side_keys, &e->slot));
        return yaml_number(yaml_get(value, "speed"), "speed", -FAR, FAR, &e->number);
    case EVENT_OBSTACLE: return flow_scene_obstacle(value, "obstacle", &e->obstacle);
    case EVENT_REMOVE: return read_slot(value, "remove", &e->slot);
    case EVENT_DRAG:
        CHECK(yaml_check_keys(value, "drag", drag_keys));
        CHECK(read_slot(yaml_get(value, "obstacle"), "obstacle", &e->slot));
        if (!(e->lasting > 0))
            return yaml_fail(at, "drag: say how long it takes with for");
        return pair(yaml_get(value, "to"), "to", e->vector);
    case EVENT_DRAW: return read_line(value, e);
    case EVENT_RESTART: return STATUS_OK;
    }
    return STATUS_OK;
}

static int flow_scene_event(yaml_at at, flow_event *e)
{
    static const char *const keys[] = {
        "at",    "for",   "every",    "slot",   "stir", "ink",  "terms",   "viscosity",
        "force", "speed", "obstacle", "remove", "drag", "draw", "restart", NULL};
    enum { FIRST_DEED = 4 };
    int found = 0;
    memset(e, 0, sizeof *e);
    CHECK(yaml_check_keys(at, "script", keys));
    CHECK(yaml_number(yaml_get(at, "at"), "at", 0, FAR, &e->at));
    CHECK(yaml_number(yaml_get(at, "for"), "for", 0, FAR, &e->lasting));
    CHECK(yaml_number(yaml_get(at, "every"), "every", 0, FAR, &e->every));
    CHECK(read_slot(yaml_get(at, "slot"), "slot", &e->slot));
    for (int k = FIRST_DEED; keys[k]; k++) {
        yaml_at value = yaml_get(at, keys[k]);
        if (!value.node)
            continue;
        if (found++)
            return yaml_fail(value, "script: one thing at a time: %s starts an entry of its own",
                             keys[k]);
        e->kind = (event_kind)(k - FIRST_DEED);
        CHECK(read_deed(at, value, e));
    }
    if (!found)
        return yaml_fail(at, "script: nothing happens here: say stir, ink, terms, ...");
    e->next = e->at;
    return STATUS_OK;
}

/* ---- the scene ---- */

static int read_box(yaml_at at, foehn_flow_params *p)
{
    static const char *const keys[] = {"cells", "height", NULL};
    double cells[2] = {p->nx, p->ny};
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "box", keys));
    CHECK(yaml_numbers(yaml_get(at, "cells"), "cells", 2, cells));
    for (int k = 0; k < 2; k++)
        if (!(cells[k] >= 2 && cells[k] <= 8192) || cells[k] != floor(cells[k]))
            return yaml_fail(yaml_get(at, "cells"), "cells: whole numbers, 2 to 8192");
    p->nx = (int)cells[0];
    p->ny = (int)cells[1];
    return number_float(yaml_get(at, "height"), "height", 1e-6, FAR, &p->height);
}

static int read_start(yaml_at at, flow_scene *s)
{
    static const char *const keys[] = {"kind", "velocity", "strength", "distance",
                                       "core", "height",   NULL};
    int kind = 0;
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "start", keys));
    CHECK(yaml_choice(yaml_get(at, "kind"), "kind", start_names, &kind));
    s->start = (flow_start)kind;
    CHECK(yaml_number(yaml_get(at, "strength"), "strength", -FAR, FAR, &s->start_numbers[0]));
    CHECK(yaml_number(yaml_get(at, "distance"), "distance", 0, FAR, &s->start_numbers[1]));
    CHECK(yaml_number(yaml_get(at, "core"), "core", 1e-6, FAR, &s->start_numbers[2]));
    CHECK(yaml_number(yaml_get(at, "height"), "height", -FAR, FAR, &s->start_numbers[3]));
    if (yaml_get(at, "velocity").node) {
        s->params.start[0] = s->params.start[1] = 0;
        return pair(yaml_get(at, "velocity"), "velocity", s->params.start);
    }
    return STATUS_OK;
}

static int read_numbers(yaml_at root, flow_scene *s)
{
    foehn_flow_params *p = &s->params;
    int surface = (int)p->surface, solver = (int)p->solver, splitting = (int)p->splitting;
    CHECK(number_float(yaml_get(root, "viscosity"), "viscosity", 0, FAR, &p->viscosity));
    CHECK(pair(yaml_get(root, "force"), "force", p->force));
    CHECK(flow_scene_terms(yaml_get(root, "terms"), &p->terms));
    CHECK(yaml_choice(yaml_get(root, "surface"), "surface", surface_names, &surface));
    CHECK(yaml_choice(yaml_get(root, "solver"), "solver", solver_names, &solver));
    CHECK(yaml_choice(yaml_get(root, "splitting"), "splitting", splitting_names, &splitting));
    p->surface = (foehn_flow_surface)surface;
    p->solver = (foehn_flow_solver)solver;
    p->splitting = (foehn_flow_splitting)splitting;
    CHECK(yaml_whole(yaml_get(root, "cycles"), "cycles", 1, 100000, &p->cycles));
    CHECK(number_float(yaml_get(root, "reference_speed"), "reference_speed", 0, FAR,
                       &p->reference_speed));
    CHECK(yaml_whole(yaml_get(root, "particles"), "particles", 0, 1000000, &p->particles));
    CHECK(yaml_number(yaml_get(root, "dt"), "dt", 1e-9, FAR, &s->dt));
    CHECK(yaml_number(yaml_get(root, "duration"), "duration", 1e-9, FAR, &s->duration));
    s->sample = s->dt;
    CHECK(yaml_number(yaml_get(root, "sample"), "sample", 0, FAR, &s->sample));
    CHECK(yaml_choice(yaml_get(root, "layer"), "layer", layer_names, &s->layer));
    return yaml_number(yaml_get(root, "range"), "range", 0, FAR, &s->range);
}

static int read_scene(yaml_at root, flow_scene *s)
{
    static const char *const keys[] = {
        "title",     "about",    "box",      "sides",     "viscosity", "force",
        "terms",     "surface",  "solver",   "splitting", "cycles",    "reference_speed",
        "particles", "dt",       "duration", "sample",    "start",     "obstacles",
        "script",    "measures", "layer",    "range",     NULL};
    CHECK(yaml_check_keys(root, "scene", keys));
    CHECK(yaml_copy_text(yaml_get(root, "title"), "title", sizeof s->title, s->title));
    CHECK(yaml_copy_text(yaml_get(root, "about"), "about", sizeof s->about, s->about));
    CHECK(read_box(yaml_get(root, "box"), &s->params));
    CHECK(read_numbers(root, s));
    yaml_at sides = yaml_get(root, "sides");
    if (sides.node)
        CHECK(yaml_check_keys(sides, "sides", side_keys));
    for (int i = 0; i < 4; i++)
        CHECK(read_side(yaml_get(sides, side_keys[i]), side_keys[i], &s->params.sides[i]));
    bool in = false, out = false;
    for (int i = 0; i < 4; i++) {
        in = in || s->params.sides[i].kind == FOEHN_FLOW_INFLOW;
        out = out || s->params.sides[i].kind == FOEHN_FLOW_OUTFLOW;
        if (s->params.sides[i].kind == FOEHN_FLOW_PERIODIC &&
            s->params.sides[i ^ 1].kind != FOEHN_FLOW_PERIODIC)
            return yaml_fail(sides, "sides: %s is periodic, %s is not: both or none", side_keys[i],
                             side_keys[i ^ 1]);
    }
    if (in && !out)
        return yaml_fail(sides, "sides: water comes in and cannot leave: make one an outflow");
    CHECK(read_start(yaml_get(root, "start"), s));

    yaml_at list = yaml_get(root, "obstacles");
    s->line = yaml_line(list);
    if (list.node && (!yaml_is_sequence(list) || yaml_count(list) > FOEHN_FLOW_MOST_OBSTACLES))
        return yaml_fail(list, "obstacles: must be a list of at most %d",
                         FOEHN_FLOW_MOST_OBSTACLES);
    for (int i = 0; i < yaml_count(list); i++) {
        CHECK(flow_scene_obstacle(yaml_item(list, i), "obstacle", &s->obstacle[i]));
        for (int k = 0; k < 2; k++)
            if (!(fabs((double)s->obstacle[i].center[k]) <= FAR * (double)s->params.height))
                return yaml_fail(yaml_item(list, i),
                                 "center: %g: lies beyond %d heights of the box",
                                 (double)s->obstacle[i].center[k], (int)FAR);
    }
    list = yaml_get(root, "script");
    if (list.node && (!yaml_is_sequence(list) || yaml_count(list) > MOST_EVENTS))
        return yaml_fail(list, "script: must be a list of at most %d entries", MOST_EVENTS);
    for (int i = 0; i < yaml_count(list); i++)
        CHECK(flow_scene_event(yaml_item(list, i), &s->events[s->event_count++]));
    list = yaml_get(root, "measures");
    if (list.node && (!yaml_is_sequence(list) || yaml_count(list) > MOST_MEASURES))
        return yaml_fail(list, "measures: must be a list of at most %d entries", MOST_MEASURES);
    for (int i = 0; i < yaml_count(list); i++)
        CHECK(flow_scene_measure(yaml_item(list, i), s, &s->measures[s->measure_count++]));
    return STATUS_OK;
}

static void apply(const flow_changes *c, flow_scene *s)
{
    if (isfinite(c->viscosity))
        s->params.viscosity = (float)c->viscosity;
    if (isfinite(c->reynolds)) { /* keeps speed and size */
        double speed = 0,
               size = s->obstacle[0].shape ? (double)s->obstacle[0].size : (double)s->params.height;
        for (int i = 0; i < 4; i++)
            speed = fmax(speed, fabs((double)s->params.sides[i].speed));
        s->params.viscosity = (float)(speed * size / c->reynolds);
    }
    if (isfinite(c->angle))
        s->obstacle[0].angle = (float)c->angle;
    if (c->nx) {
        s->params.nx = c->nx;
        s->params.ny = c->ny;
    }
    s->params.terms &= ~c->off;
    if (c->surface >= 0)
        s->params.surface = (foehn_flow_surface)c->surface;
    if (c->solver >= 0 && (int)s->params.solver != c->solver) {
        s->params.solver = (foehn_flow_solver)c->solver;
        s->params.cycles = 0;
    }
}

const builtin_table flow_builtin = {"flow", flow_scenes};

int flow_scene_read(const char *name, const flow_changes *changes, flow_scene **out)
{
    yaml_file *file;
    *out = NULL;
    int status = builtin_open(&flow_builtin, name, &file);
    if (status != STATUS_OK)
        return status;
    flow_scene *s = calloc(1, sizeof *s);
    if (!s) {
        yaml_close(file);
        return fail_memory();
    }
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->title, sizeof s->title, "%s", name);
    s->params = foehn_flow_params_default();
    s->dt = 1.0 / 60;
    s->duration = 10;
    s->layer = LAYER_SPEED;
    s->hash = yaml_hash(file);
    status = read_scene(yaml_root(file), s);
    yaml_close(file);
    if (status == STATUS_OK)
        apply(changes, s);
    else {
        flow_scene_destroy(s);
        return status;
    }
    *out = s;
    return STATUS_OK;
}

void flow_scene_destroy(flow_scene *s)
{
    if (s)
        flow_measures_end(s);
    free(s);
}
