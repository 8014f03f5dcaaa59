/* SPDX-License-Identifier: MIT */
/*
 * Processes as clients of one MPS server (RULE_CUDA_MPS_CLIENT): what they share, up to Pascal and
 * from Volta on, beside the same processes without it; and what the server does not take.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define MS                     (1000 * GFE_PS_PER_US)
#define OWN(more, processes)   "{\"gfe_scenario\":1," more "\"processes\":[" processes "]}"
#define PROCESS(streams, task) "{\"streams\":[" streams "],\"tasks\":[" task "]}"
#define TASK(name, calls)      "{\"name\":\"" name "\",\"calls\":[" calls "]}"
#define S(name)                "{\"name\":\"" name "\"}"
#define LAUNCH(name, in, shape)                                                                    \
    "{\"stream\":\"" in "\",\"launch\":{\"name\":\"" name "\"," shape "}}"
#define SMALL "\"blocks\":2,\"threads\":128,\"work\":0.01"
/* Two SMs of 2,048 threads on a TX2, and more than that. */
#define LARGE "\"blocks\":8,\"threads\":1024,\"work\":0.01,\"registers\":16"

static const char *const mps[] = {"cuda.mps", "1", NULL};
static struct cuda_run run;

static void begin(const char *gpu, const char *text, const char *const *settings)
{
    const char *const files[] = {text, NULL};

    cuda_run_begin(&run, gpu, 0, files, settings);
}

static struct cuda_run_operation *kernel(const char *name)
{
    struct cuda_run_operation *found = calloc(1, sizeof *found);

    ck_assert_ptr_nonnull(found);
    cuda_run_kernel(&run, name, 0, found);
    return found;
}

static uint32_t events(uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == kind && (rule == RULE_NONE || run.events[i].rule == rule);
    return count;
}

/* ---- time-slices ----------------------------------------------------------------------------- */

static const char two[] = OWN("", PROCESS(S("s"), TASK("A", LAUNCH("A", "s", SMALL))) "," PROCESS(
                                      S("s"), TASK("B", LAUNCH("B", "s", SMALL))));
static const char two_say[] =
    OWN("\"mps\":true,", PROCESS(S("s"), TASK("A", LAUNCH("A", "s", SMALL))) "," PROCESS(
                             S("s"), TASK("B", LAUNCH("B", "s", SMALL))));

/* Two kernels that each need a fraction of the GPU: with MPS their blocks run side by side, each as
 * long as it would alone; without it they take turns (T.P1). */
