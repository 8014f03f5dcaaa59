/* SPDX-License-Identifier: MIT */
/* MQDs as the kernel driver writes them, word by word: indices as in v9_structs.h, values worked
 * out by hand. */
/* PROMISE (drivers): MQDs are the dwords that Linux's KFD writes (worked out by hand). */
#include <config.h>

#include <check.h>
#include <string.h>

#include "firmware-models/kfd/kfd_mqd.h"
#include "tests/kfd_mqd_read.h"
#include "tests/suites.h"

static uint32_t mqd[AMD_MQD_DWORDS];

static struct kfd_mqd_queue aql(void)
{
    return (struct kfd_mqd_queue){
        .mqd_address = UINT64_C(0xff00012000),
        .ring_address = UINT64_C(0x7f1234567800),
        .read_pointer = UINT64_C(0x7f0000000080),
        .write_pointer = UINT64_C(0x7f0000000038),
        .eop_address = UINT64_C(0x7f0000010000),
        .save_address = UINT64_C(0x7f4500000000),
        .ring_bytes = 0x10000,
        .eop_bytes = 4096,
        .save_bytes = 0x1a00000,
        .control_stack_bytes = 0x5000,
        .doorbell = 0x1002,
        .format = KFD_MQD_AQL,
        .priority = 7,
        .engines = {0x7fff, 0x7fff, 0x3fff, 0x1},
    };
}

/* Words of an MQD: what is not named is 0. */
struct word {
    uint32_t index, value;
};

static void expect(const struct word *words, uint32_t count)
{
    uint32_t expected[AMD_MQD_DWORDS] = {0};

    for (uint32_t i = 0; i < count; i++)
        expected[words[i].index] = words[i].value;
    for (uint32_t i = 0; i < AMD_MQD_DWORDS; i++)
        ck_assert_msg(mqd[i] == expected[i], "dword %u is 0x%08x, not 0x%08x", i, mqd[i],
                      expected[i]);
}
#define EXPECT(...)                                                                                \
    expect((const struct word[]){__VA_ARGS__},                                                     \
           sizeof((const struct word[]){__VA_ARGS__}) / sizeof(struct word))

START_TEST(an_aql_queue)
{
    const struct kfd_mqd_queue queue = aql();

    memset(mqd, 0x5a, sizeof mqd);
    kfd_mqd_init(mqd, &queue);
    EXPECT({0, 0xc0310800}, {11, 1},                          /* header, pipeline statistics */
           {23, 0x7fff}, {24, 0x7fff}, {26, 0x3fff}, {27, 1}, /* CUs; 25 is TMPRING_SIZE */
           {128, 0x00012000}, {129, 0xff},                    /* MQD */
           {132, 0x40005301},                                 /* QSWITCH_MODE, PRELOAD 0x53, REQ */
           {133, 1}, {134, 7}, {135, 0x111},                  /* pipe medium, queue 7, quantum */
           {136, 0x12345678}, {137, 0x7f},                    /* ring >> 8 */
           {139, 0x00000080}, {140, 0x7f00}, {141, 0x00000038}, {142, 0x7f00},
           {143, 0x400a},     /* 0x1002 << 2, BIF_DROP */
           {145, 0x0c01450d}, /* 2 << 13 dwords, packets */
           {149, 0x00b00000}, {160, 0x4000}, {162, 0x100}, {165, 0x00000100}, {166, 0x7f},
           {167, 9}, /* EOP: 2 << 9 dwords */
           {171, 0x00000000}, {172, 0x7f45}, {174, 0x5000}, {175, 0x5000}, {176, 0x5000},
           {177, 0x1a00000}, {181, 1});
}
END_TEST

START_TEST(a_pm4_queue_without_eop_ring_and_save_area)
{
    struct kfd_mqd_queue queue = aql();

    queue.format = KFD_MQD_PM4;
    queue.ring_bytes = 4096;
    queue.eop_address = queue.eop_bytes = 0;
    queue.save_address = queue.save_bytes = queue.control_stack_bytes = 0;
    queue.priority = 0;
    queue.vmid = 9;
    memset(queue.engines, 0xff, sizeof queue.engines);
    kfd_mqd_init(mqd, &queue);
    EXPECT({0, 0xc0310800}, {11, 1}, {23, 0xffffffff}, {24, 0xffffffff}, {26, 0xffffffff},
           {27, 0xffffffff}, {39, 0xffffffff}, {40, 0xffffffff}, {41, 0xffffffff}, {42, 0xffffffff},
           {128, 0x00012000}, {129, 0xff}, {131, 9}, {132, 0x5301}, {135, 0x111}, {136, 0x12345678},
           {137, 0x7f}, {139, 0x00000080}, {140, 0x7f00}, {141, 0x00000038}, {142, 0x7f00},
           {143, 0x4008}, {145, 0x509}, {149, 0x00b00000}, {160, 0x4000}, {162, 0x100});
}
END_TEST

