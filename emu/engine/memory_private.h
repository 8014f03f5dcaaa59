/* SPDX-License-Identifier: MIT */
/* The parts of guest memory and its images.  Private to memory.c and memory_visit.c. */
#ifndef GFE_EMU_ENGINE_MEMORY_PRIVATE_H
#define GFE_EMU_ENGINE_MEMORY_PRIVATE_H

#include "emu/engine/memory.h"

struct memory_page {
    uint32_t references;
    uint32_t reserved;
    uint8_t data[MEMORY_PAGE_BYTES];
};

struct memory_slot {
    uint64_t key; /* page number << 1 | aperture */
    uint64_t generation;
    struct memory_page *page;
    struct memory_page *pre_image; /* valid while the slot is in the journal; NULL means zeroes */
};

struct memory_image {
    uint32_t references; /* one of the taker, and one of each memory whose last image it is */
    uint32_t reserved;
    uint64_t size_bytes[MEMORY_APERTURE_COUNT];
    uint32_t count, capacity;
    struct memory_image_entry *entries;
};

struct memory_image_entry {
    uint64_t key;
    struct memory_page *page;
};

/* Returns the key of the page at an address. */
static inline uint64_t memory_key(enum memory_aperture aperture, uint64_t address)
{
    return (address / MEMORY_PAGE_BYTES) << 1 | (uint64_t)aperture;
}

static inline uint32_t memory_hash(uint64_t key)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* Returns the slot of a page, or NULL if the page was never written. */
static inline struct memory_slot *memory_find(const struct memory *memory, uint64_t key)
{
    uint32_t at = memory_hash(key) & (memory->table_size - 1);

    while (memory->table[at] != 0) {
        struct memory_slot *slot = &memory->slots[memory->table[at] - 1];

        if (slot->key == key)
            return slot;
        at = (at + 1) & (memory->table_size - 1);
    }
    return NULL;
}

#endif
