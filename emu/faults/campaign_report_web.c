/* SPDX-License-Identifier: MIT */
/* A campaign's report as JSON and as a page. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/faults/campaign_report.h"
#include "emu/base/json_text.h"
#include "emu/base/markup.h"

enum { PERCENT_BYTES = 24, INTERVAL_BYTES = 56, WORST = 10 };

/* Columns that a table has beside the shares. */
enum { HAS_PROGRAM = 1 };

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A text where it is no whole number of JSON's. */
static json_t *json_wide(campaign_wide number)
{
    char text[CAMPAIGN_WIDE_BYTES];

    campaign_wide_text(number, text);
    return number <= INT64_MAX ? json_integer((json_int_t)number) : json_string(text);
}

/* A group's share has no interval. */
static json_t *json_share(const struct campaign_share *share, uint64_t count, bool is_group)
{
    if (is_group)
        return json_pack("{sI,si}", "count", (json_int_t)count, "share_ppm", (int)share->share_ppm);
    return json_pack("{sI,si,si,si,si}", "count", (json_int_t)count, "share_ppm",
                     (int)share->share_ppm, "low_ppm", (int)share->low_ppm, "high_ppm",
                     (int)share->high_ppm, "margin_ppm", (int)campaign_share_margin(share));
}

static json_t *json_tally(const struct campaign_report *report, const struct campaign_tally *tally)
{
    json_t *outcomes = json_object(), *json;

    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        outcomes =
            json_text_set(outcomes, outcome_class_name((enum outcome_class)c),
                          json_share(&tally->shares[c], tally->outcomes[c], tally->is_group));
    json = json_pack("{ss,sI,sI,sI,so,so}", "name", tally->name, "made", (json_int_t)tally->total,
                     "acted", (json_int_t)tally->acted, "pruned", (json_int_t)tally->pruned,
                     "outcomes", outcomes, "not_masked",
                     json_share(&tally->shares[CAMPAIGN_NOT_MASKED],
                                campaign_tally_count(tally, CAMPAIGN_NOT_MASKED), tally->is_group));
    if (!tally->is_group)
        json = json_text_set(json, "faults", json_wide(tally->faults));
    if (tally >= report->strata.rows && tally < report->strata.rows + report->strata.count)
        json =
            json_text_set(json, "program", json_string(report->programs.rows[tally->program].name));
    return json;
}

static json_t *json_tallies(const struct campaign_report *report,
                            const struct campaign_tallies *tallies)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < tallies->count; i++)
        list = json_text_append(list, json_tally(report, &tallies->rows[i]));
    return list;
}

static json_t *json_harms(const struct campaign_report *report)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < report->harm_count; i++)
        list = json_text_append(list, json_pack("{ss,ss,ss,sI}", "owner", report->harms[i].owner,
                                                "victim", report->harms[i].victim, "reach",
                                                report->harms[i].reach, "count",
                                                (json_int_t)report->harms[i].count));
    return list;
}

static json_t *json_reaches(const struct campaign_report *report)
{
    json_t *object = json_object();

    for (uint32_t r = 1; r < OUTCOME_REACHES; r++)
        object = json_text_set(object, outcome_reach_name((enum outcome_reach)r),
                               json_share(&report->reaches[r], report->all.reaches[r], false));
    return object;
}

static json_t *json_latencies(const struct campaign_report *report)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        object = json_text_set(object, campaign_latency_name(i),
                               json_integer((json_int_t)report->latencies[i]));
    return object;
}

