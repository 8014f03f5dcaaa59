/* SPDX-License-Identifier: MIT */
/* The PBDMA reads: ahead, in order, whatever the cuts; and what cannot be read. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "emu/engine/random.h"
#include "tests/check_pbdma.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

START_TEST(data_may_follow_its_header_in_other_entries)
{
    const uint64_t at = check_machine_dwords(
        &check, 0, (const uint32_t[]){PB_INC(1, 0x188, 3), 11, 22, 33, PB_IMMD(1, 0x198, 44)}, 5);

    check_machine_segment(&check, 0, at, 1, false);
    check_machine_segment(&check, 0, at + 4, 2, false);
    check_machine_segment(&check, 0, at + 12, 2, true);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), 11);
    ck_assert_uint_eq(shadow(1, 0x18c), 22);
    ck_assert_uint_eq(shadow(1, 0x190), 33);
    ck_assert_uint_eq(shadow(1, 0x198), 44);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 3);
}
END_TEST

START_TEST(long_segments_are_read_piece_by_piece)
{
    enum { COUNT = 2500 };
    uint32_t *dwords = calloc(COUNT, sizeof *dwords);

    ck_assert_ptr_nonnull(dwords);
    for (uint32_t i = 0; i < COUNT; i++)
        dwords[i] = PB_IMMD(1, 0x188, i & 0x1fff);
    check_machine_submit(&check, 0, dwords, COUNT);
    check_machine_run(&check);
    ck_assert_uint_eq(shadow(1, 0x188), COUNT - 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PB_FETCH), 3);
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)).method_count,
        COUNT);
    free(dwords);
}
END_TEST

START_TEST(a_segment_that_is_not_mapped_faults)
{
    check_machine_segment(&check, 0, 0x5000000, 4, true);
    check_machine_run(&check);
    expect_fault(0x5000000, NV_PFAULT_FAULT_TYPE_PDE, 0, NV_FAULT_HOST);
}
END_TEST

START_TEST(a_ring_that_is_not_mapped_faults)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x48, 0x6000000);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_fault(0x6000000, NV_PFAULT_FAULT_TYPE_PDE, 0, NV_FAULT_HOST);
}
END_TEST

/* Facts: fault code 0 is PDE: the page directory that it names is walked, and is empty. */
START_TEST(an_empty_page_directory_faults_as_such)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x200, CHECK_ROOT + 0x1000);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_fault(CHECK_RING(0), 0, 0, NV_FAULT_HOST);
}
END_TEST

/* TARGET 1 is INVALID. */
START_TEST(a_page_directory_that_is_nowhere_faults_as_unbound)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x200, CHECK_ROOT | 1);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    expect_fault(CHECK_RING(0), 4, 0, NV_FAULT_HOST);
}
END_TEST

/* Facts: fault code 4 is UNBOUND_INST. */
START_TEST(a_channel_without_an_instance_block_faults_as_unbound)
{
    machine_write32(check.machine, 0x800000, 0);
    CHECK_SUBMIT(&check, 0, PB_IMMD(1, 0x188, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).fault_type, 4);
    expect_stopped();
}
END_TEST

START_TEST(a_fault_stops_its_channel_and_no_other)
{
    /* Channel 1 is on the runlist's other runqueue, so that it needs no recovery of the first. */
    const uint32_t lists[] = {0x0600e020, 0, 0, 0, 0x0600e021, 0, 0x4001, 0};

    check_machine_channel(&check, 1);
    check_machine_channel(&check, 2);
    check_machine_runlist_raw(&check, 5, 2, (const uint32_t[]){0x0600e022, 0, 2, 0});
    check_machine_runlist_raw(&check, 0, 4, lists);
    check_machine_segment(&check, 0, 0x5000000, 4, true);
    CHECK_SUBMIT(&check, 2, RELEASE(CHECK_DATA, 5));
    check_machine_run(&check);
    expect_stopped();
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
}
END_TEST

