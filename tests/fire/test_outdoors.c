/* SPDX-License-Identifier: MIT */
/* Fire that burns out of doors: wind at its sides, ground under it. */
#include "testing.h"

#include "fire/state.h"

/* A box of 24 x 20 x 16 voxels of 0.1 m on both grids, over ground at y = 0. */
static foehn_fire_params field(void)
{
    foehn_fire_params p;
    foehn_fire_params_burn(&p);
    const int cells[3] = {24, 20, 16};
    for (int a = 0; a < 3; a++)
        p.size[a] = 0.1 * cells[a];
    p.pose.position[0] = p.pose.position[2] = 0;
    p.pose.position[1] = 0.5 * p.size[1];
    p.render_voxel = p.physics_voxel = 0.1;
    return p;
}

static float *read_field(foehn_fire *fire, foehn_fire_field field, foehn_fire_field_info *info)
{
    OK(foehn_fire_get_field(fire, field, info));
    float *values = testing_alloc(info->floats * sizeof *values);
    OK(foehn_fire_read(fire, field, values));
    return values;
}

/* A disk of points on the ground at x that burns. */
static void light(foehn_fire *fire, double x, double y, float power)
{
    enum { POINTS = 500 };
    float points[POINTS][3];
    int index = -1;
    for (int n = 0; n < POINTS; n++) {
        double r = 0.2 * sqrt((n + 0.5) / POINTS), turn = 2.399963229728653 * n;
        points[n][0] = (float)(x + r * cos(turn));
        points[n][1] = (float)y;
        points[n][2] = (float)(r * sin(turn));
    }
    const foehn_fire_emitter e = {POINTS, (const float(*)[3])points, 1};
    OK(foehn_fire_add_emitter(fire, &e, &index));
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.power = power;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
}

enum { HEIGHTS = 21 };

/* A wind along x that grows with height, by the logarithm: `top` at the box's upper side. */
static void blow(foehn_fire *fire, double top)
{
    float velocity[HEIGHTS][3] = {{0}};
    for (int j = 1; j < HEIGHTS; j++)
        velocity[j][0] = (float)(top * log(j / 0.1) / log((HEIGHTS - 1) / 0.1));
    const foehn_fire_wind wind = {1, HEIGHTS, 1, (const float(*)[3])velocity};
    OK(foehn_fire_set_wind(fire, &wind));
}

/* What flows out through the six sides, m3/s: of the faces, which the projection makes. */
static double outflow(foehn_fire *fire)
{
    const foehn_grid *g = &fire->g;
    const int n[3] = {g->nx, g->ny, g->nz};
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        float *v = testing_alloc(foehn_grid_elements(g) * sizeof *v);
        OK(foehn_buffer_read(context, fire->velocity[0][a], 0, foehn_grid_elements(g) * sizeof *v,
                             v));
        for (int k = 0; k < (a == 2 ? 1 : n[2]); k++)
            for (int j = 0; j < (a == 1 ? 1 : n[1]); j++)
                for (int i = 0; i < (a == 0 ? 1 : n[0]); i++) {
                    int far[3] = {i, j, k};
                    far[a] = n[a];
                    sum += 0.01 * ((double)v[foehn_grid_at(g, far[0], far[1], far[2])] -
                                   (double)v[foehn_grid_at(g, i, j, k)]);
                }
        free(v);
    }
    return sum;
}

/* What the last projection was to make room for, m3/s. */
static double expansion(foehn_fire *fire)
{
    foehn_fire_field_info info;
    float *s = read_field(fire, FOEHN_FIRE_EXPANSION, &info);
    double sum = 0;
    for (size_t c = 0; c < info.floats; c++)
        sum += 1e-3 * (double)s[c];
    free(s);
    return sum;
}

/* Mean velocity along x of layer j. */
static double layer(foehn_fire *fire, int j)
{
    foehn_fire_field_info info;
    float *v = read_field(fire, FOEHN_FIRE_VELOCITY, &info);
    double sum = 0;
    for (int k = 0; k < info.cells[2]; k++)
        for (int i = 0; i < info.cells[0]; i++)
            sum += (double)v[3 * ((k * info.cells[1] + j) * info.cells[0] + i)];
    free(v);
    return sum / (info.cells[0] * info.cells[2]);
}

