/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_check.h"

#include "emu/replay/replay_ring.h"

/* Bits of replay->fence_flags. */
enum { FENCE_LOGGED = 1, FENCE_RELEASED = 2 };

/* The first of the places at or behind an address. */
static uint32_t fence_from(const struct replay_input *input, uint64_t address)
{
    uint32_t low = 0, high = input->fence_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (input->fences[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Fences rise; signals (layer RING) go up and down. */
static bool fence_passed(const struct replay *replay, uint32_t value, uint32_t wanted)
{
    return replay->input->layer == TRACE_LAYER_RING ? value == wanted
                                                    : (int32_t)(value - wanted) >= 0;
}

/* Is it the place of this fence?  The machine's numbers of spaces are not the recording's. */
static bool fence_is_at(const struct replay *replay, const struct replay_fence *fence,
                        uint32_t space_id)
{
    struct address_space_range where;
    struct driver_fence place = {0};
    uint64_t contiguous;

    return address_space_translate(&replay->machine->spaces, space_id, fence->address, &where,
                                   &contiguous) &&
           replay->driver.ops->locate(replay->driver.driver, fence->channel_id, fence->address,
                                      &place) &&
           where.aperture == place.aperture && where.physical == place.address;
}

static void fence_released(void *context, uint32_t space_id, uint64_t address, uint32_t value)
{
    struct replay *replay = context;
    const struct replay_input *input = replay->input;

    if (input->layer == TRACE_LAYER_RING)
        replay_ring_released(replay, space_id, address);
    for (uint32_t i = fence_from(input, address);
         i < input->fence_count && input->fences[i].address == address; i++)
        if (fence_is_at(replay, &input->fences[i], space_id) &&
            ++replay->fence_releases[i] == input->fences[i].write_count &&
            fence_passed(replay, value, input->fences[i].value))
            replay->fence_flags[i] |= FENCE_RELEASED;
}

void replay_check_init(struct replay *replay)
{
    struct machine *machine = replay->machine;
    const uint32_t count = replay->input->fence_count;

    replay->fence_flags = machine_alloc(machine, count);
    replay->fence_releases = machine_alloc(machine, count * sizeof *replay->fence_releases);
    machine->released = fence_released;
    machine->released_context = replay;
}

static void fence_log(struct replay *replay, const struct replay_fence *fence, bool reached,
                      uint32_t found)
{
    replay->state->fences_checked++;
    replay->state->fences_reached += reached;
    MACHINE_LOG(replay->machine, replay->unit, EVENT_FENCE, RULE_NONE, fence->channel_id,
                fence->address, fence->value, found, reached);
}

/* The word of guest memory at the place; false when it lies nowhere. */
static bool fence_find(struct replay *replay, const struct driver_fence *place, uint32_t *found)
{
    *found = 0;
    return machine_read(replay->machine, (enum memory_aperture)place->aperture, place->address,
                        found, sizeof *found);
}

static void fence_check(struct replay *replay, uint32_t index)
{
    const struct replay_fence *fence = &replay->input->fences[index];
    struct driver_fence place = {.value = fence->value};
    uint32_t found = 0;
    const bool is_there = replay->driver.ops->locate(replay->driver.driver, fence->channel_id,
                                                     fence->address, &place) &&
                          fence_find(replay, &place, &found) &&
                          fence_passed(replay, found, fence->value);

    fence_log(replay, fence, is_there || replay->fence_flags[index] & FENCE_RELEASED, found);
}

/* Looks a value up, once. */
static void fence_check_once(struct replay *replay, uint32_t index)
{
    if (replay->fence_flags[index] & FENCE_LOGGED)
        return;
    replay->fence_flags[index] |= FENCE_LOGGED;
    fence_check(replay, index);
}

void replay_check_fences(struct replay *replay, uint32_t as_id, uint64_t from, uint64_t bytes)
{
    const struct replay_input *input = replay->input;

    for (uint32_t i = fence_from(input, from);
         i < input->fence_count && input->fences[i].address - from < bytes; i++)
        if (input->fences[i].as_id == as_id)
            fence_check_once(replay, i);
}

void replay_check_channel(struct replay *replay, uint64_t record_number)
{
    for (uint32_t i = 0; i < replay->input->fence_count; i++)
        if (replay->input->fences[i].end_number == record_number)
            fence_check_once(replay, i);
}

void replay_check_rest(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->input->fence_count; i++)
        fence_check_once(replay, i);
}

void replay_check_driver(struct replay *replay, uint32_t channel_id,
                         const struct driver_fence *place)
{
    const struct replay_fence fence = {
        .channel_id = channel_id, .value = place->value, .address = place->va};
    uint32_t found;
    const bool is_there =
        fence_find(replay, place, &found) && fence_passed(replay, found, place->value);

    fence_log(replay, &fence, is_there, found);
}
