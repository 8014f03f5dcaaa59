/* SPDX-License-Identifier: MIT */
/* What show.c does with each record of the model. */
#include <config.h>

#include "emu/views/show_amd.h"
#include "emu/views/show_private.h"

/* ---- the program ----------------------------------------------------------------------------- */

static bool take_submit(struct show_build *build, const struct model_record *record)
{
    struct show_item item =
        show_build_instant(SHOW_SUBMIT, record->now_ps, record->submission.channel_id);

    build->show->submission_count++;
    item.number = (uint32_t)record->submission.id;
    if (build->show->words.is_amd) { /* a store to a doorbell, which takes no time */
        struct show_track *thread = show_build_track(build, SHOW_THREAD, record->submission.thread);
        item.kind = SHOW_DOORBELL;
        return thread && show_build_keep(build, thread, &item);
    }
    return show_build_open(build, show_build_track(build, SHOW_THREAD, record->submission.thread),
                           record->submission.id, &item);
}

static bool take_submit_return(struct show_build *build, const struct model_record *record)
{
    return show_build_close(build, show_build_track(build, SHOW_THREAD, record->submission.thread),
                            SHOW_SUBMIT, record->submission.id, record->now_ps);
}

static bool take_cpu_wait_begin(struct show_build *build, const struct model_record *record)
{
    struct show_item item = show_build_instant(SHOW_CPU_WAIT, record->now_ps, 0);

    item.number = (uint32_t)record->cpu_wait.submission_id;
    return show_build_open(build, show_build_track(build, SHOW_THREAD, record->cpu_wait.thread),
                           record->cpu_wait.id, &item);
}

static bool take_cpu_wait_end(struct show_build *build, const struct model_record *record)
{
    return show_build_close(build, show_build_track(build, SHOW_THREAD, record->cpu_wait.thread),
                            SHOW_CPU_WAIT, record->cpu_wait.id, record->now_ps);
}

/* ---- operations ------------------------------------------------------------------------------ */

static enum show_track_kind engine_kind(const struct show_operation *operation)
{
    return operation->kind == SHOW_COPY ? SHOW_CE : SHOW_GR;
}

/* AMD's dispatches go to shader engines: their blocks show where. */
static bool has_engine(const struct show_build *build, const struct show_operation *operation)
{
    return !build->show->words.is_amd || operation->kind != SHOW_GRID;
}

struct show_track *show_build_engine(struct show_build *build,
                                     const struct show_operation *operation)
{
    return show_build_track(build, engine_kind(operation), operation->engine_id);
}

static bool take_grid_queue(struct show_build *build, const struct model_record *record)
{
    struct show_operation *grid = show_build_operation(build, SHOW_GRID, record->grid.id);

    if (!grid)
        return false;
    grid->queued_ps = record->now_ps;
    grid->channel_id = (uint32_t)model_grid_channel(&record->grid);
    grid->block_count = (uint32_t)record->grid.block_count;
    grid->block_threads = (uint32_t)record->grid.block_threads;
    grid->shared_bytes = (uint32_t)record->grid.shared_bytes;
    grid->registers = (uint32_t)record->grid.registers;
    return true;
}

static bool take_copy_queue(struct show_build *build, const struct model_record *record)
{
    struct show_operation *copy = show_build_operation(build, SHOW_COPY, record->copy.id);

    if (!copy)
        return false;
    copy->queued_ps = record->now_ps;
    copy->channel_id = (uint32_t)record->copy.channel_id;
    copy->engine_id = (uint32_t)record->copy.engine_id;
    copy->byte_count = record->copy.byte_count;
    return true;
}

