/* SPDX-License-Identifier: MIT */
/* A picture of a box: what the wind looks like in it, and how its spectra and coherence lie beside
 * those aimed at. */
#include "config.h"

#include "box/command.h"

#ifndef HAVE_CAIRO

const box_format box_png = {.extension = "png", .what = "picture", .package = "libcairo2-dev"};

#else

#include "file.h"
#include "map/drawing.h"
#include "map/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { WIDTH = 1280, LEFT = 86, STRIP = 1040, PANEL = 320, BINS = 40, SEPARATIONS = 3 };

typedef struct page {
    cairo_t *cr;
    const box_result *r;
    double low, high; /* speeds at the ends of the colours */
} page;

/* ---- wind in colours ---- */

static double speed_at(const box_result *r, int i, int j, int k)
{
    const box *b = &r->b;
    return r->mean[k] +
           (double)b->component[0][((size_t)i * (size_t)b->n[1] + (size_t)j) * (size_t)b->n[2] +
                                   (size_t)k];
}

/* Two and a half standard deviations around the mean wind: the few beyond have the colours of the
 * ends. */
static void choose_range(page *p)
{
    const box_result *r = p->r;
    double low = INFINITY, high = -INFINITY, sigma = r->made[0];
    for (int k = 0; k < r->b.n[2]; k++) {
        low = fmin(low, r->mean[k] - 2.5 * sigma);
        high = fmax(high, r->mean[k] + 2.5 * sigma);
    }
    double step = round_step(fmax(high - low, 0.1), 6);
    p->low = step * floor(low / step);
    p->high = fmax(step * ceil(high / step), p->low + step);
}

/* A slice at px across and py up of width x height pixels: across and up are axes, the third is
 * fixed. */
typedef struct slice {
    int across, up, fixed, index;
    double metres; /* a pixel is this wide */
    int width, height;
} slice;

static int draw_slice(const page *p, const slice *s, double x, double y)
{
    const box *b = &p->r->b;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, s->width, s->height);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return fail_memory();
    }
    unsigned char *bytes = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int row = 0; row < s->height; row++)
        for (int column = 0; column < s->width; column++) {
            int at[3];
            at[s->fixed] = s->index;
            at[s->across] = (int)((column + 0.5) * s->metres / b->d[s->across]);
            at[s->up] = (int)((s->height - row - 0.5) * s->metres / b->d[s->up]);
            for (int a = 0; a < 3; a++)
                at[a] = at[a] >= b->n[a] ? b->n[a] - 1 : at[a];
            double t = (speed_at(p->r, at[0], at[1], at[2]) - p->low) / (p->high - p->low);
            rgb c = colour_of(fmin(fmax(t, 0), 1));
            uint32_t pixel = (uint32_t)(255 * c.r + 0.5) << 16 | (uint32_t)(255 * c.g + 0.5) << 8 |
                             (uint32_t)(255 * c.b + 0.5);
            memcpy(bytes + row * stride + 4 * column, &pixel, 4);
        }
    cairo_surface_mark_dirty(image);
    cairo_set_source_surface(p->cr, image, x, y);
    cairo_paint(p->cr);
    cairo_surface_destroy(image);
    ink(p->cr, 0.15);
    cairo_set_line_width(p->cr, 1);
    cairo_rectangle(p->cr, x - 0.5, y - 0.5, s->width + 1, s->height + 1);
    cairo_stroke(p->cr);
    return STATUS_OK;
}

static void tick(const page *p, double x, double y, double dx, double dy, double anchor,
                 double down, const char *text)
{
    cairo_move_to(p->cr, x, y);
    cairo_line_to(p->cr, x + dx, y + dy);
    cairo_stroke(p->cr);
    put_text(p->cr, x + 1.8 * dx, y + 1.8 * dy + down, anchor, text);
}

