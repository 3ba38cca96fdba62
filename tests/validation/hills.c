/* SPDX-License-Identifier: MIT */
/* Two-dimensional hills in the momentum model.
 *
 *   hills                          a table and checks, 10 cells a height: minutes on two cores
 *   hills fine                     also 20 and 40 cells a height, for a GPU
 *   hills plot                     input of plot.awk: the wind near the ground along H3, H5, H8
 *
 * RUSHIL (Khurshudyan, Snyder and Nekrasov 1981; ERCOFTAC case 69): hills of a height H and half
 * lengths of 3, 5 and 8 H, z0 H/745, the log law up to a lid at 13.7 H.  H3 separates and
 * reattaches 6.5 H behind its top; H5 is about to; H8 stays attached.  The ridge: z = H cos^2(pi x
 * / (4 H)), |x| <= 2 H, over a smooth wall at a Reynolds number of 10 500, as rough as z0 = nu / (9
 * u*); it reattaches at 5 H, within 1.5.
 *
 * Heights are 100 m here, and the wind 10 m/s at the lid: nothing depends on the scale. */
#include "validation/validation.h"

#include <math.h>
#include <string.h>

#define HEIGHT 100.0
#define PI 3.14159265358979323846
#define LID 13.7    /* heights */
#define BEFORE 15.0 /* heights from the inflow side to the top */
#define BEHIND 20.0
#define NEAR_GROUND 0.02 /* heights: where the wind's sign is looked at */

enum { RIDGE = 0 }; /* as a half length: the cosine squared */

static double rushil(double x, double a)
{
    /* Its shape is given by a parameter xi: bisection for it. */
    const double n = HEIGHT / a, m = n + sqrt(n * n + 1);
    double low = -a, high = a, s = 1;
    if (fabs(x) >= a)
        return 0;
    for (int i = 0; i < 60; i++) {
        double xi = 0.5 * (low + high);
        s = a * a / (xi * xi + m * m * (a * a - xi * xi));
        if (0.5 * xi * (1 + s) < x)
            low = xi;
        else
            high = xi;
    }
    return 0.5 * m * sqrt(fmax(a * a - low * low, 0)) * (1 - s);
}

static double height_at(double x, double half_length)
{
    if (half_length > RIDGE)
        return rushil(x, half_length * HEIGHT);
    return fabs(x) < 2 * HEIGHT ? HEIGHT * pow(cos(PI * x / (4 * HEIGHT)), 2) : 0;
}

typedef struct flow {
    double separates, reattaches; /* heights behind the top; NaN: it stays attached */
    double slowest;               /* near the ground behind the top, over the wind at the lid */
    double top;                   /* near the ground on the top, over that far upwind */
    int steps, nx;
    double spacing; /* m */
    float *near;    /* u near the ground, a value a column */
} flow;

static foehn_wind *make(foehn_context *ctx, double half_length, double cells, flow *f)
{
    foehn_wind_params p = foehn_wind_params_default();
    f->spacing = HEIGHT / cells;
    f->nx = (int)((BEFORE + BEHIND) * cells);
    p.nx = f->nx;
    p.ny = (int)(2 * LID * cells);
    p.nz = 4;
    p.spacing_horizontal = (float)f->spacing;
    p.spacing_vertical = (float)(f->spacing / 2);
    p.center[0] = 0.5 * p.nx * f->spacing;
    p.center[2] = 2 * f->spacing;
    p.model = FOEHN_WIND_MOMENTUM;
    p.z0 = (float)(half_length > RIDGE ? HEIGHT / 745 : HEIGHT * 2.1e-4);
    const double z0 = (double)p.z0;
    p.state.u10 = (float)(10 * log((10 + z0) / z0) / log((LID * HEIGHT + z0) / z0));
    p.state.from = 270;
    foehn_wind *wind;
    must(foehn_wind_create(ctx, &p, &wind));
    float *heights = allocate((size_t)p.nx + 1, sizeof *heights);
    for (int i = 0; i <= p.nx; i++)
        heights[i] =
            (float)(height_at(i * f->spacing - BEFORE * HEIGHT, half_length) + 0.015 * f->spacing);
    foehn_terrain terrain = {
        .nx = p.nx + 1, .nz = 1, .spacing = {f->spacing, 1}, .heights = heights};
    must(foehn_wind_set_terrain(wind, &terrain));
    free(heights);
    return wind;
}

