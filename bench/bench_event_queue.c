/* SPDX-License-Identifier: MIT */
/*
 * The event queue by the hold model: take the earliest event and push it again later by a
 * pseudo-random step, with a fixed number of events pending.  Controls: a bare binary heap, and
 * SystemC's kernel.  SystemC calls a method for each event, so it stands also beside the machine's
 * loop, which calls a unit.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/control_heap.h"
#include "emu/engine/event_queue.h"
#include "emu/engine/machine.h"
#include "emu/engine/random.h"
#include "tests/event_queue_calls.h"
#ifdef HAVE_SYSTEMC
#include "bench/bench_systemc.h"
#endif

enum {
    PENDING_MAX = 4096,
    EVENTS_PER_RUN = 400 * 1000,
    UNITS = 16,
    STEPS = 1 << 16,
    STEP_MAX_PS = 100 * 1000, /* steps are 1 ps to 0.1 us */
};

static uint32_t steps[STEPS]; /* all subjects take the same */
static uint32_t step_at;
static struct arena arena;
static struct event_queue queue;
static struct control_heap heap;
static struct control_entry heap_entries[PENDING_MAX];
static struct machine *machine;
static uint32_t units[UNITS]; /* each unit's state: its number */
static uint64_t events_left;

static uint32_t next_step(void)
{
    return steps[step_at++ % STEPS];
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_event_queue: %s\n", what);
    exit(1);
}

/* ---- the event queue ------------------------------------------------------------------------- */

static void queue_fill(uint32_t pending)
{
    struct event event;

    while (event_queue_pop(&queue, &event))
        continue;
    for (uint32_t i = 0; i < pending; i++) {
        event = (struct event){.time_ps = event_queue_now_ps(&queue) + next_step(),
                               .unit = i % UNITS,
                               .kind = i,
                               .argument = i};
        if (!event_queue_push(&queue, &event))
            fail("the queue is full");
    }
}

static uint64_t queue_hold(void *context)
{
    struct event event;

    (void)context;
    for (uint32_t i = 0; i < EVENTS_PER_RUN; i++) {
        if (!event_queue_pop(&queue, &event))
            return 0;
        event.time_ps += next_step();
        if (!event_queue_push(&queue, &event))
            return 0;
    }
    return EVENTS_PER_RUN;
}

/* ---- the machine's loop ---------------------------------------------------------------------- */

static void unit_event(void *unit, const struct event *event)
{
    const uint32_t *number = unit;

    if (events_left == 0)
        return; /* lets the machine run dry */
    events_left--;
    machine_schedule(machine, *number, event->time_ps + next_step(), event->kind, event->argument);
}

static const struct unit_ops unit_ops = {.event = unit_event};

static void machine_begin(void)
{
    const struct machine_config config = {
        .gpu = "none", .vram_bytes = 1 << 20, .sysmem_bytes = 1 << 20};
    struct gfe_error error = {0};

    machine = machine_new(&config, &error);
    if (!machine)
        fail(error.text);
    for (uint32_t i = 0; i < UNITS; i++)
        units[i] = machine_add_unit(machine, "unit", &unit_ops, &units[i]);
    if (!machine_seal(machine, &error))
        fail(error.text);
}

static void machine_fill(uint32_t pending)
{
    events_left = 0;
    if (!machine_run(machine, GFE_PS_NEVER))
        fail(machine->error.text);
    for (uint32_t i = 0; i < pending; i++)
        machine_schedule(machine, i % UNITS, machine_now(machine) + next_step(), i, i);
}

/* In steps of simulated time, as a replay does; what is pending stays the same. */
static uint64_t machine_hold(void *context)
{
    const uint32_t *pending = context;

    /* The last ones are not pushed again, so that the count is exact: filled again below. */
    events_left = EVENTS_PER_RUN - *pending;
    if (!machine_run(machine, GFE_PS_NEVER))
        return 0;
    return EVENTS_PER_RUN;
}

static void machine_prepare(void *context)
{
    const uint32_t *pending = context;

    machine_fill(*pending);
}

/* ---- controls -------------------------------------------------------------------------------- */

static void heap_fill(uint32_t pending)
{
    heap = (struct control_heap){.entries = heap_entries};
    for (uint32_t i = 0; i < pending; i++)
        control_heap_push(&heap, (struct control_entry){next_step(), i});
}

static uint64_t heap_hold(void *context)
{
    (void)context;
    for (uint32_t i = 0; i < EVENTS_PER_RUN; i++) {
        struct control_entry entry = control_heap_pop(&heap);

        entry.time += next_step();
        control_heap_push(&heap, entry);
    }
    return EVENTS_PER_RUN;
}

#ifdef HAVE_SYSTEMC
static uint64_t systemc_hold(void *context)
{
    (void)context;
    return bench_systemc_run(EVENTS_PER_RUN);
}
#endif

/* ---- the program ----------------------------------------------------------------------------- */

static void hold_case(struct bench *bench, uint32_t pending)
{
    char name[40];
    struct bench_case hold = {
        .name = name,
        .unit = "events/s",
        .target = 18e6,
        .subject = {.name = "event_queue", .run = queue_hold},
        .controls = {{.name = "binary heap", .run = heap_hold}},
    };

    (void)snprintf(name, sizeof name, "hold_%u", pending);
    queue_fill(pending);
    heap_fill(pending);
#ifdef HAVE_SYSTEMC
    hold.controls[1] = (struct bench_subject){
        .name = "SystemC", .run = systemc_hold, .target_ratio = pending == 1024 ? 2 : 0};
    bench_systemc_fill(pending);
#endif
    bench_run(bench, &hold);
}

static void machine_case(struct bench *bench, uint32_t pending)
{
    char name[40];
    struct bench_case hold = {
        .name = name,
        .unit = "events/s",
        .subject = {.name = "machine_run",
                    .prepare = machine_prepare,
                    .run = machine_hold,
                    .context = &pending},
    };

    (void)snprintf(name, sizeof name, "machine_hold_%u", pending);
#ifdef HAVE_SYSTEMC
    hold.controls[0] = (struct bench_subject){.name = "SystemC", .run = systemc_hold};
    bench_systemc_fill(pending);
#endif
    bench_run(bench, &hold);
}

int main(void)
{
    static const uint32_t pending[] = {16, 256, 1024, PENDING_MAX};
    struct bench *bench = bench_begin("bench_event_queue");
    struct gfe_error error = {0};
    struct random_state random;

    random_seed(&random, 1, 0);
    for (uint32_t i = 0; i < STEPS; i++)
        steps[i] = 1 + random_below(&random, STEP_MAX_PS);
    if (!arena_init(&arena, &error))
        fail(error.text);
    event_queue_init(&queue, &arena, 1 << 16, UNITS);
    machine_begin();
#ifdef HAVE_SYSTEMC
    bench_systemc_begin(PENDING_MAX, steps, STEPS);
    bench_note(bench, "SystemC is %s", bench_systemc_version());
#else
    bench_note(bench, "no SystemC: configure found no libsystemc-dev or no C++ compiler");
#endif
    for (size_t i = 0; i < sizeof pending / sizeof pending[0]; i++)
        hold_case(bench, pending[i]);
    for (size_t i = 0; i < sizeof pending / sizeof pending[0]; i++)
        machine_case(bench, pending[i]);
    machine_free(machine);
    arena_fini(&arena);
    return bench_end(bench);
}
