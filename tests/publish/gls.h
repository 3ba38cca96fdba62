/* SPDX-License-Identifier: MIT */
/* OpenGL for tests of what is published to it: a loader that hides and breaks functions, texels
 * read back. */
#ifndef FOEHN_TESTS_GLS_H
#define FOEHN_TESTS_GLS_H

#include "publish/published.h"
#include "publish/sharing.h"

#include <foehn/gl.h>

#include "examples/offscreen.h"
#ifdef HAVE_VULKAN
#include "publish/vulkan_state.h"
#endif

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

/* OpenGL 3.3 core, or 2.1 in the program that is built for it. */
#ifdef TEST_LEGACY
enum { LEGACY = 1 };
#else
enum { LEGACY = 0 };
#endif

/* Names that the loader does not know, as an older driver would. */
extern const char *gls_hidden[4];
extern const char *gls_version;
/* What a driver may do when memory is short, or the screen was lost. */
extern bool gls_maps_fail, gls_unmaps_fail;
/* A GL that is far behind: it has not yet read what it was given. */
extern bool gls_is_behind;

void gls_reopen(void);
void *gls_load(const char *name);
/* 0: all there is; 1: no persistent maps; 2: no fences either. */
void gls_hide(int level);
foehn_gl *gls_open(foehn_volume *volume, unsigned texture, foehn_gl_path fastest);
/* Are these what the texture holds? */
bool gls_hold(const published *p, const foehn_gl_info *info, const uint16_t *halves);
/* Three steps, each bit for bit the host's halves, with the info that belongs to them. */
void gls_publish(published *p, foehn_gl *gl);
void gls_compare(foehn_context *ctx, foehn_gl_path path);

/* ---- the files of tests, one subject each ---- */

void add_gl_texels_tests(TCase *tests);
void add_gl_frames_tests(TCase *tests);
void add_gl_errors_tests(TCase *tests);
void add_gl_shared_tests(TCase *tests);

#endif