/* PROMISE (drivers): Clients of MPS run side by side where processes are time-sliced. */
START_TEST(clients_run_side_by_side)
{
    static const struct {
        const char *gpu, *text;
        bool option, is_mps;
    } cases[] = {{"gtx1060", two, false, false},    {"gtx1060", two, true, true},
                 {"gtx1060", two_say, false, true}, {"v100", two, false, false},
                 {"v100", two, true, true},         {"v100", two_say, false, true},
                 {"tx2", two, true, true},          {"xavier", two, true, true},
                 {"orin", two, true, true},         {"h100", two, true, true}};
    struct cuda_run_operation *a, *b;
    gfe_ps took_ps;

    begin(cases[_i].gpu, cases[_i].text, cases[_i].option ? mps : NULL);
    a = kernel("A");
    b = kernel("B");
    took_ps = a->blocks[0].end_ps - a->blocks[0].start_ps;
    ck_assert_uint_eq(events(EVENT_CUDA_CLIENT, RULE_CUDA_MPS_CLIENT), cases[_i].is_mps ? 2 : 0);
    if (cases[_i].is_mps) {
        ck_assert_uint_lt(took_ps, 10 * MS + MS / 100);
        ck_assert_uint_lt(b->blocks[0].start_ps, MS);
        ck_assert_uint_lt(b->blocks[0].end_ps - b->blocks[0].start_ps, 10 * MS + MS / 100);
        ck_assert_uint_eq(events(EVENT_GRID_SUSPEND, RULE_NONE), 0);
    } else {
        ck_assert_uint_gt(took_ps, 15 * MS);
        ck_assert_uint_gt(events(EVENT_GRID_SUSPEND, RULE_T_P1), 4);
    }
    if (strcmp(cases[_i].gpu, "v100") == 0 && cases[_i].option)
        cuda_run_golden(&run, "cuda_mps.events");
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* ---- what they share ------------------------------------------------------------------------- */

/* Kernels of all clients join one queue for each priority: T.X1 and T.A2 hold among them. */
START_TEST(clients_share_the_queues_of_kernels)
{
    struct cuda_run_operation *a, *b, *c;

    begin(
        "xavier",
        OWN("",
            PROCESS(
                S("s"),
                TASK(
                    "A",
                    LAUNCH(
                        "A", "s",
                        "\"blocks\":40,\"threads\":1024,"
                        "\"registers\":16,\"work\":0.01"))) "," PROCESS(S("s"),
                                                                        TASK(
                                                                            "B",
                                                                            "{\"sleep\":0.001}"
                                                                            "," LAUNCH(
                                                                                "B", "s",
                                                                                SMALL))) "," PROCESS("{\"name\":\"h\",\"priority\":1}",
                                                                                                     TASK(
                                                                                                         "C",
                                                                                                         "{\"sleep\":0.002}," LAUNCH(
                                                                                                             "C",
                                                                                                             "h",
                                                                                                             SMALL)))),
        mps);
    a = kernel("A");
    b = kernel("B");
    c = kernel("C");
    ck_assert_uint_ge(b->blocks[0].start_ps, a->dispatched_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, b->hardware_id, RULE_T_X1), 5 * MS);
    ck_assert_uint_lt(c->blocks[0].start_ps, b->blocks[0].start_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, a->hardware_id, RULE_T_A2), 0);
    free(a);
    free(b);
    free(c);
    cuda_run_end(&run);
}
END_TEST

#define THREE_STREAMS(n)                                                                           \
    PROCESS(S("1") "," S("2") "," S("3"),                                                          \
            TASK(n, LAUNCH(n "1", "1", SMALL) "," LAUNCH(n "2", "2", SMALL) "," LAUNCH(n "3", "3", \
                                                                                       SMALL)))
static const char three_each[] =
    OWN("", THREE_STREAMS("A") "," THREE_STREAMS("B") "," THREE_STREAMS("C"));

/* Up to Pascal one address space and one pool of eight channels: the ninth stream waits until one
 * is given back, whosever it is (B.R2, B.C2).  From Volta on two channels and an address space of
 * each. */
/* PROMISE (drivers): Clients of MPS share channels and address spaces up to Pascal. */
START_TEST(channels_and_address_spaces_are_shared_up_to_pascal)
{
    /* The first kernels are still there when the third ones come. */
    const char *const settings[] = {"cuda.mps", "1", "nv.gr.context_load_cycles", "20000", NULL};
    const struct cuda *cuda;
    struct cuda_run_operation *a, *c;

    begin(_i == 0 ? "gtx1060" : "v100", three_each, settings);
    cuda = run.simulation->cuda;
    a = kernel("A3");
    c = kernel("C3");
    if (_i == 0) {
        ck_assert_uint_eq(cuda->processes[0].context.compute_count, 8);
        ck_assert_uint_eq(cuda->processes[1].context.channel_count, 0);
        ck_assert_uint_eq(events(EVENT_WAIT, RULE_B_R2), 1);
        ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, c->operation_id, RULE_B_R2), 0);
        ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_OPERATION, a->operation_id, RULE_B_R2), 0);
    } else {
        for (uint32_t i = 0; i < 3; i++) {
            ck_assert_uint_eq(cuda->processes[i].context.compute_count, 2);
            ck_assert_uint_eq(cuda->processes[i].context.tsgs[0],
                              cuda->processes[0].context.tsgs[0]);
        }
        ck_assert_uint_ne(cuda->processes[1].context.space_id, cuda->processes[0].context.space_id);
        ck_assert_uint_eq(events(EVENT_WAIT, RULE_B_R2), 3);
        ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, a->operation_id, RULE_B_R2), 0);
    }
    free(a);
    free(c);
    cuda_run_end(&run);
}
END_TEST

