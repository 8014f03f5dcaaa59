/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/model/model.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/model/model_private.h"
#include "emu/log/gpu_words.h"

enum { NO_POSITION = 0xff };

/* A kind of event that becomes a record. */
struct kind_row {
    const char *name;
    enum model_type type;
    enum model_operation operation;
    const char *arguments[MODEL_MEMBERS_MAX];
};

/* clang-format off */
#define KIND_ROW(name, type, operation, ...) {name, MODEL_##type, MODEL_##operation, {__VA_ARGS__}},
/* clang-format on */
static const struct kind_row kind_rows[] = {MODEL_EVENTS(KIND_ROW)};

/* Members that each type has: what a log does not name becomes 0. */
#define MEMBER_COUNT(type, member, meaning) MEMBERS_##member,
enum {
    MEMBERS_event = 0,
#define MEMBERS(name)                                                                              \
    MEMBERS_##name = sizeof(((struct model_record *)NULL)->name) / sizeof(uint64_t)
    MEMBERS(submission),
    MEMBERS(cpu_wait),
    MEMBERS(store),
    MEMBERS(entry),
    MEMBERS(place),
    MEMBERS(fence),
    MEMBERS(unmodelled),
    MEMBERS(run),
    MEMBERS(cut),
    MEMBERS(wait),
    MEMBERS(grid),
    MEMBERS(cost),
    MEMBERS(copy),
    MEMBERS(work),
    MEMBERS(done),
    MEMBERS(block),
    MEMBERS(staged),
    MEMBERS(channel),
    MEMBERS(loaded),
    MEMBERS(stopped),
    MEMBERS(runlist),
    MEMBERS(slice),
    MEMBERS(context),
    MEMBERS(reset),
    MEMBERS(fault),
    MEMBERS(pbdma),
    MEMBERS(doorbell),
    MEMBERS(fetched),
    MEMBERS(object),
    MEMBERS(segment),
    MEMBERS(mem_op),
    MEMBERS(method),
    MEMBERS(slot),
    MEMBERS(queue),
    MEMBERS(ring),
    MEMBERS(packet),
    MEMBERS(written),
    MEMBERS(dispatch),
    MEMBERS(turn),
    MEMBERS(sdma),
    MEMBERS(client),
    MEMBERS(stream),
    MEMBERS(stream_operation),
    MEMBERS(stream_channel),
    MEMBERS(stream_operation_submit),
    MEMBERS(task),
    MEMBERS(hip_queue),
    MEMBERS(hip_launch),
    MEMBERS(hip_submit),
};
static const uint8_t member_counts[MODEL_TYPES] = {MODEL_RECORDS(MEMBER_COUNT)};

/* ---- binding --------------------------------------------------------------------------------- */

static uint8_t position_of(const struct event_log_kind *kind, const char *argument)
{
    for (uint32_t i = 0; argument && i < kind->argument_count; i++)
        if (strcmp(kind->arguments[i], argument) == 0)
            return (uint8_t)i;
    return NO_POSITION;
}

static enum model_keeps keeps_of(enum model_type type)
{
    switch (type) {
        /* clang-format off */
    MODEL_OPERATION_RECORDS(MODEL_CASE)
    case MODEL_MMU_FAULT: case MODEL_QUEUE_LOADED: case MODEL_QUEUE_LEFT:
        return MODEL_KEEPS_STATE;
    case MODEL_BLOCK_BEGUN: case MODEL_BLOCK_WENT_ON:
        return MODEL_KEEPS_BLOCK_THAT_COMES;
    case MODEL_BLOCK_DONE: case MODEL_BLOCK_STOPPED:
        return MODEL_KEEPS_BLOCK_THAT_LEAVES;
    default:
        return MODEL_KEEPS_NOTHING;
        /* clang-format on */
    }
}

static void row_bind(struct model_row *row, const struct event_log_kind *kind,
                     const struct kind_row *from)
{
    *row = (struct model_row){.type = from->type,
                              .operation = from->operation,
                              .count = member_counts[from->type],
                              .as_logged = true,
                              .keeps = (uint8_t)keeps_of(from->type)};
    for (uint32_t i = 0; i < row->count; i++) {
        row->position[i] = position_of(kind, from->arguments[i]);
        row->as_logged &= row->position[i] == i;
    }
}

/* Clears what only records have that the model itself looks at. */
static void record_clear(struct model *model)
{
    model->record.live = NULL;
    model->record.since_ps = GFE_PS_NEVER;
    model->record.sm_place = MODEL_NO_PLACE;
    model->record.again = false;
    model->has_block = false;
}

