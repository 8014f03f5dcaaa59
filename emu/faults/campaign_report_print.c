/* SPDX-License-Identifier: MIT */
/* A campaign's report as text and as CSV. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/base/csv.h"
#include "emu/faults/campaign_report.h"

enum { WORST = 10, PERCENT_BYTES = 24, NAMES = 28, NAMES_TOGETHER = 56 };

static uint64_t ppm_of(uint64_t count, uint64_t total)
{
    return total > 0 ? (uint64_t)(((unsigned __int128)count * CAMPAIGN_PPM + total / 2) / total)
                     : 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_head(FILE *file, const struct campaign_report *report)
{
    const struct campaign_plan *plan = report->plan;
    char margin[PERCENT_BYTES], confidence[PERCENT_BYTES], faults[CAMPAIGN_WIDE_BYTES];

    fprintf(file, "campaign     %.16s, gfe %s\n", report->hash, report->version);
    for (uint32_t i = 0; i < report->programs.count; i++)
        fprintf(file, "%s %s\n", i == 0 ? "programs    " : "            ",
                report->programs.rows[i].name);
    campaign_wide_text(report->all.faults, faults);
    fprintf(file, "faults       %s %sin %" PRIu32 " strata\n", faults,
            report->together > 1 ? "sets " : "", report->strata.count);
    if (report->together > 1)
        fprintf(file,
                "together     up to %" PRIu32 " faults in an experiment; in %" PRIu64
                " all of them acted, under 'acted' at least one\n",
                report->together, report->all_acted);
    fprintf(file, "experiments  %" PRIu64 "%s", report->end,
            plan->size != CAMPAIGN_EXHAUSTIVE ? ", drawn by chance"
            : report->together > 1            ? ", each set once"
                                              : ", each fault once");
    if (plan->size == CAMPAIGN_MARGIN)
        fprintf(file, ": margin %s %%, confidence %s %%",
                campaign_percent(margin, sizeof margin, plan->margin_ppm),
                campaign_percent(confidence, sizeof confidence, plan->confidence_ppm));
    if (report->stopped_early)
        fprintf(file, "; precise enough before %" PRIu64, report->planned);
    fputc('\n', file);
    if (report->all.pruned > 0)
        fprintf(file,
                "pruned       %" PRIu64 " of them: the run without faults tells that they are "
                "Masked\n",
                report->all.pruned);
    if (report->missing > 0)
        fprintf(file, "missing      %" PRIu64 " of them: run the campaign again, or its shards\n",
                report->missing);
}

static int names_width(const struct campaign_report *report)
{
    return report->together > 1 ? NAMES_TOGETHER : NAMES;
}

static void print_heading(FILE *file, const struct campaign_report *report, const char *what)
{
    fprintf(file, "\n%-*s %9s %9s", names_width(report), what, "made", "acted");
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        fprintf(file, " %10s", outcome_class_name((enum outcome_class)c));
    fprintf(file, "   not masked\n");
}

static void print_tally(FILE *file, const struct campaign_report *report,
                        const struct campaign_tally *tally)
{
    char low[PERCENT_BYTES], high[PERCENT_BYTES], share[PERCENT_BYTES];
    uint32_t low_ppm, high_ppm;

    if (tally->total == 0)
        return;
    fprintf(file, "%-*.*s %9" PRIu64 " %9" PRIu64, names_width(report), names_width(report),
            tally->name, tally->total, tally->acted);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        fprintf(file, " %8s %%",
                campaign_percent(share, sizeof share, ppm_of(tally->outcomes[c], tally->total)));
    campaign_interval(tally->total - tally->outcomes[OUTCOME_MASKED], tally->total,
                      report->level->z_ppm, &low_ppm, &high_ppm);
    if (report->plan->size == CAMPAIGN_EXHAUSTIVE)
        fprintf(
            file, "   %s %%\n",
            campaign_percent(share, sizeof share,
                             ppm_of(tally->total - tally->outcomes[OUTCOME_MASKED], tally->total)));
    else
        fprintf(file, "   %s - %s %%\n", campaign_percent(low, sizeof low, low_ppm),
                campaign_percent(high, sizeof high, high_ppm));
}

static void print_tallies(FILE *file, const struct campaign_report *report, const char *what,
                          const struct campaign_tallies *tallies)
{
    print_heading(file, report, what);
    for (uint32_t i = 0; i < tallies->count; i++)
        print_tally(file, report, &tallies->rows[i]);
}

static void print_harms(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "\nwhose fault hurt whom\n");
    for (uint32_t i = 0; i < report->harm_count; i++)
        fprintf(file, "%-14s -> %-14s %9" PRIu64 "\n",
                report->harms[i].owner[0] ? report->harms[i].owner : "no owner",
                report->harms[i].victim, report->harms[i].count);
    if (report->harm_count == 0)
        fprintf(file, "no fault of one owner hurt another\n");
}

static void print_latencies(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "\ndetected after\n");
    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        if (report->latencies[i] > 0)
            fprintf(file, "%-14s %9" PRIu64 "\n", campaign_latency_name(i), report->latencies[i]);
}

static void print_worst(FILE *file, const struct campaign_report *report)
{
    const struct campaign_tally *rows[WORST];

    campaign_report_worst(report, rows, WORST);
    print_heading(file, report, "the worst strata");
    for (uint32_t i = 0; i < WORST && rows[i]; i++)
        print_tally(file, report, rows[i]);
}

static void print_examples(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "\nto repeat one: gfe inject --from DB --id N\n");
    for (uint32_t c = 1; c < OUTCOME_CLASSES; c++)
        for (uint32_t i = 0; i < CAMPAIGN_EXAMPLES && i < report->all.outcomes[c]; i++)
            fprintf(file, "%-12s %9" PRIu64 "  %s\n", outcome_class_name((enum outcome_class)c),
                    report->examples[c][i].id, report->examples[c][i].fault);
}

void campaign_report_text(FILE *file, const struct campaign_report *report)
{
    print_head(file, report);
    print_heading(file, report, "outcome");
    print_tally(file, report, &report->all);
    print_tallies(file, report, "by unit", &report->units);
    print_tallies(file, report, "by site", &report->sites);
    print_tallies(file, report, "by model", &report->models);
    if (report->programs.count > 1)
        print_tallies(file, report, "by program", &report->programs);
    print_tallies(file, report, "by stratum", &report->strata);
    print_tallies(file, report, "by whose it is", &report->owners);
    print_worst(file, report);
    print_harms(file, report);
    if (report->detections.count > 0) {
        print_tallies(file, report, "detected by", &report->detections);
        print_latencies(file, report);
    }
    print_examples(file, report);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* One line for each class: share, and where it lies, in ppm. */
