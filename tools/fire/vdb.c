/* SPDX-License-Identifier: MIT */
/* A fire as OpenVDB grids. */
#include "config.h"

#include "fire/fire.h"
#include "formats/vdb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_OPENVDB

int fire_write_vdb(fire_files *f, const char *temporary, const char *path, double time)
{
    (void)f, (void)temporary, (void)path, (void)time;
    return STATUS_USAGE; /* fire_files_check() has refused it */
}

#else

enum { DENSITY, TEMPERATURE, FLAME, FUEL, VELOCITY, GRIDS };

/* Values too small to matter would fill the sparse tree. */
static void empty_small(const foehn_fire_field_info *info, float *values)
{
    const float least = 1e-4f;
    for (size_t c = 0; c < info->floats; c += (size_t)info->components) {
        float most = 0;
        for (size_t k = 0; k < (size_t)info->components; k++)
            most = fmaxf(most, fabsf(values[c + k]));
        for (size_t k = 0; k < (size_t)info->components && most < least; k++)
            values[c + k] = 0;
    }
}

static void describe_grid(const fire_place *place, const foehn_fire_field_info *info,
                          const char *name, float *values, vdb_grid *out)
{
    const int *cells = place->cells;
    *out = (vdb_grid){name, info->components, cells[0], cells[1], cells[2], .values = values,
                      .units = info->units};
    memcpy(out->spacing, place->spacing, sizeof out->spacing);
    memcpy(out->rotation, place->axes, sizeof out->rotation);
    for (int k = 0; k < 3; k++) {
        out->first[k] = place->corner[k];
        for (int axis = 0; axis < 3; axis++)
            out->first[k] += 0.5 * place->spacing[axis] * place->axes[k][axis];
    }
}

/* fuel: smoke that still glows, density times flame; the method itself burns nothing. */
static int read_grids(const fire_files *f, float *values[GRIDS], vdb_grid grids[GRIDS])
{
    static const foehn_fire_field fields[GRIDS] = {FOEHN_FIRE_DENSITY, FOEHN_FIRE_TEMPERATURE,
                                                   FOEHN_FIRE_FLAME, FOEHN_FIRE_FLAME,
                                                   FOEHN_FIRE_VELOCITY};
    const char *const names[GRIDS] = {"density", "temperature", "flame", "fuel",
                                      f->velocity_name};
    foehn_fire_info box;
    foehn_fire_get_info(f->fires[f->scene->panel_count - 1], &box);
    for (int n = 0; n < GRIDS; n++) {
        foehn_fire_field_info info;
        fire_place place;
        int status = fire_read_field(f, fields[n], &info, &values[n]);
        if (status == STATUS_OK && f->z_up)
            status = fire_lay(info.cells, info.components, &values[n]);
        if (status != STATUS_OK)
            return status;
        for (size_t c = 0; c < info.floats && n == FUEL; c++)
            values[n][c] *= values[DENSITY][c];
        empty_small(&info, values[n]);
        fire_place_of(&box, info.cells, f->z_up, &place);
        describe_grid(&place, &info, names[n], values[n], &grids[n]);
    }
    return STATUS_OK;
}

int fire_write_vdb(fire_files *f, const char *temporary, const char *path, double time)
{
    float *values[GRIDS] = {NULL};
    vdb_grid grids[GRIDS];
    char text[256] = "";
    double dt = f->scene->dt, every = f->options->every; /* in whole updates */
    double fps = every > 0 ? 1 / (dt * fmax(1, rint(every / dt))) : 0;
    int status = read_grids(f, values, grids);
    if (status == STATUS_OK && vdb_write(temporary, GRIDS, grids, fps, time, sizeof text, text))
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, text);
    for (int n = 0; n < GRIDS; n++)
        free(values[n]);
    return status;
}

#endif
