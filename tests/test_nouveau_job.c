/* SPDX-License-Identifier: MIT */
/* Jobs of the nouveau model: EXEC, VM_BIND and the synchronisation objects between them. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "firmware-models/nouveau_tables.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

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

/* ---- a client that speaks the interface ----------------------------------------------------- */

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

static uint64_t object_va(uint32_t handle)
{
    return OBJECT_VA + (uint64_t)OBJECT_BYTES * (handle - 1);
}

static void object_new(uint32_t handle)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                                  .as_map = {.as_id = TRACE_AS_OBJECTS,
                                                             .va = object_va(handle),
                                                             .size_bytes = OBJECT_BYTES,
                                                             .handle = handle,
                                                             .aperture = TRACE_APERTURE_VRAM}});
}

static void object_close(uint32_t handle)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_UNMAP,
                                                  .as_unmap = {.as_id = TRACE_AS_OBJECTS,
                                                               .va = object_va(handle),
                                                               .size_bytes = OBJECT_BYTES,
                                                               .handle = handle}});
}

static void store(uint32_t handle, uint64_t offset, const void *data, uint32_t bytes)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_MEM,
                                                  .mem = {.as_id = TRACE_AS_OBJECTS,
                                                          .address = object_va(handle) + offset,
                                                          .data = {data, bytes}}});
}

static void bind_with(uint32_t flags, struct trace_bind bind, const struct trace_sync *waits,
                      size_t wait_count, const struct trace_sync *signals, size_t signal_count)
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

static void bind(enum trace_bind_op op, uint32_t handle, uint64_t va, uint64_t offset,
                 uint64_t bytes)
{
    bind_with(
        0,
        (struct trace_bind){
            .op = op, .handle = handle, .va = va, .object_offset = offset, .size_bytes = bytes},
        NOTHING, NOTHING);
}

static void exec(uint32_t channel, const uint32_t *dwords, size_t count,
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

static void syncobj(enum trace_syncobj_what what, uint32_t id)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_SYNCOBJ,
                                          .syncobj = {.what = (uint8_t)what, .syncobj_id = id}});
}

static void sync_wait(uint32_t flags, const struct trace_sync *syncs, size_t count)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_SYNCOBJ_WAIT,
                                          .syncobj_wait = {.flags = flags,
                                                           .syncs = {syncs, (uint32_t)count},
                                                           .begin_ns = trace.time_ns,
                                                           .end_ns = trace.time_ns,
                                                           .call = {"wait", 4}}});
}

static void channel_new(uint32_t channel_id)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_CHANNEL,
                                          .channel = {.channel_id = channel_id, .as_id = 1}});
}

/* Two channels, objects for pushes and data, bound; objects 1 to 4 of synchronisation. */
static void setup(void)
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

static void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static void run_with(const struct simulation_options *options)
{
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, options);
}

/* ---- looking at the run --------------------------------------------------------------------- */

/* Time of an event of that kind with that argument; GFE_PS_NEVER = none. */
static gfe_ps time_of(uint32_t kind, uint32_t argument, uint64_t value)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && run.events[i].argument[argument] == value)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

static gfe_ps entry_of(uint32_t submission_id)
{
    return time_of(EVENT_DRIVER_GP_ENTRY, 5, submission_id);
}

static gfe_ps done_of(uint32_t submission_id)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_DRIVER_JOB_DONE && run.events[i].argument[0] &&
            run.events[i].argument[1] == submission_id)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

/* The wait of a job by a rule; NULL = it had none. */
static const struct log_event *wait_of(uint32_t rule, uint64_t number)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_WAIT && run.events[i].rule == rule &&
            run.events[i].argument[2] == number)
            return &run.events[i];
    return NULL;
}

static bool is_bound(uint64_t va)
{
    struct address_space_range where;
    uint64_t contiguous;

    return address_space_translate(&run.simulation->machine->spaces,
                                   run.simulation->nouveau->state->space_ids[1], va, &where,
                                   &contiguous);
}

static uint32_t word_at(uint64_t va)
{
    uint64_t fault;
    uint32_t word = 0;

    ck_assert(machine_vm_read(run.simulation->machine, run.simulation->nouveau->state->space_ids[1],
                              va, &word, sizeof word, &fault));
    return word;
}

