/* SPDX-License-Identifier: MIT */
/*
 * The writes that nvdebug's files make, as register accesses of the generation.
 *
 * Up to Turing a channel's state is CCSR, PREEMPT and RUNLIST_PREEMPT are of all runlists, and ids
 * count for the whole chip; from Ampere on each runlist has a block of registers and channel RAM,
 * and ids are its own.  Which accesses make up each verb: nvdebug (J. Bakita), runlist_procfs.c.
 * Differs from it: the bits that clear faults when written are kept 0, so that enabling a channel
 * does not clear one.
 */
#include <config.h>

#include <stdio.h>

#include "devices/nvidia/nv_inspect.h"

static bool poke_no(struct reg_assign_message *message, const char *what, uint32_t number)
{
    (void)snprintf(message->text, sizeof message->text, "%s %u", what, number);
    return false;
}

/* The runlist of the target, where ids are the runlist's own. */
static bool poke_needs_runlist(const struct machine *machine, const struct poke_target *target,
                               struct reg_assign_message *message)
{
    if (nv_inspect_has_blocks(machine) && target->runlist_id == POKE_NO_RUNLIST) {
        (void)snprintf(message->text, sizeof message->text,
                       "ids are the runlist's own on this GPU: write RUNLIST:%u", target->id);
        return false;
    }
    return true;
}

static bool poke_has(const struct machine *machine, const char *name, uint32_t instance,
                     uint32_t index)
{
    struct reg_assign reg;

    return reg_assign_named(&machine->mmio, name, instance, index, &reg);
}

static bool poke_has_runlist(const struct machine *machine, uint32_t runlist_id)
{
    return poke_has(machine, "NV_RUNLIST_SUBMIT", runlist_id, 0) ||
           (!nv_inspect_has_blocks(machine) &&
            (poke_has(machine, "NV_PFIFO_ENG_RUNLIST", REG_ASSIGN_ANY_UNIT, runlist_id) ||
             poke_has(machine, "NV_PFIFO_RUNLIST_SUBMIT", REG_ASSIGN_ANY_UNIT, runlist_id)));
}

/* ---- channels -------------------------------------------------------------------------------- */

static bool channel_check(const struct machine *machine, const struct poke_target *target,
                          struct reg_assign_message *message)
{
    const bool blocks = nv_inspect_has_blocks(machine);

    if (!poke_needs_runlist(machine, target, message))
        return false;
    return (blocks ? poke_has(machine, "NV_CHRAM_CHANNEL", target->runlist_id, target->id)
                   : poke_has(machine, "NV_PCCSR_CHANNEL", REG_ASSIGN_ANY_UNIT, target->id)) ||
           poke_no(message, "this GPU has no channel", target->id);
}

/* Channel RAM: bits written as 1 are set, or with WRITE_CONTROL cleared. */
static void channel_write_chram(const struct pokes *pokes, const struct reg_assign *reg,
                                bool enable)
{
    const uint32_t word =
        reg_assign_put(reg, reg_assign_put(reg, 0, "ENABLE", 1), "WRITE_CONTROL", enable ? 0 : 1);

    poke_write32(pokes, reg->offset, word);
}

static void channel_write_ccsr(const struct pokes *pokes, const struct reg_assign *reg, bool enable)
{
    uint32_t word = poke_read32(pokes, reg->offset);

    word = reg_assign_put(reg, word, "PBDMA_FAULTED", 0);
    word = reg_assign_put(reg, word, "ENG_FAULTED", 0);
    poke_write32(pokes, reg->offset,
                 reg_assign_put(reg, word, enable ? "ENABLE_SET" : "ENABLE_CLR", 1));
}

static void channel_set(const struct pokes *pokes, uint32_t runlist_id, uint32_t channel_id,
                        bool enable)
{
    struct reg_assign reg;

    if (!nv_inspect_channel(pokes->machine, runlist_id, channel_id, &reg))
        return;
    if (nv_inspect_has_blocks(pokes->machine))
        channel_write_chram(pokes, &reg, enable);
    else
        channel_write_ccsr(pokes, &reg, enable);
}

