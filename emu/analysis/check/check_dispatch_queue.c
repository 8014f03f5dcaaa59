/* SPDX-License-Identifier: MIT */
/* AMD's hardware queue slots: one queue in a slot, one slot for a queue, a VMID for a process, and
 * packets one after another. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/check/check_dispatch.h"

enum {
    REQUEST_RESET = 2, /* of AMD_QUEUE_LEAVE: RESET_WAVES */
    /* AQL's types, and dispatches of PM4 */
    CODE_DISPATCH = 2,
    CODE_BARRIER_AND = 3,
    CODE_BARRIER_OR = 5,
    CODE_DIRECT = 0x15,
    CODE_INDIRECT = 0x16,
};

/* Returns the ring of a doorbell, which is made if need be, or NULL without memory. */
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
    rings[dispatch->ring_count] = (struct dispatch_ring){
        .doorbell = doorbell, .hqd = CHECK_NONE, .first_grid = CHECK_NONE, .last_grid = CHECK_NONE};
    return &rings[dispatch->ring_count++];
}

/* ---- dispatches that move with their queue ----------------------------------------------------
 */

/* ACE and queue of a slot; false: it is none of a micro engine for programs. */
static bool place_of(const struct check *check, uint64_t hqd, uint32_t *ace, uint32_t *queue)
{
    *ace = (uint32_t)(hqd / check->limits->queues_per_ace);
    *queue = (uint32_t)(hqd % check->limits->queues_per_ace);
    return *ace < check->limits->ace_count && *ace < DISPATCH_ACES && *queue < DISPATCH_QUEUES;
}

/* Those that are over are forgotten on the way. */
static void ring_prune(struct check_dispatch *dispatch, struct dispatch_ring *ring)
{
    while (ring->first_grid != CHECK_NONE && dispatch->grids[ring->first_grid].over)
        ring->first_grid = dispatch->grids[ring->first_grid].next_of_ring;
    if (ring->first_grid == CHECK_NONE)
        ring->last_grid = CHECK_NONE;
}

/* What a queue had not staged when it left its slot is in that of its new one now. */
static void ring_arrives(struct check *check, struct dispatch_ring *ring)
{
    struct check_dispatch *dispatch = check->dispatch;
    uint32_t ace, queue;

    if (!place_of(check, ring->hqd, &ace, &queue))
        return;
    ring_prune(dispatch, ring);
    dispatch->aces[ace].held_until_ps[queue] = ring->first_grid == CHECK_NONE ? 0 : GFE_PS_NEVER;
    for (uint32_t i = ring->first_grid; i != CHECK_NONE; i = dispatch->grids[i].next_of_ring) {
        struct dispatch_grid *grid = &dispatch->grids[i];

        if (grid->over || !grid->known)
            continue;
        grid->ace = ace;
        grid->queue = queue;
        if (grid->to_stage > 0)
            check_dispatch_append(check, grid);
    }
}

static void ring_leaves(struct check *check, const struct dispatch_ring *ring)
{
    struct check_dispatch *dispatch = check->dispatch;
    uint32_t ace, queue;

    if (!place_of(check, ring->hqd, &ace, &queue))
        return;
    dispatch->aces[ace].held_until_ps[queue] = 0;
    dispatch->aces[ace].first[queue] = dispatch->aces[ace].last[queue] = CHECK_NONE;
}

/* doorbell, grid */
void check_hqd_launch(struct check *check, const uint64_t *values)
{
    struct check_dispatch *dispatch = check->dispatch;
    const uint32_t index = id_map_find(&dispatch->grid_ids, values[1]);
    struct dispatch_ring *ring = ring_of(check, values[0]);

    if (!ring || index == ID_MAP_NONE || dispatch->grids[index].next_of_ring != CHECK_NONE ||
        ring->last_grid == index)
        return;
    ring->open++;
    ring_prune(dispatch, ring);
    if (ring->last_grid == CHECK_NONE)
        ring->first_grid = index;
    else
        dispatch->grids[ring->last_grid].next_of_ring = index;
    ring->last_grid = index;
}

/* pipe, slot, queue */
void check_hqd_preempt(struct check *check, const uint64_t *values)
{
    check_rotation_preempt(check, values[2]);
    if (values[0] < DISPATCH_ACES && values[1] < DISPATCH_QUEUES)
        check->dispatch->aces[values[0]].held_until_ps[values[1]] = GFE_PS_NEVER;
}

static void held_until(struct check *check, uint64_t doorbell, gfe_ps until_ps)
{
    const struct dispatch_ring *ring = ring_of(check, doorbell);
    uint32_t ace, queue;

    if (ring && ring->hqd != CHECK_NONE && place_of(check, ring->hqd, &ace, &queue))
        check->dispatch->aces[ace].held_until_ps[queue] = until_ps;
}

/* doorbell: it goes on until its dispatches are complete. */
void check_hqd_refused(struct check *check, const uint64_t *values)
{
    held_until(check, values[0], 0);
}

/* doorbell, duration */
void check_hqd_save(struct check *check, const uint64_t *values)
{
    struct dispatch_ring *ring = ring_of(check, values[0]);

    if (ring)
        ring->saved_ps = clock_add(check->now, values[1]);
}

/* doorbell, duration */
void check_hqd_restore(struct check *check, const uint64_t *values)
{
    held_until(check, values[0], clock_add(check->now, values[1]));
}

