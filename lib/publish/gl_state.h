/* SPDX-License-Identifier: MIT */
/* The GL adapter's own: entry points, what the context can do, state that is put back. */
#ifndef FOEHN_LIB_GL_H
#define FOEHN_LIB_GL_H

#include "publish/ring.h"

#include <foehn/gl.h>

/* ---- GL's numbers, as the OpenGL registry gives them; GL's headers are not needed ---- */

enum {
    GL_NO_ERROR_ = 0,
    GL_TEXTURE_2D_ = 0x0DE1,
    GL_TEXTURE_3D_ = 0x806F,
    GL_RGBA_ = 0x1908,
    GL_RGBA16F_ = 0x881A,
    GL_HALF_FLOAT_ = 0x140B,
    GL_PIXEL_UNPACK_BUFFER_ = 0x88EC,
};

/* ---- gl_api.c ---- */

/* X(required, result, name, arguments): all that the adapter calls. */
#define FOEHN_GL_FUNCTIONS(X)                                                                      \
    X(true, const unsigned char *, GetString, (unsigned name))                                     \
    X(true, void, GetIntegerv, (unsigned name, int *out))                                          \
    X(true, unsigned, GetError, (void))                                                            \
    X(true, void, GenTextures, (int count, unsigned *out))                                         \
    X(true, void, DeleteTextures, (int count, const unsigned *textures))                           \
    X(true, void, BindTexture, (unsigned target, unsigned texture))                                \
    X(true, void, TexParameteri, (unsigned target, unsigned name, int value))                      \
    X(true, void, TexImage2D,                                                                      \
      (unsigned target, int level, int format, int nx, int ny, int border, unsigned layout,        \
       unsigned type, const void *texels))                                                         \
    X(true, void, TexImage3D,                                                                      \
      (unsigned target, int level, int format, int nx, int ny, int nz, int border,                 \
       unsigned layout, unsigned type, const void *texels))                                        \
    X(true, void, TexSubImage2D,                                                                   \
      (unsigned target, int level, int x, int y, int nx, int ny, unsigned layout, unsigned type,   \
       const void *texels))                                                                        \
    X(true, void, TexSubImage3D,                                                                   \
      (unsigned target, int level, int x, int y, int z, int nx, int ny, int nz, unsigned layout,   \
       unsigned type, const void *texels))                                                         \
    X(true, void, GetTexLevelParameteriv, (unsigned target, int level, unsigned name, int *out))   \
    X(true, void, PixelStorei, (unsigned name, int value))                                         \
    X(true, void, GenBuffers, (int count, unsigned *out))                                          \
    X(true, void, DeleteBuffers, (int count, const unsigned *buffers))                             \
    X(true, void, BindBuffer, (unsigned target, unsigned buffer))                                  \
    X(true, void, BufferData, (unsigned target, ptrdiff_t size, const void *data, unsigned usage)) \
    X(true, void *, MapBuffer, (unsigned target, unsigned access))                                 \
    X(true, unsigned char, UnmapBuffer, (unsigned target))                                         \
    X(true, void, Finish, (void))                                                                  \
    X(false, const unsigned char *, GetStringi, (unsigned name, unsigned index))                   \
    X(false, void, GetFloatv, (unsigned name, float *out))                                         \
    X(false, void, PixelTransferf, (unsigned name, float value))                                   \
    X(false, void, BufferStorage,                                                                  \
      (unsigned target, ptrdiff_t size, const void *data, unsigned flags))                         \
    X(false, void *, MapBufferRange,                                                               \
      (unsigned target, ptrdiff_t offset, ptrdiff_t size, unsigned access))                        \
    X(false, void *, FenceSync, (unsigned condition, unsigned flags))                              \
    X(false, unsigned, ClientWaitSync, (void *sync, unsigned flags, uint64_t nanoseconds))         \
    X(false, void, DeleteSync, (void *sync))                                                       \
    X(false, void, GetUnsignedBytei_vEXT, (unsigned name, unsigned index, unsigned char *out))     \
    X(false, void, CreateMemoryObjectsEXT, (int count, unsigned *out))                             \
    X(false, void, DeleteMemoryObjectsEXT, (int count, const unsigned *objects))                   \
    X(false, void, MemoryObjectParameterivEXT, (unsigned object, unsigned name, const int *value)) \
    X(false, void, ImportMemoryFdEXT, (unsigned object, uint64_t size, unsigned type, int fd))     \
    X(false, void, BufferStorageMemEXT,                                                            \
      (unsigned target, ptrdiff_t size, unsigned object, uint64_t offset))

