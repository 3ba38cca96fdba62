/* SPDX-License-Identifier: MIT */
/* Rungs of the momentum model's ladder with exact solutions: ground that cuts cells at any height,
 * planes that tilt across and along the wind, a half channel, laminar flow.  Those with
 * measurements are in tests/validation. */
#include "wind/over.h"

#include "wind/momentum.h"

#define U10 8.9f
#define Z0 0.03f
#define KAPPA 0.4

static foehn_wind *make(int nx, int ny, int nz, float h, float hy)
{
    foehn_wind_params p = over_box(FOEHN_WIND_MOMENTUM, nx, ny, nz, h, hy);
    p.state.from = 270;
    p.state.u10 = U10;
    p.z0 = Z0;
    return over_ground(p, NULL);
}

static double undisturbed_friction(void)
{
    return KAPPA * (double)U10 / log((10 + (double)Z0) / (double)Z0);
}

/* The wind over a plane that starts `lift` m above the floor and rises `slope` towards the south,
 * across the wind, is the log law by the distance from the plane.  Compared in the lowest half of
 * the air over the middle of the box. */
static void plane_keeps_its_wind(double lift, double slope, double most_k)
{
    const int nx = 32, nz = 16;
    const double h = 16, hy = 4, rise = slope * nz * h, cosine = 1 / sqrt(1 + slope * slope);
    const int ny = 16 + (int)ceil(rise / hy);
    foehn_wind *wind = make(nx, ny, nz, (float)h, (float)hy);
    const float heights[2] = {(float)lift, (float)(lift + rise)};
    const foehn_terrain terrain = {.nx = 1, .nz = 2, .spacing = {1, nz * h}, .heights = heights};
    OK(foehn_wind_set_terrain(wind, &terrain));
    OK(foehn_wind_step(wind, 1000));
    ((struct foehn_momentum *)wind->own)->m.friction *=
        (f32)sqrt(cosine); /* the level lid's share of the stress */
    for (int n = 0; n < (testing_is_tiny() ? 2 : 100); n++)
        OK(foehn_wind_step(wind, 1000));
    double worst_u = 0, worst_k = 0, worst_friction = 0;
    const double friction = undisturbed_friction(), z0 = (double)Z0;
    for (int k = 2; k < nz - 2; k++)
        for (int n = 1; n <= 8; n++) {
            const double d = 4.0 * n, at[3] = {0.7 * nx * h, d, (k + 0.5) * h};
            float out[4];
            OK(foehn_wind_read_points(wind, 0, 1, at, out));
            worst_u =
                fmax(worst_u,
                     fabs((double)out[0] / (friction / KAPPA * log((d * cosine + z0) / z0)) - 1));
            const double square =
                pow((double)out[0], 2) + pow((double)out[1], 2) + pow((double)out[2], 2);
            const double k_here = 1.5 * pow((double)out[3], 2) * square;
            worst_k = fmax(worst_k, fabs(k_here * sqrt(0.03) / (friction * friction) - 1));
        }
    float *stress = testing_alloc((size_t)(nx * nz) * 3 * sizeof *stress);
    OK(foehn_wind_read_stress(wind, stress));
    for (int k = 2; k < nz - 2; k++)
        worst_friction =
            fmax(worst_friction,
                 fabs((double)stress[3 * (k * nx + (int)(0.7 * nx)) + 2] / friction - 1));
    free(stress);
    testing_report("lifted by %.2f m, tilted %.0f degrees: wind within %.2f %%, k within %.1f %%, "
                   "u* within %.2f %%",
                   lift, atan(slope) * 57.29578, 100 * worst_u, 100 * worst_k,
                   100 * worst_friction);
    ck_assert_double_lt(worst_u, 0.02);
    ck_assert_double_lt(worst_k, most_k);
    ck_assert_double_lt(worst_friction, 0.03);
    foehn_wind_destroy(wind);
}

START_TEST(ground_lifted_by_any_part_of_a_cell_keeps_its_wind)
{
    for (int n = 1; n <= (testing_is_tiny() ? 1 : 9); n += 2)
        plane_keeps_its_wind(0.4 * n, 0, 0.01);
}
END_TEST

