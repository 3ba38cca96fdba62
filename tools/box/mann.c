/* SPDX-License-Identifier: MIT */
/* Turbulence of Mann's tensor (Mann 1998, Prob. Engng. Mech. 13): each wave vector of the box gets
 * complex normal numbers whose covariance is the tensor's, and an inverse Fourier transform makes
 * wind of them.
 *
 * Along an axis that is not to be periodic the box is made twice as long, and half of it kept. Wave
 * vectors are worked on plane by plane of k1 >= 0: covariances, numbers, and at once the transforms
 * along y and z, of which only the part that is kept goes to memory; then, y by y, the transform
 * along x.  Memory costs more than arithmetic: what lies between the two are the box's own arrays,
 * where x is periodic, with the real part of a wave number in one row and the imaginary in the
 * next. */
#include "config.h"

#include "box/mann.h"

#include "box/large.h"
#include "box/parallel.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- the covariance of the wave vectors of a plane ---- */

/* Modes of large eddies, this many from k2 = 0 and k3 = 0, are averaged; farther out the tensor is
 * smooth. */
enum { AVERAGED = 4, ALIAS_KNOTS = 64, ALIAS_SIDE = 9 };

static double wave(const mann_modes *m, int axis, int index)
{
    return (index <= m->n[axis] / 2 ? index : index - m->n[axis]) * m->dk[axis];
}

/* The mean of the tensor over a cell of wave numbers, so that what the cell stands for is in it:
 * the correlation at a distance y is that of the tensor times sinc(pi y / L2).  Or with the weight
 * sinc^2 over the two cells around: times 1 - y / L2.  Points crowd around the axes, where the
 * tensor bends. */
static void average(const mann_modes *m, double k1, int j, int k, float out[PAIRS])
{
    float a1[LANES], a2[LANES], a3[LANES], value[PAIRS][LANES];
    double sum[PAIRS] = {0}, total = 0;
    for (int row = 0; row < LANES; row++) {
        double weight[LANES];
        for (int l = 0; l < LANES; l++) {
            double t2 = (row + 0.5) * 2 / LANES - 1, t3 = (l + 0.5) * 2 / LANES - 1;
            double y = j ? t2 : t2 * t2 * t2, z = k ? t3 : t3 * t3 * t3;
            weight[l] = (j ? 1 : 3 * t2 * t2) * (k ? 1 : 3 * t3 * t3);
            if (m->p->sinc)
                weight[l] *= pow(sin(PI * y) / (PI * y) * sin(PI * z) / (PI * z), 2);
            double half = m->p->sinc ? 1 : 0.5;
            total += weight[l];
            a1[l] = (float)k1;
            a2[l] = (float)((j + half * y) * m->dk[1]);
            a3[l] = (float)((k + half * z) * m->dk[2]);
        }
        tensor_at(a1, a2, a3, m->gamma, value);
        for (int p = 0; p < PAIRS; p++)
            for (int l = 0; l < LANES; l++)
                sum[p] += (double)value[p][l] * weight[l];
    }
    for (int p = 0; p < PAIRS; p++)
        out[p] = (float)(sum[p] / total);
}

/* Add the tensor at wave numbers that the grid takes for (k2, k3): those `stride` and more times 2
 * pi / dy and 2 pi / dz away, 80 of them; of stride 3 and more each stands for stride^2, and the
 * innermost are in the last. */
static void add_aliases(const mann_modes *m, double k1, double k2, double k3, int stride,
                        double sum[PAIRS])
{
    double period2 = 2 * PI / m->d[1], period3 = 2 * PI / m->d[2];
    float a1[LANES], a2[LANES], a3[LANES], value[PAIRS][LANES];
    int lane = 0;
    for (int a = -4; a <= 4; a++)
        for (int b = -4; b <= 4; b++) {
            if (stride == 1 ? !a && !b : abs(a) <= 1 && abs(b) <= 1)
                continue;
            a1[lane] = (float)k1;
            a2[lane] = (float)(k2 + a * stride * period2);
            a3[lane] = (float)(k3 + b * stride * period3);
            if (++lane < LANES && !(a == 4 && b == 4))
                continue;
            int filled = lane;
            for (; lane < LANES; lane++)
                a1[lane] = a1[0], a2[lane] = a2[0], a3[lane] = a3[0];
            tensor_at(a1, a2, a3, m->gamma, value);
            for (int p = 0; p < PAIRS; p++)
                for (int l = 0; l < filled; l++)
                    sum[p] += (double)value[p][l] * stride * stride;
            lane = 0;
        }
}

