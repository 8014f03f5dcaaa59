/* SPDX-License-Identifier: MIT */
/*
 * The SDMA engines of a gfx9 chip: they copy and fill memory for programs and the driver.
 *
 * An engine has queues (RLC0 up).  Each has a ring of SDMA packets in memory, a read and a write
 * pointer that count bytes, and a doorbell.  The engine works on one packet at a time, and turns
 * from queue to queue (AMD.SDMA_ENGINE, amd.sdma_turn).  A packet lies in the ring or in the
 * indirect buffer that the ring calls.  Copies take the time of devices/core/copy.h: the engine's
 * own rate, the link to system memory, the local memory.  Engines that copy at the same time share
 * these (copy_share.h).  Long copies are done in steps.  The bytes of a step are in memory when its
 * time is over, so a fault in the middle leaves the earlier steps done.
 *
 * Only the queue with an error stops: with an interrupt at an invalid packet or one that programs
 * may not use, with a VM fault at an unmapped address.
 *
 * A queue is loaded by registers, RB_ENABLE last, or by the scheduling firmware from a memory queue
 * descriptor (amd_sdma_mqd.h).  It is saved into that descriptor when it leaves, also in the middle
 * of an indirect buffer.  Registers: those of SDMA 4.2 (Vega 20), at the bases of amd_sdma_regs.h.
 * The engines of other chips have no registers here, and are never halted. (MI100 and MI210 have
 * two engines, and six or three for links to other GPUs, which the model treats alike.)
 *
 * Packets with effect: NOP, COPY_LINEAR, COPY_LINEAR_SUBWIN (rectangles), WRITE_UNTILED, INDIRECT,
 * FENCE, TRAP, POLL_REGMEM of memory, COND_EXE, PRE_EXE, ATOMIC (add, subtract, swap, compare and
 * swap), CONSTANT_FILL, TIMESTAMP_*, SRBM_WRITE in queues of the driver (RB_PRIV).  Without effect,
 * as caches are not modelled: HDP_FLUSH.  This and other known packets are logged each time
 * (amd_effect.h) and skipped.
 *
 * Sources: amdgpu driver sdma_v4_0.c, vega10_sdma_pkt_open.h, irqsrcs_sdma0_4_0.h,
 * soc15_ih_clientid.h, amdgpu_amdkfd_gfx_v9.c (loading a queue); ROCR-Runtime amd_blit_sdma.cpp
 * (what a program writes).  ASSUMED: all times and rates; one level of indirect buffers; the read
 * pointer moves, and is reported, when a packet is complete, and for INDIRECT when the buffer
 * begins; polling continues for ever, whatever the retry count; the number of the interrupt of a
 * bad opcode; overlapping copies go from low addresses to high ones; up to 16 NOPs of one dword,
 * with which a ring's end is filled, are one packet; the firmware loads a descriptor in no time,
 * leaves IB_CNTL unchanged, and reads the write pointer where the program has it.  Not modelled:
 * the driver's own GFX and PAGE rings, tiled surfaces, polling registers, preemption inside a
 * packet, FREEZE, AQL rings.
 */
#ifndef GFE_DEVICES_AMD_AMD_SDMA_H
#define GFE_DEVICES_AMD_AMD_SDMA_H

#include "devices/amd/amd_mec.h" /* enum amd_queue_phase */
#include "devices/amd/amd_vm.h"
#include "devices/core/copy_share.h"

enum {
    AMD_SDMA_ENGINES_MAX = 8,
    AMD_SDMA_QUEUES_MAX = 8,
    AMD_SDMA_STEP_BYTES = 256 << 10, /* of a copy, in one step */
    AMD_SDMA_STEP_ROWS = 1024,
    AMD_SDMA_FIELD_DWORDS = 16, /* of a packet, without its data */
};

/* Interrupt sources of the engines' clients; a client is AMD_IH_CLIENT_SDMA0 + engine. */
enum {
    AMD_IH_CLIENT_SDMA0 = 0x08,
    AMD_IH_SDMA_TRAP = 224,
    AMD_IH_SDMA_BAD_OPCODE = 241, /* ASSUMED: as in older engines */
    AMD_IH_SDMA_SRBM_WRITE = 247,
};

/* A ring to be loaded.  Addresses are virtual, of the VMID. */
struct amd_sdma_ring {
    uint64_t address, byte_count; /* byte_count: a power of two, at least 4 */
    uint64_t read, write;         /* in bytes since the start */
    uint64_t read_report;         /* where the read pointer is written, 8 bytes; 0 for no report */
    uint64_t write_poll;          /* where the write pointer is polled; 0 for no polling */
    uint32_t vmid, doorbell_index;
    bool has_doorbell;
    bool is_private;      /* true for a ring of the kernel driver */
    bool keeps_in_buffer; /* true if the engine does not turn to others inside an indirect buffer */
    /* in the space of VMID 0, for saving when it leaves; 0 for no descriptor */
    uint64_t mqd_address;
    uint64_t buffer; /* indirect buffer that it was in: address, dwords, dwords done */
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
    uint64_t buffer; /* indirect buffer: address, dwords, dwords done; 0 dwords if there is none */
    uint32_t buffer_dwords, buffer_at;
    uint32_t vmid, doorbell_index, has_doorbell, is_private, keeps_in_buffer;
    uint32_t phase;      /* enum amd_queue_phase */
    uint32_t block_rule; /* rule for which it waits since blocked_ps */
    uint32_t leaving;
    uint32_t generation; /* counts its times here: older watches and events are ignored */
    uint32_t passed;     /* 1 if the current packet has passed the sites of injected faults */
    /* bits of the packet that injected faults have inverted */
    uint32_t inverted[AMD_SDMA_FIELD_DWORDS];
    gfe_ps blocked_ps;
    uint64_t block_address; /* address that is polled */
};

