/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/perfetto/show_perfetto.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/log/event_log_ahead.h"
#include "emu/views/perfetto/show_perfetto_private.h"

enum { NAMES_KEPT_MAX = 1 << 16 };

/* ---- instants by the log's words ---------------------------------------------------------------
 */

static uint64_t other_track(struct show_perfetto *show)
{
    const struct pf_event_kind *kind = &show->kinds[show->event->kind];
    const uint64_t id = show->event->argument[kind->argument];
    const struct pf_channel *channel;

    switch ((enum pf_where)kind->where) {
    case PF_WITH_DRIVER:
        return show_perfetto_track(show, &show->driver,
                                   &(struct pf_place){.name = "kernel driver"});
    case PF_WITH_CHANNEL:
        /* Whose channel it is, is not known before its first submission. */
        channel = show_perfetto_channel(show, id);
        if (!channel || channel->has_owner || channel->group)
            return show_perfetto_channel_events(show, id);
        break;
    case PF_WITH_RUNLIST:
        return show_perfetto_runlist_track(show, id);
    case PF_WITH_ENGINE:
        return show_perfetto_engine_track(show, id);
    case PF_WITH_OTHERS:
        break;
    }
    return show_perfetto_track(
        show, &show->others, &(struct pf_place){show_perfetto_gpu(show), PF_RANK_EVENTS, "events"});
}

/* An instant with the name and the arguments that the log gives it. */
static void take_other(struct show_perfetto *show)
{
    if (!show_perfetto_here(show))
        return;
    const uint64_t track = other_track(show);
    (void)show_perfetto_rule_name(show, show->event->rule);
    const uint64_t name = show_perfetto_kind_name(show, show->event->kind);
    struct perfetto_event event = show_perfetto_instant(show, track, name, CATEGORY_EVENT);
    show_perfetto_arguments(show, &event);
    perfetto_done(&show->out, &event);
}

/* ---- records --------------------------------------------------------------------------------- */

