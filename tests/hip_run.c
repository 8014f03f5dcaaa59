/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "tests/hip_run.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/hip_simulation.h"
#include "emu/sim/kfd_simulation.h"
#include "tests/simulation_calls.h"

#define CONFIG(plugins) "{\"name\": \"test\", \"plugins\": [" plugins "]}"
#define PLUGIN(label, side, blocks, rest)                                                          \
    "{\"filename\": \"bin/matrix_multiply.so\", \"label\": \"" label                               \
    "\", \"thread_count\": [" side ", " side "], \"block_count\": " blocks rest "}"
#define MASK(bits)  ", \"compute_unit_mask\": \"" bits "\""
#define TWICE       ", \"max_iterations\": 2"
#define TEN(bits)   bits bits bits bits bits bits bits bits bits bits
#define A_UP_TO_57  TEN("10") TEN("10") "101010101010101010"
#define B_MASK      MASK(TEN("01") TEN("01") TEN("01"))
#define BIG(mask)   PLUGIN("big", "32", "96", TWICE mask)
#define SMALL(mask) PLUGIN("small", "16", "640", mask)

const char hip_run_shared[] = CONFIG(BIG("") ", " SMALL(""));
const char hip_run_even[] = CONFIG(BIG(MASK(A_UP_TO_57 "10")) ", " SMALL(B_MASK));
const char hip_run_uneven[] = CONFIG(BIG(MASK(A_UP_TO_57 "11")) ", " SMALL(B_MASK));

#define FEW(label, rest) PLUGIN(label, "16", "200", TWICE rest)
const char hip_run_crowd[] = CONFIG(
    FEW("a", "") ", " FEW("b", "") ", " FEW("c", "") ", " FEW("d", "") ", " FEW("e", "") ", " FEW("f", "") ", " FEW(
        "g",
        MASK(
            "1")) ", " FEW("h",
                           MASK(
                               "01")) ", " FEW("i",
                                               MASK(
                                                   "1111")) ", " FEW("j",
                                                                     MASK(
                                                                         "00001111")) ", " FEW("k",
                                                                                               MASK(
                                                                                                   "11")));

/* 33 queues of their own, and the runtime's two, on 24 slots. */
#define ONE PLUGIN("many", "8", "1", MASK("1111") ", \"max_iterations\": 40")
const char hip_run_many[] = CONFIG(TEN(ONE ", ") TEN(ONE ", ") TEN(ONE ", ") ONE ", " ONE ", " ONE);
/* The same with hundreds of blocks each, on the same four CUs. */
#define LONG PLUGIN("long", "16", "150", TWICE MASK("1111"))
const char hip_run_long[] =
    CONFIG(TEN(LONG ", ") TEN(LONG ", ") TEN(LONG ", ") LONG ", " LONG ", " LONG);

static void opened(struct hip_run *run, bool good, struct gfe_error *error)
{
    ck_assert_msg(good && gpu_find_limits("radeon-vii", NULL, &run->limits), "%s", error->text);
    run->log = event_log_open(run->file.path, error);
    ck_assert_msg(run->log != NULL, "%s", error->text);
}

void hip_run_begin(struct hip_run *run, const char *config, const struct simulation_setting *choice)
{
    struct memory_file text = memory_file_new(config, strlen(config));
    struct simulation_options options = {
        .gpu = "radeon-vii", .choices = choice, .choice_count = choice != NULL};
    struct gfe_error error = {0};
    struct hip_simulation *simulation;
    bool good;

    run->file = memory_file_new("", 0);
    options.log = chunk_writer_new(run->file.fd, "log", &error);
    simulation = hip_simulation_new(text.path, &options, NULL, 0, &error);
    good = simulation && hip_simulation_run(simulation, &error) &&
           chunk_writer_finish(options.log, &error);
    hip_simulation_free(simulation);
    chunk_writer_free(options.log);
    memory_file_free(&text);
    opened(run, good, &error);
}

void hip_run_replay(struct hip_run *run)
{
    hip_run_replay_of(run, "kfd_kernels");
}

void hip_run_replay_of(struct hip_run *run, const char *recording)
{
    const char *folder = getenv("top_srcdir");
    struct simulation_options options = {0};
    struct kfd_simulation *simulation;
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[4096];
    bool good;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", recording);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    run->file = memory_file_new("", 0);
    options.log = chunk_writer_new(run->file.fd, "log", &error);
    simulation = kfd_simulation_new(input, &options, &error);
    good = simulation && kfd_simulation_run(simulation, &error) &&
           chunk_writer_finish(options.log, &error);
    kfd_simulation_free(simulation);
    chunk_writer_free(options.log);
    replay_input_free(input);
    opened(run, good, &error);
}

void hip_run_reopen(struct hip_run *run)
{
    struct gfe_error error = {0};

    event_log_close(run->log);
    run->log = event_log_open(run->file.path, &error);
    ck_assert_msg(run->log != NULL, "%s", error.text);
}

void hip_run_end(struct hip_run *run)
{
    event_log_close(run->log);
    memory_file_free(&run->file);
}
