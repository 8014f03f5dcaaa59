/* SPDX-License-Identifier: MIT */
/* Ampere: a runlist's block of registers, its channel RAM, doorbells, and the interrupt tree. */
/* PROMISE (nvidia): From Ampere on runlists have blocks of registers, with doorbells, interrupt
 * tree and idle filter. */
#include <config.h>

#include <check.h>

#include "tests/check_machine.h"
#include "tests/suites.h"

/* Offsets and bits of ga100/dev_runlist.ref.txt, dev_vm.ref.txt, dev_pbdma.ref.txt. */
enum {
    CHANNEL_CONFIG = 0x004,
    DOORBELL_CONFIG = 0x008,
    PBDMA_CONFIG = 0x010,
    IDLE_FILTER = 0x024,
    SUBMIT_INFO = 0x08c,
    INTERNAL_DOORBELL = 0x090,
    SCHED_DISABLE = 0x094,
    PREEMPT = 0x098,
    PREEMPT_TSG = 1 << 24,
    INTR_0 = 0x100,
    INTR_IDLE = 1 << 4,
    INTR_TSG_PREEMPT_COMPLETE = 1 << 8,
    INTR_RUNLIST_PREEMPT_COMPLETE = 1 << 9,
    INTR_BAD_TSG_BIT = 1 << 12,
    INTR_PBDMA0_TREE_0 = 1 << 16,
    INFO = 0x108,
    INFO_RUNLIST_IDLE = 1 << 9,
    EN_SET_TREE = 0x120,
    EN_CLEAR_TREE = 0x140,
    VECTORID = 0x160,
    BAD_TSG = 0x174,
    RETRIGGER = 0x180,
    ENGINE_STATUS_INST = 0x210,
    INST_VALID = 1 << 11,
    VIRTUAL_CHANNEL_CFG = 0x300,
    PBDMA_INTR_0 = 0x108,
    PBDMA_STATUS_SCHED = 0x15c,
    PBDMA_INTR_0_EN_SET_TREE = 0x170,
    CHRAM_ENABLE = 1 << 1,
    CHRAM_NEXT = 1 << 2,
    CHRAM_BUSY = 1 << 3,
    CHRAM_PBDMA_FAULTED = 1 << 4,
    CHRAM_ENG_FAULTED = 1 << 5,
    CHRAM_ON_PBDMA = 1 << 6,
    CHRAM_PENDING = 1 << 8,
    CHRAM_CTX_RELOAD = 1 << 9,
};
#define DOORBELL               0xbb0090u
#define LEAF(i)                (0xb81000u + 4 * (i))
#define LEAF_EN_SET(i)         (0xb81200u + 4 * (i))
#define LEAF_EN_CLEAR(i)       (0xb81400u + 4 * (i))
#define TOP                    0xb81600u
#define TOP_EN_SET             0xb81608u
#define TRIGGER                0xb81640u
#define DATA(offset)           ((uint32_t)CHECK_DATA + (offset))
/* SEM_ADDR_LO to SEM_EXECUTE: a release of 32 bits. */
#define RELEASE(offset, value) PB_INC(0, 0x5c, 5), DATA(offset), 0, (value), 0, 0x1
#define PBDMA(i)               (0x40000u + 0x800u * (i))

static struct check_machine check;
static struct nv_chip model;

static void set_up(void)
{
    model = check_machine_ga100();
    check_machine_begin_model(&check, &model);
    for (uint32_t i = 0; i < 3; i++)
        check_machine_channel(&check, i);
}

static void tear_down(void)
{
    check_machine_end(&check);
}

static uint32_t block(uint32_t runlist_id, uint32_t offset)
{
    return machine_read32(check.machine, CHECK_BLOCK(runlist_id) + offset);
}

static void write_block(uint32_t runlist_id, uint32_t offset, uint32_t value)
{
    machine_write32(check.machine, CHECK_BLOCK(runlist_id) + offset, value);
}

static uint32_t ram(uint32_t runlist_id, uint32_t chid)
{
    return machine_read32(check.machine, check_machine_channel_ram(&check, runlist_id, chid));
}

