/* SPDX-License-Identifier: MIT */
/* What stands in the panes of gfe debug's screen, and where they are: no terminal yet. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/program/cmd_debug_screen.h"
#include "emu/base/text_stream.h"

enum {
    WIDE = 100,    /* columns from which on there are two columns of panes */
    PANE_ROWS = 5, /* at least, with the title */
    TIME_ROWS = 7,
    CONSOLE_ROWS = 4,
    DWORDS_OF_ROW = 4, /* as debug_dump() prints them */
};

void screen_pane_title(const struct screen_view *view, enum screen_pane pane,
                       char title[SCREEN_TITLE_BYTES])
{
    // clang-format off
    static const char *const titles[PANES] = {"time line", "events", "stream",
                                              "queues and runlists", "unit", "memory",
                                              "what waits, and the last rule", "commands"};
    // clang-format on
    char name[80];

    (void)snprintf(title, SCREEN_TITLE_BYTES, "%s", titles[pane]);
    if (pane == PANE_TIME && view->span_ps > 0)
        (void)snprintf(title, SCREEN_TITLE_BYTES,
                       "time line: the last %" PRIu64 ".%03" PRIu64 " us",
                       view->span_ps / GFE_PS_PER_US, view->span_ps % GFE_PS_PER_US / 1000);
    if (pane == PANE_UNIT) {
        debug_register_unit(view->debug, view->unit, name, sizeof name);
        (void)snprintf(title, SCREEN_TITLE_BYTES, "unit %s (%" PRIu32 " of %" PRIu32 ")", name,
                       view->unit + 1, debug_register_units(view->debug));
    }
    if (pane == PANE_MEMORY && view->place[0] != '\0')
        (void)snprintf(title, SCREEN_TITLE_BYTES, "memory: x %s", view->place);
}

/* ---- texts ----------------------------------------------------------------------------------- */

void screen_rows_take(struct screen_view *view)
{
    struct gfe_error error = {0};
    const uint64_t count = debug_event_count(view->debug);

    view->before_count = 0;
    if (!debug_around(view->debug, SCREEN_BEFORE, SCREEN_BEHIND, view->rows, &view->row_count,
                      &error))
        view->row_count = 0;
    while (view->before_count < view->row_count && view->rows[view->before_count].number <= count)
        view->before_count++;
}

static void row_print(FILE *file, const struct debug_row *row)
{
    fprintf(file, "  %s\n", row->text);
}

static bool text_events(const struct screen_view *view, FILE *file)
{
    const gfe_ps now = debug_now_ps(view->debug);

    for (uint32_t i = 0; i < view->before_count; i++)
        row_print(file, &view->rows[i]);
    fprintf(file, "> step %" PRIu64 ", %" PRIu64 ".%06" PRIu64 " us%s\n",
            debug_position(view->debug), now / GFE_PS_PER_US, now % GFE_PS_PER_US,
            debug_at_end(view->debug) ? ", the end" : "");
    for (uint32_t i = view->before_count; i < view->row_count; i++)
        row_print(file, &view->rows[i]);
    return true;
}

static bool text_time(const struct screen_view *view, int columns, FILE *file,
                      struct gfe_error *error)
{
    const struct debug_chart chart = {(uint32_t)columns, view->ascii, view->span_ps};

    if (debug_event_count(view->debug) == 0) {
        fputs("nothing has happened yet: step, continue, or goto a time\n", file);
        return true;
    }
    return debug_chart(view->debug, &chart, file, error);
}

static bool text_unit(const struct screen_view *view, FILE *file, struct gfe_error *error)
{
    char words[120] = "regs ";

    debug_register_unit(view->debug, view->unit, words + 5, sizeof words - 5);
    return debug_view(view->debug, words, file, error);
}

static bool text_queues(const struct screen_view *view, FILE *file, struct gfe_error *error)
{
    if (!debug_who(view->debug, file, error))
        return false;
    if (debug_is_amd(view->debug))
        return true;
    fputs("\nTSGs, in the order of their runlists\n", file);
    if (!debug_view(view->debug, "tsgs", file, error))
        return false;
    fputs("\nChannels\n", file);
    return debug_view(view->debug, "channels", file, error);
}

static bool text_memory(const struct screen_view *view, int rows, FILE *file,
                        struct gfe_error *error)
{
    char words[120];
    size_t used;

