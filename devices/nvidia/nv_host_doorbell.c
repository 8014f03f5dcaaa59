/* SPDX-License-Identifier: MIT */
/* How software tells Host that a channel has work: a store to USERD, or to the user-mode window. */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host_private.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"

void nv_host_snoop(void *unit, uint64_t bar_offset, uint32_t value)
{
    struct nv_host *host = unit;
    const uint32_t bar1 = host->usermode ? 0 : host->pfifo->storage[NV_PFIFO_BAR1_BASE / 4];
    const uint64_t window = (uint64_t)REG_GET(bar1, NV_PFIFO_BAR1_BASE_PTR) << 12;
    const uint64_t channel_id = (bar_offset - window) / NV_RAMUSERD_BYTES;

    if (host->usermode || !REG_GET(bar1, NV_PFIFO_BAR1_BASE_VALID) || bar_offset < window ||
        channel_id >= host->model->channel_count ||
        (bar_offset - window) % NV_RAMUSERD_BYTES != NV_RAMUSERD_GP_PUT)
        return;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_DOORBELL, RULE_NV_DOORBELL, channel_id, value);
    nv_channel_doorbell(host, (uint32_t)channel_id);
}

/* From Ampere on (ga100/dev_ctrl.ref.txt): RUNLIST_ID is what the runlist's DOORBELL_CONFIG says,
 * and whether and how VECTOR is a channel's number VIRTUAL_CHANNEL_CFG of function 0.  What the
 * words disable, and a handle that names nothing, is ignored.  GSP_DOORBELL has no effect, because
 * no GSP is modelled. */
static void nv_host_notify_ga100(struct nv_host *host, uint32_t token)
{
    const struct nv_runlist *runlist = nv_runlist_block_by_doorbell(
        host, REG_GET(token, NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID));
    uint32_t channel_id;

    if (REG_GET(token, NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_DOORBELL) || !runlist ||
        !nv_runlist_block_vector(runlist, REG_GET(token, NV_USERMODE_NOTIFY_CHANNEL_PENDING_CHID),
                                 &channel_id))
        return;
    channel_id |= runlist->runlist_id << NV_CHANNEL_RUNLIST_SHIFT;
    if (!nv_channel_get(host, channel_id))
        return;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_NOTIFY_PENDING, RULE_NV_NOTIFY, channel_id,
                token);
    nv_channel_doorbell(host, channel_id);
}

/* Handles that name nothing are ignored (tu104/dev_usermode.ref.txt).  ASSUMED: a RUNLIST_ID that
 * is the channel's or not makes no difference, as the channel's number is unique here. */
static void nv_host_notify_gv100(struct nv_host *host, uint32_t token)
{
    const uint32_t channel_id = host->generation->token_has_runlist
                                    ? REG_GET(token, NV_USERMODE_NOTIFY_CHANNEL_PENDING_CHID)
                                    : token;
    const uint32_t runlist_id = REG_GET(token, NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID);

    if (channel_id >= host->model->channel_count ||
        (host->generation->token_has_runlist &&
         runlist_id != NV_USERMODE_NOTIFY_CHANNEL_PENDING_RUNLIST_ID_ALL &&
         runlist_id >= host->model->runlist_count))
        return;
    MACHINE_LOG(host->machine, host->unit, EVENT_NV_NOTIFY_PENDING, RULE_NV_NOTIFY, channel_id,
                token);
    nv_channel_doorbell(host, channel_id);
}

void nv_host_notify(struct nv_host *host, uint32_t token)
{
    if (host->generation->runlists_have_blocks)
        nv_host_notify_ga100(host, token);
    else
        nv_host_notify_gv100(host, token);
}

void nv_host_ring(void *unit, uint32_t channel_id, uint64_t value)
{
    struct nv_host *host = unit;
    const uint32_t bar1 = host->usermode ? 0 : host->pfifo->storage[NV_PFIFO_BAR1_BASE / 4];
    const uint64_t window = (uint64_t)REG_GET(bar1, NV_PFIFO_BAR1_BASE_PTR) << 12;

    if (host->usermode)
        machine_write32(host->machine, host->usermode->base + NV_USERMODE_NOTIFY_CHANNEL_PENDING,
                        (uint32_t)value);
    else
        machine_bar1_write32(host->machine,
                             window + (uint64_t)channel_id * NV_RAMUSERD_BYTES + NV_RAMUSERD_GP_PUT,
                             (uint32_t)value);
}

uint32_t nv_host_read_usermode(const struct nv_host *host, uint32_t offset, uint32_t stored)
{
    const uint64_t now_ns = machine_now(host->machine) / GFE_PS_PER_NS;

    if (offset == NV_USERMODE_TIME_0)
        return (uint32_t)now_ns & ~UINT32_C(0x1f);
    return offset == NV_USERMODE_TIME_1 ? (uint32_t)(now_ns >> 32) & 0x1fffffff : stored;
}
