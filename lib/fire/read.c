/* SPDX-License-Identifier: MIT */
/* Fields of the fire on the host, its figures, and publication. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

static const struct {
    const char *name, *units;
    int components;
    bool on_render_grid;
} fields[FOEHN_FIRE_FIELDS] = {
    [FOEHN_FIRE_DENSITY] = {"density", "1", 1, true},
    [FOEHN_FIRE_TEMPERATURE] = {"temperature", "1", 1, true},
    [FOEHN_FIRE_AGE] = {"age", "s", 1, true},
    [FOEHN_FIRE_TINT] = {"tint", "1", 1, true},
    [FOEHN_FIRE_VELOCITY] = {"velocity", "m s-1", 3, false},
    [FOEHN_FIRE_VELOCITY_BEFORE] = {"velocity_before", "m s-1", 3, false},
    [FOEHN_FIRE_DIVERGENCE_BEFORE] = {"divergence_before", "s-1", 1, false},
    [FOEHN_FIRE_DIVERGENCE] = {"divergence", "s-1", 1, false},
    [FOEHN_FIRE_PRESSURE] = {"pressure", "m2 s-1", 1, false},
    [FOEHN_FIRE_VORTICITY] = {"vorticity", "s-1", 3, false},
    [FOEHN_FIRE_DISTANCE] = {"distance", "m", 1, false},
    [FOEHN_FIRE_NORMAL] = {"normal", "1", 3, false},
    [FOEHN_FIRE_SURFACE_VELOCITY] = {"surface_velocity", "m s-1", 3, false},
    [FOEHN_FIRE_FLAME] = {"flame", "1", 1, true},
    [FOEHN_FIRE_FUEL] = {"fuel", "1", 1, true},
    [FOEHN_FIRE_PRODUCTS] = {"products", "1", 1, true},
    [FOEHN_FIRE_SOOT] = {"soot", "1", 1, true},
    [FOEHN_FIRE_HEAT_RELEASE] = {"heat_release", "kW m-3", 1, true},
    [FOEHN_FIRE_EXPANSION] = {"expansion", "s-1", 1, false},
};

foehn_status foehn_fire_get_field(const foehn_fire *f, foehn_fire_field field,
                                  foehn_fire_field_info *info)
{
    if ((unsigned)field >= FOEHN_FIRE_FIELDS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "field %d of a fire: 0 to %d", (int)field,
                          FOEHN_FIRE_FIELDS - 1);
    const foehn_grid *g = fields[field].on_render_grid ? &f->r : &f->g;
    const double *spacing = fields[field].on_render_grid ? f->render_spacing : f->spacing;
    *info = (foehn_fire_field_info){
        .name = fields[field].name,
        .units = fields[field].units,
        .components = fields[field].components,
        .cells = {g->nx, g->ny, g->nz},
        .spacing = {spacing[0], spacing[1], spacing[2]},
        .floats = (size_t)fields[field].components * (size_t)g->nx * (size_t)g->ny * (size_t)g->nz,
    };
    for (int a = 0; a < 3; a++)
        info->origin[a] = -f->params.size[a] / 2;
    if (foehn_fire_burns(f) && field == FOEHN_FIRE_DENSITY)
        info->units = "m-1";
    if (foehn_fire_burns(f) && field == FOEHN_FIRE_TEMPERATURE)
        info->units = "K";
    return FOEHN_OK;
}

static foehn_status make_packed(foehn_fire *f)
{
    size_t air = 3 * (size_t)f->g.nx * (size_t)f->g.ny * (size_t)f->g.nz;
    size_t dye = (size_t)f->r.nx * (size_t)f->r.ny * (size_t)f->r.nz;
    if (f->packed)
        return FOEHN_OK;
    uint64_t before = f->ctx->memory;
    TRY(foehn_buffer_create(f->ctx, (air > dye ? air : dye) * sizeof(float), &f->packed));
    f->memory += f->ctx->memory - before;
    return FOEHN_OK;
}

/* `count` planes of a field from plane n on. */
static foehn_status pack(foehn_fire *f, const foehn_grid *g, cl_int n, cl_int count, cl_mem from)
{
    return LAUNCH(f->ctx, f->kernel.pack, foehn_fire_cells(g), ARG(*g), ARG(n), ARG(count),
                  ARG(from), ARG(f->packed));
}

static foehn_status pack_velocity(foehn_fire *f, int n)
{
    return LAUNCH(f->ctx, f->kernel.velocity, foehn_fire_cells(&f->g), ARG(f->g), AIR(f, n),
                  ARG(f->packed));
}

