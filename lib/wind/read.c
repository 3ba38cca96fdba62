/* SPDX-License-Identifier: MIT */
/* Fields between the device and arrays of the host. */
#include "wind/fields.h"
#include "wind/model.h"

#include <math.h>
#include <stdlib.h>

int foehn_wind_get_gusts(const foehn_wind *w, int capacity, foehn_gust *gusts)
{
    for (int i = 0; i < w->clock.gusts.count && i < capacity; i++) {
        const struct foehn_band *b = &w->clock.gusts.bands[i];
        gusts[i] = (foehn_gust){(float)b->position, (float)b->strength, (float)b->speed,
                                (float)b->width, {(float)b->dx, (float)b->dz}};
    }
    return w->clock.gusts.count;
}

static foehn_status read_cells(foehn_wind *w, cl_mem field, float *out)
{
    return foehn_box_read(w->ctx, field, foehn_grid_box(&w->g, sizeof(float)), out);
}

/* Cells whose centres are under the ground. */
static foehn_status read_solid(foehn_wind *w, float *out)
{
    const foehn_grid *g = &w->g;
    const size_t columns = foehn_grid_columns(g);
    double origin[3];
    foehn_wind_origin(w, origin);
    float *ground = malloc(columns * sizeof *ground);
    if (!ground)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", columns);
    foehn_status status = foehn_buffer_read(w->ctx, w->ground.ground, 0, columns * sizeof *ground, ground);
    for (int k = 0; k < g->nz && status == FOEHN_OK; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                *out++ = (float)origin[1] + ((float)j + 0.5f) * g->hy < ground[foehn_grid_column(g, i, k)];
    free(ground);
    return status;
}

static foehn_status read_std_speed(foehn_wind *w, float *out)
{
    size_t count = foehn_wind_cell_count(w);
    float *mean = malloc(count * sizeof *mean);
    if (!mean)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    foehn_status status = read_cells(w, w->means[3], mean);
    if (status == FOEHN_OK)
        status = read_cells(w, w->means[4], out);
    for (size_t i = 0; status == FOEHN_OK && i < count; i++)
        out[i] = sqrtf(fmaxf(out[i] - mean[i] * mean[i], 0));
    free(mean);
    return status;
}

static foehn_status no_turbulence(const foehn_wind *w, const char *what)
{
    return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s is not there: the %s model has no turbulence closure", what,
                      w->model->name);
}

/* At cell centres: the mean of the faces below and above. */
static foehn_status read_viscosity(foehn_wind *w, float *out)
{
    cl_mem faces;
    TRY(w->model->viscosity(w, &faces));
    const size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, nz = (size_t)w->g.nz;
    foehn_box box = foehn_grid_box(&w->g, sizeof(float));
    box.ny = ny + 1;
    float *below = malloc(nx * (ny + 1) * nz * sizeof *below);
    if (!below)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", nx * ny * nz);
    foehn_status status = foehn_box_read(w->ctx, faces, box, below);
    for (size_t k = 0; status == FOEHN_OK && k < nz; k++)
        for (size_t n = 0; n < nx * ny; n++) {
            const float *face = below + k * nx * (ny + 1) + n;
            out[k * nx * ny + n] = 0.5f * (face[0] + face[nx]);
        }
    free(below);
    return status;
}

foehn_status foehn_wind_read_stress(foehn_wind *w, float *out)
{
    return w->model->stress ? w->model->stress(w, out) : no_turbulence(w, "stress on the ground");
}

/* The field in the list; NULL: it is not stored as it is read. */
static const wind_field *find(const wind_field *fields, int count, foehn_wind_field name)
{
    for (int i = 0; i < count; i++)
        if (fields[i].name == name)
            return &fields[i];
    return NULL;
}

foehn_status foehn_wind_read(foehn_wind *w, foehn_wind_field field, float *out)
{
    if (field > FOEHN_WIND_VISCOSITY)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d is unknown", (int)field);
    if (field >= FOEHN_WIND_K && !w->model->viscosity)
        return no_turbulence(w, "that field");
    if (field >= FOEHN_WIND_MEAN_U && field <= FOEHN_WIND_STD_SPEED && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
    if (field <= FOEHN_WIND_W) {
        cl_mem velocity[3];
        TRY(foehn_wind_centers(w, velocity));
        return read_cells(w, velocity[field - FOEHN_WIND_U], out);
    }
    if (field == FOEHN_WIND_VISCOSITY)
        return read_viscosity(w, out);
    if ((field == FOEHN_WIND_CURL || field >= FOEHN_WIND_K) && w->model->prepare)
        TRY(w->model->prepare(w));
    if (field == FOEHN_WIND_STD_SPEED)
        return read_std_speed(w, out);
    if (field == FOEHN_WIND_DIVERGENCE || field == FOEHN_WIND_SOLID)
        TRY(foehn_wind_refresh_ground(w));
    if (field == FOEHN_WIND_DIVERGENCE) {
        cl_mem divergence;
        TRY(w->model->divergence(w, &divergence));
        return read_cells(w, divergence, out);
    }
    if (field == FOEHN_WIND_SOLID)
        return read_solid(w, out);
    wind_field fields[WIND_FIELDS];
    const wind_field *stored = find(fields, foehn_wind_fields(w, fields), field);
    return read_cells(w, stored->buffer, out);
}

foehn_status foehn_wind_write(foehn_wind *w, foehn_wind_field field, const float *in)
{
    wind_field fields[WIND_FIELDS];
    const wind_field *stored = find(fields, foehn_wind_fields(w, fields), field);
    if (!stored || !stored->written)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d cannot be written", (int)field);
    if (field <= FOEHN_WIND_W)
        return w->model->write_velocity(w, (int)(field - FOEHN_WIND_U), in);
    TRY(foehn_box_write(w->ctx, stored->buffer, foehn_grid_box(&w->g, sizeof(float)), in));
    return foehn_wind_wrap(w, stored->buffer);
}

foehn_status foehn_wind_read_ground(foehn_wind *w, float *out)
{
    TRY(foehn_wind_refresh_ground(w));
    foehn_box box = {
        .nx = (size_t)w->g.nx,
        .ny = (size_t)w->g.nz,
        .nz = 1,
        .element = sizeof(float),
        .offset = foehn_grid_column(&w->g, 0, 0),
        .row_pitch = (size_t)w->g.sy,
        .plane_pitch = (size_t)w->g.sy * foehn_grid_padded(&w->g).z,
    };
    return foehn_box_read(w->ctx, w->ground.ground, box, out);
}
