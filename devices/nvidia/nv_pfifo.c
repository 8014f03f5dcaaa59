/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pfifo.h"

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pfifo_status.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

static uint32_t *nv_pfifo_reg(const struct nv_host *host, uint32_t offset)
{
    return &host->pfifo->storage[offset / 4];
}

void nv_pfifo_wire(struct nv_host *host)
{
    const struct nv_chip *model = host->model;

    host->pfifo = machine_add_window(host->machine, host->unit, &nv_pfifo_list, NV_PFIFO_BASE,
                                     NV_PFIFO_BYTES, 0);
    host->pccsr = machine_add_window(host->machine, host->unit, &nv_pccsr_list, NV_PCCSR_BASE,
                                     NV_PCCSR_BYTES, 0);
    if (!host->pfifo || !host->pccsr)
        return;
    *nv_pfifo_reg(host, NV_PFIFO_CFG0) =
        REG_PUT(model->pbdma_count, NV_PFIFO_CFG0_PBDMA_FAULT_ID, 32);
    *nv_pfifo_reg(host, NV_PFIFO_CFG1) = model->channel_count;
    *nv_pfifo_reg(host, NV_PFIFO_CFG2) = model->class_host;
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        *nv_pfifo_reg(host, NV_PFIFO_PBDMA_MAP + 4 * i) = model->pbdma_runlists[i];
}

bool nv_pfifo_has_bar1(const struct nv_host *host)
{
    return REG_GET(*nv_pfifo_reg(host, NV_PFIFO_BAR1_BASE), NV_PFIFO_BAR1_BASE_VALID);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

/* A bit of INTR_0 that shows that a register is not zero; through which enables. */
static const struct nv_pfifo_shown {
    uint32_t generations;
    uint32_t bit;
    uint32_t reg, enables; /* 0: all are enabled */
} nv_pfifo_shown[] = {
    {NV_UP_TO_TURING, 1u << NV_PFIFO_INTR_0_PBDMA_INTR_LO, NV_PFIFO_INTR_PBDMA_ID, 0},
    {NV_UP_TO_TURING, 1u << NV_PFIFO_INTR_0_RUNLIST_EVENT_LO, NV_PFIFO_INTR_RUNLIST, 0},
    {NV_UP_TO_PASCAL, 1u << NV_PFIFO_INTR_0_MMU_FAULT_LO, NV_PFIFO_INTR_MMU_FAULT_ID, 0},
    {NV_TURING, 1u << NV_PFIFO_INTR_0_CTXSW_TIMEOUT_LO, NV_PFIFO_INTR_CTXSW_TIMEOUT, 0},
    {NV_TURING, 1u << NV_PFIFO_INTR_0_RUNLIST_IDLE_LO, NV_PFIFO_INTR_RUNLIST_IDLE,
     NV_PFIFO_INTR_RUNLIST_IDLE_EN_SET},
    {NV_TURING, 1u << NV_PFIFO_INTR_0_RUNLIST_AND_ENG_IDLE_LO, NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE,
     NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE_EN_SET},
    {NV_TURING, 1u << NV_PFIFO_INTR_0_RUNLIST_ACQUIRE_LO, NV_PFIFO_INTR_RUNLIST_ACQUIRE,
     NV_PFIFO_INTR_RUNLIST_ACQUIRE_EN_SET},
    {NV_TURING, 1u << NV_PFIFO_INTR_0_RUNLIST_ACQUIRE_AND_ENG_IDLE_LO,
     NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE, NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_SET},
};

/* INTR_0 as it has to be; true: it has a bit more than it had. */
static bool nv_pfifo_show(struct nv_host *host)
{
    uint32_t *intr_0 = nv_pfifo_reg(host, NV_PFIFO_INTR_0);
    const uint32_t old = *intr_0;

    for (uint32_t i = 0; i < sizeof nv_pfifo_shown / sizeof nv_pfifo_shown[0]; i++) {
        const struct nv_pfifo_shown *shown = &nv_pfifo_shown[i];
        const uint32_t enabled = shown->enables ? *nv_pfifo_reg(host, shown->enables) : UINT32_MAX;

        if (!(shown->generations & host->generation->bit))
            continue;
        *intr_0 &= ~shown->bit;
        if (*nv_pfifo_reg(host, shown->reg) & enabled)
            *intr_0 |= shown->bit;
    }
    return (*intr_0 & ~old) != 0;
}

bool nv_pfifo_pending(const struct nv_host *host)
{
    return (*nv_pfifo_reg(host, NV_PFIFO_INTR_0) & *nv_pfifo_reg(host, NV_PFIFO_INTR_EN_0)) != 0;
}

static void nv_pfifo_line(struct nv_host *host)
{
    if (!nv_pfifo_pending(host))
        return;
    nv_intr_raise(host, NV_INTR_PMC_VECTOR + NV_PMC_INTR_0_PFIFO_LO);
    machine_raise_interrupt(host->machine);
}

/* A register behind INTR_0 has changed. */
static void nv_pfifo_update(struct nv_host *host)
{
    if (nv_pfifo_show(host))
        nv_pfifo_line(host);
}

void nv_pfifo_interrupt(struct nv_host *host, uint32_t intr_0_bits)
{
    *nv_pfifo_reg(host, NV_PFIFO_INTR_0) |= intr_0_bits;
    (void)nv_pfifo_show(host);
    nv_pfifo_line(host);
}

void nv_pfifo_pbdmas_changed(struct nv_host *host)
{
    uint32_t pbdmas = 0;

    for (uint32_t i = 0; i < host->model->pbdma_count; i++) {
        const struct nv_pbdma *pbdma = &host->pbdmas[i];

        if ((nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) & nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_EN_0)) ||
            (nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) & nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_EN_1)))
            pbdmas |= 1u << i;
    }
    *nv_pfifo_reg(host, NV_PFIFO_INTR_PBDMA_ID) = pbdmas;
    nv_pfifo_interrupt(host, 0);
}

