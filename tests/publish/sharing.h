/* SPDX-License-Identifier: MIT */
/* Doubles of what no driver at hand lists: cl_khr_gl_sharing, external memory and semaphores.
 *
 * Their buffers and images are real ones of the device, so texels really arrive: a shared image is
 * uploaded to the GL texture when it is released, an imported buffer is the exporter's memory,
 * mapped. The linker wraps the OpenCL functions; each double is off unless a test switches it on.
 */
#ifndef FOEHN_TESTS_SHARING_H
#define FOEHN_TESTS_SHARING_H

#include "testing.h"

typedef struct sharing_double {
    const char *extensions; /* added to the device's; "": none, and all doubles but GL's are off */
    uint8_t uuid[16];       /* of the device */
    int texels[3];          /* of shared textures: clCreateFromGLTexture would ask GL */

    /* What fails. */
    bool refuses_context; /* with GL properties */
    bool is_other_device; /* the GL context's */
    bool refuses_texture; /* clCreateFromGLTexture */
    bool refuses_import;
    int semaphore_refusals; /* property lists that fail with -64 before one is taken */

    /* What happened. */
    int gl_contexts; /* made with GL properties */
    int acquired, released;
    int touched_unacquired; /* kernels given memory that was not acquired */
    int imports, semaphores, signals;
    char order[64]; /* F glFinish, A acquire, C copy to image, R release, c clFinish */
} sharing_double;

extern sharing_double sharing;

/* All off. */
void sharing_reset(void);

/* A context of foehn on the device as the double shows it; gl: beside the GL context. */
foehn_context *sharing_context(bool gl);

/* The GL uploads of a shared image; NULL in tests without GL. */
extern void (*sharing_upload)(unsigned target, unsigned texture, int nx, int ny, int nz,
                              const void *halves);

/* Where an exporter's bytes begin in the file behind its descriptor: found by exporting. */
extern size_t sharing_fd_offset;

void sharing_note(char what);

#endif
