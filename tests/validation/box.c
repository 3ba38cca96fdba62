/* SPDX-License-Identifier: MIT */
/* Ten boxes of 8192 x 32 x 32 points against the integrals of Mann's tensor: spectra of u, v, w and
 * uw, coherence at six separations, by bands of wave numbers.  No device is needed. */
#include "box/mann.h"

#include "validation.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { BANDS = 8, SEEDS = 10, SEPARATIONS = 6, FIRST_SURE = 4 };

static const int apart[SEPARATIONS][2] = {{1, 0}, {4, 0}, {12, 0}, {0, 1}, {0, 4}, {6, 6}};
static const char *const names[BOX_SPECTRA] = {"u", "v", "w", "uw"};

typedef struct bands {
    double spectrum[BOX_SPECTRA][BANDS], coherence[SEPARATIONS][3][BANDS];
    int edge[BANDS + 1];
} bands;

static double *new_array(int count)
{
    double *a = calloc((size_t)count, sizeof *a);
    if (!a)
        exit(1);
    return a;
}

static void add(const bands *b, const double *values, double out[BANDS])
{
    for (int q = 0; q < BANDS; q++)
        for (int i = b->edge[q]; i < b->edge[q + 1]; i++)
            out[q] += values[i] / SEEDS;
}

static void measure(const mann_params *p, box *wind, bands *b)
{
    int count = wind->n[0] / 2 + 1;
    double *spectra[BOX_SPECTRA], *co[3];
    for (int s = 0; s < BOX_SPECTRA; s++)
        spectra[s] = new_array(count);
    for (int c = 0; c < 3; c++)
        co[c] = new_array(count);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        if (mann_make(wind, p, seed, 0, NULL) != STATUS_OK ||
            box_spectra(wind, spectra) != STATUS_OK)
            exit(1);
        for (int s = 0; s < BOX_SPECTRA; s++)
            add(b, spectra[s], b->spectrum[s]);
        for (int a = 0; a < SEPARATIONS; a++) {
            if (box_cross_spectra(wind, apart[a][0], apart[a][1], co) != STATUS_OK)
                exit(1);
            for (int c = 0; c < 3; c++)
                add(b, co[c], b->coherence[a][c]);
        }
    }
    for (int s = 0; s < BOX_SPECTRA; s++)
        free(spectra[s]);
    for (int c = 0; c < 3; c++)
        free(co[c]);
}

/* Means of the tensor's integrals over the bands, by the middles of parts of them. */
static void integrate(const mann_params *p, const box *wind, bands *b)
{
    static const int pair[BOX_SPECTRA] = {UU, VV, WW, UW};
    double step = 2 * PI / (wind->n[0] * wind->d[0]) * p->length,
           scale = p->energy * pow(p->length, 5 / 3.0);
    for (int q = 0; q < BANDS; q++) {
        int width = b->edge[q + 1] - b->edge[q], parts = width < 12 ? width : 12;
        for (int i = 0; i < parts; i++) {
            double k1 = (b->edge[q] - 0.5 + (i + 0.5) * width / parts) * step, at[PAIRS],
                   share = scale * width / parts;
            tensor_integral(k1, p->gamma, 0, 0, at);
            for (int s = 0; s < BOX_SPECTRA; s++)
                b->spectrum[s][q] += share * at[pair[s]];
            for (int a = 0; a < SEPARATIONS; a++) {
                double y = apart[a][0] * wind->d[1] / p->length,
                       z = apart[a][1] * wind->d[2] / p->length;
                if (k1 * hypot(y, z) > 12)
                    continue; /* nothing is left */
                tensor_integral(k1, p->gamma, y, z, at);
                for (int c = 0; c < 3; c++)
                    b->coherence[a][c][q] += share * at[c];
            }
        }
    }
}

int main(void)
{
    static bands got, want;
    const int n[3] = {8192, 32, 32};
    const double d[3] = {1, 4, 4};
    const bool periodic[3] = {true, false, false};
    const mann_params p = {.energy = 1, .length = 33.6, .gamma = 3.9, .points = true};
    box wind;
    if (box_create(n, d, periodic, &wind) != STATUS_OK)
        return 1;
    for (int i = 0; i <= BANDS; i++)
        got.edge[i] = want.edge[i] = (int)(pow(n[0] / 2, (double)i / BANDS) + 0.5);
    measure(&p, &wind, &got);
    integrate(&p, &wind, &want);
    char text[120];
    double total[2][BOX_SPECTRA] = {{0}};
    for (int q = 0; q < BANDS; q++) {
        printf("modes %4d to %4d:", got.edge[q], got.edge[q + 1] - 1);
        for (int s = 0; s < BOX_SPECTRA; s++) {
            printf(" %s %.4f", names[s], got.spectrum[s][q] / want.spectrum[s][q]);
            total[0][s] += got.spectrum[s][q];
            total[1][s] += want.spectrum[s][q];
        }
        for (int a = 0; a < SEPARATIONS; a++)
            printf("; u %dy %dz %.3f (%.3f)", apart[a][0], apart[a][1],
                   got.coherence[a][0][q] / got.spectrum[0][q],
                   want.coherence[a][0][q] / want.spectrum[0][q]);
        puts("");
    }
    for (int s = 0; s < BOX_SPECTRA; s++) {
        snprintf(text, sizeof text, "variance of %s over the tensor's", names[s]);
        bound(text, total[0][s] / total[1][s], 0.9, 1.1); /* a few large eddies have half of it */
        for (int q = FIRST_SURE; q < BANDS; q++) {
            /* Chance: as many numbers as modes, boxes, and the four corners of a box, which know
             * little of each other. */
            double chance = 1 / sqrt((got.edge[q + 1] - got.edge[q]) * SEEDS * 4.0),
                   spread = (s == BOX_UW ? 2 : 1) * (0.01 + 2.5 * chance);
            snprintf(text, sizeof text, "spectrum of %s over the tensor's, modes %d to %d",
                     names[s], got.edge[q], got.edge[q + 1] - 1);
            bound(text, got.spectrum[s][q] / want.spectrum[s][q], 1 - spread, 1 + spread);
        }
    }
    for (int a = 0; a < SEPARATIONS; a++) {
        double worst = 0;
        for (int c = 0; c < 3; c++)
            for (int q = FIRST_SURE; q < BANDS; q++)
                worst = fmax(worst, fabs(got.coherence[a][c][q] / got.spectrum[c][q] -
                                         want.coherence[a][c][q] / want.spectrum[c][q]));
        snprintf(text, sizeof text, "coherence of u, v, w %g m across and %g m up, off by",
                 apart[a][0] * d[1], apart[a][1] * d[2]);
        bound(text, worst, 0, 0.02);
    }
    box_destroy(&wind);
    return summary("box");
}
