/* SPDX-License-Identifier: MIT */
/*
 * Lives of operations: that their pieces touch and add up, in recorded programs and in programs
 * made at random; what they say in logs made by hand; how they are printed.
 */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/cmd.h"
#include "emu/explain_print.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/log_scenes.h"
#include "tests/suites.h"

#define NS(n) ((uint64_t)(n)*1000)
#define US(n) ((uint64_t)(n)*1000000)

/* ---- logs ----------------------------------------------------------------------------------- */

struct run {
    char folder[64], path[128];
    struct event_log_reader *log;
    struct explain explain;
};

/* Runs the program and loads its log, NAME.gfl. */
static void run_begin(struct run *run, const char *name, const struct replay_input *input,
                      const struct simulation_options *with)
{
    struct gfe_error error = {0};
    struct simulation_options options = with ? *with : (struct simulation_options){0};
    int fd;

    strcpy(run->folder, "/tmp/gfe-explain-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(run->folder));
    snprintf(run->path, sizeof run->path, "%s/%s.gfl", run->folder, name);
    fd = open(run->path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    options.log = chunk_writer_new(fd, "log", &error);
    struct simulation *simulation = check_simulation_new(input, &options);
    ck_assert_msg(simulation_log_head(simulation, "-", &error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &error) &&
                      simulation_log_end(simulation, &error) &&
                      chunk_writer_finish(options.log, &error),
                  "%s", error.text);
    simulation_free(simulation);
    chunk_writer_free(options.log);
    ck_assert_int_eq(close(fd), 0);
    run->log = event_log_open(run->path, &error);
    ck_assert_msg(run->log != NULL, "%s", error.text);
    ck_assert_msg(explain_load(&run->explain, run->log, &error), "%s", error.text);
}

static void run_end(struct run *run)
{
    explain_fini(&run->explain);
    event_log_close(run->log);
    (void)unlink(run->path);
    (void)rmdir(run->folder);
}

static struct replay_input *recorded(const char *program)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", program);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    return input;
}

/* A log made by hand, loaded. */
struct made {
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct explain explain;
};

static void made_load(struct made *made)
{
    struct gfe_error error = {0};

    log_fixture_end(&made->fixture);
    made->log = event_log_open(made->fixture.path, &error);
    ck_assert_msg(made->log != NULL, "%s", error.text);
    ck_assert_msg(explain_load(&made->explain, made->log, &error), "%s", error.text);
}

static void made_end(struct made *made)
{
    explain_fini(&made->explain);
    event_log_close(made->log);
    log_fixture_remove(&made->fixture);
}

/* ---- what holds for every life -------------------------------------------------------------- */

/* Pieces touch, are not empty, reach from birth to end, and add up to the total. */
static void life_check(const struct explain *explain, struct explain_ref ref,
                       struct explain_life *life, bool may_be_unattributed)
{
    char name[EXPLAIN_NAME_BYTES];
    gfe_ps at_ps, sum_ps = 0;

    explain_name(explain, ref, name);
    ck_assert(explain_life(explain, ref, life));
    at_ps = life->birth_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        const struct explain_piece *piece = &life->pieces[i];
        ck_assert_msg(piece->begin_ps == at_ps, "%s: piece %u begins elsewhere", name, i);
        ck_assert_msg(piece->end_ps > piece->begin_ps, "%s: piece %u is empty", name, i);
        ck_assert_msg(piece->what != EXPLAIN_UNATTRIBUTED || may_be_unattributed,
                      "%s: %llu ps from %llu on are unattributed", name,
                      (unsigned long long)(piece->end_ps - piece->begin_ps),
                      (unsigned long long)piece->begin_ps);
        ck_assert_msg(piece->what == EXPLAIN_WAIT || piece->rule == RULE_NONE, "%s", name);
        ck_assert_msg(piece->what != EXPLAIN_WAIT || piece->rule != RULE_NONE ||
                          may_be_unattributed,
                      "%s: a wait without a rule", name);
        at_ps = piece->end_ps;
        sum_ps += piece->end_ps - piece->begin_ps;
    }
    const struct explain_total total = explain_total(life);
    ck_assert_msg(at_ps == life->end_ps, "%s: the pieces end before it does", name);
    ck_assert_uint_eq(total.total_ps, life->end_ps - life->birth_ps);
    ck_assert_uint_eq(total.total_ps, sum_ps);
    ck_assert_uint_eq(total.total_ps, total.service_ps + total.wait_ps + total.unattributed_ps);
    ck_assert_uint_le(life->end_ps, explain->end_ps);
}

static void name_check(const struct explain *explain, struct explain_ref ref)
{
    char name[EXPLAIN_NAME_BYTES];
    struct explain_ref found;

    if (ref.kind != EXPLAIN_BLOCK && explain->operations[ref.index].id == UINT64_MAX)
        return; /* it has not got its number */
    ck_assert_msg(explain_find(explain, explain_name(explain, ref, name), &found), "%s", name);
    ck_assert_msg(found.kind == ref.kind && found.index == ref.index, "%s", name);
}

