/* SPDX-License-Identifier: MIT */
/*
 * MMU faults, as the nouveau model takes them: what was, from where; the channel, found by its
 * instance block, is recovered from (gf100_fifo_mmu_fault_recover; nouveau_recover.c).
 *
 * Up to Pascal PFIFO has registers for each unit (gf100_fifo_intr_mmu_fault).  On Volta and Turing
 * faults come in the buffer for those that are not replayable (gv100_fault_buffer_process), which
 * the driver sets up at its start with as many packets as the chip recommends, or, when there is no
 * buffer, in registers of their own (gv100_fault_intr_fault, tu102_fault_info_fault).
 *
 * Sources (nouveau's MIT-licensed code, read as facts): nvkm/subdev/fault gv100.c, torvalds/linux
 * @0875fde7; tu102.c @002c6ca7; nvkm/engine/fifo/gf100.c, intel-lab-lkp/linux @c8d4849a.
 *
 * ASSUMED: the buffer lies at a physical address, in the memory left to firmware; the real driver's
 * is seen through BAR2, which is not modelled.  Its packets are read by the interrupt handler, not
 * a worker.  Not modelled: the buffer for faults that are replayable.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_fault_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

#define NOUVEAU_FAULT_MEMORY UINT64_C(0x100000)

/* What the driver makes of any fault (struct nvkm_fault_data). */
struct nouveau_fault {
    uint64_t address, instance;
    uint32_t engine_id, client, is_hub, reason, access;
};

/* ---- registers of Volta and Turing ----------------------------------------------------------- */

/* A register of the buffer, or of the fault that found none; offsets are Turing's. */
static uint32_t nouveau_fault_at(const struct nouveau *nouveau, uint32_t offset)
{
    const struct nouveau_chip *chip = nouveau->chip;

    return offset < NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO
               ? chip->fault_buffer + offset
               : chip->fault_info + offset - NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO;
}

static uint32_t nouveau_fault_read(struct nouveau *nouveau, uint32_t offset)
{
    return machine_read32(nouveau->machine, nouveau_fault_at(nouveau, offset));
}

static void nouveau_fault_write(struct nouveau *nouveau, uint32_t offset, uint32_t value)
{
    machine_write32(nouveau->machine, nouveau_fault_at(nouveau, offset), value);
}

/* gv100_fault_buffer_info, gv100_fault_buffer_init. */
void nouveau_faults_start(struct nouveau *nouveau)
{
    const uint32_t size_at = NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE;
    uint32_t size;

    if (nouveau->chip->fault_enable)
        machine_write32(nouveau->machine, nouveau->chip->fault_enable, UINT32_MAX);
    if (!nouveau->chip->fault_buffer)
        return;
    nouveau_fault_write(nouveau, size_at,
                        REG_PUT(0, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_SET_DEFAULT, 1));
    size = nouveau_fault_read(nouveau, size_at);
    nouveau->state->fault_packets =
        REG_GET(size, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_VAL);
    if (nouveau->state->fault_packets > NOUVEAU_FAULT_PACKETS_MAX)
        nouveau->state->fault_packets = 0;
    if (nouveau->state->fault_packets == 0)
        return;
    nouveau_fault_write(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_HI,
                        (uint32_t)(NOUVEAU_FAULT_MEMORY >> 32));
    nouveau_fault_write(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO,
                        REG_PUT((uint32_t)NOUVEAU_FAULT_MEMORY,
                                NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO_ADDR_MODE,
                                NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO_ADDR_MODE_PHYSICAL));
    nouveau_fault_write(nouveau, size_at,
                        REG_PUT(size, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_ENABLE, 1));
}

/* ---- what follows ---------------------------------------------------------------------------- */

static struct nouveau_channel *nouveau_channel_at(struct nouveau *nouveau, uint64_t instance)
{
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        if (nouveau->state->channels[i].used && nouveau->state->channels[i].instance == instance)
            return &nouveau->state->channels[i];
    return NULL;
}

static void nouveau_fault_take(struct nouveau *nouveau, const struct nouveau_fault *fault)
{
    struct nouveau_channel *channel = nouveau_channel_at(nouveau, fault->instance);

    if (nouveau->machine->choices[CHOICE_NOUVEAU_RECOVERY] != NOUVEAU_RECOVERY_ON)
        return;
    MACHINE_LOG_EITHER(nouveau->machine, nouveau->unit, nouveau->chip->fault_buffer,
                       EVENT_DRIVER_FAULT_GV100, EVENT_DRIVER_FAULT, RULE_NONE,
                       channel ? nouveau_channel_id(nouveau, channel) : UINT32_MAX,
                       fault->engine_id, fault->client, fault->is_hub, fault->reason, fault->access,
                       fault->address, fault->instance);
    if (channel)
        nouveau_recover_channel(nouveau, channel);
}

/* ---- up to Pascal ---------------------------------------------------------------------------- */

