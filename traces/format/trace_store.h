/* SPDX-License-Identifier: MIT */
/*
 * Random access to the records of a trace file, in bounded memory however long the file is.
 *
 * The file is read twice.  First a trace_reader reads it from beginning to end and checks all of
 * it. trace_store_note() remembers the beginnings of segments: runs of whole chunks, half a MiB of
 * raw data or more each (at most TRACE_STORE_SEGMENT_BYTES).  Then records are decoded in place
 * from segments that are unpacked when they are needed.  The segments used last stay unpacked, up
 * to TRACE_STORE_CACHE_BYTES, which is enough for all references from one place.  Several readers
 * far apart from each other cost time, not memory.
 *
 * The second time everything is checked again: a file that was changed meanwhile is the user's
 * error and gives a message.  Before the first segment is unpacked the memory is 32 bytes for each
 * segment.
 */
#ifndef GFE_TRACES_FORMAT_TRACE_STORE_H
#define GFE_TRACES_FORMAT_TRACE_STORE_H

#include "emu/log/chunk.h"
#include "traces/format/trace.h"
#include "traces/format/trace_codec.h"

enum {
    TRACE_STORE_TARGET_BYTES = 512 << 10,
    TRACE_STORE_SEGMENT_BYTES = TRACE_STORE_TARGET_BYTES + CHUNK_RAW_MAX_BYTES,
    TRACE_STORE_CACHE_BYTES = (32 << 20) + TRACE_STORE_SEGMENT_BYTES,
};

struct trace_store;

/* A record's number and its position. */
struct trace_place {
    uint64_t number;   /* from 0 */
    uint64_t position; /* raw bytes before it */
};

/* Makes a store.  `fd` is of a regular file; the store owns it from now on, also on failure. `name`
 * is copied.  Returns NULL with a message on error. */
struct trace_store *trace_store_new(int fd, const char *name, struct gfe_error *error);
/* Returns a reader of the file from its start, for the first pass. */
struct trace_reader *trace_store_reader(struct trace_store *store, struct gfe_error *error);
/* Notes a record of the first pass with its position in the reader; call it after each record.
 * Returns the record's segment; UINT32_MAX means that memory is short. */
uint32_t trace_store_note(struct trace_store *store, const struct trace_position *position);

uint32_t trace_store_segment_count(const struct trace_store *store);
/* Returns the first record of a segment; for the segment after the last, the end. */
struct trace_place trace_store_segment(const struct trace_store *store, uint32_t segment);
/* Returns the segment that holds a record of the first pass. */
uint32_t trace_store_segment_of(const struct trace_store *store, uint64_t number);

/* Reads the head of the record at a place of the first pass.  Returns false with a message if the
 * file can no longer be read.  trace_store_behind() returns the place of the next record. */
bool trace_store_head(struct trace_store *store, const struct trace_place *place,
                      struct trace_head *head, struct gfe_error *error);
struct trace_place trace_store_behind(const struct trace_place *place,
                                      const struct trace_head *head);
/* Reads the whole record.  Its pointers are valid until the next call for this store.  Those into
 * `scratch`, of strings and push entries, are valid until `scratch` is used again. */
bool trace_store_record(struct trace_store *store, const struct trace_place *place,
                        struct trace_record *record, struct trace_scratch *scratch,
                        struct gfe_error *error);
/* Frees the store.  NULL is allowed. */
void trace_store_free(struct trace_store *store);

/* Return, for tests, the segments unpacked so far, and the most raw bytes held at a time. */
uint64_t trace_store_load_count(const struct trace_store *store);
size_t trace_store_peak_bytes(const struct trace_store *store);

#endif
