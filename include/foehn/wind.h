/* SPDX-License-Identifier: MIT */
/** Turbulent wind over terrain: a box of cells around a centre or a site.
 *
 *  Log-law mean wind, divergence-free curl noise and travelling gusts force the field; it is
 *  advected (semi-Lagrangian, Stam 1999) and made divergence free by a pressure projection.
 *  Arrays are [nz][ny][nx], x fastest: x east, y up, z south. */
#ifndef FOEHN_WIND_H
#define FOEHN_WIND_H

#include <foehn/base.h>
#include <foehn/domain.h>
#include <foehn/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_wind foehn_wind;

typedef enum foehn_wind_scheme {
    FOEHN_WIND_COLLOCATED = 0, /**< velocity and pressure at cell centres, binary terrain, Jacobi */
    FOEHN_WIND_STAGGERED = 1   /**< velocity on faces (MAC), terrain by open-face fractions,
                                    multigrid: leaves no divergence that it was asked to remove */
} foehn_wind_scheme;

/** How the staggered scheme solves for pressure in each step. */
typedef enum foehn_wind_pressure {
    FOEHN_WIND_PRESSURE_MULTIGRID = 0, /**< V-cycles; F-cycles over terrain */
    FOEHN_WIND_PRESSURE_MGCG = 1       /**< conjugate gradients, a cycle each: for hard terrain */
} foehn_wind_pressure;

typedef enum foehn_wind_advection {
    FOEHN_WIND_SEMI_LAGRANGIAN = 0, /**< Stam 1999; never makes a new extremum */
    FOEHN_WIND_MACCORMACK = 1       /**< Selle et al. 2008, limited; staggered scheme only */
} foehn_wind_advection;

/** What terrain does to the faces of the staggered scheme. */
typedef enum foehn_wind_solids {
    FOEHN_WIND_SOLIDS_FRACTIONS = 0, /**< open-face fractions (cut cells): smooth ground */
    FOEHN_WIND_SOLIDS_BINARY = 1     /**< all or nothing: a staircase */
} foehn_wind_solids;

typedef enum foehn_wind_sides {
    FOEHN_WIND_SIDES_OPEN = 0, /**< ghost velocity = inside; back-traces stop at the side */
    FOEHN_WIND_SIDES_PERIODIC = 1
} foehn_wind_sides;

/** What drives the air. */
typedef enum foehn_wind_model {
    FOEHN_WIND_FORCING = 0,  /**< relaxation towards the profile, noise and gusts: real time */
    FOEHN_WIND_MOMENTUM = 1, /**< the equation of motion with a turbulence closure, to a steady
                                state: wind that separates behind hills */
    FOEHN_WIND_LES =
        2 /**< the large eddies of the wind as they blow, in time, and wakes that shed them */
} foehn_wind_model;

/** What stands for the eddies that the LES does not resolve. */
typedef enum foehn_wind_subgrid {
    FOEHN_WIND_SMAGORINSKY =
        0, /**< Smagorinsky 1963, Cs 0.14, matched to the ground (Mason and Thomson 1992) */
    FOEHN_WIND_MINIMUM_DISSIPATION = 1 /**< anisotropic minimum dissipation (Rozema et al. 2015), C
                                          0.212 */
} foehn_wind_subgrid;

/** What comes into the box of the LES. */
typedef enum foehn_wind_inflow {
    FOEHN_WIND_INFLOW_PRECURSOR =
        0,                  /**< a periodic box that is stepped along: eddies of their own */
    FOEHN_WIND_INFLOW_NOISE /**< the log law with curl noise of the surface layer's k, of
                                 noise_wavelength and half of it: at once and without that box; what
                                 is nearer than some wavelengths to the side is no turbulence yet */
} foehn_wind_inflow;

/** What closes the momentum model. */
typedef enum foehn_wind_closure {
    FOEHN_WIND_K_EPS = 0,   /**< turbulent energy and its dissipation (Launder and Spalding 1974) */
    FOEHN_WIND_K_LENGTH = 1 /**< turbulent energy and the length 0.4 (height + z0) */
} foehn_wind_closure;

