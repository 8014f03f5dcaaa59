/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/event_fields.h"
#include "emu/summary_data.h"

/* The first SUMMARY_ERRORS_FROM are part of normal work. */
const char *const summary_interrupt_names[SUMMARY_INTERRUPTS] = {
    "NV_PBDMA_INTR",   "NV_CHANNEL_INTR", "NV_PBDMA_INTR", "NV_MMU_FAULT",
    "NV_ENGINE_ERROR", "NV_CHANNEL_STOP", "NV_BIND_ERROR", "NV_SCHED_ERROR"};

/* One event: the arguments that its row asked for. */
struct taken {
    const struct log_event *event;
    const uint64_t *values;
    uint32_t detail; /* of the row */
};

struct take_row {
    struct event_fields_row fields;
    void (*take)(struct summary *summary, const struct taken *taken);
    uint32_t detail;
};

/* ---- busy ----------------------------------------------------------------------------------- */

static struct summary_meter *meter_of(struct summary *summary, enum summary_meter_kind kind,
                                      uint64_t id)
{
    return id < SUMMARY_METER_IDS ? &summary->meters[kind][id] : NULL;
}

static void meter_begin(struct summary_meter *meter, gfe_ps now_ps)
{
    if (!meter)
        return;
    meter->used = true;
    if (meter->active++ == 0)
        meter->since_ps = now_ps;
}

/* `count` things end; more than there are is a log that began in the middle. */
static void meter_end(struct summary_meter *meter, uint32_t count, gfe_ps now_ps)
{
    if (!meter || meter->active == 0)
        return;
    meter->active -= count < meter->active ? count : meter->active;
    if (meter->active == 0)
        meter->busy_ps += now_ps - meter->since_ps;
}

uint32_t summary_share(const struct summary *summary, gfe_ps busy_ps)
{
    const gfe_ps whole_ps = summary_simulated_ps(summary);

    return whole_ps ? (uint32_t)(((unsigned __int128)busy_ps * 1000 + whole_ps / 2) / whole_ps) : 0;
}

void summary_meter_name(const struct summary *summary, enum summary_meter_kind kind, uint32_t id,
                        char *to, size_t bytes)
{
    static const char *const words[METER_KINDS] = {
        [METER_PBDMA] = "PBDMA", [METER_GR] = "GR", [METER_CE] = "CE", [METER_SM] = "SM"};

    const char *engine =
        kind == METER_GR || kind == METER_CE ? event_log_engine(summary->log, id) : NULL;

    if (engine)
        (void)snprintf(to, bytes, "%s", engine);
    else
        (void)snprintf(to, bytes, "%s %" PRIu32, words[kind], id);
}

/* ---- the program ---------------------------------------------------------------------------- */

static void take_submit(struct summary *summary, const struct taken *taken)
{
    const uint64_t channel_id = taken->values[0];

    if (summary->submission_count++ == 0)
        summary->first_ps = taken->event->time_ps;
    summary->push_bytes += taken->values[1];
    if (channel_id >= SUMMARY_METER_IDS || summary->channels[channel_id])
        return;
    summary->channels[channel_id] = true;
    summary->channel_count++;
}

static void take_cpu_wait_begin(struct summary *summary, const struct taken *taken)
{
    summary->cpu_waits.waited_count++;
    if (taken->values[0])
        summary->cpu_waits.inferred_count++;
    else
        summary->cpu_waits.recorded_count++;
}

/* The replay counts all waits of the program, also those that were over when they began. */
static void take_run_end(struct summary *summary, const struct taken *taken)
{
    summary->cpu_waits.recorded_count = taken->values[0];
    summary->cpu_waits.inferred_count = taken->values[1];
}

static void take_cpu_wait_end(struct summary *summary, const struct taken *taken)
{
    summary->cpu_waits.total_ps += taken->values[0];
}

