/* SPDX-License-Identifier: MIT */
/*
 * Packets of the system DMA engines of gfx9, as Linux's vega10_sdma_pkt_open.h and ROCr's
 * sdma_registers.h lay them out, as far as ROCr writes them.  The doorbell is the first byte behind
 * what is shown; it does not wrap.  A packet does not lie across the end of the ring.
 */
#include <config.h>

#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"

enum {
    OP_NOP = 0,
    OP_COPY = 1,
    OP_FENCE = 5,
    OP_TRAP = 6,
    OP_POLL = 8, /* of memory, or a flush of HDP */
    OP_ATOMIC = 10,
    OP_FILL = 11,
    OP_TIMESTAMP = 13,
    OP_GCR = 17,
    SUB_LINEAR = 0,
    SUB_RECT = 4,
    ATOMIC_ADD64 = 47,
    DWORDS_MAX = 13,
    STEP_PACKETS = 64,
};

struct sdma_packet {
    uint64_t va;
    uint32_t dwords; /* 0: unknown */
    uint32_t w[DWORDS_MAX];
};

/* The length of a packet by its first dword, at most `room` dwords. */
static uint32_t packet_dwords(uint32_t head)
{
    switch (head & 0xff) {
    case OP_NOP:
        return 1 + (head >> 16 & 0x3fff);
    case OP_COPY:
        return (head >> 8 & 0xff) == SUB_LINEAR ? 7 : (head >> 8 & 0xff) == SUB_RECT ? 13 : 0;
    case OP_FENCE:
        return 4;
    case OP_TRAP:
        return 2;
    case OP_POLL:
        return 6;
    case OP_ATOMIC:
        return 8;
    case OP_FILL:
    case OP_GCR:
        return 5;
    case OP_TIMESTAMP:
        return 3;
    default:
        return 0;
    }
}

/* The packet at a byte of the ring's stream; NULL when it is not in memory. */
static const uint32_t *packet_at(struct record_kfd *kfd, const struct record_caller *caller,
                                 const struct record_kfd_queue *queue, uint64_t at, uint64_t end,
                                 struct sdma_packet *packet)
{
    const uint64_t offset = at & (queue->ring_bytes - 1);
    uint64_t room = queue->ring_bytes - offset;
    const uint32_t *words;

    room = room < end - at ? room : end - at;
    packet->va = queue->ring_va + offset;
    words = record_kfd_at(kfd, caller, packet->va, room);
    if (!words)
        return NULL;
    packet->dwords = packet_dwords(words[0]);
    if (packet->dwords > room / 4)
        packet->dwords = 0;
    memset(packet->w, 0, sizeof packet->w);
    packet->w[0] = words[0];
    for (uint32_t i = 0; i < packet->dwords && i < DWORDS_MAX; i++)
        packet->w[i] = words[i];
    return words;
}

