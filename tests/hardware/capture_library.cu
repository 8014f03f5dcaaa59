// SPDX-License-Identifier: MIT
//
// Matrix products of cuBLAS, to be recorded by capture_cuda.c: what a library of NVIDIA's submits.
//
//     nvcc -O1 -arch=native -o capture_library capture_library.cu -lcublas -lcuda -ldl
#include <cublas_v2.h>

#include "capture_mark.cuh"

int main()
{
    const float one = 1, zero = 0;
    const int sizes[] = {64, 512, 2048};
    cublasHandle_t library;
    float *a, *b, *c;

    DO(cudaMalloc(&a, sizeof(float) * 2048 * 2048));
    DO(cudaMalloc(&b, sizeof(float) * 2048 * 2048));
    DO(cudaMalloc(&c, sizeof(float) * 2048 * 2048));
    DO(cudaMemset(a, 0, sizeof(float) * 2048 * 2048));
    DO(cudaMemset(b, 0, sizeof(float) * 2048 * 2048));
    mark("cublasCreate");
    if (cublasCreate(&library) != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "cublasCreate fails\n");
        return 1;
    }
    for (int n : sizes) {
        for (int again = 0; again < 2; again++) {
            mark("cublasSgemm %d, call %d", n, again + 1);
            if (cublasSgemm(library, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n) != CUBLAS_STATUS_SUCCESS) {
                fprintf(stderr, "cublasSgemm fails\n");
                return 1;
            }
            DO(cudaDeviceSynchronize());
        }
    }
    mark("end of the program");
    return 0;
}
