/* SPDX-License-Identifier: MIT */
/* Every kernel against the plain C of reference.c, on small grids with terrain.
 *
 * A wind lends its buffers and kernels; each test fills the fields with numbers that look random
 * and launches one kernel. */
#include "testing.h"

#include "wind/collocated.h"
#include "wind/over.h"
#include "wind/reference.h"

/* Single precision against double: some ten roundings of values up to the scale. */
#define ROUNDING 4e-6

#define CO(w) foehn_wind_collocated(w)

extern const foehn_source foehn_source_wind_collocated;

typedef struct ground_case {
    const char *name;
    int nx, ny, nz;
    float horizontal, vertical;
    foehn_wind_sides sides;
    double center_y; /* NaN: floor at 0 */
    bool hilly;
} ground_case;

static const ground_case cases[] = {
    {"flat", 7, 5, 9, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"hill", 7, 5, 9, 4, 2, FOEHN_WIND_SIDES_OPEN, NAN, true},
    {"hill over a low floor", 16, 6, 5, 3, 1.7f, FOEHN_WIND_SIDES_OPEN, 3, true},
    {"periodic", 7, 5, 9, 4, 4, FOEHN_WIND_SIDES_PERIODIC, NAN, false},
    {"periodic hill", 9, 7, 6, 4, 3, FOEHN_WIND_SIDES_PERIODIC, NAN, true},
    {"one cell", 1, 1, 1, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"one periodic cell", 1, 1, 1, 4, 4, FOEHN_WIND_SIDES_PERIODIC, NAN, false},
    {"a row", 13, 1, 1, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"odd", 37, 11, 29, 4, 2.5f, FOEHN_WIND_SIDES_OPEN, NAN, true},
};
enum { CASES = sizeof cases / sizeof *cases };

enum { SAMPLES_X = 12, SAMPLES_Z = 10 };

typedef struct bed {
    const ground_case *which;
    foehn_wind *w;
    reference_box box;
    size_t cells, columns;
    terrain_map map;
    float heights[SAMPLES_X * SAMPLES_Z];
    float *ground; /* as the device has it */
    unsigned char *solid;
    float *u[3], *p, *q, *out;
    double *want[3];
    uint64_t random;
} bed;

static void fill(bed *b, float *f, double low, double high)
{
    for (size_t i = 0; i < b->cells; i++)
        f[i] = (float)testing_uniform(&b->random, low, high);
}

static void put(bed *b, cl_mem buffer, const float *f)
{
    OK(foehn_box_write(b->w->ctx, buffer, foehn_grid_box(&b->w->g, sizeof(float)), f));
    OK(foehn_wind_wrap(b->w, buffer));
}

static void get(bed *b, cl_mem buffer, float *f)
{
    OK(foehn_box_read(b->w->ctx, buffer, foehn_grid_box(&b->w->g, sizeof(float)), f));
}

/* Random velocity, now on the device. */
static void put_velocity(bed *b, double most)
{
    for (int a = 0; a < 3; a++) {
        fill(b, b->u[a], -most, most);
        put(b, b->w->velocity[b->w->now][a], b->u[a]);
    }
}

static const float **velocity(bed *b)
{
    return (const float **)(void *)b->u;
}

