/* SPDX-License-Identifier: MIT */
/* gfe debug's screen, drawn with ncurses: panes as boxes of lines, the status, the line that is
 * typed. */
#include <config.h>

#include "emu/program/cmd_debug_screen.h"

#include <inttypes.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prompt[] = "(gfe) ";

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_first_byte(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* The bytes that fill so many columns; each character fills one. */
static int bytes_of_columns(const char *text, int length, int columns)
{
    int at = 0;

    while (at < length && (columns > 0 || !is_first_byte(text[at])))
        columns -= is_first_byte(text[at++]);
    return at;
}

/* How far a row of the screen reaches in a text that is wrapped, behind a word if there is one, or
 * not; the next one begins at *next. */
static int row_bytes(const char *text, int columns, bool wraps, int *next)
{
    const int length = (int)strcspn(text, "\n");
    const int shown = bytes_of_columns(text, length, columns);
    int word = shown;

    *next = length + (text[length] != '\0');
    if (!wraps || shown >= length || shown == 0)
        return shown;
    while (word > 0 && text[word] != ' ')
        word--;
    if (word <= (int)strspn(text, " ")) { /* one word only */
        *next = shown;
        return shown;
    }
    *next = word + 1;
    return word;
}

static int rows_of(const char *text, int columns, bool wraps)
{
    int count = 0, next;

    for (; *text; text += next, count++)
        (void)row_bytes(text, columns, wraps, &next);
    return count;
}

/* Rows of a pane: from which on, how far aside, which of them is under the cursor. */
struct rows_shown {
    int from, aside, cursor;
    bool wraps;
};

/* What goes on at the right ends in a mark.  Returns whether anything does. */
static bool draw_rows(const struct screen_box *box, const char *text,
                      const struct rows_shown *shown)
{
    const int columns = box->columns - 1;
    bool is_wide = false;
    int next;

    for (int i = 0; i < shown->from && *text; i++) {
        (void)row_bytes(text, columns, shown->wraps, &next);
        text += next;
    }
    for (int row = 1; row < box->rows && *text; row++, text += next) {
        const int length = (int)strcspn(text, "\n");
        const int aside = bytes_of_columns(text, length, shown->aside);
        const bool is_now = text[0] == '>' || strncmp(text, "    =>", 6) == 0 ||
                            strncmp(text, prompt, strlen(prompt)) == 0;
        const int bytes = row_bytes(text + aside, columns, shown->wraps, &next);

        (void)attrset(shown->from + row - 1 == shown->cursor ? A_REVERSE
                      : is_now                               ? A_BOLD
                                                             : A_NORMAL);
        (void)mvaddnstr(box->row + row, box->column, text + aside, bytes);
        if (!shown->wraps && aside + bytes < length) {
            (void)attrset(A_BOLD);
            (void)mvaddch(box->row + row, box->column + columns, '>');
            is_wide = true;
        }
        next += aside;
    }
    (void)attrset(A_NORMAL);
    return is_wide;
}

/* ---- panes ----------------------------------------------------------------------------------- */

/* Lines that a pane does not show, and whether shown ones go on at the right. */
struct rows_cut {
    int above, below;
    bool is_wide;
};

enum { CUT_BYTES = 100 };

static void cut_add(char to[CUT_BYTES], const char *words)
{
    const size_t used = strlen(to);

    (void)snprintf(to + used, CUT_BYTES - used, "%s", words);
}

/* " (12 lines below: PgDn, F5)": what is cut, and the keys that show it. */
static void cut_words(const struct screen *screen, enum screen_pane pane,
                      const struct rows_cut *cut, char to[CUT_BYTES])
{
    const bool is_focus = pane == screen->focus;
    char lines[40];

    to[0] = '\0';
    if (cut->above == 0 && cut->below == 0 && !(cut->is_wide && is_focus))
        return;
    cut_add(to, " (");
    if (cut->above > 0) {
        (void)snprintf(lines, sizeof lines, "%d above%s", cut->above, cut->below > 0 ? ", " : ": ");
        cut_add(to, lines);
    }
    if (cut->below > 0) {
        (void)snprintf(lines, sizeof lines, "%d below: ", cut->below);
        cut_add(to, lines);
    }
    if (!is_focus)
        cut_add(to, "F2, ");
    if (is_focus && cut->above > 0)
        cut_add(to, "PgUp, ");
    if (is_focus && cut->below > 0)
        cut_add(to, "PgDn, ");
    if (is_focus && cut->is_wide)
        cut_add(to, "Right, ");
    cut_add(to, screen->zoomed ? "F5 back)" : "F5)");
}

static void draw_title(const struct screen *screen, enum screen_pane pane,
                       const struct screen_box *box, const struct rows_cut *cut)
{
    char title[SCREEN_TITLE_BYTES], words[CUT_BYTES];

    screen_pane_title(&screen->view, pane, title);
    cut_words(screen, pane, cut, words);
    if ((int)(strlen(title) + strlen(words)) > box->columns - 4)
        (void)snprintf(words, sizeof words, "%s", words[0] ? " ..." : "");
    (void)mvhline(box->row, box->column, ACS_HLINE, box->columns - 1);
    (void)attrset(pane == screen->focus ? A_REVERSE : A_BOLD);
    (void)mvprintw(box->row, box->column + 1, " %.*s%s ", box->columns - 4 - (int)strlen(words),
                   title, words);
    (void)attrset(A_NORMAL);
}

static int bound(int value, int least, int most)
{
    return value > most ? most : value < least ? least : value;
}

static const char *pane_text(struct screen *screen, enum screen_pane pane,
                             const struct screen_box *box)
{
    const struct screen_box *drawn = &screen->drawn[pane];

    if (pane == PANE_CONSOLE)
        return screen->console;
    if (!screen->texts[pane] || drawn->rows != box->rows || drawn->columns != box->columns) {
        free(screen->texts[pane]);
        screen->texts[pane] =
            screen_pane_text(&screen->view, pane, box->rows - 1, box->columns - 1);
        screen->drawn[pane] = *box;
    }
    return screen->texts[pane] ? screen->texts[pane] : "no memory\n";
}

static void draw_pane(struct screen *screen, enum screen_pane pane, const struct screen_box *box)
{
    struct rows_shown shown = {.cursor = -1,
                               .aside = screen->aside[pane],
                               .wraps = pane == PANE_CONSOLE || pane == PANE_RULE};
    const int rows = box->rows - 1;
    struct rows_cut cut;
    const char *text;
    int count;

    if (box->rows < 2 || box->columns < 12)
        return;
    text = pane_text(screen, pane, box);
    count = rows_of(text, box->columns - 1, shown.wraps);
    screen->scroll[pane] = bound(screen->scroll[pane], 0, count > rows ? count - rows : 0);
    shown.from = screen->scroll[pane];
    if (pane == PANE_CONSOLE)
        shown.from = (count > rows ? count - rows : 0) - screen->scroll[pane];
    if (pane == PANE_EVENTS) {
        const int under = (int)screen->view.before_count + screen->cursor;

        shown.from = bound(under - rows * 2 / 3, 0, count > rows ? count - rows : 0);
        shown.cursor = screen->cursor != 0 ? under : -1;
    }
    cut.above = shown.from;
    cut.below = count > shown.from + rows ? count - shown.from - rows : 0;
    cut.is_wide = draw_rows(box, text, &shown);
    draw_title(screen, pane, box, &cut);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void draw_status(const struct screen *screen, int columns)
{
    static const char keys[] = "F1 help  F2 next pane  F3 F4 unit  F5 zoom ";
    const struct debug *debug = screen->shell->debug;
    const gfe_ps now = debug_now_ps(debug);
    char status[200];

    (void)snprintf(status, sizeof status,
                   " gfe debug  step %" PRIu64 "  %" PRIu64 ".%06" PRIu64 " us  %" PRIu64
                   " events%s",
                   debug_position(debug), now / GFE_PS_PER_US, now % GFE_PS_PER_US,
                   debug_event_count(debug), debug_at_end(debug) ? "  the end" : "");
    (void)attrset(A_REVERSE);
    (void)mvprintw(0, 0, "%-*.*s", columns, columns, status);
    if ((int)(strlen(status) + strlen(keys)) + 2 <= columns)
        (void)mvaddstr(0, columns - (int)strlen(keys), keys);
    (void)attrset(A_NORMAL);
}

static void draw_prompt(const struct screen *screen, int row, int columns)
{
    const struct line_edit *edit = &screen->edit;
    const int room = columns - (int)sizeof prompt;
    const int from = (int)edit->cursor > room ? (int)edit->cursor - room : 0;

    (void)mvaddnstr(row, 0, prompt, columns - 1);
    if (room > 0)
        (void)addnstr(edit->text + from, room);
    (void)move(row, bound((int)sizeof prompt - 1 + (int)edit->cursor - from, 0, columns - 1));
}

const struct debug_row *screen_event(const struct screen *screen)
{
    const int at = (int)screen->view.before_count + screen->cursor;

    /* The present has a line of its own. */
    if (screen->cursor == 0)
        return NULL;
    return &screen->view.rows[screen->cursor > 0 ? at - 1 : at];
}

void screen_is_stale(struct screen *screen)
{
    for (uint32_t pane = 0; pane < PANES; pane++) {
        free(screen->texts[pane]);
        screen->texts[pane] = NULL;
    }
}

void screen_draw(struct screen *screen)
{
    struct screen_box boxes[PANES];
    const struct debug_row *event = screen_event(screen);
    const uint32_t unit = event ? event->unit : debug_unit_of_last(screen->shell->debug);

    if (screen->follows_unit && unit != UINT32_MAX && unit != screen->view.unit) {
        screen->view.unit = unit;
        free(screen->texts[PANE_UNIT]);
        screen->texts[PANE_UNIT] = NULL;
    }
    (void)erase();
    screen_layout(LINES, COLS, screen->focus, screen->zoomed, boxes);
    for (uint32_t pane = 0; pane < PANES; pane++)
        draw_pane(screen, (enum screen_pane)pane, &boxes[pane]);
    draw_status(screen, COLS);
    draw_prompt(screen, LINES - 1, COLS);
    (void)refresh();
}
