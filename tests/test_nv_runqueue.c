/* SPDX-License-Identifier: MIT */
/*
 * The runqueues of a graphics runlist, which has two PBDMAs: each walks the list for itself.
 *
 * Sources: open-gpu-doc manuals/turing/tu104/dev_ram.ref.txt (RUNQUEUE_SELECTOR determines which
 * PBDMA runs a channel; GRCE work is allowed on either runqueue), dev_pbdma.ref.txt (a PBDMA
 * switches to the next TSG on its runqueue; the runqueue's timeslice); Bakita and Anderson 2024,
 * rule R4 (up to one task for each engine of a runlist) and note 16 (the PBDMAs snoop different
 * runqueues, with round-robin arbitration for each); tests/hardware/data/README.md (an H100: CUDA's
 * compute channels alternate between the runqueues, and of two processes each computes for whole
 * slices while the other stands).
 */
/* PROMISE (nvidia): The runqueues of a runlist walk it each for itself (NV.RUNLIST). */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bus_build.h"
#include "tests/check_trace.h"
#include "tests/cuda_run.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US

/* A chip of each form of runlist entry that has two PBDMAs on runlist 0. */
static const char *const gpus[] = {"gtx1060", "rtx2080ti", "rtx6000ada"};
enum { GPUS = sizeof gpus / sizeof gpus[0], FIRST = 1, SECOND = 2 };

static struct bus_build build;
static struct replay_input *input;
static struct check_simulation run;

static const struct simulation_setting settings[] = {{"core.block_base_cycles", "0"},
                                                     {"core.block_warp_cycles", "13000000"},
                                                     {"nv.gr.stop_ps", "0"}};

/* A channel in a space of its own that shows system memory. */
static struct bus_channel channel_of(uint32_t runlist_id, uint32_t chid, uint32_t runqueue)
{
    const uint64_t root = bus_build_space(&build);
    struct bus_channel channel;

    bus_build_system(&build, root);
    channel = bus_build_channel(&build, runlist_id, chid, root);
    channel.runqueue = runqueue;
    if (runlist_id != 0)
        bus_build_copies_only(&build, &channel);
    return channel;
}

/* One of runlist 0. */
static struct bus_channel channel_on(uint32_t chid, uint32_t runqueue)
{
    return channel_of(0, chid, runqueue);
}

static struct bus_tsg tsg_of(const struct bus_channel *channel)
{
    return (struct bus_tsg){
        .id = 30 + channel->chid, .timeout = 128, .scale = 3, .channels = {channel}, .count = 1};
}

static void kernel_of(struct bus_channel *channel)
{
    bus_build_launch(&build, channel, &(struct bus_launch){.grid = 1, .threads = 32});
    bus_build_kick(&build, channel);
}

/* 100 MiB from where nothing was written into system memory. */
static void copy_of(struct bus_channel *channel)
{
    bus_build_copy_virtual(&build, channel, BUS_VA + BUS_HEAP + (64 << 20), BUS_SYSTEM, 100 << 20);
    bus_build_kick(&build, channel);
}

static void start(void)
{
    const struct simulation_options options = {
        .parameters = settings, .parameter_count = sizeof settings / sizeof settings[0]};

    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

/* The time of the n-th event of a kind whose first value is `first`; GFE_PS_NEVER if there is none.
 */
static gfe_ps time_of(uint32_t kind, uint64_t first, uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && event_first(&run.events[i]) == first && n-- == 0)
            return run.events[i].time_ps;
    return GFE_PS_NEVER;
}

static uint32_t count_of(uint32_t kind)
{
    return check_simulation_count(&run, kind, CHECK_ANY_RULE);
}

START_TEST(channels_of_a_tsg_are_on_both_pbdmas_at_once)
{
    struct bus_channel channels[2];
    struct bus_tsg tsg;

    bus_build_begin(&build, gpus[_i]);
    channels[0] = channel_on(FIRST, 0);
    channels[1] = channel_on(SECOND, 1);
    tsg = tsg_of(&channels[0]);
    tsg.channels[tsg.count++] = &channels[1];
    bus_build_runlist(&build, 0, &tsg, 1);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2; i++)
        copy_of(&channels[i]);
    start();
    /* Neither waits until the other is saved. */
    ck_assert_uint_lt(time_of(EVENT_NV_CHANNEL_LOAD, channels[1].chid, 0),
                      time_of(EVENT_NV_CHANNEL_SAVE, channels[0].chid, 0));
    ck_assert_uint_lt(time_of(EVENT_NV_CHANNEL_LOAD, channels[0].chid, 0),
                      time_of(EVENT_NV_CHANNEL_SAVE, channels[1].chid, 0));
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 2);
    end();
}
END_TEST