/* clang-format off */
static void record_take(struct show_perfetto *show, const struct model_record *record)
{
    switch (record->type) {
    case MODEL_SUBMITTED: show_perfetto_submit(show, record); break;
    case MODEL_SUBMIT_RETURNED: show_perfetto_submit_return(show, record); break;
    case MODEL_CPU_WAIT_BEGUN: show_perfetto_cpu_wait_begin(show, record); break;
    case MODEL_CPU_WAIT_OVER: show_perfetto_cpu_wait_end(show, record); break;
    case MODEL_STORE_SEEN: show_perfetto_store(show, record); break;
    case MODEL_ENTRY_WRITTEN: show_perfetto_driver_entry(show, record); break;
    case MODEL_WAITED: show_perfetto_wait(show, record, false); break;
    case MODEL_WAIT_UNENDED: show_perfetto_wait(show, record, true); break;
    case MODEL_GRID_HANDED: show_perfetto_grid_queue(show, record); break;
    case MODEL_COPY_HANDED: show_perfetto_copy_queue(show, record); break;
    case MODEL_WORK_BEGUN: show_perfetto_work_start(show, record); break;
    case MODEL_STARTED: show_perfetto_started(show, record); break;
    case MODEL_DISPATCHED: show_perfetto_grid_dispatched(show, record); break;
    case MODEL_SUSPENDED: show_perfetto_suspended(show, record); break;
    case MODEL_RESUMED: show_perfetto_resumed(show, record); break;
    case MODEL_ENDED: show_perfetto_ended(show, record); break;
    case MODEL_DROPPED: show_perfetto_dropped(show, record); take_other(show); break;
    case MODEL_COPY_REFUSED: show_perfetto_dropped(show, record); take_other(show); break;
    case MODEL_COPY_LOST: show_perfetto_dropped(show, record); break;
    case MODEL_BLOCK_BEGUN: show_perfetto_block_start(show, record); break;
    case MODEL_BLOCK_DONE: show_perfetto_block_end(show, record); break;
    case MODEL_BLOCK_STOPPED: show_perfetto_block_end(show, record); break;
    case MODEL_BLOCK_WENT_ON: show_perfetto_block_start(show, record); break;
    case MODEL_BLOCK_OFF: show_perfetto_block_end(show, record); break;
    case MODEL_BLOCK_BACK: show_perfetto_block_start(show, record); break;
    case MODEL_CHANNEL_BOUND: show_perfetto_bind(show, record); take_other(show); break;
    case MODEL_CHANNEL_LOADED: show_perfetto_channel_load(show, record); break;
    case MODEL_CHANNEL_SAVED: show_perfetto_channel_save(show, record); break;
    case MODEL_SLICE_BEGUN: show_perfetto_tsg_start(show, record); break;
    case MODEL_SLICE_ENDED: show_perfetto_tsg_end(show, record); break;
    case MODEL_CONTEXT_LOADED: show_perfetto_context_load(show, record); break;
    case MODEL_ENTRY_FETCHED: show_perfetto_gp_fetch(show, record); break;
    case MODEL_PUSH_FETCHED: show_perfetto_pb_fetch(show, record); break;
    case MODEL_SEGMENT_ENDED: show_perfetto_segment_end(show, record); break;
    case MODEL_MEM_OP: show_perfetto_mem_op(show, record); break;
    case MODEL_OBJECT_SET: show_perfetto_in_stream(show, record->object.channel_id); break;
    case MODEL_LAUNCHED: show_perfetto_launch(show, record); break;
    case MODEL_REPORTED: show_perfetto_semaphore(show, record->method.channel_id); break;
    case MODEL_RELEASED: show_perfetto_release(show, record); break;
    case MODEL_ACQUIRED: show_perfetto_acquire(show, record); break;
    case MODEL_INLINE_WRITTEN: show_perfetto_in_stream(show, record->method.channel_id); break;
    case MODEL_NOTIFIED: show_perfetto_semaphore(show, record->method.channel_id); break;
    case MODEL_REDUCED: show_perfetto_semaphore(show, record->method.channel_id); break;
    case MODEL_SLOT_MAPPED: show_perfetto_amd_map(show, record); take_other(show); break;
    case MODEL_SLOT_PREEMPTED: show_perfetto_amd_preempt(show, record); take_other(show); break;
    case MODEL_QUEUE_LOADED: show_perfetto_amd_load(show, record); take_other(show); break;
    case MODEL_QUEUE_LEFT: show_perfetto_amd_leave(show, record); take_other(show); break;
    case MODEL_QUEUE_SAVED: show_perfetto_amd_save(show, record); take_other(show); break;
    case MODEL_QUEUE_RESTORED: show_perfetto_amd_restore(show, record); take_other(show); break;
    case MODEL_QUEUE_RANG: show_perfetto_amd_doorbell(show, record); take_other(show); break;
    case MODEL_PACKET_BEGUN: show_perfetto_amd_packet(show, record); take_other(show); break;
    case MODEL_PACKET_ENDED: show_perfetto_amd_packet_end(show, record); take_other(show); break;
    case MODEL_QUEUE_SIGNALLED: show_perfetto_semaphore(show, record->written.queue_id); break;
    case MODEL_DISPATCH_BEGUN: show_perfetto_amd_dispatch(show, record); take_other(show); break;
    case MODEL_HIP_PACKET: show_perfetto_amd_submit(show, record); take_other(show); break;
    case MODEL_RUN_CUT: case MODEL_WAIT_HOLDS: case MODEL_WAIT_SUSPENDED: break; /* the pieces of the operation show it */
    /* instants alone */
    case MODEL_ERROR_PRINTED: case MODEL_CHANNEL_KILLED: case MODEL_QUEUE_LOST:
    case MODEL_FENCE_PLACED: case MODEL_FENCE_CHECKED: case MODEL_UNCOVERED: case MODEL_RUN_OVER:
    case MODEL_DRIVER_LINE: case MODEL_COST:
    case MODEL_BLOCK_STAGED: case MODEL_BLOCK_UNSTAGED: case MODEL_CHANNEL_UNBOUND:
    case MODEL_CHANNEL_ENABLED: case MODEL_CHANNEL_STOPPED: case MODEL_CHANNEL_WENT_ON:
    case MODEL_CHANNEL_INTERRUPTED: case MODEL_RUNLIST_SUBMITTED: case MODEL_RUNLIST_DISABLED:
    case MODEL_RUNLIST_ERROR: case MODEL_SLICE_PAUSED: case MODEL_ENGINE_RESET:
    case MODEL_BIND_ERROR: case MODEL_ENGINE_ERROR: case MODEL_MMU_FAULT: case MODEL_PBDMA_STOPPED:
    case MODEL_PBDMA_CLEARED: case MODEL_DOORBELL: case MODEL_NOTIFY_PENDING:
    case MODEL_QUEUE_SAVE_REFUSED: case MODEL_PACKET_LAUNCHED: case MODEL_QUEUE_WROTE:
    case MODEL_QUEUE_FAULTED: case MODEL_QUEUE_REFUSED: case MODEL_ACE_TURN: case MODEL_QUEUE_MADE: case MODEL_CLIENT:
    case MODEL_STREAM: case MODEL_STREAM_CALLED: case MODEL_STREAM_HELD: case MODEL_STREAM_FREED:
    case MODEL_STREAM_SUBMITTED: case MODEL_STREAM_COMPLETED: case MODEL_TASK:
    case MODEL_TASK_CALLED: case MODEL_TASK_ITERATED: case MODEL_HIP_STREAM: case MODEL_HIP_CALLED:
    case MODEL_HIP_DONE: MODEL_SDMA_RECORDS(MODEL_CASE) MODEL_OTHER_RECORDS(MODEL_CASE)
        take_other(show);
        break;
    case MODEL_TYPES:
        break;
    }
}
/* clang-format on */

