/* SPDX-License-Identifier: MIT */
/* foehn wind: what its files share. */
#ifndef WIND_H
#define WIND_H

#include "wind/input.h"
#include "options.h"
#include "wind/output.h"
#include "terrain/roughness.h"
#include "terrain/terrain.h"

enum { MOST_PROBES = 256, MOST_PROFILES = 64, MOST_HEIGHTS = 16 };

/* What makes the wind. */
typedef enum wind_model { MODEL_FORCING, MODEL_CONSISTENT, MODEL_MOMENTUM, MODEL_LES } wind_model;

/* The command line. */
typedef struct wind_options {
    common_options common;
    char command[OPTIONS_RECORD]; /* as it was given, without what only names outputs */
    double u10;                   /* at input_height, m/s */
    double input_height;          /* m */
    double from;                  /* degrees clockwise from true north */
    double gustiness;             /* 0 to 1 */
    bool has_u10, has_from, has_gustiness;
    double z0; /* m */
    bool has_quality;
    int quality;
    const char *quality_name; /* NULL: not given */
    bool has_cells, has_spacing, has_top;
    int cells[3];            /* x, y (up), z */
    double spacing[2];       /* horizontal, vertical, m */
    terrain_request terrain; /* path NULL: flat ground */
    roughness_request cover; /* path NULL: one roughness */
    bool has_z0;
    bool has_obukhov;
    double obukhov;   /* m */
    double leaf_area; /* of trees that drag on the air; 0: none does */
    double top;       /* altitude of the lid, m */
    bool has_origin;
    double origin[2]; /* of flat ground: latitude, longitude, degrees of WGS 84 */
    const char *scheme_name, *pressure_name;
    int scheme, pressure, advection, solids; /* numbers of the library's enumerations */
    int sweeps;                              /* 0: what the quality says */
    int cycles;                              /* 0: the library's default */
    bool has_divergence;
    double divergence; /* largest, of u10 over the spacing; 0: cycles only */
    bool steady;       /* the mean wind at once */
    int model;         /* of wind_model */
    int closure;       /* number of the library's enumeration */
    int subgrid;       /* number of the library's enumeration */
    double spin_up;    /* of the LES's turbulence before the run, s */
    int inflow;        /* number of the library's enumeration */
    bool has_subgrid, has_spin_up, has_inflow;
    double tolerance; /* relative residual of it */
    bool has_relaxation;
    double relaxation; /* 1/s */
    const char *input;
    const char *stations; /* or NULL */
    bool fit_only, has_time;
    double time, time_to; /* seconds since 1970; NaN: not given, or one moment */
    double height;        /* m above the ground: the first of heights, or the default */
    int height_count;
    double heights[MOST_HEIGHTS];
    int sectors;                        /* directions in one run; 0: one */
    const char *every_sector, *climate; /* NULL: none */
    bool has_reference;
    double reference[3]; /* easting, northing, height above the ground, m */
    bool has_range, cog;
    double range[2]; /* of maps, m/s */
    int probe_count;
    scene_probe probes[MOST_PROBES];
    scene_plane plane;
    char probe_names[MOST_PROBES][48];
    int profile_count;
    scene_probe profiles[MOST_PROFILES]; /* at no height */
    char profile_names[MOST_PROFILES][48];
    int band_count;
    const struct wind_quantity *bands[MOST_BANDS];
} wind_options;

extern const option_row wind_option_rows[];
void wind_options_init(wind_options *options);
/* Options that exclude each other; chooses the pressure solver that was not named. */
int wind_options_check(wind_options *options);

/* A wind in its place. */
typedef struct site {
    foehn_wind_params params;
    foehn_terrain ground; /* heights NULL: flat */
    float *heights;
    float *sampled;      /* the same before its sides were eased */
    foehn_terrain rough; /* heights NULL: one z0 */
    foehn_canopy canopy; /* height NULL: no trees drag on the air */
    float *leaf_area;
    float *roughness, *displacement, *trees; /* at the same samples, m; NULL: without --roughness */
    scene_probe *probes;                     /* of the scene */
    scene scene;
    double world_easting, world_northing; /* of world x = 0 and z = 0, m */
    double lid_above; /* hill heights between the summit and the lid; 0 on flat ground */
    double hill;      /* height of the hill, m */
} site;

/* Decide the box: size, spacing, place, ground.  Reports what was chosen. */
int site_create(const wind_options *options, const input_row *start, double largest_u10, site *out);
/* Another wind than that blows from the start. */
void site_start_with(const wind_options *options, const input_row *start, site *s);
void site_destroy(site *s);

/* The values of --probe and --profile, and all of them in the scene: probes, then profiles from
 * below (probe.c). */
int probe_parse(const char *option, const char *value, void *options);
int plane_parse(const char *option, const char *value, void *options);
int profile_parse(const char *option, const char *value, void *options);
int site_place_probes(const wind_options *options, site *s);
/* Points of --box behind them; once it is known where the wind comes from. */
int site_place_plane(const wind_options *options, site *s);

/* The ground (ground.c): mean heights around the samples of site.ground, rows from north to south;
 * what covers it fades towards the sides. */
int site_sample_ground(const terrain *t, site *s);
/* Its sides eased to one height, for a wind from there; raised by what covers it. */
int site_ease_ground(site *s, double from_grid);
/* As files show it: rows from south to north. */
void site_show_ground(site *s);
/* After another direction was set: the ground that this wind meets.  False: it is the same for all.
 */
