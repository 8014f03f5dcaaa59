/* SPDX-License-Identifier: MIT */
/* Runs a scenario in the test into a log, as gfe run -o does. */
#ifndef TESTS_SCENARIO_LOG_H
#define TESTS_SCENARIO_LOG_H

#include "tests/check_trace.h"

/* Runs scenarios/<name>.json on a GPU and returns the log, which the caller frees.  `settings` are
 * "id=value" pairs of parameters, and end with NULL; `settings` itself may be NULL.  Fails the test
 * if the run does not reach its end. */
struct memory_file scenario_log_run(const char *gpu, const char *name, const char *const *settings);

#endif
