/* SPDX-License-Identifier: MIT */
/* Reading a trace for replay: records, threads, the completion values that it ends with. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/hash_trace.h"
#include "emu/replay.h"

enum { REPLAY_BLOCK_BYTES = 1 << 20 };
#define REPLAY_BYTES_MAX (UINT64_C(8) << 30)

struct replay_block {
    struct replay_block *next;
    size_t used, size;
    uint8_t data[];
};

/* ---- memory behind the records --------------------------------------------------------------- */

static void *replay_keep(struct replay_input *input, const void *data, size_t bytes,
                         struct gfe_error *error)
{
    struct replay_block *block = input->blocks;
    const size_t rounded = (bytes + 7) / 8 * 8;
    void *kept;

    if (!block || block->size - block->used < rounded) {
        const size_t size = rounded > REPLAY_BLOCK_BYTES ? rounded : REPLAY_BLOCK_BYTES;

        if (input->bytes + size > REPLAY_BYTES_MAX) {
            error_set(error, ERROR_LIMIT, "%s: holds more than %" PRIu64 " bytes", input->path,
                      REPLAY_BYTES_MAX);
            return NULL;
        }
        block = malloc(sizeof *block + size);
        if (!block) {
            error_set(error, ERROR_SYSTEM, "%s: no memory to hold the trace", input->path);
            return NULL;
        }
        *block = (struct replay_block){.next = input->blocks, .used = 0, .size = size};
        input->blocks = block;
        input->bytes += size;
    }
    kept = block->data + block->used;
    block->used += rounded;
    memcpy(kept, data, bytes);
    return kept;
}

/* Replaces a record's pointers by copies. */
static bool replay_keep_fields(struct replay_input *input, struct trace_record *record,
                               struct gfe_error *error)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);
    uint8_t *fields = (uint8_t *)&record->meta;

    for (uint32_t i = 0; i < row->field_count; i++) {
        void *field = fields + row->fields[i].offset;

        if (row->fields[i].type == TRACE_STR) {
            struct trace_str *text = field;

            text->text = replay_keep(input, text->text, (size_t)text->length + 1, error);
            if (!text->text)
                return false;
        } else if (row->fields[i].type == TRACE_BYTES) {
            struct trace_bytes *bytes = field;

            bytes->data = replay_keep(input, bytes->data, bytes->length, error);
            if (!bytes->data)
                return false;
        } else if (row->fields[i].type == TRACE_PUSHES) {
            struct trace_pushes *pushes = field;

            pushes->push =
                replay_keep(input, pushes->push, pushes->count * sizeof pushes->push[0], error);
            if (!pushes->push)
                return false;
        }
    }
    return true;
}

/* ---- what the records say ---------------------------------------------------------------------
 */

/* Records that other threads depend on keep the recording's order. */
static bool replay_is_resource(uint16_t kind)
{
    return kind == TRACE_AS_CREATE || kind == TRACE_AS_MAP || kind == TRACE_AS_UNMAP ||
           kind == TRACE_CHANNEL || kind == TRACE_CHANNEL_END || kind == TRACE_OBJECT;
}

static bool replay_thread(struct replay_input *input, const struct trace_head *head,
                          uint32_t *thread_index, struct gfe_error *error)
{
    for (uint32_t i = 0; i < input->thread_count; i++) {
        const struct trace_head *first = &input->records[input->thread_records[i][0]].record.head;

        if (first->process_id == head->process_id && first->thread_id == head->thread_id) {
            *thread_index = i;
            return true;
        }
    }
    if (input->thread_count == REPLAY_THREADS_MAX)
        return error_set(error, ERROR_LIMIT, "%s: more than %d threads", input->path,
                         REPLAY_THREADS_MAX);
    *thread_index = input->thread_count++;
    return true;
}

static bool replay_grow(void **array, uint32_t count, size_t entry_bytes, struct gfe_error *error)
{
    void *moved;

    /* Powers of two from 64 on: full exactly when the count is one. */
    if (count != 0 && (count < 64 || (count & (count - 1)) != 0))
        return true;
    moved = realloc(*array, (count ? (size_t)count * 2 : 64) * entry_bytes);
    if (!moved)
        return error_set(error, ERROR_SYSTEM, "no memory to hold the trace");
    *array = moved;
    return true;
}

static void replay_note_channel(struct replay_input *input, uint32_t channel_id)
{
    for (uint32_t i = 0; i < input->channel_count; i++)
        if (input->channels[i] == channel_id)
            return;
    if (input->channel_count < REPLAY_CHANNELS_MAX)
        input->channels[input->channel_count++] = channel_id;
}

/* The last value written to each address is the one that the replay has to reach. */
static bool replay_note_fence(struct replay_input *input, const struct trace_gpu_write *write,
                              struct gfe_error *error)
{
    uint32_t value;

