/* SPDX-License-Identifier: MIT */
/* Doorbells, and whose packet a pipe takes up next. */
#include <config.h>

#include "devices/amd/amd_mec.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/formats/amd_mqd.h"

/* ---- interrupts and errors ------------------------------------------------------------------- */

void amd_mec_interrupt(struct amd_mec *mec, uint32_t slot_id, uint32_t source_id,
                       uint32_t context_id)
{
    const uint32_t ring_id = amd_mec_pipe_of(slot_id) | amd_mec_me(slot_id) << 2 |
                             slot_id % AMD_QUEUES_PER_PIPE_MAX << 4;
    const uint32_t vmid = amd_mec_vmid(mec, slot_id);

    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_INTERRUPT, RULE_NONE, AMD_IH_CLIENT_GRBM_CP,
                source_id, ring_id, vmid, context_id);
    if (mec->ih)
        amd_ih_put(mec->ih, &(struct amd_ih_entry){.client_id = AMD_IH_CLIENT_GRBM_CP,
                                                   .source_id = source_id,
                                                   .ring_id = ring_id,
                                                   .vmid = vmid,
                                                   .context_id = {context_id}});
    if (mec->client.interrupt)
        mec->client.interrupt(mec->client.client, source_id, ring_id, vmid, context_id);
}

void amd_mec_stop(struct amd_mec *mec, uint32_t slot_id, uint32_t error_bit, uint32_t source_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (error_bit != AMD_NO_ERROR_BIT)
        *amd_gc_hqd(mec->gc, slot_id, CP_HQD_ERROR) |= UINT32_C(1) << error_bit;
    queue->phase = AMD_QUEUE_STOPPED;
    queue->block_rule = RULE_NONE;
    queue->generation++;
    if (source_id != 0)
        amd_mec_interrupt(mec, slot_id, source_id, 0);
}

/* ---- taking packets up ----------------------------------------------------------------------- */

void amd_mec_log_wait(struct amd_mec *mec, uint32_t slot_id, uint32_t rule, gfe_ps from_ps)
{
    if (from_ps < machine_now(mec->machine))
        MACHINE_LOG(mec->machine, mec->unit, EVENT_WAIT, rule, from_ps, SUBJECT_QUEUE,
                    amd_mec_doorbell_of(mec, slot_id), SUBJECT_NONE, 0);
}

void amd_mec_log_block(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->blocked_ps < machine_now(mec->machine))
        MACHINE_LOG(mec->machine, mec->unit, EVENT_WAIT, queue->block_rule, queue->blocked_ps,
                    SUBJECT_QUEUE, amd_mec_doorbell_of(mec, slot_id),
                    queue->block_address ? SUBJECT_SEMAPHORE : SUBJECT_NONE, queue->block_address);
}

void amd_mec_block(struct amd_mec *mec, uint32_t slot_id, uint32_t rule, uint64_t address)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->block_rule != rule || queue->block_address != address) {
        if (queue->block_rule != RULE_NONE)
            amd_mec_log_block(mec, slot_id);
        queue->blocked_ps = machine_now(mec->machine);
    }
    if (rule == RULE_AMD_ROOM)
        mec->state->room_waits |= UINT64_C(1) << slot_id;
    queue->block_rule = rule;
    queue->block_address = address;
    queue->phase = AMD_QUEUE_BLOCKED;
}

void amd_mec_idle(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->block_rule != RULE_NONE)
        amd_mec_log_block(mec, slot_id);
    queue->block_rule = RULE_NONE;
    queue->phase = AMD_QUEUE_IDLE;
}

void amd_mec_unmodelled(struct amd_mec *mec, uint32_t what, const struct amd_loss *loss,
                        uint64_t value)
{
    MACHINE_LOG(mec->machine, mec->unit, EVENT_UNMODELLED, RULE_NONE, what, amd_loss_name(loss),
                value);
}

/* It waits for its pipe. */
static void amd_mec_set_ready(struct amd_mec *mec, uint32_t slot_id)
{
    amd_mec_queue(mec, slot_id)->phase = AMD_QUEUE_READY;
    amd_mec_pipe(mec, slot_id)->may_be_ready |= 1u << slot_id % AMD_QUEUES_PER_PIPE_MAX;
}

