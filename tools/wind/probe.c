/* SPDX-License-Identifier: MIT */
/* Probes: points above the ground whose wind CSV files hold, one by one (--probe) or as profiles
 * over round heights (--profile). */
#include "config.h"

#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Count numbers and, behind them, a name, which is `kind` and a number where none is given. */
static int parse_place(const char *option, const char *value, int count, const char *form,
                       const char *kind, int number, double *at, size_t size, char *name)
{
    char text[256];
    snprintf(text, sizeof text, "%s", value);
    char *comma = text;
    for (int i = 0; comma && i < count; i++)
        comma = strchr(comma + (i > 0), ',');
    if (comma) {
        *comma = 0;
        snprintf(name, size, "%s", comma + 1);
        if (strpbrk(name, ",\"\n") || !*name)
            return fail(STATUS_INPUT, "%s %s: a name without commas and quotes, please", option,
                        value);
    } else
        snprintf(name, size, "%s%d", kind, number);
    return parse_numbers(option, text, ',', count, form, at);
}

int probe_parse(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    if (o->probe_count == MOST_PROBES)
        return fail(STATUS_USAGE, "%s %s: more than %d probes", option, value, (int)MOST_PROBES);
    double at[3];
    char *name = o->probe_names[o->probe_count];
    int status = parse_place(option, value, 3, "E,N,Z[,NAME]", "probe", o->probe_count + 1, at,
                             sizeof o->probe_names[0], name);
    if (status != STATUS_OK)
        return status;
    if (at[2] < 0 || at[2] > 1e5)
        return fail(STATUS_INPUT, "%s %s: height %g m: give 0 to 100000 m above the ground", option,
                    value, at[2]);
    o->probes[o->probe_count++] = (scene_probe){name, at[0], at[1], at[2]};
    return STATUS_OK;
}

int profile_parse(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    if (o->profile_count == MOST_PROFILES)
        return fail(STATUS_USAGE, "%s %s: more than %d profiles", option, value,
                    (int)MOST_PROFILES);
    double at[2];
    char *name = o->profile_names[o->profile_count];
    int status = parse_place(option, value, 2, "E,N[,NAME]", "profile", o->profile_count + 1, at,
                             sizeof o->profile_names[0], name);
    if (status == STATUS_OK)
        o->profiles[o->profile_count++] = (scene_probe){name, at[0], at[1], 0};
    return status;
}

static int check_inside(const scene *s, const char *option, const scene_probe *p)
{
    double x = p->easting - s->origin[0], y = p->northing - s->origin[1];
    if (x >= 0 && y >= 0 && x <= s->nx * s->spacing[0] && y <= s->ny * s->spacing[1])
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s %.10g,%.10g (%s): outside the box %.10g,%.10g,%.10g,%.10g (W,S,E,N)", option,
                p->easting, p->northing, p->name, s->origin[0], s->origin[1],
                s->origin[0] + s->nx * s->spacing[0], s->origin[1] + s->ny * s->spacing[1]);
}

/* Round heights from a quarter of a cell to the middle of the uppermost one, eight a decade.  out
 * may be NULL.  Returns how many. */
static int profile_heights(const scene *s, const scene_probe *at, scene_probe *out)
{
    static const double round_numbers[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
    enum { STEPS = sizeof round_numbers / sizeof round_numbers[0] };
    int i = (int)((at->easting - s->origin[0]) / s->spacing[0]), count = 0;
    int j = (int)((at->northing - s->origin[1]) / s->spacing[1]);
    i = i < s->nx ? i : s->nx - 1;
    j = j < s->ny ? j : s->ny - 1;
    const double most = s->origin[2] + (s->nz - 0.5) * s->spacing[2] -
                        (double)s->ground[(size_t)j * (size_t)s->nx + (size_t)i];
    const double least = 0.25 * s->spacing[2];
    for (int decade = (int)floor(log10(least)); pow(10, decade) <= most; decade++)
        for (int n = 0; n < STEPS; n++) {
            /* A quotient below 1: 0.3, not three times a tenth. */
            double height = decade < 0 ? round_numbers[n] / pow(10, -decade)
                                       : round_numbers[n] * pow(10, decade);
            if (height < least * (1 - 1e-9) || height > most)
                continue;
            if (out)
                out[count] = (scene_probe){at->name, at->easting, at->northing, height};
            count++;
        }
    return count;
}

int site_place_probes(const wind_options *o, site *s)
{
    scene *sc = &s->scene;
    int count = o->probe_count;
    for (int i = 0; i < o->probe_count + o->profile_count; i++) {
        bool single = i < o->probe_count;
        const scene_probe *p = single ? &o->probes[i] : &o->profiles[i - o->probe_count];
        int status = check_inside(sc, single ? "--probe" : "--profile", p);
        if (status != STATUS_OK)
            return status;
        count += single ? 0 : profile_heights(sc, p, NULL);
    }
    sc->probes = s->probes = malloc((size_t)(count + 1) * sizeof *s->probes);
    if (!s->probes)
        return fail_memory();
    memcpy(s->probes, o->probes, (size_t)o->probe_count * sizeof *s->probes);
    sc->probe_count = o->probe_count;
    for (int i = 0; i < o->profile_count; i++)
        sc->probe_count += profile_heights(sc, &o->profiles[i], s->probes + sc->probe_count);
    return STATUS_OK;
}