/* One side of a copy.  The address of row y of slice z is base + z * slice + y * pitch. */
struct amd_sdma_side {
    uint64_t base, pitch, slice;
};

/* Bytes that the engine moves for the current packet. */
struct amd_sdma_job {
    struct amd_sdma_side from, to;
    uint64_t row_bytes;
    uint64_t byte_count; /* of the whole packet */
    uint64_t at;         /* bytes of the row that are done */
    uint64_t step_bytes; /* bytes of each row in the current step */
    uint64_t copy_id;
    /* speed logged last, in units of 1 / COPY_SPEED_FULL */
    uint64_t told_speed;
    uint32_t kind, dwords;                       /* dwords: of the packet */
    uint32_t row_count, slice_count, row, slice; /* row, slice: current place */
    uint32_t step_rows;
    uint32_t value; /* of a FILL */
};

struct amd_sdma_state {
    struct amd_sdma_queue queues[AMD_SDMA_QUEUES_MAX];
    struct amd_sdma_job job;
    struct copy_carry carry;
    uint64_t clock_offset; /* set by TIMESTAMP_SET */
    uint32_t turn;         /* queue of which a packet was taken up last */
    uint32_t busy;
};

struct amd_sdma_links_state {
    struct copy_flow flows[AMD_SDMA_ENGINES_MAX];
};
GFE_STATE_END

struct amd_sdma;

/* Resources that the engines of a GPU share. */
struct amd_sdma_links {
    struct amd_sdma *engines;
    uint32_t engine_count;
    struct amd_sdma_links_state *state;
};

struct amd_sdma_client {
    /* Reports an interrupt that has gone to the IH ring, for listeners other than the kernel
     * driver.  May be NULL. */
    void (*interrupt)(void *client, uint32_t client_id, uint32_t source_id, uint32_t ring_id,
                      uint32_t vmid, uint32_t context_id);
    /* Reports that a queue is empty again.  May be NULL. */
    void (*left)(void *client, uint32_t engine, uint32_t queue_id);
    /* Reports that an idle queue has got work.  May be NULL. */
    void (*rung)(void *client);
    void *client;
};

struct amd_sdma {
    struct machine *machine;
    const struct amd_chip *chip;
    const struct amd_vm *vm;
    struct amd_ih *ih; /* destination of interrupts and page faults; NULL if there is none */
    struct amd_sdma_links *links;
    struct amd_sdma_state *state;
    struct amd_sdma_client client;
    struct mmio_window *window, *queue_window;
    const struct amd_sdma_place *place; /* of the queues' registers on this chip */
    uint32_t engine, unit, timer;
};

/* Adds all engines of a chip as units, with amd_sdma_tables. */
void amd_sdma_wire(struct amd_sdma engines[AMD_SDMA_ENGINES_MAX], struct amd_sdma_links *links,
                   struct machine *machine, const struct amd_chip *chip, const struct amd_vm *vm);

/* Load and unload a ring. amd_sdma_load() returns false if the queue has a ring, or if the ring is
 * invalid.  An unloaded queue leaves after the engine's current packet; client.left() reports it.
 */
bool amd_sdma_load(struct amd_sdma *sdma, uint32_t queue_id, const struct amd_sdma_ring *ring);
void amd_sdma_unload(struct amd_sdma *sdma, uint32_t queue_id);

/* Unloads all queues of the engine and drops its current copy. */
void amd_sdma_reset(struct amd_sdma *sdma);

/* Lets the firmware load a queue from a descriptor in the space of VMID 0.  The write pointer is
 * read at write_address of the VMID's space, or from the descriptor if that is 0 or unmapped.
 * amd_sdma_unload() saves the queue into the descriptor.  Returns false if the queue has a ring, or
 * if the descriptor cannot be read or is invalid. */
bool amd_sdma_map(struct amd_sdma *sdma, uint32_t queue_id, uint64_t mqd_address,
                  uint64_t write_address, uint32_t vmid);

/* Returns true if the queue has something to do, or incomplete work. */
bool amd_sdma_busy(const struct amd_sdma *sdma, uint32_t queue_id);

/* Returns the offset of a queue's register, given SDMA 4.2's offset of the register in RLC0. */
uint32_t amd_sdma_register(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset);

/* Stores 64 bits to a doorbell, by its number.  Returns false if no queue of this engine has that
 * doorbell. */
bool amd_sdma_doorbell(struct amd_sdma *sdma, uint32_t doorbell_index, uint64_t value);

#endif
