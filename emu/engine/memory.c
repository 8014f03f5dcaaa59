/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/memory_private.h"

/* Keeps slot numbers and the sizes of tables within 32 bits; 4 TiB of pages. */
enum { MEMORY_PAGES_MAX = 1 << 30 };

static void memory_page_drop(struct memory_page *page)
{
    if (page && --page->references == 0)
        free(page);
}

static struct memory_page *memory_page_new(const struct memory_page *from)
{
    struct memory_page *page = from ? malloc(sizeof *page) : calloc(1, sizeof *page);

    if (!page)
        return NULL;
    if (from)
        memcpy(page->data, from->data, sizeof page->data);
    page->references = 1;
    page->reserved = 0;
    return page;
}

void memory_limit(struct memory *memory, uint64_t page_limit)
{
    memory->page_limit = page_limit < MEMORY_PAGES_MAX ? page_limit : MEMORY_PAGES_MAX;
}

bool memory_init(struct memory *memory, uint64_t vram_bytes, uint64_t sysmem_bytes,
                 uint64_t page_limit, struct gfe_error *error)
{
    assert(vram_bytes % MEMORY_PAGE_BYTES == 0 && sysmem_bytes % MEMORY_PAGE_BYTES == 0);
    *memory = (struct memory){
        .size_bytes = {[MEMORY_VRAM] = vram_bytes, [MEMORY_SYSMEM] = sysmem_bytes},
        .plain_bytes = {[MEMORY_VRAM] = vram_bytes, [MEMORY_SYSMEM] = sysmem_bytes},
        .table_size = 1024,
        .generation = 1,
        .moves = 1,
    };
    memory_limit(memory, page_limit);
    memory->table = calloc(memory->table_size, sizeof *memory->table);
    if (!memory->table)
        return error_set(error, ERROR_SYSTEM, "no memory for the page table of guest memory");
    return true;
}

/* Forgets all pages; the page table stays allocated and empty. */
static void memory_clear(struct memory *memory)
{
    for (uint32_t i = 0; i < memory->journal_count; i++)
        memory_page_drop(memory->slots[memory->journal[i]].pre_image);
    for (uint32_t i = 0; i < memory->slot_count; i++)
        memory_page_drop(memory->slots[i].page);
    memory->moves++;
    memory->journal_count = 0;
    memory->slot_count = 0;
    memset(memory->table, 0, memory->table_size * sizeof *memory->table);
}

void memory_fini(struct memory *memory)
{
    if (memory->table)
        memory_clear(memory);
    memory_image_free(memory->image);
    free(memory->table);
    free(memory->slots);
    free(memory->journal);
    *memory = (struct memory){0};
}

static void memory_table_put(struct memory *memory, uint32_t slot_index)
{
    uint32_t at = memory_hash(memory->slots[slot_index].key) & (memory->table_size - 1);

    while (memory->table[at] != 0)
        at = (at + 1) & (memory->table_size - 1);
    memory->table[at] = slot_index + 1;
}

static bool memory_table_grow(struct memory *memory)
{
    uint32_t *table;

    if (memory->slot_count < memory->table_size / 2)
        return true;
    table = calloc((size_t)memory->table_size * 2, sizeof *table);
    if (!table)
        return false;
    free(memory->table);
    memory->table = table;
    memory->table_size *= 2;
    for (uint32_t i = 0; i < memory->slot_count; i++)
        memory_table_put(memory, i);
    return true;
}

/* `array`, or where it was moved to hold `needed` entries; NULL when memory is short (`array` then
 * stays as it was). */
static void *memory_reserve(void *array, uint32_t *capacity, uint32_t needed, size_t entry_bytes)
{
    uint32_t larger = *capacity ? *capacity : 256;
    void *moved;

    if (needed <= *capacity)
        return array;
    while (larger < needed)
        larger *= 2;
    moved = realloc(array, larger * entry_bytes);
    if (moved)
        *capacity = larger;
    return moved;
}

static struct memory_slot *memory_add(struct memory *memory, uint64_t key)
{
    struct memory_slot *slots;

    if (memory->slot_count >= memory->page_limit)
        return NULL;
    slots = memory_reserve(memory->slots, &memory->slot_capacity, memory->slot_count + 1,
                           sizeof *slots);
    if (!slots)
        return NULL;
    memory->slots = slots;
    if (!memory_table_grow(memory))
        return NULL;
    memory->slots[memory->slot_count] = (struct memory_slot){.key = key};
    memory_table_put(memory, memory->slot_count);
    return &memory->slots[memory->slot_count++];
}

