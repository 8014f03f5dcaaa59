/* SPDX-License-Identifier: MIT */
/* TSGs and channels of the resource-manager model. */
#include <config.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* ASSUMED: where the driver puts USERD in BAR1. */
#define RM_BAR1_USERD UINT64_C(0x100000)

/* MASK of VIRTUAL_CHANNEL_CFG: every bit of a doorbell's VECTOR is one of CHID. */
#define RM_VIRTUAL_CHANNEL_CFG_MASK 0x7ffu

enum { RM_CHANNELS_OF_CHIP = 4096, RM_TIMEOUT_MAX = 255, RM_SCALE_MAX = 15 };

/* ---- channel groups -------------------------------------------------------------------------- */

void rm_timeslice_encode(uint64_t units, uint32_t *timeout, uint32_t *scale)
{
    *scale = 0;
    while (units > RM_TIMEOUT_MAX && *scale < RM_SCALE_MAX) {
        units >>= 1;
        ++*scale;
    }
    *timeout = units > RM_TIMEOUT_MAX ? RM_TIMEOUT_MAX : (uint32_t)units;
}

/* Is the number taken?  From Ampere on they are counted per runlist. */
static bool rm_tsg_id_used(const struct rm *rm, uint32_t runlist_id, uint32_t tsg_id)
{
    for (uint32_t i = 0; i < rm->state->tsg_end; i++) {
        const struct rm_tsg *tsg = &rm->state->tsgs[i];

        if (tsg->used && tsg->tsg_id == tsg_id &&
            (!rm->chip->blocks || tsg->runlist_id == runlist_id))
            return true;
    }
    return false;
}

uint32_t rm_tsg_new(struct rm *rm, uint32_t runlist_id)
{
    uint32_t index = 0, tsg_id = 0;
    struct rm_tsg *tsg;

    if (!rm_start(rm) || runlist_id >= rm->state->runlist_count)
        return RM_NONE;
    while (index < RM_TSGS_MAX && rm->state->tsgs[index].used)
        index++;
    if (index == RM_TSGS_MAX)
        return RM_NONE;
    while (rm_tsg_id_used(rm, runlist_id, tsg_id))
        tsg_id++;
    tsg = &rm->state->tsgs[index];
    *tsg = (struct rm_tsg){.used = 1, .tsg_id = tsg_id, .runlist_id = runlist_id};
    if (rm->state->tsg_end == index)
        rm->state->tsg_end++;
    rm_timeslice_encode(machine_parameter(rm->machine, PARAM_RM_TIMESLICE_UNITS), &tsg->timeout,
                        &tsg->scale);
    if (rm->chip->blocks) /* the doorbell reaches all of the runlist's channels (nouveau ga100.c) */
        machine_write32(
            rm->machine, rm->state->runlists[runlist_id].base + NV_RUNLIST_VIRTUAL_CHANNEL_CFG,
            REG_PUT(RM_VIRTUAL_CHANNEL_CFG_MASK, NV_RUNLIST_VIRTUAL_CHANNEL_CFG_PENDING_ENABLE, 1));
    return index;
}

static void rm_tsg_changed(struct rm *rm, uint32_t tsg)
{
    if (rm->state->tsgs[tsg].scheduled)
        (void)rm_runlist_update(rm, rm->state->tsgs[tsg].runlist_id);
}

void rm_tsg_set_timeslice(struct rm *rm, uint32_t tsg, uint64_t units)
{
    rm_timeslice_encode(units, &rm->state->tsgs[tsg].timeout, &rm->state->tsgs[tsg].scale);
    rm_tsg_changed(rm, tsg);
}

void rm_tsg_set_interleave(struct rm *rm, uint32_t tsg, enum rm_interleave interleave)
{
    rm->state->tsgs[tsg].interleave = interleave;
    rm_tsg_changed(rm, tsg);
}

