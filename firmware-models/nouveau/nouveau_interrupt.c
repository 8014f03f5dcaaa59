/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the nouveau model.  Software methods are answered and replaced by a NOP.  Fences
 * wake sleeping threads.  Errors are reported and acknowledged, and their channel is given up.
 * nouveau_recover.c handles context switches that took too long, nouveau_fault.c MMU faults.  Of an
 * error of the graphics engine the driver prints a line, and clears it: nothing becomes of its
 * channel there.  Not modelled: the lines for each unit behind a TRAP.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

void nouveau_interrupt(void *driver)
{
    struct nouveau *nouveau = driver;

    machine_schedule(nouveau->machine, nouveau->unit,
                     clock_add(machine_now(nouveau->machine),
                               machine_parameter(nouveau->machine, PARAM_NOUVEAU_INTERRUPT_PS)),
                     NOUVEAU_INTERRUPT, 0);
}

/* What class 0x906e answers: gf100_sw_chan_mthd and nvkm_sw_chan_mthd. */
static bool nouveau_software_method(uint32_t method, uint32_t data)
{
    switch (method) {
    case 0x0000: /* SET_OBJECT */
    case 0x0400: /* vblank semaphore: address, value, release at vblank */
    case 0x0404:
    case 0x0408:
    case 0x040c:
    case 0x0500: /* page flip */
    case 0x0600: /* trap enables */
    case 0x06ac:
        return true;
    case 0x0644:
        return (data & ~UINT32_C(0x1ffffe)) == 0;
    default:
        return false;
    }
}

static uint32_t nouveau_pbdma_channel(struct nouveau *nouveau, uint32_t pbdma_id)
{
    return REG_GET(machine_read32(nouveau->machine, NV_PPBDMA_BASE(pbdma_id) + NV_PPBDMA_CHANNEL),
                   NV_PPBDMA_CHANNEL_CHID);
}

/* Returns true if the driver answers the software method in METHOD0. */
static bool nouveau_device(struct nouveau *nouveau, uint32_t pbdma_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t base = NV_PPBDMA_BASE(pbdma_id);
    const uint32_t method0 = machine_read32(machine, base + NV_PPBDMA_METHOD0);
    const uint32_t data = machine_read32(machine, base + NV_PPBDMA_DATA0);
    const uint32_t channel_id = nouveau_pbdma_channel(nouveau, pbdma_id);
    const uint32_t method = 4 * REG_GET(method0, NV_PPBDMA_METHOD0_ADDR);
    const bool handled = channel_id < NOUVEAU_CHANNELS_MAX &&
                         nouveau->state->channels[channel_id].has_software_object &&
                         nouveau_software_method(method, data);

    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_SW_METHOD, RULE_NOUVEAU_SW, channel_id,
                REG_GET(method0, NV_PPBDMA_METHOD0_SUBCH), method, data, handled);
    return handled;
}

/* gf100_runq_intr: the line for all bits of INTR_0 but a software method that was answered. */
static void nouveau_pbdma_line(struct nouveau *nouveau, uint32_t pbdma_id, uint32_t bits)
{
    struct machine *machine = nouveau->machine;
    const uint32_t base = NV_PPBDMA_BASE(pbdma_id);
    const uint32_t method0 = machine_read32(machine, base + NV_PPBDMA_METHOD0);
    const uint32_t id = nouveau_pbdma_channel(nouveau, pbdma_id);

    if (bits != 0)
        MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_PBDMA, RULE_NONE, pbdma_id, bits, id,
                    id < NOUVEAU_CHANNELS_MAX ? nouveau->state->channels[id].instance : 0,
                    REG_GET(method0, NV_PPBDMA_METHOD0_SUBCH),
                    4 * REG_GET(method0, NV_PPBDMA_METHOD0_ADDR),
                    machine_read32(machine, base + NV_PPBDMA_DATA0));
}

/* The bits of INTR_0 for which the driver gives the channel up: 13 to 22, 25, 26, 30, 31. */
static const uint32_t nouveau_killing_bits = 0xc67fe000;

