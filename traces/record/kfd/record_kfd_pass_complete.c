/* SPDX-License-Identifier: MIT */
/*
 * Above a real KFD: what the GPU did with the packets that were shown (record_kfd_pass.h).
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "traces/record/kfd/record_kfd_pass_private.h"
#include "traces/record/record_user.h"

#define AWAKE_NS 10000000000ull
enum { PENDING_MAX = 1 << 14 };

/* Bytes at a GPU's address, as they are now; no MARK when they are nowhere. */
static bool peek(const struct record_kfd *kfd, uint64_t va, void *to, size_t bytes)
{
    uint64_t there = 0;
    const struct record_kfd_object *object = record_kfd_object_at(kfd, va, &there);
    const uint8_t *at = object ? object->host + (va - object->va) : NULL;

    if (!object || there < bytes)
        return false;
    if (object->is_user) /* which the program may take away */
        return record_user_read(to, (uintptr_t)at, bytes);
    if (bytes == sizeof(uint64_t)) {
        const uint64_t value =
            __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);

        memcpy(to, &value, sizeof value);
    } else {
        const uint32_t value =
            __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);

        memcpy(to, &value, sizeof value);
    }
    return true;
}

/* ---- completion values ----------------------------------------------------------------------- */

static bool is_of(const struct record_kfd_pending *pending, enum record_kfd_pending_what what,
                  uint64_t va)
{
    return pending->va == va && pending->what == what;
}

/* How many packets take one off a signal. */
static uint32_t pending_count(const struct record_kfd_pass *pass, uint64_t va)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < pass->pending_count; i++)
        count += is_of(&pass->pending[i], RECORD_KFD_PENDING_SIGNAL, va);
    return count;
}

/* Takes the oldest of an address off the list; false when there is none. */
static bool pending_take(struct record_kfd_pass *pass, enum record_kfd_pending_what what,
                         uint64_t va, struct record_kfd_pending *taken)
{
    uint32_t at = 0;

    while (at < pass->pending_count && !is_of(&pass->pending[at], what, va))
        at++;
    if (at == pass->pending_count)
        return false;
    *taken = pass->pending[at];
    memmove(&pass->pending[at], &pass->pending[at + 1],
            (--pass->pending_count - at) * sizeof *taken);
    return true;
}

static bool is_young(const struct record_caller *caller, const struct record_kfd_pending *pending)
{
    return caller->now_ns - pending->shown_ns < AWAKE_NS;
}

/* The oldest makes room where the GPU did not do what was expected of it. */
static bool pending_room(struct record_kfd_pass *pass)
{
    const uint32_t capacity = pass->pending_capacity ? 2 * pass->pending_capacity : 64;
    struct record_kfd_pending *grown;

    if (pass->pending_count < pass->pending_capacity)
        return true;
    if (pass->pending_count >= PENDING_MAX) {
        memmove(pass->pending, pass->pending + 1, --pass->pending_count * sizeof *pass->pending);
        return true;
    }
    grown = realloc(pass->pending, capacity * sizeof *grown);
    if (!grown)
        return false;
    pass->pending = grown;
    pass->pending_capacity = capacity;
    return true;
}

void record_kfd_pass_pending(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct record_kfd_queue *queue,
                             enum record_kfd_pending_what what, uint64_t va, uint64_t value)
{
    struct record_kfd_pass *pass = kfd->pass;
    struct record_kfd_pending old;
    uint64_t now = 0;

    if (!pass)
        return;
    /* A fence's new value takes the place of the one before; a signal ends at 0. */
    if (what == RECORD_KFD_PENDING_FENCE)
        (void)pending_take(pass, what, va, &old);
    else if (what == RECORD_KFD_PENDING_SIGNAL && record_kfd_told_find(kfd, va, &now) &&
             (int64_t)now > 0)
        while (pending_count(pass, va) >= now && pending_take(pass, what, va, &old))
            ;
    if (!pending_room(pass))
        return; /* its completion is not recorded */
    pass->pending[pass->pending_count++] =
        (struct record_kfd_pending){.va = va,
                                    .shown_ns = caller->now_ns,
                                    .queue = (uint32_t)(queue - kfd->queues),
                                    .value = value,
                                    .what = what};
}

