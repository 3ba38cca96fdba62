/* SPDX-License-Identifier: MIT */
/* The wind's bars: what is shown, sliders, a compass, figures. */
#include "config.h"

#include "view/overlay.h"
#include "view/page_wind.h"

#include <math.h>

static const view_color pale = 0xe6e9eeff;

static void draw_choices(wind_page *p, viewer *v)
{
    static const char *const slices[] = {"none", "above ground", "level", "along", "across", NULL};
    view_top_begin(v, p->top);
    int slice = (int)p->slice;
    if (view_choose(&v->ui, "slice", slices, &slice))
        p->slice = (view_slice)slice;
    if (view_chip(&v->ui, "streaks", VIEW_BUTTON, p->streaks_on))
        p->streaks_on = !p->streaks_on;
    p->top = view_top_end(v);
}

static bool slide(viewer *v, double *value, const char *name, double low, double high, double step,
                  const char *format)
{
    char text[32];
    double t = (*value - low) / (high - low);
    snprintf(text, sizeof text, format, *value);
    if (!view_slider(&v->ui, value, name, text, &t))
        return false;
    *value = step * rint((low + t * (high - low)) / step);
    return true;
}

static bool has_large_eddies(const wind_page *p)
{
    return p->params.model == FOEHN_WIND_LES;
}

/* Large eddies have the gusts that they make, and begin anew with another wind: once the slider is
 * let go. */
static int draw_wind_sliders(wind_page *p, viewer *v)
{
    p->slid = slide(v, &p->u10, "wind at 10 m", 0, 30, 0.5, "%.1f m/s") || p->slid;
    p->slid = slide(v, &p->from, "from", 0, 359, 1, "%.0f\xc2\xb0") || p->slid;
    if (!has_large_eddies(p))
        p->slid = slide(v, &p->gustiness, "gusts", 0, 1, 0.01, "%.2f") || p->slid;
    if (!p->slid || (has_large_eddies(p) && v->ui.sliding))
        return STATUS_OK;
    p->slid = false;
    if (has_large_eddies(p))
        view_say(v, "another wind: first %.0f s of it, so that it has its eddies",
                 (double)p->params.spin_up);
    return view_wind_set_state(p);
}

static void draw_slice_sliders(wind_page *p, viewer *v)
{
    static const char *const quantities[] = {"speed", "upward", "turbulence", NULL};
    double wide = p->params.nx * (double)p->params.spacing_horizontal;
    double high = p->params.ny * (double)p->params.spacing_vertical;
    int quantity = (int)p->quantity;
    if (view_choose(&v->ui, "colours", quantities, &quantity))
        p->quantity = (view_quantity)quantity;
    if (view_slice_is_upright(p->slice))
        slide(v, &p->slice_offset, "place of the slice", -wide / 2, wide / 2, 1, "%.0f m");
    else if (p->slice == SLICE_LEVEL)
        slide(v, &p->slice_altitude, "altitude of the slice", p->ground.lowest,
              p->ground.lowest + high, 1, "%.0f m");
    else if (p->slice != SLICE_NONE)
        slide(v, &p->slice_height, "slice above ground", 1, high / 2, 1, "%.0f m");
    slide(v, &p->rate, "time \xc3\x97", 1, 40, 1, "%.0f");
    if (view_chip(&v->ui, p->paused ? "go on" : "pause", VIEW_BUTTON, p->paused))
        p->paused = !p->paused;
    if (view_chip(&v->ui, "first view", VIEW_BUTTON, false))
        view_wind_look_from_start(p);
}

static void end_bar(wind_page *p, viewer *v)
{
    char left[256], right[64];
    const foehn_volume_info *c = &p->air.info;
    const double *eye = p->camera.position;
    snprintf(
        left, sizeof left,
        "%s%s   time %.0f s   %d \xc3\x97 %d \xc3\x97 %d cells of %.3g \xc3\x97 %.3g m   camera "
        "%.0f m above "
        "the ground",
        p->ground.name, has_large_eddies(p) ? "   large eddies" : "", c->time, c->nx, c->ny, c->nz,
        c->spacing[0], c->spacing[1], eye[1] - view_ground_height(&p->ground, eye[0], eye[2]));
    snprintf(right, sizeof right, "%.0f frames/s   %.2g \xc3\x97 real time", v->frame_rate,
             p->paused ? 0 : p->rate * view_pace_speed(&p->pace));
    p->bottom = view_bottom_end(v, p->bottom, left, right);
}

static void draw_legend(const wind_page *p, const viewer *v)
{
    static const char *const names[] = {"Speed, m/s", "Upward wind, m/s", "Turbulence intensity"};
    char low[32] = "0", high[32];
    double range = view_wind_range(p);
    view_color colors[VIEW_LEGEND];
    if (p->slice == SLICE_NONE)
        return;
    for (int i = 0; i < VIEW_LEGEND; i++) {
        double color[3];
        view_wind_color(p->quantity == SHOW_UP, (i + 0.5) / VIEW_LEGEND, color);
        colors[i] = view_rgb(color);
    }
    if (p->quantity == SHOW_UP)
        snprintf(low, sizeof low, "\xe2\x88\x92%g down", range);
    snprintf(high, sizeof high, "%s%g", p->quantity == SHOW_UP ? "up " : "", range);
    view_legend(v->canvas, &p->map, names[p->quantity], colors, low, high);
}

/* North, and an arrow with the wind, as the camera sees them. */
static void draw_compass(const wind_page *p, const viewer *v)
{
    enum { RADIUS = 34 };
    double x = p->map.x + p->map.width - RADIUS - 20, y = p->map.y + RADIUS + 18;
    double c = cos(p->camera.yaw), s = sin(p->camera.yaw);
    view_disc(v->canvas, x, y, RADIUS + 8, 0x161b23c0);
    /* World (x, z) to the screen with the camera's view upwards. */
    const double north[2] = {-s, -c}; /* of (0, -1) */
    double ax = p->air.toward[0] * c + p->air.toward[1] * s;
    double ay = -p->air.toward[0] * s + p->air.toward[1] * c;
    view_text(v->canvas, FONT_BOLD, x + north[0] * RADIUS, y + north[1] * RADIUS + 5, 0.5, pale,
              "N");
    double tip[2] = {x + 22 * ax, y + 22 * ay};
    view_line(v->canvas, x - 22 * ax, y - 22 * ay, tip[0], tip[1], 3, 0xf2d98cff);
    for (int side = -1; side <= 1; side += 2)
        view_line(v->canvas, tip[0], tip[1], tip[0] - 10 * ax + side * 7 * ay,
                  tip[1] - 10 * ay - side * 7 * ax, 3, 0xf2d98cff);
}

int view_wind_bars(void *page, viewer *v)
{
    wind_page *p = page;
    draw_legend(p, v);
    draw_compass(p, v);
    draw_choices(p, v);
    view_bottom_begin(v, p->bottom);
    int status = draw_wind_sliders(p, v);
    view_row_break(&v->ui, 0);
    draw_slice_sliders(p, v);
    end_bar(p, v);
    return status;
}
