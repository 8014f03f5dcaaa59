/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/amdgpu.h"

#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/formats/amd_vm_l2_regs.h"
#include "firmware-models/kfd/amdgpu_tables.h"

enum { AMDGPU_HANDLE }; /* the unit's event */
enum { RING_BYTES_MAX = 0x40000, WRITE_POINTER = RING_BYTES_MAX };
/* Sources. */
enum {
    CP_END_OF_PIPE = 181,
    CP_BAD_OPCODE = 183,
    CP_PRIV_REG = 184,
    CP_PRIV_INSTR = 185,
    SDMA_TRAP = 224,
    SQ_INTERRUPT = 239,
};

static uint32_t amdgpu_mask(const struct amdgpu *amdgpu)
{
    uint64_t log2 = machine_parameter(amdgpu->machine, PARAM_AMDGPU_IH_DWORDS_LOG2);

    log2 = log2 < 4 ? 4 : log2 > 16 ? 16 : log2;
    return (4u << log2) - 1;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* gmc_v9_0_process_interrupt(): the hub's register is read and cleared for each entry, so that it
 * has the first fault for the first of them, and is 0 for others that came before. */
static void amdgpu_vm_fault(struct amdgpu *amdgpu, const uint32_t *entry)
{
    struct machine *machine = amdgpu->machine;
    const uint32_t client_id = (uint32_t)amd_get(entry, AMD_IH_ENTRY_CLIENT_ID);
    const uint64_t address = amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_0) << 12 |
                             (amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_1) & 0xf) << 44;
    const bool is_mmhub = client_id == AMD_IH_CLIENT_VMC;
    const uint32_t at = is_mmhub ? MMHUB_VM_L2_PROTECTION_FAULT_CNTL : VM_L2_PROTECTION_FAULT_CNTL;
    const uint32_t status =
        machine_read32(machine, at + VM_L2_PROTECTION_FAULT_STATUS - VM_L2_PROTECTION_FAULT_CNTL);

    machine_write32(machine, at,
                    REG_PUT(machine_read32(machine, at),
                            VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR, 1));
    MACHINE_LOG(machine, amdgpu->unit, EVENT_AMDGPU_VM_FAULT, RULE_NONE, is_mmhub,
                amd_get(entry, AMD_IH_ENTRY_SOURCE_ID), amd_get(entry, AMD_IH_ENTRY_RING_ID),
                amd_get(entry, AMD_IH_ENTRY_VMID), amd_get(entry, AMD_IH_ENTRY_PASID), address,
                client_id, status);
}

/* What the driver for graphics says of each entry, whosever it is. */
static void amdgpu_graphics(struct amdgpu *amdgpu, const uint32_t *entry)
{
    const uint32_t client_id = (uint32_t)amd_get(entry, AMD_IH_ENTRY_CLIENT_ID);
    const uint32_t source_id = (uint32_t)amd_get(entry, AMD_IH_ENTRY_SOURCE_ID);

    if (client_id == AMD_IH_CLIENT_UTCL2 || client_id == AMD_IH_CLIENT_VMC)
        amdgpu_vm_fault(amdgpu, entry);
    else if (client_id == AMD_IH_CLIENT_GRBM_CP_ID &&
             (source_id == CP_BAD_OPCODE || source_id == CP_PRIV_REG || source_id == CP_PRIV_INSTR))
        MACHINE_LOG(amdgpu->machine, amdgpu->unit, EVENT_AMDGPU_CP_ERROR, RULE_NONE, source_id,
                    amd_get(entry, AMD_IH_ENTRY_RING_ID), amd_get(entry, AMD_IH_ENTRY_VMID),
                    amd_get(entry, AMD_IH_ENTRY_PASID));
}

/* kfd_signal_vm_fault_event(), kfd_signal_hw_exception_event(): a page fault by its address. */
static void amdgpu_exception(struct amdgpu *amdgpu, uint32_t pasid, uint32_t type, uint64_t address,
                             uint32_t ring_id)
{
    const uint32_t process = pasid - KFD_PASID_FIRST;
    uint32_t count;

    amdgpu->state->exception_address = address;
    amdgpu->state->exception_ring = ring_id;
    count = amdgpu->ops->exception ? amdgpu->ops->exception(amdgpu->client, pasid, type) : 0;
    MACHINE_LOG(amdgpu->machine, amdgpu->unit, EVENT_KFD_EXCEPTION, RULE_NONE, pasid, type, count,
                address, ring_id >> 3 & 1, ring_id >> 5 & 1);
    if (count == 0 && type == AMDGPU_EVENT_HW_EXCEPTION)
        MACHINE_LOG(amdgpu->machine, amdgpu->unit, EVENT_KFD_UNHANDLED, RULE_NONE, process + 1,
                    pasid, type);
}

void amdgpu_signal_reset(struct amdgpu *amdgpu, uint32_t pasid)
{
    static const uint32_t types[] = {AMDGPU_EVENT_HW_EXCEPTION, AMDGPU_EVENT_MEMORY};

    for (uint32_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const uint32_t count =
            amdgpu->ops->exception ? amdgpu->ops->exception(amdgpu->client, pasid, types[i]) : 0;

        MACHINE_LOG(amdgpu->machine, amdgpu->unit, EVENT_KFD_EXCEPTION, RULE_NONE, pasid, types[i],
                    count, 0, 0, 0);
    }
}

