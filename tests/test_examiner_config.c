/* SPDX-License-Identifier: MIT */
/* Configurations of cuda_scheduling_examiner: what each setting becomes, and where texts come from.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/examiner_texts.h"
#include "tests/suites.h"

/* ---- the whole configuration ----------------------------------------------------------------- */

START_TEST(what_is_not_said_has_the_defaults_of_the_tool)
{
    struct examiner_config *config = parse(ONE(""));
    const struct examiner_benchmark *benchmark = config->benchmarks;

    ck_assert_str_eq(config->name, "n");
    ck_assert_str_eq(config->base_result_directory, "./results");
    ck_assert(!config->use_processes && !config->pin_cpus && !config->do_warmup);
    ck_assert(!config->sync_every_iteration);
    ck_assert_uint_eq(config->max_time_ps, 0);
    ck_assert_uint_eq(config->benchmark_count, 1);
    ck_assert_ptr_null(benchmark->log_name);
    ck_assert_ptr_null(benchmark->label);
    ck_assert(!mask128_any(&benchmark->sm_mask.bits));
    ck_assert_uint_eq(benchmark->max_iterations, 1);
    ck_assert_uint_eq(benchmark->release_ps, 0);
    ck_assert_int_eq(benchmark->cpu_core, EXAMINER_NO_CORE);
    ck_assert_int_eq(benchmark->stream_priority, EXAMINER_NO_PRIORITY);
    ck_assert_uint_eq(benchmark->mps_ppm, 1000000);
    ck_assert(!benchmark->null_stream);
    examiner_config_free(config);
}
END_TEST

START_TEST(all_settings_of_the_whole_are_kept)
{
    struct examiner_config *config =
        parse("{'name': 'All', 'max_iterations': 20, 'max_time': 2.5, 'cuda_device': 3,"
              "'use_processes': true, 'pin_cpus': true, 'do_warmup': true,"
              "'sync_every_iteration': true, 'base_result_directory': '/tmp/r',"
              "'comment': 'one', 'comment': ['two'], 'comment_3': 3, 'benchmarks': [" SPIN(
                  ", 'comment': 1, 'comment': 2") "]}");

    ck_assert_str_eq(config->name, "All");
    ck_assert_str_eq(config->base_result_directory, "/tmp/r");
    ck_assert(config->use_processes && config->pin_cpus && config->do_warmup);
    ck_assert(config->sync_every_iteration);
    ck_assert_uint_eq(config->max_iterations, 20);
    ck_assert_uint_eq(config->max_time_ps, 2500 * UINT64_C(1000000000));
    ck_assert_uint_eq(config->cuda_device, 3);
    examiner_config_free(config);
}
END_TEST

START_TEST(all_settings_of_a_benchmark_are_kept)
{
    struct examiner_config *config = parse(
        LIST("{'filename': '/opt/x/counter_spin.so', 'thread_count': [1024], 'block_count': [7, 1],"
             "'data_size': 3000000000, 'log_name': 'l.json', 'label': 'L', 'sm_mask': '~0xF0',"
             "'additional_info': 77, 'max_iterations': 9, 'max_time': 4, 'release_time': 0.2,"
             "'cpu_core': 2, 'stream_priority': -1, 'mps_thread_percentage': 12.5}"));
    const struct examiner_benchmark *benchmark = config->benchmarks;

    ck_assert_int_eq(benchmark->kind, EXAMINER_COUNTER_SPIN);
    ck_assert_str_eq(benchmark->filename, "/opt/x/counter_spin.so");
    ck_assert_str_eq(benchmark->name, "counter_spin");
    ck_assert_str_eq(benchmark->log_name, "l.json");
    ck_assert_str_eq(benchmark->label, "L");
    ck_assert_uint_eq(benchmark->threads[0], 1024);
    ck_assert_uint_eq(benchmark->blocks[0], 7);
    ck_assert_uint_eq(benchmark->threads[1] * benchmark->threads[2] * benchmark->blocks[2], 1);
    ck_assert_uint_eq(benchmark->data_bytes, 3000000000);
    ck_assert_uint_eq(benchmark->sm_mask.bits.word[0], ~UINT64_C(0xf0));
    ck_assert_uint_eq(benchmark->sm_mask.bits.word[1], UINT64_MAX);
    ck_assert_uint_eq(benchmark->sm_mask.named, 8);
    ck_assert_uint_eq(benchmark->max_iterations, 9);
    ck_assert_uint_eq(benchmark->max_time_ps, 4 * GFE_PS_PER_S);
    ck_assert_uint_eq(benchmark->release_ps, GFE_PS_PER_S / 5);
    ck_assert_int_eq(benchmark->cpu_core, 2);
    ck_assert_int_eq(benchmark->stream_priority, -1);
    ck_assert_uint_eq(benchmark->mps_ppm, 125000);
    ck_assert_uint_eq(benchmark->actions[0].kernel.loops, 77);
    examiner_config_free(config);
}
END_TEST

