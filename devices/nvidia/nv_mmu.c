/* SPDX-License-Identifier: MIT */
/* Address spaces by instance block, and what happens to translations: nv_mmu.h. */
#include <config.h>

#include "devices/nvidia/nv_mmu.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_tables.h"

/* What differs by chip. */
static struct nv_mmu_tables nv_mmu_tables(const struct nv_mmu *mmu,
                                          const struct address_space *space)
{
    const uint32_t host_class = mmu->host->model->class_host;

    return (struct nv_mmu_tables){
        .form = (enum nv_mmu_form)space->form,
        .aperture = (enum memory_aperture)space->root_aperture,
        .root = space->root,
        .invalid_kind = host_class >= TURING_CHANNEL_GPFIFO_A ? 0x07 : 0xff,
        .huge_at_pde1 = host_class > TURING_CHANNEL_GPFIFO_A,
    };
}

static bool nv_mmu_miss(void *unit, const struct address_space *space, uint64_t va,
                        struct address_space_range *page)
{
    struct nv_mmu *mmu = unit;
    const struct nv_mmu_tables tables = nv_mmu_tables(mmu, space);

    return nv_mmu_walk(mmu->machine, &tables, va, page) == NV_PFAULT_FAULT_TYPE_NONE;
}

static uint32_t nv_mmu_entries(void *unit)
{
    const struct nv_mmu *mmu = unit;

    const uint64_t entries = machine_parameter(mmu->machine, PARAM_NV_TLB_ENTRIES);

    if (entries > ADDRESS_SPACE_CACHED_MAX)
        return ADDRESS_SPACE_CACHED_MAX;
    return entries ? (uint32_t)entries : 1;
}

void nv_mmu_wire(struct nv_mmu *mmu, struct nv_host *host)
{
    mmu->machine = host->machine;
    mmu->host = host;
    mmu->machine->spaces.walker.walk = nv_mmu_miss;
    mmu->machine->spaces.walker.entries = nv_mmu_entries;
    mmu->machine->spaces.walker.mmu = mmu;
}

static enum nv_mmu_form nv_mmu_form(const struct nv_mmu *mmu, uint32_t page_dir_base)
{
    const bool big_64k = REG_GET(page_dir_base, NV_RAMIN_PAGE_DIR_BASE_BIG_PAGE_SIZE) != 0;

    if (mmu->host->model->class_host >= 0xc86f /* HOPPER_CHANNEL_GPFIFO_A */)
        return NV_MMU_VER3;
    if (mmu->host->model->class_host >= PASCAL_CHANNEL_GPFIFO_A &&
        REG_GET(page_dir_base, NV_RAMIN_PAGE_DIR_BASE_USE_VER2_PT))
        return big_64k ? NV_MMU_VER2_BIG_64K : NV_MMU_VER2_BIG_128K;
    return big_64k ? NV_MMU_VER1_BIG_64K : NV_MMU_VER1_BIG_128K;
}

/* ADR_LIMIT is there up to Pascal; its lower 12 bits are ones whatever is written (INFERRED: nvgpu
 * writes the size less 1, shifted).  0 is taken as no limit (ASSUMED). */
static uint64_t nv_mmu_limit(const struct nv_mmu *mmu, enum nv_mmu_form form,
                             const uint32_t limit[2])
{
    const uint64_t last = nv_mmu_last_va(form);
    const uint64_t written = ((uint64_t)(limit[1] & 0xff) << 32 | limit[0]) | 0xfff;

    if (mmu->host->model->class_host > PASCAL_CHANNEL_GPFIFO_A || written == 0xfff ||
        form >= NV_MMU_VER2_BIG_128K)
        return last;
    return written < last ? written : last;
}

uint32_t nv_mmu_space(struct nv_mmu *mmu, enum memory_aperture aperture, uint64_t instance)
{
    uint32_t words[4]; /* PAGE_DIR_BASE, _HI, ADR_LIMIT, _HI */
    enum memory_aperture root_aperture;
    enum nv_mmu_form form;
    uint32_t target, space_id;
    uint64_t root;

    if (!machine_read(mmu->machine, aperture, instance + NV_RAMIN_PAGE_DIR_BASE, words,
                      sizeof words))
        return ADDRESS_SPACE_NONE;
    target = REG_GET(words[0], NV_RAMIN_PAGE_DIR_BASE_TARGET);
    if (target == NV_RAMIN_PAGE_DIR_BASE_TARGET_INVALID)
        return ADDRESS_SPACE_NONE;
    root_aperture = nv_host_aperture(target);
    root = (uint64_t)words[1] << 32 | (uint64_t)REG_GET(words[0], NV_RAMIN_PAGE_DIR_BASE_LO) << 12;
    space_id = address_space_by_root(&mmu->machine->spaces, root_aperture, root);
    if (space_id != ADDRESS_SPACE_NONE)
        return space_id;
    form = nv_mmu_form(mmu, words[0]);
    return address_space_walked(&mmu->machine->spaces, root_aperture, root, form,
                                nv_mmu_limit(mmu, form, &words[2]));
}

