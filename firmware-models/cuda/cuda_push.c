/* SPDX-License-Identifier: MIT */
/*
 * Pushbuffers.  Methods: open-gpu-doc classes/compute/clc0c0.h to clcbc0.h,
 * classes/dma-copy/clc0b5.h and classes/host/clc36f.h.
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_push.h"
#include "firmware-models/cuda/cuda_tables.h"

static void push(struct cuda_push *push, uint32_t dword)
{
    assert(push->count < CUDA_PUSH_DWORDS);
    push->dwords[push->count++] = dword;
}

static void push_header(struct cuda_push *to, uint32_t subchannel, uint32_t method, uint32_t count)
{
    push(to, 1u << 29 | count << 16 | subchannel << 13 | method >> 2);
}

static void push_address(struct cuda_push *to, uint64_t address)
{
    push(to, (uint32_t)(address >> 32));
    push(to, (uint32_t)address);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A channel's first pushbuffer of a kind makes its object known, and up to Pascal where programs
 * lie. */
static void cuda_push_object(const struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                             uint32_t subchannel)
{
    const bool compute = subchannel == CUDA_COMPUTE;

    push_header(to, subchannel, NVA06F_SET_OBJECT, 1);
    push(to, compute ? cuda->model->class_compute : cuda->model->class_copy);
    if (compute && cuda->model->class_compute < VOLTA_COMPUTE_A) {
        push_header(to, subchannel, NVC0C0_SET_PROGRAM_REGION_A, 2);
        push_address(to, cuda_process(cuda, stream)->context.heap_va);
    }
}

/* From Ampere on with the method that CUDA's driver sends to an H100 (recorded: tests/hardware;
 * that it does so from Ampere on is INFERRED). */
