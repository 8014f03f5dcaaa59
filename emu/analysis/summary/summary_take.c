/* SPDX-License-Identifier: MIT */
/* What a summary does with each kind of event. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/summary/summary_private.h"

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

/* ---- busy ------------------------------------------------------------------------------------ */

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

void summary_meter_end(struct summary_meter *meter, uint32_t count, gfe_ps now_ps)
{
    if (!meter || meter->active == 0)
        return;
    meter->active -= count < meter->active ? count : meter->active;
    if (meter->active == 0)
        meter->busy_ps += now_ps - meter->since_ps;
}

/* ---- the program ----------------------------------------------------------------------------- */

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

/* ---- work ------------------------------------------------------------------------------------ */

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

/* AMD's dispatches are on shader engines, not on one engine. */
static struct summary_meter *engine_of_grids(struct summary *summary)
{
    return summary->words.is_amd ? NULL : meter_of(summary, METER_GR, 0);
}

static void take_grid_start(struct summary *summary, const struct taken *taken)
{
    struct summary_launch *launch = launch_of(summary, taken->values[0]);

    if (launch)
        launch->start_ps = taken->event->time_ps;
    meter_begin(engine_of_grids(summary), taken->event->time_ps);
}

static void take_grid_end(struct summary *summary, const struct taken *taken)
{
    struct summary_launch *launch = launch_of(summary, taken->values[0]);

    summary->grid_end_count++;
    if (launch)
        launch->end_ps = taken->event->time_ps;
    summary_meter_end(engine_of_grids(summary), 1, taken->event->time_ps);
}

static void take_begin(struct summary *summary, const struct taken *taken)
{
    meter_begin(meter_of(summary, (enum summary_meter_kind)taken->detail, taken->values[0]),
                taken->event->time_ps);
}

static void take_end(struct summary *summary, const struct taken *taken)
{
    summary_meter_end(meter_of(summary, (enum summary_meter_kind)taken->detail, taken->values[0]),
                      1, taken->event->time_ps);
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
    summary_meter_end(meter, 1, taken->event->time_ps);
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
        summary_meter_end(meter, resident->count, now_ps);
    }
    summary_meter_end(meter_of(summary, METER_GR, 0), 1, now_ps);
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
    summary_meter_end(meter_of(summary, METER_GR, 0), 1, taken->event->time_ps);
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
        summary_meter_end(meter_of(summary, METER_CE, summary->copy_engines[taken->event->unit]), 1,
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
    const struct event_line_row *row = gfe_event_lines;

    while ((row = event_line(row, summary->log, taken->event, line.text, sizeof line.text))) {
        if (summary->line_count < SUMMARY_LINES)
            summary->lines[summary->line_count] = line;
        summary->line_count++;
        row++;
    }
}

static void take_amd(struct summary *summary, const struct taken *taken)
{
    summary_amd_take(&summary->amd, (enum summary_amd_row)taken->detail, taken->values);
}

/* ---- which events, and how ------------------------------------------------------------------- */

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
    {{"AMD_BLOCK_GO_ON", {"sm_index", "grid_id"}}, take_block_start, 0},
    {{"AMD_BLOCK_STOP", {"sm_index", "grid_id"}}, take_block_end, 0},
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
    {{"KFD_QUEUE", {NULL}}, take_amd, SUMMARY_AMD_QUEUE},
    {{"KFD_SDMA_QUEUE", {NULL}}, take_amd, SUMMARY_AMD_SDMA_QUEUE},
    {{"AMD_PACKET", {"is_aql", "code"}}, take_amd, SUMMARY_AMD_PACKET},
    {{"AMD_SDMA_PACKET", {NULL}}, take_amd, SUMMARY_AMD_SDMA_PACKET},
    {{"AMD_SIGNAL", {NULL}}, take_amd, SUMMARY_AMD_SIGNAL},
    {{"AMD_QUEUE_LOAD", {"slot_id"}}, take_amd, SUMMARY_AMD_LOAD},
    {{"HWS_PREEMPT", {"busy"}}, take_amd, SUMMARY_AMD_PREEMPT},
    {{"AMD_QUEUE_SAVE", {"byte_count"}}, take_amd, SUMMARY_AMD_SAVE},
    {{"DRIVER_FAULT", {NULL}}, take_line, 0},
    {{"DRIVER_FAULT_GV100", {NULL}}, take_line, 0},
    {{"DRIVER_SCHED_ERROR", {NULL}}, take_line, 0},
    {{"DRIVER_RC", {NULL}}, take_line, 0},
    {{"DRIVER_KILL", {NULL}}, take_line, 0},
    {{"RM_XID_MMU_FAULT", {NULL}}, take_line, 0},
    {{"RM_XID_PBDMA", {NULL}}, take_line, 0},
    {{"RM_XID_PBDMA_1", {NULL}}, take_line, 0},
    {{"RM_XID_REMOVAL", {NULL}}, take_line, 0},
    {{"RM_XID_CRC", {NULL}}, take_line, 0},
    {{"RM_XID_CTXSW", {NULL}}, take_line, 0},
    {{"KFD_OVERSUBSCRIBED", {NULL}}, take_line, 0},
    {{"KFD_FENCE_TIMEOUT", {NULL}}, take_line, 0},
    {{"KFD_HANG", {NULL}}, take_line, 0},
    {{"KFD_RESET", {NULL}}, take_line, 0},
    {{"KFD_RESET_END", {NULL}}, take_line, 0},
    {{"KFD_NOT_PREEMPTED", {NULL}}, take_line, 0},
    {{"KFD_HQD_TIMEOUT", {NULL}}, take_line, 0},
    {{"KFD_SDMA_FULL", {NULL}}, take_line, 0},
    {{"KFD_XGMI_FULL", {NULL}}, take_line, 0},
    {{"KFD_SDMA_TIMEOUT", {NULL}}, take_line, 0},
    {{"AMDGPU_VM_FAULT", {NULL}}, take_line, 0},
    {{"AMDGPU_IH_OVERFLOW", {NULL}}, take_line, 0},
    {{"AMDGPU_CP_ERROR", {NULL}}, take_line, 0},
    {{"KFD_NO_PASID", {NULL}}, take_line, 0},
    {{"KFD_EVICT", {NULL}}, take_line, 0},
    {{"KFD_UNHANDLED", {NULL}}, take_line, 0},
};
/* clang-format on */

enum { TAKE_ROWS = sizeof take_rows / sizeof take_rows[0] };

_Static_assert(sizeof take_rows / sizeof take_rows[0] <= SUMMARY_TAKE_ROWS_MAX,
               "room for all rows");

uint32_t summary_take_rows(struct event_fields_row rows[SUMMARY_TAKE_ROWS_MAX])
{
    for (uint32_t i = 0; i < TAKE_ROWS; i++)
        rows[i] = take_rows[i].fields;
    return TAKE_ROWS;
}

void summary_take(struct summary *summary, const struct log_event *event, uint32_t row,
                  const uint64_t *values)
{
    take_rows[row].take(summary, &(struct taken){event, values, take_rows[row].detail});
}
