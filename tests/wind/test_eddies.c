/* SPDX-License-Identifier: MIT */
/* The kernels of the LES against plain C (reference_les.c): on odd sizes, with periodic sides and
 * with open ones over ground that cuts and closes cells, from fields that look random.
 *
 * A wind lends its buffers; the kernels are launched one by one. */
#include "testing.h"

#include "wind/faces.h"
#include "wind/les.h"
#include "wind/over.h"
#include "wind/reference_les.h"

typedef struct eddies_case {
    const char *name;
    int nx, ny, nz;
    float h, hy, from, z0;
    float (*height)(double x, double z); /* in cells, by place in the box, 0 to 1; NULL: periodic */
    foehn_wind_subgrid subgrid;
} eddies_case;

static const eddies_case cases[] = {
    {"hill, westerly", 13, 11, 11, 30, 6, 270, 0.03f, over_hill, FOEHN_WIND_SMAGORINSKY},
    {"steps, north-easterly", 17, 13, 7, 12, 5, 33, 0.3f, over_steps,
     FOEHN_WIND_MINIMUM_DISSIPATION},
    {"steps, from the south-east", 9, 12, 21, 12, 5, 140, 0.003f, over_steps,
     FOEHN_WIND_SMAGORINSKY},
    {"periodic", 11, 7, 13, 20, 10, 250, 0.1f, NULL, FOEHN_WIND_SMAGORINSKY},
    {"periodic, few cells", 5, 4, 6, 9, 14, 75, 0.03f, NULL, FOEHN_WIND_MINIMUM_DISSIPATION},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct eddies_bed {
    const eddies_case *c;
    foehn_wind *w;
    struct foehn_les *own;
    rl_step t;
    size_t elements, column_elements;
    uint64_t random;
    over_arrays arrays;
} eddies_bed;

static float *field(eddies_bed *b, cl_mem buffer)
{
    return over_buffer(&b->arrays, buffer, b->elements * sizeof(float));
}

static void put(eddies_bed *b, cl_mem buffer, const float *values)
{
    OK(foehn_buffer_write(context, buffer, 0, b->elements * sizeof *values, values));
}

/* Columns around the box, and the rows of faces. */
static foehn_size ring(const foehn_wind *w)
{
    return (foehn_size){2 * ((size_t)w->g.nx + 2) + 2 * (size_t)w->g.nz, (size_t)w->g.ny + 1, 1};
}

/* Noise on all that a stage reads, as a field with its ghosts. */
static void disturb(eddies_bed *b)
{
    foehn_wind *w = b->w;
    const foehn_grid *g = &w->g;
    rm_step *s = &b->t.s;
    const bool wraps = b->t.l.wraps;
    cl_mem *u = w->velocity[w->now];
    for (int a = 0; a < 3; a++) {
        float *values = field(b, u[a]);
        for (int k = 0; k < g->nz + (a == 2 && !wraps); k++)
            for (int j = a == 1; j < g->ny; j++)
                for (int i = 0; i < g->nx + (a == 0 && !wraps); i++)
                    if (wraps || s->open[a][rm_at(s, i, j, k)] > 0)
                        values[rm_at(s, i, j, k)] += (float)testing_uniform(&b->random, -3, 3);
        put(b, u[a], values);
    }
    OK(LAUNCH(context, b->own->kernel.ghosts, ring(w), ARG(b->own->l), ARG(u[0]), ARG(u[1]),
              ARG(u[2]), ARG(u[0]), ARG(u[1]), ARG(u[2])));
    float *p = field(b, b->own->ground.p);
    for (int k = 0; k < g->nz; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                p[rm_at(s, i, j, k)] += (float)testing_uniform(&b->random, -2, 2);
    put(b, b->own->ground.p, p);
    OK(LAUNCH(context, b->own->kernel.ghosts_of_cells, ring(w), ARG(b->own->l),
              ARG(b->own->ground.p)));
    for (int a = 0; a < 3; a++)
        s->u[a] = field(b, u[a]);
    s->p = field(b, b->own->ground.p);
    OK(foehn_momentum_find_stress(w));
    s->walls = over_buffer(&b->arrays, b->own->ground.walls,
                           WALL_PLANES * (size_t)s->m.plane * sizeof(float));
}

static void open_bed(eddies_bed *b, const eddies_case *c)
{
    memset(b, 0, sizeof *b);
    b->c = c;
    b->random = 11;
    foehn_wind_params p = over_box(FOEHN_WIND_LES, c->nx, c->ny, c->nz, c->h, c->hy);
    p.sides = c->height ? FOEHN_WIND_SIDES_OPEN : FOEHN_WIND_SIDES_PERIODIC;
    p.subgrid = c->subgrid;
    p.spin_up = 0;
    p.state.from = c->from;
    p.state.u10 = 9;
    p.z0 = c->z0;
    b->w = over_ground(p, c->height);
    OK(foehn_wind_step(b->w, 0.05f * c->h));
    foehn_wind *w = b->w;
    b->own = w->own;
    b->elements = foehn_grid_elements(&w->g);
    b->column_elements = foehn_grid_columns(&w->g);
    for (int a = 0; a < 3; a++)
        b->own->l.most[a] = a == 1 ? 4 : 13; /* which some are to reach */
    b->own->l.stiffest = 20;                 /* and this */
    b->t.l = b->own->l;
    rm_step *s = &b->t.s;
    s->m = b->own->l.m;
    s->first = foehn_grid_box(&w->g, sizeof(float)).offset;
    s->first_column = foehn_grid_column(&w->g, 0, 0);
    for (int a = 0; a < 3; a++)
        s->open[a] = over_buffer(&b->arrays, b->own->ground.open[a], b->elements);
    s->columns = over_buffer(&b->arrays, b->own->ground.columns,
                             COLUMN_PLANES * (size_t)s->m.plane * sizeof(float));
    disturb(b);
}

static void close_bed(eddies_bed *b)
{
    over_free(&b->arrays);
    foehn_wind_destroy(b->w);
}

#define FOR_EACH_BED(b)                                                                            \
    for (int case_ = testing_is_tiny() ? CASES - 2 : 0; case_ < CASES; case_++)                    \
        for (bool once_ = (open_bed(&(b), &cases[case_]), true); once_;                            \
             once_ = (close_bed(&(b)), false))

/* The device's value and the one worked out, to a share of the scale. */
static void same(const eddies_bed *b, const char *what, int i, int j, int k, double got,
                 double want, double scale)
{
    const double most = 2e-5; /* some hundred roundings of single precision */
    ck_assert_msg(fabs(got - want) <= most * scale,
                  "%s: %s at (%d, %d, %d) is %.8g, not %.8g (%.2g of %.3g)", b->c->name, what, i, j,
                  k, got, want, fabs(got - want) / scale, scale);
}

static const char *const component[3] = {"u", "v", "w"};

/* A buffer for what a kernel makes, full of numbers that would show. */
static cl_mem blank(eddies_bed *b)
{
    cl_mem out;
    float *values = over_array(&b->arrays, b->elements * sizeof *values);
    for (size_t c = 0; c < b->elements; c++)
        values[c] = -777;
    OK(foehn_field_create(context, &b->w->g, sizeof(float), &out));
    put(b, out, values);
    return out;
}

static void find_eddies(eddies_bed *b, cl_mem nu)
{
    foehn_wind *w = b->w;
    const struct foehn_momentum *m = &b->own->ground;
    foehn_size cells =
        foehn_momentum_in_lanes(w, (size_t)w->g.nx, (size_t)w->g.ny, (size_t)w->g.nz);
    OK(LAUNCH(context, b->own->kernel.eddies, cells, ARG(b->own->l), ARG(m->columns),
              ARG(m->open[0]), ARG(m->open[2]), VELOCITY(w, w->now), ARG(nu)));
    OK(LAUNCH(context, b->own->kernel.ghosts_of_cells, ring(w), ARG(b->own->l), ARG(nu)));
    b->t.s.nu = field(b, nu);
}

START_TEST(viscosity_is_that_of_the_subgrid_model)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    {
        cl_mem nu = blank(&b);
        find_eddies(&b, nu);
        for (int k = 0; k < b.c->nz; k++)
            for (int j = 0; j < b.c->ny; j++)
                for (int i = 0; i < b.c->nx; i++) {
                    double want = rl_viscosity(&b.t, i, j, k);
                    same(&b, "viscosity", i, j, k, (double)b.t.s.nu[rm_at(&b.t.s, i, j, k)], want,
                         fmax(want, 1));
                }
        foehn_buffer_destroy(context, &nu);
    }
}
END_TEST

START_TEST(a_stage_carries_mixes_drives_and_is_held_by_the_ground)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const struct foehn_momentum *m = &b.own->ground;
        const size_t more = !b.t.l.wraps;
        const float dt = 0.02f * b.c->h, drive[2] = {0.7f, -0.4f};
        cl_mem nu = blank(&b), base = blank(&b), to = blank(&b);
        find_eddies(&b, nu);
        b.t.dt = (double)dt;
        for (int a = 0; a < 2; a++)
            b.t.drive[a] = (double)drive[a];
        OK(foehn_buffer_write(context, b.own->drive, 0, sizeof drive, drive));
        for (int a = 0; a < 3; a++) {
            /* The substep began with something else than the stage. */
            float *values = field(&b, w->velocity[w->now][a]);
            for (size_t c = 0; c < b.elements; c++)
                values[c] += (float)testing_uniform(&b.random, -1, 1);
            put(&b, base, values);
            b.t.base[a] = values;
            foehn_size size =
                foehn_momentum_in_lanes(w, (size_t)w->g.nx + (a == 0 ? more : 0), (size_t)w->g.ny,
                                        (size_t)w->g.nz + (a == 2 ? more : 0));
            OK(LAUNCH(context, b.own->kernel.stage[a], size, ARG(b.own->l), ARG(dt),
                      ARG(m->columns), ARG(m->walls), ARG(b.own->drive), OPEN(m),
                      VELOCITY(w, w->now), ARG(base), ARG(m->p), ARG(nu), ARG(to)));
            const float *got = field(&b, to);
            for (int k = 0; k < w->g.nz + (a == 2 && more); k++)
                for (int j = 0; j < w->g.ny; j++)
                    for (int i = 0; i < w->g.nx + (a == 0 && more); i++)
                        same(&b, component[a], i, j, k, (double)got[rm_at(&b.t.s, i, j, k)],
                             rl_stage(&b.t, a, i, j, k), 20);
        }
        foehn_buffer_destroy(context, &nu);
        foehn_buffer_destroy(context, &base);
        foehn_buffer_destroy(context, &to);
    }
}
END_TEST

