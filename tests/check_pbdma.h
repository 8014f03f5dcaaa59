/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the PBDMA share: a machine with one channel (each test file has its own), and
 * checks of its state.  Registers are those of PBDMA 0, which serves the channel.
 */
#ifndef GFE_TESTS_CHECK_PBDMA_H
#define GFE_TESTS_CHECK_PBDMA_H

#include <check.h>

#include "tests/check_machine.h"

enum {
    INTR_GPFIFO = 13,
    INTR_GPPTR = 14,
    INTR_GPENTRY = 15,
    INTR_GPCRC = 16,
    INTR_PBPTR = 17,
    INTR_PBENTRY = 18,
    INTR_PBCRC = 19,
    INTR_METHOD = 21,
    INTR_DEVICE = 23,
    INTR_SEMAPHORE = 25,
    INTR_PRI = 27,
    INTR_PBSEG = 30,
    INTR_SIGNATURE = 31,
    PBDMA0 = 0x40000,
    RAMFC_SUBDEVICE = CHECK_INSTANCES + 0x94,
    SUBDEVICE_1 = 0x30000001,    /* as in nouveau: masks enabled, active, number 1 */
    RELEASE_4_BYTES = 0x1100002, /* SEMAPHORED: RELEASE, no wait for idle, 4 bytes */
};

#define RELEASE(address, value)                                                                    \
    PB_INC(0, 0x10, 4), (uint32_t)((address) >> 32), (uint32_t)(address), (value), RELEASE_4_BYTES
#define PB_SET_MASK(mask)   (1u << 16 | (mask) << 4)
#define PB_STORE_MASK(mask) (2u << 16 | (mask) << 4)
#define PB_USE_MASK         (3u << 16)

static struct check_machine check;

static inline void check_pbdma_setup(void)
{
    check_machine_begin_channel(&check, false);
}

static inline void check_pbdma_teardown(void)
{
    check_machine_end(&check);
}

static inline uint32_t pbdma_reg(uint32_t offset)
{
    return machine_read32(check.machine, PBDMA0 + offset);
}

static inline void pbdma_write(uint32_t offset, uint32_t value)
{
    machine_write32(check.machine, PBDMA0 + offset, value);
}

/* Checks that a run raised only this interrupt: the PBDMA is frozen, the channel is not stopped. */
static inline void expect_interrupt(uint32_t bit)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(event).intr_bit, bit);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(pbdma_reg(0x108), 1u << bit);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
}

/* Clears the bit as software does, and lets the machine run on. */
static inline void clear_interrupt(uint32_t bit)
{
    pbdma_write(0x108, 1u << bit);
    check_machine_run(&check);
}

static inline void expect_stopped(void)
{
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_CHANNEL_STOP, RULE_NV_INTR), 1);
}

static inline void expect_fault(uint64_t address, uint32_t type, uint32_t is_write, uint32_t unit)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_MMU_FAULT, 0);

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_mmu_fault_of(event).address, address);
    ck_assert_uint_eq(event_nv_mmu_fault_of(event).fault_type, type);
    ck_assert_uint_eq(event_nv_mmu_fault_of(event).is_write, is_write);
    ck_assert_uint_eq(event_nv_mmu_fault_of(event).unit_kind, unit);
    ck_assert_uint_ne(machine_read32(check.machine, 0x2100) & 1u << 28, 0); /* INTR_0 MMU_FAULT */
    expect_stopped();
}

/* Returns class state of the front end, which methods of every header form reach. */
static inline uint32_t shadow(uint32_t subchannel, uint32_t method)
{
    return nv_fe_shadow(&check.gpu->fe, subchannel, method);
}

/* Flags of a segment's GP entry: FETCH in entry0, LEVEL and SYNC in entry1.  put_segment() puts a
 * segment with such flags into the ring. */
enum { ENTRY_CONDITIONAL = 1, ENTRY_SUBROUTINE = 1 << 9 };
#define ENTRY_SYNC_WAIT (1u << 31)
static inline void put_segment(const uint32_t *dwords, uint32_t count, uint32_t flags0,
                               uint32_t flags1)
{
    const uint64_t at = check_machine_dwords(&check, 0, dwords, count);

    check_machine_entry(&check, 0, (uint32_t)at | flags0,
                        (uint32_t)(at >> 32) | count << 10 | flags1, false);
}
#define PUT_SEGMENT(flags0, flags1, ...)                                                           \
    put_segment((const uint32_t[]){__VA_ARGS__},                                                   \
                sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (flags0), (flags1))

static inline void ring_and_run(void)
{
    check_machine_ring(&check, 0);
    check_machine_run(&check);
}

#endif
