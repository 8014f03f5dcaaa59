/* SPDX-License-Identifier: MIT */
/* Logs of scenarios with events that are missing or have odd arguments: every reader of streams and
 * programs comes to an end with a result or a message of one line. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/arena.h"
#include "emu/analysis/explain/explain.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/engine/random.h"
#include "emu/views/show.h"
#include "emu/views/show_csv.h"
#include "emu/views/examiner/show_examiner_private.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/vcd/show_vcd.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "emu/analysis/summary/summary.h"
#include "tests/event_log_append.h"
#include "tests/scenario_log.h"
#include "tests/check_long.h"
#include "tests/suites.h"

enum { DAMAGES = 60 };

static struct random_state chance;

static bool is_cuda(const struct event_log_reader *log, const struct log_event *event)
{
    return strncmp(event_log_kind(log, event->kind)->name, "CUDA_", 5) == 0;
}

/* A copy of the log in which one event in 64 is left out or has an odd argument: of those of
 * streams one in 16. */
static struct memory_file damaged(const char *path)
{
    static const uint64_t odd[] = {0, 1, 2, 5, 4096, 1 << 20, UINT32_MAX, UINT64_MAX};
    struct memory_file file = memory_file_new("", 0);
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", NULL);
    struct event_log_reader *source = event_log_open(path, NULL);
    struct log_event event;
    struct event_log log;
    struct arena arena;

    ck_assert(source && writer && arena_init(&arena, NULL));
    event_log_init(&log, arena_alloc(&arena, sizeof *log.cursor), writer);
    ck_assert(event_log_head(&log, event_log_head_json(source), NULL));
    while (event_log_read(source, &event, NULL) == EVENT_LOG_GOT) {
        const uint32_t what = random_below(&chance, is_cuda(source, &event) ? 16 : 64);

        if (what == 0)
            continue;
        if (what == 1 && event.argument_count > 0)
            event.argument[random_below(&chance, event.argument_count)] =
                odd[random_below(&chance, sizeof odd / sizeof odd[0])];
        event_log_append(&log, &event);
    }
    ck_assert(event_log_finish(&log, "{}", NULL) && chunk_writer_finish(writer, NULL));
    event_log_close(source);
    event_log_fini(&log);
    arena_fini(&arena);
    chunk_writer_free(writer);
    return file;
}

/* A failure has one line of words, a success none. */
static void end_check(bool good, struct gfe_error *error)
{
    ck_assert_int_eq(good, error->kind == ERROR_NONE);
    ck_assert_int_eq(good, error->text[0] == 0);
    ck_assert_ptr_null(strchr(error->text, '\n'));
    *error = (struct gfe_error){0};
}

static void queues_try(const char *path, FILE *sink, gfe_ps at_ps)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    json_t *json = log ? inspect_queues(log, at_ps, UINT64_MAX, &error) : NULL;

    end_check(json != NULL, &error);
    if (json)
        inspect_print(sink, &inspect_queues_view, json);
    json_decref(json);
    event_log_close(log);
}

static void examiner_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct examiner examiner;
    struct log_event event;

    ck_assert(log && examiner_init(&examiner, log, &error));
    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
        ck_assert(examiner_take(&examiner, &event));
    for (uint32_t i = 0; i < examiner.streams.program.task_count; i++)
        ck_assert(examiner_print(sink, &examiner, i, 2));
    examiner_fini(&examiner);
    event_log_close(log);
}

static void show_try(const char *path, FILE *sink)
{
    const struct show_text_options text = {.width = 100};
    const struct show_svg_options svg = {.width = 1000};
    const struct show_svg_options sms = {
        .width = 1000, .view = SHOW_SVG_SMS, .sm_count = 2, .threads_per_sm = 2048};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct show show;
    const bool good = log && show_load(&show, log, 0, GFE_PS_NEVER, &error);

    end_check(good, &error);
    if (good) {
        ck_assert(show_text(sink, &show, &text, NULL) && show_svg(sink, &show, &svg, NULL) &&
                  show_svg(sink, &show, &sms, NULL));
        (void)show_csv(sink, &show, &error);
        show_fini(&show);
    }
    event_log_close(log);
}

static void summary_try(const char *path, FILE *sink, bool json)
{
    const struct summary_notes notes = {.name = "run"};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);

    end_check(log && summary_print(sink, log, &notes, json, &error), &error);
    event_log_close(log);
}

static void perfetto_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);

    end_check(log && show_perfetto(sink, log, 0, GFE_PS_NEVER, &error), &error);
    event_log_close(log);
}

static void vcd_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);

    end_check(log && show_vcd(sink, log, 0, GFE_PS_NEVER, 0, &error), &error);
    event_log_close(log);
}

static void explain_try(const char *path)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    char words[EXPLAIN_WORDS_BYTES];
    struct explain explain;
    const bool good = log && explain_load(&explain, log, &error);

    end_check(good, &error);
    for (uint32_t i = 0; good && i < explain.operation_count; i++) {
        const struct explain_ref ref = {(enum explain_kind)explain.operations[i].kind, i};

        ck_assert_uint_gt(strlen(explain_describe(&explain, ref, words)), 0);
    }
    if (good)
        explain_fini(&explain);
    event_log_close(log);
}

/* PROMISE (views): Every reader of streams and programs ends with a result or one line, on 180
 * damaged logs. */
START_TEST(all_readers_take_damaged_logs)
{
    static const char *const names[] = {"amert2017-table1", "amert2017-table2", "amert2017-table5"};
    struct memory_file whole = scenario_log_run("tx2", names[_i], NULL);
    FILE *sink = fopen("/dev/null", "we");

    ck_assert_ptr_nonnull(sink);
    random_seed(&chance, (uint64_t)_i, 1);
    for (uint32_t i = 0; i < check_long_or(DAMAGES, DAMAGES, DAMAGES / 2); i++) {
        struct memory_file file = damaged(whole.path);

        queues_try(file.path, sink, GFE_PS_NEVER);
        queues_try(file.path, sink, random_next(&chance) * GFE_PS_PER_NS);
        examiner_try(file.path, sink);
        show_try(file.path, sink);
        summary_try(file.path, sink, i % 2);
        perfetto_try(file.path, sink);
        vcd_try(file.path, sink);
        explain_try(file.path);
        memory_file_free(&file);
    }
    ck_assert_int_eq(fclose(sink), 0);
    memory_file_free(&whole);
}
END_TEST

Suite *scenario_damage_suite(void)
{
    Suite *suite = suite_create("scenario_damage");
    TCase *logs = tcase_create("logs");

    tcase_add_loop_test(logs, all_readers_take_damaged_logs, 0, 3);
    suite_add_tcase(suite, logs);
    return suite;
}
