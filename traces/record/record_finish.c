/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_finish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count(struct record_totals *totals, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_META:
        totals->on_hardware = record->meta.completions == TRACE_COMPLETIONS_HARDWARE;
        break;
    case TRACE_SUBMIT:
        totals->submissions++;
        for (uint32_t i = 0; i < record->submit.pushes.count; i++)
            totals->pushed_bytes += record->submit.pushes.push[i].length_bytes;
        break;
    case TRACE_EXEC:
        totals->submissions++;
        for (uint32_t i = 0; i < record->exec.pushes.count; i++)
            totals->pushed_bytes += record->exec.pushes.push[i].length_bytes;
        break;
    case TRACE_MEM:
        totals->memory_bytes += record->mem.data.length;
        break;
    case TRACE_QUEUE:
        totals->queues++;
        break;
    case TRACE_PACKET:
        totals->packets++;
        break;
    case TRACE_DOORBELL:
        totals->doorbells++;
        break;
    case TRACE_EVENT_WAIT:
    case TRACE_CPU_WAIT:
    case TRACE_SYNCOBJ_WAIT:
        totals->waits++;
        break;
    case TRACE_GPU_WRITE:
        totals->completions++;
        break;
    case TRACE_MARK:
        totals->marks++;
        break;
    case TRACE_CLIENT:
        totals->is_ring = totals->is_ring || record->client.layer == TRACE_LAYER_RING;
        totals->clients++;
        break;
    default:
        break;
    }
}

/* ---- the parts ------------------------------------------------------------------------------- */

/* A part that is being read, with its next record. */
struct part {
    struct trace_reader *reader;
    struct trace_record record;
    bool begins;      /* the next record is its first */
    bool has_records; /* one was read */
    uint64_t told;    /* what was lost, as far as a MARK says so */
};

struct merge {
    char *const *names;
    uint32_t name_count, opened;
    struct part *parts; /* those that are open */
    uint32_t part_count;
    struct trace_writer *writer;
    struct record_totals *totals;
    struct gfe_error *error;
    bool salvage; /* what is damaged is left out */
};

static uint64_t loss_of(const struct part *part)
{
    const struct trace_loss loss = trace_reader_loss(part->reader);

    return loss.chunks + loss.references;
}

static void part_close(struct merge *merge, uint32_t index)
{
    struct part *part = &merge->parts[index];

    if (merge->salvage) {
        const struct trace_loss loss = trace_reader_loss(part->reader);

        merge->totals->loss.chunks += loss.chunks;
        merge->totals->loss.references += loss.references;
        merge->totals->loss.mended += loss.mended;
        merge->totals->lost_parts += !part->has_records;
    }
    trace_reader_free(part->reader);
    *part = merge->parts[--merge->part_count];
}

/* Goes on to a part's next record that is not END.  At the end the part is closed. */
static bool part_next(struct merge *merge, uint32_t index)
{
    struct part *part = &merge->parts[index];
    enum trace_result result;

    do {
        result = trace_read(part->reader, &part->record, merge->error);
    } while (result == TRACE_GOT && part->record.head.kind == TRACE_END);
    part->has_records = part->has_records || result == TRACE_GOT;
    if (result != TRACE_AT_END)
        return result == TRACE_GOT;
    part_close(merge, index);
    return true;
}

static struct trace_reader *reader_open(const struct merge *merge, const char *name,
                                        struct gfe_error *error)
{
    struct trace_reader *reader =
        merge->salvage ? trace_reader_salvage(name, error) : trace_reader_open(name, error);

    if (reader)
        trace_reader_window(reader, TRACE_PART_WINDOW_BYTES);
    return reader;
}

/* A part that cannot be read at all is left out, if that is what is wanted. */
static bool part_lost(struct merge *merge, const struct gfe_error *error)
{
    if (!merge->salvage || error->kind == ERROR_NONE)
        return error_set(merge->error, error->kind, "%s", error->text);
    if (merge->totals->lost_parts++ == 0)
        (void)error_set(&merge->totals->lost_part, error->kind, "%s", error->text);
    return true;
}

/* Opens the next part.  Its first record is META, if that is not lost. */
static bool part_open(struct merge *merge)
{
    const char *name = merge->names[merge->opened++];
    struct part *parts = realloc(merge->parts, (merge->part_count + 1) * sizeof *parts);
    struct gfe_error error = {0};
    struct trace_reader *reader;

    if (!parts)
        return error_set_errno(merge->error, ENOMEM, "%s", name);
    merge->parts = parts;
    reader = reader_open(merge, name, &error);
    if (!reader)
        return part_lost(merge, &error);
    if (!merge->salvage)
        trace_reader_accept_cut(reader);
    merge->parts[merge->part_count++] = (struct part){.reader = reader, .begins = true};
    return part_next(merge, merge->part_count - 1);
}

