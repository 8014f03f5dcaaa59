/* SPDX-License-Identifier: MIT */
/* All that a program asks for is done, and nothing else; blocks run as long as they cost. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "emu/selftest/account.h"
#include "emu/selftest/world_bus.h"
#include "firmware-models/cuda/cuda_tables.h"

/* What the world's program asks for. */
struct wanted {
    uint64_t grids, blocks, copies, copy_bytes, draws, releases;
    uint64_t copy_kernels; /* of the grids; their blocks are not in `blocks` */
};

static uint64_t number(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, key);

    return value ? (uint64_t)json_integer_value(value) : otherwise;
}

/* The way of a copy or memset with choice point cuda.copy_way at by-size, as its alternatives are
 * documented: a kernel on the device and for large sets, the pushbuffer for what is small. */
enum way { BY_ENGINE, BY_KERNEL, BY_PUSHBUFFER };

static enum way way_of(const struct machine *machine, const json_t *copy, const json_t *fill)
{
    const char *direction = json_string_value(json_object_get(copy, "direction"));
    const char *engine = json_string_value(json_object_get(copy, "engine"));
    const uint64_t bytes = number(copy ? copy : fill, "bytes", 0);

    if (machine->choices[CHOICE_CUDA_COPY_WAY] != CUDA_COPY_BY_SIZE ||
        (engine && strcmp(engine, "graphics") == 0))
        return BY_ENGINE;
    if (fill)
        return bytes < machine_parameter(machine, PARAM_CUDA_INLINE_SET_BYTES) ? BY_PUSHBUFFER
                                                                               : BY_KERNEL;
    if (direction && strcmp(direction, "on device") == 0)
        return BY_KERNEL;
    return direction && strcmp(direction, "to device") == 0 && number(copy, "rows", 1) == 1 &&
                   bytes < machine_parameter(machine, PARAM_CUDA_INLINE_BYTES)
               ? BY_PUSHBUFFER
               : BY_ENGINE;
}

static void call_wanted(const struct machine *machine, const json_t *call, uint64_t times,
                        struct wanted *wanted)
{
    const json_t *launch = json_object_get(call, "launch"), *copy = json_object_get(call, "copy"),
                 *fill = json_object_get(call, "memset");

    if (launch) {
        wanted->grids += times;
        wanted->blocks += times * number(launch, "blocks", 0);
    }
    if ((copy || fill) && way_of(machine, copy, fill) == BY_KERNEL) {
        wanted->grids += times;
        wanted->copy_kernels += times;
    } else if ((copy || fill) && way_of(machine, copy, fill) == BY_ENGINE) {
        wanted->copies += times;
        wanted->copy_bytes += times * number(copy ? copy : fill, "bytes", 0);
    }
}

static void cuda_wanted(const struct machine *machine, const json_t *program, struct wanted *wanted)
{
    const json_t *process, *task, *call;
    size_t p, t, c;

    json_array_foreach(json_object_get(program, "processes"), p, process)
        json_array_foreach(json_object_get(process, "tasks"), t, task)
            json_array_foreach(json_object_get(task, "calls"), c, call)
                call_wanted(machine, call, number(task, "iterations", 1), wanted);
}

static void hip_wanted(const json_t *program, struct wanted *wanted)
{
    const json_t *plugin;
    size_t p;

    json_array_foreach(json_object_get(program, "plugins"), p, plugin)
    {
        const uint64_t times =
            number(plugin, "max_iterations", number(program, "max_iterations", 0));

        wanted->grids += times;
        wanted->blocks += times * number(plugin, "block_count", 0);
    }
}

static struct wanted wanted_of(const struct world_run *run)
{
    const json_t *program = world_program(run->loaded->world);
    struct wanted wanted = {0};

    if (run->kind == WORLD_CUDA)
        cuda_wanted(run->simulation.machine, program, &wanted);
    if (run->kind == WORLD_HIP)
        hip_wanted(program, &wanted);
    if (run->kind == WORLD_BUS) {
        const struct world_bus_work work = world_bus_work(program);

        wanted = (struct wanted){
            work.launches, work.blocks, work.copies, work.copy_bytes, work.draws, work.releases, 0};
    }
    return wanted;
}

static struct wanted done_of(const struct account *account, const struct world_run *run)
{
    struct wanted done = {0};

    for (uint64_t id = 0; id < account->count; id++) {
        const struct account_work *work = &account->works[id];

        if (!work->ended)
            continue;
        done.grids += work->kind == ACCOUNT_GRID;
        done.blocks += work->blocks_ended;
        /* A release for an event of CUDA is a launch that copies nothing. */
        done.copies += work->kind == ACCOUNT_COPY && (run->kind != WORLD_CUDA || work->bytes > 0);
        done.copy_bytes += work->bytes;
        done.draws += work->kind == ACCOUNT_DRAW;
    }
    for (uint32_t i = 0; run->kind == WORLD_BUS && i < run->event_count; i++)
        done.releases += run->events[i].kind == EVENT_NV_RELEASE;
    return done;
}

static bool same(const char *what, uint64_t wanted, uint64_t done, bool complete,
                 char says[INVARIANT_SAYS_BYTES])
{
    if (wanted == done || (!complete && done < wanted))
        return true;
    return invariant_wrong(says, "%" PRIu64 " %s are asked for, and %" PRIu64 " are done", wanted,
                           what, done);
}

