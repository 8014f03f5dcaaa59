/* SPDX-License-Identifier: MIT */
/*
 * The KFD stand-in in this process, without preloading and without AMD's libraries: queues in this
 * program's memory, doorbells rung by hand, packets as the specifications lay them out.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/amd/amd_chip.h"
#include "tests/suites.h"
#include "traces/record/kfd/record_kfd.h"
#include "traces/record/kfd/record_kfd_uapi.h"
#include "traces/format/trace_dump.h"

enum {
    PAGE = 4096,
    MEMORY_BYTES = 16 * PAGE,
    RING = 0,
    INDICES = PAGE,
    SIGNALS = 2 * PAGE,
    DATA = 4 * PAGE,
    SLOTS = PAGE / 64
};
enum { BARRIER_AND = 3, BARRIER_OR = 5 };
#define VA 0x7f0000000000ull

static struct record_kfd *kfd;
static struct record_kfd_numbers numbers;
static struct record_out out;
static uint8_t *memory; /* the program's; the GPU sees it at VA */
static uint64_t *doorbells;
static uint64_t now_ns;
static struct record_kfd_wait state; /* of the one call at a time */
static int trace_fd;
static char *text;

static struct record_caller caller(void)
{
    now_ns += 1000;
    return (struct record_caller){.thread_id = 1, .now_ns = now_ns, .begin_ns = now_ns};
}

static int call(unsigned nr, void *argument, size_t bytes)
{
    const struct record_caller who = caller();

    return record_kfd_ioctl(kfd, &who, _IOC(_IOC_READ | _IOC_WRITE, KFD_TYPE, nr, bytes),
                            (uintptr_t)argument, &state);
}
#define CALL(nr, argument) call((nr), (argument), sizeof *(argument))

static void trace_begin(void)
{
    struct trace_record meta = {0};
    struct gfe_error error = {0};
    const struct record_caller who = caller();

    trace_fd = memfd_create("trace", 0);
    out = (struct record_out){.process_id = 1, .writer = trace_writer_new(trace_fd, "t", &error)};
    ck_assert_ptr_nonnull(out.writer);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&out, &who, TRACE_META, &meta);
}

/* The program's memory, mapped on the GPU. */
static void memory_begin(void)
{
    uint32_t gpu = record_kfd_gpu_id(0);
    struct kfd_alloc_memory alloc = {
        .va = VA, .bytes = MEMORY_BYTES, .gpu_id = gpu, .flags = KFD_MEMORY_USERPTR};
    struct kfd_map_memory map = {.gpus_pointer = (uintptr_t)&gpu, .gpu_count = 1};

    memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alloc.mmap_offset = (uintptr_t)memory;
    ck_assert_int_eq(CALL(KFD_ALLOC_MEMORY, &alloc), 0);
    map.handle = alloc.handle;
    ck_assert_int_eq(CALL(KFD_MAP_MEMORY, &map), 0);
    ck_assert_uint_eq(map.success_count, 1);
    for (unsigned i = 0; i < SLOTS; i++)
        memory[RING + i * 64] = 1; /* INVALID */
}

static void doorbells_begin(void)
{
    struct record_kfd_mapping mapping;

    ck_assert(record_kfd_map(
        kfd, KFD_MMAP_TYPE_DOORBELL | (uint64_t)record_kfd_gpu_id(0) << KFD_MMAP_GPU_SHIFT,
        2 * PAGE, &mapping));
    ck_assert(mapping.is_doorbells);
    doorbells = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, mapping.fd, mapping.offset);
    ck_assert_ptr_ne(doorbells, MAP_FAILED);
    record_kfd_doorbells_at(kfd, mapping.gpu, doorbells, 2 * PAGE, true);
}

static void setup(void)
{
    const struct record_kfd_board *boards[] = {record_kfd_board_find("radeon-vii")};

    numbers = (struct record_kfd_numbers){0};
    trace_begin();
    kfd = record_kfd_new(boards, 1, &out, &numbers);
    ck_assert_ptr_nonnull(kfd);
    memory_begin();
    doorbells_begin();
}