START_TEST(planes_that_tilt_across_the_wind_keep_it)
{
    const double degrees[] = {5, 15, 30};
    for (int n = 0; n < (testing_is_tiny() ? 1 : 3); n++)
        plane_keeps_its_wind(1.7, tan(degrees[n] / 57.29578), 0.15);
}
END_TEST

/* Every column of a field as the one at i, ghosts included: a box that goes on for ever. */
static void repeat(foehn_wind *wind, cl_mem field, int i)
{
    const foehn_grid *g = &wind->g;
    const size_t count = foehn_grid_elements(g);
    float *f = testing_alloc(count * sizeof *f);
    OK(foehn_buffer_read(context, field, 0, count * sizeof *f, f));
    for (int k = -1; k <= g->nz; k++)
        for (int j = 0; j < g->ny; j++) {
            const size_t row =
                (size_t)(k + 1) * (size_t)g->sz + (size_t)(j + 1) * (size_t)g->sy + 8;
            const size_t from =
                (size_t)2 * (size_t)g->sz + (size_t)(j + 1) * (size_t)g->sy + 8 + (size_t)i;
            const float value = f[from];
            for (int n = -1; n <= g->nx; n++)
                f[row + (size_t)n] = value;
        }
    OK(foehn_buffer_write(context, field, 0, count * sizeof *f, f));
    free(f);
}

/* Under a lid that slips, the pressure gradient that keeps the flow up lets the stress fall from
 * u*^2 to 0 along a line, and near the ground the wind is that of the log law. */
START_TEST(a_half_channel_has_a_stress_on_a_line_and_a_log_law)
{
    const int nx = 8, ny = 48, nz = 4;
    const double hy = 2, z0 = (double)Z0;
    foehn_wind *wind = make(nx, ny, nz, 400, (float)hy);
    struct foehn_momentum *own = wind->own;
    OK(foehn_wind_step(wind, 1000));
    own->m.friction = 0; /* at the lid */
    const int rounds = testing_is_tiny() ? 1 : 150;
    for (int n = 0; n < rounds; n++) {
        for (int s = 0; s < 3; s++)
            OK(foehn_wind_step(wind, 1000));
        cl_mem fields[] = {wind->velocity[wind->now][0], own->k[wind->now], own->eps[wind->now]};
        for (int f = 0; f < 3; f++)
            repeat(wind, fields[f], 5);
    }
    OK(foehn_wind_step(wind, 1000));
    float *ground = testing_alloc((size_t)(nx * nz) * 3 * sizeof *ground);
    OK(foehn_wind_read_stress(wind, ground));
    const double friction = (double)ground[3 * (nx + 5) + 2];
    free(ground);
    const size_t count = foehn_grid_elements(&wind->g);
    float *u = testing_alloc(count * sizeof *u), *nu = testing_alloc(count * sizeof *nu);
    OK(foehn_buffer_read(context, wind->velocity[wind->now][0], 0, count * sizeof *u, u));
    OK(foehn_buffer_read(context, own->nu, 0, count * sizeof *nu, nu));
    double worst_stress = 0, worst_u = 0;
    for (int j = 1; j < ny; j++) {
        const size_t c =
            (size_t)2 * (size_t)wind->g.sz + (size_t)(j + 1) * (size_t)wind->g.sy + 8 + 5;
        double below = (double)u[c - (size_t)wind->g.sy], here = (double)u[c];
        double stress = (double)nu[c] * (here - below) / hy / (friction * friction);
        double law = friction / KAPPA * log(((j - 0.5) * hy + z0) / z0);
        worst_stress = fmax(worst_stress, fabs(stress - (1 - j / (double)ny)));
        if (j <= ny / 16)
            worst_u = fmax(worst_u, fabs(below / law - 1));
        if (j % 6 == 1)
            testing_report(
                "  at %4.1f m: stress %.3f, on the line %.3f; wind %.3f of the log law's",
                (j - 0.5) * hy, stress, 1 - j / (double)ny, below / law);
    }
    testing_report("half channel: stress within %.4f u*^2 of its line, wind under H/16 within %.2f "
                   "%% of the log law",
                   worst_stress, 100 * worst_u);
    if (!testing_is_tiny()) {
        ck_assert(worst_stress < 0.01);
        ck_assert(worst_u < 0.01);
    }
    free(u);
    free(nu);
    foehn_wind_destroy(wind);
}
END_TEST