/* As in the tool: negative is unset, 0 no limit. */
START_TEST(limits_of_a_benchmark_go_before_those_of_the_whole)
{
    struct examiner_config *config =
        parse("{'name': 'n', 'max_iterations': 5, 'max_time': 3, 'cuda_device': 0,"
              "'benchmarks': [" SPIN("") "," SPIN(", 'max_iterations': 0, 'max_time': 0") "," SPIN(
                  ", 'max_iterations': -1, 'max_time': -0.5, 'release_time': -1") "]}");

    ck_assert_uint_eq(config->benchmarks[0].max_iterations, 5);
    ck_assert_uint_eq(config->benchmarks[0].max_time_ps, 3 * GFE_PS_PER_S);
    ck_assert_uint_eq(config->benchmarks[1].max_iterations, 0);
    ck_assert_uint_eq(config->benchmarks[1].max_time_ps, 0);
    ck_assert_uint_eq(config->benchmarks[2].max_iterations, 5);
    ck_assert_uint_eq(config->benchmarks[2].max_time_ps, 3 * GFE_PS_PER_S);
    ck_assert_uint_eq(config->benchmarks[2].release_ps, 0);
    examiner_config_free(config);
}
END_TEST

static const struct {
    const char *seconds;
    gfe_ps ps;
} times[] = {
    {"0", 0},
    {"0.0", 0},
    {"0.2", UINT64_C(200000000000)},
    {"0.1", UINT64_C(100000000000)},
    {"1e-9", 1000},
    {"0.000000123", 123000},
    {"0.999999999", UINT64_C(999999999000)},
    {"0.9999999999", UINT64_C(1000000000000)},
    {"86400.000000001", UINT64_C(86400000000001000)},
    {"4000000.123456789", UINT64_C(4000000123456789000)},
    {"18446743", UINT64_C(18446743000000000000)},
    {"-3", 0},
};

START_TEST(seconds_become_picoseconds_exactly)
{
    char text[400];
    struct examiner_config *config;

    (void)snprintf(text, sizeof text, "%s%s%s",
                   "{" GLOBALS ", 'benchmarks': [{'filename':"
                   "'timer_spin.so', " SHAPE ", 'release_time': ",
                   times[_i].seconds, "}]}");
    config = parse(text);
    ck_assert_uint_eq(config->benchmarks[0].release_ps, times[_i].ps);
    examiner_config_free(config);
}
END_TEST

static const struct {
    const char *text;
    uint64_t mask, upper;
} masks[] = {
    {"0", 0, 0},
    {"0x0f", 0xf, 0},
    {"0XaB", 0xab, 0},
    {"ff", 0xff, 0},
    {"~0", UINT64_MAX, UINT64_MAX},
    {"~ffffffffffffffff", 0, UINT64_MAX},
    {"0xaaaaaaaaaaaaaaa0", UINT64_C(0xaaaaaaaaaaaaaaa0), 0},
    {"0x30000000000000001", 1, 3},
    {"~ffffffffffffffff0000000000000000", UINT64_MAX, 0},
};

