/* SPDX-License-Identifier: MIT */
/* The flow lab's bars: the terms of the equation as chips, what is shown, sliders, figures. */
#include "config.h"

#include "view/page_flow.h"
#include "view/overlay.h"

#include <math.h>
#include <string.h>

/* A colour each, of Okabe and Ito's palette, which colour-blind people can tell apart. */
static const struct {
    const char *text;
    int terms;
    view_color color;
} chips[] = {{"1  force f", FOEHN_FLOW_FORCE, 0xcc79a7ff},
             {"2  advection (u\xc2\xb7\xe2\x88\x87)u", FOEHN_FLOW_ADVECTION, 0xe69f00ff},
             {"3  viscosity \xce\xbd\xe2\x88\x87\xc2\xb2u", FOEHN_FLOW_VISCOSITY, 0x009e73ff},
             {"4  pressure \xe2\x88\x92\xe2\x88\x87p/\xcf\x81", FOEHN_FLOW_PRESSURE, 0x56b4e9ff},
             {"\xe2\x88\x87\xc2\xb7u = 0", FOEHN_FLOW_PRESSURE, 0xf0e442ff}};
enum { CHIPS = sizeof chips / sizeof chips[0], RADIUS_SEGMENTS = 40 };

static int draw_terms(flow_page *p, viewer *v)
{
    int status = STATUS_OK;
    view_top_begin(v, p->top);
    for (int i = 0; i < CHIPS; i++)
        if (view_chip(&v->ui, chips[i].text, chips[i].color,
                      foehn_flow_get_terms(p->flow) & chips[i].terms))
            status = view_flow_switch(p, chips[i].terms);
    p->top = view_top_end(v);
    return status;
}

/* ---- the lower bar ---- */

static void draw_layers(flow_page *p, viewer *v)
{
    static const char *const names[] = {"ink",        "speed",  "vorticity", "pressure",
                                        "divergence", "solids", NULL};
    int at = 0;
    while (at < VIEW_FLOW_LAYERS - 1 && view_flow_layers[at] != p->layer)
        at++;
    if (view_choose(&v->ui, "show", names, &at)) {
        p->layer = view_flow_layers[at];
        p->looked = -1;
    }
    if (view_chip(&v->ui, "+ particles", VIEW_BUTTON, p->particles))
        p->particles = !p->particles;
}

static void draw_hand(flow_page *p, viewer *v)
{
    static const char *const hands[] = {"stir", "draw", NULL};
    static const char *const shapes[] = {"none", "cylinder", "plate", "bean", "wing", NULL};
    int hand = p->drawing;
    if (view_choose(&v->ui, "hand", hands, &hand))
        p->drawing = hand == 1;
    int shape = p->obstacle;
    if (view_choose(&v->ui, "obstacle", shapes, &shape))
        view_flow_set_shape(p, v, (foehn_flow_shape)shape);
}

static int draw_sliders(flow_page *p, viewer *v)
{
    const double low = VIEW_LEAST_VISCOSITY, high = VIEW_MOST_VISCOSITY, steepest = 20;
    char text[32];
    double t = log(fmax(p->info.viscosity, 1e-9) / low) / log(high / low), angle;
    int status = STATUS_OK;
    snprintf(text, sizeof text, "%.2g", p->info.viscosity);
    if (view_slider(&v->ui, &p->info.viscosity, "viscosity \xce\xbd", text, &t))
        status = view_flow_set_viscosity(p, low * pow(high / low, t));
    if (view_flow_angle(p, &angle)) {
        double turn = p->obstacle == FOEHN_FLOW_WING ? 0 : 90;
        t = 0.5 + 0.5 * (angle - turn) / steepest;
        snprintf(text, sizeof text, "%.0f\xc2\xb0", angle);
        if (view_slider(&v->ui, &p->obstacle, "angle", text, &t))
            view_flow_set_angle(p, v, rint(turn + (2 * t - 1) * steepest));
    }
    if (view_chip(&v->ui, p->paused ? "go on" : "pause", VIEW_BUTTON, p->paused))
        p->paused = !p->paused;
    if (view_chip(&v->ui, "one step", VIEW_BUTTON, false))
        p->paused = p->once = true;
    if (status == STATUS_OK && view_chip(&v->ui, "restart", VIEW_BUTTON, false))
        status = view_flow_restart(p, v);
    return status;
}

