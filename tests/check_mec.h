/* SPDX-License-Identifier: MIT */
/*
 * A Radeon VII without a driver.  Queues, packets and signals are written by hand into memory, and
 * slots are loaded through registers as the driver loads them.  All memory is 16 MiB of the GPU's
 * own, mapped at MEC_VA for VMIDs 0 and 8.
 */
#ifndef TESTS_CHECK_MEC_H
#define TESTS_CHECK_MEC_H

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_gpu.h"
#include "devices/amd/amd_mec_tables.h"
#include "tests/check_machine.h"

#define MEC_VA         UINT64_C(0x200000000)
#define MEC_BYTES      UINT64_C(0x1000000)
#define MEC_RING(n)    (MEC_VA + UINT64_C(0x10000) * (n))          /* 64 packets, or 1,024 dwords */
#define MEC_PROGRAM(n) (MEC_VA + UINT64_C(0x10000) * (n) + 0x8000) /* amd_queue_t */
#define MEC_MQD(n)     (MEC_VA + UINT64_C(0x10000) * (n) + 0x9000)
#define MEC_SIGNAL(n)  (MEC_VA + 0x800000 + UINT64_C(64) * (n))
#define MEC_KERNEL     (MEC_VA + 0x900000) /* a descriptor: 24 VGPRs, 32 SGPRs */
#define MEC_IB         (MEC_VA + 0xa00000)
#define MEC_DATA       (MEC_VA + 0xb00000)
enum { MEC_PACKETS = 64, MEC_RING_DWORDS = 1024, MEC_VMID = 8 };

struct check_mec {
    struct check_machine log; /* has the machine, and the events once the log is read */
    struct machine *machine;
    struct amd_gpu gpu;
    uint32_t space_id;
    uint64_t written[16]; /* packets or dwords of each ring */
    bool is_aql[16];
    uint32_t interrupts[8], interrupt_count; /* source ids */
    uint32_t left[8], left_count;            /* slots */
    uint32_t rung, rung_count;               /* doorbells of no slot */
};

void check_mec_begin(struct check_mec *check);
void check_mec_end(struct check_mec *check);
void check_mec_run(struct check_mec *check);
/* Runs until until_ps. */
void check_mec_run_to(struct check_mec *check, gfe_ps until_ps);

void check_mec_poke(struct check_mec *check, uint64_t va, const void *data, size_t bytes);
uint64_t check_mec_peek(struct check_mec *check, uint64_t va); /* 8 bytes */
uint32_t check_mec_reg(struct check_mec *check, uint32_t slot_id, uint32_t offset);
void check_mec_set_reg(struct check_mec *check, uint32_t slot_id, uint32_t offset, uint32_t value);

/* Loads a slot with queue n, which has the ring MEC_RING(n) and the doorbell n + 1. */
void check_mec_load(struct check_mec *check, uint32_t slot_id, uint32_t n, bool is_aql);
/* Writes a packet into ring n, its header last.  Rings the doorbell unless `quiet` is true. */
void check_mec_aql(struct check_mec *check, uint32_t n, const uint32_t packet[16], bool quiet);
void check_mec_pm4(struct check_mec *check, uint32_t n, const uint32_t *dwords, uint32_t count);
void check_mec_ring(struct check_mec *check, uint32_t n);

/* Makes a packet that dispatches blocks of 64 threads. */
void check_mec_kernel(uint32_t packet[16], uint32_t blocks, uint64_t signal, bool barrier);
/* Lets some 250 us pass, in which a queue in slot 31 runs a kernel. */
void check_mec_pass(struct check_mec *check);
/* Writes signal n with the given value. */
void check_mec_signal(struct check_mec *check, uint32_t n, uint64_t value);
uint64_t check_mec_signal_value(struct check_mec *check, uint32_t n);

#endif