/* What makes the table even: aliases lie around k2 = 2 pi / dy, and fall as the tensor beyond it.
 */
static double alias_scale(const mann_modes *m, double k1)
{
    double period = 2 * PI / fmax(m->d[1], m->d[2]);
    return pow(period * period + k1 * k1, 11 / 6.0);
}

/* Values at knots of k1 and of k2, for all k3 between ALIAS_SIDE of them on either side of 0. */
static int make_aliases(mann_modes *m)
{
    size_t width = (size_t)m->width;
    m->aliases = calloc(ALIAS_KNOTS * PAIRS * ALIAS_SIDE * width, sizeof *m->aliases);
    if (!m->aliases)
        return fail_memory();
    for (int knot = 0; knot < ALIAS_KNOTS; knot++) {
        double k1 = m->dk[0] * pow(m->n[0] / 2.0 + 1, knot / (ALIAS_KNOTS - 1.0));
        double scale = alias_scale(m, k1), far[PAIRS] = {0};
        for (int stride = 3; stride <= 81; stride *= 3)
            add_aliases(m, k1, 0, 0, stride, far);
        for (int j = 0; j < ALIAS_SIDE; j++) {
            double value[2 * ALIAS_SIDE - 1][PAIRS] = {{0}};
            for (int k = 0; k < 2 * ALIAS_SIDE - 1; k++)
                add_aliases(m, k1, PI / m->d[1] * j / (ALIAS_SIDE - 1),
                            PI / m->d[2] * (k - ALIAS_SIDE + 1) / (ALIAS_SIDE - 1), 1, value[k]);
            for (int p = 0; p < PAIRS; p++)
                for (int k = 0; k < m->n[2]; k++) {
                    double at = (wave(m, 2, k) * m->d[2] / PI + 1) * (ALIAS_SIDE - 1);
                    int cell = (int)fmin(at, 2 * ALIAS_SIDE - 3);
                    double between =
                        value[cell][p] + (at - cell) * (value[cell + 1][p] - value[cell][p]);
                    m->aliases[(((size_t)knot * PAIRS + (size_t)p) * ALIAS_SIDE + (size_t)j) *
                                   width +
                               (size_t)k] = (float)((between + far[p]) * scale);
                }
        }
    }
    return STATUS_OK;
}

/* The table at this k1: plane->alias[PAIRS][ALIAS_SIDE][width]. */
static void alias_plane(const mann_modes *m, double k1, mann_plane *plane)
{
    size_t values = PAIRS * ALIAS_SIDE * (size_t)m->width;
    double at = log(fmax(k1 / m->dk[0], 1)) / log(m->n[0] / 2.0 + 1) * (ALIAS_KNOTS - 1);
    int knot = (int)fmin(at, ALIAS_KNOTS - 2);
    double scale = 1 / alias_scale(m, k1);
    float here = (float)(scale * (knot + 1 - at)), next = (float)(scale * (at - knot));
    const float *first = m->aliases + (size_t)knot * values;
    for (size_t i = 0; i < values; i++)
        plane->alias[i] = here * first[i] + next * first[i + values];
}

/* Add what lies between two rows of the table, and scale. */
WIDE_LANES
static void finish(float *restrict covariance, const float *restrict here,
                   const float *restrict next, float t, float scale)
{
    EACH_LANE covariance[l] = scale * (covariance[l] + here[l] + t * (next[l] - here[l]));
}

static void finish_row(const mann_modes *m, int j, mann_plane *plane)
{
    size_t width = (size_t)m->width;
    double y = j * m->dk[1] * m->d[1] / PI * (ALIAS_SIDE - 1);
    size_t cell = (size_t)fmin(y, ALIAS_SIDE - 2);
    for (size_t p = 0; p < PAIRS; p++)
        for (size_t k = 0; k < width; k += LANES) {
            const float *alias = plane->alias + (p * ALIAS_SIDE + cell) * width + k;
            finish(plane->covariance[p] + (size_t)j * width + k, alias, alias + width,
                   (float)(y - (double)cell), m->scale);
        }
}

