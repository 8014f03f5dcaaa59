/* SPDX-License-Identifier: MIT */
/* gfe diff: two runs of the same programs, and where they part. */
#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd.h"
#include "emu/analysis/diff.h"
#include "emu/base/json_text.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"
#include "emu/base/text.h"

enum { TIME_BYTES = 48, TOP_DEFAULT = 20, DIFFERS = 1 };

static const struct args_option diff_options[] = {
    {'n', "top", "N", "list so many operations, those that differ most (default 20)"},
    {'j', "json", NULL, "print JSON, with all operations"},
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0},
};

static const struct args_command diff_command = {
    "diff", "[OPTION...] LOG LOG",
    "Compares two runs of the same scenario (gfe run CONFIG.json): with another GPU, seed, policy\n"
    "or parameter.  Prints what was set otherwise, the first decision that differs (who gets a\n"
    "channel, which operation joins a queue, which block starts and where) with its rule, and\n"
    "the operations that take another time because of it.\n\n"
    "Exit status: 0 they are the same; 1 they differ, or a log is bad; 2 wrong usage.\n",
    diff_options, false};

struct request {
    uint64_t top;
    bool json;
    struct limits limits;
};

/* ---- what was set otherwise ------------------------------------------------------------------ */

typedef void tell_setting(void *to, const char *what, const char *a, const char *b);

