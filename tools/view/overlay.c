/* SPDX-License-Identifier: MIT */
/* What every page has over it. */
#include "config.h"

#include "view/textures.h"
#include "view/overlay.h"

#include <math.h>
#include <stdlib.h>

static const view_help common_help[] = {{"h, F1", "this help"},
                                        {"Tab", "next page"},
                                        {"c, F12", "screenshot (PNG)"},
                                        {"F9", "record: a PNG a frame; again: end"},
                                        {"F11", "whole screen"},
                                        {"Esc", "quit"},
                                        {NULL, NULL}};
enum { LINE = 21, KEYS = 150, BAR = 44, TABS = 330 };

/* ---- bars ---- */

void view_top_begin(viewer *v, double height)
{
    view_panel(&v->ui, 0, 0, v->width, height, VIEW_BACK);
    view_row(&v->ui, 10, (BAR - VIEW_ROW) / 2, fmax(v->width - TABS, 120));
}

double view_top_end(const viewer *v)
{
    return view_row_end(&v->ui) + (BAR - VIEW_ROW) / 2;
}

void view_bottom_begin(viewer *v, double height)
{
    view_panel(&v->ui, 0, v->height - height, v->width, height, VIEW_BACK);
    view_row(&v->ui, 10, v->height - height + 6, v->width - 20);
}

double view_bottom_end(viewer *v, double height, const char *left, const char *right)
{
    double end = view_row_end(&v->ui);
    view_figures(v->canvas, end + 14, v->width, left, right);
    return end + 24 - (v->height - height);
}

/* ---- over every page ---- */

/* Tabs at the right end of the top bar. */
static int draw_tabs(viewer *v)
{
    double width = 0;
    int chosen = v->page;
    for (int i = 0; v->table[i]; i++)
        width += view_text_width(v->canvas, FONT_BOLD, v->table[i]->name) + 26;
    width += view_text_width(v->canvas, FONT_BOLD, "? help") + 26;
    view_row(&v->ui, v->width - width - 8, (BAR - VIEW_ROW) / 2, width + 200);
    for (int i = 0; v->table[i]; i++)
        if (view_chip(&v->ui, v->table[i]->name, VIEW_BUTTON, i == v->page))
            chosen = i;
    if (view_chip(&v->ui, "? help", VIEW_BUTTON, v->help))
        v->help = true;
    return chosen;
}

static double draw_list(viewer *v, double x, double y, const view_help *rows)
{
    for (; rows->key; rows++, y += LINE) {
        view_text(v->canvas, FONT_BOLD, x, y, 0, 0xf2d98cff, rows->key);
        view_text(v->canvas, FONT_TEXT, x + KEYS, y, 0, 0xe6e9eeff, rows->what);
    }
    return y;
}

static void draw_help(viewer *v)
{
    const view_page *p = v->table[v->page];
    int rows = 0;
    double wide = 0;
    const view_help *lists[] = {p->help, common_help};
    for (int l = 0; l < 2; l++)
        for (const view_help *h = lists[l]; h->key; h++, rows++)
            wide = fmax(wide, view_text_width(v->canvas, FONT_TEXT, h->what));
    double width = wide + KEYS + 48, height = (rows + 3) * LINE + 24;
    double x = floor((v->width - width) / 2), y = floor(fmax(8, (v->height - height) / 2));
    view_rectangle(v->canvas, 0, 0, v->width, v->height, 0x00000078);
    view_panel(&v->ui, x, y, width, height, 0x161b23f4);
    view_text(v->canvas, FONT_TITLE, x + 24, y + 34, 0, 0xffffffff, p->title);
    double end = draw_list(v, x + 24, y + 34 + 1.5 * LINE, p->help);
    draw_list(v, x + 24, end + 0.5 * LINE, common_help);
}

static void draw_note(viewer *v)
{
    if (!v->note[0] || v->time > v->note_until)
        return;
    double width = view_text_width(v->canvas, FONT_TEXT, v->note) + 32;
    double x = floor((v->width - width) / 2), y = BAR + 14;
    view_box(v->canvas, x, y, width, 32, 8, 0x161b23ee);
    view_text(v->canvas, FONT_TEXT, x + 16, y + 21, 0, 0xffffffff, v->note);
}

int view_overlay_draw(viewer *v)
{
    int chosen = draw_tabs(v);
    draw_note(v);
    if (v->help)
        draw_help(v);
    return chosen;
}

void view_overlay_wait(viewer *v, const char *text)
{
    view_viewport(v, 0, 0, v->width, v->height);
    gl.ClearColor(0.063f, 0.078f, 0.102f, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    view_canvas_begin(v->canvas, v->width, v->height);
    view_text(v->canvas, FONT_TITLE, v->width / 2, v->height / 2 - 10, 0.5, 0xe6e9eeff,
              v->table[v->page]->title);
    view_text(v->canvas, FONT_TEXT, v->width / 2, v->height / 2 + 18, 0.5, 0x9aa3b0ff, text);
    view_canvas_end(v->canvas);
}
