/* SPDX-License-Identifier: MIT */
/* Whose packet an SDMA engine takes up next, and doorbells. */
#include <config.h>

#include "devices/amd/amd_sdma.h"

#include "devices/amd/amd_ih.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/formats/amd_variants.h"

/* ---- interrupts, errors, waits --------------------------------------------------------------- */

void amd_sdma_interrupt(struct amd_sdma *sdma, uint32_t queue_id, uint32_t source_id,
                        uint32_t context_id)
{
    const uint32_t client_id = AMD_IH_CLIENT_SDMA0 + sdma->engine;
    const uint32_t vmid = amd_sdma_queue(sdma, queue_id)->vmid;

    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_INTERRUPT, RULE_NONE, client_id, source_id,
                queue_id, vmid, context_id);
    if (sdma->ih)
        amd_ih_put(sdma->ih, &(struct amd_ih_entry){.client_id = client_id,
                                                    .source_id = source_id,
                                                    .ring_id = queue_id,
                                                    .vmid = vmid,
                                                    .is_mmhub = 1,
                                                    .context_id = {context_id}});
    if (sdma->client.interrupt)
        sdma->client.interrupt(sdma->client.client, client_id, source_id, queue_id, vmid,
                               context_id);
}

void amd_sdma_unblock(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->block_rule != RULE_NONE && queue->blocked_ps < machine_now(sdma->machine))
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_WAIT, queue->block_rule, queue->blocked_ps,
                    SUBJECT_QUEUE, queue->doorbell_index,
                    queue->block_address ? SUBJECT_SEMAPHORE : SUBJECT_NONE, queue->block_address);
    queue->block_rule = RULE_NONE;
    queue->block_address = 0;
}

void amd_sdma_block(struct amd_sdma *sdma, uint32_t queue_id, uint32_t rule, uint64_t address)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->block_rule == rule && queue->block_address == address)
        return;
    amd_sdma_unblock(sdma, queue_id);
    queue->blocked_ps = machine_now(sdma->machine);
    queue->block_rule = rule;
    queue->block_address = address;
}

void amd_sdma_stop(struct amd_sdma *sdma, uint32_t queue_id, uint32_t source_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    amd_sdma_unblock(sdma, queue_id);
    queue->phase = AMD_QUEUE_STOPPED;
    if (source_id != 0)
        amd_sdma_interrupt(sdma, queue_id, source_id, 0);
}

/* ---- taking packets up ----------------------------------------------------------------------- */

/* The queue that the engine does not leave; the number of queues: there is none. */
static uint32_t amd_sdma_bound(const struct amd_sdma *sdma)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, sdma->state->turn);
    const bool in_buffer = queue->keeps_in_buffer && queue->buffer_dwords > 0;
    const bool polls = queue->block_rule == RULE_AMD_SDMA_POLL &&
                       sdma->machine->choices[CHOICE_AMD_SDMA_WAIT] == 1;

    return (queue->phase == AMD_QUEUE_READY || queue->phase == AMD_QUEUE_BLOCKED) &&
                   (in_buffer || polls)
               ? sdma->state->turn
               : AMD_SDMA_QUEUES_MAX;
}

/* The queue has work: may its packet be taken up?  If so the engine works on it. */
static bool amd_sdma_take(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (amd_sdma_fetch(sdma, queue_id) != AMD_SDMA_DONE) {
        if (queue->phase == AMD_QUEUE_BLOCKED)
            sdma->state->turn = queue_id;
        return false;
    }
    amd_sdma_unblock(sdma, queue_id);
    queue->phase = AMD_QUEUE_TAKEN;
    sdma->state->busy = 1;
    sdma->state->turn = queue_id;
    amd_sdma_show(sdma, queue_id);
    machine_schedule(sdma->machine, sdma->unit,
                     machine_now(sdma->machine) +
                         machine_parameter(sdma->machine, PARAM_AMD_SDMA_PACKET_PS),
                     AMD_SDMA_PACKET, queue_id);
    return true;
}

