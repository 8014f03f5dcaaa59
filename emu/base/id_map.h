/* SPDX-License-Identifier: MIT */
/*
 * From the numbers that events carry (grids, copies: any 64-bit value) to indices of an array.
 * Open addressing, grows as needed; nothing is ever removed.  The order of insertion is nobody's
 * business but the caller's: the map is never walked.
 */
#ifndef GFE_EMU_ID_MAP_H
#define GFE_EMU_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct id_map {
    struct id_map_entry *entries;
    uint32_t count, capacity;
};

#define ID_MAP_NONE UINT32_MAX

/* Index of the id, or ID_MAP_NONE. */
uint32_t id_map_find(const struct id_map *map, uint64_t id);
/* Adds an id (which must not be there yet).  False: no memory. */
bool id_map_add(struct id_map *map, uint64_t id, uint32_t index);
void id_map_fini(struct id_map *map);

#endif
