/* SPDX-License-Identifier: MIT */
/*
 * Anything legal at any time: channels in time-slice groups on two runlists get random segments of
 * draws, copies, acquires and releases, while software preempts, disables, enables, and submits
 * lists anew.  Whatever comes when: GET does not pass PUT, no method is lost or done twice, turns
 * and slices add up, at most one TSG works on an engine, and at the end nothing is left of
 * anything.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/check_copy.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
#define MS (1000 * US)

/* Channels 0 to 5 on runlist 0, 0 and 1 in one TSG; 6 and 7 on runlist 5 only copy. */
enum { CHANNELS = 8, TSGS = 7, FIRST_COPY = 6, STEPS = 300, SEEDS = 24 };
static const uint32_t tsg_of[CHANNELS] = {0, 0, 1, 2, 3, 4, 5, 6};
/* Words that tests look at: releases of a channel, and what channels acquire. */
#define OF_CHANNEL(channel) (0x100 + 16 * (channel))
#define ACQUIRED            0x80
enum { CCSR = 0x800004, PREEMPT = 0x2634, PREEMPT_PENDING = 1 << 20, PREEMPT_TSG = 1 << 24 };

static struct check_machine check;
static struct random_state chance;
static uint32_t slices[TSGS]; /* units of 1,024 ns */
static uint32_t entries[CHANNELS], released[CHANNELS], draws[CHANNELS], copies[CHANNELS];
static uint32_t acquired; /* what the acquired word will have to be */
static gfe_ps now_ps;

static uint32_t below(uint32_t bound)
{
    return random_below(&chance, bound);
}

/* ---- what software does ---------------------------------------------------------------------- */

/* Lists of the TSGs, beginning with any. */
static void submit_lists(void)
{
    const uint32_t first = below(5);
    uint32_t words[2 * 16], n = 0;

    for (uint32_t runlist_id = 0; runlist_id <= 5; runlist_id += 5, n = 0) {
        for (uint32_t i = 0; i < TSGS; i++) {
            const uint32_t tsg = runlist_id == 0 && i < 5 ? (first + i) % 5 : i;

            if ((tsg < 5) != (runlist_id == 0))
                continue;
            words[n++] = (tsg == 0 ? 2u : 1u) << 26 | slices[tsg] << 18 | 0x2000 | (32 + tsg);
            words[n++] = 0;
            for (uint32_t channel = 0; channel < CHANNELS; channel++)
                if (tsg_of[channel] == tsg) {
                    words[n++] = channel;
                    words[n++] = 0;
                }
        }
        check_machine_runlist_raw(&check, runlist_id, n / 2, words);
    }
}

static void begin(uint64_t seed)
{
    random_seed(&chance, seed, 17);
    check_machine_begin(&check, false);
    copy_map(&check);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        check_machine_channel(&check, i);
        entries[i] = released[i] = draws[i] = copies[i] = 0;
        if (i >= FIRST_COPY)
            check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 * i + 0x210, 0);
    }
    for (uint32_t i = 0; i < TSGS; i++)
        slices[i] = 1 + below(40);
    acquired = 0;
    now_ps = 0;
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 25 * US));
    submit_lists();
}

static uint32_t fetched(uint32_t channel)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < check.event_count; i++)
        count += check.events[i].kind == EVENT_NV_GP_FETCH &&
                 event_nv_gp_fetch_of(&check.events[i]).channel_id == channel;
    return count;
}

/* A draw, a copy or an acquire, or none, then the next number of the channel. */
static void submit(uint32_t channel)
{
    const uint32_t work = below(4), at = OF_CHANNEL(channel);
    uint32_t words[40], n = 0;

    if (entries[channel] - fetched(channel) >= CHECK_RING_ENTRIES - 1)
        return;
    if (work == 0 && channel < FIRST_COPY) {
        words[n++] = PB_IMMD(0, 0x19d0, 1);
        draws[channel]++;
    } else if (work == 1) {
        const uint32_t copy[] = {COPY_UPLOAD(1 + below(600000))};

        memcpy(words, copy, sizeof copy);
        n = sizeof copy / sizeof copy[0];
        copies[channel]++;
    } else if (work == 2) {
        const uint32_t acquire[] = {PB_INC(0, 0x10, 4), 0, DATA(ACQUIRED), acquired + below(2),
                                    4 | below(2) << 12};

        acquired = acquire[3] > acquired ? acquire[3] : acquired;
        memcpy(words, acquire, sizeof acquire);
        n = sizeof acquire / sizeof acquire[0];
    }
    for (uint32_t i = 1 + below(3); i > 0; i--) {
        const uint32_t release[] = {PB_INC(0, 0x10, 4), 0, DATA(at), ++released[channel],
                                    2 | 1u << 24 | below(2) << 20};

        memcpy(words + n, release, sizeof release);
        n += sizeof release / sizeof release[0];
    }
    check_machine_submit(&check, channel, words, n);
    entries[channel]++;
}

