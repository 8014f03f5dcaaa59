/* SPDX-License-Identifier: MIT */
/*
 * AQL packets, as HSA's system architecture specification 1.2 (2.9) has them and as ROCr adds to
 * them (amd_hsa_*.h, hsa_ext_amd.h): what they hold goes into the trace, what they do is done in
 * order.  A kernel ends when it begins.
 */
#include <config.h>

#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"

enum {
    TYPE_VENDOR = 0,
    TYPE_INVALID = 1,
    TYPE_DISPATCH = 2,
    TYPE_BARRIER_AND = 3,
    TYPE_AGENT = 4,
    TYPE_BARRIER_OR = 5,
    VENDOR_PM4 = 1,
    VENDOR_BARRIER_VALUE = 2,
    DEPENDENCIES = 5,
    PM4_BYTES_MAX = 1 << 16,
    STEP_PACKETS = 64, /* in one go: others come in between */
};

/* Bytes of packets, of amd_signal_t and of amd_queue_t. */
enum {
    PRIVATE_BYTES = 24,
    KERNEL = 32,
    KERNARG = 40,
    COMPLETION = 56,
    DEPENDENCY = 8,
    PM4_ADDRESS = 8,
    PM4_SIZE = 16,
    VALUE_SIGNAL = 8,
    VALUE_WANTED = 16,
    VALUE_MASK = 24,
    VALUE_CONDITION = 32,
    SIGNAL_BYTES = 64,
    SIGNAL_VALUE = 8,
    SIGNAL_MAILBOX = 16,
    SIGNAL_EVENT = 24,
    SIGNAL_START = 32,
    SIGNAL_END = 40,
    QUEUE_WRITE_INDEX = 56,
    QUEUE_TMPRING = 140,
    QUEUE_SCRATCH = 160,
    QUEUE_SCRATCH_BYTES = 168,
    QUEUE_LANE_BYTES = 176,
    QUEUE_INACTIVE = 192,
};

