/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "tests/fuzz/fuzz_explain.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "firmware-models/hip/hip_tables.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log_encode.h"
#include "emu/log/event_log_head.h"
#include "emu/analysis/explain/explain_print.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/views/show_csv.h"
#include "emu/views/examiner/show_examiner_private.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_limits.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_head.h"

enum { EVENTS_MAX = 2048, ESCAPE = 255 };

/* By the first byte; at the end only, or the corpus means something else. */
static const uint16_t kinds[] = {
    EVENT_CPU_SUBMIT,        EVENT_CPU_SUBMIT_RETURN, EVENT_WAIT,
    EVENT_WAIT_OPEN,         EVENT_DRIVER_GP_ENTRY,   EVENT_NV_CHANNEL_BIND,
    EVENT_NV_DOORBELL,       EVENT_NV_TSG_START,      EVENT_NV_CHANNEL_LOAD,
    EVENT_NV_CHANNEL_SAVE,   EVENT_NV_CHANNEL_STOP,   EVENT_NV_CONTEXT_LOAD,
    EVENT_NV_GP_FETCH,       EVENT_NV_PB_FETCH,       EVENT_NV_SEGMENT_END,
    EVENT_NV_LAUNCH,         EVENT_NV_REPORT,         EVENT_NV_RELEASE,
    EVENT_NV_NOTIFY,         EVENT_NV_ACQUIRE,        EVENT_GRID_QUEUE,
    EVENT_GRID_START,        EVENT_GRID_DISPATCHED,   EVENT_GRID_END,
    EVENT_BLOCK_START,       EVENT_BLOCK_END,         EVENT_COPY_QUEUE,
    EVENT_COPY_START,        EVENT_COPY_END,          EVENT_WORK_START,
    EVENT_WORK_END,          EVENT_NV_MEM_OP,         EVENT_NV_MMU_FAULT,
    EVENT_COPY_DROP,         EVENT_NV_CE_LAUNCHERR,   EVENT_GRID_SUSPEND,
    EVENT_GRID_RESUME,       EVENT_WORK_SUSPEND,      EVENT_WORK_RESUME,
    EVENT_NV_TSG_END,        EVENT_COPY_SUSPEND,      EVENT_COPY_RESUME,
    EVENT_GRID_DROP,         EVENT_CUDA_OPERATION,    EVENT_CUDA_SUBMIT,
    EVENT_CUDA_COMPLETE,     EVENT_CUDA_STREAM,       EVENT_CUDA_CHANNEL,
    EVENT_CUDA_TASK,         EVENT_CUDA_CALL,         EVENT_CUDA_ITERATION,
    EVENT_CUDA_CHANNEL_FREE, EVENT_GRID_COST,         EVENT_AMD_DISPATCH,
    EVENT_AMD_ACE_TURN,      EVENT_AMD_BLOCK_STAGE,   EVENT_HIP_QUEUE,
    EVENT_HIP_LAUNCH,        EVENT_HIP_RETURN,        EVENT_AMD_DOORBELL,
    EVENT_AMD_QUEUE_LOAD,    EVENT_AMD_QUEUE_LEAVE,   EVENT_AMD_LAUNCH,
    EVENT_AMD_PACKET,        EVENT_AMD_PACKET_END,    EVENT_AMD_SIGNAL,
    EVENT_HWS_MAP,           EVENT_HWS_PREEMPT,       EVENT_HWS_UNMAP,
    EVENT_KFD_QUEUE,         EVENT_AMD_SDMA_LOAD,     EVENT_AMD_SDMA_PACKET,
    EVENT_HIP_SUBMIT};

static const uint16_t rules[] = {
    RULE_NONE,       RULE_T_X1,   RULE_T_R2,     RULE_T_C2,    RULE_NV_WFI,
    RULE_NV_RUNLIST, RULE_NV_ACQ, RULE_NV_ORDER, RULE_NV_INTR, RULE_CORE_BLOCK_ORDER,
    RULE_NV_RING,    RULE_T_P1,   RULE_T_R3,     RULE_T_A2,    RULE_T_G2,
    RULE_T_N1,       RULE_B_R2,   RULE_T_G4,     RULE_A_D1,    RULE_A_D2,
    RULE_A_D3,       RULE_A_D4,   RULE_A_D5,     RULE_A_Q1,    RULE_A_Q3,
    RULE_A_H2};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void must(bool so)
{
    if (!so)
        abort();
}

