/* SPDX-License-Identifier: MIT */
/*
 * Files that are read as a whole, or line by line, up to a bound.
 *
 * A file may be a device or a pipe without an end, or a line may have none.  Each reader therefore
 * has a bound: one of its format, or one that the option --max-input raises (emu/base/limits.h).
 * Traces and logs have bounds of their own (emu/log/chunk.h).
 */
#ifndef GFE_EMU_BASE_INPUT_H
#define GFE_EMU_BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "emu/base/error.h"

struct input_bound {
    uint64_t bytes;     /* the most that a file may have */
    const char *option; /* raises it; NULL if none does */
};
/* Returns the bound of a format, which no option raises. */
static inline struct input_bound input_fixed(uint64_t bytes)
{
    return (struct input_bound){bytes, NULL};
}

/* Returns the name of a file for messages: "standard input" for "-". */
const char *input_name(const char *path);

/* Reads all bytes of the file, or of standard input if `path` is "-".  The caller frees them; they
 * have a zero byte behind them.  Returns NULL on error, also if there are more than the bound. */
char *input_load(const char *path, struct input_bound bound, size_t *bytes,
                 struct gfe_error *error);

/* Opens the file, or standard input, as a stream that fails with EFBIG after `bytes` bytes.
 * fclose() ends it, and leaves standard input open.  Returns NULL on error. */
FILE *input_open(const char *path, uint64_t bytes, struct gfe_error *error);

enum input_line { INPUT_LINE, INPUT_END, INPUT_LONG, INPUT_ZERO, INPUT_FAILED };

/* Reads a line of less than `size` - 1 bytes into `line`, with its newline if it has one, and a
 * zero behind it.  INPUT_LONG and INPUT_ZERO mean that the line is longer, or has a zero byte: the
 * file is no text.  INPUT_FAILED means that errno says why the file cannot be read. */
enum input_line input_line(FILE *file, char *line, size_t size);

/* Returns the offset at which a regular file is to be read by an offset of the reader's own; -1 for
 * a pipe or a device. */
off_t input_offset(int fd);

/* Reads `bytes` bytes of a file that has a size, from `at` on, or less if the file ends before.
 * Returns how many were read; -1 on error, with errno. */
ssize_t input_at(int fd, void *to, size_t bytes, off_t at);

/* Records that a file cannot be read.  For EFBIG the message names the bound.  Returns false. */
bool input_failed(const char *name, int errno_value, struct input_bound bound,
                  struct gfe_error *error);

#endif