static void amdgpu_event(struct amdgpu *amdgpu, uint32_t pasid, uint64_t context_id, uint32_t bits)
{
    if (amdgpu->ops->event)
        amdgpu->ops->event(amdgpu->client, pasid,
                           (uint32_t)(context_id & (UINT64_MAX >> (64 - bits))), bits);
}

/* event_interrupt_wq_v9(). */
static void amdgpu_compute(struct amdgpu *amdgpu, const uint32_t *entry, uint32_t pasid)
{
    const uint32_t client_id = (uint32_t)amd_get(entry, AMD_IH_ENTRY_CLIENT_ID);
    const uint32_t source_id = (uint32_t)amd_get(entry, AMD_IH_ENTRY_SOURCE_ID);
    const uint64_t context_id = amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_0);

    if (client_id == AMD_IH_CLIENT_UTCL2 || client_id == AMD_IH_CLIENT_VMC) {
        kfd_evict(amdgpu->kfd, pasid);
        amdgpu_exception(amdgpu, pasid, AMDGPU_EVENT_MEMORY,
                         context_id << 12 | (amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_1) & 0xf) << 44,
                         (uint32_t)amd_get(entry, AMD_IH_ENTRY_RING_ID));
    } else if (source_id == CP_END_OF_PIPE) {
        amdgpu_event(amdgpu, pasid, context_id, 32);
    } else if (source_id == SDMA_TRAP) {
        amdgpu_event(amdgpu, pasid, context_id, 28);
    } else if (source_id == SQ_INTERRUPT) {
        amdgpu_event(amdgpu, pasid, context_id, 24);
    } else if (source_id == CP_BAD_OPCODE) {
        amdgpu_exception(amdgpu, pasid, AMDGPU_EVENT_HW_EXCEPTION, 0, 0);
    }
}

static void amdgpu_entry(struct amdgpu *amdgpu, const uint32_t *entry)
{
    const uint32_t vmid = (uint32_t)amd_get(entry, AMD_IH_ENTRY_VMID);
    const uint32_t pasid = (uint32_t)amd_get(entry, AMD_IH_ENTRY_PASID);

    amdgpu_graphics(amdgpu, entry);
    if (vmid < amdgpu->kfd->chip->first_kfd_vmid)
        return;
    if (pasid == 0) {
        if (!amdgpu->state->no_pasid)
            MACHINE_LOG(amdgpu->machine, amdgpu->unit, EVENT_KFD_NO_PASID, RULE_NONE,
                        amd_get(entry, AMD_IH_ENTRY_CLIENT_ID),
                        amd_get(entry, AMD_IH_ENTRY_SOURCE_ID), vmid);
        amdgpu->state->no_pasid = 1;
        return;
    }
    amdgpu_compute(amdgpu, entry, pasid);
}

/* ---- the ring -------------------------------------------------------------------------------- */

/* vega10_ih_get_wptr(): the copy in memory, which is asked again in the register when it says that
 * entries were written over: these are given up. */
static uint32_t amdgpu_write_pointer(struct amdgpu *amdgpu)
{
    struct machine *machine = amdgpu->machine;
    /* A pointer between two entries would never be reached (ASSUMED: it is that of the first). */
    const uint32_t mask = amdgpu_mask(amdgpu) & ~(uint32_t)(AMD_IH_ENTRY_BYTES - 1);
    uint32_t write = 0, next;

    (void)machine_read(machine, MEMORY_SYSMEM, amdgpu->physical + WRITE_POINTER, &write,
                       sizeof write);
    if (!REG_GET(write, IH_RB_WPTR__RB_OVERFLOW))
        return write & mask;
    write = machine_read32(machine, IH_RB_WPTR);
    if (!REG_GET(write, IH_RB_WPTR__RB_OVERFLOW))
        return write & mask;
    write = REG_PUT(write, IH_RB_WPTR__RB_OVERFLOW, 0);
    next = (write + AMD_IH_ENTRY_BYTES) & mask;
    MACHINE_LOG(machine, amdgpu->unit, EVENT_AMDGPU_IH_OVERFLOW, RULE_AMDGPU_IH, write,
                amdgpu->state->read, next);
    amdgpu->state->read = next;
    machine_write32(
        machine, IH_RB_CNTL,
        REG_PUT(machine_read32(machine, IH_RB_CNTL), IH_RB_CNTL__WPTR_OVERFLOW_CLEAR, 1));
    return write & mask;
}