/** What blows.  Set at any time; the field follows with the relaxation rate. */
typedef struct foehn_wind_state {
    float u10;  /**< wind speed at 10 m over open ground, m/s; 0 to 200; default 10 */
    float from; /**< where it blows from, degrees clockwise from north (-Z); any; default 270 */
    float gustiness; /**< 0 to 1; default 0.3 */
} foehn_wind_state;

typedef struct foehn_wind_params {
    size_t struct_size;       /**< set by foehn_wind_params_default(); leave alone */
    int nx, ny, nz;           /**< cells along x, y, z; 1 to 4096; default 64, 16, 64 */
    float spacing_horizontal; /**< cell size along x and z, m; 1e-6 to 1e9; default 4 */
    float spacing_vertical;   /**< cell size along y, m; 1e-6 to 1e9; default 4 */
    double center[3];         /**< centre of the box in the world, m, snapped to whole cells; y NaN:
                                   floor of the box at y = 0; default 0, NaN, 0 */
    foehn_wind_scheme scheme; /**< default FOEHN_WIND_STAGGERED */
    foehn_wind_sides sides;   /**< default FOEHN_WIND_SIDES_OPEN */
    int sweeps;             /**< collocated scheme: Jacobi sweeps a step; 1 to 10000; default 12 */
    float z0;               /**< roughness length, m; > 0, < 10; default 0.03 */
    float relaxation;       /**< rate towards the forcing, 1/s; >= 0; default 0.5 */
    float noise_amplitude;  /**< rms of the curl noise over gustiness * u10; >= 0; default 0.35 */
    float noise_wavelength; /**< of the long octave, m; 0: 8 horizontal cells (32 m at 4 m);
                                 default 0 */
    float max_speed;        /**< longer velocities are shortened to this, m/s (staggered: each
                                 component); 0: off; default 0 */
    uint64_t seed;          /**< of the noise and the gusts; default 1 */
    foehn_wind_state state; /**< at the start */
    foehn_wind_pressure pressure;   /**< staggered scheme; default FOEHN_WIND_PRESSURE_MULTIGRID */
    int cycles;                     /**< of it a step; 1 to 1000; default 1 */
    foehn_wind_advection advection; /**< default FOEHN_WIND_SEMI_LAGRANGIAN */
    foehn_wind_solids solids;       /**< staggered scheme; default FOEHN_WIND_SOLIDS_FRACTIONS */
    foehn_wind_model model;         /**< default FOEHN_WIND_FORCING */
    foehn_wind_closure closure;     /**< of the momentum model; default FOEHN_WIND_K_EPS */
    float divergence; /**< staggered forcing: a step's cycles go on until the largest |div u| is at
                         most this much of u10 over the horizontal spacing, or falls no more; waits
                         in each step; 0: just `cycles`, and no wait; 0 to 1; default 0 */
    foehn_domain *domain; /**< this part's, where several keep the box; nx to center are the whole
                             box's. Staggered, open sides.  All parts make all calls alike;
                             foehn_wind_read() and the checkpoints have their arrays on part 0,
                             others may hand in NULL; all else is told to all.  Such a wind is not
                             written to.  Default NULL: one part */
    foehn_wind_subgrid subgrid; /**< of the LES; default FOEHN_WIND_MINIMUM_DISSIPATION */
    float spin_up; /**< LES: time that the wind which comes in, or all of it in a periodic box, is
                        stepped from waves and noise before the first step, s; 0 to 1e5; default
                        600 */
    float obukhov; /**< Monin-Obukhov length, m: of foehn_wind_solve() and of the momentum model,
                        whose undisturbed profile follows phi_m = 1 + 5 z/L, from z = L up 6, or
                        (1 - 16 z/L)^(-1/4) (Businger and Dyer), and whose turbulence loses
                        z/(L phi_m) of what shear makes to buoyancy; > 0: stable, < 0: unstable; at
                        least 5 in size; 0: neutral; default 0 */
    foehn_wind_inflow inflow; /**< of the LES with open sides; default the precursor */
} foehn_wind_params;

