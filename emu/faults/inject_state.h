/* SPDX-License-Identifier: MIT */
/*
 * What an injected fault changes (emu/faults/inject.h): bits of what passes, and state.  Between
 * the injector's files only.
 *
 * A translation of a space that is a list of ranges is changed in the list.  One of a walked space
 * (emu/engine/address_space.h) is changed each time that the MMU finds its page, whatever software
 * writes into page tables or invalidates: between the tables and whoever asks.
 */
#ifndef GFE_EMU_INJECT_STATE_H
#define GFE_EMU_INJECT_STATE_H

#include "emu/faults/inject.h"

/* Four bytes from the fault's first word on, for the log. */
uint64_t inject_state_peek(const struct inject_fault *fault, const uint8_t *data, size_t bytes);
/* Changes data, of at most INJECT_DATA_MAX bytes, as the model says. False: they are as they were.
 */
bool inject_state_change(const struct inject_fault *fault, uint8_t *data, size_t bytes);
/* A fault of state acts, now; nothing happens where there is no such state at present. */
void inject_state_act(struct inject *inject, uint32_t index);
/* Pages that the machine's MMU finds are seen by faults from now on; once, while it is wired. */
void inject_state_watch(struct inject *inject);
/* Is it a fault of a translation that is walked for?  It is never over. */
bool inject_state_is_walked(const struct inject *inject, const struct inject_fault *fault);

/* A fault has acted: counted and logged.  In inject.c. */
void inject_acts(struct inject *inject, uint32_t index, uint64_t subject, uint64_t old_value,
                 uint64_t new_value);

#endif
