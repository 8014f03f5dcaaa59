/* SPDX-License-Identifier: MIT */
/* gfe discriminate: the smallest program whose outcome tells two alternatives of a choice point
 * apart, and which of them a real GPU follows. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/base/args.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_discriminate_order.h"
#include "emu/program/cmd_discriminate_print.h"
#include "emu/base/output.h"
#include "emu/sim/gpus.h"
#include "firmware-models/cuda/cuda.h"

enum {
    OPTION_GPU = ARGS_LONG_ONLY,
    OPTION_SEED,
    OPTION_MAX_KERNELS,
    UNDECIDED = 1,
    LIST_BYTES = 700,
};

static const struct args_option options[] = {
    {OPTION_GPU, "gpu", "GPU", "of this GPU (default gtx1060)"},
    {OPTION_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {OPTION_MAX_KERNELS, "max-kernels", "N", "try scenarios of up to N kernels (default 16)"},
    {'o', "output", "DIR",
     "write files there: scenario.json, scenario.cu, and what is\n"
     "expected of A and of B as result files, a folder for each"},
    {'j', "json", NULL, "print JSON, with configuration and source as text in it"},
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "discriminate", "[OPTION...] NAME=A NAME=B [RESULT.json...]",
    "Searches for the smallest program whose outcome on a GPU tells two alternatives of a choice\n"
    "point (gfe rules lists them) apart, and prints it as a configuration of\n"
    "cuda_scheduling_examiner and as CUDA source, with the first decision that differs, its rule,\n"
    "and what is expected of A and of B.  Only what the tool's result files show counts: on which\n"
    "blocks' SM a block was, and times that differ by 15 ms or more; also with other times of\n"
    "calls and dispatch, and where chance has a say with 32 seeds.\n\n"
    "RESULT.json are the result files of one run of that program on a real GPU: they tell which\n"
    "alternative it follows, or that it follows neither, or that both fit; options and\n"
    "alternatives have to be the same as when the program was made.\n\n"
    "amd.baton of an AMD GPU is judged without a search, by RESULT.json of hip_plugin_framework: a\n"
    "kernel that ran alone, with the times of its blocks.  The offsets of the CUs' clocks are\n"
    "found, and the blocks that started out of order are counted and compared with replays\n"
    "(the second method of docs/block-order.md).  Options of a search are refused then.\n\n"
    "Exit status: 0 a program was found and, of result files, the verdict is A or B; 1 nothing\n"
    "was found, the verdict is neither or both, or a file is bad; 2 wrong usage.\n",
    options, false};

struct request {
    struct discriminate_question question;
    struct cmd_gpu *chosen; /* owned by the command */
    const char *gpu, *directory;
    const char *search_option; /* the last one given that only a search has; or NULL */
    bool json;
};

/* ---- the question ---------------------------------------------------------------------------- */

/* Appends to a list of names, as far as there is room. */
static void list_add(char list[LIST_BYTES], const char *name)
{
    const size_t at = strlen(list);

    (void)snprintf(list + at, LIST_BYTES - at, "%s%s", at ? ", " : "", name);
}

static bool no_point(struct args *args, const char *name)
{
    char list[LIST_BYTES] = "";

    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->choice_count; i++)
            list_add(list, gfe_table_sets[s]->choices[i].id);
    return args_wrong(args, "no choice point is called '%s', but %s", name, list) == 0;
}

static bool no_alternative(struct args *args, const struct choice_point *point, const char *name)
{
    char list[LIST_BYTES] = "";

    for (uint32_t i = 0; i < CHOICE_ALTERNATIVES_MAX && point->alternatives[i]; i++)
        list_add(list, point->alternatives[i]);
    return args_wrong(args, "%s has no alternative '%s', but %s", point->id, name, list) == 0;
}

/* NAME=ALTERNATIVE; the text is split in place. */
static bool side_take(struct args *args, char *text, uint32_t side,
                      struct discriminate_question *question)
{
    char *equals = strchr(text, '=');
    const struct choice_point *point;

