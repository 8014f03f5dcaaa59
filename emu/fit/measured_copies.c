/* SPDX-License-Identifier: MIT */
/*
 * Lines of tests/hardware/copy_times.cu: one copy again and again, copies that race, and a copy
 * beside a kernel.
 *
 * What the program asks for and its lines do not say is here as that program has it; a member
 * gate_ns of a line counts more.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum {
    GATE_NS = 600000,    /* the kernel behind which copies race */
    BESIDE_BLOCKS = 264, /* the kernel beside a copy */
    BESIDE_THREADS = 1024,
    BESIDE_NS = 2000000,
    BETWEEN_NS = 200000, /* from its call to that of the copy */
};

/* What kind of copy a word means. */
static bool kind_read(const struct spot *object, struct fit_operation *operation)
{
    static const struct {
        const char *word;
        enum fit_way way;
        bool is_set, is_pageable;
    } kinds[] = {{"to_device", FIT_TO_DEVICE, false, false},
                 {"to_host", FIT_TO_HOST, false, false},
                 {"on_device", FIT_ON_DEVICE, false, false},
                 {"set", FIT_ON_DEVICE, true, false},
                 {"to_device_pageable", FIT_TO_DEVICE, false, true}};
    const struct spot spot = spot_member(object, "way");
    const char *text = json_string_value(spot.json);

    for (size_t i = 0; text && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(text, kinds[i].word) == 0) {
            operation->way = kinds[i].way;
            operation->is_set = kinds[i].is_set;
            operation->is_pageable = kinds[i].is_pageable;
            return true;
        }
    return spot_is_not(
        &spot, "\"to_device\", \"to_host\", \"on_device\", \"set\" or \"to_device_pageable\"");
}

/* How much a copy moves: bytes, or rows of some width. */
static bool size_read(const struct spot *object, struct fit_operation *operation)
{
    int64_t bytes = 0, width = 1, rows = 0;

    if (spot_member(object, "width").json) {
        if (!fit_number(object, "width", 1, 1 << 30, "a number of bytes", &width) ||
            !fit_number(object, "height", 1, 1 << 20, "a number of rows", &rows))
            return false;
        bytes = width * rows;
    } else if (!fit_number(object, "bytes", 1, FIT_TIME_MAX, "a number of bytes", &bytes)) {
        return false;
    }
    operation->byte_count = (uint64_t)bytes;
    operation->rows = (uint32_t)rows;
    operation->is_copy = operation->has_events = true;
    return true;
}

/* ---- again and again ------------------------------------------------------------------------- */

bool fit_repeat_is(const json_t *line)
{
    return json_object_get(line, "way") && json_is_array(json_object_get(line, "event_ns")) &&
           !json_object_get(line, "kernel_end_ns");
}

/* What each of the copies took by its events, and by the host's clock where the line says it. */
static bool repeat_times(const struct spot *line, struct fit_operation *operation)
{
    const struct spot events = spot_member(line, "event_ns"), host = spot_member(line, "host_ns");

    for (uint32_t i = 0; i < operation->times; i++) {
        const struct spot event = spot_element(&events, i);
        double took;

        if (!fit_time_of(&events, i, 0, &operation->real.spans[i].end_ns) ||
            (host.json && !fit_time_of(&host, i, 0, &took)))
            return false;
        if (operation->real.spans[i].end_ns < 0)
            return spot_is_not(&event, "a time that something took");
        if (host.json && !fit_series_add(&operation->real.took, took))
            return fit_no_memory(line);
    }
    return true;
}

bool fit_repeat_read(const struct spot *line, struct fit_part *part)
{
    const struct spot events = spot_member(line, "event_ns");
    struct fit_operation *operation;
    size_t count;

    part->form = FIT_REPEAT;
    part->waits = true;
    if (!spot_array(&events, FIT_TIMES_MAX, "a list of times", &count) ||
        !fit_streams_own(line, part, 1) || !fit_operations_own(line, part, 1, "copy"))
        return false;
    operation = &part->operations[0];
    free(operation->real.spans);
    operation->times = (uint32_t)count;
    operation->real.spans = fit_room(line, count, sizeof operation->real.spans[0]);
    return operation->real.spans && kind_read(line, operation) && size_read(line, operation) &&
           repeat_times(line, operation);
}

