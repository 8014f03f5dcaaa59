/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_codec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
    return to + bytes;
}

static inline uint16_t get16(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint64_t get64(const uint8_t *from)
{
    return get32(from) | (uint64_t)get32(from + 4) << 32;
}

static uint64_t get(const uint8_t *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        return *from;
    case 2:
        return get16(from);
    case 4:
        return get32(from);
    default:
        assert(bytes == 8);
        return get64(from);
    }
}

/* Bytes of a number in the file and in memory; 0 for what is no number. */
static size_t number_bytes(enum trace_field_type type)
{
    switch (type) {
    case TRACE_U8:
        return 1;
    case TRACE_U16:
        return 2;
    case TRACE_U32:
        return 4;
    case TRACE_U64:
        return 8;
    case TRACE_STR:
    case TRACE_BYTES:
    case TRACE_PUSHES:
    case TRACE_SYNCS:
    case TRACE_BINDS:
        break;
    }
    return 0;
}

/* Bytes of one row of a list, in the file; 0 for what is no list of rows. */
static size_t row_bytes(enum trace_field_type type)
{
    switch (type) {
    case TRACE_PUSHES:
        return TRACE_PUSH_BYTES;
    case TRACE_SYNCS:
        return TRACE_SYNC_BYTES;
    case TRACE_BINDS:
        return TRACE_BIND_BYTES;
    default:
        return 0;
    }
}

/* In memory they are as long. */
_Static_assert(sizeof(struct trace_push) == TRACE_PUSH_BYTES, "rows of pushes");
_Static_assert(sizeof(struct trace_sync) == TRACE_SYNC_BYTES, "rows of syncs");
_Static_assert(sizeof(struct trace_bind) == TRACE_BIND_BYTES, "rows of binds");

/* The structs of all records begin at the same place: they are members of one union. */
static const void *member_of(const struct trace_record *record, const struct trace_field *field)
{
    return (const uint8_t *)&record->meta + field->offset;
}

static uint64_t number_of(const void *member, enum trace_field_type type)
{
    switch (type) {
    case TRACE_U8:
        return *(const uint8_t *)member;
    case TRACE_U16:
        return *(const uint16_t *)member;
    case TRACE_U32:
        return *(const uint32_t *)member;
    default:
        assert(type == TRACE_U64);
        return *(const uint64_t *)member;
    }
}

static void number_set(void *member, enum trace_field_type type, uint64_t value)
{
    switch (type) {
    case TRACE_U8:
        *(uint8_t *)member = (uint8_t)value;
        break;
    case TRACE_U16:
        *(uint16_t *)member = (uint16_t)value;
        break;
    case TRACE_U32:
        *(uint32_t *)member = (uint32_t)value;
        break;
    default:
        assert(type == TRACE_U64);
        *(uint64_t *)member = value;
        break;
    }
}

/* ---- encoding -------------------------------------------------------------------------------- */

static uint64_t field_bytes(const void *member, enum trace_field_type type)
{
    switch (type) {
    case TRACE_STR:
        return 4 + (uint64_t)((const struct trace_str *)member)->length;
    case TRACE_BYTES:
        return 4 + (uint64_t)((const struct trace_bytes *)member)->length;
    case TRACE_PUSHES:
        return 4 + (uint64_t)((const struct trace_pushes *)member)->count * TRACE_PUSH_BYTES;
    case TRACE_SYNCS:
        return 4 + (uint64_t)((const struct trace_syncs *)member)->count * TRACE_SYNC_BYTES;
    case TRACE_BINDS:
        return 4 + (uint64_t)((const struct trace_binds *)member)->count * TRACE_BIND_BYTES;
    default:
        return number_bytes(type);
    }
}

uint64_t trace_fields_bytes(const struct trace_record *record)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);
    uint64_t bytes = 0;

    assert(row);
    for (uint32_t i = 0; i < row->field_count; i++)
        bytes += field_bytes(member_of(record, &row->fields[i]), row->fields[i].type);
    return bytes;
}

static uint8_t *put_data(uint8_t *to, const void *data, uint32_t length)
{
    to = put(to, length, 4);
    if (length > 0)
        memcpy(to, data, length);
    return to + length;
}

static uint8_t *put_pushes(uint8_t *to, const struct trace_pushes *pushes)
{
    to = put(to, pushes->count, 4);
    for (uint32_t i = 0; i < pushes->count; i++) {
        const struct trace_push *push = &pushes->push[i];
        to = put(to, push->handle, 4);
        to = put(to, push->flags, 4);
        to = put(to, push->offset, 8);
        to = put(to, push->length_bytes, 8);
    }
    return to;
}

static uint8_t *put_syncs(uint8_t *to, const struct trace_syncs *syncs)
{
    to = put(to, syncs->count, 4);
    for (uint32_t i = 0; i < syncs->count; i++) {
        const struct trace_sync *sync = &syncs->sync[i];
        to = put(to, sync->syncobj_id, 4);
        to = put(to, sync->flags, 4);
        to = put(to, sync->point, 8);
    }
    return to;
}