static void nouveau_kill(struct nouveau *nouveau, uint32_t pbdma_id, uint32_t errors)
{
    struct machine *machine = nouveau->machine;
    const uint32_t id = nouveau_pbdma_channel(nouveau, pbdma_id);
    const uint32_t status =
        machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_PBDMA_STATUS + 4 * pbdma_id);
    const uint32_t tsg_id = REG_GET(status, NV_PFIFO_PBDMA_STATUS_ID);

    if (!(errors & nouveau_killing_bits))
        return;
    if (id < NOUVEAU_CHANNELS_MAX &&
        REG_GET(machine_read32(machine, NV_PCCSR_BASE + NV_PCCSR_CHANNEL + 8 * id),
                NV_PCCSR_CHANNEL_ENABLE))
        nouveau_channel_kill(nouveau, &nouveau->state->channels[id], RULE_NOUVEAU_KILL, errors);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_PREEMPT,
                    REG_PUT(tsg_id, NV_PFIFO_PREEMPT_TYPE,
                            REG_GET(status, NV_PFIFO_PBDMA_STATUS_ID_TYPE)
                                ? NV_PFIFO_PREEMPT_TYPE_TSG
                                : NV_PFIFO_PREEMPT_TYPE_CHANNEL));
}

/* gv100_runq_intr_1_ctxnotvalid: the channel is given up, and TARGET says that it has a context, so
 * that it can go. */
static void nouveau_no_context(struct nouveau *nouveau, uint32_t pbdma_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t at = NV_PPBDMA_BASE(pbdma_id) + NV_PPBDMA_TARGET;
    const uint32_t id = nouveau_pbdma_channel(nouveau, pbdma_id);
    uint32_t target;

    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_CTXNOTVALID, RULE_NONE, pbdma_id, id);
    if (id < NOUVEAU_CHANNELS_MAX && nouveau->state->channels[id].used)
        nouveau_channel_kill(nouveau, &nouveau->state->channels[id], RULE_NOUVEAU_KILL, 0);
    target = REG_PUT(machine_read32(machine, at), NV_PPBDMA_TARGET_ENG_CTX_VALID, 1);
    machine_write32(machine, at, REG_PUT(target, NV_PPBDMA_TARGET_CE_CTX_VALID, 1));
}

/* gk104_runq_intr_1. */
static void nouveau_pbdma_interrupt_1(struct nouveau *nouveau, uint32_t pbdma_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t base = NV_PPBDMA_BASE(pbdma_id);
    const uint32_t errors = machine_read32(machine, base + NV_PPBDMA_INTR_1) &
                            machine_read32(machine, base + NV_PPBDMA_INTR_EN_1);
    const uint32_t shown = REG_PUT(errors, NV_PPBDMA_INTR_1_CTXNOTVALID, 0);

    if (errors == 0)
        return;
    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_ERROR, RULE_NONE, pbdma_id, errors, 1);
    if (shown != errors)
        nouveau_no_context(nouveau, pbdma_id);
    if (shown != 0)
        MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_PBDMA_1, RULE_NONE, pbdma_id, shown,
                    nouveau_pbdma_channel(nouveau, pbdma_id),
                    machine_read32(machine, base + NV_PPBDMA_HCE_DBG0),
                    machine_read32(machine, base + NV_PPBDMA_HCE_DBG1));
    machine_write32(machine, base + NV_PPBDMA_INTR_1, errors);
}

static void nouveau_pbdma_interrupt(struct nouveau *nouveau, uint32_t pbdma_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t base = NV_PPBDMA_BASE(pbdma_id);
    const uint32_t pending = machine_read32(machine, base + NV_PPBDMA_INTR_0) &
                             machine_read32(machine, base + NV_PPBDMA_INTR_EN_0);
    const uint32_t errors = REG_PUT(pending, NV_PPBDMA_INTR_0_DEVICE, 0);
    const bool answered =
        REG_GET(pending, NV_PPBDMA_INTR_0_DEVICE) && nouveau_device(nouveau, pbdma_id);

    nouveau_pbdma_interrupt_1(nouveau, pbdma_id);
    if (pending == 0)
        return;
    if (errors)
        MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_ERROR, RULE_NONE, pbdma_id, errors, 0);
    nouveau_pbdma_line(nouveau, pbdma_id, answered ? errors : pending);
    if (errors)
        nouveau_kill(nouveau, pbdma_id, errors);
    machine_write32(machine, base + NV_PPBDMA_METHOD0, 0x80600008); /* VALID, NOP */
    machine_write32(machine, base + NV_PPBDMA_INTR_0, pending);
}

