/* SPDX-License-Identifier: MIT */
/*
 * The stand-in's driver in this process, without preloading: each ioctl as a driver library and as
 * a broken program would call it, and the records that follow.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/record_client.h"
#include "tests/suites.h"

/* ---- the device ------------------------------------------------------------------------------ */

START_TEST(the_driver_is_nouveau_1_4_0)
{
    char name[4] = "", date[40] = "";
    struct uapi_version version = {.name = (uintptr_t)name,
                                   .name_bytes = sizeof name - 1,
                                   .date = (uintptr_t)date,
                                   .date_bytes = sizeof date};

    ck_assert_int_eq(call(DRM(UAPI_VERSION, struct uapi_version), &version), 0);
    ck_assert_int_eq(version.major, 1);
    ck_assert_int_eq(version.minor, 4);
    ck_assert_int_eq(version.patch, 0);
    ck_assert_uint_eq(version.name_bytes, 7); /* the length, not what fitted */
    ck_assert_str_eq(name, "nou");
    ck_assert_str_ne(date, "");
}
END_TEST

START_TEST(a_bad_pointer_is_a_fault_not_a_crash)
{
    struct uapi_version version = {.name = 8, .name_bytes = 8};

    ck_assert_int_eq(call(DRM(UAPI_VERSION, struct uapi_version), &version), -EFAULT);
    ck_assert_int_eq(call(DRM(UAPI_GEM_NEW, struct uapi_gem_new), NULL), -EFAULT);
}
END_TEST

static const struct {
    uint64_t param, value;
} params[] = {
    {UAPI_PARAM_PCI_VENDOR, 0x10de},   {UAPI_PARAM_PCI_DEVICE, 0x1c03},
    {UAPI_PARAM_BUS_TYPE, 2},          {UAPI_PARAM_FB_SIZE, 6144ull << 20},
    {UAPI_PARAM_AGP_SIZE, 1ull << 40}, {UAPI_PARAM_CHIPSET_ID, 0x136},
    {UAPI_PARAM_VM_VRAM_BASE, 0},      {UAPI_PARAM_GRAPH_UNITS, 6ull << 32 | 10 << 8 | 2},
    {UAPI_PARAM_HAS_BO_USAGE, 1},      {UAPI_PARAM_HAS_PAGEFLIP, 1},
    {UAPI_PARAM_EXEC_PUSH_MAX, 510},   {UAPI_PARAM_VRAM_BAR_SIZE, 256ull << 20},
    {UAPI_PARAM_VRAM_USED, 0},         {UAPI_PARAM_HAS_VMA_TILEMODE, 1},
};

START_TEST(the_parameters_are_the_boards)
{
    struct uapi_getparam get = {params[_i].param, UINT64_MAX};

    ck_assert_int_eq(call(DRM(UAPI_GETPARAM, struct uapi_getparam), &get), 0);
    ck_assert_uint_eq(get.value, params[_i].value);
}
END_TEST

START_TEST(unknown_parameters_and_capabilities_are_answered_as_by_the_kernel)
{
    struct uapi_getparam get = {21, 5};
    struct uapi_get_cap cap = {0x15, 5}; /* ATOMIC_ASYNC_PAGE_FLIP: of a display */

    ck_assert_int_eq(call(DRM(UAPI_GETPARAM, struct uapi_getparam), &get), -EINVAL);
    ck_assert_uint_eq(get.value, 5);
    ck_assert_int_eq(call(DRM(UAPI_GET_CAP, struct uapi_get_cap), &cap), 0);
    ck_assert_uint_eq(cap.value, 0);
    cap.capability = UAPI_CAP_PRIME;
    ck_assert_int_eq(call(DRM(UAPI_GET_CAP, struct uapi_get_cap), &cap), 0);
    ck_assert_uint_eq(cap.value, 3);
    for (cap.capability = UAPI_CAP_SYNCOBJ; cap.capability <= UAPI_CAP_SYNCOBJ_TIMELINE;
         cap.capability++) {
        cap.value = 0;
        ck_assert_int_eq(call(DRM(UAPI_GET_CAP, struct uapi_get_cap), &cap), 0);
        ck_assert_uint_eq(cap.value, 1);
    }
}
END_TEST

START_TEST(unknown_ioctls_are_refused_and_noted_once)
{
    uint64_t words[8] = {0};

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, 0x48, 16), words), -EINVAL); /* SVM_INIT */
        ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, 0x49, 40), words), -EINVAL); /* SVM_BIND */
    }
    ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, 0xff, 0), words), -EINVAL);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_MARK), 3);
    ck_assert_ptr_nonnull(strstr(record_at(TRACE_MARK, 0)->text, "0x48"));
}
END_TEST

