/* SPDX-License-Identifier: MIT */
/*
 * The interrupts of a PBDMA, bit by bit and generation by generation: what there is, what raises
 * it, that it freezes and keeps its channel on the PBDMA, and how processing goes on.  Bits and
 * registers are typed from open-gpu-doc gv100, tu104, ga100 dev_pbdma.ref.txt and nvgpu's
 * hw_pbdma_*.h.
 */
/* PROMISE (nvidia): Each interrupt of a PBDMA has its cause, freezes the PBDMA, and lets the
 * PBDMA go on when it is cleared. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_pbdma_intr.h"
#include "tests/check_pbdma_intr.h"
#include "tests/suites.h"

/* ---- causes ---------------------------------------------------------------------------------- */

static void ramfc(uint32_t offset, uint32_t value)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + offset, value);
}

static void nop_method(void)
{
    pbdma_write(METHOD0, NOP_METHOD);
}

static void nothing(void)
{
}

static void cause_gpfifo(void)
{
    ramfc(0x48, 0xffffff80);
    ramfc(0x4c, 0xff | 5u << 16);
}

static void mend_gpfifo(void)
{
    pbdma_write(0x48, (uint32_t)CHECK_RING(0));
    pbdma_write(0x4c, 5u << 16);
}

static void cause_gpptr(void)
{
    ramfc(0x14, CHECK_RING_ENTRIES); /* GP_GET */
}

static void mend_gpptr(void)
{
    pbdma_write(0x14, 0);
    pbdma_write(0x50, 0); /* GP_FETCH, which starts from GP_GET */
}

static void cause_gpentry(void)
{
    check_machine_entry(&check, 0, 0, 1, false); /* opcode ILLEGAL */
}

static void cause_gpcrc(void)
{
    check_machine_entry(&check, 0, 0x1234, 2, false);
}

static void cause_pbptr(void)
{
    ramfc(0x18, 8); /* GET; PUT is 0 */
}

static void mend_pbptr(void)
{
    pbdma_write(0x18, 0);
}

static void cause_pbentry(void)
{
    PUT_SEGMENT(0, 0, 6u << 29);
}

static void mend_pbentry(void)
{
    pbdma_write(0x88, 0); /* PB_COUNT */
    pbdma_write(0x84, 0x20400000);
}

static void cause_pbcrc(void)
{
    check_machine_entry(&check, 0, 0x1234, 3, false);
}

static void cause_method(void)
{
    PUT_SEGMENT(0, 0, PB_INC(0, 0x04, 1), 0); /* ILLEGAL */
}

static void cause_methodcrc(void)
{
    PUT_SEGMENT(0, 0, PB_INC(0, 0x7c, 1), 0x1234);
}

static void mend_methodcrc(void)
{
    pbdma_write(0xb0, 0x1234);
}

static void cause_device(void)
{
    PUT_SEGMENT(0, 0, PB_INC(7, 0x600, 1), 1);
}

static void cause_semaphore(void)
{
    put_semaphore(1, SEMAPHORE_OF_NO_KIND);
}

static void cause_acquire(void)
{
    ramfc(0x30, 1u << 31 | 4u << 15 | 2u << 7 | 2); /* 4 units of 1,024 ns; polls every 8 cycles */
    put_acquire();
}

/* The channel waits, not frozen, when a register is written that processing uses. */
static void cause_pri(void)
{
    put_acquire();
}

static void cause_pbseg(void)
{
    PUT_SEGMENT(0, 0, PB_INC(0, 0x8, 1));
    PUT_SEGMENT(ENTRY_CONDITIONAL, 0, 0, PB_INC(0, 0x8, 1), 0);
}

static void cause_signature(void)
{
    ramfc(0x10, 0xfacf);
}

static void mend_signature(void)
{
    pbdma_write(0x10, 0xface);
}

static void cause_hce_re_illegal_op(void)
{
    PUT_SEGMENT(0, 0, PB_INC(4, 0x25c, 1), 5); /* SET_RENDER_ENABLE_C: modes are 0 to 4 */
}

