/* SPDX-License-Identifier: MIT */
/* Waits by their rules, semaphores, and who is on a runlist. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORDS_BYTES = PF_WORDS_BYTES };

/* ---- waits ----------------------------------------------------------------------------------- */

static bool operation_kind(uint64_t subject, enum model_operation *kind)
{
    *kind = subject == SUBJECT_GRID   ? MODEL_GRID
            : subject == SUBJECT_COPY ? MODEL_COPY
                                      : MODEL_WORK;
    return subject == SUBJECT_GRID || subject == SUBJECT_COPY || subject == SUBJECT_WORK;
}

static void engine_words(struct show_perfetto *show, uint64_t id, gfe_ps begin_ps,
                         char to[WORDS_BYTES])
{
    const struct pf_engine *engine = show_perfetto_engine(show, id);

    if (engine && engine->last_number && engine->last_ps > begin_ps)
        (void)show_perfetto_operation_words(show, (enum model_operation)engine->last_kind,
                                            engine->last_id, engine->last_number, to);
    else
        (void)snprintf(to, WORDS_BYTES, "%s", engine ? engine->name : "");
}

/* The subject or blocker of a wait.  An engine goes by what ended last on it since then. */
static void subject_words(struct show_perfetto *show, uint64_t subject, uint64_t id,
                          gfe_ps begin_ps, char to[WORDS_BYTES])
{
    static const char *const formats[SUBJECT_KINDS] = {[SUBJECT_CHANNEL] = "channel %" PRIu64,
                                                       [SUBJECT_SUBMISSION] = "submission:%" PRIu64,
                                                       [SUBJECT_RING] =
                                                           "the ring of channel %" PRIu64,
                                                       [SUBJECT_SEMAPHORE] = "semaphore 0x%" PRIx64,
                                                       [SUBJECT_THREAD] = "CPU thread %" PRIu64,
                                                       [SUBJECT_BIND] = "bind %" PRIu64,
                                                       [SUBJECT_QUEUE] = "queue %" PRIu64,
                                                       [SUBJECT_INTERRUPT] = "interrupt %" PRIu64};
    enum model_operation kind;

    *to = 0;
    if (operation_kind(subject, &kind))
        show_perfetto_label(show, kind, id, to, WORDS_BYTES);
    else if (subject == SUBJECT_OPERATION)
        (void)streams_name(&show->streams, streams_of_id(&show->streams, id), to);
    else if (subject == SUBJECT_ENGINE)
        engine_words(show, id, begin_ps, to);
    else if (subject < SUBJECT_KINDS && formats[subject])
        (void)snprintf(to, WORDS_BYTES, formats[subject], id);
}

static uint64_t channel_lane(struct show_perfetto *show, uint64_t id, gfe_ps begin_ps)
{
    struct pf_channel *channel = show_perfetto_channel(show, id);

    if (!channel)
        return 0;
    const struct pf_place place = {show_perfetto_channel_track(show, channel, id),
                                   PF_RANK_CHANNEL_WAITS, "waits"};
    return show_perfetto_lane(show, &channel->waits, &place, begin_ps, show->now_ps);
}

static uint64_t thread_lane(struct show_perfetto *show, uint64_t id, gfe_ps begin_ps)
{
    struct pf_thread *thread = show_perfetto_thread(show, id);
    char name[48];

    if (!thread)
        return 0;
    (void)snprintf(name, sizeof name, "CPU thread %" PRIu64 " waits", id);
    const struct pf_place place = {show_perfetto_process(show, show->process_of[id]), 0, name};
    return show_perfetto_lane(show, &thread->waits, &place, begin_ps, show->now_ps);
}

/* Where the one who waits is; what belongs to no channel and no thread is with the GPU. */
static uint64_t wait_lane(struct show_perfetto *show, uint64_t subject, uint64_t id,
                          gfe_ps begin_ps)
{
    enum model_operation kind;

    if (subject == SUBJECT_CHANNEL || subject == SUBJECT_RING || subject == SUBJECT_QUEUE)
        return channel_lane(show, id, begin_ps);
    if (operation_kind(subject, &kind))
        id = show_perfetto_operation_channel(show, kind, id);
    else if (subject == SUBJECT_SUBMISSION)
        id = show_perfetto_submitter(show, id);
    else if (subject != SUBJECT_THREAD)
        id = UINT64_MAX;
    if (id < EVENT_CHANNEL_IDS && operation_kind(subject, &kind))
        return channel_lane(show, id, begin_ps);
    if (id < PF_IDS)
        return thread_lane(show, id, begin_ps);
    return show_perfetto_lane(show, &show->waits,
                              &(struct pf_place){show_perfetto_gpu(show), PF_RANK_WAITS, "waits"},
                              begin_ps, show->now_ps);
}

