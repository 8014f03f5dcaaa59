/* SPDX-License-Identifier: MIT */
/* Time-slice groups on their runlists: when each was on the runlist's PBDMA. */
#include <config.h>

#include "emu/views/show_private.h"

bool show_build_slice_begin(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_item item = show_build_instant(SHOW_SLICE, now_ps, 0);

    if (!build->show->with_runlists)
        return true;
    item.number = (uint32_t)values[1];
    return show_build_open(build, show_build_track(build, SHOW_RUNLIST, values[0]), values[1],
                           &item);
}

bool show_build_slice_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return !build->show->with_runlists ||
           show_build_close(build, show_build_track(build, SHOW_RUNLIST, values[0]), SHOW_SLICE,
                            values[1], now_ps);
}
