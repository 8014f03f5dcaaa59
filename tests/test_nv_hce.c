/* SPDX-License-Identifier: MIT */
/* Copy classes as Host sees them: which engine gets the methods of a runlist, what Host refuses,
 * and what goes with a channel. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_hce.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "tests/copy_methods.h"
#include "tests/suites.h"

/* Of a GTX 1060: runlists 5 and 6 are those of LCE2 and LCE3, both on PBDMA 3. */
enum { LCE2 = 6, LCE3 = 7, PBDMA3 = 0x46000, COPY_CLASS = 0xc1b5 };

static struct check_machine check;

static void setup(void)
{
    check_machine_begin(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static void channel_on(uint32_t channel_id, uint32_t runlist_id)
{
    check_machine_channel(&check, channel_id);
    check_machine_runlist(&check, runlist_id, 1, &channel_id);
}

/* A copy of `bytes` bytes by methods of that subchannel. */
#define COPY_ON(subchannel, from, to, bytes)                                                       \
    PB_INC(subchannel, 0x400, 8), 0, DATA(from), 0, DATA(to), 0, 0, (bytes), 1,                    \
        PB_INC(subchannel, 0x300, 1), PITCH_TO_PITCH

static void expect_copied(uint32_t to, uint32_t bytes)
{
    uint8_t *from = copy_fetch(&check, CHECK_DATA, bytes);
    uint8_t *there = copy_fetch(&check, CHECK_DATA + to, bytes);

    ck_assert_mem_eq(from, there, bytes);
    free(from);
    free(there);
}

/* ---- which engine ---------------------------------------------------------------------------- */

/* NV.SUBCHANNEL: without graphics 0 to 4 are all the runlist's engine. */
START_TEST(an_lce_takes_the_methods_of_every_subchannel_of_its_runlist)
{
    channel_on(1, 5);
    copy_fill(&check, CHECK_DATA, 4096, 3);
    CHECK_SUBMIT(&check, 1, PB_INC((uint32_t)_i, 0, 1), COPY_CLASS,
                 COPY_ON((uint32_t)_i, 0, TARGET, 4096));
    check_machine_run(&check);
    expect_copied(TARGET, 4096);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).engine_id, LCE2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x10ac), LCE2);
}
END_TEST

/* One PBDMA for several runlists: the loaded channel's runlist says which engine it is. */
START_TEST(a_pbdma_of_two_runlists_sends_copies_to_the_engine_of_each)
{
    static const uint32_t engines[] = {LCE2, LCE3};

    for (uint32_t i = 0; i < 2; i++)
        channel_on(1 + i, 5 + i);
    copy_fill(&check, CHECK_DATA, 4096, 3);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_SUBMIT(&check, 1 + i, COPY_ON(4, 0, TARGET + 0x10000 * i, 4096));
    check_machine_run(&check);
    for (uint32_t i = 0; i < 2; i++) {
        expect_copied(TARGET + 0x10000 * i, 4096);
        ck_assert_uint_eq(
            event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, i)).channel_id,
            1 + i);
        ck_assert_uint_eq(
            event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, i)).engine_id,
            engines[i]);
        ck_assert_uint_eq(
            event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, i))
                .pbdma_id,
            3);
    }
}
END_TEST

/* On the graphics runlist it is the runqueue: word 0 bit 14 of a channel's entry. */
START_TEST(a_runqueue_has_its_own_grce)
{
    const uint32_t runqueue = (uint32_t)_i;
    const uint32_t entries[] = {1u << 26 | 128u << 18 | 3u << 14 | 1u << 13 | 33, 0,
                                1 | runqueue << 14, (CHECK_INSTANCES + 0x1000) >> 12};

    check_machine_channel(&check, 1);
    check_machine_runlist_raw(&check, 0, 2, entries);
    CHECK_SUBMIT(&check, 1, COPY_ON(4, 0, TARGET, 4096));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).engine_id,
        1 + runqueue);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0)).pbdma_id,
        runqueue);
}
END_TEST

