/* SPDX-License-Identifier: MIT */
/*
 * gfe debug at a terminal: panes above, commands and a line to type below (ncurses).  Every command
 * of the line mode is there, with the same editing.  While a command runs, Ctrl-C is a signal that
 * is found pending (cmd_debug_terminal.c); else it is a key.
 */
#include <config.h>

#include "emu/program/cmd_debug_screen.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "emu/base/text_stream.h"
#include "emu/program/cmd_debug.h"

enum {
    CONSOLE_BYTES = 256 << 10,
    AHEAD_STEPS = 20000, /* in which panes look for the ends of waits */
    ESCAPE_MS = 50,      /* a key's bytes come faster than that */
    ASIDE_COLUMNS = 8,
    CTRL_O = 'o' & 0x1f,
    CTRL_T = 't' & 0x1f,
    CTRL_X = 'x' & 0x1f,
    CTRL_Z = 'z' & 0x1f,
    ESCAPE = 27,
};

static const char prompt[] = "(gfe) ";

static const char keys_help[] =
    "Keys of the screen:\n"
    "  F2, Ctrl-O     to the next pane (Shift-F2: back; Esc: to the commands)\n"
    "  Up, Down       in the events: the cursor, and Return on an empty line goes to its event;\n"
    "                 in other panes: scroll.  While something is typed, or in the commands: what\n"
    "                 was typed before\n"
    "  Left, Right    on an empty line: the pane's text aside (where lines go on stands >)\n"
    "  PgUp, PgDn     the same by pages\n"
    "  F3, F4, Ctrl-T the previous and the next unit (else it is that of the event under the cursor)\n"
    "  F5, Ctrl-X     this pane alone, and back; titles count the lines that have no room\n"
    "  F6, F7         the time line: half as much time, twice as much\n"
    "  Ctrl-L         draw again; Ctrl-Z: to the shell, fg comes back\n";

/* ---- what commands say ----------------------------------------------------------------------- */

/* The oldest half goes when it gets too long. */
static void console_add(struct screen *screen, const char *text, size_t bytes)
{
    if (bytes >= CONSOLE_BYTES / 2) {
        text += bytes - CONSOLE_BYTES / 2;
        bytes = CONSOLE_BYTES / 2;
    }
    if (screen->console_used + bytes >= CONSOLE_BYTES) {
        const size_t dropped = screen->console_used - CONSOLE_BYTES / 4;

        memmove(screen->console, screen->console + dropped, screen->console_used - dropped);
        screen->console_used -= dropped;
    }
    memcpy(screen->console + screen->console_used, text, bytes);
    screen->console_used += bytes;
    screen->console[screen->console_used] = '\0';
    screen->scroll[PANE_CONSOLE] = 0;
}

static void console_say(struct screen *screen, const char *words)
{
    console_add(screen, words, strlen(words));
    console_add(screen, "\n", 1);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The run may stand elsewhere. */
static void screen_moved(struct screen *screen)
{
    screen->cursor = 0;
    screen->follows_unit = true;
    screen_rows_take(&screen->view);
    screen_is_stale(screen);
}

/* x PLACE says what the memory pane shows from then on. */
static void note_place(struct screen *screen, const char *line)
{
    line += strspn(line, " ");
    if (line[0] == 'x' && line[1] == ' ')
        (void)snprintf(screen->view.place, sizeof screen->view.place, "%s",
                       line + 1 + strspn(line + 1, " "));
}

static void command_run(struct screen *screen, const char *line)
{
    struct gfe_error error = {0};
    const uint64_t position = debug_position(screen->shell->debug);
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);
    char *text;

    console_add(screen, prompt, strlen(prompt));
    console_say(screen, line);
    if (!file) {
        console_say(screen, "no memory");
        return;
    }
    (void)noraw();
    (void)cbreak(); /* Ctrl-C is a signal now */
    screen_draw(screen);
    if (debug_command(screen->shell, line, file, &error))
        note_place(screen, line);
    else
        fprintf(file, "%s\n", error.text);
    (void)cmd_debug_asked(NULL); /* one that came too late for it */
    (void)raw();
    text = text_stream_close(&stream, file);
    if (text)
        console_add(screen, text, strlen(text));
    else
        console_say(screen, "no memory");
    free(text);
    if (position != debug_position(screen->shell->debug))
        screen_moved(screen);
    screen_is_stale(screen);
}

static void choice_add(void *context, const char *word)
{
    struct screen *screen = context;

    console_add(screen, word, strlen(word));
    console_add(screen, "  ", 2);
}

static void edit_complete(void *context, const char *line,
                          void (*take)(void *taker, const char *word), void *taker)
{
    debug_complete(context, line, take, taker);
}

