/* SPDX-License-Identifier: MIT */
/*
 * The faults of one family of a plan (emu/faults/campaign_plan.h) with one of its models on one
 * program.  The faults are numbered by subject, trigger and bit or argument; each is a text as gfe
 * inject takes it.  For a family with a count, sets of `count` different faults are numbered in the
 * same order.
 *
 * The triggers of a passage are the passages of the run without faults, so that each fault meets
 * one.  State is changed at times or after events.  A trigger that the plan gives must come in that
 * run, unless another fault acts together with it, which may cause the trigger.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_PART_H
#define GFE_EMU_FAULTS_CAMPAIGN_PART_H

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
    uint32_t entry_index, together;  /* index in the plan; CAMPAIGN_ALONE: not within `together` */
    /* Computed: */
    const struct machine *machine;
    const struct inject_site *site;
    uint32_t site_number, count; /* count: faults that act together */
    enum inject_model model;
    uint64_t positions; /* bits or arguments, of all fields */
    uint64_t *passages; /* by subject of the entry, or one number for all: passages there */
    uint64_t triggers;  /* if they are not passages */
    uint64_t faults;
    campaign_wide size;  /* sets of `count` of them */
    bool may_never_come; /* the run without faults lacks some of the triggers */
};

/* Computes the part.  Returns false with a message for an unknown site, model or field, a trigger
 * that never comes, and the like.  Call campaign_part_fini() in any case. */
bool campaign_part_init(struct campaign_part *part, const char *model, struct gfe_error *error);
void campaign_part_fini(struct campaign_part *part);
/* Writes the text of the index-th fault. */
void campaign_part_fault(const struct campaign_part *part, uint64_t index,
                         char text[INJECT_TEXT_MAX]);

#endif
