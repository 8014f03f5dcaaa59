/* SPDX-License-Identifier: MIT */
/*
 * The launches of a copy engine: one after another they run (T.C2), and they go and come with their
 * context.
 */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_tables.h"

static void nv_ce_try_to_leave(struct nv_ce *ce);

bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id)
{
    if (ce->state->count == 0 && !nv_ce_held(ce))
        return true;
    if (pbdma_id < NV_CHIP_PBDMAS_MAX)
        ce->state->waiting_pbdmas |= UINT64_C(1) << pbdma_id;
    return false;
}

static void nv_ce_resume_waiting(struct nv_ce *ce)
{
    if (ce->state->waiting_pbdmas)
        machine_schedule(ce->machine, ce->unit, machine_now(ce->machine), NV_CE_RESUME, 0);
}

static struct nv_ce_copy *nv_ce_nth(struct nv_ce *ce, uint32_t n)
{
    return &ce->state->copies[(ce->state->head + n) % NV_CE_QUEUE];
}

static void nv_ce_pop(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;

    *nv_ce_nth(ce, 0) = (struct nv_ce_copy){0};
    state->head = (state->head + 1) % NV_CE_QUEUE;
    state->count--;
    state->phase = NV_CE_RESTS;
    if (state->count == 0)
        state->head = 0;
}

void nv_ce_work_changed(struct nv_ce *ce, uint32_t tsg_id)
{
    if (ce->engine)
        nv_engine_work_changed(ce->engine, tsg_id);
}

