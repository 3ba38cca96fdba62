/* SPDX-License-Identifier: MIT */
/* A half-cylinder ridge in a uniform wind, by foehn_poisson, against potential flow.
 *
 * Radius 1, wind 1 towards +x, floor y = 0.  The stream function is psi = y (1 - 1/r^2), so what
 * flows through a face is known exactly: the difference of psi between its ends.
 *
 *   ridge        tables and checks
 *   ridge plot   input of plot.awk: the speed a tenth of the radius above the ground */
#include "validation/validation.h"

#include <math.h>
#include <string.h>

typedef struct ridge {
    int nx, ny, n; /* cells, and of them in a radius */
    double h, x0;  /* cell size; x of the left side */
    bool staircase;
    uint8_t *across_x, *across_y; /* openness of faces */
    float *u, *v;                 /* velocity on faces, mean over the open part */
    foehn_poisson_stats stats;
} ridge;

static double clamp(double a)
{
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

static double stream(double x, double y)
{
    double r2 = x * x + y * y;
    return r2 > 1 ? y * (1 - 1 / r2) : 0;
}

static double ground(double x)
{
    return x * x < 1 ? sqrt(1 - x * x) : 0;
}

static bool in_ground(const ridge *g, int i, int j)
{
    if (i < 0 || i >= g->nx || j < 0 || j >= g->ny)
        return false;
    double x = g->x0 + (i + 0.5) * g->h, y = (j + 0.5) * g->h;
    return x * x + y * y < 1;
}

/* Open shares of the face at (i h, j h..(j + 1) h) and of (i h..(i + 1) h, j h). */
static double open_x(const ridge *g, int i, int j)
{
    return clamp(((j + 1) * g->h - ground(g->x0 + i * g->h)) / g->h);
}

static double open_y(const ridge *g, int i, int j)
{
    double half = ground(j * g->h), left = g->x0 + i * g->h, right = left + g->h;
    double covered = fmin(right, half) - fmax(left, -half);
    return clamp(1 - fmax(covered, 0) / g->h);
}

static double flux_x(const ridge *g, int i, int j)
{
    double x = g->x0 + i * g->h;
    return stream(x, (j + 1) * g->h) - stream(x, j * g->h);
}

static double flux_y(const ridge *g, int i, int j)
{
    double x = g->x0 + i * g->h;
    return stream(x, j * g->h) - stream(x + g->h, j * g->h);
}

enum { EXACT_SIDES, OPEN_SIDES, OPEN_SIDES_AND_LID };

/* Solve in a box of width x height radii with n cells a radius. */
static void solve(foehn_context *ctx, ridge *g, double n, double width, double height,
                  bool staircase, int sides)
{
    memset(g, 0, sizeof *g);
    g->h = 1 / n;
    g->nx = 2 * (int)(0.5 * width * n + 0.5);
    g->ny = (int)(height * n + 0.5);
    g->x0 = -0.5 * g->nx * g->h + 0.3 * g->h; /* the crest is on no face */
    g->staircase = staircase;
    size_t nx = (size_t)g->nx, ny = (size_t)g->ny;
    g->across_x = allocate((nx + 1) * ny, 1);
    g->across_y = allocate(nx * (ny + 1), 1);
    g->u = allocate((nx + 1) * ny, sizeof *g->u);
    g->v = allocate(nx * (ny + 1), sizeof *g->v);
    float *rhs = allocate(nx * ny, sizeof *rhs), *p = allocate(nx * ny, sizeof *p);

    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i <= g->nx; i++) {
            size_t f = (size_t)j * (nx + 1) + (size_t)i;
            bool edge = i == 0 || i == g->nx;
            double a = staircase ? !in_ground(g, i - 1, j) && !in_ground(g, i, j) : open_x(g, i, j);
            g->across_x[f] = (uint8_t)lround(255 * a);
            g->u[f] = edge && sides == EXACT_SIDES ? (float)(flux_x(g, i, j) / g->h) : 1;
        }
    for (int j = 0; j <= g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t f = (size_t)j * nx + (size_t)i;
            double a = staircase ? !in_ground(g, i, j - 1) && !in_ground(g, i, j) : open_y(g, i, j);
            g->across_y[f] = j == 0 ? 0 : (uint8_t)lround(255 * a);
            g->v[f] = j == g->ny && sides == EXACT_SIDES ? (float)(flux_y(g, i, j) / g->h) : 0;
        }
#define A_X(i, j) (g->across_x[(size_t)(j) * (nx + 1) + (size_t)(i)] / 255.0)
#define A_Y(i, j) (g->across_y[(size_t)(j)*nx + (size_t)(i)] / 255.0)
#define U(i, j) g->u[(size_t)(j) * (nx + 1) + (size_t)(i)]
#define V(i, j) g->v[(size_t)(j)*nx + (size_t)(i)]
#define P(i, j) p[(size_t)(j)*nx + (size_t)(i)]
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            rhs[(size_t)j * nx + (size_t)i] =
                (float)((A_X(i + 1, j) * (double)U(i + 1, j) - A_X(i, j) * (double)U(i, j) +
                         A_Y(i, j + 1) * (double)V(i, j + 1) - A_Y(i, j) * (double)V(i, j)) /
                        g->h);

    foehn_poisson_params params = foehn_poisson_params_default();
    params.nx = g->nx;
    params.ny = g->ny;
    params.spacing[0] = params.spacing[1] = params.spacing[2] = (float)g->h;
    if (sides != EXACT_SIDES)
        params.edges[0] = params.edges[1] = FOEHN_POISSON_DIRICHLET;
    if (sides == OPEN_SIDES_AND_LID)
        params.edges[3] = FOEHN_POISSON_DIRICHLET;
    foehn_poisson *poisson;
    must(foehn_poisson_create(ctx, &params, &poisson));
    must(foehn_poisson_write_open(poisson, 0, g->across_x));
    must(foehn_poisson_write_open(poisson, 1, g->across_y));
    must(foehn_poisson_write_rhs(poisson, rhs));
    must(foehn_poisson_solve(poisson, FOEHN_POISSON_MGCG, 40, 2e-6, &g->stats));
    must(foehn_poisson_read_solution(poisson, p));
    foehn_poisson_destroy(poisson);

    for (int j = 0; j < g->ny; j++)
        for (int i = 1; i < g->nx; i++)
            U(i, j) = A_X(i, j) > 0 ? U(i, j) - (P(i, j) - P(i - 1, j)) / (float)g->h : 0;
    for (int j = 1; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            V(i, j) = A_Y(i, j) > 0 ? V(i, j) - (P(i, j) - P(i, j - 1)) / (float)g->h : 0;
    free(rhs);
    free(p);
}

static void drop(ridge *g)
{
    free(g->across_x);
    free(g->across_y);
    free(g->u);
    free(g->v);
}

/* rms and largest error of the flow through faces nearer than two radii, over the wind times h. */
static void flux_errors(const ridge *g, double *rms, double *most)
{
    size_t nx = (size_t)g->nx;
    double sum = 0, count = 0;
    *most = 0;
    for (int axis = 0; axis < 2; axis++)
        for (int j = 1; j < g->ny; j++)
            for (int i = 1; i < g->nx; i++) {
                double x = g->x0 + (i + (axis == 1) * 0.5) * g->h,
                       y = (j + (axis == 0) * 0.5) * g->h;
                double got = axis == 0 ? A_X(i, j) * (double)U(i, j) : A_Y(i, j) * (double)V(i, j);
                double want = (axis == 0 ? flux_x(g, i, j) : flux_y(g, i, j)) / g->h;
                double open = axis == 0 ? open_x(g, i, j) : open_y(g, i, j);
                if (x * x + y * y > 4 || (open <= 0 && got == 0))
                    continue;
                sum += (got - want) * (got - want);
                count++;
                *most = fmax(*most, fabs(got - want));
            }
    *rms = sqrt(sum / count);
}

/* u in the face column i at height y: linear between the middles of the open parts of its faces,
 * and beyond the lowest by the two lowest. */
static double in_column(const ridge *g, int i, double y)
{
    size_t nx = (size_t)g->nx;
    double below = 0, u_below = 0;
    int found = 0;
    for (int j = 0; j < g->ny; j++) {
        double a = A_X(i, j), middle = (j + 1 - 0.5 * a) * g->h, u = (double)U(i, j);
        if (a < 0.05)
            continue;
        found++;
        if (found > 1 && middle >= y)
            return u_below + (u - u_below) * (y - below) / (middle - below);
        below = middle;
        u_below = u;
    }
    return u_below;
}

/* u at a height above the ground: columns are read at that height above their own ground. */
static double along_ground(const ridge *g, double x, double above)
{
    double at = (x - g->x0) / g->h;
    int i = (int)floor(at);
    double w = at - i;
    return (1 - w) * in_column(g, i, ground(g->x0 + i * g->h) + above) +
           w * in_column(g, i + 1, ground(g->x0 + (i + 1) * g->h) + above);
}

static double exact_u(double x, double y)
{
    double r2 = x * x + y * y;
    return 1 - (x * x - y * y) / (r2 * r2);
}

#define ABOVE 0.1 /* of the radius, above the ground: where the wind is compared */

/* rms error of u at ABOVE over the crown, |x| <= 0.8: the feet are vertical. */
static double ground_error(const ridge *g)
{
    double sum = 0;
    int count = 0;
    for (double x = -0.8; x <= 0.801; x += 0.02) {
        double d = along_ground(g, x, ABOVE) - exact_u(x, ground(x) + ABOVE);
        sum += d * d;
        count++;
    }
    return sqrt(sum / count);
}

enum { GRIDS = 4 };
static const double cells[GRIDS] = {10.3, 20.6, 41.2, 82.4}; /* a radius; whole numbers flatter */

static void convergence(foehn_context *ctx, bool staircase, double rms[GRIDS], double top[GRIDS],
                        double near_ground[GRIDS])
{
    double most[GRIDS];
    for (int k = 0; k < GRIDS; k++) {
        ridge g;
        solve(ctx, &g, cells[k], 8, 4, staircase, EXACT_SIDES);
        flux_errors(&g, &rms[k], &most[k]);
        top[k] = along_ground(&g, 0, 0);
        near_ground[k] = ground_error(&g);
        printf("| %s | %.1f | %d x %d | %d | %.2e |", staircase ? "staircase" : "fractions",
               cells[k], g.nx, g.ny, g.stats.cycles, rms[k]);
        if (k > 0)
            printf(" %.2f |", log2(rms[k - 1] / rms[k]));
        else
            printf(" |");
        printf(" %.2e | %.2e |", most[k], near_ground[k]);
        if (k > 0)
            printf(" %.2f |", log2(near_ground[k - 1] / near_ground[k]));
        else
            printf(" |");
        printf(" %.4f |\n", top[k]);
        drop(&g);
    }
}

static int plot(foehn_context *ctx)
{
    puts("title A half-cylinder ridge, 0.1 radii above the ground, 10.3 cells a radius");
    puts("x x / radius\ny wind along x / undisturbed wind");
    puts("line #909090 potential flow, exact");
    for (double x = -3; x <= 3.001; x += 0.02)
        printf("%.3f %.4f\n", x, exact_u(x, ground(x) + ABOVE));
    for (int staircase = 0; staircase < 2; staircase++) {
        ridge g;
        solve(ctx, &g, cells[0], 8, 4, staircase, EXACT_SIDES);
        puts(staircase ? "points #d55e00 staircase" : "points #0072b2 fractions");
        for (double x = -3; x <= 3.001; x += 0.1)
            printf("%.3f %.4f\n", x, along_ground(&g, x, ABOVE));
        drop(&g);
    }
    return 0;
}

int main(int argc, char **argv)
{
    foehn_context *ctx = open_device();
    if (argc > 1 && strcmp(argv[1], "plot") == 0) {
        plot(ctx);
        foehn_context_destroy(ctx);
        return 0;
    }
    puts("| terrain | cells a radius | box, cells | cycles | rms error of flow through faces | "
         "order | largest "
         "| rms error 0.1 radii above ground | order | at the top (2) |");
    puts("|---|---|---|---|---|---|---|---|---|---|");
    double rms[2][GRIDS], top[2][GRIDS], near_ground[2][GRIDS];
    for (int s = 0; s < 2; s++)
        convergence(ctx, s, rms[s], top[s], near_ground[s]);

    puts("\n| lid, radii | sides of the box | wind 0.1 radii above the top | exact without a lid | "
         "error |");
    puts("|---|---|---|---|---|");
    static const double lids[] = {2, 4, 8, 16};
    double want = exact_u(0, 1 + ABOVE), lid_error[2][4];
    for (int kind = OPEN_SIDES; kind <= OPEN_SIDES_AND_LID; kind++)
        for (int k = 0; k < 4; k++) {
            ridge g;
            solve(ctx, &g, 20.6, 32, lids[k], false, kind);
            double got = along_ground(&g, 0, ABOVE);
            lid_error[kind - OPEN_SIDES][k] = got / want - 1;
            printf("| %g | %s | %.3f | %.3f | %+.1f %% |\n", lids[k],
                   kind == OPEN_SIDES ? "open, closed lid" : "open, open lid", got, want,
                   100 * (got / want - 1));
            drop(&g);
        }
    puts("");
    bound("fractions: order of the wind 0.1 radii above the ground, 10 to 82 cells a radius",
          log2(near_ground[0][0] / near_ground[0][GRIDS - 1]) / (GRIDS - 1), 1.8, 2.5);
    bound("fractions: order of the flow through faces, 10 to 82 cells a radius",
          log2(rms[0][0] / rms[0][GRIDS - 1]) / (GRIDS - 1), 1, 3);
    bound("fractions: speed at the top, 41 cells a radius, exact 2", top[0][2], 1.98, 2.02);
    bound("fractions: error of the speed at the top, 82 cells a radius", fabs(top[0][3] - 2), 0,
          0.01);
    bound("fractions against staircase: rms error of the flow, 41 cells a radius",
          rms[0][2] / rms[1][2], 0, 0.2);
    bound("closed lid at 16 radii: error at the top", fabs(lid_error[0][3]), 0, 0.02);
    foehn_context_destroy(ctx);
    return summary("ridge");
}
