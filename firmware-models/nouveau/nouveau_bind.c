/* SPDX-License-Identifier: MIT */
/*
 * VM_INIT and VM_BIND of the nouveau model: what a client maps into the address space that it
 * manages itself.
 *
 * Sparse ranges are backed with system memory of their size that is used for nothing else, so that
 * the GPU reads zeros there.  The GPU would read back what it writes there, which a real GPU does
 * not (ASSUMED not to matter).
 */
#include <config.h>

#include <string.h>

#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* What the model puts into the kernel's part: buffers of all channels. */
#define NOUVEAU_KERNEL_PART_BYTES (UINT64_C(1) << 28)
#define NOUVEAU_CLIENT_VA_END     (UINT64_C(1) << 47)

static bool bind_refuse(struct nouveau *nouveau, const char *what, uint64_t number)
{
    machine_fail(nouveau->machine, ERROR_INPUT, "%s (0x%llx)", what, (unsigned long long)number);
    return false;
}

bool nouveau_vm_init(void *driver, const struct trace_vm_init *record)
{
    struct nouveau *nouveau = driver;
    struct nouveau_state *state = nouveau->state;

    if (record->as_id >= NOUVEAU_SPACES_MAX || state->space_ids[record->as_id] == 0)
        return bind_refuse(nouveau, "VM_INIT of an address space that does not exist",
                           record->as_id);
    if (record->kernel_size_bytes < NOUVEAU_KERNEL_PART_BYTES ||
        record->kernel_address % MEMORY_PAGE_BYTES ||
        record->kernel_address > (UINT64_C(1) << 40) - NOUVEAU_KERNEL_PART_BYTES)
        return bind_refuse(nouveau,
                           "VM_INIT leaves the kernel less than 256 MiB below 2^40, where its "
                           "GP entries lie",
                           record->kernel_address);
    state->space_is_vm[record->as_id] = 1;
    state->space_kernel_va[record->as_id] = record->kernel_address;
    return true;
}

/* ---- items ----------------------------------------------------------------------------------- */

static bool item_of(struct nouveau *nouveau, const struct trace_bind *bind,
                    struct nouveau_item *item)
{
    const struct nouveau_object *object;

    *item = (struct nouveau_item){.va = bind->va,
                                  .size_bytes = bind->size_bytes,
                                  .op = bind->op,
                                  .page_kind = bind->page_kind};
    if (bind->va % MEMORY_PAGE_BYTES || bind->size_bytes % MEMORY_PAGE_BYTES ||
        bind->size_bytes == 0 || bind->va >= NOUVEAU_CLIENT_VA_END ||
        bind->size_bytes > NOUVEAU_CLIENT_VA_END - bind->va)
        return bind_refuse(nouveau, "the trace binds no whole pages of 47 bits of addresses",
                           bind->va);
    if (bind->op != TRACE_BIND_MAP)
        return bind->op >= TRACE_BIND_UNMAP && bind->op <= TRACE_BIND_UNMAP_SPARSE
                   ? true
                   : bind_refuse(nouveau, "an unknown operation of VM_BIND", bind->op);
    object = nouveau_object_find(nouveau, TRACE_AS_OBJECTS, bind->handle);
    if (!object || bind->object_offset % MEMORY_PAGE_BYTES ||
        bind->object_offset > object->size_bytes ||
        bind->size_bytes > object->size_bytes - bind->object_offset)
        return bind_refuse(nouveau, "the trace binds more than a memory object has", bind->handle);
    item->physical = object->physical + bind->object_offset;
    item->aperture = object->aperture;
    return true;
}

bool nouveau_bind_items(struct nouveau *nouveau, const struct trace_vm_bind *record,
                        struct nouveau_job *job)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = record->binds.count; i-- > 0;) {
        struct nouveau_item made;
        uint32_t item;

        if (!item_of(nouveau, &record->binds.bind[i], &made))
            return false;
        item = nouveau_item_take(nouveau);
        if (item == 0)
            return false;
        made.next = job->first_item;
        jobs->item[item - 1] = made;
        job->first_item = item;
    }
    return true;
}

/* ---- carrying out ---------------------------------------------------------------------------- */

static bool space_map(struct nouveau *nouveau, uint32_t as_id, const struct nouveau_item *item)
{
    const struct address_space_range range = {
        .va = item->va,
        .size_bytes = item->size_bytes,
        .physical = item->physical,
        .space_id = nouveau->state->space_ids[as_id],
        .aperture = item->aperture,
        .page_kind = item->page_kind,
    };

    return address_space_unmap(&nouveau->machine->spaces, range.space_id, range.va,
                               range.size_bytes) &&
           address_space_map(&nouveau->machine->spaces, &range) == ADDRESS_SPACE_OK;
}

static bool space_unmap(struct nouveau *nouveau, uint32_t as_id, uint64_t va, uint64_t size_bytes)
{
    return address_space_unmap(&nouveau->machine->spaces, nouveau->state->space_ids[as_id], va,
                               size_bytes);
}

static bool sparse_map(struct nouveau *nouveau, uint32_t as_id, const struct nouveau_item *item)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    struct nouveau_item backed = *item;

    if (jobs->sparse_count == NOUVEAU_SPARSE_MAX) {
        machine_fail(nouveau->machine, ERROR_LIMIT, "more than %d sparse ranges",
                     NOUVEAU_SPARSE_MAX);
        return false;
    }
    backed.aperture = MEMORY_SYSMEM;
    backed.page_kind = 0;
    backed.physical = extent_take(&nouveau->state->sysmem, item->size_bytes, MEMORY_PAGE_BYTES);
    if (backed.physical == EXTENT_NONE) {
        MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_SPARSE,
                    item->va, item->size_bytes);
        return true; /* the GPU faults there */
    }
    jobs->sparse[jobs->sparse_count++] = (struct nouveau_sparse){.va = item->va,
                                                                 .size_bytes = item->size_bytes,
                                                                 .physical = backed.physical,
                                                                 .as_id = as_id,
                                                                 .used = 1};
    return space_map(nouveau, as_id, &backed);
}

