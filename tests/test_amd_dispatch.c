/* SPDX-License-Identifier: MIT */
/*
 * The dispatcher as a whole: launches, ends, jitter, snapshots; and what holds in any log, of
 * random dispatches with random masks on all queues.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/check_amd.h"
#include "tests/check_machine.h"
#include "tests/event_member.h"
#include "tests/suites.h"

enum { GRIDS = 40, CUS = 60, ACES = 4, SES = 4 };

static struct check_amd check;

static void begin(const char *setting)
{
    const char *const settings[] = {setting, NULL};

    check_amd_begin(&check, "radeon-vii", settings);
}

/* ---- launches and ends ----------------------------------------------------------------------- */

START_TEST(a_dispatch_without_blocks_is_complete_at_once)
{
    struct amd_launch launch;
    uint64_t id;

    begin(NULL);
    launch = check_amd_launch(&check, 1, 2, 0, 64, 1000);
    id = check_amd_submit(&check, &launch);
    ck_assert_uint_eq(check.ended_count, 0); /* but not within the call */
    check_amd_run(&check);
    ck_assert_uint_eq(check_amd_end_ps(&check, id), 0);
    ck_assert_uint_eq(event_grid_end_of(check_amd_event(&check, EVENT_GRID_END, id, 0)).channel_id,
                      1 * 8 + 2);
    check_amd_end(&check);
}
END_TEST

START_TEST(what_can_never_run_has_a_fault)
{
    struct amd_launch launch;

    begin(NULL);
    launch = check_amd_launch(&check, 0, 0, 1, 1024, 1000);
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_FITS);
    launch.kind.vgprs = 65;
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_TOO_LARGE);
    launch.kind.vgprs = 64;
    memset(launch.kind.cu_masks, 0, sizeof launch.kind.cu_masks);
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_NO_CU);
    launch.kind.cu_masks[2] = 1u << 15; /* a CU that the product lacks */
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_NO_CU);
    launch.kind.cu_masks[2] = 1u << 14;
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_FITS);
    check_amd_end(&check);
}
END_TEST

/* A model's parameters are set one after the other, and it may be asked in between. */
START_TEST(a_fault_goes_by_the_parameters_of_its_time)
{
    struct amd_launch launch;

    begin(NULL);
    launch = check_amd_launch(&check, 0, 0, 1, 1024, 1000); /* 16 waves */
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_FITS);
    ck_assert(machine_set_parameter(check.machine, "amd.cu_waves", 15));
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_TOO_LARGE);
    ck_assert(machine_set_parameter(check.machine, "amd.cu_waves", 16));
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_FITS);
    check_amd_end(&check);
}
END_TEST

START_TEST(too_many_blocks_stop_the_run)
{
    struct amd_launch launch;

    begin("amd.largest_grid_blocks=99");
    launch = check_amd_launch(&check, 0, 0, 100, 64, 1000);
    ck_assert_int_eq(amd_dispatch_fault(&check.dispatch, &launch), AMD_LAUNCH_FITS);
    (void)amd_dispatch_launch(&check.dispatch, &launch);
    ck_assert(machine_failed(check.machine));
    ck_assert_int_eq(check.machine->error.kind, ERROR_LIMIT);
    ck_assert_ptr_nonnull(strstr(check.machine->error.text, "amd.largest_grid_blocks"));
    check_amd_end(&check);
}
END_TEST

START_TEST(dispatches_of_a_queue_start_in_their_order)
{
    struct amd_launch launch;
    uint64_t ids[8];

    begin(NULL);
    for (uint32_t i = 0; i < 8; i++) {
        launch = check_amd_launch(&check, 0, 3, 100 + i, 512, 10000000);
        ids[i] = check_amd_submit(&check, &launch);
    }
    check_amd_run(&check);
    for (uint32_t i = 1; i < 8; i++)
        ck_assert_uint_ge(
            check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, ids[i], 0)->time_ps,
            check_amd_event(&check, EVENT_AMD_BLOCK_STAGE, ids[i - 1], 98 + i)->time_ps);
    ck_assert_uint_eq(check.dispatch.state->grid_count, 0);
    check_amd_end(&check);
}
END_TEST

