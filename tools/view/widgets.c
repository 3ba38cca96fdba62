/* SPDX-License-Identifier: MIT */
/* Widgets over the picture: chips, sliders, lists of names. */
#include "config.h"

#include "view/view.h"

#include <math.h>
#include <string.h>

enum { CHIP = 24, TRACK = 110, GAP = 6 };

static const view_color pale = 0xe6e9eeff, dim = 0x9aa3b0ff, dark = 0x10141aff, off = 0x2a313cff;

static bool inside(double x, double y, double left, double top, double width, double height)
{
    return x >= left && y >= top && x < left + width && y < top + height;
}

void view_ui_begin(view_ui *ui, view_canvas *canvas)
{
    ui->canvas = canvas;
    ui->area_count = 0;
    if (!ui->held)
        ui->sliding = NULL;
}

bool view_ui_takes(const view_ui *ui, double x, double y)
{
    for (int i = 0; i < ui->area_count; i++) {
        const view_area *a = &ui->areas[i];
        if (inside(x, y, a->x, a->y, a->width, a->height))
            return true;
    }
    return false;
}

void view_panel(view_ui *ui, double x, double y, double width, double height, view_color color)
{
    if (ui->area_count < VIEW_MOST_AREAS)
        ui->areas[ui->area_count++] = (view_area){x, y, width, height};
    view_rectangle(ui->canvas, x, y, width, height, color);
}

/* ---- rows ---- */

void view_row(view_ui *ui, double x, double y, double width)
{
    ui->left = ui->x = x;
    ui->right = x + width;
    ui->y = y;
}

void view_row_break(view_ui *ui, double above)
{
    ui->x = ui->left;
    ui->y += VIEW_ROW + above;
}

static void view_row_gap(view_ui *ui, double width)
{
    ui->x += width;
}

double view_row_end(const view_ui *ui)
{
    return ui->y + VIEW_ROW;
}

/* Room for a widget; the next row when this one is full. */
static double take(view_ui *ui, double width)
{
    if (ui->x > ui->left && ui->x + width > ui->right)
        view_row_break(ui, 0);
    double x = ui->x;
    ui->x += width + GAP;
    return x;
}

static bool press_in(view_ui *ui, double x, double y, double width, double height)
{
    if (!ui->pressed || !inside(ui->mouse[0], ui->mouse[1], x, y, width, height))
        return false;
    ui->pressed = false;
    return true;
}

void view_label(view_ui *ui, const char *text, view_color color)
{
    double x = take(ui, view_text_width(ui->canvas, FONT_TEXT, text));
    view_text(ui->canvas, FONT_TEXT, x, ui->y + 20, 0, color, text);
}

/* ---- widgets ---- */

/* Black or white, whichever reads better on a colour. */
static view_color on_color(view_color color)
{
    double light = 0.30 * (color >> 24) + 0.59 * (color >> 16 & 0xff) + 0.11 * (color >> 8 & 0xff);
    return light > 110 ? dark : pale;
}

bool view_chip(view_ui *ui, const char *text, view_color color, bool on)
{
    double width = view_text_width(ui->canvas, FONT_BOLD, text) + 20;
    double x = take(ui, width), y = ui->y + (VIEW_ROW - CHIP) / 2;
    bool over = inside(ui->mouse[0], ui->mouse[1], x, y, width, CHIP);
    view_box(ui->canvas, x, y, width, CHIP, CHIP / 2, on ? color : view_fade(color, 0.75));
    if (!on)
        view_box(ui->canvas, x + 1.5, y + 1.5, width - 3, CHIP - 3, CHIP / 2,
                 over ? 0x333c49ff : 0x1b212aff);
    else if (over)
        view_box(ui->canvas, x, y, width, CHIP, CHIP / 2, 0xffffff28);
    view_text(ui->canvas, FONT_BOLD, x + 10, y + 17, 0, on ? on_color(color) : dim, text);
    return press_in(ui, x, y, width, CHIP);
}

bool view_slider(view_ui *ui, const void *identity, const char *name, const char *value, double *t)
{
    double name_width = view_text_width(ui->canvas, FONT_TEXT, name) + 8;
    double value_width = fmax(52, view_text_width(ui->canvas, FONT_TEXT, value) + 8);
    double x = take(ui, name_width + TRACK + 10 + value_width), y = ui->y + VIEW_ROW / 2;
    double track = x + name_width;
    view_text(ui->canvas, FONT_TEXT, x, y + 4, 0, dim, name);
    if (press_in(ui, track - 8, y - 12, TRACK + 16, 24))
        ui->sliding = identity;
    bool held = ui->sliding == identity && identity;
    double before = *t;
    if (held)
        *t = fmin(fmax((ui->mouse[0] - track) / TRACK, 0), 1);
    double at = track + TRACK * fmin(fmax(*t, 0), 1);
    view_box(ui->canvas, track, y - 2, TRACK, 4, 2, off);
    view_box(ui->canvas, track, y - 2, at - track, 4, 2, dim);
    view_disc(ui->canvas, at, y, held ? 8 : 7, pale);
    view_text(ui->canvas, FONT_TEXT, track + TRACK + 14, y + 4, 0, pale, value);
    return held && fabs(*t - before) > 0;
}

bool view_choose(view_ui *ui, const char *name, const char *const *names, int *chosen)
{
    bool changed = false;
    view_label(ui, name, dim);
    for (int i = 0; names[i]; i++)
        if (view_chip(ui, names[i], 0xd5dae2ff, i == *chosen)) {
            changed = changed || i != *chosen;
            *chosen = i;
        }
    view_row_gap(ui, 10);
    return changed;
}

/* ---- what is not touched ---- */

void view_legend(view_canvas *canvas, const view_area *picture, const char *name,
                 const view_color colors[VIEW_LEGEND], const char *low, const char *high)
{
    enum { HIGH = 10 };
    double ends =
        view_text_width(canvas, FONT_SMALL, low) + view_text_width(canvas, FONT_SMALL, high) + 20;
    double wide = fmax(fmax(4 * VIEW_LEGEND, ends), view_text_width(canvas, FONT_BOLD, name));
    double x = picture->x + picture->width - wide - 20, y = picture->y + picture->height - 48;
    view_box(canvas, x - 12, y - 22, wide + 24, 62, 8, 0x161b23d0);
    view_text(canvas, FONT_BOLD, x, y - 6, 0, pale, name);
    for (int i = 0; i < VIEW_LEGEND; i++)
        view_rectangle(canvas, x + wide / VIEW_LEGEND * i, y, wide / VIEW_LEGEND, HIGH, colors[i]);
    view_text(canvas, FONT_SMALL, x, y + HIGH + 14, 0, pale, low);
    view_text(canvas, FONT_SMALL, x + wide, y + HIGH + 14, 1, pale, high);
}

void view_figures(view_canvas *canvas, double y, double width, const char *left, const char *right)
{
    char cut[320];
    double room = width - view_text_width(canvas, FONT_SMALL, right) - 40;
    snprintf(cut, sizeof cut, "%s", left);
    while (*cut && view_text_width(canvas, FONT_SMALL, cut) >
                       room) { /* whole figures, which three spaces part */
        size_t n = strlen(cut) - 1;
        while (n > 0 && strncmp(cut + n, "   ", 3) != 0)
            n--;
        cut[n] = 0;
    }
    view_text(canvas, FONT_SMALL, 10, y, 0, dim, cut);
    view_text(canvas, FONT_SMALL, width - 10, y, 1, dim, right);
}
