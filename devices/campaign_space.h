/* SPDX-License-Identifier: MIT */
/*
 * The space of a campaign's faults: each family of the plan (emu/campaign_plan.h) with each of its
 * models on each program is a stratum; its faults are numbered, by subject, trigger and bit or
 * argument, and each is a text as gfe inject takes it.
 *
 * The triggers of a passage are the passages that the run without faults had, so that each fault
 * meets something; state is changed at times or behind events.  Samples take the strata in turn:
 * each gets as many, however large it is.
 */
#ifndef GFE_DEVICES_CAMPAIGN_SPACE_H
#define GFE_DEVICES_CAMPAIGN_SPACE_H

#include "devices/campaign_run.h"
#include "emu/campaign_plan.h"

enum { CAMPAIGN_STRATA_MAX = 4096, CAMPAIGN_EXPERIMENTS_MAX = 1000000000 };

struct campaign_stratum {
    const struct campaign_entry *entry;
    const struct inject_site *site;
    const struct machine *machine; /* the program's */
    uint32_t program, entry_index, site_number;
    enum inject_model model;
    uint64_t positions; /* bits or arguments, of all fields */
    uint64_t *passages; /* by subject of the entry, or one number for all: passages there */
    uint64_t triggers;  /* where they are not passages */
    uint64_t size;      /* faults */
};

struct campaign_space {
    const struct campaign_plan *plan;
    struct campaign_run *const *runs; /* by program */
    struct campaign_stratum *strata;
    uint32_t stratum_count;
    uint64_t size;             /* faults of all strata */
    uint64_t experiment_count; /* samples, or size */
    uint64_t seed;
};

/* The space of a plan whose programs' golden runs stand; both are borrowed.  `hash` is the plan's.
 * False with a message: an unknown site, model or field, a trigger that never comes, ...;
 * campaign_space_fini() in any case. */
bool campaign_space_init(struct campaign_space *space, const struct campaign_plan *plan,
                         struct campaign_run *const *runs, const char *hash,
                         struct gfe_error *error);
void campaign_space_fini(struct campaign_space *space);
/* The stratum of experiment i, and its fault as text. */
uint32_t campaign_space_fault(const struct campaign_space *space, uint64_t i,
                              char text[INJECT_TEXT_MAX]);

#endif
