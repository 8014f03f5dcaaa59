/* SPDX-License-Identifier: MIT */
/*
 * What packets asked for and is not complete: a list for each queue, in the order of its packets.
 * Dispatches complete as they end, whatever is in front of them; a release (RELEASE_MEM, the end of
 * an indirect buffer of an AQL packet) when all in front of it is complete.
 */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* amd_signal_t (ROCR-Runtime amd_hsa_signal.h). */
enum {
    SIGNAL_VALUE = 8,
    SIGNAL_MAILBOX = 16,
    SIGNAL_EVENT_ID = 24,
    SIGNAL_START = 32,
    SIGNAL_BYTES = 48,
};
/* amd_queue_t (amd_hsa_queue.h). */
enum { QUEUE_READ_DISPATCH_ID = 0x80, QUEUE_PROPERTIES = 0xb4, QUEUE_PROFILING = 1 << 3 };

static struct amd_pending *amd_mec_record(const struct amd_mec *mec, uint32_t link)
{
    return &mec->state->pending[link - 1];
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Each queue has some places of its own, which no other queue can take.  The shared places go to
 * the queues that need them first.  A pipe looks for a place before it takes a packet up, and uses
 * the place later: one packet of each pipe, with two records, is on its way. */
enum {
    PENDING_SHARED = AMD_PENDING_MAX - AMD_SLOTS * AMD_PENDING_OWN - 2 * AMD_MECS * AMD_PIPES_MAX,
    DISPATCHES_SHARED =
        AMD_GRIDS_MAX - AMD_PIPES_MAX * AMD_QUEUES_PER_PIPE_MAX * AMD_PENDING_OWN - AMD_PIPES_MAX,
};

bool amd_mec_has_room(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_state *state = mec->state;
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    return (queue->pending_count < AMD_PENDING_OWN || state->shared_pending < PENDING_SHARED) &&
           (queue->dispatches < AMD_PENDING_OWN || state->shared_dispatches < DISPATCHES_SHARED);
}

/* One of a queue's counts goes up by one, or down. */
static void amd_mec_count(uint32_t *count, uint32_t *shared, int change)
{
    if (change > 0) {
        *shared += *count >= AMD_PENDING_OWN;
        ++*count;
    } else {
        --*count;
        *shared -= *count >= AMD_PENDING_OWN;
    }
}

void amd_mec_count_dispatch(struct amd_mec *mec, uint32_t slot_id, int change)
{
    amd_mec_count(&amd_mec_queue(mec, slot_id)->dispatches, &mec->state->shared_dispatches, change);
}

OFTEN struct amd_pending *amd_mec_pend(struct amd_mec *mec, uint32_t slot_id, uint32_t code)
{
    struct amd_mec_state *state = mec->state;
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    struct amd_pending *record;
    uint32_t link = state->free_pending;

    if (link != 0)
        state->free_pending = amd_mec_record(mec, link)->next;
    else
        link = ++state->used_pending;
    assert(link <= AMD_PENDING_MAX);
    if (queue->pending_last != 0)
        amd_mec_record(mec, queue->pending_last)->next = link;
    else
        queue->pending_first = link;
    queue->pending_last = link;
    amd_mec_count(&queue->pending_count, &state->shared_pending, 1);
    record = amd_mec_record(mec, link);
    /* A free one is 0 but for the next. */
    record->packet = queue->packet;
    record->begin_ps = machine_now(mec->machine);
    record->slot_id = slot_id;
    record->next = 0;
    record->code = code;
    return record;
}

static OFTEN void amd_mec_remove(struct amd_mec *mec, uint32_t link)
{
    struct amd_pending *record = amd_mec_record(mec, link);
    struct amd_mec_queue *queue = amd_mec_queue(mec, record->slot_id);
    uint32_t before = 0;

    for (uint32_t at = queue->pending_first; at != link; at = amd_mec_record(mec, at)->next)
        before = at;
    if (before != 0)
        amd_mec_record(mec, before)->next = record->next;
    else
        queue->pending_first = record->next;
    if (queue->pending_last == link)
        queue->pending_last = before;
    amd_mec_count(&queue->pending_count, &mec->state->shared_pending, -1);
    *record = (struct amd_pending){.next = mec->state->free_pending};
    mec->state->free_pending = link;
}

/* Those that waited for a place in the tables. */
static void amd_mec_room(struct amd_mec *mec)
{
    uint64_t *const waits = &mec->state->room_waits;
    uint64_t left = UINT64_MAX;

    _Static_assert(AMD_SLOTS <= 64, "a bit for each slot");
    while ((*waits & left) != 0) {
        const uint32_t slot_id = (uint32_t)__builtin_ctzll(*waits & left);

        if (amd_mec_queue(mec, slot_id)->block_rule == RULE_AMD_ROOM)
            amd_mec_retry(mec, slot_id);
        if (amd_mec_queue(mec, slot_id)->block_rule != RULE_AMD_ROOM)
            *waits &= ~(UINT64_C(1) << slot_id);
        left =
            (UINT64_MAX - 1) << slot_id; /* those behind it, also if they have come to wait now */
    }
}

/* ---- queues that are in no slot: all that they have counts as shared ------------------------- */

/* Returns how many of `count` packets or dispatches of a queue lie in the AMD_PENDING_OWN places
 * that are the queue's alone; the others lie in shared places. */
static uint32_t amd_mec_own(uint32_t count)
{
    return count < AMD_PENDING_OWN ? count : AMD_PENDING_OWN;
}

bool amd_mec_reserve_park(struct amd_mec *mec)
{
    struct amd_mec_state *state = mec->state;

    if (state->shared_pending + AMD_PENDING_OWN > PENDING_SHARED ||
        state->shared_dispatches + AMD_PENDING_OWN > DISPATCHES_SHARED)
        return false;
    state->shared_pending += AMD_PENDING_OWN;
    state->shared_dispatches += AMD_PENDING_OWN;
    return true;
}

void amd_mec_release_park(struct amd_mec *mec)
{
    mec->state->shared_pending -= AMD_PENDING_OWN;
    mec->state->shared_dispatches -= AMD_PENDING_OWN;
}

void amd_mec_park_list(struct amd_mec *mec, uint32_t slot_id, struct amd_parked *parked)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    parked->pending_first = queue->pending_first;
    parked->pending_last = queue->pending_last;
    parked->pending_count = queue->pending_count;
    parked->dispatches = queue->dispatches;
    mec->state->shared_pending += amd_mec_own(queue->pending_count);
    mec->state->shared_dispatches += amd_mec_own(queue->dispatches);
    queue->pending_first = queue->pending_last = queue->pending_count = queue->dispatches = 0;
}