static void all_fences_reached(void)
{
    const struct log_event *end = check_simulation_event(&run, EVENT_RUN_END, 0);

    ck_assert_ptr_nonnull(end);
    ck_assert_uint_gt(end->argument[0], 0);
    ck_assert_uint_eq(end->argument[0], end->argument[1]);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, CHECK_ANY_RULE), 0);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

START_TEST(an_exec_returns_at_once_and_its_job_writes_entries_and_fence)
{
    exec(7, DWORDS(RELEASE_AT(DATA_VA + 16, 41)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_eq(word_at(DATA_VA + 16), 41);
    ck_assert_uint_lt(time_of(EVENT_CPU_SUBMIT_RETURN, 0, 1), entry_of(1));
    ck_assert_uint_lt(entry_of(1), done_of(1));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_FENCE, RULE_NOUVEAU_FENCE), 1);
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_DRIVER_FENCE, 0)->argument[1], KERNEL_VA);
    all_fences_reached();
}
END_TEST

START_TEST(an_exec_without_pushes_is_its_fence)
{
    exec(7, NOTHING, NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_GP_ENTRY, CHECK_ANY_RULE), 1);
    ck_assert_uint_ne(done_of(1), GFE_PS_NEVER);
    all_fences_reached();
}
END_TEST

/* NOUVEAU.SYNC */
START_TEST(a_job_waits_for_the_point_of_a_timeline_that_another_channels_job_signals)
{
    const struct log_event *wait;

    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA + 4, 2)), SYNCS(POINT(1, 5)), NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    wait = wait_of(RULE_NOUVEAU_SYNC, 2);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(wait->argument[1], SUBJECT_SUBMISSION);
    ck_assert_uint_eq(wait->argument[3], SUBJECT_SUBMISSION);
    ck_assert_uint_eq(wait->argument[4], 1);
    ck_assert_uint_eq(wait->time_ps, done_of(1));
    all_fences_reached();
}
END_TEST

START_TEST(without_the_wait_list_the_other_channel_does_not_wait)
{
    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA + 4, 2)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_lt(entry_of(2), done_of(1));
    ck_assert_ptr_null(wait_of(RULE_NOUVEAU_SYNC, 2));
}
END_TEST

/* A chain is signalled when all of it is: point 9 is, only with 5. */
START_TEST(a_later_point_of_a_timeline_holds_the_earlier_ones)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(2)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(2)), SYNCS(POINT(1, 5)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 9)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(POINT(1, 9)), NOTHING);
    sync_wait(0, SYNCS(POINT(1, 9)));
    run_with(NULL);
    ck_assert_uint_lt(done_of(3), done_of(2));
    ck_assert_uint_ge(entry_of(4), done_of(2));
    ck_assert_uint_ge(time_of(EVENT_CPU_WAIT_END, 2, 0), done_of(2));
}
END_TEST

START_TEST(an_earlier_point_does_not_hold_the_later_ones)
{
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(7, DWORDS(DRAW, DRAW, DRAW), NOTHING, SYNCS(POINT(1, 9)));
    sync_wait(0, SYNCS(POINT(1, 5)));
    run_with(NULL);
    ck_assert_uint_lt(done_of(1), done_of(2));
    ck_assert_uint_lt(time_of(EVENT_CPU_WAIT_END, 2, 0), done_of(2));
}
END_TEST

/* NOUVEAU.QUEUE */
START_TEST(jobs_of_a_channel_run_in_their_order)
{
    const struct log_event *wait;

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(1)), NOTHING);
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 2)), NOTHING, NOTHING); /* it could run, but for that one */
    run_with(NULL);
    ck_assert_uint_gt(entry_of(3), entry_of(2));
    wait = wait_of(RULE_NOUVEAU_QUEUE, 3);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(wait->argument[4], 2);
    ck_assert_uint_eq(word_at(DATA_VA), 2);
    all_fences_reached();
}
END_TEST

/* NOUVEAU.CREDITS */
START_TEST(unfinished_jobs_take_no_more_entries_than_the_ring_has)
{
    const struct simulation_setting settings[] = {{"nouveau.ring_entries", "4"}};
    const struct simulation_options options = {.parameters = settings, .parameter_count = 1};
    const struct log_event *wait;

    exec(7, DWORDS(DRAW), NOTHING, NOTHING); /* two credits of three */
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(&options);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    wait = wait_of(RULE_NOUVEAU_CREDITS, 2);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(wait->argument[4], 1);
    all_fences_reached();
}
END_TEST

