/* SPDX-License-Identifier: MIT */
/* Shapes and text: triangles in one buffer, letters from a texture that cairo drew once. */
#include "config.h"

#include "map/drawing.h"
#include "view/canvas.h"
#include "view/textures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { ATLAS = 1024, PLAIN = 95, FLOATS = 8 };

/* Beside ASCII. */
static const uint32_t extra[] = {0xb0,   0xb1,   0xb2,   0xb7,   0xd7,   0x3bd,
                                 0x3c1,  0x2013, 0x2026, 0x2190, 0x2191, 0x2192,
                                 0x2193, 0x2207, 0x2212, 0x2264, 0x2265, 0xb3};
enum { EXTRAS = sizeof extra / sizeof extra[0], GLYPHS = PLAIN + EXTRAS };

static const struct {
    double size;
    bool bold;
} fonts[FONTS] = {{11, false}, {13, false}, {13, true}, {18, true}};

typedef struct glyph {
    float u0, v0, u1, v1; /* in the atlas */
    float left, up;       /* of its box from the pen, pixels, y down */
    float width, height;  /* pixels */
    float advance;        /* points */
} glyph;

struct view_canvas {
    double scale;
    int width, height; /* points */
    glyph glyphs[FONTS][GLYPHS];
    GLuint atlas, program;
    view_mesh mesh;
    float *vertices;
    size_t count, capacity; /* vertices */
};

static const char vertex_source[] =
    "layout(location = 0) in vec2 at;\n"
    "layout(location = 1) in vec2 uv;\n"
    "layout(location = 2) in vec4 tint;\n"
    "uniform vec2 window;\n"
    "out vec2 place;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    place = uv;\n"
    "    color = tint;\n"
    "    gl_Position = vec4(2.0 * at.x / window.x - 1.0, 1.0 - 2.0 * at.y / window.y, 0.0, 1.0);\n"
    "}\n";
static const char fragment_source[] =
    "in vec2 place;\n"
    "in vec4 color;\n"
    "uniform sampler2D atlas;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    result = vec4(color.rgb, color.a * texture(atlas, place).r);\n"
    "}\n";

/* ---- letters ---- */

static void utf8(uint32_t code, char out[5])
{
    int n = 0;
    if (code < 0x80)
        out[n++] = (char)code;
    else if (code < 0x800) {
        out[n++] = (char)(0xc0 | code >> 6);
        out[n++] = (char)(0x80 | (code & 0x3f));
    } else {
        out[n++] = (char)(0xe0 | code >> 12);
        out[n++] = (char)(0x80 | (code >> 6 & 0x3f));
        out[n++] = (char)(0x80 | (code & 0x3f));
    }
    out[n] = 0;
}

static uint32_t next_code(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
    uint32_t code = more == 0 ? *p : more == 1 ? *p & 0x1fu : more == 2 ? *p & 0xfu : *p & 7u;
    for (int i = 1; i <= more && (p[i] & 0xc0) == 0x80; i++)
        code = code << 6 | (p[i] & 0x3fu);
    int length = 1;
    while (length <= more && (p[length] & 0xc0) == 0x80)
        length++;
    *text += length;
    return code;
}

static int glyph_index(uint32_t code)
{
    if (code >= 32 && code < 32 + PLAIN)
        return (int)code - 32;
    for (int i = 0; i < EXTRAS; i++)
        if (extra[i] == code)
            return PLAIN + i;
    return '?' - 32;
}

