/* SPDX-License-Identifier: MIT */
/* Making a run again by its log: the same, up to a time or an event; and the logs of which it
 * cannot be: another version's, another trace's, one that was changed. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inspection.h"
#include "emu/log/chunk.h"
#include "emu/log/event_log_head.h"
#include "tests/check_trace.h"
#include "tests/suites.h"
#include "emu/sim/bare_gpu.h"
#include "traces/import/import_bus.h"

static struct memory_file trace, log_file;
static struct gfe_error error;

/* The golden program of two tasks. */
static void setup(void)
{
    const char *folder = getenv("top_srcdir");
    char path[4096];
    FILE *text;

    (void)snprintf(path, sizeof path, "%s/tests/golden/two_tasks.bus", folder ? folder : ".");
    text = fopen(path, "rbe");
    ck_assert_msg(text != NULL, "%s", path);
    error = (struct gfe_error){0};
    trace = memory_file_new("", 0);
    log_file = memory_file_new("", 0);
    ck_assert_msg(import_bus(text, "text", trace.fd, "trace", &bare_gpu_chips, &error), "%s",
                  error.text);
    fclose(text);
}

static void teardown(void)
{
    memory_file_free(&trace);
    memory_file_free(&log_file);
}

/* Runs the program into log_file; with a write behind its back, which no head tells. */
static void run_log(bool tamper)
{
    struct simulation_setting parameter = {"core.block_base_cycles", "30000000"};
    const char *const pokes[] = {"3ms disable_channel 2"};
    struct simulation_options options = {.seed = 7,
                                         .log = chunk_writer_new(log_file.fd, "log", &error),
                                         .parameters = &parameter,
                                         .parameter_count = 1,
                                         .pokes = pokes,
                                         .poke_count = 1};
    struct replay_input *input = replay_load(trace.path, &error);
    struct simulation *simulation = check_simulation_new(input, &options);

    ck_assert_msg(simulation_log_head(simulation, input->hash, &error) &&
                      simulation_run(simulation, 4000 * GFE_PS_PER_US, &error),
                  "%s", error.text);
    if (tamper)
        machine_write32(simulation->machine, 0x80000c, 0x800);
    ck_assert(simulation_run(simulation, GFE_PS_NEVER, &error) &&
              simulation_log_end(simulation, &error) && chunk_writer_finish(options.log, &error));
    chunk_writer_free(options.log);
    simulation_free(simulation);
    replay_input_free(input);
}

static struct inspection *open_log(const char *trace_path)
{
    error = (struct gfe_error){0};
    return inspection_open(log_file.path, trace_path, UINT64_C(1) << 30, &error);
}

/* NULL with a message in `error`. */
static struct simulation *rerun(const struct inspection *inspection, gfe_ps at_ps, uint64_t event)
{
    const struct inspection_run run = {.when = {.at_ps = at_ps, .event = event},
                                       .max_memory_bytes = UINT64_C(1) << 30};

    struct any_simulation simulation;

    return inspection_rerun(inspection, &run, &simulation, &error) ? simulation.simulation : NULL;
}

START_TEST(the_run_is_made_again_up_to_a_time)
{
    struct inspection *inspection;
    struct simulation *simulation;

    run_log(false);
    inspection = open_log(trace.path);
    ck_assert_msg(inspection && inspection->input, "%s", error.text);
    simulation = rerun(inspection, 3000 * GFE_PS_PER_US, UINT64_MAX);
    ck_assert_msg(simulation != NULL, "%s", error.text);
    ck_assert(machine_now(simulation->machine) <= 3000 * GFE_PS_PER_US);
    ck_assert_uint_eq(machine_read32(simulation->machine, 0x800014) & 1, 0); /* the poke's */
    simulation_free(simulation);
    simulation = rerun(inspection, 3000 * GFE_PS_PER_US - 1, UINT64_MAX);
    ck_assert_uint_eq(machine_read32(simulation->machine, 0x800014) & 1, 1);
    ck_assert_uint_eq(simulation->machine->config.seed, 7);
    simulation_free(simulation);
    inspection_close(inspection);
}
END_TEST

