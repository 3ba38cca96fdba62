/* SPDX-License-Identifier: MIT */
/* Lid-driven cavity against reference columns: cavity RE CELLS CFL TIME [--columns | --curves].
 * Prints the largest deviation of u on x = 1/2 and v on y = 1/2 at Ghia's points; with --columns
 * these values, with --curves lines "u y value", "v x value" of all cells, "U" and "V" of the
 * reference.  Columns: Re 1000 Botella and Peyret 1998; Re 100 and 400 a second-order MAC solver,
 * Richardson-extrapolated. */
#include <foehn/foehn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 15 };

static const double y_of[POINTS] = {.9766, .9688, .9609, .9531, .8516, .7344, .6172, .5,
                                    .4531, .2813, .1719, .1016, .0703, .0625, .0547};
static const double x_of[POINTS] = {.9688, .9609, .9531, .9453, .9063, .8594, .8047, .5,
                                    .2344, .2266, .1563, .0938, .0781, .0703, .0625};

static const struct {
    int re;
    double u[POINTS], v[POINTS];
} columns[] = {
    {100,
     {.8437, .7920, .7405, .6910, .2366, .0042, -.1388, -.2092, -.2140, -.1577, -.1018, -.0644,
      -.0466, -.0420, -.0372},
     {-.0622, -.0780, -.0934, -.1085, -.1771, -.2337, -.2536, .0575, .1796, .1794, .1648, .1264,
      .1118, .1036, .0948}},
    {400,
     {.7609, .6873, .6201, .5616, .2920, .1625, .0210, -.1150, -.1715, -.3287, -.2438, -.1462,
      -.1033, -.0926, -.0819},
     {-.1252, -.1616, -.1982, -.2347, -.3897, -.4538, -.3856, .0520, .3034, .3038, .2835, .2317,
      .2110, .1988, .1852}},
    {1000,
     {.6644227, .5808359, .5169277, .4723329, .3372212, .1886747, .0570178, -.0620561, -.1081999,
      -.2803696, -.3885691, -.3004561, -.2228955, -.2023300, -.1812881},
     {-.2279225, -.2936869, -.3553213, -.4103754, -.5264392, -.4264545, -.3202137, .0257995,
      .3253592, .3339924, .3769189, .3330442, .3099097, .2962703, .2807056}},
};

static void check(foehn_status status, const char *what)
{
    if (status == FOEHN_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, foehn_last_error());
    exit(status == FOEHN_ERROR_DEVICE ? 77 : 1);
}

/* Cubic through the four nearest of n centres in a line. */
static double at_place(const float *line, int n, ptrdiff_t stride, double place)
{
    double g = place * n - 0.5;
    int j = (int)floor(g);
    j = j < 1 ? 1 : j > n - 3 ? n - 3 : j;
    double t = g - j;
    const float *q = line + (j - 1) * stride;
    return (double)q[0] * (-t * (t - 1) * (t - 2) / 6) +
           (double)q[stride] * ((t + 1) * (t - 1) * (t - 2) / 2) +
           (double)q[2 * stride] * (-(t + 1) * t * (t - 2) / 2) +
           (double)q[3 * stride] * ((t + 1) * t * (t - 1) / 6);
}

/* Both centre lines, walls included (u is 1 on the lid), and the reference's points. */
static void print_curves(int which, int n, const float *u, const float *v)
{
    puts("u 0 0\nv 0 0");
    for (int i = 0; i < n; i++) {
        double place = (i + 0.5) / n;
        printf("u %.6f %.6f\n", place, (double)u[n / 2 + i * (n + 1)]);
        printf("v %.6f %.6f\n", place, (double)v[n / 2 * n + i]);
    }
    puts("u 1 1\nv 1 0");
    for (int k = 0; k < POINTS; k++) {
        printf("U %.4f %.7g\n", y_of[k], columns[which].u[k]);
        printf("V %.4f %.7g\n", x_of[k], columns[which].v[k]);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("Usage: cavity RE CELLS CFL TIME [--columns | --curves]\n", stderr);
        return 2;
    }
    int re = atoi(argv[1]), n = atoi(argv[2]), which = 0;
    double cfl = atof(argv[3]), time = atof(argv[4]);
    while (which < 3 && columns[which].re != re)
        which++;
    if (which == 3 || n < 8 || n % 2 || !(cfl > 0) || !(time > 0)) {
        fputs("cavity: RE 100, 400 or 1000, an even number of CELLS, CFL and TIME > 0\n", stderr);
        return 2;
    }
    foehn_context *ctx;
    foehn_flow *f;
    check(foehn_context_create(NULL, &ctx), "device");
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = p.ny = n;
    p.viscosity = 1.0f / (float)re;
    p.sides[FOEHN_FLOW_TOP].speed = 1;
    p.cycles = 3;
    check(foehn_flow_create(ctx, &p, &f), "create");
    float dt = (float)(cfl / n);
    long steps = lrint(time * n / cfl);
    for (long i = 0; i < steps; i++)
        check(foehn_flow_step(f, dt), "step");
    check(foehn_flow_check(f), "check");
    size_t floats = foehn_flow_get_field_size(f, FOEHN_FLOW_U);
    float *u = malloc(floats * sizeof *u), *v = malloc(floats * sizeof *v);
    if (!u || !v)
        return 1;
    check(foehn_flow_read(f, FOEHN_FLOW_U, u), "read");
    check(foehn_flow_read(f, FOEHN_FLOW_V, v), "read");
    double worst_u = 0, worst_v = 0;
    for (int k = 0; k < POINTS; k++) {
        double a = at_place(u + n / 2, n, n + 1, y_of[k]);
        double b = at_place(v + (ptrdiff_t)(n / 2) * n, n, 1, x_of[k]);
        if (argc > 5 && strcmp(argv[5], "--columns") == 0)
            printf("| %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", y_of[k], columns[which].u[k], a,
                   x_of[k], columns[which].v[k], b);
        worst_u = fmax(worst_u, fabs(a - columns[which].u[k]));
        worst_v = fmax(worst_v, fabs(b - columns[which].v[k]));
    }
    if (argc > 5 && strcmp(argv[5], "--curves") == 0)
        print_curves(which, n, u, v);
    printf("cavity_re%d_%d %.5f u %.5f v %.5f dt %.6f\n", re, n, fmax(worst_u, worst_v), worst_u,
           worst_v, (double)dt);
    free(u);
    free(v);
    foehn_flow_destroy(f);
    foehn_context_destroy(ctx);
    return 0;
}
