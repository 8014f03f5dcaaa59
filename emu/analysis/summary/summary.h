/* SPDX-License-Identifier: MIT */
/*
 * The summary of a run, computed from its event log alone.
 *
 * Busy shares are tenths of a percent of the time from the first submission to the last event.  A
 * unit is busy in these times:
 *
 *   - an engine, while at least one of its grids, copies or draws runs;
 *   - a PBDMA, while it has a segment in hand, also when it waits with the segment;
 *   - an SM, while it holds at least one block.
 */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/error.h"
#include "emu/log/event_log.h"

/* What the log does not hold. */
struct summary_notes {
    const char *name;      /* name of what was run; NULL: the log's name */
    const char *durations; /* where execution times came from; NULL: it is not known */
    const char *assumed;   /* names of ASSUMED values that replace what the recording lacks; NULL if
                              it lacks nothing */
    bool recorded_without_gpu; /* completion values in the trace come from the stand-in */
};

/*
 * Reads the log to its end and prints the summary: as text for people, or as JSON for programs.
 * Returns false with a message on an error.  The JSON is one object:
 *
 *     name               name of what was run, as in the notes, or the log's file name
 *     run                what was run, as in the log's head
 *     event_count
 *     simulated_ps       from the first submission to the last event
 *     end_ps             time of the last event
 *     submissions        count, push_bytes, channel_count
 *     grids              count, block_count, finished_count
 *     launches           the first 16 grids:
 *                          grid_id, channel_id, block_count, block_threads, shared_bytes,
 *                          registers, queued_ps (time spent in the queue),
 *                          ran_ps (null: the grid did not end), and in a scenario name
 *     tasks              only in a scenario: list, see emu/analysis/summary/summary_tasks.h
 *     draws              count (work for which the model only has a time)
 *     copies             count, byte_count
 *     inline_writes      count, byte_count
 *     releases           recorded_count, modelled_count
 *     amd                only for an AMD GPU:
 *                          queue_count, sdma_queue_count (queues made);
 *                          dispatch_packet_count, barrier_packet_count, pm4_packet_count,
 *                          sdma_packet_count (packets taken up);
 *                          signal_count;
 *                          slot_count (slots of MEC1 that had a queue), slot_load_count;
 *                          preempt_count (a queue has to leave its slot),
 *                          preempt_busy_count (although it has work);
 *                          save_count, saved_bytes (of waves)
 *     fences             expected_count, reached_count
 *     busy               list: unit, busy_ps, share_permille
 *     waits              list, longest total first:
 *                          rule, text, basis, seen_on (the GPUs of a PUBLISHED or MEASURED
 *                          rule, else null), carried_over (the run's GPU is not among them),
 *                          count, total_ps, longest_ps
 *     open_waits         how many of these had not ended when nothing was left to do
 *     work_left          what they are and who waits for whom (emu/analysis/open_waits.h)
 *     cpu_waits          recorded_count, inferred_count, waited_count, total_ps
 *     unmodelled         how often something was used that is not modelled, by kind:
 *                          register_reads, register_writes (each register once), methods, fields,
 *                          macros, engines, sparse_ranges, register_bits, qmd_fields,
 *                          pm4_packets, sdma_packets, others
 *     losses             list of what of it has a name, and of draws: name (of the method, field
 *                        or packet), count, lost (what the model leaves out)
 *     interrupts         list of those that occurred in normal work: event, count
 *     errors             likewise of those that occurred because something went wrong
 *     kernel_log         list of the first 64 lines that drivers print: time_ps, text
 *                        (emu/log/event_line.h)
 *     durations          as in the notes, or null
 *     recorded_without_gpu
 */
bool summary_print(FILE *file, struct event_log_reader *log, const struct summary_notes *notes,
                   bool json, struct gfe_error *error);

/*
 * A summary of a log that is still being written.  It reads the chunks before they are compressed.
 *
 * summary_live_new() returns a new object, which the caller releases with summary_live_free(), or
 * NULL with a message.  summary_live_chunk() is an observer for chunk_writer_observe().
 */
struct summary_live;
struct summary_live *summary_live_new(const char *name, struct gfe_error *error);
void summary_live_chunk(void *live, const struct chunk *chunk);
/* Returns the reader that has the strings of the log's head, for the notes.  `live` owns the
 * reader. */
struct event_log_reader *summary_live_log(const struct summary_live *live);
/* Prints the summary, once, when the log is complete.  Returns false with a message on an error. */
bool summary_live_print(FILE *file, struct summary_live *live, const struct summary_notes *notes,
                        bool json, struct gfe_error *error);
void summary_live_free(struct summary_live *live);

#endif