/* Largest difference between what the device has and what was worked out. */
static double apart(bed *b, cl_mem buffer, const double *want)
{
    double worst = 0;
    get(b, buffer, b->out);
    for (size_t i = 0; i < b->cells; i++) {
        double error = fabs((double)b->out[i] - want[i]);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

#define SAME(b, buffer, want, scale)                                                               \
    do {                                                                                           \
        double same_ = apart(b, buffer, want) / (scale);                                           \
        ck_assert_msg(same_ <= ROUNDING, "%s: %s is off by %.3g of its scale", (b)->which->name,   \
                      #buffer, same_);                                                             \
    } while (0)

static void open_bed(bed *b, const ground_case *c)
{
    memset(b, 0, sizeof *b);
    b->which = c;
    b->random = 31;
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    params.nx = c->nx;
    params.ny = c->ny;
    params.nz = c->nz;
    params.spacing_horizontal = c->horizontal;
    params.spacing_vertical = c->vertical;
    params.sides = c->sides;
    params.center[1] = c->center_y;
    OK(foehn_wind_create(context, &params, &b->w));
    foehn_wind_info info;
    foehn_wind_get_info(b->w, &info);
    b->box = (reference_box){.nx = c->nx,
                             .ny = c->ny,
                             .nz = c->nz,
                             .hx = (double)c->horizontal,
                             .hy = (double)c->vertical,
                             .hz = (double)c->horizontal,
                             .floor_y = info.origin[1],
                             .periodic = c->sides == FOEHN_WIND_SIDES_PERIODIC};
    b->cells = (size_t)c->nx * (size_t)c->ny * (size_t)c->nz;
    b->columns = (size_t)c->nx * (size_t)c->nz;

    /* A hill in the middle, under two thirds of the box, on samples that miss the cells and do not
     * reach its sides. */
    double top = 0.66 * info.extent[1];
    for (int k = 0; k < SAMPLES_Z; k++)
        for (int i = 0; i < SAMPLES_X; i++) {
            double x = 2.0 * i / (SAMPLES_X - 1) - 1, z = 2.0 * k / (SAMPLES_Z - 1) - 1;
            b->heights[k * SAMPLES_X + i] =
                (float)(info.origin[1] +
                        (c->hilly ? top * exp(-3 * (x * x + z * z)) + 0.03 * i + 0.02 * k : 0));
        }
    foehn_terrain terrain = {
        .nx = SAMPLES_X,
        .nz = SAMPLES_Z,
        .origin = {info.origin[0] + 0.07 * info.extent[0], info.origin[2] + 0.11 * info.extent[2]},
        .spacing = {0.08 * info.extent[0], 0.09 * info.extent[2]},
        .heights = b->heights,
    };
    OK(foehn_wind_set_terrain(b->w, &terrain));
    b->map = (terrain_map){SAMPLES_X,
                           SAMPLES_Z,
                           (float)((info.origin[0] - terrain.origin[0]) / terrain.spacing[0]),
                           (float)((info.origin[2] - terrain.origin[1]) / terrain.spacing[1]),
                           (float)(b->box.hx / terrain.spacing[0]),
                           (float)(b->box.hz / terrain.spacing[1])};
    b->ground = testing_alloc(b->columns * sizeof(float));
    OK(foehn_wind_read_ground(b->w, b->ground));
    b->solid = testing_alloc(b->cells);
    for (int k = 0; k < c->nz; k++)
        for (int j = 0; j < c->ny; j++)
            for (int i = 0; i < c->nx; i++)
                b->solid[reference_cell(&b->box, i, j, k)] =
                    b->box.floor_y + (j + 0.5) * b->box.hy <
                    (double)b->ground[(size_t)k * (size_t)c->nx + (size_t)i];
    b->box.solid = b->solid;
    for (int a = 0; a < 3; a++) {
        b->u[a] = testing_alloc(b->cells * sizeof(float));
        b->want[a] = testing_alloc(b->cells * sizeof(double));
    }
    b->p = testing_alloc(b->cells * sizeof(float));
    b->q = testing_alloc(b->cells * sizeof(float));
    b->out = testing_alloc(b->cells * sizeof(float));
}

static void close_bed(bed *b)
{
    foehn_wind_destroy(b->w);
    for (int a = 0; a < 3; a++) {
        free(b->u[a]);
        free(b->want[a]);
    }
    free(b->ground);
    free(b->solid);
    free(b->p);
    free(b->q);
    free(b->out);
}

/* The cases of a test; only the small ones where time is short. */
#define FOR_EACH_BED(b)                                                                            \
    for (int case_ = 0; case_ < (testing_is_tiny() ? CASES - 1 : CASES); case_++)                  \
        for (bool once_ = (open_bed(&(b), &cases[case_]), true); once_;                            \
             once_ = (close_bed(&(b)), false))

/* ---- terrain.cl ---- */

START_TEST(ground_is_the_terrain_under_each_column)
{
    bed b;
    FOR_EACH_BED(b)
    {
        size_t solid = 0;
        for (int k = 0; k < b.box.nz; k++)
            for (int i = 0; i < b.box.nx; i++)
                NEAR(b.ground[(size_t)k * (size_t)b.box.nx + (size_t)i],
                     reference_ground(&b.map, b.heights, i, k), 1e-5 * b.box.ny * b.box.hy);
        for (size_t i = 0; i < b.cells; i++)
            solid += b.solid[i];
        ck_assert(b.which->hilly ? solid > 0 && solid < b.cells : solid == 0);
    }
}
END_TEST

START_TEST(faces_are_open_between_fluid_cells_only)
{
    bed b;
    FOR_EACH_BED(b)
    {
        unsigned char *open = testing_alloc(b.cells), *wall = testing_alloc(b.cells);
        OK(foehn_box_read(context, CO(b.w)->open, foehn_grid_box(&b.w->g, 1), open));
        OK(foehn_box_read(context, CO(b.w)->wall, foehn_grid_box(&b.w->g, 1), wall));
        for (int k = 0; k < b.box.nz; k++)
            for (int j = 0; j < b.box.ny; j++)
                for (int i = 0; i < b.box.nx; i++) {
                    int o, w;
                    size_t c = reference_cell(&b.box, i, j, k);
                    reference_faces(&b.box, i, j, k, &o, &w);
                    ck_assert_msg(open[c] == o && wall[c] == w,
                                  "%s: cell (%d, %d, %d): open %d, wall %d; not %d, %d",
                                  b.which->name, i, j, k, open[c], wall[c], o, w);
                }
        free(open);
        free(wall);
    }
}
END_TEST

/* A face must be seen alike from both its cells, also where the ground lies at a cell's centre to
 * the last bit. */
START_TEST(both_cells_of_a_face_agree_on_ground_at_a_centre)
{
    enum { N = 40 };
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    params.nx = N;
    params.ny = N;
    params.nz = 1;
    params.spacing_horizontal = 1;
    params.spacing_vertical = 0.1f;
    foehn_wind *w;
    float heights[N], *solid = testing_alloc(N * N * sizeof *solid);
    unsigned char *open = testing_alloc(N * N);
    for (int i = 0; i < N; i++)
        heights[i] = ((float)i + 0.5f) * 0.1f;
    foehn_terrain terrain = {
        .nx = N, .nz = 1, .origin = {-N / 2 + 0.5, 0}, .spacing = {1, 1}, .heights = heights};
    OK(foehn_wind_create(context, &params, &w));
    OK(foehn_wind_set_terrain(w, &terrain));
    OK(foehn_wind_read(w, FOEHN_WIND_SOLID, solid));
    OK(foehn_box_read(context, CO(w)->open, foehn_grid_box(&w->g, 1), open));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int c = j * N + i;
            bool fluid_below = j > 0 && solid[c - N] == 0;
            ck_assert_msg(solid[c] != 0 || fluid_below == ((open[c] & FACE_YM) != 0),
                          "column %d, cell %d: the cell below is %s, its face is %s", i, j,
                          fluid_below ? "fluid" : "solid", open[c] & FACE_YM ? "open" : "closed");
        }
    foehn_wind_destroy(w);
    free(solid);
    free(open);
}
END_TEST

/* ---- wind.cl, the step ---- */

static wind_forcing some_forcing(bed *b)
{
    wind_forcing f = {.u10 = 9,
                      .dx = 0.6f,
                      .dz = -0.8f,
                      .z0 = 0.05f,
                      .gain = 0.3f,
                      .floor_y = (float)b->box.floor_y,
                      .curl_amplitude = 2.5f,
                      .ramp = 4};
    over_lattice(&b->random, 32, &f);
    for (int n = 0; n < 3; n++) /* overlapping, one from another direction */
        f.gust[n] = (wind_gust){(float)(8 * n), 4.5f, 2.0f / 30, n == 2 ? 0.0f : 0.6f,
                                n == 2 ? 1.0f : -0.8f};
    return f;
}

static foehn_status launch_force(bed *b, wind_forcing f)
{
    foehn_wind *w = b->w;
    return LAUNCH(context, CO(w)->kernel.force, foehn_wind_cells(w), ARG(w->g), ARG(f),
                  ARG(w->ground.ground), ARG(CO(w)->open), VELOCITY(w, w->now), ARG(w->curl));
}

START_TEST(force_relaxes_to_profile_noise_and_gusts)
{
    bed b;
    FOR_EACH_BED(b)
    {
        wind_forcing f = some_forcing(&b);
        double *ground = testing_alloc(b.columns * sizeof *ground);
        double *slopes[2], *curl = testing_alloc(b.cells * sizeof *curl);
        for (int a = 0; a < 2; a++)
            slopes[a] = testing_alloc(b.columns * sizeof(double));
        for (int k = 0; k < b.box.nz; k++)
            for (int i = 0; i < b.box.nx; i++) {
                size_t q = (size_t)k * (size_t)b.box.nx + (size_t)i;
                ground[q] = (double)b.ground[q];
                slopes[0][q] = (reference_ground(&b.map, b.heights, i + 1, k) -
                                reference_ground(&b.map, b.heights, i - 1, k)) /
                               (2 * b.box.hx);
                slopes[1][q] = (reference_ground(&b.map, b.heights, i, k + 1) -
                                reference_ground(&b.map, b.heights, i, k - 1)) /
                               (2 * b.box.hz);
            }
        put_velocity(&b, 12);
        OK(launch_force(&b, f));
        reference_force(&b.box, &f, ground, slopes[0], slopes[1], velocity(&b), b.want, curl);
        for (int a = 0; a < 3; a++)
            SAME(&b, b.w->velocity[b.w->now][a], b.want[a], 25);
        SAME(&b, b.w->curl, curl, 10);
        free(ground);
        free(slopes[0]);
        free(slopes[1]);
        free(curl);
    }
}
END_TEST

/* The highest and the lowest corner of a stencil lie in one lattice cell of both octaves along an
 * axis, where the noise is one polynomial. */
static bool in_one_lattice_cell(const wind_forcing *f, int axis, double x, double reach)
{
    for (int o = 0; o < WIND_OCTAVES; o++) {
        double low = (double)f->fraction[o][axis] + (x - reach) / (double)f->wavelength[o];
        double high = (double)f->fraction[o][axis] + (x + reach) / (double)f->wavelength[o];
        if (floor(low) != floor(high))
            return false;
    }
    return true;
}

/* curl(A psi) has no divergence, ramp and sloping ground included.  Cells are much smaller than the
 * wavelength, so that fourth-order differences see the field and not the grid; stencils across a
 * lattice plane or an end of the ramp, where third derivatives jump, are left out. */
START_TEST(the_forcing_has_no_divergence_near_the_ground)
{
    const double h = 0.125, slope_x = 0.3, slope_z = -0.2;
    int n = testing_is_tiny() ? 9 : 65;
    bed b;
    const ground_case fine = {"fine", n,    n, n, (float)h, (float)h, FOEHN_WIND_SIDES_OPEN,
                              NAN,    false};
    open_bed(&b, &fine);
    /* A plane that passes through the floor's middle. */
    double side = n * h;
    float corners[4];
    for (int c = 0; c < 4; c++)
        corners[c] = (float)(slope_x * (c & 1 ? side : -side) + slope_z * (c & 2 ? side : -side));
    foehn_wind_info info;
    foehn_wind_get_info(b.w, &info);
    foehn_terrain plane = {.nx = 2,
                           .nz = 2,
                           .origin = {info.origin[0] - side / 2, info.origin[2] - side / 2},
                           .spacing = {2 * side, 2 * side},
                           .heights = corners};
    OK(foehn_wind_set_terrain(b.w, &plane));
    OK(foehn_wind_refresh_ground(b.w));
    double worst = 0, squares = 0, used = 0, in_ramp = 0;
    for (int trial = 0; trial < 4; trial++) {
        wind_forcing f = some_forcing(&b);
        f.u10 = 0;
        f.gain = 1;
        memset(f.gust, 0, sizeof f.gust);
        for (int a = 0; a < 3; a++) {
            memset(b.u[a], 0, b.cells * sizeof(float));
            put(&b, b.w->velocity[b.w->now][a], b.u[a]);
        }
        OK(launch_force(&b, f));
        for (int a = 0; a < 3; a++)
            get(&b, b.w->velocity[b.w->now][a], b.u[a]);
        for (int k = 2; k < n - 2; k++)
            for (int j = 2; j < n - 2; j++)
                for (int i = 2; i < n - 2; i++) {
                    size_t c = reference_cell(&b.box, i, j, k);
                    const size_t stride[3] = {1, (size_t)n, (size_t)n * (size_t)n};
                    const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
                    double height =
                        x[1] - slope_x * (x[0] - side / 2) - slope_z * (x[2] - side / 2);
                    double div = 0;
                    bool smooth = height > 2.1 * h && fabs(height - (double)f.ramp) > 2.1 * h;
                    for (int a = 0; a < 3; a++) {
                        size_t s = stride[a];
                        smooth = smooth && in_one_lattice_cell(&f, a, x[a], 2.1 * h);
                        div += (8 * ((double)b.u[a][c + s] - (double)b.u[a][c - s]) -
                                ((double)b.u[a][c + 2 * s] - (double)b.u[a][c - 2 * s])) /
                               (12 * h);
                    }
                    if (!smooth)
                        continue;
                    for (int a = 0; a < 3; a++)
                        squares += (double)b.u[a][c] * (double)b.u[a][c];
                    used += 1;
                    in_ramp += height < (double)f.ramp;
                    worst = fmax(worst, fabs(div));
                }
    }
    ck_assert(in_ramp > 0);
    double bound = 1e-3 * sqrt(squares / used) / 4; /* h of the bound: the default cell, 4 m */
    testing_report("forcing at %g points, %g of them in the ramp over a slope: |div| up to %.2g "
                   "u_rms/h",
                   used, in_ramp, 1e-3 * worst / bound);
    ck_assert_double_lt(worst, bound);
    close_bed(&b);
}
END_TEST

START_TEST(advect_traces_back_and_interpolates)
{
    const float steps[] = {0.05f, 0.4f, 30};
    bed b;
    FOR_EACH_BED(b)
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        foehn_wind *w = b.w;
        float dt = steps[n];
        cl_int periodic = b.box.periodic;
        put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.advect, foehn_wind_cells(w), ARG(w->g), ARG(dt),
                  ARG(periodic), ARG(CO(w)->open), VELOCITY(w, w->now), VELOCITY(w, 1 - w->now)));
        reference_advect(&b.box, (double)dt, velocity(&b), b.want);
        /* Places are rounded too: by 1e-7 of the distance travelled, in fields that change by 10 a
         * cell. */
        double scale = 5 + (double)dt * 5 / fmin(b.box.hx, b.box.hy);
        for (int a = 0; a < 3; a++)
            SAME(&b, w->velocity[1 - w->now][a], b.want[a], scale);
    }
}
END_TEST