static void take_wait(struct summary *summary, const struct taken *taken)
{
    const gfe_ps begin_ps = taken->values[0], now_ps = taken->event->time_ps;
    struct summary_rule *rule = &summary->rules[taken->event->rule % SUMMARY_RULES];

    if (begin_ps >= now_ps)
        return;
    rule->count++;
    rule->total_ps += now_ps - begin_ps;
    if (now_ps - begin_ps > rule->longest_ps)
        rule->longest_ps = now_ps - begin_ps;
}

static void take_unmodelled(struct summary *summary, const struct taken *taken)
{
    const uint64_t what = taken->values[0];

    summary->unmodelled[what < SUMMARY_UNMODELLED - 1 ? what : SUMMARY_UNMODELLED - 1]++;
}

static void take_wait_open(struct summary *summary, const struct taken *taken)
{
    summary->open_wait_count++;
    take_wait(summary, taken);
}

static void take_fence(struct summary *summary, const struct taken *taken)
{
    summary->fence_expected_count++;
    summary->fence_count += taken->values[0] != 0;
}

/* ---- work ----------------------------------------------------------------------------------- */

/* The launch with that grid, among those that are kept. */
static struct summary_launch *launch_of(struct summary *summary, uint64_t grid_id)
{
    for (uint32_t i = 0; i < summary->launch_count; i++)
        if (summary->launches[i].grid_id == grid_id)
            return &summary->launches[i];
    return NULL;
}

static void take_grid_queue(struct summary *summary, const struct taken *taken)
{
    const uint64_t *values = taken->values;

    summary->grid_count++;
    summary->block_count += values[2];
    if (summary->launch_count == SUMMARY_LAUNCHES)
        return;
    summary->launches[summary->launch_count++] =
        (struct summary_launch){.grid_id = values[0],
                                .channel_id = values[1],
                                .block_count = values[2],
                                .block_threads = values[3],
                                .shared_bytes = values[4],
                                .registers = values[5],
                                .queued_ps = taken->event->time_ps,
                                .start_ps = GFE_PS_NEVER,
                                .end_ps = GFE_PS_NEVER};
}

static void take_grid_start(struct summary *summary, const struct taken *taken)
{
    struct summary_launch *launch = launch_of(summary, taken->values[0]);

    if (launch)
        launch->start_ps = taken->event->time_ps;
    meter_begin(meter_of(summary, METER_GR, 0), taken->event->time_ps);
}

static void take_grid_end(struct summary *summary, const struct taken *taken)
{
    struct summary_launch *launch = launch_of(summary, taken->values[0]);

    summary->grid_end_count++;
    if (launch)
        launch->end_ps = taken->event->time_ps;
    meter_end(meter_of(summary, METER_GR, 0), 1, taken->event->time_ps);
}

static void take_begin(struct summary *summary, const struct taken *taken)
{
    meter_begin(meter_of(summary, (enum summary_meter_kind)taken->detail, taken->values[0]),
                taken->event->time_ps);
}

static void take_end(struct summary *summary, const struct taken *taken)
{
    meter_end(meter_of(summary, (enum summary_meter_kind)taken->detail, taken->values[0]), 1,
              taken->event->time_ps);
}

/* The grid's blocks on an SM; `add`: a new entry if there is none.  NULL: none, or no memory. */
static struct summary_resident *resident_of(struct summary *summary, struct summary_meter *meter,
                                            uint64_t grid_id, bool add)
{
    for (uint32_t i = 0; i < meter->resident_count; i++)
        if (meter->residents[i].grid_id == grid_id)
            return &meter->residents[i];
    if (!add || meter->resident_count == SUMMARY_RESIDENTS_MAX)
        return NULL;
    if (meter->resident_count == meter->resident_capacity) {
        const uint32_t wanted = meter->resident_capacity ? 2 * meter->resident_capacity : 4;
        struct summary_resident *moved = realloc(meter->residents, wanted * sizeof *moved);
        if (!moved) {
            summary->no_memory = true;
            return NULL;
        }
        meter->residents = moved;
        meter->resident_capacity = wanted;
    }
    meter->residents[meter->resident_count] = (struct summary_resident){.grid_id = grid_id};
    return &meter->residents[meter->resident_count++];
}

