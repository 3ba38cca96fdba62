/* SPDX-License-Identifier: MIT */
/* How the gas of a fire that burns moves, kernel by kernel against plain C: transport of velocity,
 * eddies, lift and pressure where density varies, transport of the dye by mass. */
#include "testing.h"

#include "fire/state.h"

extern const foehn_source foehn_source_fire_inertia, foehn_source_fire_carry,
    foehn_source_fire_combustion;

enum { X = 7, Y = 6, Z = 8, MOST = 8 };

static const double spacing[3] = {0.1, 0.08, 0.12};

/* Fields of one grid, on the host and the device. */
typedef struct fields {
    foehn_grid g;
    size_t count;
    foehn_box box;
    float *host[MOST];
    cl_mem device[MOST];
    int planes[MOST];
} fields;

static fields make_fields(void)
{
    fields f = {.g = foehn_grid_make(X, Y, Z, 0.1f, 0.08f, 0.12f)};
    f.count = foehn_grid_elements(&f.g);
    f.box = foehn_grid_box(&f.g, sizeof(float));
    return f;
}

/* Random values everywhere, in ghosts, too. */
static void fill_field(fields *f, int n, int planes, double low, double high, uint64_t seed)
{
    size_t count = f->count * (size_t)planes;
    f->planes[n] = planes;
    f->host[n] = testing_alloc(count * sizeof(float));
    for (size_t c = 0; c < count; c++)
        f->host[n][c] = (float)testing_uniform(&seed, low, high);
    OK(foehn_buffer_create(context, count * sizeof(float), &f->device[n]));
    OK(foehn_buffer_write(context, f->device[n], 0, count * sizeof(float), f->host[n]));
}

static void fetch(fields *f, int n)
{
    OK(foehn_buffer_read(context, f->device[n], 0, f->count * (size_t)f->planes[n] * sizeof(float),
                         f->host[n]));
}

static void free_fields(fields *f)
{
    for (int n = 0; n < MOST; n++) {
        foehn_buffer_destroy(context, &f->device[n]);
        free(f->host[n]);
    }
}

static size_t place(const fields *f, const int c[3])
{
    return (size_t)((ptrdiff_t)f->box.offset + c[2] * (ptrdiff_t)f->box.plane_pitch +
                    c[1] * (ptrdiff_t)f->box.row_pitch + c[0]);
}

static double at_cell(const fields *f, int n, const int c[3])
{
    return (double)f->host[n][place(f, c)];
}

/* A value one cell along axis a from c, or -1. */
static double beside(const fields *f, int n, const int c[3], int a, int by)
{
    int there[3] = {c[0], c[1], c[2]};
    there[a] += by;
    return at_cell(f, n, there);
}

/* ---- velocity ---- */

/* (v . grad) v of component a at its lower face of cell c, with the rules of the sides. */
static double carried(const fields *f, int a, const int c[3], int floored)
{
    const int n[3] = {X, Y, Z};
    double own = at_cell(f, a, c), sum = 0;
    for (int b = 0; b < 3; b++) {
        double before = beside(f, a, c, b, -1), after = beside(f, a, c, b, 1), down, up;
        int first = c[b] == 0, last = c[b] == n[b] - (a != b), lower[3] = {c[0], c[1], c[2]};
        if (a == b) {
            down = first ? own : (before + own) / 2;
            up = last ? own : (own + after) / 2;
        } else { /* of the two cells beside the face */
            lower[a] -= 1;
            down = (at_cell(f, b, lower) + at_cell(f, b, c)) / 2;
            up = (beside(f, b, lower, b, 1) + beside(f, b, c, b, 1)) / 2;
        }
        if (first &&
            (down <= 0 || (floored && b == 1))) /* leaves, or there is ground: no gradient */
            before = own;
        if (last && up >= 0)
            after = own;
        sum += (down * (own - before) + up * (after - own)) / 2 / spacing[b];
    }
    return sum;
}

