/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_log_batch.h"

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_log_encode.h"

struct event_log_encoder {
    struct event_log_cursor cursor; /* counts from the batches' first event */
    uint8_t bytes[EVENT_LOG_CHUNK_BYTES + EVENT_LOG_EVENT_BYTES_MAX];
};

/* The buffer is another one, and empty. */
static void batch_begin(struct event_log_batch *batch)
{
    batch->notes->next = (uint64_t *)batch->words.data;
    batch->notes->full = batch->notes->next + EVENT_LOG_BATCH_WORDS;
}

struct event_log_batch *event_log_batch_new(struct chunk_writer *writer,
                                            struct event_log_notes *notes)
{
    const size_t bytes = (EVENT_LOG_BATCH_WORDS + EVENT_LOG_BATCH_EVENT_WORDS) * sizeof(uint64_t);
    struct event_log_batch *batch = calloc(1, sizeof *batch);

    if (!batch)
        return NULL;
    batch->writer = writer;
    batch->notes = notes ? notes : &batch->own;
    batch->words = (struct chunk_buffer){malloc(bytes), bytes};
    batch->encoder = calloc(1, sizeof *batch->encoder);
    if (batch->words.data && batch->encoder) {
        batch_begin(batch);
        return batch;
    }
    event_log_batch_free(batch);
    return NULL;
}

void event_log_batch_free(struct event_log_batch *batch)
{
    if (!batch)
        return;
    chunk_writer_settle(batch->writer);
    *batch->notes = (struct event_log_notes){0};
    free(batch->encoder);
    free(batch->words.data);
    free(batch);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static bool chunk_out(struct event_log_encoder *encoder, struct chunk_writer *writer,
                      struct gfe_error *error)
{
    const size_t bytes = (size_t)(encoder->cursor.byte_count - encoder->cursor.chunk_start);

    event_log_chunk_ends(&encoder->cursor);
    return chunk_made(writer, CHUNK_LOG_EVENTS, encoder->bytes, bytes, error);
}

static bool batch_encode(void *context, struct chunk_writer *writer, const void *raw,
                         size_t raw_bytes, struct gfe_error *error)
{
    struct event_log_encoder *encoder = context;
    struct event_log_cursor *cursor = &encoder->cursor;
    const uint64_t *word = raw, *const end = word + raw_bytes / sizeof *word;

    while (word < end) {
        struct event_log_source event;
        uint8_t *to = encoder->bytes + (cursor->byte_count - cursor->chunk_start);

        memcpy(&event, word, sizeof event);
        cursor->byte_count += (uint64_t)(event_log_encode(to, event, word + 2, cursor) - to);
        word += 2 + event.argument_count;
        if (cursor->byte_count - cursor->chunk_start >= EVENT_LOG_CHUNK_BYTES &&
            !chunk_out(encoder, writer, error))
            return false;
    }
    return true;
}

static bool batch_finish(void *context, struct chunk_writer *writer, const void *raw,
                         size_t raw_bytes, struct gfe_error *error)
{
    struct event_log_encoder *encoder = context;

    (void)raw, (void)raw_bytes;
    return encoder->cursor.byte_count == encoder->cursor.chunk_start ||
           chunk_out(encoder, writer, error);
}

/* ---- the simulation -------------------------------------------------------------------------- */

bool event_log_batch_pass(struct event_log_batch *batch, struct gfe_error *error)
{
    const struct chunk_maker maker = {batch_encode, batch->encoder};
    const size_t bytes =
        (size_t)(batch->notes->next - (uint64_t *)batch->words.data) * sizeof(uint64_t);
    const bool good = chunk_write_made(batch->writer, &maker, &batch->words, bytes, error);

    batch_begin(batch);
    return good;
}

bool event_log_batch_end(struct event_log_batch *batch, struct gfe_error *error)
{
    const struct chunk_maker maker = {batch_finish, batch->encoder};

    return event_log_batch_pass(batch, error) &&
           chunk_write_made(batch->writer, &maker, &batch->words, 0, error);
}