static uint64_t address(const uint32_t *low)
{
    return (uint64_t)low[1] << 32 | low[0];
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Memory that a packet waits for or adds to. */
static void tell_value(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va)
{
    const uint64_t aligned = va & ~7ull;
    const uint64_t *at = record_kfd_at(kfd, caller, aligned, sizeof *at);

    if (at)
        record_kfd_tell_value(kfd, caller, aligned, __atomic_load_n(at, __ATOMIC_ACQUIRE));
}

static bool is_poll(const struct sdma_packet *packet)
{
    return (packet->w[0] & 0xff) == OP_POLL && packet->w[0] >> 31;
}

/* Zeros up to the end of the ring are one packet. */
static uint32_t padding(const uint32_t *words, uint64_t room)
{
    uint32_t dwords = 1;

    while (dwords < room && words[dwords] == 0)
        dwords++;
    return dwords;
}

/* Memory that a packet will write, above a real driver. */
static void tell_pending(struct record_kfd *kfd, const struct record_caller *caller,
                         const struct record_kfd_queue *queue, const struct sdma_packet *packet)
{
    const uint32_t *w = packet->w;

    if ((w[0] & 0xff) == OP_FENCE)
        record_kfd_pass_pending(kfd, caller, queue, RECORD_KFD_PENDING_FENCE, address(&w[1]), w[3]);
    else if ((w[0] & 0xff) == OP_ATOMIC && w[0] >> 25 == ATOMIC_ADD64 &&
             address(&w[3]) == UINT64_MAX)
        record_kfd_pass_pending(kfd, caller, queue, RECORD_KFD_PENDING_SIGNAL, address(&w[1]), 0);
    else if (is_poll(packet))
        record_kfd_pass_pending(kfd, caller, queue, RECORD_KFD_PENDING_WATCH,
                                address(&w[1]) & ~7ull, queue->told);
}

void record_kfd_sdma_tell(struct record_kfd *kfd, const struct record_caller *caller,
                          struct record_kfd_queue *queue)
{
    /* No further than once round: a write pointer may be anything. */
    while (queue->told < queue->highest && queue->told - queue->read < queue->ring_bytes) {
        struct sdma_packet packet;
        const uint32_t *words = packet_at(kfd, caller, queue, queue->told, queue->highest, &packet);
        uint64_t room = queue->ring_bytes - (queue->told & (queue->ring_bytes - 1));
        uint32_t dwords = packet.dwords;

        room = room < queue->highest - queue->told ? room : queue->highest - queue->told;
        if (!words)
            return;
        if (words[0] == 0)
            dwords = padding(words, room / 4);
        if (dwords == 0)
            dwords = (uint32_t)(room / 4); /* unknown: all that there is */
        if (is_poll(&packet) || (packet.w[0] & 0xff) == OP_ATOMIC)
            tell_value(kfd, caller, address(&packet.w[1]));
        record_kfd_tell_packet(kfd, caller, queue, TRACE_PACKET_SDMA, queue->told, packet.va, words,
                               dwords * 4);
        tell_pending(kfd, caller, queue, &packet);
        queue->told += (uint64_t)dwords * 4;
    }
}

/* ---- doing ----------------------------------------------------------------------------------- */

/* A sub-window of lines; elements are of 1 << n bytes. */
static void copy_rect(struct record_kfd *kfd, const struct record_caller *caller, const uint32_t *w)
{
    const unsigned log2 = w[0] >> 29;
    const uint64_t from_pitch = (w[4] >> 13) + 1, to_pitch = (w[9] >> 13) + 1;
    const uint64_t from_slice = (uint64_t)(w[5] & 0xfffffff) + 1,
                   to_slice = (uint64_t)(w[10] & 0xfffffff) + 1;
    const uint32_t x = (w[11] & 0x3fff) + 1, y = (w[11] >> 16 & 0x3fff) + 1,
                   z = (w[12] & 0x7ff) + 1;
    const uint32_t from_x = w[3] & 0x3fff, from_y = w[3] >> 16 & 0x3fff, from_z = w[4] & 0x7ff;
    const uint32_t to_x = w[8] & 0x3fff, to_y = w[8] >> 16 & 0x3fff, to_z = w[9] & 0x7ff;

    for (uint32_t k = 0; k < z; k++)
        for (uint32_t j = 0; j < y; j++) {
            const uint64_t from = (from_z + k) * from_slice + (from_y + j) * from_pitch + from_x;
            const uint64_t to = (to_z + k) * to_slice + (to_y + j) * to_pitch + to_x;

            if (!record_kfd_copy(kfd, caller, address(&w[6]) + (to << log2),
                                 address(&w[1]) + (from << log2), (uint64_t)x << log2))
                return;
        }
}

static bool poll_waits(struct record_kfd *kfd, const struct record_caller *caller,
                       const uint32_t *w)
{
    const uint64_t va = address(&w[1]);
    const uint32_t *at = record_kfd_at(kfd, caller, va, sizeof *at);
    const uint32_t wanted = w[3];
    uint32_t value;

    if (!at || record_kfd_is_broken(kfd, RECORD_KFD_FAULT_POLL))
        return false;
    value = __atomic_load_n(at, __ATOMIC_ACQUIRE) & w[4];
    tell_value(kfd, caller, va);
    switch (w[0] >> 28 & 7) {
    case 1:
        return value >= wanted;
    case 2:
        return value > wanted;
    case 3:
        return value != wanted;
    case 4:
        return value == wanted;
    case 5:
        return value < wanted;
    case 6:
        return value <= wanted;
    default:
        return false;
    }
}

static void atomic(struct record_kfd *kfd, const struct record_caller *caller,
                   const struct record_kfd_queue *queue, const uint32_t *w)
{
    uint64_t *at = record_kfd_at(kfd, caller, address(&w[1]), sizeof *at);
    uint64_t value;

    if (!at)
        return;
    if (w[0] >> 25 != ATOMIC_ADD64) {
        record_out_mark(kfd->out, caller, "SDMA's atomic operation %u is not modelled",
                        (unsigned)(w[0] >> 25));
        return;
    }
    value = __atomic_add_fetch(at, address(&w[3]), __ATOMIC_RELEASE);
    record_kfd_tell_gpu_write(kfd, caller, queue, address(&w[1]), TRACE_WHY_SIGNAL, &value,
                              sizeof value);
    record_kfd_told_value(kfd, address(&w[1]), value);
}

static void fence(struct record_kfd *kfd, const struct record_caller *caller,
                  const struct record_kfd_queue *queue, const uint32_t *w)
{
    uint32_t *at = record_kfd_at(kfd, caller, address(&w[1]), sizeof *at);

    if (!at || record_kfd_is_broken(kfd, RECORD_KFD_FAULT_FENCE))
        return;
    __atomic_store_n(at, w[3], __ATOMIC_RELEASE);
    record_kfd_tell_gpu_write(kfd, caller, queue, address(&w[1]), TRACE_WHY_SDMA_FENCE, &w[3],
                              sizeof w[3]);
}

static void timestamp(struct record_kfd *kfd, const struct record_caller *caller,
                      const struct record_kfd_queue *queue, const uint32_t *w)
{
    const uint64_t now = record_kfd_gpu_clock(kfd, queue->gpu);
    void *at = record_kfd_at(kfd, caller, address(&w[1]), sizeof now);

    if (at)
        memcpy(at, &now, sizeof now);
}

static void run(struct record_kfd *kfd, const struct record_caller *caller,
                const struct record_kfd_queue *queue, const uint32_t *w)
{
    switch (w[0] & 0xff) {
    case OP_COPY:
        if ((w[0] >> 8 & 0xff) == SUB_RECT)
            copy_rect(kfd, caller, w);
        else
            (void)record_kfd_copy(kfd, caller, address(&w[5]), address(&w[3]),
                                  (uint64_t)(w[1] & 0x3fffff) + 1);
        break;
    case OP_FENCE:
        fence(kfd, caller, queue, w);
        break;
    case OP_TRAP:
        record_kfd_event_fire(kfd, w[1] & 0xfffffff);
        break;
    case OP_ATOMIC:
        atomic(kfd, caller, queue, w);
        break;
    case OP_FILL:
        (void)record_kfd_fill(kfd, caller, address(&w[1]), w[3], (uint64_t)(w[4] & 0x3fffff) + 1);
        break;
    case OP_TIMESTAMP:
        timestamp(kfd, caller, queue, w);
        break;
    default:
        break; /* caches and padding */
    }
}

/* True when the packet could be taken. */
static bool advance(struct record_kfd *kfd, const struct record_caller *caller,
                    struct record_kfd_queue *queue)
{
    struct sdma_packet packet;
    uint64_t *index;

    if (!packet_at(kfd, caller, queue, queue->read, queue->highest, &packet))
        return false;
    if (packet.dwords == 0) {
        record_out_mark(kfd->out, caller, "SDMA's packet %#x is not modelled: passed over",
                        (unsigned)packet.w[0]);
        queue->read = queue->highest;
    } else if (is_poll(&packet) && poll_waits(kfd, caller, packet.w)) {
        return false;
    } else {
        run(kfd, caller, queue, packet.w);
        queue->read += (uint64_t)packet.dwords * 4;
    }
    index = record_kfd_at(kfd, caller, queue->read_va, sizeof *index);
    if (index)
        __atomic_store_n(index, queue->read, __ATOMIC_RELEASE);
    return true;
}

bool record_kfd_sdma_work(struct record_kfd *kfd, const struct record_caller *caller,
                          struct record_kfd_queue *queue)
{
    for (unsigned done = 0; queue->read < queue->highest; done++)
        if (done == STEP_PACKETS || !advance(kfd, caller, queue))
            return true;
    return false;
}