void amd_mec_unpark_list(struct amd_mec *mec, uint32_t slot_id, const struct amd_parked *parked)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    queue->pending_first = parked->pending_first;
    queue->pending_last = parked->pending_last;
    queue->pending_count = parked->pending_count;
    queue->dispatches = parked->dispatches;
    mec->state->shared_pending -= amd_mec_own(queue->pending_count);
    mec->state->shared_dispatches -= amd_mec_own(queue->dispatches);
    for (uint32_t link = queue->pending_first; link != 0; link = amd_mec_record(mec, link)->next)
        amd_mec_record(mec, link)->slot_id = slot_id;
}

void amd_mec_drop_list(struct amd_mec *mec, const struct amd_parked *parked)
{
    uint32_t link = parked->pending_first;

    while (link != 0) {
        const uint32_t next = amd_mec_record(mec, link)->next;

        *amd_mec_record(mec, link) = (struct amd_pending){.next = mec->state->free_pending};
        mec->state->free_pending = link;
        link = next;
    }
    mec->state->shared_pending -= parked->pending_count;
    mec->state->shared_dispatches -= parked->dispatches;
    amd_mec_room(mec);
}

void amd_mec_remove_unfinished(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t link = queue->pending_first;

    while (link != 0) {
        const uint32_t next = amd_mec_record(mec, link)->next;

        if (!amd_mec_record(mec, link)->releasing)
            amd_mec_remove(mec, link);
        link = next;
    }
    while (queue->dispatches > queue->releasing)
        amd_mec_count_dispatch(mec, slot_id, -1);
    amd_mec_room(mec);
}