typedef struct gl_api {
#define FOEHN_GL_MEMBER(required, result, name, arguments) result(*name) arguments;
    FOEHN_GL_FUNCTIONS(FOEHN_GL_MEMBER)
#undef FOEHN_GL_MEMBER
    int version;             /* 10 * major + minor */
    bool has_pixel_transfer; /* not a core profile: scale, bias and maps apply to uploads */
    bool has_fences;
    bool has_persistent_maps;
    bool has_memory_objects; /* EXT_memory_object_fd */
} gl_api;

foehn_status foehn_gl_api_load(gl_api *gl, foehn_gl_loader loader);

/* State that uploads depend on, saved and set to what they need. */
enum { GL_UNPACK_STATES = 8, GL_TRANSFER_STATES = 9 };
typedef struct gl_state {
    unsigned target;
    int texture, buffer;
    int unpack[GL_UNPACK_STATES];
    float transfer[GL_TRANSFER_STATES];
} gl_state;
void foehn_gl_state_save(const gl_api *gl, unsigned target, gl_state *state);
void foehn_gl_state_restore(const gl_api *gl, const gl_state *state);

/* Out of the error flags; GL_NO_ERROR_ if there was none. */
unsigned foehn_gl_take_error(const gl_api *gl);

/* ---- gl_shared.c: the device writes the textures ---- */

/* The texture as an OpenCL image.  NULL with the reason. */
cl_mem foehn_gl_shared_image(foehn_context *ctx, unsigned target, unsigned texture,
                             size_t reason_size, char *reason);

/* Copy the newest content into it, ordered with GL's commands; done tells when. */
foehn_status foehn_gl_shared_write(const gl_api *gl, foehn_volume *volume, cl_mem image,
                                   cl_event *done);

/* ---- gl_imported.c: unpack buffers in memory of Vulkan's ---- */

typedef struct gl_vulkan gl_vulkan;

/* Make RING_SLOTS unpack buffers of this size that the device can write.  NULL with the reason. */
gl_vulkan *foehn_gl_imported_create(const gl_api *gl, const foehn_external *external,
                                    void *get_instance_proc_addr, size_t bytes,
                                    cl_mem device[RING_SLOTS], unsigned buffers[RING_SLOTS],
                                    size_t reason_size, char *reason);
/* After the buffers and the device's were released. */
void foehn_gl_imported_destroy(const gl_api *gl, gl_vulkan *memory);

/* ---- the adapter ---- */

enum { GL_TEXTURES = 2 };

struct foehn_gl {
    gl_api api;
    foehn_context *ctx;
    int nx, ny, nz;
    size_t bytes;
    unsigned target;
    bool owns_textures;
    int texture_count, front; /* front is the one that is shown */
    struct {
        unsigned name;
        cl_mem image; /* shared */
        int repeats;  /* its addressing, where it was made here */
        foehn_volume_info content;
    } textures[GL_TEXTURES];
    foehn_gl_path path;
    char reason[768];
    foehn_ring ring;
    unsigned buffers[RING_SLOTS];
    void *fences[RING_SLOTS];
    gl_vulkan *memory; /* imported */
};

/* ---- gl_texture.c ---- */

/* Check the given texture, or, if it is 0, make two that hold 0. */
foehn_status foehn_gl_open_textures(foehn_gl *g, unsigned given);

/* Addressing of a texture made here, as its content asks for it. */
void foehn_gl_set_addressing(foehn_gl *g, int texture);

/* The whole bound unpack buffer into the bound texture. */
void foehn_gl_upload(const foehn_gl *g);

#endif
