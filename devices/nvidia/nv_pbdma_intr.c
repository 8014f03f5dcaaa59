/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma_intr.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_tables.h"

enum { CHIP_GP10B = 0x13b, TIMEOUT_UNIT_PS = 1000 * 1000 };

/* ---- which there are ------------------------------------------------------------------------- */

#define BIT_0(name)  [NV_PPBDMA_INTR_0_##name##_LO] = {#name, NV_ALL_GENERATIONS, 0, false, false}
/* Freezes whatever INTR_STALL says. */
#define HELD_0(name) [NV_PPBDMA_INTR_0_##name##_LO] = {#name, NV_ALL_GENERATIONS, 0, true, false}
/* A timeout, or an answer too many, of memory. */
#define LOST_0(name, generations, inject)                                                          \
    [NV_PPBDMA_INTR_0_##name##_LO] = {#name, generations, NV_PBDMA_INJECT_##inject, true, true}
#define BIT_1(name)                                                                                \
    [NV_PBDMA_INTR_1 + NV_PPBDMA_INTR_1_##name##_LO] = {#name, NV_ALL_GENERATIONS, 0, false, false}

static const struct nv_pbdma_intr intrs[NV_PBDMA_INTRS] = {
    LOST_0(MEMREQ, NV_UP_TO_TURING, SEMAPHORE),
    LOST_0(MEMACK_TIMEOUT, NV_UP_TO_TURING, SEMAPHORE),
    LOST_0(MEMACK_EXTRA, NV_UP_TO_TURING, NOW),
    LOST_0(MEMDAT_TIMEOUT, NV_UP_TO_TURING, SEMAPHORE),
    LOST_0(MEMDAT_EXTRA, NV_UP_TO_TURING, NOW),
    LOST_0(MEMFLUSH, NV_UP_TO_TURING, FB_FLUSH),
    LOST_0(MEMOP, NV_UP_TO_TURING, MEM_OP),
    LOST_0(LBCONNECT, NV_UP_TO_TURING, FETCH),
    LOST_0(LBREQ, NV_UP_TO_PASCAL, FETCH),
    LOST_0(LBACK_TIMEOUT, NV_UP_TO_TURING, FETCH),
    LOST_0(LBACK_EXTRA, NV_UP_TO_TURING, NOW),
    LOST_0(LBDAT_TIMEOUT, NV_UP_TO_TURING, FETCH),
    LOST_0(LBDAT_EXTRA, NV_UP_TO_TURING, NOW),
    HELD_0(GPFIFO),
    HELD_0(GPPTR),
    BIT_0(GPENTRY),
    BIT_0(GPCRC),
    HELD_0(PBPTR),
    BIT_0(PBENTRY),
    BIT_0(PBCRC),
    LOST_0(XBARCONNECT, NV_UP_TO_PASCAL, ENGINE),
    BIT_0(METHOD),
    [NV_PPBDMA_INTR_0_METHODCRC_LO] = {"METHODCRC", NV_UP_TO_TURING, 0, false, false},
    BIT_0(DEVICE),
    [NV_PPBDMA_INTR_0_ENG_RESET_LO] = {"ENG_RESET", NV_FROM_VOLTA, NV_PBDMA_INJECT_NOW, false,
                                       false},
    BIT_0(SEMAPHORE),
    BIT_0(ACQUIRE),
    BIT_0(PRI),
    [NV_PPBDMA_INTR_0_SYNCPOINT_ILLEGAL_LO] = {"SYNCPOINT_ILLEGAL", NV_PASCAL, NV_PBDMA_INJECT_NOW,
                                               false, false},
    [NV_PPBDMA_INTR_0_NO_CTXSW_SEG_LO] = {"NO_CTXSW_SEG", NV_UP_TO_PASCAL, NV_PBDMA_INJECT_NOW,
                                          false, false},
    BIT_0(PBSEG),
    HELD_0(SIGNATURE),
    BIT_1(HCE_RE_ILLEGAL_OP),
    BIT_1(HCE_RE_ALIGNB),
    BIT_1(HCE_PRIV),
    BIT_1(HCE_ILLEGAL_MTHD),
    BIT_1(HCE_ILLEGAL_CLASS),
    [NV_PBDMA_INTR_1 +
        NV_PPBDMA_INTR_1_CTXNOTVALID_LO] = {"CTXNOTVALID", NV_FROM_VOLTA, 0, true, false},
};

/* Bit 20 means something else there. */
static const struct nv_pbdma_intr clear_faulted_error = {"CLEAR_FAULTED_ERROR", NV_VOLTA_AND_TURING,
                                                         0, false, false};

const struct nv_pbdma_intr *nv_pbdma_intr_of(uint32_t generation, uint32_t intr_bit)
{
    const struct nv_pbdma_intr *intr = intr_bit < NV_PBDMA_INTRS ? &intrs[intr_bit] : NULL;

    if (intr_bit == NV_PPBDMA_INTR_0_CLEAR_FAULTED_ERROR_LO &&
        (clear_faulted_error.generations & generation))
        return &clear_faulted_error;
    return intr && intr->name && (intr->generations & generation) ? intr : NULL;
}

static const struct nv_pbdma_intr *nv_pbdma_intr_here(const struct nv_host *host, uint32_t intr_bit)
{
    if (intr_bit == NV_PPBDMA_INTR_0_SYNCPOINT_ILLEGAL_LO && host->model->chip_id != CHIP_GP10B)
        return NULL;
    return nv_pbdma_intr_of(host->generation->bit, intr_bit);
}

uint32_t nv_pbdma_intr_bits(const struct nv_host *host, uint32_t first)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < 32; i++)
        bits |= (uint32_t)(nv_pbdma_intr_here(host, first + i) != NULL) << i;
    return bits;
}

