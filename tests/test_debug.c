/* SPDX-License-Identifier: MIT */
/*
 * A debugger's session goes forward and back over sample traces of both vendors: every position is
 * the same state each time that the run is there, steps of each kind lead back over the same
 * positions, breakpoints are met from both sides, pokes stay where they were made, and looking
 * changes nothing.
 */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"
#include "emu/base/digest.h"
#include "emu/debug/debug_private.h"
#include "tests/check_long.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum { POSITIONS_MAX = 8000, ERROR_BYTES = 500 };

static const char *const traces[] = {"compute.gft", "clear.gft", "rtx2060.gft", "kfd_kernels.gft",
                                     "hip_streams.gft"};
enum { TRACES = sizeof traces / sizeof traces[0] };

static struct replay_input *input;
static struct debug *debug;

static void begin_with(const char *trace, const struct simulation_options *options)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct any_program program = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", trace);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    program.input = input;
    debug = debug_new(&program, options, &error);
    ck_assert_msg(debug != NULL, "%s", error.text);
}

static void begin(const char *trace)
{
    const struct simulation_options options = {0};

    begin_with(trace, &options);
}

static void end(void)
{
    debug_free(debug);
    replay_input_free(input);
}

static struct debug_halt go(bool (*way)(struct debug *debug, const struct debug_goal *goal,
                                        struct debug_halt *halt, struct gfe_error *error),
                            enum debug_goal_kind kind, enum debug_unit unit, uint64_t value)
{
    const struct debug_goal goal = {.kind = kind, .unit = unit, .value = value};
    struct gfe_error error = {0};
    struct debug_halt halt;

    ck_assert_msg(way(debug, &goal, &halt, &error), "%s", error.text);
    return halt;
}

static struct debug_halt step(enum debug_unit unit, uint64_t count)
{
    return go(debug_run, DEBUG_BY_UNIT, unit, count);
}

static struct debug_halt back(enum debug_unit unit, uint64_t count)
{
    return go(debug_run_back, DEBUG_BY_UNIT, unit, count);
}

static void move_to(uint64_t position)
{
    (void)go(debug_goto, DEBUG_TO_POSITION, DEBUG_TICK, position);
    ck_assert_uint_eq(debug_position(debug), position);
}

/* State and log of where it is. */
struct here {
    char state[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];
};

static struct here here_now(void)
{
    struct here here;

    ck_assert(debug_hash(debug, here.state));
    check_machine_log_hash(debug->machine, here.log);
    return here;
}

static void same(const struct here *found, const struct here *wanted)
{
    ck_assert_msg(strcmp(found->state, wanted->state) == 0, "at %" PRIu64 ": another state",
                  debug_position(debug));
    ck_assert_msg(strcmp(found->log, wanted->log) == 0, "at %" PRIu64 ": another log",
                  debug_position(debug));
}

/* ---- forward and back ------------------------------------------------------------------------ */

/* Takes hashes of every 40th position, or of all with GFE_LONG=1, each time that the run is there:
 * they take most of the time. */
/* PROMISE (debug): `gfe debug`: every position has one hash of state and log, reached forward,
 * back or from anywhere. */
START_TEST(every_position_is_the_same_state_forward_and_back)
{
    struct here *at = calloc(POSITIONS_MAX, sizeof *at);
    const uint32_t stride = check_long(1, 40);
    uint64_t count;

    begin(traces[_i]);
    at[0] = here_now();
    while (step(DEBUG_TICK, 1).why == DEBUG_DONE) {
        ck_assert_uint_lt(debug_position(debug), POSITIONS_MAX);
        if (debug_position(debug) % stride == 0)
            at[debug_position(debug)] = here_now();
    }
    ck_assert(debug_at_end(debug));
    count = debug_position(debug);
    ck_assert_uint_gt(count, 200);
    while (debug_position(debug) > 0) {
        if (debug_position(debug) % stride == 0) {
            const struct here now = here_now();

            same(&now, &at[debug_position(debug)]);
        }
        ck_assert_int_eq(back(DEBUG_TICK, 1).why, DEBUG_DONE);
    }
    ck_assert_int_eq(back(DEBUG_TICK, 1).why, DEBUG_AT_START);
    for (uint64_t i = 0; i < check_long(200, 10); i++) { /* from everywhere to everywhere */
        struct here now;

        move_to(i * 7919 % (count / stride + 1) * stride);
        now = here_now();
        same(&now, &at[debug_position(debug)]);
    }
    free(at);
    end();
}
END_TEST

