/* SPDX-License-Identifier: MIT */
/* Which stream has which of its process's compute channels. */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"

static uint32_t cuda_process_of(const struct cuda *cuda, uint32_t stream)
{
    return cuda->program->streams[stream].process;
}

/* Returns the context whose channels the stream's process uses. */
static uint32_t cuda_context_of_stream(const struct cuda *cuda, uint32_t stream)
{
    return cuda_context_of(cuda, cuda_process_of(cuda, stream));
}

enum { CHIP_GV11B = 0x15b, CHIP_GA10B = 0x17b, CLIENT_CHANNELS = 2 };

uint32_t cuda_channel_count(const struct cuda *cuda)
{
    const uint64_t wanted = cuda_parameter(cuda, PARAM_CUDA_CHANNELS);

    const bool client = cuda_mps(cuda) && !cuda_mps_shared(cuda);

    return wanted != 0                          ? (uint32_t)wanted
           : client                             ? CLIENT_CHANNELS
           : cuda->model->chip_id == CHIP_GV11B ? 2
           : cuda->model->chip_id == CHIP_GA10B ? 4
                                                : RM_CONTEXT_COMPUTE;
}

/* Bakita and Anderson 2024, note 10 (ASSUMED: not of clients of MPS): on Jetson boards (Xavier,
 * Orin) twice as many as are used. */
uint32_t cuda_channel_made(const struct cuda *cuda)
{
    const uint32_t count = cuda_channel_count(cuda);
    const bool twice = cuda->model->chip_id == CHIP_GV11B || cuda->model->chip_id == CHIP_GA10B;

    return twice && !cuda_mps(cuda) && 2 * count <= RM_CONTEXT_COMPUTE_MAX ? 2 * count : count;
}

static void cuda_channel_hold(struct cuda *cuda, uint32_t index, uint32_t channel, uint32_t rule)
{
    const uint32_t context = cuda_context_of_stream(cuda, index);
    const uint32_t channel_id = cuda_submit_channel_id(cuda, context, channel);

    cuda->processes[context].holder[channel] = index + 1;
    cuda->streams[index].channel = channel;
    cuda->streams[index].since_ps = GFE_PS_NEVER;
    cost_set_priority(cuda->costs, channel_id, cuda->program->streams[index].priority);
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_CHANNEL, rule, index, channel_id);
}

/* ---- static channels ------------------------------------------------------------------------- */

bool cuda_channel_static(const struct cuda *cuda)
{
    return cuda->machine->choices[CHOICE_CUDA_CHANNEL_NEXT] == CUDA_NEXT_STATIC;
}

/* The NULL stream has its context's first channel.  The others take turns from the second one on,
 * in the order in which they were made. */
void cuda_channel_start(struct cuda *cuda)
{
    const uint32_t count = cuda_channel_count(cuda);
    uint32_t context = CUDA_NONE, made = 0;

    for (uint32_t i = 0; i < cuda->program->stream_count && cuda_channel_static(cuda); i++) {
        made = cuda_context_of_stream(cuda, i) == context ? made : 0;
        context = cuda_context_of_stream(cuda, i);
        if (cuda->program->streams[i].kind == CUDA_NULL_STREAM)
            cuda->streams[i].channel = 0;
        else
            cuda->streams[i].channel = ++made % count;
    }
}

void cuda_channel_tell(const struct cuda *cuda, uint32_t process)
{
    for (uint32_t i = cuda->first_streams[process];
         i < cuda->first_streams[process + 1] && cuda_channel_static(cuda); i++)
        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_STREAM_CHANNEL, RULE_CUDA_CHANNEL_TURN, i,
                    cuda_submit_channel_id(cuda, process, cuda->streams[i].channel));
}

/* Returns the process whose context has the channel of the operation's stream. */
static struct cuda_process_state *cuda_channel_owner(const struct cuda *cuda,
                                                     const struct cuda_operation *operation)
{
    return &cuda->processes[cuda_context_of_stream(cuda, operation->stream)];
}

void cuda_channel_append(struct cuda *cuda, uint32_t link)
{
    const struct cuda_operation *operation = cuda_operation(cuda, link);
    struct cuda_process_state *owner = cuda_channel_owner(cuda, operation);
    const uint32_t channel = cuda->streams[operation->stream].channel;

    if (owner->last[channel] != 0)
        cuda_operation(cuda, owner->last[channel])->next_on_channel = link;
    else
        owner->first[channel] = link;
    owner->last[channel] = link;
}

uint64_t cuda_channel_blocker(const struct cuda *cuda, const struct cuda_operation *operation)
{
    const uint32_t channel = cuda->streams[operation->stream].channel;
    const uint32_t first = cuda_channel_owner(cuda, operation)->first[channel];
    const struct cuda_operation *other = first != 0 ? cuda_operation(cuda, first) : operation;

    return other != operation ? other->operation_id : 0;
}

