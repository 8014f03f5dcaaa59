/* SPDX-License-Identifier: MIT */
/*
 * CLEAR_FAULTED: clears PBDMA_FAULTED or ENG_FAULTED of a channel, so that its TSG is scheduled
 * again (open-gpu-doc gv100 and tu104 dev_pbdma.ref.txt).
 *
 * Software may hear of a fault before Host does: while the bit is not set the method waits for it,
 * and looks again at every microsecond of PTIMER.  There is no event per look: setting the bit of a
 * channel wakes those that wait, at the next microsecond.  With DETECTION of
 * NV_PFIFO_CLEAR_FAULTED_TIMEOUT the wait has a deadline, PERIOD microseconds after the first look.
 * ACQUIRE_DEADLINE and ACQUIRE_FAIL are used for it as for an acquire.  The first look after the
 * deadline raises CLEAR_FAULTED_ERROR.  A channel whose slice ends meanwhile leaves, and goes on
 * waiting when it is back.
 *
 * Volta and Turing.  From Ampere on the method is software's and raises METHOD (ga100).  INFERRED:
 * a microsecond of PTIMER is 1,024 ns, as ACQUIRE_DEADLINE is in units of that.  The handle of
 * Turing has a runlist beside the channel; channels are numbered over all runlists, and it is not
 * looked at.  A handle of no channel is one that never faults (ASSUMED).
 */
#include <config.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

static uint32_t nv_pbdma_handle(const struct nv_pbdma *pbdma, uint32_t data)
{
    return pbdma->host->generation->bit == NV_VOLTA ? nv_field(data, NVC36F_CLEAR_FAULTED_CHID)
                                                    : data & UINT16_MAX;
}

uint32_t nv_pbdma_awaited_fault(const struct nv_pbdma *pbdma)
{
    return nv_pbdma_handle(pbdma, nv_pbdma_reg(pbdma, NV_PPBDMA_DATA0));
}

/* ---- time ------------------------------------------------------------------------------------ */

static uint32_t nv_pbdma_ticks(const struct nv_pbdma *pbdma)
{
    return (uint32_t)(machine_now(pbdma->machine) / NV_PBDMA_TICK_PS);
}

/* Returns the time of the tick that is `ticks` after the last one. */
static gfe_ps nv_pbdma_tick_in(const struct nv_pbdma *pbdma, uint32_t ticks)
{
    return (machine_now(pbdma->machine) / NV_PBDMA_TICK_PS + ticks) * NV_PBDMA_TICK_PS;
}

void nv_pbdma_retry_at_tick(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    state->generation++;
    machine_schedule(pbdma->machine, pbdma->unit, nv_pbdma_tick_in(pbdma, 1), NV_PBDMA_EVENT_STEP,
                     state->generation);
}

void nv_pbdma_fault_seen(struct nv_host *host)
{
    for (uint32_t i = 0; i < host->model->pbdma_count; i++) {
        struct nv_pbdma *pbdma = &host->pbdmas[i];

        if (pbdma->state->phase == NV_PBDMA_BLOCKED &&
            pbdma->state->block_rule == RULE_NV_CLEAR_FAULTED)
            nv_pbdma_retry_at_tick(pbdma);
    }
}

/* ---- the method ------------------------------------------------------------------------------ */

/* CLEAR_FAULTED_TIMEOUT. */
static uint32_t nv_pbdma_faulted_timeout(const struct nv_pbdma *pbdma)
{
    return pbdma->host->pfifo->storage[NV_PFIFO_CLEAR_FAULTED_TIMEOUT / 4];
}

/* Sets the deadline at the first look.  Returns true if the deadline is missed. */
static bool nv_pbdma_faulted_too_late(struct nv_pbdma *pbdma)
{
    const uint32_t timeout = nv_pbdma_faulted_timeout(pbdma);
    const uint32_t now = nv_pbdma_ticks(pbdma);

    if (nv_pbdma_acquire_failed(pbdma))
        return REG_GET(timeout, NV_PFIFO_CLEAR_FAULTED_TIMEOUT_DETECTION) &&
               now - nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE) - 1 < UINT32_MAX / 2;
    if (REG_GET(timeout, NV_PFIFO_CLEAR_FAULTED_TIMEOUT_DETECTION))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE,
                         now + REG_GET(timeout, NV_PFIFO_CLEAR_FAULTED_TIMEOUT_PERIOD));
    nv_pbdma_set_acquire_failed(pbdma, true);
    return false;
}

static void nv_pbdma_await_fault(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const bool detects =
        REG_GET(nv_pbdma_faulted_timeout(pbdma), NV_PFIFO_CLEAR_FAULTED_TIMEOUT_DETECTION);

    nv_pbdma_block(pbdma, RULE_NV_CLEAR_FAULTED);
    if (state->acquire_timer || !detects)
        return;
    state->acquire_timer = 1;
    machine_schedule(pbdma->machine, pbdma->unit,
                     nv_pbdma_tick_in(pbdma, nv_pbdma_reg(pbdma, NV_PPBDMA_ACQUIRE_DEADLINE) -
                                                 nv_pbdma_ticks(pbdma) + 1),
                     NV_PBDMA_EVENT_TIMEOUT, 0);
}

bool nv_pbdma_clear_faulted(struct nv_pbdma *pbdma, uint32_t data)
{
    struct nv_host *host = pbdma->host;
    const uint32_t channel_id = nv_pbdma_handle(pbdma, data);
    const bool engine =
        nv_field(data, NVC36F_CLEAR_FAULTED_TYPE) == NVC36F_CLEAR_FAULTED_TYPE_ENG_FAULTED;
    const struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!(host->generation->bit & NV_VOLTA_AND_TURING)) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_METHOD_LO);
        return false;
    }
    if (channel && (engine ? channel->eng_faulted : channel->pbdma_faulted)) {
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CLEAR_FAULTED, RULE_NV_CLEAR_FAULTED,
                    pbdma->state->channel_id, channel_id, engine);
        nv_channel_clear_fault(host, channel_id, !engine, engine);
        return true;
    }
    if (!nv_pbdma_faulted_too_late(pbdma)) {
        nv_pbdma_await_fault(pbdma);
        return false;
    }
    nv_pbdma_semaphore_done(pbdma);
    nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_CLEAR_FAULTED_ERROR_LO);
    return false;
}
