/* SPDX-License-Identifier: MIT */
/* What tells others of a copy: its semaphore, its interrupt, its fault. */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/formats/nv_float.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_release.h"

/* Interrupts that hold the engine until software clears them (BLOCKPIPE by its name, the errors
 * INFERRED: there is nothing to go on with). */
enum {
    NV_CE_HOLDING = 1u << NV_CE_LCE_INTR_STATUS_BLOCKPIPE_LO |
                    1u << NV_CE_LCE_INTR_STATUS_LAUNCHERR_LO |
                    1u << NV_CE_LCE_INTR_STATUS_INVALID_CONFIG_LO,
};

bool nv_ce_holds(uint32_t intr_status)
{
    return (intr_status & NV_CE_HOLDING) != 0;
}

static bool nv_ce_stalled(const struct nv_ce *ce)
{
    return ce->layout->has_status &&
           REG_GET(ce->regs->storage[NV_CE_LCE_ENGCTL / 4], NV_CE_LCE_ENGCTL_STALLREQ);
}

bool nv_ce_held(const struct nv_ce *ce)
{
    return nv_ce_holds(ce->regs->storage[ce->layout->intr_status / 4]) || nv_ce_stalled(ce);
}

void nv_ce_interrupt_changed(struct nv_ce *ce)
{
    nv_host_ce_interrupt(ce->host, ce->instance,
                         (ce->regs->storage[ce->layout->intr_status / 4] &
                          ce->regs->storage[ce->layout->intr_en / 4]) != 0);
}

void nv_ce_interrupt(struct nv_ce *ce, uint32_t channel_id, uint32_t bits, uint32_t code)
{
    ce->regs->storage[ce->layout->intr_status / 4] |= bits;
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_CE_INTR, RULE_NONE, channel_id, ce->engine_id, bits,
                code);
    nv_ce_interrupt_changed(ce);
}

void nv_ce_fault(struct nv_ce *ce, uint32_t channel_id, uint64_t address, bool is_write,
                 bool physical)
{
    const struct nv_fault failed = {
        .unit_kind = NV_FAULT_CE,
        .instance = ce->instance,
        .channel_id = channel_id,
        .address = address,
        .access = is_write ? NV_PFAULT_ACCESS_TYPE_WRITE : NV_PFAULT_ACCESS_TYPE_READ,
        .physical = physical,
    };

    nv_fault_raise(ce->host->faults, ce->unit, &failed);
    if (ce->host->generation->bit & NV_FROM_VOLTA) /* the faulted bit takes it off its PBDMA */
        nv_host_fault_channel(ce->host, channel_id);
    else
        nv_fe_stop_channel(ce->fe, channel_id);
}

/* FADD is no integer reduction: the sum is computed here and written as a plain payload. */
static bool nv_ce_add_float(struct nv_ce *ce, struct nv_release *release, uint64_t *fault)
{
    const uint32_t payload = (uint32_t)release->payload;
    uint32_t old;

    if (!machine_vm_read(ce->machine, release->space_id, release->address, &old, sizeof old, fault))
        return false;
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_REDUCTION, RULE_NONE, release->channel_id,
                release->address, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_FADD, 1, old, payload);
    release->payload = nv_float_add(old, payload);
    release->reduces = false;
    return true;
}

/* Writes the copy's semaphore.  Returns false after a fault; the channel is stopped then. */
static bool nv_ce_release(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    const uint32_t type = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE);
    const uint32_t reduction = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION);
    struct nv_release release = {
        .address = copy->semaphore_address,
        .payload = copy->semaphore_payload,
        .gp_sequence = copy->gp_sequence,
        .channel_id = copy->channel_id,
        .space_id = copy->space_id,
        .class_id = ce->model->class_copy,
        .rule = RULE_NONE,
        .has_time = type == NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_FOUR_WORD_SEMAPHORE,
        .reduces = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_ENABLE),
        .is_signed = !REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_SIGN),
        .reduction = (enum nv_reduction)(reduction % NV_REDUCTION_COUNT),
    };
    uint64_t fault;
    bool done = true;

    if (type == NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_NONE)
        return true;
    if (release.reduces && reduction == NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_FADD)
        done = nv_ce_add_float(ce, &release, &fault);
    if (done)
        done = nv_release_write(ce->machine, ce->unit, &release, &fault);
    if (!done)
        nv_ce_fault(ce, copy->channel_id, fault, true, false);
    return done;
}

void nv_ce_signal(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    if (!nv_ce_release(ce, copy))
        return;
    switch (REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_INTERRUPT_TYPE)) {
    case NVC1B5_LAUNCH_DMA_INTERRUPT_TYPE_BLOCKING:
        nv_ce_interrupt(ce, copy->channel_id, 1u << NV_CE_LCE_INTR_STATUS_BLOCKPIPE_LO, 0);
        break;
    case NVC1B5_LAUNCH_DMA_INTERRUPT_TYPE_NON_BLOCKING:
        nv_ce_interrupt(ce, copy->channel_id, 1u << NV_CE_LCE_INTR_STATUS_NONBLOCKPIPE_LO, 0);
        break;
    default:
        break;
    }
}