/* Beyond the sides: the far end, what the substep began with where the wind comes in, or the last
 * inside. */
START_TEST(ghosts_hold_what_lies_beyond_the_sides)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    {
        const foehn_grid *g = &b.w->g;
        const les *l = &b.t.l;
        cl_mem from[3], to[3];
        const float *before[3], *given[3];
        for (int a = 0; a < 3; a++) {
            float *values = field(&b, b.w->velocity[b.w->now][a]);
            for (size_t c = 0; c < b.elements; c++)
                values[c] = (float)testing_uniform(&b.random, -9, 9);
            from[a] = blank(&b);
            put(&b, from[a], values);
            before[a] = values;
            to[a] = blank(&b);
            put(&b, to[a], given[a] = b.t.s.u[a]);
        }
        OK(LAUNCH(context, b.own->kernel.ghosts, ring(b.w), ARG(*l), ARG(from[0]), ARG(from[1]),
                  ARG(from[2]), ARG(to[0]), ARG(to[1]), ARG(to[2])));
        for (int a = 0; a < 3; a++) {
            const float *got = field(&b, to[a]);
            for (int k = -1; k <= g->nz; k++)
                for (int j = 0; j <= g->ny; j++)
                    for (int i = -1; i <= g->nx; i++) {
                        const size_t c = rm_at(&b.t.s, i, j, k);
                        const bool ghost = i < 0 || k < 0 || i == g->nx || k == g->nz;
                        const bool in = (i < 0 && l->m.inflow & INFLOW_WEST) ||
                                        (i == g->nx && l->m.inflow & INFLOW_EAST) ||
                                        (k < 0 && l->m.inflow & INFLOW_NORTH) ||
                                        (k == g->nz && l->m.inflow & INFLOW_SOUTH);
                        const int last_x = g->nx - (a != 0), last_z = g->nz - (a != 2);
                        const int ci = i < 0        ? 0
                                       : i > last_x ? last_x
                                                    : i,
                                  ck = k < 0        ? 0
                                       : k > last_z ? last_z
                                                    : k;
                        const int ri = (i + g->nx) % g->nx, rk = (k + g->nz) % g->nz;
                        float want = !ghost     ? given[a][c]
                                     : l->wraps ? given[a][rm_at(&b.t.s, ri, j, rk)]
                                     : in       ? before[a][c]
                                                : given[a][rm_at(&b.t.s, ci, j, ck)];
                        ck_assert_msg(got[c] == want, "%s: %s at (%d, %d, %d) is %g, not %g",
                                      b.c->name, component[a], i, j, k, (double)got[c],
                                      (double)want);
                    }
            foehn_buffer_destroy(context, &from[a]);
            foehn_buffer_destroy(context, &to[a]);
        }
    }
}
END_TEST