/* Metres along both sides of a slice, from `first` at its lower left. */
static void draw_metres(const page *p, const slice *s, double x, double y, double first_across,
                        double first_up)
{
    char text[32];
    set_font(p->cr, 12, false);
    double wide = s->width * s->metres, high = s->height * s->metres,
           step = round_step(wide, wide > 2 * high ? 8 : 4);
    for (double v = step * ceil(first_across / step - 1e-9); v <= first_across + wide * 1.0001;
         v += step) {
        snprintf(text, sizeof text, "%g", fabs(v) < 1e-9 ? 0 : v);
        tick(p, x + (v - first_across) / s->metres, y + s->height, 0, 5, 0.5, 9, text);
    }
    step = round_step(high, s->height < 150 ? 2 : 4);
    for (double v = step * ceil(first_up / step - 1e-9); v <= first_up + high * 1.0001; v += step) {
        snprintf(text, sizeof text, "%g", fabs(v) < 1e-9 ? 0 : v);
        tick(p, x, y + s->height - (v - first_up) / s->metres, -5, 0, 1, 4, text);
    }
}

static void draw_colours(const page *p, double x, double y, double height)
{
    for (int i = 0; i < (int)height; i++) {
        rgb c = colour_of(1 - (i + 0.5) / height);
        cairo_set_source_rgb(p->cr, c.r, c.g, c.b);
        cairo_rectangle(p->cr, x, y + i, 20, 1.5);
        cairo_fill(p->cr);
    }
    ink(p->cr, 0.15);
    set_font(p->cr, 12, false);
    double step = round_step(p->high - p->low, 6);
    for (double v = p->low; v <= p->high + 1e-6; v += step) {
        char text[32];
        snprintf(text, sizeof text, "%g", fabs(v) < 1e-9 ? 0 : v);
        tick(p, x + 20, y + height * (1 - (v - p->low) / (p->high - p->low)), 5, 0, 0, 4, text);
    }
    put_text(p->cr, x, y - 10, 0, "u, m/s");
}

static void heading(const page *p, double x, double y, const char *text)
{
    ink(p->cr, 0.1);
    set_font(p->cr, 14, true);
    put_text(p->cr, x, y, 0, text);
}

/* ---- curves ---- */

typedef struct axes {
    double x, y, width, height;
    double low[2], high[2]; /* logarithms where log is set */
    bool log_y;
} axes;

static void place_of(const axes *a, double f, double value, double *x, double *y)
{
    double v = a->log_y ? log10(fmax(value, 1e-30)) : value;
    *x = a->x + a->width * (log10(f) - a->low[0]) / (a->high[0] - a->low[0]);
    *y = a->y + a->height * (1 - (v - a->low[1]) / (a->high[1] - a->low[1]));
}

static void draw_axes(const page *p, const axes *a, const char *below, const char *above)
{
    cairo_t *cr = p->cr;
    set_font(cr, 12, false);
    cairo_set_line_width(cr, 1);
    for (int side = 0; side < 2; side++) {
        bool is_log = side == 0 || a->log_y;
        double step = is_log ? 1 : 0.25;
        for (double v = step * ceil(a->low[side] / step - 1e-9); v <= a->high[side] + 1e-9;
             v += step) {
            double t = (v - a->low[side]) / (a->high[side] - a->low[side]);
            double x = side == 0 ? a->x + a->width * t : a->x,
                   y = side == 0 ? a->y + a->height : a->y + a->height * (1 - t);
            char text[32];
            snprintf(text, sizeof text, "%g", is_log ? pow(10, v) : v);
            ink(cr, 0.88);
            cairo_move_to(cr, x, y);
            cairo_line_to(cr, side == 0 ? x : a->x + a->width, side == 0 ? a->y : y);
            cairo_stroke(cr);
            ink(cr, 0.15);
            tick(p, x, y, side == 0 ? 0 : -5, side == 0 ? 5 : 0, side == 0 ? 0.5 : 1,
                 side == 0 ? 9 : 4, text);
        }
    }
    cairo_rectangle(cr, a->x, a->y, a->width, a->height);
    cairo_stroke(cr);
    put_text(cr, a->x + a->width / 2, a->y + a->height + 38, 0.5, below);
    set_font(cr, 12, false);
    put_text(cr, a->x, a->y - 8, 0, above);
}

static const double colours[4][3] = {
    {0.12, 0.35, 0.70}, {0.84, 0.37, 0.0}, {0.0, 0.55, 0.40}, {0.45, 0.45, 0.45}};

