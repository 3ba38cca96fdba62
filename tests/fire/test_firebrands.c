/* SPDX-License-Identifier: MIT */
/* Firebrands: where they break off, how they fall, where they land. */
#include "testing.h"

#include "fire/state.h"

#define HIGH 12.0 /* m, of the box */

/* A box of 48 x 48 x 8 voxels of 0.25 m on both grids, over ground at y = 0. */
static foehn_fire *box_of_air(float wind)
{
    foehn_fire_params p;
    foehn_fire *fire;
    foehn_fire_params_burn(&p);
    p.size[0] = p.size[1] = HIGH;
    p.size[2] = 2;
    p.pose.position[0] = 6; /* the lower corner lies at x = 0 */
    p.pose.position[1] = 6;
    p.pose.position[2] = 1;
    p.render_voxel = p.physics_voxel = 0.25;
    OK(foehn_fire_create(context, &p, &fire));
    const float velocity[1][3] = {{wind, 0, 0}};
    const foehn_fire_wind all = {1, 1, 1, velocity};
    OK(foehn_fire_set_wind(fire, &all));
    return fire;
}

/* Put brand n into the air. */
static void let_go(foehn_fire *fire, size_t n, const float place[3], const float velocity[3],
                   float diameter)
{
    float b[FIREBRAND] = {place[0],    place[1],    place[2], velocity[0],
                          velocity[1], velocity[2], diameter, FIREBRAND_FLIES};
    memcpy(b + FIREBRAND_FROM, place, 3 * sizeof(float));
    OK(foehn_buffer_write(context, fire->brands.list, n * sizeof b, sizeof b, b));
}

static double terminal(const foehn_fire_firebrands *s, double diameter)
{
    return sqrt(4 * (double)s->density * 9.81 * diameter / (3 * 353 / 293.15 * (double)s->drag));
}

static void set(foehn_fire *fire, const foehn_fire_firebrands *s)
{
    OK(foehn_fire_set_firebrands(fire, s));
}

/* In a steady wind, without lift: distance U h / w_t; from rest, by the closed form of a fall with
 * drag that grows with the square of speed, (w^2 / g) ln cosh(g t / w). */
START_TEST(brands_fall_as_far_as_their_terminal_velocity_says)
{
    foehn_fire_firebrands s = foehn_fire_firebrands_default();
    const float wind = 1, d[3] = {0.001f, 0.002f, 0.005f};
    foehn_fire *fire = box_of_air(wind), *still = box_of_air(0);
    foehn_fire_firebrand b[3];
    s.rate = 1e6f;
    s.most = 3;
    s.shrinking = 0;
    set(fire, &s);
    set(still, &s);
    OK(foehn_fire_step(fire)); /* nothing burns: three that are none */
    OK(foehn_fire_step(still));
    const double h = 10;
    for (size_t n = 0; n < 3; n++) {
        float w = (float)terminal(&s, (double)d[n]);
        let_go(fire, n, (float[]){0.5f, (float)h, 1}, (float[]){wind, -w, 0}, d[n]);
        let_go(still, n, (float[]){0.5f, (float)h, 1}, (float[]){0, 0, 0}, d[n]);
    }
    NEAR(terminal(&s, 0.005), 3.7, 0.02);
    for (int n = 0; n < 240; n++) { /* the air stays as it is */
        OK(foehn_fire_fly_brands(fire, 1 / 30.0f));
        OK(foehn_fire_fly_brands(still, 1 / 30.0f));
    }
    ck_assert_uint_eq(foehn_fire_get_firebrand_count(fire), 3);
    OK(foehn_fire_read_firebrands(fire, 0, 3, b));
    double worst[2] = {0, 0};
    for (size_t n = 0; n < 3; n++) {
        ck_assert_int_eq((int)b[n].state, FOEHN_FIRE_BRAND_LANDED);
        ck_assert(fabs(b[n].position[1]) < 1e-4);
        double want = (double)wind * h / terminal(&s, (double)d[n]);
        worst[0] = fmax(worst[0], fabs((b[n].position[0] - b[n].from[0]) / want - 1));
    }
    OK(foehn_fire_read_firebrands(still, 0, 3, b));
    for (size_t n = 0; n < 3; n++) {
        double w = terminal(&s, (double)d[n]), t = w / 9.81 * acosh(exp(9.81 * h / (w * w)));
        ck_assert_int_eq((int)b[n].state, FOEHN_FIRE_BRAND_LANDED);
        worst[1] = fmax(worst[1], fabs((double)b[n].age / t - 1));
    }
    testing_report(
        "brands of 1 to 5 mm from 10 m: distance U h / w off by %.2f %% at most; time of "
        "a fall from rest by %.2f %%",
        100 * worst[0], 100 * worst[1]);
    ck_assert_double_lt(worst[0], 0.01);
    ck_assert_double_lt(worst[1], 0.01);
    foehn_fire_destroy(fire);
    foehn_fire_destroy(still);
}
END_TEST

