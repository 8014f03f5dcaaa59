/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "tests/check_record.h"
#include "tests/suites.h"

static uint32_t create(uint32_t flags)
{
    struct uapi_syncobj_create call = {.flags = flags};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_CREATE, syncobj_create, &call), 0);
    return call.handle;
}

static int64_t clock_in(int64_t ns)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec + ns;
}

static int wait_for(const uint32_t *handles, uint32_t count, uint32_t flags, uint32_t *first)
{
    struct uapi_syncobj_wait wait = {
        .handles = (uintptr_t)handles, .count = count, .flags = flags, .first_signaled = 99};
    const int result = RECORD_CALL(SYNCOBJ_WAIT, syncobj_wait, &wait);

    if (first)
        *first = wait.first_signaled;
    return result;
}

static int set(uint32_t nr, uint32_t handle)
{
    struct uapi_syncobj_array array = {.handles = (uintptr_t)&handle, .count = 1};

    return check_record_call(CHECK_RECORD_DRM(nr, struct uapi_syncobj_array), &array);
}

static int point_signal(uint32_t handle, uint64_t point)
{
    struct uapi_syncobj_timeline_array array = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count = 1};

    return RECORD_CALL(SYNCOBJ_TIMELINE_SIGNAL, syncobj_timeline_array, &array);
}

static uint64_t query(uint32_t handle, uint32_t flags)
{
    uint64_t point = 12345;
    struct uapi_syncobj_timeline_array array = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count = 1, .flags = flags};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_QUERY, syncobj_timeline_array, &array), 0);
    return point;
}

static int timeline_wait(uint32_t handle, uint64_t point, uint32_t flags, int64_t timeout_ns)
{
    struct uapi_syncobj_timeline_wait wait = {.handles = (uintptr_t)&handle,
                                              .points = (uintptr_t)&point,
                                              .timeout_ns = timeout_ns,
                                              .count = 1,
                                              .flags = flags};

    return RECORD_CALL(SYNCOBJ_TIMELINE_WAIT, syncobj_timeline_wait, &wait);
}

/* ---- one object ------------------------------------------------------------------------------ */

START_TEST(an_object_is_made_signalled_reset_and_destroyed)
{
    const uint32_t handle = create(0), signalled = create(UAPI_SYNCOBJ_CREATE_SIGNALED);
    struct uapi_syncobj_destroy destroy = {.handle = handle};

    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), -EINVAL); /* nobody has submitted */
    ck_assert_int_eq(wait_for(&signalled, 1, 0, NULL), 0);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_SIGNAL, handle), 0);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), 0);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_RESET, handle), 0);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_DESTROY, syncobj_destroy, &destroy), 0);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), -ENOENT);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=CREATE syncobj_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=SIGNAL syncobj_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=SIGNAL syncobj_id=2 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=RESET syncobj_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=DESTROY syncobj_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT flags=0x0 syncs=[1] "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT flags=0x0 syncs=[2] "), 1);
}
END_TEST