/* A wait-for-idle of a channel is for the engine that got its methods. */
START_TEST(a_wait_for_idle_waits_for_the_lce)
{
    channel_on(1, 5);
    CHECK_SUBMIT(&check, 1, COPY_ON(4, 0, TARGET, 1 << 20), PB_IMMD(0, 0x78, 0));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_CHANNEL_SAVE, 0)->time_ps >
                          check_machine_event(&check, EVENT_COPY_END, 0)->time_ps,
                      1);
}
END_TEST

/* ---- what Host refuses ----------------------------------------------------------------------- */

static const struct {
    uint32_t bit, method, data;
} refused[] = {
    {NV_PPBDMA_INTR_1_HCE_RE_ILLEGAL_OP_LO, 0x25c, 5},
    {NV_PPBDMA_INTR_1_HCE_RE_ALIGNB_LO, 0x25c, 2}, /* SET_RENDER_ENABLE_B is 4 */
    {NV_PPBDMA_INTR_1_HCE_PRIV_LO, 0x300, PITCH_TO_PITCH | 1 << 12},
    {NV_PPBDMA_INTR_1_HCE_ILLEGAL_MTHD_LO, 0x188, 7},
    {NV_PPBDMA_INTR_1_HCE_ILLEGAL_CLASS_LO, 0, 0xc197},
};

START_TEST(host_refuses_in_an_lces_stead)
{
    const struct log_event *event;

    channel_on(1, 5);
    CHECK_SUBMIT(&check, 1, PB_INC(3, 0x258, 1), 4, PB_INC(3, refused[_i].method, 1),
                 refused[_i].data, PB_INC(3, 0x248, 1), 99);
    check_machine_run(&check);
    event = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(event).pbdma_id, 3);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(event).intr_bit, NV_PBDMA_INTR_1 + refused[_i].bit);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA3 + NV_PPBDMA_INTR_1),
                      1u << refused[_i].bit);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA3 + NV_PPBDMA_HCE_DBG0),
                      refused[_i].method);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA3 + NV_PPBDMA_HCE_DBG1), refused[_i].data);
    machine_write32(check.machine, PBDMA3 + NV_PPBDMA_INTR_1, 1u << refused[_i].bit);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
}
END_TEST

/* ---- what goes with a channel ---------------------------------------------------------------- */

/* Two channels on one LCE: each finds what it has set. */
START_TEST(class_state_goes_with_its_channel)
{
    check_machine_channel(&check, 1);
    check_machine_channel(&check, 2);
    check_machine_runlist(&check, 5, 2, (const uint32_t[]){1, 2});
    copy_fill(&check, CHECK_DATA, 8192, 3);
    CHECK_SUBMIT(&check, 1, PB_INC(4, 0x400, 8), 0, DATA(0), 0, DATA(TARGET), 0, 0, 4096, 1);
    CHECK_SUBMIT(&check, 2, PB_INC(4, 0x400, 8), 0, DATA(0), 0, DATA(BACK), 0, 0, 8192, 1);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, LAUNCH(PITCH_TO_PITCH));
    CHECK_SUBMIT(&check, 2, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_queue_of(check_machine_event(&check, EVENT_COPY_QUEUE, 0)).byte_count, 4096);
    ck_assert_uint_eq(
        event_copy_queue_of(check_machine_event(&check, EVENT_COPY_QUEUE, 1)).byte_count, 8192);
    expect_copied(TARGET, 4096);
    expect_copied(BACK, 8192);
}
END_TEST

/* The number may be used again: what the channel before it left is not its own. */
START_TEST(a_channel_bound_anew_begins_with_zeroes)
{
    const bool anew = _i;

    channel_on(1, 5);
    CHECK_SUBMIT(&check, 1, PB_INC(4, 0x400, 8), 0, DATA(0), 0, DATA(TARGET), 0, 0, 4096, 1);
    check_machine_run(&check);
    if (anew) { /* unbound, bound again, disabled and enabled on the way */
        machine_write32(check.machine, 0x800004 + 8, 0x800);
        machine_write32(check.machine, 0x800000 + 8, 0);
        machine_write32(check.machine, 0x800000 + 8, 1u << 31 | (CHECK_INSTANCES + 0x1000) >> 12);
        machine_write32(check.machine, 0x800004 + 8, 0x400);
    }
    CHECK_SUBMIT(&check, 1, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_queue_of(check_machine_event(&check, EVENT_COPY_QUEUE, 0)).byte_count,
        anew ? 0 : 4096);
}
END_TEST

