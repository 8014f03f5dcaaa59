/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record_memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = RECORD_MEMORY_PAGE_BYTES };

struct record_memory {
    int fd;
    uint64_t cursor; /* where the next buffer goes if there is room */
    /* Sorted by offset. */
    struct record_buffer **buffers;
    size_t count, capacity;
};

struct record_memory *record_memory_new(struct gfe_error *error)
{
    struct record_memory *memory = calloc(1, sizeof *memory);

    if (!memory) {
        error_set_errno(error, ENOMEM, "memory of the stand-in");
        return NULL;
    }
    memory->fd = memfd_create("renderD128", MFD_CLOEXEC);
    if (memory->fd < 0 || ftruncate(memory->fd, (off_t)RECORD_MEMORY_BYTES) != 0) {
        error_set_errno(error, errno, "memory of the stand-in (memfd of %llu bytes)",
                        (unsigned long long)RECORD_MEMORY_BYTES);
        record_memory_free(memory);
        return NULL;
    }
    return memory;
}

static uint64_t buffer_pages(const struct record_buffer *buffer)
{
    return buffer->size_bytes / PAGE;
}

static void buffer_free(struct record_buffer *buffer)
{
    if (!buffer)
        return;
    if (buffer->bytes)
        munmap(buffer->bytes, buffer->size_bytes);
    for (uint64_t i = 0; buffer->saved && i < buffer_pages(buffer); i++)
        free(buffer->saved[i]);
    free(buffer->saved);
    free(buffer->gpu_wrote);
    free(buffer);
}

void record_memory_free(struct record_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->count; i++)
        buffer_free(memory->buffers[i]);
    free(memory->buffers);
    if (memory->fd >= 0)
        close(memory->fd);
    free(memory);
}

int record_memory_fd(const struct record_memory *memory)
{
    return memory->fd;
}

void record_memory_fd_set(struct record_memory *memory, int fd)
{
    memory->fd = fd;
}

uint64_t record_memory_va(const struct record_buffer *buffer)
{
    return RECORD_MEMORY_VA_BASE + buffer->offset;
}

/* ---- where a buffer goes -------------------------------------------------------------------- */

