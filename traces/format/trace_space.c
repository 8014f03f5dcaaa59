/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_space.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The list with room for one more element, or NULL and an error.  It grows by doubling. */
static void *spaces_grow(void *list, uint32_t count, size_t bytes, struct gfe_error *error)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return list;
    void *grown = realloc(list, (count > 0 ? (size_t)count * 2 : 1) * bytes);
    if (grown == NULL)
        error_set(error, ERROR_SYSTEM, "no memory for what the trace maps");
    return grown;
}

void trace_spaces_fini(struct trace_spaces *spaces)
{
    for (uint32_t i = 0; i < spaces->space_count; i++) {
        memory_fini(&spaces->spaces[i]->memory);
        free(spaces->spaces[i]->binds);
        free(spaces->spaces[i]);
    }
    free(spaces->spaces);
    free(spaces->maps);
    *spaces = (struct trace_spaces){0};
}

static struct trace_space *space_new(uint32_t as_id, struct gfe_error *error)
{
    struct trace_space *space = calloc(1, sizeof *space);

    if (space == NULL) {
        error_set(error, ERROR_SYSTEM, "no memory for an address space");
        return NULL;
    }
    space->as_id = as_id;
    if (memory_init(&space->memory, TRACE_SPACE_VA_BYTES, 0, UINT32_MAX, error))
        return space;
    free(space);
    return NULL;
}

struct trace_space *trace_space(struct trace_spaces *spaces, uint32_t as_id,
                                struct gfe_error *error)
{
    for (uint32_t i = 0; i < spaces->space_count; i++)
        if (spaces->spaces[i]->as_id == as_id)
            return spaces->spaces[i];
    if (spaces->space_count == TRACE_SPACES_MAX) {
        error_set(error, ERROR_LIMIT, "more than %d address spaces", TRACE_SPACES_MAX);
        return NULL;
    }

    void *list = spaces_grow(spaces->spaces, spaces->space_count, sizeof *spaces->spaces, error);
    if (list == NULL)
        return NULL;
    spaces->spaces = list;
    struct trace_space *space = space_new(as_id, error);
    if (space != NULL) {
        space->spaces = spaces;
        spaces->spaces[spaces->space_count++] = space;
    }
    return space;
}

static bool spaces_map(struct trace_spaces *spaces, const struct trace_as_map *record,
                       struct gfe_error *error)
{
    if (spaces->map_count == TRACE_SPACE_MAPS_MAX)
        return error_set(error, ERROR_LIMIT, "more than %d ranges are mapped",
                         TRACE_SPACE_MAPS_MAX);
    void *list = spaces_grow(spaces->maps, spaces->map_count, sizeof *spaces->maps, error);
    if (list == NULL)
        return false;
    spaces->maps = list;
    spaces->maps[spaces->map_count++] = (struct trace_space_map){
        record->as_id, record->handle, record->va, record->size_bytes, record->object_offset};
    return true;
}

/* Ranges that begin in the one that goes: drivers unmap what they mapped. */
static void spaces_unmap(struct trace_spaces *spaces, const struct trace_as_unmap *record)
{
    uint32_t i = 0;

    while (i < spaces->map_count) {
        const struct trace_space_map *map = &spaces->maps[i];

        if (map->as_id == record->as_id && map->va >= record->va &&
            map->va - record->va < record->size_bytes)
            spaces->maps[i] = spaces->maps[--spaces->map_count];
        else
            i++;
    }
}

/* ---- VM_BIND --------------------------------------------------------------------------------- */

static bool bind_insert(struct trace_space *space, uint32_t at, struct trace_space_bind bind,
                        struct gfe_error *error)
{
    if (space->bind_count == TRACE_SPACE_MAPS_MAX)
        return error_set(error, ERROR_LIMIT, "more than %d ranges are bound", TRACE_SPACE_MAPS_MAX);
    void *list = spaces_grow(space->binds, space->bind_count, sizeof *space->binds, error);
    if (list == NULL)
        return false;
    space->binds = list;
    memmove(&space->binds[at + 1], &space->binds[at],
            (space->bind_count - at) * sizeof space->binds[0]);
    space->binds[at] = bind;
    space->bind_count++;
    return true;
}

