/* SPDX-License-Identifier: MIT */
/*
 * The KFD stand-in with a GPU that is emulated: the emulation is this test, which takes requests,
 * refuses some, and reads and writes the program's memory.  The real one: tests/test_live_kfd.c.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/check_kfd.h"
#include "tests/suites.h"
#include "traces/record/kfd/record_kfd_private.h"

enum { TOOK_NS = 1234, CLOCK = 777 };

/* What the emulation was told, and what it is to answer. */
static struct {
    unsigned acted[256], flushed, last_flushed, ran;
    int result;
    uint64_t now_ns, next_ns;
    bool works, waits;
} gpu;

static int gpu_act(void *live, uint64_t now_ns, const struct trace_record *record,
                   uint64_t *takes_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.acted[record->head.kind]++;
    gpu.now_ns = now_ns;
    *takes_ns += TOOK_NS;
    return gpu.result;
}

static bool gpu_run(void *live, uint64_t now_ns, uint64_t *next_ns, bool *waits)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    gpu.ran++;
    *next_ns = gpu.next_ns;
    *waits = gpu.waits;
    return gpu.works;
}

static uint64_t gpu_clock(void *live, uint64_t now_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    return CLOCK;
}

static void gpu_flush(void *live, uint64_t now_ns, bool last)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    gpu.flushed++;
    gpu.last_flushed += last;
}

static const struct record_kfd_live_ops ops = {gpu_act, gpu_run, gpu_clock, gpu_flush};

static void setup(void)
{
    const struct record_caller who = {.now_ns = 5};

    memset(&gpu, 0, sizeof gpu);
    check_kfd_begin("radeon-vii");
    record_kfd_live_flush(check_kfd.kfd, &who, true); /* without an emulation: nothing */
    ck_assert_uint_eq(gpu.flushed, 0);
    record_kfd_live(check_kfd.kfd, &ops, &gpu);
}

/* ---- requests -------------------------------------------------------------------------------- */

static struct kfd_create_queue queue_ask(void)
{
    return (struct kfd_create_queue){.ring_address = CHECK_KFD_VA,
                                     .ring_bytes = CHECK_KFD_PAGE,
                                     .write_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 56,
                                     .read_address = CHECK_KFD_VA + CHECK_KFD_INDICES + 128,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .type = KFD_QUEUE_AQL,
                                     .percentage = 100};
}

START_TEST(each_request_goes_to_the_emulation_and_takes_its_time)
{
    struct kfd_create_queue queue = queue_ask();

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), 0);
    ck_assert_uint_eq(gpu.acted[TRACE_QUEUE], 1);
    ck_assert_uint_eq(check_kfd.wait.takes_ns, TOOK_NS);
    check_kfd_ring(&queue, 0);
    ck_assert_uint_eq(gpu.acted[TRACE_DOORBELL], 1);
    ck_assert_uint_eq(gpu.acted[TRACE_PACKET], 0); /* it reads them itself */
    ck_assert(check_kfd.out.failed);               /* nothing is written */
}
END_TEST

/* What the firmware did not do did not happen: amdkfd hands its error to the program. */
START_TEST(what_it_refuses_did_not_happen)
{
    static const uint32_t mask = 1;
    struct kfd_create_queue queue = queue_ask();
    struct kfd_update_queue update = {.ring_bytes = 0, .percentage = 10};
    struct kfd_set_cu_mask set = {.bit_count = 32, .mask_pointer = (uintptr_t)&mask};
    struct kfd_destroy_queue end = {0, 0};
    uint32_t gpu_id = record_kfd_gpu_id(0);
    struct kfd_alloc_memory alloc = {.va = CHECK_KFD_VA + (1ull << 30),
                                     .bytes = CHECK_KFD_PAGE,
                                     .gpu_id = gpu_id,
                                     .flags = KFD_MEMORY_GTT};
    struct kfd_map_memory map = {.gpus_pointer = (uintptr_t)&gpu_id, .gpu_count = 1};
    uint64_t there;

    gpu.result = -ETIME;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), -ETIME);
    ck_assert(!record_kfd_has_queues(check_kfd.kfd));
    gpu.result = 0;
    queue = queue_ask();
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), 0);
    ck_assert_uint_eq(queue.doorbell_offset & 0x1fff, 0); /* the doorbell was given back */
    gpu.result = -ETIME;
    update.queue_id = set.queue_id = end.queue_id = queue.queue_id;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), -ETIME);
    ck_assert_uint_eq(check_kfd.kfd->queues[0].percentage, 100);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &set), -ETIME);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &alloc), 0);
    map.handle = alloc.handle;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_MAP_MEMORY, &map), -ETIME);
    ck_assert_ptr_null(record_kfd_object_at(check_kfd.kfd, alloc.va, &there));
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_DESTROY_QUEUE, &end), -ETIME);
    ck_assert(!record_kfd_has_queues(check_kfd.kfd)); /* it ends all the same */
}
END_TEST