START_TEST(masks_are_hexadecimal)
{
    char text[400];
    struct examiner_config *config;

    (void)snprintf(text, sizeof text, "%s%s%s",
                   "{" GLOBALS ", 'benchmarks': [{'filename':"
                   "'timer_spin.so', " SHAPE ", 'sm_mask': '",
                   masks[_i].text, "'}]}");
    config = parse(text);
    ck_assert_uint_eq(config->benchmarks[0].sm_mask.bits.word[0], masks[_i].mask);
    ck_assert_uint_eq(config->benchmarks[0].sm_mask.bits.word[1], masks[_i].upper);
    examiner_config_free(config);
}
END_TEST

/* ---- kinds ----------------------------------------------------------------------------------- */

START_TEST(spins_are_one_kernel)
{
    struct examiner_config *config = parse(LIST(SPIN("") "," SPIN(
        ", 'additional_info': 500000000") ","
                                          "{'filename': 'timer_spin_default_stream.so', " SHAPE
                                          ", 'additional_info': 1e6},"
                                          "{'filename': 'counter_spin.so', " SHAPE "},"
                                          "{'filename': 'sharedmem_timer_spin.so', " SHAPE
                                          ", 'additional_info':"
                                          "{'duration': 7, 'shared_memory_size': 10240, 'comment': "
                                          "'big'}}"));
    const struct examiner_benchmark *list = config->benchmarks;

    for (uint32_t i = 0; i < config->benchmark_count; i++) {
        ck_assert_uint_eq(list[i].action_count, 1);
        ck_assert_int_eq(list[i].actions[0].kind, EXAMINER_KERNEL);
        ck_assert_uint_eq(list[i].actions[0].kernel.threads, 64);
        ck_assert_uint_eq(list[i].actions[0].kernel.blocks, 2);
        ck_assert_int_eq(list[i].null_stream, i == 2);
        ck_assert_int_eq(list[i].actions[0].kernel.counts, i == 3);
    }
    ck_assert_int_eq(list[0].kind, EXAMINER_TIMER_SPIN);
    ck_assert_uint_eq(list[0].actions[0].kernel.duration_ps, UINT64_C(10000000000));
    ck_assert_uint_eq(list[1].actions[0].kernel.duration_ps, GFE_PS_PER_S / 2);
    ck_assert_int_eq(list[2].kind, EXAMINER_TIMER_SPIN_DEFAULT_STREAM);
    ck_assert_uint_eq(list[2].actions[0].kernel.duration_ps, GFE_PS_PER_S / 1000);
    ck_assert_uint_eq(list[3].actions[0].kernel.loops, 1000000);
    ck_assert_int_eq(list[4].kind, EXAMINER_SHAREDMEM_TIMER_SPIN);
    ck_assert_uint_eq(list[4].actions[0].kernel.duration_ps, 7000);
    ck_assert_uint_eq(list[4].actions[0].kernel.shared_bytes, 40960);
    examiner_config_free(config);
}
END_TEST

START_TEST(a_multikernel_is_its_list)
{
    struct examiner_config *config =
        parse(MULTI("[{" KERNEL "}, {'kernel_label': 'B', 'duration': 6, 'block_count': 4,"
                    "'thread_count': 1024, 'delay': 0.5, 'sm_mask': '3', 'comment': 0,"
                    "'shared_memory_size': 4096, 'copy_in_count': 10, 'copy_out_count': 3}]"));
    const struct examiner_benchmark *benchmark = config->benchmarks;
    const struct examiner_action *one = &benchmark->actions[0], *two = &benchmark->actions[1];

    ck_assert_int_eq(benchmark->kind, EXAMINER_MULTIKERNEL);
    ck_assert_uint_eq(benchmark->action_count, 2);
    ck_assert_str_eq(one->label, "K");
    ck_assert_uint_eq(one->kernel.blocks, 3);
    ck_assert_uint_eq(one->kernel.threads, 32);
    ck_assert_uint_eq(one->kernel.duration_ps, 5000);
    ck_assert_uint_eq(one->delay_ps + one->kernel.sm_mask.named + one->kernel.shared_bytes, 0);
    ck_assert_uint_eq(one->kernel.copy_in_bytes + one->kernel.copy_out_bytes, 0);
    ck_assert_str_eq(two->label, "B");
    ck_assert_uint_eq(two->delay_ps, GFE_PS_PER_S / 2);
    ck_assert_uint_eq(two->kernel.sm_mask.bits.word[0], 3);
    ck_assert_uint_eq(two->kernel.shared_bytes, 16384);
    ck_assert_uint_eq(two->kernel.copy_in_bytes, 40);
    ck_assert_uint_eq(two->kernel.copy_out_bytes, 12);
    examiner_config_free(config);
}
END_TEST

