/* SPDX-License-Identifier: MIT */
/*
 * The SDMA engines of a gfx9 chip: they copy and fill memory for programs and the driver.
 *
 * An engine has queues (RLC0 up), each with a ring of SDMA packets in memory, a read and a write
 * pointer that count bytes, and a doorbell.  It works on one packet at a time, and turns from queue
 * to queue (AMD.SDMA_ENGINE, amd.sdma_turn).  A packet lies in the ring or in the indirect buffer
 * that the ring calls.  Copies take the time of devices/core/copy.h: the engine's own rate, the
 * link to system memory, the local memory; engines that copy at the same time share these
 * (copy_share.h).  Long ones are done in steps, whose bytes are in memory when the step's time is
 * over: a fault in the middle leaves what was done before.
 *
 * A queue stops, and only that queue: with an interrupt where a packet is none or not for programs,
 * with a VM fault where nothing is mapped.
 *
 * A queue is loaded by registers, RB_ENABLE last, or by the scheduling firmware from a memory queue
 * descriptor (amd_sdma_mqd.h), into which it is saved when it leaves, also in the middle of an
 * indirect buffer.  Registers: those of SDMA 4.2 (Vega 20), at the bases of amd_sdma_regs.h.  The
 * engines of other chips (MI100 and MI210: two, and six or three for links to other GPUs, which the
 * model makes alike) have none here, and are never halted.
 *
 * Packets with effect: NOP, COPY_LINEAR, COPY_LINEAR_SUBWIN (rectangles), WRITE_UNTILED, INDIRECT,
 * FENCE, TRAP, POLL_REGMEM of memory, COND_EXE, PRE_EXE, ATOMIC (add, subtract, swap, compare and
 * swap), CONSTANT_FILL, TIMESTAMP_*, SRBM_WRITE in queues of the driver's (RB_PRIV).  Without any,
 * as caches are not modelled: HDP_FLUSH, GCR.  Other known packets are reported, once each, and
 * passed over.
 *
 * Sources: amdgpu driver sdma_v4_0.c, vega10_sdma_pkt_open.h, irqsrcs_sdma0_4_0.h,
 * soc15_ih_clientid.h, amdgpu_amdkfd_gfx_v9.c (loading a queue); ROCR-Runtime amd_blit_sdma.cpp
 * (what a program writes). ASSUMED: all times and rates; one level of indirect buffers; the read
 * pointer moves, and is reported, when a packet is complete, INDIRECT's when the buffer begins;
 * polling goes on for ever, whatever the retry count; the number of the interrupt of a bad opcode;
 * that overlapping copies go from low addresses to high ones; up to 16 NOPs of one dword, with
 * which a ring's end is filled, are one packet; the firmware loads a descriptor in no time, leaves
 * IB_CNTL as it is, and reads the write pointer where the program has it.  Not modelled: the
 * driver's own GFX and PAGE rings, tiled surfaces, polling registers, preemption inside a packet,
 * FREEZE, AQL rings.
 */
#ifndef GFE_DEVICES_AMD_AMD_SDMA_H
#define GFE_DEVICES_AMD_AMD_SDMA_H

#include "devices/amd/amd_mec.h" /* enum amd_queue_phase */
#include "devices/amd/amd_vm.h"
#include "devices/core/copy_share.h"

enum {
    AMD_SDMA_ENGINES_MAX = 8,
    AMD_SDMA_QUEUES_MAX = 8,
    AMD_SDMA_STEP_BYTES = 256 << 10, /* of a copy, at once */
    AMD_SDMA_STEP_ROWS = 1024,
    AMD_SDMA_FIELD_DWORDS = 16, /* of a packet, without its data */
};

/* Interrupt sources of the engines' clients, AMD_IH_CLIENT_SDMA0 + engine. */
enum {
    AMD_IH_CLIENT_SDMA0 = 0x08,
    AMD_IH_SDMA_TRAP = 224,
    AMD_IH_SDMA_BAD_OPCODE = 241, /* ASSUMED: as older engines have it */
    AMD_IH_SDMA_SRBM_WRITE = 247,
};

/* A ring to be loaded.  Addresses are virtual, of the VMID. */
struct amd_sdma_ring {
    uint64_t address, byte_count; /* byte_count: a power of two, at least 4 */
    uint64_t read, write;         /* in bytes, ever */
    uint64_t read_report;         /* where the read pointer is written, 8 bytes; 0: nowhere */
    uint64_t write_poll;          /* where the write pointer is looked for; 0: nowhere */
    uint32_t vmid, doorbell_index;
    bool has_doorbell;
    bool is_private;      /* of the kernel driver */
    bool keeps_in_buffer; /* the engine does not turn to others inside an indirect buffer */
    uint64_t mqd_address; /* in the space of VMID 0, where it is saved when it leaves; 0: nowhere */
    uint64_t buffer;      /* indirect buffer that it was in: address, dwords, dwords done */
    uint32_t buffer_dwords, buffer_at;
};

enum amd_sdma_job_kind {
    AMD_SDMA_NO_JOB,
    AMD_SDMA_JOB_COPY,
    AMD_SDMA_JOB_FILL,
    AMD_SDMA_JOB_WRITE
};