static void disable_channel(const struct pokes *pokes, const struct poke_target *target)
{
    channel_set(pokes, target->runlist_id, target->id, false);
}

static void enable_channel(const struct pokes *pokes, const struct poke_target *target)
{
    channel_set(pokes, target->runlist_id, target->id, true);
}

/* ---- preempting and submitting --------------------------------------------------------------- */

static bool tsg_check(const struct machine *machine, const struct poke_target *target,
                      struct reg_assign_message *message)
{
    if (!poke_needs_runlist(machine, target, message))
        return false;
    if (target->id > 0xfff)
        return poke_no(message, "a TSG's number has 12 bits:", target->id);
    return target->runlist_id == POKE_NO_RUNLIST || poke_has_runlist(machine, target->runlist_id) ||
           poke_no(message, "this GPU has no runlist", target->runlist_id);
}

static void preempt_tsg(const struct pokes *pokes, const struct poke_target *target)
{
    const struct mmio *mmio = &pokes->machine->mmio;
    struct reg_assign reg;
    uint32_t word;

    if (nv_inspect_has_blocks(pokes->machine)
            ? !reg_assign_named(mmio, "NV_RUNLIST_PREEMPT", target->runlist_id, 0, &reg)
            : !reg_assign_named(mmio, "NV_PFIFO_PREEMPT", REG_ASSIGN_ANY_UNIT, 0, &reg))
        return;
    word = reg_assign_put(&reg, reg_assign_put(&reg, 0, "ID", target->id), "TYPE", 1);
    poke_write32(pokes, reg.offset, word);
}

static bool runlist_check(const struct machine *machine, const struct poke_target *target,
                          struct reg_assign_message *message)
{
    if (target->runlist_id != POKE_NO_RUNLIST && target->runlist_id != target->id)
        return poke_no(message, "the runlist is named twice:", target->id);
    return poke_has_runlist(machine, target->id) ||
           poke_no(message, "this GPU has no runlist", target->id);
}

static bool preempt_check(const struct machine *machine, const struct poke_target *target,
                          struct reg_assign_message *message)
{
    if (!runlist_check(machine, target, message))
        return false;
    if (nv_inspect_has_blocks(machine) ||
        poke_has(machine, "NV_PFIFO_RUNLIST_PREEMPT", REG_ASSIGN_ANY_UNIT, 0))
        return true;
    (void)snprintf(message->text, sizeof message->text, "this GPU has no NV_PFIFO_RUNLIST_PREEMPT");
    return false;
}

/* Type RUNLIST is 0 in the block's PREEMPT. */
static void preempt_runlist_id(const struct pokes *pokes, uint32_t runlist_id)
{
    const struct mmio *mmio = &pokes->machine->mmio;
    struct reg_assign reg;

    if (reg_assign_named(mmio, "NV_RUNLIST_PREEMPT", runlist_id, 0, &reg))
        poke_write32(pokes, reg.offset, 0);
    else if (runlist_id < 32 &&
             reg_assign_named(mmio, "NV_PFIFO_RUNLIST_PREEMPT", REG_ASSIGN_ANY_UNIT, 0, &reg))
        poke_write32(pokes, reg.offset, 1u << runlist_id);
}

static void preempt_runlist(const struct pokes *pokes, const struct poke_target *target)
{
    preempt_runlist_id(pokes, target->id);
}

/* The submit register that a runlist has for itself, from Turing on, once it was written. */
static bool submit_register(const struct pokes *pokes, uint32_t runlist_id,
                            struct reg_assign *submit)
{
    const struct mmio *mmio = &pokes->machine->mmio;

    return (reg_assign_named(mmio, "NV_RUNLIST_SUBMIT", runlist_id, 0, submit) ||
            reg_assign_named(mmio, "NV_PFIFO_RUNLIST_SUBMIT", REG_ASSIGN_ANY_UNIT, runlist_id,
                             submit)) &&
           poke_read32(pokes, submit->offset) != 0;
}

/* Writes again what the submit register holds; up to Volta, what is in use into the one register
 * that all runlists share. */
