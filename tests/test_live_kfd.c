/* SPDX-License-Identifier: MIT */
/* A GPU below a program that runs: here the program is this test, with one queue in memory of its
 * own. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/live/live_kfd.h"
#include "emu/sim/live_tables.h"
#include "emu/faults/live_outcome.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum { PAGE = 4096, RING = 0, QUEUE = PAGE, SIGNALS = 2 * PAGE, MAILBOX = 3 * PAGE, PAGES = 5 };
enum { RING_BYTES = 64 * 64, WRITE_INDEX = 0x38, READ_INDEX = 0x80, EVENT = 7 };
enum { PROPERTIES = 0xb4, START_TS = 32, END_TS = 40 };
enum { BARRIER_AND = 3, HEADER_BARRIER = 1 << 8, COMPLETION = 56, DEPENDENCY = 8 };
#define BASE  UINT64_C(0x100000)
#define STEP  (100 * GFE_PS_PER_US)
#define NEVER ((int64_t)1)

static uint8_t memory[PAGES * PAGE];
static struct live_kfd *live;
static gfe_ps now_ps;
static uint32_t fired, fired_id, excepted;
static struct live_exception exception;

static bool program_read(void *program, uint64_t va, void *data, size_t bytes)
{
    (void)program;
    if (va < BASE || va - BASE > sizeof memory || bytes > sizeof memory - (va - BASE))
        return false;
    memcpy(data, memory + (va - BASE), bytes);
    return true;
}

static bool program_write(void *program, uint64_t va, const void *data, size_t bytes)
{
    (void)program;
    if (va < BASE || va - BASE > sizeof memory || bytes > sizeof memory - (va - BASE))
        return false;
    memcpy(memory + (va - BASE), data, bytes);
    return true;
}

static void program_kernel(void *program, uint64_t kernel, uint64_t arguments)
{
    (void)program, (void)kernel, (void)arguments;
}

static void program_event(void *program, uint32_t event_id)
{
    (void)program;
    fired++;
    fired_id = event_id;
}

static uint32_t program_exception(void *program, const struct live_exception *told)
{
    (void)program;
    excepted++;
    exception = *told;
    return 2;
}

static const struct live_program program = {program_read,  program_write,     program_kernel,
                                            program_event, program_exception, NULL};

static void put64(uint64_t at, uint64_t value)
{
    memcpy(memory + at, &value, sizeof value);
}

static uint64_t get64(uint64_t at)
{
    uint64_t value;

    memcpy(&value, memory + at, sizeof value);
    return value;
}

/* ---- what a program does ----------------------------------------------------------------------
 */

static void begin_with(const char *fault, const struct simulation_setting *choice,
                       struct chunk_writer *log)
{
    const struct simulation_options options = {
        .choices = choice, .choice_count = choice != NULL, .log = log};
    struct gfe_error error = {0};

    memset(memory, 0, sizeof memory);
    fired = excepted = 0;
    now_ps = 1000 * GFE_PS_PER_US;
    live = live_kfd_new("radeon-vii", &options, &fault, fault != NULL, &program, &error);
    ck_assert_msg(live != NULL, "%s", error.text);
    for (uint64_t i = 0; i < RING_BYTES / 64; i++)
        memory[RING + 64 * i] = 1; /* invalid */
}

static int map_pages(uint64_t page, uint64_t count)
{
    struct trace_record record = {.head.kind = TRACE_AS_MAP};

    record.as_map.va = BASE + page * PAGE;
    record.as_map.size_bytes = count * PAGE;
    record.as_map.aperture = TRACE_APERTURE_SYSMEM;
    return live_kfd_do(live, now_ps += STEP, &record);
}

static int queue_make(uint32_t queue_id)
{
    struct trace_record record = {.head.kind = TRACE_QUEUE};
    int result;

    record.queue.queue_id = queue_id;
    record.queue.what = TRACE_QUEUE_AQL;
    record.queue.ring_address = BASE + RING;
    record.queue.ring_bytes = RING_BYTES;
    record.queue.read_address = BASE + QUEUE + READ_INDEX;
    record.queue.write_address = BASE + QUEUE + WRITE_INDEX;
    record.queue.percentage = 100;
    record.queue.priority = 7;
    result = live_kfd_do(live, now_ps += STEP, &record);
    now_ps += live->base.takes_ps;
    return result;
}