/* On inflow sides the periodic wind's values, faces and ghosts; elsewhere what was there. */
START_TEST(what_comes_in_is_the_periodic_wind_at_the_same_height)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w, *p = w->beside;
        if (!p)
            continue;
        const foehn_grid *g = &w->g;
        const i32 inflow = b.t.l.m.inflow;
        const les_source source = {p->g, 3, p->g.nz - 2};
        float *coming[3];
        cl_mem to[3];
        for (int a = 0; a < 3; a++) {
            coming[a] = over_buffer(&b.arrays, p->velocity[p->now][a],
                                    foehn_grid_elements(&p->g) * sizeof(float));
            to[a] = blank(&b);
        }
        OK(LAUNCH(context, b.own->kernel.inflow, ring(w), ARG(b.own->l), ARG(source),
                  ARG(b.own->ground.columns), VELOCITY(p, p->now), ARG(to[0]), ARG(to[1]),
                  ARG(to[2])));
        for (int a = 0; a < 3; a++) {
            const float *got = field(&b, to[a]);
            for (int k = -1; k <= g->nz; k++)
                for (int j = 0; j < g->ny; j++)
                    for (int i = -1; i <= g->nx; i++) {
                        const bool west = inflow & INFLOW_WEST && i <= (a == 0 ? 0 : -1);
                        const bool north = inflow & INFLOW_NORTH && k <= (a == 2 ? 0 : -1);
                        const bool east = inflow & INFLOW_EAST && i == g->nx;
                        const bool south = inflow & INFLOW_SOUTH && k == g->nz;
                        const bool set = west || north || east || south;
                        same(&b, component[a], i, j, k, (double)got[rm_at(&b.t.s, i, j, k)],
                             set ? rl_coming_in(&b.t, &source, coming[a], a, i, j, k) : -777, 10);
                    }
            foehn_buffer_destroy(context, &to[a]);
        }
    }
}
END_TEST

