/* SPDX-License-Identifier: MIT */
/*
 * The sandbox of the program gfe itself: how many filters stand when it prints, by what the kernel
 * says of the process (Seccomp_filters of proc_pid_status(5)); and what it says on a system without
 * seccomp, which a filter of seccomp plays.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/program/sandbox.h"
#include "tests/suites.h"

enum { WORDS_MAX = 8, TEXT_BYTES = 4096 };

static char folder[] = "/var/tmp/gfe-test-sandbox-XXXXXX";
static char gfe[PATH_MAX], trace[PATH_MAX], log_path[PATH_MAX], plan[PATH_MAX], database[PATH_MAX],
    journal[PATH_MAX], said[PATH_MAX];

static void in_folder(char *path, const char *name)
{
    ck_assert_int_lt(snprintf(path, PATH_MAX, "%s/%s", folder, name), PATH_MAX);
}

static void setup(void)
{
    const char *source = getenv("top_srcdir"), *build = getenv("top_builddir");

    (void)snprintf(folder, sizeof folder, "/var/tmp/gfe-test-sandbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(gfe, sizeof gfe, "%s/gfe", build ? build : ".");
    (void)snprintf(trace, sizeof trace, "%s/tests/golden/compute.gft", source ? source : ".");
    in_folder(log_path, "log.gfl");
    in_folder(plan, "plan.json");
    in_folder(database, "campaign.db");
    in_folder(journal, "campaign.db-journal");
    in_folder(said, "said");
}

static void teardown(void)
{
    (void)unlink(log_path);
    (void)unlink(plan);
    (void)unlink(database);
    (void)unlink(journal);
    (void)unlink(said);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Starts gfe with words; standard output goes to `to`, standard error to the file `said`.  With
 * `old` the kernel has neither seccomp nor Landlock: what seccomp(2), prctl(2) and landlock(7) say
 * of such a kernel. */
static pid_t start(char *const *words, int to, bool old)
{
    const pid_t child = fork();
    scmp_filter_ctx filter;
    int errors;

    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    errors = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (dup2(to, 1) != 1 || dup2(errors, 2) != 2)
        _exit(126);
    filter = old ? seccomp_init(SCMP_ACT_ALLOW) : NULL;
    if (old && (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) != 0 ||
                seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                 SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0)) != 0 ||
                seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset),
                                 0) != 0 ||
                seccomp_load(filter) != 0))
        _exit(125);
    (void)execv(gfe, words);
    _exit(127);
}

static int end(pid_t child)
{
    int status;

    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "gfe ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Runs gfe to its end without its output. */
static int run(char *const *words, bool old)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(words, nowhere, old);

    ck_assert_int_eq(close(nowhere), 0);
    return end(child);
}

static void read_file(const char *path, char *text)
{
    FILE *file = fopen(path, "re");
    size_t bytes;

    ck_assert_msg(file != NULL, "%s", path);
    bytes = fread(text, 1, TEXT_BYTES - 1, file);
    text[bytes] = '\0';
    ck_assert_int_eq(fclose(file), 0);
}

/* The filters of a process; -1 if this kernel does not say (Linux 5.9 does). */
static int filters_of(pid_t process)
{
    char path[64], text[TEXT_BYTES];
    const char *line;
    int count;

    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    read_file(path, text);
    line = strstr(text, "\nSeccomp_filters:");
    return line && sscanf(line, " Seccomp_filters: %d", &count) == 1 ? count : -1;
}

/* Runs gfe with a pipe that is full after a page, and counts its filters while it waits there.
 * Returns how many it has more than this process. */
static int filters_at_output(char *const *words)
{
    const int before = filters_of(getpid());
    struct pollfd can;
    char page[TEXT_BYTES];
    int ends[2], filters;
    pid_t child;

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_gt(fcntl(ends[1], F_SETPIPE_SZ, 4096), 0);
    child = start(words, ends[1], false);
    ck_assert_int_eq(close(ends[1]), 0);
    can = (struct pollfd){.fd = ends[0], .events = POLLIN};
    ck_assert_int_eq(poll(&can, 1, 20000), 1);
    ck_assert_msg(can.revents & POLLIN, "gfe has printed nothing");
    filters = filters_of(child);
    while (read(ends[0], page, sizeof page) > 0)
        continue;
    ck_assert_int_eq(close(ends[0]), 0);
    ck_assert_int_eq(end(child), 0);
    return filters - before;
}

/* The number of filters that a command has, if there can be any here. */
static void expect_filters(char *const *words, int wanted)
{
    char text[TEXT_BYTES];
    const int filters = filters_at_output(words);

    read_file(said, text);
    ck_assert_str_eq(text, "");
    if (sandbox_is_built() && sandbox_possible() & SANDBOX_SECCOMP && filters_of(getpid()) >= 0)
        ck_assert_int_eq(filters, wanted);
}

