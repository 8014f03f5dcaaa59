/* SPDX-License-Identifier: MIT */
/* What the firmware is given: slots and VMIDs that it may use, lists of queues. */
#include <config.h>

#include <string.h>

#include "firmware-models/hws/hws.h"
#include "firmware-models/kfd/kfd_tables.h"

void hws_set_resources(struct hws *hws, uint32_t vmid_mask, uint64_t slot_mask,
                       uint32_t unmap_latency)
{
    hws->state->vmid_mask = vmid_mask & ((1u << HWS_VMIDS) - 1);
    hws->state->slot_mask = slot_mask;
    hws->state->unmap_latency = unmap_latency;
}

/* Static queues, and those that were given up, stay where they are: they come to the front, and
 * their processes too, in the order in which they are. */
static void hws_keep(struct hws *hws)
{
    struct hws_state *state = hws->state;
    uint32_t moved[HWS_PROCESSES_MAX] = {0};
    uint32_t queues = 0, processes = 0;

    for (uint32_t i = 0; i < state->queue_count; i++)
        if (state->queues[i].place != HWS_NONE)
            moved[state->queues[i].process] = 1;
    for (uint32_t i = 0; i < state->process_count; i++) {
        if (!moved[i])
            continue;
        state->vmids[state->processes[i].vmid] = processes;
        state->processes[processes] = state->processes[i];
        moved[i] = processes++;
    }
    for (uint32_t i = 0; i < state->queue_count; i++) {
        struct hws_entry entry = state->queues[i];

        if (entry.place == HWS_NONE)
            continue;
        entry.process = moved[entry.process];
        state->slots[entry.place] = queues;
        state->queues[queues++] = entry;
    }
    memset(&state->queues[queues], 0, (state->queue_count - queues) * sizeof state->queues[0]);
    memset(&state->processes[processes], 0,
           (state->process_count - processes) * sizeof state->processes[0]);
    state->queue_count = queues;
    state->process_count = processes;
}

void hws_list_begin(struct hws *hws)
{
    hws_disarm(hws);
    hws->state->listed = hws->state->futile = 0;
    hws_keep(hws);
    hws->state->next = hws->state->queue_count;
    hws->state->listing = HWS_NONE;
}

bool hws_list_process(struct hws *hws, uint32_t pasid, uint32_t quantum)
{
    struct hws_state *state = hws->state;

    for (uint32_t i = 0; i < state->process_count; i++)
        if (state->processes[i].pasid == pasid) { /* it has a static queue */
            state->processes[i].quantum = quantum;
            state->listing = i;
            return true;
        }
    if (state->process_count == HWS_PROCESSES_MAX)
        return false;
    state->listing = state->process_count;
    state->processes[state->process_count++] =
        (struct hws_process){.pasid = pasid, .quantum = quantum, .vmid = HWS_NONE};
    return true;
}

bool hws_list_queue(struct hws *hws, const struct hws_queue *queue)
{
    struct hws_state *state = hws->state;

    if (state->queue_count == HWS_QUEUES_MAX || state->listing == HWS_NONE)
        return false;
    state->queues[state->queue_count++] = (struct hws_entry){.mqd_address = queue->mqd_address,
                                                             .wptr_address = queue->wptr_address,
                                                             .since_ps = machine_now(hws->machine),
                                                             .queue_id = queue->queue_id,
                                                             .doorbell = queue->doorbell,
                                                             .engine = queue->engine,
                                                             .priority = queue->priority,
                                                             .is_static = queue->is_static,
                                                             .process = state->listing,
                                                             .place = HWS_NONE};
    return true;
}

void hws_clear(struct hws *hws)
{
    struct hws_state *state = hws->state;

    *state = (struct hws_state){.vmid_mask = state->vmid_mask,
                                .slot_mask = state->slot_mask,
                                .unmap_latency = state->unmap_latency,
                                .listing = HWS_NONE};
    for (uint32_t i = 0; i < HWS_PLACES; i++)
        state->slots[i] = HWS_NONE;
    for (uint32_t i = 0; i < HWS_VMIDS; i++)
        state->vmids[i] = HWS_NONE;
}

static uint32_t hws_slot_count(const struct hws *hws)
{
    uint32_t count = 0;

    for (uint32_t place = 0; place < hws->pipes * HWS_SLOTS_MAX; place++)
        count += (uint32_t)(hws->state->slot_mask >> place & 1);
    return count;
}

void hws_list_end(struct hws *hws, uint32_t process_limit, bool chained)
{
    struct hws_state *state = hws->state;

    state->process_limit = process_limit ? process_limit : 1;
    state->chained = chained;
    state->listed = 1;
    if (state->next >= state->queue_count)
        state->next = 0;
    MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_RUN_LIST, RULE_NONE, state->process_count,
                state->queue_count, hws_slot_count(hws), chained);
    hws_fill(hws);
}
