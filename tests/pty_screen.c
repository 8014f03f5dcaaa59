/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/pty_screen.h"

#include <check.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, AGAIN_MS = 5000, PARAMETERS_MAX = 8 };

/* ---- cells ----------------------------------------------------------------------------------- */

static void cells_blank(struct pty_screen *screen, int row, int from, int to)
{
    for (int column = from; column < to && column < screen->columns; column++)
        screen->cells[row][column] = ' ';
}

/* Rows from `row` to the region's end move by that many, up (+) or down (-). */
static void rows_move(struct pty_screen *screen, int row, int by)
{
    const int count = screen->bottom + 1 - row;

    by = by > count ? count : by < -count ? -count : by;
    if (by > 0) {
        memmove(screen->cells[row], screen->cells[row + by],
                (size_t)(count - by) * sizeof screen->cells[0]);
        for (int i = screen->bottom + 1 - by; i <= screen->bottom; i++)
            cells_blank(screen, i, 0, screen->columns);
    } else {
        memmove(screen->cells[row - by], screen->cells[row],
                (size_t)(count + by) * sizeof screen->cells[0]);
        for (int i = row; i < row - by; i++)
            cells_blank(screen, i, 0, screen->columns);
    }
}

static void line_feed(struct pty_screen *screen)
{
    if (screen->row == screen->bottom)
        rows_move(screen, screen->top, 1);
    else if (screen->row + 1 < screen->rows)
        screen->row++;
}

static void cell_put(struct pty_screen *screen, char c)
{
    if (screen->wraps) {
        screen->column = 0;
        line_feed(screen);
    }
    screen->wraps = screen->column + 1 == screen->columns;
    screen->cells[screen->row][screen->column] = c;
    screen->column += !screen->wraps;
    screen->last = c;
}

/* Cells from the cursor on move to the right (+) or left. */
static void cells_move(struct pty_screen *screen, int by)
{
    char *row = screen->cells[screen->row];
    const int left = screen->columns - screen->column, gap = by > 0 ? by : -by;

    if (gap >= left) {
        cells_blank(screen, screen->row, screen->column, screen->columns);
    } else if (by > 0) {
        memmove(row + screen->column + gap, row + screen->column, (size_t)(left - gap));
        cells_blank(screen, screen->row, screen->column, screen->column + gap);
    } else {
        memmove(row + screen->column, row + screen->column + gap, (size_t)(left - gap));
        cells_blank(screen, screen->row, screen->columns - gap, screen->columns);
    }
}

/* ---- control sequences ----------------------------------------------------------------------- */

