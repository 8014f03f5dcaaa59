/* SPDX-License-Identifier: MIT */
/* Random scenarios of CUDA programs (docs/scenario.schema.json), on an NVIDIA GPU. */
#include <config.h>

#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/selftest/world_make.h"
#include "firmware-models/cuda/cuda.h"

enum { BLOCKS_MAX = 40, EVENTS = 3, STREAMS_MAX = 12, PASCAL = 0x130 };

static const char *const prefixes[] = {"core.", "nv.runlist.", "nv.ce.", "cuda.", "rm.", NULL};

static const struct maker_parameter parameters[] = {
    {"cuda.channels", 1, 8, 1},
    {"cuda.queue_depth", 1, 8, 1},
    {"cuda.call_ps", 0, 20, 1000000},
    {"cuda.submit_ps", 0, 5, 1000000},
    {"core.saved_blocks", 1, 64, 1},
    {"core.dispatch_cycles", 0, 40, 1},
    {"core.copy_rate_percent", 1, 100, 1},
    {"nv.pbdma.prefetch_entries", 1, 16, 1},
    {"nv.pbdma.prefetch_dwords", 1, 16, 64},
    {"nv.ce.credits", 1, 3, 1},
    {"nv.gr.context_load_cycles", 0, 40, 1000},
    {"rm.context_init_ps", 1, 50, 10000000},
};

static void stream_of(struct maker *maker, json_t *call, uint32_t streams)
{
    if (streams > 1)
        maker_set(maker, call, "stream",
                  maker_text(maker, "s%u", maker_between(maker, 0, streams - 1)));
}

/* A kernel that fits on an SM of every chip: shared memory up to 48 KiB less what the driver adds,
 * registers by the threads. */
static json_t *kernel(struct maker *maker)
{
    json_t *kernel = maker_object(maker);
    const uint32_t threads =
        maker_chance(maker, 50) ? 32 * maker_between(maker, 1, 32) : maker_between(maker, 1, 1024);
    uint32_t cluster, blocks;

    cluster = maker->has_clusters && maker_chance(maker, 30) ? 1U << maker_between(maker, 0, 4) : 1;
    blocks = cluster * maker_small(maker, BLOCKS_MAX);
    maker_set(maker, kernel, "blocks", maker_number(maker, blocks));
    maker_set(maker, kernel, "threads", maker_number(maker, threads));
    if (cluster > 1)
        maker_set(maker, kernel, "cluster", maker_number(maker, cluster));
    if (maker_chance(maker, 30))
        maker_set(maker, kernel, "shared_memory",
                  maker_number(maker, maker_small(maker, 47 * 1024)));
    if (maker_chance(maker, 20))
        maker_set(maker, kernel, "registers",
                  maker_number(maker, maker_between(maker, 16, threads > 512 ? 32 : 64)));
    if (maker_chance(maker, 10))
        maker_set(maker, kernel, "sm_mask",
                  maker->has_clusters && maker_chance(maker, 50)
                      ? maker_text(maker, "~%x", maker_between(maker, 1, 0xffff))
                      : maker_text(maker, "%x", maker_between(maker, 0, 1)));
    if (maker_chance(maker, 85))
        maker_set(maker, kernel, maker_chance(maker, 50) ? "work" : "spin",
                  maker_seconds(maker, UINT64_C(100) * maker_small(maker, 20000)));
    return kernel;
}

static json_t *copy(struct maker *maker)
{
    static const char *const directions[] = {"to device", "to host", "on device"};
    json_t *copy = maker_object(maker);

    maker_set(maker, copy, "bytes",
              maker_number(maker, maker_small(maker, maker_chance(maker, 50) ? 4096 : 1 << 22)));
    maker_set(maker, copy, "direction",
              maker_text(maker, "%s", directions[maker_between(maker, 0, 2)]));
    if (maker_chance(maker, 20))
        maker_set(maker, copy, "synchronous", json_true());
    if (maker_chance(maker, 10))
        maker_set(maker, copy, "engine", maker_text(maker, "graphics"));
    return copy;
}