START_TEST(a_round_is_the_emulations)
{
    static const struct {
        bool works, waits;
        uint64_t next_ns;
        enum record_kfd_left left;
    } rows[] = {{true, false, UINT64_MAX, RECORD_KFD_BUSY},
                {false, true, UINT64_MAX, RECORD_KFD_WAITING},
                {false, false, 99, RECORD_KFD_WAITING},
                {false, false, UINT64_MAX, RECORD_KFD_IDLE}};
    struct kfd_create_queue queue = queue_ask();

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct record_caller who = check_kfd_caller();

        gpu.works = rows[i].works;
        gpu.waits = rows[i].waits;
        gpu.next_ns = rows[i].next_ns;
        ck_assert_int_eq(record_kfd_step(check_kfd.kfd, &who), rows[i].left);
        ck_assert_uint_eq(gpu.now_ns, who.now_ns);
        ck_assert_uint_eq(gpu.ran, i + 1);
    }
}
END_TEST

START_TEST(its_clock_and_its_log)
{
    struct kfd_clock_counters counters = {.gpu_id = record_kfd_gpu_id(0)};
    const struct record_caller who = {.now_ns = 4321};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_CLOCK_COUNTERS, &counters), 0);
    ck_assert_uint_eq(counters.gpu, CLOCK);
    record_kfd_live_flush(check_kfd.kfd, &who, false);
    record_kfd_live_flush(check_kfd.kfd, &who, true);
    ck_assert_uint_eq(gpu.now_ns, 4321);
    ck_assert_uint_eq(gpu.flushed, 2);
    ck_assert_uint_eq(gpu.last_flushed, 1);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

/* All lengths and places: words, more than a word, and what goes by way of the kernel. */
START_TEST(memory_is_read_and_written_at_any_place)
{
    static const size_t lengths[] = {1, 2, 4, 7, 8, 16, 256, 257, 1000};
    uint8_t put[1000], got[1000];

    for (size_t i = 0; i < sizeof put; i++)
        put[i] = (uint8_t)(i * 7 + 1);
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
        for (uint64_t at = 0; at < 9; at++) {
            const uint64_t va = CHECK_KFD_VA + CHECK_KFD_DATA + at;

            memset(check_kfd.memory + CHECK_KFD_DATA, 0, 1024);
            ck_assert(record_kfd_live_write(check_kfd.kfd, va, put, lengths[n]));
            ck_assert_mem_eq(check_kfd.memory + CHECK_KFD_DATA + at, put, lengths[n]);
            ck_assert_uint_eq(check_kfd.memory[CHECK_KFD_DATA + at + lengths[n]], 0);
            memset(got, 0xee, sizeof got);
            ck_assert(record_kfd_live_read(check_kfd.kfd, va, got, lengths[n]));
            ck_assert_mem_eq(got, put, lengths[n]);
            if (lengths[n] < sizeof got)
                ck_assert_uint_eq(got[lengths[n]], 0xee);
        }
}
END_TEST

/* Two objects, one behind the other, of the driver's memory and of the program's. */
START_TEST(memory_goes_on_in_the_next_object)
{
    const uint64_t edge = CHECK_KFD_VA + CHECK_KFD_BYTES;
    uint8_t put[600], got[600];
    uint64_t there;
    const struct record_kfd_object *object;

    (void)check_kfd_object(edge, CHECK_KFD_PAGE, KFD_MEMORY_GTT);
    for (size_t i = 0; i < sizeof put; i++)
        put[i] = (uint8_t)(i + 3);
    ck_assert(record_kfd_live_write(check_kfd.kfd, edge - 300, put, sizeof put));
    ck_assert_mem_eq(check_kfd.memory + CHECK_KFD_BYTES - 300, put, 300);
    object = record_kfd_object_at(check_kfd.kfd, edge, &there);
    ck_assert_ptr_nonnull(object);
    ck_assert_mem_eq(object->host, put + 300, 300);
    ck_assert(record_kfd_live_read(check_kfd.kfd, edge - 300, got, sizeof got));
    ck_assert_mem_eq(got, put, sizeof put);
}
END_TEST