START_TEST(divergence_is_by_central_differences)
{
    bed b;
    FOR_EACH_BED(b)
    {
        put_velocity(&b, 5);
        cl_mem divergence;
        OK(b.w->model->divergence(b.w, &divergence));
        reference_divergence(&b.box, velocity(&b), b.want[0]);
        SAME(&b, divergence, b.want[0], 5 * (2 / b.box.hx + 1 / b.box.hy));
    }
}
END_TEST

/* Divergence and pressure that look random, now on the device; next is 7 everywhere. */
static void put_pressure(bed *b)
{
    fill(b, b->q, -2, 2);
    fill(b, b->p, -9, 9);
    for (size_t i = 0; i < b->cells; i++)
        if (b->solid[i])
            b->q[i] = 0; /* as the kernels leave it */
    put(b, CO(b->w)->divergence, b->q);
    put(b, CO(b->w)->pressure[CO(b->w)->now_p], b->p);
}

START_TEST(sweep_is_jacobi)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        OK(LAUNCH(context, CO(w)->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(CO(w)->stencil),
                  ARG(CO(w)->open), ARG(CO(w)->divergence), ARG(CO(w)->pressure[CO(w)->now_p]),
                  ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        reference_sweep(&b.box, b.q, b.p, b.want[0]);
        SAME(&b, CO(w)->pressure[1 - CO(w)->now_p], b.want[0], 20);
    }
}
END_TEST