/* ---- planes that rise along the wind ---- */

/* A plane's fields on the host, and the wind that a plane without end has: the log law by the
 * distance from it, along it. */
typedef struct slope {
    foehn_wind *wind;
    struct foehn_momentum *own;
    double rise, cosine, friction; /* of the ground along x; of its angle; m/s */
    float *planes;
    size_t elements, columns;
} slope;

static size_t element(const slope *s, int i, int j, int k)
{
    const foehn_grid *g = &s->wind->g;
    return (size_t)((ptrdiff_t)foehn_grid_box(g, sizeof(float)).offset + i + j * (ptrdiff_t)g->sy +
                    k * (ptrdiff_t)g->sz);
}

/* Height above the ground of row j of a column of a kind, along the normal. */
static double distance_from(const slope *s, int kind, int i, double j, int k)
{
    const double hy = (double)s->wind->g.hy;
    const float *at = s->planes + foehn_grid_column(&s->wind->g, i, k) + (size_t)kind * s->columns;
    const double ground = (double)at[GROUND * s->columns],
                 least = (double)at[DISTANCE * s->columns];
    const double lowest = (double)at[LOWEST * s->columns];
    return s->cosine * fmax((j + 0.5) * hy - ground, least + 0.5 * hy * (fmax(j, lowest) - lowest));
}

static double speed_on(const slope *s, double d)
{
    return s->friction / KAPPA * log((fmax(d, 0) + (double)Z0) / (double)Z0);
}

/* The exact field into a buffer: everywhere, or on inflow columns and twelve cells above the
 * ground. */
static void hold(const slope *s, cl_mem buffer, int field, bool everywhere)
{
    enum { COLUMNS = 3, ROWS = 12 };
    const foehn_grid *g = &s->wind->g;
    const double hy = (double)g->hy;
    float *f = testing_alloc(s->elements * sizeof *f);
    OK(foehn_buffer_read(context, buffer, 0, s->elements * sizeof *f, f));
    for (int k = -1; k <= g->nz; k++)
        for (int j = 0; j < g->ny + (field == 1); j++)
            for (int i = -1; i <= g->nx; i++) {
                const double d = distance_from(s, field == 0 ? AT_X : AT_CELLS, i < 0 ? 0 : i,
                                               field == 1 ? j - 0.5 : j, k < 0 ? 0 : k);
                if (!everywhere && i >= COLUMNS && d < ROWS * hy * s->cosine)
                    continue;
                const double friction2 = s->friction * s->friction;
                const double values[] = {
                    s->cosine * speed_on(s, d), s->cosine * s->rise * speed_on(s, d), 0,
                    friction2 / sqrt(0.03), friction2 * s->friction / (KAPPA * (d + (double)Z0))};
                f[element(s, i, j, k)] = (float)values[field];
            }
    OK(foehn_buffer_write(context, buffer, 0, s->elements * sizeof *f, f));
    free(f);
}

static void hold_all(const slope *s, bool everywhere)
{
    const int now = s->wind->now;
    for (int a = 0; a < 3; a++)
        hold(s, s->wind->velocity[now][a], a, everywhere);
    hold(s, s->own->k[now], 3, everywhere);
    hold(s, s->own->eps[now], 4, everywhere);
}

/* The lid is level, so what rises with the ground has to leave through it: its faces are opened to
 * the model, as inflow sides are, and hold the exact wind. */
static void open_the_lid(const slope *s)
{
    const foehn_grid *g = &s->wind->g;
    uint8_t *open = testing_alloc(s->elements);
    OK(foehn_buffer_read(context, s->own->open[1], 0, s->elements, open));
    for (int k = 0; k < g->nz; k++)
        for (int i = 0; i < g->nx; i++)
            open[element(s, i, g->ny, k)] = 255;
    OK(foehn_buffer_write(context, s->own->open[1], 0, s->elements, open));
    free(open);
}

