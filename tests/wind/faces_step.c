/* SPDX-License-Identifier: MIT */
/* A step of the staggered wind, the box moving, against the plain-C passes one after the other:
 * that the host launches the right ones on the right fields. */
#include "wind/bed.h"

typedef struct step_case {
    const char *name;
    foehn_wind_sides sides;
    foehn_wind_advection advection;
    bool hilly;
    float dt;
    int shift[3]; /* of the box, cells */
} step_case;

static const step_case cases[] = {
    {"flat", FOEHN_WIND_SIDES_OPEN, FOEHN_WIND_SEMI_LAGRANGIAN, false, 0.3f, {0, 0, 0}},
    {"hill", FOEHN_WIND_SIDES_OPEN, FOEHN_WIND_SEMI_LAGRANGIAN, true, 0.3f, {1, 0, -2}},
    {"periodic hill", FOEHN_WIND_SIDES_PERIODIC, FOEHN_WIND_SEMI_LAGRANGIAN, true, 1.1f, {0, 0, 0}},
    {"hill, MacCormack", FOEHN_WIND_SIDES_OPEN, FOEHN_WIND_MACCORMACK, true, 0.3f, {-1, 0, 0}},
};

enum { SAMPLES = 8 };

typedef struct model {
    faces_box box;
    size_t count;
    float corner[16 * 16];
    float *u[3], *psi[3], gust[2][16 * 16];
    uint8_t *open[3];
    double *p, *strength;
} model;

static void make_model(model *m, const foehn_wind_info *info, bool periodic)
{
    memset(m, 0, sizeof *m);
    m->box = (faces_box){.n = {info->nx, info->ny, info->nz}, .periodic = periodic};
    for (int a = 0; a < 3; a++)
        m->box.h[a] = info->spacing[a];
    m->count = faces_count(&m->box);
    for (int a = 0; a < 3; a++) {
        m->u[a] = testing_alloc(m->count * sizeof(float));
        m->psi[a] = testing_alloc(m->count * sizeof(float));
        m->open[a] = testing_alloc(m->count);
    }
    m->p = testing_alloc(m->count * sizeof(double));
    m->strength = testing_alloc(m->count * sizeof(double));
}

static void drop_model(model *m)
{
    for (int a = 0; a < 3; a++) {
        free(m->u[a]);
        free(m->psi[a]);
        free(m->open[a]);
    }
    free(m->p);
    free(m->strength);
}

/* ---- the passes ---- */

/* Corners and openness for a box whose lower corner is at `origin`. */
static void put_ground(model *m, const foehn_terrain *t, const double origin[3])
{
    const faces_box *b = &m->box;
    const terrain_map map = {t->nx,
                             t->nz,
                             (float)((origin[0] - t->origin[0]) / t->spacing[0]),
                             (float)((origin[2] - t->origin[1]) / t->spacing[1]),
                             (float)(b->h[0] / t->spacing[0]),
                             (float)(b->h[2] / t->spacing[1])};
    m->box.floor_y = origin[1];
    for (int k = 0; k <= b->n[2]; k++)
        for (int i = 0; i <= b->n[0]; i++)
            m->corner[k * (b->n[0] + 1) + i] = (float)faces_terrain(&map, t->heights, i, k);
    for (int a = 0; a < 3; a++)
        EACH_OF(b, faces_across(a), at)
        {
            double doubt, share = 255 * faces_share(b, m->corner, a, at, &doubt);
            bool closed = a == 1 && (at[1] == 0 || at[1] == b->n[1]);
            ck_assert(closed || fabs(share - floor(share) - 0.5) > 1e-3 + 255 * doubt);
            m->open[a][faces_index(b, at)] = closed ? 0 : (uint8_t)lround(share);
        }
    for (int a = 0; a < 3; a += 2) /* in a periodic box the upper edge face is the lower one */
        EACH_OF(b, faces_across(a), at)
        {
            int lower[3] = {at[0], at[1], at[2]};
            lower[a] = b->periodic && at[a] == b->n[a] ? 0 : at[a];
            m->open[a][faces_index(b, at)] = m->open[a][faces_index(b, lower)];
        }
}

