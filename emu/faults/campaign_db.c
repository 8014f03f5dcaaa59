/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_db_private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/text.h"
#include "emu/base/visible.h"
#include "emu/faults/campaign_plan.h"
#include "emu/faults/campaign_space.h"

enum { DB_WHO_BYTES = 32 };

const char campaign_db_schema[] =
    "CREATE TABLE IF NOT EXISTS campaign(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS stratum(id INTEGER PRIMARY KEY, program TEXT, unit TEXT,"
    " site TEXT, model TEXT, family INTEGER, faults TEXT);"
    "CREATE TABLE IF NOT EXISTS experiment(id INTEGER PRIMARY KEY, stratum INTEGER, fault TEXT,"
    " acted INTEGER, first_ps INTEGER, outcome TEXT, classes INTEGER, detected_by TEXT,"
    " latency_ps INTEGER, recovered INTEGER, different INTEGER, missing INTEGER, extra INTEGER,"
    " late INTEGER, latest_ps INTEGER, memory_words INTEGER, owner TEXT,"
    " pruned INTEGER, activated INTEGER, reach TEXT);"
    "CREATE TABLE IF NOT EXISTS victim(experiment INTEGER, who TEXT, reach TEXT,"
    " PRIMARY KEY(experiment, who)) WITHOUT ROWID;";

bool campaign_db_failed(const struct campaign_db *db, struct gfe_error *error)
{
    const int code = db->handle ? sqlite3_errcode(db->handle) & 0xff : SQLITE_NOMEM;

    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(error, ERROR_SYSTEM, "%s: another gfe campaign is writing it", db->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_set(error, ERROR_INPUT, "%s: not a database of gfe campaign, or damaged",
                         db->path);
    case SQLITE_INTERRUPT:
        return error_set(error, ERROR_INPUT,
                         "%s: damaged: reading it takes more than %" PRIu64
                         " thousand steps, more than a file of its size needs",
                         db->path, db->steps_max);
    case SQLITE_READONLY:
        return error_set(error, ERROR_SYSTEM, "%s: the database cannot be written", db->path);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return error_set(error, ERROR_SYSTEM,
                         "%s: the disk is full or fails (%s); what is written stays, and the "
                         "campaign can go on",
                         db->path, sqlite3_errmsg(db->handle));
    default:
        return error_set(error, ERROR_SYSTEM, "%s: %s", db->path,
                         db->handle ? sqlite3_errmsg(db->handle) : "no memory");
    }
}

static bool db_do(struct campaign_db *db, const char *sql, struct gfe_error *error)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           campaign_db_failed(db, error);
}

