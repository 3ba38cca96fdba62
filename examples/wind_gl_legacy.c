/* SPDX-License-Identifier: MIT */
/* Wind over a hill for a renderer of the fixed-function days: OpenGL 2.1, no shader, one 3-D
 * texture. The sheet lies 10 m above the ground and is the brighter the faster the wind blows along
 * it. */
#define GL_GLEXT_PROTOTYPES
#include "hill.h"
#include "offscreen.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <foehn/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 960, HEIGHT = 600, STEPS = 90, SIDE = 64 };

/* A corner of the sheet: metres from the hill's foot, and the texture at world / extent. */
static void corner(const foehn_volume_info *content, int i, int k)
{
    const double x = (i - SIDE / 2) * 0.9 / SIDE * content->extent[0];
    const double z = (k - SIDE / 2) * 0.9 / SIDE * content->extent[2];
    const double p[3] = {x, 30 * exp(-(x * x + z * z) / 2000) + 10, z};
    double turns[3];
    for (int a = 0; a < 3; a++) /* GL keeps floats: whole turns are taken off before */
        turns[a] = (p[a] + hill_center[a] -
                    floor(hill_center[a] / content->extent[a]) * content->extent[a]) /
                   content->extent[a];
    glTexCoord3dv(turns);
    glVertex3dv(p);
}

static void sheet(const foehn_volume_info *content)
{
    for (int k = 0; k < SIDE; k++) {
        glBegin(GL_TRIANGLE_STRIP);
        for (int i = 0; i <= SIDE; i++) {
            corner(content, i, k);
            corner(content, i, k + 1);
        }
        glEnd();
    }
}

/* The texture holds m/s, of which fixed functions can make a brightness: the dot product with the
 * direction of the wind, 4 (texel - 1/2) (color - 1/2). */
static void along_the_wind(double from, double full)
{
    const double to = (from + 180) * 3.14159265358979 / 180;
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_DOT3_RGB);
    glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_TEXTURE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE1_RGB, GL_PRIMARY_COLOR);
    glColor3d(0.5 + 0.25 * sin(to) / full, 0.5, 0.5 - 0.25 * cos(to) / full);
}

static int draw(const foehn_gl_info *info)
{
    /* Seen from the south-east and above, as in wind_gl. */
    const GLdouble view[16] = {0.8 / 165,  -0.45 / 165, 0.3 / 165, 0, 0, 1.6 / 120, 0, 0,
                               -0.6 / 165, -0.6 / 165,  0.4 / 165, 0, 0, -0.15,     0, 1};
    offscreen_target(WIDTH, HEIGHT);
    glClearColor(0.95f, 0.96f, 0.97f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(-1, 1, -1, 1, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixd(view);
    glColor3d(0.05, 0.15, 0.4); /* no wind */
    sheet(&info->content);
    glEnable(GL_BLEND); /* and 14 m/s or more: this added */
    glBlendColor(0.95f, 0.75f, 0.1f, 1);
    glBlendFunc(GL_CONSTANT_COLOR, GL_ONE);
    glEnable(info->target);
    glBindTexture(info->target, info->texture);
    along_the_wind(240, 14);
    sheet(&info->content);
    return !offscreen_write_png("wind_gl_legacy.png", WIDTH, HEIGHT);
}

int main(void)
{
    hill_wind hill;
    foehn_gl *gl = NULL;
    foehn_gl_info info;
    if (!offscreen_open(1))
        return offscreen_skip("no OpenGL 2.1 through EGL");
    foehn_gl_params publish = foehn_gl_params_default();
    publish.get_proc_address = offscreen_get_proc_address;
    foehn_status opened = hill_open(&hill, NULL);
    if (opened == FOEHN_ERROR_DEVICE)
        return offscreen_skip(foehn_last_error());
    int failed = opened || check(foehn_gl_create(hill.volume, &publish, &gl));
    for (int frame = 0; frame < STEPS && !failed; frame++)
        failed = hill_step(&hill) || check(foehn_gl_write(gl)); /* never waits */
    failed = failed || check(foehn_gl_write_and_wait(gl));
    if (!failed) {
        foehn_gl_get_info(gl, &info);
        printf("path: %s (%s)\nwind_gl_legacy.png is of step %d\n", foehn_gl_path_name(info.path),
               info.reason, (int)info.content.step);
        failed = draw(&info);
    }
    foehn_gl_destroy(gl);
    hill_close(&hill);
    offscreen_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
