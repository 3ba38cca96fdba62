/* SPDX-License-Identifier: MIT */
/** The flow lab: incompressible flow in a 2-D box, every term of the equation a switch.
 *
 *      Du/Dt = -grad p / rho + nu lap u + f,   div u = 0
 *
 *  Everything is dimensionless.  x to the right, y up, the box from (0, 0) to (nx h, ny h) with
 *  h = height / ny.  Velocity lives on the faces of cells: u on the (nx + 1) x ny faces at
 *  (i h, (j + 1/2) h), v on the nx x (ny + 1) faces at ((i + 1/2) h, j h); pressure (over density),
 *  ink and solids at cell centres.  Arrays have x fastest, rows from the bottom up. */
#ifndef FOEHN_FLOW_H
#define FOEHN_FLOW_H

#include <foehn/base.h>
#include <foehn/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_flow foehn_flow;

typedef enum foehn_flow_side_kind {
    FOEHN_FLOW_WALL = 0,    /**< no-slip; may slide along itself */
    FOEHN_FLOW_SLIP = 1,    /**< water slides along it freely */
    FOEHN_FLOW_INFLOW = 2,  /**< water comes in with a given speed */
    FOEHN_FLOW_OUTFLOW = 3, /**< water leaves; p = 0 beyond */
    FOEHN_FLOW_PERIODIC = 4 /**< joined to the opposite side, which must be periodic, too */
} foehn_flow_side_kind;

typedef enum foehn_flow_side_index {
    FOEHN_FLOW_LEFT = 0,
    FOEHN_FLOW_RIGHT = 1,
    FOEHN_FLOW_BOTTOM = 2,
    FOEHN_FLOW_TOP = 3
} foehn_flow_side_index;

typedef struct foehn_flow_side {
    foehn_flow_side_kind kind;
    float speed;   /**< inflow: into the box; wall: of the wall along x (bottom, top) or y (left,
                        right) */
    int parabolic; /**< inflow: 1: speed is the peak of a parabola that is 0 at both corners */
} foehn_flow_side;

/** Terms of the equation; each is one stage of a step. */
enum {
    FOEHN_FLOW_FORCE = 1,
    FOEHN_FLOW_ADVECTION = 2,
    FOEHN_FLOW_VISCOSITY = 4,
    FOEHN_FLOW_PRESSURE = 8,
    FOEHN_FLOW_ALL_TERMS = 15
};

/** How the surface of an obstacle meets the grid. */
typedef enum foehn_flow_surface {
    FOEHN_FLOW_STAIRCASE = 0, /**< a cell is solid or not, by its centre */
    FOEHN_FLOW_FRACTIONS = 1  /**< faces are open by fractions, walls lie where they cross */
} foehn_flow_surface;

typedef enum foehn_flow_solver { FOEHN_FLOW_MULTIGRID = 0, FOEHN_FLOW_SOR = 1 } foehn_flow_solver;

/** How a step is split into stages. */
typedef enum foehn_flow_splitting {
    FOEHN_FLOW_PLAIN = 0,     /**< stages one after the other; of first order in dt */
    FOEHN_FLOW_REFLECTION = 1 /**< twice half of it, the second from the velocity reflected about
                                 the projected one (Zehnder, Narain and Thomaszewski 2018); of
                                 second order in what pressure does, at twice the cost */
} foehn_flow_splitting;

enum { FOEHN_FLOW_MOST_OBSTACLES = 8, FOEHN_FLOW_MOST_STROKES = 6, FOEHN_FLOW_MOST_POINTS = 48 };

typedef struct foehn_flow_params {
    size_t struct_size;         /**< set by foehn_flow_params_default(); leave alone */
    int nx, ny;                 /**< cells; 2 to 8192; default 480, 270 */
    float height;               /**< of the box; > 0; default 1 */
    foehn_flow_side sides[4];   /**< by foehn_flow_side_index; default no-slip walls at rest */
    float viscosity;            /**< nu; >= 0; default 5e-4 */
    float force[2];             /**< body force per mass; default 0, 0 */
    float start[2];             /**< velocity of the water at the start; NaN: of the inflow, else 0;
                                     default NaN, NaN */
    int terms;                  /**< sum of FOEHN_FLOW_FORCE ...; default all */
    foehn_flow_surface surface; /**< default FOEHN_FLOW_STAIRCASE */
    foehn_flow_solver solver;   /**< default FOEHN_FLOW_MULTIGRID */
    int cycles;      /**< multigrid cycles or SOR sweeps a projection; 0: 3 cycles and more, 12 at
                          most, until |div| h / U < 1e-5 everywhere (waits for the device), or 400
                          sweeps; default 0 */
    float reduction; /**< stop when the residual has fallen to this share of the right
                          side; 0: not by that; with cycles a step then does not wait for the
                          device; < 1; default 0 */
    float reference_speed; /**< U of measures and of the blow-up limit; 0: the fastest side, or 1;
                                default 0 */
    int particles;         /**< tracers; those that leave come in with the inflow; 0 to 1000000;
                                default 0 */
    uint64_t seed;         /**< of the particles; default 1 */
    foehn_flow_splitting splitting; /**< default FOEHN_FLOW_PLAIN */
} foehn_flow_params;

