/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_sdma.h"

#include <string.h>

enum {
    OP_COPY_LINEAR = 0x001,
    OP_WRITE = 0x002,
    OP_FENCE = 0x005,
    OP_POLL = 0x008, /* POLL_REGMEM */
    OP_ATOMIC = 0x00a,
    OP_FILL = 0x00b,
    OP_COPY_RECT = 0x401,
    DWORDS_MAX = 13,
};

/* Dwords that a packet must have. */
static uint32_t least(uint32_t code)
{
    switch (code) {
    case OP_COPY_LINEAR:
        return 7;
    case OP_COPY_RECT:
        return 13;
    case OP_FILL:
        return 5;
    case OP_POLL:
        return 6;
    case OP_WRITE:
    case OP_FENCE:
        return 4;
    default:
        return code == OP_ATOMIC ? 8 : UINT32_MAX;
    }
}

static uint64_t address_of(const uint32_t *low)
{
    return (uint64_t)low[1] << 32 | low[0];
}

/* From the first byte of a box of lines to the last. */
static uint64_t rect_bytes(const uint32_t *w, uint64_t *from)
{
    const uint32_t log2 = w[0] >> 29;
    const uint64_t pitch = (w[9] >> 13) + 1, slice = (uint64_t)(w[10] & 0xfffffff) + 1;
    const uint64_t first = (w[9] & 0x7ff) * slice + (w[8] >> 16 & 0x3fff) * pitch + (w[8] & 0x3fff);

    *from = address_of(&w[6]) + (first << log2);
    return ((w[12] & 0x7ff) * slice + (w[11] >> 16 & 0x3fff) * pitch + (w[11] & 0x3fff) + 1)
           << log2;
}

enum trace_sdma_what trace_sdma(const uint8_t *data, uint32_t bytes, uint64_t *address,
                                uint64_t *range_bytes)
{
    uint32_t w[DWORDS_MAX] = {0};
    uint32_t code;

    memcpy(w, data, bytes < sizeof w ? bytes : sizeof w);
    code = w[0] & 0xffff;
    *address = *range_bytes = 0;
    if (bytes / 4 < least(code))
        return TRACE_SDMA_NOTHING;
    switch (code) {
    case OP_COPY_LINEAR:
        *address = address_of(&w[5]);
        *range_bytes = (uint64_t)(w[1] & 0x3fffff) + 1;
        return TRACE_SDMA_BYTES;
    case OP_COPY_RECT:
        *range_bytes = rect_bytes(w, address);
        return TRACE_SDMA_BYTES;
    case OP_FILL:
        *address = address_of(&w[1]);
        *range_bytes = (uint64_t)(w[4] & 0x3fffff) + 4;
        return TRACE_SDMA_BYTES;
    case OP_WRITE:
        *address = address_of(&w[1]);
        *range_bytes = 4 * ((uint64_t)(w[3] & 0xfffff) + 1);
        return TRACE_SDMA_BYTES;
    case OP_POLL:
        *address = address_of(&w[1]);
        *range_bytes = w[0] >> 31 ? 4 : 0;
        return w[0] >> 31 ? TRACE_SDMA_BYTES : TRACE_SDMA_NOTHING;
    default:
        *address = address_of(&w[1]);
        return TRACE_SDMA_DONE;
    }
}