enum { SLOPE_NX = 40, SLOPE_NZ = 4, SLOPE_FROM = 20, SLOPE_TO = 34 }; /* compared: these columns */

static slope open_slope(double rise)
{
    const double h = 16, hy = 4, rises = fabs(rise) * SLOPE_NX * h;
    const float low = 1.7f, high = (float)(1.7 + rises);
    const float heights[2] = {rise > 0 ? low : high, rise > 0 ? high : low};
    const foehn_terrain terrain = {
        .nx = 2, .nz = 1, .spacing = {SLOPE_NX * h, 1}, .heights = heights};
    slope s = {
        .wind = make(SLOPE_NX, 20 + (int)ceil(rises / hy), SLOPE_NZ, (float)h, (float)hy),
        .rise = rise,
        .cosine = 1 / sqrt(1 + rise * rise),
        .friction = undisturbed_friction(),
    };
    OK(foehn_wind_set_terrain(s.wind, &terrain));
    OK(foehn_wind_step(s.wind, 1000));
    s.own = s.wind->own;
    s.elements = foehn_grid_elements(&s.wind->g);
    s.columns = foehn_grid_columns(&s.wind->g);
    s.planes = testing_alloc(COLUMN_PLANES * s.columns * sizeof *s.planes);
    OK(foehn_buffer_read(context, s.own->columns, 0, COLUMN_PLANES * s.columns * sizeof *s.planes,
                         s.planes));
    open_the_lid(&s);
    OK(foehn_buffer_clear(context, s.own->p));
    hold_all(&s, true);
    return s;
}

/* With the exact wind on inflow sides and high above the ground.  It has no pressure, so none is
 * kept from step to step. */
static void blow_along(const slope *s, int steps)
{
    for (int n = 0; n < steps; n++) {
        OK(s->wind->model->predict(s->wind, 1000));
        hold_all(s, false);
        OK(s->wind->model->project(s->wind));
        OK(foehn_buffer_clear(context, s->own->p));
    }
}

/* Largest errors of the wind, of k and of u*, as shares. */
static void slope_errors(const slope *s, double out[3])
{
    const double h = (double)s->wind->g.hx, hy = (double)s->wind->g.hy;
    float *stress = testing_alloc((size_t)(SLOPE_NX * SLOPE_NZ) * 3 * sizeof *stress);
    OK(foehn_wind_read_stress(s->wind, stress));
    out[0] = out[1] = out[2] = 0;
    for (int i = SLOPE_FROM; i < SLOPE_TO; i++) {
        for (int n = 1; n <= 8; n++) {
            const double at[3] = {(i + 0.5) * h, n * hy, 2 * h};
            float u[4];
            OK(foehn_wind_read_points(s->wind, 0, 1, at, u));
            const double speed = hypot((double)u[0], (double)u[1]);
            const double k = 1.5 * pow((double)u[3] * speed, 2);
            out[0] = fmax(out[0], fabs(speed / speed_on(s, n * hy * s->cosine) - 1));
            out[1] = fmax(out[1], fabs(k * sqrt(0.03) / pow(s->friction, 2) - 1));
        }
        const double friction = (double)stress[3 * (2 * SLOPE_NX + i) + 2];
        out[2] = fmax(out[2], fabs(friction / s->friction - 1));
    }
    free(stress);
}

START_TEST(planes_that_tilt_along_the_wind_keep_it)
{
    const double degrees[] = {5, -5, 15, -15, 30, -30};
    for (int n = 0; n < (testing_is_tiny() ? 1 : 6); n++) {
        slope s = open_slope(tan(degrees[n] / 57.29578));
        double errors[3];
        blow_along(&s, testing_is_tiny() ? 1 : 200);
        slope_errors(&s, errors);
        testing_report("plane of %+.0f degrees along the wind: wind within %.2f %%, k within %.1f "
                       "%%, u* within %.2f %%",
                       degrees[n], 100 * errors[0], 100 * errors[1], 100 * errors[2]);
        ck_assert_double_lt(errors[0], 0.04);
        ck_assert_double_lt(errors[1], 0.3);
        ck_assert_double_lt(errors[2], 0.03);
        free(s.planes);
        foehn_wind_destroy(s.wind);
    }
}
END_TEST

