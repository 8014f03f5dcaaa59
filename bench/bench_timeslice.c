/* SPDX-License-Identifier: MIT */
/*
 * Time-slicing: two TSGs with graphics work that does not end take turns on one runlist of a
 * GTX 1060, in slices of 1,048.576 us.  What an hour of simulated time takes (3.4 million
 * switches), the log written to a file as by `gfe run -o`; and what a switch takes beside 2 and
 * beside 4,094 idle channels, with the log in memory.
 */
#include <config.h>

#include <stdio.h>

#include "bench/bench.h"
#include "emu/log/chunk.h"
#include "tests/check_machine.h"

enum { RUNLIST = CHECK_RUNLISTS, CCSR = 0x800000, SWITCHES = 50000, IDLE_MANY = 4094 };
#define DRAW     PB_IMMD(0, 0x19d0, 1)
#define SLICE_PS (UINT64_C(128) * 8 * 1024 * 1000)
#define HOUR_PS  (UINT64_C(3600) * 1000 * 1000 * GFE_PS_PER_US)

struct subject {
    struct check_machine check;
    uint32_t idle; /* channels on the list that have nothing to do */
    gfe_ps until_ps;
    bool has_log; /* a file; else it is kept in memory */
    bool begun;
    struct chunk_writer *writer;
    FILE *file;
    struct gfe_error error;
};

/* TSGs of one channel each: the two that work stand apart. */
static void put_list(struct subject *subject)
{
    struct check_machine *check = &subject->check;
    const uint32_t count = subject->idle + 2;

    for (uint32_t id = 0; id < count; id++) {
        const uint32_t place = id == 1 ? count - 1 : id == count - 1 ? 1 : id;

        check_machine_poke_vram(check, RUNLIST + 16 * place,
                                1u << 26 | 128u << 18 | 3u << 14 | 0x2000 | id);
        check_machine_poke_vram(check, RUNLIST + 16 * place + 8, id);
        if (id >= 2)
            machine_write32(check->machine, CCSR + 4 + 8 * id, 0x400);
    }
    machine_write32(check->machine, 0x2270, RUNLIST >> 12);
    machine_write32(check->machine, 0x2274, 2 * count);
}

static void end(struct subject *subject)
{
    if (subject->begun)
        check_machine_end(&subject->check);
    chunk_writer_free(subject->writer);
    if (subject->file)
        (void)fclose(subject->file);
    subject->begun = false;
    subject->writer = NULL;
    subject->file = NULL;
}

/* A temporary file without a name, and the thread that compresses what goes there. */
static bool begin_log(struct subject *subject)
{
    subject->file = tmpfile();
    if (!subject->file)
        return false;
    subject->writer = chunk_writer_new(fileno(subject->file), "the event log", &subject->error);
    if (!subject->writer)
        return false;
    chunk_writer_use_thread(subject->writer);
    check_machine_begin_log(&subject->check, subject->writer);
    return true;
}

static void prepare(void *context)
{
    struct subject *subject = context;
    struct check_machine *check = &subject->check;

    end(subject);
    if (!subject->has_log)
        check_machine_begin(check, false);
    else if (!begin_log(subject))
        return;
    subject->begun = true;
    if (!machine_set_parameter(check->machine, "nv.draw_ps", 4 * HOUR_PS))
        return;
    for (uint32_t id = 0; id < 2; id++)
        check_machine_channel(check, id);
    put_list(subject);
    for (uint32_t id = 0; id < 2; id++)
        CHECK_SUBMIT(check, id, DRAW);
}

/* Switches that there were: what the slices of SLICE_PS come to.  To the last byte of the log. */
static uint64_t run(void *context)
{
    struct subject *subject = context;

    if (!subject->begun || !machine_run(subject->check.machine, subject->until_ps))
        return 0;
    if (subject->writer &&
        !(event_log_finish(&subject->check.machine->log, "{}", &subject->error) &&
          chunk_writer_finish(subject->writer, &subject->error)))
        return 0;
    return subject->until_ps / SLICE_PS;
}

static uint64_t run_hour(void *context)
{
    return run(context) > 0;
}

int main(void)
{
    static struct subject hour = {.idle = 0, .until_ps = HOUR_PS, .has_log = true};
    static struct subject few = {.idle = 2, .until_ps = SWITCHES * SLICE_PS};
    static struct subject many = {.idle = IDLE_MANY, .until_ps = SWITCHES * SLICE_PS};
    struct bench *bench = bench_begin("bench_timeslice");

    bench_run(bench, &(struct bench_case){.name = "an hour of two TSGs",
                                          .unit = "s",
                                          .target = 2,
                                          .repeats = 3,
                                          .subject = {"gfe", prepare, run_hour, &hour, 0}});
    bench_run(bench, &(struct bench_case){.name = "a switch beside 4,094 idle channels",
                                          .unit = "ns",
                                          .subject = {"4,094 idle", prepare, run, &many, 1 / 1.2},
                                          .controls = {{"2 idle", prepare, run, &few, 0}}});
    end(&hour);
    end(&few);
    end(&many);
    return bench_end(bench);
}
