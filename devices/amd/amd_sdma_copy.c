/* SPDX-License-Identifier: MIT */
/* Copies, fills and written data: how long they take beside those of the other engines, and bytes.
 */
#include <config.h>

#include "devices/core/core_events.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"

enum {
    SECTOR_BYTES = 64, /* ASSUMED: what memory is read and written in */
    CHUNK_BYTES = 4096,
    PPM = 1000000,
};

static struct copy_flow *amd_sdma_flow(const struct amd_sdma *sdma)
{
    return &sdma->links->state->flows[sdma->engine];
}

static uint32_t amd_sdma_channel(const struct amd_sdma *sdma)
{
    return amd_sdma_queue(sdma, sdma->state->turn)->doorbell_index;
}

/* ---- time ------------------------------------------------------------------------------------ */

static struct copy_rates amd_sdma_rates(const struct amd_sdma *sdma)
{
    const uint64_t bytes = machine_parameter(sdma->machine, PARAM_AMD_SDMA_CLOCK_BYTES);
    uint64_t engine;

    if (__builtin_mul_overflow(bytes ? bytes : 1, sdma->chip->shader_hz, &engine))
        engine = UINT64_MAX;
    return (struct copy_rates){.engine = engine,
                               .system = sdma->chip->system_bytes_per_second,
                               .local = sdma->chip->local_bytes_per_second};
}

/* Returns the traffic of `rows` rows of `bytes` bytes, from the present place of the job on. */
static struct copy_traffic amd_sdma_traffic(struct amd_sdma *sdma, uint64_t bytes, uint32_t rows)
{
    const struct amd_sdma_job *job = &sdma->state->job;
    const uint32_t queue_id = sdma->state->turn;
    const uint64_t from =
        job->from.base + job->slice * job->from.slice + job->row * job->from.pitch + job->at;
    const uint64_t to =
        job->to.base + job->slice * job->to.slice + job->row * job->to.pitch + job->at;
    struct copy_traffic traffic = {
        .written_bytes = copy_lines_sector_bytes(to, job->to.pitch, bytes, rows, SECTOR_BYTES),
        .writes_system = amd_sdma_is_system(sdma, queue_id, to)};

    if (job->kind == AMD_SDMA_JOB_COPY) {
        traffic.read_bytes =
            copy_lines_sector_bytes(from, job->from.pitch, bytes, rows, SECTOR_BYTES);
        traffic.reads_system = amd_sdma_is_system(sdma, queue_id, from);
    }
    return traffic;
}

/* A copy has begun, has ended, or goes on with its next step: what do all have of the links now? */
static void amd_sdma_share(struct amd_sdma_links *links)
{
    struct machine *machine = links->engines[0].machine;
    struct copy_flow *flows = links->state->flows;

    for (uint32_t i = 0; i < links->engine_count; i++)
        flows[i].moves = links->engines[i].state->job.kind != AMD_SDMA_NO_JOB &&
                         !copy_flow_settle(&flows[i], machine_now(machine));
    copy_share(flows, links->engine_count);
    for (uint32_t i = 0; i < links->engine_count; i++) {
        struct amd_sdma *sdma = &links->engines[i];
        struct amd_sdma_job *job = &sdma->state->job;

        if (job->kind == AMD_SDMA_NO_JOB)
            continue;
        machine_set_timer(machine, sdma->timer, sdma->unit, copy_flow_due_ps(&flows[i]),
                          AMD_SDMA_COPIED, 0);
        if (!flows[i].moves || flows[i].speed == job->told_speed)
            continue;
        job->told_speed = flows[i].speed;
        MACHINE_LOG(machine, sdma->unit, EVENT_COPY_SPEED, RULE_CORE_COPY_SHARE, job->copy_id,
                    amd_sdma_channel(sdma), i, flows[i].speed * PPM >> 32, flows[i].limit);
    }
}

