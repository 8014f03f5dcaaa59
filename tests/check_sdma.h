/* SPDX-License-Identifier: MIT */
/*
 * The SDMA engines of a Radeon VII without a driver (check_mec.h).  Rings of 4 KiB are written by
 * hand, and queues are loaded through registers as the driver loads them.  Queue q of engine e has
 * doorbell 32 + 8 * e + q.  The last 512 KiB of system memory are mapped at SDMA_SYSTEM.
 */
#ifndef TESTS_CHECK_SDMA_H
#define TESTS_CHECK_SDMA_H

#include "devices/amd/amd_sdma_tables.h"
#include "tests/check_mec.h"

#define SDMA_SYSTEM UINT64_C(0x300000000)
enum { SDMA_SYSTEM_BYTES = 512 << 10, SDMA_RING_BYTES = 4096 };

struct check_sdma {
    struct check_mec mec;
    uint64_t written[2][8]; /* bytes */
    uint32_t sources[8], contexts[8], interrupt_count;
    uint32_t left_count;
};

/* Begins with both engines running and TRAP_ENABLE set. */
void check_sdma_begin(struct check_sdma *check);
void check_sdma_end(struct check_sdma *check);

#define SDMA_RING(e, q)     (MEC_VA + 0xc00000 + UINT64_C(0x10000) * (8 * (e) + (q)))
#define SDMA_DOORBELL(e, q) (32 + 8 * (e) + (q))

/* Get and set a register by its offset: an engine's own, or a queue's by its offset in RLC0. */
uint32_t check_sdma_reg(struct check_sdma *check, uint32_t engine, uint32_t offset);
void check_sdma_set_reg(struct check_sdma *check, uint32_t engine, uint32_t offset, uint32_t value);
/* Loads a queue.  `control` has further bits of RB_CNTL. */
void check_sdma_load(struct check_sdma *check, uint32_t engine, uint32_t queue, uint32_t control);
/* Puts dwords into the ring.  Rings the doorbell unless `quiet` is true. */
void check_sdma_put(struct check_sdma *check, uint32_t engine, uint32_t queue,
                    const uint32_t *dwords, uint32_t count, bool quiet);

#define SDMA(check, e, q, ...)                                                                     \
    check_sdma_put((check), (e), (q), (const uint32_t[]){__VA_ARGS__},                             \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / 4, false)
#define LO(va)                   (uint32_t)(va)
#define HI(va)                   (uint32_t)((va) >> 32)
/* Packets, from the driver's header. */
#define S_COPY(from, to, bytes)  0x1, (bytes)-1, 0, LO(from), HI(from), LO(to), HI(to)
#define S_FILL(to, value, bytes) 0xb | 2u << 30, LO(to), HI(to), (value), (bytes)-1
#define S_FENCE(to, value)       0x5, LO(to), HI(to), (value)
#define S_POLL(at, function, value, mask)                                                          \
    0x8 | (uint32_t)(function) << 28 | 1u << 31, LO(at), HI(at), (value), (mask), 10 | 0xfffu << 16
#define S_INDIRECT(at, dwords) 0x4, LO(at), HI(at), (dwords), 0, 0
#define S_ATOMIC(operation, at, source, compared, loop)                                            \
    0xa | (uint32_t)(loop) << 16 | (uint32_t)(operation) << 25, LO(at), HI(at), LO(source),        \
        HI(source), LO(compared), HI(compared), 0

static inline uint32_t check_sdma_count(struct check_sdma *check, uint32_t kind)
{
    return check_machine_count(&check->mec.log, kind);
}
static inline const struct log_event *check_sdma_event(struct check_sdma *check, uint32_t kind,
                                                       uint32_t n)
{
    return check_machine_event(&check->mec.log, kind, n);
}
static inline uint32_t check_sdma_data(struct check_sdma *check, uint64_t offset)
{
    return (uint32_t)check_mec_peek(&check->mec, MEC_DATA + offset);
}
void check_sdma_set_data(struct check_sdma *check, uint64_t offset, uint32_t value);

#endif
