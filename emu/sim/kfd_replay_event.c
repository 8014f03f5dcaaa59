/* SPDX-License-Identifier: MIT */
/* Events of the kernel driver: what programs sleep for. */
#include <config.h>

#include "emu/sim/kfd_replay.h"

static bool event_exists(uint32_t client_id, uint32_t event_id)
{
    return client_id < KFD_REPLAY_SPACES_MAX && event_id < KFD_REPLAY_EVENTS_MAX;
}

static void event_put(uint32_t *bits, uint32_t event_id, bool value)
{
    const uint32_t bit = UINT32_C(1) << event_id % 32;

    bits[event_id / 32] = value ? bits[event_id / 32] | bit : bits[event_id / 32] & ~bit;
}

static bool event_get(const uint32_t *bits, uint32_t event_id)
{
    return bits[event_id / 32] >> event_id % 32 & 1;
}

enum driver_step kfd_replay_event(struct kfd_replay *replay, const struct trace_event *record)
{
    struct kfd_replay_state *state = replay->state;
    const bool is_new = record->what == TRACE_EVENT_CREATE;

    if (!event_exists(record->client_id, record->event_id)) {
        (void)kfd_replay_refuse(replay, "an event, or its client, that the driver cannot have",
                                record->event_id);
        return DRIVER_REFUSED;
    }
    if (record->what == TRACE_EVENT_SET)
        replay->client.fired(replay->client.context, record->client_id, record->event_id);
    if (is_new || record->what == TRACE_EVENT_DESTROY) {
        event_put(state->memory[record->client_id], record->event_id,
                  is_new && record->kind == AMDGPU_EVENT_MEMORY);
        event_put(state->hardware[record->client_id], record->event_id,
                  is_new && record->kind == AMDGPU_EVENT_HW_EXCEPTION);
    }
    return DRIVER_DONE;
}

void kfd_replay_fire(void *driver, uint32_t space_id, uint32_t event_id)
{
    struct kfd_replay *replay = driver;
    const struct kfd_replay_state *state = replay->state;

    for (uint32_t i = 0; i < KFD_REPLAY_SPACES_MAX; i++)
        if (state->spaces[i].used && state->spaces[i].space_id == space_id)
            replay->client.fired(replay->client.context, state->spaces[i].client_id, event_id);
}

uint32_t kfd_replay_except(void *driver, uint32_t space_id, uint32_t type)
{
    struct kfd_replay *replay = driver;
    const struct kfd_replay_state *state = replay->state;
    uint32_t count = 0;

    for (uint32_t i = 0; i < KFD_REPLAY_SPACES_MAX; i++) {
        const uint32_t client = state->spaces[i].client_id;

        if (!state->spaces[i].used || state->spaces[i].space_id != space_id)
            continue;
        for (uint32_t event = 0; event < KFD_REPLAY_EVENTS_MAX; event++)
            if (event_get(type == AMDGPU_EVENT_MEMORY ? state->memory[client]
                                                      : state->hardware[client],
                          event)) {
                replay->client.fired(replay->client.context, client, event);
                count++;
            }
    }
    return count;
}
