/* SPDX-License-Identifier: MIT */
/* The wind: its state, and what its files call of each other. */
#ifndef FOEHN_LIB_WIND_STATE_H
#define FOEHN_LIB_WIND_STATE_H

#include "device/tuning.h"
#include "device/internal.h"
#include "domain/halo.h"
#include "domain/sides.h"
#include "pressure/pressure.h"
#include "wind/ground.h"
#include "wind/gusts.h"

#include <foehn/wind.h>

#include <math.h>

#include "kernels/wind/structs.h"

typedef struct wind_model wind_model; /* model.h */

enum {
    WIND_SPEED_MEANS = 5,
    WIND_MEANS = 11
}; /* u, v, w, |u|, |u|^2; and of models with eddies uu, vv, ww, uv, uw, vw */

/* What is not on the device; a checkpoint copies it. */
typedef struct wind_clock {
    uint64_t step;
    double time;           /* s */
    double drift[2];       /* of the noise with the wind, x and z, m */
    double curl_amplitude; /* follows noise_amplitude * gustiness * u10, m/s */
    int64_t origin[3];     /* of the box, in cells */
    foehn_wind_state state;
    int samples; /* in the means */
    foehn_gusts gusts;
} wind_clock;

struct foehn_wind {
    foehn_context *ctx;
    foehn_wind_params params;
    foehn_grid g;     /* of the part's window, where the box is cut */
    foehn_part *part; /* NULL: it is not */
    int shared;       /* layers of the neighbours' cells that are right in the fields that stay */
    bool on_its_way;  /* once they are received */
    foehn_side sides[FOEHN_SIDES]; /* what lies beyond them */
    wind_clock clock;
    double center[3]; /* asked for; the box follows at the next step */
    bool ground_is_stale;
    int noise_offsets[WIND_OCTAVES][3][3]; /* octave, potential, axis; lattice cells */

    const wind_model *model;
    void *own; /* what the model has beside the following */
    foehn_wind
        *beside; /* a periodic one that is stepped along, of which comes what flows in; or NULL */

    /* The current field is velocity[now], at cell centres or on faces as the model has it; the
     * other is scratch. */
    cl_mem velocity[2][3], curl;
    int now;
    foehn_ground ground;
    foehn_canopy canopy;      /* height NULL: none */
    foehn_wind_map map;       /* of the undisturbed wind; u NULL: the state's everywhere */
    cl_mem means[WIND_MEANS]; /* NULL unless averaging */
    cl_mem halves;            /* of a part, on their way to part 0; NULL: none have been yet */
    bool measured;            /* the last step's residual is known */
    bool measuring;
    struct foehn_rest *rest; /* of a steady model: how far it is from standing still (rest.h) */
    uint64_t memory;         /* bytes that create() allocated */
    uint64_t cycles;         /* of pressure, in all steps */
    struct {
        foehn_kernel wrap, average, average_products, points;
    } kernel;

    /* Of models on faces (faces.h). */
    foehn_pressure *solver;      /* NULL in the others */
    foehn_pressure_stats solved; /* the last solve that was measured */
    cl_mem third[3];             /* velocity, for MacCormack; else NULL */
    struct {
        cl_mem gust[2]; /* speed that bands add to u and w, by column */
        bool has_gusts; /* some of that is not 0 */
        struct {
            foehn_kernel openness, potentials, force, extend, advect_faces, advect_rows,
                correct_faces, divergence_faces, divergence_residual, project_faces, project_wide,
                project_publish, center, publish_faces, scroll_faces, vary;
        } kernel;
    } staggered;
};

static inline foehn_size foehn_wind_cells(const foehn_wind *w)
{
    return (foehn_size){(size_t)w->g.nx, (size_t)w->g.ny, (size_t)w->g.nz};
}

/* With the upper edge faces, which are in the ghosts. */
static inline foehn_size foehn_wind_faces(const foehn_wind *w)
{
    return (foehn_size){(size_t)w->g.nx + 1, (size_t)w->g.ny + 1, (size_t)w->g.nz + 1};
}

/* Those that a pass has to come to: a part's own ones, and `layers` around them. */
static inline foehn_items foehn_wind_own_cells(const foehn_wind *w, int layers)
{
    return foehn_grid_own(&w->g, foehn_wind_cells(w), layers);
}

static inline foehn_items foehn_wind_own_faces(const foehn_wind *w, int layers)
{
    return foehn_grid_own(&w->g, foehn_wind_faces(w), layers);
}

static inline bool foehn_wind_is_on_gpu(const foehn_wind *w)
{
    return w->ctx->device.info.type == FOEHN_DEVICE_GPU;
}

/* Lower corner of the box in the world, m. */
static inline void foehn_wind_origin(const foehn_wind *w, double origin[3])
{
    origin[0] = (double)w->clock.origin[0] * (double)w->g.hx;
    origin[1] = (double)w->clock.origin[1] * (double)w->g.hy;
    origin[2] = (double)w->clock.origin[2] * (double)w->g.hz;
}

/* Whether the centre of a column's cell j is under its ground. */
static inline bool foehn_wind_is_solid(const foehn_wind *w, int j, float ground)
{
    double origin[3];
    foehn_wind_origin(w, origin);
    return (float)origin[1] + ((float)j + 0.5f) * w->g.hy < ground;
}