/* R4: two tasks run at a time on a runlist if they use different engines.  Fig. 9's copy, cut into
 * slices by a task that computes, is whole if it is on another runqueue. */
START_TEST(a_copy_is_cut_only_on_the_runqueue_of_the_task_that_computes)
{
    const bool apart = _i % 2 == 0;
    struct bus_channel computes, copies;
    struct bus_tsg tsgs[2];

    bus_build_begin(&build, gpus[_i / 2]);
    computes = channel_on(FIRST, 0);
    copies = channel_on(SECOND, apart ? 1 : 0);
    bus_build_copies_only(&build, &copies);
    tsgs[0] = tsg_of(&computes);
    tsgs[1] = tsg_of(&copies);
    bus_build_runlist(&build, 0, tsgs, 2);
    bus_build_at(&build, "10us");
    kernel_of(&computes);
    copy_of(&copies);
    start();
    if (apart)
        ck_assert_uint_eq(count_of(EVENT_COPY_SUSPEND), 0);
    else
        ck_assert_uint_ge(count_of(EVENT_COPY_SUSPEND), 3);
    ck_assert_uint_eq(count_of(EVENT_GRID_SUSPEND), 0);
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 1);
    ck_assert_uint_eq(count_of(EVENT_GRID_END), 1);
    end();
}
END_TEST

/* Two tasks that compute, one on each runqueue: the graphics engine has one at a time (R4), for its
 * slice of 128 << 3 units of 1,024 ns. */
START_TEST(tasks_that_compute_on_different_runqueues_take_turns)
{
    struct bus_channel channels[2];
    struct bus_tsg tsgs[2];
    uint32_t on = UINT32_MAX, turns = 0;
    gfe_ps since = 0;

    bus_build_begin(&build, gpus[_i]);
    for (uint32_t i = 0; i < 2; i++) {
        channels[i] = channel_on(FIRST + i, i);
        tsgs[i] = tsg_of(&channels[i]);
    }
    bus_build_runlist(&build, 0, tsgs, 2);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2; i++)
        kernel_of(&channels[i]);
    start();
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_GRID_START || event->kind == EVENT_GRID_RESUME) {
            ck_assert_uint_eq(on, UINT32_MAX);
            on = (uint32_t)event_first(event);
            since = event->time_ps;
        } else if (event->kind == EVENT_GRID_SUSPEND || event->kind == EVENT_GRID_END) {
            ck_assert_uint_eq(on, event_first(event));
            on = UINT32_MAX;
            if (event->kind == EVENT_GRID_SUSPEND && turns++ > 1) {
                ck_assert_uint_ge(event->time_ps - since, 1048576000);
                ck_assert_uint_le(event->time_ps - since, 1048576000 + 5 * US);
            }
        }
    }
    ck_assert_uint_ge(turns, 8);
    ck_assert_uint_eq(count_of(EVENT_GRID_END), 2);
    end();
}
END_TEST

/* A submitted list, SCHED_DISABLE and a preemption are of the whole runlist: afterwards nothing of
 * either runqueue is on. */
START_TEST(software_preempts_both_runqueues)
{
    static const char *const pokes[] = {"3ms preempt_runlist 0", "3ms disable_channel 1",
                                        "3ms disable_channel 2"};
    const struct simulation_options options = {
        .parameters = settings, .parameter_count = 2, .pokes = pokes, .poke_count = 3};
    struct bus_channel channels[2];
    struct bus_tsg tsg;

    bus_build_begin(&build, "rtx2080ti");
    channels[0] = channel_on(FIRST, 0);
    channels[1] = channel_on(SECOND, 1);
    tsg = tsg_of(&channels[0]);
    tsg.channels[tsg.count++] = &channels[1];
    bus_build_runlist(&build, 0, &tsg, 1);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2; i++)
        copy_of(&channels[i]);
    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_TSG_END, RULE_NV_PREEMPT), 2);
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 0);
    ck_assert_uint_eq(count_of(EVENT_COPY_SUSPEND), 2);
    end();
}
END_TEST

