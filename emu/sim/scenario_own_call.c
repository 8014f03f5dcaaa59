/* SPDX-License-Identifier: MIT */
/* What a task of gfe's own scenarios does: docs/scenario.schema.json. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "devices/core/dispatch_turns.h"
#include "devices/nvidia/formats/nv_class.h"
#include "emu/sim/scenario_own.h"
#include "firmware-models/cuda/cuda_shared.h"

/* ---- events ---------------------------------------------------------------------------------- */

/* An event is made by the first call that names it. */
static bool own_find_event(struct own *own, const struct spot *spot, uint32_t *event)
{
    struct cuda_program *program = &own->build->scenario->program;
    char *text = NULL;

    if (!spot_string(spot, &text))
        return false;
    for (uint32_t i = 0; i < own->event_count; i++)
        if (strcmp(own->events[i], text) == 0) {
            *event = own->first_event + i;
            free(text);
            return true;
        }
    if (own->event_count == OWN_NAMES_MAX || program->event_count == CUDA_EVENTS_MAX) {
        free(text);
        return spot_wrong(spot, "there are too many events");
    }
    own->events[own->event_count++] = text;
    *event = program->event_count++;
    return true;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* How long a block takes: one of four members. */
static bool own_time(const struct spot *spot, struct cuda_kernel *kernel)
{
    const struct spot spin = spot_member(spot, "spin"), work = spot_member(spot, "work");
    const struct spot loops = spot_member(spot, "loops");
    bool negative;
    int64_t rounds;

    if (!!spin.json + !!work.json + !!loops.json > 1)
        return spot_wrong(spot, "only one of spin, work and loops can be");
    if (spin.json || work.json) {
        kernel->time = spin.json ? CUDA_TIME_CLOCK : CUDA_TIME_WORK;
        negative = false;
        return spot_seconds(spin.json ? &spin : &work, &negative, &kernel->amount) &&
               (!negative || spot_is_not(spin.json ? &spin : &work, "a number of seconds"));
    }
    if (!loops.json)
        return true;
    if (!spot_number(&loops, 0, INT64_MAX >> 16, "a number of rounds", &rounds))
        return false;
    kernel->time = CUDA_TIME_LOOPS;
    kernel->amount = (uint64_t)rounds;
    return true;
}

/* What the launch would refuse.  `allowed` is what the kernel was allowed by
 * max_dynamic_shared_memory, 0 if it was not. */
static bool own_block_fits(const struct own *own, const struct spot *spot,
                           const struct cuda_kernel *kernel, uint32_t allowed)
{
    const struct exec_limits *sm = &own->build->options->model->sm;
    const struct cuda_shared may = cuda_shared_of(own->build->options->model);
    const struct spot threads = spot_member(spot, "threads");
    const struct spot shared = spot_member(spot, "shared_memory");
    const struct spot most = spot_member(spot, "max_dynamic_shared_memory");

    if (kernel->block_threads > sm->threads_per_block)
        return spot_wrong(&threads, "a block of the GPU has at most %u threads, not %u",
                          sm->threads_per_block, kernel->block_threads);
    if (allowed > may.most)
        return spot_wrong(&most, "a block of the GPU has at most %u bytes, not %u", may.most,
                          allowed);
    if (kernel->shared_bytes > may.most)
        return spot_wrong(&shared, "a block of the GPU has at most %u bytes, not %u", may.most,
                          kernel->shared_bytes);
    if (kernel->shared_bytes > may.by_default && kernel->shared_bytes > allowed)
        return spot_wrong(&shared,
                          "more than %u bytes have to be allowed with max_dynamic_shared_memory "
                          "(cudaFuncSetAttribute)",
                          may.by_default);
    return true;
}

/* Refuses a mask that names a TPC which the GPU does not have. */
static bool own_mask_fits(const struct own *own, const struct spot *spot,
                          const struct examiner_mask *mask)
{
    const struct spot place = spot_member(spot, "sm_mask");
    const struct nv_chip *model = own->build->options->model;

    return !model || model->tpc_count == 0 || mask->named <= model->tpc_count ||
           spot_wrong(&place, "names TPC %u, but a %s has %u TPCs, 0 to %u", mask->named - 1,
                      model->name, model->tpc_count, model->tpc_count - 1);
}

/* Blocks of a cluster: a divisor of the kernel's. */
static bool own_cluster(const struct own *own, const struct spot *object, uint32_t *cluster,
                        uint32_t block_count)
{
    const struct spot spot = spot_member(object, "cluster");
    const struct nv_chip *model = own->build->options->model;

    if (!spot.json)
        return true;
    if (!spot_number32(&spot, 1, DISPATCH_CLUSTER_MAX, "a number of blocks", cluster))
        return false;
    if (block_count % *cluster != 0)
        return spot_wrong(&spot, "%u blocks are not a whole number of clusters of %u", block_count,
                          *cluster);
    return !model || model->class_compute >= HOPPER_COMPUTE_A ||
           spot_wrong(&spot, "a %s has no clusters of blocks", model->name);
}

/* Sets 1 + the preferred carve-out, or leaves 0. */
static bool own_carveout(const struct spot *object, uint32_t *carveout)
{
    const struct spot spot = spot_member(object, "shared_memory_carveout_percent");
    uint32_t percent;

    if (!spot.json)
        return true;
    if (!spot_number32(&spot, 0, 100, "per cent of an SM's shared memory", &percent))
        return false;
    *carveout = 1 + percent;
    return true;
}

static bool own_launch(struct own *own, const struct spot *spot, uint32_t stream)
{
    static const char *const keys[] = {"name",
                                       "blocks",
                                       "threads",
                                       "shared_memory",
                                       "registers",
                                       "cluster",
                                       "sm_mask",
                                       "spin",
                                       "work",
                                       "loops",
                                       "max_dynamic_shared_memory",
                                       "shared_memory_carveout_percent",
                                       NULL};
    const struct spot blocks = spot_member(spot, "blocks"), threads = spot_member(spot, "threads");
    struct cuda_program *program = &own->build->scenario->program;
    struct cuda_kernel kernel = {0}, *added;
    struct examiner_mask mask = {.named = 0};
    struct cuda_call *call;
    uint32_t block_count, allowed = 0;
    char *name = NULL;
    bool good;

    good = spot_object(spot, keys) && spot_may_string(spot, "name", &name) &&
           spot_number32(&blocks, 1, INT32_MAX, "a number of blocks", &block_count) &&
           spot_number32(&threads, 1, 65535, "a number of threads", &kernel.block_threads) &&
           own_may_number(spot, "shared_memory", INT32_MAX, "a number of bytes",
                          &kernel.shared_bytes) &&
           own_may_number(spot, "max_dynamic_shared_memory", INT32_MAX, "a number of bytes",
                          &allowed) &&
           own_carveout(spot, &kernel.carveout) &&
           own_may_number(spot, "registers", 255, "a number of registers", &kernel.registers) &&
           own_cluster(own, spot, &kernel.cluster, block_count) &&
           spot_may_mask(spot, "sm_mask", &mask) && own_mask_fits(own, spot, &mask) &&
           own_time(spot, &kernel) && own_block_fits(own, spot, &kernel, allowed);
    added = good ? scenario_add_kernel(own->build, name ? name : "kernel") : NULL;
    free(name);
    if (!added)
        return false;
    kernel.name = added->name;
    kernel.block_count = block_count;
    kernel.sm_mask = mask.bits;
    *added = kernel;
    call = scenario_add_call(own->build, CUDA_LAUNCH, CUDA_EXECUTE, stream);
    if (call)
        call->kernel = program->kernel_count - 1;
    return call != NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool own_copy(struct own *own, const struct spot *spot, uint32_t stream, bool sets)
{
    static const char *const keys[] = {"bytes",  "direction", "synchronous", "engine",
                                       "memory", "rows",      NULL};
    static const char *const memories[] = {"pinned", "pageable", NULL};
    const struct spot memory = spot_member(spot, "memory"), lines = spot_member(spot, "rows");
    static const char *const engines[] = {"copy", "graphics", NULL};
    static const char *const directions[] = {"to device", "to host", "on device", NULL};
    const struct spot direction = spot_member(spot, "direction");
    const struct spot size = spot_member(spot, "bytes"), by = spot_member(spot, "engine");
    uint32_t engine = 0, which = CUDA_DEVICE_TO_DEVICE, pageable = 0, rows = 1;
    struct cuda_call *call;
    bool synchronous = false;
    uint64_t bytes;

    if (!spot_object(spot, keys) || !spot_bytes(&size, &bytes) ||
        !spot_may_bool(spot, "synchronous", &synchronous) ||
        (by.json && !own_word(&by, engines, "copy or graphics", &engine)) ||
        (memory.json && !own_word(&memory, memories, "pinned or pageable", &pageable)) ||
        (lines.json && !spot_number32(&lines, 1, 1 << 20, "a number of rows", &rows)) ||
        (!sets && !own_word(&direction, directions, "to device, to host or on device", &which)))
        return false;
    if (bytes == 0)
        return spot_is_not(&size, "a number of bytes above 0");
    if (bytes % rows != 0)
        return spot_wrong(&lines, "%u rows of equal length do not make up the copy's bytes", rows);
    call = scenario_add_call(own->build, sets ? CUDA_MEMSET : CUDA_MEMCPY, CUDA_EXECUTE, stream);
    if (!call)
        return false;
    call->bytes = bytes;
    call->direction = (enum cuda_direction)which;
    call->synchronous = synchronous;
    call->graphics = engine == 1;
    call->pageable = pageable == 1;
    call->rows = rows;
    return true;
}

static bool own_sleep(struct own *own, const struct spot *spot, uint32_t stream)
{
    struct cuda_call *call;
    bool negative = false;
    gfe_ps sleep_ps;

    if (!spot_seconds(spot, &negative, &sleep_ps))
        return false;
    call = scenario_add_call(own->build, CUDA_SLEEP, CUDA_EXECUTE, stream);
    if (call)
        call->sleep_ps = sleep_ps;
    return call != NULL;
}

static bool own_synchronize(struct own *own, const struct spot *spot, uint32_t stream)
{
    static const char *const words[] = {"stream", "device", NULL};
    uint32_t device;

    return own_word(spot, words, "stream or device", &device) &&
           scenario_add_call(own->build, device ? CUDA_DEVICE_SYNCHRONIZE : CUDA_STREAM_SYNCHRONIZE,
                             CUDA_EXECUTE, stream) != NULL;
}

static bool own_event_call(struct own *own, const struct spot *spot, uint32_t stream,
                           enum cuda_call_kind kind)
{
    struct cuda_call *call;
    uint32_t event = 0;

    if (!own_find_event(own, spot, &event))
        return false;
    call = scenario_add_call(own->build, kind, CUDA_EXECUTE, stream);
    if (call)
        call->event = event;
    return call != NULL;
}

static bool own_allocate(struct own *own, const struct spot *spot, uint32_t stream)
{
    struct cuda_call *call;
    uint64_t bytes;

    if (!spot_bytes(spot, &bytes))
        return false;
    call = scenario_add_call(own->build, CUDA_MALLOC, CUDA_EXECUTE, stream);
    if (call)
        call->bytes = bytes;
    return call != NULL;
}

enum { CALL_KEYS = 8 }; /* members that say what a call is */

/* One member says what the call is; "stream" may say where, else it is the task's. */
bool own_call(struct own *own, const struct spot *spot, uint32_t name)
{
    static const char *const keys[] = {"launch", "copy", "memset",   "sleep",  "synchronize",
                                       "record", "wait", "allocate", "stream", NULL};
    const struct spot in = spot_member(spot, "stream");
    struct spot what = {0};
    uint32_t i = 0, stream;

    if (!spot_object(spot, keys) || (in.json && !own_find_stream(own, &in, &name)) ||
        !own_stream_of(own, name, &stream))
        return false;
    while (i < CALL_KEYS && !own_has(spot, keys[i]))
        i++;
    if (i == CALL_KEYS || json_object_size(spot->json) > (in.json ? 2u : 1u))
        return spot_wrong(spot,
                          "a call is one of launch, copy, memset, sleep, synchronize, record, "
                          "wait and allocate");
    what = spot_member(spot, keys[i]);
    switch (i) {
    case 0:
        return own_launch(own, &what, stream);
    case 1:
    case 2:
        return own_copy(own, &what, stream, i == 2);
    case 3:
        return own_sleep(own, &what, stream);
    case 4:
        return own_synchronize(own, &what, stream);
    case CALL_KEYS - 1:
        return own_allocate(own, &what, stream);
    default:
        return own_event_call(own, &what, stream,
                              i == 5 ? CUDA_EVENT_RECORD : CUDA_STREAM_WAIT_EVENT);
    }
}
