/* SPDX-License-Identifier: MIT */
/*
 * The faults of one family of a plan (emu/faults/campaign_plan.h) with one of its models on one
 * program: numbered, by subject, trigger and bit or argument, and each a text as gfe inject takes
 * it.  Of a family with a count, sets of so many different ones are numbered likewise.
 *
 * The triggers of a passage are the passages that the run without faults had, so that each fault
 * meets something; state is changed at times or behind events.  What is given as a trigger must
 * come in that run, unless another fault acts together with it, which may be what makes it come.
 */
#ifndef GFE_DEVICES_CAMPAIGN_PART_H
#define GFE_DEVICES_CAMPAIGN_PART_H

#include "emu/faults/campaign_run.h"
#include "emu/faults/campaign_plan.h"
#include "emu/faults/campaign_sample.h"

#define CAMPAIGN_ALONE      UINT32_MAX
#define CAMPAIGN_FAULTS_MAX (UINT64_C(1) << 62)

struct campaign_part {
    /* Given: */
    const struct campaign_entry *entry;
    struct campaign_run *run;        /* of the program */
    const char *plan_path, *program; /* paths, for messages */
    uint32_t entry_index, together;  /* where in the plan; CAMPAIGN_ALONE: not within another */
    /* What follows: */
    const struct machine *machine;
    const struct inject_site *site;
    uint32_t site_number, count; /* count: that act together */
    enum inject_model model;
    uint64_t positions; /* bits or arguments, of all fields */
    uint64_t *passages; /* by subject of the entry, or one number for all: passages there */
    uint64_t triggers;  /* where they are not passages */
    uint64_t faults;
    campaign_wide size;  /* sets of `count` of them */
    bool may_never_come; /* triggers are among them that the run without faults does not have */
};

/* False with a message: an unknown site, model or field, a trigger that never comes, ...;
 * campaign_part_fini() in any case. */
bool campaign_part_init(struct campaign_part *part, const char *model, struct gfe_error *error);
void campaign_part_fini(struct campaign_part *part);
/* The index-th fault. */
void campaign_part_fault(const struct campaign_part *part, uint64_t index,
                         char text[INJECT_TEXT_MAX]);

#endif