START_TEST(broken_arguments_get_the_kernels_errors)
{
    uint32_t handle = create(0);
    struct uapi_syncobj_create bad_create = {.flags = 2};
    struct uapi_syncobj_destroy destroy = {.handle = 77};
    struct uapi_syncobj_array array = {.handles = (uintptr_t)&handle, .count = 0};
    struct uapi_syncobj_timeline_array timeline = {.handles = (uintptr_t)&handle, .count = 0};
    struct uapi_syncobj_transfer transfer = {.src_handle = handle, .dst_handle = 77};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_CREATE, syncobj_create, &bad_create), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_DESTROY, syncobj_destroy, &destroy), -EINVAL);
    destroy = (struct uapi_syncobj_destroy){.handle = handle, .pad = 1};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_DESTROY, syncobj_destroy, &destroy), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_RESET, syncobj_array, &array), -EINVAL);
    array = (struct uapi_syncobj_array){.handles = 8, .count = 1};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_RESET, syncobj_array, &array), -EFAULT);
    array = (struct uapi_syncobj_array){.handles = (uintptr_t)&handle, .count = 1, .pad = 1};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_SIGNAL, syncobj_array, &array), -EINVAL);
    array = (struct uapi_syncobj_array){.handles = (uintptr_t)&handle, .count = UINT32_MAX};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_SIGNAL, syncobj_array, &array), -ENOMEM);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_QUERY, syncobj_timeline_array, &timeline), -EINVAL);
    timeline = (struct uapi_syncobj_timeline_array){
        .handles = (uintptr_t)&handle, .points = 8, .count = 1};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_QUERY, syncobj_timeline_array, &timeline), -EFAULT);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TIMELINE_SIGNAL, syncobj_timeline_array, &timeline),
                     -EFAULT);
    timeline.flags = 2;
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_QUERY, syncobj_timeline_array, &timeline), -EINVAL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TIMELINE_SIGNAL, syncobj_timeline_array, &timeline),
                     -EINVAL);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), -ENOENT);
    transfer = (struct uapi_syncobj_transfer){.src_handle = 77, .dst_handle = handle};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), -ENOENT);
    transfer.src_handle = handle;
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), -EINVAL);
    transfer.pad = 1;
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), -EINVAL);
    ck_assert_int_eq(wait_for(&handle, 0, 0, NULL), -EINVAL);
    ck_assert_int_eq(wait_for(&handle, 1, 4, NULL), -EINVAL); /* AVAILABLE is of timelines */
    ck_assert_int_eq(wait_for((void *)8, 1, 0, NULL), -EFAULT);
    ck_assert_int_eq(timeline_wait(handle, 1, 16, 0), -EINVAL);
}
END_TEST

/* ---- waits ----------------------------------------------------------------------------------- */

START_TEST(a_wait_for_any_says_which_and_one_for_all_needs_all)
{
    const uint32_t handles[] = {create(0), create(1), create(0), create(1)};
    uint32_t first;

    ck_assert_int_eq(wait_for(handles, 4, 0, NULL), -EINVAL);
    ck_assert_int_eq(wait_for(handles, 4, UAPI_SYNCOBJ_WAIT_FOR_SUBMIT, &first), 0);
    ck_assert_uint_eq(first, 1);
    ck_assert_int_eq(
        wait_for(handles, 4, UAPI_SYNCOBJ_WAIT_FOR_SUBMIT | UAPI_SYNCOBJ_WAIT_ALL, &first), -ETIME);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_SIGNAL, handles[0]), 0);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_SIGNAL, handles[2]), 0);
    ck_assert_int_eq(wait_for(handles, 4, UAPI_SYNCOBJ_WAIT_ALL, &first), 0);
    ck_assert_uint_eq(first, 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT "), 3);
    ck_assert_uint_eq(check_record_count(" timed_out=1 "), 1);
    ck_assert_uint_eq(check_record_count(" flags=0x1 syncs=[1, 2, 3, 4] "), 1);
}
END_TEST

START_TEST(a_wait_for_what_nobody_submitted_is_asked_again_until_its_time)
{
    const uint32_t handle = create(0);

    ck_assert_int_eq(timeline_wait(handle, 3, UAPI_SYNCOBJ_WAIT_FOR_SUBMIT, clock_in(-1)), -ETIME);
    ck_assert_int_eq(
        timeline_wait(handle, 3, UAPI_SYNCOBJ_WAIT_FOR_SUBMIT, clock_in(1000000000000)),
        RECORD_NOUVEAU_AGAIN);
    ck_assert_int_eq(point_signal(handle, 3), 0);
    ck_assert_int_eq(timeline_wait(handle, 3, UAPI_SYNCOBJ_WAIT_FOR_SUBMIT, clock_in(-1)), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT "), 2);
}
END_TEST

/* ---- timelines ------------------------------------------------------------------------------- */

START_TEST(a_timeline_is_waited_for_and_asked_by_its_points)
{
    const uint32_t handle = create(0);

    ck_assert_uint_eq(query(handle, 0), 0);
    ck_assert_int_eq(point_signal(handle, 5), 0);
    ck_assert_uint_eq(query(handle, 0), 5);
    ck_assert_uint_eq(query(handle, UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED), 5);
    ck_assert_int_eq(timeline_wait(handle, 5, 0, 0), 0);
    ck_assert_int_eq(timeline_wait(handle, 2, 0, 0), 0);
    ck_assert_int_eq(timeline_wait(handle, 6, 0, 0), -EINVAL);
    ck_assert_int_eq(timeline_wait(handle, 6, UAPI_SYNCOBJ_WAIT_AVAILABLE, 0), -ETIME);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=SIGNAL_POINT syncobj_id=1 point=5 "), 1);
    /* What was seen is as good as a wait; nothing seen is none. */
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT flags=0x101 syncs=[1@5] "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ_WAIT flags=0x0 syncs=[1@2] "), 1);
}
END_TEST

