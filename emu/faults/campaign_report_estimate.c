/* SPDX-License-Identifier: MIT */
/* The shares of a campaign's report. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/faults/campaign_report.h"

uint64_t campaign_tally_count(const struct campaign_tally *tally, uint32_t share)
{
    if (share == CAMPAIGN_NOT_MASKED)
        return tally->total - tally->outcomes[OUTCOME_MASKED] -
               tally->outcomes[OUTCOME_NOT_ACTIVATED];
    return tally->outcomes[share];
}

const char *campaign_interval_text(char *text, size_t bytes, const struct campaign_share *share)
{
    char low[24], high[24];

    (void)campaign_percent(low, sizeof low, share->low_ppm);
    (void)campaign_percent(high, sizeof high, share->high_ppm);
    if (share->low_ppm == share->high_ppm)
        (void)snprintf(text, bytes, "%s %%", low);
    else
        (void)snprintf(text, bytes, "%s - %s %%", low, high);
    return text;
}

/* ---- rows of strata -------------------------------------------------------------------------- */

/* The experiments of strata, of which a row has some: all with UINT32_MAX. */
struct strata {
    const struct campaign_report *report;
    struct campaign_cell *cells;
    uint32_t count;
    uint32_t z_ppm;
};

static void strata_add(struct strata *strata, uint32_t stratum)
{
    const struct campaign_tally *row = &strata->report->strata.rows[stratum];

    if (row->faults > 0)
        strata->cells[strata->count++] = (struct campaign_cell){
            .weight = row->weight, .faults = row->faults, .made = row->total};
}

/* Estimates one share: get() counts its experiments in a stratum. */
static void strata_share(struct strata *strata, const uint32_t *stratum_of,
                         uint64_t (*get)(const struct campaign_tally *, uint32_t), uint32_t which,
                         struct campaign_share *share)
{
    for (uint32_t i = 0; i < strata->count; i++)
        strata->cells[i].count = get(&strata->report->strata.rows[stratum_of[i]], which);
    campaign_estimate(strata->cells, strata->count, strata->z_ppm,
                      strata->report->plan->size == CAMPAIGN_EXHAUSTIVE, share);
}

static uint64_t reach_count(const struct campaign_tally *tally, uint32_t reach)
{
    return tally->reaches[reach];
}

enum row_kind { ROW_ALL, ROW_STRATUM, ROW_UNIT, ROW_SITE, ROW_MODEL, ROW_PROGRAM };

static uint32_t row_of(const struct campaign_report *report, enum row_kind kind, uint32_t stratum)
{
    const struct campaign_rows *rows = &report->rows_of[stratum];

    return kind == ROW_STRATUM   ? stratum
           : kind == ROW_UNIT    ? rows->unit
           : kind == ROW_SITE    ? rows->site
           : kind == ROW_MODEL   ? rows->model
           : kind == ROW_PROGRAM ? rows->program
                                 : 0;
}

/* Collects the strata of a row. */
static void strata_collect(struct strata *strata, uint32_t *stratum_of, enum row_kind kind,
                           uint32_t row)
{
    strata->count = 0;
    for (uint32_t s = 0; s < strata->report->strata.count; s++)
        if (row_of(strata->report, kind, s) == row && strata->report->strata.rows[s].faults > 0) {
            stratum_of[strata->count] = s;
            strata_add(strata, s);
        }
}

static void row_estimate(struct strata *strata, uint32_t *stratum_of, enum row_kind kind,
                         uint32_t row, struct campaign_tally *tally)
{
    strata_collect(strata, stratum_of, kind, row);
    for (uint32_t i = 0; i < CAMPAIGN_SHARES; i++)
        strata_share(strata, stratum_of, campaign_tally_count, i, &tally->shares[i]);
}

static void rows_estimate(struct strata *strata, uint32_t *stratum_of, enum row_kind kind,
                          struct campaign_tallies *tallies)
{
    for (uint32_t i = 0; i < tallies->count; i++)
        row_estimate(strata, stratum_of, kind, i, &tallies->rows[i]);
}

/* ---- groups ---------------------------------------------------------------------------------- */

bool campaign_report_group(struct campaign_report *report, bool is_owner, uint32_t row,
                           const struct campaign_row *experiment)
{
    const uint64_t id = (uint64_t)is_owner << 63 | (uint64_t)row << 32 | experiment->stratum;
    uint32_t index = id_map_find(&report->group_index, id);

    if (index == ID_MAP_NONE) {
        if (report->group_cell_count == report->group_cell_capacity) {
            const uint32_t capacity = 2 * report->group_cell_capacity + 64;
            void *cells = realloc(report->group_cells, capacity * sizeof *report->group_cells);

            if (!cells)
                return false;
            report->group_cells = cells;
            report->group_cell_capacity = capacity;
        }
        index = report->group_cell_count;
        if (!id_map_add(&report->group_index, id, index))
            return false;
        report->group_cells[report->group_cell_count++] = (struct campaign_group_cell){
            .row = row, .stratum = experiment->stratum, .is_owner = is_owner};
    }
    report->group_cells[index].total++;
    report->group_cells[index].outcomes[experiment->outcome]++;
    return true;
}

