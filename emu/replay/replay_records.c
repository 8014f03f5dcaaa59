/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_records.h"

#include "emu/replay/replay.h"

bool replay_records_is_program(uint16_t kind)
{
    return kind != TRACE_META && kind != TRACE_END && kind != TRACE_GPU_WRITE;
}

bool replay_records_is_resource(uint16_t kind)
{
    return kind == TRACE_AS_CREATE || kind == TRACE_AS_MAP || kind == TRACE_AS_UNMAP ||
           kind == TRACE_CHANNEL || kind == TRACE_CHANNEL_END || kind == TRACE_OBJECT ||
           kind == TRACE_VM_INIT || kind == TRACE_VM_BIND || kind == TRACE_SYNCOBJ ||
           kind == TRACE_QUEUE || kind == TRACE_QUEUE_UPDATE || kind == TRACE_CU_MASK ||
           kind == TRACE_QUEUE_END;
}

/* Moves to the start of the first segment from `segment` on in which the thread does anything. */
static void replay_records_skip(const struct replay_input *input, uint32_t segment,
                                uint32_t thread_index, struct replay_cursor *cursor)
{
    const uint32_t count = trace_store_segment_count(input->store);

    for (; segment < count; segment++)
        if (input->segments[segment].threads[thread_index / 64] >> thread_index % 64 & 1) {
            cursor->place = trace_store_segment(input->store, segment);
            cursor->resources_before = input->segments[segment].resources_before;
            return;
        }
    cursor->place = (struct trace_place){.number = REPLAY_NO_RECORD};
}

/* From a record of any thread to the next of this one, which may be the same. */
static bool replay_records_seek(const struct replay_input *input, uint32_t thread_index,
                                struct replay_cursor *cursor, struct gfe_error *error)
{
    const struct replay_program_thread *thread = &input->threads[thread_index];
    uint32_t segment = trace_store_segment_of(input->store, cursor->place.number);
    struct trace_head head;

    if (cursor->place.number == trace_store_segment(input->store, segment).number)
        replay_records_skip(input, segment, thread_index, cursor);
    while (cursor->place.number != REPLAY_NO_RECORD) {
        segment = trace_store_segment_of(input->store, cursor->place.number);
        while (cursor->place.position < trace_store_segment(input->store, segment + 1).position) {
            if (!trace_store_head(input->store, &cursor->place, &head, error))
                return false;
            if (head.thread_id == thread->thread_id && head.process_id == thread->process_id &&
                replay_records_is_program(head.kind))
                return true;
            cursor->resources_before += replay_records_is_resource(head.kind);
            cursor->place = trace_store_behind(&cursor->place, &head);
        }
        replay_records_skip(input, segment + 1, thread_index, cursor);
    }
    return true;
}

bool replay_records_first(const struct replay_input *input, uint32_t thread_index,
                          struct replay_cursor *cursor, struct gfe_error *error)
{
    *cursor = (struct replay_cursor){0};
    return replay_records_seek(input, thread_index, cursor, error);
}

bool replay_records_next(const struct replay_input *input, uint32_t thread_index,
                         struct replay_cursor *cursor, struct gfe_error *error)
{
    struct trace_head head;

    if (!trace_store_head(input->store, &cursor->place, &head, error))
        return false;
    cursor->resources_before += replay_records_is_resource(head.kind);
    cursor->place = trace_store_behind(&cursor->place, &head);
    return replay_records_seek(input, thread_index, cursor, error);
}

bool replay_records_find(const struct replay_input *input, uint64_t number,
                         struct trace_place *place, struct gfe_error *error)
{
    const uint32_t segment = trace_store_segment_of(input->store, number);
    struct trace_head head;

    *place = trace_store_segment(input->store, segment);
    while (place->number < number) {
        if (!trace_store_head(input->store, place, &head, error))
            return false;
        *place = trace_store_behind(place, &head);
    }
    return true;
}
