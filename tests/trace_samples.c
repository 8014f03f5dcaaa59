/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/trace_samples.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- files in memory ------------------------------------------------------------------------- */

struct memory_file memory_file_new(const void *data, size_t bytes)
{
    struct memory_file file = {.fd = memfd_create("test", MFD_CLOEXEC)};

    ck_assert_int_ge(file.fd, 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    if (bytes > 0)
        ck_assert_int_eq(write(file.fd, data, bytes), (ssize_t)bytes);
    return file;
}

uint8_t *memory_file_read(const struct memory_file *file, size_t *bytes)
{
    *bytes = (size_t)lseek(file->fd, 0, SEEK_END);
    uint8_t *data = malloc(*bytes + 1);

    ck_assert_ptr_nonnull(data);
    ck_assert_int_eq(pread(file->fd, data, *bytes, 0), (ssize_t)*bytes);
    return data;
}

void memory_file_free(struct memory_file *file)
{
    close(file->fd);
    file->fd = -1;
}

/* ---- records --------------------------------------------------------------------------------- */

enum { SAMPLE_FIELDS = 24, SAMPLE_BYTES = 200, SAMPLE_ROWS = 3 };

uint16_t sample_kind(uint16_t n)
{
    if (n == TRACE_KINDS)
        return TRACE_END;
    return n < TRACE_END ? n : (uint16_t)(n + 1);
}

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t value = (a * 31 + b) * 31 + c + 1;

    value *= 0x9e3779b97f4a7c15u;
    return value ^ value >> 29;
}

static void fill_field(void *member, enum trace_field_type type, uint64_t value, uint32_t place)
{
    static char texts[SAMPLE_FIELDS][24];
    static uint8_t data[SAMPLE_FIELDS][SAMPLE_BYTES];
    static struct trace_push pushes[SAMPLE_ROWS];
    static struct trace_sync syncs[SAMPLE_FIELDS][SAMPLE_ROWS];
    static struct trace_bind binds[SAMPLE_ROWS];

    ck_assert_uint_lt(place, SAMPLE_FIELDS);
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
    case TRACE_U64:
        *(uint64_t *)member = value;
        break;
    case TRACE_STR:
        snprintf(texts[place], sizeof texts[place], "%llx", (unsigned long long)value);
        *(struct trace_str *)member =
            (struct trace_str){texts[place], (uint32_t)strlen(texts[place])};
        break;
    case TRACE_BYTES:
        for (uint32_t i = 0; i < SAMPLE_BYTES; i++)
            data[place][i] = (uint8_t)(mix(value, i, 0) >> 8);
        *(struct trace_bytes *)member = (struct trace_bytes){data[place], SAMPLE_BYTES};
        break;
    case TRACE_PUSHES:
        for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
            pushes[i] = (struct trace_push){(uint32_t)mix(value, i, 1), (uint32_t)mix(value, i, 2),
                                            mix(value, i, 3), mix(value, i, 4)};
        *(struct trace_pushes *)member = (struct trace_pushes){pushes, SAMPLE_ROWS};
        break;
    case TRACE_SYNCS:
        for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
            syncs[place][i] = (struct trace_sync){(uint32_t)mix(value, i, 1),
                                                  (uint32_t)mix(value, i, 2), mix(value, i, 3)};
        *(struct trace_syncs *)member = (struct trace_syncs){syncs[place], SAMPLE_ROWS};
        break;
    case TRACE_BINDS:
        for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
            binds[i] = (struct trace_bind){(uint32_t)mix(value, i, 1), (uint32_t)mix(value, i, 2),
                                           mix(value, i, 3),           mix(value, i, 4),
                                           mix(value, i, 5),           (uint32_t)mix(value, i, 6),
                                           (uint32_t)mix(value, i, 7)};
        *(struct trace_binds *)member = (struct trace_binds){binds, SAMPLE_ROWS};
        break;
    }
}

struct trace_record sample_record(uint16_t kind, uint32_t seed)
{
    const struct trace_record_row *row = trace_record_row(kind);
    struct trace_record record = {.head = {.kind = kind,
                                           .time_ns = mix(kind, seed, 100),
                                           .process_id = (uint32_t)mix(kind, seed, 101),
                                           .thread_id = (uint32_t)mix(kind, seed, 102)}};

