/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_live.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"

enum { TIME_BYTES = 48, LINES_SHOWN = 10, JSON_TEXT_MAX = 65536 };

static gfe_ps ps_of_ns(uint64_t ns)
{
    return clock_times(ns, GFE_PS_PER_NS);
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void print_fault(FILE *file, const struct live_report *report, uint32_t index)
{
    const struct live_fault *fault = &report->faulty->faults[index];
    char time[TIME_BYTES];

    fprintf(file, "fault      %s\n", report->faults[index]);
    if (fault->acted == 0) {
        fprintf(file, "           not activated%s\n",
                fault->was_futile ? ": changed nothing, it was so already" : "");
        return;
    }
    fprintf(file, "           acted first at %s", text_time(time, sizeof time, fault->first_ps));
    if (fault->acted > 1)
        fprintf(file, ", %" PRIu64 " times in all", fault->acted);
    if (report->subjects[index])
        fprintf(file, ", %s %" PRIu64, report->subjects[index], fault->subject);
    if (report->changes[index])
        fprintf(file, ": 0x%" PRIx64 " -> 0x%" PRIx64, fault->old_value, fault->new_value);
    fputc('\n', file);
}

static void print_ending(FILE *file, const struct live_observation *run)
{
    char time[TIME_BYTES];

    if (run->timed_out)
        fputs("did not end, and was killed", file);
    else if (run->was_killed)
        fprintf(file, "signal %d (%s)", run->status, strsignal(run->status));
    else
        fprintf(file, "exit status %d", run->status);
    fprintf(file, " after %s", text_time(time, sizeof time, ps_of_ns(run->took_ns)));
}

static void print_lines(FILE *file, const struct live_observation *run)
{
    for (uint32_t i = 0; i < run->line_count && i < LIVE_LINES_KEPT; i++) {
        const uint64_t us = run->lines[i].time_ps / GFE_PS_PER_US;

        fprintf(file, "%s[%5" PRIu64 ".%06" PRIu64 "] %s\n", i == 0 ? "kernel     " : "           ",
                us / 1000000, us % 1000000, run->lines[i].text);
    }
    if (run->line_count > LIVE_LINES_KEPT)
        fprintf(file, "           and %" PRIu64 " lines more\n", run->line_count - LIVE_LINES_KEPT);
}

static void print_line(FILE *file, const char *what, const char *text, size_t bytes)
{
    fprintf(file, "%-10s | ", what);
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)text[i];

        fputc(byte >= ' ' && byte != 0x7f ? byte : byte == '\t' ? ' ' : '?', file);
    }
    fputc('\n', file);
}

/* The first and the last lines, each behind the same words. */
static void print_text(FILE *file, const char *what, const char *text, size_t bytes)
{
    unsigned count = 0, line = 0;

    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '\n' || i + 1 == bytes;
    for (size_t from = 0; from < bytes; line++) {
        const char *end = memchr(text + from, '\n', bytes - from);
        const size_t length = end ? (size_t)(end - text) - from : bytes - from;

        if (line < LINES_SHOWN || line + LINES_SHOWN >= count)
            print_line(file, what, text + from, length);
        else if (line == LINES_SHOWN)
            fprintf(file, "%-10s ... %u lines more\n", what, count - 2 * LINES_SHOWN);
        from += length + 1;
    }
}

static void print_detected(FILE *file, const struct live_observation *run)
{
    if (run->exception_count > 0)
        fprintf(file, "told       the program, of %" PRIu64 " exceptions\n", run->exception_count);
    if (run->refused_count > 0)
        fprintf(file, "refused    %" PRIu64 " calls of the program, the first with %s\n",
                run->refused_count, strerror(run->refused_errno));
}

static void print_compared(FILE *file, const struct live_compared *compared)
{
    if (compared->length_varies) {
        fputs("\noutput     not compared: the number of its lines differs between runs without the "
              "fault\n",
              file);
        return;
    }
    fprintf(file, "\noutput     %s",
            compared->differs ? "differs from that without the fault" : "is as without the fault");
    if (compared->varying_lines > 0)
        fprintf(file,
                ", but for %" PRIu64 " of %" PRIu64
                " lines, not compared because they differ between runs without it",
                compared->varying_lines, compared->lines);
    fputc('\n', file);
}

