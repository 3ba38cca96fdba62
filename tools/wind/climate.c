/* SPDX-License-Identifier: MIT */
/* Wind climates from files: WAsP's .tab, and .csv. */
#include "config.h"

#include "wind/climate.h"

#include "file.h"
#include "formats/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 8192, MOST_BINS = 400 };

/* ---- Weibull ---- */

/* <u^3> / <u>^3, which falls with k. */
static double cube_ratio(double k)
{
    return exp(lgamma(1 + 3 / k) - 3 * lgamma(1 + 1 / k));
}

#define LEAST_SHAPE 0.7
#define MOST_SHAPE 20.0

double weibull_shape(double ratio)
{
    double low = LEAST_SHAPE, high = MOST_SHAPE;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        *(cube_ratio(middle) > ratio ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* How much more often the speed passes the mean than it should, at the A that has the right energy.
 */
static double excess(double mean, double cubes, double above, double k)
{
    double a = cbrt(cubes / exp(lgamma(1 + 3 / k)));
    return exp(-pow(mean / a, k)) - above;
}

/* The distribution with the third moment of the speed (its energy), and either the share of time
 * above the mean (above > 0) or the mean; f is 1. */
static weibull weibull_fit(double mean, double cubes, double above)
{
    double k = weibull_shape(cubes / (mean * mean * mean));
    if (above > 0) {
        /* The root next to the shape of the two moments. */
        const double factor = 1.05;
        double low = k, high = k;
        bool crossed = false;
        for (int i = 0; i < 40 && !crossed; i++) {
            low = fmax(low / factor, LEAST_SHAPE);
            high = fmin(high * factor, MOST_SHAPE);
            crossed = excess(mean, cubes, above, low) * excess(mean, cubes, above, high) <= 0;
        }
        for (int i = 0; i < 60 && crossed; i++) {
            double middle = 0.5 * (low + high);
            bool same = excess(mean, cubes, above, middle) * excess(mean, cubes, above, low) > 0;
            *(same ? &low : &high) = middle;
        }
        k = crossed ? 0.5 * (low + high) : k;
    }
    return (weibull){1, cbrt(cubes / exp(lgamma(1 + 3 / k))), k};
}

/* ---- .tab ---- */

typedef struct tab {
    const char *path;
    FILE *stream;
    int line;
    char text[LONGEST_LINE];
} tab;

static int next_line(tab *t, const char *wanted)
{
    if (!fgets(t->text, sizeof t->text, t->stream))
        return fail(STATUS_INPUT, "%s: ends after line %d, where %s should follow", t->path,
                    t->line, wanted);
    t->line++;
    if (!strchr(t->text, '\n') && !feof(t->stream))
        return fail(STATUS_INPUT, "%s:%d: longer than %d bytes: this is no .tab", t->path, t->line,
                    LONGEST_LINE);
    return STATUS_OK;
}

/* As many numbers as the line has, at most most. */
static int numbers_of(tab *t, int most, const char *wanted, double *out, int *count)
{
    char *at = t->text;
    *count = 0;
    for (;;) {
        at += strspn(at, " \t\r\n,;");
        if (!*at)
            return STATUS_OK;
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value) || !strchr(" \t\r\n,;", *end))
            return fail(STATUS_INPUT, "%s:%d: '%.*s' where %s should be: numbers, please", t->path,
                        t->line, (int)strcspn(at, " \t\r\n,;"), at, wanted);
        if (*count == most)
            return fail(STATUS_INPUT, "%s:%d: more than %d numbers, where %s should be", t->path,
                        t->line, most, wanted);
        out[(*count)++] = value;
        at = end;
    }
}

static int line_of(tab *t, int least, int most, const char *wanted, double *out, int *count)
{
    int status = next_line(t, wanted);
    if (status == STATUS_OK)
        status = numbers_of(t, most, wanted, out, count);
    if (status == STATUS_OK && *count < least)
        return fail(STATUS_INPUT, "%s:%d: %d numbers, where %s should be", t->path, t->line, *count,
                    wanted);
    return status;
}

