/* SPDX-License-Identifier: MIT */
/* A comparison as text and as JSON. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"
#include "emu/fit/compare.h"
#include "emu/fit/compare_words.h"

enum { FAMILY_COLUMNS = 18 };

/* ---- words ----------------------------------------------------------------------------------- */

char *fit_value_text(char to[FIT_WORD_BYTES], enum fit_figure_kind kind, double value)
{
    if (value == FIT_NEVER)
        (void)snprintf(to, FIT_WORD_BYTES, "never");
    else if (kind == FIT_TIME && value < 0)
        (void)snprintf(to, FIT_WORD_BYTES, "%.3f us", value / 1e3);
    else if (kind == FIT_TIME)
        (void)text_time(to, FIT_WORD_BYTES, (gfe_ps)(value * 1e3 + 0.5));
    else
        (void)snprintf(to, FIT_WORD_BYTES, "%.10g", value);
    return to;
}

char *fit_error_text(char to[FIT_WORD_BYTES], double error)
{
    if (error == FIT_NEVER)
        (void)snprintf(to, FIT_WORD_BYTES, "-");
    else if (error >= FIT_ENDLESS)
        (void)snprintf(to, FIT_WORD_BYTES, "no match");
    else
        (void)snprintf(to, FIT_WORD_BYTES, "%.1f %%", error * 100);
    return to;
}

char *fit_share_text(char to[FIT_WORD_BYTES], double part, double whole)
{
    if (whole == 0)
        (void)snprintf(to, FIT_WORD_BYTES, "-");
    else
        (void)snprintf(to, FIT_WORD_BYTES, "%.0f of %.0f", part, whole);
    return to;
}