static void take_block_start(struct summary *summary, const struct taken *taken)
{
    struct summary_meter *meter = meter_of(summary, METER_SM, taken->values[0]);
    struct summary_resident *resident =
        meter ? resident_of(summary, meter, taken->values[1], true) : NULL;

    if (!meter)
        return;
    if (resident)
        resident->count++;
    if (taken->values[0] >= summary->sm_end)
        summary->sm_end = (uint32_t)taken->values[0] + 1;
    meter_begin(meter, taken->event->time_ps);
}

static void take_block_end(struct summary *summary, const struct taken *taken)
{
    struct summary_meter *meter = meter_of(summary, METER_SM, taken->values[0]);
    struct summary_resident *resident =
        meter ? resident_of(summary, meter, taken->values[1], false) : NULL;

    if (resident && --resident->count == 0)
        *resident = meter->residents[--meter->resident_count];
    meter_end(meter, 1, taken->event->time_ps);
}

/* The grid's blocks leave their SMs for a while, or come back. */
static void take_suspend(struct summary *summary, const struct taken *taken)
{
    const gfe_ps now_ps = taken->event->time_ps;

    for (uint32_t sm = 0; sm < summary->sm_end; sm++) {
        struct summary_meter *meter = &summary->meters[METER_SM][sm];
        struct summary_resident *resident = resident_of(summary, meter, taken->values[0], false);

        if (!resident || resident->stopped)
            continue;
        resident->stopped = true;
        meter_end(meter, resident->count, now_ps);
    }
    meter_end(meter_of(summary, METER_GR, 0), 1, now_ps);
}

static void take_resume(struct summary *summary, const struct taken *taken)
{
    const gfe_ps now_ps = taken->event->time_ps;
    const struct taken wait = {.event = taken->event, .values = taken->values + 1};

    for (uint32_t sm = 0; sm < summary->sm_end; sm++) {
        struct summary_meter *meter = &summary->meters[METER_SM][sm];
        struct summary_resident *resident = resident_of(summary, meter, taken->values[0], false);

        if (!resident || !resident->stopped)
            continue;
        resident->stopped = false;
        for (uint32_t i = 0; i < resident->count; i++)
            meter_begin(meter, now_ps);
    }
    meter_begin(meter_of(summary, METER_GR, 0), now_ps);
    take_wait(summary, &wait);
}

static void take_work_start(struct summary *summary, const struct taken *taken)
{
    summary->draw_count++;
    meter_begin(meter_of(summary, METER_GR, 0), taken->event->time_ps);
}

static void take_work_end(struct summary *summary, const struct taken *taken)
{
    meter_end(meter_of(summary, METER_GR, 0), 1, taken->event->time_ps);
}

static void take_work_resume(struct summary *summary, const struct taken *taken)
{
    meter_begin(meter_of(summary, METER_GR, 0), taken->event->time_ps);
    take_wait(summary, taken);
}

static void take_copy_queue(struct summary *summary, const struct taken *taken)
{
    summary->copy_count++;
    summary->copy_bytes += taken->values[0];
}

static void take_copy_begin(struct summary *summary, const struct taken *taken)
{
    if (taken->event->unit < SUMMARY_METER_IDS)
        summary->copy_engines[taken->event->unit] = taken->values[0];
    meter_begin(meter_of(summary, METER_CE, taken->values[0]), taken->event->time_ps);
}

static void take_inline_write(struct summary *summary, const struct taken *taken)
{
    summary->inline_count++;
    summary->inline_bytes += taken->values[0];
}

static void take_driver_fence(struct summary *summary, const struct taken *taken)
{
    if (taken->values[0] < SUMMARY_METER_IDS)
        summary->driver_fences[taken->values[0]] = taken->values[1];
}

/* A device does not know who wrote the commands that it runs.  What is released where the driver
 * model said that its own fence lies is the driver model's. */