void nv_ce_tell_waiting(struct nv_ce *ce, uint32_t rule, uint32_t blocker_kind, uint64_t blocker)
{
    const gfe_ps now = machine_now(ce->machine);

    for (uint32_t i = ce->state->phase == NV_CE_RESTS ? 0 : 1; i < ce->state->count; i++) {
        struct nv_ce_copy *copy = nv_ce_nth(ce, i);

        if (copy->waiting_ps < now)
            MACHINE_LOG(ce->machine, ce->unit, EVENT_WAIT, rule, copy->waiting_ps, SUBJECT_COPY,
                        copy->copy_id, blocker_kind, blocker);
        copy->waiting_ps = now;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Its bytes are moved: a flush, and the end. */
static void nv_ce_flush(struct nv_ce *ce, const struct nv_ce_copy *copy, gfe_ps from_ps)
{
    const bool flushes = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_FLUSH_ENABLE);
    const uint64_t cycles = machine_parameter(ce->machine, PARAM_NV_CE_FLUSH_CYCLES);

    ce->state->phase = NV_CE_FLUSHES;
    machine_schedule(ce->machine, ce->unit,
                     flushes ? clock_after_cycles(&ce->host->clock, from_ps, cycles) : from_ps,
                     NV_CE_COPY_END, 0);
}

/* Where Host would split it: what THROTTLE lets through is at most what it does in that time. */
static uint64_t nv_ce_split_bytes(const struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    const uint64_t throttle_ps = machine_parameter(ce->machine, PARAM_NV_CE_THROTTLE_PS);
    uint64_t bytes = machine_parameter(ce->machine, PARAM_NV_CE_SPLIT_BYTES);

    if (!copy->splits)
        return 0;
    if (copy->throttled && copy->alone_ps > 0) {
        __extension__ const unsigned __int128 most =
            (unsigned __int128)copy->byte_count * throttle_ps / copy->alone_ps;

        if (most < bytes)
            bytes = (uint64_t)most;
    }
    bytes -= bytes % copy->to.element_bytes;
    return bytes ? bytes : copy->to.element_bytes;
}

/* 1 byte a second at least. */
static uint64_t nv_ce_rate(const struct nv_ce *ce, uint64_t bytes_per_second)
{
    const uint64_t percent = machine_parameter(ce->machine, PARAM_COPY_RATE_PERCENT);

    if (percent == 100)
        return bytes_per_second;
    return bytes_per_second / 100 > UINT64_MAX / (percent + 1)
               ? UINT64_MAX
               : bytes_per_second / 100 * percent + 1;
}

/* What the copy takes alone, with the PCEs that it has now.  What the division leaves of a
 * picosecond is the next copy's. */
static void nv_ce_measure(struct nv_ce *ce, struct nv_ce_copy *copy, struct nv_pce_request *request)
{
    const uint32_t pces = nv_ce_pces(ce);
    struct copy_carry none = {0};
    enum copy_limit limit;

    *request = (struct nv_pce_request){
        .copy_id = copy->copy_id,
        .channel_id = copy->channel_id,
        .pces = pces,
        .rates = {.engine = nv_ce_rate(ce, ce->model->pce_bytes_per_second *
                                               (uint32_t)__builtin_popcount(pces ? pces : 1)),
                  .system = nv_ce_rate(ce, ce->model->system_bytes_per_second),
                  .local = nv_ce_rate(ce, ce->model->local_bytes_per_second)},
        .traffic = nv_ce_traffic(ce->machine, copy),
    };
    copy->alone_ps = copy_transfer_ps(copy->started ? &none : &ce->state->carry, &request->rates,
                                      &request->traffic, &limit);
    copy->limited_by = limit;
    copy->split_bytes = nv_ce_split_bytes(ce, copy);
    if (copy->byte_count)
        request->left = copy_work_left(copy->alone_ps, copy->moved, copy->byte_count);
}

/* A launch that only releases a semaphore has nothing to set up. */
static uint64_t nv_ce_setup_cycles(const struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    return copy->limited_by == COPY_LIMIT_NONE
               ? 0
               : machine_parameter(ce->machine, PARAM_COPY_SETUP_CYCLES);
}

/* Starts the copy at the head, or goes on with what is left of it. */
static void nv_ce_run(struct nv_ce *ce, struct nv_ce_copy *copy)
{
    const bool pipelined =
        !copy->started && REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) ==
                              NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE_PIPELINED;
    struct nv_pce_request request;

    nv_ce_measure(ce, copy, &request);
    request.ready_ps = copy_ready_ps(&ce->host->clock, copy->queued_ps, machine_now(ce->machine),
                                     nv_ce_setup_cycles(ce, copy), pipelined);
    if (copy->started)
        MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_RESUME, RULE_B_R4, copy->copy_id,
                    copy->channel_id, ce->engine_id, copy->moved, copy->limited_by, request.pces);
    else
        MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_START, RULE_T_C3, copy->copy_id,
                    copy->channel_id, ce->engine_id, copy->byte_count,
                    request.traffic.read_bytes + request.traffic.written_bytes, copy->limited_by,
                    request.pces);
    copy->started = 1;
    copy->stop_at = copy->byte_count;
    ce->state->bound_channel = copy->channel_id;
    if (copy->limited_by == COPY_LIMIT_NONE) {
        nv_ce_flush(ce, copy, request.ready_ps);
        return;
    }
    ce->state->phase = NV_CE_MOVES;
    nv_pce_move(ce->pce, ce->number, &request);
}

static void nv_ce_launch_error(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    const bool config = copy->launch_error == NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG;

    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_CE_LAUNCHERR, RULE_NONE, copy->copy_id,
                copy->channel_id, ce->engine_id, copy->launch_error, copy->launch);
    ce->regs->storage[ce->layout->launcherr / 4] = copy->launch_error;
    nv_ce_interrupt(ce, copy->channel_id,
                    1u << NV_CE_LCE_INTR_STATUS_LAUNCHERR_LO |
                        (config ? 1u << NV_CE_LCE_INTR_STATUS_INVALID_CONFIG_LO : 0),
                    copy->launch_error);
}

void nv_ce_advance(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;

    if (state->suspending)
        nv_ce_try_to_leave(ce);
    while (state->count > 0 && state->phase == NV_CE_RESTS && !nv_ce_held(ce)) {
        struct nv_ce_copy *copy = nv_ce_nth(ce, 0);
        const uint32_t tsg_id = copy->tsg_id;

        if (!copy->launch_error && nv_ce_pces(ce) == 0) /* since the launch */
            copy->launch_error = NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG;
        if (nv_channel_get(ce->host, copy->channel_id)->stopped) {
            MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_DROP, RULE_NONE, copy->copy_id,
                        copy->channel_id, ce->engine_id);
            nv_ce_pop(ce);
        } else if (copy->launch_error) {
            nv_ce_launch_error(ce, copy);
            nv_ce_pop(ce);
        } else {
            nv_ce_run(ce, copy);
            break;
        }
        nv_ce_work_changed(ce, tsg_id);
    }
    nv_ce_resume_waiting(ce);
}

