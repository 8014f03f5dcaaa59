/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of a PBDMA that nothing in a model causes, put in on request: which can be, when they
 * are raised, and which of them the channel survives.
 */
#include <config.h>

#include <check.h>

#include "tests/check_pbdma_intr.h"
#include "tests/suites.h"

/* The request of each kind.  An acquire that waits keeps the channel there for what is raised at
 * once. */
static void request(enum nv_pbdma_inject kind)
{
    switch (kind) {
    case NV_PBDMA_INJECT_SEMAPHORE:
    case NV_PBDMA_INJECT_NOW:
        put_acquire();
        break;
    case NV_PBDMA_INJECT_FB_FLUSH:
        PUT_SEGMENT(0, 0, PB_INC(0, 0x24, 1), 0);
        break;
    case NV_PBDMA_INJECT_MEM_OP:
        if (chip == KEPLER)
            PUT_SEGMENT(0, 0, PB_INC(0, 0x28, 2), 0, 5u << 27);
        else
            PUT_SEGMENT(0, 0, PB_INC(0, 0x30, 2), 0, 5u << 27); /* MEMBAR */
        break;
    case NV_PBDMA_INJECT_ENGINE:
        PUT_SEGMENT(0, 0, PB_INC(1, 0x100, 1), 0); /* NO_OPERATION */
        break;
    default:
        PUT_SEGMENT(0, 0, PB_INC(0, 0x8, 1), 0);
    }
    PUT_SEGMENT(0, 0, PB_INC(0, 0x50, 1), 0x77);
}

static void expect_injected(uint32_t intr_bit)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_PBDMA_INJECT, 0);

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_pbdma_inject_of(event).pbdma_id, 0);
    ck_assert_uint_eq(event_nv_pbdma_inject_of(event).intr_bit, intr_bit);
    event = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(event).intr_bit, intr_bit);
    expect_pending(intr_bit);
    ck_assert(!went_on());
}

static void inject(uint32_t intr_bit)
{
    struct nv_pbdma *pbdma = &check.gpu->host.pbdmas[0];
    const struct nv_pbdma_intr *intr = nv_pbdma_intr_of(check.gpu->host.generation->bit, intr_bit);
    const bool exists = has(intr_bit);

    if (!exists) {
        ck_assert(!nv_pbdma_inject(pbdma, intr_bit));
        return;
    }
    ck_assert_ptr_nonnull(intr);
    request((enum nv_pbdma_inject)intr->inject);
    pbdma_write(TIMEOUT, 100);
    if (intr->inject == NV_PBDMA_INJECT_NOW) {
        ck_assert(!nv_pbdma_inject(pbdma, intr_bit)); /* no channel */
        ring_and_run();
        ck_assert(nv_pbdma_inject(pbdma, intr_bit));
        check_machine_run(&check);
    } else {
        ck_assert(nv_pbdma_inject(pbdma, intr_bit));
        ring_and_run();
        ck_assert_uint_ge(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->time_ps,
                          UINT64_C(100000000));
    }
    expect_injected(intr_bit);
}

/* Clearing the bit does not help; the channel stays until it is preempted, and runs no more. */
static void expect_unrecoverable(uint32_t intr_bit)
{
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    mend_acquire();
    clear(intr_bit);
    expect_pending(NV_PBDMA_INTRS);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    ck_assert(!nv_pbdma_is_free(&check.gpu->host.pbdmas[0]));
    preempt();
    ck_assert(nv_pbdma_is_free(&check.gpu->host.pbdmas[0]));
    check_machine_ring(&check, 0);
    check_machine_run(&check);
    ck_assert(!went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 0);
}

static void injected_is_unrecoverable(int index, uint32_t intr_bit)
{
    begin(index);
    inject(intr_bit);
    if (has(intr_bit))
        expect_unrecoverable(intr_bit);
    check_machine_end(&check);
}

static void injected_is_recoverable(int index, uint32_t intr_bit)
{
    begin(index);
    inject(intr_bit);
    if (has(intr_bit)) {
        mend_acquire();
        clear(intr_bit);
        ck_assert(went_on());
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    }
    check_machine_end(&check);
}

#define INJECTED(name, intr_bit, how)                                                              \
    START_TEST(name##_can_be_injected)                                                             \
    {                                                                                              \
        injected_is_##how(classes[_i], intr_bit);                                                  \
    }                                                                                              \
    END_TEST
#define ADD_INJECTED(name, intr_bit, how)                                                          \
    tcase_add_loop_test(tcase, name##_can_be_injected, 0, CLASSES);
#define EACH_INJECTED(DO)                                                                          \
    DO(memreq, 0, unrecoverable)                                                                   \
    DO(memack_timeout, 1, unrecoverable)                                                           \
    DO(memack_extra, 2, unrecoverable)                                                             \
    DO(memdat_timeout, 3, unrecoverable)                                                           \
    DO(memdat_extra, 4, unrecoverable)                                                             \
    DO(memflush, 5, unrecoverable)                                                                 \
    DO(memop, 6, unrecoverable)                                                                    \
    DO(lbconnect, 7, unrecoverable)                                                                \
    DO(lbreq, 8, unrecoverable)                                                                    \
    DO(lback_timeout, 9, unrecoverable)                                                            \
    DO(lback_extra, 10, unrecoverable)                                                             \
    DO(lbdat_timeout, 11, unrecoverable)                                                           \
    DO(lbdat_extra, 12, unrecoverable)                                                             \
    DO(eng_reset, 24, recoverable)                                                                 \
    DO(syncpoint_illegal, 28, recoverable)                                                         \
    DO(no_ctxsw_seg, 29, recoverable)

EACH_INJECTED(INJECTED)

/* Bit 20 means something else from Volta on. */
START_TEST(xbarconnect_can_be_injected)
{
    begin(classes[_i]);
    if (chip < VOLTA) {
        inject(20);
        expect_unrecoverable(20);
    } else {
        ck_assert(!nv_pbdma_inject(&check.gpu->host.pbdmas[0], 20));
    }
    check_machine_end(&check);
}
END_TEST

START_TEST(what_has_causes_of_its_own_cannot_be_injected)
{
    begin(PASCAL);
    put_acquire();
    ring_and_run();
    for (uint32_t i = INTR_GPFIFO; i < 70; i++)
        if (i != 20 && i != 29)
            ck_assert_msg(!nv_pbdma_inject(&check.gpu->host.pbdmas[0], i), "bit %u", i);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INJECT), 0);
    check_machine_end(&check);
}
END_TEST

Suite *nv_pbdma_inject_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_inject");
    TCase *tcase = tcase_create("injection");

    EACH_INJECTED(ADD_INJECTED)
    tcase_add_loop_test(tcase, xbarconnect_can_be_injected, 0, CLASSES);
    tcase_add_test(tcase, what_has_causes_of_its_own_cannot_be_injected);
    suite_add_tcase(suite, tcase);
    return suite;
}
