/* SPDX-License-Identifier: MIT */
/* What the kernel's log has of a run with faults, as gfe inject prints it. */
#include <config.h>

#include "emu/program/cmd_inject.h"

#include <inttypes.h>
#include <string.h>

#include "emu/base/json_text.h"

static void lines_take(struct inject_lines *lines, const struct event_log_reader *log,
                       const struct log_event *event)
{
    const struct event_line_row *row = gfe_event_lines;
    char text[EVENT_LINE_BYTES];

    while ((row = event_line(row, log, event, text, sizeof text))) {
        if (lines->count < INJECT_LINES_KEPT) {
            lines->line[lines->count].time_ps = event->time_ps;
            memcpy(lines->line[lines->count].text, text, sizeof text);
        }
        lines->count++;
        row++;
    }
}

bool inject_lines_make(struct inject_lines *lines, struct event_log_reader *log,
                       struct gfe_error *error)
{
    struct log_event event;
    enum event_log_result result;

    while ((result = event_log_read(log, &event, error)) == EVENT_LOG_GOT)
        lines_take(lines, log, &event);
    return result == EVENT_LOG_AT_END;
}

void inject_lines_print(FILE *file, const struct inject_lines *lines)
{
    for (uint64_t i = 0; i < lines->count && i < INJECT_LINES_KEPT; i++) {
        const uint64_t us = lines->line[i].time_ps / GFE_PS_PER_US;

        fprintf(file, "%s[%5" PRIu64 ".%06" PRIu64 "] %s\n", i == 0 ? "kernel     " : "           ",
                us / 1000000, us % 1000000, lines->line[i].text);
    }
    if (lines->count > INJECT_LINES_KEPT)
        fprintf(file, "           and %" PRIu64 " more\n", lines->count - INJECT_LINES_KEPT);
}

json_t *inject_lines_json(const struct inject_lines *lines)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < lines->count && i < INJECT_LINES_KEPT; i++)
        list = json_text_append(list,
                                json_pack("{sI,ss}", "time_ps", (json_int_t)lines->line[i].time_ps,
                                          "text", lines->line[i].text));
    return list;
}