    for (uint32_t i = 0; i < row->field_count; i++)
        fill_field((uint8_t *)&record.meta + row->fields[i].offset, row->fields[i].type,
                   mix(kind, seed, i), i);
    if (kind == TRACE_META)
        record.meta.format = TRACE_FORMAT;
    if (kind == TRACE_MEM)
        record.mem.address &= ~(uint64_t)0xfff;
    return record;
}

static bool data_equal(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool field_equal(const void *a, const void *b, enum trace_field_type type)
{
    const struct trace_str *str_a = a, *str_b = b;
    const struct trace_bytes *bytes_a = a, *bytes_b = b;
    const struct trace_pushes *pushes_a = a, *pushes_b = b;
    const struct trace_syncs *syncs_a = a, *syncs_b = b;
    const struct trace_binds *binds_a = a, *binds_b = b;

    switch (type) {
    case TRACE_U8:
        return data_equal(a, b, 1);
    case TRACE_U16:
        return data_equal(a, b, 2);
    case TRACE_U32:
        return data_equal(a, b, 4);
    case TRACE_U64:
        return data_equal(a, b, 8);
    case TRACE_STR:
        return str_a->length == str_b->length &&
               data_equal(str_a->text, str_b->text, str_a->length + 1);
    case TRACE_BYTES:
        return bytes_a->length == bytes_b->length &&
               data_equal(bytes_a->data, bytes_b->data, bytes_a->length);
    case TRACE_PUSHES:
        return pushes_a->count == pushes_b->count &&
               data_equal(pushes_a->push, pushes_b->push,
                          pushes_a->count * sizeof(struct trace_push));
    case TRACE_SYNCS:
        return syncs_a->count == syncs_b->count &&
               data_equal(syncs_a->sync, syncs_b->sync, syncs_a->count * sizeof(struct trace_sync));
    case TRACE_BINDS:
        return binds_a->count == binds_b->count &&
               data_equal(binds_a->bind, binds_b->bind, binds_a->count * sizeof(struct trace_bind));
    }
    return false;
}

bool sample_equal(const struct trace_record *a, const struct trace_record *b)
{
    const struct trace_record_row *row = trace_record_row(a->head.kind);

    if (a->head.kind != b->head.kind || a->head.time_ns != b->head.time_ns ||
        a->head.process_id != b->head.process_id || a->head.thread_id != b->head.thread_id)
        return false;
    for (uint32_t i = 0; i < row->field_count; i++)
        if (!field_equal((const uint8_t *)&a->meta + row->fields[i].offset,
                         (const uint8_t *)&b->meta + row->fields[i].offset, row->fields[i].type))
            return false;
    return true;
}

struct trace_record sample_meta(void)
{
    struct trace_record record = {.head = {.kind = TRACE_META}};

    record.meta.format = TRACE_FORMAT;
    return record;
}

struct trace_record sample_mem(uint64_t address, const void *data, uint32_t length)
{
    struct trace_record record = {.head = {.kind = TRACE_MEM}};

    record.mem.address = address;
    record.mem.data = (struct trace_bytes){data, length};
    return record;
}

/* ---- whole traces ---------------------------------------------------------------------------- */

struct memory_file sample_trace(void)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "sample", &error);

    for (uint16_t n = 1; n <= TRACE_KINDS; n++) {
        const uint16_t kind = sample_kind(n);
        const struct trace_record record = sample_record(kind, 0);
        ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
        if (kind == TRACE_SUBMIT) /* a second chunk */
            ck_assert(trace_writer_flush(writer, &error));
    }
    ck_assert_msg(trace_writer_finish(writer, &error), "%s", error.text);
    trace_writer_free(writer);
    return file;
}

static void assert_one_line(const struct gfe_error *error, const char *path)
{
    ck_assert_int_ne(error->kind, ERROR_NONE);
    ck_assert_msg(strncmp(error->text, path, strlen(path)) == 0, "%s", error->text);
    for (const char *c = error->text; *c; c++)
        ck_assert_msg((unsigned char)*c >= ' ', "%s", error->text);
}

enum trace_result sample_read(const char *path, bool accept_cut, uint64_t *count,
                              struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(path, error);
    struct trace_record record;
    enum trace_result result = TRACE_FAILED;

    *count = 0;
    if (reader && accept_cut)
        trace_reader_accept_cut(reader);
    while (reader && (result = trace_read(reader, &record, error)) == TRACE_GOT)
        ++*count;
    if (result == TRACE_FAILED)
        assert_one_line(error, path);
    else
        ck_assert_int_eq(error->kind, ERROR_NONE);
    trace_reader_free(reader);
    return result;
}
