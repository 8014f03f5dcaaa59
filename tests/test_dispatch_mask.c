/* SPDX-License-Identifier: MIT */
/*
 * Kernels with masks of SMs and the queue of kernels: CORE.MASK_PASSED.  Measured on an H100
 * (tests/hardware/data/h100, green_contexts of blocks): two kernels of 100 blocks, each on 32 SMs
 * of its own with room for 64, and one of 132 blocks that may have every SM.  All three began
 * within 24 us, the third on the 68 SMs that the others may not have.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>

#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US

static struct cuda_run run;

#define KERNEL(name, count, mask, stream)                                                          \
    "{\"launch\":{\"name\":\"" name "\",\"blocks\":" count                                         \
    ",\"threads\":1024,\"spin\":0.0005" mask "},\"stream\":\"" stream "\"}"
#define MASK(bits) ",\"sm_mask\":\"~" bits "\""

static void begin(const char *gpu, const char *calls, const char *const *settings)
{
    char text[4096];
    const char *const files[] = {text, NULL};

    ck_assert_int_lt(snprintf(text, sizeof text,
                              "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[{\"name\":\"a\"},"
                              "{\"name\":\"b\"},{\"name\":\"c\"}],\"tasks\":[{\"name\":\"t\","
                              "\"calls\":[%s]}]}]}",
                              calls),
                     (int)sizeof text);
    cuda_run_begin(&run, gpu, 0, files, settings);
}

static const char measured[] = KERNEL("K1", "100", MASK("55555555"), "a") "," KERNEL(
    "K2", "100", MASK("aaaaaaaa"), "b") "," KERNEL("K3", "132", "", "c");

/* PROMISE (program): On an H100 a kernel that finds no place on the SMs of its green context does
 * not hold up kernels that may have others. */
START_TEST(kernels_with_other_masks_pass)
{
    struct cuda_run_operation k[3];
    uint32_t masks = 0;

    begin("h100", measured, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        const char name[] = {'K', (char)('1' + i), '\0'};

        cuda_run_kernel(&run, name, 0, &k[i]);
        ck_assert_uint_lt(k[i].blocks[0].start_ps, 40 * US);
    }
    ck_assert_uint_gt(k[0].blocks[99].start_ps, 500 * US);
    ck_assert_uint_lt(k[2].blocks[131].start_ps, 40 * US);
    for (uint32_t i = 0; i < 132; i++)
        ck_assert_uint_ge(k[2].blocks[i].sm, 64); /* measured, too */
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert(k[0].blocks[i].sm < 64 && k[0].blocks[i].sm / 2 % 2 == 0);
        ck_assert(k[1].blocks[i].sm < 64 && k[1].blocks[i].sm / 2 % 2 == 1);
    }
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_GRID_MASK) {
            ck_assert_uint_eq(run.events[i].rule, RULE_CORE_MASK_PASSED);
            ck_assert_uint_eq(event_grid_mask_of(&run.events[i]).sms_per_bit, 2);
            masks++;
        }
    ck_assert_uint_eq(masks, 2);
    cuda_run_end(&run);
}
END_TEST

/* PROMISE (program): Kernels of green contexts start on the SMs of a real H100's, block by block.
 */
START_TEST(each_mask_has_turns_of_its_own)
{
    /* green_contexts of blocks: twice in each kernel; the second one's are two higher */
    static const uint32_t sms[] = {0, 1, 16, 17, 32, 33, 48, 49, 4,  5,  20, 21, 36, 37, 52, 53,
                                   8, 9, 24, 25, 40, 41, 56, 57, 12, 13, 28, 29, 44, 45, 60, 61};
    struct cuda_run_operation first, second;

    begin("h100",
          KERNEL("K0", "140", "", "c") ",{\"synchronize\":\"device\"}," KERNEL(
              "K1", "100", MASK("55555555"),
              "a") ",{\"sleep\":0.0001}," KERNEL("K2", "100", MASK("aaaaaaaa"), "b"),
          NULL);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K2", 0, &second);
    for (uint32_t i = 0; i < 64; i++) {
        ck_assert_uint_eq(first.blocks[i].sm, sms[i % 32]);
        ck_assert_uint_eq(second.blocks[i].sm, sms[i % 32] + 2);
    }
    cuda_run_end(&run);
}
END_TEST

/* As told, and on other GPUs, T.X1 knows no masks. */
START_TEST(kernels_with_masks_hold_others_up)
{
    static const struct {
        const char *gpu, *settings[3];
    } cases[] = {{"h100", {"core.masked_grids", "hold", NULL}}, {"rtx6000ada", {NULL}}};
    struct cuda_run_operation first, third;

    begin(cases[_i].gpu, measured, cases[_i].settings);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K3", 0, &third);
    ck_assert_uint_ge(third.blocks[0].start_ps, first.dispatched_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, third.hardware_id, RULE_T_X1), 400 * US);
    cuda_run_end(&run);
}
END_TEST

/* A kernel with the same mask waits for its turn, and one without any holds everything up. */
START_TEST(kernels_with_the_same_mask_wait)
{
    struct cuda_run_operation first, second, third;

    begin("h100",
          KERNEL("K1", "100", MASK("55555555"), "a") ",{\"sleep\":0.0001}," KERNEL(
              "K2", "10", MASK("55555555"), "b") "," KERNEL("K3", "10", MASK("aaaaaaaa"), "c"),
          NULL);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K2", 0, &second);
    cuda_run_kernel(&run, "K3", 0, &third);
    ck_assert_uint_ge(second.blocks[0].start_ps, first.dispatched_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, second.hardware_id, RULE_T_X1), 400 * US);
    ck_assert_uint_lt(third.blocks[0].start_ps, 200 * US);
    cuda_run_end(&run);
    begin("h100",
          KERNEL("K1", "300", "", "a") ",{\"sleep\":0.0001}," KERNEL("K2", "10", MASK("aaaaaaaa"),
                                                                     "b"),
          NULL);
    cuda_run_kernel(&run, "K1", 0, &first);
    cuda_run_kernel(&run, "K2", 0, &second);
    ck_assert_uint_ge(second.blocks[0].start_ps, first.dispatched_ps);
    cuda_run_end(&run);
}
END_TEST

Suite *dispatch_mask_suite(void)
{
    Suite *suite = suite_create("dispatch_mask");
    TCase *tcase = tcase_create("masks");

    tcase_add_test(tcase, kernels_with_other_masks_pass);
    tcase_add_test(tcase, each_mask_has_turns_of_its_own);
    tcase_add_loop_test(tcase, kernels_with_masks_hold_others_up, 0, 2);
    tcase_add_test(tcase, kernels_with_the_same_mask_wait);
    suite_add_tcase(suite, tcase);
    return suite;
}
