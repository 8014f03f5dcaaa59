/* SPDX-License-Identifier: MIT */
/*
 * The turns in which an H100 and an H200 start blocks.  The right values are what the GPUs did:
 * tests/hardware/data, sm_order.jsonl.gz, experiments `order` and `partial`, the same on both.
 *
 * A sequence names the groups of the SMs that the blocks 0, 1, 2, ... got: A to H are the virtual
 * GPCs, S the SMs 124 to 131, and a number is how many blocks it got, if not one for each SM.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/core/dispatch_turns.h"
#include "tests/suites.h"

enum { SMS = 132, THREADS = 2048, GROUPS = 8, TEXT_BYTES = 2048 };

static const uint8_t tpcs[GROUPS] = {4, 8, 8, 8, 8, 8, 9, 9};

/* The SMs of a GPU, and what has been started on it. */
struct gpu {
    struct dispatch_groups groups;
    struct dispatch_turns turns;
    struct policy_sm sms[SMS];
    uint64_t grid_id;
};

static void gpu_make(struct gpu *gpu, char first_group)
{
    *gpu = (struct gpu){.grid_id = 0};
    dispatch_groups_make(&gpu->groups, tpcs, GROUPS, 4, 2);
    gpu->turns.warmth = DISPATCH_WARM;
    gpu->turns.next_group = (uint32_t)(first_group - 'A');
    for (uint32_t i = 0; i < SMS; i++)
        gpu->sms[i].free_threads = THREADS;
}

static char letter(const struct gpu *gpu, uint32_t sm)
{
    return "ABCDEFGHS"[gpu->groups.of_sm[sm]];
}

struct run {
    char *to;
    char group;
    uint32_t count;
};

static void run_end(const struct gpu *gpu, struct run *run)
{
    const char *at = run->group ? strchr("ABCDEFGHS", run->group) : NULL;
    const uint32_t whole = at ? gpu->groups.sm_counts[at - "ABCDEFGHS"] : 0;

    if (!run->group)
        return;
    run->to += run->count == whole ? sprintf(run->to, "%c ", run->group)
                                   : sprintf(run->to, "%c%u ", run->group, run->count);
}

/* Starts a kernel; `fit` of its blocks have room on an SM together.  Writes the sequence, and the
 * SM of each block. */
static void kernel_start(struct gpu *gpu, uint32_t blocks, uint32_t threads, uint32_t fit,
                         char text[TEXT_BYTES], uint8_t *on)
{
    struct run run = {.to = text};
    uint32_t own[SMS] = {0};

    gpu->grid_id++;
    for (uint32_t block = 0; block < blocks; block++) {
        uint32_t sm;

        for (uint32_t i = 0; i < SMS; i++)
            gpu->sms[i].fits = gpu->sms[i].free_threads >= threads && own[i] < fit;
        sm = dispatch_turns_pick(
            &gpu->turns, &gpu->groups, gpu->sms, SMS,
            &(struct dispatch_turns_kernel){.grid_id = gpu->grid_id, .left = blocks - block});
        ck_assert_uint_lt(sm, SMS);
        ck_assert(gpu->sms[sm].fits);
        gpu->sms[sm].free_threads -= threads;
        own[sm]++;
        on[block] = (uint8_t)sm;
        if (letter(gpu, sm) != run.group) {
            run_end(gpu, &run);
            run = (struct run){.to = run.to, .group = letter(gpu, sm)};
        }
        run.count++;
    }
    run_end(gpu, &run);
    run.to[-1] = 0;
}

/* ---- kernels that fill the GPU --------------------------------------------------------------- */

static const struct {
    uint32_t blocks, threads, fit;
    const char *turns;
} order[] = {
    {132, 1024, 1, "S A B C D E F G H"},
    {264, 1024, 2, "S A B C D E S F G H A B C D E F G H"},
    {660, 32, 5,
     "S A B C D E S F G H A B C S D E F G H A S B C D E F G S H A B C D E F G H A B C D E F G H"},
    {528, 512, 4, "S A B C D E S F G H A B C S D E F G H A S B C D E F G H A B C D E F G H"},
    {1056, 256, 8,
     "S A B C D E S F G H A B C S D E F G H A S B C D E F G S H A B C D E S F G H A B C S D E F G H "
     "A S B C D E F G H A B C D E F G H A B C D E F G H"},
    {1100, 128, 16,
     "S A B C D E S F G H A B C S D E F G H A S B C D E F G S H A B C D E S F G H A B C S D E F G H "
     "A S B C D E F G H A B C D E F G H A B C D E F G H S A4 B5 C5 D5 E5 F4 G4 H4"},
};