/* A PBDMA goes to the next TSG of its runqueue when the TSG that is on has no more work for it (R4
 * and note 16): a kernel that the TSG's channel on the other runqueue has launched is the other
 * PBDMA's work. */
START_TEST(a_runqueue_does_not_wait_for_the_kernel_of_another)
{
    struct bus_channel channels[2], other;
    struct bus_tsg tsgs[2];

    bus_build_begin(&build, gpus[_i]);
    channels[0] = channel_on(FIRST, 0);
    channels[1] = channel_on(SECOND, 1);
    other = channel_on(SECOND + 1, 0);
    bus_build_copies_only(&build, &other);
    tsgs[0] = tsg_of(&channels[0]);
    tsgs[0].channels[tsgs[0].count++] = &channels[1];
    tsgs[1] = tsg_of(&other);
    bus_build_runlist(&build, 0, tsgs, 2);
    bus_build_at(&build, "10us");
    bus_build_copy_virtual(&build, &channels[0], BUS_VA + BUS_HEAP, BUS_SYSTEM, 2 << 20);
    bus_build_kick(&build, &channels[0]);
    bus_build_at(&build, "50us");
    kernel_of(&channels[1]);
    copy_of(&other);
    start();
    /* Not only when the slice of 1,048 us is over. */
    ck_assert_uint_lt(time_of(EVENT_NV_CHANNEL_LOAD, other.chid, 0), 800 * US);
    ck_assert_uint_eq(count_of(EVENT_GRID_END), 1);
    end();
}
END_TEST

/* A runqueue waits only for a TSG that feeds the engine: the first GRCE has the context of a TSG
 * that is on in the second runqueue, whose copies go to the second GRCE
 * (nv.runlist.engines_needed=used: a channel takes an engine with its first method).  Found by gfe
 * selftest: each waited for the other. */
START_TEST(runqueues_do_not_wait_for_each_others_engines)
{
    const struct simulation_setting used = {"nv.runlist.engines_needed", "used"};
    const struct simulation_options options = {.choices = &used, .choice_count = 1};
    struct bus_channel first, copied, computes;
    struct bus_tsg tsgs[2];

    bus_build_begin(&build, gpus[_i]);
    first = channel_on(FIRST, 0);
    copied = channel_on(SECOND, 0);
    computes = channel_on(SECOND + 1, 1);
    tsgs[0] = tsg_of(&first);
    tsgs[1] = tsg_of(&copied);
    tsgs[1].channels[tsgs[1].count++] = &computes;
    bus_build_runlist(&build, 0, tsgs, 2);
    bus_build_at(&build, "10us");
    bus_build_copy_virtual(&build, &copied, BUS_VA + BUS_HEAP, BUS_SYSTEM, 4096);
    bus_build_kick(&build, &copied);
    bus_build_at(&build, "200us");
    bus_build_launch(&build, &first, &(struct bus_launch){.grid = 400, .threads = 1024});
    bus_build_copy_virtual(&build, &first, BUS_VA + BUS_HEAP, BUS_SYSTEM, 4096);
    bus_build_kick(&build, &first);
    bus_build_at(&build, "+1us");
    kernel_of(&computes);
    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 2);
    ck_assert_uint_eq(count_of(EVENT_GRID_END), 2);
    ck_assert_uint_eq(count_of(EVENT_WAIT_OPEN), 0);
    end();
}
END_TEST

/* ---- copies -----------------------------------------------------------------------------------
 */

/* HCE, which decodes the methods of copies, is part of each PBDMA (tu104/dev_pbdma.ref.txt:
 * HCE_CTRL and HCE_DBG0 are registers of PBDMAs).  Runlist 2 of an Orin has two of them and one
 * copy engine. Found by gfe selftest: the words of one channel were in the copies of the other. */
