/* SPDX-License-Identifier: MIT */
/*
 * What lies in the objects of a real driver.  They are read through mappings of this process's own,
 * which a forked child does not get, and by system calls: a page that the driver cannot provide is
 * an error then, and no signal.  (process_vm_writev(2) copies from the mapping as write(2) does; it
 * need not pin its pages, which device memory does not allow.)
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/record_user.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES, BATCH_BYTES = RECORD_MEMORY_BATCH_PAGES * PAGE };

static uint32_t bo_place(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    return (uint32_t)(bo - nouveau->table->bos);
}

/* ---- mappings -------------------------------------------------------------------------------- */

static bool mapped_add(struct record_pass *pass, uint32_t place)
{
    if (pass->mapped_count == pass->mapped_capacity) {
        const uint32_t capacity = pass->mapped_capacity ? 2 * pass->mapped_capacity : 64;
        uint32_t *grown = realloc(pass->mapped, capacity * sizeof *grown);

        if (!grown)
            return false;
        pass->mapped = grown;
        pass->mapped_capacity = capacity;
    }
    pass->mapped[pass->mapped_count++] = place;
    return true;
}

void record_pass_memory_sweep(struct record_nouveau *nouveau)
{
    struct record_pass *pass = nouveau->pass;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < pass->mapped_count; i++) {
        const uint32_t place = pass->mapped[i];
        const struct record_nouveau_bo *bo = &nouveau->table->bos[place];
        struct pass_mapping *mapping = &pass->mappings[place];

        /* One that a descriptor may still hold is mapped again if it comes back. */
        if (bo->number == mapping->number && (bo->handle_count > 0 || bo->bound_by != 0)) {
            pass->mapped[kept++] = place;
            continue;
        }
        munmap(mapping->at, mapping->bytes);
        *mapping = (struct pass_mapping){0};
    }
    pass->mapped_count = kept;
}

const uint8_t *record_pass_memory_at(struct record_nouveau *nouveau,
                                     const struct record_caller *caller,
                                     struct record_nouveau_bo *bo, int fd, uint64_t offset)
{
    struct record_pass *pass = nouveau->pass;
    struct pass_mapping *mapping = &pass->mappings[bo_place(nouveau, bo)];
    const uint64_t bytes = record_nouveau_bo_buffer(nouveau, bo)->size_bytes;
    void *at;

    if (mapping->number != bo->number && mapping->at)
        record_pass_memory_sweep(nouveau);
    if (mapping->number == bo->number && (mapping->at || mapping->failed))
        return mapping->at;
    *mapping = (struct pass_mapping){.number = bo->number, .bytes = bytes};
    at = pass->next.map(pass->next.context, fd, offset, bytes);
    if (at && !mapped_add(pass, bo_place(nouveau, bo))) {
        munmap(at, bytes);
        at = NULL;
    }
    if (at) {
        (void)madvise(at, bytes, MADV_DONTFORK);
        (void)madvise(at, bytes, MADV_DONTDUMP);
        mapping->at = at;
        return at;
    }
    mapping->failed = 1;
    if (!bo->untold)
        record_out_mark(nouveau->out, caller, "object %u cannot be looked into",
                        (unsigned)bo->number);
    bo->untold = 1;
    return NULL;
}

bool record_pass_memory_is_mapped(const struct record_nouveau *nouveau,
                                  const struct record_nouveau_bo *bo)
{
    const struct pass_mapping *mapping = &nouveau->pass->mappings[bo_place(nouveau, bo)];

    return mapping->number == bo->number && mapping->at;
}

/* The mapping that there is, or one by the handle that the calling file has. */
static const uint8_t *mapping_of(struct record_nouveau *nouveau, const struct record_caller *caller,
                                 struct record_nouveau_bo *bo)
{
    if (record_pass_memory_is_mapped(nouveau, bo))
        return nouveau->pass->mappings[bo_place(nouveau, bo)].at;
    return record_pass_memory_at(nouveau, caller, bo, nouveau->pass->fd, bo->map_handle);
}

bool record_pass_memory_read(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint64_t offset, void *to,
                             uint32_t bytes)
{
    const uint8_t *from = bo->is_mapped ? mapping_of(nouveau, caller, bo) : NULL;

    return from && record_user_write((uintptr_t)to, from + offset, bytes);
}

/* ---- contents -------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, size_t count)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

void record_pass_memory_take(struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                             const uint8_t *from)
{
    struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);
    uint8_t *live = nouveau->pass->live;

    for (uint64_t at = 0; at < buffer->size_bytes; at += PAGE)
        if (record_user_write((uintptr_t)live, from + at, PAGE) && !is_zero(live, PAGE))
            record_memory_save(nouveau->memory, buffer, at, live, PAGE);
}

/* What the callback needs: where the object is, for the trace. */
struct pass_telling {
    struct record_nouveau *nouveau;
    const struct record_caller *caller;
    uint32_t as_id;
    uint64_t va;
};

static void changed(void *context, const struct record_buffer *buffer, uint64_t at,
                    const uint8_t *data, uint32_t bytes)
{
    const struct pass_telling *telling = context;
    struct trace_record record = {0};

    record.mem.as_id = telling->as_id;
    record.mem.address = telling->va + (at - record_memory_va(buffer));
    record.mem.data = (struct trace_bytes){data, bytes};
    record_out_put(telling->nouveau->out, telling->caller, TRACE_MEM, &record);
}

void record_pass_memory_tell(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint32_t as_id, uint64_t va)
{
    struct pass_telling telling = {nouveau, caller, as_id, va};
    struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);
    uint8_t *live = nouveau->pass->live;
    const uint8_t *from;

    if (!bo->is_mapped || !(from = mapping_of(nouveau, caller, bo)))
        return;
    for (uint64_t at = 0; at < buffer->size_bytes; at += BATCH_BYTES) {
        const uint64_t left = buffer->size_bytes - at;
        const uint64_t bytes = left < BATCH_BYTES ? left : BATCH_BYTES;

        if (!record_user_write((uintptr_t)live, from + at, bytes))
            continue;
        record_pass_complete_hide(nouveau, bo, at, live, bytes);
        record_memory_live_changes(nouveau->memory, buffer, at / PAGE, bytes / PAGE, live, changed,
                                   &telling);
    }
    record_memory_told(buffer);
}

/* The calling file can map what it has a handle for; what another has, another tells. */
static bool can_tell(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    const uint32_t place = bo_place(nouveau, bo) + 1;

    if (record_pass_memory_is_mapped(nouveau, bo))
        return true;
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILE_PAGES; i++) {
        const uint32_t page = nouveau->file->pages[i];

        for (uint32_t n = 0; page != 0 && n < RECORD_NOUVEAU_PAGE_HANDLES; n++)
            if (nouveau->table->pages[page - 1].bos[n] == place)
                return true;
    }
    return false;
}

void record_pass_memory_tell_all(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    for (uint32_t i = 0; i < record_memory_count(nouveau->memory); i++) {
        const struct record_buffer *buffer = record_memory_ordered(nouveau->memory, i);
        struct record_nouveau_bo *bo =
            &nouveau->table->bos[record_memory_number(nouveau->memory, buffer)];

        if (bo->number != 0 && bo->is_mapped && can_tell(nouveau, bo))
            record_pass_memory_tell(nouveau, caller, bo, buffer->as_id, bo->home_va);
    }
}
