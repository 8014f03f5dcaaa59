/* SPDX-License-Identifier: MIT */
/*
 * A scenario of 1,000,192 blocks: 64 streams of four kernels with 3,907 blocks each, on a GTX 1080
 * Ti and on an A100, the log written to a file as by `gfe run -o`; and what gfe explain takes for
 * that log: the lives of all its operations, beside the stories of the calls.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/analysis/check/check.h"
#include "emu/log/chunk.h"
#include "emu/analysis/explain/explain.h"
#include "emu/analysis/story/explain_story.h"

enum { STREAMS = 64, KERNELS = 4, BLOCKS = 3907, TEXT_BYTES = 1 << 17, PATH_BYTES = 32 };

struct subject {
    const char *gpu;
    struct scenario *scenario;
    char path[PATH_BYTES]; /* of its log */
    struct gfe_error error;
};

static char *scenario_text(void)
{
    char *text = malloc(TEXT_BYTES);
    FILE *file = text ? fmemopen(text, TEXT_BYTES, "w") : NULL;

    if (!file)
        abort();
    fprintf(file, "{\"gfe_scenario\":1,\"name\":\"million\",\"processes\":[{\"streams\":[");
    for (uint32_t s = 0; s < STREAMS; s++)
        fprintf(file, "%s{\"name\":\"s%u\"}", s ? "," : "", s);
    fprintf(file, "],\"tasks\":[");
    for (uint32_t s = 0; s < STREAMS; s++) {
        fprintf(file, "%s{\"stream\":\"s%u\",\"calls\":[", s ? "," : "", s);
        for (uint32_t k = 0; k < KERNELS; k++)
            fprintf(file,
                    "%s{\"launch\":{\"name\":\"S%u K%u\",\"blocks\":%u,\"threads\":128,"
                    "\"work\":0.00002}}",
                    k ? "," : "", s, k, (unsigned)BLOCKS);
        fprintf(file, "]}");
    }
    fprintf(file, "]}]}");
    if (fclose(file) != 0)
        abort();
    return text;
}

static void begin(struct subject *subject)
{
    const struct nv_chip model = {
        .sm = {.threads_per_block = 1024, .shared_bytes_per_block = 32768}};
    const struct scenario_options options = {.priority_levels = 2, .model = &model};
    char *text = scenario_text();
    int fd;

    subject->scenario = scenario_parse(text, strlen(text), "million", &options, &subject->error);
    free(text);
    (void)snprintf(subject->path, sizeof subject->path, "/tmp/gfe-bench-XXXXXX");
    fd = mkstemp(subject->path);
    if (!subject->scenario || fd < 0)
        abort();
    (void)close(fd);
}

static void end(struct subject *subject)
{
    scenario_free(subject->scenario);
    (void)unlink(subject->path);
}

static bool simulate(struct subject *subject, struct chunk_writer *writer)
{
    const struct simulation_options options = {.gpu = subject->gpu, .log = writer};
    struct simulation *simulation =
        simulation_new_scenario(subject->scenario, &options, &subject->error);
    const bool done = simulation && simulation_log_head(simulation, "-", &subject->error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &subject->error) &&
                      simulation_log_end(simulation, &subject->error) &&
                      chunk_writer_finish(writer, &subject->error);

    simulation_free(simulation);
    return done;
}

static uint64_t run_simulation(void *context)
{
    struct subject *subject = context;
    FILE *file = fopen(subject->path, "wb");
    struct chunk_writer *writer =
        file ? chunk_writer_new(fileno(file), subject->path, &subject->error) : NULL;
    bool done = false;

    if (writer) {
        chunk_writer_use_thread(writer);
        done = simulate(subject, writer);
    }
    chunk_writer_free(writer);
    return (file && fclose(file) == 0) && done;
}

static uint64_t run_explain(void *context)
{
    struct subject *subject = context;
    struct event_log_reader *log = event_log_open(subject->path, &subject->error);
    struct explain explain;
    bool done = false;

    if (log && explain_load(&explain, log, &subject->error)) {
        done = explain.block_count == STREAMS * KERNELS * BLOCKS;
        explain_fini(&explain);
    }
    event_log_close(log);
    return done;
}

static uint64_t run_story(void *context)
{
    struct subject *subject = context;
    struct event_log_reader *log = event_log_open(subject->path, &subject->error);
    struct story story;
    bool done = false;

    if (log && story_load(&story, log, NULL, &subject->error)) {
        struct story_life life = {0};

        done = story.operation_count == STREAMS * KERNELS;
        for (uint32_t i = 0; i < story.operation_count; i++)
            done = done && story_life(&story, (struct story_subject){i, STORY_NONE}, &life);
        story_life_fini(&life);
        story_fini(&story);
    }
    event_log_close(log);
    return done;
}

int main(void)
{
    static struct subject pascal = {.gpu = "gtx1080ti"}, ampere = {.gpu = "a100"};
    struct bench *bench = bench_begin("bench_scenario");

    begin(&pascal);
    begin(&ampere);
    bench_run(bench, &(struct bench_case){.name = "1,000,192 blocks of 64 streams on a GTX 1080 Ti",
                                          .unit = "s",
                                          .target = 1,
                                          .repeats = 5,
                                          .subject = {"gfe", NULL, run_simulation, &pascal, 0}});
    bench_run(bench, &(struct bench_case){.name = "1,000,192 blocks of 64 streams on an A100",
                                          .unit = "s",
                                          .target = 1,
                                          .repeats = 5,
                                          .subject = {"gfe", NULL, run_simulation, &ampere, 0}});
    bench_run(bench, &(struct bench_case){.name = "what gfe explain makes of that log",
                                          .unit = "s",
                                          .target = 2,
                                          .repeats = 5,
                                          .subject = {"lives", NULL, run_explain, &ampere, 0},
                                          .controls = {{"stories", NULL, run_story, &ampere, 0}}});
    end(&pascal);
    end(&ampere);
    return bench_end(bench);
}
