/* SPDX-License-Identifier: MIT */
/*
 * Marks: a wired machine that is used again and again.
 *
 * Wiring a machine costs milliseconds, a short run microseconds.  A mark holds all that a machine
 * is at one place, also what lies outside its arena: units, tables, parameters, choices, callbacks.
 * Going back to the mark costs what was written since:
 *
 *     machine_mark_new(machine)        after the wiring, or in the middle of it
 *     ... further units, machine_seal(), a run
 *     machine_mark_return(mark, NULL)  the machine is as it was, and can be wired and run again
 *
 * A mark in the middle of the wiring lets the same GPU and driver model run one program after the
 * other (emu/sim/simulation_base.h).  Later units' own objects stay their owners', who free them
 * when the machine has returned or before.
 *
 * The mark watches the machine's arena (emu/engine/arena_watch.h): make it, return to it and free
 * it in one thread, and start no second watch of the same arena meanwhile.  Snapshots that were
 * taken since the mark are of no use once the machine has returned to it.
 */
#ifndef GFE_EMU_ENGINE_MACHINE_MARK_H
#define GFE_EMU_ENGINE_MACHINE_MARK_H

#include "emu/engine/machine.h"

struct machine_mark;

/* Marks the machine between two events, or before the first one.  Its log must be kept in memory,
 * or be without events.  The machine must outlive the mark.  Returns NULL with a message on error.
 */
struct machine_mark *machine_mark_new(struct machine *machine, struct gfe_error *error);
/* Takes the machine back.  `config` gives seed, bounds, batch limit and log anew; the sizes and the
 * GPU in it must be the machine's (asserted).  NULL keeps the mark's; a machine that was started
 * before the mark takes NULL only (asserted).  Returns false when the host's memory is short; the
 * machine is then of no more use. */
bool machine_mark_return(struct machine_mark *mark, const struct machine_config *config);
/* Ends the mark.  The machine stays as it is. */
void machine_mark_free(struct machine_mark *mark);

#endif
