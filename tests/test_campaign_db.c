/* SPDX-License-Identifier: MIT */
/* The database of a campaign: what stands there, what does not, and what cannot be read. */
#include <config.h>

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/faults/campaign_db_private.h"
#include "emu/faults/campaign_report.h"
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
    ck_assert_int_eq(
        sqlite3_exec(db->handle, "INSERT INTO campaign VALUES('folder', NULL)", NULL, NULL, NULL),
        SQLITE_OK);
    ck_assert(campaign_db_get(db, "folder", &value, &error)); /* a row without a text */
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

/* ---- files of strangers ---------------------------------------------------------------------- */

enum { FILE_BYTES_MAX = 1 << 17 };

/* Does something to the file that no campaign does, past gfe. */
static void tamper(const char *sql)
{
    sqlite3 *other = NULL;
    char *cause = NULL;

    ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(other, sql, NULL, NULL, &cause) == SQLITE_OK, "%s: %s", sql, cause);
    ck_assert_int_eq(sqlite3_close(other), SQLITE_OK);
}

/* Fills the file with a campaign of two strata and 40 experiments, and closes it. */
static void fill(void)
{
    static const char *const keys[][2] = {
        {"format", CAMPAIGN_DB_FORMAT},
        {"version", "1"},
        {"hash", "e2de99075c741e47"},
        {"experiments", "40"},
        {"shard", "1/1"},
        {"folder", "/srv"},
        {"plan", "{\"faults\": [{\"models\": [\"flip\", \"drop\"], \"site\": \"gp_entry\"}],"
                 " \"programs\": [\"compute.gft\"], \"samples\": 40}"},
    };
    struct campaign_db_stratum stratum = {.program = "compute.gft", .unit = "PBDMA", .faults = 99};
    struct campaign_row row = {.acted = 1, .activated = 1, .owners = {.count = 1}};
    struct gfe_error error = {0};
    bool good = campaign_db_begin(db, &error);

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        good = good && campaign_db_set(db, keys[i][0], keys[i][1], &error);
    stratum.site = "gp_entry";
    for (stratum.id = 0; stratum.id < 2; stratum.id++) {
        stratum.model = stratum.id == 0 ? "flip" : "drop";
        good = good && campaign_db_set_stratum(db, &stratum, &error);
    }
    (void)snprintf(row.fault, sizeof row.fault, "gp_entry flip=49 @#14");
    for (row.id = 0; row.id < 40; row.id++) {
        row.stratum = (uint32_t)row.id % 2;
        row.outcome = row.id % 3 == 0 ? OUTCOME_COLLATERAL : OUTCOME_MASKED;
        row.victim_count = row.id % 3 == 0;
        good = good && campaign_db_put(db, &row, &error);
    }
    good = good && campaign_db_commit(db, &error);
    ck_assert_msg(good, "%s", error.text);
    campaign_db_close(db);
    db = NULL;
}

/* Makes a report of the file, prints it in each format, and returns true if that went well. */
static bool report(struct gfe_error *error)
{
    struct campaign_report made = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    struct campaign_db *read = campaign_db_open(path, CAMPAIGN_DB_READ, error);
    const bool good = read && campaign_report_init(&made, read, error);

    ck_assert_ptr_nonnull(nowhere);
    if (good) {
        campaign_report_text(nowhere, &made);
        campaign_report_csv(nowhere, &made);
        campaign_report_html(nowhere, &made);
        ck_assert(campaign_report_json(nowhere, &made));
    }
    campaign_report_fini(&made);
    campaign_db_close(read);
    ck_assert_int_eq(fclose(nowhere), 0);
    return good;
}

