/* SPDX-License-Identifier: MIT */
/*
 * Submissions of the nouveau model: GEM_PUSHBUF's pushes become GP entries, one GP_PUT store each
 * (nv50_dma_push), and behind them stands the kernel's fence (nvc0_fence_emit): a semaphore release
 * of the next value and a non-stalling interrupt, six dwords in the kernel's own push buffer.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* What SUBMIT and EXEC have in common. */
struct nouveau_call {
    uint32_t channel_id, submission_id;
    bool is_exec;
    struct trace_pushes pushes;
};

static struct nouveau_call nouveau_call_of(struct nouveau *nouveau, uint32_t thread_index)
{
    const struct trace_record *record = nouveau->record(nouveau->client.context, thread_index);

    if (record->head.kind == TRACE_EXEC)
        return (struct nouveau_call){record->exec.channel_id, record->exec.submission_id, true,
                                     record->exec.pushes};
    if (record->head.kind == TRACE_SUBMIT)
        return (struct nouveau_call){record->submit.channel_id, record->submit.submission_id, false,
                                     record->submit.pushes};
    return (struct nouveau_call){.channel_id = TRACE_ANY};
}

static struct nouveau_call nouveau_current(struct nouveau *nouveau)
{
    return nouveau_call_of(nouveau, nouveau->state->submission.thread_index);
}

static void nouveau_schedule(struct nouveau *nouveau, uint32_t parameter)
{
    machine_schedule(
        nouveau->machine, nouveau->unit,
        clock_add(machine_now(nouveau->machine), machine_parameter(nouveau->machine, parameter)),
        NOUVEAU_SUBMIT_STEP, 0);
}

/* ---- starting -------------------------------------------------------------------------------- */

static void nouveau_begin(struct nouveau *nouveau, uint32_t thread_index)
{
    struct nouveau_state *state = nouveau->state;
    const struct nouveau_channel *channel;
    struct nouveau_call call;

    state->submission = (struct nouveau_submission){
        .active = 1,
        .thread_index = thread_index,
        .ring_wait_from_ps = GFE_PS_NEVER,
    };
    call = nouveau_current(nouveau);
    channel = nouveau_channel_by_user(nouveau, call.channel_id);
    /* Only an open loop gets here: otherwise a channel goes when its submissions are through. */
    if (!channel) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "channel %u goes while submission %u waits for the driver's lock",
                     call.channel_id, call.submission_id);
        return;
    }
    state->submission.channel = nouveau_channel_id(nouveau, channel);
    nouveau_schedule(nouveau, PARAM_NOUVEAU_SUBMIT_PS);
}

/* Its channel exists, and has a ring that takes it. */
static bool nouveau_call_check(struct nouveau *nouveau, const struct nouveau_call *call)
{
    const uint64_t entries = machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES);
    const struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, call->channel_id);

    if (!channel) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "submission %u goes to channel %u, which does not exist", call->submission_id,
                     call->channel_id);
        return false;
    }
    if (call->is_exec != (nouveau->state->space_is_vm[channel->as_id] != 0)) {
        machine_fail(
            nouveau->machine, ERROR_INPUT,
            "submission %u to channel %u is not of the interface that its client has chosen",
            call->submission_id, call->channel_id);
        return false;
    }
    /* With the fence, and one entry that always stays free. */
    if (call->pushes.count + UINT64_C(2) > entries) {
        machine_fail(nouveau->machine, ERROR_INPUT,
                     "submission %u has %u pushes: with its fence more than a ring of %llu entries "
                     "takes (nouveau.ring_entries)",
                     call->submission_id, call->pushes.count, (unsigned long long)entries);
        return false;
    }
    return true;
}

static bool nouveau_push_lies(struct nouveau *nouveau, const struct nouveau_call *call,
                              const struct trace_push *push)
{
    const struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, call->channel_id);
    const struct nouveau_object *object =
        nouveau_object_find(nouveau, channel->as_id, push->handle);

    if (push->length_bytes % 4 || push->length_bytes > 0x7fffff || push->offset % 4)
        return false;
    if (call->is_exec) /* by virtual address; where nothing is bound then, the GPU faults */
        return push->handle == TRACE_ANY && push->offset < UINT64_C(1) << 40 &&
               push->length_bytes <= (UINT64_C(1) << 40) - push->offset;
    return push->length_bytes != 0 && object && push->offset <= object->size_bytes &&
           push->length_bytes <= object->size_bytes - push->offset;
}

