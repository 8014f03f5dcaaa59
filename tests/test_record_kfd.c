/* SPDX-License-Identifier: MIT */
/*
 * The KFD stand-in in this process, without preloading and without AMD's libraries: queues in this
 * program's memory, doorbells rung by hand, packets as the specifications lay them out.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "tests/check_kfd.h"
#include "tests/suites.h"

enum { BARRIER_AND = 3, BARRIER_OR = 5 };

static void setup(void)
{
    check_kfd_begin("radeon-vii");
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* The n-th signal: its value is at 8. */
static uint32_t signal_at(unsigned n, int64_t value)
{
    check_kfd_set(CHECK_KFD_SIGNALS + n * 64 + 8, (uint64_t)value);
    return CHECK_KFD_SIGNALS + n * 64;
}

/* A barrier packet; offsets into the memory, 0 is no signal. */
static void barrier_put(unsigned slot, uint8_t type, uint32_t dependency, uint32_t other,
                        uint32_t completion)
{
    const uint32_t at = CHECK_KFD_RING + slot % CHECK_KFD_SLOTS * 64;

    memset(check_kfd.memory + at + 8, 0, 56);
    if (dependency)
        check_kfd_set(at + 8, CHECK_KFD_VA + dependency);
    if (other)
        check_kfd_set(at + 16, CHECK_KFD_VA + other);
    if (completion)
        check_kfd_set(at + 56, CHECK_KFD_VA + completion);
    check_kfd.memory[at] = type;
}

START_TEST(a_barrier_waits_for_all_or_for_any)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t one = signal_at(0, 1), other = signal_at(1, 1), done = signal_at(2, 1);

    barrier_put(0, _i ? BARRIER_OR : BARRIER_AND, one, other, done);
    check_kfd_ring(&queue, 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(check_kfd_word(done + 8), 1);
    check_kfd_set(one + 8, 0);
    ck_assert_int_eq(check_kfd_settle(), _i ? RECORD_KFD_IDLE : RECORD_KFD_WAITING);
    ck_assert_uint_eq(check_kfd_word(done + 8), _i ? 0 : 1);
    check_kfd_set(other + 8, 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(done + 8), 0);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), 1); /* the read index */
    ck_assert_uint_eq(check_kfd.memory[CHECK_KFD_RING], 1);        /* the slot is free */
}
END_TEST

/* PROMISE (traces): Of doorbells out of order the highest counts. */
START_TEST(the_highest_doorbell_counts_and_packets_are_done_in_order)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 2);

    barrier_put(1, BARRIER_AND, 0, 0, done);
    check_kfd_ring(&queue, 1);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING); /* the first is still INVALID */
    ck_assert_uint_eq(check_kfd_word(done + 8), 2);
    barrier_put(0, BARRIER_AND, 0, 0, done);
    check_kfd_ring(&queue, 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(done + 8), 0);
    ck_assert_uint_eq(check_kfd.doorbells[(queue.doorbell_offset & 0x1fff) / 8],
                      0); /* as it was stored */
}
END_TEST

START_TEST(a_ring_wraps)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 3 * CHECK_KFD_SLOTS);

    for (unsigned i = 0; i < 3 * CHECK_KFD_SLOTS; i++) {
        barrier_put(i, BARRIER_AND, 0, 0, done);
        if (i % CHECK_KFD_SLOTS == CHECK_KFD_SLOTS - 1) {
            check_kfd_ring(&queue, i);
            ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
        }
    }
    ck_assert_uint_eq(check_kfd_word(done + 8), 0);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), 3 * CHECK_KFD_SLOTS);
}
END_TEST

/* In the trace a packet stands in front of the doorbell that shows it, a completion behind. */
START_TEST(records_stand_in_their_order)
{
    static const char *const order[] = {"CLIENT ",   "DEVICE ",    "AS_MAP ",
                                        "QUEUE ",    "PACKET ",    "MEM ",
                                        "DOORBELL ", "GPU_WRITE ", "QUEUE_END "};
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    struct kfd_destroy_queue end = {queue.queue_id, 0};
    const char *at;

    barrier_put(0, BARRIER_AND, 0, 0, signal_at(0, 1));
    check_kfd_ring(&queue, 0);
    check_kfd_settle();
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_DESTROY_QUEUE, &end), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_DESTROY_QUEUE, &end), -EINVAL);
    at = check_kfd_end();
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        at = strstr(at, order[i]);
        ck_assert_msg(at != NULL, "%s is not where it should be in\n%s", order[i], check_kfd.text);
    }
}
END_TEST

