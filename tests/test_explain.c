/* SPDX-License-Identifier: MIT */
/*
 * Everything in the logs of recorded programs, and of programs made at random, is explained to the
 * picosecond; how that is printed.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/nvidia/nv_fe.h"
#include "emu/analysis/explain/explain_print.h"
#include "tests/check_explain.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/suites.h"

/* ---- logs ------------------------------------------------------------------------------------ */

struct run {
    struct memory_file file;
    struct event_log_reader *log;
    struct explain explain;
};

/* Opens the log under a name that stands in what is printed; nothing is left of it, whatever
 * happens in the test. */
static struct event_log_reader *open_as(const struct run *run, const char *name)
{
    char folder[] = "/tmp/gfe-explain-XXXXXX", path[128];
    struct gfe_error error = {0};
    struct event_log_reader *log = NULL;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s.gfl", folder, name);
    if (symlink(run->file.path, path) == 0)
        log = event_log_open(path, &error);
    (void)unlink(path);
    (void)rmdir(folder);
    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

/* Runs the program and loads its log, NAME.gfl. */
static void run_begin(struct run *run, const char *name, const struct replay_input *input,
                      const struct simulation_options *with)
{
    struct gfe_error error = {0};
    struct simulation_options options = with ? *with : (struct simulation_options){0};

    run->file = memory_file_new("", 0);
    options.log = chunk_writer_new(run->file.fd, "log", &error);
    struct simulation *simulation = check_simulation_new(input, &options);
    ck_assert_msg(simulation_log_head(simulation, "-", &error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &error) &&
                      simulation_log_end(simulation, &error) &&
                      chunk_writer_finish(options.log, &error),
                  "%s", error.text);
    simulation_free(simulation);
    chunk_writer_free(options.log);
    run->log = open_as(run, name);
    ck_assert_msg(explain_load(&run->explain, run->log, &error), "%s", error.text);
}

static void run_end(struct run *run)
{
    explain_fini(&run->explain);
    event_log_close(run->log);
    memory_file_free(&run->file);
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

/* ---- waits ----------------------------------------------------------------------------------- */

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
    struct event_log_reader *log = event_log_open(run->file.path, &error);
    struct log_event event;
    gfe_ps sum_ps = 0;

    ck_assert_msg(log != NULL, "%s", error.text);
    while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
        if ((event.kind == EVENT_WAIT || event.kind == EVENT_WAIT_OPEN) && event.rule == rule &&
            event_wait_from(event.argument).subject_kind == subject)
            sum_ps += event.time_ps - event_wait_from(event.argument).begin_ps;
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

/* Services that one parameter prices take no longer than it says: no wait hides in them.  One cycle
 * more is the way to the next edge of Host's clock. */
static void services_check(const struct explain *explain)
{
    static const enum explain_what priced[] = {
        EXPLAIN_DOORBELL,     EXPLAIN_SCAN,       EXPLAIN_RAMFC_LOAD, EXPLAIN_CONTEXT_LOAD,
        EXPLAIN_GP_FETCH,     EXPLAIN_START,      EXPLAIN_WRITE,      EXPLAIN_DRIVER_RETURN,
        EXPLAIN_DRIVER_ENTRY, EXPLAIN_DRIVER_CALL};
    const uint64_t host_mhz = 1506;
    struct explain_life life = {0};

    for (uint32_t i = 0; i < explain->operation_count; i++) {
        ck_assert(explain_life(
            explain, (struct explain_ref){(enum explain_kind)explain->operations[i].kind, i},
            &life));
        for (uint32_t p = 0; p < life.count; p++)
            for (size_t w = 0; w < sizeof priced / sizeof priced[0]; w++) {
                const char *parameter = explain_whats[priced[w]].parameters[0];
                const gfe_ps took_ps = life.pieces[p].end_ps - life.pieces[p].begin_ps;
                uint64_t value;
                if (life.pieces[p].what != priced[w])
                    continue;
                ck_assert(event_log_parameter(explain->log, parameter, &value));
                if (strstr(parameter, "_cycles"))
                    value = (value + 1) * 1000000 / host_mhz + 1;
                if (priced[w] == EXPLAIN_CONTEXT_LOAD) {
                    uint64_t kib_ps; /* nothing but class state is saved and loaded */
                    ck_assert(event_log_parameter(explain->log, "nv.gr.load_ps_per_kib", &kib_ps));
                    value += 2 * (NV_FE_IMAGE_BYTES * kib_ps / 1024);
                }
                ck_assert_msg(took_ps <= value, "%s: %llu ps, %llu would do",
                              explain_whats[priced[w]].text, (unsigned long long)took_ps,
                              (unsigned long long)value);
            }
    }
    explain_life_fini(&life);
}

/* ---- recorded programs ----------------------------------------------------------------------- */

static const char *const programs[] = {"clear", "triangle", "compute", "upload"};

/* PROMISE (analysis): Every life of an operation in the recorded programs is made of pieces that
 * touch and add up to the picosecond; no time is unattributed. */
START_TEST(everything_in_a_recorded_program_is_attributed)
{
    struct replay_input *input = recorded(programs[_i]);
    struct run run;

    run_begin(&run, programs[_i], input, NULL);
    ck_assert_uint_gt(run.explain.operation_count, 15);
    check_explain_all(&run.explain, false);
    waits_check(&run);
    services_check(&run.explain);
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

/* ---- programs made at random ----------------------------------------------------------------- */

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

/* PROMISE (analysis): Every life of an operation in random programs with several threads and
 * channels adds up to the picosecond, too. */
START_TEST(everything_in_a_random_program_is_attributed)
{
    struct run run;
    struct replay_input *input = random_run(&run, (uint32_t)_i);

    ck_assert_uint_gt(run.explain.operation_count, 10);
    check_explain_all(&run.explain, false);
    waits_check(&run);
    services_check(&run.explain);
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
                  {EXPLAIN_ENTRY, "B.T1"},          {EXPLAIN_ENTRY, "NV.WFI"},
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

Suite *explain_suite(void)
{
    Suite *suite = suite_create("explain");
    TCase *tcase = tcase_create("recorded");

    tcase_add_loop_test(tcase, everything_in_a_recorded_program_is_attributed, 0, 4);
    tcase_add_loop_test(tcase, recorded_programs_are_explained_as_before, 0, 3);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("random");
    tcase_add_loop_test(tcase, everything_in_a_random_program_is_attributed, 0, 48);
    tcase_add_test(tcase, random_programs_wait_for_many_reasons);
    suite_add_tcase(suite, tcase);
    return suite;
}
