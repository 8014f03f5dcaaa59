/* SPDX-License-Identifier: MIT */
/* What the benchmarks take as additional_info. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config_spot.h"

#define DEFAULT_SPIN_NS    INT64_C(10000000)
#define DEFAULT_LOOPS      1000000
#define DURATION_NS_MAX    ((int64_t)(UINT64_MAX / GFE_PS_PER_NS - 1))
#define A_DURATION         "a duration in nanoseconds"
#define A_NUMBER_OF_LOOPS  "a number of loops"
#define A_NUMBER_OF_BLOCKS "a number of blocks"
#define A_THREAD_NUMBER    "a number of threads"

/* Room for that many actions; they are the benchmark's from here on. */
static bool actions_new(const struct spot *info, struct examiner_benchmark *benchmark, size_t count)
{
    struct examiner_reader *reader = info->reader;

    if (count > EXAMINER_ACTIONS_MAX - reader->action_count)
        return spot_wrong(info, "more than %d actions in all", EXAMINER_ACTIONS_MAX);
    benchmark->actions = calloc(count, sizeof benchmark->actions[0]);
    if (!benchmark->actions)
        return error_set(reader->error, ERROR_SYSTEM, "out of memory");
    benchmark->action_count = (uint32_t)count;
    reader->action_count += (uint32_t)count;
    return true;
}

