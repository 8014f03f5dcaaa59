/* SPDX-License-Identifier: MIT */
/* Guest memory and its images, looked at page by page: see emu/memory.h. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/engine/memory_private.h"

static const uint8_t memory_zeroes[MEMORY_PAGE_BYTES];

static int memory_entry_order(const void *a, const void *b)
{
    const struct memory_image_entry *x = a, *y = b;
    const uint64_t key_x = (x->key & 1) << 63 | x->key >> 1;
    const uint64_t key_y = (y->key & 1) << 63 | y->key >> 1;

    return key_x < key_y ? -1 : key_x > key_y;
}

/* Sorts the entries and calls visit() for those that are not all zeroes. */
static void memory_visit_entries(struct memory_image_entry *entries, uint32_t count,
                                 void (*visit)(void *context, enum memory_aperture aperture,
                                               uint64_t address, const uint8_t *page),
                                 void *context)
{
    qsort(entries, count, sizeof entries[0], memory_entry_order);
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].page && memcmp(entries[i].page->data, memory_zeroes, MEMORY_PAGE_BYTES) != 0)
            visit(context, (enum memory_aperture)(entries[i].key & 1),
                  (entries[i].key >> 1) * MEMORY_PAGE_BYTES, entries[i].page->data);
}

bool memory_visit(const struct memory *memory,
                  void (*visit)(void *context, enum memory_aperture aperture, uint64_t address,
                                const uint8_t *page),
                  void *context)
{
    struct memory_image_entry *order = malloc(((size_t)memory->slot_count + 1) * sizeof order[0]);

    if (!order)
        return false;
    for (uint32_t i = 0; i < memory->slot_count; i++)
        order[i] = (struct memory_image_entry){memory->slots[i].key, memory->slots[i].page};
    memory_visit_entries(order, memory->slot_count, visit, context);
    free(order);
    return true;
}

bool memory_image_visit(const struct memory_image *image,
                        void (*visit)(void *context, enum memory_aperture aperture,
                                      uint64_t address, const uint8_t *page),
                        void *context)
{
    struct memory_image_entry *order = malloc(((size_t)image->count + 1) * sizeof order[0]);

    if (!order)
        return false;
    if (image->count > 0)
        memcpy(order, image->entries, image->count * sizeof order[0]);
    memory_visit_entries(order, image->count, visit, context);
    free(order);
    return true;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Calls visit() if the pages differ.  Returns false if visit() wants no more pages. */
static bool memory_differ_page(uint64_t key, const struct memory_page *here,
                               const struct memory_page *there, memory_differ_visit *visit,
                               void *context)
{
    const uint8_t *a = here ? here->data : memory_zeroes;
    const uint8_t *b = there ? there->data : memory_zeroes;

    return a == b || memcmp(a, b, MEMORY_PAGE_BYTES) == 0 ||
           visit(context, (enum memory_aperture)(key & 1), (key >> 1) * MEMORY_PAGE_BYTES, a, b);
}

static void memory_differ_pages(const struct memory *memory, const struct memory_image *image,
                                uint8_t *seen, memory_differ_visit *visit, void *context)
{
    for (uint32_t i = 0; i < image->count; i++) {
        const struct memory_image_entry *entry = &image->entries[i];
        const struct memory_slot *slot = memory_find(memory, entry->key);

        if (slot)
            seen[slot - memory->slots] = 1;
        if (!memory_differ_page(entry->key, slot ? slot->page : NULL, entry->page, visit, context))
            return;
    }
    for (uint32_t i = 0; i < memory->slot_count; i++)
        if (!seen[i] &&
            !memory_differ_page(memory->slots[i].key, memory->slots[i].page, NULL, visit, context))
            return;
}

bool memory_differ(const struct memory *memory, const struct memory_image *image,
                   memory_differ_visit *visit, void *context)
{
    uint8_t few[256] = {0};
    uint8_t *seen = memory->slot_count > sizeof few ? calloc(memory->slot_count, 1) : few;

    if (!seen)
        return false;
    memory_differ_pages(memory, image, seen, visit, context);
    if (seen != few)
        free(seen);
    return true;
}
