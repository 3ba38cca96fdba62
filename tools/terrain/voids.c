/* SPDX-License-Identifier: MIT */
/* Heights out of a raster's cells: what is a void among them, and means over what is none. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/raster.h"

#include <cpl_error.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST (-12000.0) /* m: the deepest trench is at -11 km, */
#define HIGHEST 9500.0     /* the highest summit at 8.8 km */
#define VOID_STEP 50.0     /* m between a void that is not declared and the ground beside it */
enum { MOST_SAMPLES = 4096, STRIP = 128, MARGIN = 4 };

/* Numbers that stand for "no height" in rasters that do not say so. */
static const double usual[] = {-9999, -32768, -32767, -99999, -999, 9999, 99999, 32767, 65535};
enum { USUAL = sizeof usual / sizeof usual[0] };

/* What lies beside the cells that hold one of these. */
typedef struct neighbours {
    size_t cells;        /* that hold it */
    size_t above, below; /* ground beside them, counted once for each */
    double ground;       /* sum of heights of that ground, m */
    double own;          /* their own height, m */
    bool is_void;
} neighbours;

/* Rows of a box of cells: as stored, and without a height by what the file declares. */
typedef struct band_reader {
    const raster *r;
    GDALRasterBandH band, mask, alpha; /* alpha NULL: has none */
    int column, row, columns, rows;
    double scale, offset;
    double *raw, *opacity;
    unsigned char *valid;
    neighbours usual[USUAL];
} band_reader;

static int reader_create(band_reader *b, const raster *r, const samples *s)
{
    memset(b, 0, sizeof *b);
    b->r = r;
    b->band = GDALGetRasterBand(r->source, 1);
    b->mask = GDALGetMaskBand(b->band);
    for (int i = 2; i <= GDALGetRasterCount(r->source); i++)
        if (GDALGetRasterColorInterpretation(GDALGetRasterBand(r->source, i)) == GCI_AlphaBand)
            b->alpha = GDALGetRasterBand(r->source, i);
    b->column = s->column;
    b->row = s->row;
    b->columns = s->columns;
    b->rows = s->rows;
    int has_scale = 0, has_offset = 0;
    b->scale = GDALGetRasterScale(b->band, &has_scale);
    b->offset = GDALGetRasterOffset(b->band, &has_offset);
    b->scale = has_scale && b->scale != 0 ? b->scale : 1;
    b->offset = has_offset ? b->offset : 0;
    size_t most = (size_t)(STRIP + 2) * (size_t)b->columns;
    b->raw = malloc(most * sizeof *b->raw);
    b->opacity = b->alpha ? malloc(most * sizeof *b->opacity) : NULL;
    b->valid = malloc(most);
    return b->raw && b->valid && (b->opacity || !b->alpha) ? STATUS_OK : fail_memory();
}

static void reader_destroy(band_reader *b)
{
    free(b->raw);
    free(b->opacity);
    free(b->valid);
}

static double metres(const band_reader *b, double raw)
{
    return (raw * b->scale + b->offset) * b->r->vertical;
}

/* As it is stored, or what is stored in other units or parts of a metre stands for it. */
static int which_usual(const band_reader *b, double raw)
{
    double height = metres(b, raw);
    for (int i = 0; i < USUAL; i++)
        if (raw == usual[i] || fabs(height - usual[i]) < 1e-9 * fabs(usual[i]))
            return i;
    return -1;
}

