/* SPDX-License-Identifier: MIT */
/*
 * Two contexts that share the SMs by time: one is suspended and the other resumed, at each event,
 * with its blocks in the midst of their work.  An hour of slices as a runlist gives them, of 1,049
 * us, is 3.4 million such events.  Control: the same machine with the same event, which does
 * nothing.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "devices/core/core_events.h"
#include "devices/core/dispatch.h"
#include "emu/engine/machine.h"

enum { SWITCHES_PER_RUN = 100 * 1000, SM_COUNT = 10, SLICE_US = 1049 };

static const struct exec_limits limits = {.threads_per_sm = 2048,
                                          .warps_per_sm = 64,
                                          .blocks_per_sm = 32,
                                          .registers_per_sm = 65536,
                                          .registers_per_block = 65536,
                                          .registers_per_thread = 255,
                                          .shared_bytes_per_sm = 98304,
                                          .shared_bytes_per_block = 49152,
                                          .threads_per_block = 1024,
                                          .threads_per_warp = 32,
                                          .register_unit = 256,
                                          .partitions = 4,
                                          .grids = 64,
                                          .shared_unit_bytes = 256};

static struct machine *machine;
static struct dispatch dispatch;
static uint32_t unit, timer, switches;
static bool idle;

static void fail(const char *what)
{
    fprintf(stderr, "bench_suspend: %s\n", what);
    exit(1);
}

static void grid_done(void *client, uint32_t context, uint64_t grid_id)
{
    (void)client;
    (void)context;
    (void)grid_id;
    fail("a block has ended");
}

static void slice_end(void *context, const struct event *event)
{
    const uint32_t on = (uint32_t)event->argument;

    (void)context;
    if (!idle) {
        if (!dispatch_suspend(&dispatch, on, DISPATCH_AT_ONCE))
            fail("it is not suspended at once");
        dispatch_resume(&dispatch, 1 - on, 1 - on);
    }
    if (++switches < SWITCHES_PER_RUN)
        machine_set_timer(machine, timer, unit, machine_now(machine) + SLICE_US * GFE_PS_PER_US, 0,
                          1 - on);
}

static const struct unit_ops slicer_ops = {.event = slice_end};

static void launch(uint32_t context, uint32_t blocks)
{
    struct dispatch_launch grid = {
        .context = context, .channel_id = context, .block_count = blocks};
    uint32_t rule;

    if (!exec_need_make(&limits, 64, 32, 0, false, &grid.need, &rule))
        fail("no SM holds the block");
    (void)dispatch_launch(&dispatch, &grid);
}

/* Both have placed their blocks, which last for days. */
static void prepare(void *context)
{
    const struct machine_config config = {
        .gpu = "bench", .vram_bytes = 1 << 20, .sysmem_bytes = 1 << 20};
    const uint32_t blocks = *(const uint32_t *)context;
    struct gfe_error error = {0};

    machine_free(machine);
    machine = machine_new(&config, &error);
    if (!machine)
        fail(error.text);
    machine_add_tables(machine, &core_tables);
    unit = machine_add_unit(machine, "slicer", &slicer_ops, NULL);
    timer = machine_add_timer(machine);
    dispatch = (struct dispatch){.client = {.grid_done = grid_done}};
    dispatch_wire(&dispatch, machine, &limits, SM_COUNT, 1506000000);
    machine->parameters[PARAM_BLOCK_BASE_CYCLES] = UINT64_C(1) << 49;
    if (!machine_seal(machine, &error))
        fail(error.text);
    launch(0, blocks);
    launch(1, blocks);
    (void)machine_run(machine, 10 * GFE_PS_PER_US);
    if (!dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE))
        fail("it is not suspended at once");
    dispatch_resume(&dispatch, 1, 1);
    (void)machine_run(machine, 20 * GFE_PS_PER_US);
    switches = 0;
    machine_set_timer(machine, timer, unit, SLICE_US * GFE_PS_PER_US, 0, 1);
}

static uint64_t run(bool does_nothing)
{
    idle = does_nothing;
    (void)machine_run(machine, 2 * SWITCHES_PER_RUN * (SLICE_US * GFE_PS_PER_US));
    if (switches != SWITCHES_PER_RUN)
        fail("the run stopped");
    return switches;
}

static uint64_t run_switches(void *context)
{
    (void)context;
    return run(false);
}

static uint64_t run_nothing(void *context)
{
    (void)context;
    return run(true);
}

int main(void)
{
    static uint32_t counts[] = {1, 10, 320};
    struct bench *bench = bench_begin("bench_suspend");

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char name[40];
        struct bench_case one = {
            .name = name,
            .unit = "switches/s",
            .target = counts[i] == 1 ? 4e6 : 0,
            .subject = {.name = "suspend and resume",
                        .prepare = prepare,
                        .run = run_switches,
                        .context = &counts[i]},
            .controls = {{.name = "the event alone",
                          .prepare = prepare,
                          .run = run_nothing,
                          .context = &counts[i]}},
        };

        (void)snprintf(name, sizeof name, "blocks_%u", counts[i]);
        bench_run(bench, &one);
    }
    machine_free(machine);
    return bench_end(bench);
}