START_TEST(a_kernel_fills_the_gpu_in_the_turns_that_were_measured)
{
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, 'A');
    kernel_start(&gpu, order[_i].blocks, order[_i].threads, order[_i].fit, text, on);
    ck_assert_str_eq(text, order[_i].turns);
}
END_TEST

/* The first kernel of the H100's and of the H200's program (experiment `order`), up to where the
 * singletons came a ninth time. */
START_TEST(the_first_kernel_has_turns_of_its_own)
{
    static const char turns[] =
        "S A B S C D E S F G H S A B C D E S F G H A B C S D E F G H A S B C D E F G S H "
        "A B C D E F G H A B C D E F G H A B C D E F G H A B C D E F ";
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, 'A');
    gpu.turns.warmth = DISPATCH_COLD;
    kernel_start(&gpu, 1, 32, 32, text, on); /* the warm-up stays on the singletons */
    gpu.sms[on[0]].free_threads = THREADS;
    kernel_start(&gpu, 1100, 32, 32, text, on);
    ck_assert_msg(strncmp(text, turns, sizeof turns - 1) == 0, "%s", text);
    for (uint32_t i = 0; i < SMS; i++)
        gpu.sms[i].free_threads = THREADS;
    kernel_start(&gpu, 264, 1024, 2, text, on);
    ck_assert_str_eq(text, "S A B C D E S F G H A B C D E F G H");
}
END_TEST

/* 40 kernels of one block beside each other: streams_wide of an H100 (streams_32.jsonl.gz). */
START_TEST(small_kernels_go_where_they_were_measured)
{
    static const uint8_t sms[] = {124, 126, 128, 130, 125, 127, 129, 131, 0,  2,  4,  6,  8,  10,
                                  12,  14,  16,  18,  20,  22,  24,  26,  28, 30, 32, 34, 36, 38,
                                  40,  42,  44,  46,  48,  50,  52,  54,  56, 58, 60, 62};
    char text[TEXT_BYTES];
    uint8_t on[1];
    struct gpu gpu;

    gpu_make(&gpu, 'A');
    gpu.turns.singles_second = 1;
    for (uint32_t i = 0; i < sizeof sms; i++) {
        kernel_start(&gpu, 1, 32, 32, text, on);
        ck_assert_msg(on[0] == sms[i], "%u: SM %u", i, on[0]);
    }
}
END_TEST

/* Within a turn: TPC by TPC, both SMs; 128 to 131 come first in each second kernel. */
START_TEST(the_sms_of_a_turn_are_those_that_were_measured)
{
    static const uint8_t first[] = {124, 125, 126, 127, 128, 129, 130, 131, 0,   1,  16,
                                    17,  32,  33,  48,  49,  2,   3,   18,  19,  34, 35,
                                    50,  51,  64,  65,  78,  79,  92,  93,  106, 107};
    static const uint8_t last[] = {14, 15, 30, 31,  46,  47,  62,  63,  76,
                                   77, 90, 91, 104, 105, 118, 119, 122, 123};
    static const uint8_t second[] = {128, 129, 130, 131, 124, 125, 126, 127};
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, 'A');
    gpu.turns.singles_second = 1; /* the kernel before began with 128 */
    kernel_start(&gpu, SMS, 1024, 1, text, on);
    ck_assert_mem_eq(on, first, sizeof first);
    ck_assert_mem_eq(on + SMS - sizeof last, last, sizeof last);
    kernel_start(&gpu, SMS, 1024, 1, text, on);
    ck_assert_mem_eq(on, second, sizeof second);
}
END_TEST

/* ---- kernels that do not --------------------------------------------------------------------- */

/* What a kernel got whose blocks are no multiple of the SMs, and the group that its turns began
 * with. */
static const struct {
    uint32_t blocks, threads;
    char begins;
    const char *turns;
} partial[] = {
    {1, 256, 'A', "S1"},
    {7, 1024, 'A', "S7"},
    {16, 256, 'F', "S F1 G1 H1 A1 B1 C1 D1 E1"},
    {33, 256, 'G', "S G3 H3 A4 B3 C3 D3 E3 F3"},
    {66, 256, 'H', "S H7 A4 B8 C8 D8 E8 F8 G7"},
    {66, 1024, 'D', "S D8 E8 F8 G7 H7 A4 B8 C8"},
    {100, 256, 'A', "S A B12 C12 D12 E12 F12 G12 H12"},
    {100, 1024, 'E', "S E12 F12 G12 H12 A B12 C12 D12"},
    {131, 256, 'C', "S C D E F G H17 A B"},
    {133, 256, 'A', "S A B C D E F G H S1"},
    {150, 256, 'A', "S A B C D E F G H S A2 B2 C1 D1 E1 F1 G1 H1"},
    {150, 1024, 'G', "S G H A B C D E F S G1 H1 A2 B2 C1 D1 E1 F1"},
    {200, 256, 'B', "S B C D E F G H A S B8 C8 D8 E8 F8 G8 H8 A4"},
    {250, 256, 'C', "S C D E F G H A B S C15 D14 E14 F14 G15 H15 A B15"},
    {300, 256, 'H', "S H A B C D S E F G H A B C D E F G S H3 A4 B4 C4 D4 E3 F3 G3"},
};

