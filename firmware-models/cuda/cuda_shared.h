/* SPDX-License-Identifier: MIT */
/*
 * Shared memory of a block as CUDA's driver gives it (CUDA C++ Programming Guide, compute
 * capabilities; cuda_occupancy.h, reservedSharedMemPerBlock).  From compute capability 8.0 on the
 * driver adds 1 KiB to each block; an H100's recorded descriptors have it (tests/hardware/data).
 * From 7.0 on a kernel has to be allowed more than 48 KiB.
 */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_SHARED_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_SHARED_H

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_chip.h"

/* In bytes. */
struct cuda_shared {
    uint32_t driver_bytes; /* what the driver adds to what a kernel asks for */
    uint32_t by_default;   /* the most that a kernel has without being allowed more */
    uint32_t most;
};

static inline struct cuda_shared cuda_shared_of(const struct nv_chip *model)
{
    const uint32_t driver_bytes = model->class_compute >= AMPERE_COMPUTE_A ? 1024 : 0;
    const uint32_t most = model->sm.shared_bytes_per_block - driver_bytes;

    return (struct cuda_shared){
        .driver_bytes = driver_bytes,
        .by_default = model->class_compute >= VOLTA_COMPUTE_A && most > 48 << 10 ? 48 << 10 : most,
        .most = most};
}

#endif