static void cause_hce_re_alignb(void)
{
    PUT_SEGMENT(0, 0, PB_INC(4, 0x258, 2), 4, 2); /* SET_RENDER_ENABLE_B; C: CONDITIONAL */
}

static void cause_hce_priv(void)
{
    PUT_SEGMENT(0, 0, PB_INC(4, 0x300, 1), 0x1182); /* LAUNCH_DMA, SRC_TYPE PHYSICAL */
}

static void cause_hce_illegal_mthd(void)
{
    PUT_SEGMENT(0, 0, PB_INC(4, 0x1fc, 1), 1);
}

static void cause_hce_illegal_class(void)
{
    PUT_SEGMENT(0, 0, PB_INC(4, 0, 1), 0x1234);
}

/* What raises a bit, what software has to mend before it clears it, and what METHOD0 and DATA0
 * hold meanwhile; of INTR_1, HCE_DBG0 and 1.  method 0: METHOD0 is not valid. */
struct cause {
    uint32_t intr_bit;
    void (*happen)(void);
    void (*mend)(void);
    bool holds; /* INTR_STALL makes no difference */
    uint32_t method, data;
};
#define FIRST_METHOD(subchannel, method) (0x80400000 | (subchannel) << 16 | (method))
#define SEMAPHORE_METHOD                 UINT32_MAX /* the one that acts, by generation */
#define CAUSE(name, bit, mend, holds, ...)                                                         \
    static const struct cause name = {(bit), cause_##name, (mend), (holds), __VA_ARGS__}
CAUSE(gpfifo, INTR_GPFIFO, mend_gpfifo, true, 0, 0);
CAUSE(gpptr, INTR_GPPTR, mend_gpptr, true, 0, 0);
CAUSE(gpentry, INTR_GPENTRY, nothing, false, 0, 0);
CAUSE(gpcrc, INTR_GPCRC, nothing, false, 0, 0);
CAUSE(pbptr, INTR_PBPTR, mend_pbptr, true, 0, 0);
CAUSE(pbentry, INTR_PBENTRY, mend_pbentry, false, 0, 0);
CAUSE(pbcrc, INTR_PBCRC, nothing, false, 0, 0);
CAUSE(method, INTR_METHOD, nop_method, false, FIRST_METHOD(0, 0x04), 0);
CAUSE(methodcrc, INTR_METHODCRC, mend_methodcrc, false, FIRST_METHOD(0, 0x7c), 0x1234);
CAUSE(device, INTR_DEVICE, nop_method, false, FIRST_METHOD(7, 0x600), 1);
CAUSE(semaphore, INTR_SEMAPHORE, nop_method, false, SEMAPHORE_METHOD, 7);
CAUSE(acquire, INTR_ACQUIRE, mend_acquire, false, SEMAPHORE_METHOD, 0);
CAUSE(pri, INTR_PRI, mend_acquire, false, SEMAPHORE_METHOD, 0);
CAUSE(pbseg, INTR_PBSEG, nothing, false, 0, 0);
CAUSE(signature, INTR_SIGNATURE, mend_signature, true, 0, 0);
CAUSE(hce_re_illegal_op, INTR_HCE_RE_ILLEGAL_OP, nothing, false, 0x25c, 5);
CAUSE(hce_re_alignb, INTR_HCE_RE_ALIGNB, nothing, false, 0x25c, 2);
CAUSE(hce_priv, INTR_HCE_PRIV, nothing, false, 0x300, 0x1182);
CAUSE(hce_illegal_mthd, INTR_HCE_ILLEGAL_MTHD, nothing, false, 0x1fc, 1);
CAUSE(hce_illegal_class, INTR_HCE_ILLEGAL_CLASS, nothing, false, 0, 0x1234);

/* What the frozen PBDMA holds of the method that raised the interrupt. */
static void expect_method(const struct cause *cause)
{
    uint32_t word = cause->method, data = cause->data;

    if (cause->intr_bit >= 32) {
        ck_assert_uint_eq(pbdma_reg(METHOD0), 0);
        ck_assert_uint_eq(pbdma_reg(HCE_DBG0), word);
        ck_assert_uint_eq(pbdma_reg(HCE_DBG1), data);
        return;
    }
    if (word == SEMAPHORE_METHOD) {
        word = FIRST_METHOD(0, chip < VOLTA ? 0x1c : 0x6c); /* SEMAPHORED, SEM_EXECUTE */
        data = data == 7 ? SEMAPHORE_OF_NO_KIND : ACQUIRE_EQUAL;
    }
    ck_assert_uint_eq(pbdma_reg(METHOD0), word);
    if (word)
        ck_assert_uint_eq(pbdma_reg(DATA0), data);
}

static void happens(const struct cause *cause)
{
    cause->happen();
    PUT_SEGMENT(0, 0, PB_INC(0, 0x50, 1), 0x77); /* SET_REFERENCE */
    ring_and_run();
    if (cause->intr_bit == INTR_PRI) {
        pbdma_write(0x2c, 1); /* RUNTIME */
        check_machine_run(&check);
    }
}

/* It freezes; software mends and clears; processing goes on. */
static void freezes_until_cleared(const struct cause *cause)
{
    happens(cause);
    expect_pending(cause->intr_bit);
    expect_method(cause);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert(!went_on());
    cause->mend();
    ck_assert(!went_on());
    clear(cause->intr_bit);
    expect_pending(NV_PBDMA_INTRS); /* none */
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert(went_on());
}

/* Software clears the bit and has mended nothing: it is raised again; a PRI write is over, and the
 * acquire that it came upon still waits. */
static void comes_again_unmended(const struct cause *cause)
{
    happens(cause);
    clear(cause->intr_bit);
    if (cause->mend == nothing) {
        ck_assert(went_on());
        return;
    }
    expect_pending(cause->intr_bit == INTR_PRI ? NV_PBDMA_INTRS : cause->intr_bit);
    expect_method(cause);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR),
                      cause->intr_bit == INTR_PRI ? 1 : 2);
    ck_assert(!went_on());
}

