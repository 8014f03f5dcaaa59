/* SPDX-License-Identifier: MIT */
/*
 * Figs. 6 to 10 of Bakita and Anderson (RTAS 2024), each from register writes (figure_build.h) and
 * measured in the event log: how long who has what, in which order.
 */
/* PROMISE (sim): Figures 6 to 10 of Bakita and Anderson (2024) follow from register writes. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_trace.h"
#include "tests/event_member.h"
#include "tests/figure_build.h"
#include "tests/golden_text.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
#define MS (1000 * GFE_PS_PER_US)

enum { SPANS = 256 };

/* When something ran. */
struct span {
    gfe_ps from, to;
    uint64_t who; /* CHID of the channel; from Ampere on the log has its runlist above it */
};

static struct bus_build build;
static struct check_simulation run;
static struct replay_input *input;
static struct span spans[SPANS];
static uint32_t span_count;

static const struct simulation_setting costs[] = {
    {"core.block_base_cycles", "0"},
    {"core.block_warp_cycles", FIGURE_WARP_CYCLES},
};
/* Likewise, and switching takes no time. */
static const struct simulation_setting free_switches[] = {
    {"core.block_base_cycles", "0"},    {"core.block_warp_cycles", FIGURE_WARP_CYCLES},
    {"nv.host.schedule_cycles", "0"},   {"nv.host.ramfc_load_cycles", "0"},
    {"nv.gr.context_load_cycles", "0"}, {"nv.gr.context_save_cycles", "0"},
    {"nv.gr.load_ps_per_kib", "0"},     {"nv.gr.save_ps_per_kib", "0"},
    {"nv.ce.context_load_cycles", "0"}, {"nv.ce.context_save_cycles", "0"},
    {"nv.ce.load_ps_per_kib", "0"},     {"nv.ce.save_ps_per_kib", "0"},
    {"core.copy_setup_cycles", "0"},
};
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

static void start_options(const struct simulation_options *options)
{
    input = bus_build_end(&build);
    check_simulation_run(&run, input, options);
}

static void start_with(const struct simulation_setting *settings, uint32_t count)
{
    start_options(&(struct simulation_options){.parameters = settings, .parameter_count = count});
}

static void start(void)
{
    start_with(costs, COUNT(costs));
}

static void start_poked(const char *const *pokes, uint32_t count)
{
    start_options(&(struct simulation_options){
        .parameters = costs, .parameter_count = COUNT(costs), .pokes = pokes, .poke_count = count});
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

/* The text is the file that docs/figures.md names. */
static void compare_with(const char *name)
{
    const char *text = bus_build_text(&build);

    golden_text_check(name, text, strlen(text));
}

/* ---- what ran when --------------------------------------------------------------------------- */

static void span_begin(gfe_ps at, uint64_t who)
{
    ck_assert_uint_lt(span_count, SPANS);
    spans[span_count++] = (struct span){at, GFE_PS_NEVER, who & 0xffff};
}

static void span_end(gfe_ps at, uint64_t who)
{
    for (uint32_t i = span_count; i-- > 0;)
        if (spans[i].who == (who & 0xffff)) {
            ck_assert_uint_eq(spans[i].to, GFE_PS_NEVER);
            spans[i].to = at;
            return;
        }
    ck_abort_msg("the end of nothing");
}

/* The channel whose grid that is. */
static uint64_t grid_channel(uint64_t grid_id)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_GRID_QUEUE &&
            event_grid_queue_of(&run.events[i]).grid_id == grid_id)
            return event_grid_queue_of(&run.events[i]).channel_id;
    return UINT64_MAX;
}

/* When blocks of which channel ran on an SM that has one of each grid. */
static void spans_of_sm(uint32_t sm_index)
{
    span_count = 0;
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_BLOCK_START && event_block_start_of(event).sm_index == sm_index)
            span_begin(event->time_ps, grid_channel(event_block_start_of(event).grid_id));
        else if (event->kind == EVENT_BLOCK_END && event_block_end_of(event).sm_index == sm_index)
            span_end(event->time_ps, grid_channel(event_block_end_of(event).grid_id));
        else if (event->kind == EVENT_GRID_RESUME)
            span_begin(event->time_ps, event_grid_resume_of(event).channel_id);
        else if (event->kind == EVENT_GRID_SUSPEND)
            span_end(event->time_ps, event_grid_suspend_of(event).channel_id);
    }
}

