/* SPDX-License-Identifier: MIT */
/* What the files of the fire share. */
#ifndef FOEHN_LIB_FIRE_H
#define FOEHN_LIB_FIRE_H

#include "device/tuning.h"
#include "device/internal.h"
#include "pressure/pressure.h"

#include <foehn/fire.h>
#include <foehn/firebrands.h>

#include "kernels/fire/structs.h"

/* The preset is made for these voxels, m. */
#define FIRE_RENDER_VOXEL (7.6200376 / 100)
#define FIRE_PHYSICS_VOXEL (7.6200376 / 80)
#define FIRE_BASE_STEP (1.0 / 30) /* of the caller's time, s */
#define FIRE_GRAVITY 9.81f

enum { FIRE_EMITTERS = 64, FIRE_STAGED = 8, FIRE_VELOCITIES = 3, FIRE_DYES = 3 };

/* ---- lib/fire/pose.c: rigid motions as rows of (rotation, translation) ---- */

typedef struct fire_matrix {
    double m[3][4];
} fire_matrix;

/* FOEHN_ERROR_ARGUMENT: not finite, or no rotation. */
foehn_status foehn_pose_matrix(const foehn_fire_pose *pose, const char *of, fire_matrix *out);
fire_matrix foehn_matrix_inverse(const fire_matrix *a);
/* First b, then a. */
fire_matrix foehn_matrix_product(const fire_matrix *a, const fire_matrix *b);
void foehn_matrix_point(const fire_matrix *a, const double p[3], double out[3]);
void foehn_matrix_vector(const fire_matrix *a, const double v[3], double out[3]);

/* ---- emitters ---- */

typedef struct fire_emitter {
    size_t first, count; /* in the buffer of points */
    double low[3], high[3];
    int max_count;
    foehn_fire_proxy *proxies;
} fire_emitter;

/* Proxies that one launch counts and one adds. */
typedef struct fire_batch {
    cl_int first, count, low[3], extent[3];
    size_t points; /* of the largest */
} fire_batch;

/* Active proxies as one grid sees them. */
typedef struct fire_proxies {
    int count, capacity, batch_count, batch_capacity;
    fire_proxy *list;
    fire_batch *batches;
    cl_mem buffer;
    int buffer_capacity;
} fire_proxies;

/* ---- colliders ---- */

typedef struct fire_mesh {
    int n[3];
    double voxel, origin[3];
    float *distance; /* on the host until it is in the buffer of all meshes */
    size_t offset;   /* there */
} fire_mesh;

/* Signed distances to a closed surface on a grid around it; allocates distance. */
foehn_status foehn_mesh_bake(const foehn_fire_mesh *mesh, fire_mesh *out);

/* What is not on the device; a checkpoint copies it. */
typedef struct fire_clock {
    uint64_t step;
    double time;    /* simulated */
    double waiting; /* of the caller's, not yet a whole step */
    double dropped;
    int32_t last_steps;
    int32_t parts;    /* of the last step: combustion.c */
    int64_t moved[3]; /* cells of the air that the box has gone along its axes: box.c */
} fire_clock;

struct foehn_fire {
    foehn_context *ctx;
    foehn_fire_params params;
    foehn_grid g, r; /* physics and render */
    double spacing[3], render_spacing[3];
    foehn_fire_pose start; /* of the box; params.pose is that of now */
    fire_matrix to_box;    /* from the world to the box's lower corner */
    fire_clock clock;
    uint64_t memory, launches;
    bool started;      /* a step was made since the start: wind no longer fills the box */
    char options[120]; /* that its programs are built with */