void examiner_actions_free(struct examiner_benchmark *benchmark)
{
    for (uint32_t i = 0; i < benchmark->action_count; i++)
        free(benchmark->actions[i].label);
    free(benchmark->actions);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* How long it spins, in the unit of its kind. */
static bool spin_set(const struct spot *spot, struct examiner_kernel *kernel)
{
    int64_t value = 0;

    if (!spot_number(spot, 0, kernel->counts ? INT64_MAX : DURATION_NS_MAX,
                     kernel->counts ? A_NUMBER_OF_LOOPS : A_DURATION, &value))
        return false;
    if (kernel->counts)
        kernel->loops = (uint64_t)value;
    else
        kernel->duration_ps = (uint64_t)value * GFE_PS_PER_NS;
    return true;
}

/* The sizes for which the tool has a kernel, in 32-bit words. */
static bool shared_set(const struct spot *spot, bool may_be_none, struct examiner_kernel *kernel)
{
    int64_t words = 0;

    if (!spot_number(spot, 0, INT32_MAX, "a number of 32-bit words", &words))
        return false;
    if (words != 4096 && words != 8192 && words != 10240 && (words != 0 || !may_be_none))
        return spot_is_not(spot, may_be_none ? "0, 4096, 8192 or 10240" : "4096, 8192 or 10240");
    kernel->shared_bytes = (uint32_t)words * 4;
    return true;
}

static bool may_shared(const struct spot *object, struct examiner_kernel *kernel)
{
    const struct spot spot = spot_member(object, "shared_memory_size");

    return !spot.json || shared_set(&spot, true, kernel);
}

/* Without `needed` what is missing stays as it is. */
static bool dimensions_set(const struct spot *object, bool needed, struct examiner_kernel *kernel)
{
    const struct spot blocks = spot_member(object, "block_count");
    const struct spot threads = spot_member(object, "thread_count");

    return ((!needed && !blocks.json) ||
            spot_number32(&blocks, 1, INT32_MAX, A_NUMBER_OF_BLOCKS, &kernel->blocks)) &&
           ((!needed && !threads.json) ||
            spot_number32(&threads, 1, EXAMINER_THREADS_MAX, A_THREAD_NUMBER, &kernel->threads));
}

/* The one kernel of timer_spin and its like. */
static bool spin_read(const struct spot *info, struct examiner_benchmark *benchmark)
{
    struct examiner_kernel *kernel;

    if (!actions_new(info, benchmark, 1))
        return false;
    kernel = &benchmark->actions[0].kernel;
    kernel->counts = benchmark->kind == EXAMINER_COUNTER_SPIN;
    kernel->blocks = benchmark->blocks[0];
    kernel->threads = benchmark->threads[0];
    if (kernel->counts)
        kernel->loops = DEFAULT_LOOPS;
    else
        kernel->duration_ps = DEFAULT_SPIN_NS * GFE_PS_PER_NS;
    return !info->json || spin_set(info, kernel);
}

static bool shared_spin_read(const struct spot *info, struct examiner_benchmark *benchmark)
{
    static const char *const keys[] = {"duration", "shared_memory_size", NULL};
    struct examiner_kernel *kernel;
    struct spot duration, size;

    if (!spot_object(info, keys) || !actions_new(info, benchmark, 1))
        return false;
    kernel = &benchmark->actions[0].kernel;
    kernel->blocks = benchmark->blocks[0];
    kernel->threads = benchmark->threads[0];
    duration = spot_member(info, "duration");
    size = spot_member(info, "shared_memory_size");
    return spin_set(&duration, kernel) && shared_set(&size, false, kernel);
}

/* ---- multikernel ----------------------------------------------------------------------------- */

static bool multikernel_one(const struct spot *spot, struct examiner_action *action)
{
    static const char *const keys[] = {
        "kernel_label", "duration",      "block_count",    "thread_count",       "delay",
        "sm_mask",      "copy_in_count", "copy_out_count", "shared_memory_size", NULL};
    struct examiner_kernel *kernel = &action->kernel;
    struct spot label, duration;

    if (!spot_object(spot, keys))
        return false;
    label = spot_member(spot, "kernel_label");
    duration = spot_member(spot, "duration");
    return spot_string(&label, &action->label) && spin_set(&duration, kernel) &&
           dimensions_set(spot, true, kernel) &&
           spot_may_seconds(spot, "delay", &action->delay_ps) &&
           spot_may_mask(spot, "sm_mask", &kernel->sm_mask) && may_shared(spot, kernel) &&
           spot_may_words(spot, "copy_in_count", &kernel->copy_in_bytes) &&
           spot_may_words(spot, "copy_out_count", &kernel->copy_out_bytes);
}

static bool multikernel_read(const struct spot *info, struct examiner_benchmark *benchmark)
{
    size_t count;

    if (!spot_array(info, EXAMINER_ACTIONS_MAX, "a list of kernels", &count) ||
        !actions_new(info, benchmark, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot spot = spot_element(info, i);
        if (!multikernel_one(&spot, &benchmark->actions[i]))
            return false;
    }
    return true;
}

/* ---- stream_action --------------------------------------------------------------------------- */

/* A word of a table, which ends in NULL; its place in it. */
static bool word_find(const struct spot *spot, const char *const *words, const char *what,
                      unsigned *found)
{
    const char *text = json_string_value(spot->json);

    for (unsigned i = 0; text && words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *found = i;
            return true;
        }
    }
    return spot_is_not(spot, what);
}

static bool kernel_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"type",         "duration",           "block_count",
                                       "thread_count", "shared_memory_size", NULL};
    static const char *const types[] = {"timer_spin", "counter_spin", NULL};
    struct spot type, duration;
    unsigned counts = 0;

    if (!spot_object(parameters, keys))
        return false;
    type = spot_member(parameters, "type");
    if (type.json && !word_find(&type, types, "timer_spin or counter_spin", &counts))
        return false;
    action->kernel.counts = counts == 1;
    duration = spot_member(parameters, "duration");
    return spin_set(&duration, &action->kernel) &&
           dimensions_set(parameters, false, &action->kernel) &&
           may_shared(parameters, &action->kernel);
}

static bool malloc_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"size", "host", NULL};
    struct spot size;

    if (!spot_object(parameters, keys))
        return false;
    size = spot_member(parameters, "size");
    return spot_bytes(&size, &action->size_bytes) &&
           spot_may_bool(parameters, "host", &action->host);
}

static bool free_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"host", NULL};

    return !parameters->json ||
           (spot_object(parameters, keys) && spot_may_bool(parameters, "host", &action->host));
}

