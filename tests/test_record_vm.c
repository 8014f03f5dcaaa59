/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "tests/suites.h"
#include "traces/record/nouveau/record_vm.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES, PAGES = 64 };
#define KERNEL_VA (1ull << 39)

static struct record_vm *vm;
static struct record_buffer a, b;

static void setup(void)
{
    vm = record_vm_new(KERNEL_VA, 1ull << 39);
    ck_assert_ptr_nonnull(vm);
    a = b = (struct record_buffer){.size_bytes = PAGES * PAGE};
}

static void teardown(void)
{
    record_vm_free(vm);
}

static int bind(enum record_vm_kind kind, struct record_buffer *buffer, uint64_t page,
                uint64_t offset, uint64_t pages)
{
    const struct record_vm_op op = {.kind = kind,
                                    .va = page * PAGE,
                                    .size_bytes = pages * PAGE,
                                    .buffer = buffer,
                                    .offset = offset * PAGE};

    return record_vm_bind(vm, &op, 1);
}

/* What a page shows: 100 + page of a, 200 + page of b, 1 sparse, 0 nothing. */
static unsigned shown(uint64_t page)
{
    struct record_vm_place place;

    if (!record_vm_find(vm, page * PAGE + 8, &place))
        return 0;
    if (!place.buffer)
        return 1;
    ck_assert_uint_eq(place.offset % PAGE, 8);
    return (place.buffer == &a ? 100u : 200u) + (unsigned)(place.offset / PAGE);
}

/* Every page against what was bound to it last, told page by page. */
/* PROMISE (traces): Random binds and unbinds show what was bound last. */
START_TEST(random_binds_and_unbinds_show_what_was_bound_last)
{
    enum { SPACE = 96, ROUNDS = 3000 };
    unsigned expected[SPACE] = {0};

    srand(5);
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned pages = 1 + (unsigned)rand() % 20, page = (unsigned)rand() % (SPACE - pages);
        const unsigned offset = (unsigned)rand() % (PAGES - pages), what = (unsigned)rand() % 3;

        if (what == 2)
            ck_assert_int_eq(bind(RECORD_VM_UNMAP, NULL, page, 0, pages), 0);
        else
            ck_assert_int_eq(bind(RECORD_VM_MAP, what ? &b : &a, page, offset, pages), 0);
        for (unsigned i = 0; i < pages; i++)
            expected[page + i] = what == 2 ? 0 : (what ? 200 : 100) + offset + i;
        for (unsigned i = 0; i < SPACE; i++)
            ck_assert_uint_eq(shown(i), expected[i]);
    }
}
END_TEST

START_TEST(an_unmap_in_the_middle_splits_a_mapping)
{
    struct record_vm_place place;

    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 10, 0, 8), 0);
    ck_assert_int_eq(bind(RECORD_VM_UNMAP, NULL, 12, 0, 2), 0);
    ck_assert_uint_eq(shown(11), 101);
    ck_assert_uint_eq(shown(12), 0);
    ck_assert_uint_eq(shown(13), 0);
    ck_assert_uint_eq(shown(14), 104);
    ck_assert(record_vm_find(vm, 10 * PAGE, &place));
    ck_assert_uint_eq(place.size_bytes, 2 * PAGE);
    ck_assert(record_vm_shows(vm, &a));
    ck_assert(!record_vm_shows(vm, &b));
    ck_assert_int_eq(bind(RECORD_VM_UNMAP, NULL, 0, 0, 60), 0); /* where nothing is, too */
    ck_assert(!record_vm_shows(vm, &a));
}
END_TEST

START_TEST(ranges_are_whole_pages_inside_the_clients_part)
{
    const struct record_vm_op bad[] = {
        {.kind = RECORD_VM_UNMAP, .va = 8, .size_bytes = PAGE},
        {.kind = RECORD_VM_UNMAP, .va = 0, .size_bytes = PAGE + 8},
        {.kind = RECORD_VM_UNMAP, .va = 0, .size_bytes = 0},
        {.kind = RECORD_VM_UNMAP, .va = KERNEL_VA - PAGE, .size_bytes = 2 * PAGE},
        {.kind = RECORD_VM_UNMAP, .va = (1ull << 47) - PAGE, .size_bytes = 2 * PAGE},
        {.kind = RECORD_VM_UNMAP, .va = UINT64_MAX - PAGE + 1, .size_bytes = PAGE},
        {.kind = RECORD_VM_UNMAP, .va = PAGE, .size_bytes = UINT64_MAX - PAGE + 1},
        {.kind = RECORD_VM_MAP, .va = 0, .size_bytes = PAGE, .buffer = &a, .offset = 8},
        {.kind = RECORD_VM_MAP, .va = 0, .size_bytes = PAGE, .buffer = &a, .offset = PAGES * PAGE},
        {.kind = RECORD_VM_MAP, .va = 0, .size_bytes = (PAGES + 1) * PAGE, .buffer = &a},
        {.kind = RECORD_VM_MAP,
         .va = 0,
         .size_bytes = 2 * PAGE,
         .buffer = &a,
         .offset = (PAGES - 1) * PAGE},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(record_vm_bind(vm, &bad[i], 1) == -EINVAL, "operation %zu", i);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, KERNEL_VA / PAGE - 1, 0, 1), 0);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, (1ull << 40) / PAGE, 0, 1), 0);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, (1ull << 47) / PAGE - 1, 0, 1), 0);
}
END_TEST

