/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bench/bench_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "devices/core/core_events.h"
#include "emu/engine/arena.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_head.h"
#include "tests/event_log_append.h"

enum { CYCLE_PS = 664 };

struct log_writer {
    const struct bench_blocks *shape;
    struct arena arena;
    struct event_log log;
    gfe_ps now_ps;
    uint64_t random;
};

static void add(struct log_writer *writer, uint16_t kind, uint64_t a, uint64_t b, uint64_t c,
                uint64_t d)
{
    struct log_event event = {.time_ps = writer->now_ps, .kind = kind, .argument = {a, b, c, d}};

    for (uint32_t i = 0; i < core_tables.event_count; i++)
        if (TABLE_CORE + i == kind)
            while (event.argument_count < EVENT_ARGUMENTS_MAX &&
                   core_tables.events[i].arguments[event.argument_count])
                event.argument_count++;
    event_log_append(&writer->log, &event);
}

/* Between one cycle and the next block a few are left out, more or less by chance. */
static gfe_ps pause_ps(struct log_writer *writer)
{
    writer->random = writer->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return CYCLE_PS + (writer->random >> 60) * 664;
}

/* Blocks start one after the other and end in the same order. */
static void wave_add(struct log_writer *writer, uint32_t wave)
{
    const struct bench_blocks *shape = writer->shape;
    const uint64_t grid = wave / shape->grid_waves + 1;

    for (int ends = 0; ends < 2; ends++)
        for (uint32_t slot = 0; slot < shape->slots; slot++)
            for (uint32_t sm = 0; sm < shape->sms; sm++) {
                const uint64_t block =
                    (uint64_t)(wave % shape->grid_waves) * shape->sms * shape->slots +
                    slot * shape->sms + sm;
                writer->now_ps += pause_ps(writer);
                add(writer, ends ? EVENT_BLOCK_END : EVENT_BLOCK_START, grid, block, sm, slot);
            }
}

static void waves_add(struct log_writer *writer)
{
    const struct bench_blocks *shape = writer->shape;
    const uint32_t of_grid = shape->sms * shape->slots * shape->grid_waves;

    for (uint32_t wave = 0; wave < shape->waves; wave++) {
        const uint64_t grid = wave / shape->grid_waves + 1;
        if (wave % shape->grid_waves == 0) {
            add(writer, EVENT_GRID_QUEUE, grid, 0, of_grid, 128);
            add(writer, EVENT_GRID_START, grid, 0, 0, 0);
        }
        wave_add(writer, wave);
        if (wave % shape->grid_waves == shape->grid_waves - 1)
            add(writer, EVENT_GRID_END, grid, 0, 0, 0);
    }
}

bool bench_blocks_write(const char *path, const struct bench_blocks *shape, struct gfe_error *error)
{
    static const struct event_log_head_string run[] = {{"gpu", "gtx1080ti"}};
    static const char *const units[] = {"dispatch"};
    static const struct table_set *const sets[] = {&core_tables};
    const struct event_log_head head = {
        .run = run, .run_count = 1, .units = units, .unit_count = 1, .sets = sets, .set_count = 1};
    const int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    struct log_writer writer = {.shape = shape, .now_ps = 1};
    char *json = event_log_head_build(&head);
    struct chunk_writer *chunks = fd < 0 ? NULL : chunk_writer_new(fd, path, error);
    bool good = chunks && json && arena_init(&writer.arena, error);

    if (fd < 0)
        return error_set_errno(error, errno, "%s", path);
    if (!good)
        return false;
    event_log_init(&writer.log, arena_alloc(&writer.arena, sizeof *writer.log.cursor), chunks);
    good = event_log_head(&writer.log, json, error);
    if (good)
        waves_add(&writer);
    good = good && event_log_finish(&writer.log, "{}", error) && chunk_writer_finish(chunks, error);
    chunk_writer_free(chunks);
    event_log_fini(&writer.log);
    arena_fini(&writer.arena);
    free(json);
    (void)close(fd);
    return good;
}