START_TEST(the_flat_sweep_is_the_sweep_over_flat_ground)
{
    enum { NX = 37, NY = 5, NZ = 11, N = NX * NY * NZ };
    for (int sides = 0; sides < 2; sides++) {
        foehn_wind_params params = foehn_wind_params_default();
        params.scheme = FOEHN_WIND_COLLOCATED;
        params.nx = NX;
        params.ny = NY;
        params.nz = NZ;
        params.spacing_vertical = 1.5f;
        params.sides = (foehn_wind_sides)sides;
        foehn_wind *w;
        OK(foehn_wind_create(context, &params, &w));
        float *p = testing_alloc(N * sizeof *p), *div = testing_alloc(N * sizeof *div);
        float *got[2] = {testing_alloc(N * sizeof *p), testing_alloc(N * sizeof *p)};
        for (int c = 0; c < N; c++) {
            p[c] = (float)(c * 7919 % 1000) * 1e-3f;
            div[c] = (float)(c * 104729 % 1000) * 1e-4f;
        }
        OK(foehn_wind_write(w, FOEHN_WIND_PRESSURE, p));
        OK(foehn_box_write(context, CO(w)->divergence, foehn_grid_box(&w->g, sizeof *div), div));
        cl_mem from = CO(w)->pressure[CO(w)->now_p], to = CO(w)->pressure[1 - CO(w)->now_p];
        cl_int wraps = sides;
        OK(LAUNCH(context, CO(w)->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(CO(w)->stencil),
                  ARG(CO(w)->open), ARG(CO(w)->divergence), ARG(from), ARG(to)));
        OK(foehn_box_read(context, to, foehn_grid_box(&w->g, sizeof *p), got[0]));
        OK(LAUNCH(context, CO(w)->kernel.sweep_flat, foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(wraps), ARG(CO(w)->divergence), ARG(from), ARG(to)));
        OK(foehn_box_read(context, to, foehn_grid_box(&w->g, sizeof *p), got[1]));
        for (int c = 0; c < N; c++) {
            ck_assert(got[0][c] != p[c]);
            NEAR(got[1][c], got[0][c], 1e-6);
        }
        free(p);
        free(div);
        free(got[0]);
        free(got[1]);
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(the_fused_sweep_is_divergence_then_sweep)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.divergence_sweep, foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->wall), VELOCITY(w, w->now),
                  ARG(CO(w)->divergence), ARG(CO(w)->pressure[CO(w)->now_p]),
                  ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        reference_divergence(&b.box, velocity(&b), b.want[0]);
        SAME(&b, CO(w)->divergence, b.want[0], 5 * (2 / b.box.hx + 1 / b.box.hy));
        get(&b, CO(w)->divergence, b.q);
        reference_sweep(&b.box, b.q, b.p, b.want[0]);
        SAME(&b, CO(w)->pressure[1 - CO(w)->now_p], b.want[0], 20);
    }
}
END_TEST