START_TEST(a_sparse_region_takes_its_place_again_when_memory_in_it_goes)
{
    struct record_vm_place place;

    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 20, 0, 10), 0);
    ck_assert_uint_eq(shown(20), 1);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 24, 3, 2), 0);
    ck_assert_uint_eq(shown(24), 103);
    ck_assert(record_vm_find(vm, 20 * PAGE, &place));
    ck_assert_uint_eq(place.size_bytes, 4 * PAGE); /* up to the memory in it */
    ck_assert_int_eq(bind(RECORD_VM_UNMAP, NULL, 20, 0, 10), 0);
    ck_assert_uint_eq(shown(24), 1);
    ck_assert_int_eq(bind(RECORD_VM_UNMAP_SPARSE, NULL, 20, 0, 10), 0);
    ck_assert_uint_eq(shown(24), 0);
}
END_TEST

START_TEST(what_crosses_a_sparse_border_has_no_space)
{
    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 20, 0, 10), 0);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 18, 0, 4), -ENOSPC);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 28, 0, 4), -ENOSPC);
    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 29, 0, 4), -ENOSPC);
    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 22, 0, 2), -ENOSPC);
    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 40, 0, 4), 0);
    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 38, 0, 4), -ENOSPC);
    ck_assert_int_eq(bind(RECORD_VM_UNMAP_SPARSE, NULL, 20, 0, 9), -ENOENT);
    ck_assert_int_eq(bind(RECORD_VM_UNMAP_SPARSE, NULL, 50, 0, 9), -ENOENT);
    ck_assert_uint_eq(shown(18), 0);
}
END_TEST

START_TEST(a_list_of_operations_happens_as_a_whole_or_not_at_all)
{
    const struct record_vm_op ops[] = {
        {.kind = RECORD_VM_UNMAP, .va = 2 * PAGE, .size_bytes = PAGE},
        {.kind = RECORD_VM_MAP, .va = 9 * PAGE, .size_bytes = PAGE, .buffer = &b},
        {.kind = RECORD_VM_UNMAP_SPARSE, .va = 30 * PAGE, .size_bytes = PAGE},
        {.kind = RECORD_VM_MAP, .va = 30 * PAGE, .size_bytes = PAGE, .buffer = &b},
    };

    ck_assert_int_eq(bind(RECORD_VM_MAP, &a, 0, 0, 8), 0);
    ck_assert_int_eq(record_vm_bind(vm, ops, 3), -ENOENT);
    ck_assert_uint_eq(shown(2), 102);
    ck_assert_uint_eq(shown(9), 0);
    /* Nor may a region end and something take its place in one list. */
    ck_assert_int_eq(bind(RECORD_VM_MAP_SPARSE, NULL, 30, 0, 1), 0);
    ck_assert_int_eq(record_vm_bind(vm, ops, 4), -EINVAL);
    ck_assert_uint_eq(shown(30), 1);
    ck_assert_uint_eq(shown(2), 102);
    ck_assert_int_eq(record_vm_bind(vm, ops, 3), 0);
    ck_assert_uint_eq(shown(30), 0);
    ck_assert_uint_eq(shown(2), 0);
    ck_assert_uint_eq(shown(9), 200);
}
END_TEST

Suite *record_vm_suite(void)
{
    Suite *suite = suite_create("record_vm");
    TCase *cases = tcase_create("binds");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, random_binds_and_unbinds_show_what_was_bound_last);
    tcase_add_test(cases, an_unmap_in_the_middle_splits_a_mapping);
    tcase_add_test(cases, ranges_are_whole_pages_inside_the_clients_part);
    tcase_add_test(cases, a_sparse_region_takes_its_place_again_when_memory_in_it_goes);
    tcase_add_test(cases, what_crosses_a_sparse_border_has_no_space);
    tcase_add_test(cases, a_list_of_operations_happens_as_a_whole_or_not_at_all);
    suite_add_tcase(suite, cases);
    return suite;
}