static bool nouveau_submit_check(struct nouveau *nouveau, const struct nouveau_call *call)
{
    if (!nouveau_call_check(nouveau, call))
        return false;
    for (uint32_t i = 0; i < call->pushes.count; i++)
        if (!nouveau_push_lies(nouveau, call, &call->pushes.push[i])) {
            machine_fail(nouveau->machine, ERROR_INPUT,
                         "push %u of submission %u does not lie in %s", i, call->submission_id,
                         call->is_exec ? "40 bits of addresses" : "a memory object");
            return false;
        }
    return true;
}

/* nouveau_gem_ioctl_pushbuf, nouveau_exec_ioctl_exec: ENODEV of a channel that was killed, of which
 * a recorded program makes nothing. */
static bool nouveau_call_is_refused(struct nouveau *nouveau, const struct nouveau_call *call,
                                    uint32_t thread_index)
{
    if (!nouveau_channel_by_user(nouveau, call->channel_id)->killed)
        return false;
    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_REFUSED, RULE_NONE, call->channel_id,
                call->submission_id);
    machine_schedule(nouveau->machine, nouveau->unit,
                     clock_add(machine_now(nouveau->machine),
                               machine_parameter(nouveau->machine, PARAM_NOUVEAU_RETURN_PS)),
                     NOUVEAU_BIND_RETURN, thread_index);
    return true;
}

/* The call begins when the driver's lock is free. */
static bool nouveau_call_start(struct nouveau *nouveau, uint32_t thread_index)
{
    struct nouveau_state *state = nouveau->state;

    if (!state->submission.active) {
        nouveau_begin(nouveau, thread_index);
        return true;
    }
    if (state->queue_count == NOUVEAU_QUEUE_MAX) {
        machine_fail(nouveau->machine, ERROR_LIMIT, "more than %d threads submit at once",
                     NOUVEAU_QUEUE_MAX);
        return false;
    }
    state->queue[state->queue_count++] = (struct nouveau_waiter){
        .thread_index = thread_index, .since_ps = machine_now(nouveau->machine)};
    return true;
}

bool nouveau_submit(void *driver, const struct trace_submit *record, uint32_t thread_index)
{
    const struct nouveau_call call = {record->channel_id, record->submission_id, false,
                                      record->pushes};

    return nouveau_submit_check(driver, &call) &&
           (nouveau_call_is_refused(driver, &call, thread_index) ||
            nouveau_call_start(driver, thread_index));
}

bool nouveau_exec(void *driver, const struct trace_exec *record, uint32_t thread_index)
{
    const struct nouveau_call call = {record->channel_id, record->submission_id, true,
                                      record->pushes};

    return nouveau_submit_check(driver, &call) &&
           (nouveau_call_is_refused(driver, &call, thread_index) ||
            nouveau_call_start(driver, thread_index));
}

/* ---- the ring -------------------------------------------------------------------------------- */

static uint64_t nouveau_userd_bar1(const struct nouveau *nouveau, uint32_t channel_id)
{
    return nouveau->state->userd_bar1 + (uint64_t)channel_id * NV_RAMUSERD_BYTES;
}

/* Free GP entries; one always stays empty. */
static uint32_t nouveau_free_entries(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const uint32_t entries =
        (uint32_t)machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES);
    const uint32_t get = machine_bar1_read32(
        nouveau->machine,
        nouveau_userd_bar1(nouveau, nouveau_channel_id(nouveau, channel)) + NV_RAMUSERD_GP_GET);

    return (get - channel->put - 1) & (entries - 1);
}

/* What goes into the ring. */
struct nouveau_entry {
    uint64_t va, bytes;
    uint32_t submission_id;
    bool no_prefetch;
    enum event_origin origin;
};

