/* SPDX-License-Identifier: MIT */
/*
 * A trace in Perfetto's own format: packets with tracks, slices, instants and counters.
 *
 * The format is described in the Perfetto project's protos/perfetto/trace (trace_packet.proto,
 * track_event/, interned_data/), which is public; numbers of fields are from there.  This writer
 * writes TrackDescriptor, TrackEvent with debug annotations and flows, and InternedData, all on one
 * packet sequence.
 *
 * Times are given in picoseconds and written in nanoseconds, the format's unit, rounded down.
 * Rounding down keeps the order of events, and keeps slices nested in slices.  Times that need more
 * than nanoseconds go into annotations.
 *
 * Names are numbers (interning): perfetto_define() gives a number its text before it is first used.
 * perfetto_forget() withdraws all names, so that a reader need not keep them for ever.  It changes
 * `epoch`, by which the caller sees that a name must be defined again.
 *
 * Clocks are not written (times are those of the default clock), nor are compressed packets.
 */
#ifndef GFE_EMU_VIEWS_PERFETTO_PERFETTO_H
#define GFE_EMU_VIEWS_PERFETTO_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/views/perfetto/protobuf.h"

enum {
    PERFETTO_TEXT_MAX = 1024,      /* bytes of a name or a text; longer ones are cut */
    PERFETTO_EVENT_TEXTS_MAX = 8,  /* texts in one event */
    PERFETTO_EVENT_FLOWS_MAX = 64, /* flows through one event */
};

/* Tables of names, each a field of InternedData.  Each table has its own numbers, from 1. */
enum perfetto_table {
    PERFETTO_CATEGORIES = 1,
    PERFETTO_NAMES = 2, /* of slices and instants */
    PERFETTO_NOTES = 3, /* of annotations */
    PERFETTO_TEXTS = 29 /* values of annotations */
};

enum perfetto_type {
    PERFETTO_BEGIN = 1, /* begins a slice, which ends at the matching END on its track */
    PERFETTO_END = 2,
    PERFETTO_INSTANT = 3,
    PERFETTO_COUNTER = 4,
};

struct perfetto {
    struct protobuf out;
    uint32_t epoch;
    uint64_t packet_count;
    /* Times of events other than begins; several of these often have the same time. */
    struct protobuf_number time_ns, time_ps;
};

/* Begins a trace in `file`, which is borrowed.  Returns false if memory is short. */
bool perfetto_init(struct perfetto *perfetto, FILE *file);
void perfetto_fini(struct perfetto *perfetto);
/* Withdraws all names: each must be defined again before it is used again. */
void perfetto_forget(struct perfetto *perfetto);
/* Gives a number of a table its text. */
void perfetto_define(struct perfetto *perfetto, enum perfetto_table table, uint64_t number,
                     const char *text);

enum perfetto_track_kind {
    PERFETTO_TRACK, /* has slices and instants, or is only the parent of other tracks */
    PERFETTO_TRACK_PROCESS,
    PERFETTO_TRACK_THREAD,
    PERFETTO_TRACK_COUNTER,
};

/* Returns the number of the nth track, from 1, as the functions below take it: tracks are written
 * with each event, so their numbers are kept as they are written (protobuf_short). */
static inline uint64_t perfetto_track_number(uint64_t nth)
{
    return protobuf_short(nth);
}

struct perfetto_track {
    enum perfetto_track_kind kind;
    uint64_t number, parent; /* `parent` is 0 if the track has none */
    const char *name;
    uint32_t pid, tid; /* for a process, for a thread */
    int32_t rank;      /* among the children of its parent, lowest first */
    bool orders;       /* viewers order the track's children by rank */
};
/* Writes a track's description. */
void perfetto_track(struct perfetto *perfetto, gfe_ps time_ps, const struct perfetto_track *track);

/* ---- events ---------------------------------------------------------------------------------- */

/* An event that is being written: perfetto_event() begins it, perfetto_done() ends it.  The other
 * functions add parts in between.  Only one event may be open at a time. */
struct perfetto_event {
    uint8_t *packet, *inside, *to;
};

/* Begins an event with its time, type and track. */
static inline __attribute__((always_inline)) struct perfetto_event
perfetto_event(struct perfetto *perfetto, gfe_ps time_ps, enum perfetto_type type, uint64_t track)
{
    /* TracePacket: trusted_packet_sequence_id 1, sequence_flags SEQ_NEEDS_INCREMENTAL_STATE, and
     * track_event, whose length comes later; TrackEvent: type, and the tag of track_uuid. */
    const uint8_t rest[10] = {10 << 3, 1,      13 << 3,       2,      11 << 3 | PROTOBUF_BYTES, 0,
                              0,       9 << 3, (uint8_t)type, 11 << 3};
    struct perfetto_event event;

    event.packet = protobuf_open(protobuf_room(&perfetto->out), 1); /* Trace.packet */
    event.to = protobuf_tag(event.packet, 8, PROTOBUF_VARINT);
    if (type == PERFETTO_BEGIN || type == PERFETTO_END)
        event.to = protobuf_varint(event.to, time_ps / GFE_PS_PER_NS);
    else
        event.to = protobuf_varint_kept(event.to, time_ps / GFE_PS_PER_NS, &perfetto->time_ns);
    memcpy(event.to, rest, sizeof rest);
    event.inside = event.to + 7;
    event.to = protobuf_short_put(event.to + 10, track);
    return event;
}

