/* SPDX-License-Identifier: MIT */
/*
 * gfe inspect LOG queues: what waited where at one time of a run, as Amert et al. 2017 draw it in
 * Fig. 4.  The view shows:
 *
 *   - streams, with the operations in their queues and the channel that each holds or waits for;
 *   - for each process and priority the queue of kernels that are not fully dispatched (the paper's
 *     EE queue);
 *   - for each copy engine the copies that it runs, and those that were handed to it and have not
 *     started;
 *   - the blocks on each SM.
 *
 * For an AMD GPU the view shows its queues instead, each by its doorbell.  Each queue shows its
 * slot, the number of packets in its ring, and the dispatches that its packets started and that
 * have not ended.  SDMA engines and CUs take the place of copy engines and SMs.
 *
 * The view is made from the log's events alone.  Recordings have no streams: their kernels are
 * "grid 5", of no process, and their copies are "copy 7".  The view leaves draws out.
 *
 * The view is one JSON object:
 *
 *     view, gpu, time_ps
 *     streams       list, the head of each queue first:
 *                     {stream, process, priority, kind, tasks: [names],
 *                      channel: number or null, waits_for_channel, queue: [operation]}
 *     ee_queues     list, high priorities first:
 *                     {process: number or null, priority,
 *                      kernels: [{name, grid_id, channel_id, blocks_assigned, block_count,
 *                                 suspended, rule}]}
 *                   a queue of all clients of MPS together has no process, and has mps: true
 *     queues        AMD, instead of ee_queues, list:
 *                     {queue, streams: [numbers], slot: "ACE 0.2" or null,
 *                      packets_in_ring: number or null, rule,
 *                      dispatches: [as kernels, with state and without channel_id]}
 *     copy_engines  list of the engines that had a copy before that time:
 *                     {engine, runs: [{name, copy_id, channel_id}], queue: [the same, rule]}
 *     sms           list of the SMs that had a block before that time:
 *                     {sm, name (AMD: "CU 0.3"), kernels: [{name, grid_id, blocks: [indices]}]}
 *
 * An operation is {name, operation_id, state, rule}.  A kernel that the GPU has, has
 * blocks_assigned and block_count instead of the rule.  The state is one of:
 *
 *     waits, submitted (to a channel), queued, dispatched, fully dispatched, runs, suspended,
 *     ended (but its stream does not know yet)
 *
 * A rule is the label of what the operation waits for; it is absent when the operation does not
 * wait.  The rule is read from the rest of the log, because a wait is logged when it ends.
 */
#ifndef GFE_EMU_ANALYSIS_INSPECT_QUEUES_H
#define GFE_EMU_ANALYSIS_INSPECT_QUEUES_H

#include "emu/log/event_log.h"
#include "emu/engine/inspect.h"

/* The view's name and how to print it.  The view has no build(), because it needs no machine. */
extern const struct inspect_view inspect_queues_view;

/* Reads the log and returns the view, which the caller owns.  The reading stops after the events of
 * time `at_ps`, or after `event_count` events.  If `at_ps` is GFE_PS_NEVER, it reads the whole log.
 * If `event_count` is UINT64_MAX, `at_ps` counts.  Returns NULL with a message on an error. */
json_t *inspect_queues(struct event_log_reader *log, gfe_ps at_ps, uint64_t event_count,
                       struct gfe_error *error);

#endif
