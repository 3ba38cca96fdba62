/* SPDX-License-Identifier: MIT */
/* The wind's page: what its files share. */
#ifndef VIEW_WIND_H
#define VIEW_WIND_H

#include "view/camera.h"
#include "view/streaks.h"
#include "wind/wind.h"

/* m, of the camera above the ground: farther than what is cut away. */
#define VIEW_LEAST_CLEARANCE 3.0

/* A surface on which the wind is shown in colour. */
typedef enum view_slice {
    SLICE_NONE,
    SLICE_GROUND, /* at a height above the ground */
    SLICE_LEVEL,  /* at an altitude */
    SLICE_ALONG,  /* upright, along the wind */
    SLICE_ACROSS, /* upright, across it */
    SLICES
} view_slice;

typedef enum view_quantity { SHOW_SPEED, SHOW_UP, SHOW_TURBULENCE, QUANTITIES } view_quantity;

typedef struct wind_page {
    view_ground ground;
    foehn_wind_params params;
    foehn_wind *wind;
    foehn_volume *volume;
    foehn_gl *gl;
    foehn_gl_info shown; /* what the texture holds */
    double dt;
    double u10, from, gustiness; /* what blows; degrees from true north */
    bool slid;                   /* a slider has changed it, and it does not blow yet */
    double rate;                 /* simulated seconds a second */
    view_pace pace;
    bool paused, once;

    view_camera camera;
    double flight; /* m/s */
    bool streaks_on;
    view_slice slice;
    view_quantity quantity;
    double slice_height;   /* above ground, m */
    double slice_altitude; /* of a level one, in the terrain's heights, m */
    double slice_offset;   /* of an upright slice from the middle of the box, m */

    view_air air;
    view_streaks *streaks;
    GLuint sky, land, lines, cut; /* programs */
    GLuint palette;
    view_mesh square, land_mesh, line_mesh, cut_mesh, frame_mesh;
    view_area map; /* points */
    double top, bottom;
} wind_page;

int view_wind_draw_create(wind_page *p);
void view_wind_draw_destroy(wind_page *p);
/* Speed: viridis; diverging: as in the flow lab. */
void view_wind_color(bool diverging, double t, double rgb[3]);
/* Largest value of the colours. */
double view_wind_range(const wind_page *p);
void view_wind_draw(void *page, const viewer *v);
int view_wind_bars(void *page, viewer *v);

/* What blows, noted for streaks and slices, too: north lies towards -z. */
foehn_wind_state view_wind_note_state(wind_page *p);
/* After u10, from or gustiness changed. */
int view_wind_set_state(wind_page *p);
void view_wind_look_from_start(wind_page *p);
bool view_slice_is_upright(view_slice slice);

#endif
