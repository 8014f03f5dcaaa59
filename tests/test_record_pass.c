/* SPDX-License-Identifier: MIT */
/*
 * The recorder above a real driver, here one that this test plays: it chooses addresses, does
 * nothing at once, and its GPU writes when the test says so.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "tests/check_record.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_pass.h"

enum { PAGE = 4096, NODE_BYTES = 1 << 20, CHANNEL = 37, NODES_MAX = 4 };
/* Where the driver shows its objects, far from where the stand-in would. */
#define REAL_VA 0x7700000000ull

/* The real driver. */
static struct {
    int node; /* its memory, and the first open file of it */
    uint8_t *memory;
    uint64_t used;
    uint32_t handles, mapped;
    int result;        /* of submissions */
    bool maps;         /* objects can be mapped */
    uint64_t reloc_at; /* a word that it puts into memory when it takes a submission; 0: none */
    uint32_t sync_handles;
} real;

static const struct record_pass_device device = {.is_used = 1,
                                                 .chipset = 0x136,
                                                 .pci_vendor = 0x10de,
                                                 .pci_device = 0x1c03,
                                                 .vram_bytes = 6ull << 30,
                                                 .gpu = "gtx1060"};

static int real_gem_new(struct uapi_gem_info *info)
{
    info->handle = ++real.handles;
    info->size = (info->size + PAGE - 1) / PAGE * PAGE;
    info->map_handle = real.used;
    info->offset = REAL_VA + real.used;
    real.used += info->size;
    return real.used <= NODE_BYTES ? 0 : -ENOMEM;
}

static int real_submit(void)
{
    const uint32_t word = 0x1234;

    if (real.result == 0 && real.reloc_at != 0)
        memcpy(real.memory + real.reloc_at, &word, sizeof word);
    return real.result;
}

static int real_ioctl(void *context, int fd, unsigned long request, void *argument)
{
    struct uapi_channel_alloc *channel = argument;
    struct uapi_gem_info *info = argument;
    struct uapi_prime *prime = argument;
    struct uapi_syncobj_create *syncobj = argument;

    (void)context;
    (void)fd;
    switch (_IOC_NR(request)) {
    case UAPI_CHANNEL_ALLOC:
        channel->channel = CHANNEL;
        return 0;
    case UAPI_GEM_NEW:
        return real_gem_new(info);
    case UAPI_GEM_INFO:
        *info = (struct uapi_gem_info){.handle = info->handle,
                                       .domain = UAPI_DOMAIN_GART,
                                       .size = PAGE,
                                       .offset = REAL_VA + 0x100000 * (uint64_t)info->handle,
                                       .map_handle = real.used};
        return 0;
    case UAPI_GEM_PUSHBUF:
        return real_submit();
    case UAPI_PRIME_FD_TO_HANDLE:
        prime->handle = ++real.handles;
        return 0;
    case UAPI_SYNCOBJ_CREATE:
        syncobj->handle = ++real.sync_handles;
        return 0;
    default:
        return 0;
    }
}

static void *real_map(void *context, int fd, uint64_t offset, uint64_t bytes)
{
    void *at;

    (void)context;
    (void)fd;
    real.mapped++;
    if (!real.maps)
        return NULL;
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, real.node, (off_t)offset);
    return at == MAP_FAILED ? NULL : at;
}

/* ---- the client ------------------------------------------------------------------------------ */

static int call_on(int fd, unsigned long request, void *argument)
{
    struct record_pass_call call = {.fd = fd, .request = request, .argument = (uintptr_t)argument};
    struct record_caller caller = check_record_caller();
    int result;

    record_pass_before(check_record_nouveau(), &caller, &call);
    result = real_ioctl(NULL, fd, request, argument);
    caller = check_record_caller();
    record_pass_after(check_record_nouveau(), &caller, &call, result);
    return result;
}