START_TEST(or_up_to_an_event)
{
    struct inspection *inspection;

    run_log(false);
    inspection = open_log(trace.path);
    for (uint64_t event = 1; event < 40; event += 13) {
        struct simulation *simulation = rerun(inspection, GFE_PS_NEVER, event);

        ck_assert_msg(simulation != NULL, "%s", error.text);
        ck_assert_uint_ge(simulation->machine->log.cursor->event_count, event);
        ck_assert_uint_lt(simulation->machine->log.cursor->event_count, event + 20);
        simulation_free(simulation);
    }
    ck_assert_ptr_null(rerun(inspection, GFE_PS_NEVER, 1000000));
    ck_assert_ptr_nonnull(strstr(error.text, "not 1000000"));
    inspection_close(inspection);
}
END_TEST

START_TEST(a_log_of_another_run_is_found_out)
{
    struct inspection *inspection;
    struct simulation *simulation;

    run_log(true);
    inspection = open_log(trace.path);
    ck_assert_ptr_nonnull(inspection);
    simulation = rerun(inspection, 3000 * GFE_PS_PER_US, UINT64_MAX); /* still the same */
    ck_assert_msg(simulation != NULL, "%s", error.text);
    simulation_free(simulation);
    ck_assert_ptr_null(rerun(inspection, GFE_PS_NEVER, UINT64_MAX));
    ck_assert_ptr_nonnull(strstr(error.text, "made again, its run is another"));
    inspection_close(inspection);
}
END_TEST

START_TEST(the_note_of_the_host_leads_to_the_trace)
{
    struct inspection *inspection;

    run_log(false);
    inspection = open_log(NULL);
    ck_assert_msg(inspection && inspection->input, "%s", error.text);
    inspection_close(inspection);
}
END_TEST

START_TEST(another_trace_is_not_taken)
{
    struct memory_file other = memory_file_new("", 0);
    FILE *text = fmemopen((void *)(uintptr_t) "gfe-bus 1\ngpu gtx1060-3gb\n", 26, "r");

    ck_assert(import_bus(text, "text", other.fd, "trace", &bare_gpu_chips, &error));
    fclose(text);
    run_log(false);
    ck_assert_ptr_null(open_log(other.path));
    ck_assert_ptr_nonnull(strstr(error.text, "is not the trace of"));
    memory_file_free(&other);
}
END_TEST

START_TEST(another_version_is_refused)
{
    struct chunk_writer *writer = chunk_writer_new(log_file.fd, "log", &error);
    const struct event_log_head_string strings[] = {{"version", "0.0.0"}, {"gpu", "gtx1060-3gb"}};
    char *head = event_log_head_build(&(struct event_log_head){.run = strings, .run_count = 2});

    ck_assert(chunk_write(writer, CHUNK_LOG_HEAD, head, strlen(head), &error) &&
              chunk_write(writer, CHUNK_LOG_END, "{}", 2, &error) &&
              chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    free(head);
    ck_assert_ptr_null(open_log(NULL));
    ck_assert_ptr_nonnull(strstr(error.text, "was made by gfe 0.0.0, this is gfe "));
}
END_TEST

Suite *inspection_suite(void)
{
    Suite *suite = suite_create("inspection");
    TCase *tcase = tcase_create("logs");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_run_is_made_again_up_to_a_time);
    tcase_add_test(tcase, or_up_to_an_event);
    tcase_add_test(tcase, a_log_of_another_run_is_found_out);
    tcase_add_test(tcase, the_note_of_the_host_leads_to_the_trace);
    tcase_add_test(tcase, another_trace_is_not_taken);
    tcase_add_test(tcase, another_version_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