FOEHN_API void foehn_flow_params_init(foehn_flow_params *params, size_t size);
static inline foehn_flow_params foehn_flow_params_default(void)
{
    foehn_flow_params params;
    foehn_flow_params_init(&params, sizeof params);
    return params;
}

/** Make a flow that starts with `start` everywhere and no obstacle.
 *
 *  params   NULL for the defaults; nothing of it is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a parameter out of its range, sides that do not go together
 *           FOEHN_ERROR_MEMORY    larger than the device allows
 *           FOEHN_ERROR_BUILD     a kernel does not build on the device
 *           FOEHN_ERROR_OPENCL    the device failed */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_create(foehn_context *ctx,
                                                          const foehn_flow_params *params,
                                                          foehn_flow **out);
FOEHN_API void foehn_flow_destroy(foehn_flow *flow);

/** Back to the start: time 0, no ink, no strokes; obstacles stay where they are. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_restart(foehn_flow *flow);

/** Advance by one step.  Enqueues work; waits for the device where the number of cycles depends on
 *  what they reach (params.cycles 0, or params.reduction > 0).
 *
 *  dt       > 0
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  dt is not > 0 and finite; the flow is unchanged
 *           FOEHN_ERROR_OPENCL    the device failed; only destroy the flow now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_step(foehn_flow *flow, float dt);

/** Which terms are on, nu, and the body force, from the next step on. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_set_terms(foehn_flow *flow, int terms);
FOEHN_API int foehn_flow_get_terms(const foehn_flow *flow);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_set_viscosity(foehn_flow *flow, float nu);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_set_force(foehn_flow *flow,
                                                             const float force[2]);
/** The speed of an inflow or a wall.  FOEHN_ERROR_ARGUMENT: the side is neither. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_set_side_speed(foehn_flow *flow,
                                                                  foehn_flow_side_index side,
                                                                  float speed);

/** A stroke of the hand: velocity and ink with weight exp(-d^2 / radius^2), d the distance to the
 *  path.  It is part of the force: with that term off nothing happens. */
typedef struct foehn_flow_stir {
    float from[2], to[2];
    float velocity[2]; /**< added on the path */
    float radius;      /**< > 0 */
    float ink[4];      /**< red, green, blue, alpha added on the path; ink stays within 0 to 1 */
} foehn_flow_stir;

/** Stir in the next step; up to 64 stirs collect until then.
 *  FOEHN_ERROR_ARGUMENT: not finite, radius not > 0 or next to nothing, too many. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_add_stir(foehn_flow *flow,
                                                            const foehn_flow_stir *stir);

typedef enum foehn_flow_shape {
    FOEHN_FLOW_NOTHING = 0,
    FOEHN_FLOW_CYLINDER = 1, /**< size: diameter */
    FOEHN_FLOW_PLATE = 2,    /**< size: length; angle 0 along x; thickness over length */
    FOEHN_FLOW_BEAN = 3,     /**< size: length; a smooth outline, concave below at angle 0 */
    FOEHN_FLOW_WING = 4      /**< size: chord; NACA 00xx of that thickness over chord, turned about
                                  the quarter chord by the angle of attack, nose up */
} foehn_flow_shape;

typedef struct foehn_flow_obstacle {
    foehn_flow_shape shape;
    float center[2]; /**< of the shape; wing: of the quarter chord; within 1e6 heights of the box */
    float size;      /**< > 0, at most 1e6 heights of the box */
    float angle;     /**< degrees, clockwise: a wing's angle of attack */
    float thickness; /**< plate, wing: over size; 0: 0.1 and 0.06 */
    float velocity[2]; /**< that its faces give to the water; does not move the shape */
} foehn_flow_obstacle;

/** Put an obstacle into a slot (0 to FOEHN_FLOW_MOST_OBSTACLES - 1), or take it out (NULL). Strokes
 *  and other obstacles stay.
 *  FOEHN_ERROR_ARGUMENT: no such slot, not finite or out of range, nothing of the water left. */
FOEHN_API FOEHN_MUST_CHECK foehn_status
foehn_flow_set_obstacle(foehn_flow *flow, int slot, const foehn_flow_obstacle *obstacle);
/** shape is FOEHN_FLOW_NOTHING for an empty slot. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_get_obstacle(const foehn_flow *flow, int slot,
                                                                foehn_flow_obstacle *obstacle);

/** Drag an obstacle to a new centre during the next step of length dt: it takes the velocity of
 *  that motion until the step after, when it rests unless dragged again. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_drag(foehn_flow *flow, int slot,
                                                        const float center[2], float dt);

/** Slot of the obstacle at a point, -1: none there.  Strokes cannot be picked. */
FOEHN_API int foehn_flow_pick(const foehn_flow *flow, const float point[2]);

/** Draw an obstacle along a line of points, FOEHN_FLOW_STROKE_THICKNESS thick; a seventh drops the
 *  oldest.  FOEHN_ERROR_ARGUMENT: fewer than 1 or more than 48 points, or one beyond 1e6 heights of
 *  the box. */
