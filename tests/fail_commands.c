/* SPDX-License-Identifier: MIT */
/*
 * Runs a command of gfe again and again, each time with another call failing, and checks what the
 * user would see.  Run by tests/test_failures.sh:
 *
 *     tests/fail_commands [OPTION...] LIBRARY|- GFE ARGUMENT...
 *
 * Options are --every STEP, --thin, --last COUNT, --output FILE and --differs.
 *
 * LIBRARY is tests/fail_calls.c as a shared library, "-" when GFE has it built in.  The command
 * runs first without failures; what it then prints and writes to FILE is what every later run that
 * exits with the same status has to print and write (--differs: a recording differs from run to
 * run; it only has to be there).  Every other run must exit with status 1, say why in one line on
 * stderr, and leave no part of a file behind, here or in TMPDIR, but for a recording that it names
 * as kept.  Standard input is read from a file `input`, if there is one.
 *
 * With --every each STEPth number is tried, where commands with other arguments begin at another
 * one of the STEP.  Without it only the first 60 numbers are tried, each 29th behind them, each
 * 997th from 1000 on, and each 19,997th from 100,000 on.  With --thin a fifth of these allocations:
 * every fifth of the first 60, where commands with other arguments begin at another one of the
 * five.  Then every second of the numbers is left out from which on all allocations, or all calls
 * on files, fail, and two thirds of the sizes of a full disk.
 *
 * With --last only the last COUNT allocations are tried, in which most commands print, and nothing
 * else.  --every comes before --last.
 */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fail_server.h"

enum { SPACE_BYTES_MAX = 1 << 20, PIPE_BYTES = 60000, FAILURES_SHOWN = 8 };

struct bytes {
    char *data;
    size_t count;
};

struct outcome {
    int status; /* as wait() gives it */
    struct bytes printed, said, written;
    bool has_written;
};

/* A gfe that forks for each run (tests/fail_server.h). */
struct server {
    pid_t process;
    int ask, answer, printed, said;
};

struct test {
    const char *library, *output; /* library: NULL if gfe has it built in */
    struct server server;
    char **arguments;
    unsigned long every; /* 0: not --every */
    unsigned long last;  /* 0: not --last */
    bool thin, differs;
    struct outcome good;
    unsigned file_count; /* in the folder, after a good run */
    unsigned long allocs, calls;
    unsigned run_count, refused_count, failure_count;
};

static void must(bool so, const char *what)
{
    if (!so) {
        perror(what);
        exit(1);
    }
}

/* ---- one run --------------------------------------------------------------------------------- */

/* What comes through a pipe; short of the pipe's room, so that nobody waits. */
static struct bytes pipe_read(int fd)
{
    struct bytes bytes = {.data = malloc(PIPE_BYTES + 1)};
    ssize_t got;

    must(bytes.data != NULL, "malloc");
    while (bytes.count < PIPE_BYTES &&
           (got = read(fd, bytes.data + bytes.count, PIPE_BYTES - bytes.count)) > 0)
        bytes.count += (size_t)got;
    bytes.data[bytes.count] = '\0';
    return bytes;
}

static struct bytes fd_read(int fd)
{
    struct bytes bytes = {0};
    struct stat about;

    must(fstat(fd, &about) == 0, "fstat");
    bytes.data = malloc((size_t)about.st_size + 1);
    must(bytes.data != NULL, "malloc");
    bytes.count = (size_t)about.st_size;
    must(pread(fd, bytes.data, bytes.count, 0) == (ssize_t)bytes.count, "pread");
    bytes.data[bytes.count] = '\0';
    return bytes;
}

static bool bytes_equal(const struct bytes *a, const struct bytes *b)
{
    return a->count == b->count && memcmp(a->data, b->data, a->count) == 0;
}

static void child_run(const struct test *test, const char *fails, int printed, int said)
{
    int in = open("input", O_RDONLY);

    if (in < 0)
        in = open("/dev/null", O_RDONLY);
    if (dup2(in, 0) < 0 || dup2(printed, 1) < 0 || dup2(said, 2) < 0)
        _exit(99);
    (void)alarm(FAIL_RUN_SECONDS); /* outlives exec */
    if (setenv("GFE_FAIL", fails, 1) != 0 || setenv("TMPDIR", "../temporary", 1) != 0 ||
        setenv("GFE_FAIL_COUNTS", "../counts", 1) != 0 ||
        setenv("LD_PRELOAD", test->library, 1) != 0)
        _exit(99);
    (void)execv(test->arguments[0], test->arguments);
    _exit(99);
}