/* u - grad psi where the solver's faces are open, p + psi / dt. */
START_TEST(the_projection_takes_the_gradient_out)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const foehn_grid *g = &w->g;
        const float per_dt = 3;
        cl_mem *u = w->velocity[w->now], psis = blank(&b);
        const double h[3] = {(double)g->hx, (double)g->hy, (double)g->hz};
        float *psi = field(&b, psis);
        for (size_t c = 0; c < b.elements; c++)
            psi[c] = (float)testing_uniform(&b.random, -6, 6);
        put(&b, psis, psi);
        const uint8_t *open[3];
        for (int a = 0; a < 3; a++)
            open[a] = over_buffer(&b.arrays, foehn_pressure_open(w->solver, a), b.elements);
        OK(LAUNCH(context, b.own->kernel.take_out, foehn_wind_faces(w), ARG(b.own->l), ARG(per_dt),
                  SOLVER_OPEN(w), ARG(psis), ARG(u[0]), ARG(u[1]), ARG(u[2]),
                  ARG(b.own->ground.p)));
        const float *got_p = field(&b, b.own->ground.p);
        for (int a = 0; a < 3; a++) {
            const float *got = field(&b, u[a]);
            for (int k = 0; k < g->nz; k++)
                for (int j = 0; j < g->ny; j++)
                    for (int i = 0; i < g->nx; i++) {
                        const size_t c = rm_at(&b.t.s, i, j, k);
                        int before[3] = {i - (a == 0), j - (a == 1), k - (a == 2)};
                        for (int d = 0; d < 3; d += 2)
                            if (b.t.l.wraps && before[d] < 0)
                                before[d] += d == 0 ? g->nx : g->nz;
                        double want = (double)b.t.s.u[a][c];
                        if (open[a][c] > 0)
                            want -= ((double)psi[c] -
                                     (double)psi[rm_at(&b.t.s, before[0], before[1], before[2])]) /
                                    h[a];
                        same(&b, component[a], i, j, k, (double)got[c], want, 20);
                        same(&b, "p", i, j, k, (double)got_p[c],
                             (double)b.t.s.p[c] + (double)psi[c] * (double)per_dt, 20);
                    }
        }
        foehn_buffer_destroy(context, &psis);
    }
}
END_TEST

