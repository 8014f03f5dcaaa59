/* SPDX-License-Identifier: MIT */
/*
 * What a command that only reads can no longer do.  Each try is made twice, in processes of their
 * own: in the open, where it has to succeed, and behind the walls, where it has to fail as
 * seccomp(2) and landlock(7) say (EPERM, EACCES).
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/base/opened.h"
#include "emu/program/sandbox.h"
#include "tests/suites.h"

static char folder[] = "/var/tmp/gfe-test-sandbox-XXXXXX";
static char named[PATH_MAX], other[PATH_MAX], journal[PATH_MAX], fresh[PATH_MAX], output[PATH_MAX],
    beside[PATH_MAX];

static void make(const char *path)
{
    FILE *file = fopen(path, "w");

    ck_assert(file && fputs("text", file) >= 0 && fclose(file) == 0);
}

/* Beside /tmp, which stays open for files without a name. */
static void setup(void)
{
    (void)snprintf(folder, sizeof folder, "/var/tmp/gfe-test-sandbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(named, sizeof named, "%s/named", folder);
    (void)snprintf(other, sizeof other, "%s/other", folder);
    (void)snprintf(journal, sizeof journal, "%s/named-journal", folder);
    (void)snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    (void)snprintf(output, sizeof output, "%s/out", folder);
    ck_assert_int_eq(mkdir(output, 0700), 0);
    (void)snprintf(output, sizeof output, "%s/out/file", folder);
    (void)snprintf(beside, sizeof beside, "%s/out/beside", folder);
    make(named);
    make(other);
}

static void teardown(void)
{
    char path[PATH_MAX];

    (void)unlink(named);
    (void)unlink(other);
    (void)unlink(fresh);
    (void)unlink(output);
    (void)unlink(beside);
    (void)snprintf(path, sizeof path, "%s/out", folder);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* ---- tries: what the call returned, below 0 with errno ----------------------------------------
 */

/* As each reader of gfe does: what is named was opened before. */
static int try_read_named(void)
{
    char text[4];
    const int fd = opened_read(named);

    return fd < 0 ? fd : pread(fd, text, 4, 0) == 4 && memcmp(text, "text", 4) == 0 ? 0 : -1;
}

static int try_open_named(void)
{
    return open(named, O_RDONLY);
}

static int try_read_output(void)
{
    const int fd = open(output, O_WRONLY | O_CREAT, 0600);

    return fd < 0 ? -1 : open(output, O_RDONLY);
}

static int try_read_other(void)
{
    return open(other, O_RDONLY);
}

static int try_write_named(void)
{
    return open(named, O_WRONLY);
}

static int try_create(void)
{
    return open(fresh, O_WRONLY | O_CREAT, 0600);
}

static int try_create_output(void)
{
    return open(output, O_WRONLY | O_CREAT, 0600);
}

static int try_rename_output(void)
{
    const int fd = open(beside, O_WRONLY | O_CREAT, 0600);

    return fd < 0 ? -1 : rename(beside, output);
}

static int try_nameless(void)
{
    return open("/tmp", O_TMPFILE | O_RDWR, 0600);
}

static int try_unlink(void)
{
    return unlink(other);
}

static int try_rename(void)
{
    return rename(other, fresh);
}

static int try_mkdir(void)
{
    return mkdir(fresh, 0700) == 0 ? rmdir(fresh) : -1;
}

static int try_symlink(void)
{
    return symlink("x", fresh);
}

static int try_chmod(void)
{
    return chmod(other, 0600);
}

static int try_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int try_socketpair(void)
{
    int ends[2];

    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int try_fork(void)
{
    const pid_t child = fork();

    if (child == 0)
        _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child ? 0 : -1;
}

static int try_clone3(void)
{
    return (int)syscall(SYS_clone3, NULL, (size_t)64) < 0 && errno == EFAULT ? 0 : -1;
}

static int try_exec(void)
{
    char program[] = "/bin/true", *const words[] = {program, NULL};

    return execve(program, words, NULL); /* which ends the process with 0 */
}

static int try_kill(void)
{
    return kill(getppid(), 0);
}

static int try_ptrace(void)
{
    return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static int try_executable(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? -1 : 0;
}

static int try_make_executable(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? -1 : mprotect(memory, 4096, PROT_READ | PROT_EXEC);
}

static int try_memory_of_other(void)
{
    return (int)syscall(SYS_process_vm_readv, getpid(), NULL, 0UL, NULL, 0UL, 0UL);
}

static void *thread_main(void *argument)
{
    return argument;
}

static int try_thread(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, thread_main, NULL) == 0 && pthread_join(thread, NULL) == 0
               ? 0
               : -1;
}

static int try_memory(void)
{
    char *memory = malloc((size_t)64 << 20);

    if (!memory)
        return -1;
    memset(memory, 1, (size_t)64 << 20);
    free(memory);
    return 0;
}

/* What stops a try: 0 means that nothing does. */
enum { FREE = 0, LANDLOCK = SANDBOX_LANDLOCK, SECCOMP = SANDBOX_SECCOMP };

static const struct {
    const char *name;
    int (*try)(void);
    int reading, writing; /* without an output on the command line, and with one */
} rows[] = {
    {"read a file that is named", try_read_named, FREE, FREE},
    {"open a file that is named", try_open_named, SECCOMP, SECCOMP},
    {"read another file", try_read_other, SECCOMP, SECCOMP},
    {"read what is written", try_read_output, SECCOMP, SECCOMP},
    {"write to the file that is read", try_write_named, SECCOMP, LANDLOCK},
    {"create a file", try_create, SECCOMP, LANDLOCK},
    {"create the output", try_create_output, SECCOMP, FREE},
    {"rename to the output", try_rename_output, SECCOMP, FREE},
    {"open a file without a name", try_nameless, FREE, FREE},
    {"remove a file", try_unlink, SECCOMP, LANDLOCK},
    {"rename a file", try_rename, SECCOMP, LANDLOCK},
    {"make a folder", try_mkdir, SECCOMP, LANDLOCK},
    {"make a link", try_symlink, SECCOMP, SECCOMP},
    {"change rights", try_chmod, SECCOMP, SECCOMP},
    {"open a socket", try_socket, SECCOMP, SECCOMP},
    {"open two sockets", try_socketpair, SECCOMP, SECCOMP},
    {"start a process", try_fork, SECCOMP, SECCOMP},
    {"start a process by clone3", try_clone3, SECCOMP, SECCOMP},
    {"start a program", try_exec, SECCOMP, SECCOMP},
    {"signal another process", try_kill, SECCOMP, SECCOMP},
    {"be traced", try_ptrace, SECCOMP, SECCOMP},
    {"get executable memory", try_executable, SECCOMP, SECCOMP},
    {"make memory executable", try_make_executable, SECCOMP, SECCOMP},
    {"read a process", try_memory_of_other, SECCOMP, SECCOMP},
    {"start a thread", try_thread, FREE, FREE},
    {"use memory", try_memory, FREE, FREE},
};
enum { ROWS = sizeof rows / sizeof rows[0], CREATE_OUTPUT = 6 };

/* Makes a try in a process of its own.  Returns its errno, 0 if it succeeded, and what walls stood.
 */
static int attempt(int row, int argc, char **argv, int *walls)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        const int stands = argc > 0 ? sandbox_enter(argc, argv, false) : 0;

        errno = 0;
        /* The exit status has room for both; errno of a denial is below 64. */
        _exit(rows[row].try() >= 0 ? stands << 6 : (stands << 6 | (errno & 63)));
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "%s: ended by signal %d", rows[row].name, WTERMSIG(status));
    *walls = WEXITSTATUS(status) >> 6;
    return WEXITSTATUS(status) & 63;
}

/* Removes what a try in the open has left. */
static void clean(void)
{
    (void)unlink(fresh);
    (void)unlink(output);
    (void)unlink(beside);
    make(other);
}

static void expect(int row, int argc, char **argv, int stops)
{
    int walls, why;

    ck_assert_msg(attempt(row, 0, NULL, &walls) == 0, "%s: fails in the open", rows[row].name);
    clean();
    why = attempt(row, argc, argv, &walls);
    if (!sandbox_is_built())
        ck_assert_int_eq(walls, 0);
    if (stops == FREE)
        ck_assert_msg(why == 0, "%s: %s", rows[row].name, strerror(why));
    else if (walls & stops)
        ck_assert_msg(why == EPERM || why == ENOSYS || (why == EACCES && stops == LANDLOCK),
                      "%s: not stopped (%s)", rows[row].name, strerror(why));
}

/* PROMISE (program): Commands that only read can open nothing but what the command line names,
 * cannot connect, and start no process and no program, where the kernel has seccomp and Landlock.
 */
START_TEST(a_reader_can_do_no_more)
{
    char command[] = "show", *argv[] = {command, named, NULL};

    expect(_i, 2, argv, rows[_i].reading);
}
END_TEST

START_TEST(a_writer_can_write_its_output_alone)
{
    char command[] = "show", option[] = "-o", *argv[] = {command, option, output, named, NULL};

    expect(_i, 4, argv, rows[_i].writing);
}
END_TEST

/* The ways in which getopt_long() takes an option's file. */
START_TEST(an_output_is_found_in_each_form)
{
    char command[] = "show", glued[PATH_MAX + 2], equals[PATH_MAX + 16], shorter[PATH_MAX + 16];
    char together[] = "-jo";
    char *forms[][3] = {{glued, named, NULL},
                        {equals, named, NULL},
                        {shorter, named, NULL},
                        {together, output, named}};
    int walls;

    (void)snprintf(glued, sizeof glued, "-o%s", output);
    (void)snprintf(equals, sizeof equals, "--output=%s", output);
    (void)snprintf(shorter, sizeof shorter, "--out=%s", output);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char *argv[] = {command, forms[i][0], forms[i][1], forms[i][2], NULL};
        const int argc = forms[i][2] ? 4 : 3;

        ck_assert_str_eq(rows[CREATE_OUTPUT].name, "create the output");
        ck_assert_msg(attempt(CREATE_OUTPUT, argc, argv, &walls) == 0, "%s: no output",
                      forms[i][0]);
        ck_assert_msg(attempt(0, argc, argv, &walls) == 0, "%s: no input", forms[i][0]);
        clean();
    }
}
END_TEST

