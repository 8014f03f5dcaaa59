/* SPDX-License-Identifier: MIT */
/* Lines of measurements: what a process asked of the GPU, and what happened. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum { DETAIL_BYTES = 300 };

/* ---- kernels --------------------------------------------------------------------------------- */

static bool blocks_read(const struct spot *kernel, struct fit_operation *operation)
{
    const struct spot list = spot_member(kernel, "blocks");
    struct fit_span *span = fit_room(kernel, 1, sizeof *span);
    size_t count;

    operation->real.spans = span;
    if (!span || !spot_array(&list, FIT_BLOCKS_MAX, "a list of blocks", &count))
        return false;
    operation->real.blocks = fit_room(kernel, count, sizeof operation->real.blocks[0]);
    if (!operation->real.blocks)
        return false;
    operation->block_count = (uint32_t)count;
    operation->blocks_seen = true;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i), sm = spot_element(&element, 2);
        struct fit_block *block = &operation->real.blocks[i];
        struct fit_span seen;

        if (!fit_span_of(&element, 3, 0, &seen) ||
            !spot_number32(&sm, 0, FIT_SMS_MAX, "an SM", &block->sm))
            return false;
        block->begin_ns = seen.begin_ns;
        block->end_ns = seen.end_ns;
        if (i == 0 || seen.begin_ns < span->begin_ns)
            span->begin_ns = seen.begin_ns;
        if (i == 0 || seen.end_ns > span->end_ns)
            span->end_ns = seen.end_ns;
    }
    return true;
}

static bool kernel_read(const struct spot *kernel, struct fit_part *part,
                        struct fit_operation *operation)
{
    const struct spot threads = spot_member(kernel, "threads");
    int64_t spin, call = -1;

    operation->times = 1;
    if (!threads.json)
        return spot_is_not(&threads, "a number of threads");
    if (!fit_string(kernel, "name", &operation->name) ||
        !fit_stream_of(kernel, part, &operation->stream) || !fit_shape_read(kernel, operation) ||
        !fit_number(kernel, "spin_ns", 0, FIT_TIME_MAX, "a time in ns", &spin) ||
        !fit_may_number(kernel, "host_ns", 0, FIT_TIME_MAX, "a time in ns", &call))
        return false;
    operation->spin_ns = (double)spin;
    operation->call_ns = call < 0 ? FIT_NEVER : (double)call;
    return blocks_read(kernel, operation);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Files of before lines had "way" say it by the beginning of the copy's name. */
static enum fit_way way_by_name(const char *name)
{
    return strncmp(name, "d2h", 3) == 0   ? FIT_TO_HOST
           : strncmp(name, "d2d", 3) == 0 ? FIT_ON_DEVICE
                                          : FIT_TO_DEVICE;
}

static bool copy_read(const struct spot *copy, struct fit_part *part,
                      struct fit_operation *operation)
{
    const struct spot times = spot_member(copy, "event_ns"), way = spot_member(copy, "way");
    int64_t bytes;

    operation->times = 1;
    operation->is_copy = operation->has_events = true;
    operation->call_ns = FIT_NEVER;
    operation->real.spans = fit_room(copy, 1, sizeof operation->real.spans[0]);
    if (!operation->real.spans || !fit_string(copy, "name", &operation->name) ||
        !fit_stream_of(copy, part, &operation->stream) ||
        !fit_number(copy, "bytes", 1, FIT_TIME_MAX, "a number of bytes", &bytes) ||
        !fit_span_of(&times, 2, 0, operation->real.spans))
        return false;
    operation->byte_count = (uint64_t)bytes;
    operation->way = way_by_name(operation->name);
    return !way.json || fit_way_of(&way, &operation->way);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A list of kernels or of copies, each an object. */
static bool list_read(const struct spot *line, const char *key, struct fit_part *part)
{
    const struct spot list = spot_member(line, key);
    size_t count;

    part->form = strcmp(key, "copies") == 0 ? FIT_COPIES : FIT_KERNELS;
    if (!spot_array(&list, FIT_OPERATIONS_MAX, "a list of operations", &count))
        return false;
    part->operations = fit_room(line, count, sizeof part->operations[0]);
    if (!part->operations)
        return false;
    part->operation_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);
        const bool good = part->form == FIT_COPIES
                              ? copy_read(&element, part, &part->operations[i])
                              : kernel_read(&element, part, &part->operations[i]);

