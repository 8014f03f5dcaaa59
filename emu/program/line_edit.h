/* SPDX-License-Identifier: MIT */
/*
 * The editor of one typed line: a text, a cursor, a history, completion.  It takes keys one after
 * the other, and keeps the line.  It uses no terminal: the caller reads keys and draws.
 *
 * Keys are those of readline's emacs mode and the arrows: Left, Right, Home, End, Delete,
 * Backspace, Ctrl-A, E, B, F, D, H, K, U, W; Up, Down, Ctrl-P, N (history); Tab (completion);
 * Return; Ctrl-C (drops the line); Ctrl-D on an empty line (the end); Ctrl-L (draw again).
 */
#ifndef GFE_EMU_PROGRAM_LINE_EDIT_H
#define GFE_EMU_PROGRAM_LINE_EDIT_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_EDIT_BYTES = 512, LINE_EDIT_HISTORY = 100, LINE_EDIT_WORD_BYTES = 96 };

/* Keys beyond the characters 0 to 255. */
enum line_edit_key {
    LINE_KEY_LEFT = 256,
    LINE_KEY_RIGHT,
    LINE_KEY_UP,
    LINE_KEY_DOWN,
    LINE_KEY_HOME,
    LINE_KEY_END,
    LINE_KEY_DELETE,
    LINE_KEY_OTHER, /* of no meaning here */
};

enum line_edit_result {
    LINE_EDIT_MORE,    /* the line may have changed */
    LINE_EDIT_DONE,    /* Return: `text` is the line; line_edit_next() goes on */
    LINE_EDIT_DROPPED, /* Ctrl-C: `text` is dropped; line_edit_next() goes on */
    LINE_EDIT_CLOSED,  /* Ctrl-D on an empty line */
    LINE_EDIT_CHOICE,  /* Tab, and several words fit: line_edit_choices */
    LINE_EDIT_REDRAW,
};

/* Calls take() for each word that the last word of the line may become. */
typedef void line_edit_complete(void *context, const char *line,
                                void (*take)(void *taker, const char *word), void *taker);

struct line_edit {
    char text[LINE_EDIT_BYTES];
    uint32_t length, cursor;                          /* bytes */
    char history[LINE_EDIT_HISTORY][LINE_EDIT_BYTES]; /* a ring; new lines replace the oldest */
    uint32_t history_count;                           /* lines ever added */
    uint32_t recalled;                                /* how many lines back; 0: none is shown */
    char kept[LINE_EDIT_BYTES]; /* the line that was being typed, while older ones are shown */
    char escape[8];             /* of a key that comes in several bytes */
    uint32_t escape_count;
    line_edit_complete *complete; /* NULL: Tab does nothing */
    void *context;
};

/* Sets up an empty line without a history. */
void line_edit_init(struct line_edit *edit, line_edit_complete *complete, void *context);
/* Handles a key, or LINE_KEY_*.  Bytes of an escape sequence come one by one. */
enum line_edit_result line_edit_key(struct line_edit *edit, int key);
/* Adds the line to the history unless it is blank or repeats the last one, and begins an empty
 * line. */
void line_edit_next(struct line_edit *edit);

#endif
