/* SPDX-License-Identifier: MIT */
/* The fire's page: what its files share. */
#ifndef VIEW_FIRE_H
#define VIEW_FIRE_H

#include "fire/fire.h"
#include "view/camera.h"
#include "view/textures.h"

typedef enum view_grip { GRIP_NOTHING, GRIP_ORBIT, GRIP_MOVE } view_grip;

typedef struct fire_page {
    fire_scene *scene;
    foehn_fire *fire;
    foehn_fire_info info;
    fire_wind_spec spec; /* the wind, which the slider may take over from the scene */
    fire_wind *wind;
    fire_files files;   /* how it is saved */
    int exports;        /* number of the last file */
    double resolution;  /* of the command line, for other scenes, too; 0: none */
    bool listed, asked; /* the list of scenes is shown; one of it is wanted */
    int chosen;         /* in the list */
    double *strengths;  /* of the scene's proxies, one source after the other: multipliers, kW */
    double strength;    /* times those; 0: nothing burns */
    uint64_t done;      /* updates since the start */
    view_pace pace;
    bool paused, once;

    double target[3], yaw, pitch, distance, field; /* of the orbiting camera; m, radians */
    view_grip grip;
    bool moving; /* the left button moves the emitter */
    int view;    /* foehn_fire_view */

    /* the picture */
    bool stale;
    double detail; /* pixels of the picture over those of the window, along each axis */
    double spent;  /* s that the last picture took */
    uint32_t frame;
    unsigned char *pixels;
    size_t room; /* of pixels, bytes */
    int width, height;
    GLuint texture, paint, lines;
    view_mesh square, floor;
    view_area map; /* points */
    double top, bottom;
} fire_page;

/* Read a scene and make its fire; what was made is to be closed whatever is returned. */
int view_fire_open(fire_page *p, viewer *v, const char *scene, const fire_changes *changes);
void view_fire_close(fire_page *p);
/* The list of scenes: show or hide it, take a key, draw it. */
void view_fire_list_begin(fire_page *p);
bool view_fire_list_key(fire_page *p, SDL_Keycode key);
void view_fire_list_draw(fire_page *p, viewer *v);
/* Save the fire as it is as OpenVDB, under the next free name. */
void view_fire_export(fire_page *p, viewer *v);

int view_fire_draw_create(fire_page *p);
void view_fire_draw_destroy(fire_page *p);
/* Let the library make the picture, if something changed. */
int view_fire_paint(fire_page *p, const viewer *v);
void view_fire_draw(void *page, const viewer *v);
int view_fire_bars(void *page, viewer *v);

void view_fire_camera(const fire_page *p, view_camera *out);
void view_fire_look_from_start(fire_page *p);
/* At the start; restart also says so. */
int view_fire_begin(fire_page *p);
int view_fire_restart(fire_page *p, viewer *v);
bool view_fire_burns(const fire_page *p);
void view_fire_set_strength(fire_page *p, double strength);
/* What a proxy gives: its power where fuel burns, else its multiplier. */
double *view_fire_strength_of(const fire_page *p, int source, int proxy);
int view_fire_set_wind(fire_page *p, double speed);
/* What blows to the right, as the camera looks now, m/s. */
double view_fire_wind_across(const fire_page *p);

#endif
