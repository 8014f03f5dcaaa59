/* SPDX-License-Identifier: MIT */
/*
 * The report of a campaign: shares of outcomes by site, model, stratum and owner, with intervals;
 * how far faults reached, and pairs of owner and victim; how errors were detected, and after how
 * long; the worst strata.
 *
 * A share over several strata is an estimate for the whole space: strata weigh as many faults as
 * they have, or as much as the plan's rates say (emu/faults/campaign_estimate.h).
 *
 * The report depends on the experiments alone, in the order of their numbers, and not on how, where
 * and in how many parts they were made.  If the plan allows an early stop, the experiments after
 * the first prefix that is precise enough do not count (emu/faults/campaign_stats.h).
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_REPORT_H
#define GFE_EMU_FAULTS_CAMPAIGN_REPORT_H

#include <stdio.h>

#include "emu/faults/campaign_db.h"
#include "emu/faults/campaign_estimate.h"
#include "emu/faults/campaign_plan.h"
#include "emu/faults/campaign_stats.h"

enum { CAMPAIGN_NAME_BYTES = 400, CAMPAIGN_LATENCIES = 14, CAMPAIGN_EXAMPLES = 3 };

/* Shares of a row: of each class, and of the experiments that were neither masked nor not
 * activated; and of each reach. */
enum {
    CAMPAIGN_NOT_MASKED = OUTCOME_CLASSES,
    CAMPAIGN_SHARES,
};

/* Counts by the most severe class of each experiment. */
struct campaign_tally {
    char name[CAMPAIGN_NAME_BYTES];
    uint64_t total, acted, outcomes[OUTCOME_CLASSES], reaches[OUTCOME_REACHES];
    uint64_t pruned;      /* of `total`: not made, because the outcome was known */
    campaign_wide faults; /* faults that there are, unless the row is a group */
    campaign_wide weight; /* of a stratum, relative to the others */
    struct campaign_share shares[CAMPAIGN_SHARES];
    /* The experiments themselves say what belongs to the row, as with owners: its shares have no
     * intervals. */
    bool is_group;
    uint32_t program; /* of a stratum: its row in `programs` */
};

struct campaign_tallies {
    struct campaign_tally *rows;
    uint32_t count, capacity;
};

struct campaign_harm {
    char owner[OUTCOME_OWNERS_BYTES], victim[32], reach[32];
    uint64_t count;
};

/* The experiments of a stratum that belong to a row of `owners` or `detections`. */
struct campaign_group_cell {
    uint32_t row, stratum;
    bool is_owner;
    uint64_t total, outcomes[OUTCOME_CLASSES];
};

struct campaign_report {
    struct campaign_plan *plan;
    char *hash, *version;
    uint64_t planned; /* experiments */
    uint64_t end;     /* experiments with lower numbers count */
    uint64_t missing; /* experiments below `end` that were not made */
    bool stopped_early;
    uint32_t together;  /* faults in one experiment, at most */
    uint64_t all_acted; /* experiments in which each fault acted */
    const struct campaign_level *level;
    struct campaign_tally all;
    struct campaign_tallies strata, units, sites, models, owners, programs, detections;
    /* By stratum: its row in units, sites, models and programs. */
    struct campaign_rows {
        uint32_t unit, site, model, program, family;
    } * rows_of;
    struct campaign_group_cell *group_cells;
    uint32_t group_cell_count, group_cell_capacity;
    struct id_map group_index;
    campaign_wide *family_faults;                   /* by entry of the plan */
    struct campaign_share reaches[OUTCOME_REACHES]; /* of all: faults that reached so far */
    struct campaign_harm *harms;
    uint32_t harm_count, harm_capacity;
    uint64_t latencies[CAMPAIGN_LATENCIES]; /* below 1 ns, 10 ns, ... */
    /* The first experiments of each class. */
    struct campaign_example {
        uint64_t id;
        char fault[INJECT_SET_MAX];
    } examples[OUTCOME_CLASSES][CAMPAIGN_EXAMPLES];
    bool no_memory;
    const char *damaged; /* what the database has that no campaign writes; NULL if nothing */
};

/* Makes the report.  Returns false with a message on error.  Call campaign_report_fini() in any
 * case.
 */
bool campaign_report_init(struct campaign_report *report, struct campaign_db *db,
                          struct gfe_error *error);
void campaign_report_fini(struct campaign_report *report);
/* Computes the shares of all rows from their counts.  Returns false if memory is short. */
bool campaign_report_estimate(struct campaign_report *report);
/* Returns true if the share of each class over all strata is known within the plan's margin, at the
 * level of one of several looks.  *no_memory is set if memory is short. */
bool campaign_report_is_precise(struct campaign_report *report, bool *no_memory);
/* Counts an experiment in a row of `owners` or `detections`.  Returns false if memory is short. */
bool campaign_report_group(struct campaign_report *report, bool is_owner, uint32_t row,
                           const struct campaign_row *experiment);
/* Returns how many of a row's experiments are of a share. */
uint64_t campaign_tally_count(const struct campaign_tally *tally, uint32_t share);
/* Writes the interval of a share that is not a group's: "1.23 - 4.56 %", or if nothing is uncertain
 * "1.23 %"; and returns the text. */
const char *campaign_interval_text(char *text, size_t bytes, const struct campaign_share *share);
/* Writes the worst strata, the worst first: by the share of Breach, then Collateral, and so on. */
void campaign_report_worst(const struct campaign_report *report, const struct campaign_tally **rows,
                           uint32_t count);

void campaign_report_text(FILE *file, const struct campaign_report *report);
void campaign_report_csv(FILE *file, const struct campaign_report *report);
void campaign_report_html(FILE *file, const struct campaign_report *report);
/* Prints the report as JSON.  Returns false, and prints nothing, if memory is short. */
bool campaign_report_json(FILE *file, const struct campaign_report *report);

/* Writes a share in ppm as "12.34 %", and returns the text. */
const char *campaign_percent(char *text, size_t bytes, uint64_t ppm);
const char *campaign_latency_name(uint32_t bin);

#endif