    if (write->data.length < sizeof value || write->why == TRACE_WHY_NOTIFY)
        return true;
    memcpy(&value, write->data.data, sizeof value);
    for (uint32_t i = 0; i < input->fence_count; i++)
        if (input->fences[i].channel_id == write->channel_id &&
            input->fences[i].address == write->address) {
            input->fences[i].value = value;
            return true;
        }
    if (!replay_grow((void **)&input->fences, input->fence_count, sizeof input->fences[0], error))
        return false;
    input->fences[input->fence_count++] =
        (struct replay_fence){write->channel_id, value, write->address};
    return true;
}

static bool replay_note(struct replay_input *input, const struct trace_record *record,
                        struct gfe_error *error)
{
    switch (record->head.kind) {
    case TRACE_CHANNEL:
        replay_note_channel(input, record->channel.channel_id);
        return true;
    case TRACE_CLIENT:
        if (record->client.layer != TRACE_LAYER_UAPI)
            return error_set(error, ERROR_INPUT,
                             "%s: recorded at a layer that cannot be replayed yet (only UAPI can)",
                             input->path);
        return true;
    case TRACE_SUBMIT:
        input->submission_count++;
        return true;
    case TRACE_CPU_WAIT:
        input->recorded_wait_count++;
        input->has_call_waits |= record->cpu_wait.how == TRACE_WAIT_CALL;
        return true;
    case TRACE_GPU_WRITE:
        return replay_note_fence(input, &record->gpu_write, error);
    default:
        return true;
    }
}

static bool replay_add(struct replay_input *input, struct trace_record *record, uint32_t *resources,
                       struct gfe_error *error)
{
    uint32_t thread_index = 0, *count;

    if (!replay_keep_fields(input, record, error) || !replay_note(input, record, error))
        return false;
    if (record->head.kind == TRACE_META || record->head.kind == TRACE_END ||
        record->head.kind == TRACE_GPU_WRITE)
        return true;
    if (input->record_count == UINT32_MAX - 1)
        return error_set(error, ERROR_LIMIT, "%s: too many records", input->path);
    if (!replay_grow((void **)&input->records, input->record_count, sizeof input->records[0],
                     error) ||
        !replay_thread(input, &record->head, &thread_index, error))
        return false;
    count = &input->thread_record_count[thread_index];
    if (!replay_grow((void **)&input->thread_records[thread_index], *count, sizeof(uint32_t),
                     error))
        return false;
    input->thread_records[thread_index][(*count)++] = input->record_count;
    input->records[input->record_count++] = (struct replay_record){
        .record = *record, .thread_index = thread_index, .resources_before = *resources};
    *resources += replay_is_resource(record->head.kind);
    return true;
}

static bool replay_read_records(struct replay_input *input, struct trace_reader *reader,
                                struct hash_trace *hash, struct gfe_error *error)
{
    struct trace_record record;
    uint32_t resources = 0;

    for (;;) {
        switch (trace_read(reader, &record, error)) {
        case TRACE_GOT:
            if (!hash_trace_add(hash, &record))
                return error_set(error, ERROR_SYSTEM, "%s: no memory to hold the trace",
                                 input->path);
            if (!replay_add(input, &record, &resources, error))
                return false;
            break;
        case TRACE_AT_END:
            return true;
        case TRACE_FAILED:
            return false;
        }
    }
}

static bool replay_read_all(struct replay_input *input, struct trace_reader *reader,
                            struct gfe_error *error)
{
    struct hash_trace *hash = hash_trace_new();
    bool done;

    if (!hash)
        return error_set(error, ERROR_SYSTEM, "%s: no memory to hold the trace", input->path);
    done = replay_read_records(input, reader, hash, error);
    if (done)
        hash_trace_end(hash, input->hash);
    hash_trace_free(hash);
    return done;
}

struct replay_input *replay_load(const char *path, struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(path, error);
    struct replay_input *input;

    if (!reader)
        return NULL;
    input = calloc(1, sizeof *input);
    if (input)
        input->path = strdup(path);
    if (!input || !input->path) {
        error_set(error, ERROR_SYSTEM, "%s: no memory to hold the trace", path);
    } else if (replay_read_all(input, reader, error)) {
        const struct trace_meta *meta = trace_reader_meta(reader);

        strncpy(input->gpu, meta->gpu.text, sizeof input->gpu - 1);
        strncpy(input->driver, meta->driver.text, sizeof input->driver - 1);
        input->meta = *meta;
        input->meta.gpu = input->meta.driver = (struct trace_str){NULL, 0};
        input->meta.recorder = input->meta.host = input->meta.program = input->meta.gpu;
        trace_reader_free(reader);
        return input;
    }
    trace_reader_free(reader);
    replay_input_free(input);
    return NULL;
}

void replay_input_free(struct replay_input *input)
{
    if (!input)
        return;
    while (input->blocks) {
        struct replay_block *next = input->blocks->next;

        free(input->blocks);
        input->blocks = next;
    }
    for (uint32_t i = 0; i < input->thread_count; i++)
        free(input->thread_records[i]);
    free(input->records);
    free(input->fences);
    free(input->path);
    free(input);
}
