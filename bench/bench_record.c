/* SPDX-License-Identifier: MIT */
/*
 * What recording costs a program: the time of a submission and the recorder's memory, with a driver
 * in small (tests/clients/drm_upload.c) under gfe record.  The control in the same run is the same
 * program with a stand-in that answers, but neither looks for changed memory nor writes records.
 *
 * It also measures a doorbell of AMD's (tests/clients/kfd_procs.c): a store that the library
 * catches.
 *
 * Then the replay of what piglit's texsubimage does, where piglit is installed: 7,949 submissions
 * and about 160 MB of memory.
 */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"

#define PIGLIT    "/usr/lib/x86_64-linux-gnu/piglit/bin/texsubimage"
#define UPLOAD    "tests/clients/drm_upload"
#define DOORBELLS "tests/clients/kfd_procs"
#define BROKEN    "libgfe-record-broken.so"

enum { ARGUMENTS_MAX = 16, REPEATS_MAX = 99, MEMORY_TARGET_MIB = 64, TEXT_BYTES = 4000 };

/* Runs a program to its end; the start of its standard output in `text`.  False when it failed. */
static bool run(char *const arguments[], char text[TEXT_BYTES], struct rusage *usage)
{
    const int null = open("/dev/null", O_WRONLY);
    int ends[2], status = -1;
    size_t length = 0;
    ssize_t bytes;
    pid_t pid;

    if (null < 0 || pipe(ends) != 0)
        return false;
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        close(ends[0]);
        execv(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    close(null);
    while (length < TEXT_BYTES - 1 &&
           (bytes = read(ends[0], text + length, TEXT_BYTES - 1 - length)) > 0)
        length += (size_t)bytes;
    text[length] = 0;
    close(ends[0]);
    return pid > 0 && wait4(pid, &status, 0, usage) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) <= 1;
}

