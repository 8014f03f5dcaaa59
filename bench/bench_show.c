/* SPDX-License-Identifier: MIT */
/*
 * gfe show --as html: a log of a million blocks as a page, from its file to a page in /dev/null:
 * the log is read twice, for tracks and for stories.  The target is the million in five seconds.
 * Beside it the events of the log, decoded once, and the drawing's tracks alone.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_blocks.h"
#include "emu/log/event_log.h"
#include "emu/views/html/show_html.h"

enum { PATH_BYTES = 4096 };

static const struct bench_blocks shape = {.sms = 28, .slots = 16, .waves = 2240, .grid_waves = 20};

struct subject {
    char path[PATH_BYTES + 16];
    FILE *null;
    uint64_t block_count;
};

static _Noreturn void fail(const char *what, const struct gfe_error *error)
{
    fprintf(stderr, "bench_show: %s: %s\n", what, error ? error->text : "failed");
    exit(1);
}

static struct event_log_reader *log_of(const struct subject *subject)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(subject->path, &error);

    if (!log)
        fail(subject->path, &error);
    return log;
}

static uint64_t page_make(void *context)
{
    struct subject *subject = context;
    struct event_log_reader *log = log_of(subject), *again = log_of(subject);
    const struct show_html_options options = {.again = again, .threads_per_sm = 2048};
    struct gfe_error error = {0};
    struct show show;

    if (!show_load_all(&show, log, 0, GFE_PS_NEVER, &error) ||
        !show_html(subject->null, &show, &options, &error))
        fail(subject->path, &error);
    show_fini(&show);
    event_log_close(again);
    event_log_close(log);
    return subject->block_count;
}

static uint64_t tracks_make(void *context)
{
    struct subject *subject = context;
    struct event_log_reader *log = log_of(subject);
    struct gfe_error error = {0};
    struct show show;

    if (!show_load_all(&show, log, 0, GFE_PS_NEVER, &error))
        fail(subject->path, &error);
    show_fini(&show);
    event_log_close(log);
    return subject->block_count;
}

static uint64_t events_read(void *context)
{
    struct subject *subject = context;
    struct event_log_reader *log = log_of(subject);
    struct gfe_error error = {0};
    struct log_event event;

    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
        continue;
    event_log_close(log);
    return subject->block_count;
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[PATH_BYTES];
    struct subject subject = {.null = fopen("/dev/null", "w"),
                              .block_count = (uint64_t)shape.sms * shape.slots * shape.waves};
    struct bench *bench = bench_begin("bench_show");
    struct gfe_error error = {0};

    (void)snprintf(folder, sizeof folder, "%s/gfe-bench-XXXXXX", parent ? parent : "/tmp");
    if (!subject.null || !mkdtemp(folder))
        fail("a folder", NULL);
    (void)snprintf(subject.path, sizeof subject.path, "%s/blocks.gfl", folder);
    if (!bench_blocks_write(subject.path, &shape, &error))
        fail(subject.path, &error);
    bench_run(bench, &(struct bench_case){
                         .name = "html_blocks",
                         .unit = "blocks/s",
                         .target = 200e3,
                         .subject = {"show_html", NULL, page_make, &subject, 0},
                         .controls = {{"events of the log", NULL, events_read, &subject, 0},
                                      {"tracks", NULL, tracks_make, &subject, 0}},
                     });
    (void)unlink(subject.path);
    (void)rmdir(folder);
    (void)fclose(subject.null);
    return bench_end(bench);
}
