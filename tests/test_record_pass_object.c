/* SPDX-License-Identifier: MIT */
/*
 * Objects and channels of a real driver, which this test plays: it gives handles, says of each what
 * it knows, or that it knows none.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/check_record.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/nouveau/record_pass.h"

enum { PAGE = 4096, CHANNEL = 7 };
#define REAL_VA 0x7700000000ull

static int node;
static uint32_t handles, asked; /* given; how often the driver was asked of one */
static bool forgets;            /* it knows no handle */

static const struct record_pass_device device = {.is_used = 1, .chipset = 0x136, .gpu = "gtx1060"};

static int real_ioctl(void *context, int fd, unsigned long request, void *argument)
{
    struct uapi_gem_info *info = argument;

    (void)context;
    (void)fd;
    ck_assert_uint_eq(_IOC_NR(request), UAPI_GEM_INFO); /* the recorder's own question */
    asked++;
    if (forgets)
        return -ENOENT;
    *info = (struct uapi_gem_info){.handle = info->handle,
                                   .domain = UAPI_DOMAIN_VRAM,
                                   .size = PAGE,
                                   .offset = REAL_VA + 0x100000 * (uint64_t)info->handle,
                                   .map_handle = PAGE * (uint64_t)info->handle};
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
    handles = asked = 0;
    forgets = false;
    ck_assert(record_pass_begin(check_record_nouveau(), &device, &next));
}

static void teardown(void)
{
    check_record_free();
    close(node);
}

/* The argument is as the driver answers from the beginning. */
static void call_on(int fd, unsigned long request, void *argument)
{
    struct record_pass_call call = {.fd = fd, .request = request, .argument = (uintptr_t)argument};
    struct record_caller caller = check_record_caller();

    record_pass_before(check_record_nouveau(), &caller, &call);
    caller = check_record_caller();
    record_pass_after(check_record_nouveau(), &caller, &call, 0);
}

