/* SPDX-License-Identifier: MIT */
/* Lines of a process with one call: a kernel that is watched, or a call again and again. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum {
    SHARE_THREADS = 1024, /* of a watched block, where the line does not say */
    ROUND_MS = 40,        /* it lasts so long in a round, where the line does not say */
    LATENCY_BYTES = 4096,
};

static const double latency_spin_ns = 1000, latency_sleep_ns = 1e6;
static const char empty_kernel[] = "a kernel that does nothing, and waiting for it";

/* ---- a kernel that is watched ---------------------------------------------------------------- */

static bool gap_read(const struct spot *gap, int64_t base, struct fit_seen *seen, double *last,
                     bool is_first)
{
    struct fit_span span;

    if (!fit_span_of(gap, 2, base, &span))
        return false;
    if (span.begin_ns < *last)
        return spot_wrong(gap, "it begins before the one in front of it ends");
    /* The piece before the first gap began with the block, not with a turn. */
    if ((!is_first && !fit_series_add(&seen->runs, span.begin_ns - *last)) ||
        !fit_series_add(&seen->stands, span.end_ns - span.begin_ns))
        return fit_no_memory(gap);
    *last = span.end_ns;
    return true;
}

static bool watched_read(const struct spot *watched, int64_t base, struct fit_operation *operation,
                         uint32_t index)
{
    const struct spot gaps = spot_member(watched, "gaps");
    struct fit_span *all = &operation->real.spans[0];
    int64_t block, start, end;
    double last;

    if (!fit_number(watched, "block", 0, FIT_BLOCKS_MAX - 1, "a block's number", &block) ||
        !fit_number(watched, "start", -FIT_TIME_MAX, FIT_TIME_MAX, "a time in ns", &start) ||
        !fit_number(watched, "end", start, FIT_TIME_MAX, "a time in ns, not before the start",
                    &end))
        return false;
    if (!json_is_array(gaps.json))
        return spot_is_not(&gaps, "a list of gaps");
    operation->watched[index] = (uint32_t)block;
    last = (double)(start - base);
    for (size_t i = 0; i < json_array_size(gaps.json); i++) {
        const struct spot gap = spot_element(&gaps, i);

        if (!gap_read(&gap, base, &operation->real, &last, i == 0))
            return false;
    }
    if (index == 0 || (double)(start - base) < all->begin_ns)
        all->begin_ns = (double)(start - base);
    if (index == 0 || (double)(end - base) > all->end_ns)
        all->end_ns = (double)(end - base);
    return true;
}

static bool share_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    const struct spot list = spot_member(line, "watched");
    struct fit_operation *operation = part->operations;
    int64_t blocks, ms = fit_round_is(line->json) ? ROUND_MS : 0;
    size_t count;

    part->form = FIT_SHARE;
    operation->thread_count = SHARE_THREADS;
    operation->times = 1;
    if (!fit_number(line, "blocks", 1, FIT_BLOCKS_MAX, "a number of blocks", &blocks) ||
        !(ms > 0 ? fit_may_number : fit_number)(line, "ms", 1, 100000, "a time in ms", &ms) ||
        !fit_shape_read(line, operation) ||
        !spot_array(&list, 4096, "a list of watched blocks", &count))
        return false;
    operation->block_count = (uint32_t)blocks;
    operation->spin_ns = (double)ms * 1e6;
    operation->watched_count = (uint32_t)count;
    operation->watched = fit_room(line, count, sizeof operation->watched[0]);
    if (!operation->watched)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct spot watched = spot_element(&list, i);

        if (!watched_read(&watched, base, operation, i))
            return false;
    }
    return true;
}

/* ---- one call again and again ---------------------------------------------------------------- */

/* Kernels as a list of begin and end. */
static bool stream_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    const struct spot list = spot_member(line, "kernels");
    struct fit_operation *operation = part->operations;
    int64_t spin = 0;
    size_t count;

    part->form = FIT_STREAM;
    operation->block_count = 1;
    operation->thread_count = FIT_SMALL_THREADS;
    if (!(fit_round_is(line->json) ? fit_may_number : fit_number)(line, "spin_ns", 0, FIT_TIME_MAX,
                                                                  "a time in ns", &spin) ||
        !spot_array(&list, FIT_TIMES_MAX, "a list of kernels", &count))
        return false;
    free(operation->real.spans);
    operation->spin_ns = (double)spin;
    operation->times = (uint32_t)count;
    operation->real.spans = fit_room(line, count, sizeof operation->real.spans[0]);
    if (!operation->real.spans)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot kernel = spot_element(&list, i);

        if (!fit_span_of(&kernel, 2, base, &operation->real.spans[i]))
            return false;
    }
    return true;
}

