/* SPDX-License-Identifier: MIT */
/*
 * Runlists of the resource-manager model: two buffers for each, written and submitted in turn, so
 * that the hardware never reads what is being written.
 *
 * Interleaving (nvgpu common/fifo/runlist.c @6ecfb593, nvgpu_runlist_append_low and its like): TSGs
 * of a level are in order of their ids; before each of level LOW stand all of MEDIUM and then all
 * of HIGH, before each of MEDIUM all of HIGH.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

static uint32_t rm_runlist_entry_bytes(const struct rm *rm)
{
    return rm->chip->form == RM_RUNLIST_GP100 ? NV_RAMRL_ENTRY_BYTES : NV_RAMRL_GV100_ENTRY_BYTES;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* TARGET of registers and entries: 0 video memory, 2 and 3 system memory. */
static uint32_t rm_runlist_aperture(uint32_t target)
{
    return target >= 2 ? MEMORY_SYSMEM : MEMORY_VRAM;
}

void rm_runlist_find(struct rm *rm, uint32_t runlist_id, struct rm_list *list)
{
    struct machine *machine = rm->machine;
    uint32_t low, high, submit, at;

    if (!rm->chip->blocks && !rm->chip->runlists_apart) {
        at = NV_PFIFO_BASE + 8 * runlist_id;
        low = machine_read32(machine, at + NV_PFIFO_ENG_RUNLIST_BASE);
        submit = machine_read32(machine, at + NV_PFIFO_ENG_RUNLIST);
        list->base = (uint64_t)REG_GET(low, NV_PFIFO_ENG_RUNLIST_BASE_PTR) << 12;
        list->aperture = rm_runlist_aperture(REG_GET(low, NV_PFIFO_ENG_RUNLIST_BASE_TARGET));
        list->length = REG_GET(submit, NV_PFIFO_ENG_RUNLIST_LENGTH);
        return;
    }
    /* Turing's and Ampere's registers have the same fields. */
    if (rm->chip->blocks) {
        at = rm->state->runlists[runlist_id].base;
        low = machine_read32(machine, at + NV_RUNLIST_SUBMIT_BASE_LO);
        high = machine_read32(machine, at + NV_RUNLIST_SUBMIT_BASE_HI);
        submit = machine_read32(machine, at + NV_RUNLIST_SUBMIT);
    } else {
        at = NV_PFIFO_BASE + 16 * runlist_id;
        low = machine_read32(machine, at + NV_PFIFO_RUNLIST_BASE_LO);
        high = machine_read32(machine, at + NV_PFIFO_RUNLIST_BASE_HI);
        submit = machine_read32(machine, at + NV_PFIFO_RUNLIST_SUBMIT);
    }
    list->base = (uint64_t)REG_GET(high, NV_PFIFO_RUNLIST_BASE_HI_PTR_HI) << 32 |
                 (uint64_t)REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_PTR_LO) << 12;
    list->aperture = rm_runlist_aperture(REG_GET(low, NV_PFIFO_RUNLIST_BASE_LO_TARGET));
    list->length = REG_GET(submit, NV_PFIFO_RUNLIST_SUBMIT_LENGTH);
}

/* Volta and Turing: what CCSR has. */
static uint64_t rm_runlist_bound(struct rm *rm, uint32_t chid)
{
    const uint32_t word = machine_read32(rm->machine, NV_PCCSR_BASE + 8 * chid);

    return (uint64_t)REG_GET(word, NV_PCCSR_CHANNEL_INST_PTR) << 12;
}

bool rm_runlist_entry(struct rm *rm, const struct rm_list *list, uint32_t index,
                      struct rm_entry *entry)
{
    const uint32_t bytes = rm_runlist_entry_bytes(rm);
    const uint32_t *words = entry->words;

    *entry = (struct rm_entry){0};
    if (!machine_read(rm->machine, (enum memory_aperture)list->aperture,
                      list->base + (uint64_t)bytes * index, entry->words, bytes))
        return false;
    if (rm->chip->form == RM_RUNLIST_GP100) {
        entry->is_tsg = REG_GET(words[0], NV_RAMRL_ENTRY_TYPE) == NV_RAMRL_ENTRY_TYPE_TSG;
        entry->id = REG_GET(words[0], NV_RAMRL_ENTRY_ID);
        entry->length = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_LENGTH);
    } else {
        entry->is_tsg =
            REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TYPE) == NV_RAMRL_GV100_ENTRY_TYPE_TSG;
        entry->id = REG_GET(words[2], NV_RAMRL_GV100_ENTRY_ID) & (rm->chip->blocks ? 0x7ff : 0xfff);
        entry->length = REG_GET(words[1], NV_RAMRL_GV100_ENTRY_TSG_LENGTH);
    }
    if (entry->is_tsg)
        return true;
    entry->length = 0;
    entry->instance = rm->chip->blocks ? (uint64_t)words[3] << 32 | (words[2] & ~UINT32_C(0xfff))
                                       : rm_runlist_bound(rm, entry->id);
    return true;
}

