/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/record/nouveau/record_uapi.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES };

/* A mapping, or a sparse region: then there is no buffer. */
struct vm_range {
    uint64_t va, size_bytes;
    struct record_buffer *buffer;
    uint64_t offset;
    bool ending; /* a sparse region that the list of operations ends */
};

/* Sorted by address, never overlapping. */
struct vm_ranges {
    struct vm_range *range;
    size_t count, capacity;
};

struct record_vm {
    uint64_t kernel_va, kernel_bytes;
    struct vm_ranges mappings, regions;
};

struct record_vm *record_vm_new(uint64_t kernel_va, uint64_t kernel_bytes)
{
    struct record_vm *vm = calloc(1, sizeof *vm);

    if (!vm)
        return NULL;
    vm->kernel_va = kernel_va;
    vm->kernel_bytes = kernel_bytes;
    return vm;
}

void record_vm_free(struct record_vm *vm)
{
    if (!vm)
        return;
    free(vm->mappings.range);
    free(vm->regions.range);
    free(vm);
}

/* ---- sorted ranges --------------------------------------------------------------------------- */

static uint64_t range_end(const struct vm_range *range)
{
    return range->va + range->size_bytes;
}

/* Index of the first range that ends behind `va`. */
static size_t ranges_from(const struct vm_ranges *ranges, uint64_t va)
{
    size_t low = 0, high = ranges->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (range_end(&ranges->range[middle]) > va)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first that overlaps [va, va + bytes), or NULL. */
static struct vm_range *ranges_first(const struct vm_ranges *ranges, uint64_t va, uint64_t bytes)
{
    const size_t at = ranges_from(ranges, va);

    return at < ranges->count && ranges->range[at].va < va + bytes ? &ranges->range[at] : NULL;
}

/* Room for `more` ranges, so that what follows cannot fail. */
static bool ranges_reserve(struct vm_ranges *ranges, size_t more)
{
    size_t capacity = ranges->capacity ? ranges->capacity : 64;
    struct vm_range *grown;

    while (capacity < ranges->count + more)
        capacity *= 2;
    if (capacity == ranges->capacity)
        return true;
    grown = realloc(ranges->range, capacity * sizeof *grown);
    if (!grown)
        return false;
    ranges->range = grown;
    ranges->capacity = capacity;
    return true;
}

static void ranges_insert(struct vm_ranges *ranges, size_t at, struct vm_range range)
{
    memmove(ranges->range + at + 1, ranges->range + at,
            (ranges->count - at) * sizeof *ranges->range);
    ranges->range[at] = range;
    ranges->count++;
}

static void ranges_remove(struct vm_ranges *ranges, size_t at)
{
    ranges->count--;
    memmove(ranges->range + at, ranges->range + at + 1,
            (ranges->count - at) * sizeof *ranges->range);
}

/* What of `range` lies at and behind `va`. */
static struct vm_range range_tail(struct vm_range range, uint64_t va)
{
    const uint64_t cut = va - range.va;

    range.va = va;
    range.size_bytes -= cut;
    range.offset += cut;
    return range;
}

/* Takes [va, va + bytes) out.  There is room for one more. */
static void ranges_cut(struct vm_ranges *ranges, uint64_t va, uint64_t bytes)
{
    const uint64_t end = va + bytes;
    size_t at = ranges_from(ranges, va);

    while (at < ranges->count && ranges->range[at].va < end) {
        const struct vm_range old = ranges->range[at];

        if (old.va < va) {
            ranges->range[at++].size_bytes = va - old.va;
            if (range_end(&old) > end)
                ranges_insert(ranges, at, range_tail(old, end));
        } else if (range_end(&old) > end) {
            ranges->range[at] = range_tail(old, end);
        } else {
            ranges_remove(ranges, at);
        }
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static int op_check(const struct record_vm *vm, const struct record_vm_op *op)
{
    const uint64_t kernel_end = vm->kernel_va + vm->kernel_bytes;

    if (op->kind == RECORD_VM_MAP &&
        (op->offset % PAGE != 0 || op->offset >= op->buffer->size_bytes ||
         op->size_bytes > op->buffer->size_bytes - op->offset))
        return -EINVAL;
    if (op->va % PAGE != 0 || op->size_bytes % PAGE != 0 || op->size_bytes == 0 ||
        op->va >= UAPI_VA_BYTES || op->size_bytes > UAPI_VA_BYTES - op->va)
        return -EINVAL;
    if (op->va < kernel_end && op->va + op->size_bytes > vm->kernel_va)
        return -EINVAL;
    return 0;
}

/* Neither a mapping nor a sparse region crosses the border of a sparse region. */
static int region_check(const struct record_vm *vm, const struct record_vm_op *op)
{
    const struct vm_range *region = ranges_first(&vm->regions, op->va, op->size_bytes);

    if (!region || op->kind == RECORD_VM_UNMAP || op->kind == RECORD_VM_UNMAP_SPARSE)
        return 0;
    if (op->kind == RECORD_VM_MAP_SPARSE || region->va > op->va ||
        range_end(region) < op->va + op->size_bytes)
        return -ENOSPC;
    return 0;
}

static int op_unmap_sparse(struct record_vm *vm, const struct record_vm_op *op)
{
    struct vm_range *region = ranges_first(&vm->regions, op->va, op->size_bytes);

    if (!region || region->va != op->va || region->size_bytes != op->size_bytes || region->ending)
        return -ENOENT;
    ranges_cut(&vm->mappings, op->va, op->size_bytes);
    region->ending = true;
    return 0;
}

static int op_apply(struct record_vm *vm, const struct record_vm_op *op)
{
    const struct vm_range range = {op->va, op->size_bytes, op->buffer, op->offset, false};
    const struct vm_range *region;
    int result;

    if (!ranges_reserve(&vm->mappings, 2) || !ranges_reserve(&vm->regions, 1))
        return -ENOMEM;
    region = ranges_first(&vm->regions, op->va, op->size_bytes);
    result = region_check(vm, op);
    switch (op->kind) {
    case RECORD_VM_MAP:
        if (region && region->ending)
            return -EINVAL;
        if (result != 0)
            return result;
        ranges_cut(&vm->mappings, op->va, op->size_bytes);
        ranges_insert(&vm->mappings, ranges_from(&vm->mappings, op->va), range);
        return 0;
    case RECORD_VM_UNMAP:
        ranges_cut(&vm->mappings, op->va, op->size_bytes);
        return 0;
    case RECORD_VM_MAP_SPARSE:
        if (result != 0 || ranges_first(&vm->mappings, op->va, op->size_bytes))
            return -ENOSPC;
        ranges_insert(&vm->regions, ranges_from(&vm->regions, op->va),
                      (struct vm_range){.va = op->va, .size_bytes = op->size_bytes});
        return 0;
    case RECORD_VM_UNMAP_SPARSE:
        return op_unmap_sparse(vm, op);
    }
    return -EINVAL;
}

/* A copy to go back to; false: no memory. */
static bool ranges_copy(struct vm_ranges *to, const struct vm_ranges *from)
{
    *to = (struct vm_ranges){0};
    if (!ranges_reserve(to, from->count + 1))
        return false;
    if (from->count > 0)
        memcpy(to->range, from->range, from->count * sizeof *from->range);
    to->count = from->count;
    return true;
}

static void ranges_take(struct vm_ranges *to, struct vm_ranges *from)
{
    free(to->range);
    *to = *from;
    *from = (struct vm_ranges){0};
}

static void regions_end(struct record_vm *vm)
{
    for (size_t i = vm->regions.count; i-- > 0;)
        if (vm->regions.range[i].ending)
            ranges_remove(&vm->regions, i);
}

/* The kernel looks at all operations before it begins, and again at each when its turn comes. */
int record_vm_bind(struct record_vm *vm, const struct record_vm_op *ops, uint32_t count)
{
    struct vm_ranges mappings = {0}, regions = {0};
    int result = 0;

    for (uint32_t i = 0; i < count && result == 0; i++)
        result = op_check(vm, &ops[i]);
    for (uint32_t i = 0; i < count && result == 0; i++)
        result = region_check(vm, &ops[i]);
    /* A single operation does nothing when it fails. */
    if (result == 0 && count > 1 &&
        !(ranges_copy(&mappings, &vm->mappings) && ranges_copy(&regions, &vm->regions)))
        result = -ENOMEM;
    for (uint32_t i = 0; i < count && result == 0; i++) {
        result = op_apply(vm, &ops[i]);
        if (result != 0 && count > 1) {
            ranges_take(&vm->mappings, &mappings);
            ranges_take(&vm->regions, &regions);
        }
    }
    if (result == 0)
        regions_end(vm);
    free(mappings.range);
    free(regions.range);
    return result;
}

/* ---- looking --------------------------------------------------------------------------------- */

bool record_vm_find(const struct record_vm *vm, uint64_t va, struct record_vm_place *place)
{
    const struct vm_range *found = ranges_first(&vm->mappings, va, 1);

    if (!found)
        found = ranges_first(&vm->regions, va, 1);
    if (!found)
        return false;
    *place = (struct record_vm_place){
        .buffer = found->buffer,
        .offset = found->offset + (va - found->va),
        .size_bytes = range_end(found) - va,
    };
    if (!found->buffer) { /* a mapping in the region may begin further on */
        const struct vm_range *next = ranges_first(&vm->mappings, va, place->size_bytes);

        if (next)
            place->size_bytes = next->va - va;
    }
    return true;
}

bool record_vm_shows(const struct record_vm *vm, const struct record_buffer *buffer)
{
    for (size_t i = 0; i < vm->mappings.count; i++)
        if (vm->mappings.range[i].buffer == buffer)
            return true;
    return false;
}
