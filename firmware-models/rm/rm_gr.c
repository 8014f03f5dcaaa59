/* SPDX-License-Identifier: MIT */
/*
 * Errors of the graphics engine: Xid 13, and the teardown of the channel's TSG.
 *
 * Its registers say which bits it raised, for which channel, and which method (devices/nvidia
 * formats/nv_fe_regs.h).  The line is that of drivers since 4xx, with the method's class, offset
 * and data.  Not modelled: lines of units in front of it (ESR, SM exceptions, MME, SKEDCHECK),
 * whose texts and registers are not published.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_fe_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

static uint32_t rm_gr_read(struct rm *rm, uint32_t offset)
{
    return machine_read32(rm->machine, NV_PGRAPH_BASE + offset);
}

void rm_gr_start(struct rm *rm)
{
    machine_write32(rm->machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR, UINT32_MAX);
    machine_write32(rm->machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR_EN, UINT32_MAX);
}

/* NOTIFY and SEMAPHORE are no errors: the notifier is in memory, and that is all. */
static uint32_t rm_gr_errors(uint32_t pending)
{
    return pending &
           (1u << NV_PGRAPH_INTR_ILLEGAL_METHOD_LO | 1u << NV_PGRAPH_INTR_ILLEGAL_CLASS_LO |
            1u << NV_PGRAPH_INTR_CLASS_ERROR_LO | 1u << NV_PGRAPH_INTR_EXCEPTION_LO);
}

static void rm_gr_error(struct rm *rm, uint32_t errors)
{
    const uint32_t trapped = rm_gr_read(rm, NV_PGRAPH_TRAPPED_ADDR);
    const uint32_t subchannel = REG_GET(trapped, NV_PGRAPH_TRAPPED_ADDR_SUBCH) & 3;
    const uint64_t instance =
        REG_GET(rm_gr_read(rm, NV_PGRAPH_FECS_CURRENT_CTX), NV_PGRAPH_FECS_CURRENT_CTX_PTR);
    uint32_t runlist_id, tsg_id, chid = 0;
    const bool found = rm_runlist_channel_of(rm, instance << 12, &runlist_id, &tsg_id, &chid);

    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_XID_GR, RULE_RM_RC, chid,
                rm_gr_read(rm, NV_PGRAPH_FE_OBJECT_TABLE + 4 * subchannel),
                4 * REG_GET(trapped, NV_PGRAPH_TRAPPED_ADDR_MTHD),
                rm_gr_read(rm, NV_PGRAPH_TRAPPED_DATA_LOW), errors);
    if (found)
        rm_recover(rm, runlist_id, tsg_id, chid, RM_XID_GR_EXCEPTION);
}

void rm_gr_interrupt(struct rm *rm)
{
    const uint32_t pending = rm_gr_read(rm, NV_PGRAPH_INTR);

    if (pending == 0)
        return;
    if (rm_gr_errors(pending))
        rm_gr_error(rm, rm_gr_errors(pending));
    machine_write32(rm->machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR, pending);
}