    if (!equals)
        return args_wrong(args, "'%s' is not NAME=ALTERNATIVE", text) == 0;
    *equals = '\0';
    point = discriminate_point(text);
    if (!point)
        return no_point(args, text);
    if (side > 0 && point != question->point)
        return args_wrong(args,
                          "%s and %s are two choice points: two alternatives of one are asked",
                          question->point->id, point->id) == 0;
    question->point = point;
    question->alternatives[side] = discriminate_alternative(point, equals + 1);
    if (question->alternatives[side] == UINT32_MAX)
        return no_alternative(args, point, equals + 1);
    if (side > 0 && question->alternatives[0] == question->alternatives[1])
        return args_wrong(args, "%s is the same twice", equals + 1) == 0;
    return true;
}

/* The question is judged by the order of blocks, without a search. */
static bool is_order(const struct request *request)
{
    return strcmp(request->question.point->id, DISCRIMINATE_ORDER_POINT) == 0 &&
           discriminate_order_has(request->gpu, request->question.described);
}

static bool order_take(struct args *args, const struct request *request)
{
    if (args->operand_count != 3)
        return args_wrong(args,
                          "%s of %s is judged by one result file of hip_plugin_framework, of a "
                          "kernel that ran alone",
                          DISCRIMINATE_ORDER_POINT, request->gpu) == 0;
    if (request->search_option)
        return args_wrong(args, "%s is for a search; %s of %s is judged without one",
                          request->search_option, DISCRIMINATE_ORDER_POINT, request->gpu) == 0;
    return true;
}

