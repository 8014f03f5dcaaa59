/* SPDX-License-Identifier: MIT */
/* The copy of a runlist: what is wrong with a list, many channels, who is found; random programs.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "emu/engine/random.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum { NOTIFY = 0x810090, CCSR = 0x800000, MANY = 2048, GROUP = 128 };
enum { MANY_INSTANCES = 0x2000000, MANY_USERD = 0x3000000, BYTES_RUNLIST = 0x220000 };
/* SEMAPHORED: REDUCTION, IADD, unsigned, 4 bytes, no wait for idle. */
#define COUNT(offset) PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), 1, 0xa9100010

static struct check_machine check;

/* ---- what is wrong --------------------------------------------------------------------------- */

#define LONG_TSG(id, length)  1u | 3u << 16 | 128u << 24, (length), (id), 0
#define LONG_CHANNEL(channel) 0, 0, (channel), 0

static const struct {
    uint32_t words[12], entries, code;
} wrong[] = {
    {{LONG_TSG(1, 0), LONG_CHANNEL(0)}, 2, 1},
    {{LONG_TSG(1, 129), LONG_CHANNEL(0)}, 2, 2},
    {{LONG_TSG(1, 2), LONG_CHANNEL(0)}, 2, 3},
    {{LONG_TSG(1, 1), LONG_TSG(2, 1), LONG_CHANNEL(0)}, 3, 4},
    {{LONG_CHANNEL(0)}, 1, 5},
};

/* NV.BAD_TSG, each with its code of Ampere's (ga100 NV_RUNLIST_INTR_BAD_TSG) in the log. */
START_TEST(a_list_that_is_wrong_is_refused_whole_and_says_how)
{
    check_machine_begin_on(&check, "v100");
    check_machine_channel(&check, 0);
    check_machine_runlist_raw(&check, 0, wrong[_i].entries, wrong[_i].words);
    CHECK_SUBMIT(&check, 0, COUNT(0));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_SCHED_ERROR, RULE_NV_BAD_TSG), 1);
    ck_assert_uint_eq(
        event_nv_sched_error_of(check_machine_event(&check, EVENT_NV_SCHED_ERROR, 0)).code,
        wrong[_i].code);
    ck_assert_uint_eq(machine_read32(check.machine, 0x254c), 0x20);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    check_machine_end(&check);
}
END_TEST

/* Begins with a list on runlist 1, which one PBDMA serves; what the log says is wrong with it. */
static uint32_t code_of_list(const char *gpu, const uint32_t *words, uint32_t entries)
{
    const struct nv_chip ampere = check_machine_ga100();
    uint32_t code = 0;

    if (strcmp(gpu, ampere.name) == 0)
        check_machine_begin_model(&check, &ampere);
    else
        check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, 0);
    check_machine_runlist_raw(&check, 1, entries, words);
    check_machine_run(&check);
    if (check_machine_count(&check, EVENT_NV_SCHED_ERROR) > 0)
        code =
            (uint32_t)event_nv_sched_error_of(check_machine_event(&check, EVENT_NV_SCHED_ERROR, 0))
                .code;
    ck_assert_uint_eq(check.gpu->runlists[1].state->group_count, code == 0);
    check_machine_end(&check);
    return code;
}

#define SECOND_QUEUE(channel) 2, 0, (channel), 0 /* its RUNQUEUE_SELECTOR is 1 */

START_TEST(every_code_of_bad_tsg_has_its_list)
{
    const uint32_t sound[] = {LONG_TSG(1, 2), LONG_CHANNEL(0), LONG_CHANNEL(1)};
    const uint32_t second[] = {LONG_TSG(1, 2), LONG_CHANNEL(0), SECOND_QUEUE(1)};

    ck_assert_uint_eq(code_of_list("ga100", sound, 3), NV_RUNLIST_BAD_NOTHING);
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_uint_eq(code_of_list("ga100", wrong[i].words, wrong[i].entries), wrong[i].code);
    ck_assert_uint_eq(code_of_list("ga100", second, 3), NV_RUNLIST_BAD_INVALID_RUNQUEUE);
}
END_TEST

#define SHORT_TSG(id, length) (length) << 26 | 128u << 18 | 3u << 14 | 1u << 13 | (id), 0
#define SHORT_SECOND(channel) 1u << 14 | (channel), 0 /* its RUNQUEUE_SELECTOR is 1 */