/* PBDMAs work in other batches here; nothing that the log says may depend on it. */
/* PROMISE (debug): The log of a debugged run is that of a plain run. */
START_TEST(the_log_is_that_of_a_plain_run)
{
    const struct simulation_options options = {0};
    struct any_program program = {0};
    struct any_simulation plain;
    struct gfe_error error = {0};
    char wanted[DIGEST_HEX_BYTES], found[DIGEST_HEX_BYTES];

    begin(traces[_i]);
    program.input = input;
    ck_assert(any_simulation_new(&program, &options, &plain, &error));
    ck_assert(any_simulation_run(&plain, GFE_PS_NEVER, &error));
    ck_assert_int_eq(go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0).why, DEBUG_AT_END);
    check_machine_log_hash(plain.machine, wanted);
    check_machine_log_hash(debug->machine, found);
    ck_assert_str_eq(found, wanted);
    any_simulation_free(&plain);
    end();
}
END_TEST

/* Forward by a unit to the end, then back: the same places.  In a trace of many only the last. */
static uint32_t there_and_back(enum debug_unit unit)
{
    enum { BACK_MAX = 60 };
    static uint64_t places[POSITIONS_MAX];
    uint32_t count = 0, passed = 0, all;

    move_to(0);
    while (step(unit, 1).why == DEBUG_DONE)
        places[count++] = debug_position(debug);
    ck_assert(debug_at_end(debug));
    all = count;
    count -= count > 0 && places[count - 1] == debug_position(debug); /* that is where it is */
    for (uint32_t i = count; i-- > 0 && passed++ < BACK_MAX;) {
        ck_assert_int_eq(back(unit, 1).why, DEBUG_DONE);
        ck_assert_uint_eq(debug_position(debug), places[i]);
    }
    if (count == 0)
        return 0;
    (void)go(debug_goto, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_int_eq(back(unit, count).why, DEBUG_DONE); /* at once */
    ck_assert_uint_eq(debug_position(debug), places[0]);
    ck_assert_int_eq(back(unit, 1).why, unit == DEBUG_TICK ? DEBUG_DONE : DEBUG_AT_START);
    ck_assert_uint_eq(debug_position(debug), 0);
    ck_assert_int_eq(step(unit, all).why, DEBUG_DONE);
    ck_assert_uint_eq(debug_position(debug), places[all - 1]);
    return all;
}

START_TEST(steps_of_each_kind_lead_back_over_the_same_places)
{
    begin(traces[_i]);
    for (enum debug_unit unit = 0; unit < DEBUG_UNITS; unit++) {
        const uint32_t count = there_and_back(unit);

        if (unit == DEBUG_METHOD)
            ck_assert_int_eq(count > 50, !debug_is_amd(debug));
        else if (unit != DEBUG_KERNEL)
            ck_assert_msg(count > 1, "%s: %u", debug_unit_name(unit), count);
        else if (strcmp(traces[_i], "compute.gft") == 0)
            ck_assert_uint_eq(count, 4);
    }
    end();
}
END_TEST

/* ---- breakpoints ----------------------------------------------------------------------------- */

static uint32_t add(const char *text, bool is_watch)
{
    struct gfe_error error = {0};
    const uint32_t number = debug_break(debug, text, is_watch, &error);

    ck_assert_msg(number > 0, "%s: %s", text, error.text);
    return number;
}

static const struct stop_row {
    const char *trace, *text;
    bool is_watch;
    uint32_t count;   /* how often it is met */
    const char *says; /* part of what the first says */
} stop_rows[] = {
    {"compute.gft", "event NV_LAUNCH", false, 2, "NV_LAUNCH channel_id=0"},
    {"compute.gft", "event NV_LAUNCH gp_sequence=8", false, 1, "gp_sequence=8"},
    {"compute.gft", "event NV_LAUNCH gp_sequence=9", false, 0, NULL},
    {"compute.gft", "rule NV.SUBCH", false, 1, "[NV.SUBCH]"},
    {"compute.gft", "method SEND_SIGNALING_PCAS_B", false, 2, "02bc SEND_SIGNALING_PCAS_B"},
    {"compute.gft", "method send_signaling_pcas_b", false, 2, "02bc SEND_SIGNALING_PCAS_B"},
    {"compute.gft", "method 0x2bc", false, 2, "02bc"},
    {"compute.gft", "register NV_PFIFO_SCHED_DISABLE", false, 0, NULL},
    {"compute.gft", "NV_PPBDMA_GP_PUT[0]", true, 7, "-> "},
    {"compute.gft", "fault", false, 0, NULL},
    {"kfd_kernels.gft", "event AMD_PACKET is_aql=1", false, UINT32_MAX, "is_aql=1"},
    {"kfd_kernels.gft", "queue 1024", false, UINT32_MAX, "1024"},
    {"kfd_kernels.gft", "1.0.2/CP_HQD_ACTIVE.ACTIVE", true, UINT32_MAX, "0x0 -> 0x1"},
};

/* Each is met at the same places from the front and from behind. */
START_TEST(breakpoints_are_met_from_both_sides)
{
    const struct stop_row *row = &stop_rows[_i];
    static uint64_t places[POSITIONS_MAX];
    struct debug_halt halt;
    uint32_t count = 0, number;

    begin(row->trace);
    number = add(row->text, row->is_watch);
    while ((halt = go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0)).why == DEBUG_STOPPED) {
        ck_assert_uint_eq(halt.stop, number);
        if (count == 0)
            ck_assert_msg(strstr(halt.text, row->says) != NULL, "%s", halt.text);
        places[count++] = debug_position(debug);
    }
    ck_assert_int_eq(halt.why, DEBUG_AT_END);
    if (row->count == UINT32_MAX)
        ck_assert_uint_gt(count, 0);
    else
        ck_assert_uint_eq(count, row->count);
    for (uint32_t i = count; i-- > 0;) {
        halt = go(debug_run_back, DEBUG_TO_END, DEBUG_TICK, 0);
        ck_assert_int_eq(halt.why, DEBUG_STOPPED);
        ck_assert_uint_eq(debug_position(debug), places[i]);
    }
    ck_assert_int_eq(go(debug_run_back, DEBUG_TO_END, DEBUG_TICK, 0).why, DEBUG_AT_START);
    ck_assert(debug_delete(debug, number));
    ck_assert(!debug_delete(debug, number));
    ck_assert_int_eq(go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0).why, DEBUG_AT_END);
    end();
}
END_TEST

