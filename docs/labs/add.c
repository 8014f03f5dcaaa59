/* SPDX-License-Identifier: MIT */
/*
 * Lab 1: c = a + b, as a compute shader of OpenGL ES. 16 blocks of 64 threads.
 *
 *     gcc -o add add.c -lEGL -lGLESv2
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <stdio.h>

enum { THREADS = 64, BLOCKS = 16, COUNT = THREADS * BLOCKS };

static const char kernel[] = "#version 310 es\n"
                             "layout(local_size_x = 64) in;\n" /* THREADS */
                             "layout(binding = 0) buffer A { int a[]; };\n"
                             "layout(binding = 1) buffer B { int b[]; };\n"
                             "layout(binding = 2) buffer C { int c[]; };\n"
                             "void main()\n"
                             "{\n"
                             "    uint i = gl_GlobalInvocationID.x;\n"
                             "    c[i] = a[i] + b[i];\n"
                             "}\n";

/* OpenGL without a window. */
static void start(void)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                     EGL_NONE};
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);

    eglInitialize(display, NULL, NULL);
    eglBindAPI(EGL_OPENGL_ES_API);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                   eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version));
    printf("%s, %s\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION));
}

int main(void)
{
    static int values[COUNT];
    const char *source = kernel;
    GLuint buffers[3];

    start();
    glGenBuffers(3, buffers);
    for (GLuint i = 0; i < 3; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, values, GL_STATIC_DRAW);
    }
    glUseProgram(glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source));
    glDispatchCompute(BLOCKS, 1, 1);
    glFinish();
    return glGetError() != GL_NO_ERROR;
}