/* Index of the first buffer that ends behind `offset`. */
static size_t buffer_behind(const struct record_memory *memory, uint64_t offset)
{
    size_t low = 0, high = memory->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct record_buffer *buffer = memory->buffers[middle];

        if (buffer->offset + buffer->size_bytes > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first room of that size at or behind `from`; *slot is its place in the sorted list. */
static bool find_room(const struct record_memory *memory, uint64_t from, uint64_t size,
                      uint64_t align, uint64_t *offset, size_t *slot)
{
    uint64_t at = (from + align - 1) & ~(align - 1);

    for (*slot = buffer_behind(memory, at); *slot < memory->count; ++*slot) {
        const struct record_buffer *next = memory->buffers[*slot];

        if (at + size <= next->offset)
            break;
        at = (next->offset + next->size_bytes + align - 1) & ~(align - 1);
    }
    *offset = at;
    return at <= RECORD_MEMORY_BYTES && size <= RECORD_MEMORY_BYTES - at;
}

static bool list_insert(struct record_memory *memory, size_t slot, struct record_buffer *buffer)
{
    if (memory->count == memory->capacity) {
        const size_t capacity = memory->capacity ? 2 * memory->capacity : 64;
        struct record_buffer **grown = realloc(memory->buffers, capacity * sizeof *grown);

        if (!grown)
            return false;
        memory->buffers = grown;
        memory->capacity = capacity;
    }
    memmove(memory->buffers + slot + 1, memory->buffers + slot,
            (memory->count - slot) * sizeof *memory->buffers);
    memory->buffers[slot] = buffer;
    memory->count++;
    return true;
}

static struct record_buffer *buffer_new(const struct record_memory *memory, uint64_t offset,
                                        uint64_t size)
{
    struct record_buffer *buffer = calloc(1, sizeof *buffer);
    void *bytes;

    if (!buffer)
        return NULL;
    buffer->offset = offset;
    buffer->size_bytes = size;
    buffer->saved = calloc(size / PAGE, sizeof *buffer->saved);
    buffer->gpu_wrote = calloc(size / PAGE, 1);
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, (off_t)offset);
    if (bytes != MAP_FAILED)
        buffer->bytes = bytes;
    if (buffer->saved && buffer->gpu_wrote && buffer->bytes)
        return buffer;
    buffer_free(buffer);
    return NULL;
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
    struct record_buffer *buffer;
    uint64_t offset;
    size_t slot;

    if (size_bytes == 0 || size_bytes > RECORD_MEMORY_BYTES)
        return NULL;
    if (!find_room(memory, memory->cursor, size, align, &offset, &slot) &&
        !find_room(memory, 0, size, align, &offset, &slot))
        return NULL;
    buffer = buffer_new(memory, offset, size);
    if (!buffer || !list_insert(memory, slot, buffer)) {
        buffer_free(buffer);
        return NULL;
    }
    memory->cursor = offset + size;
    return buffer;
}

void record_memory_remove(struct record_memory *memory, struct record_buffer *buffer)
{
    const size_t slot = buffer_behind(memory, buffer->offset);

    assert(slot < memory->count && memory->buffers[slot] == buffer);
    memory->count--;
    memmove(memory->buffers + slot, memory->buffers + slot + 1,
            (memory->count - slot) * sizeof *memory->buffers);
    /* A failure leaves old contents where a new buffer promises zeros, but only after 1 TiB. */
    (void)fallocate(memory->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)buffer->offset,
                    (off_t)buffer->size_bytes);
    buffer_free(buffer);
}

/* ---- what the CPU changed ------------------------------------------------------------------- */

/* Bytes of the run of changed dwords at `start`, joined over gaps shorter than `join`. */
static uint32_t run_bytes(const uint8_t *now, const uint8_t *before, uint32_t start, uint32_t join)
{
    uint32_t end = start + 4;

    for (uint32_t at = end; at < PAGE && at - end < join; at += 4)
        if (memcmp(now + at, before + at, 4) != 0)
            end = at + 4;
    return end - start;
}

static void page_changes(struct record_buffer *buffer, uint64_t page,
                         record_memory_changed *changed, void *context)
{
    static const uint8_t zeros[PAGE];
    const uint32_t join = buffer->gpu_wrote[page] ? 1 : RECORD_MEMORY_JOIN_BYTES;
    const uint8_t *before = buffer->saved[page] ? buffer->saved[page] : zeros;
    uint8_t now[PAGE];

    /* Most pages are as they were: these are only read. */
    if (memcmp(buffer->bytes + page * PAGE, before, PAGE) == 0)
        return;
    /* One copy, so that another thread's writes fall wholly into this telling or the next. */
    memcpy(now, buffer->bytes + page * PAGE, PAGE);
    if (memcmp(now, before, PAGE) == 0)
        return;
    for (uint32_t at = 0; at < PAGE;) {
        uint32_t bytes = 4;

        if (memcmp(now + at, before + at, 4) != 0) {
            bytes = run_bytes(now, before, at, join);
            changed(context, buffer, record_memory_va(buffer) + page * PAGE + at, now + at, bytes);
        }
        at += bytes;
    }
    if (!buffer->saved[page])
        buffer->saved[page] = malloc(PAGE);
    /* Without memory for the copy the page is told again next time: more than needed, not less. */
    if (buffer->saved[page])
        memcpy(buffer->saved[page], now, PAGE);
}

/* Pages of the file's data in [at, end) that lie in the buffer. */
static void data_changes(struct record_buffer *buffer, uint64_t at, uint64_t end,
                         record_memory_changed *changed, void *context)
{
    for (uint64_t page = (at - buffer->offset) / PAGE;
         page < (end - buffer->offset + PAGE - 1) / PAGE; page++)
        page_changes(buffer, page, changed, context);
}

