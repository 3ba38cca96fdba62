/* SPDX-License-Identifier: MIT */
/* Transport of velocity and dye against plain C in double: both layouts, with and without
 * MacCormack's correction.  In the middle of the box, where its sides are not felt. */
#include "fire/fires.h"

enum { N = 16, CELLS = N * N * N };

static const double dt = 0.05, h = FIRE_RENDER_VOXEL; /* s, m */

/* A field of N^3 values at (i, j, k) + offset, in voxels. */
typedef struct lattice {
    double offset[3];
    double *values;
} lattice;

static lattice lattice_make(const double offset[3])
{
    lattice l = {{offset[0], offset[1], offset[2]}, testing_alloc(CELLS * sizeof(double))};
    return l;
}

#define EACH_OF(i, j, k, low, high)                                                                \
    for (int k = low; k < (high); k++)                                                             \
        for (int j = low; j < (high); j++)                                                         \
            for (int i = low; i < (high); i++)

/* Trilinear value at a place, and the range of the eight values it is made of. */
static double value_at(const lattice *l, const double place[3], double range[2])
{
    double t[3], sum = 0;
    int low[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (int)floor(place[a] - l->offset[a]);
        t[a] = place[a] - l->offset[a] - low[a];
    }
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int n = 0; n < 8; n++) {
        const int up[3] = {n & 1, n >> 1 & 1, n >> 2};
        double weight = 1;
        for (int a = 0; a < 3; a++)
            weight *= up[a] ? t[a] : 1 - t[a];
        double value = l->values[fires_cell(low[0] + up[0], low[1] + up[1], low[2] + up[2])];
        sum += weight * value;
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
    return sum;
}

/* Where a node of the lattice is `time` later. */
static void trace(const lattice air[3], const lattice *l, int i, int j, int k, double time,
                  double place[3])
{
    double start[3] = {i + l->offset[0], j + l->offset[1], k + l->offset[2]}, unused[2];
    for (int a = 0; a < 3; a++)
        place[a] = start[a] + time * value_at(&air[a], start, unused) / h;
}

/* What transport makes of a lattice in [4, N - 4): hat(x) = f(x - v dt), and if asked for hat + (f
 * - hat(x + v dt)) / 2 held within the values around the place that hat is from. */
static lattice carried(const lattice air[3], const lattice *f, bool correct)
{
    lattice hat = lattice_make(f->offset), out = lattice_make(f->offset);
    double from[3], ahead[3], range[2], unused[2];
    EACH_OF(i, j, k, 2, N - 2)
    {
        trace(air, f, i, j, k, -dt, from);
        hat.values[fires_cell(i, j, k)] = value_at(f, from, range);
    }
    EACH_OF(i, j, k, 4, N - 4)
    {
        size_t c = fires_cell(i, j, k);
        out.values[c] = hat.values[c];
        if (!correct)
            continue;
        trace(air, f, i, j, k, -dt, from);
        trace(air, f, i, j, k, dt, ahead);
        value_at(f, from, range);
        double better = hat.values[c] + 0.5 * (f->values[c] - value_at(&hat, ahead, unused));
        out.values[c] = fmin(fmax(better, range[0]), range[1]);
    }
    free(hat.values);
    return out;
}

/* Speeds of less than a voxel a step. */
static float *random_velocity(uint64_t *random)
{
    float *v = testing_alloc(3 * CELLS * sizeof *v);
    for (size_t c = 0; c < 3 * CELLS; c++)
        v[c] = (float)testing_uniform(random, -1.2, 1.2);
    return v;
}

/* The air that foehn_fire_write() makes of velocity at centres: a face has the mean of its cells.
 */
static void put_air(const float *v, bool faces, lattice air[3])
{
    for (int a = 0; a < 3; a++) {
        const double offset[3] = {faces && a == 0 ? 0 : 0.5, faces && a == 1 ? 0 : 0.5,
                                  faces && a == 2 ? 0 : 0.5};
        air[a] = lattice_make(offset);
        EACH_OF(i, j, k, 1, N)
        {
            size_t own = 3 * fires_cell(i, j, k) + (size_t)a;
            size_t before = 3 * fires_cell(i - (a == 0), j - (a == 1), k - (a == 2)) + (size_t)a;
            air[a].values[fires_cell(i, j, k)] =
                faces ? 0.5 * ((double)v[own] + (double)v[before]) : (double)v[own];
        }
    }
}

