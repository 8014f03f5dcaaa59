/* SPDX-License-Identifier: MIT */
/*
 * Page tables in memory, written by hand from open-gpu-doc gv100/dev_mmu.ref.txt and dev_mmu.h of
 * gm107, gp100 and gh100.  One address is used throughout, whose part at every level differs:
 *
 *   VER2, VER3   PDE2 46:38 = 3, PDE1 37:29 = 6, PDE0 28:21 = 7, page 20:12 = 8, offset 0x123
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_mmu.h"
#include "emu/engine/random.h"
#include "tests/check_pbdma.h"
#include "tests/suites.h"

/* Physical addresses, behind what the fixture uses. */
#define ROOT      UINT64_C(0x2000000)
#define DIRECTORY UINT64_C(0x2010000) /* and up: one table each 64 KiB */
#define SMALL     UINT64_C(0x2100000)
#define BIG       UINT64_C(0x2200000)
#define PAGE      UINT64_C(0x3000000)
#define VA        (UINT64_C(3) << 38 | UINT64_C(6) << 29 | UINT64_C(7) << 21 | UINT64_C(8) << 12 | 0x123)

static void put(uint64_t table, uint64_t index, uint64_t entry)
{
    ck_assert(machine_write(check.machine, MEMORY_VRAM, table + 8 * index, &entry, sizeof entry));
}

/* A directory entry of VER2 or VER3: aperture 1 is video memory. */
static uint64_t pde(uint64_t address)
{
    return address >> 12 << 8 | 1 << 1;
}

static uint64_t pde_ver3(uint64_t address)
{
    return address | 1 << 1;
}

/* The path to VA's double entry, which is left empty; returns its table. */
static uint64_t path(bool ver3)
{
    uint64_t table = ROOT;
    const uint64_t indices[] = {0, 0, 3, 6};

    for (int level = ver3 ? 0 : 1; level < 4; level++) {
        const uint64_t next = DIRECTORY + 0x10000u * (uint64_t)level;

        put(table, indices[level], ver3 ? pde_ver3(next) : pde(next));
        table = next;
    }
    return table;
}

static uint64_t page_ver2(uint64_t address)
{
    return address >> 12 << 8 | 1;
}

static struct nv_mmu_tables tables(enum nv_mmu_form form)
{
    return (struct nv_mmu_tables){
        .form = form, .aperture = MEMORY_VRAM, .root = ROOT, .invalid_kind = 0xff};
}

static struct address_space_range page;

static enum nv_fault_type walk(enum nv_mmu_form form, uint64_t va)
{
    const struct nv_mmu_tables t = tables(form);

    page = (struct address_space_range){0};
    return nv_mmu_walk(check.machine, &t, va, &page);
}

static void expect_page(uint64_t va, uint64_t size_bytes, uint64_t physical, uint32_t aperture)
{
    ck_assert_uint_eq(page.va, va);
    ck_assert_uint_eq(page.size_bytes, size_bytes);
    ck_assert_uint_eq(page.physical, physical);
    ck_assert_uint_eq(page.aperture, aperture);
}

/* ---- VER2 ------------------------------------------------------------------------------------ */

START_TEST(ver2_walks_to_a_small_page)
{
    const uint64_t dual = path(false);

    put(dual, 7 * 2 + 1, pde(SMALL));
    put(SMALL, 8, page_ver2(PAGE) | UINT64_C(0xdb) << 56);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0xfff), 4096, PAGE, MEMORY_VRAM);
    ck_assert_uint_eq(page.page_kind, 0xdb);
    ck_assert_uint_eq(page.access, 0);
    /* The neighbours on every level are not there. */
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA + 0x1000), NV_PFAULT_FAULT_TYPE_PTE);
    for (int bit = 21; bit < 49; bit++)
        ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA ^ UINT64_C(1) << bit),
                          NV_PFAULT_FAULT_TYPE_PDE);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA | UINT64_C(1) << 49),
                      NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION);
}
END_TEST

/* Address of the big pages' table: bits 53:4, in units of 256 bytes.  128-KiB pages: 16 to a table.
 */
