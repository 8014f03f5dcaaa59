/* SPDX-License-Identifier: MIT */
/*
 * The calls of KFD's node and of amdgpu's render nodes: each refusal, and what stands in the trace
 * of those that are taken.  Limits and errors are those of Linux's kfd_chardev.c, kfd_events.c and
 * kfd_ioctl.h, answers of the render node those of amdgpu_drv.c and amdgpu_kms.c.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "tests/check_kfd.h"
#include "tests/suites.h"
#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_drm_uapi.h"

enum { TILE_MODES = 32, TILE_MACRO_MODES = 16 };
#define NOWHERE ((uint64_t)8) /* an address that no process has */

static void setup(void)
{
    check_kfd_begin("radeon-vii,mi50");
}

static void is_in_trace(const char *words)
{
    if (!check_kfd.text)
        check_kfd_end();
    ck_assert_msg(strstr(check_kfd.text, words) != NULL, "'%s' is not in\n%s", words,
                  check_kfd.text);
}

/* ---- what there is --------------------------------------------------------------------------- */

/* kfd_ioctl_get_tile_config() gives no more rows than were asked for, and no more than there are.
 */
START_TEST(tile_modes_are_all_zero)
{
    uint32_t tiles[TILE_MODES + 1], macros[TILE_MACRO_MODES + 1];
    struct kfd_tile_config config = {.tile_pointer = (uintptr_t)tiles,
                                     .macro_pointer = (uintptr_t)macros,
                                     .tile_count = TILE_MODES + 1,
                                     .macro_count = TILE_MACRO_MODES + 1,
                                     .gpu_id = record_kfd_gpu_id(1),
                                     .bank_count = 9,
                                     .rank_count = 9};

    memset(tiles, 0xff, sizeof tiles);
    memset(macros, 0xff, sizeof macros);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_TILE_CONFIG, &config), 0);
    ck_assert_uint_eq(config.tile_count, TILE_MODES);
    ck_assert_uint_eq(config.macro_count, TILE_MACRO_MODES);
    ck_assert_uint_eq(config.bank_count + config.rank_count, 0);
    ck_assert_uint_eq(config.gb_addr_config, record_kfd_board_find("mi50")->gb_addr_config);
    ck_assert(tiles[TILE_MODES - 1] == 0 && tiles[TILE_MODES] == UINT32_MAX);
    ck_assert(macros[TILE_MACRO_MODES - 1] == 0 && macros[TILE_MACRO_MODES] == UINT32_MAX);
    config.tile_count = 3;
    config.macro_count = 0;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_TILE_CONFIG, &config), 0);
    ck_assert_uint_eq(config.tile_count, 3);
    ck_assert_uint_eq(config.macro_count, 0);
    config.tile_pointer = NOWHERE;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_TILE_CONFIG, &config), -EFAULT);
    config.tile_pointer = (uintptr_t)tiles;
    config.macro_pointer = NOWHERE;
    config.macro_count = 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_TILE_CONFIG, &config), -EFAULT);
    config.gpu_id = 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_TILE_CONFIG, &config), -EINVAL);
}
END_TEST

/* "For a query of the number, call with num_of_nodes 0" (kfd_ioctl.h). */
START_TEST(apertures_are_counted_and_given)
{
    struct kfd_aperture rows[3] = {{0}};
    struct kfd_get_apertures_new get = {.pointer = (uintptr_t)rows};
    struct kfd_get_apertures old = {.count = 0};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES_NEW, &get), 0);
    ck_assert_uint_eq(get.count, 2);
    get.count = 3;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES_NEW, &get), 0);
    ck_assert_uint_eq(get.count, 2);
    ck_assert_uint_eq(rows[1].gpu_id, record_kfd_gpu_id(1));
    ck_assert_uint_eq(rows[2].gpu_id, 0);
    ck_assert_uint_eq(rows[0].lds_limit - rows[0].lds_base, UINT32_MAX);
    ck_assert_uint_eq(rows[0].gpuvm_limit, (1ull << 47) - 1);
    memset(rows, 0, sizeof rows);
    get.count = 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES_NEW, &get), 0);
    ck_assert_uint_eq(get.count, 1);
    ck_assert_uint_eq(rows[1].gpu_id, 0);
    get.pointer = NOWHERE;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES_NEW, &get), -EFAULT);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES, &old), 0);
    ck_assert_uint_eq(old.count, 2);
    ck_assert_uint_eq(old.apertures[0].gpu_id, record_kfd_gpu_id(0));
    ck_assert_uint_eq(old.apertures[1].scratch_base, rows[0].scratch_base);
}
END_TEST

/* "NUM_OF_SUPPORTED_GPUS 7": the older call has no room for an eighth. */
START_TEST(the_older_call_has_seven_apertures)
{
    struct kfd_get_apertures old = {.count = 0};

    check_kfd_free();
    check_kfd_begin("mi50,mi50,mi50,mi50,mi50,mi50,mi50,mi50");
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_APERTURES, &old), 0);
    ck_assert_uint_eq(old.count, KFD_APERTURES_MAX);
    ck_assert_uint_eq(old.apertures[6].gpu_id, record_kfd_gpu_id(6));
}
END_TEST

