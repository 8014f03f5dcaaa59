/* SPDX-License-Identifier: MIT */
/*
 * Lines of the programs slice_times.cu, copy_times.cu, launch_times.cu and sm_order.cu
 * (tests/hardware): what is read from them, and the experiments that are made of it.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/compare.h"
#include "tests/suites.h"

static struct fit_measured measured;
static struct fit_figures figures;

static void take(const char *text)
{
    struct gfe_error error = {0};

    ck_assert_msg(fit_measured_parse(&measured, text, strlen(text), "a/file.jsonl", &error), "%s",
                  error.text);
}

static void make(uint32_t index)
{
    const struct fit_machine machine = {.model = nv_chip_by_name("h100")};
    struct gfe_error error = {0};

    ck_assert_msg(fit_experiment_make(&measured.experiments[index], &machine, &error), "%s",
                  error.text);
    ck_assert(fit_figures_add(&figures, &measured.experiments[index]));
}

static void forget(void)
{
    fit_figures_free(&figures);
    fit_measured_free(&measured);
}

static const struct fit_figure *figure(const char *name)
{
    for (uint32_t i = 0; i < figures.count; i++)
        if (strcmp(figures.list[i].name, name) == 0)
            return &figures.list[i];
    ck_abort_msg("no figure is called '%s'", name);
    return NULL;
}

static void near(double real, double wanted)
{
    ck_assert_msg(real > wanted - 1e-6 && real < wanted + 1e-6, "%g in place of %g", real, wanted);
}

static void within(double value, double least, double most)
{
    ck_assert_msg(value >= least && value <= most, "%g is not from %g to %g", value, least, most);
}

static const struct fit_part *part_of(uint32_t experiment, uint32_t part)
{
    ck_assert_uint_lt(experiment, measured.experiment_count);
    ck_assert_uint_lt(part, measured.experiments[experiment].part_count);
    return &measured.experiments[experiment].parts[part];
}

/* ---- kernels --------------------------------------------------------------------------------- */

START_TEST(chains)
{
    const struct fit_part *part;

    take("{\"experiment\":\"period\",\"blocks\":4,\"spin_ns\":7000,\"host_ns\":[0,4000],"
         "\"start_ns\":[0,9000],\"end_ns\":[7100,16200]}\n"
         "{\"experiment\":\"ready\",\"blocks\":1,\"spin_ns\":7000,\"freed_ns\":-2000,"
         "\"start_ns\":[0,9000],\"end_ns\":[7100,16200]}\n"
         "{\"experiment\":\"graph\",\"blocks\":1,\"spin_ns\":1,\"start_ns\":[0],\"end_ns\":[1]}\n");
    ck_assert_uint_eq(measured.experiment_count, 2);
    ck_assert_str_eq(measured.strangers_of, "graph");
    ck_assert_str_eq(measured.experiments[0].detail, "4 blocks, spin 7000 ns");
    part = part_of(0, 0);
    ck_assert(part->form == FIT_KERNELS && part->operation_count == 2 && part->stream_count == 1);
    near(part->gate_ns, 0);
    near(part->operations[1].call_ns, 4000);
    near(part->operations[1].real.spans[0].end_ns, 16200);
    ck_assert_uint_eq(part->operations[1].block_count, 4);
    ck_assert_uint_eq(part->operations[1].thread_count, 32);
    near(part_of(1, 0)->gate_ns, 1500000);
    /* The kernels behind the gate are there when it ends: nothing but the GPU lies between them. */
    make(1);
    within(figure("kernel 2 begins")->emulated, 7000, 12000);
    near(figure("kernel 2 begins")->real, 9000);
    forget();
}
END_TEST

