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

void vcd_take_doorbell(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_number(vcd, channel(vcd, values[0]), CHANNEL_GP_PUT, values[1]);
}

void vcd_take_bind(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, channel(vcd, values[0]), CHANNEL_STATE, "bound");
}

void vcd_take_unbind(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, channel(vcd, values[0]), CHANNEL_STATE, "unbound");
}

void vcd_take_enable(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, channel(vcd, values[0]), CHANNEL_STATE, values[1] ? "enabled" : "disabled");
}

void vcd_take_stop(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, channel(vcd, values[0]), CHANNEL_STATE, "stopped");
}

void vcd_take_runlist_submit(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_RUNLIST, values[0]), RUNLIST_ENTRIES, values[1]);
}

void vcd_take_sched_disable(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_RUNLIST, values[0]), RUNLIST_SCHEDULER,
             values[1] ? "off" : "on");
}

void vcd_take_tsg_start(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t runlist = vcd_unit(vcd, VCD_RUNLIST, values[0]);
    const uint32_t tsg = vcd_unit(vcd, VCD_TSG, values[1]);

    text_unit(vcd, runlist, RUNLIST_TSG, tsg);
    text_unit(vcd, tsg, TSG_RUNLIST, runlist);
    vcd_text(vcd, tsg, TSG_STATE, "on");
}

void vcd_take_tsg_end(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_RUNLIST, values[0]), RUNLIST_TSG, "none");
    vcd_text(vcd, vcd_unit(vcd, VCD_TSG, values[1]), TSG_STATE, "off");
}

void vcd_take_slice_pause(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_TSG, values[0]), TSG_STATE, "slice_paused");
}

void vcd_take_channel_load(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t loaded = channel(vcd, values[0]), pbdma = vcd_unit(vcd, VCD_PBDMA, values[1]);

    vcd_text(vcd, loaded, CHANNEL_STATE, "on_pbdma");
    text_unit(vcd, pbdma, PBDMA_CHANNEL, loaded);
    vcd_text(vcd, pbdma, PBDMA_STATE, "loaded");
}

void vcd_take_channel_save(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t saved = channel(vcd, values[0]), pbdma = vcd_unit(vcd, VCD_PBDMA, values[1]);

    if (vcd_is(vcd, saved, CHANNEL_STATE, "on_pbdma"))
        vcd_text(vcd, saved, CHANNEL_STATE, "enabled");
    text_unit(vcd, pbdma, PBDMA_CHANNEL, VCD_NONE);
    vcd_text(vcd, pbdma, PBDMA_STATE, "idle");
}

/* Values: channel, PBDMA, index, sequence. */
void vcd_take_gp_fetch(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t of = channel(vcd, values[0]), pbdma = vcd_unit(vcd, VCD_PBDMA, values[1]);

    vcd_number(vcd, of, CHANNEL_GP_ENTRY, values[2]);
    vcd_number(vcd, pbdma, PBDMA_GP_ENTRY, values[2]);
    vcd_text(vcd, pbdma, PBDMA_STATE, "methods");
    if (of != VCD_NONE)
        vcd->units[of].fetched = values[3];
}

/* The next segment may have been fetched before this one ends. */
void vcd_take_segment_end(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t of = channel(vcd, values[0]);

    if (of != VCD_NONE && values[2] >= vcd->units[of].fetched)
        vcd_text(vcd, vcd_unit(vcd, VCD_PBDMA, values[1]), PBDMA_STATE, "loaded");
}

void vcd_take_intr(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_PBDMA, values[0]), PBDMA_STATE, "frozen");
}

void vcd_take_intr_clear(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t pbdma = vcd_unit(vcd, VCD_PBDMA, values[0]);

    if (vcd_is(vcd, pbdma, PBDMA_STATE, "frozen"))
        vcd_text(vcd, pbdma, PBDMA_STATE,
                 vcd_is(vcd, pbdma, PBDMA_CHANNEL, "none") ? "idle" : "methods");
}

void vcd_take_context_load(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t engine = vcd_unit(vcd, VCD_ENGINE, values[0]);

    text_unit(vcd, engine, ENGINE_CONTEXT, vcd_unit(vcd, VCD_TSG, values[1]));
}

void vcd_take_engine_reset(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t engine = vcd_unit(vcd, VCD_ENGINE, values[0]);

    vcd_text(vcd, engine, ENGINE_STATE,
             values[1]                              ? "reset"
             : vcd_get(vcd, engine, ENGINE_RUNNING) ? "busy"
                                                    : "idle");
}

