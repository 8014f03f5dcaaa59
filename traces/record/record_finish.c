/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_finish.h"

#include <errno.h>
#include <stdlib.h>

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
};

struct merge {
    char *const *names;
    uint32_t name_count, opened;
    struct part *parts; /* those that are open */
    uint32_t part_count;
    struct trace_writer *writer;
    struct record_totals *totals;
    struct gfe_error *error;
};

/* Goes on to a part's next record that is not META or END.  At the end the part is closed. */
static bool part_next(struct merge *merge, uint32_t index)
{
    struct part *part = &merge->parts[index];
    enum trace_result result;

    do {
        result = trace_read(part->reader, &part->record, merge->error);
    } while (result == TRACE_GOT && part->record.head.kind == TRACE_END);
    if (result != TRACE_AT_END)
        return result == TRACE_GOT;
    trace_reader_free(part->reader);
    *part = merge->parts[--merge->part_count];
    return true;
}

/* Opens the next part.  Its first record is META. */
static bool part_open(struct merge *merge)
{
    const char *name = merge->names[merge->opened];
    struct part *parts = realloc(merge->parts, (merge->part_count + 1) * sizeof *parts);
    struct trace_reader *reader;

    if (!parts)
        return error_set_errno(merge->error, ENOMEM, "%s", name);
    merge->parts = parts;
    reader = trace_reader_open(name, merge->error);
    if (!reader)
        return false;
    trace_reader_accept_cut(reader);
    trace_reader_window(reader, TRACE_PART_WINDOW_BYTES);
    merge->parts[merge->part_count++] = (struct part){.reader = reader};
    merge->opened++;
    return part_next(merge, merge->part_count - 1);
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

/* Copies all records in their order; `last` becomes the head of the last one.  When the order
 * reaches the start of a part, the next part is opened: that begins later. */
static bool copy(struct merge *merge, struct trace_head *last)
{
    uint32_t first;

    if (!part_open(merge))
        return false;
    while ((first = part_first(merge)) != UINT32_MAX) {
        const struct trace_record *record = &merge->parts[first].record;
        const bool begins = record->head.kind == TRACE_META;

        if (!begins || trace_writer_record_count(merge->writer) == 0) {
            count(merge->totals, record);
            *last = record->head;
            if (!trace_write(merge->writer, record, merge->error))
                return false;
        }
        if (!part_next(merge, first))
            return false;
        if (begins && merge->opened < merge->name_count && !part_open(merge))
            return false;
    }
    return true;
}

static void merge_end(struct merge *merge)
{
    for (uint32_t i = 0; i < merge->part_count; i++)
        trace_reader_free(merge->parts[i].reader);
    free(merge->parts);
    trace_writer_free(merge->writer);
}

bool record_finish(char *const *parts, uint32_t part_count, int fd, const char *name,
                   const struct trace_end *end, struct record_totals *totals,
                   struct gfe_error *error)
{
    struct merge merge = {
        .names = parts, .name_count = part_count, .totals = totals, .error = error};
    struct trace_record record = {.end = *end};
    bool done = false;

    *totals = (struct record_totals){.parts = part_count};
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
