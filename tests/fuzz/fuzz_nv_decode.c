/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_nv_decode.h"

#include <stdio.h>
#include <stdlib.h>

#include "devices/nvidia/formats/nv_decode_text.h"
#include "emu/engine/memory.h"

enum { SEGMENT_DWORDS = 64, PAGES_MAX = 4096, VA = 0x100000 };

struct fuzz_walk {
    struct memory memory;
    FILE *sink;
    uint64_t dword_count; /* accounted for */
};

static void must(bool so)
{
    if (!so)
        abort();
}

static bool fuzz_read(void *context, uint64_t va, void *data, size_t bytes)
{
    return memory_read(&((struct fuzz_walk *)context)->memory, MEMORY_VRAM, va, data, bytes);
}

static bool fuzz_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    return memory_write(&((struct fuzz_walk *)context)->memory, MEMORY_VRAM, va, data, bytes) ==
           MEMORY_OK;
}

static void fuzz_found(void *context, const struct nv_decode_item *item)
{
    struct fuzz_walk *walk = context;
    const bool immediate = item->header.kind == NV_HEADER_IMMD;

    if (item->kind == NV_DECODE_HEADER || (item->kind == NV_DECODE_METHOD && !immediate))
        walk->dword_count++;
    walk->dword_count += item->count;
    nv_decode_print(walk->sink, item, false);
    nv_decode_print(walk->sink, item, true);
}

int fuzz_nv_decode(const uint8_t *data, size_t bytes)
{
    static const struct nv_decode_ops ops = {fuzz_read, fuzz_write, fuzz_found};
    struct fuzz_walk walk = {.sink = fopen("/dev/null", "we")};
    struct nv_decode decode;

    must(walk.sink && memory_init(&walk.memory, 1ull << 40, 0, PAGES_MAX, NULL));
    must(bytes == 0 || fuzz_write(&walk, VA, data, bytes));
    nv_decode_init(&decode, &ops, &walk, nv_decode_chip(0x136));
    for (uint32_t at = 0; at < bytes / 4; at += SEGMENT_DWORDS) {
        const uint32_t left = (uint32_t)(bytes / 4) - at;

        nv_decode_segment(&decode, NV_DECODE_RECORDED, VA + 4ull * at,
                          left < SEGMENT_DWORDS ? left : SEGMENT_DWORDS);
    }
    must(walk.dword_count == bytes / 4);
    memory_fini(&walk.memory);
    fclose(walk.sink);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_nv_decode(data, bytes);
}
#endif
