/* SPDX-License-Identifier: MIT */
/** A volume as an OpenGL texture: 3-D for wind and fire, 2-D for layers of the flow lab.
 *
 *  For any OpenGL context from 2.1 with ARB_texture_float and ARB_half_float_pixel ("legacy") up,
 *  compatibility or core.  The library links no libGL and this header includes none: every entry
 *  point comes from the caller's get_proc_address.
 *
 *      foehn_gl_params params = foehn_gl_params_default();
 *      params.get_proc_address = SDL_GL_GetProcAddress;
 *      foehn_gl_create(volume, &params, &gl);
 *      each frame:
 *          foehn_wind_step_and_write_volume(wind, dt, volume);
 *          foehn_gl_write(gl);
 *          foehn_gl_get_info(gl, &info);
 *          glBindTexture(info.target, info.texture);   and info.content says where it lies
 *
 *  What a shader does with it is said in volume.h: with linear filtering, where content.repeats is
 *  1 (wind) at world / extent with repeat addressing, where it is 0 (fire, flow) at (position -
 *  origin) / extent with clamped addressing.
 *
 *  Three paths, the fastest that works is taken, and foehn_gl_info.reason says why no faster one:
 *
 *  shared    the device lists cl_khr_gl_sharing and the foehn context was made with the caller's GL
 *            context (foehn_context_params_set_gl): the device writes the texture itself.  Where it
 *            lists cl_khr_gl_event too the drivers order the two, else each write waits for both.
 *  imported  the device lists cl_khr_external_memory_opaque_fd and cl_khr_device_uuid, GL has
 *            EXT_memory_object_fd, and the caller passed a Vulkan loader: the device writes unpack
 *            buffers that Vulkan allocated, and GL copies from them.  Nothing passes through the
 *            host.
 *  copied    everywhere: the device writes into mapped unpack buffers, GL copies from them.
 *
 *  Calls that take a foehn_gl need the GL context that it was made in to be current.  They leave
 *  all state of that context as it was: bindings, active texture unit, pixel storage and transfer.
 *  Only foehn_gl_create() reads the error flags; an error that was pending before it is lost.
 *
 *  Two frames in flight: commands that were issued before foehn_gl_write() see the old content,
 *  those issued after it the new one, in the GL context it was made in.  Where another GL context
 *  of the share group samples the texture, the caller puts a fence between the two. */
#ifndef FOEHN_GL_H
#define FOEHN_GL_H

#include <foehn/base.h>
#include <foehn/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_gl foehn_gl;

/** The address of a GL function: SDL_GL_GetProcAddress, glfwGetProcAddress, eglGetProcAddress, ...,
 *  cast where its type differs. */
typedef void *(*foehn_gl_loader)(const char *name);

typedef enum foehn_gl_path {
    FOEHN_GL_COPIED = 0,
    FOEHN_GL_IMPORTED = 1,
    FOEHN_GL_SHARED = 2
} foehn_gl_path;

/** "copied", "imported", "shared".  Never NULL. */
FOEHN_API const char *foehn_gl_path_name(foehn_gl_path path);

typedef struct foehn_gl_params {
    size_t struct_size;               /**< set by foehn_gl_params_default(); leave alone */
    foehn_gl_loader get_proc_address; /**< required; must stay valid until destroy */
    unsigned target;  /**< GL_TEXTURE_2D (0x0DE1; needs nz = 1) or GL_TEXTURE_3D (0x806F); default
                           0: 2-D for a volume of one layer, else 3-D */
    unsigned texture; /**< the caller's, whose level 0 is GL_RGBA16F (0x881A) of the volume's size;
                           its filters and addressing stay as they are.  Default 0: textures are
                           made here, with linear filters, no mipmaps, and the addressing that
                           their content asks for */
    foehn_gl_path fastest; /**< take no faster path than this one; default FOEHN_GL_SHARED */
    void *vk_get_instance_proc_addr; /**< vkGetInstanceProcAddr, for the imported path; default
                                          NULL: that path is not taken */
} foehn_gl_params;

FOEHN_API void foehn_gl_params_init(foehn_gl_params *params, size_t size);
static inline foehn_gl_params foehn_gl_params_default(void)
{
    foehn_gl_params params;
    foehn_gl_params_init(&params, sizeof params);
    return params;
}

/** Prepare context parameters for sharing with the GL context that is current in this thread.
 *
 *  Asks EGL, else GLX, through the loader, and sets gl_system, gl_display and gl_context.  Where
 *  neither answers they stay as they are, and textures are copied; on other systems the caller sets
 *  them.  The GL context must live as long as the foehn context. */
FOEHN_API void foehn_context_params_set_gl(foehn_context_params *params,
                                           foehn_gl_loader get_proc_address);

/** Connect a volume with a texture.
 *
 *  volume   must live until foehn_gl_destroy(); one volume may have several foehn_gl
 *  params   nothing of it but the functions is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  no get_proc_address; an entry point is missing; no context is
 *                                 current, or one that is too old; the texture does not fit the
 *                                 volume
 *           FOEHN_ERROR_MEMORY    GL or the host has no memory for texture and buffers
 *           FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_gl_create(foehn_volume *volume,
                                                        const foehn_gl_params *params,
                                                        foehn_gl **out);

/** Destroy it, and the textures that it made.  NULL is allowed. */
FOEHN_API void foehn_gl_destroy(foehn_gl *gl);

/** Publish what was last written to the volume, and show what has arrived.
 *
 *  Never waits, neither for the device nor for GL, except on the shared path without
 *  cl_khr_gl_event.  On the other paths the content arrives in the texture with one of the next
 *  calls, often the next; while three are under way, content is passed over (foehn_gl_info.skipped)
 *  and the next call takes what is newest then.  Calling it again without new content only shows
 *  what has arrived meanwhile.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_MEMORY  GL could not map a buffer
 *           FOEHN_ERROR_OPENCL  the device failed; only destroy it now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_gl_write(foehn_gl *gl);

/** The same, and wait for the device: on return the texture is that of the volume's newest content
 *  for all GL commands that follow.  For screenshots, loading screens and tests. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_gl_write_and_wait(foehn_gl *gl);

typedef struct foehn_gl_info {
    unsigned texture;          /**< to bind now; ask again after each write, it may alternate */
    unsigned target;           /**< GL_TEXTURE_2D or GL_TEXTURE_3D */
    foehn_volume_info content; /**< what that texture holds: origin, extent, step; step 0 and
                                    extent 0 before anything has arrived */
    int pending;               /**< writes that are under way, 0 to 3; a caller that steps only
                                    while this is below 2 does not run ahead of the device */
    uint64_t shown;            /**< contents that reached the texture so far */
    uint64_t skipped;          /**< contents that were passed over so far */
    foehn_gl_path path;        /**< the one that is taken */
    const char *reason;        /**< why that one and no faster one, for a person; lives as long as
                                    gl does */
} foehn_gl_info;

FOEHN_API void foehn_gl_get_info(const foehn_gl *gl, foehn_gl_info *info);

#ifdef __cplusplus
}
#endif
#endif
