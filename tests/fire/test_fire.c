/* SPDX-License-Identifier: MIT */
/* The fire: the twelve defects of the reference as requirements, colliders, budget, picture. */
#include "testing.h"

#include "fire/state.h"

/* ---- small fires ---- */

/* A cube of 16^3 voxels on both grids, nothing moves by itself: no turbulence, losses or lift. */
static foehn_fire_params quiet(void)
{
    foehn_fire_params p = foehn_fire_params_default();
    for (int a = 0; a < 3; a++) {
        p.size[a] = 16 * FIRE_RENDER_VOXEL;
        p.pose.position[a] = 8 * FIRE_RENDER_VOXEL;
    }
    p.render_voxel = p.physics_voxel = FIRE_RENDER_VOXEL;
    p.turbulence = p.confinement = p.buoyancy = p.smoke_weight = p.damping = 0;
    p.dissipation = p.cooling = 0;
    return p;
}

/* A fire of the preset's terms in a box of n voxels an axis. */
static foehn_fire_params lively(int n)
{
    foehn_fire_params p = foehn_fire_params_default();
    for (int a = 0; a < 3; a++) {
        p.size[a] = n * FIRE_PHYSICS_VOXEL;
        p.pose.position[a] = p.size[a] / 2;
    }
    p.account = 1;
    return p;
}

static foehn_fire *make(const foehn_fire_params *p)
{
    foehn_fire *fire;
    OK(foehn_fire_create(context, p, &fire));
    return fire;
}

static int add_points(foehn_fire *fire, size_t count, const float (*points)[3], int max_count)
{
    const foehn_fire_emitter e = {.count = count, .points = points, .max_count = max_count};
    int index = -1;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    return index;
}

/* Centre of voxel (i, j, k) of the quiet box. */
static void center_of(int i, int j, int k, float p[3])
{
    const int cell[3] = {i, j, k};
    for (int a = 0; a < 3; a++)
        p[a] = (float)((cell[a] + 0.5) * FIRE_RENDER_VOXEL);
}

static size_t cell_of(int i, int j, int k)
{
    return (size_t)(i + 16 * (j + 16 * k));
}

static float *read_field(foehn_fire *fire, foehn_fire_field field)
{
    foehn_fire_field_info info;
    OK(foehn_fire_get_field(fire, field, &info));
    float *values = malloc(info.floats * sizeof *values);
    ck_assert_ptr_nonnull(values);
    OK(foehn_fire_read(fire, field, values));
    return values;
}

/* Bits of all that a fire shows of itself. */
static uint64_t bits_of(foehn_fire *fire)
{
    uint64_t value = FOEHN_HASH_BASIS;
    for (int n = 0; n < FOEHN_FIRE_FIELDS; n++) {
        foehn_fire_field_info info;
        OK(foehn_fire_get_field(fire, (foehn_fire_field)n, &info));
        float *values = read_field(fire, (foehn_fire_field)n);
        value = foehn_hash(value, info.floats * sizeof *values, values);
        free(values);
    }
    return value;
}

/* Points on a ball, evenly (a Fibonacci spiral). */
static void ball(size_t count, double radius, float (*points)[3])
{
    for (size_t n = 0; n < count; n++) {
        double z = 1 - (2 * (double)n + 1) / (double)count, r = sqrt(1 - z * z);
        double turn = 2.399963229728653 * (double)n;
        points[n][0] = (float)(radius * r * cos(turn));
        points[n][1] = (float)(radius * z);
        points[n][2] = (float)(radius * r * sin(turn));
    }
}

/* A burning ball on the box's axis at a height. */
static void light(foehn_fire *fire, double radius, double height, float multiplier)
{
    enum { POINTS = 400 };
    float points[POINTS][3];
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    ball(POINTS, radius, points);
    int index = add_points(fire, POINTS, (const float(*)[3])points, 1);
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    for (int a = 0; a < 3; a++)
        proxy.pose.position[a] = info.pose.position[a];
    proxy.pose.position[1] += height - info.size[1] / 2;
    proxy.multiplier = multiplier;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
}

/* ---- the twelve ---- */

START_TEST(many_vertices_in_one_voxel_add_up_exactly_and_alike)
{
    enum { MANY = 100000 };
    foehn_fire_params p = quiet();
    /* Density 2^-20 a point: every partial sum is a float. */
    p.emit_density = 20.0f / 1048576.0f;
    float(*points)[3] = malloc(MANY * sizeof *points);
    uint64_t bits[2];
    ck_assert_ptr_nonnull(points);
    for (int run = 0; run < 2; run++) {
        foehn_fire *fire = make(&p);
        for (size_t n = 0; n < MANY; n++) { /* the second time the other way round */
            size_t m = run ? MANY - 1 - n : n;
            center_of(5, 6, 7, points[m]);
            for (int a = 0; a < 3; a++)
                points[m][a] += (float)(((double)(n * 7919 % 1000) / 1000 - 0.5) * 0.9 *
                                        FIRE_RENDER_VOXEL);
        }
        int index = add_points(fire, MANY, (const float(*)[3])points, 1);
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        proxy.multiplier = 1;
        proxy.tint = 0.5f;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        float *density = read_field(fire, FOEHN_FIRE_DENSITY);
        float *heat = read_field(fire, FOEHN_FIRE_TEMPERATURE);
        float *tint = read_field(fire, FOEHN_FIRE_TINT);
        ck_assert(density[cell_of(5, 6, 7)] == MANY / 1048576.0f);
        ck_assert(tint[cell_of(5, 6, 7)] == 0.5f * MANY / 1048576.0f);
        NEAR(heat[cell_of(5, 6, 7)], MANY * 8.5 * 0.05, MANY * 8.5 * 0.05 * 1e-6);
        for (size_t c = 0; c < 4096; c++)
            ck_assert(c == cell_of(5, 6, 7) || density[c] == 0);
        bits[run] = bits_of(fire);
        free(density);
        free(heat);
        free(tint);
        foehn_fire_destroy(fire);
    }
    ck_assert(bits[0] == bits[1]);
    free(points);
}
END_TEST

START_TEST(a_brush_radius_widens_the_footprint)
{
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    float point[1][3];
    center_of(8, 8, 8, point[0]);
    int index = add_points(fire, 1, (const float(*)[3])point, 1);
    for (int radius = 0; radius < 4; radius++) {
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        proxy.brush_radius = (float)(radius * FIRE_RENDER_VOXEL * 1.01);
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_restart(fire));
        OK(foehn_fire_step(fire));
        float *density = read_field(fire, FOEHN_FIRE_DENSITY);
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < 16; j++)
                for (int i = 0; i < 16; i++) {
                    double far2 = pow(i - 8, 2) + pow(j - 8, 2) + pow(k - 8, 2);
                    bool reached = far2 <= pow(radius * 1.01, 2);
                    float got = density[cell_of(i, j, k)];
                    ck_assert_msg((got > 0) == reached, "radius %d: voxel (%d, %d, %d) has %g",
                                  radius, i, j, k, (double)got);
                }
        if (radius == 0)
            NEAR(density[cell_of(8, 8, 8)], 0.644 / 20 * 13, 1e-6);
        free(density);
    }
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_moving_emitter_gives_its_velocity_to_the_air)
{
    foehn_fire_params p = quiet();
    for (int layout = 0; layout < 2; layout++) {
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = make(&p);
        float points[64][3];
        for (int n = 0; n < 64; n++)
            center_of(6 + n % 4, 6 + n / 4 % 4, 6 + n / 16, points[n]);
        int index = add_points(fire, 64, (const float(*)[3])points, 1);
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        foehn_fire_measures m;
        OK(foehn_fire_read_measures(fire, &m));
        ck_assert_msg(m.max_speed == 0, "an emitter at rest moves the air");
        proxy.velocity[0] = 2;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        float *before = read_field(fire, FOEHN_FIRE_VELOCITY_BEFORE);
        float *after = read_field(fire, FOEHN_FIRE_VELOCITY);
        /* One point a voxel: the share of the density that it gives. */
        NEAR(before[3 * cell_of(8, 8, 8)], 2 * 0.644 / 20 * 13, 1e-5);
        ck_assert_msg(after[3 * cell_of(8, 8, 8)] > 0.2f, "the projection leaves %g m/s",
                      (double)after[3 * cell_of(8, 8, 8)]);
        ck_assert(before[3 * cell_of(3, 8, 8)] == 0);
        free(before);
        free(after);
        foehn_fire_destroy(fire);
    }
}
END_TEST

