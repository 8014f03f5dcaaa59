/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/sim/simulation.h"
#include "tests/fuzz/fuzz_pool.h"
#include "tests/fuzz/fuzz_records.h"

enum {
    FUZZ_STEPS_MAX = 20000, /* events of one input; more are cut off, and that is no finding */
    FUZZ_LOG_BYTES_MAX = 4 << 20,
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* ---- replay ---------------------------------------------------------------------------------- */

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool good)
{
    must(good == (error->kind == ERROR_NONE));
    must(good == (error->text[0] == 0));
    must(!strchr(error->text, '\n'));
}

static void simulation_try(struct replay_input *input, bool open_loop, bool fresh,
                           struct check_machine_hashes *hashes)
{
    static const struct simulation_setting parameters[] = {{"core.largest_grid_blocks", "200"},
                                                           {"core.largest_copy_bytes", "65536"}};
    const struct simulation_options options = {
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof parameters[0],
        .open_loop = open_loop,
        .pool = fresh ? NULL : fuzz_pool(),
    };
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(input, &options, &error);

    error_check(&error, simulation != NULL);
    if (!simulation)
        return;
    for (uint32_t steps = 0; steps < FUZZ_STEPS_MAX; steps++)
        if (!machine_step(simulation->machine) ||
            simulation->machine->log.cursor->byte_count > FUZZ_LOG_BYTES_MAX)
            break;
    if (event_queue_next_ps(&simulation->machine->queue) == GFE_PS_NEVER)
        error_check(&error, simulation_run(simulation, GFE_PS_NEVER, &error));
    if (hashes)
        check_machine_hash(simulation->machine, hashes);
    simulation_free(simulation);
}

void fuzz_replay_hash(const uint8_t *data, size_t bytes, bool fresh,
                      struct check_machine_hashes *hashes)
{
    const int fd = fuzz_records(data, bytes);
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[40];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    input = replay_load(path, &error);
    error_check(&error, input != NULL);
    if (input)
        simulation_try(input, bytes > 0 && data[bytes - 1] & 1, fresh, hashes);
    replay_input_free(input);
    close(fd);
}

int fuzz_replay(const uint8_t *data, size_t bytes)
{
    fuzz_replay_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_replay(data, bytes);
}
#endif