static void write_ram(uint32_t runlist_id, uint32_t chid, uint32_t value)
{
    machine_write32(check.machine, check_machine_channel_ram(&check, runlist_id, chid), value);
}

/* ---- the block ------------------------------------------------------------------------------- */

START_TEST(the_block_tells_where_everything_is)
{
    ck_assert_uint_eq(block(0, CHANNEL_CONFIG) & 15, 11);
    ck_assert_uint_eq((block(1, CHANNEL_CONFIG) & ~15u) - (block(0, CHANNEL_CONFIG) & ~15u),
                      0x2000);
    ck_assert_uint_eq(block(0, DOORBELL_CONFIG), 5 << 16);
    ck_assert_uint_eq(block(1, DOORBELL_CONFIG), 9 << 16);
    ck_assert_uint_eq(block(0, PBDMA_CONFIG), 0x80000000 | PBDMA(0));
    ck_assert_uint_eq(block(0, PBDMA_CONFIG + 4), 0x80000000 | PBDMA(1));
    ck_assert_uint_eq(block(1, PBDMA_CONFIG), 0x80000000 | PBDMA(2));
    ck_assert_uint_eq(block(1, PBDMA_CONFIG + 4), 0);
}
END_TEST

/* The same CHID on two runlists is two channels. */
START_TEST(channels_are_numbered_within_their_runlist)
{
    check_machine_runlist(&check, 1, 1, (const uint32_t[]){1});
    ck_assert_uint_eq(ram(1, 1), CHRAM_ENABLE);
    ck_assert_uint_eq(ram(0, 1), 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 16), 8);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2);
    for (uint32_t n = 0; n < 2; n++) {
        const struct event_nv_channel_load load =
            event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, n));

        ck_assert(load.channel_id == 0 || load.channel_id == 0x10001);
    }
}
END_TEST

/* Its instance block and USERD are where the entry says, not where RAMFC does. */
START_TEST(the_entry_says_where_userd_and_instance_block_are)
{
    const uint64_t userd = 0x300000;
    const uint32_t words[] = {128u << 24 | 3 << 16 | 1,       1, 40, 0, (uint32_t)userd, 0,
                              (CHECK_INSTANCES + 0x2000) | 5, 0};

    check_machine_runlist_raw(&check, 0, 2, words); /* channel 5 with channel 2's instance block */
    write_ram(0, 5, 2);
    (void)check_machine_dwords(&check, 2, (const uint32_t[]){RELEASE(0, 9)}, 6);
    check_machine_segment(&check, 2, CHECK_PUSH(2), 6, false);
    check_machine_poke_vram(&check, userd + 0x8c, 1);
    machine_write32(check.machine, DOORBELL, 5 << 16 | 5);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 9);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x2000 + 0x14), 1);
}
END_TEST

START_TEST(sched_disable_holds_what_is_not_on_yet)
{
    write_block(0, SCHED_DISABLE, 1);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(block(0, SCHED_DISABLE), 1);
    write_block(0, SCHED_DISABLE, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

/* When the channel leaves its PBDMA, after its last work. */
static gfe_ps idle_until(uint32_t period)
{
    gfe_ps at;

    tear_down();
    set_up();
    write_block(0, IDLE_FILTER, period);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    at = check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0)->time_ps;
    return at;
}

START_TEST(the_idle_filter_is_how_long_a_channel_may_have_no_work)
{
    const gfe_ps reset = idle_until(0x50), twice = idle_until(0xa0), none = idle_until(0);

    ck_assert_uint_eq(twice - reset, reset - none);
    ck_assert_uint_gt(reset, none);
}
END_TEST

/* A frozen PBDMA keeps its channel: the preemption is pending until the interrupt is cleared. */
static void freeze(void)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0)); /* ILLEGAL */
    check_machine_run(&check);
    ck_assert_uint_ne(machine_read32(check.machine, PBDMA(0) + PBDMA_INTR_0), 0);
}

