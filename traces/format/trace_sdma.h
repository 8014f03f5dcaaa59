/* SPDX-License-Identifier: MIT */
/*
 * What a recorded packet of SDMA (PACKET of a queue of SDMA: one packet a record) does to memory,
 * by its first dwords: for who asks which records depend on which.
 *
 * Sources: amdgpu driver vega10_sdma_pkt_open.h; ROCR-Runtime amd_blit_sdma.cpp (what it writes).
 */
#ifndef GFE_TRACES_TRACE_SDMA_H
#define GFE_TRACES_TRACE_SDMA_H

#include <stdbool.h>
#include <stdint.h>

enum trace_sdma_what {
    TRACE_SDMA_NOTHING, /* or nothing that is known */
    TRACE_SDMA_BYTES,   /* a copy, a fill, data: the range is written, not always all of it; or a
                         * poll of memory: it is waited for */
    TRACE_SDMA_DONE,    /* a fence, an atomic operation: a completion */
};

enum trace_sdma_what trace_sdma(const uint8_t *data, uint32_t bytes, uint64_t *address,
                                uint64_t *range_bytes);

#endif