    cl_mem velocity[FIRE_VELOCITIES][3]; /* A, B, and scratch for MacCormack */
    int b;                               /* which of 1 and 2 is B; A is 0 */
    cl_mem omega, sdf, surface, wind;    /* planes of the physics grid: 4, 4, 3, 3 */
    cl_mem noise;
    bool noise_is_stale;
    cl_mem dye[FIRE_DYES]; /* four planes of the render grid; the third for MacCormack */
    int dye_now;
    cl_mem divergence; /* measured on demand; before that scratch of combustion.c */
    cl_mem budget;     /* NULL unless accounting */
    cl_mem packed;     /* for reading; made when first needed */
    foehn_pressure *pressure;

    /* Burning: combustion.c. */
    cl_mem burnt;          /* planes of the render grid: BURNT_ */
    cl_mem expansion;      /* of the physics grid: div u that is asked for */
    cl_mem lack;           /* and what its gas lacks of the air's density, over that */
    cl_mem eddies;         /* and the viscosity of the eddies below it, m2/s */
    cl_mem viscosity;      /* rho nu of eddies and molecules, rho over that of the air */
    cl_mem touched, awake; /* a byte a block: blocks.c */
    bool never_asleep;     /* for tests: blocks are computed all the same */
    cl_mem levels;         /* mean wind of each layer of cells, a row of ny for each component */
    cl_mem books, book_planes, factors, totals, haste;
    float *haste_rows;     /* on the host */
    bool levels_are_stale; /* the box has moved: they are of another place */
    bool masses_are_stale; /* the caller wrote */
    bool too_fast;         /* for the most parts that a step may have: no central transport */

    struct {
        foehn_fire_firebrands spec;
        double since;        /* simulated time when they were set */
        cl_mem list, planes; /* NULL: there are none; heat release of planes of the dye */
    } brands;

    int emitter_count;
    fire_emitter emitters[FIRE_EMITTERS];
    cl_mem points, counts;
    size_t point_count, counts_capacity;
    fire_proxies dye_proxies, air_proxies;
    bool proxies_are_stale;

    foehn_fire_collider *colliders[3]; /* by shape */
    fire_mesh *meshes;
    fire_collider *collider_list; /* active ones, as the kernel sees them */
    int collider_count;
    cl_mem collider_buffer, baked;
    bool colliders_are_stale;

    /* Host copies of what is on its way to the device. */
    struct {
        void *bytes;
        cl_event event;
    } staged[FIRE_STAGED];
    int next_staged;

    /* The picture's own. */
    struct {
        cl_mem pass, half[2], out, background, depth, land;
        size_t bytes[7]; /* of each */
    } picture;

    /* And that of a fire that burns: light.c. */
    struct {
        cl_mem table, sharp, optics, as_dye, blocks, slices, parts, sources, volume;
        int size[3], blocks_size[3], parts_size[3];
    } light;

    struct {
        foehn_kernel curl_noise, vorticity, advect, advect_correct, force, divergence, sweep_wide,
            project, sides, dye[2], dye_correct[2], count, emit, inject, budget, bake, openness,
            solids, march, bright, blur, compose, dye_rows, air_rows, pack, unpack, velocity,
            set_velocity, publish_dye, publish_burnt, publish_velocity, optics, soften, as_preset,
            occupy, slices, parts, illuminate, look, follow, develop, total, feed, lighten, eddies,
            transport, carry_pressure, inertia, fill_up, mix_round, burn, gather, less, haste,
            weigh_moved, sum_rows, balance, book, push, shift, rouse, wake, firebrand_planes,
            firebrand_launch, firebrand_fly, firebrand_shift;
    } kernel;
};

#define AIR(f, n) ARG((f)->velocity[n][0]), ARG((f)->velocity[n][1]), ARG((f)->velocity[n][2])

static inline bool foehn_fire_is_staggered(const foehn_fire *f)
{
    return f->params.layout == FOEHN_FIRE_STAGGERED;
}

static inline bool foehn_fire_burns(const foehn_fire *f)
{
    return f->params.mode == FOEHN_FIRE_BURN;
}

static inline foehn_size foehn_fire_cells(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx, (size_t)g->ny, (size_t)g->nz};
}

