/* SPDX-License-Identifier: MIT */
/*
 * Streams of CUDA programs: queues of operations, the NULL stream, channels.  What was in a queue
 * and who held a channel is told by the log's events; that it may be so is judged here.
 */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/check/check_private.h"

enum { STREAM_BLOCKING, STREAM_NON_BLOCKING, STREAM_NULL, STREAM_PER_THREAD }; /* CUDA_STREAM's */
enum { CHANNEL_SHIFT = 40 }; /* of a key of channel and GP entry */

static struct check_operation *operation_of(struct check *check, uint64_t operation_id,
                                            const char *what)
{
    const uint32_t index = id_map_find(&check->operation_ids, operation_id);
    const struct check_event event =
        check_event_at(check->now, "%s of operation %" PRIu64, what, operation_id);

    if (index != ID_MAP_NONE && !check->operations[index].over)
        return &check->operations[index];
    check_violation(check, "LOG", index != ID_MAP_NONE ? &check->operations[index].called : NULL,
                    &event, index != ID_MAP_NONE ? "it is over" : "no such operation was called");
    return NULL;
}

static struct check_stream *stream_of(struct check *check, uint64_t stream_id, const char *what)
{
    const uint32_t index = id_map_find(&check->stream_ids, stream_id);
    const struct check_event event =
        check_event_at(check->now, "%s of stream %" PRIu64, what, stream_id);

    if (index != ID_MAP_NONE)
        return &check->streams[index];
    check_violation(check, "LOG", NULL, &event, "there is no such stream");
    return NULL;
}

/* Returns the operation at the head of the stream's queue, or NULL if the queue is empty. */
static const struct check_operation *head_of(const struct check *check,
                                             const struct check_stream *stream)
{
    return stream->first != CHECK_NONE ? &check->operations[stream->first] : NULL;
}

static uint64_t key_of(uint64_t channel_id, uint64_t gp_sequence)
{
    return channel_id << CHANNEL_SHIFT | (gp_sequence & ((UINT64_C(1) << CHANNEL_SHIFT) - 1));
}

/* ---- streams and calls ----------------------------------------------------------------------- */

void check_stream_new(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "stream %" PRIu64 " of process %" PRIu64, values[0], values[1]);
    struct check_stream *streams;

    if (id_map_find(&check->stream_ids, values[0]) != ID_MAP_NONE) {
        check_violation(check, "LOG", NULL, &event, "that number has been given before");
        return;
    }
    streams = check_room(check, check->streams, check->stream_count, &check->stream_capacity,
                         sizeof *streams);
    if (!streams)
        return;
    check->streams = streams;
    streams[check->stream_count] = (struct check_stream){.stream_id = values[0],
                                                         .process_id = values[1],
                                                         .kind = values[2],
                                                         .first = CHECK_NONE,
                                                         .last = CHECK_NONE};
    if (id_map_add(&check->stream_ids, values[0], check->stream_count))
        check->stream_count++;
    else
        check->no_memory = true;
}

/* T.G1: it is the last in its stream's queue. */
void check_operation_call(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "operation %" PRIu64 " of stream %" PRIu64 " is called", values[0], values[1]);
    struct check_stream *stream = stream_of(check, values[1], "an operation");
    const uint32_t index = check->operation_count;
    struct check_operation *operations;

    if (!stream)
        return;
    if (id_map_find(&check->operation_ids, values[0]) != ID_MAP_NONE) {
        check_violation(check, "LOG", NULL, &event, "that number has been given before");
        return;
    }
    operations =
        check_room(check, check->operations, index, &check->operation_capacity, sizeof *operations);
    if (!operations)
        return;
    check->operations = operations;
    operations[index] = (struct check_operation){.operation_id = values[0],
                                                 .stream = (uint32_t)(stream - check->streams),
                                                 .next = CHECK_NONE,
                                                 .work = CHECK_NONE,
                                                 .called = event};
    if (!id_map_add(&check->operation_ids, values[0], index)) {
        check->no_memory = true;
        return;
    }
    check->operation_count++;
    if (stream->last != CHECK_NONE)
        operations[stream->last].next = index;
    else
        stream->first = index;
    stream->last = index;
}

/* ---- what may go on -------------------------------------------------------------------------- */

/* CUDA.PER_THREAD: a host thread's default stream does, too. */
static bool blocks(const struct check_stream *stream)
{
    return stream->kind == STREAM_BLOCKING || stream->kind == STREAM_PER_THREAD;
}

