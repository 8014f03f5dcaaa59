/* SPDX-License-Identifier: MIT */
/* What a summary does with each record of the model. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/summary/summary_private.h"

/* ---- busy ------------------------------------------------------------------------------------ */

static struct summary_meter *meter_of(struct summary *summary, enum summary_meter_kind kind,
                                      uint64_t id)
{
    return id < SUMMARY_METER_IDS ? &summary->meters[kind][id] : NULL;
}

static void meter_begin(struct summary_meter *meter, gfe_ps now_ps)
{
    if (!meter)
        return;
    meter->used = true;
    if (meter->active++ == 0)
        meter->since_ps = now_ps;
}

void summary_meter_end(struct summary_meter *meter, uint32_t count, gfe_ps now_ps)
{
    if (!meter || meter->active == 0)
        return;
    meter->active -= count < meter->active ? count : meter->active;
    if (meter->active == 0)
        meter->busy_ps += now_ps - meter->since_ps;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void take_submit(struct summary *summary, const struct model_record *record)
{
    const uint64_t channel_id = record->submission.channel_id;

    if (summary->submission_count++ == 0)
        summary->first_ps = record->now_ps;
    summary->push_bytes += record->submission.push_bytes;
    if (channel_id >= SUMMARY_METER_IDS || summary->channels[channel_id])
        return;
    summary->channels[channel_id] = true;
    summary->channel_count++;
}

static void take_cpu_wait_begin(struct summary *summary, const struct model_record *record)
{
    summary->cpu_waits.waited_count++;
    if (record->cpu_wait.inferred)
        summary->cpu_waits.inferred_count++;
    else
        summary->cpu_waits.recorded_count++;
}

/* The replay counts all waits of the program, also those that were over when they began. */
static void take_run_end(struct summary *summary, const struct model_record *record)
{
    summary->cpu_waits.recorded_count = record->run.recorded_wait_count;
    summary->cpu_waits.inferred_count = record->run.inferred_wait_count;
}

static void take_cpu_wait_end(struct summary *summary, const struct model_record *record)
{
    summary->cpu_waits.total_ps += record->cpu_wait.waited_ps;
}

static void take_wait(struct summary *summary, const struct model_record *record)
{
    const gfe_ps begin_ps = record->wait.begin_ps, now_ps = record->now_ps;
    struct summary_rule *rule = &summary->rules[record->rule % SUMMARY_RULES];

    if (begin_ps >= now_ps)
        return;
    rule->count++;
    rule->total_ps += now_ps - begin_ps;
    if (now_ps - begin_ps > rule->longest_ps)
        rule->longest_ps = now_ps - begin_ps;
}

static void take_unmodelled(struct summary *summary, const struct model_record *record)
{
    const uint64_t what = record->unmodelled.what;

    summary->unmodelled[what < SUMMARY_UNMODELLED - 1 ? what : SUMMARY_UNMODELLED - 1]++;
    summary_losses_take(&summary->losses, what, record->unmodelled.address,
                        record->unmodelled.value);
}

static void take_wait_open(struct summary *summary, const struct model_record *record)
{
    open_waits_take(summary->open, &summary->model, record);
    take_wait(summary, record);
}

static void take_fence(struct summary *summary, const struct model_record *record)
{
    summary->fence_expected_count++;
    summary->fence_count += record->fence.reached != 0;
}

/* ---- work ------------------------------------------------------------------------------------ */

/* The launch with that grid, among those that are kept. */
static struct summary_launch *launch_of(struct summary *summary, uint64_t grid_id)
{
    for (uint32_t i = 0; i < summary->launch_count; i++)
        if (summary->launches[i].grid_id == grid_id)
            return &summary->launches[i];
    return NULL;
}

static void take_grid_queue(struct summary *summary, const struct model_record *record)
{
    summary->grid_count++;
    summary->block_count += record->grid.block_count;
    if (summary->launch_count == SUMMARY_LAUNCHES)
        return;
    summary->launches[summary->launch_count++] =
        (struct summary_launch){.grid_id = record->grid.id,
                                .channel_id = record->grid.channel_id,
                                .block_count = record->grid.block_count,
                                .block_threads = record->grid.block_threads,
                                .shared_bytes = record->grid.shared_bytes,
                                .registers = record->grid.registers,
                                .queued_ps = record->now_ps,
                                .start_ps = GFE_PS_NEVER,
                                .end_ps = GFE_PS_NEVER};
}

/* AMD's dispatches are on shader engines, not on one engine. */
static struct summary_meter *engine_of_grids(struct summary *summary)
{
    return summary->words.is_amd ? NULL : meter_of(summary, METER_GR, 0);
}

static void grid_start(struct summary *summary, const struct model_record *record)
{
    struct summary_launch *launch = launch_of(summary, record->done.id);

    if (launch)
        launch->start_ps = record->now_ps;
    meter_begin(engine_of_grids(summary), record->now_ps);
}

static void grid_end(struct summary *summary, const struct model_record *record)
{
    struct summary_launch *launch = launch_of(summary, record->done.id);

    summary->grid_end_count++;
    if (launch)
        launch->end_ps = record->now_ps;
    summary_meter_end(engine_of_grids(summary), 1, record->now_ps);
}

/* A block comes to its SM, or leaves it. */
static void block_come(struct summary *summary, const struct model_record *record)
{
    struct summary_meter *meter = meter_of(summary, METER_SM, record->block.sm);

    if (meter && record->block.sm >= summary->sm_end)
        summary->sm_end = (uint32_t)record->block.sm + 1;
    meter_begin(meter, record->now_ps);
}

static void block_leave(struct summary *summary, const struct model_record *record)
{
    if (record->sm_place != MODEL_NO_PLACE)
        summary_meter_end(meter_of(summary, METER_SM, record->block.sm), 1, record->now_ps);
}

/* A copy, or work of the engine of grids, leaves its engine. */
static void work_end(struct summary *summary, const struct model_record *record)
{
    struct summary_meter *engine = record->operation == MODEL_COPY
                                       ? meter_of(summary, METER_CE, record->done.engine_id)
                                       : meter_of(summary, METER_GR, 0);

    summary_meter_end(engine, 1, record->now_ps);
}

static void take_work_start(struct summary *summary, const struct model_record *record)
{
    summary->draw_count++;
    summary_losses_take_work(&summary->losses, record->work.class_id, record->work.method);
    meter_begin(meter_of(summary, METER_GR, 0), record->now_ps);
}

static void take_copy_queue(struct summary *summary, const struct model_record *record)
{
    summary->copy_count++;
    summary->copy_bytes += record->copy.byte_count;
}

static void copy_begin(struct summary *summary, const struct model_record *record)
{
    meter_begin(meter_of(summary, METER_CE, record->done.engine_id), record->now_ps);
}

/* ---- operations of any kind ------------------------------------------------------------------ */

static void take_started(struct summary *summary, const struct model_record *record)
{
    if (record->operation == MODEL_GRID)
        grid_start(summary, record);
    else
        copy_begin(summary, record);
}

static void take_suspended(struct summary *summary, const struct model_record *record)
{
    if (record->operation == MODEL_GRID)
        summary_meter_end(engine_of_grids(summary), 1, record->now_ps);
    else
        work_end(summary, record);
}

static void take_resumed(struct summary *summary, const struct model_record *record)
{
    if (record->operation == MODEL_GRID)
        meter_begin(engine_of_grids(summary), record->now_ps);
    else if (record->operation == MODEL_COPY)
        copy_begin(summary, record);
    else
        meter_begin(meter_of(summary, METER_GR, 0), record->now_ps);
}

static void take_ended(struct summary *summary, const struct model_record *record)
{
    if (record->operation == MODEL_GRID)
        grid_end(summary, record);
    else
        work_end(summary, record);
}

/* It is dropped, or a fault ends it; if it had its engine, that is free now. */
static void take_lost(struct summary *summary, const struct model_record *record)
{
    const bool was_on =
        record->live ? record->live->piece_ps != GFE_PS_NEVER : record->type == MODEL_COPY_LOST;

    if (!was_on)
        return;
    if (record->operation == MODEL_GRID)
        summary_meter_end(engine_of_grids(summary), 1, record->now_ps);
    else
        work_end(summary, record);
}

/* ---- the front end --------------------------------------------------------------------------- */

static void take_entry_fetched(struct summary *summary, const struct model_record *record)
{
    meter_begin(meter_of(summary, METER_PBDMA, record->fetched.pbdma_id), record->now_ps);
}

static void take_segment_ended(struct summary *summary, const struct model_record *record)
{
    summary_meter_end(meter_of(summary, METER_PBDMA, record->segment.pbdma_id), 1, record->now_ps);
}

static void take_inline_write(struct summary *summary, const struct model_record *record)
{
    summary->inline_count++;
    summary->inline_bytes += record->method.byte_count;
}

static void take_driver_fence(struct summary *summary, const struct model_record *record)
{
    if (record->place.channel_id < SUMMARY_METER_IDS)
        summary->driver_fences[record->place.channel_id] = record->place.address;
}

/* A device does not know who wrote the commands that it runs.  What is released where the driver
 * model said that its own fence lies is the driver model's. */
static void take_release(struct summary *summary, const struct model_record *record)
{
    const uint64_t channel_id = record->method.channel_id, address = record->method.address;
    const bool is_driver_fence = channel_id < SUMMARY_METER_IDS && address != 0 &&
                                 summary->driver_fences[channel_id] == address;

    summary->releases[is_driver_fence ? ORIGIN_MODELLED : record->event->origin & 3]++;
}

static void take_interrupt(struct summary *summary, uint32_t interrupt)
{
    summary->interrupts[interrupt]++;
}

/* A software method asks for the driver and is answered; every other bit of a PBDMA is an error. */
static void take_pbdma_interrupt(struct summary *summary, const struct model_record *record)
{
    const struct event_log_rule *rule = event_log_rule(summary->log, record->rule);
    const bool is_software_method = rule && strcmp(rule->label, "NV.DEVICE") == 0;

    summary->interrupts[is_software_method ? 0 : SUMMARY_ERRORS_FROM]++;
}

static void take_line(struct summary *summary, const struct model_record *record)
{
    struct summary_line line = {.time_ps = record->now_ps};
    const struct event_line_row *row = gfe_event_lines;

    while ((row = event_line(row, summary->log, record->event, line.text, sizeof line.text))) {
        if (summary->line_count < SUMMARY_LINES)
            summary->lines[summary->line_count] = line;
        summary->line_count++;
        row++;
    }
}

/* ---- which records, and how ------------------------------------------------------------------ */

/* clang-format off */
void summary_take(struct summary *summary, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_SUBMITTED: take_submit(summary, record); break;
    case MODEL_CPU_WAIT_BEGUN: take_cpu_wait_begin(summary, record); break;
    case MODEL_CPU_WAIT_OVER: take_cpu_wait_end(summary, record); break;
    case MODEL_FENCE_PLACED: take_driver_fence(summary, record); break;
    case MODEL_FENCE_CHECKED: take_fence(summary, record); break;
    case MODEL_UNCOVERED: take_unmodelled(summary, record); break;
    case MODEL_RUN_OVER: take_run_end(summary, record); break;
    case MODEL_DRIVER_LINE: case MODEL_ERROR_PRINTED: take_line(summary, record); break;
    case MODEL_WAITED: take_wait(summary, record); break;
    case MODEL_WAIT_SUSPENDED: take_wait(summary, record); break;
    case MODEL_WAIT_UNENDED: take_wait_open(summary, record); break;
    case MODEL_RUN_CUT: open_waits_cut(summary->open); break;
    case MODEL_WAIT_HOLDS: open_waits_hold(summary->open, record); break;
    case MODEL_GRID_HANDED: take_grid_queue(summary, record); break;
    case MODEL_COPY_HANDED: take_copy_queue(summary, record); break;
    case MODEL_WORK_BEGUN: take_work_start(summary, record); break;
    case MODEL_STARTED: take_started(summary, record); break;
    case MODEL_SUSPENDED: take_suspended(summary, record); break;
    case MODEL_RESUMED: take_resumed(summary, record); break;
    case MODEL_ENDED: take_ended(summary, record); break;
    case MODEL_DROPPED: take_lost(summary, record); break;
    case MODEL_COPY_REFUSED: take_lost(summary, record); break;
    case MODEL_COPY_LOST: take_lost(summary, record); break;
    case MODEL_BLOCK_BEGUN: block_come(summary, record); break;
    case MODEL_BLOCK_DONE: block_leave(summary, record); break;
    case MODEL_BLOCK_STOPPED: block_leave(summary, record); break;
    case MODEL_BLOCK_WENT_ON: block_come(summary, record); break;
    case MODEL_BLOCK_OFF: block_leave(summary, record); break;
    case MODEL_BLOCK_BACK: block_come(summary, record); break;
    case MODEL_CHANNEL_KILLED: take_line(summary, record); break;
    case MODEL_CHANNEL_STOPPED: take_interrupt(summary, 5); break;
    case MODEL_CHANNEL_INTERRUPTED: take_interrupt(summary, 1); break;
    case MODEL_RUNLIST_ERROR: take_interrupt(summary, 7); break;
    case MODEL_BIND_ERROR: take_interrupt(summary, 6); break;
    case MODEL_ENGINE_ERROR: take_interrupt(summary, 4); break;
    case MODEL_MMU_FAULT: take_interrupt(summary, 3); break;
    case MODEL_PBDMA_STOPPED: take_pbdma_interrupt(summary, record); break;
    case MODEL_ENTRY_FETCHED: take_entry_fetched(summary, record); break;
    case MODEL_SEGMENT_ENDED: take_segment_ended(summary, record); break;
    case MODEL_RELEASED: take_release(summary, record); break;
    case MODEL_INLINE_WRITTEN: take_inline_write(summary, record); break;
    case MODEL_SLOT_PREEMPTED: summary_amd_preempted(&summary->amd, &record->slot); break;
    case MODEL_QUEUE_LOADED: summary_amd_loaded(&summary->amd, &record->queue); break;
    case MODEL_QUEUE_SAVED: summary_amd_saved(&summary->amd, &record->queue); break;
    case MODEL_PACKET_BEGUN: summary_amd_packet(&summary->amd, &record->packet); break;
    case MODEL_QUEUE_SIGNALLED: summary->amd.signal_count++; break;
    case MODEL_QUEUE_MADE: summary->amd.queue_count++; break;
    case MODEL_SDMA_PACKET: summary->amd.sdma_packet_count++; break;
    case MODEL_SDMA_MADE: summary->amd.sdma_queue_count++; break;
    /* passed over */
    case MODEL_QUEUE_LOST:
    case MODEL_SUBMIT_RETURNED: case MODEL_STORE_SEEN: case MODEL_ENTRY_WRITTEN:
    case MODEL_COST: case MODEL_DISPATCHED: case MODEL_BLOCK_STAGED: case MODEL_BLOCK_UNSTAGED:
    case MODEL_CHANNEL_BOUND: case MODEL_CHANNEL_UNBOUND: case MODEL_CHANNEL_ENABLED:
    case MODEL_CHANNEL_LOADED: case MODEL_CHANNEL_SAVED: case MODEL_CHANNEL_WENT_ON:
    case MODEL_RUNLIST_SUBMITTED: case MODEL_RUNLIST_DISABLED: case MODEL_SLICE_BEGUN:
    case MODEL_SLICE_ENDED: case MODEL_SLICE_PAUSED: case MODEL_CONTEXT_LOADED:
    case MODEL_ENGINE_RESET: case MODEL_PBDMA_CLEARED: case MODEL_DOORBELL:
    case MODEL_NOTIFY_PENDING: case MODEL_PUSH_FETCHED: case MODEL_MEM_OP: case MODEL_OBJECT_SET:
    case MODEL_LAUNCHED: case MODEL_REPORTED: case MODEL_ACQUIRED: case MODEL_NOTIFIED:
    case MODEL_REDUCED: case MODEL_SLOT_MAPPED: case MODEL_QUEUE_LEFT:
    case MODEL_QUEUE_SAVE_REFUSED: case MODEL_QUEUE_RESTORED: case MODEL_QUEUE_RANG:
    case MODEL_PACKET_ENDED: case MODEL_PACKET_LAUNCHED: case MODEL_QUEUE_WROTE:
    case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_DISPATCH_BEGUN: case MODEL_ACE_TURN:
    case MODEL_SDMA_MAPPED: case MODEL_SDMA_LOADED: case MODEL_SDMA_LEFT: case MODEL_SDMA_RANG:
    case MODEL_SDMA_WROTE: case MODEL_SDMA_FAULTED: MODEL_STREAM_RECORDS(MODEL_CASE)
    MODEL_OTHER_RECORDS(MODEL_CASE)
        break;
    case MODEL_TYPES:
        break;
    }
}
/* clang-format on */
