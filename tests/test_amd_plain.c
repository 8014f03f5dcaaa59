/* SPDX-License-Identifier: MIT */
/*
 * A plainer dispatcher does the same.  Here nothing is remembered, sorted or looked up: each wave
 * has what it still has to do, room is counted over all waves, time goes from each end of a wave to
 * the next, and at each of them every place is looked at.  A few hundred blocks of random shapes,
 * with random masks, from up to four ACEs, must be staged, started and ended by both at the same
 * times, in the same places and by the same rules (A.D2 to A.D5, A.O1), under each alternative of
 * amd.baton.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/check_amd.h"
#include "tests/suites.h"

enum { CUS = 15, SES = 4, ACES = 4, SIMDS = 4, SLOTS = 40, WAVES = 16, PPM = 1000000, BUSY = 25 };
__extension__ typedef unsigned __int128 wide;

struct wave {
    uint64_t left;
    uint32_t simd;
    bool is_there, has_ended;
};
/* In a CU; its waves hold their room until it has ended if `whole` is asked for. */
struct block {
    bool is_there;
    uint32_t grid;
    uint64_t index;
    struct wave waves[WAVES];
};
struct cu {
    struct block blocks[SLOTS];
    uint64_t carry;
};
struct grid {
    struct amd_launch launch;
    uint32_t waves, vgprs, sgprs, lds, next_se;
    uint64_t next_block;
    bool warm[SES][CUS];
};
struct slot {
    bool is_there;
    uint64_t index;
    gfe_ps since_ps;
};
struct engine {
    struct slot slots[ACES];
    gfe_ps ready_ps;
    uint32_t next_slot, next_cu;
    bool is_due, waits;
    struct cu cus[CUS];
};
static struct check_amd check;
static struct plain {
    bool is_strict; /* amd.baton=placed: an ACE has one staged block at a time */
    gfe_ps now;
    struct grid grids[ACES]; /* one of each ACE; of some there is none */
    struct engine engines[SES];
    struct log_event *next, *end; /* what shall come */
} plain;

/* ---- a CU ------------------------------------------------------------------------------------ */

/* Further waves of a grid on a SIMD; whole: those that have ended hold their room. */
static uint32_t simd_room(const struct cu *cu, uint32_t simd, const struct grid *grid, bool whole)
{
    int32_t slots = 10, vgprs = 256, sgprs = 800, room = 0;

    for (uint32_t i = 0; i < SLOTS; i++)
        for (uint32_t n = 0; cu->blocks[i].is_there && n < WAVES; n++) {
            const struct wave *wave = &cu->blocks[i].waves[n];
            const struct grid *of = &plain.grids[cu->blocks[i].grid];

            if (!wave->is_there || wave->simd != simd || (wave->has_ended && !whole))
                continue;
            slots--;
            vgprs -= (int32_t)of->vgprs;
            sgprs -= (int32_t)of->sgprs;
        }
    while (room < slots && vgprs >= (room + 1) * (int32_t)grid->vgprs &&
           sgprs >= (room + 1) * (int32_t)grid->sgprs)
        room++;
    return (uint32_t)room;
}

static bool fits(const struct cu *cu, const struct grid *grid, bool whole)
{
    uint32_t room = 0, lds = 65536;

    for (uint32_t i = 0; i < SLOTS; i++)
        lds -= cu->blocks[i].is_there ? plain.grids[cu->blocks[i].grid].lds : 0;
    for (uint32_t simd = 0; simd < SIMDS; simd++)
        room += simd_room(cu, simd, grid, whole);
    return room >= grid->waves && lds >= grid->lds;
}

static bool runs(const struct wave *wave)
{
    return wave->is_there && !wave->has_ended;
}

/* Work of a CU until its next wave ends; 0 with none. */
static uint64_t next_work(const struct cu *cu, uint64_t *each, uint64_t *sharers)
{
    uint64_t running = 0;

    *each = UINT64_MAX;
    for (uint32_t i = 0; i < SLOTS; i++)
        for (uint32_t n = 0; cu->blocks[i].is_there && n < WAVES; n++) {
            const struct wave *wave = &cu->blocks[i].waves[n];

            running += runs(wave);
            *each = runs(wave) && wave->left < *each ? wave->left : *each;
        }
    *sharers = running > BUSY ? running : BUSY;
    return running != 0 ? *each * *sharers : 0;
}

