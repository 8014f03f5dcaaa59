/* SPDX-License-Identifier: MIT */
/* How a database that a stranger may have made is opened. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/input.h"
#include "emu/base/opened.h"
#include "emu/faults/campaign_db_private.h"

enum {
    GUARD_TEXT_BYTES = 16 << 20, /* a plan, which is the longest of the texts */
    GUARD_STEPS = 1000,          /* of SQLite's machine between two calls of its handler */
    GUARD_STEPS_BYTES = 32,      /* a row takes 40 bytes and more, and about 200 steps */
    GUARD_STEPS_LEAST = 10000,   /* in thousands */
    GUARD_HEAD_BYTES = 20,
};

/* ---- the file -------------------------------------------------------------------------------- */

/* Reads the beginning of a file, or its end if `from_end`.  Returns the number of bytes: 0 if there
 * is no such regular file, -1 if it cannot be read.  A device or a pipe is not waited for. */
static ssize_t guard_peek(const char *path, bool from_end, uint8_t *bytes, size_t size,
                          uint64_t *file_bytes, struct gfe_error *error)
{
    struct stat status;
    ssize_t got = 0;
    int fd;

    *file_bytes = 0;
    fd = opened_read_now(path);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        const off_t at = from_end ? status.st_size - (off_t)size : 0;

        *file_bytes = (uint64_t)status.st_size;
        if (at >= 0)
            got = input_at(fd, bytes, size, at);
    }
    if (fd < 0 || got < 0)
        (void)error_set_errno(error, errno, "%s", path);
    if (fd >= 0)
        (void)close(fd);
    return fd < 0 ? -1 : got;
}

/* SQLite's file format, sections 1.3.1 and 1.3.3: the magic string, and the versions that a file in
 * WAL mode has as 2.  Such a file would have to be written to be read. */
static bool guard_head(struct campaign_db *db, enum campaign_db_mode mode, struct gfe_error *error)
{
    struct stat status;
    uint8_t head[GUARD_HEAD_BYTES];
    uint64_t bytes;
    ssize_t got;

    if (stat(db->path, &status) != 0)
        return (errno == ENOENT && mode == CAMPAIGN_DB_WRITE) ||
               error_set_errno(error, errno, "%s", db->path);
    if (!S_ISREG(status.st_mode))
        return error_set(error, ERROR_INPUT, "%s: is no regular file; a database was expected",
                         db->path);
    got = guard_peek(db->path, false, head, sizeof head, &bytes, error);
    if (got < 0)
        return false;
    if (bytes > 0 && ((size_t)got < sizeof head || memcmp(head, "SQLite format 3", 16) != 0))
        return error_set(error, ERROR_INPUT, "%s: not a database of gfe campaign, or damaged",
                         db->path);
    if (bytes > 0 && (head[18] != 1 || head[19] != 1))
        return error_set(
            error, ERROR_INPUT,
            "%s: is in WAL mode, which gfe campaign does not use; sqlite3 FILE 'PRAGMA "
            "journal_mode=DELETE' ends that",
            db->path);
    db->steps_max = GUARD_STEPS_LEAST + bytes / GUARD_STEPS * GUARD_STEPS_BYTES;
    return true;
}

/* SQLite's file format, section 3: a journal that ends with its magic names another journal, which
 * SQLite would delete.  A campaign writes one file only.  SQLite would wait for a pipe. */
static bool guard_journal(const struct campaign_db *db, struct gfe_error *error)
{
    static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    uint8_t end[sizeof magic];
    struct stat status;
    uint64_t bytes;
    char *path = NULL;
    bool is_plain;
    ssize_t got;

    if (asprintf(&path, "%s-journal", db->path) < 0)
        return error_set(error, ERROR_SYSTEM, "%s: no memory", db->path);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        (void)error_set(error, ERROR_INPUT, "%s: is no regular file; a journal was expected", path);
        free(path);
        return false;
    }
    got = guard_peek(path, true, end, sizeof end, &bytes, error);
    is_plain = got < (ssize_t)sizeof end || memcmp(end, magic, sizeof magic) != 0;
    free(path);
    if (got < 0)
        return false;
    return is_plain ||
           error_set(
               error, ERROR_INPUT,
               "%s-journal: names another journal, which none of gfe campaign does: remove it",
               db->path);
}

