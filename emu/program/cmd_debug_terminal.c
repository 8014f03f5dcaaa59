/* SPDX-License-Identifier: MIT */
/*
 * gfe debug's lines from a terminal.  While a line is typed the terminal gives keys, one by one
 * (emu/program/line_edit.h); while a command runs it is as it was found, so that Ctrl-C is a signal
 * - which is not delivered, but found pending when the run asks.  A terminal without cursor
 * movement (TERM dumb or not set) gives whole lines.
 */
#include <config.h>

#include "emu/base/visible.h"
#include "emu/program/cmd_debug.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "emu/program/line_edit.h"
#include "emu/base/output.h"

static const char prompt[] = "(gfe) ";

struct terminal {
    struct debug_shell *shell;
    struct line_edit edit;
    struct termios found; /* as it was */
    sigset_t mask;
    bool is_dumb;
};

bool cmd_debug_is_terminal(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool cmd_debug_is_dumb(void)
{
    const char *name = getenv("TERM");

    return !name || name[0] == '\0' || strcmp(name, "dumb") == 0;
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

bool cmd_debug_asked(void *context)
{
    const struct timespec now = {0};
    sigset_t set;

    (void)context;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    return sigtimedwait(&set, NULL, &now) == SIGINT;
}

/* Signals of the terminal stay pending until somebody asks. */
void cmd_debug_hold_interrupts(sigset_t *before)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &set, before);
}

/* ---- a command ------------------------------------------------------------------------------- */

/* What goes wrong is said, and the session goes on. */
static bool terminal_command(struct terminal *terminal, const char *line, struct gfe_error *error)
{
    struct gfe_error why = {0};

    if (!debug_command(terminal->shell, line, stdout, &why))
        printf("%s\n", why.text);
    (void)cmd_debug_asked(NULL); /* one that came too late for it */
    return output_flush_stdout(error);
}

/* ---- typing ---------------------------------------------------------------------------------- */

static void terminal_raw(const struct terminal *terminal)
{
    struct termios raw = terminal->found;

    raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
}

static int terminal_columns(void)
{
    struct winsize size = {0};

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* The prompt and as much of the line as fits, with the cursor in it. */
static void terminal_draw(const struct terminal *terminal)
{
    const struct line_edit *edit = &terminal->edit;
    const int room = terminal_columns() - (int)strlen(prompt) - 1;
    const int from = (int)edit->cursor > room ? (int)edit->cursor - room : 0;
    const int shown = (int)edit->length - from < room ? (int)edit->length - from : room;

    (void)fflush(stdout);
    visible_command(STDOUT_FILENO, "\r%s%.*s\033[K\r\033[%zuC", prompt, shown, edit->text + from,
                    strlen(prompt) + edit->cursor - (size_t)from);
}

/* Ends a line while the terminal does not do so. */
static void terminal_say(const char *ends)
{
    (void)fflush(stdout);
    visible_command(STDOUT_FILENO, "%s", ends);
}

static void choice_print(void *context, const char *word)
{
    (void)context;
    printf("%s  ", word);
}

static void terminal_complete(void *context, const char *line,
                              void (*take)(void *taker, const char *word), void *taker)
{
    debug_complete(context, line, take, taker);
}

/* Keys until a line is there: true; false: the end. */
static bool terminal_type(struct terminal *terminal)
{
    struct line_edit *edit = &terminal->edit;

    for (;;) {
        unsigned char byte;
        ssize_t got;

        terminal_draw(terminal);
        got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        switch (line_edit_key(edit, byte)) {
        case LINE_EDIT_DONE:
            terminal_say("\r\n");
            return true;
        case LINE_EDIT_DROPPED:
            terminal_say("^C\r\n");
            line_edit_next(edit);
            break;
        case LINE_EDIT_CLOSED:
            return false;
        case LINE_EDIT_CHOICE:
            terminal_say("\r\n");
            debug_complete(terminal->shell, edit->text, choice_print, NULL);
            terminal_say("\r\n");
            break;
        default:
            break;
        }
    }
}

/* A line with its keys; false: the end, or an output that cannot be written. */
static bool terminal_edited(struct terminal *terminal, struct gfe_error *error)
{
    char line[LINE_EDIT_BYTES];
    bool typed;

    terminal_raw(terminal);
    typed = terminal_type(terminal);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->found);
    if (!typed) {
        putchar('\n');
        return false;
    }
    memcpy(line, terminal->edit.text, sizeof line);
    line_edit_next(&terminal->edit);
    return terminal_command(terminal, line, error);
}

/* A whole line of a dumb terminal. */
static bool terminal_plain(struct terminal *terminal, struct gfe_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    bool good;

    fputs(prompt, stdout);
    (void)fflush(stdout);
    good = getline(&line, &capacity, stdin) >= 0;
    if (good)
        good = terminal_command(terminal, line, error);
    else
        putchar('\n');
    free(line);
    return good;
}

bool cmd_debug_terminal(struct debug_shell *shell, struct gfe_error *error)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);

    if (!terminal)
        return error_set(error, ERROR_SYSTEM, "no memory for the terminal");
    terminal->shell = shell;
    terminal->is_dumb = cmd_debug_is_dumb() || tcgetattr(STDIN_FILENO, &terminal->found) != 0;
    line_edit_init(&terminal->edit, terminal_complete, shell);
    cmd_debug_hold_interrupts(&terminal->mask);
    debug_on_interrupt(shell->debug, cmd_debug_asked, NULL);
    while (!shell->quit)
        if (!(terminal->is_dumb ? terminal_plain : terminal_edited)(terminal, error))
            break;
    debug_on_interrupt(shell->debug, NULL, NULL);
    (void)sigprocmask(SIG_SETMASK, &terminal->mask, NULL);
    free(terminal);
    return error->kind == ERROR_NONE;
}
