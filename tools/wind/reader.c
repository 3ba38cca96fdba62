/* SPDX-License-Identifier: MIT */
/* From the library's order (x east, y up, z south) to that of files (east, north, up). */
#include "config.h"

#include "ranks.h"
#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells: the first four of every wind, those behind them of a turbulence closure; columns likewise.
 */
enum { EAST, NORTH, UP, INTENSITY, K, VISCOSITY, MOST_FIELDS };
enum { NEAR_EAST = MOST_FIELDS, NEAR_NORTH, STRESS_EAST, STRESS_NORTH, FRICTION, MOST_COLUMNS };

struct wind_reader {
    const site *site;
    foehn_wind *wind;
    foehn_volume *volume; /* NULL when no output wants it */
    size_t cells, columns;
    float *raw, *second;          /* as the library gives it */
    float *fields[MOST_FIELDS];   /* as files want it */
    float *covariances[6];        /* the same, of means of the LES */
    double *points, *near_points; /* of the columns at the height, and a quarter of a cell above the
                                     model's ground */
    float *at_points;             /* [columns][4] */
    float *columns_2d[MOST_COLUMNS]; /* the same */
    double *probe_points;
    float *at_probes, *probe_turbulence; /* [probes][4], [probes][2] */
};

/* There are k and what the ground takes: of the momentum model, or of means of the LES. */
static bool has_closure(const scene *s)
{
    return s->momentum || (s->les && s->averages);
}

int wind_reader_create(const site *s, foehn_wind *wind, foehn_volume *volume, wind_reader **out)
{
    wind_reader *r = calloc(1, sizeof *r);
    *out = r;
    if (!r)
        return fail_memory();
    const scene *sc = &s->scene;
    r->site = s;
    r->wind = wind;
    r->volume = volume;
    r->columns = (size_t)sc->nx * (size_t)sc->ny;
    r->cells = r->columns * (size_t)sc->nz;
    size_t probes = scene_points(sc) + 1;
    r->points = malloc(3 * r->columns * sizeof *r->points);
    r->near_points = malloc(3 * r->columns * sizeof *r->near_points);
    r->at_points = malloc(4 * r->columns * sizeof *r->at_points);
    r->probe_points = malloc(3 * probes * sizeof *r->probe_points);
    r->at_probes = malloc(4 * probes * sizeof *r->at_probes);
    r->probe_turbulence = calloc(2 * probes, sizeof *r->probe_turbulence);
    bool done = r->points && r->near_points && r->at_points && r->probe_points && r->at_probes &&
                r->probe_turbulence;
    for (int i = 0; i < (has_closure(sc) ? (int)MOST_COLUMNS : K); i++) {
        r->columns_2d[i] = malloc(r->columns * sizeof(float));
        done = done && r->columns_2d[i];
    }
    if (!done)
        return fail_memory();

    for (size_t c = 0; c < r->columns; c++) {
        double *p = r->points + 3 * c;
        double east = sc->origin[0] + ((double)(c % (size_t)sc->nx) + 0.5) * sc->spacing[0];
        double north = sc->origin[1] + ((double)(c / (size_t)sc->nx) + 0.5) * sc->spacing[1];
        p[0] = east - s->world_easting;
        p[1] = site_height_above(s, east, north, sc->height);
        p[2] = s->world_northing - north;
        memcpy(r->near_points + 3 * c, p, 3 * sizeof *p);
        r->near_points[3 * c + 1] = 0.25 * sc->spacing[2];
    }
    for (size_t i = 0; i < scene_points(sc); i++) {
        double *p = r->probe_points + 3 * i;
        p[0] = sc->probes[i].easting - s->world_easting;
        p[1] = site_height_above(s, sc->probes[i].easting, sc->probes[i].northing,
                                 sc->probes[i].height);
        p[2] = s->world_northing - sc->probes[i].northing;
    }
    return STATUS_OK;
}

