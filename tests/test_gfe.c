/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/gfe.h"
#include "tests/suites.h"

/* The library answers with the version that configure.ac states. */
START_TEST(the_version_is_that_of_the_package)
{
    ck_assert_str_eq(gfe_version(), PACKAGE_VERSION);
}
END_TEST

Suite *gfe_suite(void)
{
    Suite *suite = suite_create("gfe");
    TCase *tcase = tcase_create("library");

    tcase_add_test(tcase, the_version_is_that_of_the_package);
    suite_add_tcase(suite, tcase);
    return suite;
}