/* The listener of the model. */
static bool listen(void *context, const struct model_record *record)
{
    struct show_perfetto *show = context;

    /* Most records of a long log are of these two types, which are none of a program's. */
    if (record->type == MODEL_BLOCK_BEGUN && show_perfetto_block_is_plain(show, record))
        return true;
    if (record->type == MODEL_BLOCK_DONE)
        show_perfetto_block_end(show, record);
    else if (show->streams.program.call_count > 0 && !streams_take(&show->streams, record))
        return show_perfetto_no_memory(show);
    else
        record_take(show, record);
    return show->error.kind == ERROR_NONE;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* "0 0 1": the process of each thread, in a log of more than one. */
static void processes_load(struct show_perfetto *show)
{
    const char *at = event_log_run(show->log, "processes");
    char *end;

    show->process_count = 1;
    for (uint32_t thread = 0; at && thread < PF_IDS; thread++) {
        const unsigned long process = strtoul(at, &end, 10);
        if (end == at || process >= PF_PROCESSES)
            return;
        show->process_of[thread] = (uint8_t)process;
        if (process + 1 > show->process_count)
            show->process_count = (uint32_t)process + 1;
        at = end;
    }
}

struct show_perfetto *show_perfetto_new(FILE *file, const struct event_log_reader *log,
                                        gfe_ps from_ps, gfe_ps to_ps, struct gfe_error *error)
{
    struct show_perfetto *show = calloc(1, sizeof *show);

    if (!show) {
        (void)error_set_errno(error, ENOMEM, "%s", event_log_name(log));
        return NULL;
    }
    show->log = log;
    gpu_words_init(&show->words, log);
    show->from_ps = from_ps;
    show->to_ps = to_ps;
    show->is_whole = from_ps == 0 && to_ps == GFE_PS_NEVER;
    processes_load(show);
    if (!perfetto_init(&show->out, file))
        (void)show_perfetto_no_memory(show);
    else if (streams_init(&show->streams, log, &show->error) &&
             model_init(&show->model, log, listen, show, &show->error))
        (void)show_perfetto_names_init(show);
    if (show->error.kind == ERROR_NONE)
        return show;
    (void)error_set(error, show->error.kind, "%s", show->error.text);
    show_perfetto_free(show);
    return NULL;
}

bool show_perfetto_take(struct show_perfetto *show, const struct log_event *event)
{
    show->event = event;
    show->now_ps = event->time_ps;
    if (show->made_epoch_count > NAMES_KEPT_MAX) {
        perfetto_forget(&show->out);
        show_perfetto_names_define(show);
    }
    if (!model_take(&show->model, event))
        return model_no_memory(&show->model) ? show_perfetto_no_memory(show) : false;
    return !show->out.out.failed;
}

bool show_perfetto_finish(struct show_perfetto *show)
{
    show->event = NULL;
    show_perfetto_blocks_finish(show);
    show_perfetto_work_finish(show);
    show_perfetto_channels_finish(show);
    show_perfetto_amd_finish(show);
    show_perfetto_schedule_finish(show);
    show_perfetto_program_finish(show);
    return protobuf_flush(&show->out.out) && show->error.kind == ERROR_NONE;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void table_free(const struct show_perfetto *show, void **table)
{
    for (uint32_t i = 0; table && i < show->id_end; i++)
        free(table[i]);
    free(table);
}

static void insides_free(struct show_perfetto *show)
{
    for (uint32_t i = 0; i < show->id_end; i++) {
        struct pf_thread *thread = show_perfetto_find(show->threads, i);
        struct pf_channel *channel = show_perfetto_find(show->channels, i);
        struct pf_engine *engine = show_perfetto_find(show->engines, i);
        struct pf_runlist *runlist = show_perfetto_find(show->runlists, i);
        const struct pf_sm *sm = show_perfetto_find(show->sms, i);
        if (thread)
            show_perfetto_lanes_free(&thread->waits);
        if (channel) {
            show_perfetto_lanes_free(&channel->operations);
            show_perfetto_lanes_free(&channel->waits);
            show_perfetto_lanes_free(&channel->packet_lanes);
        }
        if (engine) {
            show_perfetto_lanes_free(&engine->work);
            show_perfetto_lanes_free(&engine->contexts);
        }
        if (runlist) {
            free(runlist->tsgs);
            id_map_fini(&runlist->by_id);
        }
        if (sm)
            free(sm->places);
    }
}

void show_perfetto_free(struct show_perfetto *show)
{
    if (!show)
        return;
    insides_free(show);
    for (uint32_t i = 0; i < PF_PCES; i++)
        show_perfetto_lanes_free(&show->pces[i]);
    show_perfetto_lanes_free(&show->waits);
    table_free(show, show->threads);
    table_free(show, show->channels);
    id_map_fini(&show->channel_of);
    streams_fini(&show->streams);
    table_free(show, show->pbdmas);
    table_free(show, show->runlists);
    table_free(show, show->engines);
    table_free(show, show->sms);
    table_free(show, show->hqds);
    free(show->operations);
    free(show->kinds);
    free(show->rule_epochs);
    free(show->notes);
    model_fini(&show->model);
    perfetto_fini(&show->out);
    free(show);
}

bool show_perfetto(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error)
{
    struct show_perfetto *show = show_perfetto_new(file, log, from_ps, to_ps, error);
    struct event_log_ahead *ahead = show ? event_log_ahead_new(log, error) : NULL;
    enum event_log_result result = EVENT_LOG_FAILED;
    const struct log_event *events;
    uint32_t count;
    bool good = ahead != NULL;

    while (good && (result = event_log_ahead_read(ahead, &events, &count, error)) == EVENT_LOG_GOT)
        for (uint32_t i = 0; good && i < count; i++)
            good = show_perfetto_take(show, &events[i]);
    event_log_ahead_free(ahead);
    good = good && result == EVENT_LOG_AT_END && show_perfetto_finish(show);
    if (show && show->error.kind != ERROR_NONE)
        (void)error_set(error, show->error.kind, "%s", show->error.text);
    show_perfetto_free(show);
    return good;
}
