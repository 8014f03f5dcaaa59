/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts that write what a channel gets for an operation: cuda_place.c (where it
 * lies), cuda_qmd.c (descriptors), cuda_push.c (pushbuffers), cuda_submit.c (GP entries and
 * doorbells).
 */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_PUSH_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_PUSH_H

#include "firmware-models/cuda/cuda.h"

enum {
    CUDA_PROGRAM_BYTES = 256, /* of a kernel's code, in the heap from its start */
    /* Offsets in a place of a stream. */
    CUDA_AT_PUSHBUFFER = 0x200,
    CUDA_AT_STARTED = 0x3c0, /* a constant buffer: a multiple of 64 */
    CUDA_AT_SEMAPHORE = 0x3f8,
    CUDA_PUSH_DWORDS = 64,
    CUDA_COMPUTE = 1, /* subchannels */
    CUDA_COPY = 4,
};
/* Where a process's copies go to and come from. */
#define CUDA_DEVICE_VA UINT64_C(0x1000000000)
#define CUDA_HOST_VA   UINT64_C(0x2000000000)

struct cuda_push {
    uint32_t dwords[CUDA_PUSH_DWORDS];
    uint32_t count;
};

/* ---- cuda_place.c ---------------------------------------------------------------------------- */

/* Returns the process that has the stream's context. */
struct cuda_process_state *cuda_process(const struct cuda *cuda, uint32_t stream);
/* Returns the bytes of heap that a context needs, or 0 if the default is enough. */
uint64_t cuda_heap_bytes(const struct cuda *cuda, uint32_t context);
/* Returns the offset in a heap of the data of copies in pushbuffers, which all streams share. */
uint64_t cuda_inline_data(const struct cuda *cuda);
/* Returns the offset, from the stream's first place, of the place of its operation that is being
 * sent. */
uint32_t cuda_turn(const struct cuda *cuda, uint32_t stream);
/* Write and read memory at an offset from the stream's first place. */
void cuda_poke(struct cuda *cuda, uint32_t stream, uint32_t offset, const void *data, size_t bytes);
uint32_t cuda_peek(struct cuda *cuda, uint32_t stream, uint32_t offset);
/* Return the address of an offset from the stream's first place, as the GPU sees it and in video
 * memory. */
uint64_t cuda_va(const struct cuda *cuda, uint32_t stream, uint32_t offset);
uint64_t cuda_physical(const struct cuda *cuda, uint32_t stream, uint32_t offset);

/* ---- cuda_qmd.c ------------------------------------------------------------------------------ */

/* Writes the descriptor of the stream's operation that is being sent. */
void cuda_write_qmd(struct cuda *cuda, uint32_t stream, uint32_t kernel);

/* ---- cuda_push.c ----------------------------------------------------------------------------- */

/* Returns the channel of the process for a call: for kernels the channel of the stream, for copies
 * one of four by direction, for a record of an event that of the copy or kernel before it. */
uint32_t cuda_channel_for(const struct cuda *cuda, uint32_t stream,
                          const struct cuda_operation *operation);
/* Returns the number of headers of data that a copy in the pushbuffer needs, and the number of
 * dwords behind header `index`. */
uint32_t cuda_inline_count(const struct cuda_call *call);
uint32_t cuda_inline_dwords(const struct cuda_call *call, uint32_t index);
/* Adds an acquire of the stream's semaphore (CUDA.STREAM_ACQUIRE). */
void cuda_push_acquire(const struct cuda *cuda, uint32_t stream, struct cuda_push *to);
/* Makes the object that the operation needs known to the channel, if this is its first one there.
 */
void cuda_push_first(struct cuda *cuda, const struct cuda_operation *operation, uint32_t channel,
                     struct cuda_push *to);
/* Adds what the operation's way asks for. */
void cuda_push_work(struct cuda *cuda, const struct cuda_operation *operation,
                    struct cuda_push *to);

#endif
