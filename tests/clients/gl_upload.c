/* SPDX-License-Identifier: MIT */
/*
 * Moves data: texture uploads, mipmaps, a copy from buffer to buffer, a scaled blit.
 */
#include <stddef.h>

#include "tests/clients/gl_client.h"

enum { SIZE = 256, BUFFER_BYTES = 65536 };

static unsigned char texels[SIZE * SIZE * 4];

static GLuint upload_texture(void)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 16, 16, 100, 60, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glFinish();
    return texture;
}

static void copy_buffer(void)
{
    GLuint buffers[2];

    glGenBuffers(2, buffers);
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[0]);
    glBufferData(GL_COPY_READ_BUFFER, BUFFER_BYTES, texels, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, BUFFER_BYTES, NULL, GL_STATIC_DRAW);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 4096, 32768);
    glFinish();
}

static void blit(GLuint texture)
{
    GLuint framebuffer;

    gl_client_framebuffer(64, 64);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBlitFramebuffer(0, 0, 128, 128, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glFinish();
}

int main(void)
{
    struct gl_client client;
    GLuint texture;

    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (unsigned char)(i * 7 + (i >> 9));
    gl_client_start(&client);
    texture = upload_texture();
    copy_buffer();
    blit(texture);
    gl_client_end(&client, "gl_upload");
    return 0;
}