START_TEST(a_preemption_is_pending_until_the_channel_is_off)
{
    const uint32_t word = _i == 0 ? 0 : PREEMPT_TSG | 32, pending = _i == 0 ? 1u << 21 : 1u << 20;

    freeze();
    ck_assert_uint_eq(block(0, PREEMPT) & (3u << 20), 0);
    write_block(1, PREEMPT, word); /* another runlist's */
    write_ram(0, 0, 3);
    write_block(0, PREEMPT, PREEMPT_TSG | 33); /* another TSG */
    ck_assert_uint_eq(block(0, PREEMPT) & (3u << 20), 0);
    write_block(0, PREEMPT, word);
    check_machine_run(&check);
    ck_assert_uint_eq(block(0, PREEMPT) & (3u << 20), pending);
    ck_assert_uint_eq(block(1, PREEMPT) & (3u << 20), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA(0) + PBDMA_STATUS_SCHED),
                      1u << 13 | 32); /* VALID */
    machine_write32(check.machine, PBDMA(0) + PBDMA_INTR_0, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(block(0, PREEMPT) & (3u << 20), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA(0) + PBDMA_STATUS_SCHED), 0);
}
END_TEST

/* Software may wait for this interrupt instead of reading the pending bits (dev_runlist.ref.txt of
 * GA100, PREEMPT). */
START_TEST(a_preemption_that_is_complete_raises_the_interrupt_of_its_kind)
{
    const bool tsg = _i == 1;
    const uint32_t bits = INTR_TSG_PREEMPT_COMPLETE | INTR_RUNLIST_PREEMPT_COMPLETE;

    freeze();
    write_ram(0, 0, 3);
    write_block(0, PREEMPT, tsg ? PREEMPT_TSG | 32 : 0);
    check_machine_run(&check);
    ck_assert_uint_eq(block(0, INTR_0) & bits, 0);
    machine_write32(check.machine, PBDMA(0) + PBDMA_INTR_0, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(block(0, INTR_0) & bits,
                      tsg ? INTR_TSG_PREEMPT_COMPLETE : INTR_RUNLIST_PREEMPT_COMPLETE);
    ck_assert_uint_eq(block(1, INTR_0) & bits, 0);
}
END_TEST

START_TEST(an_engines_status_shows_the_instance_block_of_its_channel)
{
    freeze();
    ck_assert_uint_eq(block(0, ENGINE_STATUS_INST), INST_VALID | CHECK_INSTANCES);
    ck_assert_uint_eq(block(0, ENGINE_STATUS_INST + 4), 0);
    ck_assert_uint_eq(block(1, ENGINE_STATUS_INST), 0);
}
END_TEST

/* Two TSGs, one on each runqueue (RUNQUEUE_SELECTOR, bit 1 of a channel's entry:
 * tu104/dev_ram.ref.txt).  Channel 1's PBDMA is frozen, so that its TSG stays on. */
static void run_on_both_runqueues(void)
{
#define HEADER(tsg_id) 128u << 24 | 3 << 16 | 1, 1, (tsg_id), 0
    const uint32_t userd = CHECK_USERD, instance = CHECK_INSTANCES;
    const uint32_t words[] = {HEADER(32),
                              userd,
                              0,
                              instance,
                              0,
                              HEADER(33),
                              (userd + 512) | 2,
                              0,
                              (instance + 0x1000) | 1,
                              0};

    check_machine_runlist_raw(&check, 0, 4, words);
    for (uint32_t i = 0; i < 2; i++)
        write_ram(0, i, 2);
    /* Channel 0 has no graphics context, and so does not wait for channel 1's engine. */
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x210, 0);
    CHECK_SUBMIT(&check, 1, PB_IMMD(0, 0x04, 0)); /* ILLEGAL */
    check_machine_run(&check);
    ck_assert_uint_ne(machine_read32(check.machine, PBDMA(1) + PBDMA_INTR_0), 0);
}

/* INTR_0_RUNLIST_IDLE and INFO_RUNLIST_IDLE are of the runlist: while a TSG is on in one runqueue,
 * the runlist is not idle because the other runqueue is. */
