/* SPDX-License-Identifier: MIT */
/*
 * The arena: all mutable state of a machine but guest memory lies here, in one block, so that a
 * snapshot is a copy of it and a comparison a hash of it.  Nothing in it is a pointer; references
 * are indices.  Units get their state at wiring time; afterwards the arena is sealed and the event
 * path allocates nothing.  Structs that live here are declared between GFE_STATE_BEGIN and
 * GFE_STATE_END (state.h), which refuse implicit padding: padding has no defined value and would
 * make equal states hash differently.
 */
#ifndef GFE_EMU_ARENA_H
#define GFE_EMU_ARENA_H

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
    uint64_t layout; /* of the sizes asked for, in their order: equal for equal wirings */
    bool sealed;
    struct arena_image *image; /* the last image taken or restored, held; NULL = none */
    struct arena_watch *watch; /* emu/engine/arena_watch.h; NULL = nobody watches */
};

/* Reserves ARENA_CAPACITY_BYTES of address space; memory is used as it is touched. */
bool arena_init(struct arena *arena, struct gfe_error *error);
/* Gives everything back; what was allocated is gone. */
void arena_fini(struct arena *arena);
/* Zeroed, aligned to ARENA_ALIGN_BYTES, valid as long as the arena.  Wiring time only (asserted);
 * running out is a programmer's error (asserted): sizes come from the GPU model. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Ends the wiring: nothing can be allocated any more. */
void arena_seal(struct arena *arena);

/*
 * Images of a sealed arena.  They are kept page by page: pages of zeroes, which are most, take no
 * room, and pages that are as in the last image are shared with it.  Pages are counted references;
 * arenas that share images must be used from one thread.
 */
struct arena_page {
    uint32_t references;
    uint32_t reserved;
    uint8_t data[ARENA_PAGE_BYTES]; /* zeroes behind the end of the arena */
};

struct arena_image {
    uint32_t references; /* the taker's, and each arena's whose last image it is */
    uint32_t page_count;
    size_t used_bytes;
    struct arena_page *pages[]; /* NULL = zeroes */
};

/* NULL when the host has no memory. */
struct arena_image *arena_take(struct arena *arena);
/* Into an arena of the same size (asserted). */
void arena_restore(struct arena *arena, struct arena_image *image);
/* An image of that size that is all zeroes; NULL: no memory. */
struct arena_image *arena_image_new(size_t used_bytes);
/* Fills a page of zeroes; behind the arena's end the data must be zeroes.  False: no memory. */
bool arena_image_put(struct arena_image *image, uint32_t page,
                     const uint8_t data[ARENA_PAGE_BYTES]);
/* Gives up the caller's hold on an image. */
void arena_image_free(struct arena_image *image);
/* Pages of an arena of that size; the last may be cut short. */
uint32_t arena_page_count(size_t used_bytes);
size_t arena_page_bytes(size_t used_bytes, uint32_t page);
/* True when all of at most ARENA_PAGE_BYTES are zero. */
bool arena_is_zero(const uint8_t *data, size_t bytes);

#endif