void show_perfetto_wait(struct show_perfetto *show, const struct model_record *record,
                        bool unfinished)
{
    const struct model_wait *wait = &record->wait;
    const gfe_ps begin_ps = wait->begin_ps;
    const uint64_t name = show_perfetto_rule_name(show, show->event->rule);
    char who[WORDS_BYTES], because[WORDS_BYTES];

    if (begin_ps >= show->now_ps || !show_perfetto_within(show, begin_ps, show->now_ps))
        return;
    const uint64_t track = wait_lane(show, wait->subject_kind, wait->subject_id, begin_ps);
    subject_words(show, wait->subject_kind, wait->subject_id, begin_ps, who);
    subject_words(show, wait->blocker_kind, wait->blocker_id, begin_ps, because);
    struct perfetto_event event = show_perfetto_begin(show, track, name, CATEGORY_WAIT, begin_ps);
    if (name != NAME_WAIT)
        perfetto_note_text(&event, NOTE_RULE_TEXT, show->event->rule);
    if (*who)
        perfetto_note_string(&event, NOTE_WHO, who);
    if (*because)
        perfetto_note_string(&event, NOTE_BECAUSE, because);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, begin_ps, show->now_ps);
}

/* ---- semaphores ------------------------------------------------------------------------------ */

static struct perfetto_event semaphore_instant(struct show_perfetto *show, uint64_t channel_id)
{
    const uint64_t track = show_perfetto_channel_semaphores(show, channel_id);

    (void)show_perfetto_rule_name(show, show->event->rule);
    const uint64_t name = show_perfetto_kind_name(show, show->event->kind);
    struct perfetto_event event = show_perfetto_instant(show, track, name, CATEGORY_SEMAPHORE);
    show_perfetto_arguments(show, &event);
    return event;
}

void show_perfetto_semaphore(struct show_perfetto *show, uint64_t channel_id)
{
    if (!show_perfetto_here(show))
        return;
    struct perfetto_event event = semaphore_instant(show, channel_id);
    perfetto_done(&show->out, &event);
}

static uint32_t release_at(uint64_t address)
{
    return (uint32_t)(address / 4 % PF_RECENT);
}

void show_perfetto_release(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->method.channel_id);
    const uint32_t at = release_at(record->method.address);

    if (!channel)
        return;
    show->releases[at].address = record->method.address;
    show->releases[at].flow = PF_FLOW_RELEASE(++show->release_count);
    show->releases[at].flows = show_perfetto_here(show);
    show->last_release = at;
    show->last_release_ps = show->now_ps;
    if (show_perfetto_here(show)) {
        const uint32_t submission =
            show_perfetto_entry_submission(channel, record->method.gp_sequence);
        struct perfetto_event event = semaphore_instant(show, record->method.channel_id);
        for (uint32_t i = 0; i < channel->ended_count && i < PERFETTO_EVENT_FLOWS_MAX; i++)
            perfetto_flow(&event, channel->ended[i], true);
        if (submission)
            show_perfetto_submission_flow(show, &event, submission, false);
        perfetto_flow(&event, show->releases[at].flow, false);
        perfetto_done(&show->out, &event);
    }
    channel->ended_count = 0;
}

void show_perfetto_release_flow(struct show_perfetto *show, struct perfetto_event *event,
                                uint32_t release)
{
    if (show->releases[release].flows)
        perfetto_flow(event, show->releases[release].flow, true);
    show->releases[release].flows = false;
}

void show_perfetto_acquire(struct show_perfetto *show, const struct model_record *record)
{
    const uint32_t at = release_at(record->method.address);

    if (!show_perfetto_here(show))
        return;
    struct perfetto_event event = semaphore_instant(show, record->method.channel_id);
    if (show->releases[at].address == record->method.address)
        show_perfetto_release_flow(show, &event, at);
    perfetto_done(&show->out, &event);
}

/* ---- runlists -------------------------------------------------------------------------------- */

static struct pf_runlist *runlist_of(struct show_perfetto *show, uint64_t id)
{
    struct pf_runlist *runlist = show_perfetto_at(show, &show->runlists, id, sizeof *runlist);
    char name[GPU_WORDS_BYTES];

