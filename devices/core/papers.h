/* SPDX-License-Identifier: MIT */
/*
 * Papers that several tables of rules cite, and the GPUs on which each saw what it says: a basis
 * for rows (emu/log/rule.h).  docs/sources.md has their titles.
 */
#ifndef GFE_DEVICES_CORE_PAPERS_H
#define GFE_DEVICES_CORE_PAPERS_H

#include "emu/log/rule.h"

#define PAPER_AMERT     "Amert et al. 2017, "
#define PAPER_BAKITA    "Bakita and Anderson 2024, "
#define PAPER_OTTERNESS "Otterness and Anderson 2022, "
#define PAPER_YANG      "Yang and Anderson 2017 (poster), "

#define SEEN_BY_AMERT     PUBLISHED_ON("GP10B (Jetson TX2)")
/* Its Table I: "our rules hold for all these devices". */
#define SEEN_BY_BAKITA    PUBLISHED_ON("GP102, GP106, GP10B, GV100, GV11B, TU102, GA100, GA10B, AD102")
#define SEEN_BY_OTTERNESS PUBLISHED_ON("Vega 20 (Radeon VII)")
/* A model of a GPU, which no card is. */
#define SEEN_BY_YANG      PUBLISHED_ON("yang17, yang17-7, yang17-32")

#endif
