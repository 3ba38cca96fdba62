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

/* A grid of the file: values below `least` would fill the sparse tree and are left out. */
typedef struct grid_row {
    foehn_fire_field field;
    const char *name, *houdini; /* NULL: the velocity's, which has a name of the caller's */
    const char *units;          /* NULL: as the library has them */
    float factor, least;
} grid_row;

enum { MOST_GRIDS = 7, FUEL = 3 };

/* fuel: smoke that still glows, density times flame; the method itself burns nothing. */
static const grid_row preset_rows[] = {
    {FOEHN_FIRE_DENSITY, "density", "density", NULL, 1, 1e-4f},
    {FOEHN_FIRE_TEMPERATURE, "temperature", "temperature", NULL, 1, 1e-4f},
    {FOEHN_FIRE_FLAME, "flame", "flame", NULL, 1, 1e-4f},
    {FOEHN_FIRE_FLAME, "fuel", "fuel", NULL, 1, 1e-4f},
    {FOEHN_FIRE_VELOCITY, NULL, NULL, NULL, 1, 1e-4f},
};

/* Density is the light that is stopped, 1/m, of which 8.7 are a gram of soot in a cubic metre.
 * Temperature is empty below 400 K: air of 293 K everywhere would glow in renderers that take 0 for
 * black. */
static const grid_row burning_rows[] = {
    {FOEHN_FIRE_DENSITY, "density", "density", NULL, 1, 1e-3f},
    {FOEHN_FIRE_TEMPERATURE, "temperature", "temperature", "1000 K", 1e-3f, 0.4f},
    {FOEHN_FIRE_FLAME, "flame", "flame", NULL, 1, 1e-3f},
    {FOEHN_FIRE_FUEL, "fuel", "fuel", NULL, 1, 1e-5f},
    {FOEHN_FIRE_DENSITY, "soot", "soot", "g m-3", 1 / 8.7f, 1e-4f},
    {FOEHN_FIRE_HEAT_RELEASE, "heat_release", "burn", NULL, 1, 0.1f},
    {FOEHN_FIRE_VELOCITY, NULL, NULL, NULL, 1, 1e-4f},
};

/* Values in the units of a row; what is too small is 0. */
static void scale(const foehn_fire_field_info *info, float factor, float least, float *values)
{
    for (size_t c = 0; c < info->floats; c += (size_t)info->components) {
        float most = 0;
        for (size_t k = 0; k < (size_t)info->components; k++) {
            values[c + k] *= factor;
            most = fmaxf(most, fabsf(values[c + k]));
        }
        for (size_t k = 0; k < (size_t)info->components && most < least; k++)
            values[c + k] = 0;
    }
}

static void describe_grid(const fire_place *place, const foehn_fire_field_info *info,
                          const char *name, float *values, vdb_grid *out)
{
    const int *cells = place->cells;
    *out = (vdb_grid){name,
                      info->components,
                      cells[0],
                      cells[1],
                      cells[2],
                      .values = values,
                      .units = info->units};
    memcpy(out->spacing, place->spacing, sizeof out->spacing);
    memcpy(out->rotation, place->axes, sizeof out->rotation);
    for (int k = 0; k < 3; k++) {
        out->first[k] = place->corner[k];
        for (int axis = 0; axis < 3; axis++)
            out->first[k] += 0.5 * place->spacing[axis] * place->axes[k][axis];
    }
}

static int read_grid(const fire_files *f, const grid_row *row, float **values, vdb_grid *grid)
{
    bool temperature = f->kelvin && row->factor < 1 && row->field == FOEHN_FIRE_TEMPERATURE;
    float unit = temperature ? 1000 : 1;
    foehn_fire_info box;
    foehn_fire_field_info info;
    fire_place place;
    foehn_fire_get_info(f->fires[f->scene->panel_count - 1], &box);
    int status = fire_read_field(f, row->field, &info, values);
    if (status == STATUS_OK && f->z_up)
        status = fire_lay(info.cells, info.components, values);
    if (status != STATUS_OK)
        return status;
    scale(&info, row->factor * unit, row->least * unit, *values);
    if (row->units)
        info.units = temperature ? "K" : row->units;
    fire_place_of(&box, info.cells, f->z_up, &place);
    const char *velocity =
        f->houdini && strcmp(f->velocity_name, "velocity") == 0 ? "vel" : f->velocity_name;
    describe_grid(&place, &info,
                  !row->name   ? velocity
                  : f->houdini ? row->houdini
                               : row->name,
                  *values, grid);
    return STATUS_OK;
}

int fire_write_vdb(fire_files *f, const char *temporary, const char *path, double time)
{
    bool burns = f->scene->params.mode == FOEHN_FIRE_BURN;
    const grid_row *rows = burns ? burning_rows : preset_rows;
    size_t count = burns ? sizeof burning_rows / sizeof *rows : sizeof preset_rows / sizeof *rows;
    float *values[MOST_GRIDS] = {NULL};
    vdb_grid grids[MOST_GRIDS];
    char text[256] = "";
    double dt = f->scene->dt, every = f->options->every; /* in whole updates */
    double fps = every > 0 ? 1 / (dt * fmax(1, rint(every / dt))) : 0;
    int status = STATUS_OK;
    for (size_t n = 0; n < count && status == STATUS_OK; n++)
        status = read_grid(f, &rows[n], &values[n], &grids[n]);
    for (int c = 0;
         !burns && status == STATUS_OK && c < grids[FUEL].nx * grids[FUEL].ny * grids[FUEL].nz;
         c++) {
        float fuel = values[FUEL][c] * values[0][c];
        values[FUEL][c] = fuel < preset_rows[FUEL].least ? 0 : fuel;
    }
    if (status == STATUS_OK && vdb_write(temporary, count, grids, fps, time, sizeof text, text))
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, text);
    for (size_t n = 0; n < count; n++)
        free(values[n]);
    return status;
}

#endif