FOEHN_API void foehn_wind_params_init(foehn_wind_params *params, size_t size);
static inline foehn_wind_params foehn_wind_params_default(void)
{
    foehn_wind_params params;
    foehn_wind_params_init(&params, sizeof params);
    return params;
}

/** Set cells and sweeps to a named quality: "low" 32x8x32, "medium" 48x12x48, "high" 64x16x64,
 *  "ultra" 96x24x96 cells with 10, 10, 12, 40 sweeps.  FOEHN_ERROR_ARGUMENT: no such name. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_params_set_quality(foehn_wind_params *params,
                                                                      const char *quality);

/** Bytes of device memory that such a wind holds, without making it (volumes and means excluded; of
 *  the staggered scheme within 5 %: its solver's small levels depend on the device). */
FOEHN_API FOEHN_MUST_CHECK foehn_status
foehn_wind_params_get_memory(const foehn_wind_params *params, uint64_t *bytes);

/** Make a wind that starts as the undisturbed profile over flat ground at y = 0.
 *
 *  params   NULL for the defaults; nothing of it is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a parameter out of its range
 *           FOEHN_ERROR_MEMORY    larger than the device allows; the error says both numbers
 *           FOEHN_ERROR_BUILD     a kernel does not build on the device
 *           FOEHN_ERROR_OPENCL    the device failed */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_create(foehn_context *ctx,
                                                          const foehn_wind_params *params,
                                                          foehn_wind **out);

FOEHN_API void foehn_wind_destroy(foehn_wind *wind);

/** Heights of the ground on a regular grid, sampled bilinearly, and beyond its edge the nearest. */
typedef struct foehn_terrain {
    int nx, nz;           /**< samples along x and z; 1 to 32768 */
    double origin[2];     /**< world x and z of sample (0, 0), m */
    double spacing[2];    /**< between samples along x and z, m; > 0 */
    const float *heights; /**< world y of the ground, m: [nz][nx]; copied; all finite */
    const float *z0; /**< roughness length of the same samples, m; as foehn_wind_set_roughness()
                        takes it; NULL: the roughness stays as it is */
} foehn_terrain;

/** Put the wind over terrain, and over its roughness where it has one; NULL: flat ground at y = 0.
 *  Cells whose centre lies under the ground are solid from the next step on; a cell that is no
 *  longer solid starts from rest.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_terrain(foehn_wind *wind,
                                                               const foehn_terrain *terrain);

/** Roughness lengths of the ground on samples of their own: a map like that of heights, whose
 *  `heights` (its `z0` is not looked at) are z0 in m, more than 0 and less than 10; between samples
 *  ln z0 is bilinear.  NULL: that of the parameters everywhere, which is always that of the wind
 *  that comes in.  The momentum model starts anew with it; foehn_wind_solve() takes in each column
 *  the log profile of its z0 that meets the incoming one at 60 m, the blending height (Wieringa
 *  1986); foehn_wind_read_points() follows the local log law.  Steps of the forcing model ignore
 *  it.
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_roughness(foehn_wind *wind,
                                                                 const foehn_terrain *map);

/** Trees on a regular grid: between samples bilinear, and beyond its edge the nearest. */
typedef struct foehn_canopy {
    int nx, nz;          /**< samples along x and z; 1 to 32768 */
    double origin[2];    /**< world x and z of sample (0, 0), m */
    double spacing[2];   /**< between samples along x and z, m; > 0 */
    const float *height; /**< m: [nz][nx]; 0 (no trees) to 150; copied */
    const float
        *leaf_area; /**< m2 of leaves, one side, a m2 of ground: [nz][nx]; 0 to 20; copied */
    float drag;     /**< Cd; > 0, <= 2; 0.15 in Shaw and Schumann (1992) */
} foehn_canopy;

