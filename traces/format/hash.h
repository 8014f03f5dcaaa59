/* SPDX-License-Identifier: MIT */
/*
 * The identity of traces and event logs: SHA-256 over their contents, not over their storage.
 *
 * The identity of an event log covers the raw bytes of its chunks and their kinds.  The division of
 * a kind into chunks does not count, nor do compression and index.
 *
 * The identity of a trace covers its records in order.  Each record counts with its kind, its time,
 * its process and thread as running numbers in the order of first appearance, and all fields except
 * those marked HOST (traces/format/trace_schema.h).  Memory counts with its contents, so it does
 * not matter which pages the writer shared.  The sequence number, which only repeats the order, is
 * left out.
 *
 * A damaged or cut file has no identity: hashing it is an error.
 */
#ifndef GFE_TRACES_FORMAT_HASH_H
#define GFE_TRACES_FORMAT_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/log/chunk.h"
#include "emu/base/digest.h"
#include "emu/base/error.h"

enum { HASH_HEX_BYTES = 65 }; /* 64 digits and the terminator */

/* Hashes a trace or an event log ("-" is standard input).  Refuses a file that unpacks to more than
 * `unpacked_bytes`.  Returns false with a message on error. */
bool hash_file_within(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error);
/* Like hash_file_within(), for event logs, over events and totals alone.  The hash then does not
 * depend on the trace that the log is of. */
bool hash_file_events(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error);

/* Hashes an event log chunk by chunk, for a caller that has the chunks anyway.  It takes all chunks
 * in their order; the index is optional.  Chunks of one kind in a row are one run, whose digest
 * goes into the whole.  So the hash depends on kinds, but not on the places where the writer cut.
 */
struct hash_log {
    struct digest whole, run;
    enum chunk_kind kind; /* of the run; CHUNK_KIND_END: there is none yet */
    bool events_only;     /* the head, which names the trace and the tables, is left out */
};

void hash_log_start(struct hash_log *log, bool events_only);
void hash_log_add(struct hash_log *log, const struct chunk *chunk);
void hash_log_end(struct hash_log *log, char hex[HASH_HEX_BYTES]);

#endif
