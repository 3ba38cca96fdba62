/* SPDX-License-Identifier: MIT */
/* Parts of the wind that have a file of their own: gust bands and the ground. */
#ifndef FOEHN_LIB_WIND_H
#define FOEHN_LIB_WIND_H

#include "device/internal.h"
#include "pressure/pressure.h"

#include <foehn/wind.h>

#include "kernels/wind/structs.h"

/* ---- random.  splitmix64 (Steele et al. 2014): any seed, also 0, is good. ---- */

static inline uint64_t foehn_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* ---- gust.c: bands that travel through the box, a Poisson process in time ---- */

#define FOEHN_GUST_RATE 0.1         /* bands a second at gustiness 1 */
#define FOEHN_GUST_STRENGTH 0.5     /* over gustiness * u10 */
#define FOEHN_GUST_SPEED 1.2        /* over u10 */
#define FOEHN_GUST_WIDTH 30.0       /* m */
#define FOEHN_GUST_DISTANCE 200.0   /* m upwind of the centre, at least */

/* Plain data: a checkpoint copies it. */
typedef struct foehn_gusts {
    uint64_t random, total;
    double wait; /* exponential variate left until the next band, in units of 1 / rate */
    int count;
    struct foehn_band {
        double position; /* of the middle, along its own direction from the world's origin, m */
        double strength, speed, width, dx, dz;
    } bands[WIND_GUSTS];
} foehn_gusts;

void foehn_gusts_init(foehn_gusts *gusts, uint64_t seed);

/* Move the bands, drop those that have passed the box, and add new ones.  (dx, dz): where the wind
 * blows to; (x, z): the box's centre; distance: from there to where bands start, m. */
void foehn_gusts_step(foehn_gusts *gusts, double dt, double u10, double gustiness, double dx,
                      double dz, double x, double z, double distance);

/* ---- terrain.c: the ground under the box and the faces it closes ---- */

typedef struct foehn_ground {
    foehn_context *ctx;
    foehn_terrain terrain; /* placement; heights are on the device */
    bool flat;             /* at y = 0 everywhere */
    cl_mem heights;
    cl_mem ground;     /* world y of the ground under each column, ghost columns included */
    cl_mem corner;     /* the same at the lower corners of columns */
    cl_mem open, wall; /* bytes of FACE_* bits a cell */
    foehn_kernel ground_kernel, corners_kernel, faces_kernel;
} foehn_ground;

foehn_status foehn_ground_create(foehn_ground *ground, foehn_context *ctx, const foehn_grid *g);
void foehn_ground_destroy(foehn_ground *ground);

/* Take over new heights; NULL: flat at 0. */
foehn_status foehn_ground_set(foehn_ground *ground, const foehn_terrain *terrain);

/* Recompute for a box whose lower corner is at origin. */
foehn_status foehn_ground_update(foehn_ground *ground, const foehn_grid *g, const double origin[3],
                                 cl_int periodic);

/* ---- the wind ---- */

enum { WIND_MEANS = 5 }; /* u, v, w, |u|, |u|^2 */

/* What is not on the device; a checkpoint copies it. */
typedef struct wind_clock {
    uint64_t step;
    double time;            /* s */
    double drift[2];        /* of the noise with the wind, x and z, m */
    double curl_amplitude;  /* follows noise_amplitude * gustiness * u10, m/s */
    int64_t origin[3];      /* of the box, in cells */
    foehn_wind_state state;
    int samples; /* in the means */
    foehn_gusts gusts;
} wind_clock;

struct foehn_wind {
    foehn_context *ctx;
    foehn_wind_params params;
    foehn_grid g;
    wind_stencil stencil;
    wind_clock clock;
    double center[3]; /* asked for; the box follows at the next step */
    bool ground_is_stale;
    int noise_offsets[WIND_OCTAVES][3][3]; /* octave, potential, axis; lattice cells */

    /* The current field is velocity[now] and pressure[now_p]; the others are scratch.  The staggered
     * scheme keeps velocity on faces, and pressure and divergence in its solver. */
    cl_mem velocity[2][3], pressure[2], divergence, curl;
    int now, now_p;
    foehn_pressure *solver; /* NULL in the collocated scheme */
    cl_mem third[3];        /* velocity, for MacCormack; else NULL */
    foehn_ground ground;
    cl_mem means[WIND_MEANS]; /* NULL unless averaging */
    cl_mem rows[2];      /* squared residual by row, before and after the solve; NULL unless measuring */
    bool measured;       /* rows hold the last step's */
    bool measuring;      /* the staggered scheme's solver measures each solve */
    foehn_pressure_stats solved; /* the last such solve */
    uint64_t memory;     /* bytes that create() allocated */