/* ---- the end of a copy ----------------------------------------------------------------------- */

/* Writes the copy's bytes up to `end` to memory.  Returns false after a fault; the channel is
 * stopped then. */
static bool nv_ce_store(struct nv_ce *ce, struct nv_ce_copy *copy, uint64_t end)
{
    uint64_t fault;
    bool is_write;

    if (nv_ce_move(ce->machine, copy, end, &fault, &is_write)) {
        copy->moved = end;
        return true;
    }
    nv_ce_fault(ce, copy->channel_id, fault, is_write,
                (is_write ? &copy->to : &copy->from)->aperture != MEMORY_APERTURE_COUNT);
    return false;
}

void nv_ce_copy_end(struct nv_ce *ce)
{
    struct nv_ce_copy copy = *nv_ce_nth(ce, 0);

    assert(ce->state->count > 0 && ce->state->phase == NV_CE_FLUSHES);
    nv_ce_pop(ce);
    if (nv_ce_store(ce, &copy, copy.byte_count) &&
        machine_inject(ce->machine, ce->unit, NV_INJECT_COPY_END, copy.channel_id, NULL, 0)) {
        MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_END, RULE_NONE, copy.copy_id, copy.channel_id,
                    ce->engine_id, copy.byte_count, copy.limited_by);
        nv_ce_signal(ce, &copy);
    }
    nv_ce_tell_waiting(ce, RULE_T_C2, SUBJECT_COPY, copy.copy_id);
    nv_ce_advance(ce);
    nv_ce_work_changed(ce, copy.tsg_id);
}

/* The copy at the head stands still at copy->stop_at: its context leaves. */
static void nv_ce_stopped_midway(struct nv_ce *ce)
{
    struct nv_ce_copy *copy = nv_ce_nth(ce, 0);
    const bool stored = nv_ce_store(ce, copy, copy->stop_at);

    if (!stored) {
        nv_ce_pop(ce);
        return;
    }
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_SUSPEND, RULE_B_R4, copy->copy_id,
                copy->channel_id, ce->engine_id, copy->moved);
    nv_ce_tell_waiting(ce, RULE_T_C2, SUBJECT_COPY, copy->copy_id);
    copy->waiting_ps = machine_now(ce->machine);
    ce->state->phase = NV_CE_RESTS;
}

