/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/experiment.h"
#include "emu/fit/figures.h"

enum { NAME_BYTES = 160, MANY = 16 /* kernels of a stream, of which the gap is a figure */ };

#define BEGINS_AT_ONCE_NS 1000. /* a start that is closer to the first one is no figure */
#define LONG_PIECE        1.5   /* times the median: the copy waited in between */

void fit_figures_free(struct fit_figures *figures)
{
    for (uint32_t i = 0; i < figures->count; i++)
        free(figures->list[i].name);
    free(figures->list);
    *figures = (struct fit_figures){0};
}

double fit_figure_error(const struct fit_figure *figure)
{
    const double difference = figure->emulated - figure->real;

    if (figure->emulated == FIT_NEVER)
        return FIT_ENDLESS;
    if (difference == 0)
        return 0;
    return figure->real == 0 ? FIT_ENDLESS
                             : (difference < 0 ? -difference : difference) / figure->real;
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* What the figures of an experiment are made from. */
struct maker {
    struct fit_figures *figures;
    const struct fit_experiment *experiment;
    double first_ns[2]; /* when its first operation began: real, emulated */
};

static bool add(struct maker *maker, enum fit_figure_kind kind, double real, double emulated,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

static bool add(struct maker *maker, enum fit_figure_kind kind, double real, double emulated,
                const char *format, ...)
{
    struct fit_figures *figures = maker->figures;
    const uint32_t wanted = figures->capacity ? 2 * figures->capacity : 64;
    char name[NAME_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (figures->count == figures->capacity) {
        struct fit_figure *grown = realloc(figures->list, wanted * sizeof *grown);

        if (!grown)
            return false;
        figures->list = grown;
        figures->capacity = wanted;
    }
    figures->list[figures->count] =
        (struct fit_figure){.name = strdup(name), .kind = kind, .real = real, .emulated = emulated};
    return figures->list[figures->count++].name != NULL;
}

/* From the experiment's begin; FIT_NEVER stays. */
static double since(const struct maker *maker, bool emulated, double time_ns)
{
    return time_ns == FIT_NEVER || maker->first_ns[emulated] == FIT_NEVER
               ? FIT_NEVER
               : time_ns - maker->first_ns[emulated];
}

static const struct fit_seen *seen_of(const struct fit_operation *operation, bool emulated)
{
    return emulated ? &operation->emulated : &operation->real;
}

static double first_of(const struct fit_experiment *experiment, bool emulated)
{
    double first = FIT_NEVER;

    for (uint32_t i = 0; i < experiment->part_count; i++)
        for (uint32_t k = 0; k < experiment->parts[i].operation_count; k++) {
            const struct fit_seen *seen = seen_of(&experiment->parts[i].operations[k], emulated);
            const double begin = seen->spans ? seen->spans[0].begin_ns : FIT_NEVER;

            if (experiment->parts[i].form != FIT_LATENCY &&
                experiment->parts[i].form != FIT_REPEAT && begin != FIT_NEVER &&
                (first == FIT_NEVER || begin < first))
                first = begin;
        }
    return first;
}

/* "a: " in front of a figure of one process of several. */
static const char *colon(const char *name)
{
    return *name ? ": " : "";
}

static bool add_end(struct maker *maker, const char *part, const char *name,
                    const struct fit_operation *operation)
{
    const uint32_t last = operation->times - 1;

    return add(maker, FIT_TIME, since(maker, false, operation->real.spans[last].end_ns),
               since(maker, true, operation->emulated.spans[last].end_ns), "%s%s%s%sends", part,
               colon(part), name, *name ? " " : "");
}

/* ---- kernels and copies ---------------------------------------------------------------------- */

static bool median_between(const struct fit_part *part, bool emulated, double *median)
{
    struct fit_series series = {0};
    bool good = true;

    for (uint32_t i = 1; good && i < part->operation_count; i++) {
        const double a = seen_of(&part->operations[i - 1], emulated)->spans[0].begin_ns;
        const double b = seen_of(&part->operations[i], emulated)->spans[0].begin_ns;

        if (a != FIT_NEVER && b != FIT_NEVER)
            good = fit_series_add(&series, b - a);
    }
    *median = fit_series_median(&series);
    free(series.values);
    return good;
}

/* Many kernels in one stream: what lies between two of them, and when all are over. */
static bool add_many(struct maker *maker, const struct fit_part *part)
{
    double real, emulated;

    return median_between(part, false, &real) && median_between(part, true, &emulated) &&
           add(maker, FIT_TIME, real, emulated, "from kernel to kernel") &&
           add_end(maker, part->name, part->operations[part->operation_count - 1].name,
                   &part->operations[part->operation_count - 1]);
}

/* When the last block of a kernel begins. */
static double last_begin(const struct fit_operation *operation, bool emulated)
{
    const struct fit_seen *seen = seen_of(operation, emulated);
    double last = FIT_NEVER;

    for (uint32_t i = 0; i < operation->block_count; i++) {
        if (seen->blocks[i].begin_ns == FIT_NEVER)
            return FIT_NEVER;
        if (last == FIT_NEVER || seen->blocks[i].begin_ns > last)
            last = seen->blocks[i].begin_ns;
    }
    return last;
}

/* When all blocks of a kernel have begun: a figure if the file has their starts, but not when the
 * kernel ended. */
static bool add_begun(struct maker *maker, const struct fit_operation *operation)
{
    const bool seen = operation->blocks_seen && operation->end_unseen && !operation->begin_unseen;
    const double real = seen ? since(maker, false, last_begin(operation, false)) : FIT_NEVER;

    return real <= BEGINS_AT_ONCE_NS ||
           add(maker, FIT_TIME, real, since(maker, true, last_begin(operation, true)),
               "%s: all its blocks have begun", operation->name);
}

static bool add_each(struct maker *maker, const struct fit_part *part)
{
    for (uint32_t i = 0; i < part->operation_count; i++) {
        const struct fit_operation *operation = &part->operations[i];
        const double begin = since(maker, false, operation->real.spans[0].begin_ns);

        if (!operation->is_copy && !operation->begin_unseen && begin > BEGINS_AT_ONCE_NS &&
            !add(maker, FIT_TIME, begin, since(maker, true, operation->emulated.spans[0].begin_ns),
                 "%s begins", operation->name))
            return false;
        if (!add_begun(maker, operation))
            return false;
        if (!operation->end_unseen && !add_end(maker, part->name, operation->name, operation))
            return false;
    }
    return true;
}

/* When each of the copies ends that wait for one kernel, in each run. */
static bool add_race(struct maker *maker, const struct fit_part *part)
{
    for (uint32_t i = 0; i < part->operation_count; i++)
        for (uint32_t n = 0; n < part->operations[i].times; n++)
            if (!add(maker, FIT_TIME, part->operations[i].real.spans[n].end_ns,
                     part->operations[i].emulated.spans[n].end_ns, "run %u: %s ends", n + 1,
                     part->operations[i].name))
                return false;
    return true;
}

static bool add_order(struct maker *maker, const struct fit_part *part)
{
    uint64_t pairs = 0, alike = 0;

    for (uint32_t i = 0; i < part->operation_count; i++)
        for (uint32_t k = i + 1; k < part->operation_count; k++) {
            const struct fit_operation *a = &part->operations[i], *b = &part->operations[k];
            const double apart = b->real.spans[0].begin_ns - a->real.spans[0].begin_ns;
            const double x = a->emulated.spans[0].begin_ns, y = b->emulated.spans[0].begin_ns;

            if (apart <= FIT_APART_NS && apart >= -FIT_APART_NS)
                continue;
            pairs++;
            alike += x != FIT_NEVER && y != FIT_NEVER && (apart > 0 ? x < y : y < x);
        }
    return pairs == 0 || add(maker, FIT_STARTS_IN_ORDER, (double)pairs, (double)alike,
                             "pairs of kernels that start in the measured order");
}

/* When the first block of an experiment ended. */
static double first_end(const struct fit_experiment *experiment)
{
    double first = FIT_NEVER;

    for (uint32_t p = 0; p < experiment->part_count; p++)
        for (uint32_t i = 0; i < experiment->parts[p].operation_count; i++) {
            const struct fit_operation *operation = &experiment->parts[p].operations[i];

            for (uint32_t k = 0; operation->blocks_seen && k < operation->block_count; k++)
                if (first == FIT_NEVER || operation->real.blocks[k].end_ns < first)
                    first = operation->real.blocks[k].end_ns;
        }
    return first;
}

/* Counts blocks that start before `end_ns`, or the others, and those on the measured SM. */
static void count_places(const struct fit_part *part, double end_ns, bool later, uint64_t *count,
                         uint64_t *alike)
{
    for (uint32_t i = 0; i < part->operation_count; i++) {
        const struct fit_operation *operation = &part->operations[i];

        for (uint32_t k = 0; operation->blocks_seen && k < operation->block_count; k++) {
            if ((operation->real.blocks[k].begin_ns >= end_ns) != later)
                continue;
            ++*count;
            *alike += operation->real.blocks[k].sm == operation->emulated.blocks[k].sm;
        }
    }
}

void fit_first_blocks(const struct fit_experiment *experiment, uint64_t *first, uint64_t *alike)
{
    *first = *alike = 0;
    for (uint32_t i = 0; i < experiment->part_count; i++)
        count_places(&experiment->parts[i], first_end(experiment), false, first, alike);
}

static bool add_places(struct maker *maker, const struct fit_part *part)
{
    const double end_ns = first_end(maker->experiment);
    uint64_t first = 0, alike = 0, later = 0, later_alike = 0;

    count_places(part, end_ns, false, &first, &alike);
    count_places(part, end_ns, true, &later, &later_alike);
    return (first == 0 || add(maker, FIT_BLOCKS_ON_SM, (double)first, (double)alike,
                              "first blocks on the measured SM")) &&
           (later == 0 || add(maker, FIT_LATER_ON_SM, (double)later, (double)later_alike,
                              "later blocks on the measured SM"));
}

static bool add_kernels(struct maker *maker, const struct fit_part *part)
{
    const bool many = part->stream_count == 1 && part->operation_count > MANY;

    if (fit_part_races(part))
        return add_race(maker, part);
    return (many ? add_many(maker, part) : add_each(maker, part)) &&
           (part->form == FIT_COPIES || (add_order(maker, part) && add_places(maker, part)));
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool add_share(struct maker *maker, struct fit_part *part)
{
    struct fit_operation *operation = &part->operations[0];
    const uint32_t stands = operation->real.stands.count;
    const double watched = operation->watched_count;

    if (stands > 0 &&
        !add(maker, FIT_TIME, fit_series_median(&operation->real.stands),
             fit_series_median(&operation->emulated.stands), "%s: stands", part->name))
        return false;
    if (operation->real.runs.count > 0 &&
        !add(maker, FIT_TIME, fit_series_median(&operation->real.runs),
             fit_series_median(&operation->emulated.runs), "%s: runs", part->name))
        return false;
    return add(maker, FIT_NUMBER, stands / watched, operation->emulated.stands.count / watched,
               "%s: stops of a block", part->name) &&
           add_end(maker, part->name, "", operation);
}

/* The times between the begins of kernels, or between the ends of copies. */
static bool steps_of(const struct fit_operation *operation, bool emulated,
                     struct fit_series *series)
{
    const struct fit_seen *seen = seen_of(operation, emulated);

    for (uint32_t i = 1; i < operation->times; i++) {
        const double a =
            operation->is_copy ? seen->spans[i - 1].end_ns : seen->spans[i - 1].begin_ns;
        const double b = operation->is_copy ? seen->spans[i].end_ns : seen->spans[i].begin_ns;

        if (a != FIT_NEVER && b != FIT_NEVER && !fit_series_add(series, b - a))
            return false;
    }
    return true;
}

/* Takes the long ones out of a series. */
static void split_long(struct fit_series *series, struct fit_series *longer)
{
    const double limit = LONG_PIECE * fit_series_median(series);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < series->count; i++)
        if (series->values[i] <= limit)
            series->values[kept++] = series->values[i];
        else
            longer->values[longer->count++] = series->values[i];
    series->count = kept;
}

static bool add_steps(struct maker *maker, const struct fit_part *part)
{
    const struct fit_operation *operation = &part->operations[0];
    struct fit_series steps[2] = {{0}}, longer[2] = {{0}};
    bool good = steps_of(operation, false, &steps[0]) && steps_of(operation, true, &steps[1]);

    for (uint32_t i = 0; good && i < 2; i++) {
        longer[i].values = malloc((steps[i].count + 1) * sizeof(double));
        good = longer[i].values != NULL;
        if (good)
            split_long(&steps[i], &longer[i]);
    }
    good =
        good && add(maker, FIT_TIME, fit_series_median(&steps[0]), fit_series_median(&steps[1]),
                    operation->is_copy ? "%s: a piece" : "%s: from kernel to kernel", part->name);
    if (good && operation->is_copy && longer[0].count > 0)
        good = add(maker, FIT_TIME, fit_series_median(&longer[0]), fit_series_median(&longer[1]),
                   "%s: a piece that waits", part->name) &&
               add(maker, FIT_NUMBER, longer[0].count, longer[1].count, "%s: pieces that wait",
                   part->name);
    for (uint32_t i = 0; i < 2; i++) {
        free(steps[i].values);
        free(longer[i].values);
    }
    return good && add_end(maker, part->name, "", operation);
}

static bool add_latency(struct maker *maker, struct fit_part *part)
{
    struct fit_operation *operation = &part->operations[0];

    return add(maker, FIT_TIME, fit_series_quantile(&operation->real.took, 0.25),
               fit_series_quantile(&operation->emulated.took, 0.25),
               "%s%sfrom the call to the end of the wait, a quarter is shorter", part->name,
               colon(part->name)) &&
           add(maker, FIT_TIME, fit_series_quantile(&operation->real.took, 0.75),
               fit_series_quantile(&operation->emulated.took, 0.75),
               "%s%sfrom the call to the end of the wait, a quarter is longer", part->name,
               colon(part->name));
}

/* The median time between the events in front of an operation and behind it. */
static bool median_of_spans(const struct fit_operation *operation, bool emulated, double *median)
{
    struct fit_series series = {0};
    bool good = true;

    for (uint32_t i = 0; good && i < operation->times; i++) {
        const struct fit_span *span = &seen_of(operation, emulated)->spans[i];

        if (span->begin_ns != FIT_NEVER && span->end_ns != FIT_NEVER)
            good = fit_series_add(&series, span->end_ns - span->begin_ns);
    }
    *median = fit_series_median(&series);
    free(series.values);
    return good;
}

static bool add_repeat(struct maker *maker, struct fit_part *part)
{
    struct fit_operation *operation = &part->operations[0];
    double real, emulated;

    return median_of_spans(operation, false, &real) &&
           median_of_spans(operation, true, &emulated) &&
           add(maker, FIT_TIME, real, emulated, "from event to event, the median") &&
           (operation->real.took.count == 0 ||
            add(maker, FIT_TIME, fit_series_median(&operation->real.took),
                fit_series_median(&operation->emulated.took),
                "from the call to the end of the wait, the median"));
}

bool fit_figures_add(struct fit_figures *figures, struct fit_experiment *experiment)
{
    struct maker maker = {
        figures, experiment, {first_of(experiment, false), first_of(experiment, true)}};
    bool good = true;

    for (uint32_t i = 0; good && i < experiment->part_count; i++) {
        struct fit_part *part = &experiment->parts[i];

        switch (part->form) {
        case FIT_KERNELS:
        case FIT_COPIES:
            good = add_kernels(&maker, part);
            break;
        case FIT_SHARE:
            good = add_share(&maker, part);
            break;
        case FIT_STREAM:
        case FIT_PIECES:
            good = add_steps(&maker, part);
            break;
        case FIT_REPEAT:
            good = add_repeat(&maker, part);
            break;
        case FIT_LATENCY:
        case FIT_FORMS:
            good = add_latency(&maker, part);
        }
    }
    return good;
}
