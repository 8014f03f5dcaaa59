/* SPDX-License-Identifier: MIT */
/*
 * Two dispatches of one compute shader: 5 x 3 x 2 groups, then 7 x 1 x 1, each group 32 x 4 x 2
 * with 1024 bytes of shared memory and a barrier.
 */
#include <stdio.h>

#include "tests/clients/gl_client.h"

enum { GROUPS_X = 5, GROUPS_Y = 3, GROUPS_Z = 2, GROUP_SIZE = 32 * 4 * 2 };
enum { COUNT = GROUPS_X * GROUPS_Y * GROUPS_Z * GROUP_SIZE };

/* Reverses each group's part of a buffer, times `factor`, plus the group's number. */
static const char source[] =
    "#version 310 es\n"
    "layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;\n"
    "layout(std430, binding = 0) buffer From { uint from[]; };\n"
    "layout(std430, binding = 1) buffer To { uint to[]; };\n"
    "uniform uint factor;\n"
    "shared uint part[256];\n"
    "void main()\n"
    "{\n"
    "    uint l = gl_LocalInvocationIndex;\n"
    "    uint g = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x\n"
    "             + gl_WorkGroupID.z * gl_NumWorkGroups.x * gl_NumWorkGroups.y;\n"
    "    part[l] = from[g * 256u + l] * factor;\n"
    "    memoryBarrierShared();\n"
    "    barrier();\n"
    "    to[g * 256u + l] = part[255u - l] + g;\n"
    "}\n";

int main(void)
{
    static GLuint values[COUNT];
    struct gl_client client;
    GLuint program, buffers[2];
    const GLuint *result;

    gl_client_start(&client);
    program = gl_client_program(gl_client_shader(GL_COMPUTE_SHADER, source), 0);
    for (GLuint i = 0; i < COUNT; i++)
        values[i] = i;
    glGenBuffers(2, buffers);
    for (GLuint i = 0; i < 2; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, i == 0 ? values : NULL,
                     GL_DYNAMIC_COPY);
    }
    glUseProgram(program);
    glUniform1ui(glGetUniformLocation(program, "factor"), 3);
    glDispatchCompute(GROUPS_X, GROUPS_Y, GROUPS_Z);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glFinish();
    result = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, GL_MAP_READ_BIT);
    printf("result[1] = %u\n", result ? result[1] : 0);
    if (result)
        glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    glDispatchCompute(7, 1, 1);
    glFinish();
    gl_client_end(&client, "gl_compute");
    return 0;
}
