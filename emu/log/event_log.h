/* SPDX-License-Identifier: MIT */
/*
 * The event log (.gfl): an append-only record of what happened, on the chunk layer of the trace.
 *
 * CHUNK_LOG_HEAD holds one JSON object: what was run (trace hash, GPU, seed, options, version) and
 * the tables that the numbers in the events refer to (units, rules, event kinds, parameters).  So a
 * log explains itself.  CHUNK_LOG_EVENTS hold events back to back, as variable-length integers.
 * CHUNK_LOG_END holds JSON totals.  CHUNK_LOG_HOST, which may follow the head, is a JSON object
 * about the machine that ran the emulator.  It is not part of the log's identity.
 *
 * One event is:
 *
 *     varint kind << 1 | as_before
 *     varint time difference to the previous event
 *     varint unit << 2 | origin, varint rule      absent if as_before is set
 *     one varint for each argument of the kind
 *
 * An argument is stored as its difference, modulo 2^64, to the last event of that kind.  The sign
 * is in bit 0: 0, -1, 1, -2 are stored as 0, 1, 2, 3. as_before means that unit, origin and rule
 * are those of the last event of that kind.  Each chunk starts from time 0 and, for every kind,
 * from a previous event of all zeroes.  Events of a kind resemble each other: most arguments take
 * one byte, and the rest compresses well.
 */
#ifndef GFE_EMU_LOG_EVENT_LOG_H
#define GFE_EMU_LOG_EVENT_LOG_H

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
/* The last event of a kind in a chunk.  The next event of that kind is stored as a difference to
 * it. */
struct event_log_last {
    uint64_t argument[EVENT_ARGUMENTS_MAX];
    uint32_t source; /* unit << 2 | origin */
    uint32_t rule;
};

/* Position in the log.  It lies in the arena, so restoring a snapshot also takes the log back.
 * Once another thread encodes, only event_count is updated. */
struct event_log_cursor {
    gfe_ps last_ps; /* of the last event in the open chunk */
    uint64_t event_count;
    uint64_t byte_count;                             /* of encoded events */
    uint64_t chunk_start;                            /* byte_count at the start of the open chunk */
    struct event_log_last last[EVENT_LOG_KINDS_MAX]; /* in the open chunk */
};
GFE_STATE_END

/* Where events are noted for a thread that encodes them.  The next event goes to `next` if that
 * lies before `full`. */
struct event_log_notes {
    uint64_t *next, *full;
};

struct event_log {
    struct event_log_cursor *cursor; /* owned by the caller */
    uint8_t *bytes;                  /* encoded events, except those already written out */
    uint64_t bytes_from;             /* byte_count of bytes[0] */
    uint64_t capacity;
    uint64_t *chunk_ends; /* byte_count at the end of each complete chunk kept */
    uint32_t chunk_end_count, chunk_end_capacity;
    /* NULL means that everything is kept in memory and can be rewound */
    struct chunk_writer *writer;
    /* the writer's thread encodes; NULL means that events are encoded here */
    struct event_log_batch *batch;
    struct event_log_notes notes; /* the batch's; NULL while each event has a listener */
    bool is_overheard;            /* true if a listener gets each event */
    /* true if no file or observer gets the chunks: events are only counted */
    bool is_unheard;
    bool is_quiet;          /* is_unheard, and not is_overheard */
    struct gfe_error error; /* the first failure; later events are counted, not kept */
};

/* Begins a log.  `cursor`, zeroed, stays the caller's and must live as long as the log; a machine's
 * cursor lies in its arena.  With a writer (borrowed), complete chunks are written at once.  Once
 * the writer has a second thread, that thread encodes; there are no snapshots then (asserted).
 * Without a writer, all events are kept. */
void event_log_init(struct event_log *log, struct event_log_cursor *cursor,
                    struct chunk_writer *writer);
void event_log_fini(struct event_log *log);
/* Writes the head; with a writer, call it before the first event.  If the writer has neither a file
 * nor an observer, events are only counted from then on.  Returns false after a failure. */
bool event_log_head(struct event_log *log, const char *json, struct gfe_error *error);
/* Announces a listener for each event.  From then on no event is only noted or only counted. */
void event_log_overhear(struct event_log *log);
/* Writes the note about the host, after the head.  Returns false after a failure. */
bool event_log_host_write(struct event_log *log, const char *json, struct gfe_error *error);
/* An event without its arguments. */
struct event_log_source {
    gfe_ps time_ps;
    uint16_t kind, unit, rule;
    uint8_t origin, argument_count;
};
/* Writes the events appended so far as a complete chunk.  Needs a writer without a second thread
 * (asserted). */
void event_log_flush(struct event_log *log);
/* Writes buffered events and the end chunk.  Returns false after any failure. */
bool event_log_finish(struct event_log *log, const char *end_json, struct gfe_error *error);
/* Returns the encoded events so far.  Only for logs without a writer. */
const uint8_t *event_log_bytes(const struct event_log *log, uint64_t *byte_count);

/* The events kept so far, for a snapshot.  The cursor in the arena gives their number.  The image
 * is needed because the log may have been overwritten since, and because a second machine never had
 * those events. */
struct event_log_image;
/* Copies the events kept so far.  Returns NULL when memory is short. */
struct event_log_image *event_log_take(const struct event_log *log);
/* Restores the events of an image; the cursor is restored with the arena.  Returns false when
 * memory is short; the log is then unusable. */
