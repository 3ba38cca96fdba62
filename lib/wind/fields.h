/* SPDX-License-Identifier: MIT */
/* The list of a wind's fields: reading, checkpoints and running means go over it. */
#ifndef FOEHN_LIB_WIND_FIELDS_H
#define FOEHN_LIB_WIND_FIELDS_H

#include "wind/state.h"

typedef struct wind_field {
    foehn_wind_field name;
    cl_mem buffer;
    bool written;           /* foehn_wind_write() takes it */
    bool wraps;             /* its side ghosts live in a periodic box */
    const foehn_grid *grid; /* where that is another than the wind's, else NULL */
} wind_field;

enum { WIND_FIELDS = 24 };

/* Kept for the scatter of the speed; nobody reads it as it is. */
#define WIND_MEAN_SQUARE ((foehn_wind_field)255)

/* Means of uu, vv, ww, uv, uw, vw, which nobody reads as they are, either. */
#define WIND_MEAN_PRODUCT ((foehn_wind_field)253)

/* A model's own that nobody reads as it is. */
#define WIND_OWN ((foehn_wind_field)254)

/* All that a checkpoint keeps, in its order: of every wind, of its model, means last. */
int foehn_wind_fields(const foehn_wind *w, wind_field fields[WIND_FIELDS]);

#endif
