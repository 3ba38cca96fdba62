/* SPDX-License-Identifier: MIT */
/* What files tell: a scene that does not change and fields that do.
 *
 * Files use east, north and up: arrays are [up][north][east], rows from south to north. */
#ifndef SCENE_H
#define SCENE_H

#include "terrain/place.h"

typedef struct scene_probe {
    const char *name;
    double easting, northing, height; /* m; height above the ground */
} scene_probe;

/* Points across the wind, of which .bts files keep the wind. */
typedef struct scene_plane {
    double easting, northing, height; /* of its middle, m; height above the ground */
    int ny, nz;                       /* across and up; 0: there is none */
    double dy, dz;                    /* m */
} scene_plane;

enum { MOST_BANDS = 24 };

/* All that a file says of a run beside the field itself. */
typedef struct scene {
    int nx, ny, nz;    /* cells towards east, north and up */
    double origin[3];  /* lower corner: easting, northing, altitude, m */
    double spacing[3]; /* m */
    float *ground;     /* [ny][nx], altitude of the ground, m */
    bool has_terrain;
    char terrain[128]; /* name of the raster's file */
    double eased;      /* width of the band at the sides where the terrain is eased, m */
    place place;
    double height;    /* of 2-D fields above the ground, m */
    double u10;       /* m/s */
    double from_true; /* degrees clockwise from true north */
    double from_grid; /* degrees clockwise from grid north, at the centre */
    double gustiness;
    double z0;       /* of the wind that comes in, m */
    char cover[160]; /* the map of roughness and what it holds; "": none */
    const char *scheme, *pressure;
    int sweeps;                /* or cycles */
    const char *pressure_unit; /* "sweeps" or "cycles" */
    double divergence; /* that they go on to, of u10 over the spacing; 0: so many and no more */
    bool steady;       /* the mean wind at once: no instants, no turbulence */
    bool momentum;     /* by the momentum model */
    bool les;          /* by the LES */
    bool averages;     /* the result is a mean over time */
    const char *model; /* that made the wind, as people say it */
    char rest[96];     /* of the momentum model: "settled: drift 0.31 % a flush of the box" */
    uint64_t seed;
    double moment;        /* that the wind is of, seconds since 1970 (UTC); NaN: of none */
    bool hours;           /* many moments: what blows differs from one to the next */
    bool settled;         /* of the momentum model */
    double drift;         /* of it, relative, a flush */
    double dt;            /* s */
    double every;         /* s between instants; 0: none */
    uint64_t steps_every; /* the steps that this is */
    bool has_range;       /* of maps' colours: */
    double range[2];      /* m/s */
    bool cog;             /* GeoTIFF cloud optimised */
    int band_count;       /* of rasters */
    const struct wind_quantity *bands[MOST_BANDS];
    const char *command; /* the command line, without what only names outputs */
    char device[128];
    int probe_count;
    const scene_probe *probes; /* behind them the plane's points, [nz][ny], if there is one */
    scene_plane plane;
} scene;

/* Probes, and points of the plane. */
static inline size_t scene_points(const scene *s)
{
    return (size_t)s->probe_count + (size_t)s->plane.ny * (size_t)s->plane.nz;
}

/* The time of a step, s: whole multiples of every are exact. */
double scene_time(const scene *s, uint64_t step);
/* What files say: the moment that the wind is of, else the time of a step. */
double scene_stamp(const scene *s, uint64_t step);

/* One instant, or a mean over time.  Velocities are grid-relative, m/s; NaN under the ground. */
typedef struct field {
    bool mean;
    double start, time; /* s; an instant when they are equal */
    uint64_t step;
    int samples;                    /* of the mean */
    int first_level, levels;        /* of which there are cells; 0: none has been read */
    const float *east, *north, *up; /* [levels][ny][nx] */
    const float *intensity;         /* turbulence intensity, [levels][ny][nx] */
    const float *east_2d, *north_2d, *up_2d, *intensity_2d; /* at scene.height, [ny][nx] */
    /* Of models with a turbulence closure, else NULL: */
    const float
        *covariances[6];        /* of a mean of the LES, else NULL: xx, yy, zz, xy, xz, yz, m2/s2 */
    const float *k, *viscosity; /* [levels][ny][nx], m2/s2 and m2/s */
    const float *k_2d, *viscosity_2d; /* at scene.height */
    const float *stress_east,
        *stress_north;     /* on the ground, over the air's density, [ny][nx], m2/s2 */
    const float *friction; /* its u*, m/s */
    const float *near_east, *near_north; /* the wind a quarter of a cell above the ground, m/s */
    foehn_volume *volume;                /* the last instant, for raw output */
} field;

/* One row of a time series, of probes and then of the plane's points; velocities towards true east
 * and north. */
typedef struct probe_row {
    double time;
    double east, north, up, intensity;
    double k, viscosity; /* of models with a turbulence closure, m2/s2 and m2/s */
} probe_row;

/* The lines of text that every format carries: name and value of each.  f NULL: of all times that a
 * file holds. */
enum { MOST_FACTS = 32 };
typedef struct scene_fact {
    char name[40];
    char value[200];
} scene_fact;
int scene_facts(const scene *s, const field *f, scene_fact facts[MOST_FACTS]);

#endif