/* tu104 dev_ram: a selector beyond the runlist's PBDMAs is taken for 0. */
START_TEST(before_ampere_a_runqueue_too_many_is_no_error)
{
    const uint32_t second[] = {LONG_TSG(1, 2), LONG_CHANNEL(0), SECOND_QUEUE(1)};
    const uint32_t bare[] = {LONG_CHANNEL(0)};
    const uint32_t short_second[] = {SHORT_TSG(1, 2u), 0, 0, SHORT_SECOND(1)};
    const uint32_t short_bare[] = {SHORT_SECOND(0)};

    ck_assert_uint_eq(code_of_list("rtx2060", second, 3), NV_RUNLIST_BAD_NOTHING);
    ck_assert_uint_eq(code_of_list("gtx1060", short_second, 3), NV_RUNLIST_BAD_NOTHING);
    ck_assert_uint_eq(code_of_list("gtx1060", short_bare, 1), NV_RUNLIST_BAD_NOTHING);
    ck_assert_uint_eq(code_of_list("v100", bare, 1), NV_RUNLIST_BAD_EXPECTED_TSG_HEADER);
}
END_TEST

START_TEST(a_tsg_has_up_to_32_channels_on_pascal_and_128_from_volta_on)
{
    static uint32_t words[130 * 4]; /* all channels are channel 0 */

    words[0] = (const uint32_t[]){SHORT_TSG(1, 32u)}[0];
    ck_assert_uint_eq(code_of_list("gtx1060", words, 33), NV_RUNLIST_BAD_NOTHING);
    words[0] = (const uint32_t[]){SHORT_TSG(1, 33u)}[0];
    ck_assert_uint_eq(code_of_list("gtx1060", words, 34), NV_RUNLIST_BAD_MAX_LENGTH);
    memcpy(words, (const uint32_t[]){LONG_TSG(1, 33)}, 16);
    ck_assert_uint_eq(code_of_list("v100", words, 34), NV_RUNLIST_BAD_NOTHING);
    words[1] = 128;
    ck_assert_uint_eq(code_of_list("ga100", words, 129), NV_RUNLIST_BAD_NOTHING);
    ck_assert_uint_eq(code_of_list("ga100", words, 128), NV_RUNLIST_BAD_OVERFLOW);
    words[1] = 129;
    ck_assert_uint_eq(code_of_list("ga100", words, 130), NV_RUNLIST_BAD_MAX_LENGTH);
    memset(words, 0, sizeof words);
}
END_TEST

/* RUNLIST_SUBMIT_OFFSET (tu104/dev_fifo.ref.txt): the entry where the scheduler starts.  It goes
 * round the list: from the last TSG's channel on, the first TSG is next. */
START_TEST(scheduling_starts_at_the_offset)
{
    static const uint32_t first[] = {1, 2, 2, 1};
    const uint32_t words[] = {LONG_TSG(1, 1), LONG_CHANNEL(0), LONG_TSG(2, 1), LONG_CHANNEL(1)};

    check_machine_begin_on(&check, "rtx2060");
    for (uint32_t i = 0; i < 2; i++)
        check_machine_channel(&check, i);
    machine_write32(check.machine, 0x2630, 1); /* SCHED_DISABLE */
    check_machine_runlist_raw(&check, 0, 4, words);
    machine_write32(check.machine, 0x2b08, (uint32_t)_i << 16 | 4); /* RUNLIST_SUBMIT */
    for (uint32_t i = 0; i < 2; i++)
        CHECK_SUBMIT(&check, i, COUNT(0));
    machine_write32(check.machine, 0x2630, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 2);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).tsg_id,
        first[_i]);
    check_machine_end(&check);
}
END_TEST