static foehn_status read_scalar(foehn_fire *f, cl_mem from, float *out)
{
    return foehn_box_read(f->ctx, from, foehn_grid_box(&f->g, sizeof(float)), out);
}

static foehn_status read_divergence(foehn_fire *f, int n, float *out)
{
    TRY(foehn_fire_divergence(f, n, f->divergence));
    return read_scalar(f, f->divergence, out);
}

/* Temperature over the palette's, where there is smoke. */
static foehn_status read_flame(foehn_fire *f, size_t floats, float *out)
{
    float *density = malloc(floats * sizeof *density);
    if (!density)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu voxels", floats);
    foehn_status status = foehn_fire_read(f, FOEHN_FIRE_DENSITY, density);
    if (status == FOEHN_OK)
        status = foehn_fire_read(f, FOEHN_FIRE_TEMPERATURE, out);
    for (size_t n = 0; status == FOEHN_OK && n < floats; n++)
        out[n] =
            density[n] > 0.01f ? fminf(fmaxf(out[n] / f->params.palette_temperature, 0), 1) : 0;
    free(density);
    return status;
}

/* The dye of a fire that burns: soot, temperature above the ambient, fuel, products. */
enum { SOOT, EXCESS, FUEL, PRODUCTS };

static foehn_status read_plane(foehn_fire *f, cl_mem from, cl_int plane, size_t floats, float *out)
{
    TRY(pack(f, &f->r, plane, 1, from));
    return foehn_buffer_read(f->ctx, f->packed, 0, floats * sizeof *out, out);
}

/* Light that soot stops a metre: its mass in a cubic metre times its extinction. */
static foehn_status read_extinction(foehn_fire *f, cl_mem dye, size_t floats, float *out)
{
    float *excess = malloc(floats * sizeof *excess);
    if (!excess)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu voxels", floats);
    foehn_status status = read_plane(f, dye, EXCESS, floats, excess);
    if (status == FOEHN_OK)
        status = read_plane(f, dye, SOOT, floats, out);
    for (size_t n = 0; status == FOEHN_OK && n < floats; n++)
        out[n] *= FIRE_EXTINCTION * FIRE_RHO_T / (FIRE_AMBIENT + excess[n]);
    free(excess);
    return status;
}

/* Fields of the render grid of a fire that burns. */
static foehn_status read_burning(foehn_fire *f, foehn_fire_field field, size_t floats, float *out)
{
    cl_mem dye = f->dye[f->dye_now];
    float most = foehn_fire_most_heat(f);
    switch (field) {
    case FOEHN_FIRE_DENSITY: return read_extinction(f, dye, floats, out);
    case FOEHN_FIRE_SOOT: return read_plane(f, dye, SOOT, floats, out);
    case FOEHN_FIRE_FUEL: return read_plane(f, dye, FUEL, floats, out);
    case FOEHN_FIRE_PRODUCTS: return read_plane(f, dye, PRODUCTS, floats, out);
    case FOEHN_FIRE_TEMPERATURE:
        TRY(read_plane(f, dye, EXCESS, floats, out));
        for (size_t n = 0; n < floats; n++)
            out[n] += FIRE_AMBIENT;
        return FOEHN_OK;
    case FOEHN_FIRE_HEAT_RELEASE:
    case FOEHN_FIRE_FLAME:
        TRY(read_plane(f, f->burnt, BURNT_HEAT, floats, out));
        for (size_t n = 0; n < floats && field == FOEHN_FIRE_FLAME; n++)
            out[n] = fminf(out[n] / most, 1);
        return FOEHN_OK;
    default: /* age and tint are not kept */ memset(out, 0, floats * sizeof *out); return FOEHN_OK;
    }
}

