/* SPDX-License-Identifier: MIT */
/* The program's threads: calls of the driver, waits for the GPU. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

struct pf_thread *show_perfetto_thread(struct show_perfetto *show, uint64_t id)
{
    return show_perfetto_at(show, &show->threads, id, sizeof(struct pf_thread));
}

static uint64_t thread_track(struct show_perfetto *show, struct pf_thread *thread, uint64_t id)
{
    if (thread->track == 0)
        thread->track = show_perfetto_thread_track(show, id);
    return thread->track;
}

uint32_t show_perfetto_submitter(const struct show_perfetto *show, uint64_t submission_id)
{
    const uint32_t at = submission_id % PF_RECENT;

    return show->submissions[at].known && show->submissions[at].id == submission_id
               ? show->submissions[at].thread
               : PF_NONE;
}

void show_perfetto_submission_flow(struct show_perfetto *show, struct perfetto_event *event,
                                   uint64_t submission_id, bool last)
{
    const uint32_t at = submission_id % PF_RECENT;

    if (show_perfetto_submitter(show, submission_id) == PF_NONE || !show->submissions[at].flows)
        return;
    perfetto_flow(event, PF_FLOW_SUBMISSION(submission_id), last);
    show->submissions[at].flows = !last;
}

/* ---- submissions ----------------------------------------------------------------------------- */

static void submission_begin(struct show_perfetto *show, struct pf_thread *thread, uint64_t id)
{
    const uint64_t track = thread_track(show, thread, id);

    if (thread->submit_begun)
        return;
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_SUBMISSION, CATEGORY_PROGRAM, thread->submit_ps);
    perfetto_note(&event, NOTE_SUBMISSION, thread->submission_id);
    perfetto_note(&event, NOTE_CHANNEL, thread->channel_id);
    perfetto_note(&event, NOTE_PUSHES, thread->push_count);
    perfetto_note(&event, NOTE_PUSH_BYTES, thread->push_bytes);
    if (thread->stored_bytes)
        perfetto_note(&event, NOTE_STORED, thread->stored_bytes);
    show_perfetto_submission_flow(show, &event, thread->submission_id, false);
    perfetto_done(&show->out, &event);
    thread->submit_begun = true;
}

static void submission_end(struct show_perfetto *show, struct pf_thread *thread, uint64_t id,
                           bool unfinished)
{
    if (!thread->submits)
        return;
    thread->submits = false;
    if (!thread->submit_begun && !show_perfetto_within(show, thread->submit_ps, show->now_ps))
        return;
    submission_begin(show, thread, id);
    struct perfetto_event event =
        show_perfetto_end(show, thread->track, thread->submit_ps, show->now_ps);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    perfetto_done(&show->out, &event);
}

void show_perfetto_submission_begin(struct show_perfetto *show, uint64_t submission_id)
{
    const uint32_t id = show_perfetto_submitter(show, submission_id);
    struct pf_thread *thread = id == PF_NONE ? NULL : show_perfetto_find(show->threads, id);

    if (show_perfetto_here(show) && thread && thread->submits &&
        thread->submission_id == submission_id)
        submission_begin(show, thread, id);
}

/* AMD: a store to a doorbell, which takes no time. */
static void submit_instant(struct show_perfetto *show, struct pf_thread *thread,
                           const struct model_submission *submission)
{
    show->last_submit_ps = show->now_ps;
    show->last_submit_thread = submission->thread;
    if (!show_perfetto_here(show))
        return;
    struct perfetto_event event = show_perfetto_instant(
        show, thread_track(show, thread, submission->thread), NAME_SUBMISSION, CATEGORY_PROGRAM);
    perfetto_note(&event, NOTE_SUBMISSION, submission->id);
    perfetto_note(&event, NOTE_PUSH_BYTES, submission->push_bytes);
    perfetto_done(&show->out, &event);
}

