/* SPDX-License-Identifier: MIT */
/* AMD's logs as Perfetto traces: which tracks and slices there are; logs that no machine makes.
 * That they are well formed, and of the right lengths, tests/test_perfetto_reader.sh checks. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/perfetto/show_perfetto_private.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static char *trace;
static size_t bytes;
static uint64_t slices;

static void teardown(void)
{
    free(trace);
    trace = NULL;
}

/* Ends the fixture's log and converts it. */
static bool convert(struct log_fixture *fixture, gfe_ps from_ps, gfe_ps to_ps,
                    struct gfe_error *error)
{
    FILE *file = open_memstream(&trace, &bytes);
    struct event_log_reader *log;
    struct show_perfetto *show;
    struct log_event event;
    bool good;

    log_fixture_end(fixture);
    log = event_log_open(fixture->path, error);
    ck_assert_ptr_nonnull(log);
    show = show_perfetto_new(file, log, from_ps, to_ps, error);
    ck_assert_ptr_nonnull(show);
    good = true;
    while (good && event_log_read(log, &event, error) == EVENT_LOG_GOT)
        good = show_perfetto_take(show, &event);
    good = good && show_perfetto_finish(show);
    slices = show->slice_count;
    show_perfetto_free(show);
    event_log_close(log);
    ck_assert_int_eq(fclose(file), 0);
    log_fixture_remove(fixture);
    return good;
}

static void convert_scene(const char *engine_cus, gfe_ps from_ps, gfe_ps to_ps)
{
    struct log_fixture fixture;
    struct gfe_error error = {0};
    char *head = log_fixture_amd_head(engine_cus);

    log_fixture_begin_with(&fixture, head);
    free(head);
    log_scene_amd(&fixture);
    ck_assert_msg(convert(&fixture, from_ps, to_ps, &error), "%s", error.text);
}

static bool holds(const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(trace + i, name, length) == 0)
            return true;
    return false;
}

START_TEST(queues_slots_engines_and_cus_are_tracks)
{
    static const char *const names[] = {"ACE 0.2",
                                        "ACE 1.2",
                                        "ACE 1.3",
                                        "MEC2 0.0",
                                        "queue 1024",
                                        "queue 1280",
                                        "SDMA 1",
                                        "SE 0",
                                        "SE 1",
                                        "CU 0.0",
                                        "CU 1.1",
                                        "waves",
                                        "packets",
                                        "signals",
                                        "dispatches with blocks to start",
                                        "packets in the ring"};

    convert_scene("3 2", 0, GFE_PS_NEVER);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(holds(names[i]), "no track '%s'", names[i]);
    ck_assert(!holds("CU 0.2")); /* idle */
    ck_assert(!holds("SM "));
    ck_assert(!holds("channel 2"));
    /* Slots 1 + 4 + 2 + 3, packets 2, the dispatch and its dispatching 2, the copy 2, blocks 5,
     * waits 4. */
    ck_assert_uint_eq(slices, 25);
}
END_TEST

START_TEST(cus_of_no_engine_are_numbered_through)
{
    convert_scene(NULL, 0, GFE_PS_NEVER);
    ck_assert(holds("CU 4"));
    ck_assert(!holds("SE 0"));
    ck_assert_uint_eq(slices, 25);
}
END_TEST

/* From 33 us to 39 us nothing is on CUs: queues in slots (1024 in ACE 0.2, having to leave, being
 * saved; 1025; the HIQ), 1024 being loaded anew, a dispatch and its packet, waits. */
START_TEST(a_window_holds_what_reaches_into_it)
{
    convert_scene("3 2", US(33), US(39));
    ck_assert_uint_eq(slices, 3 + 1 + 1 + 1 + 1 + 1 + 2);
    ck_assert(!holds("SE 0"));
}
END_TEST

START_TEST(absurd_logs_are_refused_or_written)
{
    static const struct {
        uint32_t kind, argument_count;
        uint64_t arguments[7];
        const char *message; /* NULL: it is written */
    } rows[] = {
        {EVENT_AMD_QUEUE_LOAD, 4, {UINT64_MAX, 5, 8, 1}, "no machine has so many"},
        {EVENT_AMD_QUEUE_LOAD, 4, {2, UINT64_MAX, 8, 1}, "no machine has so many"},
        {EVENT_HWS_MAP, 4, {1, 1, UINT64_MAX, 0}, "no micro engine has such a slot"},
        {EVENT_HWS_PREEMPT, 4, {1, 1, 0, 8}, "no micro engine has such a slot"},
        {EVENT_HWS_PREEMPT, 4, {1, 1, 0, 3}, NULL},
        {EVENT_AMD_QUEUE_LEAVE, 2, {UINT64_MAX, 5}, NULL},
        {EVENT_AMD_QUEUE_SAVE, 6, {3, 5, 0, 0, 0, UINT64_MAX}, NULL},
        {EVENT_AMD_QUEUE_RESTORE, 6, {3, 5, 0, 0, 0, UINT64_MAX}, NULL},
        {EVENT_AMD_PACKET, 5, {3, 5, UINT64_MAX, 1, UINT64_MAX}, NULL},
        {EVENT_AMD_PACKET_END, 3, {3, 5, 9}, NULL},
        {EVENT_AMD_DOORBELL, 3, {5, 3, UINT64_MAX}, NULL},
        {EVENT_HIP_SUBMIT, 3, {0, 5, UINT64_MAX}, NULL},
        {EVENT_AMD_DISPATCH, 4, {99, 0, 0, UINT64_MAX}, NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct log_fixture fixture;
        struct gfe_error error = {0};
        char *head = log_fixture_amd_head("3 2");
        log_fixture_begin_with(&fixture, head);
        free(head);
        for (uint32_t times = 0; times < 100; times++)
            log_fixture_add(&fixture, US(1 + times), rows[i].kind, RULE_NONE,
                            rows[i].argument_count, rows[i].arguments);
        const bool good = convert(&fixture, 0, GFE_PS_NEVER, &error);
        ck_assert_msg(good == (rows[i].message == NULL), "row %zu", i);
        teardown();
    }
}
END_TEST

Suite *show_perfetto_amd_suite(void)
{
    Suite *suite = suite_create("show_perfetto_amd");
    TCase *traces = tcase_create("traces");

    tcase_add_checked_fixture(traces, NULL, teardown);
    tcase_add_test(traces, queues_slots_engines_and_cus_are_tracks);
    tcase_add_test(traces, cus_of_no_engine_are_numbered_through);
    tcase_add_test(traces, a_window_holds_what_reaches_into_it);
    tcase_add_test(traces, absurd_logs_are_refused_or_written);
    suite_add_tcase(suite, traces);
    return suite;
}
