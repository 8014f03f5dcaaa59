/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace anew without what nobody needs: the second half of gfe scrub.
 *
 * Bytes of MEM records that are not marked as needed (traces/format/scrub_origin.h) become 0; one
 * that only repeats what lay there becomes what that has become.  Where they lie, how many they
 * are, and all times stay.  Code of KERNEL records becomes 0, too.  Fields marked HOST
 * (traces/format/trace_schema.h) that are names or the wall-clock time become empty, process and
 * thread numbers are numbered anew from 1, MARK and MODULE lose their texts and images.
 */
#ifndef GFE_TRACES_SCRUB_WRITE_H
#define GFE_TRACES_SCRUB_WRITE_H

#include <stdio.h>

#include "traces/format/scrub_origin.h"

enum { SCRUB_STRING_BYTES = 6 }; /* a run of so many printable characters is counted as a string */

struct scrub_totals {
    uint64_t mem_records, mem_bytes;
    uint64_t zero_bytes;    /* were 0 before */
    uint64_t removed_bytes; /* were not, and are now */
    uint64_t kept_bytes;    /* are not 0 */
    uint64_t again_bytes;   /* of those, bytes that repeat what a record before them put there */
    uint64_t words;         /* dwords of MEM that were not 0 */
    uint64_t removed_words; /* those that are now */
    uint64_t strings, strings_left;
    uint64_t code_bytes;  /* of kernels' code (layer RING), were not 0 and are now */
    uint64_t host_fields; /* names, texts, images made empty that were not */
};

struct scrub_write_options {
    const struct scrub_origin *origin;
    const uint8_t *keep_records; /* MEM record n stays as it is if bit n is set; NULL: none does */
    bool keep_host;              /* HOST fields, MARK and MODULE stay */
    FILE *strings;               /* strings that are left are listed there; NULL: nowhere */
    uint64_t limit_bytes;        /* as in struct trace_spaces */
    uint64_t expansion_bytes;    /* the trace may unpack to */
};

/* Reads the trace at `path` and writes the new one to `fd`, from its current place on. */
bool scrub_write(const char *path, const struct scrub_write_options *options, int fd,
                 const char *name, struct scrub_totals *totals, struct gfe_error *error);

#endif