/* ---- signals --------------------------------------------------------------------------------- */

static uint64_t amd_mec_clock(const struct amd_mec *mec, gfe_ps time_ps)
{
    const struct clock_domain clock = {.frequency_hz = mec->chip->reference_hz};

    return clock_cycle_at(&clock, time_ps);
}

/* The runtime has asked for times.  space_id: of the queue's VMID. */
static inline __attribute__((always_inline)) bool
amd_mec_profiles(struct amd_mec *mec, uint32_t slot_id, const uint32_t *hqd, uint32_t space_id)
{
    const uint64_t report =
        amd_hqd_reg64(hqd, CP_HQD_PQ_RPTR_REPORT_ADDR, CP_HQD_PQ_RPTR_REPORT_ADDR_HI);
    const uint64_t at = report - QUEUE_READ_DISPATCH_ID + QUEUE_PROPERTIES;
    const uint8_t *here;
    uint32_t properties = 0;
    uint64_t fault;

    if (!amd_hqd_is_aql(hqd) || report == 0)
        return false;
    here =
        machine_vm_seen(mec->machine, &mec->near[slot_id].program, space_id, at, sizeof properties);
    if (here)
        memcpy(&properties, here, sizeof properties);
    else if (!amd_vm_read(mec->vm, amd_hqd_vmid(hqd), at, &properties, sizeof properties, &fault))
        return false;
    return (properties & QUEUE_PROFILING) != 0;
}

/* When what the signal is for began and ended. */
static bool amd_mec_write_times(struct amd_mec *mec, uint32_t slot_id, uint64_t signal,
                                gfe_ps begin_ps)
{
    const uint64_t times[2] = {amd_mec_clock(mec, begin_ps),
                               amd_mec_clock(mec, machine_now(mec->machine))};

    machine_vm_wrote_own(mec->machine, amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id)),
                         signal + SIGNAL_START, sizeof times);
    return amd_mec_write(mec, slot_id, signal + SIGNAL_START, times, sizeof times);
}

/* Passes the decrement through its site of faults, which may change where it goes.  Returns false
 * if a fault loses it. */
static bool amd_mec_signal_passes(struct amd_mec *mec, uint32_t slot_id,
                                  struct amd_inject_signal *signal)
{
    signal->space_id = amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id));
    return machine_inject(mec->machine, mec->unit, AMD_INJECT_SIGNAL,
                          amd_mec_doorbell_of(mec, slot_id), signal, sizeof *signal);
}

static bool amd_mec_release_passes(struct amd_mec *mec, uint32_t slot_id, uint64_t *address,
                                   uint64_t *value, uint32_t bytes)
{
    struct amd_inject_write write = {.address = *address,
                                     .value = *value,
                                     .space_id = amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id)),
                                     .bytes = bytes,
                                     .slot = slot_id};
    const bool passes = machine_inject(mec->machine, mec->unit, AMD_INJECT_RELEASE,
                                       amd_mec_doorbell_of(mec, slot_id), &write, sizeof write);

    *address = write.address;
    *value = write.value;
    return passes;
}

/* Wakes the threads that sleep on the signal, by its mailbox and an interrupt. */
static void amd_mec_signal_wake(struct amd_mec *mec, uint32_t slot_id, uint64_t mailbox,
                                uint64_t event_id)
{
    if (amd_mec_write(mec, slot_id, mailbox, &event_id, sizeof event_id))
        amd_mec_interrupt(mec, slot_id, AMD_IH_EOP, (uint32_t)event_id);
}

static uint64_t amd_mec_word(const uint8_t *signal, uint32_t offset)
{
    uint64_t word;

    memcpy(&word, &signal[offset], sizeof word);
    return word;
}

