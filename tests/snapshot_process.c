/* SPDX-License-Identifier: MIT */
/*
 * usage: snapshot_process TRACE SNAPSHOT ARENA
 *
 * The second process of tests/test_snapshot.c.  For each byte on standard input it reads the file
 * SNAPSHOT, restores it into a machine of its own whose arena does not lie at the address ARENA
 * (hexadecimal, the first process's), runs to the end and prints one line: the hash of the state,
 * the hash of the whole log, the address of its arena.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/base/digest.h"

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "snapshot_process: %s\n", what);
    exit(1);
}

/* A machine elsewhere: the first one keeps its place while the second is made. */
static struct any_simulation wire(const struct replay_input *input, uintptr_t not_there)
{
    const struct any_program program = {.input = input};
    const struct simulation_options options = {0};
    struct gfe_error error = {0};
    struct any_simulation simulation, other;

    if (!any_simulation_new(&program, &options, &simulation, &error))
        fail(error.text);
    if ((uintptr_t)simulation.machine->arena.base != not_there)
        return simulation;
    if (!any_simulation_new(&program, &options, &other, &error))
        fail(error.text);
    any_simulation_free(&simulation);
    return other;
}

static void log_hash(const struct machine *machine, char hex[DIGEST_HEX_BYTES])
{
    struct digest digest;
    uint64_t bytes;
    const uint8_t *log = event_log_bytes(&machine->log, &bytes);

    digest_start(&digest);
    digest_add(&digest, log, bytes);
    digest_end_hex(&digest, hex);
}

static void go_on(struct any_simulation *simulation, const char *path)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot = simulation_snapshot_load(path, &error);
    char state[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];

    if (!snapshot || !any_simulation_restore(simulation, snapshot, path, &error) ||
        !any_simulation_run(simulation, GFE_PS_NEVER, &error))
        fail(error.text);
    simulation_snapshot_free(snapshot);
    if (!machine_hash(simulation->machine, state))
        fail("no memory");
    log_hash(simulation->machine, log);
    printf("%s %s %" PRIxPTR "\n", state, log, (uintptr_t)simulation->machine->arena.base);
    if (fflush(stdout) != 0)
        fail("cannot write");
}

int main(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct replay_input *input;
    struct any_simulation simulation;
    void *shift = malloc(123456); /* so that the heap is not the other process's either */

    if (argc != 4)
        fail("usage: snapshot_process TRACE SNAPSHOT ARENA");
    input = replay_load(argv[1], &error);
    if (!input)
        fail(error.text);
    simulation = wire(input, (uintptr_t)strtoumax(argv[3], NULL, 16));
    while (getchar() != EOF)
        go_on(&simulation, argv[2]);
    any_simulation_free(&simulation);
    replay_input_free(input);
    free(shift);
    return 0;
}
