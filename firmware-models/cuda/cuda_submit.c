/* SPDX-License-Identifier: MIT */
/*
 * Handing an operation to its channel: GP entries and a doorbell, for what cuda_qmd.c and
 * cuda_push.c have written.  An operation that is sent while the one before it in its stream is not
 * complete begins with an acquire of the stream's semaphore, which that one releases
 * (CUDA.STREAM_ACQUIRE).
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_push.h"
#include "firmware-models/cuda/cuda_tables.h"

/* ---- room in rings --------------------------------------------------------------------------- */

uint32_t cuda_submit_entries(const struct cuda *cuda, const struct cuda_operation *operation)
{
    return cuda_way_of(cuda, operation) == CUDA_INLINE
               ? 2 * cuda_inline_count(cuda_call_of(cuda, operation))
               : 1;
}

bool cuda_submit_has_room(const struct cuda *cuda, const struct cuda_operation *operation)
{
    const uint32_t channel = cuda_channel_for(cuda, operation->stream, operation);

    return cuda_process(cuda, operation->stream)->in_flight[channel] +
               cuda_submit_entries(cuda, operation) <
           RM_CONTEXT_RING_ENTRIES;
}

void cuda_submit_reserve(struct cuda *cuda, struct cuda_operation *operation)
{
    operation->channel = cuda_channel_for(cuda, operation->stream, operation);
    cuda_process(cuda, operation->stream)->in_flight[operation->channel] +=
        cuda_submit_entries(cuda, operation);
}

void cuda_submit_release(struct cuda *cuda, const struct cuda_operation *operation)
{
    cuda_process(cuda, operation->stream)->in_flight[operation->channel] -=
        cuda_submit_entries(cuda, operation);
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* Returns true if the operation, which is the last one of its stream that was handed over, has to
 * wait on the GPU for the one before it.  Copies of one copy channel are made one behind the other
 * without that. */
static bool cuda_must_acquire(struct cuda *cuda, const struct cuda_operation *operation,
                              uint32_t channel)
{
    const struct cuda_stream_state *stream = &cuda->streams[operation->stream];

    return operation->payload - 1 != cuda_submit_semaphore(cuda, operation->stream) &&
           (cuda_computes(cuda, operation) || stream->last_channel != channel);
}

/* Writes a GP entry; the channel is not told. */
static void cuda_put_entry(struct cuda *cuda, uint32_t stream, uint32_t channel, uint64_t va,
                           uint32_t dword_count)
{
    struct cuda_process_state *process = cuda_process(cuda, stream);
    const uint64_t entry =
        process->context.channels[channel].ring_physical + 8 * (uint64_t)process->put[channel];

    rm_poke(cuda->rm, entry, (uint32_t)va);
    rm_poke(cuda->rm, entry + 4, (uint32_t)(va >> 32) | dword_count << 10);
    process->put[channel] = (process->put[channel] + 1) % RM_CONTEXT_RING_ENTRIES;
    process->entries[channel]++;
}

/* Sends what was pushed; of a copy in the pushbuffer with its data, each piece behind its header,
 * which are the last dwords that were pushed. */
static void cuda_send(struct cuda *cuda, uint32_t stream, uint32_t channel,
                      const struct cuda_push *from, const struct cuda_call *inlined)
{
    const struct cuda_process_state *process = cuda_process(cuda, stream);
    const uint32_t offset = cuda_turn(cuda, stream) + CUDA_AT_PUSHBUFFER;
    const uint64_t va = cuda_va(cuda, stream, offset);
    const uint32_t pieces = inlined ? cuda_inline_count(inlined) : 1;
    const uint32_t first = from->count - pieces + 1; /* dwords of the first segment */

    cuda_poke(cuda, stream, offset, from->dwords, 4 * from->count);
    for (uint32_t i = 0; i < pieces; i++) {
        cuda_put_entry(cuda, stream, channel, i == 0 ? va : va + 4 * (uint64_t)(first + i - 1),
                       i == 0 ? first : 1);
        if (inlined)
            cuda_put_entry(cuda, stream, channel, process->context.heap_va + cuda_inline_data(cuda),
                           cuda_inline_dwords(inlined, i));
    }
    rm_channel_kick(cuda->rm, process->context.channels[channel].channel, process->put[channel]);
}

void cuda_submit_watch(struct cuda *cuda, uint32_t stream)
{
    machine_watch(cuda->machine, cuda->unit, stream * CUDA_EVENT_KINDS + CUDA_DONE, 0, MEMORY_VRAM,
                  cuda_physical(cuda, stream, CUDA_AT_SEMAPHORE));
}

void cuda_submit_watch_started(struct cuda *cuda, uint32_t stream)
{
    machine_watch(cuda->machine, cuda->unit, stream * CUDA_EVENT_KINDS + CUDA_STARTED, 0,
                  MEMORY_VRAM, cuda_physical(cuda, stream, CUDA_AT_STARTED));
}

uint32_t cuda_submit_semaphore(struct cuda *cuda, uint32_t stream)
{
    return cuda_peek(cuda, stream, CUDA_AT_SEMAPHORE);
}

uint32_t cuda_submit_started(struct cuda *cuda, uint32_t stream)
{
    return cuda_peek(cuda, stream, CUDA_AT_STARTED);
}

/* Returns the rule by which the operation is handed over now. */
static uint32_t cuda_submit_rule(const struct cuda *cuda, const struct cuda_operation *operation)
{
    const enum cuda_way way = cuda_way_of(cuda, operation);

    if (cuda_operation(cuda, cuda->streams[operation->stream].first) != operation)
        return RULE_CUDA_AHEAD;
    return way == CUDA_BY_KERNEL ? cuda_rule_head(cuda)
           : way == CUDA_RELEASE ? RULE_CUDA_EVENT_CHANNEL
                                 : RULE_T_C1;
}

static void cuda_log_submit(const struct cuda *cuda, const struct cuda_operation *operation,
                            uint32_t rule, uint64_t sequence)
{
    const bool kernel = cuda_way_of(cuda, operation) == CUDA_BY_KERNEL;
    const uint32_t stream = operation->stream;

    if (cuda_way_of(cuda, operation) == CUDA_RELEASE)
        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_RECORD, rule, operation->operation_id,
                    operation->channel_id, sequence);
    else
        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_SUBMIT, rule, operation->operation_id,
                    operation->channel_id, sequence,
                    kernel ? cuda_va(cuda, stream, cuda_turn(cuda, stream)) : 0);
}

