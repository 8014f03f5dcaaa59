/* SPDX-License-Identifier: MIT */
/*
 * Makes inputs of fuzz_amd_mec, fuzz_amd_sdma, fuzz_amd_mqd and fuzz_record_kfd of the packets that
 * programs and drivers write, and of those that no program should:
 *
 *     tests/fuzz/fuzz_amd_seeds DIRECTORY
 *
 * writes DIRECTORY/amd_mec/NAME and so on.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_hqd_regs.h"
#include "tests/fuzz/fuzz_amd_mec.h"
#include "tests/fuzz/fuzz_amd_mqd.h"
#include "tests/fuzz/fuzz_amd_node.h"
#include "tests/fuzz/fuzz_amd_sdma.h"

enum {
    DATA = FUZZ_AMD_VA + FUZZ_AMD_DATA,
    KERNEL = FUZZ_AMD_VA + FUZZ_AMD_KERNEL,
    SIGNAL = FUZZ_AMD_VA + FUZZ_AMD_SIGNAL,
    IB = DATA + 0x800,
    SEED_BYTES_MAX = 8192,
};
/* A header of type 3: opcode, dwords of the body. */
#define P3(op, n)             (3u << 30 | ((n)-1u) << 16 | (uint32_t)(op) << 8)
#define CALL(at, size, chain) P3(0x3f, 3), (at), 0, (uint32_t)(size) | (chain) << 20 | 1u << 23
#define SH(reg, value)        P3(0x76, 2), ((reg)-0xb000) / 4, (value)
#define WRITE(at, value)      P3(0x37, 4), 5u << 8, (at), 0, (value)
#define RELEASE(at, value)                                                                         \
    P3(0x49, 7), 0x14 | 5u << 8, 1u << 29 | 2u << 24, (at), 0, (value), 0, 0x77
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct seed {
    uint8_t data[SEED_BYTES_MAX];
    size_t bytes;
};

static void must(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "fuzz_amd_seeds: %s\n", what);
        exit(1);
    }
}

static void seed_put(struct seed *seed, const void *data, size_t bytes)
{
    must(seed->bytes + bytes <= sizeof seed->data, "a seed is too large");
    memcpy(seed->data + seed->bytes, data, bytes);
    seed->bytes += bytes;
}

static void seed_head(struct seed *seed, const uint8_t head[8])
{
    seed->bytes = 0;
    seed_put(seed, head, 8);
}

/* Memory of the first process, as fuzz_amd_patch() reads it. */
static void seed_patch(struct seed *seed, uint32_t at, const uint32_t *dwords, size_t count)
{
    const uint16_t head[2] = {(uint16_t)(at / 4), (uint16_t)count};

    seed_put(seed, head, sizeof head);
    seed_put(seed, dwords, 4 * count);
}

static void seed_write(const struct seed *seed, const char *directory, const char *target,
                       const char *name)
{
    char path[1024];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s/%s", directory, target, name);
    file = fopen(path, "wbe");
    must(file && fwrite(seed->data, 1, seed->bytes, file) == seed->bytes, path);
    must(fclose(file) == 0, path);
}

/* ---- compute: AQL ---------------------------------------------------------------------------- */