bool model_init(struct model *model, const struct event_log_reader *log, model_listener *listener,
                void *context, struct gfe_error *error)
{
    struct gpu_words words;

    gpu_words_init(&words, log);
    *model = (struct model){.is_amd = words.is_amd, .listener = listener, .context = context};
    record_clear(model);
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++) {
        const uint32_t kind = event_log_kind_by_name(log, kind_rows[i].name);

        if (kind != UINT32_MAX && kind >= model->row_count)
            model->row_count = kind + 1;
    }
    model->rows = malloc(((size_t)model->row_count + 1) * sizeof model->rows[0]);
    if (!model->rows)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    for (uint32_t i = 0; i < model->row_count; i++)
        model->rows[i] = (struct model_row){.type = MODEL_OTHER, .as_logged = true};
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++) {
        const uint32_t kind = event_log_kind_by_name(log, kind_rows[i].name);

        if (kind != UINT32_MAX)
            row_bind(&model->rows[kind], event_log_kind(log, kind), &kind_rows[i]);
    }
    return true;
}

void model_skip_blocks(struct model *model)
{
    for (uint32_t i = 0; i < model->row_count; i++)
        switch (model->rows[i].type) {
            /* clang-format off */
        MODEL_BLOCK_RECORDS(MODEL_CASE)
            model->rows[i].keeps = MODEL_KEEPS_NOTHING;
            break;
        default:
            break;
            /* clang-format on */
        }
}

void model_fini(struct model *model)
{
    model_lives_fini(&model->lives);
    free(model->rows);
    *model = (struct model){0};
}

bool model_tells(const struct event_log_reader *log, enum model_type type)
{
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (kind_rows[i].type == type &&
            event_log_kind_by_name(log, kind_rows[i].name) != UINT32_MAX)
            return true;
    return false;
}

enum model_type model_type_of(const char *event, enum model_operation *operation)
{
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (strcmp(kind_rows[i].name, event) == 0) {
            *operation = kind_rows[i].operation;
            return kind_rows[i].type;
        }
    *operation = MODEL_NO_OPERATION;
    return MODEL_OTHER;
}

const char *model_event_of(enum model_type type)
{
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (kind_rows[i].type == type)
            return kind_rows[i].name;
    return NULL;
}

/* ---- folding --------------------------------------------------------------------------------- */

static void members_fill(struct model_record *record, const struct model_row *row,
                         const struct log_event *event)
{
    if (row->as_logged) { /* sizes that the compiler knows, for blocks above all */
        memcpy(record->value, event->argument, MODEL_MEMBERS_MAX / 2 * sizeof record->value[0]);
        if (row->count > MODEL_MEMBERS_MAX / 2)
            memcpy(record->value, event->argument, sizeof record->value);
        return;
    }
    for (uint32_t i = 0; i < row->count; i++)
        record->value[i] = row->position[i] == NO_POSITION ? 0 : event->argument[row->position[i]];
}

bool model_take(struct model *model, const struct log_event *event)
{
    static const struct model_row other = {.type = MODEL_OTHER, .as_logged = true};
    const struct model_row *row =
        event->kind < model->row_count ? &model->rows[event->kind] : &other;
    struct model_record *record = &model->record;
    bool good;

    record->type = row->type;
    record->operation = row->operation;
    record->now_ps = event->time_ps;
    record->rule = event->rule;
    record->event_number = model->event_count++;
    record->event = event;
    members_fill(record, row, event);
    switch ((enum model_keeps)row->keeps) {
    case MODEL_KEEPS_BLOCK_THAT_COMES:
        return model_fold_block_comes(model, record);
    case MODEL_KEEPS_BLOCK_THAT_LEAVES:
        return model_fold_block_leaves(model, record);
    case MODEL_KEEPS_STATE:
        if (model->has_block)
            record_clear(model);
        good = model_fold(model, record);
        record_clear(model);
        return good;
    default:
        if (model->has_block)
            record_clear(model);
        return model->listener(model->context, record);
    }
}

bool model_read(struct model *model, struct event_log_reader *log, struct gfe_error *error)
{
    enum event_log_result result;
    struct log_event event;

    while ((result = event_log_read(log, &event, error)) == EVENT_LOG_GOT)
        if (!model_take(model, &event)) {
            if (model_no_memory(model))
                error_set_errno(error, ENOMEM, "%s", event_log_name(log));
            return false;
        }
    return result == EVENT_LOG_AT_END;
}