static void all_check(const struct explain *explain, bool may_be_unattributed)
{
    struct explain_life life = {0};

    for (uint32_t i = 0; i < explain->operation_count; i++) {
        const struct explain_ref ref = {(enum explain_kind)explain->operations[i].kind, i};
        life_check(explain, ref, &life, may_be_unattributed);
        name_check(explain, ref);
    }
    for (uint32_t i = 0; i < explain->block_count; i++) {
        life_check(explain, (struct explain_ref){EXPLAIN_BLOCK, i}, &life, may_be_unattributed);
        name_check(explain, (struct explain_ref){EXPLAIN_BLOCK, i});
    }
    explain_life_fini(&life);
}

/* Time that operations of a kind wait under the rule. */
static gfe_ps waited(const struct explain *explain, enum explain_kind kind, const char *label)
{
    struct explain_life life = {0};
    gfe_ps sum_ps = 0;
    const uint32_t count = kind == EXPLAIN_BLOCK ? explain->block_count : explain->operation_count;

    for (uint32_t i = 0; i < count; i++) {
        if (kind != EXPLAIN_BLOCK && explain->operations[i].kind != kind)
            continue;
        ck_assert(explain_life(explain, (struct explain_ref){kind, i}, &life));
        for (uint32_t p = 0; p < life.count; p++)
            if (life.pieces[p].what == EXPLAIN_WAIT &&
                strcmp(explain_rule(explain, life.pieces[p].rule), label) == 0)
                sum_ps += life.pieces[p].end_ps - life.pieces[p].begin_ps;
    }
    explain_life_fini(&life);
    return sum_ps;
}

/* What the log itself says that channels (or grids) wait under a rule. */
static gfe_ps logged(const struct run *run, uint32_t subject, uint32_t rule)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(run->path, &error);
    struct log_event event;
    gfe_ps sum_ps = 0;

    ck_assert_msg(log != NULL, "%s", error.text);
    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
        if ((event.kind == EVENT_WAIT || event.kind == EVENT_WAIT_OPEN) && event.rule == rule &&
            event.argument[1] == subject)
            sum_ps += event.time_ps - event.argument[0];
    event_log_close(log);
    return sum_ps;
}

/* Every wait that a PBDMA logs is in the life of exactly one GP entry, and a block's own are in
 * that block's. */
static void waits_check(const struct run *run)
{
    static const struct {
        const char *label;
        uint32_t rule;
    } rules[] = {{"NV.WFI", RULE_NV_WFI},         {"NV.SUBCH", RULE_NV_SUBCH},
                 {"NV.ACQ", RULE_NV_ACQ},         {"NV.DEVICE", RULE_NV_DEVICE},
                 {"NV.FE_FULL", RULE_NV_FE_FULL}, {"T.C2", RULE_T_C2}};

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        ck_assert_msg(waited(&run->explain, EXPLAIN_ENTRY, rules[i].label) ==
                          logged(run, SUBJECT_CHANNEL, rules[i].rule),
                      "%s", rules[i].label);
    ck_assert_uint_eq(waited(&run->explain, EXPLAIN_BLOCK, "T.R2"),
                      logged(run, SUBJECT_GRID, RULE_T_R2));
    ck_assert_uint_eq(waited(&run->explain, EXPLAIN_BLOCK, "T.SLOT"),
                      logged(run, SUBJECT_GRID, RULE_T_SLOT));
}

/* ---- recorded programs ---------------------------------------------------------------------- */

static const char *const programs[] = {"clear", "triangle", "compute"};

START_TEST(everything_in_a_recorded_program_is_attributed)
{
    struct replay_input *input = recorded(programs[_i]);
    struct run run;

    run_begin(&run, programs[_i], input, NULL);
    ck_assert_uint_gt(run.explain.operation_count, 15);
    all_check(&run.explain, false);
    waits_check(&run);
    run_end(&run);
    replay_input_free(input);
}
END_TEST

typedef bool printer(const struct explain_print *print);

static bool print_submission(const struct explain_print *print)
{
    struct explain_ref ref;

    return explain_find(print->explain, "submission:4", &ref) && explain_text_one(print, ref);
}

static bool print_last_block(const struct explain_print *print)
{
    struct explain_ref ref;

    return explain_find(print->explain, "block:2.29", &ref) && explain_text_one(print, ref);
}