START_TEST(the_callers_time_drives_the_fire)
{
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    foehn_fire_info info;
    OK(foehn_fire_update(fire, 1.0 / 60));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 0);
    OK(foehn_fire_update(fire, 1.0 / 60));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 1);
    NEAR(info.time, 0.05, 1e-12);
    for (int n = 0; n < 300; n++) /* a slow caller loses nothing */
        OK(foehn_fire_update(fire, 0.1));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq((int)info.step, 901);
    NEAR(info.dropped_time, 0, 1e-9);
    OK(foehn_fire_update(fire, 1.0)); /* 30 steps are due, 4 are made */
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 4);
    NEAR(info.dropped_time, 26.0 / 30, 1e-9);
    NEAR(info.waiting_time, 0, 1e-9);
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_fire_update(fire, -0.1));
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_fire_update(fire, (double)NAN));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_dt_of_0_is_a_pause)
{
    foehn_fire_params p = lively(12);
    foehn_fire *fire = make(&p);
    light(fire, 0.2, 0.4, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(fire));
    uint64_t before = bits_of(fire);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_update(fire, 0));
    ck_assert(bits_of(fire) == before);
    OK(foehn_fire_step(fire));
    ck_assert(bits_of(fire) != before);
    foehn_fire_destroy(fire);
}
END_TEST

/* Wind that carries the dye one voxel along x a step. */
static void blow(foehn_fire *fire)
{
    const float v[1][3] = {{(float)(FIRE_RENDER_VOXEL / 0.05), 0, 0}};
    const foehn_fire_wind wind = {1, 1, 1, v};
    OK(foehn_fire_set_wind(fire, &wind));
}

START_TEST(emission_adds_to_the_dye_that_has_just_arrived)
{
    foehn_fire_params p = quiet();
    p.dissipation = 1.02f;
    p.cooling = 0.4831f;
    foehn_fire *fire = make(&p);
    blow(fire);
    float point[1][3], *field = calloc(4096, sizeof *field);
    center_of(9, 8, 8, point[0]);
    int index = add_points(fire, 1, (const float(*)[3])point, 1);
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.multiplier = 5;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    field[cell_of(8, 8, 8)] = 0.3f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
    field[cell_of(8, 8, 8)] = 4;
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    field[cell_of(8, 8, 8)] = 0.5f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_AGE, field));
    OK(foehn_fire_step(fire));
    double given = 0.644 / 20 * 5, carried = 0.3 * (1 - 1.02 * 0.05);
    float *density = read_field(fire, FOEHN_FIRE_DENSITY);
    float *heat = read_field(fire, FOEHN_FIRE_TEMPERATURE);
    float *age = read_field(fire, FOEHN_FIRE_AGE);
    NEAR(density[cell_of(9, 8, 8)], carried + given, 1e-4);
    NEAR(heat[cell_of(9, 8, 8)], 4 * (1 - 0.4831 * 0.05) + 8.5 * 0.05, 1e-3);
    NEAR(age[cell_of(9, 8, 8)], 0.55 * (1 - given / (carried + given)), 1e-3);
    free(density);
    free(heat);
    free(age);
    free(field);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_noise_frequency_drives_the_curl_field)
{
    /* rms difference of neighbours over rms: grows with the frequency. */
    double rough[2];
    for (int n = 0; n < 2; n++) {
        foehn_fire_params p = quiet();
        p.turbulence = 1;
        p.noise_frequency = n ? 6.0f : 1.5f;
        foehn_fire *fire = make(&p);
        float *field = malloc(4096 * sizeof *field);
        for (int c = 0; c < 4096; c++)
            field[c] = 1;
        OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
        OK(foehn_fire_step(fire));
        float *v = read_field(fire, FOEHN_FIRE_VELOCITY_BEFORE);
        double sum = 0, change = 0;
        for (int k = 3; k < 13; k++)
            for (int j = 3; j < 13; j++)
                for (int i = 3; i < 13; i++) {
                    double a = (double)v[3 * cell_of(i, j, k) + 1];
                    sum += a * a;
                    change += pow((double)v[3 * cell_of(i + 1, j, k) + 1] - a, 2);
                }
        ck_assert(sum > 0);
        rough[n] = sqrt(change / sum);
        free(v);
        free(field);
        foehn_fire_destroy(fire);
    }
    testing_report("roughness of the curl noise: %.3f at frequency 1.5, %.3f at 6", rough[0],
                   rough[1]);
    ck_assert(rough[1] > 2 * rough[0]);
}
END_TEST

START_TEST(boxes_and_ellipsoids_have_capacities_of_their_own)
{
    foehn_fire_params p = quiet();
    p.max_boxes = 1;
    p.max_ellipsoids = 3;
    foehn_fire *fire = make(&p);
    foehn_fire_collider c = foehn_fire_collider_default();
    float at_point[3];
    for (int a = 0; a < 3; a++)
        c.half[a] = 1.6 * FIRE_RENDER_VOXEL;
    for (int n = 0; n < 3; n++) {
        center_of(3 + 5 * n, 8, 8, at_point);
        for (int a = 0; a < 3; a++)
            c.pose.position[a] = (double)at_point[a];
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, n, &c));
    }
    FAILS(FOEHN_ERROR_ARGUMENT, "with 3",
          foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, 3, &c));
    FAILS(FOEHN_ERROR_ARGUMENT, "with 1", foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 1, &c));
    OK(foehn_fire_step(fire));
    float *d = read_field(fire, FOEHN_FIRE_DISTANCE);
    for (int n = 0; n < 3; n++)
        ck_assert_msg(d[cell_of(3 + 5 * n, 8, 8)] < 0, "ellipsoid %d is not there", n);
    ck_assert(d[cell_of(3, 3, 3)] > 0);
    free(d);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(definitions_with_several_proxies_address_their_own_points)
{
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    float one[2][3], other[1][3];
    center_of(2, 2, 2, one[0]);
    center_of(4, 2, 2, one[1]);
    center_of(2, 12, 2, other[0]);
    int first = add_points(fire, 2, (const float(*)[3])one, 3);
    int second = add_points(fire, 1, (const float(*)[3])other, 2);
    const int lit[6][3] = {{2, 2, 2}, {4, 2, 2}, {2, 2, 12}, {4, 2, 12}, {2, 12, 2}, {9, 12, 2}};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    OK(foehn_fire_set_proxy(fire, first, 0, &proxy));
    OK(foehn_fire_set_proxy(fire, second, 0, &proxy));
    proxy.pose.position[2] = 10 * FIRE_RENDER_VOXEL;
    OK(foehn_fire_set_proxy(fire, first, 2, &proxy));
    proxy.pose.position[2] = 0;
    proxy.pose.position[0] = 7 * FIRE_RENDER_VOXEL;
    OK(foehn_fire_set_proxy(fire, second, 1, &proxy));
    OK(foehn_fire_step(fire));
    float *density = read_field(fire, FOEHN_FIRE_DENSITY);
    for (size_t c = 0; c < 4096; c++) {
        bool wanted = false;
        for (int n = 0; n < 6; n++)
            wanted = wanted || c == cell_of(lit[n][0], lit[n][1], lit[n][2]);
        ck_assert_msg((density[c] > 0) == wanted, "voxel %zu has density %g", c,
                      (double)density[c]);
    }
    FAILS(FOEHN_ERROR_ARGUMENT, "proxy 3", foehn_fire_set_proxy(fire, first, 3, &proxy));
    FAILS(FOEHN_ERROR_ARGUMENT, "emitter 2", foehn_fire_set_proxy(fire, 2, 0, &proxy));
    free(density);
    foehn_fire_destroy(fire);
}
END_TEST