static void resubmit_runlist_id(const struct pokes *pokes, uint32_t runlist_id)
{
    const struct mmio *mmio = &pokes->machine->mmio;
    const uint32_t any = REG_ASSIGN_ANY_UNIT;
    struct reg_assign reg, base;
    uint32_t length;

    if (submit_register(pokes, runlist_id, &reg)) {
        poke_write32(pokes, reg.offset, poke_read32(pokes, reg.offset));
        return;
    }
    if (!reg_assign_named(mmio, "NV_PFIFO_ENG_RUNLIST_BASE", any, runlist_id, &base) ||
        !reg_assign_named(mmio, "NV_PFIFO_ENG_RUNLIST", any, runlist_id, &reg))
        return;
    (void)reg_assign_field(&reg, poke_read32(pokes, reg.offset), "LENGTH", &length);
    if (reg_assign_named(mmio, "NV_PFIFO_RUNLIST_BASE", any, 0, &reg))
        poke_write32(pokes, reg.offset, poke_read32(pokes, base.offset));
    if (reg_assign_named(mmio, "NV_PFIFO_RUNLIST", any, 0, &reg))
        poke_write32(
            pokes, reg.offset,
            reg_assign_put(&reg, reg_assign_put(&reg, 0, "LENGTH", length), "ID", runlist_id));
}

static void resubmit_runlist(const struct pokes *pokes, const struct poke_target *target)
{
    resubmit_runlist_id(pokes, target->id);
}

/* ---- switching ------------------------------------------------------------------------------- */

/* Enables the channels of the TSG and disables those of the others.  Returns false if the TSG is
 * not on the runlist. */
static bool switch_channels(const struct pokes *pokes, uint32_t runlist_id, uint32_t tsg_id)
{
    struct nv_inspect_list list;
    struct nv_inspect_entry entry;
    uint32_t left = 0; /* channels of the TSG that still come */
    bool there = false;

    if (!nv_inspect_list(pokes->machine, runlist_id, &list))
        return false;
    for (uint32_t i = 0; i < list.length && nv_inspect_entry(pokes->machine, &list, i, &entry); i++)
        there |= entry.is_tsg && entry.id == tsg_id;
    for (uint32_t i = 0;
         there && i < list.length && nv_inspect_entry(pokes->machine, &list, i, &entry); i++) {
        if (!entry.is_tsg)
            channel_set(pokes, runlist_id, entry.id, left > 0);
        if (entry.is_tsg)
            left = entry.id == tsg_id ? entry.length : 0;
        else if (left > 0)
            left--;
    }
    return there;
}

/* Without a runlist in the text, those that have the TSG.  From Turing on the list is submitted
 * again, because a change of ENABLE alone may not be seen (nvdebug). */
static void switch_to_tsg(const struct pokes *pokes, const struct poke_target *target)
{
    const bool named = target->runlist_id != POKE_NO_RUNLIST;
    const uint32_t first = named ? target->runlist_id : 0;
    struct reg_assign submit;

    for (uint32_t r = first; named ? r == first : poke_has_runlist(pokes->machine, r); r++) {
        if (!switch_channels(pokes, r, target->id))
            continue;
        if (submit_register(pokes, r, &submit))
            resubmit_runlist_id(pokes, r);
        preempt_runlist_id(pokes, r);
    }
}

const struct poke_verb nv_poke_verbs[] = {
    {"disable_channel", "CHANNEL", "clears a channel's ENABLE", channel_check, disable_channel},
    {"enable_channel", "CHANNEL", "sets it", channel_check, enable_channel},
    {"preempt_tsg", "TSG", "PREEMPT of a TSG", tsg_check, preempt_tsg},
    {"preempt_runlist", "RUNLIST", "RUNLIST_PREEMPT", preempt_check, preempt_runlist},
    {"resubmit_runlist", "RUNLIST", "submits the runlist that is there again", runlist_check,
     resubmit_runlist},
    {"switch_to_tsg", "TSG", "enables a TSG's channels, disables the others, preempts", tsg_check,
     switch_to_tsg},
};
const uint32_t nv_poke_verb_count = sizeof nv_poke_verbs / sizeof nv_poke_verbs[0];