/** Let trees drag on the air of the momentum model with k and eps by -Cd a |u| u (Shaw and Schumann
 *  1992), the leaves a of a column densest at 0.7 of its height (Lalic and Mihailovic 2004); eps
 *  gains 12 sqrt(Cmu) (C2 - C1) Cd a |u| eps (Sogachev and Panferov 2006).  For trees of four cells
 *  and more; lower ones are a roughness.  The roughness is then that of the ground under them.
 *  NULL: none.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT (also: another model), FOEHN_ERROR_MEMORY */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_canopy(foehn_wind *wind,
                                                              const foehn_canopy *canopy);

/** The wind at 10 m over ground of the parameters' z0, on a regular grid: bilinear, and beyond its
 *  edge the nearest. */
typedef struct foehn_wind_map {
    int nx, nz;        /**< samples along x and z; 1 to 32768 */
    double origin[2];  /**< world x and z of sample (0, 0), m */
    double spacing[2]; /**< between samples along x and z, m; > 0 */
    const float *u,
        *w;       /**< towards +x (east) and +z (south), m/s: [nz][nx]; copied; 200 m/s at most */
    double depth; /**< height above the ground over which what it has more than the state's wind
                     falls to 1/e, m; 0: it does not */
} foehn_wind_map;

/** Let foehn_wind_solve() start from a wind that varies over the box, in place of the state's: from
 *  a weather model, or from stations.  NULL: the state's again.  Steps, and other models, ignore
 *  it.
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_map(foehn_wind *wind,
                                                           const foehn_wind_map *map);

/** Change what blows.  The field follows smoothly; the momentum model starts anew from the field
 *  that it has, turned and grown, where the direction changes by less than 15 degrees, else from
 *  the undisturbed column; the LES starts anew, with its spin-up, where speed or direction changed.
 *  FOEHN_ERROR_ARGUMENT: out of range. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_state(foehn_wind *wind,
                                                             const foehn_wind_state *state);

FOEHN_API void foehn_wind_get_state(const foehn_wind *wind, foehn_wind_state *state);

/** Let the box follow a centre (world x, y, z, m; each within 1e12) in whole cells, from the next
 *  step on.  What was inside keeps its values; freshly exposed cells start from the profile. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_center(foehn_wind *wind,
                                                              const double center[3]);

/** Advance by one step.  Enqueues work and returns; reading waits.
 *
 *  dt       s; > 0, at most 1e6
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  dt is out of range; the wind is unchanged
 *           FOEHN_ERROR_OPENCL    the device failed; only destroy the wind now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_step(foehn_wind *wind, float dt);

/** How a mass-consistent field was found. */
typedef struct foehn_wind_solution {
    int cycles;      /**< pressure cycles it took */
    double residual; /**< rms divergence left over rms divergence of the forcing; 0: nothing is left
                          but rounding, as over flat ground from the start */
    double mass_in;  /**< what flows in through the sides, m3/s */
    double mass_imbalance; /**< net outflow through all faces of the box over mass_in */
} foehn_wind_solution;

/** Set the field to the mean wind over the terrain: the log profile above the ground, made mass
 *  consistent (Sasaki 1958), without noise and gusts.  Staggered scheme.  Waits.
 *
 *  reduction  stop when the residual is this fraction of the forcing's divergence; > 0, < 1
 *  cycles     at most; the solution tells how many it took
 *  Returns    FOEHN_OK, FOEHN_ERROR_ARGUMENT (also: collocated scheme, momentum model),
 *             FOEHN_ERROR_OPENCL, FOEHN_ERROR_MEMORY */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_solve(foehn_wind *wind, double reduction,
                                                         int cycles, foehn_wind_solution *solution);

