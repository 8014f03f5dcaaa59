/* SPDX-License-Identifier: MIT */
/* Queues of streams: which operation may go on, and which rule keeps the others. */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"

static bool cuda_is_kernel(const struct cuda *cuda, const struct cuda_operation *operation)
{
    return cuda_way_of(cuda, operation) == CUDA_BY_KERNEL;
}

/* Operations that the GPU never sees: they are complete when their turn has come. */
static bool cuda_is_software(const struct cuda *cuda, const struct cuda_operation *operation)
{
    const enum cuda_call_kind kind = cuda_call_of(cuda, operation)->kind;

    return kind == CUDA_STREAM_WAIT_EVENT ||
           (kind == CUDA_EVENT_RECORD && cuda_way_of(cuda, operation) != CUDA_RELEASE);
}

uint32_t cuda_rule_head(const struct cuda *cuda)
{
    return cuda->model->sm.one_pool ? RULE_Y_R2 : RULE_T_G2;
}

uint32_t cuda_ahead(const struct cuda *cuda)
{
    const bool may = cuda_channel_static(cuda) && cuda->model->class_compute >= HOPPER_COMPUTE_A;

    return may ? (uint32_t)cuda_parameter(cuda, PARAM_CUDA_SEND_AHEAD) : 1;
}

static struct cuda_operation *cuda_head(const struct cuda *cuda, uint32_t stream)
{
    const uint32_t first = cuda->streams[stream].first;

    return first != 0 ? cuda_operation(cuda, first) : NULL;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Ends the operation's wait, and begins another by `rule`.  `RULE_NONE` means that it goes on. */
static void cuda_wait(struct cuda *cuda, struct cuda_operation *operation, uint32_t rule,
                      uint64_t blocker_id)
{
    const gfe_ps now = machine_now(cuda->machine);

    if (operation->wait_rule == rule && operation->blocker_id == blocker_id)
        return;
    if (operation->wait_rule != RULE_NONE && operation->wait_from_ps < now)
        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_WAIT, operation->wait_rule,
                    operation->wait_from_ps, SUBJECT_OPERATION, operation->operation_id,
                    operation->blocker_id ? SUBJECT_OPERATION : SUBJECT_NONE,
                    operation->blocker_id);
    operation->wait_rule = rule;
    operation->wait_from_ps = now;
    operation->blocker_id = blocker_id;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Returns a free record, or 0 if there is none. */
static uint32_t cuda_new_operation(struct cuda *cuda)
{
    struct cuda_state *state = cuda->state;
    const uint32_t link = state->free_operation;

    if (link == 0)
        return state->used_operations < CUDA_OPERATIONS_MAX ? ++state->used_operations : 0;
    state->free_operation = cuda_operation(cuda, link)->next;
    return link;
}

/* A wait for an event is one for what was recorded last when the call is made. */
static void cuda_note_event(struct cuda *cuda, struct cuda_operation *operation)
{
    const struct cuda_call *call = cuda_call_of(cuda, operation);
    struct cuda_event_state *event = &cuda->state->events[call->event];

    if (call->kind == CUDA_EVENT_RECORD)
        *event = (struct cuda_event_state){.operation_id = operation->operation_id,
                                           .stream = operation->stream};
    if (call->kind != CUDA_STREAM_WAIT_EVENT)
        return;
    operation->awaited_id = event->operation_id;
    operation->awaited_stream = event->stream;
}

/* A record has the channel of what its stream was given last. */
static void cuda_note_last(struct cuda *cuda, struct cuda_operation *operation)
{
    struct cuda_stream_state *stream = &cuda->streams[operation->stream];

    if (cuda_way_of(cuda, operation) == CUDA_RELEASE)
        operation->behind_copy = stream->last_copy;
    else if (!cuda_is_software(cuda, operation))
        stream->last_copy =
            cuda_way_of(cuda, operation) == CUDA_BY_ENGINE ? operation->call + 1 : 0;
}

uint64_t cuda_stream_enqueue(struct cuda *cuda, uint32_t task, uint32_t call, uint64_t iteration)
{
    const uint32_t index = cuda->program->calls[call].stream;
    struct cuda_stream_state *stream = &cuda->streams[index];
    struct cuda_operation *operation, *before;
    uint64_t operation_id;
    uint32_t link;

    if (stream->count >= cuda_parameter(cuda, PARAM_CUDA_QUEUE_DEPTH))
        return 0;
    link = cuda_new_operation(cuda);
    if (link == 0)
        return 0;
    operation = cuda_operation(cuda, link);
    *operation = (struct cuda_operation){.operation_id = machine_operation_id(cuda->machine),
                                         .iteration = iteration,
                                         .released_ps = cuda_task_release(cuda, task),
                                         .stream = index,
                                         .task = task,
                                         .call = call};
    operation_id = operation->operation_id; /* it may be over before this function is */
    cuda_note_event(cuda, operation);
    cuda_note_last(cuda, operation);
    before = stream->last ? cuda_operation(cuda, stream->last) : NULL;
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_OPERATION, RULE_T_G1, operation->operation_id,
                index, task, call, iteration);
    if (before) {
        before->next = link;
        cuda_wait(cuda, operation,
                  cuda_is_kernel(cuda, operation) ? cuda_rule_head(cuda) : RULE_T_C1,
                  before->operation_id);
    } else {
        stream->first = link;
    }
    stream->last = link;
    if (stream->next == 0)
        stream->next = link;
    stream->count++;
    stream->kernel_count += cuda_computes(cuda, operation);
    if (cuda_computes(cuda, operation)) { /* whether or not it is at the head */
        (void)cuda_channel_get(cuda, index);
        if (cuda_channel_static(cuda))
            cuda_channel_append(cuda, link);
    }
    if (!before || cuda_ahead(cuda) > 1)
        cuda_stream_review(cuda, cuda->program->streams[index].process);
    return operation_id;
}

