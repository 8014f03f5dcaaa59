/* SPDX-License-Identifier: MIT */
/*
 * What the OpenGL ES programs in this folder share: programs to be recorded, each with one job.
 *
 * They draw into textures (EGL surfaceless), so that no window system and no display is needed.
 * Whatever fails ends the program with a message and status 1.
 */
#ifndef TESTS_CLIENTS_GL_CLIENT_H
#define TESTS_CLIENTS_GL_CLIENT_H

#include <EGL/egl.h>
#include <GLES3/gl31.h>

struct gl_client {
    EGLDisplay display;
    EGLContext context;
};

/* A current OpenGL ES 3.1 context without a surface; prints EGL's and OpenGL's names. */
void gl_client_start(struct gl_client *client);
/* Prints "NAME: done" and takes the context down. */
void gl_client_end(struct gl_client *client, const char *name);

GLuint gl_client_shader(GLenum type, const char *source);
/* Linked from one or two shaders (0: none). */
GLuint gl_client_program(GLuint first, GLuint second);
/* Binds a new framebuffer with one RGBA8 texture, and sets the viewport to it. */
void gl_client_framebuffer(GLsizei width, GLsizei height);

#endif