/* ---- the log --------------------------------------------------------------------------------- */

static const struct table_set *const sets[] = {
    &emu_tables, &core_tables,    &nv_tables,       &nouveau_tables, &cuda_tables,
    &amd_tables, &amd_mec_tables, &amd_sdma_tables, &kfd_tables,     &hip_tables};

static const struct event_kind_row *row_of(uint16_t kind)
{
    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (kind >= sets[i]->base && kind < sets[i]->base + sets[i]->event_count)
            return &sets[i]->events[kind - sets[i]->base];
    abort();
}

static const struct rule *rule_of(uint16_t rule)
{
    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (rule >= sets[i]->base && rule < sets[i]->base + sets[i]->rule_count)
            return &sets[i]->rules[rule - sets[i]->base];
    abort();
}

/* A log says itself what its numbers mean: these are the indices of the two lists above. */
static char *head_make(void)
{
    static const char *const units[] = {"unit"};
    static const char program[] =
        "{\"tasks\":[{\"name\":\"a\",\"call_count\":2},{\"name\":\"b\"}],\"calls\":["
        "{\"kind\":\"kernel\",\"name\":\"K\",\"block_count\":1},{\"kind\":\"copy\"},"
        "{\"kind\":\"kernel\",\"name\":\"K1\",\"block_count\":3,\"thread_count\":64},"
        "{\"kind\":\"kernel\",\"name\":\"K2#1\"},{\"kind\":\"event record\"},{\"kind\":7}]}";
    struct event_kind_row rows[COUNT_OF(kinds)];
    struct rule rule_rows[COUNT_OF(rules)] = {{0}};
    const struct table_set set = {.rules = rule_rows,
                                  .rule_count = COUNT_OF(rules),
                                  .events = rows,
                                  .event_count = COUNT_OF(kinds)};
    const struct table_set *const only = &set;

    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        rows[i] = *row_of(kinds[i]);
    for (size_t i = 1; i < COUNT_OF(rules); i++)
        rule_rows[i] = *rule_of(rules[i]);
    return event_log_head_build(&(struct event_log_head){
        .units = units, .unit_count = 1, .sets = &only, .set_count = 1, .program_json = program});
}

struct input {
    const uint8_t *at, *end;
};

/* The rows that events refer to. */
struct used {
    bool kinds[COUNT_OF(kinds)], rules[COUNT_OF(rules)];
};