/* Return: on an empty line in the events, to the one under the cursor. */
static void line_done(struct screen *screen)
{
    const struct debug_row *event = screen_event(screen);
    char line[LINE_EDIT_BYTES];

    memcpy(line, screen->edit.text, sizeof line);
    if (line[0] == '\0' && screen->focus == PANE_EVENTS && event)
        (void)snprintf(line, sizeof line, "goto event:%" PRIu64, event->number);
    line_edit_next(&screen->edit);
    if (line[strspn(line, " ")] != '\0')
        command_run(screen, line);
}

/* ---- keys of the line ------------------------------------------------------------------------ */

static int edit_key_of(int key)
{
    switch (key) {
    case KEY_LEFT:
        return LINE_KEY_LEFT;
    case KEY_RIGHT:
        return LINE_KEY_RIGHT;
    case KEY_UP:
        return LINE_KEY_UP;
    case KEY_DOWN:
        return LINE_KEY_DOWN;
    case KEY_HOME:
        return LINE_KEY_HOME;
    case KEY_END:
        return LINE_KEY_END;
    case KEY_DC:
        return LINE_KEY_DELETE;
    case KEY_BACKSPACE:
        return 0x7f;
    case KEY_ENTER:
        return '\r';
    default:
        return key < KEY_MIN ? key : LINE_KEY_OTHER;
    }
}

/* Handles a typed key.  Returns false if the program is to end. */
static bool key_typed(struct screen *screen, int key)
{
    switch (line_edit_key(&screen->edit, edit_key_of(key))) {
    case LINE_EDIT_DONE:
        line_done(screen);
        return true;
    case LINE_EDIT_DROPPED:
        line_edit_next(&screen->edit);
        return true;
    case LINE_EDIT_CLOSED:
        return false;
    case LINE_EDIT_CHOICE:
        debug_complete(screen->shell, screen->edit.text, choice_add, screen);
        console_say(screen, "");
        return true;
    case LINE_EDIT_REDRAW:
        (void)clearok(curscr, TRUE);
        return true;
    default:
        return true;
    }
}

/* ---- keys of the screen ---------------------------------------------------------------------- */

static void unit_next(struct screen *screen, uint32_t by)
{
    const uint32_t count = debug_register_units(screen->shell->debug);

    screen->follows_unit = false;
    screen->view.unit = (screen->view.unit + by) % count;
    screen->scroll[PANE_UNIT] = 0;
    free(screen->texts[PANE_UNIT]);
    screen->texts[PANE_UNIT] = NULL;
}

/* Up (-) and down in the pane with the focus. */
static void pane_move(struct screen *screen, int by)
{
    const int before = (int)screen->view.before_count;
    const int behind = (int)screen->view.row_count - before;

    if (screen->focus == PANE_CONSOLE) {
        screen->scroll[PANE_CONSOLE] -= by;
    } else if (screen->focus == PANE_EVENTS) {
        screen->cursor += by;
        screen->cursor = screen->cursor < -before  ? -before
                         : screen->cursor > behind ? behind
                                                   : screen->cursor;
        screen->follows_unit = true;
    } else {
        screen->scroll[screen->focus] += by;
    }
}

static void pane_aside(struct screen *screen, int by)
{
    int *aside = &screen->aside[screen->focus];

    if (screen->focus != PANE_RULE)
        *aside = *aside + by > 0 ? *aside + by : 0;
}

/* F6, F7: the first of them leaves "some hundred events". */
static void time_zoom(struct screen *screen, bool wider)
{
    gfe_ps *span = &screen->view.span_ps;

    if (*span == 0)
        *span = 100 * GFE_PS_PER_US;
    else if (wider)
        *span = *span < GFE_PS_NEVER / 4 ? *span * 2 : *span;
    else
        *span = *span > 2 * GFE_PS_PER_US / 1000 ? *span / 2 : *span;
    free(screen->texts[PANE_TIME]);
    screen->texts[PANE_TIME] = NULL;
}

/* Arrows, where they are not the line's; false: they are. */
static bool key_moves(struct screen *screen, int key)
{
    if (screen->edit.length > 0 || screen->focus == PANE_CONSOLE)
        return false;
    switch (key) {
    case KEY_UP:
    case KEY_DOWN:
        pane_move(screen, key == KEY_UP ? -1 : 1);
        return true;
    case KEY_LEFT:
    case KEY_RIGHT:
        pane_aside(screen, key == KEY_LEFT ? -ASIDE_COLUMNS : ASIDE_COLUMNS);
        return true;
    default:
        return false;
    }
}

