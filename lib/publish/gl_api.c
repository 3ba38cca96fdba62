/* SPDX-License-Identifier: MIT */
/* GL entry points from the caller's loader, what the context can do, and its state. */
#include "publish/gl_state.h"

#include <stdio.h>
#include <string.h>

enum {
    VENDOR_VERSION = 0x1F02,       /* GL_VERSION */
    EXTENSIONS = 0x1F03,           /* GL_EXTENSIONS */
    NUM_EXTENSIONS = 0x821D,       /* GL_NUM_EXTENSIONS */
    CONTEXT_PROFILE_MASK = 0x9126, /* GL_CONTEXT_PROFILE_MASK */
    CORE_PROFILE_BIT = 1,
    TEXTURE_BINDING_2D = 0x8069,
    TEXTURE_BINDING_3D = 0x806A,
    PIXEL_UNPACK_BUFFER_BINDING = 0x88EF,
};

/* ---- loading ---- */

static foehn_status load_functions(gl_api *gl, foehn_gl_loader loader)
{
    void *address;
#define LOAD_FUNCTION(required, result, name, arguments)                                           \
    address = loader("gl" #name);                                                                  \
    if ((required) && !address)                                                                    \
        return foehn_fail(FOEHN_ERROR_ARGUMENT,                                                    \
                          "foehn_gl_create: get_proc_address knows no gl" #name                    \
                          ": it must be the one of the current context's window system");          \
    memcpy(&gl->name, &address, sizeof address);
    FOEHN_GL_FUNCTIONS(LOAD_FUNCTION)
#undef LOAD_FUNCTION
    return FOEHN_OK;
}

static bool is_word_of(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; p && (p = strstr(p, word)) != NULL; p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == 0 || p[length] == ' '))
            return true;
    return false;
}

static bool lists(const gl_api *gl, const char *extension)
{
    if (gl->version < 30 || !gl->GetStringi)
        return is_word_of((const char *)gl->GetString(EXTENSIONS), extension);
    int count = 0;
    gl->GetIntegerv(NUM_EXTENSIONS, &count);
    for (int i = 0; i < count; i++) {
        const char *name = (const char *)gl->GetStringi(EXTENSIONS, (unsigned)i);
        if (name && strcmp(name, extension) == 0)
            return true;
    }
    return false;
}

/* Loaders return stubs for what a context lacks: its version and extensions decide. */
static void find_abilities(gl_api *gl)
{
    int profile = 0;
    if (gl->version >= 32)
        gl->GetIntegerv(CONTEXT_PROFILE_MASK, &profile);
    gl->has_pixel_transfer = !(profile & CORE_PROFILE_BIT) &&
                             (gl->version != 31 || lists(gl, "GL_ARB_compatibility")) &&
                             gl->PixelTransferf && gl->GetFloatv;
    gl->has_fences = (gl->version >= 32 || lists(gl, "GL_ARB_sync")) && gl->FenceSync &&
                     gl->ClientWaitSync && gl->DeleteSync;
    gl->has_persistent_maps = gl->has_fences &&
                              (gl->version >= 44 || lists(gl, "GL_ARB_buffer_storage")) &&
                              gl->BufferStorage && gl->MapBufferRange;
    gl->has_memory_objects = gl->has_fences && lists(gl, "GL_EXT_memory_object_fd") &&
                             gl->GetUnsignedBytei_vEXT && gl->CreateMemoryObjectsEXT &&
                             gl->DeleteMemoryObjectsEXT && gl->MemoryObjectParameterivEXT &&
                             gl->ImportMemoryFdEXT && gl->BufferStorageMemEXT;
}

