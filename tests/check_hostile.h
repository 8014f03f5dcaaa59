/* SPDX-License-Identifier: MIT */
/*
 * For tests of what no program should do.  Of the two processes of fuzz_amd_node.h the first is
 * hostile, as the test says.  The second must not notice this.
 */
#ifndef TESTS_CHECK_HOSTILE_H
#define TESTS_CHECK_HOSTILE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "tests/check_machine.h"
#include "tests/fuzz/fuzz_amd_node.h"

#define P3(op, n)             (3u << 30 | ((n)-1u) << 16 | (uint32_t)(op) << 8)
#define CALL(at, size, chain) P3(0x3f, 3), (at), 0, (uint32_t)(size) | (chain) << 20 | 1u << 23
#define WRITE(at, value)      P3(0x37, 4), 5u << 8, (at), 0, (value)
#define SH(reg, value)        P3(0x76, 2), ((reg)-0xb000) / 4, (value)
#define WORDS(...)            (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define MS                    (1000 * GFE_PS_PER_US)
enum {
    STEPS = 30000,
    DATA = FUZZ_AMD_VA + FUZZ_AMD_DATA,
    KERNEL = FUZZ_AMD_VA + FUZZ_AMD_KERNEL,
    SIGNAL = FUZZ_AMD_VA + FUZZ_AMD_SIGNAL,
    NOWHERE = 0x1000000,             /* mapped in no address space */
    INACTIVE = FUZZ_AMD_SIDE + 0xc0, /* queue_inactive_signal */
};

static struct fuzz_amd *fuzz;
static struct check_machine log_;
static uint32_t driver;

/* Begins both processes' work.  The kernel driver gets no interrupts, so that a test can look at
 * what a fault leaves in a slot. */
static inline void setup(void)
{
    fuzz = fuzz_amd_get();
    fuzz_amd_begin(fuzz); /* brings back all of the machine, this unit too */
    driver = fuzz->machine->interrupt_unit;
    fuzz->machine->interrupt_unit = MACHINE_UNITS_MAX;
    memset(&log_, 0, sizeof log_);
    log_.machine = fuzz->machine;
    fuzz_amd_work(fuzz);
}

static inline void teardown(void)
{
    fuzz->machine->interrupt_unit = driver;
    free(log_.events);
}

/* ---- the first process ----------------------------------------------------------------------- */

static inline void put(uint32_t at, const uint32_t *dwords, uint32_t count)
{
    ck_assert(machine_write(fuzz->machine, MEMORY_VRAM, at, dwords, 4 * (size_t)count));
}

static inline uint32_t get(uint32_t at)
{
    uint32_t value;

    ck_assert(machine_read(fuzz->machine, MEMORY_VRAM, at, &value, sizeof value));
    return value;
}

static inline void ring(enum fuzz_amd_queue which, uint64_t value)
{
    amd_node_doorbell(&fuzz->node, fuzz->doorbell[which], value);
}

static inline void pm4(const uint32_t *dwords, uint32_t count)
{
    put(FUZZ_AMD_PM4, dwords, count);
    ring(FUZZ_AMD_QUEUE_PM4, count);
}

/* Submits an AQL packet as the first of the queue. */
static inline void aql(const uint32_t packet[16])
{
    put(FUZZ_AMD_AQL, packet, 16);
    ring(FUZZ_AMD_QUEUE_AQL, 0);
}

/* Makes SIGNAL the runtime's queue_inactive_signal. */
static inline void tell_me(void)
{
    put(INACTIVE, WORDS(SIGNAL, 0));
    put(FUZZ_AMD_SIGNAL, WORDS(1, 0, 0, 0));
}

/* ---- results --------------------------------------------------------------------------------- */

/* Runs to the end, or STEPS steps, because a queue may go on for ever.  `mine` has a bit for each
 * slot of the first process. */
static inline void run_with(uint64_t mine)
{
    uint64_t signal;

    fuzz_amd_run(fuzz, STEPS);
    ck_assert(
        machine_read(fuzz->machine, MEMORY_VRAM, FUZZ_AMD_BYTES + FUZZ_AMD_SIGNAL + 8, &signal, 8));
    ck_assert_uint_eq(signal, 98); /* the second process's work is done */
    fuzz_amd_check(fuzz, mine, false);
    check_machine_read_log(&log_);
}

static inline void run(void)
{
    run_with(UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_AQL] | UINT64_C(1)
                                                                 << fuzz->slot[FUZZ_AMD_QUEUE_PM4]);
}

static inline const struct amd_mec_queue *queue_of(enum fuzz_amd_queue which)
{
    return &fuzz->node.gpu.mec.state->queues[fuzz->slot[which]];
}

static inline uint32_t reg_of(enum fuzz_amd_queue which, uint32_t offset)
{
    return *amd_gc_hqd(&fuzz->node.gpu.gc, fuzz->slot[which], offset);
}

static inline uint32_t count(uint32_t kind)
{
    return check_machine_count(&log_, kind);
}

/* Returns the number of interrupts with the given source id. */
static inline uint32_t interrupts(uint32_t source_id)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count(EVENT_AMD_INTERRUPT); i++)
        found +=
            event_amd_interrupt_of(check_machine_event(&log_, EVENT_AMD_INTERRUPT, i)).source_id ==
            source_id;
    return found;
}

static inline void expect_stopped(enum fuzz_amd_queue which)
{
    ck_assert_uint_eq(queue_of(which)->phase, AMD_QUEUE_STOPPED);
}

#endif
