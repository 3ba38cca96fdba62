/* SPDX-License-Identifier: MIT */
/* The fire's page: what keys, chips and sliders set. */
#include "config.h"

#include "view/page_fire.h"

#include <math.h>

void view_fire_look_from_start(fire_page *p)
{
    const foehn_fire_picture *c = &p->scene->picture;
    double way[3];
    for (int k = 0; k < 3; k++) {
        p->target[k] = c->target[k];
        way[k] = c->target[k] - c->position[k];
    }
    p->distance = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    p->yaw = atan2(way[0], -way[2]);
    p->pitch = asin(way[1] / fmax(p->distance, 1e-6));
    p->field = c->field_of_view * 3.14159265358979323846 / 180;
    p->stale = true;
}

void view_fire_camera(const fire_page *p, view_camera *c)
{
    double ahead[3], right[3], up[3];
    *c = (view_camera){.yaw = p->yaw, .pitch = p->pitch, .field = p->field};
    view_camera_axes(c, ahead, right, up);
    for (int k = 0; k < 3; k++)
        c->position[k] = p->target[k] - p->distance * ahead[k];
    c->near = 0.02 * p->distance;
    c->far = p->distance + 60;
}

int view_fire_begin(fire_page *p)
{
    p->done = 0;
    p->stale = true;
    return fail_library(foehn_fire_restart(p->fire));
}

int view_fire_restart(fire_page *p, viewer *v)
{
    view_say(v, "back to the start");
    return view_fire_begin(p);
}

bool view_fire_burns(const fire_page *p)
{
    return p->scene->params.mode == FOEHN_FIRE_BURN;
}

double *view_fire_strength_of(const fire_page *p, int source, int proxy)
{
    fire_source *s = &p->scene->sources[source];
    return view_fire_burns(p) ? &s->proxies[proxy].power : &s->proxies[proxy].multiplier;
}

void view_fire_set_strength(fire_page *p, double strength)
{
    size_t n = 0;
    const fire_scene *s = p->scene;
    p->strength = fmin(fmax(strength, 0), 2);
    for (int i = 0; i < s->source_count; i++)
        for (int k = 0; k < s->sources[i].proxy_count; k++)
            *view_fire_strength_of(p, i, k) = p->strength * p->strengths[n++];
}

double view_fire_wind_across(const fire_page *p)
{
    return p->spec.velocity[0] * cos(p->yaw) + p->spec.velocity[2] * sin(p->yaw);
}

/* As the camera looks now; from now on the scene's own wind does not blow. */
int view_fire_set_wind(fire_page *p, double speed)
{
    speed = fmin(fmax(speed, -4), 4);
    p->spec = (fire_wind_spec){.velocity = {speed * cos(p->yaw), 0, speed * sin(p->yaw)}};
    fire_wind_close(p->wind);
    p->wind = NULL;
    return fire_wind_open(&p->spec, p->scene, &p->wind);
}