static void run_alone(const struct test *test, const char *fails, struct outcome *outcome)
{
    const int printed = memfd_create("printed", MFD_CLOEXEC);
    int said[2]; /* a pipe: a full disk must not cut the message off */
    pid_t child;

    must(printed >= 0 && pipe2(said, O_CLOEXEC) == 0, "pipe");
    child = fork();
    must(child >= 0, "fork");
    if (child == 0)
        child_run(test, fails, printed, said[1]);
    (void)close(said[1]);
    must(waitpid(child, &outcome->status, 0) == child, "waitpid");
    outcome->printed = fd_read(printed);
    outcome->said = pipe_read(said[0]);
    (void)close(printed);
    (void)close(said[0]);
}

/* Starts gfe as a server. */
static void server_start(struct test *test)
{
    struct server *server = &test->server;
    int ask[2], answer[2], said[2];

    server->printed = memfd_create("printed", MFD_CLOEXEC);
    must(server->printed >= 0 && pipe2(ask, O_CLOEXEC) == 0 && pipe2(answer, O_CLOEXEC) == 0 &&
             pipe2(said, O_CLOEXEC) == 0,
         "pipe");
    server->process = fork();
    must(server->process >= 0, "fork");
    if (server->process == 0) {
        if (dup2(ask[0], FAIL_SERVER_ASK) < 0 || dup2(answer[1], FAIL_SERVER_ANSWER) < 0 ||
            dup2(server->printed, FAIL_SERVER_PRINTED) < 0 || dup2(said[1], FAIL_SERVER_SAID) < 0 ||
            setenv(FAIL_SERVER_VARIABLE, "1", 1) != 0 || setenv("TMPDIR", "../temporary", 1) != 0 ||
            setenv("GFE_FAIL_COUNTS", "../counts", 1) != 0)
            _exit(99);
        (void)execv(test->arguments[0], test->arguments);
        _exit(99);
    }
    (void)close(ask[0]);
    (void)close(answer[1]);
    (void)close(said[1]);
    server->ask = ask[1];
    server->answer = answer[0];
    server->said = said[0];
    /* A run has ended when it is read: what it said is in the pipe, and the server keeps that open.
     */
    must(fcntl(server->said, F_SETFL, O_NONBLOCK) == 0, "fcntl");
}

static void server_end(struct server *server)
{
    int status = 0;

    (void)close(server->ask);
    must(waitpid(server->process, &status, 0) == server->process && status == 0,
         "the end of the server");
    (void)close(server->answer);
    (void)close(server->printed);
    (void)close(server->said);
}

static void run_served(const struct server *server, const char *fails, struct outcome *outcome)
{
    char words[FAIL_SERVER_BYTES] = "";

    (void)snprintf(words, sizeof words, "%s", fails);
    must(ftruncate(server->printed, 0) == 0 && lseek(server->printed, 0, SEEK_SET) == 0, "printed");
    must(write(server->ask, words, sizeof words) == sizeof words &&
             read(server->answer, &outcome->status, sizeof outcome->status) ==
                 sizeof outcome->status,
         "the server");
    outcome->printed = fd_read(server->printed);
    outcome->said = pipe_read(server->said);
}

static struct outcome outcome_of(const struct test *test, const char *fails)
{
    struct outcome outcome = {0};

    if (test->output)
        (void)unlink(test->output);
    if (test->library)
        run_alone(test, fails, &outcome);
    else
        run_served(&test->server, fails, &outcome);
    if (test->output) {
        const int fd = open(test->output, O_RDONLY);

        outcome.has_written = fd >= 0;
        if (fd >= 0)
            outcome.written = fd_read(fd);
        (void)close(fd);
    }
    return outcome;
}

static void outcome_free(struct outcome *outcome)
{
    free(outcome->printed.data);
    free(outcome->said.data);
    free(outcome->written.data);
}

/* ---- what a run must look like --------------------------------------------------------------- */