/* Deardorff (1980): nu = 0.1 D sqrt(k). */
START_TEST(what_is_not_resolved_follows_from_the_viscosity)
{
    eddies_bed b;
    FOR_EACH_BED(b)
    for (cl_int as_speed = 0; as_speed < 2; as_speed++) {
        const float width = 13;
        cl_mem nu = blank(&b), out = blank(&b);
        find_eddies(&b, nu);
        OK(LAUNCH(context, b.own->kernel.unresolved, foehn_wind_cells(b.w), ARG(b.w->g), ARG(width),
                  ARG(as_speed), ARG(nu), ARG(out)));
        const float *got = field(&b, out);
        for (int k = 0; k < b.c->nz; k++)
            for (int j = 0; j < b.c->ny; j++)
                for (int i = 0; i < b.c->nx; i++) {
                    const size_t c = rm_at(&b.t.s, i, j, k);
                    const double energy = pow((double)b.t.s.nu[c] / (0.1 * (double)width), 2);
                    const double want = as_speed ? sqrt(2.0 / 3 * energy) : energy;
                    same(&b, "what is not resolved", i, j, k, (double)got[c], want, fmax(want, 1));
                }
        foehn_buffer_destroy(context, &nu);
        foehn_buffer_destroy(context, &out);
    }
}
END_TEST

/* ---- energy ---- */

/* Walls up to the lid around a slope, and around rubble. */
static bool is_wall(double x, double z)
{
    return x < 0.06 || x > 0.94 || z < 0.06 || z > 0.94;
}

static float walled_slope(double x, double z)
{
    return is_wall(x, z) ? 16 : (float)(0.3 + 9 * x + 3 * z);
}

static float walled_rubble(double x, double z)
{
    return is_wall(x, z) ? 16 : over_rubble(x, z);
}

