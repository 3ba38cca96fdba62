/* SPDX-License-Identifier: MIT */
/* Cameras of the 3-D pages: a flying one, and the matrices that shaders take. */
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

#include "view/view.h"

/* World axes: x east, y up, z south. */
typedef struct view_camera {
    double position[3];                            /* m */
    double yaw;                                    /* radians; 0 looks north, clockwise > 0 */
    double pitch;                                  /* radians; up > 0 */
    double field;                                  /* of view, vertical, radians */
    double near, far;                              /* m */
    bool forward, backward, left, right, up, down; /* keys that are held */
    bool looking;                                  /* a button is held */
} view_camera;

/* Unit vectors: where it looks, to its right, and up. */
void view_camera_axes(const view_camera *c, double ahead[3], double right[3], double up[3]);
/* World to clip space, by columns. */
void view_camera_matrix(const view_camera *c, double aspect, float out[16]);
/* W A S D, E and Q, and looking with a button held; true when the event was one of these. */
bool view_camera_event(view_camera *c, const view_event *e);
/* No key and no button is held any more. */
void view_camera_let_go(view_camera *c);
/* Fly on; speed in m/s. */
void view_camera_move(view_camera *c, double speed, double seconds);

#endif
