/* SPDX-License-Identifier: MIT */
/* From a mast's wind climate to that of other places. */
#include "config.h"

#include "wind/atlas.h"

#include <math.h>
#include <stdlib.h>

#define AIR_DENSITY 1.225 /* kg/m3: the standard atmosphere at sea level (ISO 2533) */
enum { PARTS = 12, SHAPES = 2048 };
#define LEAST_RATIO 1.0 /* mean cube over cubed mean, of the table of shapes */
#define MOST_RATIO 21.0

/* A part of a sector of the mast: between two of the directions that were found. */
typedef struct part {
    int below, above; /* directions */
    double t;         /* share of the one above */
    int sector;       /* of the mast */
} part;

struct atlas {
    const sectors *s;
    int count;
    part *parts;
    double *mast_speed;    /* [directions], m/s */
    double shapes[SHAPES]; /* k over the logarithm of the ratio */
};

static double direction_at(const sectors *s, place_value v)
{
    return place_direction(&s->scene->place, v.easting, v.northing, v.east, v.north);
}

/* Which two undisturbed directions make a direction at the mast: the pair around it, in the order
 * of the compass; where the mast stands in a wake that holds its wind in one direction, none may,
 * and it is taken as undisturbed. */
static void find_part(const sectors *s, const double *mast_from, double from, part *p)
{
    double least = INFINITY;
    for (int d = 0; d < s->count; d++) {
        int next = (d + 1) % s->count;
        double step = remainder(mast_from[next] - mast_from[d], 360),
               into = remainder(from - mast_from[d], 360);
        if (s->count == 1 || step <= 0 || into < 0 || into > step)
            continue;
        /* The undisturbed direction nearest to the mast's, should there be several. */
        double undisturbed = s->of[d].from + into / step * 360.0 / s->count;
        double turned = fabs(remainder(undisturbed - from, 360));
        if (turned >= least)
            continue;
        least = turned;
        *p = (part){d, next, into / step, p->sector};
    }
    if (isfinite(least))
        return;
    double at = fmod(from + 360, 360) * s->count / 360;
    int d = (int)at % s->count;
    *p = (part){d, (d + 1) % s->count, at - floor(at), p->sector};
}

int atlas_create(const sectors *s, atlas **out)
{
    atlas *a = calloc(1, sizeof *a);
    double mast_from[MOST_SECTORS];
    *out = a;
    if (!a)
        return fail_memory();
    a->s = s;
    a->count = s->count * PARTS;
    a->parts = calloc((size_t)a->count, sizeof *a->parts);
    a->mast_speed = calloc((size_t)s->count, sizeof *a->mast_speed);
    if (!a->parts || !a->mast_speed)
        return fail_memory();
    for (int d = 0; d < s->count; d++) {
        place_value v = sectors_at_reference(s, d);
        mast_from[d] = direction_at(s, v);
        a->mast_speed[d] = hypot(v.east, v.north);
    }
    for (int n = 0; n < a->count; n++) {
        a->parts[n].sector = n / PARTS;
        double from = 360.0 / s->count * ((n + 0.5) / PARTS - 0.5);
        find_part(s, mast_from, from, &a->parts[n]);
    }
    for (int i = 0; i < SHAPES; i++)
        a->shapes[i] =
            weibull_shape(LEAST_RATIO * pow(MOST_RATIO / LEAST_RATIO, i / (SHAPES - 1.0)));
    return STATUS_OK;
}

void atlas_destroy(atlas *a)
{
    if (!a)
        return;
    free(a->parts);
    free(a->mast_speed);
    free(a);
}

static double shape_of(const atlas *a, double ratio)
{
    double at = log(ratio / LEAST_RATIO) / log(MOST_RATIO / LEAST_RATIO) * (SHAPES - 1);
    at = fmin(fmax(at, 0), SHAPES - 1.001);
    int i = (int)at;
    return a->shapes[i] + (at - i) * (a->shapes[i + 1] - a->shapes[i]);
}

/* Moments of the speed, weighted with time. */
typedef struct moments {
    double time, mean, cubes;
} moments;

static void add(moments *m, double time, double a, double k)
{
    m->time += time;
    m->mean += time * a * tgamma(1 + 1 / k);
    m->cubes += time * a * a * a * tgamma(1 + 3 / k);
}

static weibull distribution(const atlas *a, const moments *m)
{
    if (!(m->time > 0 && m->mean > 0))
        return (weibull){m->time, 0, 2};
    double mean = m->mean / m->time, cubes = m->cubes / m->time;
    double k = shape_of(a, cubes / (mean * mean * mean));
    return (weibull){m->time, mean / tgamma(1 + 1 / k), k};
}

void atlas_find(const atlas *a, int h, size_t c, weibull *sector, weibull *all, double *power)
{
    const sectors *s = a->s;
    double from[MOST_SECTORS], ratio[MOST_SECTORS];
    moments in[MOST_SECTORS] = {{0, 0, 0}}, whole = {0, 0, 0};
    for (int d = 0; d < s->count; d++) {
        place_value v = sectors_at(s, d, h, c);
        from[d] = direction_at(s, v);
        ratio[d] = hypot(v.east, v.north) / a->mast_speed[d];
    }
    for (int n = 0; n < a->count; n++) {
        const part *p = &a->parts[n];
        const weibull *mast = &s->climate->sector[p->sector];
        if (!(mast->f > 0))
            continue;
        double towards = from[p->below] + p->t * remainder(from[p->above] - from[p->below], 360);
        double r = (1 - p->t) * ratio[p->below] + p->t * ratio[p->above];
        int into = (int)floor(towards * s->count / 360 + 0.5);
        into = ((into % s->count) + s->count) % s->count;
        add(&in[into], mast->f / PARTS, mast->a * r, mast->k);
    }
    for (int d = 0; d < s->count; d++) {
        sector[d] = distribution(a, &in[d]);
        whole.time += in[d].time;
        whole.mean += in[d].mean;
        whole.cubes += in[d].cubes;
    }
    *all = distribution(a, &whole);
    *power = 0.5 * AIR_DENSITY * whole.cubes;
}