START_TEST(runqueues_that_feed_one_copy_engine_do_not_mix_their_words)
{
    enum { COPIES = 8, RUNLIST = 2, UNIT = 4096 };
    struct bus_channel channels[2];
    struct bus_tsg tsg;
    uint32_t seen = 0;

    bus_build_begin(&build, "orin");
    for (uint32_t i = 0; i < 2; i++)
        channels[i] = channel_of(RUNLIST, FIRST + i, i);
    tsg = tsg_of(&channels[0]);
    tsg.channels[tsg.count++] = &channels[1];
    bus_build_runlist(&build, RUNLIST, &tsg, 1);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2 * COPIES; i++)
        bus_build_copy_virtual(&build, &channels[i % 2], BUS_SYSTEM, BUS_VA + BUS_HEAP + (64 << 20),
                               channels[i % 2].chid * UNIT);
    for (uint32_t i = 0; i < 2; i++)
        bus_build_kick(&build, &channels[i]);
    start();
    for (uint32_t i = 0; i < run.event_count; i++) {
        if (run.events[i].kind != EVENT_COPY_QUEUE)
            continue;
        ck_assert_uint_eq(event_copy_queue_of(&run.events[i]).byte_count,
                          (event_copy_queue_of(&run.events[i]).channel_id & 0xffff) * UNIT);
        seen++;
    }
    ck_assert_uint_eq(seen, 2 * COPIES);
    end();
}
END_TEST

/* Channels that take turns on a PBDMA keep their words of copies whenever software preempts the
 * runlist: also while a channel is loaded, which then is saved before HCE has taken its words.
 * Found by gfe selftest: copies had the lengths of another channel. */
START_TEST(preempts_at_any_time_keep_the_words_of_copies)
{
    enum { COPIES = 12, RUNLIST = 5, UNIT = 65536, PREEMPTS = 200, TEXT = 64 };
    struct bus_channel copies[2];
    struct simulation_options options = {.poke_count = PREEMPTS};
    const char *pokes[PREEMPTS];
    char texts[PREEMPTS][TEXT];
    struct bus_tsg tsg;
    uint32_t seen = 0;

    for (uint32_t i = 0; i < PREEMPTS; i++) { /* in pairs, the second at all times of a load */
        const uint32_t pair = i / 2;

        (void)snprintf(texts[i], TEXT, "%uns preempt_runlist 5",
                       12000 + pair * (4700 + 100 * (uint32_t)_i) +
                           (i % 2 ? 640 + 10 * (pair % 25) : 0));
        pokes[i] = texts[i];
    }
    options.pokes = pokes;
    bus_build_begin(&build, "gtx1060");
    for (uint32_t i = 0; i < 2; i++)
        copies[i] = channel_of(RUNLIST, FIRST + i, 0);
    tsg = tsg_of(&copies[0]);
    tsg.channels[tsg.count++] = &copies[1];
    bus_build_runlist(&build, RUNLIST, &tsg, 1);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2 * COPIES; i++) {
        bus_build_copy_virtual(&build, &copies[i % 2], BUS_SYSTEM, BUS_VA + BUS_HEAP + (64 << 20),
                               copies[i % 2].chid * UNIT);
        bus_build_kick(&build, &copies[i % 2]);
    }
    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
    for (uint32_t i = 0; i < run.event_count; i++) {
        if (run.events[i].kind != EVENT_COPY_QUEUE)
            continue;
        ck_assert_uint_eq(event_copy_queue_of(&run.events[i]).byte_count,
                          (event_copy_queue_of(&run.events[i]).channel_id & 0xffff) * UNIT);
        seen++;
    }
    ck_assert_uint_eq(seen, 2 * COPIES);
    end();
}
END_TEST

/* A segment ends whose last method is done when the channel has to leave.  The slice of TSG 31 is
 * over when the copy engine takes the last copy of channel 1.  Found by gfe selftest: the segment
 * had no end in the log, as the channel had nothing left to come back for. */
