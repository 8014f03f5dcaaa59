/* SPDX-License-Identifier: MIT */
/* Memory objects and address spaces of the nouveau model. */
#include <config.h>

#include <string.h>

#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* What a GP entry can name; nouveau's clients have no more. */
#define NOUVEAU_VA_END (UINT64_C(1) << 40)

static bool nouveau_refuse(struct nouveau *nouveau, const char *what, uint64_t number)
{
    machine_fail(nouveau->machine, ERROR_INPUT, "%s (0x%llx)", what, (unsigned long long)number);
    return false;
}

bool nouveau_as_create(void *driver, const struct trace_as_create *record)
{
    struct nouveau *nouveau = driver;
    uint64_t root;
    uint32_t space_id;

    if (record->as_id >= NOUVEAU_SPACES_MAX || nouveau->state->space_ids[record->as_id] != 0)
        return nouveau_refuse(nouveau, "the trace creates an address space twice, or too many",
                              record->as_id);
    /* The page directory's page; what the tables would hold is in emu/address_space. */
    root = extent_take(&nouveau->state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    space_id = address_space_new(&nouveau->machine->spaces, MEMORY_VRAM, root);
    if (root == EXTENT_NONE || space_id == ADDRESS_SPACE_NONE)
        return nouveau_refuse(nouveau, "no room for another address space", record->as_id);
    nouveau->state->space_ids[record->as_id] = space_id;
    return true;
}

/* The number of the machine's address space, 0 = there is none.  What is bound nowhere lies in a
 * space of its own that no channel has. */
static uint32_t nouveau_space(struct nouveau *nouveau, uint32_t as_id)
{
    struct nouveau_state *state = nouveau->state;
    uint32_t space_id;
    uint64_t root;

    if (as_id != TRACE_AS_OBJECTS)
        return as_id < NOUVEAU_SPACES_MAX ? state->space_ids[as_id] : 0;
    if (state->object_space != 0)
        return state->object_space;
    root = extent_take(&state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    space_id = root == EXTENT_NONE
                   ? ADDRESS_SPACE_NONE
                   : address_space_new(&nouveau->machine->spaces, MEMORY_VRAM, root);
    return state->object_space = space_id == ADDRESS_SPACE_NONE ? 0 : space_id;
}

/* Index of the first object that is not below. */
static uint32_t nouveau_object_place(const struct nouveau_state *state, uint32_t as_id,
                                     uint32_t handle)
{
    uint32_t low = 0, high = state->object_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct nouveau_object *object = &state->objects[middle];

        if (object->handle < handle || (object->handle == handle && object->as_id < as_id))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct nouveau_object *nouveau_object_find(const struct nouveau *nouveau, uint32_t as_id,
                                                 uint32_t handle)
{
    const struct nouveau_state *state = nouveau->state;
    const uint32_t at = nouveau_object_place(state, as_id, handle);

    return at < state->object_count && state->objects[at].handle == handle &&
                   state->objects[at].as_id == as_id
               ? &state->objects[at]
               : NULL;
}

/* The same object in any address space, or NULL. */
static const struct nouveau_object *nouveau_object_other(const struct nouveau *nouveau,
                                                         uint32_t handle)
{
    const struct nouveau_state *state = nouveau->state;
    const uint32_t at = nouveau_object_place(state, 0, handle);

    return at < state->object_count && state->objects[at].handle == handle ? &state->objects[at]
                                                                           : NULL;
}

/* Memory for an object: another client's, if it has it from there.  EXTENT_NONE: none. */
static uint64_t nouveau_object_memory(struct nouveau *nouveau, const struct trace_as_map *record,
                                      enum memory_aperture aperture)
{
    struct nouveau_state *state = nouveau->state;
    const struct nouveau_object *other = nouveau_object_other(nouveau, record->handle);

    if (nouveau->host_memory)
        return MACHINE_HOST_BASE + record->va;
    if (other)
        return other->size_bytes == record->size_bytes && other->aperture == aperture
                   ? other->physical
                   : EXTENT_NONE;
    return extent_take(aperture == MEMORY_VRAM ? &state->vram : &state->sysmem, record->size_bytes,
                       MEMORY_PAGE_BYTES);
}

bool nouveau_as_map(void *driver, const struct trace_as_map *record)
{
    struct nouveau *nouveau = driver;
    struct nouveau_state *state = nouveau->state;
    const bool is_vram = record->aperture == TRACE_APERTURE_VRAM;
    struct address_space_range range = {
        .va = record->va,
        .size_bytes = record->size_bytes,
        .aperture = is_vram ? MEMORY_VRAM : MEMORY_SYSMEM,
        .page_kind = record->tile_flags >> 8 & 0xff,
    };
    const uint32_t at = nouveau_object_place(state, record->as_id, record->handle);

    range.space_id = nouveau_space(nouveau, record->as_id);
    if (range.space_id == 0)
        return nouveau_refuse(nouveau, "the trace maps into an address space that does not exist",
                              record->as_id);
    if (record->va >= NOUVEAU_VA_END || record->size_bytes > NOUVEAU_VA_END - record->va)
        return nouveau_refuse(nouveau, "the trace maps beyond the 40 bits of an address space",
                              record->va);
    if (nouveau_object_find(nouveau, record->as_id, record->handle) ||
        state->object_count == NOUVEAU_OBJECTS_MAX)
        return nouveau_refuse(nouveau, "the trace maps a memory object twice, or too many",
                              record->handle);
    range.physical = nouveau_object_memory(nouveau, record, is_vram ? MEMORY_VRAM : MEMORY_SYSMEM);
    if (range.physical == EXTENT_NONE)
        return nouveau_refuse(nouveau, "the GPU's memory has no room for an object of that size",
                              record->size_bytes);
    if (address_space_map(&nouveau->machine->spaces, &range) != ADDRESS_SPACE_OK)
        return nouveau_refuse(nouveau, "the trace maps an address twice, or crookedly", record->va);
    memmove(&state->objects[at + 1], &state->objects[at],
            (state->object_count - at) * sizeof state->objects[0]);
    state->objects[at] = (struct nouveau_object){
        .va = record->va,
        .size_bytes = record->size_bytes,
        .physical = range.physical,
        .handle = record->handle,
        .as_id = record->as_id,
        .aperture = range.aperture,
        .used = 1,
    };
    state->object_count++;
    return true;
}

/* Without its handle it stays as long as something shows it. */
static bool nouveau_orphan(struct nouveau *nouveau, const struct nouveau_object *object)
{
    struct nouveau_state *state = nouveau->state;

    if (state->orphan_count == NOUVEAU_ORPHANS_MAX)
        return nouveau_refuse(nouveau, "too many memory objects are bound without a handle",
                              object->handle);
    state->orphans[state->orphan_count++] = *object;
    nouveau_bind_sweep(nouveau);
    return true;
}

/* Is it the memory of an orphan, which goes with that? */
static bool nouveau_object_orphaned(const struct nouveau *nouveau, uint32_t handle)
{
    for (uint32_t i = 0; i < nouveau->state->orphan_count; i++)
        if (nouveau->state->orphans[i].handle == handle)
            return true;
    return false;
}

bool nouveau_as_unmap(void *driver, const struct trace_as_unmap *record)
{
    struct nouveau *nouveau = driver;
    struct nouveau_state *state = nouveau->state;
    const struct nouveau_object *found =
        nouveau_object_find(nouveau, record->as_id, record->handle);
    struct nouveau_object object;
    uint32_t at;

    if (!found || found->va != record->va)
        return nouveau_refuse(nouveau, "the trace unmaps what is not mapped", record->va);
    object = *found;
    at = (uint32_t)(found - state->objects);
    state->object_count--;
    memmove(&state->objects[at], &state->objects[at + 1],
            (state->object_count - at) * sizeof state->objects[0]);
    state->objects[state->object_count] = (struct nouveau_object){0};
    if (object.as_id == TRACE_AS_OBJECTS)
        return nouveau_orphan(nouveau, &object);
    if (!address_space_unmap(&nouveau->machine->spaces, state->space_ids[object.as_id], object.va,
                             object.size_bytes) ||
        (!nouveau_object_other(nouveau, object.handle) &&
         !nouveau_object_orphaned(nouveau, object.handle) && !nouveau->host_memory &&
         !extent_give(object.aperture == MEMORY_VRAM ? &state->vram : &state->sysmem,
                      object.physical, object.size_bytes)))
        return nouveau_refuse(nouveau, "too many pieces of memory", object.va);
    nouveau_bind_sweep(nouveau);
    return true;
}

bool nouveau_store(void *driver, const struct trace_mem *record)
{
    struct nouveau *nouveau = driver;
    uint64_t fault;

    const uint32_t space_id = nouveau_space(nouveau, record->as_id);

    if (space_id == 0)
        return nouveau_refuse(nouveau, "the trace writes to an address space that does not exist",
                              record->as_id);
    if (!machine_vm_write(nouveau->machine, space_id, record->address, record->data.data,
                          record->data.length, &fault))
        return nouveau_refuse(nouveau, "the trace writes to an address that is not mapped", fault);
    return true;
}