START_TEST(a_runlist_is_idle_when_both_its_runqueues_are)
{
    write_block(0, INTR_0, UINT32_MAX);
    run_on_both_runqueues();
    ck_assert_uint_eq(block(0, INTR_0) & INTR_IDLE, 0);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_END), 1);
    ck_assert_uint_eq(block(0, INTR_0) & INTR_IDLE, 0);
    ck_assert_uint_eq(block(0, INFO) & INFO_RUNLIST_IDLE, 0);
    write_ram(0, 1, 3); /* the rest of its work goes with it */
    write_block(0, PREEMPT, PREEMPT_TSG | 33);
    machine_write32(check.machine, PBDMA(1) + PBDMA_INTR_0, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(block(0, INTR_0) & INTR_IDLE, INTR_IDLE);
    ck_assert_uint_eq(block(0, INFO) & INFO_RUNLIST_IDLE, INFO_RUNLIST_IDLE);
}
END_TEST

START_TEST(what_a_submit_preempts_stands_in_submit_info)
{
    ck_assert_uint_eq(block(0, SUBMIT_INFO), 0);
    freeze();
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){1});
    ck_assert_uint_eq(block(0, SUBMIT_INFO), 1u << 14 | 32);
}
END_TEST

/* LOAD is 6 and SAVE 5 here, up to Turing the other way round. */
START_TEST(load_and_save_have_the_codes_of_the_generation)
{
    const bool turing = _i == 1;
    uint32_t seen = 0;

    if (turing) {
        tear_down();
        check_machine_begin_on(&check, "rtx2060");
        check_machine_channel(&check, 0);
    }
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    while (machine_step(check.machine)) {
        const uint32_t status =
            machine_read32(check.machine, turing ? 0x3080 : PBDMA(0) + PBDMA_STATUS_SCHED);
        const uint32_t code = status >> 13 & 7;

        if (seen % 10 != code)
            seen = 10 * seen + code;
    }
    ck_assert_uint_eq(seen, turing ? 5160 : 6150);
}
END_TEST

/* ---- BAD_TSG --------------------------------------------------------------------------------- */

START_TEST(a_list_that_is_wrong_says_so_in_the_runlists_own_registers)
{
    const uint32_t words[] = {128u << 24 | 3 << 16 | 1, 0, 40, 0}; /* no channels */

    check_machine_runlist_raw(&check, 1, 1, words);
    check_machine_run(&check);
    ck_assert_uint_eq(block(1, INTR_0) & INTR_BAD_TSG_BIT, INTR_BAD_TSG_BIT);
    ck_assert_uint_ne(block(1, BAD_TSG), 0);
    ck_assert_uint_eq(block(0, INTR_0), 0);
    write_block(1, INTR_0, INTR_BAD_TSG_BIT);
    ck_assert_uint_eq(block(1, INTR_0) & INTR_BAD_TSG_BIT, 0);
}
END_TEST

/* ---- channel RAM ----------------------------------------------------------------------------- */

START_TEST(words_of_the_channel_ram_set_and_clear_their_bits)
{
    static const struct {
        uint32_t written, left;
    } steps[] = {
        {0x2, CHRAM_ENABLE},
        {0x200, CHRAM_ENABLE | CHRAM_CTX_RELOAD},
        {0x30, CHRAM_ENABLE | CHRAM_CTX_RELOAD | CHRAM_PBDMA_FAULTED | CHRAM_ENG_FAULTED},
        {0x11, CHRAM_ENABLE | CHRAM_CTX_RELOAD | CHRAM_ENG_FAULTED},
        {0x21, CHRAM_ENABLE | CHRAM_CTX_RELOAD},
        {0x4, CHRAM_ENABLE | CHRAM_CTX_RELOAD | CHRAM_NEXT},
        {0x3, CHRAM_CTX_RELOAD | CHRAM_NEXT},
        {0x4c8, CHRAM_CTX_RELOAD | CHRAM_NEXT}, /* BUSY, ON_PBDMA, ON_ENG, PBDMA_BUSY: read only */
        {0x100, CHRAM_CTX_RELOAD | CHRAM_NEXT | CHRAM_PENDING | CHRAM_BUSY},
        {UINT32_MAX, 0},
        {0, 0},
    };

    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        write_ram(1, 2047, steps[i].written);
        ck_assert_msg(ram(1, 2047) == steps[i].left, "%u: %08x", i, ram(1, 2047));
        ck_assert_uint_eq(ram(1, 2046), 0);
        ck_assert_uint_eq(ram(0, 2047), 0);
    }
}
END_TEST

