/* SPDX-License-Identifier: MIT */
/* A measured experiment as a scenario. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/fit/experiment.h"

enum {
    DEFAULT_DYNAMIC_BYTES = 48 << 10, /* what CUDA allows a kernel unasked */
    STREAM_BYTES = 24,
    WARM_THREADS = 32,
    WARM_BYTES = 65536, /* a copy engine makes the copy */
};

static const double between_ns = 1e6; /* two experiments */
static const double warm_ns = 1e3;
static const double behind_ns = 20e3; /* a process behind the one before it */

static const char gate_event[] = "gate";
static const struct fit_stream gate_stream = {.name = (char *)(uintptr_t) "gate"};

bool fit_part_races(const struct fit_part *part)
{
    return part->gate_ns > 0 && part->form == FIT_COPIES;
}

static bool is_alone(const struct fit_experiment *experiment)
{
    return experiment->part_count == 1 && !*experiment->parts[0].name &&
           (experiment->parts[0].form == FIT_KERNELS || experiment->parts[0].form == FIT_COPIES);
}

uint32_t fit_experiment_prelude(const struct fit_experiment *experiment)
{
    const uint32_t gates = experiment->parts[0].gate_ns > 0;

    return !is_alone(experiment) ? 0 : (experiment->is_first ? 1 : 2) + gates;
}