/* Removes the slots from `count` on, which hold no page.  Each is the last one put into the table
 * when its turn comes, so no other slot's place was found by passing over it. */
static void memory_forget(struct memory *memory, uint32_t count)
{
    while (memory->slot_count > count) {
        const uint32_t slot_index = --memory->slot_count;
        uint32_t at = memory_hash(memory->slots[slot_index].key) & (memory->table_size - 1);

        assert(!memory->slots[slot_index].page);
        while (memory->table[at] != slot_index + 1)
            at = (at + 1) & (memory->table_size - 1);
        memory->table[at] = 0;
    }
}

static bool memory_journal_add(struct memory *memory, const struct memory_slot *slot)
{
    uint32_t *journal = memory_reserve(memory->journal, &memory->journal_capacity,
                                       memory->journal_count + 1, sizeof *journal);

    if (!journal)
        return false;
    memory->journal = journal;
    memory->journal[memory->journal_count++] = (uint32_t)(slot - memory->slots);
    return true;
}

/* Makes a page that may be written: its pre-image goes into the journal, and no image shares its
 * data any more.  `slot` is the page's slot, or NULL if it has none yet. */
static __attribute__((noinline)) struct memory_page *
memory_page_own(struct memory *memory, struct memory_slot *slot, uint64_t key)
{
    struct memory_page *copy;

    if (!slot)
        slot = memory_add(memory, key);
    if (!slot)
        return NULL;
    copy = memory_page_new(slot->page);
    if (!copy || !memory_journal_add(memory, slot)) {
        free(copy);
        return NULL;
    }
    slot->pre_image = slot->page;
    memory->moves += slot->page != NULL;
    slot->page = copy;
    slot->generation = memory->generation;
    return copy;
}

static __attribute__((noinline)) void memory_copy_long(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Most accesses are of one, two or four dwords.  For the others a call of memcpy() is better than
 * what compilers put in its place when they know that there are at most 4,096 bytes. */
static inline void memory_copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 16)
        memcpy(to, from, 16);
    else
        memory_copy_long(to, from, bytes);
}

static bool memory_inside(const struct memory *memory, enum memory_aperture aperture,
                          uint64_t address, size_t bytes)
{
    const uint64_t size = memory->size_bytes[aperture];

    return address <= size && bytes <= size - address;
}

/* What lies in one page. */
static inline void memory_read_page(const struct memory *memory, enum memory_aperture aperture,
                                    uint64_t address, void *to, size_t bytes)
{
    const struct memory_slot *slot = memory_find(memory, memory_key(aperture, address));

    if (slot && slot->page)
        memory_copy(to, slot->page->data + address % MEMORY_PAGE_BYTES, bytes);
    else
        memset(to, 0, bytes);
}

