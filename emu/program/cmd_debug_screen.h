/* SPDX-License-Identifier: MIT */
/*
 * The parts of gfe debug's screen: cmd_debug_screen.c reads keys and carries out commands,
 * cmd_debug_panes.c says what stands where, cmd_debug_draw.c draws it.  Private to them.
 */
#ifndef GFE_EMU_CMD_DEBUG_SCREEN_H
#define GFE_EMU_CMD_DEBUG_SCREEN_H

#include <stddef.h>
#include <stdint.h>

#include "emu/debug/debug_command.h"
#include "emu/program/line_edit.h"

enum screen_pane {
    PANE_TIME,   /* what ran lately */
    PANE_EVENTS, /* around the present; one is under the cursor */
    PANE_STREAM, /* where PBDMAs are in their streams, or slots in their rings */
    PANE_QUEUES, /* queues and runlists */
    PANE_UNIT,   /* registers of a unit */
    PANE_MEMORY,
    PANE_RULE, /* that decided last, and what waits */
    PANE_CONSOLE,
    PANES,
};

enum {
    SCREEN_BEFORE = 200, /* events around the present */
    SCREEN_BEHIND = 60,
    SCREEN_ROWS = SCREEN_BEFORE + SCREEN_BEHIND,
    SCREEN_TITLE_BYTES = 120,
};

/* ---- contents (cmd_debug_panes.c) ------------------------------------------------------------ */

/* What panes are to show. */
struct screen_view {
    struct debug *debug;
    uint32_t unit;  /* index of debug_register_unit() */
    char place[96]; /* in memory; "": where a PBDMA reads next */
    gfe_ps span_ps; /* of the time line; 0: some hundred events */
    bool ascii;
    struct debug_row rows[SCREEN_ROWS]; /* of the events */
    uint32_t row_count, before_count;   /* `before_count` of them lie before the present */
};

/* Events around the present. */
void screen_rows_take(struct screen_view *view);
void screen_pane_title(const struct screen_view *view, enum screen_pane pane,
                       char title[SCREEN_TITLE_BYTES]);
/* The pane's text for so many rows and columns, lines that end with a newline; the caller's.  NULL:
 * no memory. */
char *screen_pane_text(const struct screen_view *view, enum screen_pane pane, int rows,
                       int columns);

/* Where panes are: `rows` 0 for those that have no room. */
struct screen_box {
    int row, column, rows, columns;
};
/* Of a screen of that size; `focus` has room if any has, `zoomed`: alone. */
void screen_layout(int rows, int columns, enum screen_pane focus, bool zoomed,
                   struct screen_box boxes[PANES]);

/* ---- a screen -------------------------------------------------------------------------------- */

struct screen {
    struct debug_shell *shell;
    struct line_edit edit;
    struct screen_view view;
    bool follows_unit; /* the unit pane shows whose the event under the cursor is */
    int cursor;        /* in the events: lines from the present, which is 0 */
    enum screen_pane focus;
    bool zoomed;
    int scroll[PANES]; /* lines; of the console from its end */
    int aside[PANES];  /* columns */
    char *texts[PANES];
    struct screen_box drawn[PANES]; /* for which the texts were made */
    char *console;                  /* what commands have said, the newest */
    size_t console_used;
};

/* cmd_debug_draw.c: everything, with the terminal's cursor in the line that is typed. */
void screen_draw(struct screen *screen);
/* The run has moved, or panes are to show something else. */
void screen_is_stale(struct screen *screen);
/* The event under the cursor; NULL: it is the present. */
const struct debug_row *screen_event(const struct screen *screen);

#endif
