/* SPDX-License-Identifier: MIT */
/* The flow lab's picture: layers from their textures, particles, the colour of every cell. */
#include "config.h"

#include "view/page_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PALETTE = 256 };

const int view_flow_layers[VIEW_FLOW_LAYERS] = {LAYER_INK,      LAYER_SPEED,      LAYER_VORTICITY,
                                                LAYER_PRESSURE, LAYER_DIVERGENCE, LAYER_SOLIDS};

static const char square_vertex[] = "layout(location = 0) in vec2 at;\n"
                                    "out vec2 place;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    place = at;\n"
                                    "    gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);\n"
                                    "}\n";

/* layer: the numbers of flow_layer.  A solid's edge lies where the mask passes a half. */
static const char picture_fragment[] =
    "in vec2 place;\n"
    "uniform sampler2D flow, ink, solids, divergence, palette;\n"
    "uniform int layer;\n"
    "uniform float range, row, light;\n"
    "uniform vec3 rock, deep;\n"
    "out vec4 result;\n"
    "vec3 water()\n"
    "{\n"
    "    if (layer == 0) {\n"
    "        vec4 c = texture(ink, place);\n"
    "        return min(deep * (1.0 - min(c.a, 1.0)) + c.rgb, 1.0);\n"
    "    }\n"
    "    if (layer == 6)\n"
    "        return vec3(0.93);\n"
    "    vec4 f = texture(flow, place);\n"
    "    float value = layer == 2 ? f.a : layer == 3 ? f.b\n"
    "                : layer == 4 ? texture(divergence, place).r : length(f.rg);\n"
    "    float t = row > 0.5 ? 0.5 + 0.5 * value / range : value / range;\n"
    "    return texture(palette, vec2(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0,\n"
    "                                 row > 0.5 ? 0.75 : 0.25)).rgb;\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    float solid = smoothstep(0.35, 0.65, texture(solids, place).r);\n"
    "    result = vec4(mix(light * water(), rock, solid), 1.0);\n"
    "}\n";

static const char dots_vertex[] = "layout(location = 0) in vec2 at;\n"
                                  "uniform vec2 extent;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    gl_Position = vec4(2.0 * at / extent - 1.0, 0.0, 1.0);\n"
                                  "}\n";
static const char dots_fragment[] = "out vec4 result;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    result = vec4(1.0, 1.0, 0.96, 0.9);\n"
                                    "}\n";

/* ---- making ---- */

static void make_palette(GLuint texture)
{
    unsigned char texels[2][PALETTE][4];
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < PALETTE; i++) {
            double rgb[3];
            flow_layer_color(row == 1, i / (PALETTE - 1.0), rgb);
            for (int k = 0; k < 3; k++)
                texels[row][i][k] = (unsigned char)lrint(255 * rgb[k]);
            texels[row][i][3] = 255;
        }
    view_texture_set(texture, TEXELS_RGBA, PALETTE, 2, texels);
}

static int make_layer(viewer *v, const foehn_flow_params *size, view_layer *layer)
{
    foehn_status made = foehn_volume_create(v->ctx, size->nx, size->ny, 1, &layer->volume);
    return made == FOEHN_OK ? view_publish(v, layer->volume, &layer->gl) : fail_library(made);
}

int view_flow_draw_create(flow_page *p, viewer *v)
{
    static const int pair[] = {2, 0};
    static const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    size_t cells = (size_t)p->info.nx * (size_t)p->info.ny;
    p->field = malloc(cells * sizeof *p->field);
    p->solid = malloc(cells * sizeof *p->solid);
    p->places = malloc(2 * (size_t)p->scene->params.particles * sizeof *p->places);
    if (!p->field || !p->solid || !p->places)
        return fail_memory();
    p->looked = -1;
    p->range = 1;
    p->palette = view_texture_create(true);
    make_palette(p->palette);
    p->solids = view_texture_create(true);
    p->divergence = view_texture_create(true);
    view_mesh_create(&p->square, pair);
    view_mesh_set(&p->square, 4, corners);
    view_mesh_create(&p->particle_mesh, pair);
    int status = view_program("the flow", square_vertex, picture_fragment, &p->picture);
    if (status == STATUS_OK)
        status = view_program("particles", dots_vertex, dots_fragment, &p->dots);
    if (status == STATUS_OK)
        status = make_layer(v, &p->scene->params, &p->moving);
    return status == STATUS_OK ? make_layer(v, &p->scene->params, &p->ink) : status;
}

void view_flow_draw_destroy(flow_page *p)
{
    GLuint textures[] = {p->palette, p->solids, p->divergence};
    gl.DeleteTextures(3, textures);
    foehn_gl_destroy(p->moving.gl);
    foehn_gl_destroy(p->ink.gl);
    foehn_volume_destroy(p->moving.volume);
    foehn_volume_destroy(p->ink.volume);
    if (p->picture)
        gl.DeleteProgram(p->picture);
    if (p->dots)
        gl.DeleteProgram(p->dots);
    view_mesh_destroy(&p->square);
    view_mesh_destroy(&p->particle_mesh);
    free(p->field);
    free(p->solid);
    free(p->places);
}

/* ---- what changed ---- */

/* Ends of the colours, twice a second; they move only when the field has left them or fills less
 * than a half. */