START_TEST(short_arguments_are_continued_with_zeros_and_long_ones_cut)
{
    struct {
        struct uapi_gem_new new;
        uint64_t more[4];
    } wanted = {.new = {.info = {.size = PAGE, .domain = UAPI_DOMAIN_GART}}, .more = {7, 7, 7, 7}};

    ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, UAPI_GEM_NEW, sizeof wanted), &wanted), 0);
    ck_assert_uint_eq(wanted.more[3], 7);
    ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, UAPI_GEM_CLOSE, 4), &wanted), 0);
    ck_assert_int_eq(call(_IOC(3u, UAPI_DRM_TYPE, UAPI_GEM_NEW, 4), &wanted), -EINVAL); /* size 0 */
}
END_TEST

/* ---- buffer objects -------------------------------------------------------------------------- */

START_TEST(objects_have_pages_addresses_and_a_record)
{
    const struct uapi_gem_info gart = object_new(1, UAPI_DOMAIN_GART);
    const struct uapi_gem_info vram = object_new(128 << 10, UAPI_DOMAIN_VRAM | UAPI_DOMAIN_GART);

    ck_assert_uint_eq(gart.handle, 1);
    ck_assert_uint_eq(gart.size, PAGE);
    ck_assert_uint_eq(gart.domain, UAPI_DOMAIN_GART);
    ck_assert_uint_eq(gart.offset, gart.map_handle + RECORD_MEMORY_VA_BASE);
    ck_assert_uint_eq(vram.domain, UAPI_DOMAIN_VRAM);
    ck_assert_uint_eq(vram.offset % (128 << 10), 0);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_AS_MAP, 0)->a, gart.offset);
    ck_assert_uint_eq(record_at(TRACE_AS_MAP, 0)->c, TRACE_APERTURE_SYSMEM);
    ck_assert_uint_eq(record_at(TRACE_AS_MAP, 1)->c, TRACE_APERTURE_VRAM);
}
END_TEST

START_TEST(objects_that_cannot_be_are_refused)
{
    struct uapi_gem_new wanted = {.info = {.size = 0, .domain = UAPI_DOMAIN_GART}};
    const unsigned long request = DRM(UAPI_GEM_NEW, struct uapi_gem_new);

    ck_assert_int_eq(call(request, &wanted), -EINVAL);
    wanted.info.size = PAGE;
    wanted.info.domain = 1u << 31;
    ck_assert_int_eq(call(request, &wanted), -EINVAL);
    wanted.info.domain = UAPI_DOMAIN_VRAM;
    wanted.info.size = (6144ull << 20) + 1;
    ck_assert_int_eq(call(request, &wanted), -ENOMEM);
    wanted.info.domain = UAPI_DOMAIN_GART;
    wanted.info.size = UINT64_MAX;
    ck_assert_int_eq(call(request, &wanted), -ENOMEM);
}
END_TEST

START_TEST(the_lowest_free_handle_is_taken_and_a_closed_one_is_gone)
{
    struct uapi_gem_close close_first = {.handle = object_new(PAGE, UAPI_DOMAIN_GART).handle};
    struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const unsigned long request = DRM(UAPI_GEM_CLOSE, struct uapi_gem_close);

    ck_assert_int_eq(call(request, &close_first), 0);
    ck_assert_int_eq(call(request, &close_first), -EINVAL);
    info.handle = close_first.handle;
    ck_assert_int_eq(call(DRM(UAPI_GEM_INFO, struct uapi_gem_info), &info), -ENOENT);
    ck_assert_uint_eq(object_new(PAGE, UAPI_DOMAIN_GART).handle, close_first.handle);
    ck_assert_int_eq(call(DRM(UAPI_GEM_INFO, struct uapi_gem_info), &info), 0);
    ck_assert_uint_eq(info.size, PAGE);
    close_first.handle = 0;
    ck_assert_int_eq(call(request, &close_first), -EINVAL);
    close_first.handle = UINT32_MAX;
    ck_assert_int_eq(call(request, &close_first), -EINVAL);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_AS_UNMAP), 1);
}
END_TEST

START_TEST(a_wait_is_recorded_and_a_question_is_not)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    struct uapi_cpu_prep prep = {.handle = info.handle};
    struct uapi_cpu_fini fini = {.handle = info.handle};
    const unsigned long request = DRM(UAPI_GEM_CPU_PREP, struct uapi_cpu_prep);

    ck_assert_int_eq(call(request, &prep), 0);
    prep.flags = UAPI_CPU_PREP_NOWAIT;
    ck_assert_int_eq(call(request, &prep), 0);
    ck_assert_int_eq(call(DRM(UAPI_GEM_CPU_FINI, struct uapi_cpu_fini), &fini), 0);
    prep.handle = fini.handle = 99;
    ck_assert_int_eq(call(request, &prep), -ENOENT);
    ck_assert_int_eq(call(DRM(UAPI_GEM_CPU_FINI, struct uapi_cpu_fini), &fini), -ENOENT);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_CPU_WAIT), 1);
    ck_assert_uint_eq(record_at(TRACE_CPU_WAIT, 0)->a, info.handle);
}
END_TEST