START_TEST(clocks_run_and_a_gpu_that_is_not_there_has_none)
{
    struct kfd_clock_counters first = {.gpu_id = record_kfd_gpu_id(1)}, second = first;
    struct kfd_clock_counters none = {.gpu_id = 1, .gpu = 5};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_CLOCK_COUNTERS, &first), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_CLOCK_COUNTERS, &second), 0);
    ck_assert_uint_gt(first.gpu, 0);
    ck_assert_uint_ge(second.gpu, first.gpu);
    ck_assert_uint_gt(second.cpu, first.cpu);
    ck_assert_uint_gt(second.system, first.system);
    ck_assert_uint_eq(first.system_hz, 1000000000);
    /* The counter of the reference clock is as many kHz as the board says. */
    ck_assert_uint_eq(first.gpu / record_kfd_board_find("mi50")->counter_khz, first.cpu / 1000000);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_CLOCK_COUNTERS, &none), 0);
    ck_assert_uint_eq(none.gpu, 0);
}
END_TEST

START_TEST(xnack_cannot_be_turned_on)
{
    struct kfd_xnack_mode mode = {.mode = 1};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_XNACK_MODE, &mode), -EPERM);
    mode.mode = -1; /* a question */
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_XNACK_MODE, &mode), 0);
    ck_assert_int_eq(mode.mode, 0);
}
END_TEST

START_TEST(calls_without_an_effect_are_taken)
{
    static const unsigned nrs[] = {KFD_SET_MEMORY_POLICY, KFD_SET_SCRATCH_VA, KFD_SET_TRAP_HANDLER,
                                   KFD_ACQUIRE_VM};
    uint8_t argument[32] = {0};

    for (size_t i = 0; i < sizeof nrs / sizeof nrs[0]; i++)
        ck_assert_int_eq(CHECK_KFD_CALL(nrs[i], &argument), 0);
}
END_TEST

/* An argument that is longer than any of KFD's is another driver's; one that cannot be written
 * ends with EFAULT though the call was carried out, as kfd_ioctl() does. */
START_TEST(arguments_have_a_length_and_a_place)
{
    static uint8_t argument[1024];
    struct kfd_get_version *version =
        mmap(NULL, CHECK_KFD_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const struct record_caller who = check_kfd_caller();

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_VERSION, &argument), -EINVAL);
    is_in_trace("KFD ioctl 0x1 is not modelled: refused");
    ck_assert_ptr_ne(version, MAP_FAILED);
    ck_assert_int_eq(record_kfd_ioctl(check_kfd.kfd, &who,
                                      _IOC(_IOC_READ, KFD_TYPE, KFD_GET_VERSION, sizeof *version),
                                      (uintptr_t)version, &check_kfd.wait),
                     -EFAULT);
    ck_assert_int_eq(record_kfd_ioctl(check_kfd.kfd, &who,
                                      _IOC(_IOC_WRITE, KFD_TYPE, KFD_GET_VERSION, sizeof *version),
                                      (uintptr_t)version, &check_kfd.wait),
                     0);
    ck_assert_uint_eq(version->major, 0); /* nothing was asked back */
    munmap(version, CHECK_KFD_PAGE);
}
END_TEST

/* PCI's vendor 0x1002 and the device, in one number. */
START_TEST(the_trace_tells_each_gpu)
{
    struct kfd_get_version version;
    char words[2][64];

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_VERSION, &version), 0);
    for (unsigned i = 0; i < 2; i++)
        snprintf(words[i], sizeof words[i], "pci_id=0x1002%04x",
                 (unsigned)record_kfd_board_find(i == 0 ? "radeon-vii" : "mi50")->pci_device);
    is_in_trace(words[0]);
    is_in_trace(words[1]);
    ck_assert_ptr_nonnull(strstr(check_kfd.text, "layer=RING"));
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

static int alloc(uint32_t flags, uint64_t bytes, uint32_t gpu_id, struct kfd_alloc_memory *made)
{
    *made = (struct kfd_alloc_memory){
        .va = CHECK_KFD_VA + (1ull << 40), .bytes = bytes, .gpu_id = gpu_id, .flags = flags};
    return CHECK_KFD_CALL(KFD_ALLOC_MEMORY, made);
}

static int map_on(unsigned nr, uint64_t handle, const uint32_t *gpus, uint32_t count)
{
    struct kfd_map_memory map = {
        .handle = handle, .gpus_pointer = (uintptr_t)gpus, .gpu_count = count, .success_count = 99};
    const int result = CHECK_KFD_CALL(nr, &map);

    ck_assert_uint_eq(map.success_count, result == 0 ? count : 99);
    return result;
}