static void key_function(struct screen *screen, int key)
{
    switch (key) {
    case 1:
        command_run(screen, "help");
        console_add(screen, keys_help, strlen(keys_help));
        break;
    case 2:
        screen->focus = (screen->focus + 1) % PANES;
        break;
    case 3:
        unit_next(screen, debug_register_units(screen->shell->debug) - 1);
        break;
    case 4:
        unit_next(screen, 1);
        break;
    case 5:
        screen->zoomed = !screen->zoomed;
        break;
    case 6:
    case 7:
        time_zoom(screen, key == 7);
        break;
    case 14: /* Shift-F2 */
        screen->focus = (screen->focus + PANES - 1) % PANES;
        break;
    default:
        break;
    }
}

/* Handles a key of the screen.  Returns false for other keys. */
static bool key_of_screen(struct screen *screen, int key)
{
    if (key_moves(screen, key))
        return true;
    if (key > KEY_F0 && key < KEY_F(64)) {
        key_function(screen, key - KEY_F0);
        return true;
    }
    switch (key) {
    case KEY_RESIZE:
        return true; /* it is drawn for the new size */
    case CTRL_O:
        key_function(screen, 2);
        return true;
    case CTRL_T:
        key_function(screen, 4);
        return true;
    case CTRL_X:
        key_function(screen, 5);
        return true;
    case CTRL_Z:
        (void)raise(SIGTSTP); /* ncurses puts the terminal back, and ours again afterwards */
        return true;
    case ESCAPE:
        screen->focus = PANE_CONSOLE;
        return true;
    case KEY_PPAGE:
    case KEY_NPAGE:
        pane_move(screen, (key == KEY_PPAGE ? -1 : 1) * (LINES / 4 + 1));
        return true;
    default:
        return false;
    }
}

/* ---- a session ------------------------------------------------------------------------------- */

/* Is it a terminal that is known, and whose cursor can be moved? */
static bool terminal_can_draw(void)
{
    int status;
    bool can;

    if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
        return false;
    can = cursor_address != NULL;
    (void)del_curterm(cur_term);
    return can;
}

static SCREEN *terminal_open(void)
{
    /* ncurses writes to the descriptor, and shows by itself what in a name commands a terminal. */
    FILE *file = terminal_can_draw() ? fdopen(dup(STDOUT_FILENO), "w") : NULL;
    SCREEN *terminal = file ? newterm(NULL, file, stdin) : NULL;

    if (!terminal)
        return NULL;
    (void)raw();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)nodelay(stdscr, TRUE);
    (void)set_escdelay(ESCAPE_MS);
    return terminal;
}

/* The next key; ERR: there will be none.  ncurses looks for a new size of the terminal only where
 * reading is interrupted, so the signal is let in only while there is nothing to read. */
static int next_key(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t with_resize;
    int key, ready = 0;

    (void)sigprocmask(SIG_BLOCK, NULL, &with_resize);
    (void)sigdelset(&with_resize, SIGWINCH);
    for (;;) {
        key = getch();
        if (key != ERR || ready > 0) /* the end can be read, too */
            return key;
        ready = ppoll(&input, 1, NULL, &with_resize);
        if (ready < 0 && errno != EINTR)
            return ERR;
    }
}

static void screen_loop(struct screen *screen, const char *said)
{
    int key;

    console_add(screen, said, strlen(said));
    console_say(
        screen,
        "help lists the commands, F1 also the keys; quit or Ctrl-D leaves; long answers: PgUp, or F5");
    while (!screen->shell->quit) {
        screen_draw(screen);
        key = next_key();
        if (key == ERR || (!key_of_screen(screen, key) && !key_typed(screen, key)))
            break;
    }
}

static void screen_session(struct screen *screen, const char *said)
{
    struct debug *debug = screen->shell->debug;
    sigset_t mask, resize;

    cmd_debug_hold_interrupts(&mask);
    (void)sigemptyset(&resize);
    (void)sigaddset(&resize, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &resize, NULL);
    debug_on_interrupt(debug, cmd_debug_asked, NULL);
    debug_look_ahead(debug, AHEAD_STEPS);
    screen_moved(screen);
    screen_loop(screen, said);
    debug_on_interrupt(debug, NULL, NULL);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
}

bool cmd_debug_screen(struct debug_shell *shell, const char *said)
{
    struct screen *screen = calloc(1, sizeof *screen);
    SCREEN *terminal = NULL;
    bool shown = false;

    if (screen)
        screen->console = calloc(1, CONSOLE_BYTES + 1);
    if (screen && screen->console) {
        const char *locale = setlocale(LC_CTYPE, "");

        screen->shell = shell;
        screen->view.debug = shell->debug;
        screen->view.ascii = !locale || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
        screen->focus = PANE_CONSOLE;
        line_edit_init(&screen->edit, edit_complete, shell);
        terminal = terminal_open();
    }
    if (terminal) {
        screen_session(screen, said);
        (void)endwin();
        delscreen(terminal);
        shown = true;
    }
    if (screen) {
        screen_is_stale(screen);
        free(screen->console);
    }
    free(screen);
    return shown;
}
