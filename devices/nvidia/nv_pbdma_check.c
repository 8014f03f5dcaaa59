/* SPDX-License-Identifier: MIT */
/*
 * What a PBDMA looks at before a channel runs that it has just loaded.
 *
 * SIGNATURE has two causes: a Host class that is not the chip's, and, from Turing on (gv100's
 * manual does not have it), HCE_CTRL, METHOD0 and TARGET that cannot belong together.  HCE_CTRL
 * says which method of the copy class Host has received and not yet done with: METHOD0 holds that
 * method, TARGET names the copy engine, and SP_AWAITS_HCEH goes with it.  Nothing here sets those
 * bits of HCE_CTRL; RAMFC may have them.  The way out is to preempt, and to clear the bit then.
 *
 * CTXNOTVALID, from Volta on: TARGET, as RAMFC has it, says for which engines the channel's TSG
 * has a context, ENG_CTX_VALID for all that do not copy, CE_CTX_VALID for a method buffer of the
 * copy engine; Host only reads it.  A method or SET_OBJECT to an engine without one raises it with
 * the method in METHOD0 (nv_pbdma_method.c); so does, when a channel is loaded, a CTX_RELOAD or an
 * event for the graphics engine that has nowhere to go.  Software sets the bit in the register,
 * takes the channel off and makes the context, or ends the TSG.  ASSUMED: the engines that the
 * manual calls preemptable are all those of the runqueue; a copy engine on a runlist of its own
 * asks for CE_CTX_VALID, too.  From Ampere on methods of subchannel 4 raise it as well while SUBCH4
 * of NV_RUNLIST_CONFIG is INACTIVE, and the graphics runlist's copy engine counts for none then.
 *
 * Described in open-gpu-doc gv100, tu104 and ga100 dev_pbdma.ref.txt (INTR_0_SIGNATURE,
 * INTR_0_PBPTR, INTR_1_CTXNOTVALID, TARGET).
 */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"

/* The method that HCE_CTRL says has been received. */
static const struct {
    uint32_t bit, method;
} received[] = {
    {1u << NV_PPBDMA_HCE_CTRL_LAUNCH_DMA_RCVD_LO, NVC1B5_LAUNCH_DMA},
    {1u << NV_PPBDMA_HCE_CTRL_NOP_RCVD_LO, NVA0B5_NOP},
    {1u << NV_PPBDMA_HCE_CTRL_PM_TRIGGER_RCVD_LO, NVA0B5_PM_TRIGGER},
    {1u << NV_PPBDMA_HCE_CTRL_PM_TRIGGER_END_RCVD_LO, NVA0B5_PM_TRIGGER_END},
    {1u << NV_PPBDMA_HCE_CTRL_SET_RENDER_ENABLE_C_RCVD_LO, NVA0B5_SET_RENDER_ENABLE_C},
};

static bool nv_pbdma_hce_is_sane(const struct nv_pbdma *pbdma)
{
    const uint32_t hce = nv_pbdma_reg(pbdma, NV_PPBDMA_HCE_CTRL);
    const uint32_t method0 = nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0);
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);
    const struct nv_ce *ce = nv_pbdma_ce(pbdma);
    bool any = false;

    for (uint32_t i = 0; i < sizeof received / sizeof received[0]; i++) {
        if (!(hce & received[i].bit))
            continue;
        any = true;
        if (!REG_GET(method0, NV_PPBDMA_METHOD0_VALID) ||
            4 * REG_GET(method0, NV_PPBDMA_METHOD0_ADDR) != received[i].method || !ce ||
            ce->engine_id != target)
            return false;
    }
    return any == (REG_GET(hce, NV_PPBDMA_HCE_CTRL_SP_AWAITS_HCEH) != 0);
}

static bool nv_pbdma_is_signed(const struct nv_pbdma *pbdma)
{
    const uint32_t signature =
        REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_SIGNATURE), NV_PPBDMA_SIGNATURE_HW);

    return signature == NV_PPBDMA_SIGNATURE_HW_VALID || signature == pbdma->model->class_host;
}

bool nv_pbdma_takes_subchannel_4(const struct nv_pbdma *pbdma)
{
    const struct mmio_window *block = pbdma->runlists[pbdma->state->runlist_id].block;

    return !block || REG_GET(block->storage[NV_RUNLIST_CONFIG / 4], NV_RUNLIST_CONFIG_SUBCH4);
}

bool nv_pbdma_has_context(const struct nv_pbdma *pbdma, uint32_t engine_id)
{
    const uint32_t target = nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET);

    if (!(pbdma->host->generation->bit & NV_FROM_VOLTA))
        return true;
    if (nv_pbdma_has_graphics(pbdma) && nv_pbdma_is_ce(pbdma, engine_id) &&
        !nv_pbdma_takes_subchannel_4(pbdma))
        return false;
    return nv_pbdma_is_ce(pbdma, engine_id) ? REG_GET(target, NV_PPBDMA_TARGET_CE_CTX_VALID)
                                            : REG_GET(target, NV_PPBDMA_TARGET_ENG_CTX_VALID);
}

/* The channel begins with something for an engine, and has no context for that. */
static bool nv_pbdma_lacks_context(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const uint32_t target = nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET);
    const struct nv_ce *ce = nv_pbdma_ce(pbdma);
    const bool primary = nv_pbdma_has_context(pbdma, state->primary);
    const bool any = primary || (ce && nv_pbdma_has_context(pbdma, ce->engine_id));
    const bool event = REG_GET(target, NV_PPBDMA_TARGET_SHOULD_SEND_HOST_TSG_EVENT) ||
                       REG_GET(target, NV_PPBDMA_TARGET_NEEDS_HOST_TSG_EVENT);

    if (!(pbdma->host->generation->bit & NV_FROM_VOLTA))
        return false; /* these bits mean nothing there */
    if (nv_channel_get(pbdma->host, state->channel_id)->ctx_reload && !any)
        return true;
    return event && !(pbdma->host->generation->bit & NV_FROM_AMPERE ? primary : any);
}

uint32_t nv_pbdma_wrong(const struct nv_pbdma *pbdma)
{
    if ((pbdma->host->generation->bit & NV_FROM_TURING) && !nv_pbdma_hce_is_sane(pbdma))
        return NV_PPBDMA_INTR_0_SIGNATURE_LO;
    if (!nv_pbdma_is_signed(pbdma))
        return NV_PPBDMA_INTR_0_SIGNATURE_LO;
    if (nv_pbdma_get_address(pbdma, NV_PPBDMA_GET, NV_PPBDMA_GET_HI) >
        nv_pbdma_get_address(pbdma, NV_PPBDMA_PUT, NV_PPBDMA_PUT_HI))
        return NV_PPBDMA_INTR_0_PBPTR_LO;
    return nv_pbdma_lacks_context(pbdma) ? NV_PBDMA_INTR_1 + NV_PPBDMA_INTR_1_CTXNOTVALID_LO
                                         : NV_PBDMA_INTRS;
}