static void cuda_push_kernel(struct cuda *cuda, uint32_t stream, struct cuda_push *to)
{
    const bool ampere = cuda->model->class_compute >= AMPERE_COMPUTE_A;

    push_header(to, CUDA_COMPUTE, NVA0C0_SEND_PCAS_A, 1);
    push(to, (uint32_t)(cuda_va(cuda, stream, cuda_turn(cuda, stream)) >> 8));
    push_header(to, CUDA_COMPUTE,
                ampere ? (uint32_t)NVC6C0_SEND_SIGNALING_PCAS2_B
                       : (uint32_t)NVA0C0_SEND_SIGNALING_PCAS_B,
                1);
    push(to,
         ampere
             ? (uint32_t)NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_INVALIDATE_PREFETCH_COPY_SCHEDULE
             : 3); /* INVALIDATE, SCHEDULE */
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* From the process's place of the one kind to that of the other; a memset writes a constant. */
static void cuda_push_copy(struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                           const struct cuda_call *call)
{
    const bool sets = call->kind == CUDA_MEMSET;
    const uint32_t rows = call->rows > 1 ? call->rows : 1;
    const uint64_t from =
        !sets && call->direction == CUDA_HOST_TO_DEVICE ? CUDA_HOST_VA : CUDA_DEVICE_VA;
    const uint64_t target =
        !sets && call->direction == CUDA_DEVICE_TO_HOST ? CUDA_HOST_VA : CUDA_DEVICE_VA;

    push_header(to, CUDA_COPY, NVC0B5_SET_SEMAPHORE_A, 3);
    push_address(to, cuda_va(cuda, stream, CUDA_AT_SEMAPHORE));
    push(to, cuda->streams[stream].payload);
    if (sets) {
        push_header(to, CUDA_COPY, NVA0B5_SET_REMAP_CONST_A, 1);
        push(to, 0);
        push_header(to, CUDA_COPY, NVA0B5_SET_REMAP_COMPONENTS, 1);
        push(to, 4); /* one component of one byte: CONST_A */
    }
    push_header(to, CUDA_COPY, NVC0B5_OFFSET_IN_UPPER, 4);
    push_address(to, from);
    push_address(to, target);
    if (rows > 1) {
        push_header(to, CUDA_COPY, NVA0B5_PITCH_IN, 2); /* the rows lie one behind the other */
        push(to, (uint32_t)(call->bytes / rows));
        push(to, (uint32_t)(call->bytes / rows));
    }
    push_header(to, CUDA_COPY, NVA0B5_LINE_LENGTH_IN, 2);
    push(to, (uint32_t)(call->bytes / rows));
    push(to, rows);
    push_header(to, CUDA_COPY, NVC1B5_LAUNCH_DMA, 1);
    /* NON_PIPELINED, FLUSH_ENABLE, RELEASE_ONE_WORD_SEMAPHORE, PITCH both, MULTI_LINE_ENABLE for
     * rows, for a memset REMAP */
    push(to, 2 | 1u << 2 | 1u << 3 | 1u << 7 | 1u << 8 | (uint32_t)(rows > 1) << 9 |
                 (uint32_t)sets << 10);
}

/* ---- copies in the pushbuffer ---------------------------------------------------------------- */

enum { INLINE_DWORDS = 8191 }; /* of one header */

uint32_t cuda_inline_count(const struct cuda_call *call)
{
    return ((uint32_t)call->bytes + 4 * INLINE_DWORDS - 1) / (4 * INLINE_DWORDS);
}

uint32_t cuda_inline_dwords(const struct cuda_call *call, uint32_t index)
{
    const uint32_t left = ((uint32_t)call->bytes + 3) / 4 - index * INLINE_DWORDS;

    return left < INLINE_DWORDS ? left : INLINE_DWORDS;
}

/* The transfer, with a release when it is complete, and then the headers of its data, each of which
 * is a segment of its own.  Methods: recorded (tests/hardware/data, h100, capture_copies), but for
 * the release, which is a report there. */
static void cuda_push_inline(const struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                             const struct cuda_call *call)
{
    push_header(to, CUDA_COMPUTE, NVA0C0_OFFSET_OUT_UPPER, 2);
    push_address(to, CUDA_DEVICE_VA);
    push_header(to, CUDA_COMPUTE, NVA0C0_LINE_LENGTH_IN, 2);
    push(to, (uint32_t)call->bytes);
    push(to, 1);
    push_header(to, CUDA_COMPUTE, NVA0C0_SET_I2M_SEMAPHORE_A, 3);
    push_address(to, cuda_va(cuda, stream, CUDA_AT_SEMAPHORE));
    push(to, cuda->streams[stream].payload);
    push_header(to, CUDA_COMPUTE, NVA0C0_LAUNCH_DMA, 1);
    push(to, 1 | 2u << 4 | 1u << 12); /* PITCH, RELEASE_SEMAPHORE, ONE_WORD */
    for (uint32_t i = 0; i < cuda_inline_count(call); i++)
        push(to, 3u << 29 | cuda_inline_dwords(call, i) << 16 | CUDA_COMPUTE << 13 |
                     NVA0C0_LOAD_INLINE_DATA >> 2); /* the same method for each dword */
}

uint32_t cuda_channel_for(const struct cuda *cuda, uint32_t stream,
                          const struct cuda_operation *operation)
{
    const struct cuda_call *call = operation->behind_copy != 0
                                       ? &cuda->program->calls[operation->behind_copy - 1]
                                       : cuda_call_of(cuda, operation);
    const struct rm_cuda_context *context = &cuda_process(cuda, stream)->context;
    const uint32_t place =
        stream - cuda_context_first_stream(
                     cuda, cuda_context_of(cuda, cuda->program->streams[stream].process));
    const uint32_t tsg =
        call->kind == CUDA_MEMSET ? (uint32_t)CUDA_DEVICE_TO_DEVICE : (uint32_t)call->direction;

    if (cuda_computes(cuda, operation))
        return cuda->streams[stream].channel;
    return context->compute_count + context->copy_count * tsg + place % context->copy_count;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* A report of the compute class, or a launch of the copy class that copies nothing (recorded:
 * tests/hardware/data, h100, capture_work). */
static void cuda_push_release(const struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                              bool in_compute)
{
    if (in_compute) {
        push_header(to, CUDA_COMPUTE, NVA0C0_SET_REPORT_SEMAPHORE_A, 4);
        push_address(to, cuda_va(cuda, stream, CUDA_AT_SEMAPHORE));
        push(to, cuda->streams[stream].payload);
        push(to, 1u << 28); /* RELEASE, ONE_WORD */
        return;
    }
    push_header(to, CUDA_COPY, NVC0B5_SET_SEMAPHORE_A, 3);
    push_address(to, cuda_va(cuda, stream, CUDA_AT_SEMAPHORE));
    push(to, cuda->streams[stream].payload);
    push_header(to, CUDA_COPY, NVC1B5_LAUNCH_DMA, 1);
    push(to, 1u << 2 | 1u << 3); /* NONE, FLUSH_ENABLE, RELEASE_ONE_WORD_SEMAPHORE */
}

/* ---- the order of a stream ------------------------------------------------------------------- */

/* CUDA.STREAM_ACQUIRE: other channels of the group may go on, other groups only when the slice
 * ends. */
void cuda_push_acquire(const struct cuda *cuda, uint32_t stream, struct cuda_push *to)
{
    const uint64_t va = cuda_va(cuda, stream, CUDA_AT_SEMAPHORE);

    push_header(to, 0, NVC36F_SEM_ADDR_LO, 5);
    push(to, (uint32_t)va);
    push(to, (uint32_t)(va >> 32));
    push(to, cuda->streams[stream].payload - 1);
    push(to, 0);
    push(to, NVC36F_SEM_EXECUTE_OPERATION_ACQ_CIRC_GEQ);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Returns the subchannel of what the operation's way asks for. */
static uint32_t cuda_subchannel(const struct cuda *cuda, const struct cuda_operation *operation)
{
    const enum cuda_way way = cuda_way_of(cuda, operation);

    return way == CUDA_BY_KERNEL || way == CUDA_INLINE ||
                   (way == CUDA_RELEASE && operation->behind_copy == 0)
               ? CUDA_COMPUTE
               : CUDA_COPY;
}

void cuda_push_first(struct cuda *cuda, const struct cuda_operation *operation, uint32_t channel,
                     struct cuda_push *to)
{
    const uint32_t stream = operation->stream, subchannel = cuda_subchannel(cuda, operation);
    struct cuda_process_state *process = cuda_process(cuda, stream);

    if (!(process->objects[channel] & 1u << subchannel))
        cuda_push_object(cuda, stream, to, subchannel);
    process->objects[channel] |= 1u << subchannel;
}

void cuda_push_work(struct cuda *cuda, const struct cuda_operation *operation, struct cuda_push *to)
{
    const struct cuda_call *call = cuda_call_of(cuda, operation);
    const uint32_t stream = operation->stream;

    switch (cuda_way_of(cuda, operation)) {
    case CUDA_BY_KERNEL:
        cuda_write_qmd(cuda, stream, cuda->routes[operation->call].kernel);
        cuda_push_kernel(cuda, stream, to);
        if (!cuda_channel_static(cuda)) /* B.C1 */
            cuda_submit_watch_started(cuda, stream);
        break;
    case CUDA_INLINE:
        cuda_push_inline(cuda, stream, to, call);
        break;
    case CUDA_RELEASE:
        cuda_push_release(cuda, stream, to, operation->behind_copy == 0);
        break;
    case CUDA_BY_ENGINE:
    case CUDA_BY_GRAPHICS:
        cuda_push_copy(cuda, stream, to, call);
        break;
    }
}