bool campaign_report_json(FILE *file, const struct campaign_report *report)
{
    json_t *json = json_pack(
        "{ss,ss,sI,sI,sI,sb,so,sI,sI,ss,ss,si,sI,so,so,so,so,so,so,so,so,so,so,so}", "hash",
        report->hash, "version", report->version, "planned", (json_int_t)report->planned,
        "experiments", (json_int_t)report->end, "missing", (json_int_t)report->missing,
        "stopped_early", (int)report->stopped_early, "faults", json_wide(report->all.faults),
        "confidence_ppm", (json_int_t)report->plan->confidence_ppm, "asked_margin_ppm",
        (json_int_t)report->plan->margin_ppm, "weights",
        report->plan->has_rates ? "rates" : "faults", "boundary",
        outcome_boundary_name(report->plan->isolation.boundary), "together", (int)report->together,
        "all_acted", (json_int_t)report->all_acted, "all", json_tally(report, &report->all),
        "units", json_tallies(report, &report->units), "sites",
        json_tallies(report, &report->sites), "models", json_tallies(report, &report->models),
        "programs", json_tallies(report, &report->programs), "strata",
        json_tallies(report, &report->strata), "owners", json_tallies(report, &report->owners),
        "reaches", json_reaches(report), "harms", json_harms(report), "detected_by",
        json_tallies(report, &report->detections), "latencies", json_latencies(report));
    const bool done = json_text_print(file, json);

    json_decref(json);
    return done;
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static uint64_t ppm_of(uint64_t count, uint64_t total)
{
    return total > 0 ? (uint64_t)(((unsigned __int128)count * CAMPAIGN_PPM + total / 2) / total)
                     : 0;
}

/* A bar of the classes' shares, the most severe last. */
static void html_bar(FILE *file, const struct campaign_tally *tally)
{
    char text[PERCENT_BYTES];

    fputs("<td class=\"b\"><div>", file);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (tally->outcomes[c] > 0)
            markup_print(file, "<i class=\"c%" PRIu32 "\" style=\"width:%s%%\" title=\"%s\"></i>",
                         c, campaign_percent(text, sizeof text, tally->shares[c].share_ppm),
                         outcome_class_name((enum outcome_class)c));
    fputs("</div></td>", file);
}

static void html_margin(FILE *file, const struct campaign_tally *tally)
{
    const struct campaign_share *share = &tally->shares[CAMPAIGN_NOT_MASKED];
    char text[INTERVAL_BYTES], margin[PERCENT_BYTES], faults[CAMPAIGN_WIDE_BYTES];

    if (tally->is_group) {
        markup_print(file, "<td>%s %%</td><td></td><td></td>",
                     campaign_percent(margin, sizeof margin, share->share_ppm));
        return;
    }
    campaign_wide_text(tally->faults, faults);
    markup_print(file, "<td>%s</td><td>%s</td><td>%s</td>",
                 campaign_interval_text(text, sizeof text, share),
                 campaign_percent(margin, sizeof margin, campaign_share_margin(share)), faults);
}

static void html_tally(FILE *file, const struct campaign_report *report,
                       const struct campaign_tally *tally, uint32_t columns)
{
    char text[PERCENT_BYTES], interval[INTERVAL_BYTES];

    if (tally->total == 0)
        return;
    fputs("<tr><th>", file);
    markup_text(file, tally->name);
    fputs("</th>", file);
    html_bar(file, tally);
    markup_print(file, "<td>%" PRIu64 "</td><td>%" PRIu64 "</td>", tally->total, tally->acted);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) {
        const struct campaign_share *share = &tally->shares[c];

        fputs(tally->outcomes[c] == 0 ? "<td class=\"z\"" : "<td", file);
        markup_print(file, " title=\"%" PRIu64 "%s%s\">%s</td>", tally->outcomes[c],
                     tally->is_group ? "" : "; ",
                     tally->is_group ? ""
                                     : campaign_interval_text(interval, sizeof interval, share),
                     campaign_percent(text, sizeof text, share->share_ppm));
    }
    html_margin(file, tally);
    if (columns & HAS_PROGRAM) {
        fputs("<td class=\"f\">", file);
        markup_text(file, report->programs.rows[tally->program].name);
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

static void html_begin(FILE *file, const char *what, uint32_t columns)
{
    markup_print(file,
                 "<h2>%s</h2>\n<div class=\"t\"><table class=\"o\"><thead><tr><th></th><th></th>"
                 "<th>made</th><th>acted</th>",
                 what);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        markup_print(file, "<th><b class=\"c%" PRIu32 "\"></b>%s %%</th>", c,
                     outcome_class_name((enum outcome_class)c));
    markup_print(file, "<th>not masked</th><th>margin %%</th><th>of faults</th>");
    fputs(columns & HAS_PROGRAM ? "<th>program</th></tr></thead>\n" : "</tr></thead>\n", file);
}

static void html_end(FILE *file)
{
    fputs("</table></div>\n", file);
}

static void html_tallies(FILE *file, const struct campaign_report *report, const char *what,
                         const struct campaign_tallies *tallies, uint32_t columns)
{
    if (tallies->count == 0)
        return;
    html_begin(file, what, columns);
    for (uint32_t i = 0; i < tallies->count; i++)
        html_tally(file, report, &tallies->rows[i], columns);
    html_end(file);
}

static void html_reaches(FILE *file, const struct campaign_report *report)
{
    char share[PERCENT_BYTES], interval[INTERVAL_BYTES];

    markup_print(
        file,
        "<h2>How far they reached</h2>\n<p>At the farthest; isolation is to hold for each %s."
        "</p>\n<div class=\"t\"><table>",
        outcome_boundary_name(report->plan->isolation.boundary));
    for (uint32_t r = 1; r < OUTCOME_REACHES; r++)
        markup_print(
            file, "<tr><th>%s</th><td>%" PRIu64 "</td><td>%s %%</td><td>%s</td><td>%s</td></tr>\n",
            outcome_reach_name((enum outcome_reach)r), report->all.reaches[r],
            campaign_percent(share, sizeof share, report->reaches[r].share_ppm),
            campaign_interval_text(interval, sizeof interval, &report->reaches[r]),
            r >= report->plan->isolation.boundary ? "breach" : "");
    html_end(file);
}

static void html_harms(FILE *file, const struct campaign_report *report)
{
    fputs("<h2>Whose fault hurt whom</h2>\n", file);
    if (report->harm_count == 0) {
        fputs("<p>No fault of one owner hurt another.</p>\n", file);
        return;
    }
    fputs("<div class=\"t\"><table>", file);
    for (uint32_t i = 0; i < report->harm_count; i++) {
        const char *owner = report->harms[i].owner;

        markup_print(
            file, "<tr><th>%s</th><td>&rarr;</td><td>%s</td><td>%" PRIu64 "</td><td>%s</td></tr>\n",
            owner[0] ? owner : "no owner", report->harms[i].victim, report->harms[i].count,
            report->harms[i].reach);
    }
    html_end(file);
}

static void html_latencies(FILE *file, const struct campaign_report *report)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        most = report->latencies[i] > most ? report->latencies[i] : most;
    if (most == 0)
        return;
    fputs("<h2>Detected after</h2>\n<div class=\"t\"><table>", file);
    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        if (report->latencies[i] > 0) {
            char text[PERCENT_BYTES];

            fputs("<tr><th>", file);
            markup_text(file, campaign_latency_name(i));
            markup_print(
                file,
                "</th><td class=\"b\"><div class=\"n\"><i class=\"c3\" style=\"width:%s%%\">"
                "</i></div></td><td>%" PRIu64 "</td></tr>\n",
                campaign_percent(text, sizeof text, ppm_of(report->latencies[i], most)),
                report->latencies[i]);
        }
    html_end(file);
}

static void html_examples(FILE *file, const struct campaign_report *report)
{
    fputs("<h2>Some of them</h2>\n<p>To repeat one: <code>gfe inject --from DB --id N</code></p>\n"
          "<div class=\"t\"><table>",
          file);
    for (uint32_t c = OUTCOME_SDC_TIMING; c < OUTCOME_CLASSES; c++)
        for (uint32_t i = 0; i < CAMPAIGN_EXAMPLES && i < report->all.outcomes[c]; i++) {
            markup_print(file,
                         "<tr><th><b class=\"c%" PRIu32 "\"></b>%s</th><td>%" PRIu64
                         "</td><td class=\"f\"><code>",
                         c, outcome_class_name((enum outcome_class)c), report->examples[c][i].id);
            markup_text(file, report->examples[c][i].fault);
            fputs("</code></td></tr>\n", file);
        }
    html_end(file);
}

/* Columns of the tables of outcomes are equally wide, so that they stand below each other. */
static const char html_style[] =
    "<style>:root{color-scheme:light dark;--fg:#222;--bg:#fff;--line:#ddd;--dim:#8a8f98;--empty:#eee;"
    "--c0:#d9dde3;--c1:#9ecae1;--c2:#f2c48d;--c3:#74c476;--c4:#fd8d3c;--c5:#de2d26;--c6:#756bb1;--c7:#3f007d}\n"
    "@media(prefers-color-scheme:dark){:root{--fg:#e4e6ea;--bg:#16181d;--line:#363a44;--dim:#868d9b;"
    "--empty:#262a33;--c0:#4a505c;--c1:#3f6f92;--c2:#c79a5c;--c3:#4c9a4f;--c4:#e0761f;--c5:#e5483f;--c6:#9c90dc;--c7:#d9b8ff}}\n"
    "body{font:14px/1.45 system-ui,sans-serif;margin:0;padding:1.2em 2em;color:var(--fg);"
    "background:var(--bg)}h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.1em;margin:1.6em 0 .3em}\n"
    ".t{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:2px 6px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;"
    "font-weight:normal}thead th{color:var(--dim)}th:first-child,td.f{text-align:left}"
    ".o td,.o th{min-width:5.4em}.o th:first-child{min-width:11em;max-width:11em;white-space:normal;"
    "overflow-wrap:anywhere}.o th:nth-child(3),.o th:nth-child(4),.o td:nth-child(3),.o td:nth-child(4)"
    "{min-width:3.4em}td.z{color:var(--dim)}td.b,.o td.b{min-width:10em}.b div{display:flex;height:12px;border-radius:2px;overflow:hidden;"
    "background:var(--empty)}.b .n{background:none}.b i{min-width:1px}\n"
    "b{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.35em}"
    ".c0{background:var(--c0)}.c1{background:var(--c1)}.c2{background:var(--c2)}"
    ".c3{background:var(--c3)}.c4{background:var(--c4)}.c5{background:var(--c5)}"
    ".c6{background:var(--c6)}.c7{background:var(--c7)}\n"
    ".k{display:none}.k span{white-space:nowrap;margin-right:1em}"
    "@media(max-width:60em){body{padding:1em .8em}.o th:first-child{min-width:7em;max-width:7em}"
    "td.b,.o td.b{min-width:7em}.k{display:block}}</style>\n";

/* Confidence, margin and weights. */
static void html_statistics(FILE *file, const struct campaign_report *report)
{
    const struct campaign_plan *plan = report->plan;
    char text[PERCENT_BYTES];

    markup_print(file, " Intervals have a confidence of %s %% each.",
                 campaign_percent(text, sizeof text, plan->confidence_ppm));
    markup_print(file,
                 " The margin is half of an interval&rsquo;s width; that of &lsquo;not "
                 "masked&rsquo; in all is %s %%",
                 campaign_percent(text, sizeof text,
                                  campaign_share_margin(&report->all.shares[CAMPAIGN_NOT_MASKED])));
    if (plan->size == CAMPAIGN_MARGIN)
        markup_print(file, ", and %s %% was asked for",
                     campaign_percent(text, sizeof text, plan->margin_ppm));
    markup_print(file, ". Strata count as %s.",
                 plan->has_rates ? "the plan&rsquo;s rates say" : "many faults as they have");
}

static void html_head(FILE *file, const struct campaign_report *report)
{
    char faults[CAMPAIGN_WIDE_BYTES];

    markup_print(file,
                 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'\">"
                 "<title>Fault campaign %.16s</title>\n",
                 report->hash);
    fputs(html_style, file);
    markup_print(file, "</head><body>\n<h1>Fault campaign %.16s</h1>\n<p>%" PRIu64 " experiments",
                 report->hash, report->end);
    if (report->stopped_early)
        markup_print(file, ", precise enough before %" PRIu64, report->planned);
    if (report->missing > 0)
        markup_print(file, ", <strong>%" PRIu64 " of them missing</strong>", report->missing);
    campaign_wide_text(report->all.faults, faults);
    markup_print(file, ", %s of %s %sfaults in %" PRIu32 " strata.",
                 report->plan->size == CAMPAIGN_EXHAUSTIVE || report->planned == report->all.faults
                     ? "each"
                     : "drawn by chance, none twice,",
                 faults, report->together > 1 ? "sets of " : "", report->strata.count);
    if (report->together > 1)
        markup_print(
            file,
            " Up to %" PRIu32 " faults act together; in %" PRIu64
            " experiments all of them acted, in those under &lsquo;acted&rsquo; at least one.",
            report->together, report->all_acted);
    if (report->all.pruned > 0)
        markup_print(file, " The outcome of %" PRIu64 " is known from the run without faults.",
                     report->all.pruned);
    html_statistics(file, report);
    markup_print(file, " gfe %s.</p>\n<p class=\"k\">", report->version);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) /* where the columns are out of sight */
        markup_print(file, "<span><b class=\"c%" PRIu32 "\"></b>%s</span> ", c,
                     outcome_class_name((enum outcome_class)c));
    fputs("</p>\n", file);
}

void campaign_report_html(FILE *file, const struct campaign_report *report)
{
    const struct campaign_tally *rows[WORST];

    html_head(file, report);
    html_begin(file, "Outcome", 0);
    html_tally(file, report, &report->all, 0);
    html_end(file);
    html_tallies(file, report, "By unit", &report->units, 0);
    html_tallies(file, report, "By site", &report->sites, 0);
    html_tallies(file, report, "By model", &report->models, 0);
    html_tallies(file, report, "By program", &report->programs, 0);
    html_tallies(file, report, "By stratum", &report->strata, HAS_PROGRAM);
    html_tallies(file, report, "By whose it is", &report->owners, 0);
    campaign_report_worst(report, rows, WORST);
    html_begin(file, "The worst strata", HAS_PROGRAM);
    for (uint32_t i = 0; i < WORST && rows[i]; i++)
        html_tally(file, report, rows[i], HAS_PROGRAM);
    html_end(file);
    html_tallies(file, report, "Detected by", &report->detections, 0);
    html_reaches(file, report);
    html_harms(file, report);
    html_latencies(file, report);
    html_examples(file, report);
    fputs("</body></html>\n", file);
}
