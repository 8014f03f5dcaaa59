/* SPDX-License-Identifier: MIT */
/*
 * The report of a campaign: counts of outcomes by site, model, stratum and owner, with intervals;
 * pairs of owner and victim; how errors were detected, and after how long; the worst sites.
 *
 * The report depends on the experiments alone, in the order of their numbers, and not on how, where
 * and in how many parts they were made.  If the plan allows an early stop, the experiments after
 * the first prefix that is precise enough do not count (emu/faults/campaign_stats.h).
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_REPORT_H
#define GFE_EMU_FAULTS_CAMPAIGN_REPORT_H

#include <stdio.h>

#include "emu/faults/campaign_db.h"
#include "emu/faults/campaign_plan.h"
#include "emu/faults/campaign_stats.h"

enum { CAMPAIGN_NAME_BYTES = 400, CAMPAIGN_LATENCIES = 14, CAMPAIGN_EXAMPLES = 3 };

/* Counts by the most severe class of each experiment. */
struct campaign_tally {
    char name[CAMPAIGN_NAME_BYTES];
    uint64_t total, acted, outcomes[OUTCOME_CLASSES];
    uint64_t pruned;      /* of `total`: not made, because the outcome was known */
    campaign_wide faults; /* faults of the stratum, if the row is one */
};

struct campaign_tallies {
    struct campaign_tally *rows;
    uint32_t count, capacity;
};

struct campaign_harm {
    char owner[OUTCOME_OWNERS_BYTES], victim[32];
    uint64_t count;
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
        uint32_t unit, site, model, program;
    } * rows_of;
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
/* Writes the rows of `sites` and `models`, the worst first: by the share of Collateral, then Hang,
 * and so on. */
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
