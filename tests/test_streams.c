/* SPDX-License-Identifier: MIT */
/* Operations of streams, followed through a log: from the call to the grid or copy, and back. */
#include <config.h>

#include <check.h>

#include "emu/analysis/streams.h"
#include "tests/scenario_log.h"
#include "tests/streams_fold.h"
#include "tests/suites.h"

static struct memory_file file;
static struct event_log_reader *reader;
static struct streams streams;

static void read_all(const char *gpu, const char *name)
{
    struct gfe_error error = {0};
    struct model model;

    file = scenario_log_run(gpu, name, NULL);
    reader = event_log_open(file.path, &error);
    ck_assert_msg(reader && streams_init(&streams, reader, &error) &&
                      model_init(&model, reader, streams_fold, &streams, &error),
                  "%s", error.text);
    ck_assert(model_read(&model, reader, &error));
    model_fini(&model);
}

static void teardown(void)
{
    streams_fini(&streams);
    event_log_close(reader);
    memory_file_free(&file);
}

START_TEST(every_operation_is_followed_to_its_end)
{
    char name[STREAMS_NAME_BYTES];
    uint32_t grids = 0, copies = 0;

    read_all("tx2", "amert2017-table1");
    ck_assert_uint_eq(streams.operation_count, 11);
    for (uint32_t i = 0; i < streams.operation_count; i++) {
        const struct streams_operation *operation = &streams.operations[i];

        ck_assert_uint_le(operation->called_ps, operation->submitted_ps);
        ck_assert_uint_lt(operation->submitted_ps, operation->completed_ps);
        ck_assert_uint_ne(operation->completed_ps, GFE_PS_NEVER);
        ck_assert_ptr_eq(streams_of_id(&streams, operation->id), operation);
        ck_assert_ptr_eq(streams_of_hardware(&streams, operation->hardware, operation->hardware_id),
                         operation);
        grids += operation->hardware == STREAMS_GRID;
        copies += operation->hardware == STREAMS_COPY;
    }
    ck_assert_uint_eq(grids, 6);
    ck_assert_uint_eq(copies, 5);
    ck_assert_str_eq(streams_name(&streams, &streams.operations[0], name), "K1");
    ck_assert_str_eq(streams_name(&streams, &streams.operations[2], name), "S1/copy");
    ck_assert_str_eq(streams_name(&streams, NULL, name), "");
}
END_TEST

START_TEST(what_is_not_there_is_not_found)
{
    read_all("tx2", "amert2017-table1");
    ck_assert_ptr_null(streams_of_id(&streams, 1000));
    ck_assert_ptr_null(streams_of_hardware(&streams, STREAMS_GRID, 1000));
    ck_assert_ptr_null(
        streams_of_hardware(&streams, STREAMS_COPY, streams.operations[0].hardware_id));
}
END_TEST

START_TEST(an_operation_of_no_known_call_has_its_number)
{
    const struct streams_operation stranger = {.id = 7, .call = PROGRAM_NONE, .nth = 1};
    struct streams_operation again;
    char name[STREAMS_NAME_BYTES];

    read_all("tx2", "amert2017-table1");
    ck_assert_str_eq(streams_name(&streams, &stranger, name), "operation 7");
    again = streams.operations[0];
    again.nth = 2;
    ck_assert_str_eq(streams_name(&streams, &again, name), "K1#2");
}
END_TEST

Suite *streams_suite(void)
{
    Suite *suite = suite_create("streams");
    TCase *logs = tcase_create("logs");

    tcase_add_checked_fixture(logs, NULL, teardown);
    tcase_add_test(logs, every_operation_is_followed_to_its_end);
    tcase_add_test(logs, what_is_not_there_is_not_found);
    tcase_add_test(logs, an_operation_of_no_known_call_has_its_number);
    suite_add_tcase(suite, logs);
    return suite;
}
