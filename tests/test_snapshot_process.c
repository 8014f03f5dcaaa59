/* SPDX-License-Identifier: MIT */
/*
 * Snapshots across processes: taken at every event of a short replay and at some 200 of a long one,
 * written to a file, restored by another program (tests/snapshot_process.c) whose arena lies at
 * another address, run to the end: the same whole log and the same state.  GFE_TEST_TRACE names
 * another trace to try it with.
 */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/base/digest.h"
#include "tests/check_long.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

/* The other process. */
struct other {
    pid_t pid;
    FILE *to, *from;
};

static struct other other_start(const char *trace, const char *snapshot, const void *arena)
{
    const char *folder = getenv("top_builddir");
    char program[4096], address[32];
    struct other other;
    int to[2], from[2];

    snprintf(program, sizeof program, "%s/tests/snapshot_process", folder ? folder : ".");
    snprintf(address, sizeof address, "%" PRIxPTR, (uintptr_t)arena);
    ck_assert(pipe(to) == 0 && pipe(from) == 0);
    other.pid = fork();
    ck_assert_int_ge(other.pid, 0);
    if (other.pid == 0) {
        if (dup2(to[0], 0) == 0 && dup2(from[1], 1) == 1 && close(to[1]) == 0 &&
            close(from[0]) == 0)
            execl(program, program, trace, snapshot, address, (char *)NULL);
        perror(program);
        _exit(127);
    }
    ck_assert_int_eq(close(to[0]) | close(from[1]), 0);
    other.to = fdopen(to[1], "w");
    other.from = fdopen(from[0], "r");
    ck_assert(other.to && other.from);
    return other;
}

static void other_end(struct other *other)
{
    int status;

    ck_assert_int_eq(fclose(other->to), 0);
    ck_assert_int_eq(waitpid(other->pid, &status, 0), other->pid);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(fclose(other->from), 0);
}

/* What a run ends with. */
struct ends {
    char state[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];
};

static struct ends ends_of(struct machine *machine)
{
    struct ends ends;

    ck_assert(machine_hash(machine, ends.state));
    check_machine_log_hash(machine, ends.log);
    return ends;
}

/* One snapshot makes its way. */
static void go_on_elsewhere(struct other *other, const struct simulation_snapshot *snapshot,
                            const char *path, const struct ends *wanted, const void *arena)
{
    struct gfe_error error = {0};
    struct ends found;
    uintptr_t there;

    ck_assert_msg(simulation_snapshot_save(snapshot, path, &error), "%s", error.text);
    ck_assert_int_eq(fputc('\n', other->to), '\n');
    ck_assert_int_eq(fflush(other->to), 0);
    ck_assert_msg(fscanf(other->from, "%64s %64s %" SCNxPTR, found.state, found.log, &there) == 3,
                  "after event %" PRIu64 ": the other process failed",
                  snapshot->machine->event_count);
    ck_assert_uint_ne(there, (uintptr_t)arena);
    ck_assert_msg(strcmp(found.state, wanted->state) == 0 && strcmp(found.log, wanted->log) == 0,
                  "after event %" PRIu64 ": another end", snapshot->machine->event_count);
}

/* From how many events of a run in turn one is a place to go on from.  The work grows with the
 * square of their number, so long programs are tried at 40 of theirs, or 200 with GFE_LONG=1;
 * SNAPSHOT_STRIDE=1 tries all. */
static uint64_t stride_of(uint64_t event_count)
{
    const char *asked = getenv("SNAPSHOT_STRIDE");
    const uint64_t stride =
        asked ? strtoumax(asked, NULL, 10) : event_count / check_long(200, 40) + 1;

    return stride > 0 ? stride : 1;
}

