/* SPDX-License-Identifier: MIT */
/* The light of a fire that burns: blackbodies, slabs of soot, shadow, against closed forms. */
#include "testing.h"

#include "fire/state.h"

enum { N = 16 };
#define VOXEL 0.1

/* A cube of 16^3 voxels of 0.1 m; soot that scatters a share. */
static foehn_fire *cube(float albedo)
{
    foehn_fire_params p;
    foehn_fire *fire;
    foehn_fire_params_burn(&p);
    for (int a = 0; a < 3; a++) {
        p.size[a] = N * VOXEL;
        p.pose.position[a] = 0;
    }
    p.render_voxel = p.physics_voxel = VOXEL;
    p.floor = 0;
    p.fuel.albedo = albedo;
    p.fuel.blue = 0;
    OK(foehn_fire_create(context, &p, &fire));
    return fire;
}

/* Soot that stops `stops` a metre and its temperature, in layers from z0 to z1 across the view. */
typedef struct layer {
    int z0, z1;
    double stops, kelvin;
} layer;

static void fill(foehn_fire *fire, size_t count, const layer *layers)
{
    enum { CELLS = N * N * N };
    static float soot[CELLS], kelvin[CELLS];
    for (int c = 0; c < CELLS; c++) {
        soot[c] = 0;
        kelvin[c] = 293.15f;
        for (size_t n = 0; n < count; n++)
            if (c / (N * N) >= layers[n].z0 && c / (N * N) < layers[n].z1) {
                kelvin[c] = (float)layers[n].kelvin;
                soot[c] = (float)(layers[n].stops * layers[n].kelvin / (8700 * 353.0));
            }
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_SOOT, soot));
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, kelvin));
}

/* The middle of a picture looking along -z, from far away: radiance, kcd/m2. */
static void middle_of(foehn_fire *fire, float detail, float out[4])
{
    static float pixels[9][9][4];
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = p.height = 9;
    p.position[0] = p.position[1] = 0;
    p.position[2] = 100;
    p.target[0] = p.target[1] = p.target[2] = 0;
    p.field_of_view = 0.3;
    p.bloom_strength = 0;
    p.detail = detail;
    p.sky[0] = p.sky[1] = p.sky[2] = 0;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels));
    for (int k = 0; k < 4; k++) /* at 0 stops 20 kcd/m2 are 1 */
        out[k] = pixels[4][4][k] * (k < 3 ? 20 : 1);
}

/* Radiance that comes from a direction out of doors, kcd/m2; y is up. */
static void come_from(foehn_fire *fire, float daylight, const double from[3], float out[4])
{
    static float pixels[3][3][4];
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = p.height = 3;
    for (int k = 0; k < 3; k++) {
        p.position[k] = k == 1 ? 2 : 0;
        p.target[k] = p.position[k] + from[k];
        p.up[k] = k == 2 ? 1 : 0;
    }
    p.field_of_view = 0.1;
    p.bloom_strength = 0;
    p.samples = 1;
    p.daylight = daylight;
    p.draw_colliders = 1;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels));
    for (int k = 0; k < 4; k++)
        out[k] = pixels[1][1][k] * (k < 3 ? 20 : 1);
}

static double luminance(const float c[4])
{
    return 0.2126 * (double)c[0] + 0.7152 * (double)c[1] + 0.0722 * (double)c[2];
}

/* What the ground gets from the sky, klx: midpoints of equal shares of the projected hemisphere. */
static double skylight(foehn_fire *fire, float daylight)
{
    enum { DOWN = 10, ROUND = 12 };
    double sum = 0;
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ROUND; j++) {
            double aside = sqrt((i + 0.5) / DOWN), turn = (j + 0.5) * 2 * 3.14159265 / ROUND;
            const double from[3] = {aside * cos(turn), sqrt(1 - aside * aside), aside * sin(turn)};
            float seen[4];
            come_from(fire, daylight, from, seen);
            sum += luminance(seen) * 3.14159265 / (DOWN * ROUND);
        }
    return sum;
}

