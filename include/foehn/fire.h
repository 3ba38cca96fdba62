/* SPDX-License-Identifier: MIT */
/** Fire and smoke in a box: velocity, smoke, heat, emitters, colliders and the picture of it.
 *
 *  The box has a frame of its own, which a rotation and a position put into the world. Two grids
 *  fill it: the **render grid** carries the dye (density, temperature, age, tint), the coarser
 *  **physics grid** velocity, pressure, vorticity and the distance to colliders.  Arrays are
 *  [nz][ny][nx], x fastest, over the axes of the box; vectors, too, are along the axes of the box.
 *  Density and temperature are in the units of the method: density 0 to 1, temperature about 0 to
 *  10 (white).  A fire that burns (FOEHN_FIRE_BURN) is in SI units: it burns a fuel that emitters
 *  give off in kilowatts, its temperature is in kelvin, its density the light that it stops, 1/m.
 *
 *  Fedkiw, Stam and Jensen 2001 (smoke, confinement), Stam 1999 (semi-Lagrangian), Selle et al.
 *  2008 (MacCormack), Bridson et al. 2007 (curl noise); doc/fire.md has every formula. */
#ifndef FOEHN_FIRE_H
#define FOEHN_FIRE_H

#include <foehn/base.h>
#include <foehn/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_fire foehn_fire;

typedef enum foehn_fire_transport {
    FOEHN_FIRE_SEMI_LAGRANGIAN = 0, /**< never makes a new extremum */
    FOEHN_FIRE_MACCORMACK = 1,      /**< second order, limited to the values around the trace */
    FOEHN_FIRE_CENTRAL =
        2 /**< velocity of fires that burn: second order, loses nothing to the grid */
} foehn_fire_transport;

typedef enum foehn_fire_pressure {
    FOEHN_FIRE_JACOBI = 0,    /**< `sweeps` sweeps from the last step's pressure */
    FOEHN_FIRE_MULTIGRID = 1, /**< `cycles` F-cycles from the last step's pressure */
    FOEHN_FIRE_WIDE = 2       /**< `sweeps` sweeps over neighbours two cells away, the Laplacian of
                                 central divergence and gradient: less divergence is left; not for
                                 the staggered layout */
} foehn_fire_pressure;

typedef enum foehn_fire_layout {
    FOEHN_FIRE_COLLOCATED = 0, /**< velocity at cell centres */
    FOEHN_FIRE_STAGGERED = 1   /**< each component on the cell faces across it (MAC) */
} foehn_fire_layout;

typedef enum foehn_fire_mode {
    FOEHN_FIRE_PRESET = 0, /**< smoke and heat that emitters put there, in the method's units */
    FOEHN_FIRE_BURN = 1    /**< fuel and air become products, heat and soot, and the heat makes room
                                for itself; wants the staggered layout and multigrid:
                                foehn_fire_params_burn() */
} foehn_fire_mode;

/** What burns, as a vapour. */
typedef struct foehn_fire_fuel {
    float heat;       /**< of combustion, MJ/kg; > 0 */
    float air;        /**< kg of air that a kg burns with; > 0 */
    float soot_yield; /**< kg of soot that leaves the flame for each kg burnt; 0 to 1 */
    float flame_soot; /**< kg of soot that each kg burnt makes inside the flame, where it glows;
                         what is beyond the yield burns off in hot air; soot_yield to 1 */
    float radiative;  /**< share of the heat that leaves as radiation; 0 to 1 */
    float albedo;     /**< share of the light that its smoke stops which it scatters; 0 to 1 */
    float blue;       /**< brightness of the blue light of the reaction itself; >= 0 */
} foehn_fire_fuel;

/** The table of fuels: name of row `index`, its numbers in *fuel (may be NULL); NULL beyond the
 *  last.  doc/fire.md has the sources. */
FOEHN_API const char *foehn_fire_fuel_get(int index, foehn_fire_fuel *fuel);

/** A rotation about the origin, then a translation. The quaternion (x, y, z, w) is normalised by
 *  the library; (0, 0, 0, 1) turns nothing. (0, 0, 0, 0) is FOEHN_ERROR_ARGUMENT. */
typedef struct foehn_fire_pose {
    double rotation[4];
    double position[3]; /**< m */
} foehn_fire_pose;

