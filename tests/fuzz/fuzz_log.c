/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_head.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/views/show.h"
#include "emu/views/examiner/show_examiner_private.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/vcd/show_vcd.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "emu/analysis/summary/summary.h"
#include "firmware-models/cuda/cuda_tables.h"

enum { BYTES_MAX = 1 << 16 };

static const struct event_kind_row emu_rows[] = {EMU_EVENTS(EVENT_ROW)};
static const struct event_kind_row core_rows[] = {CORE_EVENTS(EVENT_ROW)};
static const struct event_kind_row nv_rows[] = {NV_EVENTS(EVENT_ROW)};
static const struct event_kind_row cuda_rows[] = {CUDA_EVENTS(EVENT_ROW)};
static const struct rule core_rules[] = {CORE_RULES(RULE_ROW)};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

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

/* Two tasks with calls of every sort, the last of which is not there. */
static const char program[] =
    "{\"name\":\"p\",\"tasks\":["
    "{\"name\":\"a\",\"first_call\":0,\"call_count\":3,\"log_name\":\"../a.json\"},"
    "{\"name\":\"a\",\"first_call\":3,\"call_count\":2,\"process\":1}],\"calls\":["
    "{\"kind\":\"copy\",\"phase\":\"copy_in\",\"direction\":\"to device\"},"
    "{\"kind\":\"kernel\",\"phase\":\"execute\",\"name\":\"<K&1>\",\"block_count\":2},"
    "{\"kind\":\"stream synchronize\",\"phase\":\"copy_out\"},"
    "{\"kind\":\"kernel\",\"name\":\"<K&1>\",\"stream\":1,\"thread_count\":32},"
    "{\"kind\":7}]}";

static char *head_make(void)
{
    static const struct table_set emu = {
        .base = TABLE_EMU, .events = emu_rows, .event_count = COUNT_OF(emu_rows)};
    static const struct table_set core = {.base = TABLE_CORE,
                                          .rules = core_rules,
                                          .rule_count = COUNT_OF(core_rules),
                                          .events = core_rows,
                                          .event_count = COUNT_OF(core_rows)};
    static const struct table_set nv = {
        .base = TABLE_NVIDIA, .events = nv_rows, .event_count = COUNT_OF(nv_rows)};
    static const struct table_set cuda = {.base = TABLE_FIRMWARE_NVIDIA_CUDA,
                                          .events = cuda_rows,
                                          .event_count = COUNT_OF(cuda_rows)};
    static const struct table_set *const sets[] = {&emu, &core, &nv, &cuda};
    static const char *const units[] = {"a", "b", "c", "d", "e", "f"};

    return event_log_head_build(&(struct event_log_head){.units = units,
                                                         .unit_count = COUNT_OF(units),
                                                         .sets = sets,
                                                         .set_count = COUNT_OF(sets),
                                                         .program_json = program});
}

static void file_fill(int fd, const uint8_t *data, size_t bytes)
{
    const bool is_head = bytes > 0 && data[0] == '{';
    char *head = head_make();

    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0) {
        must(write(fd, data, bytes) == (ssize_t)bytes);
        free(head);
        return;
    }
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", NULL);
    must(head && writer);
    if (is_head)
        must(chunk_write(writer, CHUNK_LOG_HEAD, data, bytes, NULL));
    else
        must(chunk_write(writer, CHUNK_LOG_HEAD, head, strlen(head), NULL) &&
             chunk_write(writer, CHUNK_LOG_EVENTS, data, bytes, NULL));
    must(chunk_write(writer, CHUNK_LOG_END, "{}", 2, NULL) && chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    free(head);
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

int fuzz_log(const uint8_t *data, size_t bytes)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    FILE *sink = fopen("/dev/null", "we");
    char path[40];

    must(fd >= 0 && sink);
    file_fill(fd, data, bytes < BYTES_MAX ? bytes : BYTES_MAX);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    show_try(path, sink);
    summary_try(path, sink, false);
    summary_try(path, sink, true);
    perfetto_try(path, sink, 0);
    perfetto_try(path, sink, UINT64_C(500000000));
    vcd_try(path, sink, 0);
    vcd_try(path, sink, UINT64_C(500000000));
    queues_try(path, sink, GFE_PS_NEVER, UINT64_MAX);
    queues_try(path, sink, UINT64_C(500000000), UINT64_MAX);
    queues_try(path, sink, GFE_PS_NEVER, 3);
    examiner_try(path, sink);
    fclose(sink);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_log(data, bytes);
}
#endif