/** How far the momentum model or the LES has come. */
typedef struct foehn_wind_progress {
    uint64_t steps;
    double dt;         /**< of the last step; of the LES the longest substep, s */
    double time;       /**< since the start, of the momentum model in pseudo-time, s */
    double flush_time; /**< the box's volume over what the undisturbed wind brings in a second, s;
                            0 without wind */
    double mass_in;    /**< what flows in through the sides, m3/s */
    double mass_imbalance; /**< net outflow through all faces of the box over mass_in */
} foehn_wind_progress;

/** Momentum model and LES.  Waits.  FOEHN_ERROR_ARGUMENT: another model. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_get_progress(foehn_wind *wind,
                                                                foehn_wind_progress *progress);

/** How near a steady wind is to rest. */
typedef struct foehn_wind_settling {
    foehn_wind_progress progress;
    double flushes; /**< time over flush_time */
    double drift; /**< rms change of the mean over a quarter of a flush from one to the next, at the
                     height, over the mean speed there, in a flush; NaN: not known yet */
    double unrest; /**< rms of what moved about that mean, over the mean speed; NaN: not known yet.
                      0.01 and more after some flushes: something sheds or sways, and does not come
                      to rest */
    int settled;   /**< 1: the drift is below what was asked for */
} foehn_wind_settling;

typedef struct foehn_wind_settle_params {
    size_t struct_size; /**< set by foehn_wind_settle_params_default(); leave alone */
    double height; /**< above the ground, where it is looked at, m; > 0, at most 1e5; default 10 */
    double drift;  /**< that counts as rest; > 0, < 1; default 0.005 */
    double least_flushes; /**< before the drift is believed; >= 0; default 1 */
    double most_flushes;  /**< since the start; least_flushes to 1e6; default 12 */
    uint64_t most_steps;  /**< of this call; >= 1; default 20000 */
    /** Called after every tenth step, may read the wind, its checkpoint too; what is not 0 ends the
     *  run; default NULL. */
    int (*report)(const foehn_wind_settling *so_far, void *data);
    void *data; /**< for report; default NULL */
} foehn_wind_settle_params;

FOEHN_API void foehn_wind_settle_params_init(foehn_wind_settle_params *params, size_t size);
static inline foehn_wind_settle_params foehn_wind_settle_params_default(void)
{
    foehn_wind_settle_params params;
    foehn_wind_settle_params_init(&params, sizeof params);
    return params;
}

/** Step the momentum model until the mean flow at a height drifts no more.  A call goes on where
 *  the last one ended, also after a checkpoint, unless steps were made in between or another wind
 *  blows.  Waits.
 *
 *  params   NULL for the defaults
 *  out      how it ended; may be NULL.  A wind that did not settle is one that sheds or sways, or
 *           had too few steps: no failure
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a parameter out of its range, or another model; the wind is
 *                                 unchanged
 *           FOEHN_ERROR_UNSTABLE  a value is not finite
 *           FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_settle(foehn_wind *wind,
                                                          const foehn_wind_settle_params *params,
                                                          foehn_wind_settling *out);

typedef struct foehn_wind_info {
    int nx, ny, nz;
    double origin[3];  /**< lower corner of the box, m */
    double extent[3];  /**< m */
    double spacing[3]; /**< m */
    uint64_t step;
    double time;           /**< simulated, s */
    int gusts;             /**< bands that are alive */
    uint64_t gusts_so_far; /**< bands since the start */
    int samples;           /**< steps in the running mean */
    uint64_t memory_bytes; /**< of device memory held by this wind */
    uint64_t cycles; /**< of pressure in the steps made so far, not those before a checkpoint that
                        was taken up; of the staggered forcing, else 0 */
} foehn_wind_info;

FOEHN_API void foehn_wind_get_info(const foehn_wind *wind, foehn_wind_info *info);

