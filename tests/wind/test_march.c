/* SPDX-License-Identifier: MIT */
/* The kernels of a step of the momentum model against plain C (reference_momentum.c): on odd sizes,
 * over ground that cuts and closes cells, for winds along sides and across, from fields that look
 * random.
 *
 * A wind lends its buffers; its own predict() runs all passes up to the pressure, and leaves what
 * each of them made. Every pass is worked out from what the device has, so that errors do not add
 * up. */
#include "testing.h"

#include "wind/momentum.h"
#include "wind/over.h"
#include "wind/reference_momentum.h"

typedef struct march_case {
    const char *name;
    int nx, ny, nz;
    float h, hy, from, z0;
    float (*height)(double x, double z); /* in cells, by place in the box, 0 to 1 */
    foehn_wind_closure closure;
} march_case;

static float plain(double x, double z)
{
    (void)x;
    (void)z;
    return 0.37f;
}

static const march_case cases[] = {
    {"hill, westerly", 13, 9, 11, 30, 6, 270, 0.03f, over_hill, FOEHN_WIND_K_EPS},
    {"hill, from the south-east", 13, 9, 11, 30, 6, 135, 0.03f, over_hill, FOEHN_WIND_K_EPS},
    {"steps, north-easterly", 17, 11, 7, 12, 5, 33, 0.3f, over_steps, FOEHN_WIND_K_EPS},
    {"steps, southerly, a length", 9, 8, 21, 12, 5, 180, 0.0003f, over_steps, FOEHN_WIND_K_LENGTH},
    {"plain that cuts cells", 8, 6, 5, 40, 8, 250, 0.03f, plain, FOEHN_WIND_K_EPS},
    {"few cells", 4, 4, 4, 20, 20, 300, 0.1f, over_hill, FOEHN_WIND_K_LENGTH},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct march {
    const march_case *c;
    foehn_wind *w;
    struct foehn_momentum *own;
    rm_step s;
    size_t elements, column_elements;
    uint64_t random;
    over_arrays arrays;
} march;

static float *field(march *t, cl_mem buffer)
{
    return over_buffer(&t->arrays, buffer, t->elements * sizeof(float));
}

static void put(march *t, cl_mem buffer, const float *values)
{
    OK(foehn_buffer_write(context, buffer, 0, t->elements * sizeof *values, values));
}

/* Roughness that differs from column to column. */
static void roughen(foehn_wind *w, const march_case *c)
{
    float *z0 = testing_alloc((size_t)(c->nx + 1) * (size_t)(c->nz + 1) * sizeof *z0);
    for (int n = 0; n < (c->nx + 1) * (c->nz + 1); n++)
        z0[n] = c->z0 * (1 + 0.1f * (float)(n % 7));
    foehn_terrain map = {
        .nx = c->nx + 1, .nz = c->nz + 1, .spacing = {(double)c->h, (double)c->h}, .heights = z0};
    OK(foehn_wind_set_roughness(w, &map));
    free(z0);
}

static void open_march(march *t, const march_case *c)
{
    memset(t, 0, sizeof *t);
    t->c = c;
    t->random = 7;
    foehn_wind_params p = over_box(FOEHN_WIND_MOMENTUM, c->nx, c->ny, c->nz, c->h, c->hy);
    p.closure = c->closure;
    p.state.from = c->from;
    p.state.u10 = 9;
    p.z0 = c->z0;
    t->w = over_ground(p, c->height);
    roughen(t->w, c);
    for (int n = 0; n < 3; n++)
        OK(foehn_wind_step(t->w, 1000));
    foehn_wind *w = t->w;
    t->own = w->own;
    t->elements = foehn_grid_elements(&w->g);
    t->column_elements = foehn_grid_columns(&w->g);
    rm_step *s = &t->s;
    s->m = t->own->m;
    s->first = foehn_grid_box(&w->g, sizeof(float)).offset;
    s->first_column = foehn_grid_column(&w->g, 0, 0);
    for (int a = 0; a < 3; a++)
        s->open[a] = over_buffer(&t->arrays, t->own->open[a], t->elements);
    s->corner = over_buffer(&t->arrays, w->ground.corner, t->column_elements * sizeof(float));
    s->rough = over_buffer(&t->arrays, w->ground.z0, t->column_elements * sizeof(float));
    s->columns = over_buffer(&t->arrays, t->own->columns,
                             COLUMN_PLANES * (size_t)s->m.plane * sizeof(float));
}

static void close_march(march *t)
{
    over_free(&t->arrays);
    foehn_wind_destroy(t->w);
}

#define FOR_EACH_MARCH(t)                                                                          \
    for (int case_ = testing_is_tiny() ? CASES - 2 : 0; case_ < CASES; case_++)                    \
        for (bool once_ = (open_march(&(t), &cases[case_]), true); once_;                          \
             once_ = (close_march(&(t)), false))

/* The device's value and the one worked out, to a share of the scale. */
static void same(const march *t, const char *what, int i, int j, int k, double got, double want,
                 double scale)
{
    const double most = 2e-5; /* some hundred roundings of single precision */
    ck_assert_msg(fabs(got - want) <= most * scale,
                  "%s: %s at (%d, %d, %d) is %.8g, not %.8g (%.2g of %.3g)", t->c->name, what, i, j,
                  k, got, want, fabs(got - want) / scale, scale);
}

/* The field as it is, and noise on all of it that steps change. */
static void disturb(march *t)
{
    foehn_wind *w = t->w;
    const foehn_grid *g = &w->g;
    for (int a = 0; a < 3; a++) {
        float *u = field(t, w->velocity[w->now][a]);
        for (int k = 0; k < g->nz + (a == 2); k++)
            for (int j = a == 1; j < g->ny; j++)
                for (int i = 0; i < g->nx + (a == 0); i++) {
                    size_t c = rm_at(&t->s, i, j, k);
                    if (t->s.open[a][c] > 0)
                        u[c] += (float)testing_uniform(&t->random, -3, 3);
                }
        put(t, w->velocity[w->now][a], u);
        t->s.u[a] = u;
    }
    float *p = field(t, t->own->p), *energy = field(t, t->own->k[w->now]),
          *eps = field(t, t->own->eps[w->now]);
    for (int k = 0; k < g->nz; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                size_t c = rm_at(&t->s, i, j, k);
                p[c] += (float)testing_uniform(&t->random, -2, 2);
                energy[c] *= (float)exp(testing_uniform(&t->random, -0.7, 0.7));
                eps[c] *= (float)exp(testing_uniform(&t->random, -0.7, 0.7));
            }
    put(t, t->own->p, p);
    put(t, t->own->k[w->now], energy);
    put(t, t->own->eps[w->now], eps);
    t->s.p = p;
    t->s.k = energy;
    t->s.eps = eps;
}

/* All passes of a step up to the pressure; what they are to be compared with. */
static void predict(march *t)
{
    float clock[2];
    disturb(t);
    OK(t->w->model->predict(t->w, 1e6f));
    OK(foehn_buffer_read(context, t->own->clock, 0, sizeof clock, clock));
    t->s.dt = (double)clock[0];
    t->s.walls =
        over_buffer(&t->arrays, t->own->walls, WALL_PLANES * (size_t)t->s.m.plane * sizeof(float));
    t->s.nu = field(t, t->own->nu);
    t->s.slip = field(t, t->own->slip);
}

START_TEST(columns_know_the_ground_under_them)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        const int kinds[3] = {AT_CELLS, AT_X, AT_Z};
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < t.c->nz + (n == 2); k++)
                for (int i = 0; i < t.c->nx + (n == 1); i++) {
                    double want[6];
                    rm_ground(&t.s, kinds[n], i, k, want);
                    for (int plane = GROUND; plane <= PER_DEPTH; plane++) {
                        size_t at = rm_column(&t.s, i, k) +
                                    (size_t)(kinds[n] + plane) * (size_t)t.s.m.plane;
                        same(&t, "plane of the ground", i, plane, k, (double)t.s.columns[at],
                             want[plane], fmax(fabs(want[plane]), 1e-3));
                    }
                    if (n == 0)
                        continue;
                    size_t at = rm_column(&t.s, i, k) +
                                (size_t)(n == 1 ? CARRIED_X : CARRIED_Z) * (size_t)t.s.m.plane;
                    same(&t, "carried area", i, 0, k, (double)t.s.columns[at],
                         rm_carried(&t.s, n == 1 ? 0 : 2, i, k), 1);
                }
    }
}
END_TEST