/* The size, and which of the two calls it is. */
static bool transfer_set(const struct spot *parameters, struct examiner_action *action)
{
    const struct spot size = spot_member(parameters, "size");
    bool async = true;

    if (!spot_bytes(&size, &action->size_bytes) || !spot_may_bool(parameters, "async", &async))
        return false;
    action->synchronous = !async;
    return true;
}

static bool memset_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"size", "async", NULL};

    return spot_object(parameters, keys) && transfer_set(parameters, action);
}

static bool memcpy_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"size", "async", "direction", NULL};
    static const char *const directions[] = {"hostToDevice", "deviceToHost", "deviceToDevice",
                                             NULL};
    struct spot direction;
    unsigned found = 0;

    if (!spot_object(parameters, keys) || !transfer_set(parameters, action))
        return false;
    direction = spot_member(parameters, "direction");
    if (!word_find(&direction, directions, "hostToDevice, deviceToHost or deviceToDevice", &found))
        return false;
    action->direction = (enum examiner_direction)found;
    return true;
}

static bool synchronize_action(const struct spot *parameters, struct examiner_action *action)
{
    static const char *const keys[] = {"device", NULL};

    return !parameters->json ||
           (spot_object(parameters, keys) && spot_may_bool(parameters, "device", &action->device));
}

static bool stream_action_one(const struct spot *spot, const struct examiner_benchmark *benchmark,
                              struct examiner_action *action)
{
    static const char *const keys[] = {"type", "label", "delay", "parameters", NULL};
    /* Both in the order of enum examiner_action_kind. */
    static const char *const types[] = {"kernel", "malloc",      "free", "memset",
                                        "memcpy", "synchronize", NULL};
    static bool (*const readers[])(const struct spot *, struct examiner_action *) = {
        kernel_action, malloc_action, free_action,
        memset_action, memcpy_action, synchronize_action};
    struct spot type, label, parameters;
    unsigned found = 0;

    if (!spot_object(spot, keys))
        return false;
    type = spot_member(spot, "type");
    label = spot_member(spot, "label");
    parameters = spot_member(spot, "parameters");
    if (!word_find(&type, types, "kernel, malloc, free, memset, memcpy or synchronize", &found) ||
        !spot_string(&label, &action->label) || !spot_may_seconds(spot, "delay", &action->delay_ps))
        return false;
    action->kind = (enum examiner_action_kind)found;
    if (action->kind == EXAMINER_KERNEL) {
        action->kernel.blocks = benchmark->blocks[0];
        action->kernel.threads = benchmark->threads[0];
    }
    return readers[found](&parameters, action);
}

static bool stream_action_read(const struct spot *info, struct examiner_benchmark *benchmark)
{
    static const char *const keys[] = {"use_null_stream", "actions", NULL};
    struct spot list;
    size_t count;

    if (!spot_object(info, keys) ||
        !spot_may_bool(info, "use_null_stream", &benchmark->null_stream))
        return false;
    list = spot_member(info, "actions");
    if (!spot_array(&list, EXAMINER_ACTIONS_MAX, "a list of actions", &count) ||
        !actions_new(&list, benchmark, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot spot = spot_element(&list, i);
        if (!stream_action_one(&spot, benchmark, &benchmark->actions[i]))
            return false;
    }
    return true;
}

bool examiner_actions_read(const struct spot *info, struct examiner_benchmark *benchmark)
{
    switch (benchmark->kind) {
    case EXAMINER_TIMER_SPIN_DEFAULT_STREAM:
        benchmark->null_stream = true;
        return spin_read(info, benchmark);
    case EXAMINER_TIMER_SPIN:
    case EXAMINER_COUNTER_SPIN:
        return spin_read(info, benchmark);
    case EXAMINER_SHAREDMEM_TIMER_SPIN:
        return shared_spin_read(info, benchmark);
    case EXAMINER_MULTIKERNEL:
        return multikernel_read(info, benchmark);
    case EXAMINER_STREAM_ACTION:
        return stream_action_read(info, benchmark);
    case EXAMINER_TASK_HOST:
    case EXAMINER_COSTED:
        break;
    }
    return true;
}