/* A release writes there; the next word stays. */
START_TEST(memory_is_watched)
{
    struct debug_halt halt;

    begin("compute.gft");
    add("event NV_RELEASE address=0x100201000", false);
    halt = go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_ptr_nonnull(strstr(halt.text, "address=0x100201000 value=0x1"));
    ck_assert(debug_delete(debug, 0));
    move_to(debug_position(debug) - 1);
    add("1:0x100201000", true);
    halt = go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_str_eq(halt.text, "00000000 -> 00000001");
    ck_assert(debug_delete(debug, 0));
    move_to(debug_position(debug) - 1);
    add("address 1:0x100201000 8", false); /* the event names an address in it */
    halt = go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_ptr_nonnull(strstr(halt.text, "NV_RELEASE"));
    end();
}
END_TEST

static void refused(const char *text, bool is_watch, const char *message)
{
    struct gfe_error error = {0};

    ck_assert_uint_eq(debug_break(debug, text, is_watch, &error), 0);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s: %s", text, error.text);
}

START_TEST(breakpoints_that_are_none_are_refused)
{
    begin("compute.gft");
    refused("event NV_NOTHING", false, "no event of this run is called 'NV_NOTHING'");
    refused("event NV_LAUNCH who=1", false, "NV_LAUNCH has no argument 'who'");
    refused("event NV_LAUNCH channel_id=x", false, "'channel_id=x' is no ARGUMENT=NUMBER");
    refused("rule NV.NOTHING", false, "no rule of this run is called 'NV.NOTHING'");
    refused("channel red", false, "'red' is no number of a channel or queue");
    refused("register NV_NOTHING", false, "no register 'NV_NOTHING'");
    refused("address 5", false, "'5' is no place in memory");
    refused("address vid:0x0 0", false, "1 to 64 bytes are watched");
    refused("address sys:0xffffffffffffff", false, "beyond the end of that memory");
    refused("method", false, "which method?");
    refused("fault 3", false, "nothing follows fault");
    refused("lunch", false, "break is at event, rule, channel");
    refused("7:0x1000", true, "address spaces, from 0");
    refused("1.0.0/CP_HQD_ACTIVE", true, "there are no slots here");
    end();
    begin("kfd_kernels.gft");
    refused("method 0x2bc", false, "methods are NVIDIA's");
    refused("9.9.9/CP_HQD_ACTIVE", true, "before a register's name stands");
    end();
}
END_TEST