/* LENGTH has sixteen bits; more entries than channels and TSGs can fill are not looked at. */
START_TEST(the_longest_list_is_bounded)
{
    check_machine_begin_on(&check, "v100");
    check_machine_channel(&check, 0);
    machine_write32(check.machine, 0x2270, BYTES_RUNLIST >> 12);
    machine_write32(check.machine, 0x2274, 0xffff);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- many ------------------------------------------------------------------------------------ */

/* All of them run the same segment of the same ring, in TSGs of 128. */
static void many_channels(void)
{
    uint32_t at = BYTES_RUNLIST;

    check_machine_begin_on(&check, "v100");
    for (uint32_t id = 0; id < MANY; id++) {
        const uint32_t instance = MANY_INSTANCES + 0x1000 * id;
        // clang-format off
        const uint32_t words[][2] = {{0x08, MANY_USERD + 512 * id}, {0x10, 0xface},
                                     {0x48, (uint32_t)CHECK_RING(0)}, {0x4c, 5u << 16},
                                     {0x84, 0x20400000}, {0xac, 0x1f}, {0x200, CHECK_ROOT}};
        // clang-format on

        for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
            check_machine_poke_vram(&check, instance + words[i][0], words[i][1]);
        machine_write32(check.machine, CCSR + 8 * id, 1u << 31 | instance >> 12);
        machine_write32(check.machine, CCSR + 4 + 8 * id, 0x400);
        if (id % GROUP == 0) {
            const uint32_t header[] = {LONG_TSG(id / GROUP, GROUP)};

            for (uint32_t i = 0; i < 4; i++, at += 4)
                check_machine_poke_vram(&check, at, header[i]);
        }
        check_machine_poke_vram(&check, at + 8, id);
        at += 16;
    }
    machine_write32(check.machine, 0x2270, BYTES_RUNLIST >> 12);
    machine_write32(check.machine, 0x2274, MANY + MANY / GROUP);
    check_machine_segment(
        &check, 0, check_machine_dwords(&check, 0, (const uint32_t[]){COUNT(0)}, 5), 5, false);
}

static void ring_many(uint32_t id)
{
    check_machine_poke_vram(&check, MANY_USERD + 512 * id + 0x8c, 1);
    machine_write32(check.machine, NOTIFY, id);
}

/* PROMISE (nvidia): 2,048 channels on one runlist all run once. */
START_TEST(two_thousand_channels_on_one_list_all_run_once)
{
    many_channels();
    for (uint32_t id = 0; id < MANY; id++)
        ring_many(id * 1021 % MANY);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), MANY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), MANY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), MANY);
    check_machine_end(&check);
}
END_TEST

/* Whichever it is, the one that has work is found. */
START_TEST(the_only_one_of_many_is_found)
{
    static const uint32_t ids[] = {0, 127, 128, 1000, 2047};

    many_channels();
    ring_many(ids[_i]);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0)).channel_id,
        ids[_i]);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).tsg_id,
        ids[_i] / GROUP);
    check_machine_end(&check);
}
END_TEST

/* ---- random ---------------------------------------------------------------------------------- */

enum { CHANNELS = 6, ENTRIES = 6 };

static uint32_t pick(struct random_state *random, uint32_t count)
{
    return random_below(random, count);
}

/* Some counts, NOPs, yields, draws with a wait; returns how many counts. */
static uint32_t random_segment(struct random_state *random, uint32_t channel_id)
{
    uint32_t dwords[256], count = 0, sum = 0;
    const uint32_t methods = 1 + pick(random, 20);

    for (uint32_t i = 0; i < methods; i++) {
        const uint32_t counts[] = {COUNT(4 * channel_id)};

        switch (pick(random, 6)) {
        case 0:
            dwords[count++] = PB_IMMD(0, 0x80, 2 + pick(random, 2)); /* YIELD */
            break;
        case 1:
            dwords[count++] = PB_IMMD(0, 0x19d0, 1); /* a draw */
            dwords[count++] = PB_IMMD(0, 0x78, 0);   /* WFI */
            break;
        default:
            for (uint32_t k = 0; k < 5; k++)
                dwords[count++] = counts[k];
            sum++;
        }
    }
    check_machine_segment(&check, channel_id,
                          check_machine_dwords(&check, channel_id, dwords, count), count, true);
    return sum;
}

/* The channels in random order, in random TSGs of one to three with short slices. */
static void random_list(struct random_state *random)
{
    uint32_t ids[CHANNELS], words[4 * CHANNELS] = {0}, count = 0, left = 0;

    for (uint32_t i = 0; i < CHANNELS; i++)
        ids[i] = i;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const uint32_t other = i + pick(random, CHANNELS - i), id = ids[other];

        ids[other] = ids[i];
        ids[i] = id;
        if (left == 0) {
            left = 1 + pick(random, CHANNELS - i < 3 ? CHANNELS - i : 3);
            words[2 * count++] = left << 26 | (1 + pick(random, 20)) << 18 | 0x2000 | (64 + i);
        }
        words[2 * count++] = id;
        left--;
    }
    check_machine_runlist_raw(&check, 0, count, words);
}

/* Something that software may do to what runs. */
static void disturb(struct random_state *random)
{
    const uint32_t id = pick(random, CHANNELS);

    switch (pick(random, 4)) {
    case 0:
        machine_write32(check.machine, 0x2634, id); /* PREEMPT of a channel */
        break;
    case 1:
        random_list(random);
        break;
    case 2:
        machine_write32(check.machine, CCSR + 4 + 8 * id, 0x800);
        break;
    default:
        machine_write32(check.machine, 0x2630, pick(random, 2)); /* SCHED_DISABLE */
    }
}