static void teardown(void)
{
    record_kfd_free(kfd);
    trace_writer_free(out.writer);
    close(trace_fd);
    munmap(memory, MEMORY_BYTES);
    munmap(doorbells, 2 * PAGE);
    free(text);
    text = NULL;
}

/* Ends the trace: its records as text. */
static const char *trace_end(void)
{
    struct trace_record record = {.end = {.how = TRACE_END_EXIT}};
    struct gfe_error error = {0};
    const struct record_caller who = caller();
    struct trace_reader *reader;
    size_t bytes;
    char path[40];
    FILE *file = open_memstream(&text, &bytes);

    record_out_put(&out, &who, TRACE_END, &record);
    ck_assert(!out.failed && trace_writer_finish(out.writer, &error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", trace_fd);
    reader = trace_reader_open(path, &error);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        trace_dump(file, &record);
    ck_assert_msg(!error.text[0], "%s", error.text);
    fclose(file);
    trace_reader_free(reader);
    return text;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static struct kfd_create_queue queue_new(uint32_t type)
{
    struct kfd_create_queue create = {.ring_address = VA + RING,
                                      .ring_bytes = PAGE,
                                      .write_address = VA + INDICES + 56,
                                      .read_address = VA + INDICES + 128,
                                      .gpu_id = record_kfd_gpu_id(0),
                                      .type = type,
                                      .percentage = 100,
                                      .priority = 7};

    ck_assert_int_eq(CALL(KFD_CREATE_QUEUE, &create), 0);
    ck_assert_uint_eq(create.doorbell_offset >> 62, 3);
    return create;
}

static uint64_t word(uint32_t at)
{
    uint64_t value;

    memcpy(&value, memory + at, sizeof value);
    return value;
}

static void word_set(uint32_t at, uint64_t value)
{
    memcpy(memory + at, &value, sizeof value);
}

/* The n-th signal: its value is at 8. */
static uint32_t signal_at(unsigned n, int64_t value)
{
    word_set(SIGNALS + n * 64 + 8, (uint64_t)value);
    return SIGNALS + n * 64;
}

/* A barrier packet; offsets into the memory, 0 is no signal. */
static void barrier_put(unsigned slot, uint8_t type, uint32_t dependency, uint32_t other,
                        uint32_t completion)
{
    const uint32_t at = RING + slot % SLOTS * 64;

    memset(memory + at + 8, 0, 56);
    if (dependency)
        word_set(at + 8, VA + dependency);
    if (other)
        word_set(at + 16, VA + other);
    if (completion)
        word_set(at + 56, VA + completion);
    memory[at] = type;
}

static void ring(const struct kfd_create_queue *queue, uint64_t value)
{
    const struct record_caller who = caller();

    record_kfd_ring(kfd, &who, (uint8_t *)doorbells + (queue->doorbell_offset & 0x1fff), value, 8);
}

/* As the queues' thread: until nothing moves. */
static enum record_kfd_left settle(void)
{
    enum record_kfd_left left;
    struct record_caller who;

    do {
        who = caller();
        left = record_kfd_step(kfd, &who);
    } while (left == RECORD_KFD_BUSY);
    return left;
}

START_TEST(a_barrier_waits_for_all_or_for_any)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_AQL);
    const uint32_t one = signal_at(0, 1), other = signal_at(1, 1), done = signal_at(2, 1);

    barrier_put(0, _i ? BARRIER_OR : BARRIER_AND, one, other, done);
    ring(&queue, 0);
    ck_assert_int_eq(settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(word(done + 8), 1);
    word_set(one + 8, 0);
    ck_assert_int_eq(settle(), _i ? RECORD_KFD_IDLE : RECORD_KFD_WAITING);
    ck_assert_uint_eq(word(done + 8), _i ? 0 : 1);
    word_set(other + 8, 0);
    ck_assert_int_eq(settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(word(done + 8), 0);
    ck_assert_uint_eq(word(INDICES + 128), 1); /* the read index */
    ck_assert_uint_eq(memory[RING], 1);        /* the slot is free */
}
END_TEST

/* PROMISE (traces): Of doorbells out of order the highest counts. */
START_TEST(the_highest_doorbell_counts_and_packets_are_done_in_order)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 2);

    barrier_put(1, BARRIER_AND, 0, 0, done);
    ring(&queue, 1);
    ck_assert_int_eq(settle(), RECORD_KFD_WAITING); /* the first is still INVALID */
    ck_assert_uint_eq(word(done + 8), 2);
    barrier_put(0, BARRIER_AND, 0, 0, done);
    ring(&queue, 0);
    ck_assert_int_eq(settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(word(done + 8), 0);
    ck_assert_uint_eq(doorbells[(queue.doorbell_offset & 0x1fff) / 8], 0); /* as it was stored */
}
END_TEST

START_TEST(a_ring_wraps)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 3 * SLOTS);

    for (unsigned i = 0; i < 3 * SLOTS; i++) {
        barrier_put(i, BARRIER_AND, 0, 0, done);
        if (i % SLOTS == SLOTS - 1) {
            ring(&queue, i);
            ck_assert_int_eq(settle(), RECORD_KFD_IDLE);
        }
    }
    ck_assert_uint_eq(word(done + 8), 0);
    ck_assert_uint_eq(word(INDICES + 128), 3 * SLOTS);
}
END_TEST

