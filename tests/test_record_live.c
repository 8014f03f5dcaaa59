/* SPDX-License-Identifier: MIT */
/* One run of a program above an emulated GPU: its orders, its time, its output, its leftovers. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_live.h"

static char directory[] = "/tmp/gfe-test-live-XXXXXX";
static char path[64];
static sigset_t blocked;
static struct record_live live;

static void setup(void)
{
    strcpy(directory, "/tmp/gfe-test-live-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/live", directory);
    live = (struct record_live){.orders = "gpu radeon-vii\nfault x\n", .out_fd = -1, .err_fd = -1};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
}

static void teardown(void)
{
    (void)unlink(path);
    (void)rmdir(directory);
}

/* ---- orders ---------------------------------------------------------------------------------- */

START_TEST(orders_are_a_file_of_the_users_alone)
{
    struct gfe_error error = {0};
    struct stat status;
    char text[64] = "";
    FILE *file;

    ck_assert_msg(record_live_orders(&live, directory, &error), "%s", error.text);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    file = fopen(path, "r");
    ck_assert_uint_eq(fread(text, 1, sizeof text, file), strlen(live.orders));
    fclose(file);
    ck_assert_str_eq(text, live.orders);
    ck_assert(!record_live_orders(&live, directory, &error)); /* it is there */
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(EEXIST)));
}
END_TEST

START_TEST(orders_without_a_folder_fail)
{
    struct gfe_error error = {0};

    ck_assert(!record_live_orders(&live, "/no/such/folder", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/no/such/folder/live"));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
}
END_TEST

/* ---- the program ----------------------------------------------------------------------------- */

/* Starts a shell as record_run() starts the program. */
static pid_t start(const char *words)
{
    const pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    if (record_live_child(&live))
        execl("/bin/sh", "sh", "-c", words, (char *)NULL);
    _exit(99);
}

static void orders(void)
{
    struct gfe_error error = {0};

    ck_assert(record_live_orders(&live, directory, &error)); /* and what is left becomes ours */
}

START_TEST(a_program_ends_by_itself)
{
    orders();
    ck_assert_int_eq(record_live_wait(&live, start("exit 3"), &blocked), 3 << 8);
    ck_assert_int_eq(WEXITSTATUS(live.wait_status), 3);
    ck_assert(live.has_run && !live.timed_out && live.interrupted == 0);
    ck_assert_uint_eq(live.left_count, 0);
    ck_assert_uint_gt(live.took_ns, 0);
}
END_TEST

START_TEST(its_output_can_be_kept)
{
    char out[8] = "", err[8] = "";
    int outs[2], errs[2];

    orders();
    ck_assert_int_eq(pipe(outs) + pipe(errs), 0);
    live.out_fd = outs[1];
    live.err_fd = errs[1];
    (void)record_live_wait(&live, start("echo good; echo bad >&2"), &blocked);
    ck_assert_int_eq(read(outs[0], out, sizeof out), 5);
    ck_assert_int_eq(read(errs[0], err, sizeof err), 4);
    ck_assert_str_eq(out, "good\n");
    ck_assert_str_eq(err, "bad\n");
}
END_TEST

/* A descriptor that is closed: dup2(2) says so, and the program does not start. */
START_TEST(a_closed_output_is_an_error)
{
    orders();
    live.out_fd = 250;
    ck_assert_int_eq(record_live_wait(&live, start("exit 0"), &blocked), 99 << 8);
    live.out_fd = -1;
    live.err_fd = 250;
    ck_assert_int_eq(record_live_wait(&live, start("exit 0"), &blocked), 99 << 8);
}
END_TEST

START_TEST(its_time_is_limited)
{
    orders();
    live.timeout_ns = 50000000;
    (void)record_live_wait(&live, start("exec sleep 60"), &blocked);
    ck_assert(live.timed_out && live.has_run);
    ck_assert(WIFSIGNALED(live.wait_status));
    ck_assert_int_eq(WTERMSIG(live.wait_status), SIGKILL);
    ck_assert_uint_ge(live.took_ns, 50000000);
    ck_assert_uint_lt(live.took_ns, 30000000000);
}
END_TEST

/* What it started and did not wait for: two, one of them the other's child. */
START_TEST(what_is_left_is_ended)
{
    orders();
    ck_assert_int_eq(
        record_live_wait(&live,
                         start("f=$(mktemp); (sleep 60 & echo both >$f; exec sleep 60) & "
                               "while [ ! -s $f ]; do sleep 0.01; done; rm $f; exit 5"),
                         &blocked),
        5 << 8);
    ck_assert_uint_eq(live.left_count, 2);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

/* What has ended by then was not killed. */
START_TEST(what_has_ended_is_not_counted)
{
    orders();
    (void)record_live_wait(&live, start("(exit 7) & sleep 0.1; exit 0"), &blocked);
    ck_assert_uint_eq(live.left_count, 0);
}
END_TEST

START_TEST(a_signal_is_passed_on)
{
    orders();
    ck_assert_int_eq(kill(getpid(), SIGTERM), 0); /* blocked: it waits */
    (void)record_live_wait(&live, start("exec sleep 60"), &blocked);
    ck_assert_int_eq(live.interrupted, SIGTERM);
    ck_assert(WIFSIGNALED(live.wait_status));
    ck_assert_int_eq(WTERMSIG(live.wait_status), SIGTERM);
}
END_TEST

/* ---- afterwards ------------------------------------------------------------------------------ */

static bool collect(void *context, const char *where, struct gfe_error *error)
{
    ck_assert_str_eq(where, directory);
    return *(bool *)context || error_set(error, ERROR_INPUT, "no log");
}

START_TEST(what_it_left_is_collected)
{
    struct gfe_error error = {0};
    bool good = true;

    ck_assert(record_live_collect(&live, directory, &error));
    live.collect = collect;
    live.context = &good;
    ck_assert(record_live_collect(&live, directory, &error));
    good = false;
    ck_assert(!record_live_collect(&live, directory, &error));
    ck_assert_str_eq(error.text, "no log");
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

START_TEST(orders_that_are_not_whole_are_an_error)
{
    struct gfe_error error = {0};

    check_refuse_where(SCMP_SYS(write), ENOSPC, 2, UINT32_MAX, strlen(live.orders));
    ck_assert(!record_live_orders(&live, directory, &error));
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(ENOSPC)));
}
END_TEST

/* A limit on files ends the write half way (setrlimit(2)). */
START_TEST(a_part_of_the_orders_is_an_error)
{
    const struct rlimit limit = {5, 5};
    struct gfe_error error = {0};

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!record_live_orders(&live, directory, &error));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(ENOSPC)));
}
END_TEST

