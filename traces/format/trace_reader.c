/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/chunk.h"
#include "emu/log/chunk_salvage.h"
#include "traces/format/trace_codec.h"
#include "traces/format/trace_window.h"

struct trace_reader {
    struct chunk_reader *chunks;
    struct chunk_salvage *salvage; /* reads the chunks instead; NULL: damage is an error */
    const char *name;

    bool first_is_read; /* the caller of trace_reader_adopt() has read `first` */
    struct chunk first;
    struct chunk chunk;              /* the chunk at hand; raw_bytes 0 before the first */
    size_t chunk_used, record_start; /* bytes of it; where the last record begins */
    uint64_t chunk_position;         /* raw bytes in front of it */

    /* What references may point at: the raw bytes, and where the chunks begin in them.  They reach
     * `reach_bytes` back from any record of the chunk at hand, which is in the window too. */
    uint32_t reach_bytes;
    struct trace_window window;
    uint64_t *starts; /* of the chunks first_start .. first_start + start_count - 1 */
    uint64_t first_start;
    size_t start_count, start_capacity;
    uint8_t piece[TRACE_PIECE_BYTES]; /* referenced bytes */

    uint64_t record_count, last_sequence;
    bool accept_cut, saw_end, has_meta, is_of_another_format;
    struct trace_loss loss; /* with `salvage` */
    struct trace_scratch scratch;

    struct trace_meta meta;
    struct trace_scratch meta_scratch;
    struct gfe_error failure; /* kept: what failed once fails again */
};

/* ---- messages -------------------------------------------------------------------------------- */

/* Something is wrong with the record at the current place. */
static bool bad_record(struct trace_reader *reader, const char *wrong)
{
    return error_set(&reader->failure, ERROR_INPUT,
                     "%s: record %llu (chunk at offset %llu, byte %zu of its data): %s",
                     reader->name, (unsigned long long)reader->record_count,
                     (unsigned long long)reader->chunk.file_offset, reader->chunk_used, wrong);
}

