/* SPDX-License-Identifier: MIT */
/*
 * Waves that are stopped and go on: whatever is stopped when, each block does its work once, to the
 * picosecond, and nobody else is touched.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_cwsr.h"
#include "emu/engine/random.h"
#include "tests/check_amd.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
enum { GRIDS = 24, CUS = 60, ACES = 4, QUEUES = 8, SES = 4, BLOCKS = 400, CONTEXTS = 64 };

static struct check_amd check;
static const uint32_t all_cus[AMD_SHADER_ENGINES_MAX] = {
    UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

static void begin(const char *setting)
{
    const char *const settings[] = {setting, NULL};

    check_amd_begin(&check, "radeon-vii", settings);
}

/* Something happens then, so that it is then. */
static void run_to(gfe_ps until_ps)
{
    machine_schedule(check.machine, check.dispatch.unit, until_ps, AMD_EVENT_LAUNCH, 0);
    ck_assert_msg(machine_run(check.machine, until_ps + 1), "%s", check.machine->error.text);
}

/* Stops a queue now, has it saved for a while, and lets its room go. */
static struct amd_cwsr_size save(uint32_t ace, uint32_t queue, uint32_t context, gfe_ps takes_ps)
{
    struct amd_cwsr_size size;

    amd_cwsr_hold(&check.dispatch, ace, queue);
    ck_assert(amd_cwsr_measure(&check.dispatch, ace, queue, &size));
    amd_cwsr_stop(&check.dispatch, ace, queue, context);
    run_to(machine_now(check.machine) + takes_ps);
    amd_cwsr_release(&check.dispatch, context);
    return size;
}

static void golden(const char *name)
{
    golden_log_check_events(check.events, check.event_count, name);
}

/* ---- one dispatch ---------------------------------------------------------------------------- */

/* AMD.CWSR: a lone block stops in the middle of its work and ends later by just the time that it
 * was away. */
START_TEST(a_stopped_block_goes_on_where_it_was)
{
    struct amd_cwsr_size size;
    struct amd_launch launch;
    uint64_t id;

    begin(NULL);
    launch = check_amd_launch(&check, 1, 2, 1, 1024, 160 * US); /* 250 us on a CU of its own */
    launch.kind.lds_bytes = 1024;
    id = check_amd_submit(&check, &launch);
    run_to(100 * US);
    size = save(1, 2, 1, 10 * US);
    ck_assert_uint_eq(size.blocks, 1);
    ck_assert_uint_eq(size.waves, 16);
    ck_assert_uint_eq(size.bytes, 16 * (24 * 64 * 4 + 32 * 4 + 100) + 1024);
    run_to(500 * US);
    ck_assert_uint_eq(check.ended_count, 0);
    amd_cwsr_resume(&check.dispatch, 1, 3, 0, all_cus);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_end_ps(&check, id), 650 * US);
    ck_assert_uint_eq(event_grid_end_of(check_amd_event(&check, EVENT_GRID_END, id, 0)).channel_id,
                      3 * 8);
    ck_assert_uint_eq(check_amd_count_rule(&check, EVENT_WAIT, RULE_AMD_CWSR), 1);
    golden("rule_amd_cwsr.events");
    check_amd_end(&check);
}
END_TEST

/* Until it has been saved a block holds its room; then others have it. */
START_TEST(room_comes_back_when_waves_are_saved)
{
    const uint32_t one[4] = {1, 0, 0, 0};
    struct amd_launch launch;
    uint64_t ids[2];

    begin(NULL);
    for (uint32_t i = 0; i < 2; i++) {
        launch = check_amd_launch(&check, i, 0, 1, 1024, 160 * US);
        launch.kind.lds_bytes = 40000; /* one at a time */
        check_amd_mask(&launch, one);
        ids[i] = check_amd_submit(&check, &launch);
    }
    run_to(100 * US);
    (void)save(0, 0, 7, 30 * US);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_event(&check, EVENT_BLOCK_START, ids[1], 0)->time_ps, 130 * US);
    ck_assert_uint_eq(check_amd_end_ps(&check, ids[1]), 380 * US);
    ck_assert_uint_eq(check.ended_count, 1);
    amd_cwsr_resume(&check.dispatch, 7, 0, 0, all_cus);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_end_ps(&check, ids[0]), 380 * US + 150 * US);
    check_amd_end(&check);
}
END_TEST

