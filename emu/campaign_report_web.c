/* SPDX-License-Identifier: MIT */
/* A campaign's report as JSON and as a page. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/campaign_report.h"
#include "emu/json_text.h"

enum { PERCENT_BYTES = 24, WORST = 10 };

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_tally(const struct campaign_report *report, const struct campaign_tally *tally)
{
    json_t *outcomes = json_object();

    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) {
        uint32_t low, high;

        campaign_interval(tally->outcomes[c], tally->total, report->level->z_ppm, &low, &high);
        (void)json_object_set_new(
            outcomes, outcome_class_name((enum outcome_class)c),
            json_pack("{sI,si,si}", "count", (json_int_t)tally->outcomes[c], "low_ppm", (int)low,
                      "high_ppm", (int)high));
    }
    return json_pack("{ss,sI,sI,sI,so}", "name", tally->name, "made", (json_int_t)tally->total,
                     "acted", (json_int_t)tally->acted, "pruned", (json_int_t)tally->pruned,
                     "outcomes", outcomes);
}

static json_t *json_tallies(const struct campaign_report *report,
                            const struct campaign_tallies *tallies)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < tallies->count; i++)
        (void)json_array_append_new(list, json_tally(report, &tallies->rows[i]));
    return list;
}

static json_t *json_harms(const struct campaign_report *report)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < report->harm_count; i++)
        (void)json_array_append_new(
            list, json_pack("{ss,ss,sI}", "owner", report->harms[i].owner, "victim",
                            report->harms[i].victim, "count", (json_int_t)report->harms[i].count));
    return list;
}

static json_t *json_latencies(const struct campaign_report *report)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        (void)json_object_set_new(object, campaign_latency_name(i),
                                  json_integer((json_int_t)report->latencies[i]));
    return object;
}

bool campaign_report_json(FILE *file, const struct campaign_report *report)
{
    json_t *json = json_pack(
        "{ss,ss,sI,sI,sI,sb,sI,sI,so,so,so,so,so,so,so,so,so,so}", "hash", report->hash, "version",
        report->version, "planned", (json_int_t)report->planned, "experiments",
        (json_int_t)report->end, "missing", (json_int_t)report->missing, "stopped_early",
        (int)report->stopped_early, "faults", (json_int_t)report->all.faults, "confidence_ppm",
        (json_int_t)report->plan->confidence_ppm, "all", json_tally(report, &report->all), "units",
        json_tallies(report, &report->units), "sites", json_tallies(report, &report->sites), "models", json_tallies(report, &report->models),
        "programs", json_tallies(report, &report->programs), "strata",
        json_tallies(report, &report->strata), "owners", json_tallies(report, &report->owners),
        "harms", json_harms(report), "detected_by", json_tallies(report, &report->detections),
        "latencies", json_latencies(report));
    const bool done = json_text_print(file, json);

    json_decref(json);
    return done;
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static void html_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
}

static uint64_t ppm_of(uint64_t count, uint64_t total)
{
    return total > 0 ? (uint64_t)(((unsigned __int128)count * CAMPAIGN_PPM + total / 2) / total) : 0;
}

/* A row with a bar of the classes' shares. */
static void html_tally(FILE *file, const struct campaign_report *report,
                       const struct campaign_tally *tally)
{
    char text[PERCENT_BYTES];

    if (tally->total == 0)
        return;
    fputs("<tr><th>", file);
    html_text(file, tally->name);
    fprintf(file, "</th><td>%" PRIu64 "</td><td>%" PRIu64 "</td>", tally->total, tally->acted);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++) {
        uint32_t low, high;
        char from[PERCENT_BYTES], to[PERCENT_BYTES];

        campaign_interval(tally->outcomes[c], tally->total, report->level->z_ppm, &low, &high);
        fprintf(file, "<td title=\"%" PRIu64 "; %s to %s %%\">%s</td>", tally->outcomes[c],
                campaign_percent(from, sizeof from, low), campaign_percent(to, sizeof to, high),
                campaign_percent(text, sizeof text, ppm_of(tally->outcomes[c], tally->total)));
    }
    fputs("<td class=\"bar\">", file);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (tally->outcomes[c] > 0)
            fprintf(file, "<i class=\"c%" PRIu32 "\" style=\"width:%s%%\"></i>", c,
                    campaign_percent(text, sizeof text, ppm_of(tally->outcomes[c], tally->total)));
    fputs("</td></tr>\n", file);
}