void nv_pbdma_intr_mask(struct nv_pbdma *pbdma, uint32_t offset)
{
    const bool trees = pbdma->host->generation->runlists_have_blocks;
    const bool second = trees ? offset >= NV_PPBDMA_INTR_1_EN_SET_TREE
                              : offset == NV_PPBDMA_INTR_EN_1 || offset == NV_PPBDMA_INTR_STALL_1;

    if (!trees || offset < NV_PPBDMA_INTR_0_EN_CLEAR_TREE) /* these clear those in front of them */
        nv_pbdma_set_reg(pbdma, offset,
                         nv_pbdma_reg(pbdma, offset) &
                             nv_pbdma_intr_bits(pbdma->host, second ? NV_PBDMA_INTR_1 : 0));
}

void nv_pbdma_intr_reset(struct nv_pbdma *pbdma)
{
    if (pbdma->host->generation->runlists_have_blocks || machine_failed(pbdma->machine))
        return; /* without memory there are no registers */
    nv_pbdma_intr_mask(pbdma, NV_PPBDMA_INTR_STALL);
    nv_pbdma_intr_mask(pbdma, NV_PPBDMA_INTR_STALL_1);
}

/* ---- raising --------------------------------------------------------------------------------- */

/* Moves a method that a copy engine does not take from METHOD0 to HCE_DBG.  When software clears
 * the bit, the PBDMA goes on with the next method (ASSUMED: the manual names the registers, but
 * does not say what happens next). */
static void nv_pbdma_discard(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HCE_DBG0, method->method);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HCE_DBG1, method->data);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
}

static bool nv_pbdma_stalls(const struct nv_pbdma *pbdma, const struct nv_pbdma_intr *intr,
                            uint32_t intr_bit)
{
    const uint32_t at = intr_bit < NV_PBDMA_INTR_1 ? NV_PPBDMA_INTR_STALL : NV_PPBDMA_INTR_STALL_1;

    return intr->holds || pbdma->host->generation->runlists_have_blocks ||
           (nv_pbdma_reg(pbdma, at) >> intr_bit % 32 & 1);
}

