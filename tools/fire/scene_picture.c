/* SPDX-License-Identifier: MIT */
/* Scenes of foehn fire: their camera and picture. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"

#include <math.h>
#include <string.h>

/* A picture is drawn at the end: what it cannot be drawn from is told at the start. */
static int check_sight(yaml_at at, const foehn_fire_picture *p)
{
    double ahead[3], across2 = 0;
    for (int k = 0; k < 3; k++)
        ahead[k] = p->target[k] - p->position[k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double across = ahead[i] * p->up[j] - ahead[j] * p->up[i];
        across2 += across * across;
    }
    if (ahead[0] == 0 && ahead[1] == 0 && ahead[2] == 0)
        return yaml_fail(at, "camera: target and position are the same, (%g, %g, %g): move one",
                         p->target[0], p->target[1], p->target[2]);
    if (!(across2 > 1e-12 * (ahead[0] * ahead[0] + ahead[1] * ahead[1] + ahead[2] * ahead[2])))
        return yaml_fail(at,
                         "camera: looks along its up, (%g, %g, %g): give another, such as "
                         "up: [0, 0, -1]",
                         p->up[0], p->up[1], p->up[2]);
    return STATUS_OK;
}

int fire_scene_read_camera(yaml_at at, foehn_fire_picture *p)
{
    static const char *const keys[] = {"position", "target", "up", "field_of_view", NULL};
    double *const vectors[3] = {p->position, p->target, p->up};
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "camera", keys));
    for (int v = 0; v < 3; v++)
        CHECK(yaml_numbers(yaml_get(at, keys[v]), keys[v], 3, vectors[v]));
    CHECK(check_sight(at, p));
    return yaml_number(yaml_get(at, "field_of_view"), "field_of_view", 0.1, 179, &p->field_of_view);
}

/* Files stand in the folder of the scene's file; two words are no files. */
static int read_backdrop(yaml_at at, const char *what, const fire_scene *s, char *out)
{
    const char *text = yaml_text(at);
    if (text && (strcmp(text, "black") == 0 || strcmp(text, "transparent") == 0))
        return yaml_copy_text(at, what, LONGEST_PATH, out);
    return at.node ? fire_scene_path(at, what, s, out) : STATUS_OK;
}

static int read_float(yaml_at at, const char *key, double low, double high, float *out)
{
    double value = (double)*out;
    CHECK(yaml_number(yaml_get(at, key), key, low, high, &value));
    *out = (float)value;
    return STATUS_OK;
}

static int read_three(yaml_at at, const char *key, double low, double high, float out[3])
{
    double values[3] = {(double)out[0], (double)out[1], (double)out[2]};
    CHECK(yaml_numbers(yaml_get(at, key), key, 3, values));
    for (int k = 0; k < 3; k++) {
        if (!(values[k] >= low && values[k] <= high))
            return yaml_fail(yaml_get(at, key), "%s: %g is out of range: %g to %g", key, values[k],
                             low, high);
        out[k] = (float)values[k];
    }
    return STATUS_OK;
}

