/* SPDX-License-Identifier: MIT */
/* gfe campaign: many experiments with injected faults, and what they say. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/faults/campaign_workers.h"
#include "emu/base/args.h"
#include "emu/base/opened.h"
#include "emu/faults/campaign_report.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_campaign.h"
#include "emu/base/output.h"

enum {
    OPTION_DB = ARGS_LONG_ONLY,
    OPTION_SHARD,
    OPTION_SAMPLES,
    OPTION_MARGIN,
    OPTION_CONFIDENCE,
    OPTION_AS,
    OPTION_PROGRESS,
};

static const struct args_option campaign_options[] = {
    {OPTION_DB, "db", "FILE", "run, merge: the SQLite file with the results"},
    {'j', "jobs", "N", "run: so many processes (default 1)"},
    {OPTION_SHARD, "shard", "I/N", "run: only the I-th of N parts"},
    {OPTION_SAMPLES, "samples", "N", "run: draw so many, whatever the plan says"},
    {OPTION_MARGIN, "margin", "PERCENT",
     "run: draw as many as a simple sample needs for that margin of\nerror, such as 1%; the report has the margins that came out"},
    {OPTION_CONFIDENCE, "confidence", "PERCENT",
     "run: with that confidence: 90, 95 (default), 98, 99, 99.5, 99.8\nor 99.9%"},
    {OPTION_PROGRESS, "progress", NULL, "run: show a bar also where stderr is no terminal"},
    {OPTION_AS, "as", "FORMAT", "report: text (default), html, csv or json"},
    {'o', "output", "FILE", "report: write it there"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0, NULL, NULL, NULL},
};

static const struct args_command campaign_command = {
    .name = "campaign",
    .usage = "[OPTION...] run PLAN.json | merge DB... | report DB",
    .summary =
        "Makes many runs of a program, each with a fault, or a set of faults, in the emulated hardware,\n"
        "and counts what becomes of them (gfe inject says what the outcomes are).\n"
        "  run     makes the experiments of a plan that --db does not have yet; one that was\n"
        "          stopped at any moment goes on\n"
        "  merge   joins the files of shards in --db; says which are missing\n"
        "  report  tables by unit, site, model and outcome with confidence intervals, who hurt whom,\n"
        "          when errors were detected, the worst places\n"
        "\n"
        "A plan says which programs, sites, models and triggers, and how many:\n"
        "  {\"programs\": [\"app.gft\"], \"margin\": \"1%\", \"confidence\": \"99%\",\n"
        "   \"faults\": [{\"site\": \"gp_entry\", \"models\": [\"flip\", \"drop\"]}]}\n"
        "With \"count\": 2 two different faults of a family act in one experiment.  Families in\n"
        "a list \"together\" act in one experiment, too.\n"
        "docs/campaigns.md describes all of it.\n"
        "\n"
        "Exit status: 0 done; 1 an error, or a shard is missing; 3 a program's run without faults\n"
        "ends with work left, so that no experiment was made (gfe run prints what waits for ever).\n",
    .options = campaign_options,
};

static bool campaign_shard_option(struct args *args, struct campaign_request *request)
{
    unsigned shard, shards;
    char rest;

    if (sscanf(args->value, "%9u/%9u%c", &shard, &shards, &rest) != 2 || shard < 1 ||
        shard > shards) {
        args_wrong(args, "--%s needs I/N, such as 1/8", args->option);
        return false;
    }
    request->shard = shard;
    request->shards = shards;
    return true;
}

static bool campaign_as_option(struct args *args, struct campaign_request *request)
{
    static const char *const names[] = {"text", "html", "csv", "json"};

    request->as = args->value;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], args->value) == 0)
            return true;
    args_wrong(args, "--%s is text, html, csv or json, not '%s'", args->option, args->value);
    return false;
}

static bool campaign_option(struct args *args, struct campaign_request *request, int option)
{
    uint64_t number;

    if (limits_is(option))
        return limits_take(args, option, &request->limits);
    switch (option) {
    case OPTION_DB:
        request->db = args->value;
        return true;
    case 'j':
        if (!args_number_within(args, 1, CAMPAIGN_WORKERS_MAX, &number))
            return false;
        request->workers = (uint32_t)number;
        return true;
    case OPTION_SHARD:
        return campaign_shard_option(args, request);
    case OPTION_SAMPLES:
        request->sizes.samples = args->value;
        return true;
    case OPTION_MARGIN:
        request->sizes.margin = args->value;
        return true;
    case OPTION_CONFIDENCE:
        request->sizes.confidence = args->value;
        return true;
    case OPTION_AS:
        return campaign_as_option(args, request);
    case 'o':
        request->output = args->value;
        return true;
    default:
        request->progress = true;
        return true;
    }
}

/* ---- the report ------------------------------------------------------------------------------ */

