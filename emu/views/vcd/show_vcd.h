/* SPDX-License-Identifier: MIT */
/*
 * A log as a value change dump (VCD, IEEE 1364-2005, section 18) for GTKWave and other viewers of
 * waveforms.  Each unit has signals; docs/vcd.md lists them.  Times are picoseconds.  Counts are
 * vectors of bits.  States are strings, which the standard does not have: GTKWave's $var string,
 * with changes "sTEXT CODE".  White space in a text becomes "_".
 *
 * Units are found while the log is read, but the standard wants them declared first.  So changes go
 * to an unnamed temporary file, which is copied to the output after the declarations.  Memory is
 * some 100 bytes for each signal, and what the model of the log keeps of operations and blocks that
 * have not ended.  It does not grow with the log.
 *
 * If a signal changes several times at one time, only the last change is written, so a state that
 * takes no time is not seen.  Waits are logged when they end: last_wait is the rule of the wait
 * that ended last.
 */
#ifndef GFE_EMU_VIEWS_VCD_SHOW_VCD_H
#define GFE_EMU_VIEWS_VCD_SHOW_VCD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"

enum { SHOW_VCD_UNITS_MAX = 1 << 16 };

/* Reads the log to its end, or to to_ps, and writes the changes in [from_ps, to_ps].  $dumpvars has
 * the values from before.  `threads_per_sm` is the GPU's, or 0 if it is not known: waves of AMD's
 * blocks end one by one, without an event, so the threads of a CU's blocks may be more than the
 * CU's.  Returns false with `error` set on failure.  For failed writes to `file` the caller checks
 * ferror(file). */
bool show_vcd(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
              uint32_t threads_per_sm, struct gfe_error *error);

#endif