static uint8_t *put_binds(uint8_t *to, const struct trace_binds *binds)
{
    to = put(to, binds->count, 4);
    for (uint32_t i = 0; i < binds->count; i++) {
        const struct trace_bind *bind = &binds->bind[i];
        to = put(to, bind->op, 4);
        to = put(to, bind->handle, 4);
        to = put(to, bind->va, 8);
        to = put(to, bind->object_offset, 8);
        to = put(to, bind->size_bytes, 8);
        to = put(to, bind->page_kind, 4);
        to = put(to, bind->reserved, 4);
    }
    return to;
}

static uint8_t *put_field(uint8_t *to, const void *member, enum trace_field_type type)
{
    const struct trace_str *str = member;
    const struct trace_bytes *bytes = member;

    switch (type) {
    case TRACE_STR:
        return put_data(to, str->text, str->length);
    case TRACE_BYTES:
        return put_data(to, bytes->data, bytes->length);
    case TRACE_PUSHES:
        return put_pushes(to, member);
    case TRACE_SYNCS:
        return put_syncs(to, member);
    case TRACE_BINDS:
        return put_binds(to, member);
    default:
        return put(to, number_of(member, type), number_bytes(type));
    }
}

size_t trace_encode_fields(uint8_t *to, const struct trace_record *record,
                           enum trace_which_fields which)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);
    uint8_t *const start = to;

    assert(row);
    for (uint32_t i = 0; i < row->field_count; i++)
        if (which == TRACE_ALL_FIELDS || !row->fields[i].host)
            to = put_field(to, member_of(record, &row->fields[i]), row->fields[i].type);
    return (size_t)(to - start);
}

void trace_encode_head(uint8_t to[TRACE_HEAD_BYTES], const struct trace_head *head)
{
    to = put(to, head->kind, 2);
    to = put(to, head->reserved, 2);
    to = put(to, head->length_bytes, 4);
    to = put(to, head->time_ns, 8);
    to = put(to, head->process_id, 4);
    to = put(to, head->thread_id, 4);
    (void)put(to, head->sequence, 8);
}

/* `data` is the last field of MEM: the reference takes the place of its contents. */
size_t trace_encode_mem_reference(uint8_t *to, const struct trace_record *record,
                                  const struct trace_reference *reference)
{
    uint8_t place[TRACE_REFERENCE_BYTES];
    struct trace_record form = *record;

    assert(record->head.kind == TRACE_MEM);
    (void)put(put(place, reference->chunk_number, 8), reference->offset, 4);
    form.mem.data = (struct trace_bytes){place, sizeof place};
    const size_t bytes = trace_encode_fields(to, &form, TRACE_ALL_FIELDS);
    (void)put(to + bytes - sizeof place - 4, TRACE_REFERENCE_BIT | record->mem.data.length, 4);
    return bytes;
}

/* ---- decoding -------------------------------------------------------------------------------- */

struct decoder {
    const uint8_t *at, *end;
    struct trace_scratch *scratch;
    struct trace_reference *reference;
    bool mem;
};

void trace_scratch_free(struct trace_scratch *scratch)
{
    free(scratch->data);
    *scratch = (struct trace_scratch){0};
}

/* Room for all of a record's strings and rows: as many bytes as in the file, where a length
 * word pays for the terminator, and alignment for each. */
static bool scratch_reset(struct trace_scratch *scratch, const struct trace_record_row *row,
                          uint32_t record_bytes)
{
    size_t wanted = 0;

    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].type == TRACE_STR || row_bytes(row->fields[i].type) > 0)
            wanted += 8;
    if (wanted > 0)
        wanted += (size_t)record_bytes + 8;
    scratch->used = 0;
    if (wanted <= scratch->capacity)
        return true;
    free(scratch->data);
    scratch->data = malloc(wanted);
    scratch->capacity = scratch->data ? wanted : 0;
    return scratch->data != NULL;
}

static void *scratch_take(struct trace_scratch *scratch, size_t bytes)
{
    const size_t start = (scratch->used + 7) & ~(size_t)7;

    assert(start + bytes <= scratch->capacity);
    scratch->used = start + bytes;
    return scratch->data + start;
}

void trace_decode_head(struct trace_head *head, const uint8_t from[TRACE_HEAD_BYTES])
{
    *head = (struct trace_head){.kind = get16(from),
                                .reserved = get16(from + 2),
                                .length_bytes = get32(from + 4),
                                .time_ns = get64(from + 8),
                                .process_id = get32(from + 16),
                                .thread_id = get32(from + 20),
                                .sequence = get64(from + 24)};
}

static size_t left_of(const struct decoder *decoder)
{
    return (size_t)(decoder->end - decoder->at);
}

