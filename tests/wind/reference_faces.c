/* SPDX-License-Identifier: MIT */
#include "wind/reference_faces.h"

#include <foehn/noise.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t faces_count(const faces_box *b)
{
    return (size_t)(b->n[0] + 1) * (size_t)(b->n[1] + 1) * (size_t)(b->n[2] + 1);
}

size_t faces_index(const faces_box *b, const int at[3])
{
    return ((size_t)at[2] * (size_t)(b->n[1] + 1) + (size_t)at[1]) * (size_t)(b->n[0] + 1) +
           (size_t)at[0];
}

bool faces_exist(const faces_box *b, faces_kind kind, const int at[3])
{
    for (int a = 0; a < 3; a++)
        if (at[a] >= b->n[a] + (kind >> a & 1))
            return false;
    return true;
}

static bool wraps(const faces_box *b, int axis)
{
    return b->periodic && axis != 1;
}

static int around(int i, int n)
{
    return ((i % n) + n) % n;
}

/* The place a step further along an axis. */
static void beside(const int at[3], int axis, int step, int out[3])
{
    memcpy(out, at, 3 * sizeof *out);
    out[axis] += step;
}

/* ---- ground ---- */

double faces_terrain(const terrain_map *t, const float *heights, double x, double z)
{
    const int n[2] = {t->nx, t->nz};
    double at[2] = {(double)t->x0 + x * (double)t->dx, (double)t->z0 + z * (double)t->dz}, sum = 0;
    int low[2], high[2];
    for (int a = 0; a < 2; a++) {
        at[a] = fmin(fmax(at[a], 0), n[a] - 1);
        low[a] = (int)floor(at[a]);
        high[a] = low[a] + 1 < n[a] ? low[a] + 1 : low[a];
        at[a] -= low[a];
    }
    for (int corner = 0; corner < 4; corner++) {
        int i = corner & 1 ? high[0] : low[0], k = corner & 2 ? high[1] : low[1];
        sum += (corner & 1 ? at[0] : 1 - at[0]) * (corner & 2 ? at[1] : 1 - at[1]) *
               (double)heights[(size_t)k * (size_t)n[0] + (size_t)i];
    }
    return sum;
}

/* Bilinear ground between corners at (x, z) in cells. */
static double faces_ground(const faces_box *b, const float *corner, double x, double z)
{
    int i = (int)fmin(floor(x), b->n[0]), k = (int)fmin(floor(z), b->n[2]);
    int ip = i < b->n[0] ? i + 1 : i, kp = k < b->n[2] ? k + 1 : k;
    size_t row = (size_t)(b->n[0] + 1);
    double s = x - i, t = z - k;
    return (1 - t) * ((1 - s) * (double)corner[(size_t)k * row + (size_t)i] +
                      s * (double)corner[(size_t)k * row + (size_t)ip]) +
           t * ((1 - s) * (double)corner[(size_t)kp * row + (size_t)i] +
                s * (double)corner[(size_t)kp * row + (size_t)ip]);
}

/* Where the floor of a cell at height y lies above the ground on 8 lines along an axis, on each of
 * which the ground is straight. */
static double floor_share(const faces_box *b, const float *corner, int along, const int at[3],
                          double y, double *doubt)
{
    enum { LINES = 8 };
    const double rounding = 1e-6 * (fabs(y) + b->h[1]);
    double sum = 0;
    *doubt = 0;
    for (int n = 0; n < LINES; n++) {
        const double beside = (n + 0.5) / LINES;
        double end[2];
        for (int e = 0; e < 2; e++)
            end[e] = faces_ground(b, corner, at[0] + (along == 0 ? e : beside),
                                  at[2] + (along == 2 ? e : beside));
        const double rise = fabs(end[1] - end[0]), above = y - fmin(end[0], end[1]);
        sum += rise > 0 ? fmin(fmax(above / rise, 0), 1) : above > 0;
        if (above > -rounding && above < rise + rounding && above != 0)
            *doubt += rounding / fmax(rise, rounding);
    }
    *doubt /= LINES;
    return sum / LINES;
}

/* How much more the ground of a cell rises along x than along z. */
static double rises_along_x(const faces_box *b, const float *corner, const int at[3])
{
    double h[4];
    for (int n = 0; n < 4; n++)
        h[n] = faces_ground(b, corner, at[0] + (n & 1), at[2] + (n >> 1));
    return fabs(h[1] - h[0]) + fabs(h[3] - h[2]) - fabs(h[2] - h[0]) - fabs(h[3] - h[1]);
}