static double plume_after_2_s(double voxels)
{
    foehn_fire_params p = foehn_fire_params_default();
    const double size[3] = {2.1, 3.9, 2.1};
    for (int a = 0; a < 3; a++) {
        p.size[a] = size[a];
        p.pose.position[a] = size[a] / 2;
    }
    p.render_voxel *= voxels;
    p.physics_voxel *= voxels;
    p.emit_temperature = 4; /* below the lid for all of the 2 s */
    foehn_fire *fire = make(&p);
    foehn_fire_measures m;
    light(fire, 0.3, 0.5, 13);
    for (int n = 0; n < 60; n++)
        OK(foehn_fire_update(fire, 1.0 / 30));
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m.plume_height;
}

START_TEST(the_plume_rises_alike_on_grids_half_as_and_twice_as_fine)
{
    double same = plume_after_2_s(1), coarse = plume_after_2_s(2), fine = plume_after_2_s(0.5);
    testing_report("plume at 2 s: %.3f m, with voxels x2 %.3f m, x0.5 %.3f m", same, coarse, fine);
    ck_assert(same > 1.5 && same < 3.5);
    NEAR(coarse, same, 0.1 * same);
    NEAR(fine, same, 0.1 * same);
}
END_TEST

START_TEST(making_and_destroying_fires_leaks_nothing)
{
    uint64_t before = foehn_context_get_memory(context);
    for (int n = 0; n < 5; n++) {
        foehn_fire_params p = lively(8);
        foehn_fire *fire = make(&p);
        foehn_fire_picture picture = foehn_fire_picture_default();
        uint8_t pixels[32 * 18 * 4];
        light(fire, 0.2, 0.3, 13);
        OK(foehn_fire_step(fire));
        picture.width = 32;
        picture.height = 18;
        OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_BYTES, pixels));
        foehn_fire_info info;
        foehn_fire_get_info(fire, &info);
        ck_assert(info.memory_bytes == foehn_context_get_memory(context) - before);
        foehn_fire_destroy(fire);
        ck_assert(foehn_context_get_memory(context) == before);
    }
}
END_TEST

/* Everything that a fire with these parameters makes of a scene with emitters, colliders and a
 * picture. */
static uint64_t fingerprint(const foehn_fire_params *p)
{
    enum { W = 48, H = 27 };
    foehn_fire *fire = make(p);
    foehn_fire_collider c = foehn_fire_collider_default();
    float pixels[W * H * 4];
    light(fire, 0.2, 0.25, 13);
    for (int a = 0; a < 3; a++) {
        c.pose.position[a] = p->size[a] / 2;
        c.half[a] = 0.12;
    }
    c.pose.position[1] += 0.1;
    c.angular_velocity[1] = 3;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &c));
    OK(foehn_fire_update(fire, 0.2)); /* 6 steps are due */
    foehn_fire_picture picture = foehn_fire_picture_default();
    picture.width = W;
    picture.height = H;
    picture.position[2] = 2;
    picture.position[1] = picture.target[1] = p->size[1] / 2;
    picture.position[0] = picture.target[0] = p->size[0] / 2;
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixels));
    foehn_fire_measures m;
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    uint64_t value = foehn_hash(bits_of(fire), sizeof pixels, pixels);
    value = foehn_hash(value, sizeof m.emitted, &m.emitted);
    value = foehn_hash(value, sizeof info.dropped_time, &info.dropped_time);
    foehn_fire_destroy(fire);
    return value;
}

START_TEST(no_setting_is_without_effect)
{
    foehn_fire_params p = lively(8);
    p.max_steps = 3;
    p.turbulence = 0; /* its field takes a second to make */
#define FLOATS(name, value) {#name, offsetof(foehn_fire_params, name), 0, (value), 0}
#define WHOLE(name, value) {#name, offsetof(foehn_fire_params, name), 1, 0, (value)}
#define DOUBLE(name, value) {#name, offsetof(foehn_fire_params, name), 2, (value), 0}
    const struct {
        const char *name;
        size_t offset;
        int kind;
        double real;
        int whole;
    } changes[] = {
        DOUBLE(render_voxel, 0.09), DOUBLE(physics_voxel, 0.11), DOUBLE(size[1], 0.9),
        DOUBLE(pose.rotation[0], 0.2), DOUBLE(pose.position[0], 0.5), FLOATS(speed, 1.2),
        WHOLE(max_steps, 2), WHOLE(velocity_transport, 1), WHOLE(dye_transport, 1),
        WHOLE(layout, 1), WHOLE(pressure, 1), WHOLE(sweeps, 5), FLOATS(confinement, 5),
        FLOATS(buoyancy, 2), FLOATS(smoke_weight, 0.3), FLOATS(damping, 0.5),
        FLOATS(turbulence, 0.2), FLOATS(dissipation, 2), FLOATS(cooling, 1),
        FLOATS(emit_density, 0.05), FLOATS(emit_temperature, 5), FLOATS(friction, 0.2),
        FLOATS(angular_multiplier, 1), FLOATS(collision_margin, 0.1), WHOLE(march_steps, 30),
        FLOATS(pass_scale, 0.5), FLOATS(radiance, 10), FLOATS(palette_temperature, 8),
        WHOLE(account, 0)};
    uint64_t plain = fingerprint(&p);
    ck_assert(fingerprint(&p) == plain);
    for (size_t n = 0; n < sizeof changes / sizeof changes[0]; n++) {
        foehn_fire_params q = p;
        char *member = (char *)&q + changes[n].offset;
        float real = (float)changes[n].real;
        if (changes[n].kind == 0)
            memcpy(member, &real, sizeof real);
        else if (changes[n].kind == 1)
            memcpy(member, &changes[n].whole, sizeof changes[n].whole);
        else
            memcpy(member, &changes[n].real, sizeof changes[n].real);
        ck_assert_msg(fingerprint(&q) != plain, "%s has no effect", changes[n].name);
    }
    foehn_fire_params q = p; /* those that need another one */
    q.turbulence = 0.4f;
    uint64_t turbulent = fingerprint(&q);
    q.seed = 7;
    ck_assert_msg(fingerprint(&q) != turbulent, "seed has no effect");
    q.seed = 0;
    q.noise_frequency = 5;
    ck_assert_msg(fingerprint(&q) != turbulent, "noise_frequency has no effect");
    q.noise_frequency = p.noise_frequency;
    q.noise_decay = 3;
    ck_assert_msg(fingerprint(&q) != turbulent, "noise_decay has no effect");
    q.noise_decay = p.noise_decay;
    q.curl_multiplier = 3;
    ck_assert_msg(fingerprint(&q) != turbulent, "curl_multiplier has no effect");
    q = p;
    q.pressure = FOEHN_FIRE_MULTIGRID;
    uint64_t cycles = fingerprint(&q);
    q.cycles = 1;
    ck_assert_msg(fingerprint(&q) != cycles, "cycles has no effect");
}
END_TEST