/* A block that waits for waves of others to end starts as soon as they have, also if meanwhile
 * another queue of its ACE is stopped on the same CU. */
START_TEST(who_waits_beside_a_stopped_queue_is_not_forgotten)
{
    const uint32_t one[4] = {1, 0, 0, 0};
    gfe_ps starts[2];

    for (uint32_t i = 0; i < 2; i++) {
        struct amd_launch launch;
        uint64_t id = 0;

        begin(NULL);
        for (uint32_t n = 0; n < 3; n++) {
            /* Two run; the third one waits for eight waves in the slot of ACE 0 or of another. */
            launch = check_amd_launch(&check, n < 2 ? n : 2 * i, n / 2, 1, 1024, 160 * US);
            launch.cost.wave_jitter_ppm = n == 1 ? 900000 : 0;
            check_amd_mask(&launch, one);
            id = check_amd_submit(&check, &launch);
            run_to(n * US + US);
        }
        (void)save(0, 0, 7, 2000 * US);
        check_amd_run(&check);
        starts[i] = check_amd_event(&check, EVENT_BLOCK_START, id, 0)->time_ps;
        check_amd_end(&check);
    }
    ck_assert_uint_eq(starts[0], starts[1]);
}
END_TEST

/* Of a block some of whose waves have ended the others are saved. */
START_TEST(waves_that_have_ended_are_not_saved)
{
    struct amd_launch launch;
    struct amd_cwsr_size size;
    uint64_t id, work = 0;

    begin("amd.full_rate_waves=1");
    launch = check_amd_launch(&check, 0, 0, 1, 1024, 160 * US);
    launch.cost.wave_jitter_ppm = 900000;
    launch.cost.seed = 5;
    id = check_amd_submit(&check, &launch);
    run_to(100 * US);
    size = save(0, 0, 1, 0);
    ck_assert_uint_gt(size.waves, 0);
    ck_assert_uint_lt(size.waves, 16);
    for (uint32_t i = 0; i < size.waves; i++)
        work += check.dispatch.state->saved[0].work_ps[i];
    amd_cwsr_resume(&check.dispatch, 1, 0, 0, all_cus);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_end_ps(&check, id), 100 * US + work);
    ck_assert_uint_eq(
        event_amd_block_go_on_of(check_amd_event(&check, EVENT_AMD_BLOCK_GO_ON, id, 0)).wave_count,
        size.waves);
    check_amd_end(&check);
}
END_TEST

/* Blocks in slots of workload managers have not begun: they are taken back, and staged there again.
 */
START_TEST(staged_blocks_are_taken_back)
{
    const uint32_t one[4] = {1, 1, 1, 1};
    struct amd_launch launch;
    struct amd_cwsr_size size;
    uint64_t id;

    begin("amd.baton=staged");
    launch = check_amd_launch(&check, 2, 1, 20, 1024, 160 * US);
    launch.kind.lds_bytes = 40000;
    check_amd_mask(&launch, one);
    id = check_amd_submit(&check, &launch);
    run_to(100 * US);
    size = save(2, 1, 1, 10 * US);
    ck_assert_uint_eq(size.blocks, 4);
    ck_assert_uint_eq(check.dispatch.state->saved_count, 8);
    ck_assert_uint_eq(check.dispatch.state->aces[2].staged_count, 0);
    amd_cwsr_resume(&check.dispatch, 1, 2, 1, launch.kind.cu_masks);
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_end_ps(&check, id), (5 * 250 + 10) * US);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(
            event_amd_block_unstage_of(check_amd_event(&check, EVENT_AMD_BLOCK_UNSTAGE, id, i))
                .block_index,
            4 + i);
        ck_assert_uint_eq(
            event_amd_block_unstage_of(check_amd_event(&check, EVENT_AMD_BLOCK_UNSTAGE, id, i))
                .se_index,
            i);
    }
    ck_assert_uint_eq(check.dispatch.state->saved_count, 0);
    check_amd_end(&check);
}
END_TEST