START_TEST(project_subtracts_the_gradient)
{
    const float speeds[] = {0, 2.5f};
    bed b;
    FOR_EACH_BED(b)
    for (int n = 0; n < 2; n++) {
        foehn_wind *w = b.w;
        put_pressure(&b);
        put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.project, foehn_wind_cells(w), ARG(w->g), ARG(speeds[n]),
                  ARG(CO(w)->open), ARG(CO(w)->pressure[CO(w)->now_p]), VELOCITY(w, w->now)));
        reference_project(&b.box, (double)speeds[n], b.p, velocity(&b), b.want);
        for (int a = 0; a < 3; a++)
            SAME(&b, w->velocity[w->now][a], b.want[a], 10 + 9 / b.box.hy);
    }
}
END_TEST

START_TEST(residual_sums_squares_by_row)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        OK(foehn_wind_set_measuring(w, 1));
        size_t count = (size_t)b.box.ny * (size_t)b.box.nz;
        float *rows = testing_alloc(count * sizeof *rows);
        OK(LAUNCH(context, CO(w)->kernel.residual,
                  ((foehn_size){(size_t)b.box.ny, (size_t)b.box.nz, 1}), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->divergence),
                  ARG(CO(w)->pressure[CO(w)->now_p]), ARG(CO(w)->rows[0])));
        OK(foehn_buffer_read(context, CO(w)->rows[0], 0, count * sizeof *rows, rows));
        for (int k = 0; k < b.box.nz; k++)
            for (int j = 0; j < b.box.ny; j++) {
                double sum = 0;
                for (int i = 0; i < b.box.nx; i++)
                    sum += pow(reference_residual(&b.box, b.q, b.p, i, j, k), 2);
                NEAR(rows[k * b.box.ny + j], sum, 1e-5 * (sum + 1));
            }
        free(rows);
    }
}
END_TEST