/* All waves work so long; those that have come to their end have ended. */
static void work_on(struct cu *cu, uint64_t each)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        for (uint32_t n = 0; cu->blocks[i].is_there && n < WAVES; n++) {
            struct wave *wave = &cu->blocks[i].waves[n];

            if (!runs(wave))
                continue;
            wave->left -= each;
            wave->has_ended = wave->left == 0;
        }
}

static bool advance(struct cu *cu, gfe_ps elapsed_ps)
{
    uint64_t work = elapsed_ps + cu->carry, each, sharers, needed;
    bool has_ended = false;

    while ((needed = next_work(cu, &each, &sharers)) != 0 && needed <= work) {
        work -= needed;
        work_on(cu, each);
        has_ended = true;
    }
    work_on(cu, needed != 0 ? work / sharers : 0);
    cu->carry = needed != 0 ? work % sharers : 0;
    return has_ended;
}

/* ---- what happens ---------------------------------------------------------------------------- */

static bool is_told(const struct log_event *event)
{
    return event->kind == EVENT_AMD_BLOCK_STAGE || event->kind == EVENT_BLOCK_START ||
           event->kind == EVENT_BLOCK_END;
}

/* The next one of the log must be this.  `a` and `b` are the CU and the slot, or, of a block that
 * is staged, the shader engine and the ACE. */
static void tell(uint32_t kind, uint32_t rule, uint32_t ace, uint64_t index, uint64_t a, uint64_t b)
{
    struct event_block_start next;

    while (plain.next < plain.end && !is_told(plain.next))
        plain.next++;
    ck_assert(plain.next < plain.end);
    ck_assert_uint_eq(plain.next->time_ps, plain.now);
    ck_assert_uint_eq(plain.next->kind, kind);
    ck_assert_uint_eq(plain.next->rule, rule);
    next = event_block_start_from(plain.next->argument);
    ck_assert_uint_eq(next.grid_id, ace + 1); /* they were launched in this order */
    ck_assert_uint_eq(next.block_index, index);
    ck_assert_uint_eq(next.sm_index, a);
    ck_assert_uint_eq(next.slot_index, b);
    plain.next++;
}

static uint64_t jitter(uint64_t work, uint64_t ppm, uint64_t seed)
{
    return (uint64_t)((wide)work * (PPM - ppm + random_splitmix64(seed) % (2 * ppm + 1)) / PPM);
}

static void start(uint32_t se, uint32_t cu_index, uint32_t ace, uint64_t index, uint32_t rule)
{
    struct cu *cu = &plain.engines[se].cus[cu_index];
    const struct grid *grid = &plain.grids[ace];
    const struct amd_cost *cost = &grid->launch.cost;
    const uint64_t seed = random_splitmix64(cost->seed) ^ index << 8;
    const uint64_t cold = grid->warm[se][cu_index] ? 0 : cost->cold_ppm;
    const uint64_t whole = jitter(cost->block_ps, cost->block_jitter_ppm, seed);
    uint32_t at = 0;

    while (cu->blocks[at].is_there)
        at++;
    cu->blocks[at] = (struct block){.is_there = true, .grid = ace, .index = index};
    for (uint32_t i = 0; i < grid->waves; i++) {
        const uint64_t share = whole / grid->waves * (PPM + cold) / PPM;
        uint32_t simd = 0;

        for (uint32_t other = 1; other < SIMDS; other++)
            if (simd_room(cu, other, grid, false) > simd_room(cu, simd, grid, false))
                simd = other;
        cu->blocks[at].waves[i] = (struct wave){
            .is_there = true,
            .simd = simd,
            .left = jitter(share, cost->wave_jitter_ppm, seed + 1 + i),
        };
    }
    tell(EVENT_BLOCK_START, rule, ace, index, se * CUS + cu_index, at);
}

static void end_blocks(uint32_t se, uint32_t cu_index)
{
    struct cu *cu = &plain.engines[se].cus[cu_index];

    for (uint32_t at = 0; at < SLOTS; at++) {
        struct block *block = &cu->blocks[at];
        bool is_left = false;

        for (uint32_t i = 0; block->is_there && i < WAVES; i++) {
            plain.grids[block->grid].warm[se][cu_index] |= block->waves[i].has_ended;
            is_left = is_left || runs(&block->waves[i]);
        }
        if (!block->is_there || is_left)
            continue;
        tell(EVENT_BLOCK_END, RULE_NONE, block->grid, block->index, se * CUS + cu_index, at);
        *block = (struct block){0};
    }
}

