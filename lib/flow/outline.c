/* SPDX-License-Identifier: MIT */
/* Obstacles and strokes as polygons. */
#include "flow/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_POINTS = 256, /* of a cylinder or bean: off the circle by 7.5e-5 of the radius */
    WING_POINTS = 96,   /* along one side */
    CAP_POINTS = 16     /* of half a circle at the end of a stroke */
};

static foehn_status add_outline(flow_outlines *o, int owner, int count, double (**points)[2])
{
    if (o->count == o->capacity) {
        int capacity = o->capacity ? 2 * o->capacity : 16;
        flow_outline *list = realloc(o->list, (size_t)capacity * sizeof *list);
        if (!list)
            return foehn_fail(FOEHN_ERROR_MEMORY, "an outline: no host memory");
        o->list = list;
        o->capacity = capacity;
    }
    *points = malloc((size_t)count * sizeof **points);
    if (!*points)
        return foehn_fail(FOEHN_ERROR_MEMORY, "an outline: no host memory");
    o->list[o->count++] = (flow_outline){owner, count, *points};
    return FOEHN_OK;
}

void foehn_outlines_destroy(flow_outlines *o)
{
    for (int i = 0; i < o->count; i++)
        free(o->list[i].points);
    free(o->list);
    memset(o, 0, sizeof *o);
}

/* Half thickness over chord of a NACA 00xx section at x over chord (Jacobs, Ward and Pinkerton,
 * NACA report 460, 1933). */
static double naca_half_thickness(double x, double thickness)
{
    return 5 * thickness *
           (0.2969 * sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x -
            0.1015 * x * x * x * x);
}

/* Points of a shape about its centre, for size 1 and angle 0; anticlockwise. */
static int shape_points(const foehn_flow_obstacle *o, double (*p)[2])
{
    double thickness = (double)o->thickness;
    int n = 0;
    switch (o->shape) {
    case FOEHN_FLOW_CYLINDER:
        for (; n < ROUND_POINTS; n++) {
            /* A polygon of the circle's area. */
            double a = 2 * M_PI * (n + 0.5) / ROUND_POINTS, step = 2 * M_PI / ROUND_POINTS;
            double r = 0.5 * sqrt(step / sin(step));
            p[n][0] = r * cos(a);
            p[n][1] = r * sin(a);
        }
        break;
    case FOEHN_FLOW_BEAN: /* an ellipse, bent */
        for (; n < ROUND_POINTS; n++) {
            double a = 2 * M_PI * (n + 0.5) / ROUND_POINTS, c = cos(a);
            p[n][0] = 0.5 * c;
            p[n][1] = 0.2 * sin(a) - 0.24 * (c * c - 0.5);
        }
        break;
    case FOEHN_FLOW_PLATE: {
        double half = thickness > 0 ? 0.5 * thickness : 0.05;
        const double corner[4][2] = {{-0.5, -half}, {0.5, -half}, {0.5, half}, {-0.5, half}};
        memcpy(p, corner, sizeof corner);
        n = 4;
        break;
    }
    case FOEHN_FLOW_WING:
        if (!(thickness > 0))
            thickness = 0.06;
        /* From the trailing edge over the upper side to the nose and back below; points are denser
         * at the nose. */
        for (int i = 0; i < 2 * WING_POINTS; i++) {
            double s = i < WING_POINTS ? 1 : -1;
            double a =
                M_PI * (i < WING_POINTS ? WING_POINTS - i : i - WING_POINTS) / (double)WING_POINTS;
            double x = 0.5 * (1 - cos(a));
            p[n][0] = x - 0.25;
            p[n][1] = s * naca_half_thickness(x, thickness);
            n++;
        }
        p[n][0] = 0.75;
        p[n++][1] = -naca_half_thickness(1, thickness);
        break;
    case FOEHN_FLOW_NOTHING: break;
    }
    return n;
}

enum { MOST_SHAPE_POINTS = ROUND_POINTS };

static foehn_status add_obstacle(flow_outlines *out, const foehn_flow_obstacle *o, int owner,
                                 double h)
{
    double shape[MOST_SHAPE_POINTS][2], (*p)[2];
    int n = shape_points(o, shape);
    if (n == 0)
        return FOEHN_OK;
    TRY(add_outline(out, owner, n, &p));
    double angle = (double)o->angle * (M_PI / 180), c = cos(angle), s = sin(angle);
    double scale = (double)o->size / h;
    for (int i = 0; i < n; i++) {
        p[i][0] = (double)o->center[0] / h + scale * (c * shape[i][0] + s * shape[i][1]);
        p[i][1] = (double)o->center[1] / h + scale * (c * shape[i][1] - s * shape[i][0]);
    }
    return FOEHN_OK;
}

/* A piece of a stroke: all points within r of the line from a to b. */
static foehn_status add_capsule(flow_outlines *out, const float a[2], const float b[2], int owner,
                                double h)
{
    double(*p)[2], r = 0.5 * FOEHN_FLOW_STROKE_THICKNESS;
    TRY(add_outline(out, owner, 2 * (CAP_POINTS + 1), &p));
    double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1];
    double along = atan2(dy, dx);
    int n = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i <= CAP_POINTS; i++) {
            double t = along + M_PI * (end + 0.5 + (double)i / CAP_POINTS);
            const float *from = end ? b : a;
            p[n][0] = ((double)from[0] + r * cos(t)) / h;
            p[n++][1] = ((double)from[1] + r * sin(t)) / h;
        }
    return FOEHN_OK;
}

/* A copy of an outline, moved. */
static foehn_status add_image(flow_outlines *out, int which, double dx, double dy)
{
    double(*p)[2];
    int n = out->list[which].count;
    TRY(add_outline(out, out->list[which].owner, n, &p));
    for (int i = 0; i < n; i++) {
        p[i][0] = out->list[which].points[i][0] + dx;
        p[i][1] = out->list[which].points[i][1] + dy;
    }
    return FOEHN_OK;
}

foehn_status foehn_outlines_create(const flow_things *t, double h, const int wrap[2],
                                   flow_outlines *out)
{
    foehn_status status;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++)
        TRY_OR_FAIL(add_obstacle(out, &t->obstacle[i], 1 + i, h));
    for (int i = 0; i < t->stroke_count; i++) {
        const flow_stroke_line *s = &t->stroke[i];
        for (int k = 0; k < s->count - 1 || k == 0; k++)
            TRY_OR_FAIL(add_capsule(out, s->points[k], s->points[s->count > 1 ? k + 1 : k],
                                    1 + FOEHN_FLOW_MOST_OBSTACLES + i, h));
    }
    for (int axis = 0; axis < 2; axis++) {
        int originals = out->count;
        for (int i = 0; wrap[axis] && i < originals; i++)
            for (int side = -1; side <= 1; side += 2)
                TRY_OR_FAIL(add_image(out, i, axis == 0 ? side * wrap[0] : 0,
                                      axis == 1 ? side * wrap[1] : 0));
    }
    return FOEHN_OK;
fail:
    foehn_outlines_destroy(out);
    return status;
}

bool foehn_outline_holds(const flow_outline *o, double x, double y)
{
    bool in = false;
    for (int i = 0, k = o->count - 1; i < o->count; k = i++) {
        const double *a = o->points[k], *b = o->points[i];
        if ((a[1] <= y) != (b[1] <= y) && x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
            in = !in;
    }
    return in;
}