/* A channel that one client gives back goes to another that waits, and its kernel goes on. */
START_TEST(a_client_gets_a_channel_that_another_gives_back)
{
    const char *const settings[] = {"cuda.mps", "1", "cuda.channels", "1", NULL};
    struct cuda_run_operation *a, *b;

    begin("tx2",
          OWN("", PROCESS(S("s"), TASK("A", LAUNCH("A", "s", LARGE))) "," PROCESS(
                      S("s"), TASK("B", LAUNCH("B", "s", SMALL)))),
          settings);
    a = kernel("A");
    b = kernel("B");
    ck_assert_uint_ge(b->submitted_ps, a->dispatched_ps);
    ck_assert_uint_lt(b->submitted_ps, a->dispatched_ps + MS);
    ck_assert_uint_lt(b->submitted_ps, a->completed_ps);
    ck_assert_uint_eq(events(EVENT_CUDA_CHANNEL, RULE_B_C2), 1);
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* A process's NULL stream is its own, also in a context that clients share. */
START_TEST(null_streams_of_clients_do_not_meet)
{
    struct cuda_run_operation *a, *b;

    begin(_i == 0 ? "gtx1060" : "v100",
          OWN("", PROCESS("{\"name\":\"n\",\"kind\":\"null\"}",
                          TASK("A", LAUNCH("A", "n",
                                           SMALL))) "," PROCESS(S("s"), TASK("B", LAUNCH("B", "s",
                                                                                         SMALL)))),
          mps);
    a = kernel("A");
    b = kernel("B");
    ck_assert_uint_lt(b->blocks[0].start_ps, a->blocks[0].end_ps);
    ck_assert_uint_eq(events(EVENT_WAIT, RULE_T_N2), 0);
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* Work passes through the server up to Pascal (cuda.mps_server_ps), and not from Volta on. */
START_TEST(the_server_is_in_the_way_up_to_pascal)
{
    const char *const settings[] = {"cuda.mps", "1", "cuda.mps_server_ps", "700000000", NULL};
    struct cuda_run_operation *a;

    begin(_i == 0 ? "gtx1060" : "v100", two, settings);
    a = kernel("A");
    ck_assert(_i == 0 ? a->submitted_ps >= 700 * GFE_PS_PER_US
                      : a->submitted_ps < 10 * GFE_PS_PER_US);
    free(a);
    cuda_run_end(&run);
}
END_TEST

/* Copies of clients follow each other on a copy engine (T.C2), and none is stopped for another's
 * timeslice. */
START_TEST(copies_of_clients_are_not_time_sliced)
{
#define COPY "{\"copy\":{\"bytes\":67108864,\"direction\":\"to device\"}}"
    static const char text[] =
        OWN("", PROCESS(S("s"), TASK("A", COPY)) "," PROCESS(S("s"), TASK("B", COPY)));
    struct cuda_run_operation *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);

    ck_assert(a && b);
    begin("v100", text, _i == 0 ? NULL : mps);
    cuda_run_copy(&run, "A", 0, a);
    cuda_run_copy(&run, "B", 0, b);
    if (_i == 0) {
        ck_assert_uint_gt(events(EVENT_COPY_SUSPEND, RULE_NONE), 2);
    } else {
        ck_assert_uint_eq(events(EVENT_COPY_SUSPEND, RULE_NONE), 0);
        ck_assert_uint_ge(b->started_ps, a->ended_ps);
    }
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* ---- shares ---------------------------------------------------------------------------------- */

#define SHARE(percent, streams, task)                                                              \
    "{\"mps_thread_percentage\":" percent ",\"streams\":[" streams "],\"tasks\":[" task "]}"
#define FULL(n) "\"blocks\":" n ",\"threads\":1024,\"registers\":16,\"work\":0.01"

/* On how many SMs blocks of the kernel were in all. */
static uint32_t sms_of(const struct cuda_run_operation *of)
{
    uint64_t seen = 0;

    for (uint32_t i = 0; i < of->block_count; i++)
        seen |= UINT64_C(1) << of->blocks[i].sm;
    return (uint32_t)__builtin_popcountll(seen);
}

/* The SMs of a client on an H100, by percentage: the last SM that a block was seen on
 * (tests/hardware/data/h100, mps_5 to mps_100). */
START_TEST(a_client_of_an_h100_has_the_measured_sms)
{
    static const struct {
        const char *percent;
        uint32_t sms;
    } seen[] = {{"5", 8}, {"10", 12}, {"20", 26}, {"25", 32}, {"50", 66}, {"75", 98}, {"100", 132}};
    struct cuda_run_operation *a;
    char text[400];
    uint32_t highest = 0;

    (void)snprintf(text, sizeof text,
                   OWN("", SHARE("%s", S("s"), TASK("A", LAUNCH("A", "s", FULL("300"))))),
                   seen[_i].percent);
    begin("h100", text, mps);
    a = kernel("A");
    for (uint32_t i = 0; i < a->block_count; i++)
        if (a->blocks[i].sm > highest)
            highest = a->blocks[i].sm;
    ck_assert_uint_eq(highest, seen[_i].sms - 1);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_CUDA_CLIENT)
            ck_assert_uint_eq(event_argument(&run.events[i], 2), seen[_i].sms);
    free(a);
    cuda_run_end(&run);
}
END_TEST

/* The eight SMs of a Xavier hold 16 blocks of 1,024 threads: A has half of them and B a quarter, C
 * all, of which two are left.  Nobody waits for another's kernel; without shares B and C wait until
 * the 24 blocks of A have been placed. */
START_TEST(a_client_has_its_share_of_the_sms)
{
    static const char *const texts[] = {
        OWN("", SHARE("50", S("s"), TASK("A", LAUNCH("A", "s", FULL("24")))) "," SHARE(
                    "25", S("s"),
                    TASK("B", "{\"sleep\":0.001}," LAUNCH(
                                  "B", "s", FULL("8")))) "," SHARE("100", S("s"),
                                                                   TASK("C",
                                                                        "{\"sleep\":0.002}," LAUNCH(
                                                                            "C", "s", FULL("8"))))),
        OWN("", PROCESS(S("s"), TASK("A", LAUNCH("A", "s", FULL("24")))) "," PROCESS(
                    S("s"),
                    TASK("B", "{\"sleep\":0.001}," LAUNCH(
                                  "B", "s",
                                  FULL("8")))) "," PROCESS(S("s"),
                                                           TASK("C", "{\"sleep\":0.002}," LAUNCH(
                                                                         "C", "s", FULL("8")))))};
    struct cuda_run_operation *a, *b, *c;

    begin("xavier", texts[_i], mps);
    a = kernel("A");
    b = kernel("B");
    c = kernel("C");
    if (_i == 0) {
        ck_assert_uint_eq(sms_of(a), 4);
        ck_assert_uint_eq(sms_of(b), 2);
        ck_assert_uint_lt(b->blocks[0].start_ps, 2 * MS);
        ck_assert_uint_lt(c->blocks[3].start_ps, 3 * MS);
        ck_assert_uint_ge(a->blocks[8].start_ps, a->blocks[0].end_ps);
        ck_assert_uint_gt(
            cuda_run_waited(&run, SUBJECT_GRID, a->hardware_id, RULE_CORE_CLIENT_SHARE), 19 * MS);
        ck_assert_uint_gt(
            cuda_run_waited(&run, SUBJECT_GRID, b->hardware_id, RULE_CORE_CLIENT_SHARE), 9 * MS);
        ck_assert_uint_eq(
            cuda_run_waited(&run, SUBJECT_GRID, c->hardware_id, RULE_CORE_CLIENT_SHARE), 0);
        ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_GRID, b->hardware_id, RULE_T_X1), 0);
        cuda_run_golden(&run, "rule_core_client_share.events");
    } else {
        ck_assert_uint_ge(b->blocks[0].start_ps, a->dispatched_ps);
        ck_assert_uint_eq(events(EVENT_WAIT, RULE_CORE_CLIENT_SHARE), 0);
    }
    free(a);
    free(b);
    free(c);
    cuda_run_end(&run);
}
END_TEST