/* A stratum's part of a group weighs as much of the stratum as its part of the sample. */
static void group_estimate(struct strata *strata, uint32_t *cell_of, bool is_owner, uint32_t row,
                           struct campaign_tally *tally)
{
    const struct campaign_report *report = strata->report;
    const uint32_t together = report->strata.count;

    strata->count = 0;
    for (uint32_t i = 0; i < report->group_cell_count && strata->count < together; i++) {
        const struct campaign_group_cell *group = &report->group_cells[i];
        const struct campaign_tally *stratum = &report->strata.rows[group->stratum];
        campaign_wide weight = stratum->weight;

        if (group->row != row || group->is_owner != is_owner)
            continue;
        weight = weight >> 64 > 0 ? weight / stratum->total * group->total
                                  : (weight << 20) / stratum->total * group->total >> 20;
        cell_of[strata->count] = i;
        strata->cells[strata->count++] = (struct campaign_cell){
            .weight = weight > 0 ? weight : 1, .faults = group->total, .made = group->total};
    }
    for (uint32_t c = 0; c < CAMPAIGN_SHARES; c++) {
        for (uint32_t i = 0; i < strata->count; i++) {
            const struct campaign_group_cell *group = &report->group_cells[cell_of[i]];
            struct campaign_tally counts = {.total = group->total};

            for (uint32_t k = 0; k < OUTCOME_CLASSES; k++)
                counts.outcomes[k] = group->outcomes[k];
            strata->cells[i].count = campaign_tally_count(&counts, c);
        }
        campaign_estimate(strata->cells, strata->count, strata->z_ppm, false, &tally->shares[c]);
    }
}

/* ---- the report ------------------------------------------------------------------------------ */

static bool strata_init(struct strata *strata, uint32_t **stratum_of,
                        const struct campaign_report *report, uint32_t z_ppm)
{
    const size_t count = report->strata.count + (size_t)1;

    *strata = (struct strata){.report = report, .z_ppm = z_ppm};
    strata->cells = calloc(count, sizeof *strata->cells);
    *stratum_of = calloc(count, sizeof **stratum_of);
    return strata->cells && *stratum_of;
}

bool campaign_report_is_precise(struct campaign_report *report, bool *no_memory)
{
    struct strata strata;
    uint32_t *stratum_of;
    bool is_precise = strata_init(&strata, &stratum_of, report, report->level->corrected_ppm);

    *no_memory = !is_precise;
    if (is_precise)
        strata_collect(&strata, stratum_of, ROW_ALL, 0);
    for (uint32_t c = 0; is_precise && c < OUTCOME_CLASSES; c++) {
        struct campaign_share share;

        strata_share(&strata, stratum_of, campaign_tally_count, c, &share);
        is_precise = campaign_share_margin(&share) <= report->plan->margin_ppm;
    }
    free(strata.cells);
    free(stratum_of);
    return is_precise;
}

bool campaign_report_estimate(struct campaign_report *report)
{
    struct strata strata;
    uint32_t *stratum_of;
    const bool good = strata_init(&strata, &stratum_of, report, report->level->z_ppm);

    if (good) {
        row_estimate(&strata, stratum_of, ROW_ALL, 0, &report->all);
        for (uint32_t r = 1; r < OUTCOME_REACHES; r++)
            strata_share(&strata, stratum_of, reach_count, r, &report->reaches[r]);
        rows_estimate(&strata, stratum_of, ROW_STRATUM, &report->strata);
        rows_estimate(&strata, stratum_of, ROW_UNIT, &report->units);
        rows_estimate(&strata, stratum_of, ROW_SITE, &report->sites);
        rows_estimate(&strata, stratum_of, ROW_MODEL, &report->models);
        rows_estimate(&strata, stratum_of, ROW_PROGRAM, &report->programs);
        for (uint32_t i = 0; i < report->owners.count; i++)
            group_estimate(&strata, stratum_of, true, i, &report->owners.rows[i]);
        for (uint32_t i = 0; i < report->detections.count; i++)
            group_estimate(&strata, stratum_of, false, i, &report->detections.rows[i]);
    }
    free(strata.cells);
    free(stratum_of);
    return good;
}
