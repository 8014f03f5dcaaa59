/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_gc.h"

#include <string.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_variants.h"
#include "devices/amd/formats/amd_vm_l2_regs.h"

static const struct reg_list *const amd_gc_lists[] = {
    &amd_grbm_list, &amd_cp_list, &amd_hqd_list, &amd_compute_list, &amd_spi_list, &amd_vm_l2_list};
enum { AMD_GC_LISTS = sizeof amd_gc_lists / sizeof amd_gc_lists[0] };

/* ---- banks ----------------------------------------------------------------------------------- */

/* Moves the registers of the selected slot between its banks and the windows. */
static void amd_gc_swap(struct amd_gc *gc, uint32_t slot_id, bool to_window)
{
    uint32_t *const hqd = gc->shown_hqd;
    uint32_t *const compute = gc->shown_compute;

    if (slot_id == AMD_NO_SLOT)
        return;
    memcpy(to_window ? hqd : gc->state->hqds[slot_id], to_window ? gc->state->hqds[slot_id] : hqd,
           AMD_HQD_DWORDS * 4);
    memcpy(to_window ? compute : gc->state->computes[slot_id],
           to_window ? gc->state->computes[slot_id] : compute, gc->compute->size_bytes);
}

void amd_gc_show(struct amd_gc *gc, uint32_t slot_id)
{
    amd_gc_swap(gc, gc->state->selected, false);
    gc->state->selected = slot_id;
    amd_gc_swap(gc, slot_id, true);
}

static void amd_gc_select(struct amd_gc *gc, uint32_t control)
{
    const uint32_t me = REG_GET(control, GRBM_GFX_CNTL__MEID);
    const uint32_t pipe = REG_GET(control, GRBM_GFX_CNTL__PIPEID);
    const uint32_t queue = REG_GET(control, GRBM_GFX_CNTL__QUEUEID);
    const uint32_t slot_id = me == 0 || me > gc->chip->mec_count || pipe >= gc->chip->pipes_per_mec
                                 ? AMD_NO_SLOT /* the graphics engine, or none */
                                 : amd_slot_id(me, pipe, queue);

    amd_gc_show(gc, slot_id);
}

/* ---- page faults -------------------------------------------------------------------------------
 */

/* A register of VM L2; of the MMHUB's at the same place among them. */
static uint32_t *amd_gc_vm_l2(const struct amd_gc *gc, bool is_mmhub, uint32_t offset)
{
    const struct mmio_window *window = gc->vm_l2[is_mmhub];

    return &window->storage[mmio_word(window, is_mmhub ? offset - VM_L2_PROTECTION_FAULT_CNTL +
                                                             MMHUB_VM_L2_PROTECTION_FAULT_CNTL
                                                       : offset)];
}

void amd_gc_fault(struct amd_gc *gc, bool is_mmhub, uint32_t status, uint64_t page)
{
    uint32_t *first = amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_STATUS);

    if (*first != 0) {
        *first = REG_PUT(*first, VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS, 1);
        return;
    }
    *first = status;
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_ADDR_LO32) = (uint32_t)page;
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_ADDR_HI32) = (uint32_t)(page >> 32) & 0xf;
}

/* ASSUMED: the bit reads as 0 afterwards. */
static void amd_gc_clear_fault(struct amd_gc *gc, bool is_mmhub, uint32_t written)
{
    if (!REG_GET(written, VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR))
        return;
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_CNTL) &= ~UINT32_C(1);
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_STATUS) = 0;
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_ADDR_LO32) = 0;
    *amd_gc_vm_l2(gc, is_mmhub, VM_L2_PROTECTION_FAULT_ADDR_HI32) = 0;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void amd_gc_poll(struct amd_gc *gc, uint32_t slots)
{
    for (uint32_t slot_id = 0; slot_id < 32; slot_id++)
        if (slots >> slot_id & 1)
            gc->client.poll(gc->client.client, slot_id);
}