#define PASS_CALL(nr, type, argument)                                                              \
    call_on(real.node, CHECK_RECORD_DRM(UAPI_##nr, struct uapi_##type), (argument))

static void mapped(const struct uapi_gem_info *info)
{
    const struct record_caller caller = check_record_caller();

    record_pass_mapped(check_record_nouveau(), &caller, real.node, true, info->map_handle,
                       info->size);
}

static struct uapi_gem_info object_new(uint64_t bytes)
{
    struct uapi_gem_new new = {.info = {.domain = UAPI_DOMAIN_GART, .size = bytes}};

    ck_assert_int_eq(PASS_CALL(GEM_NEW, gem_new, &new), 0);
    return new.info;
}

static struct uapi_gem_info pushes, fence;

static void setup(void)
{
    const struct record_pass_next next = {.ioctl = real_ioctl, .map = real_map};
    struct uapi_channel_alloc alloc = {.tt_ctxdma = 1};

    check_record_begin();
    memset(&real, 0, sizeof real);
    real.node = memfd_create("node", MFD_CLOEXEC);
    ck_assert_int_ge(real.node, 0);
    ck_assert_int_eq(ftruncate(real.node, NODE_BYTES), 0);
    real.memory = mmap(NULL, NODE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, real.node, 0);
    ck_assert_ptr_ne(real.memory, MAP_FAILED);
    real.used = PAGE; /* map_handle 0 is none */
    real.maps = true;
    ck_assert(record_pass_begin(check_record_nouveau(), &device, &next));
    ck_assert_int_eq(PASS_CALL(CHANNEL_ALLOC, channel_alloc, &alloc), 0);
    pushes = object_new(4 * PAGE);
    fence = object_new(PAGE);
    mapped(&pushes);
    mapped(&fence);
}

static void teardown(void)
{
    check_record_free();
    munmap(real.memory, NODE_BYTES);
    close(real.node);
}

static uint32_t *word_of(const struct uapi_gem_info *info, uint64_t offset)
{
    return (uint32_t *)(void *)(real.memory + info->map_handle + offset);
}

/* A Host release of `value` to the fence object, in the first page of the pushes. */
static int submit_semaphore(uint32_t offset, uint32_t value, uint32_t execute)
{
    const struct nv_header header = {
        .kind = NV_HEADER_INC, .method = NVA06F_SEMAPHOREA, .count = 4};
    const uint64_t va = fence.offset + offset;
    const uint32_t dwords[] = {nv_header_encode(&header), (uint32_t)(va >> 32), (uint32_t)va, value,
                               execute};
    struct uapi_pushbuf_buffer buffers[] = {{.handle = pushes.handle}, {.handle = fence.handle}};
    struct uapi_pushbuf_push push = {.length = sizeof dwords};
    struct uapi_pushbuf_reloc reloc = {.at_offset = 0x800, .buffer = 1};
    struct uapi_gem_pushbuf submit = {.channel = CHANNEL,
                                      .buffer_count = 2,
                                      .push_count = 1,
                                      .reloc_count = real.reloc_at != 0,
                                      .buffers = (uintptr_t)buffers,
                                      .pushes = (uintptr_t)&push,
                                      .relocs = (uintptr_t)&reloc};

    memcpy(word_of(&pushes, 0), dwords, sizeof dwords);
    return PASS_CALL(GEM_PUSHBUF, gem_pushbuf, &submit);
}

static int submit_release(uint32_t offset, uint32_t value)
{
    return submit_semaphore(offset, value, 0x01000002); /* release, one word */
}

static void wait_for_fence(void)
{
    struct uapi_cpu_prep prep = {.handle = fence.handle};

    ck_assert_int_eq(PASS_CALL(GEM_CPU_PREP, cpu_prep, &prep), 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(addresses_and_numbers_are_the_real_drivers)
{
    char words[80];

    ck_assert_int_eq(submit_release(0, 1), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" CHANNEL channel_id=37 "), 1);
    snprintf(words, sizeof words, " AS_MAP as_id=0 va=%#llx size_bytes=16384 ",
             (unsigned long long)pushes.offset);
    ck_assert_uint_eq(check_record_count(words), 1);
    snprintf(words, sizeof words, " MEM as_id=0 address=%#llx ", (unsigned long long)pushes.offset);
    ck_assert_uint_eq(check_record_count(words), 1);
    ck_assert_uint_eq(check_record_count(" MEM "), 1);
    ck_assert_uint_eq(check_record_count(" SUBMIT channel_id=37 submission_id=1 "), 1);
}
END_TEST

/* PROMISE (traces): A completion value that comes late is recorded when it is seen. */
START_TEST(a_value_that_comes_late_is_recorded_when_it_is_seen)
{
    const char *text, *submitted, *written, *waited;

    ck_assert_int_eq(submit_release(64, 41), 0);
    *word_of(&fence, 64) = 41; /* the GPU, meanwhile */
    wait_for_fence();
    ck_assert_int_eq(submit_release(64, 42), 0);
    text = check_record_end();
    submitted = strstr(text, " SUBMIT channel_id=37 submission_id=1 ");
    written = strstr(text, " GPU_WRITE channel_id=37 address=0x7700005040 ");
    waited = strstr(text, " CPU_WAIT ");
    ck_assert(submitted && written && waited);
    ck_assert(submitted < written && written < waited);
    /* The wait names the submission; the next one says what could be seen. */
    ck_assert_uint_eq(check_record_count(" CPU_WAIT how=IOCTL channel_id=any handle=2 "
                                         "submission_id=1 "),
                      1);
    ck_assert_uint_eq(check_record_count("seen_address=0x7700005040 seen_value=0x29"), 1);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE "), 1); /* 42 has not come */
    ck_assert_uint_eq(check_record_count(" MEM "), 2);       /* the pushes, twice */
}
END_TEST

START_TEST(a_wait_has_its_begin_and_end)
{
    unsigned long long begin = 0, end = 0;
    const char *text, *at;

    wait_for_fence();
    text = check_record_end();
    at = strstr(text, "begin_ns=");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(sscanf(at, "begin_ns=%llu end_ns=%llu", &begin, &end), 2);
    ck_assert_uint_lt(begin, end);
}
END_TEST

START_TEST(a_value_that_nobody_saw_is_not_made_up)
{
    ck_assert_int_eq(submit_release(0, 5), 0);
    ck_assert_int_eq(submit_release(0, 6), 0);
    *word_of(&fence, 0) = 6;
    wait_for_fence();
    *word_of(&fence, 0) = 5; /* now the CPU's */
    ck_assert_int_eq(submit_release(16, 7), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" GPU_WRITE "), 1);
    ck_assert_uint_eq(check_record_count(" MEM "), 4); /* three times pushes, once the fence */
}
END_TEST

/* Between the look and the comparison the GPU may write: simulated by a value whose contents are
 * not known, which is not there before a later one is. */
START_TEST(what_the_gpu_may_have_written_is_not_told_as_the_cpus)
{
    /* A reduction: add 1. */
    ck_assert_int_eq(submit_semaphore(0, 1, 0x02000010u | 5u << 27), 0);
    *word_of(&fence, 0) = 12;
    *word_of(&fence, 8) = 13; /* this one is the CPU's */
    ck_assert_int_eq(submit_release(64, 2), 0);
    *word_of(&fence, 64) = 2;
    wait_for_fence();
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("address=0x7700005008 "), 1);
    ck_assert_uint_eq(check_record_count(" MEM as_id=0 address=0x7700005000 "), 0);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE channel_id=37 address=0x7700005000 "), 1);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE channel_id=37 address=0x7700005040 "), 1);
}
END_TEST

