/* SPDX-License-Identifier: MIT */
/*
 * The origin of the bytes in a GPU's memory: for each byte of a trace's address spaces, the byte of
 * the MEM record that it came from.  `gfe scrub` uses it to find the bytes of a trace that the
 * stream needs.
 *
 * The bytes of all MEM records are numbered from 0 in the order of the trace.  The tracker gets the
 * records in their order, and the copies that the stream makes.  So it knows the number of the byte
 * at an address.  A caller that reads an address as a command or a condition reports it, and the
 * byte is marked as needed.
 *
 * A MEM record may write a byte again, unchanged, where a MEM record had put it.  Such a byte keeps
 * its number, because recordings find changes by runs of dwords, and a record can repeat neighbours
 * that an earlier submission needs.  The new byte is marked as repeated: it must become what the
 * old byte becomes (traces/format/scrub_write.h).
 *
 * Each number takes five bytes beside each byte of content, in the same sparse pages.
 * traces/format/trace_space.h translates addresses to memory.
 */
#ifndef GFE_TRACES_FORMAT_SCRUB_ORIGIN_H
#define GFE_TRACES_FORMAT_SCRUB_ORIGIN_H

#include "traces/format/trace_space.h"

enum { SCRUB_ORIGIN_PLANES = 5, SCRUB_ORIGIN_REASONS = 8 };

struct scrub_origin {
    struct trace_spaces content, watched, planes[SCRUB_ORIGIN_PLANES];
    uint64_t byte_count;                         /* of MEM records so far */
    uint64_t record_count;                       /* MEM records so far */
    uint8_t *needed, *repeated;                  /* a bit for each byte */
    uint64_t capacity_bytes;                     /* of each of the two */
    uint64_t limit_bytes;                        /* of the host's memory, for each part */
    uint64_t needed_count[SCRUB_ORIGIN_REASONS]; /* bytes, by the reason that came first */
    struct gfe_error error; /* the first error; all results after it are invalid */
};

/* Sets up an empty tracker; `limit_bytes` is as in struct trace_spaces. */
void scrub_origin_init(struct scrub_origin *origin, uint64_t limit_bytes);
void scrub_origin_fini(struct scrub_origin *origin);
/* Frees the contents of memory after the last record; the marks stay. */
void scrub_origin_close(struct scrub_origin *origin);
/* Adds a record of the trace.  MEM by physical address is marked as needed, for `physical_reason`.
 * Returns false, with origin->error, if the record is invalid or the host's memory is short. */
bool scrub_origin_record(struct scrub_origin *origin, const struct trace_record *record,
                         uint32_t physical_reason);
/* Reads the contents there.  Returns false outside the 49 bits. */
bool scrub_origin_read(struct scrub_origin *origin, uint32_t as_id, uint64_t va, void *data,
                       size_t bytes);
/* Marks the bytes there as needed; if `watch`, also bytes that the CPU or a copy puts there later.
 */
void scrub_origin_needs(struct scrub_origin *origin, uint32_t as_id, uint64_t va, uint64_t bytes,
                        uint32_t reason, bool watch);
/* Notes that the stream copies bytes of the address space. */
void scrub_origin_moves(struct scrub_origin *origin, uint32_t as_id, uint64_t to_va,
                        uint64_t from_va, uint64_t bytes);

static inline bool scrub_origin_is_needed(const struct scrub_origin *origin, uint64_t byte)
{
    return origin->needed[byte / 8] >> byte % 8 & 1;
}
static inline bool scrub_origin_is_repeated(const struct scrub_origin *origin, uint64_t byte)
{
    return origin->repeated[byte / 8] >> byte % 8 & 1;
}

#endif
