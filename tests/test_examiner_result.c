/* SPDX-License-Identifier: MIT */
/* Result files of cuda_scheduling_examiner: what each member becomes, what is refused, with which
 * words, and the bounds. */
#include <config.h>

#include <check.h>
#include <unistd.h>

#include "tests/examiner_files.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/suites.h"
#include "traces/config/examiner_result.h"

#define NS(n) (UINT64_C(n) * GFE_PS_PER_NS)

static struct examiner_result *parse(const char *text, struct gfe_error *error)
{
    *error = (struct gfe_error){0};
    return examiner_result_parse(text, strlen(text), "r.json", error);
}

/* ---- what is read ---------------------------------------------------------------------------- */

START_TEST(the_head_is_kept)
{
    char *text = examiner_file("tx2_k2.json");
    struct gfe_error error;
    struct examiner_result *result = parse(text, &error);

    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert_str_eq(result->scenario_name, "Made by hand: three streams on a TX2");
    ck_assert_str_eq(result->benchmark_name, "Multi-kernel submission");
    ck_assert_str_eq(result->label, "K2");
    ck_assert_uint_eq(result->resident_threads, 4096);
    ck_assert_uint_eq(result->data_bytes, 0);
    ck_assert_uint_eq(result->release_ps, NS(100000000));
    ck_assert_int_eq(result->pid, 3120);
    ck_assert_int_eq(result->tid, 3125);
    ck_assert(result->blocks_timed);
    ck_assert_uint_eq(result->iteration_count, 1);
    examiner_result_free(result);
    free(text);
}
END_TEST

START_TEST(times_are_kept_to_the_nanosecond)
{
    char *text = examiner_file("tx2_k2.json");
    struct gfe_error error;
    struct examiner_result *result = parse(text, &error);
    const struct examiner_result_iteration *iteration = &result->iterations[0];
    const struct examiner_result_kernel *kernel = &iteration->kernels[1];

    ck_assert_uint_eq(iteration->index, 1);
    ck_assert_uint_eq(iteration->copy_in.begin_ps, NS(1300084338));
    ck_assert_uint_eq(iteration->copy_in.end_ps, NS(1300084562));
    ck_assert_uint_eq(iteration->execute.begin_ps, NS(1300084786));
    ck_assert_uint_eq(iteration->execute.end_ps, NS(2300472142));
    ck_assert_uint_eq(iteration->copy_out.begin_ps, NS(2300472494));
    ck_assert_uint_eq(iteration->copy_out.end_ps, NS(2301188142));
    ck_assert_uint_eq(iteration->kernel_count, 2);
    ck_assert_str_eq(kernel->name, "K2b");
    ck_assert_uint_eq(kernel->index, 3);
    ck_assert_int_eq(kernel->threads, 512);
    ck_assert_int_eq(kernel->shared_bytes, 0);
    ck_assert_int_eq(kernel->cpu_core, 2);
    ck_assert_uint_eq(kernel->launch_ps, NS(1300152274));
    ck_assert_uint_eq(kernel->launched_ps, NS(1300169746));
    ck_assert_uint_eq(kernel->synchronized_ps, 0);
    ck_assert_uint_eq(kernel->block_count, 2);
    ck_assert_uint_eq(kernel->blocks[1].start_ps, NS(2000187392));
    ck_assert_uint_eq(kernel->blocks[1].end_ps, NS(2300187872));
    ck_assert_uint_eq(kernel->blocks[1].sm, 1);
    ck_assert_int_eq(iteration->kernels[0].shared_bytes, 32768);
    examiner_result_free(result);
    free(text);
}
END_TEST

START_TEST(iterations_have_their_own_kernels)
{
    char *text = examiner_file("tx2_k1.json");
    struct gfe_error error;
    struct examiner_result *result = parse(text, &error);

    ck_assert_uint_eq(result->iteration_count, 2);
    ck_assert_uint_eq(result->iterations[1].index, 3);
    ck_assert_uint_eq(result->iterations[1].kernel_count, 1);
    ck_assert_uint_eq(result->iterations[1].kernels[0].blocks[0].start_ps, NS(1750168480));
    examiner_result_free(result);
    free(text);
}
END_TEST

