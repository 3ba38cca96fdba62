/* SPDX-License-Identifier: MIT */
/* A course of a wind, run by one part and by several, each a thread with a context of its own. */
#ifndef FOEHN_TESTS_DOMAIN_PARTS_H
#define FOEHN_TESTS_DOMAIN_PARTS_H

#include "testing.h"

enum { MOST = 4 };

/* Into which volumes it is published at the end of a course. */
typedef enum publication { NOWHERE, BOX, BLOCKS } publication;

/* What is done, the same on all parts. */
typedef struct course {
    foehn_wind_params params;
    bool hill, averages, solves;
    bool through_host; /* a context each, which does not know of the others' */
    int steps;
    float dt;
    bool follows; /* the box does: a cell or two a step, and at last far more than parts see */
    publication publishes;
} course;

/* One part's way through it, and what it ends with. */
typedef struct runner {
    const course *course;
    foehn_domain *domain; /* NULL: one part without any */
    const void *resume;   /* part 0: go on from these bytes */
    size_t resume_size;
    foehn_status status;
    char story[512];
    size_t size;
    void *state;               /* part 0: the checkpoint */
    float *solid, *divergence; /* likewise */
    float *k, *covariance;     /* likewise, of models that have them */
    foehn_wind_stats stats;
    foehn_wind_solution solution;
    foehn_wind_progress progress;
    float points[5][4], ground[64 * 64];
    float turbulence[5][2], stress[64 * 64 * 3]; /* of models that have them, else 0 */
    foehn_domain_traffic traffic;
    uint16_t *halves; /* of the volume, where this part has one */
    foehn_volume_info volume;
} runner;

/* The device that the program's context runs on. */
int context_index(void);

/* All parts of a course; parts = 0: without a domain. */
void run_parts(runner *r, const course *c, int parts, const void *resume, size_t resume_size);
void forget(runner *r);

/* Several parts have ended with the bits of one. */
void check_same(const runner *one, const runner *r, int parts);

/* 1, 2, 3 and 4 parts end with the same bits. */
void check_parts(const course *c);

#endif