START_TEST(wider_indices_change_no_bit)
{
    bed b;
    open_bed(&b, &cases[2]);
    foehn_wind *w = b.w;
    foehn_kernel wide;
    OK(foehn_kernel_create(context, &foehn_source_wind_collocated, "-DFOEHN_INDEX64", "sweep", 0,
                           &wide));
    put_pressure(&b);
    for (int n = 0; n < 2; n++) {
        OK(foehn_buffer_clear(context, CO(w)->pressure[1 - CO(w)->now_p]));
        OK(LAUNCH(context, *(n ? &wide : &CO(w)->kernel.sweep), foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->divergence),
                  ARG(CO(w)->pressure[CO(w)->now_p]), ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        get(&b, CO(w)->pressure[1 - CO(w)->now_p], n ? b.q : b.out);
    }
    ck_assert(memcmp(b.q, b.out, b.cells * sizeof(float)) == 0);
    foehn_kernel_destroy(&wide);
    close_bed(&b);
}
END_TEST

/* ---- wind.cl, the rest ---- */

START_TEST(scroll_moves_whole_cells_and_fills_with_the_profile)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const int n[3] = {b.box.nx, b.box.ny, b.box.nz};
        const int shifts[][3] = {{0, 0, 0},    {1, 0, 0},     {-1, 0, 0},        {0, 2, 0},
                                 {0, -1, 0},   {0, 0, 3},     {2, -1, -4},       {-3, 1, 2},
                                 {n[0], 0, 0}, {0, -n[1], 0}, {n[0], n[1], n[2]}};
        wind_forcing f = some_forcing(&b);
        put_velocity(&b, 5);
        fill(&b, b.p, -9, 9);
        put(&b, CO(w)->pressure[CO(w)->now_p], b.p);
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
            const cl_int *by = shifts[s];
            OK(LAUNCH(context, CO(w)->kernel.scroll, foehn_wind_cells(w), ARG(w->g), ARG(f),
                      ARG(by[0]), ARG(by[1]), ARG(by[2]), ARG(w->ground.ground), ARG(CO(w)->open),
                      VELOCITY(w, w->now), ARG(CO(w)->pressure[CO(w)->now_p]),
                      VELOCITY(w, 1 - w->now), ARG(CO(w)->pressure[1 - CO(w)->now_p])));
            for (int field = 0; field < 4; field++) {
                const float *from = field < 3 ? b.u[field] : b.p;
                const float along[4] = {f.dx, 0, f.dz, 0};
                get(&b,
                    field < 3 ? w->velocity[1 - w->now][field] : CO(w)->pressure[1 - CO(w)->now_p],
                    b.out);
                for (int k = 0; k < n[2]; k++)
                    for (int j = 0; j < n[1]; j++)
                        for (int i = 0; i < n[0]; i++) {
                            size_t c = reference_cell(&b.box, i, j, k);
                            int x = i + by[0], y = j + by[1], z = k + by[2];
                            if (x >= 0 && y >= 0 && z >= 0 && x < n[0] && y < n[1] && z < n[2]) {
                                size_t d = reference_cell(&b.box, x, y, z);
                                ck_assert_msg(memcmp(&b.out[c], &from[d], sizeof(float)) == 0,
                                              "%s: cell (%d, %d, %d) moved by (%d, %d, %d)",
                                              b.which->name, i, j, k, by[0], by[1], by[2]);
                                continue;
                            }
                            size_t q = (size_t)k * (size_t)n[0] + (size_t)i;
                            double z_agl =
                                b.box.floor_y + (j + 0.5) * b.box.hy - (double)b.ground[q];
                            double z0 = (double)f.z0;
                            double speed = b.solid[c] ? 0
                                                      : (double)f.u10 * log(fmax(z_agl, z0) / z0) /
                                                            log(10 / z0);
                            NEAR(b.out[c], (double)along[field] * speed, 1e-5 * 20);
                        }
            }
        }
    }
}
END_TEST

START_TEST(wrap_fills_the_side_ghosts_only)
{
    bed b;
    FOR_EACH_BED(b)
    {
        if (!b.box.periodic)
            continue;
        foehn_wind *w = b.w;
        foehn_grid g = w->g;
        size_t count = foehn_grid_elements(&g), written = 0;
        float *whole = testing_alloc(count * sizeof *whole);
        fill(&b, b.p, 1, 2);
        OK(foehn_buffer_clear(context, w->curl));
        put(&b, w->curl, b.p);
        OK(foehn_buffer_read(context, w->curl, 0, count * sizeof *whole, whole));
        for (int k = -1; k <= g.nz; k++)
            for (int j = 0; j < g.ny; j++)
                for (int i = -1; i <= g.nx; i++) {
                    size_t at = (size_t)(k + 1) * (size_t)g.sz + (size_t)(j + 1) * (size_t)g.sy +
                                (size_t)(i + 8);
                    ck_assert(whole[at] ==
                              b.p[reference_cell(&b.box, (i + g.nx) % g.nx, j, (k + g.nz) % g.nz)]);
                }
        for (size_t i = 0; i < count; i++)
            written += whole[i] != 0;
        ck_assert_uint_eq(written, (size_t)(g.nx + 2) * (size_t)g.ny * (size_t)(g.nz + 2));
        free(whole);
    }
}
END_TEST

