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

void vcd_operation_name(const struct model_live *live, char to[16])
{
    static const char letters[] = {[MODEL_GRID] = 'K', [MODEL_COPY] = 'C', [MODEL_WORK] = 'D'};

    (void)snprintf(to, 16, "%c%" PRIu64, letters[live->operation], live->number);
}

static void count_add(struct show_vcd *vcd, const struct model_live *live, int difference)
{
    if (live->operation != MODEL_WORK)
        vcd_add(vcd, vcd->gpu, live->operation == MODEL_GRID ? GPU_GRIDS : GPU_COPIES, difference);
}

/* Returns the unit of its channel or queue, or VCD_NONE if the log does not say. */
static uint32_t holder_of(struct show_vcd *vcd, const struct model_live *live)
{
    if (!vcd->words.is_amd || live->operation != MODEL_GRID)
        return channel(vcd, live->channel_id);
    return live->grid.queue_id == MODEL_NONE ? VCD_NONE
                                             : vcd_unit_find(vcd, VCD_QUEUE, live->channel_id);
}

/* Returns the unit of its engine, or VCD_NONE: AMD's dispatches are on no engine of their own. */
static uint32_t engine_of(struct show_vcd *vcd, const struct model_live *live)
{
    return vcd->words.is_amd && live->operation == MODEL_GRID
               ? VCD_NONE
               : vcd_unit(vcd, VCD_ENGINE, live->engine_id);
}

/* It gets its engine, or gives it back. */
static void run(struct show_vcd *vcd, const struct model_live *live, bool runs)
{
    const uint32_t engine = engine_of(vcd, live);
    char name[16];

    vcd_operation_name(live, name);
    count_add(vcd, live, runs ? 1 : -1);
    vcd_add(vcd, holder_of(vcd, live), running_field(vcd), runs ? 1 : -1);
    if (engine == VCD_NONE)
        return;
    vcd_add(vcd, engine, ENGINE_RUNNING, runs ? 1 : -1);
    if (runs)
        vcd_text(vcd, engine, ENGINE_OPERATION, name);
    else if (vcd_get(vcd, engine, ENGINE_RUNNING) == 0)
        vcd_text(vcd, engine, ENGINE_OPERATION, "none");
    if (!vcd_is(vcd, engine, ENGINE_STATE, "reset"))
        vcd_text(vcd, engine, ENGINE_STATE, vcd_get(vcd, engine, ENGINE_RUNNING) ? "busy" : "idle");
}

/* Makes the units that an operation needs, although it may never run. */
static void take_handed(struct show_vcd *vcd, const struct model_record *record)
{
    if (!record->live) {
        if (!model_no_memory(&vcd->model))
            error_set(vcd->error, ERROR_LIMIT, "%s: more than %d operations at a time",
                      event_log_name(vcd->log), MODEL_LIVE_MAX);
        return;
    }
    (void)holder_of(vcd, record->live);
    (void)engine_of(vcd, record->live);
    if (record->type == MODEL_WORK_BEGUN)
        run(vcd, record->live, true);
}

static void take_started(struct show_vcd *vcd, const struct model_record *record)
{
    if (record->live && !record->again)
        run(vcd, record->live, true);
}

/* What has not started does not stop, and does not go on then. */
static void take_suspended(struct show_vcd *vcd, const struct model_record *record)
{
    if (record->live && !record->again)
        run(vcd, record->live, false);
}

static void take_resumed(struct show_vcd *vcd, const struct model_record *record)
{
    if (record->live && !record->again)
        run(vcd, record->live, true);
}

