/* SPDX-License-Identifier: MIT */
/* The view of queues as JSON. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/inspect_queues.h"
#include "emu/analysis/inspect_queues_private.h"
#include "emu/base/json_text.h"

/* A number, or null where there is none. */
static json_t *number_or_null(uint64_t number)
{
    return number == QUEUES_NONE ? json_null() : json_integer((json_int_t)number);
}

/* Takes `value` over, which may be NULL. */
static bool add(json_t *list, json_t *value)
{
    return json_array_append_new(list, value) == 0;
}

/* ---- streams --------------------------------------------------------------------------------- */

const char *queues_grid_state(const struct queues_grid *grid)
{
    static const char *const words[] = {"queued", "dispatched", "fully dispatched", "ended"};

    return grid->suspended && grid->state != QUEUES_GONE ? "suspended" : words[grid->state];
}

static const char *copy_state(const struct queues_copy *copy)
{
    static const char *const words[] = {"queued", "runs", "runs", "ended"};

    return copy->suspended && copy->state != QUEUES_GONE ? "suspended" : words[copy->state];
}

static json_t *operation_json(const struct queues *queues,
                              const struct streams_operation *operation)
{
    const bool is_grid = operation->hardware == STREAMS_GRID;
    const struct queues_grid *grid =
        is_grid ? queues_find(&queues->grid_list, sizeof *grid, operation->hardware_id) : NULL;
    const struct queues_copy *copy =
        operation->hardware == STREAMS_COPY
            ? queues_find(&queues->copy_list, sizeof *copy, operation->hardware_id)
            : NULL;
    const char *rule = queues_rule(queues, queues->rules[operation - queues->streams.operations]);
    char name[STREAMS_NAME_BYTES];
    const char *state = grid                                      ? queues_grid_state(grid)
                        : copy                                    ? copy_state(copy)
                        : operation->submitted_ps != GFE_PS_NEVER ? "submitted"
                                                                  : "waits";

    streams_name(&queues->streams, operation, name);
    if (grid || copy)
        rule = NULL; /* it is the grid's or the copy's, which stand in their queues */
    if (!grid)
        return json_text_pack("{ss sI ss ss*}", "name", name, "operation_id",
                              (json_int_t)operation->id, "state", state, "rule", rule);
    return json_pack("{ss sI ss sI sI}", "name", name, "operation_id", (json_int_t)operation->id,
                     "state", state, "blocks_assigned", (json_int_t)grid->assigned, "block_count",
                     (json_int_t)grid->block_count);
}

/* B.R2 is the rule of channels. */
static bool needs_channel(const struct queues *queues, const struct streams_operation *operation)
{
    const char *rule = queues_rule(queues, queues->rules[operation - queues->streams.operations]);

    return operation->submitted_ps == GFE_PS_NEVER && rule && strcmp(rule, "B.R2") == 0;
}

static json_t *stream_json(const struct queues *queues, const struct queues_stream *stream)
{
    static const char *const kinds[] = {"blocking", "non-blocking", "NULL stream",
                                        "per-thread default stream"};
    const char *kind = stream->kind < 4 ? kinds[stream->kind] : "?";
    json_t *tasks = json_array();
    bool good = tasks != NULL;

    for (uint32_t i = 0; i < stream->task_count && good; i++)
        good = add(tasks, json_string(queues->streams.program.tasks[stream->tasks[i]].label));
    if (!good) {
        json_decref(tasks);
        return NULL;
    }
    return json_pack("{sI sI sI ss so so sb s[]}", "stream", (json_int_t)stream->id, "process",
                     (json_int_t)stream->process, "priority", (json_int_t)stream->priority, "kind",
                     kind, "tasks", tasks, "channel", number_or_null(stream->channel_id),
                     "waits_for_channel", 0, "queue");
}

static bool add_operations(const struct queues *queues, const json_t *list)
{
    const struct streams *streams = &queues->streams;
    const struct queues_stream *all = queues->stream_list.at;
    bool good = true;

    for (uint32_t i = 0; i < streams->operation_count && good; i++) {
        const struct streams_operation *operation = &streams->operations[i];
        const struct queues_stream *stream =
            queues_find(&queues->stream_list, sizeof *stream, operation->stream_id);
        json_t *json = stream ? json_array_get(list, (size_t)(stream - all)) : NULL;

        if (!json || operation->completed_ps != GFE_PS_NEVER)
            continue;
        good = add(json_object_get(json, "queue"), operation_json(queues, operation));
        if (good && needs_channel(queues, operation))
            good = json_object_set_new(json, "waits_for_channel", json_true()) == 0;
    }
    return good;
}