/* The number behind a word at the start of a line; negative when it is not there. */
static double number_behind(const char *text, const char *word)
{
    const char *found = strstr(text, word);

    return found ? strtod(found + strlen(word), NULL) : -1;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Runs drm_upload under gfe record; its words in `text`. */
static bool record(const char *trace, char *objects, char *kib, char *rounds, char *bytes,
                   char text[TEXT_BYTES])
{
    struct rusage usage;
    char *const arguments[] = {"./gfe", "record",      "-q",  "--gpu",     "gtx1060",
                               "-o",    (char *)trace, "--",  "./" UPLOAD, objects,
                               kib,     rounds,        bytes, NULL};

    return run(arguments, text, &usage) && strstr(text, "anonymous");
}

static bool time_submissions(struct bench *bench, const char *trace, const char *name,
                             char *objects, char *bytes)
{
    const char *wanted = getenv("BENCH_REPEATS");
    const unsigned repeats = wanted ? (unsigned)strtoul(wanted, NULL, 10) % REPEATS_MAX : 9;
    double with[REPEATS_MAX], without[REPEATS_MAX], ratio[REPEATS_MAX];
    char text[TEXT_BYTES], label[200];

    for (unsigned i = 0; i < repeats; i++) {
        if (!record(trace, objects, "256", "1000", bytes, text))
            return false;
        with[i] = number_behind(text, "ns ") / 1000;
        setenv("GFE_RECORD_LIBRARY", BROKEN, 1);
        setenv("GFE_RECORD_BREAK", "silent", 1);
        if (!record(trace, objects, "256", "1000", bytes, text))
            return false;
        without[i] = number_behind(text, "ns ") / 1000;
        unsetenv("GFE_RECORD_LIBRARY");
        unsetenv("GFE_RECORD_BREAK");
        ratio[i] = with[i] / without[i];
    }
    (void)snprintf(label, sizeof label, "submission, %s, recorded", name);
    bench_value(bench, label, "us", median(with, repeats), 0, false);
    (void)snprintf(label, sizeof label, "submission, %s, not recorded (control)", name);
    bench_value(bench, label, "us", median(without, repeats), 0, false);
    (void)snprintf(label, sizeof label, "submission, %s, recorded / not recorded", name);
    bench_value(bench, label, "times", median(ratio, repeats), 0, false);
    return true;
}

/* One run of bursts of doorbells, with the stand-in that tells nothing if `is_silent`: ns each. */
static double ring(const char *trace, bool is_silent)
{
    char *const arguments[] = {"./gfe",        "record", "-q",          "--gpu",
                               "radeon-vii",   "-o",     (char *)trace, "--",
                               "./" DOORBELLS, "ring",   "200",         NULL};
    char text[TEXT_BYTES];
    struct rusage usage;
    bool done;

    if (is_silent) {
        setenv("GFE_RECORD_LIBRARY", BROKEN, 1);
        setenv("GFE_RECORD_BREAK", "silent", 1);
    }
    done = run(arguments, text, &usage);
    unsetenv("GFE_RECORD_LIBRARY");
    unsetenv("GFE_RECORD_BREAK");
    return done ? number_behind(text, "takes ") : -1;
}

static bool time_doorbells(struct bench *bench, const char *trace)
{
    const char *wanted = getenv("BENCH_REPEATS");
    const unsigned repeats = wanted ? (unsigned)strtoul(wanted, NULL, 10) % REPEATS_MAX : 9;
    double with[REPEATS_MAX], without[REPEATS_MAX], ratio[REPEATS_MAX];

    for (unsigned i = 0; i < repeats; i++) {
        with[i] = ring(trace, false);
        without[i] = ring(trace, true);
        if (with[i] <= 0 || without[i] <= 0)
            return false;
        ratio[i] = with[i] / without[i];
    }
    bench_value(bench, "doorbell with its packet, recorded", "ns", median(with, repeats), 0, false);
    bench_value(bench, "doorbell with its packet, not recorded (control)", "ns",
                median(without, repeats), 0, false);
    bench_value(bench, "doorbell with its packet, recorded / not recorded", "times",
                median(ratio, repeats), 0, false);
    return true;
}

static bool measure_memory(struct bench *bench, const char *trace)
{
    char text[TEXT_BYTES];

    if (!record(trace, "200", "1024", "0", "64", text))
        return false;
    bench_value(bench, "recorder's memory in a program with 200 MiB of buffers", "MiB",
                (number_behind(text, "anonymous ") + number_behind(text, "files ")) / 1024,
                MEMORY_TARGET_MIB, false);
    return true;
}

static bool replay_piglit(struct bench *bench, const char *trace)
{
    char *const recording[] = {"./gfe",       "record", "-q",   "--gpu", "gtx1060", "-o",
                               (char *)trace, "--",     PIGLIT, "-auto", "-fbo",    NULL};
    char *const replay[] = {"./gfe", "run", "-o", "/dev/null", (char *)trace, NULL};
    char text[TEXT_BYTES];
    struct rusage usage;
    double began, took;

    if (access(PIGLIT, X_OK) != 0) {
        bench_note(bench, "piglit is not installed: its texsubimage was not recorded");
        return true;
    }
    setenv("PIGLIT_PLATFORM", "surfaceless_egl", 1);
    began = bench_now();
    if (!run(recording, text, &usage))
        return false;
    bench_value(bench, "texsubimage: recording, all of it", "s", bench_now() - began, 0, false);
    began = bench_now();
    if (!run(replay, text, &usage))
        return false;
    took = bench_now() - began;
    bench_value(bench, "texsubimage: gfe run", "s", took, 0, false);
    bench_value(bench, "texsubimage: submissions replayed", "submissions/s",
                number_behind(text, "submissions ") / took, 0, true);
    bench_value(bench, "texsubimage: gfe run, peak of its memory", "MiB",
                (double)usage.ru_maxrss / 1024, MEMORY_TARGET_MIB, false);
    return true;
}

int main(void)
{
    struct bench *bench = bench_begin("record");
    char trace[] = "bench-record-XXXXXX";
    const int fd = mkstemp(trace);
    bool good = fd >= 0;

    if (access(BROKEN, R_OK) != 0 || access(UPLOAD, X_OK) != 0 || access(DOORBELLS, X_OK) != 0) {
        bench_note(bench, "not measured: " BROKEN ", " UPLOAD " or " DOORBELLS
                          " is not built (make check)");
    } else {
        good =
            good &&
            time_submissions(bench, trace, "256 B of methods and 64 B changed", "1", "64") &&
            time_submissions(bench, trace, "256 B of methods and 4 KiB changed", "4", "4096") &&
            time_submissions(bench, trace, "256 B of methods and 64 KiB changed", "4", "65536") &&
            time_doorbells(bench, trace) && measure_memory(bench, trace) &&
            replay_piglit(bench, trace);
        bench_note(bench, "what is changed does not compress; control: a stand-in that answers and "
                          "records nothing");
    }
    if (fd >= 0) {
        close(fd);
        (void)unlink(trace);
    }
    if (!good) {
        fprintf(stderr, "bench_record: a program could not be recorded or replayed\n");
        return 1;
    }
    return bench_end(bench);
}