/* ---- the program ---------------------------------------------------------------------------- */

START_TEST(a_wait_of_the_program_lasts_until_the_job_is_done)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(time_of(EVENT_CPU_SUBMIT, 0, 2), done_of(1));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_PROGRAM), 1);
    ck_assert_uint_eq(check_simulation_event(&run, EVENT_RUN_END, 0)->argument[2], 1);
}
END_TEST

START_TEST(an_open_loop_does_not_wait)
{
    const struct simulation_options options = {.open_loop = true};

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(&options);
    ck_assert_uint_lt(time_of(EVENT_CPU_SUBMIT, 0, 2), done_of(1));
}
END_TEST

START_TEST(a_wait_for_any_ends_with_the_first_and_one_for_all_with_the_last)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(2)));
    exec(8, DWORDS(DRAW), SYNCS(BINARY(2)), SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1), BINARY(2)));
    sync_wait(TRACE_SYNCOBJ_ALL, SYNCS(BINARY(1), BINARY(2)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_END, CHECK_ANY_RULE), 2);
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_WAIT_END, 0)->time_ps, done_of(1));
    ck_assert_uint_lt(check_simulation_event(&run, EVENT_CPU_WAIT_END, 0)->time_ps, done_of(2));
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_WAIT_END, 1)->time_ps, done_of(2));
}
END_TEST

/* GFE.SUBMITTED: thread 2 is early, because thread 1 waits for a GPU that the recorder had not. */
START_TEST(a_call_comes_when_another_thread_has_submitted_what_it_waits_for)
{
    exec(7, DWORDS(DRAW, DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(2, 3)));
    trace.thread_id = THREADS;
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 2)), SYNCS(POINT(2, 3)), NOTHING);
    run_with(NULL);
    ck_assert_uint_gt(time_of(EVENT_CPU_SUBMIT, 0, 3), time_of(EVENT_CPU_SUBMIT, 0, 2));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_SUBMITTED), 1);
    ck_assert_uint_eq(word_at(DATA_VA), 2);
    all_fences_reached();
}
END_TEST

START_TEST(a_signal_of_the_cpu_replaces_what_an_object_waits_for)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    syncobj(TRACE_SYNCOBJ_SIGNAL, 1);
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_BEGIN, CHECK_ANY_RULE), 0);
}
END_TEST

START_TEST(a_transfer_and_a_file_keep_what_was_waited_for_then)
{
    const struct trace_record file = {
        .head.kind = TRACE_SYNCOBJ,
        .syncobj = {.what = TRACE_SYNCOBJ_FILE, .syncobj_id = 9, .from_id = 1}};
    const struct trace_record transfer = {
        .head.kind = TRACE_SYNCOBJ,
        .syncobj = {.what = TRACE_SYNCOBJ_TRANSFER, .syncobj_id = 2, .point = 4, .from_id = 9}};

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    check_trace_put(&trace, file);
    syncobj(TRACE_SYNCOBJ_RESET, 1);
    syncobj(TRACE_SYNCOBJ_DESTROY, 1);
    check_trace_put(&trace, transfer);
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(POINT(2, 4)), NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    all_fences_reached();
}
END_TEST

/* ---- binds ---------------------------------------------------------------------------------- */