static int queue_update(uint32_t percentage)
{
    struct trace_record record = {.head.kind = TRACE_QUEUE_UPDATE};
    int result;

    record.queue_update.queue_id = 5;
    record.queue_update.ring_address = BASE + RING;
    record.queue_update.ring_bytes = RING_BYTES;
    record.queue_update.percentage = percentage;
    record.queue_update.priority = 7;
    result = live_kfd_do(live, now_ps += STEP, &record);
    now_ps += live->base.takes_ps;
    return result;
}

static uint64_t signal_at(unsigned n)
{
    return SIGNALS + 64 * (uint64_t)n;
}

/* A barrier packet that waits for one signal (UINT_MAX: for none) and completes another. */
static void put_barrier(uint64_t index, unsigned waits_for, unsigned completes)
{
    const uint64_t at = RING + 64 * index;
    const uint16_t header = BARRIER_AND | HEADER_BARRIER;

    put64(at + DEPENDENCY, waits_for == UINT32_MAX ? 0 : BASE + signal_at(waits_for));
    put64(at + COMPLETION, BASE + signal_at(completes));
    put64(signal_at(completes) + 8, 1);
    memcpy(memory + at, &header, sizeof header);
    put64(QUEUE + WRITE_INDEX, index + 1);
}

static void ring(uint64_t value)
{
    struct trace_record record = {.head.kind = TRACE_DOORBELL};

    record.doorbell.channel_id = 5;
    record.doorbell.value = value;
    ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), 0);
}

/* Some milliseconds, step by step, as the recorder's thread looks. */
static void pass(void)
{
    struct gfe_error error = {0};
    gfe_ps next_ps;
    bool waits;

    for (int i = 0; i < 50; i++)
        ck_assert_msg(live_kfd_run(live, now_ps += STEP, &next_ps, &waits, &error), "%s",
                      error.text);
}

static void begin(const char *fault)
{
    begin_with(fault, NULL, NULL);
    ck_assert_int_eq(map_pages(0, 4), 0);
    ck_assert_int_eq(queue_make(5), 0);
    pass(); /* a queue that gets its slot has its write index read: not only doorbells count */
}

static void end(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(live_kfd_end(live, now_ps += STEP, &error), "%s", error.text);
    live_kfd_free(live);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

START_TEST(a_packet_completes_in_the_programs_memory)
{
    begin(NULL);
    put_barrier(0, UINT32_MAX, 0);
    put64(signal_at(0) + 16, BASE + MAILBOX);
    put64(signal_at(0) + 24, EVENT);
    ring(0);
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1); /* not at once */
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    ck_assert_uint_eq(get64(QUEUE + READ_INDEX), 1);
    ck_assert_uint_eq(get64(MAILBOX), EVENT);
    ck_assert_uint_eq(fired, 1);
    ck_assert_uint_eq(fired_id, EVENT);
    end();
}
END_TEST

/* Not before its time: a doorbell, a packet and its end take microseconds. */
/* PROMISE (live): The model of the GPU decides when a packet of a live program is complete. */
START_TEST(it_is_the_model_that_says_when)
{
    struct gfe_error error = {0};
    gfe_ps next_ps = 0, rung_ps;
    bool waits;

    begin(NULL);
    pass();
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    rung_ps = now_ps;
    ck_assert(live_kfd_run(live, rung_ps + 1000, &next_ps, &waits, &error));
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1);
    ck_assert_uint_gt(next_ps, rung_ps);
    ck_assert_uint_lt(next_ps, rung_ps + STEP);
    now_ps = rung_ps;
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    end();
}
END_TEST

/* Time stamps are the counter's that the program can read: what it asks for afterwards is later
 * than what it has read, and what is done is not later than what it reads then. */