double faces_share(const faces_box *b, const float *corner, int axis, const int at[3],
                   double *doubt)
{
    enum { SAMPLES = 8 };
    double y = b->floor_y + at[1] * b->h[1], sum = 0;
    *doubt = 0;
    if (axis == 1) {
        const double more = rises_along_x(b, corner, at);
        double other_doubt, share = floor_share(b, corner, more >= 0 ? 0 : 2, at, y, doubt);
        if (fabs(more) < 1e-5 * (fabs(y) + b->h[1])) /* which of them is a rounding's choice */
            *doubt += fabs(share - floor_share(b, corner, more >= 0 ? 2 : 0, at, y, &other_doubt));
        return share;
    }
    for (int n = 0; n < SAMPLES; n++) {
        const double along = (n + 0.5) / SAMPLES;
        const double ground = faces_ground(b, corner, at[0] + (axis == 0 ? 0 : along),
                                           at[2] + (axis == 2 ? 0 : along));
        sum += fmin(fmax((y + b->h[1] - ground) / b->h[1], 0), 1);
    }
    return sum / SAMPLES;
}

/* ---- forcing ---- */

static double fade(double t)
{
    return 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3);
}

double faces_potential(const faces_box *b, const wind_forcing *f, const float *corner, int axis,
                       const int at[3])
{
    static const double weight[2] = {(double)FOEHN_OCTAVE_WEIGHT_0, (double)FOEHN_OCTAVE_WEIGHT_1};
    double place[3], sum = 0;
    for (int a = 0; a < 3; a++)
        place[a] = at[a] + (a == axis ? 0.5 : 0);
    double y = b->floor_y + place[1] * b->h[1];
    double height = y - faces_ground(b, corner, place[0], place[2]);
    for (int o = 0; o < 2; o++) {
        const int *const offsets[3] = {f->offset_x[o], f->offset_y[o], f->offset_z[o]};
        double fraction[3];
        int cell[3];
        for (int a = 0; a < 3; a++) {
            double lattice = (double)f->cell[o][a] + (double)f->fraction[o][a] +
                             place[a] * b->h[a] / (double)f->wavelength[o];
            cell[a] = (int)floor(lattice);
            fraction[a] = lattice - cell[a];
            cell[a] += offsets[a][axis];
        }
        foehn_noise_d noise;
        foehn_perlin_d(cell[0], cell[1], cell[2], fraction[0], fraction[1], fraction[2], &noise);
        sum += weight[o] * (double)f->wavelength[o] * noise.value;
    }
    return (double)f->curl_amplitude * (double)FOEHN_CURL_NORMALISE *
           fade(fmin(fmax(height / (double)f->ramp, 0), 1)) * sum;
}

void faces_gusts(const wind_forcing *f, double x, double z, double out[2])
{
    out[0] = out[1] = 0;
    for (int n = 0; n < WIND_GUSTS; n++) {
        wind_gust g = f->gust[n];
        double s = x * (double)g.dx + z * (double)g.dz - (double)g.position;
        double t = s * (double)g.inverse; /* 2 s / width */
        double speed = fabs(t) < 1 ? (double)g.strength * pow(1 - t * t, 2) : 0;
        out[0] += speed * (double)g.dx;
        out[1] += speed * (double)g.dz;
    }
}

double faces_profile(const faces_box *b, const wind_forcing *f, const float *corner, int axis,
                     const int at[3])
{
    double x = at[0] + (axis == 0 ? 0 : 0.5), z = at[2] + (axis == 2 ? 0 : 0.5);
    double low = b->floor_y + at[1] * b->h[1], ground = faces_ground(b, corner, x, z);
    double middle = 0.5 * (fmax(low, ground) + low + b->h[1]);
    double z0 = (double)f->z0;
    return log(fmax(middle - ground, z0) / z0) / log(10 / z0);
}

/* Component of the discrete curl through a face: potentials along its edges, counterclockwise, over
 * its area. */
static double curl(const faces_box *b, const float *psi[3], int axis, const int at[3])
{
    int p = (axis + 1) % 3, q = (axis + 2) % 3, next_p[3], next_q[3];
    beside(at, p, 1, next_p);
    beside(at, q, 1, next_q);
    size_t here = faces_index(b, at);
    double along_p = (double)psi[q][faces_index(b, next_p)] - (double)psi[q][here];
    double along_q = (double)psi[p][faces_index(b, next_q)] - (double)psi[p][here];
    return along_p / b->h[p] - along_q / b->h[q];
}

