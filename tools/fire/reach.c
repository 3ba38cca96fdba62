/* SPDX-License-Identifier: MIT */
/* Meshes that lie beside the box, as those in millimetres do, and emitters under the ground are
 * told before a fire burns without them. */
#include "config.h"

#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where something reaches in the world, and whether any point of it lies in the box. */
typedef struct reach {
    double low[3], high[3];
    bool inside;
    double above; /* the ground, of its highest point over it, m */
} reach;

static const reach nowhere = {
    {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, false, -INFINITY};

/* From the world to the box: back by its place, then turned the other way. */
static bool is_inside(const foehn_fire_params *box, const double at[3])
{
    const double *q = box->pose.rotation, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = at[k] - box->pose.position[k];
    fire_rotate(back, p, p);
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k]) <= 0.5 * box->size[k]))
            return false;
    return true;
}

static void add_points(const foehn_fire_params *box, const fire_ground *ground,
                       const fire_motion *m, size_t count, const float (*points)[3], reach *r)
{
    motion_state now;
    fire_motion_at(m, 0, &now);
    r->inside = r->inside || m->key_count > 1; /* it may come in */
    for (size_t n = 0; n < count; n++) {
        double at[3] = {(double)points[n][0], (double)points[n][1], (double)points[n][2]};
        fire_rotate(now.pose.rotation, at, at);
        for (int k = 0; k < 3; k++) {
            at[k] += now.pose.position[k];
            r->low[k] = fmin(r->low[k], at[k]);
            r->high[k] = fmax(r->high[k], at[k]);
        }
        r->inside = r->inside || is_inside(box, at);
        r->above = fmax(r->above,
                        at[1] - (ground ? fire_ground_height(ground, at[0], at[2], 0) : -INFINITY));
    }
}

/* The box's own reach, along the axes of the world. */
static reach reach_of_box(const foehn_fire_params *box)
{
    reach r = nowhere;
    fire_box_reach(&box->pose, box->size, r.low, r.high);
    return r;
}

static void tell(const foehn_fire_params *box, const char *what, int number, const reach *r,
                 char *text, size_t size)
{
    reach b = reach_of_box(box);
    snprintf(
        text, size,
        "%s %d: nothing of it lies in the box: it reaches from (%g, %g, %g) to (%g, %g, %g) m, the "
        "box from (%g, %g, %g) to (%g, %g, %g): give its mesh another scale (--mesh-scale 0.001 "
        "for millimetres) or place",
        what, number, r->low[0], r->low[1], r->low[2], r->high[0], r->high[1], r->high[2], b.low[0],
        b.low[1], b.low[2], b.high[0], b.high[1], b.high[2]);
}

/* Every part of the surface counts, not its corners alone. */
static int reach_of_source(const foehn_fire_params *box, const fire_ground *ground,
                           const fire_source *s, uint64_t seed, reach *r)
{
    enum { SAMPLES = 4096 };
    float(*points)[3] = malloc(SAMPLES * sizeof *points);
    int status = points ? mesh_sample(&s->mesh, SAMPLES, seed, points) : fail_memory();
    *r = nowhere;
    for (int n = 0; n < s->proxy_count && status == STATUS_OK; n++) {
        add_points(box, ground, &s->proxies[n].motion, SAMPLES, (const float(*)[3])points, r);
        add_points(box, ground, &s->proxies[n].motion, s->mesh.vertex_count,
                   (const float(*)[3])s->mesh.vertices, r);
    }
    free(points);
    return status;
}

static bool overlap(const reach *a, const reach *b)
{
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart = apart || a->low[k] > b->high[k] || b->low[k] > a->high[k];
    return !apart;
}

int fire_check_reach(const fire_scene *s, const foehn_fire_params *box, uint64_t seed)
{
    char text[500] = "";
    int outside = 0;
    for (int n = 0; n < s->source_count; n++) {
        reach r;
        int status = reach_of_source(box, s->ground, &s->sources[n], seed, &r);
        if (status != STATUS_OK)
            return status;
        if (r.inside &&
            (r.above > -box->render_voxel || s->sources[n].proxies[0].motion.key_count > 1))
            continue;
        if (r.inside)
            snprintf(text, sizeof text,
                     "emitter %d: all of it lies in the ground, its highest point %.3g m deep: "
                     "raise its position",
                     n + 1, -r.above);
        else
            tell(box, "emitter", n + 1, &r, text, sizeof text);
        if (++outside == s->source_count)
            return fail(STATUS_INPUT, "%s: %s", s->name, text);
        warn("%s: %s", s->name, text);
    }
    for (int n = 0; n < s->body_count; n++) {
        const fire_body *b = &s->bodies[n];
        reach r = nowhere, whole = reach_of_box(box);
        if (b->shape != FOEHN_FIRE_MESH)
            continue;
        add_points(box, NULL, &b->motion, b->mesh.vertex_count, (const float(*)[3])b->mesh.vertices,
                   &r);
        if (r.inside || overlap(&r, &whole))
            continue;
        tell(box, "collider", n + 1, &r, text, sizeof text);
        warn("%s: %s", s->name, text);
    }
    return STATUS_OK;
}