START_TEST(a_stream_action_is_its_list)
{
    struct examiner_config *config = parse(ACTIONS(
        "{'type': 'kernel', 'label': 'a', 'parameters': {'duration': 5}},"
        "{'type': 'kernel', 'label': 'b', 'delay': 0.25, 'parameters': {'type': 'counter_spin',"
        "'duration': 6, 'block_count': 9, 'thread_count': 8, 'shared_memory_size': 8192}},"
        "{'type': 'malloc', 'label': 'c', 'parameters': {'host': true, 'size': 100}},"
        "{'type': 'free', 'label': 'd'},"
        "{'type': 'free', 'label': 'e', 'parameters': {'host': true, 'comment': ''}},"
        "{'type': 'memset', 'label': 'f', 'parameters': {'async': false, 'size': 200}},"
        "{'type': 'memcpy', 'label': 'g', 'parameters': {'size': 3, 'direction':"
        "'deviceToDevice'}},"
        "{'type': 'synchronize', 'label': 'h', 'comment': 1},"
        "{'type': 'synchronize', 'label': 'i', 'parameters': {'device': true}}"));
    const struct examiner_action *list = config->benchmarks[0].actions;

    ck_assert_uint_eq(config->benchmarks[0].action_count, 9);
    ck_assert(!config->benchmarks[0].null_stream);
    for (int i = 0; i < 9; i++)
        ck_assert_int_eq(list[i].label[0], 'a' + i);
    ck_assert(list[0].kind == EXAMINER_KERNEL && !list[0].kernel.counts);
    ck_assert(list[0].kernel.blocks == 2 && list[0].kernel.threads == 64);
    ck_assert_uint_eq(list[0].kernel.duration_ps, 5000);
    ck_assert(list[1].kernel.counts && list[1].kernel.loops == 6);
    ck_assert(list[1].kernel.blocks == 9 && list[1].kernel.threads == 8);
    ck_assert_uint_eq(list[1].kernel.shared_bytes, 32768);
    ck_assert_uint_eq(list[1].delay_ps, GFE_PS_PER_S / 4);
    ck_assert(list[2].kind == EXAMINER_MALLOC && list[2].host && list[2].size_bytes == 100);
    ck_assert(list[3].kind == EXAMINER_FREE && !list[3].host);
    ck_assert(list[4].kind == EXAMINER_FREE && list[4].host);
    ck_assert(list[5].kind == EXAMINER_MEMSET && list[5].synchronous && list[5].size_bytes == 200);
    ck_assert(list[6].kind == EXAMINER_MEMCPY && !list[6].synchronous && list[6].size_bytes == 3);
    ck_assert_int_eq(list[6].direction, EXAMINER_DEVICE_TO_DEVICE);
    ck_assert(list[7].kind == EXAMINER_SYNCHRONIZE && !list[7].device);
    ck_assert(list[8].kind == EXAMINER_SYNCHRONIZE && list[8].device);
    examiner_config_free(config);
}
END_TEST