static inline foehn_fire_pose foehn_fire_pose_default(void)
{
    foehn_fire_pose pose = {{0, 0, 0, 1}, {0, 0, 0}};
    return pose;
}

/** Everything of a fire that is chosen once. The defaults are the preset, made for the default
 *  grids; constants that it gives per step or voxel are turned into physical ones with the default
 *  voxel, so that other voxel widths give the same motion.  "Step" is a fixed step; its simulated
 *  length is speed / 30 s. */
typedef struct foehn_fire_params {
    size_t struct_size; /**< set by foehn_fire_params_default(); leave alone */

    /* The box. */
    double size[3];       /**< of the box along its axes, m; > 0; default 7.6200376, 5.9751163,
                               3.7697034 */
    foehn_fire_pose pose; /**< of the box; position is that of its centre; heat rises along world
                               Y; default unturned at (0, size[1] / 2, 0): floor at y = 0 */
    double render_voxel;  /**< width, m; each axis is rounded to whole voxels, 2 to 1024; > 0;
                               default 7.6200376 / 100 (a grid of 100 x 78 x 49) */
    double physics_voxel; /**< the same; default 7.6200376 / 80 (80 x 63 x 40) */

    /* Time. */
    float speed;   /**< simulated seconds in a second of the caller's; > 0; default 1.5 */
    int max_steps; /**< most steps in one update; time beyond is dropped and reported;
                        1 to 1000; default 4 */

    /* Methods. */
    foehn_fire_transport velocity_transport; /**< default FOEHN_FIRE_SEMI_LAGRANGIAN */
    foehn_fire_transport dye_transport;      /**< default FOEHN_FIRE_SEMI_LAGRANGIAN */
    foehn_fire_layout layout;                /**< default FOEHN_FIRE_COLLOCATED */
    foehn_fire_pressure pressure;            /**< default FOEHN_FIRE_JACOBI */
    int sweeps; /**< Jacobi sweeps a step at the default physics voxel, odd or even; at
                     another width times (default / width)^2 and at least 1, so that
                     pressure reaches as far; 1 to 1000; default 4 */
    int cycles; /**< multigrid cycles a step; 1 to 100; default 2 */

    /* Motion. */
    float confinement;     /**< vorticity confinement; >= 0; default 7.01 */
    float buoyancy;        /**< upward, m/s2 for temperature 1; any; default 2.3729 */
    float smoke_weight;    /**< downward, m/s2 for density 1; any; default 0.15 */
    float damping;         /**< of velocity, 1/s; >= 0; default 0.25 */
    float turbulence;      /**< strength of the curl noise, and of detail in the picture; >= 0;
                                default 0.2 */
    float noise_frequency; /**< of the curl noise, over the height of the box; > 0; default 6.81 */
    float noise_decay;     /**< of turbulence with the age of the smoke, 1/s; >= 0; default 0.76 */
    float curl_multiplier; /**< of the curl noise; >= 0; default 5.82 */
    uint64_t seed;         /**< of the curl noise; default 0 */

    /* Smoke and heat. */
    float dissipation;      /**< of density and tint, 1/s; >= 0; default 1.02 */
    float cooling;          /**< of temperature, 1/s; >= 0; default 0.4831 */
    float emit_density;     /**< of every emitter; >= 0; default 0.644 */
    float emit_temperature; /**< of every emitter; >= 0; default 8.5 */

    /* Colliders. */
    float friction;           /**< of surfaces, 0 (slip) to 1; default 0.9 */
    float angular_multiplier; /**< of the angular velocity of colliders; any; default 1.36 */
    float collision_margin; /**< share of the distance that is taken off; 0 to < 1; default 0.034 */
    int max_boxes;          /**< slots; 0 to 256; default 16 */
    int max_ellipsoids;     /**< slots; 0 to 256; default 16 */
    int max_meshes;         /**< slots of mesh colliders; 0 to 64; default 4 */

    /* Picture. */
    int march_steps;  /**< samples along a ray; 1 to 1024; default 22 */
    float pass_scale; /**< resolution of the fire over that of the picture; 0.1 to 1; default
                           0.75 */
    float radiance;   /**< T^3 * radiance + 1; >= 0; default 14.78 */
    float palette_temperature; /**< temperature at the white end of the palette; > 0; default 10 */

    int account; /**< 1: keep the smoke's budget of every step (foehn_fire_measures), for
                      two short launches a step more; default 0; not for fires that burn,
                      which always keep theirs */

    /* Burning: only for FOEHN_FIRE_BURN, where `buoyancy` is a factor of g (T - T0) / T0, and the
     * preset's smoke_weight, turbulence and its noise, dissipation, cooling, emit_density,
     * emit_temperature, radiance, march_steps, pass_scale and palette_temperature do nothing.  The
     * air around has T0 = 293.15 K. */
    foehn_fire_mode mode; /**< default FOEHN_FIRE_PRESET */
    foehn_fire_fuel fuel; /**< of all emitters; default propane */
    float ignition;       /**< temperature from which on fuel and air burn, K; 0: always (lit);
                               0 to 2000; default 0 */
    float expansion;      /**< factor of the room that heat makes; 0 to 4; default 1 */
    float flame_length;   /**< factor of the time that fuel and air take to mix; > 0; default 1 */
    float cfl;            /**< a step is divided so that no air crosses more voxels in a part,
                               along all three axes together; 0.1 to 20, with central transport
                               no more than 1.7 counts; default 1.4 */
    int floor;            /**< 1: the lower side of the box is ground; default 0 */
    int active; /**< 1: smoke and heat are computed in blocks of 8^3 voxels that hold anything
                     but clean air and in those beside them; gas within 1e-3 K, 1e-6 of fuel
                     and products and 1e-7 of soot of clean air becomes clean; default 0 */
} foehn_fire_params;

