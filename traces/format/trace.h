/* SPDX-License-Identifier: MIT */
/*
 * Traces (.gft) in memory: the structs made from traces/format/trace_schema.h, writer and reader.
 *
 * The writer deduplicates MEM: data goes out in pieces of at most 4096 bytes.  A piece may equal
 * one written at most TRACE_WINDOW_BYTES of raw data ago.  It is then stored as a reference (chunk
 * number, offset in that chunk's raw data).  Both sides keep that window and no more, so memory
 * stays bounded however long the trace.  The reader resolves references: its callers see data only.
 */
#ifndef GFE_TRACES_FORMAT_TRACE_H
#define GFE_TRACES_FORMAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "traces/format/trace_schema.h"

#define TRACE_KIND_CONST(upper, lower, number, doc) TRACE_##upper = number,
enum trace_kind { TRACE_RECORDS(TRACE_KIND_CONST) };
#define TRACE_KIND_ONE(upper, lower, number, doc) +1
enum { TRACE_KINDS = 0 TRACE_RECORDS(TRACE_KIND_ONE) }; /* numbered from 1 */

/* Returns true for the numbers that stand for physical memory in place of an address space. */
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
    struct trace_head head; /* the writer sets length_bytes */
    union {
#define TRACE_UNION_MEMBER(upper, lower, number, doc) struct trace_##lower lower;
        TRACE_RECORDS(TRACE_UNION_MEMBER)
    };
};

#define TRACE_WINDOW_BYTES      (32u << 20)
/* The window of references in the parts that processes record, before gfe record joins them.  Each
 * writer, and each reader when many parts are joined, keeps a window of this size. */
#define TRACE_PART_WINDOW_BYTES (4u << 20)

/* ---- writing --------------------------------------------------------------------------------- */

struct trace_writer;

/* Makes a writer that neither owns nor closes `fd`.  It uses no stdio and no signals, so it is safe
 * in a preloaded library.  Not thread safe: the caller holds a lock.  Returns NULL with a message
 * on error. */
struct trace_writer *trace_writer_new(int fd, const char *name, struct gfe_error *error);
/* Sets how far back references reach, from CHUNK_RAW_MAX_BYTES to TRACE_WINDOW_BYTES, which is the
 * default.  The writer needs as much memory.  Call it before the first flush. */
void trace_writer_window(struct trace_writer *writer, uint32_t bytes);
/* Adds one record.  The caller sets head.kind, time_ns, process_id and thread_id; the writer sets
 * sequence and length, and record_count of END.  A MEM becomes one record for each piece.  A full
 * buffer (1 MiB) goes out as a chunk.  Returns false with a message on error. */
bool trace_write(struct trace_writer *writer, const struct trace_record *record,
                 struct gfe_error *error);
/* Writes the buffered records into the file as a chunk, so that a kill loses nothing before it. */
bool trace_writer_flush(struct trace_writer *writer, struct gfe_error *error);
/* Flushes and writes the index.  The caller has written END. */
bool trace_writer_finish(struct trace_writer *writer, struct gfe_error *error);
uint64_t trace_writer_record_count(const struct trace_writer *writer);
/* Return and set the sequence number of the next record.  Numbers count from 0.  A recorder of one
 * process among several sets each from the number that all share; it must not fall. */
uint64_t trace_writer_sequence(const struct trace_writer *writer);
void trace_writer_set_sequence(struct trace_writer *writer, uint64_t sequence);
/* Replaces the writer's descriptor by another one of the same file, which was opened to append. */
void trace_writer_set_fd(struct trace_writer *writer, int fd);
void trace_writer_free(struct trace_writer *writer);

/* ---- reading --------------------------------------------------------------------------------- */

struct trace_reader;

/* Opens a trace ("-" is standard input).  Returns NULL with a message if it is no trace: empty,
 * foreign, an event log, a first record other than META, or a newer format. */
struct trace_reader *trace_reader_open(const char *path, struct gfe_error *error);

/* Opens a part of a recording, of which all that is whole is read: it may be cut off, chunks of it
 * may be damaged, and its META may be lost.  Returns NULL with a message if it cannot be read. */
struct trace_reader *trace_reader_salvage(const char *path, struct gfe_error *error);
/* What such a reader has left out so far. */
struct trace_loss {
    uint64_t chunks;     /* damaged */
    uint64_t references; /* MEM records whose data were in a lost chunk */
    uint64_t mended;     /* chunks with one wrong byte, which was found: nothing is lost */
};
struct trace_loss trace_reader_loss(const struct trace_reader *reader);
/* Returns true if META was read; trace_reader_meta() is all zeros otherwise. */
bool trace_reader_has_meta(const struct trace_reader *reader);

enum trace_result {
    TRACE_GOT,
    TRACE_AT_END, /* after END */
    TRACE_FAILED, /* damaged, cut off, or no END: *error has file, offset, and the expectation */
};
/* Reads the next record.  Its pointers are valid until the next call. */
enum trace_result trace_read(struct trace_reader *reader, struct trace_record *record,
                             struct gfe_error *error);
/* Accepts a trace without END and index, up to its last complete chunk (gfe record --recover). */
void trace_reader_accept_cut(struct trace_reader *reader);
/* Sets the window that the file was written with, so that less memory is needed.  Call it before
 * trace_read(). */
void trace_reader_window(struct trace_reader *reader, uint32_t bytes);
/* Limits the size in bytes that the trace may unpack to; references count with their data. */
void trace_reader_limit(struct trace_reader *reader, uint64_t unpacked_bytes);
/* Returns META of this trace; valid as long as the reader. */
const struct trace_meta *trace_reader_meta(const struct trace_reader *reader);
const char *trace_reader_name(const struct trace_reader *reader);
/* The position of the last record; numbers count from 0. */
struct trace_position {
    uint64_t record_number;
    uint64_t record; /* raw bytes of chunks before the record */
    uint64_t chunk;  /* raw bytes of chunks before its chunk */
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
/* Returns the row of a kind, or NULL if the number is unknown. */
const struct trace_record_row *trace_record_row(uint16_t kind);

#endif
