/* SPDX-License-Identifier: MIT */
/* How emitters and colliders move, turn, and are switched. */
#include "config.h"

#include "fire/fire.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define FAR 1e5 /* m: farther away nothing can be */

static void multiply(const double a[4], const double b[4], double out[4])
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

void fire_rotation(const double degrees[3], double q[4])
{
    q[0] = q[1] = q[2] = 0;
    q[3] = 1;
    for (int k = 0; k < 3; k++) {
        double half = degrees[k] * PI / 360, turn[4] = {0, 0, 0, cos(half)};
        turn[k] = sin(half);
        multiply(turn, q, q);
    }
}

void fire_rotate(const double q[4], const double v[3], double out[3])
{
    const double p[4] = {v[0], v[1], v[2], 0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double r[4];
    multiply(q, p, r);
    multiply(r, back, r);
    memcpy(out, r, 3 * sizeof *out);
}

void fire_box_reach(const foehn_fire_pose *pose, const double size[3], double low[3],
                    double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (corner >> k & 1 ? 0.5 : -0.5) * size[k];
        fire_rotate(pose->rotation, at, at);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k] + pose->position[k]);
            high[k] = fmax(high[k], at[k] + pose->position[k]);
        }
    }
}

/* Slope of the curve at a key: of the chord between its neighbours; none beyond the ends. */
static double slope(const fire_motion *m, int key, int axis)
{
    int a = key > 0 ? key - 1 : key, b = key + 1 < m->key_count ? key + 1 : key;
    return (m->keys[b].position[axis] - m->keys[a].position[axis]) /
           (m->keys[b].at - m->keys[a].at);
}

/* Cubic Hermite curve between keys n and n + 1 at part t, and its slope over time. */
static void curve(const fire_motion *m, int n, double t, motion_state *out)
{
    const motion_key *a = &m->keys[n], *b = a + 1;
    double length = b->at - a->at;
    for (int k = 0; k < 3; k++) {
        double p = a->position[k], q = b->position[k];
        double u = slope(m, n, k) * length, v = slope(m, n + 1, k) * length;
        double square = 3 * (q - p) - 2 * u - v, cube = 2 * (p - q) + u + v;
        out->pose.position[k] = p + t * (u + t * (square + t * cube));
        out->velocity[k] = (u + t * (2 * square + t * 3 * cube)) / length;
    }
}

/* From rotation a to b the short way at an even rate; the rate goes to angular. */
static void turn(const motion_key *a, const motion_key *b, double t, motion_state *out)
{
    const double back[4] = {-a->rotation[0], -a->rotation[1], -a->rotation[2], a->rotation[3]};
    double way[4], part[4] = {0, 0, 0, 1};
    multiply(b->rotation, back, way);
    double sign = way[3] < 0 ? -1 : 1;
    double size = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double angle = 2 * atan2(size, sign * way[3]);
    for (int k = 0; k < 3 && size > 0; k++) {
        part[k] = sign * way[k] / size * sin(0.5 * t * angle);
        out->angular[k] = sign * way[k] / size * angle / (b->at - a->at);
    }
    part[3] = cos(0.5 * t * angle);
    multiply(part, a->rotation, out->pose.rotation);
}

static void spin(const double rate[3], double time, motion_state *out)
{
    double size = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    if (!(size > 0))
        return;
    double q[4] = {0, 0, 0, cos(0.5 * size * time)};
    for (int k = 0; k < 3; k++) {
        q[k] = rate[k] / size * sin(0.5 * size * time);
        out->angular[k] += rate[k];
    }
    multiply(q, out->pose.rotation, out->pose.rotation);
}