/* What it waits for may be there: its packet is looked at again. */
void amd_mec_retry(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->phase != AMD_QUEUE_BLOCKED || queue->dequeue != AMD_DEQUEUE_NONE)
        return;
    amd_mec_set_ready(mec, slot_id);
    amd_mec_turn_of(mec, slot_id);
}

static bool amd_mec_has_packet(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    return queue->ib_depth > 0 || queue->read < queue->write;
}

/* The queue has been waiting for its pipe, or not at all: may its packet be taken up?  If so the
 * pipe works on it. */
static bool amd_mec_take(struct amd_mec *mec, const struct amd_mec_view *at)
{
    struct amd_mec_queue *queue = at->queue;
    const uint32_t slot_id = at->slot_id;
    const bool is_aql = amd_mec_is_at_aql(at);
    enum amd_mec_result result = AMD_MEC_STOPS;

    if (RARELY(at->ring == 0)) /* has been taken away */
        amd_mec_stop(mec, slot_id, CP_HQD_ERROR__AQL_ERROR_LO, 0);
    else
        result = is_aql ? amd_mec_aql_fetch(mec, at) : amd_mec_pm4_fetch(mec, slot_id);
    if (result != AMD_MEC_DONE)
        return false;
    if (queue->block_rule != RULE_NONE)
        amd_mec_log_block(mec, slot_id);
    queue->block_rule = RULE_NONE;
    queue->phase = AMD_QUEUE_TAKEN;
    queue->in_pipe = 1;
    machine_schedule(
        mec->machine, mec->unit,
        machine_now(mec->machine) +
            machine_parameter(mec->machine, is_aql ? PARAM_AMD_PACKET_PS : PARAM_AMD_PM4_PS),
        AMD_MEC_PACKET, slot_id);
    return true;
}

/* Queues of a pipe, by its first slot, that wait for it: a bit for each. */
static uint32_t amd_mec_ready(struct amd_mec *mec, uint32_t first)
{
    const struct amd_mec_queue *queues = amd_mec_queue(mec, first);
    uint32_t *const may_be = &amd_mec_pipe(mec, first)->may_be_ready;

    for (uint32_t left = *may_be; left != 0; left &= left - 1)
        if (queues[__builtin_ctz(left)].phase != AMD_QUEUE_READY)
            *may_be &= ~(left & -left);
    return *may_be;
}

/* The pipe works on that queue's packet if it may be taken up. */
static void amd_mec_try(struct amd_mec *mec, struct amd_mec_pipe *pipe,
                        const struct amd_mec_view *at)
{
    if (!amd_mec_take(mec, at))
        return;
    pipe->busy = 1;
    pipe->turn = at->slot_id % AMD_QUEUES_PER_PIPE_MAX;
}

/* The next queue in turn with a packet that may be taken up, if the pipe is free; others wait. */
static __attribute__((noinline)) void amd_mec_turn_among(struct amd_mec *mec, uint32_t first)
{
    struct amd_mec_pipe *pipe = amd_mec_pipe(mec, first);
    uint32_t ready = amd_mec_ready(mec, first);

    while (ready != 0 && !pipe->busy) {
        const uint32_t behind = ready & ~((2u << pipe->turn) - 1);
        const uint32_t queue = (uint32_t)__builtin_ctz(behind ? behind : ready);

        const struct amd_mec_view at = amd_mec_view(mec, first + queue);

        ready &= ~(1u << queue);
        amd_mec_try(mec, pipe, &at);
    }
    for (; ready != 0; ready &= ready - 1) {
        const uint32_t waits = first + (uint32_t)__builtin_ctz(ready);

        if (amd_mec_queue(mec, waits)->block_rule != RULE_AMD_PIPE) {
            amd_mec_block(mec, waits, RULE_AMD_PIPE, 0);
            amd_mec_set_ready(mec, waits);
        }
    }
}

static void amd_mec_turn(struct amd_mec *mec, const struct amd_mec_view *at)
{
    const uint32_t queue = at->slot_id % AMD_QUEUES_PER_PIPE_MAX;
    struct amd_mec_pipe *pipe = amd_mec_pipe(mec, at->slot_id);

    if (pipe->may_be_ready != 1u << queue || pipe->busy)
        amd_mec_turn_among(mec, at->slot_id - queue);
    else if (at->queue->phase == AMD_QUEUE_READY) /* no other queue is */
        amd_mec_try(mec, pipe, at);
}

void amd_mec_turn_of(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_view at = amd_mec_view(mec, slot_id);

    amd_mec_turn(mec, &at);
}