START_TEST(a_transfer_takes_the_state_of_a_point)
{
    const uint32_t from = create(0), to = create(0), binary = create(1);
    struct uapi_syncobj_transfer transfer = {
        .src_handle = from, .dst_handle = to, .src_point = 4, .dst_point = 7};

    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), -EINVAL);
    transfer.flags = UAPI_SYNCOBJ_WAIT_FOR_SUBMIT;
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer),
                     RECORD_NOUVEAU_AGAIN);
    ck_assert_int_eq(point_signal(from, 4), 0);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), 0);
    ck_assert_uint_eq(query(to, 0), 7);
    transfer =
        (struct uapi_syncobj_transfer){.src_handle = binary, .dst_handle = to, .dst_point = 9};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), 0);
    ck_assert_uint_eq(query(to, 0), 9);
    transfer = (struct uapi_syncobj_transfer){.src_handle = to, .dst_handle = binary};
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_TRANSFER, syncobj_transfer, &transfer), 0);
    ck_assert_uint_eq(query(binary, 0), 9); /* the whole timeline came along */
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=TRANSFER syncobj_id=2 point=7 from_id=1 "
                                         "from_point=4"),
                      1);
}
END_TEST

/* ---- descriptors ----------------------------------------------------------------------------- */

static int to_fd(uint32_t handle, uint32_t flags, int *fd)
{
    struct uapi_syncobj_handle call = {.handle = handle, .flags = flags, .fd = -1};
    const int result = RECORD_CALL(SYNCOBJ_HANDLE_TO_FD, syncobj_handle, &call);

    *fd = call.fd;
    return result;
}

static int from_fd(int fd, uint32_t flags, uint32_t *handle)
{
    struct uapi_syncobj_handle call = {.handle = *handle, .flags = flags, .fd = fd};
    const int result = RECORD_CALL(SYNCOBJ_FD_TO_HANDLE, syncobj_handle, &call);

    *handle = call.handle;
    return result;
}

START_TEST(a_descriptor_names_the_same_object)
{
    const uint32_t handle = create(0);
    uint32_t other = 0, third = 0;
    struct uapi_syncobj_destroy destroy = {.handle = handle};
    int fd, again;

    ck_assert_int_eq(to_fd(handle, 0, &fd), 0);
    ck_assert_int_eq(to_fd(handle, 0, &again), 0);
    ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    check_record_client(2);
    ck_assert_int_eq(from_fd(fd, 0, &other), 0);
    ck_assert_int_eq(from_fd(dup(again), 0, &third), 0);
    ck_assert_uint_ne(other, handle);
    ck_assert_uint_ne(third, other);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_SIGNAL, other), 0);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), 0);
    ck_assert_int_eq(RECORD_CALL(SYNCOBJ_DESTROY, syncobj_destroy, &destroy), 0);
    ck_assert_int_eq(wait_for(&third, 1, 0, NULL), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" what=CREATE "), 1);
    ck_assert_uint_eq(check_record_count(" what=DESTROY "), 0);
}
END_TEST

