/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_say.h"

#include <stdarg.h>
#include <stdio.h>

void record_say(const char *format, ...)
{
    va_list arguments;

    fputs("gfe: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int record_say_error(const struct gfe_error *error)
{
    record_say("%s", error->text);
    return error_exit_status(error);
}

/* Prints the summary of a program that has user-mode queues. */
static void ring_summary(const char *output, const struct record_totals *totals)
{
    record_say(
        "%s: %llu queues of %u clients, %llu doorbells, %llu packets, %llu bytes of memory, %llu "
        "waits, %llu completions; %s; the trace can hold private memory of the program",
        output, (unsigned long long)totals->queues, (unsigned)totals->clients,
        (unsigned long long)totals->doorbells, (unsigned long long)totals->packets,
        (unsigned long long)totals->memory_bytes, (unsigned long long)totals->waits,
        (unsigned long long)totals->completions,
        totals->on_hardware
            ? "completion values are those that were seen of the real driver's GPU"
            : "no GPU ran: copies, fills and barriers took effect, kernels of the program were not "
              "executed");
}

void record_say_summary(const char *output, const struct record_totals *totals)
{
    char who[60] = "";

    if (totals->is_ring) {
        ring_summary(output, totals);
        return;
    }
    if (totals->clients > 1)
        snprintf(who, sizeof who, " of %u clients", (unsigned)totals->clients);
    record_say(
        "%s: %llu submissions%s, %llu dwords of methods, %llu bytes of memory, %llu waits, %llu "
        "completions; %s; the trace can hold private memory of the program%s (see gfe scrub)",
        output, (unsigned long long)totals->submissions, who,
        (unsigned long long)(totals->pushed_bytes / 4), (unsigned long long)totals->memory_bytes,
        (unsigned long long)totals->waits, (unsigned long long)totals->completions,
        totals->on_hardware ? "completion values are those that were seen of the real driver's GPU"
                            : "no GPU ran: completion values, and what the program read back, are "
                              "the stand-in's",
        totals->on_hardware ? ", and what the GPU wrote there" : "");
}