bool rm_tsg_schedule(struct rm *rm, uint32_t tsg, bool scheduled)
{
    const struct rm_tsg *group = &rm->state->tsgs[tsg];
    bool done;

    rm->state->tsgs[tsg].scheduled = scheduled;
    if (!scheduled)
        for (uint32_t i = 0; i < rm->state->channel_end; i++)
            if (rm->state->channels[i].used && rm->state->channels[i].tsg == tsg)
                rm_channel_enable(rm, group->runlist_id, rm->state->channels[i].chid, false);
    done = rm_runlist_update(rm, group->runlist_id);
    for (uint32_t i = 0; i < rm->state->channel_end && scheduled; i++)
        if (rm->state->channels[i].used && rm->state->channels[i].tsg == tsg)
            rm_channel_enable(rm, group->runlist_id, rm->state->channels[i].chid, true);
    return done;
}

/* ---- channels -------------------------------------------------------------------------------- */

/* What is taken of what a new channel of a TSG needs. */
struct rm_taken {
    uint32_t index;                       /* the first that is free; RM_CHANNELS_MAX: none */
    uint32_t tsg_length;                  /* channels of the TSG */
    uint64_t chids[RM_CHANNELS_MAX / 64]; /* bit per channel ID of the runlist */
};

static void rm_taken_find(const struct rm *rm, uint32_t tsg, struct rm_taken *taken)
{
    const uint32_t runlist_id = rm->state->tsgs[tsg].runlist_id;

    *taken = (struct rm_taken){.index = rm->state->channel_end};
    for (uint32_t i = 0; i < rm->state->channel_end; i++) {
        const struct rm_channel *channel = &rm->state->channels[i];

        if (!channel->used) {
            if (i < taken->index)
                taken->index = i;
            continue;
        }
        taken->tsg_length += channel->tsg == tsg;
        if (channel->chid < RM_CHANNELS_MAX &&
            (!rm->chip->blocks || rm->state->tsgs[channel->tsg].runlist_id == runlist_id))
            taken->chids[channel->chid / 64] |= UINT64_C(1) << channel->chid % 64;
    }
}

/* The first channel ID that is not taken: there is one if a channel is free. */
static uint32_t rm_chid_free(const struct rm_taken *taken)
{
    uint32_t chid = 0;

    while (taken->chids[chid / 64] >> chid % 64 & 1)
        chid++;
    return chid;
}

/* Up to Pascal: one pool behind BAR1, where Host snoops it. */
static uint64_t rm_userd(struct rm *rm, uint32_t chid)
{
    struct rm_state *state = rm->state;
    struct address_space_range range = {
        .va = RM_BAR1_USERD,
        .size_bytes = RM_CHANNELS_OF_CHIP * NV_RAMUSERD_BYTES,
        .aperture = MEMORY_VRAM,
    };

    if (rm->chip->doorbell != 0)
        return rm_take(rm, RM_USERD_BYTES);
    if (state->userd_pool == EXTENT_NONE) {
        range.physical = state->userd_pool = rm_take(rm, range.size_bytes);
        if (range.physical == EXTENT_NONE ||
            address_space_map(&rm->machine->spaces, &range) != ADDRESS_SPACE_OK)
            return EXTENT_NONE;
        machine_write32(rm->machine, NV_PFIFO_BASE + NV_PFIFO_BAR1_BASE,
                        REG_PUT((uint32_t)(range.va >> 12), NV_PFIFO_BAR1_BASE_VALID, 1));
    }
    return state->userd_pool + (uint64_t)chid * NV_RAMUSERD_BYTES;
}

static void rm_ramin(struct rm *rm, const struct rm_channel *channel, uint32_t offset,
                     uint32_t value)
{
    rm_poke(rm, channel->instance + offset, value);
}

static uint32_t rm_log2(uint32_t value)
{
    uint32_t log2 = 0;

    while (value >> log2 > 1)
        log2++;
    return log2;
}

/* RAMFC: dword n is the PBDMA's register 4 n (dev_ram); the values that a new channel has.  USERD
 * stands in the runlist's entry from Ampere on. */
