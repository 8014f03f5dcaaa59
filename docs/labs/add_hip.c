/* SPDX-License-Identifier: MIT */
/*
 * Lab 1: c = a + b, with HIP. 16 blocks of 64 threads. The kernel is compiled when the program
 * runs, so that gcc is enough to build it.
 *
 *     gcc -D__HIP_PLATFORM_AMD__ -o add_hip add_hip.c -lamdhip64
 */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, BLOCKS = 16, COUNT = THREADS * BLOCKS };

static const char kernel[] =
    "extern \"C\" __global__ void add(const int *a, const int *b, int *c)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n";

static void must(int status, const char *what)
{
    if (status != 0) {
        fprintf(stderr, "%s: status %d\n", what, status);
        exit(1);
    }
}

static hipFunction_t compiled(const char *source, const char *name)
{
    hipFunction_t function;
    hiprtcProgram program;
    hipModule_t module;
    size_t bytes;
    char *code;

    must(hiprtcCreateProgram(&program, source, name, 0, NULL, NULL), "hiprtcCreateProgram");
    must(hiprtcCompileProgram(program, 0, NULL), "hiprtcCompileProgram");
    must(hiprtcGetCodeSize(program, &bytes), "hiprtcGetCodeSize");
    code = malloc(bytes);
    must(code == NULL || hiprtcGetCode(program, code), "hiprtcGetCode");
    must(hipModuleLoadData(&module, code), "hipModuleLoadData");
    must(hipModuleGetFunction(&function, module, name), "hipModuleGetFunction");
    return function;
}

int main(void)
{
    static int values[COUNT];
    const hipFunction_t add = compiled(kernel, "add");
    int *a, *b, *c;
    void *arguments[] = {&a, &b, &c};

    must(hipMalloc((void **)&a, sizeof values), "hipMalloc");
    must(hipMalloc((void **)&b, sizeof values), "hipMalloc");
    must(hipMalloc((void **)&c, sizeof values), "hipMalloc");
    must(hipMemcpy(a, values, sizeof values, hipMemcpyHostToDevice), "hipMemcpy");
    must(hipMemcpy(b, values, sizeof values, hipMemcpyHostToDevice), "hipMemcpy");
    must(hipModuleLaunchKernel(add, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL),
         "hipModuleLaunchKernel");
    must(hipMemcpy(values, c, sizeof values, hipMemcpyDeviceToHost), "hipMemcpy");
    return 0;
}