/* ---- changing -------------------------------------------------------------------------------- */

static void poke(const char *text)
{
    struct gfe_error error = {0};

    ck_assert_msg(debug_poke(debug, text, &error), "%s: %s", text, error.text);
}

START_TEST(pokes_stay_where_they_were_made)
{
    struct here plain, poked, ended, now;

    begin("compute.gft");
    move_to(1500);
    plain = here_now();
    move_to(2100);
    now = here_now();
    move_to(1500);
    poke("NV_PFIFO_SCHED_DISABLE=1");
    poke("memory vid:0x100 = 0x12345678");
    poked = here_now();
    ck_assert_str_ne(poked.state, plain.state);
    (void)go(debug_goto, DEBUG_TO_END, DEBUG_TICK, 0);
    ended = here_now();
    move_to(1499);
    move_to(1500);
    now = here_now();
    same(&now, &poked);
    move_to(0);
    (void)go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0);
    now = here_now();
    same(&now, &ended);
    end();
}
END_TEST

static void poke_refused(const char *text, const char *message)
{
    struct gfe_error error = {0};
    const struct here before = here_now();
    struct here now;

    ck_assert(!debug_poke(debug, text, &error));
    ck_assert_msg(strstr(error.text, message) != NULL, "%s: %s", text, error.text);
    now = here_now();
    same(&now, &before);
}

START_TEST(pokes_that_are_none_are_refused)
{
    begin("compute.gft");
    poke_refused("NV_PFIFO_SCHED_DISABLE=1", "the run has not begun");
    move_to(50);
    poke_refused("NV_NOTHING=1", "no register 'NV_NOTHING'");
    poke_refused("memory vid:0x100", "memory PLACE = VALUE is needed");
    poke_refused("memory vid:0x100 = x", "'x' is no number of 32 bits");
    poke_refused("preempt_tsg red", "not a number");
    (void)go(debug_goto, DEBUG_TO_END, DEBUG_TICK, 0);
    poke_refused("NV_PFIFO_SCHED_DISABLE=1", "the run has ended");
    end();
}
END_TEST

/* ---- looking --------------------------------------------------------------------------------- */

static void look(FILE *file)
{
    struct gfe_error error = {0};
    const bool is_amd = debug_is_amd(debug);
    struct debug_row rows[10];
    uint32_t count;

    ck_assert_msg(debug_where(debug, 5, file, &error), "%s", error.text);
    ck_assert_msg(debug_events(debug, 20, file, &error), "%s", error.text);
    ck_assert_msg(debug_why_waits(debug, file, &error), "%s", error.text);
    ck_assert_msg(debug_who(debug, file, &error), "%s", error.text);
    ck_assert_msg(debug_explain(debug, "", file, &error), "%s", error.text);
    ck_assert_msg(debug_around(debug, 5, 5, rows, &count, &error), "%s", error.text);
    ck_assert_msg(
        debug_chart(debug, &(struct debug_chart){.columns = 100, .ascii = true}, file, &error),
        "%s", error.text);
    ck_assert_msg(debug_last_rule(debug, file, &error), "%s", error.text);
    ck_assert_msg(
        debug_print(debug, is_amd ? "1.0.2/CP_HQD_ACTIVE" : "NV_PPBDMA_PB_CRC[0]", file, &error),
        "%s", error.text);
    ck_assert_msg(debug_dump(debug, "vid:0x1000 8", file, &error), "%s", error.text);
    ck_assert_msg(debug_view(debug, is_amd ? "hqds" : "channels", file, &error), "%s", error.text);
    ck_assert_msg(debug_view(debug, is_amd ? "mqds" : "regs nv_pbdma", file, &error), "%s",
                  error.text);
}