static void golden_check(const struct run *run, const char *name, printer *print_it, bool pieces)
{
    char *text = NULL;
    struct gfe_error error = {0};
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    const struct explain_print print = {.file = memory,
                                        .explain = &run->explain,
                                        .error = &error,
                                        .only = EXPLAIN_KINDS,
                                        .with_pieces = pieces};

    ck_assert_msg(memory && print_it(&print), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
    golden_text_check(name, text, bytes);
    free(text);
}

START_TEST(recorded_programs_are_explained_as_before)
{
    struct replay_input *input = recorded(programs[_i]);
    char name[64];
    struct run run;

    run_begin(&run, programs[_i], input, NULL);
    snprintf(name, sizeof name, "explain_%s.txt", programs[_i]);
    golden_check(&run, name, explain_text_list, false);
    snprintf(name, sizeof name, "explain_%s.json", programs[_i]);
    golden_check(&run, name, explain_json_list, true);
    snprintf(name, sizeof name, "explain_%s_rules.txt", programs[_i]);
    golden_check(&run, name, explain_text_rules, false);
    snprintf(name, sizeof name, "explain_%s_submission.txt", programs[_i]);
    golden_check(&run, name, print_submission, false);
    if (strcmp(programs[_i], "compute") == 0)
        golden_check(&run, "explain_compute_block.txt", print_last_block, false);
    run_end(&run);
    replay_input_free(input);
}
END_TEST

/* ---- programs made at random ---------------------------------------------------------------- */

struct dice {
    uint64_t state;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
    dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((dice->state >> 33) % sides);
}

enum { DATA_BUFFER = 1, QMD_BUFFER, PUSH_BUFFER, CHANNELS = 3, PUSH_DWORDS = 400, QMDS = 8 };
#define LOW(handle, at) ((uint32_t)(CHECK_TRACE_BUFFER(handle) + (at)))
#define HIGH            ((uint32_t)(CHECK_TRACE_VA >> 32))

struct stream {
    uint32_t dwords[PUSH_DWORDS];
    uint32_t count;
};

static void put(struct stream *stream, uint32_t dword)
{
    ck_assert_uint_lt(stream->count, PUSH_DWORDS);
    stream->dwords[stream->count++] = dword;
}

static void put_all(struct stream *stream, const uint32_t *dwords, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(stream, dwords[i]);
}

#define PUT(stream, ...)                                                                           \
    put_all((stream), (const uint32_t[]){__VA_ARGS__},                                             \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* One of the things that a method can start or wait for. */
static void put_something(struct stream *stream, struct dice *dice, bool may_err)
{
    const uint32_t word = 16 * roll(dice, 4), value = roll(dice, 4);

    switch (roll(dice, may_err ? 13 : 12)) {
    case 0:
    case 1:
        PUT(stream, PB_IMMD(0, 0x19d0, 1)); /* a draw */
        break;
    case 2:
    case 3:
        PUT(stream, PB_INC(4, 0x400, 8), HIGH, LOW(DATA_BUFFER, 0x1000), HIGH,
            LOW(DATA_BUFFER, 0x8000), 64, 64, 1 + roll(dice, 4000), 1, PB_INC(4, 0x240, 3), HIGH,
            LOW(DATA_BUFFER, word), value, PB_IMMD(4, 0x300, 0x182 | roll(dice, 2) << 3));
        break;
    case 4:
        PUT(stream, PB_INC(0, 0x1b00, 4), HIGH, LOW(DATA_BUFFER, word), value, 1u << 28);
        break;
    case 5:
    case 6:
        PUT(stream, PB_INC(1, 0x2b4, 1),
            (uint32_t)((CHECK_TRACE_BUFFER(QMD_BUFFER) + 0x100 * roll(dice, QMDS)) >> 8),
            PB_IMMD(1, 0x2bc, 3));
        break;
    case 7:
        PUT(stream, PB_IMMD(1, 0x110, 0)); /* WAIT_FOR_IDLE */
        break;
    case 8: /* Host's release, with a wait for idle or without */
        PUT(stream, PB_INC(0, 0x10, 4), HIGH, LOW(DATA_BUFFER, word), value,
            1u << 24 | roll(dice, 2) << 20 | 2);
        break;
    case 9: /* an acquire that any value satisfies that is not below */
        PUT(stream, PB_INC(0, 0x10, 4), HIGH, LOW(DATA_BUFFER, word), roll(dice, 3), 4);
        break;
    case 10: /* a report behind a draw, and an acquire of it */
        PUT(stream, PB_IMMD(0, 0x19d0, 1), PB_INC(0, 0x1b00, 4), HIGH, LOW(DATA_BUFFER, 0x200), 9,
            1u << 28, PB_INC(0, 0x10, 4), HIGH, LOW(DATA_BUFFER, 0x200), 9, 1);
        break;
    case 11:
        PUT(stream, PB_IMMD(7, 0x100, 0)); /* a software method */
        break;
    default: /* nothing may be there: the channel stops */
        PUT(stream, roll(dice, 2) ? PB_IMMD(0, 0x04, 0) : 0xe0000001u | 1u << 29);
        break;
    }
}

static void put_qmds(struct check_trace *trace, struct dice *dice)
{
    static uint32_t words[QMDS][64];

    memset(words, 0, sizeof words);
    for (uint32_t i = 0; i < QMDS; i++) {
        words[i][12] = roll(dice, 60);
        words[i][13] = words[i][14] = 1;
        words[i][17] = roll(dice, 3) * 16384;
        words[i][18] = (32 + 32 * roll(dice, 32)) << 16;
        words[i][19] = 1 | 1u << 16;
        words[i][30] = (8 + 8 * roll(dice, 8)) << 24;
    }
    check_trace_put(trace,
                    sample_mem(CHECK_TRACE_BUFFER(QMD_BUFFER), words, (uint32_t)sizeof words));
}

/* A few threads submit to a few channels; some wait. */
static struct replay_input *random_program(struct dice *dice, bool may_err)
{
    struct check_trace trace;
    struct stream stream;
    const uint32_t channels = 1 + roll(dice, CHANNELS);

    check_trace_begin(&trace);
    for (uint32_t handle = DATA_BUFFER; handle < PUSH_BUFFER + 32; handle++)
        check_trace_map(&trace, handle);
    put_qmds(&trace, dice);
    for (uint32_t i = 0; i < channels; i++)
        check_trace_channel(&trace, i);
    for (uint32_t n = 0; n < 24; n++) {
        const uint32_t channel = roll(dice, channels), things = 1 + roll(dice, 12);
        stream.count = 0;
        for (uint32_t i = 0; i < things; i++)
            put_something(&stream, dice, may_err);
        trace.thread_id = 1 + roll(dice, 3);
        trace.time_ns += roll(dice, 2) ? roll(dice, 20000) : 0;
        check_trace_submit(&trace, channel, PUSH_BUFFER + n, stream.dwords, stream.count,
                           roll(dice, 4));
        if (!may_err && roll(dice, 6) == 0)
            check_trace_wait(&trace, channel, trace.submission_count, TRACE_WAIT_CALL);
    }
    return check_trace_end(&trace);
}

/* The n-th program, run.  Every second has a small ring, every fourth may go wrong. */
static struct replay_input *random_run(struct run *run, uint32_t n)
{
    static const struct simulation_setting settings[] = {{"nouveau.ring_entries", "8"},
                                                         {"core.block_base_cycles", "400"}};
    const struct simulation_options options = {.parameters = settings,
                                               .parameter_count = n % 2 ? 2 : 0};
    struct dice dice = {n + 1};
    struct replay_input *input = random_program(&dice, n % 4 == 3);

    run_begin(run, "random", input, &options);
    return input;
}

START_TEST(everything_in_a_random_program_is_attributed)
{
    struct run run;
    struct replay_input *input = random_run(&run, (uint32_t)_i);

    ck_assert_uint_gt(run.explain.operation_count, 10);
    all_check(&run.explain, false);
    waits_check(&run);
    run_end(&run);
    replay_input_free(input);
}
END_TEST

/* Else the test above would say little. */
START_TEST(random_programs_wait_for_many_reasons)
{
    static const struct {
        enum explain_kind kind;
        const char *label;
    } wanted[] = {{EXPLAIN_SUBMISSION, "NV.RING"},  {EXPLAIN_SUBMISSION, "NOUVEAU.LOCK"},
                  {EXPLAIN_SUBMISSION, "NV.ORDER"}, {EXPLAIN_ENTRY, "NV.ORDER"},
                  {EXPLAIN_ENTRY, "NV.RUNLIST"},    {EXPLAIN_ENTRY, "NV.WFI"},
                  {EXPLAIN_ENTRY, "NV.SUBCH"},      {EXPLAIN_ENTRY, "NV.ACQ"},
                  {EXPLAIN_ENTRY, "NV.DEVICE"},     {EXPLAIN_ENTRY, "NV.INTR"},
                  {EXPLAIN_LAUNCH, "T.X1"},         {EXPLAIN_LAUNCH, "T.R2"},
                  {EXPLAIN_DRAW, "NV.DRAW"},        {EXPLAIN_COPY, "T.C2"},
                  {EXPLAIN_SEMAPHORE, "NV.REPORT"}, {EXPLAIN_SEMAPHORE, "NV.WFI"},
                  {EXPLAIN_SEMAPHORE, "NV.ACQ"},    {EXPLAIN_BLOCK, "CORE.BLOCK_ORDER"},
                  {EXPLAIN_BLOCK, "T.R2"},          {EXPLAIN_BLOCK, "T.X1"}};
    enum { WANTED = sizeof wanted / sizeof wanted[0] };
    gfe_ps found[WANTED] = {0};

    for (uint32_t n = 0; n < 16; n++) {
        struct run run;
        struct replay_input *input = random_run(&run, n);
        for (uint32_t i = 0; i < WANTED; i++)
            found[i] += waited(&run.explain, wanted[i].kind, wanted[i].label);
        run_end(&run);
        replay_input_free(input);
    }
    for (uint32_t i = 0; i < WANTED; i++)
        ck_assert_msg(found[i] > 0, "no %s waits under %s", explain_kind_name(wanted[i].kind),
                      wanted[i].label);
}
END_TEST

/* ---- logs made by hand ---------------------------------------------------------------------- */

/* What a piece has to be. */
struct wanted {
    gfe_ps end_ps;
    enum explain_what what;
    const char *rule, *by; /* of a wait */
};

static void life_is(const struct explain *explain, const char *name, gfe_ps birth_ps,
                    const struct wanted *wanted, uint32_t count)
{
    struct explain_life life = {0};
    char by[EXPLAIN_NAME_BYTES];
    struct explain_ref ref;

    ck_assert_msg(explain_find(explain, name, &ref), "%s", name);
    life_check(explain, ref, &life, true);
    ck_assert_uint_eq(life.birth_ps, birth_ps);
    ck_assert_msg(life.count == count, "%s has %u pieces", name, life.count);
    for (uint32_t i = 0; i < count; i++) {
        const struct explain_piece *piece = &life.pieces[i];
        ck_assert_msg(piece->end_ps == wanted[i].end_ps && piece->what == wanted[i].what,
                      "%s: piece %u is %s to %llu", name, i, explain_whats[piece->what].text,
                      (unsigned long long)piece->end_ps);
        if (piece->what != EXPLAIN_WAIT)
            continue;
        ck_assert_str_eq(explain_rule(explain, piece->rule), wanted[i].rule);
        ck_assert_str_eq(explain_by_name(explain, piece->by, by), wanted[i].by);
    }
    explain_life_fini(&life);
}

#define LIFE_IS(explain, name, birth_ps, ...)                                                      \
    life_is((explain), (name), (birth_ps), (const struct wanted[]){__VA_ARGS__},                   \
            sizeof((const struct wanted[]){__VA_ARGS__}) / sizeof(struct wanted))

/* Two launches on one SM that holds one block; the second is behind the first. */
START_TEST(blocks_wait_for_launches_blocks_and_the_sm)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 100, EVENT_NV_LAUNCH, RULE_NONE, 0, 0x100, 0);
    LOG_ADD(log, 120, EVENT_NV_LAUNCH, RULE_NONE, 0, 0x200, 0);
    LOG_ADD(log, 200, EVENT_GRID_QUEUE, RULE_NONE, 5, 0, 2, 32, 0, 8, 0, 0x100);
    LOG_ADD(log, 200, EVENT_GRID_START, RULE_NONE, 5, 0);
    LOG_ADD(log, 200, EVENT_BLOCK_START, RULE_T_R1, 5, 0, 0, 0);
    LOG_ADD(log, 220, EVENT_GRID_QUEUE, RULE_NONE, 6, 0, 1, 32, 0, 8, 0, 0x200);
    LOG_ADD(log, 300, EVENT_BLOCK_END, RULE_NONE, 5, 0, 0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R2, 210, SUBJECT_GRID, 5, SUBJECT_NONE, 0);
    LOG_ADD(log, 300, EVENT_BLOCK_START, RULE_T_R1, 5, 1, 0, 0);
    LOG_ADD(log, 300, EVENT_GRID_DISPATCHED, RULE_T_G3, 5, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_X1, 220, SUBJECT_GRID, 6, SUBJECT_NONE, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_END, RULE_NONE, 5, 1, 0, 0);
    LOG_ADD(log, 400, EVENT_GRID_END, RULE_NONE, 5, 0, 200, 200);
    LOG_ADD(log, 400, EVENT_WAIT, RULE_T_R2, 310, SUBJECT_GRID, 6, SUBJECT_NONE, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_START, RULE_T_R1, 6, 0, 0, 0);
    LOG_ADD(log, 400, EVENT_GRID_DISPATCHED, RULE_T_G3, 6, 0);
    LOG_ADD(log, 450, EVENT_BLOCK_END, RULE_NONE, 6, 0, 0, 0);
    LOG_ADD(log, 450, EVENT_GRID_END, RULE_NONE, 6, 0, 220, 400);
    made_load(&made);
    LIFE_IS(&made.explain, "launch:5", 100, {200, EXPLAIN_START, 0, 0}, {210, EXPLAIN_PLACE, 0, 0},
            {300, EXPLAIN_WAIT, "T.R2", "block:5.0"}, {400, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "launch:6", 120, {220, EXPLAIN_START, 0, 0},
            {300, EXPLAIN_WAIT, "T.X1", "launch:5"}, {310, EXPLAIN_PLACE, 0, 0},
            {400, EXPLAIN_WAIT, "T.R2", "block:5.1"}, {450, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:5.0", 200, {300, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:5.1", 200, {210, EXPLAIN_PLACE, 0, 0},
            {300, EXPLAIN_WAIT, "T.R2", "block:5.0"}, {400, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:6.0", 220, {300, EXPLAIN_WAIT, "T.X1", "launch:5"},
            {310, EXPLAIN_PLACE, 0, 0}, {400, EXPLAIN_WAIT, "T.R2", "block:5.1"},
            {450, EXPLAIN_EXECUTE, 0, 0});
    made_end(&made);
}
END_TEST

/* One entry: rung, pending behind another channel, scanned for, loaded, read, worked on. */
static void one_entry(struct log_fixture *log, uint64_t channel, uint64_t at)
{
    LOG_ADD(log, at, EVENT_NV_DOORBELL, RULE_NONE, channel, 1);
    LOG_ADD(log, at + 30, EVENT_WAIT, RULE_NONE, at + 10, SUBJECT_CHANNEL, channel, SUBJECT_NONE,
            0);
    LOG_ADD(log, at + 30, EVENT_NV_TSG_START, RULE_NONE, 0, 32 + channel, 1000);
    LOG_ADD(log, at + 40, EVENT_NV_CHANNEL_LOAD, RULE_NONE, channel, 0, 0, 0, 1);
    LOG_ADD(log, at + 60, EVENT_NV_GP_FETCH, RULE_T_C2, channel, 0, 0, 0x1000, 8, 0, 0, 20);
    LOG_ADD(log, at + 75, EVENT_NV_PB_FETCH, RULE_NONE, channel, 0, 0x1000, 8, 15);
    LOG_ADD(log, at + 90, EVENT_NV_SEGMENT_END, RULE_NONE, channel, 0, 0, 4, 0);
}

START_TEST(a_channel_waits_for_the_one_on_its_pbdma)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 3, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    one_entry(log, 3, 100);
    LOG_ADD(log, 195, EVENT_NV_DOORBELL, RULE_NONE, 4, 1);
    LOG_ADD(log, 250, EVENT_NV_CHANNEL_SAVE, RULE_NONE, 3, 0, 0, 1, 1);
    LOG_ADD(log, 250, EVENT_NV_TSG_END, RULE_NONE, 0, 35, 120);
    LOG_ADD(log, 270, EVENT_WAIT, RULE_T_X1, 205, SUBJECT_CHANNEL, 4, SUBJECT_NONE, 0);
    LOG_ADD(log, 270, EVENT_NV_TSG_START, RULE_NONE, 0, 36, 1000);
    LOG_ADD(log, 280, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 4, 0, 0, 0, 1);
    LOG_ADD(log, 280, EVENT_NV_CONTEXT_LOAD, RULE_NONE, 0, 36, 4, 100);
    LOG_ADD(log, 400, EVENT_NV_GP_FETCH, RULE_T_C2, 4, 0, 0, 0x1000, 8, 0, 0, 20);
    LOG_ADD(log, 410, EVENT_NV_PB_FETCH, RULE_NONE, 4, 0, 0x1000, 8, 10);
    LOG_ADD(log, 420, EVENT_WAIT, RULE_T_R2, 415, SUBJECT_CHANNEL, 4, SUBJECT_ENGINE, 7);
    LOG_ADD(log, 425, EVENT_NV_PB_FETCH, RULE_NONE, 4, 0, 0x1020, 8, 3);
    LOG_ADD(log, 430, EVENT_NV_SEGMENT_END, RULE_NONE, 4, 0, 0, 4, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "gp:3:0", 100, {110, EXPLAIN_DOORBELL, 0, 0}, {130, EXPLAIN_SCAN, 0, 0},
            {140, EXPLAIN_RAMFC_LOAD, 0, 0}, {160, EXPLAIN_GP_FETCH, 0, 0},
            {175, EXPLAIN_PB_FETCH, 0, 0}, {190, EXPLAIN_METHODS, 0, 0});
    LIFE_IS(&made.explain, "gp:4:0", 195, {205, EXPLAIN_DOORBELL, 0, 0},
            {250, EXPLAIN_WAIT, "T.X1", "channel 3"}, {270, EXPLAIN_SCAN, 0, 0},
            {280, EXPLAIN_RAMFC_LOAD, 0, 0}, {380, EXPLAIN_CONTEXT_LOAD, 0, 0},
            {400, EXPLAIN_GP_FETCH, 0, 0}, {410, EXPLAIN_PB_FETCH, 0, 0},
            {415, EXPLAIN_METHODS, 0, 0}, {420, EXPLAIN_WAIT, "T.R2", "engine 7"},
            {422, EXPLAIN_METHODS, 0, 0}, {425, EXPLAIN_PB_FETCH, 0, 0},
            {430, EXPLAIN_METHODS, 0, 0});
    made_end(&made);
}
END_TEST

/* A submission of two entries: the call, the ring, what is still running behind the last. */
START_TEST(a_submission_lives_until_its_last_work_has_ended)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 10, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 2, 64, 0);
    LOG_ADD(log, 50, EVENT_WAIT, RULE_T_R3, 20, SUBJECT_SUBMISSION, 1, SUBJECT_RING, 0);
    LOG_ADD(log, 60, EVENT_DRIVER_GP_ENTRY, RULE_NONE, 0, 0, 0, 0x1000, 8, 1);
    one_entry(log, 0, 60);
    LOG_ADD(log, 150, EVENT_NV_REPORT, RULE_NONE, 0, 0x9000, 0xc197, 0);
    LOG_ADD(log, 170, EVENT_DRIVER_GP_ENTRY, RULE_NONE, 0, 1, 1, 0x2000, 8, 1);
    LOG_ADD(log, 170, EVENT_NV_DOORBELL, RULE_NONE, 0, 2);
    LOG_ADD(log, 200, EVENT_NV_GP_FETCH, RULE_T_C2, 0, 0, 1, 0x1000, 8, 0, 1, 20);
    LOG_ADD(log, 205, EVENT_NV_PB_FETCH, RULE_NONE, 0, 0, 0x1000, 8, 5);
    LOG_ADD(log, 210, EVENT_WORK_START, RULE_NONE, 9, 0, 0, 0xc197, 0x19d0, 1);
    LOG_ADD(log, 215, EVENT_NV_SEGMENT_END, RULE_NONE, 0, 0, 1, 4, 1);
    LOG_ADD(log, 216, EVENT_CPU_SUBMIT_RETURN, RULE_NONE, 1, 0, 0);
    LOG_ADD(log, 300, EVENT_WORK_END, RULE_NONE, 9, 0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R1, 150, SUBJECT_SEMAPHORE, 0x9000, SUBJECT_ENGINE, 0);
    LOG_ADD(log, 320, EVENT_NV_RELEASE, RULE_NONE, 0, 0x9000, 3, 4, 0xc197, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "submission:1", 10, {20, EXPLAIN_DRIVER_CALL, 0, 0},
            {50, EXPLAIN_WAIT, "T.R3", "the ring of channel 0"}, {60, EXPLAIN_DRIVER_CALL, 0, 0},
            {70, EXPLAIN_DOORBELL, 0, 0}, {90, EXPLAIN_SCAN, 0, 0}, {100, EXPLAIN_RAMFC_LOAD, 0, 0},
            {120, EXPLAIN_GP_FETCH, 0, 0}, {135, EXPLAIN_PB_FETCH, 0, 0},
            {150, EXPLAIN_METHODS, 0, 0}, {170, EXPLAIN_DRIVER_ENTRY, 0, 0},
            {180, EXPLAIN_DOORBELL, 0, 0}, {200, EXPLAIN_GP_FETCH, 0, 0},
            {205, EXPLAIN_PB_FETCH, 0, 0}, {215, EXPLAIN_METHODS, 0, 0},
            {300, EXPLAIN_WAIT, "T.R1", "draw:9"}, {320, EXPLAIN_WRITE, 0, 0});
    LIFE_IS(&made.explain, "gp:0:1", 170, {180, EXPLAIN_DOORBELL, 0, 0},
            {200, EXPLAIN_GP_FETCH, 0, 0}, {205, EXPLAIN_PB_FETCH, 0, 0},
            {215, EXPLAIN_METHODS, 0, 0});
    LIFE_IS(&made.explain, "D1", 210, {300, EXPLAIN_DRAWING, 0, 0});
    LIFE_IS(&made.explain, "semaphore:1", 150, {300, EXPLAIN_WAIT, "T.R1", "draw:9"},
            {320, EXPLAIN_WRITE, 0, 0});
    made_end(&made);
}
END_TEST

