/* SPDX-License-Identifier: MIT */
/* Blocks one above the other: lowest gap first, in pieces when no gap is high enough. */
#include <config.h>

#include <check.h>

#include "emu/views/show_stack.h"
#include "tests/suites.h"

static struct show_stack stack;

static void setup(void)
{
    show_stack_init(&stack, 2048, 0);
}

static void teardown(void)
{
    show_stack_fini(&stack);
}

/* Puts a block down that lies in one piece; returns its bottom. */
static uint32_t put(gfe_ps begin_ps, gfe_ps end_ps, uint32_t height)
{
    ck_assert(show_stack_put(&stack, begin_ps, end_ps, height));
    ck_assert_uint_eq(stack.piece_count, 1);
    ck_assert_uint_eq(stack.pieces[0].height, height);
    return stack.pieces[0].bottom;
}

START_TEST(blocks_lie_in_the_lowest_gap)
{
    ck_assert_uint_eq(put(0, 10, 512), 0);
    ck_assert_uint_eq(put(0, 30, 512), 512);
    ck_assert_uint_eq(put(0, 30, 512), 1024);
    ck_assert_uint_eq(put(9, 30, 512), 1536); /* the first is still there */
    ck_assert_uint_eq(put(10, 20, 256), 0);   /* and now it is gone */
    ck_assert_uint_eq(put(11, 20, 256), 256);
    show_stack_clear(&stack);
    ck_assert_uint_eq(put(0, 10, 1024), 0);
}
END_TEST

START_TEST(what_fits_no_gap_lies_in_pieces)
{
    for (gfe_ps i = 0; i < 4; i++)
        (void)put(0, i % 2 ? 20 : 10, 512);
    ck_assert(show_stack_put(&stack, 10, 20, 1000));
    ck_assert_uint_eq(stack.piece_count, 2);
    ck_assert_uint_eq(stack.pieces[0].bottom, 0);
    ck_assert_uint_eq(stack.pieces[0].height, 512);
    ck_assert_uint_eq(stack.pieces[1].bottom, 1024);
    ck_assert_uint_eq(stack.pieces[1].height, 488);
    ck_assert_uint_eq(put(11, 20, 24), 1512); /* what is left of the gap */
    ck_assert_uint_eq(put(20, 30, 2048), 0);  /* both pieces are gone */
}
END_TEST

/* A block that comes back lies where it was, unless another one is there. */
START_TEST(a_place_is_kept_if_it_is_free)
{
    ck_assert(show_stack_put_at(&stack, 0, 10, 512, 1024));
    ck_assert_uint_eq(stack.pieces[0].bottom, 1024);
    ck_assert(show_stack_put_at(&stack, 1, 10, 512, 1024));
    ck_assert_uint_eq(stack.pieces[0].bottom, 0);
    ck_assert(show_stack_put_at(&stack, 2, 10, 512, 1537)); /* it would leave the SM */
    ck_assert_uint_eq(stack.pieces[0].bottom, 512);
    ck_assert(show_stack_put_at(&stack, 10, 20, 512, 1024));
    ck_assert_uint_eq(stack.pieces[0].bottom, 1024);
}
END_TEST

/* A.D5: on a CU of 2,560 threads ten blocks of four waves; an eleventh starts when waves of others
 * have ended.  It takes three waves of the oldest and one of the next. */
START_TEST(waves_give_back_their_room_one_by_one)
{
    show_stack_fini(&stack);
    show_stack_init(&stack, 2560, 64);
    for (gfe_ps i = 0; i < 10; i++)
        (void)put(i, 100, 256);
    ck_assert(show_stack_put(&stack, 20, 90, 256));
    ck_assert_uint_eq(stack.piece_count, 2);
    ck_assert_uint_eq(stack.pieces[0].bottom, 64);
    ck_assert_uint_eq(stack.pieces[0].height, 192);
    ck_assert_uint_eq(stack.pieces[1].bottom, 448);
    ck_assert_uint_eq(stack.pieces[1].height, 64);
    ck_assert_uint_eq(put(90, 100, 192), 64);
}
END_TEST

/* No SM lets this through; a damaged log may say so. */
START_TEST(too_much_lies_above_the_ceiling)
{
    (void)put(0, 10, 2000);
    ck_assert(show_stack_put(&stack, 1, 10, 100));
    ck_assert_uint_eq(stack.piece_count, 2);
    ck_assert_uint_eq(stack.pieces[0].bottom, 2000);
    ck_assert_uint_eq(stack.pieces[0].height, 48);
    ck_assert_uint_eq(stack.pieces[1].bottom, 2048);
    ck_assert_uint_eq(put(2, 10, 7), 2048 + 52);
    ck_assert_uint_eq(put(10, 20, 2048), 0);
}
END_TEST

/* Whatever comes and goes, as long as it fits the SM: pieces never overlap and never leave it. */
/* PROMISE (views): Blocks never overlap and never leave the SM while its threads suffice (5,000
 * random blocks). */
START_TEST(many_blocks_share_the_sm)
{
    enum { STEPS = 5000 };
    uint8_t taken[2048];
    uint64_t random = 1;
    struct {
        gfe_ps end_ps;
        uint32_t height, piece_count;
        struct show_stack_piece pieces[64];
    } blocks[64];
    uint32_t count = 0, in_pieces = 0;

    for (gfe_ps now_ps = 0; now_ps < STEPS; now_ps++) {
        uint32_t kept = 0, free_threads = 2048;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint32_t height = 32 * (1 + (uint32_t)(random >> 40) % 32);
        for (uint32_t i = 0; i < count; i++)
            if (blocks[i].end_ps > now_ps) {
                free_threads -= blocks[i].height;
                blocks[kept++] = blocks[i];
            }
        count = kept;
        if (height > free_threads)
            continue;
        blocks[count].end_ps = now_ps + 1 + (random >> 50) % 40;
        blocks[count].height = height;
        ck_assert(show_stack_put(&stack, now_ps, blocks[count].end_ps, height));
        ck_assert_uint_le(stack.piece_count, 64);
        blocks[count].piece_count = stack.piece_count;
        in_pieces += stack.piece_count > 1;
        for (uint32_t i = 0; i < stack.piece_count; i++)
            blocks[count].pieces[i] = stack.pieces[i];
        count++;
        for (uint32_t i = 0; i < sizeof taken; i++)
            taken[i] = 0;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t p = 0; p < blocks[i].piece_count; p++)
                for (uint32_t t = 0; t < blocks[i].pieces[p].height; t++) {
                    ck_assert_uint_lt(blocks[i].pieces[p].bottom + t, sizeof taken);
                    ck_assert_uint_eq(taken[blocks[i].pieces[p].bottom + t]++, 0);
                }
    }
    ck_assert_uint_gt(in_pieces, 100);
}
END_TEST

Suite *show_stack_suite(void)
{
    Suite *suite = suite_create("show_stack");
    TCase *tcase = tcase_create("stack");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, blocks_lie_in_the_lowest_gap);
    tcase_add_test(tcase, what_fits_no_gap_lies_in_pieces);
    tcase_add_test(tcase, a_place_is_kept_if_it_is_free);
    tcase_add_test(tcase, waves_give_back_their_room_one_by_one);
    tcase_add_test(tcase, too_much_lies_above_the_ceiling);
    tcase_add_test(tcase, many_blocks_share_the_sm);
    suite_add_tcase(suite, tcase);
    return suite;
}
