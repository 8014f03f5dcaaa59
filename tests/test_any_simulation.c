/* SPDX-License-Identifier: MIT */
/* The rows of simulations: which one a program, a file or a log leads to, and what it says. */
#include <config.h>

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/analysis/check/check.h"
#include "emu/analysis/open_waits.h"
#include "emu/sim/any_simulation.h"
#include "emu/sim/gpus.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"

static const char scenario_text[] = "{\"name\": \"s\", \"benchmarks\": []}";
static const char hip_text[] =
    "{\"name\": \"h\", \"plugins\": [{\"filename\": \"bin/matrix_multiply.so\","
    " \"thread_count\": 256, \"block_count\": 4, \"max_iterations\": 1}]}";

START_TEST(a_program_leads_to_its_kind)
{
    const struct replay_input driver = {.layer = TRACE_LAYER_UAPI},
                              bus = {.layer = TRACE_LAYER_BUS}, ring = {.layer = TRACE_LAYER_RING};
    const struct scenario scenario = {0};
    const struct any_simulation_ops *nvidia =
        any_simulation_of_program(&(struct any_program){.input = &driver});
    const struct any_simulation_ops *cuda =
        any_simulation_of_program(&(struct any_program){.scenario = &scenario});
    const struct any_simulation_ops *kfd =
        any_simulation_of_program(&(struct any_program){.input = &ring});
    const struct any_simulation_ops *hip =
        any_simulation_of_program(&(struct any_program){.hip_path = "x.json"});

    ck_assert_ptr_eq(any_simulation_of_program(&(struct any_program){.input = &bus}), nvidia);
    ck_assert_str_eq(nvidia->vendor->name, "NVIDIA");
    ck_assert_str_eq(cuda->vendor->name, "NVIDIA");
    ck_assert_str_eq(kfd->vendor->name, "AMD");
    ck_assert_str_eq(hip->vendor->name, "AMD");
    ck_assert(nvidia->has_pokes && cuda->has_pokes && !kfd->has_pokes && !hip->has_pokes);
    ck_assert_ptr_ne(nvidia, cuda);
    ck_assert_ptr_ne(kfd, hip);
}
END_TEST

START_TEST(a_log_leads_to_the_kind_that_made_it)
{
    const struct scenario scenario = {0};
    const struct replay_input ring = {.layer = TRACE_LAYER_RING}, bus = {.layer = TRACE_LAYER_BUS};

    ck_assert_ptr_eq(any_simulation_of_log("hip"),
                     any_simulation_of_program(&(struct any_program){.hip_path = "x.json"}));
    ck_assert_ptr_eq(any_simulation_of_log("cuda"),
                     any_simulation_of_program(&(struct any_program){.scenario = &scenario}));
    ck_assert_ptr_eq(any_simulation_of_log("kfd"),
                     any_simulation_of_program(&(struct any_program){.input = &ring}));
    for (const char *const *name = (const char *const[]){"nouveau", "none", "", "kf", "hip2", NULL};
         *name; name++)
        ck_assert_ptr_eq(any_simulation_of_log(*name),
                         any_simulation_of_program(&(struct any_program){.input = &bus}));
}
END_TEST

START_TEST(only_cuda_programs_are_scenarios)
{
    ck_assert(any_simulation_of_log("cuda")->has_scenario);
    ck_assert(!any_simulation_of_log("nouveau")->has_scenario);
    ck_assert(!any_simulation_of_log("kfd")->has_scenario);
    ck_assert(!any_simulation_of_log("hip")->has_scenario);
}
END_TEST

START_TEST(only_a_configuration_is_known_by_the_hash_of_its_file)
{
    struct memory_file file = memory_file_new(hip_text, strlen(hip_text));
    struct gfe_error error = {0};
    char hash[65] = "";

    ck_assert_ptr_null(any_simulation_of_log("nouveau")->file_hash);
    ck_assert_ptr_null(any_simulation_of_log("kfd")->file_hash);
    ck_assert_msg(any_simulation_of_log("hip")->file_hash(file.path, hash, &error), "%s",
                  error.text);
    ck_assert_uint_eq(strlen(hash), 64);
    memory_file_free(&file);
}
END_TEST

/* The GPU decides if its vendor runs configurations only; else the file does. */
START_TEST(a_file_leads_to_the_vendor_that_runs_it)
{
    struct memory_file hip = memory_file_new(hip_text, strlen(hip_text));
    struct memory_file scenario = memory_file_new(scenario_text, strlen(scenario_text));
    // clang-format off
    const struct {
        const char *gpu, *path, *vendor;
    } rows[] = {
        {NULL, scenario.path, "NVIDIA"},      {NULL, hip.path, "AMD"},
        {"gtx1060", scenario.path, "NVIDIA"}, {"gtx1060", hip.path, "AMD"},
        {"mi100", scenario.path, "AMD"},      {"mi100", hip.path, "AMD"},
        {"mi1000", scenario.path, "NVIDIA"},  {"mi1000", hip.path, "AMD"},
        {NULL, "/nonexistent", "NVIDIA"},
    };
    // clang-format on

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(strcmp(any_simulation_file_vendor(rows[i].gpu, NULL, rows[i].path)->name,
                             rows[i].vendor) == 0,
                      "row %zu", i);
    memory_file_free(&hip);
    memory_file_free(&scenario);
}
END_TEST

