/* SPDX-License-Identifier: MIT */
/*
 * gfe inspect LOG queues: what waited where at a time of a run, as Amert et al. 2017 draw it in
 * Fig. 4.  Streams with the operations in their queues and the channel that each holds or waits
 * for; for each process and priority the queue of kernels that are not fully dispatched (the
 * paper's EE queue); for each copy engine what it runs and what was handed to it and has not
 * started; which blocks are on which SM.
 *
 * Of an AMD GPU there are its queues instead, each by its doorbell: which slot it is in, how many
 * packets stand in its ring, the dispatches that its packets started and that have not ended; SDMA
 * engines and CUs.
 *
 * Made of the log's events alone.  Recordings have no streams: their kernels are "grid 5", of no
 * process, and copies "copy 7".  Draws are not in it.
 *
 * The view is one JSON object:
 *
 *     view, gpu, time_ps
 *     streams       [{stream, process, priority, kind, tasks: [names], channel: number or null,
 *                     waits_for_channel, queue: [operation]}], the head of the queue first
 *     ee_queues     [{process: number or null, priority, kernels: [{name, grid_id, channel_id,
 *                     blocks_assigned, block_count, suspended, rule}]}], high priorities first;
 *                   those of all clients of MPS together have no process, and mps: true
 *     queues        AMD, instead of ee_queues: [{queue, streams: [numbers], slot: "ACE 0.2" or
 * null, packets_in_ring: number or null, rule, dispatches: [as kernels, with state and no
 * channel_id]}] copy_engines  [{engine, runs: [{name, copy_id, channel_id}], queue: [the same,
 * rule]}]: those that had a copy so far sms           [{sm, name (AMD: "CU 0.3"), kernels: [{name,
 * grid_id, blocks: [indices]}]}]: those that had a block
 *
 * An operation is {name, operation_id, state, rule}; a kernel that the GPU has has blocks_assigned
 * and block_count instead of the rule.  Its state is waits, submitted (to a channel),
 * queued, dispatched, fully dispatched, runs, suspended or ended (which its stream does not know
 * yet).  A rule is the label of what it waits for, and absent when it does not; that is read in the
 * rest of the log, as waits are logged when they end.
 */
#ifndef GFE_EMU_ANALYSIS_INSPECT_QUEUES_H
#define GFE_EMU_ANALYSIS_INSPECT_QUEUES_H

#include "emu/log/event_log.h"
#include "emu/engine/inspect.h"

/* Its name and how it is printed; it has no build(), as it is of no machine. */
extern const struct inspect_view inspect_queues_view;

/* Reads the log up to a time (its events included; GFE_PS_NEVER: all) or up to its N-th event, from
 * 1 (UINT64_MAX: the time counts).  The caller owns what it returns; NULL with a message. */
json_t *inspect_queues(struct event_log_reader *log, gfe_ps at_ps, uint64_t event_count,
                       struct gfe_error *error);

#endif
