/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_discriminate_print.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"

enum { VALUE_BYTES = 48, NAME_BYTES = 48, LINES_MAX = 24 };

static const char *const figure_names[DISCRIMINATE_FIGURES] = {
    [DISCRIMINATE_LAUNCH] = "launch call",
    [DISCRIMINATE_LAUNCHED] = "launch returns",
    [DISCRIMINATE_WAITED] = "wait returns",
    [DISCRIMINATE_START] = "starts",
    [DISCRIMINATE_END] = "ends",
    [DISCRIMINATE_SM] = "SM",
};
static const char *const verdict_names[] = {"A", "B", "neither", "both"};

static const char *alternative(const struct discriminate *discriminate, uint32_t side)
{
    return discriminate->question.point->alternatives[discriminate->question.alternatives[side]];
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* "K2" or, of a block, "K2:0". */
static const char *value_name(const struct discriminate_value *value, char name[NAME_BYTES])
{
    if (value->figure < DISCRIMINATE_START)
        (void)snprintf(name, NAME_BYTES, "K%" PRIu32, value->kernel + 1);
    else
        (void)snprintf(name, NAME_BYTES, "K%" PRIu32 ":%" PRIu32, value->kernel + 1, value->block);
    return name;
}

/* The n-th block of all. */
static void block_name(const struct discriminate_scenario *scenario, uint64_t n,
                       char name[NAME_BYTES])
{
    uint32_t kernel = 0;

    while (n >= scenario->kernels[kernel].blocks)
        n -= scenario->kernels[kernel++].blocks;
    (void)snprintf(name, NAME_BYTES, "K%" PRIu32 ":%" PRIu64, kernel + 1, n);
}

static const char *value_text(const struct discriminate *discriminate, uint32_t n, uint64_t value,
                              char text[VALUE_BYTES])
{
    const struct discriminate_value what = discriminate_value_of(&discriminate->scenario, n);
    char self[NAME_BYTES], first[NAME_BYTES];

    if (value == DISCRIMINATE_NOT_SAID) {
        (void)snprintf(text, VALUE_BYTES, "not said");
    } else if (what.figure == DISCRIMINATE_SM) {
        block_name(&discriminate->scenario, value, first);
        if (strcmp(first, value_name(&what, self)) == 0)
            (void)snprintf(text, VALUE_BYTES, "a new one");
        else
            (void)snprintf(text, VALUE_BYTES, "that of %.30s", first);
    } else {
        text_time(text, VALUE_BYTES, value);
    }
    return text;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_scenario(FILE *file, const struct discriminate *discriminate)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    const uint32_t blocks = discriminate_block_count(scenario);

    fprintf(file,
            "smallest scenario: %" PRIu32 " kernel%s, %" PRIu32 " stream%s, %" PRIu32
            " block%s%s\n",
            scenario->kernel_count, plural(scenario->kernel_count), scenario->stream_count,
            plural(scenario->stream_count), blocks, plural(blocks),
            scenario->processes ? ", each stream in a process of its own" : "");
    for (uint32_t i = 0; i < scenario->kernel_count; i++) {
        const struct discriminate_kernel *kernel = &scenario->kernels[i];
        const struct discriminate_stream *stream = &scenario->streams[kernel->stream];

        fprintf(file,
                "    K%-3" PRIu32 " stream %-3" PRIu32 " at %4" PRIu32 " ms  %" PRIu32
                " block%s of %" PRIu32 " thread%s",
                i + 1, kernel->stream + 1, discriminate_release_ms(scenario, kernel->stream),
                kernel->blocks, plural(kernel->blocks), kernel->threads, plural(kernel->threads));
        if (kernel->shared_words > 0)
            fprintf(file, ", %" PRIu32 " KiB shared memory each", kernel->shared_words / 256);
        if (kernel->copy_in_words > 0)
            fprintf(file, ", after a copy of %" PRIu64 " MiB", kernel->copy_in_words >> 18);
        fprintf(file, "%s%s\n", stream->high ? ", high priority" : "",
                stream->null_stream ? ", NULL stream" : "");
    }
}

static void print_decision(FILE *file, const struct discriminate *discriminate)
{
    char time[VALUE_BYTES];

    if (discriminate->decision.kind == DIFF_NOTHING) {
        fprintf(file, "all decisions are the same, but their times are not: %s\n",
                discriminate->rule);
        return;
    }
    fprintf(file, "first decision that differs: %s\n", discriminate->rule);
    for (uint32_t i = 0; i < 2; i++) {
        const struct diff_side *side = &discriminate->decision.side[i];

        fprintf(file, "    %c  %s%s%s\n", "AB"[i], side -> says,
                side -> time_ps == GFE_PS_NEVER ? "" : " at ",
                side->time_ps == GFE_PS_NEVER ? "" : text_time(time, sizeof time, side->time_ps));
    }
}

/* Marks what a measured value is like. */
static const char *mark_of(const struct discriminate_report *report, uint32_t n)
{
    const uint64_t value = report->outcome->values[n];
    const bool a = discriminate_is_as(report->discriminate, 0, n, value);
    const bool b = discriminate_is_as(report->discriminate, 1, n, value);

    return a && b ? "as both" : a ? "as A" : b ? "as B" : "as neither";
}

static void print_evidence(FILE *file, const struct discriminate_report *report)
{
    const struct discriminate *discriminate = report->discriminate;
    const uint32_t count = discriminate_value_count(&discriminate->scenario);
    char a[VALUE_BYTES], b[VALUE_BYTES], measured[VALUE_BYTES], name[NAME_BYTES];
    uint32_t lines = 0;

    fprintf(file, "what tells them apart     %-22s %-22s %s\n", "A", "B",
            report->outcome ? "measured" : "");
    for (uint32_t i = 0; i < count; i++) {
        const struct discriminate_value value = discriminate_value_of(&discriminate->scenario, i);

        if (!discriminate->evidence[i] || lines++ >= LINES_MAX)
            continue;
        fprintf(file, "    %-6s %-14s %-22s %-22s", value_name(&value, name),
                figure_names[value.figure],
                value_text(discriminate, i, discriminate->sides[0].list[0].values[i], a),
                value_text(discriminate, i, discriminate->sides[1].list[0].values[i], b));
        if (report->outcome)
            fprintf(file, " %s, %s",
                    value_text(discriminate, i, report->outcome->values[i], measured),
                    mark_of(report, i));
        fputc('\n', file);
    }
    if (lines > LINES_MAX)
        fprintf(file, "    %" PRIu32 " more (--json)\n", lines - LINES_MAX);
    for (uint32_t side = 0; side < 2; side++)
        if (discriminate->sides[side].seeded)
            fprintf(file,
                    "%c depends on the seed: shown is seed %" PRIu64
                    "; none of %d seeds does as the other\n",
                    "AB"[side], discriminate -> question.seed, DISCRIMINATE_SEEDS);
}

static void print_verdict(FILE *file, const struct discriminate_report *report)
{
    const struct discriminate *discriminate = report->discriminate;
    const uint32_t strange = discriminate_strange(discriminate, report->outcome);
    const uint32_t side = report->verdict == DISCRIMINATE_B;

    switch (report->verdict) {
    case DISCRIMINATE_A:
    case DISCRIMINATE_B:
        fprintf(file, "verdict: %s=%s (%c)\n", discriminate->question.point->id,
                alternative(discriminate, side), "AB"[side]);
        break;
    case DISCRIMINATE_NEITHER:
        fputs("verdict: neither: it does what no alternative of the two has\n", file);
        break;
    case DISCRIMINATE_BOTH:
        fputs("verdict: both fit: the measurement does not tell them apart\n", file);
        break;
    }
    if (strange > 0)
        fprintf(file,
                "note: %" PRIu32
                " figure%s that A and B have alike %s other on this GPU: it differs "
                "from the model elsewhere, too\n",
                strange, plural(strange), strange == 1 ? "is" : "are");
}

static void print_nothing(FILE *file, const struct discriminate *discriminate)
{
    if (discriminate->absent)
        fputs("no scenario tells them apart: programs of CUDA do not meet this choice point\n",
              file);
    else
        fprintf(file,
                "no scenario was found that tells them apart: %" PRIu32 " with up to %" PRIu32
                " kernel%s were tried in %" PRIu32 " simulations%s\n",
                discriminate->tried_count, discriminate->largest_kernels,
                plural(discriminate->largest_kernels), discriminate->simulation_count,
                discriminate->gave_up ? ", which is the most that are made" : "");
}

void discriminate_print_text(FILE *file, const struct discriminate_report *report)
{
    const struct discriminate *discriminate = report->discriminate;

    fprintf(file, "%s on %s: %s (A) or %s (B)?\n", discriminate->question.point->id,
            discriminate->question.model->name, alternative(discriminate, 0),
            alternative(discriminate, 1));
    if (!discriminate->found) {
        print_nothing(file, discriminate);
        return;
    }
    print_scenario(file, discriminate);
    fprintf(file, "    found with %" PRIu32 " scenarios in %" PRIu32 " simulations\n",
            discriminate->tried_count, discriminate->simulation_count);
    print_decision(file, discriminate);
    print_evidence(file, report);
    fprintf(file,
            "times differ by more than %" PRIu64 " ms; a measured one may be off by %" PRIu64
            " ms\n",
            (uint64_t)(DISCRIMINATE_MARGIN_PS / GFE_PS_PER_US / 1000),
            (uint64_t)(DISCRIMINATE_TOLERANCE_PS / GFE_PS_PER_US / 1000));
    if (report->outcome)
        print_verdict(file, report);
    else if (!report->directory)
        fprintf(file, "\nconfiguration of cuda_scheduling_examiner:\n\n%s\nCUDA source:\n\n%s",
                report->config, report->cuda);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_value(uint64_t value)
{
    return value == DISCRIMINATE_NOT_SAID ? json_null() : json_integer((json_int_t)value);
}

static json_t *json_evidence(const struct discriminate_report *report)
{
    const struct discriminate *discriminate = report->discriminate;
    const uint32_t count = discriminate_value_count(&discriminate->scenario);
    json_t *list = json_array();
    bool good = list != NULL;

    for (uint32_t i = 0; i < count && good; i++) {
        const struct discriminate_value value = discriminate_value_of(&discriminate->scenario, i);
        char name[NAME_BYTES];
        json_t *row;

        if (!discriminate->evidence[i])
            continue;
        row = json_pack("{ss ss so so}", "of", value_name(&value, name), "figure",
                        figure_names[value.figure], "a",
                        json_value(discriminate->sides[0].list[0].values[i]), "b",
                        json_value(discriminate->sides[1].list[0].values[i]));
        good = json_array_append_new(list, row) == 0;
        if (good && report->outcome)
            good =
                json_object_set_new(row, "measured", json_value(report->outcome->values[i])) == 0 &&
                json_object_set_new(row, "is", json_string(mark_of(report, i))) == 0;
    }
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *json_time(gfe_ps time_ps)
{
    return time_ps == GFE_PS_NEVER ? json_null() : json_integer((json_int_t)time_ps);
}

static json_t *json_decision(const struct discriminate *discriminate)
{
    const struct diff_side *side = discriminate->decision.side;

    if (discriminate->decision.kind == DIFF_NOTHING)
        return json_pack("{ss}", "rule", discriminate->rule);
    return json_pack("{ss ss so ss so}", "rule", discriminate->rule, "a", side[0].says, "a_ps",
                     json_time(side[0].time_ps), "b", side[1].says, "b_ps",
                     json_time(side[1].time_ps));
}

/* What there is only where something was found. */
static bool json_found(const struct discriminate_report *report, json_t *root)
{
    const struct discriminate *discriminate = report->discriminate;
    const struct discriminate_scenario *scenario = &discriminate->scenario;

    return json_object_set_new(root, "kernels", json_integer(scenario->kernel_count)) == 0 &&
           json_object_set_new(root, "streams", json_integer(scenario->stream_count)) == 0 &&
           json_object_set_new(root, "blocks", json_integer(discriminate_block_count(scenario))) ==
               0 &&
           json_object_set_new(root, "decision", json_decision(discriminate)) == 0 &&
           json_object_set_new(root, "evidence", json_evidence(report)) == 0 &&
           json_object_set_new(root, "configuration", json_text_loads(report->config)) == 0 &&
           json_object_set_new(root, "cuda", json_string(report->cuda)) == 0 &&
           (!report->outcome ||
            (json_object_set_new(root, "verdict", json_string(verdict_names[report->verdict])) ==
                 0 &&
             json_object_set_new(
                 root, "strange",
                 json_integer(discriminate_strange(discriminate, report->outcome))) == 0));
}

bool discriminate_print_json(FILE *file, const struct discriminate_report *report)
{
    const struct discriminate *discriminate = report->discriminate;
    json_t *root = json_pack(
        "{si ss ss ss ss sI sb si si si sI sI}", "format", 1, "choice_point",
        discriminate->question.point->id, "a", alternative(discriminate, 0), "b",
        alternative(discriminate, 1), "gpu", discriminate->question.model->name, "seed",
        (json_int_t)discriminate->question.seed, "found", discriminate->found, "tried",
        (int)discriminate->tried_count, "simulations", (int)discriminate->simulation_count,
        "largest_kernels", (int)discriminate->largest_kernels, "margin_ps",
        (json_int_t)DISCRIMINATE_MARGIN_PS, "tolerance_ps", (json_int_t)DISCRIMINATE_TOLERANCE_PS);
    const bool good =
        root && (!discriminate->found || json_found(report, root)) && json_text_print(file, root);

    json_decref(root);
    return good;
}
