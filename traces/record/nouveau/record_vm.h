/* SPDX-License-Identifier: MIT */
/*
 * The part of an address space that a client of nouveau manages itself (VM_INIT).  It maps virtual
 * addresses to bytes of memory objects.
 *
 * The rules are those of the kernel's GPU VA manager (drm_gpuvm.c, nouveau_uvmm.c).  A MAP replaces
 * the mappings that it overlaps, and an UNMAP cuts a mapping into up to two pieces.  A sparse
 * region is a range that the GPU may touch though nothing is mapped there.  A mapping lies wholly
 * inside a sparse region or wholly outside of all.  A list of operations is carried out as a whole
 * or not at all.
 *
 * Not modelled: the kernel's own part of the space (nothing can be bound there, nothing is found
 * there), page kinds (they are recorded, not kept).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_VM_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/record/record_memory.h"

struct record_vm;

struct record_vm_op {
    enum record_vm_kind {
        RECORD_VM_MAP,
        RECORD_VM_UNMAP,
        RECORD_VM_MAP_SPARSE,
        RECORD_VM_UNMAP_SPARSE
    } kind;
    uint64_t va, size_bytes;
    struct record_buffer *buffer; /* of a MAP; borrowed while it is mapped */
    uint64_t offset;              /* into it, bytes */
};

/* Makes an empty space.  The kernel keeps [kernel_va, kernel_va + kernel_bytes) of the 47-bit space
 * for itself.  Returns NULL if memory is short. */
struct record_vm *record_vm_new(uint64_t kernel_va, uint64_t kernel_bytes);
void record_vm_free(struct record_vm *vm);

/* Carries out a list of operations.  Returns 0 or, with nothing done, a negative errno: -EINVAL
 * (not whole pages, outside the client's part, beyond the end of the memory object, or where this
 * list ends a sparse region), -ENOSPC (it would cross the border of a sparse region, or a sparse
 * region would overlap something), -ENOENT (no sparse region of exactly that range), -ENOMEM. */
int record_vm_bind(struct record_vm *vm, const struct record_vm_op *ops, uint32_t count);

/* The memory at a virtual address. */
struct record_vm_place {
    struct record_buffer *buffer; /* NULL: sparse, reads as zeros and drops writes */
    uint64_t offset;
    uint64_t size_bytes; /* up to the end of the mapping */
};
/* Finds the memory at a virtual address.  Returns false if nothing is mapped there. */
bool record_vm_find(const struct record_vm *vm, uint64_t va, struct record_vm_place *place);
/* Returns true if the buffer is mapped. */
bool record_vm_shows(const struct record_vm *vm, const struct record_buffer *buffer);

#endif