/* Where the heat is, downwind of the emitter, m. */
static double lean(foehn_fire *fire, double from)
{
    foehn_fire_field_info info;
    float *t = read_field(fire, FOEHN_FIRE_TEMPERATURE, &info);
    double sum = 0, moment = 0;
    for (size_t c = 0; c < info.floats; c++) {
        double hotter = (double)t[c] - (double)FIRE_AMBIENT;
        double x = ((double)(c % (size_t)info.cells[0]) + 0.5) * info.spacing[0] + info.origin[0];
        sum += hotter;
        moment += hotter * (x - from);
    }
    free(t);
    return moment / sum;
}

START_TEST(a_profile_of_wind_blows_through_and_stays)
{
    foehn_fire_params p = field();
    foehn_fire *fire;
    OK(foehn_fire_create(context, &p, &fire));
    blow(fire, 2);
    double before[20], most = 0;
    for (int j = 0; j < 20; j++)
        before[j] = layer(fire, j);
    ck_assert(before[19] > 1.9 && before[0] < 0.6 * before[19]);
    for (int n = 0; n < 120; n++)
        OK(foehn_fire_step(fire));
    for (int j = 0; j < 20; j++)
        most = fmax(most, fabs(layer(fire, j) - before[j]));
    testing_report("a logarithmic wind of 2 m/s after 4 s, 3 boxes long: %.3f m/s off at most\n",
                   most);
    ck_assert_double_lt(most, 0.05);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_fire_leans_with_the_wind_and_what_flows_through_balances)
{
    foehn_fire_params p = field();
    foehn_fire *fire;
    double leans[3] = {0}, worst = 0, fastest = 0;
    for (int wind = 0; wind < 3; wind++) {
        OK(foehn_fire_create(context, &p, &fire));
        blow(fire, (double[]){0, 1, 3}[wind]);
        light(fire, -0.7, 0.05, 30);
        for (int n = 0; n < 90; n++) {
            foehn_fire_measures m;
            OK(foehn_fire_step(fire));
            if (n % 15 < 14)
                continue;
            OK(foehn_fire_read_measures(fire, &m));
            worst = fmax(worst, fabs(outflow(fire) - expansion(fire)) / expansion(fire));
            fastest = fmax(fastest, m.max_speed);
            leans[wind] += lean(fire, -0.7) / 6;
        }
        foehn_fire_destroy(fire);
    }
    testing_report(
        "30 kW in 0, 1 and 3 m/s: its heat %.3f, %.3f, %.3f m downwind; outflow less S: %.1e of "
        "S at most; up to %.2f m/s\n",
        leans[0], leans[1], leans[2], worst, fastest);
    ck_assert_double_lt(fabs(leans[0]), 0.05);
    ck_assert(leans[1] > leans[0] + 0.1 && leans[2] > leans[1] + 0.1);
    ck_assert_double_lt(worst, 1e-3);
    ck_assert_double_lt(fastest, 8);
}
END_TEST

START_TEST(a_wind_that_turns_turns_the_fire)
{
    foehn_fire_params p = field();
    foehn_fire *fire;
    OK(foehn_fire_create(context, &p, &fire));
    light(fire, 0, 0.05, 30);
    blow(fire, 2);
    for (int n = 0; n < 60; n++)
        OK(foehn_fire_step(fire));
    double first = lean(fire, 0);
    for (int n = 0; n < 120; n++) { /* a second for the wind, the rest to blow through */
        blow(fire, 2 - 4 * fmin(n / 30.0, 1));
        OK(foehn_fire_step(fire));
    }
    double last = lean(fire, 0);
    testing_report("the wind turns from 2 to -2 m/s: heat %.3f, then %.3f m from the fire\n", first,
                   last);
    ck_assert(first > 0.1 && last < -0.1);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_wind_that_changes_goes_on_from_a_checkpoint_bit_for_bit)
{
    foehn_fire_params p = field();
    foehn_fire *fires[2];
    void *bytes = NULL;
    size_t size = 0;
    for (int n = 0; n < 2; n++) {
        OK(foehn_fire_create(context, &p, &fires[n]));
        light(fires[n], 0, 0.05, 30);
        blow(fires[n], 1);
    }
    for (int n = 0; n < 8; n++) {
        if (n == 4) {
            size = foehn_fire_get_checkpoint_size(fires[0]);
            bytes = testing_alloc(size);
            OK(foehn_fire_read_checkpoint(fires[0], size, bytes));
            OK(foehn_fire_write_checkpoint(fires[1], size, bytes));
        }
        for (int f = n < 4 ? 1 : 2; f-- > 0;) {
            blow(fires[f], 1 + 0.1 * n);
            OK(foehn_fire_step(fires[f]));
        }
    }
    void *other = testing_alloc(size);
    OK(foehn_fire_read_checkpoint(fires[0], size, bytes));
    OK(foehn_fire_read_checkpoint(fires[1], size, other));
    ck_assert_mem_eq(bytes, other, size);
    free(bytes);
    free(other);
    for (int n = 0; n < 2; n++)
        foehn_fire_destroy(fires[n]);
}
END_TEST

