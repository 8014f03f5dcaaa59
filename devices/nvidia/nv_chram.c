/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_chram.h"

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"

uint32_t nv_chram_read(const struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel_status status;
    uint32_t word = 0;

    if (!nv_channel_get(host, channel_id))
        return 0;
    status = nv_channel_status(host, channel_id);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_ENABLE, status.enabled);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_NEXT, status.next);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_BUSY, status.busy);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_PBDMA_FAULTED, status.pbdma_faulted);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_ENG_FAULTED, status.eng_faulted);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_ON_PBDMA, status.on_pbdma);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_ON_ENG, status.on_eng);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_PENDING, status.pending);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_CTX_RELOAD, status.ctx_reload);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_PBDMA_BUSY, status.pbdma_busy);
    word = REG_PUT(word, NV_CHRAM_CHANNEL_ENG_BUSY, status.eng_busy);
    return REG_PUT(word, NV_CHRAM_CHANNEL_ACQUIRE_FAIL, status.pending_acquire);
}

static void nv_chram_set(struct nv_host *host, uint32_t channel_id, uint32_t bits)
{
    const bool pbdma = REG_GET(bits, NV_CHRAM_CHANNEL_PBDMA_FAULTED);
    const bool engine = REG_GET(bits, NV_CHRAM_CHANNEL_ENG_FAULTED);

    if (REG_GET(bits, NV_CHRAM_CHANNEL_NEXT))
        nv_channel_set_next(host, channel_id, true);
    if (pbdma || engine)
        nv_channel_fault(host, channel_id, pbdma, engine);
    if (REG_GET(bits, NV_CHRAM_CHANNEL_CTX_RELOAD))
        nv_channel_force_ctx_reload(host, channel_id);
    if (REG_GET(bits, NV_CHRAM_CHANNEL_PENDING))
        nv_channel_make_pending(host, channel_id);
    if (REG_GET(bits, NV_CHRAM_CHANNEL_ENABLE))
        nv_channel_enable(host, channel_id, true);
}

static void nv_chram_clear(struct nv_host *host, uint32_t channel_id, uint32_t bits)
{
    const struct nv_channel_bits cleared = {
        .next = REG_GET(bits, NV_CHRAM_CHANNEL_NEXT) != 0,
        .pending = REG_GET(bits, NV_CHRAM_CHANNEL_PENDING) != 0,
        .ctx_reload = REG_GET(bits, NV_CHRAM_CHANNEL_CTX_RELOAD) != 0,
        .acquire_failed = REG_GET(bits, NV_CHRAM_CHANNEL_ACQUIRE_FAIL) != 0,
    };
    const bool pbdma = REG_GET(bits, NV_CHRAM_CHANNEL_PBDMA_FAULTED);
    const bool engine = REG_GET(bits, NV_CHRAM_CHANNEL_ENG_FAULTED);

    if (REG_GET(bits, NV_CHRAM_CHANNEL_ENABLE))
        nv_channel_enable(host, channel_id, false);
    nv_channel_clear_bits(host, channel_id, &cleared);
    if (pbdma || engine)
        nv_channel_clear_fault(host, channel_id, pbdma, engine);
}

void nv_chram_write(struct nv_host *host, uint32_t channel_id, uint32_t written)
{
    if (!nv_channel_get(host, channel_id))
        return;
    if (REG_GET(written, NV_CHRAM_CHANNEL_WRITE_CONTROL) ==
        NV_CHRAM_CHANNEL_WRITE_CONTROL_ONES_SET_BITS) {
        nv_chram_set(host, channel_id, written);
        return;
    }
    nv_chram_clear(host, channel_id, written);
    if (written == NV_CHRAM_CHANNEL_UPDATE_CLEAR_CHANNEL)
        nv_channel_clear(host, channel_id);
}
