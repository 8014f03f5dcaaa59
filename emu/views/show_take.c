/* SPDX-License-Identifier: MIT */
/* What show.c does with each kind of event. */
#include <config.h>

#include "emu/views/show_amd.h"
#include "emu/views/show_private.h"

/* How one kind of event is taken.  `values` are the row's arguments, in its order. */
struct load_row {
    struct event_fields_row fields;
    bool (*take)(struct show_build *build, gfe_ps now_ps, const uint64_t *values);
    uint8_t detail; /* show_item_kind of an instant, or show_operation_kind */
};

/* ---- the program ----------------------------------------------------------------------------- */

static bool take_submit(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_item item = show_build_instant(SHOW_SUBMIT, now_ps, values[2]);

    build->show->submission_count++;
    item.number = (uint32_t)values[0];
    if (build->show->words.is_amd) { /* a store to a doorbell, which takes no time */
        struct show_track *thread = show_build_track(build, SHOW_THREAD, values[1]);
        item.kind = SHOW_DOORBELL;
        return thread && show_build_keep(build, thread, &item);
    }
    return show_build_open(build, show_build_track(build, SHOW_THREAD, values[1]), values[0],
                           &item);
}

static bool take_submit_return(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_close(build, show_build_track(build, SHOW_THREAD, values[1]), SHOW_SUBMIT,
                            values[0], now_ps);
}

static bool take_cpu_wait_begin(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_item item = show_build_instant(SHOW_CPU_WAIT, now_ps, 0);

    item.number = (uint32_t)values[2];
    return show_build_open(build, show_build_track(build, SHOW_THREAD, values[1]), values[0],
                           &item);
}

static bool take_cpu_wait_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_close(build, show_build_track(build, SHOW_THREAD, values[1]), SHOW_CPU_WAIT,
                            values[0], now_ps);
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

static bool take_grid_queue(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_operation *grid = show_build_operation(build, SHOW_GRID, values[0]);

    if (!grid)
        return false;
    grid->queued_ps = now_ps;
    grid->channel_id =
        (uint32_t)(build->show->words.is_amd ? show_amd_queue_in(build, values[1]) : values[1]);
    grid->block_count = (uint32_t)values[2];
    grid->block_threads = (uint32_t)values[3];
    grid->shared_bytes = (uint32_t)values[4];
    grid->registers = (uint32_t)values[5];
    return true;
}

static bool take_copy_queue(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_operation *copy = show_build_operation(build, SHOW_COPY, values[0]);

    if (!copy)
        return false;
    copy->queued_ps = now_ps;
    copy->channel_id = (uint32_t)values[1];
    copy->engine_id = (uint32_t)values[2];
    copy->byte_count = values[3];
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

static bool take_start(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_operation *operation =
        show_build_find_operation(build, (enum show_operation_kind)build->detail, values[0]);

    if (!operation)
        return false;
    return operation->start_ps != GFE_PS_NEVER
               ? show_build_absurd(build, "started twice:", values[0])
               : operation_start(build, operation, now_ps);
}

/* Work that the model only gives a time to is not queued anywhere. */
static bool take_work_start(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_operation *work = show_build_operation(build, SHOW_WORK, values[0]);

    if (!work)
        return false;
    work->channel_id = (uint32_t)values[1];
    work->class_id = (uint32_t)values[3];
    work->method = (uint32_t)values[4];
    return operation_start(build, work, now_ps);
}

static bool take_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_operation *operation =
        show_build_find_operation(build, (enum show_operation_kind)build->detail, values[0]);

    if (!operation)
        return false;
    operation->end_ps = now_ps;
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                            SHOW_OPERATION, operation->id, now_ps) &&
           (!has_engine(build, operation) ||
            show_build_close(build,
                             show_build_track(build, engine_kind(operation), operation->engine_id),
                             SHOW_OPERATION, operation->id, now_ps));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t block_key(const uint64_t *values)
{
    return values[0] << 32 ^ values[1];
}