/* One row, k2 >= 0. */
static void covary_row(const mann_modes *m, double k1, int j, mann_plane *plane)
{
    float a1[LANES], a2[LANES], a3[LANES], value[PAIRS][LANES];
    double k2 = j * m->dk[1];
    for (int first = 0; first < m->width; first += LANES) {
        for (int l = 0; l < LANES; l++) {
            a1[l] = (float)k1;
            a2[l] = (float)k2;
            a3[l] = (float)wave(m, 2, first + l);
        }
        tensor_at(a1, a2, a3, m->gamma, value);
        for (int p = 0; p < PAIRS; p++)
            memcpy(plane->covariance[p] + (size_t)j * (size_t)m->width + first, value[p],
                   sizeof value[p]);
    }
    double limit = fmax(3, 2 * fmax(m->dk[1], m->dk[2]));
    if (j <= AVERAGED && 2 * j < m->n[1] && k1 < limit)
        for (int k = -AVERAGED; k <= AVERAGED; k++) {
            float mean[PAIRS];
            if (2 * abs(k) >= m->n[2])
                continue;
            average(m, fmax(k1, (double)LEAST_K1), j, k, mean);
            for (int p = 0; p < PAIRS; p++)
                plane->covariance[p][j * m->width + (k < 0 ? k + m->n[2] : k)] = mean[p];
        }
    finish_row(m, j, plane);
}

void mann_covary(const mann_modes *m, int i, mann_plane *plane)
{
    double k1 = wave(m, 0, i);
    if (m->aliases)
        alias_plane(m, k1, plane);
    for (int j = 0; 2 * j <= m->n[1]; j++) {
        covary_row(m, k1, j, plane);
        int mirror = m->n[1] - j; /* k2 < 0: what has one v changes its sign */
        if (j == 0 || mirror == j)
            continue;
        for (int p = 0; p < PAIRS; p++) {
            float sign = p == UV || p == VW ? -1 : 1;
            const float *from = plane->covariance[p] + (size_t)j * (size_t)m->width;
            float *to = plane->covariance[p] + (size_t)mirror * (size_t)m->width;
            for (int k = 0; k < m->width; k++)
                to[k] = sign * from[k];
        }
    }
    for (int p = 0; p < PAIRS && i == 0; p++)
        plane->covariance[p][0] = 0; /* the mean */
}

/* ---- numbers ---- */

/* Complex normal numbers of this covariance: its Cholesky factor times independent ones. */
WIDE_LANES
static void colour(lane_random *random, float *const covariance[PAIRS], float (*restrict re)[LANES],
                   float (*restrict im)[LANES])
{
    float n[3][2][LANES];
    for (int c = 0; c < 3; c++)
        lane_normal(random, n[c][0], n[c][1]);
    const float *restrict uu = covariance[UU], *restrict vv = covariance[VV],
                          *restrict ww = covariance[WW];
    const float *restrict uv = covariance[UV], *restrict uw = covariance[UW],
                          *restrict vw = covariance[VW];
    EACH_LANE
    {
        float l11 = sqrtf(uu[l]), inverse = 1 / (l11 + 1e-30f);
        float l21 = uv[l] * inverse, l31 = uw[l] * inverse;
        float rest2 = vv[l] - l21 * l21, rest3 = ww[l] - l31 * l31;
        rest2 = rest2 > 0 ? rest2 : 0;
        rest3 = rest3 > 0 ? rest3 : 0;
        float l22 = sqrtf(rest2), most = sqrtf(rest3);
        /* The tensor has rank 2: what should be nothing may be a rounding error over another. */
        float l32 = (vw[l] - l31 * l21) / (l22 + 1e-30f);
        l32 = l32 > most ? most : l32 < -most ? -most : l32;
        float rest = rest3 - l32 * l32;
        float l33 = sqrtf(rest > 0 ? rest : 0);
        re[0][l] = l11 * n[0][0][l];
        im[0][l] = l11 * n[0][1][l];
        re[1][l] = l21 * n[0][0][l] + l22 * n[1][0][l];
        im[1][l] = l21 * n[0][1][l] + l22 * n[1][1][l];
        re[2][l] = l31 * n[0][0][l] + l32 * n[1][0][l] + l33 * n[2][0][l];
        im[2][l] = l31 * n[0][1][l] + l32 * n[1][1][l] + l33 * n[2][1][l];
    }
}