static void take_release(struct summary *summary, const struct taken *taken)
{
    const uint64_t channel_id = taken->values[0], address = taken->values[1];
    const bool is_driver_fence = channel_id < SUMMARY_METER_IDS && address != 0 &&
                                 summary->driver_fences[channel_id] == address;

    summary->releases[is_driver_fence ? ORIGIN_MODELLED : taken->event->origin & 3]++;
}

static void take_interrupt(struct summary *summary, const struct taken *taken)
{
    summary->interrupts[taken->detail]++;
}

/* The copy that runs in the unit that says so is over, and will not be said to have ended. */
static void take_mmu_fault(struct summary *summary, const struct taken *taken)
{
    if (taken->event->unit < SUMMARY_METER_IDS)
        meter_end(meter_of(summary, METER_CE, summary->copy_engines[taken->event->unit]), 1,
                  taken->event->time_ps);
    take_interrupt(summary, taken);
}

/* A software method asks for the driver and is answered; every other bit of a PBDMA is an error. */
static void take_pbdma_interrupt(struct summary *summary, const struct taken *taken)
{
    const struct event_log_rule *rule = event_log_rule(summary->log, taken->event->rule);
    const bool is_software_method = rule && strcmp(rule->label, "NV.DEVICE") == 0;

    summary->interrupts[is_software_method ? 0 : SUMMARY_ERRORS_FROM]++;
}

static void take_line(struct summary *summary, const struct taken *taken)
{
    struct summary_line line = {.time_ps = taken->event->time_ps};

    if (!event_line(gfe_event_lines, summary->log, taken->event, line.text, sizeof line.text))
        return;
    if (summary->line_count < SUMMARY_LINES)
        summary->lines[summary->line_count] = line;
    summary->line_count++;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* clang-format off */
static const struct take_row take_rows[] = {
    {{"CPU_SUBMIT", {"channel_id", "push_bytes"}}, take_submit, 0},
    {{"CPU_WAIT_BEGIN", {"inferred"}}, take_cpu_wait_begin, 0},
    {{"CPU_WAIT_END", {"waited_ps"}}, take_cpu_wait_end, 0},
    {{"WAIT", {"begin_ps"}}, take_wait, 0},
    {{"WAIT_OPEN", {"begin_ps"}}, take_wait_open, 0},
    {{"UNMODELLED", {"what"}}, take_unmodelled, 0},
    {{"FENCE", {"reached"}}, take_fence, 0},
    {{"RUN_END", {"recorded_wait_count", "inferred_wait_count"}}, take_run_end, 0},
    {{"GRID_QUEUE", {"grid_id", "channel_id", "block_count", "block_threads", "shared_bytes",
                     "registers"}}, take_grid_queue, 0},
    {{"GRID_START", {"grid_id"}}, take_grid_start, 0},
    {{"GRID_END", {"grid_id"}}, take_grid_end, 0},
    {{"GRID_SUSPEND", {"grid_id"}}, take_suspend, 0},
    {{"GRID_RESUME", {"grid_id", "from_ps"}}, take_resume, 0},
    {{"WORK_SUSPEND", {"work_id"}}, take_work_end, 0},
    {{"WORK_RESUME", {"from_ps"}}, take_work_resume, 0},
    {{"BLOCK_START", {"sm_index", "grid_id"}}, take_block_start, 0},
    {{"BLOCK_END", {"sm_index", "grid_id"}}, take_block_end, 0},
    {{"COPY_QUEUE", {"byte_count"}}, take_copy_queue, 0},
    {{"COPY_START", {"engine_id"}}, take_copy_begin, 0},
    {{"COPY_SUSPEND", {"engine_id"}}, take_end, METER_CE},
    {{"COPY_RESUME", {"engine_id"}}, take_copy_begin, 0},
    {{"COPY_END", {"engine_id"}}, take_end, METER_CE},
    {{"WORK_START", {"work_id"}}, take_work_start, 0},
    {{"WORK_END", {"work_id"}}, take_work_end, 0},
    {{"NV_GP_FETCH", {"pbdma_id"}}, take_begin, METER_PBDMA},
    {{"NV_SEGMENT_END", {"pbdma_id"}}, take_end, METER_PBDMA},
    {{"NV_INLINE_WRITE", {"byte_count"}}, take_inline_write, 0},
    {{"DRIVER_FENCE", {"channel_id", "address"}}, take_driver_fence, 0},
    {{"NV_RELEASE", {"channel_id", "address"}}, take_release, 0},
    {{"NV_PBDMA_INTR", {"channel_id"}}, take_pbdma_interrupt, 0},
    {{"NV_CHANNEL_INTR", {"channel_id"}}, take_interrupt, 1},
    {{"NV_MMU_FAULT", {"channel_id"}}, take_mmu_fault, 3},
    {{"NV_ENGINE_ERROR", {"channel_id"}}, take_interrupt, 4},
    {{"NV_CHANNEL_STOP", {"channel_id"}}, take_interrupt, 5},
    {{"NV_BIND_ERROR", {"channel_id"}}, take_interrupt, 6},
    {{"NV_SCHED_ERROR", {"runlist_id"}}, take_interrupt, 7},
    {{"RM_XID_MMU_FAULT", {NULL}}, take_line, 0},
    {{"RM_XID_PBDMA", {NULL}}, take_line, 0},
    {{"RM_XID_PBDMA_1", {NULL}}, take_line, 0},
    {{"RM_XID_REMOVAL", {NULL}}, take_line, 0},
    {{"RM_XID_CRC", {NULL}}, take_line, 0},
    {{"RM_XID_CTXSW", {NULL}}, take_line, 0},
};
/* clang-format on */

enum { TAKE_ROWS = sizeof take_rows / sizeof take_rows[0] };

static bool events_read(struct summary *summary, const struct event_fields *fields,
                        struct gfe_error *error)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    struct log_event event;
    enum event_log_result result;

    while ((result = event_log_read(summary->log, &event, error)) == EVENT_LOG_GOT) {
        const uint32_t row = event_fields_take(fields, &event, values);
        summary->end_ps = event.time_ps;
        summary->tasks.has_names = summary->grid_count > SUMMARY_LAUNCHES;
        if (!summary_tasks_take(&summary->tasks, &event))
            summary->no_memory = true;
        if (summary->event_count++ == 0)
            summary->first_ps = event.time_ps;
        if (row != EVENT_FIELDS_NONE)
            take_rows[row].take(summary, &(struct taken){&event, values, take_rows[row].detail});
        if (summary->no_memory)
            return error_set_errno(error, ENOMEM, "%s", event_log_name(summary->log));
    }
    return result == EVENT_LOG_AT_END;
}

