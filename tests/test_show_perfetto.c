/* SPDX-License-Identifier: MIT */
/*
 * Logs as Perfetto traces: windows, bounds, memory, logs that no machine makes.  What viewers rely
 * on is checked of whole traces, by a reader that is not gfe, in tests/test_perfetto_reader.sh;
 * here the packets are only counted.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/perfetto/show_perfetto.h"
#include "tests/log_scenes.h"
#include "tests/suites.h"

/* ---- counting packets ------------------------------------------------------------------------ */

struct counts {
    uint32_t packets, events, tracks, processes, threads, of_second_process, begins, ends, instants,
        names, forgets;
    uint64_t first_ns, last_ns; /* of events */
    uint64_t second_process;    /* number of its track */
};

static uint64_t varint(const uint8_t **at)
{
    uint64_t value = 0;

    for (uint32_t shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

/* Value of a varint field, or where a message lies. */
struct field {
    uint64_t number, value;
    const uint8_t *inside, *end;
};

static bool field_next(const uint8_t **at, const uint8_t *end, struct field *field)
{
    if (*at == end)
        return false;
    const uint64_t tag = varint(at);
    *field = (struct field){.number = tag >> 3};
    if ((tag & 7) == 0) {
        field->value = varint(at);
    } else if ((tag & 7) == 1) {
        *at += 8;
    } else {
        ck_assert_uint_eq(tag & 7, 2);
        const uint64_t bytes = varint(at);
        ck_assert_uint_le(bytes, (size_t)(end - *at));
        field->inside = *at;
        field->end = *at += bytes;
    }
    ck_assert(*at <= end);
    return true;
}

static void event_count(const struct field *event, uint64_t time_ns, struct counts *counts)
{
    const uint8_t *at = event->inside;
    struct field field;

    while (field_next(&at, event->end, &field)) {
        if (field.number != 9)
            continue;
        counts->begins += field.value == 1;
        counts->ends += field.value == 2;
        counts->instants += field.value == 3;
    }
    if (counts->events++ == 0 || time_ns < counts->first_ns)
        counts->first_ns = time_ns;
    if (time_ns > counts->last_ns)
        counts->last_ns = time_ns;
}

static void track_count(const struct field *track, struct counts *counts)
{
    const uint8_t *at = track->inside;
    struct field field;

    bool is_process = false;
    uint64_t number = 0;

    counts->tracks++;
    while (field_next(&at, track->end, &field)) {
        if (field.number == 1)
            number = field.value;
        is_process |= field.number == 3;
        counts->threads += field.number == 4;
        counts->of_second_process += field.number == 5 && field.value == counts->second_process;
    }
    counts->processes += is_process;
    if (is_process && counts->processes == 2)
        counts->second_process = number;
}

static void packet_count(const struct field *packet, struct counts *counts)
{
    const uint8_t *at = packet->inside;
    uint64_t time_ns = 0;
    struct field field;

    counts->packets++;
    while (field_next(&at, packet->end, &field)) {
        if (field.number == 8)
            time_ns = field.value;
        else if (field.number == 11)
            event_count(&field, time_ns, counts);
        else if (field.number == 12)
            counts->names++;
        else if (field.number == 13)
            counts->forgets += field.value & 1;
        else if (field.number == 60)
            track_count(&field, counts);
    }
}

static struct counts count(const char *bytes, size_t size)
{
    const uint8_t *at = (const uint8_t *)bytes;
    struct counts counts = {0};
    struct field field;

    while (field_next(&at, (const uint8_t *)bytes + size, &field)) {
        ck_assert_uint_eq(field.number, 1);
        packet_count(&field, &counts);
    }
    return counts;
}

/* ---- converting ------------------------------------------------------------------------------ */

static bool convert(const struct log_fixture *fixture, gfe_ps from_ps, gfe_ps to_ps,
                    struct counts *counts, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(fixture->path, error);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);

    ck_assert_msg(log != NULL, "%s", error->text);
    const bool good = show_perfetto(file, log, from_ps, to_ps, error);
    ck_assert_int_eq(fclose(file), 0);
    *counts = count(bytes, size);
    event_log_close(log);
    free(bytes);
    return good;
}

static struct counts converted(struct log_fixture *fixture, gfe_ps from_ps, gfe_ps to_ps)
{
    struct gfe_error error = {0};
    struct counts counts;

    ck_assert_msg(convert(fixture, from_ps, to_ps, &counts, &error), "%s", error.text);
    ck_assert_uint_eq(counts.begins, counts.ends);
    return counts;
}

/* PROMISE (views): Every slice of a Perfetto trace has a begin and an end. */
START_TEST(every_slice_has_a_begin_and_an_end)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    /* 37 blocks; each of the four operations on its channel and its engine */
    ck_assert_uint_ge(counts.begins, 37 + 2 * 4);
    ck_assert_uint_gt(counts.instants, 4);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_window_holds_what_reaches_into_it)
{
    struct log_fixture fixture;
    struct counts all, first, none;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    all = converted(&fixture, 0, GFE_PS_NEVER);
    first = converted(&fixture, 0, UINT64_C(20000000000));
    ck_assert_uint_gt(first.begins, 0);
    ck_assert_uint_lt(first.begins, all.begins);
    ck_assert_uint_lt(first.last_ns, 20000000);
    const struct counts second = converted(&fixture, UINT64_C(20000000000), GFE_PS_NEVER);
    ck_assert_uint_ge(second.first_ns, 20000000);
    ck_assert_uint_eq(first.begins + second.begins, all.begins);
    ck_assert_uint_eq(first.instants + second.instants, all.instants);
    none = converted(&fixture, UINT64_C(20000000000), UINT64_C(20000000001));
    ck_assert_uint_eq(none.begins + none.instants, 0);
    ck_assert_uint_eq(none.tracks, 0);
    log_fixture_remove(&fixture);
}
END_TEST

