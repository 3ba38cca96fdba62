/* SPDX-License-Identifier: MIT */
/* Wind as a game or a simulator on the host would use it: a box that follows a camera, the wind at
 * a few points, the field as half floats for a texture, and a copy for game logic that never waits.
 */
#include <foehn/foehn.h>

#include <stdio.h>
#include <stdlib.h>

enum { NO_DEVICE = 77 }; /* "skipped", for make check */

/* Every call that can fail says so; the story is in foehn_last_error(). */
static int check(foehn_status status)
{
    if (status == FOEHN_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    return 1;
}

/* Two seconds of wind, the camera moving east at 10 m/s. */
static int fly(foehn_wind *wind, foehn_volume *volume)
{
    const float dt = 1 / 60.0f;
    for (int frame = 0; frame < 120; frame++) {
        const double camera[3] = {10.0 * frame * (double)dt, 32, 0};
        /* All of this enqueues work and returns at once. */
        if (check(foehn_wind_set_center(wind, camera)) ||
            check(foehn_wind_step_and_write_volume(wind, dt, volume)))
            return 1;
        /* Whatever copy has arrived by now; NULL before the first. */
        foehn_snapshot copy;
        if (check(foehn_volume_get_snapshot(volume, &copy)))
            return 1;
        if (copy.halves && frame % 40 == 39)
            printf("frame %3d: the copy at hand is of step %llu\n", frame,
                   (unsigned long long)copy.info.step);
    }
    return 0;
}

/* The wind at a chimney, at three heights above the ground.  Waits for the device. */
static int ask(foehn_wind *wind)
{
    const double points[3][3] = {{20, 2, 0}, {20, 10, 0}, {20, 40, 0}};
    float at[3][4];
    if (check(foehn_wind_read_points(wind, 0, 3, points[0], at[0])))
        return 1;
    for (int i = 0; i < 3; i++)
        printf("%4.0f m: %6.2f %6.2f %6.2f m/s, turbulence intensity %.2f\n", points[i][1],
               (double)at[i][0], (double)at[i][1], (double)at[i][2], (double)at[i][3]);
    return 0;
}

/* What goes into an RGBA16F texture: sampled at world / extent with repeat addressing. */
static int publish(foehn_volume *volume)
{
    foehn_volume_info info;
    foehn_volume_get_info(volume, &info);
    size_t voxels = (size_t)info.nx * (size_t)info.ny * (size_t)info.nz;
    uint16_t *halves = malloc(voxels * 4 * sizeof *halves);
    if (!halves)
        return 1;
    int failed = check(foehn_volume_read_halves(volume, halves));
    if (!failed)
        printf("%d x %d x %d texels from (%g, %g, %g) m, step %llu; the first blows east at "
               "%.2f m/s\n",
               info.nx, info.ny, info.nz, info.origin[0], info.origin[1], info.origin[2],
               (unsigned long long)info.step, (double)foehn_half_to_float(halves[0]));
    free(halves);
    return failed;
}

int main(void)
{
    foehn_context *ctx;
    foehn_wind *wind = NULL;
    foehn_volume *volume = NULL;
    foehn_status opened = foehn_context_create(NULL, &ctx);
    if (check(opened))
        return opened == FOEHN_ERROR_DEVICE ? NO_DEVICE : EXIT_FAILURE;

    foehn_wind_params params = foehn_wind_params_default();
    params.state.u10 = 12;
    params.state.from = 240; /* degrees from north: a south-westerly */
    int failed = check(foehn_wind_params_set_quality(&params, "low")) ||
                 check(foehn_wind_create(ctx, &params, &wind)) ||
                 check(foehn_volume_create(ctx, params.nx, params.ny, params.nz, &volume)) ||
                 check(foehn_volume_set_snapshots(volume, 0)) || /* a game: 0.25 s between copies */
                 fly(wind, volume) || ask(wind) || publish(volume);

    foehn_volume_destroy(volume);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
