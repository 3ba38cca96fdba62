/* SPDX-License-Identifier: MIT */
/* Roughness lengths and displacements from rasters, by GDAL. */
#include "config.h"

#include "terrain/roughness.h"

#ifndef HAVE_GDAL

int roughness_read(const roughness_request *request, const roughness_grid *grid, float *z0,
                   float *displacement, float *trees)
{
    (void)grid, (void)z0, (void)displacement, (void)trees;
    return fail(
        STATUS_INPUT,
        "%s: this foehn was built without GDAL and cannot read rasters: install libgdal-dev, then "
        "configure and make again",
        request->path);
}

#else

#include "terrain/classes.h"
#include "terrain/raster.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal_utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_Z0 1e-6 /* m */
#define MOST_Z0 9.9
#define MOST_TREE 120.0  /* m: the tallest tree has 116 */
#define LEAST_TREE 2.0   /* m: below, the table's own z0 says more */
#define TREE_Z0 0.1      /* of the height; with */
#define TREE_D (2.0 / 3) /* as in the Global Wind Atlas 4 */
#define MOST_CELLS 1e9   /* of a raster under the box */
enum { MOST_SAMPLES = 4096, MARGIN = 3, MOST_NAMED = 4 };

enum { LOG_Z0, DISPLACEMENT, TREES, LAYERS };

/* The cells of a raster that the box needs, and what is made of them. */
typedef struct cover {
    const char *path;
    GDALDatasetH source;
    GDALRasterBandH band, mask;
    double from[6], back[6];        /* cells to coordinates, and back */
    OGRSpatialReferenceH srs;       /* NULL: metres as the place's */
    int column, row, columns, rows; /* of the window */
    int factor, nx, ny;             /* factor x factor cells are a sample */
    double outline_x[RASTER_OUTLINE],
        outline_y[RASTER_OUTLINE]; /* of the box, in columns and rows */
    float *layers[LAYERS];         /* [ny][nx] */
} cover;

static void cover_close(cover *c)
{
    if (c->source)
        GDALClose(c->source);
    OSRDestroySpatialReference(c->srs);
    for (int i = 0; i < LAYERS; i++)
        free(c->layers[i]);
}

/* ---- where it lies ---- */

static int cover_open(const char *path, const place *at, bool assume_metres, cover *c)
{
    memset(c, 0, sizeof *c);
    c->path = path;
    CPLErrorReset();
    c->source = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!c->source || GDALGetRasterCount(c->source) < 1)
        return fail(STATUS_INPUT, "%s: cannot be read as a raster: %s", path, raster_error());
    int status = raster_check_blocks(path, c->source);
    if (status != STATUS_OK)
        return status;
    c->band = GDALGetRasterBand(c->source, 1);
    c->mask = GDALGetMaskBand(c->band);
    bool sound =
        GDALGetGeoTransform(c->source, c->from) == CE_None && GDALInvGeoTransform(c->from, c->back);
    for (int i = 0; i < 6; i++)
        sound = sound && isfinite(c->from[i]) && isfinite(c->back[i]);
    if (!sound)
        return fail(STATUS_INPUT,
                    "%s: does not say where it lies: give it a place with gdal_translate -a_ullr",
                    path);
    OGRSpatialReferenceH srs = GDALGetSpatialRef(c->source);
    if (srs && !OSRIsProjected(srs) && !OSRIsGeographic(srs))
        srs = NULL;
    if (srs && at->wkt_gdal) {
        c->srs = OSRClone(srs);
        OSRSetAxisMappingStrategy(c->srs, OAMS_TRADITIONAL_GIS_ORDER);
        OSRStripVertical(c->srs);
        return STATUS_OK;
    }
    if (srs)
        return fail(
            STATUS_INPUT,
            "%s: is in %s, and the terrain has no coordinate system: name that of the terrain with "
            "gdal_edit.py -a_srs EPSG:CODE",
            path, OSRGetName(srs));
    if (at->wkt_gdal && !assume_metres)
        return fail(STATUS_INPUT,
                    "%s: has no coordinate system: give --assume-metres if it is that of the "
                    "terrain, or name "
                    "it with gdal_edit.py -a_srs EPSG:CODE",
                    path);
    return STATUS_OK;
}