static json_t *call(struct maker *maker, uint32_t streams)
{
    json_t *call = maker_object(maker), *fill;
    const uint32_t chance = maker_between(maker, 0, 99);

    if (chance < 45) {
        maker_set(maker, call, "launch", kernel(maker));
    } else if (chance < 65) {
        maker_set(maker, call, "copy", copy(maker));
    } else if (chance < 72) {
        fill = maker_object(maker);
        maker_set(maker, fill, "bytes", maker_number(maker, maker_small(maker, 1 << 20)));
        maker_set(maker, call, "memset", fill);
    } else if (chance < 79) {
        maker_set(maker, call, "sleep", maker_seconds(maker, 1000 * maker_small(maker, 500)));
        return call;
    } else if (chance < 87) {
        const bool device = maker_chance(maker, 50);

        maker_set(maker, call, "synchronize", maker_text(maker, device ? "device" : "stream"));
        if (device)
            return call;
    } else {
        maker_set(maker, call, chance < 94 ? "record" : "wait",
                  maker_text(maker, "e%u", maker_between(maker, 1, EVENTS)));
    }
    stream_of(maker, call, streams);
    return call;
}

static json_t *task(struct maker *maker, uint32_t streams)
{
    json_t *task = maker_object(maker), *calls = maker_array(maker);

    for (uint32_t i = maker_small(maker, 8); i > 0; i--)
        maker_add(maker, calls, call(maker, streams));
    maker_set(maker, task, "calls", calls);
    if (streams > 1)
        stream_of(maker, task, streams);
    if (maker_chance(maker, 40))
        maker_set(maker, task, "iterations", maker_number(maker, maker_between(maker, 1, 4)));
    if (maker_chance(maker, 30))
        maker_set(maker, task, "release", maker_seconds(maker, 100 * maker_small(maker, 10000)));
    if (maker_chance(maker, 20))
        maker_set(maker, task, "period", maker_seconds(maker, 1000 * maker_small(maker, 2000)));
    return task;
}

static json_t *streams_of(struct maker *maker, uint32_t count, uint32_t levels)
{
    json_t *streams = maker_array(maker);

    for (uint32_t i = 0; i < count; i++) {
        json_t *stream = maker_object(maker);
        const bool null = i == 0 && maker_chance(maker, 30);

        maker_set(maker, stream, "name", maker_text(maker, "s%u", i));
        if (null)
            maker_set(maker, stream, "kind", maker_text(maker, "null"));
        else if (maker_chance(maker, 30))
            maker_set(maker, stream, "kind", maker_text(maker, "non-blocking"));
        if (!null && maker_chance(maker, 30))
            maker_set(maker, stream, "priority",
                      maker_number(maker, maker_between(maker, 0, levels - 1)));
        maker_add(maker, streams, stream);
    }
    return streams;
}

/* A client of MPS makes no context of its own, so it has no start. */
static json_t *process(struct maker *maker, uint32_t levels, bool has_start)
{
    json_t *process = maker_object(maker), *tasks = maker_array(maker);
    const uint32_t streams = maker_small(maker, STREAMS_MAX);

    maker_set(maker, process, "streams", streams_of(maker, streams, levels));
    for (uint32_t i = maker_small(maker, 4); i > 0; i--)
        maker_add(maker, tasks, task(maker, streams));
    maker_set(maker, process, "tasks", tasks);
    if (maker_chance(maker, 10))
        maker_set(maker, process, "default_stream", maker_text(maker, "per-thread"));
    if (has_start)
        maker_set(maker, process, "start", maker_seconds(maker, 1000 * maker_small(maker, 1000)));
    return process;
}

/* A GPU for which the model of the resource manager is (Pascal and later); not those of the poster,
 * whose SM is a pool of some threads. */
static const struct nv_chip *chip(struct maker *maker)
{
    for (;;) {
        const struct nv_chip *chip = nv_chips[maker_between(maker, 0, nv_chip_count - 1)];

        if (strncmp(chip->name, "yang", 4) != 0 && chip->chip_id >= PASCAL)
            return chip;
    }
}

void world_make_cuda(struct maker *maker, json_t *world)
{
    const struct nv_chip *model = chip(maker);
    json_t *program = maker_object(maker), *processes = maker_array(maker);
    const bool mps = maker_chance(maker, 15);

    maker->has_clusters = model->class_compute >= HOPPER_COMPUTE_A;
    maker_set(maker, program, "gfe_scenario", maker_number(maker, 1));
    for (uint32_t i = maker_small(maker, 4); i > 0; i--)
        maker_add(maker, processes,
                  process(maker, cuda_priority_levels(model), !mps && maker_chance(maker, 10)));
    maker_set(maker, program, "processes", processes);
    if (mps)
        maker_set(maker, program, "mps", json_true());
    maker_set(maker, world, "gpu", maker_text(maker, "%s", model->name));
    maker_settings(maker, world, prefixes, parameters, sizeof parameters / sizeof parameters[0]);
    maker_set(maker, world, "program", program);
}