/* ---- work ------------------------------------------------------------------------------------ */

static gfe_ps run_cost(const struct amd_cost *cost, uint64_t blocks, char hash[65])
{
    struct amd_launch launch;
    uint64_t id;
    gfe_ps end_ps;

    begin(NULL);
    launch = check_amd_launch(&check, 0, 0, blocks, 1024, 0);
    launch.cost = *cost;
    id = check_amd_submit(&check, &launch);
    check_amd_run(&check);
    end_ps = check_amd_end_ps(&check, id);
    check_machine_log_hash(check.machine, hash);
    check_amd_end(&check);
    return end_ps;
}

/* PROMISE (amd): The same seed gives the same jitter of blocks. */
START_TEST(the_seed_decides_the_jitter)
{
    struct amd_cost cost = {.block_ps = 100000000, .seed = 7, .wave_jitter_ppm = 50000};
    char first[65], again[65], other[65];

    (void)run_cost(&cost, 300, first);
    (void)run_cost(&cost, 300, again);
    cost.seed = 8;
    (void)run_cost(&cost, 300, other);
    ck_assert_str_eq(first, again);
    ck_assert_str_ne(first, other);
}
END_TEST

START_TEST(a_block_takes_its_work)
{
    /* 16 waves in a CU that wants 25: 25/16 of the work, whatever the jitter is within it. */
    struct amd_cost cost = {.block_ps = 160000000};
    char hash[65];
    gfe_ps plain = run_cost(&cost, 1, hash);

    ck_assert_uint_eq(plain, 250000000);
    cost.cold_ppm = 200000;
    ck_assert_uint_eq(run_cost(&cost, 1, hash), 300000000);
    cost.cold_ppm = 0;
    cost.block_jitter_ppm = 100000;
    for (cost.seed = 0; cost.seed < 50; cost.seed++) {
        const gfe_ps end_ps = run_cost(&cost, 1, hash);

        ck_assert(end_ps >= 225000000 && end_ps <= 275000000);
        ck_assert_uint_ne(end_ps, plain);
        plain = end_ps;
    }
    cost = (struct amd_cost){.block_ps = AMD_WORK_MAX_PS, .wave_jitter_ppm = 1};
    ck_assert_uint_ge(run_cost(&cost, 1, hash), AMD_WORK_MAX_PS / 16 * 25 / 1000001 * 1000000);
}
END_TEST

START_TEST(only_first_blocks_are_cold)
{
    struct amd_cost cost = {.block_ps = 160000000, .cold_ppm = 500000};
    char hash[65];
    /* 240 blocks of 1024: two on each of the 60 CUs, and two more. */
    const gfe_ps cold = run_cost(&cost, 240, hash);

    ck_assert_uint_ge(cold, 2 * 240000000 + 2 * 160000000);
    ck_assert_uint_le(cold, 2 * 240000000 + 2 * 160000000 + 1000000);
}
END_TEST

/* ---- what holds in any log ------------------------------------------------------------------- */

struct told {
    struct amd_launch launch;
    uint64_t staged, started, ended;
    uint32_t se;
};

static struct told told[GRIDS + 1];

static uint32_t told_next_se(const struct told *grid, uint32_t se)
{
    while ((grid->launch.kind.cu_masks[se % SES] & 0x7fff) == 0)
        se++;
    return se % SES;
}