/* Read rows of the box, row 0 being its first; *valid is 0 where there is no height. */
static int read_rows(band_reader *b, int first, int count)
{
    int width = b->columns;
    CPLErr error = GDALRasterIO(b->band, GF_Read, b->column, b->row + first, width, count, b->raw,
                                width, count, GDT_Float64, 0, 0);
    if (error == CE_None)
        error = GDALRasterIO(b->mask, GF_Read, b->column, b->row + first, width, count, b->valid,
                             width, count, GDT_Byte, 0, 0);
    if (error == CE_None && b->alpha)
        error = GDALRasterIO(b->alpha, GF_Read, b->column, b->row + first, width, count, b->opacity,
                             width, count, GDT_Float64, 0, 0);
    if (error != CE_None)
        return fail(STATUS_INPUT, "%s: cannot be read: %s", b->r->path, raster_error());
    for (size_t c = 0; c < (size_t)width * (size_t)count; c++) {
        double height = metres(b, b->raw[c]);
        bool sound = b->valid[c] && height >= DEEPEST && height <= HIGHEST;
        b->valid[c] = sound && !(b->alpha && !(b->opacity[c] > 0));
    }
    return STATUS_OK;
}

/* Look at the ground beside one cell that holds a usual number. */
static void look_around(const band_reader *b, int rows, int i, int j, neighbours *n)
{
    double own = metres(b, b->raw[(size_t)j * (size_t)b->columns + (size_t)i]);
    n->cells++;
    n->own = own;
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < rows; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < b->columns; x++) {
            size_t c = (size_t)y * (size_t)b->columns + (size_t)x;
            if (!b->valid[c] || which_usual(b, b->raw[c]) >= 0)
                continue;
            double ground = metres(b, b->raw[c]);
            n->above += ground > own;
            n->below += ground < own;
            n->ground += ground;
        }
}

/* A usual number is a void where it stands far off from all ground beside it.  Real ground that
 * happens to hold the number has neighbours on both sides of it, or near it. */
static int find_undeclared(band_reader *b)
{
    for (int first = 0; first < b->rows; first += STRIP) {
        int before = first > 0, count = b->rows - first < STRIP ? b->rows - first : STRIP;
        int after = first + count < b->rows;
        int status = read_rows(b, first - before, before + count + after);
        if (status != STATUS_OK)
            return status;
        for (int j = before; j < before + count; j++)
            for (int i = 0; i < b->columns; i++) {
                size_t c = (size_t)j * (size_t)b->columns + (size_t)i;
                int found = b->valid[c] ? which_usual(b, b->raw[c]) : -1;
                if (found >= 0)
                    look_around(b, before + count + after, i, j, &b->usual[found]);
            }
    }
    for (int i = 0; i < USUAL; i++) {
        neighbours *n = &b->usual[i];
        size_t count = n->above + n->below, most = n->above > n->below ? n->above : n->below;
        if (n->cells == 0)
            continue;
        n->is_void = count == 0;
        if (count > 0) {
            double ground = n->ground / (double)count;
            n->is_void = (double)most >= 0.95 * (double)count && fabs(ground - n->own) > VOID_STEP;
            if (n->is_void)
                warn("%s: %zu cells hold %g beside ground at %.0f m, which the raster does not "
                     "declare: "
                     "taken as voids",
                     b->r->path, n->cells, usual[i], ground);
        }
    }
    return STATUS_OK;
}

/* Sums of heights over the cells of each sample, row by row. */
static int sum_up(band_reader *b, samples *s, const double *columns, const double *rows)
{
    double *sum = calloc((size_t)s->nx, sizeof *sum);
    int *count = calloc((size_t)s->nx, sizeof *count);
    int status = sum && count ? STATUS_OK : fail_memory();
    int *box = s->void_box;
    box[0] = box[1] = INT32_MAX;
    box[2] = box[3] = -1;
    for (int first = 0; first < b->rows && status == STATUS_OK; first += STRIP) {
        int high = b->rows - first < STRIP ? b->rows - first : STRIP;
        status = read_rows(b, first, high);
        for (int j = 0; j < high && status == STATUS_OK; j++) {
            int row = first + j;
            for (int i = 0; i < b->columns; i++) {
                size_t c = (size_t)j * (size_t)b->columns + (size_t)i;
                int found = b->valid[c] ? which_usual(b, b->raw[c]) : -1;
                if (b->valid[c] && !(found >= 0 && b->usual[found].is_void)) {
                    sum[i / s->factor] += metres(b, b->raw[c]);
                    count[i / s->factor]++;
                    continue;
                }
                int x = s->column + i, y = s->row + row;
                if (columns && !raster_inside(columns, rows, x + 0.5, y + 0.5))
                    continue;
                s->voids++;
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x + 1 > box[2] ? x + 1 : box[2];
                box[3] = y + 1 > box[3] ? y + 1 : box[3];
            }
            if ((row + 1) % s->factor != 0 && row + 1 < b->rows)
                continue;
            float *out = s->heights + (size_t)(row / s->factor) * (size_t)s->nx;
            for (int i = 0; i < s->nx; i++) {
                out[i] = count[i] > 0 ? (float)(sum[i] / count[i]) : NAN;
                sum[i] = count[i] = 0;
            }
        }
    }
    free(sum);
    free(count);
    return status;
}

