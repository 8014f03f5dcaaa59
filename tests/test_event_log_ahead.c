/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/log/event_log_ahead.h"
#include "emu/engine/random.h"
#include "emu/log/event_log_reader.h"
#include "tests/event_log_append.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

/* Enough for the thread to start, and for each of its batches to be used again. */
enum { EVENTS = 2 * EVENT_LOG_AHEAD_FROM_EVENTS + 40 * EVENT_LOG_AHEAD_BATCH + 17 };

static void log_make(struct log_fixture *fixture, uint32_t count)
{
    struct random_state random;
    struct log_event event = {.kind = EVENT_BLOCK_START, .argument_count = 4};

    log_fixture_begin(fixture);
    random_seed(&random, 3, 3);
    for (uint32_t i = 0; i < count; i++) {
        event.time_ps += random_below(&random, 1 << 20);
        event.kind = i % 3 ? EVENT_BLOCK_START : EVENT_BLOCK_END;
        event.unit = (uint16_t)random_below(&random, UNIT_COUNT);
        event.rule = i % 5 ? RULE_NONE : RULE_T_R2;
        for (uint32_t a = 0; a < event.argument_count; a++)
            event.argument[a] = (uint64_t)random_next(&random) << random_below(&random, 32);
        event_log_append(&fixture->log, &event);
    }
    log_fixture_end(fixture);
}

static struct event_log_reader *opened(const char *path)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);

    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

/* Threads of this process. */
static uint32_t thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    uint32_t count = 0;

    ck_assert_ptr_nonnull(tasks);
    for (const struct dirent *task; (task = readdir(tasks)) != NULL;)
        count += task->d_name[0] != '.';
    (void)closedir(tasks);
    return count;
}

static off_t file_bytes(const char *path)
{
    struct stat status;

    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

static bool is_same(const struct log_event *event, const struct log_event *expected)
{
    return event->time_ps == expected->time_ps && event->kind == expected->kind &&
           event->unit == expected->unit && event->rule == expected->rule &&
           event->origin == expected->origin && event->argument_count == expected->argument_count &&
           memcmp(event->argument, expected->argument, sizeof expected->argument) == 0;
}

/* Reads some events of both; they are the same.  How many; none at the end of both. */
static uint32_t both_read(struct event_log_reader *plain, struct event_log_ahead *ahead,
                          struct gfe_error *plain_error, struct gfe_error *error)
{
    struct log_event expected = {0};
    const struct log_event *events = NULL;
    uint32_t count = 0;
    const enum event_log_result result = event_log_ahead_read(ahead, &events, &count, error);

    if (result != EVENT_LOG_GOT) {
        ck_assert_int_eq(event_log_read(plain, &expected, plain_error), result);
        return 0;
    }
    ck_assert_uint_ge(count, 1);
    for (uint32_t i = 0; i < count; i++)
        if (event_log_read(plain, &expected, plain_error) != EVENT_LOG_GOT ||
            !is_same(&events[i], &expected))
            ck_abort_msg("event %u of %u of a batch is another", i, count);
    return count;
}

/* Both read that file to its end; what failed is the same.  How many events there were. */
static uint32_t compare(const char *path, struct gfe_error *error)
{
    struct event_log_reader *plain = opened(path), *log = opened(path);
    struct event_log_ahead *ahead = event_log_ahead_new(log, error);
    const struct log_event *events;
    struct gfe_error plain_error = {0};
    uint32_t count = 0, got;

    ck_assert_ptr_nonnull(ahead);
    while ((got = both_read(plain, ahead, &plain_error, error)) > 0)
        count += got;
    ck_assert_int_eq(error->kind, plain_error.kind);
    ck_assert_str_eq(error->text, plain_error.text);
    /* And so it stays. */
    ck_assert_int_eq(event_log_ahead_read(ahead, &events, &got, NULL),
                     error->kind == ERROR_NONE ? EVENT_LOG_AT_END : EVENT_LOG_FAILED);
    event_log_ahead_free(ahead);
    if (error->kind == ERROR_NONE)
        ck_assert_str_eq(log->end_json, plain->end_json);
    event_log_close(plain);
    event_log_close(log);
    return count;
}

START_TEST(events_come_as_they_stand_in_the_log)
{
    static const uint32_t counts[] = {0,
                                      1,
                                      EVENT_LOG_AHEAD_BATCH - 1,
                                      EVENT_LOG_AHEAD_BATCH,
                                      EVENT_LOG_AHEAD_BATCH + 1,
                                      EVENT_LOG_AHEAD_FROM_EVENTS,
                                      EVENT_LOG_AHEAD_FROM_EVENTS + 1,
                                      EVENTS};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct log_fixture fixture;
        struct gfe_error error = {0};

        log_make(&fixture, counts[i]);
        ck_assert_uint_eq(compare(fixture.path, &error), counts[i]);
        ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
        log_fixture_remove(&fixture);
    }
}
END_TEST

