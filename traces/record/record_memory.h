/* SPDX-License-Identifier: MIT */
/*
 * The memory of the GPU that the stand-in plays: one sparse file without a name (memfd), which the
 * program also gets for the device node.  All processes of a recording have the same file, and the
 * same table of its buffers (struct record_memory_table, in shared memory).
 *
 * A buffer object is a page range of the file.  Its offset there is what nouveau calls map_handle,
 * so the program's mmap(2) of the node needs no help; its GPU virtual address is that offset plus
 * RECORD_MEMORY_VA_BASE.  Addresses are handed out in rising order and are taken again only after
 * the end of the 40-bit space was reached: a mapping that outlives its buffer object then seldom
 * meets a new one.  (That is the stand-in's choice, not nouveau's.)
 *
 * Writes of the CPU are found by comparing pages with saved copies; the file's holes are skipped.
 * The saved copies are the contents that any process last reported.  The copies are in a second
 * file without a name, each at the offset of its page: a hole there stands for zeros.  That file
 * lies on disk, in the recording's directory, and is read and written, not mapped.  So the
 * recorder's own memory does not grow with the program's, and a full disk is an error and no
 * signal.  A page whose copy cannot be read or written is reported whole.
 *
 * A change is reported as runs of dwords.  Runs less than RECORD_MEMORY_JOIN_BYTES apart are
 * joined, except in pages in which the stand-in wrote for the GPU.  (The file has a byte for each
 * page after the GPU's memory.)  In such a page a run ends exactly where the change ends, so that
 * no completion value is taken for the CPU's.
 *
 * The GPU's memory is mapped in windows, so no buffer lies across the end of one.  Not found: a CPU
 * write of the value that was there before.
 */
#ifndef GFE_TRACES_RECORD_RECORD_MEMORY_H
#define GFE_TRACES_RECORD_RECORD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

#define RECORD_MEMORY_VA_BASE (1ull << 32)
#define RECORD_MEMORY_BYTES   ((1ull << 40) - RECORD_MEMORY_VA_BASE)

/* The size of a mapping, and of the largest buffer. */
#define RECORD_MEMORY_WINDOW_BYTES (1ull << 34)

enum {
    RECORD_MEMORY_PAGE_BYTES = 4096,
    RECORD_MEMORY_JOIN_BYTES = 64,
    RECORD_MEMORY_BUFFERS_MAX = 1 << 18,
    RECORD_MEMORY_BATCH_PAGES = 16,
};

/* The file holds the GPU's memory, whole windows; then one byte for each page, which is set when
 * the stand-in wrote there for the GPU. */
enum {
    RECORD_MEMORY_WINDOWS =
        (RECORD_MEMORY_BYTES + RECORD_MEMORY_WINDOW_BYTES - 1) / RECORD_MEMORY_WINDOW_BYTES,
    RECORD_MEMORY_WINDOW_FLAGS = RECORD_MEMORY_WINDOW_BYTES / RECORD_MEMORY_PAGE_BYTES,
};
#define RECORD_MEMORY_FLAGS_OFFSET (RECORD_MEMORY_WINDOWS * RECORD_MEMORY_WINDOW_BYTES)

/* One buffer object.  The members are for reading. */
struct record_buffer {
    uint64_t offset;     /* in the file */
    uint64_t size_bytes; /* whole pages; 0: the place in the table is free */
    uint32_t tell_all;   /* the last report may be lost: report all pages the next time */
    uint32_t as_id;      /* set by the caller: the address space in which MEM names it */
};

/* The table of buffers that all processes share.  A table of all zeros is empty.  A process that
 * uses it holds a lock. */
struct record_memory_table {
    uint64_t cursor; /* the offset of the next buffer if there is room */
    uint32_t count;
    uint32_t free_hint;                        /* no place below it in `buffers` is free */
    uint32_t order[RECORD_MEMORY_BUFFERS_MAX]; /* places of the `count` buffers by offset */
    struct record_buffer buffers[RECORD_MEMORY_BUFFERS_MAX];
};

/* The two files, as this process has them open, and that of the state (record_state_file.h), which
 * the memory does not use. */
struct record_memory_files {
    int memory_fd, saved_fd, state_fd;
};

struct record_memory;

/* Makes the two files, that of the saved copies in `directory`.  Returns false with a message on
 * error. */
bool record_memory_files_make(struct record_memory_files *files, const char *directory,
                              struct gfe_error *error);

/* Makes the view of the memory that this process uses.  Borrows both.  Returns NULL with a message
 * on error. */