/* What was processed before counts, and what is never processed is never missed. */
START_TEST(a_fault_comes_when_processing_comes_to_it)
{
    PUT_SEGMENT(0, 0, RELEASE(CHECK_DATA, 5));
    check_machine_segment(&check, 0, 0x5000000, 4, true);
    check_machine_run(&check);
    expect_fault(0x5000000, NV_PFAULT_FAULT_TYPE_PDE, 0, NV_FAULT_HOST);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
    ck_assert_uint_eq(pbdma_reg(0x14), 2); /* GP_GET: the entry itself is committed */
}
END_TEST

/* ---- ahead ----------------------------------------------------------------------------------- */

/* The first segment changes the second one's only dword, by a release. */
static void put_self_modifying(uint32_t flags1)
{
    const uint32_t old = PB_IMMD(1, 0x188, 1), new = PB_IMMD(1, 0x188, 2);
    const uint64_t second = CHECK_PUSH(0) + 5 * 4;

    PUT_SEGMENT(0, 0, RELEASE(second, new));
    put_segment(&old, 1, 0, flags1);
}

/* NV.PREFETCH */
START_TEST(a_segment_is_latched_before_the_one_in_front_of_it_is_processed)
{
    put_self_modifying(0);
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PB_FETCH, RULE_NV_PREFETCH), 1);
}
END_TEST

/* NV.SYNC */
START_TEST(sync_wait_holds_reading_until_all_before_is_processed)
{
    put_self_modifying(ENTRY_SYNC_WAIT);
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PB_FETCH, RULE_NV_SYNC), 1);
    golden_log_check(&check, "rule_nv_sync.events");
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_PB_FETCH, 1)->time_ps,
                      check_machine_event(&check, EVENT_NV_SEGMENT_END, 0)->time_ps);
}
END_TEST

START_TEST(sync_wait_of_a_control_entry_holds_what_follows_it)
{
    const uint32_t old = PB_IMMD(1, 0x188, 1), new = PB_IMMD(1, 0x188, 2);

    PUT_SEGMENT(0, 0, RELEASE(CHECK_PUSH(0) + 5 * 4, new));
    check_machine_entry(&check, 0, 0, ENTRY_SYNC_WAIT, false); /* NOP */
    put_segment(&old, 1, 0, 0);
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 2);
}
END_TEST

START_TEST(without_prefetch_proceed_is_as_good_as_wait)
{
    ck_assert(machine_set_parameter(check.machine, "nv.pbdma.prefetch_dwords", 0));
    put_self_modifying(0);
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 2);
}
END_TEST

START_TEST(reading_ahead_saves_the_latency_of_the_next_segment)
{
    gfe_ps times[2];

    for (uint32_t wait = 0; wait < 2; wait++) {
        PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 1));
        PUT_SEGMENT(0, wait ? ENTRY_SYNC_WAIT : 0, PB_IMMD(1, 0x188, 2));
        ring_and_run();
        times[wait] = check_machine_event(&check, EVENT_NV_SEGMENT_END, 2 * wait + 1)->time_ps -
                      check_machine_event(&check, EVENT_NV_SEGMENT_END, 2 * wait)->time_ps;
    }
    ck_assert_uint_gt(times[1], times[0] + 300000); /* 500 cycles at 1.5 GHz */
}
END_TEST

/* Two segments that one request brings: processing waits for the request once, and the wait is the
 * first segment's. */
START_TEST(a_request_for_two_segments_is_waited_for_once)
{
    const struct log_event *read[2];

    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 1));
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x18c, 2));
    ring_and_run();
    for (uint32_t i = 0; i < 2; i++)
        read[i] = check_machine_event(&check, EVENT_NV_PB_FETCH, i);
    ck_assert(read[0] && read[1]);
    ck_assert_uint_eq(read[0]->time_ps, read[1]->time_ps);
    ck_assert_uint_gt(event_nv_pb_fetch_of(read[0]).fetch_ps, 0);
    ck_assert_uint_eq(event_nv_pb_fetch_of(read[1]).fetch_ps, 0);
}
END_TEST

