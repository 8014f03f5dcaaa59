/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>

#include "traces/record/nouveau/record_nouveau_live.h"

#include <errno.h>
#include <string.h>

#include "traces/record/nouveau/record_nouveau_private.h"

#define CPU_PREP_NS UINT64_C(30000000000)

/* Every record comes by, before it would be written. */
static void live_tap(void *context, const struct record_caller *caller,
                     const struct trace_record *record)
{
    struct record_nouveau *nouveau = context;

    nouveau->live_result =
        nouveau->live_ops->act(nouveau->live, caller->now_ns, record, &nouveau->live_takes_ns);
}

void record_nouveau_live(struct record_nouveau *nouveau, const struct record_nouveau_live_ops *ops,
                         void *live)
{
    nouveau->live_ops = ops;
    nouveau->live = live;
    nouveau->out->tap = live_tap;
    nouveau->out->tap_context = nouveau;
    nouveau->out->failed = true; /* nothing is written */
}

bool record_nouveau_is_live(const struct record_nouveau *nouveau)
{
    return nouveau->live_ops != NULL;
}

void record_nouveau_live_run(struct record_nouveau *nouveau, uint64_t now_ns, uint64_t *next_ns)
{
    *next_ns = UINT64_MAX;
    if (nouveau->live_ops)
        nouveau->live_ops->run(nouveau->live, now_ns, next_ns);
}

void record_nouveau_live_flush(struct record_nouveau *nouveau, uint64_t now_ns, bool last)
{
    if (nouveau->live_ops)
        nouveau->live_ops->flush(nouveau->live, now_ns, last);
}

uint64_t record_nouveau_live_takes(struct record_nouveau *nouveau)
{
    const uint64_t takes_ns = nouveau->live_takes_ns;

    nouveau->live_takes_ns = 0;
    return takes_ns;
}

int record_nouveau_live_prep(struct record_nouveau *nouveau, const struct record_caller *caller,
                             uint32_t submission_id, bool waits)
{
    const uint64_t begin_ns = waits ? caller->begin_ns : caller->now_ns;

    if (nouveau->live_ops->is_done(nouveau->live, caller->now_ns, submission_id, begin_ns))
        return 0;
    if (!waits || caller->now_ns - begin_ns >= CPU_PREP_NS)
        return -EBUSY;
    return RECORD_NOUVEAU_AGAIN;
}

void record_nouveau_live_finish(struct record_nouveau *nouveau, const struct record_caller *caller,
                                uint32_t submission_id)
{
    if (nouveau->live_ops)
        nouveau->live_ops->finish(nouveau->live, caller->now_ns, submission_id,
                                  &nouveau->live_takes_ns);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Returns the memory at the address, and in *there how many bytes of the object follow.  Returns
 * NULL if there is none. */
static uint8_t *live_at(struct record_nouveau *nouveau, uint64_t va, uint64_t *there)
{
    const struct record_buffer *buffer = record_memory_find(nouveau->memory, va, 1);
    uint8_t *bytes = buffer ? record_memory_bytes(nouveau->memory, buffer) : NULL;

    if (!bytes)
        return NULL;
    *there = record_memory_va(buffer) + buffer->size_bytes - va;
    return bytes + (va - record_memory_va(buffer));
}

static void part_read(const uint8_t *at, void *data, size_t bytes)
{
    uint64_t word;
    uint32_t half;

    if (bytes == sizeof word && (uintptr_t)at % sizeof word == 0) {
        word = __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
        memcpy(data, &word, sizeof word);
    } else if (bytes == sizeof half && (uintptr_t)at % sizeof half == 0) {
        half = __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
        memcpy(data, &half, sizeof half);
    } else {
        memcpy(data, at, bytes);
    }
}

static void part_write(uint8_t *at, const void *data, size_t bytes)
{
    uint64_t word;
    uint32_t half;

    if (bytes == sizeof word && (uintptr_t)at % sizeof word == 0) {
        memcpy(&word, data, sizeof word);
        __atomic_store_n((uint64_t *)(void *)at, word, __ATOMIC_RELEASE);
    } else if (bytes == sizeof half && (uintptr_t)at % sizeof half == 0) {
        memcpy(&half, data, sizeof half);
        __atomic_store_n((uint32_t *)(void *)at, half, __ATOMIC_RELEASE);
    } else {
        memcpy(at, data, bytes);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    }
}

bool record_nouveau_live_read(struct record_nouveau *nouveau, uint64_t va, void *data, size_t bytes)
{
    uint8_t *to = data;

    while (bytes > 0) {
        uint64_t there = 0;
        const uint8_t *at = live_at(nouveau, va, &there);
        const size_t part = there < bytes ? (size_t)there : bytes;

        if (!at)
            return false;
        part_read(at, to, part);
        to += part;
        va += part;
        bytes -= part;
    }
    return true;
}

bool record_nouveau_live_write(struct record_nouveau *nouveau, uint64_t va, const void *data,
                               size_t bytes)
{
    const uint8_t *from = data;

    while (bytes > 0) {
        uint64_t there = 0;
        uint8_t *at = live_at(nouveau, va, &there);
        const size_t part = there < bytes ? (size_t)there : bytes;

        if (!at)
            return false;
        part_write(at, from, part);
        from += part;
        va += part;
        bytes -= part;
    }
    return true;
}
