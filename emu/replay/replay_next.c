/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_next.h"

#include <string.h>

/* Stops the machine with the message, without the name of the trace: the caller that shows the
 * message adds it. */
void replay_next_unreadable(struct replay *replay, const struct gfe_error *error)
{
    const char *path = replay->input->path;
    const size_t bytes = strlen(path);
    const bool named =
        strncmp(error->text, path, bytes) == 0 && strncmp(error->text + bytes, ": ", 2) == 0;

    machine_fail(replay->machine, error->kind, "%s", error->text + (named ? bytes + 2 : 0));
}

const struct trace_place *replay_next_place(struct replay *replay, uint32_t thread_index)
{
    const uint64_t number = replay->state->threads[thread_index].next;
    struct trace_place *place = &replay->places[thread_index];
    struct gfe_error error = {0};

    if (place->number == number || replay_records_find(replay->input, number, place, &error))
        return place;
    place->number = REPLAY_NO_RECORD;
    replay_next_unreadable(replay, &error);
    return NULL;
}

/* Calls of the driver and waits that it decides on. */
static bool is_held(uint16_t kind)
{
    return kind == TRACE_SUBMIT || kind == TRACE_EXEC || kind == TRACE_VM_BIND ||
           kind == TRACE_SYNCOBJ_WAIT || kind == TRACE_QUEUE || kind == TRACE_QUEUE_UPDATE ||
           kind == TRACE_CU_MASK || kind == TRACE_QUEUE_END || kind == TRACE_EVENT_WAIT;
}

/* Decodes the thread's next record, which it has.  What is held stays valid while it is that,
 * another until the next call.  NULL when the trace cannot be read. */
static const struct trace_record *record_load(struct replay *replay, uint32_t thread_index)
{
    const struct trace_place *place = replay_next_place(replay, thread_index);
    struct replay_held *held = &replay->held[thread_index];
    struct trace_store *store = replay->input->store;
    struct gfe_error error = {0};
    struct trace_head head;
    bool good;

    if (!place)
        return NULL;
    good = trace_store_head(store, place, &head, &error);
    if (good && is_held(head.kind)) {
        good = trace_store_record(store, place, &held->record, &held->scratch, &error);
        held->number = good ? place->number : REPLAY_NO_RECORD;
    } else if (good) {
        good = trace_store_record(store, place, &replay->record, &replay->scratch, &error);
    }
    if (!good)
        replay_next_unreadable(replay, &error);
    return !good ? NULL : is_held(head.kind) ? &held->record : &replay->record;
}

/* The driver model asks for a submission again and again. */
const struct trace_record *replay_next_record(struct replay *replay, uint32_t thread_index)
{
    const struct replay_held *held = &replay->held[thread_index];

    if (held->number == replay->state->threads[thread_index].next &&
        held->number != REPLAY_NO_RECORD)
        return &held->record;
    return record_load(replay, thread_index);
}

bool replay_next_advance(struct replay *replay, uint32_t thread_index, bool first)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    const struct trace_place *place = first ? NULL : replay_next_place(replay, thread_index);
    struct replay_held *held = &replay->held[thread_index];
    struct replay_cursor cursor = {.resources_before = thread->resources_before};
    struct gfe_error error = {0};

    enum { HELD_BYTES = 64 << 10 }; /* more than that is not kept for the next submission */

    held->number = REPLAY_NO_RECORD;
    if (held->scratch.capacity > HELD_BYTES)
        trace_scratch_free(&held->scratch);
    if (place)
        cursor.place = *place;
    if (!(first || place) ||
        !(first ? replay_records_first(replay->input, thread_index, &cursor, &error)
                : replay_records_next(replay->input, thread_index, &cursor, &error))) {
        cursor.place.number = REPLAY_NO_RECORD;
        replay_next_unreadable(replay, &error);
    }
    replay->places[thread_index] = cursor.place;
    thread->next = cursor.place.number;
    thread->resources_before = cursor.resources_before;
    return !machine_failed(replay->machine);
}
