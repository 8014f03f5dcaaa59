/* SPDX-License-Identifier: MIT */
/* Built-in GPUs by the compute capability that CUDA says they have. */
#ifndef GFE_DEVICES_NVIDIA_NV_CAPABILITY_H
#define GFE_DEVICES_NVIDIA_NV_CAPABILITY_H

#include <stdint.h>

struct nv_chip;

/* Returns the built-in GPU of that compute capability whose number of SMs is nearest, the older one
 * of two.  Returns NULL if there is none of that capability. */
const struct nv_chip *nv_capability_chip(uint32_t major, uint32_t minor, uint32_t sm_count);

#endif
