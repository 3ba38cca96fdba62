/* SPDX-License-Identifier: MIT */
/* Many directions: what the command line asks for, and the formats of all of them. */
#include "config.h"

#include "wind/sectors.h"

#include <math.h>
#include <string.h>

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