/* As much as is done at once, from where the job is. */
static void amd_sdma_begin_step(struct amd_sdma *sdma)
{
    struct amd_sdma_job *job = &sdma->state->job;
    const struct copy_rates rates = amd_sdma_rates(sdma);
    const uint64_t left = job->row_bytes - job->at;
    struct copy_traffic traffic;
    enum copy_limit limit;
    gfe_ps alone;

    job->step_bytes = left < AMD_SDMA_STEP_BYTES ? left : AMD_SDMA_STEP_BYTES;
    job->step_rows = 1;
    if (job->row_bytes < AMD_SDMA_STEP_BYTES) {
        const uint64_t rows = AMD_SDMA_STEP_BYTES / job->row_bytes;

        job->step_rows = job->row_count - job->row;
        if (job->step_rows > AMD_SDMA_STEP_ROWS)
            job->step_rows = AMD_SDMA_STEP_ROWS;
        if (job->step_rows > rows)
            job->step_rows = (uint32_t)rows;
    }
    traffic = amd_sdma_traffic(sdma, job->step_bytes, job->step_rows);
    alone = copy_transfer_ps(&sdma->state->carry, &rates, &traffic, &limit);
    copy_flow_begin(amd_sdma_flow(sdma), (struct copy_work){.ps = alone}, &rates, &traffic,
                    machine_now(sdma->machine));
}

/* What it is about to do passes where faults are injected: counts are less one, and cannot be 0. */
static void amd_sdma_job_passes(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_job *job = &sdma->state->job;
    struct amd_inject_copy copy = {.source = job->from.base,
                                   .target = job->to.base,
                                   .bytes = (uint32_t)(job->row_bytes - 1),
                                   .rows = job->row_count - 1,
                                   .source_pitch = (uint32_t)(job->from.pitch - 1),
                                   .target_pitch = (uint32_t)(job->to.pitch - 1)};

    (void)machine_inject(sdma->machine, sdma->unit, AMD_INJECT_COPY,
                         amd_sdma_queue(sdma, queue_id)->doorbell_index, &copy, sizeof copy);
    job->from.base = copy.source;
    job->to.base = copy.target;
    job->row_bytes = (uint64_t)copy.bytes + 1;
    job->row_count = copy.rows == UINT32_MAX ? copy.rows : copy.rows + 1;
    if (job->row_count > 1) {
        job->from.pitch = (uint64_t)copy.source_pitch + 1;
        job->to.pitch = (uint64_t)copy.target_pitch + 1;
    }
}

enum amd_sdma_result amd_sdma_begin_job(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_job *job = &sdma->state->job;
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    const struct copy_rates rates = amd_sdma_rates(sdma);
    struct copy_traffic traffic;
    uint64_t more;

    if (sdma->machine->inject)
        amd_sdma_job_passes(sdma, queue_id);
    traffic = amd_sdma_traffic(sdma, job->row_bytes, job->row_count);
    traffic.read_bytes *= job->slice_count;
    traffic.written_bytes *= job->slice_count;
    more = traffic.read_bytes > traffic.written_bytes ? traffic.read_bytes : traffic.written_bytes;
    job->copy_id = machine_operation_id(sdma->machine);
    job->byte_count = job->row_bytes * job->row_count * job->slice_count;
    job->told_speed = COPY_SPEED_FULL;
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_COPY_QUEUE, RULE_NONE, job->copy_id,
                queue->doorbell_index, sdma->engine, job->byte_count,
                job->kind == AMD_SDMA_JOB_COPY ? job->from.base : 0, job->to.base, queue->read);
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_COPY_START, RULE_NONE, job->copy_id,
                queue->doorbell_index, sdma->engine, job->byte_count, more,
                copy_demand(&rates, &traffic).worst, 0);
    amd_sdma_begin_step(sdma);
    amd_sdma_share(sdma->links);
    return AMD_SDMA_MOVES;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool amd_sdma_get_bytes(struct amd_sdma *sdma, uint32_t queue_id, uint64_t from,
                               uint8_t *data, uint32_t bytes)
{
    const struct amd_sdma_job *job = &sdma->state->job;

    switch (job->kind) {
    case AMD_SDMA_JOB_COPY:
        return amd_sdma_read(sdma, queue_id, from, data, bytes);
    case AMD_SDMA_JOB_WRITE:
        return amd_sdma_read_ahead(sdma, queue_id, from, data, bytes);
    default: /* chunks begin at multiples of four bytes */
        for (uint32_t i = 0; i < bytes; i++)
            data[i] = (uint8_t)(job->value >> i % 4 * 8);
        return true;
    }
}

