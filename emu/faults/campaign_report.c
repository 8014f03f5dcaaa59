/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/base/visible.h"
#include "emu/faults/campaign_space.h"

enum { HARMS_MAX = 1 << 16 };

/* ---- tallies --------------------------------------------------------------------------------- */

/* Returns the row of that name, which is made if need be, or UINT32_MAX without memory. */
static uint32_t tally_of(struct campaign_tallies *tallies, const char *name)
{
    for (uint32_t i = 0; i < tallies->count; i++)
        if (strcmp(tallies->rows[i].name, name) == 0)
            return i;
    if (tallies->count == CAMPAIGN_STRATA_MAX)
        return UINT32_MAX;
    if (tallies->count == tallies->capacity) {
        const uint32_t capacity = tallies->capacity ? 2 * tallies->capacity : 16;
        struct campaign_tally *rows = realloc(tallies->rows, capacity * sizeof *rows);

        if (!rows)
            return UINT32_MAX;
        tallies->rows = rows;
        tallies->capacity = capacity;
    }
    tallies->rows[tallies->count] = (struct campaign_tally){.total = 0};
    (void)snprintf(tallies->rows[tallies->count].name, CAMPAIGN_NAME_BYTES, "%s", name);
    return tallies->count++;
}

static void tally_add(struct campaign_tally *tally, const struct campaign_row *row)
{
    tally->reaches[row->reach]++;
    tally->total++;
    tally->acted += row->acted > 0;
    tally->pruned += row->pruned;
    tally->outcomes[row->outcome]++;
}

