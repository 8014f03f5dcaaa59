/* SPDX-License-Identifier: MIT */
/* A campaign's report as text and as CSV. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/base/csv.h"
#include "emu/faults/campaign_report.h"

enum { WORST = 10, PERCENT_BYTES = 24, INTERVAL_BYTES = 56, NAMES = 28, NAMES_TOGETHER = 56 };

/* Columns that a table has beside the shares. */
enum { HAS_PROGRAM = 1 };

/* ---- text ------------------------------------------------------------------------------------ */

static uint64_t unmade_strata(const struct campaign_report *report)
{
    uint64_t count = 0;

    for (uint32_t s = 0; s < report->strata.count; s++)
        count += report->strata.rows[s].total == 0;
    return count;
}

/* How many experiments, how they were chosen, and what is known by them. */
static void print_size(FILE *file, const struct campaign_report *report)
{
    const struct campaign_plan *plan = report->plan;
    const struct campaign_share *share = &report->all.shares[CAMPAIGN_NOT_MASKED];
    const bool each = plan->size == CAMPAIGN_EXHAUSTIVE || report->planned == report->all.faults;
    char margin[PERCENT_BYTES], confidence[PERCENT_BYTES];

    fprintf(file, "experiments  %" PRIu64 "%s", report->end,
            !each                  ? ", drawn by chance, none twice"
            : report->together > 1 ? ", each set once"
                                   : ", each fault once");
    if (report->stopped_early)
        fprintf(file, "; precise enough before %" PRIu64, report->planned);
    fputc('\n', file);
    (void)campaign_percent(confidence, sizeof confidence, plan->confidence_ppm);
    fprintf(file, "confidence   %s %% of each interval\n", confidence);
    (void)campaign_percent(margin, sizeof margin, campaign_share_margin(share));
    fprintf(file, "margin       %s %% of 'not masked' in the row 'all'", margin);
    if (plan->size == CAMPAIGN_MARGIN)
        fprintf(file, "; %s %% was asked for",
                campaign_percent(margin, sizeof margin, plan->margin_ppm));
    fprintf(file, "\nweights      strata count as %s\n",
            plan->has_rates ? "the plan's rates say" : "many faults as they have");
    if (unmade_strata(report) > 0)
        fprintf(file,
                "unknown      %" PRIu64 " strata without an experiment: intervals hold any share "
                "there; give more samples\n",
                unmade_strata(report));
}

static void print_head(FILE *file, const struct campaign_report *report)
{
    char faults[CAMPAIGN_WIDE_BYTES];

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
    print_size(file, report);
    if (report->all.pruned > 0)
        fprintf(file,
                "pruned       %" PRIu64 " of them: the run without faults tells their outcome\n",
                report->all.pruned);
    if (report->missing > 0)
        fprintf(file, "missing      %" PRIu64 " of them: run the campaign again, or its shards\n",
                report->missing);
}

static int names_width(const struct campaign_report *report)
{
    return report->together > 1 ? NAMES_TOGETHER : NAMES;
}

/* A column is as wide as its name, and as a share. */
static int class_width(uint32_t c)
{
    const int width = (int)strlen(outcome_class_name((enum outcome_class)c));

    return width > 10 ? width : 10;
}

static void print_heading(FILE *file, const struct campaign_report *report, const char *what,
                          uint32_t columns)
{
    fprintf(file, "\n%-*s %9s %9s", names_width(report), what, "made", "acted");
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        fprintf(file, " %*s", class_width(c), outcome_class_name((enum outcome_class)c));
    fprintf(file, "   %-18s %8s %12s%s\n", "not masked", "margin", "of faults",
            columns & HAS_PROGRAM ? "  program" : "");
}

