/* SPDX-License-Identifier: MIT */
/*
 * The arena: one block with all mutable state of a machine except guest memory.
 *
 * So a snapshot is a copy of the block, and a comparison is a hash of it.  The block contains no
 * pointers; references are indices.  Units get their state at wiring time.  Afterwards the arena is
 * sealed, and the event path allocates nothing.  Structs that live here are declared between
 * GFE_STATE_BEGIN and GFE_STATE_END (state.h), which reject implicit padding.  Padding has no
 * defined value and would make equal states hash differently.
 */
#ifndef GFE_EMU_ENGINE_ARENA_H
#define GFE_EMU_ENGINE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "emu/base/state.h"

enum { ARENA_CAPACITY_BYTES = 256 << 20, ARENA_ALIGN_BYTES = 64, ARENA_PAGE_BYTES = 4096 };

struct arena_image;
struct arena_watch;

struct arena {
    uint8_t *base;
    size_t used_bytes;
    uint64_t layout; /* hash of the sizes allocated, in order: equal for equal wirings */
    bool sealed;
    struct arena_image *image; /* the last image taken or restored, held; NULL if none */
    struct arena_watch *watch; /* emu/engine/arena_watch.h; NULL if the arena is not watched */
};

/* Reserves ARENA_CAPACITY_BYTES of address space; memory is used only as it is touched.  Returns
 * false with a message. */
bool arena_init(struct arena *arena, struct gfe_error *error);
/* Frees the arena and everything allocated in it. */
void arena_fini(struct arena *arena);
/* Returns zeroed memory, aligned to ARENA_ALIGN_BYTES and valid as long as the arena.  Wiring time
 * only (asserted).  Running out of room is a programming error (asserted), because sizes come from
 * the GPU model. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Ends the wiring: nothing can be allocated after this call. */
void arena_seal(struct arena *arena);

/*
 * Images of a sealed arena.  They are kept page by page.  Pages of zeroes, which are most pages,
 * take no room.  Pages that equal those of the last image are shared with it.  Pages have reference
 * counts; arenas that share images must be used from one thread.
 */
struct arena_page {
    uint32_t references;
    uint32_t reserved;
    uint8_t data[ARENA_PAGE_BYTES]; /* zeroes after the end of the arena */
};

struct arena_image {
    uint32_t references; /* one of the taker, and one of each arena whose last image it is */
    uint32_t page_count;
    size_t used_bytes;
    struct arena_page *pages[]; /* NULL means a page of zeroes */
};

/* Takes an image, which the caller releases.  Returns NULL when the host's memory is short. */
struct arena_image *arena_take(struct arena *arena);
/* Restores an image into an arena of the same size (asserted). */
void arena_restore(struct arena *arena, struct arena_image *image);
/* Takes an arena back to a size that it had, and to an image of that size.  What was allocated
 * since is zero again, so that the next arena_alloc() finds it as a new arena's.  `sealed` says
 * whether the arena was sealed then. */
void arena_return(struct arena *arena, struct arena_image *image, uint64_t layout, bool sealed);
/* Creates an image of that size, all zeroes.  Returns NULL when memory is short. */
struct arena_image *arena_image_new(size_t used_bytes);
/* Fills a page of zeroes.  Data after the arena's end must be zeroes.  Returns false when memory is
 * short. */
bool arena_image_put(struct arena_image *image, uint32_t page,
                     const uint8_t data[ARENA_PAGE_BYTES]);
/* Releases the caller's reference to an image. */
void arena_image_free(struct arena_image *image);
/* Return the number of pages of an arena of that size, and the bytes of one page.  The last page
 * may be shorter. */
uint32_t arena_page_count(size_t used_bytes);
size_t arena_page_bytes(size_t used_bytes, uint32_t page);
/* Returns true if all bytes, at most ARENA_PAGE_BYTES, are zero. */
bool arena_is_zero(const uint8_t *data, size_t bytes);

#endif