/* Does the page forbid this access? */
static enum nv_fault_type nv_mmu_denied(uint32_t access_flags, enum nv_access_type access)
{
    if (access == NV_PFAULT_ACCESS_TYPE_ATOMIC && access_flags & ADDRESS_SPACE_NO_ATOMICS)
        return NV_PFAULT_FAULT_TYPE_ATOMIC_VIOLATION;
    if (access != NV_PFAULT_ACCESS_TYPE_WRITE && access_flags & ADDRESS_SPACE_WRITE_ONLY)
        return NV_PFAULT_FAULT_TYPE_WO_VIOLATION;
    if (access != NV_PFAULT_ACCESS_TYPE_READ && access_flags & ADDRESS_SPACE_READ_ONLY)
        return NV_PFAULT_FAULT_TYPE_RO_VIOLATION;
    /* The page is there and allows it, so it lies outside memory (ASSUMED to be this). */
    return NV_PFAULT_FAULT_TYPE_REGION_VIOLATION;
}

/* Where the spaces are lists of ranges no tables are kept. A driver has a table of pages where it
 * has mapped a page, and a walk elsewhere ends at the entry that would name one. Such a table
 * covers 2 MiB from Pascal on; before it 128 MiB (with big pages of 128 KiB, nouveau's on Kepler
 * and Maxwell: vmmgf100.c). */
static enum nv_fault_type nv_mmu_unmapped(const struct nv_mmu *mmu, uint32_t space_id, uint64_t va)
{
    const unsigned span = mmu->host->model->class_host >= PASCAL_CHANNEL_GPFIFO_A ? 21 : 27;

    return address_space_any(&mmu->machine->spaces, space_id, va >> span << span,
                             UINT64_C(1) << span)
               ? NV_PFAULT_FAULT_TYPE_PTE
               : NV_PFAULT_FAULT_TYPE_PDE;
}

enum nv_fault_type nv_mmu_why(struct nv_mmu *mmu, uint32_t space_id, uint64_t va,
                              enum nv_access_type access)
{
    struct address_spaces *spaces = &mmu->machine->spaces;
    const struct address_space_range *cached;
    struct address_space_range page = {0};
    struct nv_mmu_tables tables;
    enum nv_fault_type type;

    if (space_id >= spaces->state->space_count)
        return NV_PFAULT_FAULT_TYPE_UNBOUND_INST_BLOCK;
    if (va > spaces->spaces[space_id].last_va)
        return NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION;
    cached = address_space_locate(spaces, space_id, va);
    if (cached)
        return nv_mmu_denied(cached->access, access);
    if (spaces->spaces[space_id].form == NV_MMU_RANGES)
        return nv_mmu_unmapped(mmu, space_id, va);
    tables = nv_mmu_tables(mmu, &spaces->spaces[space_id]);
    type = nv_mmu_walk(mmu->machine, &tables, va, &page);
    /* Valid, and not there: an injected fault has it so. */
    return type == NV_PFAULT_FAULT_TYPE_NONE ? NV_PFAULT_FAULT_TYPE_PTE : type;
}

void nv_mmu_invalidate(struct nv_mmu *mmu, enum memory_aperture aperture, const uint64_t *root,
                       const uint64_t *va)
{
    struct address_spaces *spaces = &mmu->machine->spaces;

    if (!root) {
        address_space_invalidate(spaces, ADDRESS_SPACE_NONE, va);
        return;
    }
    for (uint32_t id = 0; id < spaces->state->space_count; id++)
        if (spaces->spaces[id].form != NV_MMU_RANGES && spaces->spaces[id].root == *root &&
            spaces->spaces[id].root_aperture == aperture)
            address_space_invalidate(spaces, id, va);
}
