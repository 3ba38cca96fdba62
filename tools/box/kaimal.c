/* SPDX-License-Identifier: MIT */
/* Turbulence of Kaimal's spectra with the coherence of IEC 61400-1 (edition 4, annex C.3).
 *
 * At each frequency the box across the wind gets complex normal numbers that are as coherent as
 * their distance wants: those of a torus three times as wide, whose coherence, a function of the
 * distance, its Fourier transform makes a diagonal.  Where slow gusts are longer than the torus a
 * few numbers of the diagonal come out negative and are taken as 0, which changes the coherence by
 * 0.02 at most. */
#include "config.h"

#include "box/kaimal.h"

#include "box/lanes.h"
#include "box/parallel.h"

#include <stdlib.h>

#include <fftw3.h>

#define PI 3.14159265358979323846

double kaimal_spectrum(const kaimal_params *p, int component, double f)
{
    double scale = p->length[component] / p->speed, sigma = p->sigma[component];
    return sigma * sigma * 4 * scale / pow(1 + 6 * f * scale, 5 / 3.0);
}

double kaimal_coherence(const kaimal_params *p, double f, double distance)
{
    return exp(-p->decay * hypot(f * distance / p->speed, 0.12 * distance / p->coherence_length));
}

enum { TORUS = 3 };

typedef struct kaimal_hand {
    fftwf_complex *torus; /* [side[0]][side[1]] */
    float *weight;
    fftwf_complex *line; /* [nx / 2 + 1] */
    float *wind;         /* [nx] */
} kaimal_hand;

typedef struct maker {
    box *b;
    const kaimal_params *p;
    uint64_t seed;
    int n; /* points along x, of the box and what makes it not periodic */
    int half;
    int side[2];
    double step; /* of frequencies, Hz */
    int component;
    int threads;
    kaimal_hand *hands;
    fftwf_complex *lines; /* [half][ny][nz] */
    fftwf_plan across, along;
} maker;

/* Square roots of the torus's diagonal, for numbers of variance 1. */
static void weigh(const maker *m, double f, kaimal_hand *h)
{
    int side2 = m->side[0], side3 = m->side[1];
    for (int j = 0; j < side2; j++)
        for (int k = 0; k < side3; k++) {
            double y = (j < side2 - j ? j : side2 - j) * m->b->d[1],
                   z = (k < side3 - k ? k : side3 - k) * m->b->d[2];
            fftwf_complex *to = &h->torus[j * side3 + k];
            (*to)[0] = (float)kaimal_coherence(m->p, f, hypot(y, z));
            (*to)[1] = 0;
        }
    fftwf_execute_dft(m->across, h->torus, h->torus);
    double sum = 0;
    int count = side2 * side3;
    for (int i = 0; i < count; i++)
        sum += (double)(h->weight[i] = h->torus[i][0] > 0 ? h->torus[i][0] : 0);
    for (int i = 0; i < count; i++)
        h->weight[i] = (float)sqrt((double)h->weight[i] / sum);
}

/* One frequency: complex numbers across the wind. */
static void do_frequency(void *data, int i, int thread)
{
    maker *m = data;
    kaimal_hand *h = &m->hands[thread];
    int ny = m->b->n[1], nz = m->b->n[2];
    bool coherent = m->component == 0 || m->p->all;
    int rows = coherent ? m->side[0] : ny, columns = coherent ? m->side[1] : nz,
        count = rows * columns;
    double f = i * m->step;
    float amplitude = i ? (float)sqrt(kaimal_spectrum(m->p, m->component, f) * m->step / 2) : 0;
    if (2 * i == m->n)
        amplitude *= 1.41421356f; /* only its real part counts */
    if (coherent)
        weigh(m, f, h);
    lane_random random;
    lane_seed(&random, m->seed, (uint64_t)i * 3 + (uint64_t)m->component);
    for (int first = 0; first < count; first += LANES) {
        float re[LANES], im[LANES];
        lane_normal(&random, re, im);
        for (int l = 0; l < LANES && first + l < count; l++) {
            float scale = coherent ? amplitude * h->weight[first + l] : amplitude;
            h->torus[first + l][0] = scale * re[l];
            h->torus[first + l][1] = scale * im[l];
        }
    }
    if (coherent)
        fftwf_execute_dft(m->across, h->torus, h->torus);
    fftwf_complex *to = m->lines + (size_t)i * (size_t)ny * (size_t)nz;
    for (int j = 0; j < ny; j++)
        memcpy(to + (size_t)j * (size_t)nz, h->torus + (size_t)j * (size_t)columns,
               (size_t)nz * sizeof *to);
}

