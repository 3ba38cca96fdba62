/* SPDX-License-Identifier: MIT */
/* Streaks that drift with the wind. */
#include "config.h"

#include "view/streaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1600, TAIL = 10, LINE_FLOATS = 10 };
#define LIFE 14.0       /* tails, on average, that a streak lives */
#define TAIL_SHARE 0.09 /* of the box's width that the wind at 10 m takes a tail's length over */

typedef struct streak {
    float tail[TAIL][3]; /* the newest first, m */
    float speed;         /* m/s */
    float age, life;     /* simulated s */
    int filled;
} streak;

struct view_streaks {
    streak all[COUNT];
    double since; /* simulated s since tails were shifted */
    uint64_t random;
    float *vertices;
};

/* ---- the air ---- */

static void view_air_at(const view_air *a, const double at[3], double out[3])
{
    const int n[3] = {a->info.nx, a->info.ny, a->info.nz};
    size_t index[3][2];
    double part[3];
    bool within = a->info.step > 0;
    for (int k = 0; k < 3 && within; k++) {
        double p = (at[k] - a->info.origin[k]) / a->info.spacing[k] - 0.5;
        within = p > -0.5 && p < n[k] - 0.5;
        p = fmin(fmax(p, 0), n[k] - 1.0);
        int i = (int)fmin(floor(p), fmax(n[k] - 2.0, 0));
        part[k] = p - i;
        int64_t first = llrint(a->info.origin[k] / a->info.spacing[k]);
        for (int s = 0; s < 2; s++) {
            int64_t cell = first + (i + s < n[k] ? i + s : n[k] - 1);
            index[k][s] = (size_t)((cell % n[k] + n[k]) % n[k]);
        }
    }
    if (!within) {
        double above = at[1] - view_ground_height(a->ground, at[0], at[2]);
        double speed = a->u10 * (double)foehn_log_profile((float)above, (float)a->z0);
        out[0] = speed * a->toward[0];
        out[1] = 0;
        out[2] = speed * a->toward[1];
        return;
    }
    memset(out, 0, 3 * sizeof *out);
    for (int c = 0; c < 8; c++) {
        int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        double weight =
            (x ? part[0] : 1 - part[0]) * (y ? part[1] : 1 - part[1]) * (z ? part[2] : 1 - part[2]);
        const float *v =
            a->voxels +
            4 * ((index[2][z] * (size_t)n[1] + index[1][y]) * (size_t)n[0] + index[0][x]);
        for (int k = 0; k < 3; k++)
            out[k] += weight * (double)v[k];
    }
}

/* ---- streaks ---- */

/* 0 to 1; xorshift, for looks only. */
static double chance(view_streaks *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

int view_streaks_create(uint64_t seed, view_streaks **out)
{
    view_streaks *s = calloc(1, sizeof *s);
    *out = s;
    if (!s || !(s->vertices = malloc(sizeof(float) * COUNT * (TAIL - 1) * LINE_FLOATS))) {
        view_streaks_destroy(s);
        *out = NULL;
        return fail_memory();
    }
    s->random = seed * 0x9e3779b97f4a7c15u + 1;
    return STATUS_OK;
}

void view_streaks_destroy(view_streaks *s)
{
    if (s)
        free(s->vertices);
    free(s);
}

static double tail_seconds(const view_air *a)
{
    return TAIL_SHARE * a->info.extent[0] / fmax(a->u10, 1);
}

/* Anywhere in the box, more of them near the ground. */
static void begin(view_streaks *s, streak *k, const view_air *a)
{
    double x = a->info.origin[0] + chance(s) * a->info.extent[0];
    double z = a->info.origin[2] + chance(s) * a->info.extent[2];
    double ground = view_ground_height(a->ground, x, z), up = chance(s);
    double room = fmax(0, a->info.origin[1] + a->info.extent[1] - ground);
    k->tail[0][0] = (float)x;
    k->tail[0][1] = (float)(ground + 3 + 0.6 * up * up * room);
    k->tail[0][2] = (float)z;
    k->filled = 1;
    k->age = 0;
    k->life = (float)((0.4 + 1.2 * chance(s)) * LIFE * tail_seconds(a));
}

static bool in_box(const view_air *a, const float p[3])
{
    for (int k = 0; k < 3; k++)
        if ((double)p[k] < a->info.origin[k] ||
            (double)p[k] > a->info.origin[k] + a->info.extent[k])
            return false;
    return true;
}

/* Midpoint rule. */
static void move(streak *k, const view_air *a, double seconds)
{
    double at[3], half[3], v[3];
    for (int c = 0; c < 3; c++)
        at[c] = (double)k->tail[0][c];
    view_air_at(a, at, v);
    for (int c = 0; c < 3; c++)
        half[c] = at[c] + 0.5 * seconds * v[c];
    view_air_at(a, half, v);
    for (int c = 0; c < 3; c++)
        k->tail[0][c] += (float)(seconds * v[c]);
    double least = view_ground_height(a->ground, (double)k->tail[0][0], (double)k->tail[0][2]) + 1;
    k->tail[0][1] = fmaxf(k->tail[0][1], (float)least);
    k->speed = (float)sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void view_streaks_move(view_streaks *s, const view_air *a, double seconds)
{
    double each = tail_seconds(a) / (TAIL - 1);
    if (a->info.step == 0 || !(seconds > 0))
        return;
    s->since += seconds;
    bool shift = s->since >= each;
    if (shift)
        s->since = fmod(s->since, each);
    for (int i = 0; i < COUNT; i++) {
        streak *k = &s->all[i];
        bool fresh = k->filled == 0; /* the first ones begin at every age */
        if (fresh || k->age > k->life || !in_box(a, k->tail[0]))
            begin(s, k, a);
        if (fresh)
            k->age = (float)chance(s) * k->life;
        k->age += (float)seconds;
        if (shift || k->filled < 2) {
            memmove(k->tail[1], k->tail[0], sizeof k->tail - sizeof k->tail[0]);
            k->filled = k->filled < TAIL ? k->filled + 1 : TAIL;
        }
        move(k, a, seconds);
    }
}

void view_streaks_mesh(const view_streaks *s, double fastest, view_mesh *mesh)
{
    float *p = s->vertices;
    for (int i = 0; i < COUNT; i++) {
        const streak *k = &s->all[i];
        float grown = fminf(1, k->age / (0.1f * k->life)),
              left = (k->life - k->age) / (0.1f * k->life);
        float opacity = fmaxf(0, fminf(grown, left)), speed = k->speed / (float)fastest;
        for (int t = 0; t + 1 < k->filled; t++)
            for (int end = 0; end < 2; end++) {
                memcpy(p, k->tail[t + end], 3 * sizeof *p);
                p[3] = speed;
                p[4] = opacity * (1 - (float)(t + end) / (TAIL - 1));
                p += 5;
            }
    }
    view_mesh_set(mesh, (int)((p - s->vertices) / 5), s->vertices);
}