/* Sixteen entries are one line; a change of the seventeenth is seen, of those in the line not. */
START_TEST(entries_are_latched_too_a_line_at_a_time)
{
    const uint32_t yes = PB_IMMD(1, 0x188, 1), late = PB_IMMD(1, 0x18c, 1);
    const uint64_t a = check_machine_dwords(&check, 0, &yes, 1);
    const uint64_t b = check_machine_dwords(&check, 0, &late, 1);
    const uint32_t entry1 = 1u << 10;

    /* Entry 0 makes NOPs of entries 2 and 17, by their length. */
    PUT_SEGMENT(0, 0, RELEASE(CHECK_RING(0) + 8 * 2 + 4, 0),
                RELEASE(CHECK_RING(0) + 8 * 17 + 4, 0));
    check_machine_entry(&check, 0, 0, 0, false);
    check_machine_entry(&check, 0, (uint32_t)a, entry1, false);
    for (uint32_t i = 3; i < 17; i++)
        check_machine_entry(&check, 0, 0, 0, false);
    check_machine_entry(&check, 0, (uint32_t)b, entry1, false);
    ring_and_run();
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(shadow(1, 0x18c), 0);
    ck_assert_uint_eq(pbdma_reg(0x50), 18); /* GP_FETCH */
}
END_TEST

/* GP_FETCH runs ahead of GP_GET. */
START_TEST(gp_fetch_runs_ahead_of_gp_get)
{
    PUT_SEGMENT(0, 0, PB_IMMD(0, 0x04, 0)); /* ILLEGAL: stands still */
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 1));
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x188, 2));
    ring_and_run();
    expect_interrupt(INTR_METHOD);
    ck_assert_uint_eq(pbdma_reg(0x14), 1);
    ck_assert_uint_eq(pbdma_reg(0x50), 3);
}
END_TEST

/* What follows END_PB_SEGMENT may have been read; it is not processed, and faults in it do not
 * matter. */
START_TEST(nobody_misses_what_follows_the_end_of_a_segment)
{
    enum { COUNT = 3000 };
    uint32_t *dwords = calloc(COUNT, sizeof *dwords);

    ck_assert_ptr_nonnull(dwords);
    dwords[0] = PB_IMMD(1, 0x188, 1);
    dwords[1] = PB_END_SEGMENT;
    for (uint32_t i = 2; i < COUNT; i++)
        dwords[i] = 6u << 29;
    put_segment(dwords, COUNT, 0, 0);
    PUT_SEGMENT(0, 0, PB_IMMD(1, 0x18c, 2));
    ring_and_run();
    free(dwords);
    ck_assert_uint_eq(shadow(1, 0x188), 1);
    ck_assert_uint_eq(shadow(1, 0x18c), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
}
END_TEST

/* ---- any cut, any batch ---------------------------------------------------------------------- */

enum {
    STREAM_DWORDS = 48,
    PLAY_STREAMS = 20,
    PLAY_ENTRIES = 12,
    PLAY_LOOKS = 3000, /* every 10 ns: 30 us, about what it all takes */
};

/* Methods of all header forms: class state, events, Host's; no SEMAPHORED and no LAUNCH_DMA. */
static void make_stream(struct random_state *random, uint32_t *dwords)
{
    static const uint16_t methods[] = {0x188, 0x18c, 0x190, 0x198, 0x110, 0x010, 0x1a4};
    static const uint32_t types[] = {1, 3, 4, 5};
    uint32_t at = 0;

    while (at < STREAM_DWORDS) {
        const uint32_t type = types[random_below(random, 4)];
        const uint32_t method = methods[random_below(random, 7)];
        const uint32_t count = /* what follows WAIT_FOR_IDLE is no method of the class */
            random_below(random, method == 0x110                     ? 2
                                 : method == 0x10 || method == 0x1a4 ? 4
                                                                     : 5);

        dwords[at++] = type << 29 | count << 16 | 1u << 13 | method >> 2;
        for (uint32_t i = 0; i < count && type != 4 && at < STREAM_DWORDS; i++)
            dwords[at++] = method == 0x110 ? 0 : random_next(random) & 0xff;
    }
}

/* What a stream leaves behind. */
struct outcome {
    uint32_t shadow[NV_FE_METHODS];
    uint32_t pb_header, pb_count, method_crc, method_count;
};

static void outcome_of(struct outcome *outcome)
{
    memcpy(outcome->shadow, nv_fe_pipe(&check.gpu->fe)->shadow[1], sizeof outcome->shadow);
    outcome->pb_header = check_machine_peek_vram(&check, CHECK_INSTANCES + 0x84) & ~(5u << 22);
    outcome->pb_count = check_machine_peek_vram(&check, CHECK_INSTANCES + 0x88);
    outcome->method_crc = check_machine_peek_vram(&check, CHECK_INSTANCES + 0xb0);
    outcome->method_count = 0;
    for (uint32_t i = 0; i < check_machine_count(&check, EVENT_NV_SEGMENT_END); i++)
        outcome->method_count +=
            (uint32_t)event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, i))
                .method_count;
}