/* Rounded down, at least one; the log tells it of each client. */
START_TEST(shares_are_rounded_down_to_sms)
{
    static const struct {
        const char *percent;
        uint32_t sms;
    } cases[] = {{"100", 8}, {"99.9", 7}, {"50", 4}, {"25.1", 2}, {"24.9", 1}, {"0.5", 1}};
    char text[1024];
    struct cuda_run_operation *a;

    (void)snprintf(text, sizeof text,
                   OWN("", SHARE("%s", S("s"), TASK("A", LAUNCH("A", "s", FULL("32"))))),
                   cases[_i].percent);
    begin("xavier", text, mps);
    a = kernel("A");
    ck_assert_uint_eq(sms_of(a), cases[_i].sms);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_CUDA_CLIENT)
            ck_assert_uint_eq(event_cuda_client_of(&run.events[i]).sm_count, cases[_i].sms);
    free(a);
    cuda_run_end(&run);
}
END_TEST

/* A share bounds all kernels of a client together; within a client T.X1 and T.A2 hold; and of a
 * client that has its share one of high priority does not hold up another's of low. */
START_TEST(a_share_is_of_all_of_a_clients_kernels)
{
    struct cuda_run_operation *a, *b, *c;

    begin("xavier",
          OWN("", SHARE("25", "{\"name\":\"h\",\"priority\":1}," S("l"),
                        TASK("A", LAUNCH("A", "h", FULL("8")) "," LAUNCH(
                                      "B", "l",
                                      FULL("1")))) "," SHARE("100", S("s"),
                                                             TASK("C", "{\"sleep\":0.001}," LAUNCH(
                                                                           "C", "s", FULL("12"))))),
          mps);
    a = kernel("A");
    b = kernel("B");
    c = kernel("C");
    ck_assert_uint_eq(sms_of(a), 2);
    ck_assert_uint_ge(b->blocks[0].start_ps, a->dispatched_ps);
    ck_assert(b->blocks[0].sm == a->blocks[0].sm || b->blocks[0].sm == a->blocks[1].sm ||
              a->blocks[7].end_ps <= b->blocks[0].start_ps);
    ck_assert_uint_lt(c->blocks[11].start_ps, 2 * MS);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, b->hardware_id, RULE_T_A2), 5 * MS);
    free(a);
    free(b);
    free(c);
    cuda_run_end(&run);
}
END_TEST