START_TEST(kernels_with_places)
{
    const struct fit_operation *operation;

    take("{\"experiment\":\"order\",\"threads\":64,\"shared\":1024,\"fit\":2,\"sms\":[124,125],"
         "\"start_ns\":[32,0]}\n"
         "{\"experiment\":\"partial\",\"first_threads\":1024,\"threads\":256,\"first_sms\":[124],"
         "\"sms\":[125,126,127],\"start_ns\":[203000,203032,205000]}\n"
         "{\"experiment\":\"cooperative\",\"blocks\":2,\"sms\":[1,2],\"start_ns\":[0,1]}\n");
    ck_assert_uint_eq(measured.experiment_count, 2);
    ck_assert_str_eq(measured.strangers_of, "cooperative");
    operation = &part_of(0, 0)->operations[0];
    ck_assert(operation->blocks_seen && operation->end_unseen && !operation->begin_unseen);
    ck_assert_uint_eq(operation->real.blocks[0].sm, 124);
    ck_assert_uint_eq(operation->shared_bytes, 1024 + 8); /* the kernel has 8 bytes of its own */
    near(operation->real.spans[0].begin_ns, 0);
    near(operation->real.blocks[0].end_ns, 300032);
    operation = part_of(1, 0)->operations;
    ck_assert(operation[0].begin_unseen && operation[0].thread_count == 1024);
    near(operation[1].pause_ns, 200000);
    ck_assert_uint_eq(operation[1].stream, 1);
    make(1);
    within(figure("kernel 2 begins")->emulated, 200000, 210000);
    near(figure("kernel 2: all its blocks have begun")->real, 205000);
    near(figure("first blocks on the measured SM")->real, 4);
    within(figure("first blocks on the measured SM")->emulated, 1, 4);
    ck_assert_uint_eq(figures.count, 4); /* the fourth: the order of the two starts */
    forget();
}
END_TEST

/* ---- copies ---------------------------------------------------------------------------------- */

START_TEST(copies_again_and_again)
{
    const struct fit_operation *operation;

    take(
        "{\"experiment\":\"sizes\",\"way\":\"to_device\",\"bytes\":67108864,"
        "\"event_ns\":[1220000,1210000,1230000],\"host_ns\":[1,3,2]}\n"
        "{\"experiment\":\"two\",\"way\":\"to_host\",\"width\":100,\"height\":50,\"event_ns\":[5]}\n"
        "{\"experiment\":\"sizes\",\"way\":\"set\",\"bytes\":4,\"event_ns\":[5],\"host_ns\":[9]}\n"
        "{\"experiment\":\"sizes\",\"way\":\"to_device_pageable\",\"bytes\":4,\"event_ns\":[5]}\n");
    ck_assert_uint_eq(measured.experiment_count, 4);
    operation = part_of(0, 0)->operations;
    ck_assert(part_of(0, 0)->form == FIT_REPEAT && operation->times == 3);
    operation = part_of(1, 0)->operations;
    ck_assert(operation->rows == 50 && operation->byte_count == 5000 &&
              operation->way == FIT_TO_HOST);
    ck_assert(part_of(2, 0)->operations->is_set && part_of(3, 0)->operations->is_pageable);
    make(0);
    near(figure("from event to event, the median")->real, 1220000);
    within(figure("from event to event, the median")->emulated, 1.1e6, 1.3e6);
    near(figure("from the call to the end of the wait, the median")->real, 2);
    within(figure("from the call to the end of the wait, the median")->emulated, 1.1e6, 1.3e6);
    for (uint32_t i = 1; i < 4; i++) {
        fit_figures_free(&figures);
        make(i);
        within(figure("from event to event, the median")->emulated, 100, 50000);
    }
    forget();
}
END_TEST

#define RACE(run, name, a, b)                                                                      \
    "{\"experiment\":\"together\",\"name\":\"" name "\",\"run\":" run ",\"copies\":["              \
    "{\"way\":\"to_device\",\"bytes\":33554432,\"event_ns\":[1000," a "]},"                        \
    "{\"way\":\"to_device\",\"bytes\":33554432,\"event_ns\":[2000," b "]}]}\n"

START_TEST(copies_that_race)
{
    const struct fit_part *part;
    double first, second;

    take(RACE("0", "two", "600000", "1200000") RACE("1", "two", "1300000", "650000")
             RACE("0", "two", "3001", "3002") RACE("1", "other", "3000", "2000"));
    ck_assert_uint_eq(measured.experiment_count, 3);
    part = part_of(0, 0);
    ck_assert_uint_eq(part->operations[0].times, 2);
    near(part->gate_ns, 600000);
    make(0);
    near(figure("run 2: copy 1 ends")->real, 1300000);
    first = figure("run 2: copy 1 ends")->emulated;
    second = figure("run 2: copy 2 ends")->emulated;
    /* Times count from the end of the gate: one copy takes about 0.6 ms, and the other waits. */
    within(first < second ? first : second, 0.55e6, 0.7e6);
    within(first < second ? second : first, 1.1e6, 1.4e6);
    forget();
}
END_TEST

START_TEST(a_copy_beside_a_kernel)
{
    take("{\"experiment\":\"beside\",\"way\":\"on_device\",\"bytes\":64,\"kernel_end_ns\":2017088,"
         "\"event_ns\":[221792,2018000]}\n");
    make(0);
    near(figure("kernel ends")->real, 2017088);
    within(figure("kernel ends")->emulated, 2.0e6, 2.05e6);
    near(figure("copy 2 ends")->real, 2018000);
    /* On an H100 the copy is a kernel, and waits until the GPU has room. */
    within(figure("copy 2 ends")->emulated, 2.0e6, 2.05e6);
    forget();
}
END_TEST

