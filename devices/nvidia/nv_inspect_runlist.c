/* SPDX-License-Identifier: MIT */
/* Runlists and channels as the registers of each generation name them: see nv_inspect.h. */
#include <config.h>

#include "devices/nvidia/nv_inspect.h"

#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"

bool nv_inspect_has_blocks(const struct machine *machine)
{
    struct reg_assign reg;

    return reg_assign_named(&machine->mmio, "NV_RUNLIST_SUBMIT", REG_ASSIGN_ANY_UNIT, 0, &reg);
}

/* Volta's user-mode window came with the longer entries, and both stayed. */
uint32_t nv_inspect_entry_bytes(const struct machine *machine)
{
    struct reg_assign reg;
    const bool longer =
        nv_inspect_has_blocks(machine) ||
        reg_assign_named(&machine->mmio, "NV_USERMODE_CFG0", REG_ASSIGN_ANY_UNIT, 0, &reg);

    return longer ? NV_RAMRL_GV100_ENTRY_BYTES : NV_RAMRL_ENTRY_BYTES;
}

uint32_t nv_inspect_field(struct machine *machine, const char *name, uint32_t instance,
                          uint32_t index, const char *field)
{
    struct reg_assign reg;
    uint32_t value = 0;

    if (reg_assign_named(&machine->mmio, name, instance, index, &reg))
        (void)reg_assign_field(&reg, machine_read32(machine, reg.offset), field, &value);
    return value;
}

uint32_t nv_inspect_word(struct machine *machine, const char *name, uint32_t instance,
                         uint32_t index)
{
    struct reg_assign reg;

    return reg_assign_named(&machine->mmio, name, instance, index, &reg)
               ? machine_read32(machine, reg.offset)
               : 0;
}

bool nv_inspect_has(const struct machine *machine, const char *name, uint32_t instance,
                    uint32_t index)
{
    struct reg_assign reg;

    return reg_assign_named(&machine->mmio, name, instance, index, &reg);
}

/* BASE_LO and BASE_HI beside a SUBMIT, as Turing (per array) and Ampere (per block) have them. */
static void list_of_submit(struct machine *machine, const char *low, const char *high,
                           const char *submit, uint32_t instance, uint32_t index,
                           struct nv_inspect_list *list)
{
    const uint32_t low_word = nv_inspect_word(machine, low, instance, index);

    list->base = (uint64_t)(nv_inspect_word(machine, high, instance, index) & 0xff) << 32 |
                 (low_word & 0xfffff000);
    list->aperture = nv_host_aperture(low_word & 3);
    list->length = nv_inspect_field(machine, submit, instance, index, "LENGTH");
}

bool nv_inspect_list(struct machine *machine, uint32_t runlist_id, struct nv_inspect_list *list)
{
    const uint32_t any = REG_ASSIGN_ANY_UNIT;
    uint32_t word; /* of ENG_RUNLIST_BASE, which is laid out like RUNLIST_BASE */

    *list = (struct nv_inspect_list){0};
    if (nv_inspect_has_blocks(machine)) {
        if (!nv_inspect_has(machine, "NV_RUNLIST_SUBMIT", runlist_id, 0))
            return false;
        list_of_submit(machine, "NV_RUNLIST_SUBMIT_BASE_LO", "NV_RUNLIST_SUBMIT_BASE_HI",
                       "NV_RUNLIST_SUBMIT", runlist_id, 0, list);
        return true;
    }
    if (nv_inspect_has(machine, "NV_PFIFO_RUNLIST_SUBMIT", any, runlist_id)) {
        list_of_submit(machine, "NV_PFIFO_RUNLIST_BASE_LO", "NV_PFIFO_RUNLIST_BASE_HI",
                       "NV_PFIFO_RUNLIST_SUBMIT", any, runlist_id, list);
        if (list->length > 0)
            return true;
    }
    if (!nv_inspect_has(machine, "NV_PFIFO_ENG_RUNLIST", any, runlist_id))
        return nv_inspect_has(machine, "NV_PFIFO_RUNLIST_SUBMIT", any, runlist_id);
    word = nv_inspect_word(machine, "NV_PFIFO_ENG_RUNLIST_BASE", any, runlist_id);
    list->base = (uint64_t)REG_GET(word, NV_PFIFO_RUNLIST_BASE_PTR) << 12;
    list->aperture = nv_host_aperture(REG_GET(word, NV_PFIFO_RUNLIST_BASE_TARGET));
    list->length = nv_inspect_field(machine, "NV_PFIFO_ENG_RUNLIST", any, runlist_id, "LENGTH");
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Kepler to Pascal. */
static void entry_decode(const uint32_t *words, struct nv_inspect_entry *entry)
{
    entry->is_tsg = REG_GET(words[0], NV_RAMRL_ENTRY_TYPE) == NV_RAMRL_ENTRY_TYPE_TSG;
    entry->id = REG_GET(words[0], NV_RAMRL_ENTRY_ID);
    if (entry->is_tsg) {
        entry->scale = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE);
        entry->timeout = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT);
        entry->length = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_LENGTH);
    } else {
        entry->runqueue = REG_GET(words[0], NV_RAMRL_ENTRY_CHAN_RUNQUEUE);
        entry->instance = (uint64_t)words[1] << 12;
    }
}

/* Volta and later. */
static void entry_decode_gv100(const uint32_t *words, struct nv_inspect_entry *entry)
{
    entry->is_tsg = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TYPE) == NV_RAMRL_GV100_ENTRY_TYPE_TSG;
    entry->id = REG_GET(words[2], NV_RAMRL_GV100_ENTRY_ID);
    if (entry->is_tsg) {
        entry->scale = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE);
        entry->timeout = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT);
        entry->length = REG_GET(words[1], NV_RAMRL_GV100_ENTRY_TSG_LENGTH);
    } else {
        entry->runqueue = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE);
        entry->instance = (uint64_t)words[3] << 32 | (words[2] & 0xfffff000);
        entry->instance_target = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_INST_TARGET);
    }
}

bool nv_inspect_entry(struct machine *machine, const struct nv_inspect_list *list, uint32_t index,
                      struct nv_inspect_entry *entry)
{
    const uint32_t bytes = nv_inspect_entry_bytes(machine);
    uint32_t words[NV_RAMRL_GV100_ENTRY_BYTES / 4];

    *entry = (struct nv_inspect_entry){0};
    if (!machine_read(machine, (enum memory_aperture)list->aperture,
                      list->base + (uint64_t)index * bytes, words, bytes))
        return false;
    if (bytes == NV_RAMRL_ENTRY_BYTES)
        entry_decode(words, entry);
    else
        entry_decode_gv100(words, entry);
    return true;
}

bool nv_inspect_channel(struct machine *machine, uint32_t runlist_id, uint32_t channel_id,
                        struct reg_assign *reg)
{
    return nv_inspect_has_blocks(machine)
               ? reg_assign_named(&machine->mmio, "NV_CHRAM_CHANNEL", runlist_id, channel_id, reg)
               : reg_assign_named(&machine->mmio, "NV_PCCSR_CHANNEL", REG_ASSIGN_ANY_UNIT,
                                  channel_id, reg);
}

uint64_t nv_inspect_instance(struct machine *machine, uint32_t channel_id)
{
    return (uint64_t)nv_inspect_field(machine, "NV_PCCSR_CHANNEL_INST", REG_ASSIGN_ANY_UNIT,
                                      channel_id, "PTR")
           << 12;
}
