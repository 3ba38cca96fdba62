/* SPDX-License-Identifier: MIT */
/* The flying camera. */
#include "config.h"

#include "view/camera.h"

#include <math.h>
#include <string.h>

#define LOOK_RATE 0.0045 /* radians a point of the mouse */
#define STEEPEST 1.5     /* radians */

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

void view_camera_axes(const view_camera *c, double ahead[3], double right[3], double up[3])
{
    ahead[0] = sin(c->yaw) * cos(c->pitch);
    ahead[1] = sin(c->pitch);
    ahead[2] = -cos(c->yaw) * cos(c->pitch);
    right[0] = cos(c->yaw);
    right[1] = 0;
    right[2] = sin(c->yaw);
    cross(right, ahead, up);
}

void view_camera_matrix(const view_camera *c, double aspect, float out[16])
{
    double axes[3][3]; /* right, up, ahead */
    view_camera_axes(c, axes[2], axes[0], axes[1]);
    double at[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            at[a] += axes[a][k] * c->position[k];
    double zoom = 1 / tan(c->field / 2), depth = 1 / (c->far - c->near);
    for (int k = 0; k < 4; k++) {
        double right = k < 3 ? axes[0][k] : -at[0], up = k < 3 ? axes[1][k] : -at[1];
        double ahead = k < 3 ? axes[2][k] : -at[2];
        out[4 * k] = (float)(zoom / aspect * right);
        out[4 * k + 1] = (float)(zoom * up);
        out[4 * k + 2] = (float)((c->far + c->near) * depth * ahead -
                                 (k == 3 ? 2 * c->far * c->near * depth : 0));
        out[4 * k + 3] = (float)ahead;
    }
}

void view_camera_let_go(view_camera *c)
{
    c->forward = c->backward = c->left = c->right = c->up = c->down = c->looking = false;
}

bool view_camera_event(view_camera *c, const view_event *e)
{
    bool down = e->kind == VIEW_KEY_DOWN;
    if (e->kind == VIEW_PRESS || e->kind == VIEW_RELEASE) {
        c->looking = e->kind == VIEW_PRESS;
        return true;
    }
    if (e->kind == VIEW_MOVE && c->looking) {
        c->yaw = remainder(c->yaw - LOOK_RATE * e->dx, 6.283185307179586);
        c->pitch = fmax(-STEEPEST, fmin(c->pitch + LOOK_RATE * e->dy, STEEPEST));
        return true;
    }
    if (e->kind != VIEW_KEY_DOWN && e->kind != VIEW_KEY_UP)
        return false;
    switch (e->key) {
    case SDLK_w: c->forward = down; return true;
    case SDLK_s: c->backward = down; return true;
    case SDLK_a: c->left = down; return true;
    case SDLK_d: c->right = down; return true;
    case SDLK_e: c->up = down; return true;
    case SDLK_q: c->down = down; return true;
    default: return false;
    }
}

void view_camera_move(view_camera *c, double speed, double seconds)
{
    double ahead[3], right[3], up[3];
    view_camera_axes(c, ahead, right, up);
    int along = c->forward - c->backward, aside = c->right - c->left, above = c->up - c->down;
    for (int k = 0; k < 3; k++)
        c->position[k] +=
            speed * seconds * (along * ahead[k] + aside * right[k] + above * (k == 1));
}