/* 100 us long, of which the window is the inside. */
START_TEST(a_slice_around_the_window_is_kept_whole)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1000000, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 4, 0);
    LOG_ADD(&fixture, 101000000, EVENT_CPU_SUBMIT_RETURN, RULE_NONE, 1, 0, 0);
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 50000000, 50000001);
    ck_assert_uint_eq(counts.begins, 1);
    ck_assert_uint_eq(counts.first_ns, 1000);
    ck_assert_uint_eq(counts.last_ns, 101000);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(what_has_not_ended_ends_with_the_log)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1000, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 4, 0);
    LOG_ADD(&fixture, 2000, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 0, 0, 0, 0, 1);
    LOG_ADD(&fixture, 2000, EVENT_NV_TSG_START, RULE_NONE, 0, 0, 1000);
    LOG_ADD(&fixture, 3000, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, 0, 0);
    LOG_ADD(&fixture, 4000, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 8, 64, 0, 16, 0, 0);
    LOG_ADD(&fixture, 5000, EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, 5000, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&fixture, 6000, EVENT_COPY_QUEUE, RULE_NONE, 2, 0, 1, 64, 0, 0, 0);
    LOG_ADD(&fixture, 7000, EVENT_CPU_WAIT_BEGIN, RULE_NONE, 1, 1, 1, 0);
    LOG_ADD(&fixture, 9000, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    log_fixture_end(&fixture);
    /* call, TSG, load and its two children, entry, queued and grid twice, block, copy queued, wait
     */
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.begins, 12);
    ck_assert_uint_eq(counts.last_ns, 9);
    log_fixture_remove(&fixture);
}
END_TEST

/* A grid, a draw and a copy that a reset ends end there, and not with the log. */
START_TEST(dropped_work_ends_there)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1000, EVENT_GRID_QUEUE, RULE_T_Q, 1, 0, 1, 64, 0, 16, 0, 0);
    LOG_ADD(&fixture, 1000, EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, 1000, EVENT_WORK_START, RULE_NONE, 3, 0, 0, 0xc197, 0x1588, 1);
    LOG_ADD(&fixture, 1000, EVENT_COPY_QUEUE, RULE_NONE, 2, 0, 1, 64, 0, 0, 0);
    LOG_ADD(&fixture, 2000, EVENT_GRID_DROP, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, 2000, EVENT_WORK_DROP, RULE_NONE, 3, 0, 0);
    LOG_ADD(&fixture, 2000, EVENT_COPY_DROP, RULE_NONE, 2, 0, 1);
    LOG_ADD(&fixture, 9000, EVENT_NV_SEGMENT_END, RULE_NONE, 0, 0, 0, 0, 0); /* of no entry */
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    /* On channel and engine; the copy was queued. */
    ck_assert_uint_eq(counts.begins, 2 + 2 + 1);
    ck_assert_uint_eq(counts.last_ns, 2);
    log_fixture_remove(&fixture);
}
END_TEST

