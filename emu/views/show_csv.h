/* SPDX-License-Identifier: MIT */
/*
 * An event log as comma-separated values, for spreadsheets, R, pandas and the like.  One header
 * line with the columns' names, then one row a line; quoted as in RFC 4180 (only where a comma or a
 * quote makes it necessary), lines end in LF.  All times are in picoseconds, all numbers decimal;
 * what does not apply to a row is empty.
 */
#ifndef GFE_EMU_VIEWS_SHOW_CSV_H
#define GFE_EMU_VIEWS_SHOW_CSV_H

#include <stdio.h>

#include "emu/views/show.h"

/*
 * The timeline: one row for each interval and each instant that gfe show draws, track by track.
 *
 *     track         CPU thread, channel, PBDMA, engine or SM, of AMD's GPUs queue, slot (ACE 0.2),
 *                   SDMA engine or CU (CU 1.3), as gfe show names it
 *     kind          intervals: driver_call, cpu_wait, queued, running, waiting, loaded, loading,
 *                   segment, block; of AMD's queues in_ring, packet, dispatching, of their slots
 *                   loaded, loading, leaving, saving, restoring; instants: doorbell, inline_write,
 * acquire, release, interrupt, error begin_ps, end_ps, duration_ps operation     submission:3,
 * launch:5, draw:6, copy:7, block:5.12: what gfe explain calls it label         K1, C1, D1: what
 * gfe show calls it; who waits channel_id    of AMD's GPUs the queue's doorbell gp_index      of a
 * segment: its entry in the ring rule          of a wait because_of    of a wait: who was in the
 * way address, value   of a semaphore operation, inline write (value: bytes), doorbell (GP_PUT),
 *                   interrupt (bit) or error (code)
 *     bottom_threads, threads   of a block: where it is drawn on its SM, and how high
 *     unfinished    1: the log ends before it does
 */
void show_csv(FILE *file, const struct show *show);

/* The log, event by event, those in [from_ps, to_ps]: time_ps, unit, kind, rule, origin (recorded,
 * modelled or empty), then one column for each name that an argument of any kind of event has, in
 * the order of the log's tables.  False with a message: the log is damaged, no memory. */
bool show_csv_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                     struct gfe_error *error);

#endif