/* A channel that software takes off is not saved before the bit is cleared. */
static void keeps_its_channel(const struct cause *cause)
{
    happens(cause);
    preempt();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 0);
    expect_pending(cause->intr_bit);
    clear(cause->intr_bit);
    ck_assert_uint_ge(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
}

/* With its bit of INTR_STALL 0 it is raised, and does not freeze. */
static void may_not_stall(const struct cause *cause)
{
    const uint32_t at = cause->intr_bit < 32 ? INTR_STALL : INTR_STALL_1;

    pbdma_write(at, pbdma_reg(at) & ~(1u << cause->intr_bit % 32));
    happens(cause);
    expect_pending(cause->intr_bit);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    if (cause->mend == mend_acquire) {
        ck_assert(!went_on());
        mend_acquire();
        check_machine_run(&check);
    }
    ck_assert(went_on() != cause->holds);
}

#define TESTS_OF(name)                                                                             \
    START_TEST(name##_freezes_until_it_is_cleared)                                                 \
    {                                                                                              \
        begin(classes[_i]);                                                                        \
        if (has(name.intr_bit))                                                                    \
            freezes_until_cleared(&name);                                                          \
        check_machine_end(&check);                                                                 \
    }                                                                                              \
    END_TEST                                                                                       \
    START_TEST(name##_comes_again_unless_it_is_mended)                                             \
    {                                                                                              \
        begin(classes[_i]);                                                                        \
        if (has(name.intr_bit))                                                                    \
            comes_again_unmended(&name);                                                           \
        check_machine_end(&check);                                                                 \
    }                                                                                              \
    END_TEST                                                                                       \
    START_TEST(name##_keeps_its_channel_on_the_pbdma)                                              \
    {                                                                                              \
        begin(TURING);                                                                             \
        if (has(name.intr_bit))                                                                    \
            keeps_its_channel(&name);                                                              \
        check_machine_end(&check);                                                                 \
    }                                                                                              \
    END_TEST                                                                                       \
    START_TEST(name##_need_not_stall)                                                              \
    {                                                                                              \
        begin(TURING);                                                                             \
        if (has(name.intr_bit))                                                                    \
            may_not_stall(&name);                                                                  \
        check_machine_end(&check);                                                                 \
    }                                                                                              \
    END_TEST
// clang-format off
#define EACH_CAUSE(DO)                                                                             \
    DO(gpfifo)                                                                                     \
    DO(gpptr)                                                                                      \
    DO(gpentry) DO(gpcrc) DO(pbptr) DO(pbentry) DO(pbcrc) DO(method) DO(methodcrc) DO(device)      \
        DO(semaphore) DO(acquire) DO(pri) DO(pbseg) DO(signature) DO(hce_re_illegal_op)            \
            DO(hce_re_alignb) DO(hce_priv) DO(hce_illegal_mthd) DO(hce_illegal_class)
// clang-format on
#define ADD_TESTS_OF(name)                                                                         \
    tcase_add_loop_test(tcase, name##_freezes_until_it_is_cleared, 0, CLASSES);                    \
    tcase_add_loop_test(tcase, name##_comes_again_unless_it_is_mended, 0, CLASSES);                \
    tcase_add_test(tcase, name##_keeps_its_channel_on_the_pbdma);                                  \
    tcase_add_test(tcase, name##_need_not_stall);

EACH_CAUSE(TESTS_OF)

/* ---- which there are ------------------------------------------------------------------------- */

START_TEST(the_bits_are_those_of_the_generation)
{
    begin(_i);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t generation = check.gpu->host.generation->bit;

        if (i != 28) /* SYNCPOINT_ILLEGAL: of one chip of its generation */
            ck_assert_msg((nv_pbdma_intr_of(generation, i) != NULL) == has(i), "INTR_0 bit %u", i);
        ck_assert_msg((nv_pbdma_intr_of(generation, 32 + i) != NULL) == has(32 + i),
                      "INTR_1 bit %u", i);
    }
    ck_assert_ptr_null(nv_pbdma_intr_of(check.gpu->host.generation->bit, 64));
    ck_assert_uint_eq(nv_pbdma_intr_bits(&check.gpu->host, 0), chips[_i].intr_0);
    ck_assert_uint_eq(nv_pbdma_intr_bits(&check.gpu->host, 32), chips[_i].intr_1);
    check_machine_end(&check);
}
END_TEST

START_TEST(registers_of_interrupts_have_no_other_bits)
{
    const uint32_t intr_0 = chips[_i].intr_0, intr_1 = chips[_i].intr_1;

    begin(_i);
    if (_i < GA100) {
        ck_assert_uint_eq(pbdma_reg(INTR_EN_0), 0);
        ck_assert_uint_eq(pbdma_reg(INTR_STALL), intr_0);
        ck_assert_uint_eq(pbdma_reg(INTR_STALL_1), intr_1);
        pbdma_write(INTR_EN_0, UINT32_MAX);
        pbdma_write(INTR_EN_1, UINT32_MAX);
        pbdma_write(INTR_STALL, UINT32_MAX);
        pbdma_write(INTR_STALL_1, UINT32_MAX);
        ck_assert_uint_eq(pbdma_reg(INTR_EN_0), intr_0);
        ck_assert_uint_eq(pbdma_reg(INTR_EN_1), intr_1);
        ck_assert_uint_eq(pbdma_reg(INTR_STALL), intr_0);
        ck_assert_uint_eq(pbdma_reg(INTR_STALL_1), intr_1);
    } else {
        for (uint32_t tree = 0; tree < 2; tree++) {
            pbdma_write(INTR_0_EN_SET_TREE + 4 * tree, UINT32_MAX);
            pbdma_write(INTR_1_EN_SET_TREE + 4 * tree, UINT32_MAX);
            ck_assert_uint_eq(pbdma_reg(INTR_0_EN_SET_TREE + 4 * tree), intr_0);
            ck_assert_uint_eq(pbdma_reg(INTR_1_EN_SET_TREE + 4 * tree), intr_1);
        }
        pbdma_write(INTR_0_EN_CLEAR_TREE, 1u << INTR_METHOD);
        ck_assert_uint_eq(pbdma_reg(INTR_0_EN_SET_TREE), intr_0 & ~(1u << INTR_METHOD));
    }
    check_machine_end(&check);
}
END_TEST

/* Methods whose interrupt is gone: CRC_CHECK is none from Ampere on. */
START_TEST(crc_check_is_no_method_from_ampere_on)
{
    begin(_i);
    happens(&methodcrc);
    expect_pending(INTR_METHOD);
    check_machine_end(&check);
}
END_TEST

/* INTR_EN stops what is reported, not what is set. */
START_TEST(a_disabled_interrupt_freezes_all_the_same)
{
    begin(PASCAL);
    pbdma_write(INTR_EN_0, 0);
    happens(&method);
    expect_pending(INTR_METHOD);
    ck_assert(!went_on());
    ck_assert_uint_eq(machine_read32(check.machine, 0x2100) >> 29 & 1, 0); /* PBDMA_INTR */
    pbdma_write(INTR_EN_0, 1u << INTR_METHOD);
    ck_assert_uint_eq(machine_read32(check.machine, 0x2100) >> 29 & 1, 1);
    check_machine_end(&check);
}
END_TEST

/* Two pending at once: both have to be cleared. */
START_TEST(frozen_until_the_last_bit_is_cleared)
{
    begin(TURING);
    happens(&pri);
    ck_assert(nv_pbdma_inject(&check.gpu->host.pbdmas[0], INTR_MEMOP));
    ck_assert(!nv_pbdma_inject(&check.gpu->host.pbdmas[0], INTR_ENG_RESET)); /* halted */
    mend_acquire();
    clear(INTR_METHOD); /* not pending */
    ck_assert(!went_on());
    clear(INTR_PRI);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* ---- GPENTRY of an entry with a length ------------------------------------------------------- */

/* Eight dwords up to the end of the address space: fatal on Volta, else discarded.  GP_CRC counts
 * an entry before it; Ampere's GPENTRY clears it. */
START_TEST(an_entry_that_is_too_long_is_fatal_on_volta)
{
    begin(_i);
    check_machine_entry(&check, 0, 0x1234, 0, false); /* NOP */
    check_machine_entry(&check, 0, 0xffffffe0, 0xff | 8 << 10, true);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x50, 1), 7);
    check_machine_run(&check);
    expect_interrupt(INTR_GPENTRY);
    ck_assert_int_eq(pbdma_reg(0x74) == 0, _i >= GA100);
    clear_interrupt(INTR_GPENTRY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), _i == VOLTA);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SEGMENT_END), _i != VOLTA);
    check_machine_end(&check);
}
END_TEST

START_TEST(an_entry_without_a_length_is_discarded_on_volta_too)
{
    begin(VOLTA);
    check_machine_entry(&check, 0, 0, 1, false); /* ILLEGAL */
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x50, 1), 7);
    check_machine_run(&check);
    expect_interrupt(INTR_GPENTRY);
    clear_interrupt(INTR_GPENTRY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SEGMENT_END), 1);
    check_machine_end(&check);
}
END_TEST

Suite *nv_pbdma_intr_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_intr");
    TCase *tcase = tcase_create("bits");

    tcase_add_loop_test(tcase, the_bits_are_those_of_the_generation, 0, CHIPS);
    tcase_add_loop_test(tcase, registers_of_interrupts_have_no_other_bits, 0, CHIPS);
    tcase_add_loop_test(tcase, crc_check_is_no_method_from_ampere_on, GA100, CHIPS);
    tcase_add_test(tcase, a_disabled_interrupt_freezes_all_the_same);
    tcase_add_test(tcase, frozen_until_the_last_bit_is_cleared);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("causes");
    EACH_CAUSE(ADD_TESTS_OF)
    tcase_add_loop_test(tcase, an_entry_that_is_too_long_is_fatal_on_volta, 0, CHIPS);
    tcase_add_test(tcase, an_entry_without_a_length_is_discarded_on_volta_too);
    suite_add_tcase(suite, tcase);
    return suite;
}