static uint64_t byte_take(struct input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

/* Times in arguments are counted back from now, as most of them are. */
static uint64_t argument_take(struct input *input, const char *name, gfe_ps now_ps)
{
    uint64_t value = byte_take(input);

    if (value == ESCAPE) {
        for (int i = 0; i < 8; i++)
            value = value << 8 | byte_take(input);
        return value;
    }
    return strcmp(name, "begin_ps") == 0 ? (value < now_ps ? now_ps - value : 0) : value;
}

/* Encodes the events of the input, and returns their end.  One chunk holds them all. */
static uint8_t *events_put(uint8_t *to, struct event_log_cursor *cursor, struct input *input,
                           struct used *used)
{
    gfe_ps now_ps = 0;

    for (uint32_t n = 0; n < EVENTS_MAX && input->at < input->end; n++) {
        struct event_log_source event = {.kind = (uint16_t)(byte_take(input) % COUNT_OF(kinds))};
        uint64_t arguments[EVENT_ARGUMENTS_MAX];
        const struct event_kind_row *row = row_of(kinds[event.kind]);

        event.rule = (uint16_t)(byte_take(input) % COUNT_OF(rules));
        used->kinds[event.kind] = used->rules[event.rule] = true;
        now_ps += byte_take(input);
        event.time_ps = now_ps;
        event.argument_count = (uint8_t)event_kind_argument_count(row);
        for (uint32_t i = 0; i < event.argument_count; i++)
            arguments[i] = argument_take(input, row->arguments[i], now_ps);
        to = event_log_encode(to, event, arguments, cursor);
    }
    return to;
}

static bool is_used(const void *context, bool is_rule, uint32_t id)
{
    const struct used *used = context;

    return is_rule ? used->rules[id] : used->kinds[id];
}

static void log_write(int fd, const uint8_t *data, size_t bytes)
{
    static uint8_t events[EVENTS_MAX * EVENT_LOG_EVENT_BYTES_MAX];
    static struct fuzz_head pieces; /* do not depend on the input */
    struct input input = {data, data + bytes};
    struct event_log_cursor *cursor = calloc(1, sizeof *cursor);
    struct used used = {{0}, {0}};
    size_t count;
    char *head;

    must(cursor != NULL);
    if (!pieces.rest)
        fuzz_head_split(&pieces, head_make());
    count = (size_t)(events_put(events, cursor, &input, &used) - events);
    head = fuzz_head_join(&pieces, is_used, &used);
    fuzz_log_write(fd, head, strlen(head), events, count);
    free(head);
    free(cursor);
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void life_check(const struct explain *explain, struct explain_ref ref,
                       struct explain_life *life)
{
    char name[EXPLAIN_NAME_BYTES];
    struct explain_ref found;
    gfe_ps at_ps;

    must(explain_life(explain, ref, life));
    at_ps = life->birth_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        must(life->pieces[i].begin_ps == at_ps && life->pieces[i].end_ps > at_ps);
        at_ps = life->pieces[i].end_ps;
    }
    const struct explain_total total = explain_total(life);
    must(at_ps == life->end_ps);
    must(total.total_ps == total.service_ps + total.wait_ps + total.unattributed_ps);
    if (ref.kind == EXPLAIN_BLOCK || explain->operations[ref.index].id != UINT64_MAX)
        must(explain_find(explain, explain_name(explain, ref, name), &found) &&
             found.kind == ref.kind && found.index == ref.index);
}

static void lives_check(const struct explain *explain)
{
    struct explain_life life = {0};

    for (uint32_t i = 0; i < explain->operation_count; i++)
        life_check(explain, (struct explain_ref){(enum explain_kind)explain->operations[i].kind, i},
                   &life);
    for (uint32_t i = 0; i < explain->block_count; i++)
        life_check(explain, (struct explain_ref){EXPLAIN_BLOCK, i}, &life);
    explain_life_fini(&life);
}

static void print_all(FILE *sink, const struct explain *explain)
{
    struct gfe_error error = {0};
    struct explain_print print = {.file = sink,
                                  .explain = explain,
                                  .error = &error,
                                  .only = EXPLAIN_KINDS,
                                  .blocks = true,
                                  .with_pieces = true};

    must(explain_text_list(&print) && explain_json_list(&print));
    must(explain_text_rules(&print) && explain_json_rules(&print));
    print.top = 2;
    must(explain_text_list(&print));
    for (uint32_t i = 0; i < explain->operation_count && i < 8; i++)
        must(explain_text_one(
            &print, (struct explain_ref){(enum explain_kind)explain->operations[i].kind, i}));
}

static void explain_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct explain explain;

    if (log && explain_load(&explain, log, &error)) {
        must(error.kind == ERROR_NONE);
        lives_check(&explain);
        print_all(sink, &explain);
        explain_fini(&explain);
    } else {
        must(error.kind != ERROR_NONE && error.text[0] != 0 && !strchr(error.text, '\n'));
    }
    event_log_close(log);
}

/* Pieces touch, are not empty, and add up. */
static void story_check(const struct story *story, struct story_subject subject,
                        struct story_life *life)
{
    gfe_ps at_ps, sum_ps;

    must(story_life(story, subject, life));
    at_ps = life->begin_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        must(life->pieces[i].begin_ps == at_ps && life->pieces[i].end_ps > at_ps);
        at_ps = life->pieces[i].end_ps;
    }
    const struct story_total total = story_total(life);
    sum_ps = total.service_ps + total.unattributed_ps;
    for (uint32_t i = 0; i < total.wait_count; i++)
        sum_ps += total.waits[i].ps;
    must(at_ps == life->end_ps && total.total_ps == sum_ps);
}