START_TEST(the_sky_out_of_doors_gives_the_ground_what_clear_skies_give)
{
    foehn_fire *fire = cube(0);
    const double high[3] = {0, 1, 0}, level[3] = {0.6, 0.02, -0.8}, down[3] = {0.6, -0.5, -0.6};
    const double sun[3] = {0.872, 0.0872, 0.436}, other[3] = {-0.872, 0.0872, -0.436};
    float overhead[4], horizon[4], ground[4], near[4], far[4];
    const float heights[4] = {60, 30, 5, 0};
    for (int n = 0; n < 4; n++) {
        double known = 0.8 + 15.5 * sqrt(sin((double)heights[n] * 3.14159265 / 180));
        double found = skylight(fire, heights[n]);
        testing_report("sun at %g degrees: the sky gives %.2f klx of %.2f", (double)heights[n],
                       found, known);
        NEAR(found / known, 1, 0.03);
    }
    NEAR(skylight(fire, -6) / 3.4e-3, 1, 0.03);
    come_from(fire, 30, high, overhead);
    come_from(fire, 30, level, horizon);
    come_from(fire, 30, down, ground);
    NEAR((double)(overhead[3] + horizon[3] + ground[3]), 3, 1e-6);
    ck_assert_double_gt(luminance(horizon), 3 * luminance(overhead));
    ck_assert_float_gt(overhead[2], 2 * overhead[0]); /* blue */
    /* Sun and sky on soil: 0.17 of 85 klx, more or less by its grain. */
    testing_report("the ground has %.2f kcd/m2", luminance(ground));
    ck_assert(luminance(ground) > 2 && luminance(ground) < 8);
    come_from(fire, -4, sun, near); /* dusk is orange where the sun went down */
    come_from(fire, -4, other, far);
    ck_assert_float_gt(near[0], 2 * near[2]);
    ck_assert_float_gt(far[2], far[0]);
    foehn_fire_picture p = foehn_fire_picture_default();
    p.daylight = 91;
    FAILS(FOEHN_ERROR_ARGUMENT, "daylight",
          foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, overhead));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(land_lies_where_its_heights_are)
{
    enum { NX = 9, NZ = 6, SIZE = 7 };
    foehn_fire *fire = cube(0);
    static float heights[NZ][NX], seen[SIZE][SIZE][4];
    for (int k = 0; k < NZ; k++) /* a plane: y = 0.25 x - 0.5 z - 4 */
        for (int i = 0; i < NX; i++)
            heights[k][i] = 0.25f * (float)(50 * i - 200) - 0.5f * (float)(80 * k - 200) - 4;
    foehn_fire_land land = {NX, NZ, {-200, -200}, {50, 80}, &heights[0][0]};
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = p.height = SIZE;
    p.position[0] = 3;
    p.position[1] = 30;
    p.position[2] = -10;
    p.target[0] = 40;
    p.target[1] = -10;
    p.target[2] = 30;
    p.field_of_view = 40;
    p.daylight = 30;
    p.draw_colliders = 1;
    p.land = &land;
    OK(foehn_fire_read_motion(fire, &p, &seen[0][0][0]));
    double ahead[3] = {37, -40, 40}, length = sqrt(37 * 37 + 40 * 40 + 40 * 40);
    double fall = 0.25 * ahead[0] - 0.5 * ahead[2] - ahead[1]; /* of the height above the plane */
    double above = 30 - (0.25 * 3 + 0.5 * 10 - 4), known = above / (fall / length);
    testing_report("land %.3f m ahead is drawn at %.3f m", known, (double)seen[3][3][0]);
    NEAR((double)seen[3][3][0] / known, 1, 1e-3);
    ck_assert_float_gt(seen[0][3][0], seen[6][3][0]); /* it is farther higher up in the picture */
    const double place[3] = {500000.25, 0, -6300000.75}; /* as eastings and northings are */
    const float near = seen[3][3][0];
    OK(foehn_fire_set_center(fire, place));
    for (int a = 0; a < 3; a++) {
        p.position[a] += place[a];
        p.target[a] += place[a];
    }
    land.from[0] += place[0];
    land.from[1] += place[2];
    OK(foehn_fire_read_motion(fire, &p, &seen[0][0][0]));
    testing_report("6300 km from the origin it is drawn %.4f m off",
                   (double)fabsf(seen[3][3][0] - near));
    NEAR((double)(seen[3][3][0] / near), 1, 1e-4);
    p.target[1] = 60; /* to the sky */
    OK(foehn_fire_read_motion(fire, &p, &seen[0][0][0]));
    ck_assert(isinf(seen[3][3][0]));
    land.nx = 1;
    FAILS(FOEHN_ERROR_ARGUMENT, "land of 1 x 6", foehn_fire_read_motion(fire, &p, &seen[0][0][0]));
    foehn_fire_destroy(fire);
}
END_TEST