static int read_head(tab *t, climate *out, double *factor)
{
    double n[4];
    int count;
    int status = next_line(t, "a title");
    if (status == STATUS_OK)
        status = line_of(t, 3, 3, "latitude, longitude and height of the mast", n, &count);
    if (status != STATUS_OK)
        return status;
    out->latitude = n[0];
    out->longitude = n[1];
    out->height = n[2];
    if (!(fabs(n[0]) <= 90 && fabs(n[1]) <= 360))
        return fail(STATUS_INPUT,
                    "%s:%d: a mast at latitude %g, longitude %g: give degrees, -90 to 90 and -360 "
                    "to 360",
                    t->path, t->line, n[0], n[1]);
    if (!(n[2] > 0 && n[2] <= 1000))
        return fail(
            STATUS_INPUT,
            "%s:%d: a mast of %g m: more than 0 to 1000 m; this line is the mast's latitude, "
            "longitude and height",
            t->path, t->line, n[2]);
    status =
        line_of(t, 3, 4, "the number of sectors, a factor of speeds and an offset of directions", n,
                &count);
    if (status != STATUS_OK)
        return status;
    if (!(n[0] >= 1 && n[0] <= MOST_SECTORS && n[0] == floor(n[0])))
        return fail(STATUS_INPUT, "%s:%d: %g sectors: 1 to %d", t->path, t->line, n[0],
                    MOST_SECTORS);
    if (!(n[1] > 0 && n[1] <= 10))
        return fail(STATUS_INPUT, "%s:%d: a factor of speeds of %g: more than 0 to 10", t->path,
                    t->line, n[1]);
    if (n[2] != 0)
        return fail(
            STATUS_INPUT,
            "%s:%d: an offset of directions of %g degrees: only 0 is read: make the table anew "
            "with its first sector around north",
            t->path, t->line, n[2]);
    out->count = (int)n[0];
    *factor = n[1];
    return STATUS_OK;
}

/* What shares of the time may add up to, and how far rounding may take them from it. */
static const double wholes[] = {1, 100, 1000};
#define ROUNDED 0.02

static bool is_whole(double sum)
{
    bool whole = false;
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++)
        whole = whole || fabs(sum / wholes[i] - 1) <= ROUNDED;
    return whole;
}

/* Shares of the time, as such, in percent or per mille. */
static int take_shares(const char *path, int line, climate *out, const double *shares)
{
    double sum = 0;
    for (int i = 0; i < out->count; i++) {
        if (shares[i] < 0)
            return fail(STATUS_INPUT, "%s:%d: sector %d blows %g of the time: 0 or more", path,
                        line, i + 1, shares[i]);
        sum += shares[i];
    }
    if (!(sum > 0))
        return fail(STATUS_INPUT, "%s:%d: no sector ever blows", path, line);
    if (!is_whole(sum))
        return fail(
            STATUS_INPUT,
            "%s:%d: the shares of %d sectors add up to %g: give shares of the time that add "
            "up to 1, 100 or 1000",
            path, line, out->count, sum);
    for (int i = 0; i < out->count; i++)
        out->sector[i].f = shares[i] / sum;
    return STATUS_OK;
}

/* The moments of a histogram whose speeds are spread evenly over each bin, and the Weibull with
 * them. */
static weibull fit_bins(int bins, const double *edges, const double *share)
{
    double whole = 0, mean = 0, cubes = 0, above = 0;
    for (int b = 0; b < bins; b++) {
        double low = edges[b], high = edges[b + 1];
        whole += share[b];
        mean += share[b] * 0.5 * (low + high);
        cubes += share[b] * 0.25 * (high * high + low * low) * (high + low);
    }
    mean /= whole;
    cubes /= whole;
    for (int b = 0; b < bins; b++)
        above +=
            share[b] / whole * fmin(fmax((edges[b + 1] - mean) / (edges[b + 1] - edges[b]), 0), 1);
    return weibull_fit(mean, cubes, above);
}

static int read_bins(tab *t, climate *out, double factor, double *table)
{
    static double edges[MOST_BINS + 1];
    int bins = 0, count, status = STATUS_OK;
    double row[MOST_SECTORS + 1];
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a speed and %d shares", out->count);
    edges[0] = 0;
    while (status == STATUS_OK && bins < MOST_BINS && fgets(t->text, sizeof t->text, t->stream)) {
        t->line++;
        status = numbers_of(t, out->count + 1, wanted, row, &count);
        if (status != STATUS_OK || count == 0)
            continue;
        if (count != out->count + 1)
            return fail(STATUS_INPUT, "%s:%d: %d numbers, where %s should be", t->path, t->line,
                        count, wanted);
        if (!(row[0] * factor > edges[bins] && row[0] <= 200))
            return fail(STATUS_INPUT,
                        "%s:%d: bins end at %g m/s after %g: they must rise, to 200 at most",
                        t->path, t->line, row[0], edges[bins] / factor);
        for (int i = 0; i < out->count; i++) {
            if (row[i + 1] < 0)
                return fail(STATUS_INPUT, "%s:%d: sector %d: a share of %g: 0 or more", t->path,
                            t->line, i + 1, row[i + 1]);
            table[i * MOST_BINS + bins] = row[i + 1];
        }
        edges[++bins] = row[0] * factor;
    }
    if (status != STATUS_OK)
        return status;
    if (bins < 2)
        return fail(STATUS_INPUT, "%s: %d rows of speeds: 2 or more", t->path, bins);
    int told = 0;
    for (int i = 0; i < out->count; i++) {
        const double *share = table + i * MOST_BINS;
        double sum = 0;
        for (int b = 0; b < bins; b++)
            sum += share[b];
        if (sum > 0 && !is_whole(sum) && !told++)
            warn("%s: sector %d: its speeds blow %g of its time, which is not 1, 100 or 1000: is a "
                 "row missing?",
                 t->path, i + 1, sum);
        if (out->sector[i].f > 0 && !(sum > 0))
            return fail(STATUS_INPUT, "%s: sector %d blows %.3g %% of the time, but at no speed",
                        t->path, i + 1, 100 * out->sector[i].f);
        weibull fitted = sum > 0 ? fit_bins(bins, edges, share) : (weibull){0, 0, 2};
        out->sector[i].a = fitted.a;
        out->sector[i].k = fitted.k;
    }
    return STATUS_OK;
}