START_TEST(average_is_a_running_mean)
{
    enum { SAMPLES = 7, MEANS = 5 };
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        double *sums[MEANS];
        for (int m = 0; m < MEANS; m++)
            sums[m] = testing_alloc(b.cells * sizeof(double));
        OK(foehn_wind_set_averaging(w, 1));
        for (int s = 1; s <= SAMPLES; s++) {
            float n = (float)s;
            put_velocity(&b, 5);
            OK(LAUNCH(context, w->kernel.average, foehn_wind_cells(w), ARG(w->g), ARG(n),
                      VELOCITY(w, w->now), ARG(w->means[0]), ARG(w->means[1]), ARG(w->means[2]),
                      ARG(w->means[3]), ARG(w->means[4])));
            for (size_t c = 0; c < b.cells; c++) {
                double square = 0;
                for (int a = 0; a < 3; a++) {
                    sums[a][c] += (double)b.u[a][c] / SAMPLES;
                    square += (double)b.u[a][c] * (double)b.u[a][c];
                }
                sums[3][c] += sqrt(square) / SAMPLES;
                sums[4][c] += square / SAMPLES;
            }
        }
        for (int m = 0; m < MEANS; m++) {
            SAME(&b, w->means[m], sums[m], m == 4 ? 75 : 9);
            free(sums[m]);
        }
    }
}
END_TEST

START_TEST(points_follow_the_log_law_between_centres)
{
    enum { POINTS = 500 };
    bed b;
    FOR_EACH_BED(b)
    for (int mean = 0; mean < 2; mean++) {
        foehn_wind *w = b.w;
        double points[POINTS][3];
        float out[POINTS][4];
        float *square = testing_alloc(b.cells * sizeof *square);
        put_velocity(&b, 5);
        if (mean) {
            OK(foehn_wind_set_averaging(w, 1));
            for (int a = 0; a < 3; a++)
                put(&b, w->means[a], b.u[a]);
        }
        fill(&b, b.p, 0, 4);
        for (size_t i = 0; i < b.cells; i++)
            square[i] = b.p[i] * b.p[i] + (float)testing_uniform(&b.random, -0.1, 3);
        put(&b, mean ? w->means[3] : w->curl, b.p);
        if (mean)
            put(&b, w->means[4], square);
        foehn_wind_info info;
        foehn_wind_get_info(w, &info);
        for (int n = 0; n < POINTS; n++)
            for (int a = 0; a < 3; a++) /* outside of the box, too */
                points[n][a] = (a == 1 ? 0 : info.origin[a]) +
                               info.extent[a] * testing_uniform(&b.random, -0.2, 1.2);
        OK(foehn_wind_read_points(w, mean, POINTS, points[0], out[0]));
        for (int n = 0; n < POINTS; n++) {
            double want[4];
            reference_point(&b.box, (double)w->params.z0, mean != 0,
                            (points[n][0] - info.origin[0]) / b.box.hx,
                            (points[n][2] - info.origin[2]) / b.box.hz, points[n][1], b.ground,
                            velocity(&b), b.p, square, want);
            for (int a = 0; a < 4; a++) {
                /* Places are rounded in cells, speeds in m/s, intensities divide by 0.1 m/s. */
                double most = a < 3 ? 5e-5 : 1e-4 * (1 + want[3]);
                ck_assert_msg(fabs((double)out[n][a] - want[a]) <= most,
                              "%s: point (%g, %g, %g): %d is %.7g, not %.7g", b.which->name,
                              points[n][0], points[n][1], points[n][2], a, (double)out[n][a],
                              want[a]);
            }
        }
        free(square);
    }
}
END_TEST

START_TEST(publish_rounds_to_halves_in_wrapped_order)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const int n[3] = {b.box.nx, b.box.ny, b.box.nz};
        put_velocity(&b, 30);
        fill(&b, b.p, 0, 5);
        put(&b, w->curl, b.p);
        uint16_t *halves = testing_alloc(b.cells * 4 * sizeof *halves);
        cl_mem slot;
        OK(foehn_buffer_create(context, b.cells * 4 * sizeof *halves, &slot));
        for (int trial = 0; trial < 4; trial++) {
            cl_int first[3];
            for (int a = 0; a < 3; a++)
                first[a] = trial == 0   ? 0
                           : trial == 1 ? n[a] - 1
                                        : (cl_int)(testing_random(&b.random) % (uint64_t)n[a]);
            OK(LAUNCH(context, CO(w)->kernel.publish, foehn_wind_cells(w), ARG(w->g), ARG(first[0]),
                      ARG(first[1]), ARG(first[2]), VELOCITY(w, w->now), ARG(w->curl), ARG(slot)));
            OK(foehn_buffer_read(context, slot, 0, b.cells * 4 * sizeof *halves, halves));
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        size_t c = reference_cell(&b.box, i, j, k);
                        const uint16_t *h =
                            halves + 4 * reference_cell(&b.box, (i + first[0]) % n[0],
                                                        (j + first[1]) % n[1],
                                                        (k + first[2]) % n[2]);
                        double squares = 0;
                        for (int a = 0; a < 3; a++) {
                            ck_assert_uint_eq(h[a], reference_half(b.u[a][c]));
                            squares += (double)b.u[a][c] * (double)b.u[a][c];
                        }
                        int intensity =
                            reference_half((float)((double)b.p[c] / fmax(sqrt(squares), 0.1)));
                        ck_assert_int_le(abs((int)h[3] - intensity), 1);
                    }
        }
        foehn_buffer_destroy(context, &slot);
        free(halves);
    }
}
END_TEST

