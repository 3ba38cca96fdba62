/* SPDX-License-Identifier: MIT */
/* The momentum model of the wind: RANS on the staggered grid, in pseudo-time. */
#ifndef FOEHN_LIB_MOMENTUM_H
#define FOEHN_LIB_MOMENTUM_H

#include "wind/model.h"

#include "kernels/wind/momentum.h"

struct foehn_momentum {
    momentum m;             /* what the kernels are told */
    bool started;           /* the field belongs to the state and the ground as they are */
    bool settled;           /* there is a field of this box, of another wind or over other ground */
    foehn_wind_state state; /* that the undisturbed column was made for */
    foehn_pressure_method
        method;          /* of a step: conjugate gradients where cycles alone do not hold */
    cl_mem open[3];      /* openness of faces, inflow sides included, which the solver closes */
    cl_mem k[2], eps[2]; /* the current ones are [w->now] */
    cl_mem p;            /* pressure over density, m2/s2 */
    cl_mem nu,
        slip; /* of y faces: eddy viscosity; velocity relative to the terrain-following level */
    cl_mem columns, walls, clock, trial; /* the last: of the step, by this part alone */
    cl_mem canopy;                       /* Cd a of cells, 1/m; NULL: no trees */
    struct {
        foehn_kernel close_sides, close_ends, close_dead_ends, ground_columns, carry_areas,
            undisturbed, turn, wall, choose_step, predict[3], correct, viscosity, turbulence,
            fluctuation, solve_velocity, solve_scalars, points, turbulence_points;
    } kernel;
};

/* Kernels vectorise over neighbours of a row (transport/lanes.h). */
static inline int foehn_momentum_lanes(const foehn_wind *w)
{
    return foehn_tuned(w->ctx)->lanes;
}

/* Items of a launch that takes so many an item. */
static inline foehn_size foehn_momentum_in_lanes(const foehn_wind *w, size_t x, size_t y, size_t z)
{
    const size_t per = (size_t)foehn_momentum_lanes(w);
    return (foehn_size){(x + per - 1) / per, y, z};
}

/* The same over own cells or faces, and `layers` around them. */
static inline foehn_items foehn_momentum_own(const foehn_wind *w, int layers, size_t x, size_t y,
                                             size_t z)
{
    return foehn_items_in_lanes(foehn_grid_own(&w->g, (foehn_size){x, y, z}, layers),
                                (size_t)foehn_momentum_lanes(w));
}

/* The same over columns, `more` times. */
static inline foehn_items foehn_momentum_columns(const foehn_wind *w, int layers, size_t x,
                                                 size_t z, size_t more)
{
    foehn_items items = foehn_momentum_own(w, layers, x, 1, z);
    items.size.y = items.size.z;
    items.from.y = items.from.z;
    items.size.z = more;
    items.from.z = 0;
    return items;
}

/* Arguments of a kernel: openness of the faces, inflow sides included. */
#define OPEN(n) ARG((n)->open[0]), ARG((n)->open[1]), ARG((n)->open[2])

typedef struct momentum_kernel {
    const foehn_source *source;
    const char *name;
    double bytes; /* that an item must at least move */
    foehn_kernel *kernel;
} momentum_kernel;
foehn_status foehn_momentum_create_kernels(foehn_wind *w, size_t count,
                                           const momentum_kernel *rows);

/* For models whose `own` begins with such a struct (momentum_ground.c): what belongs to the ground,
 * in fields and kernels; faces, columns and the solver for the ground and the state as they are;
 * per column the ground's stress on the current field; div u of it, inflow sides included. */
foehn_status foehn_momentum_create_ground(foehn_wind *w);
void foehn_momentum_destroy(foehn_wind *w);
foehn_status foehn_momentum_find_ground(foehn_wind *w);
foehn_status foehn_momentum_find_stress(foehn_wind *w);
foehn_status foehn_momentum_divergence(foehn_wind *w, cl_mem *out);

/* The last three members, by the field and the undisturbed wind as they are. */
foehn_status foehn_momentum_find_flush(foehn_wind *w, foehn_wind_progress *progress);

/* Stress and friction velocity as foehn_wind_read_stress() says, once the wall kernel has run
 * (momentum_read.c). */
foehn_status foehn_momentum_read_stress(foehn_wind *w, float *out);

#endif