/* What the tool leaves out, and a member that it did not have then. */
START_TEST(names_and_thread_may_be_missing)
{
    char *text = examiner_file("tx2_process1.json");
    struct gfe_error error;
    struct examiner_result *result;

    text = replaced(text, "\"kernel_name\": \"BasicMandelbrot\", ", "\"colour\": [], ");
    text = replaced(text, "\"release_time\": 0.000000", "\"release_time\": -1.000000");
    result = parse(text, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert_ptr_null(result->label);
    ck_assert_int_eq(result->tid, EXAMINER_RESULT_NO_TID);
    ck_assert_ptr_null(result->iterations[0].kernels[0].name);
    ck_assert_uint_eq(result->release_ps, 0);
    examiner_result_free(result);
    free(text);
}
END_TEST

START_TEST(a_benchmark_without_kernels_or_iterations_is_fine)
{
    char *text = examiner_file("tx2_process1.json");
    char *kernel = strstr(text, ",\n{\"kernel_name\"");
    struct gfe_error error;
    struct examiner_result *result;

    ck_assert_ptr_nonnull(kernel);
    (void)strcpy(kernel, "\n]}");
    result = parse(text, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert_uint_eq(result->iteration_count, 1);
    ck_assert_uint_eq(result->iterations[0].kernel_count, 0);
    examiner_result_free(result);
    (void)strcpy(strstr(text, "{}"), "{}\n]}");
    result = parse(text, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert_uint_eq(result->iteration_count, 0);
    examiner_result_free(result);
    free(text);
}
END_TEST

/* Cycles less the start of the clock, modulo 2^64: no time at all. */
START_TEST(cycles_are_not_read_as_times)
{
    char *text = examiner_file("tx2_k3.json");
    struct gfe_error error;
    struct examiner_result *result;

    text = replaced(text, "Timer Spin", EXAMINER_RESULT_CYCLES_BENCHMARK);
    text = replaced(text, "1.700145440", "18446744073.709551616");
    result = parse(text, &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert(!result->blocks_timed);
    ck_assert_uint_eq(result->iterations[0].kernels[0].blocks[1].start_ps, 0);
    ck_assert_uint_eq(result->iterations[0].kernels[0].blocks[1].sm, 1);
    examiner_result_free(result);
    free(text);
}
END_TEST

START_TEST(a_text_is_known_by_its_first_byte)
{
    ck_assert(examiner_result_is_text("{", 1));
    ck_assert(examiner_result_is_text(" \r\n\t[", 5));
    ck_assert(!examiner_result_is_text(" \n", 2));
    ck_assert(!examiner_result_is_text("", 0));
    ck_assert(!examiner_result_is_text("gfeC{", 5));
    ck_assert(!examiner_result_is_text("x{", 2));
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

#define KERNEL "times[2]"

/* One change to tx2_k3.json each, and what is said of it. */
static const struct {
    const char *from, *to, *message;
} refused[] = {
    {"\"scenario_name\"", "\"scenario\"", "scenario_name: is missing"},
    {"\"Made by hand: three streams on a TX2\"", "7", "scenario_name: 7 is not a string"},
    {"\"benchmark_name\"", "\"benchmark\"", "benchmark_name: is missing"},
    {"\"K3\"", "null", "label: null is not a string"},
    {"\"max_resident_threads\": 4096,", "", "max_resident_threads: is missing"},
    {"threads\": 4096", "threads\": 0", "max_resident_threads: 0 is not a number of threads"},
    {"threads\": 4096", "threads\": 4294967296",
     "max_resident_threads: 4294967296 is more than 2147483647"},
    {"\"data_size\": 0", "\"data_size\": -1", "data_size: -1 is not a number of bytes"},
    {"0.200000", "\"0.2\"", "release_time: '0.2' is not a number of seconds"},
    {"0.200000", "1e30", "release_time: 1e+30 seconds are more than gfe can count"},
    {"3120", "0", "PID: 0 is not the number of a process"},
    {"3120", "1.5", "PID: 1.5 is not the number of a process"},
    {"\"PID\": 3120,", "", "PID: is missing"},
    {"3126", "-3", "TID: -3 is not the number of a thread"},
    {"\"times\"", "\"time\"", "times: is missing"},
    {"\"times\": [{}", "\"times\": [1", "times[0]: 1 is not the empty object that comes first"},
    {"\"times\": [{}", "\"times\": [{\"a\": 1}",
     "times[0]: an object is not the empty object that comes first"},
    {"[{},\n{\"copy_in", "[{},\n3,\n{\"copy_in", "times[1]: 3 is not an object"},
    {"\"cpu_times\"", "\"times_of_cpu\"", "times[1]: there is no cpu_times before it"},
    {"\"copy_in_times\"", "\"copy_in\"", "times[1].copy_in_times: is missing"},
    {"\"execute_times\": [1.400103150,2.000384014]", "\"execute_times\": 4",
     "times[1].execute_times: 4 is not a begin and an end"},
    {"[1.400103150,", "[", "times[1].execute_times: 1 elements, not 2"},
    {"[1.400103150,", "[false,", "times[1].execute_times[0]: false is not a number of seconds"},
    {"[1.400103150,", "[-0.000000001,",
     "times[1].execute_times[0]: -1e-09 is not a number of seconds"},
    {"2.000906510]}", "18446744.5]}",
     "times[1].cpu_times[1]: 18446744.5 seconds are more than gfe can count"},
    {"\"GPUSpin\"", "{}", KERNEL ".kernel_name: an object is not a string"},
    {"\"block_count\": 2", "\"block_count\": 0",
     KERNEL ".block_count: 0 is not a number of blocks"},
    {"\"block_count\": 2", "\"block_count\": 2147483648",
     KERNEL ".block_count: 2147483648 is more than 2147483647"},
    {"\"block_count\": 2", "\"block_count\": 2147483647",
     KERNEL ".block_times: 4 elements, not 4294967294"},
    {"\"block_count\": 2", "\"block_count\": 3", KERNEL ".block_times: 4 elements, not 6"},
    {"[0,1]", "[0]", KERNEL ".block_smids: 1 elements, not 2"},
    {"[0,1]", "[0,1,1]", KERNEL ".block_smids: 3 elements, not 2"},
    {"[0,1]", "{}", KERNEL ".block_smids: an object is not a list of SMs"},
    {"[0,1]", "[0,-1]", KERNEL ".block_smids[1]: -1 is not the number of an SM"},
    {"[0,1]", "[0,4294967296]", KERNEL ".block_smids[1]: 4294967296 is more than 4294967295"},
    {"\"thread_count\": 1024", "\"thread_count\": \"1024\"",
     KERNEL ".thread_count: '1024' is not a number of threads"},
    {"\"thread_count\": 1024", "\"thread_count\": 0",
     KERNEL ".thread_count: 0 is not a number of threads"},
    {"\"shared_memory\": 0", "\"shared_memory\": -1",
     KERNEL ".shared_memory: -1 is not a number of bytes"},
    {"\"shared_memory\": 0,", "", KERNEL ".shared_memory: is missing"},
    {"\"cpu_core\": 3", "\"cpu_core\": []",
     KERNEL ".cpu_core: an empty array is not the number of a core"},
    {"\"cuda_launch_times\"", "\"launch_times\"", KERNEL ".cuda_launch_times: is missing"},
    {"1.400161998, ", "", KERNEL ".cuda_launch_times: 2 elements, not 3"},
    {"[1.400103534", "[-1.400103534",
     KERNEL ".cuda_launch_times[0]: -1.400103534 is not a number of seconds"},
    {"1.700145600", "18446744073.709551616",
     KERNEL ".block_times[2]: 18446744073.7 seconds are more than gfe can count"},
    {"1.700145600", "null", KERNEL ".block_times[2]: null is not a number of seconds"},
    {"\n]}", "", "line 12: not JSON: ']' expected near end of file"},
    {"1.700145600", "1e999", "line 12: not JSON: real number overflow near '1e999'"},
    {"1.700145600", "nan", "line 12: not JSON: invalid token near 'nan'"},
};

START_TEST(wrong_files_are_refused_in_one_line)
{
    char *text = examiner_file("tx2_k3.json");
    struct gfe_error error;
    char expected[300];

    text = replaced(text, refused[_i].from, refused[_i].to);
    ck_assert_ptr_null(parse(text, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    (void)snprintf(expected, sizeof expected, "r.json: %s", refused[_i].message);
    ck_assert_str_eq(error.text, expected);
    fuzz_result((const uint8_t *)text, strlen(text));
    free(text);
}
END_TEST

START_TEST(other_texts_are_refused)
{
    struct gfe_error error;

    ck_assert_ptr_null(parse("[]", &error));
    ck_assert_str_eq(error.text, "r.json: an empty array is not an object");
    ck_assert_ptr_null(parse("", &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    error = (struct gfe_error){0};
    ck_assert_ptr_null(
        examiner_result_parse("{", EXAMINER_RESULT_TEXT_BYTES_MAX + 1, "r.json", &error));
    ck_assert_str_eq(error.text, "r.json: more than 64 MiB");
}
END_TEST

/* Wherever the file ends, and whichever byte is another, there is a result or one line of words. */
/* PROMISE (analysis): Broken result files are refused with the right words and do no harm. */
START_TEST(broken_files_do_no_harm)
{
    char *text = examiner_file("tx2_k3.json");
    const size_t bytes = strlen(text);

    for (size_t end = 0; end < bytes; end++)
        fuzz_result((const uint8_t *)text, end);
    for (size_t at = 0; at < bytes; at++) {
        static const char others[] = {'\0', '"', '-', '9', ']', '}', ',', 'e', '\xff'};
        const char was = text[at];

        for (size_t i = 0; i < sizeof others; i++) {
            text[at] = others[i];
            fuzz_result((const uint8_t *)text, bytes);
        }
        text[at] = was;
    }
    free(text);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(a_file_is_read_as_its_text_is)
{
    char path[] = "/tmp/gfe-result-XXXXXX";
    char *text = examiner_file("tx2_k1.json");
    const int fd = mkstemp(path);
    struct gfe_error error = {0};
    struct examiner_result *result;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    ck_assert_int_eq(close(fd), 0);
    result = examiner_result_load(path, input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    ck_assert_uint_eq(result->iteration_count, 2);
    examiner_result_free(result);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_ptr_null(
        examiner_result_load(path, input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    free(text);
}
END_TEST

Suite *examiner_result_suite(void)
{
    Suite *suite = suite_create("examiner_result");
    TCase *tcase = tcase_create("results");

    tcase_add_test(tcase, the_head_is_kept);
    tcase_add_test(tcase, times_are_kept_to_the_nanosecond);
    tcase_add_test(tcase, iterations_have_their_own_kernels);
    tcase_add_test(tcase, names_and_thread_may_be_missing);
    tcase_add_test(tcase, a_benchmark_without_kernels_or_iterations_is_fine);
    tcase_add_test(tcase, cycles_are_not_read_as_times);
    tcase_add_test(tcase, a_text_is_known_by_its_first_byte);
    tcase_add_loop_test(tcase, wrong_files_are_refused_in_one_line, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(tcase, other_texts_are_refused);
    tcase_add_test(tcase, broken_files_do_no_harm);
    tcase_add_test(tcase, a_file_is_read_as_its_text_is);
    suite_add_tcase(suite, tcase);
    return suite;
}