/* PROMISE (debug): Looking at a run changes nothing. */
START_TEST(looking_changes_nothing)
{
    FILE *nowhere = fopen("/dev/null", "we");
    const uint64_t places = check_long_or(10, 10, 4);
    uint64_t stride;

    ck_assert_ptr_nonnull(nowhere);
    begin(traces[_i]);
    (void)go(debug_goto, DEBUG_TO_END, DEBUG_TICK, 0);
    stride = debug_position(debug) / (places - 1);
    for (uint64_t at = 0; at < places; at++) {
        struct here before, now;

        move_to(at * stride);
        before = here_now();
        look(nowhere);
        now = here_now();
        same(&now, &before);
    }
    (void)fclose(nowhere);
    end();
}
END_TEST

/* The events before and behind a place are those that a step back or on shows. */
START_TEST(events_around_are_what_was_and_what_comes)
{
    struct gfe_error error = {0};
    struct debug_row here[5], later[3];
    char unit[100];
    uint32_t count;

    begin("compute.gft");
    (void)go(debug_run, DEBUG_TO_EVENT, DEBUG_TICK, 100);
    ck_assert_msg(debug_around(debug, 2, 3, here, &count, &error), "%s", error.text);
    ck_assert_uint_eq(count, 5);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(here[i].number, debug_event_count(debug) - 1 + i);
    (void)step(DEBUG_EVENT, 1);
    ck_assert_msg(debug_around(debug, 3, 0, later, &count, &error), "%s", error.text);
    ck_assert_uint_eq(count, 3);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = later[i].number - here[0].number;

        ck_assert_uint_lt(at, 5);
        ck_assert_str_eq(later[i].text, here[at].text);
        ck_assert_uint_eq(later[i].unit, here[at].unit);
    }
    ck_assert_uint_eq(later[2].unit, debug_unit_of_last(debug));
    if (later[2].unit != UINT32_MAX) {
        debug_register_unit(debug, later[2].unit, unit, sizeof unit);
        ck_assert_msg(strncmp(strchr(later[2].text, ' ') + 1, unit, strcspn(unit, "[")) == 0,
                      "%s: %s", later[2].text, unit);
    }
    (void)go(debug_goto, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_msg(debug_around(debug, 1, 2, later, &count, &error), "%s", error.text);
    ck_assert_uint_eq(count, 1);
    end();
}
END_TEST

static char *chart(gfe_ps span_ps)
{
    struct gfe_error error = {0};
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    ck_assert_msg(debug_chart(debug, &(struct debug_chart){80, true, span_ps}, file, &error), "%s",
                  error.text);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

/* A kernel that runs is in its engine's row from its start on, and one that has not begun is not.
 */
START_TEST(the_chart_ends_at_the_present)
{
    char *text;

    begin("compute.gft");
    text = chart(0);
    ck_assert_str_eq(text, ""); /* nothing has happened */
    free(text);
    (void)step(DEBUG_KERNEL, 1);
    text = chart(1000000);
    ck_assert_ptr_nonnull(strstr(text, "GR0 "));
    ck_assert_ptr_nonnull(strstr(text, "channel 0 "));
    ck_assert_ptr_null(strstr(text, "What"));
    free(text);
    (void)go(debug_run_back, DEBUG_BY_UNIT, DEBUG_EVENT, 3);
    text = chart(1000000);
    ck_assert_ptr_null(strstr(text, "K1"));
    free(text);
    end();
}
END_TEST

START_TEST(units_with_registers_have_names)
{
    struct gfe_error error = {0};
    char name[100], words[120];
    FILE *nowhere = fopen("/dev/null", "we");

    ck_assert_ptr_nonnull(nowhere);
    begin(_i ? "kfd_kernels.gft" : "compute.gft");
    move_to(100);
    ck_assert_uint_gt(debug_register_units(debug), 5);
    for (uint32_t i = 0; i < debug_register_units(debug); i++) {
        debug_register_unit(debug, i, name, sizeof name);
        (void)snprintf(words, sizeof words, "regs %s", name);
        ck_assert_msg(debug_view(debug, words, nowhere, &error), "%s: %s", name, error.text);
    }
    (void)fclose(nowhere);
    end();
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

static bool asked(void *context)
{
    uint32_t *left = context;

    return (*left)-- == 0;
}

START_TEST(a_run_is_interrupted_and_goes_on)
{
    uint32_t left = 3;
    uint64_t at;

    begin("compute.gft");
    debug_on_interrupt(debug, asked, &left);
    ck_assert_int_eq(go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0).why, DEBUG_INTERRUPTED);
    at = debug_position(debug);
    ck_assert_uint_gt(at, 0);
    ck_assert(!debug_at_end(debug));
    ck_assert_int_eq(go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0).why, DEBUG_AT_END);
    ck_assert_uint_gt(debug_position(debug), at);
    end();
}
END_TEST