/* ---- the connection -------------------------------------------------------------------------- */

static int guard_progress(void *context)
{
    struct campaign_db *db = context;

    return ++db->steps > db->steps_max;
}

static int guard_authorize(void *context, int action, const char *first, const char *second,
                           const char *database, const char *from)
{
    (void)context;
    (void)first;
    (void)second;
    (void)database;
    (void)from;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION
               ? SQLITE_OK
               : SQLITE_DENY;
}

/* https://www.sqlite.org/security.html, "Untrusted SQLite Database Files". */
static bool guard_config(struct campaign_db *db, struct gfe_error *error)
{
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                              SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                              SQLITE_DBCONFIG_WRITABLE_SCHEMA};
    static const int limits[][2] = {
        {SQLITE_LIMIT_LENGTH, GUARD_TEXT_BYTES},
        {SQLITE_LIMIT_SQL_LENGTH, 10000},
        {SQLITE_LIMIT_COLUMN, 64},
        {SQLITE_LIMIT_EXPR_DEPTH, 16},
        {SQLITE_LIMIT_COMPOUND_SELECT, 3},
        {SQLITE_LIMIT_VDBE_OP, 25000},
        {SQLITE_LIMIT_FUNCTION_ARG, 8},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 32},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    bool good = sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK;

    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        good = good && sqlite3_db_config(db->handle, off[i], 0, NULL) == SQLITE_OK;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        (void)sqlite3_limit(db->handle, limits[i][0], limits[i][1]);
    good = good && sqlite3_exec(db->handle,
                                "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
                                "PRAGMA temp_store=MEMORY",
                                NULL, NULL, NULL) == SQLITE_OK;
    return good || campaign_db_failed(db, error);
}

/* The call that SQLite opens files with.  Behind the sandbox a file was opened before. */
static int guard_sys_open(const char *path, int flags, int mode)
{
    const int fd = open(path, flags, mode);

    return fd < 0 && errno == EPERM && (flags & O_ACCMODE) == O_RDONLY ? opened_find(path) : fd;
}

/* Opens the file, and reads its list of tables: a journal is looked at then.  Returns the code of
 * SQLite for that, or SQLITE_ABORT after a message. */
static int guard_connect(struct campaign_db *db, int flags, struct gfe_error *error)
{
    /* SQLite gives names such as :memory: and file: a meaning of their own. */
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    char *path = NULL;
    int code;

    if (asprintf(&path, "%s%s", db->path[0] == '/' ? "" : "./", db->path) < 0) {
        error_set(error, ERROR_SYSTEM, "%s: no memory", db->path);
        return SQLITE_ABORT;
    }
    /* Setting it again changes nothing.  Without memory there is none, and nothing is opened. */
    if (vfs)
        (void)vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)guard_sys_open);
    code = sqlite3_open_v2(path, &db->handle, flags, NULL);
    free(path);
    if (code != SQLITE_OK)
        (void)campaign_db_failed(db, error);
    if (code != SQLITE_OK || !guard_config(db, error))
        return SQLITE_ABORT;
    (void)sqlite3_extended_result_codes(db->handle, 1);
    code = sqlite3_exec(db->handle, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    (void)sqlite3_extended_result_codes(db->handle, 0);
    return code;
}

static void guard_close(struct campaign_db *db)
{
    (void)sqlite3_close(db->handle);
    db->handle = NULL;
}

/* Takes back what a killed writer left half written; only that writes to the file. */
static int guard_recover(struct campaign_db *db, struct gfe_error *error)
{
    int code;

    guard_close(db);
    code = guard_connect(db, SQLITE_OPEN_READWRITE, error);
    if (code != SQLITE_OK)
        return code;
    guard_close(db);
    return guard_connect(db, SQLITE_OPEN_READONLY, error);
}

