/* SPDX-License-Identifier: MIT */
/* Memory of the recorded program, which may be nowhere: process_vm_readv(2), and copies where a
 * container forbids it. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/suites.h"
#include "traces/record/record_user.h"

enum { PAGE = 4096 };
#define NOWHERE ((uint64_t)8)

static uint8_t *page; /* with nothing behind it */

static void setup(void)
{
    page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(page, MAP_FAILED);
    ck_assert_int_eq(munmap(page + PAGE, PAGE), 0);
    for (int i = 0; i < PAGE; i++)
        page[i] = (uint8_t)i;
}

static void teardown(void)
{
    munmap(page, PAGE);
}

START_TEST(what_is_there_is_copied)
{
    uint8_t bytes[16];

    ck_assert(record_user_read(bytes, (uintptr_t)page + PAGE - 16, 16));
    ck_assert_mem_eq(bytes, page + PAGE - 16, 16);
    ck_assert(record_user_write((uintptr_t)page + PAGE - 4, "abcd", 4));
    ck_assert_int_eq(memcmp(page + PAGE - 5,
                            "\xfb"
                            "abcd",
                            5),
                     0);
}
END_TEST

/* process_vm_readv(2): "the return value may be less than the total number of requested bytes, if
 * a partial read occurred". */
START_TEST(a_part_is_not_all)
{
    uint8_t bytes[16] = {0};

    ck_assert(!record_user_read(bytes, (uintptr_t)page + PAGE - 8, 16));
    ck_assert(!record_user_write((uintptr_t)page + PAGE - 8, bytes, 16));
    ck_assert(!record_user_read(bytes, NOWHERE, 1));
    ck_assert(!record_user_write(NOWHERE, bytes, 1));
    ck_assert_int_eq(mprotect(page, PAGE, PROT_READ), 0);
    ck_assert(!record_user_write((uintptr_t)page, bytes, 1));
    ck_assert(record_user_read(bytes, (uintptr_t)page, 1));
}
END_TEST

START_TEST(nothing_is_always_there)
{
    ck_assert(record_user_read(NULL, NOWHERE, 0));
    ck_assert(record_user_write(NOWHERE, NULL, 0));
}
END_TEST

/* A container's filter answers EPERM, a kernel without CONFIG_CROSS_MEMORY_ATTACH ENOSYS. */
START_TEST(where_it_is_forbidden_memory_is_copied)
{
    static const int errors[] = {EPERM, ENOSYS};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    uint8_t bytes[4] = {0};

    ck_assert_ptr_nonnull(filter);
    ck_assert_int_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)errors[_i]),
                                      SCMP_SYS(process_vm_readv), 0),
                     0);
    ck_assert_int_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)errors[_i]),
                                      SCMP_SYS(process_vm_writev), 0),
                     0);
    ck_assert_int_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
    ck_assert(record_user_read(bytes, (uintptr_t)page + 1, 4));
    ck_assert_int_eq(memcmp(bytes, "\1\2\3\4", 4), 0);
    ck_assert(record_user_write((uintptr_t)page, bytes, 4));
    ck_assert_int_eq(memcmp(page, "\1\2\3\4\4", 5), 0);
}
END_TEST

Suite *record_user_suite(void)
{
    Suite *suite = suite_create("record_user");
    TCase *cases = tcase_create("memory");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, what_is_there_is_copied);
    tcase_add_test(cases, a_part_is_not_all);
    tcase_add_test(cases, nothing_is_always_there);
    tcase_add_loop_test(cases, where_it_is_forbidden_memory_is_copied, 0, 2);
    suite_add_tcase(suite, cases);
    return suite;
}
