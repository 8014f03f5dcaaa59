/* SPDX-License-Identifier: MIT */
/* The table of live operations and the places of blocks, against arrays that are searched. */
#include <config.h>

#include <check.h>

#include "emu/analysis/model/model_live.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

enum { IDS = 300, KINDS = 4, STEPS = 20000 };

/* Each number of each kind, added and removed by chance, is found while it lives and only then. */
START_TEST(operations_are_found_while_they_live)
{
    struct model_lives lives = {0};
    uint64_t number_of[KINDS][IDS] = {{0}}, last[KINDS] = {0}, live_count = 0, most = 0;

    for (uint64_t step = 0; step < STEPS; step++) {
        const uint64_t chance = random_splitmix64(step);
        const enum model_operation kind = (enum model_operation)(1 + chance % 3);
        const uint64_t at = chance / 4 % IDS, id = at * UINT64_C(0x100000001); /* close together */
        struct model_live *live = model_lives_find(&lives, kind, id);

        ck_assert_int_eq(live != NULL, number_of[kind][at] != 0);
        if (live) {
            ck_assert_uint_eq(live->id, id);
            ck_assert_uint_eq(live->number, number_of[kind][at]);
        }
        if (live && chance >> 40 & 1) {
            model_lives_remove(&lives, live);
            number_of[kind][at] = 0;
            live_count--;
        } else if (!live) {
            live = model_lives_add(&lives, kind, id, step);
            ck_assert_ptr_nonnull(live);
            number_of[kind][at] = ++last[kind];
            most = ++live_count > most ? live_count : most;
        }
    }
    ck_assert_uint_eq(lives.live_end - lives.free_count, live_count);
    ck_assert_uint_eq(lives.live_end, most); /* slots are used again */
    model_lives_fini(&lives);
}
END_TEST

START_TEST(places_grow_to_the_limit)
{
    struct model_lives lives = {0};

    for (uint64_t i = 0; i < MODEL_PLACES_MAX; i++)
        ck_assert_ptr_nonnull(model_lives_put(&lives, &(struct model_block){1, i, 5, 0}, i));
    ck_assert_ptr_null(
        model_lives_put(&lives, &(struct model_block){1, MODEL_PLACES_MAX, 5, 0}, 9));
    ck_assert_ptr_nonnull(model_lives_put(&lives, &(struct model_block){1, 0, 6, 0}, 9));
    ck_assert_ptr_null(model_lives_put(&lives, &(struct model_block){1, 0, MODEL_SM_IDS, 0}, 9));
    for (uint64_t i = 0; i < MODEL_PLACES_MAX; i += 17) {
        const struct model_stay *stay = model_lives_stay(&lives, &(struct model_block){1, i, 5, 0});

        ck_assert_ptr_nonnull(stay);
        ck_assert_uint_eq(stay->since_ps, i);
    }
    ck_assert(!lives.no_memory);
    model_lives_fini(&lives);
}
END_TEST

Suite *model_live_suite(void)
{
    Suite *suite = suite_create("model_live");
    TCase *all = tcase_create("all");

    tcase_add_test(all, operations_are_found_while_they_live);
    tcase_add_test(all, places_grow_to_the_limit);
    suite_add_tcase(suite, all);
    return suite;
}
