/* SPDX-License-Identifier: MIT */
/*
 * Random worlds: they follow from their seeds, keep what they are in a file, become small, and each
 * invariant notices what breaks it.  How many hold: test_selftest.sh.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/selftest/invariant_private.h"
#include "emu/selftest/selftest.h"
#include "emu/selftest/world_bus.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/suites.h"

enum { SEEDS = 40 };

/* ---- worlds ---------------------------------------------------------------------------------- */

static json_t *world_of(uint64_t seed)
{
    struct gfe_error error = {0};
    json_t *world = world_make(seed, &error);

    ck_assert_msg(world != NULL, "%s", error.text);
    return world;
}

START_TEST(a_world_follows_from_its_seed_alone)
{
    json_t *first = world_of(7), *again = world_of(7), *other = world_of(8);

    ck_assert(json_equal(first, again));
    ck_assert(!json_equal(first, other));
    json_decref(first);
    json_decref(again);
    json_decref(other);
}
END_TEST

START_TEST(a_file_keeps_the_world)
{
    uint32_t seen = 0;

    for (uint64_t seed = 1; seed <= SEEDS && seen != (1u << WORLD_KINDS) - 1; seed++) {
        json_t *world = world_of(seed), *again;
        struct gfe_error error = {0};
        char path[] = "/tmp/gfe-world-XXXXXX";
        const int fd = mkstemp(path);
        FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

        ck_assert_ptr_nonnull(file);
        seen |= 1u << world_kind(world);
        ck_assert_msg(world_write(world, "w", file, &error), "%s", error.text);
        ck_assert_int_eq(fclose(file), 0);
        again = world_read(path, &error);
        ck_assert_msg(again != NULL, "%s", error.text);
        ck_assert_msg(json_equal(world, again), "seed %u", (unsigned)seed);
        ck_assert_int_eq(remove(path), 0);
        json_decref(world);
        json_decref(again);
    }
    ck_assert_uint_eq(seen, (1u << WORLD_KINDS) - 1);
}
END_TEST

/* A kernel of 1,000 threads and more somewhere. */
static bool has_large_kernel(void *context, const json_t *value)
{
    const json_t *element;
    const char *key;
    size_t i;

    if (json_integer_value(json_object_get(value, "threads")) >= 1000)
        return true;
    json_array_foreach(value, i, element) if (has_large_kernel(context, element)) return true;
    json_object_foreach((json_t *)(uintptr_t)value, key,
                        element) if (has_large_kernel(context, element)) return true;
    return false;
}

START_TEST(a_failing_world_becomes_small)
{
    static const char small[] = "{\"program\":{\"processes\":[{\"tasks\":[{\"calls\":"
                                "[{\"launch\":{\"threads\":1000}}]}]}]}}";
    json_t *world = NULL;
    uint64_t seed = 0;
    char *text;

    while (!world) {
        world = world_of(++seed);
        if (world_kind(world) == WORLD_CUDA && has_large_kernel(NULL, world))
            break;
        json_decref(world);
        world = NULL;
    }
    ck_assert(selftest_shrink_by(world, 10000, has_large_kernel, NULL));
    text = json_dumps(world, JSON_COMPACT);
    ck_assert_str_eq(text, small);
    free(text);
    json_decref(world);
}
END_TEST

/* ---- invariants ------------------------------------------------------------------------------ */

/* Two processes whose kernels are time-sliced, and copies. */
static const char cuda_world[] = "{\"kind\":\"cuda\",\"gpu\":\"gtx1060\",\"snapshot\":500000,"
                                 "\"policies\":[\"core.block_to_sm=random\"],"
                                 "\"program\":{\"gfe_scenario\":1,\"processes\":["
                                 "{\"streams\":[{\"name\":\"s\"}],\"tasks\":[{\"calls\":["
                                 "{\"launch\":{\"blocks\":3,\"threads\":64,\"work\":0.003}},"
                                 "{\"copy\":{\"bytes\":9000,\"direction\":\"to host\"}}]}]},"
                                 "{\"streams\":[{\"name\":\"s\"}],\"tasks\":[{\"calls\":["
                                 "{\"launch\":{\"blocks\":2,\"threads\":64,\"work\":0.003}}]}]}]}}";