/* As foehn_wind_write() makes faces of centres: the mean of two cells, at sides that of the one or
 * of both ends; 0 at floor and lid. */
static void put_centers(model *m, int axis, const float *centers)
{
    const int *n = m->box.n;
    EACH_OF(&m->box, faces_across(axis), at)
    {
        double sum = 0;
        for (int side = -1; side <= 0; side++) {
            int cell[3] = {at[0], at[1], at[2]};
            cell[axis] += side;
            if (m->box.periodic)
                cell[axis] = (cell[axis] + n[axis]) % n[axis];
            cell[axis] = cell[axis] < 0 ? 0 : cell[axis] >= n[axis] ? n[axis] - 1 : cell[axis];
            sum += (double)centers[(cell[2] * n[1] + cell[1]) * n[0] + cell[0]];
        }
        bool held = axis == 1 && (at[1] == 0 || at[1] == n[1]);
        m->u[axis][faces_index(&m->box, at)] = held ? 0 : (float)(0.5 * sum);
    }
}

/* All faces get what `value` makes of the old ones. */
typedef double face_value(const model *m, const void *what, int axis, const int at[3]);
static void replace(model *m, face_value *value, const void *what)
{
    float *now[3];
    for (int a = 0; a < 3; a++) {
        now[a] = testing_alloc(m->count * sizeof(float));
        EACH_OF(&m->box, faces_across(a), at)
        now[a][faces_index(&m->box, at)] = (float)value(m, what, a, at);
    }
    for (int a = 0; a < 3; a++) {
        free(m->u[a]);
        m->u[a] = now[a];
        EACH_OF(&m->box, faces_across(a), at)
        {
            int lower[3] = {at[0], at[1], at[2]};
            for (int b = 0; b < 3; b += 2)
                lower[b] = m->box.periodic && at[b] == m->box.n[b] ? 0 : at[b];
            m->u[a][faces_index(&m->box, at)] = m->u[a][faces_index(&m->box, lower)];
        }
    }
}

typedef struct scrolling {
    const int *shift;
    const wind_forcing *f;
} scrolling;

static double scrolled(const model *m, const void *what, int axis, const int at[3])
{
    const scrolling *s = what;
    int from[3];
    bool had = true;
    for (int a = 0; a < 3; a++) {
        from[a] = at[a] + s->shift[a];
        had = had && from[a] >= 0;
    }
    if (had && faces_exist(&m->box, faces_across(axis), from))
        return (double)m->u[axis][faces_index(&m->box, from)];
    if (axis == 1 || m->open[axis][faces_index(&m->box, at)] == 0)
        return 0;
    return (double)(axis ? s->f->dz : s->f->dx) * (double)s->f->u10 *
           faces_profile(&m->box, s->f, m->corner, axis, at);
}

static double forced(const model *m, const void *what, int axis, const int at[3])
{
    const float *gust[2] = {m->gust[0], m->gust[1]};
    return faces_forced(&m->box, what, m->corner, gust, (const float **)(uintptr_t)m->psi,
                        (const uint8_t **)(uintptr_t)m->open, (const float **)(uintptr_t)m->u, axis,
                        at);
}

static double extended(const model *m, const void *what, int axis, const int at[3])
{
    (void)what;
    size_t c = faces_index(&m->box, at), up;
    const int above[3] = {at[0], at[1] + 1, at[2]};
    if (axis == 1 || m->open[axis][c] > 0 || above[1] == m->box.n[1])
        return (double)m->u[axis][c];
    up = faces_index(&m->box, above);
    return m->open[axis][up] > 0 ? (double)m->u[axis][up] : 0;
}

static double traced(const model *m, const void *what, int axis, const int at[3])
{
    double place[3];
    faces_trace(&m->box, -(double)*(const float *)what, (const float **)(uintptr_t)m->u, axis, at,
                place);
    return m->open[axis][faces_index(&m->box, at)] > 0
               ? faces_value(&m->box, axis, m->u[axis], place)
               : 0;
}

typedef struct correction {
    const model *old;
    float dt;
} correction;

