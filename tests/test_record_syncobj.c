/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "tests/suites.h"
#include "traces/record/nouveau/record_syncobj.h"

/* PROMISE (traces): Numbers of synchronisation objects never come again. */
START_TEST(handles_are_the_lowest_free_and_numbers_never_come_again)
{
    struct record_syncobjs objects = {0};
    uint32_t destroyed, id;

    for (uint32_t handle = 1; handle <= 200; handle++)
        ck_assert_uint_eq(record_syncobj_create(&objects), handle);
    id = record_syncobj_find(&objects, 7)->id;
    ck_assert(record_syncobj_destroy(&objects, 7, &destroyed));
    ck_assert_uint_eq(destroyed, id);
    ck_assert_ptr_null(record_syncobj_find(&objects, 7));
    ck_assert(!record_syncobj_destroy(&objects, 7, &destroyed));
    ck_assert(!record_syncobj_destroy(&objects, 0, &destroyed));
    ck_assert(!record_syncobj_destroy(&objects, 5000, &destroyed));
    ck_assert_uint_eq(record_syncobj_create(&objects), 7);
    ck_assert_uint_eq(record_syncobj_find(&objects, 7)->id, 201);
    ck_assert_ptr_null(record_syncobj_by_id(&objects, id));
    ck_assert_ptr_null(record_syncobj_by_id(&objects, 0));
    record_syncobjs_free(&objects);
}
END_TEST

START_TEST(an_object_stays_while_a_handle_or_a_descriptor_may_name_it)
{
    struct record_syncobjs objects = {0};
    uint32_t first = record_syncobj_create(&objects), second, destroyed;

    second = record_syncobj_handle(&objects, 0);
    ck_assert_uint_ne(first, second);
    ck_assert_ptr_eq(record_syncobj_find(&objects, first), record_syncobj_find(&objects, second));
    ck_assert(record_syncobj_destroy(&objects, first, &destroyed));
    ck_assert_uint_eq(destroyed, 0);
    ck_assert_ptr_nonnull(record_syncobj_find(&objects, second));
    record_syncobj_find(&objects, second)->exported = true;
    ck_assert(record_syncobj_destroy(&objects, second, &destroyed));
    ck_assert_uint_eq(destroyed, 0);
    ck_assert_ptr_nonnull(record_syncobj_by_id(&objects, 1));
    record_syncobjs_free(&objects);
}
END_TEST

START_TEST(a_timeline_has_all_points_up_to_its_last)
{
    struct record_syncobj object = {.id = 1};

    ck_assert(!record_syncobj_has(&object, 0));
    record_syncobj_signal(&object);
    ck_assert(record_syncobj_has(&object, 0));
    ck_assert(!record_syncobj_has(&object, 1)); /* it is no timeline */
    record_syncobj_add_point(&object, 5);
    ck_assert(record_syncobj_has(&object, 1));
    ck_assert(record_syncobj_has(&object, 5));
    ck_assert(!record_syncobj_has(&object, 6));
    record_syncobj_add_point(&object, 3); /* a timeline's number never falls */
    ck_assert_uint_eq(object.point, 5);
    ck_assert(record_syncobj_has(&object, 5));
    record_syncobj_reset(&object);
    ck_assert(!record_syncobj_has(&object, 0));
}
END_TEST

START_TEST(a_copy_is_a_timeline_if_it_is_of_the_last_point)
{
    struct record_syncobj from = {.id = 1}, to = {.id = 2};

    record_syncobj_add_point(&from, 4);
    record_syncobj_add_point(&from, 9);
    record_syncobj_copy(&to, &from, 9);
    ck_assert(record_syncobj_has(&to, 9));
    record_syncobj_copy(&to, &from, 5); /* the last stands for 5 to 9 */
    ck_assert(record_syncobj_has(&to, 9));
    record_syncobj_copy(&to, &from, 4);
    ck_assert(record_syncobj_has(&to, 0));
    ck_assert(!record_syncobj_has(&to, 1));
    record_syncobj_copy(&to, &from, 0);
    ck_assert(record_syncobj_has(&to, 9));
}
END_TEST

Suite *record_syncobj_suite(void)
{
    Suite *suite = suite_create("record_syncobj");
    TCase *cases = tcase_create("objects");

    tcase_add_test(cases, handles_are_the_lowest_free_and_numbers_never_come_again);
    tcase_add_test(cases, an_object_stays_while_a_handle_or_a_descriptor_may_name_it);
    tcase_add_test(cases, a_timeline_has_all_points_up_to_its_last);
    tcase_add_test(cases, a_copy_is_a_timeline_if_it_is_of_the_last_point);
    suite_add_tcase(suite, cases);
    return suite;
}