bool event_log_restore(struct event_log *log, const struct event_log_image *image);
void event_log_image_free(struct event_log_image *image);
/* Access to images piece by piece, for files: the parts are the complete chunks' events, and last
 * those of the open chunk, which may be empty.  Only for logs without a writer (asserted). */
uint32_t event_log_image_part_count(const struct event_log_image *image);
const uint8_t *event_log_image_part(const struct event_log_image *image, uint32_t part,
                                    size_t *bytes);
/* Creates an image without parts.  Returns NULL when memory is short. */
struct event_log_image *event_log_image_new(void);
/* Adds the next part.  Returns false when memory is short. */
bool event_log_image_add(struct event_log_image *image, const uint8_t *data, size_t bytes);
/* Returns true if the image holds exactly the events that this cursor counts. */
bool event_log_image_fits(const struct event_log_image *image,
                          const struct event_log_cursor *cursor);

/* ---- reading --------------------------------------------------------------------------------- */

struct event_log_rule {
    char *label, *source, *text, *basis, *enforcer; /* label is NULL if there is no such number */
    char *seen_on; /* GPUs on which a PUBLISHED or MEASURED row was seen; NULL for other rows and in
                      older logs */
    char *basis_words; /* rule_basis_words() of it, for readers */
    bool carried_over; /* the run's GPU is not among them */
};
struct event_log_kind {
    char *name; /* NULL if there is no such number */
    char *arguments[EVENT_ARGUMENTS_MAX];
    uint32_t argument_count;
};

struct event_log_reader;
struct json_t; /* jansson.h */

/* Opens a log ("-" is standard input) and reads its head.  Returns NULL, with a clear message, if
 * the file is not a log. */
struct event_log_reader *event_log_open(const char *path, struct gfe_error *error);
/* Opens a log from a descriptor, which is closed with the reader, and also on failure.  `name` is
 * for messages and is copied. */
struct event_log_reader *event_log_open_fd(int fd, const char *name, struct gfe_error *error);
/* Does the same for a log whose head may be that of `like`, which must outlive the reader.  If it
 * is, the tables are not read again. */
struct event_log_reader *event_log_open_fd_like(int fd, const char *name,
                                                const struct event_log_reader *like,
                                                struct gfe_error *error);
/* Creates a reader for a log that is still being written.  The caller gives its chunks one after
 * the other to event_log_feed(), the head first. event_log_read() then returns the events of the
 * last chunk, and EVENT_LOG_AT_END.  A chunk stays its owner's and must live until then.  `name` is
 * for messages and is copied. */
struct event_log_reader *event_log_reader_new(const char *name, struct gfe_error *error);
/* Gives the reader its next chunk.  Returns false after an error. */
bool event_log_feed(struct event_log_reader *reader, const struct chunk *chunk,
                    struct gfe_error *error);
enum event_log_result { EVENT_LOG_GOT, EVENT_LOG_AT_END, EVENT_LOG_FAILED };
/* Reads the next event and checks it: kinds, units and rules exist, and times do not go back. */
enum event_log_result event_log_read(struct event_log_reader *reader, struct log_event *event,
                                     struct gfe_error *error);
/* Returns true if the log is read from a regular file, which has an end. */
bool event_log_is_regular(const struct event_log_reader *reader);
/* Look up the log's tables by the numbers in its events.  Return NULL if there is no such number.
 */
const struct event_log_kind *event_log_kind(const struct event_log_reader *reader, uint32_t kind);
const struct event_log_rule *event_log_rule(const struct event_log_reader *reader, uint32_t rule);
const char *event_log_unit(const struct event_log_reader *reader, uint32_t unit);
/* Returns the name of an engine by Host's number, or NULL if the log does not have it. */
const char *event_log_engine(const struct event_log_reader *reader, uint64_t engine);
/* Finds the value of a parameter by name, in its own unit.  Returns false if the log has no
 * parameter of that name. */
bool event_log_parameter(const struct event_log_reader *reader, const char *name, uint64_t *value);
/* Returns the number of units in the log's tables. */
uint32_t event_log_unit_count(const struct event_log_reader *reader);
/* Returns the number of the kind with that name, or UINT32_MAX if this log has none. */
uint32_t event_log_kind_by_name(const struct event_log_reader *reader, const char *name);
/* Returns a string of the head's "run" object, such as "gpu" or "trace".  Returns NULL if it is
 * absent. */
const char *event_log_run(const struct event_log_reader *reader, const char *key);
/* Returns a string of the note about the host, such as "trace", the path as it was given.  Returns
 * "" if it is absent or not read yet; the note stands before the first events. */
const char *event_log_host(const struct event_log_reader *reader, const char *key);
/* Return the head and the end as JSON text.  The end is NULL until EVENT_LOG_AT_END. */
const char *event_log_head_json(const struct event_log_reader *reader);
/* Returns a new reference to the head as a JSON object.  Its holders share it, and none may change
 * it.  Strings of "run" are printable. */
struct json_t *event_log_head_take(const struct event_log_reader *reader);
const char *event_log_name(const struct event_log_reader *reader);
/* Limits the bytes that the log may unpack to. */
void event_log_limit(struct event_log_reader *reader, uint64_t unpacked_bytes);
void event_log_close(struct event_log_reader *reader);

#endif
