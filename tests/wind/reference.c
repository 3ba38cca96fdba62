/* SPDX-License-Identifier: MIT */
#include "wind/reference.h"

#include <foehn/noise.h>
#include <foehn/profile.h>
#include <math.h>
#include <string.h>

size_t reference_cell(const reference_box *b, int i, int j, int k)
{
    return ((size_t)k * (size_t)b->ny + (size_t)j) * (size_t)b->nx + (size_t)i;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double blend(double a, double b, double t)
{
    return a + (b - a) * t;
}

double reference_ground(const terrain_map *t, const float *heights, int i, int k)
{
    double x = (double)t->x0 + (i + 0.5) * (double)t->dx;
    double z = (double)t->z0 + (k + 0.5) * (double)t->dz;
    x = fmin(fmax(x, 0), t->nx - 1);
    z = fmin(fmax(z, 0), t->nz - 1);
    int a = (int)floor(x), c = (int)floor(z);
    int ap = clamped(a + 1, t->nx), cp = clamped(c + 1, t->nz);
    const float *row = heights + (size_t)c * (size_t)t->nx,
                *next = heights + (size_t)cp * (size_t)t->nx;
    return blend(blend((double)row[a], (double)row[ap], x - a),
                 blend((double)next[a], (double)next[ap], x - a), z - c);
}

/* ---- neighbours ---- */

typedef enum beyond {
    CELL, /* a fluid cell */
    WALL, /* solid, floor or lid */
    SIDE  /* an open side of the box */
} beyond;

/* What lies on the far side of a face of a fluid cell, and which cell that is. */
static beyond look(const reference_box *b, int i, int j, int k, int axis, int step, size_t *cell)
{
    int place[3] = {i, j, k};
    const int n[3] = {b->nx, b->ny, b->nz};
    place[axis] += step;
    if (place[axis] < 0 || place[axis] >= n[axis]) {
        if (axis == 1)
            return WALL;
        if (!b->periodic)
            return SIDE;
        place[axis] = (place[axis] + n[axis]) % n[axis];
    }
    *cell = reference_cell(b, place[0], place[1], place[2]);
    return b->solid[*cell] ? WALL : CELL;
}

void reference_faces(const reference_box *b, int i, int j, int k, int *open, int *wall)
{
    static const int bits[3][2] = {{FACE_XM, FACE_XP}, {FACE_YM, FACE_YP}, {FACE_ZM, FACE_ZP}};
    size_t cell;
    *open = *wall = 0;
    if (b->solid[reference_cell(b, i, j, k)]) {
        *open = *wall = CELL_SOLID;
        return;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            switch (look(b, i, j, k, axis, 2 * side - 1, &cell)) {
            case CELL: *open |= bits[axis][side]; break;
            case WALL: *wall |= bits[axis][side]; break;
            case SIDE: break;
            }
}

/* A velocity's normal component beyond a face: mirrored at a wall, one's own at a side. */
static double normal(const reference_box *b, const float *u, int i, int j, int k, int axis,
                     int step)
{
    size_t there, here = reference_cell(b, i, j, k);
    switch (look(b, i, j, k, axis, step, &there)) {
    case CELL: return (double)u[there];
    case WALL: return -(double)u[here];
    case SIDE: break;
    }
    return (double)u[here];
}

/* Pressure beyond a face: one's own at all but fluid cells. */
static double pressure(const reference_box *b, const float *p, int i, int j, int k, int axis,
                       int step)
{
    size_t there, here = reference_cell(b, i, j, k);
    return look(b, i, j, k, axis, step, &there) == CELL ? (double)p[there] : (double)p[here];
}

/* ---- one step ---- */

static double log_profile(double z, double z0)
{
    return log(fmax(z, z0) / z0) / log(10 / z0);
}

static double fade(double t)
{
    return 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3);
}

static double fade_slope(double t)
{
    return 30 * pow(t, 4) - 60 * pow(t, 3) + 30 * t * t;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int n = 0; n < 3; n++)
        out[n] = a[(n + 1) % 3] * b[(n + 2) % 3] - a[(n + 2) % 3] * b[(n + 1) % 3];
}