/* Completes a signal in the usual case: it can be changed in place, and no times are asked for. */
static void amd_mec_signal_here(struct amd_mec *mec, uint32_t slot_id, uint64_t packet,
                                uint64_t signal, const uint32_t *hqd, uint8_t *here)
{
    const uint64_t mailbox = amd_mec_word(here, SIGNAL_MAILBOX);
    const uint64_t event_id = (uint32_t)amd_mec_word(here, SIGNAL_EVENT_ID);
    const uint64_t value = amd_mec_word(here, SIGNAL_VALUE) - 1;

    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_SIGNAL, RULE_NONE, amd_hqd_doorbell(hqd), packet,
                signal, value, mailbox ? event_id : 0);
    memcpy(&here[SIGNAL_VALUE], &value, sizeof value);
    amd_vm_released(mec->vm, amd_hqd_vmid(hqd), signal + SIGNAL_VALUE, (uint32_t)value);
    if (mailbox != 0)
        amd_mec_signal_wake(mec, slot_id, mailbox, event_id);
}

static __attribute__((noinline)) void amd_mec_signal_far(struct amd_mec *mec, uint32_t slot_id,
                                                         uint64_t packet, uint64_t signal,
                                                         gfe_ps begin_ps)
{
    struct amd_inject_signal down = {
        .address = signal + SIGNAL_VALUE, .signal = signal, .packet = packet, .begin_ps = begin_ps};
    const uint32_t *hqd = amd_mec_hqd(mec, slot_id);
    const uint32_t vmid = amd_hqd_vmid(hqd);
    uint64_t words[SIGNAL_BYTES / 8], event_id, mailbox;

    if (!amd_mec_vm_read(mec, slot_id, vmid, signal, words, sizeof words))
        return;
    mailbox = words[SIGNAL_MAILBOX / 8];
    event_id = (uint32_t)words[SIGNAL_EVENT_ID / 8];
    down.value = words[SIGNAL_VALUE / 8] - 1;
    if (mec->machine->inject && !amd_mec_signal_passes(mec, slot_id, &down))
        return;
    if (amd_mec_profiles(mec, slot_id, hqd, amd_vm_space(mec->vm, vmid)) &&
        !amd_mec_write_times(mec, slot_id, signal, begin_ps))
        return;
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_SIGNAL, RULE_NONE, amd_hqd_doorbell(hqd), packet,
                signal, down.value, mailbox ? event_id : 0);
    if (!amd_mec_vm_write(mec, slot_id, vmid, down.address, &down.value, sizeof down.value))
        return;
    amd_vm_released(mec->vm, vmid, down.address, (uint32_t)down.value);
    if (mailbox != 0)
        amd_mec_signal_wake(mec, slot_id, mailbox, event_id);
}

OFTEN void amd_mec_signal(struct amd_mec *mec, uint32_t slot_id, const uint32_t *hqd,
                          uint64_t packet, uint64_t signal, gfe_ps begin_ps)
{
    const uint32_t space_id = amd_vm_space(mec->vm, amd_hqd_vmid(hqd));
    uint8_t *here = NULL;

    if (!mec->machine->inject && !amd_mec_profiles(mec, slot_id, hqd, space_id))
        here = machine_vm_here(mec->machine, &mec->near[slot_id].signal, space_id, signal,
                               SIGNAL_BYTES);
    if (here)
        amd_mec_signal_here(mec, slot_id, packet, signal, hqd, here);
    else
        amd_mec_signal_far(mec, slot_id, packet, signal, begin_ps);
}

void amd_mec_signal_late(struct amd_mec *mec, uint32_t slot_id, uint64_t packet, uint64_t signal,
                         gfe_ps begin_ps)
{
    amd_mec_signal(mec, slot_id, amd_mec_hqd(mec, slot_id), packet, signal, begin_ps);
}

/* ---- completion ------------------------------------------------------------------------------ */

