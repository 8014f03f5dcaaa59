/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "tests/check_record.h"
#include "tests/suites.h"

enum { PAGE = 4096 };
#define PUSH_VA  0x10000000ull
#define FENCE_VA 0x20000000ull

static struct uapi_gem_info pushes, fence;
static uint8_t *push_bytes, *fence_bytes;
static uint32_t channel;

/* A client with a channel, an object for pushes and one for completions, both bound. */
static void setup(void)
{
    check_record_begin();
    check_record_vm();
    channel = (uint32_t)check_record_channel();
    pushes = check_record_bo(UAPI_DOMAIN_GART, 4 * PAGE, &push_bytes);
    fence = check_record_bo(UAPI_DOMAIN_GART, PAGE, &fence_bytes);
    ck_assert_int_eq(check_record_bind(pushes.handle, PUSH_VA, 0, 4 * PAGE), 0);
    ck_assert_int_eq(check_record_bind(fence.handle, FENCE_VA, 0, PAGE), 0);
}

/* Puts a release of `value` at `va` there; returns its bytes. */
static uint32_t release_put(uint32_t offset, uint64_t va, uint32_t value)
{
    const struct nv_header header = {
        .kind = NV_HEADER_INC, .method = NVA06F_SEMAPHOREA, .count = 4};
    const uint32_t dwords[] = {nv_header_encode(&header), (uint32_t)(va >> 32), (uint32_t)va, value,
                               0x01000002};

    memcpy(push_bytes + offset, dwords, sizeof dwords);
    return sizeof dwords;
}

static uint32_t fence_at(uint32_t offset)
{
    uint32_t value;

    memcpy(&value, fence_bytes + offset, sizeof value);
    return value;
}

static int exec(const struct uapi_exec_push *push, uint32_t count)
{
    struct uapi_exec call = {.channel = channel, .push_count = count, .push_ptr = (uintptr_t)push};

    return RECORD_CALL(EXEC, exec, &call);
}

START_TEST(an_exec_is_recorded_behind_the_memory_that_it_needs_and_completes)
{
    const struct uapi_exec_push push = {PUSH_VA, release_put(0, FENCE_VA + 64, 41), 0};
    const char *text;

    ck_assert_int_eq(exec(&push, 1), 0);
    ck_assert_uint_eq(fence_at(64), 41);
    text = check_record_end();
    ck_assert_uint_eq(check_record_count(" MEM as_id=objects"), 1);
    ck_assert_uint_eq(check_record_count(" EXEC channel_id=0 submission_id=1 "
                                         "pushes=[0x10000000 20 bytes] waits=[] signals=[]"),
                      1);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE channel_id=0 address=0x20000040"), 1);
    ck_assert(strstr(text, " MEM ") < strstr(text, " EXEC "));
    ck_assert(strstr(text, " EXEC ") < strstr(text, " GPU_WRITE "));
}
END_TEST

START_TEST(only_what_changed_since_the_last_exec_is_recorded)
{
    const struct uapi_exec_push push = {PUSH_VA, release_put(0, FENCE_VA, 1), 0};

    ck_assert_int_eq(exec(&push, 1), 0);
    ck_assert_int_eq(exec(&push, 1), 0); /* and the completion is no CPU's */
    push_bytes[3 * PAGE] = 9;
    fence_bytes[1000] = 9;
    ck_assert_int_eq(exec(&push, 1), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" MEM "), 3);
    ck_assert_uint_eq(check_record_count(" EXEC "), 3);
}
END_TEST

START_TEST(memory_that_is_bound_nowhere_is_looked_through_too)
{
    const struct uapi_exec_push push = {PUSH_VA, release_put(0, FENCE_VA, 1), 0};
    struct uapi_gem_info info;
    uint8_t *bytes;

    info = check_record_bo(UAPI_DOMAIN_VRAM, 40 * PAGE, &bytes);
    bytes[39 * PAGE] = 7;
    bytes[20 * PAGE] = 7;
    ck_assert_int_eq(exec(&push, 1), 0);
    (void)check_record_end();
    ck_assert_uint_ne(info.handle, 0);
    ck_assert_uint_eq(check_record_count(" MEM "), 3);
}
END_TEST

START_TEST(pushes_and_completions_are_followed_across_mappings)
{
    const uint32_t bytes = release_put(PAGE - 8, FENCE_VA + 0x2000, 77);
    const struct uapi_exec_push push = {0x50000ff8, bytes, UAPI_EXEC_PUSH_NO_PREFETCH};

    /* Pages 0 and 1 of the pushes are bound the other way round from where they lie. */
    ck_assert_int_eq(check_record_bind(pushes.handle, 0x50000000, 0, PAGE), 0);
    ck_assert_int_eq(check_record_bind(pushes.handle, 0x50001000, 3 * PAGE, PAGE), 0);
    memcpy(push_bytes + 3 * PAGE, push_bytes + PAGE, bytes - 8);
    memset(push_bytes + PAGE, 0, bytes - 8);
    ck_assert_int_eq(check_record_bind(fence.handle, FENCE_VA + 0x2000, 0, PAGE), 0);
    ck_assert_int_eq(exec(&push, 1), 0);
    ck_assert_uint_eq(fence_at(0), 77);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("pushes=[0x50000ff8 20 bytes no-prefetch]"), 1);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE channel_id=0 address=0x20002000"), 1);
}
END_TEST