double faces_forced(const faces_box *b, const wind_forcing *f, const float *corner,
                    const float *gust[2], const float *psi[3], const uint8_t *open[3],
                    const float *u[3], int axis, const int at[3])
{
    size_t c = faces_index(b, at), q = (size_t)at[2] * (size_t)(b->n[0] + 1) + (size_t)at[0];
    if (open[axis][c] == 0)
        return 0;
    double target = curl(b, psi, axis, at) / (open[axis][c] / 255.0);
    if (axis != 1) {
        double profile = faces_profile(b, f, corner, axis, at);
        target += (double)(axis ? f->dz : f->dx) * (double)f->u10 * profile +
                  (double)gust[axis / 2][q] * fmin(profile, 1);
    }
    return (double)u[axis][c] + (double)f->gain * (target - (double)u[axis][c]);
}

double faces_strength(const faces_box *b, const float *psi[3], const int at[3])
{
    double squares = 0;
    for (int a = 0; a < 3; a++) {
        int upper[3];
        beside(at, a, 1, upper);
        squares += pow(0.5 * (curl(b, psi, a, at) + curl(b, psi, a, upper)), 2);
    }
    return sqrt(squares);
}

/* ---- transport ---- */

/* A component at a face that may lie beyond a periodic side.  Beyond an open one the nearest, which
 * never counts. */
static double at_face(const faces_box *b, int axis, const float *f, const int at[3])
{
    int in[3];
    for (int a = 0; a < 3; a++) {
        int last = a == axis ? b->n[a] : b->n[a] - 1;
        in[a] = wraps(b, a) ? around(at[a], b->n[a]) : at[a] < 0 ? 0 : at[a] > last ? last : at[a];
    }
    return (double)f[faces_index(b, in)];
}

/* The velocity at a face across `axis`. */
static void faces_velocity(const faces_box *b, const float *u[3], int axis, const int at[3],
                           double out[3])
{
    for (int o = 0; o < 3; o++) {
        double sum = 0, count = 0;
        if (o == axis) {
            out[o] = at_face(b, o, u[o], at);
            continue;
        }
        /* Of the two cells that share the face those that exist, both faces of each. */
        for (int cell = -1; cell <= 0; cell++)
            for (int side = 0; side < 2; side++) {
                int face[3];
                beside(at, axis, cell, face);
                if (!wraps(b, axis) && (face[axis] < 0 || face[axis] >= b->n[axis]))
                    continue;
                face[o] += side;
                sum += at_face(b, o, u[o], face);
                count++;
            }
        out[o] = sum / count;
    }
}

void faces_trace(const faces_box *b, double time, const float *u[3], int axis, const int at[3],
                 double place[3])
{
    double velocity[3];
    faces_velocity(b, u, axis, at, velocity);
    for (int a = 0; a < 3; a++)
        place[a] = at[a] + (a == axis ? 0 : 0.5) + time * velocity[a] / b->h[a];
}

/* In units of the component's own faces, the first being at 0, within those that exist. */
static void within(const faces_box *b, int axis, const double place[3], double out[3])
{
    for (int a = 0; a < 3; a++) {
        double half = a == axis ? 0 : 0.5, n = b->n[a];
        out[a] = wraps(b, a) ? place[a] - n * floor(place[a] / n) - half
                             : fmin(fmax(place[a], half), n - half) - half;
    }
}

double faces_value(const faces_box *b, int axis, const float *f, const double place[3])
{
    double at[3], sum = 0;
    within(b, axis, place, at);
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int face[3];
        for (int a = 0; a < 3; a++) {
            int upper = corner >> a & 1;
            face[a] = (int)floor(at[a]) + upper;
            weight *= upper ? at[a] - floor(at[a]) : 1 - (at[a] - floor(at[a]));
        }
        sum += weight > 0 ? weight * at_face(b, axis, f, face) : 0;
    }
    return sum;
}

