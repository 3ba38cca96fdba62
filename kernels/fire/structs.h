/* SPDX-License-Identifier: MIT */
/* What the host tells the fire's kernels.  Lengths in m, times in s, axes of the box. */
#ifndef FOEHN_KERNEL_FIRE_H
#define FOEHN_KERNEL_FIRE_H

#include "shared.h"

#define FIRE_NOISE 64         /* samples of the periodic curl noise along each axis */
#define FIRE_WALL 0.1f        /* m: surfaces act on the air up to this distance */
#define FIRE_EJECTION 20.0f   /* 1/s: speed of air inside a collider over its depth */
#define FIRE_NORMAL_STEP 0.1f /* m: of the differences that give a collider's normal */
#define FIRE_NOWHERE 1e4f     /* m: distance where there is no collider */
#define FIRE_FADE 0.02f       /* share of the box over which velocity fades at its sides */

/* The terms of one step. */
typedef struct fire_motion {
    f32 dt;
    f32 up_x, up_y, up_z; /* world Y */
    f32 buoyancy, weight; /* m/s2 for temperature 1 and density 1 */
    f32 damping;          /* factor */
    f32 confinement, eta; /* m; m2: makes the preset's 1e-5 dimensionless */
    f32 turbulence, decay, frequency;
    f32 drift_y, drift_z; /* of the ambient band, in noise periods */
    f32 friction;
    f32 keep_density, keep_heat; /* factors */
} fire_motion;

#define FIRE_PROXIES 256 /* most in one launch */
#define FIRE_FACE 1e-3f  /* cells: as near to a face of the box is on it */

/* A place where points emit, as the kernels of one grid see it. */
typedef struct fire_proxy {
    f32 pose[12];     /* rows of the matrix from the emitter's frame to cells of the grid */
    i32 first, count; /* points */
    i32 low_x, low_y, low_z, nx, ny, nz; /* cells that its footprint may reach */
    i32 offset;                          /* of their counts */
    f32 half_x, half_y, half_z;          /* of the cube that a point stands for, cells */
    f32 radius;                          /* of the brush, m */
    f32 density, heat, tint;             /* that one point adds to a cell; tint: factor */
    f32 u, v, w;                         /* velocity that it gives to the air */
    f32 fuel, pilot;                     /* kg/s in all; K above the ambient, 0 none */
} fire_proxy;

#define FIRE_SHAPE_BOX 0
#define FIRE_SHAPE_ELLIPSOID 1
#define FIRE_SHAPE_MESH 2

typedef struct fire_collider {
    i32 shape;
    f32 inverse[12]; /* rows of the matrix from the box's frame to the collider's own */
    f32 center[3];
    f32 extent[3];            /* half extents or radii; mesh: voxel, unused, unused */
    f32 velocity[3], spin[3]; /* m/s; rad/s, the multiplier applied */
    i32 grid[3], offset;      /* mesh: samples along its axes; where they start */
    f32 origin[3];            /* mesh: of sample 0 in its own frame */
} fire_collider;

/* Rows of the smoke's budget: the sum of a row, and three compensated sums over time. */
#define FIRE_BUDGET 7
#define FIRE_SUM 0
#define FIRE_EMITTED 1
#define FIRE_DISSIPATED 3
#define FIRE_CARRIED 5

/* ---- burning ---- */

#define FIRE_AMBIENT 293.15f /* K: dye holds temperatures above it, so that clean air is 0 */
#define FIRE_RHO_T 353.0f    /* kg K/m3: density of the gas times its temperature, at 1 atm */
#define FIRE_RHO_CP_T 354.6f /* kJ/m3: heat content of any gas at 1 atm, so that S = q / this */
#define FIRE_CP (FIRE_RHO_CP_T / FIRE_RHO_T) /* kJ/(kg K) */
#define FIRE_HOTTEST 2300.0f                 /* K */
#define FIRE_EXTINCTION 8700.0f              /* m2/kg of soot (Mulholland and Croarkin 2000) */

/* Planes of what burning leaves for the air, the picture and the books. */
#define BURNT_HEAT 0      /* kW/m3 */
#define BURNT_EXPANSION 1 /* 1/s */
#define BURNT_FUEL 2      /* kg/m3 that are there, before the new heat makes room */
#define BURNT_SOOT 3
#define BURNT_FRESH 4   /* fuel that comes, over the gas that is there; 0 between steps */
#define BURNT_EMITTED 5 /* kg/m3 of this step */
#define BURNT_OXIDISED 6
#define BURNT_WARMTH 7 /* kg/m3 times K above the ambient, as fuel and soot */
#define BURNT_MIXING 8 /* m2/s: diffusivity of molecules and eddies; -1 in colliders */
#define BURNT_CAME 9   /* K above the ambient of the gas as the transport brought it */
#define BURNT_PLANES 10

#define FIRE_BLOCK 8 /* voxels along each axis of what is awake or asleep together */
#define FIRE_AWAKE                                                                                 \
    3 /* parts of a step after the last that left anything there: all buffers are 0 then */

