/* SPDX-License-Identifier: MIT */
/* Fields between the device and arrays of the host. */
#include "domain/whole.h"
#include "wind/fields.h"
#include "wind/model.h"

#include <math.h>
#include <stdlib.h>

int foehn_wind_get_gusts(const foehn_wind *w, int capacity, foehn_gust *gusts)
{
    for (int i = 0; i < w->clock.gusts.count && i < capacity; i++) {
        const struct foehn_band *b = &w->clock.gusts.bands[i];
        gusts[i] = (foehn_gust){(float)b->position,
                                (float)b->strength,
                                (float)b->speed,
                                (float)b->width,
                                {(float)b->dx, (float)b->dz}};
    }
    return w->clock.gusts.count;
}

/* Levels of the box: the first one, and how many. */
typedef struct level_range {
    int first, count;
} level_range;

static size_t cells_of(const foehn_wind *w, level_range l)
{
    return foehn_wind_column_count(w) * (size_t)l.count;
}

static foehn_status read_cells(foehn_wind *w, cl_mem field, level_range l, float *out)
{
    return foehn_whole_read(w->ctx, w->part, &w->g,
                            (whole_field){field, sizeof(float), 0, l.first, l.count}, out);
}

/* Cells whose centres are under the ground. */
static foehn_status read_solid(foehn_wind *w, level_range l, float *out)
{
    const foehn_grid *g = &w->g;
    const size_t nx = (size_t)g->whole_x, nz = (size_t)g->whole_z;
    float *ground = malloc(nx * nz * sizeof *ground);
    if (!ground)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", nx * nz);
    foehn_status status = foehn_wind_read_ground(w, ground);
    for (size_t k = 0; k < nz && status == FOEHN_OK && foehn_wind_holds(w); k++)
        for (int j = l.first; j < l.first + l.count; j++)
            for (size_t i = 0; i < nx; i++)
                *out++ = foehn_wind_is_solid(w, j, ground[k * nx + i]);
    free(ground);
    return status;
}

/* Room for so many floats, where this part holds whole fields; all parts fail alike. */
static foehn_status room_for_field(const foehn_wind *w, size_t count, float **out)
{
    *out = foehn_wind_holds(w) ? malloc(count * sizeof **out) : NULL;
    foehn_status status =
        *out || !foehn_wind_holds(w)
            ? FOEHN_OK
            : foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    return w->part ? foehn_domain_agree(w->part->domain, status) : status;
}

static foehn_status read_std_speed(foehn_wind *w, level_range l, float *out)
{
    size_t count = cells_of(w, l);
    float *mean;
    foehn_status status = room_for_field(w, count, &mean);
    if (status == FOEHN_OK)
        status = read_cells(w, w->means[3], l, mean);
    if (status == FOEHN_OK)
        status = read_cells(w, w->means[4], l, out);
    for (size_t i = 0; status == FOEHN_OK && mean && i < count; i++)
        out[i] = sqrtf(fmaxf(out[i] - mean[i] * mean[i], 0));
    free(mean);
    return status;
}

static foehn_status no_turbulence(const foehn_wind *w, const char *what)
{
    return foehn_fail(FOEHN_ERROR_ARGUMENT,
                      "%s is not there: the %s model has no turbulence closure", what,
                      w->model->name);
}

/* At cell centres: the mean of the faces below and above. */
static foehn_status read_viscosity(foehn_wind *w, level_range l, float *out)
{
    cl_mem faces;
    TRY(w->model->viscosity(w, &faces));
    const size_t nx = (size_t)w->g.whole_x, ny = (size_t)l.count, nz = (size_t)w->g.whole_z,
                 row = nx + 1;
    float *all;
    foehn_status status = room_for_field(w, row * (ny + 1) * (nz + 1), &all);
    if (status == FOEHN_OK)
        status =
            foehn_whole_read(w->ctx, w->part, &w->g,
                             (whole_field){faces, sizeof(float), 1, l.first, l.count + 1}, all);
    for (size_t k = 0; status == FOEHN_OK && all && k < nz; k++)
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++) {
                const float *face = all + (k * (ny + 1) + j) * row + i;
                out[(k * ny + j) * nx + i] = 0.5f * (face[0] + face[row]);
            }
    free(all);
    return status;
}

foehn_status foehn_wind_read_stress(foehn_wind *w, float *out)
{
    return w->model->stress ? w->model->stress(w, out) : no_turbulence(w, "stress on the ground");
}

/* mean(ab) - mean(a) mean(b) of two components. */
static foehn_status read_covariance(foehn_wind *w, foehn_wind_field field, level_range l,
                                    float *out)
{
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const int n = (int)(field - FOEHN_WIND_COVARIANCE_UU);
    const size_t count = cells_of(w, l);
    float *mean;
    foehn_status status = room_for_field(w, 2 * count, &mean);
    if (status == FOEHN_OK)
        status = read_cells(w, w->means[WIND_SPEED_MEANS + n], l, out);
    for (size_t i = 0; status == FOEHN_OK && i < 2; i++)
        status = read_cells(w, w->means[pairs[n][i]], l, mean ? mean + i * count : NULL);
    for (size_t c = 0; status == FOEHN_OK && mean && c < count; c++)
        out[c] -= mean[c] * mean[count + c];
    free(mean);
    return status;
}