    struct {
        foehn_kernel force, advect, divergence, divergence_sweep, sweep, sweep_flat, project, residual, scroll,
            wrap, average, points, publish, project_publish;
    } kernel;
    struct {
        cl_mem gust[2]; /* speed that bands add to u and w, by column */
        bool has_gusts; /* some of that is not 0 */
        struct {
            foehn_kernel openness, potentials, force, extend, advect_faces, advect_rows, correct_faces,
                divergence_faces, divergence_residual, project_faces, project_wide, project_publish, center,
                publish_faces, scroll_faces;
        } kernel;
    } staggered;
};

/* ---- helpers of wind.c and lib/wind/read.c ---- */

static inline foehn_size foehn_wind_cells(const foehn_wind *w)
{
    return (foehn_size){(size_t)w->g.nx, (size_t)w->g.ny, (size_t)w->g.nz};
}

/* Lower corner of the box in the world, m. */
static inline void foehn_wind_origin(const foehn_wind *w, double origin[3])
{
    origin[0] = (double)w->clock.origin[0] * (double)w->g.hx;
    origin[1] = (double)w->clock.origin[1] * (double)w->g.hy;
    origin[2] = (double)w->clock.origin[2] * (double)w->g.hz;
}

#define VELOCITY(w, n) ARG((w)->velocity[n][0]), ARG((w)->velocity[n][1]), ARG((w)->velocity[n][2])

/* Fill the side ghosts of a field where the box is periodic. */
foehn_status foehn_wind_wrap(foehn_wind *w, cl_mem field);

/* Bring the ground and the open faces up to date where terrain was set since. */
foehn_status foehn_wind_refresh_ground(foehn_wind *w);

/* The divergence of the current field, by the scheme's own operator, and the buffer it is in. */
foehn_status foehn_wind_divergence(foehn_wind *w, cl_mem *divergence);

/* The current velocity at cell centres: the field itself, or in the staggered scheme means of faces
 * in scratch buffers, until the next step. */
foehn_status foehn_wind_centers(foehn_wind *w, cl_mem velocity[3]);

static inline bool foehn_wind_is_staggered(const foehn_wind *w)
{
    return w->params.scheme == FOEHN_WIND_STAGGERED;
}

static inline cl_int foehn_wind_is_periodic(const foehn_wind *w)
{
    return w->params.sides == FOEHN_WIND_SIDES_PERIODIC;
}

/* Take over what the caller set, and check it; members that an old caller does not know keep their
 * defaults.  given may be NULL. */
foehn_status foehn_wind_take_params(const foehn_wind_params *given, foehn_wind_params *p);
foehn_status foehn_wind_check_state(const foehn_wind_state *state);
foehn_status foehn_wind_check_center(const double center[3]);

/* Bring the box to where its centre is wanted, and the ground under it up to date. */
foehn_status foehn_wind_follow_center(foehn_wind *w);

/* Over flat ground no cell in the box is solid and no face inside it closed. */
static inline bool foehn_wind_has_solids(const foehn_wind *w)
{
    return !w->ground.flat || w->clock.origin[1] < 0;
}

/* What the kernels need to know of the forcing in a step of dt. */
wind_forcing foehn_wind_forcing(const foehn_wind *w, float dt);

/* ---- staggered.c: the passes of that scheme ---- */

foehn_status foehn_staggered_create(foehn_wind *w);
void foehn_staggered_destroy(foehn_wind *w);
uint64_t foehn_staggered_memory(const foehn_wind_params *p, const foehn_grid *g);

/* Openness of all faces for the ground as it is now. */
foehn_status foehn_staggered_update(foehn_wind *w);
foehn_status foehn_staggered_force(foehn_wind *w, const wind_forcing *f);
foehn_status foehn_staggered_advect(foehn_wind *w, float dt);
foehn_status foehn_staggered_solve(foehn_wind *w, foehn_pressure_stop stop,
                                   foehn_pressure_stats *stats);
/* The same by one light V-cycle, in fewer launches. */
foehn_status foehn_staggered_cycle(foehn_wind *w);
foehn_status foehn_staggered_project(foehn_wind *w);
foehn_status foehn_staggered_divergence(foehn_wind *w);
foehn_status foehn_staggered_centers(foehn_wind *w, cl_mem velocity[3]);
/* Halves at centres, cell (0, 0, 0) at voxel `first`. */
foehn_status foehn_staggered_publish(foehn_wind *w, const cl_int first[3], cl_mem slot);
/* Both in one launch, where faces are projected four at a time. */
bool foehn_staggered_projects_wide(const foehn_wind *w);
foehn_status foehn_staggered_project_publish(foehn_wind *w, const cl_int first[3], cl_mem slot);
foehn_status foehn_staggered_scroll(foehn_wind *w, const wind_forcing *f, const cl_int shift[3]);

#endif