void nv_ce_moved(struct nv_ce *ce)
{
    const struct nv_ce_copy *copy = nv_ce_nth(ce, 0);

    assert(ce->state->count > 0 && ce->state->phase == NV_CE_MOVES);
    if (copy->stop_at < copy->byte_count) {
        nv_ce_stopped_midway(ce);
        nv_ce_try_to_leave(ce);
    } else {
        nv_ce_flush(ce, copy, machine_now(ce->machine));
    }
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* The first place where a copy can stop of which it is not beyond, with `left` to do. */
static uint64_t nv_ce_stop_at(const struct nv_ce_copy *copy, struct copy_work left,
                              struct copy_work *goal)
{
    const uint64_t split = copy->split_bytes;
    uint64_t end = copy->moved;

    if (split && copy->alone_ps > left.ps) { /* a little in front of where it has come */
        __extension__ const unsigned __int128 done =
            (unsigned __int128)copy->byte_count * (copy->alone_ps - left.ps - 1) / copy->alone_ps;

        if ((uint64_t)done - (uint64_t)done % split > end)
            end = (uint64_t)done - (uint64_t)done % split;
    }
    for (;;) {
        *goal = copy_work_left(copy->alone_ps, end, copy->byte_count);
        if (end == copy->byte_count || (split && copy_work_compare(*goal, left) <= 0))
            return end;
        if (!split || copy->byte_count - end <= split)
            end = copy->byte_count;
        else
            end += split - end % split;
    }
}

/* Stops the copy that moves, now or at the next place where it can. */
static void nv_ce_stop(struct nv_ce *ce)
{
    struct nv_ce_copy *copy = nv_ce_nth(ce, 0);
    struct copy_work goal;

    copy->stop_at = nv_ce_stop_at(copy, nv_pce_left(ce->pce, ce->number), &goal);
    if (copy->stop_at < copy->byte_count && nv_pce_stop_at(ce->pce, ce->number, goal))
        nv_ce_stopped_midway(ce);
}

static uint32_t nv_ce_chain(const struct nv_ce *ce, uint32_t tsg_id)
{
    return (tsg_id * 31 + ce->number) % NV_CE_SAVED_CHAINS;
}

/* 1 + number of one that is free; there is one. */
static uint32_t nv_ce_take_free(struct nv_ce_saved_state *saved)
{
    const uint32_t number = saved->first_free ? saved->first_free : ++saved->used_count;

    if (saved->first_free)
        saved->first_free = saved->saved[number - 1].next;
    saved->free_count--;
    return number;
}

/* Keeps all launches of the engine; there is room for them. */
static inline void nv_ce_save(struct nv_ce *ce)
{
    struct nv_ce_saved_state *saved = ce->saved;

    while (ce->state->count > 0) {
        const uint32_t number = nv_ce_take_free(saved);
        struct nv_ce_saved *slot = &saved->saved[number - 1];
        const uint32_t chain = nv_ce_chain(ce, nv_ce_nth(ce, 0)->tsg_id);

        *slot = (struct nv_ce_saved){.copy = *nv_ce_nth(ce, 0), .ce = ce->number};
        if (saved->tails[chain])
            saved->saved[saved->tails[chain] - 1].next = number;
        else
            saved->heads[chain] = number;
        saved->tails[chain] = number;
        nv_ce_pop(ce);
    }
}

/* Returns the number of the first saved launch of the engine and TSG in a chain from `number` on,
 * and in *before that of the launch in front of it.  0 means none. */
static uint32_t nv_ce_find_saved(const struct nv_ce *ce, uint32_t tsg_id, uint32_t number,
                                 uint32_t *before)
{
    for (; number; number = ce->saved->saved[number - 1].next) {
        const struct nv_ce_saved *slot = &ce->saved->saved[number - 1];

        if (slot->ce == ce->number && slot->copy.tsg_id == tsg_id)
            return number;
        *before = number;
    }
    return 0;
}

/* The launches of the context come back, in their order. */
static inline void nv_ce_restore(struct nv_ce *ce, uint32_t tsg_id)
{
    struct nv_ce_saved_state *saved = ce->saved;
    const uint32_t chain = nv_ce_chain(ce, tsg_id);
    uint32_t before = 0;
    uint32_t number = nv_ce_find_saved(ce, tsg_id, saved->heads[chain], &before);

    while (number && ce->state->count < NV_CE_QUEUE) {
        struct nv_ce_saved *slot = &saved->saved[number - 1];
        const uint32_t next = slot->next;

        *nv_ce_nth(ce, ce->state->count++) = slot->copy;
        if (before)
            saved->saved[before - 1].next = next;
        else
            saved->heads[chain] = next;
        if (saved->tails[chain] == number)
            saved->tails[chain] = before;
        *slot = (struct nv_ce_saved){.next = saved->first_free};
        saved->first_free = number;
        saved->free_count++;
        number = nv_ce_find_saved(ce, tsg_id, next, &before);
    }
}

/* The context leaves when nothing moves, no interrupt holds the engine, and there is room for its
 * launches; else they go on until that is so (ASSUMED). */
static void nv_ce_try_to_leave(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;

    if (state->phase != NV_CE_RESTS || nv_ce_held(ce) || state->count > ce->saved->free_count)
        return;
    if (state->count > 0)
        nv_ce_save(ce);
    state->suspending = 0;
    state->tsg_id = state->bound_channel = UINT32_MAX;
    if (ce->suspended)
        ce->suspended(ce->suspended_context);
}

void nv_ce_suspend(void *unit, uint32_t tsg_id)
{
    struct nv_ce *ce = unit;

    (void)tsg_id; /* there is one context on the engine */
    ce->state->suspending = 1;
    if (ce->state->phase == NV_CE_MOVES && ce->state->count <= ce->saved->free_count)
        nv_ce_stop(ce);
    nv_ce_try_to_leave(ce);
}

void nv_ce_resume(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id)
{
    struct nv_ce *ce = unit;

    const bool was_on = ce->state->tsg_id == tsg_id; /* for another of its channels */
    uint32_t there = ce->state->count;

    (void)space_id; /* each launch has its own */
    ce->state->tsg_id = tsg_id;
    ce->state->bound_channel = channel_id;
    if (was_on) /* nothing comes back, and two PBDMAs that wait must not wake each other for ever */
        return;
    for (nv_ce_restore(ce, tsg_id); there < ce->state->count; there++) {
        struct nv_ce_copy *copy = nv_ce_nth(ce, there);

        if (copy->waiting_ps < machine_now(ce->machine))
            MACHINE_LOG(ce->machine, ce->unit, EVENT_WAIT, RULE_B_R4, copy->waiting_ps,
                        SUBJECT_COPY, copy->copy_id, SUBJECT_ENGINE, ce->engine_id);
        copy->waiting_ps = machine_now(ce->machine);
    }
    if (ce->state->count > 0)
        nv_ce_advance(ce);
    else
        nv_ce_resume_waiting(ce);
}

/* ---- reset ----------------------------------------------------------------------------------- */

/* The copy at the head does not go on. */
static void nv_ce_abort(struct nv_ce *ce)
{
    const struct nv_ce_copy *copy = nv_ce_nth(ce, 0);

    if (ce->state->phase == NV_CE_MOVES)
        nv_pce_drop(ce->pce, ce->number);
    else if (ce->state->phase == NV_CE_FLUSHES)
        (void)machine_cancel(ce->machine, ce->unit, NV_CE_COPY_END);
    else
        return;
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_SUSPEND, RULE_NONE, copy->copy_id,
                copy->channel_id, ce->engine_id, copy->moved);
    ce->state->phase = NV_CE_RESTS;
}