/* Dots are of the box, the line is what is aimed at. */
static void draw_curve(const page *p, const axes *a, int colour, int count, const double *f,
                       const double *box_has, const double *aim)
{
    cairo_t *cr = p->cr;
    const double *c = colours[colour];
    cairo_save(cr);
    cairo_rectangle(cr, a->x, a->y, a->width, a->height);
    cairo_clip(cr);
    cairo_set_source_rgb(cr, c[0], c[1], c[2]);
    cairo_set_line_width(cr, 1.6);
    for (int i = 0; i < count; i++) {
        double x, y;
        place_of(a, f[i], aim[i], &x, &y);
        (i ? cairo_line_to : cairo_move_to)(cr, x, y);
    }
    cairo_stroke(cr);
    for (int i = 0; i < count; i++) {
        double x, y;
        if (a->log_y && !(box_has[i] > 0))
            continue;
        place_of(a, f[i], box_has[i], &x, &y);
        cairo_arc(cr, x, y, 2.6, 0, 2 * PI);
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

static void draw_key(const page *p, double x, double y, int colour, const char *text)
{
    const double *c = colours[colour];
    cairo_set_source_rgb(p->cr, c[0], c[1], c[2]);
    cairo_arc(p->cr, x, y - 4, 4, 0, 2 * PI);
    cairo_fill(p->cr);
    set_font(p->cr, 12, false);
    put_text(p->cr, x + 9, y, 0, text);
}

/* Bins of frequencies, evenly on a logarithmic axis. */
typedef struct bins {
    int count, edge[BINS + 1];
    double f[BINS], k1[BINS];
} bins;

static void make_bins(const box_result *r, bins *b)
{
    int modes = r->b.n[0] / 2;
    double dk = 2 * PI / (r->b.n[0] * r->b.d[0]);
    b->count = 0;
    b->edge[0] = 1;
    for (int i = 1; i <= BINS; i++) {
        int edge = (int)(pow(modes, (double)i / BINS) + 0.5);
        if (edge <= b->edge[b->count])
            continue;
        double middle = b->edge[b->count] + 1 == edge
                            ? b->edge[b->count]
                            : sqrt((double)b->edge[b->count] * (edge - 1));
        b->k1[b->count] = middle * dk;
        b->f[b->count] = middle * dk * r->o->speed / (2 * PI);
        b->edge[++b->count] = edge;
    }
}

static double bin_mean(const bins *b, int bin, const double *values)
{
    double sum = 0;
    for (int i = b->edge[bin]; i < b->edge[bin + 1]; i++)
        sum += values[i];
    return sum / (b->edge[bin + 1] - b->edge[bin]);
}

static void set_frequencies(const bins *b, axes *a)
{
    a->low[0] = log10(b->f[0]) - 0.05;
    a->high[0] = log10(b->f[b->count - 1]) + 0.05;
}

static void draw_spectra(const page *p, const bins *b, double *const spectra[BOX_SPECTRA], double x,
                         double y)
{
    static const char *const names[BOX_SPECTRA] = {"u", "v", "w", "-uw"};
    axes a = {.x = x, .y = y, .width = PANEL, .height = PANEL, .log_y = true};
    double has[BOX_SPECTRA][BINS], aim[BOX_SPECTRA][BINS], most = 0;
    int curves = p->r->model == BOX_MANN ? BOX_SPECTRA : BOX_UW;
    for (int s = 0; s < curves; s++)
        for (int i = 0; i < b->count; i++) {
            double sign = s == BOX_UW ? -2 : 2;
            has[s][i] = sign * b->k1[i] * bin_mean(b, i, spectra[s]);
            aim[s][i] = sign * b->k1[i] * box_target(p->r, s, b->k1[i]);
            most = fmax(most, fmax(has[s][i], aim[s][i]));
        }
    set_frequencies(b, &a);
    a.high[1] = ceil(2 * log10(1.3 * most)) / 2;
    a.low[1] = a.high[1] - 3.5;
    draw_axes(p, &a, "frequency f, Hz", "f S(f), m\xc2\xb2/s\xc2\xb2");
    for (int s = curves - 1; s >= 0; s--) {
        draw_curve(p, &a, s, b->count, b->f, has[s], aim[s]);
        draw_key(p, x + PANEL - 188 + 46 * s, y - 8, s, names[s]);
    }
}

static void draw_coherence(const page *p, const bins *b, double *const spectra[BOX_SPECTRA],
                           double *work, double x, double y)
{
    const box_result *r = p->r;
    axes a = {.x = x, .y = y, .width = PANEL, .height = PANEL, .low = {0, -0.5}, .high = {0, 1}};
    set_frequencies(b, &a);
    draw_axes(p, &a, "frequency f, Hz", "");
    int shown = 0, before = 0;
    for (int s = 0; s < SEPARATIONS; s++) {
        int apart = (int)(0.1 * (r->b.n[1] - 1) * pow(2.5, s) + 0.5);
        apart = apart <= before ? before + 1 : apart;
        if (apart >= r->b.n[1])
            break;
        before = apart;
        double *co[3] = {work, NULL, NULL}, has[BINS], aim[BINS];
        if (box_cross_spectra(&r->b, apart, 0, co) != STATUS_OK)
            return;
        for (int i = 0; i < b->count; i++) {
            has[i] = bin_mean(b, i, work) / bin_mean(b, i, spectra[BOX_UU]);
            aim[i] = box_target_coherence(r, 0, b->k1[i], apart * r->b.d[1], 0);
        }
        draw_curve(p, &a, s, b->count, b->f, has, aim);
        char text[32];
        snprintf(text, sizeof text, "%.3g m", apart * r->b.d[1]);
        draw_key(p, x + 78 * shown++, y - 8, s, text);
    }
}

/* ---- the page ---- */

static int draw_strips(const page *p, int high[2])
{
    const box_result *r = p->r;
    const box *b = &r->b;
    double metres = fmin(b->n[0] * b->d[0], 9 * fmax(b->n[1] * b->d[1], b->n[2] * b->d[2])) / STRIP;
    double y = 112;
    for (int strip = 0; strip < 2; strip++) {
        slice s = {.across = 0,
                   .up = strip ? 1 : 2,
                   .fixed = strip ? 2 : 1,
                   .metres = metres,
                   .width = STRIP};
        s.height = (int)fmax(8, b->n[s.up] * b->d[s.up] / metres);
        s.index = b->n[s.fixed] / 2;
        s.width = (int)fmin(STRIP, b->n[0] * b->d[0] / metres);
        char text[120];
        if (strip)
            snprintf(text, sizeof text,
                     "From above, %.0f m over the ground (m along and across the wind, which blows "
                     "to the right)",
                     box_height(r, s.index));
        else
            snprintf(text, sizeof text,
                     "From the side, through the middle (m along the wind, m above the ground)");
        heading(p, LEFT, y - 10, text);
        int status = draw_slice(p, &s, LEFT, y);
        if (status != STATUS_OK)
            return status;
        draw_metres(p, &s, LEFT, y, 0,
                    strip ? -(b->n[1] - 1) / 2.0 * b->d[1] - b->d[1] / 2
                          : box_height(r, 0) - b->d[2] / 2);
        high[strip] = s.height;
        y += s.height + 62;
    }
    return STATUS_OK;
}

static int draw_face(const page *p, double x, double y)
{
    const box *b = &p->r->b;
    double wide = b->n[1] * b->d[1], high = b->n[2] * b->d[2];
    slice s = {
        .across = 1, .up = 2, .fixed = 0, .index = b->n[0] / 2, .metres = fmax(wide, high) / PANEL};
    s.width = (int)fmax(4, wide / s.metres);
    s.height = (int)fmax(4, high / s.metres);
    heading(p, x, y - 26, "Across the wind, looking into it");
    int status = draw_slice(p, &s, x, y);
    if (status == STATUS_OK)
        draw_metres(p, &s, x, y, -wide / 2, box_height(p->r, 0) - b->d[2] / 2);
    set_font(p->cr, 12, false);
    put_text(p->cr, x + s.width / 2.0, y + s.height + 38, 0.5, "m across, m above the ground");
    return status;
}

static void draw_title(const page *p)
{
    const box_result *r = p->r;
    char text[240];
    ink(p->cr, 0.05);
    set_font(p->cr, 21, true);
    snprintf(text, sizeof text,
             "Turbulence box: %.3g m/s at %g m, standard deviation of u %.2f m/s", r->o->speed,
             r->o->hub, r->made[0]);
    put_text(p->cr, LEFT, 38, 0, text);
    ink(p->cr, 0.35);
    set_font(p->cr, 13, false);
    if (r->model == BOX_MANN)
        snprintf(text, sizeof text,
                 "Mann's tensor: \xce\xb1\xce\xb5^(2/3) %.3g m^(4/3)/s\xc2\xb2, L %.3g m, \xce\x93 "
                 "%.2f;  "
                 "%d \xc3\x97 %d \xc3\x97 %d points of %g \xc3\x97 %g \xc3\x97 %g m, seed %llu",
                 r->mann.energy, r->mann.length, r->mann.gamma, r->b.n[0], r->b.n[1], r->b.n[2],
                 r->b.d[0], r->b.d[1], r->b.d[2], (unsigned long long)r->o->seed);
    else
        snprintf(
            text, sizeof text,
            "Kaimal's spectra, coherence of IEC 61400-1;  %d \xc3\x97 %d \xc3\x97 %d points of "
            "%g \xc3\x97 %g \xc3\x97 %g m, seed %llu",
            r->b.n[0], r->b.n[1], r->b.n[2], r->b.d[0], r->b.d[1], r->b.d[2],
            (unsigned long long)r->o->seed);
    put_text(p->cr, LEFT, 62, 0, text);
}

static int draw_page(page *p, double y)
{
    const box_result *r = p->r;
    size_t count = (size_t)r->b.n[0] / 2 + 1;
    double *memory = malloc(5 * count * sizeof *memory);
    if (!memory)
        return fail_memory();
    double *spectra[BOX_SPECTRA];
    for (size_t s = 0; s < BOX_SPECTRA; s++)
        spectra[s] = memory + s * count;
    int high[2], status = draw_strips(p, high);
    if (status == STATUS_OK)
        status = draw_face(p, LEFT, y);
    if (status == STATUS_OK)
        status = box_spectra(&r->b, spectra);
    if (status == STATUS_OK) {
        bins b;
        make_bins(r, &b);
        double x = LEFT + PANEL + 96;
        heading(p, x, y - 30, "Spectra: dots this box, lines aimed at");
        draw_spectra(p, &b, spectra, x, y);
        x += PANEL + 84;
        heading(p, x, y - 30, "Coherence of u at points apart, across");
        draw_coherence(p, &b, spectra, memory + 4 * count, x, y);
        draw_title(p);
        draw_colours(p, LEFT + STRIP + 24, 118, high[0] + high[1] + 50);
    }
    free(memory);
    return status;
}

static int write_png(const box_result *r, const char *path)
{
    const box *b = &r->b;
    page p = {.r = r};
    double metres = fmin(b->n[0] * b->d[0], 9 * fmax(b->n[1] * b->d[1], b->n[2] * b->d[2])) / STRIP;
    double y = 112 + fmax(8, b->n[2] * b->d[2] / metres) + fmax(8, b->n[1] * b->d[1] / metres) +
               2 * 62 + 26;
    choose_range(&p);
    const char *temporary;
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, (int)y + PANEL + 60);
    p.cr = cairo_create(surface);
    ink(p.cr, 1);
    cairo_paint(p.cr);
    status = draw_page(&p, floor(y));
    if (status == STATUS_OK) {
        cairo_status_t written = cairo_surface_write_to_png(surface, temporary);
        if (written != CAIRO_STATUS_SUCCESS)
            status = fail(STATUS_FAILED, "%s: cannot be written: %s", path,
                          cairo_status_to_string(written));
    }
    cairo_destroy(p.cr);
    cairo_surface_destroy(surface);
    if (status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}

const box_format box_png = {.extension = "png", .what = "picture", .write = write_png};

#endif
