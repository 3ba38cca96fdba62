/* SPDX-License-Identifier: MIT */
/* The momentum model over ground that breaks programs: 55 made-up terrains with cells of 4 to 400
 * m, spacings 1:1 to 10:1, and wind along every side, at every corner and at glancing angles.
 * Hills in the sea have cliffs and a map of roughness: water and land.
 *
 *   hard_ground            the 55 cases
 *   hard_ground NUMBER     one of them
 *
 * Each must keep finite numbers, balance its mass to 1e-5 of what flows in, and stay below ten
 * times the speed of the undisturbed wind at the lid; whether it came to rest is told. */
#include "validation/validation.h"

#include <math.h>

#define U10 8.9
#define Z0 0.03
#define SEA_Z0 0.0003

enum { NX = 32, NY = 20, NZ = 28, CASES = 55, STEPS = 400 };

/* Heights in cells, by place in the box, 0 to 1; `seed` tells cases of one kind apart. */
typedef double ground(double x, double z, unsigned seed);

static double random_at(int i, int k, unsigned seed)
{
    unsigned n = (unsigned)i * 7919u + (unsigned)k * 104729u + seed * 2654435761u;
    n = (n ^ (n >> 13)) * 2246822519u;
    n = (n ^ (n >> 15)) * 3266489917u;
    return (n ^ (n >> 16)) / 4294967296.0;
}

static int cell(double x, int n)
{
    return (int)floor(x * n);
}

static double cliff(double x, double z, unsigned seed)
{
    return x + 0.4 * z > 0.5 + 0.05 * (seed % 5) ? 7.3 : 0.2;
}

static double mesa(double x, double z, unsigned seed)
{
    return hypot(x - 0.5, z - 0.5) < 0.15 + 0.03 * (seed % 5) ? 8.6 : 0.5;
}

static double spikes(double x, double z, unsigned seed)
{
    return random_at(cell(x, NX), cell(z, NZ), seed) > 0.97 ? 9.4 : 0.3;
}

static double pits(double x, double z, unsigned seed)
{
    return random_at(cell(x, NX), cell(z, NZ), seed) > 0.95 ? 0.1 : 5.4;
}

static double water(double x, double z, unsigned seed)
{
    return 0.09 * (seed % 11) + 0 * (x + z);
}

static double noise(double x, double z, unsigned seed)
{
    return 0.1 + 7 * random_at(cell(x, NX), cell(z, NZ), seed);
}

static double ridge_at_a_side(double x, double z, unsigned seed)
{
    double across = seed % 4 < 2 ? x : z, from = seed % 2 ? across : 1 - across;
    return 0.3 + 8 * fmax(1 - from / 0.18, 0);
}

static double terraces(double x, double z, unsigned seed)
{
    return 0.35 + 1.5 * floor(5 * (seed % 2 ? x : 0.7 * x + 0.5 * z));
}

static double gorge(double x, double z, unsigned seed)
{
    return fabs(x - 0.5 + 0.2 * sin(6 * z + seed)) < 0.06 ? 0.2 : 7.5;
}

static double hills(double x, double z, unsigned seed)
{
    double sum = 1;
    for (int n = 1; n <= 4; n++)
        sum += 3.0 / n * sin(6.3 * n * (x + 0.13 * seed) + n * seed) * cos(5.1 * n * z + seed);
    return fmin(fmax(sum, 0), 12);
}

/* Like Bolund: a flat hill with an escarpment all round, on some sides gentler, in the sea. */
static double from_the_shore(double x, double z, unsigned seed)
{
    const double a = x - 0.5, b = z - 0.5, round = atan2(b, a) + seed;
    return 0.3 + 0.05 * sin(3 * round) + 0.03 * cos(7 * round) - hypot(a, 1.5 * b);
}

static double island(double x, double z, unsigned seed)
{
    const double in = from_the_shore(x, z, seed), steep = 1 + sin(atan2(z - 0.5, x - 0.5) + seed);
    return 0.2 + (in > 0 ? 7.4 * fmin(1, 0.4 * steep + 8 * in) : 0);
}

/* z0, m. */
static double island_roughness(double x, double z, unsigned seed)
{
    return from_the_shore(x, z, seed) > 0 ? 0.015 * (1 + seed % 4 * 10) : SEA_Z0;
}