/* ---- who goes where -------------------------------------------------------------------------- */

/* The CU in turn that has room for the ACE's block; CUS: there is none. */
static uint32_t pick_cu(const struct engine *engine, uint32_t se, uint32_t ace)
{
    for (uint32_t n = 0; n < CUS; n++) {
        const uint32_t cu = (engine->next_cu + n) % CUS;

        if (plain.grids[ace].launch.kind.cu_masks[se] >> cu & 1 &&
            fits(&engine->cus[cu], &plain.grids[ace], false))
            return cu;
    }
    return CUS;
}

/* The slot in turn whose block fits somewhere; ACES: there is none. */
static uint32_t pick_slot(const struct engine *engine, uint32_t se)
{
    for (uint32_t n = 0; n < ACES; n++) {
        const uint32_t ace = (engine->next_slot + n) % ACES;

        if (engine->slots[ace].is_there && pick_cu(engine, se, ace) != CUS)
            return ace;
    }
    return ACES;
}

static uint32_t rule_of(const struct engine *engine, uint32_t se, uint32_t ace, uint32_t cu)
{
    for (uint32_t i = 0; i < ACES; i++)
        if (engine->slots[i].is_there && pick_cu(engine, se, i) == CUS &&
            engine->slots[i].since_ps < engine->slots[ace].since_ps)
            return RULE_A_D4;
    return fits(&engine->cus[cu], &plain.grids[ace], true) ? RULE_A_D3 : RULE_A_D5;
}

static bool place(uint32_t se)
{
    struct engine *engine = &plain.engines[se];
    const uint32_t ace = pick_slot(engine, se);
    uint32_t cu, rule;
    uint64_t index;

    engine->is_due = false;
    if (ace == ACES)
        return false;
    engine->waits = plain.now < engine->ready_ps;
    if (engine->waits)
        return false;
    cu = pick_cu(engine, se, ace);
    rule = rule_of(engine, se, ace, cu);
    index = engine->slots[ace].index;
    engine->slots[ace] = (struct slot){0};
    engine->next_slot = ace + 1;
    engine->next_cu = cu + 1;
    engine->ready_ps = clock_after_cycles(&check.dispatch.clock, plain.now, plain.grids[ace].waves);
    engine->is_due = true;
    start(se, cu, ace, index, rule);
    return true;
}

/* The turn has not passed on yet: the ACE's block is not on a CU. */
static bool is_held(uint32_t ace)
{
    for (uint32_t se = 0; se < SES; se++)
        if (plain.is_strict && plain.engines[se].slots[ace].is_there)
            return true;
    return false;
}

static bool stage(uint32_t ace)
{
    struct grid *grid = &plain.grids[ace];
    bool has_staged = false;

    while (grid->next_block < grid->launch.block_count) {
        while (grid->launch.kind.cu_masks[grid->next_se % SES] == 0)
            grid->next_se++;
        struct engine *engine = &plain.engines[grid->next_se % SES];
        if (engine->slots[ace].is_there || is_held(ace))
            break;
        engine->slots[ace] = (struct slot){true, grid->next_block, plain.now};
        engine->is_due = has_staged = true;
        tell(EVENT_AMD_BLOCK_STAGE, RULE_A_D2, ace, grid->next_block++, grid->next_se++ % SES, ace);
    }
    return has_staged;
}

static void settle(void)
{
    bool goes_on;

    do {
        bool is_due[SES];

        goes_on = false;
        for (uint32_t se = 0; se < SES; se++)
            is_due[se] = plain.engines[se].is_due;
        for (uint32_t se = 0; se < SES; se++)
            goes_on |= is_due[se] && place(se);
        for (uint32_t ace = 0; ace < ACES; ace++)
            goes_on |= stage(ace);
    } while (goes_on);
}

/* ---- time ------------------------------------------------------------------------------------ */

static gfe_ps next_ps(void)
{
    gfe_ps next = GFE_PS_NEVER;

    for (uint32_t i = 0; i < SES * CUS; i++) {
        const struct cu *cu = &plain.engines[i / CUS].cus[i % CUS];
        uint64_t each, sharers;
        const uint64_t work = next_work(cu, &each, &sharers);

        if (work != 0 && plain.now + work - cu->carry < next)
            next = plain.now + work - cu->carry;
    }
    for (uint32_t se = 0; se < SES; se++)
        if (plain.engines[se].waits && plain.engines[se].ready_ps < next)
            next = plain.engines[se].ready_ps;
    return next;
}

