/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_ih.h"

#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/amd_inject.h"

enum { POINTER_MASK = 0x3fffc, WINDOW_BYTES = IH_DOORBELL_RPTR + 4 - IH_VMID_0_LUT };

static uint32_t *amd_ih_reg(const struct amd_ih *ih, uint32_t offset)
{
    return &ih->window->storage[mmio_word(ih->window, offset)];
}

static uint64_t amd_ih_address(const struct amd_ih *ih, uint32_t hi, uint32_t lo)
{
    return (uint64_t)(*amd_ih_reg(ih, hi) & 0xff) << 32 | *amd_ih_reg(ih, lo);
}

/* Returns the size of the ring in bytes, or 0 if it has no room for two entries. */
static uint32_t amd_ih_bytes(const struct amd_ih *ih)
{
    const uint32_t size = REG_GET(*amd_ih_reg(ih, IH_RB_CNTL), IH_RB_CNTL__RB_SIZE);

    return size < 4 ? 0 : size > 16 ? POINTER_MASK + 4 : 4u << size;
}

/* In system memory, or where the page tables of MC_VMID say. */
static bool amd_ih_write_memory(struct amd_ih *ih, uint64_t address, const void *data, size_t bytes)
{
    const uint32_t control = *amd_ih_reg(ih, IH_RB_CNTL);
    uint64_t fault;

    switch (REG_GET(control, IH_RB_CNTL__MC_SPACE)) {
    case IH_RB_CNTL__MC_SPACE__BUS:
        return machine_write(ih->machine, MEMORY_SYSMEM, address, data, bytes);
    case IH_RB_CNTL__MC_SPACE__GPU:
        return amd_vm_write(ih->vm, REG_GET(control, IH_RB_CNTL__MC_VMID), address, data, bytes,
                            &fault);
    default:
        return false;
    }
}

/* Raises the interrupt if the ring has entries to read, unless it was raised since the last write
 * of the read pointer. */
static void amd_ih_tell(struct amd_ih *ih)
{
    if (!REG_GET(*amd_ih_reg(ih, IH_RB_CNTL), IH_RB_CNTL__ENABLE_INTR) || ih->state->disarmed ||
        (*amd_ih_reg(ih, IH_RB_RPTR) & POINTER_MASK) ==
            (*amd_ih_reg(ih, IH_RB_WPTR) & POINTER_MASK))
        return;
    ih->state->disarmed = 1;
    machine_raise_interrupt(ih->machine);
}

static void amd_ih_write(void *unit, const struct mmio_window *window, uint32_t offset,
                         uint32_t old, uint32_t written)
{
    struct amd_ih *ih = unit;

    (void)window;
    (void)old;
    if (offset == IH_RB_CNTL && REG_GET(written, IH_RB_CNTL__WPTR_OVERFLOW_CLEAR)) {
        *amd_ih_reg(ih, IH_RB_CNTL) &= ~(UINT32_C(1) << IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_LO);
        *amd_ih_reg(ih, IH_RB_WPTR) &= ~(UINT32_C(1) << IH_RB_WPTR__RB_OVERFLOW_LO);
    }
    if (offset == IH_RB_RPTR && REG_GET(*amd_ih_reg(ih, IH_RB_CNTL), IH_RB_CNTL__RPTR_REARM))
        ih->state->disarmed = 0;
    if (offset == IH_RB_RPTR || offset == IH_RB_CNTL)
        amd_ih_tell(ih);
}

static const struct unit_ops amd_ih_ops = {.write = amd_ih_write};

void amd_ih_wire(struct amd_ih *ih, struct machine *machine, const struct amd_chip *chip,
                 const struct amd_vm *vm, struct amd_gc *gc)
{
    *ih = (struct amd_ih){.machine = machine, .chip = chip, .vm = vm, .gc = gc};
    ih->unit = machine_add_unit(machine, "amd_ih", &amd_ih_ops, ih);
    ih->state = machine_alloc(machine, sizeof *ih->state);
    ih->window = machine_add_part(machine, ih->unit, &amd_ih_list, 0, IH_VMID_0_LUT, WINDOW_BYTES);
}