START_TEST(the_wall_takes_what_the_wind_above_it_says)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        predict(&t);
        for (int k = 0; k <= t.c->nz; k++)
            for (int i = 0; i <= t.c->nx; i++) {
                double want[WALL_PLANES];
                rm_wall(&t.s, i, k, want);
                for (int plane = 0; plane < WALL_PLANES; plane++) {
                    /* Beyond the last cells only faces are read. */
                    if ((i == t.c->nx && plane != SAMPLE_X) || (k == t.c->nz && plane != SAMPLE_Z))
                        continue;
                    size_t at = rm_column(&t.s, i, k) + (size_t)plane * (size_t)t.s.m.plane;
                    same(&t, "plane of the wall", i, plane, k, (double)t.s.walls[at], want[plane],
                         plane == SAMPLE_X || plane == SAMPLE_Z ? 20 : fmax(want[plane], 1e-3));
                }
            }
    }
}
END_TEST

START_TEST(viscosity_and_slip_are_of_the_faces_between_cells)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        predict(&t);
        for (int k = 0; k < t.c->nz; k++)
            for (int j = 0; j <= t.c->ny; j++)
                for (int i = 0; i < t.c->nx; i++) {
                    size_t c = rm_at(&t.s, i, j, k);
                    double nu = rm_viscosity(&t.s, i, j, k);
                    same(&t, "viscosity", i, j, k, (double)t.s.nu[c], nu, fmax(nu, 0.01));
                    same(&t, "slip", i, j, k, (double)t.s.slip[c], rm_slip(&t.s, i, j, k), 10);
                }
    }
}
END_TEST

