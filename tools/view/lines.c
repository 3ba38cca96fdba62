/* SPDX-License-Identifier: MIT */
/* Lines in the world. */
#include "config.h"

#include "view/lines.h"

static const char lines_vertex[] = "layout(location = 0) in vec3 at;\n"
                                   "layout(location = 1) in vec2 look;\n"
                                   "uniform mat4 camera;\n"
                                   "out vec2 shade;\n"
                                   "void main()\n"
                                   "{\n"
                                   "    shade = look;\n"
                                   "    gl_Position = camera * vec4(at, 1.0);\n"
                                   "}\n";
static const char lines_fragment[] =
    "in vec2 shade;\n"
    "uniform vec3 low, high;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    result = vec4(mix(low, high, clamp(shade.x, 0.0, 1.0)), 0.85 * shade.y);\n"
    "}\n";

int view_lines_create(GLuint *program)
{
    return view_program("lines", lines_vertex, lines_fragment, program);
}

void view_lines_use(GLuint program, const float camera[16], const float low[3], const float high[3])
{
    gl.UseProgram(program);
    view_set_matrix(program, "camera", camera);
    view_set3(program, "low", low);
    view_set3(program, "high", high);
}

void view_lines_box(const double origin[3], const double extent[3], double opacity,
                    float vertices[VIEW_BOX_FLOATS])
{
    static const int edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                     {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    float *out = vertices;
    for (int e = 0; e < 12; e++)
        for (int end = 0; end < 2; end++) {
            for (int k = 0; k < 3; k++)
                *out++ = (float)(origin[k] + (edges[e][end] >> k & 1) * extent[k]);
            *out++ = 1;
            *out++ = (float)opacity;
        }
}