/* Two channels of two TSGs. */
static const char bus_world[] =
    "{\"kind\":\"bus\",\"gpu\":\"v100\",\"program\":{"
    "\"tsgs\":[{\"runlist\":0,\"timeout\":9,\"scale\":0},{\"runlist\":0,\"timeout\":5,\"scale\":1}],"
    "\"channels\":[{\"tsg\":0,\"runqueue\":0},{\"tsg\":1,\"runqueue\":0}],\"steps\":["
    "{\"after\":100,\"kick\":0,\"items\":[{\"launch\":{\"grid\":4,\"threads\":64}},{\"release\":true}]},"
    "{\"after\":100,\"kick\":1,\"items\":[{\"draw\":true},{\"copy\":4096},{\"release\":true}]},"
    "{\"after\":0,\"kick\":0,\"items\":[{\"acquire\":1},{\"release\":true}]},"
    "{\"after\":900,\"store\":1}]}}";

static struct world_loaded loaded;
static struct world_run run;
static json_t *world;

static void begin(const char *text)
{
    struct gfe_error error = {0};

    world = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(world);
    ck_assert_msg(world_load(&loaded, world, &error), "%s", error.text);
    ck_assert_msg(world_run_make(&run, &loaded, &error), "%s", error.text);
    run.snapshot_at = machine_event_count(run.simulation.machine) / 2;
}

static void end(void)
{
    world_run_fini(&run);
    world_unload(&loaded);
    json_decref(world);
}

/* The n-th event of a kind of the run. */
static struct log_event *event_of(uint32_t kind, uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && n-- == 0)
            return &run.events[i];
    ck_abort_msg("no event %u", kind);
    return NULL;
}

static void forget(uint32_t kind, uint32_t n)
{
    event_of(kind, n)->kind = EVENT_MMIO_READ;
}