        if (!good)
            return false;
    }
    return true;
}

static bool kernels_are_objects(const json_t *line)
{
    return json_is_object(json_array_get(json_object_get(line, "kernels"), 0));
}

/* The forms that a single member or two tell. */
static const struct {
    bool (*is)(const json_t *line);
    bool (*read)(const struct spot *line, struct fit_part *part);
} forms[] = {{fit_chain_is, fit_chain_read},
             {fit_placed_is, fit_placed_read},
             {fit_repeat_is, fit_repeat_read},
             {fit_race_is, fit_race_read},
             {fit_beside_is, fit_beside_read}};

enum { FORMS = sizeof forms / sizeof forms[0] };

bool fit_line_is_known(const json_t *line)
{
    if (fit_round_is(line))
        return fit_round_is_known(line);
    for (uint32_t i = 0; i < FORMS && !json_object_get(line, "process"); i++)
        if (forms[i].is(line))
            return true;
    return kernels_are_objects(line) || json_object_get(line, "copies") ||
           (json_object_get(line, "watched") && json_object_get(line, "ms")) ||
           fit_process_is(line);
}

/* The name of the process; in a round with what it does. */
static bool name_read(const struct spot *line, struct fit_part *part)
{
    const struct spot process = spot_member(line, "process"), of = spot_member(line, "of");

    if (!process.json)
        part->name = strdup("");
    else if (!spot_string(&process, &part->name))
        return false;
    else if (fit_round_is(line->json))
        return fit_name_append(&of, &part->name);
    return part->name || fit_no_memory(line);
}

bool fit_line_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    if (!name_read(line, part))
        return false;
    for (uint32_t i = 0; i < FORMS && !json_object_get(line->json, "process"); i++)
        if (forms[i].is(line->json))
            return forms[i].read(line, part);
    if (kernels_are_objects(line->json))
        return list_read(line, "kernels", part);
    if (json_object_get(line->json, "copies"))
        return list_read(line, "copies", part);
    return fit_process_read(line, base, part);
}

/* Appends what the line says of a member, in words. */
static void tell(char text[DETAIL_BYTES], const json_t *value, const char *before,
                 const char *after)
{
    const size_t used = strlen(text);
    const char *comma = used ? ", " : "";

    if (json_is_string(value))
        (void)snprintf(text + used, DETAIL_BYTES - used, "%s%s%.60s%s", comma, before,
                       json_string_value(value), after);
    else if (json_is_integer(value) || json_is_array(value))
        (void)snprintf(text + used, DETAIL_BYTES - used, "%s%s%lld%s", comma, before,
                       json_is_array(value) ? (long long)json_array_size(value)
                                            : (long long)json_integer_value(value),
                       after);
}

char *fit_line_detail(const json_t *line)
{
    static const struct {
        const char *key, *before, *after;
    } told[] = {{"name", "", ""},
                {"way", "", ""},
                {"bytes", "", " bytes"},
                {"height", "", " rows"},
                {"width", "", " bytes wide"},
                {"first_sms", "first: ", " blocks"},
                {"first_threads", "", " threads each"},
                {"sms", "", " blocks"},
                {"blocks", "", " blocks"},
                {"threads", "", " threads each"},
                {"shared", "", " bytes of shared memory"},
                {"cluster", "clusters of ", ""},
                {"spin_ns", "spin ", " ns"}};
    char text[DETAIL_BYTES] = "";

    if (fit_round_is(line))
        tell(text, json_object_get(line, "round"), "round ", "");
    else if (!json_object_get(line, "process"))
        for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
            tell(text, json_object_get(line, told[i].key), told[i].before, told[i].after);
    return *text ? strdup(text) : NULL;
}

int64_t fit_line_first(const json_t *line)
{
    const json_t *watched = json_array_get(json_object_get(line, "watched"), 0);
    const json_t *kernel = json_array_get(json_object_get(line, "kernels"), 0);
    const json_t *first = watched ? json_object_get(watched, "start") : json_array_get(kernel, 0);

    return json_is_integer(first) ? json_integer_value(first) : INT64_MAX;
}