static void mec_aql(const char *directory)
{
    static const uint32_t packets[][16] = {
        /* a kernel with a signal, behind it a barrier for that, with the barrier bit */
        {2 | 1 << 16, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL, 0, 0, 0, 0, 0, SIGNAL, 0},
        {3 | 1 << 8, 0, DATA, 0, DATA + 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0},
        {5, 0, DATA, 0, SIGNAL, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0},
        /* AMD's: a signal's value; an indirect buffer */
        {0 | 2 << 16, 0, SIGNAL, 0, 50, 0, 0xffffffff, 0, 3, 0, 0, 0, 0, 0, SIGNAL, 0},
        {0 | 1 << 16, P3(0x3f, 3), IB, 0, 27 | 1 << 23, 10, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0},
        {2 | 3 << 16, 8 | 8 << 16, 4, 64, 64, 8, 16, 0, KERNEL, 0, 0, 0, 0, 0, SIGNAL, 0}};
    // clang-format off
    static const uint32_t buffer[] = {SH(0xb848, 5 | 3 << 6), SH(0xb81c, 64), SH(0xb820, 1),
                                      SH(0xb824, 1),          WRITE(DATA + 128, 1),
                                      P3(0x15, 4),            8,
                                      1,                      1,
                                      1,                      P3(0x46, 1),
                                      7 | 4u << 8,            P3(0x10, 2),
                                      0,                      0};
    // clang-format on
    struct seed seed;

    seed_head(&seed, (const uint8_t[8]){0, 6, 0, 0, 8});
    seed_patch(&seed, FUZZ_AMD_AQL, packets[0], 16 * COUNT(packets));
    seed_patch(&seed, FUZZ_AMD_DATA + 0x800, buffer, COUNT(buffer));
    seed_write(&seed, directory, "amd_mec", "aql");
    seed.data[0] = 7; /* far, last, unmapped */
    seed_write(&seed, directory, "amd_mec", "aql-far");
    seed.data[0] = 8;
    seed_write(&seed, directory, "amd_mec", "aql-no-cu");
    seed.data[0] = 16;
    seed_write(&seed, directory, "amd_mec", "aql-destroyed");
}

/* Packets that stop their queue, one each. */
static void mec_aql_refused(const char *directory)
{
    static const struct {
        const char *name;
        uint32_t packet[16];
    } seeds[] = {
        {"agent", {4}},
        {"type-7", {7}},
        {"vendor-9", {0 | 9 << 16}},
        {"no-size", {2, 0, 1, 512, 1, 1, 0, 0, KERNEL}},
        {"no-kernel", {2, 64 | 1 << 16, 1, 512, 1, 1}},
        {"work-group", {2, 0xffffffff, 0xffff, 0xffffffff, 1, 1, 0, 0, KERNEL}},
        {"lds", {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 1 << 20, KERNEL}},
        {"scratch", {2, 64 | 1 << 16, 1, 512, 1, 1, 4096, 0, KERNEL, 0, 0, 0, 0, 0, SIGNAL}},
        {"grid", {2, 1 | 1 << 16, 1, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, KERNEL}},
        {"signal", {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000000, 0}},
        {"buffer", {0 | 1 << 16, P3(0x3f, 3), IB, 0, 0xfffff | 1 << 23, 10}},
    };
    /* queue_inactive_signal, and the side of the queue that it stands in */
    static const uint32_t side[] = {0, 0, 0, 0, 0, 0, SIGNAL, 0},
                          mailbox[] = {1, 0, 0, 0, DATA, 0, 5};

    for (size_t i = 0; i < COUNT(seeds); i++) {
        struct seed seed;

        seed_head(&seed, (const uint8_t[8]){0, 1, 0, 0, 2});
        seed_patch(&seed, FUZZ_AMD_AQL, seeds[i].packet, 16);
        seed_patch(&seed, FUZZ_AMD_SIDE + 0xa8, side, COUNT(side));
        seed_patch(&seed, FUZZ_AMD_SIGNAL, mailbox, COUNT(mailbox));
        seed_write(&seed, directory, "amd_mec", seeds[i].name);
    }
}

/* ---- compute: PM4 ---------------------------------------------------------------------------- */