START_TEST(velocity_is_carried_by_central_differences)
{
    const float dt = 0.01f;
    for (int floored = 0; floored < 2; floored++) {
        fields f = make_fields();
        foehn_kernel kernel;
        double largest = 0;
        for (int n = 0; n < 6; n++) /* u, v, w; what they are added to */
            fill_field(&f, n, 1, -2, 2, 11 + (uint64_t)n);
        cl_mem next[3];
        for (int a = 0; a < 3; a++)
            OK(foehn_buffer_create(context, f.count * sizeof(float), &next[a]));
        OK(foehn_kernel_create(context, &foehn_source_fire_inertia,
                               floored ? "-DFOEHN_STAGGERED -DFOEHN_BURN -DFOEHN_FLOOR"
                                       : "-DFOEHN_STAGGERED -DFOEHN_BURN",
                               "transport", 0, &kernel));
        OK(LAUNCH(context, kernel, ((foehn_size){X + 1, Y + 1, Z + 1}), ARG(f.g), ARG(dt),
                  ARG(f.device[0]), ARG(f.device[1]), ARG(f.device[2]), ARG(f.device[3]),
                  ARG(f.device[4]), ARG(f.device[5]), ARG(next[0]), ARG(next[1]), ARG(next[2])));
        float *out = testing_alloc(f.count * sizeof *out);
        for (int a = 0; a < 3; a++) {
            const int n[3] = {X + (a == 0), Y + (a == 1), Z + (a == 2)};
            OK(foehn_buffer_read(context, next[a], 0, f.count * sizeof *out, out));
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        const int c[3] = {i, j, k};
                        double want =
                            at_cell(&f, 3 + a, c) - (double)dt * carried(&f, a, c, floored);
                        largest = fmax(largest, fabs((double)out[place(&f, c)] - want));
                    }
            foehn_buffer_destroy(context, &next[a]);
        }
        ck_assert_double_lt(largest, 3e-6);
        free(out);
        foehn_kernel_destroy(&kernel);
        free_fields(&f);
    }
}
END_TEST

/* A transverse wave of four voxels in a wind, of which each of six parts of a step turns the phase
 * by 1: four stages keep (1 - 1/72 + 1/576)^6 of its energy, three would (1 - 1/12 + 1/36)^6. */