START_TEST(a_disabled_or_faulted_channel_does_not_run)
{
    static const uint32_t off[] = {0x3, 0x10, 0x20}, on[] = {0x2, 0x11, 0x21};

    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    write_ram(0, 0, off[_i]);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 16), 8); /* another TSG's */
    ck_assert_uint_eq(ram(0, 0) & CHRAM_PENDING, CHRAM_PENDING);
    write_ram(0, 0, on[_i]);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

START_TEST(a_channel_on_a_pbdma_says_so)
{
    freeze();
    ck_assert_uint_eq(ram(0, 0) & (CHRAM_ON_PBDMA | CHRAM_BUSY), CHRAM_ON_PBDMA | CHRAM_BUSY);
    ck_assert_uint_eq(ram(0, 1), 0);
}
END_TEST

/* ---- doorbells ------------------------------------------------------------------------------- */

static const struct {
    uint32_t cfg, token;
    bool heard;
} doorbells[] = {
    {0x800007ff, 5 << 16, true},
    {0x800007ff, 0x80050000, true},   /* GSP_DOORBELL_DISABLE is another's */
    {0x800007ff, 0x00450000, false},  /* RUNLIST_DOORBELL_DISABLE */
    {0x800007ff, 0x007f0000, false},  /* INVALID_RUNLIST */
    {0x800007ff, 0, false},           /* the runlist's number, not its doorbell's */
    {0x800007ff, 9 << 16, false},     /* another runlist's */
    {0x800007ff, 5 << 16 | 1, false}, /* another channel's */
    {0x000007ff, 5 << 16, false},     /* PENDING_ENABLE_FALSE */
    {0x80000000, 5 << 16 | 77, true}, /* MASK 0: every vector is channel SET */
    {0x800107ff, 5 << 16, false},     /* SET 1: vector 0 is channel 1 */
};

START_TEST(a_doorbells_word_names_runlist_and_vector)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    write_block(0, VIRTUAL_CHANNEL_CFG, doorbells[_i].cfg);
    (void)check_machine_dwords(&check, 0, (const uint32_t[]){RELEASE(0, 7)}, 6);
    check_machine_segment(&check, 0, CHECK_PUSH(0), 6, false);
    check_machine_poke_vram(&check, CHECK_USERD + 0x8c, 1);
    machine_write32(check.machine, DOORBELL, doorbells[_i].token);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), doorbells[_i].heard ? 7 : 0);
}
END_TEST