/* ---- SDMA ------------------------------------------------------------------------------------ */

static uint32_t put(uint32_t at, const uint32_t *words, uint32_t count)
{
    memcpy(check_kfd.memory + CHECK_KFD_RING + at, words, count * 4);
    return at + count * 4;
}

START_TEST(sdma_waits_copies_and_tells)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t low = (uint32_t)CHECK_KFD_VA, high = (uint32_t)(CHECK_KFD_VA >> 32),
                   flag = CHECK_KFD_SIGNALS;
    const uint32_t poll[] = {0xb0000008, low + flag, high, 7, UINT32_MAX, 0};
    const uint32_t copy[] = {
        1, 99, 0, low + CHECK_KFD_DATA, high, low + CHECK_KFD_DATA + CHECK_KFD_PAGE, high};
    const uint32_t atomic[] = {
        47u << 25 | 10, low + flag + 8, high, UINT32_MAX, UINT32_MAX, 0, 0, 0};
    const uint32_t fence[] = {5, low + flag + 16, high, 1234};
    const uint32_t fill[] = {2u << 30 | 11, low + CHECK_KFD_DATA, high, 0xabababab, 7};
    uint32_t end = put(put(put(put(put(0, poll, 6), copy, 7), atomic, 8), fence, 4), fill, 5);

    for (unsigned i = 0; i < 128; i++)
        check_kfd.memory[CHECK_KFD_DATA + i] = (uint8_t)(i + 1);
    check_kfd_set(flag + 8, 5);
    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(check_kfd.memory[CHECK_KFD_DATA + CHECK_KFD_PAGE], 0);
    check_kfd_set(flag, 7);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    for (unsigned i = 0; i < 128; i++)
        ck_assert_uint_eq(check_kfd.memory[CHECK_KFD_DATA + CHECK_KFD_PAGE + i],
                          i < 100 ? i + 1 : 0);
    ck_assert_uint_eq(check_kfd_word(flag + 8), 4);
    ck_assert_uint_eq(check_kfd_word(flag + 16), 1234);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_DATA), 0xabababababababab);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_DATA + 8), 0x100f0e0d0c0b0a09);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), end);
}
END_TEST

START_TEST(an_address_that_nobody_mapped_is_noted_once)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t copy[] = {1, 63, 0, 0x1000, 0, 0x1000, 0};
    uint32_t end = put(put(0, copy, 7), copy, 7);

    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    check_kfd_end();
    ck_assert_ptr_nonnull(strstr(check_kfd.text, "0x1000 is not mapped"));
    ck_assert_ptr_null(strstr(strstr(check_kfd.text, "is not mapped") + 1, "is not mapped"));
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

START_TEST(an_event_is_waited_for_and_resets_itself)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    struct kfd_create_event create = {.auto_reset = 1};
    struct kfd_event_data data = {0};
    struct kfd_wait_events wait = {
        .pointer = (uintptr_t)&data, .count = 1, .timeout_ms = KFD_TIMEOUT_NEVER};
    const uint32_t done = signal_at(0, 1), mailbox = CHECK_KFD_DATA;

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    ck_assert_uint_ne(create.page_offset, 0);
    data.event_id = create.event_id;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), RECORD_KFD_AGAIN);
    ck_assert_uint_eq(check_kfd.wait.deadline_ns, UINT64_MAX);
    check_kfd_set(done + 16, CHECK_KFD_VA + mailbox);
    check_kfd_set(done + 24, create.event_id);
    barrier_put(0, BARRIER_AND, 0, 0, done);
    check_kfd_ring(&queue, 0);
    check_kfd_settle();
    ck_assert_uint_eq(check_kfd_word(mailbox), create.event_id);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_COMPLETE);
    wait.timeout_ms = 0;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
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

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    which = (struct kfd_event_number){.event_id = create.event_id};
    data.event_id = create.event_id;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &slow), RECORD_KFD_AGAIN);
    of_slow = check_kfd.wait;
    check_kfd.wait = (struct record_kfd_wait){0};
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_EVENT, &which), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
    of_quick = check_kfd.wait;
    check_kfd.wait = of_slow;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &slow), 0);
    ck_assert_uint_eq(slow.result, KFD_WAIT_COMPLETE);
    check_kfd.wait = (struct record_kfd_wait){0};
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_EVENT, &which), 0);
    check_kfd.wait = of_quick;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &quick), 0);
    ck_assert_uint_eq(quick.result, KFD_WAIT_COMPLETE);
    /* Nobody waits: the next one finds it, once. */
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_EVENT, &which), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &quick), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &quick), RECORD_KFD_AGAIN);
}
END_TEST

