/* SPDX-License-Identifier: MIT */
/* A fire's published volumes as half floats. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "formats/raw.h"

#include <errno.h>
#include <string.h>

static int describe_raw(const fire_files *f, foehn_volume *volume, const char *channels,
                        const char *temporary, const char *path)
{
    foehn_fire_info info;
    foehn_volume_info about;
    foehn_fire_get_info(f->fires[f->scene->panel_count - 1], &info);
    foehn_volume_get_info(volume, &about);
    FILE *stream = fopen(temporary, "w");
    if (!stream)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    json j;
    json_begin(&j, stream);
    json_object(&j, NULL);
    json_text(&j, "layout", "[nz][ny][nx][4] little-endian half floats; along the axes of the box");
    json_text(&j, "channels", channels);
    raw_describe(&j, &about);
    json_text(&j, "world", "position_m + rotation (box frame); rotation: quaternion x, y, z, w");
    json_array(&j, "position_m");
    for (int k = 0; k < 3; k++)
        json_number(&j, NULL, info.pose.position[k]);
    json_close(&j, ']');
    json_array(&j, "rotation");
    for (int k = 0; k < 4; k++)
        json_number(&j, NULL, info.pose.rotation[k]);
    json_close(&j, ']');
    json_text(&j, "scene", f->scene->title);
    json_text(&j, "source", "foehn fire");
    json_close(&j, '}');
    json_end(&j);
    bool good = !ferror(stream);
    good = fclose(stream) == 0 && good;
    return good ? STATUS_OK
                : fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
}

/* The halves and the JSON file of one volume. */
static int write_pair(fire_files *f, foehn_volume *volume, const char *channels, const char *path)
{
    char side[1100];
    const char *halves, *text = NULL;
    snprintf(side, sizeof side, "%s.json", path);
    int status = file_begin(path, &halves);
    if (status == STATUS_OK)
        status = file_begin(side, &text);
    if (status == STATUS_OK)
        status = raw_write_halves(volume, halves, path);
    if (status == STATUS_OK)
        status = describe_raw(f, volume, channels, text, side);
    if (status == STATUS_OK)
        status = file_commit(text);
    if (status == STATUS_OK)
        return file_commit(halves);
    file_discard(text);
    file_discard(halves);
    return status;
}

static int make_volumes(fire_files *f, foehn_fire *fire)
{
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    const int *r = info.render_cells, *p = info.physics_cells;
    foehn_status got = FOEHN_OK;
    if (!f->dye)
        got = foehn_volume_create(f->ctx, r[0], r[1], r[2], &f->dye);
    if (got == FOEHN_OK && !f->velocity)
        got = foehn_volume_create(f->ctx, p[0], p[1], p[2], &f->velocity);
    if (got == FOEHN_OK)
        got = foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_DYE, f->dye);
    if (got == FOEHN_OK)
        got = foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_VELOCITY, f->velocity);
    return fail_library(got);
}

/* NAME.raw holds the dye, NAME-velocity.raw the velocity. */
int fire_write_raw(fire_files *f, const char *path)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%.*s-velocity.raw", (int)(strlen(path) - strlen(".raw")),
             path);
    int status = make_volumes(f, f->fires[f->scene->panel_count - 1]);
    if (status == STATUS_OK)
        status = write_pair(f, f->velocity, "velocity u, v, w in m/s; distance to colliders in m",
                            beside);
    if (status == STATUS_OK)
        status =
            write_pair(f, f->dye, "density 0 to 1; temperature, 10 is white; age in s; tint", path);
    return status;
}