START_TEST(the_internal_doorbell_is_the_runlists_own)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    write_block(0, VIRTUAL_CHANNEL_CFG, 0);
    (void)check_machine_dwords(&check, 0, (const uint32_t[]){RELEASE(0, 7)}, 6);
    check_machine_segment(&check, 0, CHECK_PUSH(0), 6, false);
    check_machine_poke_vram(&check, CHECK_USERD + 0x8c, 1);
    write_block(1, INTERNAL_DOORBELL, 0);
    write_block(0, INTERNAL_DOORBELL, 1 << 16); /* of a virtual function */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    write_block(0, INTERNAL_DOORBELL, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

/* ---- interrupts ------------------------------------------------------------------------------ */

START_TEST(a_vector_goes_through_leaf_and_top)
{
    const uint32_t vector = 3 * 32 + 7; /* subtree 1 */

    machine_write32(check.machine, TRIGGER, vector);
    ck_assert_uint_eq(machine_read32(check.machine, LEAF(3)), 1u << 7);
    ck_assert_uint_eq(machine_read32(check.machine, TOP), 0);
    ck_assert_uint_eq(check.machine->state->interrupt_line, 0);
    machine_write32(check.machine, LEAF_EN_SET(3), 1u << 7);
    ck_assert_uint_eq(machine_read32(check.machine, TOP), 1u << 1);
    machine_write32(check.machine, LEAF(3), 1u << 6); /* another's */
    ck_assert_uint_eq(machine_read32(check.machine, LEAF(3)), 1u << 7);
    machine_write32(check.machine, LEAF_EN_CLEAR(3), 1u << 7);
    ck_assert_uint_eq(machine_read32(check.machine, TOP), 0);
    machine_write32(check.machine, LEAF(3), 1u << 7);
    ck_assert_uint_eq(machine_read32(check.machine, LEAF(3)), 0);
    machine_write32(check.machine, TRIGGER, 0xfff); /* no leaf has it */
}
END_TEST

/* NV_CTRL shows function 0 the same, and of the others nothing. */
START_TEST(ctrl_shows_the_physical_functions_leaves)
{
    machine_write32(check.machine, 0xb66c00, 70);
    ck_assert_uint_eq(machine_read32(check.machine, LEAF(2)), 1u << 6);
    ck_assert_uint_eq(machine_read32(check.machine, 0xb74000 + 4 * 2), 1u << 6);
    machine_write32(check.machine, 0xb78000 + 4 * 2, 1u << 6);
    ck_assert_uint_eq(machine_read32(check.machine, LEAF_EN_SET(2)), 1u << 6);
    ck_assert_uint_eq(machine_read32(check.machine, 0xb73400), 2);
    machine_write32(check.machine, 0xb74000 + 4 * 2, 1u << 6);
    ck_assert_uint_eq(machine_read32(check.machine, LEAF(2)), 0);
    machine_write32(check.machine, 0xb78000 + 4 * 18, 1u << 6); /* function 1's */
    ck_assert_uint_eq(machine_read32(check.machine, 0xb78000 + 4 * 18), 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0xb66880), 192);
    ck_assert_uint_eq(machine_read32(check.machine, 0xb668a8), 0xc561);
}
END_TEST

static uint32_t vector_of(uint32_t tree)
{
    return block(0, VECTORID + 4 * tree) & 0xfff;
}

static bool is_raised(uint32_t vector)
{
    return machine_read32(check.machine, LEAF(vector / 32)) >> vector % 32 & 1;
}

START_TEST(an_interrupt_of_a_pbdma_raises_the_vector_of_its_tree)
{
    const uint32_t tree = (uint32_t)_i, vector = vector_of(tree);

    write_block(0, EN_SET_TREE + 8 * tree, (uint32_t)INTR_PBDMA0_TREE_0 << 2 * tree);
    freeze();
    ck_assert_uint_eq(block(0, INTR_0), 0); /* enabled in no tree of the PBDMA's */
    ck_assert(!is_raised(vector));
    machine_write32(check.machine, PBDMA(0) + PBDMA_INTR_0_EN_SET_TREE + 4 * tree, UINT32_MAX);
    ck_assert_uint_eq(block(0, INTR_0), (uint32_t)(uint32_t)INTR_PBDMA0_TREE_0 << 2 * tree);
    ck_assert(is_raised(vector));
    ck_assert(!is_raised(vector_of(1 - tree)));
    /* Clearing the leaf alone does not bring it back, INTR_RETRIGGER does while it is pending. */
    machine_write32(check.machine, LEAF(vector / 32), 1u << vector % 32);
    write_block(0, EN_SET_TREE + 8 * tree, (uint32_t)INTR_PBDMA0_TREE_0 << 2 * tree);
    ck_assert(!is_raised(vector));
    write_block(0, RETRIGGER + 4 * (1 - tree), 1);
    ck_assert(!is_raised(vector));
    write_block(0, RETRIGGER + 4 * tree, 1);
    ck_assert(is_raised(vector));
    machine_write32(check.machine, LEAF(vector / 32), 1u << vector % 32);
    machine_write32(check.machine, PBDMA(0) + PBDMA_INTR_0, UINT32_MAX);
    write_block(0, RETRIGGER + 4 * tree, 1);
    ck_assert_uint_eq(block(0, INTR_0), 0);
    ck_assert(!is_raised(vector));
}
END_TEST