FOEHN_API void foehn_fire_params_init(foehn_fire_params *params, size_t size);
static inline foehn_fire_params foehn_fire_params_default(void)
{
    foehn_fire_params params;
    foehn_fire_params_init(&params, sizeof params);
    return params;
}

/** Those of a fire that burns propane in real time: mode, staggered layout, multigrid, MacCormack
 *  transport of both, 5 cycles, speed 1, ground, buoyancy 1; no confinement, damping, turbulence.
 */
FOEHN_API void foehn_fire_params_burn(foehn_fire_params *params);

/** Bytes of device memory that such a fire holds at least, without making it (emitters' points,
 *  baked meshes and pictures come on top). FOEHN_ERROR_ARGUMENT: a parameter out of its range. */
FOEHN_API FOEHN_MUST_CHECK foehn_status
foehn_fire_params_get_memory(const foehn_fire_params *params, uint64_t *bytes);

/** Make a fire: still air, no smoke, no emitters, no colliders.
 *
 *  params   NULL for the defaults; nothing of it is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a parameter out of its range
 *           FOEHN_ERROR_MEMORY    larger than the device allows; the error says both numbers
 *           FOEHN_ERROR_BUILD     a kernel does not build on the device
 *           FOEHN_ERROR_OPENCL    the device failed */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_create(foehn_context *ctx,
                                                          const foehn_fire_params *params,
                                                          foehn_fire **out);
FOEHN_API void foehn_fire_destroy(foehn_fire *fire);

/** Back to the start: time 0, still air or the wind, no smoke. Emitters, colliders, wind stay. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_restart(foehn_fire *fire);

/** Let dt seconds of the caller's time pass: as many fixed steps of 1/30 s as have become whole, at
 *  most params.max_steps; whole steps beyond are dropped and added to info.dropped_time. 0 is a
 *  pause: nothing changes.  Enqueues work and returns.
 *
 *  dt       s; >= 0 and finite
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  dt out of its range; the fire is unchanged
 *           FOEHN_ERROR_OPENCL    the device failed; only destroy the fire now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_update(foehn_fire *fire, double dt);

/** Exactly one fixed step, whatever time has passed.  Otherwise like foehn_fire_update(). */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_step(foehn_fire *fire);