/* When a copy engine copied, for which channel. */
static void spans_of_copies(void)
{
    span_count = 0;
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_COPY_START)
            span_begin(event->time_ps, event_copy_start_of(event).channel_id);
        else if (event->kind == EVENT_COPY_RESUME)
            span_begin(event->time_ps, event_copy_resume_of(event).channel_id);
        else if (event->kind == EVENT_COPY_SUSPEND)
            span_end(event->time_ps, event_copy_suspend_of(event).channel_id);
        else if (event->kind == EVENT_COPY_END)
            span_end(event->time_ps, event_copy_end_of(event).channel_id);
    }
}

/* No two at a time. */
static void expect_one_at_a_time(void)
{
    for (uint32_t i = 1; i < span_count; i++)
        ck_assert_uint_le(spans[i - 1].to, spans[i].from);
}

/* Spans of those in [from, to), and their number. */
static uint32_t spans_within(uint64_t who, gfe_ps from, gfe_ps to)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < span_count; i++)
        count += spans[i].who == who && spans[i].from >= from && spans[i].to <= to;
    return count;
}

static gfe_ps first_span(uint64_t who)
{
    for (uint32_t i = 0; i < span_count; i++)
        if (spans[i].who == who)
            return spans[i].from;
    return GFE_PS_NEVER;
}

static gfe_ps last_span(uint64_t who)
{
    gfe_ps to = 0;

    for (uint32_t i = 0; i < span_count; i++)
        if (spans[i].who == who)
            to = spans[i].to;
    return to;
}

static gfe_ps total(uint64_t who)
{
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < span_count; i++)
        if (spans[i].who == who)
            sum += spans[i].to - spans[i].from;
    return sum;
}

static void expect_between(gfe_ps value, gfe_ps least, gfe_ps most)
{
    ck_assert_uint_ge(value, least);
    ck_assert_uint_le(value, most);
}

/* How many slices of a TSG another's turn ended, in that time: each was so long, or, where it began
 * while nobody else was there, several times that. */
static uint32_t expect_slices(uint32_t runlist_id, const struct span *of, gfe_ps counted)
{
    uint32_t count = 0, longer = 0;

    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind != EVENT_NV_TSG_END || event->rule != RULE_B_T1 ||
            event_nv_tsg_end_of(event).runlist_id != runlist_id ||
            event_nv_tsg_end_of(event).tsg_id != FIGURE_TSG + of->who ||
            event->time_ps < of->from || event->time_ps > of->to)
            continue;
        count++;
        longer += event_nv_tsg_end_of(event).counted_ps != counted;
        ck_assert_uint_eq(event_nv_tsg_end_of(event).counted_ps % counted, 0);
    }
    ck_assert_uint_le(longer, 1);
    return count;
}

/* The runlist's TSGs take turns: none has two in a row, between these times. */
static void expect_alternation(uint32_t runlist_id, gfe_ps from, gfe_ps to)
{
    uint64_t last = UINT64_MAX;

    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind != EVENT_NV_TSG_START ||
            event_nv_tsg_start_of(event).runlist_id != runlist_id || event->time_ps < from ||
            event->time_ps > to)
            continue;
        ck_assert_uint_ne(event_nv_tsg_start_of(event).tsg_id, last);
        last = event_nv_tsg_start_of(event).tsg_id;
    }
    ck_assert_uint_ne(last, UINT64_MAX);
}

/* ---- Fig. 6 ---------------------------------------------------------------------------------- */

/* B.R4, B.T1, B.T3, T.P1: two tasks that compute have all SMs in turn, for 2,048 us each; a kernel
 * that has none beside it runs without a break. */
START_TEST(fig_6_two_tasks_compute_in_slices_of_two_milliseconds)
{
    gfe_ps from, to;

    figure_6(&build, FIGURE_ALL);
    compare_with("fig6.bus");
    start();
    for (uint32_t sm = 0; sm < 9; sm++) {
        spans_of_sm(sm);
        expect_one_at_a_time();
        from = first_span(FIGURE_CH2);
        to = last_span(FIGURE_CH2);
        expect_between(from, 110 * MS, 113 * MS);
        /* "approximately 20 timeslices per 80 ms" */
        expect_between(spans_within(FIGURE_CH1, from, from + 80 * MS), 18, 20);
        expect_between(spans_within(FIGURE_CH2, from, from + 80 * MS), 18, 20);
        for (uint32_t i = 0; i < span_count; i++)
            if (spans[i].from > from && spans[i].to < to) /* until the next channel is loaded */
                expect_between(spans[i].to - spans[i].from, 2048 * US, 2048 * US + US);
        /* No time of a kernel is lost: 32 and 8 warps of 5 ms. */
        ck_assert_uint_eq(total(FIGURE_CH1), 160 * MS);
        ck_assert_uint_eq(total(FIGURE_CH2), 40 * MS);
    }
    for (uint64_t chid = FIGURE_CH1; chid <= FIGURE_CH2; chid++)
        ck_assert_uint_ge(expect_slices(0, &(struct span){from - MS, to, chid}, 2048 * US), 18);
    expect_alternation(0, from, to);
    end();
}
END_TEST

