/* SPDX-License-Identifier: MIT */
/* Lines of measurements: what a process asked of the GPU, and what happened. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

enum {
    THREADS_MAX = 1024,
    SHARED_MAX = 1 << 20,
    REGISTERS_MAX = 255,
    SMS_MAX = 4096,
    SHARE_THREADS = 1024, /* of a watched block, where the line does not say */
    LATENCY_THREADS = 32, /* of the kernel of FIT_LATENCY and of FIT_STREAM */
    LATENCY_BYTES = 4096,
};

static const double latency_spin_ns = 1000;
static const int64_t time_max = INT64_MAX / 4;

static bool no_memory(const struct spot *spot)
{
    return error_set_errno(spot->reader->error, ENOMEM, "%s", spot->reader->name);
}

static void *room(const struct spot *spot, size_t count, size_t bytes)
{
    void *made = calloc(count ? count : 1, bytes);

    if (!made)
        (void)no_memory(spot);
    return made;
}

static bool number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
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

static bool string(const struct spot *object, const char *key, char **copy)
{
    const struct spot spot = spot_member(object, key);

    return spot_string(&spot, copy);
}

/* A time of the array, in ns from `base` on. */
static bool time_of(const struct spot *array, size_t index, int64_t base, double *ns)
{
    const struct spot spot = spot_element(array, index);
    int64_t value;

    if (!spot_number(&spot, -time_max, time_max, "a time in ns", &value))
        return false;
    *ns = (double)(value - base);
    return true;
}

/* The array [begin, end, ...] of `size` numbers. */
static bool span_of(const struct spot *array, size_t size, int64_t base, struct fit_span *span)
{
    if (json_array_size(array->json) != size)
        return spot_is_not(array, size == 2 ? "begin and end" : "begin, end and SM");
    return time_of(array, 0, base, &span->begin_ns) && time_of(array, 1, base, &span->end_ns) &&
           (span->end_ns >= span->begin_ns || spot_wrong(array, "it ends before it begins"));
}

/* ---- streams --------------------------------------------------------------------------------- */

static bool stream_is_null(const char *name)
{
    return strcmp(name, "NULL") == 0;
}

/* The number of the stream of that name, which is added if it is new. */
static bool stream_of(const struct spot *object, struct fit_part *part, uint32_t *number_of)
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
        return no_memory(&spot);
    part->streams = grown;
    grown[part->stream_count] = (struct fit_stream){.is_null = stream_is_null(name)};
    if (!spot_string(&spot, &grown[part->stream_count].name))
        return false;
    part->stream_count++;
    return true;
}