/* m has what was traced. */
static double corrected(const model *m, const void *what, int axis, const int at[3])
{
    const correction *c = what;
    const float **old = (const float **)(uintptr_t)c->old->u;
    double from[3], ahead[3], range[2], hat = (double)m->u[axis][faces_index(&m->box, at)];
    faces_trace(&m->box, -(double)c->dt, old, axis, at, from);
    faces_trace(&m->box, (double)c->dt, old, axis, at, ahead);
    faces_range(&m->box, axis, old[axis], from, 0, range);
    double value = hat + 0.5 * ((double)old[axis][faces_index(&m->box, at)] -
                                faces_value(&m->box, axis, m->u[axis], ahead));
    bool open = m->open[axis][faces_index(&m->box, at)] > 0;
    return !open ? 0 : value >= range[0] && value <= range[1] ? value : hat;
}

static double projected(const model *m, const void *what, int axis, const int at[3])
{
    (void)what;
    return faces_projected(&m->box, 0, (const uint8_t **)(uintptr_t)m->open, m->p, m->u[axis], axis,
                           at);
}

static void step(model *m, const wind_forcing *f, const step_case *c)
{
    const faces_box *b = &m->box;
    for (int a = 0; a < 3; a++)
        EACH_OF(b, faces_edges_along(a), at)
    m->psi[a][faces_index(b, at)] = (float)faces_potential(b, f, m->corner, a, at);
    for (int a = 0; a < 2; a++)
        EACH_OF(b, faces_across(2 * a), at)
        {
            double speed[2], x = at[0] + (a == 0 ? 0 : 0.5), z = at[2] + (a == 0 ? 0.5 : 0);
            faces_gusts(f, x * b->h[0], z * b->h[2], speed);
            m->gust[a][at[2] * (b->n[0] + 1) + at[0]] = (float)speed[a];
        }
    EACH_OF(b, FACES_CELLS, at)
    m->strength[faces_index(b, at)] = faces_strength(b, (const float **)(uintptr_t)m->psi, at);
    replace(m, forced, f);
    if (c->hilly)
        replace(m, extended, NULL);
    model old = *m;
    for (int a = 0; a < 3; a++) {
        old.u[a] = testing_alloc(m->count * sizeof(float));
        memcpy(old.u[a], m->u[a], m->count * sizeof(float));
    }
    replace(m, traced, &c->dt);
    if (c->advection == FOEHN_WIND_MACCORMACK)
        replace(m, corrected, &(correction){&old, c->dt});
    for (int a = 0; a < 3; a++)
        free(old.u[a]);
    double *div = testing_alloc(m->count * sizeof *div);
    EACH_OF(b, FACES_CELLS, at)
    div[faces_index(b, at)] = faces_divergence(b, (const uint8_t **)(uintptr_t)m->open,
                                               (const float **)(uintptr_t)m->u, at);
    faces_solve(b, (const uint8_t **)(uintptr_t)m->open, div, m->p);
    free(div);
    replace(m, projected, NULL);
}

/* ---- and the library's ---- */

/* Until two gusts blow; where time is short, a step. */
static void live(foehn_wind *w)
{
    foehn_wind_info info;
    do {
        OK(foehn_wind_step(w, 2));
        foehn_wind_get_info(w, &info);
    } while (info.gusts < 2 && !testing_is_tiny());
}

/* Iterated to what floats can show of the pressure the speeds are off by 4e-6 m/s on a CPU;
 * MacCormack's limit is a step, which roundings may take either way on a face in a hundred. */