START_TEST(a_simulation_has_the_row_of_its_kind)
{
    struct memory_file file = memory_file_new(hip_text, strlen(hip_text));
    const struct any_program program = {.hip_path = file.path};
    const struct simulation_options options = {.gpu = gpu_amd.default_gpu,
                                               .max_memory_bytes = UINT64_C(1) << 30};
    struct any_simulation simulation;
    struct gfe_error error = {0};

    ck_assert_msg(any_simulation_new(&program, &options, &simulation, &error), "%s", error.text);
    ck_assert_ptr_eq(simulation.ops, any_simulation_of_program(&program));
    any_simulation_forget_pokes(&simulation); /* it has none */
    any_simulation_free(&simulation);
    memory_file_free(&file);
}
END_TEST

/* ---- runs that are ended early --------------------------------------------------------------- */

/* Ends the run at its n-th look; `context` counts down to it. */
static bool look_until(void *context, gfe_ps *slice_ps)
{
    uint32_t *left = context;

    *slice_ps = 100 * GFE_PS_PER_US;
    return --*left > 0;
}

/* Runs the configuration into a log in memory until the n-th look; a number that is too high runs
 * it to its end.  Returns the log, and says what the run says of work that is left. */
static struct event_log_reader *run_until(uint32_t looks, bool *work_left)
{
    struct memory_file file = memory_file_new(hip_text, strlen(hip_text));
    const int fd = memfd_create("log", MFD_CLOEXEC);
    const struct any_program program = {.hip_path = file.path};
    const struct any_simulation_watch watch = {&looks, look_until};
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(fd, "log", &error);
    const struct simulation_options options = {
        .gpu = gpu_amd.default_gpu, .max_memory_bytes = UINT64_C(1) << 30, .log = writer};
    struct event_log_reader *log;
    struct any_simulation simulation;

    ck_assert_msg(writer && any_simulation_new(&program, &options, &simulation, &error), "%s",
                  error.text);
    ck_assert_msg(any_simulation_run_watched(&simulation, &watch, &error), "%s", error.text);
    ck_assert_msg(chunk_writer_finish(writer, &error), "%s", error.text);
    ck_assert(any_simulation_ended(&simulation));
    *work_left = any_simulation_work_left(&simulation);
    any_simulation_free(&simulation);
    chunk_writer_free(writer);
    memory_file_free(&file);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    log = event_log_open_fd(fd, "log", &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

/* What is under way when a run is ended is no work that can never end, and the check does not judge
 * it.  Of a run to its end it does. */
START_TEST(a_run_that_is_ended_early_leaves_no_work_that_waits_for_ever)
{
    const bool early = _i == 0;
    struct open_waits *open = calloc(1, sizeof *open);
    struct check_report report = {0};
    struct check_limits limits;
    struct gfe_error error = {0};
    struct event_log_reader *log;
    bool work_left;

    ck_assert(open && gpu_find_limits(gpu_amd.default_gpu, NULL, &limits));
    log = run_until(early ? 2 : UINT32_MAX, &work_left);
    ck_assert(!work_left);
    ck_assert_msg(check_log(log, &limits, &report, &error), "%s", error.text);
    ck_assert_uint_eq(report.violation_count, 0);
    ck_assert_int_eq(report.ended_early, early);
    check_report_fini(&report);
    event_log_close(log);

    log = run_until(early ? 2 : UINT32_MAX, &work_left);
    ck_assert_msg(open_waits_read(open, log, &error), "%s", error.text);
    ck_assert_int_eq(open->cut, early);
    ck_assert_int_eq(open->count > 0, early); /* the thread waits for its kernel */
    event_log_close(log);
    free(open);
}
END_TEST

Suite *any_simulation_suite(void)
{
    Suite *suite = suite_create("any_simulation");
    TCase *rows = tcase_create("rows");

    tcase_add_test(rows, a_program_leads_to_its_kind);
    tcase_add_test(rows, a_log_leads_to_the_kind_that_made_it);
    tcase_add_test(rows, only_cuda_programs_are_scenarios);
    tcase_add_test(rows, only_a_configuration_is_known_by_the_hash_of_its_file);
    tcase_add_test(rows, a_file_leads_to_the_vendor_that_runs_it);
    tcase_add_test(rows, a_simulation_has_the_row_of_its_kind);
    suite_add_tcase(suite, rows);
    rows = tcase_create("ended early");
    tcase_add_loop_test(rows, a_run_that_is_ended_early_leaves_no_work_that_waits_for_ever, 0, 2);
    suite_add_tcase(suite, rows);
    return suite;
}