void fire_motion_at(const fire_motion *m, double time, motion_state *out)
{
    const motion_key *first = &m->keys[0], *last = &m->keys[m->key_count - 1];
    double now = time, length = last->at - first->at;
    memset(out, 0, sizeof *out);
    if (m->repeat && now > last->at)
        now = first->at + fmod(now - first->at, length);
    int n = 0;
    while (n + 2 < m->key_count && m->keys[n + 1].at <= now)
        n++;
    if (now < first->at || now >= last->at) {
        const motion_key *end = now < first->at ? first : last;
        memcpy(out->pose.position, end->position, sizeof end->position);
        memcpy(out->pose.rotation, end->rotation, sizeof end->rotation);
    } else {
        double t = (now - m->keys[n].at) / (m->keys[n + 1].at - m->keys[n].at);
        curve(m, n, t, out);
        turn(&m->keys[n], &m->keys[n + 1], t, out);
    }
    spin(m->spin, time, out);
    out->active = m->span_count == 0;
    for (int s = 0; s < m->span_count; s++)
        out->active |= time >= m->spans[s][0] - 1e-9 && time < m->spans[s][1] - 1e-9;
}

/* ---- the schema ---- */

static int read_place(yaml_at at, motion_key *key)
{
    double degrees[3];
    yaml_at position = yaml_get(at, "position"), rotation = yaml_get(at, "rotation");
    CHECK(yaml_numbers(position, "position", 3, key->position));
    for (int k = 0; k < 3; k++)
        if (fabs(key->position[k]) > FAR)
            return yaml_fail(position, "position: %g is out of range: up to %g m", key->position[k],
                             FAR);
    if (rotation.node) {
        CHECK(yaml_numbers(rotation, "rotation", 3, degrees));
        fire_rotation(degrees, key->rotation);
    }
    return STATUS_OK;
}

static int read_path(yaml_at list, fire_motion *m)
{
    static const char *const keys[] = {"at", "position", "rotation", NULL};
    int count = yaml_count(list);
    if (count < 2 || count > MOST_KEYS)
        return yaml_fail(list, "path: must be a list of 2 to %d places", MOST_KEYS);
    for (int n = 0; n < count; n++) {
        yaml_at item = yaml_item(list, n);
        motion_key *key = &m->keys[n];
        *key = m->keys[n > 0 ? n - 1 : 0]; /* what is not said stays as it was */
        CHECK(yaml_check_keys(item, "path", keys));
        key->at = NAN;
        CHECK(yaml_number(yaml_get(item, "at"), "at", 0, 1e6, &key->at));
        CHECK(read_place(item, key));
        if (isnan(key->at) || (n > 0 && !(key->at > m->keys[n - 1].at)))
            return yaml_fail(item, "path: every place needs a time at, later than the one before");
    }
    m->key_count = count;
    return STATUS_OK;
}

static int read_spans(yaml_at list, fire_motion *m)
{
    int count = yaml_count(list);
    if (!yaml_is_sequence(list) || count > MOST_SPANS || count < 1)
        return yaml_fail(list, "on: must be a list of 1 to %d times such as [[0, 2], [3, 4]]",
                         MOST_SPANS);
    for (int n = 0; n < count; n++) {
        CHECK(yaml_numbers(yaml_item(list, n), "on", 2, m->spans[n]));
        if (!(m->spans[n][1] > m->spans[n][0]))
            return yaml_fail(yaml_item(list, n), "on: ends at %g, before it begins at %g",
                             m->spans[n][1], m->spans[n][0]);
    }
    m->span_count = count;
    return STATUS_OK;
}

int fire_motion_read(yaml_at at, fire_motion *m)
{
    yaml_at path = yaml_get(at, "path"), on = yaml_get(at, "on"), turning = yaml_get(at, "spin");
    CHECK(read_place(at, &m->keys[0]));
    if (path.node)
        CHECK(read_path(path, m));
    else if (yaml_get(at, "position").node || yaml_get(at, "rotation").node)
        m->key_count = 1;
    CHECK(yaml_truth(yaml_get(at, "repeat"), "repeat", &m->repeat));
    if (m->repeat && m->key_count < 2)
        return yaml_fail(at, "repeat: needs a path");
    if (turning.node) {
        CHECK(yaml_numbers(turning, "spin", 3, m->spin));
        for (int k = 0; k < 3; k++) {
            if (fabs(m->spin[k]) > 36000)
                return yaml_fail(turning, "spin: %g degrees a second: up to 36000", m->spin[k]);
            m->spin[k] *= PI / 180;
        }
    }
    return on.node ? read_spans(on, m) : STATUS_OK;
}
