/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "emu/log/chunk.h"
#include "traces/format/trace_codec.h"
#include "traces/format/trace_window.h"

#ifdef GFE_FUZZ
/* Making room for more takes longer than a small input does. */
enum { FILL_BYTES = 1 << 16, TABLE_SLOTS = 1 << 11 };
#else
enum {
    FILL_BYTES = 1 << 20,  /* a chunk goes out when the next record would make it larger */
    TABLE_SLOTS = 1 << 16, /* twice the whole pages that the window can hold, and then some */
};
#endif
enum {
    SHARED_BYTES_MIN = 64, /* shorter data are not worth a reference and a place in the table */
    TABLE_WAYS = 4,
};

/* Where some bytes went, by their checksum; compared byte by byte before they are shared. */
struct slot {
    uint32_t crc, length; /* length 0: empty */
    uint64_t position;    /* in the raw bytes of all chunks */
    uint64_t chunk_number;
    uint32_t offset; /* in that chunk */
};

struct trace_writer {
    struct chunk_writer *chunks;
    uint64_t record_count, sequence;
    uint8_t *chunk; /* the records of the chunk that is being filled */
    size_t chunk_used, chunk_capacity;
    struct trace_window window; /* the raw bytes in front of it */
    struct slot *table;
    const char *name;
};

struct trace_writer *trace_writer_new(int fd, const char *name, struct gfe_error *error)
{
    struct trace_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        error_set_errno(error, ENOMEM, "%s", name);
        return NULL;
    }
    writer->window.limit_bytes = TRACE_WINDOW_BYTES;
    writer->table = calloc(TABLE_SLOTS, sizeof *writer->table);
    writer->chunk = malloc(FILL_BYTES);
    writer->chunk_capacity = FILL_BYTES;
    writer->chunks = chunk_writer_new(fd, name, error);
    if (!writer->table || !writer->chunk || !writer->chunks) {
        error_set_errno(error, ENOMEM, "%s", name);
        trace_writer_free(writer);
        return NULL;
    }
    writer->name = chunk_writer_name(writer->chunks);
    return writer;
}

void trace_writer_window(struct trace_writer *writer, uint32_t bytes)
{
    assert(bytes >= CHUNK_RAW_MAX_BYTES && bytes <= TRACE_WINDOW_BYTES);
    assert(writer->window.position == 0);
    writer->window.limit_bytes = bytes;
}

void trace_writer_free(struct trace_writer *writer)
{
    if (!writer)
        return;
    chunk_writer_free(writer->chunks);
    trace_window_free(&writer->window);
    free(writer->table);
    free(writer->chunk);
    free(writer);
}

uint64_t trace_writer_record_count(const struct trace_writer *writer)
{
    return writer->record_count;
}

uint64_t trace_writer_sequence(const struct trace_writer *writer)
{
    return writer->sequence;
}

void trace_writer_set_sequence(struct trace_writer *writer, uint64_t sequence)
{
    assert(sequence >= writer->sequence);
    writer->sequence = sequence;
}