static void rm_write_ramfc(struct rm *rm, const struct rm_channel *channel,
                           const struct rm_channel_options *options)
{
    const struct rm_chip *chip = rm->chip;

    rm_ramin(rm, channel, NV_PPBDMA_SIGNATURE, NV_PPBDMA_SIGNATURE_HW_VALID);
    rm_ramin(rm, channel, NV_PPBDMA_ACQUIRE, 0x7ffff902);
    rm_ramin(rm, channel, NV_PPBDMA_GP_BASE, (uint32_t)options->gpfifo);
    rm_ramin(rm, channel, NV_PPBDMA_GP_BASE_HI,
             (uint32_t)(options->gpfifo >> 32) | rm_log2(options->gpfifo_entries)
                                                     << NV_PPBDMA_GP_BASE_HI_LIMIT2_LO);
    rm_ramin(rm, channel, NV_PPBDMA_PB_HEADER, 0x20400000);
    rm_ramin(rm, channel, NV_PPBDMA_SUBDEVICE, 0x30000001);
    if (!chip->blocks) {
        rm_ramin(rm, channel, NV_PPBDMA_USERD, (uint32_t)channel->userd);
        rm_ramin(rm, channel, NV_PPBDMA_USERD_HI, (uint32_t)(channel->userd >> 32));
    }
    if (chip->form == RM_RUNLIST_GP100) {
        rm_ramin(rm, channel, NV_PPBDMA_FORMATS, 0x00000100);
        rm_ramin(rm, channel, NV_PPBDMA_TARGET, NV_PPBDMA_TARGET_ENGINE_SW);
        rm_ramin(rm, channel, NV_PPBDMA_CHID, channel->chid);
        rm_ramin(rm, channel, NV_PPBDMA_RUNLIST_TIMESLICE, 0x10003080);
        rm_ramin(rm, channel, NV_PPBDMA_PB_TIMESLICE, 0x10000010);
        return;
    }
    rm_ramin(rm, channel, NV_PPBDMA_TARGET,
             1u << NV_PPBDMA_TARGET_ENG_CTX_VALID_LO | 1u << NV_PPBDMA_TARGET_CE_CTX_VALID_LO);
    rm_ramin(rm, channel, NV_PPBDMA_CONFIG, 0x00001000); /* USERD_WRITEBACK */
}

static void rm_write_instance(struct rm *rm, const struct rm_channel *channel,
                              const struct rm_channel_options *options)
{
    uint32_t base = (uint32_t)options->page_directory;

    /* Page tables of version 2 are Pascal's. */
    base = REG_PUT(base, NV_RAMIN_PAGE_DIR_BASE_USE_VER2_PT, !rm->chip->old_page_tables);
    base = REG_PUT(base, NV_RAMIN_PAGE_DIR_BASE_BIG_PAGE_SIZE, !rm->chip->old_page_tables);
    rm_ramin(rm, channel, NV_RAMIN_PAGE_DIR_BASE, base);
    rm_ramin(rm, channel, NV_RAMIN_PAGE_DIR_BASE_HI, (uint32_t)(options->page_directory >> 32));
    if (rm->chip->form == RM_RUNLIST_GP100) {
        rm_ramin(rm, channel, NV_RAMIN_ADR_LIMIT, UINT32_MAX);
        rm_ramin(rm, channel, NV_RAMIN_ADR_LIMIT_HI,
                 rm->chip->old_page_tables ? 0xff : 0x1ffff); /* 40 or 49 bits */
    }
    if (options->context != 0) {
        rm_ramin(rm, channel, NV_RAMIN_GR_WFI,
                 REG_PUT((uint32_t)options->context, NV_RAMIN_GR_WFI_MODE, 1));
        rm_ramin(rm, channel, NV_RAMIN_GR_WFI_PTR_HI, (uint32_t)(options->context >> 32));
    }
    rm_write_ramfc(rm, channel, options);
}

uint32_t rm_channel_full_id(const struct rm *rm, uint32_t channel)
{
    const struct rm_channel *of = &rm->state->channels[channel];

    return of->chid |
           (rm->chip->blocks ? rm->state->tsgs[of->tsg].runlist_id << NV_CHANNEL_RUNLIST_SHIFT : 0);
}

uint32_t rm_channel_register(struct rm *rm, uint32_t runlist_id, uint32_t chid)
{
    uint32_t config;

    if (!rm->chip->blocks)
        return NV_PCCSR_BASE + NV_PCCSR_CHANNEL + 8 * chid;
    config = machine_read32(rm->machine,
                            rm->state->runlists[runlist_id].base + NV_RUNLIST_CHANNEL_CONFIG);
    return (REG_GET(config, NV_RUNLIST_CHANNEL_CONFIG_CHRAM_BAR0_OFFSET) << 4) + 4 * chid;
}

