/* SPDX-License-Identifier: MIT */
/*
 * What the tests of a PBDMA's interrupts share (test_nv_pbdma_intr.c, test_nv_pbdma_inject.c): bits
 * and registers, the bits of each generation, and a machine of a generation.  Typed from
 * open-gpu-doc gv100, tu104, ga100 dev_pbdma.ref.txt and nvgpu's hw_pbdma_*.h.
 */
#ifndef GFE_TESTS_CHECK_PBDMA_INTR_H
#define GFE_TESTS_CHECK_PBDMA_INTR_H

#include "devices/nvidia/nv_pbdma_intr.h"
#include "tests/check_pbdma.h"

enum {
    INTR_0 = 0x108,
    INTR_EN_0 = 0x10c,
    TIMEOUT = 0x12c,
    INTR_STALL = 0x13c,
    INTR_STALL_1 = 0x140,
    INTR_1 = 0x148,
    INTR_EN_1 = 0x14c,
    INTR_0_EN_SET_TREE = 0x170, /* Ampere */
    INTR_1_EN_SET_TREE = 0x180,
    INTR_0_EN_CLEAR_TREE = 0x190,
    METHOD0 = 0xc0,
    DATA0 = 0xc4,
    HCE_DBG0 = 0x150,
    HCE_DBG1 = 0x154,
    REF = 0x28,
    RAMFC_REF = CHECK_INSTANCES + REF,
    TSG = 32, /* of channel 0 (check_machine.h) */
    INTR_MEMFLUSH = 5,
    INTR_MEMOP = 6,
    INTR_METHODCRC = 22,
    INTR_ENG_RESET = 24,
    INTR_ACQUIRE = 26,
    INTR_HCE_RE_ILLEGAL_OP = 32,
    INTR_HCE_RE_ALIGNB = 32 + 1,
    INTR_HCE_PRIV = 32 + 2,
    INTR_HCE_ILLEGAL_MTHD = 32 + 3,
    INTR_HCE_ILLEGAL_CLASS = 32 + 4,
};
#define NOP_METHOD UINT32_C(0x80000008) /* METHOD0: VALID, NOP */

/* ---- generations ----------------------------------------------------------------------------- */

enum { KEPLER, MAXWELL, PASCAL, TEGRA_PASCAL, VOLTA, TURING, GA100, GA10B, ADA, HOPPER, CHIPS };
static const struct {
    const char *gpu;
    uint32_t intr_0, intr_1;
} chips[CHIPS] = {
    [KEPLER] = {"gtx680", 0xeeffffff, 0x1f},
    [MAXWELL] = {"gtx980", 0xeeffffff, 0x1f},
    [PASCAL] = {"gtx1060", 0xeeffffff, 0x1f},
    [TEGRA_PASCAL] = {"tx2", 0xfeffffff, 0x1f},
    [VOLTA] = {"titan-v", 0xcffffeff, 0x8000001f},
    [TURING] = {"rtx2080ti", 0xcffffeff, 0x8000001f},
    [GA100] = {"a100", 0xcfafe000, 0x8000001f},
    [GA10B] = {"orin", 0xcfafe000, 0x8000001f},
    [ADA] = {"rtx6000ada", 0xcfafe000, 0x8000001f},
    [HOPPER] = {"h100", 0xcfafe000, 0x8000001f},
};

/* One generation of each class; classes differ in their bits. */
enum { CLASSES = 3 };
static const int classes[CLASSES] = {TEGRA_PASCAL, TURING, GA100};

static uint32_t chip;

static inline bool has(uint32_t intr_bit)
{
    return (intr_bit < 32 ? chips[chip].intr_0 : chips[chip].intr_1) >> intr_bit % 32 & 1;
}

static inline void begin(int index)
{
    chip = (uint32_t)index;
    check_machine_begin_on(&check, chips[chip].gpu);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
}

/* ---- actions and their effects --------------------------------------------------------------- */

/* Pushes a semaphore operation: SEMAPHOREA to D or, from Volta on, SEM_ADDR_LO to SEM_EXECUTE. */
static inline void put_semaphore(uint32_t payload, uint32_t operation)
{
    if (chip < VOLTA)
        PUT_SEGMENT(0, 0, PB_INC(0, 0x10, 4), (uint32_t)(CHECK_DATA >> 32), (uint32_t)CHECK_DATA,
                    payload, operation);
    else
        PUT_SEGMENT(0, 0, PB_INC(0, 0x5c, 5), (uint32_t)CHECK_DATA, (uint32_t)(CHECK_DATA >> 32),
                    payload, 0, operation);
}

#define SEMAPHORE_OF_NO_KIND (chip < VOLTA ? 0x3u : 0x7u)
#define ACQUIRE_EQUAL        (chip < VOLTA ? 1u : 0u)

static inline void put_acquire(void)
{
    put_semaphore(9, ACQUIRE_EQUAL);
}

static inline void mend_acquire(void)
{
    check_machine_poke(&check, CHECK_DATA, 9);
}

static inline bool went_on(void)
{
    return check_machine_peek_vram(&check, RAMFC_REF) == 0x77;
}

static inline void expect_pending(uint32_t intr_bit)
{
    const uint64_t bits = intr_bit < NV_PBDMA_INTRS ? UINT64_C(1) << intr_bit : 0;

    ck_assert_uint_eq((pbdma_reg(INTR_0) | (uint64_t)pbdma_reg(INTR_1) << 32), bits);
}

static inline void clear(uint32_t intr_bit)
{
    pbdma_write(intr_bit < 32 ? INTR_0 : INTR_1, 1u << intr_bit % 32);
    check_machine_run(&check);
}

static inline void preempt(void)
{
    machine_write32(check.machine,
                    check.runlist_blocks ? check.model->runlists[0].pri_base + 0x98 : 0x2634,
                    1u << 24 | TSG);
    check_machine_run(&check);
}

#endif