START_TEST(a_synchronous_bind_returns_when_it_is_done)
{
    bind(TRACE_BIND_MAP, A, DATA_VA + 0x1000000, 0, OBJECT_BYTES);
    exec(7, DWORDS(RELEASE_AT(DATA_VA + 0x1000000, 3)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_gt(time_of(EVENT_CPU_SUBMIT, 0, 1), time_of(EVENT_DRIVER_BIND, 0, 3));
    ck_assert_uint_eq(word_at(DATA_VA + 0x1000000), 3);
}
END_TEST

START_TEST(an_asynchronous_bind_waits_for_its_list_in_the_kernel)
{
    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA + 4 * PAGE, 8)), NOTHING, SYNCS(POINT(1, 1)));
    bind_with(TRACE_BIND_ASYNC,
              (struct trace_bind){.op = TRACE_BIND_UNMAP,
                                  .handle = TRACE_ANY,
                                  .va = DATA_VA + 4 * PAGE,
                                  .size_bytes = PAGE},
              SYNCS(POINT(1, 1)), SYNCS(POINT(1, 2)));
    sync_wait(0, SYNCS(POINT(1, 2)));
    run_with(NULL);
    ck_assert_uint_ge(time_of(EVENT_DRIVER_BIND, 0, 3), done_of(1));
    ck_assert_ptr_nonnull(wait_of(RULE_NOUVEAU_SYNC, 3));
    ck_assert_uint_eq(wait_of(RULE_NOUVEAU_SYNC, 3)->argument[1], SUBJECT_BIND);
    ck_assert_uint_ge(time_of(EVENT_CPU_WAIT_END, 2, 0), time_of(EVENT_DRIVER_BIND, 0, 3));
    ck_assert(!is_bound(DATA_VA + 4 * PAGE));
    ck_assert(is_bound(DATA_VA + 3 * PAGE));
    ck_assert(is_bound(DATA_VA + 5 * PAGE));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
}
END_TEST

START_TEST(a_bind_that_unmaps_is_made_when_the_gpu_is_done)
{
    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA, 8)), NOTHING, NOTHING);
    bind(TRACE_BIND_UNMAP, TRACE_ANY, DATA_VA, 0, OBJECT_BYTES);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_UNMAP), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
}
END_TEST

/* Page 2 of A and then page 0 of B, one behind the other, are copied to the data. */
START_TEST(bytes_arrive_through_what_is_bound_where)
{
    static const char text[] = "through two mappings into a third one";
    const uint64_t from = 0x30000000;
    char found[sizeof text] = "";
    uint64_t fault;

    store(A, 3 * PAGE - 8, text, 8);
    store(B, 0, text + 8, sizeof text - 8);
    bind(TRACE_BIND_MAP, A, from, 0, OBJECT_BYTES);
    bind(TRACE_BIND_MAP, B, from + 3 * PAGE, 0, PAGE); /* in the place of page 3 of A */
    object_close(B);
    exec(7, DWORDS(COPY(from + 3 * PAGE - 8, DATA_VA + PAGE, (uint32_t)sizeof text)), NOTHING,
         SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert(machine_vm_read(run.simulation->machine, run.simulation->nouveau->state->space_ids[1],
                              DATA_VA + PAGE, found, sizeof found, &fault));
    ck_assert_str_eq(found, text);
    all_fences_reached();
}
END_TEST

START_TEST(sparse_ranges_read_as_zeros_and_return_when_memory_in_them_goes)
{
    const uint64_t sparse = 0x40000000;
    const uint32_t word = 77;

    store(A, 0, &word, sizeof word);
    bind(TRACE_BIND_MAP_SPARSE, TRACE_ANY, sparse, 0, 8 * PAGE);
    bind(TRACE_BIND_MAP, A, sparse + PAGE, 0, PAGE);
    exec(7, DWORDS(COPY(sparse + PAGE, DATA_VA, 4), COPY(sparse + 2 * PAGE, DATA_VA + 4, 4)),
         NOTHING, NOTHING);
    bind(TRACE_BIND_UNMAP, TRACE_ANY, sparse + PAGE, 0, PAGE);
    exec(7, DWORDS(COPY(sparse + PAGE, DATA_VA + 8, 4), RELEASE_AT(DATA_VA + 12, 5)), NOTHING,
         NOTHING);
    bind(TRACE_BIND_UNMAP_SPARSE, TRACE_ANY, sparse, 0, 8 * PAGE);
    run_with(NULL);
    ck_assert_uint_eq(word_at(DATA_VA), 77);
    ck_assert_uint_eq(word_at(DATA_VA + 4), 0);
    ck_assert_uint_eq(word_at(DATA_VA + 8), 0);
    ck_assert_uint_eq(word_at(DATA_VA + 12), 5);
    ck_assert(!is_bound(sparse));
    ck_assert_uint_eq(run.simulation->nouveau->state->jobs.sparse_count, 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
}
END_TEST

START_TEST(memory_without_a_handle_goes_with_its_last_mapping)
{
    bind(TRACE_BIND_MAP, A, 0x30000000, 0, OBJECT_BYTES);
    object_close(A);
    object_new(A + 10);
    bind(TRACE_BIND_UNMAP, TRACE_ANY, 0x30000000, 0, OBJECT_BYTES / 2);
    bind(TRACE_BIND_UNMAP, TRACE_ANY, 0x30000000 + OBJECT_BYTES / 2, 0, OBJECT_BYTES / 2);
    object_close(B); /* bound nowhere */
    run_with(NULL);
    ck_assert_uint_eq(run.simulation->nouveau->state->orphan_count, 0);
    ck_assert_uint_eq(run.simulation->nouveau->state->object_count, 3);
}
END_TEST

/* GFE.OVERWRITE: by another name of the same memory, and also before a job's entries are in the
 * ring. The channel works at one draw when the second submission's commands are written over. */
START_TEST(commands_are_not_written_over_before_they_are_fetched)
{
    const uint32_t other[] = {RELEASE_AT(DATA_VA, 99)};

    exec(7, DWORDS(DRAW, DRAW), NOTHING, NOTHING);
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    trace.time_ns += _i ? 10000 : 0; /* the second's entries are there, or are not */
    store(PUSHES, 256, other, sizeof other);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_OVERWRITE), 1);
    ck_assert_uint_eq(word_at(DATA_VA), 1);
    all_fences_reached();
}
END_TEST