START_TEST(memory_is_refused_as_the_kernel_does)
{
    const uint32_t gpu = record_kfd_gpu_id(0), other = 1;
    const uint32_t many[RECORD_KFD_GPUS_MAX + 1] = {gpu};
    struct kfd_alloc_memory made;

    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 4096, 1, &made), -EINVAL);
    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 0, gpu, &made), -EINVAL);
    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, (1ull << 45) + 1, gpu, &made), -EINVAL);
    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 1ull << 45, gpu, &made), -ENOMEM);
    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 4096, gpu, &made), 0);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, 12345, &gpu, 1), -EINVAL);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, &gpu, 0), -EINVAL);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, many, RECORD_KFD_GPUS_MAX + 1), -EINVAL);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, &other, 1), -EINVAL);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, (const uint32_t *)NOWHERE, 1), -EFAULT);
    ck_assert_int_eq(map_on(KFD_UNMAP_MEMORY, 12345, &gpu, 1), -EINVAL);
    ck_assert_int_eq(map_on(KFD_UNMAP_MEMORY, made.handle, &other, 1), -EINVAL);
}
END_TEST

/* An object is in the address space while one GPU has it. */
START_TEST(an_object_goes_with_its_last_gpu)
{
    const uint32_t both[] = {record_kfd_gpu_id(0), record_kfd_gpu_id(1)};
    struct kfd_alloc_memory made;
    struct kfd_free_memory release;
    uint64_t there;

    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 4097, both[0], &made), 0);
    ck_assert_ptr_null(record_kfd_object_at(check_kfd.kfd, made.va, &there));
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, both, 2), 0);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, both, 1), 0);
    ck_assert_int_eq(map_on(KFD_UNMAP_MEMORY, made.handle, both, 1), 0);
    ck_assert_ptr_nonnull(record_kfd_object_at(check_kfd.kfd, made.va + 8191, &there));
    ck_assert_uint_eq(there, 1); /* whole pages */
    ck_assert_ptr_null(record_kfd_object_at(check_kfd.kfd, made.va + 8192, &there));
    ck_assert_int_eq(map_on(KFD_UNMAP_MEMORY, made.handle, &both[1], 1), 0);
    ck_assert_ptr_null(record_kfd_object_at(check_kfd.kfd, made.va, &there));
    ck_assert_int_eq(map_on(KFD_UNMAP_MEMORY, made.handle, &both[1], 1), 0);
    ck_assert_int_eq(map_on(KFD_MAP_MEMORY, made.handle, both, 2), 0);
    release.handle = made.handle;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_FREE_MEMORY, &release), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_FREE_MEMORY, &release), -EINVAL);
    is_in_trace("size_bytes=8192");
}
END_TEST

START_TEST(free_video_memory_is_what_is_not_taken)
{
    struct kfd_available_memory free_bytes = {.gpu_id = record_kfd_gpu_id(1)};
    struct kfd_alloc_memory made;
    uint64_t all;

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_AVAILABLE_MEMORY, &free_bytes), 0);
    all = free_bytes.bytes;
    ck_assert_uint_eq(all, (uint64_t)record_kfd_board_find("mi50")->vram_mib << 20);
    ck_assert_int_eq(alloc(KFD_MEMORY_VRAM, 1, record_kfd_gpu_id(1), &made), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_AVAILABLE_MEMORY, &free_bytes), 0);
    ck_assert_uint_eq(free_bytes.bytes, all - 4096);
    ck_assert_int_eq(alloc(KFD_MEMORY_VRAM, all - 4095, record_kfd_gpu_id(1), &made), -ENOMEM);
    ck_assert_int_eq(alloc(KFD_MEMORY_VRAM, all - 4096, record_kfd_gpu_id(1), &made), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_AVAILABLE_MEMORY, &free_bytes), 0);
    ck_assert_uint_eq(free_bytes.bytes, 0);
    free_bytes.gpu_id = 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_AVAILABLE_MEMORY, &free_bytes), -EINVAL);
}
END_TEST

/* The doorbells as an object: what its offset maps is the page that rings. */
START_TEST(doorbells_are_an_object_too)
{
    const uint32_t gpu = record_kfd_gpu_id(1);
    struct kfd_alloc_memory made;
    struct kfd_free_memory release;
    struct record_kfd_mapping mapping;

    ck_assert_int_eq(alloc(KFD_MEMORY_DOORBELL, 8192, gpu, &made), 0);
    ck_assert_uint_eq(made.mmap_offset,
                      KFD_MMAP_TYPE_DOORBELL | (uint64_t)gpu << KFD_MMAP_GPU_SHIFT);
    ck_assert(record_kfd_map(check_kfd.kfd, made.mmap_offset, 8192, &mapping));
    ck_assert(mapping.is_doorbells);
    ck_assert_uint_eq(mapping.gpu, 1);
    ck_assert(!record_kfd_map(check_kfd.kfd, made.mmap_offset, 8193, &mapping));
    ck_assert(!record_kfd_map(
        check_kfd.kfd, KFD_MMAP_TYPE_DOORBELL | UINT64_C(1) << KFD_MMAP_GPU_SHIFT, 8192, &mapping));
    release.handle = made.handle;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_FREE_MEMORY, &release), 0);
    ck_assert(record_kfd_map(check_kfd.kfd, made.mmap_offset, 8192, &mapping)); /* they stay */
}
END_TEST