static unsigned files_in(const char *path)
{
    DIR *folder = opendir(path);
    unsigned count = 0;

    must(folder != NULL, path);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static unsigned files_count(void)
{
    return files_in(".") + files_in("../temporary");
}

static void temporary_clear(void)
{
    if (files_in("../temporary") > 2)
        must(system("rm -rf ../temporary/*") == 0, "rm");
}

static const char *good_check(const struct test *test, const struct outcome *outcome)
{
    if (!bytes_equal(&outcome->printed, &test->good.printed))
        return "prints something else than without the failure";
    if (!bytes_equal(&outcome->said, &test->good.said))
        return "says something else than without the failure";
    if (outcome->has_written != test->good.has_written)
        return "writes no file";
    if (outcome->has_written && !test->differs &&
        !bytes_equal(&outcome->written, &test->good.written))
        return "writes something else than without the failure";
    return files_count() == test->file_count ? NULL : "leaves files behind";
}

/* What was recorded stays where the message says, with what --recover needs, and is no rest.  True:
 * it is there, and was deleted. */
static bool kept_take(const struct outcome *outcome)
{
    static const char words[] = "gfe record --recover ";
    const char *at = strstr(outcome->said.data, words);
    char command[400];
    int bytes;

    if (!at)
        return false;
    at += strlen(words);
    bytes = (int)strcspn(at, " \n");
    (void)snprintf(command, sizeof command, "test -s '%.*s/part-000000.gft' && rm -r '%.*s'", bytes,
                   at, bytes, at);
    return system(command) == 0;
}

static const char *refusal_check(const struct test *test, const struct outcome *outcome,
                                 bool is_kept)
{
    const char *newline = memchr(outcome->said.data, '\n', outcome->said.count);
    const unsigned kept = test->good.has_written ? 1 : 0;
    const unsigned now = files_count() + kept - outcome->has_written;

    if (outcome->said.count == 0)
        return "does not say why";
    if (!newline || (size_t)(newline - outcome->said.data) + 1 != outcome->said.count)
        return "says more than one line";
    if (strncmp(outcome->said.data, "gfe", 3) != 0)
        return "the line does not begin with gfe";
    /* What was complete when something else failed may stay. */
    if (outcome->has_written && !test->differs &&
        !bytes_equal(&outcome->written, &test->good.written))
        return "leaves a part of its output behind";
    if (!is_kept && strstr(outcome->said.data, "--recover"))
        return "names a folder that has nothing to recover";
    return now == test->file_count ? NULL : "leaves files behind";
}

static void check(struct test *test, const char *fails, bool must_succeed)
{
    struct outcome outcome = outcome_of(test, fails);
    const bool is_kept = kept_take(&outcome);
    const char *wrong = NULL;

    test->run_count++;
    /* Who cannot open a directory cannot empty it either: gfe record --clean does. */
    if (strncmp(fails, "call+", 5) == 0)
        temporary_clear();
    if (!WIFEXITED(outcome.status))
        wrong = WTERMSIG(outcome.status) == SIGALRM ? "does not end" : "is killed by a signal";
    else if (outcome.status == test->good.status &&
             (WEXITSTATUS(outcome.status) != 1 || bytes_equal(&outcome.said, &test->good.said)))
        wrong = good_check(test, &outcome);
    else if (must_succeed)
        wrong = "does not succeed";
    else if (WEXITSTATUS(outcome.status) != 1)
        wrong = "exits with an odd status";
    else
        wrong = refusal_check(test, &outcome, is_kept);
    test->refused_count += outcome.status != test->good.status;
    if (wrong && test->failure_count++ < FAILURES_SHOWN) {
        printf("FAILED: %s:", fails);
        for (char **argument = test->arguments + 1; *argument; argument++)
            printf(" %s", *argument);
        printf(": %s (status %x)\n%.2000s", wrong, (unsigned)outcome.status, outcome.said.data);
    }
    outcome_free(&outcome);
    temporary_clear();
}

/* ---- all runs -------------------------------------------------------------------------------- */

static unsigned long next_number(unsigned long every, bool thin, unsigned long number)
{
    if (thin)
        return number + (number < 60 ? 5 : number < 1000 ? 149 : number < 100000 ? 4999 : 99991);
    if (every)
        return number + every;
    if (number < 60)
        return number + 1;
    return number + (number < 1000 ? 29 : number < 100000 ? 997 : 19997);
}

/* Commands that begin alike then try other numbers of what they have in common. */
static unsigned long first_number(const struct test *test, unsigned long step)
{
    unsigned long sum = 0;

    for (char **argument = test->arguments + 1; *argument; argument++)
        for (const char *at = *argument; *at; at++)
            sum += (unsigned char)*at;
    return 1 + sum % step;
}

static void check_tail(struct test *test)
{
    const unsigned long step = test->thin ? 5 : 1;
    const unsigned long before = test->allocs > test->last ? test->allocs - test->last : 0;
    char fails[64];

    for (unsigned long number = before + first_number(test, step); number <= test->allocs;
         number += step) {
        (void)snprintf(fails, sizeof fails, "alloc %lu", number);
        check(test, fails, false);
    }
}

static void check_numbers(struct test *test, const char *kind, unsigned long count)
{
    const bool thin = test->thin && !test->every;
    const bool thin_onwards = thin && strchr(kind, '+');
    const bool is_alloc = strncmp(kind, "alloc", 5) == 0;
    const unsigned long every = is_alloc || !test->every ? test->every : 1;
    unsigned long number = first_number(test, every ? every : thin && is_alloc ? 5 : 1);
    char fails[64];

    for (unsigned long i = 0; number <= count; i++) {
        if (!thin_onwards || i % 2 == first_number(test, 5) % 2) {
            (void)snprintf(fails, sizeof fails, "%s %lu", kind, number);
            check(test, fails, false);
        }
        number = next_number(every, thin && is_alloc, number);
    }
}

/* Runs on a disk that is full after 0 bytes, 1, 2, 4, 7 and so on: each size is half as large again
 * as the one before.  With --thin it is three times as large. */
static void check_space(struct test *test)
{
    const bool thin = test->thin && !test->every;
    const size_t all = test->good.printed.count > test->good.written.count
                           ? test->good.printed.count
                           : test->good.written.count;
    char fails[64];

    for (size_t bytes = 0; bytes < all && bytes < SPACE_BYTES_MAX;
         bytes += (thin ? 2 * bytes : bytes / 2) + 1) {
        (void)snprintf(fails, sizeof fails, "space %zu", bytes);
        check(test, fails, false);
    }
}

static void check_all(struct test *test)
{
    check_numbers(test, "alloc", test->allocs);
    check_numbers(test, "alloc+", test->allocs);
    check_numbers(test, "call", test->calls);
    check_numbers(test, "call+", test->calls);
    check_space(test);
    check(test, "interrupt", true);
    check(test, "short", true);
}

static void good_run(struct test *test)
{
    FILE *counts;

    test->good = outcome_of(test, "none");
    test->file_count = files_count();
    counts = fopen("../counts", "re");
    must(counts && fscanf(counts, "%lu %lu", &test->allocs, &test->calls) == 2,
         "the run without failures left no counts");
    fclose(counts);
    must(WIFEXITED(test->good.status), "the run without failures");
}

int main(int argc, char **argv)
{
    struct test test = {0};

    for (argv++, argc--; argc > 0 && strncmp(*argv, "--", 2) == 0; argv++, argc--) {
        if (strcmp(*argv, "--every") == 0 && argc > 1) {
            test.every = strtoul(*++argv, NULL, 10);
            argc--;
        } else if (strcmp(*argv, "--last") == 0 && argc > 1) {
            test.last = strtoul(*++argv, NULL, 10);
            argc--;
        } else if (strcmp(*argv, "--thin") == 0) {
            test.thin = true;
        } else if (strcmp(*argv, "--differs") == 0) {
            test.differs = true;
        } else if (strcmp(*argv, "--output") == 0 && argc > 1) {
            test.output = *++argv;
            argc--;
        }
    }
    if (argc < 2) {
        fprintf(stderr, "usage: fail_commands [OPTION...] LIBRARY|- GFE ARGUMENT...\n");
        return 2;
    }
    test.library = strcmp(argv[0], "-") == 0 ? NULL : argv[0];
    test.arguments = argv + 1;
    if (!test.library)
        server_start(&test);
    good_run(&test);
    if (test.last > 0 && test.every == 0)
        check_tail(&test);
    else
        check_all(&test);
    printf("%4u runs, %4u refused, %4lu allocations, %4lu calls:", test.run_count,
           test.refused_count, test.allocs, test.calls);
    for (char **argument = test.arguments + 1; *argument; argument++)
        printf(" %s", *argument);
    printf("\n");
    outcome_free(&test.good);
    if (!test.library)
        server_end(&test.server);
    return test.failure_count == 0 ? 0 : 1;
}
