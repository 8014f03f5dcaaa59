/* SPDX-License-Identifier: MIT */
/* What each kind of event changes. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/views/vcd/show_vcd_private.h"

enum { SM_IDS = 16384 }; /* numbers of SMs, threads, PBDMAs and engines are below */

/* How one kind of event is taken.  `values` are the row's arguments, in its order. */
struct take_row {
    struct event_fields_row fields;
    void (*take)(struct show_vcd *vcd, const uint64_t *values);
};

static uint32_t channel(struct show_vcd *vcd, uint64_t id)
{
    return vcd_unit(vcd, vcd->words.is_amd ? VCD_QUEUE : VCD_CHANNEL, id);
}

static uint32_t running_field(const struct show_vcd *vcd)
{
    return vcd->words.is_amd ? QUEUE_OPERATIONS : CHANNEL_OPERATIONS;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void take_submit(struct show_vcd *vcd, const uint64_t *values)
{
    const uint32_t thread = vcd_unit(vcd, VCD_THREAD, values[1]);

    vcd_number(vcd, thread, THREAD_SUBMISSION, values[0]);
    if (!vcd->words.is_amd) /* there it is a store, which takes no time */
        vcd_text(vcd, thread, THREAD_STATE, "in_driver");
}

static void take_submit_return(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_THREAD, values[0]), THREAD_STATE, "runs");
}

static void take_wait_begin(struct show_vcd *vcd, const uint64_t *values)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_THREAD, values[0]), THREAD_STATE, "waits");
}

/* ---- operations ------------------------------------------------------------------------------ */

static void count_add(struct show_vcd *vcd, enum vcd_kind kind, int difference)
{
    if (kind != VCD_WORK)
        vcd_add(vcd, vcd->gpu, kind == VCD_GRID ? GPU_GRIDS : GPU_COPIES, difference);
}

/* It gets its engine, or gives it back. */
static void run(struct show_vcd *vcd, struct vcd_live *live, bool runs)
{
    char name[16];

    if (live->is_running == runs)
        return;
    live->is_running = runs;
    vcd_live_name(live, name);
    count_add(vcd, live->kind, runs ? 1 : -1);
    vcd_add(vcd, live->holder, running_field(vcd), runs ? 1 : -1);
    if (live->engine == VCD_NONE)
        return;
    vcd_add(vcd, live->engine, ENGINE_RUNNING, runs ? 1 : -1);
    if (runs)
        vcd_text(vcd, live->engine, ENGINE_OPERATION, name);
    else if (vcd_get(vcd, live->engine, ENGINE_RUNNING) == 0)
        vcd_text(vcd, live->engine, ENGINE_OPERATION, "none");
    if (!vcd_is(vcd, live->engine, ENGINE_STATE, "reset"))
        vcd_text(vcd, live->engine, ENGINE_STATE,
                 vcd_get(vcd, live->engine, ENGINE_RUNNING) ? "busy" : "idle");
}

/* So many blocks of a grid come to an SM, or leave it. */
static void blocks_add(struct show_vcd *vcd, const struct vcd_live *grid, uint32_t sm, int64_t n)
{
    const uint32_t unit = vcd_unit(vcd, VCD_SM, sm);
    const uint64_t before = vcd_get(vcd, unit, SM_BLOCKS);
    const int64_t threads = n * (int64_t)grid->block_threads;
    uint32_t engine, index, shader = VCD_NONE;

    if (gpu_words_engine(&vcd->words, sm, &engine, &index))
        shader = vcd_unit(vcd, VCD_SE, engine);
    vcd_add(vcd, unit, SM_BLOCKS, n);
    vcd_add(vcd, unit, SM_THREADS, threads);
    vcd_add(vcd, shader, SE_BLOCKS, n);
    vcd_add(vcd, shader, SE_THREADS, threads);
    vcd_add(vcd, vcd->gpu, GPU_BLOCKS, n);
    vcd_add(vcd, vcd->gpu, GPU_THREADS, threads);
    if ((before == 0) != (vcd_get(vcd, unit, SM_BLOCKS) == 0))
        vcd_add(vcd, vcd->gpu, GPU_SMS, before == 0 ? 1 : -1);
}

/* All blocks of a grid leave their SMs, or are back there. */
static void grid_move(struct show_vcd *vcd, const struct vcd_live *grid, int sign)
{
    for (uint32_t sm = 0; sm < grid->sm_count; sm++)
        if (grid->blocks[sm] > 0)
            blocks_add(vcd, grid, sm, sign * (int64_t)grid->blocks[sm]);
}