void live_print(FILE *file, const struct live_report *report)
{
    const struct live_outcome *outcome = report->outcome;
    char who[32];

    for (uint32_t i = 0; i < report->fault_count; i++)
        print_fault(file, report, i);
    fprintf(file, "outcome    %s", outcome_class_name(outcome->outcome));
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (c != (uint32_t)outcome->outcome && outcome->classes[c])
            fprintf(file, ", also %s", outcome_class_name((enum outcome_class)c));
    if (outcome->classes[OUTCOME_COLLATERAL]) {
        outcome_who(outcome->victim, who, sizeof who);
        fprintf(file, "\naffected   %s, whose the fault is not", who);
    }
    if (outcome->detected_by)
        fprintf(file, "\ndetected   by %s", outcome->detected_by);
    fputs("\nprogram    ", file);
    print_ending(file, report->faulty);
    fputs("; without the fault ", file);
    print_ending(file, report->golden);
    print_compared(file, &outcome->compared);
    fprintf(file,
            "GPU        %s: %" PRIu64 " kernels begun, %" PRIu64
            " signals or fences; without the fault %" PRIu64 " and %" PRIu64 "\n",
            report->gpu, report->faulty->launch_count, report->faulty->signal_count,
            report->golden->launch_count, report->golden->signal_count);
    print_detected(file, report->faulty);
    print_lines(file, report->faulty);
    if (report->left_count > 0)
        fprintf(file, "left       %u processes that the program had started, killed\n",
                report->left_count);
    print_text(file, "stdout", report->output, report->output_bytes);
    print_text(file, "stderr", report->errors, report->error_bytes);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static json_t *run_json(const struct live_observation *run)
{
    json_t *lines = json_array();

    for (uint32_t i = 0; i < run->line_count && i < LIVE_LINES_KEPT; i++)
        lines = json_text_append(lines,
                                 json_pack("{sI,ss}", "time_ps", (json_int_t)run->lines[i].time_ps,
                                           "text", run->lines[i].text));
    return json_pack("{sb,so,so,sI,sI,sI,sI,sI,si,so}", "timed_out", run->timed_out, "exit_status",
                     run->was_killed ? json_null() : json_integer(run->status), "signal",
                     run->was_killed ? json_integer(run->status) : json_null(), "took_ps",
                     (json_int_t)ps_of_ns(run->took_ns), "kernels", (json_int_t)run->launch_count,
                     "signals", (json_int_t)run->signal_count, "exceptions",
                     (json_int_t)run->exception_count, "calls_refused",
                     (json_int_t)run->refused_count, "processes", (int)run->process_count,
                     "kernel_log", lines);
}

/* The end of a text; bytes that are no text become '?'. */
static json_t *text_json(const char *text, size_t bytes)
{
    const size_t from = bytes > JSON_TEXT_MAX ? bytes - JSON_TEXT_MAX : 0;
    char room[JSON_TEXT_MAX];

    for (size_t i = from; i < bytes; i++) {
        const unsigned char byte = (unsigned char)text[i];

        room[i - from] =
            byte < 0x80 && (byte >= ' ' || byte == '\n' || byte == '\t') ? (char)byte : '?';
    }
    return json_stringn(room, bytes - from);
}

static json_t *faults_json(const struct live_report *report)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < report->fault_count; i++) {
        const struct live_fault *fault = &report->faulty->faults[i];

        list = json_text_append(
            list,
            json_pack("{ss,sb,sb,sI,so,sI,sI,sI}", "fault", report->faults[i], "acted",
                      fault->acted > 0, "changed_nothing", fault->acted == 0 && fault->was_futile,
                      "acts", (json_int_t)fault->acted, "first_ps",
                      fault->acted > 0 ? json_integer((json_int_t)fault->first_ps) : json_null(),
                      "subject", (json_int_t)fault->subject, "old_value",
                      (json_int_t)fault->old_value, "new_value", (json_int_t)fault->new_value));
    }
    return list;
}

bool live_print_json(FILE *file, const struct live_report *report)
{
    const struct live_compared *compared = &report->outcome->compared;
    json_t *classes = json_array(), *json;
    char who[32];
    bool done;

    outcome_who(report->outcome->victim, who, sizeof who);
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (report->outcome->classes[c])
            classes =
                json_text_append(classes, json_string(outcome_class_name((enum outcome_class)c)));
    json = json_text_pack(
        "{ss,ss,so,ss,so,ss?,ss?,sb,sI,sI,sb,sb,so,so,so,so,si}", "program", report->program, "gpu",
        report->gpu, "faults", faults_json(report), "outcome",
        outcome_class_name(report->outcome->outcome), "classes", classes, "affected",
        report->outcome->classes[OUTCOME_COLLATERAL] ? who : NULL, "detected_by",
        report->outcome->detected_by, "output_differs", report->outcome->other_output,
        "lines_compared", (json_int_t)(compared->lines - compared->varying_lines),
        "lines_not_compared", (json_int_t)compared->varying_lines, "output_length_varies",
        compared->length_varies, "status_differs", report->outcome->other_status, "without",
        run_json(report->golden), "with", run_json(report->faulty), "stdout",
        text_json(report->output, report->output_bytes), "stderr",
        text_json(report->errors, report->error_bytes), "processes_left", (int)report->left_count);
    done = json_text_print(file, json);
    json_decref(json);
    return done;
}
