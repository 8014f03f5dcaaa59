/* SPDX-License-Identifier: MIT */
/*
 * What the parts of an SDMA engine (amd_sdma.h) are to each other:
 *
 *     amd_sdma.c          whose packet is taken up next, doorbells
 *     amd_sdma_queue.c    queues are loaded and left, by registers or not
 *     amd_sdma_slot.c     by the firmware, with a descriptor
 *     amd_sdma_memory.c   memory as a queue sees it, and faults
 *     amd_sdma_fetch.c    where packets come from, what holds them up
 *     amd_sdma_effect.c   what they do
 *     amd_sdma_copy.c     copies and fills: time, and bytes
 *     amd_sdma_open.c     what is held when nothing is left to do
 */
#ifndef GFE_DEVICES_AMD_AMD_SDMA_PRIVATE_H
#define GFE_DEVICES_AMD_AMD_SDMA_PRIVATE_H

#include "devices/amd/amd_sdma.h"
#include "devices/amd/formats/amd_sdma_packet.h"

/* Events. */
enum amd_sdma_event {
    AMD_SDMA_PACKET, /* argument: queue; its packet has been worked on */
    AMD_SDMA_RUNG,   /* argument: queue << 58 | generation << 48 | write pointer */
    AMD_SDMA_COPIED, /* the timer: a step's bytes have come */
    AMD_SDMA_POLLED, /* argument: queue << 32 | generation; its write pointer is looked at */
    AMD_SDMA_WATCH,  /* + queue; argument: generation; what it polls has been written */
    /* + queue; argument: generation; the polled copy of its write pointer has been written */
    AMD_SDMA_WRITE_POINTER = AMD_SDMA_WATCH + AMD_SDMA_QUEUES_MAX,
};

/* What came of a packet. */
enum amd_sdma_result {
    AMD_SDMA_DONE,
    AMD_SDMA_WAITS, /* it blocks its queue, or is not all there */
    AMD_SDMA_STOPS, /* the queue has been stopped */
    AMD_SDMA_MOVES, /* bytes are under way */
};

static inline struct amd_sdma_queue *amd_sdma_queue(const struct amd_sdma *sdma, uint32_t queue_id)
{
    return &sdma->state->queues[queue_id];
}

/* ---- amd_sdma.c ------------------------------------------------------------------------------ */

void amd_sdma_interrupt(struct amd_sdma *sdma, uint32_t queue_id, uint32_t source_id,
                        uint32_t context_id);
/* The queue stops for good; source_id: interrupt, 0 = none. */
void amd_sdma_stop(struct amd_sdma *sdma, uint32_t queue_id, uint32_t source_id);
/* It waits by that rule; one wait that goes on is one. */
void amd_sdma_block(struct amd_sdma *sdma, uint32_t queue_id, uint32_t rule, uint64_t address);
/* Its wait, if any, is over. */
void amd_sdma_unblock(struct amd_sdma *sdma, uint32_t queue_id);
/* The engine looks for a packet to take up. */
void amd_sdma_turn(struct amd_sdma *sdma);
/* The packet that was worked on is over. */
void amd_sdma_finished(struct amd_sdma *sdma, uint32_t queue_id, enum amd_sdma_result result);
/* The write pointer is that, or has been. */
void amd_sdma_written(struct amd_sdma *sdma, uint32_t queue_id, uint64_t write);

/* ---- amd_sdma_queue.c ------------------------------------------------------------------------ */

/* A register of a queue, by RLC0's offset; there must be windows. */
uint32_t *amd_sdma_reg(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset);
/* Its registers: where the read pointer is, and what the engine does with it. */
void amd_sdma_show(struct amd_sdma *sdma, uint32_t queue_id);
void amd_sdma_leave(struct amd_sdma *sdma, uint32_t queue_id);
bool amd_sdma_halted(const struct amd_sdma *sdma);
bool amd_sdma_traps(const struct amd_sdma *sdma);
void amd_sdma_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                    uint32_t written);
void amd_sdma_add_windows(struct amd_sdma *sdma);
/* Looks for the write pointer in memory, now and when it changes. */
void amd_sdma_poll(struct amd_sdma *sdma, uint32_t queue_id);

/* ---- amd_sdma_slot.c ------------------------------------------------------------------------- */

/* The queue leaves: what it is goes back into its descriptor. */
void amd_sdma_save(struct amd_sdma *sdma, uint32_t queue_id);

/* ---- amd_sdma_memory.c ----------------------------------------------------------------------- */

/* Accesses memory in the address space of the queue's VMID.  Returns false if nothing is mapped
 * there; the queue has been stopped then. */
bool amd_sdma_read(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, void *data,
                   size_t bytes);
bool amd_sdma_store(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, const void *data,
                    size_t bytes);
/* Is the address in system memory? */
bool amd_sdma_is_system(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address);
/* An event of that kind when four bytes there are written. */
bool amd_sdma_watch(struct amd_sdma *sdma, uint32_t queue_id, uint32_t kind, uint64_t address);

/* ---- amd_sdma_fetch.c ------------------------------------------------------------------------ */

/* Dwords from here to the end of what has been written. */
uint64_t amd_sdma_left(const struct amd_sdma *sdma, uint32_t queue_id);
uint64_t amd_sdma_address(const struct amd_sdma *sdma, uint32_t queue_id, uint64_t ahead_dwords);
/* Reads bytes of the ring or buffer, from `ahead` bytes behind the packet's first dword on. */
bool amd_sdma_read_ahead(struct amd_sdma *sdma, uint32_t queue_id, uint64_t ahead, void *data,
                         uint32_t bytes);
/* Moves on; buffers that are at their end return. */
void amd_sdma_skip(struct amd_sdma *sdma, uint32_t queue_id, uint64_t dwords);
/* May the queue's packet be taken up?  It is logged if so. */
enum amd_sdma_result amd_sdma_fetch(struct amd_sdma *sdma, uint32_t queue_id);
/* The packet, whose fields go into `dwords`. */
enum amd_sdma_result amd_sdma_packet(struct amd_sdma *sdma, uint32_t queue_id,
                                     uint32_t dwords[AMD_SDMA_FIELD_DWORDS],
                                     struct amd_packet *packet);

/* ---- amd_sdma_effect.c, amd_sdma_copy.c ------------------------------------------------------ */

enum amd_sdma_result amd_sdma_execute(struct amd_sdma *sdma, uint32_t queue_id);
/* The job that lies in the state begins: all of it but copy_id and where it is has been filled in.
 */
enum amd_sdma_result amd_sdma_begin_job(struct amd_sdma *sdma, uint32_t queue_id);
/* AMD_SDMA_COPIED */
void amd_sdma_copied(struct amd_sdma *sdma);

/* ---- amd_sdma_open.c ------------------------------------------------------------------------- */

/* unit_ops.finish */
void amd_sdma_finish(void *sdma);

#endif
