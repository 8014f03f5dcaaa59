/* SPDX-License-Identifier: MIT */
/*
 * The memory of a recording as the importer of .nvt tracks it: the buffers that are alive, and the
 * bytes that PAGES and GPUWRITE put into them.  Private to import_nvt.c.
 */
#ifndef GFE_TRACES_IMPORT_IMPORT_NVT_MEMORY_H
#define GFE_TRACES_IMPORT_IMPORT_NVT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NVT_PAGE_BYTES = 4096,
    NVT_BOS_MAX = 1 << 16, /* alive at a time */
};
#define NVT_BO_MAX_BYTES ((uint64_t)64 << 30)

struct nvt_page;

struct nvt_bo {
    uint32_t handle;
    uint64_t va, size_bytes;
    struct nvt_page **pages; /* by page number; NULL for a page that was never written */
};

struct nvt_memory { /* zero it first */
    struct nvt_bo *bos;
    uint32_t bo_count, bo_capacity;
};

/* Adds a buffer.  Returns NULL, or a text that says what is wrong. */
const char *nvt_memory_add(struct nvt_memory *memory, uint32_t handle, uint64_t va,
                           uint64_t size_bytes);
void nvt_memory_remove(struct nvt_memory *memory, uint32_t handle);
/* Returns the buffer of a handle, valid until the next add or remove; NULL if there is none. */
struct nvt_bo *nvt_memory_bo(const struct nvt_memory *memory, uint32_t handle);
/* Returns the buffer that holds the whole range, or NULL. */
struct nvt_bo *nvt_memory_bo_at(const struct nvt_memory *memory, uint64_t va, uint64_t length);

struct nvt_run {
    uint32_t first, length; /* bytes of the data at hand */
};
/* Finds the next run of bytes after *run that the CPU wrote: all bytes except those that the GPU
 * wrote last and that are unchanged.  Returns false if there is none. */
bool nvt_memory_cpu_run(const struct nvt_bo *bo, uint64_t offset, const uint8_t *data,
                        uint32_t length, struct nvt_run *run);

enum nvt_writer { NVT_CPU, NVT_GPU };
/* Stores bytes that the CPU or the GPU wrote; the range lies in `bo`.  Returns false if memory is
 * short. */
bool nvt_memory_write(struct nvt_bo *bo, uint64_t offset, const uint8_t *data, uint32_t length,
                      enum nvt_writer who);
/* Returns true if the buffer holds these bytes there.  Bytes that were never written are zero. */
bool nvt_memory_equals(const struct nvt_bo *bo, uint64_t offset, const uint8_t *data,
                       uint32_t length);
void nvt_memory_free(struct nvt_memory *memory);

#endif
