/* SPDX-License-Identifier: MIT */
/* The view of queues as text. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "emu/analysis/inspect_queues.h"
#include "emu/analysis/inspect_queues_private.h"
#include "emu/base/text.h"

static const json_t *list_of(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static long long number_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static bool is_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static void print_rule(FILE *file, const json_t *who)
{
    const char *rule = text_of(who, "rule");

    if (rule[0])
        fprintf(file, " (%s)", rule);
}

static size_t width_of(const json_t *list, size_t width)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const size_t length = strlen(text_of(json_array_get(list, i), "name"));

        width = length > width ? length : width;
    }
    return width;
}

static void print_blocks(FILE *file, const json_t *kernel)
{
    fprintf(file, "%lld of %lld blocks assigned", number_of(kernel, "blocks_assigned"),
            number_of(kernel, "block_count"));
}

static void print_stream(FILE *file, const json_t *stream, int width)
{
    const json_t *queue = list_of(stream, "queue"), *tasks = list_of(stream, "tasks");
    const json_t *channel = json_object_get(stream, "channel");

    fprintf(file, "  stream %lld", number_of(stream, "stream"));
    for (size_t i = 0; i < json_array_size(tasks); i++)
        fprintf(file, "%s %s", i ? "," : " of", json_string_value(json_array_get(tasks, i)));
    fprintf(file, "; process %lld, %s, priority %lld; ", number_of(stream, "process"),
            text_of(stream, "kind"), number_of(stream, "priority"));
    if (json_is_integer(channel))
        fprintf(file, "holds channel %lld\n", (long long)json_integer_value(channel));
    else
        fprintf(file, "%s\n",
                is_true(stream, "waits_for_channel") ? "waits for a channel" : "holds no channel");
    for (size_t i = 0; i < json_array_size(queue); i++) {
        const json_t *operation = json_array_get(queue, i);

        fprintf(file, "    %-*s  %s", width, text_of(operation, "name"),
                text_of(operation, "state"));
        if (json_object_get(operation, "block_count") &&
            strcmp(text_of(operation, "state"), "fully dispatched") != 0) {
            fputs(", ", file);
            print_blocks(file, operation);
        }
        print_rule(file, operation);
        fputc('\n', file);
    }
}

static void print_ee_queue(FILE *file, const json_t *queue, int width)
{
    const json_t *kernels = list_of(queue, "kernels"), *process = json_object_get(queue, "process");

    fputs(is_true(queue, "mps") ? "  clients of MPS, " : "  ", file);
    if (json_is_integer(process))
        fprintf(file, "process %lld, ", (long long)json_integer_value(process));
    fprintf(file, "priority %lld%s\n", number_of(queue, "priority"),
            json_array_size(kernels) == 0 ? ": empty" : "");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i);

        fprintf(file, "    %-*s  ", width, text_of(kernel, "name"));
        print_blocks(file, kernel);
        fputs(is_true(kernel, "suspended") ? ", suspended" : "", file);
        print_rule(file, kernel);
        fputc('\n', file);
    }
}

static void print_copies(FILE *file, const char *what, const json_t *copies)
{
    fprintf(file, "    %-8s", what);
    for (size_t i = 0; i < json_array_size(copies); i++) {
        fprintf(file, "%s%s", i ? ", " : "", text_of(json_array_get(copies, i), "name"));
        print_rule(file, json_array_get(copies, i));
    }
    fputs(json_array_size(copies) == 0 ? "-\n" : "\n", file);
}

static void print_sm(FILE *file, const json_t *sm)
{
    const json_t *kernels = list_of(sm, "kernels");

    if (*text_of(sm, "name"))
        fprintf(file, "  %s:", text_of(sm, "name"));
    else
        fprintf(file, "  SM %lld:", number_of(sm, "sm"));
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i), *blocks = list_of(kernel, "blocks");

        fprintf(file, "%s %s, block%s", i ? ";" : "", text_of(kernel, "name"),
                json_array_size(blocks) == 1 ? "" : "s");
        for (size_t b = 0; b < json_array_size(blocks); b++)
            fprintf(file, " %lld", (long long)json_integer_value(json_array_get(blocks, b)));
    }
    fputs(json_array_size(kernels) == 0 ? " empty\n" : "\n", file);
}

/* The width of the column of names. */
static int names_width(const json_t *view)
{
    static const char *const lists[][2] = {{"streams", "queue"}, {"ee_queues", "kernels"}};
    size_t width = 0;

    for (size_t l = 0; l < 2; l++) {
        const json_t *list = list_of(view, lists[l][0]);

        for (size_t i = 0; i < json_array_size(list); i++)
            width = width_of(list_of(json_array_get(list, i), lists[l][1]), width);
    }
    return (int)width;
}

static void print_ee_queues(FILE *file, const json_t *queues, int width)
{
    fputs("\nEE queues: kernels that are not fully dispatched, the head first\n", file);
    for (size_t i = 0; i < json_array_size(queues); i++)
        print_ee_queue(file, json_array_get(queues, i), width);
    if (json_array_size(queues) == 0)
        fputs("  empty\n", file);
}

void queues_print(FILE *file, const json_t *view)
{
    const json_t *streams = list_of(view, "streams"), *queues = list_of(view, "ee_queues");
    const json_t *engines = list_of(view, "copy_engines"), *sms = list_of(view, "sms");
    const bool is_amd = json_object_get(view, "queues") != NULL;
    const int width = names_width(view);
    char when[48];

    fprintf(file, "%s on %s\n",
            text_time_exact(when, sizeof when, (gfe_ps)number_of(view, "time_ps"), 1),
            text_of(view, "gpu"));
    if (json_array_size(streams) > 0)
        fputs("\nStreams, the head of each queue first\n", file);
    for (size_t i = 0; i < json_array_size(streams); i++)
        print_stream(file, json_array_get(streams, i), width);
    if (is_amd)
        queues_amd_print(file, view);
    else
        print_ee_queues(file, queues, width);
    fputs(is_amd ? "\nSDMA engines\n" : "\nCopy engines\n", file);
    for (size_t i = 0; i < json_array_size(engines); i++) {
        fprintf(file, "  %s\n", text_of(json_array_get(engines, i), "engine"));
        print_copies(file, "runs", list_of(json_array_get(engines, i), "runs"));
        print_copies(file, "queue", list_of(json_array_get(engines, i), "queue"));
    }
    if (json_array_size(engines) == 0)
        fputs("  none had a copy yet\n", file);
    fputs(is_amd ? "\nCUs\n" : "\nSMs\n", file);
    for (size_t i = 0; i < json_array_size(sms); i++)
        print_sm(file, json_array_get(sms, i));
    if (json_array_size(sms) == 0)
        fputs("  none had a block yet\n", file);
}