/* Another mask while it was away: saved blocks go on on CUs that it enables. */
START_TEST(a_new_mask_holds_for_what_goes_on)
{
    const uint32_t first[AMD_SHADER_ENGINES_MAX] = {1, 0, 0, 0};
    struct amd_launch launch;
    uint64_t id;

    begin(_i ? "amd.restore=cyclic" : "amd.restore=same-engine");
    launch = check_amd_launch(&check, 0, 0, 8, 1024, 160 * US);
    id = check_amd_submit(&check, &launch);
    run_to(100 * US);
    (void)save(0, 0, 1, 0);
    amd_cwsr_resume(&check.dispatch, 1, 0, 0, first);
    check_amd_run(&check);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(
            event_amd_block_go_on_of(check_amd_event(&check, EVENT_AMD_BLOCK_GO_ON, id, i))
                .block_index,
            i);
        ck_assert_uint_eq(
            event_amd_block_go_on_of(check_amd_event(&check, EVENT_AMD_BLOCK_GO_ON, id, i))
                .sm_index,
            0);
    }
    check_amd_end(&check);
}
END_TEST

/* amd.restore: three blocks of three shader engines go back, or on to the next ones in turn. */
START_TEST(where_saved_blocks_go_on_is_a_choice)
{
    struct amd_launch launch;
    uint64_t id;

    begin(_i ? "amd.restore=cyclic" : "amd.restore=same-engine");
    launch = check_amd_launch(&check, 0, 0, 3, 1024, 160 * US);
    id = check_amd_submit(&check, &launch);
    run_to(100 * US);
    (void)save(0, 0, 1, 0);
    amd_cwsr_resume(&check.dispatch, 1, 0, 0, all_cus);
    check_amd_run(&check);
    for (uint32_t i = 0; i < 3; i++) {
        const struct event_amd_block_go_on event =
            event_amd_block_go_on_of(check_amd_event(&check, EVENT_AMD_BLOCK_GO_ON, id, i));

        ck_assert_uint_eq(event.sm_index / 15, (event.block_index + (_i ? 3 : 0)) % 4);
    }
    check_amd_end(&check);
}
END_TEST

/* While a queue is held what runs goes on, and nothing more starts. */
START_TEST(a_held_queue_stages_nothing)
{
    const uint32_t one[4] = {1, 0, 0, 0};
    struct amd_launch launch;

    begin(NULL);
    launch = check_amd_launch(&check, 0, 0, 10, 1024, 160 * US);
    launch.kind.lds_bytes = 40000;
    check_amd_mask(&launch, one);
    (void)check_amd_submit(&check, &launch);
    run_to(100 * US);
    amd_cwsr_hold(&check.dispatch, 0, 0);
    check_amd_run(&check);
    ck_assert_uint_eq(machine_now(check.machine),
                      500 * US); /* the one on the CU, and the staged one */
    ck_assert_uint_eq(check.ended_count, 0);
    amd_cwsr_let(&check.dispatch, 0, 0);
    check_amd_run(&check);
    ck_assert_uint_eq(check.ended_count, 1);
    check_amd_end(&check);
}
END_TEST

/* ---- throwing away --------------------------------------------------------------------------- */

/* A dispatch with blocks on CUs, in slots and not begun is thrown away; its neighbours, of the same
 * queue number in another ACE and of the same ACE, run as if it had never been there from then on.
 */
