/* SPDX-License-Identifier: MIT */
/* The calls that place, drag, pick and draw obstacles. */
#include "flow/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What lies farther away than this many heights of the box, or is larger, is a mistake. */
static const double FARTHEST = 1e6;

static bool finite2(const float v[2])
{
    return isfinite(v[0]) && isfinite(v[1]);
}

static bool near2(const float v[2], double height)
{
    return fabs((double)v[0]) <= FARTHEST * height && fabs((double)v[1]) <= FARTHEST * height;
}

static foehn_status check_slot(int slot)
{
    if (slot < 0 || slot >= FOEHN_FLOW_MOST_OBSTACLES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "obstacle %d: 0 to %d", slot,
                          FOEHN_FLOW_MOST_OBSTACLES - 1);
    return FOEHN_OK;
}

static foehn_status check_obstacle(const foehn_flow_obstacle *o, double height)
{
    if (o->shape < FOEHN_FLOW_CYLINDER || o->shape > FOEHN_FLOW_WING)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "shape %d of an obstacle is unknown",
                          (int)o->shape);
    if (!near2(o->center, height))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "an obstacle at (%g, %g): lies beyond %g heights of the box",
                          (double)o->center[0], (double)o->center[1], FARTHEST);
    if (!finite2(o->velocity) || !isfinite(o->angle))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "an obstacle at (%g, %g), angle %g, velocity (%g, %g): must be finite",
                          (double)o->center[0], (double)o->center[1], (double)o->angle,
                          (double)o->velocity[0], (double)o->velocity[1]);
    if (!(o->size > 0 && (double)o->size <= FARTHEST * height))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "an obstacle of size %g: must be > 0, at most %g heights of the box",
                          (double)o->size, FARTHEST);
    if (!(o->thickness >= 0 && o->thickness <= 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "an obstacle %g thick over its size: 0 to 1",
                          (double)o->thickness);
    return FOEHN_OK;
}

static foehn_status check_line(int count, const float (*points)[2], double height)
{
    if (count < 1 || count > FOEHN_FLOW_MOST_POINTS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a stroke of %d points: 1 to %d", count,
                          FOEHN_FLOW_MOST_POINTS);
    for (int i = 0; i < count; i++)
        if (!near2(points[i], height))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "point %d of a stroke: (%g, %g) lies beyond %g heights of the box", i,
                              (double)points[i][0], (double)points[i][1], FARTHEST);
    return FOEHN_OK;
}

foehn_status foehn_things_check(const flow_things *t, double height)
{
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++)
        if (t->obstacle[i].shape != FOEHN_FLOW_NOTHING)
            TRY(check_obstacle(&t->obstacle[i], height));
    if (t->stroke_count < 0 || t->stroke_count > FOEHN_FLOW_MOST_STROKES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d strokes: 0 to %d", t->stroke_count,
                          FOEHN_FLOW_MOST_STROKES);
    for (int i = 0; i < t->stroke_count; i++)
        TRY(check_line(t->stroke[i].count, t->stroke[i].points, height));
    return FOEHN_OK;
}

foehn_status foehn_flow_set_obstacle(foehn_flow *f, int slot, const foehn_flow_obstacle *obstacle)
{
    TRY(check_slot(slot));
    foehn_flow_obstacle before = f->things.obstacle[slot];
    if (obstacle) {
        TRY(check_obstacle(obstacle, (double)f->params.height));
        f->things.obstacle[slot] = *obstacle;
    } else
        memset(&f->things.obstacle[slot], 0, sizeof before);
    f->dragged[slot] = f->drag_ends[slot] = false;
    f->surface_is_stale = true;
    foehn_status status = foehn_flow_refresh(f);
    if (status != FOEHN_OK) {
        f->things.obstacle[slot] = before;
        f->surface_is_stale = true;
    }
    return status;
}

foehn_status foehn_flow_get_obstacle(const foehn_flow *f, int slot, foehn_flow_obstacle *obstacle)
{
    TRY(check_slot(slot));
    *obstacle = f->things.obstacle[slot];
    return FOEHN_OK;
}

foehn_status foehn_flow_drag(foehn_flow *f, int slot, const float center[2], float dt)
{
    TRY(check_slot(slot));
    foehn_flow_obstacle o = f->things.obstacle[slot];
    if (o.shape == FOEHN_FLOW_NOTHING)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_drag: obstacle %d is not there", slot);
    if (!(dt > 0 && isfinite(dt)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_drag: to (%g, %g) in %g",
                          (double)center[0], (double)center[1], (double)dt);
    for (int a = 0; a < 2; a++) {
        o.velocity[a] = (center[a] - o.center[a]) / dt;
        o.center[a] = center[a];
    }
    TRY(foehn_flow_set_obstacle(f, slot, &o));
    f->dragged[slot] = true;
    return FOEHN_OK;
}

int foehn_flow_pick(const foehn_flow *f, const float point[2])
{
    for (int i = 0; i < f->outlines.count; i++) {
        const flow_outline *o = &f->outlines.list[i];
        if (o->owner <= FOEHN_FLOW_MOST_OBSTACLES &&
            foehn_outline_holds(o, (double)point[0] / f->h, (double)point[1] / f->h))
            return o->owner - 1;
    }
    return -1;
}

foehn_status foehn_flow_draw(foehn_flow *f, int count, const float (*points)[2])
{
    TRY(check_line(count, points, (double)f->params.height));
    flow_things before = f->things;
    flow_things *t = &f->things;
    if (t->stroke_count == FOEHN_FLOW_MOST_STROKES) {
        memmove(t->stroke, t->stroke + 1, sizeof t->stroke - sizeof t->stroke[0]);
        t->stroke_count--;
    }
    flow_stroke_line *s = &t->stroke[t->stroke_count++];
    s->count = count;
    memcpy(s->points, points, (size_t)count * sizeof *points);
    f->surface_is_stale = true;
    foehn_status status = foehn_flow_refresh(f);
    if (status != FOEHN_OK) {
        f->things = before;
        f->surface_is_stale = true;
    }
    return status;
}

int foehn_flow_get_strokes(const foehn_flow *f)
{
    return f->things.stroke_count;
}