static bool report_print(FILE *file, const struct campaign_report *report, const char *as,
                         struct gfe_error *error)
{
    if (strcmp(as, "json") == 0)
        return campaign_report_json(file, report) ||
               error_set(error, ERROR_SYSTEM, "no memory for a report");
    if (strcmp(as, "csv") == 0)
        campaign_report_csv(file, report);
    else if (strcmp(as, "html") == 0)
        campaign_report_html(file, report);
    else
        campaign_report_text(file, report);
    return true;
}

static bool report_write(const struct campaign_request *request,
                         const struct campaign_report *report, struct gfe_error *error)
{
    struct output output = {0};

    if (!request->output)
        return report_print(stdout, report, request->as, error) && output_flush_stdout(error);
    if (output_differs(request->output, request->operands[0], error) &&
        output_open_text(&output, request->output, error) &&
        report_print(output.file, report, request->as, error))
        return output_commit(&output, error);
    output_abort(&output);
    return false;
}

/* Gives up opening files once the database is open, and what a killed writer left is taken back.
 * SQLite looks into a journal that stays each time that it reads. */
static bool report_close_files(const struct campaign_request *request, struct gfe_error *error)
{
    char *journal = NULL;
    bool kept;

    if (asprintf(&journal, "%s-journal", request->operands[0]) < 0)
        return error_set_errno(error, ENOMEM, "%s", request->operands[0]);
    kept = opened_keep(journal);
    free(journal);
    return !kept || sandbox_narrow(request->output != NULL) ||
           error_set(error, ERROR_SYSTEM,
                     "the right to open files could not be given up (--no-sandbox keeps it)");
}

static bool campaign_do_report(const struct campaign_request *request, struct gfe_error *error)
{
    struct campaign_db *db = campaign_db_open(request->operands[0], CAMPAIGN_DB_READ, error);
    struct campaign_report report = {0};
    const bool done = db && report_close_files(request, error) &&
                      campaign_report_init(&report, db, error) &&
                      report_write(request, &report, error);

    campaign_report_fini(&report);
    campaign_db_close(db);
    return done;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The exit status. */
static int campaign_do(struct args *args, const char *action, struct campaign_request *request)
{
    const bool is_run = strcmp(action, "run") == 0, is_merge = strcmp(action, "merge") == 0;
    struct gfe_error error = {0};
    bool whole = true, work_left = false, done;

    if (!is_run && !is_merge && strcmp(action, "report") != 0)
        return args_wrong(args, "'%s' is neither run, merge nor report", action);
    if (!is_merge && request->operand_count != 1)
        return args_wrong(args, "%s takes one %s", action, is_run ? "plan" : "database");
    if (is_merge && request->operand_count == 0)
        return args_wrong(args, "merge takes the databases of the shards");
    if ((is_run || is_merge) && !request->db)
        return args_wrong(args, "%s needs --db FILE", action);
    done = is_run     ? campaign_do_run(request, &work_left, &error)
           : is_merge ? campaign_do_merge(request, &whole, &error)
                      : campaign_do_report(request, &error);
    if (!done) {
        const int status = args_failed(args, &error);

        return work_left ? CMD_WORK_LEFT : status;
    }
    return whole ? 0 : 1;
}

int cmd_campaign(int argc, char **argv)
{
    struct campaign_request request = {
        .limits = LIMITS_DEFAULT, .as = "text", .workers = 1, .shard = 1, .shards = 1};
    struct args args;
    int option;

    args_start(&args, &campaign_command, argc, argv);
    request.progress = isatty(STDERR_FILENO);
    while ((option = args_next(&args)) >= 0)
        if (!campaign_option(&args, &request, option))
            return args.status;
    if (option == ARGS_STOP || !args_operands(&args, 1, -1))
        return args.status;
    request.operands = (const char *const *)args.operands + 1;
    request.operand_count = (uint32_t)args.operand_count - 1;
    return campaign_do(&args, args.operands[0], &request);
}