START_TEST(time_stamps_are_the_counters)
{
    const uint32_t profiling = 1 << 3;
    uint64_t counter, last = 0;

    begin(NULL);
    memcpy(memory + QUEUE + PROPERTIES, &profiling, sizeof profiling);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_int_eq(queue_update(50 + i), 0); /* takes its time */
        counter = live_kfd_clock(live, now_ps);
        ck_assert_uint_ge(counter, last);
        put_barrier(i, UINT32_MAX, i);
        ring(i);
        pass();
        ck_assert_uint_eq(get64(signal_at(i) + 8), 0);
        ck_assert_uint_ge(get64(signal_at(i) + START_TS), counter);
        ck_assert_uint_ge(get64(signal_at(i) + END_TS), get64(signal_at(i) + START_TS));
        last = live_kfd_clock(live, now_ps);
        ck_assert_uint_le(get64(signal_at(i) + END_TS), last);
    }
    /* Nobody had to run ahead: 25 MHz since the start of the recording. */
    ck_assert_uint_eq(last, now_ps / 40000);
    end();
}
END_TEST

/* The call that finds the firmware silent would take 9 seconds. */
START_TEST(a_call_takes_its_time_but_not_for_ever)
{
    uint32_t count = 0;

    begin("doorbell:1 drop=all @#9");
    ck_assert_int_eq(queue_update(50), 0);
    ck_assert_uint_gt(live->base.takes_ps, GFE_PS_PER_US);
    ck_assert_uint_lt(live->base.takes_ps, LIVE_TAKES_MAX_PS);
    ck_assert_uint_eq(live->base.ahead_ps, 0);
    while (count < 100 && queue_make(10 + count) == 0)
        count++;
    ck_assert_uint_lt(count, 100);
    ck_assert_uint_eq(live->base.takes_ps, LIVE_TAKES_MAX_PS);
    ck_assert_uint_gt(live->base.ahead_ps, GFE_PS_PER_S);
    ck_assert_uint_ge(live_kfd_clock(live, now_ps), (now_ps + live->base.ahead_ps) / 40000);
    end();
}
END_TEST

START_TEST(stores_of_the_program_let_packets_go)
{
    begin(NULL);
    put64(signal_at(1) + 8, NEVER);
    put_barrier(0, 1, 0);
    ring(0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1);
    put64(signal_at(1) + 8, 0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    end();
}
END_TEST

START_TEST(a_packet_that_is_written_late_is_seen)
{
    begin(NULL);
    ring(0);
    pass();
    put_barrier(0, UINT32_MAX, 0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    end();
}
END_TEST

START_TEST(a_lost_doorbell_is_made_good_by_the_next)
{
    begin("doorbell:1024 drop");
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1);
    put_barrier(1, UINT32_MAX, 1);
    ring(1);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    ck_assert_uint_eq(get64(signal_at(1) + 8), 0);
    end();
}
END_TEST

/* PROMISE (live): Memory that is not in the page tables is a page fault of the live program. */
START_TEST(memory_that_is_not_in_the_page_tables_is_a_fault)
{
    begin_with("map drop @#2", NULL, NULL);
    ck_assert_int_eq(map_pages(0, 2), 0);
    ck_assert_int_eq(map_pages(2, 2), 0); /* signals: the driver believes that it is done */
    ck_assert_int_eq(queue_make(5), 0);
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    pass();
    ck_assert_uint_eq(excepted, 1);
    ck_assert_uint_eq(exception.type, AMDGPU_EVENT_MEMORY);
    ck_assert_uint_eq(exception.address, BASE + SIGNALS);
    ck_assert(exception.not_present);
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1);
    end();
}
END_TEST

/* Each model of the driver's own site: acts, and the queue's signals (the second piece of memory,
 * of two pages) are where page tables do not lead to any more, or still do. */
static const struct {
    const char *fault;
    uint64_t old_value, new_value; /* of the word that changes */
    bool is_lost;
} maps[] = {
    {"map drop @#2", 0, 0, true},
    {"map.va flip=20 @#2", 0, 0, true}, /* elsewhere */
    {"map.va value=0x7000000000 @#2", 0, 0, true},
    {"map.va stuck1=47 @#2", 0, 0, true},           /* no address that page tables have */
    {"map.bytes stuck0=13 @#2", 2 * PAGE, 0, true}, /* nothing of it */
    {"map.bytes stuck0=60 @#2", 0, 0, false},       /* it was so already */
};

