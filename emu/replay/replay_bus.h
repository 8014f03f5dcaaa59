/* SPDX-License-Identifier: MIT */
/*
 * Replay of layer BUS: register accesses, doorbells and physical memory, as a CPU's bus sees them.
 *
 * Such a run has no driver model: the driver's accesses stand in the recording, or in a
 * hand-written register-level program (gfe import bus).  Interrupts have no handler.  A read is
 * made again and compared with the recorded value; a difference is logged (MMIO_READ, differs) and
 * the run goes on. Memory is written by its physical address; page tables are memory.  If a
 * recording has no page tables, AS_MAP records stand for them (traces/format/trace_schema.h).
 */
#ifndef GFE_EMU_REPLAY_REPLAY_BUS_H
#define GFE_EMU_REPLAY_REPLAY_BUS_H

#include "emu/engine/machine.h"
#include "traces/format/trace.h"

/* Makes the access, at the current time and as the given unit.  Stops the run (machine_fail()) and
 * returns false if the record does not belong to the layer, or if no bus can carry it. */
bool replay_bus_apply(struct machine *machine, uint32_t unit, const struct trace_record *record);

#endif
