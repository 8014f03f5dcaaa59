/* SPDX-License-Identifier: MIT */
/*
 * The results of a campaign: an SQLite file, which any program that reads such files can query.
 *
 *     campaign(key, value)       the campaign: format, version, plan, hash, folder,
 *                                experiments, ...
 *     stratum(id, program, unit, site, model, family, faults)
 *                                faults: a text, because they may be more than 2^64
 *     experiment(id, stratum, fault, acted, first_ps, outcome, classes, detected_by,
 *                latency_ps, recovered, different, missing, extra, late, latest_ps,
 *                memory_words, owner, pruned, activated, reach)
 *                                fault: one, or several with "; " between; activated: how many
 *                                of them acted; reach: of the farthest victim, or NULL
 *     victim(experiment, who, reach)
 *                                of experiments with Collateral
 *
 * Rows are written in transactions, so that a file is whole however its writer ends.  Running the
 * campaign again makes the missing experiments.  A writer locks the file.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_DB_H
#define GFE_EMU_FAULTS_CAMPAIGN_DB_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/faults/campaign_row.h"
#include "emu/faults/campaign_sample.h"

#define CAMPAIGN_DB_FORMAT "5" /* changes with the tables */

enum campaign_db_mode { CAMPAIGN_DB_READ, CAMPAIGN_DB_WRITE };

struct campaign_db;

/* Opens a file, which may be a stranger's: nothing in it runs, and its tables have to be those
 * above.  To read, the file is opened read-only; only what a killed writer left half written is
 * taken back before.  To write, it makes the file if there is none, and locks it.  Returns NULL
 * with a message on error. */
struct campaign_db *campaign_db_open(const char *path, enum campaign_db_mode mode,
                                     struct gfe_error *error);
void campaign_db_close(struct campaign_db *db);
const char *campaign_db_path(const struct campaign_db *db);

/* Returns true if the file has a campaign, with the tables of this version of gfe.  Returns false
 * with a message otherwise. */
bool campaign_db_is_begun(struct campaign_db *db, struct gfe_error *error);
/* Reads a text of table campaign, which the caller frees; NULL means that there is none.  Returns
 * false with a message if the text cannot be read, or if memory is short. */
bool campaign_db_get(struct campaign_db *db, const char *key, char **value,
                     struct gfe_error *error);
bool campaign_db_set(struct campaign_db *db, const char *key, const char *value,
                     struct gfe_error *error);
struct campaign_db_stratum {
    uint32_t id, family;
    const char *program, *unit, *site, *model;
    campaign_wide faults;
};
bool campaign_db_set_stratum(struct campaign_db *db, const struct campaign_db_stratum *stratum,
                             struct gfe_error *error);
/* Begin and end a transaction: all changes between the two calls are written, or none. */
bool campaign_db_begin(struct campaign_db *db, struct gfe_error *error);
bool campaign_db_commit(struct campaign_db *db, struct gfe_error *error);
/* Adds an experiment, or does nothing if it is there. */
bool campaign_db_put(struct campaign_db *db, const struct campaign_row *row,
                     struct gfe_error *error);

/* Each row that is read is checked: a number out of its range, a text that is too long or has a
 * zero byte, or an experiment that comes twice ends the calls below with a message.
 *
 * Calls next() with the numbers of the experiments in the file, in order.  false from next() ends
 * the calls. */
typedef bool campaign_db_next(void *context, uint64_t id);
bool campaign_db_ids(struct campaign_db *db, campaign_db_next *next, void *context,
                     struct gfe_error *error);
/* Calls visit() with the experiments whose numbers are lower than `end`, in order.  A row has the
 * count of victims, but not their numbers.  Names of owners and victims are those of outcome_who().
 */
struct campaign_db_row {
    struct campaign_row row;
    char owner[OUTCOME_OWNERS_BYTES];
};
typedef bool campaign_db_visit(void *context, const struct campaign_db_row *row);
bool campaign_db_rows(struct campaign_db *db, uint64_t end, campaign_db_visit *visit, void *context,
                      struct gfe_error *error);
/* Calls visit() with one experiment, if it is there. */
bool campaign_db_row(struct campaign_db *db, uint64_t id, campaign_db_visit *visit, void *context,
                     struct gfe_error *error);
/* Call visit() with each stratum; and with each pair of owner and victim and its reach, in order of
 * names, among the experiments below `end`. */
typedef bool campaign_db_stratum_visit(void *context, const struct campaign_db_stratum *stratum);
bool campaign_db_strata(struct campaign_db *db, campaign_db_stratum_visit *visit, void *context,
                        struct gfe_error *error);
typedef bool campaign_db_harm(void *context, const char *owner, const char *victim,
                              const char *reach, uint64_t count);
bool campaign_db_harms(struct campaign_db *db, uint64_t end, campaign_db_harm *visit, void *context,
                       struct gfe_error *error);
/* Adds all experiments of another file, after checking its rows. */
bool campaign_db_join(struct campaign_db *db, struct campaign_db *part, struct gfe_error *error);

#endif
