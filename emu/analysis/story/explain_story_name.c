/* SPDX-License-Identifier: MIT */
/* What the log's head tells of the program, and names of operations. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/analysis/story/explain_story_private.h"
#include "emu/base/visible.h"
#include "emu/analysis/explain/operation_name.h"
#include "emu/analysis/streams.h"

static const struct {
    const char *call;  /* "kind" of a call in the head */
    const char *name;  /* behind the task's name */
    const char *words; /* for people and programs */
} kinds[STORY_KINDS] = {
    [STORY_KERNEL] = {"kernel", "kernel", "kernel"},
    [STORY_COPY] = {"copy", "copy", "copy"},
    [STORY_MEMSET] = {"memset", "memset", "memset"},
    [STORY_RECORD] = {"event record", "record", "event record"},
    [STORY_AWAIT] = {"stream wait event", "wait", "wait for an event"},
    [STORY_OTHER] = {"", "operation", "operation"},
};

/* ---- the head ---------------------------------------------------------------------------------
 */

bool story_is_told(const struct event_log_reader *log)
{
    json_t *head = event_log_head_take(log);
    const bool has_program = json_is_object(json_object_get(head, "program"));

    json_decref(head);
    return has_program || model_tells(log, MODEL_PACKET_LAUNCHED);
}

static const json_t *array_of(const json_t *program, const char *key)
{
    const json_t *array = json_object_get(program, key);

    return json_is_array(array) ? array : NULL;
}

