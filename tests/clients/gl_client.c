/* SPDX-License-Identifier: MIT */
#include "tests/clients/gl_client.h"

#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG_BYTES = 1000 };

static void fail(const char *what, unsigned code)
{
    fprintf(stderr, "%s failed (%#x)\n", what, code);
    exit(1);
}

static EGLDisplay surfaceless_display(void)
{
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");

    if (!get_display)
        fail("eglGetPlatformDisplayEXT", 0);
    return get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

void gl_client_start(struct gl_client *client)
{
    static const EGLint config_wish[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE,
                                         0, EGL_NONE};
    static const EGLint context_wish[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                          1, EGL_NONE};
    EGLint major, minor, config_count = 0;
    EGLConfig config = NULL;

    client->display = surfaceless_display();
    if (!eglInitialize(client->display, &major, &minor))
        fail("eglInitialize", (unsigned)eglGetError());
    printf("EGL %d.%d %s\n", major, minor, eglQueryString(client->display, EGL_VENDOR));
    eglBindAPI(EGL_OPENGL_ES_API);
    eglChooseConfig(client->display, config_wish, &config, 1, &config_count);
    client->context = eglCreateContext(client->display, config_count ? config : NULL,
                                       EGL_NO_CONTEXT, context_wish);
    if (!client->context)
        fail("eglCreateContext", (unsigned)eglGetError());
    eglMakeCurrent(client->display, EGL_NO_SURFACE, EGL_NO_SURFACE, client->context);
    printf("%s, %s, %s\n", (const char *)glGetString(GL_VENDOR),
           (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
}

void gl_client_end(struct gl_client *client, const char *name)
{
    const GLenum error = glGetError();

    if (error != GL_NO_ERROR)
        fail(name, error);
    eglMakeCurrent(client->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(client->display, client->context);
    eglTerminate(client->display);
    printf("%s: done\n", name);
}

GLuint gl_client_shader(GLenum type, const char *source)
{
    const GLuint shader = glCreateShader(type);
    char log[LOG_BYTES];
    GLint good;

    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fail(log, shader);
    }
    return shader;
}

GLuint gl_client_program(GLuint first, GLuint second)
{
    const GLuint program = glCreateProgram();
    char log[LOG_BYTES];
    GLint good;

    glAttachShader(program, first);
    if (second)
        glAttachShader(program, second);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fail(log, program);
    }
    return program;
}

void gl_client_framebuffer(GLsizei width, GLsizei height)
{
    GLuint texture, framebuffer;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("glCheckFramebufferStatus", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    glViewport(0, 0, width, height);
}
