/* SPDX-License-Identifier: MIT */
/* The records of each thread, in their order, out of a trace of many segments. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "emu/replay/replay.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

enum { THREADS = 5, RECORDS = 1500, TEXT_BYTES = 20000 };

/* What was written: the numbers of each thread's records. */
static uint64_t numbers[THREADS][RECORDS + 10], resources[THREADS][RECORDS + 10];
static uint32_t counts[THREADS];
static struct replay_input *input;

/* Threads come and go: the last one begins in the last third, the first ends before. */
static uint32_t thread_of(struct random_state *random, uint32_t i)
{
    if (i < RECORDS / 3)
        return random_below(random, THREADS - 1);
    if (i < RECORDS * 2 / 3)
        return 1; /* for long nobody else */
    return 1 + random_below(random, THREADS - 1);
}

static void setup(void)
{
    static char text[TEXT_BYTES + 1];
    struct check_trace trace;
    struct random_state random;
    uint64_t number = 3, resource_count = 1; /* META, CLIENT, AS_CREATE */

    random_seed(&random, 2, 0);
    memset(text, 'x', TEXT_BYTES);
    memset(counts, 0, sizeof counts);
    check_trace_begin(&trace);
    numbers[0][0] = 1, resources[0][0] = 0;
    numbers[0][1] = 2, resources[0][1] = 0;
    counts[0] = 2;
    for (uint32_t i = 0; i < RECORDS; i++) {
        const uint32_t thread = thread_of(&random, i), what = random_below(&random, 10);

        trace.thread_id = 1 + thread;
        if (what == 0)
            check_trace_map(&trace, 1 + i);
        else if (what == 1)
            check_trace_put(
                &trace, (struct trace_record){.head.kind = TRACE_GPU_WRITE,
                                              .gpu_write = {.data = {(const uint8_t *)text, 4}}});
        else
            check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_MARK,
                                                          .mark.text = {text, TEXT_BYTES}});
        if (what != 1) {
            numbers[thread][counts[thread]] = number;
            resources[thread][counts[thread]++] = resource_count;
        }
        resource_count += what == 0;
        number++;
    }
    trace.thread_id = 1;
    input = check_trace_end(&trace);
    ck_assert_uint_gt(trace_store_segment_count(input->store), 20);
    ck_assert_uint_eq(input->thread_count, THREADS);
}

static void teardown(void)
{
    replay_input_free(input);
}

/* The input numbers threads as they appear. */
static uint32_t index_of(uint32_t thread)
{
    for (uint32_t i = 0; i < THREADS; i++)
        if (input->threads[i].thread_id == 1 + thread)
            return i;
    ck_abort_msg("no thread %u", thread);
}

START_TEST(each_thread_gets_its_records_in_their_order)
{
    struct replay_cursor cursor;
    struct gfe_error error = {0};

    for (uint32_t thread = 0; thread < THREADS; thread++) {
        ck_assert_uint_gt(counts[thread], 50);
        ck_assert(replay_records_first(input, index_of(thread), &cursor, &error));
        for (uint32_t i = 0; i < counts[thread]; i++) {
            ck_assert_uint_eq(cursor.place.number, numbers[thread][i]);
            ck_assert_uint_eq(cursor.resources_before, resources[thread][i]);
            ck_assert(replay_records_next(input, index_of(thread), &cursor, &error));
        }
        ck_assert_uint_eq(cursor.place.number, REPLAY_NO_RECORD);
    }
}
END_TEST

START_TEST(a_record_is_found_again_by_its_number)
{
    struct replay_cursor cursor;
    struct gfe_error error = {0};
    struct trace_place place;

    for (uint32_t thread = 0; thread < THREADS; thread++) {
        ck_assert(replay_records_first(input, index_of(thread), &cursor, &error));
        while (cursor.place.number != REPLAY_NO_RECORD) {
            ck_assert(replay_records_find(input, cursor.place.number, &place, &error));
            ck_assert_uint_eq(place.number, cursor.place.number);
            ck_assert_uint_eq(place.position, cursor.place.position);
            for (uint32_t i = 0; i < 7 && cursor.place.number != REPLAY_NO_RECORD; i++)
                ck_assert(replay_records_next(input, index_of(thread), &cursor, &error));
        }
    }
}
END_TEST

/* Long stretches in which a thread does nothing are not unpacked. */
START_TEST(segments_without_the_thread_are_passed_over)
{
    const uint32_t last = index_of(THREADS - 1);
    struct replay_cursor cursor;
    struct gfe_error error = {0};
    uint32_t segments = 0;
    uint64_t loads;

    for (uint32_t i = 0; i < trace_store_segment_count(input->store); i++)
        segments += (uint32_t)(input->segments[i].threads[0] >> last & 1);
    ck_assert_uint_lt(segments, trace_store_segment_count(input->store) / 2 + 3);
    loads = trace_store_load_count(input->store);
    ck_assert(replay_records_first(input, last, &cursor, &error));
    while (cursor.place.number != REPLAY_NO_RECORD)
        ck_assert(replay_records_next(input, last, &cursor, &error));
    ck_assert_uint_le(trace_store_load_count(input->store) - loads, segments);
}
END_TEST

Suite *replay_records_suite(void)
{
    Suite *suite = suite_create("replay_records");
    TCase *tcase = tcase_create("threads");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, each_thread_gets_its_records_in_their_order);
    tcase_add_test(tcase, a_record_is_found_again_by_its_number);
    tcase_add_test(tcase, segments_without_the_thread_are_passed_over);
    suite_add_tcase(suite, tcase);
    return suite;
}