/* Sets the bit and logs it.  Returns true if the PBDMA is frozen. */
static bool nv_pbdma_raise(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_intr *intr = nv_pbdma_intr_here(pbdma->host, intr_bit);
    const struct nv_method method = nv_pbdma_method(pbdma);
    const uint32_t at = intr_bit < NV_PBDMA_INTR_1 ? NV_PPBDMA_INTR_0 : NV_PPBDMA_INTR_1;
    const uint32_t rule = intr_bit == NV_PPBDMA_INTR_0_DEVICE_LO ? RULE_NV_DEVICE : RULE_NV_INTR;
    uint32_t *stalling = &state->stalling[intr_bit / 32];
    bool stalls;

    if (!intr)
        return false;
    stalls = nv_pbdma_stalls(pbdma, intr, intr_bit);
    if (stalls) {
        nv_pbdma_acquire_stop(pbdma);
        state->host_step = 0;
    }
    *stalling = (*stalling & ~(1u << intr_bit % 32)) | (uint32_t)stalls << intr_bit % 32;
    nv_pbdma_set_reg(pbdma, at, nv_pbdma_reg(pbdma, at) | 1u << intr_bit % 32);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR, rule, state->channel_id,
                pbdma->pbdma_id, intr_bit, method.method, method.data);
    if (intr_bit >= NV_PBDMA_INTR_1 &&
        intr_bit != NV_PBDMA_INTR_1 + NV_PPBDMA_INTR_1_CTXNOTVALID_LO)
        nv_pbdma_discard(pbdma, &method);
    if (stalls)
        nv_pbdma_block(pbdma, rule);
    nv_host_pbdma_interrupt_changed(pbdma->host);
    return stalls;
}

void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    if (nv_pbdma_raise(pbdma, intr_bit))
        return;
    nv_pbdma_acquire_stop(pbdma);
    pbdma->state->host_step = 0;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
}

bool nv_pbdma_interrupt_acquire(struct nv_pbdma *pbdma)
{
    const uint32_t pending = nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0);

    if (REG_GET(pending, NV_PPBDMA_INTR_0_ACQUIRE)) /* said already: it does not stall */
        return false;
    return nv_pbdma_raise(pbdma, NV_PPBDMA_INTR_0_ACQUIRE_LO);
}

void nv_pbdma_interrupt_in(struct nv_pbdma *pbdma, uint32_t intr_bit, enum nv_pbdma_phase after)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (nv_pbdma_raise(pbdma, intr_bit)) {
        state->after_block = after;
        return;
    }
    if (intr_bit == NV_PPBDMA_INTR_0_PBENTRY_LO) {
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, 0);
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER,
                         REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER), NV_PPBDMA_PB_HEADER_TYPE,
                                 NV_PPBDMA_PB_HEADER_TYPE_NON_INC));
        state->bad_header = 0;
    }
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, after, 0);
}

/* ---- from outside ---------------------------------------------------------------------------- */

/* Where processing goes on that waits for something now, or for the step that is scheduled. */
static enum nv_pbdma_phase nv_pbdma_phase_after(const struct nv_pbdma_state *state)
{
    switch (state->phase) {
    case NV_PBDMA_ENTRY:
        return NV_PBDMA_NEXT;
    case NV_PBDMA_FETCH:
        return NV_PBDMA_SEGMENT;
    case NV_PBDMA_BLOCKED:
        return state->after_block ? (enum nv_pbdma_phase)state->after_block : NV_PBDMA_METHOD;
    default:
        return (enum nv_pbdma_phase)state->phase;
    }
}

/* An interrupt strikes in the middle of whatever the PBDMA is at; it is not frozen. */
static void nv_pbdma_strike(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct clock_domain *clock = &pbdma->host->clock;
    const struct nv_pbdma_intr *intr = nv_pbdma_intr_here(pbdma->host, intr_bit);
    const enum nv_pbdma_phase after = nv_pbdma_phase_after(state);
    const gfe_ps now = machine_now(pbdma->machine);
    uint64_t cycles = 0;

    if (state->phase == (uint32_t)after && state->step_ps > now)
        cycles = clock_cycle_at(clock, state->step_ps) - clock_cycle_at(clock, now);
    if (!intr || !nv_pbdma_raise(pbdma, intr_bit))
        return; /* it goes on as it was */
    state->after_cycles = intr->unrecoverable ? 0 : cycles;
    state->after_block = intr->unrecoverable ? NV_PBDMA_STOPPED : after;
}

