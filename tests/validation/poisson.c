/* SPDX-License-Identifier: MIT */
/* Manufactured solutions of the Poisson problem by foehn_poisson: order and Richardson's limit.
 *
 * p = f(x) g(y) q(z) in a unit box, none of them an eigenfunction of the differences:
 *   f = exp(x) sin(pi x)      zero at both sides: Dirichlet
 *   g = exp(sin(2 pi y))      periodic
 *   q = 1 + z^2 (3 - 2 z)     slope 0 at both sides: Neumann
 * Dirichlet's zero lies in the middle of the cell beyond, so that axis has n - 1 cells of 1/n. */
#include "validation/validation.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static double f(double x)
{
    return exp(x) * sin(PI * x);
}
static double f2(double x)
{
    return exp(x) * ((1 - PI * PI) * sin(PI * x) + 2 * PI * cos(PI * x));
}
static double g(double y)
{
    return exp(sin(2 * PI * y));
}
static double g2(double y)
{
    double s = sin(2 * PI * y), c = cos(2 * PI * y);
    return 4 * PI * PI * (c * c - s) * exp(s);
}
static double q(double z)
{
    return 1 + z * z * (3 - 2 * z);
}
static double q2(double z)
{
    return 6 - 12 * z;
}

typedef struct result {
    double rms, most; /* errors of p */
    double moment;    /* the mean of p g q over the box */
    int cycles;
} result;

/* Stretch: cells along y are so many times as long as along x, and along z half of that. */
static result solve(foehn_context *ctx, int n, bool deep, int stretch)
{
    int nx = n - 1, ny = n / stretch, nz = deep ? 2 * n / stretch : 1;
    foehn_poisson_params params = foehn_poisson_params_default();
    params.nx = nx;
    params.ny = ny;
    params.nz = nz;
    double h[3] = {1.0 / n, 1.0 / ny, 1.0 / nz};
    for (int a = 0; a < 3; a++)
        params.spacing[a] = (float)h[a];
    params.edges[0] = params.edges[1] = FOEHN_POISSON_DIRICHLET;
    params.edges[2] = params.edges[3] = FOEHN_POISSON_PERIODIC;
    foehn_poisson *poisson;
    must(foehn_poisson_create(ctx, &params, &poisson));
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz, c = 0;
    float *rhs = allocate(count, sizeof *rhs), *p = allocate(count, sizeof *p);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                double x = (i + 1) * h[0], y = (j + 0.5) * h[1], z = (k + 0.5) * h[2];
                double t = deep ? q(z) : 1, t2 = deep ? q2(z) : 0;
                rhs[c++] = (float)(f2(x) * g(y) * t + f(x) * g2(y) * t + f(x) * g(y) * t2);
            }
    foehn_poisson_stats stats;
    must(foehn_poisson_write_rhs(poisson, rhs));
    must(foehn_poisson_solve(poisson, FOEHN_POISSON_MGCG, 40, 1e-6, &stats));
    must(foehn_poisson_read_solution(poisson, p));
    foehn_poisson_destroy(poisson);

    result r = {.cycles = stats.cycles};
    c = 0;
    double sum = 0;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                double x = (i + 1) * h[0], y = (j + 0.5) * h[1], z = (k + 0.5) * h[2];
                double t = g(y) * (deep ? q(z) : 1), d = (double)p[c] - f(x) * t;
                r.moment += (double)p[c++] * t * h[0] * h[1] * h[2];
                sum += d * d;
                r.most = fmax(r.most, fabs(d));
            }
    r.rms = sqrt(sum / (double)count);
    free(rhs);
    free(p);
    return r;
}

/* The mean of a function's power over [0, 1], by Simpson's rule. */
static double mean(double (*of)(double), int power)
{
    enum { N = 2000 };
    double sum = 0;
    for (int i = 0; i <= N; i++)
        sum += pow(of((double)i / N), power) * (i == 0 || i == N ? 1 : i % 2 ? 4 : 2);
    return sum / (3.0 * N);
}

static void study(foehn_context *ctx, const char *name, bool deep, int stretch, int first,
                  int grids)
{
    double want = mean(f, 1) * mean(g, 2) * (deep ? mean(q, 2) : 1);
    result r[8];
    double order = 0, limit = 0;
    char label[120];
    for (int k = 0; k < grids; k++) {
        int n = first << k;
        r[k] = solve(ctx, n, deep, stretch);
        printf("| %s | %d x %d x %d | %d | %.3e | %.3e |", name, n - 1, n / stretch,
               deep ? 2 * n / stretch : 1, r[k].cycles, r[k].rms, r[k].most);
        if (k > 0) {
            order = log2(r[k - 1].rms / r[k].rms);
            limit = (4 * r[k].moment - r[k - 1].moment) / 3;
            printf(" %.4f | %.6f | %.6f |\n", order, r[k].moment, limit);
        } else
            printf(" | %.6f | |\n", r[k].moment);
    }
    printf("| %s | exact | | 0 | 0 | 2 | %.6f | %.6f |\n", name, want, want);
    snprintf(label, sizeof label, "%s: order on the two finest grids", name);
    bound(label, order, 1.95, 2.05);
    snprintf(label, sizeof label, "%s: Richardson's limit over the exact mean", name);
    bound(label, limit / want, 1 - 5e-5, 1 + 5e-5);
}

int main(void)
{
    foehn_context *ctx = open_device();
    puts("| case | cells | cycles | rms error | largest | order | mean of p g q | Richardson's "
         "limit |");
    puts("|---|---|---|---|---|---|---|---|");
    study(ctx, "2-D", false, 1, 16, 5);
    study(ctx, "2-D, cells 4 times as long", false, 4, 64, 4);
    study(ctx, "3-D", true, 2, 16, 4);
    foehn_context_destroy(ctx);
    return summary("poisson");
}
