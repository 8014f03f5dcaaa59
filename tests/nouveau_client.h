/* SPDX-License-Identifier: MIT */
/*
 * A client that uses VM_BIND and EXEC, in a trace made by hand, and checks of its run.  For tests
 * of the driver model.  Only one client may exist at a time.  Uses Check.
 */
#ifndef TESTS_NOUVEAU_CLIENT_H
#define TESTS_NOUVEAU_CLIENT_H

#include <check.h>
#include <string.h>

#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_trace.h"
#include "tests/event_member.h"

#define KERNEL_VA UINT64_C(0x8000000000)
#define OBJECT_VA UINT64_C(0x200000000) /* of the first memory object, in TRACE_AS_OBJECTS */
#define PUSH_VA   UINT64_C(0x10000000)
#define DATA_VA   UINT64_C(0x20000000)

enum { PAGE = 4096, OBJECT_BYTES = 16 * PAGE, PUSHES = 1, DATA = 2, A = 3, B = 4, THREADS = 2 };

#define DRAW PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0)
#define RELEASE_AT(va, value)                                                                      \
    PB_INC(0, 0x10, 4), (uint32_t)((uint64_t)(va) >> 32), (uint32_t)(va), (value), 0x01100002
#define COPY(from, to, bytes)                                                                      \
    PB_INC(4, 0x400, 8), (uint32_t)((from) >> 32), (uint32_t)(from), (uint32_t)((to) >> 32),       \
        (uint32_t)(to), 0, 0, (bytes), 1, PB_INC(4, 0x300, 1), 0x186

static struct check_trace trace;
static struct replay_input *input;
static struct check_simulation run;
static uint32_t bind_count;
static uint64_t push_offset;

/* ---- a client of the interface --------------------------------------------------------------- */

#define SYNCS(...)                                                                                 \
    (const struct trace_sync[]){__VA_ARGS__},                                                      \
        sizeof((const struct trace_sync[]){__VA_ARGS__}) / sizeof(struct trace_sync)
#define POINT(id, number)                                                                          \
    {                                                                                              \
        (id), TRACE_SYNC_TIMELINE, (number)                                                        \
    }
#define BINARY(id)                                                                                 \
    {                                                                                              \
        (id), 0, 0                                                                                 \
    }
#define NOTHING NULL, 0

static inline uint64_t object_va(uint32_t handle)
{
    return OBJECT_VA + (uint64_t)OBJECT_BYTES * (handle - 1);
}

static inline void object_new(uint32_t handle)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                                  .as_map = {.as_id = TRACE_AS_OBJECTS,
                                                             .va = object_va(handle),
                                                             .size_bytes = OBJECT_BYTES,
                                                             .handle = handle,
                                                             .aperture = TRACE_APERTURE_VRAM}});
}

static inline void object_close(uint32_t handle)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_UNMAP,
                                                  .as_unmap = {.as_id = TRACE_AS_OBJECTS,
                                                               .va = object_va(handle),
                                                               .size_bytes = OBJECT_BYTES,
                                                               .handle = handle}});
}

static inline void store(uint32_t handle, uint64_t offset, const void *data, uint32_t bytes)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_MEM,
                                                  .mem = {.as_id = TRACE_AS_OBJECTS,
                                                          .address = object_va(handle) + offset,
                                                          .data = {data, bytes}}});
}

static inline void bind_with(uint32_t flags, struct trace_bind bind, const struct trace_sync *waits,
                             size_t wait_count, const struct trace_sync *signals,
                             size_t signal_count)
{
    check_trace_put(
        &trace, (struct trace_record){.head.kind = TRACE_VM_BIND,
                                      .vm_bind = {.as_id = 1,
                                                  .bind_id = ++bind_count,
                                                  .flags = flags,
                                                  .binds = {&bind, 1},
                                                  .waits = {waits, (uint32_t)wait_count},
                                                  .signals = {signals, (uint32_t)signal_count}}});
}

static inline void bind(enum trace_bind_op op, uint32_t handle, uint64_t va, uint64_t offset,
                        uint64_t bytes)
{
    bind_with(
        0,
        (struct trace_bind){
            .op = op, .handle = handle, .va = va, .object_offset = offset, .size_bytes = bytes},
        NOTHING, NOTHING);
}

