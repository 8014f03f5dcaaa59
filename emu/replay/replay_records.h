/* SPDX-License-Identifier: MIT */
/*
 * The records of one thread of the program, one after the other, from a trace on disk.
 *
 * The machine's state holds a record's number in the trace, which does not depend on how the file
 * is stored.  The record's place and contents are kept outside of the state, and are found again
 * from the number after a snapshot was restored.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_RECORDS_H
#define GFE_EMU_REPLAY_REPLAY_RECORDS_H

#include "traces/format/trace_store.h"

struct replay_input;

#define REPLAY_NO_RECORD UINT64_MAX

/* A record of a thread. */
struct replay_cursor {
    struct trace_place place;  /* number REPLAY_NO_RECORD: after the last record */
    uint64_t resources_before; /* resource records with a lower number */
};

/* Returns true for actions of the program: all records except META, END, and the recorder's actions
 * for the GPU. */
bool replay_records_is_program(uint16_t kind);
/* Returns true for records that make or end resources that other threads depend on.  Such records
 * keep the recording's order. */
bool replay_records_is_resource(uint16_t kind);

/* Find the first record of a thread, and the next.  Return false with a message if the trace can no
 * longer be read. */
bool replay_records_first(const struct replay_input *input, uint32_t thread_index,
                          struct replay_cursor *cursor, struct gfe_error *error);
bool replay_records_next(const struct replay_input *input, uint32_t thread_index,
                         struct replay_cursor *cursor, struct gfe_error *error);
/* Finds the place of the record of a number.  Returns false with a message if the trace can no
 * longer be read. */
bool replay_records_find(const struct replay_input *input, uint64_t number,
                         struct trace_place *place, struct gfe_error *error);

#endif
