/* SPDX-License-Identifier: MIT */
/* The axis of time: places and cuts. */
#include <config.h>

#include <check.h>

#include "emu/views/show_scale.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

START_TEST(long_idle_times_are_cut)
{
    struct loaded loaded;
    struct show_scale scale, plain;

    load_scene(&loaded, log_scene_compute);
    ck_assert(show_scale_init(&scale, &loaded.show, 1000000, 40000, true, NULL));
    ck_assert_uint_eq(scale.cut_count, 1);
    ck_assert_uint_eq(scale.span_count, 3);
    ck_assert(scale.spans[1].is_cut);
    ck_assert_uint_gt(scale.spans[1].to_ps - scale.spans[1].from_ps, MS(13));
    ck_assert_uint_eq(scale.spans[1].to_x - scale.spans[1].from_x, 40000);
    ck_assert_uint_eq(scale.spans[2].to_x, 1000000);
    ck_assert(show_scale_init(&plain, &loaded.show, 1000000, 40000, false, NULL));
    ck_assert_uint_eq(plain.cut_count, 0);
    ck_assert_uint_eq(plain.span_count, 1);
    show_scale_fini(&scale);
    show_scale_fini(&plain);
    unload(&loaded);
}
END_TEST

/* Places never run backwards, and both sides of a cut have the same scale. */
START_TEST(places_follow_time)
{
    struct loaded loaded;
    struct show_scale scale;
    uint32_t last = 0;

    load_scene(&loaded, log_scene_compute);
    ck_assert(show_scale_init(&scale, &loaded.show, 1000000, 40000, true, NULL));
    for (gfe_ps time = MS(12); time < MS(27); time += NS(333)) {
        const uint32_t x = show_scale_x(&scale, time);
        ck_assert_uint_ge(x, last);
        ck_assert_uint_le(x, 1000000);
        last = x;
    }
    ck_assert_uint_eq(last, 1000000);
    const gfe_ps left = scale.spans[0].from_ps, right = scale.spans[2].from_ps;
    const uint32_t left_x = show_scale_x(&scale, left + US(5)) - show_scale_x(&scale, left);
    const uint32_t right_x = show_scale_x(&scale, right + US(5)) - show_scale_x(&scale, right);
    ck_assert_uint_le(left_x > right_x ? left_x - right_x : right_x - left_x, 1);
    show_scale_fini(&scale);
    unload(&loaded);
}
END_TEST

Suite *show_scale_suite(void)
{
    Suite *suite = suite_create("show_scale");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, long_idle_times_are_cut);
    tcase_add_test(tcase, places_follow_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