/* What is done to a database, and what gfe says then. */
static const char *const tampered[][2] = {
    {"UPDATE stratum SET id=7 WHERE id=1", "not numbered from 0"},
    {"UPDATE stratum SET id=4000000000 WHERE id=1", "column id of stratum 4000000000"},
    {"UPDATE stratum SET id=-1 WHERE id=1", "column id of stratum -1"},
    {"UPDATE stratum SET family=256", "column family of stratum 0"},
    {"UPDATE stratum SET faults='12x'", "column faults of stratum 0"},
    {"UPDATE stratum SET site=x'6100'", "column site of stratum 0"},
    {"UPDATE stratum SET unit=printf('%200c', 'u')", "column unit of stratum 0"},
    {"UPDATE experiment SET id=-3 WHERE id=9", "column id of experiment -3"},
    {"UPDATE experiment SET stratum=2 WHERE id=9", "a stratum that is not there"},
    {"UPDATE experiment SET stratum='0x1' WHERE id=9", "column stratum of experiment 9"},
    {"UPDATE experiment SET outcome='Gone' WHERE id=9", "column outcome of experiment 9"},
    {"UPDATE experiment SET outcome=NULL WHERE id=9", "column outcome of experiment 9"},
    {"UPDATE experiment SET classes=256 WHERE id=9", "column classes of experiment 9"},
    {"UPDATE experiment SET pruned=2 WHERE id=9", "column pruned of experiment 9"},
    {"UPDATE experiment SET reach='moon' WHERE id=9", "column reach of experiment 9"},
    {"UPDATE experiment SET activated=9 WHERE id=9", "column activated of experiment 9"},
    {"UPDATE experiment SET acted=-1 WHERE id=9", "column acted of experiment 9"},
    {"UPDATE experiment SET late=1e300 WHERE id=9", "column late of experiment 9"},
    {"UPDATE experiment SET first_ps=-1 WHERE id=9", "column first_ps of experiment 9"},
    {"UPDATE experiment SET fault=printf('%9000c', 'f') WHERE id=9", "column fault of"},
    {"UPDATE experiment SET detected_by=printf('%32c', 'd')", "column detected_by of"},
    {"UPDATE experiment SET owner=printf('%256c', 'o')", "column owner of experiment 0"},
    {"UPDATE victim SET who=printf('%32c', 'v')", "column who of a victim"},
    {"UPDATE campaign SET value='1000000001' WHERE key='experiments'", "what was planned"},
    {"DROP TABLE victim", "its tables are others"},
    {"ALTER TABLE experiment ADD COLUMN x", "its tables are others"},
    {"ALTER TABLE experiment RENAME TO e; CREATE VIEW experiment AS SELECT * FROM e",
     "its tables are others"},
    {"PRAGMA journal_mode=WAL", "WAL mode"},
};

/* PROMISE (faults): No row of a stranger's campaign database is believed unseen: what gfe campaign
 * does not write is refused, with the row. */
START_TEST(a_row_that_no_campaign_writes_is_refused)
{
    struct gfe_error error = {0};

    fill();
    ck_assert_msg(report(&error), "%s", error.text);
    tamper(tampered[_i][0]);
    ck_assert(!report(&error));
    ck_assert_msg(error.kind == ERROR_INPUT && strstr(error.text, tampered[_i][1]), "%s: %s",
                  tampered[_i][0], error.text);
}
END_TEST

static uint64_t rows_in(struct campaign_db *of, const char *sql)
{
    struct gfe_error error = {0};
    sqlite3_stmt *asked = campaign_db_prepare(of, sql, &error);
    uint64_t count;

    ck_assert_msg(asked && sqlite3_step(asked) == SQLITE_ROW, "%s", error.text);
    count = (uint64_t)sqlite3_column_int64(asked, 0);
    ck_assert_int_eq(sqlite3_finalize(asked), SQLITE_OK);
    return count;
}

/* What is joined is there once, with its strata and victims; of a damaged part nothing is taken. */
START_TEST(parts_are_joined_once_or_not_at_all)
{
    static char whole_path[] = "/tmp/gfe-test-joined-XXXXXX";
    struct gfe_error error = {0};
    struct campaign_db *whole, *part;

    fill();
    ck_assert_int_eq(close(mkstemp(whole_path)), 0);
    whole = campaign_db_open(whole_path, CAMPAIGN_DB_WRITE, &error);
    ck_assert_msg(whole != NULL, "%s", error.text);
    for (int i = 0; i < 2; i++) {
        part = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
        ck_assert_msg(part && campaign_db_join(whole, part, &error), "%s", error.text);
        campaign_db_close(part);
        ck_assert_uint_eq(rows_in(whole, "SELECT count(*) FROM experiment"), 40);
        ck_assert_uint_eq(rows_in(whole, "SELECT count(*) FROM victim"), 14);
        ck_assert_uint_eq(rows_in(whole, "SELECT count(*) FROM stratum"), 2);
        ck_assert_uint_eq(rows_in(whole, "SELECT sum(id) FROM experiment"), 780);
    }
    tamper(
        "INSERT INTO experiment SELECT id + 40, stratum, fault, acted, first_ps, outcome, classes,"
        " detected_by, latency_ps, recovered, different, missing, extra, late, latest_ps,"
        " memory_words, owner, pruned, activated, reach FROM experiment");
    tamper("UPDATE experiment SET pruned=2 WHERE id=79");
    part = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    ck_assert(part && !campaign_db_join(whole, part, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "column pruned of experiment 79"));
    campaign_db_close(part);
    ck_assert_uint_eq(rows_in(whole, "SELECT count(*) FROM experiment"), 40);
    campaign_db_close(whole);
    ck_assert_int_eq(unlink(whole_path), 0);
}
END_TEST