START_TEST(ver2_walks_to_a_big_page_first)
{
    const uint64_t dual = path(false);

    put(dual, 7 * 2, (BIG + 0x100) >> 8 << 4 | 1 << 1);
    put(dual, 7 * 2 + 1, pde(SMALL));
    put(SMALL, 8, page_ver2(PAGE));
    put(BIG + 0x100, 0, page_ver2(PAGE + 0x10000));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0xffff), 0x10000, PAGE + 0x10000, MEMORY_VRAM);
    put(BIG + 0x100, 0, page_ver2(PAGE + 0x20000));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_128K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0x1ffff), 0x20000, PAGE + 0x20000, MEMORY_VRAM);
    put(BIG + 0x100, 0, 0);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0xfff), 4096, PAGE, MEMORY_VRAM);
    put(SMALL, 8, 0);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_PTE);
    /* The fourth big page of 64 KiB, the second of 128. */
    put(BIG + 0x100, 3, page_ver2(PAGE + 0x40000));
    put(BIG + 0x100, 1, page_ver2(PAGE + 0x60000));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA + 0x30000), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.physical, PAGE + 0x40000);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_128K, VA + 0x30000), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.physical, PAGE + 0x60000);
}
END_TEST

START_TEST(ver2_has_huge_pages_in_directories)
{
    struct nv_mmu_tables t = tables(NV_MMU_VER2_BIG_64K);
    const uint64_t dual = path(false);

    put(dual, 7 * 2, page_ver2(0x4600000));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0x1fffff), 0x200000, 0x4600000, MEMORY_VRAM);
    put(DIRECTORY + 0x20000, 6, page_ver2(0x40000000));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_PDE);
    t.huge_at_pde1 = true;
    ck_assert_uint_eq(nv_mmu_walk(check.machine, &t, VA, &page), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0x1fffffff), 0x20000000, 0x40000000, MEMORY_VRAM);
    put(DIRECTORY + 0x10000, 3, page_ver2(0));
    ck_assert_uint_eq(nv_mmu_walk(check.machine, &t, VA, &page), NV_PFAULT_FAULT_TYPE_PDE);
}
END_TEST

/* In system memory the address is 53:8, in video memory 32:8 with a peer's number above. */
START_TEST(ver2_pages_lie_where_their_aperture_says)
{
    const uint64_t dual = path(false);
    const uint64_t far = UINT64_C(0x3fffffffff) << 12;

    put(dual, 7 * 2 + 1, pde(SMALL));
    for (uint64_t aperture = 2; aperture <= 3; aperture++) {
        put(SMALL, 8, page_ver2(far) | aperture << 1);
        ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
        expect_page(VA & ~UINT64_C(0xfff), 4096, far, MEMORY_SYSMEM);
    }
    put(SMALL, 8, page_ver2(far));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.physical, UINT64_C(0x1ffffff) << 12);
    put(SMALL, 8, page_ver2(PAGE) | 1 << 1);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_UNSUPPORTED_APERTURE);
    put(SMALL, 8, page_ver2(PAGE) | UINT64_C(0xff) << 56);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_UNSUPPORTED_KIND);
}
END_TEST

START_TEST(directories_may_lie_in_system_memory)
{
    const uint64_t word = page_ver2(PAGE);
    const uint64_t dual = path(false);

    put(dual, 7 * 2 + 1, UINT64_C(0x5000) >> 12 << 8 | 2 << 1);
    ck_assert(machine_write(check.machine, MEMORY_SYSMEM, 0x5000 + 8 * 8, &word, sizeof word));
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.physical, PAGE);
}
END_TEST

START_TEST(ver2_pages_say_what_they_forbid)
{
    const uint64_t dual = path(false);

    put(dual, 7 * 2 + 1, pde(SMALL));
    put(SMALL, 8, page_ver2(PAGE) | 1 << 6);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.access, ADDRESS_SPACE_READ_ONLY);
    put(SMALL, 8, page_ver2(PAGE) | 1 << 7);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(page.access, ADDRESS_SPACE_NO_ATOMICS);
}
END_TEST