START_TEST(page_tables_are_as_the_fault_makes_them)
{
    const struct inject_fault_state *state;

    begin_with(maps[_i].fault, NULL, NULL);
    state = &live->base.inject->state->faults[0];
    ck_assert_int_eq(map_pages(0, 2), 0);
    ck_assert_int_eq(map_pages(2, 2), 0);
    ck_assert_int_eq(queue_make(5), 0);
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    pass();
    ck_assert_msg((state->acted > 0) == maps[_i].is_lost, "%s: acted %llu times", maps[_i].fault,
                  (unsigned long long)state->acted);
    if (maps[_i].old_value != 0)
        ck_assert_msg(state->old_value == maps[_i].old_value &&
                          state->new_value == maps[_i].new_value,
                      "%s: 0x%llx -> 0x%llx", maps[_i].fault, (unsigned long long)state->old_value,
                      (unsigned long long)state->new_value);
    ck_assert_msg(excepted == maps[_i].is_lost, "%s: %u exceptions", maps[_i].fault, excepted);
    ck_assert_uint_eq(get64(signal_at(0) + 8), maps[_i].is_lost);
    end();
}
END_TEST

/* No model of it is without a row. */
/* PROMISE (live): Each fault of the driver's site is tested live. */
START_TEST(each_model_of_the_drivers_site_has_a_row)
{
    struct inject_site rows[INJECT_SITES_MAX];
    const struct inject_sites sites = live_kfd_sites(rows);
    const struct inject_site *map = inject_site(&sites, inject_site_by_name(&sites, "map"));

    for (uint32_t m = 0; m < INJECT_MODELS; m++) {
        bool found = !(map->models & INJECT_BIT(m));

        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
            found |= maps[i].is_lost &&
                     strstr(maps[i].fault, inject_model_name((enum inject_model)m)) != NULL;
        ck_assert_msg(found, "map %s has no row", inject_model_name((enum inject_model)m));
    }
}
END_TEST

/* What the program has given away is no crash of ours. */
START_TEST(memory_that_the_program_has_taken_away_is_a_fault)
{
    begin_with(NULL, NULL, NULL);
    ck_assert_int_eq(map_pages(0, 4), 0);
    ck_assert_int_eq(map_pages(16, 1), 0); /* there is nothing there */
    ck_assert_int_eq(queue_make(5), 0);
    put_barrier(0, UINT32_MAX, 0);
    put64(RING + COMPLETION, BASE + 16 * PAGE);
    ring(0);
    pass();
    ck_assert_uint_eq(excepted, 1);
    ck_assert_uint_eq(exception.address, BASE + 16 * PAGE);
    end();
}
END_TEST

START_TEST(what_is_unmapped_is_gone)
{
    struct trace_record record = {.head.kind = TRACE_AS_UNMAP};

    begin(NULL);
    record.as_unmap.va = BASE;
    ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), 0);
    ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), -EINVAL);
    ck_assert_int_eq(map_pages(0, 4), 0);
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    end();
}
END_TEST

START_TEST(a_lost_interrupt_leaves_the_value)
{
    begin("interrupt drop");
    put_barrier(0, UINT32_MAX, 0);
    put64(signal_at(0) + 16, BASE + MAILBOX);
    put64(signal_at(0) + 24, EVENT);
    ring(0);
    pass();
    ck_assert_uint_eq(get64(signal_at(0) + 8), 0);
    ck_assert_uint_eq(fired, 0);
    end();
}
END_TEST

START_TEST(calls_fail_as_the_drivers_do)
{
    const struct simulation_setting choice = {"kfd.sched_policy", "no_oversubscription"};
    struct trace_record record = {.head.kind = TRACE_QUEUE_END};
    int result = 0;
    uint32_t count = 0;

    begin_with(NULL, &choice, NULL);
    ck_assert_int_eq(map_pages(0, 4), 0);
    while (count < 100 && (result = queue_make(count)) == 0)
        count++;
    ck_assert_int_eq(result, -EPERM);
    ck_assert_uint_eq(count, 24); /* slots that the graphics driver leaves */
    record.queue_end.queue_id = 3;
    ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), 0);
    ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), -EINVAL);
    ck_assert_int_eq(queue_make(100), 0);
    end();
}
END_TEST