START_TEST(what_is_not_mapped_cannot_be_read_or_written)
{
    const uint64_t edge = CHECK_KFD_VA + CHECK_KFD_BYTES;
    uint8_t bytes[600] = {0};

    ck_assert(!record_kfd_live_read(check_kfd.kfd, 0x1000, bytes, 8));
    ck_assert(!record_kfd_live_write(check_kfd.kfd, 0x1000, bytes, 8));
    ck_assert(!record_kfd_live_read(check_kfd.kfd, edge - 8, bytes, 16));
    ck_assert(!record_kfd_live_write(check_kfd.kfd, edge - 8, bytes, 16));
    ck_assert(record_kfd_live_read(check_kfd.kfd, 0x1000, bytes, 0));
    /* The program has taken its own memory away. */
    ck_assert_int_eq(mprotect(check_kfd.memory + CHECK_KFD_DATA, CHECK_KFD_PAGE, PROT_NONE), 0);
    ck_assert(!record_kfd_live_read(check_kfd.kfd, CHECK_KFD_VA + CHECK_KFD_DATA, bytes, 600));
    ck_assert(!record_kfd_live_write(check_kfd.kfd, CHECK_KFD_VA + CHECK_KFD_DATA, bytes, 600));
}
END_TEST

/* ---- kernels and events ---------------------------------------------------------------------- */

enum { KERNEL = CHECK_KFD_DATA, ARGUMENTS = CHECK_KFD_DATA + CHECK_KFD_PAGE };
enum { FROM = CHECK_KFD_DATA + 2 * CHECK_KFD_PAGE, TO = CHECK_KFD_DATA + 3 * CHECK_KFD_PAGE };

/* ROCr's kernel for fills: an amd_kernel_code_t without a version, whose entry follows at 256, and
 * its count of registers at 48 (traces/record/kfd/record_kfd_blit.c). */
static void kernel_put(uint64_t entry, uint8_t kind)
{
    memset(check_kfd.memory + KERNEL, 0, 256);
    check_kfd_set(KERNEL + 16, entry);
    check_kfd.memory[KERNEL + 48] = kind;
}

static void kernel_run(void)
{
    record_kfd_live_kernel(check_kfd.kfd, CHECK_KFD_VA + KERNEL, CHECK_KFD_VA + ARGUMENTS);
}

START_TEST(rocrs_own_kernels_have_their_effect)
{
    static const struct {
        uint8_t kind;
        unsigned end_word;
    } copies[] = {{0xc2, 8}, {0x82, 4}};

    for (size_t i = 0; i < 2; i++) {
        memset(check_kfd.memory + ARGUMENTS, 0, 128);
        memset(check_kfd.memory + TO, 0, 256);
        memset(check_kfd.memory + FROM, 0x5a, 256);
        kernel_put(256, copies[i].kind);
        check_kfd_set(ARGUMENTS, CHECK_KFD_VA + FROM);
        check_kfd_set(ARGUMENTS + 8, CHECK_KFD_VA + TO);
        check_kfd_set(ARGUMENTS + 8 * copies[i].end_word, CHECK_KFD_VA + FROM + 100);
        kernel_run();
        ck_assert_uint_eq(check_kfd.memory[TO + 99], 0x5a);
        ck_assert_uint_eq(check_kfd.memory[TO + 100], 0);
    }
    kernel_put(256, 0x81);
    check_kfd_set(ARGUMENTS, CHECK_KFD_VA + TO);
    check_kfd_set(ARGUMENTS + 16, CHECK_KFD_VA + TO + 12);
    check_kfd_set(ARGUMENTS + 24, 0x01020304);
    kernel_run();
    ck_assert_uint_eq(check_kfd_word(TO), 0x0102030401020304);
    ck_assert_uint_eq(check_kfd_word(TO + 8) & UINT32_MAX, 0x01020304);
    ck_assert_uint_eq(check_kfd.memory[TO + 12], 0x5a);
}
END_TEST

/* The program's own have none: another entry, another count of registers, a version. */
START_TEST(other_kernels_have_none)
{
    check_kfd_set(ARGUMENTS, CHECK_KFD_VA + TO);
    check_kfd_set(ARGUMENTS + 16, CHECK_KFD_VA + TO + 64);
    check_kfd_set(ARGUMENTS + 24, 0x01020304);
    kernel_put(512, 0x81);
    kernel_run();
    kernel_put(256, 0x80);
    kernel_run();
    kernel_put(256, 0x81);
    check_kfd.memory[KERNEL] = 1;
    kernel_run();
    kernel_put(256, 0x81);
    record_kfd_live_kernel(check_kfd.kfd, CHECK_KFD_VA + KERNEL, 0x1000);
    record_kfd_live_kernel(check_kfd.kfd, 0x1000, CHECK_KFD_VA + ARGUMENTS);
    ck_assert_uint_eq(check_kfd_word(TO), 0);
}
END_TEST