/* Between packets: on to the next, or to leave. */
OFTEN void amd_mec_next(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (RARELY(queue->dequeue != AMD_DEQUEUE_NONE)) {
        if (queue->phase != AMD_QUEUE_STOPPED)
            queue->phase = AMD_QUEUE_IDLE;
        if (queue->dequeue == AMD_DEQUEUE_RESET)
            amd_mec_throw(mec, slot_id);
        amd_mec_save_go_on(mec, slot_id);
        amd_mec_leave_if_done(mec, slot_id);
        return;
    }
    if (queue->phase == AMD_QUEUE_STOPPED)
        return;
    if (amd_mec_has_packet(mec, slot_id))
        amd_mec_set_ready(mec, slot_id);
    else
        queue->phase = AMD_QUEUE_IDLE;
}

static void amd_mec_packet_done(struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_view at = amd_mec_view(mec, slot_id);
    const bool is_aql = amd_mec_is_at_aql(&at);

    amd_mec_pipe(mec, slot_id)->busy = 0;
    at.queue->in_pipe = 0;
    if (RARELY(at.ring == 0)) /* has been taken away */
        amd_mec_stop(mec, slot_id, CP_HQD_ERROR__AQL_ERROR_LO, 0);
    if (at.queue->phase != AMD_QUEUE_TAKEN || /* it has been stopped meanwhile */
        (is_aql ? amd_mec_aql_execute(mec, &at) : amd_mec_pm4_execute(mec, slot_id)) !=
            AMD_MEC_WAITS)
        amd_mec_next(mec, slot_id);
    assert(!is_aql || at.hqd == amd_mec_hqd(mec, slot_id)); /* see struct amd_mec_client */
    if (is_aql)
        amd_mec_turn(mec, &at);
    else
        amd_mec_turn_of(mec, slot_id); /* PM4 packets write registers */
}

void amd_mec_advanced(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (queue->phase == AMD_QUEUE_BLOCKED && queue->block_address == 0)
        amd_mec_retry(mec, slot_id);
    if (RARELY(queue->dequeue != AMD_DEQUEUE_NONE))
        amd_mec_leave_if_done(mec, slot_id);
}

void amd_mec_go_on(struct amd_mec *mec, uint32_t slot_id)
{
    amd_mec_retry(mec, slot_id);
}

/* ---- doorbells ------------------------------------------------------------------------------- */

/* 48 bits of write pointer, and whose it is: slot, and its time in the slot. */
static uint64_t amd_mec_rung_argument(const struct amd_mec *mec, uint32_t slot_id, uint64_t write)
{
    return (uint64_t)slot_id << 58 |
           (uint64_t)(amd_mec_queue(mec, slot_id)->generation & 0x3ff) << 48 |
           (write & UINT64_C(0xffffffffffff));
}

uint32_t amd_mec_slot_of(const struct amd_mec *mec, uint32_t doorbell_index)
{
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++) {
        const uint32_t control = amd_mec_reg(mec, slot_id, CP_HQD_PQ_DOORBELL_CONTROL);

        if (amd_mec_active(mec, slot_id) &&
            REG_GET(control, CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN) &&
            amd_mec_doorbell_of(mec, slot_id) == doorbell_index)
            return slot_id;
    }
    return AMD_NO_SLOT;
}

void amd_mec_doorbell(struct amd_mec *mec, uint32_t doorbell_index, uint64_t value)
{
    const uint32_t slot_id = amd_mec_slot_of(mec, doorbell_index);

    if (slot_id != AMD_NO_SLOT) {
        /* AQL's value is the number of the last packet that is written; PM4's the next dword. */
        const uint64_t write = value + amd_mec_is_aql(mec, slot_id);

        MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_DOORBELL, RULE_A_Q1, doorbell_index, slot_id,
                    write);
        machine_schedule(mec->machine, mec->unit,
                         machine_now(mec->machine) +
                             machine_parameter(mec->machine, PARAM_AMD_DOORBELL_PS),
                         AMD_MEC_RUNG, amd_mec_rung_argument(mec, slot_id, write));
        return;
    }
    if (mec->client.rung)
        mec->client.rung(mec->client.client, doorbell_index);
}