START_TEST(the_same_commands_again_and_other_memory_wait_for_nothing)
{
    const uint32_t same[] = {RELEASE_AT(DATA_VA, 1)};

    exec(7, DWORDS(DRAW, DRAW), NOTHING, NOTHING);
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    store(PUSHES, 256, same, sizeof same);
    store(PUSHES, 2048, same, sizeof same);
    store(A, 0, same, sizeof same);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_OVERWRITE), 0);
}
END_TEST

/* ---- broken traces -------------------------------------------------------------------------- */

static void bad_bind_of_nobody(void)
{
    bind(TRACE_BIND_MAP, 44, 0x50000000, 0, PAGE);
}
static void bad_bind_too_large(void)
{
    bind(TRACE_BIND_MAP, A, 0x50000000, PAGE, OBJECT_BYTES);
}
static void bad_bind_crooked(void)
{
    bind(TRACE_BIND_UNMAP, TRACE_ANY, 0x50000004, 0, PAGE);
}
static void bad_bind_operation(void)
{
    bind((enum trace_bind_op)9, TRACE_ANY, 0x50000000, 0, PAGE);
}
static void bad_space(void)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_VM_BIND, .vm_bind = {.bind_id = 1}});
}
static void bad_vm_init(void)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_VM_INIT,
                                                  .vm_init = {.as_id = 1,
                                                              .kernel_address = KERNEL_VA,
                                                              .kernel_size_bytes = PAGE}});
}
static void bad_vm_init_of_nothing(void)
{
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_VM_INIT, .vm_init = {.as_id = 12}});
}
static void bad_interface(void)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_SUBMIT,
                                                  .submit = {.channel_id = 7, .submission_id = 1}});
}
static void bad_push(void)
{
    const struct trace_push push = {.handle = TRACE_ANY, .offset = PUSH_VA + 2, .length_bytes = 4};

    check_trace_put(
        &trace,
        (struct trace_record){.head.kind = TRACE_EXEC,
                              .exec = {.channel_id = 7, .submission_id = 1, .pushes = {&push, 1}}});
}
static void bad_syncobj(void)
{
    syncobj(TRACE_SYNCOBJ_CREATE, 3);
}
static void bad_store(void)
{
    const uint32_t word = 1;

    store(9, 0, &word, sizeof word);
}

static const struct {
    void (*add)(void);
    const char *message;
} bad_rows[] = {
    {bad_bind_of_nobody, "binds more than a memory object has (0x2c)"},
    {bad_bind_too_large, "binds more than a memory object has (0x3)"},
    {bad_bind_crooked, "binds no whole pages of 47 bits of addresses (0x50000004)"},
    {bad_bind_operation, "an unknown operation of VM_BIND (0x9)"},
    {bad_space, "bind 1 is for address space 0, which the client does not manage"},
    {bad_vm_init, "VM_INIT leaves the kernel less than 256 MiB"},
    {bad_vm_init_of_nothing, "VM_INIT of an address space that does not exist (0xc)"},
    {bad_interface, "submission 1 to channel 7 is not of the interface that its client has chosen"},
    {bad_push, "push 0 of submission 1 does not lie in 40 bits of addresses"},
    {bad_syncobj, "the trace makes synchronisation object 3 twice, or of no number"},
    {bad_store, "writes to an address that is not mapped"},
};

