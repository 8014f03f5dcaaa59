/* SPDX-License-Identifier: MIT */
/* Configurations of cuda_scheduling_examiner: what is refused, with which words, and the bounds. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/examiner_texts.h"
#include "tests/fuzz/fuzz_examiner.h"
#include "tests/suites.h"

static void refuse(const char *text, const char *message)
{
    struct gfe_error error = {0};

    ck_assert_ptr_null(examiner_config_parse(text, strlen(text), "c.json", &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.text, message);
    fuzz_examiner((const uint8_t *)text, strlen(text));
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text, *message;
} refused[] = {
    {"[]", "an empty array is not an object"},
    {"[7]", "an array is not an object"},
    {"{}", "name: is missing"},
    {"{'name': 3}", "name: 3 is not a string"},
    {"{'name': 'n', 'nmae': 1}", "nmae: there is no such setting"},
    {"{'name': 'n'}", "max_iterations: is missing"},
    {"{'name': 'n', 'max_iterations': -1}", "max_iterations: -1 is not a number of iterations"},
    {"{'name': 'n', 'max_iterations': 1.5}", "max_iterations: 1.5 is not a number of iterations"},
    {"{'name': 'n', 'max_iterations': 2147483648}",
     "max_iterations: 2147483648 is more than 2147483647"},
    {"{'name': 'n', 'max_iterations': 1e300}",
     "max_iterations: 1e+300 is not a number of iterations"},
    {"{'name': 'n', 'max_iterations': 1}", "max_time: is missing"},
    {"{'name': 'n', 'max_iterations': 1, 'max_time': '2'}",
     "max_time: '2' is not a number of seconds"},
    {"{'name': 'n', 'max_iterations': 1, 'max_time': 18446744}",
     "max_time: 18446744 seconds are more than gfe can count"},
    {"{'name': 'n', 'max_iterations': 1, 'max_time': 1}", "cuda_device: is missing"},
    {"{'name': 'n', 'max_iterations': 1, 'max_time': 1, 'cuda_device': -1}",
     "cuda_device: -1 is not the number of a device"},
    {"{" GLOBALS "}", "benchmarks: is missing"},
    {"{" GLOBALS ", 'benchmarks': []}", "benchmarks: an empty array is not a list of benchmarks"},
    {"{" GLOBALS ", 'benchmarks': {}}", "benchmarks: an object is not a list of benchmarks"},
    {"{" GLOBALS ", 'use_processes': 1}", "use_processes: 1 is not true or false"},
    {"{" GLOBALS ", 'pin_cpus': null}", "pin_cpus: null is not true or false"},
    {"{" GLOBALS ", 'do_warmup': 'yes'}", "do_warmup: 'yes' is not true or false"},
    {"{" GLOBALS ", 'sync_every_iteration': 0}", "sync_every_iteration: 0 is not true or false"},
    {"{" GLOBALS ", 'base_result_directory': false}",
     "base_result_directory: false is not a string"},
    {"{" GLOBALS
     ", 'sync_every_iteration': true, 'benchmarks': [" SPIN(", 'max_iterations': 2") "]}",
     "benchmarks[0].max_iterations: not together with sync_every_iteration"},
    {LIST("3"), "benchmarks[0]: 3 is not an object"},
    {LIST("{}"), "benchmarks[0].filename: is missing"},
    {LIST("{'filename': ['a']}"), "benchmarks[0].filename: an array is not a string"},
    {LIST("{'filename': 'bin/stereo.so'}"),
     "benchmarks[0].filename: there is no model of the benchmark 'stereo'"},
    {LIST(SPIN("") "," SPIN(", 'label:': 'x'")), "benchmarks[1].label:: there is no such setting"},
    {LIST("{'filename': 'timer_spin.so'}"), "benchmarks[0].thread_count: is missing"},
    {LIST(SPIN("") "," SPIN("") ",{'filename': 'timer_spin.so', 'thread_count': -5}"),
     "benchmarks[2].thread_count: -5 is not a number of threads"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 0}"),
     "benchmarks[0].thread_count: 0 is not a number of threads"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1025}"),
     "benchmarks[0].thread_count: 1025 is more than 1024"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': []}"),
     "benchmarks[0].thread_count: an empty array is not a number of threads"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': [1, 1, 1, 1]}"),
     "benchmarks[0].thread_count: 4 elements are more than 3"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': [8, 2]}"),
     "benchmarks[0].thread_count[1]: timer_spin has one dimension only"},
    {LIST("{'filename': 'mandelbrot.so', 'thread_count': [32, 'x']}"),
     "benchmarks[0].thread_count[1]: 'x' is not a number of threads"},
    {LIST("{'filename': 'mandelbrot.so', 'thread_count': [32, 32, 2], 'block_count': 1, "
          "'data_size': 0}"),
     "benchmarks[0].thread_count: more than 1024 threads in a block"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1}"),
     "benchmarks[0].block_count: is missing"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1, 'block_count': 2147483648}"),
     "benchmarks[0].block_count: 2147483648 is more than 2147483647"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1, 'block_count': 1}"),
     "benchmarks[0].data_size: is missing"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1, 'block_count': 1, 'data_size': -1}"),
     "benchmarks[0].data_size: -1 is not a number of bytes"},
    {LIST("{'filename': 'timer_spin.so', 'thread_count': 1, 'block_count': 1, 'data_size': 1e15}"),
     "benchmarks[0].data_size: 1000000000000000 is more than 1099511627776"},
    {ONE(", 'log_name': 1"), "benchmarks[0].log_name: 1 is not a string"},
    {ONE(", 'label': true"), "benchmarks[0].label: true is not a string"},
    {ONE(", 'sm_mask': 3"),
     "benchmarks[0].sm_mask: 3 is not a mask in hexadecimal digits, as a string"},
    {ONE(", 'sm_mask': '~'"), "benchmarks[0].sm_mask: '~' is not a mask in hexadecimal digits"},
    {ONE(", 'sm_mask': '0xg'"), "benchmarks[0].sm_mask: '0xg' is not a mask in hexadecimal digits"},
    {ONE(", 'sm_mask': '0x100000000000000000000000000000000'"),
     "benchmarks[0].sm_mask: '0x100000000000000000000000000000000' has more than 128 bits"},
    {ONE(", 'max_time': []"), "benchmarks[0].max_time: an empty array is not a number of seconds"},
    {ONE(", 'release_time': '1'"), "benchmarks[0].release_time: '1' is not a number of seconds"},
    {ONE(", 'release_time': 1e30"),
     "benchmarks[0].release_time: 1e+30 seconds are more than gfe can count"},
    {ONE(", 'cpu_core': 'a'"), "benchmarks[0].cpu_core: 'a' is not the number of a core"},
    {ONE(", 'stream_priority': 0.5"), "benchmarks[0].stream_priority: 0.5 is not a priority"},
    {ONE(", 'mps_thread_percentage': 0"),
     "benchmarks[0].mps_thread_percentage: 0 is not a percentage of threads"},
    {ONE(", 'mps_thread_percentage': 100.5"),
     "benchmarks[0].mps_thread_percentage: 100.5 is not a percentage of threads"},
    {ONE(", 'additional_info': -1"),
     "benchmarks[0].additional_info: -1 is not a duration in nanoseconds"},
    {ONE(", 'additional_info': {'duration': 1}"),
     "benchmarks[0].additional_info: an object is not a duration in nanoseconds"},
    {ONE(", 'additional_info': 18446744073709551"),
     "benchmarks[0].additional_info: 18446744073709551 is more than 18446744073709550"},
    {LIST("{'filename': 'counter_spin.so', " SHAPE ", 'additional_info': 0.5}"),
     "benchmarks[0].additional_info: 0.5 is not a number of loops"},
    {SHARED(""), "benchmarks[0].additional_info: is missing"},
    {SHARED(", 'additional_info': 5"), "benchmarks[0].additional_info: 5 is not an object"},
    {SHARED(", 'additional_info': {'size': 5}"),
     "benchmarks[0].additional_info.size: there is no such setting"},
    {SHARED(", 'additional_info': {}"), "benchmarks[0].additional_info.duration: is missing"},
    {SHARED(", 'additional_info': {'duration': 5}"),
     "benchmarks[0].additional_info.shared_memory_size: is missing"},
    {SHARED(", 'additional_info': {'duration': 5, 'shared_memory_size': 0}"),
     "benchmarks[0].additional_info.shared_memory_size: 0 is not 4096, 8192 or 10240"},
    {MULTI("{}"), "benchmarks[0].additional_info: an object is not a list of kernels"},
    {MULTI("[{}]"), "benchmarks[0].additional_info[0].kernel_label: is missing"},
    {MULTI("[{" KERNEL "}, {'kernel_label': 'K'}]"),
     "benchmarks[0].additional_info[1].duration: is missing"},
    {MULTI("[{'kernel_label': 'K', 'duration': 1, 'block_count': 0}]"),
     "benchmarks[0].additional_info[0].block_count: 0 is not a number of blocks"},
    {MULTI("[{'kernel_label': 'K', 'duration': 1, 'block_count': 1, 'thread_count': 2000}]"),
     "benchmarks[0].additional_info[0].thread_count: 2000 is more than 1024"},
    {MULTI("[{" KERNEL ", 'delay': 'x'}]"),
     "benchmarks[0].additional_info[0].delay: 'x' is not a number of seconds"},
    {MULTI("[{" KERNEL ", 'shared_memory_size': 1}]"),
     "benchmarks[0].additional_info[0].shared_memory_size: 1 is not 0, 4096, 8192 or 10240"},
    {MULTI("[{" KERNEL ", 'copy_in_count': -1}]"),
     "benchmarks[0].additional_info[0].copy_in_count: -1 is not a number of 32-bit words"},
    {MULTI("[{" KERNEL ", 'copy_out_count': 4294967296}]"),
     "benchmarks[0].additional_info[0].copy_out_count: 4294967296 is more than 2147483647"},
    {MULTI("[{" KERNEL ", 'sm_mask': ''}]"),
     "benchmarks[0].additional_info[0].sm_mask: '' is not a mask in hexadecimal digits"},
    {MULTI("[{" KERNEL ", 'label': ''}]"),
     "benchmarks[0].additional_info[0].label: there is no such setting"},
    {ACTIONS(""), "benchmarks[0].additional_info.actions: an empty array is not a list of actions"},
    {ACTIONS("{'type': 'sleep'}"),
     "benchmarks[0].additional_info.actions[0].type: 'sleep' is not kernel, malloc, free, memset, "
     "memcpy or synchronize"},
    {ACTIONS("{'type': 'free'}"), "benchmarks[0].additional_info.actions[0].label: is missing"},
    {ACTIONS("{'type': 'free', 'label': '', 'parameters': 1}"),
     "benchmarks[0].additional_info.actions[0].parameters: 1 is not an object"},
    {ACTIONS("{'type': 'malloc', 'label': ''}"),
     "benchmarks[0].additional_info.actions[0].parameters: is missing"},
    {ACTIONS("{'type': 'malloc', 'label': '', 'parameters': {'host': true}}"),
     "benchmarks[0].additional_info.actions[0].parameters.size: is missing"},
    {ACTIONS("{'type': 'kernel', 'label': '', 'parameters': {'duration': 1, 'type': 'spin'}}"),
     "benchmarks[0].additional_info.actions[0].parameters.type: 'spin' is not timer_spin or "
     "counter_spin"},
    {ACTIONS("{'type': 'memset', 'label': '', 'parameters': {'size': 1, 'async': 0}}"),
     "benchmarks[0].additional_info.actions[0].parameters.async: 0 is not true or false"},
    {ACTIONS("{'type': 'memcpy', 'label': '', 'parameters': {'size': 1}}"),
     "benchmarks[0].additional_info.actions[0].parameters.direction: is missing"},
    {ACTIONS("{'type': 'memcpy', 'label': '', 'parameters': {'size': 1, 'direction': 'up'}}"),
     "benchmarks[0].additional_info.actions[0].parameters.direction: 'up' is not hostToDevice, "
     "deviceToHost or deviceToDevice"},
    {ACTIONS("{'type': 'synchronize', 'label': '', 'parameters': {'host': true}}"),
     "benchmarks[0].additional_info.actions[0].parameters.host: there is no such setting"},
    {LIST(HOST("5")), "benchmarks[0].additional_info: 5 is not an object"},
    {LIST("{'filename': 'task_host.so', " NO_SHAPE "}"),
     "benchmarks[0].additional_info: is missing"},
    {LIST(SPIN("") "," HOST(ONE(", 'cpu_core': 1.5"))),
     "benchmarks[1].additional_info.benchmarks[0].cpu_core: 1.5 is not the number of a core"},
};

START_TEST(what_is_wrong_is_named_with_its_place)
{
    char message[600];
    char *text = quoted(refused[_i].text);

    (void)snprintf(message, sizeof message, "c.json: %s", refused[_i].message);
    refuse(text, message);
    free(text);
}
END_TEST

/* ---- bounds ------------------------------------------------------------------------------------
 */

