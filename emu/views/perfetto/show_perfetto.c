/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/perfetto/show_perfetto.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/log/event_log_ahead.h"
#include "emu/views/perfetto/show_perfetto_private.h"

/* How one kind of event is taken.  `values` are the row's arguments, in its order. */
struct take_row {
    struct event_fields_row fields;
    void (*take)(struct show_perfetto *show, const uint64_t *values);
    bool also; /* it is an instant, too, as all kinds are that have no row */
};

/* clang-format off */
static const struct take_row take_rows[] = {
    {{"BLOCK_START", {"grid_id", "block_index", "sm_index", "slot_index"}},
     show_perfetto_block_start, false},
    {{"BLOCK_END", {"grid_id", "block_index", "sm_index", "slot_index"}},
     show_perfetto_block_end, false},
    {{"AMD_BLOCK_GO_ON", {"grid_id", "block_index", "sm_index", "slot_index"}},
     show_perfetto_block_start, false},
    {{"AMD_BLOCK_STOP", {"grid_id", "block_index", "sm_index", "slot_index"}},
     show_perfetto_block_end, false},
    {{"WAIT", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}},
     show_perfetto_wait, false},
    {{"WAIT_OPEN", {"begin_ps", "subject_kind", "subject_id", "blocker_kind", "blocker_id"}},
     show_perfetto_wait_open, false},
    {{"CPU_STORE", {"submission_id", "byte_count"}}, show_perfetto_store, false},
    {{"CPU_SUBMIT", {"submission_id", "thread_index", "channel_id", "push_count", "push_bytes"}},
     show_perfetto_submit, false},
    {{"CPU_SUBMIT_RETURN", {"submission_id", "thread_index"}}, show_perfetto_submit_return, false},
    {{"CPU_WAIT_BEGIN", {"wait_id", "thread_index", "submission_id", "inferred"}},
     show_perfetto_cpu_wait_begin, false},
    {{"CPU_WAIT_END", {"wait_id", "thread_index"}}, show_perfetto_cpu_wait_end, false},
    {{"DRIVER_GP_ENTRY", {"channel_id", "gp_sequence", "gp_index", "address", "dword_count",
                         "submission_id"}},
     show_perfetto_driver_entry, false},
    {{"NV_CHANNEL_BIND", {"channel_id"}}, show_perfetto_bind, true},
    {{"NV_TSG_START", {"runlist_id", "tsg_id", "timeslice_ps"}}, show_perfetto_tsg_start, false},
    {{"NV_TSG_END", {"runlist_id", "tsg_id"}}, show_perfetto_tsg_end, false},
    {{"NV_CHANNEL_LOAD", {"channel_id", "pbdma_id"}}, show_perfetto_channel_load, false},
    {{"NV_CHANNEL_SAVE", {"channel_id", "pbdma_id"}}, show_perfetto_channel_save, false},
    {{"NV_CONTEXT_LOAD", {"engine_id", "channel_id", "tsg_id", "load_ps"}},
     show_perfetto_context_load, false},
    {{"NV_GP_FETCH", {"channel_id", "pbdma_id", "gp_index", "address", "dword_count",
                      "entry1_flags", "gp_sequence", "fetch_ps"}}, show_perfetto_gp_fetch, false},
    {{"NV_PB_FETCH", {"channel_id", "pbdma_id", "address", "dword_count", "fetch_ps"}},
     show_perfetto_pb_fetch, false},
    {{"NV_MEM_OP", {"channel_id", "operation", "took_ps"}}, show_perfetto_mem_op, false},
    {{"NV_SEGMENT_END", {"channel_id", "pbdma_id", "gp_index"}}, show_perfetto_segment_end, false},
    {{"NV_INLINE_WRITE", {"channel_id"}}, show_perfetto_in_stream, false},
    {{"NV_SET_OBJECT", {"channel_id"}}, show_perfetto_in_stream, false},
    {{"NV_LAUNCH", {"channel_id", "gp_sequence"}}, show_perfetto_launch, false},
    {{"NV_RELEASE", {"channel_id", "address", "value", "byte_count", "source_class",
                     "gp_sequence"}}, show_perfetto_release, false},
    {{"NV_ACQUIRE", {"channel_id", "address"}}, show_perfetto_acquire, false},
    {{"NV_REPORT", {"channel_id"}}, show_perfetto_semaphore, false},
    {{"NV_NOTIFY", {"channel_id"}}, show_perfetto_semaphore, false},
    {{"NV_REDUCTION", {"channel_id"}}, show_perfetto_semaphore, false},
    {{"NV_MMU_FAULT", {"channel_id"}}, show_perfetto_mmu_fault, true},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_count", "block_threads", "shared_bytes",
                     "registers", "gp_sequence"}}, show_perfetto_grid_queue, false},
    {{"GRID_START", {"grid_id"}}, show_perfetto_grid_start, false},
    {{"GRID_DISPATCHED", {"grid_id"}}, show_perfetto_grid_dispatched, false},
    {{"GRID_END", {"grid_id"}}, show_perfetto_grid_end, false},
    {{"AMD_DISPATCH", {"grid_id", "wave_count"}}, show_perfetto_amd_dispatch, true},
    {{"HWS_MAP", {"pipe_index", "slot_index"}}, show_perfetto_amd_map, true},
    {{"HWS_PREEMPT", {"pipe_index", "slot_index"}}, show_perfetto_amd_preempt, true},
    {{"AMD_QUEUE_LOAD", {"slot_id", "doorbell_index", "read_index", "is_aql"}},
     show_perfetto_amd_load, true},
    {{"AMD_QUEUE_LEAVE", {"slot_id"}}, show_perfetto_amd_leave, true},
    {{"AMD_QUEUE_SAVE", {"slot_id", "duration_ps"}}, show_perfetto_amd_save, true},
    {{"AMD_QUEUE_RESTORE", {"slot_id", "duration_ps"}}, show_perfetto_amd_restore, true},
    {{"AMD_DOORBELL", {"doorbell_index", "write_index"}}, show_perfetto_amd_doorbell, true},
    {{"HIP_SUBMIT", {"doorbell_index", "packet_index"}}, show_perfetto_amd_submit, true},
    {{"AMD_PACKET", {"doorbell_index", "packet_index", "is_aql", "code"}},
     show_perfetto_amd_packet, true},
    {{"AMD_PACKET_END", {"doorbell_index", "packet_index"}}, show_perfetto_amd_packet_end, true},
    {{"AMD_SIGNAL", {"doorbell_index"}}, show_perfetto_semaphore, false},
    {{"GRID_SUSPEND", {"grid_id"}}, show_perfetto_grid_suspend, false},
    {{"GRID_RESUME", {"grid_id"}}, show_perfetto_grid_resume, false},
    {{"WORK_SUSPEND", {"work_id"}}, show_perfetto_work_suspend, false},
    {{"WORK_RESUME", {"work_id"}}, show_perfetto_work_resume, false},
    {{"COPY_SUSPEND", {"copy_id"}}, show_perfetto_copy_suspend, false},
    {{"COPY_RESUME", {"copy_id", "pce_bits"}}, show_perfetto_copy_resume, false},
    {{"COPY_QUEUE", {"copy_id", "channel_id", "engine_id", "byte_count", "gp_sequence"}},
     show_perfetto_copy_queue, false},
    {{"COPY_START", {"copy_id", "limited_by", "pce_bits"}}, show_perfetto_copy_start, false},
    {{"COPY_END", {"copy_id"}}, show_perfetto_copy_end, false},
    {{"COPY_DROP", {"copy_id"}}, show_perfetto_copy_drop, true},
    {{"GRID_DROP", {"grid_id"}}, show_perfetto_grid_drop, true},
    {{"WORK_DROP", {"work_id"}}, show_perfetto_work_drop, true},
    {{"NV_CE_LAUNCHERR", {"copy_id"}}, show_perfetto_copy_drop, true},
    {{"WORK_START", {"work_id", "channel_id", "engine_id", "class_id", "method", "gp_sequence"}},
     show_perfetto_work_start, false},
    {{"WORK_END", {"work_id"}}, show_perfetto_work_end, false},
};
/* clang-format on */

