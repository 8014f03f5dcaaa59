/* SPDX-License-Identifier: MIT */
/*
 * Traces (.gft) in memory: the structs made from traces/format/trace_schema.h, writer and reader.
 *
 * The writer deduplicates MEM: data goes out in pieces of at most 4096 bytes, and a piece equal to
 * one written at most TRACE_WINDOW_BYTES of raw data ago is stored as a reference (chunk number,
 * offset in that chunk's raw data).  Both sides keep that window and no more, so memory stays
 * bounded however long the trace.  The reader resolves references: its callers see data only.
 */
#ifndef GFE_TRACES_TRACE_H
#define GFE_TRACES_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "traces/format/trace_schema.h"

#define TRACE_KIND_CONST(upper, lower, number, doc) TRACE_##upper = number,
enum trace_kind { TRACE_RECORDS(TRACE_KIND_CONST) };
#define TRACE_KIND_ONE(upper, lower, number, doc) +1
enum { TRACE_KINDS = 0 TRACE_RECORDS(TRACE_KIND_ONE) }; /* numbered from 1 */

/* True of the numbers that stand for physical memory in place of an address space. */
static inline bool trace_as_is_physical(uint32_t as_id)
{
    return as_id == TRACE_AS_PHYSICAL || as_id == TRACE_AS_PHYSICAL_SYSTEM;
}

struct trace_str {
    const char *text; /* always terminated in memory; never NULL when read */
    uint32_t length;
};
struct trace_bytes {
    const uint8_t *data;
    uint32_t length;
};
struct trace_pushes {
    const struct trace_push *push;
    uint32_t count;
};
struct trace_syncs {
    const struct trace_sync *sync;
    uint32_t count;
};
struct trace_binds {
    const struct trace_bind *bind;
    uint32_t count;
};

#define TRACE_TYPE_u8                 uint8_t
#define TRACE_TYPE_u16                uint16_t
#define TRACE_TYPE_u32                uint32_t
#define TRACE_TYPE_u64                uint64_t
#define TRACE_TYPE_str                struct trace_str
#define TRACE_TYPE_bytes              struct trace_bytes
#define TRACE_TYPE_pushes             struct trace_pushes
#define TRACE_TYPE_syncs              struct trace_syncs
#define TRACE_TYPE_binds              struct trace_binds
#define TRACE_MEMBER(type, name, doc) TRACE_TYPE_##type name;
#define TRACE_STRUCT(upper, lower, number, doc)                                                    \
    struct trace_##lower {                                                                         \
        TRACE_##upper##_FIELDS(TRACE_MEMBER)                                                       \
    };
TRACE_RECORDS(TRACE_STRUCT)

struct trace_record {
    struct trace_head head; /* length_bytes is the writer's business */
    union {
#define TRACE_UNION_MEMBER(upper, lower, number, doc) struct trace_##lower lower;
        TRACE_RECORDS(TRACE_UNION_MEMBER)
    };
};

#define TRACE_WINDOW_BYTES      (32u << 20)
/* References in the parts that processes record, before gfe record joins them: each writer, and
 * each reader when many parts are joined, keeps so much. */
#define TRACE_PART_WINDOW_BYTES (4u << 20)

/* ---- writing --------------------------------------------------------------------------------- */

struct trace_writer;

/* Neither owns nor closes `fd`.  Uses no stdio and no signals: safe in a preloaded library.  Not
 * thread safe: the caller holds a lock. */
struct trace_writer *trace_writer_new(int fd, const char *name, struct gfe_error *error);
/* References reach at most so far back, from CHUNK_RAW_MAX_BYTES to TRACE_WINDOW_BYTES (which it is
 * without this), and so much memory is needed.  Before anything is
 * flushed. */
void trace_writer_window(struct trace_writer *writer, uint32_t bytes);
/* Adds one record; head.kind, time_ns, process_id, thread_id are the caller's, sequence and length
 * are set here, and so is record_count of END.  A MEM becomes one record for each piece.  A full
 * buffer (1 MiB) goes out as a chunk. */
bool trace_write(struct trace_writer *writer, const struct trace_record *record,
                 struct gfe_error *error);
/* Puts what is buffered into the file as a chunk, so that a kill loses nothing before it. */
bool trace_writer_flush(struct trace_writer *writer, struct gfe_error *error);
/* Flushes and writes the index.  The caller has written END. */
bool trace_writer_finish(struct trace_writer *writer, struct gfe_error *error);
uint64_t trace_writer_record_count(const struct trace_writer *writer);
/* The sequence number of the next record.  They count from 0; a recorder of one process among
 * several sets each from the number that all share, and it must not fall. */
uint64_t trace_writer_sequence(const struct trace_writer *writer);
void trace_writer_set_sequence(struct trace_writer *writer, uint64_t sequence);
/* Another descriptor of the same file, which was opened to append, takes the place of the one that
 * the writer had. */
void trace_writer_set_fd(struct trace_writer *writer, int fd);
void trace_writer_free(struct trace_writer *writer);

/* ---- reading --------------------------------------------------------------------------------- */

struct trace_reader;

/* Opens a trace ("-" is standard input).  NULL and a clear message when it is none: empty, foreign,
 * an event log instead of a trace, a first record other than META, a newer format. */
struct trace_reader *trace_reader_open(const char *path, struct gfe_error *error);

enum trace_result {
    TRACE_GOT,
    TRACE_AT_END, /* after END */
    TRACE_FAILED, /* damaged, cut off, or no END: *error says file, offset, what was expected */
};
/* The next record.  What it points at is valid until the next call. */
enum trace_result trace_read(struct trace_reader *reader, struct trace_record *record,
                             struct gfe_error *error);
/* Accept a trace without END and index, up to its last complete chunk (gfe record --recover). */
void trace_reader_accept_cut(struct trace_reader *reader);
/* The file was written with such a window: less memory is needed.  Before trace_read(). */
void trace_reader_window(struct trace_reader *reader, uint32_t bytes);
/* Bounds what the trace may unpack to, references counted with what they stand for, in bytes. */
void trace_reader_limit(struct trace_reader *reader, uint64_t unpacked_bytes);
/* META of this trace; valid as long as the reader. */
const struct trace_meta *trace_reader_meta(const struct trace_reader *reader);
const char *trace_reader_name(const struct trace_reader *reader);
/* Where the last record was found; numbers count from 0. */
struct trace_position {
    uint64_t record_number;
    uint64_t record; /* raw bytes of chunks in front of the record */
    uint64_t chunk;  /* and in front of its chunk */
    uint64_t chunk_number;
    uint64_t chunk_offset; /* of the chunk in the file */
    uint32_t chunk_bytes;  /* raw */
};
struct trace_position trace_reader_position(const struct trace_reader *reader);
void trace_reader_free(struct trace_reader *reader);

/* ---- the schema as data, for dump, hash and documentation ------------------------------------ */

enum trace_field_type {
    TRACE_U8,
    TRACE_U16,
    TRACE_U32,
    TRACE_U64,
    TRACE_STR,
    TRACE_BYTES,
    TRACE_PUSHES,
    TRACE_SYNCS,
    TRACE_BINDS
};
struct trace_field {
    enum trace_field_type type;
    const char *name;
    const char *doc;
    size_t offset; /* in its struct trace_<record> */
    bool host;     /* doc begins with "HOST:": left out of the identity */
};
struct trace_record_row {
    uint16_t kind;
    const char *name;
    const char *doc;
    const struct trace_field *fields;
    uint32_t field_count;
};
/* Row of a kind, or NULL when the number is unknown. */
const struct trace_record_row *trace_record_row(uint16_t kind);

#endif