static int within(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static void cursor_to(struct pty_screen *screen, int row, int column)
{
    screen->row = within(row, screen->rows - 1);
    screen->column = within(column, screen->columns - 1);
    screen->wraps = false;
}

static void erase_display(struct pty_screen *screen, int what)
{
    const int from = what == 0 ? screen->row + 1 : 0;
    const int to = what == 1 ? screen->row : screen->rows;

    for (int row = from; row < to; row++)
        cells_blank(screen, row, 0, screen->columns);
    if (what == 0)
        cells_blank(screen, screen->row, screen->column, screen->columns);
    if (what == 1)
        cells_blank(screen, screen->row, 0, screen->column + 1);
}

static void set_mode(struct pty_screen *screen, const char *parameters, bool on)
{
    if (strcmp(parameters, "?1049") == 0) {
        screen->is_other = on;
        for (int row = 0; row < screen->rows; row++)
            cells_blank(screen, row, 0, screen->columns);
    }
    ck_assert_msg(strcmp(parameters, "4") != 0 || !on, "insert mode is not done here");
}

/* ESC [ ... */
static bool control(struct pty_screen *screen, const char *text, char last)
{
    int number[PARAMETERS_MAX] = {0}, count = 0;
    int n;

    for (const char *at = text; *at && count < PARAMETERS_MAX; count++) {
        number[count] = atoi(at);
        at += strcspn(at, ";");
        at += *at == ';';
    }
    n = number[0] > 0 ? number[0] : 1;
    switch (last) {
    case 'H':
    case 'f':
        cursor_to(screen, n - 1, (number[1] > 0 ? number[1] : 1) - 1);
        return true;
    case 'A':
        cursor_to(screen, screen->row - n, screen->column);
        return true;
    case 'B':
        cursor_to(screen, screen->row + n, screen->column);
        return true;
    case 'C':
        cursor_to(screen, screen->row, screen->column + n);
        return true;
    case 'D':
        cursor_to(screen, screen->row, screen->column - n);
        return true;
    case 'G':
        cursor_to(screen, screen->row, n - 1);
        return true;
    case 'd':
        cursor_to(screen, n - 1, screen->column);
        return true;
    case 'J':
        erase_display(screen, number[0]);
        return true;
    case 'K':
        cells_blank(screen, screen->row, number[0] == 0 ? screen->column : 0,
                    number[0] == 1 ? screen->column + 1 : screen->columns);
        return true;
    case 'X':
        cells_blank(screen, screen->row, screen->column, screen->column + n);
        return true;
    case '@':
        cells_move(screen, n);
        return true;
    case 'P':
        cells_move(screen, -n);
        return true;
    case 'L':
        rows_move(screen, screen->row, -n);
        return true;
    case 'M':
        rows_move(screen, screen->row, n);
        return true;
    case 'S':
        rows_move(screen, screen->top, n);
        return true;
    case 'T':
        rows_move(screen, screen->top, -n);
        return true;
    case 'b':
        for (; n > 0; n--)
            cell_put(screen, screen->last);
        return true;
    case 'r':
        screen->top = n - 1;
        screen->bottom = number[1] > 0 ? number[1] - 1 : screen->rows - 1;
        cursor_to(screen, 0, 0);
        return true;
    case 'h':
    case 'l':
        set_mode(screen, text, last == 'h');
        return true;
    case 'm':
    case 't':
        return true;
    default:
        return false;
    }
}

/* ESC and what follows; false: it is not complete. */
static bool sequence_ends(struct pty_screen *screen)
{
    const size_t length = screen->sequence_length;
    char *sequence = screen->sequence;

    ck_assert_uint_lt(length, sizeof screen->sequence);
    sequence[length] = '\0';
    if (length < 2)
        return false;
    if (sequence[1] == '[') {
        const char last = sequence[length - 1];

        if (length < 3 || (unsigned char)last < 0x40)
            return false;
        sequence[length - 1] = '\0';
        ck_assert_msg(control(screen, sequence + 2, last), "ESC [ %s %c", sequence + 2, last);
        return true;
    }
    if (strchr("()*+", sequence[1]))
        return length == 3; /* a character set */
    if (sequence[1] == 'M') {
        if (screen->row == screen->top)
            rows_move(screen, screen->top, -1);
        else
            cursor_to(screen, screen->row - 1, screen->column);
    } else if (sequence[1] == '7') {
        screen->saved_row = screen->row;
        screen->saved_column = screen->column;
    } else if (sequence[1] == '8') {
        cursor_to(screen, screen->saved_row, screen->saved_column);
    } else {
        ck_assert_msg(strchr("=>", sequence[1]) != NULL, "ESC %c", sequence[1]);
    }
    return true;
}

static void take_control(struct pty_screen *screen, char c)
{
    switch (c) {
    case '\r':
        cursor_to(screen, screen->row, 0);
        break;
    case '\n':
        line_feed(screen);
        screen->wraps = false;
        break;
    case '\b':
        cursor_to(screen, screen->row, screen->column - 1);
        break;
    case '\t':
        cursor_to(screen, screen->row, (screen->column / 8 + 1) * 8);
        break;
    case '\033':
        screen->sequence[0] = c;
        screen->sequence_length = 1;
        break;
    case 'N' & 0x1f:
    case 'O' & 0x1f:
        screen->has_other_set = c == ('N' & 0x1f);
        break;
    default:
        ck_assert_msg(c == '\0' || c == '\a', "control character %d", c);
        break;
    }
}

static void take(struct pty_screen *screen, char c)
{
    if (screen->sequence_length > 0) {
        screen->sequence[screen->sequence_length++] = c;
        if (sequence_ends(screen))
            screen->sequence_length = 0;
    } else if ((unsigned char)c < 0x20) {
        take_control(screen, c);
    } else if (((unsigned char)c & 0xc0) != 0x80) {
        /* Of a character of several bytes the first stands for all. */
        cell_put(screen, (unsigned char)c >= 0x80 ? '*' : screen->has_other_set ? '-' : c);
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static void size_set(struct pty_screen *screen, int rows, int columns)
{
    ck_assert(rows <= PTY_ROWS_MAX && columns <= PTY_COLUMNS_MAX);
    screen->rows = rows;
    screen->columns = columns;
    screen->top = 0;
    screen->bottom = rows - 1;
    cursor_to(screen, screen->row, screen->column);
}

struct pty_screen *pty_start(const char *term, int rows, int columns, const char *locale,
                             char *const argv[])
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    struct pty_screen *screen = calloc(1, sizeof *screen);

    ck_assert_ptr_nonnull(screen);
    memset(screen->cells, ' ', sizeof screen->cells);
    size_set(screen, rows, columns);
    screen->pid = forkpty(&screen->fd, NULL, NULL, &size);
    ck_assert_int_ge(screen->pid, 0);
    if (screen->pid == 0) {
        (void)setenv("LC_ALL", locale, 1);
        if (term)
            (void)setenv("TERM", term, 1);
        else
            (void)unsetenv("TERM");
        (void)execv(argv[0], argv);
        _exit(126);
    }
    ck_assert_int_eq(tcgetattr(screen->fd, &screen->before), 0);
    return screen;
}

/* More bytes, if some come in that time; false: none will, the program has closed its side. */
static bool read_some(struct pty_screen *screen, int timeout_ms)
{
    struct pollfd poll_fd = {.fd = screen->fd, .events = POLLIN};
    char bytes[4096];
    ssize_t got;

    if (poll(&poll_fd, 1, timeout_ms) <= 0)
        return true;
    got = read(screen->fd, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    for (ssize_t i = 0; i < got; i++)
        take(screen, bytes[i]);
    ck_assert_uint_lt(screen->raw_length + (size_t)got, PTY_RAW_BYTES);
    memcpy(screen->raw + screen->raw_length, bytes, (size_t)got);
    screen->raw_length += (size_t)got;
    return true;
}

void pty_type(struct pty_screen *screen, const char *bytes)
{
    const size_t length = strlen(bytes);

    ck_assert_int_eq(write(screen->fd, bytes, length), (ssize_t)length);
}

void pty_resize(struct pty_screen *screen, int rows, int columns)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    size_set(screen, rows, columns);
    ck_assert_int_eq(ioctl(screen->fd, TIOCSWINSZ, &size), 0);
}

/* ---- what is seen ---------------------------------------------------------------------------- */

const char *pty_row(struct pty_screen *screen, int row)
{
    static char text[PTY_COLUMNS_MAX + 1];
    int length = screen->columns;

    while (length > 0 && screen->cells[row][length - 1] == ' ')
        length--;
    memcpy(text, screen->cells[row], (size_t)length);
    text[length] = '\0';
    return text;
}

int pty_find(struct pty_screen *screen, int from, const char *text)
{
    for (int row = from; row < screen->rows; row++)
        if (strstr(pty_row(screen, row), text))
            return row;
    return -1;
}

/* What a wait is for. */
struct wanted {
    const char *title, *text;
    int row;
    bool is_gone, is_prompt;
};

static bool is_there(struct pty_screen *screen, const struct wanted *wanted)
{
    int row = 0;

    if (wanted->is_prompt)
        return screen->column == (int)strlen(wanted->text) &&
               strncmp(pty_row(screen, screen->row), wanted->text,
                       strlen(pty_row(screen, screen->row))) == 0;
    if (wanted->row >= 0)
        return strstr(pty_row(screen, wanted->row), wanted->text) != NULL;
    if (wanted->title)
        row = pty_find(screen, 0, wanted->title) + 1;
    return (!wanted->title || row > 0) && pty_find(screen, row, wanted->text) >= 0;
}

static void wait_for(struct pty_screen *screen, const struct wanted *wanted)
{
    int waited = 0;

    while (is_there(screen, wanted) == wanted->is_gone) {
        const bool is_open = read_some(screen, 10);

        waited += 10;
        if (is_open && waited < PATIENCE_MS)
            continue;
        for (int i = 0; i < screen->rows; i++)
            fprintf(stderr, "|%s\n", pty_row(screen, i));
        ck_abort_msg("'%s' %s", wanted->text, wanted->is_gone ? "did not go" : "did not come");
    }
}

void pty_wait(struct pty_screen *screen, const char *text)
{
    wait_for(screen, &(struct wanted){.text = text, .row = -1});
}

void pty_wait_row(struct pty_screen *screen, int row, const char *text)
{
    wait_for(screen, &(struct wanted){.text = text, .row = row});
}

void pty_wait_below(struct pty_screen *screen, const char *title, const char *text)
{
    wait_for(screen, &(struct wanted){.title = title, .text = text, .row = -1});
}

void pty_wait_gone(struct pty_screen *screen, const char *text)
{
    wait_for(screen, &(struct wanted){.text = text, .row = -1, .is_gone = true});
}

void pty_wait_prompt(struct pty_screen *screen, const char *text)
{
    wait_for(screen, &(struct wanted){.text = text, .is_prompt = true});
}

void pty_type_until(struct pty_screen *screen, const char *bytes, const char *text)
{
    for (int waited = 0; pty_find(screen, 0, text) < 0; waited += AGAIN_MS) {
        ck_assert_msg(waited < PATIENCE_MS, "'%s' did not come", text);
        pty_type(screen, bytes);
        for (int i = 0; i < AGAIN_MS / 10 && pty_find(screen, 0, text) < 0; i++)
            if (!read_some(screen, 10))
                ck_abort_msg("the program has ended");
    }
}

void pty_wait_raw(struct pty_screen *screen, const char *bytes)
{
    int waited = 0;

    while (!memmem(screen->raw, screen->raw_length, bytes, strlen(bytes))) {
        ck_assert_msg(read_some(screen, 10) && waited < PATIENCE_MS, "'%s' did not come in\n%.*s",
                      bytes, (int)screen->raw_length, screen->raw);
        waited += 10;
    }
}

int pty_end(struct pty_screen *screen)
{
    int status, waited = 0;
    pid_t ended;

    do {
        if (!read_some(screen, 10))
            (void)poll(NULL, 0, 10);
        ended = waitpid(screen->pid, &status, WNOHANG);
        waited += 10;
    } while (ended == 0 && waited < PATIENCE_MS);
    if (ended == 0) {
        (void)kill(screen->pid, SIGKILL);
        ck_abort_msg("the program did not end");
    }
    (void)close(screen->fd);
    free(screen);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