static void mec_pm4(const char *directory)
{
    // clang-format off
    static const uint32_t ring[] = {
        SH(0xb848, 5 | 3 << 6), SH(0xb81c, 64), SH(0xb820, 1), SH(0xb824, 1), SH(0xb830, KERNEL >> 8),
        P3(0x37, 6), 5u << 8, DATA, 0, 4, 1, 1,                /* WRITE_DATA: a size */
        P3(0x16, 3), DATA, 0, 1,                               /* DISPATCH_INDIRECT */
        P3(0x15, 4), 3, 1, 1, 1,                               /* DISPATCH_DIRECT */
        P3(0x46, 1), 7 | 4u << 8,                              /* EVENT_WRITE: flush */
        P3(0x58, 6), 0, 0, 0, 0, 0, 0,                         /* ACQUIRE_MEM */
        P3(0x40, 5), 1 | 5u << 8, DATA, 0, DATA + 16, 0,       /* COPY_DATA */
        P3(0x40, 5), 9 | 5u << 8 | 1u << 16, 0, 0, DATA + 32, 0,
        P3(0x40, 5), 0 | 5u << 8, 0xc914 / 4, 0, DATA + 40, 0, /* of a register */
        P3(0x1e, 8), 0x2f, DATA, 0, 1, 0, 0, 0, 0,             /* ATOMIC_MEM */
        P3(0x3c, 6), 3 | 1u << 4, DATA + 4, 0, 1, 0xffffffff, 10, /* WAIT_REG_MEM */
        P3(0x3c, 6), 0, 0x2004, 0, 0, 0, 10,
        P3(0x22, 4), DATA + 64, 0, 0, 2, 0x80000000, 0x80000000, /* COND_EXEC */
        P3(0x79, 2), 0x100, 1,                                 /* SET_UCONFIG_REG */
        RELEASE(DATA + 80, 11), CALL(IB, 14, 0u), WRITE(DATA + 8, 3)};
    // clang-format on
    static const uint32_t outer[] = {WRITE(DATA + 96, 1), CALL(IB + 0x100, 5, 0u),
                                     CALL(IB + 0x200, 5, 1u), P3(0x10, 1)};
    static const uint32_t inner[] = {WRITE(DATA + 100, 1)};
    struct seed seed;

    seed_head(&seed, (const uint8_t[8]){0, 0, COUNT(ring), 0, 0, 0, 1});
    seed_patch(&seed, FUZZ_AMD_PM4, ring, COUNT(ring));
    seed_patch(&seed, FUZZ_AMD_DATA + 0x800, outer, COUNT(outer));
    seed_patch(&seed, FUZZ_AMD_DATA + 0x900, inner, COUNT(inner));
    seed_patch(&seed, FUZZ_AMD_DATA + 0xa00, inner, COUNT(inner));
    seed_write(&seed, directory, "amd_mec", "pm4");
    seed.data[0] = 6;
    seed_write(&seed, directory, "amd_mec", "pm4-unmapped");
    seed.data[0] = 16;
    seed_write(&seed, directory, "amd_mec", "pm4-destroyed");
}

static void mec_pm4_refused(const char *directory)
{
    static const struct {
        const char *name;
        uint32_t ring[12];
    } seeds[] = {
        {"opcode", {P3(0xfe, 1), 0}},
        {"type-0", {0x12345}},
        {"self", {CALL(IB, 4, 0u)}},
        {"long-buffer", {CALL(IB, 0xfffff, 0u)}},
        {"empty-buffer", {CALL(IB, 0, 0u)}},
        {"register", {P3(0x79, 2), 0x4000, 1}},
        {"by-data", {P3(0x37, 4), 0, 0xc948 / 4, 0, 3}},
        {"scheduler", {P3(0xa0, 7), 0, 0, 0, 0, 0, 0, 0}},
        {"unmap", {P3(0xa3, 5), 2 << 4, 0, 0, 0, 0}},
        {"blocks", {P3(0x15, 4), 0xffffffff, 0xffffffff, 0xffffffff, 1}},
        {"long-write", {P3(0x37, 0x3ff0), 5u << 8, DATA, 0, 1}},
        {"wait", {P3(0x3c, 6), 3 | 1u << 4, DATA, 0, 1, 0xffffffff, 10}},
    };
    static const uint32_t self[] = {CALL(IB, 4, 1u)};

    for (size_t i = 0; i < COUNT(seeds); i++) {
        struct seed seed;

        seed_head(&seed, (const uint8_t[8]){0, 0, 12, 0, 0, 0, 4});
        seed_patch(&seed, FUZZ_AMD_PM4, seeds[i].ring, COUNT(seeds[i].ring));
        seed_patch(&seed, FUZZ_AMD_DATA + 0x800, self, COUNT(self));
        seed_write(&seed, directory, "amd_mec", seeds[i].name);
        if (strcmp(seeds[i].name, "self") == 0 || strcmp(seeds[i].name, "blocks") == 0 ||
            strcmp(seeds[i].name, "wait") == 0) {
            char name[32];

            (void)snprintf(name, sizeof name, "%s-destroyed", seeds[i].name);
            seed.data[0] = 16;
            seed_write(&seed, directory, "amd_mec", name);
        }
    }
}