/* Coordinates of the place to columns and rows of the raster. */
static bool to_cells(const cover *c, const place *at, int count, double *x, double *y)
{
    if (c->srs) {
        OGRSpatialReferenceH from = OSRNewSpatialReference(at->wkt_gdal);
        OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
        OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(from, c->srs);
        bool done = to && OCTTransform(to, count, x, y, NULL);
        if (to)
            OCTDestroyCoordinateTransformation(to);
        OSRDestroySpatialReference(from);
        if (!done)
            return false;
        if (OSRIsGeographic(c->srs)) {
            /* Longitudes on the same side of the globe as the raster's own. */
            double turn = 2 * M_PI / OSRGetAngularUnits(c->srs, NULL);
            double middle = c->from[0] + 0.5 * GDALGetRasterXSize(c->source) * c->from[1];
            for (int i = 0; i < count; i++)
                x[i] += turn * round((middle - x[i]) / turn);
        }
    }
    for (int i = 0; i < count; i++) {
        double east = x[i], north = y[i];
        x[i] = c->back[0] + east * c->back[1] + north * c->back[2];
        y[i] = c->back[3] + east * c->back[4] + north * c->back[5];
    }
    return true;
}

/* The window of cells under the box; all of the box must lie on the raster. */
static int cover_choose(cover *c, const roughness_grid *grid)
{
    const double *b = grid->box;
    const int most[2] = {GDALGetRasterXSize(c->source), GDALGetRasterYSize(c->source)};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        double s = (double)(i % RASTER_SIDE) / RASTER_SIDE;
        int side = i / RASTER_SIDE;
        double across = side == 0 ? s : side == 1 ? 1 : side == 2 ? 1 - s : 0;
        double along = side == 0 ? 0 : side == 1 ? s : side == 2 ? 1 : 1 - s;
        c->outline_x[i] = b[0] + across * (b[2] - b[0]);
        c->outline_y[i] = b[1] + along * (b[3] - b[1]);
    }
    if (!to_cells(c, grid->place, RASTER_OUTLINE, c->outline_x, c->outline_y))
        return fail(STATUS_INPUT, "%s: the box cannot be found in its system: %s", c->path,
                    raster_error());
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        low[0] = fmin(low[0], c->outline_x[i]);
        low[1] = fmin(low[1], c->outline_y[i]);
        high[0] = fmax(high[0], c->outline_x[i]);
        high[1] = fmax(high[1], c->outline_y[i]);
    }
    const double slack = 0.01; /* of a cell */
    for (int a = 0; a < 2; a++)
        if (!(low[a] > -slack && high[a] < most[a] + slack))
            return fail(STATUS_INPUT,
                        "%s: does not cover the box %.10g,%.10g,%.10g,%.10g (W,S,E,N): that is its "
                        "columns %.0f to "
                        "%.0f and rows %.0f to %.0f, and it has %d x %d: give a larger raster, or "
                        "a smaller "
                        "--window of the terrain",
                        c->path, b[0], b[1], b[2], b[3], low[0], high[0], low[1], high[1], most[0],
                        most[1]);
    c->column = (int)fmax(0, floor(low[0]) - MARGIN);
    c->row = (int)fmax(0, floor(low[1]) - MARGIN);
    c->columns = (int)fmin(most[0], ceil(high[0]) + MARGIN) - c->column;
    c->rows = (int)fmin(most[1], ceil(high[1]) + MARGIN) - c->row;
    if ((double)c->columns * c->rows > MOST_CELLS)
        return fail(STATUS_INPUT,
                    "%s: %d x %d cells lie under the box, more than a thousand million: give a "
                    "coarser raster",
                    c->path, c->columns, c->rows);
    int longest = c->columns > c->rows ? c->columns : c->rows;
    c->factor = (longest + MOST_SAMPLES - 1) / MOST_SAMPLES;
    c->nx = (c->columns + c->factor - 1) / c->factor;
    c->ny = (c->rows + c->factor - 1) / c->factor;
    return STATUS_OK;
}

