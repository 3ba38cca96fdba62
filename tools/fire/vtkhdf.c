/* SPDX-License-Identifier: MIT */
/* A fire as VTKHDF image data over the smoke's cells, z up as the wind's. */
#include "config.h"

#include "fire/fire.h"
#include "formats/vtkhdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_HDF5

int fire_write_vtkhdf(fire_files *f, int output, double time)
{
    (void)f, (void)output, (void)time;
    return STATUS_USAGE; /* fire_files_check() has refused it */
}

int fire_open_vtkhdf(fire_files *f, int output, bool series)
{
    (void)f, (void)output, (void)series;
    return STATUS_USAGE;
}

#else

static const foehn_fire_field dye_fields[] = {FOEHN_FIRE_DENSITY, FOEHN_FIRE_TEMPERATURE,
                                              FOEHN_FIRE_AGE, FOEHN_FIRE_TINT, FOEHN_FIRE_FLAME};
enum { DYES = sizeof dye_fields / sizeof dye_fields[0] };

int fire_open_vtkhdf(fire_files *f, int output, bool series)
{
    foehn_fire *fire = f->fires[f->scene->panel_count - 1];
    foehn_fire_info info;
    vtkhdf_array arrays[DYES + 1];
    vtkhdf_box box;
    fire_place place;
    foehn_fire_get_info(fire, &info);
    for (int n = 0; n <= DYES; n++) {
        foehn_fire_field_info field;
        foehn_status got =
            foehn_fire_get_field(fire, n < DYES ? dye_fields[n] : FOEHN_FIRE_VELOCITY, &field);
        if (got != FOEHN_OK)
            return fail_library(got);
        arrays[n] = (vtkhdf_array){field.name, field.units, field.components};
    }
    arrays[DYES].name = f->velocity_name;
    fire_place_of(&info, info.render_cells, true, &place);
    memcpy(box.cells, place.cells, sizeof box.cells);
    memcpy(box.origin, place.corner, sizeof box.origin);
    memcpy(box.spacing, place.spacing, sizeof box.spacing);
    memcpy(box.direction, place.axes, sizeof box.direction);
    int status = vtkhdf_create(f->options->outputs[output], f->temporary[output], &box, DYES + 1,
                               arrays, series, &f->series[output]);
    if (status == STATUS_OK)
        status = vtkhdf_note(f->series[output], "source", "foehn fire");
    return status == STATUS_OK ? vtkhdf_note(f->series[output], "scene", f->scene->title) : status;
}

/* A vector field at the centres of another grid over the same box, trilinear. */
static void resample(const foehn_fire_field_info *from, const float *values,
                     const foehn_fire_info *to, float *out)
{
    for (int k = 0; k < to->render_cells[2]; k++)
        for (int j = 0; j < to->render_cells[1]; j++)
            for (int i = 0; i < to->render_cells[0]; i++, out += 3) {
                const int cell[3] = {i, j, k};
                int low[3];
                double part[3];
                for (int a = 0; a < 3; a++) {
                    double at = (cell[a] + 0.5) * to->render_spacing[a] / from->spacing[a] - 0.5;
                    at = fmin(fmax(at, 0), from->cells[a] - 1);
                    low[a] = (int)fmin(at, from->cells[a] - 2);
                    part[a] = at - low[a];
                }
                double sum[3] = {0, 0, 0};
                for (int corner = 0; corner < 8; corner++) {
                    double weight = 1;
                    size_t c = 0;
                    for (int a = 2; a >= 0; a--) {
                        int far = corner >> a & 1;
                        weight *= far ? part[a] : 1 - part[a];
                        c = c * (size_t)from->cells[a] + (size_t)(low[a] + far);
                    }
                    for (size_t a = 0; a < 3; a++)
                        sum[a] += weight * (double)values[3 * c + a];
                }
                for (int a = 0; a < 3; a++)
                    out[a] = (float)sum[a];
            }
}

static int write_velocity(fire_files *f, int output)
{
    foehn_fire_field_info field;
    foehn_fire_info info;
    float *values = NULL;
    foehn_fire_get_info(f->fires[f->scene->panel_count - 1], &info);
    size_t cells =
        (size_t)info.render_cells[0] * (size_t)info.render_cells[1] * (size_t)info.render_cells[2];
    float *fine = malloc(3 * cells * sizeof *fine);
    int status = fine ? fire_read_field(f, FOEHN_FIRE_VELOCITY, &field, &values) : fail_memory();
    if (status == STATUS_OK) {
        resample(&field, values, &info, fine);
        status = fire_lay(info.render_cells, 3, &fine);
    }
    if (status == STATUS_OK)
        status = vtkhdf_write(f->series[output], DYES, fine);
    free(values);
    free(fine);
    return status;
}

int fire_write_vtkhdf(fire_files *f, int output, double time)
{
    int status = STATUS_OK;
    for (int n = 0; n < DYES && status == STATUS_OK; n++) {
        foehn_fire_field_info info;
        float *values = NULL;
        status = fire_read_field(f, dye_fields[n], &info, &values);
        if (status == STATUS_OK)
            status = fire_lay(info.cells, info.components, &values);
        if (status == STATUS_OK)
            status = vtkhdf_write(f->series[output], n, values);
        free(values);
    }
    if (status == STATUS_OK)
        status = write_velocity(f, output);
    return status == STATUS_OK ? vtkhdf_end_time(f->series[output], time) : status;
}

#endif
