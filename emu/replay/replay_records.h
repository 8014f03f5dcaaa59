/* SPDX-License-Identifier: MIT */
/*
 * The records of one thread of the program, one after the other, out of a trace on disk.
 *
 * In the machine's state a record is its number in the trace, which does not depend on how the file
 * is stored.  Where it is and what it says is kept outside of the state, and found again from the
 * number when a snapshot was restored.
 */
#ifndef GFE_EMU_REPLAY_RECORDS_H
#define GFE_EMU_REPLAY_RECORDS_H

#include "traces/format/trace_store.h"

struct replay_input;

#define REPLAY_NO_RECORD UINT64_MAX

/* A record of a thread. */
struct replay_cursor {
    struct trace_place place;  /* number REPLAY_NO_RECORD: behind the last */
    uint64_t resources_before; /* resource records with a lower number */
};

/* What a program does: all records but META, END, and what the recorder did for the GPU. */
bool replay_records_is_program(uint16_t kind);
/* Makes or ends what other threads depend on: such records keep the recording's order. */
bool replay_records_is_resource(uint16_t kind);

/* The first record of a thread, and the next.  False with a message when the trace cannot be read
 * any more. */
bool replay_records_first(const struct replay_input *input, uint32_t thread_index,
                          struct replay_cursor *cursor, struct gfe_error *error);
bool replay_records_next(const struct replay_input *input, uint32_t thread_index,
                         struct replay_cursor *cursor, struct gfe_error *error);
/* Where the record of a number is. */
bool replay_records_find(const struct replay_input *input, uint64_t number,
                         struct trace_place *place, struct gfe_error *error);

#endif