START_TEST(an_interrupted_write_of_orders_is_repeated)
{
    struct gfe_error error = {0};
    struct stat status;

    check_refuse_once(SCMP_SYS(write), EINTR, 1);
    ck_assert_msg(record_live_orders(&live, directory, &error), "%s", error.text);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_size, (off_t)strlen(live.orders));
}
END_TEST

START_TEST(without_the_programs_leftovers_nothing_starts)
{
    struct gfe_error error = {0};

    check_refuse_where(SCMP_SYS(prctl), EPERM, 0, UINT32_MAX, PR_SET_CHILD_SUBREAPER);
    ck_assert(!record_live_orders(&live, directory, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "live: "));
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

static int outs[2], errs[2];

/* In a child, whose output it changes. */
static void child_prepare(void)
{
    live.out_fd = outs[1];
    live.err_fd = errs[1];
    ck_assert(record_live_child(&live));
    ck_assert_int_eq(write(STDOUT_FILENO, "out", 3), 3);
    ck_assert_int_eq(write(STDERR_FILENO, "err", 3), 3);
    live.err_fd = 250;
    ck_assert(!record_live_child(&live));
    live.out_fd = 250;
    ck_assert(!record_live_child(&live));
    live.out_fd = live.err_fd = -1;
    ck_assert(record_live_child(&live));
    check_refuse_where(SCMP_SYS(prctl), EINVAL, 0, UINT32_MAX, PR_SET_PDEATHSIG);
    ck_assert(!record_live_child(&live));
}

START_TEST(a_child_has_its_output_or_says_so)
{
    char text[8] = "";

    ck_assert_int_eq(pipe(outs) + pipe(errs), 0);
    check_refuse_child(child_prepare);
    ck_assert_int_eq(read(outs[0], text, sizeof text), 3);
    ck_assert_int_eq(memcmp(text, "out", 3), 0);
    ck_assert_int_eq(read(errs[0], text, sizeof text), 3);
    ck_assert_int_eq(memcmp(text, "err", 3), 0);
}
END_TEST

/* The terminal sent it to the program, too (sigaction(2): SI_KERNEL). */
START_TEST(a_typed_signal_is_noted_and_not_passed_on)
{
    siginfo_t info;

    orders();
    memset(&info, 0, sizeof info);
    info.si_signo = SIGINT;
    info.si_code = SI_KERNEL;
    ck_assert_int_eq(syscall(SYS_rt_sigqueueinfo, getpid(), SIGINT, &info), 0);
    ck_assert_int_eq(
        record_live_wait(&live, start("trap 'exit 9' INT; sleep 0.1; exit 4"), &blocked), 4 << 8);
    ck_assert_int_eq(live.interrupted, SIGINT);
}
END_TEST

START_TEST(an_interrupted_wait_goes_on)
{
    orders();
    check_refuse_once(SCMP_SYS(wait4), EINTR, (unsigned)_i);
    ck_assert_int_eq(record_live_wait(&live, start("exit 3"), &blocked), 3 << 8);
    ck_assert_uint_eq(live.left_count, 0);
    ck_assert(!live.timed_out);
}
END_TEST

Suite *record_live_suite(void)
{
    Suite *suite = suite_create("record_live");
    TCase *cases = tcase_create("runs");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, orders_are_a_file_of_the_users_alone);
    tcase_add_test(cases, orders_without_a_folder_fail);
    tcase_add_test(cases, a_program_ends_by_itself);
    tcase_add_test(cases, its_output_can_be_kept);
    tcase_add_test(cases, a_closed_output_is_an_error);
    tcase_add_test(cases, its_time_is_limited);
    tcase_add_test(cases, what_is_left_is_ended);
    tcase_add_test(cases, what_has_ended_is_not_counted);
    tcase_add_test(cases, a_signal_is_passed_on);
    tcase_add_test(cases, what_it_left_is_collected);
    tcase_add_test(cases, orders_that_are_not_whole_are_an_error);
    tcase_add_test(cases, a_part_of_the_orders_is_an_error);
    tcase_add_test(cases, an_interrupted_write_of_orders_is_repeated);
    tcase_add_test(cases, without_the_programs_leftovers_nothing_starts);
    tcase_add_test(cases, a_child_has_its_output_or_says_so);
    tcase_add_test(cases, a_typed_signal_is_noted_and_not_passed_on);
    tcase_add_loop_test(cases, an_interrupted_wait_goes_on, 1, 4);
    suite_add_tcase(suite, cases);
    return suite;
}
