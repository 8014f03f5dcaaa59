/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/engine/arena.h"
#include "emu/log/event_log_batch.h"
#include "emu/engine/random.h"
#include "tests/event_log_append.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

/* Enough for the writer's thread to start, and for several chunks after that. */
enum { EVENTS = 400000 };

struct log_run {
    struct arena arena;
    struct chunk_writer *writer;
    struct event_log log;
};

static void begin(struct log_run *run, int fd, bool thread)
{
    char *head = log_fixture_head();

    ck_assert(arena_init(&run->arena, NULL));
    run->writer = chunk_writer_new(fd, "log", NULL);
    ck_assert_ptr_nonnull(run->writer);
    if (thread)
        chunk_writer_use_thread(run->writer);
    event_log_init(&run->log, arena_alloc(&run->arena, sizeof *run->log.cursor), run->writer);
    ck_assert(event_log_head(&run->log, head, NULL));
    free(head);
}

static void end(struct log_run *run)
{
    event_log_fini(&run->log);
    chunk_writer_free(run->writer);
    arena_fini(&run->arena);
}

/* Events of few kinds, with arguments of every size. */
static void put_events(struct log_run *run, uint32_t count)
{
    struct random_state random;
    struct log_event event = {0};

    random_seed(&random, 7, 7);
    for (uint32_t i = 0; i < count; i++) {
        event.time_ps += random_below(&random, 1 << 20);
        event.kind = (uint16_t)(1 + random_below(&random, 6));
        event.unit = (uint16_t)random_below(&random, 3);
        event.origin = (uint8_t)random_below(&random, 3);
        event.argument_count = (uint8_t)random_below(&random, EVENT_ARGUMENTS_MAX + 1);
        for (uint32_t a = 0; a < event.argument_count; a++)
            event.argument[a] = ((uint64_t)random_next(&random) << 32 | random_next(&random)) >>
                                random_below(&random, 64);
        event_log_append(&run->log, &event);
    }
}

static uint8_t *whole_log(bool thread, size_t *bytes, bool *used_thread)
{
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct gfe_error error = {0};
    struct log_run run;
    uint8_t *file;

    ck_assert_int_ge(fd, 0);
    begin(&run, fd, thread);
    put_events(&run, EVENTS);
    *used_thread = run.log.batch != NULL;
    ck_assert_uint_eq(run.log.cursor->event_count, EVENTS);
    ck_assert_msg(event_log_finish(&run.log, "{}", &error), "%s", error.text);
    ck_assert_msg(chunk_writer_finish(run.writer, &error), "%s", error.text);
    end(&run);
    *bytes = (size_t)lseek(fd, 0, SEEK_END);
    file = malloc(*bytes);
    ck_assert_int_eq(pread(fd, file, *bytes, 0), (ssize_t)*bytes);
    (void)close(fd);
    return file;
}

/* PROMISE (log): A log encoded by a second thread is the same file. */
START_TEST(a_thread_that_encodes_writes_the_same_file)
{
    bool used_thread;
    size_t bytes, threaded_bytes;
    uint8_t *file = whole_log(false, &bytes, &used_thread), *threaded;

    ck_assert(!used_thread);
    threaded = whole_log(true, &threaded_bytes, &used_thread);
    ck_assert(used_thread);
    ck_assert_uint_eq(threaded_bytes, bytes);
    ck_assert_mem_eq(threaded, file, bytes);
    free(threaded);
    free(file);
}
END_TEST

/* Both ways to note an event leave the same words, for any count of arguments. */
START_TEST(an_event_noted_in_line_is_the_same)
{
    static const uint64_t arguments[EVENT_ARGUMENTS_MAX] = {11, 12, 13, 14, 15, 16, 17, 18};
    const struct event_log_source event = {.time_ps = 1000,
                                           .kind = 2,
                                           .unit = 3,
                                           .rule = 4,
                                           .origin = 1,
                                           .argument_count = (uint8_t)_i};
    uint64_t copied[EVENT_LOG_BATCH_EVENT_WORDS + 1] = {0};
    uint64_t stored[EVENT_LOG_BATCH_EVENT_WORDS + 1] = {0};
    struct event_log_notes by_copy = {.next = copied}, by_store = {.next = stored};

    event_log_note(&by_copy, event, arguments);
    event_log_note_here(&by_store, event, arguments, (uint32_t)_i);
    ck_assert_int_eq(by_copy.next - copied, 2 + _i);
    ck_assert_int_eq(by_store.next - stored, by_copy.next - copied);
    ck_assert_mem_eq(stored, copied, (2 + (size_t)_i) * sizeof *stored);
}
END_TEST

START_TEST(a_full_disk_is_reported_and_events_are_still_counted)
{
    const int full = open("/dev/full", O_WRONLY), fd = memfd_create("log", MFD_CLOEXEC);
    struct gfe_error error = {0};
    struct log_run run;

    begin(&run, fd, true);
    put_events(&run, EVENTS / 2);
    ck_assert_ptr_nonnull(run.log.batch);
    ck_assert_int_eq(dup2(full, fd), fd);
    for (unsigned i = 0; i < 20 && run.log.error.kind == ERROR_NONE; i++)
        event_log_append(&run.log, &(struct log_event){.time_ps = UINT64_MAX, .kind = 1});
    ck_assert_uint_eq(run.log.cursor->event_count, EVENTS / 2 + 20);
    ck_assert(!event_log_finish(&run.log, "{}", &error) ||
              !chunk_writer_finish(run.writer, &error));
    ck_assert_str_eq(error.text, "log: cannot write: No space left on device");
    end(&run);
    (void)close(full);
    (void)close(fd);
}
END_TEST

/* As when a run fails: the log goes while its thread has work, and the writer after it. */
START_TEST(a_log_can_be_dropped_in_the_middle)
{
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct log_run run;

    begin(&run, fd, true);
    put_events(&run, EVENTS);
    ck_assert_ptr_nonnull(run.log.batch);
    end(&run);
    (void)close(fd);
}
END_TEST

Suite *event_log_batch_suite(void)
{
    Suite *suite = suite_create("event_log_batch");
    TCase *tcase = tcase_create("event_log_batch");

    tcase_add_test(tcase, a_thread_that_encodes_writes_the_same_file);
    tcase_add_loop_test(tcase, an_event_noted_in_line_is_the_same, 0, EVENT_ARGUMENTS_MAX + 1);
    tcase_add_test(tcase, a_full_disk_is_reported_and_events_are_still_counted);
    tcase_add_test(tcase, a_log_can_be_dropped_in_the_middle);
    suite_add_tcase(suite, tcase);
    return suite;
}
