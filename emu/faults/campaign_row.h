/* SPDX-License-Identifier: MIT */
/* The result of one experiment of a campaign: a row of its database. */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_ROW_H
#define GFE_EMU_FAULTS_CAMPAIGN_ROW_H

#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

struct campaign_row {
    uint64_t id; /* number of the experiment, from 0 */
    uint32_t stratum;
    uint32_t outcome, classes; /* the most severe enum outcome_class, and bits of all that hold */
    uint32_t recovered;
    uint32_t different, missing, extra, late;
    uint32_t victim_count;
    uint32_t pruned;    /* 1: not made, because its outcome was known */
    uint64_t acted;     /* how often all faults together acted */
    uint32_t activated; /* how many faults acted */
    gfe_ps first_ps;    /* when the first acted; GFE_PS_NEVER: none did */
    gfe_ps latency_ps;  /* to the detection; GFE_PS_NEVER: none */
    gfe_ps latest_ps;
    uint64_t memory_words;
    struct outcome_owners owners; /* the owners of the faults */
    uint32_t reach, reserved;     /* enum outcome_reach, of the farthest victim */
    /* Others that were affected, where Collateral holds, and their reaches. */
    uint64_t victims[OUTCOME_VICTIMS_MAX];
    uint32_t reaches[OUTCOME_VICTIMS_MAX];
    char detected_by[32];       /* kind of event; "": none */
    char fault[INJECT_SET_MAX]; /* or faults that acted together (inject_parse_set()); last in the
                                 * row, as it is long and mostly not full */
};

#endif