/* A configuration of the examiner: its shares are those of its processes. */
START_TEST(shares_of_the_examiner)
{
#define SPIN(label, percent)                                                                       \
    "{\"filename\":\"timer_spin.so\",\"label\":\"" label                                           \
    "\",\"thread_count\":1024,\"block_count\":16,\"data_size\":0,\"additional_info\":10000000"     \
    ",\"mps_thread_percentage\":" percent "}"
    struct cuda_run_operation *a, *b;

    begin("v100",
          "{\"name\":\"n\",\"max_iterations\":1,\"max_time\":0,\"cuda_device\":0,\"use_processes\":"
          "true,\"benchmarks\":[" SPIN("A", "5") "," SPIN("B", "2.5") "]}",
          mps);
    a = kernel("A");
    b = kernel("B");
    ck_assert_uint_eq(sms_of(a), 4);
    ck_assert_uint_eq(sms_of(b), 2);
    free(a);
    free(b);
    cuda_run_end(&run);
}
END_TEST

/* ---- what it does not take ------------------------------------------------------------------- */

/* So many processes, and so many channels of each, with a kernel of each. */
static void refused(const char *gpu, const char *is_mps, uint32_t clients, const char *channels,
                    const char *says)
{
    const struct simulation_setting parameters[] = {{"cuda.mps", is_mps},
                                                    {"cuda.channels", channels}};
    const struct simulation_options options = {
        .gpu = gpu, .parameters = parameters, .parameter_count = 2};
    char name[] = "many";
    struct cuda_kernel kernel_of_all = {
        .name = name, .block_count = 1, .block_threads = 32, .time = CUDA_TIME_WORK};
    struct cuda_stream streams[64];
    struct cuda_task tasks[64];
    struct cuda_call calls[64];
    struct scenario scenario = {.program = {.name = name,
                                            .process_count = clients,
                                            .stream_count = clients,
                                            .task_count = clients,
                                            .call_count = clients,
                                            .group_count = 1,
                                            .kernel_count = 1,
                                            .kernels = &kernel_of_all,
                                            .streams = streams,
                                            .calls = calls,
                                            .tasks = tasks}};
    struct gfe_error error = {0};
    struct simulation *simulation;

    for (uint32_t i = 0; i < clients; i++) {
        streams[i] = (struct cuda_stream){.process = i};
        calls[i] = (struct cuda_call){.kind = CUDA_LAUNCH, .stream = i};
        tasks[i] = (struct cuda_task){
            .name = name, .process = i, .first_call = i, .call_count = 1, .max_iterations = 1};
    }
    simulation = simulation_new_scenario(&scenario, &options, &error);
    if (simulation && simulation_run(simulation, GFE_PS_NEVER, &error)) {
        ck_assert_ptr_null(says);
        for (uint32_t i = 0; i < clients; i++)
            ck_assert_uint_eq(simulation->cuda->responses[i].count, 1);
    } else {
        ck_assert_str_eq(error.text, says ? says : "");
    }
    simulation_free(simulation);
}