static uint64_t word64(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint32_t word32(const uint8_t *at)
{
    uint32_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t packet_va(const struct record_kfd_queue *queue, uint64_t index)
{
    return queue->ring_va +
           (index & (queue->ring_bytes / RECORD_KFD_AQL_BYTES - 1)) * RECORD_KFD_AQL_BYTES;
}

/* The packet, if it is there by now, and its type. */
static const uint8_t *packet_at(struct record_kfd *kfd, const struct record_caller *caller,
                                const struct record_kfd_queue *queue, uint64_t index,
                                unsigned *type)
{
    const uint8_t *packet =
        record_kfd_at(kfd, caller, packet_va(queue, index), RECORD_KFD_AQL_BYTES);

    if (!packet)
        return NULL;
    *type = __atomic_load_n((const uint16_t *)(const void *)packet, __ATOMIC_ACQUIRE) & 0xff;
    return *type == TYPE_INVALID ? NULL : packet;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* The value of a signal; false when there is no such signal. */
static bool signal_peek(struct record_kfd *kfd, const struct record_caller *caller, uint64_t signal,
                        int64_t *value)
{
    const uint8_t *at = record_kfd_at(kfd, caller, signal, SIGNAL_BYTES);

    if (at)
        *value =
            __atomic_load_n((const int64_t *)(const void *)(at + SIGNAL_VALUE), __ATOMIC_ACQUIRE);
    return at != NULL;
}

/* Reads the value of a signal, and records it.  Returns false if there is no such signal. */
static bool signal_read(struct record_kfd *kfd, const struct record_caller *caller, uint64_t signal,
                        int64_t *value)
{
    const uint8_t *at = record_kfd_at(kfd, caller, signal, SIGNAL_BYTES);

    if (!at)
        return false;
    *value = __atomic_load_n((const int64_t *)(const void *)(at + SIGNAL_VALUE), __ATOMIC_ACQUIRE);
    /* Whom its completion wakes: that is looked at before the value lets a packet go. */
    if (word64(at + SIGNAL_MAILBOX)) {
        record_kfd_tell_value(kfd, caller, signal + SIGNAL_MAILBOX, word64(at + SIGNAL_MAILBOX));
        record_kfd_tell_value(kfd, caller, signal + SIGNAL_EVENT, word32(at + SIGNAL_EVENT));
    }
    record_kfd_tell_value(kfd, caller, signal + SIGNAL_VALUE, (uint64_t)*value);
    return true;
}

/* After the value: the number of the event into its mailbox, and the interrupt. */
static void signal_notify(struct record_kfd *kfd, const struct record_caller *caller,
                          const struct record_kfd_queue *queue, const uint8_t *at)
{
    const uint64_t mailbox = word64(at + SIGNAL_MAILBOX), event = word32(at + SIGNAL_EVENT);
    uint8_t *box = mailbox ? record_kfd_at(kfd, caller, mailbox, sizeof event) : NULL;

    if (!box)
        return;
    memcpy(box, &event, sizeof event);
    record_kfd_tell_gpu_write(kfd, caller, queue, mailbox, TRACE_WHY_MAILBOX, &event, sizeof event);
    record_kfd_event_fire(kfd, (uint32_t)event);
}

static void signal_told(struct record_kfd *kfd, const struct record_caller *caller,
                        const struct record_kfd_queue *queue, uint64_t signal, uint64_t value)
{
    record_kfd_tell_gpu_write(kfd, caller, queue, signal + SIGNAL_VALUE, TRACE_WHY_SIGNAL, &value,
                              sizeof value);
    record_kfd_told_value(kfd, signal + SIGNAL_VALUE, value);
}

void record_kfd_signal_set(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_queue *queue, uint64_t signal, uint64_t value)
{
    uint8_t *at = record_kfd_at(kfd, caller, signal, SIGNAL_BYTES);

    if (!at)
        return;
    signal_told(kfd, caller, queue, signal, value);
    __atomic_store_n((uint64_t *)(void *)(at + SIGNAL_VALUE), value, __ATOMIC_RELEASE);
    signal_notify(kfd, caller, queue, at);
}

/* The packet's completion: one less, with its times. */
static void complete(struct record_kfd *kfd, const struct record_caller *caller,
                     const struct record_kfd_queue *queue, uint64_t signal, uint64_t start)
{
    uint8_t *at = signal ? record_kfd_at(kfd, caller, signal, SIGNAL_BYTES) : NULL;
    const uint64_t end = record_kfd_gpu_clock(kfd, queue->gpu);
    uint64_t value, mailbox;
    uint8_t copy[SIGNAL_BYTES];

    if (!at)
        return;
    memcpy(at + SIGNAL_START, &start, sizeof start);
    memcpy(at + SIGNAL_END, &end, sizeof end);
    /* A thread that waits for the value may end the signal as soon as it sees the value. */
    memcpy(copy, at, sizeof copy);
    mailbox = word64(copy + SIGNAL_MAILBOX);
    value = __atomic_sub_fetch((uint64_t *)(void *)(at + SIGNAL_VALUE),
                               record_kfd_is_broken(kfd, RECORD_KFD_FAULT_TWICE) ? 2 : 1,
                               __ATOMIC_RELEASE);
    signal_told(kfd, caller, queue, signal, value);
    if (mailbox)
        signal_notify(kfd, caller, queue, copy);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell_signal(struct record_kfd *kfd, const struct record_caller *caller, uint64_t signal)
{
    int64_t value;

    if (signal)
        (void)signal_read(kfd, caller, signal, &value);
}

static void tell_dependency(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct record_kfd_queue *queue, uint64_t index, uint64_t signal)
{
    tell_signal(kfd, caller, signal);
    if (signal)
        record_kfd_pass_pending(kfd, caller, queue, RECORD_KFD_PENDING_WATCH, signal + SIGNAL_VALUE,
                                index);
}

static void tell_vendor(struct record_kfd *kfd, const struct record_caller *caller,
                        const struct record_kfd_queue *queue, uint64_t index, const uint8_t *packet)
{
    const uint64_t address = word64(packet + PM4_ADDRESS) & 0xffffffffffffull;
    const uint32_t bytes = (word32(packet + PM4_SIZE) & 0xfffff) * 4;
    const void *buffer;

    if (packet[2] == VENDOR_BARRIER_VALUE)
        tell_dependency(kfd, caller, queue, index, word64(packet + VALUE_SIGNAL));
    if (packet[2] != VENDOR_PM4 || bytes > PM4_BYTES_MAX)
        return;
    buffer = record_kfd_at(kfd, caller, address, bytes);
    if (buffer)
        record_kfd_tell_packet(kfd, caller, queue, TRACE_PACKET_PM4, index, address, buffer, bytes);
}

/* A kernel with scratch memory may have to ask for more: by what signal? */
static void tell_inactive(struct record_kfd *kfd, const struct record_caller *caller,
                          const struct record_kfd_queue *queue, const uint8_t *packet)
{
    const uint64_t place = queue->write_va - QUEUE_WRITE_INDEX + QUEUE_INACTIVE;
    const uint8_t *at =
        word32(packet + PRIVATE_BYTES) ? record_kfd_at(kfd, caller, place, sizeof place) : NULL;

    if (!at)
        return;
    record_kfd_tell_value(kfd, caller, place, word64(at));
    tell_signal(kfd, caller, word64(at));
}

static void tell_packet(struct record_kfd *kfd, const struct record_caller *caller,
                        struct record_kfd_queue *queue, uint64_t index, unsigned type,
                        const uint8_t *packet)
{
    const uint64_t signal = word64(packet + COMPLETION);

    record_kfd_tell_packet(kfd, caller, queue, TRACE_PACKET_AQL, index, packet_va(queue, index),
                           packet, RECORD_KFD_AQL_BYTES);
    if (type == TYPE_DISPATCH)
        record_kfd_tell_kernel(kfd, caller, word64(packet + KERNEL), word64(packet + KERNARG));
    else if (type == TYPE_VENDOR)
        tell_vendor(kfd, caller, queue, index, packet);
    else if (type == TYPE_BARRIER_AND || type == TYPE_BARRIER_OR)
        for (unsigned i = 0; i < DEPENDENCIES; i++)
            tell_dependency(kfd, caller, queue, index, word64(packet + DEPENDENCY + 8 * i));
    tell_signal(kfd, caller, signal);
    if (signal)
        record_kfd_pass_pending(kfd, caller, queue, RECORD_KFD_PENDING_SIGNAL,
                                signal + SIGNAL_VALUE, 0);
    if (type == TYPE_DISPATCH)
        tell_inactive(kfd, caller, queue, packet);
    if (type == TYPE_DISPATCH)
        record_kfd_pass_scratch(kfd, caller, queue, word32(packet + PRIVATE_BYTES));
}

void record_kfd_aql_tell(struct record_kfd *kfd, const struct record_caller *caller,
                         struct record_kfd_queue *queue)
{
    const uint64_t slots = queue->ring_bytes / RECORD_KFD_AQL_BYTES;
    const uint8_t *packet;
    unsigned type;

    if (!queue->rung)
        return;
    while (queue->told <= queue->highest && queue->told - queue->read < slots &&
           (packet = packet_at(kfd, caller, queue, queue->told, &type))) {
        tell_packet(kfd, caller, queue, queue->told, type, packet);
        queue->told++;
    }
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Returns true if the signal is 0.  A signal that is not in memory holds no packet up. */
static bool signal_is_down(struct record_kfd *kfd, const struct record_caller *caller,
                           uint64_t signal)
{
    int64_t value;

    return !signal_read(kfd, caller, signal, &value) || value == 0;
}

static bool and_waits(struct record_kfd *kfd, const struct record_caller *caller,
                      const uint8_t *packet)
{
    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_AND))
        return false;
    for (unsigned i = 0; i < DEPENDENCIES; i++) {
        const uint64_t signal = word64(packet + DEPENDENCY + 8 * i);

        if (signal && !signal_is_down(kfd, caller, signal))
            return true;
    }
    return false;
}

static bool or_waits(struct record_kfd *kfd, const struct record_caller *caller,
                     const uint8_t *packet)
{
    bool waits = false;

    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_OR))
        return false;
    for (unsigned i = 0; i < DEPENDENCIES; i++) {
        const uint64_t signal = word64(packet + DEPENDENCY + 8 * i);

        if (signal && signal_is_down(kfd, caller, signal))
            return false;
        waits = waits || signal;
    }
    return waits;
}

/* hsa_amd_barrier_value_packet_t; conditions are those of hsa_signal_condition_t. */
static bool value_waits(struct record_kfd *kfd, const struct record_caller *caller,
                        const uint8_t *packet)
{
    const int64_t wanted = (int64_t)word64(packet + VALUE_WANTED);
    int64_t value;

    if (!signal_read(kfd, caller, word64(packet + VALUE_SIGNAL), &value))
        return false;
    value &= (int64_t)word64(packet + VALUE_MASK);
    switch (word32(packet + VALUE_CONDITION)) {
    case 0:
        return value != wanted;
    case 1:
        return value == wanted;
    case 2:
        return value >= wanted;
    default:
        return value < wanted;
    }
}

/* ---- scratch --------------------------------------------------------------------------------- */

static const uint8_t *descriptor_at(struct record_kfd *kfd, const struct record_caller *caller,
                                    const struct record_kfd_queue *queue)
{
    return record_kfd_at(kfd, caller, queue->write_va - QUEUE_WRITE_INDEX, QUEUE_INACTIVE + 8);
}

bool record_kfd_lane_bytes(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_queue *queue, uint32_t *bytes)
{
    const uint8_t *amd_queue = descriptor_at(kfd, caller, queue);

    if (amd_queue)
        *bytes = word32(amd_queue + QUEUE_LANE_BYTES);
    return amd_queue != NULL;
}

void record_kfd_tell_scratch(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct record_kfd_queue *queue, enum trace_scratch_what what,
                             uint32_t private_bytes)
{
    const uint8_t *amd_queue = descriptor_at(kfd, caller, queue);
    struct trace_record record = {0};

    if (!amd_queue)
        return;
    record.queue_scratch.queue_id = queue->number;
    record.queue_scratch.what = (uint8_t)what;
    record.queue_scratch.index = queue->read;
    record.queue_scratch.private_bytes = private_bytes;
    record.queue_scratch.lane_bytes = word32(amd_queue + QUEUE_LANE_BYTES);
    record.queue_scratch.tmpring_size = word32(amd_queue + QUEUE_TMPRING);
    record.queue_scratch.address = word64(amd_queue + QUEUE_SCRATCH);
    record.queue_scratch.size_bytes = word64(amd_queue + QUEUE_SCRATCH_BYTES);
    record_out_put(kfd->out, caller, TRACE_QUEUE_SCRATCH, &record);
}

/* The queue stops with its signal at 1 and goes on when the runtime has set it to 0. */
static bool scratch_waits(struct record_kfd *kfd, const struct record_caller *caller,
                          struct record_kfd_queue *queue, const uint8_t *packet)
{
    const uint32_t wanted = word32(packet + PRIVATE_BYTES);
    const uint8_t *amd_queue;
    uint64_t signal;
    int64_t value;

    if (wanted == 0)
        return false;
    amd_queue = descriptor_at(kfd, caller, queue);
    if (!amd_queue)
        return false;
    signal = word64(amd_queue + QUEUE_INACTIVE);
    if (queue->waits_for_scratch) {
        if (signal_peek(kfd, caller, signal, &value) && value != 0)
            return true;
        queue->waits_for_scratch = false;
        /* Before the value that lets the queue go on. */
        record_kfd_tell_scratch(kfd, caller, queue, TRACE_SCRATCH_GIVEN, wanted);
        (void)signal_read(kfd, caller, signal, &value);
        return false; /* what the runtime gave is all that there is */
    }
    if (wanted <= word32(amd_queue + QUEUE_LANE_BYTES) || signal == 0)
        return false;
    if (record_kfd_is_broken(kfd, RECORD_KFD_FAULT_SCRATCH))
        return true;
    record_kfd_tell_scratch(kfd, caller, queue, TRACE_SCRATCH_WANTED, wanted);
    (void)signal_read(kfd, caller, signal, &value);
    queue->waits_for_scratch = true;
    record_kfd_signal_set(kfd, caller, queue, signal, 1);
    return true;
}

/* ---- work ------------------------------------------------------------------------------------ */

static bool waits(struct record_kfd *kfd, const struct record_caller *caller,
                  struct record_kfd_queue *queue, unsigned type, const uint8_t *packet)
{
    switch (type) {
    case TYPE_BARRIER_AND:
        return and_waits(kfd, caller, packet);
    case TYPE_BARRIER_OR:
        return or_waits(kfd, caller, packet);
    case TYPE_VENDOR:
        return packet[2] == VENDOR_BARRIER_VALUE && value_waits(kfd, caller, packet);
    case TYPE_DISPATCH:
        return scratch_waits(kfd, caller, queue, packet);
    default:
        return false;
    }
}

/* Done: the slot is the producers' again before anybody is told. */
static void retire(struct record_kfd *kfd, const struct record_caller *caller,
                   struct record_kfd_queue *queue, uint8_t *packet, uint64_t start)
{
    const uint64_t signal = word64(packet + COMPLETION);
    uint64_t *index = record_kfd_at(kfd, caller, queue->read_va, sizeof *index);

    __atomic_store_n((uint16_t *)(void *)packet, TYPE_INVALID, __ATOMIC_RELEASE);
    queue->read++;
    if (index)
        __atomic_store_n(index, queue->read + record_kfd_is_broken(kfd, RECORD_KFD_FAULT_READ),
                         __ATOMIC_RELEASE);
    complete(kfd, caller, queue, signal, start);
}

/* The packet behind one that waits is done already. */
static void pass_broken(struct record_kfd *kfd, const struct record_caller *caller,
                        struct record_kfd_queue *queue)
{
    enum { BARRIER_BIT = 1 }; /* of the header's second byte */
    const uint64_t index = queue->read + 1;
    uint8_t *packet;

    if (!record_kfd_is_broken(kfd, RECORD_KFD_FAULT_BARRIER) || index >= queue->told)
        return;
    packet = record_kfd_at(kfd, caller, packet_va(queue, index), RECORD_KFD_AQL_BYTES);
    if (!packet || !(packet[1] & BARRIER_BIT))
        return;
    complete(kfd, caller, queue, word64(packet + COMPLETION),
             record_kfd_gpu_clock(kfd, queue->gpu));
    memset(packet + COMPLETION, 0, sizeof(uint64_t));
}

bool record_kfd_aql_work(struct record_kfd *kfd, const struct record_caller *caller,
                         struct record_kfd_queue *queue)
{
    for (unsigned done = 0; queue->read <= queue->highest; done++) {
        const uint64_t start = record_kfd_gpu_clock(kfd, queue->gpu);
        uint8_t *packet;
        unsigned type = TYPE_INVALID;

        record_kfd_aql_tell(kfd, caller, queue);
        if (queue->told <= queue->read || done == STEP_PACKETS)
            return true; /* rung, but not written yet; or it is others' turn */
        packet = record_kfd_at(kfd, caller, packet_va(queue, queue->read), RECORD_KFD_AQL_BYTES);
        if (!packet)
            return true;
        type = packet[0];
        if (waits(kfd, caller, queue, type, packet)) {
            pass_broken(kfd, caller, queue);
            return true;
        }
        if (type == TYPE_DISPATCH)
            record_kfd_blit_run(kfd, caller, word64(packet + KERNEL), word64(packet + KERNARG));
        retire(kfd, caller, queue, packet, start);
    }
    return false;
}
