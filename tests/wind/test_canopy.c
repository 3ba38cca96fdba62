/* SPDX-License-Identifier: MIT */
/* Trees that drag on the air of the momentum model. */
#include "wind/over.h"

#define U10 8.0f
#define HEIGHT 20.0
#define EDGE 400.0
#define LEAF_AREA 4.0
#define DRAG 0.2

/* Flat open ground in the west, and from EDGE on a forest. */
static foehn_wind *make(int nx, float leaf_area)
{
    const float h = 20;
    foehn_wind_params p = over_box(FOEHN_WIND_MOMENTUM, nx, 160, 4, h, 4);
    p.state.from = 270;
    p.state.u10 = U10;
    p.z0 = 2;
    foehn_wind *wind = over_ground(p, NULL);
    float *height = calloc((size_t)nx, sizeof *height),
          *leaves = calloc((size_t)nx, sizeof *leaves);
    for (int i = 0; i < nx; i++) {
        height[i] = (i + 0.5f) * h < (float)EDGE ? 0 : (float)HEIGHT;
        leaves[i] = leaf_area;
    }
    foehn_canopy canopy = {.nx = nx,
                           .nz = 1,
                           .origin = {0.5 * (double)h, 0},
                           .spacing = {(double)h, 1},
                           .height = height,
                           .leaf_area = leaves,
                           .drag = (float)DRAG};
    OK(foehn_wind_set_canopy(wind, &canopy));
    free(height);
    free(leaves);
    return wind;
}

/* u* of the stress at a height, as eddy covariance finds it. */
static double friction_at(foehn_wind *wind, double x, double z)
{
    foehn_wind_info info;
    float out[2];
    foehn_wind_get_info(wind, &info);
    const double at[3] = {info.origin[0] + x, z, info.origin[2] + 0.5 * info.extent[2]};
    OK(foehn_wind_read_turbulence(wind, 1, at, out));
    return sqrt((double)out[1] * (over_speed_at(wind, x, z + 1) - over_speed_at(wind, x, z - 1)) /
                2);
}

/* Displacement and roughness of the log law with that u* through the wind at two heights. */
static void fit_log_law(const double z[2], const double u[2], double friction, double *d,
                        double *z0)
{
    const double ratio = exp(0.4 * (u[1] - u[0]) / friction);
    *d = (ratio * z[0] - z[1]) / (ratio - 1);
    *z0 = (z[0] - *d) * exp(-0.4 * u[0] / friction);
}

/* What leaves take of the wind below each other, m2/s2, and the height at which they do on average:
 * the displacement (Jackson 1981).  Leaf area by Lalic and Mihailovic (2004), densest at 0.7 of the
 * height. */
static double drag_of_leaves(foehn_wind *wind, double x, double *centre)
{
    enum { STEPS = 200 };
    double shape = 0, drag = 0, moment = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < STEPS; i++) {
            double share = (i + 0.5) / STEPS, r = 0.3 / (1 - share), n = share < 0.7 ? 6 : 0.5;
            double leaves = pow(r, n) * exp(n * (1 - r));
            shape += pass == 0 ? leaves / STEPS : 0;
            if (pass == 0)
                continue;
            double u = over_speed_at(wind, x, share * HEIGHT),
                   part = DRAG * LEAF_AREA * leaves / shape * u * u / STEPS;
            drag += part;
            moment += part * share * HEIGHT;
        }
    *centre = moment / drag;
    return drag;
}

/* Over and in uniform vegetation from wheat to forests u* / u_h is 0.25 to 0.4 and z0 0.05 to 0.15
 * of the height (Raupach, Finnigan and Brunet 1996), d by Jackson's definition and by the log law
 * 0.6 to 0.85; the wind in it decays like exp(-a (1 - z/h)) with a from 2 to 4 in forests (Cionco
 * 1978).  The wind comes in over ground of a tenth of the height, so that little is left to settle.
 */
