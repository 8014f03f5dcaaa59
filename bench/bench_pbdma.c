/* SPDX-License-Identifier: MIT */
/*
 * The emulated PBDMA in its machine: GP entries of 61 dwords (eleven headers with four data dwords
 * of class state, a semaphore release with its interrupt) are put into a ring, rung and run, with
 * the log in memory.  No trace, no driver model, nothing on disk.  Control: memcpy of the dwords.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "tests/check_machine.h"
#include "tests/push_stream.h"

enum { ENTRIES = CHECK_RING_ENTRIES - 1, ROUNDS = 100 };

struct subject {
    struct check_machine check;
    struct push_stream stream;
    uint64_t first; /* address of the first segment */
    uint32_t *copy;
    uint64_t dwords_of_entry; /* 1: entries are counted, else dwords */
    bool begun;
};

static void prepare(void *context)
{
    struct subject *subject = context;
    struct check_machine *check = &subject->check;

    if (subject->begun)
        check_machine_end(check);
    subject->begun = true;
    check_machine_begin_channel(check, false);
    subject->first =
        check_machine_dwords(check, 0, subject->stream.dwords, subject->stream.dword_count);
}

static uint64_t run_pbdma(void *context)
{
    struct subject *subject = context;
    struct check_machine *check = &subject->check;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < ENTRIES; i++)
            check_machine_segment(check, 0, subject->first + 4 * (uint64_t)PUSH_STREAM_SEGMENT * i,
                                  PUSH_STREAM_SEGMENT, false);
        check_machine_ring(check, 0);
        if (!machine_run(check->machine, GFE_PS_NEVER))
            return 0;
    }
    return subject->dwords_of_entry * ROUNDS * ENTRIES;
}

static uint64_t run_copy(void *context)
{
    struct subject *subject = context;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        memcpy(subject->copy, subject->stream.dwords, 4 * (size_t)subject->stream.dword_count);
        __asm__ volatile("" : : "r"(subject->copy) : "memory");
    }
    return subject->dwords_of_entry * ROUNDS * ENTRIES;
}

static void time_entries(struct bench *bench, struct subject *subject, const char *unit,
                         uint64_t dwords_of_entry, double target)
{
    const struct bench_case one = {
        .name = "PBDMA, log in memory",
        .unit = unit,
        .target = target,
        .subject = {.name = "machine", .prepare = prepare, .run = run_pbdma, .context = subject},
        .controls = {{.name = "memcpy", .run = run_copy, .context = subject}},
    };

    subject->dwords_of_entry = dwords_of_entry;
    bench_run(bench, &one);
}

int main(void)
{
    struct bench *bench = bench_begin("pbdma");
    struct subject subject = {.begun = false};

    if (!push_stream_synthetic(&subject.stream, ENTRIES))
        return 1;
    for (uint32_t i = 0; i < ENTRIES; i++) /* the release goes where the check machine has memory */
        subject.stream.dwords[PUSH_STREAM_SEGMENT * i + 57] = (uint32_t)CHECK_DATA;
    subject.copy = malloc(4 * (size_t)subject.stream.dword_count);
    if (!subject.copy)
        return 1;
    time_entries(bench, &subject, "GP entries/s", 1, 1e6);
    time_entries(bench, &subject, "dwords/s", PUSH_STREAM_SEGMENT, 50e6);
    check_machine_end(&subject.check);
    push_stream_fini(&subject.stream);
    free(subject.copy);
    return bench_end(bench);
}