/** Let the box of a fire that burns go to where its centre is nearest to this place, by whole cells
 *  of both grids: what it still holds stays where it is in the world, bit for bit; clean air in the
 *  wind comes in ahead, what is left behind counts as carried.  Over a floor it goes level.  A wind
 *  that is not the same everywhere is to be set again.
 *
 *  center   in the world, m; finite
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  not finite, further than 10^9 cells, or a fire of the preset
 *           FOEHN_ERROR_OPENCL    the device failed; only destroy the fire now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_set_center(foehn_fire *fire,
                                                              const double center[3]);

typedef struct foehn_fire_info {
    int render_cells[3];      /**< voxels of the render grid along x, y, z */
    int physics_cells[3];     /**< and of the physics grid */
    double render_spacing[3]; /**< their sides, m */
    double physics_spacing[3];
    double size[3];        /**< of the box, m */
    foehn_fire_pose pose;  /**< of the box */
    uint64_t step;         /**< fixed steps made */
    int last_steps;        /**< of those, by the last update */
    double time;           /**< simulated, s */
    double step_time;      /**< simulated length of a step, s */
    double waiting_time;   /**< of the caller's, not yet a whole step, s */
    double dropped_time;   /**< of the caller's, lost to params.max_steps since the start, s */
    int march_steps;       /**< of the picture */
    int sweeps;            /**< pressure sweeps that a step makes; multigrid: cycles */
    int emitters, proxies; /**< definitions; active proxies */
    int colliders;         /**< active */
    uint64_t memory_bytes; /**< of device memory held by this fire */
    uint64_t launches;     /**< kernels launched by steps, pictures and measures of this fire */
    int parts;             /**< that the last step was divided into; 1 without burning */
} foehn_fire_info;

FOEHN_API void foehn_fire_get_info(const foehn_fire *fire, foehn_fire_info *info);

/* ---- emitters ---- */

/** A set of points that gives off smoke and heat wherever one of its proxies is: the vertices of a
 *  mesh, points spread over its surface, or any others. Each point stands for a cube of one voxel
 *  of the default render grid: the same points emit the same amount on every grid. */
typedef struct foehn_fire_emitter {
    size_t count;             /**< points; 1 to 16777216 */
    const float (*points)[3]; /**< in the emitter's own frame, m; copied; all finite */
    int max_count;            /**< proxies; 1 to 256 */
} foehn_fire_emitter;

/** One place where the points of an emitter emit. Per step and point, into each voxel of its
 *  footprint: density emit_density / 20 * multiplier (the sum is clamped to 1), and where that is >
 *  0 temperature emit_temperature * 0.05. */
typedef struct foehn_fire_proxy {
    foehn_fire_pose pose; /**< of the points in the world */
    float velocity[3];    /**< in the world, m/s, given to the air; 0 leaves the air alone */
    int active;           /**< 0: emits nothing */
    float multiplier;     /**< >= 0; 13 is the preset for a broad mesh, 22 for a special object */
    float tint;           /**< share of the density that shows in the special colour; >= 0 */
    float brush_radius;   /**< m; >= 0; 0: the voxel that holds the point; else also every voxel
                               with its centre within this distance */
    float power;          /**< fires that burn: heat of the fuel that it gives off, spread over the
                               voxels that its points reach outside colliders, kW; >= 0 */
    float temperature;    /**< fires that burn: a pilot: gas in those voxels is kept at least this
                               hot, K; 0 to 3000; 0: no pilot */
} foehn_fire_proxy;

/** At the origin, unturned, at rest, active, multiplier 13, no tint, radius 0, no power. */
FOEHN_API foehn_fire_proxy foehn_fire_proxy_default(void);

/** Add an emitter; its number is written to *index (0, 1, ...). Its proxies start inactive. At most
 *  64 emitters.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_add_emitter(foehn_fire *fire,
                                                               const foehn_fire_emitter *emitter,
                                                               int *index);

/** Set a proxy (0 to max_count - 1) of an emitter, from the next step on.
 *  FOEHN_ERROR_ARGUMENT: no such emitter or proxy, a member out of its range. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_set_proxy(foehn_fire *fire, int emitter,
                                                             int proxy,
                                                             const foehn_fire_proxy *value);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_get_proxy(const foehn_fire *fire, int emitter,
                                                             int proxy, foehn_fire_proxy *value);

/* ---- colliders ---- */

typedef enum foehn_fire_shape {
    FOEHN_FIRE_BOX = 0,
    FOEHN_FIRE_ELLIPSOID = 1,
    FOEHN_FIRE_MESH = 2
} foehn_fire_shape;

/** A rigid body in the way of the fire. */
typedef struct foehn_fire_collider {
    foehn_fire_pose pose;      /**< in the world; the position is its centre (mesh: its origin) */
    double half[3];            /**< half extents of the box, radii of the ellipsoid, m; > 0;
                                    meshes: not looked at */
    float velocity[3];         /**< of the centre, in the world, m/s */
    float angular_velocity[3]; /**< about the centre, in the world, rad/s */
    int active;                /**< 0: not there */
} foehn_fire_collider;