START_TEST(an_acquire_waits_for_who_releases)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 100);
    LOG_ADD(log, 190, EVENT_NV_GP_FETCH, RULE_T_C2, 0, 0, 1, 0x1000, 8, 0, 1, 0);
    LOG_ADD(log, 195, EVENT_NV_PB_FETCH, RULE_NONE, 0, 0, 0x1000, 8, 5);
    LOG_ADD(log, 250, EVENT_NV_RELEASE, RULE_NONE, 1, 0x7000, 3, 4, 0xc1b5, 0);
    LOG_ADD(log, 260, EVENT_WAIT, RULE_T_X1, 200, SUBJECT_CHANNEL, 0, SUBJECT_SEMAPHORE, 0x7000);
    LOG_ADD(log, 260, EVENT_NV_ACQUIRE, RULE_NONE, 0, 0x7000, 3, 1);
    LOG_ADD(log, 270, EVENT_WAIT, RULE_T_R2, 265, SUBJECT_CHANNEL, 0, SUBJECT_ENGINE, 0);
    LOG_ADD(log, 280, EVENT_NV_MEM_OP, RULE_NONE, 0, 33, 10, 1);
    LOG_ADD(log, 280, EVENT_NV_RELEASE, RULE_NONE, 0, 0x8000, 4, 4, 0xc06f, 1);
    LOG_ADD(log, 290, EVENT_WAIT_OPEN, RULE_T_R3, 285, SUBJECT_CHANNEL, 0, SUBJECT_SEMAPHORE,
            0x7000);
    made_load(&made);
    LIFE_IS(&made.explain, "semaphore:2", 200, {260, EXPLAIN_WAIT, "T.X1", "semaphore:1"});
    LIFE_IS(&made.explain, "semaphore:3", 265, {270, EXPLAIN_WAIT, "T.R2", "engine 0"},
            {280, EXPLAIN_BARRIER, 0, 0});
    LIFE_IS(&made.explain, "gp:0:1", 190, {195, EXPLAIN_PB_FETCH, 0, 0},
            {200, EXPLAIN_METHODS, 0, 0}, {260, EXPLAIN_WAIT, "T.X1", "semaphore:1"},
            {265, EXPLAIN_METHODS, 0, 0}, {270, EXPLAIN_WAIT, "T.R2", "engine 0"},
            {280, EXPLAIN_BARRIER, 0, 0}, {285, EXPLAIN_METHODS, 0, 0},
            {290, EXPLAIN_WAIT, "T.R3", "a value at 0x7000"});
    made_end(&made);
}
END_TEST

