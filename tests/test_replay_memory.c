/* SPDX-License-Identifier: MIT */
/*
 * What `gfe run` needs of memory for a long trace, beyond the guest's pages: as much as for a short
 * one.  bench/bench_memory.c measures it with traces of any length.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/big_trace.h"
#include "tests/check_long.h"
#include "tests/suites.h"

/* More than is allowed, so that a trace held in memory is noticed. */
enum { TRACE_MIB = 96, ALLOWED_KIB = 64 << 10 };

/* Peak of the resident memory of `gfe run`, in KiB. */
static long run_peak(const char *trace)
{
    const char *folder = getenv("top_builddir");
    struct rusage usage;
    char program[4096];
    int status;
    pid_t pid;

    (void)snprintf(program, sizeof program, "%s/gfe", folder ? folder : ".");
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        if (freopen("/dev/null", "w", stdout))
            execl(program, program, "run", "-o", "/dev/null", trace, (char *)NULL);
        perror(program);
        _exit(127);
    }
    ck_assert_int_eq(wait4(pid, &status, 0, &usage), pid);
    ck_assert_int_eq(status, 0);
    return usage.ru_maxrss;
}

/* PROMISE (replay): A long trace takes no more memory than a short one. */
START_TEST(a_long_trace_takes_no_more_memory_than_a_short_one)
{
    static const enum big_trace_kind kinds[] = {BIG_TRACE_REPEATS, BIG_TRACE_LAG};
    const enum big_trace_kind kind = kinds[_i];
    char path[] = "/tmp/gfe-test-memory-XXXXXX";
    const int fd = mkstemp(path);
    long peak;

    ck_assert_int_ge(fd, 0);
    big_trace_write(fd, kind, (uint64_t)TRACE_MIB << 20);
    peak = run_peak(path);
    ck_assert_int_eq(close(fd) | unlink(path), 0);
    ck_assert_msg(peak - 4 * (long)big_trace_pages(kind) < ALLOWED_KIB, "%s: %ld KiB",
                  big_trace_names[kind], peak);
}
END_TEST

Suite *replay_memory_suite(void)
{
    Suite *suite = suite_create("replay_memory");
    TCase *tcase = tcase_create("peak");

    tcase_set_timeout(tcase, 300);
    /* Sanitizers have memory of their own for every byte of the program's. */
    tcase_add_loop_test(tcase, a_long_trace_takes_no_more_memory_than_a_short_one, 0,
                        CHECK_SANITIZED ? 0 : 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