static void stories_check(const struct story_print *print)
{
    const struct story *story = print->story;
    struct story_life life = {0};

    for (uint32_t i = 0; i < story->operation_count; i++)
        story_check(story, (struct story_subject){i, STORY_NONE}, &life);
    for (uint32_t i = 0; i < story->block_count; i++) {
        const struct story_subject subject = {story->works[story->blocks[i].work].operation, i};

        if (subject.operation == STORY_NONE)
            continue;
        story_check(story, subject, &life);
        must(i >= 4 || (story_text(print, subject) && story_json(print, subject)));
    }
    for (uint32_t i = 0; i < story->operation_count && i < 8; i++)
        must(story_text(print, (struct story_subject){i, STORY_NONE}) &&
             story_json(print, (struct story_subject){i, STORY_NONE}));
    must(story_text_list(print) && story_json_list(print));
    story_life_fini(&life);
}

static void story_try(const char *path, const struct check_limits *limits, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct story story;

    if (log && story_is_told(log) && story_load(&story, log, limits, &error)) {
        stories_check(&(struct story_print){.file = sink, .story = &story, .error = &error});
        story_fini(&story);
    }
    event_log_close(log);
}

static void csv_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct show show;

    if (log && show_load(&show, log, 0, GFE_PS_NEVER, &error)) {
        (void)show_csv(sink, &show, &error);
        show_fini(&show);
    }
    event_log_close(log);
    log = event_log_open(path, NULL);
    if (log)
        (void)show_csv_events(sink, log, 0, GFE_PS_NEVER, NULL);
    event_log_close(log);
}

/* gfe check takes any log: it ends, and each violation names a rule and an event. */
static void check_try(const char *path, const struct check_limits *limits)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    struct check_report report = {0};

    if (log && check_log(log, limits, &report, &error)) {
        must(report.finding_count <= report.violation_count);
        for (uint32_t i = 0; i < report.finding_count; i++)
            must(report.findings[i].rule && report.findings[i].says[0] &&
                 report.findings[i].second.text[0]);
    }
    check_report_fini(&report);
    event_log_close(log);
}

static void queues_try(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    json_t *json = log ? inspect_queues(log, GFE_PS_NEVER, UINT64_MAX, &error) : NULL;

    must((json != NULL) == (error.kind == ERROR_NONE));
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

    if (log && examiner_init(&examiner, log, &error)) {
        while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
            must(examiner_take(&examiner, &event));
        for (uint32_t i = 0; i < examiner.streams.program.task_count; i++)
            must(examiner_print(sink, &examiner, i, 2));
        examiner_fini(&examiner);
    }
    event_log_close(log);
}

/* Wiring a GPU for its limits costs more than all the rest: looked up once. */
static const struct check_limits *amd_limits(void)
{
    static struct check_limits amd;
    static bool is_known;

    if (!is_known)
        must(gpu_find_limits("radeon-vii", NULL, &amd));
    is_known = true;
    return &amd;
}

enum { EXPLAIN_PARTS = 8 };

/* One of the readers. */
static void part_try(const char *path, uint32_t part, FILE *sink)
{
    switch (part) {
    case 0:
        explain_try(path, sink);
        break;
    case 1:
        story_try(path, &check_limits_tx2, sink);
        break;
    case 2:
        check_try(path, &check_limits_tx2);
        break;
    case 3:
        story_try(path, amd_limits(), sink);
        break;
    case 4:
        check_try(path, amd_limits());
        break;
    case 5:
        csv_try(path, sink);
        break;
    case 6:
        queues_try(path, sink);
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
    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0)
        must(write(fd, data, bytes) == (ssize_t)bytes);
    else
        log_write(fd, data, bytes);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (uint32_t part = first; part <= last; part++)
        part_try(path, part, sink);
    fclose(sink);
    close(fd);
}

int fuzz_explain(const uint8_t *data, size_t bytes)
{
    parts_try(data, bytes, 0, EXPLAIN_PARTS - 1);
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
    part %= EXPLAIN_PARTS;
    parts_try(data, bytes, part, part);
    return 0;
}
#endif
