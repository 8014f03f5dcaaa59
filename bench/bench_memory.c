/* SPDX-License-Identifier: MIT */
/*
 * What `gfe run -o FILE` needs of memory and time for long traces of several kinds
 * (tests/big_trace.h): the peak of its resident memory less the guest pages that the program
 * touches.  GFE_BENCH_MEMORY_MIB says how much raw data a trace has (128; 1024 takes minutes and
 * two GiB in TMPDIR or /tmp).  Raw data is what records take before compression, so that 1024 is at
 * least the trace of 1 GiB that the target speaks of.
 */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "tests/big_trace.h"

enum { TARGET_MIB = 64, MIB_DEFAULT = 128, PAGES_PER_MIB = 256 };

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int run(const char *trace, const char *log, struct rusage *usage)
{
    const pid_t pid = fork();
    int status;

    if (pid < 0)
        fail("fork");
    if (pid == 0) {
        if (freopen("/dev/null", "w", stdout))
            execl("./gfe", "gfe", "run", "-o", log, trace, (char *)NULL);
        fail("./gfe");
    }
    if (wait4(pid, &status, 0, usage) != pid)
        fail("wait4");
    return status;
}

static void measure(struct bench *bench, enum big_trace_kind kind, uint64_t mib)
{
    const char *folder = getenv("TMPDIR");
    char trace[4096], log[4200], name[80];
    struct rusage usage;
    struct stat status;
    double began;
    int fd;

    (void)snprintf(trace, sizeof trace, "%s/gfe-bench-XXXXXX", folder ? folder : "/tmp");
    fd = mkstemp(trace);
    if (fd < 0)
        fail(trace);
    (void)snprintf(log, sizeof log, "%s.gfl", trace);
    big_trace_write(fd, kind, mib << 20);
    if (fstat(fd, &status) != 0 || close(fd) != 0)
        fail(trace);
    began = bench_now();
    if (run(trace, log, &usage) != 0)
        exit(1);
    (void)snprintf(name, sizeof name, "%s_%llu_time", big_trace_names[kind],
                   (unsigned long long)mib);
    bench_value(bench, name, "s", bench_now() - began, 0, false);
    (void)snprintf(name, sizeof name, "%s_%llu_file", big_trace_names[kind],
                   (unsigned long long)mib);
    bench_value(bench, name, "MiB", (double)status.st_size / (1 << 20), 0, false);
    (void)snprintf(name, sizeof name, "%s_%llu_memory", big_trace_names[kind],
                   (unsigned long long)mib);
    bench_value(bench, name, "MiB",
                (double)usage.ru_maxrss / 1024 - (double)big_trace_pages(kind) / PAGES_PER_MIB,
                TARGET_MIB, false);
    (void)unlink(trace);
    (void)unlink(log);
}

int main(void)
{
    const char *text = getenv("GFE_BENCH_MEMORY_MIB");
    const uint64_t mib = text ? strtoull(text, NULL, 10) : MIB_DEFAULT;
    struct bench *bench = bench_begin("bench_memory");

    for (int kind = 0; kind < BIG_TRACE_KINDS; kind++)
        measure(bench, (enum big_trace_kind)kind, mib);
    bench_note(bench, "memory: peak of the resident memory of gfe run, less the guest pages");
    return bench_end(bench);
}