/* curl(A psi) = A curl psi + grad A x psi, summed over octaves. */
static void curl_noise(const wind_forcing *f, const double x[3], double height,
                       const double uphill[3], double out[3])
{
    static const double weight[2] = {(double)FOEHN_OCTAVE_WEIGHT_0, (double)FOEHN_OCTAVE_WEIGHT_1};
    double t = fmin(fmax(height / (double)f->ramp, 0), 1), grad[3];
    for (int a = 0; a < 3; a++)
        grad[a] = fade_slope(t) / (double)f->ramp * uphill[a];
    memset(out, 0, 3 * sizeof *out);
    for (int o = 0; o < 2; o++) {
        double length = (double)f->wavelength[o], fraction[3], turned[3];
        int cell[3];
        for (int a = 0; a < 3; a++) {
            double place = (double)f->cell[o][a] + (double)f->fraction[o][a] + x[a] / length;
            cell[a] = (int)floor(place);
            fraction[a] = place - cell[a];
        }
        foehn_curl_d c;
        foehn_curl_noise_d(cell[0], cell[1], cell[2], fraction[0], fraction[1], fraction[2],
                           f->offset_x[o], f->offset_y[o], f->offset_z[o], &c);
        const double psi[3] = {length * c.psi_x, length * c.psi_y, length * c.psi_z};
        const double curl[3] = {c.x, c.y, c.z};
        cross(grad, psi, turned);
        for (int a = 0; a < 3; a++)
            out[a] += (double)f->curl_amplitude * (double)FOEHN_CURL_NORMALISE * weight[o] *
                      (fade(t) * curl[a] + turned[a]);
    }
}

void reference_force(const reference_box *b, const wind_forcing *f, const double *ground,
                     const double *slope_x, const double *slope_z, const float *in[3],
                     double *out[3], double *curl)
{
    for (int k = 0; k < b->nz; k++)
        for (int j = 0; j < b->ny; j++)
            for (int i = 0; i < b->nx; i++) {
                size_t c = reference_cell(b, i, j, k), q = (size_t)k * (size_t)b->nx + (size_t)i;
                const double x[3] = {(i + 0.5) * b->hx, (j + 0.5) * b->hy, (k + 0.5) * b->hz};
                const double uphill[3] = {-slope_x[q], 1, -slope_z[q]};
                double height = b->floor_y + x[1] - ground[q];
                double profile = log_profile(height, (double)f->z0), noise[3];
                curl_noise(f, x, height, uphill, noise);
                double target[3] = {noise[0] + (double)f->dx * (double)f->u10 * profile, noise[1],
                                    noise[2] + (double)f->dz * (double)f->u10 * profile};
                for (int n = 0; n < WIND_GUSTS; n++) {
                    wind_gust g = f->gust[n];
                    double t = (x[0] * (double)g.dx + x[2] * (double)g.dz - (double)g.position) *
                               (double)g.inverse;
                    double shape = fabs(t) < 1 ? pow(1 - t * t, 2) : 0;
                    double speed = (double)g.strength * shape * fmin(profile, 1);
                    target[0] += speed * (double)g.dx;
                    target[2] += speed * (double)g.dz;
                }
                for (int a = 0; a < 3; a++)
                    out[a][c] =
                        (double)in[a][c] +
                        (b->solid[c] ? 0 : (double)f->gain * (target[a] - (double)in[a][c]));
                curl[c] = sqrt(noise[0] * noise[0] + noise[1] * noise[1] + noise[2] * noise[2]);
            }
}

/* A cell that may lie beyond the box: wrapped or nearest along x and z; along y the nearest, and
 * mirrored if asked for. */
