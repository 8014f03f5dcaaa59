/* SPDX-License-Identifier: MIT */
/* Queues of AMD's SDMA engines: one place each, packets one after another, one packet of an engine
 * at a time, and copies as fast as their bytes allow. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_dispatch.h"

enum { PPM = 1000000, STEP_BYTES = 256 << 10, STEP_SLACK_PS = 2 };

static struct sdma_queue *queue_of(struct check *check, uint64_t doorbell)
{
    struct check_dma *sdma = &check->dispatch->sdma;
    const uint32_t found = id_map_find(&sdma->queue_ids, doorbell);
    struct sdma_queue *queues;

    if (found != ID_MAP_NONE)
        return &sdma->queues[found];
    queues =
        check_room(check, sdma->queues, sdma->queue_count, &sdma->queue_capacity, sizeof *queues);
    if (!queues)
        return NULL;
    sdma->queues = queues;
    if (!id_map_add(&sdma->queue_ids, doorbell, sdma->queue_count)) {
        check->no_memory = true;
        return NULL;
    }
    queues[sdma->queue_count] =
        (struct sdma_queue){.doorbell = doorbell, .engine = CHECK_NONE, .slot = CHECK_NONE};
    return &queues[sdma->queue_count++];
}

/* The queue of that doorbell, if it is on that engine; NULL, noted as a violation: it is not. */
static struct sdma_queue *queue_on(struct check *check, uint64_t doorbell, uint64_t engine,
                                   const struct check_event *event)
{
    struct sdma_queue *queue = queue_of(check, doorbell);

    if (queue && queue->engine == engine)
        return queue;
    if (queue)
        check_violation(check, "A.H1", NULL, event, "its queue is not on engine %" PRIu64, engine);
    return NULL;
}

/* The engine works on nothing else. */
static void engine_free(struct check *check, uint64_t engine, const struct check_event *event)
{
    const struct sdma_engine *at = &check->dispatch->sdma.engines[engine];

    if (at->busy)
        check_violation(check, "AMD.SDMA_ENGINE", &at->start, event,
                        "engine %" PRIu64 " is at copy %" PRIu64, engine, at->copy_id);
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* engine, queue, doorbell, read_index */
void check_dma_load(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now,
                       "place %" PRIu64 " of SDMA engine %" PRIu64 " gets the queue of doorbell "
                       "%" PRIu64,
                       values[1], values[0], values[2]);
    struct sdma_queue *queue = queue_of(check, values[2]);
    struct check_dma *sdma = &check->dispatch->sdma;

    if (!queue)
        return;
    if (values[0] >= SDMA_ENGINES || values[1] >= SDMA_PLACES) {
        check_violation(check, "LOG", NULL, &event, "there is no such place");
        return;
    }
    for (uint32_t i = 0; i < sdma->queue_count; i++)
        if (&sdma->queues[i] != queue && sdma->queues[i].engine == values[0] &&
            sdma->queues[i].slot == values[1])
            check_violation(check, "A.H1", NULL, &event, "doorbell %" PRIu64 "'s is there",
                            sdma->queues[i].doorbell);
    if (queue->engine != CHECK_NONE)
        check_violation(check, "A.H1", NULL, &event, "it is on engine %" PRIu32, queue->engine);
    if (queue->left && queue->read != values[3])
        check_violation(check, "A.Q1", NULL, &event,
                        "it goes on at %" PRIu64 ", but was at %" PRIu64, values[3], queue->read);
    queue->engine = (uint32_t)values[0];
    queue->slot = (uint32_t)values[1];
    queue->read = values[3];
}

/* engine, queue, doorbell, read_index */
void check_dma_leave(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "doorbell %" PRIu64 "'s queue leaves SDMA engine %" PRIu64,
                       values[2], values[0]);
    struct sdma_queue *queue = queue_on(check, values[2], values[0], &event);

    if (!queue)
        return;
    if (check->dispatch->sdma.engines[values[0]].busy &&
        check->dispatch->sdma.engines[values[0]].doorbell == values[2])
        check_violation(check, "AMD.SDMA_ENGINE", &check->dispatch->sdma.engines[values[0]].start,
                        &event, "its copy is not complete");
    queue->engine = queue->slot = CHECK_NONE;
    queue->read = values[3];
    queue->left = true;
}

/* The driver makes a queue: what an older one of that doorbell was is forgotten. */
void check_dma_new(struct check *check, uint64_t doorbell)
{
    const uint32_t found = id_map_find(&check->dispatch->sdma.queue_ids, doorbell);

    if (found != ID_MAP_NONE)
        check->dispatch->sdma.queues[found].left = false;
}

/* ---- packets ----------------------------------------------------------------------------------
 */

/* engine, queue, doorbell, read_index */
void check_dma_packet(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "packet at %" PRIu64 " of doorbell %" PRIu64, values[3], values[2]);
    struct sdma_queue *queue = queue_on(check, values[2], values[0], &event);

    if (!queue)
        return;
    engine_free(check, values[0], &event);
    if (values[3] < queue->read)
        check_violation(check, "A.Q1", NULL, &event, "its queue was at %" PRIu64, queue->read);
    queue->read = values[3];
}

/* engine, doorbell: a packet writes after the copies in front of it are complete */
void check_dma_write(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "a packet of doorbell %" PRIu64 " writes", values[1]);

    if (queue_on(check, values[1], values[0], &event))
        engine_free(check, values[0], &event);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