void nv_pbdma_unsafe(struct nv_pbdma *pbdma)
{
    switch (pbdma->state->phase) {
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_LOADING:
    case NV_PBDMA_IDLE:
    case NV_PBDMA_SAVING:
    case NV_PBDMA_STOPPED:
        return;
    default:
        break;
    }
    if (!nv_pbdma_frozen(pbdma))
        nv_pbdma_strike(pbdma, NV_PPBDMA_INTR_0_PRI_LO);
}

void nv_pbdma_give_up(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const bool leaves = state->preempt;

    state->after_block = 0;
    state->after_cycles = 0;
    nv_pbdma_stop(pbdma);
    nv_host_stop_channel(pbdma->host, state->channel_id, 0);
    if (leaves)
        nv_pbdma_expel(pbdma);
}

/* ---- engines in reset --------------------------------------------------------------------------
 */

void nv_pbdma_engine_reset(struct nv_pbdma *pbdma, const struct nv_engine *engine)
{
    if (engine->row->runlist_id == pbdma->state->runlist_id && nv_pbdma_processes(pbdma))
        nv_pbdma_strike(pbdma, NV_PPBDMA_INTR_0_ENG_RESET_LO);
}

void nv_pbdma_goes_on(struct nv_pbdma *pbdma)
{
    for (uint32_t i = 0; i < pbdma->model->engine_count; i++)
        if (pbdma->host->engines[i].state->in_reset)
            nv_pbdma_engine_reset(pbdma, &pbdma->host->engines[i]);
}

/* ---- injection ------------------------------------------------------------------------------- */

bool nv_pbdma_inject(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_intr *intr = nv_pbdma_intr_here(pbdma->host, intr_bit);

    if (!intr || intr->inject == NV_PBDMA_INJECT_NEVER ||
        (intr->inject == NV_PBDMA_INJECT_NOW && !nv_pbdma_processes(pbdma)))
        return false;
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INJECT, RULE_NONE, pbdma->pbdma_id,
                intr_bit);
    if (intr->inject == NV_PBDMA_INJECT_NOW)
        nv_pbdma_strike(pbdma, intr_bit);
    else
        state->injected |= 1u << intr_bit;
    return true;
}

/* The bit that an injection is to raise at a request of that kind; NV_PBDMA_INTRS: none. */
static uint32_t nv_pbdma_injected(const struct nv_pbdma *pbdma, enum nv_pbdma_inject kind)
{
    for (uint32_t bits = pbdma->state->injected, i = 0; bits != 0; bits >>= 1, i++)
        if ((bits & 1) && intrs[i].inject == kind)
            return i;
    return NV_PBDMA_INTRS;
}

bool nv_pbdma_will_lose(const struct nv_pbdma *pbdma, enum nv_pbdma_inject kind)
{
    return nv_pbdma_injected(pbdma, kind) != NV_PBDMA_INTRS;
}

bool nv_pbdma_lost(struct nv_pbdma *pbdma, enum nv_pbdma_inject kind)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t intr_bit = nv_pbdma_injected(pbdma, kind);
    const uint64_t period = nv_pbdma_reg(pbdma, NV_PPBDMA_TIMEOUT);

    if (intr_bit == NV_PBDMA_INTRS)
        return false;
    state->injected &= ~(1u << intr_bit);
    state->lost = intr_bit + 1;
    if (kind != NV_PBDMA_INJECT_FETCH) {
        nv_pbdma_block(pbdma, RULE_NV_MEM_OP);
        state->host_step = NV_PBDMA_STEP_LOST;
    }
    machine_schedule(pbdma->machine, pbdma->unit,
                     machine_now(pbdma->machine) + period * TIMEOUT_UNIT_PS, NV_PBDMA_EVENT_LOST,
                     ++state->lost_serial);
    return true;
}

void nv_pbdma_lost_timeout(struct nv_pbdma *pbdma)
{
    const uint32_t intr_bit = pbdma->state->lost - 1;

    pbdma->state->lost = 0;
    nv_pbdma_strike(pbdma, intr_bit);
}