/* Looks through the slots or through the range's pages, whichever are fewer. */
bool memory_is_untouched(const struct memory *memory, enum memory_aperture aperture,
                         uint64_t address, uint64_t bytes)
{
    const uint64_t first = memory_key(aperture, address);
    const uint64_t last = memory_key(aperture, address + bytes - 1);

    if (memory->ear.heard || !memory_inside(memory, aperture, address, bytes))
        return false;
    if ((last - first) / 2 < memory->slot_count) {
        for (uint64_t key = first; key <= last; key += 2) {
            const struct memory_slot *slot = memory_find(memory, key);

            if (slot && slot->page)
                return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < memory->slot_count; i++)
        if (memory->slots[i].page && memory->slots[i].key >= first &&
            memory->slots[i].key <= last && (memory->slots[i].key & 1) == (first & 1))
            return false;
    return true;
}

static bool memory_is_zero(const uint8_t *data, size_t bytes)
{
    return bytes == 0 || (data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0);
}

/* Makes the first write of an interval, or the first of all, to a page.  Zeros need no page then
 * (scenarios copy hundreds of megabytes of zeros). */
static __attribute__((noinline)) bool memory_write_first(struct memory *memory,
                                                         struct memory_slot *slot, uint64_t key,
                                                         uint64_t address, const void *from,
                                                         size_t bytes)
{
    struct memory_page *page;

    if ((!slot || !slot->page) && memory_is_zero(from, bytes))
        return true;
    page = memory_page_own(memory, slot, key);
    if (page)
        memory_copy(page->data + address % MEMORY_PAGE_BYTES, from, bytes);
    return page != NULL;
}

static inline bool memory_write_page(struct memory *memory, enum memory_aperture aperture,
                                     uint64_t address, const void *from, size_t bytes)
{
    const uint64_t key = memory_key(aperture, address);
    struct memory_slot *slot = memory_find(memory, key);

    if (!slot || slot->generation != memory->generation)
        return memory_write_first(memory, slot, key, address, from, bytes);
    memory_copy(slot->page->data + address % MEMORY_PAGE_BYTES, from, bytes);
    return true;
}

/* How many of `bytes` bytes lie in the page of the address. */
static inline size_t memory_here(uint64_t address, size_t bytes)
{
    const size_t left = MEMORY_PAGE_BYTES - address % MEMORY_PAGE_BYTES;

    return bytes < left ? bytes : left;
}

/* Returns true for nearly every access: it lies in one page of its aperture, which has whole pages
 * only, and no listener is set. */
static inline bool memory_in_page(const struct memory *memory, enum memory_aperture aperture,
                                  uint64_t address, size_t bytes)
{
    return memory_here(address, bytes) == bytes && address < memory->plain_bytes[aperture];
}

static __attribute__((noinline)) bool memory_read_pages(const struct memory *memory,
                                                        enum memory_aperture aperture,
                                                        uint64_t address, uint8_t *to, size_t bytes)
{
    if (!memory_inside(memory, aperture, address, bytes))
        return false;
    while (bytes > 0) {
        const size_t here = memory_here(address, bytes);

        memory_hear(memory, MEMORY_READ, aperture, address, here);
        memory_read_page(memory, aperture, address, to, here);
        to += here;
        address += here;
        bytes -= here;
    }
    return true;
}

bool memory_read(const struct memory *memory, enum memory_aperture aperture, uint64_t address,
                 void *data, size_t bytes)
{
    if (!memory_in_page(memory, aperture, address, bytes))
        return memory_read_pages(memory, aperture, address, data, bytes);
    memory_read_page(memory, aperture, address, data, bytes);
    return true;
}

static __attribute__((noinline)) enum memory_result
memory_write_pages(struct memory *memory, enum memory_aperture aperture, uint64_t address,
                   const uint8_t *from, size_t bytes)
{
    if (!memory_inside(memory, aperture, address, bytes))
        return MEMORY_OUTSIDE;
    while (bytes > 0) {
        const size_t here = memory_here(address, bytes);

        memory_hear(memory, MEMORY_WRITTEN, aperture, address, here);
        if (!memory_write_page(memory, aperture, address, from, here))
            return MEMORY_EXHAUSTED;
        from += here;
        address += here;
        bytes -= here;
    }
    return MEMORY_OK;
}

enum memory_result memory_write(struct memory *memory, enum memory_aperture aperture,
                                uint64_t address, const void *data, size_t bytes)
{
    if (!memory_in_page(memory, aperture, address, bytes))
        return memory_write_pages(memory, aperture, address, data, bytes);
    return memory_write_page(memory, aperture, address, data, bytes) ? MEMORY_OK : MEMORY_EXHAUSTED;
}

uint8_t *memory_page_bytes(const struct memory *memory, enum memory_aperture aperture,
                           uint64_t address, bool *is_own)
{
    const struct memory_slot *slot = memory_find(memory, memory_key(aperture, address));

    assert(address % MEMORY_PAGE_BYTES == 0 && address < memory->size_bytes[aperture]);
    *is_own = slot && slot->generation == memory->generation;
    return slot && slot->page && !memory->ear.heard ? slot->page->data : NULL;
}

void memory_listen(struct memory *memory, struct memory_ear ear)
{
    memory->ear = ear;
    memory->moves++; /* what is known of pages bypasses us */
    for (uint32_t i = 0; i < MEMORY_APERTURE_COUNT; i++)
        memory->plain_bytes[i] = ear.heard ? 0 : memory->size_bytes[i];
}

/* The journal's pre-images belong to the image before; a new image starts a new journal. */
static void memory_journal_clear(struct memory *memory)
{
    for (uint32_t i = 0; i < memory->journal_count; i++) {
        struct memory_slot *slot = &memory->slots[memory->journal[i]];

        memory_page_drop(slot->pre_image);
        slot->pre_image = NULL;
    }
    memory->journal_count = 0;
}

/* From now on the journal counts from this image: pages of older generations are shared with it. */
static void memory_follow(struct memory *memory, struct memory_image *image)
{
    image->references++;
    memory_image_free(memory->image);
    memory->image = image;
    memory->generation++;
    memory->moves++;
}

static struct memory_image *memory_image_alloc(const uint64_t size_bytes[], uint32_t capacity)
{
    struct memory_image *image = calloc(1, sizeof *image);

    if (!image)
        return NULL;
    image->references = 1;
    memcpy(image->size_bytes, size_bytes, sizeof image->size_bytes);
    image->entries = malloc(((size_t)capacity + 1) * sizeof image->entries[0]);
    image->capacity = capacity;
    if (image->entries)
        return image;
    free(image);
    return NULL;
}

struct memory_image *memory_take(struct memory *memory)
{
    struct memory_image *image = memory_image_alloc(memory->size_bytes, memory->slot_count);

    if (!image)
        return NULL;
    image->count = memory->slot_count;
    for (uint32_t i = 0; i < memory->slot_count; i++) {
        image->entries[i].key = memory->slots[i].key;
        image->entries[i].page = memory->slots[i].page;
        if (memory->slots[i].page)
            memory->slots[i].page->references++;
    }
    memory_journal_clear(memory);
    memory_follow(memory, image);
    return image;
}

/* Undoes the writes since the image that this memory took or restored last: its entries are the
 * first slots, in their order. */
static void memory_roll_back(struct memory *memory)
{
    for (uint32_t i = 0; i < memory->journal_count; i++) {
        struct memory_slot *slot = &memory->slots[memory->journal[i]];

        memory_page_drop(slot->page);
        slot->page = slot->pre_image;
        slot->pre_image = NULL;
        slot->generation = 0;
    }
    memory->moves++;
    memory->journal_count = 0;
    memory_forget(memory, memory->image->count);
}

/* After half a restore: empty, and counting from no image. */
static void memory_give_up(struct memory *memory)
{
    memory_clear(memory);
    memory_image_free(memory->image);
    memory->image = NULL;
    memory->generation++;
}

bool memory_restore(struct memory *memory, struct memory_image *image)
{
    assert(memcmp(memory->size_bytes, image->size_bytes, sizeof image->size_bytes) == 0);
    if (memory->image == image) {
        memory_roll_back(memory);
        return true;
    }
    memory_clear(memory);
    for (uint32_t i = 0; i < image->count; i++) {
        struct memory_slot *slot = memory_add(memory, image->entries[i].key);

        if (!slot) {
            memory_give_up(memory);
            return false;
        }
        slot->page = image->entries[i].page;
        if (slot->page)
            slot->page->references++;
    }
    memory_follow(memory, image);
    return true;
}

void memory_image_free(struct memory_image *image)
{
    if (!image || --image->references > 0)
        return;
    for (uint32_t i = 0; i < image->count; i++)
        memory_page_drop(image->entries[i].page);
    free(image->entries);
    free(image);
}

struct memory_image *memory_image_new(uint64_t vram_bytes, uint64_t sysmem_bytes)
{
    const uint64_t size_bytes[MEMORY_APERTURE_COUNT] = {
        [MEMORY_VRAM] = vram_bytes, [MEMORY_SYSMEM] = sysmem_bytes};

    return memory_image_alloc(size_bytes, 0);
}

bool memory_image_put(struct memory_image *image, enum memory_aperture aperture, uint64_t address,
                      const uint8_t *data)
{
    struct memory_image_entry *entries =
        memory_reserve(image->entries, &image->capacity, image->count + 1, sizeof *entries);
    struct memory_page *page = entries ? malloc(sizeof *page) : NULL;

    assert(address % MEMORY_PAGE_BYTES == 0 && address < image->size_bytes[aperture]);
    if (entries)
        image->entries = entries;
    if (!page)
        return false;
    page->references = 1;
    page->reserved = 0;
    memcpy(page->data, data, sizeof page->data);
    entries[image->count++] =
        (struct memory_image_entry){.key = memory_key(aperture, address), .page = page};
    return true;
}

uint64_t memory_image_aperture_bytes(const struct memory_image *image,
                                     enum memory_aperture aperture)
{
    return image->size_bytes[aperture];
}