/* A warm-up's do not count. */
static void cuda_note_response(struct cuda *cuda, const struct cuda_operation *operation)
{
    struct cuda_response *response = &cuda->responses[operation->call];
    const gfe_ps took_ps = machine_now(cuda->machine) - operation->released_ps;

    if (!cuda->tasks[operation->task].warm)
        return;
    if (response->count++ == 0)
        response->first_ps = response->best_ps = took_ps;
    if (took_ps < response->best_ps)
        response->best_ps = took_ps;
    if (took_ps > response->worst_ps) {
        response->worst_ps = took_ps;
        response->worst_iteration = operation->iteration;
    }
    response->last_ps = took_ps;
    response->sum_ps += took_ps;
}

/* The head leaves. */
static void cuda_pop(struct cuda *cuda, uint32_t index)
{
    struct cuda_stream_state *stream = &cuda->streams[index];
    const uint32_t link = stream->first;
    struct cuda_operation *operation = cuda_operation(cuda, link);
    const bool kernel = cuda_is_kernel(cuda, operation);

    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_COMPLETE, kernel ? RULE_T_G4 : RULE_T_C4,
                operation->operation_id, index);
    cuda_note_response(cuda, operation);
    stream->first = operation->next;
    if (stream->first == 0)
        stream->last = 0;
    stream->count--;
    stream->kernel_count -= cuda_computes(cuda, operation);
    stream->dispatched = 0;
    if (stream->next == link)
        stream->next = operation->next;
    if (operation->sent) {
        stream->ahead--;
        cuda_submit_release(cuda, operation);
    }
    *operation = (struct cuda_operation){.next = cuda->state->free_operation};
    cuda->state->free_operation = link;
}

uint32_t cuda_stream_unsent(const struct cuda *cuda, const struct cuda_operation *operation)
{
    uint32_t link = operation->next;

    while (link != 0 && cuda_operation(cuda, link)->submitted &&
           cuda_is_software(cuda, cuda_operation(cuda, link)))
        link = cuda_operation(cuda, link)->next;
    return link != 0 && cuda_operation(cuda, link)->submitted ? link : 0;
}

bool cuda_stream_passed(const struct cuda *cuda, uint32_t stream, uint64_t operation_id)
{
    const struct cuda_operation *head = cuda_head(cuda, stream);

    return !head || head->operation_id > operation_id;
}

uint64_t cuda_stream_last(const struct cuda *cuda, uint32_t stream)
{
    const uint32_t last = cuda->streams[stream].last;

    return last != 0 ? cuda_operation(cuda, last)->operation_id : 0;
}

/* ---- what may go on -------------------------------------------------------------------------- */

/* It and the NULL stream wait for each other; CUDA.PER_THREAD. */
static bool cuda_stream_blocks(const struct cuda_stream *stream)
{
    return stream->kind == CUDA_BLOCKING_STREAM || stream->kind == CUDA_PER_THREAD_STREAM;
}

/* Returns the head of another stream that was launched before and has to go first (T.N1, T.N2).
 * Returns NULL if there is none. */
static const struct cuda_operation *cuda_null_blocker(const struct cuda *cuda,
                                                      const struct cuda_operation *operation)
{
    const struct cuda_stream *streams = cuda->program->streams;
    const struct cuda_stream *of = &streams[operation->stream];
    const struct cuda_operation *found = NULL;

    if (of->kind == CUDA_NON_BLOCKING_STREAM)
        return NULL;
    for (uint32_t i = cuda->first_streams[of->process]; i < cuda->first_streams[of->process + 1];
         i++) {
        const struct cuda_operation *head = cuda_head(cuda, i);
        const bool pair = of->kind == CUDA_NULL_STREAM ? cuda_stream_blocks(&streams[i])
                                                       : streams[i].kind == CUDA_NULL_STREAM;

        if (pair && head && head->operation_id < operation->operation_id &&
            (!found || head->operation_id < found->operation_id))
            found = head;
    }
    return found;
}

/* CUDA.AHEAD: as many of its stream's operations as may be are with the GPU, or the ring of its
 * channel has no room. */
static bool cuda_is_kept(const struct cuda *cuda, const struct cuda_operation *operation,
                         uint64_t *blocker_id)
{
    const struct cuda_operation *head = cuda_head(cuda, operation->stream);

    if (cuda->streams[operation->stream].ahead < cuda_ahead(cuda) &&
        cuda_submit_has_room(cuda, operation))
        return false;
    *blocker_id = head != operation ? head->operation_id : 0;
    return true;
}

/* Why an operation that would be the next one of its stream does not go on. */
static uint32_t cuda_obstacle(struct cuda *cuda, const struct cuda_operation *operation,
                              uint64_t *blocker_id)
{
    const struct cuda_operation *other = cuda_null_blocker(cuda, operation);

    *blocker_id = other ? other->operation_id : 0;
    if (other)
        return cuda->program->streams[operation->stream].kind == CUDA_NULL_STREAM ? RULE_T_N1
                                                                                  : RULE_T_N2;
    if (operation->awaited_id != 0 && operation->awaited_stream != operation->stream &&
        !cuda_stream_passed(cuda, operation->awaited_stream, operation->awaited_id)) {
        *blocker_id = operation->awaited_id;
        return RULE_CUDA_EVENT;
    }
    if (cuda_is_software(cuda, operation))
        return RULE_NONE;
    if (cuda_computes(cuda, operation) && cuda_channel_static(cuda))
        *blocker_id = cuda_channel_blocker(cuda, operation);
    if (*blocker_id != 0)
        return RULE_CUDA_CHANNEL_ORDER;
    if (cuda_computes(cuda, operation) && !cuda_channel_static(cuda) &&
        !cuda_channel_get(cuda, operation->stream))
        return RULE_B_R2;
    return cuda_is_kept(cuda, operation, blocker_id) ? RULE_CUDA_AHEAD : RULE_NONE;
}

/* Returns the operation of the stream that may be the next one to go on: the one behind those that
 * have been submitted, if it is the head or may be sent ahead.  Returns NULL if there is none. */
static struct cuda_operation *cuda_candidate(const struct cuda *cuda, uint32_t stream)
{
    const struct cuda_stream_state *state = &cuda->streams[stream];

    return state->next != 0 && (state->next == state->first || cuda_ahead(cuda) > 1)
               ? cuda_operation(cuda, state->next)
               : NULL;
}

/* Returns the candidate of the process's streams with the lowest id above `after`, or NULL if there
 * is none. */
static struct cuda_operation *cuda_next_head(const struct cuda *cuda, uint32_t process,
                                             uint64_t after)
{
    struct cuda_operation *found = NULL;

    for (uint32_t i = cuda->first_streams[process]; i < cuda->first_streams[process + 1]; i++) {
        struct cuda_operation *head = cuda_candidate(cuda, i);

        if (head && head->operation_id > after &&
            (!found || head->operation_id < found->operation_id))
            found = head;
    }
    return found;
}

/* Takes the operation off the order of its static channel.  The caller's review comes to the next
 * one, which was called later, unless that one is another client's of a shared context. */
static void cuda_pass(struct cuda *cuda, const struct cuda_operation *operation)
{
    const uint32_t process = cuda->program->streams[operation->stream].process;
    uint32_t next;

    if (!cuda_channel_static(cuda) || !cuda_computes(cuda, operation))
        return;
    next = cuda_channel_pass(cuda, operation);
    if (next != CUDA_NONE && next != process)
        cuda_stream_review(cuda, next);
}

/* Events at the head of the stream that have been passed are complete.  Returns true if there were
 * any. */
static bool cuda_pop_passed(struct cuda *cuda, uint32_t stream)
{
    const struct cuda_operation *head;
    bool any = false;

    while ((head = cuda_head(cuda, stream)) != NULL && head->submitted &&
           cuda_is_software(cuda, head)) {
        cuda_pop(cuda, stream);
        any = true;
    }
    return any;
}

/* The operation, the candidate of its stream, goes on: to its channel, or it is complete as soon as
 * it is at the head. */
