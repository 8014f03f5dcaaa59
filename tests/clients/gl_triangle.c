/* SPDX-License-Identifier: MIT */
/*
 * Draws one triangle with a vertex buffer and a uniform, and reads the picture back.
 */
#include <stdio.h>

#include "tests/clients/gl_client.h"

enum { SIZE = 64, STRIDE_BYTES = 5 * sizeof(float) };

static const char vertex_source[] =
    "#version 310 es\n"
    "layout(location = 0) in vec2 position;\n"
    "layout(location = 1) in vec3 colour;\n"
    "out vec3 shade;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); shade = colour; }\n";

static const char fragment_source[] = "#version 310 es\n"
                                      "precision highp float;\n"
                                      "in vec3 shade;\n"
                                      "out vec4 pixel;\n"
                                      "uniform float scale;\n"
                                      "void main() { pixel = vec4(shade * scale, 1.0); }\n";

/* Two coordinates, three colours. */
static const float vertices[] = {
    -0.8f, -0.8f, 1.0f, 0.0f, 0.0f, /**/
    0.8f,  -0.8f, 0.0f, 1.0f, 0.0f, /**/
    0.0f,  0.8f,  0.0f, 0.0f, 1.0f,
};

int main(void)
{
    static unsigned char pixels[SIZE * SIZE * 4];
    const unsigned char *middle = pixels + (SIZE / 2 * SIZE + SIZE / 2) * 4;
    struct gl_client client;
    GLuint program, buffer;

    gl_client_start(&client);
    gl_client_framebuffer(SIZE, SIZE);
    glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    program = gl_client_program(gl_client_shader(GL_VERTEX_SHADER, vertex_source),
                                gl_client_shader(GL_FRAGMENT_SHADER, fragment_source));
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, STRIDE_BYTES, (const void *)0);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, STRIDE_BYTES,
                          (const void *)(2 * sizeof(float)));
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "scale"), 0.5f);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("middle pixel %02x%02x%02x%02x\n", middle[0], middle[1], middle[2], middle[3]);
    gl_client_end(&client, "gl_triangle");
    return 0;
}
