/* SPDX-License-Identifier: MIT */
/*
 * gfe debug on a pseudo-terminal (tests/pty_screen.h): panes show what the session's commands say,
 * keys move in them, lines are edited, completed and found again, Ctrl-C stops a run that would
 * take hours, a terminal of another size or another kind is used as it is, and afterwards it is as
 * it was.
 */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/pty_screen.h"
#include "tests/suites.h"

#define KEY_UP_BYTES      "\033OA" /* as a terminal sends them when its keypad transmits */
#define KEY_F1_BYTES      "\033OP"
#define KEY_F2_BYTES      "\033OQ"
#define KEY_F4_BYTES      "\033OS"
#define KEY_F5_BYTES      "\033[15~"
#define KEY_F6_BYTES      "\033[17~"
#define KEY_PAGE_UP_BYTES "\033[5~"

enum { ROWS = 44, COLUMNS = 140, PATH_BYTES = 4096, ARGUMENTS_MAX = 8 };

static struct pty_screen *screen;

/* gfe debug [OPTION VALUE] FILE; `file` under tests/golden, or a path. */
static void begin(const char *term, const char *file, const char *option, const char *value)
{
    const char *source = getenv("top_srcdir"), *build = getenv("top_builddir");
    static char program[PATH_BYTES], path[PATH_BYTES], command[] = "debug";
    char *argv[ARGUMENTS_MAX] = {program, command};
    int count = 2;

    (void)snprintf(program, sizeof program, "%s/gfe", build ? build : ".");
    (void)snprintf(path, sizeof path, file[0] == '/' ? "%s%s" : "%s/tests/golden/%s",
                   file[0] == '/' ? ""
                   : source       ? source
                                  : ".",
                   file);
    if (option)
        argv[count++] = (char *)(uintptr_t)option;
    if (value)
        argv[count++] = (char *)(uintptr_t)value;
    argv[count] = path;
    screen = pty_start(term, ROWS, COLUMNS, "C", argv);
}

/* The session is told to end: it does, well, and the terminal is as it was found. */
static void end(const char *keys)
{
    struct termios now;
    int fd;

    pty_wait_prompt(screen, "(gfe) ");
    pty_type(screen, keys);
    fd = dup(screen->fd);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pty_end(screen), 0);
    /* On Linux the master's settings are the terminal's, also when no one has it open. */
    ck_assert_int_eq(tcgetattr(fd, &now), 0);
    (void)close(fd);
    ck_assert_uint_eq(now.c_lflag & (ICANON | ECHO | ISIG), ICANON | ECHO | ISIG);
    ck_assert_uint_eq(now.c_iflag & ICRNL, ICRNL);
}

/* ---- panes ----------------------------------------------------------------------------------- */

static const char *const terminals[] = {"xterm", "vt100", "screen", "linux"};
enum { TERMINALS = sizeof terminals / sizeof terminals[0] };

/* On each kind of terminal; names of panes and what stands in them, as docs/debugger.md has it. */
/* PROMISE (debug): The debugger's panes show the run, on a pseudo-terminal that a small terminal
 * of the tests reads. */
START_TEST(panes_show_the_run)
{
    // clang-format off
    static const char *const titles[] = {" time line ", " events ", " stream ",
                                         " queues and runlists ", " unit nv_", " memory ",
                                         " what waits, and the last rule ", " commands "};
    // clang-format on
    begin(terminals[_i], "compute.gft", NULL, NULL);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        pty_wait(screen, titles[i]);
    pty_wait(screen, "nothing has happened yet");
    pty_type(screen, "break event NV_LAUNCH\r");
    pty_wait(screen, "breakpoint 1: event NV_LAUNCH");
    pty_type(screen, "continue\r");
    pty_wait_row(screen, 0, "step 1946  42702.826029 us  94 events");
    pty_type(screen, "goto 42703.4us\r");
    pty_wait_row(screen, 0, "step 1968");
    pty_wait_below(screen, " time line ", "GR0 ");
    pty_wait_below(screen, " events ", "> step 1968, 42703.399734 us");
    pty_wait_below(screen, " stream ", "=> 102c00c80 R s1 c1c0 0110 00000000 WAIT_FOR_IDLE");
    pty_wait_below(screen, " queues and runlists ", "PBDMA 0: channel 0");
    pty_wait_below(screen, " memory ", "where a PBDMA reads next");
    pty_wait_below(screen, " what waits, and the last rule ", "channel 0 waits for GR0 (NV.WFI)");
    pty_wait_below(screen, " what waits, and the last rule ",
                   "the engine is idle."); /* whole words */
    pty_type(screen, "back kernel\r");
    pty_wait_row(screen, 0, "step 1952");
    end("quit\r");
}
END_TEST

