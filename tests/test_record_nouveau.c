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

#include "tests/suites.h"
#include "traces/record_nouveau.h"
#include "traces/record_tree.h"
#include "traces/record_uapi.h"

enum { PAGE = RECORD_MEMORY_PAGE_BYTES, RECORDS_MAX = 400, TEXT_BYTES = 100 };

#define DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

static struct record_memory *memory;
static struct record_out out;
static struct record_nouveau *nouveau;
static int trace_fd, node_fd;
static uint64_t now_ns;
static char directory[32]; /* for PRIME's files */

static void setup(void)
{
    const struct record_caller caller = {.thread_id = 1};
    struct trace_record meta = {0};
    struct gfe_error error = {0};

    now_ns = 0;
    snprintf(directory, sizeof directory, "/tmp/gfe-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    memory = record_memory_new(&error);
    ck_assert_msg(memory != NULL, "%s", error.text);
    trace_fd = memfd_create("trace", 0);
    ck_assert_int_ge(trace_fd, 0);
    out = (struct record_out){.process_id = 1, .writer = trace_writer_new(trace_fd, "t", &error)};
    ck_assert_ptr_nonnull(out.writer);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&out, &caller, TRACE_META, &meta);
    nouveau = record_nouveau_new(record_board_find("gtx1060"), memory, &out, NULL, directory);
    ck_assert_ptr_nonnull(nouveau);
    node_fd = record_nouveau_open(nouveau, &caller, O_CLOEXEC);
    ck_assert_int_ge(node_fd, 0);
}

static void teardown(void)
{
    record_nouveau_free(nouveau);
    record_memory_free(memory);
    trace_writer_free(out.writer);
    close(trace_fd);
    close(node_fd);
    ck_assert(record_tree_remove(directory));
}

static int call(unsigned long request, void *argument)
{
    const struct record_caller caller = {.thread_id = 1, .now_ns = ++now_ns};

    return record_nouveau_ioctl(nouveau, &caller, node_fd, request, (uintptr_t)argument);
}

/* ---- reading the trace back ----------------------------------------------------------------- */

/* A record in short: what the tests ask of it. */
struct seen {
    enum trace_kind kind;
    uint64_t a, b, c;
    char text[TEXT_BYTES];
};
static struct seen seen[RECORDS_MAX];
static unsigned seen_count;

static struct seen seen_of(const struct trace_record *record)
{
    struct seen is = {.kind = (enum trace_kind)record->head.kind};

    switch (is.kind) {
    case TRACE_AS_MAP:
        is.a = record->as_map.va;
        is.b = record->as_map.size_bytes;
        is.c = record->as_map.aperture;
        break;
    case TRACE_MEM:
        is.a = record->mem.address;
        is.b = record->mem.data.length;
        break;
    case TRACE_SUBMIT:
        is.a = record->submit.pushes.count;
        is.b = record->submit.seen_address;
        is.c = record->submit.seen_value;
        break;
    case TRACE_GPU_WRITE:
        is.a = record->gpu_write.address;
        is.b = record->gpu_write.data.length;
        memcpy(&is.c, record->gpu_write.data.data, 4);
        break;
    case TRACE_OBJECT:
        is.a = record->object.channel_id;
        is.b = record->object.class_id;
        break;
    case TRACE_CPU_WAIT:
        is.a = record->cpu_wait.handle;
        is.b = record->cpu_wait.submission_id;
        break;
    case TRACE_MARK:
        snprintf(is.text, sizeof is.text, "%s", record->mark.text.text);
        break;
    default:
        break;
    }
    return is;
}

