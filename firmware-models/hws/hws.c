/* SPDX-License-Identifier: MIT */
/*
 * What happens when: a list comes, a quantum ends, a queue has left, time to leave is over.  Each
 * looks at all queues and lets hws_policy.c decide.
 */
#include <config.h>

#include "firmware-models/hws/hws.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/amd_inject.h"
#include "firmware-models/hws/hws_policy.h"
#include "firmware-models/kfd/kfd_tables.h"

/* Events. */
enum { HWS_QUANTUM, HWS_LATE, HWS_LISTED_AGAIN = AMD_INJECT_LISTED_AGAIN };

static uint32_t hws_sdma_place(uint32_t engine, uint32_t slot)
{
    return (HWS_PIPES_MAX + engine - 1) * HWS_SLOTS_MAX + slot;
}

static bool hws_place_ok(const struct hws *hws, uint32_t place)
{
    return place / HWS_SLOTS_MAX < hws->pipes && (hws->state->slot_mask >> place & 1) != 0;
}

static struct hws_place hws_place_of(const struct hws *hws, const struct hws_entry *entry)
{
    const struct hws_process *process = &hws->state->processes[entry->process];

    if (entry->place == HWS_NONE)
        return (struct hws_place){HWS_NONE, HWS_NONE, process->vmid, process->pasid, entry->engine};
    return (struct hws_place){.pipe = entry->engine ? 0 : entry->place / HWS_SLOTS_MAX,
                              .slot = entry->place % HWS_SLOTS_MAX,
                              .vmid = process->vmid,
                              .pasid = process->pasid,
                              .engine = entry->engine};
}

static struct hws_queue hws_queue_of(const struct hws_entry *entry)
{
    return (struct hws_queue){.queue_id = entry->queue_id,
                              .doorbell = entry->doorbell,
                              .engine = entry->engine,
                              .mqd_address = entry->mqd_address,
                              .wptr_address = entry->wptr_address,
                              .priority = entry->priority,
                              .is_static = entry->is_static};
}

static bool hws_is_busy(const struct hws *hws, const struct hws_entry *entry)
{
    const struct hws_queue queue = hws_queue_of(entry);
    const struct hws_place place = hws_place_of(hws, entry);

    return hws->ops->busy(hws->engine, &queue, &place);
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* The next free slot: of the next pipe that has one, its lowest. */
static uint32_t hws_free_place(const struct hws *hws)
{
    const struct hws_state *state = hws->state;

    for (uint32_t n = 0; n < hws->pipes; n++) {
        const uint32_t pipe = (state->next_pipe + n) % hws->pipes;

        for (uint32_t slot = 0; slot < HWS_SLOTS_MAX; slot++) {
            const uint32_t place = pipe * HWS_SLOTS_MAX + slot;

            if (hws_place_ok(hws, place) && state->slots[place] == HWS_NONE)
                return place;
        }
    }
    return HWS_NONE;
}

/* Returns the lowest free place of an SDMA engine, or HWS_NONE. */
static uint32_t hws_free_sdma(const struct hws *hws, uint32_t engine)
{
    for (uint32_t slot = 0; slot < hws->sdma_slots; slot++)
        if (hws->state->slots[hws_sdma_place(engine, slot)] == HWS_NONE)
            return hws_sdma_place(engine, slot);
    return HWS_NONE;
}

/* Returns a VMID for the process, which has none, or HWS_NONE if the process has to wait. */
static uint32_t hws_free_vmid(const struct hws *hws)
{
    const struct hws_state *state = hws->state;
    uint32_t used = 0, free = HWS_NONE;

    for (uint32_t vmid = HWS_VMIDS; vmid-- > 0;)
        if (state->vmids[vmid] != HWS_NONE)
            used++;
        else if (state->vmid_mask >> vmid & 1)
            free = vmid;
    return used < state->process_limit ? free : HWS_NONE;
}

static bool hws_process_fits(const struct hws *hws, const struct hws_entry *entry)
{
    return hws->state->processes[entry->process].vmid != HWS_NONE || hws_free_vmid(hws) != HWS_NONE;
}

static void hws_log_map(const struct hws *hws, const struct hws_entry *entry,
                        const struct hws_place *place)
{
    const gfe_ps waited_ps = machine_now(hws->machine) - entry->since_ps;
    const uint32_t rule = waited_ps > 0 ? RULE_A_H2 : RULE_A_H1;

    if (entry->engine)
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_SDMA_MAP, rule, entry->queue_id,
                    place->pasid, entry->engine - 1, place->slot, place->vmid, waited_ps);
    else
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_MAP, rule, entry->queue_id, place->pasid,
                    place->pipe, place->slot, place->vmid, waited_ps);
}

