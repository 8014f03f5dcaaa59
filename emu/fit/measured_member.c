/* SPDX-License-Identifier: MIT */
/* Members that lines of several forms have. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum {
    THREADS_MAX = 1024,
    SHARED_MAX = 1 << 20,
    REGISTERS_MAX = 255,
    NAME_BYTES = 32,
};

bool fit_no_memory(const struct spot *spot)
{
    return error_set_errno(spot->reader->error, ENOMEM, "%s", spot->reader->name);
}

void *fit_room(const struct spot *spot, size_t count, size_t bytes)
{
    void *made = calloc(count ? count : 1, bytes);

    if (!made)
        (void)fit_no_memory(spot);
    return made;
}

bool fit_number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
                const char *what, int64_t *value)
{
    const struct spot spot = spot_member(object, key);

    return spot_number(&spot, lowest, highest, what, value);
}

bool fit_may_number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
                    const char *what, int64_t *value)
{
    const struct spot spot = spot_member(object, key);

    return !spot.json || spot_number(&spot, lowest, highest, what, value);
}

bool fit_string(const struct spot *object, const char *key, char **copy)
{
    const struct spot spot = spot_member(object, key);

    return spot_string(&spot, copy);
}

bool fit_name_append(const struct spot *spot, char **name)
{
    const char *text = json_string_value(spot->json);
    char *grown;

    if (!text)
        return spot_is_not(spot, "a text");
    grown = realloc(*name, strlen(*name) + strlen(text) + 2);
    if (!grown)
        return fit_no_memory(spot);
    strcat(strcat(grown, " "), text);
    *name = grown;
    return true;
}

bool fit_time_of(const struct spot *array, size_t index, int64_t base, double *ns)
{
    const struct spot spot = spot_element(array, index);
    int64_t value;

    if (!spot_number(&spot, -FIT_TIME_MAX, FIT_TIME_MAX, "a time in ns", &value))
        return false;
    *ns = (double)(value - base);
    return true;
}

bool fit_span_of(const struct spot *array, size_t size, int64_t base, struct fit_span *span)
{
    if (json_array_size(array->json) != size)
        return spot_is_not(array, size == 2 ? "begin and end" : "begin, end and SM");
    return fit_time_of(array, 0, base, &span->begin_ns) &&
           fit_time_of(array, 1, base, &span->end_ns) &&
           (span->end_ns >= span->begin_ns || spot_wrong(array, "it ends before it begins"));
}

/* ---- what is asked of the GPU ---------------------------------------------------------------- */

bool fit_shape_read(const struct spot *object, struct fit_operation *operation)
{
    int64_t threads = operation->thread_count, shared = (int64_t)operation->shared_bytes;
    int64_t registers = operation->registers, cluster = operation->cluster_blocks;

    if (!fit_may_number(object, "threads", 1, THREADS_MAX, "a number of threads", &threads) ||
        !fit_may_number(object, "shared", 0, SHARED_MAX, "a number of bytes", &shared) ||
        !fit_may_number(object, "registers", 0, REGISTERS_MAX, "a number of registers",
                        &registers) ||
        !fit_may_number(object, "cluster", 1, 16, "a number of blocks in a cluster", &cluster))
        return false;
    operation->thread_count = (uint32_t)threads;
    operation->shared_bytes = (uint64_t)shared;
    operation->registers = (uint32_t)registers;
    operation->cluster_blocks = (uint32_t)cluster;
    return true;
}

bool fit_way_of(const struct spot *spot, enum fit_way *way)
{
    static const char *const words[FIT_WAYS] = {"to device", "to host", "on device"};
    const char *text = json_string_value(spot->json);

    for (uint32_t i = 0; text && i < FIT_WAYS; i++)
        if (strcmp(text, words[i]) == 0) {
            *way = (enum fit_way)i;
            return true;
        }
    return spot_is_not(spot, "\"to device\", \"to host\" or \"on device\"");
}

/* ---- streams --------------------------------------------------------------------------------- */

static bool stream_is_null(const char *name)
{
    return strcmp(name, "NULL") == 0;
}

bool fit_stream_of(const struct spot *object, struct fit_part *part, uint32_t *number_of)
{
    const struct spot spot = spot_member(object, "stream");
    const char *name = json_string_value(spot.json);
    struct fit_stream *grown;

    if (!name)
        return spot_is_not(&spot, "the name of a stream");
    for (*number_of = 0; *number_of < part->stream_count; ++*number_of)
        if (strcmp(part->streams[*number_of].name, name) == 0)
            return true;
    if (part->stream_count == FIT_STREAMS_MAX)
        return spot_wrong(&spot, "more than %d streams", FIT_STREAMS_MAX);
    grown = realloc(part->streams, (part->stream_count + 1) * sizeof *grown);
    if (!grown)
        return fit_no_memory(&spot);
    part->streams = grown;
    grown[part->stream_count] = (struct fit_stream){.is_null = stream_is_null(name)};
    if (!spot_string(&spot, &grown[part->stream_count].name))
        return false;
    part->stream_count++;
    return true;
}

bool fit_stream_null(const struct spot *line, struct fit_part *part)
{
    part->streams = fit_room(line, 1, sizeof part->streams[0]);
    if (!part->streams)
        return false;
    part->streams[0] = (struct fit_stream){.name = strdup("NULL"), .is_null = true};
    part->stream_count = part->streams[0].name ? 1 : 0;
    return part->stream_count == 1 || fit_no_memory(line);
}

bool fit_streams_own(const struct spot *line, struct fit_part *part, uint32_t count)
{
    part->streams = fit_room(line, count, sizeof part->streams[0]);
    if (!part->streams)
        return false;
    for (; part->stream_count < count; part->stream_count++) {
        char name[NAME_BYTES];

        (void)snprintf(name, sizeof name, "s%u", part->stream_count + 1);
        part->streams[part->stream_count].name = strdup(name);
        if (!part->streams[part->stream_count].name)
            return fit_no_memory(line);
    }
    return true;
}

bool fit_operations_own(const struct spot *line, struct fit_part *part, uint32_t count,
                        const char *what)
{
    part->operations = fit_room(line, count, sizeof part->operations[0]);
    if (!part->operations)
        return false;
    for (; part->operation_count < count; part->operation_count++) {
        struct fit_operation *operation = &part->operations[part->operation_count];
        char name[NAME_BYTES];

        if (count > 1)
            (void)snprintf(name, sizeof name, "%s %u", what, part->operation_count + 1);
        operation->times = 1;
        operation->call_ns = FIT_NEVER;
        operation->name = strdup(count > 1 ? name : what);
        operation->real.spans = calloc(1, sizeof operation->real.spans[0]);
        if (!operation->name || !operation->real.spans) {
            part->operation_count++;
            return fit_no_memory(line);
        }
    }
    return true;
}