/* The entry's dwords. */
static void amd_ih_encode(const struct amd_ih *ih, const struct amd_ih_entry *entry,
                          uint32_t dwords[AMD_IH_ENTRY_DWORDS])
{
    const struct clock_domain clock = {.frequency_hz = ih->chip->reference_hz};

    for (uint32_t i = 0; i < 4; i++)
        dwords[i] = 0;
    amd_put(dwords, AMD_IH_ENTRY_CLIENT_ID, entry->client_id);
    amd_put(dwords, AMD_IH_ENTRY_SOURCE_ID, entry->source_id);
    amd_put(dwords, AMD_IH_ENTRY_RING_ID, entry->ring_id);
    amd_put(dwords, AMD_IH_ENTRY_VMID, entry->vmid);
    amd_put(dwords, AMD_IH_ENTRY_VMID_TYPE, entry->is_mmhub);
    amd_put(dwords, AMD_IH_ENTRY_TIMESTAMP, clock_cycle_at(&clock, machine_now(ih->machine)));
    amd_put(dwords, AMD_IH_ENTRY_PASID,
            *amd_ih_reg(ih, IH_VMID_0_LUT + 4 * (entry->vmid % AMD_VMIDS)));
    for (uint32_t i = 0; i < 4; i++)
        dwords[4 + i] = entry->context_id[i];
}

/* The pointer moves, for the driver in a register and in memory. */
static void amd_ih_advance(struct amd_ih *ih, uint32_t next)
{
    if (!machine_inject(ih->machine, ih->unit, AMD_INJECT_IH_WPTR, 0, &next, sizeof next))
        return;
    *amd_ih_reg(ih, IH_RB_WPTR) = next;
    if (REG_GET(*amd_ih_reg(ih, IH_RB_CNTL), IH_RB_CNTL__WPTR_WRITEBACK_ENABLE))
        (void)amd_ih_write_memory(
            ih, amd_ih_address(ih, IH_RB_WPTR_ADDR_HI, IH_RB_WPTR_ADDR_LO) & ~UINT64_C(3), &next,
            sizeof next);
}

void amd_ih_put_dwords(struct amd_ih *ih, const uint32_t dwords[AMD_IH_ENTRY_DWORDS])
{
    const uint32_t control = *amd_ih_reg(ih, IH_RB_CNTL), bytes = amd_ih_bytes(ih);
    uint32_t write, next, overflow;

    if (!REG_GET(control, IH_RB_CNTL__RB_ENABLE) || bytes == 0) {
        ih->state->lost++;
        return;
    }
    write = *amd_ih_reg(ih, IH_RB_WPTR) & POINTER_MASK & (bytes - 1);
    overflow = *amd_ih_reg(ih, IH_RB_WPTR) & UINT32_C(1) << IH_RB_WPTR__RB_OVERFLOW_LO;
    next = (write + AMD_IH_ENTRY_BYTES) & (bytes - 1);
    if (next == (*amd_ih_reg(ih, IH_RB_RPTR) & POINTER_MASK & (bytes - 1))) {
        if (!REG_GET(control, IH_RB_CNTL__WPTR_OVERFLOW_ENABLE)) {
            ih->state->lost++;
            return;
        }
        overflow = UINT32_C(1) << IH_RB_WPTR__RB_OVERFLOW_LO;
    }
    if (!amd_ih_write_memory(ih, (amd_ih_address(ih, IH_RB_BASE_HI, IH_RB_BASE) << 8) + write,
                             dwords, AMD_IH_ENTRY_BYTES)) {
        ih->state->lost++;
        return;
    }
    amd_ih_advance(ih, next | overflow);
    amd_ih_tell(ih);
}

void amd_ih_put(struct amd_ih *ih, const struct amd_ih_entry *entry)
{
    uint32_t dwords[AMD_IH_ENTRY_DWORDS];

    amd_ih_encode(ih, entry, dwords);
    if (machine_inject(ih->machine, ih->unit, AMD_INJECT_IH_ENTRY, entry->source_id, dwords,
                       sizeof dwords))
        amd_ih_put_dwords(ih, dwords);
}

void amd_ih_fault(struct amd_ih *ih, bool is_mmhub, uint32_t vmid, uint64_t address, uint32_t cid,
                  bool is_write)
{
    enum { NOT_PRESENT = 0x08, READ = 0x10, WRITE = 0x20 };
    const uint32_t permission = is_write ? AMD_FAULT_WRITE_NOT_PRESENT : AMD_FAULT_READ_NOT_PRESENT;
    const uint32_t status = permission << AMD_FAULT_PERMISSION_LO | cid << AMD_FAULT_CID_LO |
                            (uint32_t)is_write << AMD_FAULT_RW_LO | vmid << AMD_FAULT_VMID_LO;
    const struct amd_ih_entry entry = {
        .client_id = is_mmhub ? AMD_IH_CLIENT_VMC : AMD_IH_CLIENT_UTCL2,
        .ring_id = NOT_PRESENT | (is_write ? WRITE : READ),
        .vmid = vmid,
        .is_mmhub = is_mmhub,
        .context_id = {(uint32_t)(address >> 12), (uint32_t)(address >> 44) & 0xf}};

    amd_gc_fault(ih->gc, is_mmhub, status, address >> 12);
    amd_ih_put(ih, &entry);
}
