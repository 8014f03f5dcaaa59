/* SPDX-License-Identifier: MIT */
/* A GPU below a program that runs: here the program is this test, with a channel and buffer objects
 * in memory of its own. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/live/live_nouveau.h"
#include "emu/sim/live_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum { PAGE = 4096, PUSHES = 0, SEMAPHORES = PAGE, PAGES = 4 };
enum { OBJECT_PUSHES = 1, OBJECT_SEMAPHORES = 2, CHANNEL = 3, OTHER_CHANNEL = 4, SPACE = 0 };
#define BASE UINT64_C(0x100000000)
#define STEP (20 * GFE_PS_PER_US)

static uint8_t memory[PAGES * PAGE];
static struct live_nouveau *live;
static gfe_ps now_ps;
static uint32_t submission_count;
static uint32_t submits_to; /* which channel */

static bool program_read(void *program, uint64_t address, void *data, size_t bytes)
{
    (void)program;
    if (address < BASE || address - BASE > sizeof memory ||
        bytes > sizeof memory - (address - BASE))
        return false;
    memcpy(data, memory + (address - BASE), bytes);
    return true;
}

static bool program_write(void *program, uint64_t address, const void *data, size_t bytes)
{
    (void)program;
    if (address < BASE || address - BASE > sizeof memory ||
        bytes > sizeof memory - (address - BASE))
        return false;
    memcpy(memory + (address - BASE), data, bytes);
    return true;
}

/* ---- what a program does ----------------------------------------------------------------------
 */

static int call(struct trace_record *record)
{
    const int result = live_nouveau_do(live, now_ps += STEP, record);

    now_ps += live->base.takes_ps;
    return result;
}

static int map_object(uint32_t handle, uint64_t page)
{
    struct trace_record record = {.head.kind = TRACE_AS_MAP};

    record.as_map.as_id = SPACE;
    record.as_map.va = BASE + page * PAGE;
    record.as_map.size_bytes = PAGE;
    record.as_map.handle = handle;
    record.as_map.aperture = TRACE_APERTURE_SYSMEM;
    return call(&record);
}

static int unmap_object(uint32_t handle, uint64_t page)
{
    struct trace_record record = {.head.kind = TRACE_AS_UNMAP};

    record.as_unmap.as_id = SPACE;
    record.as_unmap.va = BASE + page * PAGE;
    record.as_unmap.size_bytes = PAGE;
    record.as_unmap.handle = handle;
    return call(&record);
}

static void channel_create(uint32_t channel_id)
{
    struct trace_record record = {.head.kind = TRACE_CHANNEL};

    record.channel.channel_id = channel_id;
    record.channel.as_id = SPACE;
    record.channel.engine = 1;
    ck_assert_int_eq(call(&record), 0);
}

static void begin_with(const char *gpu, const char *fault, const struct simulation_setting *choice)
{
    const struct machine_host host = {program_read, program_write, NULL};
    const struct simulation_options options = {.choices = choice, .choice_count = choice != NULL};
    struct trace_record record = {.head.kind = TRACE_AS_CREATE};
    struct gfe_error error = {0};

    memset(memory, 0, sizeof memory);
    now_ps = 1000 * GFE_PS_PER_US;
    submission_count = 0;
    submits_to = CHANNEL;
    live = live_nouveau_new(gpu, &options, &fault, fault != NULL, &host, &error);
    ck_assert_msg(live != NULL, "%s", error.text);
    record.as_create.as_id = SPACE;
    ck_assert_int_eq(call(&record), 0);
    ck_assert_int_eq(map_object(OBJECT_PUSHES, 0), 0);
    ck_assert_int_eq(map_object(OBJECT_SEMAPHORES, 1), 0);
    channel_create(CHANNEL);
}

static void begin(const char *fault)
{
    begin_with("gtx1060", fault, NULL);
}

