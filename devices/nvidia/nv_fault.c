/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_fault.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/formats/nv_fault_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

static uint32_t nv_fault_read(void *unit, const struct mmio_window *window, uint32_t offset,
                              uint32_t stored);
static void nv_fault_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written);

static const struct unit_ops nv_fault_ops = {.read = nv_fault_read, .write = nv_fault_write};

void nv_fault_wire(struct nv_fault_registers *faults, struct nv_host *host, struct nv_mmu *mmu)
{
    const uint32_t host_class = host->model->class_host;

    faults->machine = host->machine;
    faults->host = host;
    faults->mmu = mmu;
    faults->unit = machine_add_unit(host->machine, "nv_mmu", &nv_fault_ops, faults);
    if (host_class < TURING_CHANNEL_GPFIFO_A)
        faults->pfb = machine_add_window(host->machine, faults->unit,
                                         host_class < VOLTA_CHANNEL_GPFIFO_A ? &nv_pfb_list
                                                                             : &nv_pfb_gv100_list,
                                         NV_PFB_BASE, NV_PFB_BYTES, 0);
    else
        faults->virtual_function =
            machine_add_window(host->machine, faults->unit, &nv_virtual_function_mmu_list,
                               NV_VIRTUAL_FUNCTION_MMU_BASE, NV_VIRTUAL_FUNCTION_MMU_BYTES, 0);
}

/* ---- registers of the fault buffer ------------------------------------------------------------
 */

/* The same registers at one place on Volta, at another later: offsets are given as the latter's. */
static uint32_t *nv_fault_reg(const struct nv_fault_registers *faults, uint32_t offset)
{
    if (faults->virtual_function)
        return &faults->virtual_function->storage[offset / 4];
    if (offset >= NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO)
        offset += NV_PFB_PRI_MMU_FAULT_ADDR_LO - NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO;
    else
        offset = NV_PFB_PRI_MMU_FAULT_BUFFER_LO + offset / 32 * 20 + offset % 32;
    return &faults->pfb->storage[offset / 4];
}

/* Name for nv_fault_reg() of a register of either list; UINT32_MAX when it is another. */
static uint32_t nv_fault_offset(const struct nv_fault_registers *faults, uint32_t offset)
{
    if (faults->virtual_function)
        return offset < NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE_PDB ? offset : UINT32_MAX;
    if (offset >= NV_PFB_PRI_MMU_FAULT_ADDR_LO)
        return offset - NV_PFB_PRI_MMU_FAULT_ADDR_LO + NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO;
    if (offset < NV_PFB_PRI_MMU_FAULT_BUFFER_LO)
        return UINT32_MAX;
    return (offset - NV_PFB_PRI_MMU_FAULT_BUFFER_LO) / 20 * 32 +
           (offset - NV_PFB_PRI_MMU_FAULT_BUFFER_LO) % 20;
}

static bool nv_fault_has_buffers(const struct nv_fault_registers *faults)
{
    return faults->host->model->class_host >= VOLTA_CHANNEL_GPFIFO_A;
}

/* Bits of FAULT_STATUS that follow from the buffer. */
static uint32_t nv_fault_status(const struct nv_fault_registers *faults)
{
    const uint32_t put = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT);
    const uint32_t get = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET);
    uint32_t status = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS);

    status = REG_PUT(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_NON_REPLAYABLE,
                     REG_GET(put, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT_PTR) !=
                         REG_GET(get, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_PTR));
    status = REG_PUT(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_NON_REPLAYABLE_OVERFLOW,
                     REG_GET(get, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_OVERFLOW));
    return REG_PUT(status,
                   NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_NON_REPLAYABLE_GETPTR_CORRUPTED,
                   REG_GET(get, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_GETPTR_CORRUPTED));
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static uint32_t nv_fault_niso_intr(const struct nv_fault_registers *faults)
{
    const uint32_t status = nv_fault_status(faults);
    const uint32_t size = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE);
    uint32_t intr = 0;

    intr = REG_PUT(intr, NV_PFB_NISO_INTR_MMU_NONREPLAYABLE_FAULT_NOTIFY,
                   REG_GET(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_NON_REPLAYABLE));
    intr =
        REG_PUT(intr, NV_PFB_NISO_INTR_MMU_NONREPLAYABLE_FAULT_OVERFLOW,
                REG_GET(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_NON_REPLAYABLE_OVERFLOW) &
                    REG_GET(size, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_OVERFLOW_INTR));
    return REG_PUT(intr, NV_PFB_NISO_INTR_MMU_OTHER_FAULT_NOTIFY,
                   REG_GET(status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID));
}

