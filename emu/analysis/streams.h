/* SPDX-License-Identifier: MIT */
/*
 * Operations of CUDA streams, as a log tells them: which call made one (CUDA_OPERATION), in which
 * channel and GP entry it went to the GPU (CUDA_SUBMIT), and which grid or copy that became (the
 * first GRID_QUEUE or COPY_QUEUE of that channel and entry).  Likewise launches of HIP threads
 * (emu/analysis/hip_calls.h), each of whose plugins has a stream.
 *
 * Fed with every record of a log, in order.  Memory is about 120 bytes for each operation.  Logs
 * that are of no scenario have none.
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
    uint64_t channel_id, gp_sequence;             /* where it was submitted */
    uint64_t hardware_id;                         /* of the grid or copy */
    gfe_ps called_ps, submitted_ps, completed_ps; /* GFE_PS_NEVER: did not happen */
    uint32_t task, call;                          /* of the program's; PROGRAM_NONE: of none */
    uint32_t nth;                                 /* of the operations of that label, from 1 */
    enum streams_hardware hardware;
};

/* A stream, as CUDA_STREAM tells of it. */
struct streams_stream {
    uint64_t id, process, kind, priority; /* a higher priority goes first */
};

struct streams {
    struct program program;
    struct hip_calls hip;
    struct streams_operation *operations; /* in the order of the calls */
    uint32_t *nths;                       /* by first_same: how many operations there are */
    uint32_t operation_count, operation_capacity;
    struct streams_stream *list; /* in the order of the log */
    uint32_t stream_count, stream_capacity;
    struct id_map by_id, by_entry, by_stream, by_hardware[STREAMS_HARDWARE_KINDS];
};

/* For the log's events, of which none has been read.  False with a message: memory is short, and
 * there is nothing to free. */
bool streams_init(struct streams *streams, const struct event_log_reader *log,
                  struct gfe_error *error);
void streams_fini(struct streams *streams);
/* Takes the next record of the model; of types that say nothing of operations too.  Returns false
 * when memory is short. */
bool streams_take_record(struct streams *streams, const struct model_record *record);
static inline bool streams_take(struct streams *streams, const struct model_record *record)
{
    /* Blocks, channels and methods, of which a log has most, are families that it passes over. */
    return (record->type >= MODEL_BLOCK_BEGUN && record->type <= MODEL_REDUCED) ||
           streams_take_record(streams, record);
}

/* The operation of that id; that became this grid or copy.  NULL: there is none.  Valid until the
 * next record is taken. */
const struct streams_operation *streams_of_id(const struct streams *streams, uint64_t id);
const struct streams_operation *streams_of_hardware(const struct streams *streams,
                                                    enum streams_hardware hardware, uint64_t id);
/* The stream's index in the list, or ID_MAP_NONE. */
uint32_t streams_index(const struct streams *streams, uint64_t stream_id);
/* What a stream of that kind is called: "stream", "NULL stream", "default stream". */
const char *streams_word(uint64_t kind);
/* "K4", "S1/copy": the call's label; from the second operation of that label on with its number, in
 * the order of the calls: "K4#2"; "operation 7" when the program does not know the call.  The same
 * names stand in pictures, lists and stories (emu/analysis/story/explain_story.h).  `operation`
 * NULL: "". */
char *streams_name(const struct streams *streams, const struct streams_operation *operation,
                   char to[STREAMS_NAME_BYTES]);

#endif
