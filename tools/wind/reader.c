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
    bool publishes;       /* some output wants halves */
    foehn_volume *volume; /* rank 0's, for them */
    size_t columns;
    int slab;                   /* levels that are read at once */
    float *raw, *second;        /* as the library gives it */
    float *fields[MOST_FIELDS]; /* as files want it */
    float *covariances[6];      /* the same, of means of the LES */
    double *heights;            /* of the columns' points, above the model's ground, m */
    size_t strip;               /* columns that are read at once */
    double *points;
    float *at_points;                /* [strip][4] */
    float *columns_2d[MOST_COLUMNS]; /* the same */
    double *probe_points;
    float *at_probes, *probe_turbulence; /* [probes][4], [probes][2] */
};

/* Levels that are read at once: a share of the box, and not more than cells that fill 64 MiB. */
static int choose_slab(const scene *s)
{
    enum { SHARE = 4, MOST_CELLS = 1 << 24 };
    const int share = (s->nz + SHARE - 1) / SHARE,
              most = (int)(MOST_CELLS / ((size_t)s->nx * (size_t)s->ny));
    return most < 1 ? 1 : most < share ? most : share;
}

/* Columns likewise: 10 MiB of points and of what is there. */
static size_t choose_strip(size_t columns)
{
    enum { MOST = 1 << 18 };
    return columns < MOST ? columns : MOST;
}

/* There are k and what the ground takes: of the momentum model, or of means of the LES. */
static bool has_closure(const scene *s)
{
    return s->momentum || (s->les && s->averages);
}

/* Easting and northing of a column, from south to north. */
static void find_column(const site *s, size_t c, double at[2])
{
    const scene *sc = &s->scene;
    const size_t cell[2] = {c % (size_t)sc->nx, c / (size_t)sc->nx};
    for (int a = 0; a < 2; a++)
        at[a] = sc->origin[a] + ((double)cell[a] + 0.5) * sc->spacing[a];
}