static void amd_gc_write(void *unit, const struct mmio_window *window, uint32_t offset,
                         uint32_t old, uint32_t written)
{
    struct amd_gc *gc = unit;
    const uint32_t slot_id = gc->state->selected;

    (void)window;
    switch (offset) {
    case GRBM_GFX_CNTL:
        amd_gc_select(gc, written);
        break;
    case CP_HQD_ACTIVE:
        if (slot_id != AMD_NO_SLOT && REG_GET(written & ~old, CP_HQD_ACTIVE__ACTIVE))
            gc->client.activate(gc->client.client, slot_id);
        break;
    case CP_HQD_DEQUEUE_REQUEST:
        if (slot_id != AMD_NO_SLOT && REG_GET(written, CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ) &&
            *amd_gc_hqd(gc, slot_id, CP_HQD_ACTIVE))
            gc->client.dequeue(gc->client.client, slot_id,
                               REG_GET(written, CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ));
        break;
    case VM_L2_PROTECTION_FAULT_CNTL:
    case MMHUB_VM_L2_PROTECTION_FAULT_CNTL:
        amd_gc_clear_fault(gc, offset == MMHUB_VM_L2_PROTECTION_FAULT_CNTL, written);
        break;
    case CP_PQ_WPTR_POLL_CNTL1:
        amd_gc_poll(gc, written);
        break;
    default:
        break;
    }
}

static const struct unit_ops amd_gc_ops = {.write = amd_gc_write};

/* ---- windows --------------------------------------------------------------------------------- */

/* Which list has the lowest register word from `from` on, that is where; the number of lists: none
 * has any. */
static uint32_t amd_gc_next(const struct amd_gc *gc, uint32_t from, uint32_t *at)
{
    const uint32_t variants = amd_variant_of(gc->chip->isa);
    uint32_t which = AMD_GC_LISTS;

    for (uint32_t l = 0; l < AMD_GC_LISTS; l++)
        for (uint32_t i = 0; i < amd_gc_lists[l]->row_count; i++) {
            const struct reg_row *row = &amd_gc_lists[l]->rows[i];

            if (row->kind != ROW_REG || !(row->variants & variants))
                continue;
            for (uint32_t n = 0; n < row->count; n++) {
                const uint32_t offset = row->number + n * row->stride_bytes;

                if (offset >= from && (which == AMD_GC_LISTS || offset < *at)) {
                    *at = offset;
                    which = l;
                }
            }
        }
    return which;
}

/* A window for each run of registers of one list: the lists are interleaved. */
static void amd_gc_add_windows(struct amd_gc *gc)
{
    uint32_t start = 0, end, at = 0;
    uint32_t list = amd_gc_next(gc, 0, &start);

    while (list != AMD_GC_LISTS) {
        const uint32_t own = list, own_start = start;
        struct mmio_window *window;

        at = start;
        do {
            end = at + 4;
            list = amd_gc_next(gc, end, &at);
        } while (list == own);
        window = machine_add_part(gc->machine, gc->unit, amd_gc_lists[own], 0, start, end - start);
        if (amd_gc_lists[own] == &amd_hqd_list)
            gc->hqd = window;
        if (amd_gc_lists[own] == &amd_compute_list)
            gc->compute = window;
        if (amd_gc_lists[own] == &amd_vm_l2_list)
            gc->vm_l2[own_start == MMHUB_VM_L2_PROTECTION_FAULT_CNTL] = window;
        start = at;
    }
}

/* Each bank begins with the registers' reset values, which the windows have now. */
static void amd_gc_reset(struct amd_gc *gc)
{
    gc->shown_hqd = &gc->hqd->storage[mmio_word(gc->hqd, AMD_HQD_BASE)];
    gc->shown_compute = &gc->compute->storage[mmio_word(gc->compute, AMD_COMPUTE_BASE)];
    gc->shown_compute_dwords =
        (gc->compute->start + gc->compute->size_bytes - AMD_COMPUTE_BASE) / 4;
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        amd_gc_swap(gc, slot_id, false);
    gc->state->selected = AMD_NO_SLOT;
}

void amd_gc_wire(struct amd_gc *gc, struct machine *machine, const struct amd_chip *chip)
{
    gc->machine = machine;
    gc->chip = chip;
    gc->unit = machine_add_unit(machine, "amd_gc", &amd_gc_ops, gc);
    gc->state = machine_alloc(machine, sizeof *gc->state);
    machine->reg_variants = amd_variant_of(chip->isa);
    amd_gc_add_windows(gc);
    if (gc->hqd && gc->compute) /* else machine_seal() fails: no memory */
        amd_gc_reset(gc);
}