/* Ends the trace and fills `seen`. */
static void trace_end(void)
{
    const struct record_caller caller = {.thread_id = 1, .now_ns = now_ns};
    struct trace_record record = {0};
    struct gfe_error error = {0};
    struct trace_reader *reader;
    char path[TEXT_BYTES];

    record.end.record_count = trace_writer_record_count(out.writer);
    record_out_put(&out, &caller, TRACE_END, &record);
    ck_assert(!out.failed && trace_writer_finish(out.writer, &error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", trace_fd);
    reader = trace_reader_open(path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    seen_count = 0;
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        ck_assert_uint_lt(seen_count, RECORDS_MAX);
        seen[seen_count++] = seen_of(&record);
    }
    ck_assert_msg(!error.text[0], "%s", error.text);
    trace_reader_free(reader);
}

/* The n-th record of a kind; it must be there. */
static const struct seen *record_at(enum trace_kind kind, unsigned n)
{
    for (unsigned i = 0; i < seen_count; i++)
        if (seen[i].kind == kind && n-- == 0)
            return &seen[i];
    ck_abort_msg("too few records of kind %d", kind);
    return NULL;
}

static unsigned record_count(enum trace_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < seen_count; i++)
        count += seen[i].kind == kind;
    return count;
}

/* ---- what drivers do ------------------------------------------------------------------------ */

static struct uapi_gem_info object_new(uint64_t size, uint32_t domain)
{
    struct uapi_gem_new wanted = {.info = {.size = size, .domain = domain}};

    ck_assert_int_eq(call(DRM(UAPI_GEM_NEW, struct uapi_gem_new), &wanted), 0);
    return wanted.info;
}

static int32_t channel_new(void)
{
    struct uapi_channel_alloc alloc = {.fb_ctxdma = UINT32_MAX, .tt_ctxdma = 1};

    ck_assert_int_eq(call(DRM(UAPI_CHANNEL_ALLOC, struct uapi_channel_alloc), &alloc), 0);
    return alloc.channel;
}

/* The program's mapping of an object. */
static uint32_t *object_map(const struct uapi_gem_info *info)
{
    void *bytes = mmap(NULL, info->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                       record_memory_fd(memory), (off_t)info->map_handle);

    ck_assert_ptr_ne(bytes, MAP_FAILED);
    return bytes;
}

/* One submission with up to two pushes of one object. */
struct submission {
    struct uapi_gem_pushbuf pushbuf;
    struct uapi_pushbuf_buffer buffers[2];
    struct uapi_pushbuf_push pushes[2];
    struct uapi_pushbuf_reloc relocs[1];
};

static struct submission *submission_of(struct submission *submission, int32_t channel,
                                        const struct uapi_gem_info *info, uint64_t length)
{
    *submission = (struct submission){
        .pushbuf = {.channel = (uint32_t)channel,
                    .buffer_count = 1,
                    .push_count = 1,
                    .buffers = (uintptr_t)submission->buffers,
                    .pushes = (uintptr_t)submission->pushes,
                    .relocs = (uintptr_t)submission->relocs},
        .buffers = {{.handle = info->handle}},
        .pushes = {{.length = length}},
    };
    return submission;
}

static int submit(struct submission *submission)
{
    return call(DRM(UAPI_GEM_PUSHBUF, struct uapi_gem_pushbuf), &submission->pushbuf);
}

/* Eight dwords: a 3D object on subchannel 0 and a fence as Mesa's. */
static uint64_t put_fence(uint32_t *at, uint64_t va, uint32_t value)
{
    const uint32_t dwords[] = {0x20010000,   0xc197, 0x200406c0, (uint32_t)(va >> 32),
                               (uint32_t)va, value,  0x1000f010};

    memcpy(at, dwords, sizeof dwords);
    return sizeof dwords;
}

/* ---- the device ----------------------------------------------------------------------------- */

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

/* ---- buffer objects ------------------------------------------------------------------------- */

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

/* ---- channels and objects ------------------------------------------------------------------- */

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

/* ---- submissions ---------------------------------------------------------------------------- */

START_TEST(a_submission_records_memory_pushes_and_completion_in_this_order)
{
    const struct uapi_gem_info pushes = object_new(PAGE, UAPI_DOMAIN_GART);
    const struct uapi_gem_info fence = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&pushes), *value = object_map(&fence);
    struct submission submission;
    unsigned mem = 0, submitted = 0, written = 0;

    submission_of(&submission, channel, &pushes, put_fence(dwords, fence.offset + 8, 41));
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(value[2], 41);
    ck_assert_uint_eq(submission.buffers[0].presumed.valid, 1);
    ck_assert_uint_eq(submission.buffers[0].presumed.offset, pushes.offset);
    ck_assert_uint_eq(submission.pushbuf.vram_available, 6144ull << 20);
    put_fence(dwords, fence.offset + 8, 42);
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(value[2], 42);
    trace_end();
    for (unsigned i = 0; i < seen_count; i++) {
        mem = seen[i].kind == TRACE_MEM && !mem ? i : mem;
        submitted = seen[i].kind == TRACE_SUBMIT && !submitted ? i : submitted;
        written = seen[i].kind == TRACE_GPU_WRITE && !written ? i : written;
    }
    ck_assert_uint_gt(mem, 0);
    ck_assert_uint_eq(submitted, mem + 1);
    ck_assert_uint_eq(written, submitted + 1);
    /* The second time only the changed dword, and nothing of what the stand-in wrote. */
    ck_assert_uint_eq(record_count(TRACE_MEM), 2);
    ck_assert_uint_eq(record_at(TRACE_MEM, 1)->a, pushes.offset + 5 * 4);
    ck_assert_uint_eq(record_at(TRACE_MEM, 1)->b, 4);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->a, fence.offset + 8);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->c, 42);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->b, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->b, fence.offset + 8);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->c, 41);
}
END_TEST