/* Writes one GP entry and stores GP_PUT. */
static void nouveau_push(struct nouveau *nouveau, struct nouveau_channel *channel,
                         const struct nouveau_entry *push)
{
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const uint32_t mask =
        (uint32_t)machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES) - 1;
    const struct nv_gp_entry entry = {
        .address = push->va,
        .length_dwords = (uint32_t)(push->bytes / 4),
        .sync_wait = push->no_prefetch,
    };
    const uint64_t at = channel->buffer + NOUVEAU_PUSH_BYTES + UINT64_C(8) * channel->put;
    uint32_t words[2];

    nv_gp_entry_encode(&entry, words);
    (void)machine_write(nouveau->machine, MEMORY_SYSMEM, at, words, sizeof words);
    MACHINE_LOG_ORIGIN(nouveau->machine, nouveau->unit, EVENT_DRIVER_GP_ENTRY, RULE_NONE,
                       push->origin, id, channel->gp_sequence, channel->put, push->va,
                       push->bytes / 4, push->submission_id);
    channel->gp_sequence++;
    channel->put = (channel->put + 1) & mask;
    MACHINE_LOG_ORIGIN(nouveau->machine, nouveau->unit, EVENT_DRIVER_KICK, RULE_NOUVEAU_KICK,
                       ORIGIN_MODELLED, id, channel->put);
    machine_bar1_write32(nouveau->machine, nouveau_userd_bar1(nouveau, id) + NV_RAMUSERD_GP_PUT,
                         channel->put);
    nouveau_ring(nouveau, channel);
}

/* The kernel's fence. */
static void nouveau_emit_fence(struct nouveau *nouveau, struct nouveau_channel *channel,
                               uint32_t submission_id)
{
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const bool sem = nouveau->chip->gv100_ramfc &&
                     nouveau->machine->choices[CHOICE_NOUVEAU_FENCE] == NOUVEAU_FENCE_SEM_EXECUTE;
    const uint32_t count = sem ? NOUVEAU_FENCE_DWORDS_MAX : NOUVEAU_FENCE_DWORDS;
    const uint32_t offset = nouveau_fence_offset(channel->fence_value, count);
    const uint32_t value = ++channel->fence_value;
    uint32_t dwords[NOUVEAU_FENCE_DWORDS_MAX];

    if (sem)
        nouveau_fence_segment_sem(channel->fence_va, value, dwords);
    else
        nouveau_fence_segment(channel->fence_va, value, dwords);
    (void)machine_write(nouveau->machine, MEMORY_SYSMEM, channel->buffer + offset, dwords,
                        4 * count);
    channel->fence_submissions[value % NOUVEAU_FENCES] = submission_id;
    MACHINE_LOG_ORIGIN(nouveau->machine, nouveau->unit, EVENT_DRIVER_FENCE, RULE_NOUVEAU_FENCE,
                       ORIGIN_MODELLED, id, channel->fence_va, value, submission_id);
    nouveau_push(nouveau, channel,
                 &(struct nouveau_entry){.va = channel->buffer_va + offset,
                                         .bytes = 4 * count,
                                         .submission_id = submission_id,
                                         .origin = ORIGIN_MODELLED});
}

void nouveau_submit_push(struct nouveau *nouveau, struct nouveau_channel *channel,
                         const struct nouveau_item *push, uint32_t submission_id)
{
    /* An entry without dwords is a control entry: the kernel writes what it is given. */
    nouveau_note_physical(nouveau, channel, push->va, push->size_bytes);
    nouveau_push(nouveau, channel,
                 &(struct nouveau_entry){.va = push->va,
                                         .bytes = push->size_bytes,
                                         .submission_id = submission_id,
                                         .no_prefetch = push->op & TRACE_PUSH_NO_PREFETCH,
                                         .origin = ORIGIN_RECORDED});
}

uint32_t nouveau_submit_fence(struct nouveau *nouveau, struct nouveau_channel *channel,
                              uint32_t submission_id)
{
    nouveau_emit_fence(nouveau, channel, submission_id);
    return channel->fence_value;
}

/* ---- step by step ---------------------------------------------------------------------------- */

