/* SPDX-License-Identifier: MIT */
/*
 * gl_copy: a buffer's bytes go to the GPU, from there into another buffer, and back; twice.  Says
 * how many words are not what was sent, and ends with status 0 whatever they are.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/clients/gl_client.h"

enum { WORDS = 4096, ROUNDS = 2 };

static uint32_t words[WORDS];

static GLuint buffer_new(GLenum target, const void *data)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, sizeof words, data, GL_STATIC_DRAW);
    return buffer;
}

static unsigned round_wrong(uint32_t round)
{
    const uint32_t *got;
    unsigned wrong = 0;
    GLuint buffers[2];

    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = round << 24 ^ i * 2654435761u;
    buffers[0] = buffer_new(GL_COPY_READ_BUFFER, words);
    buffers[1] = buffer_new(GL_COPY_WRITE_BUFFER, NULL);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof words);
    got = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, sizeof words, GL_MAP_READ_BIT);
    for (uint32_t i = 0; got && i < WORDS; i++)
        wrong += got[i] != words[i];
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    glDeleteBuffers(2, buffers);
    return got ? wrong : WORDS;
}

int main(void)
{
    struct gl_client client;
    unsigned wrong = 0;

    gl_client_start(&client);
    for (uint32_t round = 1; round <= ROUNDS; round++)
        wrong += round_wrong(round);
    printf("gl_copy: %u of %d words wrong\n", wrong, ROUNDS * WORDS);
    gl_client_end(&client, "gl_copy");
    return 0;
}