/* Lines along x at one y. */
static void do_row(void *data, int j, int thread)
{
    maker *m = data;
    kaimal_hand *h = &m->hands[thread];
    size_t nz = (size_t)m->b->n[2], area = (size_t)m->b->n[1] * nz;
    for (size_t k = 0; k < nz; k++) {
        size_t at = (size_t)j * nz + k;
        for (size_t i = 0; i < (size_t)m->half; i++) {
            h->line[i][0] = m->lines[i * area + at][0];
            h->line[i][1] = m->lines[i * area + at][1];
        }
        h->line[0][1] = 0;
        if (m->n % 2 == 0)
            h->line[m->half - 1][1] = 0;
        fftwf_execute_dft_c2r(m->along, h->line, h->wind);
        for (size_t i = 0; i < (size_t)m->b->n[0]; i++)
            m->b->component[m->component][i * area + at] = h->wind[i];
    }
}

static int maker_create(maker *m, box *b, const kaimal_params *p, uint64_t seed)
{
    *m = (maker){.b = b, .p = p, .seed = seed, .n = b->periodic[0] ? b->n[0] : 2 * b->n[0]};
    m->half = m->n / 2 + 1;
    m->step = p->speed / (m->n * b->d[0]);
    for (int a = 0; a < 2; a++)
        m->side[a] = b->n[a + 1] > 1 ? TORUS * b->n[a + 1] : 1;
    m->threads = parallel_threads();
    if (!(m->hands = calloc((size_t)m->threads, sizeof *m->hands)))
        return fail_memory();
    size_t torus = (size_t)m->side[0] * (size_t)m->side[1];
    for (int t = 0; t < m->threads; t++) {
        kaimal_hand *h = &m->hands[t];
        h->torus = fftwf_alloc_complex(torus);
        h->weight = fftwf_alloc_real(torus);
        h->line = fftwf_alloc_complex((size_t)m->half);
        h->wind = fftwf_alloc_real((size_t)m->n);
        if (!h->torus || !h->weight || !h->line || !h->wind)
            return fail_memory();
    }
    m->lines = fftwf_alloc_complex((size_t)m->half * (size_t)b->n[1] * (size_t)b->n[2]);
    if (!m->lines)
        return fail_memory();
    kaimal_hand *h = &m->hands[0];
    m->across =
        fftwf_plan_dft_2d(m->side[0], m->side[1], h->torus, h->torus, FFTW_BACKWARD, FFTW_ESTIMATE);
    m->along = fftwf_plan_dft_c2r_1d(m->n, h->line, h->wind, FFTW_ESTIMATE);
    return m->across && m->along ? STATUS_OK
                                 : fail(STATUS_FAILED, "FFTW cannot plan %d points", m->n);
}

static void maker_destroy(maker *m)
{
    for (int t = 0; t < m->threads && m->hands; t++) {
        fftwf_free(m->hands[t].torus);
        fftwf_free(m->hands[t].weight);
        fftwf_free(m->hands[t].line);
        fftwf_free(m->hands[t].wind);
    }
    fftwf_free(m->lines);
    fftwf_destroy_plan(m->across);
    fftwf_destroy_plan(m->along);
    free(m->hands);
}

int kaimal_make(box *b, const kaimal_params *p, uint64_t seed)
{
    maker m;
    int status = maker_create(&m, b, p, seed);
    for (m.component = 0; m.component < 3 && status == STATUS_OK; m.component++) {
        parallel_for(m.half, do_frequency, &m);
        parallel_for(b->n[1], do_row, &m);
    }
    maker_destroy(&m);
    return status;
}