START_TEST(a_radeon_has_the_same_panes)
{
    begin("xterm", "kfd_kernels.gft", NULL, NULL);
    pty_wait(screen, "(gfe)");
    pty_type(screen, "step kernel 2\r");
    pty_wait_row(screen, 0, "step 54  710.259855 us");
    pty_wait_below(screen, " time line ", "queue 1024 ");
    pty_wait_below(screen, " stream ", "=> 000000 00000103 BARRIER_AND");
    pty_wait_below(screen, " queues and runlists ", "queue 1024, in ACE");
    pty_wait_below(screen, " what waits, and the last rule ", "queue 1024 waits (A.Q3)");
    end("\004");
}
END_TEST

/* ---- keys ------------------------------------------------------------------------------------ */

/* From the commands two panes on are the events; three lines up is event 98, behind which 100 and
 * 99 are not there yet. */
START_TEST(a_cursor_goes_along_the_events)
{
    begin("xterm", "compute.gft", "-e", "goto event:100");
    pty_wait_row(screen, 0, "100 events");
    pty_type(screen, KEY_F2_BYTES KEY_F2_BYTES KEY_UP_BYTES KEY_UP_BYTES KEY_UP_BYTES "\r");
    pty_wait(screen, "(gfe) goto event:98");
    pty_wait_row(screen, 0, "98 events");
    end("\004");
}
END_TEST

START_TEST(one_pane_fills_the_screen_and_goes_back)
{
    begin("xterm", "compute.gft", "-e", "goto event:100");
    pty_wait_row(screen, 0, "100 events");
    pty_type(screen, KEY_F2_BYTES KEY_F5_BYTES);
    pty_wait_gone(screen, " queues and runlists ");
    pty_wait_row(screen, 1, " time line ");
    pty_type(screen, KEY_F6_BYTES);
    pty_wait_row(screen, 1, " time line: the last 100.000 us ");
    pty_type(screen, KEY_F6_BYTES);
    pty_wait_row(screen, 1, " time line: the last 50.000 us ");
    pty_type(screen, KEY_F5_BYTES);
    pty_wait(screen, " queues and runlists ");
    end("\004");
}
END_TEST

/* What has no room is counted, and the keys that show it are named. */
START_TEST(titles_say_what_is_cut)
{
    begin("xterm", "compute.gft", "-e", "goto 42703.4us");
    pty_wait_row(screen, 0, "step 1968");
    pty_wait(screen, " queues and runlists (");
    pty_wait(screen, " below: F2, F5) ");
    pty_type(screen, "who\r");
    pty_wait(screen, " above: PgUp, F5) ");
    ck_assert_int_ge(pty_find(screen, 0, " commands ("), 0);
    pty_type(screen, KEY_PAGE_UP_BYTES);
    pty_wait(screen, " below: PgUp, PgDn, F5) ");
    pty_type(screen, KEY_F5_BYTES);
    pty_wait_gone(screen, " queues and runlists ");
    pty_wait_gone(screen, " above");
    pty_wait(screen, "PBDMA 1-3: no channel");
    pty_type(screen, KEY_F5_BYTES KEY_F2_BYTES KEY_F2_BYTES);
    pty_wait(screen, "Right, F5) ");
    end("\004");
}
END_TEST

START_TEST(any_unit_can_be_looked_at)
{
    const char *title;
    unsigned first, next, count;

    begin("xterm", "compute.gft", "-e", "goto event:94");
    pty_wait_row(screen, 0, "94 events");
    pty_wait_below(screen, " unit nv_", "0x");
    title = strstr(pty_row(screen, pty_find(screen, 0, " unit nv_")), " unit nv_");
    ck_assert_int_eq(sscanf(title, " unit %*s (%u of %u)", &first, &count), 2);
    for (unsigned i = 1; i <= count; i++) {
        char wanted[40];

        next = (first - 1 + i) % count + 1;
        (void)snprintf(wanted, sizeof wanted, "(%u of %u)", next, count);
        pty_type(screen, KEY_F4_BYTES);
        pty_wait(screen, wanted);
    }
    end("\004");
}
END_TEST