START_TEST(a_forest_has_the_profile_of_forests)
{
    const double far = EDGE + 60 * HEIGHT;
    foehn_wind *wind = make(testing_is_tiny() ? 32 : 96, (float)LEAF_AREA);
    for (int n = 0; n < (testing_is_tiny() ? 2 : 500); n++)
        OK(foehn_wind_step(wind, 1000));
    if (testing_is_tiny()) {
        foehn_wind_destroy(wind);
        return;
    }
    const double z[2] = {1.5 * HEIGHT, 3.5 * HEIGHT};
    double u[2], fitted, z0, top = over_speed_at(wind, far, HEIGHT),
                             half = over_speed_at(wind, far, 0.5 * HEIGHT), d;
    for (int i = 0; i < 2; i++)
        u[i] = over_speed_at(wind, far, z[i]);
    const double friction = friction_at(wind, far, z[0]);
    fit_log_law(z, u, friction, &fitted, &z0);
    double attenuation = -2 * log(half / top), drag = drag_of_leaves(wind, far, &d);
    testing_report("60 heights into a forest: u* / u_h %.3f, half way down exp(-a / 2) with a = "
                   "%.2f, z0 / h %.3f, d / h %.2f "
                   "by the leaves' drag and %.2f by the log law above; that drag is %.2f u*^2",
                   friction / top, attenuation, z0 / HEIGHT, d / HEIGHT, fitted / HEIGHT,
                   drag / (friction * friction));
    ck_assert(attenuation > 2 && attenuation < 4);
    ck_assert(friction / top > 0.25 && friction / top < 0.4);
    ck_assert(d > 0.6 * HEIGHT && d < 0.85 * HEIGHT);
    ck_assert(fitted > 0.6 * HEIGHT && fitted < 0.85 * HEIGHT);
    ck_assert(z0 > 0.05 * HEIGHT && z0 < 0.15 * HEIGHT);
    NEAR(drag / (friction * friction), 1, 0.05);
    /* Before it the wind is that which comes in. */
    double in = (double)U10 * log((30 + 2) / 2.0) / log((10 + 2) / 2.0);
    NEAR(over_speed_at(wind, 30, 30) / in, 1, 0.05);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(trees_without_leaves_are_none)
{
    foehn_wind *bare = make(32, 0), *open = make(32, (float)LEAF_AREA);
    OK(foehn_wind_set_canopy(open, NULL));
    for (int n = 0; n < 5; n++) {
        OK(foehn_wind_step(bare, 1000));
        OK(foehn_wind_step(open, 1000));
    }
    for (int n = 0; n < 5; n++)
        NEAR(over_speed_at(bare, 100.0 * n + 50, 12), over_speed_at(open, 100.0 * n + 50, 12),
             1e-6);
    foehn_wind_destroy(bare);
    foehn_wind_destroy(open);
}
END_TEST

START_TEST(a_canopy_that_is_none_is_refused)
{
    float height = 20, leaves = 3;
    foehn_canopy canopy = {
        .nx = 1, .nz = 1, .spacing = {1, 1}, .height = &height, .leaf_area = &leaves, .drag = 0.2f};
    foehn_wind_params p = foehn_wind_params_default();
    foehn_wind *wind;
    p.nx = p.ny = p.nz = 8;
    OK(foehn_wind_create(context, &p, &wind));
    FAILS(FOEHN_ERROR_ARGUMENT, "needs the momentum model", foehn_wind_set_canopy(wind, &canopy));
    foehn_wind_destroy(wind);
    p.model = FOEHN_WIND_MOMENTUM;
    OK(foehn_wind_create(context, &p, &wind));
    canopy.drag = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "drag coefficient of 0", foehn_wind_set_canopy(wind, &canopy));
    canopy.drag = 0.2f;
    height = 151;
    FAILS(FOEHN_ERROR_ARGUMENT, "151 m", foehn_wind_set_canopy(wind, &canopy));
    height = 20;
    leaves = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "leaf area of nan", foehn_wind_set_canopy(wind, &canopy));
    canopy.nx = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "0 x 1 samples", foehn_wind_set_canopy(wind, &canopy));
    foehn_wind_destroy(wind);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("canopy", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_forest_has_the_profile_of_forests);
    tcase_add_test(tests, trees_without_leaves_are_none);
    tcase_add_test(tests, a_canopy_that_is_none_is_refused);
    return testing_end();
}