START_TEST(only_what_there_is_can_be_mapped)
{
    struct kfd_alloc_memory made;
    struct record_kfd_mapping mapping;

    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, 8192, record_kfd_gpu_id(0), &made), 0);
    ck_assert(record_kfd_map(check_kfd.kfd, made.mmap_offset, 8192, &mapping));
    ck_assert(!mapping.is_doorbells);
    ck_assert_int_eq((int64_t)mapping.offset, (int64_t)made.mmap_offset);
    ck_assert(!record_kfd_map(check_kfd.kfd, made.mmap_offset, 1 << 20, &mapping));
    ck_assert(!record_kfd_map(check_kfd.kfd, made.mmap_offset + (1 << 20), 4096, &mapping));
}
END_TEST

/* ---- queues ---------------------------------------------------------------------------------- */

static struct kfd_create_queue queue_ask(void)
{
    return (struct kfd_create_queue){.ring_address = CHECK_KFD_VA,
                                     .ring_bytes = CHECK_KFD_PAGE,
                                     .write_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 56,
                                     .read_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 128,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .type = KFD_QUEUE_AQL,
                                     .percentage = 100,
                                     .priority = 15};
}

/* KFD_MAX_QUEUE_PERCENTAGE 100, KFD_MAX_QUEUE_PRIORITY 15; a ring is a power of two. */
START_TEST(a_queue_is_refused_at_each_limit)
{
    struct kfd_create_queue create = queue_ask();

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    create.priority = 16;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create = queue_ask();
    create.percentage = 101;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create = queue_ask();
    create.ring_bytes = 32;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create.ring_bytes = 1u << 31;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create.ring_bytes = 4096 + 64;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create = queue_ask();
    create.type = KFD_QUEUE_SDMA_XGMI + 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    create.type = KFD_QUEUE_PM4;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    is_in_trace("a compute queue without AQL is not modelled");
}
END_TEST

START_TEST(the_trace_has_all_of_a_queue)
{
    struct kfd_create_queue create = queue_ask();

    create.eop_address = 0x11000;
    create.eop_bytes = 4096;
    create.save_address = 0x22000;
    create.save_bytes = 8192;
    create.control_stack_bytes = 4096;
    create.type = KFD_QUEUE_SDMA_XGMI;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    is_in_trace("what=SDMA");
    is_in_trace("ring_address=0x7f0000000000");
    is_in_trace("ring_bytes=4096");
    is_in_trace("write_address=0x7f0000001038");
    is_in_trace("read_address=0x7f0000001080");
    is_in_trace("priority=15");
    is_in_trace("percentage=100");
    is_in_trace("eop_address=0x11000");
    is_in_trace("save_address=0x22000");
    is_in_trace("save_bytes=8192");
}
END_TEST

/* A process has 1,024 doorbells of 8 bytes (kfd_doorbell.c), and so many queues; one that ended
 * makes room. */
START_TEST(a_process_has_as_many_queues_as_doorbells)
{
    struct kfd_create_queue create = queue_ask();
    struct kfd_destroy_queue end = {0, 0};

    for (unsigned i = 0; i < RECORD_KFD_DOORBELLS; i++)
        ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    ck_assert_uint_eq(create.doorbell_offset & 0x1fff, 8184);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -ENOMEM);
    create.gpu_id = record_kfd_gpu_id(1); /* its doorbells are free, but queues are not */
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -ENOMEM);
    end.queue_id = 7;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_DESTROY_QUEUE, &end), 0);
    create.gpu_id = record_kfd_gpu_id(0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    ck_assert_uint_eq(create.doorbell_offset & 0x1fff, 7 * 8);
}
END_TEST

START_TEST(a_queue_is_updated_masked_and_ended)
{
    static const uint32_t mask[33] = {0xffff, 1};
    struct kfd_create_queue create = queue_ask();
    struct kfd_update_queue update = {
        .ring_address = CHECK_KFD_VA + 2048, .ring_bytes = 2048, .percentage = 50, .priority = 3};
    struct kfd_set_cu_mask set = {.bit_count = 64, .mask_pointer = (uintptr_t)mask};
    struct kfd_queue_gws gws = {.count = 64, .first = 9};

    gws.queue_id = 77;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_QUEUE_GWS, &gws), -EINVAL);
    ck_assert(!record_kfd_has_queues(check_kfd.kfd));
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), 0);
    ck_assert(record_kfd_has_queues(check_kfd.kfd));
    update.queue_id = set.queue_id = gws.queue_id = create.queue_id;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), 0);
    update.percentage = 101;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), -EINVAL);
    update.percentage = 100;
    update.priority = 16;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), -EINVAL);
    update.priority = 0;
    update.queue_id++;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), -EINVAL);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), 0);
    set.bit_count = 33; /* "CU mask must be a multiple of 32 bits" */
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), -EINVAL);
    set.bit_count = 0;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), -EINVAL);
    set.bit_count = 1024 + 32;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), -EINVAL);
    set.bit_count = 32;
    set.mask_pointer = NOWHERE;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), -EFAULT);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_QUEUE_GWS, &gws), 0);
    ck_assert_uint_eq(gws.first, 0);
    is_in_trace("bit_count=64 mask=8 bytes ffff0000 01000000");
    is_in_trace("percentage=50");
    is_in_trace("queue 0: 64 GWS");
}
END_TEST