static void html_begin(FILE *file, const char *what)
{
    fprintf(file, "<h2>%s</h2>\n<table><tr><th></th><th>made</th><th>acted</th>", what);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        fprintf(file, "<th>%s %%</th>", outcome_class_name((enum outcome_class)c));
    fputs("<th></th></tr>\n", file);
}

static void html_tallies(FILE *file, const struct campaign_report *report, const char *what,
                         const struct campaign_tallies *tallies)
{
    html_begin(file, what);
    for (uint32_t i = 0; i < tallies->count; i++)
        html_tally(file, report, &tallies->rows[i]);
    fputs("</table>\n", file);
}

static void html_counts(FILE *file, const struct campaign_report *report)
{
    fputs("<h2>Whose fault hurt whom</h2>\n<table>", file);
    for (uint32_t i = 0; i < report->harm_count; i++)
        fprintf(file, "<tr><th>%s</th><th>%s</th><td>%" PRIu64 "</td></tr>\n",
                report->harms[i].owner, report->harms[i].victim, report->harms[i].count);
    fprintf(file, "</table>\n%s<h2>Detected after</h2>\n<table>",
            report->harm_count == 0 ? "<p>Nobody hurt another.</p>\n" : "");
    for (uint32_t i = 0; i < CAMPAIGN_LATENCIES; i++)
        if (report->latencies[i] > 0) {
            fputs("<tr><th>", file);
            html_text(file, campaign_latency_name(i));
            fprintf(file, "</th><td>%" PRIu64 "</td></tr>\n", report->latencies[i]);
        }
    fputs("</table>\n", file);
}

static const char html_style[] =
    "<style>body{font:14px sans-serif;margin:2em;color:#222}table{border-collapse:collapse}"
    "th,td{padding:2px 8px;text-align:right;border-bottom:1px solid #ddd}th:first-child"
    "{text-align:left}.bar{width:200px;white-space:nowrap;font-size:0}.bar i{display:inline-block;"
    "height:12px}.c0{background:#9ecae1}.c1{background:#fdd0a2}.c2{background:#a1d99b}"
    ".c3{background:#fd8d3c}.c4{background:#de2d26}.c5{background:#756bb1}</style>\n";

void campaign_report_html(FILE *file, const struct campaign_report *report)
{
    const struct campaign_tally *rows[WORST];

    fprintf(file, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                  "<title>Fault campaign %.16s</title>\n%s</head><body>\n"
                  "<h1>Fault campaign %.16s</h1>\n<p>%" PRIu64 " experiments of %" PRIu64
                  " planned, %" PRIu64 " missing, %" PRIu64 " pruned (the run without faults tells that they are Masked), of "
                  "%" PRIu64 " faults in %" PRIu32 " strata; gfe %s.</p>\n",
            report->hash, html_style, report->hash, report->end, report->planned, report->missing,
            report->all.pruned, report->all.faults, report->strata.count, report->version);
    html_begin(file, "Outcome");
    html_tally(file, report, &report->all);
    fputs("</table>\n", file);
    html_tallies(file, report, "By unit", &report->units);
    html_tallies(file, report, "By site", &report->sites);
    html_tallies(file, report, "By model", &report->models);
    html_tallies(file, report, "By program", &report->programs);
    html_tallies(file, report, "By whose it is", &report->owners);
    campaign_report_worst(report, rows, WORST);
    html_begin(file, "The worst strata");
    for (uint32_t i = 0; i < WORST && rows[i]; i++)
        html_tally(file, report, rows[i]);
    fputs("</table>\n", file);
    html_tallies(file, report, "Detected by", &report->detections);
    html_counts(file, report);
    fputs("</body></html>\n", file);
}
