/* SPDX-License-Identifier: MIT */
/* What files can hold of the wind beside its grid: one row a quantity.  Formats go over the table;
 * a new quantity is a row of it, and a member of `field` where it needs numbers that are not there
 * yet. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "wind/output.h"

/* The wind at one place; velocities along the grid.  NaN: under the ground, or not of this model.
 */
typedef struct place_value {
    double easting, northing; /* m */
    double east, north, up;   /* m/s */
    double intensity;         /* turbulence intensity */
    double k, viscosity;      /* m2/s2, m2/s */
    double covariances[6];    /* xx, yy, zz, xy, xz, yz, m2/s2 */
    double stress[2],
        friction; /* of the ground over the air's density, towards east and north, m2/s2; u*, m/s */
    double near_east, near_north; /* a quarter of a cell above the ground, m/s */
} place_value;

/* What a quantity cannot be told without. */
typedef enum quantity_need {
    NEEDS_NOTHING,
    NEEDS_PROJECTION,
    NEEDS_CLOSURE,
    NEEDS_EDDIES
} quantity_need;

typedef struct wind_quantity {
    const char *name;  /* as --band has it, and names of .asc files */
    const char *cells; /* variable of NetCDF and array of VTKHDF with a value a cell; NULL: none */
    const char *columns;       /* variable of NetCDF with a value a column; NULL: none */
    const char *standard_name; /* of CF; NULL: it has none */
    const char *units;         /* as UDUNITS has them */
    const char *unit;          /* as people write it */
    const char *what;          /* long_name; NULL: none */
    const char *of_mean;       /* the same of a mean over time; NULL: the same */
    const char *of_closure;    /* the same of a model with a turbulence closure; NULL: the same */
    const char *band;          /* description of a raster's band; "@": how high */
    quantity_need need;
    bool on_ground; /* its columns are not at scene.height */
    double (*value)(const scene *s, const place_value *v);
} quantity;

enum { QUANTITIES = 24 };
extern const quantity quantities[QUANTITIES];

/* The row of a name; NULL: there is none. */
const quantity *quantity_find(const char *name);
/* The names, for messages: [QUANTITIES]. */
void quantity_names(const char *names[QUANTITIES]);

bool quantity_is_there(const quantity *q, const scene *s);
/* It is there, but an instant has none. */
bool quantity_is_of_means(const quantity *q, const scene *s);
const char *quantity_long_name(const quantity *q, const scene *s, bool mean);
/* Of a band: "horizontal wind speed 10 m above ground". */
void quantity_describe(const quantity *q, const scene *s, size_t size, char *text);

/* The value in a cell, or in a column at its height. */
double quantity_of_cell(const quantity *q, const scene *s, const field *f, size_t cell);
double quantity_of_column(const quantity *q, const scene *s, const field *f, size_t column);

#endif