/* What RELEASE_MEM writes, and whom it tells. */
static void amd_mec_release(struct amd_mec *mec, const struct amd_pending *record)
{
    const uint32_t bytes = record->data_sel == AMD_DATA_32 ? 4 : 8;
    uint64_t at = record->signal, data = record->data_sel == AMD_DATA_CLOCK
                                             ? amd_mec_clock(mec, machine_now(mec->machine))
                                             : record->data;

    if (record->data_sel != AMD_DATA_NONE && record->signal != 0) {
        if (mec->machine->inject &&
            !amd_mec_release_passes(mec, record->slot_id, &at, &data, bytes))
            return;
        MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_WRITE, RULE_NONE, record->slot_id,
                    amd_mec_doorbell_of(mec, record->slot_id), at,
                    bytes == 4 ? (uint32_t)data : data, bytes);
        if (!amd_mec_complete_value(mec, record->slot_id, at, data, bytes))
            return;
        if (record->data_sel == AMD_DATA_CLOCK)
            machine_vm_wrote_own(
                mec->machine, amd_vm_space(mec->vm, amd_mec_vmid(mec, record->slot_id)), at, bytes);
    }
    if (record->int_sel == AMD_INT_ONLY || record->int_sel == AMD_INT_AFTER_CONFIRM)
        amd_mec_interrupt(mec, record->slot_id, AMD_IH_EOP, record->context_id);
}

/* The record's effects; then it is gone. */
static OFTEN void amd_mec_complete(struct amd_mec *mec, uint32_t link)
{
    const struct amd_pending *const record = amd_mec_record(mec, link);
    const uint32_t slot_id = record->slot_id;
    const uint32_t *hqd = amd_mec_hqd(mec, slot_id);
    const uint64_t packet = record->packet, signal = record->signal;
    const gfe_ps begin_ps = record->begin_ps;

    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_PACKET_END, RULE_NONE, slot_id,
                amd_hqd_doorbell(hqd), packet, record->code);
    if (record->is_release) {
        const struct amd_pending release = *record;

        amd_mec_remove(mec, link);
        amd_mec_release(mec, &release);
    } else {
        amd_mec_remove(mec, link);
        if (signal != 0)
            amd_mec_signal(mec, slot_id, hqd, packet, signal, begin_ps);
    }
}

void amd_mec_settle(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    while (queue->pending_first != 0 && amd_mec_record(mec, queue->pending_first)->grid_id == 0)
        amd_mec_complete(mec, queue->pending_first);
}

OFTEN void amd_mec_dispatched(void *unit, uint32_t ace, uint32_t queue, uint64_t grid_id)
{
    struct amd_mec *mec = unit;
    const uint32_t slot_id = amd_slot_id(1, ace, queue);
    uint32_t link = amd_mec_queue(mec, slot_id)->pending_first;

    while (link != 0 && amd_mec_record(mec, link)->grid_id != grid_id)
        link = amd_mec_record(mec, link)->next;
    if (link == 0)
        return; /* it has been thrown away */
    amd_mec_record(mec, link)->releasing = 1;
    amd_mec_queue(mec, slot_id)->releasing++;
    machine_schedule(mec->machine, mec->unit,
                     machine_now(mec->machine) + machine_parameter(mec->machine, PARAM_AMD_EOP_PS),
                     AMD_MEC_RELEASED, link);
}

void amd_mec_released(struct amd_mec *mec, uint32_t link)
{
    const uint32_t slot_id = amd_mec_record(mec, link)->slot_id;

    amd_mec_count_dispatch(mec, slot_id, -1);
    amd_mec_queue(mec, slot_id)->releasing--;
    amd_mec_complete(mec, link);
    amd_mec_settle(mec, slot_id);
    amd_mec_advanced(mec, slot_id);
    if (mec->state->room_waits != 0)
        amd_mec_room(mec);
}

OFTEN void amd_mec_signal_now(struct amd_mec *mec, const struct amd_mec_view *at, uint32_t code,
                              uint64_t signal)
{
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_PACKET_END, RULE_NONE, at->slot_id, at->doorbell,
                at->queue->packet, code);
    if (signal != 0)
        amd_mec_signal(mec, at->slot_id, at->hqd, at->queue->packet, signal,
                       machine_now(mec->machine));
}