/* Volta's line, if NISO_INTR_EN lets it through.  Later chips send vectors; here their line rises
 * as for any other interrupt (nv_host.h). */
static void nv_fault_line(struct nv_fault_registers *faults)
{
    const uint32_t intr = nv_fault_niso_intr(faults);
    uint32_t enabled = UINT32_MAX;

    if (faults->pfb)
        enabled = faults->pfb->storage[NV_PFB_NISO_INTR_EN / 4];
    if (intr & enabled)
        machine_raise_interrupt(faults->machine);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static uint32_t nv_fault_read(void *unit, const struct mmio_window *window, uint32_t offset,
                              uint32_t stored)
{
    struct nv_fault_registers *faults = unit;

    (void)window;
    if (!nv_fault_has_buffers(faults))
        return stored;
    if (faults->pfb && offset == NV_PFB_NISO_INTR)
        return nv_fault_niso_intr(faults);
    return nv_fault_offset(faults, offset) == NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS
               ? nv_fault_status(faults)
               : stored;
}

/* TRIGGER reads as 0 as soon as the write is done: it takes no time here. */
static void nv_fault_invalidate(struct nv_fault_registers *faults, struct mmio_window *window,
                                uint32_t pdb_at, uint32_t upper_at, uint32_t at, uint32_t written)
{
    const uint32_t pdb = window->storage[pdb_at / 4];
    const uint64_t upper = upper_at ? window->storage[upper_at / 4] & 0xfffff : 0;
    const uint64_t root = upper << 40 | (uint64_t)REG_GET(pdb, NV_PFB_PRI_MMU_INVALIDATE_PDB_ADDR)
                                            << 12;

    window->storage[at / 4] = REG_PUT(written, NV_PFB_PRI_MMU_INVALIDATE_TRIGGER, 0);
    if (!REG_GET(written, NV_PFB_PRI_MMU_INVALIDATE_TRIGGER))
        return;
    if (REG_GET(written, NV_PFB_PRI_MMU_INVALIDATE_REPLAY))
        MACHINE_LOG(faults->machine, faults->unit, EVENT_UNMODELLED, RULE_NONE,
                    UNMODELLED_REGISTER_WRITE, window->base + at, written);
    /* Without ALL_VA one page would be meant, but nothing says which: all of them (ASSUMED). */
    nv_mmu_invalidate(faults->mmu,
                      REG_GET(pdb, NV_PFB_PRI_MMU_INVALIDATE_PDB_APERTURE) ? MEMORY_SYSMEM
                                                                           : MEMORY_VRAM,
                      REG_GET(written, NV_PFB_PRI_MMU_INVALIDATE_ALL_PDB) ? NULL : &root, NULL);
}

/* SET_DEFAULT: the recommendation is not published; ASSUMED: room for 256 packets. */
enum { NV_FAULT_DEFAULT_PACKETS = 256 };

static void nv_fault_write_buffer(struct nv_fault_registers *faults, uint32_t offset, uint32_t old,
                                  uint32_t written)
{
    uint32_t *reg = nv_fault_reg(faults, offset);
    const uint32_t buffer = offset / 32 * 32;
    const uint32_t size =
        *nv_fault_reg(faults, buffer + NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE);
    uint32_t flags;

    switch (offset - buffer) {
    case NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET:
        flags = old & ~written & 0xc0000000;
        *reg = flags | REG_GET(written, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_PTR);
        if ((*reg & 0xfffff) >= REG_GET(size, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_VAL))
            *reg = REG_PUT(*reg, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_GETPTR_CORRUPTED, 1);
        reg = nv_fault_reg(faults, buffer + NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT);
        *reg = (*reg & 0xfffff) |
               (*nv_fault_reg(faults, offset) & 0xc0000000); /* both show the same flags */
        break;
    case NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE:
        *reg = written;
        if (REG_GET(written, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_SET_DEFAULT))
            *reg = REG_PUT(REG_PUT(written, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_VAL,
                                   NV_FAULT_DEFAULT_PACKETS),
                           NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_SET_DEFAULT, 0);
        break;
    default:
        break;
    }
    nv_fault_line(faults);
}

static void nv_fault_write_status(struct nv_fault_registers *faults, uint32_t old, uint32_t written)
{
    uint32_t *status = nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS);

    *status = old & ~written;
    if (REG_GET(*status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID) == 0) {
        uint32_t *info = nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO);

        *info = REG_PUT(*info, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_INFO_VALID, 0);
    }
    nv_fault_line(faults);
}