/* Time that nothing in the log explains is not passed over. */
START_TEST(what_the_log_does_not_say_is_unattributed)
{
    struct made made;
    struct log_fixture *log = &made.fixture;
    char *text = NULL;
    size_t bytes;

    log_fixture_begin(log);
    LOG_ADD(log, 10, EVENT_COPY_QUEUE, RULE_NONE, 1, 0, 2, 64, 0, 0, 0);
    LOG_ADD(log, 25, EVENT_WAIT, RULE_T_C2, 18, SUBJECT_COPY, 1, SUBJECT_ENGINE, 2);
    LOG_ADD(log, 25, EVENT_COPY_START, RULE_T_C2, 1, 0, 2, 64);
    LOG_ADD(log, 30, EVENT_COPY_END, RULE_NONE, 1, 0, 2, 64);
    LOG_ADD(log, 40, EVENT_COPY_QUEUE, RULE_NONE, 2, 0, 2, 64, 0, 0, 0);
    LOG_ADD(log, 44, EVENT_COPY_START, RULE_T_C2, 2, 0, 2, 64);
    LOG_ADD(log, 50, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "C1", 10, {18, EXPLAIN_UNATTRIBUTED, 0, 0},
            {25, EXPLAIN_WAIT, "T.C2", "engine 2"}, {30, EXPLAIN_COPYING, 0, 0});
    LIFE_IS(&made.explain, "C2", 40, {44, EXPLAIN_WAIT, "T.C2", "engine 2"},
            {50, EXPLAIN_COPYING, 0, 0});
    FILE *memory = open_memstream(&text, &bytes);
    ck_assert(explain_text_list(
        &(struct explain_print){.file = memory, .explain = &made.explain, .only = EXPLAIN_KINDS}));
    ck_assert_int_eq(fclose(memory), 0);
    ck_assert_ptr_nonnull(strstr(text, "partly unattributed\n"));
    ck_assert_ptr_nonnull(strstr(text, "does not end\n"));
    free(text);
    made_end(&made);
}
END_TEST

