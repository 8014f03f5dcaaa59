/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/address_space.h"

#include <assert.h>
#include <string.h>

void address_spaces_init(struct address_spaces *spaces, struct arena *arena,
                         uint32_t space_capacity, uint32_t range_capacity)
{
    spaces->state = arena_alloc(arena, sizeof *spaces->state);
    spaces->spaces = arena_alloc(arena, space_capacity * sizeof *spaces->spaces);
    spaces->ranges = arena_alloc(arena, ((size_t)range_capacity + ADDRESS_SPACE_CACHED_MAX) *
                                            sizeof *spaces->ranges);
    spaces->cached = arena_alloc(arena, ADDRESS_SPACE_CACHED_MAX * sizeof *spaces->cached);
    spaces->state->space_capacity = space_capacity;
    spaces->state->range_capacity = range_capacity;
}

uint32_t address_space_new(struct address_spaces *spaces, enum memory_aperture aperture,
                           uint64_t root)
{
    const uint32_t id = spaces->state->space_count;

    if (id == spaces->state->space_capacity)
        return ADDRESS_SPACE_NONE;
    spaces->spaces[id] = (struct address_space){
        .root = root, .root_aperture = aperture, .last_va = UINT64_MAX, .used = 1};
    spaces->state->space_count++;
    return id;
}

uint32_t address_space_by_root(const struct address_spaces *spaces, enum memory_aperture aperture,
                               uint64_t root)
{
    for (uint32_t id = 0; id < spaces->state->space_count; id++)
        if (spaces->spaces[id].used && spaces->spaces[id].form == 0 &&
            spaces->spaces[id].root == root && spaces->spaces[id].root_aperture == aperture)
            return id;
    return ADDRESS_SPACE_NONE;
}

uint32_t address_space_walked(struct address_spaces *spaces, enum memory_aperture aperture,
                              uint64_t root, uint32_t form, uint64_t last_va)
{
    uint32_t id;

    assert(form != 0);
    for (id = 0; id < spaces->state->space_count; id++) {
        const struct address_space *space = &spaces->spaces[id];

        if (space->form == form && space->root == root && space->root_aperture == aperture &&
            space->last_va == last_va)
            return id;
    }
    id = address_space_new(spaces, aperture, root);
    if (id != ADDRESS_SPACE_NONE) {
        spaces->spaces[id].form = form;
        spaces->spaces[id].last_va = last_va;
    }
    return id;
}

