/* SPDX-License-Identifier: MIT */
/*
 * Prints records as text, one line each: sequence number, time, process and thread, kind, fields by
 * name.  The lines are made from the schema's tables.  They are for people and tests, not a format
 * to parse.
 */
#ifndef GFE_TRACES_FORMAT_TRACE_DUMP_H
#define GFE_TRACES_FORMAT_TRACE_DUMP_H

#include <stdio.h>

#include "traces/format/trace.h"

void trace_dump(FILE *file, const struct trace_record *record);

/* Returns the name of a value of one of the schema's enums, or NULL.  `field_doc` is the field's
 * doc, which begins (after "HOST: ") with "enum trace_<name>". */
const char *trace_dump_value_name(const char *field_doc, uint64_t value);

/* Prints the format's description as Markdown (docs/trace-format.md). */
void trace_dump_schema(FILE *file);

#endif