static int read_tab(const char *path, climate *out)
{
    tab *t = malloc(sizeof *t);
    double *table = malloc(MOST_SECTORS * MOST_BINS * sizeof *table);
    double shares[MOST_SECTORS], factor = 1;
    int count, status = t && table ? STATUS_OK : fail_memory();
    if (status == STATUS_OK) {
        t->path = path;
        t->line = 0;
        status = file_open("--climate ", path, &t->stream);
    }
    if (status == STATUS_OK) {
        status = read_head(t, out, &factor);
        if (status == STATUS_OK)
            status = line_of(t, out->count, out->count, "a share of the time for each sector",
                             shares, &count);
        if (status == STATUS_OK)
            status = take_shares(path, t->line, out, shares);
        if (status == STATUS_OK)
            status = read_bins(t, out, factor, table);
        fclose(t->stream);
    }
    free(table);
    free(t);
    return status;
}

/* ---- .csv ---- */

static int read_csv(const char *path, climate *out)
{
    static const char *const names[] = {"sector", "f", "a", "k"};
    csv table;
    int columns[4], status = csv_read(path, &table);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        if ((columns[i] = csv_find(&table, names[i])) < 0)
            status =
                fail(STATUS_INPUT,
                     "%s:%d: no column '%s': a row a sector with sector,f,A,k (degrees, share of "
                     "the time, m/s, 1)",
                     path, table.header_line, names[i]);
    if (status == STATUS_OK && table.rows > MOST_SECTORS)
        status = fail(STATUS_INPUT, "%s: %zu sectors: at most %d", path, table.rows, MOST_SECTORS);
    double shares[MOST_SECTORS];
    out->count = (int)table.rows;
    out->height = out->latitude = out->longitude = NAN;
    for (int i = 0; i < out->count && status == STATUS_OK; i++) {
        double from = 0;
        status = csv_number(&table, (size_t)i, columns[0], 0, 360, "degrees", &from);
        if (status == STATUS_OK && fabs(from - 360.0 * i / out->count) > 0.05)
            status =
                fail(STATUS_INPUT,
                     "%s:%d: a sector around %g degrees, where that around %g should be: %d rows "
                     "go round from 0",
                     path, table.lines[i], from, 360.0 * i / out->count, out->count);
        if (status == STATUS_OK)
            status = csv_number(&table, (size_t)i, columns[1], 0, 1e6, "", &shares[i]);
        if (status == STATUS_OK)
            status = csv_number(&table, (size_t)i, columns[2], 0, 60, "m/s", &out->sector[i].a);
        if (status == STATUS_OK)
            status = csv_number(&table, (size_t)i, columns[3], LEAST_SHAPE, MOST_SHAPE, "",
                                &out->sector[i].k);
        if (status == STATUS_OK && shares[i] > 0 && !(out->sector[i].a > 0))
            status = fail(STATUS_INPUT, "%s:%d: A is 0 m/s in a sector that blows", path,
                          table.lines[i]);
    }
    if (status == STATUS_OK)
        status = take_shares(path, table.header_line, out, shares);
    csv_destroy(&table);
    return status;
}

int climate_read(const char *path, climate *out)
{
    const char *dot = strrchr(path, '.');
    memset(out, 0, sizeof *out);
    if (dot && (strcmp(dot, ".tab") == 0 || strcmp(dot, ".TAB") == 0))
        return read_tab(path, out);
    if (dot && strcmp(dot, ".csv") == 0)
        return read_csv(path, out);
    return fail(STATUS_USAGE,
                "--climate %s: unknown extension: give .tab (WAsP) or .csv (sector,f,A,k)", path);
}
