/* SPDX-License-Identifier: MIT */
/*
 * Text without characters that command a terminal.
 *
 * A name may come from a file of strangers: the name of a kernel, of a program, of the file itself.
 * Printed as it is, it could move the cursor, rewrite what stands on the screen, or type for the
 * user.  So everything that gfe prints as text goes through a stream of this file: `stdout` and
 * `stderr` (visible_stdio()), and outputs of output_open_text().
 *
 * Shown in another form are: the characters of ISO 6429 (C0, DEL and C1) but for tabs and ends of
 * lines; the characters of Unicode that change the direction of text (UAX 9, section 2: U+061C,
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and its separators of lines (U+2028, U+2029);
 * and bytes that are not UTF-8.  The form is that of JSON, "\u001b", so JSON keeps its meaning; a
 * byte that is not UTF-8 becomes "\x9b".
 *
 * A name has no lines of its own: visible_name() also shows tabs and ends of lines.
 */
#ifndef GFE_EMU_BASE_VISIBLE_H
#define GFE_EMU_BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns true if the text has none of the characters above, no tab and no end of a line. */
bool visible_is(const char *text);
/* Copies a name with these characters shown, and cuts it after a whole character if it is too long.
 * Returns `to`, which has room for `bytes` bytes; at least 1. */
char *visible_name(char *to, size_t bytes, const char *name);

/* Replaces each byte of such a character by "?", in place: for names that are kept at their length.
 */
void visible_mark(char *name);

/* Opens a stream that shows such characters, and writes to `fd`.  fclose() closes `fd`.  Returns
 * NULL when memory is short; `fd` stays open then. */
FILE *visible_open(int fd);
/* Prints gfe's own words with characters that command a terminal, such as a bar that grows: no name
 * and no text of a file may be among them.  Writes at once, past `stdout` and `stderr`. */
void visible_command(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Makes `stdout` and `stderr` such streams.  Returns false when memory is short. */
bool visible_stdio(void);

#endif