typedef struct fire_burning {
    f32 dt, mixing, gravity; /* mixing: time of a round of it */
    f32 heat, air;           /* kJ/kg; kg/kg */
    f32 soot_yield, flame_soot, radiative;
    f32 ignition; /* K; 0: lit */
    f32 expansion, flame_length;
    f32 width, air_width; /* of a voxel of the dye and of the air, m */
    f32 most;             /* heat release at most, kW/m3 */
    f32 clean; /* gas closer to clean air than this becomes clean, K and shares; 0: none does */
} fire_burning;

/* A row's masses now (kg/m3 summed over voxels), and compensated sums over time of the same. */
#define BOOKS_FUEL 0 /* after burning */
#define BOOKS_SOOT 1
#define BOOKS_WARMTH 2
#define BOOKS_MOVED 3 /* the three after the transport that followed */
#define BOOKS_OUT 6   /* of them, through the sides */
#define BOOKS_HEAT 9  /* sum of heat release, of expansion */
#define BOOKS_EXPANSION 10
#define BOOKS_EMITTED 12 /* pairs from here on */
#define BOOKS_BURNT 14
#define BOOKS_FUEL_CARRIED 16
#define BOOKS_FORMED 18
#define BOOKS_OXIDISED 20
#define BOOKS_SOOT_CARRIED 22
#define BOOKS_VOLUME 24
#define BOOKS 26

#define FIRE_HASTE 3 /* figures of a row by which a step is divided */
#define FIRE_MOST_SHARE                                                                            \
    0.15f /* of a neighbour's, that an explicit step takes in: stable to 1/6                       \
           */

/* ---- firebrands: firebrands.cl ---- */

typedef struct fire_firebrands {
    f32 least, largest;   /* diameters, m */
    f32 fall;             /* terminal velocity squared over gravity and diameter */
    f32 shrinking;        /* of the diameter, m/s */
    f32 gravity;          /* m/s2 */
    f32 up_x, up_y, up_z; /* world Y */
    i32 seed;
} fire_firebrands;

#define FIREBRAND 12 /* floats of one: place, velocity, and from here on */
#define FIREBRAND_DIAMETER 6
#define FIREBRAND_STATE 7
#define FIREBRAND_AGE 8
#define FIREBRAND_FROM 9 /* place where it broke off */

/* States, as foehn_fire_firebrand_state. */
#define FIREBRAND_NONE 0.0f
#define FIREBRAND_FLIES 1.0f
#define FIREBRAND_LANDED 2.0f
#define FIREBRAND_BURNT 3.0f
#define FIREBRAND_LEFT 4.0f

/* Figures of a row of either grid. */
#define FIRE_ROW 6

/* A camera in the frame of the box, and the box; one ray a pixel of the pass. */
typedef struct fire_camera {
    f32 eye[3], forward[3], right[3], up[3]; /* right and up: over half the picture */
    i32 width, height;                       /* of the pass */
    i32 full_width, full_height;             /* of the picture */
    i32 steps, view;
    f32 jitter;                        /* frame's part */
    f32 turbulence, radiance, palette; /* palette: 1 / temperature of its white end */
    i32 has_depth, draws_colliders;
    f32 light[3]; /* from colliders towards the light */
} fire_camera;

#define FIRE_SLICE 8 /* floats of a plane of a part: light (rgb), place, weight, thickness */
#define FIRE_PART 6  /* floats of a part of the fire that lights: power (klx m2 sr), place (m) */

#define FIRE_SIGHT 12000.0f /* m: as far as land is looked for */
#define FIRE_HAZE 5000.0f   /* m, in which the air over it hides two thirds */

/* The light in the picture of a fire that burns, in the frame of the box. */
typedef struct fire_light {
    i32 nx, ny, nz;          /* of the light volume */
    i32 bx, by, bz;          /* of blocks */
    i32 px, py, pz, sources; /* parts of the fire; those that shine */
    i32 samples;             /* rays a pixel */
    i32 only_emission;
    i32 has_sun, has_ground, has_solids, has_depth, has_backdrop;
    i32 outdoors; /* the sky has a horizon; else it is the same all around */
    f32 steps;    /* a voxel of the dye */
    f32 albedo, embers, grain;
    f32 width, blur, unit; /* of a part, m; of that what it is spread over, m2; of grain, m */
    f32 shutter;           /* s */
    f32 sun[3], sun_from[3], sky[3], ground[3], solid[3], middle[3];
    f32 up[3], above;        /* across the ground; the eye above it, m */
    f32 horizon[3], glow[3]; /* out of doors: radiance there, beyond sky's; towards the sun, more */
    f32 dome[3], below[3];   /* means of what the upper and the lower half of the world send */
    i32 land_x, land_z;      /* samples of the land; 0: none */
    f32 land_from[2], land_per[2];   /* from the eye along the world's x and z, m; 1/m */
    f32 altitude, east[3], south[3]; /* of the eye, m; the world's x and z here */
} fire_light;

#define FIRE_VIEW_FINAL 0
#define FIRE_VIEW_NO_BLOOM 1
#define FIRE_VIEW_DENSITY 2
#define FIRE_VIEW_TEMPERATURE 3
#define FIRE_VIEW_VELOCITY 4
#define FIRE_VIEW_COLLIDERS 5

#endif