/* Beyond a bound there is no step; the run stands in front of it, and can go back. */
START_TEST(a_run_that_cannot_go_on_says_so)
{
    const struct simulation_options options = {.max_events = 300};
    struct debug_halt halt;
    struct here before, now;

    begin_with("compute.gft", &options);
    halt = go(debug_run, DEBUG_TO_END, DEBUG_TICK, 0);
    ck_assert_int_eq(halt.why, DEBUG_FAILED);
    ck_assert_ptr_nonnull(strstr(halt.text, "--max-events"));
    ck_assert_uint_eq(debug_position(debug), 300);
    before = here_now();
    ck_assert_int_eq(step(DEBUG_TICK, 1).why, DEBUG_FAILED);
    now = here_now();
    same(&now, &before);
    ck_assert_int_eq(back(DEBUG_TICK, 10).why, DEBUG_DONE);
    ck_assert_int_eq(step(DEBUG_TICK, 10).why, DEBUG_DONE);
    now = here_now();
    same(&now, &before);
    end();
}
END_TEST

/* The way back is gone again from a mark, so it needs memory.  Where the machine gets no page, the
 * session says so, and does not stand elsewhere as if it had come back. */
START_TEST(a_way_back_without_memory_is_refused)
{
    static const struct debug_goal goals[] = {{DEBUG_BY_UNIT, DEBUG_EVENT, 2},
                                              {DEBUG_BY_UNIT, DEBUG_TICK, 10},
                                              {DEBUG_TO_END, DEBUG_TICK, 0}};
    uint64_t *limit, pages;

    begin("compute.gft");
    limit = &debug->machine->memory.page_limit;
    pages = *limit;
    add("event NV_LAUNCH", false);
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        struct gfe_error error = {0};
        struct debug_halt halt;
        struct here before, now;

        debug_forget_marks(debug, 0);
        move_to(250);
        before = here_now();
        debug_forget_marks(debug, 0);
        *limit = 0;
        ck_assert(!debug_run_back(debug, &goals[i], &halt, &error));
        ck_assert_ptr_nonnull(strstr(error.text, "--max-memory"));
        *limit = pages;
        move_to(0);
        move_to(250);
        now = here_now();
        same(&now, &before);
    }
    end();
}
END_TEST

Suite *debug_suite(void)
{
    Suite *suite = suite_create("debug");
    TCase *cases = tcase_create("sessions");

    tcase_set_timeout(cases, 600);
    tcase_add_loop_test(cases, every_position_is_the_same_state_forward_and_back, 0, TRACES);
    tcase_add_loop_test(cases, the_log_is_that_of_a_plain_run, 0, TRACES);
    tcase_add_loop_test(cases, steps_of_each_kind_lead_back_over_the_same_places, 0, TRACES);
    tcase_add_loop_test(cases, breakpoints_are_met_from_both_sides, 0,
                        sizeof stop_rows / sizeof stop_rows[0]);
    tcase_add_test(cases, memory_is_watched);
    tcase_add_test(cases, breakpoints_that_are_none_are_refused);
    tcase_add_test(cases, pokes_stay_where_they_were_made);
    tcase_add_test(cases, pokes_that_are_none_are_refused);
    tcase_add_loop_test(cases, looking_changes_nothing, 0, TRACES);
    tcase_add_test(cases, events_around_are_what_was_and_what_comes);
    tcase_add_test(cases, the_chart_ends_at_the_present);
    tcase_add_loop_test(cases, units_with_registers_have_names, 0, 2);
    tcase_add_test(cases, a_run_is_interrupted_and_goes_on);
    tcase_add_test(cases, a_run_that_cannot_go_on_says_so);
    tcase_add_test(cases, a_way_back_without_memory_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}
