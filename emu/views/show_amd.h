/* SPDX-License-Identifier: MIT */
/* How AMD's events become items: what show_take.c calls for each.  Private to show*.c. */
#ifndef GFE_EMU_VIEWS_SHOW_AMD_H
#define GFE_EMU_VIEWS_SHOW_AMD_H

#include "emu/views/show_private.h"

/* A queue is given a slot, or asked to leave it; it is in its registers, it has left.  All that
 * fail have set the error. */
bool show_amd_map(struct show_build *build, const struct model_record *record);
bool show_amd_preempt(struct show_build *build, const struct model_record *record);
bool show_amd_load(struct show_build *build, const struct model_record *record);
bool show_amd_leave(struct show_build *build, const struct model_record *record);
/* Its waves are saved, or restored: SHOW_SAVING, SHOW_RESTORING. */
bool show_amd_move(struct show_build *build, enum show_item_kind kind,
                   const struct model_record *record);

bool show_amd_submit(struct show_build *build, const struct model_record *record);
bool show_amd_doorbell(struct show_build *build, const struct model_record *record);
bool show_amd_packet(struct show_build *build, const struct model_record *record);
bool show_amd_packet_end(struct show_build *build, const struct model_record *record);
bool show_amd_dispatched(struct show_build *build, const struct model_record *record);

/* Does the wait go on with one that is on the track already?  Then that one is longer now. */
bool show_amd_wait_joins(struct show_build *build, struct show_track *track,
                         const struct show_wait *wait);

#endif