START_TEST(what_does_not_fill_the_gpu_is_shared_out_as_it_was_measured)
{
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, partial[_i].begins);
    kernel_start(&gpu, partial[_i].blocks, partial[_i].threads, THREADS / partial[_i].threads, text,
                 on);
    ck_assert_str_eq(text, partial[_i].turns);
}
END_TEST

/* Half of a group: one SM of each TPC, then the others. */
START_TEST(a_share_is_on_one_sm_of_each_tpc_first)
{
    static const uint8_t sms[] = {124, 125, 126, 127, 128, 129, 130, 131, 12, 28, 44,
                                  14,  30,  46,  0,   16,  32,  48,  2,   18, 34, 4,
                                  20,  36,  6,   22,  38,  8,   24,  40,  10, 26, 42};
    static const uint8_t more[] = {2, 3, 18, 19, 34, 35, 50, 51, 64, 78, 92, 106};
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, 'G');
    gpu.turns.singles_second = 1;
    kernel_start(&gpu, 33, 256, 8, text, on);
    ck_assert_mem_eq(on, sms, sizeof sms);
    gpu_make(&gpu, 'A');
    kernel_start(&gpu, 100, 256, 8, text, on);
    ck_assert_mem_eq(on + 16, more, sizeof more);
}
END_TEST

/* A kernel of 264 blocks of 256 threads behind one of 16 of the same kind, which still runs: the
 * SMs without a block come first.  (Then the GPU gave the singletons their turn before the last
 * group's, which is not understood.) */
START_TEST(the_emptiest_sms_come_first)
{
    static const char measured[] = "G17 H17 A7 B15 C15 D15 E15 ";
    char text[TEXT_BYTES];
    uint8_t on[2048];
    struct gpu gpu;

    gpu_make(&gpu, 'F');
    kernel_start(&gpu, 16, 256, 8, text, on);
    kernel_start(&gpu, 264, 256, 8, text, on);
    text[sizeof measured - 1] = 0;
    ck_assert_str_eq(text, measured);
}
END_TEST

/* ---- other chips ----------------------------------------------------------------------------- */

/* Not measured: where the groups are not known, as alternative most-free. */
START_TEST(one_group_is_filled_by_number_the_emptiest_first)
{
    struct dispatch_groups groups;
    struct dispatch_turns turns = {.grid_id = 0};
    struct policy_sm sms[] = {{1, 64, 0}, {1, 128, 0}, {0, 256, 0}, {1, 128, 0}};
    static const uint32_t expected[] = {1, 3, 0, POLICY_NONE};

    dispatch_groups_make_one(&groups, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t sm = dispatch_turns_pick(
            &turns, &groups, sms, 4, &(struct dispatch_turns_kernel){.grid_id = 1, .left = 8 - i});

        ck_assert_uint_eq(sm, expected[i]);
        if (sm != POLICY_NONE)
            sms[sm].fits = 0;
    }
}
END_TEST

Suite *dispatch_turns_suite(void)
{
    Suite *suite = suite_create("dispatch_turns");
    TCase *cases = tcase_create("turns");

    tcase_add_loop_test(cases, a_kernel_fills_the_gpu_in_the_turns_that_were_measured, 0,
                        sizeof order / sizeof order[0]);
    tcase_add_test(cases, the_first_kernel_has_turns_of_its_own);
    tcase_add_test(cases, small_kernels_go_where_they_were_measured);
    tcase_add_test(cases, the_sms_of_a_turn_are_those_that_were_measured);
    tcase_add_loop_test(cases, what_does_not_fill_the_gpu_is_shared_out_as_it_was_measured, 0,
                        sizeof partial / sizeof partial[0]);
    tcase_add_test(cases, a_share_is_on_one_sm_of_each_tpc_first);
    tcase_add_test(cases, the_emptiest_sms_come_first);
    tcase_add_test(cases, one_group_is_filled_by_number_the_emptiest_first);
    suite_add_tcase(suite, cases);
    return suite;
}