/* Volta's NISO_INTR_EN_SET and _CLR; they read as EN does (ASSUMED). */
static void nv_fault_write_enable(struct nv_fault_registers *faults, uint32_t offset,
                                  uint32_t written)
{
    const uint32_t i = offset / 4 % 2 == NV_PFB_NISO_INTR_EN_SET / 4 % 2 ? 0 : 1;
    uint32_t *enable = &faults->pfb->storage[NV_PFB_NISO_INTR_EN / 4 + i];

    *enable = offset < NV_PFB_NISO_INTR_EN_CLR ? *enable | written : *enable & ~written;
    faults->pfb->storage[NV_PFB_NISO_INTR_EN_SET / 4 + i] = *enable;
    faults->pfb->storage[NV_PFB_NISO_INTR_EN_CLR / 4 + i] = *enable;
    nv_fault_line(faults);
}

static void nv_fault_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written)
{
    struct nv_fault_registers *faults = unit;
    uint32_t buffer;

    (void)window;
    if (faults->pfb && offset == NV_PFB_PRI_MMU_INVALIDATE) {
        nv_fault_invalidate(faults, faults->pfb, NV_PFB_PRI_MMU_INVALIDATE_PDB, 0, offset, written);
        return;
    }
    if (faults->virtual_function && offset == NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE) {
        nv_fault_invalidate(faults, faults->virtual_function,
                            NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE_PDB,
                            NV_VIRTUAL_FUNCTION_PRIV_MMU_INVALIDATE_UPPER_PDB, offset, written);
        return;
    }
    if (!nv_fault_has_buffers(faults))
        return;
    buffer = nv_fault_offset(faults, offset);
    if (buffer == NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS)
        nv_fault_write_status(faults, old, written);
    else if (buffer < NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO)
        nv_fault_write_buffer(faults, buffer, old, written);
    else if (faults->pfb && offset >= NV_PFB_NISO_INTR_EN_SET)
        nv_fault_write_enable(faults, offset, written);
}

/* ---- faults ---------------------------------------------------------------------------------- */

uint32_t nv_fault_engine_id(const struct nv_fault_registers *faults, enum nv_fault_unit unit_kind,
                            uint32_t instance)
{
    const bool volta = nv_fault_has_buffers(faults);

    switch (unit_kind) {
    case NV_FAULT_HOST:
        return (volta ? 32 : 6) + instance;
    case NV_FAULT_CE:
        return (volta ? 15 : 21) + instance;
    default:
        return volta ? 64 : 0;
    }
}

/* NV_PFAULT_CLIENT_HUB_* of dev_fault.h (open-gpu-kernel-modules, volta to hopper; nouveau gk104.c,
 * gp100.c): FE, HOST, CE0 to CE2. From Volta on there are HSCE0 to HSCE9 beside these, on GA100 and
 * GH100 also HSCE10 to HSCE15. Which one a copy engine faults as follows the hub that its requests
 * go through; that is not published, and public lines show both the engine's own number (CE0 of
 * TU116 as HSCE0, CE2 of GA100 as HSCE2) and others (CE0 of GA106 as CE1). ASSUMED: HSCE of the
 * copy engine's number; before Volta CE2 for all from 2 on. */