/* Begins its item on its engine and on its channel; what it spent in the queue is an item too. */
static bool operation_start(struct show_build *build, struct show_operation *operation,
                            gfe_ps now_ps)
{
    struct show_item item = show_build_instant(SHOW_OPERATION, now_ps, operation->channel_id);

    operation->start_ps = now_ps;
    item.operation = (uint32_t)(operation - build->show->operations);
    if (!show_build_open(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                         operation->id, &item) ||
        (has_engine(build, operation) &&
         !show_build_open(build,
                          show_build_track(build, engine_kind(operation), operation->engine_id),
                          operation->id, &item)))
        return false;
    if (operation->queued_ps >= now_ps)
        return true;
    item.kind = SHOW_QUEUED;
    item.begin_ps = operation->queued_ps;
    item.end_ps = now_ps;
    struct show_track *track = show_build_track(build, SHOW_CHANNEL, operation->channel_id);
    return track && show_build_keep(build, track, &item);
}

static bool take_start(struct show_build *build, const struct model_record *record)
{
    struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    return operation->start_ps != GFE_PS_NEVER
               ? show_build_absurd(build, "started twice:", record->done.id)
               : operation_start(build, operation, record->now_ps);
}

/* Work that the model only gives a time to is not queued anywhere. */
static bool take_work_start(struct show_build *build, const struct model_record *record)
{
    struct show_operation *work = show_build_operation(build, SHOW_WORK, record->work.id);

    if (!work)
        return false;
    work->channel_id = (uint32_t)record->work.channel_id;
    work->class_id = (uint32_t)record->work.class_id;
    work->method = (uint32_t)record->work.method;
    return operation_start(build, work, record->now_ps);
}

static bool take_end(struct show_build *build, const struct model_record *record)
{
    struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    operation->end_ps = record->now_ps;
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                            SHOW_OPERATION, operation->id, record->now_ps) &&
           (!has_engine(build, operation) ||
            show_build_close(build,
                             show_build_track(build, engine_kind(operation), operation->engine_id),
                             SHOW_OPERATION, operation->id, record->now_ps));
}