/* A grid on its channel, and in two pieces on its engine; its block in two pieces, and another
 * grid's in the same slot between them; the other grid has one of each. */
START_TEST(suspended_work_is_written_in_pieces)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1000, EVENT_GRID_QUEUE, RULE_T_Q, 1, 0, 1, 64, 0, 16, 0, 0);
    LOG_ADD(&fixture, 1000, EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, 1000, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&fixture, 2000, EVENT_GRID_SUSPEND, RULE_T_P1, 1, 0, 1);
    LOG_ADD(&fixture, 3000, EVENT_GRID_QUEUE, RULE_T_Q, 2, 1, 1, 64, 0, 16, 0, 0);
    LOG_ADD(&fixture, 3000, EVENT_GRID_START, RULE_NONE, 2, 1);
    LOG_ADD(&fixture, 3000, EVENT_BLOCK_START, RULE_NONE, 2, 0, 0, 0);
    LOG_ADD(&fixture, 4000, EVENT_BLOCK_END, RULE_NONE, 2, 0, 0, 0);
    LOG_ADD(&fixture, 4000, EVENT_GRID_END, RULE_NONE, 2, 1, 3000, 3000);
    LOG_ADD(&fixture, 5000, EVENT_GRID_RESUME, RULE_T_P1, 1, 0, 2000, 1);
    LOG_ADD(&fixture, 6000, EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&fixture, 6000, EVENT_GRID_END, RULE_NONE, 1, 0, 1000, 1000);
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.begins, 1 + 2 + 2 + 1 + 1 + 1);
    log_fixture_remove(&fixture);
}
END_TEST

/* A copy on its channel; in two pieces on its engine, and on each PCE that it had then. */
START_TEST(suspended_copies_are_written_in_pieces)
{
    const uint64_t channel_id = 2 << 16 | 1; /* from Ampere on with its runlist */
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1000, EVENT_COPY_QUEUE, RULE_NONE, 1, channel_id, 6, 4096, 0, 0, 0);
    LOG_ADD(&fixture, 1000, EVENT_COPY_START, RULE_T_C2, 1, channel_id, 6, 4096, 8192, 0, 3);
    LOG_ADD(&fixture, 2000, EVENT_COPY_SUSPEND, RULE_NONE, 1, channel_id, 6, 2048);
    LOG_ADD(&fixture, 3000, EVENT_COPY_RESUME, RULE_NONE, 1, channel_id, 6, 2048, 0, 4);
    LOG_ADD(&fixture, 4000, EVENT_COPY_END, RULE_NONE, 1, channel_id, 6, 4096, 0);
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.begins, 1 + 2 + 2 + 1);
    log_fixture_remove(&fixture);
}
END_TEST

/* "0 0 1" is the process of threads 0, 1 and 2. */
START_TEST(threads_belong_to_their_processes)
{
    struct log_fixture fixture;
    char *head = log_fixture_head(), *run = strstr(head, "\"gpu\""), *longer = NULL;

    ck_assert_ptr_nonnull(run);
    ck_assert_int_gt(
        asprintf(&longer, "%.*s\"processes\": \"0 0 1\", %s", (int)(run - head), head, run), 0);
    log_fixture_begin_with(&fixture, longer);
    for (uint64_t i = 0; i < 3; i++) {
        LOG_ADD(&fixture, 1000 * i, EVENT_NV_CHANNEL_BIND, RULE_NONE, i, 4096); /* whose is it? */
        LOG_ADD(&fixture, 1000 * i, EVENT_CPU_SUBMIT, RULE_NONE, i + 1, i, 1, 4, i);
        LOG_ADD(&fixture, 1000 * i, EVENT_NV_DOORBELL, RULE_NONE, i, 1);
    }
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.processes, 2);
    ck_assert_uint_eq(counts.threads, 3);
    /* A channel is a track, and its events another; so is the GPU, with those of nobody. */
    ck_assert_uint_eq(counts.tracks, 2 + 3 + 2 * 3 + 2);
    ck_assert_uint_eq(counts.of_second_process, 1 + 1);
    log_fixture_remove(&fixture);
    free(head);
    free(longer);
}
END_TEST

