/* SPDX-License-Identifier: MIT */
/*
 * The space of a campaign's experiments.  Each family of the plan (emu/faults/campaign_plan.h) with
 * each of its models on each program is a stratum; of families that act together, each choice of a
 * model for each of them is one.  A stratum's experiments are numbered: one set of faults of each
 * of its parts (emu/faults/campaign_part.h).
 *
 * Samples are drawn without replacement, of each stratum the same number; a stratum that has fewer
 * is drawn whole (emu/faults/campaign_draws.h).
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_SPACE_H
#define GFE_EMU_FAULTS_CAMPAIGN_SPACE_H

#include "emu/faults/campaign_draws.h"
#include "emu/faults/campaign_part.h"

enum {
    CAMPAIGN_STRATA_MAX = 4096,
    CAMPAIGN_EXPERIMENTS_MAX = 1000000000,
    CAMPAIGN_LABEL_BYTES = 160,
};

struct campaign_stratum {
    uint32_t program, entry_index, part_count;
    struct campaign_part parts[INJECT_FAULTS_MAX];
    campaign_wide size; /* experiments that are possible */
};

struct campaign_space {
    const struct campaign_plan *plan;
    struct campaign_run *const *runs; /* by program */
    struct campaign_stratum *strata;
    uint32_t stratum_count;
    campaign_wide size;          /* of all strata */
    uint64_t experiment_count;   /* samples, or size */
    struct campaign_draws draws; /* unless the plan is exhaustive */
};

/* Makes the space of a plan whose programs' golden runs are made; both are borrowed.  `hash` is the
 * plan's.  Returns false with a message for an unknown site, model or field, a trigger that never
 * comes, and the like.  Call campaign_space_fini() in any case. */
bool campaign_space_init(struct campaign_space *space, const struct campaign_plan *plan,
                         struct campaign_run *const *runs, const char *hash,
                         struct gfe_error *error);
void campaign_space_fini(struct campaign_space *space);
/* Returns the stratum of experiment i, and writes its faults as a text (inject_parse_set()). */
uint32_t campaign_space_fault(const struct campaign_space *space, uint64_t i,
                              char text[INJECT_SET_MAX]);
/* Names of a stratum's faults by the sites' units, sites and models: "gp_entry", or for several "2x
 * gp_entry + release". */
struct campaign_labels {
    char unit[CAMPAIGN_LABEL_BYTES], site[CAMPAIGN_LABEL_BYTES], model[CAMPAIGN_LABEL_BYTES];
};
void campaign_space_labels(const struct campaign_stratum *stratum, struct campaign_labels *labels);

#endif