/* ---- rounds ---------------------------------------------------------------------------------- */

#define T "17958185144438" /* 1795818514443800000 and so on */

START_TEST(rounds)
{
    const struct fit_part *part;

    take(
        "{\"experiment\":\"x\",\"process\":\"a\",\"round\":0,\"of\":\"watch:4:64:0:32\",\"blocks\":4,"
        "\"threads\":64,\"shared\":0,\"registers\":20,\"error\":\"\",\"watched\":[{\"block\":0,"
        "\"start\":" T "00000,\"end\":" T "90000,\"gaps\":[[" T "20000," T "40000]]}]}\n"
        "{\"experiment\":\"x\",\"process\":\"a\",\"round\":1,\"of\":\"idle\"}\n"
        "{\"experiment\":\"x\",\"process\":\"a\",\"round\":2,\"of\":\"tiny:3000:2\",\"kernels\":"
        "[[" T "00000," T "03000]]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":0,\"of\":\"sparse:5000:2.5\",\"kernels\":"
        "[[" T "01000," T "06000],[" T "70000," T "75000]]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":1,\"of\":\"copy:4096\",\"bytes\":4096,"
        "\"done_host_ns\":[1000,3000,4000]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":2,\"of\":\"acquire\",\"kernels\":[[1,2]]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":3,\"of\":\"pieces:h:10\",\"bytes\":10,"
        "\"done_ns\":[10,20]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":4,\"of\":\"prio:-3:4:64\",\"blocks\":4,"
        "\"threads\":64,\"priority\":-3,\"error\":\"\",\"watched\":[{\"block\":0,\"start\":1,"
        "\"end\":2,\"gaps\":[]}]}\n"
        "{\"experiment\":\"x\",\"process\":\"b\",\"round\":5,\"of\":\"watch:4:2000:0:32\","
        "\"error\":\"no\",\"watched\":[]}\n");
    ck_assert_uint_eq(measured.experiment_count, 5);
    ck_assert_str_eq(measured.experiments[0].detail, "round 0");
    ck_assert_uint_eq(measured.experiments[0].part_count, 2);
    near(part_of(0, 0)->operations[0].spin_ns, 40e6);
    part = part_of(0, 1);
    ck_assert_str_eq(part->name, "b sparse:5000:2.5");
    ck_assert(part->form == FIT_STREAM && part->waits);
    near(part->sleep_ns, 2500);
    near(part->operations[0].spin_ns, 5000);
    near(part->operations[0].real.spans[1].begin_ns, 70000);
    /* Round 2 has a process that waits for a value: it is left out. */
    ck_assert_uint_eq(measured.experiments[1].part_count, 0);
    ck_assert_str_eq(measured.strangers_of, "x, acquire");
    ck_assert_uint_eq(measured.strangers, 2);
    part = part_of(2, 0);
    ck_assert(part->form == FIT_LATENCY && part->operations[0].real.took.count == 3);
    near(part->operations[0].real.took.values[1], 2000);
    ck_assert(part_of(3, 0)->operations[0].way == FIT_TO_HOST);
    ck_assert_int_eq(part_of(4, 0)->streams[0].priority, -3);
    make(0);
    within(figure("b sparse:5000:2.5: from kernel to kernel")->emulated, 7500, 5e6);
    near(figure("b sparse:5000:2.5: from kernel to kernel")->real, 69000);
    fit_figures_free(&figures);
    make(2);
    within(
        figure("b copy:4096: from the call to the end of the wait, a quarter is longer")->emulated,
        1000, 50000);
    forget();
}
END_TEST

START_TEST(a_call_that_is_waited_for)
{
    take("{\"experiment\":\"round_trip\",\"of\":\"a kernel that does nothing, and waiting for it\","
         "\"host_ns\":[10000,12000]}\n"
         "{\"experiment\":\"overhead\",\"of\":\"one launch of 100\",\"host_ns\":[1]}\n");
    ck_assert_uint_eq(measured.experiment_count, 1);
    ck_assert_str_eq(measured.strangers_of, "overhead");
    make(0);
    within(figure("from the call to the end of the wait, a quarter is longer")->emulated, 3000,
           30000);
    forget();
}
END_TEST

/* ---- results of cuda_scheduling_examiner ----------------------------------------------------- */