/* What is no doorbell of a queue rings none. */
START_TEST(stores_beside_a_doorbell_ring_nothing)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const struct record_caller who = check_kfd_caller();
    uint8_t *page = (uint8_t *)check_kfd.doorbells;
    size_t bytes = 0;

    ck_assert_uint_eq(queue.doorbell_offset & 0x1fff, 0);
    ck_assert(record_kfd_is_doorbell(check_kfd.kfd, page + 8191));
    ck_assert(!record_kfd_is_doorbell(check_kfd.kfd, page + 8192));
    record_kfd_ring(check_kfd.kfd, &who, page + 8192, 1, 8);
    record_kfd_ring(check_kfd.kfd, &who, page + 8188, 1, 8); /* over the end */
    record_kfd_ring(check_kfd.kfd, &who, page + 4, 1, 4);    /* the upper half */
    record_kfd_ring(check_kfd.kfd, &who, page + 16, 1, 8);   /* no queue has it */
    ck_assert_ptr_null(record_kfd_poll(check_kfd.kfd, &who, page + 8192, &bytes));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    check_kfd_end();
    ck_assert_ptr_null(strstr(check_kfd.text, " DOORBELL "));
    is_in_trace("a doorbell of no queue was rung: 0x4");
    is_in_trace("a doorbell of no queue was rung: 0x10");
}
END_TEST

static void barrier_put(unsigned slot, uint32_t signal)
{
    const uint32_t at = CHECK_KFD_RING + slot * 64;

    memset(check_kfd.memory + at, 0, 64);
    check_kfd_set(at + 56, CHECK_KFD_VA + signal);
    check_kfd.memory[at] = 3; /* barrier-and */
}

/* A page whose stores are not caught is looked at; then the write index says what there is. */
START_TEST(a_page_that_is_not_caught_is_polled)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const struct record_caller who = check_kfd_caller();
    size_t bytes = 0;

    ck_assert_ptr_eq(record_kfd_poll(check_kfd.kfd, &who, check_kfd.doorbells, &bytes),
                     check_kfd.doorbells);
    ck_assert_uint_eq(bytes, 2 * CHECK_KFD_PAGE);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    check_kfd_set(CHECK_KFD_SIGNALS + 8, 2);
    barrier_put(0, CHECK_KFD_SIGNALS);
    barrier_put(1, CHECK_KFD_SIGNALS);
    check_kfd_set(CHECK_KFD_INDICES + 56, 2);
    ck_assert_int_eq(mprotect(check_kfd.doorbells, 2 * CHECK_KFD_PAGE, PROT_READ), 0);
    check_kfd.kfd->gpus[0].doorbells[(queue.doorbell_offset & 0x1fff) / 8] = 0;
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_SIGNALS + 8), 0);
    is_in_trace("a store to a doorbell was of no known form: values may be missing");
    record_kfd_doorbells_at(check_kfd.kfd, 0, NULL, 4096, true);
    ck_assert(!record_kfd_is_doorbell(check_kfd.kfd, check_kfd.doorbells));
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

static uint32_t event(uint32_t type, bool auto_reset)
{
    struct kfd_create_event create = {.type = type, .auto_reset = auto_reset};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    return create.event_id;
}

static int event_do(unsigned nr, uint32_t event_id)
{
    struct kfd_event_number which = {.event_id = event_id};

    return CHECK_KFD_CALL(nr, &which);
}

static int wait_for(struct kfd_event_data *events, uint32_t count, bool all, uint32_t timeout_ms,
                    uint32_t *result)
{
    struct kfd_wait_events wait = {.pointer = (uintptr_t)events,
                                   .count = count,
                                   .all = all,
                                   .timeout_ms = timeout_ms,
                                   .result = 99};
    const int code = CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait);

    *result = wait.result;
    return code;
}

/* kfd_events.c: KFD_SIGNAL_EVENT_LIMIT 4096 slots, of which 0 is none. */
START_TEST(events_have_an_end)
{
    struct kfd_create_event create = {.type = 0};

    for (uint32_t i = 1; i < KFD_EVENTS_MAX; i++)
        ck_assert_uint_eq(event(0, false), i);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), -ENOSPC);
    ck_assert_int_eq(event_do(KFD_DESTROY_EVENT, 77), 0);
    ck_assert_int_eq(event_do(KFD_DESTROY_EVENT, 77), -EINVAL);
    ck_assert_int_eq(event_do(KFD_SET_EVENT, KFD_EVENTS_MAX), -EINVAL);
    ck_assert_uint_eq(event(0, false), 77);
}
END_TEST