static inline void exec(uint32_t channel, const uint32_t *dwords, size_t count,
                        const struct trace_sync *waits, size_t wait_count,
                        const struct trace_sync *signals, size_t signal_count)
{
    const struct trace_push push = {
        .handle = TRACE_ANY, .offset = PUSH_VA + push_offset, .length_bytes = 4 * (uint64_t)count};

    if (count > 0)
        store(PUSHES, push_offset, dwords, 4 * (uint32_t)count);
    push_offset += 256;
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_EXEC,
                                          .exec = {.channel_id = channel,
                                                   .submission_id = ++trace.submission_count,
                                                   .pushes = {&push, count > 0},
                                                   .waits = {waits, (uint32_t)wait_count},
                                                   .signals = {signals, (uint32_t)signal_count}}});
}
#define DWORDS(...)                                                                                \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static inline void syncobj(enum trace_syncobj_what what, uint32_t id)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_SYNCOBJ,
                                          .syncobj = {.what = (uint8_t)what, .syncobj_id = id}});
}

static inline void sync_wait(uint32_t flags, const struct trace_sync *syncs, size_t count)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_SYNCOBJ_WAIT,
                                          .syncobj_wait = {.flags = flags,
                                                           .syncs = {syncs, (uint32_t)count},
                                                           .begin_ns = trace.time_ns,
                                                           .end_ns = trace.time_ns,
                                                           .call = {"wait", 4}}});
}

static inline void channel_new(uint32_t channel_id)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_CHANNEL,
                                          .channel = {.channel_id = channel_id, .as_id = 1}});
}

/* Begins a trace with two channels, bound objects for pushes and data, and syncobjs 1 to 4. */
static inline void setup(void)
{
    check_trace_begin(&trace);
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_AS_CREATE, .as_create = {.as_id = 1}});
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_VM_INIT,
                                                  .vm_init = {.as_id = 1,
                                                              .kernel_address = KERNEL_VA,
                                                              .kernel_size_bytes = KERNEL_VA}});
    bind_count = 0;
    push_offset = 0;
    for (uint32_t handle = PUSHES; handle <= B; handle++)
        object_new(handle);
    bind(TRACE_BIND_MAP, PUSHES, PUSH_VA, 0, OBJECT_BYTES);
    bind(TRACE_BIND_MAP, DATA, DATA_VA, 0, OBJECT_BYTES);
    channel_new(7);
    channel_new(8);
    for (uint32_t id = 1; id <= 4; id++)
        syncobj(TRACE_SYNCOBJ_CREATE, id);
    input = NULL;
    run = (struct check_simulation){0};
}

static inline void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static inline void run_with(const struct simulation_options *options)
{
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, options);
}

/* ---- looking at the run ---------------------------------------------------------------------- */

/* Returns the time of the first event of a kind with `value` at `place` (EVENT_PLACE).
 * GFE_PS_NEVER means that there is no such event. */
static inline gfe_ps time_of(uint32_t kind, size_t place, uint64_t value)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && event_argument(&run.events[i], place) == value)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

static inline gfe_ps entry_of(uint32_t submission_id)
{
    return time_of(EVENT_DRIVER_GP_ENTRY, EVENT_PLACE(driver_gp_entry, submission_id),
                   submission_id);
}

static inline gfe_ps done_of(uint32_t submission_id)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_DRIVER_JOB_DONE &&
            event_driver_job_done_of(&run.events[i]).is_exec &&
            event_driver_job_done_of(&run.events[i]).number == submission_id)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

/* Returns the wait of a job by a rule, or NULL if the job had no such wait. */
static inline const struct log_event *wait_of(uint32_t rule, uint64_t number)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_WAIT && run.events[i].rule == rule &&
            event_wait_of(&run.events[i]).subject_id == number)
            return &run.events[i];
    return NULL;
}

static inline bool is_bound(uint64_t va)
{
    struct address_space_range where;
    uint64_t contiguous;

    return address_space_translate(&run.simulation->machine->spaces,
                                   run.simulation->nouveau->state->space_ids[1], va, &where,
                                   &contiguous);
}

static inline uint32_t word_at(uint64_t va)
{
    uint64_t fault;
    uint32_t word = 0;

    ck_assert(machine_vm_read(run.simulation->machine, run.simulation->nouveau->state->space_ids[1],
                              va, &word, sizeof word, &fault));
    return word;
}

static inline void all_fences_reached(void)
{
    const struct log_event *end = check_simulation_event(&run, EVENT_RUN_END, 0);

    ck_assert_ptr_nonnull(end);
    ck_assert_uint_gt(event_run_end_of(end).fence_count, 0);
    ck_assert_uint_eq(event_run_end_of(end).fence_count, event_run_end_of(end).fence_reached_count);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, CHECK_ANY_RULE), 0);
}

#endif
