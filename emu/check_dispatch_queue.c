/* SPDX-License-Identifier: MIT */
/* AMD's hardware queue slots: one queue in a slot, one slot for a queue, a VMID for a process, and
 * packets one after another. */
#include <config.h>

#include <inttypes.h>

#include "emu/check_dispatch.h"

/* The ring of a doorbell, new if need be; NULL: no memory. */
static struct dispatch_ring *ring_of(struct check *check, uint64_t doorbell)
{
    struct check_dispatch *dispatch = check->dispatch;
    const uint32_t found = id_map_find(&dispatch->ring_ids, doorbell);
    struct dispatch_ring *rings;

    if (found != ID_MAP_NONE)
        return &dispatch->rings[found];
    rings = check_room(check, dispatch->rings, dispatch->ring_count, &dispatch->ring_capacity,
                       sizeof *rings);
    if (!rings)
        return NULL;
    dispatch->rings = rings;
    if (!id_map_add(&dispatch->ring_ids, doorbell, dispatch->ring_count)) {
        check->no_memory = true;
        return NULL;
    }
    rings[dispatch->ring_count] = (struct dispatch_ring){.doorbell = doorbell, .hqd = CHECK_NONE};
    return &rings[dispatch->ring_count++];
}

/* slot, doorbell, vmid, is_aql, read_index */
void check_hqd_load(struct check *check, const uint64_t *values)
{
    struct check_dispatch *dispatch = check->dispatch;
    const struct check_event event = check_event_at(
        check->now, "slot %" PRIu64 " gets the queue of doorbell %" PRIu64, values[0], values[1]);
    struct dispatch_ring *ring = ring_of(check, values[1]);

    if (!ring)
        return;
    if (values[0] >= DISPATCH_HQDS) {
        check_violation(check, "LOG", NULL, &event, "there is no such slot");
        return;
    }
    if (dispatch->hqds[values[0]] != CHECK_NONE)
        check_violation(check, "A.H1", &dispatch->loaded[values[0]], &event,
                        "the slot has a queue");
    if (ring->hqd != CHECK_NONE)
        check_violation(check, "A.H1", &dispatch->loaded[ring->hqd], &event,
                        "the queue is in slot %" PRIu32, ring->hqd);
    if (values[2] >= check->limits->vmid_count ||
        (values[2] != 0 && values[2] < check->limits->first_vmid))
        check_violation(check, "A.H1", NULL, &event, "VMID %" PRIu64 " is no program's", values[2]);
    dispatch->hqds[values[0]] = (uint32_t)(ring - dispatch->rings);
    dispatch->loaded[values[0]] = event;
    ring->hqd = (uint32_t)values[0];
    ring->is_aql = values[3] != 0;
    if (ring->started && ring->next != values[4])
        check_violation(check, "A.Q1", NULL, &event,
                        "it goes on at packet %" PRIu64 ", but was at %" PRIu64, values[4],
                        ring->next);
    ring->next = values[4];
    ring->started = true;
    /* How far it was written is read from memory now: doorbells that found it in no slot are not in
     * the log. */
    ring->rung = false;
}

/* slot, doorbell */
void check_hqd_leave(struct check *check, const uint64_t *values)
{
    struct check_dispatch *dispatch = check->dispatch;
    const struct check_event event = check_event_at(
        check->now, "the queue of doorbell %" PRIu64 " leaves slot %" PRIu64, values[1], values[0]);
    struct dispatch_ring *ring = ring_of(check, values[1]);

    if (!ring)
        return;
    if (ring->hqd == CHECK_NONE || ring->hqd != values[0]) {
        check_violation(check, "A.H1", NULL, &event, "it is not in that slot");
        return;
    }
    dispatch->hqds[ring->hqd] = CHECK_NONE;
    ring->hqd = CHECK_NONE;
    ring->next = values[2];
}

/* doorbell, write_index */
void check_hqd_doorbell(struct check *check, const uint64_t *values)
{
    struct dispatch_ring *ring = ring_of(check, values[0]);

    if (!ring)
        return;
    ring->rung = true;
    ring->written = values[1];
    ring->rang = check_event_at(check->now, "doorbell %" PRIu64 " is rung, up to %" PRIu64,
                                values[0], values[1]);
}

/* slot, doorbell, packet_index, is_aql */
void check_hqd_packet(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "packet %" PRIu64 " of doorbell %" PRIu64, values[2], values[1]);
    struct dispatch_ring *ring = ring_of(check, values[1]);

    if (!ring)
        return;
    if (ring->hqd == CHECK_NONE || ring->hqd != values[0])
        check_violation(check, "A.H1", NULL, &event, "its queue is not in slot %" PRIu64,
                        values[0]);
    if (values[3] != 0 ? values[2] != ring->next : values[2] < ring->next)
        check_violation(check, "A.Q1", NULL, &event, "the next one is %" PRIu64, ring->next);
    if (ring->rung && values[2] >= ring->written)
        check_violation(check, "A.Q1", &ring->rang, &event, "the doorbell was not rung for it yet");
    ring->next = values[2] + 1;
}

/* doorbell, packet_index */
void check_hqd_packet_end(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "end of packet %" PRIu64 " of doorbell %" PRIu64, values[1], values[0]);
    const struct dispatch_ring *ring = ring_of(check, values[0]);

    if (ring && values[1] >= ring->next)
        check_violation(check, "LOG", NULL, &event, "it was not taken up");
}

/* pasid, vmid */
void check_hqd_map(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "process %" PRIu64 " gets VMID %" PRIu64, values[0], values[1]);

    if (values[1] >= DISPATCH_VMIDS || values[1] >= check->limits->vmid_count ||
        values[1] < check->limits->first_vmid) {
        check_violation(check, "A.H1", NULL, &event, "that VMID is no program's");
        return;
    }
    for (uint32_t i = 0; i < DISPATCH_VMIDS; i++) {
        const bool used = check->dispatch->vmids[i].queues > 0;
        const bool same = check->dispatch->vmids[i].pasid == values[0];

        if (used && i == values[1] && !same)
            check_violation(check, "A.H1", NULL, &event, "process %" PRIu64 " has it",
                            check->dispatch->vmids[i].pasid);
        if (used && i != values[1] && same)
            check_violation(check, "A.H1", NULL, &event, "it has VMID %" PRIu32, i);
    }
    check->dispatch->vmids[values[1]].pasid = values[0];
    check->dispatch->vmids[values[1]].queues++;
}

/* pasid */
void check_hqd_unmap(struct check *check, const uint64_t *values)
{
    for (uint32_t i = 0; i < DISPATCH_VMIDS; i++)
        if (check->dispatch->vmids[i].queues > 0 && check->dispatch->vmids[i].pasid == values[0]) {
            check->dispatch->vmids[i].queues--;
            return;
        }
}
