/* SPDX-License-Identifier: MIT */
/* Address spaces and memory of recorded processes. */
#include <config.h>

#include <string.h>

#include "emu/sim/kfd_replay.h"

bool kfd_replay_as_create(void *driver, const struct trace_as_create *record)
{
    struct kfd_replay *replay = driver;
    struct kfd_replay_state *state = replay->state;
    struct kfd_replay_space space = {.used = 1, .client_id = record->client_id};
    uint64_t root;

    if (record->as_id >= KFD_REPLAY_SPACES_MAX || record->client_id >= KFD_REPLAY_SPACES_MAX ||
        state->spaces[record->as_id].used)
        return kfd_replay_refuse(replay, "an address space comes to be twice, or is one too many",
                                 record->as_id);
    root = extent_take(&state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    space.space_id = root == EXTENT_NONE
                         ? ADDRESS_SPACE_NONE
                         : address_space_new(&replay->machine->spaces, MEMORY_VRAM, root);
    if (space.space_id != ADDRESS_SPACE_NONE)
        space.process = kfd_process_open(replay->node->kfd, root);
    if (space.space_id == ADDRESS_SPACE_NONE || space.process == KFD_NONE)
        return kfd_replay_refuse(replay, "no room for another address space", record->as_id);
    state->spaces[record->as_id] = space;
    return true;
}

uint32_t kfd_replay_space_of(void *driver, uint32_t as_id)
{
    const struct kfd_replay *replay = driver;

    return as_id < KFD_REPLAY_SPACES_MAX && replay->state->spaces[as_id].used
               ? replay->state->spaces[as_id].space_id
               : ADDRESS_SPACE_NONE;
}

/* The kernel driver hands out memory of zeroes.  Pages that were never written are. */
static bool memory_clear(struct kfd_replay *replay, const struct address_space_range *range)
{
    static const uint8_t zeroes[MEMORY_PAGE_BYTES];
    const enum memory_aperture aperture = (enum memory_aperture)range->aperture;
    uint8_t page[MEMORY_PAGE_BYTES];

    for (uint64_t at = 0; at < range->size_bytes; at += MEMORY_PAGE_BYTES)
        if (!machine_read(replay->machine, aperture, range->physical + at, page, sizeof page) ||
            (memcmp(page, zeroes, sizeof page) != 0 &&
             !machine_write(replay->machine, aperture, range->physical + at, zeroes,
                            sizeof zeroes)))
            return false;
    return true;
}

bool kfd_replay_as_map(void *driver, const struct trace_as_map *record)
{
    struct kfd_replay *replay = driver;
    struct kfd_replay_state *state = replay->state;
    const bool is_vram = record->aperture == TRACE_APERTURE_VRAM;
    struct address_space_range range = {
        .va = record->va,
        .size_bytes = record->size_bytes,
        .space_id = kfd_replay_space_of(replay, record->as_id),
        .aperture = is_vram ? MEMORY_VRAM : MEMORY_SYSMEM,
    };

    if (range.space_id == ADDRESS_SPACE_NONE)
        return kfd_replay_refuse(replay, "memory is mapped into an address space that there is not",
                                 record->as_id);
    if (record->size_bytes == 0 || record->va + record->size_bytes < record->va)
        return kfd_replay_refuse(replay, "a mapping of no size, or beyond the last address",
                                 record->va);
    if (state->object_count == KFD_REPLAY_OBJECTS_MAX)
        return kfd_replay_refuse(replay, "more mappings at a time than the model holds",
                                 KFD_REPLAY_OBJECTS_MAX);
    range.physical =
        extent_take(is_vram ? &state->vram : &state->sysmem, record->size_bytes, MEMORY_PAGE_BYTES);
    if (range.physical == EXTENT_NONE)
        return kfd_replay_refuse(replay, "the memory has no room for an object of that size",
                                 record->size_bytes);
    if (address_space_map(&replay->machine->spaces, &range) != ADDRESS_SPACE_OK)
        return kfd_replay_refuse(replay, "an address is mapped twice, or not by whole pages",
                                 record->va);
    state->objects[state->object_count++] = (struct kfd_replay_object){
        .va = record->va,
        .size_bytes = record->size_bytes,
        .physical = range.physical,
        .as_id = record->as_id,
        .handle = record->handle,
        .aperture = range.aperture,
    };
    return memory_clear(replay, &range);
}

bool kfd_replay_as_unmap(void *driver, const struct trace_as_unmap *record)
{
    struct kfd_replay *replay = driver;
    struct kfd_replay_state *state = replay->state;
    struct kfd_replay_object *object = state->objects;
    struct kfd_replay_object *const end = object + state->object_count;

    while (object < end && (object->handle != record->handle || object->as_id != record->as_id ||
                            object->va != record->va))
        object++;
    if (object == end)
        return kfd_replay_refuse(replay, "memory is unmapped that is not mapped", record->va);
    if (!address_space_unmap(&replay->machine->spaces, kfd_replay_space_of(replay, record->as_id),
                             object->va, object->size_bytes) ||
        !extent_give(object->aperture == MEMORY_VRAM ? &state->vram : &state->sysmem,
                     object->physical, object->size_bytes))
        return kfd_replay_refuse(replay, "too many pieces of memory", record->va);
    *object = state->objects[--state->object_count];
    state->objects[state->object_count] = (struct kfd_replay_object){0};
    return true;
}

bool kfd_replay_write(struct kfd_replay *replay, uint32_t as_id, uint64_t address, const void *data,
                      size_t bytes)
{
    const uint32_t space_id = kfd_replay_space_of(replay, as_id);
    uint64_t fault = address;

    return (space_id != ADDRESS_SPACE_NONE &&
            machine_vm_write(replay->machine, space_id, address, data, bytes, &fault)) ||
           kfd_replay_refuse(replay, "the program writes to an address that is not mapped", fault);
}

bool kfd_replay_store(void *driver, const struct trace_mem *record)
{
    return kfd_replay_write(driver, record->as_id, record->address, record->data.data,
                            record->data.length);
}