START_TEST(an_exported_object_comes_back_with_its_handle)
{
    const struct uapi_gem_info info = object_new(3 * PAGE, UAPI_DOMAIN_GART);
    struct uapi_prime prime = {.handle = info.handle};

    ck_assert_int_eq(call(DRM(UAPI_PRIME_HANDLE_TO_FD, struct uapi_prime), &prime), 0);
    ck_assert_int_eq(lseek(prime.fd, 0, SEEK_END), 3 * PAGE);
    prime.handle = 0;
    ck_assert_int_eq(call(DRM(UAPI_PRIME_FD_TO_HANDLE, struct uapi_prime), &prime), 0);
    ck_assert_uint_eq(prime.handle, info.handle);
    close(prime.fd);
    ck_assert_int_eq(call(DRM(UAPI_PRIME_FD_TO_HANDLE, struct uapi_prime), &prime), -EBADF);
    prime.fd = trace_fd;
    ck_assert_int_eq(call(DRM(UAPI_PRIME_FD_TO_HANDLE, struct uapi_prime), &prime), -EINVAL);
    prime.handle = 99;
    ck_assert_int_eq(call(DRM(UAPI_PRIME_HANDLE_TO_FD, struct uapi_prime), &prime), -ENOENT);
}
END_TEST

/* ---- channels and objects -------------------------------------------------------------------- */

START_TEST(channels_have_numbers_until_there_are_no_more)
{
    struct uapi_channel_alloc alloc = {0};
    struct uapi_channel_free which = {.channel = 0};
    const unsigned long request = DRM(UAPI_CHANNEL_FREE, struct uapi_channel_free);

    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(channel_new(), i);
    ck_assert_int_eq(call(DRM(UAPI_CHANNEL_ALLOC, struct uapi_channel_alloc), &alloc), -ENOSPC);
    ck_assert_int_eq(call(request, &which), 0);
    ck_assert_int_eq(call(request, &which), -ENOENT);
    ck_assert_int_eq(channel_new(), 0);
    which.channel = -1;
    ck_assert_int_eq(call(request, &which), -ENOENT);
    which.channel = 64;
    ck_assert_int_eq(call(request, &which), -ENOENT);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_CHANNEL), 65);
    ck_assert_uint_eq(record_count(TRACE_CHANNEL_END), 1);
}
END_TEST

/* An NVIF call with what NEW, SCLASS and MTHD need. */
struct nvif_call {
    struct uapi_nvif head;
    union {
        struct uapi_nvif_new new;
        struct {
            struct uapi_nvif_sclass list;
            struct uapi_nvif_sclass_row rows[8];
        } sclass;
        struct {
            struct uapi_nvif_method method;
            struct uapi_device_info info;
        } info;
    };
};

static int nvif(struct nvif_call *nvif, size_t bytes)
{
    return call(_IOC(3u, UAPI_DRM_TYPE, UAPI_NVIF, bytes), nvif);
}

static int object_on_channel(uint64_t channel, int32_t class_id)
{
    struct nvif_call new = {
        .head = {.type = UAPI_NVIF_NEW, .route = UAPI_NVIF_ROUTE_CHANNEL, .token = channel},
        .new = {.handle = 0xbeef0000, .class_id = class_id},
    };

    return nvif(&new, sizeof new.head + sizeof new.new);
}

START_TEST(objects_of_the_chips_classes_are_recorded)
{
    ck_assert_int_eq(object_on_channel(0, 0xc1c0), -ENOENT);
    (void)channel_new();
    ck_assert_int_eq(object_on_channel(0, 0xc1c0), 0);
    ck_assert_int_eq(object_on_channel(0, UAPI_CLASS_SOFTWARE_GF100), 0);
    ck_assert_int_eq(object_on_channel(0, 0xb197), -EINVAL); /* Maxwell's */
    ck_assert_int_eq(object_on_channel(1ull << 32, 0xc1c0), -ENOENT);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_OBJECT), 2);
    ck_assert_uint_eq(record_at(TRACE_OBJECT, 0)->b, 0xc1c0);
    ck_assert_uint_eq(record_at(TRACE_OBJECT, 1)->b, 0x906e);
    ck_assert_uint_eq(record_count(TRACE_MARK), 1);
}
END_TEST

START_TEST(legacy_objects_are_the_same)
{
    struct uapi_grobj_alloc alloc = {.channel = channel_new(), .class_id = 0xc197};
    const unsigned long request = DRM(UAPI_GROBJ_ALLOC, struct uapi_grobj_alloc);

    ck_assert_int_eq(call(request, &alloc), 0);
    alloc.channel = 5;
    ck_assert_int_eq(call(request, &alloc), -ENOENT);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_OBJECT), 1);
}
END_TEST