static int rule_order(const void *left, const void *right)
{
    const struct summary_rule *a = left, *b = right;

    if (a->total_ps != b->total_ps)
        return a->total_ps > b->total_ps ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* What still goes on at the end has been busy up to there. */
static void summary_finish(struct summary *summary)
{
    uint32_t kept = 0;

    for (uint32_t kind = 0; kind < METER_KINDS; kind++)
        for (uint32_t id = 0; id < SUMMARY_METER_IDS; id++)
            meter_end(&summary->meters[kind][id], UINT32_MAX, summary->end_ps);
    for (uint32_t rule = 0; rule < SUMMARY_RULES; rule++)
        if (summary->rules[rule].count > 0) {
            summary->rules[kept] = summary->rules[rule];
            summary->rules[kept++].rule = rule;
        }
    summary->rule_count = kept;
    if (kept > 0)
        qsort(summary->rules, kept, sizeof *summary->rules, rule_order);
}

static bool summary_init(struct summary *summary, struct event_log_reader *log)
{
    bool good = true;

    *summary = (struct summary){.log = log};
    summary->channels = calloc(SUMMARY_METER_IDS, sizeof *summary->channels);
    summary->driver_fences = calloc(SUMMARY_METER_IDS, sizeof *summary->driver_fences);
    summary->rules = calloc(SUMMARY_RULES, sizeof *summary->rules);
    summary->copy_engines = calloc(SUMMARY_METER_IDS, sizeof *summary->copy_engines);
    for (uint32_t unit = 0; summary->copy_engines && unit < SUMMARY_METER_IDS; unit++)
        summary->copy_engines[unit] = UINT64_MAX;
    for (uint32_t kind = 0; kind < METER_KINDS; kind++) {
        summary->meters[kind] = calloc(SUMMARY_METER_IDS, sizeof **summary->meters);
        good = good && summary->meters[kind];
    }
    summary->lines = calloc(SUMMARY_LINES, sizeof *summary->lines);
    return good && summary->lines && summary->channels && summary->driver_fences &&
           summary->copy_engines && summary->rules;
}

static void summary_fini(struct summary *summary)
{
    for (uint32_t sm = 0; sm < summary->sm_end; sm++)
        free(summary->meters[METER_SM][sm].residents);
    for (uint32_t kind = 0; kind < METER_KINDS; kind++)
        free(summary->meters[kind]);
    free(summary->channels);
    free(summary->lines);
    free(summary->driver_fences);
    free(summary->copy_engines);
    free(summary->rules);
    summary_tasks_fini(&summary->tasks);
}

/* What the log's head tells. */
static bool head_take(struct summary *summary, struct event_fields *fields,
                      const struct event_log_reader *log, struct gfe_error *error)
{
    struct event_fields_row rows[TAKE_ROWS];

    for (uint32_t i = 0; i < TAKE_ROWS; i++)
        rows[i] = take_rows[i].fields;
    return summary_tasks_init(&summary->tasks, log, error) &&
           event_fields_bind(fields, log, rows, TAKE_ROWS, error);
}

static bool summary_put(FILE *file, struct summary *summary, const struct summary_notes *notes,
                        bool json, struct gfe_error *error)
{
    summary->notes = notes;
    summary_finish(summary);
    if (json && !summary_json(file, summary))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(summary->log));
    if (!json)
        summary_text(file, summary);
    return true;
}