void trace_writer_set_fd(struct trace_writer *writer, int fd)
{
    chunk_writer_set_fd(writer->chunks, fd);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

bool trace_writer_flush(struct trace_writer *writer, struct gfe_error *error)
{
    if (writer->chunk_used == 0)
        return true;
    if (!chunk_write(writer->chunks, CHUNK_TRACE, writer->chunk, writer->chunk_used, error))
        return false;
    const size_t bytes = writer->chunk_used;
    writer->chunk_used = 0; /* it is in the file, whatever happens now */
    return trace_window_add(&writer->window, writer->chunk, bytes) ||
           error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
}

bool trace_writer_finish(struct trace_writer *writer, struct gfe_error *error)
{
    return trace_writer_flush(writer, error) && chunk_writer_finish(writer->chunks, error);
}

/* Room for a record of `bytes`; starts a new chunk when this one is full. */
static bool room_make(struct trace_writer *writer, size_t bytes, struct gfe_error *error)
{
    if (writer->chunk_used > 0 && writer->chunk_used + bytes > FILL_BYTES &&
        !trace_writer_flush(writer, error))
        return false;
    if (bytes <= writer->chunk_capacity - writer->chunk_used)
        return true;
    uint8_t *chunk = realloc(writer->chunk, writer->chunk_used + bytes);
    if (!chunk)
        return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
    writer->chunk = chunk;
    writer->chunk_capacity = writer->chunk_used + bytes;
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The fields stand already at their place; puts the head in front and counts the record. */
static void record_end(struct trace_writer *writer, const struct trace_record *record,
                       size_t fields_bytes)
{
    struct trace_head head = record->head;

    head.reserved = 0;
    head.length_bytes = (uint32_t)fields_bytes;
    head.sequence = writer->sequence++;
    writer->record_count++;
    trace_encode_head(writer->chunk + writer->chunk_used, &head);
    writer->chunk_used += TRACE_HEAD_BYTES + fields_bytes;
}

static bool record_write(struct trace_writer *writer, const struct trace_record *record,
                         struct gfe_error *error)
{
    const uint64_t bytes = TRACE_HEAD_BYTES + trace_fields_bytes(record);

    if (bytes > CHUNK_RAW_MAX_BYTES)
        return error_set(error, ERROR_LIMIT,
                         "%s: a %s record of %llu bytes; a record has at most %u", writer->name,
                         trace_record_row(record->head.kind)->name, (unsigned long long)bytes,
                         (unsigned)CHUNK_RAW_MAX_BYTES);
    if (!room_make(writer, (size_t)bytes, error))
        return false;
    uint8_t *fields = writer->chunk + writer->chunk_used + TRACE_HEAD_BYTES;
    record_end(writer, record, trace_encode_fields(fields, record, TRACE_ALL_FIELDS));
    return true;
}

/* ---- memory, deduplicated -------------------------------------------------------------------- */

/* Are the bytes at `position` still there, and the same? */
static bool same_bytes(const struct trace_writer *writer, uint64_t position, const uint8_t *data,
                       uint32_t length)
{
    if (position >= writer->window.position)
        return memcmp(writer->chunk + (position - writer->window.position), data, length) == 0;
    return trace_window_equals(&writer->window, position, data, length);
}

static bool in_window(const struct trace_writer *writer, const struct slot *slot, uint64_t here)
{
    return here - slot->position <= writer->window.limit_bytes;
}

/* The slot of equal bytes in the window, or NULL and in *victim the slot to use for these. */
static const struct slot *slot_find(struct trace_writer *writer, uint32_t crc,
                                    const struct trace_bytes *data, struct slot **victim)
{
    const uint64_t here = writer->window.position + writer->chunk_used;
    struct slot *set = &writer->table[crc % (TABLE_SLOTS / TABLE_WAYS) * TABLE_WAYS];

    *victim = set;
    for (int way = 0; way < TABLE_WAYS; way++) {
        struct slot *slot = &set[way];
        if (slot->length == data->length && slot->crc == crc && in_window(writer, slot, here) &&
            same_bytes(writer, slot->position, data->data, data->length))
            return slot;
        if (slot->length == 0 || ((*victim)->length != 0 && slot->position < (*victim)->position))
            *victim = slot;
    }
    return NULL;
}

static bool piece_write(struct trace_writer *writer, const struct trace_record *record,
                        struct gfe_error *error)
{
    const struct trace_bytes *data = &record->mem.data;
    struct slot *victim;

    if (data->length < SHARED_BYTES_MIN)
        return record_write(writer, record, error);
    /* A flush moves everything: make room first, then look. */
    if (!room_make(writer, TRACE_HEAD_BYTES + (size_t)trace_fields_bytes(record), error))
        return false;
    const uint32_t crc = (uint32_t)crc32_z(0, data->data, data->length);
    const struct slot *slot = slot_find(writer, crc, data, &victim);
    if (slot) {
        const struct trace_reference reference = {true, slot->chunk_number, slot->offset};
        uint8_t *fields = writer->chunk + writer->chunk_used + TRACE_HEAD_BYTES;
        record_end(writer, record, trace_encode_mem_reference(fields, record, &reference));
        return true;
    }
    if (!record_write(writer, record, error))
        return false;
    /* `data` is the last field, so its bytes are the last ones of the chunk so far. */
    const size_t offset = writer->chunk_used - data->length;
    *victim = (struct slot){crc, data->length, writer->window.position + offset,
                            chunk_writer_count(writer->chunks), (uint32_t)offset};
    return true;
}

static bool mem_write(struct trace_writer *writer, const struct trace_record *record,
                      struct gfe_error *error)
{
    struct trace_record piece = *record;
    const uint8_t *data = record->mem.data.data;
    uint32_t left = record->mem.data.length;

    if (left > 0 && left - 1 > UINT64_MAX - record->mem.address)
        return error_set(error, ERROR_INPUT, "%s: memory written past the last address",
                         writer->name);
    do {
        const uint32_t room = TRACE_PIECE_BYTES - (uint32_t)(piece.mem.address % TRACE_PIECE_BYTES);
        piece.mem.data = (struct trace_bytes){data, left < room ? left : room};
        if (!piece_write(writer, &piece, error))
            return false;
        piece.mem.address += piece.mem.data.length;
        data = data ? data + piece.mem.data.length : NULL;
        left -= piece.mem.data.length;
    } while (left > 0);
    return true;
}

/* A string with a zero byte in it would not survive the reader. */
static bool strings_are_whole(const struct trace_record *record, const struct trace_record_row *row)
{
    for (uint32_t i = 0; i < row->field_count; i++) {
        if (row->fields[i].type != TRACE_STR)
            continue;
        const struct trace_str *str =
            (const struct trace_str *)((const uint8_t *)&record->meta + row->fields[i].offset);
        if (str->length > 0 && memchr(str->text, 0, str->length))
            return false;
    }
    return true;
}

bool trace_write(struct trace_writer *writer, const struct trace_record *record,
                 struct gfe_error *error)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);

    assert(row);
    if (!strings_are_whole(record, row))
        return error_set(error, ERROR_INPUT, "%s: a string of a %s record holds a zero byte",
                         writer->name, row->name);
    if (record->head.kind == TRACE_MEM)
        return mem_write(writer, record, error);
    if (record->head.kind == TRACE_END) {
        struct trace_record end = *record;
        end.end.record_count = writer->record_count;
        return record_write(writer, &end, error);
    }
    return record_write(writer, record, error);
}