/** Unit cube or ball of 1 m about the origin, at rest, active. */
FOEHN_API foehn_fire_collider foehn_fire_collider_default(void);

/** Set the collider of a slot (0 to params.max_boxes - 1, max_ellipsoids - 1, max_meshes - 1), from
 *  the next step on. A mesh needs its geometry first.
 *  FOEHN_ERROR_ARGUMENT: no such slot, a member out of its range, no geometry. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_set_collider(
    foehn_fire *fire, foehn_fire_shape shape, int slot, const foehn_fire_collider *collider);
/** active is 0 for a slot that was never set. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_get_collider(const foehn_fire *fire,
                                                                foehn_fire_shape shape, int slot,
                                                                foehn_fire_collider *collider);

/** A closed surface of triangles.  Points at the same place count as one. */
typedef struct foehn_fire_mesh {
    size_t vertex_count;            /**< 4 to 4194304 */
    const float (*vertices)[3];     /**< m, in the mesh's own frame; all finite */
    size_t triangle_count;          /**< 4 to 4194304 */
    const uint32_t (*triangles)[3]; /**< vertices of each; all turning the same way round */
    double voxel; /**< width of its distance grid, m; 0: 1/48 of its longest side; the
                       grid has at most 256 voxels an axis */
} foehn_fire_mesh;

/** Bake the geometry of a mesh collider's slot: the signed distance to it, once, on the host. The
 *  slot's collider stays as it is.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT no such slot; no closed surface: the error says how many edges are
 *           open
 *           FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_set_mesh(foehn_fire *fire, int slot,
                                                            const foehn_fire_mesh *mesh);

/* ---- wind ---- */

/** Wind that the sides of the box hold: samples spread evenly over the box, the first in its lower
 *  corner and the last in its upper one, interpolated between. 1 x 1 x 1 is a constant wind. */
typedef struct foehn_fire_wind {
    int nx, ny, nz;             /**< samples along the axes of the box; 1 to 1024 each */
    const float (*velocity)[3]; /**< [nz][ny][nx], along the axes of the world, m/s; copied; all
                                     finite */
} foehn_fire_wind;

/** Let a wind drive the sides, from the next step on; NULL: still air. Before the first step (and
 *  after foehn_fire_restart()) it also fills the box.  Later a change of it reaches the air of
 *  fires that burn at once, by the mean change of each layer of cells; the rest, and all of it in
 *  the preset, comes in through the sides.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_set_wind(foehn_fire *fire,
                                                            const foehn_fire_wind *wind);

/* ---- picture ---- */

typedef enum foehn_fire_view {
    FOEHN_FIRE_VIEW_FINAL = 0,
    FOEHN_FIRE_VIEW_NO_BLOOM = 1,    /**< the same without the bloom */
    FOEHN_FIRE_VIEW_DENSITY = 2,     /**< largest density with detail along the ray, grey */
    FOEHN_FIRE_VIEW_TEMPERATURE = 3, /**< largest temperature over palette_temperature, grey */
    FOEHN_FIRE_VIEW_VELOCITY = 4,    /**< largest |u|, |v|, |w| over 5 m/s, red, green, blue */
    FOEHN_FIRE_VIEW_COLLIDERS = 5    /**< red where the distance is < 0 */
} foehn_fire_view;

typedef enum foehn_fire_pixels {
    FOEHN_FIRE_FLOATS = 0, /**< float: radiance, linear, not limited; premultiplied */
    FOEHN_FIRE_BYTES = 1,  /**< uint8_t: after the tone curve, sRGB, straight alpha: as a PNG wants
                                it */
    FOEHN_FIRE_WORDS = 2   /**< uint16_t: the same in 16 bits, of the host's byte order */
} foehn_fire_pixels;

/** How a fire that burns is drawn. */
typedef enum foehn_fire_look {
    FOEHN_FIRE_LOOK_LIGHT = 0, /**< soot glows as a blackbody, hides what is behind, casts and takes
                                    shadows, is lit by fire, sun and sky */
    FOEHN_FIRE_LOOK_PRESET = 1,  /**< with the preset's palette */
    FOEHN_FIRE_LOOK_EMISSION = 2 /**< of LOOK_LIGHT what fire itself sends, past smoke and
                                    colliders: the rest is what smoke and surfaces scatter */
} foehn_fire_look;

