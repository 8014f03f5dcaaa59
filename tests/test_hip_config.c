/* SPDX-License-Identifier: MIT */
/* Configurations of hip_plugin_framework: what is read, and what is refused with which words. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"
#include "traces/config/hip_config.h"

/* Texts are written with ' for ". */
static char *text_of(const char *text)
{
    char *copy = strdup(text);

    ck_assert_ptr_nonnull(copy);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return copy;
}

static struct hip_config *parse(const char *text, struct gfe_error *error)
{
    char *copy = text_of(text);
    struct hip_config *config = hip_config_parse(copy, strlen(copy), "c.json", error);

    free(copy);
    return config;
}

#define PLUGIN "'filename': 'bin/matrix_multiply.so', 'thread_count': 256, 'block_count': 4"

START_TEST(all_that_a_plugin_says_is_read)
{
    struct gfe_error error = {0};
    struct hip_config *config = parse(
        "{'name': 'n', 'max_iterations': 7, 'max_time': 2.5, 'gpu_device_id': 0, 'comment': 1,"
        " 'plugins': [{'filename': 'bin/matrix_multiply.so', 'label': 'MM1024',"
        " 'thread_count': [32, 32], 'block_count': [32, 16, 2], 'max_iterations': 0,"
        " 'release_time': 0.25, 'compute_unit_mask': '0110000000000000000000000000000001'},"
        " {" PLUGIN ", 'max_time': 0, 'additional_info': {'skip_copy': true}}]}",
        &error);

    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert_str_eq(config->name, "n");
    ck_assert_uint_eq(config->plugin_count, 2);
    ck_assert_str_eq(config->plugins[0].name, "matrix_multiply");
    ck_assert_str_eq(config->plugins[0].label, "MM1024");
    ck_assert_uint_eq(config->plugins[0].threads, 1024);
    ck_assert_uint_eq(config->plugins[0].blocks, 1024);
    ck_assert_uint_eq(config->plugins[0].iterations, 0);
    ck_assert_uint_eq(config->plugins[0].time_ps, 2500 * UINT64_C(1000000000));
    ck_assert_uint_eq(config->plugins[0].release_ps, 250 * UINT64_C(1000000000));
    ck_assert_uint_eq(config->plugins[0].mask_bits, 34);
    ck_assert_uint_eq(config->plugins[0].mask[0], 6);
    ck_assert_uint_eq(config->plugins[0].mask[1], 2);
    ck_assert_str_eq(config->plugins[1].label, "matrix_multiply");
    ck_assert_uint_eq(config->plugins[1].iterations, 7);
    ck_assert_uint_eq(config->plugins[1].time_ps, 0);
    ck_assert_uint_eq(config->plugins[1].mask_bits, 0);
    hip_config_free(config);
}
END_TEST

#define ONE(more) "{'name': 'n', 'max_iterations': 1, 'plugins': [{" PLUGIN more "}]}"
static const struct {
    const char *text, *message;
} refused[] = {
    {"[]", "an empty array is not an object"},
    {"{}", "name: is missing"},
    {"{'name': 'n', 'processes': []}", "processes: there is no such setting"},
    {"{'name': 'n', 'max_iterations': 1}", "plugins: is missing"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': []}",
     "plugins: an empty array is not a list of plugins"},
    {"{'name': 'n', 'max_iterations': 1, 'sync_every_iteration': true, 'plugins': [{" PLUGIN
     ", 'max_iterations': 2}]}",
     "plugins[0]: a plugin with max_iterations of its own cannot have sync_every_iteration, as in "
     "the tool"},
    {ONE(", 'job_deadline': 0.02"),
     "plugins[0].job_deadline: only with use_processes: deadlines are a process's"},
    {ONE(", 'job_deadline': 0"), "plugins[0].job_deadline: a deadline is more than 0"},
    {ONE(", 'compute_unit_mask': '0xg'"),
     "plugins[0].compute_unit_mask: '0xg' is not a mask in hexadecimal after 0x"},
    {ONE(", 'compute_unit_mask': '0x'"),
     "plugins[0].compute_unit_mask: '0x' is not a mask in hexadecimal after 0x"},
    {"{'name': 'n', 'plugins': [{" PLUGIN "}]}",
     "plugins: no plugin has max_iterations or max_time: it would never end"},
    {"{'name': 'n', 'max_iterations': 1000001, 'plugins': [{" PLUGIN "}]}",
     "max_iterations: 1000001 is more than 1000000"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': [{'thread_count': 1}]}",
     "plugins[0].filename: is missing"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': [{'filename': 'x.so'}]}",
     "plugins[0].thread_count: is missing"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': [{'filename': 'x.so', 'thread_count': [32, 33],"
     " 'block_count': 1}]}",
     "plugins[0].thread_count: more than 1024"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': [{'filename': 'x.so', 'thread_count': 1,"
     " 'block_count': [65536, 65536]}]}",
     "plugins[0].block_count: more than 2147483647"},
    {"{'name': 'n', 'max_iterations': 1, 'plugins': [{'filename': 'x.so', 'thread_count': 1,"
     " 'block_count': 0}]}",
     "plugins[0].block_count: 0 is not a number of blocks"},
    {ONE(", 'compute_unit_mask': '012'"),
     "plugins[0].compute_unit_mask: '012' is not a mask of "
     "digits 0 and 1, hexadecimal after 0x, or a list of true and false"},
    {ONE(", 'compute_unit_mask': ''"), "plugins[0].compute_unit_mask: '' is not a mask of digits 0 "
                                       "and 1, hexadecimal after 0x, or a list of true and false"},
    {ONE(", 'compute_unit_mask': 5"), "plugins[0].compute_unit_mask: 5 is not a mask of digits 0 "
                                      "and 1, hexadecimal after 0x, or a list of true and false"},
    {ONE(", 'compute_unit_mask': [true, 1]"),
     "plugins[0].compute_unit_mask[1]: 1 is not true or false"},
    {ONE(", 'stream_priority': 2"), "plugins[0].stream_priority: 2 is more than 1"},
    {ONE(", 'stream_priority': 1, 'compute_unit_mask': '1'"),
     "plugins[0].stream_priority: HIP has no call that makes a stream with a priority and a CU "
     "mask"},
    {"{'name': 'n', 'use_processes': 1, 'max_iterations': 1, 'plugins': [{" PLUGIN "}]}",
     "use_processes: 1 is not true or false"},
    {ONE(", 'sm_mask': '1'"), "plugins[0].sm_mask: there is no such setting"},
    {ONE(", 'release_time': 'x'"), "plugins[0].release_time: 'x' is not a number of seconds"},
};