START_TEST(a_long_queue_is_cut_short)
{
    enum { LAUNCHES = 100 };
    struct explain_life life = {0};
    struct explain_ref ref;
    struct made made;

    log_fixture_begin(&made.fixture);
    for (uint64_t i = 1; i <= LAUNCHES; i++)
        LOG_ADD(&made.fixture, 10, EVENT_GRID_QUEUE, RULE_NONE, i, 0, 1, 32, 0, 8, 0, 0);
    for (uint64_t i = 1; i <= LAUNCHES; i++) {
        if (i > 1)
            LOG_ADD(&made.fixture, 10 * i, EVENT_WAIT, RULE_T_X1, 10, SUBJECT_GRID, i, SUBJECT_NONE,
                    0);
        LOG_ADD(&made.fixture, 10 * i, EVENT_BLOCK_START, RULE_NONE, i, 0, 0, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_BLOCK_END, RULE_NONE, i, 0, 0, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_GRID_DISPATCHED, RULE_NONE, i, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_GRID_END, RULE_NONE, i, 0, 0, 0);
    }
    made_load(&made);
    all_check(&made.explain, true);
    ck_assert(explain_find(&made.explain, "launch:100", &ref));
    ck_assert(explain_life(&made.explain, ref, &life));
    ck_assert_uint_eq(life.count, EXPLAIN_CROWD_MAX + 2);
    ck_assert_int_eq(life.pieces[EXPLAIN_CROWD_MAX].by.kind, EXPLAIN_BY_OTHERS);
    explain_life_fini(&life);
    made_end(&made);
}
END_TEST