/* ---- laminar flow ---- */

/* Between the ground and a lid that slips, by a pressure gradient and a viscosity: u = gradient /
 * viscosity (depth d - d^2 / 2).  The model's own kernels, given that viscosity and the stress of a
 * wall on which the wind is 0. */
typedef struct laminar {
    foehn_wind *wind;
    struct foehn_momentum *own;
    double hy, lift, depth; /* of a cell, of the ground in cells, from the ground to the lid */
    double lowest_d;        /* height of the lowest row's middle above the ground, m */
    int lowest;             /* that row */
    size_t count, columns;  /* of a field, of a field of columns */
    float *field;           /* scratch */
} laminar;

#define LAMINAR_VISCOSITY 1.0
#define LAMINAR_GRADIENT 0.01
enum { LAMINAR_COLUMN = 4 }; /* the one that all others repeat */

/* An element of a field in that column's plane. */
static size_t laminar_at(const laminar *l, int i, int j, int k)
{
    const foehn_grid *g = &l->wind->g;
    return (size_t)((ptrdiff_t)foehn_grid_box(g, sizeof(float)).offset + i + j * (ptrdiff_t)g->sy +
                    k * (ptrdiff_t)g->sz);
}

static laminar laminar_make(int ny, double lift)
{
    const double floor_to_lid = 16, h = 400;
    laminar l = {.hy = floor_to_lid / ny, .lift = lift};
    l.depth = floor_to_lid - lift * l.hy;
    l.wind = make(8, ny, 4, (float)h, (float)l.hy);
    const float height = (float)(lift * l.hy);
    const foehn_terrain terrain = {.nx = 1, .nz = 1, .spacing = {1, 1}, .heights = &height};
    OK(foehn_wind_set_terrain(l.wind, &terrain));
    OK(foehn_wind_step(l.wind, 1));
    const foehn_grid *g = &l.wind->g;
    l.own = l.wind->own;
    l.own->m.friction = 0; /* at the lid */
    l.count = foehn_grid_elements(g);
    l.columns = foehn_grid_columns(g);
    l.field = testing_alloc(l.count * sizeof *l.field);
    float planes[2];
    const size_t at = AT_X * l.columns + foehn_grid_column(g, LAMINAR_COLUMN, 1);
    const size_t wanted[2] = {at + LOWEST * l.columns, at + DISTANCE * l.columns};
    for (int n = 0; n < 2; n++)
        OK(foehn_buffer_read(context, l.own->columns, wanted[n] * sizeof *planes, sizeof *planes,
                             planes + n));
    l.lowest = (int)planes[0];
    l.lowest_d = (double)planes[1];
    return l;
}

/* The viscosity and the gradient, for steps that take long: up the column all is implicit. */
static void laminar_drive(const laminar *l)
{
    const foehn_grid *g = &l->wind->g;
    const float clock[2] = {1000, 0}; /* s */
    for (size_t n = 0; n < l->count; n++)
        l->field[n] = (float)LAMINAR_VISCOSITY;
    OK(foehn_buffer_write(context, l->own->nu, 0, l->count * sizeof *l->field, l->field));
    for (int k = -1; k <= g->nz; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = -1; i <= g->nx; i++)
                l->field[laminar_at(l, i, j, k)] = (float)-LAMINAR_GRADIENT * (float)i * g->hx;
    OK(foehn_buffer_write(context, l->own->p, 0, l->count * sizeof *l->field, l->field));
    OK(foehn_buffer_clear(context, l->own->slip));
    OK(foehn_buffer_write(context, l->own->clock, 0, sizeof clock, clock));
}