/* In the trace a packet stands in front of the doorbell that shows it, a completion behind. */
START_TEST(records_stand_in_their_order)
{
    static const char *const order[] = {"CLIENT ",   "DEVICE ",    "AS_MAP ",
                                        "QUEUE ",    "PACKET ",    "MEM ",
                                        "DOORBELL ", "GPU_WRITE ", "QUEUE_END "};
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_AQL);
    struct kfd_destroy_queue end = {queue.queue_id, 0};
    const char *at;

    barrier_put(0, BARRIER_AND, 0, 0, signal_at(0, 1));
    ring(&queue, 0);
    settle();
    ck_assert_int_eq(CALL(KFD_DESTROY_QUEUE, &end), 0);
    ck_assert_int_eq(CALL(KFD_DESTROY_QUEUE, &end), -EINVAL);
    at = trace_end();
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        at = strstr(at, order[i]);
        ck_assert_msg(at != NULL, "%s is not where it should be in\n%s", order[i], text);
    }
}
END_TEST

/* ---- SDMA ------------------------------------------------------------------------------------ */

static uint32_t put(uint32_t at, const uint32_t *words, uint32_t count)
{
    memcpy(memory + RING + at, words, count * 4);
    return at + count * 4;
}

START_TEST(sdma_waits_copies_and_tells)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_SDMA);
    const uint32_t low = (uint32_t)VA, high = (uint32_t)(VA >> 32), flag = SIGNALS;
    const uint32_t poll[] = {0xb0000008, low + flag, high, 7, UINT32_MAX, 0};
    const uint32_t copy[] = {1, 99, 0, low + DATA, high, low + DATA + PAGE, high};
    const uint32_t atomic[] = {
        47u << 25 | 10, low + flag + 8, high, UINT32_MAX, UINT32_MAX, 0, 0, 0};
    const uint32_t fence[] = {5, low + flag + 16, high, 1234};
    const uint32_t fill[] = {2u << 30 | 11, low + DATA, high, 0xabababab, 7};
    uint32_t end = put(put(put(put(put(0, poll, 6), copy, 7), atomic, 8), fence, 4), fill, 5);

    for (unsigned i = 0; i < 128; i++)
        memory[DATA + i] = (uint8_t)(i + 1);
    word_set(flag + 8, 5);
    ring(&queue, end);
    ck_assert_int_eq(settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(memory[DATA + PAGE], 0);
    word_set(flag, 7);
    ck_assert_int_eq(settle(), RECORD_KFD_IDLE);
    for (unsigned i = 0; i < 128; i++)
        ck_assert_uint_eq(memory[DATA + PAGE + i], i < 100 ? i + 1 : 0);
    ck_assert_uint_eq(word(flag + 8), 4);
    ck_assert_uint_eq(word(flag + 16), 1234);
    ck_assert_uint_eq(word(DATA), 0xabababababababab);
    ck_assert_uint_eq(word(DATA + 8), 0x100f0e0d0c0b0a09);
    ck_assert_uint_eq(word(INDICES + 128), end);
}
END_TEST

