/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bench/bench.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_REPEATS_DEFAULT = 9, BENCH_REPEATS_MAX = 1000 };

struct bench {
    json_t *object, *results, *notes;
    bool failed;
};

/* The runs of one subject. */
struct bench_samples {
    double values[BENCH_REPEATS_MAX];
    double cpu_values[BENCH_REPEATS_MAX]; /* by processor time */
    unsigned count;
};

static double bench_clock(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_now(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

uint64_t bench_jumps(void *context)
{
    (void)context;
    for (uint32_t left = BENCH_JUMPS; left != 0; left--)
        __asm__ volatile("" : "+r"(left)); /* so that compilers leave it as it is */
    return BENCH_JUMPS;
}

struct bench *bench_begin(const char *program)
{
    struct bench *bench = calloc(1, sizeof *bench);

    if (!bench)
        abort();
    bench->object = json_object();
    bench->results = json_array();
    bench->notes = json_array();
    json_object_set_new(bench->object, "program", json_string(program));
    json_object_set(bench->object, "results", bench->results);
    json_object_set(bench->object, "notes", bench->notes);
    return bench;
}

static bool bench_is_rate(const char *unit)
{
    return strstr(unit, "/s") != NULL;
}

/* What one run's time is in the case's unit. */
static double bench_figure(const char *unit, double seconds, uint64_t things)
{
    static const struct {
        const char *unit;
        double per_second;
    } units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};

    if (bench_is_rate(unit))
        return (double)things / seconds;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return seconds * units[i].per_second / (double)things;
    fprintf(stderr, "bench: unknown unit '%s'\n", unit);
    abort();
}

/* Runs a subject once and keeps its figures as sample `index`. */
static void bench_time(struct bench *bench, const struct bench_subject *subject, const char *unit,
                       struct bench_samples *samples, unsigned index)
{
    double begin, cpu_begin, seconds, cpu_seconds;
    uint64_t things;

    if (subject->prepare)
        subject->prepare(subject->context);
    begin = bench_now();
    cpu_begin = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
    things = subject->run(subject->context);
    cpu_seconds = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
    seconds = bench_now() - begin;
    if (things == 0) {
        bench_note(bench, "%s failed", subject->name);
        bench->failed = true;
        things = 1;
    }
    samples->values[index] = bench_figure(unit, seconds, things);
    samples->cpu_values[index] = bench_figure(unit, cpu_seconds, things);
}

static int bench_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double bench_median(double *values, unsigned count)
{
    qsort(values, count, sizeof values[0], bench_order);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Sorts the samples; the object has their median, least and greatest. */
static json_t *bench_samples_object(const char *name, struct bench_samples *samples)
{
    const double median = bench_median(samples->values, samples->count);

    return json_pack("{s:s, s:f, s:f, s:f, s:f}", "name", name, "figure", median, "min",
                     samples->values[0], "max", samples->values[samples->count - 1], "by_cpu_time",
                     bench_median(samples->cpu_values, samples->count));
}

static void bench_set_target(json_t *object, const char *figure, double target, bool at_least)
{
    const double value = json_real_value(json_object_get(object, figure));

    if (target == 0)
        return;
    json_object_set_new(object, "target",
                        json_pack("{s:f}", at_least ? "at_least" : "at_most", target));
    json_object_set_new(object, "met", json_boolean(at_least ? value >= target : value <= target));
}

static json_t *bench_control_object(const struct bench_case *bench_case,
                                    const struct bench_subject *control,
                                    const struct bench_samples *subject,
                                    struct bench_samples *samples)
{
    static double ratios[BENCH_REPEATS_MAX];
    json_t *object;

    for (unsigned i = 0; i < samples->count; i++)
        ratios[i] = bench_is_rate(bench_case->unit) ? subject->values[i] / samples->values[i]
                                                    : samples->values[i] / subject->values[i];
    object = bench_samples_object(control->name, samples);
    json_object_set_new(object, "ratio", json_real(bench_median(ratios, samples->count)));
    bench_set_target(object, "ratio", control->target_ratio, true);
    return object;
}

static unsigned bench_repeats(const struct bench_case *bench_case)
{
    const char *text = getenv("BENCH_REPEATS");
    unsigned long repeats = BENCH_REPEATS_DEFAULT;

    if (bench_case->repeats)
        repeats = bench_case->repeats;
    else if (text)
        repeats = strtoul(text, NULL, 10);
    return repeats < 1 ? 1 : repeats > BENCH_REPEATS_MAX ? BENCH_REPEATS_MAX : (unsigned)repeats;
}

void bench_run(struct bench *bench, const struct bench_case *bench_case)
{
    static struct bench_samples samples[BENCH_CONTROLS_MAX + 1];
    const struct bench_subject *subjects[BENCH_CONTROLS_MAX + 1] = {&bench_case->subject};
    const unsigned repeats = bench_repeats(bench_case);
    json_t *result, *controls = json_array();
    unsigned count = 1;

    for (unsigned i = 0; i < BENCH_CONTROLS_MAX; i++)
        if (bench_case->controls[i].run)
            subjects[count++] = &bench_case->controls[i];
    for (unsigned s = 0; s < count; s++) {
        samples[s].count = repeats;
        bench_time(bench, subjects[s], bench_case->unit, &samples[s], 0);
    }
    for (unsigned i = 0; i < repeats; i++)
        for (unsigned s = 0; s < count; s++)
            bench_time(bench, subjects[s], bench_case->unit, &samples[s], i);
    for (unsigned s = 1; s < count; s++)
        json_array_append_new(
            controls, bench_control_object(bench_case, subjects[s], &samples[0], &samples[s]));
    result = bench_samples_object(bench_case->name, &samples[0]);
    json_object_set_new(result, "unit", json_string(bench_case->unit));
    json_object_set_new(result, "repeats", json_integer(repeats));
    json_object_set_new(result, "controls", controls);
    bench_set_target(result, "figure", bench_case->target, bench_is_rate(bench_case->unit));
    json_array_append_new(bench->results, result);
}

void bench_value(struct bench *bench, const char *name, const char *unit, double figure,
                 double target, bool at_least)
{
    json_t *result = json_pack("{s:s, s:f, s:s, s:[]}", "name", name, "figure", figure, "unit",
                               unit, "controls");

    bench_set_target(result, "figure", target, at_least);
    json_array_append_new(bench->results, result);
}

void bench_note(struct bench *bench, const char *format, ...)
{
    char text[500];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_array_append_new(bench->notes, json_string(text));
}

int bench_end(struct bench *bench)
{
    bool failed = bench->failed;

    failed |= json_dumpf(bench->object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0;
    failed |= putchar('\n') == EOF || fflush(stdout) != 0;
    json_decref(bench->results);
    json_decref(bench->notes);
    json_decref(bench->object);
    free(bench);
    return failed ? 1 : 0;
}