START_TEST(memory_stays_where_it_was_asked_for)
{
    begin("xterm", "compute.gft", "-e", "goto event:100");
    pty_wait_row(screen, 0, "100 events");
    pty_type(screen, "x vid:0x1000\r");
    pty_wait(screen, " memory: x vid:0x1000 ");
    pty_type(screen, "step 5\r");
    pty_wait_row(screen, 0, "105 events");
    pty_wait(screen, " memory: x vid:0x1000 ");
    end("\004");
}
END_TEST

START_TEST(help_is_a_key_away_and_can_be_scrolled)
{
    begin("xterm", "compute.gft", NULL, NULL);
    pty_wait(screen, "(gfe)");
    pty_type(screen, KEY_F1_BYTES);
    pty_wait(screen, "Ctrl-L         draw again");
    pty_wait_gone(screen, "(gfe) help");
    for (int i = 0; i < 10; i++)
        pty_type(screen, KEY_PAGE_UP_BYTES);
    pty_wait(screen, "(gfe) help");
    end("\004");
}
END_TEST

/* ---- lines ----------------------------------------------------------------------------------- */

static const char *const ways[] = {NULL, "--lines"}; /* with panes, and without */

START_TEST(a_line_is_edited_completed_and_found_again)
{
    begin("xterm", "compute.gft", ways[_i], NULL);
    pty_wait(screen, "(gfe)");
    pty_type(screen, "stex\177\t");
    pty_wait_prompt(screen, "(gfe) step ");
    pty_type(screen, "meth\t\r");
    pty_wait(screen, "(gfe) step method");
    pty_wait(screen, "PBDMA 0: channel 0");
    pty_type(screen, "break event NV_L\t\t");
    pty_wait(screen, "NV_LAUNCH");
    pty_type(screen, "\003"); /* the line is dropped, not the program */
    pty_type(screen, KEY_UP_BYTES);
    pty_type(screen, "\001where #\005 3\r"); /* to the start and the end of it */
    pty_wait(screen, "(gfe) where #break event NV_LAUNCH  3");
    end("\004");
}
END_TEST

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

static const char long_run[] =
    "{\"gfe_scenario\": 1, \"name\": \"long\", \"processes\": ["
    "{\"name\": \"a\", \"streams\": [{\"name\": \"s\"}], \"tasks\": [{\"name\": \"a\", \"calls\": "
    "[{\"launch\": {\"name\": \"A\", \"blocks\": 1, \"threads\": 512, \"work\": 100000}}]}]},"
    "{\"name\": \"b\", \"streams\": [{\"name\": \"s\"}], \"tasks\": [{\"name\": \"b\", \"calls\": "
    "[{\"launch\": {\"name\": \"B\", \"blocks\": 1, \"threads\": 512, \"work\": 100000}}]}]}]}";

/* Two processes that share a GPU for two days: nobody waits for the end of it. */
START_TEST(a_run_that_takes_long_is_stopped)
{
    char path[] = "/tmp/gfe-debug-XXXXXX";
    const int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, long_run, sizeof long_run - 1), (ssize_t)sizeof long_run - 1);
    (void)close(fd);
    begin("xterm", path, ways[_i], NULL);
    pty_wait(screen, "(gfe)");
    pty_type(screen, "step\r");
    pty_wait(screen, "events logged; next");
    pty_wait_prompt(screen, "(gfe) "); /* a signal's key throws away what was typed before */
    pty_type(screen, "continue\r");
    pty_wait(screen, "(gfe) continue");
    pty_type_until(screen, "\003", "interrupted"); /* the first may come before the run has begun */
    pty_wait_prompt(screen, "(gfe) ");
    pty_type(screen, "goto start\r"); /* and the session goes on */
    pty_wait(screen, "step 0, 0.000000 us");
    (void)unlink(path);
    end("\004");
}
END_TEST

/* ---- terminals ------------------------------------------------------------------------------- */

/* PROMISE (debug): The panes follow the size of the terminal, from 160 x 60 to 10 x 2. */
START_TEST(the_screen_follows_its_size)
{
    begin("xterm", "compute.gft", "-e", "goto event:100");
    pty_wait(screen, " queues and runlists ");
    pty_resize(screen, 24, 80);
    pty_wait_gone(screen, " queues and runlists ");
    pty_wait_row(screen, 23, "(gfe)");
    pty_wait(screen, " time line ");
    pty_resize(screen, 6, 30);
    pty_wait_gone(screen, " time line ");
    pty_wait_row(screen, 5, "(gfe)");
    pty_type(screen, "step\r");
    pty_wait_row(screen, 0, "gfe debug  step");
    pty_resize(screen, 2, 10);
    pty_type(screen, "hash\r");
    pty_resize(screen, 60, 160);
    pty_wait_row(screen, 59, "(gfe)");
    pty_wait(screen, " queues and runlists ");
    pty_wait(screen, "(gfe) hash");
    end("\004");
}
END_TEST