static json_t *seconds(double ns)
{
    return json_real(ns * 1e-9);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* The streams of a process. */
struct streams_list {
    const struct fit_stream **streams; /* owned */
    uint32_t count;
};

static bool is_same_stream(const struct fit_stream *a, const struct fit_stream *b)
{
    return strcmp(a->name, b->name) == 0 && a->is_null == b->is_null &&
           a->is_blocking == b->is_blocking && a->priority == b->priority;
}

static bool streams_add(struct streams_list *list, const struct fit_stream *stream)
{
    const struct fit_stream **grown;

    for (uint32_t i = 0; i < list->count; i++)
        if (is_same_stream(list->streams[i], stream))
            return true;
    grown = realloc(list->streams, (list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->streams = grown;
    grown[list->count++] = stream;
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static json_t *launch_json(const struct fit_operation *operation)
{
    json_t *kernel = json_pack("{ss si si so}", "name", operation->name, "blocks",
                               (int)operation->block_count, "threads", (int)operation->thread_count,
                               operation->works ? "work" : "spin", seconds(operation->spin_ns));

    if (operation->shared_bytes > 0)
        kernel = json_text_set(kernel, "shared_memory",
                               json_integer((json_int_t)operation->shared_bytes));
    if (operation->shared_bytes > DEFAULT_DYNAMIC_BYTES)
        kernel = json_text_set(kernel, "max_dynamic_shared_memory",
                               json_integer((json_int_t)operation->shared_bytes));
    if (operation->cluster_blocks > 0)
        kernel = json_text_set(kernel, "cluster", json_integer(operation->cluster_blocks));
    if (operation->registers > 0)
        kernel = json_text_set(kernel, "registers", json_integer(operation->registers));
    return kernel;
}

static json_t *copy_json(const struct fit_operation *operation)
{
    static const char *const words[FIT_WAYS] = {"to device", "to host", "on device"};

    json_t *copy = json_pack("{sI ss}", "bytes", (json_int_t)operation->byte_count, "direction",
                             words[operation->way]);

    if (operation->is_pageable)
        copy = json_text_set(copy, "memory", json_string("pageable"));
    if (operation->rows > 0)
        copy = json_text_set(copy, "rows", json_integer(operation->rows));
    return copy;
}

/* Streams of one name, kind and priority are one: the name of a scenario's stream says all. */
static char *stream_name(char to[STREAM_BYTES], const struct streams_list *list,
                         const struct fit_stream *stream)
{
    uint32_t number = 0;

    while (number < list->count && !is_same_stream(list->streams[number], stream))
        number++;
    (void)snprintf(to, STREAM_BYTES, "s%u", number);
    return to;
}

static json_t *call_json(const struct streams_list *list, const struct fit_part *part,
                         const struct fit_operation *operation)
{
    const struct fit_stream *stream = &part->streams[operation->stream];
    char name[STREAM_BYTES];
    json_t *call;

    stream_name(name, list, stream);
    if (operation->is_set)
        return json_pack("{s{sI} ss}", "memset", "bytes", (json_int_t)operation->byte_count,
                         "stream", name);
    if (operation->is_copy)
        return json_pack("{so ss}", "copy", copy_json(operation), "stream", name);
    call = launch_json(operation);
    if (stream->sm_mask)
        call = json_text_set(call, "sm_mask", json_string(stream->sm_mask));
    return json_pack("{so ss}", "launch", call, "stream", name);
}

/* The shortest time between two calls of the part, or FIT_NEVER if the file does not say when they
 * were made. */
static double shortest_ns(const struct fit_part *part)
{
    double shortest = FIT_NEVER;

    for (uint32_t i = 1; i < part->operation_count; i++) {
        const double gap = part->operations[i].call_ns - part->operations[i - 1].call_ns;

        if (part->operations[i].call_ns == FIT_NEVER || gap < 0)
            return FIT_NEVER;
        if (shortest == FIT_NEVER || gap < shortest)
            shortest = gap;
    }
    return shortest;
}

/* When the call gives its operation to the GPU: at its end, which is when the next call is made
 * unless the program paused in between. */
static double given_ns(const struct fit_part *part, uint32_t index, double shortest)
{
    const double call = part->operations[index].call_ns;

    if (part->operations[index].given_ns > 0)
        return part->operations[index].given_ns;
    if (index + 1 < part->operation_count &&
        part->operations[index + 1].call_ns - call <= FIT_PAUSE_NS)
        return part->operations[index + 1].call_ns;
    return call + (shortest < FIT_PAUSE_NS ? shortest : 0);
}

/* The time that the program lets pass between the call before and this one; 0: the file does not
 * say it, and the calls are made one after the other. */
static double pause_ns(const struct fit_part *part, uint32_t index)
{
    const double shortest = shortest_ns(part);
    double pause;

    if (index == 0 || shortest == FIT_NEVER)
        return part->operations[index].pause_ns;
    pause = given_ns(part, index, shortest) - given_ns(part, index - 1, shortest) - FIT_CALL_NS;
    return pause > 0 ? pause : 0;
}

bool fit_experiment_is_timed(const struct fit_experiment *experiment)
{
    for (uint32_t i = 0; experiment->is_result && i < experiment->part_count; i++)
        if (shortest_ns(&experiment->parts[i]) != FIT_NEVER)
            return true;
    return is_alone(experiment) && shortest_ns(&experiment->parts[0]) != FIT_NEVER;
}

/* The event that a program records in front of a copy, or behind it. */
static json_t *record_json(const struct streams_list *list, const struct fit_part *part,
                           uint32_t index, const char *where)
{
    char name[STREAM_BYTES], event[STREAM_BYTES];

    (void)snprintf(event, sizeof event, "%s %u", where, index);
    return json_pack("{ss ss}", "record", event, "stream",
                     stream_name(name, list, &part->streams[part->operations[index].stream]));
}

/* The wait of an operation's stream for the end of the gate. */
static json_t *gate_wait_json(const struct streams_list *list, const struct fit_part *part,
                              uint32_t index)
{
    char name[STREAM_BYTES];

    return json_pack("{ss ss}", "wait", gate_event, "stream",
                     stream_name(name, list, &part->streams[part->operations[index].stream]));
}

/* Returns the list with the calls of a part. */
static json_t *calls_add(json_t *calls, const struct streams_list *list,
                         const struct fit_part *part)
{
    for (uint32_t i = 0; i < part->operation_count; i++) {
        const double pause = pause_ns(part, i);

        if (pause > 0)
            calls = json_text_append(calls, json_pack("{so}", "sleep", seconds(pause)));
        if (fit_part_races(part))
            calls = json_text_append(calls, gate_wait_json(list, part, i));
        if (part->operations[i].has_events)
            calls = json_text_append(calls, record_json(list, part, i, "before"));
        calls = json_text_append(calls, call_json(list, part, &part->operations[i]));
        if (part->operations[i].has_events)
            calls = json_text_append(calls, record_json(list, part, i, "after"));
    }
    return calls;
}

static json_t *wait_and_sleep(json_t *calls, const char *what, double sleep_ns)
{
    calls = json_text_append(calls, json_pack("{ss}", "synchronize", what));
    return sleep_ns > 0 ? json_text_append(calls, json_pack("{so}", "sleep", seconds(sleep_ns)))
                        : calls;
}

/* ---- processes ------------------------------------------------------------------------------- */

static json_t *stream_json(const struct streams_list *list, const struct fit_stream *stream)
{
    char name[STREAM_BYTES];
    json_t *json = json_pack("{ss ss}", "name", stream_name(name, list, stream), "kind",
                             stream->is_null       ? "null"
                             : stream->is_blocking ? "blocking"
                                                   : "non-blocking");

    if (stream->priority < 0)
        json = json_text_set(json, "priority", json_integer(-stream->priority));
    return json;
}

/* Releases the calls. */
static json_t *process_json(const struct streams_list *list, const char *name, double share_percent,
                            double release_ns, uint32_t iterations, json_t *calls)
{
    json_t *streams = json_array(), *process;

    for (uint32_t i = 0; i < list->count; i++)
        streams = json_text_append(streams, stream_json(list, list->streams[i]));
    process = json_pack("{ss so s[{ss so si so}]}", "name", name, "streams", streams, "tasks",
                        "name", name, "release", seconds(release_ns), "iterations", (int)iterations,
                        "calls", calls);
    if (share_percent > 0)
        process = json_text_set(process, "mps_thread_percentage", json_real(share_percent));
    return process;
}

static bool part_streams(struct streams_list *list, const struct fit_part *part)
{
    for (uint32_t i = 0; i < part->stream_count; i++)
        if (!streams_add(list, &part->streams[i]))
            return false;
    return true;
}

/* A kernel that is launched, and waited for, before anything is measured. */
static json_t *prelude_json(json_t *calls, const struct streams_list *list, uint32_t blocks)
{
    char name[STREAM_BYTES];
    const struct fit_operation kernel = {.name = (char *)(uintptr_t) "before",
                                         .block_count = blocks,
                                         .thread_count = WARM_THREADS,
                                         .spin_ns = warm_ns};

    calls = json_text_append(calls, json_pack("{so ss}", "launch", launch_json(&kernel), "stream",
                                              stream_name(name, list, list->streams[0])));
    return wait_and_sleep(calls, "device", between_ns);
}

/* What the part's streams have copied before anything is measured: their events go that way
 * (CUDA.EVENT_CHANNEL). */
static json_t *last_copies_json(json_t *calls, const struct streams_list *list)
{
    bool any = false;

    for (uint32_t i = 0; i < list->count; i++) {
        const struct fit_stream *stream = list->streams[i];
        char name[STREAM_BYTES];
        const struct fit_operation copy = {.byte_count = WARM_BYTES,
                                           .way = stream->has_copied_to_host ? FIT_TO_HOST
                                                                             : FIT_TO_DEVICE};

        if (!stream->has_copied)
            continue;
        calls = json_text_append(calls, json_pack("{so ss}", "copy", copy_json(&copy), "stream",
                                                  stream_name(name, list, stream)));
        any = true;
    }
    return any ? wait_and_sleep(calls, "device", between_ns) : calls;
}

/* The kernel that holds back all streams of a part.  That of kernels is in their stream; that of
 * copies is in a stream of its own, and the others wait for the event behind it. */
static json_t *gate_json(json_t *calls, const struct streams_list *list,
                         const struct fit_part *part)
{
    const struct fit_operation kernel = {.name = (char *)(uintptr_t) "gate",
                                         .block_count = 1,
                                         .thread_count = WARM_THREADS,
                                         .spin_ns = part->gate_ns};
    char name[STREAM_BYTES];

    stream_name(name, list, fit_part_races(part) ? &gate_stream : &part->streams[0]);
    calls = json_text_append(calls,
                             json_pack("{so ss}", "launch", launch_json(&kernel), "stream", name));
    if (!fit_part_races(part))
        return calls;
    return json_text_append(calls, json_pack("{ss ss}", "record", gate_event, "stream", name));
}

/* The process of an experiment that has one. */
static json_t *alone_json(const struct fit_experiment *experiment, const struct nv_chip *model)
{
    static const struct fit_stream null = {.name = (char *)(uintptr_t) "NULL", .is_null = true};
    const struct fit_part *part = &experiment->parts[0];
    struct streams_list list = {0};
    json_t *calls = streams_add(&list, &null) && part_streams(&list, part) &&
                            (!fit_part_races(part) || streams_add(&list, &gate_stream))
                        ? json_array()
                        : NULL;
    json_t *process;

    if (calls)
        calls = prelude_json(calls, &list, 1);
    if (calls && !experiment->is_first)
        calls = prelude_json(calls, &list, model->sm_count);
    if (calls)
        calls = last_copies_json(calls, &list);
    if (calls && part->gate_ns > 0)
        calls = gate_json(calls, &list, part);
    if (calls)
        calls = calls_add(calls, &list, part);
    if (calls && part->operations[0].times > 1)
        calls = wait_and_sleep(calls, "device", between_ns);
    process =
        process_json(&list, "program", part->share_percent, 0, part->operations[0].times, calls);
    free(list.streams);
    return process;
}

/* One of several processes. */
static json_t *part_json(const struct fit_part *part, double release_ns)
{
    struct streams_list list = {0};
    json_t *calls = part_streams(&list, part) ? json_array() : NULL, *process;

    calls = calls_add(calls, &list, part);
    if (part->waits)
        calls = wait_and_sleep(calls, "stream", part->sleep_ns);
    process = process_json(&list, *part->name ? part->name : "program", part->share_percent,
                           release_ns, part->operations[0].times, calls);
    free(list.streams);
    return process;
}

/* When the part's first operation began, if that can be compared with the other parts' times. */
static double began_ns(const struct fit_part *part)
{
    return part->form == FIT_SHARE || part->form == FIT_STREAM
               ? part->operations[0].real.spans[0].begin_ns
               : FIT_NEVER;
}

/* The number of processes that were on the GPU before that one. */
static uint32_t earlier_parts(const struct fit_experiment *experiment, uint32_t index)
{
    const double begin = began_ns(&experiment->parts[index]);
    uint32_t count = 0;

    for (uint32_t i = 0; begin != FIT_NEVER && i < experiment->part_count; i++)
        count +=
            began_ns(&experiment->parts[i]) != FIT_NEVER && began_ns(&experiment->parts[i]) < begin;
    return count;
}

/* When the part's process begins: by its first call if the file says when that was, else by the
 * number of processes that were on the GPU before. */
static double release_ns(const struct fit_experiment *experiment, uint32_t index)
{
    double first = experiment->parts[index].operations[0].call_ns;

    if (!experiment->is_result)
        return behind_ns * earlier_parts(experiment, index);
    for (uint32_t i = 0; i < experiment->part_count; i++)
        if (experiment->parts[i].operations[0].call_ns < first)
            first = experiment->parts[i].operations[0].call_ns;
    return experiment->parts[index].operations[0].call_ns - first;
}

char *fit_experiment_scenario(const struct fit_experiment *experiment, const struct nv_chip *model)
{
    json_t *processes = json_array(), *json;
    char *text;

    if (is_alone(experiment))
        processes = json_text_append(processes, alone_json(experiment, model));
    for (uint32_t i = 0; !is_alone(experiment) && i < experiment->part_count; i++)
        processes = json_text_append(processes,
                                     part_json(&experiment->parts[i], release_ns(experiment, i)));
    json = json_pack("{si ss so}", "gfe_scenario", 1, "name", experiment->name, "processes",
                     processes);
    if (experiment->mps)
        json = json_text_set(json, "mps", json_true());
    text = json_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}