static bool cut_off(struct trace_reader *reader)
{
    return error_set(&reader->failure, ERROR_INPUT,
                     "%s: cut off after record %llu (offset %llu): no %s; "
                     "gfe record --recover keeps what is complete",
                     reader->name, (unsigned long long)reader->record_count,
                     (unsigned long long)chunk_reader_offset(reader->chunks),
                     reader->saw_end ? "index" : "END");
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Forgets the starts of chunks that lie wholly in front of the window. */
static void starts_drop(struct trace_reader *reader)
{
    size_t dropped = 0;

    while (dropped + 1 < reader->start_count &&
           reader->starts[dropped + 1] + reader->reach_bytes <= reader->chunk_position)
        dropped++;
    if (dropped == 0)
        return;
    reader->start_count -= dropped;
    reader->first_start += dropped;
    memmove(reader->starts, reader->starts + dropped, reader->start_count * sizeof *reader->starts);
}

/* Makes the list larger when it is full and dropping did not empty half of it. */
static bool starts_reserve(struct trace_reader *reader)
{
    if (reader->start_count < reader->start_capacity)
        return true;
    starts_drop(reader);
    if (reader->start_count < reader->start_capacity / 2)
        return true;
    const size_t capacity = reader->start_capacity ? 2 * reader->start_capacity : 64;
    uint64_t *starts = realloc(reader->starts, capacity * sizeof *starts);
    if (!starts)
        return error_set_errno(&reader->failure, ENOMEM, "%s: cannot read", reader->name);
    reader->starts = starts;
    reader->start_capacity = capacity;
    return true;
}

/* A chunk has at least one record's head, so the window bounds this list. */
static bool start_add(struct trace_reader *reader)
{
    if (!starts_reserve(reader))
        return false;
    reader->starts[reader->start_count++] = reader->chunk_position;
    return true;
}

void trace_reader_window(struct trace_reader *reader, uint32_t bytes)
{
    assert(bytes <= TRACE_WINDOW_BYTES);
    reader->reach_bytes = bytes;
    reader->window.limit_bytes = (size_t)bytes + CHUNK_RAW_MAX_BYTES;
}

static enum chunk_result chunk_take(struct trace_reader *reader)
{
    if (reader->salvage)
        return chunk_salvage_read(reader->salvage, &reader->chunk, &reader->failure);
    if (!reader->first_is_read)
        return chunk_read(reader->chunks, &reader->chunk, &reader->failure);
    reader->first_is_read = false;
    reader->chunk = reader->first;
    return CHUNK_GOT;
}

/* Goes on behind a chunk that cannot be used.  Its bytes stay in the window. */
static void chunk_leave(struct trace_reader *reader)
{
    reader->loss.chunks++;
    reader->failure = (struct gfe_error){0};
    reader->chunk_used = reader->chunk.raw_bytes;
}

/* What is to be done with the chunk that was read.  True: it has records. */
static bool chunk_has_records(struct trace_reader *reader)
{
    if (reader->chunk.kind != CHUNK_TRACE)
        return error_set(&reader->failure, ERROR_INPUT,
                         reader->chunk.number == 0 ? "%s: offset %llu: this is %s, not a trace"
                                                   : "%s: offset %llu: a chunk of %s in a trace",
                         reader->name, (unsigned long long)reader->chunk.file_offset,
                         chunk_file_kind(reader->chunk.kind));
    return reader->chunk.raw_bytes >= TRACE_HEAD_BYTES ||
           bad_record(reader, "the chunk has no record");
}

static enum trace_result chunk_next(struct trace_reader *reader)
{
    reader->chunk_position += reader->chunk.raw_bytes;
    reader->chunk.raw_bytes = 0;
    reader->chunk_used = 0;
    switch (chunk_take(reader)) {
    case CHUNK_FAILED:
        if (!chunk_reader_was_cut(reader->chunks))
            return TRACE_FAILED;
        reader->failure.kind = ERROR_NONE; /* say it in the words of a trace */
        /* fallthrough */
    case CHUNK_AT_END:
        if (reader->accept_cut || (reader->saw_end && chunk_reader_saw_index(reader->chunks)))
            return TRACE_AT_END;
        (void)cut_off(reader);
        return TRACE_FAILED;
    case CHUNK_GOT:
        break;
    }
    if (!chunk_has_records(reader)) {
        if (!reader->salvage)
            return TRACE_FAILED;
        reader->failure = (struct gfe_error){0};
        reader->loss.chunks += reader->chunk.raw_bytes > 0; /* else the salvage counts it */
        reader->chunk.raw_bytes = 0;
        return start_add(reader) ? TRACE_GOT : TRACE_FAILED;
    }
    if (!trace_window_add(&reader->window, reader->chunk.raw, reader->chunk.raw_bytes)) {
        (void)error_set_errno(&reader->failure, ENOMEM, "%s: cannot read", reader->name);
        return TRACE_FAILED;
    }
    return start_add(reader) ? TRACE_GOT : TRACE_FAILED;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Position and length of the chunk with that number, if its start is still known. */
static bool chunk_place(const struct trace_reader *reader, uint64_t number, uint64_t *start,
                        uint64_t *bytes)
{
    if (number < reader->first_start || number - reader->first_start >= reader->start_count)
        return false;
    const size_t i = (size_t)(number - reader->first_start);
    const uint64_t end = i + 1 < reader->start_count
                             ? reader->starts[i + 1]
                             : reader->chunk_position + reader->chunk.raw_bytes;
    *start = reader->starts[i];
    *bytes = end - *start;
    return true;
}

static const char *reference_resolve(struct trace_reader *reader, struct trace_bytes *data,
                                     const struct trace_reference *reference)
{
    const uint64_t here = reader->chunk_position + reader->chunk_used;
    uint64_t start, bytes;

    if (data->length > TRACE_PIECE_BYTES)
        return "a reference to more than a page";
    if (reader->salvage && chunk_salvage_loss(reader->salvage).numbers_unknown)
        return "a reference to a chunk by a number that is not known any more";
    if (!chunk_place(reader, reference->chunk_number, &start, &bytes))
        return "a reference to a chunk outside the window";
    if (reference->offset > bytes || data->length > bytes - reference->offset)
        return "a reference past the end of its chunk";
    const uint64_t position = start + reference->offset;
    if (position + data->length > here)
        return "a reference to what comes later";
    if (here - position > reader->reach_bytes)
        return "a reference to bytes outside the window";

    trace_window_copy(&reader->window, position, reader->piece, data->length);
    data->data = reader->piece;
    return NULL;
}

static const char *mem_check(struct trace_reader *reader, struct trace_mem *mem,
                             const struct trace_reference *reference)
{
    if (mem->address % TRACE_PIECE_BYTES + mem->data.length > TRACE_PIECE_BYTES)
        return "MEM crosses a multiple of 4096 in its address";
    return reference->present ? reference_resolve(reader, &mem->data, reference) : NULL;
}

/* The order that every trace has: META, ..., END; sequence numbers grow. */
static const char *order_check(const struct trace_reader *reader, const struct trace_record *record)
{
    if (reader->saw_end)
        return "a record after END";
    if (reader->record_count == 0 && record->head.kind != TRACE_META && !reader->salvage)
        return "META was expected, the first record of a trace";
    if (reader->record_count > 0 && record->head.kind == TRACE_META)
        return "a second META";
    if (reader->record_count > 0 && record->head.sequence <= reader->last_sequence)
        return "its sequence number does not grow";
    return NULL;
}

static bool head_check(struct trace_reader *reader, struct trace_record *record)
{
    const size_t left = reader->chunk.raw_bytes - reader->chunk_used;
    const char *wrong;
    char text[64];

    if (left < TRACE_HEAD_BYTES)
        return bad_record(reader, "the chunk ends inside a record's head");
    trace_decode_head(&record->head, reader->chunk.raw + reader->chunk_used);
    if (!trace_record_row(record->head.kind)) {
        (void)snprintf(text, sizeof text, "record of unknown kind %u", record->head.kind);
        return bad_record(reader, text);
    }
    if (record->head.length_bytes > left - TRACE_HEAD_BYTES)
        return bad_record(reader, "the record is longer than its chunk");
    if (record->head.reserved != 0)
        return bad_record(reader, "the reserved field of its head is not zero");
    wrong = order_check(reader, record);
    return wrong ? bad_record(reader, wrong) : true;
}

static bool end_check(struct trace_reader *reader, const struct trace_end *end)
{
    char text[96];

    if (end->record_count == reader->record_count || reader->salvage)
        return true;
    (void)snprintf(text, sizeof text, "END counts %llu records in front of it; there are %llu",
                   (unsigned long long)end->record_count, (unsigned long long)reader->record_count);
    return bad_record(reader, text);
}

/* Records of another format cannot be told apart by this one's table. */
static bool format_check(struct trace_reader *reader, const struct trace_meta *meta)
{
    reader->is_of_another_format = meta->format != TRACE_FORMAT;
    return !reader->is_of_another_format ||
           error_set(&reader->failure, ERROR_INPUT,
                     "%s: trace format %u, but this gfe reads format %u", reader->name,
                     meta->format, (unsigned)TRACE_FORMAT);
}

/* The record at the current place of the chunk at hand; does not move on.  *is_lost: its data were
 * in a chunk that is lost. */
static bool record_decode(struct trace_reader *reader, struct trace_record *record,
                          struct trace_scratch *scratch, bool *is_lost)
{
    struct trace_reference reference;
    const char *wrong;

    *is_lost = false;
    if (!head_check(reader, record))
        return false;
    wrong = trace_decode_fields(record, reader->chunk.raw + reader->chunk_used + TRACE_HEAD_BYTES,
                                scratch, &reference);
    if (!wrong && record->head.kind == TRACE_MEM)
        wrong = mem_check(reader, &record->mem, &reference);
    if (wrong == trace_memory_is_short)
        return error_set_errno(&reader->failure, ENOMEM, "%s: cannot read",
                               chunk_reader_name(reader->chunks));
    *is_lost = wrong && reader->salvage && record->head.kind == TRACE_MEM && reference.present;
    if (*is_lost)
        return true;
    if (wrong)
        return bad_record(reader, wrong);
    if (record->head.kind == TRACE_MEM && reference.present &&
        !chunk_reader_spend(reader->chunks, record->mem.data.length, &reader->failure))
        return false;
    if (record->head.kind == TRACE_META)
        return format_check(reader, &record->meta);
    if (record->head.kind == TRACE_END)
        return end_check(reader, &record->end);
    return true;
}

/* Takes the record at the current place, or one of a chunk that comes later. */
static enum trace_result record_next(struct trace_reader *reader, struct trace_record *record)
{
    bool is_lost = true;

    while (is_lost) {
        while (reader->chunk_used == reader->chunk.raw_bytes) {
            const enum trace_result result = chunk_next(reader);
            if (result != TRACE_GOT)
                return result;
        }
        if (!record_decode(reader, record, &reader->scratch, &is_lost)) {
            if (!reader->salvage || reader->failure.kind != ERROR_INPUT)
                return TRACE_FAILED;
            chunk_leave(reader);
            is_lost = true;
            continue;
        }
        reader->record_start = reader->chunk_used;
        reader->chunk_used += TRACE_HEAD_BYTES + (size_t)record->head.length_bytes;
        reader->loss.references += is_lost;
    }
    reader->record_count++;
    reader->last_sequence = record->head.sequence;
    reader->saw_end = record->head.kind == TRACE_END;
    return TRACE_GOT;
}

enum trace_result trace_read(struct trace_reader *reader, struct trace_record *record,
                             struct gfe_error *error)
{
    enum trace_result result = TRACE_FAILED;

    if (reader->failure.kind == ERROR_NONE)
        result = record_next(reader, record);
    if (result == TRACE_FAILED)
        (void)error_set(error, reader->failure.kind, "%s", reader->failure.text);
    return result;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Reads the first chunk and META in it; the first trace_read() gives META once more. */
static bool meta_read(struct trace_reader *reader)
{
    struct trace_record record;
    bool is_lost;

    reader->accept_cut = true; /* for now: a file without any record gets words of its own */
    const enum trace_result result = chunk_next(reader);
    reader->accept_cut = false;
    if (result == TRACE_FAILED)
        return false;
    if (result == TRACE_AT_END && chunk_reader_was_cut(reader->chunks))
        return error_set(&reader->failure, ERROR_INPUT,
                         "%s: cut off inside its first chunk: nothing of it can be read",
                         reader->name);
    if (result == TRACE_AT_END)
        return error_set(&reader->failure, ERROR_INPUT, "%s: %s", reader->name,
                         chunk_reader_saw_index(reader->chunks)
                             ? "a trace without records: META was expected at offset 0"
                             : "the file is empty: a trace was expected");
    if (!record_decode(reader, &record, &reader->meta_scratch, &is_lost))
        return false;
    reader->meta = record.meta;
    reader->has_meta = true;
    return true;
}

/* The same, where the first chunk may be lost, and META with it.  A file of another format is
 * refused: its chunks are whole, so nothing of it can be salvaged with this format's table. */
static bool meta_salvage(struct trace_reader *reader)
{
    struct trace_record record;
    bool is_lost;

    reader->accept_cut = true;
    if (chunk_next(reader) == TRACE_FAILED)
        return false;
    if (reader->chunk.raw_bytes == 0)
        return true;
    if (record_decode(reader, &record, &reader->meta_scratch, &is_lost) && !is_lost &&
        record.head.kind == TRACE_META) {
        reader->meta = record.meta;
        reader->has_meta = true;
    }
    if (reader->is_of_another_format)
        return false;
    if (reader->failure.kind == ERROR_INPUT)
        chunk_leave(reader);
    return reader->failure.kind == ERROR_NONE;
}

static struct trace_reader *reader_new(struct chunk_reader *chunks, const struct chunk *first,
                                       struct chunk_salvage *salvage, struct gfe_error *error)
{
    struct trace_reader *reader = calloc(1, sizeof *reader);

    if (!reader) {
        error_set_errno(error, ENOMEM, "%s: cannot read", chunk_reader_name(chunks));
        chunk_reader_free(chunks);
        chunk_salvage_free(salvage);
        return NULL;
    }
    reader->chunks = chunks;
    reader->salvage = salvage;
    trace_reader_window(reader, TRACE_WINDOW_BYTES);
    reader->name = chunk_reader_name(chunks);
    if (first) {
        reader->first = *first;
        reader->first_is_read = true;
    }
    if (salvage ? !meta_salvage(reader) : !meta_read(reader)) {
        (void)error_set(error, reader->failure.kind, "%s", reader->failure.text);
        trace_reader_free(reader);
        return NULL;
    }
    return reader;
}

struct trace_reader *trace_reader_open(const char *path, struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(path, error);

    if (!chunks)
        return NULL;
    chunk_reader_read_ahead(chunks);
    return reader_new(chunks, NULL, NULL, error);
}

struct trace_reader *trace_reader_salvage(const char *path, struct gfe_error *error)
{
    struct chunk_salvage *salvage = chunk_salvage_open(path, error);
    struct chunk_reader *chunks = salvage ? chunk_reader_open(path, error) : NULL;

    if (chunks)
        return reader_new(chunks, NULL, salvage, error);
    chunk_salvage_free(salvage);
    return NULL;
}

struct trace_loss trace_reader_loss(const struct trace_reader *reader)
{
    const struct chunk_loss chunks = chunk_salvage_loss(reader->salvage);
    struct trace_loss loss = reader->loss;

    loss.chunks += chunks.chunks;
    loss.mended = chunks.mended;
    return loss;
}

bool trace_reader_has_meta(const struct trace_reader *reader)
{
    return reader->has_meta;
}

struct trace_reader *trace_reader_adopt(struct chunk_reader *chunks, const struct chunk *first,
                                        struct gfe_error *error)
{
    return reader_new(chunks, first, NULL, error);
}

void trace_reader_accept_cut(struct trace_reader *reader)
{
    reader->accept_cut = true;
}

void trace_reader_limit(struct trace_reader *reader, uint64_t unpacked_bytes)
{
    chunk_reader_limit(reader->chunks, unpacked_bytes);
}

const struct trace_meta *trace_reader_meta(const struct trace_reader *reader)
{
    return &reader->meta;
}

const char *trace_reader_name(const struct trace_reader *reader)
{
    return reader->name;
}

struct trace_position trace_reader_position(const struct trace_reader *reader)
{
    return (struct trace_position){.record_number = reader->record_count - 1,
                                   .record = reader->chunk_position + reader->record_start,
                                   .chunk = reader->chunk_position,
                                   .chunk_number = reader->chunk.number,
                                   .chunk_offset = reader->chunk.file_offset,
                                   .chunk_bytes = reader->chunk.raw_bytes};
}

void trace_reader_free(struct trace_reader *reader)
{
    if (!reader)
        return;
    chunk_reader_free(reader->chunks);
    chunk_salvage_free(reader->salvage);
    trace_scratch_free(&reader->scratch);
    trace_scratch_free(&reader->meta_scratch);
    trace_window_free(&reader->window);
    free(reader->starts);
    free(reader);
}