typedef enum foehn_fire_curve {
    FOEHN_FIRE_CURVE_FILM = 0, /**< 1 - exp(-L) a channel: overexposed orange runs into yellow */
    FOEHN_FIRE_CURVE_AGX = 1,  /**< Sobotka's AgX, by a sigmoid of its own: fades to white */
    FOEHN_FIRE_CURVE_NONE = 2  /**< cut off at 1 */
} foehn_fire_curve;

/** Land around a fire, for pictures out of doors. */
typedef struct foehn_fire_land {
    int nx, nz;           /**< samples along x and z; 2 to 4096 */
    double from[2];       /**< x and z of the first in the world, m */
    double spacing[2];    /**< between them along x and z, m; > 0 */
    const float *heights; /**< [nz][nx], y in the world, m; beyond them the nearest one */
} foehn_fire_land;

typedef struct foehn_fire_picture {
    size_t struct_size;    /**< set by foehn_fire_picture_default(); leave alone */
    int width, height;     /**< pixels; 1 to 16384; default 1280, 720 */
    double position[3];    /**< of the camera in the world, m; default 0, 2.6, 9 */
    double target[3];      /**< what it looks at, m; default 0, 2.6, 0 */
    double up[3];          /**< default 0, 1, 0 */
    double field_of_view;  /**< vertical, degrees; > 0, < 180; default 45 */
    foehn_fire_view view;  /**< default FOEHN_FIRE_VIEW_FINAL */
    uint32_t frame;        /**< number of the picture: moves the jitter; default 0 */
    float exposure;        /**< of the tone curve 1 - exp(-exposure L); > 0; default 0.01 */
    float bloom_strength;  /**< >= 0; 0: no bloom; default 0.01 */
    float bloom_radius;    /**< over the height of the picture; > 0, <= 0.5; default 0.1 */
    float bloom_threshold; /**< exposed radiance from which on it blooms; >= 0; default 13 */
    int draw_colliders;    /**< 1: colliders are drawn, grey and lit from above, and where it burns
                                ground and sky; 2: without these; default 0 */

    /* What lies behind, all optional; read during the call only. */
    const float (*background)[4]; /**< [height][width], rows from the top, linear 0 to 1,
                                       premultiplied alpha; NULL: transparent */
    const float *depth; /**< [height][width], m along the view axis; beyond it there is no fire;
                             INFINITY: nothing there; NULL: nothing anywhere */

    /* Fires that burn, drawn as LOOK_LIGHT; `exposure` is not looked at.  Colours are linear sRGB;
     * at 0 stops 20 kcd/m2 are 1 before the curve, about the flame of a campfire. */
    foehn_fire_look look; /**< default FOEHN_FIRE_LOOK_LIGHT; the preset has its own look always */
    foehn_fire_curve curve; /**< default FOEHN_FIRE_CURVE_FILM */
    float stops;            /**< exposure; -30 to 30; default 0 */
    int samples;            /**< rays a pixel; 1 to 256; default 4 */
    float detail;           /**< samples a voxel of the smoke; 0.1 to 16; default 1 */
    float shutter;          /**< time of the fire that the picture takes, s; >= 0; default 0 */
    float sun[3];           /**< illuminance, klx; >= 0; default 0, 0, 0 */
    float sun_from[3];      /**< towards the sun, in the world; not 0; default 1, 1, 0.5 */
    float sky[3];           /**< radiance all around, kcd/m2; >= 0; default 0.02, 0.025, 0.035 */
    float ground[3]; /**< reflectance of the ground, where params.floor is 1 and colliders are
                          drawn; 0 to 1; default 0.22, 0.17, 0.12 */
    float solid[3];  /**< of colliders; 0 to 1; default 0.30, 0.21, 0.14 */
    float embers;    /**< glow of colliders and ground in hot gas; >= 0; default 0 */
    float grain;     /**< of colliders: 0 even, as wax, 1 as wood and stone; default 1 */
    float daylight;  /**< out of doors, where colliders are drawn: elevation of the sun, degrees,
                          -90 to 90. `sun` and `sky` are then those of a clear sky, sun_from says
                          from which side alone, and there is ground up to the horizon: the box's
                          floor, or y = 0 of the world; default NAN: none of it */
    const foehn_fire_land *land; /**< out of doors: the ground, drawn as `solid`, where the box
                                      has no floor; read during the call; NULL: level ground */
} foehn_fire_picture;