/* The one stream of a part whose line names none: the program's NULL stream. */
static bool stream_null(const struct spot *line, struct fit_part *part)
{
    part->streams = room(line, 1, sizeof part->streams[0]);
    if (!part->streams)
        return false;
    part->streams[0] = (struct fit_stream){.name = strdup("NULL"), .is_null = true};
    part->stream_count = part->streams[0].name ? 1 : 0;
    return part->stream_count == 1 || no_memory(line);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool blocks_read(const struct spot *kernel, struct fit_operation *operation)
{
    const struct spot list = spot_member(kernel, "blocks");
    struct fit_span *span = room(kernel, 1, sizeof *span);
    size_t count;

    operation->real.spans = span;
    if (!span || !spot_array(&list, FIT_BLOCKS_MAX, "a list of blocks", &count))
        return false;
    operation->real.blocks = room(kernel, count, sizeof operation->real.blocks[0]);
    if (!operation->real.blocks)
        return false;
    operation->block_count = (uint32_t)count;
    operation->blocks_seen = true;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i), sm = spot_element(&element, 2);
        struct fit_block *block = &operation->real.blocks[i];
        struct fit_span seen;

        if (!span_of(&element, 3, 0, &seen) || !spot_number32(&sm, 0, SMS_MAX, "an SM", &block->sm))
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

/* What the kernel needs; members that are missing leave what is there. */
static bool shape_read(const struct spot *object, struct fit_operation *operation)
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

static bool kernel_read(const struct spot *kernel, struct fit_part *part,
                        struct fit_operation *operation)
{
    const struct spot threads = spot_member(kernel, "threads");
    int64_t spin, call = -1;

    operation->times = 1;
    if (!threads.json)
        return spot_is_not(&threads, "a number of threads");
    if (!string(kernel, "name", &operation->name) || !stream_of(kernel, part, &operation->stream) ||
        !shape_read(kernel, operation) ||
        !number(kernel, "spin_ns", 0, time_max, "a time in ns", &spin) ||
        !fit_may_number(kernel, "host_ns", 0, time_max, "a time in ns", &call))
        return false;
    operation->spin_ns = (double)spin;
    operation->call_ns = call < 0 ? FIT_NEVER : (double)call;
    return blocks_read(kernel, operation);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static bool way_of(const struct spot *spot, enum fit_way *way)
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
    operation->real.spans = room(copy, 1, sizeof operation->real.spans[0]);
    if (!operation->real.spans || !string(copy, "name", &operation->name) ||
        !stream_of(copy, part, &operation->stream) ||
        !number(copy, "bytes", 1, time_max, "a number of bytes", &bytes) ||
        !span_of(&times, 2, 0, operation->real.spans))
        return false;
    operation->byte_count = (uint64_t)bytes;
    operation->way = way_by_name(operation->name);
    return !way.json || way_of(&way, &operation->way);
}

/* ---- a kernel that is watched ---------------------------------------------------------------- */

static bool gap_read(const struct spot *gap, int64_t base, struct fit_seen *seen, double *last,
                     bool is_first)
{
    struct fit_span span;

    if (!span_of(gap, 2, base, &span))
        return false;
    if (span.begin_ns < *last)
        return spot_wrong(gap, "it begins before the one in front of it ends");
    /* The piece before the first gap began with the block, not with a turn. */
    if ((!is_first && !fit_series_add(&seen->runs, span.begin_ns - *last)) ||
        !fit_series_add(&seen->stands, span.end_ns - span.begin_ns))
        return no_memory(gap);
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

    if (!number(watched, "block", 0, FIT_BLOCKS_MAX - 1, "a block's number", &block) ||
        !number(watched, "start", -time_max, time_max, "a time in ns", &start) ||
        !number(watched, "end", start, time_max, "a time in ns, not before the start", &end))
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
    int64_t blocks, ms;
    size_t count;

    part->form = FIT_SHARE;
    operation->thread_count = SHARE_THREADS;
    operation->times = 1;
    if (!number(line, "blocks", 1, FIT_BLOCKS_MAX, "a number of blocks", &blocks) ||
        !number(line, "ms", 1, 100000, "a time in ms", &ms) || !shape_read(line, operation) ||
        !spot_array(&list, 4096, "a list of watched blocks", &count))
        return false;
    operation->block_count = (uint32_t)blocks;
    operation->spin_ns = (double)ms * 1e6;
    operation->watched_count = (uint32_t)count;
    operation->watched = room(line, count, sizeof operation->watched[0]);
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
    int64_t spin;
    size_t count;

    part->form = FIT_STREAM;
    operation->block_count = 1;
    operation->thread_count = LATENCY_THREADS;
    if (!number(line, "spin_ns", 0, time_max, "a time in ns", &spin) ||
        !spot_array(&list, FIT_TIMES_MAX, "a list of kernels", &count))
        return false;
    free(operation->real.spans);
    operation->spin_ns = (double)spin;
    operation->times = (uint32_t)count;
    operation->real.spans = room(line, count, sizeof operation->real.spans[0]);
    if (!operation->real.spans)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot kernel = spot_element(&list, i);

        if (!span_of(&kernel, 2, base, &operation->real.spans[i]))
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
    if (!number(line, "bytes", 1, time_max, "a number of bytes", &bytes) ||
        (way.json && !way_of(&way, &operation->way)) ||
        !spot_array(&list, FIT_TIMES_MAX, "a list of times", &count))
        return false;
    free(operation->real.spans);
    operation->byte_count = (uint64_t)bytes;
    operation->times = (uint32_t)count;
    operation->real.spans = room(line, count, sizeof operation->real.spans[0]);
    if (!operation->real.spans)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct fit_span *span = &operation->real.spans[i];

        if (!time_of(&list, i, 0, &span->end_ns))
            return false;
        span->begin_ns = last;
        last = span->end_ns;
    }
    return true;
}