static inline foehn_size foehn_fire_faces(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx + 1, (size_t)g->ny + 1, (size_t)g->nz + 1};
}

/* Where velocity lives: cells or faces. */
static inline foehn_size foehn_fire_air(const foehn_fire *f)
{
    return foehn_fire_is_staggered(f) ? foehn_fire_faces(&f->g) : foehn_fire_cells(&f->g);
}

/* Pictures change their width while a program runs. */
static inline foehn_size foehn_fire_pixel_group(const foehn_fire *f)
{
    const size_t pixels = foehn_tuned(f->ctx)->pixels;
    return (foehn_size){pixels, pixels > 0, pixels > 0};
}

/* ---- lib/fire/params.c ---- */

foehn_status foehn_fire_take_params(const foehn_fire_params *given, foehn_fire_params *p);
/* Grids that parameters ask for, with their exact spacings. */
foehn_status foehn_fire_grid(const foehn_fire_params *p, double voxel, const char *name,
                             foehn_grid *g, double spacing[3]);

/* Velocities that a step needs: A, B, and one for MacCormack or the eddies of a fire that burns. */
static inline int foehn_fire_pairs(const foehn_fire_params *p)
{
    return p->velocity_transport != FOEHN_FIRE_SEMI_LAGRANGIAN || p->mode == FOEHN_FIRE_BURN ? 3
                                                                                             : 2;
}

/* Sweeps or cycles of a step: as many sweeps as carry pressure as far as the preset's do on its
 * grid. */
int foehn_fire_sweeps(const foehn_fire_params *p);

/* ---- fire.c ---- */

/* Write without a wait: the bytes are copied first. */
foehn_status foehn_fire_stage(foehn_fire *f, cl_mem buffer, size_t bytes, const void *from);

/* The curl noise, where it is needed and not made yet. */
foehn_status foehn_fire_refresh_noise(foehn_fire *f);
/* The kernels that carry the dye among the colliders that there are, where they are not yet. */
foehn_status foehn_fire_create_dye(foehn_fire *f);

/* ---- lib/fire/blocks.c ---- */

foehn_status foehn_fire_create_blocks(foehn_fire *f);
/* Something may be anywhere. */
foehn_status foehn_fire_rouse(foehn_fire *f);
/* For a part of a step with so many rounds of mixing. */
foehn_status foehn_fire_wake(foehn_fire *f, int rounds);

/* ---- lib/fire/box.c ---- */

/* to_box and params.pose from where the box began and how far it has gone. */
foehn_status foehn_fire_place_box(foehn_fire *f);

/* ---- lib/fire/firebrands.c: all do nothing where there are none ---- */

/* Those whose time comes within a step break off; all fly on by a part of it. */
foehn_status foehn_fire_launch_brands(foehn_fire *f, double dt);
foehn_status foehn_fire_fly_brands(foehn_fire *f, float dt);
foehn_status foehn_fire_restart_brands(foehn_fire *f);
/* The box has gone this way along its axes, m. */
foehn_status foehn_fire_shift_brands(foehn_fire *f, const double way[3]);
void foehn_fire_destroy_brands(foehn_fire *f);

/* ---- lib/fire/wind.c ---- */

/* Velocity of ghosts, or of everything, from the wind. */
foehn_status foehn_fire_sides(foehn_fire *f, cl_int all);

/* ---- lib/fire/emit.c ---- */

/* Bring the lists of active proxies up to date. */
foehn_status foehn_fire_refresh_proxies(foehn_fire *f);
/* Add to the dye buffer; draw the air of velocity pair n. */
foehn_status foehn_fire_emit(foehn_fire *f, cl_mem dye);
foehn_status foehn_fire_inject(foehn_fire *f, int n);
void foehn_fire_destroy_emitters(foehn_fire *f);

/* How many points of a batch's proxies reach each cell, into f->counts. */
foehn_status foehn_fire_count(foehn_fire *f, const foehn_grid *g, const fire_proxies *l,
                              const fire_batch *b);

