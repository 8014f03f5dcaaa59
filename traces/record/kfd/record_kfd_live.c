/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>

#include "traces/record/kfd/record_kfd_live.h"

#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_user.h"

enum { GPU_HANG = 3 };           /* KFD_MEM_ERR_GPU_HANG */
enum { DIRECT_BYTES_MAX = 256 }; /* more of the program's own memory goes by way of the kernel */

/* Every record comes by, before it would be written. */
static void live_tap(void *context, const struct record_caller *caller,
                     const struct trace_record *record)
{
    struct record_kfd *kfd = context;

    kfd->live_caller = *caller;
    kfd->live_result = kfd->live_ops->act(kfd->live, caller->now_ns, record, &kfd->live_takes_ns);
}

void record_kfd_live(struct record_kfd *kfd, const struct record_kfd_live_ops *ops, void *live)
{
    kfd->live_ops = ops;
    kfd->live = live;
    kfd->out->tap = live_tap;
    kfd->out->tap_context = kfd;
    kfd->out->failed = true; /* nothing is written */
}

enum record_kfd_left record_kfd_live_step(struct record_kfd *kfd,
                                          const struct record_caller *caller)
{
    uint64_t next_ns = UINT64_MAX;
    bool waits = false;

    kfd->live_caller = *caller;
    if (kfd->live_ops->run(kfd->live, caller->now_ns, &next_ns, &waits))
        return RECORD_KFD_BUSY;
    return waits || next_ns != UINT64_MAX ? RECORD_KFD_WAITING : RECORD_KFD_IDLE;
}

void record_kfd_live_flush(struct record_kfd *kfd, const struct record_caller *caller, bool last)
{
    if (!kfd->live_ops)
        return;
    kfd->live_caller = *caller;
    kfd->live_ops->flush(kfd->live, caller->now_ns, last);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static bool is_word(const void *at, size_t bytes)
{
    return (bytes == 4 || bytes == 8) && (uintptr_t)at % bytes == 0;
}

static bool part_read(const struct record_kfd_object *object, const uint8_t *at, void *data,
                      size_t bytes)
{
    if (is_word(at, bytes) && bytes == 8) {
        const uint64_t word = __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);

        memcpy(data, &word, sizeof word);
    } else if (is_word(at, bytes)) {
        const uint32_t word = __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);

        memcpy(data, &word, sizeof word);
    } else if (!object->is_user || bytes <= DIRECT_BYTES_MAX) {
        memcpy(data, at, bytes);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } else {
        return record_user_read(data, (uintptr_t)at, bytes);
    }
    return true;
}

static bool part_write(const struct record_kfd_object *object, uint8_t *at, const void *data,
                       size_t bytes)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (is_word(at, bytes) && bytes == 8) {
        uint64_t word;

        memcpy(&word, data, sizeof word);
        __atomic_store_n((uint64_t *)(void *)at, word, __ATOMIC_RELEASE);
    } else if (is_word(at, bytes)) {
        uint32_t word;

        memcpy(&word, data, sizeof word);
        __atomic_store_n((uint32_t *)(void *)at, word, __ATOMIC_RELEASE);
    } else if (!object->is_user || bytes <= DIRECT_BYTES_MAX) {
        memcpy(at, data, bytes);
    } else {
        return record_user_write((uintptr_t)at, data, bytes);
    }
    return true;
}

bool record_kfd_live_read(struct record_kfd *kfd, uint64_t va, void *data, size_t bytes)
{
    uint8_t *to = data;

    while (bytes > 0) {
        uint64_t there = 0;
        const struct record_kfd_object *object = record_kfd_object_at(kfd, va, &there);
        const size_t part = there < bytes ? (size_t)there : bytes;

        if (!object || !part_read(object, object->host + (va - object->va), to, part))
            return false;
        to += part;
        va += part;
        bytes -= part;
    }
    return true;
}

bool record_kfd_live_write(struct record_kfd *kfd, uint64_t va, const void *data, size_t bytes)
{
    const uint8_t *from = data;

    while (bytes > 0) {
        uint64_t there = 0;
        const struct record_kfd_object *object = record_kfd_object_at(kfd, va, &there);
        const size_t part = there < bytes ? (size_t)there : bytes;

        if (!object || !part_write(object, object->host + (va - object->va), from, part))
            return false;
        from += part;
        va += part;
        bytes -= part;
    }
    return true;
}

/* ---- kernels and events -----------------------------------------------------------------------
 */

void record_kfd_live_kernel(struct record_kfd *kfd, uint64_t kernel, uint64_t arguments)
{
    record_kfd_blit_run(kfd, &kfd->live_caller, kernel, arguments);
}

void record_kfd_live_event(struct record_kfd *kfd, uint32_t event_id)
{
    record_kfd_event_fire(kfd, event_id);
}

uint32_t record_kfd_live_exception(struct record_kfd *kfd,
                                   const struct record_kfd_exception *exception)
{
    union record_kfd_exception_data data = {.bytes = {0}};

    if (exception->type == RECORD_KFD_MEMORY_EXCEPTION) {
        data.memory.not_present = exception->not_present;
        data.memory.read_only = exception->read_only;
        data.memory.va = exception->address;
        data.memory.gpu_id = kfd->gpus[0].gpu_id;
        data.memory.imprecise = exception->is_reset;
        data.memory.error_type = exception->is_reset ? GPU_HANG : 0;
    } else {
        data.hardware.memory_lost = exception->is_reset;
        data.hardware.gpu_id = kfd->gpus[0].gpu_id;
    }
    return record_kfd_event_except(kfd, exception->type, &data);
}
