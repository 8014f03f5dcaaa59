/* SPDX-License-Identifier: MIT */
/*
 * gfe explain: where the time of each operation of a run went.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/analysis/explain/explain_print.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/base/limits.h"
#include "emu/analysis/explain/operation_name.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"

enum {
    OPTION_TOP = ARGS_LONG_ONLY,
    OPTION_ONLY,
    OPTION_RULES,
    OPTION_BLOCKS,
    OPTION_EXACT,
    OPTION_ALL,
    OPTION_AGAINST,
};

static const struct args_option options[] = {
    {'j', "json", NULL, "print JSON, with all pieces (docs/explain.md describes it)"},
    {'o', "output", "FILE", "write to FILE, which appears when it is complete"},
    {OPTION_TOP, "top", "N", "list the N operations that waited longest, longest first"},
    {OPTION_ONLY, "only", "KIND",
     "list one kind: submission, gp, launch, draw, copy, semaphore, block"},
    {OPTION_BLOCKS, "blocks", NULL, "list the blocks of launches, too"},
    {OPTION_RULES, "rules", NULL, "add up the waits rule by rule, for each kind of operation"},
    {OPTION_AGAINST, "against", "LOG",
     "say of each operation how it differs from that in LOG,\nanother run of the same program"},
    {OPTION_EXACT, "exact", NULL, "print times in picoseconds"},
    {OPTION_ALL, "all", NULL, "print all pieces of an operation, however many"},
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "explain", "[OPTION...] LOG [OPERATION]",
    "Says where the time of each operation in an event log (.gfl, made by gfe run) went:\n"
    "service, by the unit that works for it, and waits, by the rule and by the operation that\n"
    "blocked it.  The pieces of an operation touch, do not overlap, and add up to its time, to\n"
    "the picosecond.\n\n"
    "Without OPERATION all are listed: submissions, below them their GP entries, and below\n"
    "these the launches, draws, copies and semaphore operations that they start.  With\n"
    "OPERATION, one is taken apart:\n\n"
    "  gfe explain run.gfl submission:4    the driver's fourth call, to the end of its work\n"
    "  gfe explain run.gfl gp:0:17         entry 17 of channel 0's ring, counted from 0\n"
    "  gfe explain run.gfl launch:2        a grid, by its number in the log; also K1, C1, D1\n"
    "  gfe explain run.gfl K1:12           block 12 of that launch; also launch:2:12, block:2.12\n"
    "  gfe explain run.gfl semaphore:3     a semaphore; also copy:1 and draw:5\n\n"
    "In the log of a scenario (gfe run CONFIG.json) it tells of what programs called instead: a\n"
    "line for each operation of each stream, or the story of one, from the call to the\n"
    "completion, with what blocked it, and why that one came first:\n\n"
    "  gfe explain tasks.gfl K4            the kernel of that name; K4#3 its third launch\n"
    "  gfe explain tasks.gfl K4:0          block 0 of it; also K4#3:0\n"
    "  gfe explain tasks.gfl S1/copy       the first copy of task S1; S1/copy#2 the second,\n"
    "                                      also S1/memset, S1/record, S1/wait\n\n"
    "In a log of an AMD GPU it lists, for the launches of each plugin (gfe run of a configuration\n"
    "of hip_plugin_framework) or of each queue (of a recording), what they waited for and with\n"
    "which share: turns of shader engines, slots, CUs, blocks that cut ahead:\n\n"
    "  gfe explain pair.gfl MM1024#3       the third launch of plugin MM1024; MM1024#3:7 block 7\n"
    "  gfe explain run.gfl Q1024/kernel    the first launch of the queue of doorbell 1024\n"
    "  gfe explain run.gfl K1:7            what a picture of a recording calls so\n\n"
    "The last line of a story adds up, to the picosecond.  Names by number (launch:2,\n"
    "block:2.12), and --only, --blocks, --rules and --top, lead to the operations of the GPU there.\n\n"
    "A wait for others names them: explain them next.  A wait for its own kind (NV.ORDER,\n"
    "CORE.BLOCK_ORDER) is not taken apart further here.  gfe rules LABEL explains a rule, gfe\n"
    "rules PARAMETER the figure that a service costs.  LOG may be - for standard input.\n"
    "Exit status: 0 done; 1 the log is bad or there is no such operation; 2 wrong usage.\n",
    options, false};

struct request {
    const char *output_path, *operation, *against;
    enum explain_kind only;
    uint64_t top;
    bool json, rules, blocks, exact, all;
    struct limits limits;
};

static bool only_take(struct args *args, struct request *request)
{
    for (uint32_t i = 0; i < EXPLAIN_KINDS; i++)
        if (strcmp(explain_kind_name((enum explain_kind)i), args->value) == 0) {
            request->only = (enum explain_kind)i;
            return true;
        }
    return args_wrong(args,
                      "--only %s: there is submission, gp, launch, draw, copy, semaphore "
                      "and block",
                      args->value) == 0;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    if (limits_is(id))
        return limits_take(args, id, &request->limits);
    switch (id) {
    case 'j':
        request->json = true;
        return true;
    case 'o':
        request->output_path = args->value;
        return true;
    case OPTION_TOP:
        return args_number_within(args, 1, UINT32_MAX, &request->top);
    case OPTION_ONLY:
        return only_take(args, request);
    case OPTION_RULES:
        request->rules = true;
        return true;
    case OPTION_BLOCKS:
        request->blocks = true;
        return true;
    case OPTION_AGAINST:
        request->against = args->value;
        return true;
    case OPTION_EXACT:
        request->exact = true;
        return true;
    default:
        request->all = true;
        return true;
    }
}

static bool request_check(struct args *args, const struct request *request)
{
    if (request->operation &&
        (request->top || request->rules || request->blocks || request->only != EXPLAIN_KINDS))
        return args_wrong(args, "--top, --only, --blocks and --rules are for lists; %s is one",
                          request->operation) == 0;
    if (request->against && (request->operation || request->rules || request->blocks))
        return args_wrong(args, "--against is for the list of all operations") == 0;
    if (request->rules && request->top)
        return args_wrong(args, "--rules and --top are two different lists") == 0;
    return true;
}

/* ---- printing -------------------------------------------------------------------------------- */