START_TEST(a_channel_that_leaves_after_its_last_method_ends_the_segment)
{
    enum { RUNLIST = 5, SYSTEM_HEAP = 64 << 20 };
    static const uint32_t timeouts[] = {3, 1};
    struct bus_channel on[3];
    struct bus_tsg tsgs[2];

    bus_build_begin(&build, "gtx1060");
    for (uint32_t i = 0; i < 3; i++)
        on[i] = channel_of(RUNLIST, FIRST + i, 0);
    for (uint32_t i = 0; i < 2; i++) {
        tsgs[i] = tsg_of(&on[2 * i]);
        tsgs[i].timeout = timeouts[i];
        tsgs[i].scale = 0;
    }
    tsgs[0].channels[tsgs[0].count++] = &on[1];
    bus_build_runlist(&build, RUNLIST, tsgs, 2);
    bus_build_at(&build, "10us");
    bus_build_copy_virtual(&build, &on[1], BUS_SYSTEM, BUS_VA + BUS_HEAP + SYSTEM_HEAP, 96388);
    bus_build_kick(&build, &on[1]);
    bus_build_at(&build, "10200ns");
    for (uint32_t i = 0; i < 2; i++)
        bus_build_copy_virtual(&build, &on[0], BUS_SYSTEM, BUS_VA + BUS_HEAP + SYSTEM_HEAP, 1);
    bus_build_kick(&build, &on[0]);
    for (uint32_t i = 0; i < 2; i++) {
        /* Host's semaphore: SEMAPHOREA to D, release */
        BUS_PUSH(&build, &on[2], 0x20040004, 1, 0x01200030, i + 1, 0x01000002);
        bus_build_kick(&build, &on[2]);
    }
    start();
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 3);
    ck_assert_uint_eq(count_of(EVENT_NV_GP_FETCH), 4);
    ck_assert_uint_eq(count_of(EVENT_NV_SEGMENT_END), 4);
    end();
}
END_TEST

/* Turns of a runlist begin and end one after another, also of one whose PBDMA another runlist has
 * meanwhile: runlists 5 and 6 of a GTX 1060 share PBDMA 3 (nvgpu hw_proj_gp106.h @6ecfb593).  The
 * first channel has left a copy on the engine when the second one comes and finds the PBDMA taken.
 * Found by gfe selftest: that turn ended twice. */
START_TEST(a_turn_that_leaves_work_and_a_channel_behind_ends_once)
{
    struct bus_channel works, comes, stays;
    struct bus_tsg tsgs[2];
    uint64_t on[2] = {0, 0};
    uint32_t ends = 0;

    bus_build_begin(&build, "gtx1060");
    works = channel_of(5, FIRST, 0);
    comes = channel_of(5, SECOND, 0);
    stays = channel_of(6, SECOND + 1, 0);
    tsgs[0] = tsg_of(&works);
    tsgs[0].channels[tsgs[0].count++] = &comes;
    tsgs[1] = tsg_of(&stays);
    bus_build_runlist(&build, 5, &tsgs[0], 1);
    bus_build_runlist(&build, 6, &tsgs[1], 1);
    bus_build_at(&build, "10us");
    copy_of(&works);
    bus_build_at(&build, "200us");
    for (uint32_t i = 0; i < 10; i++)
        bus_build_copy_virtual(&build, &stays, BUS_VA + BUS_HEAP + (64 << 20), BUS_SYSTEM,
                               10 << 20);
    bus_build_kick(&build, &stays);
    bus_build_at(&build, "400us");
    copy_of(&comes);
    start();
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind == EVENT_NV_TSG_START) {
            const struct event_nv_tsg_start turn = event_nv_tsg_start_of(event);

            ck_assert_uint_eq(on[turn.runlist_id - 5], 0);
            on[turn.runlist_id - 5] = turn.tsg_id;
        } else if (event->kind == EVENT_NV_TSG_END) {
            const struct event_nv_tsg_end turn = event_nv_tsg_end_of(event);

            ck_assert_uint_eq(on[turn.runlist_id - 5], turn.tsg_id);
            on[turn.runlist_id - 5] = 0;
            ends++;
        }
    }
    ck_assert_uint_ge(ends, 3);
    ck_assert_uint_eq(count_of(EVENT_COPY_END), 12);
    end();
}
END_TEST

/* ---- the pipes of the graphics engine ---------------------------------------------------------
 */

enum { TRANSFERS = 12, PIECE_WORDS = 3, PIECES = 2, INLINE_BYTES = 4 * PIECE_WORDS * PIECES };

/* Inline-to-memory of the compute class (open-gpu-doc classes/compute/clc0c0.h: LINE_LENGTH_IN,
 * LAUNCH_DMA, LOAD_INLINE_DATA), or words of a constant buffer of the 3D class
 * (classes/3d/clc097.h: SET_CONSTANT_BUFFER_SELECTOR_A, LOAD_CONSTANT_BUFFER), in several segments
 * each. */