static void text_of(const json_t *value, char *to, size_t bytes)
{
    if (json_is_integer(value))
        (void)snprintf(to, bytes, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        (void)snprintf(to, bytes, "%s", json_string_value(value) ? json_string_value(value) : "-");
}

/* Rows of parameters or choices, which both logs have in the same order if they are of one build.
 */
static void compare_rows(const struct diff *diff, const char *list, const char *member,
                         tell_setting *tell, void *to)
{
    const json_t *a = json_object_get(diff->story[0]->head, list);
    const json_t *b = json_object_get(diff->story[1]->head, list);
    size_t index;
    json_t *row;

    json_array_foreach(a, index, row)
    {
        const json_t *other = json_array_get(b, index);
        const char *name = json_string_value(json_object_get(row, "name"));
        const char *other_name = json_string_value(json_object_get(other, "name"));
        char text[2][64];

        if (!name || !other_name || strcmp(name, other_name) != 0)
            continue;
        text_of(json_object_get(row, member), text[0], sizeof text[0]);
        text_of(json_object_get(other, member), text[1], sizeof text[1]);
        if (strcmp(text[0], text[1]) != 0)
            tell(to, name, text[0], text[1]);
    }
}

/* Two GPUs from files may have one name. */
static void compare_gpus(const struct diff *diff, tell_setting *tell, void *to)
{
    json_t *a = json_object_get(diff->story[0]->head, "gpu"), *value;
    const json_t *b = json_object_get(diff->story[1]->head, "gpu");
    const char *key;

    json_object_foreach(a, key, value)
    {
        const json_t *other = json_object_get(b, key);
        char *text = json_text(value, JSON_COMPACT | JSON_ENCODE_ANY);
        char *against = json_text(other, JSON_COMPACT | JSON_ENCODE_ANY);

        if (text && against && strcmp(key, "name") != 0 && strcmp(text, against) != 0) {
            char name[80], short_text[2][60];

            (void)snprintf(name, sizeof name, "gpu.%.60s", key);
            (void)snprintf(short_text[0], sizeof short_text[0], "%.56s", text);
            (void)snprintf(short_text[1], sizeof short_text[1], "%.56s", against);
            tell(to, name, short_text[0], short_text[1]);
        }
        free(text);
        free(against);
    }
}

static void compare_settings(const struct diff *diff, tell_setting *tell, void *to)
{
    static const char *const keys[] = {"gpu", "seed", "driver_model", "version", "trace_hash"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *a = event_log_run(diff->story[0]->log, keys[i]);
        const char *b = event_log_run(diff->story[1]->log, keys[i]);

        if (a && b && strcmp(a, b) != 0)
            tell(to, strcmp(keys[i], "trace_hash") == 0 ? "scenario" : keys[i], a, b);
    }
    compare_gpus(diff, tell, to);
    compare_rows(diff, "parameters", "value", tell, to);
    compare_rows(diff, "choices", "alternative", tell, to);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_setting(void *to, const char *what, const char *a, const char *b)
{
    bool *any = to;

    printf("%s %s: %s / %s\n", *any ? "        " : "set otherwise:\n        ", what, a, b);
    *any = true;
}

static void print_decision(const struct diff *diff)
{
    const struct diff_decision *decision = &diff->decision;
    char time[TIME_BYTES];

    if (decision->kind == DIFF_NOTHING) {
        printf("all decisions are the same\n");
        return;
    }
    printf("first decision that differs: %s\n", decision->rule);
    for (uint32_t i = 0; i < 2; i++)
        if (decision->side[i].time_ps == GFE_PS_NEVER)
            printf("    %c  %s\n", "AB"[i], decision -> side[i].says);
        else
            printf("    %c  %s at %s\n", "AB"[i], decision -> side[i].says,
                   text_time(time, sizeof time, decision->side[i].time_ps));
}

static uint64_t change_of(const struct diff_row *row)
{
    return row->took_ps[0] > row->took_ps[1] ? row->took_ps[0] - row->took_ps[1]
                                             : row->took_ps[1] - row->took_ps[0];
}

static int compare_rows_by_change(const void *a, const void *b)
{
    const struct diff_row *x = a, *y = b;
    const uint64_t change_x = change_of(x), change_y = change_of(y);

    if (change_x != change_y)
        return change_x < change_y ? 1 : -1;
    return (x->operation[0] > y->operation[0]) - (x->operation[0] < y->operation[0]);
}

static const char *took_text(gfe_ps took_ps, char time[TIME_BYTES])
{
    return took_ps == GFE_PS_NEVER ? "never ends" : text_time(time, TIME_BYTES, took_ps);
}

static void print_rows(const struct diff *diff, uint64_t top)
{
    char name[STORY_NAME_BYTES], a[TIME_BYTES], b[TIME_BYTES], change[TIME_BYTES];

    if (diff->row_count > 0)
        printf("  %-20s %18s %18s  %s\n", "operation", "A", "B", "B - A");
    for (uint32_t i = 0; i < diff->row_count && i < top; i++) {
        const struct diff_row *row = &diff->rows[i];
        const bool less = row->took_ps[1] < row->took_ps[0];

        story_name(diff->story[0], (struct story_subject){row->operation[0], STORY_NONE}, name);
        printf("  %-20s %18s %18s  %s%s\n", name, took_text(row->took_ps[0], a),
               took_text(row->took_ps[1], b), less ? "-" : "+",
               text_time(change, sizeof change, change_of(row)));
    }
    if (diff->row_count > top)
        printf("  %" PRIu64 " more (--top)\n", diff->row_count - top);
}

static void print_text(const struct diff *diff, const char *const names[2], uint64_t top)
{
    bool any = false;

    printf("A       %s\nB       %s\n", names[0], names[1]);
    compare_settings(diff, print_setting, &any);
    print_decision(diff);
    printf("operations: %u take the same time, %u another", diff->same_count, diff->row_count);
    if (diff->only_count[0] + diff->only_count[1] > 0)
        printf(", %u are only in A, %u only in B", diff->only_count[0], diff->only_count[1]);
    printf("\n");
    print_rows(diff, top);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_setting(void *to, const char *what, const char *a, const char *b)
{
    json_t **list = to;

    *list = json_text_append(*list, json_pack("{ss ss ss}", "name", what, "a", a, "b", b));
}

static json_t *json_time(gfe_ps time_ps)
{
    return time_ps == GFE_PS_NEVER ? json_null() : json_integer((json_int_t)time_ps);
}

static json_t *json_decision(const struct diff_decision *decision)
{
    static const char *const kinds[DIFF_KINDS] = {"none", "channel", "queue", "start", "place"};

    if (decision->kind == DIFF_NOTHING)
        return json_null();
    return json_pack("{ss ss ss so ss so}", "kind", kinds[decision->kind], "rule", decision->rule,
                     "a", decision->side[0].says, "a_ps", json_time(decision->side[0].time_ps), "b",
                     decision->side[1].says, "b_ps", json_time(decision->side[1].time_ps));
}

static bool print_json(const struct diff *diff, const char *const names[2])
{
    json_t *settings = json_array(), *rows = json_array(), *root;
    char name[STORY_NAME_BYTES];
    bool done = settings && rows;

    if (done)
        compare_settings(diff, json_setting, &settings);
    for (uint32_t i = 0; i < diff->row_count && done; i++) {
        const struct diff_row *row = &diff->rows[i];

        story_name(diff->story[0], (struct story_subject){row->operation[0], STORY_NONE}, name);
        done = json_array_append_new(rows, json_pack("{ss so so}", "operation", name, "a_ps",
                                                     json_time(row->took_ps[0]), "b_ps",
                                                     json_time(row->took_ps[1]))) == 0;
    }
    root = json_pack("{ss ss so so si si si so}", "a", names[0], "b", names[1], "settings",
                     settings, "decision", json_decision(&diff->decision), "same",
                     (int)diff->same_count, "only_a", (int)diff->only_count[0], "only_b",
                     (int)diff->only_count[1], "operations", rows);
    done = done && root && json_text_print(stdout, root);
    json_decref(root);
    return done;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool diff_print(const struct request *request, struct diff *diff, const char *const names[2],
                       struct gfe_error *error)
{
    qsort(diff->rows, diff->row_count, sizeof *diff->rows, compare_rows_by_change);
    if (request->json)
        return print_json(diff, names) || error_set(error, ERROR_SYSTEM, "no memory for JSON");
    print_text(diff, names, request->top);
    return true;
}

static bool open_story(const char *path, const struct request *request,
                       struct event_log_reader **log, struct story *story, struct gfe_error *error)
{
    *log = event_log_open(path, error);
    if (!*log)
        return false;
    event_log_limit(*log, request->limits.expansion_bytes);
    if (!story_is_told(*log))
        return error_set(error, ERROR_INPUT,
                         "%s: it is no log of a scenario: only those are compared",
                         event_log_name(*log));
    return story_load(story, *log, NULL, error);
}

/* *same is what was found. */
static bool diff_all(const struct request *request, char **paths, bool *same,
                     struct gfe_error *error)
{
    struct event_log_reader *logs[2] = {NULL, NULL};
    struct story stories[2] = {{0}, {0}};
    struct diff diff;
    bool loaded[2] = {false, false}, done = false;

    loaded[0] = open_story(paths[0], request, &logs[0], &stories[0], error);
    loaded[1] = loaded[0] && open_story(paths[1], request, &logs[1], &stories[1], error);
    if (loaded[1] && diff_make(&diff, &stories[0], &stories[1], error)) {
        const char *const names[2] = {event_log_name(logs[0]), event_log_name(logs[1])};

        *same = diff.decision.kind == DIFF_NOTHING && diff.row_count == 0 &&
                diff.only_count[0] + diff.only_count[1] == 0;
        done = diff_print(request, &diff, names, error);
        diff_fini(&diff);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (loaded[i])
            story_fini(&stories[i]);
        event_log_close(logs[i]);
    }
    return done && output_flush_stdout(error);
}

int cmd_diff(int argc, char **argv)
{
    struct request request = {.top = TOP_DEFAULT, .limits = LIMITS_DEFAULT};
    struct gfe_error error = {0};
    struct args args;
    bool same = false;
    int option;

    args_start(&args, &diff_command, argc, argv);
    while ((option = args_next(&args)) >= 0) {
        if (option == 'n' && !args_number(&args, &request.top))
            return args.status;
        if (option == 'j')
            request.json = true;
        if (limits_is(option) && !limits_take(&args, option, &request.limits))
            return args.status;
    }
    if (option == ARGS_STOP || !args_operands(&args, 2, 2))
        return args.status;
    if (!diff_all(&request, args.operands, &same, &error))
        return args_failed(&args, &error);
    return same ? 0 : DIFFERS;
}