/* Stacks the block where the papers draw it: in the lowest gap that holds its threads. */
static bool take_block_start(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *track = show_build_track(build, SHOW_SM, values[2]);
    const struct show_operation *grid = show_build_find_operation(build, SHOW_GRID, values[0]);
    struct show_item item = show_build_instant(SHOW_BLOCK, now_ps, 0);
    uint32_t at = 0;

    if (!track || !grid)
        return false;
    item.operation = (uint32_t)(grid - build->show->operations);
    item.number = (uint32_t)values[1];
    item.height = grid->block_threads;
    if (item.height == 0 || item.height > 1 << 16)
        return show_build_absurd(build, "no block has so many threads:", item.height);
    while (at < track->open_count && track->open[at].item.bottom - item.bottom < item.height) {
        item.bottom = track->open[at].item.bottom + track->open[at].item.height;
        at++;
    }
    if (item.bottom + item.height > track->top)
        track->top = item.bottom + item.height;
    return show_build_open_at(build, track, at, block_key(values), &item);
}

static bool take_block_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_close(build, show_build_track(build, SHOW_SM, values[2]), SHOW_BLOCK,
                            block_key(values), now_ps);
}

/* ---- the front end --------------------------------------------------------------------------- */

static bool take_channel_load(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_item item = show_build_instant(SHOW_LOADED, now_ps, values[0]);

    item.number = (uint32_t)values[0];
    return show_build_open(build, show_build_track(build, SHOW_PBDMA, values[1]), values[0], &item);
}

static bool take_channel_save(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_close(build, show_build_track(build, SHOW_PBDMA, values[1]), SHOW_LOADED,
                            values[0], now_ps);
}

static uint64_t segment_key(const uint64_t *values)
{
    return values[0] << 32 ^ values[2];
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

static bool take_gp_fetch(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_item item = show_build_instant(SHOW_SEGMENT, now_ps, values[0]);
    struct show_track *pbdma = show_build_track(build, SHOW_PBDMA, values[1]);

    item.number = (uint32_t)values[2];
    return pbdma && loading_end(build, pbdma, values[0], now_ps) &&
           show_build_open(build, pbdma, segment_key(values), &item);
}

/* A PBDMA fetches ahead but works through segments one after the other: the next one begins where
 * this one ends.  Older ones of the channel that never ended held no methods. */
static bool take_segment_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *track = show_build_track(build, SHOW_PBDMA, values[1]);
    uint32_t kept = 0;

    if (!track)
        return false;
    const uint32_t ended = show_build_find_open(track, SHOW_SEGMENT, segment_key(values));
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
            open->item.begin_ps = now_ps;
        track->open[kept++] = *open;
    }
    track->open_count = kept;
    struct show_item item = done.item;
    item.end_ps = now_ps;
    return show_build_keep(build, track, &item);
}