START_TEST(the_drivers_own_queue_is_privileged)
{
    const struct kfd_mqd_queue queue = {.mqd_address = 0x1000,
                                        .ring_address = 0x2000,
                                        .read_pointer = 0x3000,
                                        .write_pointer = 0x3008,
                                        .ring_bytes = 2048,
                                        .format = KFD_MQD_HIQ,
                                        .priority = 15};

    kfd_mqd_init(mqd, &queue);
    EXPECT({0, 0xc0310800}, {11, 1}, {128, 0x1000}, {132, 0x5301}, {133, 2}, {134, 15},
           {135, 0x111}, {136, 0x20}, {139, 0x3000}, {141, 0x3008}, {145, 0xc0000508},
           {149, 0x00b00000}, {160, 0x4000}, {162, 0x100});
}
END_TEST

/* kfd_mqd_manager.c's table. */
START_TEST(priorities_of_pipes)
{
    static const uint32_t pipe[16] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2};

    for (uint32_t priority = 0; priority <= KFD_MQD_PRIORITY_MAX; priority++)
        ck_assert_uint_eq(kfd_mqd_pipe_priority(priority), pipe[priority]);
}
END_TEST

START_TEST(sizes_of_rings)
{
    static const struct {
        uint32_t ring_bytes, eop_bytes, queue_size, eop_size;
    } with[] = {{8, 8, 0, 0},
                {256, 2048, 5, 8},
                {1 << 20, 8192, 17, 0xa},
                {0x40000000, 1 << 20, 27, 0xa},
                {0x80000000, 4096, 28, 9}};
    struct kfd_mqd_queue queue = aql();

    queue.ring_bytes = with[_i].ring_bytes;
    queue.eop_bytes = with[_i].eop_bytes;
    kfd_mqd_init(mqd, &queue);
    ck_assert_uint_eq(mqd[145] & 0x3f, with[_i].queue_size);
    ck_assert_uint_eq(mqd[167], with[_i].eop_size);
}
END_TEST

START_TEST(an_update_leaves_what_the_micro_engine_keeps)
{
    struct kfd_mqd_queue queue = aql();

    kfd_mqd_init(mqd, &queue);
    mqd[96] = 17;    /* READINDEX */
    mqd[138] = 0x30; /* RPTR */
    mqd[182] = 0x40; /* WPTR */
    queue.priority = 11;
    queue.ring_address = 0x123400;
    queue.ring_bytes = 0x2000;
    queue.engines[3] = 0xff;
    kfd_mqd_update(mqd, &queue);
    ck_assert_uint_eq(mqd[96], 17);
    ck_assert_uint_eq(mqd[138], 0x30);
    ck_assert_uint_eq(mqd[182], 0x40);
    ck_assert_uint_eq(mqd[133], 2);
    ck_assert_uint_eq(mqd[134], 11);
    ck_assert_uint_eq(mqd[136], 0x1234);
    ck_assert_uint_eq(mqd[137], 0);
    ck_assert_uint_eq(mqd[145], 0x0c01450a);
    ck_assert_uint_eq(mqd[27], 0xff);
    ck_assert_uint_eq(mqd[132], 0x40005301);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    const struct kfd_mqd_queue queue = aql();
    struct kfd_mqd_queue read;

    memset(&read, 0x5a, sizeof read);
    kfd_mqd_init(mqd, &queue);
    ck_assert(kfd_mqd_read(mqd, &read));
    ck_assert_mem_eq(&read, &queue, sizeof queue);
    mqd[0] = 0;
    ck_assert(!kfd_mqd_read(mqd, &read));
    ck_assert_mem_eq(&read, &queue, sizeof queue);
    memset(mqd, 0xff, sizeof mqd);
    mqd[0] = 0xc0310800;
    ck_assert(kfd_mqd_read(mqd, &read)); /* any words */
}
END_TEST

Suite *kfd_mqd_suite(void)
{
    Suite *suite = suite_create("kfd_mqd");
    TCase *tcase = tcase_create("words");

    tcase_add_test(tcase, an_aql_queue);
    tcase_add_test(tcase, a_pm4_queue_without_eop_ring_and_save_area);
    tcase_add_test(tcase, the_drivers_own_queue_is_privileged);
    tcase_add_test(tcase, priorities_of_pipes);
    tcase_add_loop_test(tcase, sizes_of_rings, 0, 5);
    tcase_add_test(tcase, an_update_leaves_what_the_micro_engine_keeps);
    tcase_add_test(tcase, what_is_written_is_read);
    suite_add_tcase(suite, tcase);
    return suite;
}