/* Dwords at a place of the object of pushes. */
static int submit(const uint32_t *dwords, uint32_t count)
{
    const uint64_t at = PUSHES + 64 * (uint64_t)submission_count;
    const struct trace_push push = {
        .handle = OBJECT_PUSHES, .offset = at - PUSHES, .length_bytes = UINT64_C(4) * count};
    struct trace_record record = {.head.kind = TRACE_SUBMIT};

    memcpy(memory + at, dwords, sizeof *dwords * count);
    record.submit.channel_id = submits_to;
    record.submit.submission_id = ++submission_count;
    record.submit.pushes = (struct trace_pushes){&push, 1};
    return call(&record);
}

/* A release of the submission's number into its own semaphore. */
static int submit_release(void)
{
    uint32_t dwords[NOUVEAU_FENCE_DWORDS];

    nouveau_fence_segment(BASE + SEMAPHORES + UINT64_C(16) * submission_count, submission_count + 1,
                          dwords);
    return submit(dwords, NOUVEAU_FENCE_DWORDS);
}

/* The same, behind a clear by the 3D class: of the engine. */
static int submit_draw(void)
{
    uint32_t dwords[4 + NOUVEAU_FENCE_DWORDS] = {PB_INC(0, 0, 1), live->model->class_3d,
                                                 PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0)};

    nouveau_fence_segment(BASE + SEMAPHORES + UINT64_C(16) * submission_count, submission_count + 1,
                          dwords + 4);
    return submit(dwords, 4 + NOUVEAU_FENCE_DWORDS);
}

static uint32_t semaphore(uint32_t n)
{
    uint32_t value;

    memcpy(&value, memory + SEMAPHORES + UINT64_C(16) * n, sizeof value);
    return value;
}

static void pass(void)
{
    struct gfe_error error = {0};
    gfe_ps next_ps;

    for (int i = 0; i < 20; i++)
        ck_assert_msg(live_nouveau_run(live, now_ps += STEP, &next_ps, &error), "%s", error.text);
}

/* A look of somebody who begins to wait now, and of one who has waited since then. */
static bool is_done(uint32_t submission_id)
{
    return live_nouveau_is_done(live, now_ps, submission_id, now_ps);
}

static bool is_done_since(uint32_t submission_id, gfe_ps begin_ps)
{
    return live_nouveau_is_done(live, now_ps, submission_id, begin_ps);
}

