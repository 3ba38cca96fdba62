/* SPDX-License-Identifier: MIT */
/* The wind behind a hill, as a planner would ask for it: the steady model run to rest and told as
 * it goes, a profile in the lee, what the ground takes along the hill, and the state kept for
 * another day.
 */
#include <foehn/foehn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_DEVICE = 77 }; /* "skipped", for make check */
enum { NX = 64, NY = 24, NZ = 32 };
#define CELL 20.0 /* m, horizontal */
#define LAYER 6.0 /* m, vertical */
#define HILL 60.0 /* m, a ridge across the wind */

static int check(foehn_status status)
{
    if (status == FOEHN_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    return 1;
}

/* Height of the ground in the middle of the box, m from its western side. */
static double ground(double x)
{
    double from_crest = (x - 0.4 * NX * CELL) / 90;
    return HILL / (1 + from_crest * from_crest);
}

static int put_ridge(foehn_wind *wind)
{
    static float heights[(NZ + 1) * (NX + 1)];
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    for (int k = 0; k <= NZ; k++)
        for (int i = 0; i <= NX; i++)
            heights[k * (NX + 1) + i] = (float)ground(i * CELL);
    foehn_terrain terrain = {.nx = NX + 1,
                             .nz = NZ + 1,
                             .origin = {info.origin[0], info.origin[2]},
                             .spacing = {CELL, CELL},
                             .heights = heights};
    return check(foehn_wind_set_terrain(wind, &terrain));
}

/* Called every ten steps; another number than 0 would end the run. */
static int tell(const foehn_wind_settling *s, void *data)
{
    int *told = data;
    if (s->progress.steps % 100 == 0)
        printf("step %4llu: %3.0f %% of a flush of the box, the mean drifts by %.2g %% a flush\n",
               (unsigned long long)s->progress.steps, 100 * s->flushes, 100 * s->drift);
    ++*told;
    return 0;
}

static int settle(foehn_wind *wind)
{
    int told = 0;
    foehn_wind_settling end;
    foehn_wind_settle_params params = foehn_wind_settle_params_default();
    params.report = tell;
    params.data = &told;
    if (check(foehn_wind_settle(wind, &params, &end)))
        return 1;
    printf("%s after %llu steps; %.1g of the mass that flows in is not balanced\n",
           end.settled ? "at rest" : "it sways", (unsigned long long)end.progress.steps,
           end.progress.mass_imbalance);
    return 0;
}

/* Speed, turbulence and mixing above one place behind the crest. */
static int print_profile(foehn_wind *wind, double x)
{
    enum { HEIGHTS = 5 };
    static const double heights[HEIGHTS] = {2, 10, 20, 50, 80};
    foehn_wind_info info;
    double points[HEIGHTS][3];
    float wind_at[HEIGHTS][4], turbulence[HEIGHTS][2];
    foehn_wind_get_info(wind, &info);
    for (int n = 0; n < HEIGHTS; n++) {
        points[n][0] = info.origin[0] + x;
        points[n][1] = heights[n];
        points[n][2] = info.origin[2] + 0.5 * info.extent[2];
    }
    if (check(foehn_wind_read_points(wind, 0, HEIGHTS, points[0], wind_at[0])) ||
        check(foehn_wind_read_turbulence(wind, HEIGHTS, points[0], turbulence[0])))
        return 1;
    printf("%.0f m behind the crest:\n", x - 0.4 * NX * CELL);
    for (int n = 0; n < HEIGHTS; n++)
        printf("%4.0f m: %6.2f m/s along, %5.2f up, k %.2f m2/s2, eddy viscosity %.1f m2/s\n",
               heights[n], (double)wind_at[n][0], (double)wind_at[n][1], (double)turbulence[n][0],
               (double)turbulence[n][1]);
    return 0;
}

/* Where the air near the ground goes back, and what the crest takes of the wind. */
static int print_wake(foehn_wind *wind)
{
    static float stress[NZ][NX][3];
    double points[NX][3];
    float near[NX][4];
    foehn_wind_info info;
    int from = -1, to = -1, crest = (int)(0.4 * NX);
    foehn_wind_get_info(wind, &info);
    for (int i = 0; i < NX; i++) {
        points[i][0] = info.origin[0] + (i + 0.5) * CELL;
        points[i][1] = 0.25 * LAYER;
        points[i][2] = info.origin[2] + 0.5 * info.extent[2];
    }
    if (check(foehn_wind_read_points(wind, 0, NX, points[0], near[0])) ||
        check(foehn_wind_read_stress(wind, &stress[0][0][0])))
        return 1;
    for (int i = 0; i < NX; i++)
        if (near[i][0] < 0) {
            from = from < 0 ? i : from;
            to = i;
        }
    if (from < 0)
        printf("the flow follows the ground everywhere");
    else
        printf("it has separated from %.0f to %.0f m behind the crest", (from - 0.4 * NX) * CELL,
               (to + 1 - 0.4 * NX) * CELL);
    printf("; u* on the crest is %.2f m/s, upwind %.2f\n", (double)stress[NZ / 2][crest][2],
           (double)stress[NZ / 2][2][2]);
    return 0;
}

/* The whole state as bytes: a wind made alike goes on from it, bit for bit, and is at rest at once.
 */
static int keep_and_resume(foehn_context *ctx, foehn_wind *wind, const foehn_wind_params *params)
{
    foehn_wind *other = NULL;
    foehn_wind_settling end;
    size_t size = foehn_wind_get_checkpoint_size(wind);
    void *bytes = malloc(size);
    int failed = !bytes || check(foehn_wind_read_checkpoint(wind, size, bytes)) ||
                 check(foehn_wind_create(ctx, params, &other)) || put_ridge(other) ||
                 check(foehn_wind_write_checkpoint(other, size, bytes)) ||
                 check(foehn_wind_settle(other, NULL, &end));
    if (!failed)
        printf("resumed from %.1f MB: at rest at once, after the same %llu steps\n",
               1e-6 * (double)size, (unsigned long long)end.progress.steps);
    free(bytes);
    foehn_wind_destroy(other);
    return failed;
}

int main(void)
{
    foehn_context *ctx;
    foehn_wind *wind = NULL;
    foehn_status opened = foehn_context_create(NULL, &ctx);
    if (check(opened))
        return opened == FOEHN_ERROR_DEVICE ? NO_DEVICE : EXIT_FAILURE;
    foehn_wind_params params = foehn_wind_params_default();
    params.model = FOEHN_WIND_MOMENTUM;
    params.nx = NX;
    params.ny = NY;
    params.nz = NZ;
    params.spacing_horizontal = (float)CELL;
    params.spacing_vertical = (float)LAYER;
    params.state.u10 = 8;
    int failed = check(foehn_wind_create(ctx, &params, &wind)) || put_ridge(wind) || settle(wind) ||
                 print_profile(wind, 0.4 * NX * CELL + 120) || print_wake(wind) ||
                 keep_and_resume(ctx, wind, &params);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