START_TEST(channels_do_not_share_the_parser)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t first = channel_new(), second = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    /* A header and one of its data here, the other channel's methods, then the rest. */
    ck_assert_int_eq(submit(submission_of(&submission, first, &info, 16)), 0);
    ck_assert_int_eq(submit(submission_of(&submission, second, &info, length)), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    dwords[0x200] = 0;
    submission_of(&submission, first, &info, length - 16);
    submission.pushes[0].offset = 16;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
}
END_TEST

START_TEST(two_pushes_make_one_stream)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    submission_of(&submission, channel, &info, 12);
    submission.pushbuf.push_count = 2;
    submission.pushes[1] =
        (struct uapi_pushbuf_push){.offset = 12, .length = (length - 12) | UAPI_PUSH_NO_PREFETCH};
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->a, 2);
}
END_TEST

START_TEST(a_submission_without_pushes_is_recorded)
{
    struct submission submission = {.pushbuf = {.channel = (uint32_t)channel_new()}};

    submission.pushbuf.buffer_count = UINT32_MAX; /* not looked at */
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(record_nouveau_submission(nouveau), 1);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->a, 0);
}
END_TEST

/* One thing wrong in a submission that is otherwise right. */
static void wrong_channel(struct submission *s)
{
    s->pushbuf.channel = 9;
}
static void wrong_handle(struct submission *s)
{
    s->buffers[0].handle = 99;
}
static void same_handle_twice(struct submission *s)
{
    s->buffers[1].handle = s->buffers[0].handle;
    s->pushbuf.buffer_count = 2;
}
static void push_of_no_buffer(struct submission *s)
{
    s->pushes[0].buffer = 1;
}
static void push_past_the_end(struct submission *s)
{
    s->pushes[0].length = PAGE + 4;
}
static void push_that_wraps(struct submission *s)
{
    s->pushes[0].offset = 8;
    s->pushes[0].length = UINT64_MAX - 7;
}
static void push_from_far(struct submission *s)
{
    s->pushes[0].offset = UINT64_MAX - 3;
}
static void push_between_dwords(struct submission *s)
{
    s->pushes[0].offset = 2;
}
static void too_many_pushes(struct submission *s)
{
    s->pushbuf.push_count = UAPI_PUSHBUF_PUSHES_MAX + 1;
}
static void too_many_buffers(struct submission *s)
{
    s->pushbuf.buffer_count = UINT32_MAX;
}
static void too_many_relocs(struct submission *s)
{
    s->pushbuf.reloc_count = UAPI_PUSHBUF_RELOCS_MAX + 1;
}
static void buffers_nowhere(struct submission *s)
{
    s->pushbuf.buffers = 16;
}
static void pushes_nowhere(struct submission *s)
{
    s->pushbuf.pushes = UINT64_MAX - 15;
}
static void reloc_past_the_end(struct submission *s)
{
    s->pushbuf.reloc_count = 1;
    s->relocs[0].at_offset = PAGE - 3;
}
static void reloc_to_no_buffer(struct submission *s)
{
    s->pushbuf.reloc_count = 1;
    s->relocs[0].buffer = 1;
}

