/* SPDX-License-Identifier: MIT */
/* foehn flow: what its files share. */
#ifndef FLOW_TOOL_H
#define FLOW_TOOL_H

#include "formats/builtin.h"
#include "options.h"

#include <foehn/flow.h>

enum { MOST_EVENTS = 64, MOST_MEASURES = 48, MOST_TRACERS = 64 };

/* ---- a scene ---- */

typedef enum flow_start {
    START_UNIFORM = 0,  /* params.start */
    START_TAYLOR_GREEN, /* on a periodic box of side 2 pi */
    START_VORTEX_PAIR   /* two Lamb-Oseen vortices of opposite turn side by side */
} flow_start;

typedef enum event_kind {
    EVENT_STIR = 0, /* every step of the event */
    EVENT_INK,      /* dots of ink along a line, once */
    EVENT_TERMS,
    EVENT_VISCOSITY,
    EVENT_FORCE,
    EVENT_SPEED, /* of an inflow or a wall */
    EVENT_OBSTACLE,
    EVENT_REMOVE,
    EVENT_DRAG, /* steadily, over the whole event */
    EVENT_DRAW,
    EVENT_RESTART
} event_kind;

/* Something that happens at a time, lasts for a while, perhaps again and again. */
typedef struct flow_event {
    event_kind kind;
    double at, lasting, every; /* every 0: once */
    foehn_flow_stir stir;
    int dots; /* of an ink line */
    int terms;
    double number;   /* viscosity, speed */
    float vector[2]; /* force, where to drag */
    int slot;        /* obstacle, or side of a speed */
    foehn_flow_obstacle obstacle;
    int points;
    float line[FOEHN_FLOW_MOST_POINTS][2];
    /* while running */
    double next;   /* when it happens next; INFINITY: no more */
    float from[2]; /* where a drag began */
} flow_event;

typedef enum quantity {
    Q_U,
    Q_V,
    Q_SPEED,
    Q_PRESSURE,
    Q_PRESSURE_DROP,
    Q_CD,
    Q_CL,
    Q_CIRCULATION,
    Q_MAX_SPEED,
    Q_MAX_DIV,
    Q_MAX_VORTICITY,
    Q_VORTEX_X,
    Q_VORTEX_Y,
    Q_ENERGY,
    Q_INK,
    Q_MIN_DIV,
    Q_LARGEST_DIV,
    Q_MIN_PRESSURE,
    Q_MAX_PRESSURE,
    Q_ARRIVAL,
    Q_SLOWEST,
    Q_FASTEST,
    Q_MEAN_U,
    Q_MEAN_V,
    Q_EDDY_X,
    Q_EDDY_Y
} quantity;

typedef enum reduction { R_LAST, R_MEAN, R_MIN, R_MAX, R_RANGE, R_FREQUENCY, R_RATIO } reduction;

/* One figure of a scene: a quantity over a stretch of time, reduced to a number. */
typedef struct flow_measure {
    char name[48];
    quantity what;
    double at[4]; /* point, two points, or box */
    int slot;
    double from, to; /* time */
    reduction how;
    double scale; /* the figure is divided by it */
    /* arrival */
    double gate[2]; /* x to reach, y that the tracer must be above (side 1) or below (-1) */
    int side, tracers;
    double tracer[MOST_TRACERS][2];
    /* while running */
    double value; /* the result so far; NaN: none */
    double sum, low, high, first, last;
    int samples;
    double *series; /* for a frequency */
    double *times;
    int capacity;
} flow_measure;

typedef enum flow_layer {
    LAYER_INK,
    LAYER_SPEED,
    LAYER_VORTICITY,
    LAYER_PRESSURE,
    LAYER_DIVERGENCE,
    LAYER_PARTICLES,
    LAYER_SOLIDS
} flow_layer;
extern const char *const layer_names[]; /* NULL ends the list */