bool site_turn_ground(site *s);
/* The ground of each column before its sides were eased, rows from south to north, m; 0 without
 * terrain. */
void site_read_real_ground(const site *s, float *out);

/* What covers the ground at the samples of it: roughness, displacement and heights of trees
 * (cover.c); and the z0 of the wind that comes in, where the command line has none. */
int cover_options_check(const wind_options *options);
int site_cover(const wind_options *options, double from, const place *place, site *s);
/* Roughness length at a place, m. */
double site_z0(const site *s, double easting, double northing);
/* The height above the model's ground of a height above the real one, which a canopy displaces. */
double site_height_above(const site *s, double easting, double northing, double height);

/* What the command line says of the method, not of the place. */
void site_set_method(const wind_options *options, foehn_wind_params *params);

/* The speed at 10 m of one that was measured at --input-height, by the log profile. */
double site_speed_at_10m(const wind_options *options, double speed);

/* Note what blows in the scene, and say it as the library wants it. */
foehn_wind_state site_set_wind(site *s, const input_row *row);

/* Open the device that the command line names and put its name into the scene (start.c). */
int wind_open_device(const common_options *options, scene *s, foehn_context **out);
/* The wind over the ground of a site, in the box that the site says. */
int wind_start(const site *s, foehn_context *ctx, foehn_wind **out);

/* An undisturbed wind at 10 m towards true east and north, on samples whose rows go from north to
 * south (map.c). */
typedef struct wind_map {
    int nx, ny;
    double west, north, spacing[2]; /* place of the first sample; towards east and south, m */
    const float *east_wind, *north_wind;
    double depth; /* as in foehn_wind_map */
} wind_map;
int wind_map_set(const site *s, foehn_wind *wind, const wind_map *map);

/* Read a field of the wind as files show it. */
typedef struct wind_reader wind_reader;
int wind_reader_create(const site *s, foehn_wind *wind, bool publishes, foehn_volume *volume,
                       wind_reader **out);
void wind_reader_destroy(wind_reader *reader);
/* Only the 2-D part, means or now; *mean_speed over all columns. */
int wind_reader_read_columns(wind_reader *reader, bool mean, const float **east,
                             const float **north, double *mean_speed);
/* All but the cells. */
int wind_reader_read(wind_reader *reader, bool mean, double mean_start, field *out);
/* And the cells of its levels from `first` on, of f->levels that it chooses. */
int wind_reader_read_levels(wind_reader *reader, int first, field *f);
/* Means or now. */
int wind_reader_read_probes(wind_reader *reader, bool mean, probe_row *rows);

/* Run to a statistically steady mean.
 *
 * Spin-up ends when the mean speed at the height changes by less than 0.5 % from one window to
 * the next.  Averaging ends when the mean field over n samples and over 2n differ by less than
 * 1 % of the mean speed (rms).  Both have a cap. */
typedef struct steady {
    bool averaging, done;
    bool spun_up, converged; /* by the criterion, not by the cap */
    uint64_t window;         /* steps */
    uint64_t sampled;        /* steps between samples of the spin-up */
    uint64_t phase_start;    /* step at which the present phase began */
    uint64_t windows;        /* of the spin-up so far */
    double sum, previous;    /* of speed samples in this window; mean of the one before */
    uint64_t samples;
    uint64_t next_check;       /* steps averaged at the next comparison */
    double change, difference; /* what was reached, relative */
    double average_start;      /* s */
    size_t columns;
    float *east, *north; /* the mean at the last comparison */
} steady;

int steady_create(steady *st, size_t columns, double dt);
/* After the numbers of a checkpoint: is it done already? */
void steady_take_up(steady *st, uint64_t step);
void steady_destroy(steady *st);
/* After each step; step counts from 1. */
int steady_step(steady *st, foehn_wind *wind, wind_reader *reader, uint64_t step, double time);
/* Most steps that it can take. */
uint64_t steady_longest(const steady *st);

/* The mean wind at once (--steady): mass consistent, and with --relaxation carried along by
 * advection until it stands still. */
typedef struct mean_wind {
    foehn_wind_solution solution;
    double solve_s;  /* wall-clock time of the solve */
    uint64_t steps;  /* of advection */
    double advect_s; /* wall-clock time of it */
    double change;   /* rms over the last window, relative; NaN without advection */
    bool converged;
} mean_wind;
int mean_wind_find(const wind_options *o, double dt, size_t columns, foehn_wind *wind,
                   wind_reader *reader, mean_wind *out);

/* Whether it stands still, for files. */
void momentum_describe(const foehn_wind_settling *s, scene *out);
/* The momentum model in pseudo-time until it stands still (momentum.c).  then: called after some
 * steps; a status that is not STATUS_OK ends the run.  s: of the wind that was found before, whose
 * steps are not told of again, or zeros. */
typedef int settling_report(const foehn_wind_settling *s, void *data);
int momentum_settle(const wind_options *o, foehn_wind *wind, settling_report *then, void *data,
                    foehn_wind_settling *s);

/* Checkpoints. */
typedef struct run_state {
    steady *steady;       /* NULL without */
    uint64_t outputs;     /* instants written so far */
    double average_start; /* s */
} run_state;
int checkpoint_write(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                     const run_state *state);
/* Whether such a run could go on from a file. */
int checkpoint_check(const char *path, const wind_options *o, const site *s);
int checkpoint_read(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                    run_state *state);

/* The simulation itself. */
int wind_run(wind_options *options);

#endif