static void tally_add_named(struct campaign_report *report, struct campaign_tallies *tallies,
                            const char *name, const struct campaign_row *row)
{
    const uint32_t index = tally_of(tallies, name);

    if (index == UINT32_MAX && tallies->count == CAMPAIGN_STRATA_MAX) {
        report->damaged = "too many different names";
        return;
    }
    if (index == UINT32_MAX ||
        !campaign_report_group(report, tallies == &report->owners, index, row)) {
        report->no_memory = true;
        return;
    }
    tallies->rows[index].is_group = true;
    tally_add(&tallies->rows[index], row);
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint32_t tally_faults(struct campaign_report *report, struct campaign_tallies *tallies,
                             const char *name, campaign_wide faults)
{
    const uint32_t index = tally_of(tallies, name ? name : "");

    if (index == UINT32_MAX && tallies->count == CAMPAIGN_STRATA_MAX)
        report->damaged = "too many different names";
    else if (index == UINT32_MAX)
        report->no_memory = true;
    else
        tallies->rows[index].faults += faults;
    return index;
}

static bool take_stratum(void *context, const struct campaign_db_stratum *stratum)
{
    struct campaign_report *report = context;
    const campaign_wide faults = stratum->faults;
    char name[CAMPAIGN_NAME_BYTES], program[CAMPAIGN_NAME_BYTES];
    struct campaign_rows *rows;

    if (stratum->id != report->strata.count)
        return !(report->damaged = "its strata are not numbered from 0 without a gap");
    (void)snprintf(name, sizeof name, "%" PRIu32 " %.180s %.180s", stratum->id, stratum->site,
                   stratum->model);
    rows = realloc(report->rows_of, ((size_t)report->strata.count + 1) * sizeof *rows);
    if (!rows)
        return !(report->no_memory = true);
    report->rows_of = rows;
    if (tally_faults(report, &report->strata, name, faults) != stratum->id)
        return !(report->no_memory = true);
    rows[stratum->id] = (struct campaign_rows){
        .unit = tally_faults(report, &report->units, stratum->unit, faults),
        .site = tally_faults(report, &report->sites, stratum->site, faults),
        .model = tally_faults(report, &report->models, stratum->model, faults),
        .program = tally_faults(report, &report->programs,
                                visible_name(program, sizeof program, stratum->program), faults),
    };
    report->strata.rows[stratum->id].program = rows[stratum->id].program;
    if (stratum->family >= report->plan->entry_count)
        return !(report->no_memory = true);
    rows[stratum->id].family = stratum->family;
    report->family_faults[stratum->family] += faults;
    report->all.faults += faults;
    return !report->no_memory && !report->damaged;
}

/* Bin 0 is below 1 ns, each further one ten times as long. */
static uint32_t latency_bin(gfe_ps latency_ps)
{
    uint32_t bin = 0;

    for (gfe_ps bound = GFE_PS_PER_NS; bin + 1 < CAMPAIGN_LATENCIES && latency_ps >= bound;
         bound *= 10)
        bin++;
    return bin;
}

const char *campaign_latency_name(uint32_t bin)
{
    static const char *const names[CAMPAIGN_LATENCIES] = {
        "< 1 ns", "1 ns",  "10 ns",  "100 ns", "1 us", "10 us", "100 us",
        "1 ms",   "10 ms", "100 ms", "1 s",    "10 s", "100 s", "1000 s"};

    return names[bin];
}

static void take_example(struct campaign_report *report, const struct campaign_row *row)
{
    const uint64_t before = report->all.outcomes[row->outcome];

    if (before >= CAMPAIGN_EXAMPLES)
        return;
    report->examples[row->outcome][before].id = row->id;
    (void)snprintf(report->examples[row->outcome][before].fault, INJECT_SET_MAX, "%s", row->fault);
}

static uint32_t fault_count(const char *text)
{
    uint32_t count = 1;

    for (; *text; text++)
        count += *text == ';';
    return count;
}

static bool take_row(void *context, const struct campaign_db_row *found)
{
    struct campaign_report *report = context;
    const struct campaign_row *row = &found->row;
    const struct campaign_rows *rows;

    if (row->stratum >= report->strata.count)
        return !(report->damaged = "an experiment is of a stratum that is not there");
    take_example(report, row);
    report->all_acted += row->activated == fault_count(row->fault);
    tally_add(&report->all, row);
    tally_add(&report->strata.rows[row->stratum], row);
    rows = &report->rows_of[row->stratum];
    tally_add(&report->units.rows[rows->unit], row);
    tally_add(&report->sites.rows[rows->site], row);
    tally_add(&report->models.rows[rows->model], row);
    tally_add(&report->programs.rows[rows->program], row);
    tally_add_named(report, &report->owners, found->owner[0] ? found->owner : "no owner", row);
    if (row->detected_by[0]) {
        tally_add_named(report, &report->detections, row->detected_by, row);
        report->latencies[latency_bin(row->latency_ps)]++;
    }
    return !report->no_memory && !report->damaged;
}

static bool take_harm(void *context, const char *owner, const char *victim, const char *reach,
                      uint64_t count)
{
    struct campaign_report *report = context;

    if (report->harm_count == HARMS_MAX)
        return !(report->damaged = "too many pairs of owner and victim");
    if (report->harm_count == report->harm_capacity) {
        const uint32_t capacity = report->harm_capacity ? 2 * report->harm_capacity : 16;
        struct campaign_harm *harms = realloc(report->harms, capacity * sizeof *harms);

        if (!harms)
            return !(report->no_memory = true);
        report->harms = harms;
        report->harm_capacity = capacity;
    }
    report->harms[report->harm_count] = (struct campaign_harm){.count = count};
    (void)snprintf(report->harms[report->harm_count].owner, OUTCOME_OWNERS_BYTES, "%s", owner);
    (void)snprintf(report->harms[report->harm_count].reach, 32, "%s", reach);
    (void)snprintf(report->harms[report->harm_count++].victim, 32, "%s", victim);
    return true;
}

/* ---- where it ends --------------------------------------------------------------------------- */

struct prefix {
    uint64_t total, looks[CAMPAIGN_LOOKS], end;
    struct campaign_report *report;
    uint32_t look;
    bool no_memory;
};

/* A prefix counts only when all of it is there.  The strata's counts are those of the prefix. */
static bool prefix_row(void *context, const struct campaign_db_row *found)
{
    struct prefix *prefix = context;
    struct campaign_report *report = prefix->report;

    if (found->row.id != prefix->total || found->row.stratum >= report->strata.count)
        return false;
    tally_add(&report->strata.rows[found->row.stratum], &found->row);
    prefix->total++;
    if (prefix->total != prefix->looks[prefix->look])
        return true;
    prefix->look++;
    if (!campaign_report_is_precise(report, &prefix->no_memory))
        return prefix->look < CAMPAIGN_LOOKS && !prefix->no_memory;
    prefix->end = prefix->total;
    return false;
}

/* Counts begin again. */
static void prefix_forget(struct campaign_report *report)
{
    for (uint32_t s = 0; s < report->strata.count; s++) {
        struct campaign_tally *row = &report->strata.rows[s];
        const struct campaign_tally kept = *row;

        *row = (struct campaign_tally){
            .faults = kept.faults, .weight = kept.weight, .program = kept.program};
        memcpy(row->name, kept.name, sizeof row->name);
    }
}

static bool report_end(struct campaign_report *report, struct campaign_db *db,
                       struct gfe_error *error)
{
    struct prefix prefix = {.report = report};

    report->end = report->planned;
    if (!report->plan->early_stop)
        return true;
    for (uint32_t i = 0; i < CAMPAIGN_LOOKS; i++)
        prefix.looks[i] = campaign_look(report->planned, i);
    if (!campaign_db_rows(db, report->planned, prefix_row, &prefix, error))
        return false;
    prefix_forget(report);
    report->no_memory |= prefix.no_memory;
    if (prefix.end != 0 && prefix.end < report->planned) {
        report->end = prefix.end;
        report->stopped_early = true;
    }
    return true;
}

static bool report_plan(struct campaign_report *report, struct campaign_db *db,
                        struct gfe_error *error)
{
    char *plan = NULL, *count = NULL;
    const bool good = campaign_db_is_begun(db, error) &&
                      campaign_db_get(db, "plan", &plan, error) &&
                      campaign_db_get(db, "experiments", &count, error) &&
                      campaign_db_get(db, "hash", &report->hash, error) &&
                      campaign_db_get(db, "version", &report->version, error);

    if (good && plan && count && report->hash && report->version && visible_is(report->hash) &&
        visible_is(report->version) && args_parse_number(count, &report->planned) &&
        report->planned <= CAMPAIGN_EXPERIMENTS_MAX)
        report->plan = campaign_plan_parse(plan, strlen(plan), campaign_db_path(db), error);
    else if (good)
        error_set(error, ERROR_INPUT, "%s: damaged: it does not say what was planned",
                  campaign_db_path(db));
    free(plan);
    free(count);
    if (report->plan)
        report->family_faults = calloc(report->plan->entry_count, sizeof *report->family_faults);
    return report->plan &&
           (report->family_faults || error_set(error, ERROR_SYSTEM, "no memory for a report"));
}

static bool report_is_whole(const struct campaign_report *report, const struct campaign_db *db,
                            struct gfe_error *error)
{
    if (report->damaged)
        return error_set(error, ERROR_INPUT, "%s: damaged: %s", campaign_db_path(db),
                         report->damaged);
    return !report->no_memory ||
           error_set(error, ERROR_SYSTEM, "%s: no memory for a report", campaign_db_path(db));
}

/* Strata weigh what the plan says, once all are read. */
static void report_weigh(struct campaign_report *report)
{
    for (uint32_t s = 0; s < report->strata.count; s++) {
        struct campaign_tally *row = &report->strata.rows[s];
        const uint32_t family = report->rows_of[s].family;
        campaign_wide of = report->family_faults[family], faults = row->faults;

        row->weight = faults;
        if (!report->plan->has_rates || of == 0)
            continue;
        while (of >> 64 > 0) { /* a rate has 50 bits, a family 4096 strata */
            of >>= 1;
            faults >>= 1;
        }
        row->weight = (faults << 63) / of * report->plan->entries[family].rate;
    }
}

bool campaign_report_init(struct campaign_report *report, struct campaign_db *db,
                          struct gfe_error *error)
{
    *report = (struct campaign_report){0};
    (void)snprintf(report->all.name, sizeof report->all.name, "all");
    if (!report_plan(report, db, error))
        return false;
    report->together = campaign_plan_faults(report->plan);
    report->level = campaign_level(report->plan->confidence_ppm);
    if (!campaign_db_strata(db, take_stratum, report, error) || !report_is_whole(report, db, error))
        return false;
    report_weigh(report);
    if (!report_end(report, db, error) ||
        !campaign_db_rows(db, report->end, take_row, report, error) ||
        !campaign_db_harms(db, report->end, take_harm, report, error))
        return false;
    report->missing = report->end - report->all.total;
    if (!campaign_report_estimate(report))
        report->no_memory = true;
    return report_is_whole(report, db, error);
}

void campaign_report_fini(struct campaign_report *report)
{
    struct campaign_tallies *const all[] = {&report->strata,    &report->units,  &report->sites,
                                            &report->models,    &report->owners, &report->programs,
                                            &report->detections};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->rows);
    free(report->rows_of);
    free(report->harms);
    free(report->group_cells);
    free(report->family_faults);
    id_map_fini(&report->group_index);
    free(report->hash);
    free(report->version);
    campaign_plan_free(report->plan);
    *report = (struct campaign_report){0};
}

