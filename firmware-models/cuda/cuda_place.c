/* SPDX-License-Identifier: MIT */
/*
 * Where what a channel gets for an operation lies: in the heap of its context.  Each stream has
 * places of its own there, one for each operation that it has with the GPU at a time, which are
 * used in turn.  The first one has the stream's semaphore, too:
 *
 *     +0x000  the QMD (384 bytes)            +0x3c0  blocks that have started
 *     +0x200  the pushbuffer                 +0x3f8  the semaphore
 */
#include <config.h>

#include <assert.h>

#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_push.h"
#include "firmware-models/rm/rm_tables.h"

enum {
    ROOMY_CONTEXTS = 6, /* with heaps of the default size; of more each has what it needs */
    PLACE_BYTES = 1024,
};

struct cuda_process_state *cuda_process(const struct cuda *cuda, uint32_t stream)
{
    return &cuda->processes[cuda_context_of(cuda, cuda->program->streams[stream].process)];
}

static bool cuda_roomy(const struct cuda *cuda)
{
    return cuda_mps_shared(cuda) || cuda->program->process_count <= ROOMY_CONTEXTS;
}

/* Behind the kernels' code.  No copy's bytes matter to the front end: they are zeros. */
uint64_t cuda_inline_data(const struct cuda *cuda)
{
    const uint32_t kernels = cuda_roomy(cuda) ? CUDA_KERNELS_MAX : cuda->kernel_count;
    const uint64_t bytes = (uint64_t)kernels * CUDA_PROGRAM_BYTES;

    return (bytes + MEMORY_PAGE_BYTES - 1) & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);
}

/* Where the streams' places begin in a heap. */
static uint64_t cuda_places(const struct cuda *cuda)
{
    return cuda_inline_data(cuda) + cuda->inline_bytes;
}

uint64_t cuda_heap_bytes(const struct cuda *cuda, uint32_t context)
{
    const uint64_t streams =
        cuda_context_end_stream(cuda, context) - (uint64_t)cuda_context_first_stream(cuda, context);
    const uint64_t bytes = cuda_places(cuda) + streams * PLACE_BYTES * cuda_ahead(cuda);

    return cuda_roomy(cuda) && bytes < RM_CONTEXT_HEAP_BYTES
               ? 0
               : (bytes + MEMORY_PAGE_BYTES) & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);
}

/* Returns the offset of the stream's first place from the start of the heap. */
static uint64_t cuda_place(const struct cuda *cuda, uint32_t stream)
{
    const uint32_t context = cuda_context_of(cuda, cuda->program->streams[stream].process);

    return cuda_places(cuda) + (uint64_t)PLACE_BYTES * cuda_ahead(cuda) *
                                   (stream - cuda_context_first_stream(cuda, context));
}

uint32_t cuda_turn(const struct cuda *cuda, uint32_t stream)
{
    return PLACE_BYTES * (cuda->streams[stream].payload % cuda_ahead(cuda));
}

uint64_t cuda_physical(const struct cuda *cuda, uint32_t stream, uint32_t offset)
{
    return cuda_process(cuda, stream)->context.heap_physical + cuda_place(cuda, stream) + offset;
}

void cuda_poke(struct cuda *cuda, uint32_t stream, uint32_t offset, const void *data, size_t bytes)
{
    (void)machine_write(cuda->machine, MEMORY_VRAM, cuda_physical(cuda, stream, offset), data,
                        bytes);
}

uint32_t cuda_peek(struct cuda *cuda, uint32_t stream, uint32_t offset)
{
    uint32_t value = 0;

    (void)machine_read(cuda->machine, MEMORY_VRAM, cuda_physical(cuda, stream, offset), &value,
                       sizeof value);
    return value;
}

uint64_t cuda_va(const struct cuda *cuda, uint32_t stream, uint32_t offset)
{
    return cuda_process(cuda, stream)->context.heap_va + cuda_place(cuda, stream) + offset;
}
