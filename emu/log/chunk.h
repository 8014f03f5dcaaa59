/* SPDX-License-Identifier: MIT */
/*
 * The chunk layer under traces (.gft), event logs (.gfl) and snapshots (.gfs).
 *
 * A file is a stream of chunks, each complete in itself:
 *
 *     offset  size  field
 *     0       4     magic "gfeC"
 *     4       2     version (CHUNK_VERSION)
 *     6       2     kind (enum chunk_kind)
 *     8       4     raw size, bytes
 *     12      4     stored size, bytes
 *     16      4     CRC-32 of the raw data (zlib's)
 *     20      4     CRC-32 of the twenty bytes above
 *     24      ...   zlib data
 *
 * all little endian.  Because every chunk stands alone, a writer that dies loses at most the chunk
 * that it was writing, and the stream works through a pipe.  The last chunk is CHUNK_INDEX: count,
 * then file offset and kind of each chunk; a reader does without it.  Identity (hash.h) is defined
 * on raw data: compression is storage only.
 */
#ifndef GFE_EMU_CHUNK_H
#define GFE_EMU_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

#define CHUNK_UNPACKED_MAX_BYTES (UINT64_C(64) << 30)

enum {
    CHUNK_VERSION = 1,
    CHUNK_HEAD_BYTES = 24,
    CHUNK_RAW_MAX_BYTES = 4 << 20,       /* a chunk whose header says more is refused unread */
    CHUNK_EXPANSION_MAX = 1100,          /* raw / stored; zlib cannot exceed 1032 */
    CHUNK_BUFFER_STEP_BYTES = 256 << 10, /* larger buffers for raw data have a multiple of it */
};

/* Numbers are part of the format. */
enum chunk_kind {
    CHUNK_TRACE = 1,      /* records of traces/format/trace_schema.h */
    CHUNK_LOG_HEAD = 2,   /* event log: what was run, with which tables */
    CHUNK_LOG_EVENTS = 3, /* event log: events */
    CHUNK_LOG_END = 4,    /* event log: totals */
    CHUNK_INDEX = 5,
    CHUNK_SNAPSHOT_HEAD = 6,   /* snapshot: what it was taken of (emu/engine/snapshot.h) */
    CHUNK_SNAPSHOT_ARENA = 7,  /* snapshot: pages of the arena */
    CHUNK_SNAPSHOT_MEMORY = 8, /* snapshot: pages of guest memory */
    CHUNK_SNAPSHOT_LOG = 9,    /* snapshot: the event log so far */
    CHUNK_LOG_HOST = 10, /* event log: about the machine that ran it; not part of its identity */
    CHUNK_KIND_END,      /* no kind */
};

/* Is it a chunk of snapshots? */
static inline bool chunk_is_snapshot(enum chunk_kind kind)
{
    return kind >= CHUNK_SNAPSHOT_HEAD && kind <= CHUNK_SNAPSHOT_LOG;
}
/* What a file is that begins with a chunk of that kind, in words: "an event log" and so on. */
const char *chunk_file_kind(enum chunk_kind kind);

struct chunk {
    enum chunk_kind kind;
    uint32_t raw_bytes;
    const uint8_t *raw;   /* owned by the reader, valid until its next call */
    uint64_t file_offset; /* of the chunk's header, for messages */
    uint64_t number;      /* counted from 0 */
};

/* ---- writing --------------------------------------------------------------------------------- */

struct chunk_writer; /* owns its buffers, not the file descriptor */

/* Returns NULL and sets `error` when memory is short.  `name` is for messages and is copied.
 * Neither signals nor stdio are used: safe in a preloaded library.  fd -1: there is no file, chunks
 * are only shown to an observer. */
struct chunk_writer *chunk_writer_new(int fd, const char *name, struct gfe_error *error);
/* Compresses and writes one chunk with complete write(2) calls.  raw_bytes <= CHUNK_RAW_MAX_BYTES.
 */
bool chunk_write(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                 size_t raw_bytes, struct gfe_error *error);
/* Goes on with another descriptor of the same file, which appends.  Not with a second thread. */
void chunk_writer_set_fd(struct chunk_writer *writer, int fd);
/* From now on, and once there is enough to make it worth while, a second thread compresses and
 * writes.  The file is the same; a failure shows at a later call, at the latest at
 * chunk_writer_finish(). */
void chunk_writer_use_thread(struct chunk_writer *writer);
/* True while there is one. */
bool chunk_writer_has_thread(const struct chunk_writer *writer);
/* Somebody who makes chunks of something else.  He may be called in the second thread. */
struct chunk_maker {
    bool (*make)(void *context, struct chunk_writer *writer, const void *raw, size_t raw_bytes,
                 struct gfe_error *error);
    void *context;
};
struct chunk_buffer {
    void *data; /* from malloc() */
    size_t capacity;
};
/* Has chunks made of the first `raw_bytes` bytes of the buffer, in turn with those written, in the
 * thread that compresses.  The buffer goes to that thread; one at least as large takes its place.
 */
