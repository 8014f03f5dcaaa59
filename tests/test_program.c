/* SPDX-License-Identifier: MIT */
/* The program of a log's head: labels that no two share, and heads that are not as they should be.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/chunk.h"
#include "emu/log/event_log.h"
#include "emu/log/program.h"
#include "tests/suites.h"

enum { HEAD_BYTES = 8192 };

static struct program program;

/* Reads a head with this text behind its tables. */
static void begin(const char *member)
{
    char head[HEAD_BYTES];
    struct gfe_error error = {0};
    struct event_log_reader *reader = event_log_reader_new("test", &error);
    const int bytes = snprintf(head, sizeof head,
                               "{\"format\":2,\"run\":{},\"units\":[],\"rules\":[],\"kinds\":[],"
                               "\"parameters\":[],\"choices\":[]%s}",
                               member);
    const struct chunk chunk = {
        .kind = CHUNK_LOG_HEAD, .raw = (const uint8_t *)head, .raw_bytes = (uint32_t)bytes};

    ck_assert(reader && bytes > 0 && bytes < HEAD_BYTES);
    ck_assert_msg(event_log_feed(reader, &chunk, &error), "%s", error.text);
    ck_assert_msg(program_init(&program, reader, &error), "%s", error.text);
    event_log_close(reader);
}

static void teardown(void)
{
    program_fini(&program);
}

static const char *label(uint64_t call)
{
    const struct program_call *found = program_call(&program, call);

    ck_assert_ptr_nonnull(found);
    return found->label;
}

#define KERNEL(name) "{\"kind\":\"kernel\",\"name\":\"" name "\"}"
#define COPY(to)     "{\"kind\":\"copy\",\"phase\":\"copy_out\",\"direction\":\"" to "\"}"

START_TEST(kernels_have_their_names_as_far_as_those_tell_them_apart)
{
    begin(",\"program\":{\"name\":\"p\",\"tasks\":["
          "{\"name\":\"S1\",\"first_call\":0,\"call_count\":4},"
          "{\"name\":\"S2\",\"first_call\":4,\"call_count\":1}],"
          "\"calls\":[" KERNEL("K1") "," KERNEL("K2") "," KERNEL("K3") "," KERNEL("K3") "," KERNEL(
              "K2") "]}");
    ck_assert_uint_eq(program.call_count, 5);
    ck_assert_str_eq(label(0), "K1");
    ck_assert_str_eq(label(1), "S1/K2");
    ck_assert_str_eq(label(2), "K3");
    ck_assert_str_eq(label(3), "K3");
    ck_assert_str_eq(label(4), "S2/K2");
    ck_assert_uint_eq(program_call(&program, 1)->first_same, 1);
    ck_assert_uint_eq(program_call(&program, 3)->first_same, 2);
    ck_assert_ptr_null(program_call(&program, 5));
    ck_assert_uint_eq(program_call(&program, 4)->task, 1);
}
END_TEST

START_TEST(other_calls_are_called_by_their_task)
{
    begin(",\"program\":{\"tasks\":["
          "{\"name\":\"S1\",\"first_call\":0,\"call_count\":3},"
          "{\"name\":\"S2\",\"first_call\":3,\"call_count\":2}],"
          "\"calls\":[" COPY("to host") "," COPY("to device") ",{\"kind\":\"sleep\"}," COPY(
              "to host") ",{\"kind\":\"sleep\"}]}");
    ck_assert_str_eq(label(0), "S1/copy");
    ck_assert_str_eq(label(1), "S1/copy");
    ck_assert_str_eq(label(2), "S1/sleep");
    ck_assert_str_eq(label(3), "S2/copy");
    ck_assert_str_eq(label(4), "S2/sleep");
    for (uint64_t i = 0; i < 5; i++)
        ck_assert_uint_eq(program_call(&program, i)->first_same, i == 1 ? 0 : i);
    ck_assert_int_eq(program_call(&program, 0)->kind, PROGRAM_COPY);
    ck_assert_int_eq(program_call(&program, 0)->phase, PROGRAM_COPY_OUT);
    ck_assert_int_eq(program_call(&program, 2)->phase, PROGRAM_EXECUTE);
}
END_TEST

START_TEST(kernels_called_as_their_tasks_are_called_as_those)
{
    begin(",\"program\":{\"tasks\":["
          "{\"name\":\"K1\",\"first_call\":0,\"call_count\":1},"
          "{\"name\":\"K1\",\"first_call\":1,\"call_count\":2}],"
          "\"calls\":[" KERNEL("K1") "," KERNEL("K1") "," KERNEL("K1") "]}");
    ck_assert_str_eq(label(0), "K1 (0)");
    ck_assert_str_eq(label(1), "K1 (1)");
    ck_assert_str_eq(label(2), "K1 (1)");
    ck_assert_uint_eq(program_call(&program, 2)->first_same, 1);
}
END_TEST

