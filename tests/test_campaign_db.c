/* SPDX-License-Identifier: MIT */
/* The database of a campaign: what stands there, what does not, and what cannot be read. */
#include <config.h>

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/faults/campaign_db.h"
#include "tests/suites.h"

static char path[] = "/tmp/gfe-test-campaign-XXXXXX";
static struct campaign_db *db;

static void setup(void)
{
    struct gfe_error error = {0};

    (void)snprintf(path, sizeof path, "/tmp/gfe-test-campaign-XXXXXX");
    ck_assert_int_eq(close(mkstemp(path)), 0);
    db = campaign_db_open(path, CAMPAIGN_DB_WRITE, &error);
    ck_assert_msg(db != NULL, "%s", error.text);
}

static void teardown(void)
{
    campaign_db_close(db);
    ck_assert_int_eq(unlink(path), 0);
}

START_TEST(a_text_is_there_or_not)
{
    struct gfe_error error = {0};
    char *value;

    ck_assert(campaign_db_set(db, "hash", "12ab", &error));
    ck_assert(campaign_db_get(db, "hash", &value, &error));
    ck_assert_str_eq(value, "12ab");
    free(value);
    ck_assert(campaign_db_get(db, "folder", &value, &error));
    ck_assert_ptr_null(value);
    ck_assert_int_eq(error.kind, ERROR_NONE);
}
END_TEST

/* A campaign whose hash cannot be read is not one that was never begun. */
START_TEST(without_memory_nothing_is_said_of_a_text)
{
    struct gfe_error error = {0};
    char *value = path;

    ck_assert(campaign_db_set(db, "hash", "12ab", &error));
    (void)sqlite3_hard_heap_limit64(1);
    ck_assert(!campaign_db_get(db, "hash", &value, &error));
    ck_assert_ptr_null(value);
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    error = (struct gfe_error){0};
    ck_assert(!campaign_db_is_begun(db, &error));
    ck_assert_ptr_null(strstr(error.text, "no campaign was begun"));
    (void)sqlite3_hard_heap_limit64(0);
}
END_TEST

Suite *campaign_db_suite(void)
{
    Suite *suite = suite_create("campaign_db");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_text_is_there_or_not);
    tcase_add_test(tcase, without_memory_nothing_is_said_of_a_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