    (void)snprintf(words, sizeof words, "%s", view->place);
    if (words[0] == '\0' && !debug_stream_place(view->debug, words, sizeof words)) {
        fputs("x PLACE shows memory here\n", file);
        return true;
    }
    if (view->place[0] == '\0')
        fprintf(file, "%s, where a PBDMA reads next\n", words);
    used = strlen(words);
    if (!strchr(words, ' '))
        (void)snprintf(words + used, sizeof words - used, " %d", DWORDS_OF_ROW * rows);
    return debug_dump(view->debug, words, file, error);
}

static bool text_rule(const struct screen_view *view, FILE *file, struct gfe_error *error)
{
    return debug_why_waits(view->debug, file, error) && fputs("\nLast rule: ", file) != EOF &&
           debug_last_rule(view->debug, file, error);
}

static bool text_print(const struct screen_view *view, enum screen_pane pane, int rows, int columns,
                       FILE *file, struct gfe_error *error)
{
    switch (pane) {
    case PANE_TIME:
        return text_time(view, columns, file, error);
    case PANE_EVENTS:
        return text_events(view, file);
    case PANE_STREAM:
        return debug_where(view->debug, (uint32_t)(rows > 4 ? rows / 2 - 1 : 1), file, error);
    case PANE_QUEUES:
        return text_queues(view, file, error);
    case PANE_UNIT:
        return text_unit(view, file, error);
    case PANE_MEMORY:
        return text_memory(view, rows, file, error);
    case PANE_RULE:
        return text_rule(view, file, error);
    default:
        return true;
    }
}

char *screen_pane_text(const struct screen_view *view, enum screen_pane pane, int rows, int columns)
{
    struct gfe_error error = {0};
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    if (file && !text_print(view, pane, rows, columns, file, &error))
        fprintf(file, "%s\n", error.text);
    return text_stream_close(&stream, file);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Panes one below the other, each with its part of the rows. */
static void layout_column(struct screen_box box, const enum screen_pane *panes, int count,
                          struct screen_box boxes[PANES])
{
    for (int i = 0; i < count; i++) {
        const int from = box.rows * i / count, to = box.rows * (i + 1) / count;

        boxes[panes[i]] = (struct screen_box){box.row + from, box.column, to - from, box.columns};
    }
}

/* As many as there is room for: the one with the focus is among them. */
static void layout_narrow(struct screen_box box, enum screen_pane focus,
                          struct screen_box boxes[PANES])
{
    enum screen_pane panes[PANES];
    const int most = box.rows / PANE_ROWS;
    int count = 0;

    for (int i = 0; i < PANE_CONSOLE && count < most; i++)
        if ((int)focus <= i || focus == PANE_CONSOLE || count + 1 < most)
            panes[count++] = (enum screen_pane)i;
    layout_column(box, panes, count, boxes);
}

void screen_layout(int rows, int columns, enum screen_pane focus, bool zoomed,
                   struct screen_box boxes[PANES])
{
    static const enum screen_pane left[] = {PANE_EVENTS, PANE_STREAM, PANE_QUEUES},
                                  right[] = {PANE_UNIT, PANE_MEMORY, PANE_RULE};
    const int whole = rows - 2; /* between the status and the line that is typed */
    const int console = whole / 4 > CONSOLE_ROWS ? whole / 4 : CONSOLE_ROWS;
    const int panes = whole - console, half = columns / 2;
    const int time = panes / 3 > TIME_ROWS ? panes / 3 : TIME_ROWS;

    memset(boxes, 0, PANES * sizeof boxes[0]);
    if (zoomed || panes < PANE_ROWS) {
        boxes[focus] = (struct screen_box){1, 0, whole, columns};
        return;
    }
    boxes[PANE_CONSOLE] = (struct screen_box){1 + panes, 0, console, columns};
    if (columns < WIDE || panes < time + 3 * PANE_ROWS) {
        layout_narrow((struct screen_box){1, 0, panes, columns}, focus, boxes);
        return;
    }
    boxes[PANE_TIME] = (struct screen_box){1, 0, time, columns};
    layout_column((struct screen_box){1 + time, 0, panes - time, half}, left, 3, boxes);
    layout_column((struct screen_box){1 + time, half, panes - time, columns - half}, right, 3,
                  boxes);
}