START_TEST(tasks_of_one_name_or_none_have_numbers)
{
    begin(",\"program\":{\"tasks\":[{\"name\":\"S\"},{\"name\":\"S\"},{\"name\":\"\"},{}],"
          "\"calls\":[{}]}");
    ck_assert_str_eq(program_task(&program, 0)->label, "S (0)");
    ck_assert_str_eq(program_task(&program, 1)->label, "S (1)");
    ck_assert_str_eq(program_task(&program, 2)->label, "task 2");
    ck_assert_str_eq(program_task(&program, 3)->label, "task 3");
    ck_assert_ptr_null(program_task(&program, 4));
    ck_assert_str_eq(label(0), "?/call");
}
END_TEST

START_TEST(streams_may_have_names)
{
    char name[PROGRAM_STREAM_BYTES];

    begin(",\"program\":{\"tasks\":[{}],\"calls\":[{}],\"stream_names\":{\"3\":\"a b\",\"4\":7,"
          "\"5\":\"0123456789012345678901234567890123456789\"}}");
    ck_assert(program_stream_name(&program, 3, name));
    ck_assert_str_eq(name, "a b");
    ck_assert(!program_stream_name(&program, 4, name));
    ck_assert(!program_stream_name(&program, 0, name));
    ck_assert_str_eq(name, "");
    ck_assert(program_stream_name(&program, 5, name));
    ck_assert_str_eq(name, "0123456789012345678901234567890");
}
END_TEST

START_TEST(labels_are_short_and_printable)
{
    begin(",\"program\":{\"tasks\":[{\"name\":\"\\u00e9\\u0007\",\"first_call\":0,"
          "\"call_count\":1}],\"calls\":[" KERNEL("0123456789012345678901234567890123456789") "]}");
    ck_assert_str_eq(program_task(&program, 0)->label, "???");
    ck_assert_str_eq(label(0), "0123456789012345678901234567890");
}
END_TEST

START_TEST(logs_of_recordings_have_no_program)
{
    begin("");
    ck_assert_uint_eq(program.task_count, 0);
    ck_assert_uint_eq(program.call_count, 0);
    ck_assert_ptr_null(program_call(&program, 0));
}
END_TEST

/* Calls that are not there, those of another task, and what has another type. */
START_TEST(what_is_not_right_is_not_there)
{
    begin(",\"program\":{\"name\":7,\"tasks\":["
          "{\"name\":[],\"first_call\":1,\"call_count\":1,\"process\":-4,\"release_ps\":\"x\"},"
          "{\"name\":\"S2\",\"first_call\":0,\"call_count\":2},"
          "{\"name\":\"S3\",\"first_call\":2,\"call_count\":18446744},7],"
          "\"calls\":[" KERNEL("K1") "," KERNEL("K2") ",{\"kind\":{},\"phase\":\"later\"}]}");
    ck_assert_ptr_null(program.name);
    ck_assert_str_eq(program_task(&program, 0)->label, "task 0");
    ck_assert_uint_eq(program_task(&program, 0)->call_count, 1);
    ck_assert_uint_eq(program_task(&program, 0)->process, 0);
    ck_assert_uint_eq(program_task(&program, 1)->call_count, 0);
    ck_assert_uint_eq(program_task(&program, 2)->call_count, 0);
    ck_assert_uint_eq(program_call(&program, 0)->task, PROGRAM_NONE);
    ck_assert_uint_eq(program_call(&program, 1)->task, 0);
    ck_assert_str_eq(label(0), "K1");
}
END_TEST

START_TEST(a_program_that_is_no_object_is_none)
{
    begin(",\"program\":{\"tasks\":{},\"calls\":[{}]}");
    ck_assert_uint_eq(program.task_count + program.call_count, 0);
}
END_TEST

Suite *program_suite(void)
{
    Suite *suite = suite_create("program");
    TCase *labels = tcase_create("labels");

    tcase_add_checked_fixture(labels, NULL, teardown);
    tcase_add_test(labels, kernels_have_their_names_as_far_as_those_tell_them_apart);
    tcase_add_test(labels, other_calls_are_called_by_their_task);
    tcase_add_test(labels, kernels_called_as_their_tasks_are_called_as_those);
    tcase_add_test(labels, tasks_of_one_name_or_none_have_numbers);
    tcase_add_test(labels, streams_may_have_names);
    tcase_add_test(labels, labels_are_short_and_printable);
    tcase_add_test(labels, logs_of_recordings_have_no_program);
    tcase_add_test(labels, what_is_not_right_is_not_there);
    tcase_add_test(labels, a_program_that_is_no_object_is_none);
    suite_add_tcase(suite, labels);
    return suite;
}