char *fit_settings_text(char to[FIT_SETTINGS_BYTES], const struct fit_experiment *experiment)
{
    to[0] = '\0';
    if (experiment->connections > 0)
        (void)snprintf(to, FIT_SETTINGS_BYTES, ", %u connections", experiment->connections);
    if (experiment->mps)
        (void)snprintf(to + strlen(to), FIT_SETTINGS_BYTES - strlen(to), ", clients of MPS");
    return to;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_family(const struct fit_family *family, FILE *file)
{
    char near[FIT_WORD_BYTES], error[FIT_WORD_BYTES], blocks[FIT_WORD_BYTES], pairs[FIT_WORD_BYTES];

    fprintf(file, "%-*s %11u %8u %12s %12s %18s %16s\n", FAMILY_COLUMNS,
            family->name ? family->name : "all", family->experiment_count, family->value_count,
            fit_error_text(error, family->median_error),
            fit_share_text(near, family->near_count, family->value_count),
            fit_share_text(blocks, family->blocks_on_sm, family->block_count),
            fit_share_text(pairs, family->pairs_in_order, family->pair_count));
}

static void print_figure(const struct fit_figure *figure, FILE *file)
{
    char real[FIT_WORD_BYTES], emulated[FIT_WORD_BYTES], error[FIT_WORD_BYTES];

    if (fit_figure_is_value(figure))
        fprintf(file, "  %-48s %14s %14s %10s\n", figure->name,
                fit_value_text(real, figure->kind, figure->real),
                fit_value_text(emulated, figure->kind, figure->emulated),
                fit_error_text(error, fit_figure_error(figure)));
    else
        fprintf(file, "  %-48s %29s\n", figure->name,
                fit_share_text(real, figure->emulated, figure->real));
}

static void print_experiment(const struct fit_experiment *experiment,
                             const struct fit_figures *figures, FILE *file)
{
    char settings[FIT_SETTINGS_BYTES];

    fprintf(file, "\n%s, %s%s%s (%s:%u)%s\n  %-48s %14s %14s %10s\n", experiment->family,
            experiment->name, experiment->detail ? ": " : "",
            experiment->detail ? experiment->detail : "", experiment->path, experiment->line,
            fit_settings_text(settings, experiment), "FIGURE", "REAL", "EMULATED", "ERROR");
    for (uint32_t i = 0; i < figures->count; i++)
        print_figure(&figures->list[i], file);
    if (experiment->waits_left_out > 0)
        fprintf(file, "  left out: %u process%s that wait%s for a value\n",
                experiment->waits_left_out, experiment->waits_left_out == 1 ? "" : "es",
                experiment->waits_left_out == 1 ? "s" : "");
}

void fit_comparison_print(const struct fit_comparison *comparison, const char *gpu, bool each,
                          FILE *file)
{
    const struct fit_measured *measured = &comparison->measured;

    fprintf(file, "measured on %s, emulated on %s\n\n",
            measured->gpu ? measured->gpu : "a GPU without a name", gpu);
    fprintf(file, "%-*s %11s %8s %12s %12s %18s %16s\n", FAMILY_COLUMNS, "FAMILY", "EXPERIMENTS",
            "FIGURES", "MEDIAN ERROR", "WITHIN 10 %", "FIRST BLOCKS ON SM", "STARTS IN ORDER");
    for (uint32_t i = 0; i < comparison->family_count; i++)
        print_family(&comparison->families[i], file);
    if (comparison->family_count > 1)
        print_family(&comparison->all, file);
    for (uint32_t i = 0; each && i < measured->experiment_count; i++)
        if (measured->experiments[i].part_count > 0)
            print_experiment(&measured->experiments[i], &comparison->figures[i], file);
    if (measured->strangers > 0)
        fprintf(file, "\nnot read: %u line%s of other forms (%s)\n", measured->strangers,
                measured->strangers == 1 ? "" : "s", measured->strangers_of);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *number_json(double value)
{
    return value == FIT_NEVER || value >= FIT_ENDLESS ? json_null() : json_real(value);
}

static json_t *family_json(const struct fit_family *family)
{
    return json_pack(
        "{ss si si si so so so so so so so}", "family", family->name ? family->name : "all",
        "experiments", (int)family->experiment_count, "figures", (int)family->value_count,
        "within_10_percent", (int)family->near_count, "median_error",
        number_json(family->median_error), "first_blocks", number_json(family->block_count),
        "first_blocks_on_measured_sm", number_json(family->blocks_on_sm), "later_blocks",
        number_json(family->later_count), "later_blocks_on_measured_sm",
        number_json(family->later_on_sm), "pairs_of_starts", number_json(family->pair_count),
        "pairs_in_order", number_json(family->pairs_in_order));
}

static json_t *figure_json(const struct fit_figure *figure)
{
    static const char *const kinds[FIT_KINDS] = {"time_ns", "number", "first_blocks_on_measured_sm",
                                                 "later_blocks_on_measured_sm", "starts_in_order"};

    return json_pack(
        "{so ss so so so}", "figure", json_text_string(figure->name), "kind", kinds[figure->kind],
        fit_figure_is_value(figure) ? "real" : "of", number_json(figure->real),
        fit_figure_is_value(figure) ? "emulated" : "agree", number_json(figure->emulated), "error",
        fit_figure_is_value(figure) ? number_json(fit_figure_error(figure)) : json_null());
}

static json_t *experiment_json(const struct fit_experiment *experiment,
                               const struct fit_figures *figures)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < figures->count; i++)
        list = json_text_append(list, figure_json(&figures->list[i]));
    return json_pack("{ss so so so si si sb si so}", "family", experiment->family, "experiment",
                     json_text_string(experiment->name), "detail",
                     experiment->detail ? json_text_string(experiment->detail) : json_null(),
                     "file", json_text_string(experiment->path), "line", (int)experiment->line,
                     "connections", (int)experiment->connections, "mps", experiment->mps,
                     "waiting_processes_left_out", (int)experiment->waits_left_out, "figures",
                     list);
}

json_t *fit_comparison_json(const struct fit_comparison *comparison, const char *gpu)
{
    const struct fit_measured *measured = &comparison->measured;
    json_t *families = json_array(), *experiments = json_array();

    for (uint32_t i = 0; i < comparison->family_count; i++)
        families = json_text_append(families, family_json(&comparison->families[i]));
    for (uint32_t i = 0; i < measured->experiment_count; i++)
        if (measured->experiments[i].part_count > 0)
            experiments = json_text_append(
                experiments, experiment_json(&measured->experiments[i], &comparison->figures[i]));
    return json_pack("{so ss so so so si}", "measured_on",
                     measured->gpu ? json_text_string(measured->gpu) : json_null(), "emulated_on",
                     gpu, "families", families, "all", family_json(&comparison->all), "experiments",
                     experiments, "lines_not_read", (int)measured->strangers);
}
