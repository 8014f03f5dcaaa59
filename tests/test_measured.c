/* SPDX-License-Identifier: MIT */
/*
 * Measurements of real GPUs, their figures, and the experiments made from them (emu/fit).  What the
 * figures of a measurement are is worked out here by hand.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "emu/fit/compare.h"
#include "tests/suites.h"

#define KERNEL(name, stream, call, blocks)                                                         \
    "{\"name\":\"" name "\",\"stream\":\"" stream "\",\"threads\":64,\"shared\":0,"                \
    "\"spin_ns\":1000,\"host_ns\":" call ",\"blocks\":[" blocks "]}"

static struct fit_measured measured;
static struct fit_figures figures;

static void take(const char *text)
{
    struct gfe_error error = {0};

    ck_assert_msg(fit_measured_parse(&measured, text, strlen(text), "a/file.jsonl", &error), "%s",
                  error.text);
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

/* Gives an operation what the emulation would have seen. */
static void emulate(struct fit_operation *operation, const struct fit_span *spans)
{
    struct fit_seen *seen = &operation->emulated;

    seen->spans = malloc(operation->times * sizeof *spans);
    memcpy(seen->spans, spans, operation->times * sizeof *spans);
    if (operation->blocks_seen) {
        seen->blocks = malloc(operation->block_count * sizeof seen->blocks[0]);
        for (uint32_t i = 0; i < operation->block_count; i++)
            seen->blocks[i] = (struct fit_block){spans[0].begin_ns, spans[0].end_ns, 7};
    }
}

static void near(double real, double wanted)
{
    ck_assert_msg(real > wanted - 1e-9 && real < wanted + 1e-9, "%g in place of %g", real, wanted);
}

/* ---- reading --------------------------------------------------------------------------------- */

START_TEST(lines_are_read)
{
    const struct fit_experiment *experiment;
    const struct fit_part *part;

    take(
        "{\"gpu\":\"A GPU\",\"sms\":8,\"CUDA_DEVICE_MAX_CONNECTIONS\":\"4\"}\n"
        "{\"experiment\":\"x\",\"kernels\":[" KERNEL("k1", "s1", "0", "[0,1000,3],[32,1100,4]") "," KERNEL(
            "k2", "NULL", "700000",
            "[5000,6000,3]") "]}\n"
                             "{\"experiment\":\"strange\",\"sms\":[1]}\n"
                             "{\"supplement\":\"x\",\"of\":\"file\",\"mps\":true,\"streams\":{\"s1\":{\"priority\":-2,"
                             "\"kind\":\"blocking\",\"sm_mask\":\"f0\",\"last_copy\":\"to host\"}}}\n");
    ck_assert_str_eq(measured.gpu, "A GPU");
    ck_assert_uint_eq(measured.experiment_count, 1);
    ck_assert_uint_eq(measured.strangers, 1);
    ck_assert_str_eq(measured.strangers_of, "strange");
    experiment = &measured.experiments[0];
    ck_assert_str_eq(experiment->family, "file");
    ck_assert_uint_eq(experiment->line, 2);
    ck_assert_uint_eq(experiment->connections, 4);
    ck_assert(experiment->mps && experiment->is_first);
    part = &experiment->parts[0];
    ck_assert_uint_eq(part->stream_count, 2);
    ck_assert(part->streams[0].is_blocking && !part->streams[0].is_null &&
              part->streams[1].is_null);
    ck_assert_int_eq(part->streams[0].priority, -2);
    ck_assert_str_eq(part->streams[0].sm_mask, "f0");
    ck_assert(part->streams[0].has_copied && part->streams[0].has_copied_to_host);
    ck_assert(!part->streams[1].has_copied);
    ck_assert_uint_eq(part->operations[0].block_count, 2);
    near(part->operations[0].real.spans[0].begin_ns, 0);
    near(part->operations[0].real.spans[0].end_ns, 1100);
    near(part->operations[1].call_ns, 700000);
    forget();
}
END_TEST

/* Times of the GPU's clock are beyond 2^53: they are counted from the experiment's first one. */
START_TEST(processes_are_one_experiment)
{
    const struct fit_experiment *experiment;

    take(
        "{\"experiment\":\"two\",\"process\":\"a\",\"blocks\":4,\"ms\":1,\"shared\":1024,\"watched\":["
        "{\"block\":0,\"sm\":1,\"start\":1795528551606807008,\"end\":1795528551606817008,\"gaps\":"
        "[[1795528551606808008,1795528551606809008],[1795528551606811008,1795528551606813008]]}]}\n"
        "{\"experiment\":\"two\",\"process\":\"b\",\"blocks\":4,\"ms\":1,\"shared\":0,\"watched\":["
        "{\"block\":3,\"sm\":1,\"start\":1795528551606807108,\"end\":1795528551606817001,\"gaps\":[]}]}\n"
        "{\"experiment\":\"two\",\"kind\":\"wait\",\"process\":\"c\",\"host_ns\":[1,2]}\n"
        "{\"experiment\":\"pieces\",\"process\":\"a\",\"bytes\":10,\"done_ns\":[10,20,50]}\n");
    ck_assert_uint_eq(measured.experiment_count, 2);
    experiment = &measured.experiments[0];
    ck_assert_uint_eq(experiment->part_count, 2);
    ck_assert_uint_eq(experiment->waits_left_out, 1);
    near(experiment->parts[0].operations[0].real.spans[0].begin_ns, 0);
    near(experiment->parts[1].operations[0].real.spans[0].begin_ns, 100);
    ck_assert_uint_eq(experiment->parts[0].operations[0].real.runs.count, 1);
    near(experiment->parts[0].operations[0].real.runs.values[0], 2000);
    near(experiment->parts[0].operations[0].real.stands.values[1], 2000);
    near(measured.experiments[1].parts[0].operations[0].real.spans[2].begin_ns, 20);
    forget();
}
END_TEST

