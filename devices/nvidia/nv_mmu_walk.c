/* SPDX-License-Identifier: MIT */
/* The walk down page tables of each form: nv_mmu.h. */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_mmu.h"

/* A directory: which bits of the address choose the entry. */
struct nv_mmu_level {
    uint8_t hi, lo;
};

enum { LEVELS_MAX = 5 };

/* The directories from the root on; the last one has double entries. */
struct nv_mmu_shape {
    struct nv_mmu_level levels[LEVELS_MAX];
    uint8_t count;
    uint8_t big_lo; /* lowest bit of a big page's number */
};

static const struct nv_mmu_shape nv_mmu_shapes[NV_MMU_FORMS] = {
    [NV_MMU_VER1_BIG_128K] = {{{39, 27}}, 1, 17},
    [NV_MMU_VER1_BIG_64K] = {{{39, 26}}, 1, 16},
    [NV_MMU_VER2_BIG_128K] = {{{48, 47}, {46, 38}, {37, 29}, {28, 21}}, 4, 17},
    [NV_MMU_VER2_BIG_64K] = {{{48, 47}, {46, 38}, {37, 29}, {28, 21}}, 4, 16},
    [NV_MMU_VER3] = {{{56, 56}, {55, 47}, {46, 38}, {37, 29}, {28, 21}}, 5, 16},
};

uint64_t nv_mmu_last_va(enum nv_mmu_form form)
{
    assert(form > NV_MMU_RANGES && form < NV_MMU_FORMS);
    return (UINT64_C(2) << nv_mmu_shapes[form].levels[0].hi) - 1;
}

static uint64_t bits(uint64_t word, unsigned hi, unsigned lo)
{
    return word >> lo & (UINT64_MAX >> (63 - (hi - lo)));
}

/* A table that an entry names; `none` when its aperture says so. */
struct nv_mmu_table {
    bool none;
    enum memory_aperture aperture;
    uint64_t address;
};

/* Aperture codes of directory entries: 0 invalid, 1 video memory, 2 and 3 system memory. */
static struct nv_mmu_table nv_mmu_table(uint64_t aperture, uint64_t address)
{
    return (struct nv_mmu_table){aperture == 0, aperture >= 2 ? MEMORY_SYSMEM : MEMORY_VRAM,
                                 address};
}

/* Address field of VER1 and VER2, in units of 1 << shift; in video memory the upper bits of the
 * field are a peer's number. */
static uint64_t nv_mmu_address(uint64_t word, bool video, unsigned hi, unsigned video_hi,
                               unsigned lo, unsigned shift)
{
    return bits(word, video ? video_hi : hi, lo) << shift;
}

static struct nv_mmu_table nv_mmu_directory_entry(bool ver3, uint64_t word)
{
    const uint64_t aperture = bits(word, 2, 1);

    return nv_mmu_table(aperture, ver3 ? bits(word, 51, 12) << 12
                                       : nv_mmu_address(word, aperture == 1, 53, 32, 8, 12));
}

/* Double entry of VER2 or VER3: words[0] is the big pages' half. */
static struct nv_mmu_table nv_mmu_dual(bool ver3, const uint64_t words[2], bool big)
{
    const uint64_t word = words[big ? 0 : 1];
    const uint64_t aperture = bits(word, 2, 1);

    if (ver3)
        return nv_mmu_table(aperture, big ? bits(word, 51, 8) << 8 : bits(word, 51, 12) << 12);
    return nv_mmu_table(aperture, big ? nv_mmu_address(word, aperture == 1, 53, 32, 4, 8)
                                      : nv_mmu_address(word, aperture == 1, 53, 32, 8, 12));
}

static struct nv_mmu_table nv_mmu_dual_ver1(uint64_t entry, bool big)
{
    const uint64_t word = big ? entry & UINT32_MAX : entry >> 32;
    const uint64_t aperture = bits(word, 1, 0);

