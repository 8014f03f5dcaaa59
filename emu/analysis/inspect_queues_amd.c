/* SPDX-License-Identifier: MIT */
/* The view of queues of an AMD GPU: HSA queues, their slots, rings and dispatches. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/analysis/inspect_queues.h"
#include "emu/analysis/inspect_queues_private.h"
#include "emu/base/json_text.h"

/* ---- records --------------------------------------------------------------------------------- */

static struct queues_queue *queue_of(struct queues *queues, uint64_t id)
{
    const uint32_t count = queues->queue_list.count;
    struct queues_queue *queue = queues_find_or_add(&queues->queue_list, sizeof *queue, id);

    if (queue && queues->queue_list.count > count) {
        queue->id = id;
        queue->slot_id = QUEUES_NONE;
    }
    return queue;
}

static void stream_add(struct queues_queue *queue, uint64_t stream)
{
    if (queue->stream_count < QUEUES_TASKS_MAX)
        queue->streams[queue->stream_count++] = stream;
}

bool queues_amd_loaded(struct queues *queues, const struct model_queue *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    queue->slot_id = record->slot_id;
    queue->taken = record->read_index;
    queue->is_pm4 = record->is_aql == 0;
    return true;
}

bool queues_amd_left(struct queues *queues, const struct model_queue *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    queue->slot_id = QUEUES_NONE;
    return true;
}

bool queues_amd_rang(struct queues *queues, const struct model_ring *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    queue->written = record->write_index > queue->written ? record->write_index : queue->written;
    queue->is_used = true;
    return true;
}

bool queues_amd_submitted(struct queues *queues, const struct model_hip_submit *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    if (record->packet_index >= queue->written)
        queue->written = record->packet_index + 1;
    queue->is_used = true;
    return true;
}

bool queues_amd_packet(struct queues *queues, const struct model_packet *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    if (record->is_aql)
        queue->taken = record->index + 1;
    queue->is_used = true;
    return true;
}

bool queues_amd_stream(struct queues *queues, const struct model_hip_queue *record)
{
    struct queues_queue *queue = queue_of(queues, record->queue_id);

    if (!queue)
        return false;
    stream_add(queue, record->stream);
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *dispatch_json(const struct queues *queues, const struct queues_grid *grid)
{
    char name[QUEUES_NAME_BYTES];

    return json_text_pack("{ss sI ss sI sI ss*}", "name",
                          queues_name(queues, STREAMS_GRID, grid->id, name), "grid_id",
                          (json_int_t)grid->id, "state", queues_grid_state(grid), "blocks_assigned",
                          (json_int_t)grid->assigned, "block_count", (json_int_t)grid->block_count,
                          "rule", queues_rule(queues, grid->rule));
}

static json_t *queue_json(const struct queues *queues, const struct queues_queue *queue)
{
    const uint64_t in_ring = queue->written > queue->taken ? queue->written - queue->taken : 0;
    char slot[GPU_WORDS_BYTES];
    json_t *json = json_text_pack(
        "{sI s[] ss? so ss* s[]}", "queue", (json_int_t)queue->id, "streams", "slot",
        queue->slot_id == QUEUES_NONE ? NULL : gpu_words_slot(queue->slot_id, slot),
        "packets_in_ring", queue->is_pm4 ? json_null() : json_integer((json_int_t)in_ring), "rule",
        queues_rule(queues, queue->rule), "dispatches");
    bool good = json != NULL;

    for (uint32_t i = 0; i < queue->stream_count && good; i++)
        good = json_array_append_new(json_object_get(json, "streams"),
                                     json_integer((json_int_t)queue->streams[i])) == 0;
    if (good)
        return json;
    json_decref(json);
    return NULL;
}

/* Queues that a program never used say nothing. */
bool queues_amd_json(const struct queues *queues, json_t *list)
{
    const struct queues_queue *all = queues->queue_list.at;
    const struct queues_grid *grids = queues->grid_list.at;
    struct id_map places = {0};
    bool good = true;

    for (uint32_t i = 0; i < queues->queue_list.count && good; i++)
        if (all[i].is_used || all[i].stream_count > 0)
            good = id_map_add(&places, all[i].id, (uint32_t)json_array_size(list)) &&
                   json_array_append_new(list, queue_json(queues, &all[i])) == 0;
    for (uint32_t i = 0; i < queues->grid_list.count && good; i++) {
        const uint32_t at = id_map_find(&places, grids[i].channel_id);
        if (at != ID_MAP_NONE && grids[i].state != QUEUES_GONE)
            good = json_array_append_new(json_object_get(json_array_get(list, at), "dispatches"),
                                         dispatch_json(queues, &grids[i])) == 0;
    }
    id_map_fini(&places);
    return good;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void rule_print(FILE *file, const json_t *who)
{
    const char *rule = json_string_value(json_object_get(who, "rule"));

    if (rule)
        fprintf(file, " (%s)", rule);
    fputc('\n', file);
}

static void dispatch_print(FILE *file, const json_t *dispatch)
{
    fprintf(file, "    %s  %s, %lld of %lld blocks assigned",
            json_string_value(json_object_get(dispatch, "name")),
            json_string_value(json_object_get(dispatch, "state")),
            (long long)json_integer_value(json_object_get(dispatch, "blocks_assigned")),
            (long long)json_integer_value(json_object_get(dispatch, "block_count")));
    rule_print(file, dispatch);
}

static void queue_print(FILE *file, const json_t *queue)
{
    const json_t *streams = json_object_get(queue, "streams");
    const json_t *dispatches = json_object_get(queue, "dispatches");
    const json_t *in_ring = json_object_get(queue, "packets_in_ring");
    const char *slot = json_string_value(json_object_get(queue, "slot"));
    const long long packets = (long long)json_integer_value(in_ring);

    fprintf(file, "  queue %lld", (long long)json_integer_value(json_object_get(queue, "queue")));
    for (size_t i = 0; i < json_array_size(streams); i++)
        fprintf(file, "%s %lld", i ? "," : " of stream",
                (long long)json_integer_value(json_array_get(streams, i)));
    fprintf(file, ", %s%s", slot ? "in " : "in no slot", slot ? slot : "");
    if (json_is_integer(in_ring))
        fprintf(file, ", %lld packet%s in the ring", packets, packets == 1 ? "" : "s");
    rule_print(file, queue);
    for (size_t i = 0; i < json_array_size(dispatches); i++)
        dispatch_print(file, json_array_get(dispatches, i));
}

void queues_amd_print(FILE *file, const json_t *view)
{
    const json_t *queues = json_object_get(view, "queues");

    fputs("\nQueues, by their doorbells, with their dispatches that have not ended\n", file);
    for (size_t i = 0; i < json_array_size(queues); i++)
        queue_print(file, json_array_get(queues, i));
    if (json_array_size(queues) == 0)
        fputs("  none was used yet\n", file);
}
