/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/log/event_log.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/views/show.h"
#include "emu/views/examiner/show_examiner_private.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/vcd/show_vcd.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "emu/analysis/summary/summary.h"
#include "tests/fuzz/fuzz_file.h"

enum { BYTES_MAX = 1 << 16 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool good)
{
    must(good == (error->kind == ERROR_NONE));
    must(good == (error->text[0] == 0));
    must(!strchr(error->text, '\n'));
}

static void file_fill(int fd, const uint8_t *data, size_t bytes)
{
    const bool is_head = bytes > 0 && data[0] == '{';

    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0)
        must(write(fd, data, bytes) == (ssize_t)bytes);
    else
        fuzz_log_write(fd, data, is_head ? bytes : 0, data, is_head ? 0 : bytes);
}

static void pictures_draw(FILE *sink, struct show *show)
{
    for (int i = 0; i < 2; i++) {
        must(show_text(sink, show,
                       &(struct show_text_options){.width = i ? 60 : 120, .to_scale = i}, NULL));
        must(show_svg(sink, show,
                      &(struct show_svg_options){.width = i ? 400 : 1000, .to_scale = i}, NULL));
        must(show_svg(sink, show,
                      &(struct show_svg_options){.width = i ? 400 : 1000,
                                                 .to_scale = i,
                                                 .view = SHOW_SVG_SMS,
                                                 .sm_count = i ? 2 : 0,
                                                 .threads_per_sm = i ? 2048 : 0},
                      NULL));
    }
    must(show_svg(sink, show, &(struct show_svg_options){.width = 500, .view = SHOW_SVG_THREADS},
                  NULL));
    show_fini(show);
}

static void show_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct show show;
    const bool good = log && show_load(&show, log, 0, GFE_PS_NEVER, &error);

    error_check(&error, good);
    if (good)
        pictures_draw(sink, &show);
    event_log_close(log);
}

static void summary_try(const char *path, FILE *sink, bool json)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    const bool good = log && summary_print(sink, log, &(struct summary_notes){0}, json, &error);

    error_check(&error, good);
    event_log_close(log);
}

/* The whole log, or the second half of a millisecond. */
static void perfetto_try(const char *path, FILE *sink, gfe_ps from_ps)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    const bool good =
        log && show_perfetto(sink, log, from_ps, from_ps ? 2 * from_ps : GFE_PS_NEVER, &error);

    error_check(&error, good);
    event_log_close(log);
}

static void vcd_try(const char *path, FILE *sink, gfe_ps from_ps)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    const bool good =
        log && show_vcd(sink, log, from_ps, from_ps ? 2 * from_ps : GFE_PS_NEVER, 0, &error);

    error_check(&error, good);
    event_log_close(log);
}

/* At a time, or behind an event. */
static void queues_try(const char *path, FILE *sink, gfe_ps at_ps, uint64_t event)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    json_t *json = log ? inspect_queues(log, at_ps, event, &error) : NULL;

    error_check(&error, json != NULL);
    if (json)
        inspect_print(sink, &inspect_queues_view, json);
    json_decref(json);
    event_log_close(log);
}

/* The result files of all tasks. */
static void examiner_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct examiner examiner;
    struct log_event event;

    if (log && examiner_init(&examiner, log, &error)) {
        while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
            must(examiner_take(&examiner, &event));
        for (uint32_t i = 0; i < examiner.streams.program.task_count; i++)
            must(examiner_print(sink, &examiner, i, 2));
        examiner_fini(&examiner);
    }
    event_log_close(log);
}

enum { LOG_PARTS = 11 };

/* One of the readers. */
static void part_try(const char *path, uint32_t part, FILE *sink)
{
    const gfe_ps half_ms = UINT64_C(500000000);

    switch (part) {
    case 0:
        show_try(path, sink);
        break;
    case 1:
    case 2:
        summary_try(path, sink, part == 2);
        break;
    case 3:
    case 4:
        perfetto_try(path, sink, part == 4 ? half_ms : 0);
        break;
    case 5:
    case 6:
        vcd_try(path, sink, part == 6 ? half_ms : 0);
        break;
    case 7:
        queues_try(path, sink, GFE_PS_NEVER, UINT64_MAX);
        break;
    case 8:
        queues_try(path, sink, half_ms, UINT64_MAX);
        break;
    case 9:
        queues_try(path, sink, GFE_PS_NEVER, 3);
        break;
    default:
        examiner_try(path, sink);
    }
}

/* Readers first to last, on one log. */
static void parts_try(const uint8_t *data, size_t bytes, uint32_t first, uint32_t last)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    FILE *sink = fopen("/dev/null", "we");
    char path[40];

    must(fd >= 0 && sink);
    file_fill(fd, data, bytes < BYTES_MAX ? bytes : BYTES_MAX);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (uint32_t part = first; part <= last; part++)
        part_try(path, part, sink);
    fclose(sink);
    close(fd);
}

int fuzz_log(const uint8_t *data, size_t bytes)
{
    parts_try(data, bytes, 0, LOG_PARTS - 1);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint32_t part = 0;

    /* One reader for each input, which its bytes choose: a mutant comes to another. */
    for (size_t i = 0; i < bytes; i++)
        part = part * 31 + data[i];
    part %= LOG_PARTS;
    parts_try(data, bytes, part, part);
    return 0;
}
#endif
