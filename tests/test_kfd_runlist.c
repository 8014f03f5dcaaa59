/* SPDX-License-Identifier: MIT */
/* The packets for the scheduling firmware, against dwords worked out by hand from
 * kfd_pm4_headers_ai.h, and when a list is chained. */
/* PROMISE (drivers): Packets of the HIQ are the dwords that Linux's KFD writes (worked out by
 * hand). */
#include <config.h>

#include <check.h>
#include <string.h>

#include "firmware-models/kfd/kfd_runlist.h"
#include "tests/suites.h"

static uint32_t packet[KFD_PACKET_DWORDS_MAX];
#define EXPECT(...)                                                                                \
    do {                                                                                           \
        static const uint32_t expected_[] = {__VA_ARGS__};                                         \
        for (uint32_t i_ = 0; i_ < sizeof expected_ / sizeof expected_[0]; i_++)                   \
            ck_assert_msg(packet[i_] == expected_[i_], "dword %u is 0x%08x, not 0x%08x", i_,       \
                          packet[i_], expected_[i_]);                                              \
    } while (0)

static void setup(void)
{
    memset(packet, 0x5a, sizeof packet);
}

/* ---- packets --------------------------------------------------------------------------------- */

START_TEST(map_process)
{
    kfd_map_process(packet, &(struct kfd_runlist_process){.pasid = 0x8001,
                                                          .queue_count = 3,
                                                          .page_table = UINT64_C(0x1200345001),
                                                          .sh_mem_bases = 0x10002000,
                                                          .sh_mem_config = 0x338});
    EXPECT(0xc00ea100, 0x14008001, 0x00345001, 0x12, 0x10002000, 0x338, 0, 0, 0, 0, 0, 0, 0,
           0x00c00080, 0, 0);
}
END_TEST

/* MI210's has five dwords more, and the others where they were. */
START_TEST(map_process_of_gfx90a)
{
    const struct kfd_runlist_process process = {.pasid = 0x8001,
                                                .queue_count = 3,
                                                .page_table = UINT64_C(0x1200345001),
                                                .sh_mem_bases = 0x10002000,
                                                .sh_mem_config = 0x338,
                                                .is_gfx90a = 1};

    ck_assert_uint_eq(kfd_map_process(packet, &process), 21);
    EXPECT(0xc013a100, 0x14008001, 0x00345001, 0x12, 0x10002000, 0x338, 0, 0, 0, 0, 0, 0, 0,
           0x00c00080, 0, 0, 0, 0, 0, 0, 0);
}
END_TEST

START_TEST(map_queues)
{
    struct kfd_runlist_queue queue = {.doorbell = 0x1002,
                                      .mqd_address = UINT64_C(0xff00012000),
                                      .write_pointer = UINT64_C(0x7f0000000038)};

    kfd_map_queues(packet, &queue);
    EXPECT(0xc005a200, 0x20000010, 0x4008, 0x00012000, 0xff, 0x38, 0x7f00);
    queue.is_static = 1;
    kfd_map_queues(packet, &queue);
    EXPECT(0xc005a200, 0x20400010, 0x4008, 0x00012000, 0xff, 0x38, 0x7f00);
}
END_TEST

/* Two engines by name, the others by number. */
START_TEST(queues_of_sdma)
{
    static const uint32_t selects[] = {0x28000010, 0x2c000010, 0x28000014, 0x3c000014};
    static const uint32_t engines[] = {0, 1, 2, 7};
    const struct kfd_runlist_queue queue = {.engine = 1 + engines[_i], .doorbell = 0x1002};

    kfd_map_queues(packet, &queue);
    EXPECT(0xc005a200);
    ck_assert_uint_eq(packet[1], selects[_i]);
    kfd_unmap_sdma(packet, engines[_i]);
    EXPECT(0xc004a300);
    ck_assert_uint_eq(packet[1], (selects[_i] & 0x1c00000c) | 0x30);
}
END_TEST

START_TEST(run_list)
{
    struct kfd_runlist_counts counts = {.process_count = 3, .process_limit = 8};

    kfd_run_list(packet, UINT64_C(0xff00054000), 300, &counts, false);
    EXPECT(0xc002a500, 0x00054000, 0xff, 0x0380012c);
    counts.process_count = 9; /* eight at a time */
    kfd_run_list(packet, UINT64_C(0xff00054000), 300, &counts, true);
    EXPECT(0xc002a500, 0x00054000, 0xff, 0x08d0012c);
}
END_TEST

START_TEST(set_resources)
{
    kfd_set_resources(packet, 0xff00, UINT64_C(0xfcfcfcfc));
    EXPECT(0xc006a000, 0x2028ff00, 0xfcfcfcfc, 0, 0, 0, 0, 0);
}
END_TEST