static const char *str_get(struct decoder *decoder, struct trace_str *str, uint32_t length)
{
    if (length > left_of(decoder))
        return "a string is longer than the record";
    if (memchr(decoder->at, 0, length))
        return "a string holds a zero byte";
    char *text = scratch_take(decoder->scratch, (size_t)length + 1);
    memcpy(text, decoder->at, length);
    text[length] = 0;
    *str = (struct trace_str){text, length};
    decoder->at += length;
    return NULL;
}

static const char *reference_get(struct decoder *decoder, struct trace_bytes *bytes,
                                 uint32_t length)
{
    if (left_of(decoder) < TRACE_REFERENCE_BYTES)
        return "a reference is longer than the record";
    *decoder->reference = (struct trace_reference){.present = true,
                                                   .chunk_number = get(decoder->at, 8),
                                                   .offset = (uint32_t)get(decoder->at + 8, 4)};
    *bytes = (struct trace_bytes){NULL, length};
    decoder->at += TRACE_REFERENCE_BYTES;
    return NULL;
}

static const char *bytes_get(struct decoder *decoder, struct trace_bytes *bytes, uint32_t length)
{
    if (decoder->mem && (length & TRACE_REFERENCE_BIT))
        return reference_get(decoder, bytes, length & ~TRACE_REFERENCE_BIT);
    if (length > left_of(decoder))
        return "data are longer than the record";
    *bytes = (struct trace_bytes){decoder->at, length};
    decoder->at += length;
    return NULL;
}

static void push_get(struct trace_push *push, const uint8_t *from)
{
    *push = (struct trace_push){.handle = get32(from),
                                .flags = get32(from + 4),
                                .offset = get64(from + 8),
                                .length_bytes = get64(from + 16)};
}

static void sync_get(struct trace_sync *sync, const uint8_t *from)
{
    *sync = (struct trace_sync){
        .syncobj_id = get32(from), .flags = get32(from + 4), .point = get64(from + 8)};
}

static void bind_get(struct trace_bind *bind, const uint8_t *from)
{
    *bind = (struct trace_bind){.op = get32(from),
                                .handle = get32(from + 4),
                                .va = get64(from + 8),
                                .object_offset = get64(from + 16),
                                .size_bytes = get64(from + 24),
                                .page_kind = get32(from + 32),
                                .reserved = get32(from + 36)};
}

static const char *rows_get(struct decoder *decoder, void *member, enum trace_field_type type,
                            uint32_t count)
{
    const size_t bytes = row_bytes(type);
    uint8_t *rows;

    if (count > left_of(decoder) / bytes)
        return "a list is longer than the record";
    rows = scratch_take(decoder->scratch, count * bytes);
    for (uint32_t i = 0; i < count; i++, decoder->at += bytes) {
        void *row = rows + i * bytes;

        if (type == TRACE_PUSHES)
            push_get(row, decoder->at);
        else if (type == TRACE_SYNCS)
            sync_get(row, decoder->at);
        else
            bind_get(row, decoder->at);
    }
    if (type == TRACE_PUSHES)
        *(struct trace_pushes *)member = (struct trace_pushes){(void *)rows, count};
    else if (type == TRACE_SYNCS)
        *(struct trace_syncs *)member = (struct trace_syncs){(void *)rows, count};
    else
        *(struct trace_binds *)member = (struct trace_binds){(void *)rows, count};
    return NULL;
}

static const char *field_get(struct decoder *decoder, void *member, enum trace_field_type type)
{
    const size_t bytes = number_bytes(type) ? number_bytes(type) : 4;

    if (left_of(decoder) < bytes)
        return "its fields are longer than it";
    const uint64_t value = get(decoder->at, bytes);
    decoder->at += bytes;
    switch (type) {
    case TRACE_STR:
        return str_get(decoder, member, (uint32_t)value);
    case TRACE_BYTES:
        return bytes_get(decoder, member, (uint32_t)value);
    case TRACE_PUSHES:
    case TRACE_SYNCS:
    case TRACE_BINDS:
        return rows_get(decoder, member, type, (uint32_t)value);
    default:
        number_set(member, type, value);
        return NULL;
    }
}

const char trace_memory_is_short[] = "memory is short";

const char *trace_decode_fields(struct trace_record *record, const uint8_t *from,
                                struct trace_scratch *scratch, struct trace_reference *reference)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);
    struct decoder decoder = {from, from + record->head.length_bytes, scratch, reference,
                              record->head.kind == TRACE_MEM};

    assert(row);
    *reference = (struct trace_reference){0};
    if (!scratch_reset(scratch, row, record->head.length_bytes))
        return trace_memory_is_short;
    for (uint32_t i = 0; i < row->field_count; i++) {
        uint8_t *member = (uint8_t *)&record->meta + row->fields[i].offset;
        const char *wrong = field_get(&decoder, member, row->fields[i].type);
        if (wrong)
            return wrong;
    }
    return left_of(&decoder) > 0 ? "it is longer than its fields" : NULL;
}
