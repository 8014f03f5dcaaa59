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

#include "devices/simulation_snapshot.h"
#include "emu/digest.h"
#include "emu/hash.h"

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "snapshot_process: %s\n", what);
    exit(1);
}

/* A machine elsewhere: the first one keeps its place while the second is made. */
static struct simulation *wire(const struct replay_input *input, uintptr_t not_there)
{
    const struct simulation_options options = {0};
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(input, &options, &error);
    struct simulation *other;

    if (!simulation)
        fail(error.text);
    if ((uintptr_t)simulation->machine->arena.base != not_there)
        return simulation;
    other = simulation_new(input, &options, &error);
    simulation_free(simulation);
    if (!other)
        fail(error.text);
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

static void go_on(struct simulation *simulation, const char *trace_hash, const char *path)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot = simulation_snapshot_load(path, &error);
    char state[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];

    if (!snapshot || !simulation_restore(simulation, trace_hash, snapshot, path, &error) ||
        !simulation_run(simulation, GFE_PS_NEVER, &error))
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
    struct simulation *simulation;
    char trace_hash[HASH_HEX_BYTES];
    void *shift = malloc(123456); /* so that the heap is not the other process's either */

    if (argc != 4)
        fail("usage: snapshot_process TRACE SNAPSHOT ARENA");
    input = replay_load(argv[1], &error);
    if (!input || !hash_file(argv[1], trace_hash, &error))
        fail(error.text);
    simulation = wire(input, (uintptr_t)strtoumax(argv[3], NULL, 16));
    while (getchar() != EOF)
        go_on(simulation, trace_hash, argv[2]);
    simulation_free(simulation);
    replay_input_free(input);
    free(shift);
    return 0;
}