START_TEST(brands_burn_out_land_on_colliders_and_leave)
{
    foehn_fire_firebrands s = foehn_fire_firebrands_default();
    foehn_fire *fire = box_of_air(3);
    foehn_fire_firebrand b[3];
    s.rate = 1e6f;
    s.most = 3;
    s.shrinking = 1e-3f;
    set(fire, &s);
    foehn_fire_collider c = foehn_fire_collider_default();
    c.pose.position[0] = 2;
    c.pose.position[1] = 1;
    c.pose.position[2] = 1;
    c.half[0] = c.half[1] = c.half[2] = 1;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &c));
    OK(foehn_fire_step(fire));
    let_go(fire, 0, (float[]){0.5f, 10, 1}, (float[]){0, 0, 0}, 1e-4f); /* 0.1 s */
    let_go(fire, 1, (float[]){2, 2.5f, 1}, (float[]){0, -3, 0}, 0.008f);
    let_go(fire, 2, (float[]){11.5f, 10, 1}, (float[]){3, 0, 0}, 0.004f);
    for (int n = 0; n < 30; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_firebrands(fire, 0, 3, b));
    ck_assert_int_eq((int)b[0].state, FOEHN_FIRE_BRAND_BURNT);
    NEAR(b[0].age, 0.1, 0.1);
    ck_assert_float_eq(b[0].diameter, 0);
    ck_assert_int_eq((int)b[1].state, FOEHN_FIRE_BRAND_LANDED);
    ck_assert(fabs(b[1].position[1] - 2) < 0.13); /* half a voxel of the distance */
    NEAR(b[1].diameter, 0.008 - 1e-3 * (double)b[1].age, 1e-5);
    ck_assert_int_eq((int)b[2].state, FOEHN_FIRE_BRAND_LEFT);
    foehn_fire_destroy(fire);
}
END_TEST

