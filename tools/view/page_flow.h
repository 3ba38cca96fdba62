/* SPDX-License-Identifier: MIT */
/* The flow lab's page: what its files share. */
#ifndef VIEW_FLOW_H
#define VIEW_FLOW_H

#include "flow/flow.h"
#include "view/view.h"
#include "view/textures.h"

/* A volume and its texture. */
typedef struct view_layer {
    foehn_volume *volume;
    foehn_gl *gl;
} view_layer;

/* What the hand does while a button is held. */
typedef enum view_hand { HAND_NOTHING, HAND_STIR, HAND_DRAW, HAND_DRAG } view_hand;

/* What keys and the slider reach. */
#define VIEW_LEAST_VISCOSITY 1e-4
#define VIEW_MOST_VISCOSITY 2e-3

typedef struct flow_page {
    flow_scene *scene;
    foehn_flow *flow;
    foehn_flow_info info;
    double dt;
    uint64_t done; /* steps since the start */
    view_pace pace;
    bool paused, once, blown_up;

    /* the hand */
    bool drawing; /* the left button draws instead of stirring */
    view_hand hand;
    float at[2], stirred[2]; /* where the hand is, and how far its path is stirred in */
    int color;               /* of the ink of this stroke */
    int slot;                /* obstacle that is dragged */
    float grip[2];           /* of its centre from the hand */
    int points;
    float line[FOEHN_FLOW_MOST_POINTS][2];

    /* what is shown */
    int layer;
    bool particles, solids_stale;
    double range, looked; /* of the colours; time of the last look at the field */
    double fastest, cl, cd;
    float *field, *solid, *places;
    view_layer moving, ink;
    GLuint picture, dots; /* programs */
    GLuint solids, divergence, palette;
    view_mesh square, particle_mesh;
    view_area map;      /* where the water is shown, points */
    double top, bottom; /* heights of the bars, points */
    int obstacle;       /* kind that is chosen in slot 0 */
} flow_page;

/* Programs, textures, volumes. */
int view_flow_draw_create(flow_page *p, viewer *v);
void view_flow_draw_destroy(flow_page *p);
/* Bring what changed to the textures. */
int view_flow_publish(flow_page *p, const viewer *v);
void view_flow_draw(void *page, const viewer *v);
/* Chips, sliders, legend, numbers. */
int view_flow_bars(void *page, viewer *v);

/* What bars and keys do. */
int view_flow_switch(flow_page *p, int terms);
int view_flow_restart(flow_page *p, viewer *v);
int view_flow_set_viscosity(flow_page *p, double nu);
void view_flow_set_shape(flow_page *p, viewer *v, foehn_flow_shape shape);
void view_flow_set_angle(flow_page *p, viewer *v, double angle);
bool view_flow_angle(const flow_page *p, double *angle);

/* The hand: what the mouse does to the water. */
void view_hand_press(flow_page *p, viewer *v, const view_event *e);
void view_hand_move(flow_page *p, const view_event *e);
void view_hand_release(flow_page *p, viewer *v);
/* Its part of one step, of so many that are left in this frame.  FOEHN_ERROR_ARGUMENT: an obstacle
 * cannot go there. */
foehn_status view_hand_work(flow_page *p, int left);

enum { VIEW_FLOW_LAYERS = 6 }; /* that can be chosen: all but particles, which lie over any */
extern const int view_flow_layers[VIEW_FLOW_LAYERS];

/* Colours of ink, one a stroke. */
extern const float view_inks[][4];
enum { VIEW_INKS = 5 };

#endif