START_TEST(the_device_tells_what_it_is)
{
    struct nvif_call info = {.head = {.type = UAPI_NVIF_MTHD}};

    ck_assert_int_eq(nvif(&info, sizeof info.head + sizeof info.info), 0);
    ck_assert_uint_eq(info.info.info.chipset, 0x136);
    ck_assert_uint_eq(info.info.info.family, 10);
    ck_assert_uint_eq(info.info.info.ram_user, 6144ull << 20);
    ck_assert_str_eq(info.info.info.chip, "GP106");
    info.info.method.method = UAPI_DEVICE_TIME;
    ck_assert_int_eq(nvif(&info, sizeof info.head + sizeof info.info), 0);
    info.info.method.method = 99;
    ck_assert_int_eq(nvif(&info, sizeof info.head + sizeof info.info), -EINVAL);
    info.info.method = (struct uapi_nvif_method){.version = 1};
    ck_assert_int_eq(nvif(&info, sizeof info.head + sizeof info.info), -EINVAL);
}
END_TEST

START_TEST(classes_are_listed_as_far_as_there_is_room)
{
    struct nvif_call list = {.head = {.type = UAPI_NVIF_SCLASS}, .sclass = {.list = {.count = 8}}};

    ck_assert_int_eq(nvif(&list, sizeof list), 0);
    ck_assert_uint_eq(list.sclass.list.count, RECORD_BOARD_CLASSES);
    ck_assert_int_eq(list.sclass.rows[3].class_id, 0xc1c0);
    list.sclass.rows[1].class_id = 7;
    list.sclass.list.count = 1;
    ck_assert_int_eq(nvif(&list, sizeof list), 0);
    ck_assert_uint_eq(list.sclass.list.count, RECORD_BOARD_CLASSES);
    ck_assert_int_eq(list.sclass.rows[1].class_id, 7);
    list.sclass.list.count = 255;
    ck_assert_int_eq(nvif(&list, sizeof list), -EINVAL);
}
END_TEST

START_TEST(nvif_arguments_that_are_too_short_are_refused)
{
    for (unsigned type = UAPI_NVIF_NOP; type <= UAPI_NVIF_MTHD + 1; type++)
        for (size_t bytes = 0; bytes < sizeof(struct nvif_call); bytes++) {
            struct nvif_call short_call = {.head = {.type = (uint8_t)type}};
            const int result = nvif(&short_call, bytes);

            if (bytes < sizeof short_call.head || type > UAPI_NVIF_MTHD ||
                (type == UAPI_NVIF_NEW && bytes < 56) || (type == UAPI_NVIF_SCLASS && bytes < 32) ||
                (type == UAPI_NVIF_MTHD && bytes < 136))
                ck_assert_int_eq(result, -EINVAL);
        }
}
END_TEST

START_TEST(other_versions_of_nvif_are_refused)
{
    struct nvif_call other = {.head = {.version = 1}};

    ck_assert_int_eq(nvif(&other, sizeof other), -ENOSYS);
}
END_TEST
Suite *record_nouveau_suite(void)
{
    Suite *suite = suite_create("record_nouveau");
    TCase *cases = tcase_create("ioctls");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, the_driver_is_nouveau_1_4_0);
    tcase_add_test(cases, a_bad_pointer_is_a_fault_not_a_crash);
    tcase_add_loop_test(cases, the_parameters_are_the_boards, 0, sizeof params / sizeof params[0]);
    tcase_add_test(cases, unknown_parameters_and_capabilities_are_answered_as_by_the_kernel);
    tcase_add_test(cases, unknown_ioctls_are_refused_and_noted_once);
    tcase_add_test(cases, short_arguments_are_continued_with_zeros_and_long_ones_cut);
    tcase_add_test(cases, objects_have_pages_addresses_and_a_record);
    tcase_add_test(cases, objects_that_cannot_be_are_refused);
    tcase_add_test(cases, the_lowest_free_handle_is_taken_and_a_closed_one_is_gone);
    tcase_add_test(cases, a_wait_is_recorded_and_a_question_is_not);
    tcase_add_test(cases, an_exported_object_comes_back_with_its_handle);
    tcase_add_test(cases, channels_have_numbers_until_there_are_no_more);
    tcase_add_test(cases, objects_of_the_chips_classes_are_recorded);
    tcase_add_test(cases, legacy_objects_are_the_same);
    tcase_add_test(cases, the_device_tells_what_it_is);
    tcase_add_test(cases, classes_are_listed_as_far_as_there_is_room);
    tcase_add_test(cases, nvif_arguments_that_are_too_short_are_refused);
    tcase_add_test(cases, other_versions_of_nvif_are_refused);
    suite_add_tcase(suite, cases);
    return suite;
}
