/* SPDX-License-Identifier: MIT */
/*
 * The results of a campaign: an SQLite file, which any program that reads those can ask.
 *
 *     campaign(key, value)   what was run: format, version, plan, hash, folder, experiments, ...
 *     stratum(id, program, unit, site, model, family, faults)   faults: a text, as they may be more
 * than 2^64 experiment(id, stratum, fault, acted, first_ps, outcome, classes, detected_by,
 * latency_ps, recovered, different, missing, extra, late, latest_ps, memory_words, owner, pruned,
 * activated)   fault: or several, with "; " between; activated: how many of them victim(experiment,
 * who)     of those where Collateral holds
 *
 * Rows are written in transactions, so that a file is whole however its writer ends; who runs the
 * campaign again makes what is missing.  A writer has the file for itself.
 */
#ifndef GFE_EMU_CAMPAIGN_DB_H
#define GFE_EMU_CAMPAIGN_DB_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/faults/campaign_row.h"
#include "emu/faults/campaign_sample.h"

#define CAMPAIGN_DB_FORMAT "4" /* changes with the tables */

enum campaign_db_mode { CAMPAIGN_DB_READ, CAMPAIGN_DB_WRITE };

struct campaign_db;

/* NULL with a message.  To write: makes the file if there is none, and keeps others out. */
struct campaign_db *campaign_db_open(const char *path, enum campaign_db_mode mode,
                                     struct gfe_error *error);
void campaign_db_close(struct campaign_db *db);
const char *campaign_db_path(const struct campaign_db *db);

/* Has a campaign been begun in it, by a gfe that writes the same tables?  False with a message. */
bool campaign_db_is_begun(struct campaign_db *db, struct gfe_error *error);
/* A text of table campaign, which the caller frees; NULL: there is none. */
char *campaign_db_get(struct campaign_db *db, const char *key);
bool campaign_db_set(struct campaign_db *db, const char *key, const char *value,
                     struct gfe_error *error);
struct campaign_db_stratum {
    uint32_t id, family;
    const char *program, *unit, *site, *model;
    campaign_wide faults;
};
bool campaign_db_set_stratum(struct campaign_db *db, const struct campaign_db_stratum *stratum,
                             struct gfe_error *error);
/* Between the two all is written or nothing. */
bool campaign_db_begin(struct campaign_db *db, struct gfe_error *error);
bool campaign_db_commit(struct campaign_db *db, struct gfe_error *error);
/* Adds an experiment, or does nothing if it is there. */
bool campaign_db_put(struct campaign_db *db, const struct campaign_row *row,
                     struct gfe_error *error);

/* Numbers of the experiments that are there, in order, to next(); false from it ends that. */
typedef bool campaign_db_next(void *context, uint64_t id);
bool campaign_db_ids(struct campaign_db *db, campaign_db_next *next, void *context,
                     struct gfe_error *error);
/* Experiments with a lower number than `end`, in order.  Rows have no victims' numbers, but their
 * count; names of owners and victims are as outcome_who() gives them. */
struct campaign_db_row {
    struct campaign_row row;
    char owner[OUTCOME_OWNERS_BYTES];
};
typedef bool campaign_db_visit(void *context, const struct campaign_db_row *row);
bool campaign_db_rows(struct campaign_db *db, uint64_t end, campaign_db_visit *visit, void *context,
                      struct gfe_error *error);
/* One of them, if it is there. */
bool campaign_db_row(struct campaign_db *db, uint64_t id, campaign_db_visit *visit, void *context,
                     struct gfe_error *error);
/* The strata; and who was hurt by whom, in order of names, among experiments below `end`. */
typedef bool campaign_db_stratum_visit(void *context, const struct campaign_db_stratum *stratum);
bool campaign_db_strata(struct campaign_db *db, campaign_db_stratum_visit *visit, void *context,
                        struct gfe_error *error);
typedef bool campaign_db_harm(void *context, const char *owner, const char *victim, uint64_t count);
bool campaign_db_harms(struct campaign_db *db, uint64_t end, campaign_db_harm *visit, void *context,
                       struct gfe_error *error);
/* Adds all experiments of another file. */
bool campaign_db_join(struct campaign_db *db, const char *path, struct gfe_error *error);

#endif