/* The cells that a window covers: all whose area it touches, and some more where they are
 * resampled. */
static int choose_cells(const raster *r, const double *columns, const double *rows, samples *s)
{
    const double slack = 1e-6;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        low[0] = fmin(low[0], columns[i]);
        low[1] = fmin(low[1], rows[i]);
        high[0] = fmax(high[0], columns[i]);
        high[1] = fmax(high[1], rows[i]);
    }
    int margin = r->resampled ? MARGIN : 0;
    int most[2] = {GDALGetRasterXSize(r->source), GDALGetRasterYSize(r->source)}, first[2], past[2];
    for (int a = 0; a < 2; a++) {
        first[a] = (int)fmin(most[a], fmax(0, floor(low[a] + slack) - margin));
        past[a] = (int)fmax(0, fmin(most[a], ceil(high[a] - slack) + margin));
    }
    s->column = first[0];
    s->row = first[1];
    s->columns = past[0] - first[0];
    s->rows = past[1] - first[1];
    if (s->columns < 1 || s->rows < 1)
        return fail(STATUS_INPUT, "%s: the window holds no cell of it: choose another --window",
                    r->path);
    int longest = s->columns > s->rows ? s->columns : s->rows;
    s->factor = (longest + MOST_SAMPLES - 1) / MOST_SAMPLES;
    s->nx = (s->columns + s->factor - 1) / s->factor;
    s->ny = (s->rows + s->factor - 1) / s->factor;
    s->cells = (size_t)s->columns * (size_t)s->rows;
    if (r->resampled) {
        /* The area of the window in cells, by the shoelace formula. */
        double area = 0;
        for (int i = 0, k = RASTER_OUTLINE - 1; i < RASTER_OUTLINE; k = i++)
            area += 0.5 * (columns[k] * rows[i] - columns[i] * rows[k]);
        s->cells = (size_t)(fmin(fabs(area), 1e15) + 0.5);
    }
    return STATUS_OK;
}

int samples_read(const raster *r, const double window[4], samples *s)
{
    double columns[RASTER_OUTLINE], rows[RASTER_OUTLINE];
    memset(s, 0, sizeof *s);
    if (!raster_outline(r, window, columns, rows))
        return fail(STATUS_INPUT, "%s: the window cannot be found in it: %s", r->path,
                    raster_error());
    int status = choose_cells(r, columns, rows, s);
    if (status != STATUS_OK)
        return status;
    s->heights = malloc((size_t)s->nx * (size_t)s->ny * sizeof *s->heights);
    if (!s->heights)
        return fail_memory();
    band_reader b;
    status = reader_create(&b, r, s);
    if (status == STATUS_OK)
        status = find_undeclared(&b);
    if (status == STATUS_OK)
        status = sum_up(&b, s, r->resampled ? columns : NULL, rows);
    reader_destroy(&b);
    return status;
}

void samples_destroy(samples *s)
{
    free(s->heights);
    s->heights = NULL;
}

#endif