void wind_reader_destroy(wind_reader *r)
{
    if (!r)
        return;
    free(r->raw);
    free(r->second);
    free(r->points);
    free(r->near_points);
    free(r->at_points);
    free(r->probe_points);
    free(r->at_probes);
    free(r->probe_turbulence);
    for (int i = 0; i < 6; i++)
        free(r->covariances[i]);
    for (int i = 0; i < MOST_FIELDS; i++)
        free(r->fields[i]);
    for (int i = 0; i < MOST_COLUMNS; i++)
        free(r->columns_2d[i]);
    free(r);
}

int wind_reader_read_columns(wind_reader *r, bool mean, const float **east, const float **north,
                             double *mean_speed)
{
    foehn_status read = foehn_wind_read_points(r->wind, mean, r->columns, r->points, r->at_points);
    if (read != FOEHN_OK)
        return fail_library(read);
    double sum = 0;
    for (size_t c = 0; c < r->columns; c++) {
        const float *at = r->at_points + 4 * c;
        r->columns_2d[EAST][c] = at[0];
        r->columns_2d[NORTH][c] = -at[2];
        r->columns_2d[UP][c] = at[1];
        r->columns_2d[INTENSITY][c] = at[3];
        sum += hypot((double)at[0], (double)at[2]);
    }
    *east = r->columns_2d[EAST];
    *north = r->columns_2d[NORTH];
    *mean_speed = sum / (double)r->columns;
    return STATUS_OK;
}

/* Turn [south][up][east] into [up][north][east]. */
static void turn(const wind_reader *r, float sign, const float *from, float *to)
{
    size_t nx = (size_t)r->site->scene.nx, ny = (size_t)r->site->scene.ny;
    size_t nz = (size_t)r->site->scene.nz;
    if (!ranks_is_first()) /* who has no whole fields */
        return;
    for (size_t south = 0; south < ny; south++)
        for (size_t up = 0; up < nz; up++) {
            const float *row = from + (south * nz + up) * nx;
            float *out = to + (up * ny + (ny - 1 - south)) * nx;
            for (size_t i = 0; i < nx; i++)
                out[i] = sign * row[i];
        }
}

static foehn_status read_near_ground(wind_reader *r, bool mean)
{
    foehn_status read =
        foehn_wind_read_points(r->wind, mean, r->columns, r->near_points, r->at_points);
    for (size_t c = 0; read == FOEHN_OK && c < r->columns; c++) {
        r->columns_2d[NEAR_EAST][c] = r->at_points[4 * c];
        r->columns_2d[NEAR_NORTH][c] = -r->at_points[4 * c + 2];
    }
    return read;
}

/* Rows from south to north. */
static foehn_status read_stress(wind_reader *r)
{
    const size_t nx = (size_t)r->site->scene.nx, ny = (size_t)r->site->scene.ny;
    foehn_status read =
        foehn_wind_read_stress(r->wind, r->raw); /* as many as cells: three layers or more */
    for (size_t c = 0; read == FOEHN_OK && c < r->columns; c++) {
        const float *at = r->raw + 3 * ((ny - 1 - c / nx) * nx + c % nx);
        r->columns_2d[STRESS_EAST][c] = at[0];
        r->columns_2d[STRESS_NORTH][c] = -at[1];
        r->columns_2d[FRICTION][c] = at[2];
    }
    return read;
}

/* What a turbulence closure, or the LES, has beside the wind. */
static foehn_status read_closure(wind_reader *r, bool mean)
{
    foehn_status read = foehn_wind_read(r->wind, FOEHN_WIND_K, r->raw);
    turn(r, 1, r->raw, r->fields[K]);
    if (read == FOEHN_OK)
        read = foehn_wind_read(r->wind, FOEHN_WIND_VISCOSITY, r->raw);
    turn(r, 1, r->raw, r->fields[VISCOSITY]);
    if (read == FOEHN_OK)
        read = foehn_wind_read_turbulence(r->wind, r->columns, r->points, r->at_points);
    for (size_t c = 0; read == FOEHN_OK && c < r->columns; c++) {
        r->columns_2d[K][c] = r->at_points[2 * c];
        r->columns_2d[VISCOSITY][c] = r->at_points[2 * c + 1];
    }
    if (read == FOEHN_OK)
        read = read_stress(r);
    return read == FOEHN_OK ? read_near_ground(r, mean) : read;
}