/* amdgpu_ih_process(). */
static void amdgpu_handle(struct amdgpu *amdgpu)
{
    struct machine *machine = amdgpu->machine;
    uint32_t write = amdgpu_write_pointer(amdgpu), entry[AMD_IH_ENTRY_DWORDS];

    amdgpu->state->scheduled = 0;
    machine->state->interrupt_line = 0;
    while (amdgpu->state->read != write) {
        (void)machine_read(machine, MEMORY_SYSMEM, amdgpu->physical + amdgpu->state->read, entry,
                           sizeof entry);
        amdgpu_entry(amdgpu, entry);
        amdgpu->state->read = (amdgpu->state->read + AMD_IH_ENTRY_BYTES) & amdgpu_mask(amdgpu);
        if (amdgpu->state->read == write) /* more has come */
            write = amdgpu_write_pointer(amdgpu);
    }
    machine_write32(machine, IH_RB_RPTR, amdgpu->state->read);
}

/* ---- the unit -------------------------------------------------------------------------------- */

static void amdgpu_interrupt(void *unit)
{
    struct amdgpu *amdgpu = unit;

    if (amdgpu->state->scheduled)
        return;
    amdgpu->state->scheduled = 1;
    machine_schedule(amdgpu->machine, amdgpu->unit,
                     machine_now(amdgpu->machine) +
                         machine_parameter(amdgpu->machine, PARAM_AMDGPU_INTERRUPT_PS),
                     AMDGPU_HANDLE, 0);
}

static void amdgpu_on_event(void *unit, const struct event *event)
{
    (void)event;
    amdgpu_handle(unit);
}

/* Entries that are not handled when nothing is left to do. */
static void amdgpu_finish(void *unit)
{
    const struct amdgpu *amdgpu = unit;
    struct machine *machine = amdgpu->machine;
    const uint32_t mask = amdgpu_mask(amdgpu) & ~(uint32_t)(AMD_IH_ENTRY_BYTES - 1);
    uint32_t write = 0;

    (void)machine_read(machine, MEMORY_SYSMEM, amdgpu->physical + WRITE_POINTER, &write,
                       sizeof write);
    if (amdgpu->state->read != (write & mask))
        machine_log_lost(machine, amdgpu->unit,
                         &(struct machine_wait){machine_now(machine), SUBJECT_INTERRUPT,
                                                amdgpu->state->read / AMD_IH_ENTRY_BYTES,
                                                SUBJECT_NONE, 0});
}

static const struct unit_ops amdgpu_unit_ops = {
    .event = amdgpu_on_event, .interrupt = amdgpu_interrupt, .finish = amdgpu_finish};

void amdgpu_add(struct amdgpu *amdgpu, struct machine *machine, struct kfd *kfd, uint64_t physical,
                const struct amdgpu_ops *ops, void *client)
{
    *amdgpu = (struct amdgpu){
        .machine = machine, .kfd = kfd, .ops = ops, .client = client, .physical = physical};
    amdgpu->unit = machine_add_unit(machine, "amdgpu", &amdgpu_unit_ops, amdgpu);
    amdgpu->state = machine_alloc(machine, sizeof *amdgpu->state);
    machine->interrupt_unit = amdgpu->unit;
}

/* vega10_ih_irq_init(). */
void amdgpu_start(struct amdgpu *amdgpu)
{
    struct machine *machine = amdgpu->machine;
    const uint64_t pointer = amdgpu->physical + WRITE_POINTER;
    uint32_t control = machine_read32(machine, IH_RB_CNTL), size = 0;

    while ((4u << size) <= amdgpu_mask(amdgpu))
        size++;
    machine_wrote_own(machine, MEMORY_SYSMEM, amdgpu->physical, AMDGPU_IH_BYTES);
    machine_write32(machine, IH_RB_BASE, (uint32_t)(amdgpu->physical >> 8));
    machine_write32(machine, IH_RB_BASE_HI, (uint32_t)(amdgpu->physical >> 40) & 0xff);
    control = REG_PUT(control, IH_RB_CNTL__MC_SPACE, IH_RB_CNTL__MC_SPACE__BUS);
    control = REG_PUT(control, IH_RB_CNTL__WPTR_OVERFLOW_CLEAR, 1);
    control = REG_PUT(control, IH_RB_CNTL__WPTR_OVERFLOW_ENABLE, 1);
    control = REG_PUT(control, IH_RB_CNTL__RB_SIZE, size);
    control = REG_PUT(control, IH_RB_CNTL__WPTR_WRITEBACK_ENABLE, 1);
    control = REG_PUT(control, IH_RB_CNTL__MC_SNOOP, 1);
    control = REG_PUT(control, IH_RB_CNTL__RPTR_REARM, 1);
    machine_write32(machine, IH_RB_CNTL, control);
    machine_write32(machine, IH_RB_WPTR_ADDR_LO, (uint32_t)pointer);
    machine_write32(machine, IH_RB_WPTR_ADDR_HI, (uint32_t)(pointer >> 32) & 0xff);
    machine_write32(machine, IH_RB_RPTR, 0);
    machine_write32(machine, IH_RB_WPTR, 0);
    control = REG_PUT(control, IH_RB_CNTL__WPTR_OVERFLOW_CLEAR, 0);
    control = REG_PUT(control, IH_RB_CNTL__RB_ENABLE, 1);
    machine_write32(machine, IH_RB_CNTL, REG_PUT(control, IH_RB_CNTL__ENABLE_INTR, 1));
}