void record_kfd_pass_forget(struct record_kfd *kfd, uint64_t va, uint64_t bytes)
{
    struct record_kfd_pass *pass = kfd->pass;
    uint32_t kept = 0;

    for (uint32_t i = 0; pass && i < pass->pending_count; i++)
        if (pass->pending[i].va - va >= bytes)
            pass->pending[kept++] = pass->pending[i];
    if (pass)
        pass->pending_count = kept;
}

void record_kfd_pass_queue_end(struct record_kfd *kfd, const struct record_kfd_queue *queue)
{
    struct record_kfd_pass *pass = kfd->pass;
    uint32_t kept = 0;

    for (uint32_t i = 0; pass && i < pass->pending_count; i++)
        if (&kfd->queues[pass->pending[i].queue] != queue)
            pass->pending[kept++] = pass->pending[i];
    if (pass)
        pass->pending_count = kept;
}

bool record_kfd_pass_value(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                           uint64_t value)
{
    struct record_kfd_pass *pass = kfd->pass;
    struct record_kfd_pending pending;
    uint64_t known;

    if (!pass || pass->pending_count == 0 || !record_kfd_told_find(kfd, va, &known))
        return false;
    /* Above 2^63 when it is no less than it was. */
    if (known - value == 0 || known - value > pending_count(pass, va))
        return false;
    while (known != value && pending_take(pass, RECORD_KFD_PENDING_SIGNAL, va, &pending)) {
        known--;
        record_kfd_tell_gpu_write(kfd, caller, &kfd->queues[pending.queue], va, TRACE_WHY_SIGNAL,
                                  &known, sizeof known);
    }
    record_kfd_told_value(kfd, va, value);
    return true;
}

static void fence_look(struct record_kfd *kfd, const struct record_caller *caller,
                       const struct record_kfd_pending *pending)
{
    struct record_kfd_pending taken;
    uint32_t value;

    if (!peek(kfd, pending->va, &value, sizeof value) || value != (uint32_t)pending->value ||
        !pending_take(kfd->pass, RECORD_KFD_PENDING_FENCE, pending->va, &taken))
        return;
    record_kfd_tell_gpu_write(kfd, caller, &kfd->queues[taken.queue], taken.va,
                              TRACE_WHY_SDMA_FENCE, &value, sizeof value);
}

/* What a packet waits for is told as it changes, as long as the packet is not done. */
static bool watch_look(struct record_kfd *kfd, const struct record_caller *caller, uint32_t at)
{
    struct record_kfd_pass *pass = kfd->pass;
    const struct record_kfd_pending pending = pass->pending[at];
    uint64_t value, read;

    if (peek(kfd, pending.va, &value, sizeof value))
        record_kfd_tell_value(kfd, caller, pending.va, value);
    if (record_kfd_pass_read_index(kfd, &kfd->queues[pending.queue], &read) &&
        read <= pending.value)
        return true;
    /* Telling may have taken others off the list. */
    for (at = 0; at < pass->pending_count; at++)
        if (is_of(&pass->pending[at], RECORD_KFD_PENDING_WATCH, pending.va) &&
            pass->pending[at].queue == pending.queue && pass->pending[at].value == pending.value) {
            memmove(&pass->pending[at], &pass->pending[at + 1],
                    (--pass->pending_count - at) * sizeof pending);
            break;
        }
    return false;
}

bool record_kfd_pass_look(struct record_kfd *kfd, const struct record_caller *caller)
{
    struct record_kfd_pass *pass = kfd->pass;
    bool is_waiting = false;

    for (uint32_t i = 0; i < pass->pending_count;) {
        const struct record_kfd_pending pending = pass->pending[i];
        const uint32_t before = pass->pending_count;
        uint64_t value;

        if (pending.what == RECORD_KFD_PENDING_WATCH)
            is_waiting |= watch_look(kfd, caller, i) && is_young(caller, &pending);
        else if (pending.what == RECORD_KFD_PENDING_FENCE)
            fence_look(kfd, caller, &pending);
        else if (peek(kfd, pending.va, &value, sizeof value))
            (void)record_kfd_pass_value(kfd, caller, pending.va, value);
        /* A fence in a mailbox may be emptied, or a signal set again, before it was seen: the
         * thread does not stay awake for it for ever. */
        is_waiting |= pass->pending_count == before && pending.what == RECORD_KFD_PENDING_SIGNAL &&
                      is_young(caller, &pending);
        pass->moved |= pass->pending_count != before;
        i = pass->pending_count == before ? i + 1 : 0;
    }
    return is_waiting;
}

