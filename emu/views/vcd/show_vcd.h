/* SPDX-License-Identifier: MIT */
/*
 * A log as a value change dump (VCD, IEEE 1364-2005, section 18) for GTKWave and other viewers of
 * waveforms: signals of each unit, as docs/vcd.md lists them.  Times are picoseconds.  States are
 * strings, which the standard does not have: GTKWave's $var string, with changes "sTEXT CODE";
 * counts are vectors of bits.  A text has no white space: what would be is "_".
 *
 * Units are found while the log is read, and the standard wants them declared first: changes go to
 * a file without a name, which is copied behind the declarations at the end.  Memory is some 100
 * bytes for each signal, and what is kept of each operation that has not ended; it does not grow
 * with the log.
 *
 * Of several changes of a signal at one time the last one is written; a state that takes no time is
 * not seen.  Waits are logged when they end: last_wait is the rule of the last one that did.
 */
#ifndef GFE_EMU_VIEWS_VCD_SHOW_VCD_H
#define GFE_EMU_VIEWS_VCD_SHOW_VCD_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"

enum {
    SHOW_VCD_UNITS_MAX = 1 << 16,
    SHOW_VCD_LIVE_MAX = 1 << 20, /* operations that have not ended, at a time */
    SHOW_VCD_GRIDS_MAX = 4096,   /* grids with blocks on SMs, at a time */
};

/* Reads the log to its end, or to to_ps, and writes what changes in [from_ps, to_ps]; what held
 * before is in $dumpvars.  A write to `file` that fails is for ferror(file) to tell. */
bool show_vcd(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
              struct gfe_error *error);

#endif