bool chunk_write_made(struct chunk_writer *writer, const struct chunk_maker *maker,
                      struct chunk_buffer *buffer, size_t raw_bytes, struct gfe_error *error);
/* As chunk_write(), for the maker.  Such chunks count in chunk_writer_count() from
 * chunk_writer_finish() on. */
bool chunk_made(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                size_t raw_bytes, struct gfe_error *error);
/* Shows each chunk but the index to somebody, in order and before it is compressed, in the thread
 * that compresses it.  What that one has made of them may be looked at after chunk_writer_finish().
 */
void chunk_writer_observe(struct chunk_writer *writer,
                          void (*observe)(void *context, const struct chunk *chunk), void *context);
/* Does anybody get the chunks, a file or an observer? */
bool chunk_writer_is_heard(const struct chunk_writer *writer);
/* Waits until what was given is made and written; the second thread is gone then.  Failures show at
 * the next call. */
void chunk_writer_settle(struct chunk_writer *writer);
/* Writes the index chunk.  Nothing may be written after it. */
bool chunk_writer_finish(struct chunk_writer *writer, struct gfe_error *error);
uint64_t chunk_writer_count(const struct chunk_writer *writer); /* chunks given so far */
const char *chunk_writer_name(const struct chunk_writer *writer);
void chunk_writer_free(struct chunk_writer *writer);

/* ---- reading --------------------------------------------------------------------------------- */

struct chunk_reader; /* owns its buffers; owns the descriptor only if told so */

/* Reads from a descriptor, which need not be seekable; with own_fd it is closed with the reader,
 * and also on failure.  `name` is for messages and is copied.  NULL when memory is short. */
struct chunk_reader *chunk_reader_new(int fd, bool own_fd, const char *name,
                                      struct gfe_error *error);
/* Opens a file ("-" is standard input). */
struct chunk_reader *chunk_reader_open(const char *path, struct gfe_error *error);

enum chunk_result {
    CHUNK_GOT,    /* *chunk is filled */
    CHUNK_AT_END, /* the file ended between two chunks; see chunk_reader_saw_index() */
    CHUNK_FAILED, /* *error says what, with file name and offset */
};
/* Bounds what the file may unpack to, in bytes; CHUNK_UNPACKED_MAX_BYTES until then. */
void chunk_reader_limit(struct chunk_reader *reader, uint64_t unpacked_bytes);
/* Counts bytes that a user of the chunks makes of them (the trace reader: what references stand
 * for) to the unpacked ones.  False with a message when there are more than may be. */
bool chunk_reader_spend(struct chunk_reader *reader, uint64_t bytes, struct gfe_error *error);
/* The next chunk, checked: magic, version, sizes, CRC-32.  Index chunks are checked and passed
 * over. */
enum chunk_result chunk_read(struct chunk_reader *reader, struct chunk *chunk,
                             struct gfe_error *error);
/* From now on, and once enough was read to make it worth while, a second thread reads, unpacks and
 * checks the next chunks.  Nothing else changes.  Without effect on what is not a regular file. */
void chunk_reader_read_ahead(struct chunk_reader *reader);
/* Does it read from a regular file, which comes to its end? */
bool chunk_reader_is_regular(const struct chunk_reader *reader);
/* Goes on at a chunk that was met before, `number` in the count of all, at that file offset.  For
 * files, not pipes.  The descriptor's own offset does not count any more and is not moved; the
 * index is no longer compared.  A second thread reads ahead again when enough chunks were read in a
 * row. */
void chunk_reader_seek(struct chunk_reader *reader, uint64_t file_offset, uint64_t number);
/* Gives the buffer, from malloc(), that has the raw data of the chunk got last, and keeps `buffer`
 * instead, which must have been got in the same way.  NULL when the two have not the same capacity:
 * nothing is exchanged. */
uint8_t *chunk_reader_exchange(struct chunk_reader *reader, uint8_t *buffer, size_t capacity);
/* Everything that is read is also written to this descriptor, which stays the caller's. */
void chunk_reader_tee(struct chunk_reader *reader, int fd);
/* True once the index chunk was read: the writer had finished.  A file without it was cut off. */
bool chunk_reader_saw_index(const struct chunk_reader *reader);
/* True when CHUNK_FAILED came because the file ended inside a chunk: what was read before is good.
 */
bool chunk_reader_was_cut(const struct chunk_reader *reader);
/* File offset of the next chunk; after a cut, of the chunk that is incomplete. */
uint64_t chunk_reader_offset(const struct chunk_reader *reader);
const char *chunk_reader_name(const struct chunk_reader *reader);
void chunk_reader_free(struct chunk_reader *reader);

#endif