/* PROMISE (amd): Throwing dispatches away changes nothing for other queues. */
START_TEST(what_is_thrown_away_touches_nobody_else)
{
    struct amd_launch launch;
    uint64_t ids[3];

    begin(NULL);
    for (uint32_t i = 0; i < 3; i++) {
        launch = check_amd_launch(&check, i != 0, i == 2 ? 5 : 0, 300, 512, 80 * US);
        ids[i] = check_amd_submit(&check, &launch);
    }
    run_to(200 * US);
    if (_i) {
        (void)save(1, 0, 9, 0);
        amd_cwsr_forget(&check.dispatch, 9);
    } else {
        amd_cwsr_drop(&check.dispatch, 1, 0);
    }
    check_amd_run(&check);
    ck_assert_uint_eq(check.ended_count, 2);
    ck_assert_ptr_nonnull(check_amd_event(&check, EVENT_GRID_DROP, ids[1], 0));
    for (uint32_t i = 0; i < 3; i += 2)
        ck_assert_ptr_nonnull(check_amd_event(&check, EVENT_BLOCK_END, ids[i], 299));
    ck_assert_ptr_nonnull(check_amd_event(&check, EVENT_AMD_BLOCK_STOP, ids[1], 0));
    ck_assert_ptr_null(check_amd_event(&check, EVENT_AMD_BLOCK_STOP, ids[0], 0));
    ck_assert_ptr_null(check_amd_event(&check, EVENT_AMD_BLOCK_STOP, ids[2], 0));
    ck_assert_uint_eq(check.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(check.dispatch.state->saved_count, 0);
    check_amd_end(&check);
}
END_TEST

/* ---- whatever is stopped when ---------------------------------------------------------------- */

/* What the log says of each block, and of the CUs: how long they had waves to run. */
struct told {
    uint32_t blocks;
    uint32_t starts[BLOCKS], stops[BLOCKS], ends[BLOCKS];
};
static struct told told[GRIDS + 1];

static uint64_t tell(void)
{
    uint32_t running[CUS] = {0};
    gfe_ps since_ps[CUS] = {0};
    uint64_t busy_ps = 0;

    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *event = &check.events[i];
        /* The four kinds below begin with the same three members. */
        const struct event_block_start of = event_block_start_from(event->argument);
        struct told *grid = &told[of.grid_id % (GRIDS + 1)];
        const uint32_t block = (uint32_t)of.block_index, cu = (uint32_t)of.sm_index;

        if (event->kind == EVENT_BLOCK_START || event->kind == EVENT_AMD_BLOCK_GO_ON) {
            ck_assert_uint_eq(grid->starts[block]++, grid->stops[block]);
            ck_assert_uint_eq(grid->ends[block], 0);
            ck_assert(event->kind == EVENT_BLOCK_START ? grid->stops[block] == 0
                                                       : grid->stops[block] > 0);
            if (running[cu]++ == 0)
                since_ps[cu] = event->time_ps;
        } else if (event->kind == EVENT_BLOCK_END || event->kind == EVENT_AMD_BLOCK_STOP) {
            grid->ends[block] += event->kind == EVENT_BLOCK_END;
            grid->stops[block] += event->kind == EVENT_AMD_BLOCK_STOP;
            ck_assert_uint_gt(running[cu], 0);
            if (--running[cu] == 0)
                busy_ps += event->time_ps - since_ps[cu];
        }
    }
    for (uint32_t i = 1; i <= GRIDS; i++)
        for (uint32_t block = 0; block < BLOCKS; block++) {
            ck_assert_uint_eq(told[i].ends[block], block < told[i].blocks);
            ck_assert_uint_eq(told[i].starts[block],
                              told[i].stops[block] + (block < told[i].blocks));
        }
    return busy_ps;
}

