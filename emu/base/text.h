/* SPDX-License-Identifier: MIT */
/* Text for people: times in a fitting unit, and paragraphs of a given width.  What is UTF-8. */
#ifndef GFE_EMU_BASE_TEXT_H
#define GFE_EMU_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/clock.h"

/* Writes a time such as "12.4 us", rounded to at most three decimals.  Chooses the unit that leaves
 * 1 to 999 before the point.  Returns `to`, which needs 48 bytes. */
char *text_time(char *to, size_t bytes, gfe_ps time_ps);
/* Writes an end of a range of that length.  Rounds like text_time(), or to three digits of the
 * range's length if that is more precise, so that the two ends differ.  Returns `to`, which needs
 * 48 bytes. */
char *text_time_of_range(char *to, size_t bytes, gfe_ps time_ps, gfe_ps length_ps);
/* Writes a time with the precision that ticks `step_ps` apart need, down to a picosecond.  Returns
 * `to`, which needs 48 bytes. */
char *text_time_exact(char *to, size_t bytes, gfe_ps time_ps, gfe_ps step_ps);

/* Prints `text` in lines that begin after `indent` spaces and end before column `width`.  Breaks
 * lines at spaces; a word that is longer than a line stands alone. */
void text_paragraph(FILE *file, const char *text, uint32_t indent, uint32_t width);
/* Prints a paragraph like text_paragraph(), behind `indent` columns that the line has already. */
void text_paragraph_behind(FILE *file, const char *text, uint32_t indent, uint32_t width);

/* Returns the number of bytes of the character that begins there, or 0 if that is none of UTF-8
 * (RFC 3629, section 4) or the end. */
size_t text_utf8_bytes(const char *text);
/* Returns true if all bytes of the text are UTF-8. */
bool text_is_utf8(const char *text);

#endif