START_TEST(every_half_survives_the_way_there_and_back)
{
    for (unsigned h = 0; h < 65536; h++) {
        float x = foehn_half_to_float((uint16_t)h);
        bool is_nan = (h & 0x7c00) == 0x7c00 && (h & 0x3ff);
        ck_assert(is_nan ? isnan(x) : reference_half(x) == h);
    }
    ck_assert(foehn_half_to_float(0x3c00) == 1.0f);
    ck_assert(foehn_half_to_float(0xc100) == -2.5f);
    ck_assert(foehn_half_to_float(0x7bff) == 65504.0f);
    ck_assert(foehn_half_to_float(0x0001) == 0x1p-24f);
    ck_assert(foehn_half_to_float(0xfc00) == -INFINITY);
}
END_TEST

/* A file of the source tree, to be freed.  (As an option, -I, its folder could not have spaces.) */
static char *read_source(const char *name)
{
    const char *folder = getenv("FOEHN_SRCDIR");
    enum { MOST = 1 << 16 };
    char path[1024], *text = testing_alloc(MOST);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "%s: cannot be read", path);
    size_t length = fread(text, 1, MOST - 1, stream);
    ck_assert(feof(stream) && length > 0);
    fclose(stream);
    text[length] = 0;
    return text;
}

/* Devices may contract a * b + c, so the bits may differ; the accuracy may not. */
START_TEST(the_logarithm_is_as_accurate_on_the_device)
{
    char *header = read_source("include/foehn/profile.h");
    static const char *lines[] = {
        NULL, /* the header */
        "kernel void logs(global const float *x, global float *y)\n",
        "{ size_t i = get_global_id(0); y[i] = foehn_log(x[i]); }\n",
    };
    static const foehn_source source = {"logs", lines, 3};
    enum { COUNT = 1 << 16 };
    foehn_kernel logs;
    cl_mem x, y;
    float *in = testing_alloc(COUNT * sizeof *in), *out = testing_alloc(COUNT * sizeof *out);
    uint64_t random = 41;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)exp(testing_uniform(&random, -20, 20));
    lines[0] = header;
    OK(foehn_kernel_create(context, &source, "", "logs", 0, &logs));
    OK(foehn_buffer_create(context, COUNT * sizeof *in, &x));
    OK(foehn_buffer_create(context, COUNT * sizeof *in, &y));
    OK(foehn_buffer_write(context, x, 0, COUNT * sizeof *in, in));
    OK(LAUNCH(context, logs, ((foehn_size){COUNT, 1, 1}), ARG(x), ARG(y)));
    OK(foehn_buffer_read(context, y, 0, COUNT * sizeof *out, out));
    int different = 0;
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        float host = foehn_log(in[i]);
        different += memcmp(&host, &out[i], sizeof host) != 0;
        worst =
            fmax(worst, fabs((double)out[i] - log((double)in[i])) / (fabs(log((double)in[i])) + 1));
    }
    testing_report("foehn_log on the device: %.3g of |ln x| + 1; %d of %d differ from the host's",
                   worst, different, COUNT);
    ck_assert_double_le(worst, 2e-7);
    foehn_buffer_destroy(context, &x);
    foehn_buffer_destroy(context, &y);
    foehn_kernel_destroy(&logs);
    free(header);
    free(in);
    free(out);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("kernels", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, ground_is_the_terrain_under_each_column);
    tcase_add_test(tests, faces_are_open_between_fluid_cells_only);
    tcase_add_test(tests, both_cells_of_a_face_agree_on_ground_at_a_centre);
    tcase_add_test(tests, force_relaxes_to_profile_noise_and_gusts);
    tcase_add_test(tests, the_forcing_has_no_divergence_near_the_ground);
    tcase_add_test(tests, advect_traces_back_and_interpolates);
    tcase_add_test(tests, divergence_is_by_central_differences);
    tcase_add_test(tests, sweep_is_jacobi);
    tcase_add_test(tests, the_flat_sweep_is_the_sweep_over_flat_ground);
    tcase_add_test(tests, the_fused_sweep_is_divergence_then_sweep);
    tcase_add_test(tests, project_subtracts_the_gradient);
    tcase_add_test(tests, residual_sums_squares_by_row);
    tcase_add_test(tests, wider_indices_change_no_bit);
    tcase_add_test(tests, scroll_moves_whole_cells_and_fills_with_the_profile);
    tcase_add_test(tests, wrap_fills_the_side_ghosts_only);
    tcase_add_test(tests, average_is_a_running_mean);
    tcase_add_test(tests, points_follow_the_log_law_between_centres);
    tcase_add_test(tests, publish_rounds_to_halves_in_wrapped_order);
    tcase_add_test(tests, every_half_survives_the_way_there_and_back);
    tcase_add_test(tests, the_logarithm_is_as_accurate_on_the_device);
    return testing_end();
}
