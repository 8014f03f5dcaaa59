/* SPDX-License-Identifier: MIT */
/*
 * Where the stand-in's records go: a trace writer, and what all records of a process share.
 *
 * A failed write (a full disk) does not stop the recorded program: recording stops, the first
 * cause is kept, the stand-in goes on answering.
 */
#ifndef GFE_TRACES_RECORD_OUT_H
#define GFE_TRACES_RECORD_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/format/trace.h"

/* Who calls, and when. */
struct record_caller {
    uint32_t thread_id;
    uint64_t now_ns;     /* since the start of the recording */
    uint64_t begin_ns;   /* when the call began; before now_ns when it had to wait */
    uint32_t process_id; /* 0: the recorder's own */
};

struct record_out {
    struct trace_writer *writer; /* borrowed */
    uint32_t process_id;
    uint64_t *sequence; /* of the next record, of all processes; NULL: this one is alone */
    bool failed;
    struct gfe_error error; /* why, when failed */
    /* Sees each record first, also when nothing is written any more; NULL: nobody does. */
    void (*tap)(void *context, const struct record_caller *caller,
                const struct trace_record *record);
    void *tap_context;
};

/* Completes record->head from `kind` and the caller and writes it. */
void record_out_put(struct record_out *out, const struct record_caller *caller,
                    enum trace_kind kind, struct trace_record *record);
/* Everything so far goes into the file as a complete chunk. */
void record_out_flush(struct record_out *out);
/* A MARK. */
void record_out_mark(struct record_out *out, const struct record_caller *caller, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* A trace_str of a C string, borrowed. */
struct trace_str record_out_str(const char *text);

#endif