/* B.D1: what the making of a context sends to the graphics engine takes it from whoever computes.
 * How often, and over which time, is the driver's, here typed in: eight times in 100 ms. */
START_TEST(fig_6_a_context_that_is_made_interrupts_the_other_task)
{
    const bool made = _i;

    figure_6(&build, made ? FIGURE_ALL : FIGURE_ALL & ~FIGURE_INIT);
    start();
    spans_of_sm(0);
    ck_assert_uint_eq(spans_within(FIGURE_CH1, 0, 109 * MS), made ? FIGURE_6_INITS : 0);
    if (!made)
        ck_assert_uint_ge(spans[0].to, 110 * MS); /* submitting a list alone interrupts nobody */
    for (uint32_t i = 1; made && i <= FIGURE_6_INITS; i++) {
        expect_between(spans[i].from - spans[i - 1].to, US, 500 * US);
        /* At the end of a slice. */
        expect_between(spans[i - 1].to, 10 * MS + (i - 1) * 12500 * US,
                       12100 * US + (i - 1) * 12500 * US);
    }
    end();
}
END_TEST

/* ---- Fig. 7 ---------------------------------------------------------------------------------- */

/* B.R4, B.T1: copies of two contexts on one copy engine take turns of 1,049 us. */
START_TEST(fig_7_two_tasks_copy_in_slices_of_a_millisecond)
{
    gfe_ps to;

    figure_7(&build, FIGURE_ALL);
    compare_with("fig7.bus");
    start();
    spans_of_copies();
    expect_one_at_a_time();
    to = last_span(FIGURE_CH1);
    expect_between(first_span(FIGURE_CH2), 3 * MS, 4300 * US);
    for (uint32_t i = 1; i < span_count; i++) { /* a copy stops at the end of 64 KiB, 5.5 us */
        if (spans[i].to >= to)
            break;
        ck_assert_uint_ne(spans[i].who, spans[i - 1].who);
        expect_between(spans[i].to - spans[i].from, 1048576000 - 6 * US, 1048576000 + 7 * US);
    }
    expect_between(spans_within(FIGURE_CH1, 0, to), 8, 11);
    expect_between(spans_within(FIGURE_CH2, 0, to), 7, 9);
    for (uint64_t chid = FIGURE_CH1; chid <= FIGURE_CH2; chid++)
        ck_assert_uint_ge(expect_slices(5, &(struct span){0, to, chid}, 1048576000), 7);
    expect_alternation(5, 0, to);
    end();
}
END_TEST

/* ---- Fig. 8 ---------------------------------------------------------------------------------- */

/* A hash over what an event says of one side of the GPU: 0 for events of the other. */
static uint64_t side_of(const struct log_event *event, bool compute)
{
    switch (event->kind) {
    case EVENT_NV_TSG_START:
        return event_nv_tsg_start_of(event).runlist_id == (compute ? 0 : 5);
    case EVENT_NV_TSG_END:
        return event_nv_tsg_end_of(event).runlist_id == (compute ? 0 : 5);
    case EVENT_BLOCK_START:
    case EVENT_BLOCK_END:
    case EVENT_GRID_SUSPEND:
    case EVENT_GRID_RESUME:
        return compute;
    case EVENT_COPY_START:
    case EVENT_COPY_SUSPEND:
    case EVENT_COPY_RESUME:
    case EVENT_COPY_END:
        return !compute;
    default:
        return false;
    }
}

/* When what happened on one side. */
static uint64_t side_hash(bool compute, uint32_t *count)
{
    uint64_t hash = 14695981039346656037u;

    *count = 0;
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (!side_of(event, compute))
            continue;
        hash = (hash ^ event->time_ps) * 1099511628211u;
        hash = (hash ^ event->kind) * 1099511628211u;
        ++*count;
    }
    return hash;
}

