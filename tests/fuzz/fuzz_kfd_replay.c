/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_kfd_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/sim/kfd_simulation.h"
#include "tests/fuzz/fuzz_pool.h"
#include "tests/fuzz/fuzz_records.h"

enum { EVENTS_MAX = 20000, MEMORY_MAX = 64 << 20 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool good)
{
    must(good == (error->kind == ERROR_NONE));
    must(good == (error->text[0] == 0));
    must(!strchr(error->text, '\n'));
}

static void simulation_try(const struct replay_input *input, bool open_loop, bool fresh,
                           struct check_machine_hashes *hashes)
{
    const struct simulation_options options = {.open_loop = open_loop,
                                               .max_events = EVENTS_MAX,
                                               .max_time_ps = GFE_PS_PER_S,
                                               .max_memory_bytes = MEMORY_MAX,
                                               .pool = fresh ? NULL : fuzz_pool()};
    struct gfe_error error = {0};
    struct kfd_simulation *simulation = kfd_simulation_new(input, &options, &error);

    error_check(&error, simulation != NULL);
    if (simulation)
        error_check(&error, kfd_simulation_run_until(simulation, GFE_PS_NEVER, &error) &&
                                kfd_simulation_log_end(simulation, &error));
    if (simulation && hashes)
        check_machine_hash(simulation->machine, hashes);
    kfd_simulation_free(simulation);
}

void fuzz_kfd_replay_hash(const uint8_t *data, size_t bytes, bool fresh,
                          struct check_machine_hashes *hashes)
{
    const int fd = fuzz_records(data, bytes);
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[40];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    input = replay_load(path, &error);
    error_check(&error, input != NULL);
    if (input && kfd_simulation_is(input))
        simulation_try(input, bytes > 0 && data[bytes - 1] & 1, fresh, hashes);
    replay_input_free(input);
    close(fd);
}

int fuzz_kfd_replay(const uint8_t *data, size_t bytes)
{
    fuzz_kfd_replay_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_kfd_replay(data, bytes);
}
#endif
