/* SPDX-License-Identifier: MIT */
/* The view of queues of an AMD GPU, at times of a run. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/inspect_queues.h"
#include "emu/base/json_text.h"
#include "tests/check_json.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static json_t *view;
static char *text;

static void teardown(void)
{
    json_decref(view);
    view = NULL;
    free(text);
    text = NULL;
}

static void look(const char *engine_cus, gfe_ps at_ps)
{
    struct loaded loaded;
    struct gfe_error error = {0};
    struct event_log_reader *log;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    load_amd(&loaded, engine_cus);
    log = event_log_open(loaded.fixture.path, &error);
    ck_assert_ptr_nonnull(log);
    view = inspect_queues(log, at_ps, UINT64_MAX, &error);
    ck_assert_msg(view != NULL, "%s", error.text);
    inspect_queues_view.print(file, view);
    ck_assert_int_eq(fclose(file), 0);
    event_log_close(log);
    unload(&loaded);
}

static void has(const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in\n%s", part, text);
}

START_TEST(a_dispatch_stands_below_its_queue)
{
    look("3 2", US(15));
    has("\n  queue 1024, in ACE 0.2, 1 packet in the ring (A.Q3)\n"
        "    dispatch 1  dispatched, 3 of 4 blocks assigned (A.D5)\n");
    has("\n  CU 0.0: dispatch 1, block 0\n  CU 0.1: dispatch 1, block 2\n"
        "  CU 1.0: dispatch 1, block 1\n");
    ck_assert_ptr_null(strstr(text, "queue 1025")); /* never used */
    ck_assert_ptr_null(strstr(text, "SM"));
    ck_assert_ptr_null(json_object_get(view, "ee_queues"));
}
END_TEST

START_TEST(a_queue_without_a_slot_says_so)
{
    look("3 2", US(37));
    has("\n  queue 1024, in no slot, 1 packet in the ring (A.Q3)\n"
        "    dispatch 1  fully dispatched, 4 of 4 blocks assigned (AMD.CWSR)\n");
    has("\n  CU 0.0: empty\n");
    teardown();
    look("3 2", US(52));
    has("\n  queue 1024, in ACE 1.3,");
    has("\n  CU 1.1: dispatch 1, block 3\n");
    has("\nSDMA engines\n  SDMA 1\n    runs    copy 7\n");
}
END_TEST

START_TEST(json_names_slots_and_cus)
{
    const json_t *queue = NULL, *sm = NULL;

    look(NULL, US(15));
    for (size_t i = 0; i < json_array_size(json_object_get(view, "queues")); i++) {
        const json_t *at = json_array_get(json_object_get(view, "queues"), i);
        if (json_integer_value(json_object_get(at, "queue")) == 1024)
            queue = at;
    }
    ck_assert_str_eq(json_string_value(json_object_get(queue, "slot")), "ACE 0.2");
    ck_assert_int_eq(json_integer_value(json_object_get(queue, "packets_in_ring")), 1);
    sm = json_array_get(json_object_get(view, "sms"), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(sm, "sm")), 3);
    ck_assert_str_eq(json_string_value(json_object_get(sm, "name")), "CU 3");
}
END_TEST

static bool print_view(FILE *file, void *context)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(context, &error);
    json_t *json;
    bool done;

    ck_assert_msg(log != NULL, "%s", error.text);
    check_json_start();
    json = inspect_queues(log, US(15), UINT64_MAX, &error);
    done = json && json_text_print(file, json);
    json_decref(json);
    event_log_close(log);
    return done;
}

START_TEST(json_is_whole_or_refused)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    check_json_last(print_view, loaded.fixture.path, 200, 1);
    unload(&loaded);
}
END_TEST

Suite *inspect_queues_amd_suite(void)
{
    Suite *suite = suite_create("inspect_queues_amd");
    TCase *views = tcase_create("views");

    tcase_add_checked_fixture(views, NULL, teardown);
    tcase_add_test(views, a_dispatch_stands_below_its_queue);
    tcase_add_test(views, a_queue_without_a_slot_says_so);
    tcase_add_test(views, json_names_slots_and_cus);
    tcase_add_test(views, json_is_whole_or_refused);
    suite_add_tcase(suite, views);
    return suite;
}