/* gfe inspect reads the trace that its log names. */
START_TEST(one_that_reads_all_can_write_nothing)
{
    char command[] = "inspect", *argv[] = {command, named, NULL};
    int status;
    const pid_t child = fork();

    if (child == 0) {
        const int walls = sandbox_enter(2, argv, true);

        _exit(try_read_other() < 0 ||
              (walls & SECCOMP && (try_create() >= 0 || try_socket() >= 0)));
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* Two stages: files that are read first name others, which are kept; then nothing is opened.
 * Returns the number of the first thing that is wrong, 0 if nothing is. */
static int narrow_and_try(int argc, char **argv, bool reads_all, bool writes)
{
    const int walls = sandbox_enter(argc, argv, reads_all);
    int fd;

    if (!(walls & SANDBOX_SECCOMP))
        return 0;
    if (!opened_keep(named) || (fd = open(named, O_RDONLY)) < 0 || close(fd) != 0)
        return 1;
    if (!sandbox_narrow(writes))
        return 2;
    if (try_read_named() < 0)
        return 3;
    if (try_open_named() >= 0 || errno != EPERM || try_read_other() >= 0 || errno != EPERM)
        return 4;
    if (open(named, O_RDWR) >= 0 || errno != EPERM || open(fresh, O_RDWR | O_CREAT, 0600) >= 0)
        return 5;
    if (try_nameless() < 0)
        return 6;
    if ((try_create_output() >= 0) != writes || (try_rename_output() >= 0) != writes)
        return 7;
    if (try_socket() >= 0 || try_fork() >= 0 || try_exec() >= 0)
        return 8;
    return sandbox_narrow(writes) ? 0 : 9; /* once more, which changes nothing */
}

static void expect_narrow(int argc, char **argv, bool reads_all, bool writes)
{
    int status;
    const pid_t child = fork();

    if (child == 0)
        _exit(narrow_and_try(argc, argv, reads_all, writes));
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}

START_TEST(what_is_named_later_is_opened_before_the_second_stage)
{
    char command[] = "inspect", *argv[] = {command, named, NULL};

    expect_narrow(2, argv, true, false);
}
END_TEST

/* A database with a journal that is not empty: its folder can be written until the second stage. */
START_TEST(a_journal_is_taken_back_before_the_second_stage)
{
    char command[] = "report", option[] = "-o";
    char *argv[] = {command, named, NULL}, *out[] = {command, option, output, named, NULL};

    make(journal);
    expect_narrow(2, argv, false, false);
    expect_narrow(4, out, false, true);
    clean();
    ck_assert_int_eq(unlink(journal), 0);
}
END_TEST

/* With --no-sandbox there is no first stage, and the second does nothing. */
START_TEST(without_the_first_stage_there_is_no_second)
{
    int status;
    const pid_t child = fork();

    if (child == 0)
        _exit(!sandbox_narrow(false) || try_read_other() < 0 || try_create() < 0);
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* gfe show draws with characters that the locale has. */
START_TEST(the_locale_can_be_set)
{
    char command[] = "show", *argv[] = {command, named, NULL};
    int status;
    const pid_t child = fork();

    if (child == 0) {
        if (setenv("LC_ALL", "C.UTF-8", 1) != 0)
            _exit(2);
        (void)sandbox_enter(2, argv, false);
        _exit(setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

Suite *sandbox_suite(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_reader_can_do_no_more, 0, ROWS);
    tcase_add_loop_test(tcase, a_writer_can_write_its_output_alone, 0, ROWS);
    tcase_add_test(tcase, an_output_is_found_in_each_form);
    tcase_add_test(tcase, one_that_reads_all_can_write_nothing);
    tcase_add_test(tcase, what_is_named_later_is_opened_before_the_second_stage);
    tcase_add_test(tcase, a_journal_is_taken_back_before_the_second_stage);
    tcase_add_test(tcase, without_the_first_stage_there_is_no_second);
    tcase_add_test(tcase, the_locale_can_be_set);
    suite_add_tcase(suite, tcase);
    return suite;
}
