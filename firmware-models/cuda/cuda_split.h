/* SPDX-License-Identifier: MIT */
/*
 * Which split of L1 and shared memory CUDA's driver writes into a kernel's descriptor.
 *
 * The least split has room for as many of the kernel's blocks as fit on an SM, but is no larger
 * than the chosen one (ASSUMED for kernels that ask for less; the first sentence was seen of
 * kernels that ask for none).  The chosen one:
 *
 *   - of a kernel that asks for P per cent (cudaFuncAttributePreferredSharedMemoryCarveout), the
 *     smallest with room for P per cent of the most, for as many blocks as would use that up
 * without what the driver adds to each, and for one block;
 *   - of a kernel with large blocks that asks for none, the least split;
 *   - of another one that asks for none, a larger split (cuda.carveout_threads, _percent and
 *     _most_kib).
 *
 * Found on an H100, in 153 series of 35 kernels each (tests/hardware/data, carve_out of sm_order),
 * and for the last point in 17 more and in recorded descriptors.  Of other GPUs it is ASSUMED.
 */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_SPLIT_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_SPLIT_H

#include "firmware-models/cuda/cuda.h"

struct cuda_split {
    uint32_t least_kib, chosen_kib;
};

/* Returns the splits of a kernel with that many registers a thread, of a chip that has splits. */
struct cuda_split cuda_split_of(const struct cuda *cuda, const struct cuda_kernel *kernel,
                                uint32_t registers);

#endif
