/* SPDX-License-Identifier: MIT */
/* A.M1: the flat mask of a program and the hardware's registers. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "firmware-models/kfd/kfd_cu_mask.h"
#include "tests/suites.h"

static uint32_t engines[AMD_SHADER_ENGINES_MAX];

static uint32_t split(const char *gpu, uint32_t low, uint32_t high, uint32_t bit_count)
{
    const uint32_t mask[KFD_CU_MASK_WORDS] = {low, high};

    return kfd_cu_mask_split(amd_chip_by_name(gpu), mask, bit_count, engines);
}

static void expect(uint32_t se0, uint32_t se1, uint32_t se2, uint32_t se3)
{
    const uint32_t expected[AMD_SHADER_ENGINES_MAX] = {se0, se1, se2, se3};

    ck_assert_mem_eq(engines, expected, sizeof expected);
}

struct place {
    uint32_t engine, array, cu;
};

/* The CU that bit `bit` of a flat mask stands for.  False: the chip has no so many. */
static bool place_of(const struct amd_chip *chip, uint32_t bit, struct place *place)
{
    uint32_t mask[KFD_CU_MASK_WORDS] = {0};

    mask[bit / 32] = 1u << bit % 32;
    if (kfd_cu_mask_split(chip, mask, KFD_CU_MASK_BITS_MAX, engines) == 0)
        return false;
    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX * 32; i++)
        if (engines[i / 32] == 1u << i % 32)
            *place = (struct place){i / 32, i % 32 / 16, i % 16};
    return true;
}

/* Otterness and Anderson 2022, Fig. 8. */
START_TEST(bit_i_is_shader_engine_i_mod_4_cu_i_div_4)
{
    const struct amd_chip *chip = amd_chip_by_name("radeon-vii");
    struct place place;

    for (uint32_t bit = 0; bit < 60; bit++) {
        ck_assert(place_of(chip, bit, &place));
        ck_assert_uint_eq(place.engine, bit % 4);
        ck_assert_uint_eq(place.array, 0);
        ck_assert_uint_eq(place.cu, bit / 4);
    }
    ck_assert(!place_of(chip, 60, &place));
    ck_assert(!place_of(chip, KFD_CU_MASK_BITS_MAX - 1, &place));
}
END_TEST

/* The masks of the paper's experiments. */
START_TEST(the_masks_of_the_paper)
{
    ck_assert_uint_eq(split("radeon-vii", 0x55555555, 0x05555555, 64), 30); /* packed, even */
    expect(0x7fff, 0, 0x7fff, 0);
    ck_assert_uint_eq(split("radeon-vii", 0xaaaaaaaa, 0x0aaaaaaa, 64), 30);
    expect(0, 0x7fff, 0, 0x7fff);
    ck_assert_uint_eq(split("radeon-vii", 0x55555555, 0x0d555555, 64), 31); /* packed, uneven */
    expect(0x7fff, 0, 0x7fff, 0x4000);
    ck_assert_uint_eq(split("radeon-vii", 0x3fffffff, 0, 64), 30); /* distributed */
    expect(0xff, 0xff, 0x7f, 0x7f);
    /* facts of a recorded HIP program: {0x00ff00ff, 0xff} */
    ck_assert_uint_eq(split("radeon-vii", 0x00ff00ff, 0xff, 64), 24);
    expect(0x333, 0x333, 0x333, 0x333);
}
END_TEST

START_TEST(bits_past_the_end_are_ignored)
{
    ck_assert_uint_eq(split("radeon-vii", UINT32_MAX, UINT32_MAX, 64), 60);
    expect(0x7fff, 0x7fff, 0x7fff, 0x7fff);
    ck_assert_uint_eq(split("radeon-vii", UINT32_MAX, UINT32_MAX, 32), 32);
    expect(0xff, 0xff, 0xff, 0xff);
    ck_assert_uint_eq(split("radeon-vii", 0, 0xf0000000, 64), 0); /* a queue without a CU */
    expect(0, 0, 0, 0);
    ck_assert_uint_eq(split("radeon-vii", 1, 0, 0), 0);
    kfd_cu_mask_all(engines);
    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++)
        ck_assert_uint_eq(engines[i], UINT32_MAX);
}
END_TEST

/* Eight shader engines. */
START_TEST(more_engines_have_more_registers)
{
    ck_assert_uint_eq(split("mi100", 0x1ff, 0, 32), 9);
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_uint_eq(engines[i], i == 0 ? 3 : 1);
}
END_TEST

/* Shader engines of unlike size, two shader arrays each, as some chips have: the driver deals each
 * CU number out to all arrays of all engines before the next, and skips those that have none. */
START_TEST(engines_of_unlike_size_are_skipped_when_they_are_full)
{
    const struct amd_chip chip = {
        .shader_engine_count = 2, .arrays_per_engine = 2, .engine_cus = {3, 2}, .cu_count = 5};
    static const struct place order[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}};
    const uint32_t mask = 0x1c;
    struct place place;

    for (uint32_t bit = 0; bit < 5; bit++) {
        ck_assert(place_of(&chip, bit, &place));
        ck_assert_mem_eq(&place, &order[bit], sizeof place);
    }
    ck_assert_uint_eq(kfd_cu_mask_split(&chip, &mask, 32, engines), 3);
    expect(0x10002, 0x10000, 0, 0);
}
END_TEST

Suite *kfd_cu_mask_suite(void)
{
    Suite *suite = suite_create("kfd_cu_mask");
    TCase *tcase = tcase_create("split");

    tcase_add_test(tcase, bit_i_is_shader_engine_i_mod_4_cu_i_div_4);
    tcase_add_test(tcase, the_masks_of_the_paper);
    tcase_add_test(tcase, bits_past_the_end_are_ignored);
    tcase_add_test(tcase, more_engines_have_more_registers);
    tcase_add_test(tcase, engines_of_unlike_size_are_skipped_when_they_are_full);
    suite_add_tcase(suite, tcase);
    return suite;
}
