/* SPDX-License-Identifier: MIT */
/*
 * A terminal for tests: a program on a pseudo-terminal, and the screen that its bytes draw.  It
 * knows the control sequences of xterm and vt100 that ncurses uses; any other sequence fails the
 * test.  Each character takes one column.  Uses Check.
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
    int top, bottom;    /* first and last row of the region that scrolls */
    bool wraps;         /* a character was put in the last column */
    bool has_other_set; /* after ^N: the character set that draws lines is in use */
    bool is_other;      /* the alternate screen is shown */
    char cells[PTY_ROWS_MAX][PTY_COLUMNS_MAX];
    char last;
    /* A sequence that is not complete yet. */
    char sequence[64];
    size_t sequence_length;
    /* All bytes from the program, unchanged. */
    char raw[PTY_RAW_BYTES];
    size_t raw_length;
};

/* Starts argv[0] on a terminal of the given kind, size and locale.  `term` is TERM; NULL means that
 * TERM is not set. */
struct pty_screen *pty_start(const char *term, int rows, int columns, const char *locale,
                             char *const argv[]);
/* Types keys, given as bytes. */
void pty_type(struct pty_screen *screen, const char *bytes);
void pty_resize(struct pty_screen *screen, int rows, int columns);
/* Returns a row of the screen without the blanks at its end.  The result is valid until the next
 * call. */
const char *pty_row(struct pty_screen *screen, int row);
/* Returns the first row, from `from` on, that contains the text, or -1 if no row does. */
int pty_find(struct pty_screen *screen, int from, const char *text);
/* Wait until the text is on the screen, or in the given row.  This and the other waits fail the
 * test after a minute.  Blanks at the end of a row are ignored. */
void pty_wait(struct pty_screen *screen, const char *text);
void pty_wait_row(struct pty_screen *screen, int row, const char *text);
/* Waits until the text is below the row that contains the title. */
void pty_wait_below(struct pty_screen *screen, const char *title, const char *text);
/* Waits until the cursor is right after the text, and nothing else is in its row. */
void pty_wait_prompt(struct pty_screen *screen, const char *text);
/* Waits until the text is in no row of the screen. */
void pty_wait_gone(struct pty_screen *screen, const char *text);
/* Types the same bytes every five seconds until the text is on the screen.  Typing is not faster
 * because a key that is a signal discards the input that the program has not read. */
void pty_type_until(struct pty_screen *screen, const char *bytes, const char *text);
/* Waits until the program has written the bytes, on the screen or not. */
void pty_wait_raw(struct pty_screen *screen, const char *bytes);
/* Waits until the program has ended, and frees the screen.  Returns the exit status, or the negated
 * number of the signal that ended the program. */
int pty_end(struct pty_screen *screen);

#endif