static bool latency_read(const struct spot *line, struct fit_part *part)
{
    const struct spot list = spot_member(line, "host_ns"), of = spot_member(line, "of");
    struct fit_operation *operation = part->operations;
    const char *word = json_string_value(of.json);
    size_t count;

    part->form = FIT_LATENCY;
    operation->is_copy = word && strcmp(word, "copy") == 0;
    if (!operation->is_copy && (!word || strcmp(word, "kernel") != 0))
        return spot_is_not(&of, "\"copy\" or \"kernel\"");
    operation->byte_count = LATENCY_BYTES;
    operation->block_count = 1;
    operation->thread_count = LATENCY_THREADS;
    operation->spin_ns = latency_spin_ns;
    if (!spot_array(&list, FIT_TIMES_MAX, "a list of times", &count))
        return false;
    operation->times = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        double took;

        if (!time_of(&list, i, 0, &took))
            return false;
        if (!fit_series_add(&operation->real.took, took))
            return no_memory(line);
    }
    return true;
}

/* A part with one operation in the NULL stream, by the members that its line has. */
static bool single_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    struct fit_operation *operation = room(line, 1, sizeof *operation);

    part->operations = operation;
    if (!operation)
        return false;
    part->operation_count = 1;
    operation->call_ns = FIT_NEVER;
    operation->name = strdup(part->name);
    operation->real.spans = room(line, 1, sizeof operation->real.spans[0]);
    if (!operation->name)
        return no_memory(line);
    if (!operation->real.spans || !stream_null(line, part))
        return false;
    if (spot_member(line, "watched").json)
        return share_read(line, base, part);
    if (spot_member(line, "done_ns").json)
        return pieces_read(line, part);
    if (spot_member(line, "kernels").json)
        return stream_read(line, base, part);
    return latency_read(line, part);
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
    part->operations = room(line, count, sizeof part->operations[0]);
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

bool fit_line_is_known(const json_t *line)
{
    return kernels_are_objects(line) || json_object_get(line, "copies") ||
           (json_object_get(line, "watched") && json_object_get(line, "ms")) ||
           (json_object_get(line, "process") &&
            (json_object_get(line, "done_ns") || json_object_get(line, "kernels") ||
             (json_object_get(line, "of") && json_object_get(line, "host_ns"))));
}

bool fit_line_read(const struct spot *line, int64_t base, struct fit_part *part)
{
    const struct spot process = spot_member(line, "process");

    if (process.json && !spot_string(&process, &part->name))
        return false;
    if (!process.json && !(part->name = strdup("")))
        return no_memory(line);
    if (kernels_are_objects(line->json))
        return list_read(line, "kernels", part);
    if (json_object_get(line->json, "copies"))
        return list_read(line, "copies", part);
    return single_read(line, base, part);
}

int64_t fit_line_first(const json_t *line)
{
    const json_t *watched = json_array_get(json_object_get(line, "watched"), 0);
    const json_t *kernel = json_array_get(json_object_get(line, "kernels"), 0);
    const json_t *first = watched ? json_object_get(watched, "start") : json_array_get(kernel, 0);

    return json_is_integer(first) ? json_integer_value(first) : INT64_MAX;
}
