/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/lose_event.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/engine/random.h"
#include "emu/log/event_list.h"
#include "emu/replay/replay.h"
#include "emu/sim/gpus.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_machine.h"

/* What the log says is complete. */
static const struct {
    uint32_t kind;
    const char *name;
} ends[] = {
    {EVENT_GRID_END, "GRID_END"},
    {EVENT_BLOCK_END, "BLOCK_END"},
    {EVENT_COPY_END, "COPY_END"},
    {EVENT_WORK_END, "WORK_END"},
    {EVENT_AMD_PACKET_END, "AMD_PACKET_END"},
    {EVENT_AMD_SIGNAL, "AMD_SIGNAL"},
    {EVENT_AMD_WRITE, "AMD_WRITE"},
    {EVENT_AMD_SDMA_PACKET, "AMD_SDMA_PACKET"},
    {EVENT_AMD_SDMA_WRITE, "AMD_SDMA_WRITE"},
    {EVENT_NV_RELEASE, "NV_RELEASE"},
    {EVENT_NV_ACQUIRE, "NV_ACQUIRE"},
    {EVENT_NV_INLINE_WRITE, "NV_INLINE_WRITE"},
    {EVENT_NV_NOTIFY, "NV_NOTIFY"},
    {EVENT_CUDA_COMPLETE, "CUDA_COMPLETE"},
    {EVENT_CUDA_ITERATION, "CUDA_ITERATION"},
    {EVENT_DRIVER_JOB_DONE, "DRIVER_JOB_DONE"},
    {EVENT_HIP_RETURN, "HIP_RETURN"},
};

enum {
    ENDS = sizeof ends / sizeof ends[0],
    THREADS = ENDS, /* and threads of a recording that have ended */
    COUNTS,
    CLASSES_MAX = 1024,
    LIMIT_TIMES = 8, /* a run without an event may have so many times the events of the first one */
};

/* ---- the first run's events ------------------------------------------------------------------ */

struct event_class {
    uint32_t unit, kind;
    uint32_t count;
};

/* One event of the first run: which class it is of. */
struct spied {
    uint64_t event_count, capacity;
    uint32_t *class_of; /* by event, from 0 */
    struct event_class classes[CLASSES_MAX];
    uint32_t class_count;
    const struct unit_ops *originals[MACHINE_UNITS_MAX];
    struct unit_ops ops[MACHINE_UNITS_MAX];
};

static struct spied *spied;

static uint32_t class_of(uint32_t unit, uint32_t kind)
{
    uint32_t i = 0;

    while (i < spied->class_count &&
           (spied->classes[i].unit != unit || spied->classes[i].kind != kind))
        i++;
    if (i == CLASSES_MAX)
        return CLASSES_MAX - 1;
    if (i == spied->class_count)
        spied->classes[spied->class_count++] = (struct event_class){unit, kind, 0};
    return i;
}

static void spy(void *unit, const struct event *event)
{
    if (spied->event_count == spied->capacity) {
        spied->capacity = spied->capacity ? 2 * spied->capacity : 4096;
        spied->class_of = realloc(spied->class_of, spied->capacity * sizeof *spied->class_of);
        ck_assert_ptr_nonnull(spied->class_of);
    }
    spied->class_of[spied->event_count] = class_of(event->unit, event->kind);
    spied->classes[spied->class_of[spied->event_count++]].count++;
    spied->originals[event->unit]->event(unit, event);
}

static void spy_on(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->unit_count; i++) {
        spied->originals[i] = machine->units[i].ops;
        spied->ops[i] = *machine->units[i].ops;
        spied->ops[i].event = spy;
        machine->units[i].ops = &spied->ops[i];
    }
}

/* ---- a run ------------------------------------------------------------------------------------
 */

struct outcome {
    uint64_t done[COUNTS];
    uint32_t open_count;
    bool ended;
    char stopped[512]; /* why the run was stopped, or "" */
    char unit[64];     /* of the event that was lost, by its number */
};

static void outcome_read(struct outcome *outcome, const struct any_simulation *simulation)
{
    uint32_t count;
    struct log_event *events = check_machine_decode(simulation->machine, &count);

    for (uint32_t i = 0; i < count; i++)
        for (size_t end = 0; end < ENDS; end++)
            outcome->done[end] += events[i].kind == ends[end].kind;
    free(events);
    if (simulation->replay)
        outcome->done[THREADS] = simulation->replay->state->threads_done;
    outcome->open_count = simulation->machine->state->open_count;
    outcome->ended = any_simulation_ended(simulation);
}