void nouveau_fifo_error(struct nouveau *nouveau, uint32_t bits, uint32_t code_register)
{
    struct machine *machine = nouveau->machine;

    if (bits == 0)
        return;
    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_ERROR, RULE_NONE, UINT32_MAX, bits,
                code_register ? machine_read32(machine, NV_PFIFO_BASE + code_register) : 0);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0, bits);
}

/* gf100_fifo_intr_sched: a context switch that took too long is recovered from.  Turing tells of
 * those elsewhere. */
static void nouveau_sched_error(struct nouveau *nouveau, uint32_t pending)
{
    struct machine *machine = nouveau->machine;
    const uint32_t bit = 1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO;
    const uint32_t code = machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_SCHED_ERROR);

    if (!(pending & bit))
        return;
    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_SCHED_ERROR, RULE_NONE, code,
                !nouveau->chip->runlists_apart);
    if (!nouveau->chip->runlists_apart && code == NV_PFIFO_INTR_SCHED_ERROR_CODE_CTXSW_TIMEOUT)
        nouveau_recover_timeouts(nouveau);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0, bit);
}

/* tu102_fifo_intr_ctxsw_timeout. */
static void nouveau_ctxsw_timeout(struct nouveau *nouveau, uint32_t bits)
{
    struct machine *machine = nouveau->machine;
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_INTR_CTXSW_TIMEOUT;
    const uint32_t engines = machine_read32(machine, at);

    if (bits == 0)
        return;
    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_ERROR, RULE_NONE, UINT32_MAX, bits, engines);
    nouveau_recover_timeouts_info(nouveau, engines);
    machine_write32(machine, at, engines);
}

/* Bits of INTR_0 that the handler has code for: gk104_fifo_intr, tu102_fifo_intr. */
static uint32_t nouveau_fifo_known(const struct nouveau *nouveau)
{
    return nouveau->chip->runlists_apart ? UINT32_C(0xe0010103) : UINT32_C(0xf9810111);
}

/* Others are reported, disabled for good, and cleared. */
static void nouveau_fifo_unknown(struct nouveau *nouveau, uint32_t bits)
{
    struct machine *machine = nouveau->machine;
    const uint32_t enable_at = NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0;

    if (bits == 0)
        return;
    machine_write32(machine, enable_at, machine_read32(machine, enable_at) & ~bits);
    nouveau_fifo_error(nouveau, bits, 0);
}

/* Kepler and Maxwell: gk104_ce_intr of nouveau ce/gk104.c; gp100_ce_intr of ce/gp100.c.  What is
 * pending is reported and cleared, no more. */
static void nouveau_ce_interrupt(struct nouveau *nouveau, uint32_t instance)
{
    struct machine *machine = nouveau->machine;
    const bool lces = nouveau->chip->lces;
    const uint32_t base = lces ? NV_CE_LCE_BASE(instance) : NV_CE_GK104_BASE(instance);
    const uint32_t status = base + (lces ? NV_CE_LCE_INTR_STATUS : NV_CE_GK104_INTR_STATUS);
    const uint32_t enable = base + (lces ? NV_CE_LCE_INTR_EN : NV_CE_GK104_INTR_EN);
    const uint32_t launcherr = base + (lces ? NV_CE_LCE_LAUNCHERR : NV_CE_GK104_LAUNCHERR);
    const uint32_t pending = machine_read32(machine, status) & machine_read32(machine, enable);
    const uint32_t code =
        REG_GET(pending, NV_CE_LCE_INTR_STATUS_LAUNCHERR) ? machine_read32(machine, launcherr) : 0;

    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_CE_INTERRUPT, RULE_NONE, instance, pending,
                code);
    machine_write32(machine, status, pending);
}

/* The channel whose class state the graphics engine has; UINT32_MAX: none of the driver's. */
static uint32_t nouveau_gr_channel(struct nouveau *nouveau, uint64_t *instance)
{
    const uint32_t word =
        machine_read32(nouveau->machine, NV_PGRAPH_BASE + NV_PGRAPH_FECS_CURRENT_CTX);

    *instance = (uint64_t)REG_GET(word, NV_PGRAPH_FECS_CURRENT_CTX_PTR) << 12;
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        if (nouveau->state->channels[i].used && nouveau->state->channels[i].instance == *instance)
            return i;
    return UINT32_MAX;
}