void nv_ce_reset(void *unit, uint32_t tsg_id)
{
    struct nv_ce *ce = unit;
    struct nv_ce_state *state = ce->state;
    const uint32_t intr_status = ce->layout->intr_status;

    nv_ce_abort(ce);
    for (;;) {
        if (state->count == 0)
            nv_ce_restore(ce, tsg_id); /* as many as there is room for */
        if (state->count == 0)
            break;
        MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_DROP, RULE_NONE, nv_ce_nth(ce, 0)->copy_id,
                    nv_ce_nth(ce, 0)->channel_id, ce->engine_id);
        nv_ce_pop(ce);
    }
    state->suspending = 0;
    state->tsg_id = state->bound_channel = UINT32_MAX;
    ce->regs->storage[intr_status / 4] = ce->regs->storage[ce->layout->launcherr / 4] = 0;
    if (ce->layout->has_status)
        ce->regs->storage[NV_CE_LCE_ENGCTL / 4] = 0;
    nv_ce_reset_registers(ce);
    nv_ce_interrupt_changed(ce);
    nv_ce_resume_waiting(ce);
}

/* ---- state ----------------------------------------------------------------------------------- */

bool nv_ce_busy(void *unit)
{
    const struct nv_ce *ce = unit;

    return ce->state->count > 0 || nv_ce_held(ce);
}

bool nv_ce_runs(void *unit)
{
    const struct nv_ce *ce = unit;

    return ce->state->count > 0 && !nv_ce_held(ce);
}

bool nv_ce_has_work(void *unit, uint32_t tsg_id)
{
    struct nv_ce *ce = unit;
    uint32_t before = 0;

    for (uint32_t i = 0; i < ce->state->count; i++)
        if (nv_ce_nth(ce, i)->tsg_id == tsg_id)
            return true;
    return nv_ce_find_saved(ce, tsg_id, ce->saved->heads[nv_ce_chain(ce, tsg_id)], &before) != 0;
}

uint64_t nv_ce_state_bytes(void *unit, uint32_t tsg_id)
{
    const struct nv_ce *ce = unit;

    (void)tsg_id;
    return 27u * 5 * ((9 + 1 + 3) * ce->model->pce_count + 2);
}