foehn_status foehn_fire_read(foehn_fire *f, foehn_fire_field field, float *out)
{
    foehn_fire_field_info info;
    TRY(foehn_fire_get_field(f, field, &info));
    TRY(make_packed(f));
    if (foehn_fire_burns(f) && fields[field].on_render_grid)
        return read_burning(f, field, info.floats, out);
    if (!foehn_fire_burns(f) && field >= FOEHN_FIRE_FUEL) {
        memset(out, 0, info.floats * sizeof *out);
        return FOEHN_OK;
    }
    switch (field) {
    case FOEHN_FIRE_EXPANSION: return read_scalar(f, f->expansion, out);
    case FOEHN_FIRE_VELOCITY: TRY(pack_velocity(f, 0)); break;
    case FOEHN_FIRE_VELOCITY_BEFORE: TRY(pack_velocity(f, f->b)); break;
    case FOEHN_FIRE_DIVERGENCE_BEFORE: return read_divergence(f, f->b, out);
    case FOEHN_FIRE_DIVERGENCE: return read_divergence(f, 0, out);
    case FOEHN_FIRE_PRESSURE: return read_scalar(f, foehn_pressure_field(f->pressure), out);
    case FOEHN_FIRE_VORTICITY: TRY(pack(f, &f->g, 0, 3, f->omega)); break;
    case FOEHN_FIRE_DISTANCE: TRY(pack(f, &f->g, 3, 1, f->sdf)); break;
    case FOEHN_FIRE_NORMAL: TRY(pack(f, &f->g, 0, 3, f->sdf)); break;
    case FOEHN_FIRE_SURFACE_VELOCITY: TRY(pack(f, &f->g, 0, 3, f->surface)); break;
    case FOEHN_FIRE_FLAME: return read_flame(f, info.floats, out);
    default: TRY(pack(f, &f->r, (cl_int)field, 1, f->dye[f->dye_now])); break;
    }
    return foehn_buffer_read(f->ctx, f->packed, 0, info.floats * sizeof(float), out);
}

/* Kelvin become those above the ambient. */
static foehn_status write_burning(foehn_fire *f, foehn_fire_field field,
                                  const foehn_fire_field_info *info, const float *in)
{
    cl_int plane = field == FOEHN_FIRE_SOOT       ? SOOT
                   : field == FOEHN_FIRE_FUEL     ? FUEL
                   : field == FOEHN_FIRE_PRODUCTS ? PRODUCTS
                                                  : EXCESS;
    if (field != FOEHN_FIRE_TEMPERATURE && plane == EXCESS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%s of a fire that burns cannot be written: only temperature, "
                          "fuel, products, soot and velocity",
                          info->name);
    float *values = malloc(info->floats * sizeof *values);
    if (!values)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu voxels", info->floats);
    for (size_t n = 0; n < info->floats; n++)
        values[n] = plane == EXCESS ? in[n] - FIRE_AMBIENT : in[n];
    foehn_status status = make_packed(f);
    if (status == FOEHN_OK)
        status = foehn_buffer_write(f->ctx, f->packed, 0, info->floats * sizeof *values, values);
    free(values);
    TRY(status);
    f->started = f->masses_are_stale = true;
    if (foehn_fire_burns(f))
        TRY(foehn_fire_rouse(f));
    return LAUNCH(f->ctx, f->kernel.unpack, foehn_fire_cells(&f->r), ARG(f->r), ARG(plane),
                  ARG(f->packed), ARG(f->dye[f->dye_now]));
}

foehn_status foehn_fire_write(foehn_fire *f, foehn_fire_field field, const float *in)
{
    foehn_fire_field_info info;
    TRY(foehn_fire_get_field(f, field, &info));
    if (foehn_fire_burns(f) && field != FOEHN_FIRE_VELOCITY)
        return write_burning(f, field, &info, in);
    if (field > FOEHN_FIRE_VELOCITY)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%s cannot be written: only density, temperature, "
                          "age, tint and velocity",
                          info.name);
    TRY(make_packed(f));
    TRY(foehn_buffer_write(f->ctx, f->packed, 0, info.floats * sizeof(float), in));
    f->started = true;
    if (field == FOEHN_FIRE_VELOCITY)
        return LAUNCH(f->ctx, f->kernel.set_velocity, foehn_fire_air(f), ARG(f->g), ARG(f->packed),
                      AIR(f, 0));
    cl_int n = (cl_int)field;
    TRY(LAUNCH(f->ctx, f->kernel.unpack, foehn_fire_cells(&f->r), ARG(f->r), ARG(n), ARG(f->packed),
               ARG(f->dye[f->dye_now])));
    /* Smoke that was put there counts as emitted. */
    return foehn_fire_book(f, f->dye[f->dye_now], 1);
}

/* ---- figures ---- */

/* Figures of all rows of a grid, [nz][ny][FIRE_ROW].  The rows are made by what was launched into
 * packed. */
