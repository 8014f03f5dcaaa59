/* SPDX-License-Identifier: MIT */
/*
 * AMD's block dispatcher on a Radeon VII: ten million blocks from one queue, and from two ACEs with
 * blocks of two sizes, with jitter, the log packed and written to /dev/null.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/chunk.h"

enum { BLOCKS = 10000000, SMALL = 256, LARGE = 1024 };

struct subject {
    uint64_t blocks[2]; /* of ACE 0 and 1 */
    uint32_t threads[2];
    uint32_t done;
};

static void done(void *client, uint32_t ace, uint32_t queue, uint64_t grid_id)
{
    (void)ace;
    (void)queue;
    (void)grid_id;
    ((struct subject *)client)->done++;
}

static void launch(struct amd_dispatch *dispatch, const struct subject *subject, uint32_t ace)
{
    struct amd_launch made = {
        .ace = ace,
        .block_count = subject->blocks[ace],
        .kind = {.block_threads = subject->threads[ace], .vgprs = 24, .sgprs = 32},
        .cost = {.block_ps = UINT64_C(169000000) * subject->threads[ace] / LARGE,
                 .seed = 1,
                 .block_jitter_ppm = 110000,
                 .wave_jitter_ppm = 55000,
                 .cold_ppm = 220000},
    };

    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++)
        made.kind.cu_masks[i] = UINT32_MAX;
    if (amd_dispatch_fault(dispatch, &made) != AMD_LAUNCH_FITS)
        return;
    (void)amd_dispatch_launch(dispatch, &made);
}

static bool simulate(struct subject *subject, struct chunk_writer *writer)
{
    const struct machine_config config = {.gpu = "radeon-vii",
                                          .vram_bytes = 1 << 20,
                                          .sysmem_bytes = 1 << 20,
                                          .event_capacity = 512,
                                          .range_capacity = 64,
                                          .log = writer};
    struct gfe_error error = {0};
    struct machine *machine = machine_new(&config, &error);
    struct amd_dispatch dispatch = {.client = {.done = done, .client = subject}};
    uint32_t wanted = 0;
    bool good;

    if (!machine)
        return false;
    machine_add_tables(machine, &core_tables);
    machine_add_tables(machine, &amd_tables);
    amd_dispatch_wire(&dispatch, machine, amd_chip_by_name("radeon-vii"));
    good = machine_seal(machine, &error);
    subject->done = 0;
    for (uint32_t ace = 0; good && ace < 2; ace++)
        if (subject->blocks[ace] != 0) {
            launch(&dispatch, subject, ace);
            wanted++;
        }
    good = good && machine_run(machine, GFE_PS_NEVER) && subject->done == wanted &&
           event_log_finish(&machine->log, "{}", &error);
    machine_free(machine);
    return good;
}

static uint64_t run(void *context)
{
    struct subject *subject = context;
    struct gfe_error error = {0};
    FILE *file = fopen("/dev/null", "wb");
    struct chunk_writer *writer = file ? chunk_writer_new(fileno(file), "/dev/null", &error) : NULL;
    bool good = false;

    if (writer) {
        chunk_writer_use_thread(writer);
        good = simulate(subject, writer) && chunk_writer_finish(writer, &error);
    }
    chunk_writer_free(writer);
    if (file)
        (void)fclose(file);
    return good;
}

int main(void)
{
    static struct subject waves = {{BLOCKS}, {64}, 0}, small = {{BLOCKS}, {SMALL}, 0},
                          large = {{BLOCKS}, {LARGE}, 0},
                          both = {{BLOCKS / 5, 4 * (BLOCKS / 5)}, {LARGE, SMALL}, 0};
    static const struct {
        const char *name;
        struct subject *subject;
    } cases[] = {
        {"10,000,000 blocks of 64 threads", &waves},
        {"10,000,000 blocks of 256 threads", &small},
        {"10,000,000 blocks of 1,024 threads", &large},
        {"2,000,000 blocks of 1,024 threads against 8,000,000 of 256", &both},
    };
    struct bench *bench = bench_begin("bench_amd_dispatch");

    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        bench_run(bench, &(struct bench_case){.name = cases[i].name,
                                              .unit = "s",
                                              .target = 5,
                                              .repeats = 3,
                                              .subject = {"gfe", NULL, run, cases[i].subject, 0},
                                              .controls = {{"jumps", NULL, bench_jumps, NULL, 0}}});
    return bench_end(bench);
}
