/* SPDX-License-Identifier: MIT */
/*
 * GPU virtual address spaces: which range of addresses lies where in guest memory.
 *
 * In hardware an address space is a tree of page tables in memory.  Its root stands in the instance
 * block (PAGE_DIR_BASE).  There are two kinds here.  A space that a driver model makes is a list of
 * ranges, found by its root; no part of it lies in memory.  A space that a chip's MMU opens is
 * walked: on a miss, the MMU (struct address_space_walker) supplies the page.  The page stays in
 * the table like an entry of a translation look-aside buffer.  It leaves when software invalidates
 * it, or when newer pages push out the oldest.
 */
#ifndef GFE_EMU_ENGINE_ADDRESS_SPACE_H
#define GFE_EMU_ENGINE_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/engine/memory.h"

/* `ADDRESS_SPACE_NONE` is the number of no space. */
#define ADDRESS_SPACE_NONE UINT32_MAX

GFE_STATE_BEGIN
struct address_space_range {
    uint64_t va; /* multiples of the page size */
    uint64_t size_bytes;
    uint64_t physical;
    uint32_t space_id;
    uint32_t aperture;  /* enum memory_aperture */
    uint32_t page_kind; /* the chip's page kind; 0 means pitch */
    uint32_t access;    /* enum address_space_access; 0 means that all accesses are allowed */
};

struct address_space {
    uint64_t root; /* physical address of the page directory */
    uint64_t last_va;
    uint32_t root_aperture;
    uint32_t used;
    uint32_t form; /* form of its page tables, by the MMU's number; 0 means a list of ranges */
    uint32_t reserved;
};

/* A page of a walked space that is in the table. */
struct address_space_cached {
    uint64_t va;
    uint32_t space_id;
    uint32_t reserved;
};

struct address_spaces_state {
    /* range_capacity counts the ranges that are not cached pages */
    uint32_t range_count, range_capacity;
    uint32_t space_count, space_capacity;
    uint32_t cached_first, cached_count; /* of `cached`, a ring, oldest first */
};
GFE_STATE_END

enum {
    ADDRESS_SPACE_HINTS = 64,
    ADDRESS_SPACE_CACHED_MAX = 4096,
};

/* Accesses that a range does not allow: bits of address_space_range.access. */
enum address_space_access {
    ADDRESS_SPACE_READ_ONLY = 1,
    ADDRESS_SPACE_WRITE_ONLY = 2,
    ADDRESS_SPACE_NO_ATOMICS = 4,
};

/* The MMU that walks page tables. */
struct address_space_walker {
    /* Finds the page of the space in which va lies.  Returns false if there is none. */
    bool (*walk)(void *mmu, const struct address_space *space, uint64_t va,
                 struct address_space_range *page);
    /* Returns the number of pages to keep, 1 to ADDRESS_SPACE_CACHED_MAX. */
    uint32_t (*entries)(void *mmu);
    void *mmu;
    /* Applies injected faults to a page that was found.  Must leave at least the memory page of va.
     * Returns false if the page is to be missing.  NULL means that nothing is injected. */
    bool (*changed)(void *injector, uint32_t space_id, uint64_t va,
                    struct address_space_range *page);
    void *injector;
};

struct address_spaces {
    struct address_spaces_state *state;
    struct address_space *spaces;
    struct address_space_range *ranges; /* sorted by (space_id, va), never overlapping */
    struct address_space_cached *cached;
    struct address_space_walker walker; /* constant after the wiring */
    uint64_t removals;                  /* Counts mappings that were removed or moved. Not state. */
    /* Where ranges were found last, by a hash of the address.  Not state: each hint is checked
     * against the table, so a stale hint does no harm. */
    uint32_t hints[ADDRESS_SPACE_HINTS];
};

/* Allocates the tables in the arena.  The capacities are the number of spaces and the number of
 * ranges of all spaces. */
void address_spaces_init(struct address_spaces *spaces, struct arena *arena,
                         uint32_t space_capacity, uint32_t range_capacity);
/* Returns the number of a new space, counted from 0, or `ADDRESS_SPACE_NONE` if the table is full.
 */
uint32_t address_space_new(struct address_spaces *spaces, enum memory_aperture aperture,
                           uint64_t root);
/* Returns the list of ranges with that root, or `ADDRESS_SPACE_NONE` if there is none. */
uint32_t address_space_by_root(const struct address_spaces *spaces, enum memory_aperture aperture,
                               uint64_t root);
/* Returns the walked space with that root, form (not 0) and last address, and creates it if needed.
 * Returns `ADDRESS_SPACE_NONE` if the table is full. */
uint32_t address_space_walked(struct address_spaces *spaces, enum memory_aperture aperture,
                              uint64_t root, uint32_t form, uint64_t last_va);
/* Drops the cached pages of a walked space, or of all spaces for `ADDRESS_SPACE_NONE`.  If va is
 * not NULL, drops only the page in which *va lies. */
void address_space_invalidate(struct address_spaces *spaces, uint32_t space_id, const uint64_t *va);

enum address_space_result {
    ADDRESS_SPACE_OK,
    ADDRESS_SPACE_OVERLAP,
    ADDRESS_SPACE_FULL,
    ADDRESS_SPACE_MISALIGNED
};
/* Adds a range of whole pages.  Any result but ADDRESS_SPACE_OK means that nothing was done.  The
 * range overlaps another of its space, the table of ranges is full, or the range is not
 * page-aligned. */
enum address_space_result address_space_map(struct address_spaces *spaces,
                                            const struct address_space_range *range);
/* Removes all mappings in the range, and splits ranges that it cuts.  Unmapped parts are ignored.
 * Returns false, with nothing done, if the range is not of whole pages or the table is full. */
bool address_space_unmap(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                         uint64_t size_bytes);
/* Does the work of address_space_locate() without checking the hint, and sets the hint. */
const struct address_space_range *
address_space_search(struct address_spaces *spaces, uint32_t space_id, uint64_t va, uint32_t *hint);
/* Returns the range in which va lies, valid until the table changes.  Returns NULL if va is not
 * mapped. */
static inline const struct address_space_range *address_space_locate(struct address_spaces *spaces,
                                                                     uint32_t space_id, uint64_t va)
{
    const uint64_t hash = ((va >> 16) + space_id) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t *hint = &spaces->hints[(hash >> 32) % ADDRESS_SPACE_HINTS];
    const struct address_space_range *range = &spaces->ranges[*hint];

    /* Entries after the last range are zeroes, so no address lies in them.  For a range above va
     * the difference wraps and then exceeds any size. */
    return range->space_id == space_id && va - range->va < range->size_bytes
               ? range
               : address_space_search(spaces, space_id, va, hint);
}
/* Returns true if a range of the space has a part of the size_bytes from va on. */
bool address_space_any(const struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                       uint64_t size_bytes);
/* Translates va. *where is the range from va on, and *contiguous_bytes the bytes that follow in the
 * same range.  Returns false if va is not mapped. */
bool address_space_translate(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                             struct address_space_range *where, uint64_t *contiguous_bytes);

#endif