void record_kfd_pass_before_doorbell(struct record_kfd *kfd, const struct record_caller *caller)
{
    if (kfd->pass)
        (void)record_kfd_pass_look(kfd, caller);
}

/* ---- queues ---------------------------------------------------------------------------------- */

bool record_kfd_pass_read_index(const struct record_kfd *kfd, const struct record_kfd_queue *queue,
                                uint64_t *index)
{
    return peek(kfd, queue->read_va, index, sizeof *index);
}

/* A packet of several producers may have been taken between its being written and its doorbell. */
void record_kfd_pass_refresh(struct record_kfd *kfd, const struct record_caller *caller,
                             struct record_kfd_queue *queue)
{
    uint64_t read;

    if (!kfd->pass || !record_kfd_queue_is_aql(queue) ||
        !record_kfd_pass_read_index(kfd, queue, &read))
        return;
    queue->read = read;
    if (!queue->rung || queue->told >= read || queue->told > queue->highest)
        return;
    record_out_mark(
        kfd->out, caller, "queue %u: packets %llu to %llu were done before they were seen",
        (unsigned)queue->number, (unsigned long long)queue->told, (unsigned long long)read - 1);
    queue->told = read;
}

void record_kfd_pass_scratch(struct record_kfd *kfd, const struct record_caller *caller,
                             struct record_kfd_queue *queue, uint32_t wanted)
{
    struct record_kfd_queue then = *queue;
    uint32_t lane;

    if (!kfd->pass || wanted == 0 || queue->scratch_wanted != 0 ||
        !record_kfd_lane_bytes(kfd, caller, queue, &lane) || wanted <= lane)
        return;
    queue->scratch_wanted = wanted;
    queue->scratch_lane = lane;
    then.read = queue->scratch_index = queue->told;
    record_kfd_tell_scratch(kfd, caller, &then, TRACE_SCRATCH_WANTED, wanted);
}

/* Has the runtime given some since?  The signal by which the queue asks is not looked at. */
static void scratch_look(struct record_kfd *kfd, const struct record_caller *caller,
                         struct record_kfd_queue *queue)
{
    struct record_kfd_queue then = *queue;
    uint32_t lane;

    if (queue->scratch_wanted == 0 || !record_kfd_lane_bytes(kfd, caller, queue, &lane))
        return;
    then.read = queue->scratch_index;
    if (lane != queue->scratch_lane)
        record_kfd_tell_scratch(kfd, caller, &then, TRACE_SCRATCH_GIVEN, queue->scratch_wanted);
    else if (queue->read <= queue->scratch_index)
        return;
    queue->scratch_wanted = 0;
}

/* Its doorbells are not seen. */
static void poll(struct record_kfd *kfd, const struct record_caller *caller,
                 struct record_kfd_queue *queue)
{
    const bool is_aql = record_kfd_queue_is_aql(queue);
    uint64_t index;

    if (!peek(kfd, queue->write_va, &index, sizeof index) || index == 0)
        return;
    index -= is_aql; /* the last packet, or the first byte behind */
    if (!queue->rung || index > queue->highest)
        record_kfd_queue_ring(kfd, caller, queue, index);
}

enum record_kfd_left record_kfd_pass_step(struct record_kfd *kfd,
                                          const struct record_caller *caller)
{
    bool is_waiting = false;

    kfd->pass->moved = false;
    for (uint32_t i = 0; i < kfd->queue_count; i++) {
        struct record_kfd_queue *queue = &kfd->queues[i];

        if (!queue->used || queue->type == KFD_QUEUE_PM4)
            continue;
        if (kfd->gpus[queue->gpu].is_polled) {
            poll(kfd, caller, queue);
            is_waiting = true;
        }
        if (!queue->rung)
            continue;
        record_kfd_queue_tell(kfd, caller, queue);
        scratch_look(kfd, caller, queue);
        is_waiting |= queue->scratch_wanted != 0 ||
                      (record_kfd_queue_is_aql(queue) && queue->told <= queue->highest);
    }
    is_waiting |= record_kfd_pass_look(kfd, caller);
    if (kfd->pass->moved)
        return RECORD_KFD_BUSY;
    return is_waiting ? RECORD_KFD_WAITING : RECORD_KFD_IDLE;
}