static void laminar_step(const laminar *l)
{
    foehn_wind *wind = l->wind;
    struct foehn_momentum *own = l->own;
    const size_t nx = (size_t)wind->g.nx, ny = (size_t)wind->g.ny, nz = (size_t)wind->g.nz;
    cl_mem *u = wind->velocity[wind->now], *new = wind->velocity[1 - wind->now];
    cl_mem extra = foehn_pressure_rhs(wind->solver);
    float *walls = testing_alloc(WALL_PLANES * l->columns * sizeof *walls);
    OK(foehn_buffer_read(context, u[0], 0, l->count * sizeof *l->field, l->field));
    for (size_t c = 0; c < l->columns; c++) {
        walls[DRAG * l->columns + c] = (float)(LAMINAR_VISCOSITY / l->lowest_d);
        walls[SAMPLE_X * l->columns + c] = l->field[laminar_at(l, LAMINAR_COLUMN, l->lowest, 1)];
    }
    OK(foehn_buffer_write(context, own->walls, 0, WALL_PLANES * l->columns * sizeof *walls, walls));
    free(walls);
    OK(LAUNCH_ITEMS(context, own->kernel.predict[0], foehn_momentum_own(wind, 1, nx + 1, ny, nz),
                    ARG(own->m), ARG(own->clock), ARG(own->columns), ARG(own->walls), OPEN(own),
                    ARG(u[0]), ARG(u[1]), ARG(u[2]), ARG(own->p), ARG(own->nu), ARG(own->slip),
                    ARG(own->p), ARG(new[0]), ARG(extra)));
    OK(LAUNCH_ITEMS(context, own->kernel.solve_velocity,
                    foehn_momentum_columns(wind, 1, nx + 1, nz + 1, 1), ARG(own->m),
                    ARG(own->clock), ARG(own->columns), OPEN(own), ARG(own->nu), ARG(own->slip),
                    ARG(new[0]), ARG(new[1]), ARG(new[2]), ARG(extra), ARG(extra), ARG(extra)));
    wind->now = 1 - wind->now;
    repeat(wind, new[0], LAMINAR_COLUMN);
}

/* The largest error, of the wind at the lid. */
static double laminar_error(int ny, double lift)
{
    laminar l = laminar_make(ny, lift);
    laminar_drive(&l);
    for (int n = 0; n < 12; n++)
        laminar_step(&l);
    OK(foehn_buffer_read(context, l.wind->velocity[l.wind->now][0], 0, l.count * sizeof *l.field,
                         l.field));
    double worst = 0;
    for (int j = l.lowest; j < ny; j++) {
        const double d = j == l.lowest ? l.lowest_d : (j + 0.5 - lift) * l.hy;
        const double law = LAMINAR_GRADIENT / LAMINAR_VISCOSITY * (l.depth * d - d * d / 2);
        worst = fmax(worst, fabs((double)l.field[laminar_at(&l, LAMINAR_COLUMN, j, 1)] - law));
    }
    free(l.field);
    foehn_wind_destroy(l.wind);
    return worst / (LAMINAR_GRADIENT / LAMINAR_VISCOSITY * l.depth * l.depth / 2);
}

START_TEST(laminar_flow_is_met_to_second_order)
{
    const double lifts[] = {0, 0.37, 0.8};
    for (int n = 0; n < (testing_is_tiny() ? 1 : 3); n++) {
        const double coarse = laminar_error(8, lifts[n]), fine = laminar_error(32, lifts[n]);
        const double order = log(coarse / fine) / log(4);
        testing_report("laminar, ground at %.2f of a cell: off by %.2g of 8 cells, %.2g of 32: "
                       "order %.2f",
                       lifts[n], coarse, fine, order);
        ck_assert_double_gt(order, 1.8);
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("ladder", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, ground_lifted_by_any_part_of_a_cell_keeps_its_wind);
    tcase_add_test(tests, planes_that_tilt_across_the_wind_keep_it);
    tcase_add_test(tests, planes_that_tilt_along_the_wind_keep_it);
    tcase_add_test(tests, a_half_channel_has_a_stress_on_a_line_and_a_log_law);
    tcase_add_test(tests, laminar_flow_is_met_to_second_order);
    return testing_end();
}
