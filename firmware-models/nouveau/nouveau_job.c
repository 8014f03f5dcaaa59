/* SPDX-License-Identifier: MIT */
/* Queues of jobs of the nouveau model: who runs when (nouveau_job.h). */
#include <config.h>

#include <assert.h>

#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

static void job_schedule(struct nouveau *nouveau, uint32_t kind, uint64_t after_ps,
                         uint64_t argument)
{
    machine_schedule(nouveau->machine, nouveau->unit,
                     clock_add(machine_now(nouveau->machine), after_ps), kind, argument);
}

static bool is_exec(const struct nouveau_job *job)
{
    return job->queue < NOUVEAU_CHANNELS_MAX;
}

void nouveau_wake_later(struct nouveau *nouveau)
{
    if (nouveau->state->jobs.wake_pending)
        return;
    nouveau->state->jobs.wake_pending = 1;
    job_schedule(nouveau, NOUVEAU_WAKE, 0, 0);
}

/* ---- items ----------------------------------------------------------------------------------- */

uint32_t nouveau_item_take(struct nouveau *nouveau)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const uint32_t taken = jobs->free_item;

    if (taken != 0) {
        jobs->free_item = jobs->item[taken - 1].next;
        jobs->item[taken - 1] = (struct nouveau_item){0};
        return taken;
    }
    if (jobs->item_count < NOUVEAU_ITEMS_MAX)
        return ++jobs->item_count;
    machine_fail(nouveau->machine, ERROR_LIMIT,
                 "jobs that have not run hold more than %d pushes and bind operations",
                 NOUVEAU_ITEMS_MAX);
    return 0;
}

void nouveau_items_give(struct nouveau *nouveau, struct nouveau_job *job)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    while (job->first_item != 0) {
        struct nouveau_item *item = &jobs->item[job->first_item - 1];
        const uint32_t next = item->next;

        *item = (struct nouveau_item){.next = jobs->free_item};
        jobs->free_item = job->first_item;
        job->first_item = next;
    }
}

static bool exec_items(struct nouveau *nouveau, const struct trace_exec *record,
                       struct nouveau_job *job)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = record->pushes.count; i-- > 0;) {
        const struct trace_push *push = &record->pushes.push[i];
        const uint32_t item = nouveau_item_take(nouveau);

        if (item == 0)
            return false;
        jobs->item[item - 1] = (struct nouveau_item){.va = push->offset,
                                                     .size_bytes = push->length_bytes,
                                                     .op = push->flags,
                                                     .next = job->first_item};
        job->first_item = item;
    }
    return true;
}

/* ---- making jobs ----------------------------------------------------------------------------- */

/* A free job; NULL = none (the run stops). */
static struct nouveau_job *job_new(struct nouveau *nouveau, uint32_t queue, uint32_t number)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++)
        if (jobs->job[i].phase == NOUVEAU_JOB_FREE) {
            jobs->job[i] = (struct nouveau_job){.phase = NOUVEAU_JOB_QUEUED,
                                                .queue = queue,
                                                .number = number,
                                                .order = ++jobs->order};
            jobs->job_count++;
            return &jobs->job[i];
        }
    machine_fail(nouveau->machine, ERROR_LIMIT, "more than %d jobs wait or run at once",
                 NOUVEAU_JOBS_MAX);
    return NULL;
}

static uint32_t job_index(const struct nouveau *nouveau, const struct nouveau_job *job)
{
    return (uint32_t)(job - nouveau->state->jobs.job);
}

/* nouveau_job_submit: the fences that it waits for are taken, then its own is attached. */
static bool job_submit(struct nouveau *nouveau, struct nouveau_job *job,
                       const struct trace_syncs *waits, const struct trace_syncs *signals)
{
    if (!nouveau_syncs_find(nouveau, waits, &job->waits)) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "%s %u waits for what no submission or bind signals",
                     is_exec(job) ? "submission" : "bind", job->number);
        return false;
    }
    if (!nouveau_syncs_signal(nouveau, signals, job_index(nouveau, job)))
        return false;
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_JOB, RULE_NONE, is_exec(job),
                job->number, job->queue, job->item_count, waits->count, signals->count);
    nouveau_jobs_pump(nouveau);
    return true;
}