static void write_in_pieces(struct bus_channel *channel, uint32_t number, bool constants)
{
    const uint64_t to = BUS_VA + BUS_HEAP + 0x100000 * channel->chid + 0x1000 * number;

    if (constants)
        BUS_PUSH(&build, channel, PB_INC(0, 0x2380, 4), 256, (uint32_t)(to >> 32), (uint32_t)to, 0);
    else
        BUS_PUSH(&build, channel, PB_INC(1, 0x180, 5), INLINE_BYTES, 1, (uint32_t)(to >> 32),
                 (uint32_t)to, 0, PB_INC(1, 0x1b0, 1), 1);
    for (uint32_t i = 0; i < PIECES; i++) {
        BUS_PUSH(&build, channel,
                 constants ? PB_NON_INC(0, 0x2390, PIECE_WORDS) : PB_NON_INC(1, 0x1b4, PIECE_WORDS),
                 10 * number + i, 20 * number + i, 30 * number + i);
        if (!constants || i + 1 == PIECES)
            bus_build_kick(&build, channel);
    }
}

/* Runs two channels of a TSG, one on each pipe, that write at the same time. */
static void write_on_both_pipes(const char *gpu, bool constants, uint32_t batch_limit)
{
    const struct simulation_options options = {.batch_limit = batch_limit};
    struct bus_channel channels[2];
    struct bus_tsg tsg;

    bus_build_begin(&build, gpu);
    for (uint32_t i = 0; i < 2; i++) {
        channels[i] = channel_on(FIRST + i, i);
        BUS_PUSH(&build, &channels[i], PB_INC(0, 0, 1), build.bare.model->class_3d, PB_INC(1, 0, 1),
                 build.bare.model->class_compute);
    }
    tsg = tsg_of(&channels[0]);
    tsg.channels[tsg.count++] = &channels[1];
    bus_build_runlist(&build, 0, &tsg, 1);
    bus_build_at(&build, "10us");
    for (uint32_t i = 0; i < 2 * TRANSFERS; i++)
        write_in_pieces(&channels[i % 2], i / 2, constants);
    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
}

/* Each pipe has class state and data on their way of its own: what comes through the other says
 * nothing of when they are written.  Found by gfe selftest: the data of one pipe were written when
 * the methods of the other came, in pieces that depended on the batches. */
START_TEST(pipes_that_write_at_the_same_time_do_not_cut_each_others_data)
{
    const bool constants = _i % 2 == 1;
    char first[65] = "";

    for (uint32_t pass = 0; pass < 4; pass++) {
        write_on_both_pipes(gpus[_i / 2], constants, pass);
        ck_assert_uint_eq(count_of(EVENT_NV_INLINE_WRITE), 2 * TRANSFERS);
        for (uint32_t i = 0; i < run.event_count; i++)
            if (run.events[i].kind == EVENT_NV_INLINE_WRITE)
                ck_assert_uint_eq(event_nv_inline_write_of(&run.events[i]).byte_count,
                                  INLINE_BYTES);
        if (pass == 0)
            memcpy(first, run.log_hash, sizeof first);
        ck_assert_str_eq(first, run.log_hash);
        end();
    }
}
END_TEST

/* A channel whose runqueue changes brings its class state to the other pipe, which has that of
 * another channel of the TSG. */
START_TEST(class_state_goes_with_the_channel_to_another_pipe)
{
    const uint64_t to = BUS_VA + BUS_HEAP + 0x100000;
    struct bus_channel channel, other;
    struct bus_tsg tsg;

    bus_build_begin(&build, gpus[_i]);
    channel = channel_on(FIRST, 0);
    other = channel_on(SECOND, 1);
    tsg = tsg_of(&channel);
    tsg.channels[tsg.count++] = &other;
    bus_build_runlist(&build, 0, &tsg, 1);
    bus_build_at(&build, "10us");
    BUS_PUSH(&build, &channel, PB_INC(1, 0, 1), build.bare.model->class_compute,
             PB_INC(1, 0x180, 5), 4, 1, (uint32_t)(to >> 32), (uint32_t)to, 0);
    bus_build_kick(&build, &channel);
    bus_build_at(&build, "5ms");
    BUS_PUSH(&build, &other, PB_INC(1, 0, 1), build.bare.model->class_compute);
    bus_build_kick(&build, &other);
    bus_build_at(&build, "10ms");
    channel.runqueue = 1;
    bus_build_runlist(&build, 0, &tsg, 1);
    bus_build_at(&build, "20ms");
    BUS_PUSH(&build, &channel, PB_INC(1, 0x1b0, 1), 1, PB_NON_INC(1, 0x1b4, 1), 7);
    bus_build_kick(&build, &channel);
    start();
    ck_assert_uint_eq(count_of(EVENT_NV_INLINE_WRITE), 1);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_NV_INLINE_WRITE)
            ck_assert_uint_eq(event_nv_inline_write_of(&run.events[i]).address, to);
    end();
}
END_TEST

