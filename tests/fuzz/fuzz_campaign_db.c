/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_campaign_db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/faults/campaign_db.h"
#include "emu/faults/campaign_report.h"
#include "tests/fuzz/fuzz_file.h"

enum { TEXT_MAX = 1 << 16, STEPS = 1000, STEPS_MAX = 200, PATH_BYTES = 512 };

/* Ends a statement of the input that takes too long. */
static int too_long(void *context)
{
    int *steps = context;

    return ++*steps > STEPS_MAX;
}

/* What the SQL of the input may not do: reach other files, or make the file large. */
static int allowed(void *context, int action, const char *first, const char *second,
                   const char *name, const char *trigger)
{
    (void)context;
    (void)second;
    (void)name;
    (void)trigger;
    if (action == SQLITE_ATTACH || action == SQLITE_DETACH)
        return SQLITE_DENY;
    if (action == SQLITE_PRAGMA && first && strcmp(first, "page_size") != 0)
        return SQLITE_DENY;
    return SQLITE_OK;
}

/* A file with a name: SQLite follows links, so that one in /proc/self/fd leads it nowhere. */
static void file_named(const void *data, size_t bytes, char path[PATH_BYTES])
{
    const char *folder = getenv("TMPDIR");
    int fd;

    (void)snprintf(path, PATH_BYTES, "%s/gfe-fuzz-XXXXXX", folder && folder[0] ? folder : "/tmp");
    fd = mkstemp(path);
    fuzz_must(fd >= 0 && (bytes == 0 || write(fd, data, bytes) == (ssize_t)bytes));
    close(fd);
}

/* A database in memory that the SQL is carried out on, as a file. */
static void file_of_sql(const uint8_t *data, size_t bytes, char path[PATH_BYTES])
{
    char *text = malloc(bytes + 1);
    unsigned char *image;
    sqlite3_int64 size = 0;
    sqlite3 *db = NULL;
    int steps = 0;

    fuzz_must(text && sqlite3_open(":memory:", &db) == SQLITE_OK);
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    (void)sqlite3_set_authorizer(db, allowed, NULL);
    sqlite3_progress_handler(db, STEPS, too_long, &steps);
    (void)sqlite3_exec(db, text, NULL, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    image = sqlite3_serialize(db, "main", &size, 0);
    file_named(image ? image : (const unsigned char *)"", image ? (size_t)size : 0, path);
    sqlite3_free(image);
    (void)sqlite3_close(db);
    free(text);
}

static void report_check(const struct campaign_report *report, int form)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    fuzz_must(file != NULL);
    if (form == 0)
        campaign_report_text(file, report);
    else if (form == 1)
        campaign_report_csv(file, report);
    else if (form == 2)
        campaign_report_html(file, report);
    else
        (void)campaign_report_json(file, report);
    fuzz_must(fclose(file) == 0);
    if (form == 2)
        fuzz_markup_check(text, bytes);
    else
        fuzz_text_check(text, bytes);
    free(text);
}

int fuzz_campaign_db(const uint8_t *data, size_t bytes)
{
    const bool is_file = bytes >= 16 && memcmp(data, "SQLite format 3", 16) == 0;
    struct campaign_report report = {0};
    struct gfe_error error = {0};
    struct campaign_db *db;
    char path[PATH_BYTES];
    bool good;

    if (bytes > TEXT_MAX)
        return 0;
    if (is_file)
        file_named(data, bytes, path);
    else
        file_of_sql(data, bytes, path);
    db = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    good = db && campaign_report_init(&report, db, &error);
    fuzz_error_check(&error, good);
    for (int form = 0; good && form < 4; form++)
        report_check(&report, form);
    campaign_report_fini(&report);
    campaign_db_close(db);
    (void)unlink(path);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_campaign_db(data, bytes);
}
#endif
