/* SPDX-License-Identifier: MIT */
/* Air that is not neutral: the profile of Businger and Dyer stays in the momentum model with k and
 * a length, and the mass-consistent model begins with it. */
#include "testing.h"

#include <foehn/profile.h>

#define U10 8.0f
#define Z0 0.05f

/* psi_m in double, as Paulson (1970) has it. */
static double psi(double zeta)
{
    if (zeta >= 0)
        return zeta < 1 ? -5 * zeta : -5 - 5 * log(zeta);
    double x = pow(1 - 16 * zeta, 0.25);
    return 2 * log((1 + x) / 2) + log((1 + x * x) / 2) - 2 * atan(x) + M_PI / 2;
}

static double over_friction(double y, double l)
{
    return (log(y / (double)Z0) - psi(y / l) + psi((double)Z0 / l)) / 0.4;
}

static foehn_wind *make(foehn_wind_model model, float l)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = 24;
    p.ny = 16;
    p.nz = 12;
    p.spacing_horizontal = 40;
    p.spacing_vertical = 8;
    p.center[0] = p.center[2] = 0;
    p.model = model;
    p.closure = FOEHN_WIND_K_LENGTH;
    p.state.from = 250;
    p.state.u10 = U10;
    p.z0 = Z0;
    p.obukhov = l;
    foehn_wind *wind;
    OK(foehn_wind_create(context, &p, &wind));
    return wind;
}

static double speed_at(foehn_wind *wind, double x, double height)
{
    const double at[3] = {x, height, 0};
    float out[4];
    OK(foehn_wind_read_points(wind, 0, 1, at, out));
    return hypot((double)out[0], (double)out[2]);
}

START_TEST(the_profile_stays_in_stable_and_in_unstable_air)
{
    const float lengths[] = {200, 60, -100, -20};
    for (int n = 0; n < 4; n++) {
        double l = (double)lengths[n], worst = 0;
        foehn_wind *wind = make(FOEHN_WIND_MOMENTUM, lengths[n]);
        for (int s = 0; s < (testing_is_tiny() ? 2 : 80); s++)
            OK(foehn_wind_step(wind, 1000));
        for (int j = 0; j < 14; j++) { /* at the middles of cells */
            double d = 8 * (j + 0.5), wanted = (double)U10 * over_friction(d + (double)Z0, l) /
                                               over_friction(10 + (double)Z0, l);
            for (double x = -400; x <= 400; x += 200)
                worst = fmax(worst, fabs(speed_at(wind, x, d) / wanted - 1));
        }
        testing_report("L = %g m: the wind departs by at most %.4f %% from the profile", l,
                       100 * worst);
        ck_assert(worst < 0.01);
        foehn_wind_destroy(wind);
    }
}
END_TEST

START_TEST(a_mass_consistent_wind_has_it)
{
    const float lengths[] = {150, -50};
    for (int n = 0; n < 2; n++) {
        foehn_wind *wind = make(FOEHN_WIND_FORCING, lengths[n]);
        foehn_wind_solution solution;
        OK(foehn_wind_solve(wind, 1e-4, 100, &solution));
        for (int j = 0; j < 14; j++) {
            float d = 8 * (j + 0.5f), per_l = 1 / lengths[n];
            NEAR(speed_at(wind, 0, (double)d), (double)(U10 * foehn_stable_profile(d, Z0, per_l)),
                 0.01);
            NEAR(foehn_minus_psi(d * per_l), -psi((double)(d * per_l)), 2e-5);
        }
        foehn_wind_destroy(wind);
    }
}
END_TEST

START_TEST(lengths_that_are_none_are_refused)
{
    foehn_wind_params p = foehn_wind_params_default();
    foehn_wind *wind;
    p.obukhov = 3;
    FAILS(FOEHN_ERROR_ARGUMENT, "Monin-Obukhov length 3 m", foehn_wind_create(context, &p, &wind));
    p.obukhov = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "Monin-Obukhov length nan m",
          foehn_wind_create(context, &p, &wind));
    p.obukhov = 100;
    p.model = FOEHN_WIND_MOMENTUM;
    FAILS(FOEHN_ERROR_ARGUMENT, "k and a length", foehn_wind_create(context, &p, &wind));
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("stability", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_profile_stays_in_stable_and_in_unstable_air);
    tcase_add_test(tests, a_mass_consistent_wind_has_it);
    tcase_add_test(tests, lengths_that_are_none_are_refused);
    return testing_end();
}