/* Wyman, Sloan and Shirley 2013: the observer by Gaussians of two widths. */
static double lobe(double nm, double middle, double below, double above)
{
    double t = (nm - middle) / (nm < middle ? below : above);
    return exp(-0.5 * t * t);
}

START_TEST(blackbodies_have_the_light_of_platinum_and_of_the_observer)
{
    double worst = 0;
    for (double kelvin = 1500; kelvin <= 3000;
         kelvin += 100) { /* below the tail in red counts, where fits end */
        double y = 0, rgb[3], h = 6.62607015e-34, c = 299792458, k = 1.380649e-23;
        for (double nm = 380; nm < 780; nm += 1) {
            double l = (nm + 0.5) * 1e-9;
            double b = 2 * h * c * c / pow(l, 5) / (exp(h * c / (l * k * kelvin)) - 1);
            y += 683e-3 * 1e-9 * b *
                 (0.821 * lobe(nm + 0.5, 568.8, 46.9, 40.5) +
                  0.286 * lobe(nm + 0.5, 530.9, 16.3, 31.1));
        }
        foehn_blackbody(kelvin, rgb);
        /* Blue below 0 is cut off: it would darken by little. */
        double own = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
        worst = fmax(worst, fabs(own / y - 1));
    }
    testing_report("luminance of blackbodies, 1500 to 3000 K: %.2f %% apart from the fits at most",
                   100 * worst);
    ck_assert_double_lt(worst, 0.02);
    double rgb[3];
    /* The candela until 1979: a blackbody at the freezing point of platinum has 60 cd/cm2. */
    foehn_blackbody(2041.4, rgb);
    double platinum = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
    testing_report("a blackbody at 2041.4 K: %.1f kcd/m2", platinum);
    NEAR(platinum / 600, 1, 0.01);
    /* Green over red from the places of 1500, 2000 and 3000 K on the Planckian locus (CIE 15). */
    const double locus[3][2] = {{0.5857, 0.3931}, {0.5267, 0.4133}, {0.4369, 0.4041}};
    for (int n = 0; n < 3; n++) {
        double x = locus[n][0] / locus[n][1], z = (1 - locus[n][0] - locus[n][1]) / locus[n][1];
        double red = 3.2404542 * x - 1.5371385 - 0.4985314 * z,
               green = -0.9692660 * x + 1.8760108 + 0.0415560 * z;
        foehn_blackbody(n == 0 ? 1500 : 1000 * (n + 1), rgb);
        NEAR(rgb[1] / rgb[0] / (green / red), 1, 0.01);
    }
}
END_TEST

