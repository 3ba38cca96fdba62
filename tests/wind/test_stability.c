/* SPDX-License-Identifier: MIT */
/* Air that is not neutral: the profile of Businger and Dyer stays in the momentum model, with k and
 * eps of Monin and Obukhov or with a length, and the mass-consistent model begins with it. */
#include "testing.h"

#include <foehn/profile.h>

#define U10 8.0f
#define Z0 0.05f
#define C_MU 0.03

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

static foehn_wind *make(foehn_wind_model model, foehn_wind_closure closure, float l)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = 24;
    p.ny = 16;
    p.nz = 12;
    p.spacing_horizontal = 40;
    p.spacing_vertical = 8;
    p.center[0] = p.center[2] = 0;
    p.model = model;
    p.closure = closure;
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

/* The largest departure of u from the profile, relative, at the middles of cells. */
static double worst_of(foehn_wind *wind, double l)
{
    double worst = 0;
    for (int j = 0; j < 14; j++) {
        double d = 8 * (j + 0.5), wanted = (double)U10 * over_friction(d + (double)Z0, l) /
                                           over_friction(10 + (double)Z0, l);
        for (double x = -400; x <= 400; x += 200)
            worst = fmax(worst, fabs(speed_at(wind, x, d) / wanted - 1));
    }
    return worst;
}

START_TEST(the_profile_stays_in_stable_and_in_unstable_air)
{
    const float lengths[] = {200, 60, -100, -20};
    for (int n = 0; n < 4; n++) {
        foehn_wind *wind = make(FOEHN_WIND_MOMENTUM, FOEHN_WIND_K_LENGTH, lengths[n]);
        for (int s = 0; s < (testing_is_tiny() ? 2 : 80); s++)
            OK(foehn_wind_step(wind, 1000));
        const double worst = worst_of(wind, (double)lengths[n]);
        testing_report("L = %g m: the wind departs by at most %.4f %% from the profile",
                       (double)lengths[n], 100 * worst);
        ck_assert(worst < 0.01);
        foehn_wind_destroy(wind);
    }
}
END_TEST

/* k c0^2 / u*^2 of Monin and Obukhov: sqrt(1 - zeta / phi_m). */
static double energy(double zeta)
{
    double phi = zeta >= 0 ? 1 + 5 * fmin(zeta, 1) : pow(1 - 16 * zeta, -0.25);
    return sqrt(1 - (zeta >= 0 ? fmin(zeta, 1) : zeta) / phi);
}

/* Buoyancy takes zeta / phi_m of what shear makes. */
START_TEST(k_and_eps_stay_in_stable_and_in_unstable_air)
{
    const float lengths[] = {200, 60, -100, -20};
    for (int n = 0; n < 4; n++) {
        const double l = (double)lengths[n],
                     friction = (double)U10 / over_friction(10 + (double)Z0, l);
        double of_k = 0;
        foehn_wind *wind = make(FOEHN_WIND_MOMENTUM, FOEHN_WIND_K_EPS, lengths[n]);
        for (int s = 0; s < (testing_is_tiny() ? 2 : 80); s++)
            OK(foehn_wind_step(wind, 1000));
        const double worst = worst_of(wind, l);
        for (int j = 1; j < 14; j++) {
            const double d = 8 * (j + 0.5), at[3] = {0, d, 0};
            float out[2];
            OK(foehn_wind_read_turbulence(wind, 1, at, out));
            double wanted = friction * friction / sqrt(C_MU) * energy((d + (double)Z0) / l);
            of_k = fmax(of_k, fabs((double)out[0] / wanted - 1));
        }
        testing_report("k-eps, L = %g m: the wind departs by at most %.4f %% from the profile, k "
                       "by %.3f %%",
                       l, 100 * worst, 100 * of_k);
        ck_assert(worst < 0.01);
        ck_assert(of_k < 0.01);
        foehn_wind_destroy(wind);
    }
}
END_TEST

START_TEST(a_mass_consistent_wind_has_it)
{
    const float lengths[] = {150, -50};
    for (int n = 0; n < 2; n++) {
        foehn_wind *wind = make(FOEHN_WIND_FORCING, FOEHN_WIND_K_LENGTH, lengths[n]);
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
    p.model = FOEHN_WIND_LES;
    FAILS(FOEHN_ERROR_ARGUMENT, "air of the LES is neutral", foehn_wind_create(context, &p, &wind));
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("stability", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_profile_stays_in_stable_and_in_unstable_air);
    tcase_add_test(tests, k_and_eps_stay_in_stable_and_in_unstable_air);
    tcase_add_test(tests, a_mass_consistent_wind_has_it);
    tcase_add_test(tests, lengths_that_are_none_are_refused);
    return testing_end();
}