void rm_channel_enable(struct rm *rm, uint32_t runlist_id, uint32_t chid, bool enabled)
{
    const uint32_t at = rm_channel_register(rm, runlist_id, chid);
    uint32_t value =
        enabled ? NV_CHRAM_CHANNEL_UPDATE_ENABLE_CHANNEL : NV_CHRAM_CHANNEL_UPDATE_DISABLE_CHANNEL;

    if (!rm->chip->blocks)
        value =
            enabled ? 1u << NV_PCCSR_CHANNEL_ENABLE_SET_LO : 1u << NV_PCCSR_CHANNEL_ENABLE_CLR_LO;
    machine_write32(rm->machine, at, value);
}

uint32_t rm_channel_new(struct rm *rm, uint32_t tsg, const struct rm_channel_options *options)
{
    const uint32_t runlist_id = rm->state->tsgs[tsg].runlist_id;
    struct rm_channel *channel;
    struct rm_taken taken;
    uint32_t index, chid;

    rm_taken_find(rm, tsg, &taken);
    index = taken.index;
    if (index == RM_CHANNELS_MAX || taken.tsg_length == rm->chip->tsg_length_max)
        return RM_NONE;
    chid = rm_chid_free(&taken);
    if (rm->chid_end != 0 && chid >= rm->chid_end)
        return RM_NONE;
    channel = &rm->state->channels[index];
    *channel = (struct rm_channel){.chid = chid, .tsg = tsg, .runqueue = options->runqueue};
    channel->instance = rm_take(rm, NV_RAMIN_BYTES);
    channel->notifier = rm_take(rm, MEMORY_PAGE_BYTES);
    channel->userd = rm_userd(rm, chid);
    if (channel->instance == EXTENT_NONE || channel->userd == EXTENT_NONE ||
        channel->notifier == EXTENT_NONE)
        return RM_NONE;
    channel->used = 1;
    if (rm->state->channel_end == index)
        rm->state->channel_end++;
    rm_clear(rm, channel->instance, NV_RAMIN_BYTES);
    rm_clear(rm, channel->notifier, MEMORY_PAGE_BYTES);
    rm_clear(rm, channel->userd, NV_RAMUSERD_BYTES);
    rm_write_instance(rm, channel, options);
    if (!rm->is_bare)
        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_CHANNEL, RULE_NONE, chid,
                    rm->state->tsgs[tsg].tsg_id, runlist_id, channel->instance, options->gpfifo,
                    channel->userd);
    if (rm->chip->ccsr_runlist)
        machine_write32(rm->machine, NV_PCCSR_BASE + NV_PCCSR_CHANNEL + 8 * chid,
                        REG_PUT(0, NV_PCCSR_CHANNEL_RUNLIST, runlist_id));
    if (!rm->chip->blocks)
        machine_write32(
            rm->machine, NV_PCCSR_BASE + NV_PCCSR_CHANNEL_INST + 8 * chid,
            REG_PUT((uint32_t)(channel->instance >> 12), NV_PCCSR_CHANNEL_INST_BIND, 1));
    return index;
}

void rm_channel_kick(struct rm *rm, uint32_t channel, uint32_t gp_put)
{
    const struct rm_channel *kicked = &rm->state->channels[channel];
    const uint32_t runlist_id = rm->state->tsgs[kicked->tsg].runlist_id;
    uint32_t token = kicked->chid;

    if (rm->chip->doorbell == 0) {
        machine_bar1_write32(rm->machine,
                             RM_BAR1_USERD + (uint64_t)kicked->chid * NV_RAMUSERD_BYTES +
                                 NV_RAMUSERD_GP_PUT,
                             gp_put);
        return;
    }
    rm_poke(rm, kicked->userd + NV_RAMUSERD_GP_PUT, gp_put);
    if (rm->chip->blocks)
        token |= REG_GET(machine_read32(rm->machine, rm->state->runlists[runlist_id].base +
                                                         NV_RUNLIST_DOORBELL_CONFIG),
                         NV_RUNLIST_DOORBELL_CONFIG_ID)
                 << 16;
    else if (rm->chip->token_has_runlist)
        token |= runlist_id << 16;
    machine_write32(rm->machine, rm->chip->doorbell, token);
}