static inline void perfetto_done(struct perfetto *perfetto, struct perfetto_event *event)
{
    perfetto->out.at = protobuf_close(event->packet, protobuf_close(event->inside, event->to));
    perfetto->packet_count++;
}

/* Adds name and category, which a slice's begin and an instant have. */
static inline void perfetto_name(struct perfetto_event *event, uint64_t name, uint64_t category)
{
    event->to = protobuf_uint(event->to, 10, name);
    event->to = protobuf_uint(event->to, 3, category);
}

/* Parts of events that are written many times: perfetto_piece_...() make one, and perfetto_put()
 * adds it to an event. */
struct perfetto_piece {
    uint8_t bytes[PROTOBUF_SPILL_BYTES];
    uint32_t count;
};

static inline void perfetto_put(struct perfetto_event *event, const struct perfetto_piece *piece)
{
    memcpy(event->to, piece->bytes, sizeof piece->bytes);
    event->to += piece->count;
}

/* Adds an annotation; `field` is the type of its value (debug_annotation.proto).  Inlined, the
 * bytes before the value are constants. */
static inline __attribute__((always_inline)) void
perfetto_note_as(struct perfetto_event *event, uint32_t field, uint32_t note, uint64_t value)
{
    uint8_t *const inside = protobuf_tag(event->to, 4, PROTOBUF_BYTES) + 1;

    event->to = protobuf_uint(protobuf_uint(inside, 1, note), field, value);
    inside[-1] = (uint8_t)(event->to - inside); /* at most 18 */
}

static inline void perfetto_note(struct perfetto_event *event, uint32_t note, uint64_t value)
{
    perfetto_note_as(event, 3, note, value);
}

/* Make what perfetto_name() and perfetto_note() add.  Numbers of notes have at most two bytes, and
 * those of categories one. */
static inline struct perfetto_piece perfetto_piece_name(uint64_t name, uint64_t category)
{
    struct perfetto_piece piece = {0};
    struct perfetto_event event = {.to = piece.bytes};

    perfetto_name(&event, name, category);
    piece.count = (uint32_t)(event.to - piece.bytes); /* at most 13 */
    return piece;
}

static inline struct perfetto_piece perfetto_piece_note(uint32_t note, uint64_t value)
{
    struct perfetto_piece piece = {0};
    struct perfetto_event event = {.to = piece.bytes};

    perfetto_note(&event, note, value);
    piece.count = (uint32_t)(event.to - piece.bytes); /* at most 16 */
    return piece;
}

/* The bytes before an annotation's value, kept for annotations with a fixed name and type. */
struct perfetto_note_head {
    uint64_t word; /* bytes, the first lowest */
    uint32_t count;
};

static inline struct perfetto_note_head perfetto_note_head(uint32_t note, uint32_t field)
{
    struct perfetto_note_head head = {0};
    uint8_t bytes[8] = {0}, *to = protobuf_tag(bytes, 4, PROTOBUF_BYTES) + 1;

    to = protobuf_tag(protobuf_uint(to, 1, note), field, PROTOBUF_VARINT);
    head.count = (uint32_t)(to - bytes); /* at most 7: numbers of notes have two bytes */
    for (uint32_t i = 0; i < head.count && i < sizeof bytes; i++)
        head.word |= (uint64_t)bytes[i] << 8 * i;
    return head;
}

static inline void perfetto_note_put(struct perfetto_event *event,
                                     const struct perfetto_note_head *head, uint64_t value)
{
    uint8_t *const note = event->to;

    protobuf_word(note, head->word);
    event->to = protobuf_varint(note + head->count, value);
    note[1] = (uint8_t)(event->to - note - 2);
}

/* Adds the event's exact time, in ps, to an event that is not a begin. */
static inline void perfetto_note_time(struct perfetto *perfetto, struct perfetto_event *event,
                                      uint32_t note, gfe_ps time_ps)
{
    uint8_t *const inside = protobuf_tag(event->to, 4, PROTOBUF_BYTES) + 1;

    event->to = protobuf_tag(protobuf_uint(inside, 1, note), 3, PROTOBUF_VARINT);
    event->to = protobuf_varint_kept(event->to, time_ps, &perfetto->time_ps);
    inside[-1] = (uint8_t)(event->to - inside);
}

/* Adds an annotation that viewers print in hexadecimal. */
static inline void perfetto_note_address(struct perfetto_event *event, uint32_t note,
                                         uint64_t value)
{
    perfetto_note_as(event, 7, note, value);
}

static inline void perfetto_note_flag(struct perfetto_event *event, uint32_t note)
{
    perfetto_note_as(event, 2, note, 1);
}

/* Add a text: perfetto_note_text() one with a number, perfetto_note_string() one without. */
static inline void perfetto_note_text(struct perfetto_event *event, uint32_t note, uint64_t number)
{
    perfetto_note_as(event, 17, note, number);
}
void perfetto_note_string(struct perfetto_event *event, uint32_t note, const char *text);

/* Makes the event a step of a flow.  The flow's first event in time begins it; `last` ends it. */
static inline void perfetto_flow(struct perfetto_event *event, uint64_t flow, bool last)
{
    event->to = protobuf_fixed64(event->to, last ? 48 : 47, flow);
}

static inline void perfetto_count(struct perfetto_event *event, uint64_t value)
{
    event->to = protobuf_uint(event->to, 30, value); /* counter_value */
}

#endif