START_TEST(directories_outside_memory_are_empty)
{
    put(ROOT, 0, UINT64_C(0x1ffffff) << 8 | 1 << 1);
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, VA), NV_PFAULT_FAULT_TYPE_PDE);
    put(ROOT, 0, pde(ROOT)); /* and a loop ends */
    ck_assert_uint_eq(walk(NV_MMU_VER2_BIG_64K, 0), NV_PFAULT_FAULT_TYPE_PTE);
}
END_TEST

/* ---- VER1 and VER3 --------------------------------------------------------------------------- */

/* 128-KiB big pages: a directory entry covers 128 MiB; 64-KiB ones: 64 MiB. */
START_TEST(ver1_has_two_levels)
{
    const uint64_t va = UINT64_C(9) << 27 | 3 << 12 | 0x45;

    put(ROOT, 9, (SMALL >> 12 << 4 | 1) << 32);
    put(SMALL, 3, PAGE >> 12 << 4 | 1 | UINT64_C(0xfe) << 36);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, va), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(va & ~UINT64_C(0xfff), 4096, PAGE, MEMORY_VRAM);
    ck_assert_uint_eq(page.page_kind, 0xfe);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_64K, va >> 1), NV_PFAULT_FAULT_TYPE_PTE);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_64K, (UINT64_C(9) << 26) + (3 << 12)),
                      NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, va + (UINT64_C(1) << 27)),
                      NV_PFAULT_FAULT_TYPE_PDE);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, UINT64_C(1) << 40),
                      NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION);
    put(ROOT, 9, (SMALL >> 12 << 4 | 1) << 32 | BIG >> 12 << 4 | 1);
    put(BIG, 0, (PAGE + 0x20000) >> 12 << 4 | 1 | UINT64_C(3) << 33);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, va), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(va & ~UINT64_C(0x1ffff), 0x20000, PAGE + 0x20000, MEMORY_SYSMEM);
}
END_TEST

/* SIZE 3: an eighth of the table is there. */
START_TEST(ver1_tables_may_be_short)
{
    const uint64_t va = UINT64_C(9) << 27, eighth = UINT64_C(1) << 24;

    put(ROOT, 9, (SMALL >> 12 << 4 | 1) << 32 | 3 << 2);
    put(SMALL, eighth / 4096 - 1, PAGE >> 12 << 4 | 1);
    put(SMALL, eighth / 4096, PAGE >> 12 << 4 | 1);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, va + eighth - 1), NV_PFAULT_FAULT_TYPE_NONE);
    ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, va + eighth), NV_PFAULT_FAULT_TYPE_PDE_SIZE);
}
END_TEST

START_TEST(ver1_pages_say_what_they_forbid)
{
    const struct {
        uint64_t bits;
        uint32_t access;
    } rows[] = {{1 << 2, ADDRESS_SPACE_READ_ONLY},
                {UINT64_C(1) << 63, ADDRESS_SPACE_READ_ONLY},
                {UINT64_C(1) << 62, ADDRESS_SPACE_WRITE_ONLY}};

    put(ROOT, 0, (SMALL >> 12 << 4 | 1) << 32);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(SMALL, 8, PAGE >> 12 << 4 | 1 | rows[i].bits);
        ck_assert_uint_eq(walk(NV_MMU_VER1_BIG_128K, 8 << 12), NV_PFAULT_FAULT_TYPE_NONE);
        ck_assert_uint_eq(page.access, rows[i].access);
    }
}
END_TEST

START_TEST(ver3_has_six_levels)
{
    const uint64_t dual = path(true);

    put(dual, 7 * 2 + 1, pde_ver3(SMALL));
    put(SMALL, 8, PAGE | 1 | UINT64_C(6) << 8 | 1 << 5);
    ck_assert_uint_eq(walk(NV_MMU_VER3, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0xfff), 4096, PAGE, MEMORY_VRAM);
    ck_assert_uint_eq(page.page_kind, 6);
    ck_assert_uint_eq(page.access, ADDRESS_SPACE_READ_ONLY);
    ck_assert_uint_eq(walk(NV_MMU_VER3, VA | UINT64_C(1) << 56), NV_PFAULT_FAULT_TYPE_PDE);
    ck_assert_uint_eq(walk(NV_MMU_VER3, VA | UINT64_C(1) << 57),
                      NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION);
    put(dual, 7 * 2, (BIG + 0x300) | 1 << 1);
    put(BIG + 0x300, 0, (PAGE + 0x70000) | 1 | 1 << 6);
    ck_assert_uint_eq(walk(NV_MMU_VER3, VA), NV_PFAULT_FAULT_TYPE_NONE);
    expect_page(VA & ~UINT64_C(0xffff), 0x10000, PAGE + 0x70000, MEMORY_VRAM);
    ck_assert_uint_eq(page.access, ADDRESS_SPACE_NO_ATOMICS);
}
END_TEST