/** Columns that a part of params.domain keeps; without one, all.  FOEHN_ERROR_ARGUMENT: no such
 *  part. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_get_block(const foehn_wind *wind, int part,
                                                             foehn_domain_block *block);

/** A travelling gust band. */
typedef struct foehn_gust {
    float position;  /**< along the direction of travel from the world origin, m */
    float strength;  /**< peak speed added along the direction, m/s */
    float speed;     /**< of the band, m/s */
    float width;     /**< m */
    float toward[2]; /**< unit vector of travel, x and z */
} foehn_gust;

/** The live bands, 16 at most.  Returns their number. */
FOEHN_API int foehn_wind_get_gusts(const foehn_wind *wind, int capacity, foehn_gust *gusts);

typedef enum foehn_wind_field {
    FOEHN_WIND_U = 0,      /**< velocity towards +x (east) at cell centres, m/s */
    FOEHN_WIND_V = 1,      /**< towards +y (up), m/s */
    FOEHN_WIND_W = 2,      /**< towards +z (south), m/s */
    FOEHN_WIND_PRESSURE,   /**< pressure increment of the projection, m2/s */
    FOEHN_WIND_CURL,       /**< |u_curl| of the forcing, m/s */
    FOEHN_WIND_DIVERGENCE, /**< by the scheme's own operator, 1/s; read only */
    FOEHN_WIND_SOLID,      /**< 1 in solid cells, else 0; read only */
    FOEHN_WIND_MEAN_U,     /**< running means; read only, need foehn_wind_set_averaging() */
    FOEHN_WIND_MEAN_V,
    FOEHN_WIND_MEAN_W,
    FOEHN_WIND_MEAN_SPEED,
    FOEHN_WIND_STD_SPEED,   /**< standard deviation of the speed over the samples, m/s; LES: with
                               what it does not resolve */
    FOEHN_WIND_K,           /**< turbulent kinetic energy, m2/s2; read only, momentum model and LES:
                               of the running mean, resolved and not, or where there is none what is
                               not resolved now */
    FOEHN_WIND_DISSIPATION, /**< of it, m2/s3; read only, momentum model with FOEHN_WIND_K_EPS */
    FOEHN_WIND_VISCOSITY, /**< eddy viscosity, m2/s; read only, momentum model; LES: of what it does
                             not resolve */
    FOEHN_WIND_COVARIANCE_UU, /**< resolved Reynolds stresses over the density of the air, mean of
                                 u'u', m2/s2; read only, LES, need foehn_wind_set_averaging() */
    FOEHN_WIND_COVARIANCE_VV,
    FOEHN_WIND_COVARIANCE_WW,
    FOEHN_WIND_COVARIANCE_UV,
    FOEHN_WIND_COVARIANCE_UW,
    FOEHN_WIND_COVARIANCE_VW,
} foehn_wind_field;

