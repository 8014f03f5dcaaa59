/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/id_map.h"

#include <stdlib.h>

struct id_map_entry {
    uint64_t id;
    uint32_t index; /* ID_MAP_NONE: free */
};

enum { CAPACITY_MIN = 64 };

/* Where the id is, or the free place where it belongs.  One place is always free. */
static uint32_t place_of(const struct id_map *map, uint64_t id)
{
    const uint32_t mask = map->capacity - 1;
    uint32_t at = (uint32_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;

    while (map->entries[at].index != ID_MAP_NONE && map->entries[at].id != id)
        at = (at + 1) & mask;
    return at;
}

uint32_t id_map_find(const struct id_map *map, uint64_t id)
{
    return map->capacity ? map->entries[place_of(map, id)].index : ID_MAP_NONE;
}

static bool grow(struct id_map *map)
{
    const struct id_map old = *map;

    map->capacity = old.capacity ? 2 * old.capacity : CAPACITY_MIN;
    map->entries = malloc((size_t)map->capacity * sizeof *map->entries);
    if (!map->entries) {
        *map = old;
        return false;
    }
    for (uint32_t i = 0; i < map->capacity; i++)
        map->entries[i] = (struct id_map_entry){.index = ID_MAP_NONE};
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.entries[i].index != ID_MAP_NONE)
            map->entries[place_of(map, old.entries[i].id)] = old.entries[i];
    free(old.entries);
    return true;
}

bool id_map_add(struct id_map *map, uint64_t id, uint32_t index)
{
    if (2 * (map->count + 1) > map->capacity && !grow(map))
        return false;
    map->entries[place_of(map, id)] = (struct id_map_entry){id, index};
    map->count++;
    return true;
}

void id_map_fini(struct id_map *map)
{
    free(map->entries);
    *map = (struct id_map){0};
}