/* Other streams have a static channel, too: it has the priority of what came last. */
static void cuda_set_priority(const struct cuda *cuda, const struct cuda_operation *operation)
{
    if (cuda_channel_static(cuda) && cuda_computes(cuda, operation))
        cost_set_priority(cuda->costs, operation->channel_id,
                          cuda->program->streams[operation->stream].priority);
}

void cuda_submit(struct cuda *cuda, uint32_t stream)
{
    struct cuda_stream_state *state = &cuda->streams[stream];
    struct cuda_operation *operation = cuda_operation(cuda, state->sending);
    const bool inlined = cuda_way_of(cuda, operation) == CUDA_INLINE;
    const uint32_t channel = operation->channel;
    /* Of the entry with which the operation ends. */
    const uint64_t sequence =
        cuda_process(cuda, stream)->entries[channel] + cuda_submit_entries(cuda, operation) - 1;
    struct cuda_push to = {.count = 0};
    uint32_t rule = cuda_submit_rule(cuda, operation);

    operation->payload = ++state->payload;
    operation->channel_id =
        cuda_submit_channel_id(cuda, cuda->program->streams[stream].process, channel);
    state->dispatched = 0;
    cuda_set_priority(cuda, operation);
    if (cuda_must_acquire(cuda, operation, channel)) {
        cuda_push_acquire(cuda, stream, &to);
        rule = RULE_CUDA_STREAM_ACQUIRE;
    }
    cuda_push_first(cuda, operation, channel, &to);
    cuda_push_work(cuda, operation, &to);
    cuda_submit_watch(cuda, stream);
    operation->sent = 1;
    state->sending = cuda_stream_unsent(cuda, operation);
    state->last_channel = channel;
    cuda_log_submit(cuda, operation, rule, sequence);
    cuda_send(cuda, stream, channel, &to, inlined ? cuda_call_of(cuda, operation) : NULL);
}
