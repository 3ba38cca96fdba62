/* SPDX-License-Identifier: MIT */
/* OpenGL as foehn view uses it. */
#include "config.h"

#include "view/textures.h"

#include <SDL.h>

view_gl gl;

int view_gl_load(void)
{
    const char *missing = NULL;
#define LOAD(name)                                                                                 \
    do {                                                                                           \
        void *address = SDL_GL_GetProcAddress("gl" #name);                                         \
        memcpy(&gl.name, &address, sizeof address);                                                \
        if (!address)                                                                              \
            missing = "gl" #name;                                                                  \
    } while (0);
    VIEW_GL_FUNCTIONS(LOAD)
#undef LOAD
    if (missing)
        return fail(STATUS_FAILED,
                    "view: the OpenGL driver has no %s: OpenGL 3.3 is needed, such as "
                    "Mesa's software driver (libgl1-mesa-dri)",
                    missing);
    return STATUS_OK;
}

/* ---- programs ---- */

static int compile(const char *name, GLenum kind, const char *source, GLuint *out)
{
    const char *const sources[2] = {"#version 330 core\n#line 1\n", source};
    char log[1024] = "";
    GLint done = 0;
    *out = gl.CreateShader(kind);
    gl.ShaderSource(*out, 2, sources, NULL);
    gl.CompileShader(*out);
    gl.GetShaderiv(*out, GL_COMPILE_STATUS, &done);
    if (done)
        return STATUS_OK;
    gl.GetShaderInfoLog(*out, sizeof log, NULL, log);
    return fail(STATUS_FAILED,
                "view: the OpenGL driver refuses the %s shader of %s: %s: please "
                "report this",
                kind == GL_VERTEX_SHADER ? "vertex" : "fragment", name, log);
}

int view_program(const char *name, const char *vertex, const char *fragment, GLuint *out)
{
    GLuint shaders[2] = {0, 0};
    char log[1024] = "";
    GLint done = 0;
    int status = compile(name, GL_VERTEX_SHADER, vertex, &shaders[0]);
    if (status == STATUS_OK)
        status = compile(name, GL_FRAGMENT_SHADER, fragment, &shaders[1]);
    *out = gl.CreateProgram();
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        gl.AttachShader(*out, shaders[i]);
    if (status == STATUS_OK) {
        gl.LinkProgram(*out);
        gl.GetProgramiv(*out, GL_LINK_STATUS, &done);
        gl.GetProgramInfoLog(*out, sizeof log, NULL, log);
        if (!done)
            status = fail(STATUS_FAILED, "view: the OpenGL driver does not link %s: %s", name, log);
    }
    for (int i = 0; i < 2; i++)
        if (shaders[i])
            gl.DeleteShader(shaders[i]);
    return status;
}

void view_set_int(GLuint program, const char *name, int value)
{
    gl.Uniform1i(gl.GetUniformLocation(program, name), value);
}

void view_set(GLuint program, const char *name, float value)
{
    gl.Uniform1f(gl.GetUniformLocation(program, name), value);
}

void view_set2(GLuint program, const char *name, float a, float b)
{
    gl.Uniform2f(gl.GetUniformLocation(program, name), a, b);
}

void view_set3(GLuint program, const char *name, const float v[3])
{
    gl.Uniform3f(gl.GetUniformLocation(program, name), v[0], v[1], v[2]);
}

void view_set_matrix(GLuint program, const char *name, const float columns[16])
{
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, name), 1, GL_FALSE, columns);
}

/* ---- meshes ---- */

void view_mesh_create(view_mesh *m, const int *sizes)
{
    memset(m, 0, sizeof *m);
    gl.GenVertexArrays(1, &m->array);
    gl.GenBuffers(1, &m->vertices);
    gl.BindVertexArray(m->array);
    gl.BindBuffer(GL_ARRAY_BUFFER, m->vertices);
    for (int i = 0; sizes[i]; i++)
        m->floats += sizes[i];
    size_t at = 0;
    for (int i = 0; sizes[i]; i++) {
        gl.EnableVertexAttribArray((GLuint)i);
        gl.VertexAttribPointer((GLuint)i, sizes[i], GL_FLOAT, GL_FALSE,
                               m->floats * (int)sizeof(float), (const void *)at);
        at += (size_t)sizes[i] * sizeof(float);
    }
}

void view_mesh_set(view_mesh *m, int count, const float *vertices)
{
    gl.BindBuffer(GL_ARRAY_BUFFER, m->vertices);
    gl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)count * m->floats * (GLsizeiptr)sizeof(float),
                  vertices, GL_STREAM_DRAW);
    if (!m->indices)
        m->count = count;
}

void view_mesh_set_indices(view_mesh *m, int count, const uint32_t *indices)
{
    gl.BindVertexArray(m->array);
    if (!m->indices)
        gl.GenBuffers(1, &m->indices);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)count * (GLsizeiptr)sizeof *indices, indices,
                  GL_STATIC_DRAW);
    m->count = count;
}

void view_mesh_draw(const view_mesh *m, GLenum kind)
{
    gl.BindVertexArray(m->array);
    if (m->indices)
        gl.DrawElements(kind, m->count, GL_UNSIGNED_INT, NULL);
    else
        gl.DrawArrays(kind, 0, m->count);
}

void view_mesh_destroy(view_mesh *m)
{
    if (!m->array)
        return;
    gl.DeleteVertexArrays(1, &m->array);
    gl.DeleteBuffers(1, &m->vertices);
    if (m->indices)
        gl.DeleteBuffers(1, &m->indices);
    memset(m, 0, sizeof *m);
}

/* ---- textures ---- */

GLuint view_texture_create(bool linear)
{
    GLuint texture;
    GLint filter = linear ? GL_LINEAR : GL_NEAREST;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

void view_texture_set(GLuint texture, view_texels kind, int width, int height, const void *texels)
{
    static const struct {
        GLint inside;
        GLenum order, type;
    } kinds[] = {{GL_R32F, GL_RED, GL_FLOAT},
                 {GL_R8, GL_RED, GL_UNSIGNED_BYTE},
                 {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE}};
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl.TexImage2D(GL_TEXTURE_2D, 0, kinds[kind].inside, width, height, 0, kinds[kind].order,
                  kinds[kind].type, texels);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void view_texture_bind(int unit, GLenum target, GLuint texture)
{
    gl.ActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    gl.BindTexture(target, texture);
    gl.ActiveTexture(GL_TEXTURE0);
}
