/* SPDX-License-Identifier: MIT */
/*
 * A program that closes descriptors that it does not know and uses their numbers for a file of its
 * own, named by the argument, which it means to leave empty.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/clients/gl_client.h"

enum { FIRST = 500, END = 1500 };

int main(int argc, char **argv)
{
    struct gl_client client;
    int fd;

    gl_client_start(&client);
    gl_client_framebuffer(64, 64);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    fd = open(argc > 1 ? argv[1] : "/dev/null", O_WRONLY | O_CREAT, 0600);
    for (int i = FIRST; i < END; i++)
        if (dup2(fd, i) < 0)
            close(i); /* the limit of descriptors lies below */
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    gl_client_end(&client, "gl_close");
    return 0;
}