/* It will not be done.  What it was on its engine for is drawn up to now. */
static bool take_lost(struct show_build *build, const struct model_record *record)
{
    struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    return show_build_lose(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                           SHOW_OPERATION, operation->id, record->now_ps) &&
           (operation->start_ps == GFE_PS_NEVER || !has_engine(build, operation) ||
            show_build_lose(build, show_build_engine(build, operation), SHOW_OPERATION,
                            operation->id, record->now_ps));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

bool show_build_block(struct show_build *build, const struct model_record *record, bool is_back)
{
    struct show_track *track = show_build_track(build, SHOW_SM, record->block.sm);
    const struct show_operation *grid =
        show_build_find_operation(build, SHOW_GRID, record->block.grid_id);
    struct show_item item = show_build_instant(SHOW_BLOCK, record->now_ps, 0);

    if (!track || !grid)
        return false;
    item.operation = (uint32_t)(grid - build->show->operations);
    item.number = (uint32_t)record->block.index;
    item.height = grid->block_threads;
    item.is_back = is_back;
    if (item.height == 0 || item.height > 1 << 16)
        return show_build_absurd(build, "no block has so many threads:", item.height);
    track->threads += item.height;
    if (track->threads > track->threads_top)
        track->threads_top = track->threads;
    return show_build_open(build, track, show_build_block_key(&record->block), &item);
}

static bool take_block_end(struct show_build *build, const struct model_record *record)
{
    return show_build_close(build, show_build_track(build, SHOW_SM, record->block.sm), SHOW_BLOCK,
                            show_build_block_key(&record->block), record->now_ps);
}

/* ---- the front end --------------------------------------------------------------------------- */

static bool take_channel_load(struct show_build *build, const struct model_record *record)
{
    struct show_item item =
        show_build_instant(SHOW_LOADED, record->now_ps, record->loaded.channel_id);

    item.number = (uint32_t)record->loaded.channel_id;
    return show_build_open(build, show_build_track(build, SHOW_PBDMA, record->loaded.pbdma_id),
                           record->loaded.channel_id, &item);
}

static bool take_channel_save(struct show_build *build, const struct model_record *record)
{
    return show_build_close(build, show_build_track(build, SHOW_PBDMA, record->loaded.pbdma_id),
                            SHOW_LOADED, record->loaded.channel_id, record->now_ps);
}

static uint64_t segment_key(uint64_t channel_id, uint64_t gp_index)
{
    return channel_id << 32 ^ gp_index;
}

/* A channel is loaded because it has GP entries: what passes before the first of them is read, the
 * loading takes. */
static bool loading_end(struct show_build *build, struct show_track *pbdma, uint64_t channel_id,
                        gfe_ps now_ps)
{
    const uint32_t at = show_build_find_open(pbdma, SHOW_LOADED, channel_id);

    if (at == SHOW_NONE || pbdma->open[at].item.has_fetched)
        return true;
    pbdma->open[at].item.has_fetched = 1;
    struct show_item item = pbdma->open[at].item;
    item.kind = SHOW_LOADING;
    item.end_ps = now_ps;
    return item.begin_ps == now_ps || show_build_keep(build, pbdma, &item);
}

static bool take_gp_fetch(struct show_build *build, const struct model_record *record)
{
    struct show_item item =
        show_build_instant(SHOW_SEGMENT, record->now_ps, record->fetched.channel_id);
    struct show_track *pbdma = show_build_track(build, SHOW_PBDMA, record->fetched.pbdma_id);

    item.number = (uint32_t)record->fetched.gp_index;
    return pbdma && loading_end(build, pbdma, record->fetched.channel_id, record->now_ps) &&
           show_build_open(build, pbdma,
                           segment_key(record->fetched.channel_id, record->fetched.gp_index),
                           &item);
}

/* A PBDMA fetches ahead but works through segments one after the other: the next one begins where
 * this one ends.  Older ones of the channel that never ended held no methods. */
static bool take_segment_end(struct show_build *build, const struct model_record *record)
{
    struct show_track *track = show_build_track(build, SHOW_PBDMA, record->segment.pbdma_id);
    uint32_t kept = 0;

    if (!track)
        return false;
    const uint32_t ended = show_build_find_open(
        track, SHOW_SEGMENT, segment_key(record->segment.channel_id, record->segment.gp_index));
    if (ended == SHOW_NONE)
        return true;
    const struct show_open done = track->open[ended];
    for (uint32_t i = 0; i < track->open_count; i++) {
        struct show_open *open = &track->open[i];
        const bool same =
            open->item.kind == SHOW_SEGMENT && open->item.channel_id == done.item.channel_id;
        if (same && i <= ended)
            continue;
        if (same)
            open->item.begin_ps = record->now_ps;
        track->open[kept++] = *open;
    }
    track->open_count = kept;
    struct show_item item = done.item;
    item.end_ps = record->now_ps;
    return show_build_keep(build, track, &item);
}

/* ---- instants -------------------------------------------------------------------------------- */

struct instant {
    enum show_item_kind kind;
    uint64_t channel_id, address, number;
};

static bool instant_keep(struct show_build *build, const struct model_record *record,
                         const struct instant *instant)
{
    struct show_track *track = show_build_track(build, SHOW_CHANNEL, instant->channel_id);
    struct show_item item = show_build_instant(instant->kind, record->now_ps, instant->channel_id);

    item.address = instant->address;
    item.number = (uint32_t)instant->number;
    return track && show_build_keep(build, track, &item);
}

static bool take_method(struct show_build *build, enum show_item_kind kind,
                        const struct model_record *record, uint64_t number)
{
    const struct model_method *method = &record->method;

    return instant_keep(build, record,
                        &(struct instant){kind, method->channel_id, method->address, number});
}

static bool take_written(struct show_build *build, enum show_item_kind kind,
                         const struct model_record *record, uint64_t number)
{
    const struct model_written *written = &record->written;

    return instant_keep(build, record,
                        &(struct instant){kind, written->queue_id, written->address, number});
}

static bool take_fault(struct show_build *build, const struct model_record *record)
{
    const struct model_fault *fault = &record->fault;

    return instant_keep(
        build, record, &(struct instant){SHOW_ERROR, fault->channel_id, fault->where, fault->code});
}

static bool take_channel_stopped(struct show_build *build, const struct model_record *record)
{
    const struct model_stopped *stopped = &record->stopped;

    return instant_keep(build, record,
                        &(struct instant){SHOW_ERROR, stopped->channel_id, 0, stopped->intr_bits});
}

static bool take_pbdma_stopped(struct show_build *build, const struct model_record *record)
{
    const struct model_pbdma *pbdma = &record->pbdma;

    return instant_keep(
        build, record,
        &(struct instant){SHOW_INTERRUPT, pbdma->channel_id, pbdma->method, pbdma->intr_bit});
}

static bool take_doorbell(struct show_build *build, const struct model_record *record)
{
    const struct model_doorbell *doorbell = &record->doorbell;

    return instant_keep(build, record,
                        &(struct instant){SHOW_DOORBELL, doorbell->channel_id, 0, doorbell->value});
}

static bool take_sdma_rang(struct show_build *build, const struct model_record *record)
{
    const struct model_ring *ring = &record->ring;

    return instant_keep(build, record,
                        &(struct instant){SHOW_DOORBELL, ring->queue_id, 0, ring->write_index});
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Track on which a wait is drawn: where the one who waits is; NULL without an error: nowhere. */
static struct show_track *wait_track(struct show_build *build, uint64_t subject_kind, uint64_t id)
{
    static const enum show_operation_kind kinds[] = {
        [SUBJECT_GRID] = SHOW_GRID, [SUBJECT_WORK] = SHOW_WORK, [SUBJECT_COPY] = SHOW_COPY};
    const struct show_operation *operation;

    switch (subject_kind) {
    case SUBJECT_CHANNEL:
    case SUBJECT_RING:
    case SUBJECT_QUEUE:
        return show_build_track(build, SHOW_CHANNEL, id);
    case SUBJECT_THREAD:
        return show_build_track(build, SHOW_THREAD, id);
    case SUBJECT_GRID:
    case SUBJECT_WORK:
    case SUBJECT_COPY:
        operation = show_build_find_operation(build, kinds[subject_kind], id);
        return operation ? show_build_track(build, SHOW_CHANNEL, operation->channel_id) : NULL;
    default:
        return NULL;
    }
}

bool show_build_wait(struct show_build *build, const struct show_wait *wait)
{
    struct show *show = build->show;
    struct show_item item = show_build_instant(SHOW_WAIT, wait->begin_ps, 0);
    struct show_track *track = wait_track(build, wait->subject_kind, wait->subject_id);

    if (build->error->kind != ERROR_NONE)
        return false;
    if (wait->end_ps < show->from_ps || wait->begin_ps > show->to_ps)
        return true;
    if (show->wait_count == SHOW_ITEMS_MAX)
        return error_set(build->error, ERROR_LIMIT, "%s: more than %d waits",
                         event_log_name(show->log), SHOW_ITEMS_MAX);
    if (!show_build_room(build, &show->waits, show->wait_count, &show->wait_capacity,
                         sizeof *show->waits))
        return false;
    item.end_ps = wait->end_ps;
    item.unfinished = wait->unfinished;
    item.number = show->wait_count;
    show->waits[show->wait_count++] = *wait;
    return !track || show_amd_wait_joins(build, track, wait) ||
           show_build_keep(build, track, &item);
}

static bool take_wait(struct show_build *build, const struct model_record *record, bool is_open)
{
    const struct model_wait *wait = &record->wait;

    if (wait->begin_ps >= record->now_ps)
        return true;
    return show_build_wait(build, &(struct show_wait){.begin_ps = wait->begin_ps,
                                                      .end_ps = record->now_ps,
                                                      .rule = (uint16_t)record->rule,
                                                      .unfinished = is_open,
                                                      .subject_kind = (uint8_t)wait->subject_kind,
                                                      .subject_id = wait->subject_id,
                                                      .blocker_kind = (uint8_t)wait->blocker_kind,
                                                      .blocker_id = wait->blocker_id});
}

/* ---- which records, and how ------------------------------------------------------------------ */

/* clang-format off */
bool show_take(struct show_build *build, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_SUBMITTED: return take_submit(build, record);
    case MODEL_SUBMIT_RETURNED: return take_submit_return(build, record);
    case MODEL_CPU_WAIT_BEGUN: return take_cpu_wait_begin(build, record);
    case MODEL_CPU_WAIT_OVER: return take_cpu_wait_end(build, record);
    case MODEL_WAITED: return take_wait(build, record, false);
    case MODEL_WAIT_UNENDED: return take_wait(build, record, true);
    case MODEL_WAIT_SUSPENDED: return take_wait(build, record, false);
    case MODEL_GRID_HANDED: return take_grid_queue(build, record);
    case MODEL_COPY_HANDED: return take_copy_queue(build, record);
    case MODEL_WORK_BEGUN: return take_work_start(build, record);
    case MODEL_STARTED: return take_start(build, record);
    case MODEL_DISPATCHED: return show_amd_dispatched(build, record);
    case MODEL_SUSPENDED: return show_build_suspend(build, record);
    case MODEL_RESUMED: return show_build_go_on(build, record);
    case MODEL_ENDED: return take_end(build, record);
    case MODEL_DROPPED: return take_lost(build, record);
    case MODEL_COPY_REFUSED: return take_lost(build, record);
    case MODEL_COPY_LOST: return take_lost(build, record);
    case MODEL_BLOCK_BEGUN: return show_build_block(build, record, false);
    case MODEL_BLOCK_DONE: return take_block_end(build, record);
    case MODEL_BLOCK_STOPPED: return take_block_end(build, record);
    case MODEL_BLOCK_WENT_ON: return show_build_block(build, record, false);
    case MODEL_BLOCK_OFF: return show_build_block_off(build, record);
    case MODEL_BLOCK_BACK: return show_build_block_back(build, record);
    case MODEL_CHANNEL_LOADED: return take_channel_load(build, record);
    case MODEL_CHANNEL_SAVED: return take_channel_save(build, record);
    case MODEL_CHANNEL_STOPPED: return take_channel_stopped(build, record);
    case MODEL_SLICE_BEGUN: return show_build_slice_begin(build, record);
    case MODEL_SLICE_ENDED: return show_build_slice_end(build, record);
    case MODEL_BIND_ERROR: return take_fault(build, record);
    case MODEL_ENGINE_ERROR: return take_fault(build, record);
    case MODEL_MMU_FAULT: return take_fault(build, record);
    case MODEL_PBDMA_STOPPED: return take_pbdma_stopped(build, record);
    case MODEL_DOORBELL: return take_doorbell(build, record);
    case MODEL_NOTIFY_PENDING: return take_doorbell(build, record);
    case MODEL_ENTRY_FETCHED: return take_gp_fetch(build, record);
    case MODEL_SEGMENT_ENDED: return take_segment_end(build, record);
    case MODEL_RELEASED: return take_method(build, SHOW_RELEASE, record, record->method.value);
    case MODEL_ACQUIRED: return take_method(build, SHOW_ACQUIRE, record, record->method.value);
    case MODEL_INLINE_WRITTEN: return take_method(build, SHOW_INLINE_WRITE, record, record->method.byte_count);
    case MODEL_SLOT_MAPPED: return show_amd_map(build, record);
    case MODEL_SLOT_PREEMPTED: return show_amd_preempt(build, record);
    case MODEL_QUEUE_LOADED: return show_amd_load(build, record);
    case MODEL_QUEUE_LEFT: return show_amd_leave(build, record);
    case MODEL_QUEUE_SAVED: return show_amd_move(build, SHOW_SAVING, record);
    case MODEL_QUEUE_RESTORED: return show_amd_move(build, SHOW_RESTORING, record);
    case MODEL_QUEUE_RANG: return show_amd_doorbell(build, record);
    case MODEL_PACKET_BEGUN: return show_amd_packet(build, record);
    case MODEL_PACKET_ENDED: return show_amd_packet_end(build, record);
    case MODEL_QUEUE_SIGNALLED: return take_written(build, SHOW_RELEASE, record, record->written.value);
    case MODEL_QUEUE_WROTE: return take_written(build, SHOW_INLINE_WRITE, record, record->written.byte_count);
    case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED:
        return take_written(build, SHOW_ERROR, record, 0);
    case MODEL_SDMA_RANG: return take_sdma_rang(build, record);
    case MODEL_SDMA_WROTE: return take_written(build, SHOW_INLINE_WRITE, record, record->written.byte_count);
    case MODEL_SDMA_FAULTED: return take_written(build, SHOW_ERROR, record, 0);
    case MODEL_HIP_PACKET: return show_amd_submit(build, record);
    /* passed over */
    case MODEL_ERROR_PRINTED: case MODEL_CHANNEL_KILLED: case MODEL_QUEUE_LOST:
    case MODEL_STORE_SEEN: case MODEL_ENTRY_WRITTEN: case MODEL_FENCE_PLACED:
    case MODEL_FENCE_CHECKED: case MODEL_UNCOVERED: case MODEL_RUN_OVER: case MODEL_DRIVER_LINE:
    case MODEL_RUN_CUT: case MODEL_WAIT_HOLDS: case MODEL_COST: case MODEL_BLOCK_STAGED:
    case MODEL_BLOCK_UNSTAGED: case MODEL_CHANNEL_BOUND: case MODEL_CHANNEL_UNBOUND:
    case MODEL_CHANNEL_ENABLED: case MODEL_CHANNEL_WENT_ON: case MODEL_CHANNEL_INTERRUPTED:
    case MODEL_RUNLIST_SUBMITTED: case MODEL_RUNLIST_DISABLED: case MODEL_RUNLIST_ERROR:
    case MODEL_SLICE_PAUSED: case MODEL_CONTEXT_LOADED: case MODEL_ENGINE_RESET:
    case MODEL_PBDMA_CLEARED: case MODEL_PUSH_FETCHED: case MODEL_MEM_OP: case MODEL_OBJECT_SET:
    case MODEL_LAUNCHED: case MODEL_REPORTED: case MODEL_NOTIFIED: case MODEL_REDUCED:
    case MODEL_QUEUE_SAVE_REFUSED: case MODEL_PACKET_LAUNCHED: case MODEL_DISPATCH_BEGUN:
    case MODEL_ACE_TURN: case MODEL_QUEUE_MADE: case MODEL_SDMA_MAPPED: case MODEL_SDMA_LOADED:
    case MODEL_SDMA_LEFT: case MODEL_SDMA_PACKET: case MODEL_SDMA_MADE: case MODEL_CLIENT:
    case MODEL_STREAM: case MODEL_STREAM_CALLED: case MODEL_STREAM_HELD: case MODEL_STREAM_FREED:
    case MODEL_STREAM_SUBMITTED: case MODEL_STREAM_COMPLETED: case MODEL_TASK:
    case MODEL_TASK_CALLED: case MODEL_TASK_ITERATED: case MODEL_HIP_STREAM: case MODEL_HIP_CALLED:
    case MODEL_HIP_DONE: MODEL_OTHER_RECORDS(MODEL_CASE)
        return true;
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */
