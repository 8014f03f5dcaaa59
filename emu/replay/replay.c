/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay.h"
#include "emu/replay/replay_bus.h"
#include "emu/replay/replay_check.h"
#include "emu/replay/replay_needs.h"
#include "emu/replay/replay_next.h"
#include "emu/replay/replay_ring.h"
#include "emu/replay/replay_wait.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Event kind: REPLAY_GO + thread for "its next record"; and REPLAY_LOOK + thread. */
enum { REPLAY_GO = 0 };

static void replay_event(void *unit, const struct event *event);
static void replay_start(void *unit);
static void replay_finish(void *unit);
static void replay_run(struct replay *replay, uint32_t thread_index);

static const struct unit_ops replay_ops = {
    .event = replay_event,
    .start = replay_start,
    .finish = replay_finish,
};

struct replay *replay_new(struct machine *machine, const struct replay_input *input,
                          struct driver driver, bool open_loop, struct gfe_error *error)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (!replay) {
        error_set(error, ERROR_SYSTEM, "no memory for the replay");
        return NULL;
    }
    replay->machine = machine;
    replay->input = input;
    replay->driver = driver;
    replay->open_loop = open_loop;
    replay->unit = machine_add_unit(machine, "cpu", &replay_ops, replay);
    replay->state = machine_alloc(machine, sizeof *replay->state);
    replay_check_init(replay);
    replay->space_count = input->space_count;
    replay->written =
        machine_alloc(machine, replay_needs_place_count(input->needs) * sizeof *replay->written);
    replay->state->next_wait_id = 1;
    for (uint32_t i = 0; i < REPLAY_THREADS_MAX; i++)
        replay->places[i].number = replay->held[i].number = REPLAY_NO_RECORD;
    return replay;
}

void replay_free(struct replay *replay)
{
    if (!replay)
        return;
    for (uint32_t i = 0; i < REPLAY_THREADS_MAX; i++)
        trace_scratch_free(&replay->held[i].scratch);
    trace_scratch_free(&replay->scratch);
    free(replay);
}

/* ---- when records come ----------------------------------------------------------------------- */

const struct trace_record *replay_call_record(void *context, uint32_t thread_index)
{
    static const struct trace_record none = {.head.kind = TRACE_MARK};
    const struct trace_record *record = replay_next_record(context, thread_index);

    return record ? record : &none; /* the run stops */
}

/* Nanoseconds to picoseconds; what does not fit never comes (machine_schedule() says so). */
static gfe_ps replay_ps(uint64_t ns)
{
    return ns > GFE_PS_NEVER / GFE_PS_PER_NS ? GFE_PS_NEVER : ns * GFE_PS_PER_NS;
}

/* When the next record begins: its recorded distance from the end of the one before. */
static gfe_ps replay_due(const struct replay *replay, uint32_t thread_index, uint64_t time_ns)
{
    const struct replay_thread *thread = &replay->state->threads[thread_index];
    const uint64_t think_ns = time_ns > thread->last_ns ? time_ns - thread->last_ns : 0;
    const gfe_ps due =
        replay->open_loop ? replay_ps(time_ns) : clock_add(thread->ready_ps, replay_ps(think_ns));
    const gfe_ps now = machine_now(replay->machine);

    return due > now ? due : now;
}

static void replay_schedule(struct replay *replay, uint32_t thread_index)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    const struct trace_place *place;
    struct gfe_error error = {0};
    struct trace_head head;

    if (!replay_next_exists(replay, thread_index)) {
        thread->phase = REPLAY_DONE;
        replay->state->threads_done++;
        return;
    }
    thread->phase = REPLAY_READY;
    place = replay_next_place(replay, thread_index);
    if (place && trace_store_head(replay->input->store, place, &head, &error))
        machine_schedule(
            replay->machine, replay->unit,
            replay_due(replay, thread_index, replay_ring_begin_ns(replay, thread_index, &head)),
            REPLAY_GO + thread_index, 0);
    else if (place)
        replay_next_unreadable(replay, &error);
}

static void replay_start(void *unit)
{
    struct replay *replay = unit;

    for (uint32_t i = 0; i < replay->input->thread_count; i++)
        if (replay_next_advance(replay, i, true))
            replay_schedule(replay, i);
}

/* The thread's record is over, now; its recorded end was end_ns. */
static void replay_record_done(struct replay *replay, uint32_t thread_index, uint64_t end_ns)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    thread->last_ns = end_ns;
    thread->ready_ps = machine_now(replay->machine);
    if (replay_next_advance(replay, thread_index, false))
        replay_schedule(replay, thread_index);
}

/* A waiting thread looks whether its wait is over. */
static void replay_look(struct replay *replay, uint32_t thread_index)
{
    if (replay_wait_is_over(replay, thread_index))
        replay_run(replay, thread_index);
}

static void replay_woken(void *context)
{
    struct replay *replay = context;

    /* Others watch memory; one look more is for fences that are lost. */
    for (uint32_t i = 0; i < replay->input->thread_count; i++)
        if (replay->state->threads[i].kernel_wait || replay_wait_is_lost(replay, i))
            replay_look(replay, i);
}

/* ---- records --------------------------------------------------------------------------------- */

static bool replay_cpu_wait(struct replay *replay, uint32_t thread_index,
                            const struct trace_cpu_wait *wait)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    struct driver_fence fence;
    bool over = true;

    if (wait->submission_id != 0 &&
        replay->driver.ops->fence(replay->driver.driver, wait->channel_id, wait->submission_id,
                                  &fence)) {
        thread->kernel_wait = wait->how == TRACE_WAIT_IOCTL;
        over =
            replay_wait_fence(replay, thread_index, fence, RULE_GFE_PROGRAM, wait->submission_id);
    }
    if (over) {
        thread->kernel_wait = 0;
        replay->state->recorded_waits++;
    }
    return over;
}

/* A submission of a program whose waits make no call. */
static bool replay_inferred_wait(struct replay *replay, uint32_t thread_index,
                                 const struct trace_submit *submit)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    struct driver_fence fence = {.value = submit->seen_value};

    if (replay->input->has_call_waits || submit->seen_address == 0 || thread->inferred_done ||
        !replay->driver.ops->locate(replay->driver.driver, submit->channel_id, submit->seen_address,
                                    &fence))
        return true;
    thread->inferred_done = 1;
    thread->kernel_wait = 0;
    replay->state->inferred_waits++;
    return replay_wait_fence(replay, thread_index, fence, RULE_GFE_INFERRED, submit->submission_id);
}

/* The call of a submission begins. */
static void replay_submit_begin(struct replay *replay, uint32_t thread_index,
                                uint32_t submission_id, uint32_t channel_id,
                                const struct trace_pushes *pushes)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < pushes->count; i++)
        bytes += pushes->push[i].length_bytes;
    if (thread->stored_bytes)
        MACHINE_LOG_ORIGIN(replay->machine, replay->unit, EVENT_CPU_STORE, RULE_NONE,
                           ORIGIN_RECORDED, submission_id, thread->stored_bytes,
                           (thread->stored_bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES);
    thread->stored_bytes = 0;
    MACHINE_LOG_ORIGIN(replay->machine, replay->unit, EVENT_CPU_SUBMIT, RULE_NONE, ORIGIN_RECORDED,
                       submission_id, channel_id, pushes->count, bytes, thread_index);
    thread->phase = REPLAY_CALLS;
}

/* Returns true if other threads have submitted what this record waits for.  If not, the thread
 * sleeps. */
static bool replay_submitted(struct replay *replay, uint32_t thread_index,
                             const struct trace_record *record)
{
    if (replay->driver.ops->submitted(replay->driver.driver, record))
        return true;
    replay_wait_sleep(replay, thread_index, RULE_GFE_SUBMITTED, 0);
    return false;
}

static bool replay_exec(struct replay *replay, uint32_t thread_index,
                        const struct trace_record *record)
{
    const struct trace_exec *exec = &record->exec;

    if (!replay_submitted(replay, thread_index, record))
        return false;
    replay_submit_begin(replay, thread_index, exec->submission_id, exec->channel_id, &exec->pushes);
    (void)replay->driver.ops->exec(replay->driver.driver, exec, thread_index);
    return false;
}

static bool replay_syncobj_wait(struct replay *replay, uint32_t thread_index,
                                const struct trace_syncobj_wait *wait)
{
    uint32_t submission_id = 0;

    if (!replay->open_loop && !wait->timed_out &&
        !replay->driver.ops->wait_over(replay->driver.driver, wait, &submission_id)) {
        replay_wait_sleep(replay, thread_index, RULE_GFE_PROGRAM, submission_id);
        return false;
    }
    replay->state->recorded_waits++;
    return true;
}

static bool replay_submit(struct replay *replay, uint32_t thread_index,
                          const struct trace_submit *submit)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    if (!replay_inferred_wait(replay, thread_index, submit))
        return false;
    thread->inferred_done = 0;
    replay_submit_begin(replay, thread_index, submit->submission_id, submit->channel_id,
                        &submit->pushes);
    (void)replay->driver.ops->submit(replay->driver.driver, submit, thread_index);
    return false;
}

/* Threads that waited for another's resource record look again. */
static void replay_release_ordered(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->input->thread_count; i++)
        if (replay->state->threads[i].phase == REPLAY_ORDERED)
            replay_schedule(replay, i);
}

static uint64_t replay_end_ns(const struct trace_record *record)
{
    if (record->head.kind == TRACE_SYNCOBJ_WAIT)
        return record->syncobj_wait.end_ns;
    if (record->head.kind == TRACE_EVENT_WAIT)
        return record->event_wait.end_ns;
    return record->head.kind == TRACE_CPU_WAIT ? record->cpu_wait.end_ns : record->head.time_ns;
}

/* The thread's record is over: what waited for its resource, and its next record, come. */
static void replay_finish_record(struct replay *replay, uint32_t thread_index, uint16_t kind,
                                 uint64_t end_ns)
{
    if (replay_records_is_resource(kind)) {
        replay->state->resources_done++;
        replay_release_ordered(replay);
    }
    replay_record_done(replay, thread_index, end_ns);
}

/* A call that took time in the driver is over. */
static void replay_call_returned(void *context, uint32_t thread_index)
{
    struct replay *replay = context;
    const struct trace_record *record = replay_next_record(replay, thread_index);

    assert(replay->state->threads[thread_index].phase == REPLAY_CALLS);
    if (!record)
        return;
    if (record->head.kind == TRACE_SUBMIT)
        MACHINE_LOG_ORIGIN(replay->machine, replay->unit, EVENT_CPU_SUBMIT_RETURN, RULE_NONE,
                           ORIGIN_RECORDED, record->submit.submission_id, record->submit.channel_id,
                           thread_index);
    else if (record->head.kind == TRACE_EXEC)
        MACHINE_LOG_ORIGIN(replay->machine, replay->unit, EVENT_CPU_SUBMIT_RETURN, RULE_NONE,
                           ORIGIN_RECORDED, record->exec.submission_id, record->exec.channel_id,
                           thread_index);
    replay_finish_record(replay, thread_index, record->head.kind, replay_end_ns(record));
}

struct driver_client replay_client(struct replay *replay)
{
    return (struct driver_client){.call_returned = replay_call_returned,
                                  .woken = replay_woken,
                                  .fired = replay_ring_fired,
                                  .context = replay};
}

/* Waits until the channels that may use memory of an address space are done with it, before that
 * memory is unmapped.  Returns true if they are done. */
static bool replay_idle(struct replay *replay, uint32_t thread_index, uint32_t as_id)
{
    struct driver_fence fence;

    for (uint32_t i = 0; i < replay->input->channel_count; i++)
        if (replay->driver.ops->shows(replay->driver.driver, replay->input->channels[i], as_id) &&
            replay->driver.ops->fence(replay->driver.driver, replay->input->channels[i], UINT32_MAX,
                                      &fence)) {
            replay->state->threads[thread_index].kernel_wait = REPLAY_POLLS;
            if (!replay_wait_fence(replay, thread_index, fence, RULE_GFE_UNMAP, 0))
                return false;
        }
    return true;
}

/* And look its fences up.  A memory object that was mapped nowhere loses its name only. */
static bool replay_before_unmap(struct replay *replay, uint32_t thread_index,
                                const struct trace_as_unmap *unmap)
{
    if (unmap->as_id == TRACE_AS_OBJECTS)
        return true;
    if (!replay_idle(replay, thread_index, unmap->as_id))
        return false;
    replay_check_fences(replay, unmap->as_id, unmap->va, unmap->size_bytes);
    return true;
}

/* A bind that unmaps, and neither waits itself nor has anybody wait for it, is made when the
 * program knows that the GPU is done: however it knows. */