/** Read a field in logical order, [nz][ny][nx] floats.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read(foehn_wind *wind, foehn_wind_field field,
                                                        float *out);

/** The same of some levels, [nz][count][nx] floats: so that nobody has to hold a whole field.  Each
 *  call makes anew what is made when it is read: few calls with many levels each are the fastest.
 *
 *  first    the lowest one; 0 to ny - 1
 *  count    how many; 1 to ny - first
 *  FOEHN_ERROR_ARGUMENT: the box has no such levels. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_levels(foehn_wind *wind,
                                                               foehn_wind_field field, int first,
                                                               int count, float *out);

/** Overwrite a field: U, V, W, PRESSURE or CURL, [nz][ny][nx].  Solid cells are set to 0 by the
 *  next step.  FOEHN_ERROR_ARGUMENT: a field that is read only. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_write(foehn_wind *wind, foehn_wind_field field,
                                                         const float *in);

/** Height of the ground under each column of cells, world y in m: [nz][nx].  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_ground(foehn_wind *wind, float *out);

/** What the ground takes of the wind under each column of cells: [nz][nx][3], stress on the ground
 *  over the density of the air along x and z, m2/s2, and friction velocity u*, m/s; u*^2 is the
 *  length of the stress, its part along y on slopes included.  Momentum model and LES, of whose
 *  running mean it is where there is one; FOEHN_ERROR_ARGUMENT: another.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_stress(foehn_wind *wind, float *out);

/** Start (1) or stop (0) a running mean of velocity and speed over the following steps. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_averaging(foehn_wind *wind, int on);

/** Wind at points, by world x, height above the ground, world z: [count][3], m.
 *
 *  Between cell centres of a column the ratio to the log profile is linear, so a point under the
 *  lowest centre follows the log law.  Outside the box the nearest column counts.
 *
 *  mean     0: now; 1: the running mean
 *  out      [count][4]: u, v, w in m/s and turbulence intensity (now: |u_curl| / max(|u|, 0.1);
 *           mean: std of speed / mean speed).  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_points(foehn_wind *wind, int mean,
                                                               size_t count, const double *points,
                                                               float *out);

/** Turbulence at such points, of the field as it is: [count][2], turbulent kinetic energy k in
 *  m2/s2 and eddy viscosity in m2/s.  Momentum model and LES, as FOEHN_WIND_K says;
 *  FOEHN_ERROR_ARGUMENT: another.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_turbulence(foehn_wind *wind, size_t count,
                                                                   const double *points,
                                                                   float *out);

typedef struct foehn_wind_stats {
    double mean_speed_10m;       /**< over all columns at 10 m above ground, m/s */
    double mean_abs_divergence;  /**< over fluid cells, by the scheme's own operator, 1/s */
    double max_abs_divergence;   /**< 1/s */
    double max_speed;            /**< m/s */
    double turbulence_intensity; /**< at 10 m: std over columns and time of speed / mean */
    double pressure_residual;    /**< rms residual after the last step's solve over that before it;
                                      NaN unless foehn_wind_set_measuring() was on */
} foehn_wind_stats;

/** 1: every step also measures its pressure solve (two launches more a step). */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_set_measuring(foehn_wind *wind, int on);

/** Measure the field as it is.  Waits.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_UNSTABLE  a value is not finite, or the LES has run away: more than a
 *                                 hundredth of its cells are faster than three times the
 *                                 undisturbed wind at the lid, or than 0.7 of the speed that its
 *                                 substeps hold; the error names step and cell */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_stats(foehn_wind *wind,
                                                              foehn_wind_stats *stats);

/** Publish the field into the volume's next slot.  Enqueues work and returns.  The volume must have
 *  the wind's size and context.
 *
 *  Of a wind in parts: either each part hands in a volume of its own block's size
 *  (foehn_wind_get_block()), which has the origin and extent of the block; or part 0 one of the
 *  whole box and all others NULL, and what they have is gathered, which waits.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  the volume's size or context; of parts, one is gathered and
 *                                 another is not; the volume is unchanged
 *           FOEHN_ERROR_PART      another part's volume does not fit, or it is out of reach
 *           FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_write_volume(foehn_wind *wind,
                                                                foehn_volume *volume);

/** foehn_wind_step() and foehn_wind_write_volume() in one: the last pass of the step packs the
 *  voxels as well where the device gains by it, which saves GPUs a launch.  The same field and the
 *  same halves, to half a unit in the last place; in a domain to the bit.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  dt, or the volume's size or context; wind and volume are
 *                                 unchanged
 *           FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL  as from the two; only destroy them now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_step_and_write_volume(foehn_wind *wind, float dt,
                                                                         foehn_volume *volume);

/** The whole state as bytes: a wind made with the same parameters and terrain on the same kind of
 *  device goes on bit for bit.  Not portable between versions. */
FOEHN_API size_t foehn_wind_get_checkpoint_size(const foehn_wind *wind);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_read_checkpoint(foehn_wind *wind, size_t size,
                                                                   void *bytes);

/** FOEHN_ERROR_ARGUMENT: the bytes are not of such a wind; it is unchanged. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_wind_write_checkpoint(foehn_wind *wind, size_t size,
                                                                    const void *bytes);

#ifdef __cplusplus
}
#endif
#endif