START_TEST(what_is_not_bound_is_noted_and_nothing_is_completed_there)
{
    const struct uapi_exec_push push[] = {
        {PUSH_VA, release_put(0, FENCE_VA + 0x3000, 5), 0},
        {PUSH_VA + 4 * PAGE - 8, 20, 0},
    };

    ck_assert_int_eq(exec(push, 2), 0); /* the GPU would fault: the kernel does not look */
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("a completion at 0x20003000 is in no buffer object"), 1);
    ck_assert_uint_eq(check_record_count("is not bound from 0x10004000 on"), 1);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE "), 0);
}
END_TEST

START_TEST(sparse_memory_takes_completions_and_forgets_them)
{
    struct uapi_vm_bind_op op = {
        .op = UAPI_VM_BIND_OP_MAP, .flags = UAPI_VM_BIND_SPARSE, .addr = 0x60000000, .range = PAGE};
    struct uapi_vm_bind bind = {.op_count = 1, .op_ptr = (uintptr_t)&op};
    const struct uapi_exec_push push = {PUSH_VA, release_put(0, 0x60000010, 5), 0};

    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), 0);
    ck_assert_int_eq(exec(&push, 1), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("in no buffer object"), 0);
}
END_TEST

START_TEST(an_exec_without_pushes_signals_all_the_same)
{
    struct uapi_syncobj_create create = {0};
    struct uapi_sync sync = {0};
    struct uapi_exec call = {.channel = channel, .sig_count = 1, .sig_ptr = (uintptr_t)&sync};
    uint32_t handle;
    struct uapi_syncobj_wait wait = {.handles = (uintptr_t)&handle, .count = 1};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    sync.handle = handle = create.handle;
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_WAIT, syncobj_wait, &wait), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), 0);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_WAIT, syncobj_wait, &wait), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("pushes=[] waits=[] signals=[1]"), 1);
}
END_TEST

START_TEST(what_nobody_has_submitted_cannot_be_waited_for)
{
    struct uapi_syncobj_create create = {0};
    struct uapi_sync sync = {0};
    struct uapi_exec call = {.channel = channel, .wait_count = 1, .wait_ptr = (uintptr_t)&sync};
    struct uapi_vm_bind bind = {
        .flags = UAPI_VM_BIND_RUN_ASYNC, .wait_count = 1, .wait_ptr = (uintptr_t)&sync};
    struct uapi_exec signal = {.channel = channel, .sig_count = 1, .sig_ptr = (uintptr_t)&sync};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    sync = (struct uapi_sync){
        .handle = create.handle, .flags = UAPI_SYNC_TIMELINE_SYNCOBJ, .timeline_value = 2};
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &signal), 0);
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), 0);
    ck_assert_int_eq(RECORD_CALL(VM_BIND, vm_bind, &bind), 0);
    sync.timeline_value = 3;
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -EINVAL);
}
END_TEST

/* PROMISE (traces): Broken execs get the kernel's errors. */
START_TEST(broken_execs_get_the_kernels_errors)
{
    struct uapi_exec_push *many = calloc(UAPI_EXEC_PUSH_MAX + 1, sizeof *many);
    struct uapi_sync sync = {.handle = 9};
    struct uapi_exec call = {.channel = channel + 1};

    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -ENOENT);
    call = (struct uapi_exec){.channel = 1000};
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -ENOENT);
    ck_assert_int_eq(exec(many, UAPI_EXEC_PUSH_MAX + 1), -EINVAL);
    ck_assert_int_eq(exec(many, UAPI_EXEC_PUSH_MAX), 0);
    ck_assert_int_eq(exec((void *)8, 1), -EFAULT);
    many[0].va_len = UAPI_EXEC_PUSH_BYTES_MAX + 1;
    ck_assert_int_eq(exec(many, 1), -EINVAL);
    call = (struct uapi_exec){.channel = channel, .wait_count = 1, .wait_ptr = (uintptr_t)&sync};
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -ENOENT);
    sync.flags = 2;
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -EOPNOTSUPP);
    call = (struct uapi_exec){.channel = channel, .sig_count = 1, .sig_ptr = (uintptr_t)&sync};
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -EINVAL);
    sync.flags = 0;
    ck_assert_int_eq(RECORD_CALL(EXEC, exec, &call), -ENOENT);
    check_record_client(2);
    ck_assert_int_eq(exec(many, 0), -ENOSYS);
    check_record_vm();
    ck_assert_int_eq(exec(many, 0), -ENOENT); /* the channel is another client's */
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" EXEC "), 1);
    free(many);
}
END_TEST

Suite *record_exec_suite(void)
{
    Suite *suite = suite_create("record_exec");
    TCase *cases = tcase_create("exec");

    tcase_add_checked_fixture(cases, setup, check_record_free);
    tcase_add_test(cases, an_exec_is_recorded_behind_the_memory_that_it_needs_and_completes);
    tcase_add_test(cases, only_what_changed_since_the_last_exec_is_recorded);
    tcase_add_test(cases, memory_that_is_bound_nowhere_is_looked_through_too);
    tcase_add_test(cases, pushes_and_completions_are_followed_across_mappings);
    tcase_add_test(cases, what_is_not_bound_is_noted_and_nothing_is_completed_there);
    tcase_add_test(cases, sparse_memory_takes_completions_and_forgets_them);
    tcase_add_test(cases, an_exec_without_pushes_signals_all_the_same);
    tcase_add_test(cases, what_nobody_has_submitted_cannot_be_waited_for);
    tcase_add_test(cases, broken_execs_get_the_kernels_errors);
    suite_add_tcase(suite, cases);
    return suite;
}
