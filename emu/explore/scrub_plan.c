/* SPDX-License-Identifier: MIT */
/* Walks a trace for the bytes that its replay needs. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/explore/scrub.h"
#include "traces/format/trace_sdma.h"

#define PUSH_MAX_BYTES 0x7fffffull /* LENGTH of a GP entry: 21 bits of dwords */

struct scrub_channel {
    struct scrub_plan *plan;
    uint32_t channel_id, as_id;
    uint64_t inactive_va; /* layer RING: of queue_inactive_signal */
    struct nv_scrub scrub;
};

/* ---- what the walker asks for and finds ------------------------------------------------------ */

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    const struct scrub_channel *channel = context;

    return scrub_origin_read(&channel->plan->origin, channel->as_id, va, data, bytes);
}

static void walk_needs(void *context, uint64_t va, uint64_t bytes, enum nv_scrub_reason reason)
{
    const struct scrub_channel *channel = context;

    scrub_origin_needs(&channel->plan->origin, channel->as_id, va, bytes, reason,
                       reason == NV_SCRUB_SEMAPHORE || reason == NV_SCRUB_CONDITION);
}

static void walk_moves(void *context, uint64_t to_va, uint64_t from_va, uint64_t bytes)
{
    const struct scrub_channel *channel = context;

    scrub_origin_moves(&channel->plan->origin, channel->as_id, to_va, from_va, bytes);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct scrub_channel *channel_find(const struct scrub_plan *plan, uint32_t channel_id)
{
    for (uint32_t i = 0; i < plan->channel_count; i++)
        if (plan->channels[i]->channel_id == channel_id)
            return plan->channels[i];
    return NULL;
}

static struct scrub_channel *channel_new(struct scrub_plan *plan, struct gfe_error *error)
{
    const uint32_t count = plan->channel_count;
    struct scrub_channel *channel;
    void *list;

    if (count == SCRUB_CHANNELS_MAX) {
        error_set(error, ERROR_LIMIT, "more than %d channels", SCRUB_CHANNELS_MAX);
        return NULL;
    }
    list = realloc(plan->channels, (count + 1) * sizeof *plan->channels);
    channel = calloc(1, sizeof *channel);
    if (list)
        plan->channels = list;
    if (!list || !channel) {
        free(channel);
        error_set(error, ERROR_SYSTEM, "no memory for a channel");
        return NULL;
    }
    return plan->channels[plan->channel_count++] = channel;
}

/* What a channel that goes has found out. */
static void channel_sum(struct scrub_plan *plan, const struct scrub_channel *channel, bool *crc)
{
    plan->copies_unfollowed += channel->scrub.copies_unfollowed;
    *crc |= channel->scrub.checks_crc;
}

/* A number that comes again is a new channel. */
static bool plan_channel(struct scrub_plan *plan, const struct trace_channel *record,
                         uint32_t chipset, bool *crc, struct gfe_error *error)
{
    static const struct nv_scrub_ops ops = {walk_read, walk_needs, walk_moves};
    struct scrub_channel *channel = channel_find(plan, record->channel_id);

    if (channel)
        channel_sum(plan, channel, crc);
    else
        channel = channel_new(plan, error);
    if (!channel)
        return false;
    channel->plan = plan;
    channel->channel_id = record->channel_id;
    channel->as_id = record->as_id;
    nv_scrub_init(&channel->scrub, &ops, channel, nv_decode_chip_of(chipset, record->class_id));
    channel->scrub.keep_data = plan->keeps_data;
    return true;
}

static bool plan_push(struct scrub_plan *plan, struct scrub_channel *channel,
                      const struct trace_push *push, struct gfe_error *error)
{
    uint64_t va;

    if (push->length_bytes > PUSH_MAX_BYTES)
        return error_set(error, ERROR_INPUT, "an entry is longer than a GP entry");
    if (!trace_spaces_push_va(&plan->origin.content, channel->as_id, push, &va))
        return error_set(error, ERROR_INPUT,
                         "an entry lies in buffer %" PRIu32 ", which is not mapped there",
                         push->handle);
    nv_scrub_segment(&channel->scrub, va, (uint32_t)(push->length_bytes / 4));
    return true;
}

/* A place that the program or the recorder looks for completion in. */
static void plan_completion(struct scrub_plan *plan, uint32_t channel_id, uint64_t va)
{
    const struct scrub_channel *channel = channel_find(plan, channel_id);

    if (channel && va != 0)
        scrub_origin_needs(&plan->origin, channel->as_id, va, 16, SCRUB_REASON_COMPLETION, true);
}

static bool plan_pushes(struct scrub_plan *plan, uint32_t channel_id,
                        const struct trace_pushes *pushes, struct gfe_error *error)
{
    struct scrub_channel *channel = channel_find(plan, channel_id);

    if (!channel)
        return error_set(error, ERROR_INPUT,
                         "a submission for channel %" PRIu32 ", which does not exist then",
                         channel_id);
    for (uint32_t i = 0; i < pushes->count; i++)
        if (!plan_push(plan, channel, &pushes->push[i], error))
            return false;
    return true;
}

/* ---- layer RING: packets are records, what they point to is memory --------------------------- */

/* amd_queue_t, amd_signal_t (ROCR-Runtime); bytes of AQL packets. */
enum {
    QUEUE_WRITE_INDEX = 0x38,
    QUEUE_INACTIVE_SIGNAL = 0xc0,
    QUEUE_BYTES = 0x100,
    SIGNAL_BYTES = 64,
    AQL_BYTES = 64,
    AQL_VENDOR = 0,
    AQL_BARRIER_AND = 3,
    AQL_BARRIER_OR = 5,
    AQL_DEPENDENCIES = 5,
    SDMA_POLL = 8,
    SDMA_CONDITION = 9,
};

static uint64_t word64(const uint8_t *data)
{
    uint64_t word;

    memcpy(&word, data, sizeof word);
    return word;
}

static void ring_needs(struct scrub_plan *plan, uint32_t queue_id, uint64_t va, uint64_t bytes)
{
    const struct scrub_channel *queue = channel_find(plan, queue_id);

    if (queue && va != 0)
        scrub_origin_needs(&plan->origin, queue->as_id, va, bytes, SCRUB_REASON_COMPLETION, true);
}

static bool ring_queue(struct scrub_plan *plan, const struct trace_queue *record,
                       struct gfe_error *error)
{
    struct scrub_channel *queue = channel_find(plan, record->queue_id);

    if (!queue)
        queue = channel_new(plan, error);
    if (!queue)
        return false;
    queue->plan = plan;
    queue->channel_id = record->queue_id;
    queue->as_id = record->as_id;
    queue->inactive_va = record->write_address - QUEUE_WRITE_INDEX + QUEUE_INACTIVE_SIGNAL;
    ring_needs(plan, record->queue_id, record->read_address, 8);
    if (record->what == TRACE_QUEUE_AQL && record->write_address >= QUEUE_WRITE_INDEX)
        ring_needs(plan, record->queue_id, record->write_address - QUEUE_WRITE_INDEX, QUEUE_BYTES);
    else
        ring_needs(plan, record->queue_id, record->write_address, 8);
    return true;
}

static void ring_aql(struct scrub_plan *plan, const struct trace_packet *packet)
{
    const uint8_t *data = packet->data.data;

    if (packet->data.length < AQL_BYTES)
        return;
    ring_needs(plan, packet->queue_id, word64(data + 56), SIGNAL_BYTES);
    if (data[0] == AQL_VENDOR)
        ring_needs(plan, packet->queue_id, word64(data + 8), SIGNAL_BYTES);
    for (uint32_t i = 0; i < AQL_DEPENDENCIES; i++)
        if (data[0] == AQL_BARRIER_AND || data[0] == AQL_BARRIER_OR)
            ring_needs(plan, packet->queue_id, word64(data + 8 + 8 * i), SIGNAL_BYTES);
}

static void ring_sdma(struct scrub_plan *plan, const struct trace_packet *packet)
{
    const uint8_t *data = packet->data.data;
    uint64_t address, bytes;

    if (trace_sdma(data, packet->data.length, &address, &bytes) == TRACE_SDMA_DONE)
        ring_needs(plan, packet->queue_id, address & ~UINT64_C(7), 8);
    else if (packet->data.length >= 12 && (data[0] == SDMA_POLL || data[0] == SDMA_CONDITION))
        ring_needs(plan, packet->queue_id, word64(data + 4) & ~UINT64_C(7), 8);
}

/* The signal that a queue without enough scratch memory asks by is named in its amd_queue_t. */
static void ring_mem(struct scrub_plan *plan, const struct trace_mem *mem)
{
    for (uint32_t i = 0; i < plan->channel_count && mem->data.length == 8; i++)
        if (plan->channels[i]->as_id == mem->as_id &&
            plan->channels[i]->inactive_va == mem->address)
            ring_needs(plan, plan->channels[i]->channel_id, word64(mem->data.data), SIGNAL_BYTES);
}

static bool plan_ring(struct scrub_plan *plan, const struct trace_record *record,
                      struct gfe_error *error)
{
    switch (record->head.kind) {
    case TRACE_QUEUE:
        return ring_queue(plan, &record->queue, error);
    case TRACE_PACKET:
        if (record->packet.what == TRACE_PACKET_AQL)
            ring_aql(plan, &record->packet);
        else if (record->packet.what == TRACE_PACKET_SDMA)
            ring_sdma(plan, &record->packet);
        return true;
    case TRACE_GPU_WRITE:
        ring_needs(plan, record->gpu_write.channel_id, record->gpu_write.address, 8);
        return true;
    case TRACE_MEM:
        if (!scrub_origin_record(&plan->origin, record, SCRUB_REASON_PHYSICAL))
            return false;
        ring_mem(plan, &record->mem);
        return true;
    default:
        return scrub_origin_record(&plan->origin, record, SCRUB_REASON_PHYSICAL);
    }
}

static bool plan_record(struct scrub_plan *plan, const struct trace_record *record,
                        uint32_t chipset, bool *crc, struct gfe_error *error)
{
    if (plan->layer == TRACE_LAYER_RING && record->head.kind != TRACE_CLIENT)
        return plan_ring(plan, record, error);
    switch (record->head.kind) {
    case TRACE_CHANNEL:
        return plan_channel(plan, &record->channel, chipset, crc, error);
    case TRACE_SUBMIT:
        plan_completion(plan, record->submit.channel_id, record->submit.seen_address);
        return plan_pushes(plan, record->submit.channel_id, &record->submit.pushes, error);
    case TRACE_EXEC:
        return plan_pushes(plan, record->exec.channel_id, &record->exec.pushes, error);
    case TRACE_GPU_WRITE:
        plan_completion(plan, record->gpu_write.channel_id, record->gpu_write.address);
        return true;
    case TRACE_CLIENT:
        if (plan->layer != 0 && plan->layer != record->client.layer)
            return error_set(error, ERROR_INPUT, "its clients are of different layers");
        plan->layer = record->client.layer;
        if (plan->layer == TRACE_LAYER_RING || plan->layer == TRACE_LAYER_UAPI)
            return true;
        return error_set(error, ERROR_INPUT, "recorded at a layer that cannot be replayed yet");
    default:
        return scrub_origin_record(&plan->origin, record, SCRUB_REASON_PHYSICAL);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool plan_read(struct scrub_plan *plan, struct trace_reader *reader, const char *path,
                      bool *crc, struct gfe_error *error)
{
    const uint32_t chipset = trace_reader_meta(reader)->chipset;
    struct trace_record record;
    enum trace_result result;

    while ((result = trace_read(reader, &record, error)) == TRACE_GOT) {
        struct gfe_error inner = {0};

        if (plan_record(plan, &record, chipset, crc, &inner) &&
            plan->origin.error.kind == ERROR_NONE)
            continue;
        if (plan->origin.error.kind != ERROR_NONE)
            inner = plan->origin.error;
        return error_set(error, inner.kind, "%s: record %" PRIu64 ": %s", path,
                         record.head.sequence, inner.text);
    }
    for (uint32_t i = 0; i < plan->channel_count; i++)
        channel_sum(plan, plan->channels[i], crc);
    return result == TRACE_AT_END;
}

static bool plan_pass(struct scrub_plan *plan, const char *path, const struct limits *limits,
                      bool *crc, struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(path, error);
    bool done = false;

    scrub_origin_init(&plan->origin, limits->memory_bytes);
    if (reader) {
        trace_reader_limit(reader, limits->expansion_bytes);
        done = plan_read(plan, reader, path, crc, error);
    }
    trace_reader_free(reader);
    scrub_origin_close(&plan->origin);
    return done;
}

bool scrub_plan_make(struct scrub_plan *plan, const char *path, const struct limits *limits,
                     struct gfe_error *error)
{
    bool crc = false;

    *plan = (struct scrub_plan){0};
    if (!plan_pass(plan, path, limits, &crc, error))
        return false;
    if (!crc)
        return true;
    scrub_plan_fini(plan);
    plan->keeps_data = true;
    return plan_pass(plan, path, limits, &crc, error);
}

void scrub_plan_fini(struct scrub_plan *plan)
{
    for (uint32_t i = 0; i < plan->channel_count; i++)
        free(plan->channels[i]);
    free(plan->channels);
    scrub_origin_fini(&plan->origin);
    *plan = (struct scrub_plan){0};
}