/* ---- names ---------------------------------------------------------------------------------- */

START_TEST(operations_have_names)
{
    static const char *const none[] = {"",
                                       "gp",
                                       "gp:",
                                       "gp:0",
                                       "gp:0:2",
                                       "gp:0:0:0",
                                       "gp:0.2:0",
                                       "gp:0.1",
                                       "launch:",
                                       "launch:7",
                                       "launch:1.0",
                                       "block:1",
                                       "block:1.9",
                                       "block:9.0",
                                       "K2",
                                       "K",
                                       "K0",
                                       "X1",
                                       "draw:1",
                                       "semaphore:",
                                       "nothing:1",
                                       ":1",
                                       "launch:-1",
                                       "launch: 1",
                                       "launch:0x1",
                                       "gp:0:99999999999999999999999",
                                       "launch:18446744073709551616",
                                       "-1"};
    struct made made;
    struct log_fixture *log = &made.fixture;
    struct explain_ref ref;
    char name[EXPLAIN_NAME_BYTES];

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 100);
    LOG_ADD(log, 200, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 300);
    LOG_ADD(log, 400, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_START, RULE_NONE, 1, 0, 3, 0);
    made_load(&made);
    all_check(&made.explain, true);
    ck_assert(explain_find(&made.explain, "gp:0.1:0", &ref));
    ck_assert_uint_eq(made.explain.operations[ref.index].birth_ps, 300);
    ck_assert(explain_find(&made.explain, "K1", &ref));
    ck_assert_str_eq(explain_name(&made.explain, ref, name), "launch:1");
    ck_assert(explain_find(&made.explain, "block:1.0", &ref));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        ck_assert_msg(!explain_find(&made.explain, none[i], &ref), "'%s'", none[i]);
    made_end(&made);
}
END_TEST