START_TEST(a_server_has_so_many_clients)
{
    refused("gtx1060", "1", 16, "0", NULL);
    refused("gtx1060", "1", 17, "0",
            "many: 17 processes: the MPS server of a gtx1060 has at most 16 clients");
    refused("v100", "1", 48, "0", NULL);
    refused("v100", "1", 49, "0",
            "many: 49 processes: the MPS server of a v100 has at most 48 clients");
    refused("v100", "1", 16, "8", NULL);
    refused("v100", "1", 17, "8",
            "many: 17 clients of MPS with 8 channels each: a group of a v100 has at most 128");
    refused("v100", "2", 2, "0", "parameter cuda.mps is 0 or 1");
}
END_TEST

/* Without MPS all the processes that a scenario may have; a TX2 has 512 channels. */
/* PROMISE (drivers): 64 processes run at once. */
START_TEST(as_many_processes_as_a_scenario_may_have)
{
    refused("gtx1060", "0", 64, "0", NULL);
    refused("a100", "0", 64, "0", NULL);
    refused("tx2", "0", 25, "0", NULL);
    refused("tx2", "0", 26, "0",
            "many: a CUDA context: no room for its channels, or no engine for copies");
}
END_TEST

Suite *cuda_mps_suite(void)
{
    Suite *suite = suite_create("cuda_mps");
    TCase *tcase = tcase_create("clients");

    tcase_add_loop_test(tcase, clients_run_side_by_side, 0, 10);
    tcase_add_test(tcase, clients_share_the_queues_of_kernels);
    tcase_add_loop_test(tcase, channels_and_address_spaces_are_shared_up_to_pascal, 0, 2);
    tcase_add_test(tcase, a_client_gets_a_channel_that_another_gives_back);
    tcase_add_loop_test(tcase, null_streams_of_clients_do_not_meet, 0, 2);
    tcase_add_loop_test(tcase, the_server_is_in_the_way_up_to_pascal, 0, 2);
    tcase_add_loop_test(tcase, copies_of_clients_are_not_time_sliced, 0, 2);
    tcase_add_loop_test(tcase, a_client_of_an_h100_has_the_measured_sms, 0, 7);
    tcase_add_loop_test(tcase, a_client_has_its_share_of_the_sms, 0, 2);
    tcase_add_loop_test(tcase, shares_are_rounded_down_to_sms, 0, 6);
    tcase_add_test(tcase, a_share_is_of_all_of_a_clients_kernels);
    tcase_add_test(tcase, shares_of_the_examiner);
    tcase_add_test(tcase, a_server_has_so_many_clients);
    tcase_add_test(tcase, as_many_processes_as_a_scenario_may_have);
    suite_add_tcase(suite, tcase);
    return suite;
}