static flow over(foehn_context *ctx, double half_length, double cells)
{
    flow f = {.separates = NAN, .reattaches = NAN, .slowest = 1, .steps = (int)(70 * cells)};
    foehn_wind *wind = make(ctx, half_length, cells, &f);
    for (int n = 0; n < f.steps; n++)
        must(foehn_wind_step(wind, 1e6f));
    double *at = allocate((size_t)f.nx * 3, sizeof *at);
    float *out = allocate((size_t)f.nx * 4, sizeof *out);
    f.near = allocate((size_t)f.nx, sizeof *f.near);
    for (int i = 0; i < f.nx; i++) {
        at[3 * i] = (i + 0.5) * f.spacing;
        at[3 * i + 1] = NEAR_GROUND * HEIGHT;
        at[3 * i + 2] = 2 * f.spacing;
    }
    must(foehn_wind_read_points(wind, 0, (size_t)f.nx, at, out));
    for (int i = 0; i < f.nx; i++)
        f.near[i] = out[4 * i];
    const int top = (int)(BEFORE * cells);
    for (int i = top; i < f.nx; i++) {
        const double a = (double)f.near[i - 1], b = (double)f.near[i];
        const double x = (i - 0.5 + (fabs(a - b) > 0 ? a / (a - b) : 0)) / cells - BEFORE;
        if (a > 0 && b <= 0 && isnan(f.separates))
            f.separates = x;
        if (a <= 0 && b > 0)
            f.reattaches = x;
        f.slowest = fmin(f.slowest, b / 10);
    }
    f.top = (double)f.near[top] / (double)f.near[top / 3];
    free(at);
    free(out);
    foehn_wind_destroy(wind);
    return f;
}

static const struct {
    const char *name;
    double half_length;
    const char *measured;
} cases[] = {
    {"RUSHIL H3", 3, "reattaches at 6.5 H"},
    {"RUSHIL H5", 5, "about to separate"},
    {"RUSHIL H8", 8, "attached"},
    {"ridge", RIDGE, "reattaches at 5 H, +- 1.5"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void print_row(const char *name, const char *measured, double cells, const flow *f)
{
    char text[64] = "attached";
    if (!isnan(f->separates))
        snprintf(text, sizeof text, "%.2f to %.2f H", f->separates, f->reattaches);
    printf("| %s | %g x %g | %d | %s | %+.3f | %s |\n", name, cells, 2 * cells, f->steps, text,
           f->slowest, measured);
    fflush(stdout);
}

static void plot(foehn_context *ctx)
{
    static const char *colours[] = {"#d55e00", "#0072b2", "#009e73"};
    printf("title Wind near the ground along RUSHIL's hills\nx heights behind the top\n"
           "y u at 0.02 H over the wind at the lid\n");
    for (int n = 0; n < 3; n++) {
        flow f = over(ctx, cases[n].half_length, 10);
        printf("line %s %s\n", colours[n], cases[n].name);
        for (int i = 0; i < f.nx; i += 2)
            if (fabs((i + 0.5) / 10 - BEFORE) < 12)
                printf("%.3f %.4f\n", (i + 0.5) / 10 - BEFORE, (double)f.near[i] / 10);
        free(f.near);
    }
    printf("points #000000 measured: where H3 reattaches\n6.5 0\n");
}

int main(int argc, char **argv)
{
    foehn_context *ctx = open_device();
    if (argc > 1 && strcmp(argv[1], "plot") == 0) {
        plot(ctx);
        foehn_context_destroy(ctx);
        return 0;
    }
    const int grids = argc > 1 && strcmp(argv[1], "fine") == 0 ? 3 : 1;
    printf("| hill | cells a height | steps | separated | slowest u at 0.02 H over u at the lid | "
           "measured |\n"
           "|---|---|---|---|---|---|\n");
    for (int n = 0; n < CASES; n++)
        for (int fine = 0; fine < grids; fine++) {
            const double cells = 10 << fine;
            flow f = over(ctx, cases[n].half_length, cells);
            print_row(cases[n].name, cases[n].measured, cells, &f);
            if (fine == 0 && n == 0) {
                bound("H3 separates, heights behind the top", f.separates, 0.3, 1.8);
                /* A body-fitted k-eps has 5.0 to 6.0; measured 6.5: doc/validation.md. */
                bound("H3 reattaches, heights behind the top", f.reattaches, 4.5, 7.5);
            }
            if (fine == 0 && n == 1)
                bound("H5 hardly moves near the ground, or turns back", f.slowest, -0.05, 0.06);
            if (fine == 0 && n == 2)
                bound("H8 stays attached: slowest wind", f.slowest, 0.05, 1);
            if (fine == 0 && n == 3)
                bound("the ridge reattaches, heights behind the top", f.reattaches, 3.5, 6.5);
            free(f.near);
        }
    foehn_context_destroy(ctx);
    return summary("hills");
}
