/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_fit_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/visible.h"

enum { FIRST_MS = 1000, EVERY_MS = 250 };

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* fit_machine.made */
static void show(void *context, const struct fit_made *made)
{
    struct cmd_fit_progress *progress = context;
    const uint64_t ms = now_ms();

    if (!progress->always &&
        (ms - progress->begin_ms < FIRST_MS || ms - progress->said_ms < EVERY_MS))
        return;
    progress->said_ms = ms;
    visible_command(STDERR_FILENO, "\r\033[Kgfe %s: experiment %" PRIu32 " of %" PRIu32,
                    progress->command, made->experiment, made->experiment_count);
    if (made->run > 0)
        visible_command(STDERR_FILENO, ", run %" PRIu32, made->run);
    if (made->error >= 0)
        visible_command(STDERR_FILENO, ", error so far %.2f %%", 100 * made->error);
}

void cmd_fit_progress_begin(struct cmd_fit_progress *progress, struct fit_machine *machine)
{
    progress->begin_ms = now_ms();
    progress->shows = progress->always || isatty(STDERR_FILENO) == 1;
    if (!progress->shows)
        return;
    machine->made = show;
    machine->made_context = progress;
}

void cmd_fit_progress_end(const struct cmd_fit_progress *progress)
{
    if (progress->said_ms)
        visible_command(STDERR_FILENO, "\r\033[K");
}