#define VELOCITY(w, n) ARG((w)->velocity[n][0]), ARG((w)->velocity[n][1]), ARG((w)->velocity[n][2])

/* What lies beyond each side, by the parameters. */
void foehn_wind_find_sides(const foehn_wind_params *p, foehn_side sides[FOEHN_SIDES]);

/* The cells of neighbours: at least `layers` of what a step starts from, or what reading needs.
 * Nothing to do in a box of one part. */
foehn_status foehn_wind_share(foehn_wind *w, int layers);

/* The same in two: what is enqueued between them is computed while the cells travel. */
foehn_status foehn_wind_send(foehn_wind *w, int layers);
foehn_status foehn_wind_receive(foehn_wind *w);
enum { LAYERS_TO_READ = 4 }; /* that most steps read: they fetch nothing anew then */

/* Layers that a step of dt reads.  FOEHN_ERROR_ARGUMENT: more than there are. */
foehn_status foehn_wind_layers(const foehn_wind *w, float dt, int *layers);

/* What only a box of one part can do. */
foehn_status foehn_wind_refuse_parts(const foehn_wind *w, const char *function);

/* Whether whole fields of the host are this part's. */
static inline bool foehn_wind_holds(const foehn_wind *w)
{
    return !w->part || w->part->part == 0;
}

/* Columns of the whole box. */
static inline size_t foehn_wind_column_count(const foehn_wind *w)
{
    return (size_t)w->g.whole_x * (size_t)w->g.whole_z;
}

/* Of the whole box. */
static inline size_t foehn_wind_cell_count(const foehn_wind *w)
{
    return foehn_wind_column_count(w) * (size_t)w->g.ny;
}

/* Fill the side ghosts of a field where the box is periodic. */
foehn_status foehn_wind_wrap(foehn_wind *w, cl_mem field);

/* Bring the ground and the open faces up to date where terrain was set since. */
foehn_status foehn_wind_refresh_ground(foehn_wind *w);

/* Velocity at cell centres over ground that is up to date: the field itself or scratch, until the
 * next step. */
foehn_status foehn_wind_centers(foehn_wind *w, cl_mem velocity[3]);

static inline cl_int foehn_wind_is_periodic(const foehn_wind *w)
{
    return w->sides[SIDE_WEST] == FOEHN_SIDE_PERIODIC;
}

/* Take over what the caller set, and check it; members that an old caller does not know keep their
 * defaults.  given may be NULL. */
foehn_status foehn_wind_take_params(const foehn_wind_params *given, foehn_wind_params *p);
foehn_status foehn_wind_check_state(const foehn_wind_state *state);
foehn_status foehn_wind_check_center(const double center[3]);

/* ---- box.c: where the box is ---- */

/* The corner in cells that the centre asks for. */
void foehn_wind_wanted_origin(const foehn_wind *w, int64_t origin[3]);
/* Cell of the box's lower corner for a centre, on one axis. */
static inline int64_t foehn_wind_origin_cell(double center, double spacing, int n)
{
    return (int64_t)floor(center / spacing) - n / 2;
}

/* Bring the box to where its centre is wanted, and the ground under it up to date. */
foehn_status foehn_wind_follow_center(foehn_wind *w);
foehn_status foehn_wind_update_ground(foehn_wind *w);

/* ---- canopy.c ---- */

/* What the canopy drags, Cd a in 1/m, at cells, over ground that lies so high above the box's floor
 * in each column. */
foehn_status foehn_wind_fill_canopy(foehn_wind *w, const float *ground, cl_mem field);

/* ---- vary.c ---- */

/* Put the undisturbed wind of each column, by its roughness and by the map, on the faces of a field
 * that has that of the state. */
foehn_status foehn_wind_vary(foehn_wind *w, const wind_forcing *f);

/* ---- averages.c ---- */

/* Take the current field into the running means, where there are any. */
foehn_status foehn_wind_average(foehn_wind *w);

/* ---- publish.c ---- */

/* Halves of own cells into a slot, the first of them at voxel `first`. */
typedef foehn_status foehn_wind_pass(foehn_wind *w, const cl_int first[3], cl_mem slot);

/* Whether it takes this wind; of parts, whether all mean the same. */
foehn_status foehn_wind_check_volume(foehn_wind *w, const foehn_volume *volume);

/* Its next content, by a pass of the model that writes it.  NULL: this part's cells go to part 0.
 */
foehn_status foehn_wind_publish(foehn_wind *w, foehn_volume *volume, foehn_wind_pass *pass);

/* ---- drive.c ---- */

/* Unit vector that the wind blows towards, for a direction it blows from. */
void foehn_wind_toward(float from, double *dx, double *dz);

/* Gusts travel, the noise drifts with the wind, its amplitude follows the state. */
void foehn_wind_advance_clock(foehn_wind *w, double dt);

/* Over flat ground no cell in the box is solid and no face inside it closed. */
static inline bool foehn_wind_has_solids(const foehn_wind *w)
{
    return !w->ground.flat || w->clock.origin[1] < 0;
}

/* What the kernels need to know of the forcing in a step of dt. */
wind_forcing foehn_wind_forcing(const foehn_wind *w, float dt);

#endif
