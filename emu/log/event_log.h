/* SPDX-License-Identifier: MIT */
/*
 * The event log (.gfl): what happened, append only, on the chunk layer of the trace.
 *
 * CHUNK_LOG_HEAD holds one JSON object: what was run (trace hash, GPU, seed, options, version) and
 * the tables that the numbers in the events refer to (units, rules, event kinds, parameters), so a
 * log explains itself.  CHUNK_LOG_EVENTS hold events back to back, as variable-length integers.
 * CHUNK_LOG_END holds JSON totals.  CHUNK_LOG_HOST, which may stand behind the head, is a JSON
 * object about the machine that ran it: it is left out of the log's identity.
 *
 * One event: varint kind << 1 | as_before; varint time difference to the event before; unless
 * as_before, varint unit << 2 | origin and varint rule; then the kind's arguments, each as a varint
 * of its difference to the last event of that kind, modulo 2^64, with the sign in bit 0 (0, -1, 1,
 * -2 are 0, 1, 2, 3).  as_before: unit, origin and rule are those of the last event of that kind.
 * Each chunk begins with time 0 and, for every kind, an event before of all zeroes.  Events of a
 * kind resemble each other: most arguments take one byte, and what is left compresses well.
 */
#ifndef GFE_EMU_EVENT_LOG_H
#define GFE_EMU_EVENT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/log/chunk.h"
#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"
#include "emu/base/state.h"

/* ---- writing --------------------------------------------------------------------------------- */

enum { EVENT_LOG_KINDS_MAX = TABLE_END };

GFE_STATE_BEGIN
/* The last event of a kind in a chunk: what the next one is told as a difference to. */
struct event_log_last {
    uint64_t argument[EVENT_ARGUMENTS_MAX];
    uint32_t source; /* unit << 2 | origin */
    uint32_t rule;
};

/* Lies in the arena: restoring a snapshot also takes the log back to where it was.  Once another
 * thread encodes, event_count alone goes on. */
struct event_log_cursor {
    gfe_ps last_ps; /* of the last event in the open chunk */
    uint64_t event_count;
    uint64_t byte_count;                             /* of encoded events */
    uint64_t chunk_start;                            /* byte_count at the start of the open chunk */
    struct event_log_last last[EVENT_LOG_KINDS_MAX]; /* in the open chunk */
};
GFE_STATE_END

/* Where events are noted for a thread that encodes them: the next one goes to `next` if that lies
 * before `full`. */
struct event_log_notes {
    uint64_t *next, *full;
};

struct event_log {
    struct event_log_cursor *cursor; /* the caller's */
    uint8_t *bytes;                  /* encoded events, those already written out excepted */
    uint64_t bytes_from;             /* byte_count of bytes[0] */
    uint64_t capacity;
    uint64_t *chunk_ends; /* byte_count at the end of each complete chunk kept */
    uint32_t chunk_end_count, chunk_end_capacity;
    struct chunk_writer *writer;   /* NULL: everything is kept in memory and can be rewound */
    struct event_log_batch *batch; /* the writer's thread encodes; NULL: it is done here */
    struct event_log_notes notes;  /* the batch's; NULL while somebody else hears of each event */
    bool is_overheard;             /* somebody does */
    bool is_unheard;               /* nobody gets the chunks: events are counted only */
    bool is_quiet;                 /* is_unheard, and not is_overheard */
    struct gfe_error error;        /* the first failure; later events are counted, not kept */
};

/* Begins a log.  `cursor`, zeroed, is the caller's and lives as long as the log; a machine's lies
 * in its arena.  With a writer (borrowed) complete chunks go out at once, and once it has a second
 * thread, that one encodes (there are no snapshots then, asserted); without, all is kept. */
void event_log_init(struct event_log *log, struct event_log_cursor *cursor,
                    struct chunk_writer *writer);
void event_log_fini(struct event_log *log);
/* Writes the head; call before the first event when there is a writer.  From here on events are
 * only counted if the writer has neither a file nor an observer. */
bool event_log_head(struct event_log *log, const char *json, struct gfe_error *error);
/* Somebody is to hear of each event when it is appended: from now on none is only noted or counted.
 */
void event_log_overhear(struct event_log *log);
/* Writes the note of the host, behind the head. */
bool event_log_host_write(struct event_log *log, const char *json, struct gfe_error *error);
/* An event less its arguments. */
struct event_log_source {
    gfe_ps time_ps;
    uint16_t kind, unit, rule;
    uint8_t origin, argument_count;
};
/* What was appended so far goes out as a complete chunk, to a writer without a second thread
 * (asserted). */
