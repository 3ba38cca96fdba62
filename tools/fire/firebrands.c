/* SPDX-License-Identifier: MIT */
/* Firebrands of a scene: what the file says of them, what became of them; the front that a fire is
 * and Byram's number. */
#include "config.h"

#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int fire_brands_read(yaml_at at, const foehn_fire_params *params, fire_scene *s)
{
    static const char *const keys[] = {"rate",      "diameter", "density", "drag",
                                       "shrinking", "most",     NULL};
    foehn_fire_firebrands *b = &s->brands;
    *b = foehn_fire_firebrands_default();
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "firebrands", keys));
    if (params->mode != FOEHN_FIRE_BURN)
        return yaml_fail(at, "firebrands: are for fire: {mode: burn}");
    s->has_brands = true;
    double diameter[2] = {(double)b->diameter[0], (double)b->diameter[1]};
    const struct {
        float *value;
        double low, high;
    } numbers[] = {{&b->rate, 1e-3, 1e6},
                   {NULL, 0, 0},
                   {&b->density, 1, 2000},
                   {&b->drag, 0.1, 10},
                   {&b->shrinking, 0, 1}};
    for (int n = 0; n < 5; n++) {
        if (!numbers[n].value)
            continue;
        double value = (double)*numbers[n].value;
        CHECK(yaml_number(yaml_get(at, keys[n]), keys[n], numbers[n].low, numbers[n].high, &value));
        *numbers[n].value = (float)value;
    }
    yaml_at sizes = yaml_get(at, "diameter");
    CHECK(yaml_numbers(sizes, "diameter", 2, diameter));
    if (!(diameter[0] >= 1e-5 && diameter[1] >= diameter[0] && diameter[1] <= 1))
        return yaml_fail(sizes, "diameter: must be the least and the largest, 1e-5 to 1 m");
    for (int k = 0; k < 2; k++)
        b->diameter[k] = (float)diameter[k];
    return yaml_whole(yaml_get(at, "most"), "most", 1, 4194304, &b->most);
}

/* ---- what became of them ---- */

double fire_brand_mass(const foehn_fire_firebrand *b, double density)
{
    const double pi = 3.14159265358979323846, d = (double)b->diameter;
    return density * pi / 6 * d * d * d;
}

void fire_brands_free(fire_brands *b)
{
    free(b->list);
    b->list = NULL;
}

int fire_brands_get(foehn_fire *fire, double density, fire_brands *out)
{
    *out = (fire_brands){.count = foehn_fire_get_firebrand_count(fire)};
    out->list = malloc((out->count + 1) * sizeof *out->list);
    if (!out->list)
        return fail_memory();
    int status = fail_library(foehn_fire_read_firebrands(fire, 0, out->count, out->list));
    for (size_t n = 0; n < out->count && status == STATUS_OK; n++) {
        const foehn_fire_firebrand *b = &out->list[n];
        out->states[b->state]++;
        if (b->state != FOEHN_FIRE_BRAND_LANDED)
            continue;
        double way = hypot(b->position[0] - b->from[0], b->position[2] - b->from[2]);
        out->mass += fire_brand_mass(b, density);
        out->farthest = fmax(out->farthest, way);
        out->mean += way;
    }
    if (out->states[FOEHN_FIRE_BRAND_LANDED] > 0)
        out->mean /= (double)out->states[FOEHN_FIRE_BRAND_LANDED];
    return status;
}

/* ---- the front ---- */

/* How far emitters that burn reach across a direction (x, z). */
static double width_across(const fire_scene *s, double time, const double across[2])
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->source_count; i++)
        for (int n = 0; n < s->sources[i].proxy_count; n++) {
            const fire_source *source = &s->sources[i];
            motion_state now;
            fire_motion_at(&source->proxies[n].motion, time, &now);
            if (!now.active || !(source->proxies[n].power > 0))
                continue;
            for (size_t v = 0; v < source->mesh.vertex_count; v++) {
                double p[3];
                for (int k = 0; k < 3; k++)
                    p[k] = (double)source->mesh.vertices[v][k];
                fire_rotate(now.pose.rotation, p, p);
                double at = (p[0] + now.pose.position[0]) * across[0] +
                            (p[2] + now.pose.position[2]) * across[1];
                low = fmin(low, at);
                high = fmax(high, at);
            }
        }
    return fmax(high - low, 0);
}

void fire_front_of(const fire_scene *s, const fire_wind *wind, double time, fire_front *out)
{
    const double gravity = 9.81, rho_cp_t = 354.6; /* kJ/m3: of any gas at one atmosphere */
    double velocity[3];
    memset(out, 0, sizeof *out);
    fire_wind_reference(wind, &out->height, velocity);
    out->wind = hypot(velocity[0], velocity[2]);
    for (int i = 0; i < s->source_count; i++)
        for (int n = 0; n < s->sources[i].proxy_count; n++) {
            motion_state now;
            fire_motion_at(&s->sources[i].proxies[n].motion, time, &now);
            out->power += now.active ? s->sources[i].proxies[n].power : 0;
        }
    if (!(out->power > 0) || !(out->wind > 0))
        return;
    out->width =
        width_across(s, time, (const double[2]){-velocity[2] / out->wind, velocity[0] / out->wind});
    if (!(out->width > 0))
        return;
    out->intensity = out->power / out->width;
    out->number = 2 * gravity * out->intensity / (rho_cp_t * pow(out->wind, 3));
}
