/* SPDX-License-Identifier: MIT */
/*
 * The changes that an injected fault makes (emu/faults/inject.h): to bits of a passage, and to
 * state. Private to the injector's files.
 *
 * A translation of a space that is a list of ranges is changed in the list.  A translation of a
 * walked space (emu/engine/address_space.h) is changed each time that the MMU finds its page,
 * between the tables and the unit that asks.  Writes of software into page tables, and
 * invalidations, do not end the fault.
 */
#ifndef GFE_EMU_FAULTS_INJECT_STATE_H
#define GFE_EMU_FAULTS_INJECT_STATE_H

#include "emu/faults/inject.h"

/* Returns four bytes from the fault's first word on, for the log. */
uint64_t inject_state_peek(const struct inject_fault *fault, const uint8_t *data, size_t bytes);
/* Changes data, of at most INJECT_DATA_MAX bytes, as the model says.  Returns false if the data are
 * unchanged. */
bool inject_state_change(const struct inject_fault *fault, uint8_t *data, size_t bytes);
/* Lets a fault of state act now.  Does nothing if there is no such state at present. */
void inject_state_act(struct inject *inject, uint32_t index);
/* Lets faults see the pages that the machine's MMU finds from now on.  Call it once, while the
 * machine is being wired. */
void inject_state_watch(struct inject *inject);
/* Returns true for a fault of a translation of a walked space.  Such a fault never ends. */
bool inject_state_is_walked(const struct inject *inject, const struct inject_fault *fault);

/* Counts and logs that a fault has acted.  In inject.c. */
void inject_acts(struct inject *inject, uint32_t index, uint64_t subject, uint64_t old_value,
                 uint64_t new_value);

#endif