static int allocate_fields(wind_reader *r, bool with_covariances)
{
    if (!r->raw)
        r->raw = malloc(r->cells * sizeof(float));
    if (!r->second)
        r->second = malloc(r->cells * sizeof(float));
    bool done = r->raw && r->second;
    for (int i = 0; i < (has_closure(&r->site->scene) ? (int)MOST_FIELDS : K); i++) {
        if (!r->fields[i])
            r->fields[i] = malloc(r->cells * sizeof(float));
        done = done && r->fields[i];
    }
    for (int i = 0; with_covariances && i < 6; i++) {
        if (!r->covariances[i])
            r->covariances[i] = malloc(r->cells * sizeof(float));
        done = done && r->covariances[i];
    }
    return done ? STATUS_OK : fail_memory();
}

/* Covariances in the axes of files: x east, y north, z up. */
static foehn_status read_covariances(wind_reader *r)
{
    static const struct {
        foehn_wind_field field;
        float sign;
    } parts[6] = {{FOEHN_WIND_COVARIANCE_UU, 1}, {FOEHN_WIND_COVARIANCE_WW, 1},
                  {FOEHN_WIND_COVARIANCE_VV, 1}, {FOEHN_WIND_COVARIANCE_UW, -1},
                  {FOEHN_WIND_COVARIANCE_UV, 1}, {FOEHN_WIND_COVARIANCE_VW, -1}};
    foehn_status read = FOEHN_OK;
    for (int i = 0; i < 6 && read == FOEHN_OK; i++) {
        read = foehn_wind_read(r->wind, parts[i].field, r->raw);
        turn(r, parts[i].sign, r->raw, r->covariances[i]);
    }
    return read;
}

static foehn_status read_intensity(wind_reader *r, bool mean)
{
    foehn_status read;
    if (mean) {
        read = foehn_wind_read(r->wind, FOEHN_WIND_STD_SPEED, r->raw);
        if (read == FOEHN_OK)
            read = foehn_wind_read(r->wind, FOEHN_WIND_MEAN_SPEED, r->second);
        for (size_t c = 0; read == FOEHN_OK && ranks_is_first() && c < r->cells; c++)
            r->raw[c] /= fmaxf(r->second[c], 0.1f);
        turn(r, 1, r->raw, r->fields[INTENSITY]);
        return read;
    }
    read = foehn_wind_read(r->wind, FOEHN_WIND_CURL, r->raw);
    turn(r, 1, r->raw, r->fields[INTENSITY]);
    for (size_t c = 0; ranks_is_first() && c < r->cells; c++) {
        float speed =
            sqrtf(r->fields[EAST][c] * r->fields[EAST][c] +
                  r->fields[NORTH][c] * r->fields[NORTH][c] + r->fields[UP][c] * r->fields[UP][c]);
        r->fields[INTENSITY][c] /= fmaxf(speed, 0.1f);
    }
    return read;
}