static const struct {
    const char *name;
    ground *height, *roughness; /* NULL: the wind's z0 everywhere */
} kinds[] = {
    {"cliff", cliff, NULL},
    {"mesa", mesa, NULL},
    {"spikes", spikes, NULL},
    {"pits", pits, NULL},
    {"water", water, NULL},
    {"noise", noise, NULL},
    {"gorge", gorge, NULL},
    {"terraces", terraces, NULL},
    {"ridge at a side", ridge_at_a_side, NULL},
    {"hills", hills, NULL},
    {"hill in the sea", island, island_roughness},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void fill(float *values, ground *of, double scale, unsigned seed)
{
    for (int k = 0; k <= NZ; k++)
        for (int i = 0; i <= NX; i++)
            values[k * (NX + 1) + i] = (float)(scale * of((double)i / NX, (double)k / NZ, seed));
}

static void run(foehn_context *ctx, int n, int *still)
{
    static const double cells[] = {40, 4, 400, 40, 13}, ratios[] = {5, 1, 10, 2, 7};
    static const double from[] = {270, 0, 90, 180, 225, 315, 45, 135, 270.7, 359.1, 212, 93};
    const double h = cells[n % 5], hy = h / ratios[(n + n / 5) % 5],
                 wind_from = from[(n + 2 * (n / KINDS)) % 12];
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = NX;
    p.ny = NY;
    p.nz = NZ;
    p.spacing_horizontal = (float)h;
    p.spacing_vertical = (float)hy;
    p.center[0] = 0.5 * NX * h;
    p.center[2] = 0.5 * NZ * h;
    p.model = FOEHN_WIND_MOMENTUM;
    p.state.from = (float)wind_from;
    p.state.u10 = (float)U10;
    p.z0 = (float)(kinds[n % KINDS].roughness ? SEA_Z0 : Z0);
    foehn_wind *wind;
    must(foehn_wind_create(ctx, &p, &wind));
    const unsigned seed = (unsigned)(n / KINDS + n);
    float *values = allocate((NX + 1) * (NZ + 1), sizeof *values);
    const foehn_terrain map = {.nx = NX + 1, .nz = NZ + 1, .spacing = {h, h}, .heights = values};
    fill(values, kinds[n % KINDS].height, hy, seed);
    must(foehn_wind_set_terrain(wind, &map));
    if (kinds[n % KINDS].roughness) {
        fill(values, kinds[n % KINDS].roughness, 1, seed);
        must(foehn_wind_set_roughness(wind, &map));
    }
    free(values);
    foehn_wind_settle_params settle = foehn_wind_settle_params_default();
    settle.most_steps = STEPS;
    foehn_wind_settling end = {0};
    foehn_status status = foehn_wind_settle(wind, &settle, &end);
    foehn_wind_stats stats = {0};
    if (status == FOEHN_OK)
        status = foehn_wind_read_stats(wind, &stats);
    const double lid = NY * hy,
                 undisturbed = U10 * log((fmax(lid, 10) + Z0) / Z0) / log((10 + Z0) / Z0);
    const double imbalance = fabs(end.progress.mass_imbalance);
    const bool good = status == FOEHN_OK && isfinite(stats.max_speed) && imbalance <= 1e-5 &&
                      stats.max_speed < 10 * undisturbed && stats.max_speed > 0.1 * U10;
    printf("%s: %2d %s, %g x %g m, from %g: %llu steps, %s, fastest %.1f m/s, mass out of balance "
           "by %.1e%s%s\n",
           good ? "ok" : "FAILED", n, kinds[n % KINDS].name, h, hy, wind_from,
           (unsigned long long)end.progress.steps, end.settled ? "at rest" : "not at rest",
           stats.max_speed, imbalance, status == FOEHN_OK ? "" : ": ",
           status == FOEHN_OK ? "" : foehn_last_error());
    fflush(stdout);
    passed += good;
    failed += !good;
    *still += end.settled != 0;
    foehn_wind_destroy(wind);
}

int main(int argc, char **argv)
{
    foehn_context *ctx = open_device();
    int still = 0;
    for (int n = 0; n < CASES; n++)
        if (argc < 2 || n == atoi(argv[1]))
            run(ctx, n, &still);
    printf("%d came to rest within %d steps\n", still, (int)STEPS);
    foehn_context_destroy(ctx);
    return summary("hard_ground");
}
