/* SPDX-License-Identifier: MIT */
/*
 * What the 3D class's SET_REPORT_SEMAPHORE_D with REPORT_ONLY writes before the time: the payload
 * and a counter of 32 bits, or a counter of 64 bits in place of both.  The class header
 * (open-gpu-doc classes/3d/clc197.h) does not say which.  INFERRED from where Mesa's nvc0 reads its
 * sequence number and the counter (nvc0_query_hw.c, and the acquires before its draws from
 * transform feedback).  The engine and the recorder's stand-in must agree, so both use this header.
 */
#ifndef DEVICES_NVIDIA_NV_REPORT_H
#define DEVICES_NVIDIA_NV_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_methods.h"

/* Returns true if the payload is not written; `data` is SET_REPORT_SEMAPHORE_D's. */
static inline bool nv_report_counts_64_bits(uint32_t data)
{
    switch (nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REPORT)) {
    case NVC197_SET_REPORT_SEMAPHORE_D_REPORT_NONE:
    case NVC197_SET_REPORT_SEMAPHORE_D_REPORT_ZPASS_PIXEL_CNT:
    case NVC197_SET_REPORT_SEMAPHORE_D_REPORT_STREAMING_BYTE_COUNT:
        return false;
    default:
        return nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION) ==
               NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY;
    }
}

#endif