#define PASS_CALL(nr, type, ...)                                                                   \
    call_on(node, CHECK_RECORD_DRM(UAPI_##nr, struct uapi_##type),                                 \
            &((struct uapi_##type){__VA_ARGS__}))

static uint32_t object_new(void)
{
    const uint32_t handle = ++handles;

    PASS_CALL(GEM_NEW, gem_new,
              .info = {.handle = handle,
                       .domain = UAPI_DOMAIN_GART,
                       .size = PAGE,
                       .offset = REAL_VA + 0x100000 * (uint64_t)handle,
                       .map_handle = PAGE * (uint64_t)handle});
    return handle;
}

static void counted(const char *words, unsigned count)
{
    ck_assert_msg(check_record_count(words) == count, "%u of '%s'", check_record_count(words),
                  words);
}

/* ---- objects --------------------------------------------------------------------------------- */

START_TEST(an_object_without_a_handle_is_none)
{
    PASS_CALL(GEM_NEW, gem_new, .info = {.handle = 0, .size = PAGE});
    (void)check_record_end();
    counted(" AS_MAP ", 0);
}
END_TEST

START_TEST(an_object_that_is_asked_for_is_known_from_then_on)
{
    PASS_CALL(GEM_INFO, gem_info, .handle = 5, .domain = UAPI_DOMAIN_VRAM, .size = PAGE,
              .offset = REAL_VA);
    PASS_CALL(GEM_INFO, gem_info, .handle = 5, .domain = UAPI_DOMAIN_VRAM, .size = PAGE,
              .offset = REAL_VA);
    (void)check_record_end();
    counted(" AS_MAP as_id=0 va=0x7700000000 ", 1);
    counted(" AS_MAP ", 1);
    counted(" AS_UNMAP ", 0);
}
END_TEST

/* A name is the last object's that got it; the one that had it before is found by it no more. */
START_TEST(an_object_is_found_by_its_name)
{
    const uint32_t first = object_new(), second = object_new();

    PASS_CALL(GEM_FLINK, gem_flink, .handle = first, .name = 11);
    PASS_CALL(GEM_FLINK, gem_flink, .handle = first, .name = 11);
    PASS_CALL(GEM_FLINK, gem_flink, .handle = second, .name = 11);
    PASS_CALL(GEM_FLINK, gem_flink, .handle = 99, .name = 12); /* of an object that is not known */
    PASS_CALL(GEM_OPEN, gem_open, .name = 11, .handle = second);
    ck_assert_uint_eq(asked, 0); /* the same handle again */
    PASS_CALL(GEM_OPEN, gem_open, .name = 11, .handle = 20);
    ck_assert_uint_eq(asked, 1);
    (void)check_record_end();
    ck_assert_ptr_eq(record_nouveau_bo_find(check_record_nouveau(), 20),
                     record_nouveau_bo_find(check_record_nouveau(), second));
    ck_assert_ptr_ne(record_nouveau_bo_find(check_record_nouveau(), 20),
                     record_nouveau_bo_find(check_record_nouveau(), first));
}
END_TEST

START_TEST(a_name_from_outside_is_a_new_object)
{
    PASS_CALL(GEM_OPEN, gem_open, .name = 40, .handle = 8);
    (void)check_record_end();
    counted(" AS_MAP as_id=0 va=0x7700800000 ", 1);
}
END_TEST

/* A handle that the driver does not know by the time it is asked: another thread closed it. */
START_TEST(what_the_driver_does_not_know_is_not_recorded)
{
    forgets = true;
    PASS_CALL(GEM_OPEN, gem_open, .name = 40, .handle = 8);
    PASS_CALL(GEM_OPEN, gem_open, .name = 40, .handle = 0);
    (void)check_record_end();
    ck_assert_uint_eq(asked, 1); /* not of a handle that is none */
    counted(" AS_MAP ", 0);
}
END_TEST

/* The handle of another object that was closed in a way that was not seen. */
START_TEST(a_handle_in_the_way_is_ended)
{
    const uint32_t first = object_new(), second = object_new();

    PASS_CALL(GEM_FLINK, gem_flink, .handle = first, .name = 11);
    PASS_CALL(GEM_OPEN, gem_open, .name = 11, .handle = second);
    (void)check_record_end();
    counted(" AS_UNMAP ", 1);
    ck_assert_ptr_eq(record_nouveau_bo_find(check_record_nouveau(), first),
                     record_nouveau_bo_find(check_record_nouveau(), second));
}
END_TEST

/* ---- dma-bufs -------------------------------------------------------------------------------- */

START_TEST(an_object_lives_on_in_its_descriptor)
{
    struct record_nouveau *nouveau = check_record_nouveau();
    const int dmabuf = memfd_create("dmabuf", MFD_CLOEXEC);
    const uint32_t handle = object_new();
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, handle);

    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = handle, .fd = dmabuf);
    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = 99, .fd = dmabuf);
    PASS_CALL(GEM_CLOSE, gem_close, .handle = handle);
    ck_assert_ptr_null(record_nouveau_bo_find(nouveau, handle));
    PASS_CALL(PRIME_FD_TO_HANDLE, prime, .handle = 30, .fd = dmabuf);
    ck_assert_ptr_eq(record_nouveau_bo_find(nouveau, 30), bo);
    ck_assert_uint_eq(record_nouveau_bo_buffer(nouveau, bo)->tell_all, 1);
    (void)check_record_end();
    counted(" AS_UNMAP ", 1);
    counted(" AS_MAP ", 2);
    close(dmabuf);
}
END_TEST

/* An inode is given again when its file is gone: the object that had it is not this one's. */
START_TEST(an_inode_that_was_given_again_is_another_objects)
{
    struct record_nouveau *nouveau = check_record_nouveau();
    const int dmabuf = memfd_create("dmabuf", MFD_CLOEXEC);
    const uint32_t first = object_new(), second = object_new(), third = object_new();
    struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, first);

    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = first, .fd = dmabuf);
    PASS_CALL(GEM_CLOSE, gem_close, .handle = first);
    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = second, .fd = dmabuf);
    ck_assert_uint_eq(bo->number, 0); /* no handle and no descriptor: it is gone */
    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = third, .fd = dmabuf);
    ck_assert_uint_eq(record_nouveau_bo_find(nouveau, second)->is_exported, 0);
    ck_assert_uint_eq(record_nouveau_bo_find(nouveau, third)->is_exported, 1);
    close(dmabuf);
}
END_TEST

/* A descriptor that another thread closed meanwhile. */
START_TEST(a_descriptor_that_cannot_be_looked_at_is_no_objects)
{
    struct record_nouveau *nouveau = check_record_nouveau();
    const uint32_t handle = object_new();

    PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = handle, .fd = 250);
    ck_assert_uint_eq(record_nouveau_bo_find(nouveau, handle)->is_exported, 0);
    PASS_CALL(PRIME_FD_TO_HANDLE, prime, .handle = 30, .fd = 250);
    ck_assert_ptr_nonnull(record_nouveau_bo_find(nouveau, 30)); /* as the driver knows it */
}
END_TEST

/* What only descriptors may hold is kept up to a number: the oldest goes first. */
START_TEST(of_too_many_objects_without_a_handle_the_oldest_goes)
{
    struct record_nouveau *nouveau = check_record_nouveau();
    struct record_nouveau_bo *bos[258];
    uint32_t numbers[258]; /* a place may be another object's later */

    for (unsigned i = 0; i < 258; i++) {
        const int dmabuf = memfd_create("dmabuf", MFD_CLOEXEC);
        const uint32_t handle = object_new();

        bos[i] = record_nouveau_bo_find(nouveau, handle);
        numbers[i] = bos[i]->number;
        PASS_CALL(PRIME_HANDLE_TO_FD, prime, .handle = handle, .fd = dmabuf);
        PASS_CALL(GEM_CLOSE, gem_close, .handle = handle);
        ck_assert_uint_eq(bos[0]->number == numbers[0], i < 256);
        close(dmabuf);
    }
    ck_assert_uint_ne(bos[1]->number, numbers[1]);
    ck_assert_uint_eq(bos[2]->number, numbers[2]);
}
END_TEST

