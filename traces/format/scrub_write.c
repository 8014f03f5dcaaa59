/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/scrub_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/id_map.h"

struct scrub {
    const struct scrub_write_options *options;
    struct trace_writer *writer;
    struct trace_spaces spaces; /* what the CPU has written by the new trace */
    struct id_map processes, threads;
    struct scrub_totals *totals;
    struct gfe_error *error;
    uint8_t *buffer; /* the record's data or image */
    uint32_t buffer_bytes;
};

/* ---- strings --------------------------------------------------------------------------------- */

static bool is_printable(uint8_t byte)
{
    return byte >= ' ' && byte <= '~';
}

/* Counts them; lists them if there is a file. */
static uint64_t strings_count(const uint8_t *data, uint32_t bytes, FILE *file, uint64_t address)
{
    uint64_t count = 0;
    uint32_t from = 0;

    for (uint32_t at = 0; at <= bytes; at++) {
        if (at < bytes && is_printable(data[at]))
            continue;
        if (at - from >= SCRUB_STRING_BYTES) {
            count++;
            if (file)
                fprintf(file, "0x%010" PRIx64 "  %.*s\n", address + from, (int)(at - from),
                        (const char *)data + from);
        }
        from = at + 1;
    }
    return count;
}

/* ---- MEM ------------------------------------------------------------------------------------- */

static bool buffer_fit(struct scrub *scrub, uint32_t bytes)
{
    uint8_t *buffer;

    if (bytes <= scrub->buffer_bytes)
        return true;
    buffer = realloc(scrub->buffer, bytes);
    if (!buffer)
        return error_set(scrub->error, ERROR_SYSTEM, "no memory for a record");
    scrub->buffer = buffer;
    scrub->buffer_bytes = bytes;
    return true;
}

/* What was there by the new trace. */
static void mem_before(struct scrub *scrub, const struct trace_mem *mem, uint8_t *data)
{
    const struct trace_space *space = trace_as_is_physical(mem->as_id)
                                          ? NULL
                                          : trace_space(&scrub->spaces, mem->as_id, scrub->error);

    if (!space || !trace_space_read(space, mem->address, data, mem->data.length))
        memset(data, 0, mem->data.length);
}

static bool mem_is_kept(const struct scrub *scrub)
{
    const uint8_t *keep = scrub->options->keep_records;
    const uint64_t record = scrub->totals->mem_records;

    return keep && keep[record / 8] >> record % 8 & 1;
}

/* The new bytes, in the buffer, which holds what was there before. */
static void mem_bytes(struct scrub *scrub, const struct trace_mem *mem)
{
    const struct scrub_origin *origin = scrub->options->origin;
    const uint64_t first = scrub->totals->mem_bytes;

    if (mem_is_kept(scrub)) {
        memcpy(scrub->buffer, mem->data.data, mem->data.length);
        return;
    }
    for (uint32_t at = 0; at < mem->data.length; at++) {
        if (scrub_origin_is_repeated(origin, first + at))
            continue;
        scrub->buffer[at] = scrub_origin_is_needed(origin, first + at) ? mem->data.data[at] : 0;
    }
}

static bool is_zero(const uint8_t *data, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at++)
        if (data[at] != 0)
            return false;
    return true;
}

static void mem_count(struct scrub *scrub, const struct trace_mem *mem)
{
    struct scrub_totals *totals = scrub->totals;
    const uint8_t *old = mem->data.data, *new = scrub->buffer;

    for (uint32_t at = 0; at < mem->data.length; at++) {
        totals->zero_bytes += old[at] == 0;
        totals->kept_bytes += new[at] != 0;
        totals->removed_bytes += old[at] != 0 && new[at] == 0;
        totals->again_bytes += new[at] != 0 && scrub_origin_is_repeated(scrub->options->origin,
                                                                        totals->mem_bytes + at);
    }
    for (uint32_t at = 0; at < mem->data.length; at += 4) {
        const uint32_t bytes = mem->data.length - at < 4 ? mem->data.length - at : 4;
        const bool was = !is_zero(old + at, bytes);

        totals->words += was;
        totals->removed_words += was && is_zero(new + at, bytes);
    }
    totals->strings += strings_count(old, mem->data.length, NULL, 0);
    totals->strings_left +=
        strings_count(new, mem->data.length, scrub->options->strings, mem->address);
    totals->mem_bytes += mem->data.length;
    totals->mem_records++;
}