/* ---- a race ---------------------------------------------------------------------------------- */

bool fit_race_is(const json_t *line)
{
    const json_t *copy = json_array_get(json_object_get(line, "copies"), 0);

    return json_is_object(copy) && !json_object_get(copy, "stream");
}

/* The times of one copy in its last run. */
static bool race_times(const struct spot *copy, struct fit_operation *operation)
{
    const struct spot times = spot_member(copy, "event_ns");

    return fit_span_of(&times, 2, 0, &operation->real.spans[operation->times - 1]);
}

bool fit_race_read(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "copies");
    int64_t gate = GATE_NS;
    size_t count;

    part->form = FIT_COPIES;
    if (!fit_may_number(line, "gate_ns", 1, FIT_TIME_MAX, "a time in ns", &gate) ||
        !spot_array(&list, FIT_STREAMS_MAX, "a list of copies", &count) ||
        !fit_streams_own(line, part, (uint32_t)count) ||
        !fit_operations_own(line, part, (uint32_t)count, "copy"))
        return false;
    part->gate_ns = (double)gate;
    for (uint32_t i = 0; i < count; i++) {
        const struct spot copy = spot_element(&list, i);

        part->operations[i].stream = i;
        if (!kind_read(&copy, &part->operations[i]) || !size_read(&copy, &part->operations[i]) ||
            !race_times(&copy, &part->operations[i]))
            return false;
    }
    return true;
}

/* True if the copy is the one of the run before. */
static bool is_same_copy(const struct spot *copy, const struct fit_operation *operation)
{
    struct fit_operation other = {0};

    return kind_read(copy, &other) && size_read(copy, &other) && other.way == operation->way &&
           other.is_set == operation->is_set && other.is_pageable == operation->is_pageable &&
           other.byte_count == operation->byte_count;
}

bool fit_race_again(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "copies");

    if (json_array_size(list.json) != part->operation_count)
        return spot_wrong(&list, "the run before had %u copies", part->operation_count);
    for (uint32_t i = 0; i < part->operation_count; i++) {
        const struct spot copy = spot_element(&list, i);
        struct fit_operation *operation = &part->operations[i];
        struct fit_span *grown;

        if (!is_same_copy(&copy, operation))
            return spot_wrong(&copy, "the run before had another copy");
        if (operation->times == FIT_TIMES_MAX)
            return spot_wrong(&copy, "more than %d runs", FIT_TIMES_MAX);
        grown = realloc(operation->real.spans, (operation->times + 1) * sizeof *grown);
        if (!grown)
            return fit_no_memory(line);
        operation->real.spans = grown;
        operation->times++;
        if (!race_times(&copy, operation))
            return false;
    }
    return true;
}

/* ---- beside a kernel ------------------------------------------------------------------------- */

bool fit_beside_is(const json_t *line)
{
    return json_object_get(line, "way") && json_object_get(line, "kernel_end_ns");
}

bool fit_beside_read(const struct spot *line, struct fit_part *part)
{
    const struct spot times = spot_member(line, "event_ns");
    struct fit_operation *kernel, *copy;
    int64_t end;

    part->form = FIT_COPIES;
    if (!fit_number(line, "kernel_end_ns", 0, FIT_TIME_MAX, "a time in ns", &end) ||
        !fit_streams_own(line, part, 2) || !fit_operations_own(line, part, 2, "copy"))
        return false;
    kernel = &part->operations[0];
    copy = &part->operations[1];
    free(kernel->name);
    kernel->name = strdup("kernel");
    if (!kernel->name)
        return fit_no_memory(line);
    kernel->block_count = BESIDE_BLOCKS;
    kernel->thread_count = BESIDE_THREADS;
    kernel->spin_ns = BESIDE_NS;
    kernel->has_events = true;
    kernel->real.spans[0].end_ns = (double)end;
    copy->stream = 1;
    copy->pause_ns = BETWEEN_NS;
    return kind_read(line, copy) && size_read(line, copy) &&
           fit_span_of(&times, 2, 0, copy->real.spans);
}