START_TEST(a_glowing_slab_has_the_radiance_of_its_depth)
{
    foehn_fire *fire = cube(0);
    const double kelvins[] = {850, 1003, 1500, 2111, 2290}, depths[] = {0.1, 1, 4};
    double worst = 0, worst_alpha = 0;
    for (int n = 0; n < 15; n++) {
        double kelvin = kelvins[n % 5], depth = depths[n / 5], rgb[3];
        const layer slab = {0, N, depth / (N * VOXEL), kelvin};
        float seen[4];
        fill(fire, 1, &slab);
        middle_of(fire, 1, seen);
        foehn_blackbody(kelvin, rgb);
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs((double)seen[k] / (rgb[k] * (1 - exp(-depth))) - 1));
        worst_alpha = fmax(worst_alpha, fabs((double)seen[3] - (1 - exp(-depth))));
    }
    testing_report("slabs: radiance %.3f %% off at most, alpha %.4f", 100 * worst, worst_alpha);
    ck_assert_double_lt(worst, 0.01);
    ck_assert_double_lt(worst_alpha, 0.01);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(smoke_before_a_fire_dims_it_by_its_depth)
{
    foehn_fire *fire = cube(0);
    float free[4], dimmed[4], fine[4];
    for (double depth = 0.2; depth < 3; depth *= 2) {
        const layer both[2] = {{1, 5, 2, 1600}, {8, 14, depth / (6 * VOXEL), 293.15}};
        fill(fire, 1, both);
        middle_of(fire, 1, free);
        fill(fire, 2, both);
        middle_of(fire, 1, dimmed);
        middle_of(fire, 2, fine);
        for (int k = 0; k < 2; k++) {
            NEAR((double)dimmed[k] / (double)free[k] / exp(-depth), 1, 0.01);
            NEAR(fine[k] / dimmed[k], 1, 0.02); /* twice the samples */
        }
    }
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_shadow_volume_has_the_depth_towards_the_sun)
{
    foehn_fire *fire = cube(0.9f);
    const layer slab = {0, N, 3, 293.15};
    static float pixels[4][4][4], light[N / 2 * N / 2 * N / 2][4];
    foehn_fire_picture p = foehn_fire_picture_default();
    double worst = 0;
    p.width = p.height = 4;
    p.samples = 1;
    p.sun[0] = p.sun[1] = p.sun[2] = 50;
    p.sun_from[0] = 1;
    p.sun_from[1] = p.sun_from[2] = 0;
    fill(fire, 1, &slab);
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels));
    OK(foehn_buffer_read(context, fire->light.volume, 0, sizeof light, light));
    for (int i = 0; i < N / 2; i++) {
        double depth = 3 * (N - (2 * i + 1)) * VOXEL;
        double expected =
            (exp(-depth) + exp(-depth / 2) / 2 + exp(-depth / 4) / 4 + exp(-depth / 8) / 8) /
            (4 * 3.14159265358979);
        double seen = (double)light[i + N / 2 * (3 + N / 2 * 4)][3];
        worst = fmax(worst, fabs(seen - expected) * 4 * 3.14159265358979);
    }
    testing_report("shadow volume: %.3f off at most, of 1.875 in full sun", worst);
    ck_assert_double_lt(worst, 0.03);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(pictures_are_the_same_twice_and_wrong_ones_are_refused)
{
    foehn_fire *fire = cube(0.5f);
    const layer slab = {3, 9, 4, 1400};
    static unsigned char pixels[2][24 * 16 * 4];
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = 24;
    p.height = 16;
    p.sun[0] = 10;
    p.shutter = 0.02f;
    fill(fire, 1, &slab);
    for (int n = 0; n < 2; n++)
        OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[n]));
    ck_assert_mem_eq(pixels[0], pixels[1], sizeof pixels[0]);
    for (int curve = 0; curve <= FOEHN_FIRE_CURVE_NONE; curve++) {
        p.curve = (foehn_fire_curve)curve;
        OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[0]));
    }
    p.look = FOEHN_FIRE_LOOK_PRESET;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[0]));
    p.samples = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "samples",
          foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[0]));
    p.samples = 1;
    p.sun_from[0] = p.sun_from[1] = p.sun_from[2] = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "sun_from",
          foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[0]));
    p = foehn_fire_picture_default();
    p.ground[1] = 2;
    FAILS(FOEHN_ERROR_ARGUMENT, "ground",
          foehn_fire_read_picture(fire, &p, FOEHN_FIRE_BYTES, pixels[0]));
    foehn_fire_destroy(fire);
}
END_TEST

/* A glowing slab 99.95 m away that moves 1 m/s to the right and 2 m/s upwards. */
START_TEST(a_slab_is_where_it_is_and_moves_as_it_does)
{
    static float pixels[9][9][4], velocity[N * N * N][3];
    const layer slab = {8, 9, 2, 1500};
    foehn_fire *fire = cube(0.2f);
    foehn_fire_picture p = foehn_fire_picture_default();
    for (int c = 0; c < N * N * N; c++) {
        velocity[c][0] = 1;
        velocity[c][1] = 2;
    }
    fill(fire, 1, &slab);
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, &velocity[0][0]));
    p.width = p.height = 9;
    p.position[0] = p.position[1] = 0;
    p.position[2] = 100;
    p.target[0] = p.target[1] = p.target[2] = 0;
    p.field_of_view = 0.3;
    p.detail = 4;
    OK(foehn_fire_read_motion(fire, &p, &pixels[0][0][0]));
    double metre = 4.5 / (100 * tan(0.15 * 3.14159265358979 / 180)); /* pixels */
    NEAR((double)pixels[4][4][0], 99.95, 0.05);
    NEAR((double)pixels[4][4][1] / metre, 1, 0.01);
    NEAR((double)pixels[4][4][2] / metre, -2, 0.02);
    NEAR((double)pixels[4][4][3], 1 - exp(-0.2), 0.005);
    p.position[0] = p.target[0] = 50; /* past the box */
    OK(foehn_fire_read_motion(fire, &p, &pixels[0][0][0]));
    ck_assert(isinf(pixels[4][4][0]) && pixels[4][4][1] == 0 && pixels[4][4][3] == 0);
    foehn_fire_destroy(fire);
    foehn_fire_params preset = foehn_fire_params_default();
    preset.render_voxel = preset.physics_voxel = 0.5;
    OK(foehn_fire_create(context, &preset, &fire));
    FAILS(FOEHN_ERROR_ARGUMENT, "burn", foehn_fire_read_motion(fire, &p, &pixels[0][0][0]));
    foehn_fire_destroy(fire);
}
END_TEST