/* The events before the damage come first. */
START_TEST(damage_is_told_where_it_lies)
{
    struct log_fixture fixture;
    struct gfe_error error = {0};

    log_make(&fixture, EVENTS);
    ck_assert_int_eq(truncate(fixture.path, file_bytes(fixture.path) * 9 / 10), 0);
    ck_assert_uint_gt(compare(fixture.path, &error), EVENT_LOG_AHEAD_FROM_EVENTS);
    ck_assert_msg(strstr(error.text, "cut off in the chunk at offset") != NULL, "%s", error.text);
    log_fixture_remove(&fixture);
}
END_TEST

/* How many threads there are once so many events were read. */
static uint32_t threads_while_reading(struct event_log_reader *log, uint32_t last)
{
    struct gfe_error error = {0};
    const struct log_event *events;
    struct event_log_ahead *ahead = event_log_ahead_new(log, &error);
    uint32_t got;

    ck_assert_ptr_nonnull(ahead);
    for (uint32_t i = 0; i < last; i += got)
        ck_assert_int_eq(event_log_ahead_read(ahead, &events, &got, &error), EVENT_LOG_GOT);
    const uint32_t count = thread_count();
    event_log_ahead_free(ahead); /* in the middle */
    event_log_close(log);
    return count;
}

/* Beside the one that unpacks. */
START_TEST(a_thread_decodes_a_long_log_and_can_be_left)
{
    struct log_fixture fixture;
    struct log_event event;
    struct gfe_error error = {0};

    log_make(&fixture, EVENTS);
    struct event_log_reader *plain = opened(fixture.path);
    for (uint32_t i = 0; i < EVENT_LOG_AHEAD_FROM_EVENTS + 1000; i++)
        ck_assert_int_eq(event_log_read(plain, &event, &error), EVENT_LOG_GOT);
    const uint32_t without = thread_count();
    event_log_close(plain);
    ck_assert_uint_eq(threads_while_reading(opened(fixture.path), 1000), 1);
    ck_assert_uint_eq(
        threads_while_reading(opened(fixture.path), EVENT_LOG_AHEAD_FROM_EVENTS + 1000),
        without + 1);
    ck_assert_uint_eq(thread_count(), 1);
    log_fixture_remove(&fixture);
}
END_TEST

/* Writes the file into a pipe that then stays open: no end comes. */
static pid_t pipe_fill(const char *path, int to, int other_end)
{
    const off_t bytes = file_bytes(path);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *file = malloc((size_t)bytes);

    ck_assert_int_eq(pread(fd, file, (size_t)bytes, 0), bytes);
    (void)close(fd);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(other_end);
        for (off_t at = 0; at < bytes;) {
            const ssize_t done = write(to, file + at, (size_t)(bytes - at));
            if (done <= 0)
                _exit(0);
            at += done;
        }
        (void)pause();
        _exit(0);
    }
    free(file);
    return pid;
}

/* Whoever has seen enough of it must not wait for what may never be written. */
START_TEST(a_pipe_is_read_without_a_thread)
{
    struct log_fixture fixture;
    int ends[2];

    log_make(&fixture, EVENTS);
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = pipe_fill(fixture.path, ends[1], ends[0]);
    (void)close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    ck_assert_uint_eq(threads_while_reading(opened("-"), EVENT_LOG_AHEAD_FROM_EVENTS + 1000), 1);
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *event_log_ahead_suite(void)
{
    Suite *suite = suite_create("event_log_ahead");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, events_come_as_they_stand_in_the_log);
    tcase_add_test(tcase, damage_is_told_where_it_lies);
    tcase_add_test(tcase, a_thread_decodes_a_long_log_and_can_be_left);
    tcase_add_test(tcase, a_pipe_is_read_without_a_thread);
    suite_add_tcase(suite, tcase);
    return suite;
}