bool faces_range(const faces_box *b, int axis, const float *f, const double place[3], double doubt,
                 double range[2])
{
    double at[3];
    bool doubtful = false;
    within(b, axis, place, at);
    for (int a = 0; a < 3; a++) {
        double free = place[a] - (a == axis ? 0 : 0.5); /* not held in the box */
        doubtful = doubtful || (fabs(free - nearbyint(free)) < doubt && free != nearbyint(free));
    }
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        int face[3];
        for (int a = 0; a < 3; a++)
            face[a] = (int)(corner >> a & 1 ? ceil(at[a]) : floor(at[a]));
        double value = at_face(b, axis, f, face);
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
    return doubtful;
}

/* ---- projection ---- */

double faces_divergence(const faces_box *b, const uint8_t *open[3], const float *u[3],
                        const int at[3])
{
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        int next[3];
        beside(at, a, 1, next);
        size_t upper = faces_index(b, next), lower = faces_index(b, at);
        sum += (open[a][upper] / 255.0 * (double)u[a][upper] -
                open[a][lower] / 255.0 * (double)u[a][lower]) /
               b->h[a];
    }
    return sum;
}

/* Pressure of a cell that may lie beyond a side. */
static double pressure(const faces_box *b, const double *p, const int at[3])
{
    int in[3];
    for (int a = 0; a < 3; a++) {
        in[a] = wraps(b, a) ? around(at[a], b->n[a]) : at[a];
        if (in[a] < 0 || in[a] >= b->n[a])
            return 0;
    }
    return p[faces_index(b, in)];
}

double faces_laplacian(const faces_box *b, const uint8_t *open[3], const double *p, const int at[3],
                       int *open_faces)
{
    double sum = 0;
    *open_faces = 0;
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++) {
            int face[3], cell[3];
            beside(at, a, side, face);
            beside(at, a, 2 * side - 1, cell);
            uint8_t openness = open[a][faces_index(b, face)];
            *open_faces += openness > 0;
            sum += openness / 255.0 * (pressure(b, p, cell) - pressure(b, p, at)) /
                   (b->h[a] * b->h[a]);
        }
    return sum;
}

static double dot(const faces_box *b, const double *x, const double *y)
{
    double sum = 0;
    EACH_OF(b, FACES_CELLS, at)
    sum += x[faces_index(b, at)] * y[faces_index(b, at)];
    return sum;
}

void faces_solve(const faces_box *b, const uint8_t *open[3], const double *div, double *p)
{
    const size_t count = faces_count(b);
    double *r = calloc(count, sizeof *r), *d = calloc(count, sizeof *d),
           *q = calloc(count, sizeof *q);
    int open_faces;
    memset(p, 0, count * sizeof *p);
    EACH_OF(b, FACES_CELLS, at)
    {
        size_t c = faces_index(b, at);
        faces_laplacian(b, open, p, at, &open_faces);
        d[c] = r[c] = open_faces > 0 ? div[c] : 0;
    }
    double first = dot(b, r, r), now = first;
    for (int n = 0; n < 10000 && now > 1e-20 * first; n++) {
        EACH_OF(b, FACES_CELLS, at)
        q[faces_index(b, at)] = faces_laplacian(b, open, d, at, &open_faces);
        double alpha = now / dot(b, d, q), before = now;
        for (size_t c = 0; c < count; c++) {
            p[c] += alpha * d[c];
            r[c] -= alpha * q[c];
        }
        now = dot(b, r, r);
        for (size_t c = 0; c < count; c++)
            d[c] = r[c] + now / before * d[c];
    }
    free(r);
    free(d);
    free(q);
}

double faces_projected(const faces_box *b, double max_speed, const uint8_t *open[3],
                       const double *p, const float *u, int axis, const int at[3])
{
    int below[3];
    beside(at, axis, -1, below);
    if (open[axis][faces_index(b, at)] == 0)
        return 0;
    double now =
        (double)u[faces_index(b, at)] - (pressure(b, p, at) - pressure(b, p, below)) / b->h[axis];
    return max_speed > 0 ? fmin(fmax(now, -max_speed), max_speed) : now;
}

void faces_center(const faces_box *b, const uint8_t *open[3], const float *u[3], const int at[3],
                  double out[3])
{
    for (int a = 0; a < 3; a++) {
        double sum = 0, count = 0;
        for (int side = 0; side < 2; side++) {
            int face[3];
            beside(at, a, side, face);
            size_t c = faces_index(b, face);
            if (a != 1 && open[a][c] == 0)
                continue; /* along the ground what a closed face holds means nothing */
            sum += (double)u[a][c];
            count++;
        }
        out[a] = count > 0 ? sum / count : 0;
    }
}