static void make_log(void)
{
    char command[] = "run", option[] = "-o",
         *words[] = {gfe, command, option, log_path, trace, NULL};

    ck_assert_int_eq(run(words, false), 0);
}

/* A command whose files are all on the command line raises one filter; none with --no-sandbox. */
START_TEST(a_reader_has_one_filter)
{
    char command[] = "decode", off[] = "--no-sandbox";
    char *words[] = {gfe, command, trace, NULL}, *open_words[] = {gfe, command, off, trace, NULL};

    expect_filters(words, 1);
    expect_filters(open_words, 0);
}
END_TEST

/* gfe inject makes runs as gfe run does.  (With --from it opens the program that a database names:
 * test_campaign.sh.) */
START_TEST(a_fault_is_injected_behind_the_walls)
{
    char command[] = "inject", list[] = "--list", json[] = "--json";
    char *words[] = {gfe, command, list, json, NULL};

    expect_filters(words, 1);
}
END_TEST

/* gfe discriminate judges result files of strangers. */
START_TEST(a_search_is_made_behind_the_walls)
{
    char command[] = "discriminate", json[] = "--json", one[] = "core.block_to_sm=most-free",
         other[] = "core.block_to_sm=lowest";
    char *words[] = {gfe, command, json, one, other, NULL};

    expect_filters(words, 1);
}
END_TEST

/* gfe inspect reads the name of the trace from its log, opens it, and then gives up opening files:
 * before it prints there is a second filter. */
START_TEST(inspect_opens_first_and_then_gives_that_up)
{
    char command[] = "inspect", regs[] = "regs", unit[] = "nv_pbdma", json[] = "--json",
         option[] = "--gpu", gpu[] = "gtx1060";
    char *words[] = {gfe, command, json, log_path, regs, unit, NULL};
    char *bare[] = {gfe, command, json, option, gpu, regs, unit, NULL};

    make_log();
    expect_filters(words, 2);
    expect_filters(bare, 2);
}
END_TEST

/* A journal that has something may have to be taken back, which opens and writes files; then that
 * is given up.  An empty one, as gfe campaign leaves it, does not count. */
START_TEST(a_report_gives_up_files_once_a_journal_is_taken_back)
{
    char command[] = "campaign", run_word[] = "run", option[] = "--db", report[] = "report",
         as[] = "--as=csv";
    char *make[] = {gfe, command, run_word, plan, option, database, NULL};
    char *words[] = {gfe, command, report, as, database, NULL};
    FILE *file = fopen(plan, "we");
    char *real = realpath(trace, NULL);

    ck_assert(file && real);
    ck_assert_int_gt(fprintf(file,
                             "{\"programs\": [\"%s\"], \"samples\": 2, \"faults\": "
                             "[{\"site\": \"release\", \"models\": [\"drop\", \"duplicate\"]}]}",
                             real),
                     0);
    free(real);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(run(make, false), 0);
    ck_assert_int_eq(access(journal, F_OK), 0);
    expect_filters(words, 1);
    file = fopen(journal, "we"); /* its head was never written: SQLite does not take it back */
    ck_assert(file && fputc('\0', file) == 0 && fclose(file) == 0);
    expect_filters(words, 2);
}
END_TEST

/* Without seccomp and Landlock a command goes on, and says that it does so without the sandbox. */
START_TEST(a_system_without_seccomp_is_named)
{
    char command[] = "hash", off[] = "--no-sandbox", version[] = "--version", text[TEXT_BYTES];
    char *words[] = {gfe, command, trace, NULL}, *open_words[] = {gfe, command, off, trace, NULL};
    char *version_words[] = {gfe, version, NULL};
    const int out = open(log_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    ck_assert_int_eq(run(words, true), 0);
    read_file(said, text);
    ck_assert_str_eq(text, sandbox_is_built()
                               ? "gfe hash: the sandbox is off: this system refuses seccomp; "
                                 "--no-sandbox reads the files without it, and without this line\n"
                               : "");
    ck_assert_int_eq(run(open_words, true), 0);
    read_file(said, text);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(end(start(version_words, out, true)), 0);
    ck_assert_int_eq(close(out), 0);
    read_file(log_path, text);
    ck_assert_ptr_nonnull(strstr(
        text, sandbox_is_built()
                  ? "\nsandbox: off, because this system refuses seccomp, and has no Landlock\n"
                  : "\nsandbox: off, because this build has a sanitizer\n"));
}
END_TEST

Suite *sandbox_program_suite(void)
{
    Suite *suite = suite_create("sandbox_program");
    TCase *tcase = tcase_create("all");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_reader_has_one_filter);
    tcase_add_test(tcase, a_fault_is_injected_behind_the_walls);
    tcase_add_test(tcase, a_search_is_made_behind_the_walls);
    tcase_add_test(tcase, inspect_opens_first_and_then_gives_that_up);
    tcase_add_test(tcase, a_report_gives_up_files_once_a_journal_is_taken_back);
    tcase_add_test(tcase, a_system_without_seccomp_is_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
