/* SPDX-License-Identifier: MIT */
/* What a run over many directions has found, and what files tell of it. */
#ifndef SECTORS_H
#define SECTORS_H

#include "wind/climate.h"
#include "wind/quantity.h"
#include "wind/wind.h"

/* One direction. */
typedef struct direction_found {
    double from;      /* that the undisturbed wind blows from, degrees clockwise from true north */
    double from_grid; /* the same from grid north */
    float mast[4];    /* the wind at the reference, as `at` has it */
    uint64_t steps;   /* until it stood still; 0: found at once */
    bool settled;
    double drift; /* of the momentum model, relative, a flush; NaN: of another */
    double seconds;
} direction_found;

typedef struct sectors {
    const scene *scene;
    const climate *climate; /* at the reference; NULL: none */
    int count;
    direction_found *of;
    int heights;
    const double *height; /* above the ground, m; the first is that of maps */
    size_t columns;       /* rows from south to north */
    float *at;        /* [count][heights][columns][4]: towards the grid's east and north, up, m/s;
                         intensity */
    float *ground;    /* [count][columns], m: that of each direction; NULL: the scene's for all */
    float *elevation; /* [columns], m: of the real ground */
    double *inlet;    /* undisturbed speed at each height, m/s */
    bool closure;     /* the intensity is that of a turbulence closure; else there is none */
    bool has_reference;
    double reference[3]; /* easting, northing, height above the ground, m */
} sectors;

/* Whether the command line asks for many directions, and what goes with that; after the rest was
 * checked. */
bool sectors_wanted(const wind_options *options);
int sectors_options_check(const wind_options *options);
int reference_parse(const char *option, const char *value, void *options);
int height_parse(const char *option, const char *value, void *options);

/* The wind of a direction in a column at a height, or at the reference. */
place_value sectors_at(const sectors *s, int direction, int height, size_t column);
place_value sectors_at_reference(const sectors *s, int direction);

/* What a value of many directions is; one row a variable of NetCDF. */
typedef struct sector_quantity {
    const char *name, *standard_name, *units, *long_name;
    bool at_heights; /* one a height; else one for all */
    bool (*is_there)(const sectors *s);
    double (*value)(const sectors *s, int direction, int height, size_t column);
} sector_quantity;

enum { SECTOR_QUANTITIES = 8 };
extern const sector_quantity sector_quantities[SECTOR_QUANTITIES];

/* The speed over that of the undisturbed wind at the same height. */
double sectors_speedup(const sectors *s, int direction, int height, size_t column);
double sectors_speedup_at_reference(const sectors *s, int direction);

/* A format of all directions; each lives in its out_*.c. */
typedef struct sectors_format {
    const char *extension, *what;
    const char *package; /* what brings it when it is not built in */
    bool needs_climate;
    int (*write)(const char *path, const char *temporary, const sectors *s);
} sectors_format;

extern const sectors_format sectors_netcdf, sectors_png, sectors_wrg, sectors_rsf;

/* The format of a file by its extension; fails when there is none. */
int sectors_find_format(const char *path, const sectors_format **format);

/* The run itself. */
int sweep_run(const wind_options *options);

#endif
