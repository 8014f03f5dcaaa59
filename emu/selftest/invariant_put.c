/* SPDX-License-Identifier: MIT */
/* GET stays behind PUT: nothing is taken up that was not submitted, in order, and once. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/nvidia/nv_events.h"
#include "emu/selftest/invariant.h"
#include "emu/selftest/world_bus.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/rm/rm_tables.h"

enum { RINGS_MAX = 4096, CHANNEL_OF_RUNLIST = 0xffff };

/* What is known of the ring of one channel, or of one HSA queue. */
struct ring {
    uint64_t id;
    uint64_t put; /* entries or packets that are submitted */
    uint64_t get; /* of them, those that were taken up */
};

struct rings {
    struct ring ring[RINGS_MAX];
    uint32_t count;
};

static struct ring *ring_of(struct rings *rings, uint64_t id)
{
    uint32_t i = 0;

    while (i < rings->count && rings->ring[i].id != id)
        i++;
    if (i == RINGS_MAX)
        return NULL;
    if (i == rings->count)
        rings->ring[rings->count++] = (struct ring){.id = id};
    return &rings->ring[i];
}

static void put(struct ring *ring, uint64_t last)
{
    if (ring && last + 1 > ring->put)
        ring->put = last + 1;
}

static bool get(struct ring *ring, const struct log_event *event, uint64_t number, bool in_order,
                char says[INVARIANT_SAYS_BYTES])
{
    if (!ring)
        return true;
    if (number >= ring->put)
        return invariant_wrong(says,
                               "ring %" PRIu64 ": number %" PRIu64 " of %" PRIu64
                               " submitted is taken up at %" PRIu64 " ps",
                               ring->id, number, ring->put, event->time_ps);
    if (in_order && number != ring->get)
        return invariant_wrong(says,
                               "ring %" PRIu64 ": number %" PRIu64
                               " is taken up in place of %" PRIu64 " at %" PRIu64 " ps",
                               ring->id, number, ring->get, event->time_ps);
    ring->get = number + 1;
    return true;
}

/* The time of a register-level program's steps is the program's own. */
static void put_of_program(const struct world_run *run, struct ring *ring, gfe_ps now_ps)
{
    const uint32_t entries =
        world_bus_entries(world_program(run->loaded->world), ring->id & CHANNEL_OF_RUNLIST, now_ps);

    if (entries > 0)
        put(ring, entries - 1);
}

static bool take(const struct world_run *run, struct rings *rings, const struct log_event *event,
                 char says[INVARIANT_SAYS_BYTES])
{
    struct ring *ring;

    switch (event->kind) {
    case EVENT_CUDA_SUBMIT:
        put(ring_of(rings, event_cuda_submit_of(event).channel_id),
            event_cuda_submit_of(event).gp_sequence);
        return true;
    case EVENT_CUDA_RECORD:
        put(ring_of(rings, event_cuda_record_of(event).channel_id),
            event_cuda_record_of(event).gp_sequence);
        return true;
    case EVENT_RM_CONTEXT_INIT: /* an entry of the driver's own */
        ring = ring_of(rings, event_rm_context_init_of(event).channel_id);
        put(ring, ring ? ring->put : 0);
        return true;
    case EVENT_RM_ALLOCATION:
        ring = ring_of(rings, event_rm_allocation_of(event).channel_id);
        put(ring, ring ? ring->put : 0);
        return true;
    case EVENT_HIP_SUBMIT:
        put(ring_of(rings, event_hip_submit_of(event).doorbell_index),
            event_hip_submit_of(event).packet_index);
        return true;
    case EVENT_NV_GP_FETCH:
        ring = ring_of(rings, event_nv_gp_fetch_of(event).channel_id);
        if (ring && run->kind == WORLD_BUS)
            put_of_program(run, ring, event->time_ps);
        return get(ring, event, event_nv_gp_fetch_of(event).gp_sequence, true, says);
    case EVENT_AMD_PACKET:
        ring = ring_of(rings, event_amd_packet_of(event).doorbell_index);
        return !event_amd_packet_of(event).is_aql ||
               get(ring, event, event_amd_packet_of(event).packet_index, false, says);
    default:
        return true;
    }
}

bool invariant_put(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct rings *rings = calloc(1, sizeof *rings);
    bool holds = rings != NULL;

    if (!rings)
        return invariant_wrong(says, "no memory for an account of rings");
    for (uint32_t i = 0; run->disturbance < WORLD_FAULTY && holds && i < run->event_count; i++)
        holds = take(run, rings, &run->events[i], says);
    free(rings);
    return holds;
}