static void hws_map(struct hws *hws, uint32_t index, uint32_t at)
{
    struct hws_state *state = hws->state;
    struct hws_entry *entry = &state->queues[index];
    struct hws_process *process = &state->processes[entry->process];
    const struct hws_queue queue = hws_queue_of(entry);
    struct hws_place place;

    if (process->vmid == HWS_NONE) {
        process->vmid = hws_free_vmid(hws);
        state->vmids[process->vmid] = entry->process;
    }
    process->mapped++;
    state->slots[at] = index;
    if (entry->engine == HWS_COMPUTE)
        state->next_pipe = (at / HWS_SLOTS_MAX + 1) % hws->pipes;
    state->next = (index + 1) % state->queue_count;
    entry->place = at;
    place = hws_place_of(hws, entry);
    hws_log_map(hws, entry, &place);
    entry->since_ps = machine_now(hws->machine);
    hws->ops->map(hws->engine, &queue, &place);
}

static void hws_clear_place(struct hws *hws, struct hws_entry *entry)
{
    struct hws_state *state = hws->state;
    struct hws_process *process = &state->processes[entry->process];

    state->slots[entry->place] = HWS_NONE;
    entry->place = HWS_NONE;
    entry->since_ps = machine_now(hws->machine);
    if (--process->mapped == 0) {
        state->vmids[process->vmid] = HWS_NONE;
        process->vmid = HWS_NONE;
    }
}

static void hws_preempt(struct hws *hws, uint32_t index, uint32_t rule, bool reset)
{
    struct hws_entry *entry = &hws->state->queues[index];
    const struct hws_place place = hws_place_of(hws, entry);

    entry->leaving = 1;
    hws->state->leaving++;
    if (entry->engine)
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_SDMA_PREEMPT, rule, entry->queue_id,
                    place.pasid, entry->engine - 1, place.slot, hws_is_busy(hws, entry));
    else
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_PREEMPT, rule, entry->queue_id, place.pasid,
                    place.pipe, place.slot, hws_is_busy(hws, entry));
    if (machine_inject(hws->machine, hws->unit, AMD_INJECT_PREEMPT, entry->queue_id, NULL, 0))
        hws->ops->preempt(hws->engine, &place, reset);
}

const struct hws_entry *hws_sdma_queue(const struct hws *hws, uint32_t engine, uint32_t slot)
{
    const uint32_t index = hws->state->slots[hws_sdma_place(engine, slot)];

    return index == HWS_NONE ? NULL : &hws->state->queues[index];
}

/* ---- what the policy sees -------------------------------------------------------------------- */

/* Some 100 KiB, on the stack for as long as the firmware decides. */
struct hws_look {
    struct hws_policy_queue queues[HWS_QUEUES_MAX];
    struct hws_policy_view view;
};

static void hws_look(const struct hws *hws, struct hws_look *look)
{
    const struct hws_state *state = hws->state;

    machine_meet_choice(hws->machine, CHOICE_HWS_SWAP);
    look->view = (struct hws_policy_view){
        .queues = look->queues,
        .queue_count = state->queue_count,
        .next = state->next,
        .swap = hws->machine->choices[CHOICE_HWS_SWAP],
    };
    for (uint32_t i = 0; i < state->queue_count; i++) {
        const struct hws_entry *entry = &state->queues[i];
        const bool mapped = entry->place != HWS_NONE;

        look->queues[i] = (struct hws_policy_queue){
            .since = entry->since_ps,
            .mapped = mapped,
            .busy = hws_is_busy(hws, entry),
            .fixed = entry->refused || entry->dropped ||
                     (mapped && (entry->is_static || entry->leaving)),
            .priority = entry->priority,
        };
        if (!mapped && !entry->dropped && !hws_process_fits(hws, entry))
            look->view.process_waits = 1;
    }
    /* Queues of SDMA need to leave only if a process waits for a VMID. */
    for (uint32_t i = 0; i < state->queue_count && !look->view.process_waits; i++)
        if (look->queues[i].mapped && state->queues[i].engine)
            look->queues[i].fixed = 1;
}

/* ---- filling slots --------------------------------------------------------------------------- */

static bool hws_any_waits(const struct hws *hws)
{
    for (uint32_t i = 0; i < hws->state->queue_count; i++)
        if (hws->state->queues[i].place == HWS_NONE && !hws->state->queues[i].dropped)
            return true;
    return false;
}