static void take_grid_queue(struct show_vcd *vcd, const uint64_t *values)
{
    struct vcd_live *grid = vcd_live_add(vcd, VCD_GRID, values[0]);

    if (!grid)
        return;
    grid->block_threads = values[2] <= 1 << 16 ? (uint32_t)values[2] : 0;
    if (vcd->words.is_amd) { /* the slot: the queue that is in it */
        const uint32_t slot = vcd_unit_find(vcd, VCD_SLOT, values[1]);
        if (slot != VCD_NONE)
            grid->holder = vcd->units[slot].holds;
    } else {
        grid->holder = channel(vcd, values[1]);
        grid->engine = vcd_unit(vcd, VCD_ENGINE, 0);
    }
}

static void take_start(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    struct vcd_live *live = vcd_live_find(vcd, kind, id);

    if (live)
        run(vcd, live, true);
}

/* What has not started does not stop, and does not go on then. */
static void take_suspend(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    struct vcd_live *live = vcd_live_find(vcd, kind, id);

    if (!live || !live->is_running)
        return;
    grid_move(vcd, live, -1);
    run(vcd, live, false);
    live->is_stopped = true;
}

static void take_resume(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    struct vcd_live *live = vcd_live_find(vcd, kind, id);

    if (!live || !live->is_stopped)
        return;
    live->is_stopped = false;
    grid_move(vcd, live, 1);
    run(vcd, live, true);
}

static void take_end(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    struct vcd_live *live = vcd_live_find(vcd, kind, id);

    if (!live)
        return;
    if (live->is_running)
        grid_move(vcd, live, -1); /* of one that is dropped there are some left */
    run(vcd, live, false);
    vcd_live_remove(vcd, live);
}

static void take_grid_start(struct show_vcd *vcd, const uint64_t *values)
{
    take_start(vcd, VCD_GRID, values[0]);
}

static void take_grid_suspend(struct show_vcd *vcd, const uint64_t *values)
{
    take_suspend(vcd, VCD_GRID, values[0]);
}

static void take_grid_resume(struct show_vcd *vcd, const uint64_t *values)
{
    take_resume(vcd, VCD_GRID, values[0]);
}

static void take_grid_end(struct show_vcd *vcd, const uint64_t *values)
{
    take_end(vcd, VCD_GRID, values[0]);
}

/* Values: grid, SM. */
static void block_count(struct show_vcd *vcd, const uint64_t *values, bool starts)
{
    struct vcd_live *grid = vcd_live_find(vcd, VCD_GRID, values[0]);
    uint32_t *blocks;

    if (!grid || values[1] >= SM_IDS)
        return;
    blocks = vcd_live_blocks(vcd, grid, (uint32_t)values[1]);
    if (!blocks || (!starts && *blocks == 0))
        return;
    *blocks = starts ? *blocks + 1 : *blocks - 1;
    blocks_add(vcd, grid, (uint32_t)values[1], starts ? 1 : -1);
}

static void staged_add(struct show_vcd *vcd, uint64_t sm, int difference)
{
    uint32_t engine, index;

    if (sm < SM_IDS && gpu_words_engine(&vcd->words, (uint32_t)sm, &engine, &index))
        vcd_add(vcd, vcd_unit(vcd, VCD_SE, engine), SE_STAGED, difference);
}

static void take_block_start(struct show_vcd *vcd, const uint64_t *values)
{
    staged_add(vcd, values[1], -1);
    block_count(vcd, values, true);
}

static void take_block_go_on(struct show_vcd *vcd, const uint64_t *values)
{
    const struct vcd_live *grid = vcd_live_find(vcd, VCD_GRID, values[0]);

    if (grid && vcd_is(vcd, grid->holder, QUEUE_STATE, "restoring"))
        vcd_text(vcd, grid->holder, QUEUE_STATE, "in_slot");
    block_count(vcd, values, true);
}

static void take_block_end(struct show_vcd *vcd, const uint64_t *values)
{
    block_count(vcd, values, false);
}

static void take_copy_queue(struct show_vcd *vcd, const uint64_t *values)
{
    struct vcd_live *copy = vcd_live_add(vcd, VCD_COPY, values[0]);

    if (!copy)
        return;
    copy->holder = channel(vcd, values[1]);
    copy->engine = vcd_unit(vcd, VCD_ENGINE, values[2]);
}

static void take_copy_start(struct show_vcd *vcd, const uint64_t *values)
{
    take_start(vcd, VCD_COPY, values[0]);
}

static void take_copy_suspend(struct show_vcd *vcd, const uint64_t *values)
{
    take_suspend(vcd, VCD_COPY, values[0]);
}

static void take_copy_resume(struct show_vcd *vcd, const uint64_t *values)
{
    take_resume(vcd, VCD_COPY, values[0]);
}