/* Whatever lies in memory, a walk ends with a page around the address, or with a fault. */
/* PROMISE (nvidia): Page tables of each version are walked in memory, whatever they hold. */
START_TEST(any_tables_can_be_walked)
{
    struct random_state random;
    uint64_t pages = 0;

    random_seed(&random, 7, 0);
    for (uint64_t at = ROOT; at < ROOT + 0x8000; at += 8) {
        uint64_t entry = (uint64_t)random_next(&random) << 32 | random_next(&random);

        /* Most entries name a table among these. */
        if (random_next(&random) % 4)
            entry = (random_next(&random) % 8 ? 1 : entry & 0xf) << 1 |
                    (ROOT / 4096 + random_next(&random) % 8) << 8 | (random_next(&random) % 6 == 0);
        put(at, 0, entry);
    }
    for (int i = 0; i < 200000; i++) {
        const enum nv_mmu_form form = (enum nv_mmu_form)(1 + random_next(&random) % 5);
        const uint64_t va = ((uint64_t)random_next(&random) << 32 | random_next(&random)) >>
                            random_next(&random) % 48;

        if (walk(form, va) != NV_PFAULT_FAULT_TYPE_NONE)
            continue;
        pages++;
        ck_assert_uint_lt(va - page.va, page.size_bytes);
        ck_assert_uint_eq(page.va % page.size_bytes, 0);
        ck_assert_uint_eq(page.physical % page.size_bytes, 0);
    }
    ck_assert_uint_gt(pages, 100);
}
END_TEST

/* ---- translations that are kept ----------------------------------------------------------------
 */

/* Gives channel 0 page tables of its own: what the fixture maps at CHECK_VA, in huge pages, and a
 * small page at VA. */
static void own_tables(void)
{
    const uint64_t dual = DIRECTORY + 0x30000;

    (void)path(false);
    put(DIRECTORY + 0x10000, 0, pde(DIRECTORY + 0x40000)); /* PDE2 of 0 */
    put(DIRECTORY + 0x40000, 0, pde(DIRECTORY + 0x50000)); /* PDE1 of 0 */
    for (uint64_t i = 0; i < CHECK_MEMORY_BYTES / 0x200000; i++)
        put(DIRECTORY + 0x50000, 2 * (CHECK_VA / 0x200000 + i),
            page_ver2(CHECK_MEMORY + 0x200000 * i));
    put(dual, 7 * 2 + 1, pde(SMALL));
    put(SMALL, 8, page_ver2(PAGE));
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x200, (uint32_t)ROOT | 1 << 10 | 1 << 11);
}

static uint32_t vram(uint64_t address)
{
    return check_machine_peek_vram(&check, address);
}

static void release(uint32_t value)
{
    CHECK_SUBMIT(&check, 0, RELEASE(VA & ~UINT64_C(0xf), value));
    check_machine_run(&check);
}

START_TEST(a_channel_runs_with_page_tables_in_memory)
{
    own_tables();
    release(77);
    ck_assert_uint_eq(vram(PAGE + 0x120), 77);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 0);
}
END_TEST

static const uint64_t root = ROOT;
static const uint64_t other_root = ROOT + 0x1000;