void show_perfetto_submit(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_thread *thread = show_perfetto_thread(show, record->submission.thread);
    const uint32_t at = record->submission.id % PF_RECENT;

    if (thread && show->words.is_amd) {
        submit_instant(show, thread, &record->submission);
        return;
    }
    struct pf_channel *channel =
        thread ? show_perfetto_channel(show, record->submission.channel_id) : NULL;
    if (!channel)
        return;
    submission_end(show, thread, record->submission.thread, true);
    thread->submits = true;
    thread->submit_begun = false;
    thread->submit_ps = show->now_ps;
    thread->submission_id = record->submission.id;
    thread->channel_id = record->submission.channel_id;
    thread->push_count = record->submission.push_count;
    thread->push_bytes = record->submission.push_bytes;
    thread->stored_bytes =
        show->stored_submission == record->submission.id ? show->stored_bytes : 0;
    show->submissions[at].id = record->submission.id;
    show->submissions[at].thread = (uint32_t)record->submission.thread;
    show->submissions[at].known = show->submissions[at].flows = true;
    if (channel->group == 0) {
        channel->process = show->process_of[record->submission.thread];
        channel->has_owner = true;
    }
}

void show_perfetto_submit_return(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_thread *thread = show_perfetto_find(show->threads, record->submission.thread);

    if (thread && thread->submission_id == record->submission.id)
        submission_end(show, thread, record->submission.thread, false);
}

void show_perfetto_store(struct show_perfetto *show, const struct model_record *record)
{
    show->stored_submission = record->store.submission_id;
    show->stored_bytes = record->store.byte_count;
}

/* ---- waits for the GPU ----------------------------------------------------------------------- */

void show_perfetto_cpu_wait_begin(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_thread *thread = show_perfetto_thread(show, record->cpu_wait.thread);

    if (!thread)
        return;
    thread->waits_for_gpu = true;
    thread->wait_ps = show->now_ps;
    thread->wait_submission = record->cpu_wait.submission_id;
    thread->wait_inferred = record->cpu_wait.inferred != 0;
}

/* A wait that was made as a call is for a submission; one that made no call is inferred, from what
 * the program had seen when it made the submission that follows. */
static uint32_t wait_note(const struct pf_thread *thread)
{
    return thread->wait_inferred ? NOTE_NEXT_SUBMISSION : NOTE_SUBMISSION;
}

static void cpu_wait_slice(struct show_perfetto *show, struct pf_thread *thread, uint64_t id,
                           bool unfinished)
{
    thread->waits_for_gpu = false;
    if (!show_perfetto_within(show, thread->wait_ps, show->now_ps))
        return;
    const uint64_t track = thread_track(show, thread, id);
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_CPU_WAIT, CATEGORY_PROGRAM, thread->wait_ps);
    perfetto_note(&event, wait_note(thread), thread->wait_submission);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, thread->wait_ps, show->now_ps);
}

/* The submission's flow ends where the program goes on.  A wait without a call ends with the write
 * that it has looked for: the release at that very time. */
void show_perfetto_cpu_wait_end(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_thread *thread = show_perfetto_find(show->threads, record->cpu_wait.thread);

    if (!thread || !thread->waits_for_gpu)
        return;
    cpu_wait_slice(show, thread, record->cpu_wait.thread, false);
    if (!show_perfetto_here(show))
        return;
    struct perfetto_event event = show_perfetto_instant(
        show, thread_track(show, thread, record->cpu_wait.thread), NAME_GOES_ON, CATEGORY_PROGRAM);
    perfetto_note(&event, wait_note(thread), thread->wait_submission);
    if (!thread->wait_inferred)
        show_perfetto_submission_flow(show, &event, thread->wait_submission, true);
    else if (show->last_release_ps == show->now_ps)
        show_perfetto_release_flow(show, &event, show->last_release);
    perfetto_done(&show->out, &event);
}

void show_perfetto_program_finish(struct show_perfetto *show)
{
    for (uint32_t id = 0; id < show->id_end; id++) {
        struct pf_thread *thread = show_perfetto_find(show->threads, id);
        if (!thread)
            continue;
        if (thread->waits_for_gpu)
            cpu_wait_slice(show, thread, id, true);
        submission_end(show, thread, id, true);
    }
}
