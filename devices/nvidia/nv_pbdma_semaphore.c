/* SPDX-License-Identifier: MIT */
/*
 * Host's semaphores: SEMAPHOREA to C are operands, SEMAPHORED acts; from Volta on also SEM_ADDR_LO,
 * HI and SEM_PAYLOAD_LO, HI, and SEM_EXECUTE acts.  Both write the same registers.  What they mean
 * is in nv_semaphore.h; described in open-gpu-doc classes/host/clc06f.h and clc36f.h, and the prose
 * of the operations, of ACQUIRE and of ACQUIRE_DEADLINE in tu104/dev_pbdma.ref.txt.  Volta's
 * manuals say nothing of SEMAPHORED any more; that it still acts is INFERRED: nouveau's fences up
 * to Linux 6.15 are made of it on Volta and Turing.
 *
 * A failed acquire is polled every RETRY_MAN << RETRY_EXP cycles.  There is no event per poll: the
 * word is watched, and the value is looked at again at the first poll that does not lie before the
 * write.  With TIMEOUT_EN the first poll after the deadline raises ACQUIRE.  ASSUMED: nvclk is
 * Host's clock, a RETRY_MAN of 0 polls every cycle, and ACQUIRE_FAIL lies in bit 19 before Volta
 * too.
 */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

/* SEM_ADDR_HI has eight bits, and 25 from Hopper on (clc86f.h). */
uint32_t nv_pbdma_semaphore_upper(const struct nv_pbdma *pbdma)
{
    return pbdma->model->class_host >= HOPPER_CHANNEL_GPFIFO_A ? 0x1ffffff : UINT8_MAX;
}

uint64_t nv_pbdma_semaphore_address(const struct nv_pbdma *pbdma)
{
    return (uint64_t)(nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREA) & nv_pbdma_semaphore_upper(pbdma))
               << 32 |
           (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREB),
                             NV_PPBDMA_SEMAPHOREB_OFFSET_LOWER)
               << 2;
}

/* What an operation of so many bits writes or compares with. */
static uint64_t nv_pbdma_payload(const struct nv_pbdma *pbdma, unsigned bits)
{
    const uint64_t high = bits == 64 ? nv_pbdma_reg(pbdma, NV_PPBDMA_FORMATS) : 0;

    return high << 32 | nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHOREC);
}

/* ---- releases -------------------------------------------------------------------------------- */

static bool nv_pbdma_release(struct nv_pbdma *pbdma, const struct nv_semaphore_operation *operation)
{
    const struct nv_method method = nv_pbdma_method(pbdma);
    const struct nv_release release = {
        .address = nv_pbdma_semaphore_address(pbdma),
        .payload = nv_pbdma_payload(pbdma, operation->bits),
        .gp_sequence = method.gp_sequence,
        .channel_id = method.channel_id,
        .space_id = method.space_id,
        .class_id = pbdma->model->class_host,
        .rule = RULE_NV_ORDER,
        .bits = operation->bits,
        .has_time = operation->has_time,
        .reduces = operation->reduces,
        .is_signed = operation->is_signed,
        .reduction = operation->reduction,
    };
    uint64_t fault;

    if (operation->waits_for_idle && !nv_pbdma_idle_and_flushed(pbdma))
        return false;
    if (nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_SEMAPHORE))
        return false;
    if (!nv_release_write(pbdma->machine, pbdma->unit, &release, &fault)) {
        nv_pbdma_fault(pbdma, fault, true, NV_FAULT_HOST);
        return false;
    }
    return true;
}

/* ---- polls ----------------------------------------------------------------------------------- */

static uint64_t nv_pbdma_poll_cycles(const struct nv_pbdma *pbdma)
{
    const uint32_t acquire = nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE);
    const uint64_t cycles = (uint64_t)REG_GET(acquire, NV_PPBDMA_ACQUIRE_RETRY_MAN)
                            << REG_GET(acquire, NV_PPBDMA_ACQUIRE_RETRY_EXP);

    return cycles ? cycles : 1;
}