bool nouveau_job_exec(struct nouveau *nouveau, const struct trace_exec *record)
{
    const struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, record->channel_id);
    struct nouveau_job *job =
        job_new(nouveau, nouveau_channel_id(nouveau, channel), record->submission_id);

    if (!job || !exec_items(nouveau, record, job))
        return false;
    job->item_count = record->pushes.count;
    job->credits = record->pushes.count + 1; /* with its fence */
    return job_submit(nouveau, job, &record->waits, &record->signals);
}

bool nouveau_vm_bind(void *driver, const struct trace_vm_bind *record, uint32_t thread_index)
{
    struct nouveau *nouveau = driver;

    if (record->as_id >= NOUVEAU_SPACES_MAX || !nouveau->state->space_is_vm[record->as_id]) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "bind %u is for address space %u, which the client does not manage",
                     record->bind_id, record->as_id);
        return false;
    }
    job_schedule(nouveau, NOUVEAU_BIND_CALL,
                 machine_parameter(nouveau->machine, PARAM_NOUVEAU_SUBMIT_PS), thread_index);
    return true;
}

void nouveau_bind_call(struct nouveau *nouveau, uint32_t thread_index)
{
    const struct trace_record *record = nouveau->record(nouveau->client.context, thread_index);
    const struct trace_vm_bind *bind = &record->vm_bind;
    struct nouveau_job *job;

    if (record->head.kind != TRACE_VM_BIND)
        return; /* the trace cannot be read any more: the run stops */
    job = job_new(nouveau, NOUVEAU_CHANNELS_MAX + bind->as_id, bind->bind_id);
    if (!job || !nouveau_bind_items(nouveau, bind, job))
        return;
    job->item_count = bind->binds.count;
    if (!(bind->flags & TRACE_BIND_ASYNC))
        job->thread = 1 + thread_index;
    if (job_submit(nouveau, job, &bind->waits, &bind->signals) && job->thread == 0)
        job_schedule(nouveau, NOUVEAU_BIND_RETURN,
                     machine_parameter(nouveau->machine, PARAM_NOUVEAU_RETURN_PS), thread_index);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void wait_log(struct nouveau *nouveau, const struct nouveau_job *job, bool is_open)
{
    const uint32_t kind = is_exec(job) ? SUBJECT_SUBMISSION : SUBJECT_BIND;

    if (job->wait_rule == RULE_NONE ||
        (!is_open && job->wait_from_ps == machine_now(nouveau->machine)))
        return;
    if (is_open)
        machine_log_open(nouveau->machine, nouveau->unit, job->wait_rule,
                         &(struct machine_wait){job->wait_from_ps, kind, job->number,
                                                job->blocker_kind, job->blocker_id});
    else
        MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_WAIT, job->wait_rule, job->wait_from_ps,
                    kind, job->number, job->blocker_kind, job->blocker_id);
}

/* Notes that the job waits now by that rule.  `RULE_NONE` means that it does not wait.  A wait ends
 * when its rule changes. */
static void wait_set(struct nouveau *nouveau, struct nouveau_job *job, uint32_t rule,
                     const struct nouveau_job *blocker)
{
    if (job->wait_rule != rule) {
        wait_log(nouveau, job, false);
        job->wait_rule = rule;
        job->wait_from_ps = rule == RULE_NONE ? 0 : machine_now(nouveau->machine);
    }
    job->blocker_kind = !blocker           ? SUBJECT_NONE
                        : is_exec(blocker) ? SUBJECT_SUBMISSION
                                           : SUBJECT_BIND;
    job->blocker_id = blocker ? blocker->number : 0;
}

/* The job in front of all that have not started in the same queue, or that one itself. */
static struct nouveau_job *queue_head(struct nouveau_jobs *jobs, uint32_t queue)
{
    struct nouveau_job *head = NULL;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++) {
        struct nouveau_job *job = &jobs->job[i];

        if (job->queue == queue &&
            (job->phase == NOUVEAU_JOB_QUEUED || job->phase == NOUVEAU_JOB_RUNS) &&
            (!head || job->order < head->order))
            head = job;
    }
    return head;
}

