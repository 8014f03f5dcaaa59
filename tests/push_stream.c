/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/push_stream.h"

#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_space.h"
#include "traces/format/trace.h"

static bool stream_add(struct push_stream *stream, const uint32_t *dwords, uint32_t count)
{
    uint32_t *more = realloc(stream->dwords, (stream->dword_count + (size_t)count) * sizeof *more);
    uint32_t *lengths;

    if (!more)
        return false;
    stream->dwords = more;
    lengths = realloc(stream->lengths, (stream->segment_count + (size_t)1) * sizeof *lengths);
    if (!lengths)
        return false;
    stream->lengths = lengths;
    memcpy(stream->dwords + stream->dword_count, dwords, count * sizeof *dwords);
    stream->dword_count += count;
    stream->lengths[stream->segment_count++] = count;
    return true;
}

bool push_stream_synthetic(struct push_stream *stream, uint32_t segment_count)
{
    uint32_t dwords[PUSH_STREAM_SEGMENT], word = 1;

    *stream = (struct push_stream){0};
    for (uint32_t segment = 0; segment < segment_count; segment++) {
        uint32_t at = 0;

        for (uint32_t i = 0; i < PUSH_STREAM_HEADERS; i++) {
            /* INC headers, on the subchannels of 3D, compute, inline and 2D in turn. */
            dwords[at++] = 1u << 29 | 4u << 16 | (i & 3) << 13 | (0x180 + 0x10 * (i % 4)) >> 2;
            for (uint32_t d = 0; d < 4; d++)
                dwords[at++] = word = word * 1664525 + 1013904223;
        }
        dwords[at++] = 1u << 29 | 5u << 16 | 0x10 >> 2;
        dwords[at++] = 0;         /* SEMAPHOREA: address, upper */
        dwords[at++] = 0x1000000; /* SEMAPHOREB: lower */
        dwords[at++] = segment;   /* SEMAPHOREC: payload */
        dwords[at++] = 0x1100002; /* SEMAPHORED: RELEASE, no wait for idle, 4 bytes */
        dwords[at++] = 0;         /* NON_STALL_INTERRUPT */
        if (!stream_add(stream, dwords, at)) {
            push_stream_fini(stream);
            return false;
        }
    }
    return true;
}

static bool stream_push(struct push_stream *stream, struct trace_spaces *spaces, uint32_t as_id,
                        const struct trace_push *push, struct gfe_error *error)
{
    const uint32_t count = (uint32_t)(push->length_bytes / 4);
    struct trace_space *space = trace_space(spaces, as_id, error);
    uint32_t *dwords = malloc(push->length_bytes + 1);
    uint64_t va;
    bool good = space && dwords && trace_spaces_push_va(spaces, as_id, push, &va) &&
                trace_space_read(space, va, dwords, 4 * (size_t)count) &&
                stream_add(stream, dwords, count);

    if (!good && error->kind == ERROR_NONE)
        error_set(error, ERROR_INPUT, "a push that cannot be read");
    free(dwords);
    return good;
}

static bool stream_record(struct push_stream *stream, struct trace_spaces *spaces,
                          struct trace_channel *channel, const struct trace_record *record,
                          struct gfe_error *error)
{
    bool good = true;

    if (record->head.kind == TRACE_CHANNEL && channel->channel_id == TRACE_ANY)
        *channel = record->channel;
    else if (record->head.kind == TRACE_SUBMIT && record->submit.channel_id == channel->channel_id)
        for (uint32_t i = 0; good && i < record->submit.pushes.count; i++)
            good =
                stream_push(stream, spaces, channel->as_id, &record->submit.pushes.push[i], error);
    else if (record->head.kind != TRACE_SUBMIT && record->head.kind != TRACE_CHANNEL)
        good = trace_spaces_record(spaces, record, error);
    return good;
}

bool push_stream_recorded(struct push_stream *stream, const char *path, struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(path, error);
    struct trace_channel channel = {.channel_id = TRACE_ANY};
    struct trace_spaces spaces = {0};
    struct trace_record record;

    *stream = (struct push_stream){0};
    while (reader && error->kind == ERROR_NONE && trace_read(reader, &record, error) == TRACE_GOT)
        (void)stream_record(stream, &spaces, &channel, &record, error);
    trace_spaces_fini(&spaces);
    trace_reader_free(reader);
    if (error->kind != ERROR_NONE)
        push_stream_fini(stream);
    return error->kind == ERROR_NONE;
}

void push_stream_fini(struct push_stream *stream)
{
    free(stream->dwords);
    free(stream->lengths);
    *stream = (struct push_stream){0};
}