static bool question_take(struct args *args, struct request *request)
{
    struct discriminate_question *question = &request->question;

    for (uint32_t side = 0; side < 2; side++)
        if (!side_take(args, args->operands[side], side, question))
            return false;
    question->model = gpu_find_nvidia(request->gpu, question->described);
    if (is_order(request))
        return order_take(args, request);
    if (!question->model) {
        struct gfe_error error = {0};

        (void)gpu_missing(request->gpu, question->described, &error);
        return args_failed(args, &error) == 0;
    }
    if (request->directory && args->operand_count > 2)
        return args_wrong(args,
                          "-o writes what is expected: not together with what was measured") == 0;
    return true;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    uint64_t number;

    switch (id) {
    case OPTION_GPU:
        if (!cmd_gpu_take(args, request->chosen))
            return false;
        request->gpu = request->chosen->name;
        request->question.described = request->chosen->described;
        return true;
    case OPTION_SEED:
        request->search_option = "--seed";
        return args_number(args, &request->question.seed);
    case OPTION_MAX_KERNELS:
        request->search_option = "--max-kernels";
        if (!args_number_within(args, 1, DISCRIMINATE_KERNELS_MAX, &number))
            return false;
        request->question.max_kernels = (uint32_t)number;
        return true;
    case 'o':
        request->search_option = "--output";
        request->directory = args->value;
        return true;
    default:
        request->json = true;
        return true;
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool folder_make(const char *path, struct gfe_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || error_set_errno(error, errno, "%s", path);
}

static bool text_write(const char *directory, const char *name, const char *text,
                       struct gfe_error *error)
{
    struct output output = {0};
    char *path = NULL;
    bool good;

    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return error_set_errno(error, ENOMEM, "%s", name);
    good = output_open_text(&output, path, error);
    if (good) {
        fputs(text, output.file);
        good = output_commit(&output, error);
    }
    output_abort(&output);
    free(path);
    return good;
}

/* Writes what is expected of both alternatives, each to a folder such as A-most-free. */
static bool expected_write(const struct discriminate *discriminate, const char *directory,
                           struct gfe_error *error)
{
    const struct discriminate_question *question = &discriminate->question;
    bool good = true;

    for (uint32_t side = 0; side < 2 && good; side++) {
        char *path = NULL;

        if (asprintf(&path, "%s/%c-%s", directory, "AB"[side],
                     question -> point -> alternatives[question->alternatives[side]]) < 0)
            return error_set_errno(error, ENOMEM, "%s", directory);
        good = discriminate_write_results(discriminate, side, path, error);
        free(path);
    }
    return good;
}

static bool files_write(const struct discriminate_report *report, struct gfe_error *error)
{
    return folder_make(report->directory, error) &&
           text_write(report->directory, "scenario.json", report->config, error) &&
           text_write(report->directory, "scenario.cu", report->cuda, error) &&
           expected_write(report->discriminate, report->directory, error);
}

/* ---- measured -------------------------------------------------------------------------------- */

static void results_free(struct examiner_result **results, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        examiner_result_free(results[i]);
}

/* Reads and judges the files. */
static bool measured_take(const struct discriminate *discriminate, char *const *paths,
                          uint32_t count, struct discriminate_outcome *outcome,
                          struct gfe_error *error)
{
    struct discriminate_result_file files[DISCRIMINATE_KERNELS_MAX];
    struct examiner_result *results[DISCRIMINATE_KERNELS_MAX];
    uint32_t loaded = 0;
    bool good = count <= DISCRIMINATE_KERNELS_MAX ||
                error_set(error, ERROR_INPUT,
                          "%s: is one file too many: the scenario has no more than %d streams",
                          paths[DISCRIMINATE_KERNELS_MAX], DISCRIMINATE_KERNELS_MAX);

    while (good && loaded < count) {
        results[loaded] =
            examiner_result_load(paths[loaded], input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), error);
        good = results[loaded] != NULL;
        if (good) {
            files[loaded] = (struct discriminate_result_file){paths[loaded], results[loaded]};
            loaded++;
        }
    }
    good = good && discriminate_measured(discriminate, files, count, outcome, error);
    results_free(results, loaded);
    return good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool report_print(const struct request *request, const struct discriminate_report *report,
                         struct gfe_error *error)
{
    if (!request->json)
        discriminate_print_text(stdout, report);
    else if (!discriminate_print_json(stdout, report))
        return error_set(error, ERROR_SYSTEM, "no memory for JSON");
    return output_flush_stdout(error);
}

/* Reports what was found. */
static bool found_tell(const struct request *request, const struct discriminate *discriminate,
                       char *const *paths, uint32_t path_count, enum discriminate_verdict *verdict,
                       struct gfe_error *error)
{
    struct discriminate_outcome outcome = {0};
    char *config = discriminate_config(discriminate), *cuda = discriminate_cuda(discriminate);
    struct discriminate_report report = {.discriminate = discriminate,
                                         .config = config,
                                         .cuda = cuda,
                                         .outcome = path_count ? &outcome : NULL,
                                         .directory = request->directory};
    bool good = (config && cuda) || error_set(error, ERROR_SYSTEM, "no memory for the texts");

    if (good && path_count > 0) {
        good = measured_take(discriminate, paths, path_count, &outcome, error);
        if (good)
            *verdict = report.verdict = discriminate_judge(discriminate, &outcome);
    }
    if (good && request->directory)
        good = files_write(&report, error);
    good = good && report_print(request, &report, error);
    free(outcome.values);
    free(config);
    free(cuda);
    return good;
}

static bool answer(const struct request *request, char *const *paths, uint32_t path_count,
                   bool *decided, struct gfe_error *error)
{
    struct discriminate discriminate = {0};
    enum discriminate_verdict verdict = DISCRIMINATE_A;
    bool good = discriminate_find(&discriminate, &request->question, error);

    if (good && discriminate.found) {
        good = found_tell(request, &discriminate, paths, path_count, &verdict, error);
    } else if (good) {
        const struct discriminate_report report = {.discriminate = &discriminate};

        good = report_print(request, &report, error);
    }
    *decided = discriminate.found && (verdict == DISCRIMINATE_A || verdict == DISCRIMINATE_B);
    discriminate_fini(&discriminate);
    return good;
}

static bool order_answer(const struct request *request, const char *path, bool *decided,
                         struct gfe_error *error)
{
    const struct discriminate_order_question question = {
        .gpu = request->gpu,
        .described = request->question.described,
        .swapped = request->question.alternatives[0] > request->question.alternatives[1],
        .json = request->json};

    return discriminate_order(&question, path, decided, error);
}

int cmd_discriminate(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct request request = {
        .gpu = "gtx1060", .chosen = &chosen, .question = {.max_kernels = DISCRIMINATE_KERNELS_MAX}};
    struct gfe_error error = {0};
    bool decided;
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 2, -1) || !question_take(&args, &request))
        return args.status;
    if (!(is_order(&request) ? order_answer(&request, args.operands[2], &decided, &error)
                             : answer(&request, args.operands + 2, (uint32_t)args.operand_count - 2,
                                      &decided, &error)))
        return args_failed(&args, &error);
    return decided ? 0 : UNDECIDED;
}