/* PROMISE (nvidia): A translation is stale until it is invalidated. */
START_TEST(a_translation_is_stale_until_it_is_invalidated)
{
    const uint64_t elsewhere = VA + 0x1000;
    const uint64_t here = VA;

    own_tables();
    release(1);
    put(SMALL, 8, page_ver2(PAGE + 0x1000));
    release(2);
    ck_assert_uint_eq(vram(PAGE + 0x120), 2);
    nv_mmu_invalidate(&check.gpu->mmu, MEMORY_VRAM, &other_root, NULL);
    nv_mmu_invalidate(&check.gpu->mmu, MEMORY_SYSMEM, &root, NULL);
    nv_mmu_invalidate(&check.gpu->mmu, MEMORY_VRAM, &root, &elsewhere);
    release(3);
    ck_assert_uint_eq(vram(PAGE + 0x120), 3);
    nv_mmu_invalidate(&check.gpu->mmu, MEMORY_VRAM, &root, &here);
    release(4);
    ck_assert_uint_eq(vram(PAGE + 0x120), 3);
    ck_assert_uint_eq(vram(PAGE + 0x1120), 4);
}
END_TEST

/* NV_PFB_PRI_MMU_INVALIDATE, as nouveau's gf100_vmm_invalidate() writes it: PDB, then ALL_VA and
 * TRIGGER. */
START_TEST(the_register_invalidates)
{
    own_tables();
    release(1);
    put(SMALL, 8, page_ver2(PAGE + 0x1000));
    machine_write32(check.machine, 0x100cb8, (uint32_t)((ROOT + 0x1000) >> 8));
    machine_write32(check.machine, 0x100cbc, 0x80000001);
    release(2);
    ck_assert_uint_eq(vram(PAGE + 0x120), 2);
    machine_write32(check.machine, 0x100cb8, (uint32_t)(ROOT >> 8));
    machine_write32(check.machine, 0x100cbc, 1); /* without TRIGGER */
    release(3);
    ck_assert_uint_eq(vram(PAGE + 0x120), 3);
    machine_write32(check.machine, 0x100cbc, 0x80000001);
    ck_assert_uint_eq(machine_read32(check.machine, 0x100cbc), 1);
    release(4);
    ck_assert_uint_eq(vram(PAGE + 0x1120), 4);
    put(SMALL, 8, page_ver2(PAGE + 0x2000));
    machine_write32(check.machine, 0x100cb8, 0);
    machine_write32(check.machine, 0x100cbc, 0x80000003); /* ALL_PDB */
    release(5);
    ck_assert_uint_eq(vram(PAGE + 0x2120), 5);
}
END_TEST

/* MEM_OP_A to D of c06f: MMU_TLB_INVALIDATE is operation 9, _TARGETED 10; the channel is
 * privileged. */
START_TEST(a_method_invalidates_behind_what_was_before_it)
{
    const uint32_t d = UINT32_C(10) << 27;

    check_machine_poke_vram(&check, CHECK_INSTANCES + 0xf4, 0x1100);
    own_tables();
    release(1);
    put(SMALL, 8, page_ver2(PAGE + 0x1000));
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), (uint32_t)VA & 0xfffff000, (uint32_t)(VA >> 32) + 1,
                 (uint32_t)ROOT, d);
    release(2);
    ck_assert_uint_eq(vram(PAGE + 0x120), 2);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), (uint32_t)VA & 0xfffff000, (uint32_t)(VA >> 32),
                 (uint32_t)ROOT, d);
    release(3);
    ck_assert_uint_eq(vram(PAGE + 0x1120), 3);
    put(SMALL, 8, page_ver2(PAGE + 0x2000));
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), 0, 0, 1, UINT32_C(9) << 27); /* PDB_ALL */
    release(4);
    ck_assert_uint_eq(vram(PAGE + 0x2120), 4);
}
END_TEST