/* One experiment alone, and those below a number. */
struct seen {
    uint64_t count, last;
};

static bool see(void *context, const struct campaign_db_row *row)
{
    struct seen *seen = context;

    seen->count++;
    seen->last = row->row.id;
    ck_assert_str_eq(row->row.fault, "gp_entry flip=49 @#14");
    return seen->count < 30;
}

static bool see_id(void *context, uint64_t id)
{
    struct seen *seen = context;

    ck_assert_uint_eq(id, seen->count++);
    return seen->count < 20;
}

START_TEST(experiments_are_read_in_order_until_the_reader_has_enough)
{
    struct gfe_error error = {0};
    struct seen seen = {0};

    fill();
    db = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    ck_assert(campaign_db_row(db, 17, see, &seen, &error));
    ck_assert(seen.count == 1 && seen.last == 17);
    ck_assert(campaign_db_row(db, 40, see, &seen, &error)); /* it is not there */
    ck_assert_uint_eq(seen.count, 1);
    seen = (struct seen){0};
    ck_assert(campaign_db_rows(db, 5, see, &seen, &error));
    ck_assert(seen.count == 5 && seen.last == 4);
    seen = (struct seen){0};
    ck_assert(campaign_db_rows(db, UINT64_MAX, see, &seen, &error));
    ck_assert_uint_eq(seen.count, 30);
    seen = (struct seen){0};
    ck_assert(campaign_db_ids(db, see_id, &seen, &error));
    ck_assert_uint_eq(seen.count, 20);
}
END_TEST

/* A trigger that a stranger left in a file does not run when experiments are added to it. */
START_TEST(nothing_in_a_file_runs)
{
    struct gfe_error error = {0};
    struct campaign_row row = {.id = 40};

    fill();
    tamper("CREATE TRIGGER t AFTER INSERT ON experiment BEGIN DELETE FROM victim; END");
    db = campaign_db_open(path, CAMPAIGN_DB_WRITE, &error);
    ck_assert_msg(db != NULL, "%s", error.text);
    (void)snprintf(row.fault, sizeof row.fault, "gp_entry drop @#1");
    ck_assert(campaign_db_put(db, &row, &error));
    ck_assert_uint_eq(rows_in(db, "SELECT count(*) FROM victim"), 14);
}
END_TEST