enum { TAKE_ROWS = sizeof take_rows / sizeof take_rows[0], NAMES_KEPT_MAX = 1 << 16 };

/* ---- events without a row -------------------------------------------------------------------- */

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
    if (!show->here)
        return;
    const uint64_t track = other_track(show);
    (void)show_perfetto_rule_name(show, show->event->rule);
    const uint64_t name = show_perfetto_kind_name(show, show->event->kind);
    struct perfetto_event event = show_perfetto_instant(show, track, name, CATEGORY_EVENT);
    show_perfetto_arguments(show, &event);
    perfetto_done(&show->out, &event);
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
    struct event_fields_row rows[TAKE_ROWS];

    if (!show) {
        (void)error_set_errno(error, ENOMEM, "%s", event_log_name(log));
        return NULL;
    }
    show->log = log;
    gpu_words_init(&show->words, log);
    show->from_ps = from_ps;
    show->to_ps = to_ps;
    for (uint32_t i = 0; i < TAKE_ROWS; i++)
        rows[i] = take_rows[i].fields;
    processes_load(show);
    if (!perfetto_init(&show->out, file))
        (void)show_perfetto_no_memory(show);
    else if (streams_init(&show->streams, log, &show->error) &&
             event_fields_bind(&show->fields, log, rows, TAKE_ROWS, &show->error))
        (void)show_perfetto_names_init(show);
    if (show->error.kind == ERROR_NONE)
        return show;
    (void)error_set(error, show->error.kind, "%s", show->error.text);
    show_perfetto_free(show);
    return NULL;
}