void nv_pfifo_error(struct nv_host *host, uint32_t event, uint32_t id, uint32_t code)
{
    const bool bind = event == EVENT_NV_BIND_ERROR;

    assert(bind || event == EVENT_NV_SCHED_ERROR);
    *nv_pfifo_reg(host, bind ? NV_PFIFO_INTR_BIND_ERROR : NV_PFIFO_INTR_SCHED_ERROR) = code;
    MACHINE_LOG_EITHER(host->machine, host->unit, bind, EVENT_NV_BIND_ERROR, EVENT_NV_SCHED_ERROR,
                       RULE_NONE, id, code);
    nv_pfifo_interrupt(host, bind ? 1u << NV_PFIFO_INTR_0_BIND_ERROR_LO
                                  : 1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO);
}

/* TSG_PREEMPT_COMPLETE, of Turing, unless INTR_0_MASK keeps it from being raised. */
static void nv_pfifo_tsg_preempted(struct nv_host *host)
{
    const uint32_t bit = 1u << NV_PFIFO_INTR_0_TSG_PREEMPT_COMPLETE_LO;

    if (!(*nv_pfifo_reg(host, NV_PFIFO_INTR_0_MASK_SET) & bit))
        nv_pfifo_interrupt(host, bit);
}

void nv_pfifo_runlist_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code)
{
    static const uint32_t of_turing[] = {
        [NV_RUNLIST_IDLE] = NV_PFIFO_INTR_RUNLIST_IDLE,
        [NV_RUNLIST_ENG_IDLE] = NV_PFIFO_INTR_RUNLIST_AND_ENG_IDLE,
        [NV_RUNLIST_ACQUIRE] = NV_PFIFO_INTR_RUNLIST_ACQUIRE,
        [NV_RUNLIST_ACQUIRE_AND_ENG_IDLE] = NV_PFIFO_INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE,
    };
    const bool turing = host->generation->bit == NV_TURING;

    (void)code;
    switch (notice) {
    case NV_RUNLIST_SUBMITTED:
        *nv_pfifo_reg(host, NV_PFIFO_INTR_RUNLIST) |= 1u << runlist_id;
        nv_pfifo_interrupt(host, 0);
        break;
    case NV_RUNLIST_BAD_TSG:
        *nv_pfifo_reg(host, NV_PFIFO_INTR_SCHED_ERROR) = NV_PFIFO_INTR_SCHED_ERROR_CODE_BAD_TSG;
        nv_pfifo_interrupt(host, 1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO);
        break;
    case NV_RUNLIST_TSG_PREEMPT_COMPLETE:
        if (turing)
            nv_pfifo_tsg_preempted(host);
        break;
    case NV_RUNLIST_IDLE:
    case NV_RUNLIST_ENG_IDLE:
    case NV_RUNLIST_ACQUIRE:
    case NV_RUNLIST_ACQUIRE_AND_ENG_IDLE:
        if (!turing)
            break;
        *nv_pfifo_reg(host, of_turing[notice]) |= 1u << runlist_id;
        nv_pfifo_update(host);
        break;
    default: /* RUNLIST_PREEMPT_COMPLETE comes with Ampere; CTXSW_TIMEOUT: below */
        break;
    }
}