/* Where memory went, the sparse range that it lay in is there again. */
static bool sparse_return(struct nouveau *nouveau, uint32_t as_id, const struct nouveau_item *item)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;
    bool good = true;

    for (uint32_t i = 0; i < jobs->sparse_count && good; i++) {
        const struct nouveau_sparse *sparse = &jobs->sparse[i];
        const uint64_t item_end = item->va + item->size_bytes;
        const uint64_t sparse_end = sparse->va + sparse->size_bytes;
        const uint64_t va = item->va > sparse->va ? item->va : sparse->va;
        const uint64_t end = item_end < sparse_end ? item_end : sparse_end;

        if (sparse->as_id == as_id && va < end)
            good = space_map(nouveau, as_id,
                             &(struct nouveau_item){.va = va,
                                                    .size_bytes = end - va,
                                                    .physical = sparse->physical + va - sparse->va,
                                                    .aperture = MEMORY_SYSMEM});
    }
    return good;
}

static bool sparse_unmap(struct nouveau *nouveau, uint32_t as_id, const struct nouveau_item *item)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    bool good = space_unmap(nouveau, as_id, item->va, item->size_bytes);

    for (uint32_t i = jobs->sparse_count; i-- > 0 && good;) {
        const struct nouveau_sparse sparse = jobs->sparse[i];

        if (sparse.as_id != as_id || sparse.va != item->va || sparse.size_bytes != item->size_bytes)
            continue;
        good = extent_give(&nouveau->state->sysmem, sparse.physical, sparse.size_bytes);
        jobs->sparse_count--;
        memmove(&jobs->sparse[i], &jobs->sparse[i + 1],
                (jobs->sparse_count - i) * sizeof jobs->sparse[0]);
        jobs->sparse[jobs->sparse_count] = (struct nouveau_sparse){0};
    }
    return good;
}

static bool item_apply(struct nouveau *nouveau, uint32_t as_id, const struct nouveau_item *item)
{
    switch (item->op) {
    case TRACE_BIND_MAP:
        return space_map(nouveau, as_id, item);
    case TRACE_BIND_UNMAP:
        return space_unmap(nouveau, as_id, item->va, item->size_bytes) &&
               sparse_return(nouveau, as_id, item);
    case TRACE_BIND_MAP_SPARSE:
        return sparse_map(nouveau, as_id, item);
    default:
        return sparse_unmap(nouveau, as_id, item);
    }
}

void nouveau_bind_apply(struct nouveau *nouveau, const struct nouveau_job *job)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const uint32_t as_id = job->queue - NOUVEAU_CHANNELS_MAX;

    for (uint32_t at = job->first_item; at != 0; at = jobs->item[at - 1].next) {
        const struct nouveau_item *item = &jobs->item[at - 1];

        if (!item_apply(nouveau, as_id, item)) {
            machine_fail(nouveau->machine, ERROR_LIMIT, "too many pieces of memory");
            return;
        }
        MACHINE_LOG_ORIGIN(nouveau->machine, nouveau->unit, EVENT_DRIVER_BIND, RULE_NONE,
                           ORIGIN_RECORDED, job->number, as_id, item->op, item->va,
                           item->size_bytes, item->physical);
    }
}

/* ---- memory without a handle ----------------------------------------------------------------- */

static bool overlaps(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/* Does an address space of a client show it, or a bind that has not run want to? */
static bool orphan_shown(const struct nouveau *nouveau, const struct nouveau_object *orphan)
{
    const struct address_spaces *spaces = &nouveau->machine->spaces;
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < spaces->state->range_count; i++) {
        const struct address_space_range *range = &spaces->ranges[i];

        if (range->space_id != nouveau->state->object_space &&
            range->aperture == orphan->aperture &&
            overlaps(range->physical, range->size_bytes, orphan->physical, orphan->size_bytes))
            return true;
    }
    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX && jobs->job_count > 0; i++)
        for (uint32_t at = jobs->job[i].first_item;
             at != 0 && jobs->job[i].queue >= NOUVEAU_CHANNELS_MAX; at = jobs->item[at - 1].next)
            if (jobs->item[at - 1].op == TRACE_BIND_MAP &&
                jobs->item[at - 1].aperture == orphan->aperture &&
                overlaps(jobs->item[at - 1].physical, jobs->item[at - 1].size_bytes,
                         orphan->physical, orphan->size_bytes))
                return true;
    return false;
}

void nouveau_bind_sweep(struct nouveau *nouveau)
{
    struct nouveau_state *state = nouveau->state;

    for (uint32_t i = state->orphan_count; i-- > 0;) {
        const struct nouveau_object orphan = state->orphans[i];

        if (orphan_shown(nouveau, &orphan))
            continue;
        state->orphan_count--;
        memmove(&state->orphans[i], &state->orphans[i + 1],
                (state->orphan_count - i) * sizeof state->orphans[0]);
        state->orphans[state->orphan_count] = (struct nouveau_object){0};
        if (!address_space_unmap(&nouveau->machine->spaces, state->object_space, orphan.va,
                                 orphan.size_bytes) ||
            !extent_give(orphan.aperture == MEMORY_VRAM ? &state->vram : &state->sysmem,
                         orphan.physical, orphan.size_bytes))
            machine_fail(nouveau->machine, ERROR_LIMIT, "too many pieces of memory");
    }
}