static const char *const dumb_terminals[] = {"dumb", "", NULL, "no-such-terminal"};

/* What cannot draw gets lines; of the last kind only ncurses knows that it cannot. */
START_TEST(a_dumb_terminal_gets_lines)
{
    begin(dumb_terminals[_i], "compute.gft", "-e", "goto event:93");
    pty_wait_raw(screen, "93 events logged");
    pty_type(screen, "step\r");
    pty_wait_raw(screen, "94 events logged");
    pty_wait_prompt(screen, "(gfe) ");
    pty_type(screen, "why\r");
    pty_wait_raw(screen, "nothing waits");
    if (_i < 3)
        ck_assert_ptr_null(memchr(screen->raw, '\033', screen->raw_length));
    ck_assert_ptr_null(memmem(screen->raw, screen->raw_length, " time line ", 11));
    end("\004");
}
END_TEST

START_TEST(what_is_said_first_stands_among_the_commands)
{
    begin("xterm", "compute.gft", "-e", "print NV_PPBDMA_GP_GET[0]");
    pty_wait(screen, "(gfe) print NV_PPBDMA_GP_GET[0]");
    pty_wait(screen, "NV_PPBDMA_GP_GET[0] = 0x");
    end("\004");
    begin("xterm", "compute.gft", "-e", "nonsense");
    pty_wait_raw(screen, "gfe: nonsense:");
    ck_assert_int_eq(pty_end(screen), 1);
}
END_TEST

/* The other screen is shown, and then what was there before. */
/* PROMISE (debug): The terminal afterwards is as it was before. */
START_TEST(the_terminal_is_given_back)
{
    begin("xterm", "compute.gft", NULL, NULL);
    pty_wait(screen, "(gfe)");
    ck_assert(screen->is_other);
    pty_type(screen, "step\r");
    pty_wait_row(screen, 0, "step 4 ");
    pty_type(screen, "\004");
    pty_wait_raw(screen, "\033[?1049l");
    ck_assert_int_eq(pty_end(screen), 0);
}
END_TEST

START_TEST(a_terminal_that_goes_away_ends_the_session)
{
    begin("xterm", "compute.gft", NULL, NULL);
    pty_wait(screen, "(gfe)");
    (void)close(screen->fd);
    screen->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    ck_assert_int_le(pty_end(screen), 0); /* by the signal, or by the end of what it reads */
}
END_TEST

/* Some containers have none. */
static bool has_terminals(void)
{
    const int fd = posix_openpt(O_RDWR | O_NOCTTY);
    const bool has = fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0;

    if (fd >= 0)
        (void)close(fd);
    return has;
}

Suite *cmd_debug_screen_suite(void)
{
    Suite *suite = suite_create("cmd_debug_screen");
    TCase *cases = tcase_create("pseudo-terminal");

    suite_add_tcase(suite, cases);
    if (!has_terminals()) {
        fputs("skipped: no pseudo-terminal can be opened (/dev/pts)\n", stderr);
        return suite;
    }
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, panes_show_the_run, 0, TERMINALS);
    tcase_add_test(cases, a_radeon_has_the_same_panes);
    tcase_add_test(cases, a_cursor_goes_along_the_events);
    tcase_add_test(cases, one_pane_fills_the_screen_and_goes_back);
    tcase_add_test(cases, titles_say_what_is_cut);
    tcase_add_test(cases, any_unit_can_be_looked_at);
    tcase_add_test(cases, memory_stays_where_it_was_asked_for);
    tcase_add_test(cases, help_is_a_key_away_and_can_be_scrolled);
    tcase_add_loop_test(cases, a_line_is_edited_completed_and_found_again, 0, 2);
    tcase_add_loop_test(cases, a_run_that_takes_long_is_stopped, 0, 2);
    tcase_add_test(cases, the_screen_follows_its_size);
    tcase_add_loop_test(cases, a_dumb_terminal_gets_lines, 0, 4);
    tcase_add_test(cases, what_is_said_first_stands_among_the_commands);
    tcase_add_test(cases, the_terminal_is_given_back);
    tcase_add_test(cases, a_terminal_that_goes_away_ends_the_session);
    return suite;
}
