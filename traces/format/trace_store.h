/* SPDX-License-Identifier: MIT */
/*
 * The records of a trace file, from any place of it, in bounded memory however long it is.
 *
 * The file is read twice.  First a trace_reader goes through it from front to end and checks all of
 * it; trace_store_note() remembers where segments begin: runs of whole chunks, half a MiB of raw
 * data or more each (at most TRACE_STORE_SEGMENT_BYTES).  Then records are decoded in place out of
 * segments that are unpacked when they are needed; those used last stay, up to
 * TRACE_STORE_CACHE_BYTES, which holds all that references can point at from one place.  Several
 * readers far apart from each other cost time, not memory.
 *
 * The second time everything is checked again: a file that is changed meanwhile is the user's error
 * and gives a message.  Until something is unpacked the memory is 32 bytes for each segment.
 */
#ifndef GFE_TRACES_TRACE_STORE_H
#define GFE_TRACES_TRACE_STORE_H

#include "emu/log/chunk.h"
#include "traces/format/trace.h"
#include "traces/format/trace_codec.h"

enum {
    TRACE_STORE_TARGET_BYTES = 512 << 10,
    TRACE_STORE_SEGMENT_BYTES = TRACE_STORE_TARGET_BYTES + CHUNK_RAW_MAX_BYTES,
    TRACE_STORE_CACHE_BYTES = (32 << 20) + TRACE_STORE_SEGMENT_BYTES,
};

struct trace_store;

/* A record: which it is, and where. */
struct trace_place {
    uint64_t number;   /* from 0 */
    uint64_t position; /* raw bytes in front of it */
};

/* `fd` is of a regular file and the store's from now on, also on failure.  `name` is copied. */
struct trace_store *trace_store_new(int fd, const char *name, struct gfe_error *error);
/* Reads the file from its start, for the first pass. */
struct trace_reader *trace_store_reader(struct trace_store *store, struct gfe_error *error);
/* After each record of the first pass, with what the reader says of it.  Returns the record's
 * segment; UINT32_MAX: no memory. */
uint32_t trace_store_note(struct trace_store *store, const struct trace_position *position);

uint32_t trace_store_segment_count(const struct trace_store *store);
/* The first record of a segment; of the segment behind the last, the end. */
struct trace_place trace_store_segment(const struct trace_store *store, uint32_t segment);
/* The segment that holds a record of the first pass. */
uint32_t trace_store_segment_of(const struct trace_store *store, uint64_t number);

/* The head of the record at a place (of the first pass), and the place of the next.  False with a
 * message when the file cannot be read any more. */
bool trace_store_head(struct trace_store *store, const struct trace_place *place,
                      struct trace_head *head, struct gfe_error *error);
struct trace_place trace_store_behind(const struct trace_place *place,
                                      const struct trace_head *head);
/* All of the record.  What it points at is valid until the next call for this store, but what lies
 * in `scratch`, strings and push entries, until that is used again. */
bool trace_store_record(struct trace_store *store, const struct trace_place *place,
                        struct trace_record *record, struct trace_scratch *scratch,
                        struct gfe_error *error);
/* NULL is allowed. */
void trace_store_free(struct trace_store *store);

/* For tests: segments unpacked so far, and the most raw bytes held at a time. */
uint64_t trace_store_load_count(const struct trace_store *store);
size_t trace_store_peak_bytes(const struct trace_store *store);

#endif