/* ---- CUDA's channels --------------------------------------------------------------------------
 */

/* The kernels of a scenario's streams come through both PBDMAs of the graphics runlist, and on a
 * chip with one PBDMA through that: on the H100 the first channel has runqueue 0 (flags 0x20 of
 * capture_work.jsonl.gz), the second 1 (0x30), and so on. */
START_TEST(compute_channels_of_cuda_alternate_between_runqueues)
{
    static const struct {
        const char *gpu, *runqueues;
        uint32_t pbdmas;
    } rows[] = {{"h100", "2", 2}, {"h100", "1", 1}, {"gtx1060", "2", 2}, {"tx2", "2", 1}};
    const char *const files[] = {"streams-12x6", NULL};
    const char *const parameters[] = {"rm.runqueues", rows[_i].runqueues, NULL};
    struct cuda_run cuda;
    uint32_t loads[2] = {0, 0};

    cuda_run_begin(&cuda, rows[_i].gpu, 0, files, parameters);
    for (uint32_t i = 0; i < cuda.event_count; i++)
        if (cuda.events[i].kind == EVENT_NV_CHANNEL_LOAD) {
            const struct event_nv_channel_load load = event_nv_channel_load_of(&cuda.events[i]);
            const uint32_t channel = (uint32_t)load.channel_id & 0xffff;

            ck_assert_uint_eq(load.pbdma_id, channel % rows[_i].pbdmas);
            loads[load.pbdma_id]++;
        }
    ck_assert_uint_gt(loads[0], 0);
    ck_assert_int_eq(loads[1] > 0, rows[_i].pbdmas > 1);
    cuda_run_end(&cuda);
}
END_TEST

Suite *nv_runqueue_suite(void)
{
    Suite *suite = suite_create("nv_runqueue");
    TCase *tcase = tcase_create("registers"), *cuda = tcase_create("cuda");

    tcase_add_loop_test(tcase, channels_of_a_tsg_are_on_both_pbdmas_at_once, 0, GPUS);
    tcase_add_loop_test(tcase, a_copy_is_cut_only_on_the_runqueue_of_the_task_that_computes, 0,
                        2 * GPUS);
    tcase_add_loop_test(tcase, tasks_that_compute_on_different_runqueues_take_turns, 0, GPUS);
    tcase_add_loop_test(tcase, a_runqueue_does_not_wait_for_the_kernel_of_another, 0, GPUS);
    tcase_add_test(tcase, software_preempts_both_runqueues);
    tcase_add_loop_test(tcase, runqueues_do_not_wait_for_each_others_engines, 0, GPUS);
    tcase_add_test(tcase, runqueues_that_feed_one_copy_engine_do_not_mix_their_words);
    tcase_add_test(tcase, a_turn_that_leaves_work_and_a_channel_behind_ends_once);
    tcase_add_loop_test(tcase, preempts_at_any_time_keep_the_words_of_copies, 1, 4);
    tcase_add_test(tcase, a_channel_that_leaves_after_its_last_method_ends_the_segment);
    tcase_add_loop_test(tcase, pipes_that_write_at_the_same_time_do_not_cut_each_others_data, 0,
                        2 * GPUS);
    tcase_add_loop_test(tcase, class_state_goes_with_the_channel_to_another_pipe, 0, GPUS);
    tcase_add_loop_test(cuda, compute_channels_of_cuda_alternate_between_runqueues, 0, 4);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, cuda);
    return suite;
}
