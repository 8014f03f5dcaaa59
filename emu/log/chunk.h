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
#ifndef GFE_EMU_LOG_CHUNK_H
#define GFE_EMU_LOG_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

#define CHUNK_UNPACKED_MAX_BYTES (UINT64_C(64) << 30)

enum {
    CHUNK_VERSION = 1,
    CHUNK_HEAD_BYTES = 24,
    CHUNK_RAW_MAX_BYTES = 4 << 20,       /* a chunk whose header states more is refused unread */
    CHUNK_EXPANSION_MAX = 1100,          /* raw / stored; zlib cannot exceed 1032 */
    CHUNK_BUFFER_STEP_BYTES = 256 << 10, /* larger buffers for raw data are multiples of this */
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
    /* event log: the machine that ran the emulator; not part of the log's identity */
    CHUNK_LOG_HOST = 10,
    CHUNK_KIND_END, /* end of the kinds; not a kind */
};

/* Returns true if chunks of this kind belong to snapshots. */
static inline bool chunk_is_snapshot(enum chunk_kind kind)
{
    return kind >= CHUNK_SNAPSHOT_HEAD && kind <= CHUNK_SNAPSHOT_LOG;
}
/* Returns what a file is that begins with a chunk of that kind, in words: "an event log" and so on.
 */
const char *chunk_file_kind(enum chunk_kind kind);

struct chunk {
    enum chunk_kind kind;
    uint32_t raw_bytes;
    const uint8_t *raw;   /* owned by the reader, valid until its next call */
    uint64_t file_offset; /* of the chunk's header, for messages */
    uint64_t number;      /* counted from 0 */
};

/* ---- writing --------------------------------------------------------------------------------- */

struct chunk_writer; /* owns its buffers, but not the file descriptor */

/* Creates a writer, which the caller frees.  Returns NULL and sets `error` when memory is short.
 * `name` is for messages and is copied.  The writer uses neither signals nor stdio, so it is safe
 * in a preloaded library. fd -1 means that there is no file: only an observer gets the chunks. */
struct chunk_writer *chunk_writer_new(int fd, const char *name, struct gfe_error *error);
/* Compresses and writes one chunk with complete write(2) calls. raw_bytes <= CHUNK_RAW_MAX_BYTES.
 * Returns false after a failure. */
bool chunk_write(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                 size_t raw_bytes, struct gfe_error *error);
/* Continues with another descriptor of the same file, and appends.  Not allowed with a second
 * thread. */
void chunk_writer_set_fd(struct chunk_writer *writer, int fd);
/* Lets a second thread compress and write, once there is enough data to make that worthwhile.  The
 * file is the same.  A failure shows at a later call, at the latest at chunk_writer_finish(). */
void chunk_writer_use_thread(struct chunk_writer *writer);
/* Returns true while the writer has a second thread. */
bool chunk_writer_has_thread(const struct chunk_writer *writer);
/* Callback that makes chunks out of other data.  It may be called in the second thread. */
struct chunk_maker {
    bool (*make)(void *context, struct chunk_writer *writer, const void *raw, size_t raw_bytes,
                 struct gfe_error *error);
    void *context;
};
struct chunk_buffer {
    void *data; /* from malloc() */
    size_t capacity;
};
/* Has `maker` make chunks of the first `raw_bytes` bytes of the buffer.  They take their turn among
 * the chunks written, and are made in the thread that compresses.  That thread takes over the
 * buffer and puts one at least as large in its place.  Returns false after a failure. */
bool chunk_write_made(struct chunk_writer *writer, const struct chunk_maker *maker,
                      struct chunk_buffer *buffer, size_t raw_bytes, struct gfe_error *error);
/* Writes a chunk like chunk_write(), but is called by the maker. chunk_writer_count() counts such
 * chunks only after chunk_writer_finish(). */
bool chunk_made(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                size_t raw_bytes, struct gfe_error *error);
/* Shows every chunk except the index to `observe`: in order, before it is compressed, in the thread
 * that compresses it.  The results of the observer may be read after chunk_writer_finish(). */
void chunk_writer_observe(struct chunk_writer *writer,
                          void (*observe)(void *context, const struct chunk *chunk), void *context);