    if (!runlist || runlist->track)
        return runlist;
    (void)gpu_words_runlist(id, name);
    (void)show_perfetto_track(
        show, &runlist->track,
        &(struct pf_place){show_perfetto_gpu(show), (int32_t)(PF_RANK_RUNLIST + id), name});
    return runlist;
}

uint64_t show_perfetto_runlist_track(struct show_perfetto *show, uint64_t id)
{
    const struct pf_runlist *runlist = runlist_of(show, id);

    return runlist ? runlist->track : 0;
}

/* The TSG with that number, made when it is new; NULL: the error is set. */
static struct pf_tsg *tsg_of(struct show_perfetto *show, struct pf_runlist *runlist, uint64_t id)
{
    const uint32_t at = id_map_find(&runlist->by_id, id);

    if (at != ID_MAP_NONE)
        return &runlist->tsgs[at];
    if (runlist->tsg_count == PF_IDS) {
        (void)show_perfetto_absurd(show, "no runlist has so many TSGs:", PF_IDS + 1);
        return NULL;
    }
    if (runlist->tsg_count == runlist->tsg_capacity) {
        const uint32_t capacity = runlist->tsg_capacity ? 2 * runlist->tsg_capacity : 16;
        struct pf_tsg *tsgs = realloc(runlist->tsgs, capacity * sizeof *tsgs);
        if (tsgs) {
            runlist->tsgs = tsgs;
            runlist->tsg_capacity = capacity;
        }
    }
    if (runlist->tsg_count == runlist->tsg_capacity ||
        !id_map_add(&runlist->by_id, id, runlist->tsg_count)) {
        (void)show_perfetto_no_memory(show);
        return NULL;
    }
    runlist->tsgs[runlist->tsg_count] = (struct pf_tsg){.id = id};
    return &runlist->tsgs[runlist->tsg_count++];
}

/* Of channels that stand in a runlist without a TSG the log makes one of a number beyond these. */
enum { NO_TSG = 0x10000 };

static void tsg_end(struct show_perfetto *show, struct pf_runlist *runlist, struct pf_tsg *tsg,
                    bool unfinished)
{
    const char *const format = tsg->id >= NO_TSG ? "channel %" PRIu64 : "TSG %" PRIu64;
    const uint64_t shown = tsg->id >= NO_TSG ? tsg->id - NO_TSG : tsg->id;
    char name[40];

    if (!tsg->open)
        return;
    tsg->open = false;
    if (!show_perfetto_within(show, tsg->begin_ps, show->now_ps))
        return;
    (void)snprintf(name, sizeof name, format, shown);
    (void)show_perfetto_track(
        show, &tsg->track,
        &(struct pf_place){runlist->track, (int32_t)(tsg - runlist->tsgs) + 1, name});
    const uint64_t number = show_perfetto_name(show, &tsg->name, format, shown);
    struct perfetto_event event =
        show_perfetto_begin(show, tsg->track, number, CATEGORY_SCHEDULE, tsg->begin_ps);
    perfetto_note(&event, NOTE_TSG, tsg->id);
    perfetto_note(&event, NOTE_TIMESLICE, tsg->timeslice_ps);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, tsg->track, tsg->begin_ps, show->now_ps);
}

void show_perfetto_tsg_start(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_runlist *runlist = runlist_of(show, record->slice.runlist_id);
    struct pf_tsg *tsg = runlist ? tsg_of(show, runlist, record->slice.tsg_id) : NULL;

    if (!tsg)
        return;
    tsg_end(show, runlist, tsg, true);
    tsg->open = true;
    tsg->begin_ps = show->now_ps;
    tsg->timeslice_ps = record->slice.timeslice_ps;
}

void show_perfetto_tsg_end(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_runlist *runlist = show_perfetto_find(show->runlists, record->slice.runlist_id);

    const uint32_t at = runlist ? id_map_find(&runlist->by_id, record->slice.tsg_id) : ID_MAP_NONE;

    if (at != ID_MAP_NONE)
        tsg_end(show, runlist, &runlist->tsgs[at], false);
}

void show_perfetto_schedule_finish(struct show_perfetto *show)
{
    for (uint32_t i = 0; i < show->id_end; i++) {
        struct pf_runlist *runlist = show_perfetto_find(show->runlists, i);
        for (uint32_t at = 0; runlist && at < runlist->tsg_count; at++)
            tsg_end(show, runlist, &runlist->tsgs[at], true);
    }
}
