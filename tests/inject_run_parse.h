/* SPDX-License-Identifier: MIT */
#ifndef GFE_TESTS_INJECT_RUN_PARSE_H
#define GFE_TESTS_INJECT_RUN_PARSE_H

#include "emu/faults/inject_run.h"

/* Parses a fault for this run.  On failure it returns false and sets `error` to a message that
 * quotes the fault. */
bool inject_run_parse(const struct inject_run *run, const char *text, struct inject_fault *fault,
                      struct gfe_error *error);

#endif