FOEHN_API void foehn_fire_picture_init(foehn_fire_picture *picture, size_t size);
static inline foehn_fire_picture foehn_fire_picture_default(void)
{
    foehn_fire_picture picture;
    foehn_fire_picture_init(&picture, sizeof picture);
    return picture;
}

/** Make the picture and copy it out: [height][width][4], rows from the top; red, green, blue,
 *  alpha. The preset's fire is light and adds to what lies behind; its alpha is its brightest
 *  channel after the tone curve, so that over a black background the transparent picture looks like
 *  the opaque one. Smoke of a fire that burns hides what is behind, too. Waits.
 *
 *  out      width * height * 4 floats, bytes or words
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read_picture(foehn_fire *fire,
                                                                const foehn_fire_picture *picture,
                                                                foehn_fire_pixels pixels,
                                                                void *out);

/** The same without the copy: enqueues the work and returns; for timing and for the device's other
 *  users. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_draw(foehn_fire *fire,
                                                        const foehn_fire_picture *picture);

/** What the picture of a fire that burns shows in each pixel, on average by its light and by what
 *  it hides, for compositing: [height][width][4], rows from the top. Waits.
 *
 *  out      distance along the view axis, m, infinite where there is nothing; motion to the right
 *           and downwards, pixels a second of the fire's time (what stands still has none); how
 *           much is hidden, 0 to 1, without ground and colliders
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT (the preset burns nothing), FOEHN_ERROR_MEMORY,
 *           FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read_motion(foehn_fire *fire,
                                                               const foehn_fire_picture *picture,
                                                               float *out);

/* ---- captures ---- */

/** Fields that can be read as they are after the last step. Physics grid unless marked (render). */
typedef enum foehn_fire_field {
    FOEHN_FIRE_DENSITY = 0,       /**< (render) */
    FOEHN_FIRE_TEMPERATURE,       /**< (render) */
    FOEHN_FIRE_AGE,               /**< (render) s */
    FOEHN_FIRE_TINT,              /**< (render) mass of the special colour */
    FOEHN_FIRE_VELOCITY,          /**< 3 components at cell centres, m/s: velocity A */
    FOEHN_FIRE_VELOCITY_BEFORE,   /**< the same before the projection: velocity B */
    FOEHN_FIRE_DIVERGENCE_BEFORE, /**< of B, 1/s, by the operator of the layout */
    FOEHN_FIRE_DIVERGENCE,        /**< of A */
    FOEHN_FIRE_PRESSURE,          /**< times the step over the density of air, m2/s */
    FOEHN_FIRE_VORTICITY,         /**< 3 components, 1/s, that the last step used */
    FOEHN_FIRE_DISTANCE,          /**< to the nearest collider, m; < 0 inside; 1e4 without one */
    FOEHN_FIRE_NORMAL,            /**< 3 components, out of the collider */
    FOEHN_FIRE_SURFACE_VELOCITY,  /**< 3 components, of the nearest collider, m/s */
    FOEHN_FIRE_FLAME,             /**< (render) emitted light's temperature scale, 0 to 1:
                                       temperature over palette_temperature where there is smoke,
                                       else 0; burning: heat release over its limit */
    /* 0 in fires that do not burn; there density is the light stopped, 1/m, temperature kelvin,
     * and age and tint are 0. */
    FOEHN_FIRE_FUEL,         /**< (render) mass fraction */
    FOEHN_FIRE_PRODUCTS,     /**< (render) mass fraction of burnt gas; the rest is air */
    FOEHN_FIRE_SOOT,         /**< (render) mass fraction */
    FOEHN_FIRE_HEAT_RELEASE, /**< (render) kW/m3, in the last part of a step */
    FOEHN_FIRE_EXPANSION,    /**< div u that the last projection was asked for, 1/s */
    FOEHN_FIRE_FIELDS        /**< how many there are */
} foehn_fire_field;