/* A fire of 300 kW at x = 3 in a wind. */
static foehn_fire *burning(float wind)
{
    enum { POINTS = 500 };
    float points[POINTS][3];
    foehn_fire *fire = box_of_air(wind);
    int index;
    for (int n = 0; n < POINTS; n++) {
        double r = 0.5 * sqrt((n + 0.5) / POINTS), turn = 2.399963229728653 * n;
        points[n][0] = (float)(3 + r * cos(turn));
        points[n][1] = 0.1f;
        points[n][2] = (float)(1 + r * sin(turn));
    }
    const foehn_fire_emitter e = {POINTS, (const float(*)[3])points, 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.power = 300;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    return fire;
}

START_TEST(brands_break_off_where_it_burns_and_fall_downwind_the_same_twice)
{
    enum { STEPS = 60, RATE = 300, COUNT = STEPS * RATE / 30 };
    foehn_fire_firebrands s = foehn_fire_firebrands_default();
    foehn_fire_firebrand *b[2];
    foehn_fire *fires[2];
    s.rate = RATE;
    s.diameter[0] = 0.0002f;
    s.diameter[1] = 0.0015f;
    for (int f = 0; f < 2; f++) {
        fires[f] = burning(2.5f);
        set(fires[f], &s);
        b[f] = testing_alloc(COUNT * sizeof *b[f]);
    }
    size_t new = 0, rising = 0;
    for (int n = 0; n < STEPS; n++) {
        size_t before = foehn_fire_get_firebrand_count(fires[0]);
        OK(foehn_fire_step(fires[0]));
        OK(foehn_fire_read_firebrands(fires[0], before, RATE / 30, b[0]));
        for (size_t k = 0; k < RATE / 30; k++) {
            new += b[0][k].state != FOEHN_FIRE_BRAND_NONE;
            rising += b[0][k].state == FOEHN_FIRE_BRAND_FLIES && b[0][k].velocity[1] > 0;
        }
        if (n == STEPS / 2) { /* the other goes on from here */
            size_t size = foehn_fire_get_checkpoint_size(fires[0]);
            void *bytes = testing_alloc(size);
            OK(foehn_fire_read_checkpoint(fires[0], size, bytes));
            OK(foehn_fire_write_checkpoint(fires[1], size, bytes));
            free(bytes);
        } else if (n > STEPS / 2)
            OK(foehn_fire_step(fires[1]));
    }
    for (int f = 0; f < 2; f++) {
        ck_assert_uint_eq(foehn_fire_get_firebrand_count(fires[f]), COUNT);
        OK(foehn_fire_read_firebrands(fires[f], 0, COUNT, b[f]));
    }
    size_t states[5] = {0};
    double from[3] = {0}, downwind = 0, highest = 0;
    for (size_t n = 0; n < COUNT; n++) {
        const foehn_fire_firebrand *p = &b[0][n], *q = &b[1][n];
        ck_assert(p->state == q->state && p->diameter == q->diameter && p->age == q->age);
        for (int a = 0; a < 3; a++)
            ck_assert(p->position[a] == q->position[a] && p->velocity[a] == q->velocity[a]);
        states[p->state]++;
        if (p->state == FOEHN_FIRE_BRAND_NONE)
            continue;
        for (int a = 0; a < 3; a++)
            from[a] += p->from[a];
        ck_assert(p->from[0] > 2 && p->from[0] < 8 && p->from[1] < 6);
        highest = fmax(highest, p->position[1]);
        downwind += p->position[0] - p->from[0];
    }
    double count = (double)(COUNT - states[0]);
    testing_report(
        "%zu brands: %zu fly, %zu landed, %zu burnt out, %zu left; %zu of %zu rise after a step; "
        "from (%.2f, %.2f, %.2f) m on average, %.2f m downwind, up to %.2f m",
        (size_t)COUNT, states[1], states[2], states[3], states[4], rising, new, from[0] / count,
        from[1] / count, from[2] / count, downwind / count, highest);
    ck_assert_uint_lt(states[0], COUNT / 20); /* before it burned */
    ck_assert_uint_gt(3 * rising, new);       /* a plume that lifts them is there from 1 s on */
    ck_assert(states[1] > 0 && states[2] > 0);
    ck_assert(fabs(from[2] / count - 1) < 0.1);
    ck_assert(downwind / count > 0.15 && highest > 0.8);
    for (int f = 0; f < 2; f++) {
        foehn_fire_destroy(fires[f]);
        free(b[f]);
    }
}
END_TEST

START_TEST(wrong_firebrands_are_refused)
{
    foehn_fire *fire = box_of_air(0), *preset;
    foehn_fire_firebrand b;
    foehn_fire_firebrands s = foehn_fire_firebrands_default();
    OK(foehn_fire_create(context, NULL, &preset));
    FAILS(FOEHN_ERROR_ARGUMENT, "burn", foehn_fire_set_firebrands(preset, &s));
    s.diameter[1] = 0.001f;
    FAILS(FOEHN_ERROR_ARGUMENT, "diameter", foehn_fire_set_firebrands(fire, &s));
    s = foehn_fire_firebrands_default();
    s.rate = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "rate", foehn_fire_set_firebrands(fire, &s));
    FAILS(FOEHN_ERROR_ARGUMENT, "there are 0", foehn_fire_read_firebrands(fire, 0, 1, &b));
    s.rate = 100;
    set(fire, &s);
    OK(foehn_fire_set_firebrands(fire, NULL));
    OK(foehn_fire_step(fire));
    ck_assert_uint_eq(foehn_fire_get_firebrand_count(fire), 0);
    foehn_fire_destroy(fire);
    foehn_fire_destroy(preset);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire_firebrands", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, brands_fall_as_far_as_their_terminal_velocity_says);
    tcase_add_test(tests, brands_burn_out_land_on_colliders_and_leave);
    tcase_add_test(tests, brands_break_off_where_it_burns_and_fall_downwind_the_same_twice);
    tcase_add_test(tests, wrong_firebrands_are_refused);
    return testing_end();
}