/* Opens parts until one is open, or there is none left. */
static bool parts_begin(struct merge *merge)
{
    while (merge->part_count == 0 && merge->opened < merge->name_count)
        if (!part_open(merge))
            return false;
    return true;
}

/* The open part whose record comes first; UINT32_MAX when none is open. */
static uint32_t part_first(const struct merge *merge)
{
    uint32_t first = UINT32_MAX;

    for (uint32_t i = 0; i < merge->part_count; i++)
        if (first == UINT32_MAX ||
            merge->parts[i].record.head.sequence < merge->parts[first].record.head.sequence)
            first = i;
    return first;
}

/* META of a part, of any process: `program` is then left out.  False if it is lost. */
static bool meta_of(const struct merge *merge, const char *name, struct trace_record *record,
                    bool *written)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = reader_open(merge, name, &error);
    const bool found = reader && trace_reader_has_meta(reader);

    if (found) {
        record->meta = *trace_reader_meta(reader);
        record->meta.program = (struct trace_str){"", 0};
        *written = trace_write(merge->writer, record, merge->error);
    }
    trace_reader_free(reader);
    return found;
}

/* Writes META of another part in front of a first part that has lost its own. */
static bool meta_borrow(struct merge *merge, const struct trace_head *before)
{
    struct trace_record record = {.head = *before};
    bool written = false;

    record.head.kind = TRACE_META;
    for (uint32_t i = 0; i < merge->name_count; i++)
        if (meta_of(merge, merge->names[i], &record, &written))
            return written;
    return error_set(merge->error, ERROR_INPUT,
                     "%s: no part has its first chunk, which says for which GPU it was recorded",
                     merge->names[0]);
}

/* Says in the trace that records are missing in front of the part's next one. */
static bool loss_mark(struct merge *merge, struct part *part)
{
    struct trace_record record = {.head = part->record.head};
    char text[160];

    if (!merge->salvage || loss_of(part) == part->told)
        return true;
    (void)snprintf(text, sizeof text, "left out: %llu damaged chunks or pieces of memory in them",
                   (unsigned long long)(loss_of(part) - part->told));
    part->told = loss_of(part);
    record.head.kind = TRACE_MARK;
    record.mark.text = (struct trace_str){text, (uint32_t)strlen(text)};
    count(merge->totals, &record);
    return trace_write(merge->writer, &record, merge->error);
}

/* Writes the part's next record.  The trace has one META, its first record. */
static bool record_copy(struct merge *merge, struct part *part, struct trace_head *last)
{
    const struct trace_record *record = &part->record;

    *last = record->head;
    if (record->head.kind != TRACE_META && trace_writer_record_count(merge->writer) == 0 &&
        !meta_borrow(merge, last))
        return false;
    if (record->head.kind == TRACE_META && trace_writer_record_count(merge->writer) > 0)
        return true;
    if (record->head.kind != TRACE_META && !loss_mark(merge, part))
        return false;
    count(merge->totals, record);
    return trace_write(merge->writer, record, merge->error);
}

/* Copies all records in their order; `last` becomes the head of the last one.  When the order
 * reaches the start of a part, the next part is opened: that begins later. */
static bool copy(struct merge *merge, struct trace_head *last)
{
    uint32_t first;

    while (parts_begin(merge) && (first = part_first(merge)) != UINT32_MAX) {
        const bool begins = merge->parts[first].begins;

        merge->parts[first].begins = false;
        if (!record_copy(merge, &merge->parts[first], last) || !part_next(merge, first))
            return false;
        if (begins && merge->opened < merge->name_count && !part_open(merge))
            return false;
    }
    if (merge->error->text[0] || trace_writer_record_count(merge->writer) > 0)
        return merge->error->text[0] == 0;
    return error_set(merge->error, ERROR_INPUT, "%s: nothing of it can be read%s%s",
                     merge->names[0], merge->totals->lost_part.text[0] ? ": " : "",
                     merge->totals->lost_part.text);
}

static void merge_end(struct merge *merge)
{
    for (uint32_t i = 0; i < merge->part_count; i++)
        trace_reader_free(merge->parts[i].reader);
    free(merge->parts);
    trace_writer_free(merge->writer);
}

bool record_finish(const struct record_parts *parts, int fd, const char *name,
                   const struct trace_end *end, struct record_totals *totals,
                   struct gfe_error *error)
{
    struct merge merge = {.names = parts->names,
                          .name_count = parts->count,
                          .totals = totals,
                          .error = error,
                          .salvage = parts->salvage};
    struct trace_record record = {.end = *end};
    bool done = false;

    *totals = (struct record_totals){.parts = parts->count};
    merge.writer = trace_writer_new(fd, name, error);
    if (merge.writer && copy(&merge, &record.head)) {
        record.head.kind = TRACE_END;
        record.end.record_count = trace_writer_record_count(merge.writer);
        done =
            trace_write(merge.writer, &record, error) && trace_writer_finish(merge.writer, error);
    }
    merge_end(&merge);
    return done;
}