START_TEST(an_address_that_nobody_mapped_is_noted_once)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_SDMA);
    const uint32_t copy[] = {1, 63, 0, 0x1000, 0, 0x1000, 0};
    uint32_t end = put(put(0, copy, 7), copy, 7);

    ring(&queue, end);
    ck_assert_int_eq(settle(), RECORD_KFD_IDLE);
    trace_end();
    ck_assert_ptr_nonnull(strstr(text, "0x1000 is not mapped"));
    ck_assert_ptr_null(strstr(strstr(text, "is not mapped") + 1, "is not mapped"));
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

START_TEST(an_event_is_waited_for_and_resets_itself)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_AQL);
    struct kfd_create_event create = {.auto_reset = 1};
    struct kfd_event_data data = {0};
    struct kfd_wait_events wait = {
        .pointer = (uintptr_t)&data, .count = 1, .timeout_ms = KFD_TIMEOUT_NEVER};
    const uint32_t done = signal_at(0, 1), mailbox = DATA;

    ck_assert_int_eq(CALL(KFD_CREATE_EVENT, &create), 0);
    ck_assert_uint_ne(create.page_offset, 0);
    data.event_id = create.event_id;
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), RECORD_KFD_AGAIN);
    ck_assert_uint_eq(state.deadline_ns, UINT64_MAX);
    word_set(done + 16, VA + mailbox);
    word_set(done + 24, create.event_id);
    barrier_put(0, BARRIER_AND, 0, 0, done);
    ring(&queue, 0);
    settle();
    ck_assert_uint_eq(word(mailbox), create.event_id);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_COMPLETE);
    wait.timeout_ms = 0;
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_TIMEOUT);
}
END_TEST

/* Somebody waits for an event that resets itself, and is slow to wake up; who sets it, and then
 * waits for it, too, does not take it away.  (ROCr's end of a queue does so.) */
/* PROMISE (traces): A waiter gets its event however late it looks. */
START_TEST(who_waits_has_the_event_however_late_he_looks)
{
    struct kfd_create_event create = {.auto_reset = 1};
    struct kfd_event_data data = {0};
    struct kfd_wait_events slow = {
        .pointer = (uintptr_t)&data, .count = 1, .timeout_ms = KFD_TIMEOUT_NEVER};
    struct kfd_wait_events quick = slow;
    struct kfd_event_number which;
    struct record_kfd_wait of_slow, of_quick;

    ck_assert_int_eq(CALL(KFD_CREATE_EVENT, &create), 0);
    which = (struct kfd_event_number){.event_id = create.event_id};
    data.event_id = create.event_id;
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &slow), RECORD_KFD_AGAIN);
    of_slow = state;
    state = (struct record_kfd_wait){0};
    ck_assert_int_eq(CALL(KFD_SET_EVENT, &which), 0);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
    of_quick = state;
    state = of_slow;
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &slow), 0);
    ck_assert_uint_eq(slow.result, KFD_WAIT_COMPLETE);
    state = (struct record_kfd_wait){0};
    ck_assert_int_eq(CALL(KFD_SET_EVENT, &which), 0);
    state = of_quick;
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &quick), 0);
    ck_assert_uint_eq(quick.result, KFD_WAIT_COMPLETE);
    /* Nobody waits: the next one finds it, once. */
    ck_assert_int_eq(CALL(KFD_SET_EVENT, &which), 0);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &quick), 0);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
}
END_TEST