START_TEST(turbulence_is_carried_made_and_lost)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        predict(&t);
        const cl_mem to[2] = {t.own->k[t.w->now], t.own->eps[t.w->now]};
        for (int which = 0; which < (t.c->closure == FOEHN_WIND_K_EPS ? 2 : 1); which++) {
            const float *got = field(&t, to[which]);
            for (int k = 0; k < t.c->nz; k++)
                for (int i = 0; i < t.c->nx; i++) {
                    double want[256], scale = 0;
                    rm_scalar(&t.s, which, i, k, want);
                    for (int j = 0; j < t.c->ny; j++)
                        scale = fmax(scale, fabs(want[j]));
                    for (int j = 0; j < t.c->ny; j++)
                        same(&t, which ? "eps" : "k", i, j, k, (double)got[rm_at(&t.s, i, j, k)],
                             want[j], scale);
                }
        }
    }
}
END_TEST

START_TEST(velocity_is_carried_mixed_and_held_by_the_ground)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        predict(&t);
        for (int a = 0; a < 3; a++) {
            const float *got = field(&t, t.w->velocity[t.w->now][a]);
            for (int k = 0; k < t.c->nz + (a == 2); k++)
                for (int i = 0; i < t.c->nx + (a == 0); i++) {
                    double want[256];
                    rm_velocity(&t.s, a, i, k, want);
                    for (int j = 0; j < t.c->ny; j++)
                        same(&t,
                             a == 0   ? "u"
                             : a == 1 ? "v"
                                      : "w",
                             i, j, k, (double)got[rm_at(&t.s, i, j, k)], want[j], 20);
                }
        }
    }
}
END_TEST

START_TEST(turbulence_is_read_between_columns_and_faces)
{
    march t;
    FOR_EACH_MARCH(t)
    {
        disturb(&t);
        enum { POINTS = 200 };
        double points[POINTS][3];
        float got[POINTS][2];
        for (int n = 0; n < POINTS; n++) {
            points[n][0] = testing_uniform(&t.random, -0.5, t.c->nx + 0.5) * (double)t.c->h;
            points[n][1] = testing_uniform(&t.random, 0, 1) *
                           testing_uniform(&t.random, 0, t.c->ny) * (double)t.c->hy;
            points[n][2] = testing_uniform(&t.random, -0.5, t.c->nz + 0.5) * (double)t.c->h;
        }
        OK(foehn_wind_read_turbulence(t.w, POINTS, points[0], got[0]));
        t.s.nu = field(&t, t.own->nu);
        for (int n = 0; n < POINTS; n++) {
            double want[2];
            rm_turbulence(&t.s, points[n][0] / (double)t.c->h, points[n][2] / (double)t.c->h,
                          points[n][1], want);
            same(&t, "k at a point", n, 0, 0, (double)got[n][0], want[0], 5 * want[0]);
            same(&t, "viscosity at a point", n, 0, 0, (double)got[n][1], want[1],
                 5 * fmax(want[1], 0.1));
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("march", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, columns_know_the_ground_under_them);
    tcase_add_test(tests, the_wall_takes_what_the_wind_above_it_says);
    tcase_add_test(tests, viscosity_and_slip_are_of_the_faces_between_cells);
    tcase_add_test(tests, turbulence_is_carried_made_and_lost);
    tcase_add_test(tests, velocity_is_carried_mixed_and_held_by_the_ground);
    tcase_add_test(tests, turbulence_is_read_between_columns_and_faces);
    return testing_end();
}
