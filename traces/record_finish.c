/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record_finish.h"

static void count(struct record_totals *totals, const struct trace_record *record)
{
    switch (record->head.kind) {
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
    default:
        break;
    }
}

/* Copies all records; `last` becomes the head of the last one. */
static bool copy(struct trace_reader *reader, struct trace_writer *writer, struct trace_head *last,
                 struct record_totals *totals, struct gfe_error *error)
{
    struct trace_record record;
    enum trace_result result;

    while ((result = trace_read(reader, &record, error)) == TRACE_GOT) {
        if (record.head.kind == TRACE_END)
            continue;
        count(totals, &record);
        *last = record.head;
        if (!trace_write(writer, &record, error))
            return false;
    }
    return result == TRACE_AT_END;
}

bool record_finish(const char *part, int fd, const char *name, const struct trace_end *end,
                   struct record_totals *totals, struct gfe_error *error)
{
    struct trace_reader *reader = trace_reader_open(part, error);
    struct trace_writer *writer = reader ? trace_writer_new(fd, name, error) : NULL;
    struct trace_record record = {.end = *end};
    bool done = false;

    *totals = (struct record_totals){0};
    if (reader)
        trace_reader_accept_cut(reader);
    if (writer && copy(reader, writer, &record.head, totals, error)) {
        record.head.kind = TRACE_END;
        record.end.record_count = trace_writer_record_count(writer);
        done = trace_write(writer, &record, error) && trace_writer_finish(writer, error);
    }
    trace_writer_free(writer);
    trace_reader_free(reader);
    return done;
}
