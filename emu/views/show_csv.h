/* SPDX-License-Identifier: MIT */
/*
 * An event log as comma-separated values, for spreadsheets, R, pandas and the like.  A header line
 * has the columns' names; each further line is one row.  Fields are quoted as in RFC 4180, only
 * where a comma or a quote makes quotes necessary.  Lines end in LF.  All times are in picoseconds,
 * and all numbers are decimal.  A column that does not apply to a row is empty there.
 */
#ifndef GFE_EMU_VIEWS_SHOW_CSV_H
#define GFE_EMU_VIEWS_SHOW_CSV_H

#include <stdio.h>

#include "emu/views/show.h"

/*
 * Writes the timeline: one row for each interval and each instant that gfe show draws, track by
 * track.  Returns false with `error` set if memory is short; the caller checks ferror(file).  The
 * columns are:
 *
 *   track             the track's name in gfe show: CPU thread, channel, PBDMA, engine or SM;
 *                     for AMD queue, slot (ACE 0.2), SDMA engine or CU (CU 1.3)
 *   kind              the kind of interval or instant, listed below
 *   begin_ps, end_ps, duration_ps
 *   operation         its name in gfe explain: submission:3, launch:5, draw:6, copy:7, block:5.12
 *   label             its name in gfe show: K1, C1, D1; for a wait the subject's name
 *   channel_id        the channel; for AMD the queue's doorbell
 *   gp_index          for a segment its entry in the ring
 *   rule              for a wait the rule that made the subject wait
 *   because_of        for a wait the blocker's name
 *   address, value    for a semaphore operation, inline write (value: bytes), doorbell (value:
 *                     GP_PUT), interrupt (value: bit) or error (value: code)
 *   bottom_threads    for a block its place on its SM, or that of its lowest piece
 *   threads           for a block its height
 *   unfinished        1 if the log ends before the interval does
 *   pieces            for a block that no gap holds whole: "512@0 256@1024", threads and place of
 *                     each piece (show_stack.h)
 *
 * The kinds are:
 *
 *   intervals            driver_call, cpu_wait, queued, running, waiting, loaded, loading,
 *                        segment, block
 *   of AMD's queues      in_ring, packet, dispatching
 *   of AMD's slots       loaded, loading, leaving, saving, restoring
 *   instants             doorbell, inline_write, acquire, release, interrupt, error
 */
bool show_csv(FILE *file, const struct show *show, struct gfe_error *error);

/* Writes one row for each event in [from_ps, to_ps].  The first columns are time_ps, unit, kind,
 * rule and origin (recorded, modelled or empty).  One column follows for each name of an argument
 * of any kind of event, in the order of the log's tables.  Returns false with `error` set if the
 * log is damaged or memory is short. */
bool show_csv_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                     struct gfe_error *error);

#endif