/* Cells of the window to coordinates. */
static void window_transform(const cover *c, double factor, double out[6])
{
    for (int a = 0; a < 6; a += 3) {
        out[a] = c->from[a] + c->column * c->from[a + 1] + c->row * c->from[a + 2];
        out[a + 1] = c->from[a + 1] * factor;
        out[a + 2] = c->from[a + 2] * factor;
    }
}

/* ---- rasters in memory ---- */

static GDALDatasetH in_memory(int nx, int ny, int layers, const double transform[6],
                              OGRSpatialReferenceH srs)
{
    GDALDatasetH memory =
        GDALCreate(GDALGetDriverByName("MEM"), "", nx, ny, layers, GDT_Float32, NULL);
    if (!memory)
        return NULL;
    GDALSetGeoTransform(memory, (double *)transform);
    if (srs)
        GDALSetSpatialRef(memory, srs);
    for (int i = 1; i <= layers; i++) {
        GDALSetRasterNoDataValue(GDALGetRasterBand(memory, i), NAN);
        GDALFillRaster(GDALGetRasterBand(memory, i), NAN, 0);
    }
    return memory;
}

static bool transfer(GDALDatasetH set, GDALRWFlag flag, int layer, float *values)
{
    int nx = GDALGetRasterXSize(set), ny = GDALGetRasterYSize(set);
    return GDALRasterIO(GDALGetRasterBand(set, layer), flag, 0, 0, nx, ny, values, nx, ny,
                        GDT_Float32, 0, 0) == CE_None;
}

