/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation objects of a real driver, which this test plays: it hands out handles and
 * descriptors, and refuses what a test tells it to refuse.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/check_record.h"
#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/nouveau/record_pass.h"

enum { PAGE = 4096 };

static int node;          /* the open file of the calls */
static uint32_t next_one; /* the handle that the driver gives next */
static int result;        /* of the next call */

static const struct record_pass_device device = {.is_used = 1, .chipset = 0x136, .gpu = "gtx1060"};

static int real_ioctl(void *context, int fd, unsigned long request, void *argument)
{
    (void)context;
    (void)fd;
    (void)request;
    (void)argument;
    return 0;
}

static void *real_map(void *context, int fd, uint64_t offset, uint64_t bytes)
{
    (void)context;
    (void)fd;
    (void)offset;
    (void)bytes;
    return NULL;
}

static void setup(void)
{
    const struct record_pass_next next = {.ioctl = real_ioctl, .map = real_map};

    check_record_begin();
    node = memfd_create("node", MFD_CLOEXEC);
    ck_assert_int_ge(node, 0);
    next_one = 1;
    result = 0;
    ck_assert(record_pass_begin(check_record_nouveau(), &device, &next));
}

static void teardown(void)
{
    check_record_free();
    close(node);
}

/* The driver's part of a call: handles that it makes. */
static void answer(unsigned long request, void *argument)
{
    struct uapi_syncobj_create *create = argument;
    struct uapi_syncobj_handle *handle = argument;

    if (_IOC_NR(request) == UAPI_SYNCOBJ_CREATE)
        create->handle = next_one++;
    else if (_IOC_NR(request) == UAPI_SYNCOBJ_FD_TO_HANDLE &&
             !(handle->flags & UAPI_SYNCOBJ_SYNC_FILE))
        handle->handle = next_one++;
}

static void call_on(int fd, unsigned long request, void *argument)
{
    struct record_pass_call call = {.fd = fd, .request = request, .argument = (uintptr_t)argument};
    struct record_caller caller = check_record_caller();

    record_pass_before(check_record_nouveau(), &caller, &call);
    if (result == 0)
        answer(request, argument);
    caller = check_record_caller();
    record_pass_after(check_record_nouveau(), &caller, &call, result);
}

