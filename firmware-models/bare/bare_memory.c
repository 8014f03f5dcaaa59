/* SPDX-License-Identifier: MIT */
/* Address spaces and memory objects of the bare-channel model. */
#include <config.h>

#include "firmware-models/bare/bare.h"

static bool bare_refuse(struct bare *bare, const char *what, uint64_t number)
{
    machine_fail(bare->machine, ERROR_INPUT, "%s (0x%llx)", what, (unsigned long long)number);
    return false;
}

bool bare_as_create(void *driver, const struct trace_as_create *record)
{
    struct bare *bare = driver;
    uint64_t root;
    uint32_t space_id;

    if (record->as_id >= BARE_SPACES_MAX || bare->state->space_ids[record->as_id] != 0)
        return bare_refuse(bare, "the trace creates an address space twice, or too many",
                           record->as_id);
    root = extent_take(&bare->state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    space_id = root == EXTENT_NONE ? ADDRESS_SPACE_NONE
                                   : address_space_new(&bare->machine->spaces, MEMORY_VRAM, root);
    if (space_id == ADDRESS_SPACE_NONE)
        return bare_refuse(bare, "no room for another address space", record->as_id);
    bare->state->space_ids[record->as_id] = space_id;
    return true;
}

static uint32_t bare_space(const struct bare *bare, uint32_t as_id)
{
    return as_id < BARE_SPACES_MAX ? bare->state->space_ids[as_id] : 0;
}

const struct bare_object *bare_object_find(const struct bare *bare, uint32_t as_id, uint32_t handle)
{
    for (uint32_t i = 0; i < bare->state->object_count; i++)
        if (bare->state->objects[i].handle == handle && bare->state->objects[i].as_id == as_id)
            return &bare->state->objects[i];
    return NULL;
}

/* Memory that another address space has under the same handle is the same memory. */
static uint64_t bare_object_memory(struct bare *bare, const struct trace_as_map *record,
                                   bool is_vram)
{
    for (uint32_t i = 0; i < bare->state->object_count; i++) {
        const struct bare_object *other = &bare->state->objects[i];

        if (other->handle == record->handle)
            return other->size_bytes == record->size_bytes &&
                           other->aperture == (is_vram ? MEMORY_VRAM : MEMORY_SYSMEM)
                       ? other->physical
                       : EXTENT_NONE;
    }
    return extent_take(is_vram ? &bare->state->vram : &bare->state->sysmem, record->size_bytes,
                       MEMORY_PAGE_BYTES);
}

bool bare_as_map(void *driver, const struct trace_as_map *record)
{
    struct bare *bare = driver;
    struct bare_state *state = bare->state;
    const bool is_vram = record->aperture == TRACE_APERTURE_VRAM;
    struct address_space_range range = {
        .va = record->va,
        .size_bytes = record->size_bytes,
        .space_id = bare_space(bare, record->as_id),
        .aperture = is_vram ? MEMORY_VRAM : MEMORY_SYSMEM,
        .page_kind = record->tile_flags >> 8 & 0xff,
    };

    if (range.space_id == 0)
        return bare_refuse(bare, "the trace maps into an address space that does not exist",
                           record->as_id);
    if (bare_object_find(bare, record->as_id, record->handle) ||
        state->object_count == BARE_OBJECTS_MAX)
        return bare_refuse(bare, "the trace maps a memory object twice, or too many",
                           record->handle);
    range.physical = bare_object_memory(bare, record, is_vram);
    if (range.physical == EXTENT_NONE)
        return bare_refuse(bare, "the GPU's memory has no room for an object of that size",
                           record->size_bytes);
    if (address_space_map(&bare->machine->spaces, &range) != ADDRESS_SPACE_OK)
        return bare_refuse(bare, "the trace maps an address twice, or crookedly", record->va);
    state->objects[state->object_count++] = (struct bare_object){
        .va = record->va,
        .size_bytes = record->size_bytes,
        .physical = range.physical,
        .handle = record->handle,
        .as_id = record->as_id,
        .aperture = range.aperture,
    };
    return true;
}

/* The memory is not used again: another address space may have it. */
bool bare_as_unmap(void *driver, const struct trace_as_unmap *record)
{
    struct bare *bare = driver;
    struct bare_state *state = bare->state;
    const struct bare_object *found = bare_object_find(bare, record->as_id, record->handle);

    if (!found || found->va != record->va ||
        !address_space_unmap(&bare->machine->spaces, bare_space(bare, record->as_id), found->va,
                             found->size_bytes))
        return bare_refuse(bare, "the trace unmaps what is not mapped", record->va);
    state->objects[found - state->objects] = state->objects[--state->object_count];
    state->objects[state->object_count] = (struct bare_object){0};
    return true;
}

bool bare_store(void *driver, const struct trace_mem *record)
{
    struct bare *bare = driver;
    const uint32_t space_id = bare_space(bare, record->as_id);
    uint64_t fault = record->address;

    if (space_id == 0 || !machine_vm_write(bare->machine, space_id, record->address,
                                           record->data.data, record->data.length, &fault))
        return bare_refuse(bare, "the trace writes to an address that is not mapped", fault);
    return true;
}