static void told_event(const struct log_event *event, uint64_t slots[CUS])
{
    struct told *grid = &told[event_first(event)];

    switch (event->kind) {
    case EVENT_AMD_BLOCK_STAGE:
        ck_assert_uint_eq(event_amd_block_stage_of(event).block_index, grid->staged++); /* A.O1 */
        ck_assert_uint_eq(event_amd_block_stage_of(event).se_index, grid->se);          /* A.D2 */
        ck_assert_uint_eq(event_amd_block_stage_of(event).ace_index, grid->launch.ace);
        grid->se = told_next_se(grid, grid->se + 1);
        break;
    case EVENT_BLOCK_START:
        ck_assert_uint_lt(event_block_start_of(event).block_index, grid->staged);
        ck_assert_uint_lt(event_block_start_of(event).sm_index, CUS);
        ck_assert(grid->launch.kind.cu_masks[event_block_start_of(event).sm_index / 15] >>
                      event_block_start_of(event).sm_index % 15 &
                  1);
        ck_assert(!(slots[event_block_start_of(event).sm_index] >>
                        event_block_start_of(event).slot_index &
                    1));
        slots[event_block_start_of(event).sm_index] |= UINT64_C(1)
                                                       << event_block_start_of(event).slot_index;
        ck_assert(event->rule == RULE_A_D3 || event->rule == RULE_A_D4 || event->rule == RULE_A_D5);
        grid->started++;
        break;
    case EVENT_BLOCK_END:
        slots[event_block_end_of(event).sm_index] &=
            ~(UINT64_C(1) << event_block_end_of(event).slot_index);
        grid->ended++;
        break;
    default:
        break;
    }
}

static void check_log(void)
{
    uint64_t slots[CUS] = {0};

    for (uint32_t i = 1; i <= GRIDS; i++)
        told[i].se = told_next_se(&told[i], 0);
    for (uint32_t i = 0; i < check.event_count; i++)
        if (check.events[i].kind == EVENT_AMD_BLOCK_STAGE ||
            check.events[i].kind == EVENT_BLOCK_START || check.events[i].kind == EVENT_BLOCK_END)
            told_event(&check.events[i], slots);
    for (uint32_t i = 1; i <= GRIDS; i++) {
        ck_assert_uint_eq(told[i].staged, told[i].launch.block_count);
        ck_assert_uint_eq(told[i].started, told[i].launch.block_count);
        ck_assert_uint_eq(told[i].ended, told[i].launch.block_count);
    }
    for (uint32_t i = 0; i < CUS; i++)
        ck_assert_uint_eq(slots[i], 0);
}

/* All that the dispatcher gave is back. */
static void check_all_free(void)
{
    const struct amd_dispatch_state *state = check.dispatch.state;

    ck_assert_uint_eq(state->grid_count, 0);
    for (uint32_t i = 0; i < AMD_CUS_MAX; i++) {
        const struct amd_cu *cu = &state->cus[i];

        ck_assert(cu->wave_count == 0 && cu->slots == 0 && cu->lds_bytes == 0 &&
                  cu->ended_waves == 0);
        for (uint32_t simd = 0; simd < AMD_SIMDS_MAX; simd++)
            ck_assert(cu->simds[simd] == 0 && cu->held[simd] == 0);
    }
    for (uint32_t i = 0; i < ACES; i++)
        ck_assert(state->aces[i].busy_queues == 0 && state->aces[i].staged_count == 0);
}

/* A CU never holds more than it has: looked at after each event. */
static void check_cus(void)
{
    for (uint32_t i = 0; i < AMD_CUS_MAX; i++) {
        const struct amd_cu *cu = &check.dispatch.state->cus[i];

        ck_assert(cu->wave_count <= 40 && cu->lds_bytes <= 65536);
        for (uint32_t simd = 0; simd < AMD_SIMDS_MAX; simd++)
            ck_assert(amd_simd_part(cu->simds[simd], AMD_SIMD_WAVES) <= 10 &&
                      amd_simd_part(cu->simds[simd], AMD_SIMD_VGPRS) <= 256 &&
                      amd_simd_part(cu->simds[simd], AMD_SIMD_SGPRS) <= 800);
    }
}

static struct amd_launch random_launch(struct random_state *random)
{
    struct amd_launch launch = check_amd_launch(
        &check, random_below(random, ACES), random_below(random, 8), 1 + random_below(random, 300),
        1 + random_below(random, 1024), 1000000 + random_below(random, 40000000));

