/* SPDX-License-Identifier: MIT */
/*
 * GPU virtual address spaces: which range lies where in guest memory.
 *
 * In hardware an address space is a tree of page tables in memory, whose root stands in the
 * instance block (PAGE_DIR_BASE).  There are two kinds here.  A space that a driver model makes is
 * a list of ranges, found by its root; nothing of it lies in memory.  A space that a chip's MMU
 * opens is walked: a miss asks the MMU (struct address_space_walker) for the page, which stays in
 * the table as an entry of a translation look-aside buffer until software invalidates it or others
 * push it out, oldest first.
 */
#ifndef GFE_EMU_ADDRESS_SPACE_H
#define GFE_EMU_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/engine/memory.h"

#define ADDRESS_SPACE_NONE UINT32_MAX

GFE_STATE_BEGIN
struct address_space_range {
    uint64_t va; /* multiples of the page size */
    uint64_t size_bytes;
    uint64_t physical;
    uint32_t space_id;
    uint32_t aperture;  /* enum memory_aperture */
    uint32_t page_kind; /* the chip's page kind; 0 = pitch */
    uint32_t access;    /* enum address_space_access; 0 = anything */
};

struct address_space {
    uint64_t root; /* physical address of the page directory */
    uint64_t last_va;
    uint32_t root_aperture;
    uint32_t used;
    uint32_t form; /* of its page tables, the MMU's number; 0 = a list of ranges */
    uint32_t reserved;
};

/* A page of a walked space that is in the table. */
struct address_space_cached {
    uint64_t va;
    uint32_t space_id;
    uint32_t reserved;
};

struct address_spaces_state {
    uint32_t range_count, range_capacity; /* capacity of the ranges that are not cached pages */
    uint32_t space_count, space_capacity;
    uint32_t cached_first, cached_count; /* of `cached`, a ring, oldest first */
};
GFE_STATE_END

enum {
    ADDRESS_SPACE_HINTS = 64,
    ADDRESS_SPACE_CACHED_MAX = 4096,
};

/* What a range does not allow: bits of address_space_range.access. */
enum address_space_access {
    ADDRESS_SPACE_READ_ONLY = 1,
    ADDRESS_SPACE_WRITE_ONLY = 2,
    ADDRESS_SPACE_NO_ATOMICS = 4,
};

/* The MMU that walks page tables. */
struct address_space_walker {
    /* The page of the space in which va lies; false: there is none. */
    bool (*walk)(void *mmu, const struct address_space *space, uint64_t va,
                 struct address_space_range *page);
    /* How many pages are kept, 1 to ADDRESS_SPACE_CACHED_MAX. */
    uint32_t (*entries)(void *mmu);
    void *mmu;
    /* What injected faults make of a page that was found, of which at least the page of memory of
     * va has to be left; false: it is not there.  NULL: nobody injects. */
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
    uint64_t
        removals; /* grows when something is no longer mapped, or elsewhere; not state either */
    /* Where ranges were found last, by a hash of the address.  Not state: a hint is tried against
     * the table and a stale one is of no consequence. */
    uint32_t hints[ADDRESS_SPACE_HINTS];
};

/* The tables lie in the arena; capacities are numbers of spaces and of ranges of all spaces. */
void address_spaces_init(struct address_spaces *spaces, struct arena *arena,
                         uint32_t space_capacity, uint32_t range_capacity);
/* Number of a new space, from 0 on; ADDRESS_SPACE_NONE when the table is full. */
uint32_t address_space_new(struct address_spaces *spaces, enum memory_aperture aperture,
                           uint64_t root);
/* The list of ranges with that root, ADDRESS_SPACE_NONE when there is none. */
uint32_t address_space_by_root(const struct address_spaces *spaces, enum memory_aperture aperture,
                               uint64_t root);
/* The walked space with that root, form (not 0) and last address, a new one if there was none;
 * ADDRESS_SPACE_NONE when the table is full. */
uint32_t address_space_walked(struct address_spaces *spaces, enum memory_aperture aperture,
                              uint64_t root, uint32_t form, uint64_t last_va);
/* Forgets the cached pages of a walked space, ADDRESS_SPACE_NONE: of all; of these only the one in
 * which *va lies unless va is NULL. */
void address_space_invalidate(struct address_spaces *spaces, uint32_t space_id, const uint64_t *va);

enum address_space_result {
    ADDRESS_SPACE_OK,
    ADDRESS_SPACE_OVERLAP,
    ADDRESS_SPACE_FULL,
    ADDRESS_SPACE_MISALIGNED
};
/* Adds a range of whole pages.  On any other result than OK nothing is done: it overlaps another of
 * its space, the table of ranges is full, or it is not page-aligned. */
enum address_space_result address_space_map(struct address_spaces *spaces,
                                            const struct address_space_range *range);
/* Removes what lies in the range, splitting what it cuts; where nothing is mapped, nothing happens.
 * False, with nothing done, when the range is not of whole pages or the table is full. */
bool address_space_unmap(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                         uint64_t size_bytes);
/* address_space_locate() without a look at the hint, which it sets. */
const struct address_space_range *
address_space_search(struct address_spaces *spaces, uint32_t space_id, uint64_t va, uint32_t *hint);
/* The range in which va lies, until the next change of the table; NULL: not mapped. */
static inline const struct address_space_range *address_space_locate(struct address_spaces *spaces,
                                                                     uint32_t space_id, uint64_t va)
{
    const uint64_t hash = ((va >> 16) + space_id) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t *hint = &spaces->hints[(hash >> 32) % ADDRESS_SPACE_HINTS];
    const struct address_space_range *range = &spaces->ranges[*hint];

    /* Entries behind the last range are zeroes: nothing lies in them.  The difference to a range
     * above va wraps, and is then greater than any size. */
    return range->space_id == space_id && va - range->va < range->size_bytes
               ? range
               : address_space_search(spaces, space_id, va, hint);
}
/* Where va lies; *contiguous_bytes is what follows in the same range.  False: not mapped. */
bool address_space_translate(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                             struct address_space_range *where, uint64_t *contiguous_bytes);

#endif
