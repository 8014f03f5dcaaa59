/* SPDX-License-Identifier: MIT */
/*
 * A GPU file from what CUDA says of a GPU: cudaGetDeviceProperties(), as
 * tests/hardware/device_properties.cu prints it.
 */
#ifndef GFE_EMU_SIM_GPU_FROM_CUDA_H
#define GFE_EMU_SIM_GPU_FROM_CUDA_H

struct gfe_error;
struct json_t;

/* Returns a GPU file that inherits the nearest built-in GPU of the compute capability, which the
 * caller releases.  Returns NULL with a message if the properties are not there, or if no built-in
 * GPU has that capability. */
struct json_t *gpu_from_cuda(const char *path, struct gfe_error *error);

#endif