typedef struct foehn_fire_field_info {
    const char *name;  /**< such as "density" */
    const char *units; /**< such as "m s-1"; "1" for none */
    int components;    /**< 1 or 3 */
    int cells[3];      /**< of its grid along x, y, z */
    double spacing[3]; /**< m; value (i, j, k) belongs to the voxel's centre, (i + 0.5) spacing from
                            the lower corner */
    double origin[3];  /**< that corner in the frame of the box, m: -size / 2 */
    size_t floats;     /**< components * cells */
} foehn_fire_field_info;

/** FOEHN_ERROR_ARGUMENT: no such field. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_get_field(const foehn_fire *fire,
                                                             foehn_fire_field field,
                                                             foehn_fire_field_info *info);

/** Read a field: [nz][ny][nx] or, of vectors, [nz][ny][nx][3].  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read(foehn_fire *fire, foehn_fire_field field,
                                                        float *out);

/** Overwrite density, temperature, age, tint or velocity (A); of a fire that burns temperature,
 *  fuel, products, soot or velocity.  Waits. FOEHN_ERROR_ARGUMENT: another field. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_write(foehn_fire *fire, foehn_fire_field field,
                                                         const float *in);

/* ---- measures ---- */

typedef struct foehn_fire_measures {
    double max_temperature;
    double total_density; /**< integral of density, m3 */
    double total_tint;    /**< integral of tint mass, m3 */
    double plume_height;  /**< above the floor of the box, m: 95 % of the smoke lies lower; 0: no
                               smoke */
    double max_speed;     /**< m/s */
    double mean_abs_divergence_before, mean_abs_divergence_after; /**< over open cells, 1/s */
    double max_abs_divergence_before, max_abs_divergence_after;
    /* The smoke's budget since the start, m3; NaN without params.account.
     * emitted - dissipated - carried = total_density. */
    double emitted;    /**< by emitters, after the clamp to 1 */
    double dissipated; /**< by params.dissipation */
    double carried;    /**< out of the box, or lost (> 0) or gained (< 0) by interpolation */
    /* Fires that burn, else 0; divergence above is then that beyond the expansion. Since the start:
     * emitted - burnt - carried = there, of fuel; formed - oxidised - carried = there, of soot, to
     * 1e-4 of what came. carried: out through the sides. */
    double heat_release;                                         /**< now, kW */
    double expansion_rate;                                       /**< now, of new volume, m3/s */
    double mean_abs_expansion;                                   /**< over open cells, 1/s */
    double fuel_emitted, fuel_burnt, fuel_carried, fuel_there;   /**< kg */
    double soot_formed, soot_oxidised, soot_carried, soot_there; /**< kg */
    double volume_made;                                          /**< since the start, m3 */
} foehn_fire_measures;

/** Measure the fire as it is.  Waits.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_UNSTABLE a value is not a number; the error names field and cell, and
 *                                 measures holds what could be measured */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read_measures(foehn_fire *fire,
                                                                 foehn_fire_measures *measures);

/* ---- publication ---- */

typedef enum foehn_fire_layer {
    FOEHN_FIRE_LAYER_DYE = 0,     /**< density, temperature, age, tint, or where it burns density,
                                       temperature (K), fuel, flame; render grid */
    FOEHN_FIRE_LAYER_VELOCITY = 1 /**< u, v, w, distance to colliders; physics grid */
} foehn_fire_layer;

/** Publish into the volume's next slot. Enqueues work and returns. The volume has the voxels of
 *  that grid and the same context; its origin is the lower corner in the frame of the box. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_write_volume(foehn_fire *fire,
                                                                foehn_fire_layer layer,
                                                                foehn_volume *volume);

/* ---- checkpoints ---- */

/** Bytes that the whole state takes (fields, clocks, budget; not emitters, colliders and wind,
 *  which the caller sets again). */
FOEHN_API size_t foehn_fire_get_checkpoint_size(const foehn_fire *fire);

/** Copy the state out.  Waits.  FOEHN_ERROR_ARGUMENT: size is not the one above. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read_checkpoint(foehn_fire *fire, size_t size,
                                                                   void *bytes);

/** Take over a state that read_checkpoint gave for the same parameters; with the same emitters,
 *  colliders and wind the fire then goes on bit for bit. Waits.
 *  FOEHN_ERROR_ARGUMENT: damaged, or of other parameters; the fire is unchanged. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_write_checkpoint(foehn_fire *fire, size_t size,
                                                                    const void *bytes);

#ifdef __cplusplus
}
#endif
#endif