/* Channels release 1, 2, 3 and so on. */
static bool releases_follow(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    uint64_t last[WORLD_BUS_CHANNELS_MAX + 1] = {0};

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct log_event *event = &run->events[i];

        if (event->kind != EVENT_NV_RELEASE)
            continue;
        const struct event_nv_release release = event_nv_release_of(event);
        uint64_t *before = &last[(release.channel_id & 0xffff) % (WORLD_BUS_CHANNELS_MAX + 1)];

        if (release.value != ++*before)
            return invariant_wrong(says,
                                   "channel %" PRIu64 " releases %" PRIu64 " in place of %" PRIu64
                                   " at %" PRIu64 " ps",
                                   release.channel_id, release.value, *before, event->time_ps);
    }
    return true;
}

/* Kernels that copy have blocks of their own, at least one each, beside those that are asked for.
 */
static bool blocks_hold(const struct wanted *wanted, const struct wanted *done, bool complete,
                        char says[INVARIANT_SAYS_BYTES])
{
    if (wanted->copy_kernels == 0)
        return same("blocks", wanted->blocks, done->blocks, complete, says);
    return !complete || done->blocks >= wanted->blocks + wanted->copy_kernels ||
           invariant_wrong(says, "%" PRIu64 " blocks are done, less than are asked for",
                           done->blocks);
}

bool invariant_work(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    const bool complete = run->open_count == 0 && !account_has_refusal(run);
    struct account account;
    struct wanted wanted, done;
    bool holds;

    if (run->disturbance == WORLD_FAULTY)
        return true;
    account_make(&account, run);
    wanted = wanted_of(run);
    done = done_of(&account, run);
    holds = account.says[0] == '\0' || invariant_wrong(says, "%.200s", account.says);
    holds = holds && same("grids", wanted.grids, done.grids, complete, says) &&
            blocks_hold(&wanted, &done, complete, says) &&
            same("copies", wanted.copies, done.copies, complete, says) &&
            same("bytes of copies", wanted.copy_bytes, done.copy_bytes, complete, says) &&
            same("draws", wanted.draws, done.draws, complete, says) &&
            same("releases", wanted.releases, done.releases, complete, says) &&
            (run->kind != WORLD_BUS || releases_follow(run, says));
    account_fini(&account);
    return holds;
}

/* ---- how long blocks run --------------------------------------------------------------------- */

/* The default time of a block: its parameters' texts say it (gfe rules core.block). */
static uint64_t default_cycles(const struct world_run *run, const struct account_work *grid)
{
    const struct machine *machine = run->simulation.machine;
    const uint32_t size = run->limits.threads_per_warp ? run->limits.threads_per_warp : 32;
    const uint64_t warps = (grid->threads + size - 1) / size;

    return machine_parameter(machine, PARAM_BLOCK_BASE_CYCLES) +
           warps * machine_parameter(machine, PARAM_BLOCK_WARP_CYCLES);
}

/* A block of a clock's time ends then, or when its context is back; one of work stands still
 * meanwhile.  Each start and each stop may be a cycle off. */
static bool block_adds_up(const struct world_run *run, const struct account_work *grid,
                          const struct account_block *block, uint64_t sm_hz,
                          char says[INVARIANT_SAYS_BYTES])
{
    const uint64_t cycle_ps = GFE_PS_PER_S / sm_hz + 1, slack_ps = (2 + block->stops) * cycle_ps;
    const gfe_ps whole_ps = block->end_ps - block->start_ps;
    const bool by_clock = grid->block_ps > 0;
    const uint64_t cycles = grid->block_cycles > 0 ? grid->block_cycles : default_cycles(run, grid);
    const gfe_ps cost_ps =
        by_clock ? grid->block_ps : (gfe_ps)((unsigned __int128)cycles * GFE_PS_PER_S / sm_hz);
    const gfe_ps ran_ps = by_clock ? whole_ps : whole_ps - block->rest_ps;

    if (ran_ps + slack_ps >= cost_ps &&
        (ran_ps <= cost_ps + slack_ps || (by_clock && block->stops > 0)))
        return true;
    return invariant_wrong(says,
                           "a block that starts at %" PRIu64 " ps runs for %" PRIu64
                           " ps and costs %" PRIu64 " ps (stopped %u times, for %" PRIu64 " ps)",
                           block->start_ps, ran_ps, cost_ps, block->stops, block->rest_ps);
}

bool invariant_slices(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    const struct nv_chip *model = nv_chip_by_name(world_gpu(run->loaded->world));
    struct account account;
    bool holds = true;

    if (!model || run->disturbance == WORLD_FAULTY)
        return true;
    account_make(&account, run);
    for (uint64_t id = 0; id < account.count && holds; id++) {
        const struct account_work *grid = &account.works[id];

        for (uint32_t i = 0; grid->kind == ACCOUNT_GRID && holds && i < grid->blocks; i++) {
            const struct account_block *block = &account.blocks[grid->first_block + i];

            if (block->ended)
                holds = block_adds_up(run, grid, block, model->sm_hz, says);
        }
    }
    account_fini(&account);
    return holds;
}
