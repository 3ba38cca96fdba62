/* SPDX-License-Identifier: MIT */
/* The wind's picture: sky, land in the sun, streaks, a slice through the published texture. */
#include "config.h"

#include "flow/flow.h"
#include "map/map.h"
#include "view/lines.h"
#include "view/page_wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PALETTE = 256, CUT = 96 };

static const char sky_vertex[] = "layout(location = 0) in vec2 at;\n"
                                 "out vec2 place;\n"
                                 "void main()\n"
                                 "{\n"
                                 "    place = at;\n"
                                 "    gl_Position = vec4(2.0 * at - 1.0, 0.999, 1.0);\n"
                                 "}\n";
static const char sky_fragment[] =
    "in vec2 place;\n"
    "uniform float horizon;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    float t = clamp((place.y - horizon) * 1.4, 0.0, 1.0);\n"
    "    result = vec4(mix(vec3(0.80, 0.86, 0.91), vec3(0.33, 0.52, 0.75), sqrt(t)), 1.0);\n"
    "}\n";

static const char land_vertex[] = "layout(location = 0) in vec3 at;\n"
                                  "layout(location = 1) in vec3 up;\n"
                                  "uniform mat4 camera;\n"
                                  "uniform float lift;\n"
                                  "out vec3 world, normal;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    world = at + vec3(0.0, lift, 0.0);\n"
                                  "    normal = up;\n"
                                  "    gl_Position = camera * vec4(world, 1.0);\n"
                                  "}\n";
/* Green below, brown above, grey where it is steep; contour lines; the sun, the sky's own light,
 * haze. */
static const char land_fragment[] =
    "in vec3 world, normal;\n"
    "uniform vec3 eye, sun;\n"
    "uniform vec2 heights;\n"
    "uniform float haze, contour;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    vec3 n = normalize(normal);\n"
    "    float t = clamp((world.y - heights.x) / (heights.y - heights.x), 0.0, 1.0);\n"
    "    vec3 ground = mix(vec3(0.36, 0.46, 0.27), vec3(0.58, 0.53, 0.39), t);\n"
    "    ground = mix(ground, vec3(0.52, 0.50, 0.48), smoothstep(0.15, 0.5, 1.0 - n.y));\n"
    "    float line = abs(fract(world.y / contour + 0.5) - 0.5) / fwidth(world.y / contour);\n"
    "    ground *= 1.0 - 0.18 * (1.0 - clamp(line, 0.0, 1.0));\n"
    "    vec3 light = 1.05 * max(dot(n, sun), 0.0) * vec3(1.0, 0.95, 0.85)\n"
    "               + (0.30 + 0.12 * n.y) * vec3(0.75, 0.88, 1.0);\n"
    "    float far = 1.0 - exp(-length(world - eye) * haze);\n"
    "    result = vec4(mix(ground * light, vec3(0.80, 0.86, 0.91), far), 1.0);\n"
    "}\n";

/* volume.h: uvw = world / extent with repeat addressing, inside [origin, origin + extent). */
static const char cut_fragment[] =
    "in vec3 world, normal;\n"
    "uniform sampler3D wind;\n"
    "uniform sampler2D palette;\n"
    "uniform vec3 origin, extent;\n"
    "uniform int quantity;\n"
    "uniform float range, opacity;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    vec3 within = (world - origin) / extent;\n"
    "    if (any(lessThan(within, vec3(0.0))) || any(greaterThan(within, vec3(1.0))))\n"
    "        discard;\n"
    "    vec4 w = texture(wind, world / extent);\n"
    "    float t = quantity == 0 ? length(w.xyz) / range\n"
    "            : quantity == 1 ? 0.5 + 0.5 * w.y / range : w.a / range;\n"
    "    vec2 side = min(within.xz, 1.0 - within.xz);\n"
    "    float edge = smoothstep(0.0, 0.03, min(side.x, side.y));\n"
    "    result = vec4(texture(palette, vec2(clamp(t, 0.002, 0.998),\n"
    "                                        quantity == 1 ? 0.75 : 0.25)).rgb, opacity * edge);\n"
    "}\n";

/* ---- making ---- */

