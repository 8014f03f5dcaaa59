/* SPDX-License-Identifier: MIT */
/* VM_BIND: what is bound where and when, and traces whose binds make no sense. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/nouveau_client.h"
#include "tests/suites.h"

/* ---- binds ----------------------------------------------------------------------------------- */

START_TEST(a_synchronous_bind_returns_when_it_is_done)
{
    bind(TRACE_BIND_MAP, A, DATA_VA + 0x1000000, 0, OBJECT_BYTES);
    exec(7, DWORDS(RELEASE_AT(DATA_VA + 0x1000000, 3)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_gt(time_of(EVENT_CPU_SUBMIT, EVENT_PLACE(cpu_submit, submission_id), 1),
                      time_of(EVENT_DRIVER_BIND, EVENT_PLACE(driver_bind, bind_id), 3));
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
    ck_assert_uint_ge(time_of(EVENT_DRIVER_BIND, EVENT_PLACE(driver_bind, bind_id), 3), done_of(1));
    ck_assert_ptr_nonnull(wait_of(RULE_NOUVEAU_SYNC, 3));
    ck_assert_uint_eq(event_wait_of(wait_of(RULE_NOUVEAU_SYNC, 3)).subject_kind, SUBJECT_BIND);
    ck_assert_uint_ge(time_of(EVENT_CPU_WAIT_END, EVENT_PLACE(cpu_wait_end, thread_index), 0),
                      time_of(EVENT_DRIVER_BIND, EVENT_PLACE(driver_bind, bind_id), 3));
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

/* ---- broken traces --------------------------------------------------------------------------- */

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

Suite *nouveau_bind_suite(void)
{
    Suite *suite = suite_create("nouveau_bind");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_synchronous_bind_returns_when_it_is_done);
    tcase_add_test(tcase, an_asynchronous_bind_waits_for_its_list_in_the_kernel);
    tcase_add_test(tcase, a_bind_that_unmaps_is_made_when_the_gpu_is_done);
    tcase_add_test(tcase, bytes_arrive_through_what_is_bound_where);
    tcase_add_test(tcase, sparse_ranges_read_as_zeros_and_return_when_memory_in_them_goes);
    tcase_add_test(tcase, memory_without_a_handle_goes_with_its_last_mapping);
    tcase_add_loop_test(tcase, commands_are_not_written_over_before_they_are_fetched, 0, 2);
    tcase_add_test(tcase, the_same_commands_again_and_other_memory_wait_for_nothing);
    tcase_add_loop_test(tcase, a_trace_that_makes_no_sense_stops_the_run_in_words, 0,
                        (int)(sizeof bad_rows / sizeof bad_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
