/* SPDX-License-Identifier: MIT */
/*
 * The memory of the GPU that the stand-in plays: one sparse file without a name (memfd), which is
 * also what the program gets for the device node.
 *
 * A buffer object is a page range of the file.  Its offset there is what nouveau calls map_handle,
 * so the program's mmap(2) of the node needs no help; its GPU virtual address is that offset plus
 * RECORD_MEMORY_VA_BASE.  Addresses are handed out in rising order and are taken again only after
 * the end of the 40-bit space was reached: a mapping that outlives its buffer object then seldom
 * meets a new one.  (That is the stand-in's choice, not nouveau's.)
 *
 * What the CPU wrote is found by comparing pages with saved copies, with the file's holes passed
 * over.  A change is told as runs of dwords.  Runs less than RECORD_MEMORY_JOIN_BYTES apart are
 * told as one, except in pages in which the stand-in wrote for the GPU: there the run ends exactly
 * where the change ends, so that no completion value is taken for the CPU's.
 *
 * Not found: a CPU write of the value that was there before.
 */
#ifndef GFE_TRACES_RECORD_MEMORY_H
#define GFE_TRACES_RECORD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/error.h"

#define RECORD_MEMORY_VA_BASE (1ull << 32)
#define RECORD_MEMORY_BYTES   ((1ull << 40) - RECORD_MEMORY_VA_BASE)

enum { RECORD_MEMORY_PAGE_BYTES = 4096, RECORD_MEMORY_JOIN_BYTES = 64 };

struct record_memory;

/* One buffer object.  The members are for reading. */
struct record_buffer {
    uint64_t offset;     /* in the file */
    uint64_t size_bytes; /* whole pages */
    uint8_t *bytes;      /* the stand-in's own mapping */
    uint8_t **saved;     /* per page: as last told, or NULL for zeros */
    uint8_t *gpu_wrote;  /* per page */
    uint32_t as_id;      /* the caller's: in which address space MEM names it */
};

/* An empty file in memory (memfd); NULL with a message. */
struct record_memory *record_memory_new(struct gfe_error *error);
void record_memory_free(struct record_memory *memory);
/* The file; owned by `memory`. */
int record_memory_fd(const struct record_memory *memory);
/* Another descriptor of the same file takes its place; the old one is the caller's to close. */
void record_memory_fd_set(struct record_memory *memory, int fd);

/* Sizes are rounded up to pages, `align_bytes` to a power of two of at least a page.  NULL when
 * there is no room or no memory.  The contents are zeros. */
struct record_buffer *record_memory_add(struct record_memory *memory, uint64_t size_bytes,
                                        uint64_t align_bytes);
/* Gives the pages back and frees `buffer`. */
void record_memory_remove(struct record_memory *memory, struct record_buffer *buffer);

/* Where the GPU sees it, bytes. */
uint64_t record_memory_va(const struct record_buffer *buffer);

/* Called for each changed run, in rising order; `data` is valid during the call. */
typedef void record_memory_changed(void *context, const struct record_buffer *buffer, uint64_t va,
                                   const uint8_t *data, uint32_t bytes);
/* Tells what the CPU changed since the last call, and takes it as told. */
void record_memory_changes(struct record_memory *memory, struct record_buffer *buffer,
                           record_memory_changed *changed, void *context);
/* The same of all buffers: what holds no page costs nothing. */
void record_memory_all_changes(struct record_memory *memory, record_memory_changed *changed,
                               void *context);

/* A write for the GPU.  False when the range is in no buffer.  The saved copy follows, so that it
 * is never told as a change. */
bool record_memory_gpu_write(struct record_memory *memory, uint64_t va, const void *data,
                             uint32_t bytes);
/* Reads dwords at `va`, for reductions.  False as above. */
bool record_memory_read(struct record_memory *memory, uint64_t va, void *data, uint32_t bytes);

#endif
