/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_ccsr.h"

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pfifo.h"
#include "devices/nvidia/formats/nv_regs.h"

enum { NV_CCSR_TARGET_OF_NOTHING = 1 };

/* ---- status ---------------------------------------------------------------------------------- */

/* What a channel waits for: the columns of the table. */
enum nv_ccsr_wait { NV_CCSR_NO_WAIT, NV_CCSR_PENDING, NV_CCSR_ACQUIRE, NV_CCSR_WAITS };

static const uint8_t nv_ccsr_off_pbdma[2][2][NV_CCSR_WAITS] = {
    /* on an engine; to be reloaded */
    [0] = {[0] = {NV_PCCSR_CHANNEL_STATUS_IDLE, NV_PCCSR_CHANNEL_STATUS_PENDING,
                  NV_PCCSR_CHANNEL_STATUS_PENDING_ACQUIRE},
           [1] = {NV_PCCSR_CHANNEL_STATUS_PENDING_CTX_RELOAD,
                  NV_PCCSR_CHANNEL_STATUS_PENDING_CTX_RELOAD,
                  NV_PCCSR_CHANNEL_STATUS_PENDING_ACQ_CTX_RELOAD}},
    [1] = {[0] = {NV_PCCSR_CHANNEL_STATUS_ON_ENG, NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING,
                  NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_ACQUIRE},
           [1] = {NV_PCCSR_CHANNEL_STATUS_ON_ENG_CTX_RELOAD,
                  NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_CTX_RELOAD,
                  NV_PCCSR_CHANNEL_STATUS_ON_ENG_PENDING_ACQ_CTX_RELOAD}},
};

uint32_t nv_ccsr_status(const struct nv_channel_status *status)
{
    const enum nv_ccsr_wait wait = status->pending_acquire ? NV_CCSR_ACQUIRE
                                   : status->pending       ? NV_CCSR_PENDING
                                                           : NV_CCSR_NO_WAIT;

    if (!status->on_pbdma)
        return nv_ccsr_off_pbdma[status->on_eng][status->ctx_reload][wait];
    if (status->on_eng)
        return status->ctx_reload ? NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG_CTX_RELOAD
                                  : NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_AND_ENG;
    return status->ctx_reload ? NV_PCCSR_CHANNEL_STATUS_ON_PBDMA_CTX_RELOAD
                              : NV_PCCSR_CHANNEL_STATUS_ON_PBDMA;
}

uint32_t nv_ccsr_read(const struct nv_host *host, uint32_t offset, uint32_t stored)
{
    struct nv_channel_status status;

    if (offset % 8 != NV_PCCSR_CHANNEL)
        return stored;
    status = nv_channel_status(host, offset / 8);
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_ENABLE, status.enabled);
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_NEXT, status.next);
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_PBDMA_FAULTED, status.pbdma_faulted);
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_ENG_FAULTED, status.eng_faulted);
    stored = REG_PUT(stored, NV_PCCSR_CHANNEL_STATUS, nv_ccsr_status(&status));
    return REG_PUT(stored, NV_PCCSR_CHANNEL_BUSY, status.busy);
}

/* ---- binding --------------------------------------------------------------------------------- */

/* Returns the code of the error in that binding, or unbinding, or 0 if it is right. */
static uint32_t nv_ccsr_bind_error(const struct nv_host *host, uint32_t channel_id, uint32_t old,
                                   uint32_t inst)
{
    const bool was = REG_GET(old, NV_PCCSR_CHANNEL_INST_BIND);
    const struct nv_channel *channel = nv_channel_get(host, channel_id);

    if (!REG_GET(inst, NV_PCCSR_CHANNEL_INST_BIND))
        return channel && channel->on_pbdma ? NV_PFIFO_INTR_BIND_ERROR_CODE_UNBIND_WHILE_RUNNING
                                            : 0;
    if (host->usermode && REG_GET(inst, NV_PCCSR_CHANNEL_INST_TARGET) == NV_CCSR_TARGET_OF_NOTHING)
        return NV_PFIFO_INTR_BIND_ERROR_CODE_INVALID_CTX_TGT;
    if (was && old != inst)
        return NV_PFIFO_INTR_BIND_ERROR_CODE_BIND_NOT_UNBOUND;
    return host->usermode || nv_pfifo_has_bar1(host)
               ? 0
               : NV_PFIFO_INTR_BIND_ERROR_CODE_SNOOP_WITHOUT_BAR1;
}

static void nv_ccsr_bind(struct nv_host *host, uint32_t channel_id, uint32_t old, uint32_t inst)
{
    const uint32_t error = nv_ccsr_bind_error(host, channel_id, old, inst);

    if (error)
        nv_pfifo_error(host, EVENT_NV_BIND_ERROR, channel_id, error);
    if (error == NV_PFIFO_INTR_BIND_ERROR_CODE_INVALID_CTX_TGT)
        return;
    if (REG_GET(inst, NV_PCCSR_CHANNEL_INST_BIND))
        nv_channel_bind(host, channel_id,
                        nv_host_aperture(REG_GET(inst, NV_PCCSR_CHANNEL_INST_TARGET)),
                        (uint64_t)REG_GET(inst, NV_PCCSR_CHANNEL_INST_PTR) << 12);
    else
        nv_channel_unbind(host, channel_id);
}

/* ---- the channel ----------------------------------------------------------------------------- */

/* Bits that only Turing has. */
static uint32_t nv_ccsr_of_turing(const struct nv_host *host, uint32_t written)
{
    return host->generation->bit == NV_TURING ? written : 0;
}

static void nv_ccsr_write_channel(struct nv_host *host, uint32_t channel_id, uint32_t written)
{
    const uint32_t forced = nv_ccsr_of_turing(host, written);

    if (!nv_channel_get(host, channel_id))
        return;
    nv_channel_set_next(host, channel_id, REG_GET(written, NV_PCCSR_CHANNEL_NEXT) != 0);
    if (REG_GET(written, NV_PCCSR_CHANNEL_FORCE_CTX_RELOAD))
        nv_channel_force_ctx_reload(host, channel_id);
    nv_channel_fault(host, channel_id, REG_GET(forced, NV_PCCSR_CHANNEL_FORCE_PBDMA_FAULTED),
                     REG_GET(forced, NV_PCCSR_CHANNEL_FORCE_ENG_FAULTED));
    nv_channel_clear_fault(host, channel_id, REG_GET(written, NV_PCCSR_CHANNEL_PBDMA_FAULTED),
                           REG_GET(written, NV_PCCSR_CHANNEL_ENG_FAULTED));
    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_SET))
        nv_channel_enable(host, channel_id, true);
    if (REG_GET(written, NV_PCCSR_CHANNEL_ENABLE_CLR))
        nv_channel_enable(host, channel_id, false);
}

void nv_ccsr_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written)
{
    if (offset % 8 == NV_PCCSR_CHANNEL)
        nv_ccsr_write_channel(host, offset / 8, written);
    else
        nv_ccsr_bind(host, offset / 8, old, written);
}