bool show_perfetto_take(struct show_perfetto *show, const struct log_event *event)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    const uint32_t row = event_fields_row(&show->fields, event->kind);

    show->event = event;
    show->now_ps = event->time_ps;
    show->here = show_perfetto_within(show, show->now_ps, show->now_ps);
    if (show->streams.program.call_count > 0 && !streams_take(&show->streams, event))
        return show_perfetto_no_memory(show);
    if (show->made_epoch_count > NAMES_KEPT_MAX) {
        perfetto_forget(&show->out);
        show_perfetto_names_define(show);
    }
    if (row != EVENT_FIELDS_NONE)
        take_rows[row].take(show, event_fields_values(&show->fields, row, event, values));
    if (row == EVENT_FIELDS_NONE || take_rows[row].also)
        take_other(show);
    show->event_number++;
    return show->error.kind == ERROR_NONE && !show->out.out.failed;
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

uint64_t show_perfetto_slice_count(const struct show_perfetto *show)
{
    return show->slice_count;
}

uint64_t show_perfetto_byte_count(const struct show_perfetto *show)
{
    return show->out.out.flushed_bytes + (uint64_t)(show->out.out.at - show->out.out.bytes);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void table_free(void **table)
{
    for (uint32_t i = 0; table && i < PF_IDS; i++)
        free(table[i]);
    free(table);
}

static void insides_free(struct show_perfetto *show)
{
    for (uint32_t i = 0; i < PF_IDS; i++) {
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
            free(sm->slots);
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
    table_free(show->threads);
    table_free(show->channels);
    id_map_fini(&show->channel_of);
    streams_fini(&show->streams);
    table_free(show->pbdmas);
    table_free(show->runlists);
    table_free(show->engines);
    table_free(show->sms);
    table_free(show->hqds);
    free(show->operations);
    free(show->stopped);
    free(show->kinds);
    free(show->rule_epochs);
    free(show->notes);
    event_fields_fini(&show->fields);
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