int wind_reader_create(const site *s, foehn_wind *wind, bool publishes, foehn_volume *volume,
                       wind_reader **out)
{
    wind_reader *r = calloc(1, sizeof *r);
    *out = r;
    if (!r)
        return fail_memory();
    const scene *sc = &s->scene;
    r->site = s;
    r->wind = wind;
    r->publishes = publishes;
    r->volume = volume;
    r->columns = (size_t)sc->nx * (size_t)sc->ny;
    r->slab = choose_slab(sc);
    size_t probes = scene_points(sc) + 1;
    r->strip = choose_strip(r->columns);
    r->heights = malloc(r->columns * sizeof *r->heights);
    r->points = malloc(3 * r->strip * sizeof *r->points);
    r->at_points = malloc(4 * r->strip * sizeof *r->at_points);
    r->probe_points = malloc(3 * probes * sizeof *r->probe_points);
    r->at_probes = malloc(4 * probes * sizeof *r->at_probes);
    r->probe_turbulence = calloc(2 * probes, sizeof *r->probe_turbulence);
    bool done = r->heights && r->points && r->at_points && r->probe_points && r->at_probes &&
                r->probe_turbulence;
    for (int i = 0; i < (has_closure(sc) ? (int)MOST_COLUMNS : K); i++) {
        r->columns_2d[i] = malloc(r->columns * sizeof(float));
        done = done && r->columns_2d[i];
    }
    if (!done)
        return fail_memory();

    for (size_t c = 0; c < r->columns; c++) {
        double at[2];
        find_column(s, c, at);
        r->heights[c] = site_height_above(s, at[0], at[1], sc->height);
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
    free(r->heights);
    free(r->points);
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

/* The next columns from *first on, at their height or (near) a quarter of a cell above the model's
 * ground, into r->points; how many: 0, there are none left. */
static size_t next_strip(const wind_reader *r, bool near, size_t first)
{
    const site *s = r->site;
    const size_t left = r->columns - first, count = left < r->strip ? left : r->strip;
    for (size_t i = 0; i < count; i++) {
        double at[2], *p = r->points + 3 * i;
        find_column(s, first + i, at);
        p[0] = at[0] - s->world_easting;
        p[1] = near ? 0.25 * s->scene.spacing[2] : r->heights[first + i];
        p[2] = s->world_northing - at[1];
    }
    return count;
}

int wind_reader_read_columns(wind_reader *r, bool mean, const float **east, const float **north,
                             double *mean_speed)
{
    double sum = 0;
    size_t count;
    for (size_t first = 0; (count = next_strip(r, false, first)) > 0; first += count) {
        foehn_status read = foehn_wind_read_points(r->wind, mean, count, r->points, r->at_points);
        if (read != FOEHN_OK)
            return fail_library(read);
        for (size_t i = 0; i < count; i++) {
            const float *at = r->at_points + 4 * i;
            r->columns_2d[EAST][first + i] = at[0];
            r->columns_2d[NORTH][first + i] = -at[2];
            r->columns_2d[UP][first + i] = at[1];
            r->columns_2d[INTENSITY][first + i] = at[3];
            sum += hypot((double)at[0], (double)at[2]);
        }
    }
    *east = r->columns_2d[EAST];
    *north = r->columns_2d[NORTH];
    *mean_speed = sum / (double)r->columns;
    return STATUS_OK;
}

/* Turn [south][up][east] into [up][north][east]. */
static void turn(const wind_reader *r, size_t nz, float sign, const float *from, float *to)
{
    size_t nx = (size_t)r->site->scene.nx, ny = (size_t)r->site->scene.ny;
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
    size_t count;
    for (size_t first = 0; (count = next_strip(r, true, first)) > 0; first += count) {
        foehn_status read = foehn_wind_read_points(r->wind, mean, count, r->points, r->at_points);
        if (read != FOEHN_OK)
            return read;
        for (size_t i = 0; i < count; i++) {
            r->columns_2d[NEAR_EAST][first + i] = r->at_points[4 * i];
            r->columns_2d[NEAR_NORTH][first + i] = -r->at_points[4 * i + 2];
        }
    }
    return FOEHN_OK;
}

/* Rows from south to north. */
static int read_stress(wind_reader *r)
{
    const size_t nx = (size_t)r->site->scene.nx, ny = (size_t)r->site->scene.ny;
    float *stress = malloc(3 * r->columns * sizeof *stress);
    if (!stress)
        return fail_memory();
    foehn_status read = foehn_wind_read_stress(r->wind, stress);
    for (size_t c = 0; read == FOEHN_OK && c < r->columns; c++) {
        const float *at = stress + 3 * ((ny - 1 - c / nx) * nx + c % nx);
        r->columns_2d[STRESS_EAST][c] = at[0];
        r->columns_2d[STRESS_NORTH][c] = -at[1];
        r->columns_2d[FRICTION][c] = at[2];
    }
    free(stress);
    return fail_library(read);
}

/* What a turbulence closure, or the LES, has beside the wind. */
static int read_closure(wind_reader *r, bool mean)
{
    size_t count;
    for (size_t first = 0; (count = next_strip(r, false, first)) > 0; first += count) {
        foehn_status read = foehn_wind_read_turbulence(r->wind, count, r->points, r->at_points);
        if (read != FOEHN_OK)
            return fail_library(read);
        for (size_t i = 0; i < count; i++) {
            r->columns_2d[K][first + i] = r->at_points[2 * i];
            r->columns_2d[VISCOSITY][first + i] = r->at_points[2 * i + 1];
        }
    }
    int status = read_stress(r);
    return status == STATUS_OK ? fail_library(read_near_ground(r, mean)) : status;
}

/* ---- cells, some levels at once ---- */

static int allocate_fields(wind_reader *r, bool with_covariances)
{
    const size_t bytes = r->columns * (size_t)r->slab * sizeof(float);
    if (!ranks_is_first())
        return STATUS_OK;
    if (!r->raw)
        r->raw = malloc(bytes);
    if (!r->second)
        r->second = malloc(bytes);
    bool done = r->raw && r->second;
    for (int i = 0; i < (has_closure(&r->site->scene) ? (int)MOST_FIELDS : K); i++) {
        if (!r->fields[i])
            r->fields[i] = malloc(bytes);
        done = done && r->fields[i];
    }
    for (int i = 0; with_covariances && i < 6; i++) {
        if (!r->covariances[i])
            r->covariances[i] = malloc(bytes);
        done = done && r->covariances[i];
    }
    return done ? STATUS_OK : fail_memory();
}

/* Levels that are being read. */
typedef struct slab {
    wind_reader *r;
    int first, count;
} slab;

static size_t cells_of(const slab *s)
{
    return ranks_is_first() ? s->r->columns * (size_t)s->count : 0;
}

static foehn_status read_cells(const slab *s, foehn_wind_field what, float *out)
{
    return foehn_wind_read_levels(s->r->wind, what, s->first, s->count, out);
}

/* As files want it. */
static foehn_status read_turned(const slab *s, foehn_wind_field what, float sign, float *out)
{
    foehn_status read = read_cells(s, what, s->r->raw);
    if (read == FOEHN_OK)
        turn(s->r, (size_t)s->count, sign, s->r->raw, out);
    return read;
}

/* Covariances in the axes of files: x east, y north, z up. */
static foehn_status read_covariances(const slab *s)
{
    static const struct {
        foehn_wind_field field;
        float sign;
    } parts[6] = {{FOEHN_WIND_COVARIANCE_UU, 1}, {FOEHN_WIND_COVARIANCE_WW, 1},
                  {FOEHN_WIND_COVARIANCE_VV, 1}, {FOEHN_WIND_COVARIANCE_UW, -1},
                  {FOEHN_WIND_COVARIANCE_UV, 1}, {FOEHN_WIND_COVARIANCE_VW, -1}};
    foehn_status read = FOEHN_OK;
    for (int i = 0; i < 6 && read == FOEHN_OK; i++)
        read = read_turned(s, parts[i].field, parts[i].sign, s->r->covariances[i]);
    return read;
}

static foehn_status read_intensity(const slab *s, bool mean)
{
    wind_reader *r = s->r;
    const size_t cells = cells_of(s);
    foehn_status read;
    if (mean) {
        read = read_cells(s, FOEHN_WIND_STD_SPEED, r->raw);
        if (read == FOEHN_OK)
            read = read_cells(s, FOEHN_WIND_MEAN_SPEED, r->second);
        for (size_t c = 0; read == FOEHN_OK && c < cells; c++)
            r->raw[c] /= fmaxf(r->second[c], 0.1f);
        turn(r, (size_t)s->count, 1, r->raw, r->fields[INTENSITY]);
        return read;
    }
    read = read_turned(s, FOEHN_WIND_CURL, 1, r->fields[INTENSITY]);
    for (size_t c = 0; read == FOEHN_OK && c < cells; c++) {
        float speed =
            sqrtf(r->fields[EAST][c] * r->fields[EAST][c] +
                  r->fields[NORTH][c] * r->fields[NORTH][c] + r->fields[UP][c] * r->fields[UP][c]);
        r->fields[INTENSITY][c] /= fmaxf(speed, 0.1f);
    }
    return read;
}

/* NaN under the ground. */
static foehn_status blank(const slab *s, bool with_covariances)
{
    wind_reader *r = s->r;
    foehn_status read = read_turned(s, FOEHN_WIND_SOLID, 1, r->second);
    if (read != FOEHN_OK)
        return read;
    for (size_t c = 0; c < cells_of(s); c++) {
        if (r->second[c] == 0)
            continue;
        for (int i = 0; i < MOST_FIELDS && r->fields[i]; i++)
            r->fields[i][c] = NAN;
        for (int i = 0; with_covariances && i < 6; i++)
            r->covariances[i][c] = NAN;
    }
    return FOEHN_OK;
}

int wind_reader_read_levels(wind_reader *r, int first, field *f)
{
    static const struct {
        foehn_wind_field now, mean;
        int to;
        float sign;
    } parts[3] = {{FOEHN_WIND_U, FOEHN_WIND_MEAN_U, EAST, 1},
                  {FOEHN_WIND_W, FOEHN_WIND_MEAN_W, NORTH, -1},
                  {FOEHN_WIND_V, FOEHN_WIND_MEAN_V, UP, 1}};
    const scene *sc = &r->site->scene;
    const int left = sc->nz - first;
    const slab s = {r, first, left < r->slab ? left : r->slab};
    const bool with_covariances = f->mean && sc->les;
    int status = ranks_agree(allocate_fields(r, with_covariances));
    if (status != STATUS_OK)
        return status;
    foehn_status read = FOEHN_OK;
    for (int i = 0; i < 3 && read == FOEHN_OK; i++)
        read = read_turned(&s, f->mean ? parts[i].mean : parts[i].now, parts[i].sign,
                           r->fields[parts[i].to]);
    if (read == FOEHN_OK)
        read = read_intensity(&s, f->mean);
    if (read == FOEHN_OK && (sc->momentum || with_covariances))
        read = read_turned(&s, FOEHN_WIND_K, 1, r->fields[K]);
    if (read == FOEHN_OK && (sc->momentum || with_covariances))
        read = read_turned(&s, FOEHN_WIND_VISCOSITY, 1, r->fields[VISCOSITY]);
    if (read == FOEHN_OK && with_covariances)
        read = read_covariances(&s);
    if (read == FOEHN_OK)
        read = blank(&s, with_covariances);
    if (read != FOEHN_OK)
        return fail_library(read);
    f->first_level = first;
    f->levels = s.count;
    f->east = r->fields[EAST];
    f->north = r->fields[NORTH];
    f->up = r->fields[UP];
    f->intensity = r->fields[INTENSITY];
    f->k = sc->momentum || with_covariances ? r->fields[K] : NULL;
    f->viscosity = sc->momentum || with_covariances ? r->fields[VISCOSITY] : NULL;
    for (int i = 0; with_covariances && i < 6; i++)
        f->covariances[i] = r->covariances[i];
    return STATUS_OK;
}

/* ---- all but the cells ---- */

int wind_reader_read(wind_reader *r, bool mean, double mean_start, field *out)
{
    const scene *sc = &r->site->scene;
    const bool with_closure = sc->momentum || (mean && sc->les);
    double mean_speed;
    const float *east, *north;
    int status = with_closure ? read_closure(r, mean) : STATUS_OK;
    if (status == STATUS_OK)
        status = wind_reader_read_columns(r, mean, &east, &north, &mean_speed);
    if (status == STATUS_OK && r->publishes)
        status = fail_library(foehn_wind_write_volume(r->wind, r->volume));
    if (status != STATUS_OK)
        return status;
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    const double time = scene_stamp(sc, info.step);
    *out = (field){.mean = mean,
                   .start = mean ? mean_start : time,
                   .time = time,
                   .step = info.step,
                   .samples = mean ? info.samples : 1,
                   .east_2d = east,
                   .north_2d = north,
                   .up_2d = r->columns_2d[UP],
                   .intensity_2d = r->columns_2d[INTENSITY],
                   .volume = r->volume};
    if (with_closure) {
        out->k_2d = r->columns_2d[K];
        out->viscosity_2d = r->columns_2d[VISCOSITY];
        out->stress_east = r->columns_2d[STRESS_EAST];
        out->stress_north = r->columns_2d[STRESS_NORTH];
        out->friction = r->columns_2d[FRICTION];
        out->near_east = r->columns_2d[NEAR_EAST];
        out->near_north = r->columns_2d[NEAR_NORTH];
    }
    return STATUS_OK;
}

int wind_reader_read_probes(wind_reader *r, bool mean, probe_row *rows)
{
    const scene *sc = &r->site->scene;
    foehn_status read =
        foehn_wind_read_points(r->wind, mean, scene_points(sc), r->probe_points, r->at_probes);
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
