/* SPDX-License-Identifier: MIT */
/*
 * The fence that nouveau puts after each submission: a push-buffer segment of six dwords (INC,
 * SEMAPHOREA-D: release of the next value, sixteen bytes, after a wait for idle, then
 * NON_STALL_INTERRUPT), in the kernel's own push buffer.  Volta and Turing have that form up to
 * Linux 6.15.  Later the segment has eight dwords: SEM_ADDR_LO, HI and PAYLOAD_LO, SEM_EXECUTE
 * (release of four bytes), NON_STALL_INTERRUPT.  The functions are pure; the driver model and `gfe
 * decode` share them.
 *
 * Source: nouveau nvc0_fence.c, intel-lab-lkp/linux @3499af52, gv100_fence.c, torvalds/linux
 * @74f1af95; nouveau_chan.c, nouveau_dma.h (buffer
 * of 64 KiB whose first 128 bytes are skipped).  ASSUMED: all virtual addresses.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_FENCE_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_FENCE_H

#include <stdint.h>

enum {
    NOUVEAU_PUSH_BYTES = 0x10000,
    NOUVEAU_PUSH_SKIP_BYTES = 128,
    NOUVEAU_FENCE_DWORDS = 6,
    NOUVEAU_FENCE_DWORDS_MAX = 8,
    NOUVEAU_CHANNELS_MAX = 64,
};

/* Return the addresses of a channel's kernel buffer (push buffer, then GPFIFO) and of its sixteen
 * bytes of the fence buffer, by its hardware number.  They count from the beginning of the kernel's
 * part of the address space, which is 0 unless the client manages the space (VM_INIT). */
uint64_t nouveau_buffer_va(uint32_t channel_id);
uint64_t nouveau_fence_va(uint32_t channel_id);
/* Returns the offset in bytes of the n-th fence's segment in the push buffer, counted from 0.  Each
 * segment has dword_count dwords.  The buffer is a ring; it cannot overtake the GPFIFO, whose 1024
 * entries run out first. */
uint32_t nouveau_fence_offset(uint64_t n, uint32_t dword_count);
/* Writes the segment that releases `value` at fence_va. */
void nouveau_fence_segment(uint64_t fence_va, uint32_t value,
                           uint32_t dwords[NOUVEAU_FENCE_DWORDS]);
/* Writes the segment with SEM_EXECUTE, of NOUVEAU_FENCE_DWORDS_MAX dwords. */
void nouveau_fence_segment_sem(uint64_t fence_va, uint32_t value,
                               uint32_t dwords[NOUVEAU_FENCE_DWORDS_MAX]);

#endif
