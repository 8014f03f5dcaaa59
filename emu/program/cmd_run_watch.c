/* SPDX-License-Identifier: MIT */
/* gfe run: how far a long run has come, on a terminal, and Ctrl-C, which ends the run with what
 * there is. */
#include <config.h>

#include "emu/program/cmd_run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/visible.h"
#include "emu/base/text.h"

enum {
    WATCH_SHORT_MS = 20, /* a slice of the run that took less becomes longer, */
    WATCH_LONG_MS = 100, /* and one that took more shorter */
    WATCH_FIRST_MS = 1000,
    WATCH_EVERY_MS = 500,
};

struct watch {
    const struct any_simulation *simulation;
    uint64_t begin_ms, looked_ms, said_ms;
    bool says, interrupted;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Takes a SIGINT that has come; it is blocked meanwhile. */
static bool interrupt_came(void)
{
    const struct timespec at_once = {0};
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return sigtimedwait(&set, NULL, &at_once) == SIGINT;
}

/* any_simulation_watch.look */
static bool watch_look(void *context, gfe_ps *slice_ps)
{
    struct watch *watch = context;
    const uint64_t ms = now_ms(), took_ms = ms - watch->looked_ms;
    char text[48];

    watch->looked_ms = ms;
    if (took_ms < WATCH_SHORT_MS && *slice_ps < GFE_PS_NEVER / 4)
        *slice_ps *= 2;
    else if (took_ms > WATCH_LONG_MS && *slice_ps > 1)
        *slice_ps /= 2;
    if (watch->says && ms - watch->begin_ms >= WATCH_FIRST_MS &&
        ms - watch->said_ms >= WATCH_EVERY_MS) {
        watch->said_ms = ms;
        visible_command(STDERR_FILENO,
                        "\r\033[Kgfe run: %s simulated, %" PRIu64
                        " events; Ctrl-C ends the run here",
                        text_time(text, sizeof text, machine_now(watch->simulation->machine)),
                        machine_event_count(watch->simulation->machine));
    }
    watch->interrupted = interrupt_came();
    return !watch->interrupted;
}

/* Says that the run is not whole. */
static void watch_end(const struct watch *watch)
{
    char text[48];

    if (watch->said_ms)
        visible_command(STDERR_FILENO, "\r\033[K");
    if (watch->interrupted)
        fprintf(stderr, "gfe run: interrupted at %s of simulated time; what follows ends there\n",
                text_time(text, sizeof text, machine_now(watch->simulation->machine)));
}

bool run_watched(struct any_simulation *simulation, bool *interrupted, struct gfe_error *error)
{
    struct watch watch = {.simulation = simulation, .says = isatty(STDERR_FILENO) == 1};
    const struct any_simulation_watch of = {&watch, watch_look};
    sigset_t set, before;
    struct sigaction was;
    bool done;

    watch.begin_ms = watch.looked_ms = now_ms();
    if (sigaction(SIGINT, NULL, &was) != 0 || was.sa_handler == SIG_IGN)
        return any_simulation_run_logged(simulation, error);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &set, &before);
    done = any_simulation_run_watched(simulation, &of, error);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    watch_end(&watch);
    *interrupted = watch.interrupted;
    return done;
}