/* PROMISE (nvidia): A stream does the same however it is cut into segments. */
START_TEST(however_a_stream_is_cut_into_segments_it_does_the_same)
{
    uint32_t dwords[STREAM_DWORDS];
    struct outcome whole, cut;
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 2);
    make_stream(&random, dwords);
    check_pbdma_setup();
    put_segment(dwords, STREAM_DWORDS, 0, 0);
    ring_and_run();
    outcome_of(&whole);
    check_pbdma_teardown();
    for (uint32_t at = 1; at < STREAM_DWORDS; at++) {
        const uint32_t flags = at % 2 ? ENTRY_SYNC_WAIT : 0;

        check_pbdma_setup();
        put_segment(dwords, at, 0, at % 3 ? 0 : ENTRY_SUBROUTINE);
        if (at % 5 == 0) /* the channel leaves and comes back in between */
            ring_and_run();
        put_segment(dwords + at, STREAM_DWORDS - at, 0, flags);
        ring_and_run();
        outcome_of(&cut);
        if (at % 3 == 0)
            cut.pb_header = whole.pb_header; /* LEVEL */
        ck_assert_msg(memcmp(whole.shadow, cut.shadow, sizeof whole.shadow) == 0, "cut at %u", at);
        ck_assert_uint_eq(whole.method_count, cut.method_count);
        ck_assert_uint_eq(whole.pb_header, cut.pb_header);
        ck_assert_uint_eq(whole.pb_count, cut.pb_count);
        ck_assert_uint_eq(whole.method_crc, cut.method_crc);
        check_pbdma_teardown();
    }
}
END_TEST

/* A segment of streams, with masks, ends, errors strewn in.  Each draw is a statement of its own,
 * so that every compiler draws in the same order. */
static void put_random_segment(struct random_state *random)
{
    const uint32_t streams = random_below(random, 3) == 0 ? PLAY_STREAMS : 1;
    uint32_t dwords[PLAY_STREAMS * STREAM_DWORDS], length, conditional, sync;

    for (uint32_t i = 0; i < streams; i++)
        make_stream(random, dwords + i * STREAM_DWORDS);
    for (uint32_t n = random_below(random, 4); n > 0; n--) {
        const uint32_t specials[] = {PB_SET_MASK(1u), PB_SET_MASK(2u), PB_END_SEGMENT,
                                     6u << 29,        PB_SET_MASK(1u), PB_IMMD(0, 4, 0)};

        const uint32_t place = random_below(random, streams * STREAM_DWORDS);

        dwords[place] = specials[random_below(random, 6)];
    }
    length = streams * STREAM_DWORDS - random_below(random, STREAM_DWORDS);
    conditional = random_below(random, 3) == 0 ? ENTRY_CONDITIONAL : 0;
    sync = random_below(random, 3) == 0 ? ENTRY_SYNC_WAIT : 0;
    put_segment(dwords, length, conditional, sync);
}

/* Software looks at the PBDMA: clears what is pending, mends what can be mended, and at times
 * stores to a register that is in use. */
static void play_software(struct random_state *random)
{
    const uint32_t pending = pbdma_reg(0x108);

    if (random_below(random, 100) == 0)
        pbdma_write(0x28, 1); /* PRI */
    if (random_below(random, 4) > 0)
        return; /* not yet */
    if (pending & 1u << INTR_METHOD)
        pbdma_write(0xc0, 0x80000008); /* NOP */
    if (pending & 1u << INTR_PBENTRY)
        pbdma_write(0x88, 0);
    pbdma_write(0x108, pending);
}

