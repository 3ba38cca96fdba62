/* SPDX-License-Identifier: MIT */
/* Many directions: what the command line asks for, and what is told of each. */
#include "config.h"

#include "wind/sectors.h"

#include <math.h>
#include <string.h>

/* ---- the command line ---- */

bool sectors_wanted(const wind_options *o)
{
    return o->sectors > 0 || o->climate;
}

int reference_parse(const char *option, const char *value, void *options)
{
    double *at = ((wind_options *)options)->reference;
    int status = parse_numbers(option, value, ',', 3, "E,N,Z, such as 75383,823736,10", at);
    if (status == STATUS_OK && !(at[2] > 0 && at[2] <= 1000))
        return fail(STATUS_INPUT, "%s %s: height %g m: give more than 0 to 1000 m above the ground",
                    option, value, at[2]);
    return status;
}

int height_parse(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    if (o->height_count == MOST_HEIGHTS)
        return fail(STATUS_USAGE, "%s %s: more than %d heights", option, value, (int)MOST_HEIGHTS);
    double height;
    int status = parse_number(option, value, 0.01, 1e4, "m", &height);
    for (int i = 0; i < o->height_count && status == STATUS_OK; i++)
        if (fabs(o->heights[i] - height) < 1e-9)
            return fail(STATUS_USAGE, "%s %s: given twice", option, value);
    if (status == STATUS_OK)
        o->heights[o->height_count++] = height;
    o->height = o->heights[0];
    return status;
}

/* One %d, or such as %03d, and no other conversion. */
static bool is_pattern(const char *text)
{
    const char *at = strchr(text, '%');
    if (!at)
        return false;
    const char *end = at + 1 + strspn(at + 1, "0123456789");
    return *end == 'd' && end - at <= 3 && !strchr(end, '%');
}

static int check_maps(const wind_options *o)
{
    const output_format *format;
    if (!o->every_sector)
        return STATUS_OK;
    if (!is_pattern(o->every_sector))
        return fail(
            STATUS_USAGE,
            "--every-sector %s: give a name with %%03d where the direction is to stand, such as "
            "map-%%03d.tif",
            o->every_sector);
    int status = output_find(o->every_sector, &format);
    if (status == STATUS_OK && !format->flat)
        return fail(
            STATUS_USAGE,
            "--every-sector %s: maps are .tif, .png, .asc, .gpkg or .kmz; --out FILE.nc has "
            "all directions",
            o->every_sector);
    return status;
}

static int check_alone(const wind_options *o)
{
    const char *lost = o->every_sector ? "--every-sector" : o->has_reference ? "--reference" : NULL;
    if (lost)
        return fail(STATUS_USAGE, "%s needs --sectors N", lost);
    if (o->height_count > 1)
        return fail(STATUS_USAGE, "--height %g and %g: more than one needs --sectors N",
                    o->heights[0], o->heights[1]);
    return STATUS_OK;
}

int sectors_options_check(const wind_options *o)
{
    if (!sectors_wanted(o))
        return check_alone(o);
    const common_options *c = &o->common;
    const char *both = o->has_from        ? "--from: the directions go round from north"
                       : o->probe_count   ? "--probe: give --reference E,N,Z"
                       : o->profile_count ? "--profile"
                       : o->input         ? "--input"
                       : o->stations      ? "--stations"
                       : c->steps         ? "--steps"
                       : c->duration > 0  ? "--duration"
                       : c->every > 0     ? "--every: give --every-sector"
                       : c->checkpoint    ? "--checkpoint"
                       : c->resume        ? "--resume"
                                          : NULL;
    if (both)
        return fail(STATUS_USAGE, "--sectors finds one wind a direction: leave out %s", both);
    if (!o->steady)
        return fail(STATUS_USAGE, "--sectors needs --model consistent or --model momentum");
    if (!(o->u10 > 0))
        return fail(STATUS_USAGE, "--sectors needs a wind: --u10 more than 0");
    if (o->climate && !o->has_reference)
        return fail(STATUS_USAGE, "--climate needs --reference E,N,Z: where its mast stands");
    if (c->output_count == 0 && !o->every_sector)
        warn("no --out and no --every-sector: only the figures are told");
    for (int i = 0; i < c->output_count; i++) {
        const sectors_format *format;
        int status = sectors_find_format(c->outputs[i], &format);
        if (status != STATUS_OK)
            return status;
        if (format->needs_climate && !o->climate)
            return fail(STATUS_USAGE,
                        "--out %s: needs --climate FILE.tab: how often and how strongly it blows",
                        c->outputs[i]);
    }
    return check_maps(o);
}