/* The call returns; who waits for the driver's lock is next. */
static void nouveau_return(struct nouveau *nouveau)
{
    struct nouveau_state *state = nouveau->state;
    const uint32_t thread_index = state->submission.thread_index;

    state->submission = (struct nouveau_submission){0};
    if (state->queue_count > 0) {
        const struct nouveau_waiter next = state->queue[0];

        state->queue_count--;
        for (uint32_t i = 0; i < state->queue_count; i++)
            state->queue[i] = state->queue[i + 1];
        state->queue[state->queue_count] = (struct nouveau_waiter){0};
        MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_WAIT, RULE_NOUVEAU_LOCK, next.since_ps,
                    SUBJECT_THREAD, next.thread_index, SUBJECT_THREAD, thread_index);
        nouveau_begin(nouveau, next.thread_index);
    }
    nouveau->client.call_returned(nouveau->client.context, thread_index);
}

/* True when the ring has room for all pushes and the fence; else looks again later. */
static bool nouveau_has_room(struct nouveau *nouveau, const struct nouveau_channel *channel,
                             uint32_t push_count)
{
    struct nouveau_submission *submission = &nouveau->state->submission;

    if (nouveau_free_entries(nouveau, channel) < push_count + 1) {
        if (submission->ring_wait_from_ps == GFE_PS_NEVER)
            submission->ring_wait_from_ps = machine_now(nouveau->machine);
        /* The driver polls GP_GET; the model looks at the first poll after it has moved. */
        machine_watch(nouveau->machine, nouveau->unit, NOUVEAU_RING_MOVED, 0, MEMORY_VRAM,
                      nouveau->state->userd_pool +
                          (uint64_t)nouveau_channel_id(nouveau, channel) * NV_RAMUSERD_BYTES +
                          NV_RAMUSERD_GP_GET);
        return false;
    }
    if (submission->ring_wait_from_ps != GFE_PS_NEVER)
        MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_WAIT, RULE_NV_RING,
                    submission->ring_wait_from_ps, SUBJECT_SUBMISSION,
                    nouveau_current(nouveau).submission_id, SUBJECT_RING,
                    nouveau_channel_id(nouveau, channel));
    submission->ring_wait_from_ps = GFE_PS_NEVER;
    return true;
}

void nouveau_ring_moved(struct nouveau *nouveau)
{
    const struct machine *machine = nouveau->machine;
    const gfe_ps from = nouveau->state->submission.ring_wait_from_ps;
    const uint64_t poll_ps = machine_parameter(machine, PARAM_NOUVEAU_POLL_PS);
    const uint64_t polls = (machine_now(machine) - from + poll_ps - 1) / poll_ps;

    machine_schedule(nouveau->machine, nouveau->unit, clock_add(from, polls * poll_ps),
                     NOUVEAU_SUBMIT_STEP, 0);
}

/* Submissions that wait when nothing is left to happen: one for a ring, others for the lock. */
bool nouveau_reports(void *driver, uint32_t thread_index)
{
    const struct nouveau *nouveau = driver;
    const struct nouveau_state *state = nouveau->state;
    bool found = state->submission.active && state->submission.thread_index == thread_index;

    for (uint32_t i = 0; i < state->queue_count; i++)
        found = found || state->queue[i].thread_index == thread_index;
    return found || nouveau_job_is_for(nouveau, thread_index);
}

void nouveau_submit_finish(struct nouveau *nouveau)
{
    const struct nouveau_submission *submission = &nouveau->state->submission;
    const struct nouveau_state *state = nouveau->state;

    if (submission->active && submission->ring_wait_from_ps != GFE_PS_NEVER)
        machine_log_open(nouveau->machine, nouveau->unit, RULE_NV_RING,
                         &(struct machine_wait){submission->ring_wait_from_ps, SUBJECT_SUBMISSION,
                                                nouveau_current(nouveau).submission_id,
                                                SUBJECT_RING, submission->channel});
    else if (submission->active)
        machine_log_lost(nouveau->machine, nouveau->unit,
                         &(struct machine_wait){machine_now(nouveau->machine), SUBJECT_SUBMISSION,
                                                nouveau_current(nouveau).submission_id,
                                                SUBJECT_NONE, 0});
    for (uint32_t i = 0; i < state->queue_count; i++)
        machine_log_open(nouveau->machine, nouveau->unit, RULE_NOUVEAU_LOCK,
                         &(struct machine_wait){state->queue[i].since_ps, SUBJECT_THREAD,
                                                state->queue[i].thread_index, SUBJECT_THREAD,
                                                submission->thread_index});
}