/* ---- SDMA ------------------------------------------------------------------------------------ */

static void sdma_ring(const char *directory)
{
    // clang-format off
    static const uint32_t ring[] = {
        0x0,                                                    /* NOP */
        0x1, 1023, 0, DATA, 0, DATA + 0x400, 0,                 /* COPY_LINEAR */
        0x2, DATA + 8, 0, 2, 0x11, 0x22, 0x33,                  /* WRITE_UNTILED */
        0xb | 2u << 30, DATA + 64, 0, 0xabcd, 255,              /* CONSTANT_FILL */
        0x5, DATA + 128, 0, 7,                                  /* FENCE */
        0x6, 0x123,                                             /* TRAP */
        0x8 | 3u << 28 | 1u << 31, DATA + 128, 0, 7, 0xffffffff, 0xfff0004, /* POLL_REGMEM */
        0xa | 0x2fu << 25, DATA + 136, 0, 1, 0, 0, 0, 0,        /* ATOMIC */
        0x9, DATA + 128, 0, 7, 1, 0,                            /* COND_EXE, a NOP */
        0xf | 1u << 16, 1, 0,                                   /* PRE_EXE, a NOP */
        0x20d, DATA + 144, 0,                                   /* TIMESTAMP_GET_GLOBAL */
        0x401 | 2u << 29, DATA, 0, 2 | 1u << 16, 1 | 15u << 13, 255, DATA + 0x1000, 0, 1 | 3u << 16,
        31u << 13, 255, 4 | 3u << 16, 1,                        /* COPY_LINEAR_SUBWIN */
        0x4, IB, 0, 8, 0, 0,                                    /* INDIRECT */
        0x5, DATA + 160, 0, 9};
    // clang-format on
    static const uint32_t buffer[] = {0x5, DATA + 164, 0, 1, 0x5, DATA + 168, 0, 2};
    struct seed seed;

    for (uint8_t flags = 0; flags < 16; flags = (uint8_t)(flags * 2 + !flags)) {
        char name[16];

        seed_head(&seed, (const uint8_t[8]){flags, COUNT(ring), 0, COUNT(ring), 0});
        seed_patch(&seed, FUZZ_AMD_SDMA, ring, COUNT(ring));
        seed_patch(&seed, FUZZ_AMD_SDMA_2, ring, COUNT(ring));
        seed_patch(&seed, FUZZ_AMD_DATA + 0x800, buffer, COUNT(buffer));
        (void)snprintf(name, sizeof name, "ring-%u", flags);
        seed_write(&seed, directory, "amd_sdma", name);
    }
}

