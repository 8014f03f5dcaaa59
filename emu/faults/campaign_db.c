/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct campaign_db {
    sqlite3 *handle;
    sqlite3_stmt *put, *put_victim;
    char *path;
};

static const char schema[] =
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

static bool db_failed(const struct campaign_db *db, struct gfe_error *error)
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
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK || db_failed(db, error);
}

static sqlite3_stmt *db_prepare(struct campaign_db *db, const char *sql, struct gfe_error *error)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        (void)db_failed(db, error);
    return statement;
}

/* Takes the lock at once and for good. */
static bool db_prepare_writing(struct campaign_db *db, struct gfe_error *error)
{
    if (!db_do(db,
               "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=TRUNCATE;"
               "PRAGMA synchronous=NORMAL; BEGIN EXCLUSIVE;",
               error) ||
        !db_do(db, schema, error) || !db_do(db, "COMMIT", error))
        return false;
    db->put = db_prepare(db,
                         "INSERT OR IGNORE INTO experiment VALUES"
                         "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                         error);
    db->put_victim =
        db->put ? db_prepare(db, "INSERT OR IGNORE INTO victim VALUES(?,?,?)", error) : NULL;
    return db->put_victim != NULL;
}

struct campaign_db *campaign_db_open(const char *path, enum campaign_db_mode mode,
                                     struct gfe_error *error)
{
    /* Also to read: what a writer that was killed has left half written is taken back by the first
     * who opens the file.  (One that cannot be written is opened to read alone.) */
    const int flags = SQLITE_OPEN_READWRITE | (mode == CAMPAIGN_DB_READ ? 0 : SQLITE_OPEN_CREATE);
    struct campaign_db *db = calloc(1, sizeof *db);
    bool good;

    if (db)
        db->path = strdup(path);
    if (!db || !db->path) {
        free(db);
        error_set(error, ERROR_SYSTEM, "%s: no memory", path);
        return NULL;
    }
    good = sqlite3_open_v2(path, &db->handle, flags, NULL) == SQLITE_OK || db_failed(db, error);
    if (good && mode == CAMPAIGN_DB_READ) {
        sqlite3_stmt *asked = db_prepare(db, "SELECT count(*) FROM campaign", error);

        good = asked && (sqlite3_step(asked) == SQLITE_ROW || db_failed(db, error));
        (void)sqlite3_finalize(asked);
    } else if (good) {
        good = (sqlite3_db_readonly(db->handle, "main") == 0 ||
                error_set(error, ERROR_SYSTEM, "%s: the database cannot be written", path)) &&
               db_prepare_writing(db, error);
    }
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
    *value = text ? strdup((const char *)text) : NULL;
    return *value || error_set(error, ERROR_SYSTEM, "%s: no memory", db->path);
}

bool campaign_db_get(struct campaign_db *db, const char *key, char **value, struct gfe_error *error)
{
    sqlite3_stmt *asked = db_prepare(db, "SELECT value FROM campaign WHERE key=?", error);
    int result = SQLITE_ERROR;
    bool good = false;

    *value = NULL;
    if (asked && sqlite3_bind_text(asked, 1, key, -1, SQLITE_STATIC) == SQLITE_OK)
        result = sqlite3_step(asked);
    if (result == SQLITE_ROW)
        good = text_copy(db, asked, value, error);
    else if (asked)
        good = result == SQLITE_DONE || db_failed(db, error);
    (void)sqlite3_finalize(asked);
    return good;
}

bool campaign_db_set(struct campaign_db *db, const char *key, const char *value,
                     struct gfe_error *error)
{
    sqlite3_stmt *statement = db_prepare(db, "INSERT OR REPLACE INTO campaign VALUES(?,?)", error);
    bool good = statement != NULL;

    good = good && sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_step(statement) == SQLITE_DONE;
    if (statement && !good)
        (void)db_failed(db, error);
    (void)sqlite3_finalize(statement);
    return good;
}

bool campaign_db_set_stratum(struct campaign_db *db, const struct campaign_db_stratum *stratum,
                             struct gfe_error *error)
{
    const char *const texts[] = {stratum->program, stratum->unit, stratum->site, stratum->model};
    sqlite3_stmt *statement =
        db_prepare(db, "INSERT OR REPLACE INTO stratum VALUES(?,?,?,?,?,?,?)", error);
    bool good = statement && sqlite3_bind_int64(statement, 1, stratum->id) == SQLITE_OK;
    char faults[CAMPAIGN_WIDE_BYTES];

    campaign_wide_text(stratum->faults, faults);
    for (int i = 0; good && i < 4; i++)
        good = sqlite3_bind_text(statement, 2 + i, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    good = good && sqlite3_bind_int64(statement, 6, stratum->family) == SQLITE_OK &&
           sqlite3_bind_text(statement, 7, faults, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_step(statement) == SQLITE_DONE;
    if (statement && !good)
        (void)db_failed(db, error);
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
    const bool good = sqlite3_step(statement) == SQLITE_DONE || db_failed(db, error);

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

bool campaign_db_join(struct campaign_db *db, const char *path, struct gfe_error *error)
{
    sqlite3_stmt *attach = db_prepare(db, "ATTACH ? AS other", error);
    bool good = attach && sqlite3_bind_text(attach, 1, path, -1, SQLITE_STATIC) == SQLITE_OK &&
                (sqlite3_step(attach) == SQLITE_DONE || db_failed(db, error));

    (void)sqlite3_finalize(attach);
    if (!good)
        return false;
    good = db_do(db,
                 "BEGIN;"
                 "INSERT OR IGNORE INTO stratum SELECT * FROM other.stratum;"
                 "INSERT OR IGNORE INTO experiment SELECT * FROM other.experiment;"
                 "INSERT OR IGNORE INTO victim SELECT * FROM other.victim;"
                 "COMMIT",
                 error);
    return db_do(db, "DETACH other", error) && good;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void column_text(sqlite3_stmt *statement, int at, char *text, size_t bytes)
{
    const unsigned char *value = sqlite3_column_text(statement, at);

    (void)snprintf(text, bytes, "%s", value ? (const char *)value : "");
}

static gfe_ps column_time(sqlite3_stmt *statement, int at)
{
    return sqlite3_column_type(statement, at) == SQLITE_NULL
               ? GFE_PS_NEVER
               : (gfe_ps)sqlite3_column_int64(statement, at);
}

static uint32_t column_number(sqlite3_stmt *statement, int at)
{
    return (uint32_t)sqlite3_column_int64(statement, at);
}

static uint32_t column_class(sqlite3_stmt *statement, int at)
{
    char name[20];
    uint32_t class_ = 0;

    column_text(statement, at, name, sizeof name);
    while (class_ + 1 < OUTCOME_CLASSES &&
           strcmp(outcome_class_name((enum outcome_class)class_), name) != 0)
        class_++;
    return class_;
}

static uint32_t column_reach(sqlite3_stmt *statement, int at)
{
    char name[20];
    uint32_t reach = OUTCOME_REACHES - 1;

    column_text(statement, at, name, sizeof name);
    while (reach > OUTCOME_REACH_NONE &&
           strcmp(outcome_reach_name((enum outcome_reach)reach), name) != 0)
        reach--;
    return reach;
}

static void column_row(sqlite3_stmt *statement, struct campaign_db_row *row)
{
    row->row = (struct campaign_row){
        .id = (uint64_t)sqlite3_column_int64(statement, 0),
        .stratum = column_number(statement, 1),
        .acted = (uint64_t)sqlite3_column_int64(statement, 3),
        .first_ps = column_time(statement, 4),
        .outcome = column_class(statement, 5),
        .classes = column_number(statement, 6),
        .latency_ps = column_time(statement, 8),
        .recovered = column_number(statement, 9),
        .different = column_number(statement, 10),
        .missing = column_number(statement, 11),
        .extra = column_number(statement, 12),
        .late = column_number(statement, 13),
        .latest_ps = (gfe_ps)sqlite3_column_int64(statement, 14),
        .memory_words = (uint64_t)sqlite3_column_int64(statement, 15),
        .pruned = column_number(statement, 17),
        .activated = column_number(statement, 18),
        .reach = column_reach(statement, 19),
    };
    column_text(statement, 2, row->row.fault, sizeof row->row.fault);
    column_text(statement, 7, row->row.detected_by, sizeof row->row.detected_by);
    column_text(statement, 16, row->owner, sizeof row->owner);
}

/* A question with at most one number; false with a message.  Then step until it is no row. */
static sqlite3_stmt *db_ask(struct campaign_db *db, const char *sql, uint64_t end,
                            struct gfe_error *error)
{
    sqlite3_stmt *asked = db_prepare(db, sql, error);

    if (asked && sqlite3_bind_parameter_count(asked) > 0)
        (void)sqlite3_bind_int64(asked, 1, end > INT64_MAX ? INT64_MAX : (sqlite3_int64)end);
    return asked;
}

static bool db_asked(struct campaign_db *db, sqlite3_stmt *asked, int code, struct gfe_error *error)
{
    const bool good = code == SQLITE_DONE || code == SQLITE_ROW || db_failed(db, error);

    (void)sqlite3_finalize(asked);
    return good;
}

bool campaign_db_ids(struct campaign_db *db, campaign_db_next *next, void *context,
                     struct gfe_error *error)
{
    sqlite3_stmt *asked = db_ask(db, "SELECT id FROM experiment ORDER BY id", 0, error);
    int code = SQLITE_DONE;

    while (asked && (code = sqlite3_step(asked)) == SQLITE_ROW &&
           next(context, (uint64_t)sqlite3_column_int64(asked, 0)))
        continue;
    return asked && db_asked(db, asked, code, error);
}

static bool db_rows(struct campaign_db *db, const char *sql, uint64_t number,
                    campaign_db_visit *visit, void *context, struct gfe_error *error)
{
    sqlite3_stmt *asked = db_ask(db, sql, number, error);
    struct campaign_db_row row;
    int code = SQLITE_DONE;

    while (asked && (code = sqlite3_step(asked)) == SQLITE_ROW) {
        column_row(asked, &row);
        if (!visit(context, &row))
            break;
    }
    return asked && db_asked(db, asked, code, error);
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

bool campaign_db_strata(struct campaign_db *db, campaign_db_stratum_visit *visit, void *context,
                        struct gfe_error *error)
{
    sqlite3_stmt *asked = db_ask(db,
                                 "SELECT id, family, program, unit, site, model, faults"
                                 " FROM stratum ORDER BY id",
                                 0, error);
    int code = SQLITE_DONE;

    while (asked && (code = sqlite3_step(asked)) == SQLITE_ROW) {
        const char *faults = (const char *)sqlite3_column_text(asked, 6);
        struct campaign_db_stratum stratum = {
            .id = column_number(asked, 0),
            .family = column_number(asked, 1),
            .program = (const char *)sqlite3_column_text(asked, 2),
            .unit = (const char *)sqlite3_column_text(asked, 3),
            .site = (const char *)sqlite3_column_text(asked, 4),
            .model = (const char *)sqlite3_column_text(asked, 5),
        };

        if (!campaign_wide_parse(faults ? faults : "", &stratum.faults))
            stratum.faults = 0; /* damaged: all else can be read still */

        if (!visit(context, &stratum))
            break;
    }
    return asked && db_asked(db, asked, code, error);
}

bool campaign_db_harms(struct campaign_db *db, uint64_t end, campaign_db_harm *visit, void *context,
                       struct gfe_error *error)
{
    sqlite3_stmt *asked = db_ask(db,
                                 "SELECT ifnull(owner, ''), who, ifnull(victim.reach, ''), count(*)"
                                 " FROM victim JOIN experiment ON experiment = id WHERE id < ?"
                                 " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                                 end, error);
    int code = SQLITE_DONE;

    while (asked && (code = sqlite3_step(asked)) == SQLITE_ROW)
        if (!visit(context, (const char *)sqlite3_column_text(asked, 0),
                   (const char *)sqlite3_column_text(asked, 1),
                   (const char *)sqlite3_column_text(asked, 2),
                   (uint64_t)sqlite3_column_int64(asked, 3)))
            break;
    return asked && db_asked(db, asked, code, error);
}