/* Changes a member of the n-th event of a kind: (block_start, BLOCK_START, 1, block_index, 0). */
#define CHANGE(name, KIND, n, member, value)                                                       \
    do {                                                                                           \
        struct log_event *const event = event_of(EVENT_##KIND, (n));                               \
        struct event_##name changed = event_##name##_of(event);                                    \
                                                                                                   \
        changed.member = (value);                                                                  \
        memcpy(event->argument, &changed, sizeof changed);                                         \
    } while (0)

static void break_ends(void)
{
    run.stopped.kind = ERROR_LIMIT;
}
static void break_wait_rule(void)
{
    event_of(EVENT_WAIT, 0)->rule = RULE_NONE;
}
static void break_wait_end(void)
{
    forget(EVENT_GRID_END, 0);
}
static void break_wait_call(void)
{
    forget(EVENT_CUDA_COMPLETE, 0);
}
static void break_wait_segment(void)
{
    forget(EVENT_NV_SEGMENT_END, 0);
}
static void break_put_early(void)
{
    forget(EVENT_CUDA_SUBMIT, 0);
}
static void break_put_time(void)
{
    event_of(EVENT_NV_GP_FETCH, 0)->time_ps = 1000;
}
static void break_put_twice(void)
{
    for (uint32_t i = 0; i < 3; i++)
        CHANGE(nv_gp_fetch, NV_GP_FETCH, i, gp_sequence, 0);
}
static void break_work_block(void)
{
    CHANGE(block_start, BLOCK_START, 1, block_index, 0);
}
static void break_work_copy(void)
{
    forget(EVENT_COPY_END, 0);
}
static void break_work_release(void)
{
    CHANGE(nv_release, NV_RELEASE, 0, value, 5);
}
static void break_work_draw(void)
{
    forget(EVENT_WORK_END, 0);
}
static void break_slices(void)
{
    event_of(EVENT_BLOCK_END, 0)->time_ps -= GFE_PS_PER_US;
}
static void break_slices_rest(void)
{
    event_of(EVENT_GRID_RESUME, 0)->time_ps -= GFE_PS_PER_US;
}
static void break_turn_length(void)
{
    CHANGE(nv_tsg_end, NV_TSG_END, 0, ran_ps, changed.ran_ps + 1);
}
static void break_turn_slice(void)
{
    CHANGE(nv_tsg_start, NV_TSG_START, 0, timeslice_ps, changed.timeslice_ps + 1);
}
static void break_turn_order(void)
{
    forget(EVENT_NV_TSG_END, 0);
}
static void break_log(void)
{
    struct stat status;

    ck_assert_int_eq(fstat(run.log_fd, &status), 0);
    ck_assert_int_eq(ftruncate(run.log_fd, status.st_size / 2), 0);
}
static void break_limits(void)
{
    run.limits.threads_per_sm = 63;
}
static void break_seed(void)
{
    loaded.options.seed++;
}

static const struct broken {
    const char *invariant, *world;
    void (*breaks)(void);
    const char *says;
} broken[] = {
    {"ends", cuda_world, break_ends, "the run stopped"},
    {"waits", cuda_world, break_wait_rule, "has no rule"},
    {"waits", cuda_world, break_wait_end, "a grid"},
    {"waits", cuda_world, break_wait_call, "a call of CUDA"},
    {"waits", bus_world, break_wait_segment, "its segment has no end"},
    {"put", cuda_world, break_put_early, "of 0 submitted"},
    {"put", bus_world, break_put_time, "of 0 submitted"},
    {"put", bus_world, break_put_twice, "in place of"},
    {"work", cuda_world, break_work_block, "starts that may not"},
    {"work", cuda_world, break_work_copy, "1 copies are asked for, and 0"},
    {"work", bus_world, break_work_release, "in place of 1"},
    {"work", bus_world, break_work_draw, "1 draws are asked for, and 0"},
    {"slices", cuda_world, break_slices, "runs for"},
    {"slices", cuda_world, break_slices_rest, "stopped 1 times"},
    {"slices", bus_world, break_slices, "runs for"},
    {"turns", cuda_world, break_turn_length, "took"},
    {"turns", bus_world, break_turn_slice, "has slices of"},
    {"turns", bus_world, break_turn_order, "beside"},
    {"room", cuda_world, break_limits, "holds 1 blocks, 64 threads"},
    {"check", cuda_world, break_limits, "T.R2"},
    {"explain", cuda_world, break_log, "explain cannot"},
    {"batch", cuda_world, break_seed, "differs"},
    {"snapshot", cuda_world, break_seed, "differs"},
};
enum { BROKEN = sizeof broken / sizeof broken[0] };

static const struct invariant *invariant_by_name(const char *name)
{
    for (uint32_t i = 0; i < invariant_count; i++)
        if (strcmp(invariants[i].name, name) == 0)
            return &invariants[i];
    ck_abort_msg("no invariant %s", name);
    return NULL;
}

START_TEST(an_invariant_notices_what_breaks_it)
{
    const struct invariant *invariant = invariant_by_name(broken[_i].invariant);
    char says[INVARIANT_SAYS_BYTES] = "";

    begin(broken[_i].world);
    ck_assert_msg(invariant->holds(&run, says), "%s", says);
    broken[_i].breaks();
    ck_assert(!invariant->holds(&run, says));
    ck_assert_msg(strstr(says, broken[_i].says) != NULL, "%s", says);
    end();
}
END_TEST

/* The longest life of the world of CUDA, or of a block of its, with three pieces or more. */
static void life_take(struct explain *explain, struct event_log_reader *log,
                      struct explain_life *life)
{
    struct gfe_error error = {0};

    ck_assert_msg(explain_load(explain, log, &error), "%s", error.text);
    for (uint32_t i = 0; i < explain->operation_count && life->count < 3; i++)
        ck_assert(explain_life(
            explain, (struct explain_ref){(enum explain_kind)explain->operations[i].kind, i},
            life));
    ck_assert_uint_ge(life->count, 3);
}

/* The log cannot make gfe explain give a life that does not add up, so lives are broken here. */
START_TEST(explain_notices_a_life_that_does_not_add_up)
{
    static const char *const expected[] = {"",
                                           "the pieces of a life",
                                           "the pieces of a life",
                                           "the pieces of a life",
                                           "the pieces of a life",
                                           "the pieces of a life",
                                           "the sums of a life"};
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct explain_life life = {0};
    struct explain explain;
    struct explain_total total;
    char says[INVARIANT_SAYS_BYTES] = "";

    begin(cuda_world);
    log = world_run_log(&run, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    life_take(&explain, log, &life);
    total = explain_total(&life);
    switch (_i) {
    case 1: /* a gap */
        life.pieces[1].begin_ps++;
        break;
    case 2: /* an overlap */
        life.pieces[1].begin_ps--;
        break;
    case 3: /* nothing between two pieces */
        life.pieces[1].end_ps = life.pieces[2].begin_ps = life.pieces[1].begin_ps;
        break;
    case 4: /* the last piece is missing */
        life.count--;
        break;
    case 5: /* a life longer than its pieces */
        life.end_ps++;
        break;
    case 6: /* a picosecond of waiting too much */
        total.wait_ps++;
        break;
    default: /* as it is */
        break;
    }
    ck_assert_int_eq(invariant_life_adds_up(&life, &total, "a life", says), _i == 0);
    ck_assert_msg(strstr(says, expected[_i]) == says, "%s", says);
    explain_life_fini(&life);
    explain_fini(&explain);
    event_log_close(log);
    end();
}
END_TEST

START_TEST(a_story_that_does_not_add_up_is_noticed)
{
    struct story_piece pieces[] = {{.begin_ps = 5, .end_ps = 7}, {.begin_ps = 7, .end_ps = 9}};
    const struct story_life life = {.pieces = pieces, .count = 2, .begin_ps = 5, .end_ps = 9};
    char says[INVARIANT_SAYS_BYTES] = "";

    ck_assert(invariant_story_adds_up(&life, "a story", says));
    pieces[1].begin_ps = 8;
    ck_assert(!invariant_story_adds_up(&life, "a story", says));
    ck_assert_msg(strstr(says, "the pieces of a story") == says, "%s", says);
}
END_TEST

/* ---- becoming small -------------------------------------------------------------------------- */

START_TEST(a_world_fails_the_same_way_if_it_says_the_same_but_for_numbers)
{
    ck_assert(selftest_says_the_same("", ""));
    ck_assert(selftest_says_the_same("TSG 8 ends at 84213717 ps", "TSG 11 ends at 5 ps"));
    ck_assert(!selftest_says_the_same("TSG 8 ends at 84213717 ps", "TSG 8 begins at 5 ps"));
    ck_assert(!selftest_says_the_same("grid 3 is lost", "grid 3 is lost, and more"));
}
END_TEST

/* What no world is made with is refused, so that no world becomes small by becoming something else.
 */
START_TEST(a_program_of_registers_that_asks_for_nothing_is_refused)
{
#define CHANNELS  "\"channels\":[{\"tsg\":0}],\"steps\":["
#define TSG(list) "{\"tsgs\":[{\"runlist\":" list ",\"timeout\":9}]," CHANNELS
    static const struct {
        const char *program, *says;
    } rows[] = {
        {TSG("0") "{\"kick\":0,\"items\":[{\"draw\":true}]}]}", NULL},
        {"{\"tsgs\":[{\"runlist\":0}]," CHANNELS "]}", "no slice"},
        {TSG("0") "{\"kick\":0}]}", "kicks nothing"},
        {TSG("0") "{\"kick\":0,\"items\":[{\"launch\":{\"grid\":1}}]}]}", "a launch of nothing"},
        {TSG("0") "{\"kick\":0,\"items\":[{\"copy\":0}]}]}", "a copy of nothing"},
        {TSG("1") "{\"kick\":0,\"items\":[{\"release\":true}]}]}", "neither copies nor draws"},
        {TSG("5") "{\"kick\":0,\"items\":[{\"draw\":true}]}]}", "only copies"},
    };
#undef TSG
#undef CHANNELS

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gfe_error error = {0};
        json_t *program = json_loads(rows[i].program, 0, NULL);
        char *text;

        ck_assert_ptr_nonnull(program);
        text = world_bus_text(program, "gtx1060", &error);
        if (rows[i].says)
            ck_assert_msg(!text && strstr(error.text, rows[i].says), "%s", error.text);
        else
            ck_assert_msg(text != NULL, "%s", error.text);
        free(text);
        json_decref(program);
    }
}
END_TEST

START_TEST(all_invariants_hold_in_these_worlds)
{
    static const char *const worlds[] = {cuda_world, bus_world};
    char says[INVARIANT_SAYS_BYTES] = "";

    begin(worlds[_i]);
    for (uint32_t i = 0; i < invariant_count; i++)
        ck_assert_msg(invariants[i].holds(&run, says), "%s: %s", invariants[i].name, says);
    end();
}
END_TEST

Suite *selftest_suite(void)
{
    Suite *suite = suite_create("selftest");
    TCase *worlds = tcase_create("worlds"), *kinds = tcase_create("invariants");

    tcase_add_test(worlds, a_world_follows_from_its_seed_alone);
    tcase_add_test(worlds, a_file_keeps_the_world);
    tcase_add_test(worlds, a_failing_world_becomes_small);
    tcase_add_test(worlds, a_world_fails_the_same_way_if_it_says_the_same_but_for_numbers);
    tcase_add_test(worlds, a_program_of_registers_that_asks_for_nothing_is_refused);
    suite_add_tcase(suite, worlds);
    tcase_add_loop_test(kinds, an_invariant_notices_what_breaks_it, 0, BROKEN);
    tcase_add_loop_test(kinds, all_invariants_hold_in_these_worlds, 0, 2);
    tcase_add_loop_test(kinds, explain_notices_a_life_that_does_not_add_up, 0, 7);
    tcase_add_test(kinds, a_story_that_does_not_add_up_is_noticed);
    suite_add_tcase(suite, kinds);
    return suite;
}