/* B.R5, B.R6: what is on one runlist, when, does not depend on what is on the other. */
START_TEST(fig_8_runlists_are_independent)
{
    static const int computes = FIGURE_WORK(FIGURE_CH1) | FIGURE_WORK(FIGURE_CH2);
    uint64_t together[2];
    uint32_t counts[2], count;

    figure_8(&build, FIGURE_ALL);
    start();
    for (int side = 0; side < 2; side++)
        together[side] = side_hash(side, &counts[side]);
    end();
    for (int side = 0; side < 2; side++) { /* only one side works */
        figure_8(&build, side ? computes : ~computes);
        start();
        ck_assert_uint_eq(side_hash(side, &count), together[side]);
        ck_assert_uint_eq(count, counts[side]);
        ck_assert_uint_ge(count, 40);
        (void)side_hash(!side, &count);
        ck_assert_uint_eq(count, 0);
        end();
    }
    /* It is the runlist that counts: one copy less changes when the others copy. */
    figure_8(&build, ~FIGURE_WORK(FIGURE_CH5));
    start();
    ck_assert_uint_ne(side_hash(false, &count), together[0]);
    ck_assert_uint_eq(side_hash(true, &count), together[1]);
    end();
}
END_TEST

/* B.R4, B.R5: the task that uses both engines copies while its kernel has the SMs, and while they
 * are another's all the time. */
START_TEST(fig_8_a_task_has_its_engines_at_unrelated_times)
{
    uint32_t own = 0, others = 0, copy_count;
    struct span copies[SPANS];

    figure_8(&build, FIGURE_ALL);
    compare_with("fig8.bus");
    start();
    spans_of_copies();
    expect_one_at_a_time();
    for (uint64_t chid = FIGURE_CH3; chid <= FIGURE_CH5; chid++)
        ck_assert_uint_ge(spans_within(chid, 0, GFE_PS_NEVER), 5);
    memcpy(copies, spans, sizeof copies);
    copy_count = span_count;
    spans_of_sm(0);
    expect_one_at_a_time();
    for (uint32_t i = 0; i < copy_count; i++)
        for (uint32_t j = 0; copies[i].who == FIGURE_CH3 && j < span_count; j++)
            if (copies[i].from >= spans[j].from && copies[i].to <= spans[j].to) {
                own += spans[j].who == FIGURE_CH2;
                others += spans[j].who == FIGURE_CH1;
            }
    ck_assert_uint_ge(own, 1);
    ck_assert_uint_ge(others, 1);
    end();
}
END_TEST

/* ---- Fig. 9 ---------------------------------------------------------------------------------- */

/* Widths of the copy's pieces and of what lies between them, first and last left out. */
static void expect_pieces(gfe_ps piece, gfe_ps gap, gfe_ps tolerance)
{
    spans_of_copies();
    ck_assert_uint_ge(span_count, 5);
    for (uint32_t i = 1; i + 1 < span_count; i++) {
        expect_between(spans[i].to - spans[i].from, piece - tolerance, piece + tolerance);
        expect_between(spans[i].from - spans[i - 1].to, gap - tolerance, gap + tolerance);
    }
}

static void expect_both_slices(void)
{
    ck_assert_uint_ge(expect_slices(0, &(struct span){0, GFE_PS_NEVER, FIGURE_CH1}, 1024000000), 4);
    ck_assert_uint_ge(expect_slices(0, &(struct span){0, GFE_PS_NEVER, FIGURE_CH2}, 1048576000), 4);
}

/* The kernel ran from its start to its end: nobody else needs the SMs. */
static void expect_unbroken(void)
{
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_GRID_SUSPEND, CHECK_ANY_RULE), 0);
    for (uint32_t sm = 0; sm < 2; sm++) {
        spans_of_sm(sm);
        ck_assert_uint_eq(span_count, 1);
        ck_assert_uint_eq(total(FIGURE_CH1), 4 * UINT64_C(7530000) * 10000 / 13);
    }
}

/* B.S1, B.T1, B.T1b, B.R6: one runlist for compute and copy.  The copy is cut by the slices of the
 * kernel's TSG, which might copy, too: 1,048.576 us of copying, 1,024 us of none, to a cycle of
 * Host and 64 KiB, where a copy can stop.  The kernel is not cut, as whoever copies needs no SM. */