/* Means over the cells of `to`, or between centres where these are finer. */
static bool resample(GDALDatasetH from, GDALDatasetH to, bool finer)
{
    char *args[] = {"-r",  finer ? "bilinear" : "average", "-srcnodata", "nan",
                    "-wo", "UNIFIED_SRC_NODATA=NO",        NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(args, NULL);
    int bad = 0;
    bool done = options && GDALWarp(NULL, to, 1, &from, options, &bad) != NULL;
    GDALWarpAppOptionsFree(options);
    return done;
}

/* ---- heights of trees ---- */

static bool is_tree(const ground_class *row)
{
    return row->number == 10 || row->number == 20 || row->number == 95;
}

/* Heights of trees on the cells of the cover's window, NaN where there is none. */
static int read_trees(const char *path, const cover *c, const roughness_grid *grid, float **out)
{
    cover t;
    *out = NULL;
    int status = cover_open(path, grid->place, c->srs == NULL, &t);
    if (status == STATUS_OK)
        status = cover_choose(&t, grid);
    double wide[6];
    window_transform(c, 1, wide);
    GDALDatasetH target = NULL;
    if (status == STATUS_OK && (double)c->columns * c->rows > 1.6e8)
        status = fail(
            STATUS_INPUT,
            "%s: %d x %d cells lie under the box, too many for --tree-height: give coarser rasters",
            c->path, c->columns, c->rows);
    if (status == STATUS_OK) {
        target = in_memory(c->columns, c->rows, 1, wide, c->srs);
        *out = malloc((size_t)c->columns * (size_t)c->rows * sizeof **out);
        if (!target || !*out)
            status = fail_memory();
    }
    char *args[] = {"-r", "average", NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(args, NULL);
    int bad = 0;
    if (status == STATUS_OK && !(options && GDALWarp(NULL, target, 1, &t.source, options, &bad) &&
                                 transfer(target, GF_Read, 1, *out)))
        status = fail(STATUS_INPUT, "%s: cannot be brought to the cells of %s: %s", path, c->path,
                      raster_error());
    GDALWarpAppOptionsFree(options);
    if (target)
        GDALClose(target);
    size_t wrong = 0, first = 0, count = (size_t)c->columns * (size_t)c->rows;
    for (size_t n = 0; status == STATUS_OK && n < count; n++)
        if ((*out)[n] < 0 || (*out)[n] > (float)MOST_TREE) {
            first = wrong++ == 0 ? n : first;
        }
    if (wrong > 0)
        status = fail(STATUS_INPUT,
                      "%s: %zu cells have trees of less than 0 or more than %g m, the first %g m "
                      "at column %zu, row "
                      "%zu of %s: are they metres, and is its value for no data declared?",
                      path, wrong, MOST_TREE, (double)(*out)[first],
                      (size_t)c->column + first % (size_t)c->columns,
                      (size_t)c->row + first / (size_t)c->columns, c->path);
    cover_close(&t);
    return status;
}

/* ---- from cells to layers ---- */

/* What was found wrong, and where first. */
typedef struct trouble {
    size_t count;
    double value;
    int column, row;
} trouble;

static void note_trouble(trouble *t, double value, int column, int row)
{
    if (t->count++ > 0)
        return;
    t->value = value;
    t->column = column;
    t->row = row;
}

typedef struct tally {
    trouble gap, unknown, range;
    size_t cells;       /* under the box */
    size_t *by_class;   /* [table->count] */
    size_t short_trees; /* of classes of trees, without a height */
} tally;

static int refuse(const cover *c, const class_table *table, const tally *n)
{
    if (n->unknown.count > 0)
        return fail(STATUS_INPUT,
                    "%s: %zu of %zu cells under the box hold classes without a row in the %s, the "
                    "first %.10g at "
                    "column %d, row %d: copy the table and add a row",
                    c->path, n->unknown.count, n->cells, table->what, n->unknown.value,
                    n->unknown.column, n->unknown.row);
    if (n->gap.count > 0)
        return fail(STATUS_INPUT,
                    "%s: %zu of %zu cells under the box have no value, the first at column %d, row "
                    "%d: fill them "
                    "(gdal_fillnodata.py; at sea gdalwarp -dstnodata with the class of water), or "
                    "give a smaller "
                    "--window of the terrain",
                    c->path, n->gap.count, n->cells, n->gap.column, n->gap.row);
    if (n->range.count > 0)
        return fail(STATUS_INPUT,
                    "%s: %zu of %zu cells under the box have a roughness length that is none, the "
                    "first %g m at "
                    "column %d, row %d: give metres from %g to %g, or, if these are classes, "
                    "--roughness-table",
                    c->path, n->range.count, n->cells, n->range.value, n->range.column,
                    n->range.row, LEAST_Z0, MOST_Z0);
    return STATUS_OK;
}

/* One cell's ln z0, displacement and trees; false where it has none. */
static bool map_cell(const class_table *table, double value, bool valid, const float *tree,
                     bool inside, int column, int row, tally *n, double out[LAYERS])
{
    out[DISPLACEMENT] = out[TREES] = 0;
    n->cells += inside;
    if (!valid || isnan(value)) {
        if (inside)
            note_trouble(&n->gap, value, column, row);
        return false;
    }
    if (!table) {
        if (!(value >= LEAST_Z0 && value <= MOST_Z0)) {
            if (inside)
                note_trouble(&n->range, value, column, row);
            return false;
        }
        out[LOG_Z0] = log(value);
        return true;
    }
    const ground_class *found = classes_find(table, value);
    if (!found) {
        if (inside)
            note_trouble(&n->unknown, value, column, row);
        return false;
    }
    n->by_class[found - table->rows] += inside;
    double z0 = found->z0;
    out[DISPLACEMENT] = found->displacement;
    if (tree && is_tree(found)) {
        n->short_trees += inside && isnan(*tree);
        if ((double)*tree >= LEAST_TREE) {
            z0 = TREE_Z0 * (double)*tree;
            out[DISPLACEMENT] = TREE_D * (double)*tree;
            out[TREES] = (double)*tree;
        }
    }
    out[LOG_Z0] = log(fmin(z0, MOST_Z0));
    return true;
}

/* Sums over the cells of each sample, row by row of the raster. */
static int read_layers(cover *c, const class_table *table, const float *trees, tally *n)
{
    size_t width = (size_t)c->columns, all = (size_t)c->nx * (size_t)c->ny;
    double *raw = malloc(width * sizeof *raw), *sum = calloc((size_t)c->nx * LAYERS, sizeof *sum);
    unsigned char *valid = malloc(width);
    int *count = calloc((size_t)c->nx, sizeof *count);
    bool done = raw && sum && valid && count;
    for (int i = 0; i < LAYERS; i++)
        done = (c->layers[i] = malloc(all * sizeof(float))) != NULL && done;
    int status = done ? STATUS_OK : fail_memory(), has_scale = 0, has_offset = 0;
    double scale = GDALGetRasterScale(c->band, &has_scale),
           offset = GDALGetRasterOffset(c->band, &has_offset);
    for (int j = 0; j < c->rows && status == STATUS_OK; j++) {
        const int row = c->row + j, y = j / c->factor;
        if (GDALRasterIO(c->band, GF_Read, c->column, row, c->columns, 1, raw, c->columns, 1,
                         GDT_Float64, 0, 0) != CE_None ||
            GDALRasterIO(c->mask, GF_Read, c->column, row, c->columns, 1, valid, c->columns, 1,
                         GDT_Byte, 0, 0) != CE_None) {
            status = fail(STATUS_INPUT, "%s: cannot be read: %s", c->path, raster_error());
            break;
        }
        for (int i = 0; i < c->columns; i++) {
            double out[LAYERS], value = raw[i];
            if (!table)
                value = value * (has_scale && scale != 0 ? scale : 1) + (has_offset ? offset : 0);
            bool inside = raster_inside(c->outline_x, c->outline_y, c->column + i + 0.5, row + 0.5);
            if (!map_cell(table, value, valid[i],
                          trees ? trees + (size_t)j * width + (size_t)i : NULL, inside,
                          c->column + i, row, n, out))
                continue;
            for (int layer = 0; layer < LAYERS; layer++)
                sum[(i / c->factor) * LAYERS + layer] += out[layer];
            count[i / c->factor]++;
        }
        if ((j + 1) % c->factor != 0 && j + 1 < c->rows)
            continue;
        for (int i = 0; i < c->nx; i++) {
            for (int layer = 0; layer < LAYERS; layer++) {
                c->layers[layer][(size_t)y * (size_t)c->nx + (size_t)i] =
                    count[i] > 0 ? (float)(sum[i * LAYERS + layer] / count[i]) : NAN;
                sum[i * LAYERS + layer] = 0;
            }
            count[i] = 0;
        }
    }
    free(raw);
    free(sum);
    free(valid);
    free(count);
    return status == STATUS_OK ? refuse(c, table, n) : status;
}

/* To the samples that are wanted. */
static int resample_layers(const cover *c, const roughness_grid *grid, float *out[LAYERS])
{
    double transform[6];
    const double wanted[6] = {grid->west, grid->cell, 0, grid->north, 0, -grid->cell};
    window_transform(c, c->factor, transform);
    OGRSpatialReferenceH srs = c->srs ? OSRNewSpatialReference(grid->place->wkt_gdal) : NULL;
    GDALDatasetH from = in_memory(c->nx, c->ny, LAYERS, transform, c->srs);
    GDALDatasetH to = in_memory(grid->nx, grid->ny, LAYERS, wanted, srs);
    bool done = from && to;
    for (int i = 0; i < LAYERS && done; i++)
        done = transfer(from, GF_Write, i + 1, c->layers[i]);
    /* A cell of the raster, in samples: what the box spans of both. */
    double spans = fmax(grid->box[2] - grid->box[0], grid->box[3] - grid->box[1]) / grid->cell;
    bool finer = spans > fmax(c->nx, c->ny);
    done = done && resample(from, to, finer);
    for (int i = 0; i < LAYERS && done; i++)
        done = transfer(to, GF_Read, i + 1, out[i]) && gaps_fill(out[i], grid->nx, grid->ny);
    if (from)
        GDALClose(from);
    if (to)
        GDALClose(to);
    OSRDestroySpatialReference(srs);
    return done ? STATUS_OK
                : fail(STATUS_INPUT, "%s: cannot be resampled to the box: %s", c->path,
                       raster_error());
}

/* ---- all of it ---- */

static void tell_classes(const class_table *table, const tally *n)
{
    char text[400] = "";
    size_t last = SIZE_MAX, last_row = 0;
    for (int named = 0; named < MOST_NAMED; named++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < table->count; i++) {
            bool after = n->by_class[i] < last || (n->by_class[i] == last && i > last_row);
            if (after && n->by_class[i] > 0 &&
                (best == SIZE_MAX || n->by_class[i] > n->by_class[best]))
                best = i;
        }
        if (best == SIZE_MAX)
            break;
        const ground_class *row = &table->rows[best];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.0f %% %s (%d: %g m)",
                 named ? ", " : "", 100.0 * (double)n->by_class[best] / (double)n->cells,
                 row->name[0] ? row->name : "class", row->number, row->z0);
        last = n->by_class[best];
        last_row = best;
    }
    report("Roughness by the %s: %s", table->what, text);
}

