/* SPDX-License-Identifier: MIT */
/*
 * Replay of layer BUS: register accesses, doorbells and physical memory, as a CPU's bus sees them.
 *
 * There is no driver model in such a run: what a driver would do stands in the recording, or in a
 * register-level program that somebody wrote (gfe import bus).  Interrupts reach nobody.  A read is
 * made again and compared with what the recording found; a difference is logged (MMIO_READ,
 * differs) and the run goes on.  Memory is written by its physical address; page tables are memory.
 * Where a recording has none, AS_MAP says what they would (traces/format/trace_schema.h).
 */
#ifndef GFE_EMU_REPLAY_BUS_H
#define GFE_EMU_REPLAY_BUS_H

#include "emu/engine/machine.h"
#include "traces/format/trace.h"

/* Makes the access, at the current time and as the given unit.  A record that does not belong to
 * the layer, or that no bus can carry, stops the run (machine_fail()); false then. */
bool replay_bus_apply(struct machine *machine, uint32_t unit, const struct trace_record *record);

#endif