    return nv_mmu_table(aperture, nv_mmu_address(word, aperture == 1, 31, 28, 4, 12));
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Aperture codes of pages: 0 video memory, 1 a peer, 2 and 3 system memory. */
static enum nv_fault_type nv_mmu_place(const struct nv_mmu_tables *tables, uint64_t aperture,
                                       struct address_space_range *page)
{
    if (aperture == 1)
        return NV_PFAULT_FAULT_TYPE_UNSUPPORTED_APERTURE;
    if (page->page_kind == tables->invalid_kind)
        return NV_PFAULT_FAULT_TYPE_UNSUPPORTED_KIND;
    page->aperture = aperture >= 2 ? MEMORY_SYSMEM : MEMORY_VRAM;
    page->physical &= ~(page->size_bytes - 1); /* ASSUMED: lower bits of the field do not count */
    return NV_PFAULT_FAULT_TYPE_NONE;
}

static enum nv_fault_type nv_mmu_pte_ver1(const struct nv_mmu_tables *tables, uint64_t word,
                                          struct address_space_range *page)
{
    const uint64_t aperture = bits(word, 34, 33);

    if (!bits(word, 0, 0))
        return NV_PFAULT_FAULT_TYPE_PTE;
    page->physical = nv_mmu_address(word, aperture == 0, 31, 28, 4, 12);
    page->page_kind = (uint32_t)bits(word, 43, 36);
    if (bits(word, 2, 2) || bits(word, 63, 63))
        page->access |= ADDRESS_SPACE_READ_ONLY;
    if (bits(word, 62, 62))
        page->access |= ADDRESS_SPACE_WRITE_ONLY;
    return nv_mmu_place(tables, aperture, page);
}

static enum nv_fault_type nv_mmu_pte_ver2(const struct nv_mmu_tables *tables, uint64_t word,
                                          struct address_space_range *page)
{
    const uint64_t aperture = bits(word, 2, 1);