typedef struct flow_scene {
    char name[64], title[96], about[200];
    foehn_flow_params params;
    double dt, duration, sample; /* sample: time between measurements */
    flow_start start;
    double start_numbers[4]; /* vortex pair: strength, distance, core, height */
    foehn_flow_obstacle obstacle[FOEHN_FLOW_MOST_OBSTACLES];
    int event_count;
    flow_event events[MOST_EVENTS];
    int measure_count;
    flow_measure measures[MOST_MEASURES];
    int layer;
    double range;  /* of the layer's colours; 0: chosen from the field */
    int line;      /* of the obstacles in the file, for messages */
    uint64_t hash; /* of the file's keys and values */
} flow_scene;

/* What the command line changes in a scene; NaN and 0: nothing. */
typedef struct flow_changes {
    double viscosity, reynolds, angle;
    int nx, ny;
    int surface, solver; /* -1: as the scene says */
    int off;             /* terms to switch off */
} flow_changes;

/* The command line. */
typedef struct flow_options {
    common_options common;
    flow_changes changes;
    bool list, show, layer_given;
    int layer;
} flow_options;
extern const option_row flow_option_rows[];
void flow_options_init(flow_options *options);
int flow_options_check(const flow_options *options);

/* Read a scene by the name of a built-in one, or a file; then apply the changes. */
int flow_scene_read(const char *name, const flow_changes *changes, flow_scene **out);
void flow_scene_destroy(flow_scene *scene);
int flow_scene_measure(yaml_at at, const flow_scene *scene, flow_measure *out);

extern const builtin_table flow_builtin;

/* ---- running ---- */

/* Write the start field; for START_UNIFORM nothing. */
int flow_start_write(const flow_scene *scene, foehn_flow *flow);

/* Events due at this time for the next step. */
int flow_events_apply(flow_scene *scene, foehn_flow *flow, double time, double dt);

/* After each step: tracers move, and what has a time of its own is measured at that. */
int flow_measures_begin(flow_scene *scene);
int flow_measures_step(flow_scene *scene, foehn_flow *flow, double time, double dt);
/* Measure all the rest. */
int flow_measures_sample(flow_scene *scene, foehn_flow *flow, double time, double dt);
void flow_measures_end(flow_scene *scene);
/* Put a value at the end of a measure's series. */
int flow_measure_keep(flow_measure *m, double time, double value);

/* ---- layers ---- */

typedef struct flow_layer_kind {
    const char *name, *unit;
    foehn_flow_field field;
    bool diverging;          /* about 0 */
    const char *more, *less; /* what the two colours of a diverging layer say */
} flow_layer_kind;
extern const flow_layer_kind flow_layers[];     /* by flow_layer */
extern const double flow_rock[3], flow_deep[3]; /* colours of solids and of clear water */

/* Colour at t from 0 to 1.  Speed: dark blue over green to pale yellow; diverging: sky blue, white,
 * orange. */
void flow_layer_color(bool diverging, double t, double rgb[3]);

/* End of the colours: a round number that 99.7 % of the water stays below, so that a few cells do
 * not wash out the rest; and the largest magnitude of all. */
int flow_layer_range(size_t n, const float *field, const float *solid, double *end, double *most);

/* How far a run is. */
typedef struct flow_progress {
    uint64_t done;    /* steps */
    int pictures;     /* of a sequence */
    char *rows;       /* of the CSV, ended by a zero; NULL: none */
    size_t row_bytes; /* without it */
    size_t row_room;  /* bytes that rows can hold */
} flow_progress;

/* Checkpoints.  Reading takes over what the flow, the scene's script and its measures were at. */
int flow_state_write(const char *path, flow_scene *scene, double dt, const char *device,
                     foehn_flow *flow, const flow_progress *progress);
/* Whether a run of this scene could go on from a file, and how many steps it has done. */
int flow_state_check(const char *path, const flow_scene *scene, double dt, uint64_t *done);
int flow_state_read(const char *path, flow_scene *scene, double dt, const char *device,
                    foehn_flow *flow, flow_progress *progress);

/* A picture of a layer. */
int flow_picture_write(const char *path, const flow_scene *scene, foehn_flow *flow, int layer);

int flow_run(flow_scene *scene, const common_options *options, int layer, bool layer_given);

#endif