static double padded(const reference_box *b, const float *u, int i, int j, int k, bool mirrored)
{
    i = b->periodic ? (i + b->nx) % b->nx : clamped(i, b->nx);
    k = b->periodic ? (k + b->nz) % b->nz : clamped(k, b->nz);
    double sign = mirrored && (j < 0 || j >= b->ny) ? -1 : 1;
    return sign * (double)u[reference_cell(b, i, clamped(j, b->ny), k)];
}

static double trilinear(const reference_box *b, const float *u, double x, double y, double z,
                        bool mirrored)
{
    double f[3] = {x - 0.5, y - 0.5, z - 0.5}, sum = 0;
    int c[3];
    for (int a = 0; a < 3; a++) {
        c[a] = (int)floor(f[a]);
        f[a] -= c[a];
    }
    for (int n = 0; n < 8; n++) {
        int i = n & 1, j = n >> 1 & 1, k = n >> 2;
        sum += (i ? f[0] : 1 - f[0]) * (j ? f[1] : 1 - f[1]) * (k ? f[2] : 1 - f[2]) *
               padded(b, u, c[0] + i, c[1] + j, c[2] + k, mirrored);
    }
    return sum;
}

void reference_advect(const reference_box *b, double dt, const float *in[3], double *out[3])
{
    for (int k = 0; k < b->nz; k++)
        for (int j = 0; j < b->ny; j++)
            for (int i = 0; i < b->nx; i++) {
                size_t c = reference_cell(b, i, j, k);
                double x = i + 0.5 - dt * (double)in[0][c] / b->hx;
                double y = j + 0.5 - dt * (double)in[1][c] / b->hy;
                double z = k + 0.5 - dt * (double)in[2][c] / b->hz;
                y = fmin(fmax(y, 0), b->ny);
                if (b->periodic) {
                    x -= b->nx * floor(x / b->nx);
                    z -= b->nz * floor(z / b->nz);
                } else {
                    x = fmin(fmax(x, 0), b->nx);
                    z = fmin(fmax(z, 0), b->nz);
                }
                for (int a = 0; a < 3; a++)
                    out[a][c] = b->solid[c] ? 0 : trilinear(b, in[a], x, y, z, a == 1);
            }
}

void reference_divergence(const reference_box *b, const float *in[3], double *div)
{
    const double h[3] = {b->hx, b->hy, b->hz};
    for (int k = 0; k < b->nz; k++)
        for (int j = 0; j < b->ny; j++)
            for (int i = 0; i < b->nx; i++) {
                size_t c = reference_cell(b, i, j, k);
                div[c] = 0;
                for (int a = 0; a < 3 && !b->solid[c]; a++)
                    div[c] += (normal(b, in[a], i, j, k, a, 1) - normal(b, in[a], i, j, k, a, -1)) /
                              (2 * h[a]);
            }
}

double reference_residual(const reference_box *b, const float *div, const float *p, int i, int j,
                          int k)
{
    const double h[3] = {b->hx, b->hy, b->hz};
    size_t c = reference_cell(b, i, j, k);
    double laplacian = 0;
    for (int a = 0; a < 3 && !b->solid[c]; a++)
        laplacian +=
            (pressure(b, p, i, j, k, a, 1) - 2 * (double)p[c] + pressure(b, p, i, j, k, a, -1)) /
            (h[a] * h[a]);
    return laplacian - (double)div[c];
}

void reference_sweep(const reference_box *b, const float *div, const float *p, double *next)
{
    double diagonal = 2 / (b->hx * b->hx) + 2 / (b->hy * b->hy) + 2 / (b->hz * b->hz);
    for (int k = 0; k < b->nz; k++)
        for (int j = 0; j < b->ny; j++)
            for (int i = 0; i < b->nx; i++) {
                size_t c = reference_cell(b, i, j, k);
                next[c] = (double)p[c] + reference_residual(b, div, p, i, j, k) / diagonal;
            }
}