START_TEST(a_wrong_fault_is_told)
{
    const struct simulation_options options = {0};
    const char *const wrong[] = {"nothing drop", "doorbell unmap", "map.va flip=64"};
    struct gfe_error error;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error = (struct gfe_error){0};
        ck_assert(live_kfd_new("radeon-vii", &options, &wrong[i], 1, &program, &error) == NULL);
        ck_assert_msg(strstr(error.text, wrong[i]) != NULL, "%s", error.text);
    }
    error = (struct gfe_error){0};
    ck_assert(live_kfd_new("radeon-8", &options, NULL, 0, &program, &error) == NULL);
    ck_assert_str_ne(error.text, "");
}
END_TEST

/* ---- what waits for ever -----------------------------------------------------------------------
 */

/* Events of that kind in the log of a program that has ended. */
static uint32_t count_at_end(uint32_t kind)
{
    struct gfe_error error = {0};
    uint32_t count = 0, all;
    struct log_event *events;

    ck_assert_msg(live_kfd_end(live, now_ps += 1, &error), "%s", error.text);
    events = check_machine_decode(live->machine, &all);
    for (uint32_t i = 0; i < all; i++)
        count += events[i].kind == kind;
    free(events);
    return count;
}

/* A packet that waits for a signal (HSA Platform System Architecture 1.2, s. 2.9.6: until it is 0)
 * that nothing completes.  Behind the program's end comes only what is under way there: nothing, or
 * a doorbell. */
/* PROMISE (live): What waits for ever is told, whether or not other work runs when the program
 * ends. */
START_TEST(what_nobody_lets_go_is_told)
{
    begin(NULL);
    put64(signal_at(3) + 8, 1);
    put_barrier(0, 3, 0);
    ring(0);
    pass();
    if (_i == 1)
        ring(0);
    ck_assert_uint_gt(count_at_end(EVENT_WAIT_OPEN), 0);
    live_kfd_free(live);
}
END_TEST

/* One that is let go by a packet under way would have ended; the program sees none of it. */
START_TEST(what_is_cut_off_is_not_told)
{
    begin(NULL);
    put_barrier(0, UINT32_MAX, 0);
    put_barrier(1, 0, 1);
    ring(1);
    ck_assert_uint_eq(count_at_end(EVENT_WAIT_OPEN), 0);
    ck_assert_uint_eq(get64(signal_at(0) + 8), 1);
    ck_assert_uint_eq(get64(signal_at(1) + 8), 1);
    ck_assert_uint_eq(get64(QUEUE + READ_INDEX), 0);
    live_kfd_free(live);
}
END_TEST

/* It was let go by the program's last store, which the GPU has not looked at yet. */
START_TEST(the_last_store_of_the_program_counts)
{
    begin(NULL);
    put64(signal_at(3) + 8, 1);
    put_barrier(0, 3, 0);
    ring(0);
    pass();
    put64(signal_at(3) + 8, 0);
    ck_assert_uint_eq(count_at_end(EVENT_WAIT_OPEN), 0);
    live_kfd_free(live);
}
END_TEST

/* ---- the log, and what is read out of it -------------------------------------------------------
 */

static uint16_t fails; /* a call of that kind fails: what it names is not there */

static void observe(const char *fault, bool finish, struct live_observation *observation)
{
    char path[] = "/tmp/gfe-live-XXXXXX";
    const int fd = mkstemp(path);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(fd, path, &error);

    ck_assert(writer != NULL);
    begin_with(fault, NULL, writer);
    ck_assert_int_eq(map_pages(0, 2), 0);
    ck_assert_int_eq(map_pages(2, 2), 0);
    ck_assert_int_eq(queue_make(5), 0);
    put_barrier(0, UINT32_MAX, 0);
    ring(0);
    pass();
    if (fails) {
        const struct trace_record record = {.head.kind = fails};

        ck_assert_int_eq(live_kfd_do(live, now_ps += STEP, &record), -EINVAL);
    }
    if (finish) {
        ck_assert(live_kfd_end(live, now_ps, &error));
        ck_assert(chunk_writer_finish(writer, &error));
    }
    live_kfd_free(live);
    chunk_writer_free(writer);
    close(fd);
    *observation = (struct live_observation){0};
    ck_assert_msg(live_observe_log(observation, path, &error), "%s", error.text);
    unlink(path);
}

static const struct live_question one_fault = {.fault_count = 1, .subjects = {"queue"}};