#define SYNC_CALL(nr, type, argument)                                                              \
    call_on(node, CHECK_RECORD_DRM(UAPI_SYNCOBJ_##nr, struct uapi_syncobj_##type), (argument))

static uint32_t create(uint32_t flags)
{
    struct uapi_syncobj_create made = {.flags = flags};

    SYNC_CALL(CREATE, create, &made);
    return made.handle;
}

static void destroy(uint32_t handle)
{
    SYNC_CALL(DESTROY, destroy, &(struct uapi_syncobj_destroy){.handle = handle});
}

static void counted(const char *words, unsigned count)
{
    ck_assert_msg(check_record_count(words) == count, "%u of '%s'", check_record_count(words),
                  words);
}

/* ---- coming and going ------------------------------------------------------------------------ */

START_TEST(an_object_comes_and_goes)
{
    const uint32_t first = create(0), second = create(UAPI_SYNCOBJ_CREATE_SIGNALED);

    destroy(first);
    destroy(first); /* it is gone: nothing to say */
    destroy(0);
    destroy(second);
    (void)check_record_end();
    counted(" SYNCOBJ what=CREATE syncobj_id=1 ", 1);
    counted(" SYNCOBJ what=CREATE syncobj_id=2 ", 1);
    counted(" SYNCOBJ what=SIGNAL syncobj_id=2 ", 1);
    counted(" SYNCOBJ what=SIGNAL ", 1);
    counted(" SYNCOBJ what=DESTROY syncobj_id=1 ", 1);
    counted(" SYNCOBJ what=DESTROY syncobj_id=2 ", 1);
    counted(" SYNCOBJ what=DESTROY ", 2);
}
END_TEST

START_TEST(a_call_that_failed_made_nothing)
{
    struct uapi_syncobj_array array = {.count = 1};
    uint32_t handle = create(0);

    array.handles = (uintptr_t)&handle;
    result = -ENOMEM;
    (void)create(0);
    SYNC_CALL(RESET, array, &array);
    SYNC_CALL(SIGNAL, array, &array);
    (void)check_record_end();
    counted(" SYNCOBJ ", 1);
}
END_TEST

/* A driver gives a handle again that was closed in a way that was not seen. */
START_TEST(a_handle_that_was_given_again_is_another_object)
{
    uint32_t handle = create(0);
    struct uapi_syncobj_array array = {.handles = (uintptr_t)&handle, .count = 1};

    next_one = handle;
    (void)create(0);
    SYNC_CALL(SIGNAL, array, &array);
    (void)check_record_end();
    counted(" SYNCOBJ what=CREATE ", 2);
    counted(" SYNCOBJ what=DESTROY syncobj_id=1 ", 1);
    counted(" SYNCOBJ what=SIGNAL syncobj_id=2 ", 1);
}
END_TEST

/* An argument that the program took away while the call was in the kernel. */
START_TEST(what_cannot_be_read_any_more_is_not_recorded)
{
    struct uapi_syncobj_create *made =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct record_pass_call call = {
        .fd = node,
        .request = CHECK_RECORD_DRM(UAPI_SYNCOBJ_CREATE, struct uapi_syncobj_create),
        .argument = (uintptr_t)made};
    const struct record_caller caller = check_record_caller();

    ck_assert_ptr_ne(made, MAP_FAILED);
    record_pass_before(check_record_nouveau(), &caller, &call);
    ck_assert_int_eq(munmap(made, PAGE), 0);
    record_pass_after(check_record_nouveau(), &caller, &call, 0);
    (void)check_record_end();
    counted(" SYNCOBJ ", 0);
}
END_TEST

/* Handles are a file's: those of one that ends end with it, and no others. */
START_TEST(the_objects_of_a_file_end_with_it)
{
    const unsigned long request = CHECK_RECORD_DRM(UAPI_SYNCOBJ_CREATE, struct uapi_syncobj_create);
    struct uapi_syncobj_create made = {0};
    char path[40];
    int other;

    (void)create(0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", node);
    other = open(path, O_RDWR | O_CLOEXEC);
    next_one = 1; /* the same handles again: another file's */
    call_on(other, request, &made);
    call_on(other, request, &made);
    close(other);
    other =
        open(path, O_RDWR | O_CLOEXEC); /* a new file is the moment when the old one is missed */
    call_on(other, request, &made);
    close(other);
    (void)check_record_end();
    counted(" SYNCOBJ what=CREATE ", 4);
    counted(" SYNCOBJ what=DESTROY syncobj_id=1 ", 0);
    counted(" SYNCOBJ what=DESTROY syncobj_id=2 ", 1);
    counted(" SYNCOBJ what=DESTROY syncobj_id=3 ", 1);
    counted(" SYNCOBJ what=DESTROY ", 2);
}
END_TEST

/* As many as there is room for; what comes then is said not to be recorded. */
START_TEST(objects_without_room_are_told)
{
    struct record_syncobjs *objects = &check_record_nouveau()->syncobjs;
    struct uapi_syncobj_create made;

    ck_assert_uint_eq(record_syncobj_create(objects), 1); /* makes the table */
    for (uint32_t i = 0; i < RECORD_SYNCOBJS_MAX; i++)
        objects->table->objects[i].id = i + 1;
    objects->table->count = RECORD_SYNCOBJS_MAX;
    made.handle = create(UAPI_SYNCOBJ_CREATE_SIGNALED);
    SYNC_CALL(HANDLE_TO_FD, handle, &(struct uapi_syncobj_handle){.handle = made.handle});
    (void)check_record_end();
    counted("synchronisation object 1: no room to record it", 1);
    counted(" SYNCOBJ ", 0);
}
END_TEST

/* A fence of an object for which there is no room any more. */
START_TEST(a_fence_without_room_is_left_out)
{
    struct record_syncobjs *objects = &check_record_nouveau()->syncobjs;
    const uint32_t handle = create(0);

    for (uint32_t i = 1; i < RECORD_SYNCOBJS_MAX; i++)
        objects->table->objects[i].id = i + 1;
    objects->table->count = RECORD_SYNCOBJS_MAX;
    SYNC_CALL(HANDLE_TO_FD, handle,
              &((struct uapi_syncobj_handle){.handle = handle, .flags = UAPI_SYNCOBJ_SYNC_FILE}));
    (void)check_record_end();
    counted(" SYNCOBJ ", 1);
}
END_TEST

/* Names are of all files together. */
START_TEST(names_without_room_are_told)
{
    struct record_nouveau *nouveau = check_record_nouveau();

    (void)create(0);
    for (uint32_t i = 0; i < RECORD_NOUVEAU_NAMES_MAX; i++)
        if (nouveau->table->names[i].file == 0)
            nouveau->table->names[i] = (struct record_nouveau_name){.file = 999, .handle = 1};
    (void)create(0);
    destroy(77);
    (void)check_record_end();
    counted("synchronisation object 2: no room to record it", 1);
    counted(" SYNCOBJ what=DESTROY ", 0);
}
END_TEST

/* ---- descriptors ----------------------------------------------------------------------------- */

START_TEST(an_object_goes_to_another_handle_by_a_descriptor)
{
    struct uapi_syncobj_handle handle = {.fd = memfd_create("syncobj", MFD_CLOEXEC)};
    uint32_t second;

    handle.handle = create(0);
    SYNC_CALL(HANDLE_TO_FD, handle, &handle);
    SYNC_CALL(FD_TO_HANDLE, handle, &handle);
    second = handle.handle;
    SYNC_CALL(SIGNAL, array,
              &((struct uapi_syncobj_array){.handles = (uintptr_t)&second, .count = 1}));
    (void)check_record_end();
    ck_assert_uint_eq(second, 2);
    counted(" SYNCOBJ what=CREATE ", 1);
    counted(" SYNCOBJ what=SIGNAL syncobj_id=1 ", 1);
    close(handle.fd);
}
END_TEST

START_TEST(an_object_from_outside_is_taken_for_done)
{
    struct uapi_syncobj_handle handle = {.fd = memfd_create("syncobj", MFD_CLOEXEC)};

    SYNC_CALL(FD_TO_HANDLE, handle, &handle);
    handle = (struct uapi_syncobj_handle){
        .handle = 99, .flags = UAPI_SYNCOBJ_SYNC_FILE, .fd = handle.fd};
    SYNC_CALL(FD_TO_HANDLE, handle, &handle); /* into a handle that is not known */
    (void)check_record_end();
    counted(" SYNCOBJ what=CREATE syncobj_id=1 ", 1);
    counted(" SYNCOBJ what=SIGNAL syncobj_id=1 ", 1);
    counted(" SYNCOBJ ", 2);
    counted("a fence from outside the recording: replay takes it for done", 2);
    close(handle.fd);
}
END_TEST

START_TEST(the_fence_of_no_object_is_nothing)
{
    struct uapi_syncobj_handle handle = {.handle = 7, .fd = memfd_create("file", MFD_CLOEXEC)};
    struct uapi_syncobj_handle file;

    SYNC_CALL(HANDLE_TO_FD, handle, &handle);
    file = (struct uapi_syncobj_handle){
        .handle = create(0), .flags = UAPI_SYNCOBJ_SYNC_FILE, .fd = handle.fd};
    SYNC_CALL(HANDLE_TO_FD, handle, &file);
    file.handle = 99;
    SYNC_CALL(FD_TO_HANDLE, handle, &file); /* a fence that is known, no such object */
    (void)check_record_end();
    counted(" SYNCOBJ ", 2);
    counted(" SYNCOBJ what=FILE syncobj_id=2 point=0 from_id=1 ", 1);
    close(handle.fd);
}
END_TEST

/* Without locks of files there is no mark by which it is known again. */
START_TEST(a_descriptor_that_cannot_be_marked_is_told)
{
    struct uapi_syncobj_handle handle = {.fd = memfd_create("syncobj", MFD_CLOEXEC)};

    handle.handle = create(0);
    check_refuse_where(SCMP_SYS(fcntl), ENOLCK, 1, UINT32_MAX, F_OFD_SETLK);
    SYNC_CALL(HANDLE_TO_FD, handle, &handle);
    (void)check_record_end();
    counted("synchronisation object 1: its descriptor is lost", 1);
}
END_TEST

/* ---- arrays ---------------------------------------------------------------------------------- */

START_TEST(arrays_are_set_one_by_one)
{
    uint32_t handles[] = {create(0), create(0)};
    uint64_t points[] = {5, 6};
    struct uapi_syncobj_array array = {.handles = (uintptr_t)handles, .count = 2};
    struct uapi_syncobj_timeline_array timeline = {
        .handles = (uintptr_t)handles, .points = (uintptr_t)points, .count = 2};

    SYNC_CALL(RESET, array, &array);
    SYNC_CALL(SIGNAL, array, &array);
    SYNC_CALL(TIMELINE_SIGNAL, timeline_array, &timeline);
    (void)check_record_end();
    for (unsigned id = 1; id <= 2; id++) {
        char words[60];

        snprintf(words, sizeof words, " SYNCOBJ what=RESET syncobj_id=%u point=0 ", id);
        counted(words, 1);
        snprintf(words, sizeof words, " SYNCOBJ what=SIGNAL syncobj_id=%u point=0 ", id);
        counted(words, 1);
        snprintf(words, sizeof words, " SYNCOBJ what=SIGNAL_POINT syncobj_id=%u point=%u ", id,
                 id + 4);
        counted(words, 1);
    }
}
END_TEST

START_TEST(arrays_that_cannot_be_read_or_name_no_object_set_nothing)
{
    uint32_t handle = create(0), unknown = 77;
    struct uapi_syncobj_array array = {.handles = 8, .count = 1};
    struct uapi_syncobj_timeline_array timeline = {
        .handles = (uintptr_t)&handle, .points = 8, .count = 1};

    SYNC_CALL(SIGNAL, array, &array);
    array.handles = (uintptr_t)&unknown;
    SYNC_CALL(SIGNAL, array, &array);
    SYNC_CALL(TIMELINE_SIGNAL, timeline_array, &timeline);
    (void)check_record_end();
    counted(" SYNCOBJ what=SIGNAL", 0);
}
END_TEST

START_TEST(a_transfer_needs_both)
{
    const uint32_t from = create(0), to = create(0);
    struct uapi_syncobj_transfer transfer = {
        .src_handle = from, .dst_handle = to, .src_point = 3, .dst_point = 4};

    SYNC_CALL(TRANSFER, transfer, &transfer);
    transfer.src_handle = 77;
    SYNC_CALL(TRANSFER, transfer, &transfer);
    transfer = (struct uapi_syncobj_transfer){.src_handle = from, .dst_handle = 77};
    SYNC_CALL(TRANSFER, transfer, &transfer);
    (void)check_record_end();
    counted(" SYNCOBJ what=TRANSFER syncobj_id=2 point=4 from_id=1 from_point=3", 1);
    counted(" SYNCOBJ what=TRANSFER ", 1);
}
END_TEST

/* ---- waiting --------------------------------------------------------------------------------- */

START_TEST(waits_are_recorded_with_their_end)
{
    uint32_t handle = create(0);
    uint64_t point = 9;
    struct uapi_syncobj_wait wait = {.handles = (uintptr_t)&handle,
                                     .count = 1,
                                     .flags = UAPI_SYNCOBJ_WAIT_ALL | UAPI_SYNCOBJ_WAIT_DEADLINE};
    struct uapi_syncobj_timeline_wait timeline = {.handles = (uintptr_t)&handle,
                                                  .points = (uintptr_t)&point,
                                                  .count = 1,
                                                  .flags = UAPI_SYNCOBJ_WAIT_FOR_SUBMIT};

    SYNC_CALL(WAIT, wait, &wait);
    result = -ETIME;
    SYNC_CALL(TIMELINE_WAIT, timeline_wait, &timeline);
    result = -EINVAL; /* not waited for: nothing */
    SYNC_CALL(WAIT, wait, &wait);
    (void)check_record_end();
    counted(" SYNCOBJ_WAIT ", 2);
    counted("call=\"SYNCOBJ_WAIT\"", 1);
    counted("call=\"SYNCOBJ_TIMELINE_WAIT\"", 1);
}
END_TEST

START_TEST(a_wait_for_what_is_not_known_is_none)
{
    uint32_t unknown = 77, handle = create(0);
    struct uapi_syncobj_wait wait = {.handles = (uintptr_t)&unknown, .count = 1};
    struct uapi_syncobj_timeline_wait timeline = {
        .handles = (uintptr_t)&handle, .points = 8, .count = 1};

    SYNC_CALL(WAIT, wait, &wait);
    SYNC_CALL(TIMELINE_WAIT, timeline_wait, &timeline);
    (void)check_record_end();
    counted(" SYNCOBJ_WAIT ", 0);
}
END_TEST

/* What a program asked for and saw is as good as a wait; the last point that was submitted is not
 * one that was reached. */
START_TEST(a_question_for_a_point_is_a_wait_that_is_over)
{
    uint32_t handle = create(0);
    uint64_t point = 3;
    struct uapi_syncobj_timeline_array which = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count = 1};

    SYNC_CALL(QUERY, timeline_array, &which);
    which.flags = UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED;
    SYNC_CALL(QUERY, timeline_array, &which);
    (void)check_record_end();
    counted("call=\"SYNCOBJ_QUERY\"", 1);
    counted(" SYNCOBJ_WAIT ", 1);
}
END_TEST

/* ---- the marks of open files (record_pass_mark.c) -------------------------------------------- */

/* proc_pid_fdinfo(5) cannot be read where no descriptor is free: the file is most likely the one
 * that the descriptor had before. */
START_TEST(without_proc_a_descriptor_is_of_the_file_that_it_was_of)
{
    (void)create(0);
    check_refuse_where(SCMP_SYS(openat), EMFILE, 2, UINT32_MAX, O_RDONLY | O_CLOEXEC);
    (void)create(0);
    ck_assert_uint_eq(check_record_nouveau()->table->file_count, 1);
    ck_assert_uint_eq(check_record_nouveau()->file->sync_count, 2);
}
END_TEST

/* Descriptors from 1024 on are not remembered. */
START_TEST(a_high_descriptor_is_known_by_proc_alone)
{
    const struct rlimit many = {4096, 4096};

    if (setrlimit(RLIMIT_NOFILE, &many) != 0)
        return; /* the limit of this user is lower */
    ck_assert_int_eq(dup2(node, 2000), 2000);
    node = 2000;
    (void)create(0);
    (void)create(0);
    ck_assert_uint_eq(check_record_nouveau()->table->file_count, 1);
    check_refuse_where(SCMP_SYS(openat), EMFILE, 2, UINT32_MAX, O_RDONLY | O_CLOEXEC);
    (void)create(0);
    ck_assert_uint_eq(check_record_nouveau()->table->file_count, 2);
}
END_TEST

START_TEST(a_file_that_cannot_be_marked_is_not_recorded)
{
    check_refuse_where(SCMP_SYS(fcntl), ENOLCK, 1, UINT32_MAX, F_OFD_SETLK);
    (void)create(0);
    destroy(1);
    (void)check_record_end();
    counted(" SYNCOBJ ", 0);
    ck_assert_uint_eq(check_record_nouveau()->table->file_count, 0);
}
END_TEST

/* Whether its mark still exists cannot be asked: it stays. */
START_TEST(a_file_that_cannot_be_asked_of_is_taken_for_open)
{
    struct uapi_syncobj_create made = {0};
    char path[40];
    int other;

    (void)create(0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", node);
    other = open(path, O_RDWR | O_CLOEXEC);
    call_on(other, CHECK_RECORD_DRM(UAPI_SYNCOBJ_CREATE, struct uapi_syncobj_create), &made);
    close(other);
    check_refuse_where(SCMP_SYS(fcntl), ENOLCK, 1, UINT32_MAX, F_OFD_GETLK);
    other = open(path, O_RDWR | O_CLOEXEC);
    call_on(other, CHECK_RECORD_DRM(UAPI_SYNCOBJ_CREATE, struct uapi_syncobj_create), &made);
    close(other);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_nouveau()->table->file_count, 3);
    counted(" SYNCOBJ what=DESTROY ", 0);
}
END_TEST

Suite *record_pass_sync_suite(void)
{
    Suite *suite = suite_create("record_pass_sync");
    TCase *cases = tcase_create("objects");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, an_object_comes_and_goes);
    tcase_add_test(cases, a_call_that_failed_made_nothing);
    tcase_add_test(cases, a_handle_that_was_given_again_is_another_object);
    tcase_add_test(cases, what_cannot_be_read_any_more_is_not_recorded);
    tcase_add_test(cases, the_objects_of_a_file_end_with_it);
    tcase_add_test(cases, objects_without_room_are_told);
    tcase_add_test(cases, a_fence_without_room_is_left_out);
    tcase_add_test(cases, names_without_room_are_told);
    tcase_add_test(cases, an_object_goes_to_another_handle_by_a_descriptor);
    tcase_add_test(cases, an_object_from_outside_is_taken_for_done);
    tcase_add_test(cases, the_fence_of_no_object_is_nothing);
    tcase_add_test(cases, a_descriptor_that_cannot_be_marked_is_told);
    tcase_add_test(cases, arrays_are_set_one_by_one);
    tcase_add_test(cases, arrays_that_cannot_be_read_or_name_no_object_set_nothing);
    tcase_add_test(cases, a_transfer_needs_both);
    tcase_add_test(cases, waits_are_recorded_with_their_end);
    tcase_add_test(cases, a_wait_for_what_is_not_known_is_none);
    tcase_add_test(cases, a_question_for_a_point_is_a_wait_that_is_over);
    tcase_add_test(cases, without_proc_a_descriptor_is_of_the_file_that_it_was_of);
    tcase_add_test(cases, a_high_descriptor_is_known_by_proc_alone);
    tcase_add_test(cases, a_file_that_cannot_be_marked_is_not_recorded);
    tcase_add_test(cases, a_file_that_cannot_be_asked_of_is_taken_for_open);
    suite_add_tcase(suite, cases);
    return suite;
}
