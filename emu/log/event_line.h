/* SPDX-License-Identifier: MIT */
/*
 * Lines that a driver prints to the kernel's log, made of events: for a kind of event a text in
 * which {argument} stands for an argument's value:
 *
 *     {channel_id}        decimal
 *     {channel_id:x}      hexadecimal
 *     {channel_id:08x}    the same with leading zeroes, up to 16 digits; :08X: capital letters
 *     {address:va}        0x and the upper half, _, the lower half with 8 digits
 *     {kind=0:PDE|2:PTE}  a word for each value; for another the number, 0x and hexadecimal
 *     {status.7-4:x}      of bits 7 to 4 alone, in any of these forms
 *
 * Several rows of one kind are several lines.
 */
#ifndef GFE_EMU_EVENT_LINE_H
#define GFE_EMU_EVENT_LINE_H

#include <stddef.h>

#include "emu/log/event_log.h"

enum { EVENT_LINE_BYTES = 320 };

struct event_line_row {
    const char *kind; /* the event's name; NULL ends a list */
    const char *text;
};

/* Of all drivers; ends with kind NULL.  Defined in devices/event_lines.c. */
extern const struct event_line_row gfe_event_lines[];

/* The event's first line, cut to fit, of the row that is returned: behind it, at + 1, the next is
 * looked for. NULL: its kind has none, or no more. */
const struct event_line_row *event_line(const struct event_line_row *rows,
                                        const struct event_log_reader *log,
                                        const struct log_event *event, char *to, size_t bytes);

#endif