START_TEST(the_oldest_translation_goes_first)
{
    const uint32_t id =
        address_space_walked(&check.machine->spaces, MEMORY_VRAM, ROOT, NV_MMU_VER2_BIG_64K,
                             nv_mmu_last_va(NV_MMU_VER2_BIG_64K));
    const uint64_t at = VA & ~UINT64_C(0xfff);

    ck_assert(machine_set_parameter(check.machine, "nv.tlb_pages", 2));
    own_tables();
    for (uint64_t i = 0; i < 3; i++)
        put(SMALL, 8 + i, page_ver2(PAGE + 0x1000 * i));
    for (uint64_t i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(address_space_locate(&check.machine->spaces, id, at + 0x1000 * i));
    for (uint64_t i = 0; i < 3; i++)
        put(SMALL, 8 + i, page_ver2(PAGE + 0x8000));
    ck_assert_uint_eq(check.machine->spaces.state->cached_count, 2);
    /* The second and the third are still as they were; the first is read again. */
    ck_assert_uint_eq(address_space_locate(&check.machine->spaces, id, at + 0x2000)->physical,
                      PAGE + 0x2000);
    ck_assert_uint_eq(address_space_locate(&check.machine->spaces, id, at + 0x1000)->physical,
                      PAGE + 0x1000);
    ck_assert_uint_eq(address_space_locate(&check.machine->spaces, id, at)->physical,
                      PAGE + 0x8000);
    ck_assert_uint_eq(address_space_locate(&check.machine->spaces, id, at + 0x1000)->physical,
                      PAGE + 0x8000);
}
END_TEST

/* ---- why ------------------------------------------------------------------------------------- */

static enum nv_fault_type why(uint64_t entry, enum nv_access_type access)
{
    const uint32_t id =
        address_space_walked(&check.machine->spaces, MEMORY_VRAM, ROOT, NV_MMU_VER2_BIG_64K,
                             nv_mmu_last_va(NV_MMU_VER2_BIG_64K));

    put(SMALL, 8, entry);
    nv_mmu_invalidate(&check.gpu->mmu, MEMORY_VRAM, NULL, NULL);
    return nv_mmu_why(&check.gpu->mmu, id, VA, access);
}

START_TEST(an_access_that_failed_has_a_reason)
{
    own_tables();
    ck_assert_uint_eq(why(0, NV_PFAULT_ACCESS_TYPE_READ), NV_PFAULT_FAULT_TYPE_PTE);
    ck_assert_uint_eq(why(page_ver2(PAGE) | 1 << 6, NV_PFAULT_ACCESS_TYPE_WRITE),
                      NV_PFAULT_FAULT_TYPE_RO_VIOLATION);
    ck_assert_uint_eq(why(page_ver2(PAGE) | 1 << 7, NV_PFAULT_ACCESS_TYPE_ATOMIC),
                      NV_PFAULT_FAULT_TYPE_ATOMIC_VIOLATION);
    ck_assert_uint_eq(why(page_ver2(UINT64_C(0x1ffffff) << 12), NV_PFAULT_ACCESS_TYPE_READ),
                      NV_PFAULT_FAULT_TYPE_REGION_VIOLATION);
    ck_assert_uint_eq(
        nv_mmu_why(&check.gpu->mmu, ADDRESS_SPACE_NONE, VA, NV_PFAULT_ACCESS_TYPE_READ),
        NV_PFAULT_FAULT_TYPE_UNBOUND_INST_BLOCK);
}
END_TEST

/* In a space without tables a page that is there has its table with it, of 2 MiB on a Pascal:
 * beside it a page is missing, farther away a table. An H100 says FAULT_PDE for address 16
 * (tests/hardware/data/h100/faults.log). */
START_TEST(where_nothing_is_mapped_the_table_is_missing)
{
    const struct address_space_range near = {
        .va = 0x5010000, .size_bytes = 0x1000, .space_id = check.space_id};
    static const struct {
        uint64_t va;
        enum nv_fault_type type;
    } cases[] = {{0x5011000, NV_PFAULT_FAULT_TYPE_PTE}, {0x5000000, NV_PFAULT_FAULT_TYPE_PTE},
                 {0x51ff000, NV_PFAULT_FAULT_TYPE_PTE}, {0x5200000, NV_PFAULT_FAULT_TYPE_PDE},
                 {0x4fff000, NV_PFAULT_FAULT_TYPE_PDE}, {0x10, NV_PFAULT_FAULT_TYPE_PDE}};

    ck_assert_int_eq(address_space_map(&check.machine->spaces, &near), ADDRESS_SPACE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_uint_eq(
            nv_mmu_why(&check.gpu->mmu, check.space_id, cases[i].va, NV_PFAULT_ACCESS_TYPE_READ),
            cases[i].type);
}
END_TEST

static bool taken_away(void *injector, uint32_t space_id, uint64_t va,
                       struct address_space_range *found)
{
    (void)injector;
    (void)space_id;
    (void)va;
    (void)found;
    return false;
}

START_TEST(a_page_that_a_fault_has_taken_is_not_there)
{
    own_tables();
    check.machine->spaces.walker.changed = taken_away;
    ck_assert_uint_eq(why(page_ver2(PAGE), NV_PFAULT_ACCESS_TYPE_READ), NV_PFAULT_FAULT_TYPE_PTE);
}
END_TEST

START_TEST(a_page_that_is_read_only_takes_no_writes)
{
    own_tables();
    put(SMALL, 8, page_ver2(PAGE) | 1 << 6);
    release(9);
    expect_fault(VA & ~UINT64_C(0xf), NV_PFAULT_FAULT_TYPE_RO_VIOLATION, 1, NV_FAULT_HOST);
    ck_assert_uint_eq(vram(PAGE + 0x120), 0);
}
END_TEST

/* ADR_LIMIT bounds the two-level form. */
START_TEST(addresses_beyond_the_limit_fault)
{
    const uint32_t limit = (UINT32_C(9) << 27) - 1;

    put(ROOT, 8, (SMALL >> 12 << 4 | 1) << 32);
    put(SMALL, 0, PAGE >> 12 << 4 | 1);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x200, (uint32_t)ROOT);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x208, limit);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x20c, 0);
    {
        const uint32_t id = nv_mmu_space(&check.gpu->mmu, MEMORY_VRAM, CHECK_INSTANCES);

        ck_assert_uint_eq(
            nv_mmu_why(&check.gpu->mmu, id, (uint64_t)limit + 1, NV_PFAULT_ACCESS_TYPE_READ),
            NV_PFAULT_FAULT_TYPE_VA_LIMIT_VIOLATION);
        ck_assert_ptr_nonnull(address_space_locate(&check.machine->spaces, id, UINT64_C(8) << 27));
        ck_assert_ptr_null(address_space_locate(&check.machine->spaces, id, (uint64_t)limit + 1));
    }
}
END_TEST