/* Draw each letter once, in rows, and note where it lies.  The first texels are solid. */
static int draw_atlas(view_canvas *c)
{
    cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_A8, ATLAS, ATLAS);
    cairo_t *cr = cairo_create(page);
    cairo_rectangle(cr, 0, 0, 4, 4);
    cairo_fill(cr);
    double x = 6, y = 1, row = 0;
    for (int f = 0; f < FONTS; f++) {
        set_font(cr, fonts[f].size * c->scale, fonts[f].bold);
        for (int g = 0; g < GLYPHS; g++) {
            char text[5];
            cairo_text_extents_t e;
            utf8(g < PLAIN ? 32 + (uint32_t)g : extra[g - PLAIN], text);
            cairo_text_extents(cr, text, &e);
            double left = floor(e.x_bearing) - 1, up = floor(e.y_bearing) - 1;
            double wide = ceil(e.width) + 3, high = ceil(e.height) + 3;
            if (x + wide > ATLAS) {
                x = 1;
                y += row + 1;
                row = 0;
            }
            row = fmax(row, high);
            cairo_move_to(cr, x - left, y - up);
            cairo_show_text(cr, text);
            c->glyphs[f][g] = (glyph){(float)(x / ATLAS),
                                      (float)(y / ATLAS),
                                      (float)((x + wide) / ATLAS),
                                      (float)((y + high) / ATLAS),
                                      (float)left,
                                      (float)up,
                                      (float)wide,
                                      (float)high,
                                      (float)(e.x_advance / c->scale)};
            x += wide + 1;
        }
    }
    cairo_destroy(cr);
    cairo_surface_flush(page);
    int status = STATUS_OK;
    if (y + row > ATLAS || cairo_surface_status(page) != CAIRO_STATUS_SUCCESS ||
        cairo_image_surface_get_stride(page) != ATLAS)
        status =
            fail(STATUS_INPUT, "--scale %g: letters of that size do not fit: give less", c->scale);
    else
        view_texture_set(c->atlas, TEXELS_BYTE, ATLAS, ATLAS, cairo_image_surface_get_data(page));
    cairo_surface_destroy(page);
    return status;
}

int view_canvas_create(double scale, view_canvas **out)
{
    static const int layout[] = {2, 2, 4, 0};
    *out = NULL;
    view_canvas *c = calloc(1, sizeof *c);
    if (!c)
        return fail_memory();
    c->scale = scale;
    c->atlas = view_texture_create(true);
    view_mesh_create(&c->mesh, layout);
    int status = view_program("the canvas", vertex_source, fragment_source, &c->program);
    if (status == STATUS_OK)
        status = draw_atlas(c);
    if (status == STATUS_OK)
        *out = c;
    else
        view_canvas_destroy(c);
    return status;
}

void view_canvas_destroy(view_canvas *c)
{
    if (!c)
        return;
    gl.DeleteTextures(1, &c->atlas);
    if (c->program)
        gl.DeleteProgram(c->program);
    view_mesh_destroy(&c->mesh);
    free(c->vertices);
    free(c);
}

/* ---- triangles ---- */

void view_canvas_begin(view_canvas *c, int width, int height)
{
    c->width = width;
    c->height = height;
    c->count = 0;
}

void view_canvas_end(view_canvas *c)
{
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl.UseProgram(c->program);
    view_set2(c->program, "window", (float)c->width, (float)c->height);
    view_set_int(c->program, "atlas", 0);
    view_texture_bind(0, GL_TEXTURE_2D, c->atlas);
    view_mesh_set(&c->mesh, (int)c->count, c->vertices);
    view_mesh_draw(&c->mesh, GL_TRIANGLES);
    gl.Disable(GL_BLEND);
}

static void put(view_canvas *c, double x, double y, double u, double v, view_color color)
{
    if (c->count == c->capacity) {
        size_t more = c->capacity ? 2 * c->capacity : 4096;
        float *vertices = realloc(c->vertices, more * FLOATS * sizeof *vertices);
        if (!vertices)
            return; /* a letter is missing; the picture stands */
        c->vertices = vertices;
        c->capacity = more;
    }
    float *p = c->vertices + FLOATS * c->count++;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)u;
    p[3] = (float)v;
    for (int k = 0; k < 4; k++)
        p[4 + k] = (float)(color >> (24 - 8 * k) & 0xff) / 255;
}

/* A quadrilateral with corners in order round it. */
static void quad(view_canvas *c, const double xy[4][2], const double uv[4][2], view_color color)
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    if (c->count % 3 != 0)
        return; /* memory ran out amid a shape */
    for (int k = 0; k < 6; k++)
        put(c, xy[order[k]][0], xy[order[k]][1], uv[order[k]][0], uv[order[k]][1], color);
}