foehn_status foehn_gl_api_load(gl_api *gl, foehn_gl_loader loader)
{
    memset(gl, 0, sizeof *gl);
    TRY(load_functions(gl, loader));
    const char *version = (const char *)gl->GetString(VENDOR_VERSION);
    int major = 0, minor = 0;
    if (!version)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_gl_create: no GL context is current in this thread");
    if (sscanf(version, "%d.%d", &major, &minor) != 2 || 10 * major + minor < 21)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_gl_create: the context is \"%s\": OpenGL 2.1 or later is needed",
                          version);
    gl->version = 10 * major + minor;
    static const char *const halves[] = {"GL_ARB_texture_float", "GL_ARB_half_float_pixel"};
    for (size_t i = 0; i < 2 && gl->version < 30; i++)
        if (!lists(gl, halves[i]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "foehn_gl_create: the context is \"%s\" without %s: half-float "
                              "textures need it, or OpenGL 3.0",
                              version, halves[i]);
    find_abilities(gl);
    return FOEHN_OK;
}

unsigned foehn_gl_take_error(const gl_api *gl)
{
    /* One flag a server; a lost context may report for ever. */
    unsigned first = GL_NO_ERROR_, error;
    for (int i = 0; i < 16 && (error = gl->GetError()) != GL_NO_ERROR_; i++)
        first = first == GL_NO_ERROR_ ? error : first;
    return first;
}

/* ---- state ---- */

static const struct {
    unsigned name;
    int value;
} unpack_states[GL_UNPACK_STATES] = {
    {0x0CF0, 0}, /* GL_UNPACK_SWAP_BYTES */
    {0x0CF1, 0}, /* GL_UNPACK_LSB_FIRST */
    {0x0CF2, 0}, /* GL_UNPACK_ROW_LENGTH */
    {0x0CF3, 0}, /* GL_UNPACK_SKIP_ROWS */
    {0x0CF4, 0}, /* GL_UNPACK_SKIP_PIXELS */
    {0x0CF5, 8}, /* GL_UNPACK_ALIGNMENT */
    {0x806D, 0}, /* GL_UNPACK_SKIP_IMAGES */
    {0x806E, 0}, /* GL_UNPACK_IMAGE_HEIGHT */
};

static const struct {
    unsigned name;
    float value;
} transfer_states[GL_TRANSFER_STATES] = {
    {0x0D10, 0},                                        /* GL_MAP_COLOR */
    {0x0D14, 1}, {0x0D18, 1}, {0x0D1A, 1}, {0x0D1C, 1}, /* GL_RED, GREEN, BLUE, ALPHA_SCALE */
    {0x0D15, 0}, {0x0D19, 0}, {0x0D1B, 0}, {0x0D1D, 0}, /* the same with _BIAS */
};

void foehn_gl_state_save(const gl_api *gl, unsigned target, gl_state *s)
{
    s->target = target;
    gl->GetIntegerv(target == GL_TEXTURE_2D_ ? TEXTURE_BINDING_2D : TEXTURE_BINDING_3D,
                    &s->texture);
    gl->GetIntegerv(PIXEL_UNPACK_BUFFER_BINDING, &s->buffer);
    for (int i = 0; i < GL_UNPACK_STATES; i++) {
        gl->GetIntegerv(unpack_states[i].name, &s->unpack[i]);
        if (s->unpack[i] != unpack_states[i].value)
            gl->PixelStorei(unpack_states[i].name, unpack_states[i].value);
    }
    for (int i = 0; i < GL_TRANSFER_STATES && gl->has_pixel_transfer; i++) {
        gl->GetFloatv(transfer_states[i].name, &s->transfer[i]);
        if (s->transfer[i] != transfer_states[i].value)
            gl->PixelTransferf(transfer_states[i].name, transfer_states[i].value);
    }
}

void foehn_gl_state_restore(const gl_api *gl, const gl_state *s)
{
    for (int i = 0; i < GL_TRANSFER_STATES && gl->has_pixel_transfer; i++)
        if (s->transfer[i] != transfer_states[i].value)
            gl->PixelTransferf(transfer_states[i].name, s->transfer[i]);
    for (int i = 0; i < GL_UNPACK_STATES; i++)
        if (s->unpack[i] != unpack_states[i].value)
            gl->PixelStorei(unpack_states[i].name, s->unpack[i]);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, (unsigned)s->buffer);
    gl->BindTexture(s->target, (unsigned)s->texture);
}
