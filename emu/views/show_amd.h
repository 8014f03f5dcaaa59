/* SPDX-License-Identifier: MIT */
/* Turns AMD's events into items; show_take.c calls one function for each.  Private to show*.c. */
#ifndef GFE_EMU_VIEWS_SHOW_AMD_H
#define GFE_EMU_VIEWS_SHOW_AMD_H

#include "emu/views/show_private.h"

/* Take the four events of a queue in a slot:
 *
 *   show_amd_map()       the queue is given the slot
 *   show_amd_preempt()   the queue is asked to leave the slot
 *   show_amd_load()      the queue is in the slot's registers
 *   show_amd_leave()     the queue has left the slot
 *
 * All functions of this header that return false for a failure have set the error. */
bool show_amd_map(struct show_build *build, const struct model_record *record);
bool show_amd_preempt(struct show_build *build, const struct model_record *record);
bool show_amd_load(struct show_build *build, const struct model_record *record);
bool show_amd_leave(struct show_build *build, const struct model_record *record);
/* Takes the event that a queue's waves are saved (SHOW_SAVING) or restored (SHOW_RESTORING). */
bool show_amd_move(struct show_build *build, enum show_item_kind kind,
                   const struct model_record *record);

bool show_amd_submit(struct show_build *build, const struct model_record *record);
bool show_amd_doorbell(struct show_build *build, const struct model_record *record);
bool show_amd_packet(struct show_build *build, const struct model_record *record);
bool show_amd_packet_end(struct show_build *build, const struct model_record *record);
bool show_amd_dispatched(struct show_build *build, const struct model_record *record);

/* Joins the wait to one on the track that it continues, by making that wait longer.  Returns false
 * if the track has no such wait. */
bool show_amd_wait_joins(struct show_build *build, struct show_track *track,
                         const struct show_wait *wait);

#endif