/* T.N1, T.N2: no head of the other kind of stream of the process was called before. */
static void null_check(struct check *check, const struct check_operation *operation,
                       const struct check_event *event)
{
    const struct check_stream *of = &check->streams[operation->stream];

    if (of->kind == STREAM_NON_BLOCKING)
        return;
    for (uint32_t i = 0; i < check->stream_count; i++) {
        const struct check_stream *other = &check->streams[i];
        const struct check_operation *head = head_of(check, other);

        if (other->process_id != of->process_id || !head ||
            head->operation_id >= operation->operation_id ||
            !(of->kind == STREAM_NULL ? blocks(other) : other->kind == STREAM_NULL))
            continue;
        check_violation(check, of->kind == STREAM_NULL ? "T.N1" : "T.N2", &head->called, event,
                        "operation %" PRIu64 " was called before, in %s", head->operation_id,
                        of->kind == STREAM_NULL ? "another stream" : "the NULL stream");
    }
}

/* CUDA.CHANNEL_TURN, CUDA.CHANNEL_ORDER: the channel is the stream's, and what was handed to it
 * before had been called before. */
static void static_check(struct check *check, const struct check_operation *operation,
                         uint64_t channel_id, const struct check_event *event)
{
    const uint32_t index = id_map_find(&check->static_ids, channel_id);
    const struct check_stream *stream = &check->streams[operation->stream];
    struct check_static *channel;

    if (stream->is_static && operation->is_kernel && stream->channel_id != channel_id)
        check_violation(check, "CUDA.CHANNEL_TURN", &stream->held, event,
                        "stream %" PRIu64 " has channel %" PRIu64, stream->stream_id,
                        stream->channel_id);
    if (index == ID_MAP_NONE)
        return;
    channel = &check->statics[index];
    if (channel->operation_id > operation->operation_id)
        check_violation(check, "CUDA.CHANNEL_ORDER", &channel->handed, event,
                        "operation %" PRIu64 " was called later", channel->operation_id);
    channel->operation_id = operation->operation_id;
    channel->handed = *event;
}

/* B.R2: its stream holds the channel. */
static void channel_check(struct check *check, const struct check_operation *operation,
                          uint64_t channel_id, const struct check_event *event)
{
    const struct check_stream *stream = &check->streams[operation->stream];

    if (!stream->holds || stream->channel_id != channel_id)
        check_violation(check, "B.R2", stream->holds ? &stream->held : &operation->called, event,
                        "stream %" PRIu64 " does not hold channel %" PRIu64, stream->stream_id,
                        channel_id);
}

/* Returns how many of a stream's operations may be with the GPU. */
static uint64_t most_ahead(struct check *check)
{
    if (check->most_ahead == 0 &&
        !event_log_parameter(check->log, "cuda.send_ahead", &check->most_ahead))
        check->most_ahead = 1;
    return check->most_ahead;
}

/* T.G2, T.C1: it is at the head of its stream.  CUDA.AHEAD: where channels are static it is behind
 * as many as may be with the GPU, and none of them was called later. */
static void ahead_check(struct check *check, const struct check_operation *operation,
                        const struct check_event *event)
{
    struct check_stream *stream = &check->streams[operation->stream];
    const struct check_operation *head = head_of(check, stream);
    const uint64_t most = stream->is_static ? most_ahead(check) : 1;
    uint64_t count = 1;

    for (const struct check_operation *other = head; other != operation;
         other = &check->operations[other->next])
        count += other->submitted;
    if (most == 1 && head != operation)
        check_violation(check, operation->is_kernel ? "T.G2" : "T.C1", &head->called, event,
                        "operation %" PRIu64 " is at the head of stream %" PRIu64,
                        head->operation_id, stream->stream_id);
    else if (count > most)
        check_violation(check, "CUDA.AHEAD", &head->called, event,
                        "it is the one of %" PRIu64 " of stream %" PRIu64 " with the GPU", count,
                        stream->stream_id);
    if (stream->handed_id > operation->operation_id)
        check_violation(check, "CUDA.AHEAD", &head->called, event,
                        "operation %" PRIu64 ", which was called later, has been handed over",
                        stream->handed_id);
    stream->handed_id = operation->operation_id;
}

/* The operation goes to a channel: what holds for kernels, copies and records alike. */
static void hand_over(struct check *check, struct check_operation *operation, uint64_t channel_id,
                      const struct check_event *event)
{
    operation->channel_id = channel_id;
    ahead_check(check, operation, event);
    if (operation->submitted)
        check_violation(check, "LOG", &operation->called, event, "it has been handed over before");
    operation->submitted = true;
    null_check(check, operation, event);
    static_check(check, operation, channel_id, event);
}

