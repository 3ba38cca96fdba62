/* SPDX-License-Identifier: MIT */
/* OpenGL 3.3 core as foehn view uses it: entry points through SDL, shaders, buffers, textures. */
#ifndef VIEW_GL_H
#define VIEW_GL_H

#include "tool.h"

#define GL_GLEXT_PROTOTYPES /* types of the functions; nothing is linked */
#include <SDL_opengl.h>

/* clang-format off */
#define VIEW_GL_FUNCTIONS(F)                                                                       \
    F(ActiveTexture) F(AttachShader) F(BindBuffer) F(BindTexture) F(BindVertexArray) F(BlendFunc)  \
    F(BufferData) F(Clear) F(ClearColor) F(CompileShader) F(CreateProgram) F(CreateShader)         \
    F(DeleteBuffers) F(DeleteProgram) F(DeleteShader) F(DeleteTextures) F(DeleteVertexArrays)      \
    F(DepthMask) F(Disable) F(DrawArrays) F(DrawElements) F(Enable) F(EnableVertexAttribArray)     \
    F(GenBuffers) F(GenTextures) F(GenVertexArrays) F(GetProgramInfoLog) F(GetProgramiv)           \
    F(GetShaderInfoLog) F(GetShaderiv) F(GetString) F(GetUniformLocation) F(LinkProgram)           \
    F(PixelStorei) F(PointSize) F(ReadPixels) F(ShaderSource) F(TexImage2D) F(TexParameteri)       \
    F(Uniform1f) F(Uniform1i) F(Uniform2f) F(Uniform3f) F(UniformMatrix4fv) F(UseProgram)          \
    F(VertexAttribPointer) F(Viewport)
/* clang-format on */

typedef struct view_gl {
#define VIEW_GL_MEMBER(name) __typeof__(&gl##name) name;
    VIEW_GL_FUNCTIONS(VIEW_GL_MEMBER)
#undef VIEW_GL_MEMBER
} view_gl;
extern view_gl gl;

/* Find the functions of the current context. */
int view_gl_load(void);

/* What runs on the card.  Both sources begin after the version line. */
int view_program(const char *name, const char *vertex, const char *fragment, GLuint *out);
void view_set_int(GLuint program, const char *name, int value);
void view_set(GLuint program, const char *name, float value);
void view_set2(GLuint program, const char *name, float a, float b);
void view_set3(GLuint program, const char *name, const float v[3]);
void view_set_matrix(GLuint program, const char *name, const float columns[16]);

/* A vertex buffer with its layout: counts of floats of each attribute, 0 ends the list. */
typedef struct view_mesh {
    GLuint array, vertices, indices;
    int floats; /* a vertex */
    int count;  /* of vertices, or of indices where there are any */
} view_mesh;
void view_mesh_create(view_mesh *mesh, const int *sizes);
void view_mesh_set(view_mesh *mesh, int count, const float *vertices);
void view_mesh_set_indices(view_mesh *mesh, int count, const uint32_t *indices);
void view_mesh_draw(const view_mesh *mesh, GLenum kind);
void view_mesh_destroy(view_mesh *mesh);

/* A 2-D texture with clamped addressing: one float (R32F), one byte (R8) or four bytes a texel. */
typedef enum view_texels { TEXELS_FLOAT, TEXELS_BYTE, TEXELS_RGBA } view_texels;
GLuint view_texture_create(bool linear);
void view_texture_set(GLuint texture, view_texels kind, int width, int height, const void *texels);
void view_texture_bind(int unit, GLenum target, GLuint texture);

#endif
