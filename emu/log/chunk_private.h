/* SPDX-License-Identifier: MIT */
/* The bytes of emu/log/chunk.h, shared by the writer and the reader of chunks.  Private to
 * emu/log/chunk*.c. */
#ifndef GFE_EMU_LOG_CHUNK_PRIVATE_H
#define GFE_EMU_LOG_CHUNK_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "emu/log/chunk.h"

#define CHUNK_MAGIC "gfeC"

enum {
    CHUNK_MAGIC_BYTES = 4,
    CHUNK_NAME_BYTES = 256,       /* longer names lose their front: the message matters more */
    CHUNK_INDEX_ENTRY_BYTES = 12, /* u64 offset, u32 kind */
    CHUNK_INDEX_COUNT_BYTES = 4,
    /* of raw data: a second thread is not worthwhile for less */
    CHUNK_THREAD_FROM_BYTES = 256 << 10,
};

struct chunk_head {
    uint16_t version, kind;
    uint32_t raw_bytes, stored_bytes, raw_crc, head_crc;
};

/* Write and read little-endian numbers. */
static inline void chunk_put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static inline void chunk_put64(uint8_t *to, uint64_t value)
{
    chunk_put32(to, (uint32_t)value);
    chunk_put32(to + 4, (uint32_t)(value >> 32));
}

static inline uint32_t chunk_get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Copies a name, shortened so that a message stays on one line and keeps room for its words. */
void chunk_name_copy(char to[CHUNK_NAME_BYTES], const char *name);

#endif