/* With a page of mailboxes an interrupt says nothing unless something is in its event's. */
START_TEST(an_interrupt_without_its_mailbox_is_nobodys)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    struct kfd_alloc_memory page = {.va = CHECK_KFD_VA + (1ull << 32),
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

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &page), 0);
    map.handle = create.page_offset = page.handle;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_MAP_MEMORY, &map), 0);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_EVENT, &create), 0);
    data.event_id = trap[1] = fence[3] = create.event_id;
    fence[1] = (uint32_t)(page.va + 8 * create.slot);
    fence[2] = (uint32_t)(page.va >> 32);
    end = put(0, trap, 2);
    check_kfd_ring(&queue, end);
    check_kfd_settle();
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_TIMEOUT);
    end = put(put(end, fence, 4), trap, 2);
    check_kfd_ring(&queue, end);
    check_kfd_settle();
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
    ck_assert_uint_eq(wait.result, KFD_WAIT_COMPLETE);
    check_kfd_ring(&queue, put(end, trap, 2)); /* the driver has emptied the mailbox */
    check_kfd_settle();
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), 0);
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

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_VERSION, &version), 0);
    ck_assert_uint_eq(version.major, 1);
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        struct kfd_available_memory argument = {.gpu_id = record_kfd_gpu_id(0)};
        const bool answered = CHECK_KFD_CALL(added[i].nr, &argument) == 0;

        ck_assert_msg(answered == (added[i].minor <= version.minor), "%#x of 1.%u, of 1.%u",
                      added[i].nr, added[i].minor, version.minor);
    }
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
    struct kfd_create_queue create = {.ring_address = CHECK_KFD_VA,
                                      .ring_bytes = 100,
                                      .percentage = 100,
                                      .gpu_id = record_kfd_gpu_id(0),
                                      .type = KFD_QUEUE_AQL};
    struct kfd_alloc_memory alloc = {.va = CHECK_KFD_VA + (1ull << 40),
                                     .bytes = 64ull << 30,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .flags = KFD_MEMORY_VRAM};
    struct kfd_free_memory free_it = {.handle = 99};
    struct kfd_wait_events wait = {.count = 1, .pointer = 8};
    struct kfd_set_cu_mask mask = {.queue_id = 77, .bit_count = 32};
    struct kfd_get_version version = {0, 0};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL); /* no power of two */
    create.ring_bytes = CHECK_KFD_PAGE;
    create.gpu_id++;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &create), -EINVAL);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &alloc), -ENOMEM); /* more than there is */
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_FREE_MEMORY, &free_it), -EINVAL);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_WAIT_EVENTS, &wait), -EFAULT);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_SET_CU_MASK, &mask), -EINVAL);
    ck_assert_int_eq(check_kfd_call(0x82, &version, sizeof version), -EINVAL);
    ck_assert_int_eq(check_kfd_call(0x82, &version, sizeof version), -EINVAL);
    ck_assert_int_eq(check_kfd_call(KFD_GET_VERSION, (void *)8, sizeof version), -EFAULT);
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_GET_VERSION, &version), 0);
    ck_assert_uint_eq(version.minor, KFD_MINOR);
    check_kfd_end();
    ck_assert_ptr_null(
        strstr(strstr(check_kfd.text, "0x82 is not modelled") + 1, "0x82 is not modelled"));
}
END_TEST

START_TEST(video_memory_comes_back_when_it_is_freed)
{
    struct kfd_alloc_memory alloc = {.va = CHECK_KFD_VA + (1ull << 40),
                                     .bytes = 15ull << 30,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .flags = KFD_MEMORY_VRAM};
    struct kfd_free_memory release;

    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(CHECK_KFD_CALL(KFD_ALLOC_MEMORY, &alloc), 0);
        release.handle = alloc.handle;
        ck_assert_int_eq(CHECK_KFD_CALL(KFD_FREE_MEMORY, &release), 0);
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

    tcase_add_checked_fixture(tcase, setup, check_kfd_free);
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
