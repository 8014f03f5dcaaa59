/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/trace_space.h"

#include <inttypes.h>
#include <stdlib.h>

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
    case TRACE_MEM:
        if (record->mem.as_id == TRACE_AS_PHYSICAL)
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
    return memory_read(&space->memory, MEMORY_VRAM, va, data, bytes);
}

bool trace_space_write(struct trace_space *space, uint64_t va, const void *data, size_t bytes,
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