static size_t blocks_awake(foehn_fire *fire, size_t *all)
{
    size_t count = 0;
    *all = (size_t)((fire->r.nx + 7) / 8) * (size_t)((fire->r.ny + 7) / 8) *
           (size_t)((fire->r.nz + 7) / 8);
    unsigned char *awake = testing_alloc(*all);
    OK(foehn_buffer_read(context, fire->awake, 0, *all, awake));
    for (size_t n = 0; n < *all; n++)
        count += awake[n] != 0;
    free(awake);
    return count;
}

/* An emitter that wanders through a long box, switched off for a while, a collider in its smoke. */
START_TEST(blocks_that_sleep_change_no_bit)
{
    foehn_fire_params p = field();
    foehn_fire *fires[2];
    size_t size, all = 0, count, least = SIZE_MAX, most = 0;
    p.size[0] = 6.4;
    p.size[1] = p.size[2] = 2.4;
    p.pose.position[1] = 1.2;
    p.active = 1;
    for (int f = 0; f < 2; f++) {
        OK(foehn_fire_create(context, &p, &fires[f]));
        blow(fires[f], 1);
        light(fires[f], -2, 0.05, 30);
        foehn_fire_collider c = foehn_fire_collider_default();
        c.pose.position[0] = -1.4;
        c.pose.position[1] = 1.2;
        c.half[0] = c.half[1] = c.half[2] = 0.3;
        OK(foehn_fire_set_collider(fires[f], FOEHN_FIRE_BOX, 0, &c));
        fires[f]->never_asleep = f == 1;
    }
    for (int n = 0; n < 24; n++)
        for (int f = 0; f < 2; f++) {
            foehn_fire_proxy proxy;
            OK(foehn_fire_get_proxy(fires[f], 0, 0, &proxy));
            proxy.pose.position[0] = 0.05 * n;
            proxy.active = n < 8 || n > 15;
            OK(foehn_fire_set_proxy(fires[f], 0, 0, &proxy));
            OK(foehn_fire_step(fires[f]));
            if (f == 0 && n % 4 == 3) {
                count = blocks_awake(fires[f], &all);
                least = count < least ? count : least;
                most = count > most ? count : most;
            }
        }
    size = foehn_fire_get_checkpoint_size(fires[0]);
    void *bytes[2] = {testing_alloc(size), testing_alloc(size)};
    foehn_fire_measures m;
    for (int f = 0; f < 2; f++) {
        OK(foehn_fire_read_measures(fires[f], &m));
        for (int n = 0; n < FOEHN_FIRE_FIELDS; n++) {
            foehn_fire_field_info info;
            float *values = read_field(fires[f], (foehn_fire_field)n, &info);
            size_t sum = foehn_hash(FOEHN_HASH_BASIS, info.floats * sizeof *values, values);
            memcpy((char *)bytes[f] + (size_t)n * sizeof sum, &sum, sizeof sum);
            free(values);
        }
    }
    double lost = m.fuel_emitted - m.fuel_burnt - m.fuel_carried - m.fuel_there;
    testing_report("%zu to %zu of %zu blocks awake; %.1e of the fuel became clean air", least, most,
                   all, lost / m.fuel_emitted);
    ck_assert_mem_eq(bytes[0], bytes[1], FOEHN_FIRE_FIELDS * sizeof(size_t));
    ck_assert(most < all * 3 / 4 && least > 0);
    ck_assert_double_lt(fabs(lost), 1e-4 * m.fuel_emitted);
    for (int f = 0; f < 2; f++) {
        foehn_fire_destroy(fires[f]);
        free(bytes[f]);
    }
}
END_TEST

/* A slope of 1 in 4 through the box's floor, as a closed mesh. */
static void lay_slope(foehn_fire *fire)
{
    const float low = -1, across = 1.2f;
    const float vertices[8][3] = {
        {-1.6f, low, -across}, {-1.6f, 0.1f, -across}, {1.6f, low, -across}, {1.6f, 0.9f, -across},
        {-1.6f, low, across},  {-1.6f, 0.1f, across},  {1.6f, low, across},  {1.6f, 0.9f, across}};
    const uint32_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                       {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                       {1, 5, 7}, {1, 7, 3}, {0, 2, 6}, {0, 6, 4}};
    const foehn_fire_mesh mesh = {8, vertices, 12, triangles, 0.05};
    OK(foehn_fire_set_mesh(fire, 0, &mesh));
    foehn_fire_collider c = foehn_fire_collider_default();
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_MESH, 0, &c));
}