bool summary_print(FILE *file, struct event_log_reader *log, const struct summary_notes *notes,
                   bool json, struct gfe_error *error)
{
    struct event_fields fields = {0};
    struct summary summary;
    bool good = summary_init(&summary, log);

    if (!good)
        (void)error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    good = good && head_take(&summary, &fields, log, error) &&
           events_read(&summary, &fields, error) && summary_put(file, &summary, notes, json, error);
    event_fields_fini(&fields);
    summary_fini(&summary);
    return good;
}

/* ---- while the log is written --------------------------------------------------------------- */

struct summary_live {
    struct event_log_reader *log;
    struct event_fields fields;
    struct summary summary;
    struct gfe_error error; /* the first failure */
};

struct summary_live *summary_live_new(const char *name, struct gfe_error *error)
{
    struct summary_live *live = calloc(1, sizeof *live);

    if (live)
        live->log = event_log_reader_new(name, error);
    if (live && live->log && summary_init(&live->summary, live->log))
        return live;
    (void)error_set_errno(error, ENOMEM, "%s", name);
    summary_live_free(live);
    return NULL;
}

void summary_live_chunk(void *context, const struct chunk *chunk)
{
    struct summary_live *live = context;

    if (live->error.kind != ERROR_NONE || !event_log_feed(live->log, chunk, &live->error))
        return;
    if (chunk->kind == CHUNK_LOG_HEAD)
        (void)head_take(&live->summary, &live->fields, live->log, &live->error);
    else
        (void)events_read(&live->summary, &live->fields, &live->error);
}

struct event_log_reader *summary_live_log(const struct summary_live *live)
{
    return live->log;
}

bool summary_live_print(FILE *file, struct summary_live *live, const struct summary_notes *notes,
                        bool json, struct gfe_error *error)
{
    if (live->error.kind != ERROR_NONE)
        return error_set(error, live->error.kind, "%s", live->error.text);
    return summary_put(file, &live->summary, notes, json, error);
}

void summary_live_free(struct summary_live *live)
{
    if (!live)
        return;
    event_fields_fini(&live->fields);
    summary_fini(&live->summary);
    event_log_close(live->log);
    free(live);
}