bool rm_runlist_search(struct rm *rm, uint32_t runlist_id, uint32_t wanted, uint64_t instance,
                       uint32_t *tsg_id, uint32_t *chid)
{
    struct rm_list list;
    struct rm_entry entry;
    uint32_t tsg = RM_NONE, left = 0;

    if (rm->chip->blocks && rm->state->runlists[runlist_id].base == RM_NONE)
        return false;
    rm_runlist_find(rm, runlist_id, &list);
    for (uint32_t i = 0; i < list.length && rm_runlist_entry(rm, &list, i, &entry); i++) {
        if (entry.is_tsg) {
            tsg = entry.id;
            left = entry.length;
            continue;
        }
        *tsg_id = left > 0 ? tsg : RM_NONE;
        *chid = entry.id;
        left -= left > 0;
        if (wanted == RM_NONE ? entry.instance == instance : entry.id == wanted)
            return true;
    }
    return false;
}

bool rm_runlist_channel_of(struct rm *rm, uint64_t instance, uint32_t *runlist_id, uint32_t *tsg_id,
                           uint32_t *chid)
{
    for (uint32_t i = 0; i < rm->state->runlist_count; i++)
        if (rm_runlist_search(rm, i, RM_NONE, instance, tsg_id, chid)) {
            *runlist_id = i;
            return true;
        }
    return false;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A list on its way into the buffer that is not in use. */
struct rm_writer {
    struct rm *rm;
    uint64_t base;
    uint32_t runlist_id, count;
    bool full;
};

static bool rm_writer_begin(struct rm_writer *writer, struct rm *rm, uint32_t runlist_id)
{
    struct rm_runlist *runlist = &rm->state->runlists[runlist_id];

    if (runlist->buffer == EXTENT_NONE)
        runlist->buffer = rm_take(rm, UINT64_C(2) * RM_RUNLIST_BYTES);
    *writer = (struct rm_writer){.rm = rm, .runlist_id = runlist_id};
    writer->base = runlist->buffer + (runlist->turn ^ 1) * (uint64_t)RM_RUNLIST_BYTES;
    return runlist->buffer != EXTENT_NONE;
}

static void rm_writer_put(struct rm_writer *writer, const uint32_t *words)
{
    const uint32_t bytes = rm_runlist_entry_bytes(writer->rm);

    if (writer->count == RM_RUNLIST_ENTRIES_MAX) {
        writer->full = true;
        return;
    }
    for (uint32_t i = 0; i < bytes / 4; i++)
        rm_poke(writer->rm, writer->base + (uint64_t)bytes * writer->count + UINT64_C(4) * i,
                words[i]);
    writer->count++;
}

/* Submits; a list that does not fit is not. */
static bool rm_writer_end(struct rm_writer *writer)
{
    struct rm *rm = writer->rm;
    struct rm_runlist *runlist = &rm->state->runlists[writer->runlist_id];
    const uint32_t low = (uint32_t)writer->base, high = (uint32_t)(writer->base >> 32);
    uint32_t at = NV_PFIFO_BASE + 16 * writer->runlist_id;

    if (writer->full)
        return false;
    runlist->turn ^= 1;
    if (!rm->is_bare)
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_RUNLIST, RULE_NONE, writer->runlist_id,
                    writer->base, writer->count);
    if (rm->chip->blocks) {
        at = runlist->base;
        machine_write32(rm->machine, at + NV_RUNLIST_SUBMIT_BASE_LO, low);
        machine_write32(rm->machine, at + NV_RUNLIST_SUBMIT_BASE_HI, high);
        machine_write32(rm->machine, at + NV_RUNLIST_SUBMIT, writer->count);
    } else if (rm->chip->runlists_apart) {
        machine_write32(rm->machine, at + NV_PFIFO_RUNLIST_BASE_LO, low);
        machine_write32(rm->machine, at + NV_PFIFO_RUNLIST_BASE_HI, high);
        machine_write32(rm->machine, at + NV_PFIFO_RUNLIST_SUBMIT, writer->count);
    } else {
        machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_RUNLIST_BASE,
                        (uint32_t)(writer->base >> 12));
        machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_RUNLIST,
                        REG_PUT(writer->count, NV_PFIFO_RUNLIST_ID, writer->runlist_id));
    }
    return true;
}