/* ---- context switches that take too long ----------------------------------------------------- */

gfe_ps nv_pfifo_ctxsw_timeout_ps(const struct nv_host *host)
{
    const uint32_t word = *nv_pfifo_reg(host, NV_PFIFO_ENG_TIMEOUT);

    return REG_GET(word, NV_PFIFO_ENG_TIMEOUT_DETECTION)
               ? clock_times(REG_GET(word, NV_PFIFO_ENG_TIMEOUT_PERIOD),
                             machine_parameter(host->machine, PARAM_NV_CTXSW_TIMEOUT_PS))
               : GFE_PS_NEVER;
}

void nv_pfifo_ctxsw_timeout(struct nv_host *host, const struct nv_engine *engine)
{
    const uint32_t engine_id = engine->row->engine_id;

    if (host->generation->bit != NV_TURING) {
        nv_pfifo_error(host, EVENT_NV_SCHED_ERROR, engine->row->runlist_id,
                       NV_PFIFO_INTR_SCHED_ERROR_CODE_CTXSW_TIMEOUT);
        return;
    }
    if (engine_id >= NV_PFIFO_ENGINES)
        return;
    *nv_pfifo_reg(host, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO + 4 * engine_id) =
        nv_pfifo_timeout_info(engine);
    *nv_pfifo_reg(host, NV_PFIFO_INTR_CTXSW_TIMEOUT) |= 1u << engine_id;
    nv_pfifo_update(host);
}

void nv_pfifo_ctxsw_reset(struct nv_host *host, const struct nv_engine *engine)
{
    uint32_t *info;

    if (host->generation->bit != NV_TURING || engine->row->engine_id >= NV_PFIFO_ENGINES)
        return;
    info = nv_pfifo_reg(host, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO + 4u * engine->row->engine_id);
    *info = REG_PUT(*info, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS,
                    NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_STATUS_ENG_WAS_RESET);
}

/* ---- runlists -------------------------------------------------------------------------------- */

static void nv_pfifo_take_runlist(struct nv_host *host, uint32_t runlist_id,
                                  enum memory_aperture aperture, uint64_t base, uint32_t count,
                                  uint32_t offset)
{
    if (runlist_id >= host->model->runlist_count) {
        nv_pfifo_error(host, EVENT_NV_SCHED_ERROR, runlist_id, 0);
        return;
    }
    nv_runlist_submit(&host->runlists[runlist_id], aperture, base, count, offset);
}

static void nv_pfifo_submit(struct nv_host *host, uint32_t written)
{
    const uint32_t base = *nv_pfifo_reg(host, NV_PFIFO_RUNLIST_BASE);
    const uint32_t runlist_id = REG_GET(written, NV_PFIFO_RUNLIST_ID);
    const uint32_t count = REG_GET(written, NV_PFIFO_RUNLIST_LENGTH);

    if (runlist_id < host->model->runlist_count) {
        *nv_pfifo_reg(host, NV_PFIFO_ENG_RUNLIST_BASE + 8 * runlist_id) = base;
        *nv_pfifo_reg(host, NV_PFIFO_ENG_RUNLIST + 8 * runlist_id) = count;
    }
    nv_pfifo_take_runlist(host, runlist_id,
                          nv_host_aperture(REG_GET(base, NV_PFIFO_RUNLIST_BASE_TARGET)),
                          (uint64_t)REG_GET(base, NV_PFIFO_RUNLIST_BASE_PTR) << 12, count, 0);
}