START_TEST(a_log_tells_what_the_fault_did)
{
    struct live_observation golden, faulty;
    struct live_outcome outcome;

    observe(NULL, true, &golden);
    ck_assert_uint_eq(golden.signal_count, 1);
    ck_assert_uint_eq(golden.line_count + golden.exception_count + golden.refused_count, 0);
    /* The process was killed: its log is not complete, but the exception is in it. */
    observe("map drop @#2", false, &faulty);
    ck_assert_uint_eq(faulty.faults[0].acted, 1);
    ck_assert_uint_eq(faulty.faults[0].subject, 1);
    ck_assert_uint_eq(faulty.exception_count, 1);
    ck_assert_uint_ge(faulty.line_count, 10);
    ck_assert_msg(strstr(faulty.lines[0].text, "no-retry page fault") != NULL, "%s",
                  faulty.lines[0].text);
    faulty.was_killed = true;
    faulty.status = 6;
    outcome = live_judge(&golden, &faulty, &(const struct live_question){.fault_count = 1});
    ck_assert_int_eq(outcome.outcome, OUTCOME_DETECTED);
    ck_assert(outcome.was_activated && outcome.other_status);
}
END_TEST

/* A call that fails without a line of the driver's is one that the program sees. */
START_TEST(a_call_that_fails_is_in_the_log)
{
    static const enum trace_kind kinds[] = {TRACE_AS_UNMAP, TRACE_QUEUE_END};
    struct live_observation golden, faulty;
    struct live_outcome outcome;

    fails = 0;
    observe(NULL, true, &golden);
    fails = (uint16_t)kinds[_i];
    observe(NULL, true, &faulty);
    fails = 0;
    ck_assert_uint_eq(golden.refused_count, 0);
    ck_assert_uint_eq(faulty.refused_count, 1);
    ck_assert_int_eq(faulty.refused_errno, EINVAL);
    ck_assert_uint_eq(faulty.line_count, golden.line_count);
    faulty.output = (char *)"other\n";
    faulty.output_bytes = 6;
    faulty.faults[0].acted = 1;
    outcome = live_judge(&golden, &faulty, &one_fault);
    ck_assert_int_eq(outcome.outcome, OUTCOME_DETECTED);
    ck_assert_str_eq(outcome.detected_by, "a call that failed");
}
END_TEST

/* A program that is later than the limit; one whose driver gives up another queue than the fault's.
 */
START_TEST(late_programs_and_other_victims_are_told)
{
    const struct live_question late = {.fault_count = 1, .subjects = {"channel"}, .late_ns = 1000};
    struct live_observation golden = {.took_ns = 500}, faulty = {.took_ns = 1500};
    struct live_outcome outcome;

    faulty.faults[0].acted = 1;
    ck_assert_int_eq(live_judge(&golden, &faulty, &late).outcome, OUTCOME_MASKED);
    faulty.took_ns++;
    ck_assert_int_eq(live_judge(&golden, &faulty, &late).outcome, OUTCOME_SDC_TIMING);
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_MASKED);
    faulty.took_ns = 1000 + UINT64_C(1000000000);
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_MASKED);
    faulty.took_ns++;
    outcome = live_judge(&golden, &faulty, &one_fault);
    ck_assert_int_eq(outcome.outcome, OUTCOME_SDC_TIMING);
    ck_assert(!outcome.classes[OUTCOME_MASKED]);
    faulty.status = 1; /* it says so itself */
    ck_assert(!live_judge(&golden, &faulty, &one_fault).classes[OUTCOME_SDC_TIMING]);

    faulty = (struct live_observation){.took_ns = 500,
                                       .line_count = 1,
                                       .victim_count = 1,
                                       .victims = {outcome_owner("queue", 1025)}};
    faulty.faults[0] = (struct live_fault){.acted = 1, .subject = 1025};
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_DETECTED);
    faulty.victims[faulty.victim_count++] = outcome_owner("queue", 1024);
    outcome = live_judge(&golden, &faulty, &one_fault);
    ck_assert_int_eq(outcome.outcome, OUTCOME_COLLATERAL);
    ck_assert(outcome.classes[OUTCOME_DETECTED]);
    ck_assert_uint_eq(outcome.victim, outcome_owner("queue", 1024));
    ck_assert_int_eq(live_judge(&golden, &faulty, &late).outcome, OUTCOME_DETECTED); /* no queue */
    golden.victims[golden.victim_count++] = outcome_owner("queue", 1024);
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_DETECTED);
}
END_TEST