static void nouveau_fault_of_unit(struct nouveau *nouveau, uint32_t unit)
{
    struct machine *machine = nouveau->machine;
    const uint32_t at = NV_PFIFO_BASE + 16 * unit;
    const uint32_t info = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_INFO);
    const uint32_t inst = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_INST);
    const uint32_t low = machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_LO);
    const struct nouveau_fault fault = {
        .address = (uint64_t)machine_read32(machine, at + NV_PFIFO_INTR_MMU_FAULT_HI) << 32 | low,
        .instance = (uint64_t)REG_GET(inst, NV_PFIFO_INTR_MMU_FAULT_INST_PTR) << 12,
        .engine_id = unit,
        .client = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT),
        .is_hub = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_CLIENT_TYPE),
        .reason = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_TYPE),
        .access = REG_GET(info, NV_PFIFO_INTR_MMU_FAULT_INFO_ACCESS_TYPE),
    };

    if (!nouveau_recover_triggered(nouveau, unit))
        nouveau_fault_take(nouveau, &fault);
}

static void nouveau_faults_of_pfifo(struct nouveau *nouveau, uint32_t pending)
{
    const uint32_t at = NV_PFIFO_BASE + NV_PFIFO_INTR_MMU_FAULT_ID;
    const uint32_t bits =
        pending & (1u << NV_PFIFO_INTR_0_MMU_FAULT_LO | 1u << NV_PFIFO_INTR_0_DROPPED_MMU_FAULT_LO);
    const uint32_t units = machine_read32(nouveau->machine, at);

    if (!REG_GET(pending, NV_PFIFO_INTR_0_MMU_FAULT))
        return;
    for (uint32_t unit = 0; unit < 32; unit++)
        if (units >> unit & 1)
            nouveau_fault_of_unit(nouveau, unit);
    machine_write32(nouveau->machine, at, units);
    nouveau_fifo_error(nouveau, bits, 0);
}

/* ---- Volta and Turing ------------------------------------------------------------------------ */

static struct nouveau_fault nouveau_fault_of_words(uint32_t low, uint32_t high, uint64_t instance,
                                                   uint32_t engine, uint32_t info)
{
    return (struct nouveau_fault){
        .address = (uint64_t)high << 32 | low,
        .instance = instance & ~UINT64_C(0xfff),
        .engine_id = engine & 0xff,
        .client = REG_GET(info, NV_MMU_FAULT_BUF_ENTRY_CLIENT),
        .is_hub = REG_GET(info, NV_MMU_FAULT_BUF_ENTRY_MMU_CLIENT_TYPE),
        .reason = REG_GET(info, NV_MMU_FAULT_BUF_ENTRY_FAULT_TYPE),
        .access = REG_GET(info, NV_MMU_FAULT_BUF_ENTRY_ACCESS_TYPE),
    };
}

/* Each packet is given back before anything follows from it. */
static void nouveau_faults_of_buffer(struct nouveau *nouveau)
{
    const uint32_t get_at = NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET;
    const uint32_t count = nouveau->state->fault_packets;
    const uint32_t put =
        REG_GET(nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT),
                NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT_PTR);
    uint32_t get = REG_GET(nouveau_fault_read(nouveau, get_at),
                           NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_PTR);
    uint32_t word[NV_MMU_FAULT_BUF_SIZE / 4];
    struct nouveau_fault fault;

    while (get < count && put < count && get != put) {
        const uint64_t at = NOUVEAU_FAULT_MEMORY + (uint64_t)get * NV_MMU_FAULT_BUF_SIZE;

        if (!machine_read(nouveau->machine, MEMORY_VRAM, at, word, sizeof word))
            return;
        get = get + 1 < count ? get + 1 : 0;
        nouveau_fault_write(nouveau, get_at, get);
        fault = nouveau_fault_of_words(word[2], word[3], (uint64_t)word[1] << 32 | word[0], word[6],
                                       word[7]);
        nouveau_fault_take(nouveau, &fault);
    }
}

static void nouveau_fault_of_registers(struct nouveau *nouveau)
{
    const uint32_t status_at = NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS;
    const uint32_t status = nouveau_fault_read(nouveau, status_at);
    const uint32_t inst = nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INST_LO);
    const uint32_t inst_hi =
        nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INST_HI);
    const struct nouveau_fault fault = nouveau_fault_of_words(
        nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO),
        nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_HI),
        (uint64_t)inst_hi << 32 | inst, inst,
        nouveau_fault_read(nouveau, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO));

    if (!REG_GET(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID))
        return;
    nouveau_fault_take(nouveau, &fault);
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_ERROR, RULE_NONE, UINT32_MAX, status,
                0);
    nouveau_fault_write(nouveau, status_at,
                        REG_PUT(0, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID, 1));
}

void nouveau_faults(struct nouveau *nouveau, uint32_t pending)
{
    if (!nouveau->chip->fault_buffer) {
        nouveau_faults_of_pfifo(nouveau, pending);
        return;
    }
    nouveau_fault_of_registers(nouveau);
    nouveau_faults_of_buffer(nouveau);
}