START_TEST(a_forked_child_leaves_its_parents_values_to_it)
{
    ck_assert_int_eq(submit_release(0, 1), 0);
    record_pass_forked(check_record_nouveau());
    *word_of(&fence, 0) = 1;
    wait_for_fence();
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" GPU_WRITE "), 0);
}
END_TEST

/* Linux's nouveau_gem.c refuses such a submission ("push %d buffer not in list"); from a driver
 * that does not the recorder takes nothing that it cannot follow. */
START_TEST(each_push_is_of_a_listed_object)
{
    struct uapi_pushbuf_buffer buffer = {.handle = pushes.handle};
    struct uapi_pushbuf_push list[2] = {{.length = 4}, {.buffer = 1, .length = 4}};
    struct uapi_gem_pushbuf submit = {.channel = CHANNEL,
                                      .buffer_count = 1,
                                      .buffers = (uintptr_t)&buffer,
                                      .push_count = 2,
                                      .pushes = (uintptr_t)list};

    ck_assert_int_eq(PASS_CALL(GEM_PUSHBUF, gem_pushbuf, &submit), 0);
    list[1].buffer = 0;
    ck_assert_int_eq(PASS_CALL(GEM_PUSHBUF, gem_pushbuf, &submit), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SUBMIT "), 1);
    ck_assert_uint_eq(check_record_count("unknown object"), 0);
}
END_TEST

START_TEST(a_submission_that_failed_is_none)
{
    real.result = -ENODEV;
    ck_assert_int_eq(submit_release(0, 1), -ENODEV);
    *word_of(&fence, 0) = 1;
    wait_for_fence();
    real.result = 0;
    ck_assert_int_eq(submit_release(0, 1), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" SUBMIT "), 1);
    ck_assert_uint_eq(check_record_count(" submission_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" MEM as_id=0 address=0x7700005000 "), 1);
}
END_TEST

START_TEST(what_was_there_before_the_program_mapped_it_is_not_told)
{
    struct uapi_gem_info other = object_new(40 * PAGE);
    struct uapi_pushbuf_buffer buffer = {.handle = other.handle};
    struct uapi_pushbuf_push push = {0};
    struct uapi_gem_pushbuf submit = {.channel = CHANNEL,
                                      .buffer_count = 1,
                                      .push_count = 1,
                                      .buffers = (uintptr_t)&buffer,
                                      .pushes = (uintptr_t)&push};

    memset(word_of(&other, 0), 's', other.size); /* somebody's secret */
    mapped(&other);
    *word_of(&other, 39 * PAGE) = 1;
    ck_assert_int_eq(PASS_CALL(GEM_PUSHBUF, gem_pushbuf, &submit), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" MEM "), 1);
    ck_assert_uint_eq(check_record_count("73737373"), 0);
}
END_TEST

START_TEST(what_is_not_mapped_is_not_looked_into)
{
    const struct uapi_gem_info other = object_new(PAGE);
    const uint32_t before = real.mapped;
    struct uapi_pushbuf_buffer buffer = {.handle = other.handle};
    struct uapi_pushbuf_push push = {.length = 4};
    struct uapi_gem_pushbuf submit = {.channel = CHANNEL,
                                      .buffer_count = 1,
                                      .push_count = 1,
                                      .buffers = (uintptr_t)&buffer,
                                      .pushes = (uintptr_t)&push};

    ck_assert_int_eq(PASS_CALL(GEM_PUSHBUF, gem_pushbuf, &submit), 0);
    (void)check_record_end();
    ck_assert_uint_eq(real.mapped, before);
    ck_assert_uint_eq(check_record_count(" SUBMIT "), 1);
    ck_assert_uint_eq(check_record_count("methods of submission 1 are not known"), 1);
}
END_TEST

START_TEST(an_object_that_cannot_be_mapped_is_noted_once)
{
    struct uapi_gem_info other = object_new(PAGE);

    real.maps = false;
    mapped(&other);
    mapped(&other);
    ck_assert_int_eq(submit_release(0, 1), 0);
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count("object 3 cannot be looked into"), 1);
    ck_assert_uint_eq(check_record_count(" SUBMIT "), 1);
}
END_TEST

