/* SPDX-License-Identifier: MIT */
/* foehn box: what is asked for, and what its files of output are made of. */
#ifndef BOX_COMMAND_H
#define BOX_COMMAND_H

#include "box/box.h"

/* Mean speed by height: a power law, a logarithmic one, or rows of a table. */
typedef struct box_profile {
    double exponent; /* of the power law; NaN: the others */
    double z0;       /* of the logarithmic one, m; 0: the table */
    size_t count;
    double *height, *speed; /* m above the ground, rising; m/s */
} box_profile;

typedef enum box_scaling { SCALE_SPECTRUM, SCALE_EXACT, SCALE_IEC } box_scaling;

/* Options that exclude others. */
enum {
    NO_OPTION,
    SPEED_GIVEN,
    HUB_GIVEN,
    CLASS_GIVEN,
    EXTREME_GIVEN,
    SIGMA_GIVEN,
    TI_GIVEN,
    SCALE_GIVEN,
    SITE_GIVEN,
    AT_GIVEN,
    ENERGY_GIVEN,
    LENGTH_GIVEN,
    GAMMA_GIVEN,
    SAMPLES_GIVEN,
    AVERAGING_GIVEN,
    COHERENCE_GIVEN,
    SHEAR_GIVEN,
    PROFILE_GIVEN,
    CONSTRAINTS_GIVEN,
    GIVEN_OPTIONS
};

typedef struct box_options {
    int model; /* box_model */
    int size[3];
    double spacing[3]; /* m */
    bool periodic[3];
    double speed, hub;            /* m/s at this height, m */
    const char *turbulence_class; /* "IA" */
    bool extreme;
    double sigma, intensity, energy, length, gamma; /* NaN: not given */
    int scaling;
    int samples;   /* 0: points, 1: cells */
    int averaging; /* 0: cell, 1: sinc */
    int coherence; /* of Kaimal's; 0: u, 1: u, v, w */
    box_profile profile;
    const char *profile_file, *constraints, *site;
    double at[3]; /* east, north, height above the ground: of the site's field */
    uint64_t seed;
    int output_count;
    const char *outputs[32];
    const char *stats;
    const char *config; /* was read first */
    bool quiet;
    bool given[GIVEN_OPTIONS];
} box_options;

/* A box with all that its files tell. */
typedef struct box_result {
    box b;
    const box_options *o;
    box_model model;
    mann_params mann;
    kaimal_params kaimal;
    double sigma;     /* of u, wanted, m/s; NaN: by the tensor */
    double *mean;     /* [nz]: speed by height, m/s */
    double processor; /* time that it took, s */
    double made[3];   /* standard deviations of the box, m/s */
    const char *command;
} box_result;

/* Height above the ground of the k-th points. */
double box_height(const box_result *r, int k);

/* Two-sided spectrum that is aimed at, at a wave number along the wind in 1/m; component: BOX_UU to
 * BOX_UW. */
double box_target(const box_result *r, int spectrum, double k1);
/* The co-coherence of u, v or w at points y, z m apart that is aimed at. */
double box_target_coherence(const box_result *r, int component, double k1, double y, double z);

/* Set r->mann or r->kaimal, sigma and mean by the options; the caller frees mean. */
int box_settle(box_options *o, box_result *r);

/* A CSV file's constraints; heights and times become places in the box. */
int box_read_constraints(const char *path, const box_options *o, size_t *count,
                         box_constraint **out);
int box_read_profile(const char *path, box_profile *out);

/* What a solved wind knows of a place. */
typedef struct site_point {
    double speed;   /* m/s */
    double k;       /* turbulent kinetic energy, m^2/s^2 */
    double epsilon; /* its dissipation, m^2/s^3 */
    double shear;   /* 1/s */
    double balance; /* shear k / epsilon where as much turbulence is made as is lost */
    box_profile profile;
} site_point;

/* Read a NetCDF file of foehn wind at a place, east and north in its coordinates. */
int site_read(const char *path, const double at[3], site_point *out);

/* Outputs: one file a format, a row in output.c. */
typedef struct box_format {
    const char *extension, *what, *package; /* package: what is missing, where write is NULL */
    int (*check)(const box_options *o, const char *path); /* before the work; may be NULL */
    int (*write)(const box_result *r, const char *path);
} box_format;

extern const box_format box_bts, box_hawc2, box_wnd, box_netcdf, box_png;
const box_format *box_format_of(const char *path); /* NULL: none */
/* Names of formats, for messages. */
void box_format_list(size_t size, char *text);

#endif