/* Index of the first range that ends behind va. */
static uint32_t bind_from(const struct trace_space *space, uint64_t va)
{
    uint32_t low = 0, high = space->bind_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (space->binds[middle].va + space->binds[middle].size_bytes > va)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* What of the range lies at and behind va. */
static struct trace_space_bind bind_tail(struct trace_space_bind bind, uint64_t va)
{
    const uint64_t cut = va - bind.va;

    return (struct trace_space_bind){va, bind.size_bytes - cut, bind.object_va + cut};
}

static bool bind_cut(struct trace_space *space, uint64_t va, uint64_t size_bytes,
                     struct gfe_error *error)
{
    const uint64_t end = va + size_bytes;
    uint32_t at = bind_from(space, va);

    while (at < space->bind_count && space->binds[at].va < end) {
        const struct trace_space_bind old = space->binds[at];

        if (old.va < va) {
            space->binds[at++].size_bytes = va - old.va;
            if (old.va + old.size_bytes > end)
                return bind_insert(space, at, bind_tail(old, end), error);
        } else if (old.va + old.size_bytes > end) {
            space->binds[at] = bind_tail(old, end);
        } else {
            space->bind_count--;
            memmove(&space->binds[at], &space->binds[at + 1],
                    (space->bind_count - at) * sizeof space->binds[0]);
        }
    }
    return true;
}

static const struct trace_space_map *object_of(const struct trace_spaces *spaces, uint32_t handle)
{
    for (uint32_t i = 0; i < spaces->map_count; i++)
        if (spaces->maps[i].as_id == TRACE_AS_OBJECTS && spaces->maps[i].handle == handle)
            return &spaces->maps[i];
    return NULL;
}

static bool space_bind(struct trace_spaces *spaces, struct trace_space *space,
                       const struct trace_bind *bind, struct gfe_error *error)
{
    const struct trace_space_map *object;

    if (bind->va >= TRACE_SPACE_VA_BYTES || bind->size_bytes > TRACE_SPACE_VA_BYTES - bind->va)
        return error_set(error, ERROR_INPUT,
                         "a bind at 0x%" PRIx64 " lies outside the 49-bit address space", bind->va);
    if (!bind_cut(space, bind->va, bind->size_bytes, error))
        return false;
    if (bind->op != TRACE_BIND_MAP || bind->size_bytes == 0)
        return true;
    object = object_of(spaces, bind->handle);
    if (object == NULL || bind->object_offset > object->size_bytes ||
        bind->size_bytes > object->size_bytes - bind->object_offset)
        return error_set(error, ERROR_INPUT, "a bind of more than memory object %" PRIu32 " has",
                         bind->handle);
    return bind_insert(
        space, bind_from(space, bind->va),
        (struct trace_space_bind){bind->va, bind->size_bytes, object->va + bind->object_offset},
        error);
}

static bool spaces_bind(struct trace_spaces *spaces, const struct trace_vm_bind *record,
                        struct gfe_error *error)
{
    struct trace_space *space = trace_space(spaces, record->as_id, error);
    bool good = space != NULL;

    for (uint32_t i = 0; i < record->binds.count && good; i++)
        good = space_bind(spaces, space, &record->binds.bind[i], error);
    return good;
}

static bool spaces_init(struct trace_spaces *spaces, const struct trace_vm_init *record,
                        struct gfe_error *error)
{
    struct trace_space *space = trace_space(spaces, record->as_id, error);

    if (space != NULL)
        space->kernel_va = record->kernel_address;
    return space != NULL;
}

/* Where the bytes at va lie, in this space or in that of memory objects, and how many follow. */
static const struct trace_space *space_place(const struct trace_space *space, uint64_t *va,
                                             size_t *bytes)
{
    const uint32_t at = bind_from(space, *va);
    const struct trace_space_bind *bind = &space->binds[at];
    struct gfe_error none = {0};
    uint64_t left;

    if (at == space->bind_count)
        return space;
    if (bind->va > *va) {
        left = bind->va - *va;
        *bytes = left < *bytes ? (size_t)left : *bytes;
        return space;
    }
    left = bind->va + bind->size_bytes - *va;
    *bytes = left < *bytes ? (size_t)left : *bytes;
    *va = bind->object_va + (*va - bind->va);
    return trace_space(space->spaces, TRACE_AS_OBJECTS, &none);
}

bool trace_spaces_record(struct trace_spaces *spaces, const struct trace_record *record,
                         struct gfe_error *error)
{
    struct trace_space *space;

    switch (record->head.kind) {
    case TRACE_AS_MAP:
        return spaces_map(spaces, &record->as_map, error);
    case TRACE_AS_UNMAP:
        spaces_unmap(spaces, &record->as_unmap);
        return true;
    case TRACE_VM_INIT:
        return spaces_init(spaces, &record->vm_init, error);
    case TRACE_VM_BIND:
        return spaces_bind(spaces, &record->vm_bind, error);
    case TRACE_MEM:
        if (trace_as_is_physical(record->mem.as_id))
            return true;
        space = trace_space(spaces, record->mem.as_id, error);
        return space != NULL && trace_space_write(space, record->mem.address, record->mem.data.data,
                                                  record->mem.data.length, error);
    default:
        return true;
    }
}

bool trace_spaces_push_va(const struct trace_spaces *spaces, uint32_t as_id,
                          const struct trace_push *push, uint64_t *va)
{
    if (push->handle == TRACE_ANY) {
        *va = push->offset;
        return true;
    }
    for (uint32_t i = 0; i < spaces->map_count; i++) {
        const struct trace_space_map *map = &spaces->maps[i];

        if (map->as_id == as_id && map->handle == push->handle &&
            push->offset >= map->object_offset &&
            push->offset - map->object_offset < map->size_bytes) {
            *va = map->va + (push->offset - map->object_offset);
            return true;
        }
    }
    return false;
}

bool trace_space_read(const struct trace_space *space, uint64_t va, void *data, size_t bytes)
{
    uint8_t *to = data;

    if (space->bind_count == 0 || va >= TRACE_SPACE_VA_BYTES || bytes > TRACE_SPACE_VA_BYTES - va)
        return memory_read(&space->memory, MEMORY_VRAM, va, data, bytes);
    while (bytes > 0) {
        uint64_t at = va;
        size_t part = bytes;
        const struct trace_space *place = space_place(space, &at, &part);

        if (place == NULL || !memory_read(&place->memory, MEMORY_VRAM, at, to, part))
            return false;
        to += part;
        va += part;
        bytes -= part;
    }
    return true;
}

static bool space_write(struct trace_space *space, uint64_t va, const void *data, size_t bytes,
                        struct gfe_error *error)
{
    struct trace_spaces *spaces = space->spaces;
    const uint64_t limit = spaces->limit_bytes ? spaces->limit_bytes : TRACE_SPACES_BYTES;
    const uint32_t before = space->memory.slot_count;
    const uint64_t others = spaces->page_count - before;
    enum memory_result result;

    space->memory.page_limit = (limit + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES - others;
    result = memory_write(&space->memory, MEMORY_VRAM, va, data, bytes);
    spaces->page_count += space->memory.slot_count - before;
    if (result == MEMORY_OUTSIDE)
        return error_set(error, ERROR_INPUT,
                         "memory at 0x%" PRIx64 " lies outside the 49-bit address space", va);
    if (result == MEMORY_OK)
        return true;
    if (space->memory.slot_count < space->memory.page_limit)
        return error_set(error, ERROR_SYSTEM, "the host has no memory for the GPU's memory");
    return error_set(error, ERROR_LIMIT,
                     "the GPU's memory takes more than %" PRIu64 " bytes (--max-memory)", limit);
}

bool trace_space_write(struct trace_space *space, uint64_t va, const void *data, size_t bytes,
                       struct gfe_error *error)
{
    const uint8_t *from = data;

    if (space->bind_count == 0 || va >= TRACE_SPACE_VA_BYTES || bytes > TRACE_SPACE_VA_BYTES - va)
        return space_write(space, va, data, bytes, error);
    while (bytes > 0) {
        uint64_t at = va;
        size_t part = bytes;
        const struct trace_space *found = space_place(space, &at, &part);
        struct trace_space *place =
            found == space ? space : trace_space(space->spaces, TRACE_AS_OBJECTS, error);

        if (place == NULL || !space_write(place, at, from, part, error))
            return false;
        from += part;
        va += part;
        bytes -= part;
    }
    return true;
}