static void run_plain(void)
{
    gfe_ps next;

    settle();
    while ((next = next_ps()) != GFE_PS_NEVER) {
        bool has_ended[SES * CUS];

        for (uint32_t i = 0; i < SES * CUS; i++)
            has_ended[i] = advance(&plain.engines[i / CUS].cus[i % CUS], next - plain.now);
        plain.now = next;
        for (uint32_t i = 0; i < SES * CUS; i++)
            if (has_ended[i]) {
                plain.engines[i / CUS].is_due = true;
                end_blocks(i / CUS, i % CUS);
                settle();
            }
        for (uint32_t se = 0; se < SES; se++)
            if (plain.engines[se].waits && plain.engines[se].ready_ps == plain.now) {
                plain.engines[se].waits = false;
                plain.engines[se].is_due = true;
                settle();
            }
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

static uint32_t rounded(uint32_t amount, uint32_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static struct amd_launch random_launch(struct random_state *random, uint32_t ace)
{
    static const uint32_t threads[] = {64, 64, 128, 256, 512, 960, 1024, 1024};
    struct amd_launch launch = check_amd_launch(
        &check, ace, random_below(random, 8), random_below(random, 100) + 1,
        threads[random_below(random, 8)], UINT64_C(10000000) + random_below(random, 900000000));

    launch.kind.vgprs = 1 + random_below(random, random_below(random, 2) ? 24 : 64);
    launch.kind.sgprs = 1 + random_below(random, 102);
    launch.kind.lds_bytes = random_below(random, 3) == 0 ? random_below(random, 30000) : 0;
    launch.cost.seed = random_next(random);
    launch.cost.block_jitter_ppm = 1 + random_below(random, 300000);
    launch.cost.wave_jitter_ppm = 1 + random_below(random, 300000);
    launch.cost.cold_ppm = random_below(random, 300000);
    for (uint32_t se = 0; se < SES; se++) {
        launch.kind.cu_masks[se] = random_below(random, 4) ? 1u << random_below(random, CUS) : 0;
        launch.kind.cu_masks[se] |=
            random_below(random, 3) == 0 ? 7u << random_below(random, 12) : 0;
    }
    launch.kind.cu_masks[random_below(random, SES)] |= 1;
    return launch;
}

static void launch_one(struct random_state *random, uint32_t ace)
{
    const struct amd_launch launch = random_launch(random, ace);

    ck_assert_uint_eq(check_amd_submit(&check, &launch), ace + 1);
    plain.grids[ace] = (struct grid){.launch = launch,
                                     .waves = rounded(launch.kind.block_threads, 64) / 64,
                                     .vgprs = rounded(launch.kind.vgprs, 4),
                                     .sgprs = rounded(launch.kind.sgprs, 16),
                                     .lds = rounded(launch.kind.lds_bytes, 512)};
}

/* PROMISE (amd): A dispatcher that remembers, sorts and looks up nothing stages, starts and ends
 * every block at the same time, in the same place and by the same rule, in random runs of one to
 * four ACEs, with the default of amd.baton and with its alternative. */
START_TEST(a_plainer_dispatcher_does_the_same)
{
    static const char *const staged[] = {"amd.baton=staged", NULL};
    struct random_state random;

    memset(&plain, 0, sizeof plain);
    random_seed(&random, (uint64_t)_i / 2, 5);
    plain.is_strict = _i % 2 == 0;
    check_amd_begin(&check, "radeon-vii", plain.is_strict ? NULL : staged);
    for (uint32_t ace = 0; ace <= (uint32_t)_i / 2 % ACES; ace++)
        launch_one(&random, ace);
    check_amd_run(&check);
    plain.next = check.events;
    plain.end = check.events + check.event_count;
    run_plain();
    while (plain.next < plain.end)
        ck_assert(!is_told(plain.next++));
    check_amd_end(&check);
}
END_TEST

Suite *amd_plain_suite(void)
{
    Suite *suite = suite_create("amd_plain");
    TCase *tcase = tcase_create("both");

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_plainer_dispatcher_does_the_same, 0, 80);
    suite_add_tcase(suite, tcase);
    return suite;
}