static void throw_numbers(const mann_modes *m, int i, mann_plane *plane)
{
    lane_random random;
    lane_seed(&random, m->seed, (uint64_t)i);
    for (int j = 0; j < m->n[1]; j++)
        for (int first = 0; first < m->width; first += LANES) {
            size_t at = (size_t)j * (size_t)m->width + (size_t)first;
            float *covariance[PAIRS], re[3][LANES], im[3][LANES];
            for (int p = 0; p < PAIRS; p++)
                covariance[p] = plane->covariance[p] + at;
            colour(&random, covariance, re, im);
            for (int c = 0; c < 3; c++)
                for (int l = 0; l < LANES; l++) {
                    plane->mode[c][at + (size_t)l][0] = re[c][l];
                    plane->mode[c][at + (size_t)l][1] = im[c][l];
                }
        }
    /* Of k1 = 0 and the last, the transform takes the real part only, half of the variance. */
    size_t area = (size_t)m->n[1] * (size_t)m->width;
    if (i == 0 || 2 * i == m->n[0])
        for (int c = 0; c < 3; c++)
            for (size_t at = 0; at < area; at++)
                for (int part = 0; part < 2; part++)
                    plane->mode[c][at][part] *= 1.41421356f;
}

/* What constraints add: covariance times the transform of their weights. */
static void add_constraints(const mann_modes *m, int i, mann_plane *plane)
{
    static const int pair[3][3] = {{UU, UV, UW}, {UV, VV, VW}, {UW, VW, WW}};
    size_t area = (size_t)m->n[1] * (size_t)m->n[2];
    for (int j = 0; j < m->n[1]; j++)
        for (int k = 0; k < m->n[2]; k++) {
            size_t at = (size_t)(j * m->width + k),
                   from = (size_t)i * area + (size_t)(j * m->n[2] + k);
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    for (int part = 0; part < 2; part++)
                        plane->mode[c][at][part] +=
                            plane->covariance[pair[c][d]][at] * m->added[d][from][part];
        }
}

/* ---- transforms ---- */

/* A row of what lies between the transforms: real and imaginary parts of the wave numbers along x
 * in the order r0, r1, i1, r2, i2 ..., whose imaginary parts at 0 and at the last are not needed.
 */
static float *line_row(const mann_modes *m, int c, int row, int j)
{
    return m->lines[c] + ((size_t)row * (size_t)m->b->n[1] + (size_t)j) * (size_t)m->b->n[2];
}

/* Planes of k1: numbers and the transforms along y and z. */
static void do_plane(void *data, int i, int thread)
{
    mann_modes *m = data;
    mann_plane *plane = &m->planes[thread];
    const bool real = i == 0 || 2 * i == m->n[0];
    mann_covary(m, i, plane);
    throw_numbers(m, i, plane);
    if (m->added[0])
        add_constraints(m, i, plane);
    for (int c = 0; c < 3; c++) {
        fftwf_execute_dft(m->along_y, plane->mode[c], plane->mode[c]);
        fftwf_execute_dft(m->along_z, plane->mode[c], plane->mode[c]);
        for (int j = 0; j < m->b->n[1]; j++)
            for (int part = 0; part < (real ? 1 : 2); part++) {
                float *to = line_row(m, c, i ? 2 * i - 1 + part : 0, j);
                const fftwf_complex *from = plane->mode[c] + (size_t)j * (size_t)m->width;
                for (int k = 0; k < m->b->n[2]; k++)
                    to[k] = from[k][part];
            }
    }
}

/* Slabs of y: the transform along x, LANES lines at a time, each by itself in memory. */
static void do_slab(void *data, int part, int thread)
{
    mann_modes *m = data;
    mann_slab *slab = &m->slabs[thread];
    const int c = part / m->b->n[1], j = part % m->b->n[1], nz = m->b->n[2];
    for (int first = 0; first < nz; first += LANES) {
        const int lines = nz - first < LANES ? nz - first : LANES;
        for (int i = 0; i < m->half; i++) {
            const bool real = i == 0 || 2 * i == m->n[0];
            const float *re = line_row(m, c, i ? 2 * i - 1 : 0, j) + first;
            const float *im = real ? re : line_row(m, c, 2 * i, j) + first;
            for (int l = 0; l < lines; l++) {
                slab->modes[l * m->stride + i][0] = re[l];
                slab->modes[l * m->stride + i][1] = real ? 0 : im[l];
            }
        }
        for (int l = 0; l < lines; l++)
            fftwf_execute_dft_c2r(m->along_x, slab->modes + l * m->stride,
                                  slab->wind + 2 * l * m->stride);
        for (int i = 0; i < m->b->n[0]; i++) {
            float *to = m->b->component[c] +
                        ((size_t)i * (size_t)m->b->n[1] + (size_t)j) * (size_t)nz + first;
            for (int l = 0; l < lines; l++)
                to[l] = slab->wind[2 * l * m->stride + i];
        }
    }
}

