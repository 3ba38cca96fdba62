/* SPDX-License-Identifier: MIT */
/* Wind over a hill in a 3-D texture, OpenGL 3.3: a sheet 10 m above the ground in the colours of
 * the speed, and streaks whose vertices the shader moves through the texture. */
#define GL_GLEXT_PROTOTYPES
#include "hill.h"
#include "offscreen.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <foehn/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 960, HEIGHT = 600, STEPS = 90, SIDE = 96, STREAKS = 400, SEGMENTS = 24 };

/* Positions are metres from the centre; `turns` is where that lies in the repeating texture. */
static const char *const vertex =
    "#version 330\n"
    "uniform sampler3D wind; uniform vec3 extent, turns; uniform int streaks; out float speed;\n"
    "float hill(vec2 p) { return 30.0 * exp(-dot(p, p) / 2000.0); }\n"
    "vec3 at(vec3 p) { return textureLod(wind, p / extent + turns, 0.0).xyz; }\n"
    "vec4 view(vec3 p) { vec2 q = vec2(0.8 * p.x - 0.6 * p.z, 0.6 * p.x + 0.8 * p.z) / 165.0;\n"
    "  return vec4(q.x, 1.6 * p.y / 120.0 - 0.75 * q.y - 0.15, -0.5 * q.y, 1.0); }\n"
    "void main() { vec3 p;\n"
    "  if (streaks == 0) { int quad = gl_VertexID / 6, n = int[6](0, 1, 2, 2, 1, 3)[gl_VertexID % "
    "6];\n"
    "    vec2 c = vec2(quad % 96 + n % 2, quad / 96 + n / 2) / 96.0 - 0.5;\n"
    "    p.xz = 0.9 * c * extent.xz; p.y = hill(p.xz) + 10.0;\n"
    "  } else { int line = gl_VertexID / 48, step = (gl_VertexID % 48 + 1) / 2;\n"
    "    p.xz = (fract(vec2(line) * vec2(0.7549, 0.5698)) - 0.5) * 0.85 * extent.xz;\n"
    "    p.y = hill(p.xz) + 12.0;\n"
    "    for (int i = 0; i < step; i++) p += 0.06 * at(p); }\n"
    "  speed = length(at(p)); gl_Position = view(p); }\n";
static const char *const fragment =
    "#version 330\n"
    "uniform int streaks; in float speed; out vec4 color;\n"
    "void main() { float s = clamp((speed - 3.0) / 11.0, 0.0, 1.0);\n"
    "  vec3 c = mix(mix(vec3(0.1, 0.2, 0.5), vec3(0.2, 0.7, 0.6), min(2.0 * s, 1.0)),\n"
    "               vec3(1.0, 0.8, 0.2), max(2.0 * s - 1.0, 0.0));\n"
    "  color = vec4(streaks == 0 ? c : vec3(1.0), 1.0); }\n";

static GLuint link_program(void)
{
    const GLuint program = glCreateProgram(), kinds[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(kinds[i]);
        glShaderSource(shader, 1, i ? &fragment : &vertex, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    return program;
}

static int draw(const foehn_gl_info *info)
{
    GLuint program = link_program(), array;
    const double *extent = info->content.extent;
    float turns[3], size[3];
    for (int a = 0; a < 3; a++) { /* whole turns are taken off in doubles */
        turns[a] = (float)(hill_center[a] / extent[a] - floor(hill_center[a] / extent[a]));
        size[a] = (float)extent[a];
    }
    offscreen_target(WIDTH, HEIGHT);
    glClearColor(0.95f, 0.96f, 0.97f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(program);
    glUniform3fv(glGetUniformLocation(program, "turns"), 1, turns);
    glUniform3fv(glGetUniformLocation(program, "extent"), 1, size);
    glBindTexture(info->target, info->texture);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glDrawArrays(GL_TRIANGLES, 0, 6 * SIDE * SIDE);
    glUniform1i(glGetUniformLocation(program, "streaks"), 1);
    glDrawArrays(GL_LINES, 0, STREAKS * 2 * SEGMENTS);
    return !offscreen_write_png("wind_gl.png", WIDTH, HEIGHT);
}

int main(void)
{
    hill_wind hill;
    foehn_gl *gl = NULL;
    foehn_gl_info info;
    if (!offscreen_open(0))
        return offscreen_skip("no OpenGL 3.3 through EGL");
    foehn_context_params params = foehn_context_params_default();
    foehn_context_params_set_gl(&params, offscreen_get_proc_address); /* shares where it can */
    foehn_gl_params publish = foehn_gl_params_default();
    publish.get_proc_address = offscreen_get_proc_address;
    foehn_status opened = hill_open(&hill, &params);
    if (opened == FOEHN_ERROR_DEVICE)
        return offscreen_skip(foehn_last_error());
    int failed = opened || check(foehn_gl_create(hill.volume, &publish, &gl));
    for (int frame = 0; frame < STEPS && !failed; frame++) {
        failed = hill_step(&hill) || check(foehn_gl_write(gl));
        foehn_gl_get_info(gl, &info);    /* a renderer would draw info.texture now */
        if (!failed && info.pending > 0) /* which takes longer than the device; here we wait */
            failed = check(foehn_context_wait(hill.ctx));
    }
    failed = failed || check(foehn_gl_write_and_wait(gl)); /* the last step, for the picture */
    if (!failed) {
        foehn_gl_get_info(gl, &info);
        printf("path: %s (%s)\n%d steps, %d shown, %d passed over; wind_gl.png is of step %d\n",
               foehn_gl_path_name(info.path), info.reason, STEPS, (int)info.shown,
               (int)info.skipped, (int)info.content.step);
        failed = draw(&info);
    }
    foehn_gl_destroy(gl);
    hill_close(&hill);
    offscreen_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