START_TEST(fig_9_copies_are_cut_by_compute_slices_and_compute_is_not)
{
    figure_9(&build, FIGURE_ALL);
    compare_with("fig9.bus");
    start_with(free_switches, COUNT(free_switches));
    expect_unbroken();
    expect_pieces(1048576000, 1024000000, 3 * US);
    expect_both_slices();
    end();
}
END_TEST

/* The copy engine's context switch is a figure of its own, beside the slices (B.T2). */
START_TEST(fig_9_what_a_switch_costs_is_beside_the_slices)
{
    const gfe_ps cost = 10 * US;
    struct simulation_setting settings[COUNT(free_switches)];

    memcpy(settings, free_switches, sizeof settings);
    settings[8].value = "13000"; /* nv.ce.context_load_cycles: 10 us */
    ck_assert_str_eq(settings[8].id, "nv.ce.context_load_cycles");
    figure_9(&build, FIGURE_ALL);
    start_with(settings, COUNT(settings));
    expect_unbroken();
    /* One load before the compute slice, one before the copy goes on. */
    expect_pieces(1048576000, 1024000000 + 2 * cost, 3 * US);
    expect_both_slices();
    end();
}
END_TEST

START_TEST(fig_9_a_copy_alone_is_not_cut)
{
    figure_9(&build, FIGURE_WORK(FIGURE_CH2));
    start();
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_COPY_SUSPEND, CHECK_ANY_RULE), 0);
    spans_of_copies();
    ck_assert_uint_eq(span_count, 1);
    end();
}
END_TEST

/* ---- Fig. 10 --------------------------------------------------------------------------------- */

/* B.R8: downloads beside texture uploads take twice as long where the upload's GRCE shares the PCE
 * of the download's LCE, as on the RTX 6000 Ada by its default map, and no longer where each has
 * its own, as on the GTX 1080 Ti; though channels, runlists and LCEs are apart on both. */
START_TEST(fig_10_uploads_slow_downloads_where_they_share_a_pce)
{
    static const char *const gpus[] = {"rtx6000ada", "gtx1080ti"};
    static const char *const files[] = {"fig10_rtx6000ada.bus", "fig10_gtx1080ti.bus"};
    const bool shared = _i == 0;
    gfe_ps took[4], alone;
    uint32_t n = 0;

    figure_10(&build, gpus[_i], FIGURE_ALL);
    compare_with(files[_i]);
    start();
    spans_of_copies();
    for (uint32_t i = 0; i < span_count && n < 4; i++)
        if (spans[i].who == FIGURE_CH1)
            took[n++] = spans[i].to - spans[i].from;
    ck_assert_uint_eq(n, 4);
    alone = took[0]; /* 12 MB at 25 and at 12 GB/s */
    expect_between(alone, shared ? 475 * US : 990 * US, shared ? 485 * US : 1010 * US);
    ck_assert_uint_eq(took[1], alone);
    for (uint32_t i = 2; i < 4; i++)
        expect_between(took[i], alone * (shared ? 19 : 10) / 10, alone * (shared ? 21 : 10) / 10);
    ck_assert_int_eq(check_simulation_count(&run, EVENT_WAIT, RULE_B_R8) > 0, shared);
    end();
}
END_TEST

/* ---- B.R1 ------------------------------------------------------------------------------------ */

/* When the first event of a kind came for a channel, given by the argument at place n. */
static gfe_ps first_event(uint32_t kind, size_t n, uint64_t channel_id)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && event_argument(&run.events[i], n) == channel_id)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

/* How long a channel waited by a rule. */
static gfe_ps waited_for(uint64_t channel_id, uint32_t rule)
{
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_WAIT && event->rule == rule &&
            event_wait_of(event).subject_kind == SUBJECT_CHANNEL &&
            event_wait_of(event).subject_id == channel_id)
            sum += event->time_ps - event_wait_of(event).begin_ps;
    }
    return sum;
}

/* B.R1: with all channels of a task disabled neither kernel nor copy nor the mapping of memory
 * happens until they are enabled again, and then at once; another task has what it needs. */