static struct outcome run(const struct any_program *program, struct simulation_options options,
                          bool is_first)
{
    struct any_simulation simulation;
    struct gfe_error error = {0};
    struct outcome outcome = {0};

    options.log = NULL;
    ck_assert_msg(any_simulation_new(program, &options, &simulation, &error), "%s", error.text);
    if (is_first)
        spy_on(simulation.machine);
    if (!any_simulation_run(&simulation, GFE_PS_NEVER, &error))
        (void)snprintf(outcome.stopped, sizeof outcome.stopped, "%s", error.text);
    if (options.lost_event != 0)
        (void)snprintf(
            outcome.unit, sizeof outcome.unit, "%s",
            simulation.machine->units[spied->classes[spied->class_of[options.lost_event - 1]].unit]
                .name);
    outcome_read(&outcome, &simulation);
    any_simulation_free(&simulation);
    return outcome;
}

/* ---- events by lot --------------------------------------------------------------------------- */

static uint64_t lot(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Returns the events in the order in which they are to be lost: one of each class, by lot, then a
 * second one, and so on.  The caller frees it. */
static uint64_t *events_by_lot(uint64_t seed)
{
    const uint64_t count = spied->event_count;
    uint64_t *numbers = calloc(count + 1, sizeof *numbers),
             *order = calloc(count + 1, sizeof *order);
    uint32_t *turns = calloc(CLASSES_MAX, sizeof *turns);
    uint32_t *turn_of = calloc(count + 1, sizeof *turn_of);
    uint64_t at = 0;

    ck_assert(numbers && order && turns && turn_of);
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint64_t i = count; i > 1; i--) { /* shuffled */
        const uint64_t other = lot(&seed) % i, number = numbers[i - 1];

        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
    for (uint64_t i = 0; i < count; i++)
        turn_of[i] = turns[spied->class_of[numbers[i]]]++;
    for (uint32_t turn = 0; at < count; turn++)
        for (uint64_t i = 0; i < count; i++)
            if (turn_of[i] == turn)
                order[at++] = 1 + numbers[i];
    free(turn_of);
    free(turns);
    free(numbers);
    return order;
}

/* ---- the check ------------------------------------------------------------------------------- */

/* Returns the first count that is less than in the first run, or COUNTS. */
static uint32_t undone(const struct outcome *first, const struct outcome *outcome)
{
    uint32_t i = 0;

    while (i < COUNTS && outcome->done[i] >= first->done[i])
        i++;
    return i;
}

struct lose_event_result lose_event_check(const struct any_program *program,
                                          const struct simulation_options *options,
                                          const char *name, uint32_t samples)
{
    struct simulation_options without = *options;
    struct lose_event_result result = {0};
    struct outcome first;
    uint32_t silent = 0;
    uint64_t *order;

    spied = calloc(1, sizeof *spied);
    ck_assert_ptr_nonnull(spied);
    without.lost_event = 0;
    first = run(program, without, true);
    ck_assert_msg(first.ended && first.stopped[0] == '\0', "%s: %s", name, first.stopped);
    ck_assert_msg(first.open_count == 0, "%s: %u waits are open though nothing was lost", name,
                  first.open_count);
    order = events_by_lot(1);
    without.max_events = LIMIT_TIMES * spied->event_count + 1000;
    for (uint64_t i = 0; i < samples && i < spied->event_count; i++) {
        const struct event_class *class = &spied->classes[spied->class_of[order[i] - 1]];
        struct outcome outcome;
        uint32_t less;

        without.lost_event = order[i];
        outcome = run(program, without, false);
        if (!outcome.ended)
            continue;
        less = undone(&first, &outcome);
        result.tried++;
        result.undone += less < COUNTS;
        if (less == COUNTS || outcome.open_count > 0)
            continue;
        silent++;
        fprintf(stderr,
                "%s: event %" PRIu64 " (kind %u of %s) was lost: %" PRIu64 " %s of %" PRIu64
                ", and nothing is reported\n",
                name, order[i], class->kind, outcome.unit, outcome.done[less],
                less < ENDS ? ends[less].name : "threads", first.done[less]);
    }
    free(order);
    free(spied->class_of);
    free(spied);
    ck_assert_msg(silent == 0, "%s: %u of %u runs leave work undone in silence", name, silent,
                  result.tried);
    return result;
}

struct lose_event_result
lose_event_check_file(const char *path, const struct simulation_options *options, uint32_t samples)
{
    const char *folder = getenv("top_srcdir");
    struct simulation_options with_gpu = *options;
    struct lose_event_result result;
    struct gfe_error error = {0};
    struct any_program program = {0};
    char full[4096];

    (void)snprintf(full, sizeof full, "%s/%s", folder ? folder : ".", path);
    if (strstr(path, ".gft")) {
        struct replay_input *input = replay_load(full, &error);

        ck_assert_msg(input != NULL, "%s", error.text);
        program.input = input;
        result = lose_event_check(&program, options, path, samples);
        replay_input_free(input);
        return result;
    }
    if (!options->gpu)
        with_gpu.gpu = gpu_amd.default_gpu;
    program.hip_path = full;
    return lose_event_check(&program, &with_gpu, path, samples);
}