/* PROMISE (traces): What is wrong in a configuration of hip_plugin_framework is said with its
 * place. */
START_TEST(what_is_wrong_is_said_with_its_place)
{
    char message[256];
    struct gfe_error error = {0};
    struct hip_config *config = parse(refused[_i].text, &error);

    hip_config_free(config);
    ck_assert_ptr_null(config);
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    (void)snprintf(message, sizeof message, "c.json: %s", refused[_i].message);
    ck_assert_str_eq(error.text, message);
}
END_TEST

/* The tool's form: true and false, and what the list does not reach is set. */
START_TEST(a_mask_may_be_a_list)
{
    struct gfe_error error = {0};
    struct hip_config *config =
        parse("{'name': 'n', 'use_processes': true, 'max_iterations': 1, 'plugins': [{" PLUGIN
              ", 'compute_unit_mask': [true, false, true]}, {" PLUGIN
              ", 'compute_unit_mask': [true, true], 'stream_priority': -1}, {" PLUGIN
              ", 'compute_unit_mask': []}]}",
              &error);

    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert(config->use_processes);
    ck_assert_uint_eq(config->plugins[0].mask_bits, HIP_MASK_BITS_MAX);
    ck_assert_uint_eq(config->plugins[0].mask[0], 0xfffffffd);
    ck_assert_uint_eq(config->plugins[0].mask[1], UINT32_MAX);
    ck_assert_int_eq(config->plugins[0].priority, 0);
    /* All of them set: a stream without a mask. */
    ck_assert_uint_eq(config->plugins[1].mask_bits, 0);
    ck_assert_int_eq(config->plugins[1].priority, -1);
    ck_assert_uint_eq(config->plugins[2].mask_bits, 0);
    hip_config_free(config);
}
END_TEST

/* ParseComputeUnitMaskHex() of the tool: the first digit is CUs 0 to 3, its low bit the first. */
START_TEST(a_mask_may_be_hexadecimal)
{
    struct gfe_error error = {0};
    char *text = text_of("{'name': 'n', 'max_iterations': 1, 'plugins': [{" PLUGIN
                         ", 'compute_unit_mask': '0xdeadbeef'}, {" PLUGIN
                         ", 'compute_unit_mask': '0x00000000fffffffC'}, {" PLUGIN
                         ", 'compute_unit_mask': '0xffff'}]}");
    struct hip_config *config = hip_config_parse(text, strlen(text), "c.json", &error);

    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert_uint_eq(config->plugins[0].mask[0], 0xfeebdaed);
    ck_assert_uint_eq(config->plugins[0].mask[1], UINT32_MAX);
    ck_assert_uint_eq(config->plugins[1].mask[0], 0);
    ck_assert_uint_eq(config->plugins[1].mask[1], 0xcfffffff);
    ck_assert_uint_eq(config->plugins[2].mask_bits, 0); /* all are set */
    hip_config_free(config);
    free(text);
}
END_TEST

/* The grids that src/matrix_multiply.cpp, mandelbrot.cpp and vector_add.cpp make: a thread for each
 * element, whatever block_count says. */