void event_log_flush(struct event_log *log);
/* Puts out what is buffered, and the end. */
bool event_log_finish(struct event_log *log, const char *end_json, struct gfe_error *error);
/* The encoded events so far (only without a writer). */
const uint8_t *event_log_bytes(const struct event_log *log, uint64_t *byte_count);

/* The events kept so far, for a snapshot: the cursor, which lies in the arena, says how many there
 * were, but they may have been written over since, and a second machine never had them. */
struct event_log_image;
/* NULL when memory is short. */
struct event_log_image *event_log_take(const struct event_log *log);
/* Brings back what was kept; the cursor is restored with the arena.  False when memory is short:
 * the log is then of no use. */
bool event_log_restore(struct event_log *log, const struct event_log_image *image);
void event_log_image_free(struct event_log_image *image);
/* Images piece by piece, for files: the complete chunks' events, and last those of the open chunk,
 * which may be none.  Only of logs without a writer (asserted). */
uint32_t event_log_image_part_count(const struct event_log_image *image);
const uint8_t *event_log_image_part(const struct event_log_image *image, uint32_t part,
                                    size_t *bytes);
/* Without parts; NULL: no memory. */
struct event_log_image *event_log_image_new(void);
/* Adds the next part.  False: no memory. */
bool event_log_image_add(struct event_log_image *image, const uint8_t *data, size_t bytes);
/* Does the image hold just the events that this cursor counts? */
bool event_log_image_fits(const struct event_log_image *image,
                          const struct event_log_cursor *cursor);

/* ---- reading --------------------------------------------------------------------------------- */

struct event_log_rule {
    char *label, *source, *text, *basis, *enforcer; /* label NULL: no such number */
};
struct event_log_kind {
    char *name; /* NULL: no such number */
    char *arguments[EVENT_ARGUMENTS_MAX];
    uint32_t argument_count;
};

struct event_log_reader;

/* Opens a log ("-" is standard input) and reads its head. NULL with a clear message if it is none.
 */
struct event_log_reader *event_log_open(const char *path, struct gfe_error *error);
/* The same of a descriptor, which is closed with the reader, and also on failure; `name` is for
 * messages and is copied. */
struct event_log_reader *event_log_open_fd(int fd, const char *name, struct gfe_error *error);
/* Reads a log while it is being written: its chunks are given one after the other, the head first,
 * and event_log_read() gives the events of the last one, then EVENT_LOG_AT_END.  A chunk stays its
 * owner's and must live until then.  `name` is for messages and is copied. */
struct event_log_reader *event_log_reader_new(const char *name, struct gfe_error *error);
bool event_log_feed(struct event_log_reader *reader, const struct chunk *chunk,
                    struct gfe_error *error);
enum event_log_result { EVENT_LOG_GOT, EVENT_LOG_AT_END, EVENT_LOG_FAILED };
/* The next event, checked: kinds, units and rules exist, times do not go back. */
enum event_log_result event_log_read(struct event_log_reader *reader, struct log_event *event,
                                     struct gfe_error *error);
/* Is it read from a regular file, which comes to its end? */
bool event_log_is_regular(const struct event_log_reader *reader);
/* Tables of the log, by the numbers in its events; NULL when there is no such number. */
const struct event_log_kind *event_log_kind(const struct event_log_reader *reader, uint32_t kind);
const struct event_log_rule *event_log_rule(const struct event_log_reader *reader, uint32_t rule);
const char *event_log_unit(const struct event_log_reader *reader, uint32_t unit);
/* Name of an engine by Host's number; NULL when the log does not say. */
const char *event_log_engine(const struct event_log_reader *reader, uint64_t engine);
/* Value of a parameter by name, in its own unit; false when the log has none of that name. */
bool event_log_parameter(const struct event_log_reader *reader, const char *name, uint64_t *value);
uint32_t event_log_unit_count(const struct event_log_reader *reader);
/* Number of the kind with that name, UINT32_MAX when this log has none. */
uint32_t event_log_kind_by_name(const struct event_log_reader *reader, const char *name);
/* A string of the head's "run" object, such as "gpu" or "trace"; NULL when absent. */
const char *event_log_run(const struct event_log_reader *reader, const char *key);
/* A string of what was noted of the machine that ran it, such as "trace", the path as it was given;
 * "" when there is none, or it was not read yet (it stands before the first events). */
const char *event_log_host(const struct event_log_reader *reader, const char *key);
/* The head as JSON text. */
const char *event_log_head_json(const struct event_log_reader *reader);
const char *event_log_name(const struct event_log_reader *reader);
/* Bounds what the log may unpack to, in bytes. */
void event_log_limit(struct event_log_reader *reader, uint64_t unpacked_bytes);
void event_log_close(struct event_log_reader *reader);

#endif