/* The field in the list; NULL: it is not stored as it is read. */
static const wind_field *find(const wind_field *fields, int count, foehn_wind_field name)
{
    for (int i = 0; i < count; i++)
        if (fields[i].name == name)
            return &fields[i];
    return NULL;
}

static foehn_status read_levels(foehn_wind *w, foehn_wind_field field, level_range l, float *out)
{
    if (field > FOEHN_WIND_COVARIANCE_VW)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d is unknown", (int)field);
    if (field >= FOEHN_WIND_COVARIANCE_UU) {
        if (!w->model->has_products || !w->means[0])
            return foehn_fail(
                FOEHN_ERROR_ARGUMENT,
                w->model->has_products
                    ? "there is no running mean: call foehn_wind_set_averaging() first"
                    : "covariances are those of the LES: the %s model has none",
                w->model->name);
        return read_covariance(w, field, l, out);
    }
    if (field >= FOEHN_WIND_K && !w->model->viscosity) {
        if (!w->model->of_cells || field == FOEHN_WIND_DISSIPATION)
            return no_turbulence(w, "that field");
        cl_mem made;
        TRY(w->model->of_cells(w, field, &made));
        return read_cells(w, made, l, out);
    }
    if (field >= FOEHN_WIND_MEAN_U && field <= FOEHN_WIND_STD_SPEED && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
    if (field <= FOEHN_WIND_W) {
        cl_mem velocity[3];
        TRY(foehn_wind_centers(w, velocity));
        return read_cells(w, velocity[field - FOEHN_WIND_U], l, out);
    }
    if (field == FOEHN_WIND_VISCOSITY)
        return read_viscosity(w, l, out);
    if ((field == FOEHN_WIND_CURL || field >= FOEHN_WIND_K) && w->model->prepare)
        TRY(w->model->prepare(w));
    if (field == FOEHN_WIND_STD_SPEED)
        return read_std_speed(w, l, out);
    if (field == FOEHN_WIND_DIVERGENCE || field == FOEHN_WIND_SOLID)
        TRY(foehn_wind_refresh_ground(w));
    if (field == FOEHN_WIND_DIVERGENCE) {
        cl_mem divergence;
        TRY(w->model->divergence(w, &divergence));
        return read_cells(w, divergence, l, out);
    }
    if (field == FOEHN_WIND_SOLID)
        return read_solid(w, l, out);
    wind_field fields[WIND_FIELDS];
    const wind_field *stored = find(fields, foehn_wind_fields(w, fields), field);
    return read_cells(w, stored->buffer, l, out);
}

foehn_status foehn_wind_read(foehn_wind *w, foehn_wind_field field, float *out)
{
    return read_levels(w, field, (level_range){0, w->g.ny}, out);
}

foehn_status foehn_wind_read_levels(foehn_wind *w, foehn_wind_field field, int first, int count,
                                    float *out)
{
    if (first < 0 || count < 1 || count > w->g.ny - first)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_wind_read_levels: %d levels from %d on: the box has %d", count,
                          first, w->g.ny);
    return read_levels(w, field, (level_range){first, count}, out);
}

foehn_status foehn_wind_write(foehn_wind *w, foehn_wind_field field, const float *in)
{
    wind_field fields[WIND_FIELDS];
    const wind_field *stored = find(fields, foehn_wind_fields(w, fields), field);
    TRY(foehn_wind_refuse_parts(w, "foehn_wind_write"));
    if (!stored || !stored->written)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d cannot be written", (int)field);
    if (field <= FOEHN_WIND_W && !w->model->write_velocity)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the velocity of a wind by %s cannot be written",
                          w->model->name);
    if (field <= FOEHN_WIND_W)
        return w->model->write_velocity(w, (int)(field - FOEHN_WIND_U), in);
    TRY(foehn_box_write(w->ctx, stored->buffer, foehn_grid_box(&w->g, sizeof(float)), in));
    return foehn_wind_wrap(w, stored->buffer);
}

foehn_status foehn_wind_read_ground(foehn_wind *w, float *out)
{
    const foehn_grid *g = &w->g;
    TRY(foehn_wind_refresh_ground(w));
    foehn_box box = {
        .nx = (size_t)(g->own_x1 - g->own_x0),
        .ny = (size_t)(g->own_z1 - g->own_z0),
        .nz = 1,
        .element = sizeof(float),
        .offset = foehn_grid_column(g, g->own_x0, g->own_z0),
        .row_pitch = (size_t)g->sy,
        .plane_pitch = (size_t)g->sy * foehn_grid_padded(g).z,
    };
    if (!w->part)
        return foehn_box_read(w->ctx, w->ground.ground, box, out);
    float *own = malloc(box.nx * box.ny * sizeof *own);
    if (!own)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", box.nx * box.ny);
    foehn_status status = foehn_box_read(w->ctx, w->ground.ground, box, own);
    if (status == FOEHN_OK)
        status = foehn_whole_columns(w->part, sizeof *own, own, out);
    free(own);
    return status;
}