/* Turing.  OFFSET is where in the list the scheduler starts. */
static void nv_pfifo_submit_apart(struct nv_host *host, uint32_t runlist_id, uint32_t written)
{
    const uint32_t at = 16 * runlist_id;
    const uint32_t low = *nv_pfifo_reg(host, NV_PFIFO_RUNLIST_BASE_LO + at);
    const uint32_t high = *nv_pfifo_reg(host, NV_PFIFO_RUNLIST_BASE_HI + at);

    nv_pfifo_take_runlist(host, runlist_id,
                          nv_host_aperture(REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_TARGET)),
                          (uint64_t)REG_GET(high, NV_PFIFO_RUNLIST_BASE_HI_PTR_HI) << 32 |
                              (uint64_t)REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_PTR_LO) << 12,
                          REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_LENGTH),
                          REG_GET(written, NV_PFIFO_RUNLIST_SUBMIT_OFFSET));
}

/* Which runlist's RUNLIST_SUBMIT; false when it is another register, or none of the chip's. */
static bool nv_pfifo_submits(const struct nv_host *host, uint32_t offset, uint32_t *runlist_id)
{
    *runlist_id = (offset - NV_PFIFO_RUNLIST_SUBMIT) / 16;
    return host->generation->runlists_submit_apart && offset >= NV_PFIFO_RUNLIST_SUBMIT &&
           offset % 16 == NV_PFIFO_RUNLIST_SUBMIT % 16 && *runlist_id < 11;
}

static void nv_pfifo_preempt(struct nv_host *host, uint32_t written)
{
    const uint32_t id = REG_GET(written, NV_PFIFO_PREEMPT_ID);

    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        if (REG_GET(written, NV_PFIFO_PREEMPT_TYPE) == NV_PFIFO_PREEMPT_TYPE_TSG)
            nv_runlist_preempt_tsg(&host->runlists[i], id);
        else
            nv_runlist_preempt_channel(&host->runlists[i], id);
}

/* Runlists that SCHED_DISABLE holds, and up to Pascal those that a triggered fault has stopped. */
static void nv_pfifo_hold_runlists(struct nv_host *host)
{
    uint32_t held = *nv_pfifo_reg(host, NV_PFIFO_SCHED_DISABLE);

    if (host->generation->bit & NV_UP_TO_PASCAL)
        held |= *nv_pfifo_reg(host, NV_PFIFO_ERROR_SCHED_DISABLE);
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        nv_runlist_disable(&host->runlists[i], held >> i & 1);
}

static void nv_pfifo_preempt_runlists(struct nv_host *host, uint32_t written)
{
    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        if (written >> i & 1)
            nv_runlist_preempt(&host->runlists[i]);
}

/* ---- faults that software asks for ----------------------------------------------------------- */

/* Which engine's TRIGGER_MMU_FAULT; NULL when it is another register, or none of the chip's. */
static const struct nv_engine *nv_pfifo_triggers(const struct nv_host *host, uint32_t offset)
{
    return (host->generation->bit & NV_UP_TO_PASCAL) && offset >= NV_PFIFO_TRIGGER_MMU_FAULT &&
                   offset < NV_PFIFO_TRIGGER_MMU_FAULT + 4 * NV_PFIFO_ENGINES
               ? nv_engine_by_id(host, (offset - NV_PFIFO_TRIGGER_MMU_FAULT) / 4)
               : NULL;
}

/* Triggers a fault at address 0 of the context that is on the engine.  The engine's runlist stands
 * still from then on. */