START_TEST(benchmarks_have_a_bound)
{
    char *most = repeated("{" GLOBALS ", 'benchmarks': [", SPIN(""), 4096, "]}");
    char *more = repeated("{" GLOBALS ", 'benchmarks': [", SPIN(""), 4097, "]}");
    char *nested =
        repeated("{" GLOBALS ", 'benchmarks': [" HOST(ONE("")) ",", SPIN(""), 4095, "]}");
    char *json = quoted(more), *nested_json = quoted(nested);
    struct examiner_config *config = parse(most);

    ck_assert_uint_eq(config->benchmark_count, 4096);
    examiner_config_free(config);
    refuse(json, "c.json: benchmarks: 4097 elements are more than 4096");
    refuse(nested_json, "c.json: benchmarks[0].additional_info.benchmarks: more than 4096 "
                        "benchmarks in all");
    free(json);
    free(nested_json);
    free(nested);
    free(more);
    free(most);
}
END_TEST

#define MULTI_HEAD                                                                                 \
    "{" GLOBALS ", 'benchmarks': [" SPIN("") ", {'filename': 'multikernel.so', " NO_SHAPE          \
                                             ", 'additional_info': ["

START_TEST(actions_have_a_bound)
{
    char *most = repeated(MULTI_HEAD, "{" KERNEL "}", 65535, "]}]}");
    char *more = repeated(MULTI_HEAD, "{" KERNEL "}", 65536, "]}]}");
    char *json = quoted(more);
    struct examiner_config *config = parse(most);

    ck_assert_uint_eq(config->benchmarks[1].action_count, 65535);
    examiner_config_free(config);
    refuse(json, "c.json: benchmarks[1].additional_info: more than 65536 actions in all");
    free(json);
    free(more);
    free(most);
}
END_TEST

