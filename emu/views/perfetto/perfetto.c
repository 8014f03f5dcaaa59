/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/perfetto/perfetto.h"

/* Fields of TracePacket, besides those of events. */
enum {
    FIELD_INTERNED_DATA = 12,
    FIELD_SEQUENCE_FLAGS = 13,
    FIELD_TRACK_DESCRIPTOR = 60,
    FIELD_FIRST_PACKET = 87,
    STATE_CLEARED = 1,
    STATE_NEEDED = 2,
};

/* The packet's time, unless it has none, and sequence; its inside begins at *inside. */
static uint8_t *packet_open(struct perfetto *perfetto, uint8_t **inside, const gfe_ps *time_ps)
{
    uint8_t *to = *inside = protobuf_open(protobuf_room(&perfetto->out), 1);

    if (time_ps)
        to = protobuf_uint(to, 8, *time_ps / GFE_PS_PER_NS);
    return protobuf_uint(to, 10, 1);
}

static void packet_close(struct perfetto *perfetto, uint8_t *inside, uint8_t *to)
{
    perfetto->out.at = protobuf_close(inside, to);
    perfetto->packet_count++;
}

void perfetto_forget(struct perfetto *perfetto)
{
    uint8_t *inside, *to = packet_open(perfetto, &inside, NULL);

    to = protobuf_uint(to, FIELD_SEQUENCE_FLAGS, STATE_CLEARED);
    if (perfetto->epoch == 0)
        to = protobuf_uint(to, FIELD_FIRST_PACKET, 1);
    packet_close(perfetto, inside, to);
    perfetto->epoch++;
}

bool perfetto_init(struct perfetto *perfetto, FILE *file)
{
    *perfetto = (struct perfetto){0};
    if (!protobuf_init(&perfetto->out, file))
        return false;
    perfetto_forget(perfetto);
    return true;
}

void perfetto_fini(struct perfetto *perfetto)
{
    protobuf_fini(&perfetto->out);
}

/* EventCategory, EventName, DebugAnnotationName and InternedString are alike: number, text. */
void perfetto_define(struct perfetto *perfetto, enum perfetto_table table, uint64_t number,
                     const char *text)
{
    uint8_t *inside, *data, *entry, *to = packet_open(perfetto, &inside, NULL);

    to = protobuf_uint(to, FIELD_SEQUENCE_FLAGS, STATE_NEEDED);
    data = protobuf_open(to, FIELD_INTERNED_DATA);
    entry = protobuf_open(data, table);
    to = protobuf_uint(entry, 1, number);
    to = protobuf_string(to, 2, text, PERFETTO_TEXT_MAX);
    packet_close(perfetto, inside, protobuf_close(data, protobuf_close(entry, to)));
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static uint8_t *process_put(uint8_t *to, const struct perfetto_track *track)
{
    uint8_t *const inside = protobuf_open(to, 3);

    to = protobuf_uint(inside, 1, track->pid);
    return protobuf_close(inside, protobuf_string(to, 6, track->name, PERFETTO_TEXT_MAX));
}

static uint8_t *thread_put(uint8_t *to, const struct perfetto_track *track)
{
    uint8_t *const inside = protobuf_open(to, 4);

    to = protobuf_uint(inside, 1, track->pid);
    to = protobuf_uint(to, 2, track->tid);
    return protobuf_close(inside, protobuf_string(to, 5, track->name, PERFETTO_TEXT_MAX));
}

static uint8_t *counter_put(uint8_t *to)
{
    uint8_t *const inside = protobuf_open(to, 8);

    return protobuf_close(inside, protobuf_uint(inside, 3, 2)); /* UNIT_COUNT */
}

void perfetto_track(struct perfetto *perfetto, gfe_ps time_ps, const struct perfetto_track *track)
{
    uint8_t *inside, *to = packet_open(perfetto, &inside, &time_ps);
    uint8_t *const descriptor = protobuf_open(to, FIELD_TRACK_DESCRIPTOR);

    to = protobuf_short_put(protobuf_tag(descriptor, 1, PROTOBUF_VARINT), track->number);
    if (track->parent)
        to = protobuf_short_put(protobuf_tag(to, 5, PROTOBUF_VARINT), track->parent);
    switch (track->kind) {
    case PERFETTO_TRACK_PROCESS:
        to = process_put(to, track);
        break;
    case PERFETTO_TRACK_THREAD:
        to = thread_put(to, track);
        break;
    case PERFETTO_TRACK_COUNTER:
        to = counter_put(protobuf_string(to, 2, track->name, PERFETTO_TEXT_MAX));
        break;
    case PERFETTO_TRACK:
        to = protobuf_string(to, 2, track->name, PERFETTO_TEXT_MAX);
        break;
    }
    if (track->orders)
        to = protobuf_uint(to, 11, 3); /* child_ordering EXPLICIT */
    if (track->rank)
        to = protobuf_uint(to, 12, (uint64_t)(int64_t)track->rank); /* sibling_order_rank */
    packet_close(perfetto, inside, protobuf_close(descriptor, to));
}

/* ---- events ---------------------------------------------------------------------------------- */

void perfetto_note_string(struct perfetto_event *event, uint32_t note, const char *text)
{
    uint8_t *const inside = protobuf_open(event->to, 4);
    uint8_t *to = protobuf_uint(inside, 1, note);

    event->to = protobuf_close(inside, protobuf_string(to, 6, text, PERFETTO_TEXT_MAX));
}
