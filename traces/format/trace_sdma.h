/* SPDX-License-Identifier: MIT */
/*
 * Reads from the first dwords of a recorded SDMA packet how it uses memory.  (A PACKET record of an
 * SDMA queue has one packet.)  Used to find the records that depend on each other.
 *
 * Sources: amdgpu driver vega10_sdma_pkt_open.h; ROCR-Runtime amd_blit_sdma.cpp (what it writes).
 */
#ifndef GFE_TRACES_FORMAT_TRACE_SDMA_H
#define GFE_TRACES_FORMAT_TRACE_SDMA_H

#include <stdbool.h>
#include <stdint.h>

enum trace_sdma_what {
    TRACE_SDMA_NOTHING, /* no memory, or an unknown packet */
    TRACE_SDMA_BYTES,   /* a copy, a fill, data: the range is written, not always all of it; or a
                         * poll of memory: the packet waits for the range */
    TRACE_SDMA_DONE,    /* a fence, an atomic operation: a completion */
};

enum trace_sdma_what trace_sdma(const uint8_t *data, uint32_t bytes, uint64_t *address,
                                uint64_t *range_bytes);

#endif