/* CUDA.EVENT_CHANNEL */
void check_operation_record(struct check *check, const uint64_t *values)
{
    struct check_operation *operation = operation_of(check, values[0], "the submission");
    const struct check_event event = check_event_at(
        check->now, "the record, operation %" PRIu64 ", is handed to channel %" PRIu64, values[0],
        values[1]);

    if (!operation)
        return;
    operation->is_record = true;
    hand_over(check, operation, values[1], &event);
}

void check_operation_submit(struct check *check, const uint64_t *values)
{
    struct check_operation *operation = operation_of(check, values[0], "the submission");
    const struct check_event event = check_event_at(
        check->now, "operation %" PRIu64 " is handed to channel %" PRIu64, values[0], values[1]);

    if (!operation)
        return;
    operation->is_kernel = values[3] != 0;
    hand_over(check, operation, values[1], &event);
    if (operation->is_kernel && !check->streams[operation->stream].is_static)
        channel_check(check, operation, values[1], &event);
    if (!id_map_add(&check->submit_ids, key_of(values[1], values[2]),
                    (uint32_t)(operation - check->operations)))
        check->no_memory = true;
}

/* Returns true if what the GPU made of the operation is over. */
static bool is_done(const struct check *check, const struct check_operation *operation)
{
    if (operation->is_inline || operation->is_record || operation->over)
        return true;
    if (operation->work == CHECK_NONE)
        return false;
    return operation->is_kernel ? check->grids[operation->work].over
                                : check_copy_is_over(check, operation->work);
}

/* CUDA.STREAM_ACQUIRE: what is in front of it in its stream is over, or both are copies of one
 * channel. */
static void acquire_check(struct check *check, const struct check_operation *operation)
{
    const struct check_stream *stream = &check->streams[operation->stream];
    const struct check_event event =
        check_event_at(check->now, "operation %" PRIu64 " begins", operation->operation_id);

    for (const struct check_operation *other = head_of(check, stream); other != operation;
         other = &check->operations[other->next])
        if (other->submitted && !is_done(check, other) &&
            (operation->is_kernel || other->is_kernel ||
             other->channel_id != operation->channel_id))
            check_violation(check, "CUDA.STREAM_ACQUIRE", &other->called, &event,
                            "operation %" PRIu64 " of its stream is not over", other->operation_id);
}

/* The GPU has made a grid (or copy) of a GP entry: of which operation, if it is one's. */
void check_operation_work(struct check *check, bool is_kernel, uint32_t work, uint64_t channel_id,
                          uint64_t gp_sequence)
{
    const uint32_t index = id_map_find(&check->submit_ids, key_of(channel_id, gp_sequence));

    if (index == ID_MAP_NONE || check->operations[index].over ||
        check->operations[index].is_kernel != is_kernel)
        return;
    check->operations[index].work = work;
    acquire_check(check, &check->operations[index]);
    if (is_kernel)
        check->grids[work].process = check->streams[check->operations[index].stream].process_id;
}