static void take_copy_end(struct show_vcd *vcd, const uint64_t *values)
{
    take_end(vcd, VCD_COPY, values[0]);
}

static void take_work_start(struct show_vcd *vcd, const uint64_t *values)
{
    struct vcd_live *work = vcd_live_add(vcd, VCD_WORK, values[0]);

    if (!work)
        return;
    work->holder = channel(vcd, values[1]);
    work->engine = vcd_unit(vcd, VCD_ENGINE, values[2]);
    run(vcd, work, true);
}

static void take_work_resume(struct show_vcd *vcd, const uint64_t *values)
{
    take_resume(vcd, VCD_WORK, values[0]);
}

static void take_work_suspend(struct show_vcd *vcd, const uint64_t *values)
{
    take_suspend(vcd, VCD_WORK, values[0]);
}

static void take_work_end(struct show_vcd *vcd, const uint64_t *values)
{
    take_end(vcd, VCD_WORK, values[0]);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Whose wait it is: a channel or queue, or that of an operation. */
static uint32_t waiter(struct show_vcd *vcd, uint64_t kind, uint64_t id)
{
    static const enum vcd_kind kinds[] = {
        [SUBJECT_GRID] = VCD_GRID, [SUBJECT_WORK] = VCD_WORK, [SUBJECT_COPY] = VCD_COPY};
    const struct vcd_live *live;

    switch (kind) {
    case SUBJECT_CHANNEL:
    case SUBJECT_RING:
    case SUBJECT_QUEUE:
        return vcd_unit_find(vcd, vcd->words.is_amd ? VCD_QUEUE : VCD_CHANNEL, id);
    case SUBJECT_GRID:
    case SUBJECT_WORK:
    case SUBJECT_COPY:
        live = vcd_live_find(vcd, kinds[kind], id);
        return live ? live->holder : VCD_NONE;
    default:
        return VCD_NONE;
    }
}

static void take_wait(struct show_vcd *vcd, const uint64_t *values)
{
    const struct event_log_rule *rule =
        vcd->event->rule == RULE_NONE ? NULL : event_log_rule(vcd->log, vcd->event->rule);
    const uint32_t unit = waiter(vcd, values[0], values[1]);

    if (!rule)
        return;
    vcd_text(vcd, vcd->gpu, GPU_RULE, rule->label);
    vcd_text(vcd, unit, vcd->words.is_amd ? QUEUE_LAST_WAIT : CHANNEL_LAST_WAIT, rule->label);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct take_row rows[] = {
    {{"BLOCK_START", {"grid_id", "sm_index"}}, take_block_start},
    {{"BLOCK_END", {"grid_id", "sm_index"}}, take_block_end},
    {{"AMD_BLOCK_GO_ON", {"grid_id", "sm_index"}}, take_block_go_on},
    {{"AMD_BLOCK_STOP", {"grid_id", "sm_index"}}, take_block_end},
    {{"AMD_BLOCK_STAGE", {"se_index"}}, vcd_take_stage},
    {{"AMD_BLOCK_UNSTAGE", {"se_index"}}, vcd_take_unstage},
    {{"WAIT", {"subject_kind", "subject_id"}}, take_wait},
    {{"CPU_SUBMIT", {"submission_id", "thread_index"}}, take_submit},
    {{"CPU_SUBMIT_RETURN", {"thread_index"}}, take_submit_return},
    {{"CPU_WAIT_BEGIN", {"thread_index"}}, take_wait_begin},
    {{"CPU_WAIT_END", {"thread_index"}}, take_submit_return},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_threads"}}, take_grid_queue},
    {{"GRID_START", {"grid_id"}}, take_grid_start},
    {{"GRID_SUSPEND", {"grid_id"}}, take_grid_suspend},
    {{"GRID_RESUME", {"grid_id"}}, take_grid_resume},
    {{"GRID_END", {"grid_id"}}, take_grid_end},
    {{"GRID_DROP", {"grid_id"}}, take_grid_end},
    {{"COPY_QUEUE", {"copy_id", "channel_id", "engine_id"}}, take_copy_queue},
    {{"COPY_START", {"copy_id"}}, take_copy_start},
    {{"COPY_SUSPEND", {"copy_id"}}, take_copy_suspend},
    {{"COPY_RESUME", {"copy_id"}}, take_copy_resume},
    {{"COPY_END", {"copy_id"}}, take_copy_end},
    {{"COPY_DROP", {"copy_id"}}, take_copy_end},
    {{"NV_CE_LAUNCHERR", {"copy_id"}}, take_copy_end},
    {{"WORK_START", {"work_id", "channel_id", "engine_id"}}, take_work_start},
    {{"WORK_SUSPEND", {"work_id"}}, take_work_suspend},
    {{"WORK_RESUME", {"work_id"}}, take_work_resume},
    {{"WORK_END", {"work_id"}}, take_work_end},
    {{"WORK_DROP", {"work_id"}}, take_work_end},
    {{"NV_DOORBELL", {"channel_id", "gp_put_index"}}, vcd_take_doorbell},
    {{"NV_CHANNEL_BIND", {"channel_id"}}, vcd_take_bind},
    {{"NV_CHANNEL_UNBIND", {"channel_id"}}, vcd_take_unbind},
    {{"NV_CHANNEL_ENABLE", {"channel_id", "enabled"}}, vcd_take_enable},
    {{"NV_CHANNEL_STOP", {"channel_id"}}, vcd_take_stop},
    {{"NV_CHANNEL_LOAD", {"channel_id", "pbdma_id"}}, vcd_take_channel_load},
    {{"NV_CHANNEL_SAVE", {"channel_id", "pbdma_id"}}, vcd_take_channel_save},
    {{"NV_RUNLIST_SUBMIT", {"runlist_id", "entry_count"}}, vcd_take_runlist_submit},
    {{"NV_SCHED_DISABLE", {"runlist_id", "disabled"}}, vcd_take_sched_disable},
    {{"NV_TSG_START", {"runlist_id", "tsg_id"}}, vcd_take_tsg_start},
    {{"NV_TSG_END", {"runlist_id", "tsg_id"}}, vcd_take_tsg_end},
    {{"NV_SLICE_PAUSE", {"tsg_id"}}, vcd_take_slice_pause},
    {{"NV_GP_FETCH", {"channel_id", "pbdma_id", "gp_index", "gp_sequence"}}, vcd_take_gp_fetch},
    {{"NV_SEGMENT_END", {"channel_id", "pbdma_id", "gp_sequence"}}, vcd_take_segment_end},
    {{"NV_PBDMA_INTR", {"pbdma_id"}}, vcd_take_intr},
    {{"NV_PBDMA_INTR_CLEAR", {"pbdma_id"}}, vcd_take_intr_clear},
    {{"NV_CONTEXT_LOAD", {"engine_id", "tsg_id"}}, vcd_take_context_load},
    {{"NV_ENGINE_RESET", {"engine_id", "in_reset"}}, vcd_take_engine_reset},
    {{"HWS_MAP", {"pipe_index", "slot_index"}}, vcd_take_map},
    {{"HWS_PREEMPT", {"pipe_index", "slot_index"}}, vcd_take_preempt},
    {{"AMD_QUEUE_LOAD", {"slot_id", "doorbell_index", "read_index"}}, vcd_take_load},
    {{"AMD_QUEUE_LEAVE", {"slot_id", "doorbell_index"}}, vcd_take_leave},
    {{"AMD_QUEUE_SAVE", {"slot_id", "doorbell_index"}}, vcd_take_save},
    {{"AMD_QUEUE_RESTORE", {"slot_id", "doorbell_index"}}, vcd_take_restore},
    {{"AMD_DOORBELL", {"doorbell_index", "write_index"}}, vcd_take_amd_doorbell},
    {{"AMD_PACKET", {"doorbell_index", "packet_index", "is_aql"}}, vcd_take_packet},
    {{"AMD_ACE_TURN", {"ace_index", "queue_index", "grid_id"}}, vcd_take_ace_turn},
    {{"AMD_SDMA_LOAD", {"engine_index", "queue_index", "doorbell_index"}}, vcd_take_sdma_load},
    {{"AMD_SDMA_LEAVE", {"doorbell_index"}}, vcd_take_sdma_leave},
    {{"AMD_SDMA_DOORBELL", {"doorbell_index", "write_index"}}, vcd_take_amd_doorbell},
    {{"AMD_SDMA_PACKET", {"doorbell_index", "read_index"}}, vcd_take_sdma_packet},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert(sizeof rows / sizeof rows[0] <= EVENT_FIELDS_ROWS_MAX, "room for all rows");

bool vcd_rows_bind(struct show_vcd *vcd)
{
    struct event_fields_row fields[ROWS];

    for (uint32_t i = 0; i < ROWS; i++)
        fields[i] = rows[i].fields;
    return event_fields_bind(&vcd->fields, vcd->log, fields, ROWS, vcd->error);
}

bool vcd_take(struct show_vcd *vcd, const struct log_event *event)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    const uint32_t row = event_fields_row(&vcd->fields, event->kind);

    vcd->event = event;
    if (row != EVENT_FIELDS_NONE)
        rows[row].take(vcd, event_fields_values(&vcd->fields, row, event, values));
    return vcd->error->kind == ERROR_NONE;
}
