/* SPDX-License-Identifier: MIT */
/* The list of a wind's fields: reading, checkpoints and running means go over it. */
#ifndef FOEHN_LIB_WIND_FIELDS_H
#define FOEHN_LIB_WIND_FIELDS_H

#include "wind/state.h"

typedef struct wind_field {
    foehn_wind_field name;
    cl_mem buffer;
    bool written;  /* foehn_wind_write() takes it */
    bool wraps;    /* its side ghosts live in a periodic box */
} wind_field;

enum { WIND_FIELDS = 16 };

/* Kept for the scatter of the speed; nobody reads it as it is. */
#define WIND_MEAN_SQUARE ((foehn_wind_field)255)

/* All that a checkpoint keeps, in its order: of every wind, of its model, means last. */
int foehn_wind_fields(const foehn_wind *w, wind_field fields[WIND_FIELDS]);

#endif