static bool replay_before_bind(struct replay *replay, uint32_t thread_index,
                               const struct trace_vm_bind *bind)
{
    for (uint32_t i = 0; i < bind->binds.count && bind->waits.count == 0; i++) {
        const struct trace_bind *op = &bind->binds.bind[i];

        if (op->op != TRACE_BIND_UNMAP && op->op != TRACE_BIND_UNMAP_SPARSE)
            continue;
        if (!replay_idle(replay, thread_index, bind->as_id))
            return false;
        replay_check_fences(replay, bind->as_id, op->va, op->size_bytes);
    }
    return true;
}

static bool replay_bind(struct replay *replay, uint32_t thread_index,
                        const struct trace_record *record)
{
    if (!replay_before_bind(replay, thread_index, &record->vm_bind) ||
        !replay_submitted(replay, thread_index, record))
        return false;
    replay->state->threads[thread_index].phase = REPLAY_CALLS;
    (void)replay->driver.ops->vm_bind(replay->driver.driver, &record->vm_bind, thread_index);
    return false;
}

static bool replay_before_channel_end(struct replay *replay, uint32_t thread_index,
                                      uint32_t channel_id)
{
    struct driver_fence fence;

    if (!replay->driver.ops->fence(replay->driver.driver, channel_id, UINT32_MAX, &fence))
        return true;
    replay->state->threads[thread_index].kernel_wait = 0;
    if (!replay_wait_fence(replay, thread_index, fence, RULE_GFE_UNMAP, 0))
        return false;
    replay_check_channel(replay, replay->state->threads[thread_index].next);
    replay_check_driver(replay, channel_id, &fence);
    return true;
}

void replay_end(struct replay *replay)
{
    struct driver_fence fence;

    replay_check_rest(replay);
    for (uint32_t i = 0; i < replay->input->channel_count && replay->driver.ops; i++)
        if (replay->driver.ops->fence(replay->driver.driver, replay->input->channels[i], UINT32_MAX,
                                      &fence))
            replay_check_driver(replay, replay->input->channels[i], &fence);
    MACHINE_LOG(replay->machine, replay->unit, EVENT_RUN_END, RULE_NONE,
                replay->state->fences_checked, replay->state->fences_reached,
                replay->state->recorded_waits, replay->state->inferred_waits);
}

/* ---- running --------------------------------------------------------------------------------- */

/* A recorder without a GPU lets the program run ahead of what a slower one has fetched. */
static bool replay_may_store(struct replay *replay, uint32_t thread_index,
                             const struct trace_mem *mem)
{
    struct driver_fence fence;

    if (replay->open_loop || !replay->driver.ops->overwrites(replay->driver.driver, mem, &fence))
        return true;
    replay->state->threads[thread_index].kernel_wait = 0;
    return replay_wait_fence(replay, thread_index, fence, RULE_GFE_OVERWRITE, 0);
}

/* Runs a record.  Returns false if the thread waits in it. */
static bool replay_apply(struct replay *replay, uint32_t thread_index,
                         const struct trace_record *record)
{
    const struct driver_ops *ops = replay->driver.ops;
    void *driver = replay->driver.driver;

    if (!ops)
        return replay_bus_apply(replay->machine, replay->unit, record);
    if (replay->input->layer == TRACE_LAYER_RING)
        return replay_ring_apply(replay, thread_index, record);
    switch (record->head.kind) {
    case TRACE_AS_CREATE:
        return ops->as_create(driver, &record->as_create);
    case TRACE_AS_MAP:
        return ops->as_map(driver, &record->as_map);
    case TRACE_AS_UNMAP:
        return replay_before_unmap(replay, thread_index, &record->as_unmap) &&
               ops->as_unmap(driver, &record->as_unmap);
    case TRACE_CHANNEL:
        return ops->channel(driver, &record->channel);
    case TRACE_CHANNEL_END:
        if (replay_before_channel_end(replay, thread_index, record->channel_end.channel_id)) {
            replay->state->threads[thread_index].phase = REPLAY_CALLS;
            (void)ops->channel_end(driver, &record->channel_end, thread_index);
        }
        return false;
    case TRACE_OBJECT:
        return ops->object(driver, &record->object);
    case TRACE_MEM:
        if (!replay_may_store(replay, thread_index, &record->mem))
            return false;
        replay->state->threads[thread_index].stored_bytes += record->mem.data.length;
        return ops->store(driver, &record->mem);
    case TRACE_SUBMIT:
        return replay_submit(replay, thread_index, &record->submit);
    case TRACE_VM_INIT:
        return ops->vm_init(driver, &record->vm_init);
    case TRACE_VM_BIND:
        return replay_bind(replay, thread_index, record);
    case TRACE_EXEC:
        return replay_exec(replay, thread_index, record);
    case TRACE_SYNCOBJ:
        return replay_submitted(replay, thread_index, record) &&
               ops->syncobj(driver, &record->syncobj);
    case TRACE_SYNCOBJ_WAIT:
        return replay_syncobj_wait(replay, thread_index, &record->syncobj_wait);
    case TRACE_CPU_WAIT:
        return replay_cpu_wait(replay, thread_index, &record->cpu_wait);
    default:
        return true; /* MARK, CLIENT and what other layers need */
    }
}

