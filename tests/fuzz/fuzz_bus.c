/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/sim/bare_gpu.h"
#include "emu/sim/simulation.h"
#include "tests/fuzz/fuzz_pool.h"
#include "traces/import/import_bus.h"

enum { EVENTS_MAX = 20000, MEMORY_MIB = 64 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* One line, of a kind that a file from anywhere may cause. */
static void message_must_be_good(const struct gfe_error *error)
{
    must(error->kind == ERROR_INPUT || error->kind == ERROR_LIMIT || error->kind == ERROR_USAGE);
    must(error->text[0] != 0 && !strchr(error->text, '\n'));
}

static void must_run(int fd, bool fresh, struct check_machine_hashes *hashes)
{
    const struct simulation_options options = {.max_events = EVENTS_MAX,
                                               .max_memory_bytes = (uint64_t)MEMORY_MIB << 20,
                                               .pool = fresh ? NULL : fuzz_pool()};
    struct gfe_error error = {0};
    struct simulation *simulation;
    struct replay_input *input;
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    input = replay_load(path, &error);
    must(input != NULL);
    simulation = simulation_new(input, &options, &error);
    must(simulation != NULL);
    if (!simulation_run(simulation, GFE_PS_NEVER, &error))
        message_must_be_good(&error);
    if (hashes)
        check_machine_hash(simulation->machine, hashes);
    simulation_free(simulation);
    replay_input_free(input);
}

void fuzz_bus_hash(const uint8_t *data, size_t bytes, bool fresh,
                   struct check_machine_hashes *hashes)
{
    static const uint8_t nothing;
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct gfe_error error = {0};
    /* fmemopen() wants a place also for no bytes, and takes no const. */
    FILE *file = bytes > 0 ? fmemopen((void *)(uintptr_t)data, bytes, "rb")
                           : fmemopen((void *)(uintptr_t)&nothing, 0, "rb");

    must(fd >= 0 && file);
    if (import_bus(file, "fuzz", fd, "trace", fresh ? &bare_gpu_chips : &fuzz_bare_chips, &error))
        must_run(fd, fresh, hashes);
    else
        message_must_be_good(&error);
    fclose(file);
    close(fd);
}

int fuzz_bus(const uint8_t *data, size_t bytes)
{
    fuzz_bus_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_bus(data, bytes);
}
#endif