static uint32_t nv_fault_copy_client(const struct nv_fault_registers *faults, uint32_t instance)
{
    static const uint32_t before_volta[] = {1, 2, 0x18};

    if (faults->host->model->class_host < VOLTA_CHANNEL_GPFIFO_A)
        return before_volta[instance < 2 ? instance : 2];
    return instance < 10 ? 0x20 + instance : 0x40 + instance - 10;
}

static uint32_t nv_fault_client(const struct nv_fault_registers *faults,
                                const struct nv_fault *fault)
{
    if (fault->unit_kind == NV_FAULT_CE)
        return nv_fault_copy_client(faults, fault->instance);
    return fault->unit_kind == NV_FAULT_GR ? 4 : 6;
}

/* The words that all generations report, in the form of the packet. */
struct nv_fault_words {
    uint32_t word[NV_MMU_FAULT_BUF_SIZE / 4];
};

static struct nv_fault_words nv_fault_packet(const struct nv_fault_registers *faults,
                                             const struct nv_fault *fault, uint32_t type)
{
    enum memory_aperture aperture = MEMORY_VRAM;
    struct nv_fault_words packet = {{0}};
    uint64_t instance = 0;
    const uint64_t now_ns = machine_now(faults->machine) / GFE_PS_PER_NS;
    uint32_t info = 0;

    (void)nv_host_instance(faults->host, fault->channel_id, &instance, &aperture);
    info = REG_PUT(info, NV_MMU_FAULT_BUF_ENTRY_FAULT_TYPE, type);
    info = REG_PUT(info, NV_MMU_FAULT_BUF_ENTRY_CLIENT, nv_fault_client(faults, fault));
    info = REG_PUT(info, NV_MMU_FAULT_BUF_ENTRY_ACCESS_TYPE,
                   (uint32_t)fault->access + (fault->physical ? 8 : 0));
    info = REG_PUT(info, NV_MMU_FAULT_BUF_ENTRY_MMU_CLIENT_TYPE, 1);
    packet.word[0] = REG_PUT((uint32_t)instance & 0xfffff000, NV_MMU_FAULT_BUF_ENTRY_INST_APERTURE,
                             aperture == MEMORY_SYSMEM ? 2 : 0);
    packet.word[1] = (uint32_t)(instance >> 32);
    packet.word[2] = (uint32_t)fault->address & 0xfffff000;
    packet.word[3] = (uint32_t)(fault->address >> 32);
    packet.word[4] = (uint32_t)now_ns;
    packet.word[5] = (uint32_t)(now_ns >> 32);
    packet.word[6] = nv_fault_engine_id(faults, fault->unit_kind, fault->instance);
    packet.word[7] = REG_PUT(info, NV_MMU_FAULT_BUF_ENTRY_VALID, 1);
    return packet;
}

/* Without a buffer: in the registers, if they are free. */
static void nv_fault_into_registers(struct nv_fault_registers *faults,
                                    const struct nv_fault_words *packet)
{
    uint32_t *status = nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS);
    const uint32_t at = NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_ADDR_LO;

    if (REG_GET(*status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID)) {
        *status = REG_PUT(*status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_DROPPED_OTHER_VIRT, 1);
        return;
    }
    *nv_fault_reg(faults, at) = packet->word[2];
    *nv_fault_reg(faults, at + 4) = packet->word[3];
    *nv_fault_reg(faults, at + 8) =
        (packet->word[0] & 0xfffff000) |
        REG_GET(packet->word[0], NV_MMU_FAULT_BUF_ENTRY_INST_APERTURE) << 10 | packet->word[6];
    *nv_fault_reg(faults, at + 12) = packet->word[1];
    *nv_fault_reg(faults, at + 16) = packet->word[7];
    *status = REG_PUT(*status, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_STATUS_VALID, 1);
}

static void nv_fault_write_packet(struct nv_fault_registers *faults, uint32_t put,
                                  const struct nv_fault_words *packet)
{
    const uint32_t lo = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO);
    const uint32_t hi = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_HI);
    const uint64_t base = (uint64_t)hi << 32 | (lo & 0xfffff000);

    if (REG_GET(lo, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO_ADDR_MODE) ==
        NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO_ADDR_MODE_VIRTUAL)
        MACHINE_LOG(faults->machine, faults->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_FIELD,
                    NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO, lo);
    else
        (void)machine_write(faults->machine,
                            nv_host_aperture(REG_GET(
                                lo, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_LO_PHYS_APERTURE)),
                            base + (uint64_t)put * NV_MMU_FAULT_BUF_SIZE, packet->word,
                            sizeof packet->word);
}