static bool add_streams(const struct queues *queues, json_t *list)
{
    const struct queues_stream *streams = queues->stream_list.at;
    bool good = true;

    for (uint32_t i = 0; i < queues->stream_list.count && good; i++)
        good = add(list, stream_json(queues, &streams[i]));
    return good && add_operations(queues, list);
}

/* ---- queues of kernels ----------------------------------------------------------------------- */

/* A queue, or a kernel in it. */
struct place {
    uint64_t process, priority;
    uint32_t index; /* 1 + of the grid; 0: the queue itself */
};

static int place_order(const void *a, const void *b)
{
    const struct place *first = a, *second = b;

    if (first->process != second->process)
        return first->process < second->process ? -1 : 1;
    if (first->priority != second->priority)
        return first->priority > second->priority ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

/* Whose queues a stream's kernels join; QUEUES_NONE: not known, or those of all clients of MPS. */
static uint64_t process_of(const struct queues *queues, const struct queues_stream *stream)
{
    return stream && !queues->mps ? stream->process : QUEUES_NONE;
}

static struct place grid_place(const struct queues *queues, uint32_t index)
{
    const struct queues_grid *grid = (const struct queues_grid *)queues->grid_list.at + index;
    const struct streams_operation *operation =
        streams_of_hardware(&queues->streams, STREAMS_GRID, grid->id);
    const struct queues_stream *stream =
        operation ? queues_find(&queues->stream_list, sizeof *stream, operation->stream_id) : NULL;

    return (struct place){.process = process_of(queues, stream),
                          .priority = grid->has_priority ? grid->priority
                                      : stream           ? stream->priority
                                                         : 0,
                          .index = index + 1};
}

static json_t *kernel_json(const struct queues *queues, uint32_t index)
{
    const struct queues_grid *grid = (const struct queues_grid *)queues->grid_list.at + index;
    char name[QUEUES_NAME_BYTES];

    return json_text_pack(
        "{ss sI sI sI sI sb ss*}", "name", queues_name(queues, STREAMS_GRID, grid->id, name),
        "grid_id", (json_int_t)grid->id, "channel_id", (json_int_t)grid->channel_id,
        "blocks_assigned", (json_int_t)grid->assigned, "block_count", (json_int_t)grid->block_count,
        "suspended", grid->suspended, "rule", queues_rule(queues, grid->rule));
}

/* The queues that streams can use, and what is in them. */
static uint32_t places_fill(const struct queues *queues, struct place *places)
{
    const struct queues_stream *streams = queues->stream_list.at;
    const struct queues_grid *grids = queues->grid_list.at;
    uint32_t count = 0;

    for (uint32_t i = 0; i < queues->stream_list.count; i++)
        places[count++] = (struct place){process_of(queues, &streams[i]), streams[i].priority, 0};
    for (uint32_t i = 0; i < queues->grid_list.count; i++)
        if (grids[i].state < QUEUES_DISPATCHED)
            places[count++] = grid_place(queues, i);
    if (count > 0)
        qsort(places, count, sizeof *places, place_order);
    return count;
}

static bool add_ee_queues(const struct queues *queues, json_t *list)
{
    const size_t most = (size_t)queues->stream_list.count + queues->grid_list.count;
    struct place *places = calloc(most + 1, sizeof *places);
    const uint32_t count = places ? places_fill(queues, places) : 0;
    json_t *kernels = NULL;
    bool good = places != NULL;

    for (uint32_t i = 0; i < count && good; i++) {
        const struct place *place = &places[i];

        if (i == 0 || place[-1].process != place->process ||
            place[-1].priority != place->priority) {
            json_t *queue = json_pack("{so sI s[]}", "process", number_or_null(place->process),
                                      "priority", (json_int_t)place->priority, "kernels");
            kernels = json_object_get(queue, "kernels");
            good = add(list, queue) &&
                   (!queues->mps || json_object_set_new(queue, "mps", json_true()) == 0);
        }
        if (good && place->index > 0)
            good = add(kernels, kernel_json(queues, place->index - 1));
    }
    free(places);
    return good;
}

/* ---- copy engines and SMs -------------------------------------------------------------------- */

static json_t *engine_json(const struct queues *queues, uint64_t engine)
{
    const char *name = event_log_engine(queues->log, engine);
    const char *word = queues->words.is_amd ? queues->words.copier : "engine";

    return json_pack("{so s[] s[]}", "engine",
                     name ? json_string(name)
                          : json_sprintf("%s %llu", word, (unsigned long long)engine),
                     "runs", "queue");
}

static bool add_copy_engines(const struct queues *queues, json_t *list)
{
    const uint64_t *engines = queues->engine_list.at;
    const struct queues_copy *copies = queues->copy_list.at;
    bool good = true;

    for (uint32_t i = 0; i < queues->engine_list.count && good; i++)
        good = add(list, engine_json(queues, engines[i]));
    for (uint32_t i = 0; i < queues->copy_list.count && good; i++) {
        const struct queues_copy *copy = &copies[i];
        const uint32_t engine = id_map_find(&queues->engine_list.map, copy->engine);
        char name[QUEUES_NAME_BYTES];

        if (copy->state == QUEUES_GONE)
            continue;
        good =
            add(json_object_get(json_array_get(list, engine),
                                copy->state == QUEUES_QUEUED || copy->suspended ? "queue" : "runs"),
                json_text_pack("{ss sI sI ss*}", "name",
                               queues_name(queues, STREAMS_COPY, copy->id, name), "copy_id",
                               (json_int_t)copy->id, "channel_id", (json_int_t)copy->channel_id,
                               "rule", queues_rule(queues, copy->rule)));
    }
    return good;
}

/* In the order of grids and blocks; free places go last. */
static int stay_order(const void *a, const void *b)
{
    const struct model_stay *first = a, *second = b;
    const bool first_is_free = first->since_ps == GFE_PS_NEVER,
               second_is_free = second->since_ps == GFE_PS_NEVER;

    if (first_is_free || second_is_free)
        return (int)first_is_free - (int)second_is_free;
    if (first->grid_id != second->grid_id)
        return first->grid_id < second->grid_id ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

/* Adds the blocks, which are sorted, to the list of kernels. */
static bool add_blocks(const struct queues *queues, json_t *kernels, const struct model_stay *stays,
                       uint32_t count)
{
    char name[QUEUES_NAME_BYTES];
    json_t *blocks = NULL;
    bool good = true;

    for (uint32_t i = 0; i < count && stays[i].since_ps != GFE_PS_NEVER && good; i++) {
        if (i == 0 || stays[i].grid_id != stays[i - 1].grid_id) {
            json_t *kernel = json_pack("{ss sI s[]}", "name",
                                       queues_name(queues, STREAMS_GRID, stays[i].grid_id, name),
                                       "grid_id", (json_int_t)stays[i].grid_id, "blocks");
            blocks = json_object_get(kernel, "blocks");
            good = add(kernels, kernel);
        }
        good = good && add(blocks, json_integer((json_int_t)stays[i].index));
    }
    return good;
}

static json_t *sm_json(const struct queues *queues, uint32_t id, const struct model_sm *sm)
{
    char unit[GPU_WORDS_BYTES];
    const char *amd_name = queues->words.is_amd ? gpu_words_sm(&queues->words, id, unit) : NULL;
    json_t *json =
        json_text_pack("{sI ss* s[]}", "sm", (json_int_t)id, "name", amd_name, "kernels");
    struct model_stay *stays = malloc(sm->place_count * sizeof *stays);

    if (json && stays) {
        memcpy(stays, sm->stays, sm->place_count * sizeof *stays);
        qsort(stays, sm->place_count, sizeof *stays, stay_order);
        if (add_blocks(queues, json_object_get(json, "kernels"), stays, sm->place_count)) {
            free(stays);
            return json;
        }
    }
    free(stays);
    json_decref(json);
    return NULL;
}

json_t *queues_sms_json(const struct queues *queues)
{
    const struct model_lives *lives = &queues->model.lives;
    json_t *list = json_array();

    for (uint32_t id = 0; list && id < lives->sm_count; id++)
        if (lives->sms[id].place_count > 0 && !add(list, sm_json(queues, id, &lives->sms[id]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *queues_json(struct queues *queues, gfe_ps at_ps)
{
    const char *gpu = event_log_run(queues->log, "gpu");
    const gfe_ps time_ps = at_ps != GFE_PS_NEVER ? at_ps : queues->last_ps;
    const bool is_amd = queues->words.is_amd;
    const char *key = is_amd ? "queues" : "ee_queues";
    json_t *json = json_pack("{ss ss sI s[] s[] s[] sO}", "view", inspect_queues_view.name, "gpu",
                             gpu ? gpu : "", "time_ps", (json_int_t)time_ps, "streams", key,
                             "copy_engines", "sms", queues->sms);

    if (json && add_streams(queues, json_object_get(json, "streams")) &&
        (is_amd ? queues_amd_json(queues, json_object_get(json, key))
                : add_ee_queues(queues, json_object_get(json, key))) &&
        add_copy_engines(queues, json_object_get(json, "copy_engines")))
        return json;
    json_decref(json);
    return NULL;
}