START_TEST(a_page_of_mailboxes_has_to_be_there)
{
    struct kfd_create_event create = {.page_offset = 12345};
    struct kfd_alloc_memory page;

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), -EINVAL);
    ck_assert_int_eq(alloc(KFD_MEMORY_GTT, KFD_EVENTS_MAX * 8 - 4096, record_kfd_gpu_id(0), &page),
                     0);
    create.page_offset = page.handle;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), -EINVAL);
}
END_TEST

START_TEST(all_events_or_any_are_waited_for)
{
    struct kfd_event_data both[2] = {{.event_id = event(0, true)}, {.event_id = event(0, false)}};
    uint32_t result;

    ck_assert_int_eq(event_do(KFD_SET_EVENT, both[0].event_id), 0);
    ck_assert_int_eq(wait_for(both, 2, true, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_TIMEOUT);
    ck_assert_int_eq(wait_for(both, 2, false, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_COMPLETE);
    ck_assert_int_eq(wait_for(both, 2, false, 0, &result), 0); /* it has reset itself */
    ck_assert_uint_eq(result, KFD_WAIT_TIMEOUT);
    ck_assert_int_eq(event_do(KFD_SET_EVENT, both[0].event_id), 0);
    ck_assert_int_eq(event_do(KFD_SET_EVENT, both[1].event_id), 0);
    ck_assert_int_eq(wait_for(both, 2, true, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_COMPLETE);
    ck_assert_int_eq(event_do(KFD_RESET_EVENT, both[1].event_id), 0);
    ck_assert_int_eq(wait_for(both, 2, false, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_TIMEOUT);
    ck_assert_int_eq(wait_for(both, 0, false, 0, &result), -EINVAL);
    ck_assert_int_eq(wait_for(both, KFD_EVENTS_MAX + 1, false, 0, &result), -EINVAL);
    is_in_trace("timed_out=1");
}
END_TEST

/* The time of a wait counts from its begin. */
START_TEST(a_wait_has_an_end)
{
    struct kfd_event_data data = {.event_id = event(0, true)};
    uint32_t result;

    ck_assert_int_eq(wait_for(&data, 1, false, 5, &result), RECORD_KFD_AGAIN);
    ck_assert_uint_eq(check_kfd.wait.deadline_ns % 1000000000, check_kfd.wait.deadline_ns);
    ck_assert_uint_ge(check_kfd.wait.deadline_ns, 5000000);
    ck_assert_uint_lt(check_kfd.wait.deadline_ns, 6000000);
    /* kfd_wait_on_events(): of an event that was ended meanwhile the result is FAIL, and EIO. */
    ck_assert_int_eq(event_do(KFD_DESTROY_EVENT, data.event_id), 0);
    ck_assert_int_eq(wait_for(&data, 1, false, 5, &result), -EIO);
    ck_assert_uint_eq(result, KFD_WAIT_FAIL);
    ck_assert(!check_kfd.wait.waits);
    ck_assert_int_eq(wait_for(&data, 1, false, 5, &result), -EINVAL); /* there is none */
    ck_assert_uint_eq(result, KFD_WAIT_FAIL);
}
END_TEST

/* kfd_hsa_memory_exception_data (kfd_ioctl.h) comes to whoever waits for an event of type 8. */
START_TEST(an_exception_sets_all_events_of_its_type)
{
    const union record_kfd_exception_data fault = {
        .memory = {.not_present = 1, .va = 0x123456000, .gpu_id = 4711, .error_type = 3}};
    struct kfd_event_data data = {.event_id = event(RECORD_KFD_MEMORY_EXCEPTION, false)};
    const uint32_t second = event(RECORD_KFD_MEMORY_EXCEPTION, false), ended = event(8, false);
    struct kfd_event_data other = {.event_id = event(RECORD_KFD_HW_EXCEPTION, false)};
    const uint32_t before = *record_kfd_event_word(check_kfd.kfd);
    uint32_t result;
    uint64_t va;

    ck_assert_int_eq(event_do(KFD_DESTROY_EVENT, ended), 0);
    ck_assert_uint_eq(record_kfd_event_except(check_kfd.kfd, RECORD_KFD_MEMORY_EXCEPTION, &fault),
                      2);
    ck_assert_uint_gt(*record_kfd_event_word(check_kfd.kfd), before);
    ck_assert_uint_eq(record_kfd_event_except(check_kfd.kfd, 99, &fault), 0);
    ck_assert_int_eq(wait_for(&data, 1, true, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_COMPLETE);
    ck_assert_uint_eq(data.reserved[0] & UINT32_MAX, 1); /* NotPresent */
    memcpy(&va, &data.reserved[2], sizeof va);
    ck_assert_uint_eq(va, 0x123456000);
    ck_assert_uint_eq(data.reserved[3], 3ull << 32 | 4711);
    data.event_id = second;
    ck_assert_int_eq(wait_for(&data, 1, true, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_COMPLETE);
    ck_assert_int_eq(wait_for(&other, 1, true, 0, &result), 0);
    ck_assert_uint_eq(result, KFD_WAIT_TIMEOUT);
    ck_assert_uint_eq(other.reserved[0], 0);
}
END_TEST

/* What a real driver's events and waits leave in the trace. */
START_TEST(events_of_a_real_driver_are_told)
{
    const struct record_caller who = check_kfd_caller();
    const struct kfd_create_event made = {.event_id = 9, .type = 5},
                                  beyond = {.event_id = KFD_EVENTS_MAX};
    struct kfd_event_data data = {.event_id = 9};
    struct kfd_wait_events wait = {.pointer = (uintptr_t)&data, .count = 1, .timeout_ms = 4};

    record_kfd_event_enter(check_kfd.kfd, &who, &made);
    record_kfd_event_enter(check_kfd.kfd, &who, &beyond);
    record_kfd_wait_told(check_kfd.kfd, &who, &wait);
    wait.pointer = NOWHERE;
    record_kfd_wait_told(check_kfd.kfd, &who, &wait);
    wait.count = 0;
    record_kfd_wait_told(check_kfd.kfd, &who, &wait);
    wait.count = KFD_EVENTS_MAX + 1;
    record_kfd_wait_told(check_kfd.kfd, &who, &wait);
    is_in_trace("what=CREATE event_id=9");
    is_in_trace("timeout_ms=4");
    ck_assert_ptr_null(strstr(strstr(check_kfd.text, "EVENT_WAIT ") + 1, "EVENT_WAIT "));
    ck_assert_ptr_null(strstr(check_kfd.text, "event_id=4096"));
}
END_TEST

/* ---- values that are told once --------------------------------------------------------------- */

/* Two addresses that share a place in the table, and more than its first size. */
START_TEST(what_was_told_is_found_again)
{
    enum { VALUES = 3000 };
    uint64_t value = 0;

    ck_assert(!record_kfd_told_find(check_kfd.kfd, CHECK_KFD_VA, &value));
    for (uint64_t i = 0; i < VALUES; i++)
        record_kfd_told_value(check_kfd.kfd, CHECK_KFD_VA + 8 * i, i * i);
    for (uint64_t i = 0; i < VALUES; i++) {
        ck_assert(record_kfd_told_find(check_kfd.kfd, CHECK_KFD_VA + 8 * i, &value));
        ck_assert_uint_eq(value, i * i);
    }
    ck_assert(!record_kfd_told_find(check_kfd.kfd, CHECK_KFD_VA + 8 * VALUES, &value));
}
END_TEST

/* ---- the render node ------------------------------------------------------------------------- */

static int drm(unsigned nr, void *argument, size_t bytes)
{
    const struct record_caller who = check_kfd_caller();

    return record_kfd_drm(check_kfd.kfd, &who, 1, _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, bytes),
                          (uintptr_t)argument);
}
#define DRM(nr, argument) drm((nr), (argument), sizeof *(argument))

/* drm_ioctl.c, drm_copy_field(): what fits is copied, and the length is that of the whole. */
START_TEST(the_render_node_tells_its_version)
{
    char name[4] = "....", date[20] = "";
    struct uapi_version version = {.name = (uintptr_t)name,
                                   .name_bytes = 3,
                                   .date = (uintptr_t)date,
                                   .date_bytes = sizeof date};

    ck_assert_int_eq(DRM(AMDGPU_VERSION, &version), 0);
    ck_assert_int_eq(version.major, 3);
    ck_assert_uint_eq(version.name_bytes, 6);
    ck_assert_int_eq(memcmp(name, "amd.", 4), 0);
    ck_assert_str_eq(date, "20150101");
    ck_assert_uint_eq(version.text_bytes, 7); /* "AMD GPU", which had no place */
    version.name = NOWHERE;
    ck_assert_int_eq(DRM(AMDGPU_VERSION, &version), -EFAULT);
    version.name = 0;
    version.date = NOWHERE;
    ck_assert_int_eq(DRM(AMDGPU_VERSION, &version), -EFAULT);
    version.date = 0;
    version.text = NOWHERE;
    ck_assert_int_eq(DRM(AMDGPU_VERSION, &version), -EFAULT);
    ck_assert_int_eq(drm(AMDGPU_VERSION, &version, sizeof version - 8), -EFAULT);
    ck_assert_int_eq(drm(AMDGPU_VERSION, (void *)NOWHERE, sizeof version), -EFAULT);
}
END_TEST

START_TEST(the_render_node_has_no_capabilities)
{
    struct uapi_get_cap cap = {.capability = 1, .value = 5};

    ck_assert_int_eq(DRM(AMDGPU_GET_CAP, &cap), 0);
    ck_assert_uint_eq(cap.value, 0);
    ck_assert_int_eq(drm(AMDGPU_GET_CAP, (void *)NOWHERE, sizeof cap), -EFAULT);
    ck_assert_int_eq(drm(AMDGPU_GET_CAP, &cap, 4), -EFAULT);
    ck_assert_int_eq(DRM(0x40, &cap), -EINVAL); /* nothing is submitted there */
}
END_TEST

/* A page that can be read alone: what the driver wrote there first was no error, then it is. */
START_TEST(answers_that_cannot_be_written_are_faults)
{
    uint8_t *page = mmap(NULL, CHECK_KFD_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(page, MAP_FAILED);
    ck_assert_int_eq(drm(AMDGPU_VERSION, page, sizeof(struct uapi_version)), -EFAULT);
    ck_assert_int_eq(drm(AMDGPU_GET_CAP, page, sizeof(struct uapi_get_cap)), -EFAULT);
    munmap(page, CHECK_KFD_PAGE);
}
END_TEST

START_TEST(the_render_node_describes_its_gpu)
{
    const struct record_kfd_board *board = record_kfd_board_find("mi50");
    struct amdgpu_device_info device;
    uint32_t word[2] = {7, 7};
    struct amdgpu_info ask = {
        .pointer = (uintptr_t)word, .bytes = sizeof word[0], .query = AMDGPU_INFO_ACCEL_WORKING};

    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), 0);
    ck_assert(word[0] == 1 && word[1] == 7);
    ask.query = AMDGPU_INFO_READ_MMR;
    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), 0);
    ck_assert(word[0] == 0 && word[1] == 7);
    ask = (struct amdgpu_info){
        .pointer = (uintptr_t)&device, .bytes = sizeof device, .query = AMDGPU_INFO_DEV_INFO};
    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), 0);
    ck_assert_uint_eq(device.device_id, board->pci_device);
    ck_assert_uint_eq(device.cu_count, board->cu_count);
    ck_assert_uint_eq(device.engine_count, board->engine_count);
    ck_assert_uint_eq(device.max_engine_khz, (uint64_t)board->clock_mhz * 1000);
    ck_assert_uint_eq(device.max_memory_khz, (uint64_t)board->memory_clock_mhz * 1000);
    ck_assert_uint_eq(device.wave_size, 64);
    ask.pointer = NOWHERE;
    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), -EFAULT);
    ask.query = 0x7f;
    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), -EINVAL);
    ck_assert_int_eq(DRM(AMDGPU_INFO, &ask), -EINVAL);
    ck_assert_int_eq(drm(AMDGPU_INFO, &ask, 8), -EFAULT);
    ck_assert_int_eq(drm(AMDGPU_INFO, (void *)NOWHERE, sizeof ask), -EFAULT);
    is_in_trace("AMDGPU_INFO 0x7f is not modelled: refused");
    ck_assert_ptr_null(strstr(strstr(check_kfd.text, "AMDGPU_INFO") + 1, "AMDGPU_INFO"));
}
END_TEST