static void csv_tally(FILE *file, const struct campaign_report *report, const char *by,
                      const struct campaign_tally *tally)
{
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) {
        uint32_t low, high;

        campaign_interval(tally->outcomes[c], tally->total, report->level->z_ppm, &low, &high);
        csv_text(file, by);
        fputc(',', file);
        csv_quoted(file, tally->name);
        fputc(',', file);
        csv_text(file, outcome_class_name((enum outcome_class)c));
        fprintf(file,
                ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64
                "\n",
                tally->outcomes[c], tally->total, tally->acted,
                ppm_of(tally->outcomes[c], tally->total), low, high,
                c == OUTCOME_MASKED ? tally->pruned : 0);
    }
}

static void csv_tallies(FILE *file, const struct campaign_report *report, const char *by,
                        const struct campaign_tallies *tallies)
{
    for (uint32_t i = 0; i < tallies->count; i++)
        csv_tally(file, report, by, &tallies->rows[i]);
}

void campaign_report_csv(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "by,name,outcome,count,made,acted,share_ppm,low_ppm,high_ppm,pruned\n");
    csv_tally(file, report, "all", &report->all);
    csv_tallies(file, report, "unit", &report->units);
    csv_tallies(file, report, "site", &report->sites);
    csv_tallies(file, report, "model", &report->models);
    csv_tallies(file, report, "program", &report->programs);
    csv_tallies(file, report, "stratum", &report->strata);
    csv_tallies(file, report, "owner", &report->owners);
    csv_tallies(file, report, "detected_by", &report->detections);
    for (uint32_t i = 0; i < report->harm_count; i++) {
        char pair[OUTCOME_OWNERS_BYTES + 40];

        (void)snprintf(pair, sizeof pair, "%s -> %s", report->harms[i].owner,
                       report->harms[i].victim);
        fputs("harm,", file);
        csv_quoted(file, pair);
        fprintf(file, ",Collateral,%" PRIu64 ",,,,,,\n", report->harms[i].count);
    }
    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++) {
        fputs("latency,", file);
        csv_quoted(file, campaign_latency_name(i));
        fprintf(file, ",Detected,%" PRIu64 ",,,,,,\n", report->latencies[i]);
    }
}
