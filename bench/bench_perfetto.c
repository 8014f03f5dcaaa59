/* SPDX-License-Identifier: MIT */
/*
 * gfe show --as perfetto: slices per second.  Three logs: blocks on SMs (the most slices that a log
 * can have for its size), once from events in memory, which is the converter alone, once from the
 * file, with unpacking and decoding; and a replay of GP entries, from its file.  The trace goes to
 * /dev/null.  Beside each the bytes of the trace, copied.
 */
#include <config.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_blocks.h"
#include "bench/bench_trace.h"
#include "emu/log/event_log_ahead.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/perfetto/show_perfetto_private.h"

enum {
    SMS = 28,
    SLOTS = 16,
    WAVES = 400, /* each fills all slots once */
    BLOCKS = SMS * SLOTS * WAVES,
    GRID_WAVES = 20,
    SUBMISSIONS = 200,
    PUSHES = 250,
    PATH_BYTES = 4096,
};

extern char **environ;

static char folder[PATH_BYTES];
static char blocks_path[PATH_BYTES + 16], trace_path[PATH_BYTES + 16],
    entries_path[PATH_BYTES + 16];

static _Noreturn void fail(const char *what, const struct gfe_error *error)
{
    fprintf(stderr, "bench_perfetto: %s: %s\n", what, error ? error->text : "failed");
    exit(1);
}

/* ---- logs ------------------------------------------------------------------------------------ */

static void blocks_write(void)
{
    const struct bench_blocks blocks = {
        .sms = SMS, .slots = SLOTS, .waves = WAVES, .grid_waves = GRID_WAVES};
    struct gfe_error error = {0};

    if (!bench_blocks_write(blocks_path, &blocks, &error))
        fail(blocks_path, &error);
}

static void entries_write(void)
{
    char *words[] = {"./gfe", "run", "-o", entries_path, trace_path, NULL};
    struct gfe_error error = {0};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;

    if (!bench_trace_write(trace_path, &(struct bench_trace){SUBMISSIONS, PUSHES}, &error))
        fail(trace_path, &error);
    if (posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) != 0 ||
        posix_spawn(&pid, words[0], &actions, NULL, words, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        fail("./gfe run", NULL);
    (void)posix_spawn_file_actions_destroy(&actions);
}

/* ---- what is timed --------------------------------------------------------------------------- */

struct subject {
    const char *path;
    struct event_log_reader *log;
    struct log_event *events; /* NULL: read from the file */
    uint64_t event_count, byte_count, slice_count;
    FILE *null;
    char *from, *to; /* of the copy */
};

static void subject_open(struct subject *subject)
{
    struct gfe_error error = {0};

    subject->log = event_log_open(subject->path, &error);
    if (!subject->log)
        fail(subject->path, &error);
}

static void reopen(void *context)
{
    struct subject *subject = context;

    if (subject->events)
        return;
    event_log_close(subject->log);
    subject_open(subject);
}

static uint64_t convert(void *context)
{
    struct subject *subject = context;
    struct gfe_error error = {0};
    const struct log_event *events;
    uint32_t count;
    struct event_log_ahead *ahead =
        subject->events ? NULL : event_log_ahead_new(subject->log, &error);
    struct show_perfetto *show =
        show_perfetto_new(subject->null, subject->log, 0, GFE_PS_NEVER, &error);
    bool good = show && (ahead || subject->events);

    for (uint64_t i = 0; good && subject->events && i < subject->event_count; i++)
        good = show_perfetto_take(show, &subject->events[i]);
    while (good && ahead && event_log_ahead_read(ahead, &events, &count, &error) == EVENT_LOG_GOT)
        for (uint32_t i = 0; good && i < count; i++)
            good = show_perfetto_take(show, &events[i]);
    event_log_ahead_free(ahead);
    if (!good || error.kind != ERROR_NONE || !show_perfetto_finish(show))
        fail(subject->path, &error);
    subject->slice_count = show->slice_count;
    subject->byte_count =
        show->out.out.flushed_bytes + (uint64_t)(show->out.out.at - show->out.out.bytes);
    show_perfetto_free(show);
    return subject->slice_count;
}

static uint64_t copy(void *context)
{
    struct subject *subject = context;

    memcpy(subject->to, subject->from, subject->byte_count);
    __asm__ volatile("" : : "r"(subject->to) : "memory");
    return subject->slice_count;
}

/* All events, decoded. */
static void events_load(struct subject *subject)
{
    struct gfe_error error = {0};
    uint64_t capacity = 2 * BLOCKS + 4 * WAVES;

    subject_open(subject);
    subject->events = malloc(capacity * sizeof *subject->events);
    if (!subject->events)
        fail("memory", NULL);
    while (subject->event_count < capacity &&
           event_log_read(subject->log, &subject->events[subject->event_count], &error) ==
               EVENT_LOG_GOT)
        subject->event_count++;
}

static void measure(struct bench *bench, const char *name, struct subject *subject, double target)
{
    (void)convert(subject); /* to know how many bytes it makes */
    subject->from = calloc(1, subject->byte_count);
    subject->to = calloc(1, subject->byte_count);
    if (!subject->from || !subject->to)
        fail("memory", NULL);
    memset(subject->from, 'p', subject->byte_count);
    bench_run(bench, &(struct bench_case){
                         .name = name,
                         .unit = "slices/s",
                         .target = target,
                         .subject = {"show_perfetto", reopen, convert, subject, 0},
                         .controls = {{"memcpy of its bytes", NULL, copy, subject, 0}},
                     });
    bench_note(bench, "%s: %llu slices, %llu bytes", name, (unsigned long long)subject->slice_count,
               (unsigned long long)subject->byte_count);
    free(subject->from);
    free(subject->to);
    event_log_close(subject->log);
    free(subject->events);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    FILE *null = fopen("/dev/null", "w");
    struct subject in_memory = {.path = blocks_path, .null = null};
    struct subject in_file = {.path = blocks_path, .null = null};
    struct subject entries = {.path = entries_path, .null = null};
    struct bench *bench = bench_begin("bench_perfetto");

    (void)snprintf(folder, sizeof folder, "%s/gfe-bench-XXXXXX", parent ? parent : "/tmp");
    if (!null || !mkdtemp(folder))
        fail("a folder", NULL);
    (void)snprintf(blocks_path, sizeof blocks_path, "%s/blocks.gfl", folder);
    (void)snprintf(trace_path, sizeof trace_path, "%s/entries.gft", folder);
    (void)snprintf(entries_path, sizeof entries_path, "%s/entries.gfl", folder);
    blocks_write();
    entries_write();
    events_load(&in_memory);
    measure(bench, "perfetto_blocks_in_memory", &in_memory, 10e6);
    subject_open(&in_file);
    measure(bench, "perfetto_blocks", &in_file, 10e6);
    subject_open(&entries);
    measure(bench, "perfetto_entries", &entries, 10e6);
    (void)unlink(blocks_path);
    (void)unlink(trace_path);
    (void)unlink(entries_path);
    (void)rmdir(folder);
    (void)fclose(null);
    return bench_end(bench);
}