START_TEST(unmap_queues)
{
    kfd_unmap_queues(packet, false, false);
    EXPECT(0xc004a300, 0x30, 0, 0, 0, 0);
    kfd_unmap_queues(packet, true, true);
    EXPECT(0xc004a300, 0x21, 0, 0, 0, 0);
    kfd_unmap_process(packet, 0x8002, false);
    EXPECT(0xc004a300, 0x10, 0x8002, 0, 0, 0);
}
END_TEST

START_TEST(query_status)
{
    kfd_query_status(packet, UINT64_C(0xff00003010), 100);
    EXPECT(0xc005a400, 0x80000000, 0, 0x00003010, 0xff, 100, 0);
}
END_TEST

/* ---- lists ----------------------------------------------------------------------------------- */

/* More queues than slots, or more processes than at a time: neither "as many as". */
START_TEST(when_a_list_is_chained)
{
    static const struct {
        struct kfd_runlist_counts counts;
        bool over;
        uint32_t dwords;
    } with[] = {
        {{1, 24, 24, 8, 0, 0}, false, 16 + 24 * 7},
        {{1, 25, 24, 8, 0, 0}, true, 16 + 25 * 7 + 4},
        {{1, 32, 32, 8, 0, 0}, false, 16 + 32 * 7},
        {{1, 33, 32, 8, 0, 0}, true, 16 + 33 * 7 + 4},
        {{8, 8, 24, 8, 0, 0}, false, 8 * 16 + 56},
        {{9, 9, 24, 8, 0, 0}, true, 9 * 16 + 63 + 4},
        {{1, 24, 24, 8, 9, 0}, false, 16 + 33 * 7},        /* SDMA takes no slots */
        {{13, 24, 24, 13, 0, 1}, false, 13 * 21 + 24 * 7}, /* MI210 */
    };

    ck_assert(kfd_runlist_oversubscribed(&with[_i].counts) == with[_i].over);
    ck_assert_uint_eq(kfd_runlist_dwords(&with[_i].counts), with[_i].dwords);
}
END_TEST

static uint32_t ib[256];

static void put(void *context, uint32_t at_dword, const uint32_t *dwords, uint32_t count)
{
    (void)context;
    ck_assert_uint_le(at_dword + count, 256);
    memcpy(&ib[at_dword], dwords, count * sizeof ib[0]);
}

START_TEST(a_list_ends_with_itself)
{
    const struct kfd_runlist_counts counts = {
        .process_count = 2, .queue_count = 3, .slot_count = 2, .process_limit = 8};
    struct kfd_runlist list = {.put = put, .address = 0x54000};

    kfd_runlist_process(&list, &(struct kfd_runlist_process){.pasid = 0x8001, .queue_count = 1});
    kfd_runlist_queue(&list, &(struct kfd_runlist_queue){.doorbell = 2});
    kfd_runlist_process(&list, &(struct kfd_runlist_process){.pasid = 0x8002, .queue_count = 2});
    kfd_runlist_queue(&list, &(struct kfd_runlist_queue){.doorbell = 4});
    kfd_runlist_queue(&list, &(struct kfd_runlist_queue){.doorbell = 6});
    kfd_runlist_end(&list, &counts);
    ck_assert_uint_eq(list.dwords, 57);
    ck_assert_uint_eq(ib[0], 0xc00ea100);
    ck_assert_uint_eq(ib[16], 0xc005a200);
    ck_assert_uint_eq(ib[18], 8);
    ck_assert_uint_eq(ib[23], 0xc00ea100);
    ck_assert_uint_eq(ib[24], 0x14008002);
    ck_assert_uint_eq(ib[39], 0xc005a200);
    ck_assert_uint_eq(ib[46], 0xc005a200);
    ck_assert_uint_eq(ib[48], 24);
    ck_assert_uint_eq(ib[53], 0xc002a500);
    ck_assert_uint_eq(ib[54], 0x54000);
    ck_assert_uint_eq(ib[55], 0);
    ck_assert_uint_eq(ib[56],
                      0x02d00039); /* two processes, valid, idle disable, chain, 57 dwords */
}
END_TEST

Suite *kfd_runlist_suite(void)
{
    Suite *suite = suite_create("kfd_runlist");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, map_process);
    tcase_add_test(tcase, map_process_of_gfx90a);
    tcase_add_test(tcase, map_queues);
    tcase_add_loop_test(tcase, queues_of_sdma, 0, 4);
    tcase_add_test(tcase, run_list);
    tcase_add_test(tcase, set_resources);
    tcase_add_test(tcase, unmap_queues);
    tcase_add_test(tcase, query_status);
    tcase_add_loop_test(tcase, when_a_list_is_chained, 0, 8);
    tcase_add_test(tcase, a_list_ends_with_itself);
    suite_add_tcase(suite, tcase);
    return suite;
}
