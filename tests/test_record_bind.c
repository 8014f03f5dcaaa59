/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <sys/mman.h>

#include "tests/check_record.h"
#include "tests/suites.h"

enum { PAGE = 4096 };

/* ---- VM_INIT --------------------------------------------------------------------------------- */

START_TEST(a_client_that_began_the_old_way_cannot_manage_addresses)
{
    struct uapi_vm_init init = {1ull << 39, 1ull << 39};

    (void)check_record_bo(UAPI_DOMAIN_GART, PAGE, NULL);
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), -ENOSYS);
    check_record_client(2);
    ck_assert_int_ge(check_record_channel(), 0);
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), -ENOSYS);
    check_record_client(3);
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" VM_INIT as_id=2 kernel_address=0x8000000000 "
                                         "kernel_size_bytes=549755813888"),
                      1);
    ck_assert_uint_eq(check_record_count(" AS_CREATE as_id=2 client_id=2"), 1);
}
END_TEST

START_TEST(the_kernels_part_lies_in_the_address_space)
{
    struct uapi_vm_init init = {UINT64_MAX, 2};

    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), -EINVAL);
    init = (struct uapi_vm_init){1ull << 46, (1ull << 46) + 1};
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), -EINVAL);
    init.kernel_managed_size--;
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), 0);
}
END_TEST

START_TEST(without_vm_init_there_is_no_vm_bind)
{
    ck_assert_int_eq(check_record_bind(1, 0, 0, PAGE), -ENOSYS);
}
END_TEST

START_TEST(with_vm_init_there_is_no_pushbuf)
{
    struct uapi_gem_pushbuf submit = {0};

    check_record_vm();
    submit.channel = (uint32_t)check_record_channel();
    ck_assert_int_eq(RECORD_CALL(GEM_PUSHBUF, gem_pushbuf, &submit), -ENOSYS);
}
END_TEST

START_TEST(objects_of_such_a_client_lie_nowhere_until_they_are_bound)
{
    struct uapi_gem_info info;

    check_record_vm();
    info = check_record_bo(UAPI_DOMAIN_VRAM, PAGE, NULL);
    ck_assert_int_eq(check_record_bind(info.handle, 0x3000, 0, PAGE), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" AS_MAP as_id=objects"), 1);
    ck_assert_uint_eq(check_record_count(" VM_BIND as_id=0 bind_id=1 flags=0x0 "
                                         "binds=[MAP 0x3000 4096 bytes of 1+0x0] waits=[] "
                                         "signals=[]"),
                      1);
}
END_TEST

START_TEST(no_share_is_for_clients_that_manage_their_addresses)
{
    struct uapi_gem_new new = {
        .info = {.domain = UAPI_DOMAIN_GART | UAPI_DOMAIN_NO_SHARE, .size = PAGE}};
    struct uapi_prime prime = {0};

    check_record_client(2);
    ck_assert_int_eq(RECORD_CALL(GEM_NEW, gem_new, &new), -EINVAL);
    check_record_client(1);
    check_record_vm();
    ck_assert_int_eq(RECORD_CALL(GEM_NEW, gem_new, &new), 0);
    prime.handle = new.info.handle;
    ck_assert_int_eq(RECORD_CALL(PRIME_HANDLE_TO_FD, prime, &prime), -EPERM);
}
END_TEST

/* ---- VM_BIND --------------------------------------------------------------------------------- */

/* PROMISE (traces): Broken binds get the kernel's errors. */
START_TEST(broken_binds_get_the_kernels_errors)
{
    struct uapi_gem_info info;
    struct uapi_vm_bind_op op = {.op = 7, .range = PAGE};
    struct uapi_sync sync = {.handle = 99};
    struct uapi_vm_bind bind = {.op_count = 1, .op_ptr = (uintptr_t)&op};

    check_record_vm();
    info = check_record_bo(UAPI_DOMAIN_VRAM, 4 * PAGE, NULL);
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EINVAL); /* no such operation */
    ck_assert_int_eq(check_record_bind(info.handle + 1, 0, 0, PAGE), -ENOENT);
    ck_assert_int_eq(check_record_bind(info.handle, 8, 0, PAGE), -EINVAL);
    ck_assert_int_eq(check_record_bind(info.handle, 0, 0, 5 * PAGE), -EINVAL);
    ck_assert_int_eq(check_record_bind(info.handle, 1ull << 39, 0, PAGE), -EINVAL);
    bind.op_ptr = 8;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EFAULT);
    bind = (struct uapi_vm_bind){
        .op_count = 1, .op_ptr = (uintptr_t)&op, .wait_count = 1, .wait_ptr = (uintptr_t)&sync};
    op = (struct uapi_vm_bind_op){.op = UAPI_VM_BIND_OP_UNMAP, .range = PAGE};
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EINVAL); /* it is synchronous */
    bind.flags = UAPI_VM_BIND_RUN_ASYNC;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -ENOENT);
    sync.flags = 5;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EOPNOTSUPP);
    bind.wait_ptr = 8;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EFAULT);
    bind.wait_count = UINT32_MAX;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -ENOMEM);
    bind = (struct uapi_vm_bind){.op_count = UINT32_MAX};
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -ENOMEM);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" VM_BIND "), 0);
}
END_TEST