sqlite3_stmt *campaign_db_prepare(struct campaign_db *db, const char *sql, struct gfe_error *error)
{
    sqlite3_stmt *statement = NULL;

    db->steps = 0;
    if (sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        (void)campaign_db_failed(db, error);
    return statement;
}

/* Takes the lock at once and for good. */
static bool db_prepare_writing(struct campaign_db *db, struct gfe_error *error)
{
    if (!db_do(db,
               "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=TRUNCATE;"
               "PRAGMA synchronous=NORMAL; BEGIN EXCLUSIVE;",
               error) ||
        !db_do(db, campaign_db_schema, error) || !db_do(db, "COMMIT", error) ||
        !campaign_db_guard_tables(db, error))
        return false;
    db->put = campaign_db_prepare(db,
                                  "INSERT OR IGNORE INTO experiment VALUES"
                                  "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                  error);
    db->put_victim =
        db->put ? campaign_db_prepare(db, "INSERT OR IGNORE INTO victim VALUES(?,?,?)", error)
                : NULL;
    return db->put_victim != NULL;
}

struct campaign_db *campaign_db_open(const char *path, enum campaign_db_mode mode,
                                     struct gfe_error *error)
{
    struct campaign_db *db = calloc(1, sizeof *db);
    bool good;

    if (db)
        db->path = strdup(path);
    if (!db || !db->path) {
        free(db);
        error_set(error, ERROR_SYSTEM, "%s: no memory", path);
        return NULL;
    }
    good = campaign_db_guard_open(db, mode, error);
    if (good && mode == CAMPAIGN_DB_READ)
        good = campaign_db_guard_tables(db, error);
    else if (good)
        good = (sqlite3_db_readonly(db->handle, "main") == 0 ||
                error_set(error, ERROR_SYSTEM, "%s: the database cannot be written", path)) &&
               db_prepare_writing(db, error);
    if (good)
        return db;
    campaign_db_close(db);
    return NULL;
}

void campaign_db_close(struct campaign_db *db)
{
    if (!db)
        return;
    (void)sqlite3_finalize(db->put);
    (void)sqlite3_finalize(db->put_victim);
    (void)sqlite3_close(db->handle);
    free(db->path);
    free(db);
}

const char *campaign_db_path(const struct campaign_db *db)
{
    return db->path;
}

/* ---- what was run ---------------------------------------------------------------------------- */

bool campaign_db_is_begun(struct campaign_db *db, struct gfe_error *error)
{
    char *format = NULL, *version = NULL;
    bool good = campaign_db_get(db, "format", &format, error) &&
                campaign_db_get(db, "version", &version, error);

    if (good && (!format || !version))
        good = error_set(error, ERROR_INPUT, "%s: no campaign was begun in it", db->path);
    else if (good && strcmp(format, CAMPAIGN_DB_FORMAT) != 0)
        good = error_set(error, ERROR_INPUT,
                         "%s: has the tables of gfe %.20s, in format %.10s: this "
                         "one has format " CAMPAIGN_DB_FORMAT,
                         db->path, version, format);
    free(format);
    free(version);
    return good;
}

/* Copies the text of a row.  A value that is none leaves NULL. */
static bool text_copy(struct campaign_db *db, sqlite3_stmt *row, char **value,
                      struct gfe_error *error)
{
    const unsigned char *text = sqlite3_column_text(row, 0);

    if (!text && sqlite3_column_type(row, 0) == SQLITE_NULL)
        return true;
    if (text && !text_is_utf8((const char *)text))
        return error_set(error, ERROR_INPUT, "%s: damaged: a text of its campaign is not UTF-8",
                         db->path);
    *value = text ? strdup((const char *)text) : NULL;
    return *value || error_set(error, ERROR_SYSTEM, "%s: no memory", db->path);
}

bool campaign_db_get(struct campaign_db *db, const char *key, char **value, struct gfe_error *error)
{
    sqlite3_stmt *asked = campaign_db_prepare(db, "SELECT value FROM campaign WHERE key=?", error);
    int result = SQLITE_ERROR;
    bool good = false;

    *value = NULL;
    if (asked && sqlite3_bind_text(asked, 1, key, -1, SQLITE_STATIC) == SQLITE_OK)
        result = sqlite3_step(asked);
    if (result == SQLITE_ROW)
        good = text_copy(db, asked, value, error);
    else if (asked)
        good = result == SQLITE_DONE || campaign_db_failed(db, error);
    (void)sqlite3_finalize(asked);
    return good;
}

bool campaign_db_set(struct campaign_db *db, const char *key, const char *value,
                     struct gfe_error *error)
{
    sqlite3_stmt *statement =
        campaign_db_prepare(db, "INSERT OR REPLACE INTO campaign VALUES(?,?)", error);
    bool good = statement != NULL;

    good = good && sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_step(statement) == SQLITE_DONE;
    if (statement && !good)
        (void)campaign_db_failed(db, error);
    (void)sqlite3_finalize(statement);
    return good;
}

bool campaign_db_set_stratum(struct campaign_db *db, const struct campaign_db_stratum *stratum,
                             struct gfe_error *error)
{
    const char *const texts[] = {stratum->program, stratum->unit, stratum->site, stratum->model};
    sqlite3_stmt *statement =
        campaign_db_prepare(db, "INSERT OR REPLACE INTO stratum VALUES(?,?,?,?,?,?,?)", error);
    bool good = statement && sqlite3_bind_int64(statement, 1, stratum->id) == SQLITE_OK;
    char faults[CAMPAIGN_WIDE_BYTES];

    campaign_wide_text(stratum->faults, faults);
    for (int i = 0; good && i < 4; i++)
        good = sqlite3_bind_text(statement, 2 + i, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    good = good && sqlite3_bind_int64(statement, 6, stratum->family) == SQLITE_OK &&
           sqlite3_bind_text(statement, 7, faults, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_step(statement) == SQLITE_DONE;
    if (statement && !good)
        (void)campaign_db_failed(db, error);
    (void)sqlite3_finalize(statement);
    return good;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool campaign_db_begin(struct campaign_db *db, struct gfe_error *error)
{
    return db_do(db, "BEGIN", error);
}

bool campaign_db_commit(struct campaign_db *db, struct gfe_error *error)
{
    return db_do(db, "COMMIT", error);
}

static void bind_time(sqlite3_stmt *statement, int at, gfe_ps time_ps)
{
    if (time_ps == GFE_PS_NEVER)
        (void)sqlite3_bind_null(statement, at);
    else
        (void)sqlite3_bind_int64(statement, at, (sqlite3_int64)time_ps);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    if (text[0] == '\0')
        (void)sqlite3_bind_null(statement, at);
    else
        (void)sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
}

static bool db_step(struct campaign_db *db, sqlite3_stmt *statement, struct gfe_error *error)
{
    const bool good = sqlite3_step(statement) == SQLITE_DONE || campaign_db_failed(db, error);

    (void)sqlite3_reset(statement);
    return good;
}

bool campaign_db_put(struct campaign_db *db, const struct campaign_row *row,
                     struct gfe_error *error)
{
    const int64_t numbers[] = {(int64_t)row->recovered,   (int64_t)row->different,
                               (int64_t)row->missing,     (int64_t)row->extra,
                               (int64_t)row->late,        (int64_t)row->latest_ps,
                               (int64_t)row->memory_words};
    char who[OUTCOME_OWNERS_BYTES];

    (void)sqlite3_bind_int64(db->put, 1, (sqlite3_int64)row->id);
    (void)sqlite3_bind_int64(db->put, 2, row->stratum);
    bind_text(db->put, 3, row->fault);
    (void)sqlite3_bind_int64(db->put, 4, (sqlite3_int64)row->acted);
    bind_time(db->put, 5, row->first_ps);
    bind_text(db->put, 6, outcome_class_name((enum outcome_class)row->outcome));
    (void)sqlite3_bind_int64(db->put, 7, row->classes);
    bind_text(db->put, 8, row->detected_by);
    bind_time(db->put, 9, row->latency_ps);
    for (int i = 0; i < 7; i++)
        (void)sqlite3_bind_int64(db->put, 10 + i, numbers[i]);
    outcome_owners_text(&row->owners, who);
    bind_text(db->put, 17, who);
    (void)sqlite3_bind_int64(db->put, 18, row->pruned);
    (void)sqlite3_bind_int64(db->put, 19, row->activated);
    bind_text(db->put, 20,
              row->reach != OUTCOME_REACH_NONE ? outcome_reach_name((enum outcome_reach)row->reach)
                                               : "");
    if (!db_step(db, db->put, error))
        return false;
    for (uint32_t i = 0; i < row->victim_count; i++) {
        outcome_who(row->victims[i], who, sizeof who);
        (void)sqlite3_bind_int64(db->put_victim, 1, (sqlite3_int64)row->id);
        bind_text(db->put_victim, 2, who);
        bind_text(db->put_victim, 3, outcome_reach_name((enum outcome_reach)row->reaches[i]));
        if (!db_step(db, db->put_victim, error))
            return false;
    }
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A row that is read.  The first column that no gfe campaign writes so is kept. */
struct reading {
    sqlite3_stmt *asked;
    const char *wrong; /* the name of that column; NULL while all columns were right */
};

/* Returns a number of a column, at most `most`; 0 if it is another one, or none. */
static uint64_t column_number(struct reading *reading, int at, uint64_t most)
{
    const sqlite3_int64 number = sqlite3_column_int64(reading->asked, at);

    if (sqlite3_column_type(reading->asked, at) == SQLITE_INTEGER && number >= 0 &&
        (uint64_t)number <= most)
        return (uint64_t)number;
    if (!reading->wrong)
        reading->wrong = sqlite3_column_name(reading->asked, at);
    return 0;
}

/* Returns a text of less than `bytes` bytes, UTF-8 without a zero in it; "" if it is another, or
 * none. */
static const char *column_path(struct reading *reading, int at, size_t bytes)
{
    const char *text = (const char *)sqlite3_column_text(reading->asked, at);
    const int type = sqlite3_column_type(reading->asked, at);

    if (text && type == SQLITE_TEXT && strlen(text) < bytes && text_is_utf8(text) &&
        strlen(text) == (size_t)sqlite3_column_bytes(reading->asked, at))
        return text;
    if (type != SQLITE_NULL && !reading->wrong)
        reading->wrong = sqlite3_column_name(reading->asked, at);
    return "";
}

/* Returns a text like column_path().  Words of gfe have nothing that commands a terminal. */
static const char *column_words(struct reading *reading, int at, size_t bytes)
{
    const char *text = column_path(reading, at, bytes);

    if (!visible_is(text) && !reading->wrong)
        reading->wrong = sqlite3_column_name(reading->asked, at);
    return text;
}

static void column_text(struct reading *reading, int at, char *text, size_t bytes)
{
    (void)snprintf(text, bytes, "%s", column_words(reading, at, bytes));
}

static gfe_ps column_time(struct reading *reading, int at)
{
    return sqlite3_column_type(reading->asked, at) == SQLITE_NULL
               ? GFE_PS_NEVER
               : column_number(reading, at, INT64_MAX);
}

static uint32_t column_class(struct reading *reading, int at)
{
    const char *name = column_words(reading, at, 16);

    for (uint32_t class_ = 0; class_ < OUTCOME_CLASSES; class_++)
        if (strcmp(outcome_class_name((enum outcome_class)class_), name) == 0)
            return class_;
    if (!reading->wrong)
        reading->wrong = sqlite3_column_name(reading->asked, at);
    return 0;
}

static uint32_t column_reach(struct reading *reading, int at)
{
    const char *name = column_words(reading, at, 20);

    if (name[0] == '\0')
        return OUTCOME_REACH_NONE;
    for (uint32_t reach = OUTCOME_REACH_NONE + 1; reach < OUTCOME_REACHES; reach++)
        if (strcmp(outcome_reach_name((enum outcome_reach)reach), name) == 0)
            return reach;
    if (!reading->wrong)
        reading->wrong = sqlite3_column_name(reading->asked, at);
    return OUTCOME_REACH_NONE;
}

static void column_row(struct reading *reading, struct campaign_db_row *row)
{
    row->row = (struct campaign_row){
        .id = column_number(reading, 0, CAMPAIGN_EXPERIMENTS_MAX - 1),
        .stratum = (uint32_t)column_number(reading, 1, CAMPAIGN_STRATA_MAX - 1),
        .acted = column_number(reading, 3, INT64_MAX),
        .first_ps = column_time(reading, 4),
        .outcome = column_class(reading, 5),
        .classes = (uint32_t)column_number(reading, 6, (UINT32_C(1) << OUTCOME_CLASSES) - 1),
        .latency_ps = column_time(reading, 8),
        .recovered = (uint32_t)column_number(reading, 9, UINT32_MAX),
        .different = (uint32_t)column_number(reading, 10, UINT32_MAX),
        .missing = (uint32_t)column_number(reading, 11, UINT32_MAX),
        .extra = (uint32_t)column_number(reading, 12, UINT32_MAX),
        .late = (uint32_t)column_number(reading, 13, UINT32_MAX),
        .latest_ps = column_number(reading, 14, INT64_MAX),
        .memory_words = column_number(reading, 15, INT64_MAX),
        .pruned = (uint32_t)column_number(reading, 17, 1),
        .activated = (uint32_t)column_number(reading, 18, INJECT_FAULTS_MAX),
        .reach = column_reach(reading, 19),
    };
    column_text(reading, 2, row->row.fault, sizeof row->row.fault);
    column_text(reading, 7, row->row.detected_by, sizeof row->row.detected_by);
    column_text(reading, 16, row->owner, sizeof row->owner);
}

/* Returns true if no column of the row is wrong, and its number, the first column, is above that of
 * the row before; *before is -1 in front of the first. */
static bool db_row_good(const struct campaign_db *db, const struct reading *reading,
                        const char *what, int64_t *before, struct gfe_error *error)
{
    const int64_t id = sqlite3_column_int64(reading->asked, 0);

    if (reading->wrong)
        return error_set(error, ERROR_INPUT,
                         "%s: damaged: the column %s of %s %" PRId64
                         " has what gfe campaign does not write",
                         db->path, reading->wrong, what, id);
    if (id <= *before)
        return error_set(error, ERROR_INPUT, "%s: damaged: %s %" PRId64 " comes after %" PRId64,
                         db->path, what, id, *before);
    *before = id;
    return true;
}

/* A question with at most one number; false with a message.  Then step until it is no row. */
static sqlite3_stmt *db_ask(struct campaign_db *db, const char *sql, uint64_t end,
                            struct gfe_error *error)
{
    sqlite3_stmt *asked = campaign_db_prepare(db, sql, error);

    if (asked && sqlite3_bind_parameter_count(asked) > 0)
        (void)sqlite3_bind_int64(asked, 1, end > INT64_MAX ? INT64_MAX : (sqlite3_int64)end);
    return asked;
}

static bool db_asked(struct campaign_db *db, sqlite3_stmt *asked, int code, struct gfe_error *error)
{
    const bool good = code == SQLITE_DONE || code == SQLITE_ROW || campaign_db_failed(db, error);

    (void)sqlite3_finalize(asked);
    return good;
}

bool campaign_db_ids(struct campaign_db *db, campaign_db_next *next, void *context,
                     struct gfe_error *error)
{
    struct reading reading = {.asked =
                                  db_ask(db, "SELECT id FROM experiment ORDER BY id", 0, error)};
    int64_t before = -1;
    bool good = true;
    int code = SQLITE_DONE;

    while (good && reading.asked && (code = sqlite3_step(reading.asked)) == SQLITE_ROW) {
        const uint64_t id = column_number(&reading, 0, CAMPAIGN_EXPERIMENTS_MAX - 1);

        good = db_row_good(db, &reading, "experiment", &before, error);
        if (good && !next(context, id))
            break;
    }
    return reading.asked && db_asked(db, reading.asked, code, error) && good;
}

static bool db_rows(struct campaign_db *db, const char *sql, uint64_t number,
                    campaign_db_visit *visit, void *context, struct gfe_error *error)
{
    struct reading reading = {.asked = db_ask(db, sql, number, error)};
    struct campaign_db_row row;
    int64_t before = -1;
    bool good = true;
    int code = SQLITE_DONE;

    while (good && reading.asked && (code = sqlite3_step(reading.asked)) == SQLITE_ROW) {
        column_row(&reading, &row);
        good = db_row_good(db, &reading, "experiment", &before, error);
        if (good && !visit(context, &row))
            break;
    }
    return reading.asked && db_asked(db, reading.asked, code, error) && good;
}

bool campaign_db_rows(struct campaign_db *db, uint64_t end, campaign_db_visit *visit, void *context,
                      struct gfe_error *error)
{
    return db_rows(db, "SELECT * FROM experiment WHERE id < ? ORDER BY id", end, visit, context,
                   error);
}

bool campaign_db_row(struct campaign_db *db, uint64_t id, campaign_db_visit *visit, void *context,
                     struct gfe_error *error)
{
    return db_rows(db, "SELECT * FROM experiment WHERE id = ?", id, visit, context, error);
}

/* Reads a stratum; its texts stay until the next step. */
static struct campaign_db_stratum column_stratum(struct reading *reading)
{
    struct campaign_db_stratum stratum = {
        .id = (uint32_t)column_number(reading, 0, CAMPAIGN_STRATA_MAX - 1),
        .family = (uint32_t)column_number(reading, 1, CAMPAIGN_ENTRIES_MAX - 1),
        .program = column_path(reading, 2, PATH_MAX),
        .unit = column_words(reading, 3, CAMPAIGN_LABEL_BYTES),
        .site = column_words(reading, 4, CAMPAIGN_LABEL_BYTES),
        .model = column_words(reading, 5, CAMPAIGN_LABEL_BYTES),
    };

    if (!campaign_wide_parse(column_words(reading, 6, CAMPAIGN_WIDE_BYTES), &stratum.faults) &&
        !reading->wrong)
        reading->wrong = "faults";
    return stratum;
}

bool campaign_db_strata(struct campaign_db *db, campaign_db_stratum_visit *visit, void *context,
                        struct gfe_error *error)
{
    struct reading reading = {.asked = db_ask(db,
                                              "SELECT id, family, program, unit, site, model,"
                                              " faults FROM stratum ORDER BY id",
                                              0, error)};
    int64_t before = -1;
    bool good = true;
    int code = SQLITE_DONE;

    while (good && reading.asked && (code = sqlite3_step(reading.asked)) == SQLITE_ROW) {
        const struct campaign_db_stratum stratum = column_stratum(&reading);

        good = db_row_good(db, &reading, "stratum", &before, error);
        if (good && !visit(context, &stratum))
            break;
    }
    return reading.asked && db_asked(db, reading.asked, code, error) && good;
}

bool campaign_db_harms(struct campaign_db *db, uint64_t end, campaign_db_harm *visit, void *context,
                       struct gfe_error *error)
{
    struct reading reading = {
        .asked = db_ask(db,
                        "SELECT ifnull(owner, '') AS owner, who,"
                        " ifnull(victim.reach, '') AS reach, count(*)"
                        " FROM victim JOIN experiment ON experiment = id WHERE id < ?"
                        " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                        end, error)};
    int code = SQLITE_DONE;
    bool good = true;

    while (good && reading.asked && (code = sqlite3_step(reading.asked)) == SQLITE_ROW) {
        const char *owner = column_words(&reading, 0, OUTCOME_OWNERS_BYTES);
        const char *who = column_words(&reading, 1, DB_WHO_BYTES);
        const char *reach = column_words(&reading, 2, 20);
        const uint64_t count = column_number(&reading, 3, INT64_MAX);

        good = !reading.wrong ||
               error_set(error, ERROR_INPUT,
                         "%s: damaged: the column %s of a victim has what gfe campaign does not "
                         "write",
                         db->path, reading.wrong);
        if (good && !visit(context, owner, who, reach, count))
            break;
    }
    return reading.asked && db_asked(db, reading.asked, code, error) && good;
}

static bool check_row(void *context, const struct campaign_db_row *row)
{
    (void)row;
    (void)context;
    return true;
}

static bool check_stratum(void *context, const struct campaign_db_stratum *stratum)
{
    (void)stratum;
    (void)context;
    return true;
}

static bool check_harm(void *context, const char *owner, const char *victim, const char *reach,
                       uint64_t count)
{
    (void)context;
    (void)owner;
    (void)victim;
    (void)reach;
    (void)count;
    return true;
}

/* Reads everything once, which checks it. */
static bool campaign_db_check(struct campaign_db *db, struct gfe_error *error)
{
    return campaign_db_strata(db, check_stratum, NULL, error) &&
           campaign_db_rows(db, UINT64_MAX, check_row, NULL, error) &&
           campaign_db_harms(db, UINT64_MAX, check_harm, NULL, error);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Copies the rows of a table, of which `sql` reads all columns and `put` writes them. */
static bool join_table(struct campaign_db *db, struct campaign_db *part, const char *sql,
                       const char *put, struct gfe_error *error)
{
    sqlite3_stmt *asked = campaign_db_prepare(part, sql, error);
    sqlite3_stmt *to = asked ? campaign_db_prepare(db, put, error) : NULL;
    bool good = to != NULL;
    int code = SQLITE_DONE;

    while (good && (code = sqlite3_step(asked)) == SQLITE_ROW) {
        for (int i = 0; good && i < sqlite3_column_count(asked); i++)
            good = sqlite3_bind_value(to, i + 1, sqlite3_column_value(asked, i)) == SQLITE_OK ||
                   campaign_db_failed(db, error);
        good = good && db_step(db, to, error);
    }
    if (good && code != SQLITE_DONE)
        good = campaign_db_failed(part, error);
    (void)sqlite3_finalize(asked);
    (void)sqlite3_finalize(to);
    return good;
}

bool campaign_db_join(struct campaign_db *db, struct campaign_db *part, struct gfe_error *error)
{
    if (!campaign_db_check(part, error) || !campaign_db_begin(db, error))
        return false;
    if (join_table(db, part, "SELECT * FROM stratum",
                   "INSERT OR IGNORE INTO stratum VALUES(?,?,?,?,?,?,?)", error) &&
        join_table(db, part, "SELECT * FROM experiment",
                   "INSERT OR IGNORE INTO experiment VALUES"
                   "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                   error) &&
        join_table(db, part, "SELECT * FROM victim", "INSERT OR IGNORE INTO victim VALUES(?,?,?)",
                   error) &&
        campaign_db_commit(db, error))
        return true;
    (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
