/* SPDX-License-Identifier: MIT */
/*
 * Errors in words for the user.
 *
 * gfe knows three kinds of error (docs/design.md, "Errors").  Devices model and log the guest's
 * errors, which never come here.  Programming errors are asserted.  This type carries the user's
 * errors: a bad file, a full disk, a wrong option.  Each is one line that names the file and the
 * place in it.
 */
#ifndef GFE_EMU_BASE_ERROR_H
#define GFE_EMU_BASE_ERROR_H

#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_INPUT,  /* a file or a recording is bad: exit status 1 */
    ERROR_SYSTEM, /* the operating system refused: exit status 1 */
    ERROR_LIMIT,  /* a bound of the model or of the reader was reached: exit status 1 */
    ERROR_USAGE,  /* the command line is wrong: exit status 2 */
};

struct gfe_error {
    enum error_kind kind;
    char text[500]; /* one line, no newline at its end, no control characters */
};

/*
 * Records an error and returns false, so that a failing function may say `return error_set(error,
 * ...)`.  `error` may be NULL.  An earlier message is kept, because the first cause is the one
 * worth reading.
 */
bool error_set(struct gfe_error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records an error like error_set(), and appends strerror(errno_value). */
bool error_set_errno(struct gfe_error *error, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the exit status that belongs to the error: 0, 1 or 2. */
int error_exit_status(const struct gfe_error *error);

#endif
