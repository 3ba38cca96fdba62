/* SPDX-License-Identifier: MIT */
/* Textures for a volume: made here, or the caller's and checked. */
#include "publish/gl_state.h"

#include <stdlib.h>

enum {
    TEXTURE_MAG_FILTER = 0x2800,
    TEXTURE_MIN_FILTER = 0x2801,
    TEXTURE_WRAP_S = 0x2802,
    TEXTURE_WRAP_T = 0x2803,
    TEXTURE_WRAP_R = 0x8072,
    TEXTURE_MAX_LEVEL = 0x813D,
    LINEAR = 0x2601,
    REPEAT = 0x2901,
    CLAMP_TO_EDGE = 0x812F,
    MAX_TEXTURE_SIZE = 0x0D33,
    MAX_3D_TEXTURE_SIZE = 0x8073,
    TEXTURE_WIDTH = 0x1000,
    TEXTURE_HEIGHT = 0x1001,
    TEXTURE_INTERNAL_FORMAT = 0x1003,
    TEXTURE_DEPTH = 0x8071,
    OUT_OF_MEMORY = 0x0505,
};

static foehn_status check_error(const foehn_gl *g, const char *what)
{
    unsigned error = foehn_gl_take_error(&g->api);
    if (error == GL_NO_ERROR_)
        return FOEHN_OK;
    return foehn_fail(error == OUT_OF_MEMORY ? FOEHN_ERROR_MEMORY : FOEHN_ERROR_ARGUMENT,
                      "foehn_gl_create: %s of %d x %d x %d: GL error 0x%04x", what, g->nx, g->ny,
                      g->nz, error);
}

void foehn_gl_upload(const foehn_gl *g)
{
    if (g->target == GL_TEXTURE_2D_)
        g->api.TexSubImage2D(g->target, 0, 0, 0, g->nx, g->ny, GL_RGBA_, GL_HALF_FLOAT_, NULL);
    else
        g->api.TexSubImage3D(g->target, 0, 0, 0, 0, g->nx, g->ny, g->nz, GL_RGBA_, GL_HALF_FLOAT_,
                             NULL);
}

/* Of the bound texture. */
static void set_addressing(const foehn_gl *g, int repeats)
{
    const int mode = repeats ? REPEAT : CLAMP_TO_EDGE;
    g->api.TexParameteri(g->target, TEXTURE_WRAP_S, mode);
    g->api.TexParameteri(g->target, TEXTURE_WRAP_T, mode);
    if (g->target == GL_TEXTURE_3D_)
        g->api.TexParameteri(g->target, TEXTURE_WRAP_R, mode);
}

void foehn_gl_set_addressing(foehn_gl *g, int texture)
{
    const int repeats = g->textures[texture].content.repeats;
    gl_state state;
    if (!g->owns_textures || g->textures[texture].repeats == repeats)
        return;
    foehn_gl_state_save(&g->api, g->target, &state);
    g->api.BindTexture(g->target, g->textures[texture].name);
    set_addressing(g, repeats);
    foehn_gl_state_restore(&g->api, &state);
    g->textures[texture].repeats = repeats;
}

static foehn_status make_texture(foehn_gl *g, unsigned *name, const void *zeros)
{
    const gl_api *gl = &g->api;
    bool flat = g->target == GL_TEXTURE_2D_;
    int largest = 0, most = g->nx > g->ny ? g->nx : g->ny;
    most = most > g->nz ? most : g->nz;
    gl->GetIntegerv(flat ? MAX_TEXTURE_SIZE : MAX_3D_TEXTURE_SIZE, &largest);
    if (most > largest)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_gl_create: %d x %d x %d texels: this GL takes %d on an axis",
                          g->nx, g->ny, g->nz, largest);
    gl->GenTextures(1, name);
    gl->BindTexture(g->target, *name);
    gl->TexParameteri(g->target, TEXTURE_MIN_FILTER, LINEAR);
    gl->TexParameteri(g->target, TEXTURE_MAG_FILTER, LINEAR);
    gl->TexParameteri(g->target, TEXTURE_MAX_LEVEL, 0);
    set_addressing(g, !flat);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, 0);
    if (flat)
        gl->TexImage2D(g->target, 0, GL_RGBA16F_, g->nx, g->ny, 0, GL_RGBA_, GL_HALF_FLOAT_, zeros);
    else
        gl->TexImage3D(g->target, 0, GL_RGBA16F_, g->nx, g->ny, g->nz, 0, GL_RGBA_, GL_HALF_FLOAT_,
                       zeros);
    return check_error(g, "a texture");
}

static foehn_status check_texture(const foehn_gl *g, unsigned name)
{
    int format = 0, nx = 0, ny = 0, nz = 1;
    const gl_api *gl = &g->api;
    gl->BindTexture(g->target, name);
    gl->GetTexLevelParameteriv(g->target, 0, TEXTURE_INTERNAL_FORMAT, &format);
    gl->GetTexLevelParameteriv(g->target, 0, TEXTURE_WIDTH, &nx);
    gl->GetTexLevelParameteriv(g->target, 0, TEXTURE_HEIGHT, &ny);
    if (g->target == GL_TEXTURE_3D_)
        gl->GetTexLevelParameteriv(g->target, 0, TEXTURE_DEPTH, &nz);
    if (foehn_gl_take_error(gl) == GL_NO_ERROR_ && format == GL_RGBA16F_ && nx == g->nx &&
        ny == g->ny && nz == g->nz)
        return FOEHN_OK;
    return foehn_fail(FOEHN_ERROR_ARGUMENT,
                      "foehn_gl_create: texture %u is %d x %d x %d texels of format 0x%04x; the "
                      "volume needs %d x %d x %d of GL_RGBA16F (0x881A) as target 0x%04x",
                      name, nx, ny, nz, (unsigned)format, g->nx, g->ny, g->nz, g->target);
}

foehn_status foehn_gl_open_textures(foehn_gl *g, unsigned given)
{
    foehn_status status = FOEHN_OK;
    g->owns_textures = given == 0;
    g->texture_count = given ? 1 : GL_TEXTURES;
    void *zeros = given ? NULL : calloc(g->bytes, 1);
    if (!given && !zeros)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_gl_create: no host memory");
    gl_state state;
    foehn_gl_take_error(&g->api);
    foehn_gl_state_save(&g->api, g->target, &state);
    if (given) {
        g->textures[0].name = given;
        status = check_texture(g, given);
    }
    for (int i = 0; i < GL_TEXTURES && !given && status == FOEHN_OK; i++)
        status = make_texture(g, &g->textures[i].name, zeros);
    foehn_gl_state_restore(&g->api, &state);
    free(zeros);
    for (int i = 0; i < g->texture_count; i++) {
        g->textures[i].content = (foehn_volume_info){.nx = g->nx, .ny = g->ny, .nz = g->nz};
        g->textures[i].repeats = g->target == GL_TEXTURE_3D_;
    }
    return status;
}
