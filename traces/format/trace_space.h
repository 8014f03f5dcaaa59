/* SPDX-License-Identifier: MIT */
/*
 * The contents of a trace's address spaces, by virtual address, for commands that read a trace
 * without emulating anything.
 *
 * The unit takes the records in their order.  So it knows at each submission the place of each
 * buffer, and the bytes that the CPU had written by then.  Bytes that were never written are 0.  A
 * range that is unmapped and mapped anew keeps its old bytes: the trace has all writes of the CPU,
 * and the other contents are undefined.  Mappings of VM_BIND show the memory objects of
 * TRACE_AS_OBJECTS at once; only the emulation models the kernel's delay.  Virtual addresses have
 * 49 bits: the most that a class of the modelled chips can name (clc1b5.h, OFFSET_OUT_UPPER 16:0).
 */
#ifndef GFE_TRACES_FORMAT_TRACE_SPACE_H
#define GFE_TRACES_FORMAT_TRACE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "emu/engine/memory.h"
#include "traces/format/trace.h"

#define TRACE_SPACE_VA_BYTES ((uint64_t)1 << 49)

#define TRACE_SPACES_BYTES (UINT64_C(8) << 30)

enum {
    TRACE_SPACES_MAX = 4096,
    TRACE_SPACE_MAPS_MAX = 1 << 20,
};

/* A range that shows memory objects. */
struct trace_space_bind {
    uint64_t va, size_bytes, object_va;
};

struct trace_space {
    uint32_t as_id;
    uint64_t kernel_va;             /* beginning of the kernel's own part, from VM_INIT */
    struct trace_space_bind *binds; /* sorted, never overlapping */
    uint32_t bind_count;
    struct memory memory; /* aperture VRAM, addressed by virtual address */
    struct trace_spaces *spaces;
};

struct trace_space_map {
    uint32_t as_id, handle;
    uint64_t va, size_bytes, object_offset;
};

struct trace_spaces {     /* zero it first, except limit_bytes; do not move it */
    uint64_t limit_bytes; /* of the host's memory, for all spaces; 0 = TRACE_SPACES_BYTES */
    uint64_t page_count;  /* written, in all spaces */
    struct trace_space **spaces;
    struct trace_space_map *maps;
    uint32_t space_count, map_count;
};

void trace_spaces_fini(struct trace_spaces *spaces);

/* Returns the space of that number, made at first use and valid until trace_spaces_fini().  Returns
 * NULL with an error at a limit. */
struct trace_space *trace_space(struct trace_spaces *spaces, uint32_t as_id,
                                struct gfe_error *error);

/* Applies a record.  AS_MAP, AS_UNMAP, VM_INIT, VM_BIND and MEM have an effect, other records none.
 * Returns false with an error if the record is invalid or a limit is reached. */
bool trace_spaces_record(struct trace_spaces *spaces, const struct trace_record *record,
                         struct gfe_error *error);

/* Finds the address of a push entry in that space.  Returns false if its buffer is not mapped
 * there.
 */
bool trace_spaces_push_va(const struct trace_spaces *spaces, uint32_t as_id,
                          const struct trace_push *push, uint64_t *va);

/* Reads bytes.  Returns false, and does nothing, outside the 49 bits. */
bool trace_space_read(const struct trace_space *space, uint64_t va, void *data, size_t bytes);
/* Writes bytes.  Returns false with an error outside the 49 bits, or if the host's memory is used
 * up.
 */
bool trace_space_write(struct trace_space *space, uint64_t va, const void *data, size_t bytes,
                       struct gfe_error *error);

#endif