/* Polls after the one at acquire_from_ps, up to the first that does not lie before `at_ps`. */
static uint64_t nv_pbdma_polls_until(const struct nv_pbdma *pbdma, gfe_ps at_ps)
{
    const struct clock_domain *clock = &pbdma->host->clock;
    const uint64_t from = clock_cycle_at(clock, pbdma->state->acquire_from_ps);
    const uint64_t to = clock_cycle_at(clock, clock_next_edge(clock, at_ps));
    const uint64_t each = nv_pbdma_poll_cycles(pbdma);

    return to > from ? (to - from + each - 1) / each : 0;
}

/* The first poll at or after a time. */
static gfe_ps nv_pbdma_poll_at(const struct nv_pbdma *pbdma, gfe_ps at_ps)
{
    const struct clock_domain *clock = &pbdma->host->clock;
    const uint64_t from = clock_cycle_at(clock, pbdma->state->acquire_from_ps);

    return clock_at_cycle(clock,
                          from + nv_pbdma_polls_until(pbdma, at_ps) * nv_pbdma_poll_cycles(pbdma));
}

void nv_pbdma_poll_later(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    state->generation++;
    machine_schedule(pbdma->machine, pbdma->unit,
                     nv_pbdma_poll_at(pbdma, machine_now(pbdma->machine)), NV_PBDMA_EVENT_STEP,
                     state->generation);
}

/* ---- deadlines ------------------------------------------------------------------------------- */

static uint32_t nv_pbdma_time_units(const struct nv_pbdma *pbdma)
{
    return (uint32_t)(machine_now(pbdma->machine) / NV_PBDMA_TICK_PS);
}

static uint32_t nv_pbdma_timeout_units(const struct nv_pbdma *pbdma)
{
    const uint32_t acquire = nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE);

    return (uint32_t)REG_GET(acquire, NV_PPBDMA_ACQUIRE_TIMEOUT_MAN)
           << REG_GET(acquire, NV_PPBDMA_ACQUIRE_TIMEOUT_EXP);
}

/* Circular: not between the start, which is deadline - timeout, and the deadline. */
static bool nv_pbdma_deadline_missed(const struct nv_pbdma *pbdma)
{
    const uint32_t timeout = nv_pbdma_timeout_units(pbdma);
    const uint32_t start = nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE) - timeout;

    return REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE), NV_PPBDMA_ACQUIRE_TIMEOUT_EN) &&
           nv_pbdma_time_units(pbdma) - start > timeout;
}

/* When the deadline is missed; GFE_PS_NEVER without one. */
static gfe_ps nv_pbdma_missed_ps(const struct nv_pbdma *pbdma)
{
    const uint32_t left =
        nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE) - nv_pbdma_time_units(pbdma);

    return REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE), NV_PPBDMA_ACQUIRE_TIMEOUT_EN)
               ? (machine_now(pbdma->machine) / NV_PBDMA_TICK_PS + left + 1) * NV_PBDMA_TICK_PS
               : GFE_PS_NEVER;
}

/* The event of the first poll at which the deadline is missed. */
static void nv_pbdma_timer_start(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps missed_ps = nv_pbdma_missed_ps(pbdma);

    if (state->acquire_timer || missed_ps == GFE_PS_NEVER)
        return;
    state->acquire_timer = 1;
    machine_schedule(pbdma->machine, pbdma->unit, nv_pbdma_poll_at(pbdma, missed_ps),
                     NV_PBDMA_EVENT_TIMEOUT, 0);
}

void nv_pbdma_acquire_stop(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->acquire_timer)
        (void)machine_cancel(pbdma->machine, pbdma->unit, NV_PBDMA_EVENT_TIMEOUT);
    state->acquire_timer = 0;
    state->acquire_from_ps = 0;
}