START_TEST(odd_and_even_sweeps_are_as_many_jacobi_sweeps)
{
    enum { N = 16 };
    for (int sweeps = 1; sweeps <= 4; sweeps++) {
        foehn_fire_params p = quiet();
        p.sweeps = sweeps;
        /* As many sweeps as asked for. */
        p.physics_voxel = FIRE_PHYSICS_VOXEL;
        for (int a = 0; a < 3; a++)
            p.size[a] = N * FIRE_PHYSICS_VOXEL;
        foehn_fire *fire = make(&p);
        float *v = calloc(3 * N * N * N, sizeof *v);
        double *a = calloc(N * N * N, sizeof *a), *b = calloc(N * N * N, sizeof *b);
        for (int n = 0; n < 3 * N * N * N; n++)
            v[n] = (float)sin(n * 0.7 + 0.1 * n / N);
        OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
        OK(foehn_fire_step(fire));
        float *rhs = read_field(fire, FOEHN_FIRE_DIVERGENCE_BEFORE);
        float *pressure = read_field(fire, FOEHN_FIRE_PRESSURE);
        double h2 = FIRE_PHYSICS_VOXEL * FIRE_PHYSICS_VOXEL;
        for (int s = 0; s < sweeps; s++) {
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++) {
                        int c = i + N * (j + N * k);
                        double sum = (i > 0 ? a[c - 1] : 0) + (i < N - 1 ? a[c + 1] : 0) +
                                     (j > 0 ? a[c - N] : 0) + (j < N - 1 ? a[c + N] : 0) +
                                     (k > 0 ? a[c - N * N] : 0) + (k < N - 1 ? a[c + N * N] : 0);
                        b[c] = (sum - h2 * (double)rhs[c]) / 6;
                    }
            double *swap = a;
            a = b;
            b = swap;
        }
        for (int c = 0; c < N * N * N; c++)
            NEAR(pressure[c], a[c], 2e-6);
        free(v);
        free(a);
        free(b);
        free(rhs);
        free(pressure);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* ---- forces against plain C ---- */

/* Component a of a vector field at a voxel. */
static double component(const float *v, int i, int j, int k, int a)
{
    return (double)v[3 * cell_of(i, j, k) + (size_t)a];
}

/* Trilinear at a place in voxels, centres at i + 0.5. */
static double traced(const float *v, const double p[3], int a)
{
    int c[3];
    double t[3], sum = 0;
    for (int b = 0; b < 3; b++) {
        c[b] = (int)floor(p[b] - 0.5);
        t[b] = p[b] - 0.5 - c[b];
    }
    for (int n = 0; n < 8; n++) {
        int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        sum += (x ? t[0] : 1 - t[0]) * (y ? t[1] : 1 - t[1]) * (z ? t[2] : 1 - t[2]) *
               component(v, c[0] + x, c[1] + y, c[2] + z, a);
    }
    return sum;
}

/* curl v by central differences, per second; returns its magnitude. */
static double curl_of(const float *v, const int c[3], double out[3])
{
    const double h = FIRE_RENDER_VOXEL;
    double slope[3][3]; /* of component b along axis a */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            slope[a][b] = (component(v, c[0] + (a == 0), c[1] + (a == 1), c[2] + (a == 2), b) -
                           component(v, c[0] - (a == 0), c[1] - (a == 1), c[2] - (a == 2), b)) /
                          (2 * h);
    out[0] = slope[1][2] - slope[2][1];
    out[1] = slope[2][0] - slope[0][2];
    out[2] = slope[0][1] - slope[1][0];
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

/* N x omega times the preset's 7.01, made for voxels of FIRE_PHYSICS_VOXEL. */
static void confine(const float *v, const int c[3], double out[3])
{
    const double h0 = FIRE_PHYSICS_VOXEL;
    double omega[3], eta[3], unused[3], length = 0;
    curl_of(v, c, omega);
    for (int a = 0; a < 3; a++) {
        const int up[3] = {c[0] + (a == 0), c[1] + (a == 1), c[2] + (a == 2)};
        const int down[3] = {c[0] - (a == 0), c[1] - (a == 1), c[2] - (a == 2)};
        eta[a] = h0 * h0 * (curl_of(v, up, unused) - curl_of(v, down, unused)) /
                 (2 * FIRE_RENDER_VOXEL);
        length += eta[a] * eta[a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, d = (a + 2) % 3;
        out[a] = 7.01 * h0 * (eta[b] * omega[d] - eta[d] * omega[b]) / (sqrt(length) + 1e-5);
    }
}

START_TEST(transport_and_forces_are_those_of_plain_c)
{
    foehn_fire_params p = quiet();
    const double dt = 0.05, h = FIRE_RENDER_VOXEL, lift = 2 * 2.3729 - 0.8 * 0.15;
    p.buoyancy = 2.3729f;
    p.smoke_weight = 0.15f;
    p.damping = 0.25f;
    p.confinement = 7.01f;
    foehn_fire *fire = make(&p);
    float *v = malloc(3 * 4096 * sizeof *v), *field = malloc(4096 * sizeof *field);
    for (int c = 0; c < 4096; c++) {
        int i = c % 16, j = c / 16 % 16, k = c / 256;
        v[3 * c] = (float)(0.8 * sin(0.5 * j) + 0.3 * cos(0.4 * k));
        v[3 * c + 1] = (float)(0.6 * cos(0.6 * i) - 0.2 * sin(0.3 * k));
        v[3 * c + 2] = (float)(0.5 * sin(0.4 * i + 0.3 * j));
        field[c] = 2;
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    for (int c = 0; c < 4096; c++)
        field[c] = 0.8f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    OK(foehn_fire_step(fire));
    float *got = read_field(fire, FOEHN_FIRE_VELOCITY_BEFORE);
    for (int k = 5; k < 11; k++)
        for (int j = 5; j < 11; j++)
            for (int i = 5; i < 11; i++) {
                const int c[3] = {i, j, k};
                double from[3], push[3];
                confine(v, c, push);
                for (int a = 0; a < 3; a++)
                    from[a] = c[a] + 0.5 - component(v, i, j, k, a) * dt / h;
                for (int a = 0; a < 3; a++) {
                    double wanted = (traced(v, from, a) + (a == 1 ? lift * dt : 0)) *
                                        (1 - 0.25 * dt) + push[a] * dt;
                    NEAR(component(got, i, j, k, a), wanted, 2e-5);
                }
            }
    free(v);
    free(field);
    free(got);
    foehn_fire_destroy(fire);
}
END_TEST

/* ---- the same again ---- */

START_TEST(the_same_scene_gives_the_same_bits)
{
    for (int n = 0; n < 2; n++) {
        foehn_fire_params p = lively(12);
        p.velocity_transport = p.dye_transport = (foehn_fire_transport)n;
        p.layout = (foehn_fire_layout)n;
        p.pressure = (foehn_fire_pressure)n;
        ck_assert(fingerprint(&p) == fingerprint(&p));
    }
}
END_TEST

START_TEST(a_restarted_fire_is_a_new_one)
{
    foehn_fire_params p = lively(12);
    foehn_fire *fire = make(&p);
    uint64_t bits[2];
    light(fire, 0.2, 0.3, 13);
    for (int run = 0; run < 2; run++) {
        OK(foehn_fire_restart(fire));
        for (int n = 0; n < 6; n++)
            OK(foehn_fire_step(fire));
        bits[run] = bits_of(fire);
    }
    ck_assert(bits[0] == bits[1]);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_checkpoint_goes_on_bit_for_bit)
{
    foehn_fire_params p = lively(12);
    foehn_fire *one = make(&p), *other = make(&p);
    light(one, 0.2, 0.3, 13);
    light(other, 0.2, 0.3, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(one));
    size_t size = foehn_fire_get_checkpoint_size(one);
    char *bytes = malloc(size);
    ck_assert_ptr_nonnull(bytes);
    OK(foehn_fire_read_checkpoint(one, size, bytes));
    OK(foehn_fire_write_checkpoint(other, size, bytes));
    for (int n = 0; n < 3; n++) {
        OK(foehn_fire_step(one));
        OK(foehn_fire_step(other));
    }
    ck_assert(bits_of(one) == bits_of(other));
    foehn_fire_measures m[2];
    OK(foehn_fire_read_measures(one, &m[0]));
    OK(foehn_fire_read_measures(other, &m[1]));
    ck_assert(m[0].emitted == m[1].emitted && m[0].dissipated == m[1].dissipated);
    uint64_t before = bits_of(other);
    bytes[size / 2] ^= 1;
    FAILS(FOEHN_ERROR_ARGUMENT, "damaged", foehn_fire_write_checkpoint(other, size, bytes));
    FAILS(FOEHN_ERROR_ARGUMENT, "bytes", foehn_fire_read_checkpoint(one, size - 1, bytes));
    ck_assert(bits_of(other) == before);
    bytes[size / 2] ^= 1;
    p.buoyancy = 1;
    foehn_fire *third = make(&p);
    FAILS(FOEHN_ERROR_ARGUMENT, "parameters", foehn_fire_write_checkpoint(third, size, bytes));
    free(bytes);
    foehn_fire_destroy(one);
    foehn_fire_destroy(other);
    foehn_fire_destroy(third);
}
END_TEST

/* ---- budget and pressure ---- */

START_TEST(smoke_in_still_air_is_what_was_emitted_less_what_dissipated)
{
    foehn_fire_params p = quiet();
    p.account = 1;
    p.dissipation = 1.02f;
    foehn_fire *fire = make(&p);
    light(fire, 0.3, 0.6, 2);
    for (int n = 0; n < 200; n++)
        OK(foehn_fire_step(fire));
    foehn_fire_measures m;
    OK(foehn_fire_read_measures(fire, &m));
    ck_assert(m.emitted > 0 && m.dissipated > 0);
    NEAR(m.emitted - m.dissipated, m.total_density, 1e-4 * m.total_density);
    NEAR(m.carried, 0, 1e-5 * m.emitted);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_budget_of_a_burning_fire_closes)
{
    foehn_fire_params p = lively(16);
    foehn_fire *fire = make(&p);
    foehn_fire_measures m;
    light(fire, 0.25, 0.4, 13);
    for (int n = 0; n < 90; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    testing_report("smoke: emitted %.4f, dissipated %.4f, carried off %.4f, there %.4f m3",
                   m.emitted, m.dissipated, m.carried, m.total_density);
    NEAR(m.emitted - m.dissipated - m.carried, m.total_density, 1e-4 * m.total_density);
    ck_assert(m.max_temperature > 1 && m.plume_height > 0.4 && m.max_speed > 0.5);
    foehn_fire_destroy(fire);
}
END_TEST

/* Air that a Gaussian source of some voxels' width blows apart. */
static void burst(foehn_fire *fire, int n, double width)
{
    float *v = malloc((size_t)(3 * n * n * n) * sizeof *v);
    for (int c = 0; c < n * n * n; c++) {
        double x = c % n + 0.5 - n / 2.0, y = c / n % n + 0.5 - n / 2.0;
        double z = c / n / n + 0.5 - n / 2.0;
        double s = exp(-(x * x + y * y + z * z) / (2 * width * width));
        v[3 * c] = (float)(0.1 * x * s);
        v[3 * c + 1] = (float)(0.1 * y * s);
        v[3 * c + 2] = (float)(0.1 * z * s);
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    free(v);
}

/* How much a step lowers mean |div| where a source has blown for some steps: pressure starts from
 * the last step's, as it does in a burning fire. */
static double reduction(foehn_fire_layout layout, foehn_fire_pressure pressure)
{
    foehn_fire_params p = quiet();
    p.size[0] = p.size[1] = p.size[2] = 32 * FIRE_PHYSICS_VOXEL;
    p.physics_voxel = FIRE_PHYSICS_VOXEL;
    p.layout = layout;
    p.pressure = pressure;
    foehn_fire *fire = make(&p);
    foehn_fire_measures m;
    for (int n = 0; n < 20; n++) {
        burst(fire, 32, 2);
        OK(foehn_fire_step(fire));
    }
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m.mean_abs_divergence_before / m.mean_abs_divergence_after;
}

START_TEST(four_sweeps_halve_divergence_and_multigrid_takes_it_to_a_hundredth)
{
    double sweeps = reduction(FOEHN_FIRE_COLLOCATED, FOEHN_FIRE_JACOBI);
    double faces = reduction(FOEHN_FIRE_STAGGERED, FOEHN_FIRE_JACOBI);
    double centers = reduction(FOEHN_FIRE_COLLOCATED, FOEHN_FIRE_MULTIGRID);
    double multigrid = reduction(FOEHN_FIRE_STAGGERED, FOEHN_FIRE_MULTIGRID);
    testing_report("mean |div| falls by: 4 sweeps %.2f (staggered %.2f), multigrid %.2f (staggered "
                   "%.0f)", sweeps, faces, centers, multigrid);
    ck_assert(sweeps >= 2);
    ck_assert(faces >= 2);
    ck_assert(centers >= 2);
    ck_assert(multigrid >= 100);
}
END_TEST

/* What a fire measures that has burnt for so many steps. */
static foehn_fire_measures burning(const foehn_fire_params *p, int steps)
{
    foehn_fire *fire = make(p);
    foehn_fire_measures m;
    light(fire, 0.3, 0.5, 13);
    for (int n = 0; n < steps; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m;
}

START_TEST(multigrid_takes_a_burning_fires_divergence_to_a_hundredth)
{
    foehn_fire_params p = lively(24);
    p.layout = FOEHN_FIRE_STAGGERED;
    p.pressure = FOEHN_FIRE_MULTIGRID;
    foehn_fire_measures m = burning(&p, 40);
    testing_report("a burning fire: mean |div| %.3g -> %.3g 1/s", m.mean_abs_divergence_before,
                   m.mean_abs_divergence_after);
    ck_assert(m.mean_abs_divergence_before >= 100 * m.mean_abs_divergence_after);
}
END_TEST

/* Sweeps of the preset see other wavelengths than its central gradient; wide ones see the same.  Any number of them
 * leaves steps stable that start from the last one's pressure. */
START_TEST(wide_sweeps_halve_a_burning_fires_divergence)
{
    for (int sweeps = 1; sweeps <= 5; sweeps++) {
        foehn_fire_params p = lively(24);
        p.pressure = FOEHN_FIRE_WIDE;
        p.sweeps = sweeps;
        foehn_fire_measures m = burning(&p, 60);
        double fall = m.mean_abs_divergence_before / m.mean_abs_divergence_after;
        testing_report("a burning fire, %d wide sweeps: mean |div| falls %.2f-fold, to %.3g 1/s", sweeps, fall,
                       m.mean_abs_divergence_after);
        ck_assert(fall > 1);
        ck_assert(sweeps < 4 || fall >= 2);
    }
    foehn_fire_params p = lively(8);
    foehn_fire *fire = NULL;
    p.pressure = FOEHN_FIRE_WIDE;
    p.layout = FOEHN_FIRE_STAGGERED;
    ck_assert_int_eq(foehn_fire_create(context, &p, &fire), FOEHN_ERROR_ARGUMENT);
    ck_assert(strstr(foehn_last_error(), "collocated"));
}
END_TEST

/* ---- colliders ---- */

START_TEST(boxes_and_ellipsoids_have_their_distance_normal_and_surface_velocity)
{
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    foehn_fire_collider box = foehn_fire_collider_default(), ball = box;
    const double h = FIRE_RENDER_VOXEL, at_box[3] = {4 * h, 8 * h, 8 * h};
    const double at_ball[3] = {12 * h, 8 * h, 8 * h}, radii[3] = {2.5 * h, 3 * h, 2 * h};
    for (int a = 0; a < 3; a++) {
        box.pose.position[a] = at_box[a];
        box.half[a] = 2 * h;
        ball.pose.position[a] = at_ball[a];
        ball.half[a] = radii[a];
    }
    box.pose.rotation[2] = sin(0.25); /* half a radian about z */
    box.pose.rotation[3] = cos(0.25);
    box.velocity[1] = 0.5f;
    box.angular_velocity[2] = 2;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &box));
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, 0, &ball));
    OK(foehn_fire_step(fire));
    float *d = read_field(fire, FOEHN_FIRE_DISTANCE), *n = read_field(fire, FOEHN_FIRE_NORMAL);
    float *s = read_field(fire, FOEHN_FIRE_SURFACE_VELOCITY);
    float *v = read_field(fire, FOEHN_FIRE_VELOCITY);
    for (size_t c = 0; c < 4096; c++) {
        double x = ((double)(c % 16) + 0.5) * h, y = ((double)(c / 16 % 16) + 0.5) * h;
        double z = ((double)(c / 256) + 0.5) * h, k0 = 0, k1 = 0, outside = 0, inside = -INFINITY;
        double dx = x - at_box[0], dy = y - at_box[1];
        const double own[3] = {cos(0.5) * dx + sin(0.5) * dy, cos(0.5) * dy - sin(0.5) * dx,
                               z - at_box[2]};
        const double e[3] = {x - at_ball[0], y - at_ball[1], z - at_ball[2]};
        for (int a = 0; a < 3; a++) {
            double q = fabs(own[a]) - 2 * h;
            outside += pow(fmax(q, 0), 2);
            inside = fmax(inside, q);
            k0 += pow(e[a] / radii[a], 2);
            k1 += pow(e[a] / radii[a] / radii[a], 2);
        }
        double to_box = sqrt(outside) + fmin(inside, 0);
        double to_ball = sqrt(k0) * (sqrt(k0) - 1) / sqrt(k1);
        NEAR(d[c], fmin(to_box, to_ball) * (1 - 0.034), 1e-5);
        NEAR(hypot(hypot((double)n[3 * c], (double)n[3 * c + 1]), (double)n[3 * c + 2]), 1, 1e-3);
        if (to_box < to_ball - 1e-3) {
            NEAR(s[3 * c], -1.36 * 2 * dy, 1e-4);
            NEAR(s[3 * c + 1], 0.5 + 1.36 * 2 * dx, 1e-4);
        }
        if (d[c] < 0)
            ck_assert(v[3 * c] == 0 && v[3 * c + 1] == 0 && v[3 * c + 2] == 0);
    }
    /* Beside the box at its middle height the normal points along -x turned by half a radian. */
    size_t beside = cell_of(1, 7, 7);
    ck_assert(n[3 * beside] < -0.7f);
    free(d);
    free(n);
    free(s);
    free(v);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(fire_does_not_cross_a_wall)
{
    for (int layout = 0; layout < 2; layout++) {
        foehn_fire_params p = lively(16);
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = make(&p);
        foehn_fire_collider lid = foehn_fire_collider_default();
        foehn_fire_field_info info;
        light(fire, 0.2, 0.35, 13);
        for (int a = 0; a < 3; a++) {
            lid.pose.position[a] = p.size[a] / 2;
            lid.half[a] = 2 * p.size[a];
        }
        lid.pose.position[1] = 1.0;
        lid.half[1] = 0.12;
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &lid));
        for (int n = 0; n < 60; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_get_field(fire, FOEHN_FIRE_DENSITY, &info));
        float *density = read_field(fire, FOEHN_FIRE_DENSITY);
        double above = 0, below = 0;
        for (size_t c = 0; c < info.floats; c++) {
            int j = (int)(c / (size_t)info.cells[0]) % info.cells[1];
            double y = (j + 0.5) * info.spacing[1];
            above += y > 1.12 + info.spacing[1] ? (double)density[c] : 0;
            below += y < 0.88 ? (double)density[c] : 0;
        }
        testing_report("layout %d: smoke above the lid over smoke below it: %.2g", layout,
                       above / below);
        ck_assert(below > 1);
        ck_assert(above < 1e-3 * below);
        free(density);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* A ball of radius 1 out of an octahedron, each triangle cut in four `levels` times. */
static size_t cut_ball(int levels, float (*vertices)[3], uint32_t (*triangles)[3])
{
    size_t count = 0;
    const float corner[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                {0, 0, 1}, {0, 0, -1}};
    const int face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int n = 1 << levels;
    for (int f = 0; f < 8; f++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n - a; b++)
                for (int half = 0; half < (b < n - a - 1 ? 2 : 1); half++) {
                    const int at_a[2][3] = {{a, a + 1, a}, {a + 1, a + 1, a}};
                    const int at_b[2][3] = {{b, b, b + 1}, {b, b + 1, b + 1}};
                    for (int c = 0; c < 3; c++) {
                        double s = (double)at_a[half][c] / n, t = (double)at_b[half][c] / n, q[3];
                        for (int k = 0; k < 3; k++)
                            q[k] = (1 - s - t) * (double)corner[face[f][0]][k] +
                                   s * (double)corner[face[f][1]][k] +
                                   t * (double)corner[face[f][2]][k];
                        double r = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
                        for (int k = 0; k < 3; k++)
                            vertices[3 * count + (size_t)c][k] = (float)(q[k] / r);
                        triangles[count][c] = (uint32_t)(3 * count + (size_t)c);
                    }
                    count++;
                }
    return count;
}

START_TEST(a_closed_mesh_is_a_collider)
{
    enum { TRIANGLES = 8 * 256 };
    float(*vertices)[3] = malloc(3 * TRIANGLES * sizeof *vertices);
    uint32_t(*triangles)[3] = malloc(TRIANGLES * sizeof *triangles);
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    size_t count = cut_ball(4, vertices, triangles);
    ck_assert_uint_eq(count, TRIANGLES);
    for (size_t n = 0; n < 3 * count; n++)
        for (int a = 0; a < 3; a++)
            vertices[n][a] *= 0.3f;
    foehn_fire_mesh mesh = {3 * count, (const float(*)[3])vertices, count,
                            (const uint32_t(*)[3])triangles, 0};
    foehn_fire_collider c = foehn_fire_collider_default();
    FAILS(FOEHN_ERROR_ARGUMENT, "geometry", foehn_fire_set_collider(fire, FOEHN_FIRE_MESH, 1, &c));
    OK(foehn_fire_set_mesh(fire, 1, &mesh));
    for (int a = 0; a < 3; a++)
        c.pose.position[a] = 0.55 + 0.02 * a;
    c.pose.rotation[1] = 0.4;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_MESH, 1, &c));
    OK(foehn_fire_step(fire));
    float *d = read_field(fire, FOEHN_FIRE_DISTANCE);
    double worst = 0, worst_near = 0;
    for (size_t n = 0; n < 4096; n++) {
        double x = ((double)(n % 16) + 0.5) * FIRE_RENDER_VOXEL - 0.55;
        double y = ((double)(n / 16 % 16) + 0.5) * FIRE_RENDER_VOXEL - 0.57;
        double z = ((double)(n / 256) + 0.5) * FIRE_RENDER_VOXEL - 0.59;
        double exact = sqrt(x * x + y * y + z * z) - 0.3, got = (double)d[n] / (1 - 0.034);
        if (exact < 0.03)
            worst_near = fmax(worst_near, fabs(got - exact));
        worst = fmax(worst, fabs(got - exact) - fmax(exact, 0) * 0.4);
    }
    testing_report("a ball of %zu triangles: distance off by %.4f m in and near it", count,
                   worst_near);
    ck_assert(worst_near < 0.006); /* half a voxel of its grid; facets are 0.001 m deep */
    ck_assert(worst < 0.02);
    triangles[17][1] = triangles[17][0];
    FAILS(FOEHN_ERROR_ARGUMENT, "3 edges", foehn_fire_set_mesh(fire, 0, &mesh));
    triangles[17][1] = (uint32_t)(3 * count);
    FAILS(FOEHN_ERROR_ARGUMENT, "triangle 17", foehn_fire_set_mesh(fire, 0, &mesh));
    free(d);
    free(vertices);
    free(triangles);
    foehn_fire_destroy(fire);
}
END_TEST

/* ---- wind ---- */

START_TEST(a_uniform_wind_stays_uniform)
{
    for (int layout = 0; layout < 2; layout++) {
        foehn_fire_params p = quiet();
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = make(&p);
        blow(fire);
        for (int n = 0; n < 5; n++)
            OK(foehn_fire_step(fire));
        float *v = read_field(fire, FOEHN_FIRE_VELOCITY);
        for (size_t c = 0; c < 4096; c++) {
            NEAR(v[3 * c], FIRE_RENDER_VOXEL / 0.05, 1e-4);
            NEAR(v[3 * c + 1], 0, 1e-5);
        }
        free(v);
        foehn_fire_destroy(fire);
    }
}
END_TEST

START_TEST(side_wind_bends_the_plume)
{
    double shift[2];
    for (int windy = 0; windy < 2; windy++) {
        foehn_fire_params p = lively(16);
        foehn_fire *fire = make(&p);
        foehn_fire_field_info info;
        /* A field of wind: 1 m/s along x at the floor, 2 at the lid. */
        const float v[2][3] = {{1, 0, 0}, {2, 0, 0}};
        const foehn_fire_wind wind = {1, 2, 1, v};
        if (windy)
            OK(foehn_fire_set_wind(fire, &wind));
        light(fire, 0.2, 0.3, 13);
        for (int n = 0; n < 30; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_get_field(fire, FOEHN_FIRE_DENSITY, &info));
        float *density = read_field(fire, FOEHN_FIRE_DENSITY);
        double sum = 0, moment = 0;
        for (size_t c = 0; c < info.floats; c++) {
            sum += (double)density[c];
            double x = ((double)(c % (size_t)info.cells[0]) + 0.5) * info.spacing[0];
            moment += (double)density[c] * (x - p.size[0] / 2);
        }
        shift[windy] = moment / sum;
        free(density);
        foehn_fire_destroy(fire);
    }
    testing_report("centre of the smoke: %.3f m in still air, %.3f m in wind", shift[0], shift[1]);
    NEAR(shift[0], 0, 0.05);
    ck_assert(shift[1] > 0.1);
}
END_TEST

/* ---- frames ---- */

START_TEST(a_turned_box_burns_the_same_scene)
{
    /* A quarter turn about the vertical: the box's grid lies otherwise, the plume rises as high. */
    double height[2];
    for (int turned = 0; turned < 2; turned++) {
        foehn_fire_params p = lively(16);
        p.turbulence = 0;
        if (turned) {
            p.pose.rotation[1] = sqrt(0.5);
            p.pose.rotation[3] = sqrt(0.5);
            p.pose.position[0] = -3;
        }
        foehn_fire *fire = make(&p);
        foehn_fire_measures m;
        light(fire, 0.2, 0.3, 13);
        for (int n = 0; n < 20; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_read_measures(fire, &m));
        height[turned] = m.plume_height;
        foehn_fire_destroy(fire);
    }
    NEAR(height[0], height[1], 0.05 * height[0]);
}
END_TEST

/* ---- picture ---- */

enum { WIDTH = 64, HEIGHT = 48 };

static foehn_fire_picture small_picture(const foehn_fire_params *p)
{
    foehn_fire_picture picture = foehn_fire_picture_default();
    picture.width = WIDTH;
    picture.height = HEIGHT;
    for (int a = 0; a < 3; a++)
        picture.position[a] = picture.target[a] = p->pose.position[a];
    picture.position[2] += 3;
    return picture;
}

START_TEST(the_picture_shows_fire_over_what_lies_behind)
{
    foehn_fire_params p = lively(16);
    foehn_fire *fire = make(&p);
    foehn_fire_picture picture = small_picture(&p);
    float(*back)[4] = malloc(WIDTH * HEIGHT * sizeof *back), *depth = malloc(WIDTH * HEIGHT * 4);
    uint8_t *bytes = malloc(WIDTH * HEIGHT * 4);
    uint16_t *words = malloc(WIDTH * HEIGHT * 8);
    float *light_only = malloc(WIDTH * HEIGHT * 16), *over = malloc(WIDTH * HEIGHT * 16);
    light(fire, 0.3, 0.5, 13);
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_BYTES, bytes));
    for (int n = 0; n < WIDTH * HEIGHT * 4; n++)
        ck_assert_msg(bytes[n] == 0, "an unlit fire shines");
    for (int n = 0; n < 20; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_BYTES, bytes));
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_WORDS, words));
    int lit = 0, red = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        int alpha = bytes[4 * n + 3];
        lit += alpha > 128;
        red += alpha > 128 && bytes[4 * n] >= bytes[4 * n + 2];
        ck_assert(abs(words[4 * n + 3] / 257 - alpha) <= 1);
    }
    testing_report("%d of %d pixels are lit", lit, WIDTH * HEIGHT);
    ck_assert(lit > 50 && lit < WIDTH * HEIGHT / 2);
    ck_assert_int_eq(red, lit);
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, light_only));
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        for (int a = 0; a < 4; a++)
            back[n][a] = a == 3 ? 1 : 0.25f;
        depth[n] = n % WIDTH < WIDTH / 2 ? 0.5f : INFINITY; /* in front of the box, on the left */
    }
    picture.background = (const float(*)[4])back;
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, over));
    for (int n = 0; n < 4 * WIDTH * HEIGHT; n++)
        if (n % 4 != 3)
            NEAR(over[n], light_only[n] + 0.25f, 1e-5 * (1 + (double)light_only[n]));
    picture.depth = depth;
    picture.bloom_strength = 0;
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, over));
    bool still_lit = false;
    for (int n = 0; n < WIDTH * HEIGHT; n++)
        if (n % WIDTH < WIDTH / 2 - 2)
            ck_assert_msg(over[4 * n] == 0.25f, "fire shines through what stands in front of it");
        else
            still_lit = still_lit || over[4 * n] > 1;
    ck_assert(still_lit);
    free(back);
    free(depth);
    free(bytes);
    free(words);
    free(light_only);
    free(over);
    foehn_fire_destroy(fire);
}
END_TEST