static void act(void)
{
    const uint32_t channel = below(CHANNELS);

    switch (below(12)) {
    case 0: /* one at a time */
        if (!(machine_read32(check.machine, PREEMPT) & PREEMPT_PENDING))
            machine_write32(check.machine, PREEMPT, PREEMPT_TSG | (32 + tsg_of[channel]));
        break;
    case 1:
        machine_write32(check.machine, CCSR + 8 * channel, 0x800);
        break;
    case 2:
    case 3:
        machine_write32(check.machine, CCSR + 8 * channel, 0x400);
        break;
    case 4:
        submit_lists();
        break;
    case 5:
        check_machine_poke(&check, CHECK_DATA + ACQUIRED, acquired);
        break;
    default:
        submit(channel);
    }
}

/* ---- what has to hold ------------------------------------------------------------------------ */

/* What the log has of it so far. */
struct seen {
    uint32_t fetched, released, draws, copies;
};

static void see_channel(struct seen *seen, const struct log_event *event)
{
    switch (event->kind) {
    case EVENT_NV_GP_FETCH:
        seen->fetched++;
        break;
    case EVENT_NV_RELEASE: /* each in its turn, once */
        ck_assert_uint_eq(event_nv_release_of(event).value, ++seen->released);
        break;
    case EVENT_NV_CHANNEL_SAVE:
        ck_assert_uint_eq(event_nv_channel_save_of(event).gp_get_index,
                          seen->fetched % CHECK_RING_ENTRIES);
    }
}

static void check_channels(bool complete)
{
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        struct seen seen = {0};

        for (uint32_t i = 0; i < check.event_count; i++) {
            const struct log_event *event = &check.events[i];

            if (event_first(event) == channel)
                see_channel(&seen, event);
            seen.draws +=
                event->kind == EVENT_WORK_END && event_work_end_of(event).channel_id == channel;
            seen.copies +=
                event->kind == EVENT_COPY_END && event_copy_end_of(event).channel_id == channel;
        }
        ck_assert_uint_le(seen.fetched, entries[channel]); /* GET <= PUT */
        ck_assert_uint_le(seen.released, released[channel]);
        if (!complete)
            continue;
        ck_assert_uint_eq(seen.fetched, entries[channel]);
        ck_assert_uint_eq(seen.released, released[channel]);
        ck_assert_uint_eq(seen.draws, draws[channel]);
        ck_assert_uint_eq(seen.copies, copies[channel]);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + OF_CHANNEL(channel)),
                          released[channel]);
    }
}

/* Turns of a runlist follow each other; each is as long as it says, and what counts for its slice
 * is no longer; whoever is sent off by the end of its slice has had so much. */
static void check_turns(uint32_t runlist_id)
{
    const struct log_event *on = NULL;
    gfe_ps last_ps = 0;

    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *event = &check.events[i];

        if (event_first(event) != runlist_id)
            continue;
        if (event->kind == EVENT_NV_TSG_START) {
            ck_assert_ptr_null(on);
            ck_assert_uint_ge(event->time_ps, last_ps);
            ck_assert_uint_eq(event_nv_tsg_start_of(event).timeslice_ps,
                              slices[event_nv_tsg_start_of(event).tsg_id - 32] * 1024000);
            on = event;
        } else if (event->kind == EVENT_NV_TSG_END) {
            ck_assert_ptr_nonnull(on);
            ck_assert_uint_eq(event_nv_tsg_end_of(event).tsg_id, event_nv_tsg_start_of(on).tsg_id);
            ck_assert_uint_eq(event_nv_tsg_end_of(event).ran_ps, event->time_ps - on->time_ps);
            ck_assert_uint_le(event_nv_tsg_end_of(event).counted_ps,
                              event_nv_tsg_end_of(event).ran_ps);
            if (event->rule == RULE_B_T1)
                ck_assert_uint_ge(event_nv_tsg_end_of(event).counted_ps,
                                  event_nv_tsg_start_of(on).timeslice_ps);
            last_ps = event->time_ps;
            on = NULL;
        }
    }
}