GFE_STATE_BEGIN
struct amd_sdma_queue {
    uint64_t address, byte_count, read, write, read_report, write_poll;
    uint64_t mqd_address;
    uint64_t buffer; /* indirect buffer: address, dwords, dwords done; none of 0 dwords */
    uint32_t buffer_dwords, buffer_at;
    uint32_t vmid, doorbell_index, has_doorbell, is_private, keeps_in_buffer;
    uint32_t phase;      /* enum amd_queue_phase */
    uint32_t block_rule; /* what it waits for, since blocked_ps */
    uint32_t leaving;
    uint32_t generation; /* of its time here: older watches and events mean nothing */
    uint32_t passed;     /* the packet at hand has passed where faults are injected, which have */
    uint32_t inverted[AMD_SDMA_FIELD_DWORDS]; /* inverted these bits of it */
    gfe_ps blocked_ps;
    uint64_t block_address; /* what is polled */
};

/* One side: address of row y of slice z is base + z * slice + y * pitch. */
struct amd_sdma_side {
    uint64_t base, pitch, slice;
};

/* Bytes that the engine moves for the packet that it works on. */
struct amd_sdma_job {
    struct amd_sdma_side from, to;
    uint64_t row_bytes;
    uint64_t byte_count; /* all */
    uint64_t at;         /* bytes of the row that are done */
    uint64_t step_bytes; /* of each row, in the step under way */
    uint64_t copy_id;
    uint64_t told_speed;                         /* of COPY_SPEED_FULL */
    uint32_t kind, dwords;                       /* of the packet */
    uint32_t row_count, slice_count, row, slice; /* row, slice: where it is */
    uint32_t step_rows;
    uint32_t value; /* FILL */
};

struct amd_sdma_state {
    struct amd_sdma_queue queues[AMD_SDMA_QUEUES_MAX];
    struct amd_sdma_job job;
    struct copy_carry carry;
    uint64_t clock_offset; /* TIMESTAMP_SET */
    uint64_t unmodelled;   /* packets without effect that were reported, by layout */
    uint32_t turn;         /* queue of which a packet was taken up last */
    uint32_t busy;
};

struct amd_sdma_links_state {
    struct copy_flow flows[AMD_SDMA_ENGINES_MAX];
};
GFE_STATE_END

struct amd_sdma;

/* What the engines of a GPU share. */
struct amd_sdma_links {
    struct amd_sdma *engines;
    uint32_t engine_count;
    struct amd_sdma_links_state *state;
};

struct amd_sdma_client {
    /* An interrupt has gone to the IH ring, for who listens beside the kernel driver; may be NULL.
     */
    void (*interrupt)(void *client, uint32_t client_id, uint32_t source_id, uint32_t ring_id,
                      uint32_t vmid, uint32_t context_id);
    /* A queue is empty again; may be NULL. */
    void (*left)(void *client, uint32_t engine, uint32_t queue_id);
    /* An idle queue has got work; may be NULL. */
    void (*rung)(void *client);
    void *client;
};

struct amd_sdma {
    struct machine *machine;
    const struct amd_chip *chip;
    const struct amd_vm *vm;
    struct amd_ih *ih; /* where interrupts and page faults go; NULL: nowhere */
    struct amd_sdma_links *links;
    struct amd_sdma_state *state;
    struct amd_sdma_client client;
    struct mmio_window *window, *queue_window;
    uint32_t engine, unit, timer;
};

/* Adds all engines of a chip as units, with amd_sdma_tables. */
void amd_sdma_wire(struct amd_sdma engines[AMD_SDMA_ENGINES_MAX], struct amd_sdma_links *links,
                   struct machine *machine, const struct amd_chip *chip, const struct amd_vm *vm);

/* A queue gets a ring; false: it has one, or the ring is none.  Unloaded, it leaves after the
 * packet that the engine works on (client.left() tells). */
bool amd_sdma_load(struct amd_sdma *sdma, uint32_t queue_id, const struct amd_sdma_ring *ring);
void amd_sdma_unload(struct amd_sdma *sdma, uint32_t queue_id);

/* All queues of the engine leave; what it copies is dropped. */
void amd_sdma_reset(struct amd_sdma *sdma);

/* The firmware loads a queue from a descriptor in the space of VMID 0; what has been written to the
 * ring stands at write_address of the VMID's space (0, or nothing mapped: in the descriptor).
 * amd_sdma_unload() saves it there.  False: the queue has a ring, or the descriptor cannot be read
 * or is of none. */
bool amd_sdma_map(struct amd_sdma *sdma, uint32_t queue_id, uint64_t mqd_address,
                  uint64_t write_address, uint32_t vmid);

/* The queue has something to do, or not done. */
bool amd_sdma_busy(const struct amd_sdma *sdma, uint32_t queue_id);

/* Where a queue's register is, by SDMA 4.2's offset of RLC0's. */
uint32_t amd_sdma_register(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset);

/* A store of 64 bits to a doorbell, by its number; false: it is of no queue of this engine. */
bool amd_sdma_doorbell(struct amd_sdma *sdma, uint32_t doorbell_index, uint64_t value);

#endif
