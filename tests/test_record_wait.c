/* SPDX-License-Identifier: MIT */
/* Waiting for a program and for what it leaves: signals, those that a terminal sends, the end. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/check_long.h"
#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_wait.h"

static sigset_t blocked;
static struct record_wait wait_for;

static void setup(void)
{
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGQUIT);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    wait_for = (struct record_wait){.name = "it", .blocked = &blocked};
}

static void start(const char *words)
{
    wait_for.program = fork();
    ck_assert_int_ge(wait_for.program, 0);
    if (wait_for.program > 0)
        return;
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    execl("/bin/sh", "sh", "-c", words, (char *)NULL);
    _exit(99);
}

/* As the kernel sends it to all processes of a terminal: si_code is SI_KERNEL (sigaction(2)).  A
 * process may say so to itself only (rt_sigqueueinfo(2)). */
static void type(int number)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_KERNEL;
    ck_assert_int_eq(syscall(SYS_rt_sigqueueinfo, getpid(), number, &info), 0);
}

/* ---- the program ----------------------------------------------------------------------------- */

static const struct {
    int number, code;
    bool typed;
} kinds[] = {{SIGINT, SI_KERNEL, true},
             {SIGQUIT, SI_KERNEL, true},
             {SIGTERM, SI_KERNEL, false},
             {SIGINT, SI_USER, false}};

START_TEST(what_a_terminal_sends_is_told_from_what_a_process_sends)
{
    const siginfo_t info = {.si_signo = kinds[_i].number, .si_code = kinds[_i].code};

    ck_assert_int_eq(record_wait_is_typed(&info), kinds[_i].typed);
}
END_TEST

START_TEST(the_status_of_the_program_is_kept)
{
    start("exit 6");
    record_wait_program(&wait_for);
    ck_assert_int_eq(wait_for.wait_status, 6 << 8);
    record_wait_program(&wait_for); /* no child is left: it does not wait */
    ck_assert_int_eq(wait_for.wait_status, 6 << 8);
}
END_TEST

START_TEST(a_signal_goes_to_the_program)
{
    start("exec sleep 60");
    ck_assert_int_eq(kill(getpid(), SIGTERM), 0); /* blocked: it waits */
    record_wait_program(&wait_for);
    ck_assert(WIFSIGNALED(wait_for.wait_status));
    ck_assert_int_eq(WTERMSIG(wait_for.wait_status), SIGTERM);
}
END_TEST

/* The terminal sent it to the program, too: once is enough. */
START_TEST(what_was_typed_is_not_passed_on)
{
    start("trap 'exit 9' INT; sleep 0.1; exit 4");
    type(SIGINT);
    record_wait_program(&wait_for);
    ck_assert_int_eq(wait_for.wait_status, 4 << 8);
}
END_TEST

static const int interrupted[] = {SCMP_SYS(wait4), SCMP_SYS(rt_sigtimedwait)};

START_TEST(an_interrupted_wait_goes_on)
{
    check_refuse_once(interrupted[_i], EINTR, 1);
    start("sleep 0.05; exit 5");
    record_wait_program(&wait_for);
    ck_assert_int_eq(wait_for.wait_status, 5 << 8);
    ck_assert_uint_ge(check_refuse_count(), 2);
}
END_TEST

/* ---- what it leaves -------------------------------------------------------------------------- */