/* Places in voxels are rounded to 2^-20 twice on three axes, neighbours are 2.4 m/s apart. */
START_TEST(velocity_is_carried_as_in_plain_c_on_either_layout)
{
    uint64_t random = 23;
    for (int variant = 0; variant < 4; variant++) {
        const bool faces = variant / 2, correct = variant % 2;
        const double lift = 2 * 2.3729 - 0.8 * 0.15;
        foehn_fire_params p = fires_quiet();
        p.layout = faces ? FOEHN_FIRE_STAGGERED : FOEHN_FIRE_COLLOCATED;
        p.velocity_transport = correct ? FOEHN_FIRE_MACCORMACK : FOEHN_FIRE_SEMI_LAGRANGIAN;
        p.buoyancy = 2.3729f;
        p.smoke_weight = 0.15f;
        p.damping = 0.25f;
        foehn_fire *fire = fires_create(&p);
        float *v = random_velocity(&random), *field = testing_alloc(CELLS * sizeof *field);
        lattice air[3], next[3];
        for (int c = 0; c < CELLS; c++)
            field[c] = 2;
        OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
        for (int c = 0; c < CELLS; c++)
            field[c] = 0.8f;
        OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
        OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
        OK(foehn_fire_step(fire));
        float *got = fires_read(fire, FOEHN_FIRE_VELOCITY_BEFORE);
        put_air(v, faces, air);
        for (int a = 0; a < 3; a++)
            next[a] = carried(air, &air[a], correct);
        EACH_OF(i, j, k, 5, N - 5)
        for (int a = 0; a < 3; a++) {
            size_t upper = fires_cell(i + (a == 0), j + (a == 1), k + (a == 2));
            double now = next[a].values[fires_cell(i, j, k)];
            now = faces ? 0.5 * (now + next[a].values[upper]) : now;
            double want = (now + (a == 1 ? lift * dt : 0)) * (1 - 0.25 * dt);
            NEAR(got[3 * fires_cell(i, j, k) + (size_t)a], want, 2.4 * 6 * 0x1p-20);
        }
        for (int a = 0; a < 3; a++) {
            free(air[a].values);
            free(next[a].values);
        }
        free(v);
        free(field);
        free(got);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* By the velocity after the projection; temperature and density lose nothing. */
START_TEST(dye_is_carried_as_in_plain_c)
{
    static const foehn_fire_field fields[2] = {FOEHN_FIRE_DENSITY, FOEHN_FIRE_TEMPERATURE};
    static const double centre[3] = {0.5, 0.5, 0.5};
    uint64_t random = 29;
    for (int correct = 0; correct < 2; correct++) {
        foehn_fire_params p = fires_quiet();
        p.dye_transport = correct ? FOEHN_FIRE_MACCORMACK : FOEHN_FIRE_SEMI_LAGRANGIAN;
        foehn_fire *fire = fires_create(&p);
        float *v = random_velocity(&random), *dye = testing_alloc(CELLS * sizeof *dye);
        lattice air[3], before[2];
        for (int n = 0; n < 2; n++) {
            before[n] = lattice_make(centre);
            for (size_t c = 0; c < CELLS; c++) {
                dye[c] = (float)testing_uniform(&random, 0.1, 1);
                before[n].values[c] = (double)dye[c];
            }
            OK(foehn_fire_write(fire, fields[n], dye));
        }
        OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
        OK(foehn_fire_step(fire));
        float *after = fires_read(fire, FOEHN_FIRE_VELOCITY);
        put_air(after, false, air);
        for (int n = 0; n < 2; n++) {
            float *got = fires_read(fire, fields[n]);
            lattice want = carried(air, &before[n], correct);
            EACH_OF(i, j, k, 5, N - 5)
            NEAR(got[fires_cell(i, j, k)], want.values[fires_cell(i, j, k)], 6 * 0x1p-20);
            free(got);
            free(want.values);
            free(before[n].values);
        }
        for (int a = 0; a < 3; a++)
            free(air[a].values);
        free(v);
        free(dye);
        free(after);
        foehn_fire_destroy(fire);
    }
}
END_TEST

void add_fire_transport_tests(TCase *tests)
{
    tcase_add_test(tests, velocity_is_carried_as_in_plain_c_on_either_layout);
    tcase_add_test(tests, dye_is_carried_as_in_plain_c);
}
