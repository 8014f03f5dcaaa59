/* SPDX-License-Identifier: MIT */
#ifndef GFE_TESTS_INJECT_RUN_PARSE_H
#define GFE_TESTS_INJECT_RUN_PARSE_H

#include "emu/faults/inject_run.h"

/* Parses a fault for this run; false with a message that quotes it. */
bool inject_run_parse(const struct inject_run *run, const char *text, struct inject_fault *fault,
                      struct gfe_error *error);

#endif