/* The interval, half its width, and how many faults there are. */
static void print_margin(FILE *file, const struct campaign_tally *tally)
{
    const struct campaign_share *share = &tally->shares[CAMPAIGN_NOT_MASKED];
    char text[INTERVAL_BYTES], margin[PERCENT_BYTES], faults[CAMPAIGN_WIDE_BYTES];

    if (tally->is_group) {
        fprintf(file, "   %s %%", campaign_percent(margin, sizeof margin, share->share_ppm));
        return;
    }
    campaign_wide_text(tally->faults, faults);
    fprintf(file, "   %-18s %6s %% %12s", campaign_interval_text(text, sizeof text, share),
            campaign_percent(margin, sizeof margin, campaign_share_margin(share)), faults);
}

static void print_tally(FILE *file, const struct campaign_report *report,
                        const struct campaign_tally *tally, uint32_t columns)
{
    char share[PERCENT_BYTES];

    if (tally->total == 0)
        return;
    fprintf(file, "%-*.*s %9" PRIu64 " %9" PRIu64, names_width(report), names_width(report),
            tally->name, tally->total, tally->acted);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        fprintf(file, " %*s %%", class_width(c) - 2,
                campaign_percent(share, sizeof share, tally->shares[c].share_ppm));
    print_margin(file, tally);
    if (columns & HAS_PROGRAM)
        fprintf(file, "  %s", report->programs.rows[tally->program].name);
    fputc('\n', file);
}

static void print_tallies(FILE *file, const struct campaign_report *report, const char *what,
                          const struct campaign_tallies *tallies, uint32_t columns)
{
    print_heading(file, report, what, columns);
    for (uint32_t i = 0; i < tallies->count; i++)
        print_tally(file, report, &tallies->rows[i], columns);
}

static void print_reaches(FILE *file, const struct campaign_report *report)
{
    char share[PERCENT_BYTES], interval[INTERVAL_BYTES];

    fprintf(file, "\nhow far they reached, at the farthest (isolation is to hold for each %s)\n",
            outcome_boundary_name(report->plan->isolation.boundary));
    for (uint32_t r = 1; r < OUTCOME_REACHES; r++)
        fprintf(file, "%-*s %9" PRIu64 "           %8s %%   %-18s%s\n", names_width(report),
                outcome_reach_name((enum outcome_reach)r), report->all.reaches[r],
                campaign_percent(share, sizeof share, report->reaches[r].share_ppm),
                campaign_interval_text(interval, sizeof interval, &report->reaches[r]),
                r >= report->plan->isolation.boundary ? "  breach" : "");
}

static void print_harms(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "\nwhose fault hurt whom\n");
    for (uint32_t i = 0; i < report->harm_count; i++)
        fprintf(file, "%-14s -> %-14s %9" PRIu64 "  %s\n",
                report->harms[i].owner[0] ? report->harms[i].owner : "no owner",
                report->harms[i].victim, report->harms[i].count, report->harms[i].reach);
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
    print_heading(file, report, "the worst strata", HAS_PROGRAM);
    for (uint32_t i = 0; i < WORST && rows[i]; i++)
        print_tally(file, report, rows[i], HAS_PROGRAM);
}

static void print_examples(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "\nto repeat one: gfe inject --from DB --id N\n");
    for (uint32_t c = OUTCOME_SDC_TIMING; c < OUTCOME_CLASSES; c++)
        for (uint32_t i = 0; i < CAMPAIGN_EXAMPLES && i < report->all.outcomes[c]; i++)
            fprintf(file, "%-12s %9" PRIu64 "  %s\n", outcome_class_name((enum outcome_class)c),
                    report->examples[c][i].id, report->examples[c][i].fault);
}

