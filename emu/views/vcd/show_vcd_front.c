/* SPDX-License-Identifier: MIT */
/* What events of the front ends change: NVIDIA's Host, AMD's queues and their slots. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/views/vcd/show_vcd_private.h"

/* "tsg_8", as the unit is called. */
static void text_unit(struct show_vcd *vcd, uint32_t unit, uint32_t field, uint32_t other)
{
    vcd_text(vcd, unit, field, other == VCD_NONE ? "none" : vcd->units[other].name);
}

static uint32_t channel(struct show_vcd *vcd, uint64_t id)
{
    return vcd_unit(vcd, VCD_CHANNEL, id);
}

/* ---- NVIDIA's front end ---------------------------------------------------------------------- */

void vcd_take_doorbell(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_number(vcd, channel(vcd, record->doorbell.channel_id), CHANNEL_GP_PUT,
               record->doorbell.value);
}

void vcd_take_bind(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, channel(vcd, record->channel.channel_id), CHANNEL_STATE, "bound");
}

void vcd_take_unbind(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, channel(vcd, record->channel.channel_id), CHANNEL_STATE, "unbound");
}

void vcd_take_enable(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, channel(vcd, record->channel.channel_id), CHANNEL_STATE,
             record->channel.enabled ? "enabled" : "disabled");
}

void vcd_take_stop(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, channel(vcd, record->stopped.channel_id), CHANNEL_STATE, "stopped");
}

void vcd_take_runlist_submit(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_RUNLIST, record->runlist.runlist_id), RUNLIST_ENTRIES,
               record->runlist.entry_count);
}

void vcd_take_sched_disable(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_RUNLIST, record->runlist.runlist_id), RUNLIST_SCHEDULER,
             record->runlist.disabled ? "off" : "on");
}

void vcd_take_tsg_start(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t runlist = vcd_unit(vcd, VCD_RUNLIST, record->slice.runlist_id);
    const uint32_t tsg = vcd_unit(vcd, VCD_TSG, record->slice.tsg_id);

    text_unit(vcd, runlist, RUNLIST_TSG, tsg);
    text_unit(vcd, tsg, TSG_RUNLIST, runlist);
    vcd_text(vcd, tsg, TSG_STATE, "on");
}

void vcd_take_tsg_end(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_RUNLIST, record->slice.runlist_id), RUNLIST_TSG, "none");
    vcd_text(vcd, vcd_unit(vcd, VCD_TSG, record->slice.tsg_id), TSG_STATE, "off");
}

void vcd_take_slice_pause(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_TSG, record->slice.tsg_id), TSG_STATE, "slice_paused");
}

void vcd_take_channel_load(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t loaded = channel(vcd, record->loaded.channel_id),
                   pbdma = vcd_unit(vcd, VCD_PBDMA, record->loaded.pbdma_id);

    vcd_text(vcd, loaded, CHANNEL_STATE, "on_pbdma");
    text_unit(vcd, pbdma, PBDMA_CHANNEL, loaded);
    vcd_text(vcd, pbdma, PBDMA_STATE, "loaded");
}

void vcd_take_channel_save(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t saved = channel(vcd, record->loaded.channel_id),
                   pbdma = vcd_unit(vcd, VCD_PBDMA, record->loaded.pbdma_id);

    if (vcd_is(vcd, saved, CHANNEL_STATE, "on_pbdma"))
        vcd_text(vcd, saved, CHANNEL_STATE, "enabled");
    text_unit(vcd, pbdma, PBDMA_CHANNEL, VCD_NONE);
    vcd_text(vcd, pbdma, PBDMA_STATE, "idle");
}

/* Values: channel, PBDMA, index, sequence. */
void vcd_take_gp_fetch(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t of = channel(vcd, record->fetched.channel_id),
                   pbdma = vcd_unit(vcd, VCD_PBDMA, record->fetched.pbdma_id);

    vcd_number(vcd, of, CHANNEL_GP_ENTRY, record->fetched.gp_index);
    vcd_number(vcd, pbdma, PBDMA_GP_ENTRY, record->fetched.gp_index);
    vcd_text(vcd, pbdma, PBDMA_STATE, "methods");
    if (of != VCD_NONE)
        vcd->units[of].fetched = record->fetched.gp_sequence;
}

/* The next segment may have been fetched before this one ends. */
void vcd_take_segment_end(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t of = channel(vcd, record->segment.channel_id);

    if (of != VCD_NONE && record->segment.gp_sequence >= vcd->units[of].fetched)
        vcd_text(vcd, vcd_unit(vcd, VCD_PBDMA, record->segment.pbdma_id), PBDMA_STATE, "loaded");
}

void vcd_take_intr(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_PBDMA, record->pbdma.pbdma_id), PBDMA_STATE, "frozen");
}