static const struct {
    const char *line, *says;
} wrong[] = {
    {"{", "f:1: not a JSON object"},
    {"[]", "f:1: not a JSON object"},
    {"{\"experiment\":3}", "experiment: 3 is not the name of an experiment"},
    {"{\"gpu\":\"x\",\"CUDA_DEVICE_MAX_CONNECTIONS\":\"33\"}", "'33' is not a number from 1 to 32"},
    {"{\"experiment\":\"x\",\"kernels\":[{}]}", "kernels[0].threads: is missing"},
    {"{\"experiment\":\"x\",\"kernels\":[{\"threads\":1025,\"name\":\"k\",\"stream\":\"s\"}]}",
     "kernels[0].threads: 1025 is more than 1024"},
    {"{\"experiment\":\"x\",\"kernels\":[{\"threads\":32,\"name\":\"k\",\"stream\":\"s\",\"spin_ns\":-1}]}",
     "kernels[0].spin_ns: -1 is not a time in ns"},
    {"{\"experiment\":\"x\",\"kernels\":[{\"threads\":32,\"name\":\"k\",\"stream\":\"s\",\"spin_ns\":1,"
     "\"blocks\":[[2,1,0]]}]}",
     "kernels[0].blocks[0]: it ends before it begins"},
    {"{\"experiment\":\"x\",\"kernels\":[{\"threads\":32,\"name\":\"k\",\"stream\":\"s\",\"spin_ns\":1,"
     "\"blocks\":[[1,2]]}]}",
     "kernels[0].blocks[0]: an array is not begin, end and SM"},
    {"{\"experiment\":\"x\",\"copies\":[{\"name\":\"c\",\"stream\":\"s\",\"bytes\":1,\"way\":\"up\","
     "\"event_ns\":[1,2]}]}",
     "copies[0].way: 'up' is not \"to device\", \"to host\" or \"on device\""},
    {"{\"experiment\":\"x\",\"process\":\"a\",\"ms\":1,\"blocks\":1,\"watched\":[{\"block\":0,\"start\":5,"
     "\"end\":9,\"gaps\":[[6,7],[6,8]]}]}",
     "watched[0].gaps[1]: it begins before the one in front of it ends"},
    {"{\"experiment\":\"x\",\"process\":\"a\",\"of\":\"tea\",\"host_ns\":[1]}",
     "of: 'tea' is not \"copy\" or \"kernel\""},
};

START_TEST(wrong_lines_are_refused)
{
    struct gfe_error error = {0};

    ck_assert(!fit_measured_parse(&measured, wrong[_i].line, strlen(wrong[_i].line), "f", &error));
    ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
    forget();
}
END_TEST

START_TEST(wrong_supplements_are_refused)
{
    static const char *const wrong_ones[][2] = {
        {"{\"priority\":1}", "f:2: streams.s.priority: 1 is more than 0"},
        {"{\"last_copy\":\"up\"}",
         "f:2: streams.s.last_copy: 'up' is not \"to device\" or \"to host\""},
    };
    struct gfe_error error = {0};
    char text[512];
    const int length = snprintf(text, sizeof text,
                                "{\"experiment\":\"x\",\"kernels\":[" KERNEL(
                                    "k", "s", "0", "[0,1,2]") "]}\n"
                                                              "{\"supplement\":\"x\","
                                                              "\"streams\":{\"s\":%s}}\n",
                                wrong_ones[_i][0]);

    ck_assert(!fit_measured_parse(&measured, text, (size_t)length, "f", &error));
    ck_assert_str_eq(error.text, wrong_ones[_i][1]);
    forget();
}
END_TEST

/* ---- figures --------------------------------------------------------------------------------- */

