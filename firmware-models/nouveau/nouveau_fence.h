/* SPDX-License-Identifier: MIT */
/*
 * The fence that nouveau puts behind each submission: a push-buffer segment of six dwords (INC,
 * SEMAPHOREA-D: release of the next value, sixteen bytes, after a wait for idle, then
 * NON_STALL_INTERRUPT), in the kernel's own push buffer.  On Volta and Turing that is so up to
 * Linux 6.15; later it has eight dwords: SEM_ADDR_LO, HI and PAYLOAD_LO, SEM_EXECUTE (release of
 * four bytes), NON_STALL_INTERRUPT.  Pure functions, shared by the driver model and by `gfe
 * decode`.
 *
 * Source: nouveau nvc0_fence.c, intel-lab-lkp/linux @3499af52, gv100_fence.c, torvalds/linux
 * @74f1af95; nouveau_chan.c, nouveau_dma.h (buffer
 * of 64 KiB whose first 128 bytes are skipped).  ASSUMED: all virtual addresses.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_FENCE_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_FENCE_H

#include <stdint.h>

enum {
    NOUVEAU_PUSH_BYTES = 0x10000,
    NOUVEAU_PUSH_SKIP_BYTES = 128,
    NOUVEAU_FENCE_DWORDS = 6,
    NOUVEAU_FENCE_DWORDS_MAX = 8,
    NOUVEAU_CHANNELS_MAX = 64,
};

/* Of a channel, by its hardware number: its kernel buffer (push buffer, then GPFIFO), and its
 * sixteen bytes of the fence buffer; counted from where the kernel's part of the address space
 * begins, which is 0 unless the client manages it (VM_INIT). */
uint64_t nouveau_buffer_va(uint32_t channel_id);
uint64_t nouveau_fence_va(uint32_t channel_id);
/* Offset in the push buffer of the n-th fence's segment, counted from 0, when each has so many
 * dwords. The buffer is a ring; it cannot overtake the GPFIFO, whose 1024 entries run out first. */
uint32_t nouveau_fence_offset(uint64_t n, uint32_t dword_count);
/* The segment that releases `value` at fence_va. */
void nouveau_fence_segment(uint64_t fence_va, uint32_t value,
                           uint32_t dwords[NOUVEAU_FENCE_DWORDS]);
/* The same with SEM_EXECUTE; NOUVEAU_FENCE_DWORDS_MAX of them. */
void nouveau_fence_segment_sem(uint64_t fence_va, uint32_t value,
                               uint32_t dwords[NOUVEAU_FENCE_DWORDS_MAX]);

#endif