/* Entries that unfinished jobs of a channel take of its ring, and the oldest of these. */
static uint32_t credits_used(const struct nouveau_jobs *jobs, uint32_t queue,
                             const struct nouveau_job **oldest)
{
    uint32_t used = 0;

    *oldest = NULL;
    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++) {
        const struct nouveau_job *job = &jobs->job[i];

        if (job->queue != queue || job->phase != NOUVEAU_JOB_ON_GPU)
            continue;
        used += job->credits;
        if (!*oldest || job->order < (*oldest)->order)
            *oldest = job;
    }
    return used;
}

/* The head of its queue: may it run? */
static bool head_may_run(struct nouveau *nouveau, struct nouveau_job *job)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;
    const uint32_t first = nouveau_set_first(&job->waits);
    const uint64_t limit = machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES) - 1;
    const struct nouveau_job *oldest;

    if (first != NOUVEAU_JOBS_MAX) {
        wait_set(nouveau, job, RULE_NOUVEAU_SYNC, &jobs->job[first]);
        return false;
    }
    if (is_exec(job) && credits_used(jobs, job->queue, &oldest) + job->credits > limit) {
        wait_set(nouveau, job, RULE_NOUVEAU_CREDITS, oldest);
        return false;
    }
    wait_set(nouveau, job, RULE_NONE, NULL);
    return true;
}

void nouveau_jobs_pump(struct nouveau *nouveau)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX && jobs->job_count > 0; i++) {
        struct nouveau_job *job = &jobs->job[i];
        const struct nouveau_job *head;

        if (job->phase != NOUVEAU_JOB_QUEUED)
            continue;
        head = queue_head(jobs, job->queue);
        if (head != job) {
            wait_set(nouveau, job, RULE_NOUVEAU_QUEUE, head);
        } else if (head_may_run(nouveau, job)) {
            job->phase = NOUVEAU_JOB_RUNS;
            job_schedule(nouveau, NOUVEAU_JOB_STEP,
                         machine_parameter(nouveau->machine, PARAM_NOUVEAU_SCHED_PS), i);
        }
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* A bind takes its time, and then all of it is there. */
static void bind_step(struct nouveau *nouveau, struct nouveau_job *job)
{
    const uint64_t each_ps = machine_parameter(nouveau->machine, PARAM_NOUVEAU_BIND_PS);

    if (job->credits == 0) { /* its first step */
        job->credits = 1;
        job_schedule(nouveau, NOUVEAU_JOB_STEP, each_ps * job->item_count, job_index(nouveau, job));
        return;
    }
    nouveau_bind_apply(nouveau, job);
    nouveau_job_done(nouveau, job_index(nouveau, job));
    nouveau_bind_sweep(nouveau);
}

/* Makes one push, or, after the last, the fence. */
static void exec_step(struct nouveau *nouveau, struct nouveau_job *job)
{
    struct nouveau_channel *channel = &nouveau->state->channels[job->queue];
    const uint64_t each_ps = machine_parameter(nouveau->machine, PARAM_NOUVEAU_ENTRY_PS);
    const uint32_t item = job->first_item;

    if (!channel->used) { /* only in an open loop */
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "a channel goes while submission %u of it has not run", job->number);
        return;
    }
    if (item != 0) {
        struct nouveau_item *push = &nouveau->state->jobs.item[item - 1];

        nouveau_submit_push(nouveau, channel, push, job->number);
        job->first_item = push->next;
        *push = (struct nouveau_item){.next = nouveau->state->jobs.free_item};
        nouveau->state->jobs.free_item = item;
        job_schedule(nouveau, NOUVEAU_JOB_STEP, each_ps, job_index(nouveau, job));
        return;
    }
    job->fence_value = nouveau_submit_fence(nouveau, channel, job->number);
    job->phase = NOUVEAU_JOB_ON_GPU;
    nouveau_arm(nouveau); /* the scheduler sleeps on it */
    nouveau_jobs_pump(nouveau);
}

