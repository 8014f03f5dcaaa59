/* SPDX-License-Identifier: MIT */
/*
 * Map from the 64-bit numbers that events carry (grids, copies) to indices of an array.
 *
 * The table uses open addressing and grows as needed.  Entries are never removed, and the map is
 * never walked, so the order of insertion has no effect.
 */
#ifndef GFE_EMU_BASE_ID_MAP_H
#define GFE_EMU_BASE_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct id_map {
    struct id_map_entry *entries;
    uint32_t count, capacity;
};

#define ID_MAP_NONE UINT32_MAX

/* Returns the index of the id, or `ID_MAP_NONE` if the id is not in the map. */
uint32_t id_map_find(const struct id_map *map, uint64_t id);
/* Adds an id, which must not be in the map yet.  Returns false when memory is short. */
bool id_map_add(struct id_map *map, uint64_t id, uint32_t index);
void id_map_fini(struct id_map *map);

#endif
