/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/record/record_saved.h"
#include "traces/record/record_step.h"

enum {
    PAGE = RECORD_MEMORY_PAGE_BYTES,
    WINDOWS = RECORD_MEMORY_WINDOWS,
};

/* Saved copies are read so many at a time. */
enum { BATCH_PAGES = RECORD_MEMORY_BATCH_PAGES };

/* Bits of record_buffer.tell_all: all is recorded this time, or the next time, because the copies
 * of this time are not saved. */
enum { TELL_ALL = 1, TELL_ALL_NEXT = 2 };

/* A part of the GPU's memory in this process's address space. */
struct window {
    uint8_t *bytes; /* NULL: not mapped */
    uint8_t *flags;
};

struct record_memory {
    struct record_memory_files files;
    struct record_memory_table *table;
    bool own; /* files and table */
    struct window windows[WINDOWS];
    uint8_t batch[BATCH_PAGES * PAGE]; /* saved copies, while pages are compared */
};

/* ---- windows --------------------------------------------------------------------------------- */

/* NULL when there is no address space.  Core dumps leave it out. */
static uint8_t *part_map(int fd, uint64_t offset, uint64_t bytes)
{
    void *at =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);

    if (at == MAP_FAILED)
        return NULL;
    (void)madvise(at, bytes, MADV_DONTDUMP);
    return at;
}

static void window_unmap(struct window *window)
{
    if (window->bytes)
        munmap(window->bytes, RECORD_MEMORY_WINDOW_BYTES);
    if (window->flags)
        munmap(window->flags, RECORD_MEMORY_WINDOW_FLAGS);
    *window = (struct window){0};
}

/* The window in which a buffer lies; NULL when it cannot be mapped. */
static const struct window *window_of(struct record_memory *memory,
                                      const struct record_buffer *buffer)
{
    const uint64_t index = buffer->offset / RECORD_MEMORY_WINDOW_BYTES;
    struct window *window = &memory->windows[index];

    if (window->bytes)
        return window;
    window->bytes = part_map(memory->files.memory_fd, index * RECORD_MEMORY_WINDOW_BYTES,
                             RECORD_MEMORY_WINDOW_BYTES);
    window->flags = part_map(memory->files.memory_fd,
                             RECORD_MEMORY_FLAGS_OFFSET + index * RECORD_MEMORY_WINDOW_FLAGS,
                             RECORD_MEMORY_WINDOW_FLAGS);
    if (window->bytes && window->flags)
        return window;
    window_unmap(window);
    return NULL;
}

static uint64_t window_offset(const struct record_buffer *buffer)
{
    return buffer->offset % RECORD_MEMORY_WINDOW_BYTES;
}

uint8_t *record_memory_bytes(struct record_memory *memory, const struct record_buffer *buffer)
{
    const struct window *window = window_of(memory, buffer);

    return window ? window->bytes + window_offset(buffer) : NULL;
}

/* ---- coming and going ------------------------------------------------------------------------ */

struct record_memory *record_memory_attach(struct record_memory_table *table,
                                           const struct record_memory_files *files,
                                           struct gfe_error *error)
{
    struct record_memory *memory = calloc(1, sizeof *memory);

    if (!memory) {
        error_set_errno(error, ENOMEM, "memory of the stand-in");
        return NULL;
    }
    memory->table = table;
    memory->files = *files;
    return memory;
}

struct record_memory *record_memory_new(struct gfe_error *error)
{
    struct record_memory_table *table = calloc(1, sizeof *table);
    const char *directory = getenv("TMPDIR");
    struct record_memory_files files;
    struct record_memory *memory;

    if (!table) {
        error_set_errno(error, ENOMEM, "memory of the stand-in");
        return NULL;
    }
    if (!record_memory_files_make(&files, directory && *directory ? directory : "/tmp", error)) {
        free(table);
        return NULL;
    }
    memory = record_memory_attach(table, &files, error);
    if (memory) {
        memory->own = true;
        return memory;
    }
    close(files.memory_fd);
    close(files.saved_fd);
    free(table);
    return NULL;
}