struct record_memory *record_memory_attach(struct record_memory_table *table,
                                           const struct record_memory_files *files,
                                           struct gfe_error *error);
/* Makes a memory with files (in $TMPDIR or /tmp) and a table of its own.  Returns NULL with a
 * message on error. */
struct record_memory *record_memory_new(struct gfe_error *error);
void record_memory_free(struct record_memory *memory);
/* Returns the file that is the node; borrowed. */
int record_memory_fd(const struct record_memory *memory);
/* Replaces the descriptors by others of the same files. */
void record_memory_set_files(struct record_memory *memory, const struct record_memory_files *files);
/* Repairs the table after a process died while it changed the table. */
void record_memory_repair(struct record_memory *memory);

/* Adds a buffer whose contents are zeros.  The size is rounded up to pages, `align_bytes` to a
 * power of two of at least a page.  Returns NULL if there is no room or no memory. */
struct record_buffer *record_memory_add(struct record_memory *memory, uint64_t size_bytes,
                                        uint64_t align_bytes);
/* Gives the pages back and frees `buffer`. */
void record_memory_remove(struct record_memory *memory, struct record_buffer *buffer);

/* Return the number of a buffer, below RECORD_MEMORY_BUFFERS_MAX, and the buffer of a number. */
uint32_t record_memory_number(const struct record_memory *memory,
                              const struct record_buffer *buffer);
struct record_buffer *record_memory_at(const struct record_memory *memory, uint32_t number);
/* Returns this process's mapping of a buffer; NULL if there is no address space for it. */
uint8_t *record_memory_bytes(struct record_memory *memory, const struct record_buffer *buffer);

/* Returns the buffer's GPU virtual address. */
uint64_t record_memory_va(const struct record_buffer *buffer);

/* Called for each changed run, in rising order; `data` is valid during the call. */
typedef void record_memory_changed(void *context, const struct record_buffer *buffer, uint64_t va,
                                   const uint8_t *data, uint32_t bytes);
/* Reports the bytes that the CPU changed since the last call, and saves them as reported. */
void record_memory_changes(struct record_memory *memory, struct record_buffer *buffer,
                           record_memory_changed *changed, void *context);

/* Does the same for all buffers, in the order of their offsets. */
void record_memory_all_changes(struct record_memory *memory, record_memory_changed *changed,
                               void *context);

/* ---- above a real driver: the contents lie elsewhere, the saved copies here (record_pass.h) ---
 */

/* Reports the changes in `count` pages (at most RECORD_MEMORY_BATCH_PAGES) from `page` of the
 * buffer on, whose contents are now `live`.  Call record_memory_told() after the last pages of a
 * buffer. */
void record_memory_live_changes(struct record_memory *memory, struct record_buffer *buffer,
                                uint64_t page, uint64_t count, const uint8_t *live,
                                record_memory_changed *changed, void *context);
void record_memory_told(struct record_buffer *buffer);
/* Reads the last reported contents of bytes of the buffer.  Returns false if the copy cannot be
 * read.
 */
bool record_memory_saved_read(const struct record_memory *memory,
                              const struct record_buffer *buffer, uint64_t offset, void *to,
                              uint64_t bytes);
/* Saves bytes as reported. */
void record_memory_save(struct record_memory *memory, struct record_buffer *buffer, uint64_t offset,
                        const void *from, uint64_t bytes);
/* Notes that the GPU writes there.  Changes of these pages are then reported without joining runs.
 */
void record_memory_gpu_writes(struct record_memory *memory, const struct record_buffer *buffer,
                              uint64_t offset, uint64_t bytes);
/* Return how many buffers there are, and the buffer at a place in the order of their offsets. */
uint32_t record_memory_count(const struct record_memory *memory);
struct record_buffer *record_memory_ordered(const struct record_memory *memory, uint32_t place);

/* Writes for the GPU.  Returns false if the range is in no buffer.  The saved copy is updated, so
 * that the write is never reported as a change. */
bool record_memory_gpu_write(struct record_memory *memory, uint64_t va, const void *data,
                             uint32_t bytes);
/* Reads dwords at `va`, for reductions.  Returns false if the range is in no buffer. */
bool record_memory_read(struct record_memory *memory, uint64_t va, void *data, uint32_t bytes);
/* Returns the buffer in which [va, va + bytes) lies, or NULL. */
struct record_buffer *record_memory_find(const struct record_memory *memory, uint64_t va,
                                         uint64_t bytes);

#endif
