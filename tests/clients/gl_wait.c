/* SPDX-License-Identifier: MIT */
/*
 * Waits for the GPU in every way that the recorder hooks: glClientWaitSync, glFinish got through
 * eglGetProcAddress, glReadPixels; and reads pixels into a buffer, which does not wait.
 */
#include <stddef.h>

#include "tests/clients/gl_client.h"

enum { SIZE = 64 };

int main(void)
{
    typedef void finish_function(void);
    static unsigned char pixels[SIZE * SIZE * 4];
    struct gl_client client;
    finish_function *finish;
    GLuint buffer;
    GLsync sync;

    gl_client_start(&client);
    gl_client_framebuffer(SIZE, SIZE);
    glClear(GL_COLOR_BUFFER_BIT);
    sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000) == GL_TIMEOUT_EXPIRED)
        return 1;
    glClear(GL_COLOR_BUFFER_BIT);
    finish = (finish_function *)eglGetProcAddress("glFinish");
    finish();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, sizeof pixels, NULL, GL_STREAM_READ);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl_client_end(&client, "gl_wait");
    return 0;
}