START_TEST(on_a_slope_nothing_burns_in_the_ground_and_the_books_close)
{
    foehn_fire_params p = field();
    p.floor = 0;
    foehn_fire *fire;
    foehn_fire_measures m;
    foehn_fire_field_info info;
    OK(foehn_fire_create(context, &p, &fire));
    lay_slope(fire);
    light(fire, 0, 0.55, 1);
    for (int n = 0; n < 60; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    float *heat = read_field(fire, FOEHN_FIRE_HEAT_RELEASE, &info);
    float *distance = read_field(fire, FOEHN_FIRE_DISTANCE, &info);
    double in_ground = 0, all = 0;
    for (size_t c = 0; c < info.floats; c++) {
        all += (double)heat[c] * 1e-3;
        in_ground += distance[c] < 0 ? (double)heat[c] * 1e-3 : 0;
    }
    free(heat);
    free(distance);
    double left = (m.fuel_emitted - m.fuel_burnt - m.fuel_there) / m.fuel_emitted;
    testing_report("on a slope: %.3g kW, %.3g of it in the ground; %.1e of the fuel is missing\n",
                   all, in_ground, left);
    ck_assert_double_eq(in_ground, 0);
    ck_assert_double_lt(fabs(all - m.heat_release), 1e-3 * all);
    ck_assert_double_lt(fabs(left), 1e-4);
    foehn_fire_destroy(fire);
}
END_TEST

/* What the ground far below sends up, sun on the right at 25 degrees. */
static double seen_from_above(foehn_fire *fire, double x)
{
    static float pixels[3][3][4];
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = p.height = 3;
    p.position[0] = p.target[0] = x;
    p.position[1] = 5;
    p.position[2] = p.target[1] = p.target[2] = 0;
    p.up[0] = 1;
    p.up[1] = 0;
    p.field_of_view = 0.1;
    p.bloom_strength = 0;
    p.draw_colliders = 1;
    p.daylight = 25;
    p.sun_from[0] = 1;
    p.sun_from[1] = p.sun_from[2] = 0;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels));
    return (double)pixels[1][1][1];
}

/* A wall of 0.3 m through the box's sides: its shadow begins at the side and is 0.3 / tan 25 long, with
 * a soft end. */
START_TEST(a_wall_that_reaches_the_boxs_side_throws_its_own_shadow)
{
    enum { PLACES = 5 };
    const double beyond[PLACES] = {0.15, 0.3, 0.9, 1.5, 4};
    foehn_fire_params p = field();
    foehn_fire *fire;
    double seen[2][PLACES];
    OK(foehn_fire_create(context, &p, &fire));
    for (int walls = 0; walls < 2; walls++) {
        if (walls) {
            foehn_fire_collider c = foehn_fire_collider_default();
            c.pose.position[1] = c.half[1] = 0.15;
            c.half[0] = 1.4;
            c.half[2] = 0.4;
            OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &c));
        }
        for (int n = 0; n < PLACES; n++)
            seen[walls][n] = seen_from_above(fire, -1.2 - beyond[n]);
    }
    for (int n = 0; n < PLACES; n++) {
        double share = seen[1][n] / seen[0][n];
        testing_report("%.2f m beyond the box, of a shadow of 0.64 m: %.3f of full light\n",
                       beyond[n], share);
        ck_assert(beyond[n] < 0.64 ? share < 0.5 : share > 0.9);
    }
    foehn_fire_destroy(fire);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire_outdoors", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_profile_of_wind_blows_through_and_stays);
    tcase_add_test(tests, a_fire_leans_with_the_wind_and_what_flows_through_balances);
    tcase_add_test(tests, a_wind_that_turns_turns_the_fire);
    tcase_add_test(tests, a_wind_that_changes_goes_on_from_a_checkpoint_bit_for_bit);
    tcase_add_test(tests, blocks_that_sleep_change_no_bit);
    tcase_add_test(tests, on_a_slope_nothing_burns_in_the_ground_and_the_books_close);
    tcase_add_test(tests, a_wall_that_reaches_the_boxs_side_throws_its_own_shadow);
    return testing_end();
}