void reference_project(const reference_box *b, double max_speed, const float *p, const float *in[3],
                       double *out[3])
{
    const double h[3] = {b->hx, b->hy, b->hz};
    for (int k = 0; k < b->nz; k++)
        for (int j = 0; j < b->ny; j++)
            for (int i = 0; i < b->nx; i++) {
                size_t c = reference_cell(b, i, j, k);
                double squares = 0;
                for (int a = 0; a < 3; a++) {
                    double slope =
                        b->solid[c]
                            ? 0
                            : (pressure(b, p, i, j, k, a, 1) - pressure(b, p, i, j, k, a, -1)) /
                                  (2 * h[a]);
                    out[a][c] = (double)in[a][c] - slope;
                    squares += out[a][c] * out[a][c];
                }
                double speed = sqrt(squares);
                for (int a = 0; a < 3 && max_speed > 0 && speed > max_speed; a++)
                    out[a][c] *= max_speed / speed;
            }
}

/* ---- reading ---- */

static void column(const reference_box *b, double z0, bool mean, int i, int k, double height,
                   const float *ground, const float *in[3], const float *a, const float *square,
                   double out[4])
{
    double base = (double)ground[(size_t)k * (size_t)b->nx + (size_t)i] - b->floor_y;
    double least = fmax(0.25 * b->hy, 2 * z0); /* a centre nearer to the ground says nothing */
    int first = 0;
    while (first < b->ny - 1 && (first + 0.5) * b->hy - base < least)
        first++;
    int low = first;
    while (low < b->ny - 1 && (low + 1.5) * b->hy - base <= height)
        low++;
    int high = low < b->ny - 1 ? low + 1 : low;
    double z[2] = {fmax((low + 0.5) * b->hy - base, least),
                   fmax((high + 0.5) * b->hy - base, least)};
    const int level[2] = {low, high};
    double t = high > low ? (height - ((low + 0.5) * b->hy - base)) / b->hy : 0;
    t = fmin(fmax(t, 0), 1);
    double scale = log_profile(fmin(height, z[1]), z0);
    memset(out, 0, 4 * sizeof *out);
    for (int n = 0; n < 2; n++) {
        size_t c = reference_cell(b, i, level[n], k);
        double weight = n ? t : 1 - t, squares = 0;
        for (int m = 0; m < 3; m++) {
            out[m] += weight * (double)in[m][c] * scale / log_profile(z[n], z0);
            squares += (double)in[m][c] * (double)in[m][c];
        }
        double speed = (double)a[c];
        out[3] +=
            weight * (mean ? sqrt(fmax((double)square[c] - speed * speed, 0)) / fmax(speed, 0.1)
                           : speed / fmax(sqrt(squares), 0.1));
    }
}

void reference_point(const reference_box *b, double z0, bool mean, double x, double z,
                     double height, const float *ground, const float *in[3], const float *a,
                     const float *square, double out[4])
{
    double s = fmin(fmax(x - 0.5, 0), b->nx - 1), r = fmin(fmax(z - 0.5, 0), b->nz - 1);
    int i = (int)s, k = (int)r;
    s -= i;
    r -= k;
    memset(out, 0, 4 * sizeof *out);
    for (int n = 0; n < 4; n++) {
        double wind[4], weight = (n & 1 ? s : 1 - s) * (n & 2 ? r : 1 - r);
        column(b, z0, mean, clamped(i + (n & 1), b->nx), clamped(k + (n >> 1), b->nz), height,
               ground, in, a, square, wind);
        for (int m = 0; m < 4; m++)
            out[m] += weight * wind[m];
    }
}

unsigned short reference_half(float x)
{
    unsigned short sign = signbit(x) ? 0x8000 : 0;
    double value = fabs((double)x);
    if (isnan(x))
        return sign | 0x7e00;
    if (value >= 65520)
        return sign | 0x7c00;
    int exponent = value > 0 ? ilogb(value) : -15;
    if (exponent < -14) /* subnormal: steps of 2^-24; 1024 of them carry into the exponent */
        return sign | (unsigned short)nearbyint(ldexp(value, 24));
    double steps = nearbyint(ldexp(value, 10 - exponent)); /* 1024 to 2048 */
    return sign | (unsigned short)(((exponent + 14) << 10) + (int)steps);
}