START_TEST(a_block_needs_a_grid)
{
    struct log_fixture fixture;
    struct gfe_error error = {0};
    struct counts counts;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 5000, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    log_fixture_end(&fixture);
    ck_assert(!convert(&fixture, 0, GFE_PS_NEVER, &counts, &error));
    ck_assert_ptr_nonnull(
        strstr(error.text, "event 0 (BLOCK_START): nothing was queued with number 1"));
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(numbers_that_no_machine_has_are_refused)
{
    static const struct {
        uint32_t kind, count;
        uint64_t values[8];
    } rows[] = {
        {EVENT_CPU_SUBMIT, 5, {1, 0, 0, 0, 16384}},
        {EVENT_CPU_SUBMIT, 5, {1, UINT64_MAX, 0, 0, 0}},
        {EVENT_NV_CHANNEL_LOAD, 5, {0, 1 << 20}},
        {EVENT_NV_TSG_START, 3, {16384, 0}},
        {EVENT_NV_GP_FETCH, 8, {UINT64_MAX, 0, 0}},
        {EVENT_NV_RELEASE, 6, {UINT64_MAX, 0, 0}},
        {EVENT_NV_DOORBELL, 2, {UINT64_MAX, 0}},
        {EVENT_BLOCK_START, 4, {7, 0, 16384, 0}},
        {EVENT_BLOCK_START, 4, {7, 0, 0, 4096}},
        {EVENT_WAIT, 5, {0, SUBJECT_CHANNEL, UINT64_MAX, 0, 0}},
        {EVENT_NV_CONTEXT_LOAD, 4, {UINT64_MAX, 0, 0, 1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct log_fixture fixture;
        struct gfe_error error = {0};
        struct counts counts;
        log_fixture_begin(&fixture);
        LOG_ADD(&fixture, 4000, EVENT_GRID_QUEUE, RULE_NONE, 7, 0, 8, 64, 0, 16, 0, 0);
        log_fixture_add(&fixture, 5000, rows[i].kind, RULE_NONE, rows[i].count, rows[i].values);
        log_fixture_end(&fixture);
        ck_assert_msg(!convert(&fixture, 0, GFE_PS_NEVER, &counts, &error), "row %zu", i);
        ck_assert_ptr_nonnull(strstr(error.text, ": event 1 ("));
        log_fixture_remove(&fixture);
    }
}
END_TEST

/* A runlist can name channels without a TSG; the log then has numbers from 65536 on. */
START_TEST(tsgs_may_have_any_number)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    for (uint64_t i = 0; i < 100; i++) {
        LOG_ADD(&fixture, 1000 * i, EVENT_NV_TSG_START, RULE_NONE, 0, i << 40 | i, 1000);
        LOG_ADD(&fixture, 1000 * i + 900, EVENT_NV_TSG_END, RULE_NONE, 0, i << 40 | i, 900);
    }
    LOG_ADD(&fixture, 1000000, EVENT_NV_TSG_START, RULE_NONE, 0, 0x10000, 1000);
    LOG_ADD(&fixture, 2000000, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.begins, 101);
    ck_assert_uint_eq(counts.tracks, 1 + 1 + 101 + 1); /* GPU, runlist, TSGs, events */
    log_fixture_remove(&fixture);
}
END_TEST

/* Of operations that come and go nothing is kept but where they might be asked for. */
START_TEST(names_are_forgotten_before_there_are_too_many)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    for (uint64_t i = 1; i <= 70000; i++) {
        LOG_ADD(&fixture, i * 1000, EVENT_WORK_START, RULE_NONE, i, 0, 0, 0xc197, 0x1614, 0);
        LOG_ADD(&fixture, i * 1000 + 500, EVENT_WORK_END, RULE_NONE, i, 0, 0);
    }
    log_fixture_end(&fixture);
    const struct counts counts = converted(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(counts.begins, 2 * 70000); /* on the channel, on the engine */
    ck_assert_uint_eq(counts.forgets, 2);
    ck_assert_uint_eq(counts.tracks, 6);
    log_fixture_remove(&fixture);
}
END_TEST

/* 600 draws at a time, which end in another order: each is found again. */
START_TEST(operations_are_found_in_any_order)
{
    enum { AT_A_TIME = 600 };
    struct log_fixture fixture;
    uint64_t now_ps = 0;

    log_fixture_begin(&fixture);
    for (uint64_t round = 0; round < 4; round++) {
        for (uint64_t i = 0; i < AT_A_TIME; i++)
            LOG_ADD(&fixture, now_ps += 1000, EVENT_WORK_START, RULE_NONE, round << 40 | i * 7919,
                    0, 0, 0xc197, 0x1614, 0);
        for (uint64_t i = 0; i < AT_A_TIME; i++)
            LOG_ADD(&fixture, now_ps += 1000, EVENT_WORK_END, RULE_NONE,
                    round << 40 | (i * 1009 % AT_A_TIME) * 7919, 0, 0);
    }
    log_fixture_end(&fixture);
    ck_assert_uint_eq(converted(&fixture, 0, GFE_PS_NEVER).begins, 2 * 4 * AT_A_TIME);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(too_much_at_a_time_is_refused_by_name)
{
    struct log_fixture fixture;
    struct gfe_error error = {0};
    struct counts counts;

    log_fixture_begin(&fixture);
    for (uint64_t i = 0; i <= SHOW_PERFETTO_LANES_MAX; i++)
        LOG_ADD(&fixture, 1000 + i, EVENT_WORK_START, RULE_NONE, i, 0, 0, 0xc197, 0x1614, 0);
    LOG_ADD(&fixture, 1000000, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    log_fixture_end(&fixture);
    ck_assert(!convert(&fixture, 0, GFE_PS_NEVER, &counts, &error));
    ck_assert_int_eq(error.kind, ERROR_LIMIT);
    ck_assert_ptr_nonnull(strstr(error.text, "more than 4096 at a time on track 'operations'"));
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_full_disk_ends_it)
{
    struct log_fixture fixture;
    struct gfe_error error = {0};
    FILE *file = fopen("/dev/full", "w");

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    struct event_log_reader *log = event_log_open(fixture.path, &error);
    ck_assert_ptr_nonnull(log);
    setbuf(file, NULL);
    ck_assert(!show_perfetto(file, log, 0, GFE_PS_NEVER, &error));
    ck_assert_int_eq(error.kind, ERROR_NONE);
    ck_assert(ferror(file));
    event_log_close(log);
    (void)fclose(file);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *show_perfetto_suite(void)
{
    Suite *suite = suite_create("show_perfetto");
    TCase *tcase = tcase_create("all");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_slice_has_a_begin_and_an_end);
    tcase_add_test(tcase, a_window_holds_what_reaches_into_it);
    tcase_add_test(tcase, a_slice_around_the_window_is_kept_whole);
    tcase_add_test(tcase, what_has_not_ended_ends_with_the_log);
    tcase_add_test(tcase, threads_belong_to_their_processes);
    tcase_add_test(tcase, dropped_work_ends_there);
    tcase_add_test(tcase, suspended_work_is_written_in_pieces);
    tcase_add_test(tcase, suspended_copies_are_written_in_pieces);
    tcase_add_test(tcase, a_block_needs_a_grid);
    tcase_add_test(tcase, numbers_that_no_machine_has_are_refused);
    tcase_add_test(tcase, tsgs_may_have_any_number);
    tcase_add_test(tcase, names_are_forgotten_before_there_are_too_many);
    tcase_add_test(tcase, operations_are_found_in_any_order);
    tcase_add_test(tcase, too_much_at_a_time_is_refused_by_name);
    tcase_add_test(tcase, a_full_disk_ends_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