void nv_pbdma_semaphore_timeout(struct nv_pbdma *pbdma)
{
    pbdma->state->acquire_timer = 0;
    if (pbdma->state->phase == NV_PBDMA_BLOCKED &&
        (pbdma->state->block_rule == RULE_NV_ACQ ||
         pbdma->state->block_rule == RULE_NV_CLEAR_FAULTED))
        nv_pbdma_execute(pbdma);
}

/* ---- acquires -------------------------------------------------------------------------------- */

bool nv_pbdma_acquire_failed(const struct nv_pbdma *pbdma)
{
    return REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHORED), NV_PPBDMA_SEMAPHORED_ACQUIRE_FAIL);
}

void nv_pbdma_set_acquire_failed(struct nv_pbdma *pbdma, bool failed)
{
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_SEMAPHORED,
                     REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_SEMAPHORED),
                             NV_PPBDMA_SEMAPHORED_ACQUIRE_FAIL, failed));
}

void nv_pbdma_semaphore_done(struct nv_pbdma *pbdma)
{
    nv_pbdma_acquire_stop(pbdma);
    nv_pbdma_set_acquire_failed(pbdma, false);
    pbdma->state->acquire_tries = 0;
}

/* Counts this poll, and the polls since the last one that the model did not have to make. */
static void nv_pbdma_count_polls(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps now = machine_now(pbdma->machine);
    const struct clock_domain *clock = &pbdma->host->clock;

    state->acquire_tries += state->acquire_from_ps ? nv_pbdma_polls_until(pbdma, now) : 1;
    state->acquire_from_ps = clock_next_edge(clock, now);
}

static void nv_pbdma_watch(struct nv_pbdma *pbdma, uint32_t kind, uint64_t address)
{
    struct address_space_range where;
    uint64_t contiguous;

    if (address_space_translate(&pbdma->machine->spaces, pbdma->state->space_id, address, &where,
                                &contiguous))
        machine_watch(pbdma->machine, pbdma->unit, kind, 0, (enum memory_aperture)where.aperture,
                      where.physical);
}

/* The value is not there: wait for a write or for the deadline. */
static void nv_pbdma_acquire_wait(struct nv_pbdma *pbdma, uint64_t address,
                                  const struct nv_semaphore_operation *operation)
{
    struct nv_pbdma_state *state = pbdma->state;
    bool missed = false;

    if (!nv_pbdma_acquire_failed(pbdma)) {
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE,
                         nv_pbdma_time_units(pbdma) + nv_pbdma_timeout_units(pbdma));
        nv_pbdma_set_acquire_failed(pbdma, true);
    } else if (nv_pbdma_deadline_missed(pbdma)) {
        if (nv_pbdma_interrupt_acquire(pbdma))
            return;
        missed = true;
    }
    state->acquire_switch = operation->switches;
    state->acquire_wide = operation->bits == 64;
    nv_pbdma_block(pbdma, RULE_NV_ACQ);
    if (state->preempt || nv_runlist_acquire_failed(nv_pbdma_queue(pbdma), operation->switches)) {
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_leave(pbdma);
        return;
    }
    nv_pbdma_watch(pbdma, NV_PBDMA_EVENT_WATCH, address);
    if (operation->bits == 64)
        nv_pbdma_watch(pbdma, NV_PBDMA_EVENT_WATCH_HI, address + 4);
    if (!missed)
        nv_pbdma_timer_start(pbdma);
}