START_TEST(words_that_the_kernel_relocates_are_told_before_the_submission)
{
    const char *text;

    real.reloc_at = pushes.map_handle + 0x800;
    ck_assert_int_eq(submit_release(0, 1), 0);
    text = check_record_end();
    ck_assert_uint_eq(check_record_count(" MEM "), 2);
    ck_assert_uint_eq(check_record_count(" MEM as_id=0 address=0x7700001800 "), 1);
    ck_assert(strstr(text, "0x7700001800") < strstr(text, " SUBMIT "));
}
END_TEST

START_TEST(a_handle_that_was_given_again_is_another_object)
{
    real.handles = fence.handle - 1; /* it was closed in a way that was not seen */
    fence = object_new(PAGE);
    mapped(&fence);
    ck_assert_int_eq(submit_release(0, 3), 0);
    *word_of(&fence, 0) = 3;
    wait_for_fence();
    (void)check_record_end();
    ck_assert_uint_eq(check_record_count(" AS_UNMAP "), 1);
    ck_assert_uint_eq(check_record_count(" AS_MAP "), 3);
    ck_assert_uint_eq(check_record_count(" GPU_WRITE "), 1);
}
END_TEST

/* ---- open files ------------------------------------------------------------------------------ */

static int node_open(void)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", real.node);
    return open(path, O_RDWR | O_CLOEXEC);
}