START_TEST(a_bind_may_have_many_operations_kinds_and_signals)
{
    struct uapi_gem_info info;
    struct uapi_syncobj_create create = {0};
    struct uapi_sync sync = {.flags = UAPI_SYNC_TIMELINE_SYNCOBJ, .timeline_value = 4};
    struct uapi_vm_bind_op ops[3] = {
        {.op = UAPI_VM_BIND_OP_MAP,
         .flags = UAPI_VM_BIND_SPARSE,
         .addr = 0x100000,
         .range = 0x10000},
        {.op = UAPI_VM_BIND_OP_MAP,
         .flags = 0xfe,
         .addr = 0x102000,
         .range = 2 * PAGE,
         .bo_offset = PAGE},
        {.op = UAPI_VM_BIND_OP_UNMAP, .addr = 0x103000, .range = PAGE},
    };
    struct uapi_vm_bind bind = {.op_count = 3,
                                .op_ptr = (uintptr_t)ops,
                                .sig_count = 1,
                                .flags = UAPI_VM_BIND_RUN_ASYNC,
                                .sig_ptr = (uintptr_t)&sync};

    check_record_vm();
    info = check_record_bo(UAPI_DOMAIN_VRAM, 4 * PAGE, NULL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    sync.handle = create.handle;
    ops[1].handle = info.handle;
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" flags=0x1 binds=[MAP_SPARSE 0x100000 65536 bytes, "
                                         "MAP 0x102000 8192 bytes of 1+0x1000 kind 0xfe, "
                                         "UNMAP 0x103000 4096 bytes] waits=[] signals=[1@4]"),
                      1);
}
END_TEST

START_TEST(what_is_bound_outlives_its_handle)
{
    struct uapi_gem_info info;
    struct uapi_gem_close gem_close = {0};
    struct uapi_vm_bind_op op = {.op = UAPI_VM_BIND_OP_UNMAP, .addr = 0x3000, .range = PAGE};
    struct uapi_vm_bind unbind = {.op_count = 1, .op_ptr = (uintptr_t)&op};
    uint8_t *bytes, *again;

    check_record_vm();
    info = check_record_bo(UAPI_DOMAIN_VRAM, PAGE, &bytes);
    ck_assert_int_eq(check_record_bind(info.handle, 0x3000, 0, PAGE), 0);
    bytes[5] = 55;
    gem_close.handle = info.handle;
    ck_assert_int_eq(RECORD_CALL(GEM_CLOSE, gem_close, &gem_close), 0);
    ck_assert_int_eq(check_record_bind(info.handle, 0x8000, 0, PAGE), -ENOENT);
    ck_assert_uint_eq(bytes[5], 55); /* its pages are still there */
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &unbind), 0);
    again = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, check_record_fd(), (off_t)info.map_handle);
    ck_assert_ptr_ne(again, MAP_FAILED);
    ck_assert_uint_eq(again[5], 0); /* and now they are not */
}
END_TEST

START_TEST(two_clients_have_two_address_spaces)
{
    struct uapi_gem_info info;

    check_record_vm();
    info = check_record_bo(UAPI_DOMAIN_VRAM, PAGE, NULL);
    check_record_client(2);
    check_record_vm();
    ck_assert_int_eq(check_record_bind(info.handle, 0x3000, 0, PAGE), -ENOENT); /* another's */
    info = check_record_bo(UAPI_DOMAIN_VRAM, PAGE, NULL);
    ck_assert_int_eq(check_record_bind(info.handle, 0x3000, 0, PAGE), 0);
    ck_assert_int_eq(check_record_channel(), 0);
    check_record_client(3);
    ck_assert_int_eq(check_record_channel(), 1); /* the old way */
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" VM_BIND as_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" CHANNEL channel_id=0 client_id=1 as_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" CHANNEL channel_id=1 client_id=2 as_id=2 "), 1);
}
END_TEST

Suite *record_bind_suite(void)
{
    Suite *suite = suite_create("record_bind");
    TCase *cases = tcase_create("ioctls");

    tcase_add_checked_fixture(cases, check_record_begin, check_record_free);
    tcase_add_test(cases, a_client_that_began_the_old_way_cannot_manage_addresses);
    tcase_add_test(cases, the_kernels_part_lies_in_the_address_space);
    tcase_add_test(cases, without_vm_init_there_is_no_vm_bind);
    tcase_add_test(cases, with_vm_init_there_is_no_pushbuf);
    tcase_add_test(cases, objects_of_such_a_client_lie_nowhere_until_they_are_bound);
    tcase_add_test(cases, no_share_is_for_clients_that_manage_their_addresses);
    tcase_add_test(cases, broken_binds_get_the_kernels_errors);
    tcase_add_test(cases, a_bind_may_have_many_operations_kinds_and_signals);
    tcase_add_test(cases, what_is_bound_outlives_its_handle);
    tcase_add_test(cases, two_clients_have_two_address_spaces);
    suite_add_tcase(suite, cases);
    return suite;
}
