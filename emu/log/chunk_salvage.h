/* SPDX-License-Identifier: MIT */
/*
 * Reads what is whole of a damaged file of chunks (`gfe record --recover`).
 *
 * Each chunk stands alone, so a damaged one costs no other.  One wrong byte in a chunk's head is
 * found by the head's checksum and mended, and so is one in the data of a chunk of at most
 * CHUNK_SALVAGE_MEND_BYTES, such as the first one of a recorded part.  Where no head can be read,
 * the next one is searched for.
 */
#ifndef GFE_EMU_LOG_CHUNK_SALVAGE_H
#define GFE_EMU_LOG_CHUNK_SALVAGE_H

#include "emu/log/chunk.h"

#ifdef GFE_FUZZ
/* Each byte is tried with 255 values, which takes longer than all the rest of an input. */
enum { CHUNK_SALVAGE_MEND_BYTES = 64 };
#else
enum { CHUNK_SALVAGE_MEND_BYTES = 512 };
#endif

struct chunk_salvage; /* owns its buffers and its descriptor */

/* What could not be read so far. */
struct chunk_loss {
    uint64_t chunks; /* lost */
    uint64_t mended; /* one wrong byte each: not lost */
    uint64_t bytes;  /* of the file, in lost chunks */
    /* The number of chunks lost in one place is not known: the numbers of later chunks are not,
     * either. */
    bool numbers_unknown;
};

/* Opens a file, which must be a regular one.  Returns NULL after setting `error`. */
struct chunk_salvage *chunk_salvage_open(const char *path, struct gfe_error *error);
/* Reads the next chunk.  A lost chunk has raw_bytes 0 and counts among the numbers.  A chunk that
 * the end of the file cuts off is not lost, but was never complete: CHUNK_AT_END.  Index chunks are
 * skipped.  CHUNK_FAILED: the file cannot be read, or memory is short. */
enum chunk_result chunk_salvage_read(struct chunk_salvage *salvage, struct chunk *chunk,
                                     struct gfe_error *error);
struct chunk_loss chunk_salvage_loss(const struct chunk_salvage *salvage);
void chunk_salvage_free(struct chunk_salvage *salvage);

#endif