/* Values: channel, address, value. */
static bool take_instant(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *track = show_build_track(build, SHOW_CHANNEL, values[0]);
    struct show_item item =
        show_build_instant((enum show_item_kind)build->detail, now_ps, values[0]);

    item.address = values[1];
    item.number = (uint32_t)values[2];
    return track && show_build_keep(build, track, &item);
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

static bool take_wait(struct show_build *build, const struct log_event *event,
                      const uint64_t *values)
{
    if (values[0] >= event->time_ps)
        return true;
    return show_build_wait(build, &(struct show_wait){.begin_ps = values[0],
                                                      .end_ps = event->time_ps,
                                                      .rule = event->rule,
                                                      .unfinished = build->detail,
                                                      .subject_kind = (uint8_t)values[1],
                                                      .subject_id = values[2],
                                                      .blocker_kind = (uint8_t)values[3],
                                                      .blocker_id = values[4]});
}

/* ---- which events, and how ------------------------------------------------------------------- */

static bool take_suspend(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_suspend(build, now_ps, values);
}

static bool take_go_on(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_go_on(build, now_ps, values);
}

/* The first ones need the event's rule too: waits, and who goes on. */
/* clang-format off */
static const struct load_row load_rows[] = {
    {{"WAIT", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}}, NULL, 0},
    {{"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}}, NULL,
     1},
    {{"GRID_RESUME", {"grid_id", "from_ps", "by_channel_id"}}, NULL, SHOW_GRID},
    {{"WORK_RESUME", {"work_id", "from_ps", "by_channel_id"}}, NULL, SHOW_WORK},
    {{"GRID_SUSPEND", {"grid_id"}}, take_suspend, SHOW_GRID},
    {{"WORK_SUSPEND", {"work_id"}}, take_suspend, SHOW_WORK},
    {{"COPY_SUSPEND", {"copy_id"}}, take_suspend, SHOW_COPY},
    {{"COPY_RESUME", {"copy_id"}}, take_go_on, SHOW_COPY},
    {{"CPU_SUBMIT", {"submission_id", "thread_index", "channel_id"}}, take_submit, 0},
    {{"CPU_SUBMIT_RETURN", {"submission_id", "thread_index"}}, take_submit_return, 0},
    {{"CPU_WAIT_BEGIN", {"wait_id", "thread_index", "submission_id"}}, take_cpu_wait_begin, 0},
    {{"CPU_WAIT_END", {"wait_id", "thread_index"}}, take_cpu_wait_end, 0},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_count", "block_threads", "shared_bytes",
                     "registers"}}, take_grid_queue, 0},
    {{"GRID_START", {"grid_id"}}, take_start, SHOW_GRID},
    {{"GRID_END", {"grid_id"}}, take_end, SHOW_GRID},
    {{"BLOCK_START", {"grid_id", "block_index", "sm_index"}}, take_block_start, 0},
    {{"BLOCK_END", {"grid_id", "block_index", "sm_index"}}, take_block_end, 0},
    {{"AMD_BLOCK_GO_ON", {"grid_id", "block_index", "sm_index"}}, take_block_start, 0},
    {{"AMD_BLOCK_STOP", {"grid_id", "block_index", "sm_index"}}, take_block_end, 0},
    {{"GRID_DISPATCHED", {"grid_id"}}, show_amd_dispatched, 0},
    {{"HWS_MAP", {"pipe_index", "slot_index", "queue_id"}}, show_amd_map, 0},
    {{"HWS_PREEMPT", {"pipe_index", "slot_index", "queue_id"}}, show_amd_preempt, 0},
    {{"AMD_QUEUE_LOAD", {"slot_id", "doorbell_index", "read_index", "is_aql", "vmid"}}, show_amd_load, 0},
    {{"AMD_QUEUE_LEAVE", {"slot_id"}}, show_amd_leave, 0},
    {{"AMD_QUEUE_SAVE", {"slot_id", "doorbell_index", "duration_ps"}}, show_amd_move, SHOW_SAVING},
    {{"AMD_QUEUE_RESTORE", {"slot_id", "doorbell_index", "duration_ps"}}, show_amd_move,
     SHOW_RESTORING},
    {{"HIP_SUBMIT", {"doorbell_index", "packet_index"}}, show_amd_submit, 0},
    {{"AMD_DOORBELL", {"doorbell_index", "write_index"}}, show_amd_doorbell, 0},
    {{"AMD_SDMA_DOORBELL", {"doorbell_index", "", "write_index"}}, take_instant, SHOW_DOORBELL},
    {{"AMD_PACKET", {"doorbell_index", "packet_index", "is_aql", "code"}}, show_amd_packet, 0},
    {{"AMD_PACKET_END", {"doorbell_index", "packet_index"}}, show_amd_packet_end, 0},
    {{"AMD_SIGNAL", {"doorbell_index", "signal_address", "value"}}, take_instant, SHOW_RELEASE},
    {{"AMD_WRITE", {"doorbell_index", "address", "byte_count"}}, take_instant, SHOW_INLINE_WRITE},
    {{"AMD_SDMA_WRITE", {"doorbell_index", "address", "byte_count"}}, take_instant,
     SHOW_INLINE_WRITE},
    {{"AMD_VM_FAULT", {"doorbell_index", "address"}}, take_instant, SHOW_ERROR},
    {{"AMD_SDMA_FAULT", {"doorbell_index", "address"}}, take_instant, SHOW_ERROR},
    {{"COPY_QUEUE", {"copy_id", "channel_id", "engine_id", "byte_count"}}, take_copy_queue, 0},
    {{"COPY_START", {"copy_id"}}, take_start, SHOW_COPY},
    {{"COPY_END", {"copy_id"}}, take_end, SHOW_COPY},
    {{"WORK_START", {"work_id", "channel_id", "engine_id", "class_id", "method"}},
     take_work_start, 0},
    {{"WORK_END", {"work_id"}}, take_end, SHOW_WORK},
    {{"NV_DOORBELL", {"channel_id", "", "gp_put_index"}}, take_instant, SHOW_DOORBELL},
    {{"NV_NOTIFY_PENDING", {"channel_id", "", "token"}}, take_instant, SHOW_DOORBELL},
    {{"NV_CHANNEL_LOAD", {"channel_id", "pbdma_id"}}, take_channel_load, 0},
    {{"NV_CHANNEL_SAVE", {"channel_id", "pbdma_id"}}, take_channel_save, 0},
    {{"NV_TSG_START", {"runlist_id", "tsg_id"}}, show_build_slice_begin, 0},
    {{"NV_TSG_END", {"runlist_id", "tsg_id"}}, show_build_slice_end, 0},
    {{"NV_GP_FETCH", {"channel_id", "pbdma_id", "gp_index"}}, take_gp_fetch, 0},
    {{"NV_SEGMENT_END", {"channel_id", "pbdma_id", "gp_index"}}, take_segment_end, 0},
    {{"NV_RELEASE", {"channel_id", "address", "value"}}, take_instant, SHOW_RELEASE},
    {{"NV_ACQUIRE", {"channel_id", "address", "value"}}, take_instant, SHOW_ACQUIRE},
    {{"NV_INLINE_WRITE", {"channel_id", "address", "byte_count"}}, take_instant,
     SHOW_INLINE_WRITE},
    {{"NV_PBDMA_INTR", {"channel_id", "method", "intr_bit"}}, take_instant, SHOW_INTERRUPT},
    {{"NV_MMU_FAULT", {"channel_id", "address", "fault_type"}}, take_instant, SHOW_ERROR},
    {{"NV_ENGINE_ERROR", {"channel_id", "method", "code"}}, take_instant, SHOW_ERROR},
    {{"NV_CHANNEL_STOP", {"channel_id", "", "intr_bits"}}, take_instant, SHOW_ERROR},
    {{"NV_BIND_ERROR", {"channel_id", "", "code"}}, take_instant, SHOW_ERROR},
};
/* clang-format on */

enum { WAIT_ROWS = 2, RULE_ROWS = 4, LOAD_ROWS = sizeof load_rows / sizeof load_rows[0] };

_Static_assert(sizeof load_rows / sizeof load_rows[0] <= SHOW_TAKE_ROWS_MAX, "room for all rows");

uint32_t show_take_rows(struct event_fields_row rows[SHOW_TAKE_ROWS_MAX])
{
    for (uint32_t i = 0; i < LOAD_ROWS; i++)
        rows[i] = load_rows[i].fields;
    return LOAD_ROWS;
}

bool show_take(struct show_build *build, const struct log_event *event, uint32_t row,
               const uint64_t *values)
{
    build->kind_name = load_rows[row].fields.kind;
    build->detail = load_rows[row].detail;
    if (row < WAIT_ROWS)
        return take_wait(build, event, values);
    if (row < RULE_ROWS)
        return show_build_resume(build, event->time_ps, event->rule, values);
    return load_rows[row].take(build, event->time_ps, values);
}
