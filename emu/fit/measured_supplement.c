/* SPDX-License-Identifier: MIT */
/* Supplements: what the lines of an experiment do not say. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum { PRIORITIES = 8 };

static bool last_copy_supplement(const struct spot *spot, struct fit_stream *stream)
{
    const struct spot last = spot_member(spot, "last_copy");
    const char *word = json_string_value(last.json);

    if (!last.json)
        return true;
    stream->has_copied_to_host = word && strcmp(word, "to host") == 0;
    stream->has_copied = stream->has_copied_to_host || (word && strcmp(word, "to device") == 0);
    return stream->has_copied || spot_is_not(&last, "\"to device\" or \"to host\"");
}

static bool stream_supplement(const struct spot *spot, struct fit_stream *stream)
{
    static const char *const keys[] = {"priority", "kind", "sm_mask", "work_ns", "last_copy", NULL};
    const struct spot kind = spot_member(spot, "kind"), mask = spot_member(spot, "sm_mask");
    const char *word = json_string_value(kind.json);
    int64_t priority = stream->priority, work = 0;

    if (!spot_object(spot, keys) ||
        !fit_may_number(spot, "priority", 1 - PRIORITIES, 0,
                        "a priority of CUDA's (0 is the lowest)", &priority) ||
        !fit_may_number(spot, "work_ns", 1, FIT_TIME_MAX, "a time in ns", &work))
        return false;
    stream->work_ns = work > 0 ? (double)work : stream->work_ns;
    stream->priority = (int32_t)priority;
    if (kind.json) {
        stream->is_blocking = word && strcmp(word, "blocking") == 0;
        if (!stream->is_blocking && (!word || strcmp(word, "non-blocking") != 0))
            return spot_is_not(&kind, "\"blocking\" or \"non-blocking\"");
    }
    if (!last_copy_supplement(spot, stream))
        return false;
    free(mask.json ? stream->sm_mask : NULL);
    return !mask.json || spot_string(&mask, &stream->sm_mask);
}

static bool streams_supplement(const struct spot *list, struct fit_part *part)
{
    for (uint32_t i = 0; i < part->stream_count; i++) {
        const struct spot spot = spot_member(list, part->streams[i].name);

        if (spot.json && !stream_supplement(&spot, &part->streams[i]))
            return false;
    }
    return true;
}

bool fit_supplement_apply(const struct spot *supplement, struct fit_experiment *experiment)
{
    static const char *const keys[] = {"supplement", "of",      "mps", "mps_thread_percentage",
                                       "streams",    "cluster", NULL};
    const struct spot streams = spot_member(supplement, "streams");
    const struct spot percent = spot_member(supplement, "mps_thread_percentage");
    int64_t share = 0, cluster = 0;

    if (!spot_object(supplement, keys) || !spot_may_bool(supplement, "mps", &experiment->mps) ||
        (percent.json && !spot_number(&percent, 1, 100, "a percentage", &share)) ||
        !fit_may_number(supplement, "cluster", 1, 16, "a number of blocks", &cluster) ||
        (streams.json && !json_is_object(streams.json) && !spot_is_not(&streams, "an object")))
        return false;
    for (uint32_t i = 0; i < experiment->part_count; i++) {
        struct fit_part *part = &experiment->parts[i];

        if (share > 0)
            part->share_percent = (double)share;
        for (uint32_t k = 0; cluster > 0 && k < part->operation_count; k++)
            part->operations[k].cluster_blocks = (uint32_t)cluster;
        if (streams.json && !streams_supplement(&streams, part))
            return false;
    }
    return true;
}
