/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/visible.h"

/* Room for a path and what is said of it. */
enum { ERROR_WHOLE_BYTES = 4096 + 512 };

/* Keeps the message to one line, and to its beginning and its end where it is too long. */
static void error_keep(struct gfe_error *error, char *whole)
{
    const size_t length = strlen(whole), half = sizeof error->text / 2;

    visible_mark(whole);
    if (length < sizeof error->text)
        memcpy(error->text, whole, length + 1);
    else
        (void)snprintf(error->text, sizeof error->text, "%.*s...%s", (int)half, whole,
                       whole + length - (half - 4));
}

bool error_set(struct gfe_error *error, enum error_kind kind, const char *format, ...)
{
    char whole[ERROR_WHOLE_BYTES];
    va_list arguments;

    if (!error || error->kind != ERROR_NONE)
        return false;
    error->kind = kind;
    va_start(arguments, format);
    (void)vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    error_keep(error, whole);
    return false;
}

bool error_set_errno(struct gfe_error *error, int errno_value, const char *format, ...)
{
    char whole[ERROR_WHOLE_BYTES];
    va_list arguments;
    size_t used;

    if (!error || error->kind != ERROR_NONE)
        return false;
    error->kind = ERROR_SYSTEM;
    va_start(arguments, format);
    (void)vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    used = strlen(whole);
    (void)snprintf(whole + used, sizeof whole - used, ": %s", strerror(errno_value));
    error_keep(error, whole);
    return false;
}

int error_exit_status(const struct gfe_error *error)
{
    switch (error->kind) {
    case ERROR_NONE:
        return 0;
    case ERROR_USAGE:
        return 2;
    case ERROR_INPUT:
    case ERROR_SYSTEM:
    case ERROR_LIMIT:
        break;
    }
    return 1;
}