/* What of PGRAPH's interrupts is an error has a line: a method or class, or a unit's exception. */
static void nouveau_gr_lines(struct nouveau *nouveau, uint32_t pending)
{
    struct machine *machine = nouveau->machine;
    const uint32_t trapped = machine_read32(machine, NV_PGRAPH_BASE + NV_PGRAPH_TRAPPED_ADDR);
    const uint32_t subchannel = REG_GET(trapped, NV_PGRAPH_TRAPPED_ADDR_SUBCH);
    uint64_t instance;
    const uint32_t channel_id = nouveau_gr_channel(nouveau, &instance);

    for (uint32_t bit = NV_PGRAPH_INTR_ILLEGAL_METHOD_LO; bit <= NV_PGRAPH_INTR_ILLEGAL_CLASS_LO;
         bit++)
        if (pending >> bit & 1)
            MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_GR_ERROR, RULE_NONE, channel_id, bit,
                        instance, subchannel,
                        machine_read32(machine, NV_PGRAPH_BASE + NV_PGRAPH_FE_OBJECT_TABLE +
                                                    4 * (subchannel & 3)),
                        4 * REG_GET(trapped, NV_PGRAPH_TRAPPED_ADDR_MTHD),
                        machine_read32(machine, NV_PGRAPH_BASE + NV_PGRAPH_TRAPPED_DATA_LOW));
    if (REG_GET(pending, NV_PGRAPH_INTR_EXCEPTION))
        MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_GR_TRAP, RULE_NONE, channel_id, instance);
}

/* gf100_gr_intr of nouveau gr/gf100.c: a notifier's is ignored, a semaphore's reported; all are
 * cleared.  No thread is woken. */
static void nouveau_gr_interrupt(struct nouveau *nouveau)
{
    struct machine *machine = nouveau->machine;
    const uint32_t pending = machine_read32(machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR);

    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_GR_INTERRUPT, RULE_NONE, pending);
    nouveau_gr_lines(nouveau, pending);
    machine_write32(machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR, pending);
}

void nouveau_interrupt_handler(struct nouveau *nouveau)
{
    struct machine *machine = nouveau->machine;
    const uint32_t pending = machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0) &
                             machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0);
    const uint32_t units = machine_read32(machine, NV_PMC_BASE + NV_PMC_INTR_0);
    const uint32_t ces = REG_GET(units, NV_PMC_INTR_0_LCE);
    uint32_t pbdmas;

    machine->state->interrupt_line = 0;
    MACHINE_LOG(machine, nouveau->unit, EVENT_DRIVER_INTERRUPT, RULE_NONE, pending);
    nouveau_fifo_error(nouveau, pending & 1u << NV_PFIFO_INTR_0_BIND_ERROR_LO,
                       NV_PFIFO_INTR_BIND_ERROR);
    nouveau_sched_error(nouveau, pending);
    if (nouveau->chip->runlists_apart)
        nouveau_ctxsw_timeout(nouveau, pending & 1u << NV_PFIFO_INTR_0_CTXSW_TIMEOUT_LO);
    nouveau_faults(nouveau, pending);
    if (REG_GET(pending, NV_PFIFO_INTR_0_PBDMA_INTR)) {
        pbdmas = machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_PBDMA_ID);
        for (uint32_t i = 0; pbdmas >> i; i++)
            if (pbdmas >> i & 1)
                nouveau_pbdma_interrupt(nouveau, i);
    }
    if (REG_GET(pending, NV_PFIFO_INTR_0_RUNLIST_EVENT)) {
        machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_RUNLIST,
                        machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_RUNLIST));
        machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0,
                        1u << NV_PFIFO_INTR_0_RUNLIST_EVENT_LO);
    }
    if (REG_GET(pending, NV_PFIFO_INTR_0_CHANNEL_INTR)) {
        machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0,
                        1u << NV_PFIFO_INTR_0_CHANNEL_INTR_LO);
        nouveau_jobs_look(nouveau);
        nouveau->client.woken(nouveau->client.context);
    }
    nouveau_fifo_unknown(nouveau, pending & ~nouveau_fifo_known(nouveau));
    if (REG_GET(units, NV_PMC_INTR_0_PGRAPH))
        nouveau_gr_interrupt(nouveau);
    for (uint32_t i = 0; ces >> i; i++)
        if (ces >> i & 1)
            nouveau_ce_interrupt(nouveau, i);
}
