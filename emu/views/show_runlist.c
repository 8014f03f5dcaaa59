/* SPDX-License-Identifier: MIT */
/* Time-slice groups on their runlists: when each was on the runlist's PBDMA. */
#include <config.h>

#include "emu/views/show_private.h"

bool show_build_slice_begin(struct show_build *build, const struct model_record *record)
{
    struct show_item item = show_build_instant(SHOW_SLICE, record->now_ps, 0);

    if (!build->show->with_runlists)
        return true;
    item.number = (uint32_t)record->slice.tsg_id;
    return show_build_open(build, show_build_track(build, SHOW_RUNLIST, record->slice.runlist_id),
                           record->slice.tsg_id, &item);
}

bool show_build_slice_end(struct show_build *build, const struct model_record *record)
{
    return !build->show->with_runlists ||
           show_build_close(build, show_build_track(build, SHOW_RUNLIST, record->slice.runlist_id),
                            SHOW_SLICE, record->slice.tsg_id, record->now_ps);
}