START_TEST(waves_of_four_voxels_live_on)
{
    enum { LONG = 40, HIGH = 8 };
    const float speed = 6, small = 0.01f;
    const float across[1][3] = {{speed, 0, 0}};
    const foehn_fire_wind wind = {1, 1, 1, across};
    foehn_fire_params p;
    foehn_fire *fire;
    foehn_fire_params_burn(&p);
    p.size[0] = 0.1 * LONG;
    p.size[1] = p.size[2] = 0.1 * HIGH;
    p.render_voxel = p.physics_voxel = 0.1;
    p.floor = 0;
    OK(foehn_fire_create(context, &p, &fire));
    OK(foehn_fire_set_wind(fire, &wind));
    float *v = testing_alloc(3 * sizeof *v * LONG * HIGH * HIGH);
    double energy[2] = {0, 0};
    for (int c = 0; c < LONG * HIGH * HIGH; c++) {
        v[3 * c] = speed;
        v[3 * c + 1] = 0;
        v[3 * c + 2] = small * (float)sin(1.5707963 * (c % LONG + 0.5));
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    for (int n = 0; n < 2; n++) {
        OK(foehn_fire_read(fire, FOEHN_FIRE_VELOCITY, v));
        for (int i = 16; i < 32; i++)
            energy[n] += pow((double)v[3 * (i + LONG * (4 + HIGH * 4)) + 2], 2);
        for (int step = 0; step < 3 && n == 0; step++)
            OK(foehn_fire_step(fire));
    }
    testing_report("%.3f of the energy is left", energy[1] / energy[0]);
    NEAR(energy[1] / energy[0], pow(1 - 1 / 72.0 + 1 / 576.0, 6), 0.02);
    free(v);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(eddies_are_what_a_wider_filter_takes)
{
    const int n[3] = {X, Y, Z};
    const float width = 0.1f;
    fields f = make_fields();
    foehn_kernel kernel;
    for (int a = 0; a < 3; a++)
        fill_field(&f, a, 1, -2, 2, 21 + (uint64_t)a);
    fill_field(&f, 3, 1, 0, 0.8, 25); /* lack of density */
    fill_field(&f, 4, 1, 0, 0, 1);
    fill_field(&f, 5, 1, 0, 0, 1);
    OK(foehn_kernel_create(context, &foehn_source_fire_inertia, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "eddies", 0, &kernel));
    OK(LAUNCH(context, kernel, ((foehn_size){X, Y, Z}), ARG(f.g), ARG(width), ARG(f.device[0]),
              ARG(f.device[1]), ARG(f.device[2]), ARG(f.device[3]), ARG(f.device[4]),
              ARG(f.device[5])));
    fetch(&f, 4);
    fetch(&f, 5);
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            for (int i = 0; i < X; i++) {
                const int c[3] = {i, j, k};
                double energy = 0;
                for (int a = 0; a < 3;
                     a++) { /* means of cells, and of three of them by 1/4, 1/2, 1/4 */
                    double mean[3];
                    for (int m = -1; m < 2; m++) {
                        int held = c[a] + m < 0 || c[a] + m == n[a] ? 0 : m;
                        mean[m + 1] =
                            (beside(&f, a, c, a, held) + beside(&f, a, c, a, held + 1)) / 2;
                    }
                    energy += pow(mean[1] - (mean[0] + 2 * mean[1] + mean[2]) / 4, 2) / 2;
                }
                double nu = 0.1 * 0.1 * sqrt(energy), rho = 1 - at_cell(&f, 3, c);
                NEAR(at_cell(&f, 4, c), nu, 1e-7);
                NEAR(at_cell(&f, 5, c), rho * (nu + 0.7 * 2e-5 * pow(1 / rho, 1.75)), 1e-7);
            }
    foehn_kernel_destroy(&kernel);
    free_fields(&f);
}
END_TEST

/* Viscosity between a face of component a and its neighbour along b: of the cell between, or of
 * four. */
static double edge(const fields *f, int mu, const int c[3], int a, int b, int side)
{
    int lower[3] = {c[0], c[1], c[2]};
    lower[a] -= 1;
    if (a == b)
        return side > 0 ? at_cell(f, mu, c) : at_cell(f, mu, lower);
    return (at_cell(f, mu, c) + at_cell(f, mu, lower) + beside(f, mu, c, b, side) +
            beside(f, mu, lower, b, side)) /
           4;
}

START_TEST(hot_gas_is_light_in_all_its_forces)
{
    enum { MU = 3, LACK, Q };
    const float dt = 0.01f, last = 0.8f, lift[3] = {0.5f, 9.81f, -0.3f};
    fields f = make_fields();
    foehn_kernel kernel;
    cl_mem next[3];
    for (int a = 0; a < 3; a++) {
        fill_field(&f, a, 1, -2, 2, 31 + (uint64_t)a);
        OK(foehn_buffer_create(context, f.count * sizeof(float), &next[a]));
    }
    fill_field(&f, MU, 1, 0, 0.01, 35);
    fill_field(&f, LACK, 1, 0, 0.8, 36);
    fill_field(&f, Q, 1, -0.05, 0.05, 37);
    OK(foehn_kernel_create(context, &foehn_source_fire_inertia, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "inertia", 0, &kernel));
    OK(LAUNCH(context, kernel, ((foehn_size){X + 1, Y + 1, Z + 1}), ARG(f.g), ARG(dt), ARG(last),
              ARG(lift[0]), ARG(lift[1]), ARG(lift[2]), ARG(f.device[MU]), ARG(f.device[LACK]),
              ARG(f.device[Q]), ARG(f.device[0]), ARG(f.device[1]), ARG(f.device[2]), ARG(next[0]),
              ARG(next[1]), ARG(next[2])));
    float *out = testing_alloc(f.count * sizeof *out);
    for (int a = 0; a < 3; a++) {
        const int n[3] = {X + (a == 0), Y + (a == 1), Z + (a == 2)};
        OK(foehn_buffer_read(context, next[a], 0, f.count * sizeof *out, out));
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    const int c[3] = {i, j, k};
                    double own = 1 - at_cell(&f, LACK, c), below = 1 - beside(&f, LACK, c, a, -1);
                    double rho = (own + below) / 2, v = at_cell(&f, a, c), want = v;
                    double q = at_cell(&f, Q, c), q_below = beside(&f, Q, c, a, -1);
                    want += (double)dt * (double)lift[a] * (1 / rho - 1);
                    /* The projection takes grad q; grad (rho q) / rho is what acts. */
                    want -= (double)last / spacing[a] *
                            ((own * q - below * q_below) / rho - (q - q_below));
                    for (int b = 0; b < 3; b++)
                        for (int side = -1; side < 2; side += 2)
                            want += fmin((double)dt * edge(&f, MU, c, a, b, side) / rho /
                                             (spacing[b] * spacing[b]),
                                         0.15) *
                                    (beside(&f, a, c, b, side) - v);
                    NEAR((double)out[place(&f, c)], want, 4e-6);
                }
        foehn_buffer_destroy(context, &next[a]);
    }
    free(out);
    foehn_kernel_destroy(&kernel);
    free_fields(&f);
}
END_TEST

/* Half a cell of wind: means of two cells, but beside a collider what was there. */
START_TEST(pressure_goes_along_with_the_air)
{
    enum { SDF = 3, Q, CARRIED };
    const int ball[3] = {X / 2, Y / 2, Z / 2};
    const float dt = (float)(0.5 * spacing[0]);
    fields f = make_fields();
    foehn_kernel kernel;
    for (int a = 0; a < 3; a++)
        fill_field(&f, a, 1, a == 0, a == 0, 1);
    fill_field(&f, SDF, 4, 1, 1, 1);
    f.host[SDF][3 * f.count + place(&f, ball)] = -1;
    OK(foehn_buffer_write(context, f.device[SDF], 0, 4 * f.count * sizeof(float), f.host[SDF]));
    fill_field(&f, Q, 1, -1, 1, 38);
    fill_field(&f, CARRIED, 1, 0, 0, 1);
    OK(foehn_kernel_create(context, &foehn_source_fire_inertia, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "carry_pressure", 0, &kernel));
    OK(LAUNCH(context, kernel, ((foehn_size){X, Y, Z}), ARG(f.g), ARG(dt), ARG(f.device[SDF]),
              ARG(f.device[0]), ARG(f.device[1]), ARG(f.device[2]), ARG(f.device[Q]),
              ARG(f.device[CARRIED])));
    float *out = testing_alloc(f.count * sizeof *out);
    OK(foehn_buffer_read(context, f.device[CARRIED], 0, f.count * sizeof *out, out));
    int still = 0;
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            for (int i = 0; i < X; i++) {
                const int c[3] = {i, j, k}, reach[3] = {ball[0] - i, ball[1] - j, ball[2] - k};
                bool near = (reach[0] == -1 || reach[0] == 0) && (reach[1] == 0 || reach[1] == 1) &&
                            (reach[2] == 0 || reach[2] == 1);
                double own = at_cell(&f, Q, c), before = beside(&f, Q, c, 0, -1);
                NEAR((double)out[place(&f, c)], near ? own : (own + before) / 2, 1e-6);
                still += near;
            }
    ck_assert_int_eq(still, 8);
    free(out);
    foehn_kernel_destroy(&kernel);
    free_fields(&f);
}
END_TEST

/* ---- dye ---- */

/* Half a voxel of wind, semi-Lagrangian: a voxel ends as a mixture by mass of two. */
/* Blocks that are all computed. */
static cl_mem all_awake(void)
{
    enum { BLOCKS = 64 };
    unsigned char ones[BLOCKS];
    cl_mem awake;
    memset(ones, 1, BLOCKS);
    OK(foehn_buffer_create(context, BLOCKS, &awake));
    OK(foehn_buffer_write(context, awake, 0, BLOCKS, ones));
    return awake;
}

START_TEST(gas_mixes_by_mass)
{
    enum { DYE, CONTENTS, TO, U, V, W, NU, BURNT };
    const float dt = 0.05f;
    const cl_int last = 1;
    fields f = make_fields();
    foehn_kernel fill_up, kernel;
    uint64_t random = 41;
    fill_field(&f, DYE, 4, 0, 0.2, 42);
    for (size_t c = 0; c < f.count; c++) /* K above the ambient */
        f.host[DYE][f.count + c] = (float)testing_uniform(&random, 0, 1700);
    OK(foehn_buffer_write(context, f.device[DYE], 0, 4 * f.count * sizeof(float), f.host[DYE]));
    fill_field(&f, CONTENTS, 4, 0, 0, 1);
    fill_field(&f, TO, 4, 0, 0, 1);
    fill_field(&f, U, 1, 1, 1, 1); /* 0.05 m: half a voxel along x */
    fill_field(&f, V, 1, 0, 0, 1);
    fill_field(&f, W, 1, 0, 0, 1);
    fill_field(&f, NU, 1, 0.003, 0.003, 1);
    fill_field(&f, BURNT, BURNT_PLANES, 0, 0, 1);
    OK(foehn_kernel_create(context, &foehn_source_fire_carry, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "fill_up", 0, &fill_up));
    OK(foehn_kernel_create(context, &foehn_source_fire_carry, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "carry", 0, &kernel));
    cl_mem awake = all_awake();
    OK(LAUNCH(context, fill_up, ((foehn_size){X, Y, Z}), ARG(f.g), ARG(f.device[DYE]),
              ARG(f.device[CONTENTS]), ARG(awake)));
    OK(LAUNCH(context, kernel, ((foehn_size){X, Y, Z}), ARG(f.g), ARG(f.g), ARG(dt), ARG(last),
              ARG(f.device[NU]), ARG(f.device[NU]), ARG(f.device[U]), ARG(f.device[V]),
              ARG(f.device[W]), ARG(f.device[CONTENTS]), ARG(f.device[TO]), ARG(f.device[BURNT]),
              ARG(awake)));
    fetch(&f, TO);
    fetch(&f, BURNT);
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            for (int i = 1; i < X; i++) {
                const int c[3] = {i, j, k};
                size_t here = place(&f, c);
                double mass[2], excess[2], sum;
                for (int n = 0; n < 2; n++) {
                    excess[n] = (double)f.host[DYE][f.count + here - (size_t)n];
                    mass[n] = 353 / (293.15 + excess[n]);
                }
                sum = mass[0] + mass[1];
                for (int a = 0; a < 4; a++) {
                    const float *plane = f.host[DYE] + (size_t)a * f.count;
                    double want =
                        (mass[0] * (double)plane[here] + mass[1] * (double)plane[here - 1]) / sum;
                    NEAR((double)f.host[TO][here + (size_t)a * f.count], want,
                         a == 1 ? 2e-3 : 2e-6);
                }
                double t = (293.15 + (mass[0] * excess[0] + mass[1] * excess[1]) / sum) / 293.15;
                NEAR((double)f.host[BURNT][here + BURNT_MIXING * f.count],
                     2e-5 * pow(t, 1.75) + 2 * 0.003, 1e-7);
            }
    foehn_buffer_destroy(context, &awake);
    foehn_kernel_destroy(&fill_up);
    foehn_kernel_destroy(&kernel);
    free_fields(&f);
}
END_TEST

/* Between the eight values of plane a around a place, in voxels from the box's corner; the least
 * and the most. */
static double between_eight(const fields *f, int n, int a, const double p[3], double *low,
                            double *high)
{
    int c[3];
    double t[3], sum = 0;
    for (int b = 0; b < 3; b++) {
        c[b] = (int)floor(p[b] - 0.5);
        t[b] = p[b] - 0.5 - c[b];
    }
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int m = 0; m < 8; m++) {
        const int corner[3] = {c[0] + (m & 1), c[1] + (m >> 1 & 1), c[2] + (m >> 2)};
        double value = (double)f->host[n][place(f, corner) + (size_t)a * f->count], weight = 1;
        for (int b = 0; b < 3; b++)
            weight *= m >> b & 1 ? t[b] : 1 - t[b];
        sum += weight * value;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
    return sum;
}

/* MacCormack in a uniform wind against plain C, away from the sides. */
START_TEST(the_correction_stays_within_what_was_around)
{
    enum { CONTENTS, HAT, TO, U, V, W, NU, BURNT };
    const float dt = 0.03f;
    const double speed[3] = {1.1, 0.4, -0.7};
    fields f = make_fields();
    foehn_kernel correct;
    uint64_t random = 51;
    int held = 0, free_ones = 0;
    fill_field(&f, CONTENTS, 4, 0, 0.2, 52);
    fill_field(&f, HAT, 4, 0, 0.2, 53);
    for (size_t c = 0; c < f.count; c++) /* warmth, of a cubic metre */
        for (int n = CONTENTS; n <= HAT; n++)
            f.host[n][f.count + c] = (float)testing_uniform(&random, 0, 300);
    for (int n = CONTENTS; n <= HAT; n++)
        OK(foehn_buffer_write(context, f.device[n], 0, 4 * f.count * sizeof(float), f.host[n]));
    fill_field(&f, TO, 4, 0, 0, 1);
    for (int a = 0; a < 3; a++)
        fill_field(&f, U + a, 1, speed[a], speed[a], 1);
    fill_field(&f, NU, 1, 0, 0, 1);
    fill_field(&f, BURNT, BURNT_PLANES, 0, 0, 1);
    OK(foehn_kernel_create(context, &foehn_source_fire_carry, "-DFOEHN_STAGGERED -DFOEHN_BURN",
                           "carry_correct", 0, &correct));
    cl_mem awake = all_awake();
    OK(LAUNCH(context, correct, ((foehn_size){X, Y, Z}), ARG(f.g), ARG(f.g), ARG(dt),
              ARG(f.device[NU]), ARG(f.device[NU]), ARG(f.device[U]), ARG(f.device[V]),
              ARG(f.device[W]), ARG(f.device[CONTENTS]), ARG(f.device[HAT]), ARG(f.device[TO]),
              ARG(f.device[BURNT]), ARG(awake)));
    fetch(&f, TO);
    for (int k = 1; k < Z - 1; k++)
        for (int j = 1; j < Y - 1; j++)
            for (int i = 1; i < X - 1; i++) {
                const int c[3] = {i, j, k};
                double back[3], forth[3], value[4], low, high, ignored[2];
                for (int b = 0; b < 3; b++) {
                    double way = speed[b] * (double)dt / spacing[b];
                    back[b] = c[b] + 0.5 - way;
                    forth[b] = c[b] + 0.5 + way;
                }
                for (int a = 0; a < 4; a++) {
                    size_t here = place(&f, c) + (size_t)a * f.count;
                    double better = (double)f.host[HAT][here] +
                                    ((double)f.host[CONTENTS][here] -
                                     between_eight(&f, HAT, a, forth, &ignored[0], &ignored[1])) /
                                        2;
                    between_eight(&f, CONTENTS, a, back, &low, &high);
                    value[a] = fmin(fmax(better, low), high);
                    held += value[a] != better;
                    free_ones += value[a] == better;
                }
                for (int a = 0; a < 4; a++) {
                    double got = (double)f.host[TO][place(&f, c) + (size_t)a * f.count];
                    double want = value[a] * 293.15 / (353 - value[1]);
                    NEAR(got, want, 1e-5 * fmax(fabs(want), 1));
                }
            }
    ck_assert(held > 10 && free_ones > 10);
    foehn_buffer_destroy(context, &awake);
    foehn_kernel_destroy(&correct);
    free_fields(&f);
}
END_TEST

/* ---- books ---- */

/* Rows of masses after a transport, and what leaves through each side of the box: the share of a
 * voxel that the air carries over it in a step; through a floor nothing. */
START_TEST(what_leaves_through_the_sides_is_booked)
{
    const foehn_grid g = foehn_grid_make(X, Y, Z, 0.2f, 0.1f, 0.3f);
    const size_t count = foehn_grid_elements(&g);
    const foehn_box box = foehn_grid_box(&g, sizeof(float));
    const double h[3] = {0.2, 0.1, 0.3};
    const float dt = 0.01f;
    float *dye[2], *air = testing_alloc(count * sizeof *air),
                   *rows = testing_alloc(BOOKS * Y * Z * sizeof *rows);
    cl_mem dyes[2], u[3], books;
    foehn_kernel weigh;
    uint64_t random = 37;
    for (int n = 0; n < 2; n++) {
        dye[n] = testing_alloc(4 * count * sizeof(float));
        for (size_t c = 0; c < 4 * count; c++)
            dye[n][c] = (float)testing_uniform(&random, 0, c / count == 1 ? 900 : 0.2);
        OK(foehn_buffer_create(context, 4 * count * sizeof(float), &dyes[n]));
        OK(foehn_buffer_write(context, dyes[n], 0, 4 * count * sizeof(float), dye[n]));
    }
    for (int a = 0; a < 3; a++)
        OK(foehn_buffer_create(context, count * sizeof(float), &u[a]));
    OK(foehn_buffer_create(context, BOOKS * Y * Z * sizeof *rows, &books));
    cl_mem burnt; /* the third voxel of every row lies in a collider */
    float *mixing = testing_alloc(count * sizeof *mixing);
    memset(mixing, 0, count * sizeof *mixing);
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            mixing[box.offset + (size_t)k * box.plane_pitch + (size_t)j * box.row_pitch + 2] = -1;
    OK(foehn_buffer_create(context, BURNT_PLANES * count * sizeof *mixing, &burnt));
    OK(foehn_buffer_write(context, burnt, BURNT_MIXING * count * sizeof *mixing,
                          count * sizeof *mixing, mixing));
    free(mixing);
    for (int n = 0; n < 4; n++) { /* air that leaves at each side once; with a floor and without */
        const double speed[3] = {n % 2 ? -3 : 2, n % 2 ? -1.5 : 2.5, n % 2 ? -2 : 4};
        for (int a = 0; a < 3; a++) {
            for (size_t c = 0; c < count; c++)
                air[c] = (float)speed[a];
            OK(foehn_buffer_write(context, u[a], 0, count * sizeof *air, air));
        }
        OK(foehn_kernel_create(context, &foehn_source_fire_combustion,
                               n < 2 ? "-DFOEHN_STAGGERED" : "-DFOEHN_STAGGERED -DFOEHN_FLOOR",
                               "weigh_moved", 0, &weigh));
        OK(LAUNCH(context, weigh, ((foehn_size){Y, Z, 1}), ARG(g), ARG(g), ARG(dt), ARG(u[0]),
                  ARG(u[1]), ARG(u[2]), ARG(dyes[0]), ARG(dyes[1]), ARG(burnt), ARG(books)));
        OK(foehn_buffer_read(context, books, 0, BOOKS * Y * Z * sizeof *rows, rows));
        for (int k = 0; k < Z; k++)
            for (int j = 0; j < Y; j++) {
                double moved[2] = {0, 0}, out[2] = {0, 0};
                for (int i = 0; i < X; i++) {
                    if (i == 2)
                        continue;
                    const int at[3] = {i, j, k}, last[3] = {X - 1, Y - 1, Z - 1};
                    const size_t c = box.offset + (size_t)k * box.plane_pitch +
                                     (size_t)j * box.row_pitch + (size_t)i;
                    double share = 0;
                    for (int a = 0; a < 3; a++)
                        for (int s = -1; s < 2; s += 2) {
                            bool side = at[a] == (s > 0 ? last[a] : 0),
                                 floored = n >= 2 && a == 1 && s < 0;
                            share += side && !floored
                                         ? fmin(fmax(s * speed[a], 0) / h[a] * (double)dt, 1)
                                         : 0;
                        }
                    for (int f = 0; f < 2; f++) { /* fuel, soot: the third plane and the first */
                        size_t plane = f ? 0 : 2 * count;
                        moved[f] +=
                            (double)dye[1][c + plane] * 353 / (293.15 + (double)dye[1][c + count]);
                        out[f] += share * (double)dye[0][c + plane]; /* what a cubic metre held */
                    }
                }
                const float *row = rows + BOOKS * (k * Y + j);
                NEAR(row[BOOKS_MOVED], moved[0], 2e-6);
                NEAR(row[BOOKS_MOVED + 1], moved[1], 2e-6);
                NEAR(row[BOOKS_OUT], out[0], 2e-6);
                NEAR(row[BOOKS_OUT + 1], out[1], 2e-6);
            }
        foehn_kernel_destroy(&weigh);
    }
    for (int n = 0; n < 2; n++) {
        foehn_buffer_destroy(context, &dyes[n]);
        free(dye[n]);
    }
    for (int a = 0; a < 3; a++)
        foehn_buffer_destroy(context, &u[a]);
    foehn_buffer_destroy(context, &books);
    foehn_buffer_destroy(context, &burnt);
    free(air), free(rows);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire_gas", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, velocity_is_carried_by_central_differences);
    tcase_add_test(tests, waves_of_four_voxels_live_on);
    tcase_add_test(tests, eddies_are_what_a_wider_filter_takes);
    tcase_add_test(tests, hot_gas_is_light_in_all_its_forces);
    tcase_add_test(tests, pressure_goes_along_with_the_air);
    tcase_add_test(tests, gas_mixes_by_mass);
    tcase_add_test(tests, the_correction_stays_within_what_was_around);
    tcase_add_test(tests, what_leaves_through_the_sides_is_booked);
    return testing_end();
}