void amd_sdma_turn(struct amd_sdma *sdma)
{
    const struct amd_sdma_state *state = sdma->state;
    const bool halted = amd_sdma_halted(sdma);
    const uint32_t first =
        state->turn + (sdma->machine->choices[CHOICE_AMD_SDMA_TURN] == 1 ? 0 : 1);

    for (uint32_t n = 0; n < AMD_SDMA_QUEUES_MAX && !state->busy && !halted; n++) {
        const uint32_t queue_id = (first + n) % AMD_SDMA_QUEUES_MAX;
        const uint32_t bound = amd_sdma_bound(sdma); /* the last one may have begun to poll */

        if (amd_sdma_queue(sdma, queue_id)->phase == AMD_QUEUE_READY &&
            (bound == queue_id || bound == AMD_SDMA_QUEUES_MAX))
            amd_sdma_take(sdma, queue_id);
    }
    for (uint32_t queue_id = 0; queue_id < AMD_SDMA_QUEUES_MAX; queue_id++)
        if (amd_sdma_queue(sdma, queue_id)->phase == AMD_QUEUE_READY)
            amd_sdma_block(sdma, queue_id, halted ? RULE_AMD_SDMA_HALT : RULE_AMD_SDMA_ENGINE, 0);
}

void amd_sdma_finished(struct amd_sdma *sdma, uint32_t queue_id, enum amd_sdma_result result)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (result == AMD_SDMA_MOVES)
        return;
    sdma->state->busy = 0;
    sdma->state->job.kind = AMD_SDMA_NO_JOB;
    if (queue->phase == AMD_QUEUE_TAKEN)
        queue->phase = amd_sdma_left(sdma, queue_id) > 0 ? AMD_QUEUE_READY : AMD_QUEUE_IDLE;
    amd_sdma_show(sdma, queue_id);
    if (queue->leaving)
        amd_sdma_leave(sdma, queue_id);
    amd_sdma_turn(sdma);
}

/* ---- doorbells ------------------------------------------------------------------------------- */

bool amd_sdma_doorbell(struct amd_sdma *sdma, uint32_t doorbell_index, uint64_t value)
{
    for (uint32_t queue_id = 0; queue_id < AMD_SDMA_QUEUES_MAX; queue_id++) {
        const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

        if (queue->phase == AMD_QUEUE_EMPTY || !queue->has_doorbell ||
            queue->doorbell_index != doorbell_index)
            continue;
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_DOORBELL, RULE_A_Q1, doorbell_index,
                    sdma->engine, queue_id, value);
        machine_schedule(sdma->machine, sdma->unit,
                         machine_now(sdma->machine) +
                             machine_parameter(sdma->machine, PARAM_AMD_SDMA_DOORBELL_PS),
                         AMD_SDMA_RUNG,
                         (uint64_t)queue_id << 58 | (uint64_t)(queue->generation & 0x3ff) << 48 |
                             (value & UINT64_C(0xffffffffffff)));
        return true;
    }
    return false;
}

/* Stores may come out of order: the highest counts. */
void amd_sdma_written(struct amd_sdma *sdma, uint32_t queue_id, uint64_t write)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    write &= ~UINT64_C(3);
    if (queue->phase == AMD_QUEUE_EMPTY || write <= queue->write)
        return;
    queue->write = write;
    amd_sdma_show(sdma, queue_id);
    if (queue->phase == AMD_QUEUE_IDLE && !queue->leaving) {
        queue->phase = AMD_QUEUE_READY;
        amd_sdma_turn(sdma);
        if (sdma->client.rung)
            sdma->client.rung(sdma->client.client);
    }
}

bool amd_sdma_busy(const struct amd_sdma *sdma, uint32_t queue_id)
{
    const uint32_t phase = amd_sdma_queue(sdma, queue_id)->phase;

    return phase == AMD_QUEUE_READY || phase == AMD_QUEUE_TAKEN || phase == AMD_QUEUE_BLOCKED;
}

