/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct gfe_error *error, enum error_kind kind, const char *format, ...)
{
    va_list arguments;

    if (!error || error->kind != ERROR_NONE)
        return false;
    error->kind = kind;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_errno(struct gfe_error *error, int errno_value, const char *format, ...)
{
    va_list arguments;
    size_t used;

    if (!error || error->kind != ERROR_NONE)
        return false;
    error->kind = ERROR_SYSTEM;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    used = strlen(error->text);
    (void)snprintf(error->text + used, sizeof error->text - used, ": %s", strerror(errno_value));
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