static bool print_all(const struct explain_print *print, const struct request *request)
{
    struct explain_ref ref;

    if (request->operation) {
        if (!explain_find(print->explain, request->operation, &ref))
            return error_set(print->error, ERROR_INPUT,
                             "%s: there is no operation '%s' in it; gfe explain lists them",
                             event_log_name(print->explain->log), request->operation);
        return request->json ? explain_json_one(print, ref) : explain_text_one(print, ref);
    }
    if (request->rules)
        return request->json ? explain_json_rules(print) : explain_text_rules(print);
    return request->json ? explain_json_list(print) : explain_text_list(print);
}

static bool explain_read(struct event_log_reader *log, const struct request *request,
                         const char *path, struct gfe_error *error)
{
    struct output output = {0};
    struct explain explain = {0};
    struct event_log_reader *other = NULL;
    struct explain_against against = {0};
    const struct explain_print print = {.explain = &explain,
                                        .error = error,
                                        .only = request->only,
                                        .top = request->top,
                                        .exact = request->exact,
                                        .blocks = request->blocks || request->only == EXPLAIN_BLOCK,
                                        .all = request->all,
                                        .with_pieces = request->json};
    bool good;

    good = output_differs(request->output_path, path, error) && explain_load(&explain, log, error);
    if (good && request->against) {
        other = event_log_open(request->against, error);
        good = other && explain_against_make(&against, &explain, other, error);
    }
    good = good && output_open_text(&output, request->output_path, error);
    if (good) {
        struct explain_print with_file = print;
        with_file.file = output.file;
        with_file.against = request->against ? &against : NULL;
        good = print_all(&with_file, request) && output_commit(&output, error);
    }
    output_abort(&output);
    explain_against_fini(&against);
    event_log_close(other);
    explain_fini(&explain);
    return good;
}

/* ---- stories ----------------------------------------------------------------------------------
 */

static bool print_stories(const struct story_print *print, const struct request *request)
{
    struct story_subject subject;
    char names[300]; /* of the 500 bytes of a message */

    if (!request->operation)
        return request->json ? story_json_list(print) : story_text_list(print);
    if (!story_find(print->story, request->operation, &subject))
        return error_set(print->error, ERROR_INPUT, "%s: there is no '%.60s' in it, but %s",
                         event_log_name(print->story->log), request->operation,
                         story_names(print->story, names, sizeof names));
    return request->json ? story_json(print, subject) : story_text(print, subject);
}

static bool story_read(struct event_log_reader *log, const struct request *request,
                       const char *path, struct gfe_error *error)
{
    struct check_limits limits = {0};
    bool known = false;
    struct output output = {0};
    struct story story = {0};
    bool good = cmd_gpu_limits(log, &limits, &known, error) &&
                output_differs(request->output_path, path, error) &&
                story_load(&story, log, known ? &limits : NULL, error) &&
                output_open_text(&output, request->output_path, error);

    if (good) {
        const struct story_print print = {.file = output.file,
                                          .story = &story,
                                          .error = error,
                                          .exact = request->exact,
                                          .all = request->all};

        good = print_stories(&print, request) && output_commit(&output, error);
    }
    output_abort(&output);
    story_fini(&story);
    return good;
}

/* What only the lives of operations of the GPU can answer is not asked of stories. */
static bool wants_lives(const struct request *request)
{
    return request->against || request->top || request->rules || request->blocks ||
           request->only != EXPLAIN_KINDS ||
           (request->operation && operation_name_is_number(request->operation));
}

static bool explain_opened(struct event_log_reader *log, const char *path,
                           const struct request *request, struct gfe_error *error)
{
    event_log_limit(log, request->limits.expansion_bytes);
    return story_is_told(log) && !wants_lives(request) ? story_read(log, request, path, error)
                                                       : explain_read(log, request, path, error);
}

static bool explain_log(const char *path, const struct request *request, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    const bool good = log && explain_opened(log, path, request, error);

    event_log_close(log);
    return good;
}

int cmd_explain(int argc, char **argv)
{
    struct request request = {.output_path = "-", .only = EXPLAIN_KINDS, .limits = LIMITS_DEFAULT};
    struct gfe_error error = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, 2))
        return args.status;
    if (args.operand_count == 2)
        request.operation = args.operands[1];
    if (!request_check(&args, &request))
        return args.status;
    return explain_log(args.operands[0], &request, &error) ? 0 : args_failed(&args, &error);
}
