/* SPDX-License-Identifier: MIT */
/* What each record of the model changes. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/views/vcd/show_vcd_private.h"

enum { SM_IDS = 16384 }; /* numbers of SMs, threads, PBDMAs and engines are below */

static uint32_t channel(struct show_vcd *vcd, uint64_t id)
{
    return vcd_unit(vcd, vcd->words.is_amd ? VCD_QUEUE : VCD_CHANNEL, id);
}

static uint32_t running_field(const struct show_vcd *vcd)
{
    return vcd->words.is_amd ? QUEUE_OPERATIONS : CHANNEL_OPERATIONS;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void take_submit(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t thread = vcd_unit(vcd, VCD_THREAD, record->submission.thread);

    vcd_number(vcd, thread, THREAD_SUBMISSION, record->submission.id);
    if (!vcd->words.is_amd) /* there it is a store, which takes no time */
        vcd_text(vcd, thread, THREAD_STATE, "in_driver");
}

static void thread_goes_on(struct show_vcd *vcd, uint64_t thread)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_THREAD, thread), THREAD_STATE, "runs");
}

static void take_wait_begin(struct show_vcd *vcd, const struct model_record *record)
{
    vcd_text(vcd, vcd_unit(vcd, VCD_THREAD, record->cpu_wait.thread), THREAD_STATE, "waits");
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

static void take_grid_queue(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *grid = vcd_live_add(vcd, VCD_GRID, record->grid.id);

    if (!grid)
        return;
    grid->block_threads =
        record->grid.block_threads <= 1 << 16 ? (uint32_t)record->grid.block_threads : 0;
    if (vcd->words.is_amd) {
        if (record->grid.queue_id != MODEL_NONE)
            grid->holder = vcd_unit_find(vcd, VCD_QUEUE, record->grid.queue_id);
    } else {
        grid->holder = channel(vcd, record->grid.channel_id);
        grid->engine = vcd_unit(vcd, VCD_ENGINE, 0);
    }
}

static struct vcd_live *live_find(struct show_vcd *vcd, const struct model_record *record)
{
    static const enum vcd_kind kinds[] = {
        [MODEL_GRID] = VCD_GRID, [MODEL_COPY] = VCD_COPY, [MODEL_WORK] = VCD_WORK};

    return vcd_live_find(vcd, kinds[record->operation], record->done.id);
}

static void take_start(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *live = live_find(vcd, record);

    if (live)
        run(vcd, live, true);
}

/* What has not started does not stop, and does not go on then. */
static void take_suspend(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *live = live_find(vcd, record);

    if (!live || !live->is_running)
        return;
    grid_move(vcd, live, -1);
    run(vcd, live, false);
    live->is_stopped = true;
}

static void take_resume(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *live = live_find(vcd, record);

    if (!live || !live->is_stopped)
        return;
    live->is_stopped = false;
    grid_move(vcd, live, 1);
    run(vcd, live, true);
}

static void take_end(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *live = live_find(vcd, record);

    if (!live)
        return;
    if (live->is_running)
        grid_move(vcd, live, -1); /* of one that is dropped there are some left */
    run(vcd, live, false);
    vcd_live_remove(vcd, live);
}

static void block_count(struct show_vcd *vcd, const struct model_block *block, bool starts)
{
    struct vcd_live *grid = vcd_live_find(vcd, VCD_GRID, block->grid_id);
    uint32_t *blocks;

    if (!grid || block->sm >= SM_IDS)
        return;
    blocks = vcd_live_blocks(vcd, grid, (uint32_t)block->sm);
    if (!blocks || (!starts && *blocks == 0))
        return;
    *blocks = starts ? *blocks + 1 : *blocks - 1;
    blocks_add(vcd, grid, (uint32_t)block->sm, starts ? 1 : -1);
}

static void staged_add(struct show_vcd *vcd, uint64_t sm, int difference)
{
    uint32_t engine, index;

    if (sm < SM_IDS && gpu_words_engine(&vcd->words, (uint32_t)sm, &engine, &index))
        vcd_add(vcd, vcd_unit(vcd, VCD_SE, engine), SE_STAGED, difference);
}

static void take_block_start(struct show_vcd *vcd, const struct model_record *record)
{
    staged_add(vcd, record->block.sm, -1);
    block_count(vcd, &record->block, true);
}

static void take_block_go_on(struct show_vcd *vcd, const struct model_record *record)
{
    const struct vcd_live *grid = vcd_live_find(vcd, VCD_GRID, record->block.grid_id);

    if (grid && vcd_is(vcd, grid->holder, QUEUE_STATE, "restoring"))
        vcd_text(vcd, grid->holder, QUEUE_STATE, "in_slot");
    block_count(vcd, &record->block, true);
}

static void take_block_end(struct show_vcd *vcd, const struct model_record *record)
{
    block_count(vcd, &record->block, false);
}

static void take_copy_queue(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *copy = vcd_live_add(vcd, VCD_COPY, record->copy.id);

    if (!copy)
        return;
    copy->holder = channel(vcd, record->copy.channel_id);
    copy->engine = vcd_unit(vcd, VCD_ENGINE, record->copy.engine_id);
}

static void take_work_start(struct show_vcd *vcd, const struct model_record *record)
{
    struct vcd_live *work = vcd_live_add(vcd, VCD_WORK, record->work.id);

    if (!work)
        return;
    work->holder = channel(vcd, record->work.channel_id);
    work->engine = vcd_unit(vcd, VCD_ENGINE, record->work.engine_id);
    run(vcd, work, true);
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

static void take_wait(struct show_vcd *vcd, const struct model_record *record)
{
    const struct event_log_rule *rule =
        record->rule == RULE_NONE ? NULL : event_log_rule(vcd->log, record->rule);
    const uint32_t unit = waiter(vcd, record->wait.subject_kind, record->wait.subject_id);

    if (!rule)
        return;
    vcd_text(vcd, vcd->gpu, GPU_RULE, rule->label);
    vcd_text(vcd, unit, vcd->words.is_amd ? QUEUE_LAST_WAIT : CHANNEL_LAST_WAIT, rule->label);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* clang-format off */
static void record_take(struct show_vcd *vcd, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_SUBMITTED: take_submit(vcd, record); break;
    case MODEL_SUBMIT_RETURNED: thread_goes_on(vcd, record->submission.thread); break;
    case MODEL_CPU_WAIT_BEGUN: take_wait_begin(vcd, record); break;
    case MODEL_CPU_WAIT_OVER: thread_goes_on(vcd, record->cpu_wait.thread); break;
    case MODEL_WAITED: take_wait(vcd, record); break;
    case MODEL_GRID_HANDED: take_grid_queue(vcd, record); break;
    case MODEL_COPY_HANDED: take_copy_queue(vcd, record); break;
    case MODEL_WORK_BEGUN: take_work_start(vcd, record); break;
    case MODEL_STARTED: take_start(vcd, record); break;
    case MODEL_SUSPENDED: take_suspend(vcd, record); break;
    case MODEL_RESUMED: take_resume(vcd, record); break;
    case MODEL_ENDED: take_end(vcd, record); break;
    case MODEL_DROPPED: take_end(vcd, record); break;
    case MODEL_COPY_REFUSED: take_end(vcd, record); break;
    case MODEL_BLOCK_BEGUN: take_block_start(vcd, record); break;
    case MODEL_BLOCK_DONE: take_block_end(vcd, record); break;
    case MODEL_BLOCK_STOPPED: take_block_end(vcd, record); break;
    case MODEL_BLOCK_WENT_ON: take_block_go_on(vcd, record); break;
    case MODEL_BLOCK_STAGED: vcd_take_stage(vcd, record); break;
    case MODEL_BLOCK_UNSTAGED: vcd_take_unstage(vcd, record); break;
    case MODEL_CHANNEL_BOUND: vcd_take_bind(vcd, record); break;
    case MODEL_CHANNEL_UNBOUND: vcd_take_unbind(vcd, record); break;
    case MODEL_CHANNEL_ENABLED: vcd_take_enable(vcd, record); break;
    case MODEL_CHANNEL_LOADED: vcd_take_channel_load(vcd, record); break;
    case MODEL_CHANNEL_SAVED: vcd_take_channel_save(vcd, record); break;
    case MODEL_CHANNEL_STOPPED: vcd_take_stop(vcd, record); break;
    case MODEL_RUNLIST_SUBMITTED: vcd_take_runlist_submit(vcd, record); break;
    case MODEL_RUNLIST_DISABLED: vcd_take_sched_disable(vcd, record); break;
    case MODEL_SLICE_BEGUN: vcd_take_tsg_start(vcd, record); break;
    case MODEL_SLICE_ENDED: vcd_take_tsg_end(vcd, record); break;
    case MODEL_SLICE_PAUSED: vcd_take_slice_pause(vcd, record); break;
    case MODEL_CONTEXT_LOADED: vcd_take_context_load(vcd, record); break;
    case MODEL_ENGINE_RESET: vcd_take_engine_reset(vcd, record); break;
    case MODEL_PBDMA_STOPPED: vcd_take_intr(vcd, record); break;
    case MODEL_PBDMA_CLEARED: vcd_take_intr_clear(vcd, record); break;
    case MODEL_DOORBELL: vcd_take_doorbell(vcd, record); break;
    case MODEL_ENTRY_FETCHED: vcd_take_gp_fetch(vcd, record); break;
    case MODEL_SEGMENT_ENDED: vcd_take_segment_end(vcd, record); break;
    case MODEL_SLOT_MAPPED: vcd_take_map(vcd, record); break;
    case MODEL_SLOT_PREEMPTED: vcd_take_preempt(vcd, record); break;
    case MODEL_QUEUE_LOADED: vcd_take_load(vcd, record); break;
    case MODEL_QUEUE_LEFT: vcd_take_leave(vcd, record); break;
    case MODEL_QUEUE_SAVED: vcd_take_save(vcd, record); break;
    case MODEL_QUEUE_RESTORED: vcd_take_restore(vcd, record); break;
    case MODEL_QUEUE_RANG: vcd_take_amd_doorbell(vcd, record); break;
    case MODEL_PACKET_BEGUN: vcd_take_packet(vcd, record); break;
    case MODEL_ACE_TURN: vcd_take_ace_turn(vcd, record); break;
    case MODEL_SDMA_LOADED: vcd_take_sdma_load(vcd, record); break;
    case MODEL_SDMA_LEFT: vcd_take_sdma_leave(vcd, record); break;
    case MODEL_SDMA_RANG: vcd_take_amd_doorbell(vcd, record); break;
    case MODEL_SDMA_PACKET: vcd_take_sdma_packet(vcd, record); break;
    /* passed over */
    case MODEL_ERROR_PRINTED: case MODEL_CHANNEL_KILLED: case MODEL_QUEUE_LOST:
    case MODEL_STORE_SEEN: case MODEL_ENTRY_WRITTEN: case MODEL_FENCE_PLACED:
    case MODEL_FENCE_CHECKED: case MODEL_UNCOVERED: case MODEL_RUN_OVER: case MODEL_DRIVER_LINE:
    case MODEL_WAIT_UNENDED: case MODEL_WAIT_SUSPENDED: case MODEL_COST: case MODEL_DISPATCHED:
    case MODEL_CHANNEL_WENT_ON: case MODEL_CHANNEL_INTERRUPTED: case MODEL_RUNLIST_ERROR:
    case MODEL_BIND_ERROR: case MODEL_ENGINE_ERROR: case MODEL_MMU_FAULT: case MODEL_NOTIFY_PENDING:
    case MODEL_PUSH_FETCHED: case MODEL_MEM_OP: case MODEL_OBJECT_SET: case MODEL_LAUNCHED:
    case MODEL_REPORTED: case MODEL_RELEASED: case MODEL_ACQUIRED: case MODEL_INLINE_WRITTEN:
    case MODEL_NOTIFIED: case MODEL_REDUCED: case MODEL_QUEUE_SAVE_REFUSED: case MODEL_PACKET_ENDED:
    case MODEL_PACKET_LAUNCHED: case MODEL_QUEUE_SIGNALLED: case MODEL_QUEUE_WROTE:
    case MODEL_QUEUE_FAULTED: case MODEL_DISPATCH_BEGUN: case MODEL_QUEUE_MADE:
    case MODEL_SDMA_MAPPED: case MODEL_SDMA_WROTE: case MODEL_SDMA_FAULTED:
    case MODEL_SDMA_MADE: MODEL_STREAM_RECORDS(MODEL_CASE) MODEL_OTHER_RECORDS(MODEL_CASE)
        break;
    case MODEL_TYPES:
        break;
    }
}
/* clang-format on */

bool vcd_take(void *context, const struct model_record *record)
{
    struct show_vcd *vcd = context;

    record_take(vcd, record);
    return vcd->error->kind == ERROR_NONE;
}