static void sdma_refused(const char *directory)
{
    static const struct {
        const char *name;
        uint32_t ring[16];
    } seeds[] = {
        {"opcode", {0xee}},
        {"far-copy", {0x1, 0x3fffff, 0, DATA, 0, DATA + 0x400, 0}},
        {"self", {0x4, IB, 0, 6, 0, 0}},
        {"long-buffer", {0x4, IB, 0, 0xfffff, 0, 0}},
        {"poll", {0x8 | 3u << 28 | 1u << 31, DATA, 0, 7, 0xffffffff, 0xfff0004}},
        {"register", {0xe | 0xfu << 28, 0x4980 / 4, 7}},
        {"rows", {0x401, DATA, 0, 0, 0, 0, DATA + 4, 0, 0, 0, 0, 0x3fff | 0x3fffu << 16, 0x7ff}},
        {"unmapped", {0x5, 0x1000000, 0, 7}},
    };
    static const uint32_t self[] = {0x4, IB, 0, 6, 0, 0};

    for (size_t i = 0; i < COUNT(seeds); i++) {
        struct seed seed;

        seed_head(&seed, (const uint8_t[8]){0, 16, 0, 16, 0});
        seed_patch(&seed, FUZZ_AMD_SDMA, seeds[i].ring, 16);
        seed_patch(&seed, FUZZ_AMD_SDMA_2, seeds[i].ring, 16);
        seed_patch(&seed, FUZZ_AMD_DATA + 0x800, self, COUNT(self));
        seed_write(&seed, directory, "amd_sdma", seeds[i].name);
    }
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static void mqd_one(const char *directory, const char *name, uint32_t offset, uint32_t value)
{
    static const uint32_t packets[2][16] = {
        {2 | 1 << 16, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL, 0, 0, 0, 0, 0, SIGNAL, 0},
        {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0}};
    const uint16_t dword = (uint16_t)(AMD_MQD_HQD + (offset - AMD_HQD_BASE) / 4);
    struct seed seed;
    char path[64];

    for (uint8_t how = 0; how < 3; how++) {
        const uint8_t one = 1;

        seed_head(&seed, (const uint8_t[8]){how, 1, 0});
        seed_put(&seed, &one, 1);
        seed_put(&seed, &dword, sizeof dword);
        seed_put(&seed, &value, sizeof value);
        seed_patch(&seed, FUZZ_AMD_AQL, packets[0], 32);
        (void)snprintf(path, sizeof path, "%s-%u", name, how);
        seed_write(&seed, directory, "amd_mqd", path);
    }
}

static void mqds(const char *directory)
{
    mqd_one(directory, "sound", CP_HQD_PERSISTENT_STATE, 0);
    mqd_one(directory, "no-ring", CP_HQD_PQ_CONTROL, 0x3f);
    mqd_one(directory, "private", CP_HQD_PQ_CONTROL, 1u << CP_HQD_PQ_CONTROL__PRIV_STATE_LO | 9);
    mqd_one(directory, "small", CP_HQD_PQ_CONTROL, 0);
    mqd_one(directory, "base", CP_HQD_PQ_BASE, 0x100000);
    mqd_one(directory, "report", CP_HQD_PQ_RPTR_REPORT_ADDR, 0x4);
    mqd_one(directory, "poll", CP_HQD_PQ_WPTR_POLL_ADDR, FUZZ_AMD_VA - 4);
    mqd_one(directory, "read", CP_HQD_PQ_RPTR, 0xffffffff);
    mqd_one(directory, "pm4", CP_HQD_AQL_CONTROL, 0);
    mqd_one(directory, "doorbell", CP_HQD_PQ_DOORBELL_CONTROL, 0xffffffff);
    mqd_one(directory, "dequeue", CP_HQD_DEQUEUE_REQUEST, 2);
    mqd_one(directory, "active", CP_HQD_ACTIVE, 1);
}

/* ---- the stand-in for KFD -------------------------------------------------------------------- */

static void rk_write(const char *directory, const char *name, const uint8_t *data, size_t bytes)
{
    struct seed seed = {.bytes = 0};

    seed_put(&seed, data, bytes);
    seed_write(&seed, directory, "record_kfd", name);
}
#define RK(name, ...)                                                                              \
    rk_write(directory, (name), (const uint8_t[]){__VA_ARGS__},                                    \
             sizeof((const uint8_t[]){__VA_ARGS__}))
/* Operations of fuzz_record_kfd.c; AT: an address behind the first object's. */
#define RK_AQL                      5, 0
#define RK_SDMA                     5, 1
#define RK_STEPS                    4
#define AT(offset)                  4, (offset)&0xff, (offset) >> 8
#define RK_PACKET(type)             2, 0, (type), 0, 0, 0, 0, 0, 0, 0
#define RK_RING(value)              3, 0, 1, (value)
#define RK_SDMA_PUT(bytes, op, sub) 1, 0, 0x10, (bytes), (op), (sub), 0, 0
#define RK_WORD(value)              (value) & 0xff, (value) >> 8, 0, 0
#define RK_VA(offset)               RK_WORD(offset), 0, 0x7f, 0, 0

static void record_kfd(const char *directory)
{
    RK("barrier", RK_AQL, RK_PACKET(3), AT(0x4000), 0, 0, 0, 0, 0, AT(0x4040), RK_RING(0),
       RK_STEPS);
    RK("barrier-waits", RK_AQL, 1, 8, 0x40, 1, 1, RK_PACKET(5), AT(0x4000), 0, 0, 0, 0, 0,
       AT(0x4040), RK_RING(0), RK_STEPS, 1, 8, 0x40, 1, 0, RK_STEPS);
    RK("kernel", RK_AQL, RK_PACKET(2), 0, 0, 0, AT(0x5000), AT(0x6000), 0, AT(0x4040), RK_RING(0),
       RK_STEPS);
    RK("value", RK_AQL, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, AT(0x4000), 0, 9, 1, 0, 0, 0, AT(0x4040),
       RK_RING(0), RK_STEPS);
    RK("buffer", RK_AQL, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, AT(0x4000), 1, 8, 0, 0, 0, 0, AT(0x4040),
       RK_RING(0), RK_STEPS);
    RK("copy", RK_SDMA, RK_SDMA_PUT(44, 1, 0), RK_WORD(0xff), RK_WORD(0), RK_VA(0x4000),
       RK_VA(0x5000), 5, 0, 0, 0, RK_VA(0x4100), 7, 0, 0, 0, RK_RING(44), RK_STEPS);
    RK("fill", RK_SDMA, RK_SDMA_PUT(20, 11, 0), RK_VA(0x4000), 1, 2, 3, 4, RK_WORD(0xff),
       RK_RING(20), RK_STEPS);
    RK("poll", RK_SDMA, 1, 0, 0x10, 24, 8, 0, 0, 0xb0, RK_VA(0x4000), RK_WORD(1), 255, 0, 0, 0, 0,
       0, 0, 0, RK_RING(24), RK_STEPS, 1, 0, 0x40, 1, 1, RK_STEPS);
    /* Not whole dwords: an engine does not see the rest. */
    RK("odd-doorbell", RK_SDMA, RK_SDMA_PUT(8, 5, 0), 5, 0, 0, 0, RK_RING(6), RK_STEPS, RK_RING(2),
       RK_STEPS);
    for (uint8_t nr = 0; nr <= 0x24; nr++) {
        const uint8_t all[] = {0, nr, 96 - 33, 6, 4, 0, 16, 6, 1, 1, 1, 5,  0, 6, 1, 16, 7,
                               0, 0,  6,       1, 1, 2, 16, 0, 0, 0, 0, nr, 0, 3, 1, 1,  6};
        char name[16];

        (void)snprintf(name, sizeof name, "call-%02x", nr);
        rk_write(directory, name, all, sizeof all);
    }
}

int main(int argc, char **argv)
{
    must(argc == 2, "usage: fuzz_amd_seeds DIRECTORY");
    mec_aql(argv[1]);
    mec_aql_refused(argv[1]);
    mec_pm4(argv[1]);
    mec_pm4_refused(argv[1]);
    sdma_ring(argv[1]);
    sdma_refused(argv[1]);
    mqds(argv[1]);
    record_kfd(argv[1]);
    return 0;
}
