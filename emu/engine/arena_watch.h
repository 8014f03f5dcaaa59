/* SPDX-License-Identifier: MIT */
/*
 * Which pages of an arena have been written: most never are, and who takes, restores and compares
 * images thousands of times in a second cannot look at all of them.
 *
 * From arena_watch() on the pages are read-only until they are first written; the fault that this
 * causes notes the page and lets the write go on (SIGSEGV, so a debugger shows one for each; other
 * faults go where they went before).  A page that was once written stays noted: after a few
 * runs of the same program there are no more faults.
 *
 * Images that were taken since then are alike in all pages that were never written.  Only these may
 * be restored or compared while the arena is watched, and only in the thread that watches.
 */
#ifndef GFE_EMU_ARENA_WATCH_H
#define GFE_EMU_ARENA_WATCH_H

#include "emu/engine/arena.h"

struct arena_watch {
    uint32_t *pages; /* those written, in no order */
    uint32_t count;
    uint8_t *is_written; /* by page */
    struct arena *next;  /* that the thread watches, too */
};

/* Watches a sealed arena, in this thread.  False with a message. */
bool arena_watch(struct arena *arena, struct gfe_error *error);
/* All pages may be written again, and nobody watches; also of an arena that is not watched. */
void arena_unwatch(struct arena *arena);

/* Bytes of an arena that are no matter for a comparison. */
struct arena_range {
    size_t from, to; /* offsets; to is behind the last */
};

/* Is the watched arena as in the image, but for the ranges, which are in order and do not overlap?
 * *hint is the offset of a byte that differed last, which is looked at first: 0 at first. */
bool arena_equals(const struct arena *arena, const struct arena_image *image,
                  const struct arena_range *except, uint32_t except_count, size_t *hint);

#endif