/* Several producers may ring out of order: the highest counts. */
static void amd_mec_rung(struct amd_mec *mec, uint32_t slot_id, uint64_t write)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (!amd_mec_active(mec, slot_id) || write <= queue->write)
        return;
    queue->write = write;
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_WPTR_LO) = (uint32_t)write;
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_WPTR_HI) = (uint32_t)(write >> 32);
    if (queue->phase == AMD_QUEUE_IDLE && queue->dequeue == AMD_DEQUEUE_NONE) {
        amd_mec_set_ready(mec, slot_id);
        amd_mec_turn_of(mec, slot_id);
        if (mec->client.rung)
            mec->client.rung(mec->client.client, amd_mec_doorbell_of(mec, slot_id));
    }
}

/* The write pointer as the program keeps it in memory. */
static void amd_mec_poll(void *unit, uint32_t slot_id)
{
    struct amd_mec *mec = unit;
    const uint64_t address =
        amd_mec_reg64(mec, slot_id, CP_HQD_PQ_WPTR_POLL_ADDR, CP_HQD_PQ_WPTR_POLL_ADDR_HI);
    uint64_t write;

    if (amd_mec_active(mec, slot_id) && address != 0 &&
        amd_mec_read(mec, slot_id, address, &write, sizeof write) &&
        machine_inject(mec->machine, mec->unit, AMD_INJECT_WPTR, amd_mec_doorbell_of(mec, slot_id),
                       &write, sizeof write))
        amd_mec_rung(mec, slot_id, write);
}

/* ---- the unit -------------------------------------------------------------------------------- */

/* But for packets and what follows them. */
static __attribute__((noinline)) void amd_mec_event_of_slot(struct amd_mec *mec,
                                                            const struct event *event)
{
    uint32_t argument = (uint32_t)event->argument;

    switch (event->kind) {
    case AMD_MEC_RUNG:
        argument = (uint32_t)(event->argument >> 58);
        if ((amd_mec_queue(mec, argument)->generation & 0x3ff) == (event->argument >> 48 & 0x3ff))
            amd_mec_rung(mec, argument, event->argument & UINT64_C(0xffffffffffff));
        break;
    case AMD_MEC_LOADED:
        amd_mec_loaded(mec, argument);
        break;
    case AMD_MEC_LEFT:
        amd_mec_left(mec, argument);
        break;
    case AMD_MEC_STOP:
    case AMD_MEC_SAVED:
    case AMD_MEC_RESTORED:
        amd_mec_save_event(mec, event->kind, event->argument);
        break;
    default: /* a watch */
        if (amd_mec_queue(mec, (event->kind - AMD_MEC_WATCH) / AMD_SIGNALS_MAX)->generation ==
            argument)
            amd_mec_retry(mec, (event->kind - AMD_MEC_WATCH) / AMD_SIGNALS_MAX);
    }
}

static OFTEN void amd_mec_event(void *unit, const struct event *event)
{
    struct amd_mec *mec = unit;

    if (event->kind == AMD_MEC_PACKET)
        amd_mec_packet_done(mec, (uint32_t)event->argument);
    else if (event->kind == AMD_MEC_RELEASED)
        amd_mec_released(mec, (uint32_t)event->argument);
    else
        amd_mec_event_of_slot(mec, event);
    amd_dispatch_launched(mec->dispatch);
}

static const struct unit_ops amd_mec_ops = {.event = amd_mec_event, .finish = amd_mec_finish};

void amd_mec_wire(struct amd_mec *mec, struct machine *machine, const struct amd_chip *chip,
                  struct amd_vm *vm, struct amd_gc *gc, struct amd_dispatch *dispatch)
{
    mec->machine = machine;
    mec->chip = chip;
    mec->vm = vm;
    mec->gc = gc;
    mec->dispatch = dispatch;
    mec->unit = machine_add_unit(machine, "amd_mec", &amd_mec_ops, mec);
    mec->state = machine_alloc(machine, sizeof *mec->state);
    amd_losses_fill(AMD_PACKET_PM4, mec->losses);
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++) {
        const struct machine_page *any = machine->pages;

        mec->near[slot_id] = (struct amd_mec_near){any, any, any, any, any};
    }
    dispatch->client = (struct amd_dispatch_client){.done = amd_mec_dispatched, .client = mec};
    dispatch->says_launched = true;
    gc->client = (struct amd_gc_client){.activate = amd_mec_activate,
                                        .dequeue = amd_mec_dequeue,
                                        .poll = amd_mec_poll,
                                        .client = mec};
}
