/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/suites.h"
#include "traces/format/trace_aql.h"
#include "traces/format/trace_sdma.h"

enum { BYTES = 64 };
#define SIGNAL UINT64_C(0x7f0000001000)

static uint8_t packet[BYTES];

static void put(uint32_t at, uint64_t value)
{
    memcpy(&packet[at], &value, sizeof value);
}

static void begin(uint32_t header)
{
    memset(packet, 0, sizeof packet);
    memcpy(packet, &header, sizeof header);
}

/* Of a barrier-and and a barrier-or each signal that is there; of others none. */
START_TEST(barriers_wait_for_their_signals)
{
    static const uint32_t types[] = {3, 5, 2, 4, 1, 0};
    uint64_t waits[TRACE_AQL_WAITS_MAX];
    bool completes;

    begin(types[_i] | 1u << 8);
    put(8, SIGNAL);
    put(24, SIGNAL + 64);
    put(40, SIGNAL + 128);
    put(56, SIGNAL + 192);
    if (_i < 2) {
        ck_assert_uint_eq(trace_aql(packet, BYTES, waits, &completes), 3);
        ck_assert_uint_eq(waits[0], SIGNAL + 8);
        ck_assert_uint_eq(waits[1], SIGNAL + 64 + 8);
        ck_assert_uint_eq(waits[2], SIGNAL + 128 + 8);
    } else
        ck_assert_uint_eq(trace_aql(packet, BYTES, waits, &completes), 0);
    ck_assert(completes == (types[_i] != 1));
    put(56, 0);
    (void)trace_aql(packet, BYTES, waits, &completes);
    ck_assert(!completes);
    ck_assert_uint_eq(trace_aql(packet, BYTES - 1, waits, &completes), 0);
}
END_TEST

/* AMD's own: the vendor's packet of that format has one. */
START_TEST(barrier_values_wait_for_one)
{
    uint64_t waits[TRACE_AQL_WAITS_MAX];
    bool completes;

    begin(2u << 16);
    put(8, SIGNAL);
    put(16, SIGNAL + 64); /* the value */
    ck_assert_uint_eq(trace_aql(packet, BYTES, waits, &completes), 1);
    ck_assert_uint_eq(waits[0], SIGNAL + 8);
    begin(1u << 16); /* an indirect buffer of PM4 */
    put(8, SIGNAL);
    ck_assert_uint_eq(trace_aql(packet, BYTES, waits, &completes), 0);
}
END_TEST

/* POLL_REGMEM of memory waits for four bytes; of a register for none. */
START_TEST(polls_of_sdma_wait_for_memory)
{
    uint32_t dwords[6] = {8 | 1u << 31, (uint32_t)SIGNAL, SIGNAL >> 32};
    uint64_t address, bytes;
    uint8_t data[sizeof dwords];

    memcpy(data, dwords, sizeof data);
    ck_assert_int_eq(trace_sdma(data, sizeof data, &address, &bytes), TRACE_SDMA_BYTES);
    ck_assert_uint_eq(address, SIGNAL);
    ck_assert_uint_eq(bytes, 4);
    ck_assert_int_eq(trace_sdma(data, sizeof data - 4, &address, &bytes), TRACE_SDMA_NOTHING);
    dwords[0] = 8;
    memcpy(data, dwords, sizeof data);
    ck_assert_int_eq(trace_sdma(data, sizeof data, &address, &bytes), TRACE_SDMA_NOTHING);
}
END_TEST

Suite *trace_aql_suite(void)
{
    Suite *suite = suite_create("trace_aql");
    TCase *tcase = tcase_create("packets");

    tcase_add_loop_test(tcase, barriers_wait_for_their_signals, 0, 6);
    tcase_add_test(tcase, barrier_values_wait_for_one);
    tcase_add_test(tcase, polls_of_sdma_wait_for_memory);
    suite_add_tcase(suite, tcase);
    return suite;
}