uint32_t cuda_channel_pass(struct cuda *cuda, const struct cuda_operation *operation)
{
    struct cuda_process_state *owner = cuda_channel_owner(cuda, operation);
    const uint32_t channel = cuda->streams[operation->stream].channel;
    const uint32_t next = operation->next_on_channel;

    assert(owner->first[channel] != 0 && cuda_operation(cuda, owner->first[channel]) == operation);
    owner->first[channel] = next;
    if (next == 0)
        owner->last[channel] = 0;
    return next != 0 ? cuda_process_of(cuda, cuda_operation(cuda, next)->stream) : CUDA_NONE;
}

/* ---- channels that streams hold and give back ------------------------------------------------ */

bool cuda_channel_get(struct cuda *cuda, uint32_t index)
{
    struct cuda_stream_state *stream = &cuda->streams[index];
    const struct cuda_process_state *process =
        &cuda->processes[cuda_context_of_stream(cuda, index)];
    const uint32_t count = cuda_channel_count(cuda);
    uint32_t channel = 0;

    if (stream->channel != CUDA_NONE)
        return true;
    while (channel < count && process->holder[channel] != 0)
        channel++;
    if (channel < count) {
        cuda_channel_hold(cuda, index, channel, RULE_B_R2);
        return true;
    }
    if (stream->since_ps == GFE_PS_NEVER)
        stream->since_ps = machine_now(cuda->machine);
    return false;
}

/* Returns the waiting stream that gets the channel (B.C2), or CUDA_NONE if no stream waits. */
static uint32_t cuda_channel_next(struct cuda *cuda, uint32_t context)
{
    const uint32_t end = cuda_context_end_stream(cuda, context);
    const uint32_t choice = cuda->machine->choices[CHOICE_CUDA_CHANNEL_NEXT];
    uint32_t found = CUDA_NONE, count = 0;

    for (uint32_t i = cuda_context_first_stream(cuda, context); i < end; i++) {
        const gfe_ps since_ps = cuda->streams[i].since_ps;
        const gfe_ps found_ps = found == CUDA_NONE ? 0 : cuda->streams[found].since_ps;

        if (since_ps == GFE_PS_NEVER)
            continue;
        count++;
        if (found == CUDA_NONE || (choice == CUDA_NEXT_FIFO && since_ps < found_ps) ||
            (choice == CUDA_NEXT_NEWEST && since_ps >= found_ps) ||
            (choice == CUDA_NEXT_RANDOM && random_below(cuda->machine->random, count) == 0))
            found = i;
    }
    return found;
}

/* The stream has no kernel that needs the channel: none, or one that has been dispatched. */
static bool cuda_channel_needless(const struct cuda *cuda, const struct cuda_stream_state *stream)
{
    const struct cuda_operation *head = stream->first ? cuda_operation(cuda, stream->first) : NULL;
    const bool dispatched = stream->dispatched && head && head->submitted;

    return stream->kernel_count == dispatched;
}

void cuda_channel_review(struct cuda *cuda, uint32_t index)
{
    struct cuda_stream_state *stream = &cuda->streams[index];
    const uint32_t context = cuda_context_of_stream(cuda, index), channel = stream->channel;
    uint32_t next;

    if (channel == CUDA_NONE || cuda_channel_static(cuda) || !cuda_channel_needless(cuda, stream))
        return;
    stream->channel = CUDA_NONE;
    cuda->processes[context].holder[channel] = 0;
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_CHANNEL_FREE, RULE_B_C1, index,
                cuda_submit_channel_id(cuda, context, channel));
    next = cuda_channel_next(cuda, context);
    if (next == CUDA_NONE)
        return;
    cuda_channel_hold(cuda, next, channel, RULE_B_C2);
    /* The caller reviews its own process. */
    if (cuda_process_of(cuda, next) != cuda_process_of(cuda, index))
        cuda_stream_review(cuda, cuda_process_of(cuda, next));
}

void cuda_channel_started(struct cuda *cuda, uint32_t index)
{
    struct cuda_stream_state *stream = &cuda->streams[index];
    const struct cuda_operation *head = stream->first ? cuda_operation(cuda, stream->first) : NULL;
    uint32_t started;

    if (!head || !head->submitted || cuda_way_of(cuda, head) != CUDA_BY_KERNEL)
        return; /* it is complete already */
    started = cuda_submit_started(cuda, index);
    if (cuda->machine->choices[CHOICE_CUDA_CHANNEL_FREE] == CUDA_FREE_PARTLY
            ? started == 0
            : started < (uint32_t)cuda_kernel_of(cuda, head)->block_count) {
        cuda_submit_watch_started(cuda, index);
        return;
    }
    stream->dispatched = 1;
    cuda_channel_review(cuda, index);
    cuda_stream_review(cuda, cuda_process_of(cuda, index));
}