void campaign_report_text(FILE *file, const struct campaign_report *report)
{
    print_head(file, report);
    print_heading(file, report, "outcome", 0);
    print_tally(file, report, &report->all, 0);
    print_tallies(file, report, "by unit", &report->units, 0);
    print_tallies(file, report, "by site", &report->sites, 0);
    print_tallies(file, report, "by model", &report->models, 0);
    if (report->programs.count > 1)
        print_tallies(file, report, "by program", &report->programs, 0);
    print_tallies(file, report, "by stratum", &report->strata, HAS_PROGRAM);
    print_tallies(file, report, "by whose it is", &report->owners, 0);
    print_worst(file, report);
    print_reaches(file, report);
    print_harms(file, report);
    if (report->detections.count > 0) {
        print_tallies(file, report, "detected by", &report->detections, 0);
        print_latencies(file, report);
    }
    print_examples(file, report);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* One line for each class: its share and interval in ppm, and what there is of faults. */
static void csv_tally(FILE *file, const struct campaign_report *report, const char *by,
                      const struct campaign_tally *tally)
{
    char faults[CAMPAIGN_WIDE_BYTES];

    campaign_wide_text(tally->faults, faults);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) {
        const struct campaign_share *share = &tally->shares[c];

        csv_text(file, by);
        fputc(',', file);
        csv_quoted(file, tally->name);
        fputc(',', file);
        csv_text(file, outcome_class_name((enum outcome_class)c));
        fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32, tally->outcomes[c],
                tally->total, tally->acted, share->share_ppm);
        if (tally->is_group) {
            fprintf(file, ",,,%" PRIu64 ",,,,\n", c == OUTCOME_MASKED ? tally->pruned : 0);
            continue;
        }
        fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",",
                share->low_ppm, share->high_ppm, c == OUTCOME_MASKED ? tally->pruned : 0,
                campaign_share_margin(share), report->plan->confidence_ppm);
        csv_text(file, faults);
        fputc(',', file);
        csv_quoted(file,
                   strcmp(by, "stratum") == 0 ? report->programs.rows[tally->program].name : "");
        fputc('\n', file);
    }
}

static void csv_tallies(FILE *file, const struct campaign_report *report, const char *by,
                        const struct campaign_tallies *tallies)
{
    for (uint32_t i = 0; i < tallies->count; i++)
        csv_tally(file, report, by, &tallies->rows[i]);
}

static void csv_reaches(FILE *file, const struct campaign_report *report)
{
    for (uint32_t r = 1; r < OUTCOME_REACHES; r++) {
        const struct campaign_share *share = &report->reaches[r];

        fputs("reach,", file);
        csv_quoted(file, outcome_reach_name((enum outcome_reach)r));
        fputc(',', file);
        csv_text(file, r >= report->plan->isolation.boundary ? "Breach" : "Collateral");
        fprintf(file,
                ",%" PRIu64 ",%" PRIu64 ",,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",,%" PRIu32
                ",%" PRIu32 ",,\n",
                report->all.reaches[r], report->all.total, share->share_ppm, share->low_ppm,
                share->high_ppm, campaign_share_margin(share), report->plan->confidence_ppm);
    }
}

void campaign_report_csv(FILE *file, const struct campaign_report *report)
{
    fprintf(file, "by,name,outcome,count,made,acted,share_ppm,low_ppm,high_ppm,pruned,margin_ppm,"
                  "confidence_ppm,faults,program\n");
    csv_tally(file, report, "all", &report->all);
    csv_tallies(file, report, "unit", &report->units);
    csv_tallies(file, report, "site", &report->sites);
    csv_tallies(file, report, "model", &report->models);
    csv_tallies(file, report, "program", &report->programs);
    csv_tallies(file, report, "stratum", &report->strata);
    csv_tallies(file, report, "owner", &report->owners);
    csv_tallies(file, report, "detected_by", &report->detections);
    csv_reaches(file, report);
    for (uint32_t i = 0; i < report->harm_count; i++) {
        char pair[OUTCOME_OWNERS_BYTES + 40];

        (void)snprintf(pair, sizeof pair, "%s -> %s", report->harms[i].owner,
                       report->harms[i].victim);
        fputs("harm,", file);
        csv_quoted(file, pair);
        fputc(',', file);
        csv_text(file, report->harms[i].reach);
        fprintf(file, ",%" PRIu64 ",,,,,,,,,,\n", report->harms[i].count);
    }
    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++) {
        fputs("latency,", file);
        csv_quoted(file, campaign_latency_name(i));
        fprintf(file, ",Detected,%" PRIu64 ",,,,,,,,,,\n", report->latencies[i]);
    }
}
