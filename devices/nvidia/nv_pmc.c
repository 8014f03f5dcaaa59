/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pmc.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_regs.h"

enum { NV_PMC_DEVICES = 32 };

static uint32_t nv_pmc_enable(const struct nv_host *host)
{
    return host->generation->runlists_have_blocks ? NV_PMC_DEVICE_ENABLE : NV_PMC_ENABLE;
}

/* Returns the bit of an engine, or 0 if it has none. */
static uint32_t nv_pmc_bit(const struct nv_chip_engine *engine)
{
    return engine->reset_id < NV_PMC_DEVICES ? 1u << engine->reset_id : 0;
}

static uint32_t nv_pmc_engines(const struct nv_host *host)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < host->model->engine_count; i++)
        bits |= nv_pmc_bit(&host->model->engines[i]);
    return bits;
}

void nv_pmc_wire(struct nv_host *host)
{
    const uint32_t chip_id = host->model->chip_id;
    uint32_t *storage = host->pmc->storage;

    storage[NV_PMC_BOOT_0 / 4] =
        REG_PUT(REG_PUT(0, NV_PMC_BOOT_0_CHIP, chip_id), NV_PMC_BOOT_0_REVISION, 0xa1);
    storage[NV_PMC_BOOT_42 / 4] =
        REG_PUT(REG_PUT(0, NV_PMC_BOOT_42_CHIP_ID, chip_id), NV_PMC_BOOT_42_MAJOR_REVISION, 0xa);
    storage[nv_pmc_enable(host) / 4] = nv_pmc_engines(host);
    if (!host->generation->runlists_have_blocks)
        storage[NV_PMC_ENABLE / 4] |= 1u << NV_PMC_ENABLE_PFIFO_LO;
}

/* Devices that are no engines: a change is reported, once for each. */
static void nv_pmc_report(struct nv_host *host, uint32_t offset, uint32_t changed, uint32_t written)
{
    if (mmio_report_bits_once(&host->machine->mmio, host->pmc->base + offset, changed))
        MACHINE_LOG(host->machine, host->unit, EVENT_UNMODELLED, RULE_NONE,
                    UNMODELLED_REGISTER_WRITE, host->pmc->base + offset, written);
}

void nv_pmc_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written)
{
    const uint32_t changed = old ^ written;
    const uint32_t others = changed & ~nv_pmc_engines(host);

    if (offset != nv_pmc_enable(host))
        return;
    if (others)
        nv_pmc_report(host, offset, others, written);
    for (uint32_t i = 0; i < host->model->engine_count; i++)
        if (changed & nv_pmc_bit(&host->model->engines[i]))
            nv_engine_reset(&host->engines[i], !(written & nv_pmc_bit(&host->model->engines[i])));
}