/* Returns true if a file or an observer gets the chunks. */
bool chunk_writer_is_heard(const struct chunk_writer *writer);
/* Waits until all chunks given so far are made and written, and ends the second thread.  Failures
 * show at the next call. */
void chunk_writer_settle(struct chunk_writer *writer);
/* Writes the index chunk.  Nothing may be written after it.  Returns false after any failure. */
bool chunk_writer_finish(struct chunk_writer *writer, struct gfe_error *error);
/* Returns the number of chunks given so far. */
uint64_t chunk_writer_count(const struct chunk_writer *writer);
const char *chunk_writer_name(const struct chunk_writer *writer);
void chunk_writer_free(struct chunk_writer *writer);

/* ---- reading --------------------------------------------------------------------------------- */

struct chunk_reader; /* owns its buffers; owns the descriptor only if told so */

/* Creates a reader of a descriptor, which need not be seekable.  With own_fd the descriptor is
 * closed with the reader, and also on failure.  `name` is for messages and is copied.  Returns NULL
 * when memory is short. */
struct chunk_reader *chunk_reader_new(int fd, bool own_fd, const char *name,
                                      struct gfe_error *error);
/* Opens a file ("-" is standard input).  Returns NULL after setting `error`. */
struct chunk_reader *chunk_reader_open(const char *path, struct gfe_error *error);

enum chunk_result {
    CHUNK_GOT,    /* *chunk is filled */
    CHUNK_AT_END, /* the file ended between two chunks; see chunk_reader_saw_index() */
    CHUNK_FAILED, /* *error says what failed, with file name and offset */
};
/* Limits the bytes that the file may unpack to.  The limit is CHUNK_UNPACKED_MAX_BYTES until then.
 */
void chunk_reader_limit(struct chunk_reader *reader, uint64_t unpacked_bytes);
/* Counts bytes that a user of the chunks makes out of them, in addition to the unpacked bytes.  The
 * trace reader counts what references stand for.  Returns false, with a message, if the limit is
 * passed. */
bool chunk_reader_spend(struct chunk_reader *reader, uint64_t bytes, struct gfe_error *error);
/* Reads the next chunk and checks its magic, version, sizes and CRC-32.  Index chunks are checked
 * and skipped. */
enum chunk_result chunk_read(struct chunk_reader *reader, struct chunk *chunk,
                             struct gfe_error *error);
/* Lets a second thread read, unpack and check the next chunks, once enough was read to make that
 * worthwhile.  Nothing else changes.  Has no effect on anything but a regular file. */
void chunk_reader_read_ahead(struct chunk_reader *reader);
/* Returns true if the reader reads a regular file, which has an end. */
bool chunk_reader_is_regular(const struct chunk_reader *reader);
/* Continues at a chunk that was read before: the one with that number, counted from 0, at that file
 * offset.  Works for files, not for pipes.  From then on the descriptor's own offset is neither
 * used nor moved, and the index is no longer compared.  A second thread reads ahead again after
 * enough chunks were read in a row. */
void chunk_reader_seek(struct chunk_reader *reader, uint64_t file_offset, uint64_t number);
/* Returns the buffer, from malloc(), with the raw data of the last chunk read, and keeps `buffer`
 * in its place.  `buffer` must come from an earlier exchange or have been allocated in the same
 * way.  Returns NULL, and exchanges nothing, if the capacities differ. */
uint8_t *chunk_reader_exchange(struct chunk_reader *reader, uint8_t *buffer, size_t capacity);
/* Copies all bytes that are read to this descriptor, which stays the caller's. */
void chunk_reader_tee(struct chunk_reader *reader, int fd);
/* Returns true once the index chunk was read, which means that the writer had finished.  A file
 * without an index was cut off. */
bool chunk_reader_saw_index(const struct chunk_reader *reader);
/* Returns true if CHUNK_FAILED came because the file ended inside a chunk.  The chunks before it
 * are good. */
bool chunk_reader_was_cut(const struct chunk_reader *reader);
/* Returns the file offset of the next chunk; after a cut, of the incomplete chunk. */
uint64_t chunk_reader_offset(const struct chunk_reader *reader);
const char *chunk_reader_name(const struct chunk_reader *reader);
void chunk_reader_free(struct chunk_reader *reader);

#endif