static const double solid[4][2] = {{2.0 / ATLAS, 2.0 / ATLAS},
                                   {2.0 / ATLAS, 2.0 / ATLAS},
                                   {2.0 / ATLAS, 2.0 / ATLAS},
                                   {2.0 / ATLAS, 2.0 / ATLAS}};

view_color view_rgb(const double rgb[3])
{
    view_color color = 0;
    for (int k = 0; k < 3; k++)
        color = color << 8 | (view_color)lrint(255 * fmin(fmax(rgb[k], 0), 1));
    return color << 8 | 0xff;
}

view_color view_fade(view_color color, double opacity)
{
    return (color & ~(view_color)0xff) | (view_color)lrint(opacity * (double)(color & 0xff));
}

void view_rectangle(view_canvas *c, double x, double y, double width, double height,
                    view_color color)
{
    const double xy[4][2] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    quad(c, xy, solid, color);
}

/* Fan of a quarter of a disc, from the given angle on. */
static void quarter(view_canvas *c, double x, double y, double radius, double from,
                    view_color color)
{
    enum { PARTS = 8 };
    for (int i = 0; i < PARTS; i++) {
        double a = from + PI / 2 * i / PARTS, b = from + PI / 2 * (i + 1) / PARTS;
        put(c, x, y, solid[0][0], solid[0][1], color);
        put(c, x + radius * cos(a), y + radius * sin(a), solid[0][0], solid[0][1], color);
        put(c, x + radius * cos(b), y + radius * sin(b), solid[0][0], solid[0][1], color);
    }
}

void view_box(view_canvas *c, double x, double y, double width, double height, double radius,
              view_color color)
{
    double r = fmin(radius, 0.5 * fmin(width, height));
    view_rectangle(c, x + r, y, width - 2 * r, height, color);
    view_rectangle(c, x, y + r, r, height - 2 * r, color);
    view_rectangle(c, x + width - r, y + r, r, height - 2 * r, color);
    quarter(c, x + r, y + r, r, PI, color);
    quarter(c, x + width - r, y + r, r, -PI / 2, color);
    quarter(c, x + width - r, y + height - r, r, 0, color);
    quarter(c, x + r, y + height - r, r, PI / 2, color);
}

void view_disc(view_canvas *c, double x, double y, double radius, view_color color)
{
    for (int i = 0; i < 4; i++)
        quarter(c, x, y, radius, i * PI / 2, color);
}

void view_line(view_canvas *c, double x0, double y0, double x1, double y1, double width,
               view_color color)
{
    double length = hypot(x1 - x0, y1 - y0);
    if (!(length > 0))
        return;
    double nx = -(y1 - y0) / length * width / 2, ny = (x1 - x0) / length * width / 2;
    const double xy[4][2] = {
        {x0 + nx, y0 + ny}, {x1 + nx, y1 + ny}, {x1 - nx, y1 - ny}, {x0 - nx, y0 - ny}};
    quad(c, xy, solid, color);
}

double view_text_width(const view_canvas *c, view_font font, const char *text)
{
    double width = 0;
    while (*text)
        width += (double)c->glyphs[font][glyph_index(next_code(&text))].advance;
    return width;
}

void view_text(view_canvas *c, view_font font, double x, double y, double anchor, view_color color,
               const char *text)
{
    double pen = x - anchor * view_text_width(c, font, text);
    /* Letters lie on whole pixels. */
    double base = rint(y * c->scale);
    while (*text) {
        const glyph *g = &c->glyphs[font][glyph_index(next_code(&text))];
        double left = (rint(pen * c->scale) + (double)g->left) / c->scale;
        double top = (base + (double)g->up) / c->scale;
        double right = left + (double)g->width / c->scale;
        double bottom = top + (double)g->height / c->scale;
        const double xy[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
        const double uv[4][2] = {{(double)g->u0, (double)g->v0},
                                 {(double)g->u1, (double)g->v0},
                                 {(double)g->u1, (double)g->v1},
                                 {(double)g->u0, (double)g->v1}};
        quad(c, xy, uv, color);
        pen += (double)g->advance;
    }
}
