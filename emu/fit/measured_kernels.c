/* SPDX-License-Identifier: MIT */
/*
 * Lines of tests/hardware/launch_times.cu and sm_order.cu: kernels of one stream as lists of starts
 * and ends, and kernels with the SM of each block.
 *
 * What the programs ask for and their lines do not say is here as those programs have it; members
 * gate_ns and spin_ns of a line count more.
 */
#include <config.h>

#include "emu/fit/measured_private.h"

enum {
    GATE_NS = 1500000, /* the kernel in front of a chain that was submitted before it could begin */
    ONE_NS = 300000,   /* a kernel alone */
    FIRST_NS = 1500000,
    SECOND_NS = 200000, /* two kernels, and what lies between their calls */
    BETWEEN_NS = 200000,
    STATIC_BYTES = 8, /* of shared memory, of the kernel in spin.cuh, beside what lines say */
    REGISTERS = 16,   /* of that kernel, on an H100 */
};

/* ---- a chain --------------------------------------------------------------------------------- */

bool fit_chain_is(const json_t *line)
{
    return json_is_array(json_object_get(line, "start_ns")) &&
           json_is_array(json_object_get(line, "end_ns")) && json_object_get(line, "spin_ns") &&
           json_object_get(line, "blocks") && !json_object_get(line, "bytes") &&
           (json_is_array(json_object_get(line, "host_ns")) ||
            json_is_integer(json_object_get(line, "freed_ns")));
}

/* The times of one kernel of the chain. */
static bool chain_times(const struct spot *line, uint32_t index, struct fit_operation *operation)
{
    const struct spot starts = spot_member(line, "start_ns"), ends = spot_member(line, "end_ns");
    const struct spot calls = spot_member(line, "host_ns");
    struct fit_span *span = operation->real.spans;

    if (!fit_time_of(&starts, index, 0, &span->begin_ns) ||
        !fit_time_of(&ends, index, 0, &span->end_ns))
        return false;
    if (span->end_ns < span->begin_ns) {
        const struct spot end = spot_element(&ends, index);

        return spot_wrong(&end, "the kernel ends before it begins");
    }
    return !calls.json || fit_time_of(&calls, index, 0, &operation->call_ns);
}

bool fit_chain_read(const struct spot *line, struct fit_part *part)
{
    const struct spot starts = spot_member(line, "start_ns");
    int64_t blocks, spin, gate = spot_member(line, "freed_ns").json ? GATE_NS : 0;
    size_t count;

    part->form = FIT_KERNELS;
    if (!fit_number(line, "blocks", 1, FIT_BLOCKS_MAX, "a number of blocks", &blocks) ||
        !fit_number(line, "spin_ns", 0, FIT_TIME_MAX, "a time in ns", &spin) ||
        !fit_may_number(line, "gate_ns", 0, FIT_TIME_MAX, "a time in ns", &gate) ||
        !spot_array(&starts, FIT_OPERATIONS_MAX, "a list of times", &count) ||
        !fit_streams_own(line, part, 1) ||
        !fit_operations_own(line, part, (uint32_t)count, "kernel"))
        return false;
    part->gate_ns = (double)gate;
    for (uint32_t i = 0; i < count; i++) {
        struct fit_operation *operation = &part->operations[i];

        operation->block_count = (uint32_t)blocks;
        operation->spin_ns = (double)spin;
        operation->thread_count = FIT_SMALL_THREADS;
        if (!fit_shape_read(line, operation) || !chain_times(line, i, operation))
            return false;
    }
    return true;
}

/* ---- kernels with the SM of each block ------------------------------------------------------- */

bool fit_placed_is(const json_t *line)
{
    return json_is_array(json_object_get(line, "sms")) &&
           json_is_array(json_object_get(line, "start_ns")) && json_object_get(line, "threads");
}

/* The blocks of a kernel from a list of SMs, each of which lasts as long as the kernel was asked
 * to.  `starts` may be missing. */
static bool placed_blocks(const struct spot *sms, const struct spot *starts,
                          struct fit_operation *operation)
{
    struct fit_span *span = operation->real.spans;
    size_t count;

    if (!spot_array(sms, FIT_BLOCKS_MAX, "a list of SMs", &count))
        return false;
    operation->real.blocks = fit_room(sms, count, sizeof operation->real.blocks[0]);
    if (!operation->real.blocks)
        return false;
    operation->block_count = (uint32_t)count;
    operation->blocks_seen = operation->end_unseen = true;
    operation->begin_unseen = !starts->json;
    for (uint32_t i = 0; i < count; i++) {
        const struct spot sm = spot_element(sms, i);
        struct fit_block *block = &operation->real.blocks[i];

        if (!spot_number32(&sm, 0, FIT_SMS_MAX, "an SM", &block->sm) ||
            (starts->json && !fit_time_of(starts, i, 0, &block->begin_ns)))
            return false;
        block->end_ns = block->begin_ns + operation->spin_ns;
        if (i == 0 || block->begin_ns < span->begin_ns)
            span->begin_ns = block->begin_ns;
        if (i == 0 || block->end_ns > span->end_ns)
            span->end_ns = block->end_ns;
    }
    return true;
}

/* Reads what a kernel of spin.cuh needs. */
static bool placed_shape(const struct spot *line, struct fit_operation *operation)
{
    operation->registers = REGISTERS;
    if (!fit_shape_read(line, operation))
        return false;
    operation->shared_bytes += STATIC_BYTES;
    return true;
}

/* The kernel that holds part of the GPU already. */
static bool first_read(const struct spot *line, struct fit_operation *operation)
{
    const struct spot sms = spot_member(line, "first_sms"), none = {.json = NULL};
    int64_t threads;

    if (!fit_number(line, "first_threads", 1, 1024, "a number of threads", &threads))
        return false;
    operation->thread_count = (uint32_t)threads;
    operation->registers = REGISTERS;
    operation->shared_bytes = STATIC_BYTES;
    operation->spin_ns = FIRST_NS;
    return placed_blocks(&sms, &none, operation);
}

bool fit_placed_read(const struct spot *line, struct fit_part *part)
{
    const struct spot sms = spot_member(line, "sms"), starts = spot_member(line, "start_ns");
    const uint32_t count = spot_member(line, "first_sms").json ? 2 : 1;
    int64_t spin = count == 2 ? SECOND_NS : ONE_NS;
    struct fit_operation *last;

    part->form = FIT_KERNELS;
    if (!fit_may_number(line, "spin_ns", 0, FIT_TIME_MAX, "a time in ns", &spin) ||
        !fit_streams_own(line, part, count) || !fit_operations_own(line, part, count, "kernel"))
        return false;
    last = &part->operations[count - 1];
    last->stream = count - 1;
    last->spin_ns = (double)spin;
    if (count == 2) {
        last->pause_ns = BETWEEN_NS;
        if (!first_read(line, &part->operations[0]))
            return false;
    }
    return placed_shape(line, last) && placed_blocks(&sms, &starts, last);
}
