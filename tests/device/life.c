/* SPDX-License-Identifier: MIT */
/* One life of a wind on a small grid, all of the library once: for tools that watch a whole
 * process. (Oclgrind 21.10 mistakes memory that is used again for memory never written, so nothing
 * is made twice here.)  With an argument the box is periodic. */
#include <foehn/foehn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 7, NY = 5, NZ = 9, CELLS = NX * NY * NZ };

static foehn_status live(int periodic, foehn_context **ctx, foehn_wind **wind,
                         foehn_volume **volume)
{
#define TRY(call)                                                                                  \
    do {                                                                                           \
        foehn_status status_ = (call);                                                             \
        if (status_ != FOEHN_OK)                                                                   \
            return status_;                                                                        \
    } while (0)
    static float heights[12], field[CELLS];
    static uint16_t halves[4 * CELLS];
    for (int i = 0; i < 12; i++)
        heights[i] = (float)(i * i % 7);
    const foehn_terrain terrain = {
        .nx = 4, .nz = 3, .origin = {-10, -10}, .spacing = {6, 9}, .heights = heights};
    const double center[3] = {9, 9, -6};
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = NX;
    params.ny = NY;
    params.nz = NZ;
    params.sweeps = 3;
    params.sides = periodic ? FOEHN_WIND_SIDES_PERIODIC : FOEHN_WIND_SIDES_OPEN;
    params.state.gustiness = 1;
    foehn_wind_stats stats;
    foehn_snapshot snapshot;
    TRY(foehn_context_create(NULL, ctx));
    TRY(foehn_wind_create(*ctx, &params, wind));
    TRY(foehn_wind_set_terrain(*wind, &terrain));
    TRY(foehn_volume_create(*ctx, NX, NY, NZ, volume));
    TRY(foehn_volume_set_snapshots(*volume, 0));
    TRY(foehn_wind_set_measuring(*wind, 1));
    TRY(foehn_wind_set_averaging(*wind, 1));
    for (int n = 0; n < 4; n++) {
        TRY(foehn_wind_step(*wind, 2));
        TRY(foehn_wind_write_volume(*wind, *volume));
        TRY(foehn_volume_get_snapshot(*volume, &snapshot));
    }
    for (int f = FOEHN_WIND_U; f <= FOEHN_WIND_STD_SPEED; f++)
        TRY(foehn_wind_read(*wind, (foehn_wind_field)f, field));
    TRY(foehn_volume_read_halves(*volume, halves));
    TRY(foehn_wind_set_center(*wind, center));
    TRY(foehn_wind_step(*wind, 0.1f));
    TRY(foehn_wind_read_stats(*wind, &stats));
    printf("%g m/s at 10 m\n", stats.mean_speed_10m);
    return foehn_context_wait(*ctx);
}

int main(int argc, char **argv)
{
    foehn_context *ctx = NULL;
    foehn_wind *wind = NULL;
    foehn_volume *volume = NULL;
    (void)argv;
    foehn_status status = live(argc > 1, &ctx, &wind, &volume);
    if (status != FOEHN_OK)
        fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    foehn_volume_destroy(volume);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
    const char *required = getenv("FOEHN_REQUIRE_DEVICE");
    if (status == FOEHN_ERROR_DEVICE && !(required && strcmp(required, "1") == 0))
        return 77;
    return status == FOEHN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
