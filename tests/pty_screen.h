/* SPDX-License-Identifier: MIT */
/*
 * A terminal for tests: a program on a pseudo-terminal, and what its bytes leave on a screen - the
 * control sequences of xterm and vt100 that ncurses uses, one column for each character.  A
 * sequence that is none of them fails the test.  Uses Check.
 */
#ifndef TESTS_PTY_SCREEN_H
#define TESTS_PTY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

enum { PTY_ROWS_MAX = 100, PTY_COLUMNS_MAX = 300, PTY_RAW_BYTES = 1 << 20 };

struct pty_screen {
    int fd;
    pid_t pid;
    struct termios before; /* the terminal's settings when the program was started */
    int rows, columns;
    int row, column; /* of the cursor */
    int saved_row, saved_column;
    int top, bottom;    /* of the region that scrolls; bottom is its last row */
    bool wraps;         /* a character was put in the last column */
    bool has_other_set; /* ^N: characters are those that draw lines */
    bool is_other;      /* the alternate screen is shown */
    char cells[PTY_ROWS_MAX][PTY_COLUMNS_MAX];
    char last;
    /* A sequence that is not complete yet. */
    char sequence[64];
    size_t sequence_length;
    /* All that came, as it came. */
    char raw[PTY_RAW_BYTES];
    size_t raw_length;
};

/* Starts argv[0] on a terminal of that kind (TERM; NULL: not set) and size, in the C locale or
 * another one. */
struct pty_screen *pty_start(const char *term, int rows, int columns, const char *locale,
                             char *const argv[]);
/* Keys, as bytes. */
void pty_type(struct pty_screen *screen, const char *bytes);
void pty_resize(struct pty_screen *screen, int rows, int columns);
/* A row of the screen without the blanks at its end; valid until the next call. */
const char *pty_row(struct pty_screen *screen, int row);
/* The row in which it stands, from `from` on; -1: in none. */
int pty_find(struct pty_screen *screen, int from, const char *text);
/* Until the text stands somewhere on the screen, or in that row; until it stands nowhere.  What
 * does not come in a minute fails the test.  Blanks at the end of a row are none. */
void pty_wait(struct pty_screen *screen, const char *text);
void pty_wait_row(struct pty_screen *screen, int row, const char *text);
/* Below the row in which the title stands. */
void pty_wait_below(struct pty_screen *screen, const char *title, const char *text);
/* The cursor stands behind that text, and nothing else is in its row. */
void pty_wait_prompt(struct pty_screen *screen, const char *text);
void pty_wait_gone(struct pty_screen *screen, const char *text);
/* Types the same again and again, every five seconds, until the text stands somewhere.  (Not
 * faster: a key that is a signal throws away what the terminal has not been asked for yet.) */
void pty_type_until(struct pty_screen *screen, const char *bytes, const char *text);
/* Until the bytes have come, wherever they went. */
void pty_wait_raw(struct pty_screen *screen, const char *bytes);
/* Until the program has ended: its exit status, -signal; frees the screen. */
int pty_end(struct pty_screen *screen);

#endif
