/* SPDX-License-Identifier: MIT */
/*
 * For fuzz targets: a whole AMD GPU with driver and firmware (emu/sim/amd_node.h) and two
 * processes.
 *
 * The first may do anything: its memory, its queues' rings and doorbells come from the input.  The
 * second has a queue of AQL packets, and one of each of two SDMA engines, with the same work each
 * time.  After each input: the second process's work is done, its memory and the registers of all
 * slots but the first's are byte for byte what they are when the first does nothing.
 *
 * Both processes see their own memory from FUZZ_AMD_VA on, and nothing else.
 */
#ifndef TESTS_FUZZ_FUZZ_AMD_NODE_H
#define TESTS_FUZZ_FUZZ_AMD_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/sim/amd_node.h"
#include "tests/check_machine.h"

enum {
    FUZZ_AMD_VA = 0x10000,
    FUZZ_AMD_BYTES = 0x8000, /* of each process */
    /* Where things are in a process's memory, from FUZZ_AMD_VA on. */
    FUZZ_AMD_AQL = 0,         /* 64 packets */
    FUZZ_AMD_PM4 = 0x1000,    /* 1,024 dwords */
    FUZZ_AMD_SIDE = 0x2000,   /* of the AQL queue: amd_queue_t */
    FUZZ_AMD_SIDE_2 = 0x2800, /* of the PM4 queue */
    FUZZ_AMD_SDMA = 0x3000,   /* 512 dwords, on engine 0 */
    FUZZ_AMD_SDMA_2 = 0x3800, /* on engine 1 */
    FUZZ_AMD_DATA = 0x4000,   /* indirect buffers, kernels, signals, as one likes */
    FUZZ_AMD_KERNEL = 0x6000, /* a sound kernel descriptor, to begin with */
    FUZZ_AMD_SIGNAL = 0x6100, /* a signal of value 100 */
    FUZZ_AMD_SDMA_BYTES = 2048,
    FUZZ_AMD_BANK = AMD_HQD_DWORDS + AMD_COMPUTE_DWORDS,
    /* Doorbells of the SDMA queues, by engine: the first process's, the second's. */
    FUZZ_AMD_SDMA_DOORBELL = 3000,
    FUZZ_AMD_VICTIM_DOORBELL = 3010,
};

enum fuzz_amd_queue { FUZZ_AMD_QUEUE_AQL, FUZZ_AMD_QUEUE_PM4, FUZZ_AMD_VICTIM, FUZZ_AMD_QUEUES };

struct fuzz_amd {
    struct machine *machine;
    struct amd_node node;
    struct machine_mark *mark;
    uint32_t process[2], vmid[2];
    uint32_t queue[FUZZ_AMD_QUEUES], doorbell[FUZZ_AMD_QUEUES], slot[FUZZ_AMD_QUEUES];
    uint32_t free_slot;  /* of MEC1, that no queue is in */
    uint32_t call_ended; /* of the driver: for who waits */
    bool runs_brief;     /* this input of a target: by its bytes */
    enum kfd_result call_result;
    /* What is there when the first process does nothing. */
    gfe_ps calm_ps;
    uint8_t memory[FUZZ_AMD_BYTES];
    uint32_t banks[AMD_SLOTS][FUZZ_AMD_BANK];
};

/* Ends the program unless it is so. */
void fuzz_amd_must(bool so);
/* Makes the machine, which each input begins with, and ends it. */
void fuzz_amd_make(struct fuzz_amd *fuzz);
void fuzz_amd_end(struct fuzz_amd *fuzz);
/* Returns the machine that is kept; it is made at the first call. */
struct fuzz_amd *fuzz_amd_get(void);
/* For an input: the machine is as it was. */
void fuzz_amd_begin(struct fuzz_amd *fuzz);
/* The second process has its work; once. */
void fuzz_amd_work(struct fuzz_amd *fuzz);
/* The first process's memory takes what the input says: a word of 16 bits where (in dwords, of
 * FUZZ_AMD_BYTES), one of how many dwords, these; and so on. */
void fuzz_amd_patch(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes);
/* The first process's memory from FUZZ_AMD_DATA on is unmapped. */
void fuzz_amd_unmap(struct fuzz_amd *fuzz);
/* A call of the driver, to its end, or KFD_PENDING after so many events. */
enum kfd_result fuzz_amd_call(struct fuzz_amd *fuzz, enum kfd_result result, uint32_t steps);
/* So many events at most, or until nothing is left; also ended when the log grows large.  Most
 * inputs of targets get fewer, and one of 16, by its bytes, as many. */
void fuzz_amd_run(struct fuzz_amd *fuzz, uint32_t steps);
/* The second process has come to no harm.  `mine`: bit per slot that is the first's.  `trusts`: the
 * driver has not made its descriptors, so there may be a queue that cannot be taken off. */
void fuzz_amd_check(struct fuzz_amd *fuzz, uint64_t mine, bool trusts);
/* Runs an input on the one machine that is kept; every 64th input, by its bytes, twice, of which
 * the same must come. */
typedef void fuzz_amd_once(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes);
void fuzz_amd_input(fuzz_amd_once *once, const uint8_t *data, size_t bytes);
/* The same once, on a machine wired for it (`fresh`) or on the one that is kept; both come to the
 * same hashes. */
void fuzz_amd_hash(fuzz_amd_once *once, const uint8_t *data, size_t bytes, bool fresh,
                   struct check_machine_hashes *hashes);

#endif