static int client_make(int fd)
{
    struct uapi_gem_new new = {.info = {.domain = UAPI_DOMAIN_GART, .size = PAGE}};

    return call_on(fd, CHECK_RECORD_DRM(UAPI_GEM_NEW, struct uapi_gem_new), &new);
}

START_TEST(a_client_is_an_open_file_whatever_its_descriptors)
{
    const int other = node_open(), copy = dup(other), moved = 700;

    ck_assert_int_ge(copy, 0);
    ck_assert_int_eq(client_make(other), 0);
    ck_assert_int_eq(client_make(copy), 0);
    ck_assert_int_eq(dup2(copy, moved), moved);
    close(other);
    close(copy);
    ck_assert_int_eq(dup2(real.node, other), other); /* the number is another file's now */
    ck_assert_int_eq(client_make(moved), 0);
    ck_assert_int_eq(client_make(other), 0);
    (void)check_record_end();
    close(moved);
    close(other);
    ck_assert_uint_eq(check_record_count(" CLIENT "), 2);
    ck_assert_uint_eq(check_record_count(" AS_MAP as_id=1 "), 3);
    ck_assert_uint_eq(check_record_count(" AS_MAP as_id=0 "), 3); /* with setup's two */
}
END_TEST

START_TEST(a_file_that_nobody_has_open_ends)
{
    int other = node_open();

    ck_assert_int_eq(client_make(other), 0);
    close(other);
    other = node_open();
    ck_assert_int_eq(client_make(other), 0);
    (void)check_record_end();
    close(other);
    ck_assert_uint_eq(check_record_count(" CLIENT "), 3);
    ck_assert_uint_eq(check_record_count(" AS_UNMAP as_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" AS_UNMAP "), 1); /* the first has its own still */
}
END_TEST

/* ---- descriptors from outside ---------------------------------------------------------------- */

START_TEST(a_foreign_dmabuf_is_one_object_however_often_it_comes)
{
    const int dmabuf = memfd_create("dmabuf", MFD_CLOEXEC), other = node_open();
    struct uapi_prime prime = {.fd = dmabuf};

    ck_assert_int_eq(PASS_CALL(PRIME_FD_TO_HANDLE, prime, &prime), 0);
    ck_assert_int_eq(
        call_on(other, CHECK_RECORD_DRM(UAPI_PRIME_FD_TO_HANDLE, struct uapi_prime), &prime), 0);
    (void)check_record_end();
    close(other);
    close(dmabuf);
    ck_assert_uint_eq(check_record_count(" AS_MAP as_id=0 va=0x7700300000 size_bytes=4096 "
                                         "handle=3 "),
                      1);
    ck_assert_uint_eq(check_record_count(" AS_MAP as_id=1 va=0x7700400000 size_bytes=4096 "
                                         "handle=3 "),
                      1);
}
END_TEST

START_TEST(a_foreign_fence_is_taken_for_done)
{
    const int fd = memfd_create("sync_file", MFD_CLOEXEC);
    struct uapi_syncobj_create create = {0};
    struct uapi_syncobj_handle handle = {.flags = UAPI_SYNCOBJ_SYNC_FILE, .fd = fd};

    ck_assert_int_eq(PASS_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    handle.handle = create.handle;
    ck_assert_int_eq(PASS_CALL(SYNCOBJ_FD_TO_HANDLE, syncobj_handle, &handle), 0);
    (void)check_record_end();
    close(fd);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=SIGNAL syncobj_id=1 "), 1);
    ck_assert_uint_eq(check_record_count("a fence from outside"), 1);
}
END_TEST

START_TEST(a_sync_file_is_known_wherever_it_goes)
{
    const int fd = memfd_create("sync_file", MFD_CLOEXEC);
    struct uapi_syncobj_create create = {0};
    struct uapi_syncobj_handle file = {.flags = UAPI_SYNCOBJ_SYNC_FILE, .fd = fd};
    int copy;

    ck_assert_int_eq(PASS_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    file.handle = create.handle;
    ck_assert_int_eq(PASS_CALL(SYNCOBJ_HANDLE_TO_FD, syncobj_handle, &file), 0);
    copy = dup(fd);
    close(fd);
    ck_assert_int_eq(PASS_CALL(SYNCOBJ_CREATE, syncobj_create, &create), 0);
    file = (struct uapi_syncobj_handle){
        .handle = create.handle, .flags = UAPI_SYNCOBJ_SYNC_FILE, .fd = copy};
    ck_assert_int_eq(PASS_CALL(SYNCOBJ_FD_TO_HANDLE, syncobj_handle, &file), 0);
    (void)check_record_end();
    close(copy);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=FILE syncobj_id=2 point=0 from_id=1 "), 1);
    ck_assert_uint_eq(check_record_count(" SYNCOBJ what=TRANSFER syncobj_id=3 point=0 from_id=2 "),
                      1);
}
END_TEST

Suite *record_pass_suite(void)
{
    Suite *suite = suite_create("record_pass");
    TCase *cases = tcase_create("a driver that this test plays");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, addresses_and_numbers_are_the_real_drivers);
    tcase_add_test(cases, a_value_that_comes_late_is_recorded_when_it_is_seen);
    tcase_add_test(cases, a_wait_has_its_begin_and_end);
    tcase_add_test(cases, a_value_that_nobody_saw_is_not_made_up);
    tcase_add_test(cases, what_the_gpu_may_have_written_is_not_told_as_the_cpus);
    tcase_add_test(cases, a_forked_child_leaves_its_parents_values_to_it);
    tcase_add_test(cases, each_push_is_of_a_listed_object);
    tcase_add_test(cases, a_submission_that_failed_is_none);
    tcase_add_test(cases, what_was_there_before_the_program_mapped_it_is_not_told);
    tcase_add_test(cases, what_is_not_mapped_is_not_looked_into);
    tcase_add_test(cases, an_object_that_cannot_be_mapped_is_noted_once);
    tcase_add_test(cases, words_that_the_kernel_relocates_are_told_before_the_submission);
    tcase_add_test(cases, a_handle_that_was_given_again_is_another_object);
    tcase_add_test(cases, a_client_is_an_open_file_whatever_its_descriptors);
    tcase_add_test(cases, a_file_that_nobody_has_open_ends);
    tcase_add_test(cases, a_foreign_dmabuf_is_one_object_however_often_it_comes);
    tcase_add_test(cases, a_foreign_fence_is_taken_for_done);
    tcase_add_test(cases, a_sync_file_is_known_wherever_it_goes);
    suite_add_tcase(suite, cases);
    return suite;
}