START_TEST(a_step_is_that_of_plain_c)
{
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n += testing_is_tiny() ? 3 : 1) {
        const step_case *c = &cases[n];
        const bool periodic = c->sides == FOEHN_WIND_SIDES_PERIODIC;
        foehn_wind_params params = foehn_wind_params_default();
        foehn_wind_info info;
        foehn_wind *w;
        params.nx = testing_is_tiny() ? 5 : 9;
        params.ny = testing_is_tiny() ? 4 : 6;
        params.nz = testing_is_tiny() ? 4 : 8;
        params.spacing_vertical = 3;
        params.sides = c->sides;
        params.advection = c->advection;
        params.pressure = FOEHN_WIND_PRESSURE_MGCG;
        params.cycles = testing_is_tiny() ? 5 : 12;
        params.state = (foehn_wind_state){.u10 = 8, .from = 240, .gustiness = 1};
        OK(foehn_wind_create(context, &params, &w));
        foehn_wind_get_info(w, &info);
        float heights[SAMPLES * SAMPLES];
        for (int i = 0; i < SAMPLES * SAMPLES; i++) {
            double x = i % SAMPLES / 3.5 - 1, z = (double)(i / SAMPLES) / 3.5 - 1;
            heights[i] =
                (float)(c->hilly ? 9.3 * exp(-2 * (x * x + z * z)) + 0.37 * x + 0.11 * z : 0);
        }
        const foehn_terrain terrain = {.nx = SAMPLES,
                                       .nz = SAMPLES,
                                       .origin = {info.origin[0] - 3.1, info.origin[2] - 1.7},
                                       .spacing = {6.1, 5.3},
                                       .heights = heights};
        if (c->hilly)
            OK(foehn_wind_set_terrain(w, &terrain));
        live(w);

        model m;
        make_model(&m, &info, periodic);
        put_ground(&m, &terrain, info.origin);
        const size_t cells = (size_t)info.nx * (size_t)info.ny * (size_t)info.nz;
        float *values = testing_alloc(cells * sizeof *values);
        uint64_t random = 5;
        for (int a = 0; a < 3; a++) {
            for (size_t i = 0; i < cells; i++)
                values[i] = (float)testing_uniform(&random, -7, 7);
            OK(foehn_wind_write(w, (foehn_wind_field)(FOEHN_WIND_U + a), values));
            put_centers(&m, a, values);
        }
        const int n_cells[3] = {info.nx, info.ny, info.nz};
        double center[3];
        for (int a = 0; a < 3; a++)
            center[a] = info.origin[a] + (n_cells[a] / 2 + c->shift[a] + 0.5) * info.spacing[a];
        OK(foehn_wind_set_center(w, center));
        OK(foehn_wind_step(w, c->dt));
        const wind_forcing f =
            foehn_wind_forcing(w, c->dt); /* the clock is where the step's forcing was */
        foehn_wind_get_info(w, &info);
        put_ground(&m, &terrain, info.origin);
        if (c->shift[0] || c->shift[1] || c->shift[2])
            replace(&m, scrolled, &(scrolling){c->shift, &f});
        step(&m, &f, c);

        double worst = 0;
        size_t off = 0;
        for (int a = 0; a < 3; a++) {
            OK(foehn_wind_read(w, (foehn_wind_field)(FOEHN_WIND_U + a), values));
            EACH_OF(&m.box, FACES_CELLS, at)
            {
                double now[3];
                faces_center(&m.box, (const uint8_t **)m.open, (const float **)m.u, at, now);
                double error =
                    fabs((double)values[(at[2] * info.ny + at[1]) * info.nx + at[0]] - now[a]);
                worst = fmax(worst, error);
                off += !(error < 5e-5);
            }
        }
        testing_report("a step, %s: off by %.2g m/s at most, %zu values by more than 5e-5", c->name,
                       worst, off);
        ck_assert_msg(off <= (c->advection == FOEHN_WIND_MACCORMACK ? 3 * cells / 50 : 0),
                      "%s: %zu of %zu values are off, by %g m/s at most", c->name, off, 3 * cells,
                      worst);
        OK(foehn_wind_read(w, FOEHN_WIND_CURL, values));
        EACH_OF(&m.box, FACES_CELLS, at)
        NEAR(values[(at[2] * info.ny + at[1]) * info.nx + at[0]],
             m.strength[faces_index(&m.box, at)], 5e-5);
        free(values);
        drop_model(&m);
        foehn_wind_destroy(w);
    }
}
END_TEST

void add_step_tests(TCase *tests)
{
    tcase_add_test(tests, a_step_is_that_of_plain_c);
}