static int choose_range(flow_page *p, const viewer *v)
{
    enum { SAMPLES = 8192 };
    const flow_layer_kind *kind = &flow_layers[p->layer];
    size_t cells = (size_t)p->info.nx * (size_t)p->info.ny;
    size_t stride = cells / SAMPLES + 1, n = 0;
    static float field[SAMPLES], solid[SAMPLES];
    double end, most;
    if (p->looked >= 0 && v->time - p->looked < 0.5)
        return STATUS_OK;
    bool fresh = p->looked < 0;
    p->looked = v->time;
    if (p->layer == LAYER_INK || p->layer == LAYER_SOLIDS)
        return STATUS_OK;
    foehn_status got = foehn_flow_read(p->flow, kind->field, p->field);
    if (got != FOEHN_OK)
        return fail_library(got);
    for (size_t c = 0; c < cells; c += stride, n++) {
        field[n] = isfinite(p->field[c]) ? p->field[c] : 0;
        solid[n] = p->solid[c];
    }
    int status = flow_layer_range(n, field, solid, &end, &most);
    if (p->scene->range > 0 && p->layer == p->scene->layer)
        end = p->scene->range;
    if (fresh || end > p->range || end < 0.5 * p->range)
        p->range = end;
    return status;
}

static foehn_status publish_layer(const flow_page *p, const viewer *v, foehn_flow_layer layer,
                                  view_layer *out)
{
    foehn_status got = foehn_flow_write_volume(p->flow, layer, out->volume);
    if (got != FOEHN_OK)
        return got;
    /* A script's pictures show the step that they are of. */
    return v->script ? foehn_gl_write_and_wait(out->gl) : foehn_gl_write(out->gl);
}

int view_flow_publish(flow_page *p, const viewer *v)
{
    foehn_status got = FOEHN_OK;
    if (p->solids_stale) {
        got = foehn_flow_read(p->flow, FOEHN_FLOW_SOLIDS, p->solid);
        view_texture_set(p->solids, TEXELS_FLOAT, p->info.nx, p->info.ny, p->solid);
        p->solids_stale = false;
    }
    if (got == FOEHN_OK && p->layer == LAYER_DIVERGENCE) {
        got = foehn_flow_read(p->flow, FOEHN_FLOW_DIVERGENCE, p->field);
        view_texture_set(p->divergence, TEXELS_FLOAT, p->info.nx, p->info.ny, p->field);
    }
    if (got == FOEHN_OK && p->layer == LAYER_INK)
        got = publish_layer(p, v, FOEHN_FLOW_LAYER_INK, &p->ink);
    else if (got == FOEHN_OK && p->layer != LAYER_DIVERGENCE && p->layer != LAYER_SOLIDS)
        got = publish_layer(p, v, FOEHN_FLOW_LAYER_FLOW, &p->moving);
    if (got == FOEHN_OK && p->particles) {
        got = foehn_flow_read_particles(p->flow, p->places);
        view_mesh_set(&p->particle_mesh, p->scene->params.particles, p->places);
    }
    return got == FOEHN_OK ? choose_range(p, v) : fail_library(got);
}

/* ---- drawing ---- */

/* The largest rectangle of the box's shape between the bars. */
static view_area place_map(const flow_page *p, const viewer *v)
{
    double high = fmax(v->height - p->top - p->bottom, 40), wide = v->width;
    double scale = fmin(wide / p->info.extent[0], high / p->info.extent[1]);
    double w = scale * p->info.extent[0], h = scale * p->info.extent[1];
    return (view_area){rint((v->width - w) / 2), rint(p->top + (high - h) / 2), w, h};
}

static void set_color(GLuint program, const char *name, const double rgb[3])
{
    const float v[3] = {(float)rgb[0], (float)rgb[1], (float)rgb[2]};
    view_set3(program, name, v);
}

static void bind_layer(int unit, const view_layer *layer)
{
    foehn_gl_info info;
    foehn_gl_get_info(layer->gl, &info);
    view_texture_bind(unit, GL_TEXTURE_2D, info.texture);
}

static void draw_picture(const flow_page *p)
{
    static const char *const units[] = {"flow", "ink", "solids", "divergence", "palette"};
    gl.UseProgram(p->picture);
    for (int i = 0; i < 5; i++)
        view_set_int(p->picture, units[i], i);
    bind_layer(0, &p->moving);
    bind_layer(1, &p->ink);
    view_texture_bind(2, GL_TEXTURE_2D, p->solids);
    view_texture_bind(3, GL_TEXTURE_2D, p->divergence);
    view_texture_bind(4, GL_TEXTURE_2D, p->palette);
    view_set_int(p->picture, "layer", p->layer);
    view_set(p->picture, "range", (float)p->range);
    view_set(p->picture, "row", flow_layers[p->layer].diverging ? 1 : 0);
    view_set(p->picture, "light", p->particles && p->layer != LAYER_INK ? 0.7f : 1);
    set_color(p->picture, "rock", flow_rock);
    set_color(p->picture, "deep", flow_deep);
    view_mesh_draw(&p->square, GL_TRIANGLE_STRIP);
}

void view_flow_draw(void *page, const viewer *v)
{
    flow_page *p = page;
    p->map = place_map(p, v);
    view_viewport(v, p->map.x, p->map.y, p->map.width, p->map.height);
    draw_picture(p);
    if (!p->particles)
        return;
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl.UseProgram(p->dots);
    gl.PointSize((float)fmax(1, 1.8 * v->scale));
    view_set2(p->dots, "extent", (float)p->info.extent[0], (float)p->info.extent[1]);
    view_mesh_draw(&p->particle_mesh, GL_POINTS);
    gl.Disable(GL_BLEND);
}