static void rm_writer_channel(struct rm_writer *writer, const struct rm_channel *channel)
{
    uint32_t words[4] = {0};

    if (writer->rm->chip->form == RM_RUNLIST_GP100) {
        words[0] = REG_PUT(channel->chid, NV_RAMRL_ENTRY_CHAN_RUNQUEUE, channel->runqueue);
        words[1] = writer->rm->chip->ccsr_runlist ? 0 : (uint32_t)(channel->instance >> 12);
    } else {
        words[0] = REG_PUT((uint32_t)channel->userd, NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE,
                           channel->runqueue);
        words[1] = (uint32_t)(channel->userd >> 32);
        words[2] = (uint32_t)channel->instance | channel->chid;
        words[3] = (uint32_t)(channel->instance >> 32);
    }
    rm_writer_put(writer, words);
}

static void rm_writer_tsg(struct rm_writer *writer, uint32_t tsg_index)
{
    struct rm_state *state = writer->rm->state;
    const struct rm_tsg *tsg = &state->tsgs[tsg_index];
    uint32_t words[4] = {0}, length = 0;

    for (uint32_t i = 0; i < state->channel_end; i++)
        length += state->channels[i].used && state->channels[i].tsg == tsg_index;
    if (length == 0)
        return;
    if (writer->rm->chip->form == RM_RUNLIST_GP100) {
        words[0] = REG_PUT(tsg->tsg_id, NV_RAMRL_ENTRY_TYPE, NV_RAMRL_ENTRY_TYPE_TSG);
        words[0] = REG_PUT(words[0], NV_RAMRL_ENTRY_TSG_LENGTH, length);
        words[0] = REG_PUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT, tsg->timeout);
        words[0] = REG_PUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE, tsg->scale);
    } else {
        words[0] = REG_PUT(NV_RAMRL_GV100_ENTRY_TYPE_TSG,
                           NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT, tsg->timeout);
        words[0] = REG_PUT(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE, tsg->scale);
        words[1] = length;
        words[2] = tsg->tsg_id;
    }
    if (!writer->rm->chip->no_tsgs)
        rm_writer_put(writer, words);
    for (uint32_t i = 0; i < state->channel_end; i++)
        if (state->channels[i].used && state->channels[i].tsg == tsg_index)
            rm_writer_channel(writer, &state->channels[i]);
}

/* Writes all TSGs of a level, and before each of them all TSGs of the levels above. */
static void rm_writer_level(struct rm_writer *writer, uint32_t level)
{
    for (uint32_t i = 0; i < writer->rm->state->tsg_end; i++) {
        const struct rm_tsg *tsg = &writer->rm->state->tsgs[i];

        if (!tsg->used || !tsg->scheduled || tsg->runlist_id != writer->runlist_id ||
            tsg->interleave != level)
            continue;
        for (uint32_t above = level + 1; above <= RM_INTERLEAVE_HIGH; above++)
            rm_writer_level(writer, above);
        rm_writer_tsg(writer, i);
    }
}

bool rm_runlist_update(struct rm *rm, uint32_t runlist_id)
{
    struct rm_writer writer;

    if (!rm_writer_begin(&writer, rm, runlist_id))
        return false;
    for (uint32_t level = RM_INTERLEAVE_LOW; level <= RM_INTERLEAVE_HIGH && writer.count == 0;
         level++)
        rm_writer_level(&writer, level);
    return rm_writer_end(&writer);
}

bool rm_runlist_remove(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid)
{
    struct rm_writer writer;
    struct rm_list list;
    struct rm_entry entry;
    uint32_t inside = 0; /* of a TSG: channels that follow */
    bool skip = false;

    rm_runlist_find(rm, runlist_id, &list);
    if (!rm_writer_begin(&writer, rm, runlist_id))
        return false;
    for (uint32_t i = 0; i < list.length && rm_runlist_entry(rm, &list, i, &entry); i++) {
        if (entry.is_tsg) {
            skip = entry.id == tsg_id;
            inside = entry.length;
        } else if (inside > 0) {
            inside--;
        } else {
            skip = tsg_id == RM_NONE && entry.id == chid;
        }
        if (!skip)
            rm_writer_put(&writer, entry.words);
    }
    return rm_writer_end(&writer);
}