/* Sum of each channel of a view. */
static void sums_of(foehn_fire *fire, const foehn_fire_picture *picture, double sum[3])
{
    float *pixels = malloc(WIDTH * HEIGHT * 16);
    OK(foehn_fire_read_picture(fire, picture, FOEHN_FIRE_FLOATS, pixels));
    for (int a = 0; a < 3; a++)
        sum[a] = 0;
    for (int n = 0; n < 4 * WIDTH * HEIGHT; n++)
        if (n % 4 < 3)
            sum[n % 4] += (double)pixels[n];
    free(pixels);
}

START_TEST(every_view_shows_its_own)
{
    foehn_fire_params p = lively(16);
    foehn_fire *fire = make(&p);
    foehn_fire_picture picture = small_picture(&p);
    foehn_fire_collider c = foehn_fire_collider_default();
    double sum[6][3], drawn[3], other[3];
    light(fire, 0.3, 0.4, 13);
    for (int a = 0; a < 3; a++) {
        c.pose.position[a] = p.pose.position[a];
        c.half[a] = 0.2;
    }
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, 0, &c));
    sums_of(fire, &picture, drawn); /* nothing burns yet */
    ck_assert(drawn[0] == 0);
    picture.draw_colliders = 1;
    sums_of(fire, &picture, drawn);
    ck_assert(drawn[0] > 5 && drawn[0] == drawn[1] && drawn[1] == drawn[2]);
    picture.draw_colliders = 0;
    for (int n = 0; n < 20; n++)
        OK(foehn_fire_step(fire));
    picture.bloom_threshold = 1;
    for (int view = 0; view < 6; view++) {
        picture.view = (foehn_fire_view)view;
        sums_of(fire, &picture, sum[view]);
        ck_assert_msg(sum[view][0] > 0, "view %d is black", view);
    }
    ck_assert_msg(sum[0][0] > sum[1][0] * 1.0001, "no bloom");
    ck_assert(sum[0][0] < sum[1][0] * 1.2);
    ck_assert(sum[2][0] == sum[2][1] && sum[3][0] == sum[3][2]);
    ck_assert(sum[4][1] > sum[4][0]); /* the plume rises */
    ck_assert(sum[5][0] > 20 && sum[5][1] == 0 && sum[5][2] == 0);
    picture.view = FOEHN_FIRE_VIEW_NO_BLOOM;
    picture.frame = 5;
    sums_of(fire, &picture, other);
    ck_assert(other[0] != sum[1][0]); /* the jitter moves */
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(tinted_smoke_burns_in_the_special_colour)
{
    foehn_fire_params p = lively(12);
    foehn_fire *fire = make(&p);
    foehn_fire_picture picture = small_picture(&p);
    foehn_fire_proxy proxy;
    double sum[3];
    light(fire, 0.3, 0.5, 22);
    OK(foehn_fire_get_proxy(fire, 0, 0, &proxy));
    proxy.tint = 1;
    OK(foehn_fire_set_proxy(fire, 0, 0, &proxy));
    for (int n = 0; n < 4; n++)
        OK(foehn_fire_step(fire));
    sums_of(fire, &picture, sum);
    ck_assert(sum[2] > 10 && sum[0] < 0.2 * sum[2]);
    NEAR(sum[1], sum[2], 0.2 * sum[2]);
    foehn_fire_destroy(fire);
}
END_TEST

