/* SPDX-License-Identifier: MIT */
/*
 * Looks at a program before it is recorded: what could not work is said in words, instead of
 * running without being recorded.
 */
#ifndef GFE_TRACES_RECORD_PROGRAM_H
#define GFE_TRACES_RECORD_PROGRAM_H

#include <stdbool.h>

#include "emu/base/error.h"

/* Finds `name` as execvp(3) would and refuses it when it is not there or not executable, is for
 * another machine or C library, statically linked, set-uid, set-gid or has file capabilities.  Of
 * a script the interpreters are looked at. */
bool record_program_check(const char *name, struct gfe_error *error);

/* False, with the name of the Debian package, when the user-mode driver is not installed. */
bool record_program_driver_check(struct gfe_error *error);

#endif
