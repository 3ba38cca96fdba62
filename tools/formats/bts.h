/* SPDX-License-Identifier: MIT */
/* TurbSim's full-field files (.bts), which OpenFAST reads: the wind as a mast's plane of
 * instruments sees it, in 16 bits.  TurbSim User's Guide v2, appendix E. */
#ifndef BTS_H
#define BTS_H

#include "formats/bytes.h"

typedef struct bts_plane {
    int times, ny, nz;
    double dt, dy, dz; /* s, m */
    double speed, hub; /* m/s at the hub's height, m */
    double bottom;     /* height of the lowest points, m */
    bool periodic;     /* the last time is followed by the first */
    const char *text;  /* who made it; 200 bytes at most */
    /* u along the wind with its mean, v to the left, w up (0, 1, 2), m/s */
    double (*value)(const void *data, int component, int time, int j, int k);
    const void *data;
} bts_plane;

/* Write into an open file; the range of each component fills 16 bits. */
void bts_write(bytes_file *f, const bts_plane *p);

#endif