/* With a page of mailboxes an interrupt says nothing unless something is in its event's. */
START_TEST(an_interrupt_without_its_mailbox_is_nobodys)
{
    const struct kfd_create_queue queue = queue_new(KFD_QUEUE_SDMA);
    struct kfd_alloc_memory page = {.va = VA + (1ull << 32),
                                    .bytes = KFD_EVENTS_MAX * 8,
                                    .gpu_id = record_kfd_gpu_id(0),
                                    .flags = KFD_MEMORY_GTT};
    uint32_t gpu = record_kfd_gpu_id(0);
    struct kfd_map_memory map = {.gpus_pointer = (uintptr_t)&gpu, .gpu_count = 1};
    struct kfd_create_event create = {.auto_reset = 1};
    struct kfd_event_data data = {0};
    struct kfd_wait_events wait = {.pointer = (uintptr_t)&data, .count = 1};
    uint32_t trap[] = {6, 0}, fence[] = {5, 0, 0, 0};
    uint32_t end;

    ck_assert_int_eq(CALL(KFD_ALLOC_MEMORY, &page), 0);
    map.handle = create.page_offset = page.handle;
    ck_assert_int_eq(CALL(KFD_MAP_MEMORY, &map), 0);
    ck_assert_int_eq(CALL(KFD_CREATE_EVENT, &create), 0);
    data.event_id = trap[1] = fence[3] = create.event_id;
    fence[1] = (uint32_t)(page.va + 8 * create.slot);
    fence[2] = (uint32_t)(page.va >> 32);
    end = put(0, trap, 2);
    ring(&queue, end);
    settle();
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_TIMEOUT);
    end = put(put(end, fence, 4), trap, 2);
    ring(&queue, end);
    settle();
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_COMPLETE);
    ring(&queue, put(end, trap, 2)); /* the driver has emptied the mailbox */
    settle();
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_TIMEOUT);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

/* Which version added which call, by the list at the head of Linux's
 * include/uapi/linux/kfd_ioctl.h: "1.9 - Add available memory ioctl", "1.12 - Add DMA buf export
 * ioctl", "1.13 - Add debugger API". A runtime calls what the version promises: Debian 13's thunk
 * aborts without AVAILABLE_MEMORY. */
START_TEST(the_version_is_that_whose_calls_are_answered)
{
    static const struct {
        unsigned minor, nr;
    } added[] = {{9, 0x23}, {12, 0x24}, {13, 0x25}, {13, 0x26}};
    struct kfd_get_version version = {0, 0};

    ck_assert_int_eq(CALL(KFD_GET_VERSION, &version), 0);
    ck_assert_uint_eq(version.major, 1);
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        struct kfd_available_memory argument = {.gpu_id = record_kfd_gpu_id(0)};
        const bool answered = CALL(added[i].nr, &argument) == 0;

        ck_assert_msg(answered == (added[i].minor <= version.minor), "%#x of 1.%u, of 1.%u",
                      added[i].nr, added[i].minor, version.minor);
    }
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
    struct kfd_create_queue create = {.ring_address = VA,
                                      .ring_bytes = 100,
                                      .percentage = 100,
                                      .gpu_id = record_kfd_gpu_id(0),
                                      .type = KFD_QUEUE_AQL};
    struct kfd_alloc_memory alloc = {.va = VA + (1ull << 40),
                                     .bytes = 64ull << 30,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .flags = KFD_MEMORY_VRAM};
    struct kfd_free_memory free_it = {.handle = 99};
    struct kfd_wait_events wait = {.count = 1, .pointer = 8};
    struct kfd_set_cu_mask mask = {.queue_id = 77, .bit_count = 32};
    struct kfd_get_version version = {0, 0};

    ck_assert_int_eq(CALL(KFD_CREATE_QUEUE, &create), -EINVAL); /* no power of two */
    create.ring_bytes = PAGE;
    create.gpu_id++;
    ck_assert_int_eq(CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    ck_assert_int_eq(CALL(KFD_ALLOC_MEMORY, &alloc), -ENOMEM); /* more than there is */
    ck_assert_int_eq(CALL(KFD_FREE_MEMORY, &free_it), -EINVAL);
    ck_assert_int_eq(CALL(KFD_WAIT_EVENTS, &wait), -EFAULT);
    ck_assert_int_eq(CALL(KFD_SET_CU_MASK, &mask), -EINVAL);
    ck_assert_int_eq(call(0x82, &version, sizeof version), -EINVAL);
    ck_assert_int_eq(call(0x82, &version, sizeof version), -EINVAL);
    ck_assert_int_eq(call(KFD_GET_VERSION, (void *)8, sizeof version), -EFAULT);
    ck_assert_int_eq(CALL(KFD_GET_VERSION, &version), 0);
    ck_assert_uint_eq(version.minor, KFD_MINOR);
    trace_end();
    ck_assert_ptr_null(strstr(strstr(text, "0x82 is not modelled") + 1, "0x82 is not modelled"));
}
END_TEST

