/* SPDX-License-Identifier: MIT */
/* Addition in integers against the host's floating point. */
#include <config.h>

#include <check.h>
#include <math.h>
#include <string.h>

#include "devices/nvidia/formats/nv_float.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

enum { SIGN_BIT = 31, NOT_A_NUMBER = 0x7fffffff };

static float number(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Numbers too small to be normal are zero of their sign. */
static uint32_t flushed(uint32_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 1u << SIGN_BIT;
}

static uint32_t host_sum(uint32_t a, uint32_t b)
{
    const volatile float sum = number(flushed(a)) + number(flushed(b));
    const float value = sum;
    uint32_t bits;

    if (isnan(value))
        return NOT_A_NUMBER;
    memcpy(&bits, &value, sizeof bits);
    return flushed(bits);
}

static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x3f800000,
    0xbf800000, 0x3f800001, 0x33800000, 0x33800001, 0xb3800000, 0x34000000, 0x4b800000, 0x4b7fffff,
    0x7f7fffff, 0xff7fffff, 0x7f000000, 0x73000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
};

START_TEST(edges_add_up)
{
    enum { COUNT = sizeof edges / sizeof edges[0] };

    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < COUNT; k++)
            ck_assert_msg(nv_float_add(edges[i], edges[k]) == host_sum(edges[i], edges[k]),
                          "%08x + %08x = %08x, not %08x", edges[i], edges[k],
                          host_sum(edges[i], edges[k]), nv_float_add(edges[i], edges[k]));
}
END_TEST

/* Bits at random, and pairs whose exponents are close, where rounding and cancelling happen. */
START_TEST(any_two_numbers_add_up)
{
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 1);
    for (uint32_t i = 0; i < 200000; i++) {
        const uint32_t a = random_next(&random);
        uint32_t b = random_next(&random);

        if (i % 2)
            b = (b & 0x807fffff) | ((a >> 23 & 0xff) + random_below(&random, 27)) % 255 << 23;
        ck_assert_msg(nv_float_add(a, b) == host_sum(a, b), "%08x + %08x = %08x, not %08x", a, b,
                      host_sum(a, b), nv_float_add(a, b));
    }
}
END_TEST

Suite *nv_float_suite(void)
{
    Suite *suite = suite_create("nv_float");
    TCase *tcase = tcase_create("sums");

    tcase_add_test(tcase, edges_add_up);
    tcase_add_loop_test(tcase, any_two_numbers_add_up, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite;
}