/* ---- slots ------------------------------------------------------------------------------------
 */

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
    ring_arrives(check, ring);
}

/* slot, doorbell, read_index, request */
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
    if (check->now < ring->saved_ps)
        check_violation(check, "AMD.CWSR", &dispatch->loaded[ring->hqd], &event,
                        "its waves are saved at %" PRIu64 " ps only", ring->saved_ps);
    ring_leaves(check, ring);
    dispatch->hqds[ring->hqd] = CHECK_NONE;
    ring->hqd = CHECK_NONE;
    ring->next = values[2];
    ring->in_barrier = false;
    if (values[3] == REQUEST_RESET) /* its dispatches are thrown away */
        ring->open = 0;
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

/* A packet with the barrier bit is taken up: is all in front of it complete? */
static void barrier_bit(struct check *check, const struct dispatch_ring *ring,
                        const struct check_event *event)
{
    if (ring->open > 0)
        check_violation(check, "A.Q3", &ring->last, event,
                        "it has the barrier bit, and %" PRIu32 " in front of it are not complete",
                        ring->open);
    else if (ring->in_barrier)
        check_violation(check, "A.Q3", &ring->last, event,
                        "it has the barrier bit, and the barrier in front is not complete");
}

/* slot, doorbell, packet_index, is_aql, code, barrier */
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
    if (values[3] == 0 &&
        ring->is_aql) { /* PM4 of the buffer that the packet taken up last names */
        if (values[2] + 1 != ring->next)
            check_violation(check, "A.Q1", NULL, &event, "it is of another packet's buffer");
        return;
    }
    if (values[3] != 0 ? values[2] != ring->next : values[2] < ring->next)
        check_violation(check, "A.Q1", NULL, &event, "the next one is %" PRIu64, ring->next);
    if (ring->rung && values[2] >= ring->written)
        check_violation(check, "A.Q1", &ring->rang, &event, "the doorbell was not rung for it yet");
    ring->next = values[2] + 1;
    check_rotation_time(check, "a packet is taken up");
    if (values[3] == 0)
        return;
    if (values[5] != 0)
        barrier_bit(check, ring, &event);
    ring->in_barrier = values[4] == CODE_BARRIER_AND || values[4] == CODE_BARRIER_OR;
    ring->signals = ring->met = 0;
    ring->last = event;
}

/* doorbell, packet_index, value: of a barrier packet that has been taken up */
void check_hqd_depends(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "a signal of packet %" PRIu64 " of doorbell %" PRIu64, values[1], values[0]);
    struct dispatch_ring *ring = ring_of(check, values[0]);

    if (!ring)
        return;
    if (!ring->in_barrier || values[1] + 1 != ring->next) {
        check_violation(check, "LOG", NULL, &event, "it is no barrier that was taken up last");
        return;
    }
    ring->signals++;
    ring->met += values[2] == 0;
}

/* All signals have to be zero, or one of them. */
static void barrier_met(struct check *check, const struct dispatch_ring *ring, uint64_t code,
                        const struct check_event *event)
{
    if (code == CODE_BARRIER_AND && ring->met < ring->signals)
        check_violation(check, "AMD.DEPENDS", &ring->last, event,
                        "%" PRIu32 " of its %" PRIu32 " signals are not zero",
                        ring->signals - ring->met, ring->signals);
    if (code == CODE_BARRIER_OR && ring->signals > 0 && ring->met == 0)
        check_violation(check, "AMD.DEPENDS", &ring->last, event,
                        "none of its %" PRIu32 " signals is zero", ring->signals);
}

/* doorbell: the driver makes a queue, in dwords of the aperture */
void check_hqd_new(struct check *check, const uint64_t *values)
{
    struct dispatch_ring *ring = ring_of(check, values[0] / 2);

    check_dma_new(check, values[0] / 2);
    if (ring && ring->hqd == CHECK_NONE) {
        ring->started = ring->in_barrier = false;
        ring->open = 0;
    }
}

/* doorbell, packet_index, code */
void check_hqd_packet_end(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "end of packet %" PRIu64 " of doorbell %" PRIu64, values[1], values[0]);
    struct dispatch_ring *ring = ring_of(check, values[0]);

    if (!ring)
        return;
    if (values[1] >= ring->next)
        check_violation(check, "LOG", NULL, &event, "it was not taken up");
    if (ring->in_barrier && (values[2] == CODE_BARRIER_AND || values[2] == CODE_BARRIER_OR)) {
        barrier_met(check, ring, values[2], &event);
        ring->in_barrier = false;
    } else if (values[2] == CODE_DISPATCH || values[2] == CODE_DIRECT ||
               values[2] == CODE_INDIRECT) {
        if (ring->open == 0)
            check_violation(check, "LOG", NULL, &event, "no dispatch of the queue is on its way");
        else
            ring->open--;
    }
}

/* pasid, vmid, queue */
void check_hqd_map(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "process %" PRIu64 " gets VMID %" PRIu64, values[0], values[1]);

    check_rotation_map(check, values[2]);
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

/* pasid, queue */
void check_hqd_unmap(struct check *check, const uint64_t *values)
{
    check_rotation_left(check, values[1]);
    for (uint32_t i = 0; i < DISPATCH_VMIDS; i++)
        if (check->dispatch->vmids[i].queues > 0 && check->dispatch->vmids[i].pasid == values[0]) {
            check->dispatch->vmids[i].queues--;
            return;
        }
}