bool story_program_load(const struct story_build *build)
{
    struct story *story = build->story;
    const json_t *program;

    story->head = event_log_head_take(story->log);
    if (!program_init(&story->program, story->log, build->error))
        return false;
    program = json_object_get(story->head, "program");
    story->tasks = array_of(program, "tasks");
    story->calls = array_of(program, "calls");
    if (json_array_size(story->calls) > STORY_CALLS_MAX)
        return error_set(build->error, ERROR_LIMIT, "%s: its program has more than %d calls",
                         event_log_name(story->log), STORY_CALLS_MAX);
    story->call_count = (uint32_t)json_array_size(story->calls);
    story->call_names = calloc(story->call_count + (size_t)1, sizeof *story->call_names);
    return story->call_names || story_no_memory(build);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

const char *story_task_name(const struct story *story, uint32_t task)
{
    return text_of(json_array_get(story->tasks, task), "name");
}

const char *story_choice(const struct story *story, const char *name)
{
    const json_t *choices = json_object_get(story->head, "choices");

    for (size_t i = 0; i < json_array_size(choices); i++)
        if (strcmp(text_of(json_array_get(choices, i), "name"), name) == 0)
            return text_of(json_array_get(choices, i), "alternative");
    return "";
}

/* ---- giving names -----------------------------------------------------------------------------
 */

static uint64_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* The name's index, or STORY_NONE; *hash: where it is, or would be, in the map. */
static uint32_t text_find(const struct story *story, const char *text, uint64_t *hash)
{
    uint32_t found;

    *hash = text_hash(text);
    while ((found = id_map_find(&story->name_by_text, *hash)) != ID_MAP_NONE) {
        if (strcmp(story->names[found].text, text) == 0)
            return found;
        ++*hash;
    }
    return STORY_NONE;
}

/* The index of a name that may be new; STORY_NONE when the error is set. */
static uint32_t text_take(const struct story_build *build, const char *text)
{
    struct story *story = build->story;
    uint64_t hash;
    const uint32_t found = text_find(story, text, &hash);
    char *copy;

    if (found != STORY_NONE)
        return found;
    if (!story_room(build, &story->names, story->name_count, &story->name_capacity,
                    sizeof *story->names, STORY_OPERATIONS_MAX))
        return STORY_NONE;
    copy = strdup(text);
    if (!copy || !id_map_add(&story->name_by_text, hash, story->name_count)) {
        free(copy);
        (void)story_no_memory(build);
        return STORY_NONE;
    }
    story->names[story->name_count] = (struct story_name){.text = copy};
    return story->name_count++;
}

static enum story_kind kind_of(const json_t *call)
{
    const char *kind = text_of(call, "kind");

    for (uint32_t i = 0; i < STORY_OTHER; i++)
        if (strcmp(kinds[i].call, kind) == 0)
            return (enum story_kind)i;
    return STORY_OTHER;
}

bool story_name_give(const struct story_build *build, uint32_t index)
{
    struct story *story = build->story;
    struct story_operation *operation = &story->operations[index];
    const json_t *call = json_array_get(story->calls, operation->call);
    const bool known = operation->call < story->call_count;
    char text[PROGRAM_LABEL_BYTES];

    operation->kind = kind_of(call);
    operation->name = known ? story->call_names[operation->call] - 1 : STORY_NONE;
    if (operation->name == STORY_NONE) {
        const struct program_call *label = program_call(&story->program, operation->call);

        if (label)
            (void)snprintf(text, sizeof text, "%s", label->label);
        else
            (void)snprintf(text, sizeof text, "%.50s/%s", story_task_name(story, operation->task),
                           kinds[operation->kind].name);
        visible_mark(text);
        operation->name = text_take(build, text);
        if (operation->name == STORY_NONE)
            return false;
        if (known)
            story->call_names[operation->call] = operation->name + 1;
    }
    operation->number = ++story->names[operation->name].count;
    return true;
}

bool story_name_own(const struct story_build *build, uint32_t index, const char *name)
{
    struct story_operation *operation = &build->story->operations[index];

    operation->name = text_take(build, name);
    if (operation->name == STORY_NONE)
        return false;
    operation->number = ++build->story->names[operation->name].count;
    return true;
}

/* ---- telling names ----------------------------------------------------------------------------
 */

const char *story_kind_name(enum story_kind kind)
{
    return kinds[kind].words;
}

const char *story_rule(const struct story *story, uint32_t rule)
{
    const struct event_log_rule *row = rule == RULE_NONE ? NULL : event_log_rule(story->log, rule);

    return row ? row->label : "-";
}

char *story_name(const struct story *story, struct story_subject subject, char to[STORY_NAME_BYTES])
{
    const struct story_operation *operation = &story->operations[subject.operation];
    const struct story_name *name = &story->names[operation->name];
    int used = snprintf(to, STORY_NAME_BYTES, "%s", name->text);

    if (operation->number > 1)
        used +=
            snprintf(to + used, STORY_NAME_BYTES - (size_t)used, "#%" PRIu32, operation->number);
    if (subject.block != STORY_NONE)
        (void)snprintf(to + used, STORY_NAME_BYTES - (size_t)used, ":%" PRIu32,
                       story->blocks[subject.block].index);
    return to;
}

char *story_stream_name(const struct story *story, uint32_t stream, char to[STORY_NAME_BYTES])
{
    const struct story_stream *of = &story->streams[stream];

    if (of->is_hip)
        (void)snprintf(to, STORY_NAME_BYTES, "HSA queue %" PRIu32, of->hsa_queue);
    else if (of->is_sdma)
        (void)snprintf(to, STORY_NAME_BYTES, "the SDMA queue of doorbell %" PRIu64, of->stream_id);
    else if (of->is_queue)
        (void)snprintf(to, STORY_NAME_BYTES, "the queue of doorbell %" PRIu64, of->stream_id);
    else
        (void)snprintf(to, STORY_NAME_BYTES, "%s %" PRIu64, streams_word(of->kind), of->stream_id);
    return to;
}

char *story_work_name(const struct story *story, uint32_t work, char to[STORY_NAME_BYTES])
{
    const struct story_work *of = &story->works[work];

    if (of->operation != STORY_NONE)
        return story_name(story, (struct story_subject){of->operation, STORY_NONE}, to);
    (void)snprintf(to, STORY_NAME_BYTES, "%s %" PRIu64, of->is_copy ? "copy" : "grid", of->id);
    return to;
}

static void block_name(const struct story *story, uint32_t block, char to[STORY_NAME_BYTES])
{
    const struct story_block *of = &story->blocks[block];
    size_t used;

    story_work_name(story, of->work, to);
    used = strlen(to);
    (void)snprintf(to + used, STORY_NAME_BYTES - used, ":%" PRIu32, of->index);
}

char *story_by_name(const struct story *story, const struct story_piece *piece,
                    char to[STORY_NAME_BYTES])
{
    *to = 0;
    switch (piece->by) {
    case STORY_BY_NOBODY:
        break;
    case STORY_BY_OPERATION:
        story_name(story, (struct story_subject){(uint32_t)piece->by_id, STORY_NONE}, to);
        break;
    case STORY_BY_WORK:
        story_work_name(story, (uint32_t)piece->by_id, to);
        break;
    case STORY_BY_BLOCK:
        block_name(story, (uint32_t)piece->by_id, to);
        break;
    case STORY_BY_CU:
        break;
    case STORY_BY_CHANNEL:
        (void)snprintf(to, STORY_NAME_BYTES, "channel %" PRIu64, piece->by_id);
        break;
    }
    return to;
}

char *story_describe(const struct story *story, uint32_t index, char to[STORY_NAME_BYTES])
{
    const struct story_operation *operation = &story->operations[index];
    const json_t *call = json_array_get(story->calls, operation->call);
    const json_int_t blocks = json_integer_value(json_object_get(call, "block_count"));
    const json_int_t shared = json_integer_value(json_object_get(call, "shared_memory"));
    const json_int_t bytes = json_integer_value(json_object_get(call, "byte_count"));
    int used;

    *to = 0;
    if (operation->kind == STORY_KERNEL && !call && operation->work != STORY_NONE) {
        const struct story_work *work = &story->works[operation->work];

        (void)snprintf(to, STORY_NAME_BYTES, "%" PRIu64 " block%s of %" PRIu32 " threads",
                       work->block_count, work->block_count == 1 ? "" : "s", work->block_threads);
    } else if (operation->kind == STORY_KERNEL) {
        used = snprintf(to, STORY_NAME_BYTES,
                        "%" JSON_INTEGER_FORMAT " block%s of %" JSON_INTEGER_FORMAT " threads",
                        blocks, blocks == 1 ? "" : "s",
                        json_integer_value(json_object_get(call, "thread_count")));
        if (shared > 0)
            (void)snprintf(to + used, STORY_NAME_BYTES - (size_t)used,
                           ", %" JSON_INTEGER_FORMAT " B of shared memory", shared);
    } else if (operation->kind == STORY_COPY && !call && operation->work != STORY_NONE) {
        (void)snprintf(to, STORY_NAME_BYTES, "%" PRIu64 " bytes",
                       story->works[operation->work].byte_count);
    } else if (operation->kind == STORY_COPY || operation->kind == STORY_MEMSET) {
        (void)snprintf(to, STORY_NAME_BYTES, "%" JSON_INTEGER_FORMAT " bytes%s%.20s", bytes,
                       *text_of(call, "direction") ? " " : "", text_of(call, "direction"));
    }
    return to;
}

/* ---- finding ----------------------------------------------------------------------------------
 */

/* The text up to `end`, which is a name, or a name, '#' and a number. */
static bool operation_find(const struct story *story, const char *text, size_t length,
                           uint32_t *operation)
{
    char name[STORY_NAME_BYTES];
    uint64_t hash, number = 1;
    uint32_t found;
    char *sharp;

    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    found = text_find(story, name, &hash);
    sharp = strrchr(name, '#');
    if (found == STORY_NONE && sharp) {
        *sharp = 0;
        found = text_find(story, name, &hash);
        if (!args_parse_number(sharp + 1, &number))
            found = STORY_NONE;
    }
    for (uint32_t i = 0; found != STORY_NONE && i < story->operation_count; i++)
        if (story->operations[i].name == found && story->operations[i].number == number) {
            *operation = i;
            return true;
        }
    return false;
}

/* Pictures number the grids and copies of the log; those that a program makes have its names. */
static bool has_turn(const struct story *story, uint32_t work)
{
    const uint32_t operation = story->works[work].operation;

    return operation != STORY_NONE &&
           !program_call(&story->program, story->operations[operation].call);
}

static bool turn_find(const struct story *story, const struct operation_name *name,
                      uint32_t *operation)
{
    const bool is_copy = name->kind == EXPLAIN_COPY;
    uint64_t turn = 0;

    if (name->kind != EXPLAIN_COPY && name->kind != EXPLAIN_LAUNCH)
        return false;
    for (uint32_t i = 0; i < story->work_count; i++) {
        turn += story->works[i].is_copy == is_copy;
        if (story->works[i].is_copy == is_copy && turn == name->number) {
            *operation = story->works[i].operation;
            return has_turn(story, i);
        }
    }
    return false;
}

char *story_drawn_name(const struct story *story, struct story_subject subject,
                       char to[STORY_NAME_BYTES])
{
    const uint32_t work = story->operations[subject.operation].work;
    uint32_t turn = 1;
    int used;

    *to = 0;
    if (work == STORY_NONE || !has_turn(story, work))
        return to;
    for (uint32_t i = 0; i < work; i++)
        turn += story->works[i].is_copy == story->works[work].is_copy;
    used =
        snprintf(to, STORY_NAME_BYTES, "%c%" PRIu32, story->works[work].is_copy ? 'C' : 'K', turn);
    if (subject.block != STORY_NONE)
        (void)snprintf(to + used, STORY_NAME_BYTES - (size_t)used, ":%" PRIu32,
                       story->blocks[subject.block].index);
    return to;
}

bool story_find(const struct story *story, const char *text, struct story_subject *subject)
{
    struct operation_name name;
    uint32_t work;

    *subject = (struct story_subject){STORY_NONE, STORY_NONE};
    if (!operation_name_read(text, &name) || name.form == OPERATION_BY_NUMBER)
        return false;
    /* A name may have a colon of its own. */
    if (operation_find(story, text, strlen(text), &subject->operation))
        return true;
    if (!operation_find(story, text, name.bytes, &subject->operation) &&
        !(name.form == OPERATION_BY_TURN && turn_find(story, &name, &subject->operation)))
        return false;
    if (!name.has_block)
        return true;
    work = story->operations[subject->operation].work;
    if (work == STORY_NONE)
        return false;
    subject->block = id_map_find(&story->block_by_id, (uint64_t)work << 32 ^ name.block);
    return subject->block != ID_MAP_NONE;
}

enum { DRAWN_BYTES = 80, MORE_BYTES = 32 };

/* "; in pictures K1 to K3, C1 to C2", of those that have such names. */
static void drawn_names(const struct story *story, char to[DRAWN_BYTES])
{
    const size_t bytes = DRAWN_BYTES;
    const char *before = "; in pictures ";

    *to = 0;
    for (uint32_t is_copy = 0; is_copy < 2; is_copy++) {
        uint32_t count = 0;
        bool any = false;

        for (uint32_t i = 0; i < story->work_count; i++)
            if (story->works[i].is_copy == (is_copy != 0)) {
                count++;
                any |= has_turn(story, i);
            }
        if (!any)
            continue;
        (void)snprintf(to + strlen(to), bytes - strlen(to), "%s%c1", before, is_copy ? 'C' : 'K');
        if (count > 1)
            (void)snprintf(to + strlen(to), bytes - strlen(to), " to %c%" PRIu32,
                           is_copy ? 'C' : 'K', count);
        before = ", ";
    }
}

char *story_names(const struct story *story, char *to, size_t bytes)
{
    char drawn[DRAWN_BYTES];
    size_t used = 0;

    *to = 0;
    drawn_names(story, drawn);
    for (uint32_t i = 0; i < story->name_count; i++) {
        const struct story_name *name = &story->names[i];
        char text[2 * STORY_NAME_BYTES];

        if (name->count > 1)
            (void)snprintf(text, sizeof text, "%s%s#1 to #%" PRIu32, i ? ", " : "", name->text,
                           name->count);
        else
            (void)snprintf(text, sizeof text, "%s%s", i ? ", " : "", name->text);
        if (used + strlen(text) + strlen(drawn) + MORE_BYTES > bytes) {
            (void)snprintf(to + used, bytes - used, " and %" PRIu32 " more", story->name_count - i);
            break;
        }
        used += (size_t)snprintf(to + used, bytes - used, "%s", text);
    }
    (void)snprintf(to + strlen(to), bytes - strlen(to), "%s", drawn);
    return to;
}
