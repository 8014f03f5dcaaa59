/* SPDX-License-Identifier: MIT */
/*
 * The registers of the graphics and compute block of a gfx9 chip, as the kernel driver sees them:
 * their places, and which of them exist many times.
 *
 * GRBM_GFX_CNTL selects a micro engine, pipe, queue and VMID.  The window of hardware queue slots
 * (CP_HQD_*, amd_hqd_regs.h) and the dispatch registers (COMPUTE_*) then show the registers of that
 * slot.  The selected ones lie in the window's own storage, the others in banks; amd_gc_hqd() and
 * amd_gc_compute() find either.  The dispatch registers have a bank for each slot, because packets
 * of compute queues set them for their queue (ASSUMED: hardware has them once in each pipe and
 * saves them between queues).
 *
 * Not modelled: banks by GRBM_GFX_INDEX (all shader engines show the same), by VMID, and of pipes
 * (CPC_INT_CNTL, CP_HPD_*): these registers exist once.
 */
#ifndef GFE_DEVICES_AMD_AMD_GC_H
#define GFE_DEVICES_AMD_AMD_GC_H

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "emu/engine/machine.h"

enum {
    AMD_MECS = 2,
    AMD_SLOTS = AMD_MECS * AMD_PIPES_MAX * AMD_QUEUES_PER_PIPE_MAX,
    AMD_HQD_BANK_DWORDS = 64, /* at least AMD_HQD_DWORDS, a power of two */
    AMD_COMPUTE_BASE = COMPUTE_DISPATCH_INITIATOR,
    AMD_COMPUTE_DWORDS = 128,
    AMD_NO_SLOT = UINT32_MAX,
};

/* Returns the number of a slot: (me - 1) * 32 + pipe * 8 + queue. */
static inline uint32_t amd_slot_id(uint32_t me, uint32_t pipe, uint32_t queue)
{
    return ((me - 1) * AMD_PIPES_MAX + pipe) * AMD_QUEUES_PER_PIPE_MAX + queue;
}

GFE_STATE_BEGIN
struct amd_gc_state {
    uint32_t selected; /* slot whose registers are in the windows; AMD_NO_SLOT means none */
    uint32_t reserved;
    uint32_t hqds[AMD_SLOTS][AMD_HQD_BANK_DWORDS];
    uint32_t computes[AMD_SLOTS][AMD_COMPUTE_DWORDS];
};
GFE_STATE_END

struct amd_gc_client {
    /* Reports that CP_HQD_ACTIVE of a slot was written with 1 and was 0 before. */
    void (*activate)(void *client, uint32_t slot_id);
    /* Reports that CP_HQD_DEQUEUE_REQUEST of an active slot was written with a request. */
    void (*dequeue)(void *client, uint32_t slot_id, uint32_t request);
    /* Asks for one read of that MEC1 slot's write pointer from memory. */
    void (*poll)(void *client, uint32_t slot_id);
    void *client;
};

struct amd_gc {
    struct machine *machine;
    const struct amd_chip *chip;
    struct amd_gc_state *state;
    struct amd_gc_client client;
    uint32_t unit;
    struct mmio_window *hqd, *compute; /* the windows */
    struct mmio_window *vm_l2[2];      /* of the GFXHUB, of the MMHUB */
    uint32_t *shown_hqd;               /* AMD_HQD_BASE in its window */
    uint32_t *shown_compute;           /* AMD_COMPUTE_BASE in its window */
    uint32_t shown_compute_dwords;     /* not all are registers of each chip */
};

/* Adds the windows to a unit.  The chip must live as long. */
void amd_gc_wire(struct amd_gc *gc, struct machine *machine, const struct amd_chip *chip);

/* Keeps a page fault in VM_L2_PROTECTION_FAULT_STATUS and _ADDR of a hub, with that number of the
 * page, unless they hold an earlier one: that has MORE_FAULTS then. */
void amd_gc_fault(struct amd_gc *gc, bool is_mmhub, uint32_t status, uint64_t page);
/* Lets the windows show the registers of that slot; `AMD_NO_SLOT` means of none.  Leaves
 * GRBM_GFX_CNTL unchanged. */
void amd_gc_show(struct amd_gc *gc, uint32_t slot_id);
/* Returns the place of a slot's register, by its offset in the register BAR. */
static inline uint32_t *amd_gc_hqd(const struct amd_gc *gc, uint32_t slot_id, uint32_t offset)
{
    uint32_t *const hqd = slot_id == gc->state->selected ? gc->shown_hqd : gc->state->hqds[slot_id];

    return &hqd[(offset - AMD_HQD_BASE) / 4];
}
/* A slot's registers of the compute window, for code that reads several.  The first `shown_dwords`
 * of them are in `shown`. */
struct amd_gc_computes {
    uint32_t *own, *shown;
    uint32_t shown_dwords;
};
/* Finds a slot's registers of the compute window. */
static inline struct amd_gc_computes amd_gc_computes(const struct amd_gc *gc, uint32_t slot_id)
{
    const bool is_shown = slot_id == gc->state->selected;

    return (struct amd_gc_computes){.own = gc->state->computes[slot_id],
                                    .shown = gc->shown_compute,
                                    .shown_dwords = is_shown ? gc->shown_compute_dwords : 0};
}
/* Return the place of one of these registers, by its offset in the register BAR. */
static inline uint32_t *amd_gc_compute_of(const struct amd_gc_computes *computes, uint32_t offset)
{
    const uint32_t at = (offset - AMD_COMPUTE_BASE) / 4;

    return at < computes->shown_dwords ? &computes->shown[at] : &computes->own[at];
}
static inline uint32_t *amd_gc_compute(const struct amd_gc *gc, uint32_t slot_id, uint32_t offset)
{
    const struct amd_gc_computes computes = amd_gc_computes(gc, slot_id);

    return amd_gc_compute_of(&computes, offset);
}

#endif