/* Reynolds number on the obstacle, else on the height. */
static double reynolds(const flow_page *p)
{
    foehn_flow_obstacle o;
    double size = p->info.extent[1];
    if (foehn_flow_get_obstacle(p->flow, 0, &o) == FOEHN_OK && o.shape != FOEHN_FLOW_NOTHING)
        size = (double)o.size;
    return p->info.reference_speed * size / p->info.viscosity;
}

static void end_bar(flow_page *p, viewer *v)
{
    const int terms = foehn_flow_get_terms(p->flow);
    char left[256], right[64], number[48] = "no viscosity", more[64] = "";
    if (terms & FOEHN_FLOW_VISCOSITY)
        snprintf(number, sizeof number, reynolds(p) >= 10 ? "Re %.0f" : "Re %.2g", reynolds(p));
    if (!(terms & FOEHN_FLOW_PRESSURE))
        snprintf(more, sizeof more, "   no pressure");
    else if (isfinite(p->cl))
        snprintf(more, sizeof more, "   lift CL %.2f   drag CD %.2f", p->cl, p->cd);
    snprintf(left, sizeof left, "%s   time %.2f   %d \xc3\x97 %d cells   %s   fastest %.2f%s",
             p->scene->title, p->info.time, p->info.nx, p->info.ny, number, p->fastest, more);
    snprintf(right, sizeof right, "%.0f frames/s   %.2g \xc3\x97 real time", v->frame_rate,
             p->paused ? 0 : view_pace_speed(&p->pace));
    p->bottom = view_bottom_end(v, p->bottom, left, right);
}

/* ---- over the map ---- */

static void draw_legend(const flow_page *p, const viewer *v)
{
    const flow_layer_kind *kind = &flow_layers[p->layer];
    char low[48] = "0", high[48];
    view_color colors[VIEW_LEGEND];
    if (p->layer == LAYER_INK || p->layer == LAYER_SOLIDS)
        return;
    for (int i = 0; i < VIEW_LEGEND; i++) {
        double rgb[3];
        flow_layer_color(kind->diverging, (i + 0.5) / VIEW_LEGEND, rgb);
        colors[i] = view_rgb(rgb);
    }
    snprintf(high, sizeof high, "%s %g", kind->more, p->range);
    if (kind->diverging)
        snprintf(low, sizeof low, "\xe2\x88\x92%g %s", p->range, kind->less);
    const bool stale =
        p->layer == LAYER_PRESSURE && !(foehn_flow_get_terms(p->flow) & FOEHN_FLOW_PRESSURE);
    view_legend(v->canvas, &p->map, stale ? "pressure: off, as it was last" : kind->name, colors,
                low, high);
}

/* The line that is being drawn, and what a stir would reach. */
static void draw_hand_mark(const flow_page *p, const viewer *v)
{
    const view_area *m = &p->map;
    double scale = m->width / p->info.extent[0];
    double mx = v->ui.mouse[0], my = v->ui.mouse[1];
    if (p->hand == HAND_DRAW)
        for (int i = 0; i < p->points; i++) {
            double x = m->x + scale * (double)p->line[i][0];
            double y = m->y + m->height - scale * (double)p->line[i][1];
            double wide = FOEHN_FLOW_STROKE_THICKNESS * scale;
            int before = i > 0 ? i - 1 : 0;
            view_disc(v->canvas, x, y, wide / 2, 0xffffff90);
            view_line(v->canvas, m->x + scale * (double)p->line[before][0],
                      m->y + m->height - scale * (double)p->line[before][1], x, y, wide,
                      0xffffff90);
        }
    /* Dark under bright: it is seen on any map. */
    for (int line = 0; line < 2 && p->hand == HAND_STIR; line++)
        for (int i = 0; i < RADIUS_SEGMENTS; i++) {
            double a = 6.283185307 * i / RADIUS_SEGMENTS,
                   b = 6.283185307 * (i + 1) / RADIUS_SEGMENTS;
            double r = 0.05 * m->height;
            view_line(v->canvas, mx + r * cos(a), my + r * sin(a), mx + r * cos(b), my + r * sin(b),
                      line ? 1.5 : 3.5, line ? 0xffffffc0 : 0x00000070);
        }
}

int view_flow_bars(void *page, viewer *v)
{
    flow_page *p = page;
    draw_legend(p, v);
    draw_hand_mark(p, v);
    int status = draw_terms(p, v);
    view_bottom_begin(v, p->bottom);
    draw_layers(p, v);
    view_row_break(&v->ui, 0);
    draw_hand(p, v);
    view_row_break(&v->ui, 0);
    if (status == STATUS_OK)
        status = draw_sliders(p, v);
    end_bar(p, v);
    return status;
}