bool campaign_db_guard_open(struct campaign_db *db, enum campaign_db_mode mode,
                            struct gfe_error *error)
{
    int code;

    if (!guard_head(db, mode, error) || !guard_journal(db, error))
        return false;
    if (mode == CAMPAIGN_DB_WRITE)
        code = guard_connect(db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    else
        code = guard_connect(db, SQLITE_OPEN_READONLY, error);
    if (code == SQLITE_READONLY_ROLLBACK)
        code = guard_recover(db, error);
    if (code == SQLITE_READONLY_ROLLBACK || (code & 0xff) == SQLITE_READONLY)
        return error_set(error, ERROR_SYSTEM,
                         "%s: its writer was killed, and what it left half written cannot be taken "
                         "back, because the database cannot be written",
                         db->path);
    if (code != SQLITE_OK)
        return code == SQLITE_ABORT ? false : campaign_db_failed(db, error);
    if (mode == CAMPAIGN_DB_WRITE)
        return true;
    sqlite3_progress_handler(db->handle, GUARD_STEPS, guard_progress, db);
    return sqlite3_set_authorizer(db->handle, guard_authorize, NULL) == SQLITE_OK ||
           campaign_db_failed(db, error);
}

/* ---- the tables ------------------------------------------------------------------------------ */

static const char guard_tables_sql[] =
    "SELECT type, name, sql FROM sqlite_master"
    " WHERE name COLLATE NOCASE IN ('campaign', 'stratum', 'experiment', 'victim')"
    " ORDER BY name COLLATE NOCASE";

/* Returns true if both rows have the same three texts. */
static bool guard_same(sqlite3_stmt *ours, sqlite3_stmt *theirs)
{
    for (int i = 0; i < 3; i++) {
        const char *mine = (const char *)sqlite3_column_text(ours, i);
        const char *other = (const char *)sqlite3_column_text(theirs, i);

        if (!mine || !other || strcmp(mine, other) != 0)
            return false;
    }
    return true;
}

/* Compares the tables with those of a database in memory.  The first, campaign, has the format:
 * *has_format tells that it is as it should be. */
static bool guard_compare(sqlite3_stmt *ours, sqlite3_stmt *theirs, bool *has_format)
{
    bool same = true;

    *has_format = false;
    while (same && sqlite3_step(ours) == SQLITE_ROW) {
        same = sqlite3_step(theirs) == SQLITE_ROW && guard_same(ours, theirs);
        *has_format = *has_format || same;
    }
    return same && sqlite3_step(theirs) == SQLITE_DONE;
}

bool campaign_db_guard_tables(struct campaign_db *db, struct gfe_error *error)
{
    struct campaign_db fresh = {.path = db->path};
    sqlite3_stmt *ours = NULL, *theirs = NULL;
    bool good, has_format = false, same = false;
    char *format = NULL;

    good = sqlite3_open(":memory:", &fresh.handle) == SQLITE_OK &&
           sqlite3_exec(fresh.handle, campaign_db_schema, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        (void)campaign_db_failed(&fresh, error);
    ours = good ? campaign_db_prepare(&fresh, guard_tables_sql, error) : NULL;
    theirs = ours ? campaign_db_prepare(db, guard_tables_sql, error) : NULL;
    if (theirs)
        same = guard_compare(ours, theirs, &has_format);
    (void)sqlite3_finalize(ours);
    (void)sqlite3_finalize(theirs);
    (void)sqlite3_close(fresh.handle);
    if (!theirs || same)
        return same;
    if (has_format && !campaign_db_get(db, "format", &format, error))
        return false;
    good = format && strcmp(format, CAMPAIGN_DB_FORMAT) != 0;
    free(format);
    return good ||
           error_set(error, ERROR_INPUT,
                     "%s: not a database of gfe campaign, or damaged: its tables are others",
                     db->path);
}