static foehn_status read_rows(foehn_fire *f, const foehn_grid *g, float **out)
{
    size_t count = (size_t)g->ny * (size_t)g->nz * FIRE_ROW;
    *out = malloc(count * sizeof **out);
    if (!*out)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu figures", count);
    foehn_status status = foehn_buffer_read(f->ctx, f->packed, 0, count * sizeof **out, *out);
    if (status != FOEHN_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* Height below which a share of the sum of layers lies; a layer is spread evenly over its
 * thickness. */
static double height_of(const double *layers, int count, double thickness, double share)
{
    double sum = 0, below = 0;
    for (int j = 0; j < count; j++)
        sum += layers[j];
    if (!(sum > 0))
        return 0;
    for (int j = 0; j < count; j++) {
        if (below + layers[j] >= share * sum)
            return thickness * (j + (share * sum - below) / layers[j]);
        below += layers[j];
    }
    return thickness * count;
}

static foehn_status measure_dye(foehn_fire *f, foehn_fire_measures *m, double *broken)
{
    const foehn_grid *g = &f->r;
    foehn_size rows_size = {(size_t)g->ny, (size_t)g->nz, 1};
    double voxel = f->render_spacing[0] * f->render_spacing[1] * f->render_spacing[2];
    double *layers = calloc((size_t)g->ny, sizeof *layers);
    float *rows = NULL;
    foehn_status status = FOEHN_OK;
    if (!layers)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %d layers", g->ny);
    status = LAUNCH(f->ctx, f->kernel.dye_rows, rows_size, ARG(*g), ARG(f->dye[f->dye_now]),
                    ARG(f->packed));
    if (status == FOEHN_OK)
        status = read_rows(f, g, &rows);
    if (status == FOEHN_OK) {
        for (int n = 0; n < g->ny * g->nz; n++) {
            const float *row = rows + (size_t)FIRE_ROW * (size_t)n;
            layers[n % g->ny] += (double)row[0];
            m->total_density += (double)row[0] * voxel;
            m->total_tint += (double)row[1] * voxel;
            m->max_temperature = fmax(m->max_temperature, (double)row[2]);
            *broken += (double)row[3];
        }
        if (foehn_fire_burns(f))
            m->max_temperature += (double)FIRE_AMBIENT;
        m->plume_height = height_of(layers, g->ny, f->render_spacing[1], 0.95);
    }
    free(layers);
    free(rows);
    return status;
}

static foehn_status measure_air(foehn_fire *f, int n, double *fastest, double *mean, double *most,
                                double *broken)
{
    const foehn_grid *g = &f->g;
    foehn_size rows_size = {(size_t)g->ny, (size_t)g->nz, 1};
    double sum = 0, open = 0;
    float *rows;
    TRY(foehn_fire_divergence(f, n, f->divergence));
    TRY(foehn_fire_less(f, f->divergence));
    TRY(LAUNCH(f->ctx, f->kernel.air_rows, rows_size, ARG(*g), ARG(f->sdf), AIR(f, n),
               ARG(f->divergence), ARG(f->packed)));
    TRY(read_rows(f, g, &rows));
    for (int i = 0; i < g->ny * g->nz; i++) {
        const float *row = rows + (size_t)FIRE_ROW * (size_t)i;
        *fastest = fmax(*fastest, (double)row[0]);
        sum += (double)row[1];
        *most = fmax(*most, (double)row[2]);
        open += (double)row[3];
        *broken += (double)row[4];
    }
    *mean = open > 0 ? sum / open : 0;
    free(rows);
    return FOEHN_OK;
}

/* Mean of |S| over open cells: the same figures of the expansion in place of a divergence. */
static foehn_status measure_expansion(foehn_fire *f, double *mean)
{
    const foehn_grid *g = &f->g;
    double sum = 0, open = 0;
    float *rows;
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    TRY(LAUNCH(f->ctx, f->kernel.air_rows, ((foehn_size){(size_t)g->ny, (size_t)g->nz, 1}), ARG(*g),
               ARG(f->sdf), AIR(f, 0), ARG(f->expansion), ARG(f->packed)));
    TRY(read_rows(f, g, &rows));
    for (int i = 0; i < g->ny * g->nz; i++) {
        sum += (double)rows[FIRE_ROW * i + 1];
        open += (double)rows[FIRE_ROW * i + 3];
    }
    *mean = open > 0 ? sum / open : 0;
    free(rows);
    return FOEHN_OK;
}

static foehn_status measure_budget(foehn_fire *f, foehn_fire_measures *m)
{
    m->emitted = m->dissipated = m->carried = (double)NAN;
    if (!f->budget)
        return FOEHN_OK;
    size_t rows = (size_t)f->r.ny * (size_t)f->r.nz;
    double voxel = f->render_spacing[0] * f->render_spacing[1] * f->render_spacing[2];
    float *all = malloc(rows * FIRE_BUDGET * sizeof *all);
    if (!all)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu rows", rows);
    foehn_status status =
        foehn_buffer_read(f->ctx, f->budget, 0, rows * FIRE_BUDGET * sizeof *all, all);
    if (status == FOEHN_OK) {
        m->emitted = m->dissipated = m->carried = 0;
        for (size_t n = 0; n < rows; n++) {
            const float *row = all + n * FIRE_BUDGET;
            m->emitted += ((double)row[FIRE_EMITTED] - (double)row[FIRE_EMITTED + 1]) * voxel;
            m->dissipated +=
                ((double)row[FIRE_DISSIPATED] - (double)row[FIRE_DISSIPATED + 1]) * voxel;
            m->carried += ((double)row[FIRE_CARRIED] - (double)row[FIRE_CARRIED + 1]) * voxel;
        }
    }
    free(all);
    return status;
}

/* Name the first value of a field that is no number. */
static foehn_status name_broken(foehn_fire *f, foehn_fire_field field)
{
    foehn_fire_field_info info;
    TRY(foehn_fire_get_field(f, field, &info));
    float *values = malloc(info.floats * sizeof *values);
    if (!values)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu values", info.floats);
    foehn_status status = foehn_fire_read(f, field, values);
    for (size_t n = 0; status == FOEHN_OK && n < info.floats; n++)
        if (!isfinite(values[n])) {
            size_t cell = n / (size_t)info.components, nx = (size_t)info.cells[0];
            size_t ny = (size_t)info.cells[1];
            status = foehn_fail(FOEHN_ERROR_UNSTABLE,
                                "%s is %g at voxel (%zu, %zu, %zu) after step %llu: start again "
                                "with a lower speed, buoyancy or confinement",
                                info.name, (double)values[n], cell % nx, cell / nx % ny,
                                cell / (nx * ny), (unsigned long long)f->clock.step);
        }
    free(values);
    return status;
}

static foehn_status measure(foehn_fire *f, foehn_fire_measures *m)
{
    double broken_dye = 0, broken_air = 0, unused = 0;
    TRY(make_packed(f));
    TRY(measure_dye(f, m, &broken_dye));
    TRY(measure_air(f, f->b, &unused, &m->mean_abs_divergence_before, &m->max_abs_divergence_before,
                    &unused));
    TRY(measure_air(f, 0, &m->max_speed, &m->mean_abs_divergence_after,
                    &m->max_abs_divergence_after, &broken_air));
    TRY(measure_budget(f, m));
    TRY(foehn_fire_measure_burning(f, m));
    TRY(measure_expansion(f, &m->mean_abs_expansion));
    for (int field = 0; broken_dye > 0 && field < FOEHN_FIRE_VELOCITY; field++)
        TRY(name_broken(f, (foehn_fire_field)field));
    return broken_air > 0 ? name_broken(f, FOEHN_FIRE_VELOCITY) : FOEHN_OK;
}

foehn_status foehn_fire_read_measures(foehn_fire *f, foehn_fire_measures *m)
{
    uint64_t before = f->ctx->launches;
    *m = (foehn_fire_measures){0};
    foehn_status status = measure(f, m);
    f->launches += f->ctx->launches - before;
    return status;
}

/* ---- publication ---- */

foehn_status foehn_fire_write_volume(foehn_fire *f, foehn_fire_layer layer, foehn_volume *volume)
{
    if ((unsigned)layer > FOEHN_FIRE_LAYER_VELOCITY)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "layer %d of a fire: 0 or 1", (int)layer);
    bool dye = layer == FOEHN_FIRE_LAYER_DYE;
    const foehn_grid *g = dye ? &f->r : &f->g;
    const double *spacing = dye ? f->render_spacing : f->spacing;
    foehn_volume_info info = {
        .nx = g->nx, .ny = g->ny, .nz = g->nz, .step = f->clock.step, .time = f->clock.time};
    cl_mem slot;
    for (int a = 0; a < 3; a++) {
        info.origin[a] = -f->params.size[a] / 2;
        info.extent[a] = f->params.size[a];
        info.spacing[a] = spacing[a];
    }
    TRY(foehn_volume_begin(volume, f->ctx, g->nx, g->ny, g->nz, &slot));
    float most = foehn_fire_most_heat(f);
    foehn_status written =
        dye && foehn_fire_burns(f)
            ? LAUNCH(f->ctx, f->kernel.publish_burnt, foehn_fire_cells(g), ARG(*g), ARG(most),
                     ARG(f->dye[f->dye_now]), ARG(f->burnt), ARG(slot))
        : dye ? LAUNCH(f->ctx, f->kernel.publish_dye, foehn_fire_cells(g), ARG(*g),
                       ARG(f->dye[f->dye_now]), ARG(slot))
              : LAUNCH(f->ctx, f->kernel.publish_velocity, foehn_fire_cells(g), ARG(*g),
                       ARG(f->sdf), AIR(f, 0), ARG(slot));
    return foehn_volume_end(volume, &info, written);
}