Suite *record_kfd_calls_suite(void)
{
    Suite *suite = suite_create("record_kfd_calls");
    TCase *tcase = tcase_create("calls");

    tcase_add_checked_fixture(tcase, setup, check_kfd_free);
    tcase_add_test(tcase, tile_modes_are_all_zero);
    tcase_add_test(tcase, apertures_are_counted_and_given);
    tcase_add_test(tcase, the_older_call_has_seven_apertures);
    tcase_add_test(tcase, clocks_run_and_a_gpu_that_is_not_there_has_none);
    tcase_add_test(tcase, xnack_cannot_be_turned_on);
    tcase_add_test(tcase, calls_without_an_effect_are_taken);
    tcase_add_test(tcase, arguments_have_a_length_and_a_place);
    tcase_add_test(tcase, the_trace_tells_each_gpu);
    tcase_add_test(tcase, memory_is_refused_as_the_kernel_does);
    tcase_add_test(tcase, an_object_goes_with_its_last_gpu);
    tcase_add_test(tcase, free_video_memory_is_what_is_not_taken);
    tcase_add_test(tcase, doorbells_are_an_object_too);
    tcase_add_test(tcase, only_what_there_is_can_be_mapped);
    tcase_add_test(tcase, a_queue_is_refused_at_each_limit);
    tcase_add_test(tcase, the_trace_has_all_of_a_queue);
    tcase_add_test(tcase, a_process_has_as_many_queues_as_doorbells);
    tcase_add_test(tcase, a_queue_is_updated_masked_and_ended);
    tcase_add_test(tcase, stores_beside_a_doorbell_ring_nothing);
    tcase_add_test(tcase, a_page_that_is_not_caught_is_polled);
    tcase_add_test(tcase, events_have_an_end);
    tcase_add_test(tcase, a_page_of_mailboxes_has_to_be_there);
    tcase_add_test(tcase, all_events_or_any_are_waited_for);
    tcase_add_test(tcase, a_wait_has_an_end);
    tcase_add_test(tcase, an_exception_sets_all_events_of_its_type);
    tcase_add_test(tcase, events_of_a_real_driver_are_told);
    tcase_add_test(tcase, what_was_told_is_found_again);
    tcase_add_test(tcase, the_render_node_tells_its_version);
    tcase_add_test(tcase, the_render_node_has_no_capabilities);
    tcase_add_test(tcase, answers_that_cannot_be_written_are_faults);
    tcase_add_test(tcase, the_render_node_describes_its_gpu);
    suite_add_tcase(suite, tcase);
    return suite;
}
