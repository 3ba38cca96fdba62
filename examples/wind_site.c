/* SPDX-License-Identifier: MIT */
/* The wind over a heightmap, as a game or a renderer has one: the library lays the box over it,
 * says where it wants the ground, brings its sides to one height, and finds the mean wind at once.
 */
#include <foehn/foehn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_DEVICE = 77 }; /* "skipped", for make check */
enum { COLUMNS = 96, ROWS = 80 };
#define CELL 25.0 /* m, of the heightmap and of the wind */

static int check(foehn_status status)
{
    if (status == FOEHN_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    return 1;
}

/* The heightmap: a hill of 120 m on a slope, x to the east and z to the south, m. */
static double height_at(double x, double z)
{
    double dx = (x - 1200) / 260, dz = (z - 1000) / 340;
    return 40 + 0.02 * x + 120 * exp(-(dx * dx + dz * dz));
}

/* Heights where this wind knows its ground, and from where it blows, one height at the sides. */
static int make_ground(const foehn_wind_params *params, foehn_terrain *ground, float **heights)
{
    if (check(foehn_site_get_samples(params, ground)))
        return 1;
    ground->heights = *heights = malloc(sizeof **heights * (size_t)ground->nx * (size_t)ground->nz);
    if (!*heights)
        return 1;
    for (int k = 0; k < ground->nz; k++)
        for (int i = 0; i < ground->nx; i++)
            (*heights)[k * ground->nx + i] =
                (float)height_at(ground->origin[0] + i * ground->spacing[0],
                                 ground->origin[1] + k * ground->spacing[1]);
    return check(foehn_site_ease(params, (double)params->state.from, 0.1 * CELL * ROWS, *heights,
                                 NULL, *heights));
}

/* Speed 10 m above a line through the summit, over that of the undisturbed wind. */
static int print_speedup(foehn_wind *wind, double u10)
{
    enum { POINTS = 9 };
    double points[POINTS][3];
    float at[POINTS][4];
    for (int n = 0; n < POINTS; n++) {
        points[n][0] = 1200 + 200 * (n - POINTS / 2);
        points[n][1] = 10;
        points[n][2] = 1000;
    }
    if (check(foehn_wind_read_points(wind, 0, POINTS, points[0], at[0])))
        return 1;
    for (int n = 0; n < POINTS; n++)
        printf("%5.0f m east of the summit: %5.2f m/s, %.2f times the undisturbed, %+.2f up\n",
               points[n][0] - 1200, hypot((double)at[n][0], (double)at[n][2]),
               hypot((double)at[n][0], (double)at[n][2]) / u10, (double)at[n][1]);
    return 0;
}

int main(void)
{
    foehn_context *ctx;
    foehn_wind *wind = NULL;
    foehn_terrain ground;
    foehn_wind_solution found;
    float *heights = NULL;
    foehn_status opened = foehn_context_create(NULL, &ctx);
    if (check(opened))
        return opened == FOEHN_ERROR_DEVICE ? NO_DEVICE : EXIT_FAILURE;
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = COLUMNS;
    params.nz = ROWS;
    params.spacing_horizontal = (float)CELL;
    params.spacing_vertical = (float)(CELL / 4);
    params.center[0] = 0.5 * CELL * COLUMNS; /* the world begins in the heightmap's north-west */
    params.center[2] = 0.5 * CELL * ROWS;
    params.state.u10 = 8;
    params.state.from = 250;
    int failed = check(foehn_site_set_levels(&params, 40, foehn_site_get_lid(40, 184))) ||
                 make_ground(&params, &ground, &heights) ||
                 check(foehn_wind_create(ctx, &params, &wind)) ||
                 check(foehn_wind_set_terrain(wind, &ground)) ||
                 check(foehn_wind_solve(wind, 1e-4, 200, &found));
    if (!failed)
        printf("%d x %d x %d cells, %d cycles; steps of gusts would be %g s\n", params.nx,
               params.ny, params.nz, found.cycles,
               foehn_site_get_step((double)params.spacing_horizontal, (double)params.state.u10));
    failed = failed || print_speedup(wind, (double)params.state.u10);
    free(heights);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
