/* SPDX-License-Identifier: MIT */
/*
 * Clears a texture and waits; with a number as argument, so many times; with "kill" behind it, ends
 * then by a signal that cannot be caught.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/clients/gl_client.h"

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    struct gl_client client;

    gl_client_start(&client);
    gl_client_framebuffer(64, 64);
    for (int i = 0; i < rounds; i++) {
        glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        glFinish();
    }
    if (argc > 2 && strcmp(argv[2], "kill") == 0)
        raise(SIGKILL);
    gl_client_end(&client, "gl_clear");
    return 0;
}