/* The bytes of the step that has taken its time. */
static bool amd_sdma_move(struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_job *job = &sdma->state->job;
    uint8_t data[CHUNK_BYTES];

    for (uint32_t n = 0; n < job->step_rows; n++) {
        const uint64_t from = job->from.base + job->slice * job->from.slice +
                              (job->row + n) * job->from.pitch + job->at;
        const uint64_t to =
            job->to.base + job->slice * job->to.slice + (job->row + n) * job->to.pitch + job->at;

        for (uint64_t x = 0; x < job->step_bytes; x += CHUNK_BYTES) {
            const uint64_t left = job->step_bytes - x;
            const uint32_t bytes = left < CHUNK_BYTES ? (uint32_t)left : CHUNK_BYTES;

            if (!amd_sdma_get_bytes(sdma, queue_id, from + x, data, bytes) ||
                !amd_sdma_store(sdma, queue_id, to + x, data, bytes))
                return false;
        }
    }
    return true;
}

/* On to the next step; false: that was the last. */
static bool amd_sdma_advance(struct amd_sdma_job *job)
{
    job->at += job->step_bytes;
    if (job->at < job->row_bytes)
        return true;
    job->at = 0;
    job->row += job->step_rows;
    if (job->row < job->row_count)
        return true;
    job->row = 0;
    return ++job->slice < job->slice_count;
}

void amd_sdma_copied(struct amd_sdma *sdma)
{
    struct amd_sdma_job *job = &sdma->state->job;
    const uint32_t queue_id = sdma->state->turn, channel = amd_sdma_channel(sdma);
    enum amd_sdma_result result = AMD_SDMA_MOVES;

    copy_flow_settle(amd_sdma_flow(sdma), machine_now(sdma->machine));
    if (job->at + job->step_bytes >= job->row_bytes && job->slice + 1 == job->slice_count &&
        job->row + job->step_rows >= job->row_count &&
        !machine_inject(sdma->machine, sdma->unit, AMD_INJECT_COPY_END, channel, NULL, 0))
        return; /* it never ends, and the engine hangs */
    if (!amd_sdma_move(sdma, queue_id)) {
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_COPY_DROP, RULE_NONE, job->copy_id, channel,
                    sdma->engine);
        result = AMD_SDMA_STOPS;
    } else if (amd_sdma_advance(job)) {
        amd_sdma_begin_step(sdma);
    } else {
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_COPY_END, RULE_NONE, job->copy_id, channel,
                    sdma->engine, job->byte_count, amd_sdma_flow(sdma)->limit);
        amd_sdma_skip(sdma, queue_id, job->dwords);
        result = AMD_SDMA_DONE;
    }
    amd_sdma_finished(sdma, queue_id, result);
    amd_sdma_share(sdma->links);
}

void amd_sdma_reset(struct amd_sdma *sdma)
{
    const struct amd_sdma_job *job = &sdma->state->job;

    for (uint32_t queue_id = 0; queue_id < AMD_SDMA_QUEUES_MAX; queue_id++)
        amd_sdma_unload(sdma, queue_id);
    if (job->kind == AMD_SDMA_NO_JOB)
        return;
    machine_stop_timer(sdma->machine, sdma->timer);
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_COPY_DROP, RULE_NONE, job->copy_id,
                amd_sdma_channel(sdma), sdma->engine);
    amd_sdma_finished(sdma, sdma->state->turn, AMD_SDMA_STOPS);
    amd_sdma_share(sdma->links);
}
