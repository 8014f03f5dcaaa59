/* SPDX-License-Identifier: MIT */
/* What the files of a campaign's database share: the connection, and how a file of strangers is
 * opened. */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_DB_PRIVATE_H
#define GFE_EMU_FAULTS_CAMPAIGN_DB_PRIVATE_H

#include <sqlite3.h>

#include "emu/faults/campaign_db.h"

struct campaign_db {
    sqlite3 *handle;
    sqlite3_stmt *put, *put_victim;
    char *path;
    uint64_t steps, steps_max; /* of SQLite's machine, in thousands, since the last question */
};

/* The statements that make the tables. */
extern const char campaign_db_schema[];

/* Records the last error of the connection.  Returns false. */
bool campaign_db_failed(const struct campaign_db *db, struct gfe_error *error);
/* Prepares a statement, and counts its steps anew.  Returns NULL with a message on error. */
sqlite3_stmt *campaign_db_prepare(struct campaign_db *db, const char *sql, struct gfe_error *error);

/* Opens db->path as a file that a stranger may have made: db->handle is set then.  The file must be
 * a regular one without a log beside it (WAL).  Triggers, views and functions of the file do not
 * run; texts, statements and steps have bounds.  To read, the file is opened read-only, after a
 * journal that a killed writer left has been taken back.  Returns false with a message on error. */
bool campaign_db_guard_open(struct campaign_db *db, enum campaign_db_mode mode,
                            struct gfe_error *error);
/* Returns true if the tables are those of campaign_db_schema, or if the file says another format
 * than CAMPAIGN_DB_FORMAT, which the caller then has to refuse.  Returns false with a message
 * otherwise. */
bool campaign_db_guard_tables(struct campaign_db *db, struct gfe_error *error);

#endif