static void no_child_is_left(void)
{
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

START_TEST(what_the_program_leaves_is_waited_for)
{
    char done[] = "/tmp/gfe-test-wait-XXXXXX", words[100];
    const int fd = mkstemp(done);
    char byte;

    ck_assert_int_ge(fd, 0);
    snprintf(words, sizeof words, "(sleep 0.2; echo x >%s) & exit 3", done);
    start(words);
    record_wait_program(&wait_for);
    record_wait_rest(&wait_for);
    ck_assert_int_eq(wait_for.wait_status, 3 << 8);
    ck_assert_int_eq(pread(fd, &byte, 1, 0), 1);
    ck_assert_int_eq(unlink(done), 0);
    no_child_is_left();
}
END_TEST

/* At first SIGTERM, which one does as it likes with. */
START_TEST(what_the_program_leaves_is_ended)
{
    wait_for.end_rest = true;
    start("(exec sleep 60) & exit 3");
    record_wait_program(&wait_for);
    record_wait_rest(&wait_for);
    no_child_is_left();
}
END_TEST

START_TEST(what_does_not_end_on_sigterm_is_killed)
{
    if (!check_long(true, false)) /* five seconds */
        return;
    wait_for.end_rest = true;
    start("(trap '' TERM; while :; do sleep 0.1; done) & exit 3");
    record_wait_program(&wait_for);
    record_wait_rest(&wait_for);
    no_child_is_left();
}
END_TEST

/* A signal while gfe waits ends the waiting, after a moment, and goes to what is left. */
START_TEST(a_signal_ends_the_waiting)
{
    wait_for.quiet = true;
    start("(exec sleep 60) & exit 3");
    record_wait_program(&wait_for);
    ck_assert_int_eq(kill(getpid(), SIGTERM), 0);
    record_wait_rest(&wait_for);
    no_child_is_left();
}
END_TEST

/* What was typed reached them already; a child that does not care goes on, and gfe does not wait.
 */
START_TEST(a_typed_signal_ends_the_waiting_and_is_not_passed_on)
{
    int status;

    wait_for.quiet = true;
    start("(trap 'exit 7' INT; sleep 30 & wait; exit 8) & exit 3");
    record_wait_program(&wait_for);
    type(SIGINT);
    record_wait_rest(&wait_for);
    ck_assert_int_eq(waitpid(-1, &status, WNOHANG), 0); /* it lives */
    record_wait_signal_children(SIGKILL);
    while (waitpid(-1, &status, 0) > 0)
        record_wait_signal_children(SIGKILL);
}
END_TEST

static void tell(void)
{
    start("(exec sleep 1.3) & exit 3");
    record_wait_program(&wait_for);
    record_wait_rest(&wait_for);
}

START_TEST(for_what_gfe_waits_is_told_unless_it_is_to_be_quiet)
{
    char said[500] = "";
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    wait_for.quiet = _i;
    ck_assert_int_ge(dup2(ends[1], STDERR_FILENO), 0);
    tell();
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    ck_assert_int_eq(read(ends[0], said, sizeof said - 1) <= 0, _i);
    ck_assert_int_eq(strstr(said, "gfe: it has ended; gfe waits for what it started") == NULL, _i);
    no_child_is_left();
}
END_TEST

/* Without /proc nobody knows the children: nothing is sent, and the waiting is as long as theirs.
 */
static void hidden(void)
{
    struct timespec begin, end;

    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* not inherited (prctl(2)) */
    wait_for.end_rest = true;
    start("(exec sleep 0.3) & exit 3"); /* before: it opens libraries */
    record_wait_program(&wait_for);
    ck_assert_int_eq(wait_for.wait_status, 3 << 8);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    check_refuse_where(SCMP_SYS(openat), EACCES, 2, UINT32_MAX, O_RDONLY | O_CLOEXEC);
    record_wait_rest(&wait_for);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ck_assert_int_gt((end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000,
                     100);
    no_child_is_left();
}

START_TEST(without_proc_nothing_is_sent)
{
    check_refuse_child(hidden);
}
END_TEST

Suite *record_wait_suite(void)
{
    Suite *suite = suite_create("record_wait");
    TCase *cases = tcase_create("processes");

    tcase_set_timeout(cases, 30);
    tcase_add_checked_fixture(cases, setup, NULL);
    tcase_add_loop_test(cases, what_a_terminal_sends_is_told_from_what_a_process_sends, 0,
                        sizeof kinds / sizeof kinds[0]);
    tcase_add_test(cases, the_status_of_the_program_is_kept);
    tcase_add_test(cases, a_signal_goes_to_the_program);
    tcase_add_test(cases, what_was_typed_is_not_passed_on);
    tcase_add_loop_test(cases, an_interrupted_wait_goes_on, 0, 2);
    tcase_add_test(cases, what_the_program_leaves_is_waited_for);
    tcase_add_test(cases, what_the_program_leaves_is_ended);
    tcase_add_test(cases, what_does_not_end_on_sigterm_is_killed);
    tcase_add_test(cases, a_signal_ends_the_waiting);
    tcase_add_test(cases, a_typed_signal_ends_the_waiting_and_is_not_passed_on);
    tcase_add_loop_test(cases, for_what_gfe_waits_is_told_unless_it_is_to_be_quiet, 0, 2);
    tcase_add_test(cases, without_proc_nothing_is_sent);
    suite_add_tcase(suite, cases);
    return suite;
}