/* Noise without divergence on open faces, no pressure, no viscosity, nothing that drives. */
static void stir(foehn_wind *w)
{
    struct foehn_les *own = w->own;
    const foehn_grid *g = &w->g;
    const size_t count = foehn_grid_elements(g);
    uint64_t random = 5;
    own->l.length = own->l.cx = own->l.cy = own->l.cz = own->l.drive = 0;
    for (int a = 0; a < 3; a++) {
        const float most = a == 1 ? 0.2f * g->hy / g->hx : 0.2f;
        float *u = testing_alloc(count * sizeof *u);
        uint8_t *open = testing_alloc(count);
        OK(foehn_buffer_read(context, own->ground.open[a], 0, count, open));
        for (size_t c = 0; c < count; c++)
            u[c] =
                open[c] > 0 ? (float)testing_uniform(&random, -(double)most, (double)most) : 0.0f;
        OK(foehn_buffer_write(context, w->velocity[w->now][a], 0, count * sizeof *u, u));
        free(u);
        free(open);
    }
    OK(foehn_wind_step(w, 1e-4f * g->hx));
    OK(foehn_buffer_clear(context, own->ground.p));
}

/* Sum over faces of their volumes' kinetic energy; *most: the largest component, m/s. */
static double kinetic_energy(foehn_wind *w, double *most)
{
    struct foehn_les *own = w->own;
    const size_t count = foehn_grid_elements(&w->g);
    float *u = testing_alloc(count * sizeof *u);
    uint8_t *open = testing_alloc(count);
    double sum = *most = 0;
    for (int a = 0; a < 3; a++) {
        OK(foehn_buffer_read(context, own->ground.open[a], 0, count, open));
        OK(foehn_buffer_read(context, w->velocity[w->now][a], 0, count * sizeof *u, u));
        for (size_t c = 0; c < count; c++)
            if (open[c] > 0) {
                sum += 0.5 * fmax(open[c] / 255.0, 0.25) * (double)u[c] * (double)u[c];
                *most = fmax(*most, fabs((double)u[c]));
            }
    }
    free(u);
    free(open);
    return sum;
}

/* With half the share of upwind beside closed faces, or with one's own value from under them, both
 * grounds make energy within this time, until speeds are held. */
START_TEST(the_ground_makes_no_energy)
{
    float (*const grounds[])(double, double) = {walled_slope, walled_rubble};
    for (int n = 0; n < (testing_is_tiny() ? 0 : 2); n++) {
        foehn_wind_params p = over_box(FOEHN_WIND_LES, 28, 16, 26, 40, 10);
        p.state.u10 = 1;
        p.spin_up = 0;
        foehn_wind *w = over_ground(p, grounds[n]);
        OK(foehn_wind_step(w, 0.001f));
        stir(w);
        double first, most;
        const double energy = kinetic_energy(w, &first);
        double before = energy, now = 0;
        for (int s = 0; s < 14; s++, before = now) {
            for (int m = 0; m < 20; m++)
                OK(foehn_wind_step(w, 8));
            now = kinetic_energy(w, &most);
            ck_assert_msg(now < 1.002 * before && most < 2.5 * first,
                          "ground %d, %d s: energy %.4f of what it was, %.4f of 160 s before; "
                          "fastest %.3g m/s, at first %.3g",
                          n, 160 * (s + 1), now / energy, now / before, most, first);
        }
        testing_report("ground %d: energy %.3f, fastest %.2f of what it was", n, now / energy,
                       most / first);
        ck_assert_msg(now < 0.95 * energy, "ground %d: energy %.4f of what it was", n,
                      now / energy);
        foehn_wind_destroy(w);
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("eddies", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, viscosity_is_that_of_the_subgrid_model);
    tcase_add_test(tests, a_stage_carries_mixes_drives_and_is_held_by_the_ground);
    tcase_add_test(tests, ghosts_hold_what_lies_beyond_the_sides);
    tcase_add_test(tests, what_comes_in_is_the_periodic_wind_at_the_same_height);
    tcase_add_test(tests, the_projection_takes_the_gradient_out);
    tcase_add_test(tests, what_is_not_resolved_follows_from_the_viscosity);
    tcase_add_test(tests, the_ground_makes_no_energy);
    return testing_end();
}