void view_wind_color(bool diverging, double t, double out[3])
{
    if (diverging) {
        flow_layer_color(true, t, out);
        return;
    }
    rgb c = colour_of(t);
    out[0] = c.r;
    out[1] = c.g;
    out[2] = c.b;
}

static void make_palette(GLuint texture)
{
    unsigned char texels[2][PALETTE][4];
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < PALETTE; i++) {
            double color[3];
            view_wind_color(row == 1, i / (PALETTE - 1.0), color);
            for (int k = 0; k < 3; k++)
                texels[row][i][k] = (unsigned char)lrint(255 * color[k]);
            texels[row][i][3] = 255;
        }
    view_texture_set(texture, TEXELS_RGBA, PALETTE, 2, texels);
}

int view_wind_draw_create(wind_page *p)
{
    static const int pair[] = {2, 0}, surface[] = {3, 3, 0}, line[] = {3, 2, 0};
    static const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    p->palette = view_texture_create(true);
    make_palette(p->palette);
    view_mesh_create(&p->square, pair);
    view_mesh_set(&p->square, 4, corners);
    view_mesh_create(&p->line_mesh, line);
    view_mesh_create(&p->frame_mesh, line);
    view_mesh_create(&p->cut_mesh, surface);
    int status = view_ground_mesh(&p->ground, &p->land_mesh);
    if (status == STATUS_OK)
        status = view_program("the sky", sky_vertex, sky_fragment, &p->sky);
    if (status == STATUS_OK)
        status = view_program("the land", land_vertex, land_fragment, &p->land);
    if (status == STATUS_OK)
        status = view_lines_create(&p->lines);
    return status == STATUS_OK ? view_program("the slice", land_vertex, cut_fragment, &p->cut)
                               : status;
}

void view_wind_draw_destroy(wind_page *p)
{
    const GLuint programs[] = {p->sky, p->land, p->lines, p->cut};
    view_mesh *meshes[] = {&p->square, &p->land_mesh, &p->line_mesh, &p->cut_mesh, &p->frame_mesh};
    for (int i = 0; i < 4; i++)
        if (programs[i])
            gl.DeleteProgram(programs[i]);
    for (int i = 0; i < 5; i++)
        view_mesh_destroy(meshes[i]);
    if (p->palette)
        gl.DeleteTextures(1, &p->palette);
}

/* ---- drawing ---- */

double view_wind_range(const wind_page *p)
{
    return p->quantity == SHOW_SPEED ? fmax(1, rint(1.8 * p->u10))
           : p->quantity == SHOW_UP  ? fmax(0.5, rint(0.3 * p->u10))
                                     : 0.6;
}

static void set_place(GLuint program, const char *name, const double v[3])
{
    const float f[3] = {(float)v[0], (float)v[1], (float)v[2]};
    view_set3(program, name, f);
}

static void draw_land(const wind_page *p, const float camera[16])
{
    static const float sun[3] = {-0.54f, 0.64f, -0.54f}; /* from the north-west */
    double wide = p->air.info.extent[0], hill = p->ground.summit - p->ground.lowest;
    double contour = hill > 400 ? 50 : hill > 150 ? 20 : 10;
    gl.UseProgram(p->land);
    view_set_matrix(p->land, "camera", camera);
    view_set(p->land, "lift", 0);
    set_place(p->land, "eye", p->camera.position);
    view_set3(p->land, "sun", sun);
    view_set2(p->land, "heights", (float)p->ground.lowest, (float)(p->ground.summit + 1));
    view_set(p->land, "haze", (float)(0.25 / wide));
    view_set(p->land, "contour", (float)contour);
    view_mesh_draw(&p->land_mesh, GL_TRIANGLES);
}