/* Who works on each engine, and how long each draw has. */
static void check_engines(void)
{
    uint32_t tsg[16], running[16] = {0};
    uint64_t draw = 0;
    gfe_ps from_ps = 0, sum_ps = 0;

    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *event = &check.events[i];
        const uint32_t kind = event->kind;
        const bool begins = kind == EVENT_WORK_START || kind == EVENT_WORK_RESUME ||
                            kind == EVENT_COPY_START || kind == EVENT_COPY_RESUME;
        const bool ends = kind == EVENT_WORK_END || kind == EVENT_WORK_SUSPEND ||
                          kind == EVENT_COPY_END || kind == EVENT_COPY_SUSPEND;

        if (!begins && !ends)
            continue;
        /* Events of work and of copies begin with the same three members. */
        const struct event_work_end of = event_work_end_from(event->argument);
        const uint64_t engine = of.engine_id;
        const uint32_t whose = tsg_of[of.channel_id];

        ck_assert_uint_lt(engine, 16);
        ck_assert(running[engine] == 0 || tsg[engine] == whose);
        ck_assert(begins || running[engine] > 0);
        tsg[engine] = whose;
        running[engine] += begins ? 1u : UINT32_MAX;
        if (kind == EVENT_WORK_START && draw == 0)
            draw = of.work_id;
        if (draw == 0 || engine != 0 || of.work_id != draw)
            continue;
        if (begins)
            from_ps = event->time_ps;
        else
            sum_ps += event->time_ps - from_ps;
        if (kind == EVENT_WORK_END) { /* the next one */
            ck_assert_uint_eq(sum_ps, 25 * US);
            draw = sum_ps = 0;
        }
    }
}

/* Everything that was taken is given back. */
static void check_nothing_left(void)
{
    const struct nv_fe_state *fe = check.gpu->fe.state;

    ck_assert_uint_eq(machine_next_ps(check.machine), GFE_PS_NEVER);
    ck_assert(fe->work_pool.count == 0 && fe->report_pool.count == 0 &&
              fe->outstanding_pool.count == 0 && fe->launch_count == 0);
    ck_assert_uint_eq(fe->context_pool.count, fe->current != 0);
    for (uint32_t i = 0; i < check.model->runlist_count; i++) {
        ck_assert_uint_eq(check.gpu->host.runlists[i].state->tsg_id, UINT32_MAX);
        ck_assert_uint_eq(check.gpu->host.runlists[i].state->ready_groups, 0);
    }
    for (uint32_t i = 0; i < check.model->engine_count; i++)
        for (uint32_t tsg = 0; tsg < TSGS; tsg++)
            ck_assert(!nv_engine_has_work(&check.gpu->engines[i], 32 + tsg));
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const struct nv_channel *channel = nv_channel_get(&check.gpu->host, i);

        ck_assert(!channel->pending && !channel->acquire_blocked);
    }
}

/* PROMISE (nvidia): In random legal streams GET stays behind PUT, no method is lost or repeated,
 * slices add up, one TSG at a time is on an engine, and slots come back. */
START_TEST(whatever_comes_when_nothing_is_lost_or_done_twice)
{
    begin((uint64_t)_i);
    for (uint32_t step = 0; step < STEPS; step++) {
        now_ps += below(40) * US;
        ck_assert_msg(machine_run(check.machine, now_ps), "%s", check.machine->error.text);
        check_machine_read_log(&check);
        if (step % 10 == 0)
            check_channels(false);
        act();
    }
    for (uint32_t i = 0; i < CHANNELS; i++)
        machine_write32(check.machine, CCSR + 8 * i, 0x400);
    check_machine_poke(&check, CHECK_DATA + ACQUIRED, acquired);
    check_machine_run(&check);
    check_channels(true);
    check_turns(0);
    check_turns(5);
    check_engines();
    check_nothing_left();
    check_machine_end(&check);
}
END_TEST

/* The test above comes by what it is about. */
START_TEST(streams_have_everything_in_them)
{
    static const uint32_t kinds[] = {EVENT_NV_PREEMPT,   EVENT_WORK_SUSPEND,  EVENT_COPY_SUSPEND,
                                     EVENT_NV_ACQUIRE,   EVENT_NV_TSG_END,    EVENT_COPY_RESUME,
                                     EVENT_NV_MMU_FAULT, EVENT_NV_SCHED_ERROR};

    begin(0);
    for (uint32_t step = 0; step < STEPS; step++) {
        now_ps += below(40) * US;
        ck_assert(machine_run(check.machine, now_ps));
        check_machine_read_log(&check);
        act();
    }
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i] == EVENT_NV_MMU_FAULT || kinds[i] == EVENT_NV_SCHED_ERROR)
            ck_assert_uint_eq(check_machine_count(&check, kinds[i]), 0);
        else
            ck_assert_msg(check_machine_count(&check, kinds[i]) >= 2, "kind %u", i);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 20);
    check_machine_end(&check);
}
END_TEST

Suite *host_random_suite(void)
{
    Suite *suite = suite_create("host_random");
    TCase *tcase = tcase_create("streams");

    tcase_add_loop_test(tcase, whatever_comes_when_nothing_is_lost_or_done_twice, 0, SEEDS);
    tcase_add_test(tcase, streams_have_everything_in_them);
    suite_add_tcase(suite, tcase);
    return suite;
}
