/* SPDX-License-Identifier: MIT */
/*
 * Operations of CUDA streams, found in the records of a log.  The log says three things of one:
 *
 *   - the call that made the operation (CUDA_OPERATION);
 *   - the channel and GP entry in which the operation went to the GPU (CUDA_SUBMIT);
 *   - the grid or copy that the GPU made of it: the first GRID_QUEUE or COPY_QUEUE of that channel
 *     and entry.
 *
 * Launches of HIP threads (emu/analysis/hip_calls.h) are operations, too.  Each of their plugins
 * has a stream.
 *
 * `struct streams` has to take every record of a log, in order.  Memory is about 120 bytes for each
 * operation.  A log that is not of a scenario has no operations.
 */
#ifndef GFE_EMU_ANALYSIS_STREAMS_H
#define GFE_EMU_ANALYSIS_STREAMS_H

#include "emu/analysis/model/model.h"
#include "emu/analysis/hip_calls.h"
#include "emu/base/id_map.h"
#include "emu/log/program.h"

enum { STREAMS_NAME_BYTES = PROGRAM_LABEL_BYTES + 24 };

/* What the GPU made of an operation. */
enum streams_hardware { STREAMS_GRID, STREAMS_COPY, STREAMS_HARDWARE_KINDS, STREAMS_NOTHING };

struct streams_operation {
    uint64_t id, stream_id, iteration;
    uint64_t channel_id, gp_sequence; /* the channel and entry in which it was submitted */
    uint64_t hardware_id;             /* the number of the grid or copy */
    gfe_ps called_ps, submitted_ps, completed_ps; /* GFE_PS_NEVER: it did not happen */
    uint32_t task, call; /* of the program; PROGRAM_NONE: the operation has none */
    uint32_t nth;        /* which of the operations of that label it is, from 1 */
    enum streams_hardware hardware;
};

/* A stream, as CUDA_STREAM describes it. */
struct streams_stream {
    uint64_t id, process, kind, priority; /* a higher priority goes first */
};

struct streams {
    struct program program;
    struct hip_calls hip;
    struct streams_operation *operations; /* in the order of the calls */
    uint32_t *nths;                       /* by first_same: the number of operations so far */
    uint32_t operation_count, operation_capacity;
    struct streams_stream *list; /* in the order of the log */
    uint32_t stream_count, stream_capacity;
    struct id_map by_id, by_entry, by_stream, by_hardware[STREAMS_HARDWARE_KINDS];
};

/* Prepares `streams` for a log of which no event has been read.  Returns false with a message when
 * memory is short; then there is nothing to release. */
bool streams_init(struct streams *streams, const struct event_log_reader *log,
                  struct gfe_error *error);
void streams_fini(struct streams *streams);
/* Takes the next record of the model.  Records that say nothing of operations are allowed.  Returns
 * false when memory is short. */
bool streams_take_record(struct streams *streams, const struct model_record *record);
static inline bool streams_take(struct streams *streams, const struct model_record *record)
{
    /* Skips the families of blocks, channels and methods, which are most of a log. */
    return (record->type >= MODEL_BLOCK_BEGUN && record->type <= MODEL_REDUCED) ||
           streams_take_record(streams, record);
}

/* Return the operation of that id, and the operation that became this grid or copy.  Both return
 * NULL if there is none.  The pointer is valid until the next record is taken. */
const struct streams_operation *streams_of_id(const struct streams *streams, uint64_t id);
const struct streams_operation *streams_of_hardware(const struct streams *streams,
                                                    enum streams_hardware hardware, uint64_t id);
/* Returns the stream's index in the list, or ID_MAP_NONE if the list has no such stream. */
uint32_t streams_index(const struct streams *streams, uint64_t stream_id);
/* Returns the words for a stream of that kind: "stream", "NULL stream" or "default stream". */
const char *streams_word(uint64_t kind);
/* Writes the name of an operation to `to`, and returns `to`.  The name is the label of its call:
 * "K4", "S1/copy".  From the second operation of a label on, in the order of the calls, the name
 * has its number: "K4#2".  If the program does not know the call, the name is "operation 7".
 * Pictures, lists and stories (emu/analysis/story/explain_story.h) use the same names.  If
 * `operation` is NULL, the name is empty. */
char *streams_name(const struct streams *streams, const struct streams_operation *operation,
                   char to[STREAMS_NAME_BYTES]);

#endif
