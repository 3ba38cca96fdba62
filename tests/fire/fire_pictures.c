/* SPDX-License-Identifier: MIT */
/* Pictures. */
#include "fire/fires.h"

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
    foehn_fire_params p = fires_lively(16);
    foehn_fire *fire = fires_create(&p);
    foehn_fire_picture picture = small_picture(&p);
    float(*back)[4] = malloc(WIDTH * HEIGHT * sizeof *back), *depth = malloc(WIDTH * HEIGHT * 4);
    uint8_t *bytes = malloc(WIDTH * HEIGHT * 4);
    uint16_t *words = malloc(WIDTH * HEIGHT * 8);
    float *light_only = malloc(WIDTH * HEIGHT * 16), *over = malloc(WIDTH * HEIGHT * 16);
    fires_light(fire, 0.3, 0.5, 13);
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
    foehn_fire_params p = fires_lively(16);
    foehn_fire *fire = fires_create(&p);
    foehn_fire_picture picture = small_picture(&p);
    foehn_fire_collider c = foehn_fire_collider_default();
    double sum[6][3], drawn[3], other[3];
    fires_light(fire, 0.3, 0.4, 13);
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
    foehn_fire_params p = fires_lively(12);
    foehn_fire *fire = fires_create(&p);
    foehn_fire_picture picture = small_picture(&p);
    foehn_fire_proxy proxy;
    double sum[3];
    fires_light(fire, 0.3, 0.5, 22);
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

void add_fire_pictures_tests(TCase *tests)
{
    tcase_add_test(tests, the_picture_shows_fire_over_what_lies_behind);
    tcase_add_test(tests, every_view_shows_its_own);
    tcase_add_test(tests, tinted_smoke_burns_in_the_special_colour);
}