/* Index of the first range that ends after va (or of a later space). */
static uint32_t address_space_find(const struct address_spaces *spaces, uint32_t space_id,
                                   uint64_t va)
{
    uint32_t low = 0, high = spaces->state->range_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct address_space_range *range = &spaces->ranges[middle];

        if (range->space_id < space_id ||
            (range->space_id == space_id && range->va + range->size_bytes <= va))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Cached pages take nothing of the capacity. */
static bool address_space_is_full(const struct address_spaces *spaces)
{
    return spaces->state->range_count - spaces->state->cached_count ==
           spaces->state->range_capacity;
}

static void address_space_put(struct address_spaces *spaces, uint32_t at,
                              const struct address_space_range *range)
{
    struct address_spaces_state *state = spaces->state;

    memmove(&spaces->ranges[at + 1], &spaces->ranges[at],
            (state->range_count - at) * sizeof *spaces->ranges);
    spaces->ranges[at] = *range;
    state->range_count++;
}

static bool address_space_insert(struct address_spaces *spaces, uint32_t at,
                                 const struct address_space_range *range)
{
    if (address_space_is_full(spaces))
        return false;
    address_space_put(spaces, at, range);
    return true;
}

static void address_space_remove(struct address_spaces *spaces, uint32_t at)
{
    struct address_spaces_state *state = spaces->state;

    spaces->removals++;
    state->range_count--;
    memmove(&spaces->ranges[at], &spaces->ranges[at + 1],
            (state->range_count - at) * sizeof *spaces->ranges);
    spaces->ranges[state->range_count] = (struct address_space_range){0};
}

enum address_space_result address_space_map(struct address_spaces *spaces,
                                            const struct address_space_range *range)
{
    uint32_t at;

    assert(range->space_id < spaces->state->space_count);
    if (range->va % MEMORY_PAGE_BYTES || range->size_bytes % MEMORY_PAGE_BYTES ||
        range->physical % MEMORY_PAGE_BYTES || range->size_bytes == 0 ||
        range->size_bytes > UINT64_MAX - range->va)
        return ADDRESS_SPACE_MISALIGNED;
    at = address_space_find(spaces, range->space_id, range->va);
    if (at < spaces->state->range_count && spaces->ranges[at].space_id == range->space_id &&
        spaces->ranges[at].va < range->va + range->size_bytes)
        return ADDRESS_SPACE_OVERLAP;
    return address_space_insert(spaces, at, range) ? ADDRESS_SPACE_OK : ADDRESS_SPACE_FULL;
}

/* Keeps of `range` what lies from `from` on. */
static struct address_space_range address_space_tail(struct address_space_range range,
                                                     uint64_t from)
{
    const uint64_t cut = from - range.va;

    range.va += cut;
    range.physical += cut;
    range.size_bytes -= cut;
    return range;
}

/* True when the range lies inside one that is mapped, with something of it left on either side. */
static bool address_space_is_hole(const struct address_spaces *spaces, uint32_t at,
                                  uint32_t space_id, uint64_t va, uint64_t end)
{
    const struct address_space_range *range = &spaces->ranges[at];

    return at < spaces->state->range_count && range->space_id == space_id && range->va < va &&
           range->va + range->size_bytes > end;
}

bool address_space_unmap(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                         uint64_t size_bytes)
{
    const uint64_t end = size_bytes > UINT64_MAX - va ? UINT64_MAX : va + size_bytes;
    uint32_t at = address_space_find(spaces, space_id, va);

    if (va % MEMORY_PAGE_BYTES || size_bytes % MEMORY_PAGE_BYTES)
        return false;
    if (size_bytes == 0)
        return true;
    if (address_space_is_full(spaces) && address_space_is_hole(spaces, at, space_id, va, end))
        return false;
    while (at < spaces->state->range_count) {
        struct address_space_range *range = &spaces->ranges[at];
        const struct address_space_range old = *range;

        if (old.space_id != space_id || old.va >= end)
            break;
        spaces->removals++;
        if (old.va < va) {
            range->size_bytes = va - old.va;
            at++;
            if (old.va + old.size_bytes > end) { /* There is room: see above. */
                const struct address_space_range tail = address_space_tail(old, end);

                return address_space_insert(spaces, at, &tail);
            }
        } else if (old.va + old.size_bytes > end) {
            *range = address_space_tail(old, end);
        } else {
            address_space_remove(spaces, at);
        }
    }
    return true;
}

/* ---- walked spaces --------------------------------------------------------------------------- */

/* The i-th cached page, oldest first. */
static struct address_space_cached *address_space_nth(const struct address_spaces *spaces,
                                                      uint32_t i)
{
    return &spaces->cached[(spaces->state->cached_first + i) % ADDRESS_SPACE_CACHED_MAX];
}

static void address_space_forget(struct address_spaces *spaces,
                                 const struct address_space_cached *cached)
{
    address_space_remove(spaces, address_space_find(spaces, cached->space_id, cached->va));
}

static void address_space_forget_oldest(struct address_spaces *spaces)
{
    struct address_space_cached *oldest = address_space_nth(spaces, 0);

    address_space_forget(spaces, oldest);
    *oldest = (struct address_space_cached){0};
    spaces->state->cached_first = (spaces->state->cached_first + 1) % ADDRESS_SPACE_CACHED_MAX;
    spaces->state->cached_count--;
}

static bool address_space_names(const struct address_spaces *spaces,
                                const struct address_space_cached *cached, uint32_t space_id,
                                const uint64_t *va)
{
    const struct address_space_range *range;

    if (space_id != ADDRESS_SPACE_NONE && cached->space_id != space_id)
        return false;
    range = &spaces->ranges[address_space_find(spaces, cached->space_id, cached->va)];
    return !va || *va - range->va < range->size_bytes;
}

void address_space_invalidate(struct address_spaces *spaces, uint32_t space_id, const uint64_t *va)
{
    const uint32_t count = spaces->state->cached_count;
    uint32_t kept = 0;

    /* Those that stay keep their order. */
    for (uint32_t i = 0; i < count; i++) {
        const struct address_space_cached cached = *address_space_nth(spaces, i);

        *address_space_nth(spaces, i) = (struct address_space_cached){0};
        if (address_space_names(spaces, &cached, space_id, va)) {
            address_space_forget(spaces, &cached);
            spaces->state->cached_count--;
        } else {
            *address_space_nth(spaces, kept++) = cached;
        }
    }
}

/* Asks the MMU for the page in which va lies, and keeps it. */
static bool address_space_miss(struct address_spaces *spaces, uint32_t space_id, uint64_t va)
{
    const struct address_space *space;
    struct address_space_range page = {0};

    if (space_id >= spaces->state->space_count)
        return false;
    space = &spaces->spaces[space_id];
    if (space->form == 0 || va > space->last_va ||
        !spaces->walker.walk(spaces->walker.mmu, space, va, &page))
        return false;
    if (spaces->walker.changed &&
        !spaces->walker.changed(spaces->walker.injector, space_id, va, &page))
        return false;
    assert(va - page.va < page.size_bytes);
    page.space_id = space_id;
    /* A page of another size that was cached before lies over this one. */
    for (uint32_t at = address_space_find(spaces, space_id, page.va);
         at < spaces->state->range_count && spaces->ranges[at].space_id == space_id &&
         spaces->ranges[at].va - page.va < page.size_bytes;
         at = address_space_find(spaces, space_id, page.va))
        address_space_invalidate(spaces, space_id, &(uint64_t){spaces->ranges[at].va});
    while (spaces->state->cached_count >= spaces->walker.entries(spaces->walker.mmu))
        address_space_forget_oldest(spaces);
    address_space_put(spaces, address_space_find(spaces, space_id, page.va), &page);
    spaces->state->cached_count++;
    *address_space_nth(spaces, spaces->state->cached_count - 1) =
        (struct address_space_cached){.va = page.va, .space_id = space_id};
    return true;
}

const struct address_space_range *
address_space_search(struct address_spaces *spaces, uint32_t space_id, uint64_t va, uint32_t *hint)
{
    uint32_t at = address_space_find(spaces, space_id, va);
    const struct address_space_range *range = &spaces->ranges[at];

    if (at == spaces->state->range_count || range->space_id != space_id || range->va > va) {
        if (!address_space_miss(spaces, space_id, va))
            return NULL;
        at = address_space_find(spaces, space_id, va);
    }
    *hint = at;
    return &spaces->ranges[at];
}

bool address_space_any(const struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                       uint64_t size_bytes)
{
    const uint32_t at = address_space_find(spaces, space_id, va);
    const struct address_space_range *range = &spaces->ranges[at];

    return at < spaces->state->range_count && range->space_id == space_id &&
           range->va < va + size_bytes;
}

bool address_space_translate(struct address_spaces *spaces, uint32_t space_id, uint64_t va,
                             struct address_space_range *where, uint64_t *contiguous_bytes)
{
    const struct address_space_range *range = address_space_locate(spaces, space_id, va);

    if (!range)
        return false;
    *where = address_space_tail(*range, va);
    *contiguous_bytes = where->size_bytes;
    return true;
}
