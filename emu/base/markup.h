/* SPDX-License-Identifier: MIT */
/*
 * Text in SVG and HTML.
 *
 * Whatever is not a literal of gfe's own goes through here, so that no name can end the element or
 * the attribute, in double quotes, that it stands in: & < > " become references, characters that
 * XML 1.0 (section 2.2) does not have become "?", and bytes that are not UTF-8 as well.
 * tests/test_house.sh holds that files that write markup use nothing else.
 */
#ifndef GFE_EMU_BASE_MARKUP_H
#define GFE_EMU_BASE_MARKUP_H

#include <stdio.h>

/* Prints a text, escaped. */
void markup_text(FILE *file, const char *text);
/* Prints like fprintf(), with the text of each %s escaped.  Other conversions are those of numbers:
 * d, u, x, with a width, a precision and the lengths l, ll, z; also %c, %% and %.*s, whose length
 * counts bytes in front of the escaping. */
void markup_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