static void take_end(struct show_vcd *vcd, const struct model_record *record)
{
    if (record->live && record->live->piece_ps != GFE_PS_NEVER)
        run(vcd, record->live, false);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Threads on an SM, of which its blocks have so many: no more than it holds. */
static int64_t threads_on(const struct show_vcd *vcd, uint64_t threads)
{
    return (int64_t)(vcd->threads_per_sm > 0 && threads > vcd->threads_per_sm ? vcd->threads_per_sm
                                                                              : threads);
}

/* Adds the threads of a block's coming or going to the SM.  Returns by how many those on it change.
 */
static int64_t threads_change(struct show_vcd *vcd, uint32_t unit, int64_t threads)
{
    if (unit == VCD_NONE)
        return 0;
    const int64_t before = threads_on(vcd, vcd->units[unit].threads);
    vcd->units[unit].threads += (uint64_t)threads;
    return threads_on(vcd, vcd->units[unit].threads) - before;
}

/* A block comes to an SM, or leaves it. */
static void block_add(struct show_vcd *vcd, const struct model_record *record, bool comes)
{
    const uint64_t block_threads = record->live ? record->live->grid.block_threads : 0;
    const int64_t threads = block_threads <= 1 << 16 ? (int64_t)block_threads : 0;
    const int sign = comes ? 1 : -1;
    uint32_t engine, index, shader = VCD_NONE, unit;
    uint64_t before;

    if (!record->live || record->sm_place == MODEL_NO_PLACE)
        return;
    unit = vcd_unit(vcd, VCD_SM, record->block.sm);
    before = vcd_get(vcd, unit, SM_BLOCKS);
    if (gpu_words_engine(&vcd->words, (uint32_t)record->block.sm, &engine, &index))
        shader = vcd_unit(vcd, VCD_SE, engine);
    const int64_t change = threads_change(vcd, unit, sign * threads);
    vcd_add(vcd, unit, SM_BLOCKS, sign);
    vcd_add(vcd, unit, SM_THREADS, change);
    vcd_add(vcd, shader, SE_BLOCKS, sign);
    vcd_add(vcd, shader, SE_THREADS, change);
    vcd_add(vcd, vcd->gpu, GPU_BLOCKS, sign);
    vcd_add(vcd, vcd->gpu, GPU_THREADS, change);
    if ((before == 0) != (vcd_get(vcd, unit, SM_BLOCKS) == 0))
        vcd_add(vcd, vcd->gpu, GPU_SMS, before == 0 ? 1 : -1);
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
    block_add(vcd, record, true);
}

static void take_block_go_on(struct show_vcd *vcd, const struct model_record *record)
{
    const uint32_t holder = record->live ? holder_of(vcd, record->live) : VCD_NONE;

    if (vcd_is(vcd, holder, QUEUE_STATE, "restoring"))
        vcd_text(vcd, holder, QUEUE_STATE, "in_slot");
    block_add(vcd, record, true);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Whose wait it is: a channel or queue, or that of an operation. */
static uint32_t waiter(struct show_vcd *vcd, uint64_t kind, uint64_t id)
{
    static const enum model_operation kinds[] = {
        [SUBJECT_GRID] = MODEL_GRID, [SUBJECT_WORK] = MODEL_WORK, [SUBJECT_COPY] = MODEL_COPY};
    const struct model_live *live;

    switch (kind) {
    case SUBJECT_CHANNEL:
    case SUBJECT_RING:
    case SUBJECT_QUEUE:
        return vcd_unit_find(vcd, vcd->words.is_amd ? VCD_QUEUE : VCD_CHANNEL, id);
    case SUBJECT_GRID:
    case SUBJECT_WORK:
    case SUBJECT_COPY:
        live = model_live(&vcd->model, kinds[kind], id);
        return live ? holder_of(vcd, live) : VCD_NONE;
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
    case MODEL_GRID_HANDED: take_handed(vcd, record); break;
    case MODEL_COPY_HANDED: take_handed(vcd, record); break;
    case MODEL_WORK_BEGUN: take_handed(vcd, record); break;
    case MODEL_STARTED: take_started(vcd, record); break;
    case MODEL_SUSPENDED: take_suspended(vcd, record); break;
    case MODEL_RESUMED: take_resumed(vcd, record); break;
    case MODEL_ENDED: take_end(vcd, record); break;
    case MODEL_DROPPED: take_end(vcd, record); break;
    case MODEL_COPY_REFUSED: take_end(vcd, record); break;
    case MODEL_COPY_LOST: take_end(vcd, record); break;
    case MODEL_BLOCK_BEGUN: take_block_start(vcd, record); break;
    case MODEL_BLOCK_DONE: block_add(vcd, record, false); break;
    case MODEL_BLOCK_STOPPED: block_add(vcd, record, false); break;
    case MODEL_BLOCK_OFF: block_add(vcd, record, false); break;
    case MODEL_BLOCK_BACK: block_add(vcd, record, true); break;
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
    case MODEL_WAIT_UNENDED: case MODEL_RUN_CUT: case MODEL_WAIT_HOLDS: case MODEL_WAIT_SUSPENDED: case MODEL_COST: case MODEL_DISPATCHED:
    case MODEL_CHANNEL_WENT_ON: case MODEL_CHANNEL_INTERRUPTED: case MODEL_RUNLIST_ERROR:
    case MODEL_BIND_ERROR: case MODEL_ENGINE_ERROR: case MODEL_MMU_FAULT: case MODEL_NOTIFY_PENDING:
    case MODEL_PUSH_FETCHED: case MODEL_MEM_OP: case MODEL_OBJECT_SET: case MODEL_LAUNCHED:
    case MODEL_REPORTED: case MODEL_RELEASED: case MODEL_ACQUIRED: case MODEL_INLINE_WRITTEN:
    case MODEL_NOTIFIED: case MODEL_REDUCED: case MODEL_QUEUE_SAVE_REFUSED: case MODEL_PACKET_ENDED:
    case MODEL_PACKET_LAUNCHED: case MODEL_QUEUE_SIGNALLED: case MODEL_QUEUE_WROTE:
    case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_DISPATCH_BEGUN: case MODEL_QUEUE_MADE:
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