/* What holds at any time. */
static void check_invariants(void)
{
    const struct nv_runlist_state *state = check.gpu->runlists[0].state;
    uint32_t on = 0;

    for (uint32_t id = 0; id < CHANNELS; id++) {
        const struct nv_channel *channel = nv_channel_get(&check.gpu->host, id);

        on += channel->on_pbdma;
        ck_assert(!channel->on_pbdma || state->channel_id == id);
        ck_assert(!channel->on_pbdma || channel->count == NV_RUNLIST_COUNTS_NOT);
    }
    ck_assert_uint_le(on, 1); /* B.R4 */
    ck_assert_uint_eq(on, state->channel_id != UINT32_MAX);
    ck_assert_uint_le(state->ready_groups, state->serviceable_groups);
}

/* From one start to its end, what counted is no more than what passed; nothing overlaps. */
static void check_turns(void)
{
    for (uint32_t n = 0;; n++) {
        const struct log_event *start = check_machine_event(&check, EVENT_NV_TSG_START, n);
        const struct log_event *end = check_machine_event(&check, EVENT_NV_TSG_END, n);
        const struct log_event *next = check_machine_event(&check, EVENT_NV_TSG_START, n + 1);

        ck_assert_int_eq(start != NULL, end != NULL);
        if (!start)
            break;
        ck_assert_uint_eq(event_nv_tsg_start_of(start).tsg_id, event_nv_tsg_end_of(end).tsg_id);
        ck_assert_uint_eq(event_nv_tsg_end_of(end).ran_ps, end->time_ps - start->time_ps);
        ck_assert_uint_le(event_nv_tsg_end_of(end).counted_ps, event_nv_tsg_end_of(end).ran_ps);
        if (next)
            ck_assert_uint_ge(next->time_ps, end->time_ps);
    }
}

/* PROMISE (nvidia): Turns of channels lose no method and repeat none. */
START_TEST(no_method_is_lost_or_done_twice_whatever_the_turns)
{
    struct random_state random;
    uint32_t sums[CHANNELS] = {0};

    random_seed(&random, 1000 + (uint64_t)_i, 0);
    check_machine_begin(&check, false);
    for (uint32_t id = 0; id < CHANNELS; id++)
        check_machine_channel(&check, id);
    random_list(&random);
    for (uint32_t round = 0; round < ENTRIES; round++) {
        for (uint32_t id = 0; id < CHANNELS; id++)
            sums[id] += random_segment(&random, id);
        for (uint32_t n = 0; n < 40 && machine_step(check.machine); n++)
            check_invariants();
        disturb(&random);
    }
    machine_write32(check.machine, 0x2630, 0);
    for (uint32_t id = 0; id < CHANNELS; id++)
        machine_write32(check.machine, CCSR + 4 + 8 * id, 0x400);
    while (machine_step(check.machine))
        check_invariants();
    check_machine_run(&check);
    for (uint32_t id = 0; id < CHANNELS; id++) {
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * id), sums[id]);
        ck_assert_uint_eq(
            check_machine_peek_vram(&check, CHECK_INSTANCES + 0x1000 * id + NV_PPBDMA_GP_GET),
            ENTRIES);
    }
    ck_assert_uint_eq(check.gpu->runlists[0].state->serviceable_groups, 0);
    check_turns();
    check_machine_end(&check);
}
END_TEST

Suite *nv_runlist_list_suite(void)
{
    Suite *suite = suite_create("nv_runlist_list");
    TCase *tcase = tcase_create("lists");

    tcase_add_loop_test(tcase, a_list_that_is_wrong_is_refused_whole_and_says_how, 0, 5);
    tcase_add_test(tcase, every_code_of_bad_tsg_has_its_list);
    tcase_add_test(tcase, before_ampere_a_runqueue_too_many_is_no_error);
    tcase_add_test(tcase, a_tsg_has_up_to_32_channels_on_pascal_and_128_from_volta_on);
    tcase_add_loop_test(tcase, scheduling_starts_at_the_offset, 0, 4);
    tcase_add_test(tcase, the_longest_list_is_bounded);
    tcase_add_test(tcase, two_thousand_channels_on_one_list_all_run_once);
    tcase_add_loop_test(tcase, the_only_one_of_many_is_found, 0, 5);
    tcase_add_loop_test(tcase, no_method_is_lost_or_done_twice_whatever_the_turns, 0, 40);
    suite_add_tcase(suite, tcase);
    return suite;
}