void vcd_take_intr_clear(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t pbdma = vcd_unit(vcd, VCD_PBDMA, record->pbdma.pbdma_id);

    if (vcd_is(vcd, pbdma, PBDMA_STATE, "frozen"))
        vcd_text(vcd, pbdma, PBDMA_STATE,
                 vcd_is(vcd, pbdma, PBDMA_CHANNEL, "none") ? "idle" : "methods");
}

void vcd_take_context_load(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t engine = vcd_unit(vcd, VCD_ENGINE, record->context.engine_id);

    text_unit(vcd, engine, ENGINE_CONTEXT, vcd_unit(vcd, VCD_TSG, record->context.tsg_id));
}

void vcd_take_engine_reset(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t engine = vcd_unit(vcd, VCD_ENGINE, record->reset.engine_id);

    vcd_text(vcd, engine, ENGINE_STATE,
             record->reset.in_reset                 ? "reset"
             : vcd_get(vcd, engine, ENGINE_RUNNING) ? "busy"
                                                    : "idle");
}

/* ---- AMD's queues ---------------------------------------------------------------------------- */

enum { MEC_QUEUES = GPU_WORDS_MEC_QUEUES, PIPE_QUEUES = GPU_WORDS_PIPE_QUEUES };

static uint32_t slot_of(struct show_vcd *vcd, const struct model_slot *slot)
{
    return slot->pipe < MEC_QUEUES && slot->index < PIPE_QUEUES
               ? vcd_unit(vcd, VCD_SLOT, slot->pipe * PIPE_QUEUES + slot->index)
               : VCD_NONE;
}

void vcd_take_map(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, slot_of(vcd, &record->slot), SLOT_STATE, "loading");
}

void vcd_take_preempt(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, slot_of(vcd, &record->slot), SLOT_STATE, "leaving");
}

void vcd_take_load(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t slot = vcd_unit(vcd, VCD_SLOT, record->queue.slot_id);
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, record->queue.queue_id);

    vcd_text(vcd, slot, SLOT_STATE, "loaded");
    text_unit(vcd, slot, SLOT_QUEUE, queue);
    text_unit(vcd, queue, QUEUE_SLOT, slot);
    vcd_text(vcd, queue, QUEUE_STATE, "in_slot");
    vcd_number(vcd, queue, QUEUE_READ, record->queue.read_index);
}

void vcd_take_leave(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t slot = vcd_unit(vcd, VCD_SLOT, record->queue.slot_id);
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, record->queue.queue_id);

    vcd_text(vcd, slot, SLOT_STATE, "empty");
    text_unit(vcd, slot, SLOT_QUEUE, VCD_NONE);
    text_unit(vcd, queue, QUEUE_SLOT, VCD_NONE);
    vcd_text(vcd, queue, QUEUE_STATE, "out");
}

void vcd_take_save(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_SLOT, record->queue.slot_id), SLOT_STATE, "saving");
    vcd_text(vcd, vcd_unit(vcd, VCD_QUEUE, record->queue.queue_id), QUEUE_STATE, "saving");
}

/* The first block that goes on ends it. */
void vcd_take_restore(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_QUEUE, record->queue.queue_id), QUEUE_STATE, "restoring");
}

void vcd_take_amd_doorbell(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, record->ring.queue_id), QUEUE_WRITE,
               record->ring.write_index);
}

/* Rings of PM4 show nothing. */
void vcd_take_packet(struct show_vcd *vcd, const struct model_record *record)
{
    if (record->packet.is_aql)
        vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, record->packet.queue_id), QUEUE_READ,
                   record->packet.index + 1);
}

void vcd_take_ace_turn(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t ace = vcd_unit(vcd, VCD_ACE, record->turn.ace);
    const struct model_live *grid = model_live(&vcd->model, MODEL_GRID, record->turn.grid_id);
    char name[16] = "none";

    if (grid)
        vcd_operation_name(grid, name);
    vcd_number(vcd, ace, ACE_QUEUE, record->turn.queue);
    vcd_text(vcd, ace, ACE_GRID, name);
}

void vcd_take_stage(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_add(vcd, vcd_unit(vcd, VCD_SE, record->staged.engine), SE_STAGED, 1);
}

void vcd_take_unstage(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_add(vcd, vcd_unit(vcd, VCD_SE, record->staged.engine), SE_STAGED, -1);
}

/* Values: engine of SDMA, its queue, doorbell. */
void vcd_take_sdma_load(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, record->sdma.queue_id);
    char slot[VCD_TEXT_BYTES];

    (void)snprintf(slot, sizeof slot, "SDMA_%" PRIu64 ".%" PRIu64, record->sdma.engine,
                   record->sdma.slot);
    vcd_text(vcd, queue, QUEUE_SLOT, slot);
    vcd_text(vcd, queue, QUEUE_STATE, "in_slot");
}

void vcd_take_sdma_leave(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, record->sdma.queue_id);

    vcd_text(vcd, queue, QUEUE_SLOT, "none");
    vcd_text(vcd, queue, QUEUE_STATE, "out");
}

void vcd_take_sdma_packet(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, record->sdma.queue_id), QUEUE_READ,
               record->sdma.read_index);
}
