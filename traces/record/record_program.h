/* SPDX-License-Identifier: MIT */
/*
 * Checks a program before it is recorded.  A program that could not be recorded is refused with a
 * message, instead of running without being recorded.
 */
#ifndef GFE_TRACES_RECORD_RECORD_PROGRAM_H
#define GFE_TRACES_RECORD_RECORD_PROGRAM_H

#include <stdbool.h>

#include "emu/base/error.h"

/* Finds `name` as execvp(3) would.  Returns false with a message if it is missing or not
 * executable, is for another machine or C library, is statically linked, set-uid or set-gid, or has
 * file capabilities.  For a script it checks the interpreters. */
bool record_program_check(const char *name, struct gfe_error *error);

/* Returns false, with the name of the Debian package, if the user-mode driver is not installed. */
bool record_program_driver_check(struct gfe_error *error);

#endif