START_TEST(grids_follow_from_what_is_worked_on)
{
#define GRID(file, threads, info)                                                                  \
    "{'filename': './bin/" file ".so', 'thread_count': " threads ", 'block_count': 1, "            \
    "'additional_info': " info "}"
    static const uint64_t blocks[] = {1024, 65 * 130, 8192, 62500, 1, 1};
    struct gfe_error error = {0};
    char *text = text_of(
        "{'name': 'n', 'max_iterations': 1, 'sync_every_iteration': true, 'plugins': [" GRID("matrix_multiply", "[32, 32]", "{'matrix_width': 1024}") "," GRID(
            "matrix_multiply", "[32, 16]",
            "{'matrix_width': 2080}") "," GRID("mandelbrot", "512",
                                               "{'image_width': 2048}") "," GRID("vector_add",
                                                                                 "256",
                                                                                 "{'vector_length': 16000000}") "," GRID("counter_spin",
                                                                                                                         "64",
                                                                                                                         "{'image_width': 2048}") "," GRID("mandelbrot",
                                                                                                                                                           "512",
                                                                                                                                                           "1000") "]}");
    struct hip_config *config = hip_config_parse(text, strlen(text), "c.json", &error);

    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert(config->meets);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        ck_assert_uint_eq(config->plugins[i].blocks, blocks[i]);
    hip_config_free(config);
    free(text);
}
END_TEST

START_TEST(a_mask_has_so_many_bits)
{
    char text[512], mask[HIP_MASK_BITS_MAX + 2];
    struct gfe_error error = {0};
    struct hip_config *config;

    memset(mask, '1', sizeof mask);
    mask[HIP_MASK_BITS_MAX] = 0;
    (void)snprintf(text, sizeof text, ONE(", 'compute_unit_mask': '%s'"), mask);
    config = parse(text, &error);
    ck_assert_ptr_nonnull(config);
    ck_assert_uint_eq(config->plugins[0].mask[HIP_MASK_BITS_MAX / 32 - 1], UINT32_MAX);
    hip_config_free(config);
    mask[HIP_MASK_BITS_MAX] = '1';
    mask[HIP_MASK_BITS_MAX + 1] = 0;
    (void)snprintf(text, sizeof text, ONE(", 'compute_unit_mask': '%s'"), mask);
    ck_assert_ptr_null(parse(text, &error));
    ck_assert_str_eq(error.text, "c.json: plugins[0].compute_unit_mask: more than 256 bits");
}
END_TEST

/* A list of as many bits as there are, of which the last is not set; one more is refused. */
START_TEST(a_list_has_so_many_bits_too)
{
    for (uint32_t more = 0; more < 2; more++) {
        struct gfe_error error = {0};
        struct hip_config *config;
        char *text = NULL;
        size_t bytes = 0;
        FILE *memory = open_memstream(&text, &bytes);

        ck_assert_ptr_nonnull(memory);
        (void)fprintf(memory, "{'name': 'n', 'max_iterations': 1, 'plugins': [{" PLUGIN
                              ", 'compute_unit_mask': [");
        for (uint32_t i = 1; i < HIP_MASK_BITS_MAX + more; i++)
            (void)fprintf(memory, "true, ");
        (void)fprintf(memory, "false]}]}");
        ck_assert_int_eq(fclose(memory), 0);
        config = parse(text, &error);
        free(text);
        ck_assert_str_eq(error.text,
                         more ? "c.json: plugins[0].compute_unit_mask: more than 256 bits" : "");
        ck_assert_int_eq(config == NULL, more);
        if (config)
            ck_assert_uint_eq(config->plugins[0].mask[HIP_MASK_BITS_MAX / 32 - 1], UINT32_MAX / 2);
        hip_config_free(config);
    }
}
END_TEST

/* Whatever is left out of a text, or changed, it is read or refused with a message. */
START_TEST(damaged_texts_are_read_or_refused)
{
    char *text = text_of(ONE(", 'compute_unit_mask': '0110', 'release_time': 0.5"));
    const size_t bytes = strlen(text);

    for (size_t at = 0; at < bytes; at++)
        for (uint32_t change = 0; change < 6; change++) {
            struct gfe_error error = {0};
            const char old = text[at];
            struct hip_config *config;

            text[at] = "\0[{9\"-"[change];
            config = hip_config_parse(text, change == 0 ? at : bytes, "c.json", &error);
            ck_assert((config == NULL) == (error.kind != ERROR_NONE));
            hip_config_free(config);
            text[at] = old;
        }
    free(text);
}
END_TEST

Suite *hip_config_suite(void)
{
    Suite *suite = suite_create("hip_config");
    TCase *tcase = tcase_create("configurations");

    tcase_add_test(tcase, all_that_a_plugin_says_is_read);
    tcase_add_loop_test(tcase, what_is_wrong_is_said_with_its_place, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(tcase, a_mask_may_be_a_list);
    tcase_add_test(tcase, a_mask_may_be_hexadecimal);
    tcase_add_test(tcase, grids_follow_from_what_is_worked_on);
    tcase_add_test(tcase, a_mask_has_so_many_bits);
    tcase_add_test(tcase, a_list_has_so_many_bits_too);
    tcase_add_test(tcase, damaged_texts_are_read_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
