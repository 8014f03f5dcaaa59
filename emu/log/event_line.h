/* SPDX-License-Identifier: MIT */
/*
 * Lines that a driver prints to the kernel's log, made from events.
 *
 * A row holds the text for one kind of event, in which {argument} stands for the value of an
 * argument:
 *
 *     {channel_id}        decimal
 *     {channel_id:x}      hexadecimal
 *     {channel_id:08x}    the same with leading zeroes, up to 16 digits; :08X: capital letters
 *     {address:va}        0x and the upper half, _, the lower half with 8 digits
 *     {channel_id:d}      decimal, with a sign, of 32 bits
 *     {kind=0:PDE|2:PTE}  a word for each value; any other value as 0x and hexadecimal digits
 *     {bits&0:MEM|23:DEV} the names of the bits that are set, with a space between; of others
 * nothing {status.7-4:x}      bits 7 to 4 alone, in any of these forms
 *
 * Several rows of one kind make several lines.
 */
#ifndef GFE_EMU_LOG_EVENT_LINE_H
#define GFE_EMU_LOG_EVENT_LINE_H

#include <stddef.h>

#include "emu/log/event_log.h"

enum { EVENT_LINE_BYTES = 320 };

struct event_line_row {
    const char *kind; /* the event's name; NULL ends a list */
    const char *text;
};

/* Rows of all drivers, up to a row whose kind is NULL.  Defined in devices/event_lines.c. */
extern const struct event_line_row gfe_event_lines[];

/* Writes the line of the first row at or after `rows` that has the event's kind, cut to fit.
 * Returns that row; a search from the row after it finds the next line.  Returns NULL if no such
 * row is left. */
const struct event_line_row *event_line(const struct event_line_row *rows,
                                        const struct event_log_reader *log,
                                        const struct log_event *event, char *to, size_t bytes);

#endif
