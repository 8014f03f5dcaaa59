/* SPDX-License-Identifier: MIT */
/*
 * The parts of gfe debug's screen: cmd_debug_screen.c reads keys and carries out commands,
 * cmd_debug_panes.c makes the panes' contents and layout, cmd_debug_draw.c draws them.  Private to
 * them.
 */
#ifndef GFE_EMU_PROGRAM_CMD_DEBUG_SCREEN_H
#define GFE_EMU_PROGRAM_CMD_DEBUG_SCREEN_H

#include <stddef.h>
#include <stdint.h>

#include "emu/debug/debug_command.h"
#include "emu/program/line_edit.h"

enum screen_pane {
    PANE_TIME,   /* a time line of recent work */
    PANE_EVENTS, /* events around the present; one is under the cursor */
    PANE_STREAM, /* the places of PBDMAs in their streams, or of slots in their rings */
    PANE_QUEUES, /* queues and runlists */
    PANE_UNIT,   /* registers of a unit */
    PANE_MEMORY,
    PANE_RULE, /* the rule that decided last, and the present waits */
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

/* The settings of the panes' contents. */
struct screen_view {
    struct debug *debug;
    uint32_t unit;  /* index of debug_register_unit() */
    char place[96]; /* in memory; "": the place that a PBDMA reads next */
    gfe_ps span_ps; /* of the time line; 0: some hundred events */
    bool ascii;
    struct debug_row rows[SCREEN_ROWS]; /* of the events */
    uint32_t row_count, before_count;   /* `before_count` of them lie before the present */
};

/* Takes the events around the present into the view. */
void screen_rows_take(struct screen_view *view);
void screen_pane_title(const struct screen_view *view, enum screen_pane pane,
                       char title[SCREEN_TITLE_BYTES]);
/* Returns the pane's text for that number of rows and columns, as lines that end with a newline.
 * The caller frees it.  Returns NULL if memory is short. */
char *screen_pane_text(const struct screen_view *view, enum screen_pane pane, int rows,
                       int columns);

/* The place of a pane; `rows` is 0 for a pane that has no room. */
struct screen_box {
    int row, column, rows, columns;
};
/* Computes the layout of a screen of that size.  `focus` is the last pane to lose its room; if
 * `zoomed`, it is shown alone. */
void screen_layout(int rows, int columns, enum screen_pane focus, bool zoomed,
                   struct screen_box boxes[PANES]);

/* ---- a screen -------------------------------------------------------------------------------- */

struct screen {
    struct debug_shell *shell;
    struct line_edit edit;
    struct screen_view view;
    bool follows_unit; /* the unit pane shows the unit of the event under the cursor */
    int cursor;        /* in the events: lines from the present, which is 0 */
    enum screen_pane focus;
    bool zoomed;
    int scroll[PANES]; /* lines; of the console from its end */
    int aside[PANES];  /* columns */
    char *texts[PANES];
    struct screen_box drawn[PANES]; /* the boxes that the texts were made for */
    char *console;                  /* the newest output of commands */
    size_t console_used;
};

/* cmd_debug_draw.c: draws the whole screen, with the terminal's cursor in the line that is typed.
 */
void screen_draw(struct screen *screen);
/* Notes that the run has moved, or that the panes' settings have changed. */
void screen_is_stale(struct screen *screen);
/* Returns the event under the cursor; NULL means that the cursor is at the present. */
const struct debug_row *screen_event(const struct screen *screen);

#endif