/* `depth` configurations inside each other; the caller frees it. */
static char *nested(int depth)
{
    char *text = quoted(ONE("")), *outer = NULL;

    for (int i = 1; i < depth; i++) {
        ck_assert_int_ge(asprintf(&outer,
                                  "{" GLOBALS
                                  ", 'benchmarks': [{'filename': 'task_host.so', " NO_SHAPE
                                  ", 'additional_info': %s}]}",
                                  text),
                         0);
        free(text);
        text = quoted(outer);
        free(outer);
    }
    return text;
}

START_TEST(task_hosts_have_a_bound)
{
    char *most = nested(EXAMINER_DEPTH_MAX), *more = nested(EXAMINER_DEPTH_MAX + 1);
    struct gfe_error error = {0};

    examiner_config_free(parse(most));
    ck_assert_ptr_null(examiner_config_parse(more, strlen(more), "c.json", &error));
    ck_assert_ptr_nonnull(
        strstr(error.text, "c.json: benchmarks[0].additional_info.benchmarks[0]"));
    fuzz_examiner((const uint8_t *)more, strlen(more));
    free(more);
    free(most);
}
END_TEST

START_TEST(a_text_has_a_bound)
{
    const size_t bytes = EXAMINER_TEXT_BYTES_MAX + 1;
    char *text = malloc(bytes), *json = quoted(ONE(""));
    struct gfe_error error = {0};
    struct examiner_config *config;

    ck_assert_ptr_nonnull(text);
    memset(text, ' ', bytes);
    memcpy(text, json, strlen(json));
    config = examiner_config_parse(text, bytes - 1, "c.json", &error);
    ck_assert_msg(config != NULL, "%s", error.text);
    examiner_config_free(config);
    ck_assert_ptr_null(examiner_config_parse(text, bytes, "c.json", &error));
    ck_assert_str_eq(error.text, "c.json: more than 16 MiB");
    free(json);
    free(text);
}
END_TEST

START_TEST(what_is_no_json_is_named_with_its_line)
{
    static const char *const texts[] = {"",         "{",       "{} {}", "[1, 2", "{\"a\": NaN}",
                                        "{'a': 1}", "\xff\xfe"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct gfe_error error = {0};

        ck_assert_ptr_null(examiner_config_parse(texts[i], strlen(texts[i]), "c.json", &error));
        ck_assert_int_eq(error.kind, ERROR_INPUT);
        ck_assert_msg(strncmp(error.text, "c.json: line 1: not JSON: ", 26) == 0, "%s", error.text);
    }
}
END_TEST

Suite *examiner_config_bad_suite(void)
{
    Suite *suite = suite_create("examiner_config_bad");
    TCase *tests = tcase_create("examiner_config_bad");

    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, what_is_wrong_is_named_with_its_place, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(tests, benchmarks_have_a_bound);
    tcase_add_test(tests, actions_have_a_bound);
    tcase_add_test(tests, task_hosts_have_a_bound);
    tcase_add_test(tests, a_text_has_a_bound);
    tcase_add_test(tests, what_is_no_json_is_named_with_its_line);
    suite_add_tcase(suite, tests);
    return suite;
}