START_TEST(a_task_host_has_a_configuration_of_its_own)
{
    struct examiner_config *config =
        parse(LIST(HOST(ONE("")) "," HOST(LIST(HOST(ONE(", 'label': 'in'"))))));
    const struct examiner_benchmark *list = config->benchmarks;

    ck_assert_int_eq(list[0].kind, EXAMINER_TASK_HOST);
    ck_assert_uint_eq(list[0].action_count, 0);
    ck_assert_uint_eq(list[0].threads[0], 0);
    ck_assert_int_eq(list[0].hosted->benchmarks[0].kind, EXAMINER_TIMER_SPIN);
    ck_assert_str_eq(list[1].hosted->benchmarks[0].hosted->benchmarks[0].label, "in");
    examiner_config_free(config);
}
END_TEST

START_TEST(other_benchmarks_are_costed)
{
    static const char *const names[] = {"mandelbrot",   "matrix_multiply", "random_walk",
                                        "inorder_walk", "cpu_random_walk", "cpu_inorder_walk"};
    char text[400];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct examiner_config *config;

        (void)snprintf(text, sizeof text, "{%s, 'benchmarks': [{'filename': './bin/%s.so', %s}]}",
                       GLOBALS, names[i],
                       "'thread_count': [32, 4, 8], 'block_count': [5, 6, 7], 'data_size': 1024,"
                       "'additional_info': {'any': ['thing']}");
        config = parse(text);
        ck_assert_int_eq(config->benchmarks[0].kind, EXAMINER_COSTED);
        ck_assert_str_eq(config->benchmarks[0].name, names[i]);
        ck_assert_uint_eq(config->benchmarks[0].threads[2], 8);
        ck_assert_uint_eq(config->benchmarks[0].blocks[1], 6);
        examiner_config_free(config);
    }
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(a_file_is_read_whole)
{
    char path[] = "/tmp/gfe-examiner-XXXXXX";
    char *many = repeated("{" GLOBALS ", 'benchmarks': [", SPIN(""), 3000, "]}");
    char *json = quoted(many);
    const int fd = mkstemp(path);
    struct gfe_error error = {0};
    struct examiner_config *config;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, json, strlen(json)), (ssize_t)strlen(json));
    close(fd);
    config = examiner_config_load(path, &error);
    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert_uint_eq(config->benchmark_count, 3000);
    examiner_config_free(config);
    ck_assert_ptr_nonnull(freopen(path, "rb", stdin));
    config = examiner_config_load("-", &error);
    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert_uint_eq(config->benchmark_count, 3000);
    examiner_config_free(config);
    ck_assert_ptr_null(examiner_config_load("-", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "standard input: line 1: not JSON"));
    unlink(path);
    free(json);
    free(many);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
    struct gfe_error error = {0}, folder = {0};

    ck_assert_ptr_null(examiner_config_load("/nowhere/c.json", &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_str_eq(error.text, "/nowhere/c.json: No such file or directory");
    ck_assert_ptr_null(examiner_config_load("/", &folder));
    ck_assert_str_eq(folder.text, "/: Is a directory");
    examiner_config_free(NULL);
}
END_TEST

Suite *examiner_config_suite(void)
{
    Suite *suite = suite_create("examiner_config");
    TCase *tests = tcase_create("examiner_config");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_is_not_said_has_the_defaults_of_the_tool);
    tcase_add_test(tests, all_settings_of_the_whole_are_kept);
    tcase_add_test(tests, all_settings_of_a_benchmark_are_kept);
    tcase_add_test(tests, limits_of_a_benchmark_go_before_those_of_the_whole);
    tcase_add_loop_test(tests, seconds_become_picoseconds_exactly, 0,
                        (int)(sizeof times / sizeof times[0]));
    tcase_add_loop_test(tests, masks_are_hexadecimal, 0, (int)(sizeof masks / sizeof masks[0]));
    tcase_add_test(tests, spins_are_one_kernel);
    tcase_add_test(tests, a_multikernel_is_its_list);
    tcase_add_test(tests, a_stream_action_is_its_list);
    tcase_add_test(tests, a_task_host_has_a_configuration_of_its_own);
    tcase_add_test(tests, other_benchmarks_are_costed);
    tcase_add_test(tests, a_file_is_read_whole);
    tcase_add_test(tests, a_file_that_cannot_be_read_is_named);
    suite_add_tcase(suite, tests);
    return suite;
}