/* A reader changes nothing: not the file, nor files beside it. */
START_TEST(a_file_is_read_without_a_change)
{
    struct gfe_error error = {0};
    struct stat before, after;

    fill();
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert_int_eq(stat(path, &before), 0);
    ck_assert_msg(report(&error), "%s", error.text);
    db = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    ck_assert_ptr_nonnull(db);
    ck_assert_int_eq(sqlite3_db_readonly(db->handle, "main"), 1);
    ck_assert_int_ne(sqlite3_exec(db->handle, "DELETE FROM victim", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_ne(sqlite3_exec(db->handle, "ATTACH '/tmp/x' AS x", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    ck_assert_int_eq(before.st_size, after.st_size);
}
END_TEST

/* SQLite deletes the other journal that one names (file format, section 3). */
START_TEST(a_journal_that_names_another_is_refused)
{
    static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    struct gfe_error error = {0};
    char name[sizeof path + 8];
    FILE *file;

    fill();
    (void)snprintf(name, sizeof name, "%s-journal", path);
    file = fopen(name, "w");
    ck_assert(file && fwrite("12345678", 8, 1, file) == 1 && fwrite(magic, 8, 1, file) == 1);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(!report(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "names another journal"));
    ck_assert_int_eq(unlink(name), 0);
}
END_TEST

/* Neither is opened, because a pipe is waited for. */
START_TEST(a_pipe_or_a_folder_is_no_journal)
{
    struct gfe_error error = {0};
    char name[sizeof path + 8];

    fill();
    (void)snprintf(name, sizeof name, "%s-journal", path);
    (void)unlink(name);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    ck_assert(!report(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "-journal: is no regular file"));
    ck_assert_int_eq(unlink(name), 0);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    error = (struct gfe_error){0};
    ck_assert(!report(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "-journal: is no regular file"));
    ck_assert_int_eq(rmdir(name), 0);
}
END_TEST

START_TEST(a_pipe_or_a_folder_is_no_database)
{
    struct gfe_error error = {0};

    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!report(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "no regular file"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(campaign_db_open("/", CAMPAIGN_DB_READ, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "no regular file"));
}
END_TEST

/* A file that makes SQLite work without an end is left. */
START_TEST(reading_ends)
{
    struct gfe_error error = {0};
    struct campaign_report made = {0};

    fill();
    tamper("WITH RECURSIVE c(x) AS (SELECT 40 UNION ALL SELECT x + 1 FROM c WHERE x < 9999)"
           " INSERT INTO experiment SELECT x, 0, 'f', 1, 0, 'Hang', 16, NULL, NULL, 0, 0, 0, 0, 0,"
           " 0, 0, 'o', 0, 1, NULL FROM c");
    tamper("UPDATE campaign SET value='10000' WHERE key='experiments'");
    ck_assert_msg(report(&error), "%s", error.text);
    db = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    ck_assert_ptr_nonnull(db);
    db->steps_max = 100;
    ck_assert(!campaign_report_init(&made, db, &error));
    ck_assert_msg(strstr(error.text, "takes more than 100 thousand steps"), "%s", error.text);
    campaign_report_fini(&made);
}
END_TEST

/* Each byte of the file, one after the other, is another one: a report or a message, but nothing
 * that a sanitizer finds. */
START_TEST(a_damaged_file_is_read_or_refused)
{
    static uint8_t bytes[FILE_BYTES_MAX];
    uint32_t refused = 0;
    size_t size;
    FILE *file;

    fill();
    file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
    size = fread(bytes, 1, sizeof bytes, file);
    ck_assert_uint_gt(size, 4096);
    for (size_t at = 0; at < size; at += at < 600 || bytes[at] ? 31 : 1) {
        const uint8_t was = bytes[at];
        struct gfe_error error = {0};

        if (was == 0)
            continue;
        ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
        ck_assert_int_ne(fputc(was ^ (at % 2 ? 0xff : 0x01), file), EOF);
        ck_assert_int_eq(fflush(file), 0);
        refused += !report(&error);
        ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
        ck_assert_int_ne(fputc(was, file), EOF);
        ck_assert_int_eq(fflush(file), 0);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_uint_gt(refused, 20);
}
END_TEST

Suite *campaign_db_suite(void)
{
    Suite *suite = suite_create("campaign_db");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_text_is_there_or_not);
    tcase_add_test(tcase, without_memory_nothing_is_said_of_a_text);
    tcase_add_loop_test(tcase, a_row_that_no_campaign_writes_is_refused, 0,
                        sizeof tampered / sizeof tampered[0]);
    tcase_add_test(tcase, parts_are_joined_once_or_not_at_all);
    tcase_add_test(tcase, experiments_are_read_in_order_until_the_reader_has_enough);
    tcase_add_test(tcase, nothing_in_a_file_runs);
    tcase_add_test(tcase, a_file_is_read_without_a_change);
    tcase_add_test(tcase, a_journal_that_names_another_is_refused);
    tcase_add_test(tcase, a_pipe_or_a_folder_is_no_journal);
    tcase_add_test(tcase, a_pipe_or_a_folder_is_no_database);
    tcase_add_test(tcase, reading_ends);
    tcase_add_test(tcase, a_damaged_file_is_read_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