START_TEST(figures_of_kernels)
{
    struct fit_part *part;

    take(
        "{\"experiment\":\"x\",\"kernels\":[" KERNEL("k1", "s1", "0", "[100,1100,7],[132,1132,4]") "," KERNEL(
            "k2", "s2", "1", "[20100,21100,7],[1050,1900,9]") "," KERNEL("k3", "s3", "2",
                                                                         "[40100,42100,1]") "]}");
    part = &measured.experiments[0].parts[0];
    part->operations[1].real.spans[0].begin_ns = 20100; /* as if its early block had come late */
    emulate(&part->operations[0], &(struct fit_span){500, 1600});
    emulate(&part->operations[1], &(struct fit_span){60500, 61500});
    emulate(&part->operations[2], &(struct fit_span){44500, 46500});
    ck_assert(fit_figures_add(&figures, &measured.experiments[0]));
    near(figure("k2 begins")->real, 20000);
    near(figure("k2 begins")->emulated, 60000);
    near(fit_figure_error(figure("k2 begins")), 2);
    near(figure("k1 ends")->real, 1032);
    near(figure("k1 ends")->emulated, 1100);
    near(fit_figure_error(figure("k3 begins")), 0.1);
    /* k1 before k2, k1 before k3, but not k2 before k3 */
    near(figure("pairs of kernels that start in the measured order")->real, 3);
    near(figure("pairs of kernels that start in the measured order")->emulated, 2);
    /* before the first end, at 1,100 ns: three blocks, one of them on SM 7 */
    near(figure("first blocks on the measured SM")->real, 3);
    near(figure("first blocks on the measured SM")->emulated, 1);
    near(figure("later blocks on the measured SM")->real, 2);
    near(figure("later blocks on the measured SM")->emulated, 1);
    forget();
}
END_TEST

START_TEST(figures_of_pieces)
{
    static const struct fit_span emulated[] = {{0, 10}, {10, 20}, {20, 30}, {30, 40}, {40, 90}};

    take("{\"experiment\":\"x\",\"process\":\"a\",\"bytes\":1,\"done_ns\":[10,20,30,70,80]}");
    emulate(&measured.experiments[0].parts[0].operations[0], emulated);
    ck_assert(fit_figures_add(&figures, &measured.experiments[0]));
    near(figure("a: a piece")->real, 10);
    near(figure("a: pieces that wait")->real, 1);
    near(figure("a: a piece that waits")->real, 40);
    near(figure("a: a piece that waits")->emulated, 50);
    near(fit_figure_error(figure("a: a piece that waits")), 0.25);
    near(figure("a: ends")->emulated, 90);
    forget();
}
END_TEST

START_TEST(an_error_of_nothing)
{
    const struct fit_figure both = {NULL, FIT_NUMBER, 0, 0}, none = {NULL, FIT_TIME, 5, FIT_NEVER};
    const struct fit_figure more = {NULL, FIT_NUMBER, 0, 1};

    near(fit_figure_error(&both), 0);
    ck_assert(fit_figure_error(&none) == FIT_ENDLESS);
    ck_assert(fit_figure_error(&more) == FIT_ENDLESS);
}
END_TEST

/* ---- making ---------------------------------------------------------------------------------- */

/* Operations are given to the GPU when the program did so. */
START_TEST(an_experiment_is_made)
{
    const struct fit_machine machine = {.model = nv_chip_by_name("gtx1060")};
    struct gfe_error error = {0};
    struct fit_operation *operations;
    double apart;

    take("{\"experiment\":\"x\",\"kernels\":[" KERNEL("k1", "s1", "0", "[0,1000,0]") "," KERNEL(
        "k2", "s1", "5000", "[9,1009,0]") "," KERNEL("k3", "s2", "405000", "[9,1009,0]") "]}");
    ck_assert_msg(fit_experiment_make(&measured.experiments[0], &machine, &error), "%s",
                  error.text);
    operations = measured.experiments[0].parts[0].operations;
    for (uint32_t i = 0; i < 3; i++) { /* each block spins for 1,000 ns */
        const struct fit_span *span = operations[i].emulated.spans;

        near(span->end_ns - span->begin_ns, 1000);
        near(operations[i].emulated.blocks[0].begin_ns, span->begin_ns);
    }
    ck_assert(operations[1].emulated.spans[0].begin_ns >= operations[0].emulated.spans[0].end_ns);
    /* given to the GPU at 5, 10 and 410 us; the second one then waits for the first one's end */
    apart = operations[2].emulated.spans[0].begin_ns - operations[0].emulated.spans[0].begin_ns;
    ck_assert_msg(apart > 400000 && apart < 406000, "%g ns apart", apart);
    forget();
}
END_TEST

Suite *measured_suite(void)
{
    Suite *suite = suite_create("measured");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, lines_are_read);
    tcase_add_test(tests, processes_are_one_experiment);
    tcase_add_loop_test(tests, wrong_lines_are_refused, 0, (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_loop_test(tests, wrong_supplements_are_refused, 0, 2);
    tcase_add_test(tests, figures_of_kernels);
    tcase_add_test(tests, figures_of_pieces);
    tcase_add_test(tests, an_error_of_nothing);
    tcase_add_test(tests, an_experiment_is_made);
    suite_add_tcase(suite, tests);
    return suite;
}