static bool nv_pbdma_acquire(struct nv_pbdma *pbdma, const struct nv_semaphore_operation *operation)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint64_t address = nv_pbdma_semaphore_address(pbdma);
    uint64_t value = 0, fault;

    if (nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_SEMAPHORE))
        return false;
    if (!machine_vm_read(pbdma->machine, state->space_id, address, &value, operation->bits / 8,
                         &fault)) {
        nv_pbdma_fault(pbdma, fault, false, NV_FAULT_HOST);
        return false;
    }
    (void)nv_pbdma_passes(pbdma, NV_INJECT_ACQUIRE, &value, sizeof value);
    nv_pbdma_count_polls(pbdma);
    if (!nv_semaphore_acquired(operation->test, operation->bits, value,
                               nv_pbdma_payload(pbdma, operation->bits))) {
        nv_pbdma_acquire_wait(pbdma, address, operation);
        return false;
    }
    nv_pbdma_unblock(pbdma);
    nv_runlist_goes_on(nv_pbdma_queue(pbdma));
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_ACQUIRE, RULE_NV_ACQ, state->channel_id,
                address, value, state->acquire_tries);
    nv_pbdma_semaphore_done(pbdma);
    return true;
}

/* The value that the failed acquire waits for has come meanwhile. */
static bool nv_pbdma_is_there(struct nv_pbdma *pbdma)
{
    const uint32_t data = nv_pbdma_reg(pbdma, NV_PPBDMA_DATA0);
    const struct nv_semaphore_operation operation =
        nv_pbdma_method(pbdma).method == NVC36F_SEM_EXECUTE ? nv_semaphore_decode_execute(data)
                                                            : nv_semaphore_decode_d(data);
    uint64_t value = 0, fault;

    return operation.kind == NV_SEMAPHORE_ACQUIRE &&
           machine_vm_read(pbdma->machine, pbdma->state->space_id,
                           nv_pbdma_semaphore_address(pbdma), &value, operation.bits / 8, &fault) &&
           nv_semaphore_acquired(operation.test, operation.bits, value,
                                 nv_pbdma_payload(pbdma, operation.bits));
}

void nv_pbdma_acquire_park(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const uint64_t address = nv_pbdma_semaphore_address(pbdma);
    struct address_space_range where;
    uint64_t contiguous;

    if (nv_pbdma_is_there(pbdma) ||
        !address_space_translate(&pbdma->machine->spaces, state->space_id, address, &where,
                                 &contiguous))
        return; /* tried again, it succeeds or faults */
    nv_channel_wait_acquire(
        pbdma->host, state->channel_id,
        &(struct nv_channel_acquire){.semaphore = address,
                                     .physical = where.physical,
                                     .aperture = (enum memory_aperture)where.aperture,
                                     .wide = state->acquire_wide != 0,
                                     .switches_tsg = state->acquire_switch != 0,
                                     .deadline_ps = nv_pbdma_missed_ps(pbdma)});
}

static bool nv_pbdma_semaphore_act(struct nv_pbdma *pbdma, uint32_t data,
                                   const struct nv_semaphore_operation *operation)
{
    const bool failed = nv_pbdma_acquire_failed(pbdma);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_SEMAPHORED, data);
    if (operation->kind == NV_SEMAPHORE_INVALID ||
        nv_pbdma_semaphore_address(pbdma) % operation->alignment != 0) {
        nv_pbdma_set_acquire_failed(pbdma, false);
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SEMAPHORE_LO);
        return false;
    }
    nv_pbdma_set_acquire_failed(pbdma, failed && operation->kind == NV_SEMAPHORE_ACQUIRE);
    return operation->kind == NV_SEMAPHORE_ACQUIRE ? nv_pbdma_acquire(pbdma, operation)
                                                   : nv_pbdma_release(pbdma, operation);
}

bool nv_pbdma_semaphore(struct nv_pbdma *pbdma, uint32_t data)
{
    struct nv_semaphore_operation operation = nv_semaphore_decode_d(data);

    if (operation.reduces && !pbdma->host->reduces)
        operation.kind = NV_SEMAPHORE_INVALID;
    return nv_pbdma_semaphore_act(pbdma, data, &operation);
}

bool nv_pbdma_sem_execute(struct nv_pbdma *pbdma, uint32_t data)
{
    const struct nv_semaphore_operation operation = nv_semaphore_decode_execute(data);

    return nv_pbdma_semaphore_act(pbdma, data, &operation);
}