static void end(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(live_nouveau_end(live, now_ps += STEP, &error), "%s", error.text);
    live_nouveau_free(live);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

START_TEST(a_release_comes_when_the_model_says_so)
{
    gfe_ps began_ps;

    begin(NULL);
    ck_assert_int_eq(submit_release(), 0);
    began_ps = now_ps;
    ck_assert(!is_done(1)); /* the call has returned, the GPU has just begun */
    ck_assert_uint_eq(semaphore(0), 0);
    pass();
    ck_assert_uint_eq(semaphore(0), 1);
    ck_assert(is_done_since(1, began_ps));
    ck_assert(is_done(1));
    ck_assert_int_eq(submit_release(), 0);
    ck_assert(is_done(1)); /* the one before is, still */
    ck_assert(!is_done(2));
    end();
}
END_TEST

START_TEST(a_call_takes_its_time)
{
    struct gfe_error error = {0};
    gfe_ps next_ps = 0;

    begin(NULL);
    pass();
    ck_assert_int_eq(submit_release(), 0);
    ck_assert_uint_gt(live->base.takes_ps, GFE_PS_PER_US);
    ck_assert_uint_eq(live->base.ahead_ps, 0);
    ck_assert(live_nouveau_run(live, now_ps, &next_ps, &error));
    ck_assert_uint_gt(next_ps, now_ps);
    ck_assert_uint_lt(next_ps, now_ps + STEP);
    end();
}
END_TEST

/* Who sleeps is not woken; who looks for himself sees it. */
START_TEST(a_lost_interrupt_leaves_sleepers_asleep)
{
    gfe_ps began_ps;

    begin("interrupt drop=all");
    ck_assert_int_eq(submit_release(), 0);
    began_ps = now_ps;
    ck_assert(!is_done(1));
    pass();
    ck_assert_uint_eq(semaphore(0), 1);
    ck_assert(!is_done_since(1, began_ps));
    ck_assert(is_done(1));
    end();
}
END_TEST

/* The driver rings twice for each submission: for it, and for its own fence. */
START_TEST(a_lost_doorbell_is_made_good_by_the_next)
{
    begin("doorbell drop=2");
    ck_assert_int_eq(submit_release(), 0);
    (void)is_done(1);
    pass();
    ck_assert_uint_eq(semaphore(0), 0);
    ck_assert(!is_done(1));
    ck_assert_int_eq(submit_release(), 0);
    pass();
    ck_assert_uint_eq(semaphore(0), 1);
    ck_assert_uint_eq(semaphore(1), 2);
    ck_assert(is_done(2));
    end();
}
END_TEST

/* The channel is given up, its fences are nobody's any more, and the program is told at its next
 * submission. */
static void channel_is_killed(void)
{
    ck_assert(!is_done(1));
    ck_assert(!live->is_news);
    pass();
    ck_assert(live->is_news);
    ck_assert_uint_eq(semaphore(0), 0);
    ck_assert(is_done(1));
    ck_assert_int_eq(submit_release(), -ENODEV);
    pass();
    ck_assert_uint_eq(semaphore(1), 0);
}

/* The log's only event of a kind. */
static struct log_event only_event(uint32_t kind)
{
    struct log_event found = {0};
    uint32_t count = 0, all;
    struct log_event *events = check_machine_decode(live->machine, &all);

    for (uint32_t i = 0; i < all; i++)
        if (events[i].kind == kind && count++ == 0)
            found = events[i];
    free(events);
    ck_assert_uint_eq(count, 1);
    return found;
}

START_TEST(memory_that_is_not_in_the_page_tables_kills_the_channel)
{
    struct log_event fault;

    begin("map drop @#2");
    ck_assert_int_eq(submit_release(), 0);
    channel_is_killed();
    fault = only_event(EVENT_DRIVER_FAULT);
    ck_assert_uint_eq(event_driver_fault_of(&fault).channel_id, 0); /* the hardware's channel */
    ck_assert_uint_eq(event_driver_fault_of(&fault).address, BASE + SEMAPHORES);
    ck_assert_uint_eq(only_event(EVENT_DRIVER_KILL).rule, RULE_NOUVEAU_RC);
    ck_assert_int_eq(unmap_object(OBJECT_SEMAPHORES, 1), 0); /* the driver believes it is there */
    end();
    begin("map drop @#1"); /* the pushbuffer itself */
    ck_assert_int_eq(submit_release(), 0);
    channel_is_killed();
    end();
}
END_TEST

/* From Volta on the fault comes in a buffer. */
START_TEST(so_it_does_on_volta_and_turing)
{
    struct log_event fault;

    begin_with(_i == 0 ? "v100" : "rtx2060", "map drop @#2", NULL);
    ck_assert_int_eq(submit_release(), 0);
    channel_is_killed();
    fault = only_event(EVENT_DRIVER_FAULT_GV100);
    ck_assert_uint_eq(event_driver_fault_gv100_of(&fault).channel_id, 0);
    ck_assert_uint_eq(event_driver_fault_gv100_of(&fault).address, BASE + SEMAPHORES);
    ck_assert_uint_eq(only_event(EVENT_DRIVER_KILL).rule, RULE_NOUVEAU_RC);
    end();
}
END_TEST

/* Who sleeps in the kernel for a channel that is given up is woken. */
START_TEST(sleepers_are_woken_when_their_channel_goes)
{
    gfe_ps began_ps;

    begin("map drop @#2");
    ck_assert_int_eq(submit_release(), 0);
    began_ps = now_ps;
    ck_assert(!is_done(1));
    pass();
    ck_assert(is_done_since(1, began_ps));
    end();
}
END_TEST

/* Two channels: one hangs the engine, is given up when the time limit is over, and is refused; what
 * the other has submitted meanwhile comes, and so does what it submits later. */
/* PROMISE (live): An engine that hangs is reset for the other channel of a live program. */
START_TEST(an_engine_that_hangs_is_reset_for_the_other_channel)
{
    static const char *const gpus[] = {"gtx680", "gtx980", "gtx1060", "v100", "rtx2060"};
    struct gfe_error error = {0};
    struct log_event kill;
    gfe_ps next_ps;

    begin_with(gpus[_i], "work_end:0 drop", NULL);
    channel_create(OTHER_CHANNEL);
    ck_assert_int_eq(submit_draw(), 0);
    submits_to = OTHER_CHANNEL;
    pass();
    ck_assert_int_eq(submit_draw(), 0);
    pass();
    ck_assert_uint_eq(semaphore(0) + semaphore(1), 0);
    ck_assert(!live->is_news);
    ck_assert(live_nouveau_run(live, now_ps += 5 * GFE_PS_PER_S, &next_ps, &error));
    ck_assert(live->is_news);
    ck_assert_uint_eq(semaphore(0), 0);
    ck_assert_uint_eq(semaphore(1), 2);
    ck_assert(is_done(1)); /* nobody waits for it */
    ck_assert(is_done(2));
    ck_assert_int_eq(submit_draw(), 0);
    pass();
    ck_assert_uint_eq(semaphore(2), 3);
    submits_to = CHANNEL;
    ck_assert_int_eq(submit_draw(), -ENODEV);
    kill = only_event(EVENT_DRIVER_KILL);
    ck_assert_uint_eq(event_driver_kill_of(&kill).channel_id, 0);
    (void)only_event(EVENT_DRIVER_RC_END);
    end();
}
END_TEST

/* As in a replay: the channel stands, and nobody says why. */
START_TEST(recovery_can_be_left_out)
{
    const struct simulation_setting choice = {"nouveau.recovery", "off"};

    begin_with("gtx1060", "map drop @#2", &choice);
    ck_assert_int_eq(submit_release(), 0);
    pass();
    ck_assert(!is_done(1));
    ck_assert(!live->is_news);
    end();
}
END_TEST

START_TEST(an_error_of_the_pbdma_kills_the_channel)
{
    begin("header value=0xc0000000");
    ck_assert_int_eq(submit_release(), 0);
    channel_is_killed();
    ck_assert_uint_eq(only_event(EVENT_DRIVER_KILL).rule, RULE_NOUVEAU_KILL);
    end();
}
END_TEST

/* Memory is given back, and a channel ended, above a GPU that does not go on. */
START_TEST(what_hangs_is_left_behind)
{
    struct trace_record record = {.head.kind = TRACE_CHANNEL_END};

    begin("release drop=all");
    ck_assert_int_eq(submit_release(), 0);
    live_nouveau_finish(live, now_ps += STEP, 1);
    ck_assert(!is_done(1));
    ck_assert_int_eq(unmap_object(OBJECT_SEMAPHORES, 1), 0);
    record.channel_end.channel_id = CHANNEL;
    ck_assert_int_eq(call(&record), 0);
    ck_assert_int_eq(call(&record), -ENOENT);
    end();
}
END_TEST

/* A draw that never ends: the driver waits, preempts, is told that this takes too long, and resets
 * the engine; the next channel finds it as new. */
START_TEST(an_engine_that_hangs_is_reset_when_its_channel_ends)
{
    static const char *const gpus[] = {"gtx680", "gtx980", "gtx1060", "v100", "rtx2060"};
    struct trace_record record = {.head.kind = TRACE_CHANNEL_END};

    begin_with(gpus[_i], "work_end drop", NULL);
    ck_assert_int_eq(submit_draw(), 0);
    pass();
    ck_assert_uint_eq(semaphore(0), 0);
    record.channel_end.channel_id = CHANNEL;
    ck_assert_int_eq(call(&record), 0);
    (void)only_event(EVENT_DRIVER_RC_RESET);
    (void)only_event(EVENT_DRIVER_RC_END);
    channel_create(OTHER_CHANNEL);
    submits_to = OTHER_CHANNEL;
    ck_assert_int_eq(submit_draw(), 0);
    pass();
    ck_assert_uint_eq(semaphore(1), 2);
    end();
}
END_TEST

START_TEST(the_gpu_finishes_before_memory_goes)
{
    begin(NULL);
    ck_assert_int_eq(submit_release(), 0);
    ck_assert_uint_eq(semaphore(0), 0);
    live_nouveau_finish(live, now_ps += 1, 1);
    ck_assert_uint_eq(semaphore(0), 1);
    ck_assert_uint_gt(live->base.takes_ps, 0);
    ck_assert_int_eq(unmap_object(OBJECT_SEMAPHORES, 1), 0);
    end();
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    struct trace_record record = {.head.kind = TRACE_VM_INIT};

    begin(NULL);
    ck_assert_int_eq(call(&record), -ENOSYS);
    ck_assert_int_eq(unmap_object(77, 2), 0); /* another process's */
    record = (struct trace_record){.head.kind = TRACE_SUBMIT};
    record.submit.channel_id = 9;
    ck_assert_int_eq(call(&record), -ENOENT);
    ck_assert(!machine_failed(live->machine));
    end();
}
END_TEST

START_TEST(a_wrong_fault_is_told)
{
    const struct machine_host host = {program_read, program_write, NULL};
    const struct simulation_options options = {0};
    const char *const wrong[] = {"nothing drop", "doorbell unmap", "map flip=3"};
    struct gfe_error error;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error = (struct gfe_error){0};
        ck_assert(live_nouveau_new("gtx1060", &options, &wrong[i], 1, &host, &error) == NULL);
        ck_assert_msg(strstr(error.text, wrong[i]) != NULL, "%s", error.text);
    }
    error = (struct gfe_error){0};
    ck_assert(live_nouveau_new("gtx1", &options, NULL, 0, &host, &error) == NULL);
    ck_assert_str_ne(error.text, "");
}
END_TEST