START_TEST(video_memory_comes_back_when_it_is_freed)
{
    struct kfd_alloc_memory alloc = {.va = VA + (1ull << 40),
                                     .bytes = 15ull << 30,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .flags = KFD_MEMORY_VRAM};
    struct kfd_free_memory release;

    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(CALL(KFD_ALLOC_MEMORY, &alloc), 0);
        release.handle = alloc.handle;
        ck_assert_int_eq(CALL(KFD_FREE_MEMORY, &release), 0);
    }
}
END_TEST

START_TEST(lists_of_boards_are_read)
{
    const struct record_kfd_board *boards[RECORD_KFD_GPUS_MAX];

    ck_assert_uint_eq(record_kfd_board_list("radeon-vii", boards), 1);
    ck_assert_uint_eq(record_kfd_board_list("radeon-vii,mi50,radeon-vii", boards), 3);
    ck_assert_str_eq(boards[1]->gpu, "mi50");
    ck_assert_uint_eq(record_kfd_board_list("", boards), 0);
    ck_assert_uint_eq(record_kfd_board_list("radeon-vii,", boards), 0);
    ck_assert_uint_eq(record_kfd_board_list("radeon-vii,gtx1060", boards), 0);
    ck_assert_uint_eq(record_kfd_board_list("mi50,mi50,mi50,mi50,mi50,mi50,mi50,mi50,mi50", boards),
                      0);
}
END_TEST

/* What a board tells of itself is what its model has. */
START_TEST(boards_agree_with_the_models)
{
    const struct record_kfd_board *board;

    for (unsigned i = 0; (board = record_kfd_board_at(i)) != NULL; i++) {
        const struct amd_chip *chip = amd_chip_by_name(board->gpu);

        ck_assert_msg(chip != NULL, "%s", board->gpu);
        ck_assert_uint_eq(board->cu_count, chip->cu_count);
        ck_assert_uint_eq(board->engine_count, chip->shader_engine_count);
        ck_assert_uint_eq(board->cus_per_array, chip->cu_slots_per_engine);
        ck_assert_uint_eq(board->gfx_version, chip->gfx_target_version);
        ck_assert_uint_eq(0x1002u << 16 | board->pci_device, chip->pci_id);
        ck_assert_uint_eq((uint64_t)(board->vram_mib + 16) << 20, chip->vram_bytes);
        ck_assert_uint_eq((uint64_t)board->clock_mhz * 1000000, chip->shader_hz);
        ck_assert_uint_eq((uint64_t)board->counter_khz * 1000, chip->reference_hz);
        ck_assert_uint_eq(board->waves_per_simd, chip->waves_per_simd);
        ck_assert_uint_eq(board->sdma_engines, chip->sdma_engine_count);
        ck_assert_uint_eq(board->xgmi_sdma_engines, chip->sdma_xgmi_engine_count);
    }
}
END_TEST

Suite *record_kfd_suite(void)
{
    Suite *suite = suite_create("record_kfd");
    TCase *tcase = tcase_create("record_kfd");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_barrier_waits_for_all_or_for_any, 0, 2);
    tcase_add_test(tcase, the_highest_doorbell_counts_and_packets_are_done_in_order);
    tcase_add_test(tcase, a_ring_wraps);
    tcase_add_test(tcase, records_stand_in_their_order);
    tcase_add_test(tcase, sdma_waits_copies_and_tells);
    tcase_add_test(tcase, an_address_that_nobody_mapped_is_noted_once);
    tcase_add_test(tcase, an_event_is_waited_for_and_resets_itself);
    tcase_add_test(tcase, who_waits_has_the_event_however_late_he_looks);
    tcase_add_test(tcase, an_interrupt_without_its_mailbox_is_nobodys);
    tcase_add_test(tcase, the_version_is_that_whose_calls_are_answered);
    tcase_add_test(tcase, what_is_wrong_is_refused);
    tcase_add_test(tcase, video_memory_comes_back_when_it_is_freed);
    tcase_add_test(tcase, lists_of_boards_are_read);
    tcase_add_test(tcase, boards_agree_with_the_models);
    suite_add_tcase(suite, tcase);
    return suite;
}
