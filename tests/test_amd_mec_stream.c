/* SPDX-License-Identifier: MIT */
/* What lies before a slot's queue is what was written, also where the ring begins again. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_pm4.h"
#include "tests/check_mec.h"
#include "tests/suites.h"

enum { WAITING = 4, DONE = MEC_PACKETS - 2 };

static struct check_mec mec;

static void setup(void)
{
    check_mec_begin(&mec);
}

static void teardown(void)
{
    check_mec_end(&mec);
}

/* A barrier on signal 0, numbered so that its bytes are its own. */
static void put_barrier(uint32_t packet[16], uint32_t number)
{
    const uint64_t signal = MEC_SIGNAL(0);

    memset(packet, 0, 16 * sizeof packet[0]);
    packet[0] = 3;
    memcpy(&packet[2], &signal, sizeof signal);
    packet[12] = number;
}

/* Two of the packets lie at the ring's end, and two at its start. */
START_TEST(packets_are_read_over_the_end_of_the_ring)
{
    uint32_t packets[WAITING][16], found[WAITING * 16 + 16];
    struct amd_mec_stream stream;

    check_mec_load(&mec, 0, 0, true);
    check_mec_signal(&mec, 0, 0);
    for (uint32_t i = 0; i < DONE; i++) {
        put_barrier(packets[0], 0);
        check_mec_aql(&mec, 0, packets[0], false);
    }
    check_mec_run(&mec);
    ck_assert(amd_mec_stream(&mec.gpu.mec, 0, &stream));
    ck_assert_uint_eq(stream.read, DONE);
    ck_assert_uint_eq(amd_mec_stream_read(&mec.gpu.mec, 0, &stream, found, 16), 0);
    check_mec_signal(&mec, 0, 1);
    for (uint32_t i = 0; i < WAITING; i++) {
        put_barrier(packets[i], i + 1);
        check_mec_aql(&mec, 0, packets[i], false);
    }
    check_mec_run(&mec);
    ck_assert(amd_mec_stream(&mec.gpu.mec, 0, &stream));
    ck_assert(stream.is_aql);
    ck_assert_uint_eq(stream.doorbell_index, 1);
    ck_assert_uint_eq(stream.read, DONE);
    ck_assert_uint_eq(stream.write, DONE + WAITING);
    ck_assert_uint_eq(stream.ib.dword_count, 0);
    for (uint32_t count = 16; count <= WAITING * 16 + 16; count += 16) {
        const uint32_t there = count < WAITING * 16 ? count : WAITING * 16;

        ck_assert_uint_eq(amd_mec_stream_read(&mec.gpu.mec, 0, &stream, found, count), there);
        ck_assert_int_eq(memcmp(found, packets, there * sizeof found[0]), 0);
    }
}
END_TEST

/* WAIT_REG_MEM for a dword of memory that nobody writes, in the ring or in an indirect buffer. */
START_TEST(pm4_is_read_from_where_it_comes)
{
    // clang-format off
    const uint32_t wait[] = {3u << 30 | 5u << 16 | AMD_PM4_WAIT_REG_MEM << 8, 3 | 1u << 4,
                             (uint32_t)MEC_DATA, (uint32_t)(MEC_DATA >> 32), 7, UINT32_MAX, 4};
    // clang-format on
    const uint32_t call[] = {3u << 30 | 2u << 16 | AMD_PM4_INDIRECT_BUFFER << 8, (uint32_t)MEC_IB,
                             (uint32_t)(MEC_IB >> 32), 1u << 23 | 7};
    const uint32_t *before = _i ? call : wait;
    struct amd_mec_stream stream;
    uint32_t found[20];

    check_mec_load(&mec, 1, 1, false);
    check_mec_poke(&mec, MEC_IB, wait, sizeof wait);
    check_mec_pm4(&mec, 1, before, _i ? 4 : 7);
    check_mec_run_to(&mec, UINT64_C(1000000000));
    ck_assert(amd_mec_stream(&mec.gpu.mec, 1, &stream));
    ck_assert(!stream.is_aql);
    ck_assert_uint_eq(stream.ib.dword_count, _i ? 7 : 0);
    ck_assert_uint_eq(stream.ib.address, _i ? MEC_IB : 0);
    ck_assert_uint_eq(amd_mec_stream_read(&mec.gpu.mec, 1, &stream, found, 20), 7);
    ck_assert_int_eq(memcmp(found, wait, sizeof wait), 0);
}
END_TEST

START_TEST(a_slot_without_a_queue_has_no_stream)
{
    struct amd_mec_stream stream;

    check_mec_load(&mec, 0, 0, true);
    ck_assert(amd_mec_stream(&mec.gpu.mec, 0, &stream));
    ck_assert(!amd_mec_stream(&mec.gpu.mec, 1, &stream));
}
END_TEST

Suite *amd_mec_stream_suite(void)
{
    Suite *suite = suite_create("amd_mec_stream");
    TCase *tcase = tcase_create("looking");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, packets_are_read_over_the_end_of_the_ring);
    tcase_add_loop_test(tcase, pm4_is_read_from_where_it_comes, 0, 2);
    tcase_add_test(tcase, a_slot_without_a_queue_has_no_stream);
    suite_add_tcase(suite, tcase);
    return suite;
}
