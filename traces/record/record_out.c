/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "traces/record/record_step.h"

void record_out_put(struct record_out *out, const struct record_caller *caller,
                    enum trace_kind kind, struct trace_record *record)
{
    record->head.kind = (uint16_t)kind;
    if (out->tap)
        out->tap(out->tap_context, caller, record);
    if (out->failed)
        return;
    record->head.time_ns = caller->now_ns;
    record->head.process_id = caller->process_id ? caller->process_id : out->process_id;
    record->head.thread_id = caller->thread_id;
    if (out->sequence)
        trace_writer_set_sequence(out->writer, *out->sequence);
    out->failed = !trace_write(out->writer, record, &out->error);
    if (out->sequence)
        *out->sequence = trace_writer_sequence(out->writer);
    record_step();
}

void record_out_flush(struct record_out *out)
{
    record_step();
    if (!out->failed)
        out->failed = !trace_writer_flush(out->writer, &out->error);
    record_step();
}

void record_out_mark(struct record_out *out, const struct record_caller *caller, const char *format,
                     ...)
{
    struct trace_record record = {0};
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    record.mark.text = record_out_str(text);
    record_out_put(out, caller, TRACE_MARK, &record);
}

struct trace_str record_out_str(const char *text)
{
    return (struct trace_str){text, (uint32_t)strlen(text)};
}
