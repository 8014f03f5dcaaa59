/* SPDX-License-Identifier: MIT */
/*
 * Writes a copy of a trace without the bytes that the stream does not need: the second half of `gfe
 * scrub`.
 *
 * Bytes of MEM records that are not marked as needed (traces/format/scrub_origin.h) become 0.  A
 * byte that only repeats an earlier one becomes what that byte has become.  The addresses and the
 * number of bytes stay, as do all times.  Code of KERNEL records becomes 0, too.  Fields marked
 * HOST (traces/format/trace_schema.h) that are names or the wall-clock time become empty.  Process
 * and thread numbers are numbered anew from 1.  MARK and MODULE lose their texts and images.
 */
#ifndef GFE_TRACES_FORMAT_SCRUB_WRITE_H
#define GFE_TRACES_FORMAT_SCRUB_WRITE_H

#include <stdio.h>

#include "traces/format/scrub_origin.h"

enum { SCRUB_STRING_BYTES = 6 }; /* a run of this many printable characters counts as a string */

struct scrub_totals {
    uint64_t mem_records, mem_bytes;
    uint64_t zero_bytes;    /* were 0 before */
    uint64_t removed_bytes; /* were not 0, and are now */
    uint64_t kept_bytes;    /* are not 0 */
    uint64_t again_bytes;   /* of kept_bytes: bytes that repeat an earlier record's */
    uint64_t words;         /* dwords of MEM that were not 0 */
    uint64_t removed_words; /* of `words`: dwords that are 0 now */
    uint64_t strings, strings_left;
    uint64_t code_bytes;  /* bytes of kernels' code (layer RING) that were not 0 and are now */
    uint64_t host_fields; /* names, texts and images that were not empty and are now */
};

struct scrub_write_options {
    const struct scrub_origin *origin;
    const uint8_t *keep_records; /* MEM record n stays as it is if bit n is set; NULL: none does */
    bool keep_host;              /* HOST fields, MARK and MODULE stay */
    FILE *strings;               /* gets a list of the strings that are left; may be NULL */
    uint64_t limit_bytes;        /* as in struct trace_spaces */
    uint64_t expansion_bytes;    /* the trace may unpack to */
};

/* Reads the trace at `path` and writes the new one to `fd`, from its current place on.  Returns
 * false with a message on error. */
bool scrub_write(const char *path, const struct scrub_write_options *options, int fd,
                 const char *name, struct scrub_totals *totals, struct gfe_error *error);

#endif