/* copy, doorbell, engine, byte_count, place in the ring */
void check_dma_copy(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " of doorbell %" PRIu64, values[0], values[1]);
    const struct sdma_queue *queue = queue_on(check, values[1], values[2], &event);

    check->report->copy_count++;
    if (!queue)
        return;
    engine_free(check, values[2], &event);
    if (values[4] != queue->read)
        check_violation(check, "A.Q1", NULL, &event, "the packet taken up is at %" PRIu64,
                        queue->read);
    check->dispatch->sdma.engines[values[2]] = (struct sdma_engine){.copy_id = values[0],
                                                                    .doorbell = values[1],
                                                                    .byte_count = values[3],
                                                                    .least_ppm = PPM,
                                                                    .start = event,
                                                                    .busy = true};
}

/* The engine of the copy that it is at; NULL, noted as a violation: it is not. */
static struct sdma_engine *engine_at(struct check *check, const uint64_t *values, const char *what)
{
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " %s", values[0], what);
    struct sdma_engine *engine =
        values[1] < SDMA_ENGINES ? &check->dispatch->sdma.engines[values[1]] : NULL;

    if (engine && engine->busy && engine->copy_id == values[0])
        return engine;
    check_violation(check, "LOG", NULL, &event, "its engine is not at it");
    return NULL;
}

/* copy, engine, traffic_bytes */
void check_dma_copy_start(struct check *check, const uint64_t *values)
{
    struct sdma_engine *engine = engine_at(check, values, "starts");

    if (engine) {
        engine->traffic_bytes = values[2];
        engine->start.time_ps = check->now;
    }
}

/* copy, engine, speed_ppm */
void check_dma_copy_speed(struct check *check, const uint64_t *values)
{
    struct sdma_engine *engine = engine_at(check, values, "gets another speed");

    if (engine && values[2] < engine->least_ppm)
        engine->least_ppm = values[2];
}

/* Returns bytes / rate in picoseconds, at most the highest 64-bit number. */
static gfe_ps time_of(uint64_t bytes, uint64_t rate)
{
    const unsigned __int128 ps =
        (unsigned __int128)bytes * UINT64_C(1000000000000) / (rate ? rate : 1);

    return ps < GFE_PS_NEVER ? (gfe_ps)ps : GFE_PS_NEVER;
}

/* No faster than the engine moves bytes, no slower than the slowest of what it loads, at the lowest
 * speed that is left beside other copies; a picosecond or two for each step is left by divisions.
 */
static void copy_time(struct check *check, const struct sdma_engine *engine,
                      const struct check_event *event)
{
    const struct check_limits *limits = check->limits;
    const uint64_t rate = check->dispatch->sdma.engine_rate;
    const gfe_ps took_ps = check->now - engine->start.time_ps;
    const gfe_ps slack_ps = (2 + engine->traffic_bytes / STEP_BYTES) * STEP_SLACK_PS;
    uint64_t slowest = rate;
    gfe_ps most_ps;

    if (rate == 0 || limits->system_bytes_per_second == 0 || limits->local_bytes_per_second == 0)
        return;
    if (clock_add(took_ps, slack_ps) < time_of(engine->traffic_bytes, rate))
        check_violation(check, "AMD.SDMA_ENGINE", &engine->start, event,
                        "%" PRIu64 " bytes take %" PRIu64 " ps at least, not %" PRIu64,
                        engine->traffic_bytes, time_of(engine->traffic_bytes, rate), took_ps);
    if (limits->system_bytes_per_second < slowest)
        slowest = limits->system_bytes_per_second;
    if (limits->local_bytes_per_second / 2 < slowest)
        slowest = limits->local_bytes_per_second / 2;
    if (engine->least_ppm == 0)
        return;
    /* Sectors of whole rows and of their parts differ by one at each end of a step. */
    most_ps = time_of(engine->traffic_bytes + engine->byte_count / 64 + 4096, slowest);
    most_ps = most_ps < GFE_PS_NEVER / PPM ? most_ps * PPM / engine->least_ppm : GFE_PS_NEVER;
    if (took_ps > clock_add(most_ps, slack_ps))
        check_violation(check, "AMD.SDMA_ENGINE", &engine->start, event,
                        "%" PRIu64 " bytes take %" PRIu64 " ps at most, not %" PRIu64,
                        engine->traffic_bytes, most_ps, took_ps);
}

/* copy, engine, byte_count */
void check_dma_copy_end(struct check *check, const uint64_t *values)
{
    struct sdma_engine *engine = engine_at(check, values, "ends");
    const struct check_event event = check_event_at(check->now, "copy %" PRIu64 " ends", values[0]);

    if (!engine)
        return;
    engine->busy = false;
    if (values[2] != engine->byte_count)
        check_violation(check, "LOG", &engine->start, &event,
                        "it is of %" PRIu64 " bytes, and has moved %" PRIu64, engine->byte_count,
                        values[2]);
    copy_time(check, engine, &event);
}

/* copy, engine */
void check_dma_copy_drop(struct check *check, const uint64_t *values)
{
    struct sdma_engine *engine = engine_at(check, values, "is lost");

    if (engine)
        engine->busy = false;
}

void check_dma_init(struct check *check)
{
    uint64_t bytes = 32; /* amd.sdma_clock_bytes */

    (void)event_log_parameter(check->log, "amd.sdma_clock_bytes", &bytes);
    if (bytes != 0 && bytes < UINT64_C(1) << 20)
        check->dispatch->sdma.engine_rate = bytes * check->limits->shader_hz;
}

void check_dma_fini(struct check *check)
{
    id_map_fini(&check->dispatch->sdma.queue_ids);
    free(check->dispatch->sdma.queues);
}