static const struct {
    void (*spoil)(struct submission *submission);
    int result;
} spoiled[] = {
    {wrong_channel, -ENOENT},     {wrong_handle, -ENOENT},        {same_handle_twice, -EINVAL},
    {push_of_no_buffer, -EINVAL}, {push_past_the_end, -EINVAL},   {push_that_wraps, -EINVAL},
    {push_from_far, -EINVAL},     {push_between_dwords, -EINVAL}, {too_many_pushes, -EINVAL},
    {too_many_buffers, -EINVAL},  {too_many_relocs, -EINVAL},     {buffers_nowhere, -EFAULT},
    {pushes_nowhere, -EFAULT},    {reloc_past_the_end, -EINVAL},  {reloc_to_no_buffer, -EINVAL},
};

START_TEST(a_spoiled_submission_is_refused_and_changes_nothing)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    submission_of(&submission, channel, &info, length);
    spoiled[_i].spoil(&submission);
    ck_assert_int_eq(submit(&submission), spoiled[_i].result);
    ck_assert_uint_eq(dwords[0x200], 0);
    ck_assert_int_eq(submit(submission_of(&submission, channel, &info, length)), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_SUBMIT), 1);
}
END_TEST

START_TEST(wrongly_presumed_addresses_are_put_right)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, 0);
    submission.pushbuf.reloc_count = 1;
    submission.relocs[0] = (struct uapi_pushbuf_reloc){
        .at_offset = 64, .flags = UAPI_RELOC_HIGH | UAPI_RELOC_OR, .gart_or = 0x100};
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[16], 0x100 | (uint32_t)(info.offset >> 32));
    dwords[16] = 0;
    ck_assert_int_eq(submit(&submission), 0); /* now they were presumed rightly */
    ck_assert_uint_eq(dwords[16], 0);
}
END_TEST

/* As when a query is begun again: the replay could wait for ever for a value that is gone. */
START_TEST(a_completion_that_the_program_overwrote_is_not_seen_any_more)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_eq(submit(&submission), 0);
    dwords[0x200] = 0;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->b, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->c, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->b, info.offset + 0x800);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->c, 7);
}
END_TEST

/* A query's counter of 64 bits is written, but no program learns from it that work is done. */
START_TEST(a_counter_is_no_completion_that_the_program_has_seen)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;
    uint64_t bytes;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_eq(submit(&submission), 0);
    bytes = put_fence(dwords, info.offset + 0x900, 8);
    dwords[bytes / 4 - 1] = 0x09005002; /* primitives generated */
    dwords[0x240] = 99;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x240], 0);
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->a, info.offset + 0x900);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->b, 16);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->b, info.offset + 0x800);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->c, 7);
}
END_TEST

START_TEST(a_completion_that_lies_nowhere_is_noted)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(object_map(&info), 0x5000, 7));
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_GPU_WRITE), 0);
    ck_assert_ptr_nonnull(strstr(record_at(TRACE_MARK, 0)->text, "0x5000"));
}
END_TEST

START_TEST(a_full_disk_stops_recording_and_not_the_answers)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_ge(dup2(open("/dev/full", O_WRONLY), trace_fd), 0);
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert(out.failed);
    ck_assert_ptr_nonnull(strstr(out.error.text, strerror(ENOSPC)));
    ck_assert_uint_eq(dwords[0x200], 7);
}
END_TEST

static TCase *submission_cases(void)
{
    TCase *cases = tcase_create("submissions");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_submission_records_memory_pushes_and_completion_in_this_order);
    tcase_add_test(cases, channels_do_not_share_the_parser);
    tcase_add_test(cases, two_pushes_make_one_stream);
    tcase_add_test(cases, a_submission_without_pushes_is_recorded);
    tcase_add_loop_test(cases, a_spoiled_submission_is_refused_and_changes_nothing, 0,
                        sizeof spoiled / sizeof spoiled[0]);
    tcase_add_test(cases, wrongly_presumed_addresses_are_put_right);
    tcase_add_test(cases, a_completion_that_the_program_overwrote_is_not_seen_any_more);
    tcase_add_test(cases, a_counter_is_no_completion_that_the_program_has_seen);
    tcase_add_test(cases, a_completion_that_lies_nowhere_is_noted);
    tcase_add_test(cases, a_full_disk_stops_recording_and_not_the_answers);
    return cases;
}

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
    suite_add_tcase(suite, submission_cases());
    return suite;
}