START_TEST(a_trace_that_makes_no_sense_stops_the_run_in_words)
{
    struct gfe_error error = {0};

    bad_rows[_i].add();
    input = check_trace_end(&trace);
    ck_assert(!check_simulation_finish(&run, check_simulation_new(input, NULL), &error));
    ck_assert_msg(strstr(error.text, bad_rows[_i].message) != NULL, "%s", error.text);
}
END_TEST

/* NVK selects the buffer in a macro, and macros are not run: where the word goes is not known. */
START_TEST(a_constant_without_a_selected_buffer_is_reported_not_a_fault)
{
    exec(7, DWORDS(PB_INC(0, 0, 1), 0xc197, PB_INC(0, 0x2390, 1), 5, RELEASE_AT(DATA_VA, 1)),
         NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_UNMODELLED, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(check_simulation_event(&run, EVENT_UNMODELLED, 0)->argument[2], 0);
    all_fences_reached();
}
END_TEST

/* The GPU errs: what waits for the job is told at the end, and the run ends. */
START_TEST(a_job_that_never_ends_leaves_open_waits)
{
    exec(7, DWORDS(RELEASE_AT(0x70000000, 1)), NOTHING, SYNCS(BINARY(1))); /* bound nowhere */
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(1)), NOTHING);
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_NOUVEAU_SYNC), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_GFE_PROGRAM), 1);
}
END_TEST

Suite *nouveau_job_suite(void)
{
    Suite *suite = suite_create("nouveau_job");
    TCase *cases = tcase_create("jobs");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, an_exec_returns_at_once_and_its_job_writes_entries_and_fence);
    tcase_add_test(cases, an_exec_without_pushes_is_its_fence);
    tcase_add_test(cases,
                   a_job_waits_for_the_point_of_a_timeline_that_another_channels_job_signals);
    tcase_add_test(cases, without_the_wait_list_the_other_channel_does_not_wait);
    tcase_add_test(cases, a_later_point_of_a_timeline_holds_the_earlier_ones);
    tcase_add_test(cases, an_earlier_point_does_not_hold_the_later_ones);
    tcase_add_test(cases, jobs_of_a_channel_run_in_their_order);
    tcase_add_test(cases, unfinished_jobs_take_no_more_entries_than_the_ring_has);
    tcase_add_test(cases, a_wait_of_the_program_lasts_until_the_job_is_done);
    tcase_add_test(cases, an_open_loop_does_not_wait);
    tcase_add_test(cases, a_wait_for_any_ends_with_the_first_and_one_for_all_with_the_last);
    tcase_add_test(cases, a_call_comes_when_another_thread_has_submitted_what_it_waits_for);
    tcase_add_test(cases, a_signal_of_the_cpu_replaces_what_an_object_waits_for);
    tcase_add_test(cases, a_transfer_and_a_file_keep_what_was_waited_for_then);
    tcase_add_test(cases, a_synchronous_bind_returns_when_it_is_done);
    tcase_add_test(cases, an_asynchronous_bind_waits_for_its_list_in_the_kernel);
    tcase_add_test(cases, a_bind_that_unmaps_is_made_when_the_gpu_is_done);
    tcase_add_test(cases, bytes_arrive_through_what_is_bound_where);
    tcase_add_test(cases, sparse_ranges_read_as_zeros_and_return_when_memory_in_them_goes);
    tcase_add_test(cases, memory_without_a_handle_goes_with_its_last_mapping);
    tcase_add_loop_test(cases, commands_are_not_written_over_before_they_are_fetched, 0, 2);
    tcase_add_test(cases, the_same_commands_again_and_other_memory_wait_for_nothing);
    tcase_add_loop_test(cases, a_trace_that_makes_no_sense_stops_the_run_in_words, 0,
                        (int)(sizeof bad_rows / sizeof bad_rows[0]));
    tcase_add_test(cases, a_constant_without_a_selected_buffer_is_reported_not_a_fault);
    tcase_add_test(cases, a_job_that_never_ends_leaves_open_waits);
    suite_add_tcase(suite, cases);
    return suite;
}