/* ---- logs that cannot be --------------------------------------------------------------------- */

static void add_second_start(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
}

static void add_second_submission(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 0, 0, 0);
}

static void add_second_fetch(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, 0, 0);
}

static void add_far_channel(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_DOORBELL, RULE_NONE, EXPLAIN_IDS, 0);
}

static void add_far_entry(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, UINT64_C(1) << 44, 0);
}

static void add_unknown_block(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
}

static void add_unknown_copy(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_COPY_END, RULE_NONE, 1, 0, 0, 0);
}

static void (*const impossible[])(struct log_fixture *) = {
    add_second_start, add_second_submission, add_second_fetch, add_far_channel,
    add_far_entry,    add_unknown_block,     add_unknown_copy};

START_TEST(a_log_that_cannot_be_is_refused_in_one_line)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct explain explain;
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    impossible[_i](&fixture);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_ptr_nonnull(log);
    ck_assert(!explain_load(&explain, log, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "test.gfl: event ") && !strchr(error.text, '\n'), "%s",
                  error.text);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *explain_suite(void)
{
    Suite *suite = suite_create("explain");
    TCase *tcase = tcase_create("recorded");

    tcase_add_loop_test(tcase, everything_in_a_recorded_program_is_attributed, 0, 3);
    tcase_add_loop_test(tcase, recorded_programs_are_explained_as_before, 0, 3);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("random");
    tcase_add_loop_test(tcase, everything_in_a_random_program_is_attributed, 0, 48);
    tcase_add_test(tcase, random_programs_wait_for_many_reasons);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("made by hand");
    tcase_add_test(tcase, blocks_wait_for_launches_blocks_and_the_sm);
    tcase_add_test(tcase, a_channel_waits_for_the_one_on_its_pbdma);
    tcase_add_test(tcase, a_submission_lives_until_its_last_work_has_ended);
    tcase_add_test(tcase, an_acquire_waits_for_who_releases);
    tcase_add_test(tcase, what_the_log_does_not_say_is_unattributed);
    tcase_add_test(tcase, a_long_queue_is_cut_short);
    tcase_add_test(tcase, operations_have_names);
    tcase_add_loop_test(tcase, a_log_that_cannot_be_is_refused_in_one_line, 0,
                        sizeof impossible / sizeof impossible[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