#define RESULT(name, pid, label, call, times)                                                       \
    "{\"scenario_name\": \"two\", \"benchmark_name\": \"" name "\", \"label\": \"" label "\", "     \
    "\"max_resident_threads\": 4096, \"data_size\": 0, \"release_time\": 0, \"PID\": " pid          \
    ", \"TID\": 1, \"times\": [{}, {\"copy_in_times\": [1,1], \"execute_times\": [1,2], "           \
    "\"copy_out_times\": [2,2], \"cpu_times\": [1,2]}, {\"kernel_name\": \"k\", "                   \
    "\"block_count\": 2, \"thread_count\": 64, \"shared_memory\": 8, \"cuda_launch_times\": [" call \
    ", 0], \"block_times\": [" times "], \"block_smids\": [1, 0], \"cpu_core\": 1}]}"

static void take_result(const char *text, const char *name)
{
    struct fit_measured more;
    struct gfe_error error = {0};

    ck_assert_msg(fit_measured_parse(&more, text, strlen(text), name, &error), "%s", error.text);
    fit_measured_free(&measured);
    measured = more;
}

START_TEST(results)
{
    const struct fit_operation *operation;

    take_result(
        RESULT("Timer Spin", "7", "K1", "1.000001, 1.000011", "1.0001, 1.0101, 1.0002, 1.0102"),
        "r.json");
    ck_assert_uint_eq(measured.experiment_count, 1);
    ck_assert_str_eq(measured.experiments[0].name, "two");
    ck_assert_str_eq(measured.experiments[0].family, "two");
    operation = &part_of(0, 0)->operations[0];
    ck_assert_str_eq(operation->name, "K1");
    ck_assert(!operation->works && operation->block_count == 2 && operation->thread_count == 64 &&
              operation->shared_bytes == 8);
    ck_assert_str_eq(part_of(0, 0)->streams[0].name, "K1");
    near(operation->call_ns, 1000001000);
    near(operation->given_ns, 1000011000);
    near(operation->spin_ns, 10000000);
    ck_assert_uint_eq(operation->real.blocks[1].sm, 0);
    make(0);
    within(figure("K1 ends")->emulated, 10000000, 10200000);
    forget();
    take_result(RESULT("Mandelbrot", "7", "K1", "1, 1", "1.0001, 1.0101, 1.0002, 1.0102"),
                "r.json");
    ck_assert(part_of(0, 0)->operations[0].works);
    forget();
}
END_TEST

static const struct {
    const char *text, *says;
} wrong_results[] = {
    {RESULT("Timer Spin", "7", "K1", "1, 1", "1.2, 1.1, 1, 2"),
     "times[2]: block 0 ends before it starts"},
    {RESULT("Timer Spin", "7", "K1", "1, 1", "1.2, 1.3"), "f: times[2].block_times: "},
    {RESULT("Timer Spin", "x", "K1", "1, 1", "1, 1, 1, 1"), "f: "},
    {"{\"scenario_name\": \"x\"}", "f: "},
};

START_TEST(wrong_results_are_refused)
{
    struct gfe_error error = {0};

    ck_assert(!fit_measured_parse(&measured, wrong_results[_i].text, strlen(wrong_results[_i].text),
                                  "f", &error));
    ck_assert_msg(strstr(error.text, wrong_results[_i].says) != NULL, "%s", error.text);
    forget();
}
END_TEST

/* ---- wrong lines ----------------------------------------------------------------------------- */

#define ROUND "{\"experiment\":\"x\",\"process\":\"a\",\"round\":0,"