static void cuda_go_on(struct cuda *cuda, struct cuda_operation *operation)
{
    const uint32_t index = operation->stream;
    struct cuda_stream_state *stream = &cuda->streams[index];
    gfe_ps after_ps;

    operation->submitted = 1;
    if (cuda_is_software(cuda, operation)) {
        stream->next = operation->next;
        if (cuda_pop_passed(cuda, index))
            cuda_task_completed(cuda, cuda->program->streams[index].process);
        return;
    }
    stream->ahead++;
    if (stream->sending == 0)
        stream->sending = stream->next;
    cuda_submit_reserve(cuda, operation);
    stream->next = operation->next;
    after_ps = cuda_parameter(cuda, PARAM_CUDA_SUBMIT_PS) +
               (cuda_mps_shared(cuda) ? cuda_parameter(cuda, PARAM_CUDA_MPS_SERVER_PS) : 0);
    machine_schedule(cuda->machine, cuda->unit, clock_add(machine_now(cuda->machine), after_ps),
                     index * CUDA_EVENT_KINDS + CUDA_SUBMITS, operation->operation_id);
    cuda_pass(cuda, operation);
}

void cuda_stream_review(struct cuda *cuda, uint32_t process)
{
    struct cuda_operation *operation;
    uint64_t after = 0;

    while ((operation = cuda_next_head(cuda, process, after)) != NULL) {
        uint64_t blocker_id;
        const uint32_t rule = cuda_obstacle(cuda, operation, &blocker_id);

        after = operation->operation_id;
        cuda_wait(cuda, operation, rule, blocker_id);
        if (rule != RULE_NONE)
            continue;
        if (cuda_is_software(cuda, operation))
            after = 0; /* others may have waited for it */
        cuda_go_on(cuda, operation);
    }
}

/* Returns true if the operation has released its stream's semaphore. */
static bool cuda_is_done(const struct cuda_operation *operation, uint32_t value)
{
    return operation->sent && value - operation->payload < UINT32_MAX / 2;
}

void cuda_stream_done(struct cuda *cuda, uint32_t index)
{
    const uint32_t process = cuda->program->streams[index].process;
    const uint32_t value = cuda_submit_semaphore(cuda, index);
    const struct cuda_operation *head = cuda_head(cuda, index);
    bool any = false;

    while (head && cuda_is_done(head, value)) {
        cuda_pop(cuda, index);
        (void)cuda_pop_passed(cuda, index);
        head = cuda_head(cuda, index);
        any = true;
    }
    if (!any || cuda->streams[index].ahead > 0)
        cuda_submit_watch(cuda, index);
    if (!any)
        return;
    cuda_channel_review(cuda, index);
    cuda_stream_review(cuda, process);
    for (uint32_t i = 0; i < cuda->program->process_count && cuda_mps_shared(cuda); i++)
        if (i != process)
            cuda_stream_review(cuda, i); /* it may have waited for room in the ring */
    cuda_task_completed(cuda, process);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Returns the rule by which the operation has not ended, and sets who is in the way. `before` is
 * the operation in front of it in its stream, or 0. */
static uint32_t cuda_open_rule(const struct cuda *cuda, const struct cuda_operation *operation,
                               uint64_t before, struct machine_wait *wait)
{
    const uint64_t blocker_id = operation->wait_rule != RULE_NONE ? operation->blocker_id : before;

    wait->blocker_kind = blocker_id != 0 ? SUBJECT_OPERATION : SUBJECT_NONE;
    wait->blocker_id = blocker_id;
    if (operation->wait_rule != RULE_NONE) {
        wait->begin_ps = operation->wait_from_ps;
        return operation->wait_rule;
    }
    if (before != 0 && !operation->sent)
        return RULE_T_G1;
    if (!operation->sent)
        return RULE_GFE_LOST;
    wait->blocker_kind = SUBJECT_CHANNEL;
    wait->blocker_id = operation->channel_id;
    return cuda_computes(cuda, operation) ? RULE_T_G4 : RULE_T_C4;
}

void cuda_stream_log_open(struct cuda *cuda)
{
    for (uint32_t i = 0; i < cuda->program->stream_count; i++) {
        uint64_t before = 0;

        for (uint32_t link = cuda->streams[i].first; link != 0;
             link = cuda_operation(cuda, link)->next) {
            const struct cuda_operation *operation = cuda_operation(cuda, link);
            struct machine_wait wait = {.begin_ps = operation->released_ps,
                                        .subject_kind = SUBJECT_OPERATION,
                                        .subject_id = operation->operation_id};
            const uint32_t rule = cuda_open_rule(cuda, operation, before, &wait);

            if (rule == RULE_GFE_LOST)
                machine_log_lost(cuda->machine, cuda->unit, &wait);
            else
                machine_log_open(cuda->machine, cuda->unit, rule, &wait);
            before = operation->operation_id;
        }
    }
}