/* Copies as a list of their ends. */
static bool pieces_read(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "done_ns"), way = spot_member(line, "way");
    struct fit_operation *operation = part->operations;
    double last = 0;
    int64_t bytes;
    size_t count;

    part->form = FIT_PIECES;
    operation->is_copy = true;
    if (!fit_number(line, "bytes", 1, FIT_TIME_MAX, "a number of bytes", &bytes) ||
        (way.json && !fit_way_of(&way, &operation->way)) ||
        !spot_array(&list, FIT_TIMES_MAX, "a list of times", &count))
        return false;
    free(operation->real.spans);
    operation->byte_count = (uint64_t)bytes;
    operation->times = (uint32_t)count;
    operation->real.spans = fit_room(line, count, sizeof operation->real.spans[0]);
    if (!operation->real.spans)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct fit_span *span = &operation->real.spans[i];

        if (!fit_time_of(&list, i, 0, &span->end_ns))
            return false;
        span->begin_ns = last;
        last = span->end_ns;
    }
    return true;
}

/* The times of calls that were waited for: the differences of the times in the list if these are
 * of one clock. */
static bool took_read(const struct spot *list, bool is_clock, struct fit_operation *operation)
{
    double last = 0, took;
    size_t count;

    if (!spot_array(list, FIT_TIMES_MAX, "a list of times", &count))
        return false;
    operation->times = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        if (!fit_time_of(list, i, 0, &took))
            return false;
        if (!fit_series_add(&operation->real.took, took - last))
            return fit_no_memory(list);
        last = is_clock ? took : 0;
    }
    return true;
}

static bool latency_read(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "host_ns"), of = spot_member(line, "of");
    struct fit_operation *operation = part->operations;
    const char *word = json_string_value(of.json);
    const bool is_empty = word && strcmp(word, empty_kernel) == 0;

    part->form = FIT_LATENCY;
    part->waits = true;
    part->sleep_ns = is_empty ? 0 : latency_sleep_ns;
    operation->is_copy = word && strcmp(word, "copy") == 0;
    if (!operation->is_copy && !is_empty && (!word || strcmp(word, "kernel") != 0))
        return spot_is_not(&of, "\"copy\" or \"kernel\"");
    operation->byte_count = LATENCY_BYTES;
    operation->block_count = 1;
    operation->thread_count = FIT_SMALL_THREADS;
    operation->spin_ns = is_empty ? 0 : latency_spin_ns;
    return took_read(&list, false, operation);
}

/* Copies to the device, one behind the other, each waited for. */
static bool waited_read(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "done_host_ns");
    struct fit_operation *operation = part->operations;
    int64_t bytes;

    part->form = FIT_LATENCY;
    part->waits = true;
    operation->is_copy = true;
    if (!fit_number(line, "bytes", 1, FIT_TIME_MAX, "a number of bytes", &bytes))
        return false;
    operation->byte_count = (uint64_t)bytes;
    return took_read(&list, true, operation);
}

bool fit_process_is(const json_t *line)
{
    const char *word = json_string_value(json_object_get(line, "of"));
    const bool has_host = word && json_object_get(line, "host_ns");

    if (!json_object_get(line, "process"))
        return has_host && strcmp(word, empty_kernel) == 0;
    return json_object_get(line, "done_ns") || json_object_get(line, "kernels") || has_host;
}

static bool members_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    if (spot_member(line, "watched").json)
        return share_read(line, base, part);
    if (spot_member(line, "done_ns").json)
        return pieces_read(line, part);
    if (spot_member(line, "kernels").json)
        return stream_read(line, base, part);
    if (spot_member(line, "done_host_ns").json)
        return waited_read(line, part);
    return latency_read(line, part);
}

bool fit_process_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    struct fit_operation *operation = fit_room(line, 1, sizeof *operation);

    part->operations = operation;
    if (!operation)
        return false;
    part->operation_count = 1;
    operation->call_ns = FIT_NEVER;
    operation->name = strdup(part->name);
    operation->real.spans = fit_room(line, 1, sizeof operation->real.spans[0]);
    if (!operation->name)
        return fit_no_memory(line);
    if (!operation->real.spans || !fit_stream_null(line, part))
        return false;
    return members_read(line, base, part) &&
           (!fit_round_is(line->json) || fit_round_read(line, part));
}