/* The light in pictures of fires that burn. */
static int read_light(yaml_at at, const foehn_fire_params *params, foehn_fire_picture *p)
{
    static const char *const own[] = {"look",    "curve",  "stops",    "samples", "detail",
                                      "shutter", "sun",    "sun_from", "sky",     "ground",
                                      "solid",   "embers", "grain",    "daylight"};
    static const char *const looks[] = {"light", "preset", "emission", NULL};
    static const char *const curves[] = {"film", "agx", "none", NULL};
    int look = (int)p->look, curve = (int)p->curve;
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
        if (params->mode != FOEHN_FIRE_BURN && yaml_get(at, own[k]).node)
            return yaml_fail(yaml_get(at, own[k]), "picture: %s is for mode: burn", own[k]);
    CHECK(yaml_choice(yaml_get(at, "look"), "look", looks, &look));
    CHECK(yaml_choice(yaml_get(at, "curve"), "curve", curves, &curve));
    p->look = (foehn_fire_look)look;
    p->curve = (foehn_fire_curve)curve;
    CHECK(read_float(at, "stops", -30, 30, &p->stops));
    CHECK(yaml_whole(yaml_get(at, "samples"), "samples", 1, 256, &p->samples));
    CHECK(read_float(at, "detail", 0.1, 16, &p->detail));
    CHECK(read_float(at, "shutter", 0, 10, &p->shutter));
    CHECK(read_float(at, "embers", 0, 1000, &p->embers));
    CHECK(read_float(at, "grain", 0, 1, &p->grain));
    CHECK(read_float(at, "daylight", -90, 90, &p->daylight));
    if (yaml_get(at, "daylight").node && (yaml_get(at, "sun").node || yaml_get(at, "sky").node))
        return yaml_fail(at, "picture: daylight gives sun and sky: leave these out, or daylight");
    CHECK(read_three(at, "sun", 0, 1e6, p->sun));
    CHECK(read_three(at, "sun_from", -1e6, 1e6, p->sun_from));
    if (p->sun_from[0] == 0 && p->sun_from[1] == 0 && p->sun_from[2] == 0)
        return yaml_fail(yaml_get(at, "sun_from"),
                         "sun_from: 0, 0, 0 is no direction: give one towards the sun");
    CHECK(read_three(at, "sky", 0, 1e6, p->sky));
    CHECK(read_three(at, "ground", 0, 1, p->ground));
    return read_three(at, "solid", 0, 1, p->solid);
}

int fire_scene_read_picture(yaml_at at, fire_scene *s)
{
    static const char *const keys[] = {"size",           "view",
                                       "exposure",       "bloom_strength",
                                       "bloom_radius",   "bloom_threshold",
                                       "draw_colliders", "background",
                                       "depth",          "look",
                                       "curve",          "stops",
                                       "samples",        "detail",
                                       "shutter",        "sun",
                                       "sun_from",       "sky",
                                       "ground",         "solid",
                                       "embers",         "grain",
                                       "daylight",       NULL};
    foehn_fire_picture *p = &s->picture;
    double size[2];
    bool draw = p->draw_colliders != 0;
    int view = (int)p->view;
    if (s->params.mode == FOEHN_FIRE_BURN &&
        p->look == FOEHN_FIRE_LOOK_LIGHT) { /* of what is overexposed */
        p->bloom_strength = 0.08f;
        p->bloom_threshold = 1;
    }
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "picture", keys));
    if (yaml_get(at, "size").node) {
        CHECK(yaml_numbers(yaml_get(at, "size"), "size", 2, size));
        for (int k = 0; k < 2; k++)
            if (!(size[k] >= 1 && size[k] <= 16384) || size[k] != floor(size[k]))
                return yaml_fail(yaml_get(at, "size"), "size: %g: whole numbers, 1 to 16384",
                                 size[k]);
        p->width = (int)size[0];
        p->height = (int)size[1];
        s->size_given = true;
    }
    CHECK(yaml_choice(yaml_get(at, "view"), "view", fire_view_names, &view));
    CHECK(yaml_truth(yaml_get(at, "draw_colliders"), "draw_colliders", &draw));
    p->view = (foehn_fire_view)view;
    p->draw_colliders = draw;
    CHECK(read_float(at, "exposure", 1e-6, 1e6, &p->exposure));
    CHECK(read_float(at, "bloom_strength", 0, 100, &p->bloom_strength));
    CHECK(read_float(at, "bloom_radius", 1e-3, 0.5, &p->bloom_radius));
    CHECK(read_float(at, "bloom_threshold", 0, 1e6, &p->bloom_threshold));
    CHECK(read_light(at, &s->params, p));
    CHECK(read_backdrop(yaml_get(at, "background"), "background", s, s->background));
    return read_backdrop(yaml_get(at, "depth"), "depth", s, s->depth);
}
