/* SPDX-License-Identifier: MIT */
/*
 * Two threads, each with a context of its own, clear textures and wait, one at a time (in any
 * order).
 */
#include <pthread.h>
#include <stddef.h>

#include "tests/clients/gl_client.h"

enum { THREADS = 2, ROUNDS = 3 };

struct worker {
    EGLDisplay display;
    EGLContext context;
};

/* One thread is ever at work: Mesa 22.3's driver for NVIDIA is not safe with more. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    const struct worker *worker = argument;

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&turn);
        eglMakeCurrent(worker->display, EGL_NO_SURFACE, EGL_NO_SURFACE, worker->context);
        if (i == 0)
            gl_client_framebuffer(64, 64);
        glClear(GL_COLOR_BUFFER_BIT);
        glFinish();
        eglMakeCurrent(worker->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        pthread_mutex_unlock(&turn);
    }
    return NULL;
}

int main(void)
{
    static const EGLint wish[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                  EGL_NONE};
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    struct gl_client client;

    gl_client_start(&client);
    for (int i = 0; i < THREADS; i++) {
        workers[i].display = client.display;
        workers[i].context = eglCreateContext(client.display, NULL, EGL_NO_CONTEXT, wish);
        if (!workers[i].context || pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        eglDestroyContext(client.display, workers[i].context);
    }
    gl_client_end(&client, "gl_threads");
    return 0;
}