/* Returns how many interrupts there were. */
static uint32_t play(uint64_t seed, uint32_t batch_limit, char hash[65])
{
    struct random_state random;
    gfe_ps now = 0;
    uint32_t interrupts;

    random_seed(&random, seed, 3);
    check_pbdma_setup();
    check.machine->config.batch_limit = batch_limit;
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 0));
    check_machine_poke_vram(&check, RAMFC_SUBDEVICE, SUBDEVICE_1);
    for (uint32_t i = 0; i < PLAY_ENTRIES; i++) {
        if (random_below(&random, 6) == 0)
            check_machine_entry(&check, 0, 0, random_below(&random, 4), false);
        put_random_segment(&random);
    }
    check_machine_ring(&check, 0);
    for (uint32_t i = 0; i < PLAY_LOOKS; i++) {
        now += 1 + random_below(&random, 20000);
        /* An event that is taken for overtaken: it only moves time to where software looks. */
        machine_schedule(check.machine, check.gpu->pbdmas[0].unit, now, NV_PBDMA_EVENT_STEP,
                         UINT64_MAX);
        ck_assert(machine_run(check.machine, now + 1));
        play_software(&random);
    }
    check_machine_run(&check);
    interrupts = check_machine_count(&check, EVENT_NV_PBDMA_INTR);
    check_machine_log_hash(check.machine, hash);
    check_pbdma_teardown();
    return interrupts;
}

/* PROMISE (nvidia): Cutting batches changes nothing, whatever happens in the stream. */
START_TEST(cutting_batches_changes_nothing_whatever_happens)
{
    static const uint32_t limits[] = {1, 2, 7};
    char whole[65], cut[65];

    ck_assert_uint_gt(play((uint64_t)_i, 0, whole), 2);
    for (uint32_t i = 0; i < 3; i++) {
        (void)play((uint64_t)_i, limits[i], cut);
        ck_assert_msg(strcmp(whole, cut) == 0, "batch limit %u", limits[i]);
    }
}
END_TEST

Suite *nv_pbdma_fetch_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_fetch");
    TCase *tcase = tcase_create("reading");
    TCase *cuts = tcase_create("cuts");

    tcase_add_checked_fixture(tcase, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(tcase, data_may_follow_its_header_in_other_entries);
    tcase_add_test(tcase, long_segments_are_read_piece_by_piece);
    tcase_add_test(tcase, a_segment_that_is_not_mapped_faults);
    tcase_add_test(tcase, a_ring_that_is_not_mapped_faults);
    tcase_add_test(tcase, an_empty_page_directory_faults_as_such);
    tcase_add_test(tcase, a_page_directory_that_is_nowhere_faults_as_unbound);
    tcase_add_test(tcase, a_channel_without_an_instance_block_faults_as_unbound);
    tcase_add_test(tcase, a_fault_stops_its_channel_and_no_other);
    tcase_add_test(tcase, a_fault_comes_when_processing_comes_to_it);
    tcase_add_test(tcase, a_segment_is_latched_before_the_one_in_front_of_it_is_processed);
    tcase_add_test(tcase, sync_wait_holds_reading_until_all_before_is_processed);
    tcase_add_test(tcase, sync_wait_of_a_control_entry_holds_what_follows_it);
    tcase_add_test(tcase, without_prefetch_proceed_is_as_good_as_wait);
    tcase_add_test(tcase, reading_ahead_saves_the_latency_of_the_next_segment);
    tcase_add_test(tcase, a_request_for_two_segments_is_waited_for_once);
    tcase_add_test(tcase, entries_are_latched_too_a_line_at_a_time);
    tcase_add_test(tcase, gp_fetch_runs_ahead_of_gp_get);
    tcase_add_test(tcase, nobody_misses_what_follows_the_end_of_a_segment);
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(cuts, however_a_stream_is_cut_into_segments_it_does_the_same, 0, 4);
    tcase_add_loop_test(cuts, cutting_batches_changes_nothing_whatever_happens, 0, 12);
    suite_add_tcase(suite, cuts);
    return suite;
}
