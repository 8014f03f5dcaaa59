/* SPDX-License-Identifier: MIT */
/*
 * The MMU: page tables in guest memory, walked for channels whose instance block names a root that
 * no driver model has made (emu/engine/address_space.h).
 *
 * There are three forms.  Fermi to Maxwell, and Pascal when USE_VER2_PT is 0: two levels, 40 bits
 * of address.  A page directory entry names a table of small pages (4 KiB) and one of big ones (128
 * or 64 KiB by BIG_PAGE_SIZE).  VER2, Pascal to Ada: five levels, 49 bits.  The last directory has
 * double entries for small and big tables, and an entry of a directory may itself be a page (2 MiB,
 * from Ampere on also 512 MiB: INFERRED).  VER3, Hopper: six levels, 57 bits, access rights as one
 * number.  If a big and a small page are valid, the big one counts (nouveau vmmgp100.c, comments;
 * INFERRED).
 *
 * Translations are kept (nv.tlb_pages) until they are invalidated by NV_PFB_PRI_MMU_INVALIDATE, its
 * twin of Turing, or MEM_OP MMU_TLB_INVALIDATE.  If software omits that, the GPU uses the old page.
 *
 * Described in open-gpu-doc gv100/dev_mmu.ref.txt and tu104/dev_mmu.ref.txt,
 * open-gpu-kernel-modules published/maxwell/gm107/dev_mmu.h, pascal/gp100/dev_mmu.h and
 * hopper/gh100/dev_mmu.h, and dev_ram.ref.txt for the instance block; nouveau vmmgf100.c and
 * vmmgp100.c for the address bits that select at each level.  Not modelled: subcontexts' own roots
 * (SC_PAGE_DIR_BASE), address translation services, PRIVILEGE of pages (they are open to all
 * channels); sparse ranges and peers (an access faults); compression; several levels of look-aside
 * buffers, replayable faults.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_MMU_H
#define GFE_DEVICES_NVIDIA_NV_MMU_H

#include "emu/engine/machine.h"

struct nv_host;

/* Forms of page tables: address_space.form. */
enum nv_mmu_form {
    NV_MMU_RANGES, /* a driver model's list; not walked */
    NV_MMU_VER1_BIG_128K,
    NV_MMU_VER1_BIG_64K,
    NV_MMU_VER2_BIG_128K,
    NV_MMU_VER2_BIG_64K,
    NV_MMU_VER3,
    NV_MMU_FORMS
};

/* NV_PFAULT_FAULT_TYPE (tu104/dev_fault.ref.txt). */
enum nv_fault_type {
    NV_PFAULT_FAULT_TYPE_PDE,
    NV_PFAULT_FAULT_TYPE_PDE_SIZE,
    NV_PFAULT_FAULT_TYPE_PTE,
    NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION,
    NV_PFAULT_FAULT_TYPE_UNBOUND_INST_BLOCK,
    NV_PFAULT_FAULT_TYPE_PRIV_VIOLATION,
    NV_PFAULT_FAULT_TYPE_RO_VIOLATION,
    NV_PFAULT_FAULT_TYPE_WO_VIOLATION,
    NV_PFAULT_FAULT_TYPE_PITCH_MASK_VIOLATION,
    NV_PFAULT_FAULT_TYPE_WORK_CREATION,
    NV_PFAULT_FAULT_TYPE_UNSUPPORTED_APERTURE,
    NV_PFAULT_FAULT_TYPE_COMPRESSION_FAILURE,
    NV_PFAULT_FAULT_TYPE_UNSUPPORTED_KIND,
    NV_PFAULT_FAULT_TYPE_REGION_VIOLATION,
    NV_PFAULT_FAULT_TYPE_POISONED,
    NV_PFAULT_FAULT_TYPE_ATOMIC_VIOLATION,
    NV_PFAULT_FAULT_TYPE_NONE
};

/* NV_PFAULT_ACCESS_TYPE. */
enum nv_access_type {
    NV_PFAULT_ACCESS_TYPE_READ,
    NV_PFAULT_ACCESS_TYPE_WRITE,
    NV_PFAULT_ACCESS_TYPE_ATOMIC,
    NV_PFAULT_ACCESS_TYPE_PREFETCH
};

/* The properties of an address space that a walk needs. */
struct nv_mmu_tables {
    enum nv_mmu_form form;
    enum memory_aperture aperture; /* of the root */
    uint64_t root;
    uint8_t invalid_kind; /* of this chip: a page of that kind is mapped, but faults */
    bool huge_at_pde1;    /* true if it has 512-MiB pages */
};

/* Walks the tables to the page in which va lies.  Returns NV_PFAULT_FAULT_TYPE_NONE, or the reason
 * why there is no page.  Reads guest memory and changes nothing. */
enum nv_fault_type nv_mmu_walk(struct machine *machine, const struct nv_mmu_tables *tables,
                               uint64_t va, struct address_space_range *page);
/* Returns the last address that tables of a form can map. */
uint64_t nv_mmu_last_va(enum nv_mmu_form form);

struct nv_mmu {
    struct machine *machine;
    struct nv_host *host;
};

/* Makes this MMU walk the machine's address spaces. */
void nv_mmu_wire(struct nv_mmu *mmu, struct nv_host *host);
/* Returns the address space that an instance block names, and opens it if it is walked and new.
 * Returns `ADDRESS_SPACE_NONE` if the block lies outside memory or names no root. */
uint32_t nv_mmu_space(struct nv_mmu *mmu, enum memory_aperture aperture, uint64_t instance);
/* Returns the reason why an access failed.  For the space `ADDRESS_SPACE_NONE` it is
 * UNBOUND_INST_BLOCK. */
enum nv_fault_type nv_mmu_why(struct nv_mmu *mmu, uint32_t space_id, uint64_t va,
                              enum nv_access_type access);
/* Drops translations: of the spaces with a root, or of all spaces when `root` is NULL.  When `va`
 * is not NULL, drops only the translation of that page. */
void nv_mmu_invalidate(struct nv_mmu *mmu, enum memory_aperture aperture, const uint64_t *root,
                       const uint64_t *va);

#endif