/* ---- combustion.c: all do nothing in fires that do not burn, but burn() ---- */

foehn_fire_fuel foehn_fire_default_fuel(void);
foehn_status foehn_fire_create_combustion(foehn_fire *f);
void foehn_fire_destroy_combustion(foehn_fire *f);
foehn_status foehn_fire_restart_combustion(foehn_fire *f);
float foehn_fire_most_heat(const foehn_fire *f);
/* Rounds of mixing in a part of dt. */
int foehn_fire_rounds(const foehn_fire *f, float dt);
/* Parts of the next step of dt. */
foehn_status foehn_fire_divide(foehn_fire *f, double dt, int *parts);
/* S of the last burning on the air's grid; a divergence less that. */
foehn_status foehn_fire_expand(foehn_fire *f);
foehn_status foehn_fire_less(foehn_fire *f, cl_mem divergence);
foehn_status foehn_fire_weigh(foehn_fire *f);
/* Masses after the box has moved: what it left behind is carried out. */
foehn_status foehn_fire_weigh_shifted(foehn_fire *f);
/* Lift, eddies below the grid and the rest of the pressure act on velocity B; last: dt over that of
 * the pressure. */
foehn_status foehn_fire_inertia(foehn_fire *f, const fire_motion *m, double last);
/* Feed and burn the dye that the transport has moved; of the buffers of dye contents has what cubic
 * metres held before.  The dye of now ends in one of the two. */
foehn_status foehn_fire_burn(foehn_fire *f, float dt, int moved, int contents);
foehn_status foehn_fire_measure_burning(foehn_fire *f, foehn_fire_measures *m);

/* ---- collider.c ---- */

foehn_status foehn_fire_create_colliders(foehn_fire *f);
void foehn_fire_destroy_colliders(foehn_fire *f);
/* Bake what has changed since the last time. */
foehn_status foehn_fire_refresh_colliders(foehn_fire *f);
int foehn_fire_count_colliders(const foehn_fire *f);

/* ---- lib/fire/step.c ---- */

/* div of velocity pair n into a buffer. */
foehn_status foehn_fire_divergence(foehn_fire *f, int n, cl_mem out);
/* Book the dye's change: see kernels/fire/emit.cl. */
foehn_status foehn_fire_book(foehn_fire *f, cl_mem dye, cl_int emitted);

/* ---- fire_picture.c ---- */

/* Directions into the frame of the box. */
void foehn_fire_turn(const foehn_fire *f, const double v[3], double scale, f32 out[3]);
void foehn_fire_destroy_picture(foehn_fire *f);

/* ---- light.c ---- */

/* Radiance of a blackbody, kcd/m2, linear sRGB; blue is cut off at 0. */
void foehn_blackbody(double kelvin, double rgb[3]);
/* Light of a clear day, the sun at an elevation in degrees; world's axes, klx and kcd/m2. */
typedef struct fire_daylight {
    double sun[3], from[3];             /* illuminance across its rays; towards it */
    double sky[3], horizon[3], glow[3]; /* overhead; at the horizon, and towards the sun, more */
    double dome[3], below[3];           /* means of the sky; of the ground */
} fire_daylight;
void foehn_fire_daylight(double elevation, const float sun_from[3], const float ground[3],
                         fire_daylight *out);
foehn_status foehn_fire_create_light(foehn_fire *f);
void foehn_fire_destroy_light(foehn_fire *f);
/* What the dye looks like. */
foehn_status foehn_fire_see(foehn_fire *f);
/* Depth and motion of a picture, of what was last seen, into its pixels. */
foehn_status foehn_fire_follow(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q);
/* The pass of a picture, its alpha what it hides. */
foehn_status foehn_fire_look_at(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q);
/* The dye as the preset would have it. */
foehn_status foehn_fire_as_preset(foehn_fire *f, cl_mem *dye);

#endif