static int make_plans(mann_modes *m)
{
    int n1 = m->n[0], n2 = m->n[1], n3 = m->n[2], ny = m->b->n[1];
    fftwf_complex *mode = m->planes[0].mode[0];
    mann_slab *slab = &m->slabs[0];
    m->along_y = fftwf_plan_many_dft(1, &n2, n3, mode, NULL, m->width, 1, mode, NULL, m->width, 1,
                                     FFTW_BACKWARD, FFTW_ESTIMATE);
    m->along_z = fftwf_plan_many_dft(1, &n3, ny, mode, NULL, 1, m->width, mode, NULL, 1, m->width,
                                     FFTW_BACKWARD, FFTW_ESTIMATE);
    m->along_x = fftwf_plan_dft_c2r_1d(n1, slab->modes, slab->wind, FFTW_ESTIMATE);
    return m->along_x && m->along_y && m->along_z
               ? STATUS_OK
               : fail(STATUS_FAILED, "FFTW cannot plan %d x %d x %d points", n1, n2, n3);
}

int mann_modes_create(mann_modes *m, box *b, const mann_params *p, uint64_t seed)
{
    *m = (mann_modes){.b = b, .p = p, .seed = seed, .gamma = (float)p->gamma};
    for (int a = 0; a < 3; a++) {
        m->n[a] = b->periodic[a] ? b->n[a] : 2 * b->n[a];
        m->d[a] = b->d[a] / p->length;
        m->dk[a] = 2 * PI / (m->n[a] * m->d[a]);
    }
    m->half = m->n[0] / 2 + 1;
    m->width = (m->n[2] + LANES - 1) / LANES * LANES;
    m->stride = ((size_t)m->half / LANES + 1) * LANES + 8; /* no power of two: caches */
    m->scale = (float)(p->energy * pow(p->length, 2 / 3.0) * m->dk[0] * m->dk[1] * m->dk[2]);
    m->threads = parallel_threads();
    m->planes = calloc((size_t)m->threads, sizeof *m->planes);
    m->slabs = calloc((size_t)m->threads, sizeof *m->slabs);
    if (!m->planes || !m->slabs)
        return fail_memory();
    size_t area = (size_t)m->n[1] * (size_t)m->width;
    for (int t = 0; t < m->threads; t++) {
        mann_plane *plane = &m->planes[t];
        mann_slab *slab = &m->slabs[t];
        for (int q = 0; q < PAIRS; q++)
            if (!(plane->covariance[q] = fftwf_alloc_real(area)))
                return fail_memory();
        for (int c = 0; c < 3; c++)
            if (!(plane->mode[c] = fftwf_alloc_complex(area)))
                return fail_memory();
        if (!(plane->alias = calloc(PAIRS * ALIAS_SIDE * (size_t)m->width, sizeof *plane->alias)))
            return fail_memory();
        slab->modes = fftwf_alloc_complex(LANES * m->stride);
        slab->wind = fftwf_alloc_real(2 * LANES * m->stride);
        if (!slab->modes || !slab->wind)
            return fail_memory();
    }
    for (int c = 0; c < 3; c++) {
        size_t size = (size_t)m->n[0] * (size_t)b->n[1] * (size_t)b->n[2] * sizeof(float);
        m->lines[c] = b->periodic[0] ? b->component[c] : large_alloc(size);
        if (!m->lines[c])
            return fail_memory();
    }
    int status = p->points ? make_aliases(m) : STATUS_OK;
    return status == STATUS_OK ? make_plans(m) : status;
}

void mann_modes_destroy(mann_modes *m)
{
    for (int t = 0; t < m->threads && m->planes && m->slabs; t++) {
        for (int q = 0; q < PAIRS; q++)
            fftwf_free(m->planes[t].covariance[q]);
        for (int c = 0; c < 3; c++)
            fftwf_free(m->planes[t].mode[c]);
        free(m->planes[t].alias);
        fftwf_free(m->slabs[t].modes);
        fftwf_free(m->slabs[t].wind);
    }
    for (int c = 0; c < 3; c++) {
        if (!m->b->periodic[0])
            free(m->lines[c]);
        fftwf_free(m->added[c]);
    }
    fftwf_destroy_plan(m->along_x);
    fftwf_destroy_plan(m->along_y);
    fftwf_destroy_plan(m->along_z);
    free(m->aliases);
    free(m->planes);
    free(m->slabs);
}

void mann_modes_run(mann_modes *m)
{
    parallel_for(m->half, do_plane, m);
    parallel_for(3 * m->b->n[1], do_slab, m);
}