static uint32_t wait_now(uint32_t event_id, struct kfd_event_data *data)
{
    struct kfd_wait_events wait = {.pointer = (uintptr_t)data, .count = 1};

    *data = (struct kfd_event_data){.event_id = event_id};
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
    return wait.result;
}

START_TEST(an_interrupt_sets_its_event)
{
    struct kfd_create_event create = {.auto_reset = 1};
    struct kfd_event_data data;

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_TIMEOUT);
    record_kfd_live_event(check_kfd.kfd, create.event_id);
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_COMPLETE);
    record_kfd_live_event(check_kfd.kfd, create.event_id + 1); /* nobody's */
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_TIMEOUT);
}
END_TEST

/* struct kfd_hsa_memory_exception_data: NotPresent, ReadOnly, NoExecute, imprecise; va; gpu_id,
 * ErrorType, which is KFD_MEM_ERR_GPU_HANG (3) when the GPU is reset (kfd_ioctl.h). */
START_TEST(an_exception_of_memory_tells_where)
{
    struct kfd_create_event create = {.type = RECORD_KFD_MEMORY_EXCEPTION};
    struct record_kfd_exception exception = {
        .type = RECORD_KFD_MEMORY_EXCEPTION, .address = 0xabcd000, .not_present = true};
    struct kfd_event_data data;
    uint32_t words[8];

    ck_assert_uint_eq(record_kfd_live_exception(check_kfd.kfd, &exception), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    ck_assert_uint_eq(record_kfd_live_exception(check_kfd.kfd, &exception), 1);
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_COMPLETE);
    memcpy(words, data.reserved, sizeof words);
    ck_assert(words[0] == 1 && words[1] == 0 && words[2] == 0 && words[3] == 0);
    ck_assert_uint_eq(data.reserved[2], 0xabcd000);
    ck_assert_uint_eq(words[6], record_kfd_gpu_id(0));
    ck_assert_uint_eq(words[7], 0);
    exception = (struct record_kfd_exception){
        .type = RECORD_KFD_MEMORY_EXCEPTION, .read_only = true, .is_reset = true};
    ck_assert_uint_eq(record_kfd_live_exception(check_kfd.kfd, &exception), 1);
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_COMPLETE);
    memcpy(words, data.reserved, sizeof words);
    ck_assert(words[0] == 0 && words[1] == 1 && words[3] == 1);
    ck_assert_uint_eq(words[7], 3);
}
END_TEST

/* struct kfd_hsa_hw_exception_data: reset_type, reset_cause, memory_lost, gpu_id. */
START_TEST(an_exception_of_the_gpu_tells_whether_memory_is_lost)
{
    struct kfd_create_event create = {.type = RECORD_KFD_HW_EXCEPTION};
    const struct record_kfd_exception exception = {
        .type = RECORD_KFD_HW_EXCEPTION, .address = 0xabcd000, .is_reset = true};
    struct kfd_event_data data;
    uint32_t words[8];

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    ck_assert_uint_eq(record_kfd_live_exception(check_kfd.kfd, &exception), 1);
    ck_assert_uint_eq(wait_now(create.event_id, &data), KFD_WAIT_COMPLETE);
    memcpy(words, data.reserved, sizeof words);
    ck_assert(words[0] == 0 && words[1] == 0 && words[2] == 1);
    ck_assert_uint_eq(words[3], record_kfd_gpu_id(0));
}
END_TEST

Suite *record_kfd_live_suite(void)
{
    Suite *suite = suite_create("record_kfd_live");
    TCase *tcase = tcase_create("live");

    tcase_add_checked_fixture(tcase, setup, check_kfd_free);
    tcase_add_test(tcase, each_request_goes_to_the_emulation_and_takes_its_time);
    tcase_add_test(tcase, what_it_refuses_did_not_happen);
    tcase_add_test(tcase, a_round_is_the_emulations);
    tcase_add_test(tcase, its_clock_and_its_log);
    tcase_add_test(tcase, memory_is_read_and_written_at_any_place);
    tcase_add_test(tcase, memory_goes_on_in_the_next_object);
    tcase_add_test(tcase, what_is_not_mapped_cannot_be_read_or_written);
    tcase_add_test(tcase, rocrs_own_kernels_have_their_effect);
    tcase_add_test(tcase, other_kernels_have_none);
    tcase_add_test(tcase, an_interrupt_sets_its_event);
    tcase_add_test(tcase, an_exception_of_memory_tells_where);
    tcase_add_test(tcase, an_exception_of_the_gpu_tells_whether_memory_is_lost);
    suite_add_tcase(suite, tcase);
    return suite;
}