static const struct {
    const char *text, *says;
} wrong[] = {
    {"{\"experiment\":\"x\",\"blocks\":0,\"spin_ns\":1,\"freed_ns\":1,\"start_ns\":[1],\"end_ns\":[2]}",
     "blocks: 0 is not a number of blocks"},
    {"{\"experiment\":\"x\",\"blocks\":1,\"spin_ns\":1,\"freed_ns\":1,\"start_ns\":[1,3],"
     "\"end_ns\":[2]}",
     "end_ns[1]: is missing"},
    {"{\"experiment\":\"x\",\"blocks\":1,\"spin_ns\":1,\"freed_ns\":1,\"start_ns\":[3],\"end_ns\":[2]}",
     "end_ns[0]: the kernel ends before it begins"},
    {"{\"experiment\":\"x\",\"blocks\":1,\"spin_ns\":1,\"host_ns\":[],\"start_ns\":[1],\"end_ns\":[2]}",
     "host_ns[0]: is missing"},
    {"{\"experiment\":\"x\",\"threads\":32,\"sms\":[5000],\"start_ns\":[0]}",
     "sms[0]: 5000 is more than 4096"},
    {"{\"experiment\":\"x\",\"threads\":32,\"sms\":[5,6],\"start_ns\":[0]}",
     "start_ns[1]: is missing"},
    {"{\"experiment\":\"x\",\"threads\":32,\"first_sms\":[5],\"sms\":[5],\"start_ns\":[0]}",
     "first_threads: is missing"},
    {"{\"experiment\":\"x\",\"way\":\"up\",\"bytes\":1,\"event_ns\":[1]}",
     "way: 'up' is not \"to_device\""},
    {"{\"experiment\":\"x\",\"way\":\"set\",\"bytes\":1,\"event_ns\":[-1]}",
     "event_ns[0]: -1 is not a time that something took"},
    {"{\"experiment\":\"x\",\"way\":\"set\",\"width\":4,\"event_ns\":[1]}", "height: is missing"},
    {"{\"experiment\":\"x\",\"way\":\"set\",\"bytes\":4,\"event_ns\":[1,2],\"host_ns\":[1]}",
     "host_ns[1]: is missing"},
    {"{\"experiment\":\"x\",\"copies\":[{\"way\":\"set\",\"bytes\":4,\"event_ns\":[2,1]}]}",
     "copies[0].event_ns: it ends before it begins"},
    {RACE("0", "n", "1001",
          "2001") "{\"experiment\":\"together\",\"name\":\"n\",\"run\":1,\"copies\":["
                  "{\"way\":\"to_host\",\"bytes\":1,\"event_ns\":[1,2]}]}",
     "copies: the run before had 2 copies"},
    {RACE("0", "n", "1001",
          "2001") "{\"experiment\":\"together\",\"name\":\"n\",\"run\":1,\"copies\":["
                  "{\"way\":\"to_host\",\"bytes\":1,\"event_ns\":[1,2]},"
                  "{\"way\":\"to_host\",\"bytes\":1,\"event_ns\":[1,2]}]}",
     "copies[0]: the run before had another copy"},
    {"{\"experiment\":\"x\",\"way\":\"set\",\"bytes\":4,\"kernel_end_ns\":1,\"event_ns\":[2]}",
     "event_ns: an array is not begin and end"},
    {ROUND "\"of\":\"sparse:5000\",\"kernels\":[[1,2]]}",
     "of: 'sparse:5000' is not what a process does"},
    {ROUND "\"of\":\"sparse:5e99:1\",\"kernels\":[[1,2]]}",
     "of: 'sparse:5e99:1' is not what a process does"},
    {ROUND "\"of\":\"tiny:-1:1\",\"kernels\":[[1,2]]}", "of: 'tiny:-1:1' is not what"},
    {ROUND "\"of\":\"pieces:x:1\",\"bytes\":1,\"done_ns\":[1]}",
     "of: 'pieces:x:1' is not pieces:d"},
    {ROUND "\"of\":\"copy:1\",\"bytes\":0,\"done_host_ns\":[1]}",
     "bytes: 0 is not a number of bytes"},
    {ROUND
     "\"of\":\"prio:0:1:32\",\"blocks\":1,\"threads\":32,\"priority\":1,\"watched\":[{\"block\":0,"
     "\"start\":1,\"end\":2,\"gaps\":[]}]}",
     "priority: 1 is more than 0"},
};

START_TEST(wrong_lines_are_refused)
{
    struct gfe_error error = {0};

    ck_assert(!fit_measured_parse(&measured, wrong[_i].text, strlen(wrong[_i].text), "f", &error));
    ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
    forget();
}
END_TEST

Suite *measured_forms_suite(void)
{
    Suite *suite = suite_create("measured_forms");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, chains);
    tcase_add_test(tests, kernels_with_places);
    tcase_add_test(tests, copies_again_and_again);
    tcase_add_test(tests, copies_that_race);
    tcase_add_test(tests, a_copy_beside_a_kernel);
    tcase_add_test(tests, rounds);
    tcase_add_test(tests, a_call_that_is_waited_for);
    tcase_add_test(tests, results);
    tcase_add_loop_test(tests, wrong_results_are_refused, 0,
                        (int)(sizeof wrong_results / sizeof wrong_results[0]));
    tcase_add_loop_test(tests, wrong_lines_are_refused, 0, (int)(sizeof wrong / sizeof wrong[0]));
    suite_add_tcase(suite, tests);
    return suite;
}