/* A rectangle of many small ones, from a corner along two edges. */
static void make_cut(view_mesh *mesh, const double corner[3], const double a[3], const double b[3])
{
    static const int order[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    float vertices[6 * 6] = {0};
    for (int n = 0; n < 6; n++)
        for (int k = 0; k < 3; k++)
            vertices[6 * n + k] = (float)(corner[k] + order[n][0] * a[k] + order[n][1] * b[k]);
    view_mesh_set(mesh, 6, vertices);
}

static void place_cut(wind_page *p)
{
    const foehn_volume_info *c = &p->shown.content;
    double corner[3] = {c->origin[0], p->slice_altitude, c->origin[2]};
    double a[3] = {c->extent[0], 0, 0}, b[3] = {0, 0, c->extent[2]};
    if (view_slice_is_upright(p->slice)) {
        double along[2] = {p->air.toward[0], p->air.toward[1]}, wide = 1.5 * c->extent[0];
        if (p->slice == SLICE_ACROSS) {
            along[0] = -p->air.toward[1];
            along[1] = p->air.toward[0];
        }
        const double aside[2] = {-along[1], along[0]};
        for (int k = 0; k < 2; k++) {
            corner[2 * k] = c->origin[2 * k] + c->extent[2 * k] / 2 + p->slice_offset * aside[k] -
                            along[k] * wide / 2;
            a[2 * k] = along[k] * wide;
        }
        corner[1] = c->origin[1];
        b[1] = c->extent[1];
        b[2] = 0;
    }
    make_cut(&p->cut_mesh, corner, a, b);
}

static void draw_cut(wind_page *p, const float camera[16])
{
    const foehn_volume_info *c = &p->shown.content;
    if (p->slice == SLICE_NONE || c->step == 0)
        return;
    gl.UseProgram(p->cut);
    view_set_matrix(p->cut, "camera", camera);
    view_set_int(p->cut, "wind", 0);
    view_set_int(p->cut, "palette", 1);
    view_texture_bind(0, p->shown.target, p->shown.texture);
    view_texture_bind(1, GL_TEXTURE_2D, p->palette);
    set_place(p->cut, "origin", c->origin);
    set_place(p->cut, "extent", c->extent);
    view_set_int(p->cut, "quantity", (int)p->quantity);
    view_set(p->cut, "range", (float)view_wind_range(p));
    view_set(p->cut, "opacity", 0.62f);
    view_set(p->cut, "lift", p->slice == SLICE_GROUND ? (float)p->slice_height : 0);
    if (p->slice == SLICE_GROUND) {
        view_mesh_draw(&p->land_mesh, GL_TRIANGLES);
        return;
    }
    place_cut(p);
    view_mesh_draw(&p->cut_mesh, GL_TRIANGLES);
}

static void draw_frame(wind_page *p)
{
    float vertices[VIEW_BOX_FLOATS];
    view_lines_box(p->shown.content.origin, p->shown.content.extent, 0.35, vertices);
    view_mesh_set(&p->frame_mesh, VIEW_BOX_FLOATS / 5, vertices);
    view_mesh_draw(&p->frame_mesh, GL_LINES);
}

static void draw_lines(wind_page *p, const float camera[16])
{
    static const float slow[3] = {0.13f, 0.30f, 0.62f}, fast[3] = {1, 1, 1};
    view_lines_use(p->lines, camera, slow, fast);
    draw_frame(p);
    if (!p->streaks_on)
        return;
    view_streaks_mesh(p->streaks, fmax(1, 1.3 * p->u10), &p->line_mesh);
    view_mesh_draw(&p->line_mesh, GL_LINES);
}

void view_wind_draw(void *page, const viewer *v)
{
    wind_page *p = page;
    float camera[16];
    p->map = (view_area){0, p->top, v->width, fmax(v->height - p->top - p->bottom, 40)};
    view_camera_matrix(&p->camera, p->map.width / p->map.height, camera);
    view_viewport(v, p->map.x, p->map.y, p->map.width, p->map.height);
    gl.UseProgram(p->sky);
    view_set(p->sky, "horizon",
             (float)(0.5 - 0.5 * tan(p->camera.pitch) / tan(p->camera.field / 2)));
    view_mesh_draw(&p->square, GL_TRIANGLE_STRIP);
    gl.Enable(GL_DEPTH_TEST);
    draw_land(p, camera);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl.DepthMask(GL_FALSE);
    draw_cut(p, camera);
    draw_lines(p, camera);
    gl.DepthMask(GL_TRUE);
    gl.Disable(GL_BLEND);
    gl.Disable(GL_DEPTH_TEST);
}
