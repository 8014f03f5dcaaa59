/* SPDX-License-Identifier: MIT */
/*
 * Where the bytes in a GPU's memory come from: for each byte of a trace's address spaces, which
 * byte of which MEM record it is.  For gfe scrub, which wants to know which bytes of a trace
 * somebody needs.
 *
 * The bytes of all MEM records are numbered from 0 in the order of the trace.  Fed with the records
 * in their order, and told what the stream moves about, it knows the number of the byte that lies
 * at an address; who looks at an address as a command or a condition says so, and the byte is
 * marked as needed.
 *
 * A byte that a MEM record writes once more, unchanged, where a MEM record had put it, keeps its
 * number: recordings find changes by runs of dwords, so a record can repeat neighbours that an
 * earlier submission needs.  The new byte is marked as repeated: it must stay what the old one has
 * become (traces/format/scrub_write.h).
 *
 * Each number takes five bytes beside each byte of content, in the same sparse pages; how addresses
 * become memory is traces/format/trace_space.h's business alone.
 */
#ifndef GFE_TRACES_SCRUB_ORIGIN_H
#define GFE_TRACES_SCRUB_ORIGIN_H

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
    struct gfe_error error; /* what went wrong first; afterwards nothing is right any more */
};

/* Empty; `limit_bytes` as in struct trace_spaces. */
void scrub_origin_init(struct scrub_origin *origin, uint64_t limit_bytes);
void scrub_origin_fini(struct scrub_origin *origin);
/* All is read: what lies where is forgotten, the marks stay. */
void scrub_origin_close(struct scrub_origin *origin);
/* A record of the trace.  MEM by physical address is needed, for `physical_reason`.  False, with
 * origin->error, when it cannot be right or the host's memory is short. */
bool scrub_origin_record(struct scrub_origin *origin, const struct trace_record *record,
                         uint32_t physical_reason);
/* What lies there; false outside the 49 bits. */
bool scrub_origin_read(struct scrub_origin *origin, uint32_t as_id, uint64_t va, void *data,
                       size_t bytes);
/* What lies there now is needed; if `watch`, also what the CPU or a move puts there later. */
void scrub_origin_needs(struct scrub_origin *origin, uint32_t as_id, uint64_t va, uint64_t bytes,
                        uint32_t reason, bool watch);
/* The stream copies bytes of the address space. */
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