START_TEST(outcomes_are_told_apart)
{
    struct live_observation golden = {.output = (char *)"same\n", .output_bytes = 5};
    struct live_observation faulty = golden;

    /* What did not act has no other class, whatever differs. */
    faulty.output = (char *)"else\n";
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_NOT_ACTIVATED);
    ck_assert(!live_judge(&golden, &faulty, &one_fault).was_activated);
    ck_assert(!live_judge(&golden, &faulty, &one_fault).classes[OUTCOME_SDC_DATA]);
    faulty.output = golden.output;
    golden.faults[0].acted = faulty.faults[0].acted = 1;
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_MASKED);
    faulty.output = (char *)"else\n";
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_SDC_DATA);
    faulty.refused_count = 1;
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_DETECTED);
    /* One that fails without the fault comes no more, and another has failed. */
    golden.refused_count = faulty.refused_count = golden.refusal_count = faulty.refusal_count = 1;
    golden.refusals[0] = (struct live_refusal){3, ENOENT, 1};
    faulty.refusals[0] = (struct live_refusal){3, ENODEV, 1};
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_DETECTED);
    ck_assert_str_eq(live_judge(&golden, &faulty, &one_fault).detected_by, "a call that failed");
    faulty.refusals[0] = golden.refusals[0];
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_SDC_DATA);
    golden.refused_count = golden.refusal_count = 0;
    faulty = golden;
    faulty.status = 1;
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_DETECTED);
    ck_assert_str_eq(live_judge(&golden, &faulty, &one_fault).detected_by,
                     "the program's exit status");
    faulty = golden;
    faulty.timed_out = faulty.was_killed = true;
    faulty.status = 9;
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_HANG);
    ck_assert(!live_judge(&golden, &faulty, &one_fault).classes[OUTCOME_DETECTED]);
    faulty.line_count = 1;
    ck_assert(live_judge(&golden, &faulty, &one_fault).classes[OUTCOME_DETECTED]);
    ck_assert_int_eq(live_judge(&golden, &faulty, &one_fault).outcome, OUTCOME_HANG);
}
END_TEST

Suite *live_kfd_suite(void)
{
    Suite *suite = suite_create("live_kfd");
    TCase *program_case = tcase_create("program"), *log_case = tcase_create("log");

    tcase_add_test(program_case, a_packet_completes_in_the_programs_memory);
    tcase_add_test(program_case, it_is_the_model_that_says_when);
    tcase_add_test(program_case, time_stamps_are_the_counters);
    tcase_add_test(program_case, a_call_takes_its_time_but_not_for_ever);
    tcase_add_test(program_case, stores_of_the_program_let_packets_go);
    tcase_add_test(program_case, a_packet_that_is_written_late_is_seen);
    tcase_add_test(program_case, a_lost_doorbell_is_made_good_by_the_next);
    tcase_add_test(program_case, memory_that_is_not_in_the_page_tables_is_a_fault);
    tcase_add_loop_test(program_case, page_tables_are_as_the_fault_makes_them, 0,
                        sizeof maps / sizeof maps[0]);
    tcase_add_test(program_case, each_model_of_the_drivers_site_has_a_row);
    tcase_add_test(program_case, memory_that_the_program_has_taken_away_is_a_fault);
    tcase_add_test(program_case, what_is_unmapped_is_gone);
    tcase_add_test(program_case, a_lost_interrupt_leaves_the_value);
    tcase_add_test(program_case, calls_fail_as_the_drivers_do);
    tcase_add_test(program_case, a_wrong_fault_is_told);
    suite_add_tcase(suite, program_case);
    tcase_add_loop_test(log_case, what_nobody_lets_go_is_told, 0, 2);
    tcase_add_test(log_case, what_is_cut_off_is_not_told);
    tcase_add_test(log_case, the_last_store_of_the_program_counts);
    tcase_add_test(log_case, a_log_tells_what_the_fault_did);
    tcase_add_loop_test(log_case, a_call_that_fails_is_in_the_log, 0, 2);
    tcase_add_test(log_case, late_programs_and_other_victims_are_told);
    tcase_add_test(log_case, outcomes_are_told_apart);
    suite_add_tcase(suite, log_case);
    return suite;
}