    if (!bits(word, 0, 0))
        return NV_PFAULT_FAULT_TYPE_PTE;
    page->physical = nv_mmu_address(word, aperture == 0, 53, 32, 8, 12);
    page->page_kind = (uint32_t)bits(word, 63, 56);
    if (bits(word, 6, 6))
        page->access |= ADDRESS_SPACE_READ_ONLY;
    if (bits(word, 7, 7))
        page->access |= ADDRESS_SPACE_NO_ATOMICS;
    return nv_mmu_place(tables, aperture, page);
}

/* PCF of a valid page: bit 0 uncached, 1 privileged, 2 read-only, 3 no atomics, 4 no ATS. */
static enum nv_fault_type nv_mmu_pte_ver3(const struct nv_mmu_tables *tables, uint64_t word,
                                          struct address_space_range *page)
{
    if (!bits(word, 0, 0))
        return NV_PFAULT_FAULT_TYPE_PTE;
    page->physical = bits(word, 51, 12) << 12;
    page->page_kind = (uint32_t)bits(word, 11, 8);
    if (bits(word, 5, 5))
        page->access |= ADDRESS_SPACE_READ_ONLY;
    if (bits(word, 6, 6))
        page->access |= ADDRESS_SPACE_NO_ATOMICS;
    return nv_mmu_place(tables, bits(word, 2, 1), page);
}

static enum nv_fault_type nv_mmu_pte(const struct nv_mmu_tables *tables, uint64_t word, uint64_t va,
                                     unsigned page_lo, struct address_space_range *page)
{
    *page = (struct address_space_range){.va = va >> page_lo << page_lo,
                                         .size_bytes = UINT64_C(1) << page_lo};
    switch (tables->form) {
    case NV_MMU_VER1_BIG_128K:
    case NV_MMU_VER1_BIG_64K:
        return nv_mmu_pte_ver1(tables, word, page);
    case NV_MMU_VER3:
        return nv_mmu_pte_ver3(tables, word, page);
    default:
        return nv_mmu_pte_ver2(tables, word, page);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* An entry of a table; one outside memory is as one that names nothing (ASSUMED). */
static bool nv_mmu_read(struct machine *machine, const struct nv_mmu_table *table, uint64_t index,
                        uint64_t *words, size_t bytes)
{
    return !table->none &&
           machine_read(machine, table->aperture, table->address + index * bytes, words, bytes);
}

/* The page in a table of pages; PDE when there is no table. */
static enum nv_fault_type nv_mmu_leaf(struct machine *machine, const struct nv_mmu_tables *tables,
                                      const struct nv_mmu_table *table, unsigned top, unsigned lo,
                                      uint64_t va, struct address_space_range *page)
{
    uint64_t word;

    if (table->none)
        return NV_PFAULT_FAULT_TYPE_PDE;
    if (!nv_mmu_read(machine, table, bits(va, top, lo), &word, sizeof word))
        return NV_PFAULT_FAULT_TYPE_PTE;
    return nv_mmu_pte(tables, word, va, lo, page);
}

/* Big pages first, then small ones; if neither is valid, the small table's fault unless there is
 * none. */
static enum nv_fault_type nv_mmu_leaves(struct machine *machine, const struct nv_mmu_tables *tables,
                                        const struct nv_mmu_table halves[2], uint64_t va,
                                        struct address_space_range *page)
{
    const struct nv_mmu_shape *shape = &nv_mmu_shapes[tables->form];
    const unsigned top = shape->levels[shape->count - 1].lo - 1u;
    const enum nv_fault_type big =
        nv_mmu_leaf(machine, tables, &halves[0], top, shape->big_lo, va, page);
    enum nv_fault_type small;

    if (big != NV_PFAULT_FAULT_TYPE_PDE && big != NV_PFAULT_FAULT_TYPE_PTE)
        return big;
    small = nv_mmu_leaf(machine, tables, &halves[1], top, 12, va, page);
    return small == NV_PFAULT_FAULT_TYPE_PDE ? big : small;
}

/* SIZE of a VER1 entry: the tables are this part of their full length. */
static bool nv_mmu_beyond_size(const struct nv_mmu_shape *shape, uint64_t entry, uint64_t va)
{
    const unsigned span = shape->levels[0].lo;

    return bits(va, span - 1u, 0) >> (span - bits(entry, 3, 2)) != 0;
}

static enum nv_fault_type nv_mmu_walk_ver1(struct machine *machine,
                                           const struct nv_mmu_tables *tables, uint64_t va,
                                           struct address_space_range *page)
{
    const struct nv_mmu_shape *shape = &nv_mmu_shapes[tables->form];
    const struct nv_mmu_table root = {false, tables->aperture, tables->root};
    struct nv_mmu_table halves[2];
    uint64_t entry;

    if (!nv_mmu_read(machine, &root, bits(va, shape->levels[0].hi, shape->levels[0].lo), &entry,
                     sizeof entry))
        return NV_PFAULT_FAULT_TYPE_PDE;
    halves[0] = nv_mmu_dual_ver1(entry, true);
    halves[1] = nv_mmu_dual_ver1(entry, false);
    if ((!halves[0].none || !halves[1].none) && nv_mmu_beyond_size(shape, entry, va))
        return NV_PFAULT_FAULT_TYPE_PDE_SIZE;
    return nv_mmu_leaves(machine, tables, halves, va, page);
}

/* Is an entry with bit 0 a page at this level, counted from the last directory? */
static bool nv_mmu_may_be_page(const struct nv_mmu_tables *tables, unsigned from_last)
{
    return from_last == 0 || (from_last == 1 && tables->huge_at_pde1);
}

enum nv_fault_type nv_mmu_walk(struct machine *machine, const struct nv_mmu_tables *tables,
                               uint64_t va, struct address_space_range *page)
{
    const struct nv_mmu_shape *shape = &nv_mmu_shapes[tables->form];
    const bool ver3 = tables->form == NV_MMU_VER3;
    struct nv_mmu_table table = {false, tables->aperture, tables->root}, halves[2];
    uint64_t words[2];

    if (va > nv_mmu_last_va(tables->form))
        return NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION;
    if (tables->form == NV_MMU_VER1_BIG_128K || tables->form == NV_MMU_VER1_BIG_64K)
        return nv_mmu_walk_ver1(machine, tables, va, page);
    for (unsigned i = 0; i < shape->count; i++) {
        const struct nv_mmu_level *level = &shape->levels[i];
        const unsigned from_last = shape->count - 1u - i;

        if (!nv_mmu_read(machine, &table, bits(va, level->hi, level->lo), words,
                         from_last == 0 ? 16 : 8))
            return NV_PFAULT_FAULT_TYPE_PDE;
        if (words[0] & 1)
            return nv_mmu_may_be_page(tables, from_last)
                       ? nv_mmu_pte(tables, words[0], va, level->lo, page)
                       : NV_PFAULT_FAULT_TYPE_PDE;
        table = nv_mmu_directory_entry(ver3, words[0]);
    }
    halves[0] = nv_mmu_dual(ver3, words, true);
    halves[1] = nv_mmu_dual(ver3, words, false);
    return nv_mmu_leaves(machine, tables, halves, va, page);
}