static void nv_pfifo_trigger_fault(struct nv_host *host, const struct nv_engine *engine,
                                   uint32_t written)
{
    const uint32_t id = REG_GET(written, NV_PFIFO_TRIGGER_MMU_FAULT_ID);
    const uint32_t at = 16 * id;
    enum memory_aperture aperture = MEMORY_VRAM;
    uint64_t instance = 0;

    if (!REG_GET(written, NV_PFIFO_TRIGGER_MMU_FAULT_ENABLE) ||
        REG_GET(*nv_pfifo_reg(host, NV_PFIFO_INTR_0), NV_PFIFO_INTR_0_SCHED_ERROR))
        return;
    (void)nv_host_instance(host, engine->state->channel_id, &instance, &aperture);
    *nv_pfifo_reg(host, NV_PFIFO_INTR_MMU_FAULT_INST + at) =
        REG_PUT((uint32_t)(instance >> 12), NV_PFIFO_INTR_MMU_FAULT_INST_APERTURE,
                aperture == MEMORY_SYSMEM ? 2 : 0);
    *nv_pfifo_reg(host, NV_PFIFO_INTR_MMU_FAULT_LO + at) = 0;
    *nv_pfifo_reg(host, NV_PFIFO_INTR_MMU_FAULT_HI + at) = 0;
    *nv_pfifo_reg(host, NV_PFIFO_INTR_MMU_FAULT_INFO + at) = 0;
    *nv_pfifo_reg(host, NV_PFIFO_INTR_MMU_FAULT_ID) |= 1u << id;
    *nv_pfifo_reg(host, NV_PFIFO_ERROR_SCHED_DISABLE) |= 1u << engine->row->runlist_id;
    nv_pfifo_hold_runlists(host);
    nv_pfifo_update(host);
}

/* ---- registers ------------------------------------------------------------------------------- */

static uint32_t nv_pfifo_read_preempt(const struct nv_host *host, uint32_t stored)
{
    const enum nv_runlist_preempt_kind kind =
        REG_GET(stored, NV_PFIFO_PREEMPT_TYPE) == NV_PFIFO_PREEMPT_TYPE_TSG
            ? NV_RUNLIST_PREEMPT_TSG
            : NV_RUNLIST_PREEMPT_CHANNEL;
    uint32_t pending = 0;

    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        pending |= nv_runlist_preempt_pending(&host->runlists[i], kind,
                                              REG_GET(stored, NV_PFIFO_PREEMPT_ID));
    return REG_PUT(stored, NV_PFIFO_PREEMPT_PENDING, pending);
}

static uint32_t nv_pfifo_read_runlist_preempt(const struct nv_host *host)
{
    uint32_t pending = 0;

    for (uint32_t i = 0; i < host->model->runlist_count; i++)
        pending |=
            (uint32_t)nv_runlist_preempt_pending(&host->runlists[i], NV_RUNLIST_PREEMPT_ALL, 0)
            << i;
    return pending;
}

uint32_t nv_pfifo_read(const struct nv_host *host, uint32_t offset, uint32_t stored)
{
    switch (offset) {
    case NV_PFIFO_PREEMPT:
        return nv_pfifo_read_preempt(host, stored);
    case NV_PFIFO_RUNLIST_PREEMPT:
        return nv_pfifo_read_runlist_preempt(host);
    default:
        return nv_pfifo_status(host, offset, stored);
    }
}

void nv_pfifo_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written)
{
    const struct nv_engine *triggers = nv_pfifo_triggers(host, offset);
    uint32_t runlist_id;

    if (offset == NV_PFIFO_RUNLIST && !host->generation->runlists_submit_apart)
        nv_pfifo_submit(host, written);
    else if (nv_pfifo_submits(host, offset, &runlist_id))
        nv_pfifo_submit_apart(host, runlist_id, written);
    else if (offset == NV_PFIFO_INTR_0) {
        *nv_pfifo_reg(host, NV_PFIFO_INTR_0) = old & ~written;
        nv_pfifo_pbdmas_changed(host);
    } else if (offset == NV_PFIFO_INTR_EN_0)
        nv_pfifo_line(host);
    else if (offset == NV_PFIFO_PREEMPT)
        nv_pfifo_preempt(host, written);
    else if (offset == NV_PFIFO_RUNLIST_PREEMPT)
        nv_pfifo_preempt_runlists(host, written);
    else if (offset == NV_PFIFO_SCHED_DISABLE ||
             (offset == NV_PFIFO_ERROR_SCHED_DISABLE && (host->generation->bit & NV_UP_TO_PASCAL)))
        nv_pfifo_hold_runlists(host);
    else if (triggers)
        nv_pfifo_trigger_fault(host, triggers, written);
    else /* what may have enabled or cleared an interrupt; the others change nothing */
        nv_pfifo_update(host);
}
