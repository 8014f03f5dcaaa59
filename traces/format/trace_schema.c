/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace.h"

#define FIELD_TYPE_u8     TRACE_U8
#define FIELD_TYPE_u16    TRACE_U16
#define FIELD_TYPE_u32    TRACE_U32
#define FIELD_TYPE_u64    TRACE_U64
#define FIELD_TYPE_str    TRACE_STR
#define FIELD_TYPE_bytes  TRACE_BYTES
#define FIELD_TYPE_pushes TRACE_PUSHES
#define FIELD_TYPE_syncs  TRACE_SYNCS
#define FIELD_TYPE_binds  TRACE_BINDS

/* `self` is the record's struct, named anew in the block of each record. */
#define FIELD_ROW(type, name, doc)                                                                 \
    {FIELD_TYPE_##type, #name, doc, offsetof(self, name), __builtin_strncmp(doc, "HOST:", 5) == 0},

#define RECORD_CASE(upper, lower, number, doc)                                                     \
    case number: {                                                                                 \
        typedef struct trace_##lower self;                                                         \
        static const struct trace_field fields[] = {TRACE_##upper##_FIELDS(FIELD_ROW)};            \
        static const struct trace_record_row row = {number, #upper, doc, fields,                   \
                                                    sizeof fields / sizeof fields[0]};             \
        return &row;                                                                               \
    }

const struct trace_record_row *trace_record_row(uint16_t kind)
{
    switch (kind) {
        TRACE_RECORDS(RECORD_CASE)
    default:
        return NULL;
    }
}