/* ---- the unit -------------------------------------------------------------------------------- */

static void amd_sdma_rung(struct amd_sdma *sdma, uint64_t argument)
{
    const uint32_t queue_id = (uint32_t)(argument >> 58);

    if ((amd_sdma_queue(sdma, queue_id)->generation & 0x3ff) == (argument >> 48 & 0x3ff))
        amd_sdma_written(sdma, queue_id, argument & UINT64_C(0xffffffffffff));
}

/* What a queue polls, or its write pointer, has been written. */
static void amd_sdma_watched(struct amd_sdma *sdma, uint32_t kind, uint32_t generation)
{
    const uint32_t queue_id = (kind - AMD_SDMA_WATCH) % AMD_SDMA_QUEUES_MAX;
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->generation != generation)
        return;
    if (kind >= AMD_SDMA_WRITE_POINTER) {
        machine_schedule(sdma->machine, sdma->unit,
                         machine_now(sdma->machine) +
                             machine_parameter(sdma->machine, PARAM_AMD_SDMA_DOORBELL_PS),
                         AMD_SDMA_POLLED, (uint64_t)queue_id << 32 | generation);
    } else if (queue->phase == AMD_QUEUE_BLOCKED) {
        queue->phase = AMD_QUEUE_READY;
        amd_sdma_turn(sdma);
    }
}

/* The packet does what it does, unless its queue has been stopped meanwhile. */
static void amd_sdma_worked(struct amd_sdma *sdma, uint32_t queue_id)
{
    const bool stopped = amd_sdma_queue(sdma, queue_id)->phase != AMD_QUEUE_TAKEN;

    amd_sdma_finished(sdma, queue_id, stopped ? AMD_SDMA_STOPS : amd_sdma_execute(sdma, queue_id));
}

static void amd_sdma_event(void *unit, const struct event *event)
{
    struct amd_sdma *sdma = unit;

    switch (event->kind) {
    case AMD_SDMA_PACKET:
        amd_sdma_worked(sdma, (uint32_t)event->argument);
        break;
    case AMD_SDMA_RUNG:
        amd_sdma_rung(sdma, event->argument);
        break;
    case AMD_SDMA_COPIED:
        amd_sdma_copied(sdma);
        break;
    case AMD_SDMA_POLLED:
        if (amd_sdma_queue(sdma, (uint32_t)(event->argument >> 32))->generation ==
            (uint32_t)event->argument)
            amd_sdma_poll(sdma, (uint32_t)(event->argument >> 32));
        break;
    default:
        amd_sdma_watched(sdma, event->kind, (uint32_t)event->argument);
    }
}

static const struct unit_ops amd_sdma_ops = {
    .event = amd_sdma_event, .write = amd_sdma_write, .finish = amd_sdma_finish};

void amd_sdma_wire(struct amd_sdma engines[AMD_SDMA_ENGINES_MAX], struct amd_sdma_links *links,
                   struct machine *machine, const struct amd_chip *chip, const struct amd_vm *vm)
{
    *links = (struct amd_sdma_links){.engines = engines,
                                     .engine_count =
                                         chip->sdma_engine_count + chip->sdma_xgmi_engine_count,
                                     .state = machine_alloc(machine, sizeof *links->state)};
    for (uint32_t engine = 0; engine < links->engine_count; engine++) {
        struct amd_sdma *sdma = &engines[engine];

        *sdma = (struct amd_sdma){.machine = machine,
                                  .chip = chip,
                                  .place = amd_sdma_place(amd_variant_of(chip->isa)),
                                  .vm = vm,
                                  .links = links,
                                  .state = machine_alloc(machine, sizeof *sdma->state),
                                  .engine = engine};
        sdma->unit = machine_add_unit(machine, "amd_sdma", &amd_sdma_ops, sdma);
        sdma->timer = machine_add_timer(machine);
        amd_sdma_add_windows(sdma);
    }
}