int sectors_find_format(const char *path, const sectors_format **format)
{
    static const sectors_format *const formats[] = {&sectors_netcdf, &sectors_png, &sectors_wrg,
                                                    &sectors_rsf};
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const char *extension = dot && (!slash || dot > slash + 1) && dot != path ? dot + 1 : "";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(extension, formats[i]->extension) != 0)
            continue;
        if (!formats[i]->write)
            return fail(
                STATUS_USAGE,
                "--out %s: this foehn was built without %s: install %s, then configure and make "
                "again",
                path, formats[i]->what, formats[i]->package);
        *format = formats[i];
        return STATUS_OK;
    }
    return fail(STATUS_USAGE,
                "--out %s: of many directions there are .nc, .png, .wrg and .rsf; maps of each are "
                "--every-sector OUT-%%03d.tif",
                path);
}

/* ---- values ---- */

static place_value value_of(const float *at, double easting, double northing)
{
    return (place_value){.easting = easting,
                         .northing = northing,
                         .east = (double)at[0],
                         .north = (double)at[1],
                         .up = (double)at[2],
                         .intensity = (double)at[3]};
}

place_value sectors_at(const sectors *s, int d, int h, size_t c)
{
    const scene *sc = s->scene;
    const size_t nx = (size_t)sc->nx;
    return value_of(s->at + 4 * (((size_t)d * (size_t)s->heights + (size_t)h) * s->columns + c),
                    sc->origin[0] + ((double)(c % nx) + 0.5) * sc->spacing[0],
                    sc->origin[1] + ((double)(c / nx) + 0.5) * sc->spacing[1]);
}

place_value sectors_at_reference(const sectors *s, int d)
{
    return value_of(s->of[d].mast, s->reference[0], s->reference[1]);
}

void sectors_shear_heights(const sectors *s, int *low, int *high)
{
    *low = *high = s->heights > 1 ? 0 : -1;
    for (int h = 1; h < s->heights; h++) {
        *low = s->height[h] < s->height[*low] ? h : *low;
        *high = s->height[h] > s->height[*high] ? h : *high;
    }
}

static double speed_of(place_value v)
{
    return hypot(v.east, v.north);
}

static double speed(const sectors *s, int d, int h, size_t c)
{
    return speed_of(sectors_at(s, d, h, c));
}

static double direction(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return place_direction(&s->scene->place, v.easting, v.northing, v.east, v.north);
}

double sectors_speedup(const sectors *s, int d, int h, size_t c)
{
    return speed(s, d, h, c) / s->inlet[h];
}

static double speedup_reference(const sectors *s, int d, int h, size_t c)
{
    return speed(s, d, h, c) / speed_of(sectors_at_reference(s, d));
}

double sectors_speedup_at_reference(const sectors *s, int d)
{
    return speed_of(sectors_at_reference(s, d)) / s->inlet[s->heights];
}

static double turning(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return remainder(direction_from(v.east, v.north) - s->of[d].from_grid, 360);
}

static double inflow_angle(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return 180 / M_PI * atan2(v.up, speed_of(v));
}

static double intensity(const sectors *s, int d, int h, size_t c)
{
    return sectors_at(s, d, h, c).intensity;
}

static double shear(const sectors *s, int d, int h, size_t c)
{
    int low, high;
    (void)h;
    sectors_shear_heights(s, &low, &high);
    return log(speed(s, d, high, c) / speed(s, d, low, c)) / log(s->height[high] / s->height[low]);
}

static bool always(const sectors *s)
{
    (void)s;
    return true;
}

static bool with_reference(const sectors *s)
{
    return s->has_reference;
}

static bool with_closure(const sectors *s)
{
    return s->closure;
}

static bool with_heights(const sectors *s)
{
    return s->heights > 1;
}

const sector_quantity sector_quantities[SECTOR_QUANTITIES] = {
    {"wind_speed", "wind_speed", "m s-1", "horizontal wind speed", true, always, speed},
    {"wind_from_direction", "wind_from_direction", "degree", "clockwise from true north", true,
     always, direction},
    {"speedup_inlet", NULL, "1", "speed over that of the undisturbed wind at the same height", true,
     always, sectors_speedup},
    {"speedup_reference", NULL, "1", "speed over that at the reference", true, with_reference,
     speedup_reference},
    {"turning", NULL, "degree", "direction less that of the undisturbed wind, clockwise", true,
     always, turning},
    {"inflow_angle", NULL, "degree", "angle of the wind above the horizontal", true, always,
     inflow_angle},
    {"turbulence_intensity", NULL, "1", "sqrt(2 k / 3) over the speed", true, with_closure,
     intensity},
    {"shear_exponent", NULL, "1",
     "exponent of the height that the speed goes with, between the lowest and the "
     "highest",
     false, with_heights, shear},
};