static bool scrub_mem(struct scrub *scrub, struct trace_record *record)
{
    struct trace_mem *mem = &record->mem;

    if (!buffer_fit(scrub, mem->data.length))
        return false;
    if (scrub->totals->mem_bytes + mem->data.length > scrub->options->origin->byte_count)
        return error_set(scrub->error, ERROR_INPUT, "the trace has changed meanwhile");
    mem_before(scrub, mem, scrub->buffer);
    mem_bytes(scrub, mem);
    mem_count(scrub, mem);
    mem->data.data = scrub->buffer;
    return trace_spaces_record(&scrub->spaces, record, scrub->error);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The number behind `id` in the order of first appearance, from 1. */
static uint32_t renumber(struct scrub *scrub, struct id_map *map, uint32_t id)
{
    const uint32_t found = id_map_find(map, id);
    const uint32_t next = map->count + 1;

    if (found != ID_MAP_NONE)
        return found;
    if (!id_map_add(map, id, next))
        error_set(scrub->error, ERROR_SYSTEM, "no memory for the threads of the trace");
    return next;
}

static void empty_str(struct scrub *scrub, struct trace_str *str)
{
    scrub->totals->host_fields += str->length > 0;
    *str = (struct trace_str){"", 0};
}

/* Which version of what recorded it is of use to those who read it. */
static void scrub_host(struct scrub *scrub, struct trace_record *record)
{
    const struct trace_record_row *row = trace_record_row(record->head.kind);

    for (uint32_t i = 0; row && i < row->field_count; i++) {
        const struct trace_field *field = &row->fields[i];

        if (field->host && field->type == TRACE_STR && strcmp(field->name, "recorder") != 0)
            empty_str(scrub, (struct trace_str *)((char *)&record->meta + field->offset));
    }
    if (record->head.kind == TRACE_META)
        record->meta.epoch_ns = 0;
    if (record->head.kind == TRACE_MARK)
        empty_str(scrub, &record->mark.text);
    record->head.process_id = renumber(scrub, &scrub->processes, record->head.process_id);
    record->head.thread_id = renumber(scrub, &scrub->threads, record->head.thread_id);
}

/* Code of a kernel, which the front end does not read. */
static bool scrub_kernel(struct scrub *scrub, struct trace_bytes *code)
{
    if (!buffer_fit(scrub, code->length))
        return false;
    for (uint32_t at = 0; at < code->length; at++)
        scrub->totals->code_bytes += code->data[at] != 0;
    if (code->length > 0)
        memset(scrub->buffer, 0, code->length);
    code->data = scrub->buffer;
    return true;
}

static bool scrub_module(struct scrub *scrub, struct trace_module *module)
{
    if (!buffer_fit(scrub, module->image.length))
        return false;
    empty_str(scrub, &module->name);
    scrub->totals->host_fields += !is_zero(module->image.data, module->image.length);
    if (module->image.length > 0)
        memset(scrub->buffer, 0, module->image.length);
    module->image.data = scrub->buffer;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool scrub_record(struct scrub *scrub, struct trace_record *record)
{
    if (!scrub->options->keep_host)
        scrub_host(scrub, record);
    if (record->head.kind == TRACE_MODULE && !scrub->options->keep_host)
        return scrub_module(scrub, &record->module);
    if (record->head.kind == TRACE_KERNEL)
        return scrub_kernel(scrub, &record->kernel.code);
    return record->head.kind == TRACE_MEM
               ? scrub_mem(scrub, record)
               : trace_spaces_record(&scrub->spaces, record, scrub->error);
}

/* A message about the trace's contents names the trace and the record. */
static bool scrub_failed(const char *path, const struct gfe_error *inner, uint64_t sequence,
                         struct gfe_error *error)
{
    return error_set(error, inner->kind, "%s: record %" PRIu64 ": %s", path, sequence, inner->text);
}

static bool scrub_all(struct scrub *scrub, const char *path, struct trace_reader *reader,
                      struct gfe_error *error)
{
    struct trace_record record;
    enum trace_result result;

    while ((result = trace_read(reader, &record, error)) == TRACE_GOT) {
        struct gfe_error inner = {0};

        scrub->error = &inner;
        if (!scrub_record(scrub, &record) || inner.kind != ERROR_NONE)
            return scrub_failed(path, &inner, record.head.sequence, error);
        if (!trace_write(scrub->writer, &record, error))
            return false;
    }
    return result == TRACE_AT_END && trace_writer_finish(scrub->writer, error);
}

bool scrub_write(const char *path, const struct scrub_write_options *options, int fd,
                 const char *name, struct scrub_totals *totals, struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(path, error);
    struct scrub scrub = {.options = options, .totals = totals, .error = error};
    bool done = false;

    *totals = (struct scrub_totals){0};
    scrub.spaces.limit_bytes = options->limit_bytes;
    if (reader)
        trace_reader_limit(reader, options->expansion_bytes);
    scrub.writer = reader ? trace_writer_new(fd, name, error) : NULL;
    if (scrub.writer)
        done = scrub_all(&scrub, path, reader, error);
    trace_writer_free(scrub.writer);
    trace_reader_free(reader);
    trace_spaces_fini(&scrub.spaces);
    id_map_fini(&scrub.processes);
    id_map_fini(&scrub.threads);
    free(scrub.buffer);
    return done;
}