void nouveau_job_step(struct nouveau *nouveau, uint32_t index)
{
    struct nouveau_job *job = &nouveau->state->jobs.job[index];

    if (is_exec(job))
        exec_step(nouveau, job);
    else
        bind_step(nouveau, job);
}

/* ---- done ------------------------------------------------------------------------------------ */

void nouveau_job_done(struct nouveau *nouveau, uint32_t index)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;
    struct nouveau_job *job = &jobs->job[index];
    const uint32_t thread = job->thread;

    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_JOB_DONE, RULE_NONE, is_exec(job),
                job->number, job->queue);
    nouveau_items_give(nouveau, job);
    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++)
        nouveau_set_remove(&jobs->job[i].waits, index);
    nouveau_syncobjs_job_done(nouveau, index);
    /* Jobs that waited for this one still name it, so it is removed last. */
    nouveau_jobs_pump(nouveau);
    jobs->job[index] = (struct nouveau_job){0};
    jobs->job_count--;
    nouveau_jobs_pump(nouveau);
    if (thread != 0)
        job_schedule(nouveau, NOUVEAU_BIND_RETURN,
                     machine_parameter(nouveau->machine, PARAM_NOUVEAU_RETURN_PS), thread - 1);
    nouveau_wake_later(nouveau);
}

/* nouveau_fence_update: a channel's fences are done in their order; those of one that was killed
 * are done, with an error. */
void nouveau_jobs_look(struct nouveau *nouveau)
{
    struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX && jobs->job_count > 0; i++) {
        const struct nouveau_job *job = &jobs->job[i];
        const struct nouveau_channel *channel;
        uint32_t value = 0;

        if (job->phase != NOUVEAU_JOB_ON_GPU)
            continue;
        channel = &nouveau->state->channels[job->queue];
        (void)machine_read(nouveau->machine, MEMORY_VRAM, channel->fence_physical, &value,
                           sizeof value);
        if (channel->killed || (int32_t)(value - job->fence_value) >= 0)
            nouveau_job_done(nouveau, i);
    }
}

uint32_t nouveau_jobs_queued(const struct nouveau *nouveau, uint32_t channel_id, uint32_t last_id,
                             uint32_t *ahead, uint32_t *submission_id)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;
    uint32_t found = 0;
    uint64_t order = 0;

    *ahead = 0;
    for (uint32_t n = 0; n < jobs->job_count; n++) {
        const struct nouveau_job *next = NULL;

        for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++) {
            const struct nouveau_job *job = &jobs->job[i];

            if (job->queue == channel_id && job->order > order &&
                (job->phase == NOUVEAU_JOB_QUEUED || job->phase == NOUVEAU_JOB_RUNS) &&
                (!next || job->order < next->order))
                next = job;
        }
        if (!next)
            break;
        order = next->order;
        ++*ahead;
        if (next->number <= last_id) {
            found = *ahead;
            *submission_id = next->number;
        }
    }
    return found;
}

bool nouveau_job_is_for(const struct nouveau *nouveau, uint32_t thread_index)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++)
        if (jobs->job[i].phase != NOUVEAU_JOB_FREE && jobs->job[i].thread == 1 + thread_index)
            return true;
    return false;
}

/* One that the GPU has is reported by what it waits for there, too. */
void nouveau_jobs_finish(struct nouveau *nouveau)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX; i++) {
        const struct nouveau_job *job = &jobs->job[i];

        if (job->phase == NOUVEAU_JOB_QUEUED && job->wait_rule != RULE_NONE)
            wait_log(nouveau, job, true);
        else if (job->phase != NOUVEAU_JOB_FREE)
            machine_log_lost(
                nouveau->machine, nouveau->unit,
                &(struct machine_wait){machine_now(nouveau->machine),
                                       is_exec(job) ? SUBJECT_SUBMISSION : SUBJECT_BIND,
                                       job->number, SUBJECT_NONE, 0});
    }
}