static bool hws_any_busy(const struct hws *hws)
{
    for (uint32_t i = 0; i < hws->state->queue_count; i++)
        if (!hws->state->queues[i].refused && !hws->state->queues[i].dropped &&
            hws_is_busy(hws, &hws->state->queues[i]))
            return true;
    return false;
}

/* The longest of the processes that are on. */
static gfe_ps hws_quantum_ps(const struct hws *hws)
{
    const struct hws_state *state = hws->state;
    uint32_t units = 1;

    for (uint32_t vmid = 0; vmid < HWS_VMIDS; vmid++)
        if (state->vmids[vmid] != HWS_NONE && state->processes[state->vmids[vmid]].quantum > units)
            units = state->processes[state->vmids[vmid]].quantum;
    return units * machine_parameter(hws->machine, PARAM_HWS_QUANTUM_PS);
}

/* The quantum matters while a queue waits, a queue has work, and a further quantum may give a slot
 * to one with work: within as many quanta as there are queues each has had its turn, unless
 * hws.swap=priority keeps it waiting. */
static void hws_arm(struct hws *hws)
{
    struct hws_state *state = hws->state;

    if (!state->listed || !state->chained || state->quantum_armed || state->leaving > 0 ||
        state->unmapping || state->futile > state->queue_count || !hws_any_waits(hws) ||
        !hws_any_busy(hws))
        return;
    state->quantum_armed = 1;
    MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_QUANTUM, RULE_NONE, hws_quantum_ps(hws));
    machine_schedule(hws->machine, hws->unit, machine_now(hws->machine) + hws_quantum_ps(hws),
                     HWS_QUANTUM, 0);
}

void hws_disarm(struct hws *hws)
{
    if (hws->state->quantum_armed)
        (void)machine_cancel(hws->machine, hws->unit, HWS_QUANTUM);
    hws->state->quantum_armed = 0;
}

/* There is no slot for those of compute any more, or none for that one of SDMA. */
static void hws_pass_over(const struct hws *hws, struct hws_look *look, uint32_t index)
{
    const struct hws_entry *queues = hws->state->queues;

    look->queues[index].fixed = 1;
    for (uint32_t i = 0; i < hws->state->queue_count && queues[index].engine == HWS_COMPUTE; i++)
        if (queues[i].engine == HWS_COMPUTE)
            look->queues[i].fixed = 1;
}

/* Gives free slots to queues that wait.  Returns true if a queue got one. */
static bool hws_fill_slots(struct hws *hws)
{
    struct hws_look look;
    uint32_t index, next = HWS_NONE; /* where the list goes on, once a queue was passed over */
    bool filled = false;

    hws_look(hws, &look);
    while ((index = hws_policy_next(&look.view)) != HWS_POLICY_NONE) {
        const struct hws_entry *entry = &hws->state->queues[index];
        const uint32_t at = entry->engine ? hws_free_sdma(hws, entry->engine) : hws_free_place(hws);

        if (at == HWS_NONE) {
            if (next == HWS_NONE)
                next = hws->state->next;
            hws_pass_over(hws, &look, index);
        } else if (hws_process_fits(hws, entry)) {
            hws_map(hws, index, at);
            filled = true;
            look.queues[index].mapped = 1;
            look.view.next = hws->state->next;
        } else if (look.view.swap == HWS_SWAP_LIST) {
            break; /* the list is read in order */
        } else {
            look.queues[index].fixed = 1;
        }
    }
    if (next != HWS_NONE)
        hws->state->next = next;
    return filled;
}

void hws_fill(struct hws *hws)
{
    (void)hws_fill_slots(hws);
    hws_arm(hws);
}

/* ---- leaving --------------------------------------------------------------------------------- */

static void hws_all_left(struct hws *hws)
{
    if (hws->state->unmapping) {
        hws->state->unmapping = 0;
        (void)machine_cancel(hws->machine, hws->unit, HWS_LATE);
        hws->ops->unmapped(hws->engine);
    }
    if (hws->state->listed && hws->state->leaving == 0)
        hws_fill(hws);
}

static void hws_place_left(struct hws *hws, uint32_t at)
{
    struct hws_state *state = hws->state;
    const uint32_t index = state->slots[at];
    struct hws_entry *entry;
    struct hws_place place;

    if (index == HWS_NONE)
        return; /* the driver has loaded it past the firmware */
    entry = &state->queues[index];
    if (!entry->leaving && !entry->refused)
        return; /* the driver has told it to leave past the firmware: its place stays taken */
    if (!machine_inject(hws->machine, hws->unit, AMD_INJECT_PREEMPT_DONE, entry->queue_id, NULL, 0))
        return;
    place = hws_place_of(hws, entry);
    if (entry->engine)
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_SDMA_UNMAP, RULE_NONE, entry->queue_id,
                    place.pasid, entry->engine - 1, place.slot);
    else
        MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_UNMAP, RULE_NONE, entry->queue_id,
                    place.pasid, place.pipe, place.slot);
    hws_clear_place(hws, entry);
    if (entry->refused) { /* later than anybody waited for it */
        entry->refused = 0;
        return;
    }
    entry->leaving = 0;
    if (--state->leaving == 0)
        hws_all_left(hws);
}