/* ---- AMD's queues ---------------------------------------------------------------------------- */

enum { MEC_QUEUES = GPU_WORDS_MEC_QUEUES, PIPE_QUEUES = GPU_WORDS_PIPE_QUEUES };

/* Values: pipe, queue of the pipe. */
static uint32_t slot_of(struct show_vcd *vcd, const uint64_t *values)
{
    return values[0] < MEC_QUEUES && values[1] < PIPE_QUEUES
               ? vcd_unit(vcd, VCD_SLOT, values[0] * PIPE_QUEUES + values[1])
               : VCD_NONE;
}

void vcd_take_map(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, slot_of(vcd, values), SLOT_STATE, "loading");
}

void vcd_take_preempt(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, slot_of(vcd, values), SLOT_STATE, "leaving");
}

/* Values: slot, queue, index of the packet that comes next. */
void vcd_take_load(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t slot = vcd_unit(vcd, VCD_SLOT, values[0]);
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, values[1]);

    vcd_text(vcd, slot, SLOT_STATE, "loaded");
    text_unit(vcd, slot, SLOT_QUEUE, queue);
    if (slot != VCD_NONE)
        vcd->units[slot].holds = queue;
    text_unit(vcd, queue, QUEUE_SLOT, slot);
    vcd_text(vcd, queue, QUEUE_STATE, "in_slot");
    vcd_number(vcd, queue, QUEUE_READ, values[2]);
}

void vcd_take_leave(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t slot = vcd_unit(vcd, VCD_SLOT, values[0]);
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, values[1]);

    vcd_text(vcd, slot, SLOT_STATE, "empty");
    text_unit(vcd, slot, SLOT_QUEUE, VCD_NONE);
    if (slot != VCD_NONE)
        vcd->units[slot].holds = VCD_NONE;
    text_unit(vcd, queue, QUEUE_SLOT, VCD_NONE);
    vcd_text(vcd, queue, QUEUE_STATE, "out");
}

void vcd_take_save(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_SLOT, values[0]), SLOT_STATE, "saving");
    vcd_text(vcd, vcd_unit(vcd, VCD_QUEUE, values[1]), QUEUE_STATE, "saving");
}

/* The first block that goes on ends it. */
void vcd_take_restore(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_QUEUE, values[1]), QUEUE_STATE, "restoring");
}

/* Values: queue, packets that there are now. */
void vcd_take_amd_doorbell(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, values[0]), QUEUE_WRITE, values[1]);
}

/* Values: queue, index, is it AQL: of rings of PM4 nothing is told. */
void vcd_take_packet(struct show_vcd *vcd, const uint64_t *values)
{
    if (values[2])
        vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, values[0]), QUEUE_READ, values[1] + 1);
}

void vcd_take_ace_turn(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t ace = vcd_unit(vcd, VCD_ACE, values[0]);
    const struct vcd_live *grid = vcd_live_find(vcd, VCD_GRID, values[2]);
    char name[16] = "none";

    if (grid)
        vcd_live_name(grid, name);
    vcd_number(vcd, ace, ACE_QUEUE, values[1]);
    vcd_text(vcd, ace, ACE_GRID, name);
}

void vcd_take_stage(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_add(vcd, vcd_unit(vcd, VCD_SE, values[0]), SE_STAGED, 1);
}

void vcd_take_unstage(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_add(vcd, vcd_unit(vcd, VCD_SE, values[0]), SE_STAGED, -1);
}

/* Values: engine of SDMA, its queue, doorbell. */
void vcd_take_sdma_load(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, values[2]);
    char slot[VCD_TEXT_BYTES];

    (void)snprintf(slot, sizeof slot, "SDMA_%" PRIu64 ".%" PRIu64, values[0], values[1]);
    vcd_text(vcd, queue, QUEUE_SLOT, slot);
    vcd_text(vcd, queue, QUEUE_STATE, "in_slot");
}

void vcd_take_sdma_leave(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t queue = vcd_unit(vcd, VCD_QUEUE, values[0]);

    vcd_text(vcd, queue, QUEUE_SLOT, "none");
    vcd_text(vcd, queue, QUEUE_STATE, "out");
}

void vcd_take_sdma_packet(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_number(vcd, vcd_unit(vcd, VCD_QUEUE, values[0]), QUEUE_READ, values[1]);
}