/* A band of whole numbers holds classes. */
static int check_table(const cover *c, const class_table *table)
{
    GDALDataType type = GDALGetRasterDataType(c->band);
    bool whole = type != GDT_Float32 && type != GDT_Float64;
    int has_scale = 0;
    double scale = GDALGetRasterScale(c->band, &has_scale);
    if (whole && !table && !(has_scale && scale != 1))
        return fail(STATUS_INPUT,
                    "%s: holds whole numbers, which are classes and no metres: give "
                    "--roughness-table corine, nlcd, "
                    "worldcover or FILE.csv",
                    c->path);
    return STATUS_OK;
}

int roughness_read(const roughness_request *request, const roughness_grid *grid, float *z0,
                   float *displacement, float *trees)
{
    class_table table = {.count = 0};
    cover c = {.path = request->path};
    tally n = {.cells = 0};
    float *heights = NULL, *out[LAYERS] = {z0, displacement, trees};
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    int status = request->table ? classes_read(request->table, &table) : STATUS_OK;
    const class_table *used = request->table ? &table : NULL;
    if (status == STATUS_OK && used && !(n.by_class = calloc(table.count, sizeof *n.by_class)))
        status = fail_memory();
    if (status == STATUS_OK)
        status = cover_open(request->path, grid->place, request->assume_metres, &c);
    if (status == STATUS_OK)
        status = check_table(&c, used);
    if (status == STATUS_OK)
        status = cover_choose(&c, grid);
    if (status == STATUS_OK && request->tree_height)
        status = read_trees(request->tree_height, &c, grid, &heights);
    if (status == STATUS_OK)
        status = read_layers(&c, used, heights, &n);
    if (status == STATUS_OK)
        status = resample_layers(&c, grid, out);
    if (status == STATUS_OK && used)
        tell_classes(used, &n);
    if (status == STATUS_OK && n.short_trees > 0)
        warn("%s: %zu of %zu cells of trees have no height there: these have the table's roughness",
             request->tree_height, n.short_trees, n.cells);
    for (int i = 0; status == STATUS_OK && i < grid->nx * grid->ny; i++)
        z0[i] = expf(z0[i]);
    cover_close(&c);
    free(heights);
    free(n.by_class);
    classes_destroy(&table);
    return status;
}

#endif