/* From Ampere on each runlist has its own channels, and each of them its record. */
START_TEST(channels_of_every_runlist_have_a_record)
{
    const struct nv_chip model = check_machine_ga100();
    uint32_t *shadow = calloc(NV_HCE_METHODS_END, sizeof *shadow);
    struct check_machine ampere;

    ck_assert_ptr_nonnull(shadow);
    check_machine_begin_model(&ampere, &model);
    ck_assert_uint_eq(ampere.gpu->hce.channel_count, 2 * model.channel_count);
    for (uint32_t i = 1; i <= 2; i++) {
        shadow[0x400 / 4] = i;
        nv_hce_save(&ampere.gpu->hce, i * model.channel_count - 1, 0x5000, 1, shadow);
    }
    for (uint32_t i = 1; i <= 2; i++) {
        nv_hce_load(&ampere.gpu->hce, i * model.channel_count - 1, 0x5000, 1, shadow);
        ck_assert_uint_eq(shadow[0x400 / 4], i);
    }
    check_machine_end(&ampere);
    free(shadow);
}
END_TEST

START_TEST(a_record_is_of_one_binding_of_one_instance_block)
{
    uint32_t *shadow = calloc(NV_HCE_METHODS_END, sizeof *shadow);
    struct nv_hce_record records[2] = {{0}};
    struct nv_hce hce = {.channel_count = 2, .method_count = 2, .records = records};

    ck_assert_ptr_nonnull(shadow);
    hce.methods[0] = 0x100;
    hce.methods[1] = 0x445;
    shadow[0x100] = 1;
    shadow[0x101] = 2; /* not one of the class */
    shadow[0x445] = 3;
    nv_hce_save(&hce, 1, 0x5000, 7, shadow);
    shadow[0x100] = shadow[0x101] = shadow[0x445] = 9;
    nv_hce_load(&hce, 1, 0x5000, 7, shadow);
    ck_assert_uint_eq(shadow[0x100], 1);
    ck_assert_uint_eq(shadow[0x101], 9);
    ck_assert_uint_eq(shadow[0x445], 3);
    for (uint32_t i = 0; i < 3; i++) {
        shadow[0x100] = shadow[0x445] = 9;
        nv_hce_load(&hce, i == 0 ? 0 : 1, i == 1 ? 0x6000 : 0x5000, i == 2 ? 8 : 7, shadow);
        ck_assert_uint_eq(shadow[0x100], 0);
        ck_assert_uint_eq(shadow[0x445], 0);
    }
    free(shadow);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_hce_suite(void)
{
    Suite *suite = suite_create("nv_hce");
    TCase *tcase = tcase_create("engines"), *state = tcase_create("state");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, an_lce_takes_the_methods_of_every_subchannel_of_its_runlist, 0, 5);
    tcase_add_test(tcase, a_pbdma_of_two_runlists_sends_copies_to_the_engine_of_each);
    tcase_add_loop_test(tcase, a_runqueue_has_its_own_grce, 0, 2);
    tcase_add_test(tcase, a_wait_for_idle_waits_for_the_lce);
    tcase_add_loop_test(tcase, host_refuses_in_an_lces_stead, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_checked_fixture(state, setup, teardown);
    tcase_add_test(state, class_state_goes_with_its_channel);
    tcase_add_loop_test(state, a_channel_bound_anew_begins_with_zeroes, 0, 2);
    tcase_add_test(state, a_record_is_of_one_binding_of_one_instance_block);
    tcase_add_test(state, channels_of_every_runlist_have_a_record);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, state);
    return suite;
}