#define FOEHN_FLOW_STROKE_THICKNESS 0.03
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_draw(foehn_flow *flow, int count,
                                                        const float (*points)[2]);
FOEHN_API int foehn_flow_get_strokes(const foehn_flow *flow);

typedef struct foehn_flow_info {
    int nx, ny;
    double spacing;   /**< h */
    double extent[2]; /**< of the box */
    double time;
    uint64_t step;
    double viscosity;
    double reference_speed; /**< U */
    int terms;
    int cycles;            /**< pressure cycles or sweeps of the last projection */
    uint64_t memory_bytes; /**< of device memory held by this flow */
} foehn_flow_info;

FOEHN_API void foehn_flow_get_info(const foehn_flow *flow, foehn_flow_info *info);

typedef enum foehn_flow_field {
    FOEHN_FLOW_U = 0,      /**< [ny][nx + 1], on faces */
    FOEHN_FLOW_V,          /**< [ny + 1][nx], on faces */
    FOEHN_FLOW_P,          /**< [ny][nx], pressure over density */
    FOEHN_FLOW_INK,        /**< [4][ny][nx], red, green, blue, alpha */
    FOEHN_FLOW_SPEED,      /**< [ny][nx]; read only, as all below */
    FOEHN_FLOW_VORTICITY,  /**< [ny][nx], anticlockwise > 0, mean of the cell's corners */
    FOEHN_FLOW_DIVERGENCE, /**< [ny][nx], by the operator of the projection */
    FOEHN_FLOW_SOLIDS      /**< [ny][nx], 1 in solid cells, else 0 */
} foehn_flow_field;

/** Floats that a field has; 0: there is no such field. */
FOEHN_API size_t foehn_flow_get_field_size(const foehn_flow *flow, foehn_flow_field field);

/** Read a field, or overwrite one of the first four.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read(foehn_flow *flow, foehn_flow_field field,
                                                        float *out);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_write(foehn_flow *flow, foehn_flow_field field,
                                                         const float *in);

/** Places of the tracers, [particles][2].  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_particles(foehn_flow *flow, float *out);

/** Velocity and pressure at points: [count][2] in, [count][3] out (u, v, p).  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_points(foehn_flow *flow, size_t count,
                                                               const double *points, double *out);

typedef struct foehn_flow_stats {
    double max_speed;        /**< on faces */
    double max_div_h_over_u; /**< max |div| h / U over fluid cells */
    double max_vorticity;    /**< of largest magnitude, signed, at a cell with no solid around */
    double vortex_center[2]; /**< centroid of vorticity of that sign above half of it, near it */
    double kinetic_energy;   /**< sum over cells of (u^2 + v^2) / 2 h^2 */
    double ink;              /**< sum over cells of alpha h^2 */
} foehn_flow_stats;

/** Measure.  Waits.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_UNSTABLE  a speed is beyond 50 U or not a number; the error names the
 *                                 step, and stats holds what could be measured */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_stats(foehn_flow *flow,
                                                              foehn_flow_stats *stats);

/** Only whether the flow has blown up: one launch and a short read.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_check(foehn_flow *flow);

typedef struct foehn_flow_push {
    double pressure[2]; /**< force of the pressure, per density and depth */
    double viscous[2];  /**< force of the friction */
    double cd, cl;      /**< total force along x and y over U^2 size / 2 */
} foehn_flow_push;

/** Force on the obstacle of a slot.  Waits.  FOEHN_ERROR_ARGUMENT: the slot is empty. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_push(foehn_flow *flow, int slot,
                                                             foehn_flow_push *push);

/** Circulation, anticlockwise > 0, round the box from (x0, y0) to (x1, y1), snapped to cell
 *  corners. Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_circulation(foehn_flow *flow,
                                                                    const double box[4],
                                                                    double *circulation);

/** What foehn_flow_write_volume() publishes, a voxel a cell. */
typedef enum foehn_flow_layer {
    FOEHN_FLOW_LAYER_FLOW = 0, /**< u, v, p, vorticity */
    FOEHN_FLOW_LAYER_INK = 1   /**< red, green, blue, alpha */
} foehn_flow_layer;

/** Publish into the volume's next slot.  Enqueues work and returns.  The volume is nx x ny x 1 of
 *  the same context; a texture of it is read with clamped addressing. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_write_volume(foehn_flow *flow,
                                                                foehn_flow_layer layer,
                                                                foehn_volume *volume);

/** The whole state as bytes: a flow made with the same parameters on the same kind of device goes
 *  on bit for bit.  Obstacles, strokes, terms and speeds that were set since are part of it.  Not
 *  portable between versions. */
FOEHN_API size_t foehn_flow_get_checkpoint_size(const foehn_flow *flow);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_read_checkpoint(foehn_flow *flow, size_t size,
                                                                   void *bytes);

/** FOEHN_ERROR_ARGUMENT: the bytes are not of such a flow; it is unchanged. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_flow_write_checkpoint(foehn_flow *flow, size_t size,
                                                                    const void *bytes);

#ifdef __cplusplus
}
#endif
#endif