void hws_left(struct hws *hws, uint32_t pipe, uint32_t slot)
{
    hws_place_left(hws, pipe * HWS_SLOTS_MAX + slot);
}

void hws_sdma_left(struct hws *hws, uint32_t engine, uint32_t slot)
{
    hws_place_left(hws, hws_sdma_place(engine, slot));
}

static bool hws_has_work_on(const struct hws_look *look)
{
    for (uint32_t i = 0; i < look->view.queue_count; i++)
        if (look->queues[i].mapped && look->queues[i].busy)
            return true;
    return false;
}

/* The quantum is over. */
static void hws_rotate(struct hws *hws)
{
    struct hws_state *state = hws->state;
    uint32_t victims[HWS_PLACES];
    struct hws_look look;
    uint32_t count;

    state->quantum_armed = 0;
    hws_look(hws, &look);
    state->futile = hws_has_work_on(&look) ? 0 : state->futile + 1;
    count = hws_policy_victims(&look.view, victims, HWS_PLACES);
    /* Those that leave at once must not bring others in before all are told. */
    state->leaving++;
    for (uint32_t i = 0; i < count; i++)
        hws_preempt(hws, victims[i], RULE_A_H2, false);
    if (--state->leaving > 0)
        return;
    if (!hws_fill_slots(hws) && count == 0 && !hws_policy_looks_at_work(&look.view))
        state->futile = HWS_NONE;
    hws_arm(hws);
}

/* UNMAP_LATENCY is over, and some have not left. */
static void hws_late(struct hws *hws)
{
    struct hws_state *state = hws->state;
    uint32_t index = 0;

    for (uint32_t i = 0; i < state->queue_count; i++) {
        struct hws_entry *entry = &state->queues[i];
        const struct hws_queue queue = hws_queue_of(entry);
        struct hws_place place;

        if (!entry->leaving)
            continue;
        place = hws_place_of(hws, entry);
        entry->leaving = 0;
        entry->refused = 1;
        if (entry->engine)
            MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_SDMA_REFUSED, RULE_A_H_REFUSED,
                        entry->queue_id, place.pasid, entry->engine - 1, place.slot);
        else
            MACHINE_LOG(hws->machine, hws->unit, EVENT_HWS_REFUSED, RULE_A_H_REFUSED,
                        entry->queue_id, place.pasid, place.pipe, place.slot);
        hws->ops->refused(hws->engine, &queue, index++);
    }
    state->leaving = 0;
    hws_all_left(hws);
}

static bool hws_selected(const struct hws *hws, const struct hws_entry *entry,
                         enum hws_select select, const uint32_t *ids, uint32_t id_count)
{
    const uint32_t pasid = hws->state->processes[entry->process].pasid;

    if (select == HWS_ALL || select == HWS_ALL_NON_STATIC)
        return select == HWS_ALL || !entry->is_static;
    for (uint32_t i = 0; i < id_count; i++)
        if (ids[i] == (select == HWS_PASID ? pasid : entry->doorbell))
            return true;
    return false;
}

void hws_unmap_sdma(struct hws *hws, uint32_t engine, enum hws_select select, bool reset,
                    const uint32_t *ids, uint32_t id_count)
{
    struct hws_state *state = hws->state;

    assert(!state->unmapping);
    hws_disarm(hws);
    state->unmapping = 1;
    state->futile = 0;
    if (engine == HWS_COMPUTE && (select == HWS_ALL || select == HWS_ALL_NON_STATIC))
        state->listed = 0;
    machine_schedule(hws->machine, hws->unit,
                     machine_now(hws->machine) +
                         state->unmap_latency *
                             machine_parameter(hws->machine, PARAM_HWS_UNMAP_LATENCY_PS),
                     HWS_LATE, 0);
    state->leaving++; /* as in hws_rotate() */
    for (uint32_t i = 0; i < state->queue_count; i++) {
        struct hws_entry *entry = &state->queues[i];

        if (entry->engine != engine || !hws_selected(hws, entry, select, ids, id_count))
            continue;
        entry->dropped = 1;
        if (entry->place != HWS_NONE && !entry->leaving && !entry->refused)
            hws_preempt(hws, i, RULE_A_H_UNMAP, reset);
    }
    if (--state->leaving == 0)
        hws_all_left(hws);
}