/* ---- the worst ------------------------------------------------------------------------------- */

/* Is a's share of a class greater (1), or less (-1), than b's? */
static int share_order(const struct campaign_tally *a, const struct campaign_tally *b, uint32_t c)
{
    const unsigned __int128 x = (unsigned __int128)a->outcomes[c] * b->total;
    const unsigned __int128 y = (unsigned __int128)b->outcomes[c] * a->total;

    return x > y ? 1 : x < y ? -1 : 0;
}

static bool is_worse(const struct campaign_tally *a, const struct campaign_tally *b)
{
    for (uint32_t c = OUTCOME_CLASSES; c-- > OUTCOME_SDC_TIMING;) {
        const int order = share_order(a, b, c);

        if (order != 0)
            return order > 0;
    }
    return false;
}

void campaign_report_worst(const struct campaign_report *report, const struct campaign_tally **rows,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rows[i] = NULL;
    for (uint32_t s = 0; s < report->strata.count; s++) {
        const struct campaign_tally *row = &report->strata.rows[s];

        for (uint32_t i = 0; i < count && row; i++)
            if (!rows[i] || is_worse(row, rows[i])) {
                const struct campaign_tally *pushed = rows[i];

                rows[i] = row;
                row = pushed;
            }
    }
}

const char *campaign_percent(char *text, size_t bytes, uint64_t ppm)
{
    const uint64_t hundredths = (ppm + 50) / 100;

    (void)snprintf(text, bytes, "%" PRIu64 ".%02" PRIu64, hundredths / 100, hundredths % 100);
    return text;
}