static void replay_run(struct replay *replay, uint32_t thread_index)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    const struct trace_record *record = replay_next_record(replay, thread_index);
    uint16_t kind;
    uint64_t end_ns;

    if (!record)
        return;
    kind = record->head.kind;
    end_ns = replay_end_ns(record);
    if (kind != TRACE_MARK && replay->state->resources_done < thread->resources_before)
        thread->phase = REPLAY_ORDERED;
    else if (replay_apply(replay, thread_index, record))
        replay_finish_record(replay, thread_index, kind, end_ns);
}

static void replay_event(void *unit, const struct event *event)
{
    struct replay *replay = unit;

    if (event->kind >= REPLAY_LOOK)
        replay_look(replay, event->kind - REPLAY_LOOK);
    else if (replay->state->threads[event->kind].phase == REPLAY_READY)
        replay_run(replay, event->kind - REPLAY_GO);
}

/* A thread that waits for records of other threads; they do not come. */
static void replay_open_ordered(const struct replay *replay, struct machine_wait *wait)
{
    for (uint32_t i = 0; i < replay->input->thread_count; i++) {
        if (i == wait->subject_id || replay->state->threads[i].phase == REPLAY_DONE)
            continue;
        wait->blocker_kind = SUBJECT_THREAD;
        wait->blocker_id = i;
        return;
    }
}

/* At layer RING a thread waits for a completion value, for room in a ring, or for an event. */
static void replay_open_ring(const struct replay *replay, const struct replay_thread *thread,
                             struct machine_wait *wait)
{
    wait->blocker_id =
        thread->kernel_wait == REPLAY_SLEEPS_SYNC
            ? replay_needs_awaited(replay->input->needs, thread->next, replay->written)
            : thread->fence.va;
    wait->blocker_kind = wait->blocker_id != 0 ? SUBJECT_SEMAPHORE : SUBJECT_NONE;
}

/* Reports a thread that has not ended. */
static void replay_open_thread(struct replay *replay, uint32_t index)
{
    const struct replay_thread *thread = &replay->state->threads[index];
    const struct driver *driver = &replay->driver;
    struct machine_wait wait = {
        .begin_ps = thread->ready_ps, .subject_kind = SUBJECT_THREAD, .subject_id = index};

    if (thread->phase == REPLAY_WAITS) {
        wait.begin_ps = thread->wait_from_ps;
        wait.blocker_kind =
            thread->kernel_wait == REPLAY_SLEEPS_SYNC ? SUBJECT_SUBMISSION : SUBJECT_SEMAPHORE;
        wait.blocker_id = thread->fence.address;
        if (replay->input->layer == TRACE_LAYER_RING)
            replay_open_ring(replay, thread, &wait);
        machine_log_open(replay->machine, replay->unit, thread->wait_rule, &wait);
    } else if (thread->phase == REPLAY_ORDERED) {
        replay_open_ordered(replay, &wait);
        machine_log_open(replay->machine, replay->unit, RULE_GFE_SUBMITTED, &wait);
    } else if (thread->phase != REPLAY_CALLS || !driver->ops || !driver->ops->reports ||
               !driver->ops->reports(driver->driver, index)) {
        machine_log_lost(replay->machine, replay->unit, &wait);
    }
}

static void replay_finish(void *unit)
{
    struct replay *replay = unit;

    for (uint32_t i = 0; i < replay->input->thread_count; i++)
        if (replay->state->threads[i].phase != REPLAY_DONE)
            replay_open_thread(replay, i);
}
