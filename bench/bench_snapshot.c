/* SPDX-License-Identifier: MIT */
/*
 * What snapshots cost, in the middle of a recorded replay, with N guest pages written since the
 * last:
 *
 *     take_N         machine_take()
 *     first_write_N  the first write to each of N pages after it, which copies the page
 *     restore_N      machine_restore() to the last one
 *     save, load     a file of all of it
 *
 * beside memcpy of N pages and of the arena's pages that are not zeroes: what could not be less if
 * nothing were shared.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/bench.h"
#include "emu/sim/simulation_snapshot.h"

enum { PAGES_MAX = 4096, EVENTS = 250 };

static struct replay_input *input;
static struct any_simulation simulation;
static struct machine *machine;
static struct machine_snapshot *last;
static struct simulation_snapshot *whole;
static uint32_t page_count; /* N of the case at hand */
static uint32_t arena_pages;
static uint8_t word, *from, *to;
static char path[] = "/tmp/gfe-bench-XXXXXX";

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_snapshot: %s\n", what);
    exit(1);
}

/* One byte in each of N pages at the end of video memory, and a little of the arena. */
static uint64_t touch(void *context)
{
    const uint64_t at = machine->config.vram_bytes - (uint64_t)PAGES_MAX * MEMORY_PAGE_BYTES;

    (void)context;
    word++;
    for (uint32_t i = 0; i < page_count; i++)
        if (!machine_write(machine, MEMORY_VRAM, at + (uint64_t)i * MEMORY_PAGE_BYTES, &word, 1))
            fail("no memory");
    machine->state->next_operation_id++;
    return 1;
}

static uint64_t take(void *context)
{
    struct machine_snapshot *snapshot = machine_take(machine);

    (void)context;
    if (!snapshot)
        fail("no memory");
    machine_snapshot_free(last);
    last = snapshot;
    return 1;
}

static uint64_t restore(void *context)
{
    (void)context;
    return machine_restore(machine, last);
}

static void prepare_touch(void *context)
{
    (void)touch(context);
}

static void prepare_take(void *context)
{
    (void)take(context);
}

static uint64_t copy(void *context)
{
    (void)context;
    memcpy(to, from, (size_t)(page_count + arena_pages) * MEMORY_PAGE_BYTES);
    from[0] += to[1];
    return 1;
}

static uint64_t save(void *context)
{
    struct gfe_error error = {0};

    (void)context;
    if (!simulation_snapshot_save(whole, path, &error))
        fail(error.text);
    return 1;
}

static uint64_t load(void *context)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot = simulation_snapshot_load(path, &error);

    (void)context;
    if (!snapshot)
        fail(error.text);
    simulation_snapshot_free(snapshot);
    return 1;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void begin(void)
{
    const char *folder = getenv("top_srcdir");
    const struct simulation_options options = {0};
    struct any_program program = {0};
    struct gfe_error error = {0};
    char trace[4096];
    int fd;

    (void)snprintf(trace, sizeof trace, "%s/tests/golden/compute.gft", folder ? folder : ".");
    input = replay_load(trace, &error);
    program.input = input;
    if (!input || !any_simulation_new(&program, &options, &simulation, &error))
        fail(error.text);
    machine = simulation.machine;
    for (uint32_t i = 0; i < EVENTS; i++)
        if (!machine_step(machine))
            fail("the run is over too soon");
    whole = any_simulation_take(&simulation, &error);
    from = calloc(PAGES_MAX + 1024, MEMORY_PAGE_BYTES);
    to = calloc(PAGES_MAX + 1024, MEMORY_PAGE_BYTES);
    fd = mkstemp(path);
    if (!whole || !from || !to || fd < 0)
        fail("cannot begin");
    (void)close(fd);
    for (uint32_t i = 0; i < whole->machine->arena->page_count; i++)
        arena_pages += whole->machine->arena->pages[i] != NULL;
}

static void one_case(struct bench *bench, const char *what, const struct bench_subject *subject)
{
    char name[40];
    const struct bench_case one = {
        .name = name, .unit = "us", .subject = *subject, .controls = {{"memcpy", .run = copy}}};

    (void)snprintf(name, sizeof name, "%s_%u", what, page_count);
    bench_run(bench, &one);
}

int main(void)
{
    static const uint32_t counts[] = {0, 16, 256, PAGES_MAX};
    const struct bench_case saving = {
        .name = "save", .unit = "us", .subject = {.name = "save", .run = save}};
    const struct bench_case loading = {
        .name = "load", .unit = "us", .subject = {.name = "load", .run = load}};
    struct bench *bench = bench_begin("bench_snapshot");
    struct stat status;

    begin();
    bench_run(bench, &saving);
    bench_run(bench, &loading);
    if (stat(path, &status) != 0 || unlink(path) != 0)
        fail("the file is gone");
    bench_value(bench, "file", "bytes", (double)status.st_size, 0, false);
    bench_value(bench, "arena", "bytes", (double)machine->arena.used_bytes, 0, false);
    bench_value(bench, "arena_not_zero", "bytes", (double)arena_pages * ARENA_PAGE_BYTES, 0, false);
    bench_value(bench, "guest_pages", "pages", (double)machine->memory.slot_count, 0, false);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        page_count = counts[i];
        one_case(bench, "take",
                 &(struct bench_subject){"take", .prepare = prepare_touch, .run = take});
        one_case(bench, "first_write",
                 &(struct bench_subject){"write", .prepare = prepare_take, .run = touch});
        one_case(bench, "restore",
                 &(struct bench_subject){"restore", .prepare = prepare_touch, .run = restore});
    }
    machine_snapshot_free(last);
    simulation_snapshot_free(whole);
    any_simulation_free(&simulation);
    replay_input_free(input);
    free(from);
    free(to);
    return bench_end(bench);
}