static struct amd_launch random_launch(struct random_state *random)
{
    struct amd_launch launch =
        check_amd_launch(&check, random_below(random, ACES), random_below(random, QUEUES),
                         1 + random_below(random, BLOCKS), 1 + random_below(random, 1024),
                         1000000 + random_below(random, 40000000));

    launch.kind.vgprs = 1 + random_below(random, 64);
    launch.kind.sgprs = 1 + random_below(random, 102);
    launch.kind.lds_bytes = random_below(random, 2) * random_below(random, 65537);
    launch.cost.seed = random_next(random);
    launch.cost.block_jitter_ppm = random_below(random, 500000);
    launch.cost.wave_jitter_ppm = random_below(random, 500000);
    do
        for (uint32_t se = 0; se < SES; se++)
            launch.kind.cu_masks[se] = random_below(random, 3) ? random_next(random) : 0;
    while (amd_dispatch_fault(&check.dispatch, &launch) != AMD_LAUNCH_FITS);
    return launch;
}

/* Contexts that are saved, and what comes next with them. */
struct away {
    uint32_t context; /* 0: none */
    uint32_t phase;   /* 0: is being saved; 1: saved */
};
static struct away away[CONTEXTS];

static void come_back(struct random_state *random, struct away *one)
{
    uint32_t masks[AMD_SHADER_ENGINES_MAX] = {0};

    if (one->phase++ == 0) {
        amd_cwsr_release(&check.dispatch, one->context);
        return;
    }
    for (uint32_t se = 0; se < SES; se++)
        masks[se] = random_below(random, 4) ? random_next(random) : 0; /* may enable none */
    amd_cwsr_resume(&check.dispatch, one->context, random_below(random, ACES),
                    random_below(random, QUEUES), masks);
    *one = (struct away){0};
}

/* One of: a queue is held, let go, or stopped; a context goes on. */
static void disturb(struct random_state *random, uint32_t *contexts)
{
    struct away *one = &away[random_below(random, CONTEXTS)];
    const uint32_t ace = random_below(random, ACES), queue = random_below(random, QUEUES);
    struct amd_cwsr_size size;

    if (one->context != 0)
        come_back(random, one);
    else if (random_below(random, 4) == 0)
        amd_cwsr_hold(&check.dispatch, ace, queue);
    else if (random_below(random, 2) == 0)
        amd_cwsr_let(&check.dispatch, ace, queue);
    else if (amd_cwsr_measure(&check.dispatch, ace, queue, &size)) {
        *one = (struct away){.context = ++*contexts};
        amd_cwsr_stop(&check.dispatch, ace, queue, one->context);
    }
}

static void all_come_back(struct random_state *random)
{
    for (uint32_t i = 0; i < CONTEXTS; i++)
        while (away[i].context != 0)
            come_back(random, &away[i]);
    for (uint32_t ace = 0; ace < ACES; ace++)
        for (uint32_t queue = 0; queue < QUEUES; queue++)
            amd_cwsr_let(&check.dispatch, ace, queue);
}

/* A CU never holds more than it has, and holds what it says. */
static void check_cus(void)
{
    for (uint32_t i = 0; i < AMD_CUS_MAX; i++) {
        const struct amd_cu *cu = &check.dispatch.state->cus[i];
        uint32_t waves = 0, vgprs = 0;

        for (uint32_t simd = 0; simd < AMD_SIMDS_MAX; simd++) {
            const uint64_t used = cu->simds[simd];

            ck_assert(amd_simd_part(used, AMD_SIMD_WAVES) <= 10 &&
                      amd_simd_part(used, AMD_SIMD_VGPRS) <= 256 &&
                      amd_simd_part(used, AMD_SIMD_SGPRS) <= 800);
            waves += amd_simd_part(used, AMD_SIMD_WAVES);
            vgprs += amd_simd_part(used, AMD_SIMD_VGPRS);
        }
        ck_assert_uint_eq(waves, cu->wave_count + cu->stopped_waves);
        ck_assert(cu->lds_bytes <= 65536);
        if (cu->slots == 0)
            ck_assert(waves == 0 && vgprs == 0 && cu->lds_bytes == 0 && cu->ended_waves == 0);
    }
}