void hws_unmap(struct hws *hws, enum hws_select select, bool reset, const uint32_t *ids,
               uint32_t id_count)
{
    hws_unmap_sdma(hws, HWS_COMPUTE, select, reset, ids, id_count);
}

void hws_reset(struct hws *hws)
{
    hws_disarm(hws);
    if (hws->state->unmapping)
        (void)machine_cancel(hws->machine, hws->unit, HWS_LATE);
    hws_clear(hws);
}

void hws_wake(struct hws *hws)
{
    hws->state->futile = 0;
    hws_arm(hws);
}

/* ---- the unit -------------------------------------------------------------------------------- */

/* By an injected fault: the queue stands in the list twice. */
static void hws_listed_again(struct hws *hws, uint32_t doorbell)
{
    struct hws_state *state = hws->state;

    for (uint32_t i = 0; i < state->queue_count; i++) {
        const struct hws_queue queue = hws_queue_of(&state->queues[i]);

        if (queue.doorbell != doorbell || state->queues[i].dropped)
            continue;
        state->listing = state->queues[i].process;
        if (hws_list_queue(hws, &queue) && state->listed && state->leaving == 0)
            hws_fill(hws);
        return;
    }
}

static void hws_event(void *unit, const struct event *event)
{
    if (event->kind == HWS_QUANTUM)
        hws_rotate(unit);
    else if (event->kind == HWS_LATE)
        hws_late(unit);
    else
        hws_listed_again(unit, (uint32_t)event->argument);
}

/* ---- what is held when nothing is left to do ------------------------------------------------- */

bool hws_has(const struct hws *hws, uint32_t doorbell)
{
    for (uint32_t i = 0; i < hws->state->queue_count; i++)
        if (hws->state->queues[i].doorbell == doorbell && !hws->state->queues[i].dropped)
            return true;
    return false;
}

/* Who has a slot that a waiting queue could get: one that has to leave, else one with work, else
 * any (of hws.swap=priority a queue of higher priority keeps its slot without work). */
static const struct hws_entry *hws_in_the_way(const struct hws *hws, uint32_t engine)
{
    const struct hws_entry *busy = NULL, *idle = NULL;

    for (uint32_t i = 0; i < hws->state->queue_count; i++) {
        const struct hws_entry *entry = &hws->state->queues[i];

        if (entry->place == HWS_NONE || (entry->engine != engine && !entry->leaving))
            continue;
        if (entry->leaving)
            return entry;
        if (!busy && hws_is_busy(hws, entry))
            busy = entry;
        idle = idle ? idle : entry;
    }
    return busy ? busy : idle;
}

/* A queue that has work and no slot.  Those in slots are the micro engine's to report. */
static void hws_open(struct hws *hws, const struct hws_entry *entry)
{
    const struct hws_queue queue = hws_queue_of(entry);
    const struct hws_entry *other = hws_in_the_way(hws, entry->engine);
    const struct machine_wait wait = {entry->since_ps, SUBJECT_QUEUE, entry->doorbell / 2,
                                      other ? SUBJECT_QUEUE : SUBJECT_NONE,
                                      other ? other->doorbell / 2 : 0};

    machine_log_open(hws->machine, hws->unit, RULE_A_H2, &wait);
    if (hws->ops->holds)
        hws->ops->holds(hws->engine, &queue, hws->state->processes[entry->process].pasid,
                        hws->unit);
}

static void hws_finish(void *unit)
{
    struct hws *hws = unit;

    for (uint32_t i = 0; i < hws->state->queue_count; i++) {
        const struct hws_entry *entry = &hws->state->queues[i];

        if (entry->place == HWS_NONE && !entry->dropped && hws_is_busy(hws, entry))
            hws_open(hws, entry);
    }
}

static const struct unit_ops hws_unit_ops = {.event = hws_event, .finish = hws_finish};

void hws_add(struct hws *hws, struct machine *machine, uint32_t pipes, const struct hws_ops *ops,
             void *engine)
{
    assert(pipes <= HWS_PIPES_MAX);
    *hws = (struct hws){.machine = machine, .ops = ops, .engine = engine, .pipes = pipes};
    hws->state = machine_alloc(machine, sizeof *hws->state);
    hws->unit = machine_add_unit(machine, "hws", &hws_unit_ops, hws);
    if (hws->state) /* else machine_seal() fails */
        hws_clear(hws);
}
