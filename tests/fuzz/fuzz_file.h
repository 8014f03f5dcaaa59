/* SPDX-License-Identifier: MIT */
/* For fuzz targets: files in memory, logs made of an input, and what holds of all that gfe draws.
 */
#ifndef TESTS_FUZZ_FUZZ_FILE_H
#define TESTS_FUZZ_FUZZ_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

enum { FUZZ_PATH_BYTES = 40 };

/* Ends the program unless it is so. */
void fuzz_must(bool so);
/* A failure has one line of words, a success none. */
void fuzz_error_check(const struct gfe_error *error, bool good);
/* Makes an empty file in memory, which the caller closes, and its path. */
int fuzz_file_new(char path[FUZZ_PATH_BYTES]);
/* The same, with contents. */
int fuzz_file(const void *data, size_t bytes, char path[FUZZ_PATH_BYTES]);
/* Writes a log to the file: a head, events and an end.  Without a head (0 bytes) it has one with
 * the tables of a scenario on an NVIDIA GPU. */
void fuzz_log_write(int fd, const void *head, size_t head_bytes, const void *events, size_t bytes);
/* Ends the program if a text has a control character other than a new line or a tab, or, if it is
 * markup, an element that no picture or page of gfe has: a name of the input has got out of its
 * quotes. */
void fuzz_text_check(const char *text, size_t bytes);
void fuzz_markup_check(const char *text, size_t bytes);

#endif