/* The next run of data at or behind `at` and before `end`; false when there is none. */
static bool data_next(const struct record_memory *memory, uint64_t at, uint64_t end, uint64_t *data,
                      uint64_t *data_end)
{
    const off_t found = lseek(memory->fd, (off_t)at, SEEK_DATA);
    off_t hole;

    if (found < 0 || (uint64_t)found >= end)
        return false;
    hole = lseek(memory->fd, found, SEEK_HOLE);
    *data = (uint64_t)found;
    *data_end = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
    return true;
}

void record_memory_changes(struct record_memory *memory, struct record_buffer *buffer,
                           record_memory_changed *changed, void *context)
{
    const uint64_t end = buffer->offset + buffer->size_bytes;
    uint64_t at = buffer->offset, data;

    while (at < end && data_next(memory, at, end, &data, &at))
        data_changes(buffer, data, at, changed, context);
}

void record_memory_all_changes(struct record_memory *memory, record_memory_changed *changed,
                               void *context)
{
    uint64_t at = 0, data;
    size_t slot = 0;

    while (data_next(memory, at, RECORD_MEMORY_BYTES, &data, &at)) {
        /* The run may hold the pages of several buffers, one behind the other. */
        for (slot = buffer_behind(memory, data);
             slot < memory->count && memory->buffers[slot]->offset < at; slot++) {
            struct record_buffer *buffer = memory->buffers[slot];
            const uint64_t end = buffer->offset + buffer->size_bytes;

            data_changes(buffer, data > buffer->offset ? data : buffer->offset, at < end ? at : end,
                         changed, context);
        }
    }
}

/* ---- for the GPU ---------------------------------------------------------------------------- */

static struct record_buffer *buffer_of(const struct record_memory *memory, uint64_t va,
                                       uint32_t bytes)
{
    struct record_buffer *buffer;
    size_t slot;

    if (va < RECORD_MEMORY_VA_BASE)
        return NULL;
    slot = buffer_behind(memory, va - RECORD_MEMORY_VA_BASE);
    if (slot == memory->count)
        return NULL;
    buffer = memory->buffers[slot];
    if (va < record_memory_va(buffer) || bytes > record_memory_va(buffer) + buffer->size_bytes - va)
        return NULL;
    return buffer;
}

/* The saved copy of one page follows a write for the GPU. */
static void saved_follow(struct record_buffer *buffer, uint64_t at, const uint8_t *data,
                         uint32_t bytes)
{
    const uint64_t page = at / PAGE;

    buffer->gpu_wrote[page] = 1;
    if (!buffer->saved[page])
        buffer->saved[page] = calloc(1, PAGE);
    if (buffer->saved[page])
        memcpy(buffer->saved[page] + at % PAGE, data, bytes);
}

bool record_memory_gpu_write(struct record_memory *memory, uint64_t va, const void *data,
                             uint32_t bytes)
{
    struct record_buffer *buffer = buffer_of(memory, va, bytes);
    const uint8_t *from = data;

    if (!buffer)
        return false;
    for (uint64_t at = va - record_memory_va(buffer); bytes > 0;) {
        const uint64_t room = PAGE - at % PAGE;
        const uint32_t part = bytes < room ? bytes : (uint32_t)room;

        saved_follow(buffer, at, from, part);
        memcpy(buffer->bytes + at, from, part);
        at += part;
        from += part;
        bytes -= part;
    }
    return true;
}

bool record_memory_read(struct record_memory *memory, uint64_t va, void *data, uint32_t bytes)
{
    const struct record_buffer *buffer = buffer_of(memory, va, bytes);

    if (!buffer)
        return false;
    memcpy(data, buffer->bytes + (va - record_memory_va(buffer)), bytes);
    return true;
}