Suite *nv_mmu_suite(void)
{
    Suite *suite = suite_create("nv_mmu");
    TCase *walks = tcase_create("walks"), *kept = tcase_create("kept"),
          *reasons = tcase_create("why");

    tcase_add_checked_fixture(walks, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(walks, ver2_walks_to_a_small_page);
    tcase_add_test(walks, ver2_walks_to_a_big_page_first);
    tcase_add_test(walks, ver2_has_huge_pages_in_directories);
    tcase_add_test(walks, ver2_pages_lie_where_their_aperture_says);
    tcase_add_test(walks, directories_may_lie_in_system_memory);
    tcase_add_test(walks, ver2_pages_say_what_they_forbid);
    tcase_add_test(walks, directories_outside_memory_are_empty);
    tcase_add_test(walks, ver1_has_two_levels);
    tcase_add_test(walks, ver1_tables_may_be_short);
    tcase_add_test(walks, ver1_pages_say_what_they_forbid);
    tcase_add_test(walks, ver3_has_six_levels);
    tcase_add_test(walks, any_tables_can_be_walked);
    suite_add_tcase(suite, walks);
    tcase_add_checked_fixture(kept, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(kept, a_channel_runs_with_page_tables_in_memory);
    tcase_add_test(kept, a_translation_is_stale_until_it_is_invalidated);
    tcase_add_test(kept, the_register_invalidates);
    tcase_add_test(kept, a_method_invalidates_behind_what_was_before_it);
    tcase_add_test(kept, the_oldest_translation_goes_first);
    suite_add_tcase(suite, kept);
    tcase_add_checked_fixture(reasons, check_pbdma_setup, check_pbdma_teardown);
    tcase_add_test(reasons, an_access_that_failed_has_a_reason);
    tcase_add_test(reasons, where_nothing_is_mapped_the_table_is_missing);
    tcase_add_test(reasons, a_page_that_a_fault_has_taken_is_not_there);
    tcase_add_test(reasons, a_page_that_is_read_only_takes_no_writes);
    tcase_add_test(reasons, addresses_beyond_the_limit_fault);
    suite_add_tcase(suite, reasons);
    return suite;
}