void check_inline_write(struct check *check, const uint64_t *values)
{
    const uint32_t index = id_map_find(&check->submit_ids, key_of(values[0], values[1]));

    if (index != ID_MAP_NONE && !check->operations[index].is_kernel)
        check->operations[index].is_inline = true;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* T.G4, T.C4: what the GPU made of it is over. */
static void work_check(struct check *check, const struct check_operation *operation,
                       const struct check_event *event)
{
    const char *rule = operation->is_kernel ? "T.G4" : "T.C4";

    if (operation->is_inline || operation->is_record)
        return;
    if (operation->work == CHECK_NONE)
        check_violation(check, rule, &operation->called, event, "the GPU has not begun it");
    else if (operation->is_kernel && !check->grids[operation->work].over)
        check_violation(check, rule, &check->grids[operation->work].queued, event,
                        "kernel %" PRIu64 " has not ended", check->grids[operation->work].grid_id);
    else if (!operation->is_kernel && !check_copy_is_over(check, operation->work))
        check_violation(check, rule, &check->copies[operation->work].queued, event,
                        "copy %" PRIu64 " has not ended", check->copies[operation->work].copy_id);
}

void check_operation_complete(struct check *check, const uint64_t *values)
{
    struct check_operation *operation = operation_of(check, values[0], "the completion");
    const struct check_event event =
        check_event_at(check->now, "operation %" PRIu64 " is complete", values[0]);
    struct check_stream *stream;
    const struct check_operation *head;

    if (!operation)
        return;
    stream = &check->streams[operation->stream];
    head = head_of(check, stream);
    if (operation->submitted)
        work_check(check, operation, &event);
    if (head != operation) {
        check_violation(check, operation->is_kernel ? "T.G4" : "T.C4", &head->called, &event,
                        "operation %" PRIu64 " is in front of it in stream %" PRIu64,
                        head->operation_id, stream->stream_id);
        return;
    }
    stream->first = operation->next;
    if (stream->first == CHECK_NONE)
        stream->last = CHECK_NONE;
    operation->over = true;
}

/* ---- channels -------------------------------------------------------------------------------- */

void check_channel_hold(struct check *check, const uint64_t *values)
{
    struct check_stream *stream = stream_of(check, values[0], "the channel");
    const struct check_event event = check_event_at(
        check->now, "stream %" PRIu64 " gets channel %" PRIu64, values[0], values[1]);

    if (!stream)
        return;
    for (uint32_t i = 0; i < check->stream_count; i++)
        if (check->streams[i].holds && check->streams[i].channel_id == values[1])
            check_violation(check, "B.R2", &check->streams[i].held, &event,
                            "stream %" PRIu64 " holds it", check->streams[i].stream_id);
    if (stream->holds)
        check_violation(check, "B.R2", &stream->held, &event, "it holds another channel");
    stream->holds = true;
    stream->channel_id = values[1];
    stream->held = event;
}

/* B.C1: its last kernel has at least a block on an SM. */
void check_channel_free(struct check *check, const uint64_t *values)
{
    struct check_stream *stream = stream_of(check, values[0], "the channel");
    const struct check_event event = check_event_at(
        check->now, "stream %" PRIu64 " gives channel %" PRIu64 " back", values[0], values[1]);
    const struct check_operation *head;

    if (!stream)
        return;
    if (!stream->holds || stream->channel_id != values[1])
        check_violation(check, "B.R2", stream->held.text[0] ? &stream->held : NULL, &event,
                        "it does not hold it");
    stream->holds = false;
    head = head_of(check, stream);
    if (head && head->submitted && head->is_kernel &&
        (head->work == CHECK_NONE || check->grids[head->work].started == 0))
        check_violation(check, "B.C1", &head->called, &event,
                        "no block of its kernel, operation %" PRIu64 ", has started",
                        head->operation_id);
}

/* Returns the record of a channel that streams have for ever, or NULL when memory is short. */
static struct check_static *static_of(struct check *check, uint64_t channel_id)
{
    uint32_t index = id_map_find(&check->static_ids, channel_id);
    struct check_static *statics;

    if (index != ID_MAP_NONE)
        return &check->statics[index];
    index = check->static_count;
    statics = check_room(check, check->statics, index, &check->static_capacity, sizeof *statics);
    if (!statics)
        return NULL;
    check->statics = statics;
    statics[index] = (struct check_static){.channel_id = channel_id, .next = CHECK_NONE};
    if (!id_map_add(&check->static_ids, channel_id, index)) {
        check->no_memory = true;
        return NULL;
    }
    check->static_count++;
    return &statics[index];
}

/* CUDA.CHANNEL_TURN: the same channel follows another one each time. */
static void turn_check(struct check *check, const struct check_stream *stream, uint32_t channel,
                       const struct check_event *event)
{
    const struct check_stream *last =
        check->turn_stream != 0 ? &check->streams[check->turn_stream - 1] : NULL;
    struct check_static *before;

    check->turn_stream = (uint32_t)(stream - check->streams) + 1;
    if (!last || last->process_id != stream->process_id)
        return;
    before = &check->statics[id_map_find(&check->static_ids, last->channel_id)];
    if (before->next != CHECK_NONE && before->next != channel)
        check_violation(check, "CUDA.CHANNEL_TURN", &before->followed, event,
                        "channel %" PRIu64 " followed channel %" PRIu64 " there",
                        check->statics[before->next].channel_id, last->channel_id);
    before->next = channel;
    before->followed = *event;
}

void check_channel_of_stream(struct check *check, const uint64_t *values)
{
    struct check_stream *stream = stream_of(check, values[0], "the channel");
    const struct check_event event = check_event_at(
        check->now, "stream %" PRIu64 " has channel %" PRIu64 " for ever", values[0], values[1]);
    const struct check_static *channel = stream ? static_of(check, values[1]) : NULL;

    if (!channel)
        return;
    if (stream->is_static)
        check_violation(check, "LOG", &stream->held, &event, "it has one");
    stream->is_static = true;
    stream->channel_id = values[1];
    stream->held = event;
    if (stream->kind != STREAM_NULL)
        turn_check(check, stream, (uint32_t)(channel - check->statics), &event);
}