/* ---- publication, errors ---- */

START_TEST(volumes_hold_dye_and_velocity)
{
    foehn_fire_params p = lively(12);
    foehn_fire *fire = make(&p);
    foehn_fire_info info;
    foehn_volume *dye, *air;
    foehn_volume_info about;
    light(fire, 0.2, 0.4, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(fire));
    foehn_fire_get_info(fire, &info);
    const int *r = info.render_cells, *g = info.physics_cells;
    OK(foehn_volume_create(context, r[0], r[1], r[2], &dye));
    OK(foehn_volume_create(context, g[0], g[1], g[2], &air));
    OK(foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_DYE, dye));
    OK(foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_VELOCITY, air));
    FAILS(FOEHN_ERROR_ARGUMENT, "cannot take",
          foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_DYE, air));
    size_t dyes = (size_t)(r[0] * r[1] * r[2]), airs = (size_t)(g[0] * g[1] * g[2]);
    float *floats = malloc((dyes > airs ? dyes : airs) * 16);
    OK(foehn_volume_read_floats(dye, floats));
    for (int n = 0; n < 4; n++) {
        float *field = read_field(fire, (foehn_fire_field)n);
        for (size_t c = 0; c < dyes; c++)
            NEAR(floats[4 * c + (size_t)n], field[c], 1e-3 * (0.1 + fabs((double)field[c])));
        free(field);
    }
    OK(foehn_volume_read_floats(air, floats));
    float *v = read_field(fire, FOEHN_FIRE_VELOCITY);
    for (size_t c = 0; c < airs; c++)
        for (size_t a = 0; a < 3; a++)
            NEAR(floats[4 * c + a], v[3 * c + a], 1e-3 * (0.1 + fabs((double)v[3 * c + a])));
    foehn_volume_get_info(dye, &about);
    ck_assert(about.step == 5 && about.origin[1] == -p.size[1] / 2);
    free(v);
    free(floats);
    foehn_volume_destroy(dye);
    foehn_volume_destroy(air);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(what_blows_up_is_named)
{
    foehn_fire_params p = quiet();
    foehn_fire *fire = make(&p);
    foehn_fire_measures m;
    float *field = calloc(4096, sizeof *field);
    field[cell_of(3, 4, 5)] = NAN;
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    FAILS(FOEHN_ERROR_UNSTABLE, "(3, 4, 5)", foehn_fire_read_measures(fire, &m));
    OK(foehn_fire_step(fire)); /* and does not crash */
    free(field);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    foehn_fire *fire = NULL;
    foehn_fire_params p = foehn_fire_params_default();
    p.struct_size = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.cooling = -1;
    FAILS(FOEHN_ERROR_ARGUMENT, "cooling", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.render_voxel = 1e-4;
    FAILS(FOEHN_ERROR_ARGUMENT, "render_voxel", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    memset(p.pose.rotation, 0, sizeof p.pose.rotation);
    FAILS(FOEHN_ERROR_ARGUMENT, "quaternion", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.layout = (foehn_fire_layout)2;
    FAILS(FOEHN_ERROR_ARGUMENT, "layout", foehn_fire_create(context, &p, &fire));
    ck_assert_ptr_null(fire);
    p = quiet();
    fire = make(&p);
    foehn_fire_picture picture = foehn_fire_picture_default();
    float pixel[4];
    picture.width = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "pixels",
          foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixel));
    picture = foehn_fire_picture_default();
    picture.up[1] = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "camera",
          foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixel));
    const float broken[1][3] = {{NAN, 0, 0}};
    int index;
    FAILS(FOEHN_ERROR_ARGUMENT, "point 0",
          foehn_fire_add_emitter(fire, &(foehn_fire_emitter){1, broken, 1}, &index));
    FAILS(FOEHN_ERROR_ARGUMENT, "wind",
          foehn_fire_set_wind(fire, &(foehn_fire_wind){1, 1, 1, broken}));
    FAILS(FOEHN_ERROR_ARGUMENT, "cannot be written",
          foehn_fire_write(fire, FOEHN_FIRE_PRESSURE, pixel));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_default_grids_are_the_presets)
{
    foehn_fire *fire = make(NULL);
    foehn_fire_info info;
    const int render[3] = {100, 78, 49}, physics[3] = {80, 63, 40};
    uint64_t bytes;
    foehn_fire_get_info(fire, &info);
    for (int a = 0; a < 3; a++) {
        ck_assert_int_eq(info.render_cells[a], render[a]);
        ck_assert_int_eq(info.physics_cells[a], physics[a]);
    }
    NEAR(info.step_time, 0.05, 1e-9);
    ck_assert_int_eq(info.sweeps, 4);
    ck_assert_int_eq(info.march_steps, 22);
    OK(foehn_fire_params_get_memory(NULL, &bytes));
    NEAR((double)bytes, (double)info.memory_bytes, 0.05 * (double)bytes);
    foehn_fire_destroy(fire);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, many_vertices_in_one_voxel_add_up_exactly_and_alike);
    tcase_add_test(tests, a_brush_radius_widens_the_footprint);
    tcase_add_test(tests, a_moving_emitter_gives_its_velocity_to_the_air);
    tcase_add_test(tests, the_callers_time_drives_the_fire);
    tcase_add_test(tests, a_dt_of_0_is_a_pause);
    tcase_add_test(tests, emission_adds_to_the_dye_that_has_just_arrived);
    tcase_add_test(tests, the_noise_frequency_drives_the_curl_field);
    tcase_add_test(tests, boxes_and_ellipsoids_have_capacities_of_their_own);
    tcase_add_test(tests, definitions_with_several_proxies_address_their_own_points);
    tcase_add_test(tests, making_and_destroying_fires_leaks_nothing);
    tcase_add_test(tests, no_setting_is_without_effect);
    tcase_add_test(tests, odd_and_even_sweeps_are_as_many_jacobi_sweeps);
    tcase_add_test(tests, transport_and_forces_are_those_of_plain_c);
    tcase_add_test(tests, the_same_scene_gives_the_same_bits);
    tcase_add_test(tests, a_restarted_fire_is_a_new_one);
    tcase_add_test(tests, a_checkpoint_goes_on_bit_for_bit);
    tcase_add_test(tests, smoke_in_still_air_is_what_was_emitted_less_what_dissipated);
    tcase_add_test(tests, the_budget_of_a_burning_fire_closes);
    tcase_add_test(tests, four_sweeps_halve_divergence_and_multigrid_takes_it_to_a_hundredth);
    tcase_add_test(tests, wide_sweeps_halve_a_burning_fires_divergence);
    tcase_add_test(tests, multigrid_takes_a_burning_fires_divergence_to_a_hundredth);
    tcase_add_test(tests, boxes_and_ellipsoids_have_their_distance_normal_and_surface_velocity);
    tcase_add_test(tests, fire_does_not_cross_a_wall);
    tcase_add_test(tests, a_closed_mesh_is_a_collider);
    tcase_add_test(tests, a_uniform_wind_stays_uniform);
    tcase_add_test(tests, side_wind_bends_the_plume);
    tcase_add_test(tests, a_turned_box_burns_the_same_scene);
    tcase_add_test(tests, the_picture_shows_fire_over_what_lies_behind);
    tcase_add_test(tests, every_view_shows_its_own);
    tcase_add_test(tests, tinted_smoke_burns_in_the_special_colour);
    tcase_add_test(tests, volumes_hold_dye_and_velocity);
    tcase_add_test(tests, what_blows_up_is_named);
    tcase_add_test(tests, wrong_arguments_are_refused);
    tcase_add_test(tests, the_default_grids_are_the_presets);
    if (!testing_is_tiny())
        tcase_add_test(tests, the_plume_rises_alike_on_grids_half_as_and_twice_as_fine);
    return testing_end();
}