/* Returns how many events the run has. */
static uint64_t every_event(const char *trace)
{
    char path[] = "/tmp/gfe-test-snapshot-XXXXXX";
    const struct simulation_options options = {0};
    struct any_program program = {0};
    struct gfe_error error = {0};
    struct replay_input *input = replay_load(trace, &error);
    struct any_simulation whole, stepped;
    struct other other;
    struct ends ends;
    bool more = true;
    uint64_t count = 0, stride;

    (void)signal(SIGPIPE, SIG_IGN); /* the other process's end is told by what it does not say */
    ck_assert_msg(input != NULL, "%s", error.text);
    program.input = input;
    ck_assert_int_eq(close(mkstemp(path)), 0);
    ck_assert_msg(any_simulation_new(&program, &options, &whole, &error) &&
                      any_simulation_run(&whole, GFE_PS_NEVER, &error),
                  "%s", error.text);
    ends = ends_of(whole.machine);
    stride = stride_of(machine_event_count(whole.machine));
    ck_assert(any_simulation_new(&program, &options, &stepped, &error));
    other = other_start(trace, path, stepped.machine->arena.base);
    while (more) {
        if (count % stride == 0) {
            struct simulation_snapshot *snapshot = any_simulation_take(&stepped, &error);

            ck_assert_msg(snapshot != NULL, "%s", error.text);
            ck_assert_uint_eq(snapshot->machine->event_count, count);
            go_on_elsewhere(&other, snapshot, path, &ends, stepped.machine->arena.base);
            simulation_snapshot_free(snapshot);
        }
        more = machine_step(stepped.machine);
        count += more;
    }
    ck_assert_uint_eq(count, machine_event_count(whole.machine));
    other_end(&other);
    any_simulation_free(&whole);
    any_simulation_free(&stepped);
    replay_input_free(input);
    ck_assert_int_eq(unlink(path), 0);
    return count;
}

/* PROMISE (engine): A snapshot taken at any event of a recorded program goes on in another
 * process, with its arena elsewhere, to the same log and state hash. */
START_TEST(every_event_of_a_recorded_program_is_a_place_to_go_on_from)
{
    static const char *const programs[] = {"clear", "triangle",    "compute",    "upload",
                                           "vm",    "kfd_kernels", "hip_streams"};
    const char *folder = getenv("top_srcdir"), *named = getenv("GFE_TEST_TRACE");
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", programs[_i]);
    ck_assert_uint_gt(every_event(named ? named : path), 100);
}
END_TEST

#define RELEASE(value)                                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(3) >> 32), (uint32_t)CHECK_TRACE_BUFFER(3),  \
        (value), 0x01100002
#define BIND PB_INC(0, 0, 1), 0xc197 /* PASCAL_B: 3D */
#define ACQUIRE(value)                                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(3) >> 32), (uint32_t)CHECK_TRACE_BUFFER(3),  \
        (value), 0x00000001

/* Two threads and two channels that wait for each other, memory that goes and comes again, waits in
 * the kernel and out of it, commands written over, a method that needs the kernel. */
static struct check_trace busy_trace(void)
{
    struct check_trace trace;

    check_trace_begin(&trace);
    for (uint32_t handle = 1; handle <= 4; handle++)
        check_trace_map(&trace, handle);
    check_trace_channel(&trace, 7);
    check_trace_channel(&trace, 8);
    CHECK_TRACE_SUBMIT(&trace, 7, 1, BIND, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0), RELEASE(1));
    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0), RELEASE(2));
    trace.thread_id = 2;
    trace.time_ns = 10;
    CHECK_TRACE_SUBMIT(&trace, 8, 2, ACQUIRE(1), BIND, PB_IMMD(0, 0x19d0, 1), RELEASE(3));
    check_trace_wait(&trace, 8, 3, TRACE_WAIT_IOCTL);
    trace.thread_id = 1;
    trace.time_ns = 2000;
    check_trace_wait(&trace, 7, 2, TRACE_WAIT_CALL);
    CHECK_TRACE_SUBMIT(&trace, 7, 4, PB_INC(7, 0x100, 1), 5, RELEASE(4));
    check_trace_unmap(&trace, 4);
    check_trace_map(&trace, 4);
    CHECK_TRACE_SUBMIT(&trace, 7, 4, RELEASE(5));
    check_trace_channel_end(&trace, 8);
    check_trace_channel_end(&trace, 7);
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_END});
    return trace;
}

/* PROMISE (engine): A snapshot taken at any event of a two-channel program that is never idle
 * goes on, too. */
START_TEST(every_event_of_a_busy_program_is_a_place_to_go_on_from)
{
    struct check_trace trace = busy_trace();
    struct gfe_error error = {0};
    char path[64];
    int fd;

    ck_assert_msg(trace_writer_finish(trace.writer, &error), "%s", error.text);
    trace_writer_free(trace.writer);
    fd = dup(trace.file.fd); /* stays open in the other process */
    ck_assert_int_ge(fd, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_assert_uint_gt(every_event(path), 80);
    ck_assert_int_eq(close(fd), 0);
    memory_file_free(&trace.file);
}
END_TEST

Suite *snapshot_process_suite(void)
{
    Suite *suite = suite_create("snapshot_process");
    TCase *tcase = tcase_create("every event");

    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, every_event_of_a_recorded_program_is_a_place_to_go_on_from, 0, 7);
    tcase_add_test(tcase, every_event_of_a_busy_program_is_a_place_to_go_on_from);
    suite_add_tcase(suite, tcase);
    return suite;
}