/* ---- what is still on its way into the ring -------------------------------------------------- */

uint32_t nouveau_in_flight(struct nouveau *nouveau, const struct nouveau_channel *channel,
                           uint32_t last_id, uint32_t *submission_id)
{
    const struct nouveau_state *state = nouveau->state;
    uint32_t ahead, found;

    found = nouveau_jobs_queued(nouveau, nouveau_channel_id(nouveau, channel), last_id, &ahead,
                                submission_id);
    for (uint32_t i = 0; i <= state->queue_count && state->submission.active; i++) {
        const uint32_t index =
            i == 0 ? state->submission.thread_index : state->queue[i - 1].thread_index;
        const struct nouveau_call call = nouveau_call_of(nouveau, index);
        const uint32_t steps = call.is_exec ? 0 : call.pushes.count;
        const bool emitted = i == 0 && state->submission.next_push > steps;

        if (call.channel_id != channel->user_id || (call.pushes.count == 0 && !call.is_exec) ||
            emitted)
            continue;
        ahead++;
        if (call.submission_id <= last_id) {
            found = ahead;
            *submission_id = call.submission_id;
        }
    }
    return found;
}

/* An EXEC's call makes its job, and returns. */
static void nouveau_exec_step(struct nouveau *nouveau)
{
    struct nouveau_submission *submission = &nouveau->state->submission;
    const struct trace_record *record =
        nouveau->record(nouveau->client.context, submission->thread_index);

    if (submission->next_push > 0) {
        nouveau_return(nouveau);
        return;
    }
    if (!nouveau_job_exec(nouveau, &record->exec))
        return;
    submission->next_push = 1;
    nouveau_schedule(nouveau, PARAM_NOUVEAU_RETURN_PS);
}

void nouveau_submit_step(struct nouveau *nouveau)
{
    struct nouveau_submission *submission = &nouveau->state->submission;
    struct nouveau_channel *channel = &nouveau->state->channels[submission->channel];
    const struct nouveau_call call = nouveau_current(nouveau);
    const struct nouveau_object *object;
    const struct trace_push *push;

    if (call.is_exec) {
        nouveau_exec_step(nouveau);
        return;
    }
    /* A submission without pushes only asks the driver for its limits: no entry, no fence. */
    if (submission->next_push > call.pushes.count || call.pushes.count == 0) {
        nouveau_return(nouveau);
        return;
    }
    if (submission->next_push == 0 && !nouveau_has_room(nouveau, channel, call.pushes.count))
        return;
    if (submission->next_push < call.pushes.count) {
        push = &call.pushes.push[submission->next_push];
        object = nouveau_object_find(nouveau, channel->as_id, push->handle);
        /* Only in an open loop: otherwise memory goes when the submission is through. */
        if (!object) {
            machine_fail(nouveau->machine, ERROR_INPUT,
                         "memory object %u goes while submission %u is being made", push->handle,
                         call.submission_id);
            return;
        }
        nouveau_note_span(channel, object->va + push->offset, push->length_bytes);
        nouveau_push(nouveau, channel,
                     &(struct nouveau_entry){.va = object->va + push->offset,
                                             .bytes = push->length_bytes,
                                             .submission_id = call.submission_id,
                                             .no_prefetch = push->flags & TRACE_PUSH_NO_PREFETCH,
                                             .origin = ORIGIN_RECORDED});
        submission->next_push++;
        nouveau_schedule(nouveau, PARAM_NOUVEAU_ENTRY_PS);
        return;
    }
    nouveau_emit_fence(nouveau, channel, call.submission_id);
    submission->next_push++;
    nouveau_schedule(nouveau, PARAM_NOUVEAU_RETURN_PS);
}