START_TEST(a_runlists_interrupt_raises_its_vector_when_it_is_enabled)
{
    const uint32_t words[] = {128u << 24 | 3 << 16 | 1, 0, 40, 0};

    if (_i == 1)
        write_block(0, VECTORID, 200); /* CPU_DISABLE */
    write_block(0, EN_SET_TREE, INTR_BAD_TSG_BIT);
    if (_i == 2)
        write_block(0, EN_CLEAR_TREE, INTR_BAD_TSG_BIT);
    check_machine_runlist_raw(&check, 0, 1, words);
    check_machine_run(&check);
    ck_assert_uint_ne(block(0, INTR_0) & INTR_BAD_TSG_BIT, 0);
    ck_assert_int_eq(is_raised(vector_of(0)), _i == 0);
}
END_TEST

/* NON_STALL_INTERRUPT: what RAMFC's INTR_NOTIFY says. */
START_TEST(a_channels_interrupt_has_the_vector_of_its_ramfc)
{
    const bool enabled = _i == 0;

    check_machine_poke_vram(&check, CHECK_INSTANCES + 0xf8, (enabled ? 0x80000000u : 0) | 45);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x20, 0));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_INTR), 1);
    ck_assert_int_eq(is_raised(45), enabled);
}
END_TEST

static void add_block(Suite *suite)
{
    TCase *tcase = tcase_create("block");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_block_tells_where_everything_is);
    tcase_add_test(tcase, channels_are_numbered_within_their_runlist);
    tcase_add_test(tcase, the_entry_says_where_userd_and_instance_block_are);
    tcase_add_test(tcase, sched_disable_holds_what_is_not_on_yet);
    tcase_add_test(tcase, the_idle_filter_is_how_long_a_channel_may_have_no_work);
    tcase_add_loop_test(tcase, a_preemption_is_pending_until_the_channel_is_off, 0, 2);
    tcase_add_loop_test(tcase, a_preemption_that_is_complete_raises_the_interrupt_of_its_kind, 0,
                        2);
    tcase_add_test(tcase, an_engines_status_shows_the_instance_block_of_its_channel);
    tcase_add_test(tcase, a_runlist_is_idle_when_both_its_runqueues_are);
    tcase_add_test(tcase, what_a_submit_preempts_stands_in_submit_info);
    tcase_add_loop_test(tcase, load_and_save_have_the_codes_of_the_generation, 0, 2);
    tcase_add_test(tcase, a_list_that_is_wrong_says_so_in_the_runlists_own_registers);
    suite_add_tcase(suite, tcase);
}

Suite *nv_runlist_block_suite(void)
{
    Suite *suite = suite_create("nv_runlist_block");
    TCase *channels = tcase_create("channel RAM"), *rings = tcase_create("doorbells");
    TCase *interrupts = tcase_create("interrupts");

    add_block(suite);
    tcase_add_checked_fixture(channels, set_up, tear_down);
    tcase_add_test(channels, words_of_the_channel_ram_set_and_clear_their_bits);
    tcase_add_loop_test(channels, a_disabled_or_faulted_channel_does_not_run, 0, 3);
    tcase_add_test(channels, a_channel_on_a_pbdma_says_so);
    suite_add_tcase(suite, channels);
    tcase_add_checked_fixture(rings, set_up, tear_down);
    tcase_add_loop_test(rings, a_doorbells_word_names_runlist_and_vector, 0,
                        (int)(sizeof doorbells / sizeof doorbells[0]));
    tcase_add_test(rings, the_internal_doorbell_is_the_runlists_own);
    suite_add_tcase(suite, rings);
    tcase_add_checked_fixture(interrupts, set_up, tear_down);
    tcase_add_test(interrupts, a_vector_goes_through_leaf_and_top);
    tcase_add_test(interrupts, ctrl_shows_the_physical_functions_leaves);
    tcase_add_loop_test(interrupts, an_interrupt_of_a_pbdma_raises_the_vector_of_its_tree, 0, 2);
    tcase_add_loop_test(interrupts, a_runlists_interrupt_raises_its_vector_when_it_is_enabled, 0,
                        3);
    tcase_add_loop_test(interrupts, a_channels_interrupt_has_the_vector_of_its_ramfc, 0, 2);
    suite_add_tcase(suite, interrupts);
    return suite;
}