int wind_reader_read(wind_reader *r, bool mean, double mean_start, field *out)
{
    static const struct {
        foehn_wind_field now, mean;
        int to;
        float sign;
    } parts[3] = {{FOEHN_WIND_U, FOEHN_WIND_MEAN_U, EAST, 1},
                  {FOEHN_WIND_W, FOEHN_WIND_MEAN_W, NORTH, -1},
                  {FOEHN_WIND_V, FOEHN_WIND_MEAN_V, UP, 1}};
    const bool with_covariances = mean && r->site->scene.les;
    int status = allocate_fields(r, with_covariances);
    if (status != STATUS_OK)
        return status;
    foehn_status read = FOEHN_OK;
    for (int i = 0; i < 3 && read == FOEHN_OK; i++) {
        read = foehn_wind_read(r->wind, mean ? parts[i].mean : parts[i].now, r->raw);
        turn(r, parts[i].sign, r->raw, r->fields[parts[i].to]);
    }
    if (read == FOEHN_OK)
        read = read_intensity(r, mean);
    const bool with_closure = r->site->scene.momentum || with_covariances;
    if (read == FOEHN_OK && with_closure)
        read = read_closure(r, mean);
    if (read == FOEHN_OK && with_covariances)
        read = read_covariances(r);
    if (read == FOEHN_OK)
        read = foehn_wind_read(r->wind, FOEHN_WIND_SOLID, r->raw);
    if (read != FOEHN_OK)
        return fail_library(read);
    turn(r, 1, r->raw, r->second);
    for (int i = 0; i < MOST_FIELDS && r->fields[i] && ranks_is_first(); i++)
        for (size_t c = 0; c < r->cells; c++)
            if (r->second[c] != 0)
                r->fields[i][c] = NAN;
    for (int i = 0; with_covariances && i < 6; i++)
        for (size_t c = 0; c < r->cells; c++)
            if (r->second[c] != 0)
                r->covariances[i][c] = NAN;

    double mean_speed;
    const float *east, *north;
    status = wind_reader_read_columns(r, mean, &east, &north, &mean_speed);
    if (status != STATUS_OK)
        return status;
    if (r->volume) {
        read = foehn_wind_write_volume(r->wind, r->volume);
        if (read != FOEHN_OK)
            return fail_library(read);
    }
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    const double time = scene_stamp(&r->site->scene, info.step);
    *out = (field){.start = mean ? mean_start : time,
                   .time = time,
                   .step = info.step,
                   .samples = mean ? info.samples : 1,
                   .east = r->fields[EAST],
                   .north = r->fields[NORTH],
                   .up = r->fields[UP],
                   .intensity = r->fields[INTENSITY],
                   .east_2d = east,
                   .north_2d = north,
                   .up_2d = r->columns_2d[UP],
                   .intensity_2d = r->columns_2d[INTENSITY],
                   .volume = r->volume};
    if (with_closure) {
        out->k = r->fields[K];
        out->viscosity = r->fields[VISCOSITY];
        out->k_2d = r->columns_2d[K];
        out->viscosity_2d = r->columns_2d[VISCOSITY];
        out->stress_east = r->columns_2d[STRESS_EAST];
        out->stress_north = r->columns_2d[STRESS_NORTH];
        out->friction = r->columns_2d[FRICTION];
        out->near_east = r->columns_2d[NEAR_EAST];
        out->near_north = r->columns_2d[NEAR_NORTH];
    }
    for (int i = 0; with_covariances && i < 6; i++)
        out->covariances[i] = r->covariances[i];
    return STATUS_OK;
}

int wind_reader_read_probes(wind_reader *r, probe_row *rows)
{
    const scene *sc = &r->site->scene;
    foehn_status read =
        foehn_wind_read_points(r->wind, 0, scene_points(sc), r->probe_points, r->at_probes);
    if (read == FOEHN_OK && sc->momentum)
        read = foehn_wind_read_turbulence(r->wind, scene_points(sc), r->probe_points,
                                          r->probe_turbulence);
    if (read != FOEHN_OK)
        return fail_library(read);
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    for (size_t i = 0; i < scene_points(sc); i++) {
        const float *at = r->at_probes + 4 * i;
        double u = (double)at[0], v = -(double)at[2];
        place_turn(&sc->place, sc->probes[i].easting, sc->probes[i].northing, &u, &v);
        const float *of = r->probe_turbulence + 2 * i;
        rows[i] = (probe_row){scene_stamp(sc, info.step),
                              u,
                              v,
                              (double)at[1],
                              (double)at[3],
                              (double)of[0],
                              (double)of[1]};
    }
    return STATUS_OK;
}