static void nv_fault_into_buffer(struct nv_fault_registers *faults,
                                 const struct nv_fault_words *packet)
{
    uint32_t *get = nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET);
    uint32_t *put = nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT);
    const uint32_t size = *nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE);
    const uint32_t count = REG_GET(size, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_VAL);
    const uint32_t at = *put & 0xfffff;
    const uint32_t next = at + 1 < count ? at + 1 : 0;

    if (REG_GET(*get, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_OVERFLOW))
        return; /* dropped until software has cleared it */
    if (next == (*get & 0xfffff)) {
        *get = REG_PUT(*get, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_GET_OVERFLOW, 1);
        *put = REG_PUT(*put, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT_OVERFLOW, 1);
        return;
    }
    nv_fault_write_packet(faults, at, packet);
    *put = REG_PUT(*put, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_PUT_PTR, next);
}

/* Up to Pascal: the unit's own registers. */
static void nv_fault_into_pfifo(struct nv_fault_registers *faults,
                                const struct nv_fault_words *packet)
{
    uint32_t *pfifo = faults->host->pfifo->storage;
    const uint32_t id = packet->word[6];
    const uint32_t at = NV_PFIFO_INTR_MMU_FAULT_INST / 4 + 4 * id;

    if (pfifo[NV_PFIFO_INTR_MMU_FAULT_ID / 4] >> id & 1) {
        nv_host_interrupt(faults->host, 1u << NV_PFIFO_INTR_0_DROPPED_MMU_FAULT_LO);
        return;
    }
    pfifo[NV_PFIFO_INTR_MMU_FAULT_ID / 4] |= 1u << id;
    pfifo[at] = packet->word[1] << 20 | packet->word[0] >> 12;
    pfifo[at + 1] = packet->word[2];
    pfifo[at + 2] = packet->word[3];
    pfifo[at + 3] = REG_PUT(packet->word[7], NV_MMU_FAULT_BUF_ENTRY_VALID, 0);
}

/* The address space of the channel. */
static uint32_t nv_fault_space(const struct nv_fault_registers *faults, uint32_t channel_id)
{
    enum memory_aperture aperture;
    uint64_t instance;

    return nv_host_instance(faults->host, channel_id, &instance, &aperture)
               ? nv_mmu_space(faults->mmu, aperture, instance)
               : ADDRESS_SPACE_NONE;
}

void nv_fault_raise(struct nv_fault_registers *faults, uint32_t unit, const struct nv_fault *fault)
{
    const uint32_t type = fault->physical
                              ? NV_PFAULT_FAULT_TYPE_REGION_VIOLATION
                              : nv_mmu_why(faults->mmu, nv_fault_space(faults, fault->channel_id),
                                           fault->address, fault->access);
    struct nv_fault_words packet;

    MACHINE_LOG(faults->machine, unit, EVENT_NV_MMU_FAULT, RULE_NONE, fault->channel_id,
                fault->address, type, fault->access == NV_PFAULT_ACCESS_TYPE_WRITE,
                fault->unit_kind);
    packet = nv_fault_packet(faults, fault, type);
    if (!nv_fault_has_buffers(faults)) {
        nv_fault_into_pfifo(faults, &packet);
        nv_host_interrupt(faults->host, 1u << NV_PFIFO_INTR_0_MMU_FAULT_LO);
        return;
    }
    if (REG_GET(*nv_fault_reg(faults, NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE),
                NV_VIRTUAL_FUNCTION_PRIV_MMU_FAULT_BUFFER_SIZE_ENABLE))
        nv_fault_into_buffer(faults, &packet);
    else
        nv_fault_into_registers(faults, &packet);
    nv_fault_line(faults);
    if (fault->unit_kind != NV_FAULT_GR)
        nv_host_channel_faulted(faults->host, fault->channel_id, fault->unit_kind == NV_FAULT_CE);
}