/* Smoke that only scatters sends nothing of its own; what glows is the same with and without the
 * sun. */
START_TEST(emission_is_what_no_sun_and_no_sky_make)
{
    static float pixels[2][9][9][4];
    const layer slab = {6, 10, 3, 1400};
    foehn_fire *fire = cube(0.5f);
    foehn_fire_picture p = foehn_fire_picture_default();
    p.width = p.height = 9;
    p.position[2] = 100;
    p.position[0] = p.position[1] = p.target[0] = p.target[1] = p.target[2] = 0;
    p.field_of_view = 0.3;
    p.bloom_strength = 0;
    fill(fire, 1, &slab);
    p.look = FOEHN_FIRE_LOOK_EMISSION;
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 3; k++)
            p.sun[k] = n ? 80.0f : 0;
        OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels[n]));
    }
    ck_assert_mem_eq(pixels[0], pixels[1], sizeof pixels[0]);
    ck_assert_float_gt(pixels[0][4][4][0], 0);
    p.look = FOEHN_FIRE_LOOK_LIGHT;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels[1]));
    ck_assert_float_gt(pixels[1][4][4][0], pixels[0][4][4][0]);
    foehn_fire_destroy(fire);
}
END_TEST

/* Flames are a voxel thick: every other voxel glows.  The picture of it has no stripes. */
START_TEST(voxels_that_glow_in_turns_show_no_stripes)
{
    enum { WIDE = 33 };
    static float soot[N * N * N], kelvin[N * N * N], pixels[9][WIDE][4];
    foehn_fire *fire = cube(0);
    foehn_fire_picture p = foehn_fire_picture_default();
    float least = INFINITY, most = 0;
    for (int c = 0; c < N * N * N; c++) {
        kelvin[c] = c % 2 ? 1900 : 293.15f;
        soot[c] = (float)(0.5 * (double)kelvin[c] / (8700 * 353.0));
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_SOOT, soot));
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, kelvin));
    p.width = WIDE;
    p.height = 9;
    p.position[0] = p.position[1] = 0;
    p.position[2] = 100;
    p.target[0] = p.target[1] = p.target[2] = 0;
    p.field_of_view = 0.12; /* 7.7 voxels from left to right */
    p.bloom_strength = 0;
    OK(foehn_fire_read_picture(fire, &p, FOEHN_FIRE_FLOATS, pixels));
    for (int i = 0; i < WIDE; i++) {
        least = fminf(least, pixels[4][i][0]);
        most = fmaxf(most, pixels[4][i][0]);
    }
    testing_report("voxels of 1900 and 293 K in turns: the darkest place has %.3f of the brightest",
                   (double)(least / most));
    ck_assert_float_gt(least, 0.9f * most);
    foehn_fire_destroy(fire);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire_light", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, blackbodies_have_the_light_of_platinum_and_of_the_observer);
    tcase_add_test(tests, a_glowing_slab_has_the_radiance_of_its_depth);
    tcase_add_test(tests, the_sky_out_of_doors_gives_the_ground_what_clear_skies_give);
    tcase_add_test(tests, land_lies_where_its_heights_are);
    tcase_add_test(tests, smoke_before_a_fire_dims_it_by_its_depth);
    tcase_add_test(tests, the_shadow_volume_has_the_depth_towards_the_sun);
    tcase_add_test(tests, pictures_are_the_same_twice_and_wrong_ones_are_refused);
    tcase_add_test(tests, a_slab_is_where_it_is_and_moves_as_it_does);
    tcase_add_test(tests, voxels_that_glow_in_turns_show_no_stripes);
    tcase_add_test(tests, emission_is_what_no_sun_and_no_sky_make);
    return testing_end();
}
