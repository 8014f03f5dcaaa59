/* SPDX-License-Identifier: MIT */
/*
 * The summary of a run, computed from its event log alone.
 *
 * Busy shares are tenths of a percent of the time from the first submission to the last event: an
 * engine is busy while at least one of its grids, copies or draws runs, a PBDMA while it has a
 * segment in hand (also when it waits with it), an SM while it holds at least one block.
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
    const char *name;          /* of what was run; NULL: the log's name */
    const char *durations;     /* where execution times came from; NULL: not known */
    bool recorded_without_gpu; /* completion values in the trace come from the stand-in */
};

/*
 * Reads the log to its end and prints the summary, for people or (json) for programs: one object,
 *
 *     name               of what was run, as in the notes, or the log's file name
 *     run                what was run, as in the log's head
 *     event_count, simulated_ps (first submission to last event), end_ps (time of the last event)
 *     submissions        count, push_bytes, channel_count
 *     grids              count, block_count, finished_count
 *     launches           the first 16 grids: grid_id, channel_id, block_count, block_threads,
 *                        shared_bytes, registers, queued_ps (time spent in the queue), ran_ps
 *                        (null: did not end)
 *                        and of a scenario name
 *     tasks              only of a scenario: list, see emu/analysis/summary/summary_tasks.h
 *     draws              count (work that the model only gives a time to)
 *     copies             count, byte_count
 *     inline_writes      count, byte_count
 *     releases           recorded_count, modelled_count
 *     amd                only of an AMD GPU: queue_count, sdma_queue_count (made); packets taken
 * up: dispatch_packet_count, barrier_packet_count, pm4_packet_count, sdma_packet_count;
 * signal_count; slot_count (of MEC1, that had a queue), slot_load_count, preempt_count (a queue has
 * to leave its slot), preempt_busy_count (with work), save_count, saved_bytes (of waves) fences
 * expected_count, reached_count busy               list: unit, busy_ps, share_permille waits list,
 * longest total first: rule, text, basis, count, total_ps, longest_ps open_waits         how many
 * of these had not ended when nothing was left to do cpu_waits          recorded_count,
 * inferred_count, waited_count, total_ps unmodelled         register_reads, register_writes,
 * methods, fields, macros, engines, others interrupts         list: event, count (only those that
 * occurred), of normal work errors             the same, of what went wrong kernel_log list:
 * time_ps, text: the first 64 lines that drivers print (emu/log/event_line.h) durations          as
 * in the notes, or null recorded_without_gpu
 */
bool summary_print(FILE *file, struct event_log_reader *log, const struct summary_notes *notes,
                   bool json, struct gfe_error *error);

/* The same of a log that is being written, from its chunks, before they are compressed: an observer
 * for chunk_writer_observe(). */
struct summary_live;
struct summary_live *summary_live_new(const char *name, struct gfe_error *error);
void summary_live_chunk(void *live, const struct chunk *chunk);
/* The head's strings, for the notes. */
struct event_log_reader *summary_live_log(const struct summary_live *live);
/* Once, when the log is complete. */
bool summary_live_print(FILE *file, struct summary_live *live, const struct summary_notes *notes,
                        bool json, struct gfe_error *error);
void summary_live_free(struct summary_live *live);

#endif