START_TEST(nothing_of_a_task_happens_while_its_channels_are_disabled)
{
    static const char *const pokes[] = {
        "1500us disable_channel 1", "1500us disable_channel 2", "1500us disable_channel 3",
        "30ms enable_channel 1",    "31ms enable_channel 2",    "32ms enable_channel 3",
    };
    const uint32_t poke_count = _i ? COUNT(pokes) : 0;
    const gfe_ps from[] = {poke_count ? 30 * MS : 2 * MS, poke_count ? 31 * MS : 2 * MS,
                           poke_count ? 32 * MS : 2 * MS};
    uint32_t word = 0;
    uint64_t pte;

    figure_r1(&build, &pte);
    compare_with("channels.bus");
    start_poked(pokes, poke_count);
    /* Beside another's kernel the task's begins at the end of a slice. */
    expect_between(first_event(EVENT_NV_LAUNCH, EVENT_PLACE(nv_launch, channel_id), FIGURE_CH1),
                   from[0], from[0] + 2100 * US);
    expect_between(first_event(EVENT_COPY_START, EVENT_PLACE(copy_start, channel_id), FIGURE_CH2),
                   from[1], from[1] + 10 * US);
    expect_between(first_event(EVENT_COPY_START, EVENT_PLACE(copy_start, channel_id), FIGURE_CH3),
                   from[2], from[2] + 10 * US);
    expect_between(first_event(EVENT_NV_MEM_OP, EVENT_PLACE(nv_mem_op, channel_id), FIGURE_CH3),
                   from[2], from[2] + 20 * US);
    ck_assert(machine_read(run.simulation->machine, MEMORY_VRAM, pte, &word, sizeof word));
    ck_assert_uint_eq(word, FIGURE_PTE);
    spans_of_sm(0);
    ck_assert_uint_eq(total(FIGURE_CH4), 60 * MS);
    ck_assert_uint_eq(total(FIGURE_CH1), 20 * MS);
    if (poke_count) /* the other one had no break meanwhile */
        expect_between(spans[0].to, 30 * MS, 33 * MS);
    for (uint64_t chid = FIGURE_CH1; chid <= FIGURE_CH3; chid++)
        expect_between(waited_for(chid, RULE_B_R1), poke_count ? from[chid - 1] - 2001 * US : 0,
                       poke_count ? from[chid - 1] - 2 * MS : 0);
    end();
}
END_TEST

/* B.R1: a kernel that runs loses its further slices, with preempt_tsg the one that it has, too. */
START_TEST(disabling_takes_a_running_kernel_off_until_it_is_enabled)
{
    static const char *const pokes[] = {"12ms disable_channel 1", "30ms enable_channel 1",
                                        "12ms preempt_tsg 8"};
    const bool preempted = _i;
    uint64_t pte;

    figure_r1(&build, &pte);
    start_poked(pokes, preempted ? 3 : 2);
    spans_of_sm(0);
    ck_assert_uint_ge(spans_within(FIGURE_CH1, 0, 15 * MS), 2);
    for (uint32_t i = 0; i < span_count; i++) {
        if (spans[i].who != FIGURE_CH1)
            continue;
        ck_assert(spans[i].from <= 12 * MS || spans[i].from >= 30 * MS);
        if (spans[i].from <= 12 * MS)
            ck_assert_uint_le(spans[i].to, preempted ? 12 * MS + US : 12 * MS + 2100 * US);
    }
    ck_assert_uint_ge(spans_within(FIGURE_CH1, 30 * MS, GFE_PS_NEVER), 2);
    ck_assert_uint_eq(total(FIGURE_CH1), 20 * MS);
    ck_assert_uint_eq(total(FIGURE_CH4), 60 * MS);
    end();
}
END_TEST

Suite *figures_suite(void)
{
    Suite *suite = suite_create("figures");
    TCase *tcase = tcase_create("paper");

    tcase_add_test(tcase, fig_6_two_tasks_compute_in_slices_of_two_milliseconds);
    tcase_add_loop_test(tcase, fig_6_a_context_that_is_made_interrupts_the_other_task, 0, 2);
    tcase_add_test(tcase, fig_7_two_tasks_copy_in_slices_of_a_millisecond);
    tcase_add_test(tcase, fig_8_runlists_are_independent);
    tcase_add_test(tcase, fig_8_a_task_has_its_engines_at_unrelated_times);
    tcase_add_test(tcase, fig_9_copies_are_cut_by_compute_slices_and_compute_is_not);
    tcase_add_test(tcase, fig_9_what_a_switch_costs_is_beside_the_slices);
    tcase_add_test(tcase, fig_9_a_copy_alone_is_not_cut);
    tcase_add_loop_test(tcase, fig_10_uploads_slow_downloads_where_they_share_a_pce, 0, 2);
    tcase_add_loop_test(tcase, nothing_of_a_task_happens_while_its_channels_are_disabled, 0, 2);
    tcase_add_loop_test(tcase, disabling_takes_a_running_kernel_off_until_it_is_enabled, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