/* Kepler to Turing: the same program on each driver's chips. */
/* PROMISE (live): Every chip that nouveau knows works live. */
START_TEST(every_chip_that_the_driver_knows_works)
{
    static const char *const gpus[] = {"gtx680", "gtx980", "gtx1050", "v100", "rtx2060"};

    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        begin_with(gpus[i], NULL, NULL);
        ck_assert_int_eq(submit_release(), 0);
        (void)is_done(1);
        pass();
        ck_assert_msg(semaphore(0) == 1, "%s", gpus[i]);
        ck_assert(is_done(1));
        end();
    }
}
END_TEST

Suite *live_nouveau_suite(void)
{
    Suite *suite = suite_create("live_nouveau");
    TCase *program_case = tcase_create("program"), *fault_case = tcase_create("fault");

    tcase_add_test(program_case, a_release_comes_when_the_model_says_so);
    tcase_add_test(program_case, a_call_takes_its_time);
    tcase_add_test(program_case, the_gpu_finishes_before_memory_goes);
    tcase_add_test(program_case, what_is_not_there_is_refused);
    tcase_add_test(program_case, every_chip_that_the_driver_knows_works);
    suite_add_tcase(suite, program_case);
    tcase_add_test(fault_case, a_lost_interrupt_leaves_sleepers_asleep);
    tcase_add_test(fault_case, a_lost_doorbell_is_made_good_by_the_next);
    tcase_add_test(fault_case, memory_that_is_not_in_the_page_tables_kills_the_channel);
    tcase_add_loop_test(fault_case, so_it_does_on_volta_and_turing, 0, 2);
    tcase_add_test(fault_case, sleepers_are_woken_when_their_channel_goes);
    tcase_add_loop_test(fault_case, an_engine_that_hangs_is_reset_for_the_other_channel, 0, 5);
    tcase_add_test(fault_case, recovery_can_be_left_out);
    tcase_add_test(fault_case, an_error_of_the_pbdma_kills_the_channel);
    tcase_add_test(fault_case, what_hangs_is_left_behind);
    tcase_add_loop_test(fault_case, an_engine_that_hangs_is_reset_when_its_channel_ends, 0, 5);
    tcase_add_test(fault_case, a_wrong_fault_is_told);
    suite_add_tcase(suite, fault_case);
    return suite;
}