    launch.kind.vgprs = 1 + random_below(random, 64);
    launch.kind.sgprs = 1 + random_below(random, 102);
    launch.kind.lds_bytes = random_below(random, 2) * random_below(random, 65537);
    launch.cost.seed = random_next(random);
    launch.cost.block_jitter_ppm = random_below(random, 500000);
    launch.cost.wave_jitter_ppm = random_below(random, 500000);
    launch.cost.cold_ppm = random_below(random, 300000);
    do
        for (uint32_t se = 0; se < SES; se++)
            launch.kind.cu_masks[se] = random_below(random, 3) ? random_next(random) : 0;
    while (amd_dispatch_fault(&check.dispatch, &launch) != AMD_LAUNCH_FITS);
    return launch;
}

static void launch_random(uint64_t seed)
{
    struct random_state random;

    random_seed(&random, seed, 1);
    memset(told, 0, sizeof told);
    for (uint32_t i = 1; i <= GRIDS; i++) {
        told[i].launch = random_launch(&random);
        ck_assert_uint_eq(check_amd_submit(&check, &told[i].launch), i);
        for (uint32_t events = random_below(&random, 200); events > 0; events--)
            if (machine_step(check.machine))
                check_cus();
    }
}

static const char *const settings_of[] = {
    "amd.baton=staged",
    "amd.baton=placed",
    "amd.ace_turn=block",
    "amd.ace_turn=dispatch",
    "amd.ace_slice_ps=100000000",
    "amd.wlm_arbitration=oldest-first",
    "amd.wlm_arbitration=lowest-ace",
    "amd.wlm_arbitration=largest-first",
    "amd.wlm_arbitration=smallest-first",
    "amd.block_to_cu=random",
    "amd.cu_waves=32",
};
enum { SETTINGS = sizeof settings_of / sizeof settings_of[0] };

/* PROMISE (amd): Whatever is launched, no CU exceeds its waves, registers and LDS after any
 * event, shader engines take turns, masks are kept and everything is given back (40 random
 * dispatches with each choice). */
START_TEST(rules_hold_whatever_is_launched)
{
    begin(settings_of[_i % SETTINGS]);
    launch_random((uint64_t)_i);
    check_amd_run(&check);
    ck_assert_uint_eq(check.ended_count, GRIDS);
    check_log();
    check_all_free();
    check_amd_end(&check);
}
END_TEST

START_TEST(a_snapshot_carries_the_blocks)
{
    struct machine_snapshot *snapshot;
    char whole[65], again[65];

    begin(NULL);
    launch_random(99);
    for (uint32_t i = 0; i < 500; i++)
        ck_assert(machine_step(check.machine));
    snapshot = machine_take(check.machine);
    ck_assert_ptr_nonnull(snapshot);
    check_amd_run(&check);
    check_machine_log_hash(check.machine, whole);
    ck_assert(machine_restore(check.machine, snapshot));
    check.ended_count = 0;
    check_amd_run(&check);
    check_machine_log_hash(check.machine, again);
    ck_assert_str_eq(whole, again);
    machine_snapshot_free(snapshot);
    check_amd_end(&check);
}
END_TEST

Suite *amd_dispatch_suite(void)
{
    Suite *suite = suite_create("amd_dispatch");
    TCase *tcase = tcase_create("dispatches");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_dispatch_without_blocks_is_complete_at_once);
    tcase_add_test(tcase, what_can_never_run_has_a_fault);
    tcase_add_test(tcase, a_fault_goes_by_the_parameters_of_its_time);
    tcase_add_test(tcase, too_many_blocks_stop_the_run);
    tcase_add_test(tcase, dispatches_of_a_queue_start_in_their_order);
    tcase_add_test(tcase, the_seed_decides_the_jitter);
    tcase_add_test(tcase, a_block_takes_its_work);
    tcase_add_test(tcase, only_first_blocks_are_cold);
    tcase_add_loop_test(tcase, rules_hold_whatever_is_launched, 0, 2 * SETTINGS);
    tcase_add_test(tcase, a_snapshot_carries_the_blocks);
    suite_add_tcase(suite, tcase);
    return suite;
}