/* Returns how long the CUs had waves to run; disturbs queues if `often` is not 0. */
static uint64_t run_random(uint64_t seed, uint32_t often)
{
    struct random_state random, disturber;
    uint32_t contexts = 0;

    random_seed(&random, seed, 1);
    random_seed(&disturber, seed, 2);
    memset(told, 0, sizeof told);
    memset(away, 0, sizeof away);
    for (uint32_t i = 1; i <= GRIDS; i++) {
        const struct amd_launch launch = random_launch(&random);

        told[i].blocks = (uint32_t)launch.block_count;
        ck_assert_uint_eq(check_amd_submit(&check, &launch), i);
        for (uint32_t events = random_below(&random, 300); events > 0; events--) {
            if (!machine_step(check.machine))
                break;
            if (often != 0 && random_below(&disturber, often) == 0) {
                disturb(&disturber, &contexts);
                check_cus();
            }
        }
    }
    for (uint32_t n = 0; often != 0 && n < 2000 && machine_step(check.machine); n++)
        if (random_below(&disturber, often) == 0)
            disturb(&disturber, &contexts);
    all_come_back(&disturber);
    check_amd_run(&check);
    ck_assert_uint_eq(check.ended_count, GRIDS);
    ck_assert_uint_eq(check.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(check.dispatch.state->saved_count, 0);
    check_cus();
    return tell();
}

static const char *const settings_of[] = {
    "amd.restore=same-engine", "amd.restore=cyclic",
    "amd.baton=placed",        "amd.ace_turn=block",
    "amd.ace_turn=dispatch",   "amd.ace_slice_ps=100000000",
    "amd.release=block",       "amd.wlm_arbitration=largest-first",
    "amd.block_to_cu=random",  "amd.block_to_cu=most-free",
    "amd.cu_waves=32",
};
enum { SETTINGS = sizeof settings_of / sizeof settings_of[0] };

static void begin_busy(const char *setting)
{
    const char *const settings[] = {setting, "amd.full_rate_waves=1", NULL};

    check_amd_begin(&check, "radeon-vii", settings);
}

/* A CU that has waves does a picosecond of work in each: so all CUs together are busy as long as
 * there is work, however often it was stopped; but for what a division leaves where one becomes
 * empty. */
/* PROMISE (amd): Stopping and resuming waves conserves their work up to what a division leaves,
 * in random runs under eleven settings. */
START_TEST(work_is_conserved_however_often_it_is_stopped)
{
    const uint64_t seed = (uint64_t)_i;
    uint64_t whole_ps, stopped_ps, stops = 0;

    begin_busy(settings_of[_i % SETTINGS]);
    whole_ps = run_random(seed, 0);
    check_amd_end(&check);
    begin_busy(settings_of[_i % SETTINGS]);
    stopped_ps = run_random(seed, 1 + (uint32_t)_i % 20);
    for (uint32_t i = 0; i < check.event_count; i++)
        stops += check.events[i].kind == EVENT_AMD_BLOCK_STOP;
    check_amd_end(&check);
    ck_assert_uint_gt(stops, 0);
    ck_assert_uint_lt(stopped_ps > whole_ps ? stopped_ps - whole_ps : whole_ps - stopped_ps,
                      41 * (uint64_t)GRIDS * BLOCKS + 41 * stops);
    ck_assert_uint_gt(whole_ps, 100 * 41 * (uint64_t)GRIDS * BLOCKS);
}
END_TEST

/* A snapshot in the middle of a save is the same state again, and the same run. */
/* PROMISE (amd): A snapshot in the middle of a save goes on as the run did. */
START_TEST(a_snapshot_in_the_middle_of_a_save)
{
    struct machine_snapshot *snapshot;
    char state[2][65], log[2][65];
    struct amd_launch launch;

    begin(NULL);
    for (uint32_t i = 0; i < 3; i++) {
        launch = check_amd_launch(&check, i, 0, 500, 256, 40 * US);
        launch.cost.wave_jitter_ppm = 300000;
        (void)check_amd_submit(&check, &launch);
    }
    run_to(150 * US);
    amd_cwsr_stop(&check.dispatch, 1, 0, 3);
    run_to(155 * US);
    snapshot = machine_take(check.machine);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert(machine_hash(check.machine, state[0]));
    for (uint32_t i = 0; i < 2; i++) {
        amd_cwsr_release(&check.dispatch, 3);
        run_to(200 * US);
        amd_cwsr_resume(&check.dispatch, 3, 1, 4, all_cus);
        check_amd_run(&check);
        ck_assert_uint_eq(check.ended_count, 3);
        check_machine_log_hash(check.machine, log[i]);
        check.ended_count = 0;
        ck_assert(machine_restore(check.machine, snapshot));
        ck_assert(machine_hash(check.machine, state[1]));
        ck_assert_str_eq(state[0], state[1]);
    }
    ck_assert_str_eq(log[0], log[1]);
    machine_snapshot_free(snapshot);
    check_amd_end(&check);
}
END_TEST

/* More blocks than there is room for are not saved. */
START_TEST(there_is_room_for_so_many_blocks)
{
    struct amd_launch launch;
    struct amd_cwsr_size size;
    uint32_t contexts = 0;

    begin(NULL);
    for (;;) {
        launch = check_amd_launch(&check, 0, 0, 3000, 64, 400 * US);
        (void)check_amd_submit(&check, &launch);
        run_to(machine_now(check.machine) + 100 * US);
        if (!amd_cwsr_measure(&check.dispatch, 0, 0, &size))
            break;
        ck_assert_uint_eq(size.blocks, 2400);
        amd_cwsr_stop(&check.dispatch, 0, 0, ++contexts);
        amd_cwsr_release(&check.dispatch, contexts);
    }
    ck_assert_uint_eq(contexts, AMD_SAVED_BLOCKS_MAX / 2404);
    for (; contexts > 0; contexts--)
        amd_cwsr_resume(&check.dispatch, contexts, 0, contexts % 8, all_cus);
    check_amd_run(&check);
    ck_assert_uint_eq(check.dispatch.state->saved_count, 0);
    check_amd_end(&check);
}
END_TEST

Suite *amd_cwsr_suite(void)
{
    Suite *suite = suite_create("amd_cwsr");
    TCase *tcase = tcase_create("all");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_stopped_block_goes_on_where_it_was);
    tcase_add_test(tcase, room_comes_back_when_waves_are_saved);
    tcase_add_test(tcase, who_waits_beside_a_stopped_queue_is_not_forgotten);
    tcase_add_test(tcase, waves_that_have_ended_are_not_saved);
    tcase_add_test(tcase, staged_blocks_are_taken_back);
    tcase_add_loop_test(tcase, a_new_mask_holds_for_what_goes_on, 0, 2);
    tcase_add_loop_test(tcase, where_saved_blocks_go_on_is_a_choice, 0, 2);
    tcase_add_test(tcase, a_held_queue_stages_nothing);
    tcase_add_loop_test(tcase, what_is_thrown_away_touches_nobody_else, 0, 2);
    tcase_add_loop_test(tcase, work_is_conserved_however_often_it_is_stopped, 0, 4 * SETTINGS);
    tcase_add_test(tcase, a_snapshot_in_the_middle_of_a_save);
    tcase_add_test(tcase, there_is_room_for_so_many_blocks);
    suite_add_tcase(suite, tcase);
    return suite;
}
