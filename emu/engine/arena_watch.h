/* SPDX-License-Identifier: MIT */
/*
 * Detection of the pages of an arena that have been written.
 *
 * Most pages are never written.  Code that takes, restores and compares images thousands of times
 * in a second cannot read them all.
 *
 * After arena_watch() the pages are read-only until they are first written.  The first write causes
 * a fault (SIGSEGV), whose handler notes the page and lets the write continue.  A debugger shows
 * one signal for each such page.  Other faults go to the earlier handler.  A page that was once
 * written stays noted, so after a few runs of the same program there are no more faults.
 *
 * Images that were taken since then are equal in all pages that were never written.  While the
 * arena is watched, only such images may be restored or compared, and only in the thread that
 * watches.
 *
 * What is allocated after the watch began is watched from the first arena_return() on, which zeroes
 * it.
 */
#ifndef GFE_EMU_ENGINE_ARENA_WATCH_H
#define GFE_EMU_ENGINE_ARENA_WATCH_H

#include "emu/engine/arena.h"

struct arena_watch {
    size_t used_bytes;   /* of the arena when the watch began */
    uint32_t page_count; /* of the pages that are watched, from the first on */
    uint32_t *pages;     /* the pages written, in no order */
    uint32_t count;
    uint8_t *is_written;      /* by page */
    struct arena_image *base; /* the first image since then, held; NULL if there is none yet */
    struct arena *next;       /* next arena that this thread watches */
};

/* Watches an arena in this thread.  Only an arena that is sealed may be compared with an image.
 * Returns false with a message. */
bool arena_watch(struct arena *arena, struct gfe_error *error);
/* Zeroes what was allocated since the watch began, and watches it from now on. */
void arena_watch_return(struct arena *arena);
/* Makes all pages writable again and ends the watch.  An arena that is not watched is ignored. */
void arena_unwatch(struct arena *arena);
/* Forgets the pages written so far, so that a page that was written once long ago costs nothing any
 * more.  The watched arena must equal the first image since the watch began, and be as large as
 * then (asserted).  Later images may not be restored any more. */
void arena_watch_renew(struct arena *arena);

/* Bytes of an arena that a comparison ignores. */
struct arena_range {
    size_t from, to; /* offsets; `to` is one after the last byte */
};

/* Returns true if the watched arena equals the image outside the ranges, which are in order and do
 * not overlap. *hint is the offset of the byte that differed last, which is compared first.  Start
 * with 0. */
bool arena_equals(const struct arena *arena, const struct arena_image *image,
                  const struct arena_range *except, uint32_t except_count, size_t *hint);

#endif