void record_memory_free(struct record_memory *memory)
{
    if (!memory)
        return;
    for (int i = 0; i < WINDOWS; i++)
        window_unmap(&memory->windows[i]);
    if (memory->own) {
        close(memory->files.memory_fd);
        close(memory->files.saved_fd);
        free(memory->table);
    }
    free(memory);
}

int record_memory_fd(const struct record_memory *memory)
{
    return memory->files.memory_fd;
}

void record_memory_set_files(struct record_memory *memory, const struct record_memory_files *files)
{
    memory->files = *files;
}

uint64_t record_memory_va(const struct record_buffer *buffer)
{
    return RECORD_MEMORY_VA_BASE + buffer->offset;
}

uint32_t record_memory_number(const struct record_memory *memory,
                              const struct record_buffer *buffer)
{
    return (uint32_t)(buffer - memory->table->buffers);
}

struct record_buffer *record_memory_at(const struct record_memory *memory, uint32_t number)
{
    return &memory->table->buffers[number];
}

/* ---- where a buffer goes --------------------------------------------------------------------- */

static struct record_buffer *ordered(const struct record_memory *memory, size_t slot)
{
    return &memory->table->buffers[memory->table->order[slot]];
}

/* Place in the order of the first buffer that ends behind `offset`. */
static size_t buffer_behind(const struct record_memory *memory, uint64_t offset)
{
    size_t low = 0, high = memory->table->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct record_buffer *buffer = ordered(memory, middle);

        if (buffer->offset + buffer->size_bytes > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first aligned place at or behind `from` that no end of a window divides. */
static uint64_t place_from(uint64_t from, uint64_t size, uint64_t align)
{
    const uint64_t at = (from + align - 1) & ~(align - 1);
    const uint64_t end = (at / RECORD_MEMORY_WINDOW_BYTES + 1) * RECORD_MEMORY_WINDOW_BYTES;

    return size <= end - at ? at : (end + align - 1) & ~(align - 1);
}

/* The first room of that size at or behind `from`; *slot is its place in the order. */
static bool find_room(const struct record_memory *memory, uint64_t from, uint64_t size,
                      uint64_t align, uint64_t *offset, size_t *slot)
{
    uint64_t at = place_from(from, size, align);

    for (*slot = buffer_behind(memory, at); *slot < memory->table->count; ++*slot) {
        const struct record_buffer *next = ordered(memory, *slot);

        if (at + size <= next->offset)
            break;
        if (next->offset + next->size_bytes > at)
            at = place_from(next->offset + next->size_bytes, size, align);
    }
    *offset = at;
    return at <= RECORD_MEMORY_BYTES && size <= RECORD_MEMORY_BYTES - at;
}

/* A free place in the table, or NULL. */
static struct record_buffer *place_new(struct record_memory *memory)
{
    struct record_memory_table *table = memory->table;

    while (table->free_hint < RECORD_MEMORY_BUFFERS_MAX &&
           table->buffers[table->free_hint].size_bytes != 0)
        table->free_hint++;
    return table->free_hint < RECORD_MEMORY_BUFFERS_MAX ? &table->buffers[table->free_hint] : NULL;
}

static uint64_t power_of_two_at_least(uint64_t value)
{
    uint64_t power = PAGE;

    while (power < value && power < RECORD_MEMORY_BYTES)
        power *= 2;
    return power;
}

struct record_buffer *record_memory_add(struct record_memory *memory, uint64_t size_bytes,
                                        uint64_t align_bytes)
{
    const uint64_t align = power_of_two_at_least(align_bytes);
    const uint64_t size = (size_bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    struct record_memory_table *table = memory->table;
    struct record_buffer *buffer, wanted = {0};
    size_t slot;

    if (size_bytes == 0 || size_bytes > RECORD_MEMORY_WINDOW_BYTES)
        return NULL;
    if (!find_room(memory, table->cursor, size, align, &wanted.offset, &slot) &&
        !find_room(memory, 0, size, align, &wanted.offset, &slot))
        return NULL;
    buffer = place_new(memory);
    if (!buffer || !window_of(memory, &wanted))
        return NULL;
    table->cursor = wanted.offset + size;
    buffer->offset = wanted.offset;
    buffer->tell_all = 0;
    buffer->size_bytes = size; /* from here it counts when the table is repaired */
    record_step();
    memmove(table->order + slot + 1, table->order + slot,
            (table->count - slot) * sizeof table->order[0]);
    record_step();
    table->order[slot] = record_memory_number(memory, buffer);
    table->count++;
    return buffer;
}

static void punch(int fd, uint64_t offset, uint64_t bytes)
{
    /* A failure leaves old contents where a new buffer promises zeros, but only after 1 TiB. */
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

void record_memory_remove(struct record_memory *memory, struct record_buffer *buffer)
{
    struct record_memory_table *table = memory->table;
    const size_t slot = buffer_behind(memory, buffer->offset);

    assert(slot < table->count && ordered(memory, slot) == buffer);
    punch(memory->files.memory_fd, buffer->offset, buffer->size_bytes);
    punch(memory->files.saved_fd, buffer->offset, buffer->size_bytes);
    punch(memory->files.memory_fd, RECORD_MEMORY_FLAGS_OFFSET + buffer->offset / PAGE,
          buffer->size_bytes / PAGE);
    buffer->size_bytes = 0;
    record_step();
    table->count--;
    memmove(table->order + slot, table->order + slot + 1,
            (table->count - slot) * sizeof table->order[0]);
    if (table->free_hint > record_memory_number(memory, buffer))
        table->free_hint = record_memory_number(memory, buffer);
}

/* ---- repair ---------------------------------------------------------------------------------- */

/* Moves an order's last entry down to where it belongs. */
static void order_sink(struct record_memory_table *table, uint32_t last)
{
    const uint32_t number = table->order[last];

    for (;
         last > 0 && table->buffers[table->order[last - 1]].offset > table->buffers[number].offset;
         last--)
        table->order[last] = table->order[last - 1];
    table->order[last] = number;
}

void record_memory_repair(struct record_memory *memory)
{
    struct record_memory_table *table = memory->table;

    table->count = 0;
    table->free_hint = 0;
    /* Places are taken in rising order mostly, as offsets are. */
    for (uint32_t i = 0; i < RECORD_MEMORY_BUFFERS_MAX; i++) {
        struct record_buffer *buffer = &table->buffers[i];

        if (buffer->size_bytes == 0)
            continue;
        buffer->tell_all = TELL_ALL;
        table->order[table->count] = i;
        order_sink(table, table->count++);
    }
}

/* ---- what the CPU changed -------------------------------------------------------------------- */

/* Bytes of the run of changed dwords at `start`, joined over gaps shorter than `join`. */
static uint32_t run_bytes(const uint8_t *now, const uint8_t *before, uint32_t start, uint32_t join)
{
    uint32_t end = start + 4;

    for (uint32_t at = end; at < PAGE && at - end < join; at += 4)
        if (memcmp(now + at, before + at, 4) != 0)
            end = at + 4;
    return end - start;
}

/* Where record_memory_changes() is. */
struct telling {
    struct record_memory *memory;
    const struct window *window;
    struct record_buffer *buffer;
    record_memory_changed *changed;
    void *context;
};

/* Tells what changed in a page, now `live`, since `before`, or all of it; `before` becomes what was
 * told.  True when it was told. */
static bool page_changes(const struct telling *telling, uint64_t page, const uint8_t *live,
                         uint8_t *before, bool all)
{
    const uint64_t at_page = window_offset(telling->buffer) / PAGE + page;
    const uint64_t va = record_memory_va(telling->buffer) + page * PAGE;
    const uint32_t join = telling->window->flags[at_page] ? 1 : RECORD_MEMORY_JOIN_BYTES;
    uint8_t now[PAGE];

    /* Most pages are as they were: these are only read. */
    if (!all && memcmp(live, before, PAGE) == 0)
        return false;
    /* One copy, so that another thread's writes fall wholly into this telling or the next. */
    memcpy(now, live, PAGE);
    if (all)
        telling->changed(telling->context, telling->buffer, va, now, PAGE);
    for (uint32_t at = 0; at < PAGE && !all;) {
        uint32_t bytes = 4;

        if (memcmp(now + at, before + at, 4) != 0) {
            bytes = run_bytes(now, before, at, join);
            telling->changed(telling->context, telling->buffer, va + at, now + at, bytes);
        }
        at += bytes;
    }
    memcpy(before, now, PAGE);
    return true;
}

/* As many pages, now `live`, as their saved copies are read at a time. */
static void batch_changes(const struct telling *telling, uint64_t page, uint64_t count,
                          const uint8_t *live)
{
    struct record_memory *memory = telling->memory;
    const uint64_t offset = telling->buffer->offset + page * PAGE;
    const bool all =
        (telling->buffer->tell_all & TELL_ALL) ||
        !record_saved_read(memory->files.saved_fd, offset, memory->batch, count * PAGE);
    uint64_t first = count, end = 0;

    for (uint64_t i = 0; i < count; i++) {
        if (!page_changes(telling, page + i, live + i * PAGE, memory->batch + i * PAGE, all))
            continue;
        first = first < count ? first : i;
        end = i + 1;
    }
    if (first < end && !record_saved_write(memory->files.saved_fd, offset + first * PAGE,
                                           memory->batch + first * PAGE, (end - first) * PAGE))
        telling->buffer->tell_all |= TELL_ALL_NEXT;
}

static void told(struct record_buffer *buffer)
{
    buffer->tell_all = buffer->tell_all & TELL_ALL_NEXT ? TELL_ALL : 0;
}

/* Pages of the file's data in [at, end) that lie in the buffer. */
static void data_changes(const struct telling *telling, uint64_t at, uint64_t end)
{
    const uint64_t begin = telling->buffer->offset;
    const uint64_t pages = (end - begin + PAGE - 1) / PAGE;
    const uint8_t *bytes = telling->window->bytes + window_offset(telling->buffer);

    for (uint64_t page = (at - begin) / PAGE; page < pages; page += BATCH_PAGES)
        batch_changes(telling, page, pages - page < BATCH_PAGES ? pages - page : BATCH_PAGES,
                      bytes + page * PAGE);
}

/* The next run of data at or behind `at` and before `end`; false when there is none. */
static bool data_next(const struct record_memory *memory, uint64_t at, uint64_t end, uint64_t *data,
                      uint64_t *data_end)
{
    const off_t found = lseek(memory->files.memory_fd, (off_t)at, SEEK_DATA);
    off_t hole;

    if (found < 0 || (uint64_t)found >= end)
        return false;
    hole = lseek(memory->files.memory_fd, found, SEEK_HOLE);
    *data = (uint64_t)found;
    *data_end = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
    return true;
}

void record_memory_changes(struct record_memory *memory, struct record_buffer *buffer,
                           record_memory_changed *changed, void *context)
{
    const struct telling telling = {memory, window_of(memory, buffer), buffer, changed, context};
    const uint64_t end = buffer->offset + buffer->size_bytes;
    uint64_t at = buffer->offset, data;

    while (telling.window && at < end && data_next(memory, at, end, &data, &at))
        data_changes(&telling, data, at);
    told(buffer);
}

void record_memory_all_changes(struct record_memory *memory, record_memory_changed *changed,
                               void *context)
{
    uint64_t at = 0, data;
    size_t slot = 0;

    while (data_next(memory, at, RECORD_MEMORY_BYTES, &data, &at)) {
        /* The run may hold the pages of several buffers, one behind the other. */
        for (slot = buffer_behind(memory, data);
             slot < memory->table->count && ordered(memory, slot)->offset < at; slot++) {
            struct record_buffer *buffer = ordered(memory, slot);
            const struct telling telling = {memory, window_of(memory, buffer), buffer, changed,
                                            context};
            const uint64_t end = buffer->offset + buffer->size_bytes;

            if (telling.window)
                data_changes(&telling, data > buffer->offset ? data : buffer->offset,
                             at < end ? at : end);
        }
    }
    for (slot = 0; slot < memory->table->count; slot++)
        told(ordered(memory, slot));
}

/* ---- of memory that lies elsewhere ----------------------------------------------------------- */

void record_memory_live_changes(struct record_memory *memory, struct record_buffer *buffer,
                                uint64_t page, uint64_t count, const uint8_t *live,
                                record_memory_changed *changed, void *context)
{
    const struct telling telling = {memory, window_of(memory, buffer), buffer, changed, context};

    assert(count <= RECORD_MEMORY_BATCH_PAGES);
    if (telling.window)
        batch_changes(&telling, page, count, live);
}

void record_memory_told(struct record_buffer *buffer)
{
    told(buffer);
}

bool record_memory_saved_read(const struct record_memory *memory,
                              const struct record_buffer *buffer, uint64_t offset, void *to,
                              uint64_t bytes)
{
    return record_saved_read(memory->files.saved_fd, buffer->offset + offset, to, bytes);
}

void record_memory_save(struct record_memory *memory, struct record_buffer *buffer, uint64_t offset,
                        const void *from, uint64_t bytes)
{
    if (!record_saved_write(memory->files.saved_fd, buffer->offset + offset, from, bytes))
        buffer->tell_all |= TELL_ALL_NEXT;
}

void record_memory_gpu_writes(struct record_memory *memory, const struct record_buffer *buffer,
                              uint64_t offset, uint64_t bytes)
{
    const struct window *window = window_of(memory, buffer);
    const uint64_t at = window_offset(buffer) + offset;

    for (uint64_t page = at / PAGE; window && bytes > 0 && page <= (at + bytes - 1) / PAGE; page++)
        window->flags[page] = 1;
}

uint32_t record_memory_count(const struct record_memory *memory)
{
    return memory->table->count;
}

struct record_buffer *record_memory_ordered(const struct record_memory *memory, uint32_t place)
{
    return ordered(memory, place);
}

/* ---- for the GPU ----------------------------------------------------------------------------- */

struct record_buffer *record_memory_find(const struct record_memory *memory, uint64_t va,
                                         uint64_t bytes)
{
    struct record_buffer *buffer;
    size_t slot;

    if (va < RECORD_MEMORY_VA_BASE)
        return NULL;
    slot = buffer_behind(memory, va - RECORD_MEMORY_VA_BASE);
    if (slot == memory->table->count)
        return NULL;
    buffer = ordered(memory, slot);
    if (va < record_memory_va(buffer) || bytes > record_memory_va(buffer) + buffer->size_bytes - va)
        return NULL;
    return buffer;
}

bool record_memory_gpu_write(struct record_memory *memory, uint64_t va, const void *data,
                             uint32_t bytes)
{
    const struct record_buffer *buffer = record_memory_find(memory, va, bytes);
    const struct window *window = buffer ? window_of(memory, buffer) : NULL;
    uint64_t at;

    if (!window)
        return false;
    at = window_offset(buffer) + (va - record_memory_va(buffer));
    for (uint64_t page = at / PAGE; bytes > 0 && page <= (at + bytes - 1) / PAGE; page++)
        window->flags[page] = 1;
    (void)record_saved_write(memory->files.saved_fd,
                             buffer->offset + (va - record_memory_va(buffer)), data, bytes);
    memcpy(window->bytes + at, data, bytes);
    return true;
}

bool record_memory_read(struct record_memory *memory, uint64_t va, void *data, uint32_t bytes)
{
    const struct record_buffer *buffer = record_memory_find(memory, va, bytes);
    const uint8_t *from = buffer ? record_memory_bytes(memory, buffer) : NULL;

    if (!from)
        return false;
    memcpy(data, from + (va - record_memory_va(buffer)), bytes);
    return true;
}