/* ---- channels -------------------------------------------------------------------------------- */

static void channel_new(int32_t channel, uint32_t notifier)
{
    PASS_CALL(CHANNEL_ALLOC, channel_alloc, .tt_ctxdma = 1, .channel = channel,
              .notifier = notifier);
}

/* With some drivers the notifier goes with its channel; the driver is asked whether it has. */
START_TEST(a_notifier_may_go_with_its_channel)
{
    channel_new(CHANNEL, 50);
    ck_assert_uint_eq(asked, 1);
    forgets = _i;
    PASS_CALL(CHANNEL_FREE, channel_free, .channel = CHANNEL);
    (void)check_record_end();
    counted(" CHANNEL channel_id=7 ", 1);
    counted(" CHANNEL_END channel_id=7", 1);
    counted(" AS_UNMAP ", (unsigned)_i);
}
END_TEST

START_TEST(a_channel_that_is_there_or_none_is_told)
{
    channel_new(CHANNEL, 0);
    channel_new(CHANNEL, 0);
    channel_new(-1, 0);
    PASS_CALL(CHANNEL_FREE, channel_free, .channel = 99);
    (void)check_record_end();
    counted(" CHANNEL ", 1);
    counted("channel 7: no room to record it", 1);
    counted("channel -1: no room to record it", 1);
    counted(" CHANNEL_END ", 0);
}
END_TEST

START_TEST(objects_are_of_a_channel_that_is_known)
{
    channel_new(CHANNEL, 0);
    PASS_CALL(GROBJ_ALLOC, grobj_alloc, .channel = CHANNEL, .handle = 3, .class_id = 0xc0b5);
    PASS_CALL(GROBJ_ALLOC, grobj_alloc, .channel = 99, .handle = 4, .class_id = 0xc0b5);
    (void)check_record_end();
    counted(" OBJECT channel_id=7 ", 1);
    counted(" OBJECT ", 1);
}
END_TEST

struct nvif_new {
    struct uapi_nvif head;
    struct uapi_nvif_new new;
};

static void nvif(uint8_t type, uint8_t route, uint64_t token)
{
    struct nvif_new what = {.head = {.type = type, .route = route, .token = token},
                            .new = {.handle = 5, .class_id = 0xc097}};

    call_on(node, CHECK_RECORD_DRM(UAPI_NVIF, struct nvif_new), &what);
}

START_TEST(nvifs_objects_are_of_a_channel_that_is_known)
{
    struct uapi_nvif head = {
        .type = UAPI_NVIF_NEW, .route = UAPI_NVIF_ROUTE_CHANNEL, .token = CHANNEL};

    channel_new(CHANNEL, 0);
    nvif(UAPI_NVIF_NEW, UAPI_NVIF_ROUTE_CHANNEL, CHANNEL);
    nvif(UAPI_NVIF_NEW + 1, UAPI_NVIF_ROUTE_CHANNEL, CHANNEL);
    nvif(UAPI_NVIF_NEW, UAPI_NVIF_ROUTE_CHANNEL - 1, CHANNEL);
    nvif(UAPI_NVIF_NEW, UAPI_NVIF_ROUTE_CHANNEL, 99);
    nvif(UAPI_NVIF_NEW, UAPI_NVIF_ROUTE_CHANNEL, (1ull << 32) + CHANNEL);
    call_on(node, CHECK_RECORD_DRM(UAPI_NVIF, struct uapi_nvif), &head); /* the head alone */
    (void)check_record_end();
    counted(" OBJECT channel_id=7 ", 1);
    counted(" OBJECT ", 1);
}
END_TEST

Suite *record_pass_object_suite(void)
{
    Suite *suite = suite_create("record_pass_object");
    TCase *cases = tcase_create("objects");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, an_object_without_a_handle_is_none);
    tcase_add_test(cases, an_object_that_is_asked_for_is_known_from_then_on);
    tcase_add_test(cases, an_object_is_found_by_its_name);
    tcase_add_test(cases, a_name_from_outside_is_a_new_object);
    tcase_add_test(cases, what_the_driver_does_not_know_is_not_recorded);
    tcase_add_test(cases, a_handle_in_the_way_is_ended);
    tcase_add_test(cases, an_object_lives_on_in_its_descriptor);
    tcase_add_test(cases, an_inode_that_was_given_again_is_another_objects);
    tcase_add_test(cases, a_descriptor_that_cannot_be_looked_at_is_no_objects);
    tcase_add_test(cases, of_too_many_objects_without_a_handle_the_oldest_goes);
    tcase_add_loop_test(cases, a_notifier_may_go_with_its_channel, 0, 2);
    tcase_add_test(cases, a_channel_that_is_there_or_none_is_told);
    tcase_add_test(cases, objects_are_of_a_channel_that_is_known);
    tcase_add_test(cases, nvifs_objects_are_of_a_channel_that_is_known);
    suite_add_tcase(suite, cases);
    return suite;
}