START_TEST(a_sync_file_keeps_what_was_submitted_then)
{
    const uint32_t handle = create(0);
    uint32_t other = create(0);
    int fd;

    ck_assert_int_eq(to_fd(handle, UAPI_SYNCOBJ_SYNC_FILE, &fd), -EINVAL); /* nothing yet */
    ck_assert_int_eq(set(UAPI_SYNCOBJ_SIGNAL, handle), 0);
    ck_assert_int_eq(to_fd(handle, UAPI_SYNCOBJ_SYNC_FILE, &fd), 0);
    ck_assert_int_eq(set(UAPI_SYNCOBJ_RESET, handle), 0);
    ck_assert_int_eq(from_fd(fd, UAPI_SYNCOBJ_SYNC_FILE, &other), 0);
    ck_assert_int_eq(wait_for(&other, 1, 0, NULL), 0);
    ck_assert_int_eq(wait_for(&handle, 1, 0, NULL), -EINVAL);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" what=FILE syncobj_id=3 point=0 from_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" what=TRANSFER syncobj_id=2 point=0 from_id=3 "), 1);
}
END_TEST

START_TEST(other_descriptors_are_no_objects)
{
    const uint32_t handle = create(1);
    uint32_t out = 5, none = 77;
    char name;
    int fd, file;

    ck_assert_int_eq(from_fd(check_record_fd(), 0, &out), -EINVAL);
    ck_assert_int_eq(from_fd(-1, 0, &out), -EINVAL);
    ck_assert_int_eq(to_fd(handle, 0, &fd), 0);
    ck_assert_int_eq(to_fd(handle, UAPI_SYNCOBJ_SYNC_FILE, &file), 0);
    ck_assert_int_eq(from_fd(file, 0, &out), -EINVAL);
    out = handle;
    ck_assert_int_eq(from_fd(fd, UAPI_SYNCOBJ_SYNC_FILE, &out), -EINVAL);
    ck_assert_int_eq(from_fd(file, UAPI_SYNCOBJ_SYNC_FILE, &none), -ENOENT);
    ck_assert_int_eq(from_fd(fd, 2, &out), -EINVAL);
    ck_assert_int_eq(to_fd(handle, 2, &fd), -EINVAL);
    ck_assert_int_eq(to_fd(77, 0, &fd), -EINVAL);
    ck_assert_int_eq(to_fd(77, UAPI_SYNCOBJ_SYNC_FILE, &fd), -ENOENT);
    /* A file that differs from the object's in a letter of its name alone. */
    ck_assert_int_eq(to_fd(handle, 0, &fd), 0);
    ck_assert_int_eq(from_fd(fd, 0, &out), 0);
    ck_assert_int_eq(pread(fd, &name, 1, 0), 1);
    name ^= 1;
    ck_assert_int_eq(pwrite(fd, &name, 1, 0), 1);
    ck_assert_int_eq(from_fd(fd, 0, &out), -EINVAL);
}
END_TEST

Suite *record_sync_suite(void)
{
    Suite *suite = suite_create("record_sync");
    TCase *cases = tcase_create("ioctls");

    tcase_add_checked_fixture(cases, check_record_begin, check_record_free);
    tcase_add_test(cases, an_object_is_made_signalled_reset_and_destroyed);
    tcase_add_test(cases, broken_arguments_get_the_kernels_errors);
    tcase_add_test(cases, a_wait_for_any_says_which_and_one_for_all_needs_all);
    tcase_add_test(cases, a_wait_for_what_nobody_submitted_is_asked_again_until_its_time);
    tcase_add_test(cases, a_timeline_is_waited_for_and_asked_by_its_points);
    tcase_add_test(cases, a_transfer_takes_the_state_of_a_point);
    tcase_add_test(cases, a_descriptor_names_the_same_object);
    tcase_add_test(cases, a_sync_file_keeps_what_was_submitted_then);
    tcase_add_test(cases, other_descriptors_are_no_objects);
    suite_add_tcase(suite, cases);
    return suite;
}
